//! Images and functions: their cells, and what their values are.

use crate::expression::{expr, PyCondition, PyExpr};
use crate::pipeline::PyPipeline;
use crate::PipelineError;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use tilewright_lang::{Case, Combine, Expr, Function, Image, Interval, Source, Update};

fn interval(given: &Bound<'_, PyAny>) -> PyResult<Interval> {
    let form = || {
        let message = "an interval is (variable, lower, upper), both ends included, \
                       or (variable, count)";
        PyTypeError::new_err(message)
    };
    let parts = given.downcast::<PyTuple>().map_err(|_| form())?;
    let first = parts.get_item(0).map_err(|_| form())?;
    let variable = first
        .downcast::<PyExpr>()
        .ok()
        .and_then(|e| e.get().variable);
    let variable = variable.ok_or_else(form)?;
    match parts.len() {
        2 => Ok(variable.below(expr(&parts.get_item(1)?)?)),
        3 => Ok(variable.over(expr(&parts.get_item(1)?)?, expr(&parts.get_item(2)?)?)),
        _ => Err(form()),
    }
}

pub fn intervals<'py>(
    given: impl IntoIterator<Item = Bound<'py, PyAny>>,
) -> PyResult<Vec<Interval>> {
    given.into_iter().map(|one| interval(&one)).collect()
}

pub fn cell(given: &Bound<'_, PyTuple>) -> PyResult<Vec<Expr>> {
    given.iter().map(|one| expr(&one)).collect()
}

#[derive(Clone, Copy)]
pub enum Which {
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
    pub fn new(pipeline: Bound<'_, PyPipeline>, name: &str, this: Which) -> PySource {
        PySource {
            pipeline: pipeline.unbind(),
            name: name.to_owned(),
            this,
        }
    }

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

    /// The value of the cell with these subscripts.
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
    fn stencil(&self, weights: Vec<Vec<f64>>, subscripts: &Bound<'_, PyTuple>) -> PyResult<PyExpr> {
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
            all.push(
                update
                    .downcast::<PyUpdate>()
                    .map_err(|_| wrong())?
                    .get()
                    .0
                    .clone(),
            );
        }
        self.pipeline
            .get()
            .lock()
            .accumulate(function, initial, over, all);
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
    Ok(PyCase(tilewright_lang::case(
        condition.0.clone(),
        expr(value)?,
    )))
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
