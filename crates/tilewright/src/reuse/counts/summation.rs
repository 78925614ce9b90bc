//! Counting the points of a set with parameters.
//!
//! As Pugh does it (*Counting solutions to Presburger formulas*, PLDI 1994): one variable after
//! the other is summed away. Where its bounds have coefficients of 1, the sum of a polynomial
//! between a lower and an upper bound is a polynomial in the bounds; the set is cut into parts, in
//! each of which one lower bound is the greatest and one upper bound the least. Other sets, for
//! which counts are quasi-polynomials, are refused: then counts come from samples.

use crate::reuse::counts::counting::{Fraction, Polynomial};
use isl::{BasicSet, DimType, Result, Set};
use std::collections::BTreeMap;
use std::fmt;

/// Parts into which a set may fall before it is given up.
const PARTS: usize = 400;

/// `Σ c_k v_k + c`: a coefficient for each variable, then the constant.
type Row = Vec<i64>;

/// What is at least 0, and what is 0.
#[derive(Clone, Debug, Default)]
struct System {
    inequalities: Vec<Row>,
    equalities: Vec<Row>,
}

/// A polynomial: exponents of all variables to coefficients that are not 0.
type Terms = BTreeMap<Vec<u32>, Fraction>;

/// Why the points of a set are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncounted {
    /// Its points lie in strides, so that counts depend on remainders.
    Strides,
    /// A variable has another factor than 1 in a bound, so that counts depend on remainders.
    Factors,
    /// It falls into more than [`PARTS`] parts, or isl's budget ran out.
    Parts,
    /// Numbers of more bits than there are, or no bound.
    Numbers,
}

impl fmt::Display for Uncounted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Uncounted::Strides => "cells lie in strides, so that numbers depend on remainders",
            Uncounted::Factors => {
                "a subscript has a factor in a bound, so that numbers depend on remainders"
            }
            Uncounted::Parts => "there are too many cases",
            Uncounted::Numbers => "numbers get too large",
        })
    }
}

/// A result, or why there is none.
type Counted<T> = std::result::Result<T, Uncounted>;

/// How many points a set has, case by case.
#[derive(Clone, Debug)]
pub struct Count {
    /// What it depends on.
    pub variables: Vec<String>,
    /// Cases with polynomials. Where several hold, which come of different parts of the set, their
    /// sum counts.
    cases: Vec<(System, Terms)>,
}

impl Count {
    /// The number of points of a set as a function of its parameters, or why there is none.
    ///
    /// # Errors
    /// isl's own.
    pub fn of(set: &Set) -> Result<Counted<Count>> {
        let set = set.coalesce()?.make_disjoint()?;
        let params = set.dim(DimType::Param)?;
        let dims = set.tuple_dim()?;
        let mut variables = Vec::new();
        for param in 0..params {
            variables.push(set.get_dim_name(DimType::Param, param)?);
        }
        let all = params + dims;
        let mut cases = Vec::new();
        for part in set.basic_sets()? {
            let system = match system(&part.remove_redundancies()?, params, dims)? {
                Ok(system) => system,
                Err(why) => return Ok(Err(why)),
            };
            cases.push((system, Terms::from([(vec![0; all], Fraction::whole(1))])));
        }
        for variable in (params..all).rev() {
            let mut next = Vec::new();
            for (system, terms) in &cases {
                match eliminated(system, terms, variable, &set, params)? {
                    Ok(parts) => next.extend(parts),
                    Err(why) => return Ok(Err(why)),
                }
            }
            if next.len() > PARTS {
                return Ok(Err(Uncounted::Parts));
            }
            cases = next;
        }
        for (system, terms) in &mut cases {
            let rows = system.inequalities.iter_mut().chain(&mut system.equalities);
            rows.for_each(|row| drop(row.drain(params..all)));
            let short = std::mem::take(terms).into_iter();
            *terms = short.map(|(e, c)| (e[..params].to_vec(), c)).collect();
        }
        Ok(Ok(Count { variables, cases }))
    }

    /// The count for values of all variables; `None` where a number gets too large.
    pub fn value(&self, values: &[i64]) -> Option<i64> {
        let mut sum = Fraction::whole(0);
        for (system, terms) in &self.cases {
            if system.holds(values) {
                sum = sum.plus(evaluated(terms, values)?)?;
            }
        }
        i64::try_from(sum.integer()?).ok()
    }

