//! Which pointers change places in the body of a loop, and whether nothing else happens to them.

use super::places::{self, StandIns};
use super::{Group, body, copy};
use crate::frontend::c::lower::loops::turns;
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::arith::changed_in;
use crate::frontend::c::normalise::{dead, tree};
use crate::frontend::c::syntax::{ExprKind, Scope, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::frontend::c::types as ctext;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Buffers of one group, at most.
const MOST: usize = 8;

/// What each pointer of a body is, by what it was at the beginning of the turn.
pub(super) type Held = BTreeMap<SymbolId, SymbolId>;

/// Pointers that change places in a loop's body.
pub(super) struct Rotation {
    /// What holds nothing from one turn to the next.
    pub temporaries: BTreeSet<SymbolId>,
    /// What each of all these holds in front of a statement of the body.
    pub held: Vec<Held>,
    /// The same at the end of the turn.
    pub end: Held,
    /// The statements that copy one.
    pub copies: Vec<bool>,
    /// The last of them.
    pub last: usize,
}

impl Rotation {
    /// The pointers that change places in the statements of a body.
    pub fn of(unit: &Unit, list: &[Stmt]) -> Option<(Vec<Vec<SymbolId>>, Rotation)> {
        let copies = copies(unit, list);
        let first = copies.iter().position(Option::is_some)?;
        let last = copies.iter().rposition(Option::is_some)?;
        // Nothing leaves them half done.
        if list[first..=last].iter().any(leaves) {
            return None;
        }
        let assigned: BTreeSet<SymbolId> = copies.iter().flatten().map(|(x, _)| *x).collect();
        let mut held = Held::new();
        // Those whose first use in a turn is of what the turn before left.
        let mut lasting: BTreeSet<SymbolId> = BTreeSet::new();
        let mut states = Vec::new();
        for (stmt, copied) in list.iter().zip(&copies) {
            let known =
                |symbol: SymbolId, held: &Held| held.get(&symbol).copied().unwrap_or(symbol);
            states.push(assigned.iter().map(|&s| (s, known(s, &held))).collect());
            match *copied {
                Some((x, y)) => {
                    let value = known(y, &held);
                    if !held.contains_key(&y) {
                        lasting.insert(y);
                    }
                    held.insert(x, value);
                }
                None => {
                    let changed = changed_in(unit, stmt);
                    let declares = |symbol: SymbolId| {
                        let bare = unit.symbols[symbol].initialiser.is_none();
                        bare && stmt.kind == StmtKind::Declaration(symbol)
                    };
                    let mut own = assigned.iter();
                    if own.any(|&symbol| changed.contains(&symbol) && !declares(symbol)) {
                        return None;
                    }
                    for &symbol in &assigned {
                        let named = tree::names_of(unit, std::slice::from_ref(stmt), symbol) > 0;
                        if named && !held.contains_key(&symbol) {
                            lasting.insert(symbol);
                        }
                    }
                }
            }
        }
        let cycles = cycles(&lasting, &held)?;
        let rotation = Rotation {
            temporaries: assigned.difference(&lasting).copied().collect(),
            held: states,
            end: held,
            copies: copies.iter().map(Option::is_some).collect(),
            last,
        };
        Some((cycles, rotation))
    }

    /// All pointers that the body copies.
    pub fn assigned(&self) -> BTreeSet<SymbolId> {
        let keys = self.held.iter().flat_map(|held| held.keys().copied());
        keys.collect()
    }
}

/// The copies among statements, but for those of pointers that none of them sets: these stay, under
/// another name.
fn copies(unit: &Unit, list: &[Stmt]) -> Vec<Option<(SymbolId, SymbolId)>> {
    let mut copies: Vec<_> = list.iter().map(|stmt| copy(unit, stmt)).collect();
    loop {
        let set: BTreeSet<SymbolId> = copies.iter().flatten().map(|(x, _)| *x).collect();
        let mut others = copies
            .iter_mut()
            .filter(|one| one.is_some_and(|(_, y)| !set.contains(&y)));
        match others.next() {
            Some(other) => *other = None,
            None => return copies,
        }
    }
}

/// Whether a statement may go on elsewhere than behind it.
fn leaves(stmt: &Stmt) -> bool {
    let mut leaves = turns::is_left(stmt);
    visit::statements(stmt, &mut |stmt| {
        leaves |= match stmt.kind {
            StmtKind::Unsupported(word) => word != "break",
            StmtKind::Return(_) => true,
            _ => false,
        };
    });
    leaves
}

/// The groups in which each pointer gets what the one behind it held.
fn cycles(lasting: &BTreeSet<SymbolId>, end: &Held) -> Option<Vec<Vec<SymbolId>>> {
    let next = |symbol: SymbolId| end.get(&symbol).copied().filter(|s| lasting.contains(s));
    let (mut met, mut cycles) = (BTreeSet::new(), Vec::new());
    for &first in lasting {
        if met.contains(&first) {
            continue;
        }
        let mut cycle = Vec::new();
        let mut at = first;
        // Each is behind one only, or it is no exchange.
        while met.insert(at) {
            cycle.push(at);
            at = next(at)?;
        }
        if at != first || cycle.len() > MOST {
            return None;
        }
        // One alone is itself again.
        if cycle.len() > 1 {
            cycles.push(cycle);
        }
    }
    (!cycles.is_empty()).then_some(cycles)
}

impl Group {
    /// Whether nothing else happens to the pointers.
    pub(super) fn is_alone(
        &self,
        unit: &Unit,
        number: usize,
        statements: &[Stmt],
        stand_ins: &StandIns,
    ) -> bool {
        let function = unit.regions[number].function;
        for &symbol in &self.assigned {
            // Elsewhere, in heads or around the loops, it would be another turn.
            let inside = self.turning.iter();
            let inside = inside.map(|one| sets(unit, body(&one.each).unwrap_or_default(), symbol));
            if !dead::is_own(unit, function, symbol)
                || sets(unit, statements, symbol) != inside.sum::<usize>()
            {
                return false;
            }
        }
        let changing: BTreeSet<SymbolId> = self.cycles.iter().flatten().copied().collect();
        let mut turning = self.turning.iter();
        turning.all(|one| {
            let mut temporaries = one.rotation.temporaries.iter();
            temporaries.all(|&symbol| {
                !changing.contains(&symbol)
                    && !stand_ins.contains_key(&symbol)
                    && self.is_read_inside(unit, function, &one.each, symbol)
            })
        }) && self
            .cycles
            .iter()
            .all(|cycle| is_alike(unit, number, cycle))
            && places::are_own(unit, function, &self.cycles, stand_ins)
    }

    /// Whether nobody reads what a temporary of a loop holds but these loops.
    fn is_read_inside(&self, unit: &Unit, function: usize, each: &Stmt, symbol: SymbolId) -> bool {
        let within = |span: Span| {
            let mut own = self.turning.iter().filter(|one| {
                let mut temporaries = one.rotation.temporaries.iter();
                temporaries.any(|&other| other == symbol)
            });
            own.any(|one| {
                let each = one.each.span;
                each.start <= span.start && span.end <= each.end
            })
        };
        let mut outside = false;
        visit::expressions(unit, &unit.functions[function].body, &mut |top| {
            outside |= !within(top.span) && visit::mentions(top, symbol);
        });
        !outside || dead::is_dead(unit, function, each.span, symbol)
    }
}

/// How often statements set a variable.
fn sets(unit: &Unit, statements: &[Stmt], symbol: SymbolId) -> usize {
    let mut sets = 0;
    for stmt in statements {
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                let target = facts::target(e);
                sets += usize::from(target.is_some_and(|t| t.kind == ExprKind::Name(symbol)));
            });
        });
    }
    sets
}

