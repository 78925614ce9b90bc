//! Whether index arrays hold the same whenever a part of a marked region is executed.
//!
//! What is looked up of them ([`super::survey`]) is then looked up once, also where the part is in a loop
//! of the program's: a solver that multiplies by its matrix in every iteration. Index arrays hold
//! integers, and numbers of floating point that are stored are no integers of them (C11, 6.5, the
//! effective type); so it is enough that no statement between the pragmas stores anything else in memory,
//! or calls what may.

use crate::frontend::c::lower::calls::purity;
use crate::frontend::c::lower::surroundings::{changes, facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{
    Expr, ExprKind, Region, Scope, Stmt, StmtKind, SymbolId, Type, Unit,
};
use crate::source::Span;
use std::collections::{BTreeSet, HashSet};

/// How deep calls of the file's own functions are followed.
const DEPTH: usize = 8;

/// The names of the variables that change between the pragmas around a part in a loop, where what
/// integers elsewhere in memory hold does not; `None` where it may, or where there is no loop.
pub(crate) fn changing(unit: &Unit, region: &Region) -> Option<BTreeSet<String>> {
    let own = region.span;
    let [opening, closing] = unit
        .divided
        .iter()
        .find(|[opening, closing]| opening.start <= own.start && own.end <= closing.end)?;
    let marked = Span::new(opening.start, closing.end);
    let function = &unit.functions[region.function];
    let mut repeated = false;
    visit::statements(&function.body, &mut |stmt| {
        let within = marked.start <= stmt.span.start && stmt.span.end <= marked.end;
        let around = stmt.span.start < own.start && own.end <= stmt.span.end;
        let loops = matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. });
        repeated |= within && around && loops;
    });
    if !repeated || region.fixed.is_some() {
        return None;
    }
    let mut between = Between {
        unit,
        addressed: addressed(unit, &function.body),
        outside: Some([function.span, marked]),
        names: BTreeSet::new(),
    };
    between.statement(&function.body, 0)?;
    Some(between.names)
}

/// The variables whose addresses a function takes.
fn addressed(unit: &Unit, body: &Stmt) -> HashSet<SymbolId> {
    let mut found = HashSet::new();
    visit::expressions(unit, body, &mut |top| {
        visit::walk(top, &mut |e| {
            if let ExprKind::AddressOf(place) = &e.kind {
                found.extend(changes::names(place));
            }
        });
    });
    found
}

struct Between<'u> {
    unit: &'u Unit,
    addressed: HashSet<SymbolId>,
    /// What is in the first place and not in the second one is of no interest. What stands in the place
    /// of calls is elsewhere in the text.
    outside: Option<[Span; 2]>,
    names: BTreeSet<String>,
}

impl Between<'_> {
    /// Notes the variables that a statement, or one below it, changes; `None` where it may change
    /// something else.
    fn statement(&mut self, stmt: &Stmt, depth: usize) -> Option<()> {
        let unit = self.unit;
        let outside = self.outside;
        let counts = |at: Span| {
            outside.is_none_or(|[function, marked]| {
                let own = function.start <= at.start && at.end <= function.end;
                !own || at.end > marked.start && at.start < marked.end
            })
        };
        let (mut sound, mut tops) = (true, Vec::new());
        visit::statements(stmt, &mut |s| {
            match &s.kind {
                // Who jumps there may come from where something else was done.
                StmtKind::Unsupported("asm" | "label" | "case" | "default")
                | StmtKind::Original(_) => sound &= !counts(s.span),
                StmtKind::Declaration(symbol) if counts(s.span) => {
                    let own = &unit.symbols[*symbol];
                    sound &= !own.is_static;
                    self.names.insert(own.name.clone());
                }
                _ => {}
            }
            let own = visit::own_expressions(unit, s);
            tops.extend(own.filter(|top| counts(top.span)));
        });
        if !sound {
            return None;
        }
        let mut known = true;
        for top in tops {
            visit::walk(top, &mut |e| {
                known = known && self.expression(e, depth).is_some()
            });
        }
        known.then_some(())
    }

    /// The same of an expression by itself.
    fn expression(&mut self, expr: &Expr, depth: usize) -> Option<()> {
        if let Some(target) = facts::target(expr) {
            return self.stored(target);
        }
        match &expr.kind {
            ExprKind::Call(name, _) => self.call(name, depth),
            ExprKind::Unknown(_) | ExprKind::Unsupported(_) => None,
            _ => Some(()),
        }
    }

    fn stored(&mut self, target: &Expr) -> Option<()> {
        let unit = self.unit;
        if let ExprKind::Name(symbol) = target.kind {
            let own = &unit.symbols[symbol];
            let hidden = !matches!(
                own.scope,
                Scope::Function(_) | Scope::Parameter(_) | Scope::Region(_)
            );
            if hidden || own.is_static || self.addressed.contains(&symbol) {
                return None;
            }
            self.names.insert(own.name.clone());
            return Some(());
        }
        match types::place_type(unit, target)? {
            Type::Scalar(scalar) => scalar.kind.is_float().then_some(()),
            _ => None,
        }
    }

    fn call(&mut self, name: &str, depth: usize) -> Option<()> {
        let unit = self.unit;
        let Some((_, function)) = purity::definition(unit, name) else {
            return purity::is_pure(unit, name).then_some(());
        };
        if depth == DEPTH {
            return None;
        }
        let mut inside = Between {
            unit,
            addressed: addressed(unit, &function.body),
            outside: None,
            names: BTreeSet::new(),
        };
        inside.statement(&function.body, depth + 1)
    }
}
