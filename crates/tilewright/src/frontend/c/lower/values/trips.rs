//! How often loops run whose steps are variables, as parameters.
//!
//! `for (i = 0; i < n; i += hop)` runs `hop > 0 && 0 < n ? (n - 1) / hop + 1 : 0` times: a quotient by
//! a variable, which is not affine; but an integer that the region does not change where `n` and `hop`
//! are parameters. It is computed once in front, and nothing is known of it but its type.

use crate::frontend::c::lower::surroundings::facts::Facts;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::params::Params;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::parse::constant;
use crate::frontend::c::syntax::{Expr, ExprKind, Type, Unit};
use crate::scop::{BinaryOp, Computed, Param, ParamId, ScalarKind, ScalarType};

/// Such parameters of one region at most; what is beyond is data.
const MOST: usize = 16;

/// How deep definitions of variables are followed.
const DEPTH: usize = 8;

/// Whether an expression is a choice with a quotient by something that is no number.
pub(crate) fn divides(expr: &Expr) -> bool {
    let mut found = false;
    visit::walk(expr, &mut |e| {
        found |= match &e.kind {
            ExprKind::Binary(BinaryOp::Div, _, b) => constant::value(b).is_none(),
            _ => false,
        };
    });
    found && matches!(expr.kind, ExprKind::Conditional(..))
}

/// A value as C that never overflows: it is computed in front of the region, also where the original
/// does not come to it.
struct Text {
    text: String,
    /// The type of the text, which may be wider than that of the expression.
    kind: ScalarKind,
    /// Its magnitude is below two to the power of this, or is that of the least number.
    bits: u32,
}

struct Printer<'a, 'u> {
    unit: &'u Unit,
    facts: &'a Facts<'u>,
    params: &'a Params,
    /// What is greater than zero where the text is evaluated.
    positive: Vec<&'u Expr>,
    found: Vec<ParamId>,
}

impl Params {
    /// Makes parameters of numbers of turns.
    pub(crate) fn add_trips<'u>(&mut self, unit: &'u Unit, facts: &Facts<'u>, trips: &[&'u Expr]) {
        for &expr in trips {
            if self.trips.len() >= MOST || self.trips_of(expr).is_some() {
                continue;
            }
            let mut printer = Printer {
                unit,
                facts,
                params: self,
                positive: Vec::new(),
                found: Vec::new(),
            };
            let Some(text) = printer.text(expr, DEPTH) else {
                continue;
            };
            let Some(kind) = types::scalar_kind(unit, expr) else {
                continue;
            };
            let mut found = printer.found;
            found.sort_unstable();
            found.dedup();
            let Some(&first) = found.first() else {
                continue;
            };
            let param = Param {
                name: String::new(),
                spelling: text.of(kind),
                ctype: ScalarType {
                    kind,
                    spelling: kind.c_name().to_owned(),
                },
                span: self.list[first].span,
                computed: Some(Computed::Value(found)),
            };
            self.trips.push((expr.clone(), self.list.len()));
            self.list.push(param);
        }
    }

    /// The parameter that is this number of turns.
    pub(crate) fn trips_of(&self, expr: &Expr) -> Option<ParamId> {
        let known = self
            .trips
            .iter()
            .find(|(known, _)| visit::same(known, expr));
        known.map(|(_, param)| *param)
    }
}

impl Text {
    /// In a type.
    fn of(&self, kind: ScalarKind) -> String {
        match self.kind == kind {
            true => self.text.clone(),
            false => format!("({}){}", kind.c_name(), self.text),
        }
    }
}

