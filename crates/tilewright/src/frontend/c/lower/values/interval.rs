//! Integer expressions whose mathematical value is C's, whatever values their variables have: by
//! intervals, without isl.

use crate::frontend::c::lower::calls::{extremum, purity};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::scop::{BinaryOp, ScalarKind, UnaryOp};

/// The least and greatest value.
pub(crate) type Interval = (i128, i128);

/// What is known of variables: their values, or an expression that stands for one.
pub(crate) trait Variables<'u> {
    /// Values of a variable or a field, narrower than those of its type.
    fn values(&self, place: &Expr) -> Option<Interval>;
    /// What a variable was initialised with and still is.
    fn definition(&self, symbol: SymbolId) -> Option<&'u Expr>;
    /// The values of an expression whose value in C is the mathematical one, where more is known of them
    /// than those of its parts say: of `w - 1 - x` with `x < w`.
    fn together(&self, _: &Expr) -> Option<Interval> {
        None
    }
}

/// Nothing but types.
pub(crate) struct Unknown;

impl<'u> Variables<'u> for Unknown {
    fn values(&self, _: &Expr) -> Option<Interval> {
        None
    }

    fn definition(&self, _: SymbolId) -> Option<&'u Expr> {
        None
    }
}

/// The same where some variables have values of which more is known: parameters of a function that
/// is called, variables that a condition compares.
struct Inside<'v, 'u> {
    around: &'v dyn Variables<'u>,
    parameters: Vec<(SymbolId, Interval)>,
}

impl<'u> Variables<'u> for Inside<'_, 'u> {
    fn values(&self, place: &Expr) -> Option<Interval> {
        let given = |&(symbol, values): &(SymbolId, Interval)| {
            (place.kind == ExprKind::Name(symbol)).then_some(values)
        };
        let mut parameters = self.parameters.iter();
        parameters
            .find_map(given)
            .or_else(|| self.around.values(place))
    }

    fn definition(&self, symbol: SymbolId) -> Option<&'u Expr> {
        self.around.definition(symbol)
    }

    fn together(&self, expr: &Expr) -> Option<Interval> {
        self.around.together(expr)
    }
}

/// How deep definitions and calls are followed.
const DEPTH: usize = 16;

/// The values of an integer expression; `None` where some part of it may wrap around or change by a
/// conversion. What is undefined in C does not happen.
pub(crate) fn interval<'u>(
    unit: &Unit,
    variables: &dyn Variables<'u>,
    expr: &Expr,
) -> Option<Interval> {
    at(unit, variables, expr, DEPTH)
}

/// Whether converting what `expr` computes to `to` keeps its value.
pub(crate) fn keeps(unit: &Unit, expr: &Expr, to: ScalarKind) -> bool {
    let (Some((least, greatest)), Some((low, high))) =
        (types::range(to), interval(unit, &Unknown, expr))
    else {
        return false;
    };
    least <= low && high <= greatest
}

/// What `&`, `|` or `^` make of two values, in two's complement.
fn bits(op: BinaryOp, (a, b): Interval, (c, d): Interval) -> Interval {
    // The end of the numbers with as many bits as these.
    let beyond = |values: [i128; 2]| {
        let most = values[0].max(values[1]).max(1);
        most.unsigned_abs().next_power_of_two() as i128
    };
    let (up, down) = (beyond([b + 1, d + 1]), beyond([-a, -c]));
    match op {
        BinaryOp::BitAnd if a >= 0 && c >= 0 => (0, b.min(d)),
        BinaryOp::BitAnd if c >= 0 => (0, d),
        BinaryOp::BitAnd if a >= 0 => (0, b),
        BinaryOp::BitAnd => (-down, b.max(d)),
        BinaryOp::BitOr => (a.min(c), if b < 0 || d < 0 { -1 } else { up - 1 }),
        _ if a >= 0 && c >= 0 => (0, up - 1),
        _ => (-up.max(down), up.max(down) - 1),
    }
}

