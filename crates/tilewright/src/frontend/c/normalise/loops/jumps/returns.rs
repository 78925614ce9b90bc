//! `return` in the last loop of a region, and `goto` to where the region is not: `break`, and the jump
//! behind the region.
//!
//! `for (…) if (v[i] == x) return i;` sets a variable to 1, and another one to `i`, and is left. Nothing is
//! executed from there on, so that what the function gives back may be computed behind the region where
//! the region does not change what it is made of.

use super::labels::{is_goto, is_label};
use crate::frontend::c::lower::loops::turns;
use crate::frontend::c::lower::memory::allocation::is_null;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::normalise::arith::{Members, changed_in};
use crate::frontend::c::normalise::build::{self, assign, binary, block, integer, name};
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{
    Expr, ExprKind, Leave, Scope, Stmt, StmtKind, Symbol, SymbolId, Type, Unit, Way,
};
use crate::scop::{BinaryOp, ScalarType};
use crate::source::Span;

/// A region has no more of them.
const MOST: usize = 8;

/// Lets a region end where it leaves its function, or is left for a label.
pub(in crate::frontend::c::normalise) fn leave(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    let empty = |s: &Stmt| matches!(s.kind, StmtKind::Empty | StmtKind::Pragma(_));
    let Some(last) = statements.iter().rposition(|s| !empty(s)) else {
        return;
    };
    let mut count = 0;
    for stmt in statements.iter() {
        visit::statements(stmt, &mut |s| {
            count += usize::from(is_way(s));
        });
    }
    if count == 0 || count > MOST {
        return;
    }
    let mut found = Vec::new();
    let mut stmt = statements[last].clone();
    if !is_step(&stmt) {
        return;
    }
    let Some(body) = body_of(&mut stmt) else {
        return;
    };
    collect(unit, body, &mut found);
    if found.len() != count || found.iter().any(|way| is_inside(unit, statements, way)) {
        return;
    }
    let region = &unit.regions[number];
    let (function, end) = (region.function, region.span.end);
    let behind = Span::new(end, end);
    let members = Members::changed_in(unit, statements);
    let changed: Vec<SymbolId> = statements
        .iter()
        .flat_map(|stmt| changed_in(unit, stmt))
        .collect();
    let stays = |e: &Expr| {
        let mut stays = !members.change(e);
        visit::walk(e, &mut |e| {
            stays &= match &e.kind {
                ExprKind::Integer(..)
                | ExprKind::Literal(_)
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Call(..) => true,
                ExprKind::Name(symbol) => {
                    !changed.contains(symbol)
                        && !matches!(unit.symbols[*symbol].scope, Scope::Region(_))
                }
                _ => false,
            };
        });
        stays
    };
    let result = unit.functions[function].result.clone();
    let scalar = match &result {
        Type::Scalar(ctype) => Some(ctype.clone()),
        _ => None,
    };
    let values = |way: &Way| match way {
        Way::Return(value) => value.clone(),
        Way::Goto(_) => None,
    };
    for value in &found.iter().filter_map(values).collect::<Vec<_>>() {
        let kept = scalar.is_some() && tree::is_pure(value);
        if !stays(value) && !is_null(value) && !kept {
            return;
        }
    }
    let late: Vec<bool> = found
        .iter()
        .map(|way| values(way).is_none_or(|value| stays(&value) || is_null(&value)))
        .collect();
    let flag = variable(unit, function, "left", build::int(), behind);
    let kept = scalar
        .filter(|_| late.contains(&false))
        .map(|ctype| variable(unit, function, "left_with", ctype, behind));
    let mut leaves = Vec::new();
    put(body, &mut |span| {
        let at = leaves.len();
        let number_of = at as i64 + 1;
        let mut list = Vec::new();
        let mut own = None;
        let way = match (found[at].clone(), kept) {
            (Way::Return(Some(value)), Some(kept)) if !late[at] => {
                list.push(tree::statement(assign(name(kept, span), value)));
                own = Some(kept);
                Way::Return(Some(name(kept, behind)))
            }
            (Way::Return(Some(value)), _) if is_null(&value) => {
                Way::Return(Some(integer(0, behind)))
            }
            (way, _) => way,
        };
        list.push(tree::statement(assign(
            name(flag, span),
            integer(number_of, span),
        )));
        list.push(Stmt {
            kind: StmtKind::Unsupported("break"),
            span,
        });
        leaves.push(Leave {
            flag,
            number: number_of,
            way,
            kept: own,
        });
        StmtKind::Block(list)
    });
    statements.splice(last..=last, [stmt]);
    for leave in &leaves {
        if let Way::Goto(label) = &leave.way {
            unit.labels.name(behind, label);
        }
    }
    let returns: Vec<Stmt> = leaves.iter().map(|leave| left(leave, behind)).collect();
    let pragma = unit.regions[number].pragma.start;
    let body = &mut unit.functions[function].body;
    tree::at_region(body, pragma, &mut |list, between| {
        let end = (between.end + 1).min(list.len());
        list.splice(end..end, returns.iter().cloned());
    });
    unit.regions[number].edges.leaves = leaves;
}

