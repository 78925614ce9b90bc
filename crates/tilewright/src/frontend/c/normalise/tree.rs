//! Walks over trees that are rewritten.

use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{
    Expr, ExprKind, Scope, Sized, Stmt, StmtKind, Symbol, SymbolId, Type, Unit,
};
use std::collections::BTreeSet;

/// Calls `rewrite` on everything below a statement and on itself, inner ones first.
pub(super) fn statements_mut(stmt: &mut Stmt, rewrite: &mut dyn FnMut(&mut Stmt)) {
    match &mut stmt.kind {
        StmtKind::Block(list) => list.iter_mut().for_each(|s| statements_mut(s, rewrite)),
        StmtKind::For { init, body, .. } => {
            if let Some(init) = init {
                statements_mut(init, rewrite);
            }
            statements_mut(body, rewrite);
        }
        StmtKind::If {
            then, otherwise, ..
        } => {
            statements_mut(then, rewrite);
            if let Some(otherwise) = otherwise {
                statements_mut(otherwise, rewrite);
            }
        }
        StmtKind::While { body, .. } => statements_mut(body, rewrite),
        _ => {}
    }
    rewrite(stmt);
}

/// Calls `rewrite` on every expression in a statement, initial values of what it declares included;
/// inner ones first.
pub(super) fn expressions_mut(
    symbols: &mut [Symbol],
    stmt: &mut Stmt,
    rewrite: &mut dyn FnMut(&mut Expr),
) {
    statements_mut(stmt, &mut |stmt| match &mut stmt.kind {
        StmtKind::Declaration(symbol) => {
            if let Some(value) = &mut symbols[*symbol].initialiser {
                walk_mut(value, rewrite);
            }
        }
        StmtKind::Expression(e) | StmtKind::Return(Some(e)) => walk_mut(e, rewrite),
        StmtKind::For {
            condition, step, ..
        } => condition
            .iter_mut()
            .chain(step)
            .for_each(|e| walk_mut(e, rewrite)),
        StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => {
            walk_mut(condition, rewrite);
        }
        _ => {}
    });
}

