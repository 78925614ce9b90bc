//! The data of the two versions: as it is before every run, and while they run.

use crate::Result;
use crate::data::fill::{self, Fill};
use crate::data::{Buffer, Shape, npy, picture};
use crate::measure::job::{Job, Variable, VariableKind};
use crate::measure::library::{Addresses, Program};
use std::fs;
use std::path::Path;
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::scop::ScalarKind;

/// Where a datum lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Scalar argument with this number.
    Scalar(usize),
    /// Array argument with this number.
    Argument(usize),
    /// Memory that the global pointer with this number points to.
    Pointer(usize),
    /// Inside each version's library, the global variable with this number.
    Global(usize),
}

/// One scalar or array.
#[derive(Debug)]
struct Datum {
    place: Place,
    shape: Shape,
    /// The function may write it.
    written: bool,
    memory: Buffer,
}

/// Everything as it is before each run.
#[derive(Debug)]
pub struct Pristine {
    data: Vec<Datum>,
}

/// Everything as the versions work on it.
#[derive(Debug)]
pub struct Arrays {
    data: Vec<Datum>,
    arguments: usize,
}

impl Pristine {
    /// Evaluates the extents, takes memory, and fills it. Also returns notes for the user.
    pub fn new(job: &Job, program: &Program) -> Result<(Pristine, Vec<String>)> {
        let mut data = Vec::new();
        for (at, argument) in job.arguments.iter().enumerate() {
            if let VariableKind::Scalar { element, bytes } = &argument.kind {
                let shape = Shape {
                    name: argument.name.clone(),
                    element: *element,
                    extents: vec![],
                };
                let mut memory = Buffer::new(&shape)?;
                if let Some(bytes) = bytes {
                    memory.bytes_mut().copy_from_slice(bytes);
                }
                data.push(Datum {
                    place: Place::Scalar(at),
                    shape,
                    written: false,
                    memory,
                });
            }
        }
        // Globals first: extents of arguments may be written in terms of them.
        for (at, global) in job.globals.iter().enumerate() {
            if let VariableKind::Scalar { element, bytes } = &global.kind {
                let constant = program.global_is_const(at);
                let shape = Shape {
                    name: global.name.clone(),
                    element: *element,
                    extents: vec![],
                };
                let mut memory = Buffer::new(&shape)?;
                match bytes {
                    Some(bytes) if !constant => {
                        program.write_global(at, bytes);
                        memory.bytes_mut().copy_from_slice(bytes);
                    }
                    _ => program.read_global(at, memory.bytes_mut()),
                }
                if !constant {
                    data.push(Datum {
                        place: Place::Global(at),
                        shape,
                        written: true,
                        memory,
                    });
                }
            }
        }
        let shapes = shapes(job, program, &mut data)?;
        check_memory(&shapes)?;
        let mut notes = Vec::new();
        for (place, shape, variable) in shapes {
            let VariableKind::Array {
                pointer,
                read_only,
                structs,
                ..
            } = variable.kind
            else {
                continue;
            };
            let mut memory = Buffer::new(&shape)?;
            let mut written = !read_only;
            let mut from_file = false;
            let place = match place {
                Place::Global(at) if pointer => Place::Pointer(at),
                Place::Global(at) => {
                    // Structs have no test for const; those that are only read are left alone.
                    if program.global_is_const(at) || (structs && read_only) {
                        continue;
                    }
                    program.read_global(at, memory.bytes_mut());
                    from_file = memory.bytes().iter().any(|&byte| byte != 0);
                    written = true;
                    place
                }
                place => place,
            };
            let input = job.inputs.iter().find(|(name, _)| *name == shape.name);
            match input {
                Some((_, path)) => notes.extend(load(path, &shape, memory.bytes_mut())?),
                // What the file gives a value keeps it.
                None if from_file => {}
                None => {
                    let mut contents = job.fill;
                    if contents == Fill::Auto && job.with_pictures() && !written {
                        contents = Fill::Chart;
                    }
                    fill::fill(&shape, contents, job.seed, memory.bytes_mut());
                }
            }
            data.push(Datum {
                place,
                shape,
                written,
                memory,
            });
        }
        Ok((Pristine { data }, notes))
    }

    /// Takes everything from `arrays` and the version's global variables.
    pub fn take(&mut self, arrays: &Arrays, program: &Program) {
        for (ours, theirs) in self.data.iter_mut().zip(&arrays.data) {
            if let Place::Global(at) = ours.place {
                program.read_global(at, ours.memory.bytes_mut());
            } else {
                ours.memory
                    .bytes_mut()
                    .copy_from_slice(theirs.memory.bytes());
            }
        }
    }
}

