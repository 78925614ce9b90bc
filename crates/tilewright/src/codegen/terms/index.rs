//! Index expressions: built simplified, converted from isl's AST expressions.
//!
//! Sums are kept in a linear normal form, `Σ coefficient · atom + constant`, so that
//! `(c3 - 32*c0) + 32*c0 + 2` is `c3 + 2`. Arithmetic is exact: where a constant would leave 64
//! bits an expression stays as it is.

use crate::codegen::kernel::{Comparison, Index};
use crate::codegen::terms::sum::{Linear, normal};
use isl::{AstBuild, AstExpr, AstExprOpType, AstExprType, Error, ErrorKind, Result, Set};

impl Index {
    /// The loop variable of this name.
    pub fn var(name: &str) -> Index {
        Index::Var(name.to_owned())
    }

    /// `self + other`, simplified.
    pub fn plus(&self, other: &Index) -> Index {
        normal(Index::Add(Box::new(self.clone()), Box::new(other.clone())))
    }

    /// `self - other`, simplified.
    pub fn minus(&self, other: &Index) -> Index {
        normal(Index::Sub(Box::new(self.clone()), Box::new(other.clone())))
    }

    /// `factor · self`, simplified.
    pub fn times(&self, factor: i64) -> Index {
        normal(Index::Mul(
            Box::new(Index::Int(factor)),
            Box::new(self.clone()),
        ))
    }

    /// The quotient rounded down, simplified. The divisor is positive.
    pub fn floor_div(&self, divisor: i64) -> Index {
        let Some(linear) = Linear::of(self).filter(|_| divisor > 0) else {
            return Index::FloorDiv(Box::new(self.clone()), divisor);
        };
        let (quotient, rest) = linear.split(divisor);
        let quotient = quotient.into_index();
        if rest.is_constant() {
            return quotient;
        }
        quotient.plus(&Index::FloorDiv(Box::new(rest.into_index()), divisor))
    }

    /// The remainder in `0..divisor`, simplified. The divisor is positive.
    pub fn modulo(&self, divisor: i64) -> Index {
        if let Index::Min(all) | Index::Max(all) = self {
            // Whichever it is, where all have the same remainder.
            let mut rests = all.iter().map(|one| one.modulo(divisor));
            if let Some(Index::Int(rest)) = rests.next() {
                if rests.all(|other| other == Index::Int(rest)) {
                    return Index::Int(rest);
                }
            }
        }
        let Some(linear) = Linear::of(self).filter(|_| divisor > 0) else {
            return Index::Mod(Box::new(self.clone()), divisor);
        };
        let (_, rest) = linear.split(divisor);
        if rest.is_constant() {
            return Index::Int(rest.constant);
        }
        Index::Mod(Box::new(rest.into_index()), divisor)
    }

    /// The quotient of a dividend that is not negative or divides exactly.
    pub(crate) fn exact_div(&self, divisor: i64) -> Index {
        if let Some(linear) = Linear::of(self).filter(|_| divisor > 0) {
            let (quotient, rest) = linear.split(divisor);
            if rest.is_constant() {
                return quotient.into_index();
            }
        }
        Index::ExactDiv(Box::new(self.clone()), divisor)
    }

    /// The quotient by a positive number that divides the value.
    pub(crate) fn quotient(&self, divisor: i64) -> Index {
        let Some(linear) = Linear::of(self).filter(|_| divisor > 0) else {
            return Index::ExactDiv(Box::new(self.clone()), divisor);
        };
        let (quotient, rest) = linear.split(divisor);
        let quotient = quotient.into_index();
        if rest.is_constant() {
            return quotient;
        }
        quotient.plus(&Index::ExactDiv(Box::new(rest.into_index()), divisor))
    }

    /// Something that is zero where a positive number divides the value, and only there.
    pub(crate) fn rest_compared_with_zero(&self, divisor: i64) -> Index {
        match Linear::of(self).filter(|_| divisor > 0) {
            Some(linear) => linear.split(divisor).1.into_index().plain_mod(divisor),
            None => self.plain_mod(divisor),
        }
    }

