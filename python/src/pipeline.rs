//! Pipelines, images and functions.

use crate::expression::{PyCondition, PyExpr, expr};
use crate::kernel::PyKernel;
use crate::{PipelineError, error, kind};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tilewright_lang::{
    Case, Combine, Compile, Expr, Function, Image, Interval, Kernel, Options, Pipeline, Source,
    Update,
};

/// A pipeline of images and functions. What is wrong with it is said by `check` and `compile`.
#[pyclass(name = "Pipeline", module = "tilewright", frozen)]
pub struct PyPipeline(Mutex<Pipeline>);

impl PyPipeline {
    fn lock(&self) -> MutexGuard<'_, Pipeline> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn snapshot(&self) -> Pipeline {
        self.lock().clone()
    }
}

fn interval(given: &Bound<'_, PyAny>) -> PyResult<Interval> {
    let form = || {
        let message = "an interval is (variable, lower, upper), both ends included, \
                       or (variable, count)";
        PyTypeError::new_err(message)
    };
    let parts = given.downcast::<PyTuple>().map_err(|_| form())?;
    let first = parts.get_item(0).map_err(|_| form())?;
    let variable = first.downcast::<PyExpr>().ok().and_then(|e| e.get().variable);
    let variable = variable.ok_or_else(form)?;
    match parts.len() {
        2 => Ok(variable.below(expr(&parts.get_item(1)?)?)),
        3 => Ok(variable.over(expr(&parts.get_item(1)?)?, expr(&parts.get_item(2)?)?)),
        _ => Err(form()),
    }
}

fn intervals<'py>(given: impl IntoIterator<Item = Bound<'py, PyAny>>) -> PyResult<Vec<Interval>> {
    given.into_iter().map(|one| interval(&one)).collect()
}

fn cell(given: &Bound<'_, PyTuple>) -> PyResult<Vec<Expr>> {
    given.iter().map(|one| expr(&one)).collect()
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
        Ok(PySource {
            pipeline: this.unbind(),
            name: name.to_owned(),
            this: Which::Image(image),
        })
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
        let (kind, domain) = (kind(dtype)?, intervals(domain)?);
        let function = this.get().lock().function(name, kind, domain);
        Ok(PySource {
            pipeline: this.unbind(),
            name: name.to_owned(),
            this: Which::Function(function),
        })
    }

    /// A function whose values are a result of the pipeline.
    #[pyo3(signature = (name, dtype, *domain))]
    fn output(
        this: Bound<'_, PyPipeline>,
        name: &str,
        dtype: &Bound<'_, PyAny>,
        domain: &Bound<'_, PyTuple>,
    ) -> PyResult<PySource> {
        let (kind, domain) = (kind(dtype)?, intervals(domain)?);
        let function = this.get().lock().output(name, kind, domain);
        Ok(PySource {
            pipeline: this.unbind(),
            name: name.to_owned(),
            this: Which::Function(function),
        })
    }

    /// What may be taken for granted of the sizes; every call checks it.
    fn assume(&self, condition: &PyCondition) {
        self.lock().assume(condition.0.clone());
    }

    /// Raises PipelineError with everything that is wrong.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        let pipeline = self.snapshot();
        py.detach(|| pipeline.check()).map_err(error)
    }

    /// Compiles. `plan` is a file that `save_plan` wrote, `exact=True` gives the same bits
    /// whatever the plan, `tile_sizes` replaces the planner's, `sizes` are those to expect.
    #[pyo3(signature = (*, plan=None, exact=false, tile_sizes=None, sizes=None))]
    fn compile(
        &self,
        py: Python<'_>,
        plan: Option<PathBuf>,
        exact: bool,
        tile_sizes: Option<Vec<i64>>,
        sizes: Option<std::collections::BTreeMap<String, i64>>,
    ) -> PyResult<PyKernel> {
        let pipeline = self.snapshot();
        let compiled = py.detach(|| {
            let mut options = Options::for_this_machine()?;
            options.exact = exact;
            options.compile.wishes.tile_sizes = tile_sizes;
            options.compile.wishes.estimates.extend(sizes.unwrap_or_default());
            if let Some(file) = plan {
                options.load_plan(&file)?;
            }
            pipeline.compile_with(&options)
        });
        compiled.map(PyKernel::new).map_err(error)
    }

    /// The groups, shapes and sizes of tiles that `compile` chooses, as text.
    fn explain(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.compiled(py)?.explain())
    }

    /// The tiles as a picture that a notebook shows.
    fn view(&self, py: Python<'_>) -> PyResult<crate::kernel::PyPicture> {
        let svg = self.compiled(py)?.view().map_err(error)?;
        Ok(crate::kernel::PyPicture { svg })
    }

    /// Writes the plan that `compile` chooses to a file.
    fn save_plan(&self, py: Python<'_>, file: PathBuf) -> PyResult<()> {
        self.compiled(py)?.save_plan(&file).map_err(error)
    }
}

impl PyPipeline {
    fn compiled(&self, py: Python<'_>) -> PyResult<Kernel> {
        let pipeline = self.snapshot();
        py.detach(|| pipeline.compile()).map_err(error)
    }
}

#[derive(Clone, Copy)]
enum Which {
    Image(Image),
    Function(Function),
}

/// An image or a function. Called with subscripts it gives the value of a cell.
#[pyclass(name = "Source", module = "tilewright", frozen)]
pub struct PySource {
    pipeline: Py<PyPipeline>,
    name: String,
    this: Which,
}

