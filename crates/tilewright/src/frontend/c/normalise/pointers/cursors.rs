//! Loops over pointers: a number counts in place of the pointer, and pointers into one array are
//! compared by what is added to it.
//!
//! `for (float *p = a; p < a + n; p++) *p = 0;` becomes `float *p = a; for (long k = 0; p + k < a + n;
//! k++) *(p + k) = 0;`, and once `a` stands in the place of `p`, the condition is `k < n`. C compares
//! pointers into one object only, and there they compare as their distances do: where a pointer moves
//! to another one that nothing is known of, `p < end`, how far it is to there is a number as any
//! other, which is computed in front of the region.

use crate::frontend::c::lower::loops::{stand_ins, turns};
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::arith::changed_in;
use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::loops::exits;
use crate::frontend::c::normalise::loops::inductions::{self, Step};
use crate::frontend::c::normalise::loops::jumps::continues::CONTINUE;
use crate::frontend::c::normalise::loops::pairs;
use crate::frontend::c::normalise::loops::repeats;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{
    Expr, ExprKind, Scope, Stmt, StmtKind, Symbol, SymbolId, Type, Unit,
};
use crate::scop::{BinaryOp, ScalarKind, ScalarType, UnaryOp, distance};
use crate::source::Span;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// How deep pointers are made of pointers.
const DEPTH: usize = 16;

/// Lets numbers count in heads of loops in place of pointers.
pub(in crate::frontend::c::normalise) fn count(
    unit: &mut Unit,
    region: usize,
    statements: &mut Vec<Stmt>,
) {
    tree::spread(
        statements,
        &mut |mut stmt| match counted(unit, region, &stmt) {
            Some(list) => list,
            None => {
                if goes_on(unit, &stmt) {
                    repeats::rewrite(&mut stmt);
                }
                vec![stmt]
            }
        },
    );
}

/// Whether the head of a `for` loop moves a pointer, and nothing else: as what a `while` loop moves, it
/// may be read behind the loop.
fn goes_on(unit: &Unit, stmt: &Stmt) -> bool {
    let StmtKind::For {
        step: Some(step),
        body,
        ..
    } = &stmt.kind
    else {
        return false;
    };
    let step = inductions::step(&tree::statement(step.clone()));
    let is_pointer = |step: Step| matches!(unit.symbols[step.symbol].ctype, Type::Pointer { .. });
    step.is_some_and(is_pointer) && !CONTINUE.is_in(body)
}

fn counted(unit: &mut Unit, region: usize, stmt: &Stmt) -> Option<Vec<Stmt>> {
    let StmtKind::For {
        init,
        condition: Some(condition),
        step: Some(step),
        body,
    } = &stmt.kind
    else {
        return None;
    };
    let steps = match &step.kind {
        ExprKind::Comma(steps) => steps.clone(),
        _ => vec![step.clone()],
    };
    let is_pointer = |symbol: SymbolId| matches!(unit.symbols[symbol].ctype, Type::Pointer { .. });
    // One that the condition asks for; or the only one, of a loop that something else ends.
    let moves = |step: &Expr| {
        let step = inductions::step(&tree::statement(step.clone()))?;
        let wanted = visit::mentions(condition, step.symbol) || steps.len() == 1;
        (is_pointer(step.symbol) && wanted).then_some(step)
    };
    let at = steps.iter().position(|step| moves(step).is_some())?;
    let Step { symbol, by, down } = moves(&steps[at])?;
    let function = unit.regions[region].function;
    let others = steps.iter().enumerate().filter(|(other, _)| *other != at);
    let alone = others
        .into_iter()
        .all(|(_, other)| !visit::mentions(other, symbol));
    if !alone || !tree::is_pure(condition) {
        return None;
    }
    let begins = match init {
        Some(init) => pairs::begins(unit, init)?,
        None => Vec::new(),
    };
    let own = begins.iter().find(|begin| begin.symbol == symbol);
    let ends =
        own.is_some_and(|begin| begin.declared) || dead::is_dead(unit, function, stmt.span, symbol);
    let assigned = assignments(unit, std::slice::from_ref(&**body), symbol);
    let named = tree::is_in_types(unit, body, symbol);
    if !ends || assigned > 0 || named || !dead::is_own(unit, function, symbol) {
        return None;
    }
    let span = step.span;
    let zero = build::expression(ExprKind::Integer(0, "0L".to_owned()), span);
    let name = format!("{}_moved", unit.symbols[symbol].name);
    let k = build::variable(unit, region, &name, long(), Some(zero), span);
    let there = build::binary(
        BinaryOp::Add,
        build::name(symbol, span),
        build::name(k, span),
    );
    let (mut condition, mut body) = (condition.clone(), (**body).clone());
    tree::replace_in(&mut condition, symbol, &there);
    tree::replace(&mut unit.symbols, &mut body, symbol, &there);
    let op = if down { BinaryOp::Sub } else { BinaryOp::Add };
    let counts = ExprKind::Assign(Some(op), Box::new(build::name(k, span)), Box::new(by));
    let mut steps = steps;
    steps[at] = build::expression(counts, span);
    let step = match <[Expr; 1]>::try_from(steps) {
        Ok([one]) => one,
        Err(steps) => build::expression(ExprKind::Comma(steps), span),
    };
    let mut list: Vec<Stmt> = begins.into_iter().map(|begin| begin.stmt).collect();
    list.push(Stmt {
        kind: StmtKind::For {
            init: Some(Box::new(build::declaration(k, span))),
            condition: Some(condition),
            step: Some(step),
            body: Box::new(body),
        },
        span: stmt.span,
    });
    Some(vec![Stmt {
        kind: StmtKind::Block(list),
        span: stmt.span,
    }])
}

