//! Loops whose variable moves by more than one and is read behind them, or by a variable: the turns
//! are counted, and what the variable is follows from that.
//!
//! `for (i = a; i < n; i += hop) v[i] = …;` becomes `for (k = 0; k < turns; k++) v[a + k * hop] = …;`
//! with `turns = hop > 0 && a < n ? (n - a - 1) / hop + 1 : 0`, which lowering computes in front of
//! the region where it can, and behind the loop `i = a + turns * hop;` where somebody reads that. With a
//! step that is not positive the loop has no end, or leaves the range of its variable's type: that is
//! compared, as is what else has to hold ([`StmtKind::Original`]).
//!
//! Loops inside that begin where such a loop stands, `for (j = i; j < i + w; j++)`, begin with 0 then,
//! as products of variables are no bounds.

mod head;
mod inside;

use super::heads;
use super::inductions;
use super::repeats;
use crate::frontend::c::lower::loops::{stand_ins, turns};
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::arith::{Arith, Members, changed_in};
use crate::frontend::c::normalise::build::{self, binary, declared, expression, name};
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::parse::constant;
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::frontend::c::types as ctext;
use crate::scop::{BinaryOp, ScalarKind};
use crate::source::Span;
use head::Strided;
use std::collections::BTreeSet;

/// Counts the turns of loops with long strides.
pub(in crate::frontend::c::normalise) fn count(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    let known = Known::of(unit, number, statements);
    list(unit, &known, statements);
}

/// Whether the turns of a loop among a region's statements are counted. These stand in the function, too.
pub(in crate::frontend::c::normalise) fn is_counted(
    unit: &Unit,
    number: usize,
    statements: &[Stmt],
    stmt: &Stmt,
) -> bool {
    let known = Known::of(unit, number, statements);
    let head = Strided::of(unit, &known, stmt, None);
    head.is_some_and(|head| head.needs(unit, &known).is_some())
}

/// What is known of a region's variables.
struct Known {
    number: usize,
    members: Members,
    /// The variables that its statements change.
    changed: BTreeSet<SymbolId>,
    /// Those of heads of loops.
    heads: BTreeSet<SymbolId>,
    /// Those that say how far pointers have moved behind the region.
    carried: BTreeSet<SymbolId>,
}

/// The variables whose last values say how far pointers have moved.
fn carried(unit: &Unit, number: usize, statements: &[Stmt]) -> BTreeSet<SymbolId> {
    let moves = unit.regions[number].edges.moves.iter();
    let left: BTreeSet<SymbolId> = moves.filter_map(|one| one.counter).collect();
    let kept = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Expression(Expr {
            kind: ExprKind::Assign(None, target, value),
            ..
        }) => match (&target.kind, &value.kind) {
            (ExprKind::Name(own), ExprKind::Name(moved)) => left.contains(own).then_some(*moved),
            _ => None,
        },
        _ => None,
    };
    statements.iter().filter_map(kept).collect()
}

impl Known {
    fn of(unit: &Unit, number: usize, statements: &[Stmt]) -> Known {
        let mut known = Known {
            number,
            members: Members::changed_in(unit, statements),
            changed: BTreeSet::new(),
            heads: BTreeSet::new(),
            carried: carried(unit, number, statements),
        };
        for stmt in statements {
            known.note(unit, stmt);
        }
        known
    }

    fn note(&mut self, unit: &Unit, stmt: &Stmt) {
        visit::statements(stmt, &mut |stmt| {
            let mut own = None;
            if let StmtKind::For {
                init: Some(init), ..
            } = &stmt.kind
            {
                own = facts::set_first(init);
                self.heads.extend(own);
            }
            for top in visit::own_expressions(unit, stmt) {
                visit::walk(top, &mut |e| {
                    let place = match &e.kind {
                        ExprKind::AddressOf(place) => Some(&**place),
                        _ => facts::target(e),
                    };
                    if let Some(ExprKind::Name(symbol)) = place.map(|place| &place.kind)
                        && Some(*symbol) != own
                    {
                        self.changed.insert(*symbol);
                    }
                });
            }
        });
    }