fn at<'u>(
    unit: &Unit,
    variables: &dyn Variables<'u>,
    expr: &Expr,
    depth: usize,
) -> Option<Interval> {
    use BinaryOp::*;
    let kind = types::scalar_kind(unit, expr).filter(|kind| !kind.is_float())?;
    let (least, greatest) = types::range(kind)?;
    let of = |e: &Expr| at(unit, variables, e, depth);
    let inside = |(low, high): Interval| (least <= low && high <= greatest).then_some((low, high));
    // An operand in the common type.
    let operand = |e: &Expr| {
        let values = of(e)?;
        inside(values).or_else(|| variables.together(e).and_then(inside))
    };
    // A value of an operator: signed ones stay in range.
    let value = |(low, high): Interval| match types::is_unsigned(kind) {
        true => inside((low, high)),
        false => Some((low.clamp(least, greatest), high.clamp(least, greatest))),
    };
    match &expr.kind {
        ExprKind::Integer(number, _) => Some((i128::from(*number), i128::from(*number))),
        ExprKind::Unary(UnaryOp::Plus, a) => of(a),
        ExprKind::Unary(UnaryOp::Minus, a) => of(a).and_then(|(low, high)| value((-high, -low))),
        ExprKind::Unary(UnaryOp::Not, a) => of(a).map(|_| (0, 1)),
        ExprKind::Unary(UnaryOp::Complement, a) => {
            let (low, high) = operand(a)?;
            let all = if types::is_unsigned(kind) {
                greatest
            } else {
                -1
            };
            Some((all - high, all - low))
        }
        ExprKind::Binary(Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual, a, b) => {
            let common = types::scalar_kind(unit, a)?.common(types::scalar_kind(unit, b)?);
            let fits = |e: &Expr| {
                let (low, high) = of(e)?;
                let (least, greatest) = types::range(common)?;
                (least <= low && high <= greatest).then_some(())
            };
            fits(a).and(fits(b)).map(|()| (0, 1))
        }
        ExprKind::Binary(And | Or, a, b) => of(a).and(of(b)).map(|_| (0, 1)),
        ExprKind::Binary(op, a, b) => match op {
            ShiftLeft | ShiftRight => {
                let ((low, high), (count, same)) = (of(a)?, of(b)?);
                if count != same || !(0..63).contains(&count) {
                    return None;
                }
                match op {
                    ShiftLeft => value((low << count, high << count)),
                    _ => Some((low >> count, high >> count)),
                }
            }
            BitAnd | BitOr | BitXor => Some(bits(*op, operand(a)?, operand(b)?)),
            Add | Sub | Mul | Div | Rem => {
                let ((a, b), (c, d)) = (operand(a)?, operand(b)?);
                let product = |x: i128, y: i128| x.saturating_mul(y);
                match op {
                    Add => value((a + c, b + d)),
                    // `n - i` of unsigned numbers, where `i` is never more than `n`.
                    Sub => {
                        value((a - d, b - c)).or_else(|| variables.together(expr).and_then(inside))
                    }
                    Mul => {
                        let all = [product(a, c), product(a, d), product(b, c), product(b, d)];
                        value((*all.iter().min()?, *all.iter().max()?))
                    }
                    Div if c > 0 => {
                        let all = [a / c, a / d, b / c, b / d];
                        Some((*all.iter().min()?, *all.iter().max()?))
                    }
                    Rem if c > 0 => Some((a.max(1 - d).min(0), b.min(d - 1).max(0))),
                    _ => None,
                }
            }
            _ => None,
        },
        ExprKind::Conditional(c, a, b) => {
            of(c)?;
            let side = |holds, e| {
                let inner = Inside {
                    around: variables,
                    parameters: compared(unit, variables, c, holds, depth),
                };
                at(unit, &inner, e, depth).and_then(inside)
            };
            let ((a, b), (c, d)) = (side(true, a)?, side(false, b)?);
            Some((a.min(c), b.max(d)))
        }
        ExprKind::Cast(Type::Scalar(_), a) => operand(a),
        ExprKind::Call(name, arguments) => {
            match (extremum::extremum(unit, name), arguments.as_slice()) {
                (Some(greater), [a, b]) if [a, b].into_iter().all(|e| types::is_int(unit, e)) => {
                    let ((a, b), (c, d)) = (operand(a)?, operand(b)?);
                    Some(match greater {
                        true => (a.max(c), b.max(d)),
                        false => (a.min(c), b.min(d)),
                    })
                }
                _ => {
                    let (_, function) = purity::definition(unit, name).filter(|_| depth > 0)?;
                    let mut parameters = Vec::new();
                    for (&parameter, argument) in function.parameters.iter().zip(arguments) {
                        let Type::Scalar(to) = &unit.symbols[parameter].ctype else {
                            return None;
                        };
                        let (least, greatest) = types::range(to.kind)?;
                        let (low, high) = of(argument)?;
                        (least <= low && high <= greatest).then_some(())?;
                        parameters.push((parameter, (low, high)));
                    }
                    let inner = Inside {
                        around: variables,
                        parameters,
                    };
                    given_back(unit, &inner, &[&function.body], depth - 1).and_then(inside)
                }
            }
        }
        ExprKind::Name(symbol) => {
            if let (Some(definition), true) = (variables.definition(*symbol), depth > 0) {
                return at(unit, variables, definition, depth - 1).and_then(inside);
            }
            Some(variables.values(expr).unwrap_or((least, greatest)))
        }
        // What is in memory has its type's values, if no more is known.
        ExprKind::Field(..)
        | ExprKind::Arrow(..)
        | ExprKind::Subscript(..)
        | ExprKind::Dereference(_) => Some(variables.values(expr).unwrap_or((least, greatest))),
        _ => None,
    }
}

