//! Calls whose values are affine: of functions that are one `return`, minima and maxima, absolute values,
//! and quotients that are rounded.

use crate::frontend::c::lower::calls::{extremum, purity};
use crate::frontend::c::lower::values::affine::{Affine, DEPTH, constant_value};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{Lowering, NonAffine, Scope};
use crate::frontend::c::syntax::{Expr, ExprKind, Type};
use crate::scop::{BinaryOp, ScalarKind};
use isl::{PwAff, Val};

impl Lowering<'_> {
    /// The value of a call.
    ///
    /// # Errors
    /// The sub-expression that is not affine and why.
    pub(crate) fn affine_call(
        &self,
        scope: &Scope,
        expr: &Expr,
        name: &str,
        arguments: &[Expr],
    ) -> Affine<PwAff> {
        let not = |reason: String| Err(NonAffine::because(expr.span, reason));
        if let Some((_, function)) = purity::definition(self.unit, name) {
            // A function whose body is one `return`: its value with the arguments put in.
            let Some(value) = purity::only_value(function) else {
                return not(format!("`{name}` is more than one `return`"));
            };
            if function.parameters.len() != arguments.len() || scope.following >= DEPTH {
                return not(format!("the call of `{name}` cannot be followed"));
            }
            let mut inner = scope.clone();
            inner.following += 1;
            for (parameter, argument) in function.parameters.iter().zip(arguments) {
                let value = self.affine(scope, argument)?;
                let value = match &self.unit.symbols[*parameter].ctype {
                    Type::Scalar(t) if !t.kind.is_float() => {
                        self.convert(scope, argument, value, t.kind)?
                    }
                    _ => return not(format!("`{name}` does not take integers")),
                };
                inner.bindings.push((*parameter, value));
            }
            let result = self
                .affine(&inner, value)
                .map_err(|e| e.seen_from(expr.span))?;
            return match &function.result {
                Type::Scalar(t) if !t.kind.is_float() => {
                    self.convert(&inner, value, result, t.kind)
                }
                _ => not(format!("`{name}` does not return an integer")),
            };
        }
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        match (name, arguments) {
            ("abs" | "labs" | "llabs", [a]) => {
                let to = match name {
                    "abs" => ScalarKind::I32,
                    _ => ScalarKind::I64,
                };
                let x = self.affine(scope, a)?;
                let x = self.convert(scope, a, x, to)?;
                Ok(x.max(&x.neg()?)?)
            }
            ("floord" | "ceild", [a, b]) if self.are_ints(arguments) => {
                let (x, y) = (self.affine(scope, a)?, self.affine(scope, b)?);
                let Some(d) = constant_value(&y)?.filter(|d| *d > 0) else {
                    return not(format!(
                        "the divisor of `{name}` is not a positive constant"
                    ));
                };
                let quotient = x.scale_down_val(&Val::int_from_si(self.ctx, d)?)?;
                Ok(if name == "floord" {
                    quotient.floor()?
                } else {
                    quotient.ceil()?
                })
            }
            // ceil((double) n / (double) d), as Pluto's macros spell their divisions.
            (
                "floor" | "ceil",
                [
                    Expr {
                        kind: ExprKind::Binary(BinaryOp::Div, a, b),
                        ..
                    },
                ],
            ) => {
                let (Some(a), Some(b)) = (self.as_float(a), self.as_float(b)) else {
                    return not(format!("`{name}` gives a floating-point value"));
                };
                let (x, y) = (self.affine(scope, a)?, self.affine(scope, b)?);
                let Some(d) = constant_value(&y)?.filter(|d| *d > 0) else {
                    return not("the divisor is not a positive constant".to_owned());
                };
                let quotient = x.scale_down_val(&Val::int_from_si(self.ctx, d)?)?;
                Ok(if name == "floor" {
                    quotient.floor()?
                } else {
                    quotient.ceil()?
                })
            }
            // Of other integers who knows to what they are converted.
            (_, [a, b])
                if (extremum::extremum(self.unit, name).is_some()
                    || matches!(name, "fmin" | "fmax"))
                    && self.are_ints(arguments) =>
            {
                let (x, y) = (self.affine(scope, a)?, self.affine(scope, b)?);
                let greater = extremum::extremum(self.unit, name).unwrap_or(name == "fmax");
                Ok(if greater { x.max(&y)? } else { x.min(&y)? })
            }
            _ => not(format!("the value of the call `{name}(…)` is not known")),
        }
    }

    /// Whether C computes with all of these as `int`.
    fn are_ints(&self, values: &[Expr]) -> bool {
        values.iter().all(|value| types::is_int(self.unit, value))
    }

    /// The integer that is converted to a floating-point type which has room for it: quotients of two
    /// such are rounded to no integer that they are not.
    fn as_float<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        let ExprKind::Cast(Type::Scalar(to), inner) = &expr.kind else {
            return None;
        };
        let bytes = types::scalar_kind(self.unit, inner)
            .filter(|kind| !kind.is_float())?
            .bytes();
        let fits = match to.kind {
            ScalarKind::F64 => bytes <= 4,
            ScalarKind::F32 => {
                let small = matches!(inner.kind, ExprKind::Integer(0..0x10000, _));
                bytes <= 2 || small
            }
            _ => false,
        };
        fits.then_some(&**inner)
    }
}
