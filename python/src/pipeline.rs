//! Pipelines: what is declared, and everything that compiles.

use crate::expression::{PyCondition, PyExpr};
use crate::kernel::{PyKernel, PyPicture};
use crate::source::{cell, intervals, PySource, Which};
use crate::tune::{tune, PyTuned, Search};
use crate::{error, interrupt, kind, PipelineError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tilewright_lang::{
    Compile, Expr, Function, Interval, Kernel, Options, Pipeline, Planned, Problem, Problems,
    ScalarKind, Tuned,
};

/// A pipeline of images and functions. What is wrong with it is said by `check` and `compile`.
#[pyclass(name = "Pipeline", module = "tilewright", frozen)]
pub struct PyPipeline(Mutex<Pipeline>);

impl PyPipeline {
    pub fn lock(&self) -> MutexGuard<'_, Pipeline> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn snapshot(&self) -> Pipeline {
        self.lock().clone()
    }

    /// Compiles without the interpreter, until Ctrl-C.
    fn kernel(
        &self,
        py: Python<'_>,
        asked: Asked,
        compile: fn(&Pipeline, &Options) -> Result<Kernel, Problems>,
    ) -> PyResult<PyKernel> {
        let pipeline = self.snapshot();
        let compiled =
            interrupt::until(py, move || compile(&pipeline, &asked.options(&pipeline)?))?;
        compiled.map(PyKernel::new).map_err(error)
    }

    /// What `find` says of the plan that `compile` chooses. Nothing is built.
    fn planned<T: Send + 'static>(
        &self,
        py: Python<'_>,
        find: impl FnOnce(&Planned) -> T + Send + 'static,
    ) -> PyResult<T> {
        let pipeline = self.snapshot();
        let work = move || -> Result<T, Problems> {
            let options = Asked::default().options(&pipeline)?;
            Ok(find(&pipeline.plan(&options)?))
        };
        interrupt::until(py, work)?.map_err(error)
    }
}

/// A plan that was given: in a file, or as a search found it.
#[derive(FromPyObject)]
enum Given<'py> {
    Found(Bound<'py, PyTuned>),
    File(PathBuf),
}

/// A plan to replay.
enum Replay {
    Found(Tuned),
    File(PathBuf),
}

impl From<Given<'_>> for Replay {
    fn from(given: Given<'_>) -> Replay {
        match given {
            Given::Found(tuned) => Replay::Found(tuned.get().0.clone()),
            Given::File(file) => Replay::File(file),
        }
    }
}

/// What `compile` was asked for.
#[derive(Default)]
struct Asked {
    plan: Option<Replay>,
    exact: bool,
    tile_sizes: Option<Vec<i64>>,
    sizes: Option<BTreeMap<String, i64>>,
    cflags: Option<String>,
}

impl Asked {
    /// The options for this pipeline. Checks what would not be noticed later.
    fn options(self, pipeline: &Pipeline) -> Result<Options, Problems> {
        let refuse = |message: String| Err(Problems(vec![Problem::new(message)]));
        if let Some(size) = self.tile_sizes.iter().flatten().find(|&&size| size < 1) {
            return refuse(format!("a tile cannot have {size} cells in a dimension"));
        }
        if let Some(sizes) = &self.sizes {
            let program = pipeline.program()?;
            let known = |name: &String| program.scalars.iter().any(|s| s.name == *name);
            if let Some(name) = sizes.keys().find(|name| !known(name)) {
                return refuse(format!("there is no parameter {name}"));
            }
        }
        let mut options = Options::for_this_machine()?;
        options.exact = self.exact;
        options.compile.wishes.tile_sizes = self.tile_sizes;
        options
            .compile
            .wishes
            .estimates
            .extend(self.sizes.unwrap_or_default());
        if let Some(flags) = self.cflags {
            options.set_cflags(&flags);
        }
        match self.plan {
            Some(Replay::Found(tuned)) => options.plan = Some(tuned.plan),
            Some(Replay::File(file)) => options.load_plan(&file)?,
            None => {}
        }
        Ok(options)
    }
}

