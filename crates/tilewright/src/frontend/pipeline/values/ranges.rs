//! Between which numbers values lie, for subscripts that are data.
//!
//! Operands are promoted and converted as C does it before anything is computed of them; `interval`
//! says what comes of that.

use crate::frontend::pipeline::builder::{Definition, Pipeline, Role};
use crate::frontend::pipeline::expression::{Expr, Math, NodeKind, Variable};
use crate::frontend::pipeline::values::interval::Range;
use crate::frontend::pipeline::values::kinds::Kind;
use crate::scop::{BinaryOp, ScalarKind, UnaryOp};
use std::collections::BTreeMap;

/// Ranges of what functions and images hold, and of the variables of one definition.
pub(crate) struct Ranges<'p> {
    pipeline: &'p Pipeline,
    fields: Vec<Range>,
    variables: BTreeMap<Variable, Range>,
}

impl<'p> Ranges<'p> {
    /// Where nothing is known but types.
    pub fn unknown(pipeline: &'p Pipeline) -> Ranges<'p> {
        let fields = pipeline.sources.iter().map(|field| Range::of(field.kind));
        Ranges {
            pipeline,
            fields: fields.collect(),
            variables: BTreeMap::new(),
        }
    }

    /// Of all images and functions, those in `order` after what they read.
    pub fn new(pipeline: &'p Pipeline, order: &[usize]) -> Ranges<'p> {
        let fields = pipeline.sources.iter().map(|field| match &field.role {
            Role::Image {
                values: Some((low, high)),
            } => Range::promised(field.kind, *low, *high),
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
            // What no case defines is never read.
            if let Definition::Cases(cases) = definition {
                let values = cases.iter().map(|case| ranges.of(&case.value));
                let stored = values.map(|range| range.converted(field.kind));
                let all = stored.reduce(Range::union);
                ranges.fields[at] = all.unwrap_or(Range::of(field.kind));
            }
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
            let range = Range::between(self.of(lower), self.of(upper));
            self.variables.insert(*variable, range);
        }
        if let Definition::Reduction(reduction) = definition {
            for interval in &reduction.over {
                let range = Range::between(self.of(&interval.lower), self.of(&interval.upper));
                self.variables.insert(interval.variable, range);
            }
        }
    }

    /// Where the values of an expression lie, in its own type.
    pub fn of(&self, expression: &Expr) -> Range {
        match self.pipeline.kind_of(expression).map(Kind::or_float) {
            Ok(kind) => self.in_kind(expression, kind),
            Err(_) => Range::of(ScalarKind::F64),
        }
    }

    /// The range of an operand that is converted to a type.
    fn converted(&self, operand: &Expr, kind: ScalarKind) -> Range {
        let own = match self.pipeline.kind_of(operand) {
            Ok(Kind::Known(own)) => own,
            // A number without a type is one of what it meets.
            Ok(Kind::Weak) if kind.is_float() => kind,
            _ => ScalarKind::F32,
        };
        self.in_kind(operand, own).converted(kind)
    }

    /// The range of an expression of this type.
    fn in_kind(&self, expression: &Expr, kind: ScalarKind) -> Range {
        match expression.kind() {
            NodeKind::Int(value) => Range::integer((*value).into()),
            NodeKind::Float(value, _) => Range::floating(*value, *value).converted(kind),
            NodeKind::Variable(variable) => {
                let known = self.variables.get(variable);
                known.copied().unwrap_or(Range::of(kind))
            }
            // Calls check that sizes are positive.
            NodeKind::Parameter(_) if kind == ScalarKind::I32 => {
                Range::between(Range::integer(1), Range::of(kind))
            }
            NodeKind::Parameter(_) | NodeKind::TooLarge => Range::of(kind),
            NodeKind::Read(source, _) => match self.pipeline.own(*source) {
                Some(at) => self.fields[at],
                None => Range::of(kind),
            },
            NodeKind::Unary(operator, a) => {
                let a = self.converted(a, kind);
                match operator {
                    UnaryOp::Minus => a.negated(kind),
                    UnaryOp::Plus => a,
                    UnaryOp::Complement => a.complement(kind),
                    UnaryOp::Not => Range::of(kind),
                }
            }
            NodeKind::Binary(operator, a, b) => {
                let b = match operator {
                    BinaryOp::ShiftLeft | BinaryOp::ShiftRight => self.of(b),
                    _ => self.converted(b, kind),
                };
                Range::binary(*operator, self.converted(a, kind), b, kind)
            }
            NodeKind::Select(_, a, b) => self.converted(a, kind).union(self.converted(b, kind)),
            NodeKind::Cast(_, a) => self.converted(a, kind),
            NodeKind::Math(function, arguments) => self.math(*function, arguments, kind),
        }
    }

    fn math(&self, function: Math, arguments: &[Expr], kind: ScalarKind) -> Range {
        let all = || Range::of(kind);
        let argument = |at: usize| {
            let given = arguments.get(at);
            given.map_or_else(all, |a| self.converted(a, kind))
        };
        match function {
            Math::Min => argument(0).min(argument(1)),
            Math::Max => argument(0).max(argument(1)),
            Math::Abs => argument(0).without_sign(kind),
            Math::Sqrt => argument(0).root().converted(kind),
            Math::Floor => argument(0).through(f64::floor),
            Math::Ceil => argument(0).through(f64::ceil),
            Math::Sin | Math::Cos => argument(0).wave(),
            Math::Exp | Math::Log | Math::Tan | Math::Pow | Math::Lerp => all(),
        }
    }

    /// Whether an integer division has no value in C although its divisor is not 0: the least
    /// number of a type divided by -1, of which the result does not fit.
    pub fn may_not_fit(&self, a: &Expr, b: &Expr, kind: ScalarKind) -> bool {
        let least = match kind {
            ScalarKind::I32 => i32::MIN.into(),
            ScalarKind::I64 => i64::MIN.into(),
            _ => return false,
        };
        self.converted(a, kind).has(least) && self.converted(b, kind).has(-1)
    }
}
