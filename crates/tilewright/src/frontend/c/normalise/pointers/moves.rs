//! Pointers that move: the pointer stays, and what it has moved by is counted.
//!
//! `*p = …; p++;` becomes `p[p_moved] = …; p_moved++;` with `long p_moved = 0;` where the pointer is
//! set, or in front of the region. How far it has moved is an [induction variable](crate::frontend::c::normalise::loops::inductions).
//! Where the pointer is read behind the region, it is moved there by what was counted in all, which
//! is computed from what the region does not change, or kept in a variable in front of it.

use super::rotations;
use crate::frontend::c::lower::calls::purity;
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::arith::{Members, changed_in};
use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::loops::inductions;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{
    Carry, Expr, ExprKind, Move, Scope, Stmt, StmtKind, SymbolId, Type, Unit,
};
use crate::scop::{BinaryOp, ScalarKind, ScalarType};
use crate::source::Span;
use std::collections::BTreeSet;

/// Counts what pointers move by.
pub(in crate::frontend::c::normalise) fn count(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    let mut pointers = BTreeSet::new();
    for stmt in statements.iter() {
        visit::statements(stmt, &mut |stmt| {
            if let Some(step) = inductions::step(stmt)
                && matches!(unit.symbols[step.symbol].ctype, Type::Pointer { .. })
            {
                pointers.insert(step.symbol);
            }
        });
    }
    for pointer in pointers {
        let Some(from) = settings(unit, number, statements, pointer) else {
            continue;
        };
        let places = steps_of(statements, pointer);
        let span = unit.symbols[pointer].span;
        let moved = counter(unit, number, pointer, "moved");
        let counts = match from {
            From::Region => put_behind_setting(unit, statements, pointer, moved),
            From::Front { .. } => {
                statements.insert(0, build::declaration(moved, unit.symbols[moved].span));
                true
            }
        };
        if counts {
            rewrite(unit, statements, pointer, moved);
        }
        if let From::Front { dead: false } = from {
            let left = counter(unit, number, pointer, "left");
            let set = ExprKind::Assign(
                None,
                Box::new(build::name(left, span)),
                Box::new(build::name(moved, span)),
            );
            statements.push(Stmt {
                kind: StmtKind::Expression(build::expression(set, span)),
                span,
            });
            unit.regions[number].edges.moves.push(Move {
                pointer,
                place: build::name(pointer, span),
                counter: Some(left),
                by: None,
                carry: Carry::Moved,
                places,
            });
        }
    }
}

/// Where a pointer gets its value.
enum From {
    /// In the region, once.
    Region,
    /// In front of the region; `dead`: nothing reads it behind the region.
    Front { dead: bool },
}

/// Where statements move a pointer.
fn steps_of(statements: &[Stmt], pointer: SymbolId) -> Vec<Span> {
    let mut found = Vec::new();
    for stmt in statements {
        visit::statements(stmt, &mut |stmt| {
            if inductions::step(stmt).is_some_and(|step| step.symbol == pointer) {
                found.push(stmt.span);
            }
        });
    }
    found
}

/// Once the statements of a region are in their last form: takes out what counts for behind it, and
/// keeps its values.
pub(in crate::frontend::c::normalise) fn close(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    let mut moves = std::mem::take(&mut unit.regions[number].edges.moves);
    for one in &mut moves {
        let Some(left) = one.counter.take() else {
            continue;
        };
        let value = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Expression(expr) => match &expr.kind {
                ExprKind::Assign(None, target, value) if target.kind == ExprKind::Name(left) => {
                    Some((**value).clone())
                }
                _ => None,
            },
            _ => None,
        };
        let Some(at) = statements.iter().rposition(|stmt| value(stmt).is_some()) else {
            continue;
        };
        let by = value(&statements.remove(at));
        if let Some(ExprKind::Name(moved)) = by.as_ref().map(|by| &by.kind) {
            let mut rest = statements.clone();
            // What is in the last value may be something else by then.
            if let Some(last) = last_value(unit, &mut rest, at, *moved)
                && stays(unit, number, &rest, &last)
            {
                *statements = rest;
                one.by = Some(last);
                continue;
            }
        }
        one.by = match by {
            Some(by) if stays(unit, number, statements, &by) => Some(by),
            // It is in a variable of the function, as which the region sets it.
            Some(by) if one.carry == Carry::Moved => {
                let region = &mut unit.regions[number];
                unit.symbols[left].scope = Scope::Function(region.function);
                region.edges.counters.push(left);
                let name = build::name(left, by.span);
                statements.push(tree::statement(build::assign(name.clone(), by)));
                Some(name)
            }
            _ => None,
        };
    }
    unit.regions[number].edges.moves = in_order(unit, moves);
}

