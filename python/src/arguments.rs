//! Arguments by name, as calls and searches get them.

use crate::arrays::{memory, Memory};
use crate::PipelineError;
use pyo3::prelude::*;
use pyo3::types::PyInt;
use tilewright_lang::{Direction, Program, ScalarKind};

/// An argument, of the type that the pipeline wants.
pub enum Argument<'py> {
    /// Memory for the array with this number.
    Array(usize, Memory<'py>),
    /// A size.
    Size(i64),
    /// A floating parameter.
    Number(f64),
}

/// The argument `value` of that name.
pub fn argument<'py>(
    program: &Program,
    name: &str,
    value: Bound<'py, PyAny>,
) -> PyResult<Argument<'py>> {
    if let Some(at) = program.arrays.iter().position(|array| array.name == name) {
        let array = &program.arrays[at];
        let written = array.direction == Direction::Output;
        return Ok(Argument::Array(
            at,
            memory(name, value, array.kind, written)?,
        ));
    }
    let Some(scalar) = program.scalars.iter().find(|scalar| scalar.name == name) else {
        let arrays = program.arrays.iter().map(|array| &array.name[..]);
        let scalars = program.scalars.iter().map(|scalar| &scalar.name[..]);
        let all: Vec<&str> = arrays.chain(scalars).collect();
        let message = format!("there is no argument {name}; there are {}", all.join(", "));
        return Err(PipelineError::new_err(message));
    };
    let refuse = |what: &str| PipelineError::new_err(format!("{name} has to be {what}"));
    match scalar.kind {
        ScalarKind::I32 => match value.extract() {
            Ok(size) => Ok(Argument::Size(size)),
            // What has more than 64 bits.
            Err(_) if value.is_instance_of::<PyInt>() => Err(refuse("from 1 to 2147483647")),
            Err(_) => Err(refuse("an integer")),
        },
        _ => match value.extract() {
            Ok(number) => Ok(Argument::Number(number)),
            Err(_) => Err(refuse("a number")),
        },
    }
}
