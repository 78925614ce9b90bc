//! Between which numbers values lie, for subscripts that are data.
//!
//! Ends are computed as doubles. Where the end of a `float` is not one exactly, it is moved
//! outwards by a unit in the last place or two: more than rounding, or contraction of a product and a
//! sum, can make of it.

use super::builder::{Definition, Pipeline, Role};
use super::expression::{Expr, Math, NodeKind, Variable};
use crate::scop::{BinaryOp, ScalarKind, UnaryOp};
use std::collections::BTreeMap;

/// Values are from `low` to `high`, or not a number where `nan` says so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub low: f64,
    pub high: f64,
    pub nan: bool,
}

/// Beyond, doubles do not count one by one.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Range {
    fn new(low: f64, high: f64) -> Range {
        match low.is_nan() || high.is_nan() {
            true => Range::ANY,
            false => Range {
                low,
                high,
                nan: false,
            },
        }
    }

    const ANY: Range = Range {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        nan: true,
    };

    /// All values of a type.
    pub fn of(kind: ScalarKind) -> Range {
        use ScalarKind::*;
        match kind {
            Bool => Range::new(0.0, 1.0),
            I8 => Range::new(i8::MIN.into(), i8::MAX.into()),
            U8 => Range::new(0.0, u8::MAX.into()),
            I16 => Range::new(i16::MIN.into(), i16::MAX.into()),
            U16 => Range::new(0.0, u16::MAX.into()),
            I32 => Range::new(i32::MIN.into(), i32::MAX.into()),
            U32 => Range::new(0.0, u32::MAX.into()),
            I64 => Range::new(i64::MIN as f64, i64::MAX as f64),
            U64 => Range::new(0.0, u64::MAX as f64),
            F32 | F64 => Range::ANY,
        }
    }

    fn is_bounded(self) -> bool {
        !self.nan && self.low.is_finite() && self.high.is_finite()
    }

    fn around(ends: &[f64]) -> Range {
        let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let high = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        match ends.iter().any(|end| end.is_nan()) {
            true => Range::ANY,
            false => Range::new(low, high),
        }
    }

    fn union(self, other: Range) -> Range {
        Range {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            nan: self.nan || other.nan,
        }
    }

    /// As stored in a type, or computed in it.
    fn within(self, kind: ScalarKind) -> Range {
        match kind {
            ScalarKind::F64 => match self.is_bounded() {
                true => {
                    let step = |end: f64| end.abs() * f64::EPSILON + f64::MIN_POSITIVE;
                    Range::new(self.low - step(self.low), self.high + step(self.high))
                }
                false => self,
            },
            ScalarKind::F32 => {
                let end = |end: f64, sign: f32| {
                    let near = end as f32;
                    let step = near.abs() * f32::EPSILON + f32::MIN_POSITIVE;
                    match f64::from(near) == end || !near.is_finite() {
                        true => f64::from(near),
                        false => f64::from(near + sign * step),
                    }
                };
                Range {
                    low: end(self.low, -1.0),
                    high: end(self.high, 1.0),
                    nan: self.nan,
                }
            }
            kind => {
                let all = Range::of(kind);
                let cut = Range::new(self.low.trunc(), self.high.trunc());
                let fits = self.is_bounded() && cut.low >= all.low && cut.high <= all.high;
                let exact = cut.low.abs() < EXACT && cut.high.abs() < EXACT;
                match fits && exact {
                    true => cut,
                    false => all,
                }
            }
        }
    }
}

/// Ranges of what functions and images hold, and of the variables of one definition.
pub(super) struct Ranges<'p> {
    pipeline: &'p Pipeline,
    fields: Vec<Range>,
    variables: BTreeMap<Variable, Range>,
}

