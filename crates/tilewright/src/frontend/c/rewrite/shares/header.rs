//! Heads of loops whose iterations can be told apart by their number: `for (int i = a; i < b; i++)`.

use super::{Span, Token, tokens};
use crate::frontend::c::lower::surroundings::{changes, facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::frontend::c::types as ctext;
use crate::scop::{BinaryOp, ScalarKind};
use std::collections::BTreeSet;

/// A head, with the places in it that change.
pub(super) struct Header {
    /// The variable's name.
    pub name: String,
    /// Its type.
    pub ctype: String,
    /// The first value.
    pub first: Span,
    /// The same as text.
    pub from: String,
    /// The condition.
    pub condition: Span,
    /// What it compares the variable with, as text.
    pub to: String,
    /// Whether that is the last value.
    pub inclusive: bool,
}

/// Where a loop begins, and what its condition compares.
pub(super) struct Ends<'u> {
    /// The variable that it sets first.
    pub variable: SymbolId,
    /// Its first value.
    pub first: &'u Expr,
    /// The condition, an operator with two sides.
    pub comparison: (BinaryOp, &'u Expr, &'u Expr),
}

impl<'u> Ends<'u> {
    pub fn of(unit: &'u Unit, stmt: &'u Stmt) -> Option<Ends<'u>> {
        let StmtKind::For {
            init: Some(init),
            condition: Some(condition),
            ..
        } = &stmt.kind
        else {
            return None;
        };
        let variable = facts::set_first(init)?;
        let first = match &init.kind {
            StmtKind::Declaration(_) => unit.symbols[variable].initialiser.as_ref()?,
            StmtKind::Expression(Expr {
                kind: ExprKind::Assign(None, _, value),
                ..
            }) => value,
            _ => return None,
        };
        let ExprKind::Binary(op, left, bound) = &condition.kind else {
            return None;
        };
        Some(Ends {
            variable,
            first,
            comparison: (*op, left, bound),
        })
    }
}

fn name_of(expr: &Expr) -> Option<SymbolId> {
    match expr.kind {
        ExprKind::Name(symbol) => Some(symbol),
        _ => None,
    }
}

impl Header {
    /// The head of a loop, whose text is what it seems to be; `None` of others. `parameters`: places that
    /// are the same in all of the region.
    pub fn of(
        unit: &Unit,
        stmt: &Stmt,
        text: &str,
        parameters: &BTreeSet<String>,
    ) -> Option<Header> {
        let StmtKind::For {
            step: Some(step),
            body,
            ..
        } = &stmt.kind
        else {
            return None;
        };
        let Ends {
            variable,
            first,
            comparison: (op, left, bound),
        } = Ends::of(unit, stmt)?;
        let symbol = &unit.symbols[variable];
        let Type::Scalar(scalar) = &symbol.ctype else {
            return None;
        };
        let counts = matches!(op, BinaryOp::Less | BinaryOp::LessEqual)
            && name_of(left) == Some(variable)
            && is_step(step, variable)
            && stays(unit, (body, parameters), variable, [first, bound])
            && compares(unit, scalar.kind, first, bound);
        if !counts {
            return None;
        }
        let places = Places::of(text, stmt.span, &symbol.name)?;
        let of = |span: Span| text.get(span.start..span.end).map(str::to_owned);
        Some(Header {
            name: symbol.name.clone(),
            ctype: scalar.spelling.clone(),
            from: of(places.first)?,
            to: of(places.bound)?,
            first: places.first,
            condition: places.condition,
            inclusive: places.inclusive,
        })
        .filter(|header| header.inclusive == (op == BinaryOp::LessEqual))
    }
}

/// `i++`, `++i`, `i += 1`
fn is_step(step: &Expr, variable: SymbolId) -> bool {
    match &step.kind {
        ExprKind::Increment { target, by: 1, .. } => name_of(target) == Some(variable),
        ExprKind::Assign(Some(BinaryOp::Add), target, by) => {
            name_of(target) == Some(variable) && matches!(by.kind, ExprKind::Integer(1, _))
        }
        _ => false,
    }
}

