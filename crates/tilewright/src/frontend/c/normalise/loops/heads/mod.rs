//! Heads of loops that count, in the form that lowering knows: one variable that the head sets,
//! compares and steps.
//!
//! Where the loop begins with what a variable holds, a variable of the loop's own counts in its place.
//! What the loop leaves in the variable is assigned behind it, unless nobody reads that.

pub(in crate::frontend::c::normalise) mod conditions;
pub(in crate::frontend::c::normalise) mod entered;
pub(in crate::frontend::c::normalise) mod held;

use super::inductions;
use crate::frontend::c::lower::calls::purity;
use crate::frontend::c::lower::loops::dynamic::{bound_of, ends};
use crate::frontend::c::lower::loops::{stand_ins, turns};
use crate::frontend::c::lower::surroundings::{changes, facts, visit};
use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::build::{assign, binary, declared, expression, integer, name};
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::scop::{BinaryOp, ScalarKind, ScalarType};
use crate::source::Span;

/// Rewrites heads of loops where that is exact.
pub(in crate::frontend::c::normalise) fn count(
    unit: &mut Unit,
    region: usize,
    statements: &mut Vec<Stmt>,
) {
    tree::spread(statements, &mut |stmt| {
        counted(unit, region, &stmt).unwrap_or_else(|| vec![stmt])
    });
}

fn counted(unit: &mut Unit, region: usize, stmt: &Stmt) -> Option<Vec<Stmt>> {
    let at = stmt.span;
    match &stmt.kind {
        StmtKind::While { condition, body } => down(unit, region, at, None, condition, body)
            .or_else(|| counted_while(unit, region, at, condition, body)),
        StmtKind::For {
            init,
            condition: Some(condition),
            step: None,
            body,
        } => down(unit, region, at, begun(init.as_deref()), condition, body)
            .or_else(|| last(unit, region, stmt)),
        StmtKind::For {
            init,
            condition: Some(condition),
            step: Some(step),
            body,
        } => match begun(init.as_deref()) {
            None => going_on(unit, region, at, condition, step, body),
            Some(_) => None,
        },
        _ => None,
    }
}

/// The first part of a head, if it does something.
fn begun(init: Option<&Stmt>) -> Option<&Stmt> {
    init.filter(|init| match &init.kind {
        StmtKind::Empty => false,
        StmtKind::Expression(e) => !tree::is_pure(e),
        _ => true,
    })
}

/// Whether a variable is an integer of at least 32 bits.
pub(in crate::frontend::c::normalise) fn is_counter(unit: &Unit, symbol: SymbolId) -> bool {
    use ScalarKind::{I32, I64, U32, U64};
    match &unit.symbols[symbol].ctype {
        Type::Scalar(ctype) => matches!(ctype.kind, I32 | I64 | U32 | U64),
        _ => false,
    }
}

/// The kind of an own integer variable of at least 32 bits that a loop's body leaves alone.
pub(in crate::frontend::c::normalise) fn counter(
    unit: &Unit,
    region: usize,
    symbol: SymbolId,
    body: &Stmt,
) -> Option<ScalarKind> {
    let Type::Scalar(ctype) = &unit.symbols[symbol].ctype else {
        return None;
    };
    let wide = is_counter(unit, symbol);
    (wide && is_untouched(unit, region, symbol, body)).then_some(ctype.kind)
}

/// The same of a variable that outlives the function, or that pointers may lead to: no function that the
/// body calls reads it. What the body writes through pointers is compared with what is assigned to the
/// variable behind the loop.
pub(super) fn shared_counter(unit: &Unit, symbol: SymbolId, body: &Stmt) -> Option<ScalarKind> {
    let Type::Scalar(ctype) = &unit.symbols[symbol].ctype else {
        return None;
    };
    let mut calls = false;
    visit::expressions(unit, body, &mut |top| {
        visit::walk(top, &mut |e| {
            calls |= matches!(&e.kind, ExprKind::Call(name, _) if !purity::is_math(name));
        });
    });
    (is_counter(unit, symbol) && !calls && is_left_alone(unit, symbol, body)).then_some(ctype.kind)
}

/// Whether a variable is the function's own, and a loop's body leaves it alone.
fn is_untouched(unit: &Unit, region: usize, symbol: SymbolId, body: &Stmt) -> bool {
    let own = dead::is_own(unit, unit.regions[region].function, symbol);
    own && is_left_alone(unit, symbol, body)
}