/// Whether pointers of a group have one type and are the function's, so that one array has them all.
fn is_alike(unit: &Unit, number: usize, cycle: &[SymbolId]) -> bool {
    let text =
        |symbol: SymbolId| ctext::declaration(&unit.symbols[symbol].ctype, "", &unit.symbols);
    let first = text(cycle[0]);
    first.is_some()
        && cycle.iter().all(|&symbol| {
            let own = &unit.symbols[symbol];
            let scope = matches!(own.scope, Scope::Function(_) | Scope::Parameter(_));
            // Rows behind pointers are one level of them.
            let plain = types::pointee(&own.ctype)
                .is_some_and(|target| !matches!(target, Type::Pointer { .. }));
            scope && plain && text(symbol) == first && lasts(unit, number, &own.ctype)
        })
}

/// Whether an extent in a type is the same wherever the function says it.
pub(in crate::frontend::c::normalise) fn lasts(unit: &Unit, number: usize, ctype: &Type) -> bool {
    let function = &unit.functions[unit.regions[number].function];
    match ctype {
        Type::Array {
            element, extent, ..
        } => {
            let extent = extent.as_deref();
            extent.is_none_or(|extent| dead::stays(unit, number, extent, &function.body))
                && lasts(unit, number, element)
        }
        Type::Pointer { target, .. } => lasts(unit, number, target),
        _ => true,
    }
}