impl PySource {
    fn function(&self) -> PyResult<Function> {
        match self.this {
            Which::Function(function) => Ok(function),
            Which::Image(_) => {
                let message = format!("{} is an image: its values are given by calls", self.name);
                Err(PipelineError::new_err(message))
            }
        }
    }

    fn source(&self) -> Source {
        match self.this {
            Which::Function(function) => function.source(),
            Which::Image(image) => image.source(),
        }
    }
}

#[pymethods]
impl PySource {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    #[pyo3(signature = (*subscripts))]
    fn __call__(&self, subscripts: &Bound<'_, PyTuple>) -> PyResult<PyExpr> {
        let cell = cell(subscripts)?;
        Ok(match self.this {
            Which::Image(image) => image.at(cell),
            Which::Function(function) => function.at(cell),
        }
        .into())
    }

    /// The sum of the cells around a cell times `weights`, a list of rows over the last two
    /// subscripts with its middle on the cell itself: `img.stencil([[1, 2, 1]], x, y)`.
    #[pyo3(signature = (weights, *subscripts))]
    fn stencil(
        &self,
        weights: Vec<Vec<f64>>,
        subscripts: &Bound<'_, PyTuple>,
    ) -> PyResult<PyExpr> {
        let rows: Vec<&[f64]> = weights.iter().map(|row| &row[..]).collect();
        Ok(self.source().stencil(cell(subscripts)?, &rows).into())
    }

    /// Says what the values are: an expression for the whole domain, or cases.
    #[pyo3(signature = (*values))]
    fn define(&self, values: &Bound<'_, PyTuple>) -> PyResult<()> {
        let function = self.function()?;
        let mut cases = Vec::new();
        for value in values {
            cases.push(match value.downcast::<PyCase>() {
                Ok(case) => case.get().0.clone(),
                Err(_) => tilewright_lang::otherwise(expr(&value)?),
            });
        }
        self.pipeline.get().lock().cases(function, cases);
        Ok(())
    }

    /// Says that cells begin as `initial` and are then updated for all values of the variables in
    /// `over`: `hist.accumulate(0, [(y, R), (x, C)], add_to(1, img(y, x)))`.
    #[pyo3(signature = (initial, over, *updates))]
    fn accumulate(
        &self,
        initial: &Bound<'_, PyAny>,
        over: &Bound<'_, PyList>,
        updates: &Bound<'_, PyTuple>,
    ) -> PyResult<()> {
        let function = self.function()?;
        let (initial, over) = (expr(initial)?, intervals(over)?);
        let mut all = Vec::new();
        for update in updates {
            let wrong = || PyTypeError::new_err("updates are add_to(…), min_to(…) and max_to(…)");
            all.push(update.downcast::<PyUpdate>().map_err(|_| wrong())?.get().0.clone());
        }
        self.pipeline.get().lock().accumulate(function, initial, over, all);
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("<tilewright.Source {}>", self.name)
    }
}

/// A part of a domain, and the values there.
#[pyclass(name = "Case", module = "tilewright", frozen)]
pub struct PyCase(Case);

/// `value` where the condition holds.
#[pyfunction]
fn case(condition: &PyCondition, value: &Bound<'_, PyAny>) -> PyResult<PyCase> {
    Ok(PyCase(tilewright_lang::case(condition.0.clone(), expr(value)?)))
}

/// `value` in all cells that no other case defines.
#[pyfunction]
fn otherwise(value: &Bound<'_, PyAny>) -> PyResult<PyCase> {
    Ok(PyCase(tilewright_lang::otherwise(expr(value)?)))
}

/// One value that a reduction puts into one cell.
#[pyclass(name = "Update", module = "tilewright", frozen)]
pub struct PyUpdate(Update);

fn update(
    combine: Combine,
    value: &Bound<'_, PyAny>,
    subscripts: &Bound<'_, PyTuple>,
) -> PyResult<PyUpdate> {
    let update = tilewright_lang::update(combine, cell(subscripts)?, expr(value)?);
    Ok(PyUpdate(update))
}

/// Adds `value` to the cell with these subscripts.
#[pyfunction]
#[pyo3(signature = (value, *subscripts))]
fn add_to(value: &Bound<'_, PyAny>, subscripts: &Bound<'_, PyTuple>) -> PyResult<PyUpdate> {
    update(Combine::Sum, value, subscripts)
}

/// Replaces the cell with these subscripts by `value` where that is smaller.
#[pyfunction]
#[pyo3(signature = (value, *subscripts))]
fn min_to(value: &Bound<'_, PyAny>, subscripts: &Bound<'_, PyTuple>) -> PyResult<PyUpdate> {
    update(Combine::Min, value, subscripts)
}

/// Replaces the cell with these subscripts by `value` where that is larger.
#[pyfunction]
#[pyo3(signature = (value, *subscripts))]
fn max_to(value: &Bound<'_, PyAny>, subscripts: &Bound<'_, PyTuple>) -> PyResult<PyUpdate> {
    update(Combine::Max, value, subscripts)
}

/// Adds the functions of this file.
pub fn functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(case, module)?)?;
    module.add_function(wrap_pyfunction!(otherwise, module)?)?;
    module.add_function(wrap_pyfunction!(add_to, module)?)?;
    module.add_function(wrap_pyfunction!(min_to, module)?)?;
    module.add_function(wrap_pyfunction!(max_to, module)?)
}
