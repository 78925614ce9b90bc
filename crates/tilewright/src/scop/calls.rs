//! Calls of functions that get arrays ([`Expr::Row`]).

use super::{AccessId, Action, Expr, Scop, Statement};

impl Statement {
    /// The functions that get arrays, each with the accesses that it performs.
    pub fn calls_with_arrays(&self) -> Vec<(&str, Vec<AccessId>)> {
        let mut found = Vec::new();
        Action::expressions(&self.body, &mut |top| {
            top.walk(&mut |expr| {
                let Expr::Call(name, arguments) = expr else {
                    return;
                };
                let rows = arguments.iter().filter_map(|argument| match argument {
                    Expr::Row { accesses, .. } => Some(accesses.as_slice()),
                    _ => None,
                });
                let rows: Vec<AccessId> = rows.flatten().copied().collect();
                if !rows.is_empty() {
                    found.push((name.as_str(), rows));
                }
            });
        });
        found
    }
}

impl Scop {
    /// The first function that gets an array.
    pub fn gets_arrays(&self) -> Option<&str> {
        let mut calls = self
            .statements
            .iter()
            .flat_map(Statement::calls_with_arrays);
        calls.next().map(|(name, _)| name)
    }
}