fn long() -> Type {
    Type::Scalar(ScalarType {
        kind: ScalarKind::I64,
        spelling: ScalarKind::I64.c_name().to_owned(),
    })
}

/// How often statements change a variable by its name.
pub(super) fn assignments(unit: &Unit, statements: &[Stmt], symbol: SymbolId) -> usize {
    let mut count = 0;
    for stmt in statements {
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                let sets = facts::target(e).is_some_and(|t| t.kind == ExprKind::Name(symbol));
                count += usize::from(sets);
            });
        });
    }
    count
}

/// Compares pointers into one array by numbers, and subtracts them so. Declarations of pointers that
/// nothing names any more go.
pub(in crate::frontend::c::normalise) fn compare(
    unit: &mut Unit,
    region: usize,
    statements: &mut Vec<Stmt>,
) {
    let mut named = BTreeSet::new();
    for stmt in statements.iter() {
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                if let ExprKind::Name(symbol) = e.kind {
                    named.insert(symbol);
                }
            });
        });
    }
    tree::spread(statements, &mut |stmt| match stmt.kind {
        StmtKind::Declaration(symbol) if !named.contains(&symbol) => {
            let own = &unit.symbols[symbol];
            let idle = matches!(own.ctype, Type::Pointer { .. })
                && own.initialiser.is_none()
                && !own.is_static;
            if idle { Vec::new() } else { vec![stmt] }
        }
        _ => vec![stmt],
    });
    let function = unit.regions[region].function;
    let mut changed = BTreeSet::new();
    for stmt in statements.iter() {
        changed.extend(changed_in(unit, stmt));
    }
    let tests = tests(statements);
    let mut found = false;
    // By their names; whether elements may lie closer to one another than their size.
    let mut distances: BTreeMap<String, (SymbolId, bool)> = BTreeMap::new();
    for stmt in statements.iter() {
        let mut wanted = Vec::new();
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                let sides = sides(unit, function, e);
                found |= sides.as_ref().is_some_and(|[a, b]| a.is_with(b));
                let apart = sides.filter(|sides| is_ordered(e, sides, &tests));
                wanted.extend(apart.and_then(|[a, b]| b.distance(&a, unit, region, &changed)));
            });
        });
        for (symbol, apart) in wanted {
            if let Entry::Vacant(own) = distances.entry(symbol.name.clone()) {
                own.insert((unit.symbols.len(), apart));
                unit.symbols.push(symbol);
            }
        }
    }
    if !found && distances.is_empty() {
        return;
    }
    let before = unit.clone();
    for stmt in statements.iter_mut() {
        tree::expressions_mut(&mut unit.symbols, stmt, &mut |e| {
            if let Some(new) = compared(&before, function, e, &distances, &tests) {
                *e = new;
            }
        });
    }
    let front: Vec<Stmt> = distances
        .values()
        .filter(|(_, apart)| *apart)
        .filter_map(|&(symbol, _)| whole(unit, symbol))
        .collect();
    statements.splice(0..0, front);
}

