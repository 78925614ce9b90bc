//! `return` and `goto` in regions: what leaves the function behind them, or goes on elsewhere, in C.

use crate::frontend::c::syntax::{Leave, Region, Symbol, SymbolId, Type, Way};
use crate::frontend::c::types as ctext;
use crate::scop::Front;

/// The statement behind a region that goes where the region did.
pub(super) fn behind(leave: &Leave, symbols: &[Symbol]) -> String {
    let flag = &symbols[leave.flag].name;
    let jump = match &leave.way {
        Way::Return(Some(value)) => format!("return {}", ctext::expression(value, symbols)),
        Way::Return(None) => "return".to_owned(),
        Way::Goto(label) => format!("goto {label}"),
    };
    format!("if ({flag} == {}) {jump};", leave.number)
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
