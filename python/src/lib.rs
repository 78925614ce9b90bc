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

/// Types of cells: numpy's name, and how numpy writes them behind the byte order.
const KINDS: [(ScalarKind, &str, &str); 10] = [
    (ScalarKind::I8, "int8", "i1"),
    (ScalarKind::U8, "uint8", "u1"),
    (ScalarKind::I16, "int16", "i2"),
    (ScalarKind::U16, "uint16", "u2"),
    (ScalarKind::I32, "int32", "i4"),
    (ScalarKind::U32, "uint32", "u4"),
    (ScalarKind::I64, "int64", "i8"),
    (ScalarKind::U64, "uint64", "u8"),
    (ScalarKind::F32, "float32", "f4"),
    (ScalarKind::F64, "float64", "f8"),
];

/// A type by numpy's name, or as numpy's type.
fn kind(given: &Bound<'_, PyAny>) -> PyResult<ScalarKind> {
    let name: String = match given.extract() {
        Ok(name) => name,
        Err(_) => match given.getattr("__name__").or_else(|_| given.getattr("name")) {
            Ok(name) => name.extract()?,
            Err(_) => given.str()?.extract()?,
        },
    };
    let found = KINDS.iter().find(|(_, own, _)| *own == name);
    found.map(|(kind, ..)| *kind).ok_or_else(|| {
        let message = format!(
            "{name} is no type of cells; there are int8 to int64, uint8 to uint64, float32, float64"
        );
        PipelineError::new_err(message)
    })
}

/// numpy's name of a type.
fn name_of(kind: ScalarKind) -> &'static str {
    // Conditions have no cells.
    KINDS
        .iter()
        .find(|(own, ..)| *own == kind)
        .map_or("bool", |(_, name, _)| name)
}

#[pymodule]
fn _tilewright(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
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
