//! The loop right inside of a loop whose iterations are shared: where the outer one has few, its own can
//! be shared in their place. A batch of one picture, the three channels of one.

use super::Outermost;
use super::header::Ends;
use super::variables::{self, Variables};
use crate::frontend::c::lower::surroundings::changes;
use crate::frontend::c::syntax::{Expr, ExprKind, Function, Scope, Stmt, StmtKind, SymbolId, Unit};
use crate::frontend::c::types;
use std::collections::BTreeSet;

/// The loop that is all there is in another one, with iterations that are the same whatever the other's
/// variable is, each with scalars of its own. `parameters`: places that are the same in all of the region.
pub(super) fn second<'u>(
    unit: &'u Unit,
    function: &Function,
    one: &Outermost<'u>,
    (parameters, private): (&BTreeSet<String>, &BTreeSet<String>),
) -> Option<Outermost<'u>> {
    let StmtKind::For { body, .. } = &one.stmt.kind else {
        return None;
    };
    let stmt = alone(body)?;
    let Ends {
        variable,
        first,
        comparison: (_, _, bound),
    } = Ends::of(unit, stmt)?;
    let own = Outermost {
        stmt,
        variable,
        span: stmt.span,
    };
    let changed: BTreeSet<SymbolId> = changes::targets(unit, body).into_iter().collect();
    let same = |e: &Expr| stays(unit, function, e, (&changed, parameters));
    let known = own.variable != one.variable && same(first) && same(bound);
    (known && Variables::of(unit, function, &own, private).is_some()).then_some(own)
}

/// The one statement of a body.
fn alone(body: &Stmt) -> Option<&Stmt> {
    match &body.kind {
        StmtKind::Block(list) => {
            let mut all = list.iter().filter(|s| s.kind != StmtKind::Empty);
            let first = all.next()?;
            all.next().is_none().then(|| alone(first))?
        }
        _ => Some(body),
    }
}

/// Whether a bound has the same value in front of the outer loop and in all of its iterations.
fn stays(
    unit: &Unit,
    function: &Function,
    bound: &Expr,
    (changed, parameters): (&BTreeSet<SymbolId>, &BTreeSet<String>),
) -> bool {
    // The variable that a place is a part of, and whether it is: not what a pointer leads to.
    let root = || {
        let (mut place, mut part) = (bound, true);
        while let ExprKind::Field(of, _) | ExprKind::Arrow(of, _) = &place.kind {
            part &= matches!(place.kind, ExprKind::Field(..));
            place = of;
        }
        match place.kind {
            ExprKind::Name(symbol) => Some((symbol, part)),
            _ => None,
        }
    };
    match &bound.kind {
        ExprKind::Integer(..) => true,
        ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Arrow(..) => {
            root().is_some_and(|(symbol, part)| {
                let text = types::expression(bound, &unit.symbols);
                let stays = || part && variables::stays(unit, function, symbol);
                let own = unit.symbols[symbol].scope;
                // Through a pointer that stays others may be written.
                let given = parameters.contains(&text) && (!part || !changed.contains(&symbol));
                !matches!(own, Scope::Region(_)) && (given || !changed.contains(&symbol) && stays())
            })
        }
        ExprKind::Binary(_, a, b) => [a, b]
            .into_iter()
            .all(|e| stays(unit, function, e, (changed, parameters))),
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => {
            stays(unit, function, a, (changed, parameters))
        }
        _ => false,
    }
}
