//! `continue`, `return` and `goto`. Lists of statements that some ways through them leave early, without
//! that: what such a way skips goes under the conditions of the others.

pub(in crate::frontend::c::normalise) mod continues;
pub(in crate::frontend::c::normalise) mod labels;
pub(in crate::frontend::c::normalise) mod returns;

use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::normalise::build::{self, assign, block, declaration, integer, name, not};
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::source::Span;

/// A kind of jump to the end of a list.
pub(in crate::frontend::c::normalise) struct Jump<'j> {
    /// Whether a statement is one.
    pub is: &'j dyn Fn(&Stmt) -> bool,
    /// Whether it leaves loops inside the list, too.
    pub leaves_loops: bool,
}

/// What stands in the place of a jump; `None`: nothing can.
pub(in crate::frontend::c::normalise) type Put<'p> = &'p mut dyn FnMut(Stmt) -> Option<Vec<Stmt>>;

/// How jumps are done without.
pub(in crate::frontend::c::normalise) struct Without<'w> {
    /// Their places.
    pub put: Put<'w>,
    /// A variable that a declaration sets to 0, for whether something is skipped.
    pub flag: &'w mut dyn FnMut(Span) -> SymbolId,
}

/// A variable of a region that says whether something is skipped: a declaration sets it to 0.
pub(in crate::frontend::c::normalise) fn flag(
    unit: &mut Unit,
    number: usize,
    span: Span,
) -> SymbolId {
    let int = Type::Scalar(build::int());
    build::variable(unit, number, "skips", int, Some(integer(0, span)), span)
}

/// `flag = 1;`
fn skip(flag: SymbolId, span: Span) -> Stmt {
    tree::statement(assign(name(flag, span), integer(1, span)))
}

impl Jump<'_> {
    /// Whether a statement holds one.
    pub fn is_in(&self, stmt: &Stmt) -> bool {
        if self.leaves_loops {
            let mut found = false;
            visit::statements(stmt, &mut |s| found |= (self.is)(s));
            return found;
        }
        match &stmt.kind {
            // What goes on there is its own.
            StmtKind::Block(list) if stands_for(list) == Some("do") => false,
            StmtKind::Block(list) => list.iter().any(|s| self.is_in(s)),
            StmtKind::If {
                then, otherwise, ..
            } => self.is_in(then) || otherwise.as_deref().is_some_and(|s| self.is_in(s)),
            _ => (self.is)(stmt),
        }
    }

    /// Whether each way through a statement ends in one.
    pub fn ends(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Block(list) => {
                stands_for(list).is_none() && list.iter().any(|s| self.ends(s))
            }
            StmtKind::If {
                then,
                otherwise: Some(otherwise),
                ..
            } => self.ends(then) && self.ends(otherwise),
            _ => (self.is)(stmt),
        }
    }

    /// A list without jumps that does the same; `None` where one stands in a loop that it leaves, or in
    /// front of a label, to which something else may lead.
    pub fn without(&self, list: Vec<Stmt>, how: &mut Without<'_>) -> Option<Vec<Stmt>> {
        let mut done = Vec::new();
        let mut rest = list.into_iter();
        while let Some(stmt) = rest.next() {
            if !self.is_in(&stmt) {
                done.push(stmt);
                continue;
            }
            if self.ends(&stmt) && rest.as_slice().iter().any(visit::is_reached) {
                return None;
            }
            if (self.is)(&stmt) {
                done.extend((how.put)(stmt)?);
                return Some(done);
            }
            let span = stmt.span;
            match stmt.kind {
                StmtKind::Block(list) if stands_for(&list).is_none() => {
                    done.extend(self.without(list.into_iter().chain(rest).collect(), how)?);
                }
                StmtKind::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let otherwise: Vec<Stmt> = otherwise.map(|stmt| *stmt).into_iter().collect();
                    let both = (self.ends(&then), otherwise.iter().any(|s| self.ends(s)));
                    let (then, otherwise) = match both {
                        (true, true) => (vec![*then], otherwise),
                        (true, false) => (vec![*then], otherwise.into_iter().chain(rest).collect()),
                        (false, true) => (std::iter::once(*then).chain(rest).collect(), otherwise),
                        (false, false) if rest.len() == 0 => (vec![*then], otherwise),
                        (false, false) => {
                            let flag = (how.flag)(span);
                            let mut put = |stmt: Stmt| {
                                let span = stmt.span;
                                let mut list = (how.put)(stmt)?;
                                list.push(skip(flag, span));
                                Some(list)
                            };
                            let mut inner = Without {
                                put: &mut put,
                                flag: &mut *how.flag,
                            };
                            let then = self.without(vec![*then], &mut inner)?;
                            let otherwise = self.without(otherwise, &mut inner)?;
                            done.push(declaration(flag, span));
                            done.push(branch(condition, then, otherwise, span));
                            let rest = self.without(rest.collect(), how)?;
                            let goes_on = not(name(flag, span));
                            done.push(branch(goes_on, rest, Vec::new(), span));
                            return Some(done);
                        }
                    };
                    let then = self.without(then, how)?;
                    done.push(branch(condition, then, self.without(otherwise, how)?, span));
                }
                _ => return None,
            }
            return Some(done);
        }
        Some(done)
    }
}

/// The statement that a block stands for, if that has no words in the tree but its own.
fn stands_for(list: &[Stmt]) -> Option<&'static str> {
    match list.first()?.kind {
        StmtKind::Unsupported(word @ ("do" | "switch" | "asm")) => Some(word),
        _ => None,
    }
}

/// `if (condition) then else otherwise`, the other way round where there is nothing under `then`.
fn branch(condition: Expr, then: Vec<Stmt>, otherwise: Vec<Stmt>, span: Span) -> Stmt {
    let kind = match (then.is_empty(), otherwise.is_empty()) {
        (true, true) => StmtKind::Expression(condition),
        (true, false) => StmtKind::If {
            condition: not(condition),
            then: block(otherwise, span),
            otherwise: None,
        },
        (false, empty) => StmtKind::If {
            condition,
            then: block(then, span),
            otherwise: (!empty).then(|| block(otherwise, span)),
        },
    };
    Stmt { kind, span }
}
