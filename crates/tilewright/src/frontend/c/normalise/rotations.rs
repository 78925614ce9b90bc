//! Buffers that change places at the end of a turn: the pointers stay, and turns are counted.
//!
//! `for (…) { b[i] = f(a[i]); T *t = a; a = b; b = t; }` becomes
//! `for (…) { a_b[(turn + 1) % 2][i] = f(a_b[turn % 2][i]); turn++; }` with `T *const a_b[2] = {a, b};`
//! in front of the region: one array that is folded by the number of its buffers, so that dependences
//! from one turn to the next are those of any stencil over time. Behind the region the pointers are
//! what the last turn left in them.

use super::arith::changed_in;
use super::{build, dead, tree};
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{
    Carry, Expr, ExprKind, Front, Move, Scope, Stmt, StmtKind, Symbol, SymbolId, Type, Unit,
};
use crate::frontend::c::types as ctext;
use crate::scop::{BinaryOp, ScalarKind, ScalarType};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Buffers of one group, at most.
const MOST: usize = 8;

/// Lets turns be counted in place of pointers that change places.
pub(super) fn fold(unit: &mut Unit, number: usize, statements: &mut Vec<Stmt>) {
    for stmt in statements.iter_mut() {
        tree::statements_mut(stmt, &mut |stmt| {
            if let StmtKind::Block(list) = &mut stmt.kind {
                unfold(unit, list);
            }
        });
    }
    let mut from = 0;
    while let Some(each) = exchanging(unit, statements, from) {
        if let Some(found) = Rotation::of(unit, number, statements, &each) {
            found.apply(unit, number, statements, &each);
        }
        from += 1;
    }
}

/// Takes blocks that do nothing but copy pointers, as macros have them, apart.
fn unfold(unit: &Unit, list: &mut Vec<Stmt>) {
    let copies = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Block(inner) => inner
            .iter()
            .all(|stmt| stmt.kind == StmtKind::Empty || copy(unit, stmt).is_some()),
        _ => false,
    };
    let all = std::mem::take(list);
    for stmt in all {
        let apart = copies(&stmt);
        match stmt.kind {
            StmtKind::Block(inner) if apart => list.extend(inner),
            kind => list.push(Stmt { kind, ..stmt }),
        }
    }
}

/// One of the loops whose bodies copy pointers, by its number.
fn exchanging(unit: &Unit, statements: &[Stmt], number: usize) -> Option<Stmt> {
    let (mut found, mut before) = (None, 0);
    for stmt in statements {
        visit::statements(stmt, &mut |stmt| {
            let copies = |list: &[Stmt]| list.iter().any(|stmt| copy(unit, stmt).is_some());
            if body(stmt).is_some_and(copies) {
                if before == number {
                    found = Some(stmt.clone());
                }
                before += 1;
            }
        });
    }
    found
}

/// `x = y;` or `T *x = y;` of pointers.
fn copy(unit: &Unit, stmt: &Stmt) -> Option<(SymbolId, SymbolId)> {
    let is_pointer = |symbol: SymbolId| matches!(unit.symbols[symbol].ctype, Type::Pointer { .. });
    let named = |e: &Expr| match e.kind {
        ExprKind::Name(symbol) => Some(symbol),
        _ => None,
    };
    let (x, y) = match &stmt.kind {
        StmtKind::Declaration(symbol) => {
            (*symbol, named(unit.symbols[*symbol].initialiser.as_ref()?)?)
        }
        StmtKind::Expression(Expr {
            kind: ExprKind::Assign(None, target, value),
            ..
        }) => (named(target)?, named(value)?),
        _ => return None,
    };
    (is_pointer(x) && is_pointer(y)).then_some((x, y))
}

/// Pointers that change places in a loop's body.
struct Rotation {
    /// Groups in which the pointer behind each is what it is in the next turn; the first one is behind
    /// the last one.
    cycles: Vec<Vec<SymbolId>>,
    /// What holds nothing from one turn to the next.
    temporaries: BTreeSet<SymbolId>,
    /// What each of all these holds in front of a statement of the body, by what it was at the
    /// beginning of the turn.
    held: Vec<BTreeMap<SymbolId, SymbolId>>,
}

