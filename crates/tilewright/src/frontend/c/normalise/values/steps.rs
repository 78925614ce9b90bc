//! Steps and assignments in the middle of an expression: statements of their own.
//!
//! `v[k++] = e;` is `v[k] = e; k++;`, and `a[i] = b[--j];` is `--j; a[i] = b[j];`. What is changed
//! occurs nowhere else in the expression, so that it does not matter when. `x = c ? a[i++] : b[j++];`
//! is an `if`, and the truth of `a || ++k == n` is put into a variable, step by step.

use crate::frontend::c::lower::surroundings::{changes, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::loops::inductions;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::scop::{BinaryOp, ScalarKind, ScalarType, UnaryOp};

/// What asks compilers of expressions that are not evaluated.
const UNEVALUATED: [&str; 3] = [
    "__builtin_constant_p",
    "__builtin_object_size",
    "__builtin_dynamic_object_size",
];

/// Takes steps out of expressions where that is exact; one that cannot be taken out keeps all of its
/// statement.
pub(in crate::frontend::c::normalise) fn apart(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    tree::spread(statements, &mut |stmt| {
        taken(unit, number, &stmt)
            .or_else(|| tested(unit, number, &stmt))
            .unwrap_or(vec![stmt])
    });
}

/// An `if` of which the condition does something: its truth in a variable.
fn tested(unit: &mut Unit, number: usize, stmt: &Stmt) -> Option<Vec<Stmt>> {
    let StmtKind::If {
        condition,
        then,
        otherwise,
    } = &stmt.kind
    else {
        return None;
    };
    if !has_effect(condition) {
        return None;
    }
    let span = condition.span;
    let int = Type::Scalar(ScalarType {
        kind: ScalarKind::I32,
        spelling: ScalarKind::I32.c_name().to_owned(),
    });
    let truth = build::variable(unit, number, "truth", int, None, span);
    let mut list = vec![build::declaration(truth, span)];
    let (asked, negated) = match &condition.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => (&**inner, true),
        _ => (condition, false),
    };
    list.extend(truth_of(unit, number, truth, asked)?);
    let holds = build::name(truth, span);
    list.push(Stmt {
        kind: StmtKind::If {
            condition: match negated {
                true => build::not(holds),
                false => holds,
            },
            then: then.clone(),
            otherwise: otherwise.clone(),
        },
        span: stmt.span,
    });
    Some(vec![Stmt {
        kind: StmtKind::Block(list),
        span: stmt.span,
    }])
}

/// Sets a variable to the truth of a condition: 0 or 1.
fn truth_of(
    unit: &mut Unit,
    number: usize,
    truth: SymbolId,
    condition: &Expr,
) -> Option<Vec<Stmt>> {
    let span = condition.span;
    let read = || build::name(truth, span);
    let integer = |value| build::integer(value, span);
    if let ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) = &condition.kind
        && (has_effect(a) || has_effect(b))
    {
        let goes_on = match op {
            BinaryOp::And => BinaryOp::NotEqual,
            _ => BinaryOp::Equal,
        };
        let mut list = truth_of(unit, number, truth, a)?;
        list.push(Stmt {
            kind: StmtKind::If {
                condition: build::binary(goes_on, read(), integer(0)),
                then: build::block(truth_of(unit, number, truth, b)?, span),
                otherwise: None,
            },
            span,
        });
        return Some(list);
    }
    types::scalar_kind(unit, condition)?;
    let value = build::binary(BinaryOp::NotEqual, condition.clone(), integer(0));
    let stmt = tree::statement(build::assign(read(), value));
    if !has_effect(condition) {
        return Some(vec![stmt]);
    }
    taken(unit, number, &stmt)
}

/// What is around a statement without steps inside.
struct Around {
    /// The function that it is in.
    function: usize,
    before: Vec<Stmt>,
    after: Vec<Stmt>,
}

