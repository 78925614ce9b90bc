//! Turns that are counted, in place of pointers that change places.

use super::Group;
use super::find::{Held, Rotation};
use super::places::StandIns;
use crate::frontend::c::lower::surroundings::changes;
use crate::frontend::c::normalise::{build, dead, tree};
use crate::frontend::c::syntax::{
    Carry, Expr, ExprKind, Front, Move, Scope, Stmt, StmtKind, Symbol, SymbolId, Type, Unit,
};
use crate::scop::{BinaryOp, ScalarKind, ScalarType};
use crate::source::Span;
use std::collections::BTreeMap;

/// Where the buffers of pointers are, by what has been counted.
type Places = BTreeMap<SymbolId, Expr>;

impl Group {
    /// Puts buffers in the place of pointers, and sets these behind the region.
    pub(super) fn apply(
        self,
        unit: &mut Unit,
        number: usize,
        statements: &mut Vec<Stmt>,
        stand_ins: &StandIns,
    ) {
        let span = self.turning[0].each.span;
        let long = Type::Scalar(ScalarType {
            kind: ScalarKind::I64,
            spelling: ScalarKind::I64.c_name().to_owned(),
        });
        let zero = build::expression(ExprKind::Integer(0, "0L".to_owned()), span);
        let turn = build::variable(unit, number, "turn", long.clone(), Some(zero), span);
        let mut places = Places::new();
        let mut fronts = Vec::new();
        for cycle in &self.cycles {
            let array = folded(unit, number, cycle, span);
            for (at, &pointer) in cycle.iter().enumerate() {
                let buffer = place(array, at, cycle.len(), build::name(turn, span));
                places.insert(pointer, buffer);
            }
            fronts.push((array, cycle.clone()));
        }
        for stmt in statements.iter_mut() {
            self.rewrite(unit, stmt, &places, turn);
            // Around the loops, and behind what copies them, a pointer is what it is by then.
            for (&symbol, value) in &places {
                tree::replace(&mut unit.symbols, stmt, symbol, value);
            }
        }
        self.undeclare(unit, statements);
        statements.insert(0, build::declaration(turn, span));
        for (array, pointers) in fronts {
            let mut led = false;
            let place = |symbol: &SymbolId| match stand_ins.get(symbol) {
                Some(place) => place.clone(),
                None => build::name(*symbol, span),
            };
            for (at, pointer) in pointers.iter().enumerate() {
                let elsewhere = stand_ins.get(pointer);
                if elsewhere.is_none() && !dead::is_read_behind(unit, number, *pointer) {
                    continue;
                }
                let left = build::variable(unit, number, "turns", long.clone(), None, span);
                let set = build::assign(build::name(left, span), build::name(turn, span));
                statements.push(tree::statement(set));
                // Who makes no turn may lead nowhere.
                let asks = elsewhere.is_some_and(|place| !matches!(place.kind, ExprKind::Name(_)));
                led |= asks;
                unit.regions[number].edges.moves.push(Move {
                    pointer: changes::root(&place(pointer)).unwrap_or(*pointer),
                    place: place(pointer),
                    counter: Some(left),
                    by: None,
                    carry: Carry::Exchanged {
                        array,
                        at,
                        of: pointers.len(),
                        asks,
                    },
                    places: vec![span],
                });
            }
            let pointers = pointers.iter().map(place).collect();
            unit.regions[number].edges.front.push(Front {
                array,
                pointers,
                asks: led,
            });
        }
    }

    /// Rewrites the loops in a statement.
    fn rewrite(&self, unit: &mut Unit, stmt: &mut Stmt, places: &Places, turn: SymbolId) {
        tree::statements_mut(stmt, &mut |stmt| {
            let own = |one: &&super::Turning| one.each == *stmt;
            let Some(one) = self.turning.iter().find(own) else {
                return;
            };
            if let StmtKind::For { body, .. } | StmtKind::While { body, .. } = &mut stmt.kind
                && let StmtKind::Block(list) = &mut body.kind
            {
                let list = std::mem::take(list);
                let mut turned = Turned {
                    unit: &mut *unit,
                    places,
                    turn: build::name(turn, one.each.span),
                };
                body.kind = StmtKind::Block(turned.list(list, &one.rotation));
            }
        });
    }

    /// Takes out declarations of temporaries that nothing names any more.
    fn undeclare(&self, unit: &Unit, statements: &mut Vec<Stmt>) {
        let temporaries = self
            .turning
            .iter()
            .flat_map(|one| &one.rotation.temporaries);
        for &symbol in temporaries {
            if tree::names_of(unit, statements, symbol) > 0 {
                continue;
            }
            let declares = |stmt: &Stmt| stmt.kind == StmtKind::Declaration(symbol);
            statements.retain(|stmt| !declares(stmt));
            for stmt in statements.iter_mut() {
                tree::statements_mut(stmt, &mut |stmt| {
                    if let StmtKind::Block(list) = &mut stmt.kind {
                        list.retain(|stmt| !declares(stmt));
                    }
                });
            }
        }
    }
}

/// The statements of a body, in which turns are counted.
struct Turned<'a> {
    unit: &'a mut Unit,
    places: &'a Places,
    turn: Expr,
}

impl Turned<'_> {
    /// Turns are counted where the last pointer is copied: what leaves the loop in front of it leaves
    /// the pointers as they were, what leaves it behind that as they are in the next turn.
    fn list(&mut self, list: Vec<Stmt>, rotation: &Rotation) -> Vec<Stmt> {
        let mut new = Vec::new();
        for (position, mut stmt) in list.into_iter().enumerate() {
            if !rotation.copies[position] {
                if position < rotation.last {
                    self.put(&mut stmt, &rotation.held[position]);
                } else {
                    self.put_behind(&mut stmt, rotation);
                }
                new.push(stmt);
            }
            if position == rotation.last {
                let step = ExprKind::Increment {
                    target: Box::new(self.turn.clone()),
                    by: 1,
                    postfix: true,
                };
                new.push(tree::statement(build::expression(step, self.turn.span)));
            }
        }
        new
    }

    /// Puts buffers into a statement, by what pointers were at the beginning of the turn.
    fn put(&mut self, stmt: &mut Stmt, held: &Held) {
        for (&symbol, was) in held {
            let value = match self.places.get(was) {
                Some(value) => value.clone(),
                None => build::name(*was, stmt.span),
            };
            if value.kind != ExprKind::Name(symbol) {
                tree::replace(&mut self.unit.symbols, stmt, symbol, &value);
            }
        }
    }

    /// The same behind all copies: pointers that change places are those of the next turn, and
    /// temporaries are one of these.
    fn put_behind(&mut self, stmt: &mut Stmt, rotation: &Rotation) {
        let end = &rotation.end;
        let now = |was: SymbolId| {
            let mut same = end
                .iter()
                .filter(|(symbol, _)| !rotation.temporaries.contains(symbol));
            same.find(|(_, held)| **held == was)
                .map(|(symbol, _)| *symbol)
        };
        for (&symbol, &was) in end {
            if rotation.temporaries.contains(&symbol) {
                let value = build::name(now(was).unwrap_or(was), stmt.span);
                tree::replace(&mut self.unit.symbols, stmt, symbol, &value);
            }
        }
    }
}

/// `array[(turn + at) % of]`
pub(in crate::frontend::c::normalise) fn place(
    array: SymbolId,
    at: usize,
    of: usize,
    turn: Expr,
) -> Expr {
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
pub(in crate::frontend::c::normalise) fn folded(
    unit: &mut Unit,
    number: usize,
    cycle: &[SymbolId],
    span: Span,
) -> SymbolId {
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
