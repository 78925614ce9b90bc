//! Which variables statements and expressions read, and which they change.

use crate::frontend::c::lower::calls::summary;
use crate::frontend::c::lower::memory::alias;
use crate::frontend::c::lower::surroundings::facts::Facts;
use crate::frontend::c::lower::surroundings::{elements, facts, visit};
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, SymbolId, Unit};
use crate::source::Span;
use std::collections::HashSet;

/// The variable that a place begins with.
pub(crate) fn root(place: &Expr) -> Option<SymbolId> {
    match &place.kind {
        ExprKind::Name(symbol) => Some(*symbol),
        ExprKind::Subscript(a, _)
        | ExprKind::Field(a, _)
        | ExprKind::Arrow(a, _)
        | ExprKind::Dereference(a) => root(a),
        ExprKind::Binary(_, a, b) => root(a).or_else(|| root(b)),
        _ => None,
    }
}

/// Whether storing to a place may change which place that is, as of `a[a[i]]`: the variable that it
/// begins with is mentioned in its subscripts, too.
pub(crate) fn may_move(place: &Expr) -> bool {
    let mut mentions = 0;
    visit::walk(place, &mut |e| {
        mentions +=
            usize::from(matches!(e.kind, ExprKind::Name(symbol) if Some(symbol) == root(place)));
    });
    mentions > 1
}

/// The variables that an expression mentions.
pub(crate) fn names(expr: &Expr) -> HashSet<SymbolId> {
    let mut found = HashSet::new();
    visit::walk(expr, &mut |e| {
        if let ExprKind::Name(symbol) = e.kind {
            found.insert(symbol);
        }
    });
    found
}

/// The first assignment of a statement, or of one below it, to one of some variables or to what
/// they point to.
pub(crate) fn changed(
    unit: &Unit,
    stmt: &Stmt,
    symbols: &HashSet<SymbolId>,
) -> Option<(SymbolId, Span)> {
    changed_where(unit, stmt, symbols, &|_| true)
}

/// The same of assignments to places that `counts` says something of.
pub(crate) fn changed_where(
    unit: &Unit,
    stmt: &Stmt,
    symbols: &HashSet<SymbolId>,
    counts: &dyn Fn(&Expr) -> bool,
) -> Option<(SymbolId, Span)> {
    let mut found = None;
    visit::expressions(unit, stmt, &mut |top| {
        visit::walk(top, &mut |e| {
            let places = changes(unit, e).into_iter().filter(|place| counts(place));
            for root in places
                .filter_map(root)
                .filter(|root| symbols.contains(root))
            {
                found = found.or(Some((root, e.span)));
            }
        });
    });
    found
}

/// The variables that a statement, or one below it, assigns to.
pub(crate) fn targets(unit: &Unit, stmt: &Stmt) -> Vec<SymbolId> {
    let mut found = Vec::new();
    visit::expressions(unit, stmt, &mut |top| {
        visit::walk(top, &mut |e| {
            found.extend(changes(unit, e).into_iter().filter_map(root));
        });
    });
    found
}

/// The places that an expression by itself changes: what it assigns to, and the arguments through
/// which a called function writes.
fn changes<'e>(unit: &Unit, expr: &'e Expr) -> Vec<&'e Expr> {
    match &expr.kind {
        ExprKind::Call(name, arguments) => summary::written(unit, name, arguments),
        _ => facts::target(expr).into_iter().collect(),
    }
}

impl Facts<'_> {
    /// Whether an expression, written at the region, has the value that it had at this place in the text,
    /// where it was computed: an extent at a declaration, a size at an allocation.
    pub(crate) fn same_since(&self, unit: &Unit, expr: &Expr, since: usize) -> bool {
        let mut same = !facts::names_hidden(unit, expr);
        visit::walk(expr, &mut |e| {
            let Some((root, path)) = elements::place_key(e) else {
                return;
            };
            let own = self.changed.get(&root).map(|span| span.start);
            let last = own.max(self.parts.get(&root).copied());
            let last = match alias::is_in_memory(unit, self, root, &path) {
                true => last.max(self.written),
                false => last,
            };
            same &= last.is_none_or(|last| last < since && !self.jumps);
        });
        same
    }
}