/// Whether a body that runs to its end does not assign to a variable by its name, and declares nothing
/// of its size.
fn is_left_alone(unit: &Unit, symbol: SymbolId, body: &Stmt) -> bool {
    let stays = !changes::targets(unit, body).contains(&symbol);
    stays && is_followed(unit, body) && !tree::is_in_types(unit, body, symbol)
}

/// Whether a body runs to its end, and declares nothing whose size may depend on what is replaced.
pub(in crate::frontend::c::normalise) fn is_followed(unit: &Unit, body: &Stmt) -> bool {
    followed(unit, body, false)
}

/// The same, in a loop of the body's or not: `break` leaves that one.
fn followed(unit: &Unit, stmt: &Stmt, in_loop: bool) -> bool {
    match &stmt.kind {
        StmtKind::Unsupported("break") => in_loop,
        StmtKind::Unsupported(what) => *what == "label",
        StmtKind::Declaration(symbol) => is_fixed(&unit.symbols[*symbol].ctype),
        StmtKind::Return(_) => false,
        StmtKind::Block(list) => list.iter().all(|s| followed(unit, s, in_loop)),
        StmtKind::For { init, body, .. } => {
            let begins = init.as_deref().is_none_or(|s| followed(unit, s, false));
            begins && followed(unit, body, true)
        }
        StmtKind::While { body, .. } => followed(unit, body, true),
        StmtKind::If {
            then, otherwise, ..
        } => {
            let other = otherwise.as_deref();
            followed(unit, then, in_loop) && other.is_none_or(|s| followed(unit, s, in_loop))
        }
        _ => true,
    }
}

fn is_fixed(ctype: &Type) -> bool {
    match ctype {
        Type::Array {
            element, extent, ..
        } => {
            let extent = extent.as_deref().map(|e| &e.kind);
            matches!(extent, Some(ExprKind::Integer(..)) | None) && is_fixed(element)
        }
        Type::Pointer { target, .. } => is_fixed(target),
        _ => true,
    }
}

/// A step in a condition: `n--`, `n-- > 0`, `--n > 0`.
struct Down {
    symbol: SymbolId,
    postfix: bool,
    /// It goes on while the value is larger than this.
    above: i64,
    /// It goes on while the value is not zero.
    nonzero: bool,
}

fn stepped(condition: &Expr) -> Option<Down> {
    let (step, op, bound) = match &condition.kind {
        ExprKind::Increment { .. } => (condition, BinaryOp::NotEqual, 0),
        ExprKind::Binary(op, step, bound) => match &bound.kind {
            ExprKind::Integer(value, spelling) if *spelling == value.to_string() => {
                (&**step, *op, *value)
            }
            _ => return None,
        },
        _ => return None,
    };
    let (symbol, -1, postfix) = increment(step)? else {
        return None;
    };
    let above = match op {
        BinaryOp::Greater => bound,
        BinaryOp::GreaterEqual => bound.checked_sub(1)?,
        BinaryOp::NotEqual if bound == 0 => 0,
        _ => return None,
    };
    // Small numbers only, so that one less is one, too.
    (-1..=1 << 30).contains(&above).then_some(Down {
        symbol,
        postfix,
        above,
        nonzero: op == BinaryOp::NotEqual,
    })
}

/// The variable that `n++`, `n--`, `++n` or `--n` steps, by how much, and whether behind its use.
fn increment(step: &Expr) -> Option<(SymbolId, i64, bool)> {
    let ExprKind::Increment {
        target,
        by,
        postfix,
    } = &step.kind
    else {
        return None;
    };
    match target.kind {
        ExprKind::Name(symbol) => Some((symbol, *by, *postfix)),
        _ => None,
    }
}

/// Whether a condition steps a variable down to a number.
pub(super) fn counts_down(condition: &Expr) -> bool {
    stepped(condition).is_some()
}

