//! Choices in statements, `c ? a : b` and `if`: their conditions as conditions on loop variables and
//! parameters, and bodies in which some are known.
//!
//! # What is assumed
//!
//! A condition is taken only if its value follows from those of loop variables and parameters: all
//! parts are signed, of 32 or 64 bits, without casts from a wider type, and their sums do not
//! overflow, as nothing signed does in C where the original evaluates them. What is decided is
//! decided for iterations that are executed; the condition itself has no effects.

use crate::codegen::kernel::{Comparison, Index, Instance};
use crate::codegen::terms::index::{compare, logic};
use crate::codegen::terms::sum::normal;
use crate::mistakes::mistake;
use crate::scop::{Action, BinaryOp, Expr, ScalarKind, Scop, Statement, UnaryOp};

/// The conditions of an instance's choices that are conditions on integers known in front of it,
/// as they stand in the body and where the instance is executed.
pub(crate) fn conditions(scop: &Scop, instance: &Instance) -> Vec<(Expr, Index)> {
    let mut all: Vec<(Expr, Index)> = Vec::new();
    let mut add = |condition: &Expr| {
        if all.iter().any(|(known, _)| known == condition) {
            return;
        }
        if let Some(index) = index_of(scop, instance, condition) {
            all.push((condition.clone(), index));
        }
    };
    let actions = instance.actions(scop);
    Action::expressions(&actions, &mut |expr| {
        expr.walk(&mut |part| {
            if let Expr::Conditional(condition, ..) = part {
                add(condition);
            }
        });
    });
    Action::walk(&actions, &mut |action| {
        if let Action::If { condition, .. } = action
            && may_be_replaced(action)
        {
            add(condition);
        }
    });
    all
}

/// The condition around an instance's whole body, as [`conditions`] has it.
pub(crate) fn guard(scop: &Scop, instance: &Instance) -> Option<(Expr, Index)> {
    match &instance.actions(scop)[..] {
        [
            Action::If {
                condition,
                otherwise,
                ..
            },
        ] if otherwise.is_empty() => {
            let index = index_of(scop, instance, condition)?;
            Some((condition.clone(), index))
        }
        _ => None,
    }
}

/// Whether it is an `if` without branches whose condition only reads.
fn does_nothing(action: &Action) -> bool {
    let Action::If {
        condition,
        then,
        otherwise,
    } = action
    else {
        return false;
    };
    let mut reads = true;
    condition.walk(&mut |part| reads &= !matches!(part, Expr::Effect { .. } | Expr::Call(..)));
    reads && then.is_empty() && otherwise.is_empty()
}

/// Whether one of its branches may stand in the place of an `if`: what they declare would be known
/// behind it.
fn may_be_replaced(action: &Action) -> bool {
    let Action::If {
        then, otherwise, ..
    } = action
    else {
        return false;
    };
    let mut declared = then.iter().chain(otherwise);
    !declared.any(|action| matches!(action, Action::Local { .. }))
}

/// A condition of a body; `None` where it depends on data, or on what may wrap around.
fn index_of(scop: &Scop, instance: &Instance, condition: &Expr) -> Option<Index> {
    use BinaryOp::*;
    let holds = |expr: &Expr| index_of(scop, instance, expr);
    match condition {
        Expr::Unary(UnaryOp::Not, a) => Some(negated(&holds(a)?)),
        Expr::Binary(And, a, b) => Some(logic(vec![holds(a)?, holds(b)?], 1)),
        Expr::Binary(Or, a, b) => Some(logic(vec![holds(a)?, holds(b)?], 0)),
        Expr::Binary(op, a, b) => {
            let comparison = match op {
                Less => Comparison::Less,
                LessEqual => Comparison::LessEqual,
                Greater => Comparison::Greater,
                GreaterEqual => Comparison::GreaterEqual,
                Equal | NotEqual => Comparison::Equal,
                _ => return None,
            };
            let (a, b) = (value(scop, instance, a)?, value(scop, instance, b)?);
            let index = compare(comparison, a, b);
            Some(match op {
                NotEqual => negated(&index),
                _ => index,
            })
        }
        _ => None,
    }
}

/// The opposite of a condition that [`index_of`] makes.
fn negated(condition: &Index) -> Index {
    let all = |all: &[Index]| all.iter().map(negated).collect();
    match condition {
        Index::All(inner) => logic(all(inner), 0),
        Index::Any(inner) => logic(all(inner), 1),
        Index::Compare(comparison, a, b) => {
            let one = |comparison| compare(comparison, (**a).clone(), (**b).clone());
            match comparison {
                Comparison::Less => one(Comparison::GreaterEqual),
                Comparison::LessEqual => one(Comparison::Greater),
                Comparison::Greater => one(Comparison::LessEqual),
                Comparison::GreaterEqual => one(Comparison::Less),
                Comparison::Equal if mistake!(ChoiceOfOneSide) => one(Comparison::Less),
                Comparison::Equal => {
                    logic(vec![one(Comparison::Less), one(Comparison::Greater)], 0)
                }
            }
        }
        Index::Int(value) => Index::Int(i64::from(*value == 0)),
        other => compare(Comparison::Equal, other.clone(), Index::Int(0)),
    }
}