    /// The sum of the counts over values of a variable: from `first` to at most `last` by `step`.
    pub fn total(
        &self,
        values: &[i64],
        variable: usize,
        (first, last, step): (i64, i64, i64),
    ) -> Option<i64> {
        let mut sum = Fraction::whole(0);
        let mut at = values.to_vec();
        for (system, terms) in &self.cases {
            // The steps at which the case holds are an interval.
            at[variable] = first;
            let Some((low, high)) = system.interval(&at, variable, step) else {
                continue;
            };
            let (low, high) = (low.max(0), high.min((last - first).div_euclid(step)));
            if low > high {
                continue;
            }
            // In steps: a polynomial of one variable.
            let mut powers: Vec<Fraction> = Vec::new();
            at[variable] = 1;
            for (exponents, factor) in terms {
                let power = exponents[variable] as usize;
                let alone = Terms::from([(exponents.clone(), *factor)]);
                powers.resize(powers.len().max(power + 1), Fraction::whole(0));
                powers[power] = powers[power].plus(evaluated(&alone, &at)?)?;
            }
            for (power, factor) in powers.iter().enumerate() {
                for k in 0..=power {
                    // (first + step t)^power, term by term.
                    let part = i128::from(first).checked_pow((power - k) as u32)?
                        * i128::from(step).checked_pow(k as u32)?;
                    let part =
                        factor.times(Fraction::whole(part.checked_mul(binomial(power, k))?))?;
                    let upto = |n: i64| power_sum(k as u32, n);
                    let times = upto(high)?.plus(upto(low - 1)?.times(Fraction::whole(-1))?)?;
                    sum = sum.plus(part.times(times)?)?;
                }
            }
        }
        i64::try_from(sum.integer()?).ok()
    }

    /// The polynomial that holds at these values; `None` where a number gets too large.
    pub fn polynomial(&self, values: &[i64]) -> Option<Polynomial> {
        let mut sum = Terms::new();
        for (_, terms) in self.cases.iter().filter(|(system, _)| system.holds(values)) {
            sum = added(sum, terms, Fraction::whole(1))?;
        }
        Some(Polynomial {
            variables: self.variables.clone(),
            terms: sum.into_iter().map(|(e, c)| (e, c.0, c.1)).collect(),
        })
    }

    /// How many cases there are.
    pub fn cases(&self) -> usize {
        self.cases.len()
    }
}

impl System {
    fn holds(&self, values: &[i64]) -> bool {
        self.inequalities
            .iter()
            .all(|row| applied(row, values) >= 0)
            && self.equalities.iter().all(|row| applied(row, values) == 0)
    }

    /// The numbers of steps of a variable from `values` for which it holds.
    fn interval(&self, values: &[i64], variable: usize, step: i64) -> Option<(i64, i64)> {
        // Beyond these nothing is asked for.
        let (mut low, mut high) = (i128::from(i64::MIN / 2), i128::from(i64::MAX / 2));
        let negated = |row: &Row| row.iter().map(|c| -c).collect::<Row>();
        let both = self
            .equalities
            .iter()
            .flat_map(|row| [row.clone(), negated(row)]);
        for row in self.inequalities.iter().cloned().chain(both) {
            let (here, slope) = (
                applied(&row, values),
                i128::from(row[variable]) * i128::from(step),
            );
            match slope.signum() {
                1 => low = low.max(-here.div_euclid(slope)),
                -1 => high = high.min(here.div_euclid(-slope)),
                _ if here < 0 => return None,
                _ => {}
            }
        }
        Some((i64::try_from(low).ok()?, i64::try_from(high).ok()?))
    }
}

fn applied(row: &[i64], values: &[i64]) -> i128 {
    let constant = i128::from(row[row.len() - 1]);
    let each = row.iter().zip(values);
    each.fold(constant, |sum, (c, v)| {
        sum + i128::from(*c) * i128::from(*v)
    })
}