/// What a statement of a list sets a variable to that is asked for in front of the one at a place, and
/// changed by none between. That statement goes where nobody else reads the variable.
fn last_value(unit: &Unit, list: &mut Vec<Stmt>, at: usize, symbol: SymbolId) -> Option<Expr> {
    let changes = |stmt: &Stmt| changed_in(unit, stmt).contains(&symbol);
    let last = list[..at].iter().rposition(changes)?;
    let StmtKind::Expression(expr) = &list[last].kind else {
        return None;
    };
    let ExprKind::Assign(None, target, value) = &expr.kind else {
        return None;
    };
    let value = (target.kind == ExprKind::Name(symbol)).then(|| (**value).clone())?;
    if tree::names_of(unit, &list[last + 1..], symbol) == 0 && !visit::mentions(&value, symbol) {
        list.remove(last);
    }
    Some(value)
}

/// Moves in an order in which none is computed from a pointer that was moved before; one for which
/// there is none moves by nobody knows what.
fn in_order(unit: &Unit, mut moves: Vec<Move>) -> Vec<Move> {
    let reads = |of: &Move, moved: &Move| {
        let own = &unit.symbols[moved.pointer].name;
        let mut found = false;
        for by in of.by.iter() {
            visit::walk(by, &mut |e| {
                if let ExprKind::Name(symbol) = e.kind {
                    let name = &unit.symbols[symbol].name;
                    let mut words = name.split(|c: char| !c.is_alphanumeric() && c != '_');
                    found |= name.starts_with('(') && words.any(|word| word == own);
                }
            });
        }
        found
    };
    let mut ordered = Vec::new();
    while !moves.is_empty() {
        let last = |at: &usize| {
            let mut others = moves.iter().enumerate().filter(|(other, _)| other != at);
            others.all(|(_, other)| !reads(other, &moves[*at]))
        };
        match (0..moves.len()).find(last) {
            Some(at) => ordered.push(moves.remove(at)),
            None => moves[0].by = None,
        }
    }
    ordered
}

/// What moves a pointer behind its region.
pub(in crate::frontend::c) fn behind(one: &Move, span: Span) -> Stmt {
    let by = one.by.clone().unwrap_or_else(|| build::integer(0, span));
    let pointer = one.place.clone();
    match one.carry {
        Carry::Moved => {
            let kind = ExprKind::Assign(Some(BinaryOp::Add), Box::new(pointer), Box::new(by));
            tree::statement(build::expression(kind, span))
        }
        Carry::Toggled => {
            let sum = build::binary(BinaryOp::Add, pointer.clone(), by);
            let bit = build::binary(BinaryOp::BitAnd, sum, build::integer(1, span));
            tree::statement(build::assign(pointer, bit))
        }
        Carry::Exchanged {
            array,
            at,
            of,
            asks,
        } => {
            let set = build::assign(pointer, rotations::place(array, at, of, by.clone()));
            let set = tree::statement(set);
            match asks {
                false => set,
                true => Stmt {
                    kind: StmtKind::If {
                        condition: turned(by),
                        then: Box::new(set),
                        otherwise: None,
                    },
                    span,
                },
            }
        }
    }
}

/// Whether there was a turn.
pub(in crate::frontend::c) fn turned(by: Expr) -> Expr {
    // As many as there are, if there is one.
    if let ExprKind::Conditional(some, _, none) = &by.kind
        && matches!(none.kind, ExprKind::Integer(0, _))
    {
        return (**some).clone();
    }
    let zero = build::integer(0, by.span);
    build::binary(BinaryOp::Greater, by, zero)
}

/// Whether an expression is made of numbers that the region does not change, and that it compares with
/// what it stores to, as all numbers that its loops are made of.
fn stays(unit: &Unit, number: usize, statements: &[Stmt], expr: &Expr) -> bool {
    let function = unit.regions[number].function;
    let members = Members::changed_in(unit, statements);
    let mut stays = tree::is_stable(expr) && !members.change(expr);
    visit::walk(expr, &mut |e| {
        if let ExprKind::Name(symbol) = &e.kind {
            let own = &unit.symbols[*symbol];
            let seen = own.scope == Scope::File && !matches!(own.ctype, Type::Pointer { .. });
            stays &= !matches!(own.scope, Scope::Region(_))
                && (seen || dead::is_own(unit, function, *symbol))
                && !statements
                    .iter()
                    .any(|stmt| changed_in(unit, stmt).contains(symbol));
        }
    });
    stays
}