/// How a pipeline declares functions: `Pipeline::function` or `Pipeline::output`.
type Declare = fn(&mut Pipeline, &str, ScalarKind, Vec<Interval>) -> Function;

fn declare(
    this: Bound<'_, PyPipeline>,
    how: Declare,
    name: &str,
    dtype: &Bound<'_, PyAny>,
    domain: &Bound<'_, PyTuple>,
) -> PyResult<PySource> {
    let (kind, domain) = (kind(dtype)?, intervals(domain)?);
    let function = how(&mut this.get().lock(), name, kind, domain);
    Ok(PySource::new(this, name, Which::Function(function)))
}

#[pymethods]
impl PyPipeline {
    /// An empty pipeline; the name becomes that of a C function.
    #[new]
    fn new(name: &str) -> PyPipeline {
        PyPipeline(Mutex::new(Pipeline::new(name)))
    }

    /// A variable of functions' domains.
    fn variable(&self, name: &str) -> PyExpr {
        let variable = self.lock().variable(name);
        PyExpr {
            value: variable.into(),
            variable: Some(variable),
        }
    }

    /// Several variables: `x, y = p.variables("x", "y")`.
    #[pyo3(signature = (*names))]
    fn variables(&self, names: Vec<String>) -> Vec<PyExpr> {
        names.iter().map(|name| self.variable(name)).collect()
    }

    /// A size, at least 1.
    fn parameter(&self, name: &str) -> PyExpr {
        Expr::from(self.lock().parameter(name)).into()
    }

    /// Several sizes: `R, C = p.parameters("R", "C")`.
    #[pyo3(signature = (*names))]
    fn parameters(&self, names: Vec<String>) -> Vec<PyExpr> {
        names.iter().map(|name| self.parameter(name)).collect()
    }

    /// A floating number that every call gives.
    fn scalar(&self, name: &str, dtype: &Bound<'_, PyAny>) -> PyResult<PyExpr> {
        let kind = kind(dtype)?;
        Ok(Expr::from(self.lock().scalar(name, kind)).into())
    }

    /// An image of this shape. `values=(low, high)` promises that its cells lie between; every
    /// call checks that.
    #[pyo3(signature = (name, dtype, *shape, values=None))]
    fn image(
        this: Bound<'_, PyPipeline>,
        name: &str,
        dtype: &Bound<'_, PyAny>,
        shape: &Bound<'_, PyTuple>,
        values: Option<(f64, f64)>,
    ) -> PyResult<PySource> {
        let (kind, shape) = (kind(dtype)?, cell(shape)?);
        let image = {
            let mut pipeline = this.get().lock();
            let image = pipeline.image(name, kind, shape);
            if let Some((low, high)) = values {
                pipeline.promise(image, low, high);
            }
            image
        };
        Ok(PySource::new(this, name, Which::Image(image)))
    }

    /// A function over intervals `(variable, lower, upper)`, both ends included, or
    /// `(variable, count)`, from 0.
    #[pyo3(signature = (name, dtype, *domain))]
    fn function(
        this: Bound<'_, PyPipeline>,
        name: &str,
        dtype: &Bound<'_, PyAny>,
        domain: &Bound<'_, PyTuple>,
    ) -> PyResult<PySource> {
        declare(this, Pipeline::function, name, dtype, domain)
    }

    /// A function whose values are a result of the pipeline.
    #[pyo3(signature = (name, dtype, *domain))]
    fn output(
        this: Bound<'_, PyPipeline>,
        name: &str,
        dtype: &Bound<'_, PyAny>,
        domain: &Bound<'_, PyTuple>,
    ) -> PyResult<PySource> {
        declare(this, Pipeline::output, name, dtype, domain)
    }

    /// What may be taken for granted of the sizes; every call checks it.
    fn assume(&self, condition: &PyCondition) {
        self.lock().assume(condition.0.clone());
    }

