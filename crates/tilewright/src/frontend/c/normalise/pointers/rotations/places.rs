//! Pointers that change places elsewhere than in variables of the function: in members (`s->cur`), in
//! variables of the file, behind pointers (`*a`) and in arrays (`buf[0]`). A variable of ours stands for
//! each while the region is rewritten; what it stands for is read in front of the region and set behind.
//!
//! That is exact where nothing else in the region sets one of them or may read one under another name.
//! What bytes may be stored to is compared when the program runs, as for all pointers in memory.

use super::copied;
use crate::frontend::c::lower::calls::purity;
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::calls::agree;
use crate::frontend::c::normalise::{build, dead, tree};
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, SymbolId, Type, Unit};
use crate::frontend::c::types as ctext;
use crate::scop::ScalarKind;
use std::collections::BTreeMap;

/// What variables of ours stand for.
pub(super) type StandIns = BTreeMap<SymbolId, Expr>;

/// Puts variables in the place of pointers elsewhere that statements copy, where that is exact.
pub(super) fn name(unit: &mut Unit, number: usize, statements: &mut [Stmt]) -> StandIns {
    let function = unit.regions[number].function;
    let mut stand_ins = StandIns::new();
    let places = places(unit, function, statements);
    if places.is_empty() || !are_alone(unit, function, statements, &places) {
        return stand_ins;
    }
    for place in places {
        let Some(ctype) = types::place_type(unit, &place).cloned() else {
            continue;
        };
        let stem = stem(&ctext::expression(&place, &unit.symbols));
        let symbol = build::variable(unit, number, &stem, ctype, None, place.span);
        unit.symbols[symbol].scope = Scope::Function(function);
        stand_ins.insert(symbol, place);
    }
    for stmt in statements {
        tree::expressions_mut(&mut unit.symbols, stmt, &mut |e| {
            let same = stand_ins.iter().find(|(_, place)| is_same(place, e));
            if let Some((&symbol, _)) = same {
                e.kind = ExprKind::Name(symbol);
            }
        });
    }
    stand_ins
}

/// A name made of the words of a place.
fn stem(text: &str) -> String {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("_")
}

/// The places elsewhere that statements copy pointers to.
fn places(unit: &Unit, function: usize, statements: &[Stmt]) -> Vec<Expr> {
    let mut places: Vec<Expr> = Vec::new();
    for stmt in statements {
        visit::statements(stmt, &mut |stmt| {
            let Some((Some(place), _)) = copied(unit, stmt) else {
                return;
            };
            let known = places.iter().any(|other| is_same(other, place));
            if !known && is_elsewhere(unit, function, place) {
                places.push(place.clone());
            }
        });
    }
    places
}

/// Whether a pointer is in a place that others may lead to, and that has a name all the same, in front
/// of the region, too.
fn is_elsewhere(unit: &Unit, function: usize, place: &Expr) -> bool {
    let mut outside = true;
    visit::walk(place, &mut |e| {
        if let ExprKind::Name(symbol) = e.kind {
            outside &= !matches!(unit.symbols[symbol].scope, Scope::Region(_));
        }
    });
    outside
        && matches!(types::place_type(unit, place), Some(Type::Pointer { .. }))
        && match &place.kind {
            ExprKind::Name(symbol) => !dead::is_own(unit, function, *symbol),
            _ => facts::plain_key(place).is_some() || element(place).is_some(),
        }
}

/// The base and the number of an element of what a name leads to: `*a`, `buf[1]`.
fn element(place: &Expr) -> Option<(&Expr, i64)> {
    let (base, number) = match &place.kind {
        ExprKind::Dereference(base) => (base, 0),
        ExprKind::Subscript(base, index) => match index.kind {
            ExprKind::Integer(number, _) => (base, number),
            _ => return None,
        },
        _ => return None,
    };
    facts::plain_key(base)?;
    Some((base, number))
}

/// Whether two expressions are one place.
fn is_same(a: &Expr, b: &Expr) -> bool {
    match (element(a), element(b)) {
        (Some((base, number)), Some((other, same))) => number == same && visit::same(base, other),
        _ => visit::same(a, b),
    }
}

/// Whether two places are certainly not the same memory.
fn are_apart(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Name(x), ExprKind::Name(y)) => x != y,
        (ExprKind::Field(x, f), ExprKind::Field(y, g))
        | (ExprKind::Arrow(x, f), ExprKind::Arrow(y, g)) => f != g && visit::same(x, y),
        _ => match (element(a), element(b)) {
            (Some((base, number)), Some((other, second))) => {
                number != second && visit::same(base, other)
            }
            _ => false,
        },
    }
}