/// Where a pointer gets its value; `None`: in several places, or something else happens to it.
fn settings(unit: &Unit, number: usize, statements: &[Stmt], pointer: SymbolId) -> Option<From> {
    let own = &unit.symbols[pointer];
    let function = unit.regions[number].function;
    let alone =
        dead::is_own(unit, function, pointer) || !own.is_static && !writes_memory(unit, statements);
    let (mut sets, mut other) = (0, !alone);
    for stmt in statements {
        visit::statements(stmt, &mut |stmt| {
            if inductions::step(stmt).is_some_and(|step| step.symbol == pointer) {
                return;
            }
            for expr in visit::own_expressions(unit, stmt) {
                visit::walk(expr, &mut |e| {
                    let is = |e: &Expr| e.kind == ExprKind::Name(pointer);
                    match &e.kind {
                        ExprKind::Assign(None, target, _) if is(target) => {
                            let whole = matches!(&stmt.kind, StmtKind::Expression(top) if top == e);
                            sets += 1;
                            other |= !whole;
                        }
                        ExprKind::Assign(_, target, _) | ExprKind::Increment { target, .. } => {
                            other |= is(target);
                        }
                        ExprKind::Binary(BinaryOp::Add, ..) => {}
                        // Pointers are compared by numbers where that says the same.
                        ExprKind::Binary(_, a, b) if points(unit, a) && points(unit, b) => {}
                        ExprKind::Binary(BinaryOp::Sub, a, _) if points(unit, a) => {}
                        // Where it is, not what is there.
                        ExprKind::Binary(_, a, b) => other |= is(a) || is(b),
                        ExprKind::Unary(_, a) => other |= is(a),
                        _ => {}
                    }
                });
            }
        });
    }
    if other {
        return None;
    }
    match own.scope {
        Scope::Region(_) => (sets == 0 && own.initialiser.is_some()).then_some(From::Region),
        Scope::Function(_) | Scope::Parameter(_) => {
            let behind = dead::is_read_behind(unit, number, pointer);
            match sets {
                0 => Some(From::Front { dead: !behind }),
                1 => (!behind).then_some(From::Region),
                _ => None,
            }
        }
        Scope::File => None,
    }
}

/// Whether statements may change a variable that they do not name, whose address somebody has.
fn writes_memory(unit: &Unit, statements: &[Stmt]) -> bool {
    let mut writes = false;
    for stmt in statements {
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                writes |= match &e.kind {
                    ExprKind::Call(name, _) => !purity::is_pure(unit, name),
                    ExprKind::Unsupported(_) => true,
                    _ => facts::target(e)
                        .is_some_and(|target| !matches!(target.kind, ExprKind::Name(_))),
                };
            });
        });
    }
    writes
}

fn points(unit: &Unit, expr: &Expr) -> bool {
    types::place_type(unit, expr)
        .and_then(types::pointee)
        .is_some()
}

/// A variable that counts for a pointer.
fn counter(unit: &mut Unit, number: usize, pointer: SymbolId, what: &str) -> SymbolId {
    let span = unit.symbols[pointer].span;
    let name = format!("{}_{what}", unit.symbols[pointer].name);
    let long = Type::Scalar(ScalarType {
        kind: ScalarKind::I64,
        spelling: ScalarKind::I64.c_name().to_owned(),
    });
    let zero = build::expression(ExprKind::Integer(0, "0L".to_owned()), span);
    build::variable(unit, number, &name, long, Some(zero), span)
}

/// Declares what counts behind what sets the pointer, in a list of statements.
fn put_behind_setting(
    unit: &Unit,
    list: &mut Vec<Stmt>,
    pointer: SymbolId,
    moved: SymbolId,
) -> bool {
    let sets = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Declaration(symbol) => *symbol == pointer,
        StmtKind::Expression(expr) => match &expr.kind {
            ExprKind::Assign(None, target, _) => target.kind == ExprKind::Name(pointer),
            _ => false,
        },
        _ => false,
    };
    let all = tree::names_of(unit, list, pointer);
    // Everything that names the pointer stands behind it, in the same list.
    let is_block = |unit: &Unit, list: &[Stmt], position: usize| {
        tree::names_of(unit, &list[position..], pointer) == all
    };
    if let Some(position) = list.iter().position(sets) {
        if !is_block(unit, list, position) {
            return false;
        }
        let span = list[position].span;
        list.insert(position + 1, build::declaration(moved, span));
        return true;
    }
    let mut done = false;
    for stmt in list {
        tree::statements_mut(stmt, &mut |stmt| {
            if let StmtKind::Block(list) = &mut stmt.kind
                && let Some(position) = list.iter().position(sets)
                && is_block(unit, list, position)
            {
                let span = list[position].span;
                list.insert(position + 1, build::declaration(moved, span));
                done = true;
            }
        });
    }
    done
}

/// Steps what counts in place of the pointer, and adds it where the pointer is read.
fn rewrite(unit: &mut Unit, statements: &mut [Stmt], pointer: SymbolId, moved: SymbolId) {
    let name = |span: Span| build::name(moved, span);
    for stmt in statements {
        tree::statements_mut(stmt, &mut |stmt| {
            if let Some(step) = inductions::step(stmt)
                && step.symbol == pointer
            {
                let span = stmt.span;
                let op = if step.down {
                    BinaryOp::Sub
                } else {
                    BinaryOp::Add
                };
                let (moved, by) = (Box::new(name(span)), Box::new(step.by));
                stmt.kind = StmtKind::Expression(Expr {
                    kind: ExprKind::Assign(Some(op), moved, by),
                    span,
                });
            }
        });
        tree::everything_mut(&mut unit.symbols, stmt, &mut |expr| {
            if expr.kind == ExprKind::Name(pointer) {
                let span = expr.span;
                *expr = build::binary(BinaryOp::Add, expr.clone(), name(span));
            }
        });
    }
}
