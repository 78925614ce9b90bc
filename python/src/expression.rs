//! Expressions and conditions, with Python's operators.

use crate::{kind, PipelineError};
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt};
use tilewright_lang::{Condition, Expr, Variable};

/// A value in one cell: built from numbers, variables, parameters, and cells of images and
/// functions. `/` and `//` of integers both divide as C does, towards zero.
#[pyclass(name = "Expr", module = "tilewright", frozen)]
#[derive(Clone)]
pub struct PyExpr {
    pub value: Expr,
    /// Where the expression is a variable and nothing else.
    pub variable: Option<Variable>,
}

impl From<Expr> for PyExpr {
    fn from(value: Expr) -> PyExpr {
        PyExpr {
            value,
            variable: None,
        }
    }
}

/// A number or an expression.
pub fn expr(given: &Bound<'_, PyAny>) -> PyResult<Expr> {
    if let Ok(expression) = given.downcast::<PyExpr>() {
        return Ok(expression.get().value.clone());
    }
    if given.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err("True and False are no numbers here"));
    }
    if given.is_instance_of::<PyInt>() {
        let value = given.extract::<i64>();
        return value
            .map(Expr::int)
            .map_err(|_| PipelineError::new_err(format!("{given} does not fit into 64 bits")));
    }
    if given.is_instance_of::<PyFloat>() {
        return Ok(Expr::number(given.extract()?));
    }
    // numpy's scalars.
    if let Ok(value) = given.call_method0("__index__") {
        return Ok(Expr::int(value.extract()?));
    }
    if given.hasattr("dtype")? {
        if let Ok(value) = given.call_method0("__float__") {
            return Ok(Expr::number(value.extract()?));
        }
    }
    let message = format!(
        "{} is no number and no expression",
        given.get_type().name()?
    );
    Err(PyTypeError::new_err(message))
}

fn no_modulo(modulo: &Bound<'_, PyAny>) -> PyResult<()> {
    match modulo.is_none() {
        true => Ok(()),
        false => Err(PyTypeError::new_err("a power has no modulus here; use %")),
    }
}

macro_rules! operators {
    ($($name:ident $reflected:ident $operator:tt),+) => {
        #[pymethods]
        impl PyExpr {
            $(
                fn $name(&self, other: &Bound<'_, PyAny>) -> PyResult<PyExpr> {
                    Ok((self.value.clone() $operator expr(other)?).into())
                }

                fn $reflected(&self, other: &Bound<'_, PyAny>) -> PyResult<PyExpr> {
                    Ok((expr(other)? $operator self.value.clone()).into())
                }
            )+

            /// Arrays of numpy leave operators to this class.
            #[classattr]
            fn __array_ufunc__() -> Option<bool> {
                None
            }

            fn __neg__(&self) -> PyExpr {
                (-self.value.clone()).into()
            }

            fn __pos__(&self) -> PyExpr {
                self.clone()
            }

            fn __abs__(&self) -> PyExpr {
                self.value.clone().abs().into()
            }

            fn __pow__(
                &self,
                exponent: &Bound<'_, PyAny>,
                modulo: &Bound<'_, PyAny>,
            ) -> PyResult<PyExpr> {
                no_modulo(modulo)?;
                Ok(self.value.clone().pow(expr(exponent)?).into())
            }

            fn __rpow__(
                &self,
                base: &Bound<'_, PyAny>,
                modulo: &Bound<'_, PyAny>,
            ) -> PyResult<PyExpr> {
                no_modulo(modulo)?;
                Ok(expr(base)?.pow(self.value.clone()).into())
            }

            fn __richcmp__(
                &self,
                other: &Bound<'_, PyAny>,
                operator: CompareOp,
            ) -> PyResult<PyCondition> {
                let (a, b) = (self.value.clone(), expr(other)?);
                Ok(PyCondition(match operator {
                    CompareOp::Lt => a.lt(b),
                    CompareOp::Le => a.le(b),
                    CompareOp::Eq => a.equals(b),
                    CompareOp::Ne => a.differs(b),
                    CompareOp::Gt => a.gt(b),
                    CompareOp::Ge => a.ge(b),
                }))
            }

            /// Converts to a type, as C does: `x.cast("int32")`.
            fn cast(&self, dtype: &Bound<'_, PyAny>) -> PyResult<PyExpr> {
                Ok(self.value.clone().cast(kind(dtype)?).into())
            }

            /// At least `low` and at most `high`.
            fn clamp(
                &self,
                low: &Bound<'_, PyAny>,
                high: &Bound<'_, PyAny>,
            ) -> PyResult<PyExpr> {
                Ok(self.value.clone().clamp(expr(low)?, expr(high)?).into())
            }

            /// From `low` to `high`, both included, as a condition.
            fn within(
                &self,
                low: &Bound<'_, PyAny>,
                high: &Bound<'_, PyAny>,
            ) -> PyResult<PyCondition> {
                Ok(PyCondition(self.value.clone().within(expr(low)?, expr(high)?)))
            }

            fn __bool__(&self) -> PyResult<bool> {
                let message = "an expression has no truth value while the pipeline is built; \
                               use select(condition, a, b)";
                Err(PyTypeError::new_err(message))
            }

            fn __repr__(&self) -> String {
                "<tilewright.Expr>".to_owned()
            }
        }
    };
}
operators!(
    __add__ __radd__ +, __sub__ __rsub__ -, __mul__ __rmul__ *, __truediv__ __rtruediv__ /,
    __floordiv__ __rfloordiv__ /, __mod__ __rmod__ %, __lshift__ __rlshift__ <<,
    __rshift__ __rrshift__ >>, __and__ __rand__ &, __or__ __ror__ |, __xor__ __rxor__ ^
);