    /// Whether an expression is a sum of products of numbers and integers, of which no statement of the
    /// region changes any; variables of loops around it count where `loops`.
    fn is_fixed(&self, unit: &Unit, expr: &Expr, loops: bool) -> bool {
        let of = |e: &Expr| self.is_fixed(unit, e, loops);
        match &expr.kind {
            ExprKind::Integer(..) => true,
            ExprKind::Name(symbol) => {
                let function = unit.regions[self.number].function;
                let kind = facts::integer_kind(unit, *symbol);
                let narrow = |kind| types::narrow_range(kind).is_some();
                kind.is_some_and(|kind| !narrow(kind) || kind != ScalarKind::Bool)
                    && dead::is_own(unit, function, *symbol)
                    && !self.changed.contains(symbol)
                    && (loops || !self.heads.contains(symbol))
                    && self.is_defined(unit, *symbol, loops)
            }
            ExprKind::Field(..) | ExprKind::Arrow(..) => {
                facts::plain_key(expr).is_some()
                    && !self.members.change(expr)
                    && types::scalar_kind(unit, expr).is_some_and(|kind| !kind.is_float())
            }
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => of(a) && of(b),
            ExprKind::Binary(BinaryOp::Div, a, b) => {
                of(a) && constant::value(b).is_some_and(|by| by > 0)
            }
            ExprKind::Cast(Type::Scalar(to), a) => !to.kind.is_float() && of(a),
            _ => false,
        }
    }

    /// Whether a variable of the region, if it is one, is declared with such a value.
    fn is_defined(&self, unit: &Unit, symbol: SymbolId, loops: bool) -> bool {
        let own = &unit.symbols[symbol];
        let inside = matches!(own.scope, Scope::Region(_));
        if !inside || self.heads.contains(&symbol) {
            return true;
        }
        let value = own.initialiser.as_ref();
        value.is_some_and(|value| self.is_fixed(unit, value, loops))
    }

    /// The same without products of variables of loops, and without quotients of products: what can be
    /// compared in front of the region.
    fn is_linear(&self, unit: &Unit, expr: &Expr) -> bool {
        let product = |e: &Expr| match &e.kind {
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                constant::value(a).is_none() && constant::value(b).is_none()
            }
            _ => false,
        };
        let mut linear = true;
        visit::walk(expr, &mut |e| {
            linear &= !product(e) || self.is_fixed(unit, e, false);
            if let ExprKind::Binary(BinaryOp::Div, a, _) = &e.kind {
                visit::walk(a, &mut |e| linear &= !product(e));
            }
        });
        linear && self.is_fixed(unit, expr, true)
    }
}

fn list(unit: &mut Unit, known: &Known, statements: &mut Vec<Stmt>) {
    if let Some(Stmt {
        kind: StmtKind::Unsupported("do" | "switch" | "asm"),
        ..
    }) = statements.first()
    {
        return;
    }
    let mut all = Vec::new();
    for mut stmt in std::mem::take(statements) {
        step_last(unit, &mut stmt);
        inside(unit, known, &mut stmt);
        let begin = begin(unit, &all, &stmt);
        match counted(unit, known, &stmt, begin) {
            Some(more) => all.extend(more),
            None => all.push(stmt),
        }
    }
    *statements = all;
}

/// The same below a statement. What is inside of a loop that does not count stays as it is: that loop is
/// one step.
fn inside(unit: &mut Unit, known: &Known, stmt: &mut Stmt) {
    let counts = match &stmt.kind {
        StmtKind::While { condition, body } => turns::counts(condition, body),
        StmtKind::For { .. } => repeats::counts(unit, stmt),
        _ => true,
    };
    if !counts && Strided::of(unit, known, stmt, None).is_none() {
        return;
    }
    match &mut stmt.kind {
        StmtKind::Block(inner) => list(unit, known, inner),
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => branch(unit, known, body),
        StmtKind::If {
            then, otherwise, ..
        } => {
            branch(unit, known, then);
            if let Some(otherwise) = otherwise {
                branch(unit, known, otherwise);
            }
        }
        _ => {}
    }
}

fn branch(unit: &mut Unit, known: &Known, stmt: &mut Stmt) {
    inside(unit, known, stmt);
    if let Some(more) = counted(unit, known, stmt, None) {
        stmt.kind = StmtKind::Block(more);
    }
}