impl<'p> Ranges<'p> {
    /// Of all images and functions, those in `order` after what they read.
    pub fn new(pipeline: &'p Pipeline, order: &[usize]) -> Ranges<'p> {
        let fields = pipeline.sources.iter().map(|field| match &field.role {
            Role::Image {
                values: Some((low, high)),
            } => Range::new(*low, *high),
            _ => Range::of(field.kind),
        });
        let mut ranges = Ranges {
            pipeline,
            fields: fields.collect(),
            variables: BTreeMap::new(),
        };
        for &at in order {
            ranges.enter(at);
            let field = &pipeline.sources[at];
            let Role::Function { definition, .. } = &field.role else {
                continue;
            };
            let range = match definition {
                Definition::Cases(cases) => {
                    let values = cases.iter().map(|case| ranges.of(&case.value));
                    values.reduce(Range::union)
                }
                Definition::Reduction(_) | Definition::Missing => None,
            };
            ranges.fields[at] = range.unwrap_or(Range::ANY).within(field.kind);
        }
        ranges
    }

    /// Takes the variables of a function's definition for those of the expressions that follow.
    pub fn enter(&mut self, at: usize) {
        self.variables.clear();
        let field = &self.pipeline.sources[at];
        let Role::Function {
            variables,
            definition,
            ..
        } = &field.role
        else {
            return;
        };
        for (variable, (lower, upper)) in variables.iter().zip(&field.bounds) {
            let range = Range::new(self.of(lower).low, self.of(upper).high);
            self.variables.insert(*variable, range);
        }
        if let Definition::Reduction(reduction) = definition {
            for interval in &reduction.over {
                let range = Range::new(self.of(&interval.lower).low, self.of(&interval.upper).high);
                self.variables.insert(interval.variable, range);
            }
        }
    }

    /// Where the values of an expression lie.
    pub fn of(&self, expression: &Expr) -> Range {
        let kind = match self.pipeline.kind_of(expression) {
            Ok(kind) => kind.or_float(),
            Err(_) => return Range::ANY,
        };
        self.exactly(expression, kind).within(kind)
    }

    fn exactly(&self, expression: &Expr, kind: ScalarKind) -> Range {
        match expression.kind() {
            NodeKind::Int(value) => Range::new(*value as f64, *value as f64),
            NodeKind::Float(value, _) => Range::new(*value, *value),
            NodeKind::Variable(variable) => {
                let known = self.variables.get(variable);
                known.copied().unwrap_or(Range::of(ScalarKind::I32))
            }
            NodeKind::Parameter(parameter) => match self.pipeline.scalar_of(*parameter) {
                Some(scalar) if !scalar.kind.is_float() => Range::new(1.0, i32::MAX.into()),
                _ => Range::ANY,
            },
            NodeKind::Read(source, _) => match self.pipeline.own(*source) {
                Some(at) => self.fields[at],
                None => Range::ANY,
            },
            NodeKind::Unary(UnaryOp::Minus, a) => {
                let a = self.of(a);
                Range {
                    low: -a.high,
                    high: -a.low,
                    nan: a.nan,
                }
            }
            NodeKind::Unary(..) | NodeKind::TooLarge => Range::of(kind),
            NodeKind::Binary(operator, a, b) => self.binary(*operator, a, b, kind),
            NodeKind::Select(_, a, b) => self.of(a).union(self.of(b)),
            NodeKind::Cast(_, a) => self.of(a),
            NodeKind::Math(function, arguments) => self.math(*function, arguments, kind),
        }
    }

    fn binary(&self, operator: BinaryOp, a: &Expr, b: &Expr, kind: ScalarKind) -> Range {
        let (a, b) = (self.of(a), self.of(b));
        if !a.is_bounded() || !b.is_bounded() {
            return Range::of(kind);
        }
        match operator {
            BinaryOp::Add => Range::new(a.low + b.low, a.high + b.high),
            BinaryOp::Sub => Range::new(a.low - b.high, a.high - b.low),
            BinaryOp::Mul => Range::around(&[
                a.low * b.low,
                a.low * b.high,
                a.high * b.low,
                a.high * b.high,
            ]),
            BinaryOp::Div if b.low > 0.0 || b.high < 0.0 => Range::around(&[
                a.low / b.low,
                a.low / b.high,
                a.high / b.low,
                a.high / b.high,
            ]),
            BinaryOp::Rem if b.low > 0.0 => {
                let most = b.high - 1.0;
                let low = if a.low < 0.0 { -most } else { 0.0 };
                Range::new(low.max(a.low.min(0.0)), most.min(a.high.max(0.0)))
            }
            BinaryOp::BitAnd if a.low >= 0.0 && b.low >= 0.0 => Range::new(0.0, a.high.min(b.high)),
            BinaryOp::ShiftRight if a.low >= 0.0 && b.low >= 0.0 => Range::new(0.0, a.high),
            _ => Range::of(kind),
        }
    }

    fn math(&self, function: Math, arguments: &[Expr], kind: ScalarKind) -> Range {
        let first = arguments.first().map_or(Range::ANY, |a| self.of(a));
        let second = arguments.get(1).map_or(Range::ANY, |a| self.of(a));
        match function {
            // `a < b ? a : b`: where `a` is not a number it is `b`.
            Math::Min => Range {
                low: first.low.min(second.low),
                high: match first.nan {
                    true => second.high,
                    false => first.high.min(second.high),
                },
                nan: second.nan,
            },
            Math::Max => Range {
                low: match first.nan {
                    true => second.low,
                    false => first.low.max(second.low),
                },
                high: first.high.max(second.high),
                nan: second.nan,
            },
            Math::Abs => {
                let high = first.low.abs().max(first.high.abs());
                let inside = first.low <= 0.0 && first.high >= 0.0;
                let low = match inside {
                    true => 0.0,
                    false => first.low.abs().min(first.high.abs()),
                };
                Range {
                    low,
                    high,
                    nan: first.nan,
                }
            }
            Math::Sqrt if !first.nan && first.low >= 0.0 => {
                Range::new(first.low.sqrt(), first.high.sqrt())
            }
            Math::Floor => Range {
                low: first.low.floor(),
                high: first.high.floor(),
                nan: first.nan,
            },
            Math::Ceil => Range {
                low: first.low.ceil(),
                high: first.high.ceil(),
                nan: first.nan,
            },
            Math::Sin | Math::Cos if first.is_bounded() => Range::new(-1.0, 1.0),
            _ => Range::of(kind),
        }
    }
}