/// `if (flag == number) return value;`, or `goto`.
fn left(leave: &Leave, span: Span) -> Stmt {
    let is = binary(
        BinaryOp::Equal,
        name(leave.flag, span),
        integer(leave.number, span),
    );
    let kind = match &leave.way {
        Way::Return(value) => StmtKind::Return(value.clone()),
        Way::Goto(_) => StmtKind::Unsupported("goto"),
    };
    let kind = StmtKind::If {
        condition: is,
        then: block(vec![Stmt { kind, span }], span),
        otherwise: None,
    };
    Stmt { kind, span }
}

/// A variable of the function that its text does not have.
fn variable(
    unit: &mut Unit,
    function: usize,
    stem: &str,
    ctype: ScalarType,
    span: Span,
) -> SymbolId {
    let name = build::fresh(unit, stem);
    unit.symbols.push(Symbol {
        name,
        ctype: Type::Scalar(ctype),
        scope: Scope::Function(function),
        is_static: false,
        is_const: false,
        initialiser: None,
        span,
    });
    unit.symbols.len() - 1
}

/// Whether a statement is one loop that can be a step, if nothing returns from it: loops in it, and around
/// it, would be left, too.
fn is_step(stmt: &Stmt) -> bool {
    let mut without = stmt.clone();
    tree::statements_mut(&mut without, &mut |s| {
        // What is skipped by `continue` becomes conditional.
        if is_way(s) || s.kind == StmtKind::Unsupported("continue") {
            s.kind = StmtKind::Empty;
        }
    });
    turns::is_step(&without, false)
}

/// The body of a loop, also where it is a block of its own.
fn body_of(stmt: &mut Stmt) -> Option<&mut Stmt> {
    match &mut stmt.kind {
        StmtKind::Block(list) => match &mut list[..] {
            [only] => body_of(only),
            _ => None,
        },
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => Some(body),
        _ => None,
    }
}

fn is_way(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Return(_)) || is_goto(stmt)
}

/// Whether a way may end in the region.
fn is_inside(unit: &Unit, statements: &[Stmt], way: &Way) -> bool {
    let Way::Goto(to) = way else { return false };
    let mut inside = false;
    for stmt in statements {
        visit::statements(stmt, &mut |s| {
            inside |= is_label(s) && unit.labels.of(s).is_none_or(|label| label == to);
        });
    }
    inside
}

/// How a loop with this body is left for elsewhere, in order.
fn collect(unit: &Unit, stmt: &Stmt, found: &mut Vec<Way>) {
    match &stmt.kind {
        StmtKind::Return(value) => found.push(Way::Return(value.clone())),
        _ if is_goto(stmt) => {
            found.extend(
                unit.labels
                    .of(stmt)
                    .map(|label| Way::Goto(label.to_owned())),
            );
        }
        StmtKind::Block(list) if !is_opaque(list) => {
            list.iter().for_each(|s| collect(unit, s, found));
        }
        StmtKind::If {
            then, otherwise, ..
        } => {
            collect(unit, then, found);
            otherwise.iter().for_each(|s| collect(unit, s, found));
        }
        _ => {}
    }
}

/// Puts something in the place of each of these.
fn put(stmt: &mut Stmt, with: &mut dyn FnMut(Span) -> StmtKind) {
    if is_way(stmt) {
        stmt.kind = with(stmt.span);
        return;
    }
    match &mut stmt.kind {
        StmtKind::Block(list) if !is_opaque(list) => list.iter_mut().for_each(|s| put(s, with)),
        StmtKind::If {
            then, otherwise, ..
        } => {
            put(then, with);
            if let Some(otherwise) = otherwise {
                put(otherwise, with);
            }
        }
        _ => {}
    }
}

/// What stands under it is of no use without it.
fn is_opaque(list: &[Stmt]) -> bool {
    matches!(
        list.first().map(|s| &s.kind),
        Some(StmtKind::Unsupported(_))
    )
}