/// Lets the last statement of a `while` loop step what its condition compares, where nothing behind the
/// step reads it: `p++; q++;`.
fn step_last(unit: &Unit, stmt: &mut Stmt) {
    let StmtKind::While { condition, body } = &mut stmt.kind else {
        return;
    };
    let mut jumps = false;
    visit::statements(body, &mut |stmt| {
        jumps |= matches!(stmt.kind, StmtKind::Unsupported(_) | StmtKind::Return(_));
    });
    let StmtKind::Block(list) = &mut body.kind else {
        return;
    };
    if jumps {
        return;
    }
    let steps = |stmt: &Stmt| {
        let step = inductions::step(stmt)?;
        let own = visit::mentions(condition, step.symbol) && step.constant().is_some();
        own.then_some(step.symbol)
    };
    let Some((at, symbol)) = list
        .iter()
        .enumerate()
        .find_map(|(at, s)| Some((at, steps(s)?)))
    else {
        return;
    };
    // What it is compared with stays.
    let mut changed = list.iter().flat_map(|stmt| changed_in(unit, stmt));
    if changed.any(|other| other != symbol && visit::mentions(condition, other)) {
        return;
    }
    if tree::names_of(unit, &list[at + 1..], symbol) == 0 {
        let step = list.remove(at);
        list.push(step);
    }
}

/// The number that a `while` loop's variable begins with, where a statement in front of it declares it
/// with that, and none changes it on the way.
fn begin(unit: &Unit, front: &[Stmt], stmt: &Stmt) -> Option<Expr> {
    let StmtKind::While { body, .. } = &stmt.kind else {
        return None;
    };
    let StmtKind::Block(list) = &body.kind else {
        return None;
    };
    let symbol = inductions::step(list.last()?)?.symbol;
    let is_own = |stmt: &Stmt| stmt.kind == StmtKind::Declaration(symbol);
    let at = front.iter().rposition(is_own)?;
    let mut between = front[at + 1..].iter();
    let kept = between.all(|stmt| !changed_in(unit, stmt).contains(&symbol));
    let value = unit.symbols[symbol].initialiser.clone()?;
    (kept && matches!(value.kind, ExprKind::Integer(0.., _))).then_some(value)
}

/// A loop that counts turns, what has to hold in front of it, and what is left behind it.
fn counted(unit: &mut Unit, known: &Known, stmt: &Stmt, begin: Option<Expr>) -> Option<Vec<Stmt>> {
    let head = Strided::of(unit, known, stmt, begin)?;
    if !head.is_number() && inside::is_in_several(unit, &head.body, head.symbol) {
        return None;
    }
    let needs = head.needs(unit, known)?;
    let turns = head.turns(unit);
    let span = head.span;
    let arith = head.arith(unit);
    let mut list = Vec::new();
    for (bad, why) in needs {
        list.push(Stmt {
            kind: StmtKind::If {
                condition: bad,
                then: Box::new(Stmt {
                    kind: StmtKind::Original(why),
                    span,
                }),
                otherwise: None,
            },
            span,
        });
    }
    let counter = declared(unit, known.number, head.symbol, Some(arith.number(0)), span);
    if !head.is_number() {
        unit.regions[known.number].turns.push(counter);
    }
    let k = name(counter, span);
    let mut body = head.body.clone();
    let value = head.after(unit, k.clone());
    inside::shift(unit, known, &mut body, &head);
    head.divide(unit, &mut body, &k);
    tree::replace(&mut unit.symbols, &mut body, head.symbol, &value);
    list.push(Stmt {
        kind: StmtKind::For {
            init: Some(Box::new(build::declaration(counter, span))),
            condition: Some(binary(BinaryOp::Less, k.clone(), turns.clone())),
            step: Some(expression(
                ExprKind::Increment {
                    target: Box::new(k),
                    by: 1,
                    postfix: true,
                },
                span,
            )),
            body: Box::new(body),
        },
        span: stmt.span,
    });
    if head.is_read {
        let last = head.after(unit, head.not_negative(unit, turns));
        list.push(tree::statement(build::assign(
            name(head.symbol, span),
            last,
        )));
    }
    Some(list)
}