/// Whether a pointer somewhere may be one of a place: members of other names are other memory, and so
/// are other variables, and what has another type.
fn may_be(unit: &Unit, function: usize, place: &Expr, other: &Expr) -> bool {
    let own = matches!(other.kind, ExprKind::Name(symbol) if dead::is_own(unit, function, symbol));
    let (a, b) = (
        types::place_type(unit, place),
        types::place_type(unit, other),
    );
    let alike = a.zip(b).is_some_and(|(a, b)| agree(a, b));
    if own || !alike {
        return false;
    }
    match (&place.kind, &other.kind) {
        (
            ExprKind::Field(_, f) | ExprKind::Arrow(_, f),
            ExprKind::Field(_, g) | ExprKind::Arrow(_, g),
        ) => f == g,
        (ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Arrow(..), ExprKind::Name(_))
        | (ExprKind::Name(_), ExprKind::Field(..) | ExprKind::Arrow(..)) => false,
        _ => !are_apart(place, other),
    }
}

/// Whether the pointers of two cycles, or of a cycle of more than two, are in memory of their own, and
/// those of other loops in none of theirs. Two that are one and the same stay so when they change
/// places.
pub(super) fn are_own(
    unit: &Unit,
    function: usize,
    cycles: &[Vec<SymbolId>],
    stand_ins: &StandIns,
) -> bool {
    let own = |symbol: &SymbolId| cycles.iter().flatten().any(|one| one == symbol);
    for (_, place) in stand_ins.iter().filter(|(symbol, _)| own(symbol)) {
        let mut others = stand_ins.iter().filter(|(symbol, _)| !own(symbol));
        if others.any(|(_, other)| !are_apart(place, other) && may_be(unit, function, place, other))
        {
            return false;
        }
    }
    let all: Vec<&Expr> = cycles
        .iter()
        .flatten()
        .filter_map(|symbol| stand_ins.get(symbol))
        .collect();
    let mut apart = true;
    for (position, a) in all.iter().enumerate() {
        apart &= all[..position].iter().all(|b| are_apart(a, b));
    }
    apart || cycles.len() == 1 && cycles[0].len() == 2
}

/// Whether nothing in some statements sets one of these places but as a whole statement that copies it,
/// changes what leads to one, or reads one under another name.
fn are_alone(unit: &Unit, function: usize, statements: &[Stmt], places: &[Expr]) -> bool {
    let is_place = |e: &Expr| places.iter().any(|place| is_same(place, e));
    let (mut alone, mut bytes) = (true, false);
    let mut changed = Vec::new();
    for stmt in statements {
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                let ctype = types::place_type(unit, e);
                if let Some(Type::Pointer { .. }) = ctype
                    && !is_place(e)
                {
                    let mut places = places.iter();
                    alone &= !places.any(|place| may_be(unit, function, place, e));
                }
                match &e.kind {
                    ExprKind::Call(name, _) => alone &= purity::is_pure(unit, name),
                    ExprKind::Unsupported(_) => alone = false,
                    ExprKind::AddressOf(of) => {
                        let inside = |place: &Expr| {
                            let mut inside = false;
                            visit::walk(place, &mut |e| inside |= visit::same(e, of));
                            inside
                        };
                        alone &= !places.iter().any(inside);
                    }
                    _ => {}
                }
                let Some(target) = facts::target(e) else {
                    return;
                };
                if let ExprKind::Name(symbol) = target.kind {
                    changed.push(symbol);
                }
                match types::place_type(unit, target) {
                    Some(Type::Pointer { .. }) => {
                        let local = matches!(target.kind, ExprKind::Name(symbol)
                            if dead::is_own(unit, function, symbol));
                        let copies = matches!(e.kind, ExprKind::Assign(None, ..));
                        alone &= local || is_place(target) && copies;
                    }
                    Some(Type::Scalar(ctype)) => {
                        let narrow = matches!(ctype.kind, ScalarKind::I8 | ScalarKind::U8);
                        bytes |= narrow && !matches!(target.kind, ExprKind::Name(_));
                    }
                    _ => alone = false,
                }
            });
        });
    }
    alone
        && places
            .iter()
            .all(|place| leads(unit, function, place, (&changed, bytes), places))
}

/// Whether what leads to a place stays; bytes that are stored may change what nobody compares.
fn leads(
    unit: &Unit,
    function: usize,
    place: &Expr,
    (changed, bytes): (&[SymbolId], bool),
    places: &[Expr],
) -> bool {
    let mut stays = true;
    for inner in visit::children(place) {
        visit::walk(inner, &mut |e| {
            let mut others = places.iter();
            let may = others.any(|other| may_be(unit, function, other, e));
            stays &= !(may && is_pointer(unit, e));
            if let ExprKind::Name(root) = e.kind {
                stays &= !changed.contains(&root);
                let own = dead::is_own(unit, function, root);
                stays &= own || !bytes || !is_pointer(unit, e);
            }
            if let Some(Type::Struct { is_union, .. }) = types::place_type(unit, e) {
                stays &= !is_union;
            }
        });
    }
    if let ExprKind::Arrow(base, _) = &place.kind
        && let Some(Type::Struct { is_union, .. }) =
            types::place_type(unit, base).and_then(types::pointee)
    {
        stays &= !is_union;
    }
    stays && !(bytes && element(place).is_some())
}

fn is_pointer(unit: &Unit, expr: &Expr) -> bool {
    matches!(types::place_type(unit, expr), Some(Type::Pointer { .. }))
}