    /// The comparison with zero, written without differences: `c2 + 3 >= 4 * c0`.
    pub(crate) fn compared_with_zero(&self, comparison: Comparison) -> Index {
        let Some(linear) = Linear::of(self) else {
            return compare(comparison, self.clone(), Index::Int(0));
        };
        let (mut left, mut right) = (Index::Int(0), Index::Int(0));
        for (atom, coefficient) in linear.terms {
            match coefficient.checked_neg() {
                Some(k) if coefficient < 0 => right = right.plus(&atom.times(k)),
                _ => left = left.plus(&atom.times(coefficient)),
            }
        }
        match linear.constant.checked_neg() {
            Some(k) if linear.constant < 0 => right = right.plus(&Index::Int(k)),
            _ => left = left.plus(&Index::Int(linear.constant)),
        }
        compare(comparison, left, right)
    }

    /// The remainder of a dividend that is not negative or compared with zero only.
    pub(crate) fn plain_mod(&self, divisor: i64) -> Index {
        match self {
            Index::Int(value) if divisor > 0 => Index::Int(value.rem_euclid(divisor)),
            _ => Index::PlainMod(Box::new(self.clone()), divisor),
        }
    }

    /// The smallest of some, simplified: operands that differ by a constant are compared.
    pub fn min_of(operands: Vec<Index>) -> Index {
        extremum(operands, true)
    }

    /// The largest of some, simplified.
    pub fn max_of(operands: Vec<Index>) -> Index {
        extremum(operands, false)
    }

