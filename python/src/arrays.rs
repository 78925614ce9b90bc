//! numpy arrays by their `__array_interface__`: address, type, shape, strides.

use crate::{name_of, PipelineError, KINDS};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tilewright_lang::ScalarKind;

/// Memory of an array whose rows are behind each other. The Python object keeps it alive.
pub struct Memory<'py> {
    pub object: Bound<'py, PyAny>,
    pub kind: ScalarKind,
    pub address: usize,
    pub shape: Vec<usize>,
    pub bytes: usize,
}

/// The memory of the array `object`, given as `name`, if it can be used as it is.
pub fn memory<'py>(
    name: &str,
    object: Bound<'py, PyAny>,
    wanted: ScalarKind,
    written: bool,
) -> PyResult<Memory<'py>> {
    let py = object.py();
    let refuse = |reason: String| PipelineError::new_err(format!("{name} {reason}"));
    let interface = object
        .getattr(pyo3::intern!(py, "__array_interface__"))
        .map_err(|_| refuse(format!("has to be a numpy array of {}", name_of(wanted))))?;
    let interface = interface.downcast_into::<PyDict>()?;
    let item = |key: &str| {
        interface
            .get_item(key)?
            .ok_or_else(|| refuse(format!("has no {key}")))
    };
    let code: String = item("typestr")?.extract()?;
    let Some(kind) = kind_of(&code) else {
        let message = format!("has cells of numpy's type {code}, not {}", name_of(wanted));
        return Err(refuse(message));
    };
    if kind != wanted {
        let (is, needs) = (name_of(kind), name_of(wanted));
        let help = format!("{name}.astype(numpy.{needs})");
        return Err(refuse(format!(
            "has cells of {is}, not {needs}: pass {help}"
        )));
    }
    let (address, read_only): (usize, bool) = item("data")?.extract()?;
    if written && read_only {
        return Err(refuse("is read-only and cannot be written".to_owned()));
    }
    let shape: Vec<usize> = item("shape")?.extract()?;
    if let Some(strides) = interface.get_item("strides")? {
        if let Ok(strides) = strides.downcast::<PyTuple>() {
            let strides: Vec<isize> = strides.extract()?;
            let mut expected = kind.bytes() as isize;
            for (&stride, &extent) in strides.iter().zip(&shape).rev() {
                if extent > 1 && stride != expected {
                    let message = "is not contiguous: its rows have to be behind each other, as \
                                   numpy.ascontiguousarray makes them";
                    return Err(refuse(message.to_owned()));
                }
                expected *= extent as isize;
            }
        }
    }
    if address % kind.bytes() != 0 {
        return Err(refuse("is not aligned: pass a copy".to_owned()));
    }
    let bytes = shape.iter().product::<usize>() * kind.bytes();
    Ok(Memory {
        object,
        kind,
        address,
        shape,
        bytes,
    })
}

/// Types in the byte order of this machine.
fn kind_of(code: &str) -> Option<ScalarKind> {
    let other = if cfg!(target_endian = "little") {
        '>'
    } else {
        '<'
    };
    if code.starts_with(other) {
        return None;
    }
    let behind = code.get(1..)?;
    KINDS
        .iter()
        .find(|(.., own)| *own == behind)
        .map(|(kind, ..)| *kind)
}
