//! What a program says of itself in PENCIL (Baghdadi et al., PACT 2015; Zhao, thesis 2018, chapter
//! 2): loops whose iterations are independent, and conditions that hold.
//!
//! `__pencil_kill`, `__pencil_use` and `__pencil_def` are accepted and say nothing here: every
//! array that a caller sees is taken to be read before the region and after it.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::loops::dynamic::{Bound, bound_of_value, ends};
use crate::frontend::c::lower::statements::body::State;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::{Lowering, Result, Scope, optional};
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId};
use crate::scop::{BinaryOp, Independent, Statement};
use isl::{DimType, PwAff, Val};

/// Whether a function is one of PENCIL's statements about the program.
pub(crate) fn is_builtin(name: &str) -> bool {
    matches!(
        name,
        "__pencil_assume" | "__pencil_kill" | "__pencil_use" | "__pencil_def"
    )
}

/// `#pragma pencil independent` above a loop.
#[derive(Debug)]
pub(crate) struct Said {
    /// Loops around it.
    depth: usize,
    /// Its statements, by draft.
    drafts: Vec<usize>,
    /// The variables of its `reduction` clauses.
    except: Vec<String>,
}

impl Lowering<'_> {
    /// Notes that the loop just lowered, whose drafts begin with number `first`, is independent.
    pub(crate) fn independent(&mut self, stmt: &Stmt, clauses: &str, first: usize, scope: &Scope) {
        if !matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. }) {
            self.messages.warnings.borrow_mut().push(
                Diagnostic::warning(
                    Code::LoopForm,
                    "`#pragma pencil independent` does not stand above a loop",
                )
                .at(stmt.span, "stands above this")
                .help("put it directly above the `for` that it is about"),
            );
            return;
        }
        let depth = scope.loops.len();
        let drafts = first..self.model.statements.len();
        let inside = drafts.filter(|&draft| self.model.statements[draft].loops.len() > depth);
        self.claims.independent.push(Said {
            depth,
            drafts: inside.collect(),
            except: reductions(clauses),
        });
    }

    /// A statement about the program: what is assumed of parameters wherever the region is executed
    /// belongs to the context, what is assumed of data bounds loops of the same block that run only
    /// where it is said.
    pub(crate) fn said(&mut self, state: &State, name: &str, arguments: &[Expr]) -> Result<()> {
        let [condition] = arguments else {
            return Ok(());
        };
        let always = !state.conditional && state.scope.guards.is_empty();
        if name != "__pencil_assume" || !always {
            return Ok(());
        }
        if state.scope.loops.is_empty() {
            if let Some(set) = optional(self.condition(&state.scope, condition))? {
                let elsewhere = state.scope.domain.complement()?;
                if self.assumed(&elsewhere)?.is_empty()? {
                    self.take_as_given(&set.params()?)?;
                }
                return Ok(());
            }
        }
        self.claims
            .assumptions
            .push((condition.clone(), state.scope.domain.clone()));
        Ok(())
    }

    /// Bounds of a loop's variable that follow from what is assumed of the data that bounds it.
    pub(crate) fn assumed_bounds(&self, inner: &Scope, bound: Bound<'_>) -> Result<Vec<PwAff>> {
        let depth = inner.loops.len() - 1;
        let upper = ends(bound.op, true);
        let mut found = Vec::new();
        let mut pending: Vec<(&Expr, usize)> = Vec::new();
        for (condition, said) in &self.claims.assumptions {
            let around = said.dim(DimType::Set)?;
            let here = self.assumed(&inner.domain)?;
            let here = here.project_out(DimType::Set, around, depth + 1 - around)?;
            if here.is_subset(said)? {
                pending.push((condition, around));
            }
        }
        while let Some((condition, around)) = pending.pop() {
            if let ExprKind::Binary(BinaryOp::And, a, b) = &condition.kind {
                pending.extend([(&**a, around), (&**b, around)]);
                continue;
            }
            let same = |e: &Expr| visit::same(e, bound.value);
            let Some(limit) = bound_of_value(condition, &same) else {
                continue;
            };
            // The variables of loops around what is assumed stay as they were.
            let steady = |&t: &SymbolId| inner.loops[..around].iter().any(|l| l.symbol == t);
            let changed = self.region.statements.iter().any(|stmt| {
                let targets =
                    crate::frontend::c::lower::surroundings::changes::targets(self.unit, stmt);
                let mut targets = targets.iter().filter(|t| !steady(t));
                targets.any(|&t| visit::mentions(bound.value, t))
            });
            if changed || ends(limit.op, true) != upper {
                continue;
            }
            let Some(value) = optional(self.affine(inner, limit.value))? else {
                continue;
            };
            if value.involves_dims(DimType::In, depth, 1)? {
                continue;
            }
            // `variable < bound` and `bound < limit`: one less for each.
            let strict = |op| i64::from(matches!(op, BinaryOp::Less | BinaryOp::Greater));
            let less = strict(bound.op) + strict(limit.op);
            let less = if upper { -less } else { less };
            found.push(value.add_constant_val(&Val::int_from_si(self.ctx, less)?)?);
        }
        Ok(found)
    }

    /// The same for the statements of the scop, with their drafts in order.
    pub(crate) fn independent_loops(
        &self,
        order: &[usize],
        statements: &[Statement],
    ) -> Vec<Independent> {
        let named = |said: &Said| {
            let own = order.iter().zip(statements);
            let own = own.filter(|(draft, _)| said.drafts.contains(draft));
            own.map(|(_, statement)| statement.name.clone()).collect()
        };
        let all = self.claims.independent.iter().map(|said| Independent {
            depth: said.depth,
            statements: named(said),
            except: said.except.clone(),
        });
        all.collect()
    }
}

/// The variables of clauses like `reduction(+: a, b) reduction(max: c)`.
fn reductions(clauses: &str) -> Vec<String> {
    let mut names = Vec::new();
    for clause in clauses.split("reduction").skip(1) {
        let inside = clause.split(')').next().unwrap_or("");
        let list = inside.split(':').nth(1).unwrap_or("");
        let parts = list.split(',').map(str::trim);
        names.extend(parts.filter(|name| !name.is_empty()).map(str::to_owned));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::reductions;

    #[test]
    fn reductions_are_named_in_clauses() {
        assert_eq!(
            reductions(" reduction(+: a, b) reduction (max:c)"),
            ["a", "b", "c"]
        );
        assert_eq!(reductions(" reduction ( + : sum )"), ["sum"]);
        assert!(reductions("").is_empty());
        assert!(reductions(" reduction(+").is_empty());
    }
}