/// Whether the variable and its bounds are the loop's alone: the body changes none of them, and they
/// are computed once as they are again and again.
fn stays(
    unit: &Unit,
    (body, parameters): (&Stmt, &BTreeSet<String>),
    variable: SymbolId,
    bounds: [&Expr; 2],
) -> bool {
    let changed = changes::targets(unit, body);
    let same = |bound| same(unit, bound, (variable, &changed), parameters);
    !changed.contains(&variable) && bounds.into_iter().all(same)
}

fn same(
    unit: &Unit,
    bound: &Expr,
    (variable, changed): (SymbolId, &[SymbolId]),
    parameters: &BTreeSet<String>,
) -> bool {
    let inside = || {
        let mut parts = visit::children(bound);
        parts.all(|part| same(unit, part, (variable, changed), parameters))
    };
    match &bound.kind {
        ExprKind::Name(symbol) => *symbol != variable && !changed.contains(symbol),
        // What is written through the pointer is something else.
        ExprKind::Arrow(..) if parameters.contains(&ctext::expression(bound, &unit.symbols)) => {
            true
        }
        ExprKind::Call(..) | ExprKind::Unknown(_) | ExprKind::Unsupported(_) => false,
        ExprKind::Assign(..) | ExprKind::Increment { .. } => false,
        _ => inside(),
    }
}

/// Whether the comparison is one of numbers, whatever the types.
fn compares(unit: &Unit, kind: ScalarKind, first: &Expr, bound: &Expr) -> bool {
    use ScalarKind::{I32, I64, U32, U64};
    let Some(other) = types::scalar_kind(unit, bound) else {
        return false;
    };
    let signed = |kind: ScalarKind| !matches!(kind.promoted(), U32 | U64);
    let begins_at_number = matches!(first.kind, ExprKind::Integer(..));
    matches!(kind, I32 | U32 | I64 | U64)
        && !other.is_float()
        && (signed(other) || !signed(kind) || begins_at_number)
}

/// The places in the text of a head.
struct Places {
    first: Span,
    condition: Span,
    bound: Span,
    inclusive: bool,
}

impl Places {
    fn of(text: &str, span: Span, name: &str) -> Option<Places> {
        let own = text.get(span.start..span.end)?;
        let found = tokens(own);
        let word = |token: &Token| token.text(own);
        let [begin, open, ..] = &found[..] else {
            return None;
        };
        if (word(begin), word(open)) != ("for", "(") || begin.start != 0 {
            return None;
        }
        let mut depth = 0;
        let (mut semicolons, mut equal, mut close) = (Vec::new(), None, None);
        for (at, token) in found.iter().enumerate().skip(1) {
            match word(token) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                ";" if depth == 1 => semicolons.push(at),
                "," if depth == 1 => return None,
                "=" if depth == 1 && semicolons.is_empty() => equal = equal.or(Some(at)),
                _ => {}
            }
            if depth == 0 {
                close = Some(at);
                break;
            }
        }
        let (&[first, second], equal, close) = (&semicolons[..], equal?, close?) else {
            return None;
        };
        let between = |from: usize, to: usize| -> Option<Span> {
            let (from, to) = (found.get(from)?, found.get(to.checked_sub(1)?)?);
            (from.start < to.end).then(|| Span::new(span.start + from.start, span.start + to.end))
        };
        let balanced = found.iter().fold(0i64, |depth, token| match word(token) {
            "(" | "[" | "{" => depth + 1,
            ")" | "]" | "}" => depth - 1,
            _ => depth,
        }) == 0;
        let is_named = word(&found[equal - 1]) == name && word(&found[first + 1]) == name;
        if !balanced || !is_named || close <= second {
            return None;
        }
        // `<` and `=` may be one token.
        let (inclusive, behind) = match (word(&found[first + 2]), word(&found[first + 3])) {
            ("<=", _) => (true, first + 3),
            ("<", "=") => (true, first + 4),
            ("<", other) if !other.starts_with('<') => (false, first + 3),
            _ => return None,
        };
        Some(Places {
            first: between(equal + 1, first)?,
            condition: between(first + 1, second)?,
            bound: between(behind, second)?,
            inclusive,
        })
    }
}
