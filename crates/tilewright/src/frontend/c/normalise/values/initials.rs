//! Arrays with fewer initial values than elements: `int count[256] = {0};` is declared, gets the
//! values that its list names, and zeros for all others (C11, 6.7.9, paragraph 21), from loops.

use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::parse::constant;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, Type, Unit};
use std::ops::Range;

/// So many elements without a value of their own are filled by loops; fewer are set one by one.
const LEAST: i64 = 16;

/// More values than these are no list that is followed.
const MOST: usize = 64;

/// Fills the arrays that a region declares.
pub(in crate::frontend::c::normalise) fn fill(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    tree::spread(statements, &mut |stmt| {
        let StmtKind::Declaration(symbol) = stmt.kind else {
            return vec![stmt];
        };
        let own = &unit.symbols[symbol];
        let (is_static, ctype) = (own.is_static, own.ctype.clone());
        let Some(list) = own.initialiser.clone().filter(|_| !is_static) else {
            return vec![stmt];
        };
        // None of their variables is declared where the list stays.
        let place = build::name(symbol, stmt.span);
        let known = unit.symbols.len();
        let mut filling = Filling {
            unit: &mut *unit,
            number,
            cells: 0,
            named: 0,
        };
        match filling.values(&place, &ctype, Some(&list)) {
            Some(values) if filling.cells >= LEAST && filling.named <= MOST => {
                unit.symbols[symbol].initialiser = None;
                std::iter::once(stmt).chain(values).collect()
            }
            _ => {
                unit.symbols.truncate(known);
                vec![stmt]
            }
        }
    });
}

struct Filling<'u> {
    unit: &'u mut Unit,
    number: usize,
    /// How many cells get their zeros from loops; the largest number inside of one.
    cells: i64,
    /// How many have a value of their own.
    named: usize,
}

impl Filling<'_> {
    /// Gives a place the values of a list, zeros without one; `None` of what no list is followed for.
    fn values(&mut self, place: &Expr, ctype: &Type, value: Option<&Expr>) -> Option<Vec<Stmt>> {
        let items = match value.map(|value| &value.kind) {
            Some(ExprKind::List(items)) if is_zero(items) => &[],
            Some(ExprKind::List(items)) => items.as_slice(),
            None => &[],
            Some(_) => match ctype {
                Type::Scalar(_) => {
                    self.named += 1;
                    return Some(vec![set(place, value?.clone())]);
                }
                _ => return None,
            },
        };
        let mut list = Vec::new();
        match ctype {
            Type::Scalar(_) => match items {
                [] => list.push(set(place, build::integer(0, place.span))),
                [one] => return self.values(place, ctype, Some(one)),
                _ => return None,
            },
            Type::Array {
                element, extent, ..
            } => {
                let &ExprKind::Integer(extent, _) = &extent.as_deref()?.kind else {
                    return None;
                };
                // Without braces of their own, values of elements go on in the next one.
                let in_braces = |item: &Expr| matches!(item.kind, ExprKind::List(_));
                if !matches!(**element, Type::Scalar(_)) && !items.iter().all(in_braces) {
                    return None;
                }
                let mut rest = items;
                let mut at = 0;
                while at < extent {
                    let zeros = rest
                        .iter()
                        .position(|item| !is_zero(std::slice::from_ref(item)));
                    let end = match zeros {
                        Some(zeros) => at + i64::try_from(zeros).ok()?,
                        None => extent,
                    };
                    list.extend(self.zeros(place, element, at..end)?);
                    let Some((item, others)) = zeros.and_then(|k| rest[k..].split_first()) else {
                        break;
                    };
                    let cell = subscript(place, build::integer(end, place.span));
                    list.extend(self.values(&cell, element, Some(item))?);
                    (rest, at) = (others, end + 1);
                }
            }
            Type::Struct {
                fields,
                is_union: false,
                ..
            } => {
                for (k, (field, ctype)) in fields.iter().enumerate() {
                    let kind = ExprKind::Field(Box::new(place.clone()), field.clone());
                    let member = build::expression(kind, place.span);
                    list.extend(self.values(&member, ctype, items.get(k))?);
                }
            }
            _ => return None,
        }
        Some(list)
    }

    /// Gives these elements of an array zeros: few of them one by one.
    fn zeros(&mut self, array: &Expr, element: &Type, rows: Range<i64>) -> Option<Vec<Stmt>> {
        let span = array.span;
        let count = (rows.end - rows.start).checked_mul(cells(element))?;
        if self.cells < i64::MAX && count < LEAST {
            let mut list = Vec::new();
            for row in rows {
                let cell = subscript(array, build::integer(row, span));
                list.extend(self.values(&cell, element, None)?);
            }
            return Some(list);
        }
        let (first, int) = (build::integer(rows.start, span), Type::Scalar(build::int()));
        let at = build::variable(self.unit, self.number, "at", int, Some(first), span);
        // In a loop everything is a loop.
        let (outside, named) = (std::mem::replace(&mut self.cells, i64::MAX), self.named);
        let cell = subscript(array, build::name(at, span));
        let body = self.values(&cell, element, None)?;
        (self.cells, self.named) = (outside.saturating_add(count), named);
        let limit = build::integer(rows.end, span);
        let each = build::counted(at, limit, *build::block(body, span));
        Some(vec![each])
    }
}

/// How many numbers a variable of a type holds.
fn cells(ctype: &Type) -> i64 {
    match ctype {
        Type::Array {
            element, extent, ..
        } => match extent.as_deref().map(|extent| &extent.kind) {
            Some(ExprKind::Integer(extent, _)) => extent.saturating_mul(cells(element)),
            _ => i64::MAX,
        },
        Type::Struct { fields, .. } => {
            let all = fields.iter().map(|(_, field)| cells(field));
            all.fold(0, i64::saturating_add)
        }
        _ => 1,
    }
}

/// Whether all values of a list are zeros: `{}`, `{0}`, `{{0.0}}`. A zero that stands where an array
/// or a structure does is the first one in it.
fn is_zero(items: &[Expr]) -> bool {
    items.iter().all(|item| match &item.kind {
        ExprKind::List(items) => is_zero(items),
        _ => constant::value(item) == Some(0),
    })
}

fn subscript(array: &Expr, at: Expr) -> Expr {
    let kind = ExprKind::Subscript(Box::new(array.clone()), Box::new(at));
    build::expression(kind, array.span)
}

fn set(place: &Expr, value: Expr) -> Stmt {
    tree::statement(build::assign(place.clone(), value))
}
