//! Memory that the function allocates itself: `malloc` and its relatives.

use crate::frontend::c::lower::calls::purity;
use crate::frontend::c::lower::memory::place;
use crate::frontend::c::lower::surroundings::facts::{self, Facts};
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::{interval, types};
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Sized, SymbolId, Type, Unit};
use crate::scop::{BinaryOp, ScalarKind};

/// Functions that return fresh memory, and how their arguments give the number of bytes: as one
/// argument (its number) or as the product of two.
const ALLOCATORS: &[(&str, &[usize])] = &[
    ("malloc", &[0]),
    ("calloc", &[0, 1]),
    ("aligned_alloc", &[1]),
    ("memalign", &[1]),
    ("valloc", &[0]),
    ("alloca", &[0]),
    ("__builtin_alloca", &[0]),
    ("_mm_malloc", &[0]),
    ("polybench_alloc_data", &[0, 1]),
];

/// Functions that end a block's life and let nothing escape.
const RELEASES: &[&str] = &["free", "_mm_free"];

/// Whether a call to `name` returns fresh memory, and does nothing else.
pub(crate) fn allocates(unit: &Unit, name: &str) -> bool {
    allocator(unit, name).is_some()
}

/// Whether what a call to `name` allocates is freed where its function ends.
pub(crate) fn is_automatic(unit: &Unit, name: &str) -> bool {
    matches!(name, "alloca" | "__builtin_alloca") && allocates(unit, name)
}

/// The arguments that give the number of bytes, of a function that the file does not define itself.
fn allocator(unit: &Unit, name: &str) -> Option<&'static [usize]> {
    let (_, which) = ALLOCATORS.iter().find(|(known, _)| *known == name)?;
    purity::definition(unit, name).is_none().then_some(*which)
}

/// Whether a call to `name` only frees its argument.
pub(crate) fn releases(unit: &Unit, name: &str) -> bool {
    RELEASES.contains(&name) && purity::definition(unit, name).is_none()
}

/// Whether a function of this name allocates or frees, unless the program has its own.
pub(crate) fn is_known(name: &str) -> bool {
    RELEASES.contains(&name) || ALLOCATORS.iter().any(|(known, _)| *known == name)
}

/// The arguments whose product is the number of bytes, where `expr` allocates.
fn bytes<'e>(unit: &Unit, expr: &'e Expr) -> Option<Vec<&'e Expr>> {
    match &expr.kind {
        ExprKind::Cast(_, inner) => bytes(unit, inner),
        ExprKind::Call(name, arguments) => {
            let which = allocator(unit, name)?;
            which.iter().map(|&k| arguments.get(k)).collect()
        }
        _ => None,
    }
}

/// Whether the allocation clears the memory, so that it holds values.
pub(crate) fn clears(unit: &Unit, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Cast(_, inner) => clears(unit, inner),
        ExprKind::Call(name, _) => name == "calloc" && allocates(unit, name),
        _ => false,
    }
}

pub(crate) fn is_null(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Cast(_, inner) => is_null(inner),
        ExprKind::Integer(value, _) => *value == 0,
        _ => false,
    }
}

/// All allocations that a local pointer ever points at the beginning of; empty where it may point
/// at anything else.
pub(crate) fn all<'u>(unit: &'u Unit, facts: &Facts<'u>, symbol: SymbolId) -> Vec<&'u Expr> {
    let values = values(unit, facts, symbol);
    match values.iter().all(|v| bytes(unit, v).is_some()) {
        true => values,
        false => Vec::new(),
    }
}

/// Whether nothing of the object that a pointer points into stands in front of where it points: it
/// only ever points at the beginning of allocations and of arrays with extents.
pub(crate) fn is_first<'u>(unit: &'u Unit, facts: &Facts<'u>, symbol: SymbolId) -> bool {
    let values = values(unit, facts, symbol);
    let first = |value: &&Expr| bytes(unit, value).is_some() || is_array(unit, facts, value);
    !values.is_empty() && values.iter().all(first)
}

/// Whether a value is where an array with extents begins.
fn is_array(unit: &Unit, facts: &Facts<'_>, value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Cast(_, inner) => is_array(unit, facts, inner),
        ExprKind::Name(name) => {
            let array = &unit.symbols[*name].ctype;
            let sized = matches!(
                array,
                Type::Array {
                    extent: Some(_),
                    ..
                }
            );
            sized && !facts.changed.contains_key(name)
        }
        _ => false,
    }
}

