//! What a program says of itself in PENCIL (Baghdadi et al., PACT 2015; Zhao, thesis 2018, chapter
//! 2): loops whose iterations are independent.

use super::{Lowering, Scope};
use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::syntax::{Stmt, StmtKind};
use crate::scop::{Independent, Statement};

/// `#pragma pencil independent` above a loop.
#[derive(Debug)]
pub(super) struct Said {
    /// Loops around it.
    depth: usize,
    /// Its statements, by draft.
    drafts: Vec<usize>,
    /// The variables of its `reduction` clauses.
    except: Vec<String>,
}

impl Lowering<'_> {
    /// Notes that the loop just lowered, whose drafts begin with number `first`, is independent.
    pub(super) fn independent(&mut self, stmt: &Stmt, clauses: &str, first: usize, scope: &Scope) {
        if !matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. }) {
            self.warnings.borrow_mut().push(
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
        let drafts = first..self.drafts.len();
        let inside = drafts.filter(|&draft| self.drafts[draft].loops.len() > depth);
        self.independent.push(Said {
            depth,
            drafts: inside.collect(),
            except: reductions(clauses),
        });
    }

    /// The same for the statements of the scop, with their drafts in order.
    pub(super) fn independent_loops(
        &self,
        order: &[usize],
        statements: &[Statement],
    ) -> Vec<Independent> {
        let named = |said: &Said| {
            let own = order.iter().zip(statements);
            let own = own.filter(|(draft, _)| said.drafts.contains(draft));
            own.map(|(_, statement)| statement.name.clone()).collect()
        };
        let all = self.independent.iter().map(|said| Independent {
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
