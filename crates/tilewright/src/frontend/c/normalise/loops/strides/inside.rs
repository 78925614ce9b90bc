//! Loops inside of one with a long stride that begin where that stands.

use super::*;
use crate::scop::ScalarType;

/// A value as a `long`.
pub(super) fn long(unit: &Unit, value: Expr) -> Expr {
    let kind = ScalarKind::I64;
    let arith = Arith {
        ctype: ScalarType {
            kind,
            spelling: kind.c_name().to_owned(),
        },
        span: value.span,
    };
    arith.cast(unit, value)
}

/// Lets loops begin with 0 that begin with the variable of the loop around them, where all that this
/// computes is computed by the original, too, or is no larger.
pub(super) fn shift(unit: &mut Unit, known: &Known, body: &mut Stmt, head: &Strided) {
    let number = known.number;
    if !head.is_natural_int() {
        return;
    }
    let mut found = Vec::new();
    visit::statements(body, &mut |stmt| {
        found.extend(Begun::of(unit, known, stmt, head).map(|begun| (stmt.span, begun)));
    });
    for (at, begun) in found {
        let span = Span::new(at.start, at.start + "for".len());
        let from = Some(begun.from);
        let counter = declared(unit, number, begun.symbol, from, span);
        let k = name(counter, span);
        let there = binary(BinaryOp::Add, name(head.symbol, span), k.clone());
        let Unit { symbols, .. } = unit;
        tree::statements_mut(body, &mut |stmt| {
            let is = matches!(&stmt.kind, StmtKind::For { .. }) && stmt.span == at;
            let StmtKind::For {
                init,
                condition,
                step,
                body,
            } = &mut stmt.kind
            else {
                return;
            };
            if !is {
                return;
            }
            *init = Some(Box::new(build::declaration(counter, span)));
            *condition = Some(binary(begun.op, k.clone(), begun.distance.clone()));
            for step in step.iter_mut() {
                tree::replace_in(step, begun.symbol, &k);
            }
            tree::replace(symbols, body, begun.symbol, &there);
        });
    }
}

/// A loop that counts up from a variable, or from so much behind it.
struct Begun {
    symbol: SymbolId,
    from: Expr,
    op: BinaryOp,
    /// From the variable to the loop's end.
    distance: Expr,
}

impl Begun {
    fn of(unit: &Unit, known: &Known, stmt: &Stmt, head: &Strided) -> Option<Begun> {
        let (number, around) = (known.number, head.symbol);
        let StmtKind::For {
            init: Some(init),
            condition: Some(condition),
            step: Some(step),
            body,
        } = &stmt.kind
        else {
            return None;
        };
        let (symbol, value, declared) = heads::begin(unit, init)?;
        let function = unit.regions[number].function;
        let ends = declared || dead::is_dead(unit, function, stmt.span, symbol);
        let step = inductions::step(&tree::statement(step.clone()))?;
        let up = step.symbol == symbol && step.constant().is_some_and(|by| by > 0);
        let kind = heads::counter(unit, number, symbol, body)?;
        let from = behind(value, around)?;
        if !ends || !up || kind != ScalarKind::I32 {
            return None;
        }
        let ExprKind::Binary(op @ (BinaryOp::Less | BinaryOp::LessEqual), a, end) = &condition.kind
        else {
            return None;
        };
        let alone = a.kind == ExprKind::Name(symbol) && !visit::mentions(end, symbol);
        let distance = distance(unit, known, end, head)?;
        alone.then_some(Begun {
            symbol,
            from,
            op: *op,
            distance,
        })
    }
}

/// How far behind a variable a value is: the variable itself, or its sum with a small number.
fn behind(value: &Expr, around: SymbolId) -> Option<Expr> {
    match &value.kind {
        ExprKind::Name(own) if *own == around => Some(build::integer(0, value.span)),
        ExprKind::Binary(BinaryOp::Add, a, b) if a.kind == ExprKind::Name(around) => {
            matches!(b.kind, ExprKind::Integer(0..=0xffff, _)).then(|| (**b).clone())
        }
        _ => None,
    }
}

