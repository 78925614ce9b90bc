//! Loops whose turns decide when they end: which they are, and that each is a step of one statement
//! ([`Action::Repeat`]).

use crate::frontend::c::lower::calls::purity;
use crate::frontend::c::lower::loops::dynamic::{bound_of, ends};
use crate::frontend::c::lower::messages::hidden_loop;
use crate::frontend::c::lower::statements::body::State;
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::{Lowering, Refusal, Result};
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId};
use crate::scop::{Action, BinaryOp};
use crate::source::Span;

/// Whether a `while` loop may be one that counts: only the last statement of its body changes a
/// variable, by one and towards what its condition compares it with, and nothing leaves it.
pub(crate) fn counts(condition: &Expr, body: &Stmt) -> bool {
    let StmtKind::Block(list) = &body.kind else {
        return false;
    };
    let Some((last, rest)) = list.split_last() else {
        return false;
    };
    let StmtKind::Expression(step) = &last.kind else {
        return false;
    };
    let Some(ExprKind::Name(symbol)) = facts::target(step).map(|target| &target.kind) else {
        return false;
    };
    let up = match &step.kind {
        ExprKind::Increment { by, .. } => *by > 0,
        ExprKind::Assign(Some(op), _, by) if is_one(by) => *op == BinaryOp::Add,
        ExprKind::Assign(None, _, value) => match &value.kind {
            ExprKind::Binary(op, a, b) if is_one(a) || is_one(b) => *op == BinaryOp::Add,
            _ => return false,
        },
        _ => return false,
    };
    let bound = bound_of(condition, *symbol);
    bound.is_some_and(|bound| ends(bound.op, up))
        && !rest.iter().any(|stmt| assigns(stmt, *symbol))
        && !is_left(body)
}

fn is_one(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Integer(1, _))
}

/// Whether a statement, or what is below it, assigns to a variable.
pub(crate) fn assigns(stmt: &Stmt, symbol: SymbolId) -> bool {
    let mut found = false;
    visit::statements(stmt, &mut |s| {
        let own = match &s.kind {
            StmtKind::Expression(e) => Some(e),
            _ => None,
        };
        if let Some(e) = own {
            visit::walk(e, &mut |e| {
                found |= facts::target(e).is_some_and(|t| t.kind == ExprKind::Name(symbol));
            });
        }
    });
    found
}

/// Whether `break` leaves the loop with this body.
pub(crate) fn is_left(body: &Stmt) -> bool {
    match &body.kind {
        StmtKind::Block(list) => {
            let hidden = matches!(
                list.first().map(|s| &s.kind),
                Some(StmtKind::Unsupported("switch" | "do"))
            );
            !hidden && list.iter().any(is_left)
        }
        StmtKind::If {
            then, otherwise, ..
        } => is_left(then) || otherwise.as_deref().is_some_and(is_left),
        StmtKind::Unsupported("break") => true,
        _ => false,
    }
}

/// Whether a loop that does not count can be a step of a statement. Loops inside it are hidden there:
/// only below a loop that counts, `around` it, may it hold any.
pub(crate) fn is_step(stmt: &Stmt, around: bool) -> bool {
    let (mut fits, mut loops) = (true, 0);
    visit::statements(stmt, &mut |s| {
        fits &= match &s.kind {
            StmtKind::For { .. } | StmtKind::While { .. } => {
                loops += 1;
                true
            }
            StmtKind::Unsupported(word) => *word == "break",
            StmtKind::Return(_)
            | StmtKind::Pragma(_)
            | StmtKind::Exit(_)
            | StmtKind::Original(_) => false,
            _ => true,
        };
    });
    fits && (around || loops == 1)
}

/// Whether a statement is or holds a loop that is not a step of a statement.
pub(crate) fn has_counted(stmt: &Stmt, around: bool) -> bool {
    match &stmt.kind {
        StmtKind::Block(list) => {
            let opaque = matches!(
                list.first().map(|s| &s.kind),
                Some(StmtKind::Unsupported("do" | "switch"))
            );
            opaque || list.iter().any(|s| has_counted(s, around))
        }
        StmtKind::If {
            then, otherwise, ..
        } => {
            has_counted(then, around)
                || otherwise.as_deref().is_some_and(|s| has_counted(s, around))
        }
        StmtKind::For { .. } => true,
        StmtKind::While { condition, body } => counts(condition, body) || !is_step(stmt, around),
        _ => false,
    }
}

/// The first loop that counts inside of a statement.
fn counted_inside(stmt: &Stmt) -> Option<Span> {
    let mut found = None;
    visit::statements(stmt, &mut |s| {
        if let StmtKind::While { condition, body } = &s.kind
            && counts(condition, body)
        {
            found.get_or_insert(s.span);
        }
    });
    found
}

/// A loop without a condition in some statements. One that stores nothing is there to stay in it until
/// somebody else changes something: C lets no compiler take it for one that ends (C11, 6.8.5).
pub(crate) fn waits<'u>(stmts: &[&'u Stmt]) -> Option<&'u Stmt> {
    let mut found = None;
    for stmt in stmts {
        visit::statements(stmt, &mut |s| {
            if let StmtKind::While { condition, .. } = &s.kind
                && matches!(condition.kind, ExprKind::Integer(1.., _))
            {
                found.get_or_insert(s);
            }
        });
    }
    found
}

impl<'u> Lowering<'u> {
    /// `while (condition) body` as a step of a statement.
    pub(crate) fn repeated(
        &mut self,
        state: &mut State,
        stmt: &'u Stmt,
        condition: &'u Expr,
        body: &'u Stmt,
    ) -> Result<Vec<Action>> {
        // A loop that nothing ends is there to stay in it.
        let endless = matches!(condition.kind, ExprKind::Integer(1.., _)) && !is_left(body);
        if endless {
            return Err(self.refused_statement(stmt));
        }
        if !state.repeated
            && let Some(inner) = counted_inside(body)
            && !self.keeps_to_itself(state, body)
        {
            return Err(Refusal::from(hidden_loop(inner)));
        }
        let condition = self.value_once(state, condition)?;
        let outer = (state.conditional, state.repeated);
        (state.conditional, state.repeated) = (true, true);
        let body = self.nested(state, body)?;
        (state.conditional, state.repeated) = outer;
        Ok(vec![Action::Repeat { condition, body }])
    }

    /// Whether all that a loop changes are variables of the body that it is a step of: nothing of that
    /// keeps the loops around it from running in parallel. Loops inside of another one are parts of
    /// the region, which may run in parallel themselves.
    fn keeps_to_itself(&self, state: &State, body: &Stmt) -> bool {
        let own =
            |symbol: &SymbolId| state.locals.contains_key(symbol) || state.folded.contains(symbol);
        let mut keeps = true;
        visit::expressions(self.unit, body, &mut |top| {
            visit::walk(top, &mut |e| {
                keeps &= match (&e.kind, facts::target(e).map(|target| &target.kind)) {
                    (_, Some(ExprKind::Name(symbol))) => own(symbol),
                    (ExprKind::AddressOf(_), _) | (_, Some(_)) => false,
                    (ExprKind::Call(name, _), _) => purity::is_pure(self.unit, name),
                    _ => true,
                };
            });
        });
        keeps
    }
}