/// The conditions of a set without divisions.
fn system(set: &BasicSet, params: usize, dims: usize) -> Result<Counted<System>> {
    if set.dim(DimType::Div)? > 0 {
        return Ok(Err(Uncounted::Strides));
    }
    let mut system = System::default();
    let mut fits = true;
    set.foreach_constraint(&mut |constraint| {
        let mut row = Row::new();
        let mut add = |value: isl::Val| -> Result<()> {
            match value.to_i64() {
                Some(value) => row.push(value),
                None => {
                    fits = false;
                    row.push(0);
                }
            }
            Ok(())
        };
        for param in 0..params {
            add(constraint.get_coefficient_val(DimType::Param, param)?)?;
        }
        for dim in 0..dims {
            add(constraint.get_coefficient_val(DimType::Set, dim)?)?;
        }
        add(constraint.get_constant_val()?)?;
        if constraint.is_equality()? {
            system.equalities.push(row)
        } else {
            system.inequalities.push(row)
        }
        Ok(())
    })?;
    Ok(fits.then_some(system).ok_or(Uncounted::Numbers))
}

/// `a + factor * b`
fn combined(a: &[i64], factor: i64, b: &[i64]) -> Option<Row> {
    let each = a.iter().zip(b);
    each.map(|(a, b)| a.checked_add(factor.checked_mul(*b)?))
        .collect()
}

/// Sums a variable away: the parts that come of one.
fn eliminated(
    system: &System,
    terms: &Terms,
    variable: usize,
    space: &Set,
    params: usize,
) -> Result<Counted<Vec<(System, Terms)>>> {
    let at = |row: &Row| row[variable];
    // An equality gives its value.
    if let Some(equality) = system.equalities.iter().find(|row| at(row) != 0) {
        let sign = at(equality);
        if sign.abs() != 1 {
            return Ok(Err(Uncounted::Factors));
        }
        let without = |rows: &[Row]| -> Option<Vec<Row>> {
            let others = rows.iter().filter(|row| *row != equality);
            others
                .map(|row| combined(row, -at(row) * sign, equality))
                .collect()
        };
        let (Some(inequalities), Some(equalities)) =
            (without(&system.inequalities), without(&system.equalities))
        else {
            return Ok(Err(Uncounted::Numbers));
        };
        let mut value: Row = equality.iter().map(|c| -sign * c).collect();
        value[variable] = 0;
        let system = System {
            inequalities,
            equalities,
        };
        let terms = composed(terms, variable, &affine(&value));
        let terms = terms.ok_or(Uncounted::Numbers);
        return Ok(terms.map(|terms| vec![(system, terms)]));
    }
    if system.inequalities.iter().any(|row| at(row).abs() > 1) {
        return Ok(Err(Uncounted::Factors));
    }
    let bounds = |side: i64| -> Vec<Row> {
        let own = system.inequalities.iter().filter(|row| at(row) == side);
        let values = own.map(|row| {
            let mut value: Row = row.iter().map(|c| -side * c).collect();
            value[variable] = 0;
            value
        });
        values.collect()
    };
    let (lowers, uppers) = (bounds(1), bounds(-1));
    if lowers.is_empty() || uppers.is_empty() {
        return Ok(Err(Uncounted::Numbers));
    }
    let mut rest = system.clone();
    rest.inequalities.retain(|row| at(row) == 0);
    let mut parts = Vec::new();
    for (i, lower) in lowers.iter().enumerate() {
        for (j, upper) in uppers.iter().enumerate() {
            let mut part = rest.clone();
            let mut conditions = vec![combined(upper, -1, lower)];
            // Of equal bounds the first counts.
            let strictly = |row: Option<Row>, first: bool| -> Option<Row> {
                let mut row = row?;
                if first {
                    *row.last_mut()? -= 1;
                }
                Some(row)
            };
            for (k, other) in lowers.iter().enumerate().filter(|(k, _)| *k != i) {
                conditions.push(strictly(combined(lower, -1, other), k < i));
            }
            for (k, other) in uppers.iter().enumerate().filter(|(k, _)| *k != j) {
                conditions.push(strictly(combined(other, -1, upper), k < j));
            }
            for condition in conditions {
                let Some(condition) = condition else {
                    return Ok(Err(Uncounted::Numbers));
                };
                part.inequalities.push(condition);
            }
            let Some(part) = reduced(&part, space, params)? else {
                continue;
            };
            let Some(sum) = between(terms, variable, lower, upper) else {
                return Ok(Err(Uncounted::Numbers));
            };
            parts.push((part, sum));
        }
    }
    Ok(Ok(parts))
}