/// `while (n-- > 0) body`, also as `for (n = m; n-- > 0; ) body`: a variable that goes from `n` to 1,
/// one less in the body.
fn down(
    unit: &mut Unit,
    region: usize,
    at: Span,
    init: Option<&Stmt>,
    condition: &Expr,
    body: &Stmt,
) -> Option<Vec<Stmt>> {
    let Down {
        symbol,
        postfix,
        above,
        nonzero,
    } = stepped(condition)?;
    let function = unit.regions[region].function;
    // What is smaller than an `int` is one where it is read, and ends with 0 before it wraps around.
    let narrow = matches!(
        &unit.symbols[symbol].ctype,
        Type::Scalar(ctype) if matches!(ctype.kind, ScalarKind::U8 | ScalarKind::U16)
    );
    let kind = match narrow {
        false => counter(unit, region, symbol, body)?,
        true => {
            let stays = is_untouched(unit, region, symbol, body) && postfix && above == 0;
            stays.then_some(ScalarKind::I32)?
        }
    };
    // From a negative number on, it would end only if the program does.
    if nonzero && stand_ins::ends(body) {
        return None;
    }
    // All unsigned numbers are above -1.
    if above < 0 && matches!(kind, ScalarKind::U32 | ScalarKind::U64) {
        return None;
    }
    let span = condition.span;
    let old = name(symbol, span);
    let (mut before, mut behind) = (Vec::new(), Vec::new());
    // What it has when it is not above: from within the loop, and from before it.
    let left = |unit: &Unit| {
        let less = binary(BinaryOp::Sub, old.clone(), integer(1, span));
        let (value, passed) = match postfix {
            true => (old.clone(), above - 1),
            false => (less.clone(), above),
        };
        let passed = integer(passed, span);
        let last = match nonzero {
            // A negative number would overflow.
            true => passed,
            false => expression(
                ExprKind::Conditional(
                    Box::new(binary(BinaryOp::Greater, value, integer(above, span))),
                    Box::new(passed),
                    Box::new(less),
                ),
                span,
            ),
        };
        let dead = dead::is_dead(unit, function, at, symbol);
        (!dead).then(|| tree::statement(assign(old.clone(), last)))
    };
    let mut first = old.clone();
    let mut own = None;
    match init.map(|init| &init.kind) {
        None => behind.extend(left(unit)),
        Some(StmtKind::Declaration(declared)) if *declared == symbol => {
            first = unit.symbols[symbol].initialiser.clone()?;
            own = Some(symbol);
        }
        Some(StmtKind::Expression(Expr {
            kind: ExprKind::Assign(None, target, value),
            ..
        })) if target.kind == old.kind
            && tree::is_pure(value)
            && !visit::mentions(value, symbol) =>
        {
            first = (**value).clone();
            if let Some(last) = left(unit) {
                // The loop does without it.
                before.extend(init.cloned());
                before.push(last);
            }
        }
        Some(_) => return None,
    }
    if !postfix {
        first = binary(BinaryOp::Sub, first, integer(1, span));
    }
    if narrow {
        let held = unit.symbols[symbol].ctype.clone();
        first = expression(ExprKind::Cast(held, Box::new(first)), span);
    }
    let counter = match own {
        _ if narrow => {
            let stem = unit.symbols[symbol].name.clone();
            let int = Type::Scalar(ScalarType {
                kind,
                spelling: kind.c_name().to_owned(),
            });
            build::variable(unit, region, &stem, int, Some(first), span)
        }
        Some(symbol) => {
            unit.symbols[symbol].initialiser = Some(first);
            symbol
        }
        None => declared(unit, region, symbol, Some(first), span),
    };
    let value = match postfix {
        true => binary(BinaryOp::Sub, name(counter, span), integer(1, span)),
        false => name(counter, span),
    };
    let mut body = body.clone();
    if value.kind != old.kind {
        tree::replace(&mut unit.symbols, &mut body, symbol, &value);
    }
    before.push(Stmt {
        kind: StmtKind::For {
            init: Some(Box::new(Stmt {
                kind: StmtKind::Declaration(counter),
                span,
            })),
            condition: Some(binary(
                BinaryOp::Greater,
                name(counter, span),
                integer(above, span),
            )),
            step: Some(expression(
                ExprKind::Increment {
                    target: Box::new(name(counter, span)),
                    by: -1,
                    postfix: true,
                },
                span,
            )),
            body: Box::new(body),
        },
        span: at,
    });
    before.extend(behind);
    Some(before)
}

