//! Types of expressions: C's promotions and conversions, and what is refused.

use crate::frontend::pipeline::builder::Pipeline;
use crate::frontend::pipeline::expression::{Condition, Expr, Math, NodeKind, Test};
use crate::scop::{BinaryOp, ScalarKind};

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One of C's.
    Known(ScalarKind),
    /// A floating number that takes the type of what it meets.
    Weak,
}

impl Kind {
    /// The type it has where nothing else says so.
    pub fn or_float(self) -> ScalarKind {
        match self {
            Kind::Known(kind) => kind,
            Kind::Weak => ScalarKind::F32,
        }
    }

    fn is_integer(self) -> bool {
        matches!(self, Kind::Known(kind) if !kind.is_float())
    }
}

/// C's integer promotions.
pub(crate) fn promoted(kind: ScalarKind) -> ScalarKind {
    use ScalarKind::*;
    match kind {
        Bool | I8 | U8 | I16 | U16 => I32,
        other => other,
    }
}

/// C's usual arithmetic conversions.
pub(crate) fn joined(a: ScalarKind, b: ScalarKind) -> ScalarKind {
    use ScalarKind::*;
    let (a, b) = (promoted(a), promoted(b));
    [F64, F32, U64, I64, U32]
        .into_iter()
        .find(|&kind| a == kind || b == kind)
        .unwrap_or(I32)
}

fn together(a: Kind, b: Kind) -> Kind {
    match (a, b) {
        (Kind::Known(a), Kind::Known(b)) => Kind::Known(joined(a, b)),
        (Kind::Known(ScalarKind::F64), _) | (_, Kind::Known(ScalarKind::F64)) => {
            Kind::Known(ScalarKind::F64)
        }
        (Kind::Known(_), _) | (_, Kind::Known(_)) => Kind::Known(ScalarKind::F32),
        (Kind::Weak, Kind::Weak) => Kind::Weak,
    }
}

impl Pipeline {
    /// The type of an expression.
    ///
    /// # Errors
    /// What is wrong with it, as the end of a sentence that begins with a function's name.
    pub(crate) fn kind_of(&self, expression: &Expr) -> Result<Kind, String> {
        Ok(match expression.kind() {
            NodeKind::Int(value) => Kind::Known(match i32::try_from(*value) {
                Ok(_) => ScalarKind::I32,
                Err(_) => ScalarKind::I64,
            }),
            NodeKind::Float(_, kind) => kind.map_or(Kind::Weak, Kind::Known),
            NodeKind::Variable(variable) => {
                if variable.pipeline == self.number {
                    Kind::Known(ScalarKind::I32)
                } else {
                    return Err("uses a variable of another pipeline".to_owned());
                }
            }
            NodeKind::Parameter(parameter) => match self.scalar_of(*parameter) {
                Some(scalar) => Kind::Known(scalar.kind),
                None => return Err("uses a parameter of another pipeline".to_owned()),
            },
            NodeKind::Read(source, subscripts) => {
                let Some(at) = self.own(*source) else {
                    return Err("reads what belongs to another pipeline".to_owned());
                };
                let field = &self.sources[at];
                if field.bounds.len() != subscripts.len() {
                    let (given, needed) = (subscripts.len(), field.bounds.len());
                    return Err(format!(
                        "reads {} with {given} subscripts; it has {needed} dimensions",
                        field.name
                    ));
                }
                for subscript in subscripts {
                    if !self.kind_of(subscript)?.is_integer() {
                        let text = self.show(subscript);
                        return Err(format!(
                            "reads {} at {text}, which is not an integer: cast it to I32",
                            field.name
                        ));
                    }
                }
                Kind::Known(field.kind)
            }
            NodeKind::Unary(_, a) => match self.kind_of(a)? {
                Kind::Known(kind) => Kind::Known(promoted(kind)),
                Kind::Weak => Kind::Weak,
            },
            NodeKind::Binary(operator, a, b) => self.kind_of_binary(*operator, a, b)?,
            NodeKind::Select(condition, a, b) => {
                self.kinds_in(condition)?;
                together(self.kind_of(a)?, self.kind_of(b)?)
            }
            NodeKind::Cast(kind, a) => {
                self.kind_of(a)?;
                if *kind == ScalarKind::Bool {
                    return Err("casts to Bool; use select(condition, 1, 0)".to_owned());
                }
                if !kind.is_on_devices() {
                    return Err(format!("casts to {kind:?}, which only C has"));
                }
                Kind::Known(*kind)
            }
            NodeKind::Math(function, arguments) => {
                let mut all = None;
                for argument in arguments {
                    let kind = self.kind_of(argument)?;
                    all = Some(all.map_or(kind, |known| together(known, kind)));
                }
                let kind = all.unwrap_or(Kind::Weak);
                match (function, kind) {
                    (Math::Min | Math::Max | Math::Abs, Kind::Known(kind)) => {
                        Kind::Known(promoted(kind))
                    }
                    (_, kind) if kind.is_integer() => {
                        let (name, text) = (function.name(), self.show(&arguments[0]));
                        return Err(format!(
                            "takes {name} of {text}, which is an integer: cast it to F32 or F64"
                        ));
                    }
                    (_, kind) => Kind::Known(kind.or_float()),
                }
            }
            NodeKind::TooLarge => {
                return Err("has an expression that is too large or too deep: \
                            give parts of it to functions of their own"
                    .to_owned());
            }
        })
    }

    fn kind_of_binary(&self, operator: BinaryOp, a: &Expr, b: &Expr) -> Result<Kind, String> {
        use BinaryOp::*;
        let (left, right) = (self.kind_of(a)?, self.kind_of(b)?);
        let integers = matches!(
            operator,
            Rem | ShiftLeft | ShiftRight | BitAnd | BitOr | BitXor
        );
        if integers {
            for (kind, operand) in [(left, a), (right, b)] {
                if !kind.is_integer() {
                    let (text, sign) = (self.show(operand), operator.spelling());
                    return Err(format!("takes `{sign}` of {text}, which is not an integer"));
                }
            }
        }
        Ok(match operator {
            ShiftLeft | ShiftRight => Kind::Known(promoted(left.or_float())),
            _ => together(left, right),
        })
    }

    /// Checks the expressions of a condition.
    ///
    /// # Errors
    /// As [`Pipeline::kind_of`].
    pub(crate) fn kinds_in(&self, condition: &Condition) -> Result<(), String> {
        match condition.test() {
            Test::Compare(_, a, b) => {
                self.kind_of(a)?;
                self.kind_of(b)?;
            }
            Test::And(a, b) | Test::Or(a, b) => {
                self.kinds_in(a)?;
                self.kinds_in(b)?;
            }
            Test::Not(a) => self.kinds_in(a)?,
            Test::TooLarge => {
                return Err("has a condition that is too large or too deep".to_owned());
            }
        }
        Ok(())
    }

    /// The type to which both sides of a comparison are converted.
    pub(crate) fn kind_of_both(&self, a: &Expr, b: &Expr) -> Result<ScalarKind, String> {
        Ok(together(self.kind_of(a)?, self.kind_of(b)?).or_float())
    }
}