fn taken(unit: &mut Unit, number: usize, stmt: &Stmt) -> Option<Vec<Stmt>> {
    let around = Around {
        function: unit.regions[number].function,
        before: Vec::new(),
        after: Vec::new(),
    };
    let Around {
        mut before, after, ..
    } = match &stmt.kind {
        StmtKind::Expression(Expr {
            kind: ExprKind::Comma(parts),
            ..
        }) if parts.iter().any(inside) || parts.iter().all(steps) => {
            let mut list = Vec::new();
            for part in parts {
                let stmt = tree::statement(part.clone());
                list.extend(match inside(part) {
                    true => taken(unit, number, &stmt)?,
                    false => vec![stmt],
                });
            }
            return Some(list);
        }
        StmtKind::Expression(expr) if inside(expr) => {
            if let Some(chosen) = chosen(unit, expr) {
                return taken_in(unit, number, chosen);
            }
            let mut around = around;
            let mut rest = expr.clone();
            around.statement(unit, expr, &mut rest)?;
            around.before.push(tree::statement(rest));
            around
        }
        StmtKind::Declaration(symbol) => {
            let value = unit.symbols[*symbol].initialiser.clone()?;
            if !has_effect(&value) || unit.symbols[*symbol].is_static {
                return None;
            }
            // `int q = n < k ? n++ : k;`
            if !unit.symbols[*symbol].is_const
                && let Some(chosen) = chosen(
                    unit,
                    &build::assign(build::name(*symbol, value.span), value.clone()),
                )
            {
                let branches = taken_in(unit, number, chosen)?;
                unit.symbols[*symbol].initialiser = None;
                return Some([vec![stmt.clone()], branches].concat());
            }
            let mut around = around;
            let mut rest = value.clone();
            around.take(unit, &value, &mut rest)?;
            unit.symbols[*symbol].initialiser = Some(rest);
            around.before.push(stmt.clone());
            around
        }
        StmtKind::If {
            condition,
            then,
            otherwise,
        } if has_effect(condition) => {
            let mut around = around;
            let mut rest = condition.clone();
            around.take(unit, condition, &mut rest)?;
            // What happens behind the condition would happen in front of both branches.
            if !around.after.is_empty() {
                return None;
            }
            around.before.push(Stmt {
                kind: StmtKind::If {
                    condition: rest,
                    then: then.clone(),
                    otherwise: otherwise.clone(),
                },
                span: stmt.span,
            });
            around
        }
        _ => return None,
    };
    before.extend(after);
    Some(before)
}

/// `x = c ? a : b;` as two assignments under a condition, where one of the values does something; `None`
/// for anything else.
fn chosen(unit: &Unit, expr: &Expr) -> Option<[Expr; 3]> {
    let (wrap, value): (Box<dyn Fn(Expr) -> Expr>, &Expr) = match &expr.kind {
        ExprKind::Assign(op, target, value) => {
            let (op, target, span) = (*op, target.clone(), expr.span);
            let wrap = move |value| Expr {
                kind: ExprKind::Assign(op, target.clone(), Box::new(value)),
                span,
            };
            (Box::new(wrap), &**value)
        }
        ExprKind::Conditional(..) => (Box::new(|value| value), expr),
        _ => return None,
    };
    let ExprKind::Conditional(condition, a, b) = &value.kind else {
        return None;
    };
    // Both would be converted to what they have in common.
    let kind = |value| types::scalar_kind(unit, value).map(ScalarKind::promoted);
    let same = kind(a) == kind(b);
    let acts = has_effect(a) || has_effect(b);
    (same && acts && !has_effect(condition)).then(|| {
        let side = |value: &Expr| wrap(value.clone());
        [(**condition).clone(), side(a), side(b)]
    })
}

/// The statements of a condition and its branches, steps taken out of these.
fn taken_in(unit: &mut Unit, number: usize, [condition, a, b]: [Expr; 3]) -> Option<Vec<Stmt>> {
    let span = condition.span.to(a.span).to(b.span);
    let mut side = |value: Expr| -> Option<Box<Stmt>> {
        let stmt = tree::statement(value);
        let list = match &stmt.kind {
            StmtKind::Expression(expr) if inside(expr) => taken(unit, number, &stmt)?,
            _ => vec![stmt],
        };
        Some(build::block(list, span))
    };
    let (then, otherwise) = (side(a)?, side(b)?);
    Some(vec![Stmt {
        kind: StmtKind::If {
            condition,
            then,
            otherwise: Some(otherwise),
        },
        span,
    }])
}

impl Around {
    /// Steps inside of an assignment or step that is a statement.
    fn statement(&mut self, unit: &Unit, whole: &Expr, rest: &mut Expr) -> Option<()> {
        match &mut rest.kind {
            // Chains of assignments stay.
            ExprKind::Assign(_, target, value) => {
                self.take(unit, whole, target)?;
                match value.kind {
                    ExprKind::Assign(..) => self.statement(unit, whole, value),
                    _ => self.take(unit, whole, value),
                }
            }
            ExprKind::Increment { target, .. } => self.take(unit, whole, target),
            _ => self.take(unit, whole, rest),
        }
    }