    /// Raises PipelineError with everything that is wrong.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        let pipeline = self.snapshot();
        interrupt::until(py, move || pipeline.check())?.map_err(error)
    }

    /// Compiles. `plan` is a file that `save_plan` wrote, or what `tune` found, `exact=True` gives the same bits
    /// whatever the plan, `tile_sizes` replaces the planner's, `sizes` are those to expect,
    /// `cflags` the C compiler's flags in place of `-O3 -march=native -fopenmp`.
    #[pyo3(signature = (*, plan=None, exact=false, tile_sizes=None, sizes=None, cflags=None))]
    fn compile(
        &self,
        py: Python<'_>,
        plan: Option<Given<'_>>,
        exact: bool,
        tile_sizes: Option<Vec<i64>>,
        sizes: Option<BTreeMap<String, i64>>,
        cflags: Option<String>,
    ) -> PyResult<PyKernel> {
        let asked = Asked {
            plan: plan.map(Replay::from),
            exact,
            tile_sizes,
            sizes,
            cflags,
        };
        self.kernel(py, asked, Pipeline::compile_with)
    }

    /// Builds the pipeline stage by stage, as it is written: slow, to compare with.
    #[pyo3(signature = (*, exact=false, cflags=None))]
    fn reference(&self, py: Python<'_>, exact: bool, cflags: Option<String>) -> PyResult<PyKernel> {
        let asked = Asked {
            exact,
            cflags,
            ..Asked::default()
        };
        self.kernel(py, asked, Pipeline::reference)
    }

    /// Searches for the fastest plan on this machine; `compile(plan=…)` takes the result.
    /// `arguments` are images, sizes and numbers by name, as in a call: images that are not given
    /// are random, sizes have to follow from images or be given. A search takes `seconds` at
    /// most, times each plan `runs` times, and keeps its measurements in the file `log`, with
    /// which a later search goes on. `progress` is called after every plan; `print` shows a line.
    /// Ctrl-C ends the search after the plan that is being tried.
    #[pyo3(signature = (
        arguments=None, *, seconds=600.0, progress=None, runs=None, log=None, exact=false,
        cflags=None
    ))]
    #[allow(clippy::too_many_arguments, reason = "Python's arguments, by name")]
    fn tune<'py>(
        &self,
        py: Python<'py>,
        arguments: Option<&Bound<'py, PyDict>>,
        seconds: f64,
        progress: Option<Bound<'py, PyAny>>,
        runs: Option<usize>,
        log: Option<PathBuf>,
        exact: bool,
        cflags: Option<String>,
    ) -> PyResult<PyTuned> {
        let budget = Duration::try_from_secs_f64(seconds);
        let budget = budget.map_err(|_| {
            PipelineError::new_err(format!("a search cannot take {seconds} seconds"))
        })?;
        let asked = Asked {
            exact,
            cflags,
            ..Asked::default()
        };
        let pipeline = self.snapshot();
        let search = Search {
            budget,
            runs,
            log,
            options: asked.options(&pipeline).map_err(error)?,
        };
        tune(py, pipeline, search, arguments, progress)
    }

    /// The groups, shapes and sizes of tiles that `compile` chooses, as text.
    fn explain(&self, py: Python<'_>) -> PyResult<String> {
        self.planned(py, Planned::explain)
    }

    /// The tiles as a picture that a notebook shows.
    fn view(&self, py: Python<'_>) -> PyResult<PyPicture> {
        let svg = self.planned(py, |planned| planned.view())?.map_err(error)?;
        Ok(PyPicture { svg })
    }

    /// Writes the plan that `compile` chooses to a file.
    fn save_plan(&self, py: Python<'_>, file: PathBuf) -> PyResult<()> {
        self.planned(py, move |planned| planned.save_plan(&file))?
            .map_err(error)
    }

    fn __repr__(&self) -> String {
        format!("<tilewright.Pipeline {}>", self.lock().name())
    }
}
