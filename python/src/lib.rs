//! The Python package `tilewright`: pipelines as in `tilewright-lang`, numpy arrays in and out.

mod arguments;
mod arrays;
mod expression;
mod interrupt;
mod kernel;
mod pipeline;
mod source;
mod tune;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tilewright_lang::{Problems, ScalarKind};

pyo3::create_exception!(
    _tilewright,
    PipelineError,
    PyValueError,
    "What is wrong with a pipeline, or with the arguments of a call."
);

/// Problems as a Python exception.
fn error(problems: Problems) -> PyErr {
    PipelineError::new_err(problems.to_string())
}

/// A type by numpy's name, or as numpy's type.
fn kind(given: &Bound<'_, PyAny>) -> PyResult<ScalarKind> {
    let name: String = match given.extract() {
        Ok(name) => name,
        Err(_) => match given.getattr("__name__").or_else(|_| given.getattr("name")) {
            Ok(name) => name.extract()?,
            Err(_) => given.str()?.extract()?,
        },
    };
    use ScalarKind::*;
    Ok(match &name[..] {
        "int8" => I8,
        "uint8" => U8,
        "int16" => I16,
        "uint16" => U16,
        "int32" => I32,
        "uint32" => U32,
        "int64" => I64,
        "uint64" => U64,
        "float32" => F32,
        "float64" => F64,
        _ => {
            let message = format!(
                "{name} is no type of cells; there are int8 to int64, uint8 to uint64, float32, \
                 float64"
            );
            return Err(PipelineError::new_err(message));
        }
    })
}

/// numpy's name of a type.
fn name_of(kind: ScalarKind) -> &'static str {
    use ScalarKind::*;
    match kind {
        Bool => "bool",
        I8 => "int8",
        U8 => "uint8",
        I16 => "int16",
        U16 => "uint16",
        I32 => "int32",
        U32 => "uint32",
        I64 => "int64",
        U64 => "uint64",
        F32 => "float32",
        F64 => "float64",
    }
}

#[pymodule]
fn _tilewright(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("PipelineError", module.py().get_type::<PipelineError>())?;
    module.add_class::<expression::PyExpr>()?;
    module.add_class::<expression::PyCondition>()?;
    module.add_class::<pipeline::PyPipeline>()?;
    module.add_class::<source::PySource>()?;
    module.add_class::<source::PyCase>()?;
    module.add_class::<source::PyUpdate>()?;
    module.add_class::<tune::PyTuned>()?;
    module.add_class::<tune::PyProgress>()?;
    module.add_class::<kernel::PyKernel>()?;
    module.add_class::<kernel::PyPicture>()?;
    expression::functions(module)?;
    source::functions(module)
}