/// `while (n > 0) { …; n--; }` where nothing else of the function changes `n`, and nobody reads it behind
/// the loop: the last statement stands in a head.
fn counted_while(
    unit: &mut Unit,
    region: usize,
    at: Span,
    condition: &Expr,
    body: &Stmt,
) -> Option<Vec<Stmt>> {
    if !turns::counts(condition, body) {
        return None;
    }
    let mut body = body.clone();
    let StmtKind::Block(list) = &mut body.kind else {
        return None;
    };
    let last = list.pop()?;
    let symbol = inductions::step(&last)?.symbol;
    let StmtKind::Expression(step) = &last.kind else {
        return None;
    };
    let function = unit.regions[region].function;
    let mut changes = 0;
    visit::expressions(unit, &unit.functions[function].body, &mut |top| {
        visit::walk(top, &mut |e| {
            let own = facts::target(e).is_some_and(|place| place.kind == ExprKind::Name(symbol));
            changes += usize::from(own);
        });
    });
    let alone = changes == 1 && dead::is_dead(unit, function, at, symbol);
    alone.then(|| going_on(unit, region, at, condition, step, &body))?
}

/// `for (i = 0; i < n; ) { …; i++; }`: the last statement stands in the head.
fn last(unit: &mut Unit, region: usize, stmt: &Stmt) -> Option<Vec<Stmt>> {
    let mut stmt = stmt.clone();
    let StmtKind::For {
        condition: Some(condition),
        step,
        body,
        ..
    } = &mut stmt.kind
    else {
        return None;
    };
    let StmtKind::Block(list) = &mut body.kind else {
        return None;
    };
    let steps = list.pop()?;
    let by = inductions::step(&steps)?;
    let symbol = by.symbol;
    counter(unit, region, symbol, body)?;
    // Nothing that the body declares, or changes.
    let StmtKind::Expression(expr) = steps.kind else {
        return None;
    };
    if by.constant().is_none() || !visit::mentions(condition, symbol) {
        return None;
    }
    *step = Some(expr);
    counted(unit, region, &stmt).or_else(|| Some(vec![stmt]))
}

/// `for (; i < n; i++) body`, which begins with what `i` holds.
fn going_on(
    unit: &mut Unit,
    region: usize,
    at: Span,
    condition: &Expr,
    step: &Expr,
    body: &Stmt,
) -> Option<Vec<Stmt>> {
    let target = match &step.kind {
        ExprKind::Increment { target, .. } => target,
        ExprKind::Assign(Some(BinaryOp::Add | BinaryOp::Sub), target, value)
            if matches!(value.kind, ExprKind::Integer(..)) =>
        {
            target
        }
        _ => return None,
    };
    let ExprKind::Name(symbol) = target.kind else {
        return None;
    };
    facts::integer_kind(unit, symbol).filter(|kind| *kind != ScalarKind::Bool)?;
    let stays = is_untouched(unit, region, symbol, body);
    if !stays || !visit::mentions(condition, symbol) || !tree::is_pure(condition) {
        return None;
    }
    let function = unit.regions[region].function;
    if !dead::is_dead(unit, function, at, symbol) {
        // What lowering knows the last value of.
        let ExprKind::Increment { by, .. } = step.kind else {
            return None;
        };
        bound_of(condition, symbol).filter(|bound| ends(bound.op, by > 0))?;
        let list = vec![body.clone(), tree::statement(step.clone())];
        return Some(vec![Stmt {
            kind: StmtKind::While {
                condition: condition.clone(),
                body: Box::new(Stmt {
                    kind: StmtKind::Block(list),
                    span: body.span,
                }),
            },
            span: at,
        }]);
    }
    let first = name(symbol, at);
    let counter = declared(unit, region, symbol, Some(first), at);
    let (mut condition, mut step, mut body) = (condition.clone(), step.clone(), body.clone());
    let value = name(counter, at);
    tree::replace_in(&mut condition, symbol, &value);
    tree::replace_in(&mut step, symbol, &value);
    tree::replace(&mut unit.symbols, &mut body, symbol, &value);
    Some(vec![Stmt {
        kind: StmtKind::For {
            init: Some(Box::new(Stmt {
                kind: StmtKind::Declaration(counter),
                span: condition.span,
            })),
            condition: Some(condition),
            step: Some(step),
            body: Box::new(body),
        },
        span: at,
    }])
}

/// What a loop's head sets its variable to, and whether it declares it there.
pub(super) fn begin<'a>(unit: &'a Unit, init: &'a Stmt) -> Option<(SymbolId, &'a Expr, bool)> {
    let symbol = facts::set_first(init)?;
    match &init.kind {
        StmtKind::Declaration(symbol) => {
            let value = unit.symbols[*symbol].initialiser.as_ref()?;
            Some((*symbol, value, true))
        }
        StmtKind::Expression(Expr {
            kind: ExprKind::Assign(None, _, value),
            ..
        }) => Some((symbol, value, false)),
        _ => None,
    }
}