/// The value of a signed integer expression. That sums do not overflow is C's rule for them.
fn value(scop: &Scop, instance: &Instance, expr: &Expr) -> Option<Index> {
    let inner = |expr: &Expr| value(scop, instance, expr);
    let statement = &scop.statements[instance.statement];
    if !scop.kind_of(statement, expr).is_some_and(is_signed) {
        return None;
    }
    match expr {
        // A zero in front makes a number octal.
        Expr::Literal(text) if text.len() > 1 && text.starts_with('0') => None,
        Expr::Literal(text) => Some(Index::Int(text.parse().ok()?)),
        Expr::Iterator(number) => Some(instance.iterators[*number].clone()),
        Expr::Param(param) => Some(Index::Param(*param)),
        Expr::Unary(UnaryOp::Plus, a) => inner(a),
        Expr::Unary(UnaryOp::Minus, a) => Some(inner(a)?.times(-1)),
        Expr::Binary(BinaryOp::Add, a, b) => Some(inner(a)?.plus(&inner(b)?)),
        Expr::Binary(BinaryOp::Sub, a, b) => Some(inner(a)?.minus(&inner(b)?)),
        Expr::Binary(BinaryOp::Mul, a, b) => match (inner(a)?, inner(b)?) {
            (Index::Int(factor), other) | (other, Index::Int(factor)) => Some(other.times(factor)),
            // Products of two numbers of 32 bits fit 64 whether the original computes them or not.
            (a, b) => (scop.kind_of(statement, expr) == Some(ScalarKind::I32))
                .then(|| normal(Index::Mul(Box::new(a), Box::new(b)))),
        },
        // Casts from a wider type may change the value.
        Expr::Cast(..) if !keeps(scop, statement, expr) => None,
        Expr::Cast(_, a) => inner(a),
        _ => None,
    }
}

/// Whether a cast is from a type whose values its own holds.
fn keeps(scop: &Scop, statement: &Statement, cast: &Expr) -> bool {
    let Expr::Cast(_, value) = cast else {
        return false;
    };
    match (
        scop.kind_of(statement, cast),
        scop.kind_of(statement, value),
    ) {
        (Some(to), Some(from)) => is_signed(from) && from.bytes() <= to.bytes(),
        _ => false,
    }
}

fn is_signed(kind: ScalarKind) -> bool {
    matches!(kind, ScalarKind::I32 | ScalarKind::I64)
}

/// Actions of a statement with one side of the choices whose conditions are among those that are
/// known.
pub(crate) fn chosen(
    scop: &Scop,
    statement: &Statement,
    body: &[Action],
    known: &[(Expr, bool)],
) -> Vec<Action> {
    let pass = Chosen {
        scop,
        statement,
        known,
    };
    pass.actions(body)
}

struct Chosen<'a> {
    scop: &'a Scop,
    statement: &'a Statement,
    known: &'a [(Expr, bool)],
}

impl Chosen<'_> {
    fn actions(&self, actions: &[Action]) -> Vec<Action> {
        let one = |action: &Action| match action {
            Action::Assign { target, value } => Action::Assign {
                target: *target,
                value: self.expr(value),
            },
            Action::Local { name, ctype, value } => Action::Local {
                name: name.clone(),
                ctype: ctype.clone(),
                value: value.as_ref().map(|value| self.expr(value)),
            },
            Action::SetLocal { name, value } => Action::SetLocal {
                name: name.clone(),
                value: self.expr(value),
            },
            Action::Call(call) => Action::Call(self.expr(call)),
            Action::If {
                condition,
                then,
                otherwise,
            } => Action::If {
                condition: self.expr(condition),
                then: self.actions(then),
                otherwise: self.actions(otherwise),
            },
            Action::Repeat { condition, body } => Action::Repeat {
                condition: self.expr(condition),
                body: self.actions(body),
            },
            Action::Leave => Action::Leave,
        };
        let all = |action: &Action| match action {
            Action::If {
                condition,
                then,
                otherwise,
            } if may_be_replaced(action) => match self.holds(condition) {
                Some(true) => self.actions(then),
                Some(false) => self.actions(otherwise),
                None => vec![one(action)],
            },
            action => vec![one(action)],
        };
        let mut chosen: Vec<Action> = actions.iter().flat_map(all).collect();
        chosen.retain(|action| !does_nothing(action));
        chosen
    }

    fn holds(&self, condition: &Expr) -> Option<bool> {
        let mut known = self.known.iter();
        let found = known.find(|(known, _)| known == condition);
        found.map(|(_, holds)| *holds)
    }

    fn expr(&self, expr: &Expr) -> Expr {
        expr.map(&mut |part| {
            let Expr::Conditional(condition, then, otherwise) = part else {
                return None;
            };
            let holds = self.holds(condition)?;
            let (one, other) = if holds {
                (then, otherwise)
            } else {
                (otherwise, then)
            };
            if self.alike(one, other) {
                return Some(self.expr(one));
            }
            // The value is converted to the type of both sides.
            Some(Expr::Conditional(
                Box::new(Expr::Literal(i32::from(holds).to_string())),
                Box::new(self.expr(then)),
                Box::new(self.expr(otherwise)),
            ))
        })
    }

    /// Whether one side alone has the type of both together.
    fn alike(&self, one: &Expr, other: &Expr) -> bool {
        let kind = |expr: &Expr| self.scop.kind_of(self.statement, expr);
        match (kind(one), kind(other)) {
            (Some(one), Some(other)) => one.promoted() == one.common(other),
            _ => false,
        }
    }
}