    /// `self - other` where that is a constant.
    pub fn distance(&self, other: &Index) -> Option<i64> {
        match self.minus(other) {
            Index::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Whether the two certainly have different values: no multiples of the factors of what they
    /// differ by add up to the rest.
    pub fn differs_from(&self, other: &Index) -> bool {
        use Index::{Mod, PlainMod};
        let (a, b, divisor) = match (self, other) {
            (Mod(a, m) | PlainMod(a, m), Mod(b, n) | PlainMod(b, n)) if m == n => (&**a, &**b, *m),
            _ => (self, other, 0),
        };
        let Some(difference) = Linear::of(&Index::Sub(Box::new(a.clone()), Box::new(b.clone())))
        else {
            return false;
        };
        let factors = difference
            .terms
            .iter()
            .map(|(_, factor)| factor.unsigned_abs());
        match factors.fold(divisor.unsigned_abs(), common_divisor) {
            0 => difference.constant != 0,
            common => difference.constant.unsigned_abs() % common != 0,
        }
    }

    /// Calls `visit` on this and every operand below.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Index)) {
        visit(self);
        match self {
            Index::Int(_) | Index::Var(_) | Index::Param(_) => {}
            Index::Data(_, indices) => indices.iter().for_each(|a| a.walk(visit)),
            Index::Add(a, b) | Index::Sub(a, b) | Index::Mul(a, b) | Index::Compare(_, a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            Index::Neg(a)
            | Index::FloorDiv(a, _)
            | Index::ExactDiv(a, _)
            | Index::Mod(a, _)
            | Index::PlainMod(a, _) => a.walk(visit),
            Index::Min(all) | Index::Max(all) | Index::All(all) | Index::Any(all) => {
                all.iter().for_each(|a| a.walk(visit));
            }
            Index::Select(a, b, c) => {
                a.walk(visit);
                b.walk(visit);
                c.walk(visit);
            }
        }
    }

    /// The same with a value in place of a loop variable, simplified.
    pub fn with(&self, var: &str, value: &Index) -> Index {
        self.replaced(&|part| match part {
            Index::Var(name) if name == var => Some(value.clone()),
            _ => None,
        })
    }

    /// The same with other expressions in place of those parts for which `other` has one, outer
    /// parts first, simplified. What is put in is not looked into.
    pub fn replaced(&self, other: &dyn Fn(&Index) -> Option<Index>) -> Index {
        if let Some(other) = other(self) {
            return other;
        }
        let put = |index: &Index| index.replaced(other);
        let puts = |all: &[Index]| all.iter().map(put).collect::<Vec<Index>>();
        match self {
            Index::Int(_) | Index::Var(_) | Index::Param(_) => self.clone(),
            Index::Data(buffer, indices) => Index::Data(*buffer, puts(indices)),
            Index::Add(a, b) => put(a).plus(&put(b)),
            Index::Sub(a, b) => put(a).minus(&put(b)),
            Index::Mul(a, b) => normal(Index::Mul(Box::new(put(a)), Box::new(put(b)))),
            Index::Neg(a) => put(a).times(-1),
            Index::FloorDiv(a, d) => put(a).floor_div(*d),
            Index::ExactDiv(a, d) => put(a).exact_div(*d),
            Index::Mod(a, d) => put(a).modulo(*d),
            Index::PlainMod(a, d) => match (put(a), *d) {
                // A mask either way, and equal remainders then look equal.
                (a, d) if d > 1 && d.count_ones() == 1 => a.modulo(d),
                // C's `%` needs the dividend as it is: without what divides it may be negative.
                (a, d) => match a.modulo(d) {
                    Index::Int(rest) => Index::Int(rest),
                    _ => a.plain_mod(d),
                },
            },
            Index::Min(all) => Index::min_of(puts(all)),
            Index::Max(all) => Index::max_of(puts(all)),
            Index::Select(c, a, b) => match put(c) {
                Index::Int(0) => put(b),
                Index::Int(_) => put(a),
                c => Index::Select(Box::new(c), Box::new(put(a)), Box::new(put(b))),
            },
            Index::Compare(comparison, a, b) => compare(*comparison, put(a), put(b)),
            Index::All(all) => logic(puts(all), 1),
            Index::Any(all) => logic(puts(all), 0),
        }
    }

    /// Whether its value is read from memory ([`Index::Data`]).
    pub fn is_data(&self) -> bool {
        let mut data = false;
        self.walk(&mut |part| data |= matches!(part, Index::Data(..)));
        data
    }

    /// Whether the loop variable is mentioned.
    pub fn mentions(&self, var: &str) -> bool {
        let mut found = false;
        self.walk(&mut |index| found |= matches!(index, Index::Var(name) if name == var));
        found
    }

    /// The coefficient of a loop variable where the expression is linear in it and mentions it
    /// nowhere else.
    pub fn coefficient(&self, var: &str) -> Option<i64> {
        let mut coefficient = 0;
        for (atom, factor) in Linear::of(self)?.terms {
            match &atom {
                Index::Var(name) if name == var => coefficient = factor,
                _ if atom.mentions(var) => return None,
                _ => {}
            }
        }
        Some(coefficient)
    }
}

fn extremum(operands: Vec<Index>, smallest: bool) -> Index {
    let mut flat: Vec<Index> = Vec::new();
    let mut pending: Vec<Index> = operands;
    pending.reverse();
    while let Some(operand) = pending.pop() {
        match operand {
            Index::Min(all) if smallest => pending.extend(all.into_iter().rev()),
            Index::Max(all) if !smallest => pending.extend(all.into_iter().rev()),
            operand => {
                let known = flat
                    .iter_mut()
                    .find_map(|f| operand.distance(f).map(|d| (f, d)));
                match known {
                    Some((f, distance)) if (distance < 0) == smallest && distance != 0 => {
                        *f = operand;
                    }
                    Some(_) => {}
                    None => flat.push(operand),
                }
            }
        }
    }
    match (flat.len(), smallest) {
        (1, _) => flat.swap_remove(0),
        (_, true) => Index::Min(flat),
        (_, false) => Index::Max(flat),
    }
}

pub(crate) fn compare(comparison: Comparison, a: Index, b: Index) -> Index {
    if let Some(distance) = a.distance(&b) {
        let holds = match comparison {
            Comparison::Equal => distance == 0,
            Comparison::LessEqual => distance <= 0,
            Comparison::Less => distance < 0,
            Comparison::GreaterEqual => distance >= 0,
            Comparison::Greater => distance > 0,
        };
        return Index::Int(i64::from(holds));
    }
    Index::Compare(comparison, Box::new(a), Box::new(b))
}

/// All of them (`neutral` 1) or one of them (`neutral` 0).
pub(crate) fn logic(operands: Vec<Index>, neutral: i64) -> Index {
    let mut flat = Vec::new();
    for operand in operands {
        match operand {
            Index::All(inner) if neutral == 1 => flat.extend(inner),
            Index::Any(inner) if neutral == 0 => flat.extend(inner),
            Index::Int(value) if i64::from(value != 0) == neutral => {}
            Index::Int(_) => return Index::Int(1 - neutral),
            operand => flat.push(operand),
        }
    }
    match (flat.len(), neutral) {
        (0, _) => Index::Int(neutral),
        (1, _) => flat.swap_remove(0),
        (_, 1) => Index::All(flat),
        _ => Index::Any(flat),
    }
}

/// Disjuncts that [`covering`] gives at most.
const MOST_DISJUNCTS: usize = 3;

/// A short condition that holds wherever a set of parameters does, under a context: what has more
/// disjuncts is covered by one convex set, and remainders are not asked for.
///
/// # Errors
/// isl's own.
pub(crate) fn covering(
    set: &Set,
    context: &Set,
    build: &AstBuild,
    name: &dyn Fn(&str) -> Index,
) -> Result<Index> {
    let mut set = set.gist(context)?.remove_divs()?.coalesce()?;
    if set.n_basic_set()? > MOST_DISJUNCTS {
        set = Set::from_basic_set(&set.simple_hull()?)?.gist(context)?;
    }
    from_ast(&build.expr_from_set(&set)?, name)
}

/// isl's expression as ours. `name` turns an identifier into a variable or parameter.
///
/// # Errors
/// isl's own; [`ErrorKind::Unsupported`] for kinds that an index never has (calls, members).
pub(crate) fn from_ast(expr: &AstExpr, name: &dyn Fn(&str) -> Index) -> Result<Index> {
    match expr.get_type()? {
        AstExprType::Id => Ok(name(&expr.get_id()?.get_name()?)),
        AstExprType::Int => integer(expr).map(Index::Int),
        AstExprType::Op => operation(expr, name),
    }
}

fn integer(expr: &AstExpr) -> Result<i64> {
    let value = expr.get_val()?;
    let bound = 1i64 << 62;
    let (low, high) = (
        isl::Val::int_from_si(value.ctx(), -bound)?,
        isl::Val::int_from_si(value.ctx(), bound)?,
    );
    if value.lt(&low)? || value.gt(&high)? {
        return Err(Error::new(
            ErrorKind::Unsupported,
            "a constant of more than 62 bits",
        ));
    }
    value.get_num_si()
}

fn operation(expr: &AstExpr, name: &dyn Fn(&str) -> Index) -> Result<Index> {
    let mut arguments = Vec::new();
    for position in 0..expr.get_op_n_arg()? {
        arguments.push(from_ast(&expr.get_op_arg(position)?, name)?);
    }
    let kind = expr.get_op_type()?;
    use AstExprOpType as Op;
    let divisor = || match arguments.get(1) {
        Some(Index::Int(value)) if *value > 0 => Ok(*value),
        _ => Err(Error::new(
            ErrorKind::Unsupported,
            "a divisor that is not a positive constant",
        )),
    };
    Ok(match (kind, arguments.as_slice()) {
        (Op::And | Op::AndThen, _) => logic(arguments, 1),
        (Op::Or | Op::OrElse, _) => logic(arguments, 0),
        (Op::Max, _) => Index::max_of(arguments),
        (Op::Min, _) => Index::min_of(arguments),
        (Op::Minus, [a]) => a.times(-1),
        (Op::Add, [a, b]) => a.plus(b),
        (Op::Sub, [a, b]) => a.minus(b),
        (Op::Mul, [a, b]) => normal(Index::Mul(Box::new(a.clone()), Box::new(b.clone()))),
        (Op::FdivQ, [a, _]) => a.floor_div(divisor()?),
        (Op::Div | Op::PdivQ, [a, _]) => a.exact_div(divisor()?),
        (Op::PdivR | Op::ZdivR, [a, _]) => a.plain_mod(divisor()?),
        (Op::Cond | Op::Select, [Index::Int(c), a, b]) => if *c != 0 { a } else { b }.clone(),
        (Op::Cond | Op::Select, [c, a, b]) => Index::Select(
            Box::new(c.clone()),
            Box::new(a.clone()),
            Box::new(b.clone()),
        ),
        (Op::Eq, [a, b]) => compare(Comparison::Equal, a.clone(), b.clone()),
        (Op::Le, [a, b]) => compare(Comparison::LessEqual, a.clone(), b.clone()),
        (Op::Lt, [a, b]) => compare(Comparison::Less, a.clone(), b.clone()),
        (Op::Ge, [a, b]) => compare(Comparison::GreaterEqual, a.clone(), b.clone()),
        (Op::Gt, [a, b]) => compare(Comparison::Greater, a.clone(), b.clone()),
        _ => {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!("isl's expression {expr} in an index"),
            ));
        }
    })
}

