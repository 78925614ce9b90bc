//! Compiled pipelines.

use crate::arguments::{argument, Argument};
use crate::arrays::{memory, Memory};
use crate::{error, name_of, PipelineError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::path::PathBuf;
use tilewright_lang::{Call, Direction, Kernel, Program};

/// A compiled pipeline: `result = kernel(img=picture)`.
#[pyclass(name = "Kernel", module = "tilewright", frozen)]
pub struct PyKernel(Kernel);

impl PyKernel {
    pub fn new(kernel: Kernel) -> PyKernel {
        PyKernel(kernel)
    }
}

/// A picture that notebooks show.
#[pyclass(name = "Picture", module = "tilewright", frozen)]
pub struct PyPicture {
    /// Its text.
    #[pyo3(get)]
    pub svg: String,
}

#[pymethods]
impl PyPicture {
    fn _repr_svg_(&self) -> &str {
        &self.svg
    }

    /// Writes the picture to a file.
    fn save(&self, file: PathBuf) -> PyResult<()> {
        Ok(std::fs::write(file, &self.svg)?)
    }
}

#[pymethods]
impl PyKernel {
    /// Runs. Images, and memory for outputs if there is some, are contiguous numpy arrays; nothing
    /// is copied. Sizes that follow from the shape of an image need not be given. Outputs that are
    /// not given are made, full of zeros. Returns the output, or a tuple of all outputs.
    #[pyo3(signature = (**arguments))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        arguments: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let program = self.0.program();
        let mut given: Vec<Option<Memory>> = program.arrays.iter().map(|_| None).collect();
        let mut call = self.0.call();
        for (name, value) in arguments.into_iter().flatten() {
            let name: String = name.extract()?;
            call = match argument(program, &name, value)? {
                Argument::Size(value) => call.size(&name, value),
                Argument::Number(value) => call.scalar(&name, value),
                Argument::Array(at, memory) => {
                    let call = add(call, &name, &memory);
                    given[at] = Some(memory);
                    call
                }
            };
        }
        for (at, array) in program.arrays.iter().enumerate() {
            if given[at].is_none() && array.direction == Direction::Output {
                let shape = PyTuple::new(py, call.shape_of(&array.name).map_err(error)?)?;
                let numpy = py.import(pyo3::intern!(py, "numpy"))?;
                let made = numpy.call_method1("zeros", (shape, name_of(array.kind)))?;
                let memory = memory(&array.name, made, array.kind, true)?;
                call = add(call, &array.name, &memory);
                given[at] = Some(memory);
            }
        }
        apart(program, &given)?;
        let run = Running(call);
        py.detach(|| run.run()).map_err(error)?;
        let outputs = program.arrays.iter().zip(given);
        let outputs = outputs.filter(|(array, _)| array.direction == Direction::Output);
        let mut outputs: Vec<_> = outputs.filter_map(|(_, m)| Some(m?.object)).collect();
        match outputs.len() {
            1 => Ok(outputs.remove(0)),
            _ => Ok(PyTuple::new(py, outputs)?.into_any()),
        }
    }

    /// The groups, shapes and sizes of tiles, as text.
    pub fn explain(&self) -> String {
        self.0.explain()
    }

    /// The tiles as a picture that a notebook shows.
    pub fn view(&self, py: Python<'_>) -> PyResult<PyPicture> {
        let svg = py.detach(|| self.0.view()).map_err(error)?;
        Ok(PyPicture { svg })
    }

    /// Writes the plan to a file, for `compile(plan=…)`.
    pub fn save_plan(&self, file: PathBuf) -> PyResult<()> {
        self.0.save_plan(&file).map_err(error)
    }

    /// The C that runs.
    #[getter]
    fn c_text(&self) -> &str {
        self.0.c_text()
    }

    /// The pipeline as plain C, stage by stage.
    #[getter]
    fn reference_text(&self) -> &str {
        self.0.reference_text()
    }

    /// What was not done, and why.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.0.warnings().iter().map(ToString::to_string).collect()
    }

    fn __repr__(&self) -> String {
        format!("<tilewright.Kernel {}>", self.0.program().name())
    }
}

fn add<'k, 'd>(call: Call<'k, 'd>, name: &str, memory: &Memory) -> Call<'k, 'd> {
    let address = std::ptr::with_exposed_provenance_mut(memory.address);
    // SAFETY: numpy says that this many cells of this type are there; the objects are kept until
    // the call has run, and outputs do not overlap with anything (`apart`). That no other thread
    // writes to them meanwhile is the caller's part, as with every function that releases the GIL.
    unsafe { call.array_at(name, memory.kind, address, &memory.shape) }
}

/// No output shares memory with another argument.
fn apart(program: &Program, given: &[Option<Memory>]) -> PyResult<()> {
    for (a, first) in given.iter().enumerate() {
        for (b, second) in given.iter().enumerate() {
            let (Some(first), Some(second)) = (first, second) else {
                continue;
            };
            let written = program.arrays[a].direction == Direction::Output;
            let overlap = first.address < second.address + second.bytes
                && second.address < first.address + first.bytes;
            if a != b && written && overlap {
                let (out, other) = (&program.arrays[a].name, &program.arrays[b].name);
                let message = format!("the output {out} shares memory with {other}");
                return Err(PipelineError::new_err(message));
            }
        }
    }
    Ok(())
}

/// A call that another thread may run.
struct Running<'k, 'd>(Call<'k, 'd>);

// SAFETY: the addresses in it are of memory that stays where it is until the call has run.
unsafe impl Send for Running<'_, '_> {}

impl Running<'_, '_> {
    fn run(self) -> Result<(), tilewright_lang::Problems> {
        self.0.run()
    }
}
