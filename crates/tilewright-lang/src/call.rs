//! One call of a kernel: arguments by name, checked, then run.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::panic::resume_unwind;
use tilewright::frontend::pipeline::{Direction, Problem, Problems, Program, SIZES};
use tilewright::scop::ScalarKind;
use tilewright_driver::data::element::{Element, first_outside};
use tilewright_driver::measure::library::{self, Addresses};

/// A call that is being prepared. What is wrong with it is said by [`Call::run`].
#[derive(Debug)]
pub struct Call<'k, 'd> {
    program: &'k Program,
    entry: &'k library::Program,
    scalars: Vec<Option<Number>>,
    arrays: Vec<Option<Array>>,
    problems: Vec<Problem>,
    data: PhantomData<&'d mut ()>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    Int(i64),
    Float(f64),
}

/// Memory that outlives the call, of as many cells as its shape says.
#[derive(Debug)]
struct Array {
    address: *mut c_void,
    cells: usize,
    /// `None`: only the number of cells is known.
    shape: Option<Vec<usize>>,
}

impl<'k, 'd> Call<'k, 'd> {
    pub(crate) fn new(program: &'k Program, entry: &'k library::Program) -> Call<'k, 'd> {
        Call {
            program,
            entry,
            scalars: vec![None; program.scalars.len()],
            arrays: program.arrays.iter().map(|_| None).collect(),
            problems: Vec::new(),
            data: PhantomData,
        }
    }

    fn say(&mut self, message: String) {
        self.problems.push(Problem::new(message));
    }

    pub(crate) fn scalar_named(&mut self, name: &str, value: Number) {
        let place = self.program.scalars.iter().position(|s| s.name == name);
        match place.map(|at| (at, self.program.scalars[at].kind, value)) {
            None => {
                let all = self.program.scalars.iter().map(|s| &s.name[..]);
                let all = all.collect::<Vec<_>>().join(", ");
                let message = if all.is_empty() {
                    format!("there is no parameter {name}; there are none")
                } else {
                    format!("there is no parameter {name}; there are {all}")
                };
                self.say(message);
            }
            Some((_, ScalarKind::I32, Number::Float(value))) => {
                self.say(format!("{name} is a size and cannot be {value}"));
            }
            Some((at, ..)) => self.scalars[at] = Some(value),
        }
    }

    /// Gives a size, or a floating parameter a whole number. Sizes that follow from the shape of
    /// an image need not be given.
    pub fn size(mut self, name: &str, value: i64) -> Call<'k, 'd> {
        self.scalar_named(name, Number::Int(value));
        self
    }

    /// Gives a floating parameter.
    pub fn scalar(mut self, name: &str, value: f64) -> Call<'k, 'd> {
        self.scalar_named(name, Number::Float(value));
        self
    }

    /// Gives an image, row by row.
    pub fn image<T: Element>(
        mut self,
        name: &str,
        cells: &'d [T],
        shape: &[usize],
    ) -> Call<'k, 'd> {
        let address = cells.as_ptr().cast_mut().cast();
        self.array(
            name,
            Direction::Input,
            T::KIND,
            address,
            cells.len(),
            Some(shape),
        );
        self
    }

    /// Gives memory for an output, row by row. Cells of no case stay as they are.
    pub fn output<T: Element>(mut self, name: &str, cells: &'d mut [T]) -> Call<'k, 'd> {
        let (address, length) = (cells.as_mut_ptr().cast(), cells.len());
        self.array(name, Direction::Output, T::KIND, address, length, None);
        self
    }

    /// Gives an image as an array in standard layout (rows behind each other).
    #[cfg(feature = "ndarray")]
    pub fn image_array<T: Element, D: ndarray::Dimension>(
        mut self,
        name: &str,
        array: ndarray::ArrayView<'d, T, D>,
    ) -> Call<'k, 'd> {
        let shape = array.shape().to_vec();
        match array.to_slice() {
            Some(cells) => self.image(name, cells, &shape),
            None => {
                self.say(not_contiguous(name));
                self
            }
        }
    }

