//! Heads that step several variables, or one by more than one, and begin with what these hold:
//! `for (; i < n; i++, j++) …`, `for (; i + 4 <= n; i += 4) …`.
//!
//! A variable whose value in front of the loop is known is set to it in the head; one that nobody reads
//! behind the loop gets a variable of the loop's own, which begins with what it holds. What the head
//! steps is then for the passes behind this one.

use crate::frontend::c::lower::loops::dynamic::{bound_of, ends};
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::loops::begins::{self, Known};
use crate::frontend::c::normalise::loops::heads;
use crate::frontend::c::normalise::loops::inductions;
use crate::frontend::c::normalise::loops::pairs;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, Stmt, StmtKind, SymbolId, Unit};
use std::collections::BTreeSet;

/// Lets heads set what they step.
pub(in crate::frontend::c::normalise) fn set(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    begins::with_values(unit, number, statements, begun);
}

fn begun(unit: &mut Unit, number: usize, stmt: &Stmt, known: &Known) -> Option<Vec<Stmt>> {
    let StmtKind::For {
        init,
        condition: Some(condition),
        step: Some(step),
        body,
    } = &stmt.kind
    else {
        return None;
    };
    if init
        .as_ref()
        .is_some_and(|init| init.kind != StmtKind::Empty)
        || !tree::is_pure(condition)
    {
        return None;
    }
    let symbols = stepped(unit, number, (condition, step), body)?;
    let at = stmt.span;
    let function = unit.regions[number].function;
    // Whether each gets a variable of the loop's own.
    let own = |unit: &Unit, symbol: SymbolId| dead::is_dead(unit, function, at, symbol);
    let values = symbols.iter().map(|&symbol| {
        let value = known.get(&symbol);
        match value.filter(|value| symbols.iter().all(|&s| !visit::mentions(value, s))) {
            Some(value) => Some(value.clone()),
            None => own(unit, symbol).then(|| build::name(symbol, at)),
        }
    });
    let values: Vec<_> = values.collect::<Option<_>>()?;
    let (mut condition, mut step, mut body) = (condition.clone(), step.clone(), body.clone());
    let mut list = Vec::new();
    for (symbol, value) in symbols.into_iter().zip(values) {
        if own(unit, symbol) {
            let counter = build::declared(unit, number, symbol, Some(value), at);
            let name = build::name(counter, at);
            tree::replace_in(&mut condition, symbol, &name);
            tree::replace_in(&mut step, symbol, &name);
            tree::replace(&mut unit.symbols, &mut body, symbol, &name);
            list.push(build::declaration(counter, condition.span));
        } else {
            let set = build::assign(build::name(symbol, at), value);
            list.push(tree::statement(set));
        }
    }
    let init = match <[Stmt; 1]>::try_from(list) {
        Ok([one]) => one,
        Err(list) => Stmt {
            kind: StmtKind::Block(list),
            span: condition.span,
        },
    };
    Some(vec![Stmt {
        kind: StmtKind::For {
            init: Some(Box::new(init)),
            condition: Some(condition),
            step: Some(step),
            body,
        },
        span: at,
    }])
}

/// The variables that a head steps by numbers, all of them the function's own and left alone by the
/// body; `None` for one that counts by one to a bound, which is for others.
pub(super) fn stepped(
    unit: &Unit,
    number: usize,
    (condition, step): (&Expr, &Expr),
    body: &Stmt,
) -> Option<Vec<SymbolId>> {
    let parts = pairs::parts(step);
    let mut symbols = Vec::new();
    let mut by_one = false;
    for part in parts {
        let step = inductions::step(&tree::statement(part.clone()))?;
        let by = step.constant()?;
        let bound = bound_of(condition, step.symbol);
        by_one = by.abs() == 1 && bound.is_some_and(|bound| ends(bound.op, by > 0));
        heads::counter(unit, number, step.symbol, body)?;
        symbols.push(step.symbol);
    }
    let counts = symbols.len() == 1 && by_one;
    let distinct = symbols.iter().collect::<BTreeSet<_>>().len() == symbols.len();
    (!counts && distinct).then_some(symbols)
}