impl Arrays {
    /// Memory for all data; holds zeros.
    pub fn new(pristine: &Pristine) -> Result<Arrays> {
        let mut data = Vec::new();
        let mut arguments = 0;
        for datum in &pristine.data {
            let mut memory = Buffer::new(&datum.shape)?;
            memory.bytes_mut().copy_from_slice(datum.memory.bytes());
            let (place, shape) = (datum.place, datum.shape.clone());
            if let Place::Scalar(at) | Place::Argument(at) = place {
                arguments = arguments.max(at + 1);
            }
            data.push(Datum {
                place,
                shape,
                written: datum.written,
                memory,
            });
        }
        Ok(Arrays { data, arguments })
    }

    /// Brings back what runs may have changed, here and in the version's global variables.
    pub fn restore(&mut self, pristine: &Pristine, program: &Program) {
        for (ours, theirs) in self.data.iter_mut().zip(&pristine.data) {
            if ours.written {
                ours.memory
                    .bytes_mut()
                    .copy_from_slice(theirs.memory.bytes());
            }
            match ours.place {
                Place::Global(at) => program.write_global(at, theirs.memory.bytes()),
                Place::Pointer(at) => program.set_global_pointer(at, ours.memory.address()),
                Place::Scalar(_) | Place::Argument(_) => {}
            }
        }
    }

    /// Copies the version's global variables here.
    pub fn take_globals(&mut self, program: &Program) {
        for datum in &mut self.data {
            if let Place::Global(at) = datum.place {
                program.read_global(at, datum.memory.bytes_mut());
            }
        }
    }

    /// Arguments for the wrapper's functions. The addresses are good while `self` lives.
    pub fn addresses(&mut self) -> Addresses {
        let mut addresses = vec![std::ptr::null_mut(); self.arguments];
        for datum in &mut self.data {
            if let Place::Scalar(at) | Place::Argument(at) = datum.place {
                addresses[at] = datum.memory.address().cast();
            }
        }
        Addresses(addresses)
    }

    /// An array beside which something was written.
    pub fn overrun(&self) -> Option<&str> {
        let datum = self
            .data
            .iter()
            .find(|datum| !datum.memory.guards_intact())?;
        Some(&datum.shape.name)
    }

    /// Size of an array in words.
    pub fn size_of(&self, name: &str) -> String {
        let datum = self.data.iter().find(|datum| datum.shape.name == name);
        datum.map(|datum| datum.shape.size()).unwrap_or_default()
    }

    /// All arrays, and global scalars, with their contents.
    pub fn all(&self) -> impl Iterator<Item = (&Shape, &[u8])> {
        self.data
            .iter()
            .filter(|datum| !matches!(datum.place, Place::Scalar(_)))
            .map(|datum| (&datum.shape, datum.memory.bytes()))
    }

    /// A copy of everything that may be written.
    pub fn written(&self) -> Vec<Vec<u8>> {
        self.data
            .iter()
            .filter(|d| d.written)
            .map(|d| d.memory.bytes().to_vec())
            .collect()
    }

    /// Everything that may be written, in the order of [`Arrays::written`].
    pub fn all_written(&self) -> impl Iterator<Item = (&Shape, &[u8])> {
        self.data
            .iter()
            .filter(|datum| datum.written)
            .map(|datum| (&datum.shape, datum.memory.bytes()))
    }

    /// What [`Arrays::written`] gave beside what is there now.
    pub fn pairs<'a>(
        &'a self,
        before: &'a [Vec<u8>],
    ) -> impl Iterator<Item = (ScalarKind, &'a [u8], &'a [u8])> {
        self.data
            .iter()
            .filter(|datum| datum.written)
            .zip(before)
            .map(|(datum, before)| (datum.shape.element, &before[..], datum.memory.bytes()))
    }
}