/// The values that a function of the file gives back, whatever its arguments are, and their type; `None` of
/// no integers.
pub(crate) fn returned(unit: &Unit, name: &str) -> Option<(ScalarKind, Interval)> {
    let (_, function) = purity::definition(unit, name)?;
    let Type::Scalar(result) = &function.result else {
        return None;
    };
    let all = types::range(result.kind).filter(|_| !result.kind.is_float())?;
    let known = given_back(unit, &Unknown, &[&function.body], DEPTH);
    let known = known.filter(|(low, high)| all.0 <= *low && *high <= all.1);
    Some((result.kind, known.unwrap_or(all)))
}

/// The values that statements give back which do nothing else, nor go on behind them.
fn given_back<'u>(
    unit: &Unit,
    variables: &dyn Variables<'u>,
    statements: &[&Stmt],
    depth: usize,
) -> Option<Interval> {
    let (first, behind) = statements.split_first()?;
    match &first.kind {
        StmtKind::Empty => given_back(unit, variables, behind, depth),
        StmtKind::Block(list) => {
            let all: Vec<&Stmt> = list.iter().chain(behind.iter().copied()).collect();
            given_back(unit, variables, &all, depth)
        }
        StmtKind::Return(value) => at(unit, variables, value.as_ref()?, depth),
        StmtKind::If {
            condition,
            then,
            otherwise,
        } if depth > 0 => {
            at(unit, variables, condition, depth)?;
            let way = |holds, first: Option<&Stmt>| {
                let inner = Inside {
                    around: variables,
                    parameters: compared(unit, variables, condition, holds, depth),
                };
                let all: Vec<&Stmt> = first.into_iter().chain(behind.iter().copied()).collect();
                given_back(unit, &inner, &all, depth - 1)
            };
            let ((a, b), (c, d)) = (way(true, Some(&**then))?, way(false, otherwise.as_deref())?);
            Some((a.min(c), b.max(d)))
        }
        _ => None,
    }
}

