//! `return` in regions: what leaves the function behind them, in C.

use crate::frontend::c::syntax::{Leave, Region, Symbol, SymbolId, Type};
use crate::frontend::c::types as ctext;
use crate::scop::Front;

/// The statement behind a region that leaves its function where the region did.
pub(super) fn behind(leave: &Leave, symbols: &[Symbol]) -> String {
    let flag = &symbols[leave.flag].name;
    let value = match &leave.value {
        Some(value) => format!(" {}", ctext::expression(value, symbols)),
        None => String::new(),
    };
    format!("if ({flag} == {}) return{value};", leave.number)
}

/// Declarations of the variables that say whether, and with what.
pub(super) fn declarations(region: &Region, symbols: &[Symbol]) -> Vec<Front> {
    let mut named: Vec<SymbolId> = Vec::new();
    for leave in &region.edges.leaves {
        for symbol in std::iter::once(leave.flag).chain(leave.kept) {
            if !named.contains(&symbol) {
                named.push(symbol);
            }
        }
    }
    let declared = named.into_iter().filter_map(|symbol| {
        let own = &symbols[symbol];
        let Type::Scalar(ctype) = &own.ctype else {
            return None;
        };
        Some(Front {
            name: own.name.clone(),
            declaration: format!("{} {} = 0;", ctype.spelling, own.name),
        })
    });
    declared.collect()
}