    /// Gives memory for an output as an array in standard layout (rows behind each other).
    #[cfg(feature = "ndarray")]
    pub fn output_array<T: Element, D: ndarray::Dimension>(
        mut self,
        name: &str,
        array: ndarray::ArrayViewMut<'d, T, D>,
    ) -> Call<'k, 'd> {
        let shape = array.shape().to_vec();
        match array.into_slice() {
            Some(cells) => {
                let (address, length) = (cells.as_mut_ptr().cast(), cells.len());
                self.array(
                    name,
                    Direction::Output,
                    T::KIND,
                    address,
                    length,
                    Some(&shape),
                );
            }
            None => self.say(not_contiguous(name)),
        }
        self
    }

    /// Gives an image or an output by its address.
    ///
    /// # Safety
    /// `address` is that of as many cells of this kind as `shape` says, row by row, aligned for
    /// it. Until the call has run, nobody else writes them, and nobody else reads them if they
    /// are an output.
    pub unsafe fn array_at(
        mut self,
        name: &str,
        kind: ScalarKind,
        address: *mut c_void,
        shape: &[usize],
    ) -> Call<'k, 'd> {
        let direction = match self.program.arrays.iter().find(|a| a.name == name) {
            Some(array) => array.direction,
            None => Direction::Input,
        };
        // What is too many for any memory is no shape of it, which is said below.
        let cells = number_of_cells(shape).unwrap_or(0);
        self.array(name, direction, kind, address, cells, Some(shape));
        self
    }

    pub(crate) fn array(
        &mut self,
        name: &str,
        direction: Direction,
        kind: ScalarKind,
        address: *mut c_void,
        cells: usize,
        shape: Option<&[usize]>,
    ) {
        let what = match direction {
            Direction::Input => "image",
            Direction::Output => "output",
        };
        let place = self.program.arrays.iter().position(|a| a.name == name);
        let Some(at) = place.filter(|&at| self.program.arrays[at].direction == direction) else {
            let fitting = self
                .program
                .arrays
                .iter()
                .filter(|a| a.direction == direction);
            let all: Vec<&str> = fitting.map(|a| &a.name[..]).collect();
            return self.say(format!(
                "there is no {what} {name}; there are {}",
                all.join(", ")
            ));
        };
        let wanted = &self.program.arrays[at];
        if wanted.kind != kind {
            return self.say(format!(
                "{name} has cells of {:?}, not {kind:?}",
                wanted.kind
            ));
        }
        if let Some(shape) = shape {
            if shape.len() != wanted.dimensions {
                let (is, needs) = (shape.len(), wanted.dimensions);
                return self.say(format!("{name} has {needs} dimensions, not {is}"));
            }
            let count = number_of_cells(shape);
            if count != Some(cells) {
                let text = sizes(shape);
                return self.say(format!("{name} of {text} needs as many cells, not {cells}"));
            }
        }
        self.arrays[at] = Some(Array {
            address,
            cells,
            shape: shape.map(<[usize]>::to_vec),
        });
    }

    /// Sizes that follow from the shapes of arrays: of images, and where they do not say, outputs.
    fn infer(&mut self) {
        for direction in [Direction::Input, Direction::Output] {
            for (number, array) in self.arrays.iter().enumerate() {
                let own = &self.program.arrays[number];
                let shape = array.as_ref().and_then(|array| array.shape.as_ref());
                let Some(shape) = shape.filter(|_| own.direction == direction) else {
                    continue;
                };
                for (dimension, &extent) in shape.iter().enumerate() {
                    let found = self.program.size_from_extent(number, dimension, extent);
                    let Some((size, value)) = found.filter(|(at, _)| self.scalars[*at].is_none())
                    else {
                        continue;
                    };
                    self.scalars[size] = Some(Number::Int(value));
                    if !SIZES.contains(&value) {
                        let (name, is) = (&own.name, sizes(shape));
                        let (least, most) = (SIZES.start(), SIZES.end());
                        let size = &self.program.scalars[size].name;
                        self.problems.push(Problem::new(format!(
                            "{name} of {is} would make {size} {value}, which has to be from \
                             {least} to {most}"
                        )));
                    }
                }
            }
        }
    }