/// Whether something holds in one cell. Joined by `&`, `|` and `~`.
#[pyclass(name = "Condition", module = "tilewright", frozen)]
#[derive(Clone)]
pub struct PyCondition(pub Condition);

#[pymethods]
impl PyCondition {
    fn __and__(&self, other: &PyCondition) -> PyCondition {
        PyCondition(self.0.clone() & other.0.clone())
    }

    fn __or__(&self, other: &PyCondition) -> PyCondition {
        PyCondition(self.0.clone() | other.0.clone())
    }

    fn __invert__(&self) -> PyCondition {
        PyCondition(!self.0.clone())
    }

    fn __bool__(&self) -> PyResult<bool> {
        let message =
            "a condition has no truth value while the pipeline is built: join conditions \
                       by &, | and ~ instead of and, or and not, and write (a <= x) & (x <= b) \
                       for a <= x <= b";
        Err(PyTypeError::new_err(message))
    }

    fn __repr__(&self) -> String {
        "<tilewright.Condition>".to_owned()
    }
}

/// `a` where the condition holds, `b` elsewhere.
#[pyfunction]
fn select(condition: &PyCondition, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<PyExpr> {
    Ok(tilewright_lang::select(condition.0.clone(), expr(a)?, expr(b)?).into())
}

/// Between two floating values: `a + weight * (b - a)`.
#[pyfunction]
fn lerp(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>, weight: &Bound<'_, PyAny>) -> PyResult<PyExpr> {
    Ok(tilewright_lang::lerp(expr(a)?, expr(b)?, expr(weight)?).into())
}

macro_rules! maths {
    ($($name:ident $python:literal $doc:literal),+; $($two:ident $python2:literal $doc2:literal),+) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            #[pyo3(name = $python)]
            fn $name(x: &Bound<'_, PyAny>) -> PyResult<PyExpr> {
                Ok(expr(x)?.$name().into())
            }
        )+
        $(
            #[doc = $doc2]
            #[pyfunction]
            #[pyo3(name = $python2)]
            fn $two(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<PyExpr> {
                Ok(expr(a)?.$two(expr(b)?).into())
            }
        )+

        /// Adds the functions of this file.
        pub fn functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)+
            $(module.add_function(wrap_pyfunction!($two, module)?)?;)+
            module.add_function(wrap_pyfunction!(select, module)?)?;
            module.add_function(wrap_pyfunction!(lerp, module)?)
        }
    };
}
maths!(
    sqrt "sqrt" "The square root.", exp "exp" "e to the power of `x`.",
    log "log" "The natural logarithm.", sin "sin" "The sine.", cos "cos" "The cosine.",
    tan "tan" "The tangent.", floor "floor" "Rounded down, still floating.",
    ceil "ceil" "Rounded up, still floating.";
    min "minimum" "The smaller one.", max "maximum" "The larger one."
);