/// A system without redundant conditions; `None` where nothing fulfils it.
fn reduced(system: &System, space: &Set, params: usize) -> Result<Option<System>> {
    let dims = space.tuple_dim()?;
    let local = isl::LocalSpace::from_space(&space.get_space()?)?;
    let mut set = BasicSet::universe(&space.get_space()?)?;
    let rows = system.inequalities.iter().map(|row| (row, false));
    let rows = rows.chain(system.equalities.iter().map(|row| (row, true)));
    for (row, is_equality) in rows {
        let mut constraint = if is_equality {
            isl::Constraint::alloc_equality(&local)?
        } else {
            isl::Constraint::alloc_inequality(&local)?
        };
        let value = |of: i64| isl::Val::int_from_si(space.ctx(), of);
        for (k, factor) in row[..params + dims]
            .iter()
            .enumerate()
            .filter(|(_, c)| **c != 0)
        {
            constraint = match k.checked_sub(params) {
                None => constraint.set_coefficient_val(DimType::Param, k, &value(*factor)?)?,
                Some(dim) => constraint.set_coefficient_val(DimType::Set, dim, &value(*factor)?)?,
            };
        }
        constraint = constraint.set_constant_val(&value(row[params + dims])?)?;
        set = set.add_constraint(&constraint)?;
    }
    if set.is_empty()? {
        return Ok(None);
    }
    // isl's own form has no divisions here, unless one of an equality's factors is not 1.
    let simple = self::system(&set.remove_redundancies()?, params, dims)?;
    Ok(Some(simple.unwrap_or_else(|_| system.clone())))
}

/// An affine function as terms.
fn affine(row: &Row) -> Terms {
    let variables = row.len() - 1;
    let mut terms = Terms::new();
    for (k, factor) in row.iter().enumerate().filter(|(_, c)| **c != 0) {
        let mut exponents = vec![0; variables];
        if k < variables {
            exponents[k] = 1;
        }
        terms.insert(exponents, Fraction::whole(i128::from(*factor)));
    }
    terms
}

fn added(mut a: Terms, b: &Terms, factor: Fraction) -> Option<Terms> {
    for (exponents, own) in b {
        let own = own.times(factor)?;
        let known = a.entry(exponents.clone()).or_insert(Fraction::whole(0));
        *known = known.plus(own)?;
    }
    a.retain(|_, factor| factor.0 != 0);
    Some(a)
}

fn product(a: &Terms, b: &Terms) -> Option<Terms> {
    let mut all = Terms::new();
    for (left, factor) in a {
        let shifted = b.iter().map(|(right, own)| {
            let exponents = left.iter().zip(right).map(|(l, r)| l + r).collect();
            (exponents, *own)
        });
        all = added(all, &shifted.collect(), *factor)?;
    }
    Some(all)
}

/// Terms by powers of a variable, without it.
fn by_power(terms: &Terms, variable: usize) -> Vec<Terms> {
    let mut all: Vec<Terms> = Vec::new();
    for (exponents, factor) in terms {
        let power = exponents[variable] as usize;
        all.resize(all.len().max(power + 1), Terms::new());
        let mut exponents = exponents.clone();
        exponents[variable] = 0;
        all[power].insert(exponents, *factor);
    }
    all
}

/// With a value in the place of a variable.
fn composed(terms: &Terms, variable: usize, value: &Terms) -> Option<Terms> {
    // Horner's rule.
    let mut all = Terms::new();
    for own in by_power(terms, variable).iter().rev() {
        all = added(product(&all, value)?, own, Fraction::whole(1))?;
    }
    Some(all)
}

/// The sum over a variable between two bounds, the upper one no less than the lower one minus 1.
fn between(terms: &Terms, variable: usize, lower: &Row, upper: &Row) -> Option<Terms> {
    let below = {
        let mut row = lower.clone();
        *row.last_mut()? -= 1;
        affine(&row)
    };
    let upper = affine(upper);
    let variables = lower.len() - 1;
    let mut all = Terms::new();
    for (power, own) in by_power(terms, variable).iter().enumerate() {
        // The sum of powers up to a bound, as a polynomial of the variable itself.
        let mut sum = Terms::new();
        for (k, factor) in power_sums(power as u32)?.into_iter().enumerate() {
            let mut exponents = vec![0; variables];
            exponents[variable] = k as u32;
            if factor.0 != 0 {
                sum.insert(exponents, factor);
            }
        }
        let (up, down) = (
            composed(&sum, variable, &upper)?,
            composed(&sum, variable, &below)?,
        );
        let difference = added(up, &down, Fraction::whole(-1))?;
        all = added(all, &product(own, &difference)?, Fraction::whole(1))?;
    }
    Some(all)
}

