//! Bounds that are data: whether a loop changes what its own bound is computed from.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::loops::domain::Head;
use crate::frontend::c::lower::loops::dynamic::{Bound, ends};
use crate::frontend::c::lower::memory::alias::compatible;
use crate::frontend::c::lower::surroundings::changes::changed_where;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{Lowering, Refusal, Result};
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, SymbolId, Type};
use std::collections::HashSet;

impl Lowering<'_> {
    /// The variables that an expression mentions, but for parameters, which nothing changes in the
    /// region: a store through `image.data` is none to `image.width`.
    fn read_anew(&self, expr: &Expr) -> HashSet<SymbolId> {
        if self.params.find(expr).is_some() {
            return HashSet::new();
        }
        match &expr.kind {
            ExprKind::Name(symbol) => HashSet::from([*symbol]),
            _ => {
                let parts = visit::children(expr);
                parts.flat_map(|part| self.read_anew(part)).collect()
            }
        }
    }

    /// Whether a place may hold something that an expression reads: C lets memory be written as another
    /// type than it is read as for bytes only.
    fn may_hold(&self, place: &Expr, expr: &Expr) -> bool {
        if matches!(place.kind, ExprKind::Name(_)) {
            return true;
        }
        let Some(Type::Scalar(written)) = types::place_type(self.unit, place) else {
            return true;
        };
        let mut holds = false;
        visit::walk(expr, &mut |e| {
            holds |= match types::place_type(self.unit, e) {
                Some(Type::Scalar(read)) => compatible(Some(written.kind), Some(read.kind)),
                Some(Type::Pointer { .. } | Type::Array { .. } | Type::Struct { .. }) => {
                    compatible(Some(written.kind), None)
                }
                _ => false,
            };
        });
        holds
    }

    /// No iteration changes what the bound is computed from.
    pub(super) fn check_invariant(
        &self,
        head: &Head<'_>,
        bound: Bound<'_>,
        body: &[&Stmt],
    ) -> Result<()> {
        let read = self.read_anew(bound.value);
        // The first value is computed once.
        let first = ends(bound.op, head.down());
        for stmt in body.iter().filter(|_| !first) {
            let changes = |place: &Expr| self.may_hold(place, bound.value);
            let Some((_, place)) = changed_where(self.unit, stmt, &read, &changes) else {
                continue;
            };
            let name = &self.unit.symbols[head.symbol].name;
            return Err(Refusal::from(
                Diagnostic::error(
                    Code::InductiveExit,
                    format!("loop `{name}` changes its own bound"),
                )
                .at(
                    bound.value.span,
                    "has to be evaluated anew in every iteration",
                )
                .also(place, "changed here")
                .help("compute the bound into a variable of its own before the loop"),
            ));
        }
        Ok(())
    }
}