/// The expressions directly below one, as [`visit::children`].
pub(super) fn children_mut(expr: &mut Expr) -> Vec<&mut Expr> {
    match &mut expr.kind {
        ExprKind::Integer(..)
        | ExprKind::Literal(_)
        | ExprKind::Name(_)
        | ExprKind::Unknown(_)
        | ExprKind::SizeOf(..)
        | ExprKind::Unsupported(_) => Vec::new(),
        ExprKind::Field(a, _)
        | ExprKind::Arrow(a, _)
        | ExprKind::Dereference(a)
        | ExprKind::AddressOf(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Cast(_, a)
        | ExprKind::Increment { target: a, .. } => vec![a],
        ExprKind::Subscript(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
            vec![a, b]
        }
        ExprKind::Conditional(a, b, c) => vec![a, b, c],
        ExprKind::Call(_, list) | ExprKind::Comma(list) | ExprKind::List(list) => {
            list.iter_mut().collect()
        }
    }
}

/// Calls `rewrite` on everything below an expression and on itself, inner ones first.
pub(super) fn walk_mut(expr: &mut Expr, rewrite: &mut dyn FnMut(&mut Expr)) {
    for child in children_mut(expr) {
        walk_mut(child, rewrite);
    }
    rewrite(expr);
}

/// The number of expressions in one.
pub(super) fn size(expr: &Expr) -> usize {
    let mut size = 0;
    visit::walk(expr, &mut |_| size += 1);
    size
}

/// Whether an expression consists of numbers, variables and fields alone, and changes nothing: its
/// value changes only where one of them does.
pub(super) fn is_stable(expr: &Expr) -> bool {
    let mut stable = true;
    visit::walk(expr, &mut |e| {
        stable &= match &e.kind {
            ExprKind::Integer(..)
            | ExprKind::Name(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..)
            | ExprKind::Cast(..) => true,
            ExprKind::Field(..) | ExprKind::Arrow(..) => facts::plain_key(e).is_some(),
            _ => false,
        };
    });
    stable
}

/// Calls `rewrite` on every expression that a statement reads, without those below it: not on
/// variables that it assigns.
pub(super) fn reads_mut(
    symbols: &mut [Symbol],
    stmt: &mut Stmt,
    rewrite: &mut dyn FnMut(&mut Expr),
) {
    match &mut stmt.kind {
        StmtKind::Declaration(symbol) => {
            if let Some(value) = &mut symbols[*symbol].initialiser {
                read_mut(value, rewrite);
            }
        }
        StmtKind::Expression(e) | StmtKind::Return(Some(e)) => read_mut(e, rewrite),
        _ => {}
    }
}

/// [`reads_mut`] of a statement and all below it, heads of loops included.
pub(super) fn everything_mut(
    symbols: &mut [Symbol],
    stmt: &mut Stmt,
    rewrite: &mut dyn FnMut(&mut Expr),
) {
    statements_mut(stmt, &mut |stmt| match &mut stmt.kind {
        StmtKind::For {
            condition, step, ..
        } => condition
            .iter_mut()
            .chain(step)
            .for_each(|e| read_mut(e, rewrite)),
        StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => {
            read_mut(condition, rewrite);
        }
        _ => reads_mut(symbols, stmt, rewrite),
    });
}

/// Everything in an expression but variables that it assigns or takes the address of.
fn read_mut(expr: &mut Expr, rewrite: &mut dyn FnMut(&mut Expr)) {
    let sets = matches!(
        expr.kind,
        ExprKind::Assign(..) | ExprKind::Increment { .. } | ExprKind::AddressOf(_)
    );
    for (position, child) in children_mut(expr).into_iter().enumerate() {
        if !(sets && position == 0 && matches!(child.kind, ExprKind::Name(_))) {
            read_mut(child, rewrite);
        }
    }
    rewrite(expr);
}

/// The value that a variable of the function has in front of a region: its initialiser, where only the
/// region changes it, and is executed once, and nothing changes what is in it.
pub(super) fn value_in_front(unit: &Unit, number: usize, symbol: SymbolId) -> Option<Expr> {
    let own = &unit.symbols[symbol];
    let region = &unit.regions[number];
    let value = own.initialiser.as_ref()?;
    let kind = facts::integer_kind(unit, symbol)?;
    let same = types::scalar_kind(unit, value) == Some(kind)
        || matches!(value.kind, ExprKind::Integer(0..=0x7fff_ffff, _));
    let local = own.scope == Scope::Function(region.function) && !own.is_static;
    let mut named = BTreeSet::new();
    let mut plain = is_stable(value);
    visit::walk(value, &mut |e| match e.kind {
        ExprKind::Name(other) => {
            let other_own = &unit.symbols[other];
            plain &= other_own.scope != Scope::File && !other_own.is_static;
            plain &= !facts::is_hidden(unit, other);
            named.insert(other);
        }
        ExprKind::Field(..) | ExprKind::Arrow(..) => plain = false,
        _ => {}
    });
    if !local || !plain || !same {
        return None;
    }
    let function = &unit.functions[region.function];
    let mut elsewhere = false;
    visit::expressions(unit, &function.body, &mut |top| {
        let inside = (region.span.start..region.span.end).contains(&top.span.start);
        visit::walk(top, &mut |e| {
            let changed = match &e.kind {
                ExprKind::AddressOf(place) => Some(&**place),
                _ => facts::target(e),
            };
            if let Some(ExprKind::Name(changed)) = changed.map(|place| &place.kind) {
                elsewhere |= named.contains(changed) || !inside && *changed == symbol;
            }
        });
    });
    (!elsewhere && !is_repeated(unit, number)).then(|| value.clone())
}

/// What stands for a variable that holds a value: a number that is an `int` in the text has the type of
/// the variable.
pub(super) fn in_place_of(unit: &Unit, symbol: SymbolId, value: &Expr) -> Expr {
    let number = matches!(value.kind, ExprKind::Integer(..));
    let other = types::scalar_kind(unit, value) != facts::integer_kind(unit, symbol);
    match number && other {
        true => Expr {
            kind: ExprKind::Cast(unit.symbols[symbol].ctype.clone(), Box::new(value.clone())),
            span: value.span,
        },
        false => value.clone(),
    }
}

/// Whether a region may be executed several times in one call of its function.
pub(super) fn is_repeated(unit: &Unit, number: usize) -> bool {
    let region = &unit.regions[number];
    let mut repeated = false;
    visit::statements(&unit.functions[region.function].body, &mut |stmt| {
        let around = stmt.span.start < region.span.start && region.span.start < stmt.span.end;
        repeated |= match &stmt.kind {
            StmtKind::For { .. } | StmtKind::While { .. } => around,
            StmtKind::Unsupported("do") => around,
            _ => visit::jumps(unit, stmt),
        };
    });
    repeated
}

/// Whether a variable's name means it where a region begins.
pub(super) fn is_seen(unit: &Unit, number: usize, symbol: SymbolId) -> bool {
    let region = &unit.regions[number];
    let function = &unit.functions[region.function];
    let name = &unit.symbols[symbol].name;
    let is = |other: &&SymbolId| unit.symbols[**other].name == *name;
    let mut means = function.parameters.iter().find(is).copied();
    let start = region.pragma.start;
    leads(unit, &function.body, start, name, &mut means) && means == Some(symbol)
}

/// Whether a region is in a statement: then `means` is the variable of a name that is seen there, of those
/// that the statement declares, or else what it was.
fn leads(unit: &Unit, stmt: &Stmt, start: usize, name: &str, means: &mut Option<SymbolId>) -> bool {
    let around = *means;
    let found = match &stmt.kind {
        StmtKind::Block(list) => list.iter().any(|stmt| {
            let own = matches!(&stmt.kind, StmtKind::Pragma(of) if of == "scop");
            match stmt.kind {
                StmtKind::Declaration(symbol) if unit.symbols[symbol].name == name => {
                    *means = Some(symbol);
                    false
                }
                _ => own && stmt.span.start == start || leads(unit, stmt, start, name, means),
            }
        }),
        StmtKind::For { init, body, .. } => {
            if let Some(init) = init {
                visit::statements(init, &mut |stmt| {
                    if let StmtKind::Declaration(symbol) = stmt.kind
                        && unit.symbols[symbol].name == name
                    {
                        *means = Some(symbol);
                    }
                });
            }
            leads(unit, body, start, name, means)
        }
        StmtKind::While { body, .. } => leads(unit, body, start, name, means),
        StmtKind::If {
            then, otherwise, ..
        } => {
            leads(unit, then, start, name, means)
                || otherwise
                    .as_deref()
                    .is_some_and(|stmt| leads(unit, stmt, start, name, means))
        }
        _ => false,
    };
    if !found {
        *means = around;
    }
    found
}

/// The variable that a place is part of; `None` where it is behind a pointer.
pub(super) fn object(unit: &Unit, place: &Expr) -> Option<SymbolId> {
    match &place.kind {
        ExprKind::Name(symbol) => Some(*symbol),
        ExprKind::Field(whole, _) => object(unit, whole),
        ExprKind::Subscript(base, index) => match types::place_type(unit, base) {
            Some(Type::Array { .. }) => object(unit, base),
            Some(_) => None,
            // `2[a]`
            None => object(unit, base).or_else(|| object(unit, index)),
        },
        _ => None,
    }
}

/// How often statements name a variable.
pub(super) fn names_of(unit: &Unit, statements: &[Stmt], symbol: SymbolId) -> usize {
    let mut count = 0;
    for stmt in statements {
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                count += usize::from(e.kind == ExprKind::Name(symbol));
            });
        });
    }
    count
}