    /// The shape that an output has to have, from what was given so far.
    ///
    /// # Errors
    /// Where a size is missing or cannot be, and where there is no such output.
    pub fn shape_of(&mut self, name: &str) -> Result<Vec<usize>, Problems> {
        let Some(at) = self.program.arrays.iter().position(|a| a.name == name) else {
            return Err(Problems(vec![Problem::new(format!(
                "there is no array {name}"
            ))]));
        };
        self.infer();
        let values = self.sizes()?;
        let program = self.program;
        let checked = program.check_sizes(&values);
        checked
            .and_then(|()| program.extents(at, &values))
            .map_err(|problem| Problems(vec![problem]))
    }

    /// Values of the scalars that are known so far, by name.
    pub(crate) fn values(&self) -> BTreeMap<String, String> {
        let all = self.program.scalars.iter().zip(&self.scalars);
        all.filter_map(|(scalar, value)| {
            let text = match (*value)? {
                Number::Int(value) => value.to_string(),
                Number::Float(value) => value.to_string(),
            };
            Some((scalar.name.clone(), text))
        })
        .collect()
    }

    /// Values of the scalars, 0 for floating ones.
    fn sizes(&mut self) -> Result<Vec<i64>, Problems> {
        let mut values = Vec::new();
        for (scalar, value) in self.program.scalars.iter().zip(&self.scalars) {
            match value {
                None => {
                    let message = format!("the parameter {} has no value", scalar.name);
                    self.problems.push(Problem::new(message));
                }
                Some(Number::Int(value)) => values.push(*value),
                Some(Number::Float(_)) => values.push(0),
            }
        }
        if self.problems.is_empty() {
            Ok(values)
        } else {
            Err(Problems(std::mem::take(&mut self.problems)))
        }
    }

    /// Runs the kernel.
    ///
    /// # Errors
    /// What is wrong with the arguments; then nothing has run.
    pub fn run(self) -> Result<(), Problems> {
        let entry = self.entry;
        self.ready()?.run(entry);
        Ok(())
    }

    /// Checks the arguments.
    pub(crate) fn ready(mut self) -> Result<Ready<'d>, Problems> {
        self.infer();
        let values = self.sizes()?;
        let checked = self.program.check_sizes(&values);
        checked.map_err(|problem| Problems(vec![problem]))?;
        for (number, wanted) in self.program.arrays.iter().enumerate() {
            let problem = match &self.arrays[number] {
                None => Some(format!("{} is not given", wanted.name)),
                Some(array) => {
                    let extents = self.program.extents(number, &values);
                    match extents {
                        Ok(extents) => mismatch(array, &wanted.name, &extents, &wanted.extents)
                            .or_else(|| beyond(array, &wanted.name, wanted.kind, wanted.values)),
                        Err(problem) => Some(problem.message),
                    }
                }
            };
            self.problems.extend(problem.map(Problem::new));
        }
        if !self.problems.is_empty() {
            return Err(Problems(self.problems));
        }
        let mut memory: Vec<u64> = Vec::with_capacity(self.scalars.len());
        for (scalar, value) in self.program.scalars.iter().zip(&self.scalars) {
            let mut bytes = [0; 8];
            let number = match value {
                Some(Number::Int(value)) => *value as f64,
                Some(Number::Float(value)) => *value,
                None => 0.0,
            };
            match (scalar.kind, value) {
                (ScalarKind::F32, _) => bytes[..4].copy_from_slice(&(number as f32).to_ne_bytes()),
                (ScalarKind::F64, _) => bytes.copy_from_slice(&number.to_ne_bytes()),
                (_, Some(Number::Int(value))) => {
                    bytes[..4].copy_from_slice(&(*value as i32).to_ne_bytes());
                }
                _ => {}
            }
            memory.push(u64::from_ne_bytes(bytes));
        }
        Ok(Ready {
            scalars: memory,
            arrays: self.arrays.iter().flatten().map(|a| a.address).collect(),
            data: PhantomData,
        })
    }
}

