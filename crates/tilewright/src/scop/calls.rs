//! Calls that need memory as the program has it: functions that get arrays ([`Expr::Row`]) or change
//! hidden state ([`Expr::Effect`]).

pub(super) mod hidden;

use super::{AccessId, Action, Expr, Scop, Statement};

/// Why a call needs memory as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// It gets arrays.
    Arrays,
    /// It changes hidden state.
    State,
}

/// A call that needs memory as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideCall<'s> {
    /// The function.
    pub name: &'s str,
    /// The accesses that it performs, and those of calls among its arguments.
    pub accesses: Vec<AccessId>,
    /// Why; a call that changes state may get arrays, too.
    pub why: Outside,
}

impl OutsideCall<'_> {
    /// Why no plan may change what memory holds meanwhile.
    pub fn reason(&self) -> String {
        let name = self.name;
        match self.why {
            Outside::Arrays => format!("`{name}` gets arrays as they are in memory"),
            Outside::State => format!("each call of `{name}` changes what the next one does"),
        }
    }
}

impl Statement {
    /// The calls that need memory as it is.
    pub fn outside(&self) -> Vec<OutsideCall<'_>> {
        let mut found = Vec::new();
        Action::expressions(&self.body, &mut |top| {
            top.walk(&mut |expr| {
                let (name, arguments, state) = match expr {
                    Expr::Call(name, arguments) => (name, arguments, &[][..]),
                    Expr::Effect {
                        function,
                        arguments,
                        state,
                    } => (function, arguments, state.as_slice()),
                    _ => return,
                };
                let mut accesses: Vec<AccessId> = state.to_vec();
                for argument in arguments {
                    argument.walk(&mut |part| {
                        if let Expr::Row { accesses: own, .. } = part {
                            accesses.extend(own);
                        }
                    });
                }
                if !accesses.is_empty() {
                    let why = match state {
                        [] => Outside::Arrays,
                        _ => Outside::State,
                    };
                    found.push(OutsideCall {
                        name,
                        accesses,
                        why,
                    });
                }
            });
        });
        found
    }

    /// Whether it changes hidden state.
    pub fn has_effects(&self) -> bool {
        let calls = self.outside();
        calls.iter().any(|call| call.why == Outside::State)
    }
}

impl Scop {
    /// The first call that needs memory as it is.
    pub fn outside(&self) -> Option<OutsideCall<'_>> {
        self.statements.iter().flat_map(Statement::outside).next()
    }

    /// Whether a statement changes hidden state.
    pub fn has_effects(&self) -> bool {
        self.statements.iter().any(Statement::has_effects)
    }
}