/// Puts the statements that `rewrite` makes of one in its place, everywhere in a list and in the
/// statements below; inner ones first. A body that is no block becomes one where it needs to. Heads
/// of loops and what stands under `do` and `switch` are left alone.
pub(super) fn spread(list: &mut Vec<Stmt>, rewrite: &mut dyn FnMut(Stmt) -> Vec<Stmt>) {
    if let Some(Stmt {
        kind: StmtKind::Unsupported("do" | "switch" | "asm"),
        ..
    }) = list.first()
    {
        return;
    }
    for mut stmt in std::mem::take(list) {
        match &mut stmt.kind {
            StmtKind::Block(list) => spread(list, rewrite),
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => spread_body(body, rewrite),
            StmtKind::If {
                then, otherwise, ..
            } => {
                spread_body(then, rewrite);
                if let Some(otherwise) = otherwise {
                    spread_body(otherwise, rewrite);
                }
            }
            _ => {}
        }
        list.extend(rewrite(stmt));
    }
}

fn spread_body(body: &mut Stmt, rewrite: &mut dyn FnMut(Stmt) -> Vec<Stmt>) {
    let span = body.span;
    let mut list = match std::mem::replace(&mut body.kind, StmtKind::Empty) {
        // A block of its own: what is declared in it stays in it.
        kind @ StmtKind::Block(_) => {
            body.kind = kind;
            if let StmtKind::Block(list) = &mut body.kind {
                spread(list, rewrite);
            }
            return;
        }
        kind => vec![Stmt { kind, span }],
    };
    spread(&mut list, rewrite);
    *body = match (list.pop(), list.is_empty()) {
        (Some(only), true) => only,
        (last, _) => {
            list.extend(last);
            Stmt {
                kind: StmtKind::Block(list),
                span,
            }
        }
    };
}