/// What leaves a region that counts by a distance as it was written where that is no whole number of
/// elements, as of structures of bytes in a file that is cut off: the order of pointers is that of
/// their addresses, but C compilers take differences to be whole. Numbers lie on multiples of their
/// sizes, but for complex ones.
fn whole(unit: &mut Unit, distance: SymbolId) -> Option<Stmt> {
    let own = &unit.symbols[distance];
    let (to, from) = own
        .name
        .strip_prefix('(')?
        .strip_suffix(')')?
        .split_once(" - ")?;
    let bytes = format!("(const char *){to} - (const char *){from}");
    let why = format!("`{to}` is a whole number of elements behind `{from}` or in front of it");
    let rest = Symbol {
        name: format!("(({bytes}) % (long)sizeof(*{to}) != 0)"),
        ctype: Type::Scalar(ScalarType {
            kind: ScalarKind::Bool,
            spelling: "_Bool".to_owned(),
        }),
        ..own.clone()
    };
    let span = own.span;
    unit.symbols.push(rest);
    let kind = StmtKind::If {
        condition: build::name(unit.symbols.len() - 1, span),
        then: Box::new(Stmt {
            kind: StmtKind::Original(why),
            span,
        }),
        otherwise: None,
    };
    Some(Stmt { kind, span })
}

/// Whether objects of a type may lie at distances that are no multiples of its size.
fn lies_anywhere(ctype: &Type) -> bool {
    match ctype {
        Type::Scalar(scalar) => scalar.kind.is_complex(),
        _ => true,
    }
}

/// The tests of loops that nothing but these ends.
fn tests(statements: &[Stmt]) -> Vec<Expr> {
    let mut found = Vec::new();
    let ends = |body: &Stmt| turns::is_left(body) || stand_ins::ends(body);
    for stmt in statements {
        visit::statements(stmt, &mut |stmt| match &stmt.kind {
            StmtKind::While { condition, body }
            | StmtKind::For {
                condition: Some(condition),
                body,
                ..
            } if !ends(body) => {
                found.push(condition.clone());
            }
            // Behind the body.
            StmtKind::While { condition, body }
                if matches!(condition.kind, ExprKind::Integer(1.., _)) =>
            {
                if let StmtKind::Block(list) = &body.kind
                    && let Some((last, rest)) = list.split_last()
                    && let Some(test) = exits::leaves(last)
                    && !rest.iter().any(ends)
                {
                    found.push(match &test.kind {
                        ExprKind::Unary(UnaryOp::Not, inner) => (**inner).clone(),
                        _ => test.clone(),
                    });
                }
            }
            _ => {}
        });
    }
    found
}

/// Whether pointers are asked for their order, which C gives those into one object only, or for the end
/// of a loop to which one comes: no others ever meet. `tests` are those of loops.
fn is_ordered(expr: &Expr, [a, b]: &[Pointer; 2], tests: &[Expr]) -> bool {
    use BinaryOp::*;
    let ExprKind::Binary(op, ..) = &expr.kind else {
        return false;
    };
    let orders = match op {
        Less | Greater | LessEqual | GreaterEqual => true,
        Equal | NotEqual => tests.contains(expr),
        _ => false,
    };
    orders && !a.is_with(b)
}

/// The sides of a comparison or difference of pointers.
fn sides(unit: &Unit, function: usize, expr: &Expr) -> Option<[Pointer; 2]> {
    use BinaryOp::*;
    let ExprKind::Binary(op, a, b) = &expr.kind else {
        return None;
    };
    // A difference has a sign.
    let own = matches!(
        op,
        Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual | Sub
    );
    if !own || !points(unit, a) || !points(unit, b) {
        return None;
    }
    let a = Pointer::of(unit, function, a, DEPTH)?;
    let b = Pointer::of(unit, function, b, DEPTH)?;
    Some([a, b])
}