fn binomial(n: usize, k: usize) -> i128 {
    (0..k).fold(1, |product, i| product * (n - i) as i128 / (i as i128 + 1))
}

/// Coefficients of the polynomial `n -> 1^p + … + n^p` (for `p = 0`: `n`), by rising powers; it is
/// the one whose differences are powers, for all integers.
fn power_sums(power: u32) -> Option<Vec<Fraction>> {
    // (p + 1) S_p(n) = (n + 1)^(p + 1) - 1 - Σ_{k < p} C(p + 1, k) S_k(n)
    let p = power as usize;
    let mut all: Vec<Fraction> = (0..=p + 1)
        .map(|k| Fraction::whole(binomial(p + 1, k)))
        .collect();
    all[0] = Fraction::whole(0);
    for k in 0..power {
        let factor = Fraction::whole(-binomial(p + 1, k as usize));
        for (own, known) in all.iter_mut().zip(power_sums(k)?) {
            *own = own.plus(known.times(factor)?)?;
        }
    }
    let scale = Fraction::reduced(1, p as i128 + 1);
    all.into_iter().map(|own| own.times(scale)).collect()
}

/// The value of [`power_sums`]' polynomial.
fn power_sum(power: u32, n: i64) -> Option<Fraction> {
    let mut sum = Fraction::whole(0);
    for factor in power_sums(power)?.iter().rev() {
        sum = sum.times(Fraction::whole(i128::from(n)))?.plus(*factor)?;
    }
    Some(sum)
}

fn evaluated(terms: &Terms, values: &[i64]) -> Option<Fraction> {
    let mut sum = Fraction::whole(0);
    for (exponents, factor) in terms {
        let mut product = *factor;
        for (value, exponent) in values.iter().zip(exponents).filter(|(_, e)| **e > 0) {
            product = product.times(Fraction::whole(i128::from(*value).checked_pow(*exponent)?))?;
        }
        sum = sum.plus(product)?;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reuse::counts::counting::{at, count};

    /// Against isl's counts without parameters, point by point and summed.
    #[test]
    fn counts_are_isls() {
        let ctx = isl::Ctx::new();
        for (text, cases) in [
            ("[n, m] -> { [i, j] : 0 <= i < n and i <= j < m }", 2),
            (
                "[n, m] -> { [i, j, k] : 0 <= i < n and 0 <= j <= i and j <= k <= i + m }",
                1,
            ),
            (
                "[n, m] -> { [i, j] : 0 <= i <= n and m <= j <= n and j <= i + 3 }",
                2,
            ),
            (
                "[n, m] -> { [i] : 0 <= i < n; [i] : m <= i <= 2m and i >= n }",
                2,
            ),
            ("[n, m] -> { [i, j] : i = j + m and 0 <= j < n }", 1),
        ] {
            let set = Set::read_from_str(&ctx, text).unwrap();
            let found = Count::of(&set).unwrap();
            let found = found.unwrap_or_else(|why| panic!("{text}: {why}"));
            assert!(found.cases() >= cases, "{text}: {}", found.cases());
            for n in -2..8i64 {
                let mut sum = 0;
                for m in -3..9i64 {
                    let values = [("n".to_owned(), n), ("m".to_owned(), m)];
                    let fixed = set.intersect_params(&at(&ctx, &values).unwrap()).unwrap();
                    let wanted = count(&fixed).unwrap();
                    assert_eq!(found.value(&[n, m]), Some(wanted), "{text} {n} {m}");
                    let polynomial = found.polynomial(&[n, m]).unwrap();
                    assert_eq!(
                        polynomial.value(&values),
                        Some(wanted),
                        "{text} {polynomial}"
                    );
                    sum += if (m + 3) % 2 == 0 { wanted } else { 0 };
                }
                assert_eq!(found.total(&[n, 0], 1, (-3, 8, 2)), Some(sum), "{text} {n}");
            }
        }
        // No polynomials.
        for (text, why) in [
            (
                "[n, m] -> { [i, j] : 0 <= i and 0 <= j < m and 2i + 3j < n }",
                Uncounted::Factors,
            ),
            (
                "[n] -> { [i] : exists (t : i = 2t) and 0 <= i < n }",
                Uncounted::Strides,
            ),
        ] {
            let set = Set::read_from_str(&ctx, text).unwrap();
            assert_eq!(Count::of(&set).unwrap().err(), Some(why), "{text}");
        }
    }
}