/// An expression as a statement with its text.
pub(super) fn statement(expr: Expr) -> Stmt {
    Stmt {
        span: expr.span,
        kind: StmtKind::Expression(expr),
    }
}

/// How often an expression names a variable.
pub(super) fn mentions(expr: &Expr, symbol: SymbolId) -> usize {
    let mut found = 0;
    visit::walk(expr, &mut |e| {
        found += usize::from(e.kind == ExprKind::Name(symbol));
    });
    found
}

/// Whether extents in the types of a statement name a variable: of what it declares, casts to, and asks
/// the size of. What stands in place of a variable does not come there.
pub(super) fn is_in_types(unit: &Unit, stmt: &Stmt, symbol: SymbolId) -> bool {
    fn names(ctype: &Type, symbol: SymbolId) -> bool {
        match ctype {
            Type::Array {
                element, extent, ..
            } => extent.as_ref().is_some_and(|e| mentions(e, symbol) > 0) || names(element, symbol),
            Type::Pointer { target, .. } => names(target, symbol),
            _ => false,
        }
    }
    let mut found = false;
    visit::statements(stmt, &mut |stmt| {
        if let StmtKind::Declaration(own) = stmt.kind {
            found |= names(&unit.symbols[own].ctype, symbol);
        }
        for top in visit::own_expressions(unit, stmt) {
            visit::walk(top, &mut |e| {
                found |= match &e.kind {
                    ExprKind::Cast(ctype, _) => names(ctype, symbol),
                    ExprKind::SizeOf(of, _) => match of {
                        Sized::Type(ctype) => names(ctype, symbol),
                        Sized::Value(value) => mentions(value, symbol) > 0,
                    },
                    _ => false,
                };
            });
        }
    });
    found
}

/// Whether an expression changes nothing.
pub(super) fn is_pure(expr: &Expr) -> bool {
    let mut pure = true;
    visit::walk(expr, &mut |e| {
        pure &= !matches!(
            e.kind,
            ExprKind::Assign(..)
                | ExprKind::Increment { .. }
                | ExprKind::Call(..)
                | ExprKind::Unsupported(_)
        );
    });
    pure
}

/// Puts a value in the place of a variable that a statement does not change.
pub(super) fn replace(symbols: &mut [Symbol], stmt: &mut Stmt, symbol: SymbolId, value: &Expr) {
    expressions_mut(symbols, stmt, &mut |e| put(e, symbol, value));
}

/// The same in an expression.
pub(super) fn replace_in(expr: &mut Expr, symbol: SymbolId, value: &Expr) {
    walk_mut(expr, &mut |e| put(e, symbol, value));
}

fn put(expr: &mut Expr, symbol: SymbolId, value: &Expr) {
    if expr.kind == ExprKind::Name(symbol) {
        expr.kind = value.kind.clone();
    }
}

/// Shows the list in which a region stands that begins with this pragma, and where its statements are in
/// the list; false where there is none.
pub(super) fn at_region(
    stmt: &mut Stmt,
    pragma: usize,
    change: &mut dyn FnMut(&mut Vec<Stmt>, std::ops::Range<usize>),
) -> bool {
    let is = |stmt: &Stmt, words: &str| matches!(&stmt.kind, StmtKind::Pragma(of) if of == words);
    match &mut stmt.kind {
        StmtKind::Block(list) => {
            let begins = |stmt: &Stmt| is(stmt, "scop") && stmt.span.start == pragma;
            if let Some(first) = list.iter().position(begins) {
                let behind = &list[first + 1..];
                let count = behind.iter().position(|stmt| is(stmt, "endscop"));
                let end = count.map_or(list.len(), |count| first + 1 + count);
                change(list, first + 1..end);
                return true;
            }
            list.iter_mut().any(|stmt| at_region(stmt, pragma, change))
        }
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
            at_region(body, pragma, change)
        }
        StmtKind::If {
            then, otherwise, ..
        } => {
            at_region(then, pragma, change)
                || otherwise
                    .as_mut()
                    .is_some_and(|stmt| at_region(stmt, pragma, change))
        }
        _ => false,
    }
}