/// A comparison or difference of pointers into one array in numbers; `distances` are those from one
/// pointer to another one, by their names.
fn compared(
    unit: &Unit,
    function: usize,
    expr: &Expr,
    distances: &BTreeMap<String, (SymbolId, bool)>,
    tests: &[Expr],
) -> Option<Expr> {
    let sides = sides(unit, function, expr)?;
    let ExprKind::Binary(op, ..) = &expr.kind else {
        return None;
    };
    let compares = *op != BinaryOp::Sub;
    let between = match is_ordered(expr, &sides, tests) {
        true => Some(distances.get(&sides[1].distance_name(&sides[0], unit)?)?.0),
        false => None,
    };
    let [mut a, mut b] = sides;
    match between {
        Some(distance) => {
            let distance = build::name(distance, expr.span);
            b.terms.insert(0, (BinaryOp::Add, distance));
        }
        None if !a.is_with(&b) => return None,
        None => {}
    }
    // What is added to both.
    a.terms.retain(|(sign, term)| {
        let twin = b
            .terms
            .iter()
            .position(|(other, twin)| other == sign && visit::same(term, twin));
        if let Some(twin) = twin {
            b.terms.remove(twin);
        }
        twin.is_none()
    });
    // What counts stands alone, as lowering looks for it.
    match (a.counter(unit), b.counter(unit)) {
        _ if !compares => {}
        (Some(at), None) => a.leave(at, &mut b),
        (None, Some(at)) => b.leave(at, &mut a),
        _ => {}
    }
    let (a, b) = (a.sum(unit, expr.span), b.sum(unit, expr.span));
    Some(Expr {
        kind: ExprKind::Binary(*op, Box::new(a), Box::new(b)),
        span: expr.span,
    })
}

pub(super) fn points(unit: &Unit, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::AddressOf(_) => true,
        _ => types::place_type(unit, expr)
            .and_then(types::pointee)
            .is_some(),
    }
}

/// A pointer as another one that stays, and what is added to it and subtracted from it.
struct Pointer {
    root: Expr,
    terms: Vec<(BinaryOp, Expr)>,
}

impl Pointer {
    /// Whether both are the same pointer but for what is added.
    fn is_with(&self, other: &Pointer) -> bool {
        visit::same(&self.root, &other.root)
    }

    /// How far it is from another pointer, in C.
    fn distance_name(&self, from: &Pointer, unit: &Unit) -> Option<String> {
        let name = |pointer: &Pointer| match pointer.root.kind {
            ExprKind::Name(symbol) => Some(unit.symbols[symbol].name.clone()),
            _ => None,
        };
        Some(distance(&name(self)?, &name(from)?))
    }

    /// A variable for how far it is from another pointer: its name is the difference, of which lowering
    /// makes a parameter, and whether elements may [lie anywhere](lies_anywhere). Both are the function's
    /// own, and stay where they are in the region.
    fn distance(
        &self,
        from: &Pointer,
        unit: &Unit,
        region: usize,
        changed: &BTreeSet<SymbolId>,
    ) -> Option<(Symbol, bool)> {
        let function = unit.regions[region].function;
        let stays = |pointer: &Pointer| match pointer.root.kind {
            ExprKind::Name(symbol) => {
                let own = &unit.symbols[symbol];
                let kept = matches!(own.scope, Scope::Function(_) | Scope::Parameter(_));
                let kept = kept && !own.is_static && !changed.contains(&symbol);
                // The name is to mean the same in front of the region.
                let kept = kept && tree::is_seen(unit, region, symbol);
                (kept && dead::is_own(unit, function, symbol)).then_some(own)
            }
            _ => None,
        };
        let (own, other) = (stays(self)?, stays(from)?);
        let elements = types::pointee(&own.ctype)?;
        let whole = match elements {
            Type::Scalar(_) | Type::Struct { .. } => elements == types::pointee(&other.ctype)?,
            _ => false,
        };
        let symbol = Symbol {
            name: distance(&own.name, &other.name),
            ctype: long(),
            scope: own.scope,
            is_static: false,
            is_const: true,
            initialiser: None,
            span: own.span,
        };
        whole.then(|| (symbol, lies_anywhere(elements)))
    }