impl<'u> Printer<'_, 'u> {
    fn text(&mut self, expr: &'u Expr, depth: usize) -> Option<Text> {
        let kind = types::scalar_kind(self.unit, expr).filter(|kind| !kind.is_float())?;
        let bits = match kind {
            ScalarKind::I32 => 31,
            ScalarKind::I64 => 63,
            _ => 8 * kind.bytes() as u32,
        };
        let made = |text: String| Text { text, kind, bits };
        if let Some(param) = self.params.find(expr) {
            self.found.push(param);
            return Some(made(self.params.list[param].spelling.clone()));
        }
        match &expr.kind {
            ExprKind::Integer(value, spelling) => Some(Text {
                bits: 64 - value.unsigned_abs().leading_zeros(),
                ..made(spelling.clone())
            }),
            ExprKind::Name(symbol) if depth > 0 => {
                let value = self.facts.value(self.unit, *symbol)?;
                let text = self.text(value, depth - 1)?;
                Some(made(text.of(kind)))
            }
            ExprKind::Cast(Type::Scalar(_), a) => {
                let text = self.text(a, depth)?;
                Some(made(format!("({}){}", kind.c_name(), text.text)))
            }
            ExprKind::Conditional(c, a, b) => {
                let condition = self.text(c, depth)?.text;
                let before = self.positive.len();
                self.note_positive(c);
                let then = self.text(a, depth)?.of(kind);
                self.positive.truncate(before);
                let otherwise = self.text(b, depth)?.of(kind);
                Some(made(format!("({condition} ? {then} : {otherwise})")))
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, (a, b), kind, depth),
            _ => None,
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        (a, b): (&'u Expr, &'u Expr),
        kind: ScalarKind,
        depth: usize,
    ) -> Option<Text> {
        use BinaryOp::*;
        let (x, y) = (self.text(a, depth)?, self.text(b, depth)?);
        let sign = op.spelling();
        let int = |text: String| Text {
            text,
            kind: ScalarKind::I32,
            bits: 1,
        };
        // The type in which C computes.
        let common = types::scalar_kind(self.unit, a)?.common(types::scalar_kind(self.unit, b)?);
        let (left, right) = match types::is_unsigned(common) {
            true => (x.of(common), y.of(common)),
            // What is wider has the same value.
            false => (x.text.clone(), y.text.clone()),
        };
        let whole = format!("({left} {sign} {right})");
        match op {
            And => Some(int(format!("({} && {})", x.text, y.text))),
            Less | Greater | LessEqual | GreaterEqual => Some(int(whole)),
            Div => {
                let inner = self.unconverted(b);
                let is_positive = constant::value(b).is_some_and(|by| by > 0)
                    || self.positive.iter().any(|known| visit::same(known, inner));
                let kind = match types::is_unsigned(common) {
                    true => common,
                    false => x.kind.common(y.kind),
                };
                is_positive.then_some(Text {
                    text: whole,
                    kind,
                    bits: x.bits,
                })
            }
            Add | Sub | Mul if types::is_unsigned(kind) => Some(Text {
                text: whole,
                kind,
                bits: 8 * kind.bytes() as u32,
            }),
            Add | Sub | Mul => {
                let bits = match op {
                    Mul => x.bits + y.bits,
                    _ => x.bits.max(y.bits) + 1,
                };
                let wide = x.kind == ScalarKind::I64 || y.kind == ScalarKind::I64;
                Some(match bits {
                    0..=62 if wide => Text {
                        text: whole,
                        kind: ScalarKind::I64,
                        bits,
                    },
                    0..=62 => Text {
                        text: format!("((long){left} {sign} {right})"),
                        kind: ScalarKind::I64,
                        bits,
                    },
                    _ => Text {
                        text: format!("(long)((unsigned long){left} {sign} {right})"),
                        kind: ScalarKind::I64,
                        bits: 63,
                    },
                })
            }
            _ => None,
        }
    }

    /// A value without conversions to types that are no narrower, which leave what is greater than zero
    /// as it is.
    fn unconverted(&self, expr: &'u Expr) -> &'u Expr {
        let bytes = |e: &Expr| types::scalar_kind(self.unit, e).map(ScalarKind::bytes);
        match &expr.kind {
            ExprKind::Cast(_, inner) if bytes(expr) >= bytes(inner) => self.unconverted(inner),
            _ => expr,
        }
    }

    /// What a condition says is greater than zero.
    fn note_positive(&mut self, condition: &'u Expr) {
        match &condition.kind {
            ExprKind::Binary(BinaryOp::And, a, b) => {
                self.note_positive(a);
                self.note_positive(b);
            }
            ExprKind::Binary(BinaryOp::Greater, a, b) if constant::value(b) == Some(0) => {
                self.positive.push(a);
            }
            _ => {}
        }
    }
}