/// What a comparison says of the variables on its sides where it holds, or does not. Its sides are
/// compared as they are: it has values ([`at`]).
fn compared<'u>(
    unit: &Unit,
    variables: &dyn Variables<'u>,
    condition: &Expr,
    holds: bool,
    depth: usize,
) -> Vec<(SymbolId, Interval)> {
    use BinaryOp::*;
    let ExprKind::Binary(op, a, b) = &condition.kind else {
        return Vec::new();
    };
    // As `a < b` or `a <= b`.
    let (a, b, strict) = match (op, holds) {
        (Less, true) | (GreaterEqual, false) => (a, b, 1),
        (LessEqual, true) | (Greater, false) => (a, b, 0),
        (Greater, true) | (LessEqual, false) => (b, a, 1),
        (GreaterEqual, true) | (Less, false) => (b, a, 0),
        _ => return Vec::new(),
    };
    let of = |e: &Expr| at(unit, variables, e, depth);
    let (Some(left), Some(right)) = (of(a), of(b)) else {
        return Vec::new();
    };
    let mut known = Vec::new();
    if let ExprKind::Name(symbol) = a.kind {
        known.push((symbol, (left.0, left.1.min(right.1 - strict))));
    }
    if let ExprKind::Name(symbol) = b.kind {
        known.push((symbol, (right.0.max(left.0 + strict), right.1)));
    }
    // What is never executed has any values.
    known.retain(|(_, (low, high))| low <= high);
    known
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::c::lower::values::types::tests::with;

    /// The values that C gives an expression of variables that have all values of their types.
    #[test]
    fn values_of_expressions() {
        let rows: [(&str, Option<Interval>); 48] = [
            ("c", Some((0, 255))),
            ("u", Some((0, 4_294_967_295))),
            ("s.w", Some((0, 65535))),
            ("f", None),
            ("a[i]", Some((-32_768, 32_767))),
            ("m[i][c]", None),
            ("+c", Some((0, 255))),
            ("-c", Some((-255, 0))),
            ("-u", None),
            ("!c", Some((0, 1))),
            ("c < b", Some((0, 1))),
            ("i < u", None),
            ("c && b", Some((0, 1))),
            ("c + b", Some((0, 256))),
            ("c - b", Some((-1, 255))),
            ("i + 1", Some((-2_147_483_647, 2_147_483_647))),
            ("u + 1", None),
            ("(c - 5) * (b - 3)", Some((-750, 15))),
            ("c / (b + 1)", Some((0, 255))),
            ("(c - 100) / (b + 1)", Some((-100, 155))),
            ("(c - 300) / (b + 2)", Some((-150, -15))),
            ("c / b", None),
            ("c % (b + 3)", Some((0, 3))),
            ("(c - 300) % (b + 3)", Some((-3, 0))),
            ("c & 15", Some((0, 15))),
            ("i & c", Some((0, 255))),
            ("c & i", Some((0, 255))),
            (
                "i & l",
                Some((-9_223_372_036_854_775_808, 9_223_372_036_854_775_807)),
            ),
            ("c & ~1", Some((0, 255))),
            ("(c - 5) & ~7", Some((-8, 250))),
            ("c | 256", Some((0, 511))),
            ("i | -1", Some((-2_147_483_648, -1))),
            ("c ^ b", Some((0, 255))),
            ("i ^ c", Some((-2_147_483_648, 2_147_483_647))),
            ("~c", Some((-256, -1))),
            ("~u", Some((0, 4_294_967_295))),
            ("(c - 1) >> 1", Some((-1, 127))),
            ("c << b", None),
            ("(c + 1) << 2", Some((4, 1024))),
            ("(c + 8) >> 2", Some((2, 65))),
            ("(c - 5) * (c - 7)", Some((-1750, 62000))),
            ("i ? c : b", Some((0, 255))),
            ("i < 0 ? 0 : i", Some((0, 2_147_483_647))),
            ("i > 9 ? 9 : i", Some((-2_147_483_648, 9))),
            ("i >= 0 ? c : -i", Some((0, 2_147_483_647))),
            ("0 <= i ? i : 7", Some((0, 2_147_483_647))),
            ("i < c ? i : c", Some((-2_147_483_648, 255))),
            ("max(c, 7) - min(c, 7)", Some((0, 255))),
        ];
        let mut wrong = Vec::new();
        for (expr, expected) in rows {
            let found = with(expr, |unit, value| interval(unit, &Unknown, value));
            if found != expected {
                wrong.push(format!("{expr}: {found:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
