//! Exit predicates: the tests at the head of statements in loops whose bounds are data.
//!
//! A front end gives such a loop a static bound and nests the body of every statement in it in
//! `if (variable < bound)`, where `bound` is a temporary of the region ([`LoopClaims::bounds`](crate::scop::LoopClaims::bounds)).

use super::{AccessId, Action, BinaryOp, Expr, Scop, Statement};

/// One exit predicate: `iterator op bound`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// Number of the iterator.
    pub iterator: usize,
    /// How it compares.
    pub op: BinaryOp,
    /// The read of the bound.
    pub bound: AccessId,
}

impl Scop {
    /// The exit predicate that a condition of a statement is.
    pub fn exit(&self, statement: &Statement, condition: &Expr) -> Option<Exit> {
        use BinaryOp::{Greater, GreaterEqual, Less, LessEqual};
        let Expr::Binary(op @ (Less | LessEqual | Greater | GreaterEqual), left, right) = condition
        else {
            return None;
        };
        let value = match &**left {
            Expr::Cast(_, value) => &**value,
            value => value,
        };
        let (Expr::Iterator(iterator), Expr::Access(bound)) = (value, &**right) else {
            return None;
        };
        let array = &self.arrays[statement.accesses[*bound].array];
        self.loops.bounds.contains_key(&array.name).then_some(Exit {
            iterator: *iterator,
            op: *op,
            bound: *bound,
        })
    }

    /// The exit predicates around a statement's body, outermost first, and what is inside.
    pub fn exits<'s>(&self, statement: &'s Statement) -> (Vec<Exit>, &'s [Action]) {
        let (mut tests, mut body) = (Vec::new(), statement.body.as_slice());
        while let [
            Action::If {
                condition,
                then,
                otherwise,
            },
        ] = body
        {
            match self.exit(statement, condition) {
                Some(exit) if otherwise.is_empty() => tests.push(exit),
                _ => break,
            }
            body = then;
        }
        (tests, body)
    }

    /// Whether the exit predicates of a statement begin with all of another one's: in an iteration
    /// of the loops around both it does something only if the other one does.
    pub fn tests_all_of(&self, statement: &Statement, other: &Statement) -> bool {
        let ((own, _), (theirs, _)) = (self.exits(statement), self.exits(other));
        let bound = |statement: &Statement, access: AccessId| {
            let access = &statement.accesses[access];
            (access.array, access.subscripts.clone())
        };
        theirs.len() <= own.len()
            && theirs.iter().zip(&own).all(|(one, mine)| {
                (one.iterator, one.op) == (mine.iterator, mine.op)
                    && bound(other, one.bound) == bound(statement, mine.bound)
            })
    }

    /// Whether a statement's iterator is bounded by data.
    pub fn is_dynamic(&self, statement: &Statement, iterator: usize) -> bool {
        let mut body = statement.body.as_slice();
        while let [
            Action::If {
                condition, then, ..
            },
        ] = body
        {
            let exit = self.exit(statement, condition);
            if exit.is_some_and(|exit| exit.iterator == iterator) {
                return true;
            }
            body = then;
        }
        false
    }
}
