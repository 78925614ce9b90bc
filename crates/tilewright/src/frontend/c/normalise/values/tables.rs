//! Tables of constants: `static const int w[3] = {1, 2, 1};` in a region or in a function whose body
//! stands there, and compound literals (`(int[]){1, 2, 1}[k]`), are declared once, in front of the
//! region's loops. An element that is named by numbers is its value.

use crate::frontend::c::lower::surroundings::{changes, facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::parse::constant;
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::scop::UnaryOp;
use std::collections::{BTreeSet, HashMap};

/// How many elements a table may have.
const MOST: usize = 256;

/// The type and the values of a variable whose elements are constants that nothing changes; tables of
/// functions are known by their `const`.
pub(in crate::frontend::c::normalise) fn constants(
    unit: &Unit,
    symbol: SymbolId,
) -> Option<(Type, Expr)> {
    let (own, is_const) = (&unit.symbols[symbol], is_const(unit, symbol));
    values(&own.ctype, own.initialiser.as_ref().filter(|_| is_const)?)
}

fn is_const(unit: &Unit, symbol: SymbolId) -> bool {
    let own = &unit.symbols[symbol];
    own.is_const || matches!(own.ctype, Type::Array { is_const: true, .. })
}

/// Puts the tables of a region in front of it.
pub(in crate::frontend::c::normalise) fn gather(
    unit: &mut Unit,
    _: usize,
    statements: &mut Vec<Stmt>,
) {
    let mut tables = BTreeSet::new();
    for stmt in statements.iter() {
        visit::statements(stmt, &mut |stmt| {
            if let StmtKind::Declaration(symbol) = stmt.kind {
                tables.insert(symbol);
            }
        });
        visit::expressions(unit, stmt, &mut |top| {
            tables.extend(
                changes::names(top)
                    .into_iter()
                    .filter(|&s| is_of_a_body(unit, s)),
            );
        });
    }
    let mut known: HashMap<SymbolId, (Type, Expr)> = HashMap::new();
    for symbol in tables {
        let own = &unit.symbols[symbol];
        if let Some(value) = own.initialiser.as_ref().and_then(|v| values(&own.ctype, v)) {
            known.insert(symbol, value);
        }
    }
    // How often each is named otherwise than by an element: something may lead to it then.
    let mut bare: HashMap<SymbolId, isize> = HashMap::new();
    for stmt in statements.iter() {
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                match &e.kind {
                    ExprKind::Name(symbol) => *bare.entry(*symbol).or_default() += 1,
                    ExprKind::Subscript(base, _) => {
                        if let ExprKind::Name(symbol) = base.kind {
                            *bare.entry(symbol).or_default() -= 1;
                        }
                    }
                    _ => {}
                }
                let changed = match &e.kind {
                    ExprKind::AddressOf(place) => Some(&**place),
                    ExprKind::Call(_, arguments) => {
                        for argument in arguments {
                            known.retain(|&table, _| changes::root(argument) != Some(table));
                        }
                        None
                    }
                    _ => facts::target(e),
                };
                if let Some(root) = changed.and_then(changes::root) {
                    known.remove(&root);
                }
            });
        });
    }
    known.retain(|&table, _| is_const(unit, table) || bare.get(&table).is_none_or(|&n| n == 0));
    if known.is_empty() {
        return;
    }
    for stmt in statements.iter_mut() {
        let mut symbols = std::mem::take(&mut unit.symbols);
        tree::expressions_mut(&mut symbols, stmt, &mut |e| {
            if let Some(value) = element(&known, e) {
                e.kind = value.kind;
            }
        });
        unit.symbols = symbols;
        tree::statements_mut(stmt, &mut |stmt| {
            if matches!(&stmt.kind, StmtKind::Declaration(symbol) if known.contains_key(symbol)) {
                stmt.kind = StmtKind::Empty;
            }
        });
    }
    let mut order: Vec<SymbolId> = known.keys().copied().collect();
    order.sort_unstable();
    let mut front = Vec::new();
    for symbol in order {
        if tree::names_of(unit, statements, symbol) == 0 {
            continue;
        }
        let (Some((ctype, value)), span) = (known.remove(&symbol), unit.symbols[symbol].span)
        else {
            continue;
        };
        let own = &mut unit.symbols[symbol];
        (own.ctype, own.initialiser, own.is_static) = (ctype, Some(value), false);
        // Its name may be that of another one.
        let name = own.name.clone();
        if unit.symbols.iter().filter(|s| s.name == name).count() > 1 {
            unit.symbols[symbol].name = build::fresh(unit, &name);
        }
        front.push(build::declaration(symbol, span));
    }
    statements.splice(0..0, front);
}

/// Whether a variable is a table of a function whose body stands in the region, declared nowhere.
pub(in crate::frontend::c::normalise) fn is_of_a_body(unit: &Unit, symbol: SymbolId) -> bool {
    let own = &unit.symbols[symbol];
    own.is_static && matches!(own.scope, Scope::Region(_)) && constants(unit, symbol).is_some()
}

