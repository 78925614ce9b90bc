//! Expressions, statements and variables that the text does not have.

use crate::frontend::c::syntax::{
    Expr, ExprKind, Scope, Stmt, StmtKind, Symbol, SymbolId, Type, Unit,
};
use crate::scop::{BinaryOp, ScalarKind, ScalarType, UnaryOp};
use crate::source::Span;

pub(super) fn expression(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

pub(super) fn name(symbol: SymbolId, span: Span) -> Expr {
    expression(ExprKind::Name(symbol), span)
}

pub(super) fn integer(value: i64, span: Span) -> Expr {
    expression(ExprKind::Integer(value, value.to_string()), span)
}

pub(super) fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    expression(ExprKind::Binary(op, Box::new(a), Box::new(b)), span)
}

pub(super) fn assign(target: Expr, value: Expr) -> Expr {
    let span = target.span;
    expression(
        ExprKind::Assign(None, Box::new(target), Box::new(value)),
        span,
    )
}

/// `!condition`
pub(super) fn not(condition: Expr) -> Expr {
    let span = condition.span;
    expression(ExprKind::Unary(UnaryOp::Not, Box::new(condition)), span)
}

/// The type `int`.
pub(super) fn int() -> ScalarType {
    ScalarType {
        kind: ScalarKind::I32,
        spelling: ScalarKind::I32.c_name().to_owned(),
    }
}

/// `{ … }`
pub(super) fn block(list: Vec<Stmt>, span: Span) -> Box<Stmt> {
    Box::new(Stmt {
        kind: StmtKind::Block(list),
        span,
    })
}

/// `T x = …;`
pub(super) fn declaration(symbol: SymbolId, span: Span) -> Stmt {
    Stmt {
        kind: StmtKind::Declaration(symbol),
        span,
    }
}

/// `for (T at = …; at < limit; at++) body`, of a variable that is declared with its first value.
pub(super) fn counted(at: SymbolId, limit: Expr, body: Stmt) -> Stmt {
    let span = body.span;
    let step = ExprKind::Increment {
        target: Box::new(name(at, span)),
        by: 1,
        postfix: true,
    };
    let kind = StmtKind::For {
        init: Some(Box::new(declaration(at, span))),
        condition: Some(binary(BinaryOp::Less, name(at, span), limit)),
        step: Some(expression(step, span)),
        body: block(vec![body], span),
    };
    Stmt { kind, span }
}

/// A variable of the region with the type of another one, and a name like its name.
pub(super) fn declared(
    unit: &mut Unit,
    region: usize,
    like: SymbolId,
    initialiser: Option<Expr>,
    span: Span,
) -> SymbolId {
    // Its own name is taken.
    let name = unit.symbols[like].name.clone();
    let ctype = unit.symbols[like].ctype.clone();
    variable(unit, region, &name, ctype, initialiser, span)
}

/// A variable of the region, named so or with a number behind it.
pub(super) fn variable(
    unit: &mut Unit,
    region: usize,
    stem: &str,
    ctype: Type,
    initialiser: Option<Expr>,
    span: Span,
) -> SymbolId {
    let name = fresh(unit, stem);
    unit.symbols.push(Symbol {
        name,
        ctype,
        scope: Scope::Region(region),
        is_static: false,
        is_const: false,
        initialiser,
        span,
    });
    unit.symbols.len() - 1
}

/// A name like this one that nothing in the file has.
pub(super) fn fresh(unit: &Unit, stem: &str) -> String {
    let taken = |name: &str| {
        unit.symbols.iter().any(|s| s.name == name)
            || unit.functions.iter().any(|f| f.name == name)
            || unit.declared.iter().any(|d| d.name == name)
    };
    let mut name = stem.to_owned();
    let mut number = 2;
    while taken(&name) {
        name = format!("{stem}_{number}");
        number += 1;
    }
    name
}