/// Arguments that were found to be right, for any kernel of the same pipeline.
pub(crate) struct Ready<'d> {
    /// Each in a word of its own, its first bytes the C type that the wrapper expects.
    scalars: Vec<u64>,
    arrays: Vec<*mut c_void>,
    data: PhantomData<&'d mut ()>,
}

impl Ready<'_> {
    pub(crate) fn run(&mut self, entry: &library::Program) {
        let scalars = self.scalars.iter_mut();
        let scalars = scalars.map(|word| std::ptr::from_mut(word).cast());
        let arrays = self.arrays.iter().copied();
        entry.call(&mut Addresses(scalars.chain(arrays).collect()));
    }
}

#[cfg(feature = "ndarray")]
fn not_contiguous(name: &str) -> String {
    format!("{name} is not in standard layout: rows have to be behind each other")
}

/// Cells of an array of this shape, where that is a number of this machine.
fn number_of_cells(shape: &[usize]) -> Option<usize> {
    shape.iter().try_fold(1usize, |all, &n| all.checked_mul(n))
}

fn sizes(shape: &[usize]) -> String {
    let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
    sizes.join(" x ")
}

/// Whether an array has another shape than it needs.
fn mismatch(array: &Array, name: &str, extents: &[usize], texts: &[String]) -> Option<String> {
    let needed = format!("{} ({})", sizes(extents), texts.join(" x "));
    match &array.shape {
        Some(shape) if shape != extents => {
            Some(format!("{name} has to be {needed}, not {}", sizes(shape)))
        }
        None if array.cells != extents.iter().product::<usize>() => {
            let cells = array.cells;
            Some(format!("{name} has to be {needed}; it has {cells} cells"))
        }
        _ => None,
    }
}

/// Bytes from which on it is worth a thread of its own to look at them.
const PORTION: usize = 1 << 20;

/// Whether a cell has a value outside of what was promised.
fn beyond(
    array: &Array,
    name: &str,
    kind: ScalarKind,
    values: Option<(f64, f64)>,
) -> Option<String> {
    let (low, high) = values?;
    let length = array.cells * kind.bytes();
    // SAFETY: the array was given as a slice of so many cells of this type, or by somebody who
    // promised that; bytes have no alignment.
    let bytes = unsafe { std::slice::from_raw_parts(array.address.cast::<u8>(), length) };
    let outside = |part: &[u8]| first_outside(kind, part, low, high);
    let portion = length.div_ceil(threads()).next_multiple_of(kind.bytes());
    let mut parts = bytes.chunks(portion.max(PORTION));
    let first = parts.next().unwrap_or_default();
    let cell = std::thread::scope(|scope| {
        let others: Vec<_> = parts
            .map(|part| {
                let other = std::thread::Builder::new();
                other
                    .spawn_scoped(scope, move || outside(part))
                    .map_err(|_| part)
            })
            .collect();
        let mut found = outside(first);
        for other in others {
            let cell = match other {
                Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                // Where there are no more threads.
                Err(part) => outside(part),
            };
            found = found.or(cell);
        }
        found
    })?;
    Some(format!(
        "{name} holds {cell}, and was promised to hold values from {low} to {high}"
    ))
}

/// Threads as kernels have them: what OpenMP is told, or all cores.
pub(crate) fn threads() -> usize {
    let told = std::env::var("OMP_NUM_THREADS").ok();
    let told = told.and_then(|text| text.split(',').next()?.trim().parse().ok());
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    told.filter(|&threads| threads > 0).unwrap_or_else(all)
}