/// The greatest number that divides both; 0 divides 0 alone.
fn common_divisor(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        b => common_divisor(b, a % b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn c(n: u32) -> Index {
        Index::Var(format!("c{n}"))
    }

    #[test]
    fn sums_have_one_normal_form() {
        let local = c(3).minus(&c(0).times(32)).plus(&Index::Int(2));
        assert_eq!(local.plus(&c(0).times(32)), c(3).plus(&Index::Int(2)));
        assert_eq!(c(1).minus(&c(1)), Index::Int(0));
        assert_eq!(
            Index::Int(5).minus(&c(0)),
            Index::Sub(Box::new(Index::Int(5)), Box::new(c(0)))
        );
        assert_eq!(local.distance(&local.minus(&Index::Int(7))), Some(7));
        assert_eq!(local.distance(&c(3)), None);
    }

    #[test]
    fn buffers_of_even_and_odd_steps_differ() {
        let parity = |index: Index| Index::PlainMod(Box::new(index), 2);
        let at = |k: i64| c(3).plus(&Index::Int(k));
        assert!(parity(at(1)).differs_from(&parity(at(0))));
        assert!(parity(at(0)).differs_from(&parity(at(-3))));
        assert!(!parity(at(2)).differs_from(&parity(at(0))));
        assert!(!parity(at(0)).differs_from(&parity(c(4))));
        // Remainders of different divisors may be equal.
        assert!(!parity(at(1)).differs_from(&Index::PlainMod(Box::new(at(0)), 3)));
        assert!(at(1).differs_from(&at(0)));
        assert!(!at(1).differs_from(&at(1)));
        // Of two buffers, the one that step 4 b + s fills from the other: s and 1 - s.
        let step = |k: i64| c(3).minus(&c(0).times(4)).plus(&Index::Int(k));
        let back = |k: i64| Index::Int(k).minus(&step(0));
        assert!(step(0).differs_from(&back(1)));
        assert!(!step(0).differs_from(&back(2)));
        assert!(!step(0).differs_from(&c(0).plus(&Index::Int(1))));
    }

    #[test]
    fn sums_that_overflow_stay_as_they_are() {
        let big = Index::Int(i64::MAX);
        assert_eq!(
            big.plus(&Index::Int(1)),
            Index::Add(Box::new(big.clone()), Box::new(Index::Int(1)))
        );
    }

    #[test]
    fn division_takes_out_what_divides() {
        let x = c(0).times(32).plus(&c(1)).plus(&Index::Int(-33));
        assert_eq!(
            x.floor_div(32),
            c(0).plus(&Index::FloorDiv(Box::new(c(1).plus(&Index::Int(31))), 32))
                .plus(&Index::Int(-2))
        );
        assert_eq!(c(0).times(8).plus(&Index::Int(5)).modulo(4), Index::Int(1));
        assert_eq!(
            c(0).times(8).plus(&Index::Int(-5)).floor_div(4),
            c(0).times(2).minus(&Index::Int(2))
        );
        assert_eq!(Index::Int(-7).modulo(4), Index::Int(1));
    }

    #[test]
    fn extrema_drop_what_another_operand_covers() {
        let n = Index::Param(0);
        let all = vec![
            n.clone(),
            c(0),
            n.plus(&Index::Int(-1)),
            Index::Min(vec![c(0), c(1)]),
        ];
        assert_eq!(
            Index::min_of(all),
            Index::Min(vec![n.plus(&Index::Int(-1)), c(0), c(1)])
        );
        assert_eq!(Index::max_of(vec![c(0), c(0)]), c(0));
    }

    /// C's `%` needs the dividend as it is: what divides may be what keeps it from being negative.
    #[test]
    fn dividends_of_plain_remainders_are_not_reduced() {
        let row = Index::PlainMod(Box::new(c(0).plus(&Index::Int(8))), 3);
        for value in -8..4i64 {
            let Index::PlainMod(dividend, 3) = row.with("c1", &Index::Int(5)) else {
                panic!()
            };
            let Index::Int(dividend) = dividend.with("c0", &Index::Int(value)) else {
                panic!()
            };
            assert_eq!(dividend % 3, (value + 8) % 3);
        }
        let parity = Index::PlainMod(Box::new(c(0)), 2);
        let odd = c(1).times(2).plus(&Index::Int(1));
        assert_eq!(parity.with("c0", &odd), Index::Int(1));
    }

    #[test]
    fn coefficients() {
        let x = c(0).times(3).plus(&Index::FloorDiv(Box::new(c(1)), 2));
        assert_eq!(x.coefficient("c0"), Some(3));
        assert_eq!(x.coefficient("c1"), None);
        assert_eq!(x.coefficient("c2"), Some(0));
    }
}