/// What is left of a bound, an `int`, when a variable that is not negative is taken off it.
fn distance(unit: &Unit, known: &Known, end: &Expr, head: &Strided) -> Option<Expr> {
    let around = head.symbol;
    let is_int = |e: &Expr| types::is_int(unit, e);
    if !is_int(end) {
        return None;
    }
    match &end.kind {
        ExprKind::Binary(BinaryOp::Add, a, b) => {
            for (base, rest) in [(a, b), (b, a)] {
                if base.kind == ExprKind::Name(around) && !visit::mentions(rest, around) {
                    return Some((**rest).clone());
                }
            }
            if visit::mentions(end, around) {
                return None;
            }
        }
        // A minimum or a maximum, as macros have it.
        ExprKind::Conditional(c, a, b) => {
            let ExprKind::Binary(op, x, y) = &c.kind else {
                return None;
            };
            let straight = visit::same(x, a) && visit::same(y, b);
            let crossed = visit::same(x, b) && visit::same(y, a);
            let (a, b) = (
                distance(unit, known, a, head)?,
                distance(unit, known, b, head)?,
            );
            let condition = match (straight, crossed) {
                (true, _) => binary(*op, a.clone(), b.clone()),
                (_, true) => binary(*op, b.clone(), a.clone()),
                _ => return None,
            };
            return Some(expression(
                ExprKind::Conditional(Box::new(condition), Box::new(a), Box::new(b)),
                end.span,
            ));
        }
        // What it was declared as, and still is.
        ExprKind::Name(symbol) if !known.changed.contains(symbol) => {
            let own = &unit.symbols[*symbol];
            let inside = matches!(own.scope, Scope::Region(_)) && !known.heads.contains(symbol);
            let value = own.initialiser.as_ref().filter(|_| inside);
            if let Some(value) = value
                && visit::mentions(value, around)
            {
                return distance(unit, known, value, head);
            }
        }
        _ if visit::mentions(end, around) => return None,
        _ => {}
    }
    tree::is_pure(end).then(|| {
        let around = name(around, end.span);
        // What the variable is less than is no negative number.
        let end = match visit::same(end, head.bound()) {
            true => end.clone(),
            false => long(unit, end.clone()),
        };
        binary(BinaryOp::Sub, end, around)
    })
}

/// Whether a variable, or one that is made of it, is a subscript of an array with several, which takes
/// sums of variables only: inside of the loop, where it does not change, it is one.
pub(super) fn is_in_several(unit: &Unit, body: &Stmt, symbol: SymbolId) -> bool {
    let mut made = BTreeSet::from([symbol]);
    loop {
        let before = made.len();
        visit::statements(body, &mut |stmt| {
            let value = match &stmt.kind {
                StmtKind::Declaration(own) => {
                    unit.symbols[*own].initialiser.as_ref().map(|e| (*own, e))
                }
                StmtKind::Expression(Expr {
                    kind: ExprKind::Assign(_, target, value),
                    ..
                }) => match target.kind {
                    ExprKind::Name(own) => Some((own, &**value)),
                    _ => None,
                },
                _ => None,
            };
            if let Some((own, value)) = value
                && made.iter().any(|&other| visit::mentions(value, other))
            {
                made.insert(own);
            }
        });
        if made.len() == before {
            break;
        }
    }
    let mut found = false;
    visit::expressions(unit, body, &mut |top| {
        visit::walk(top, &mut |e| {
            if let ExprKind::Subscript(base, index) = &e.kind {
                let rows = types::place_type(unit, base).and_then(types::pointee);
                let several = matches!(rows, Some(Type::Array { .. }))
                    || matches!(base.kind, ExprKind::Subscript(..));
                found |= several && made.iter().any(|&own| visit::mentions(index, own));
            }
        });
    });
    found
}
