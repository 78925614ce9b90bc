//! The search for the fastest plan.

use crate::arguments::{argument, Argument};
use crate::interrupt::{self, Link};
use crate::{error, PipelineError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::c_void;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;
use tilewright_lang::{
    Compile, Direction, Options, Pipeline, Problems, Progress, ScalarKind, Tuned, Tuning,
};

/// What a search found: `p.compile(plan=tuned)`.
#[pyclass(name = "Tuned", module = "tilewright", frozen)]
pub struct PyTuned(pub Tuned);

#[pymethods]
impl PyTuned {
    /// The fastest plan in words.
    #[getter]
    fn candidate(&self) -> &str {
        &self.0.candidate
    }

    /// Its median time in milliseconds.
    #[getter]
    fn ms(&self) -> f64 {
        self.0.ms
    }

    /// The median time of the plan that `compile` chooses by itself.
    #[getter]
    fn default_ms(&self) -> Option<f64> {
        self.0.default_ms
    }

    /// The median time of the pipeline stage by stage.
    #[getter]
    fn reference_ms(&self) -> Option<f64> {
        self.0.reference_ms
    }

    /// Plans that were tried, and plans that there are.
    #[getter]
    fn tried(&self) -> (usize, usize) {
        (self.0.tried, self.0.candidates)
    }

    /// What the user should know.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes.clone()
    }

    /// Writes the plan to a file, for `compile(plan=…)`.
    fn save_plan(&self, file: PathBuf) -> PyResult<()> {
        self.0.save_plan(&file).map_err(error)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<tilewright.Tuned {}>", self.0)
    }
}

/// How far a search is.
#[pyclass(name = "Progress", module = "tilewright", frozen)]
pub struct PyProgress(Progress);

#[pymethods]
impl PyProgress {
    /// Plans that are done.
    #[getter]
    fn done(&self) -> usize {
        self.0.done
    }

    /// Plans that there are.
    #[getter]
    fn of(&self) -> usize {
        self.0.of
    }

    /// The best plan so far in words, and its shortest run in milliseconds.
    #[getter]
    fn best(&self) -> Option<(String, f64)> {
        self.0.best.clone()
    }

    /// Whether the best few are being timed again.
    #[getter]
    fn finals(&self) -> bool {
        self.0.finals
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<tilewright.Progress {}>", self.0)
    }
}

/// How long to search, and what for.
pub struct Search {
    /// The time it may take.
    pub budget: Duration,
    /// How often a plan is timed.
    pub runs: Option<usize>,
    /// A file for measurements.
    pub log: Option<PathBuf>,
    /// How to compile.
    pub options: Options,
}

/// Values for a search, without their Python objects.
enum Value {
    Size(i64),
    Number(f64),
    Image(ScalarKind, usize, Vec<usize>),
}

/// Searches, on these arguments; `progress` is called with news.
pub fn tune(
    py: Python<'_>,
    pipeline: Pipeline,
    search: Search,
    arguments: Option<&Bound<'_, PyDict>>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<PyTuned> {
    let program = pipeline.program().map_err(error)?;
    // Kept until the search is over.
    let mut images = Vec::new();
    let mut values = Vec::new();
    for (name, value) in arguments.into_iter().flatten() {
        let name: String = name.extract()?;
        let value = match argument(&program, &name, value)? {
            Argument::Size(value) => Value::Size(value),
            Argument::Number(value) => Value::Number(value),
            Argument::Array(at, _) if program.arrays[at].direction == Direction::Output => {
                let message = format!("{name} is an output: a search makes memory for it itself");
                return Err(PipelineError::new_err(message));
            }
            Argument::Array(_, memory) => {
                images.push(memory.object);
                Value::Image(memory.kind, memory.address, memory.shape)
            }
        };
        values.push((name, value));
    }
    let watch = |news: Progress| match &progress {
        Some(progress) => progress.call1((PyProgress(news),)).map(|_| ()),
        None => Ok(()),
    };
    let work = move |link: Link<Progress, Result<Tuned, Problems>>| {
        let mut tuning = Tuning::new(search.options).budget(search.budget);
        for (name, value) in &values {
            tuning = match value {
                Value::Size(value) => tuning.size(name, *value),
                Value::Number(value) => tuning.scalar(name, *value),
                Value::Image(kind, address, shape) => {
                    let address = std::ptr::with_exposed_provenance::<c_void>(*address);
                    // SAFETY: numpy says that this many cells of this type are there, and the
                    // objects are kept until the search is over. That no other thread writes to
                    // them meanwhile is the caller's part, as in calls.
                    unsafe { tuning.image_at(name, *kind, address, shape) }
                }
            };
        }
        if let Some(runs) = search.runs {
            tuning = tuning.runs(runs);
        }
        if let Some(log) = search.log {
            tuning = tuning.log(log);
        }
        let tuning = tuning.progress(|news| {
            link.tell(news.clone());
            match link.is_over() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        pipeline.tune(tuning)
    };
    let found = interrupt::watched(py, work, watch)?;
    drop(images);
    found.map(PyTuned).map_err(error)
}
