//! numpy arrays by their `__array_interface__`: address, type, shape, strides.

use crate::{name_of, PipelineError, KINDS};
use pyo3::prelude::*;
use pyo3::types::PyDict;
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
    let refuse = |reason: String| PipelineError::new_err(format!("{name} {reason}"));
    let attribute = pyo3::intern!(object.py(), "__array_interface__");
    let interface = object.getattr(attribute).ok();
    let Some(described) = interface.as_ref().and_then(described) else {
        let message = match interface.is_some() {
            true => format!("has to be a numpy array: pass numpy.asarray({name})"),
            false => format!("has to be a numpy array of {}", name_of(wanted)),
        };
        return Err(refuse(message));
    };
    let Described {
        code,
        address,
        read_only,
        shape,
        strides,
    } = described;
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
    if written && read_only {
        return Err(refuse("is read-only and cannot be written".to_owned()));
    }
    let cells = shape.iter().try_fold(1usize, |all, &n| all.checked_mul(n));
    let bytes = cells.and_then(|cells| cells.checked_mul(kind.bytes()));
    let bytes = bytes.filter(|&bytes| isize::try_from(bytes).is_ok());
    let bytes = bytes.ok_or_else(|| refuse("has more cells than there can be".to_owned()))?;
    // Where nothing is, rows may be anywhere.
    if let Some(strides) = strides.filter(|_| bytes > 0) {
        let mut expected = kind.bytes() as isize;
        for (&stride, &extent) in strides.iter().zip(&shape).rev() {
            if extent > 1 && stride != expected {
                return Err(refuse(format!(
                    "is not contiguous: its rows have to be behind each other, as {} makes them",
                    if written {
                        "numpy.zeros"
                    } else {
                        "numpy.ascontiguousarray"
                    }
                )));
            }
            expected *= extent as isize;
        }
    }
    if address % kind.bytes() != 0 {
        return Err(refuse("is not aligned: pass a copy".to_owned()));
    }
    Ok(Memory {
        object,
        kind,
        address,
        shape,
        bytes,
    })
}

/// What an array says of itself.
struct Described {
    /// Type of its cells, in numpy's letters.
    code: String,
    address: usize,
    read_only: bool,
    shape: Vec<usize>,
    /// `None`: its rows are behind each other.
    strides: Option<Vec<isize>>,
}

/// What an array says of itself, from its `__array_interface__`; nothing of what is no array in
/// memory.
fn described(interface: &Bound<'_, PyAny>) -> Option<Described> {
    let interface = interface.downcast::<PyDict>().ok()?;
    let item = |key: &str| interface.get_item(key).ok().flatten();
    let (address, read_only) = item("data")?.extract().ok()?;
    Some(Described {
        code: item("typestr")?.extract().ok()?,
        address,
        read_only,
        shape: item("shape")?.extract().ok()?,
        strides: match item("strides") {
            Some(strides) => strides.extract().ok()?,
            None => None,
        },
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