impl Rotation {
    fn of(unit: &Unit, number: usize, statements: &[Stmt], each: &Stmt) -> Option<Rotation> {
        let list = body(each)?;
        let copies: Vec<_> = list.iter().filter_map(|stmt| copy(unit, stmt)).collect();
        let assigned: BTreeSet<SymbolId> = copies.iter().map(|(x, _)| *x).collect();
        let mut held: BTreeMap<SymbolId, SymbolId> = BTreeMap::new();
        // Those whose first use in a turn is of what the turn before left.
        let mut lasting: BTreeSet<SymbolId> = BTreeSet::new();
        let mut states = Vec::new();
        for stmt in list {
            let known = |symbol: SymbolId, held: &BTreeMap<SymbolId, SymbolId>| {
                held.get(&symbol).copied().unwrap_or(symbol)
            };
            states.push(assigned.iter().map(|&s| (s, known(s, &held))).collect());
            match copy(unit, stmt) {
                Some((x, y)) => {
                    // What does not change places itself is another pointer.
                    if !assigned.contains(&y) {
                        return None;
                    }
                    let value = known(y, &held);
                    if !held.contains_key(&y) {
                        lasting.insert(y);
                    }
                    held.insert(x, value);
                }
                None => {
                    let changed = changed_in(unit, stmt);
                    if assigned.iter().any(|symbol| changed.contains(symbol)) {
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
        let mut rotation = Rotation {
            cycles: Vec::new(),
            temporaries: assigned.difference(&lasting).copied().collect(),
            held: states,
        };
        rotation.order(&lasting, &held)?;
        rotation
            .is_alone(unit, number, statements, each)
            .then_some(rotation)
    }

    /// Finds the groups.
    fn order(
        &mut self,
        lasting: &BTreeSet<SymbolId>,
        end: &BTreeMap<SymbolId, SymbolId>,
    ) -> Option<()> {
        let next = |symbol: SymbolId| end.get(&symbol).copied().filter(|s| lasting.contains(s));
        let mut met = BTreeSet::new();
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
                self.cycles.push(cycle);
            }
        }
        (!self.cycles.is_empty()).then_some(())
    }

    /// Whether nothing else happens to the pointers.
    fn is_alone(&self, unit: &Unit, number: usize, statements: &[Stmt], each: &Stmt) -> bool {
        let function = unit.regions[number].function;
        let assigned: BTreeSet<SymbolId> =
            self.held.iter().flat_map(|h| h.keys().copied()).collect();
        for &symbol in &assigned {
            if !dead::is_own(unit, function, symbol) {
                return false;
            }
            // Once in its head, or around it, it would be another turn.
            let sets = |stmts: &[Stmt]| {
                let mut sets = 0;
                for stmt in stmts {
                    visit::expressions(unit, stmt, &mut |top| {
                        visit::walk(top, &mut |e| {
                            let target = facts::target(e);
                            sets += usize::from(
                                target.is_some_and(|t| t.kind == ExprKind::Name(symbol)),
                            );
                        });
                    });
                }
                sets
            };
            let list = body(each).unwrap_or_default();
            if sets(statements) != sets(list) {
                return false;
            }
        }
        let text =
            |symbol: SymbolId| ctext::declaration(&unit.symbols[symbol].ctype, "", &unit.symbols);
        let same = |cycle: &Vec<SymbolId>| {
            let first = text(cycle[0]);
            first.is_some()
                && cycle.iter().all(|&symbol| {
                    let own = &unit.symbols[symbol];
                    let scope = matches!(own.scope, Scope::Function(_) | Scope::Parameter(_));
                    // Rows behind pointers are one level of them.
                    let plain = types::pointee(&own.ctype)
                        .is_some_and(|target| !matches!(target, Type::Pointer { .. }));
                    scope && plain && text(symbol) == first
                })
        };
        // Nobody reads behind the loop what temporaries hold.
        let within = |span: Span| each.span.start <= span.start && span.end <= each.span.end;
        let mut ends = true;
        for &symbol in &self.temporaries {
            let mut outside = false;
            visit::expressions(unit, &unit.functions[function].body, &mut |top| {
                outside |= !within(top.span) && visit::mentions(top, symbol);
            });
            ends &= !outside || dead::is_dead(unit, function, each.span, symbol);
        }
        ends && self.cycles.iter().all(same)
    }

    fn apply(self, unit: &mut Unit, number: usize, statements: &mut Vec<Stmt>, each: &Stmt) {
        let span = each.span;
        let long = Type::Scalar(ScalarType {
            kind: ScalarKind::I64,
            spelling: ScalarKind::I64.c_name().to_owned(),
        });
        let zero = build::expression(ExprKind::Integer(0, "0L".to_owned()), span);
        let turn = build::variable(unit, number, "turn", long.clone(), Some(zero), span);
        let mut places: BTreeMap<SymbolId, Expr> = BTreeMap::new();
        let mut fronts = Vec::new();
        for cycle in &self.cycles {
            let array = folded(unit, number, cycle, span);
            for (at, &pointer) in cycle.iter().enumerate() {
                places.insert(
                    pointer,
                    place(array, at, cycle.len(), build::name(turn, span)),
                );
            }
            fronts.push((array, cycle.clone()));
        }
        for stmt in statements.iter_mut() {
            self.rewrite(unit, stmt, each, &places, turn);
        }
        statements.insert(0, build::declaration(turn, span));
        for (array, pointers) in fronts {
            for (at, &pointer) in pointers.iter().enumerate() {
                if !dead::is_read_behind(unit, number, pointer) {
                    continue;
                }
                let left = build::variable(unit, number, "turns", long.clone(), None, span);
                let set = build::assign(build::name(left, span), build::name(turn, span));
                statements.push(tree::statement(set));
                unit.regions[number].moves.push(Move {
                    pointer,
                    counter: Some(left),
                    by: None,
                    carry: Carry::Exchanged {
                        array,
                        at,
                        of: pointers.len(),
                    },
                    places: vec![span],
                });
            }
            unit.regions[number].front.push(Front { array, pointers });
        }
    }

    /// Puts buffers in the place of pointers; counts turns at the end of the loop's body.
    fn rewrite(
        &self,
        unit: &mut Unit,
        stmt: &mut Stmt,
        each: &Stmt,
        places: &BTreeMap<SymbolId, Expr>,
        turn: SymbolId,
    ) {
        let mut done = false;
        let copies = body(each).unwrap_or_default().iter();
        let copies: Vec<&Stmt> = copies.filter(|stmt| copy(unit, stmt).is_some()).collect();
        let symbols = &mut unit.symbols;
        let mut bodies = Vec::new();
        tree::statements_mut(stmt, &mut |stmt| {
            if done || stmt.kind != each.kind || stmt.span != each.span {
                return;
            }
            if let StmtKind::For { body, .. } | StmtKind::While { body, .. } = &mut stmt.kind {
                done = true;
                bodies.push(std::mem::replace(&mut body.kind, StmtKind::Empty));
            }
        });
        // Around it a pointer is what it is at the beginning of a turn.
        for (&symbol, value) in places {
            tree::replace(symbols, stmt, symbol, value);
        }
        let Some(StmtKind::Block(list)) = bodies.pop() else {
            return;
        };
        let mut new = Vec::new();
        for (mut inside, held) in list.into_iter().zip(&self.held) {
            if copies.contains(&&inside) {
                continue;
            }
            for (&symbol, was) in held {
                let value = match places.get(was) {
                    Some(value) => value.clone(),
                    None => build::name(*was, each.span),
                };
                if value.kind != ExprKind::Name(symbol) {
                    tree::replace(symbols, &mut inside, symbol, &value);
                }
            }
            new.push(inside);
        }
        let step = ExprKind::Increment {
            target: Box::new(build::name(turn, each.span)),
            by: 1,
            postfix: true,
        };
        new.push(tree::statement(build::expression(step, each.span)));
        let mut new = Some(new);
        tree::statements_mut(stmt, &mut |stmt| {
            if let StmtKind::For { body, .. } | StmtKind::While { body, .. } = &mut stmt.kind
                && stmt.span == each.span
                && body.kind == StmtKind::Empty
                && let Some(new) = new.take()
            {
                body.kind = StmtKind::Block(new);
            }
        });
    }
}

fn body(stmt: &Stmt) -> Option<&[Stmt]> {
    match &stmt.kind {
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => match &body.kind {
            StmtKind::Block(list) => Some(list),
            _ => None,
        },
        _ => None,
    }
}

/// `array[(turn + at) % of]`
pub(super) fn place(array: SymbolId, at: usize, of: usize, turn: Expr) -> Expr {
    let span = turn.span;
    let number = |value: usize| build::integer(value as i64, span);
    let sum = match at {
        0 => turn,
        _ => build::binary(BinaryOp::Add, turn, number(at)),
    };
    let index = build::binary(BinaryOp::Rem, sum, number(of));
    let kind = ExprKind::Subscript(Box::new(build::name(array, span)), Box::new(index));
    build::expression(kind, span)
}

/// The array of a group's pointers, as they are in front of the region.
fn folded(unit: &mut Unit, number: usize, cycle: &[SymbolId], span: Span) -> SymbolId {
    let names: Vec<&str> = cycle
        .iter()
        .map(|&s| unit.symbols[s].name.as_str())
        .collect();
    let stem = names.join("_");
    let mut element = unit.symbols[cycle[0]].ctype.clone();
    if let Type::Pointer { restrict, .. } = &mut element {
        *restrict = false;
    }
    let array = Type::Array {
        element: Box::new(element),
        extent: Some(Box::new(build::integer(cycle.len() as i64, span))),
        restrict: false,
        is_const: false,
    };
    let symbol = build::variable(unit, number, &stem, array, None, span);
    let function = unit.regions[number].function;
    unit.symbols[symbol] = Symbol {
        scope: Scope::Function(function),
        is_const: true,
        ..unit.symbols[symbol].clone()
    };
    symbol
}
