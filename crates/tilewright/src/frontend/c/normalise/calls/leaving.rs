//! Functions that return from a loop: `for (…) if (a[i] != b[i]) return 1; return 0;`.
//!
//! The loop is left by `break`, and what would be given back is in a variable. What stands behind the loop
//! is a value that may be there before it begins, or is done only where the loop was not left:
//!
//! ```text
//! result = 0;                              left = 0;
//! for (…)                                  for (…)
//!     if (a[i] != b[i]) {                      if (a[i] != b[i]) {
//!         result = 1;                              result = 1; left = 1;
//!         break;                                   break;
//!     }                                        }
//!                                          if (!left) { …; result = x; }
//! ```

use super::super::build;
use super::super::tree;
use super::{Inliner, effects};
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Type};
use crate::source::Span;

impl Inliner<'_> {
    /// Statements of a function whose first `return` is in a loop, without those of that loop; `result`:
    /// where its value goes. `None`: another statement comes first, or nothing can stand for one of
    /// them.
    pub(super) fn left_by_break(
        &mut self,
        list: &[Stmt],
        result: Option<SymbolId>,
    ) -> Option<Vec<Stmt>> {
        let returns = |stmt: &Stmt| {
            let mut all = 0;
            visit::statements(stmt, &mut |s| {
                all += usize::from(matches!(s.kind, StmtKind::Return(_)));
            });
            all
        };
        let at = list.iter().position(|stmt| returns(stmt) > 0)?;
        let mut each = list[at].clone();
        let (count, span) = (returns(&each), each.span);
        let (StmtKind::For { body, .. } | StmtKind::While { body, .. }) = &mut each.kind else {
            return None;
        };
        let rest = &list[at + 1..];
        let known = match (rest, result) {
            ([], None) => Some(Vec::new()),
            ([only], Some(result)) => match &only.kind {
                StmtKind::Return(Some(value)) if is_constant(value) => {
                    Some(vec![assigned(result, value.clone(), span)])
                }
                _ => None,
            },
            _ => None,
        };
        let left = match known {
            Some(_) => None,
            None => {
                let int = Type::Scalar(build::int());
                Some(self.declare("left", int, Some(build::integer(0, span)), span))
            }
        };
        let mut put = 0;
        let whole = replaced(body, &mut |value, span| {
            put += 1;
            let mut list = Vec::new();
            match (value, result) {
                (Some(value), Some(result)) if effects::is_free(&value) => {
                    list.push(assigned(result, value, span));
                }
                (None, None) => {}
                _ => return None,
            }
            list.extend(left.map(|left| assigned(left, build::integer(1, span), span)));
            list.push(Stmt {
                kind: StmtKind::Unsupported("break"),
                span,
            });
            Some(list)
        });
        if whole.is_none() || put != count {
            return None;
        }
        let mut done = list[..at].to_vec();
        match (known, left) {
            (Some(first), _) => {
                done.extend(first);
                done.push(each);
            }
            (None, Some(left)) => {
                done.push(build::declaration(left, span));
                done.push(each);
                if !rest.is_empty() {
                    let mut rest = rest.to_vec();
                    while let Some(other) = self.left_by_break(&rest, result) {
                        rest = other;
                    }
                    let rest =
                        self.without_return(rest, &mut |stmt| match (stmt.kind, result) {
                            (StmtKind::Return(Some(value)), Some(result)) => {
                                Some(vec![assigned(result, value, span)])
                            }
                            (StmtKind::Return(None), None) => Some(Vec::new()),
                            _ => None,
                        })?;
                    done.push(Stmt {
                        kind: StmtKind::If {
                            condition: build::not(build::name(left, span)),
                            then: build::block(rest, span),
                            otherwise: None,
                        },
                        span,
                    });
                }
            }
            (None, None) => return None,
        }
        Some(done)
    }
}

fn assigned(to: SymbolId, value: Expr, span: Span) -> Stmt {
    tree::statement(build::assign(build::name(to, span), value))
}

/// Whether a value is the same wherever it is computed.
fn is_constant(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Integer(..) | ExprKind::Literal(_) => true,
        ExprKind::Unary(_, inner) | ExprKind::Cast(Type::Scalar(_), inner) => is_constant(inner),
        _ => false,
    }
}

/// What stands for a `return` of some value.
type Put<'p> = &'p mut dyn FnMut(Option<Expr>, Span) -> Option<Vec<Stmt>>;

/// Puts something in the place of each `return` in the body of a loop, but for loops inside and what
/// `break` would leave else.
fn replaced(stmt: &mut Stmt, put: Put<'_>) -> Option<()> {
    match &mut stmt.kind {
        StmtKind::Return(value) => {
            let list = put(value.take(), stmt.span)?;
            stmt.kind = StmtKind::Block(list);
        }
        StmtKind::Block(list)
            if !matches!(
                list.first().map(|s| &s.kind),
                Some(StmtKind::Unsupported(_))
            ) =>
        {
            for stmt in list {
                replaced(stmt, put)?;
            }
        }
        StmtKind::If {
            then, otherwise, ..
        } => {
            replaced(then, put)?;
            if let Some(otherwise) = otherwise {
                replaced(otherwise, put)?;
            }
        }
        _ => {}
    }
    Some(())
}