/// All values but null pointers that a local pointer gets; empty where that is not known.
fn values<'u>(unit: &'u Unit, facts: &Facts<'u>, symbol: SymbolId) -> Vec<&'u Expr> {
    let s = &unit.symbols[symbol];
    if !matches!(s.scope, Scope::Function(_))
        || s.is_static
        || !matches!(s.ctype, Type::Pointer { .. })
        || facts.address_taken.contains(&symbol)
        || facts.moved.contains(&symbol)
    {
        return Vec::new();
    }
    let values = s
        .initialiser
        .iter()
        .chain(facts.values.get(&symbol).into_iter().flatten().copied());
    values.filter(|v| !is_null(v)).collect()
}

/// The one allocation of a local pointer.
pub(crate) fn initial<'u>(unit: &'u Unit, facts: &Facts<'u>, symbol: SymbolId) -> Option<&'u Expr> {
    match all(unit, facts, symbol).as_slice() {
        [one] => (!facts::names_hidden(unit, one)).then_some(one),
        _ => None,
    }
}

/// The expressions in an allocation that its size depends on.
pub(crate) fn sizes<'e>(unit: &Unit, expr: &'e Expr) -> Vec<&'e Expr> {
    let mut found = Vec::new();
    for argument in bytes(unit, expr).unwrap_or_default() {
        found.push(argument);
        visit::walk(argument, &mut |e| {
            if let ExprKind::SizeOf(Sized::Type(ctype), _) = &e.kind {
                found.extend(place::declared_extents(ctype).into_iter().flatten());
            }
        });
    }
    found
}

/// The allocated type, where the whole allocation is one `sizeof(type)`.
pub(crate) fn whole_type<'e>(unit: &Unit, expr: &'e Expr) -> Option<&'e Type> {
    match bytes(unit, expr)?.as_slice() {
        [
            Expr {
                kind: ExprKind::SizeOf(Sized::Type(ctype), _),
                ..
            },
        ] => Some(ctype),
        _ => None,
    }
}

/// The factors of an allocation's size: products are taken apart, and what is only widened.
pub(crate) fn factors<'a>(unit: &Unit, expr: &'a Expr) -> Option<Vec<&'a Expr>> {
    fn take<'a>(unit: &Unit, expr: &'a Expr, into: &mut Vec<&'a Expr>) {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::Mul, a, b) if !wraps(unit, expr) => {
                take(unit, a, into);
                take(unit, b, into);
            }
            ExprKind::Cast(..) => match widened(unit, expr) {
                Some(inner) => take(unit, inner, into),
                None => into.push(expr),
            },
            _ => into.push(expr),
        }
    }
    let mut found = Vec::new();
    for argument in bytes(unit, expr)? {
        take(unit, argument, &mut found);
    }
    Some(found)
}

/// What a conversion to an integer type keeps, but for negative numbers that become large ones of
/// 64 bits: of these there are no sizes.
fn widened<'a>(unit: &Unit, expr: &'a Expr) -> Option<&'a Expr> {
    let ExprKind::Cast(Type::Scalar(to), inner) = &expr.kind else {
        return None;
    };
    let from = types::scalar_kind(unit, inner).filter(|from| !from.is_float())?;
    let keeps = types::contains(to.kind, from) || !to.kind.is_float() && to.kind.bytes() == 8;
    keeps.then_some(inner)
}

/// Whether a factor of a size is computed without a conversion that loses bits, and wraps around
/// nowhere but where it is negative or has more than 64 bits, of which there are no sizes.
pub(crate) fn is_exact(unit: &Unit, factor: &Expr) -> bool {
    let mut exact = true;
    visit::walk(factor, &mut |e| {
        exact &= match &e.kind {
            ExprKind::Cast(..) => widened(unit, e).is_some(),
            _ => !wraps(unit, e),
        };
    });
    exact
}

/// Whether an operation may wrap around in 32 bits: memory is allocated for what is left then.
fn wraps(unit: &Unit, expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Unary(..) | ExprKind::Binary(..))
        && types::scalar_kind(unit, expr) == Some(ScalarKind::U32)
        && !interval::keeps(unit, expr, ScalarKind::U32)
}