/// Evaluates the sizes of all arrays.
fn shapes<'a>(
    job: &'a Job,
    program: &Program,
    data: &mut [Datum],
) -> Result<Vec<(Place, Shape, &'a Variable)>> {
    let mut addresses = Addresses(vec![std::ptr::null_mut(); job.arguments.len()]);
    for datum in data {
        if let Place::Scalar(at) = datum.place {
            addresses.0[at] = datum.memory.address().cast();
        }
    }
    let count = |variables: &[Variable]| {
        let numbers = variables.iter().map(|variable| match &variable.kind {
            VariableKind::Array { extents, .. } => extents.len() + 1,
            VariableKind::Scalar { .. } => 0,
        });
        numbers.sum()
    };
    let arguments = program.extents(&mut addresses, count(&job.arguments));
    let globals = program.global_extents(count(&job.globals));
    let mut shapes = Vec::new();
    for (variables, values, is_global) in [
        (&job.arguments, arguments, false),
        (&job.globals, globals, true),
    ] {
        let mut values = values.into_iter();
        for (at, variable) in variables.iter().enumerate() {
            let VariableKind::Array {
                element,
                structs,
                extents,
                ..
            } = &variable.kind
            else {
                continue;
            };
            let size = values.next().unwrap_or(0);
            if !structs && size != element.bytes() as i64 {
                let (name, bytes) = (&variable.name, element.bytes());
                let message = format!(
                    "an element of `{name}` has {size} bytes, but was taken to have {bytes}"
                );
                return Err(Box::new(Diagnostic::error(Code::UnsupportedType, message)));
            }
            let mut numbers = Vec::new();
            for text in extents {
                let value = values.next().unwrap_or(0);
                match usize::try_from(value) {
                    Ok(value) if value > 0 => numbers.push(value),
                    _ => return Err(Box::new(bad_extent(job, &variable.name, text, value))),
                }
            }
            if *structs {
                numbers.push(usize::try_from(size).unwrap_or(0));
            }
            let bytes = numbers
                .iter()
                .try_fold(element.bytes(), |all, &one| all.checked_mul(one));
            if bytes.is_none_or(|bytes| bytes > isize::MAX as usize / 4) {
                let message = format!("`{}` would be larger than any memory", variable.name);
                return Err(Box::new(Diagnostic::error(Code::BadParameter, message)));
            }
            let place = if is_global {
                Place::Global(at)
            } else {
                Place::Argument(at)
            };
            let shape = Shape {
                name: variable.name.clone(),
                element: *element,
                extents: numbers,
            };
            shapes.push((place, shape, variable));
        }
    }
    Ok(shapes)
}

fn bad_extent(job: &Job, name: &str, text: &str, value: i64) -> Diagnostic {
    let message = format!("the extent `{text}` of `{name}` is {value}");
    let mut diagnostic = Diagnostic::error(Code::BadParameter, message);
    let scalars: Vec<String> = job
        .arguments
        .iter()
        .chain(&job.globals)
        .filter_map(|variable| match &variable.kind {
            VariableKind::Scalar {
                element,
                bytes: Some(bytes),
            } => {
                let value = crate::data::element::get(*element, bytes);
                Some(format!("{} = {value}", variable.name))
            }
            _ => None,
        })
        .collect();
    if !scalars.is_empty() {
        diagnostic = diagnostic.note(format!("with {}", scalars.join(", ")));
    }
    diagnostic.help("give values with --param NAME=VALUE for which all extents are positive")
}

/// Copies of every array: as before the runs, and one for each version.
const COPIES: usize = 3;

/// Refuses what would not fit into the machine's memory, before the system has to.
fn check_memory(shapes: &[(Place, Shape, &Variable)]) -> Result<()> {
    let wanted = shapes
        .iter()
        .map(|(_, shape, _)| shape.bytes() as u64)
        .sum::<u64>();
    let wanted = wanted.saturating_mul(COPIES as u64);
    let available = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("MemAvailable:"))?;
        let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes * 1024)
    });
    match available {
        Some(available) if wanted > available => {
            let megabytes = |bytes: u64| bytes >> 20;
            let message = format!(
                "the arrays need {} MB in {COPIES} copies, and {} MB of memory are free",
                megabytes(wanted),
                megabytes(available)
            );
            let diagnostic = Diagnostic::error(Code::BadParameter, message);
            Err(Box::new(
                diagnostic.help("choose smaller values with --param"),
            ))
        }
        _ => Ok(()),
    }
}

fn load(path: &Path, shape: &Shape, bytes: &mut [u8]) -> Result<Option<String>> {
    let loaded = if picture::is_picture(path) {
        picture::load(path, shape, bytes)
    } else {
        crate::host::input::bytes(path)
            .map_err(|error| crate::host::output::words(&error))
            .and_then(|file| npy::read(&file, shape))
            .map(|elements| {
                bytes.copy_from_slice(&elements);
                None
            })
    };
    loaded.map_err(|reason| {
        let message = format!(
            "cannot read {} into `{}`: {reason}",
            path.display(),
            shape.name
        );
        Box::new(Diagnostic::error(Code::BadInput, message))
    })
}