/// The value of an element that is named by numbers, where C computes with it as with the element.
fn element(known: &HashMap<SymbolId, (Type, Expr)>, expr: &Expr) -> Option<Expr> {
    fn inside<'k>(
        known: &'k HashMap<SymbolId, (Type, Expr)>,
        expr: &Expr,
    ) -> Option<(&'k Type, &'k Expr)> {
        match &expr.kind {
            ExprKind::Name(symbol) => known.get(symbol).map(|(ctype, value)| (ctype, value)),
            ExprKind::Subscript(base, index) => {
                let (Type::Array { element, .. }, list) = inside(known, base)? else {
                    return None;
                };
                let at = usize::try_from(constant::value(index)?).ok()?;
                match &list.kind {
                    ExprKind::List(items) => Some((element, items.get(at)?)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
    let (Type::Scalar(scalar), value) = inside(known, expr)? else {
        return None;
    };
    let span = expr.span;
    if let (false, Some(number)) = (scalar.kind.is_float(), constant::value(value)) {
        let (least, most) = types::range(scalar.kind)?;
        let fits = (least..=most).contains(&i128::from(number));
        // What is narrower is an `int` wherever it is computed with.
        let int = i32::try_from(number).is_ok()
            && types::range(scalar.kind.promoted()) == types::range(crate::scop::ScalarKind::I32);
        if fits && int {
            let size = build::integer(number.abs(), span);
            return Some(match number < 0 {
                true => build::expression(ExprKind::Unary(UnaryOp::Minus, Box::new(size)), span),
                false => size,
            });
        }
    }
    let kind = ExprKind::Cast(Type::Scalar(scalar.clone()), Box::new(value.clone()));
    Some(build::expression(kind, span))
}

/// A type with all extents, and a list with a value for each element.
fn values(ctype: &Type, value: &Expr) -> Option<(Type, Expr)> {
    let Type::Array {
        element,
        extent,
        restrict,
        is_const,
    } = ctype
    else {
        return None;
    };
    let extent = match extent {
        Some(extent) => Some(usize::try_from(constant::value(extent)?).ok()?),
        None => None,
    };
    let mut items = match &value.kind {
        ExprKind::List(items) => items.clone(),
        ExprKind::Literal(text) => characters(text, element, value)?,
        _ => return None,
    };
    // Rows without braces of their own.
    let inner = count(element)?;
    let plain = |e: &Expr| !matches!(e.kind, ExprKind::List(_) | ExprKind::Literal(_));
    if inner > 1 && !items.is_empty() && items.iter().all(plain) {
        let rows = items.chunks(inner).map(|row| Expr {
            kind: ExprKind::List(row.to_vec()),
            span: value.span,
        });
        items = rows.collect();
    }
    let extent = extent.unwrap_or(items.len());
    // The end of a text need not fit.
    items.truncate(extent);
    if extent == 0 || extent.checked_mul(inner)? > MOST {
        return None;
    }
    let zero = match &**element {
        Type::Scalar(_) => ExprKind::Integer(0, "0".to_owned()),
        _ => ExprKind::List(Vec::new()),
    };
    items.resize(extent, build::expression(zero, value.span));
    let mut inner_type = (**element).clone();
    for item in &mut items {
        match &**element {
            Type::Scalar(_) => {
                if let ExprKind::List(list) = &item.kind {
                    *item = match list.as_slice() {
                        [] => build::integer(0, item.span),
                        [one] => one.clone(),
                        _ => return None,
                    };
                }
                is_constant(item).then_some(())?;
            }
            row => (inner_type, *item) = values(row, item)?,
        }
    }
    let extent = build::integer(i64::try_from(extent).ok()?, value.span);
    let all = Type::Array {
        element: Box::new(inner_type),
        extent: Some(Box::new(extent)),
        restrict: *restrict,
        is_const: *is_const,
    };
    Some((all, build::expression(ExprKind::List(items), value.span)))
}

/// How many scalars there are in an element.
fn count(ctype: &Type) -> Option<usize> {
    match ctype {
        Type::Scalar(_) => Some(1),
        Type::Array {
            element, extent, ..
        } => {
            let extent = usize::try_from(constant::value(extent.as_deref()?)?).ok()?;
            extent.checked_mul(count(element)?)
        }
        _ => None,
    }
}

/// The characters of a text in ASCII without escapes, and the zero behind them.
fn characters(text: &str, element: &Type, whole: &Expr) -> Option<Vec<Expr>> {
    let inside = text.strip_prefix('"')?.strip_suffix('"')?;
    let bytes = matches!(element, Type::Scalar(scalar) if scalar.kind.bytes() == 1);
    let plain = inside
        .bytes()
        .all(|b| b.is_ascii() && !b.is_ascii_control() && !matches!(b, b'\\' | b'"'));
    (bytes && plain).then(|| {
        let characters = inside.bytes().chain([0]);
        characters
            .map(|b| build::integer(i64::from(b), whole.span))
            .collect()
    })
}

/// Whether a value is a number whatever happens.
fn is_constant(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Integer(..) => true,
        ExprKind::Literal(text) => text.starts_with(|c: char| c.is_ascii_digit() || c == '.'),
        ExprKind::Unary(UnaryOp::Minus | UnaryOp::Plus, inner) => is_constant(inner),
        ExprKind::Cast(Type::Scalar(_), inner) => is_constant(inner),
        ExprKind::Binary(_, a, b) => is_constant(a) && is_constant(b),
        _ => constant::value(value).is_some(),
    }
}
