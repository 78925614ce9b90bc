//! Expressions of stages, moved to where their values are read.

use crate::mistakes::mistake;
use crate::scop::{AccessId, Action, BinaryOp, Expr, ScalarKind, ScalarType, Scop, Statement};
use std::collections::BTreeSet;

/// What came of a read: itself under a new number, or the expression that stands for it.
pub(in crate::rewrite) enum Replaced {
    Access(AccessId),
    Value(Expr),
}

pub(super) fn sum(terms: Vec<(i64, Expr)>, constant: i64) -> Expr {
    let long = ScalarType {
        kind: ScalarKind::I64,
        spelling: "long".to_owned(),
    };
    let mut sum: Option<Expr> = None;
    for (factor, of) in terms {
        let of = Expr::Cast(long.clone(), Box::new(of));
        let size = factor.unsigned_abs();
        let term = match size {
            1 => of,
            _ => Expr::Binary(
                BinaryOp::Mul,
                Box::new(Expr::Literal(size.to_string())),
                Box::new(of),
            ),
        };
        sum = Some(match (sum, factor < 0) {
            (None, false) => term,
            (None, true) => Expr::Unary(crate::scop::UnaryOp::Minus, Box::new(term)),
            (Some(before), less) => {
                let operator = if less { BinaryOp::Sub } else { BinaryOp::Add };
                Expr::Binary(operator, Box::new(before), Box::new(term))
            }
        });
    }
    let size = Expr::Literal(constant.unsigned_abs().to_string());
    match (sum, constant) {
        (None, _) => Expr::Literal(constant.to_string()),
        (Some(sum), 0) => sum,
        (Some(sum), 1..) => Expr::Binary(BinaryOp::Add, Box::new(sum), Box::new(size)),
        (Some(sum), _) => Expr::Binary(BinaryOp::Sub, Box::new(sum), Box::new(size)),
    }
}

/// The stage's expression at the reader's instance.
pub(super) fn at_instance(expr: &Expr, iterators: &[Expr], moved: &[Option<AccessId>]) -> Expr {
    expr.map(&mut |e| match e {
        Expr::Iterator(k) => iterators.get(*k).cloned(),
        Expr::Access(k) => moved.get(*k).copied().flatten().map(Expr::Access),
        _ => None,
    })
}

/// A value as reading it from memory of a type gives it.
pub(in crate::rewrite) fn converted(
    scop: &Scop,
    value: Expr,
    element: &ScalarType,
    of: &Statement,
) -> Expr {
    if let Expr::Access(access) = value {
        let array = &scop.arrays[of.accesses[access].array];
        if array.element.kind == element.kind {
            return value;
        }
    }
    if mistake!(PrepareWithoutConversion) {
        return value;
    }
    Expr::Cast(element.clone(), Box::new(value))
}

pub(in crate::rewrite) fn substituted(expr: &Expr, replaced: &[Replaced]) -> Expr {
    expr.map(&mut |e| match e {
        Expr::Access(k) => match &replaced[*k] {
            Replaced::Access(number) => Some(Expr::Access(*number)),
            Replaced::Value(value) => Some(value.clone()),
        },
        _ => None,
    })
}

pub(in crate::rewrite) fn renumber(action: &mut Action, replaced: &[Replaced]) {
    match action {
        Action::Assign { target, value } => {
            if let Replaced::Access(number) = replaced[*target] {
                *target = number;
            }
            *value = substituted(value, replaced);
        }
        Action::Local { value, .. } => {
            if let Some(value) = value {
                *value = substituted(value, replaced);
            }
        }
        Action::SetLocal { value, .. } | Action::Call(value) => {
            *value = substituted(value, replaced)
        }
        Action::If {
            condition,
            then,
            otherwise,
        } => {
            *condition = substituted(condition, replaced);
            for action in then.iter_mut().chain(otherwise) {
                renumber(action, replaced);
            }
        }
        Action::Repeat { condition, body } => {
            *condition = substituted(condition, replaced);
            for action in body {
                renumber(action, replaced);
            }
        }
        Action::Leave => {}
    }
}

pub(super) fn names_of<'s>(action: &'s Action, names: &mut BTreeSet<&'s str>) {
    match action {
        Action::Local { name, .. } => {
            names.insert(name);
        }
        Action::If {
            then, otherwise, ..
        } => then
            .iter()
            .chain(otherwise)
            .for_each(|a| names_of(a, names)),
        Action::Repeat { body, .. } => body.iter().for_each(|a| names_of(a, names)),
        Action::Assign { .. } | Action::SetLocal { .. } | Action::Call(_) | Action::Leave => {}
    }
}

/// A subscript of a read that is about to be replaced, with the new numbers of the reads in it;
/// `None` where one of these has none yet.
pub(super) fn moved_subscript(expr: &Expr, replaced: &[Option<Replaced>]) -> Option<Expr> {
    let mut known = true;
    let moved = expr.map(&mut |e| match e {
        Expr::Access(k) => match &replaced[*k] {
            Some(Replaced::Access(number)) => Some(Expr::Access(*number)),
            Some(Replaced::Value(value)) => Some(value.clone()),
            None => {
                known = false;
                None
            }
        },
        _ => None,
    });
    known.then_some(moved)
}