    /// Takes what has an effect out of a part of an expression.
    fn take(&mut self, unit: &Unit, whole: &Expr, part: &mut Expr) -> Option<()> {
        if !has_effect(part) {
            return Some(());
        }
        match &mut part.kind {
            ExprKind::Increment {
                target, postfix, ..
            } => {
                let (target, postfix) = ((**target).clone(), *postfix);
                self.alone(unit, whole, &target)?;
                let step = std::mem::replace(part, target);
                match postfix {
                    true => self.after.push(tree::statement(step)),
                    false => self.before.push(tree::statement(step)),
                }
                Some(())
            }
            ExprKind::Assign(_, target, value) => {
                self.take(unit, whole, value)?;
                let target = (**target).clone();
                self.alone(unit, whole, &target)?;
                let assignment = std::mem::replace(part, target);
                self.before.push(tree::statement(assignment));
                Some(())
            }
            // Not always, or in an order.
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..)
            | ExprKind::Conditional(..)
            | ExprKind::Comma(_) => None,
            // What is called sees the values.
            ExprKind::Call(name, _) if UNEVALUATED.contains(&name.as_str()) => None,
            ExprKind::Call(_, arguments) => arguments
                .iter_mut()
                .try_for_each(|argument| self.take(unit, whole, argument)),
            ExprKind::Field(a, _)
            | ExprKind::Arrow(a, _)
            | ExprKind::Dereference(a)
            | ExprKind::AddressOf(a)
            | ExprKind::Unary(_, a)
            | ExprKind::Cast(_, a) => self.take(unit, whole, a),
            ExprKind::Subscript(a, b) | ExprKind::Binary(_, a, b) => {
                self.take(unit, whole, a)?;
                self.take(unit, whole, b)
            }
            ExprKind::List(items) => items
                .iter_mut()
                .try_for_each(|item| self.take(unit, whole, item)),
            _ => None,
        }
    }

    /// Whether a place is a number that nothing else in the expression reads or changes, in a place
    /// that nothing in it moves.
    fn alone(&self, unit: &Unit, whole: &Expr, place: &Expr) -> Option<()> {
        let root = changes::root(place)?;
        let scalar = match types::place_type(unit, place)? {
            Type::Scalar(_) => true,
            Type::Pointer { .. } => place.kind == ExprKind::Name(root),
            _ => false,
        };
        // A called function may see it.
        let own = || dead::is_own(unit, self.function, root);
        let seen = place.kind != ExprKind::Name(root) || !own();
        let called = || found(whole, |e| matches!(e.kind, ExprKind::Call(..)));
        if !scalar || !tree::is_pure(place) || called() && seen || !is_once(whole, place, root) {
            return None;
        }
        let changed = assigned(whole);
        let moved = changes::names(place)
            .into_iter()
            .any(|name| name != root && changed.contains(&name));
        (!moved).then_some(())
    }
}

/// Whether an expression names a place once, and what it is in only for its other members: `l->n` in
/// `l->data[l->n++]`.
fn is_once(whole: &Expr, place: &Expr, root: SymbolId) -> bool {
    let member = |e: &Expr| match &e.kind {
        ExprKind::Field(of, name) => Some((false, (**of).clone(), name.clone())),
        ExprKind::Arrow(of, name) => Some((true, (**of).clone(), name.clone())),
        _ => None,
    };
    let all = tree::mentions(whole, root);
    let Some((arrow, of, name)) = member(place) else {
        return all == 1;
    };
    let (mut own, mut others) = (0, 0);
    visit::walk(whole, &mut |e| {
        if let Some((also, same, other)) = member(e)
            && also == arrow
            && visit::same(&same, &of)
        {
            match other == name {
                true => own += 1,
                false => others += 1,
            }
        }
    });
    own == 1 && all == (own + others) * tree::mentions(place, root)
}

/// The variables that assigned places in an expression begin with.
fn assigned(expr: &Expr) -> Vec<SymbolId> {
    let mut roots = Vec::new();
    visit::walk(expr, &mut |e| {
        if let ExprKind::Assign(_, target, _) | ExprKind::Increment { target, .. } = &e.kind {
            roots.extend(changes::root(target));
        }
    });
    roots
}

/// Whether an expression is the step of a counter.
fn steps(expr: &Expr) -> bool {
    inductions::step(&tree::statement(expr.clone())).is_some()
}

/// Whether something is changed below the assignments and the step that an expression is itself.
fn inside(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Assign(_, target, value) => {
            has_effect(target)
                || match value.kind {
                    ExprKind::Assign(..) => inside(value),
                    _ => has_effect(value),
                }
        }
        ExprKind::Increment { target, .. } => has_effect(target),
        ExprKind::Cast(Type::Void, _) => false,
        _ => has_effect(expr),
    }
}

/// Whether an expression changes something itself.
pub(in crate::frontend::c::normalise) fn has_effect(expr: &Expr) -> bool {
    found(expr, |e| {
        matches!(e.kind, ExprKind::Assign(..) | ExprKind::Increment { .. })
    })
}

fn found(expr: &Expr, what: impl Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    visit::walk(expr, &mut |e| found |= what(e));
    found
}