    fn of(unit: &Unit, function: usize, expr: &Expr, depth: usize) -> Option<Pointer> {
        if depth == 0 {
            return None;
        }
        match &expr.kind {
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) if points(unit, a) => {
                types::scalar_kind(unit, b).filter(|kind| !kind.is_float())?;
                let mut pointer = Pointer::of(unit, function, a, depth - 1)?;
                pointer.terms.push((*op, (**b).clone()));
                Some(pointer)
            }
            ExprKind::Binary(BinaryOp::Add, a, b) if points(unit, b) => {
                types::scalar_kind(unit, a).filter(|kind| !kind.is_float())?;
                let mut pointer = Pointer::of(unit, function, b, depth - 1)?;
                pointer.terms.push((BinaryOp::Add, (**a).clone()));
                Some(pointer)
            }
            ExprKind::AddressOf(place) => match &place.kind {
                ExprKind::Subscript(base, index) if points(unit, base) => {
                    let mut pointer = Pointer::of(unit, function, base, depth - 1)?;
                    pointer.terms.push((BinaryOp::Add, (**index).clone()));
                    Some(pointer)
                }
                ExprKind::Dereference(base) => Pointer::of(unit, function, base, depth - 1),
                _ => None,
            },
            ExprKind::Name(symbol) => match held(unit, function, *symbol) {
                Some(value) => Pointer::of(unit, function, value, depth - 1),
                None => Some(Pointer {
                    root: expr.clone(),
                    terms: Vec::new(),
                }),
            },
            // Both sides read it at the same time.
            ExprKind::Field(..)
            | ExprKind::Arrow(..)
            | ExprKind::Subscript(..)
            | ExprKind::Dereference(_)
                if tree::is_pure(expr) =>
            {
                Some(Pointer {
                    root: expr.clone(),
                    terms: Vec::new(),
                })
            }
            _ => None,
        }
    }

    /// Where among what is added a variable stands that counts what a pointer has moved by.
    fn counter(&self, unit: &Unit) -> Option<usize> {
        self.terms.iter().position(|(op, term)| {
            let ExprKind::Name(symbol) = term.kind else {
                return false;
            };
            let own = &unit.symbols[symbol];
            let zero = own
                .initialiser
                .as_ref()
                .is_some_and(|value| matches!(value.kind, ExprKind::Integer(0, _)));
            *op == BinaryOp::Add
                && zero
                && matches!(own.scope, Scope::Region(_))
                && facts::integer_kind(unit, symbol) == Some(ScalarKind::I64)
        })
    }

    /// Leaves one of what is added, and takes the others from the other side.
    fn leave(&mut self, at: usize, other: &mut Pointer) {
        let alone = self.terms.remove(at);
        for (op, term) in std::mem::replace(&mut self.terms, vec![alone]) {
            let op = match op {
                BinaryOp::Add => BinaryOp::Sub,
                _ => BinaryOp::Add,
            };
            other.terms.push((op, term));
        }
    }

    /// What is added, as a `long`: within an object there are no larger distances.
    fn sum(self, unit: &Unit, span: Span) -> Expr {
        let wide = |term: Expr| match types::scalar_kind(unit, &term) {
            Some(ScalarKind::I64) => term,
            _ => build::expression(ExprKind::Cast(long(), Box::new(term)), span),
        };
        let zero = build::expression(ExprKind::Integer(0, "0L".to_owned()), span);
        let mut sum: Option<Expr> = None;
        for (op, term) in self.terms {
            let term = wide(term);
            sum = Some(match sum {
                None if op == BinaryOp::Add => term,
                None => build::binary(op, zero.clone(), term),
                Some(sum) => build::binary(op, sum, term),
            });
        }
        sum.unwrap_or(zero)
    }
}

/// What a pointer of the function points at for as long as the function runs: it and all that is in
/// its initial value are never assigned.
fn held(unit: &Unit, function: usize, symbol: SymbolId) -> Option<&Expr> {
    let own = &unit.symbols[symbol];
    let value = own.initialiser.as_ref()?;
    let stays = |symbol: SymbolId| {
        let body = std::slice::from_ref(&unit.functions[function].body);
        let own = &unit.symbols[symbol];
        matches!(own.scope, Scope::Function(_) | Scope::Parameter(_))
            && dead::is_own(unit, function, symbol)
            && assignments(unit, body, symbol) == 0
    };
    let inside = matches!(own.scope, Scope::Function(_));
    let mut constant = inside && stays(symbol) && matches!(own.ctype, Type::Pointer { .. });
    visit::walk(value, &mut |e| {
        constant &= match &e.kind {
            ExprKind::Name(other) => stays(*other),
            ExprKind::Integer(..) | ExprKind::Unary(..) | ExprKind::Binary(..) => true,
            _ => false,
        };
    });
    // Of another type it would be other elements.
    let pointee = |ctype: &Type| types::pointee(ctype).cloned();
    let same = types::place_type(unit, value).and_then(pointee) == pointee(&own.ctype);
    (constant && same).then_some(value)
}
