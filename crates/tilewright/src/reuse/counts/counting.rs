//! Numbers of cells, for numbers in the place of parameters, and polynomials through them.
//!
//! isl counts the points of a set without parameters and nothing more. A count that is a
//! polynomial of total degree d in some variables is found from its values at the lattice points
//! `k` with `Σ k ≤ d`, at which it is determined, and checked at those with `Σ k = d + 1`.

use isl::{PwAff, Result, Set};
use std::fmt;

/// Names with numbers.
pub type Values = [(String, i64)];

/// Parameters with these values.
pub(crate) fn at(ctx: &isl::Ctx, values: &Values) -> Result<Set> {
    let names: Vec<&str> = values.iter().map(|v| v.0.as_str()).collect();
    let mut fixed: Vec<String> = values.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    if fixed.is_empty() {
        fixed.push("true".to_owned());
    }
    let text = format!("[{}] -> {{ : {} }}", names.join(", "), fixed.join(" and "));
    Set::read_from_str(ctx, &text)
}

/// The greatest value of a function for these parameters; `None` where it has none.
pub(crate) fn value(function: &PwAff, values: &Set) -> Result<Option<i64>> {
    let function = function.intersect_params(values)?;
    if function.domain()?.is_empty()? {
        Ok(None)
    } else {
        Ok(function.max_val()?.to_i64())
    }
}

/// How many points a set without free parameters has.
pub(crate) fn count(set: &Set) -> Result<i64> {
    let set = set.project_out_all_params()?;
    set.count_val()?
        .to_i64()
        .ok_or_else(|| isl::Error::new(isl::ErrorKind::Unsupported, "a count of more than 64 bits"))
}

/// A polynomial with rational coefficients.
#[derive(Clone, Debug, PartialEq)]
pub struct Polynomial {
    /// Its variables.
    pub variables: Vec<String>,
    /// Exponents of each term with numerator and denominator, none of which is 0.
    pub terms: Vec<(Vec<u32>, i128, i128)>,
}

/// Exponents, or lattice points, of `variables` dimensions with this sum at most.
fn lattice(variables: usize, sum: u32) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for _ in 0..variables {
        all = all
            .into_iter()
            .flat_map(|point: Vec<u32>| {
                let left = sum - point.iter().sum::<u32>();
                (0..=left).map(move |next| [&point[..], &[next]].concat())
            })
            .collect();
    }
    all
}

impl Polynomial {
    /// The polynomial of a total degree that a function follows from `base` on; `None` if it
    /// follows none.
    ///
    /// # Errors
    /// Those of the function.
    pub fn through(
        base: &Values,
        degree: u32,
        mut function: impl FnMut(&Values) -> Result<i64>,
    ) -> Result<Option<Polynomial>> {
        let mut sample = |point: &[u32]| -> Result<i64> {
            let moved = base.iter().zip(point);
            let values: Vec<(String, i64)> = moved
                .map(|((n, v), k)| (n.clone(), v + i64::from(*k)))
                .collect();
            function(&values)
        };
        let points = lattice(base.len(), degree);
        let mut rows = Vec::new();
        for point in &points {
            let mut row: Vec<Fraction> = points
                .iter()
                .map(|exponents| Fraction::whole(monomial(base, point, exponents)))
                .collect();
            row.push(Fraction::whole(i128::from(sample(point)?)));
            rows.push(row);
        }
        let Some(coefficients) = solve(rows) else {
            return Ok(None);
        };
        let terms = points
            .into_iter()
            .zip(coefficients)
            .filter(|(_, c)| c.0 != 0);
        let polynomial = Polynomial {
            variables: base.iter().map(|v| v.0.clone()).collect(),
            terms: terms.map(|(exponents, c)| (exponents, c.0, c.1)).collect(),
        };
        let further = lattice(base.len(), degree + 1);
        for point in further
            .iter()
            .filter(|p| p.iter().sum::<u32>() == degree + 1)
        {
            let moved = base.iter().zip(point);
            let values: Vec<(String, i64)> = moved
                .map(|((n, v), k)| (n.clone(), v + i64::from(*k)))
                .collect();
            if polynomial.value(&values) != Some(sample(point)?) {
                return Ok(None);
            }
        }
        Ok(Some(polynomial))
    }

    /// Its value, if it is an integer of 64 bits and all variables have values.
    pub fn value(&self, values: &Values) -> Option<i64> {
        let mut sum = Fraction(0, 1);
        for (exponents, numerator, denominator) in &self.terms {
            let mut product = Fraction(*numerator, *denominator);
            for (name, exponent) in self.variables.iter().zip(exponents) {
                if *exponent > 0 {
                    let (_, value) = values.iter().find(|v| v.0 == *name)?;
                    let power = i128::from(*value).checked_pow(*exponent)?;
                    product = product.times(Fraction::whole(power))?;
                }
            }
            sum = sum.plus(product)?;
        }
        match sum.1 {
            1 => i64::try_from(sum.0).ok(),
            _ => None,
        }
    }
}

fn monomial(base: &Values, point: &[u32], exponents: &[u32]) -> i128 {
    let at = base
        .iter()
        .zip(point)
        .map(|((_, v), k)| i128::from(*v) + i128::from(*k));
    at.zip(exponents)
        .map(|(value, exponent)| value.pow(*exponent))
        .product()
}

/// Numerator and positive denominator, without common factors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fraction(pub i128, pub i128);

impl Fraction {
    pub fn whole(value: i128) -> Fraction {
        Fraction(value, 1)
    }

    /// Its value, if it is an integer.
    pub fn integer(self) -> Option<i128> {
        (self.1 == 1).then_some(self.0)
    }

    pub fn reduced(numerator: i128, denominator: i128) -> Fraction {
        let (mut a, mut b) = (numerator.unsigned_abs(), denominator.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let common = i128::try_from(a.max(1)).unwrap_or(1) * denominator.signum();
        Fraction(numerator / common, denominator / common)
    }

    pub fn plus(self, other: Fraction) -> Option<Fraction> {
        let a = self.0.checked_mul(other.1)?;
        let b = other.0.checked_mul(self.1)?;
        Some(Fraction::reduced(
            a.checked_add(b)?,
            self.1.checked_mul(other.1)?,
        ))
    }

    pub fn times(self, other: Fraction) -> Option<Fraction> {
        Some(Fraction::reduced(
            self.0.checked_mul(other.0)?,
            self.1.checked_mul(other.1)?,
        ))
    }
}

/// Solves a square system given by rows with their right-hand sides; `None` where a number gets
/// too large.
fn solve(mut rows: Vec<Vec<Fraction>>) -> Option<Vec<Fraction>> {
    let size = rows.len();
    for column in 0..size {
        let pivot = (column..size).find(|&row| rows[row][column].0 != 0)?;
        rows.swap(column, pivot);
        let Fraction(numerator, denominator) = rows[column][column];
        let inverse = Fraction::reduced(denominator, numerator);
        for entry in &mut rows[column][column..] {
            *entry = entry.times(inverse)?;
        }
        let reference = rows[column].clone();
        for (number, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if number == column || factor.0 == 0 {
                continue;
            }
            for (entry, known) in row.iter_mut().zip(&reference).skip(column) {
                *entry = entry.plus(known.times(Fraction(-factor.0, factor.1))?)?;
            }
        }
    }
    Some(rows.into_iter().map(|row| row[size]).collect())
}

impl fmt::Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut terms = self.terms.clone();
        // Highest degree first.
        terms.sort_by_key(|(exponents, ..)| std::cmp::Reverse(exponents.iter().sum::<u32>()));
        if terms.is_empty() {
            return f.write_str("0");
        }
        for (number, (exponents, numerator, denominator)) in terms.iter().enumerate() {
            let sign = match (number, *numerator < 0) {
                (0, true) => "-",
                (0, false) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            };
            let mut factors = Vec::new();
            if numerator.abs() != 1 || *denominator != 1 || exponents.iter().all(|e| *e == 0) {
                factors.push(match denominator {
                    1 => numerator.abs().to_string(),
                    _ => format!("{}/{denominator}", numerator.abs()),
                });
            }
            for (name, exponent) in self.variables.iter().zip(exponents) {
                match exponent {
                    0 => {}
                    1 => factors.push(name.clone()),
                    _ => factors.push(format!("{name}^{exponent}")),
                }
            }
            write!(f, "{sign}{}", factors.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(values: &[(&str, i64)]) -> Vec<(String, i64)> {
        values.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect()
    }

    #[test]
    fn polynomials_are_found_and_others_are_not() {
        let base = named(&[("n", 5), ("s", 2)]);
        let get = |values: &Values, k: usize| values[k].1;
        let triangle = Polynomial::through(&base, 2, |v| {
            Ok(get(v, 0) * (get(v, 0) + 1) / 2 + 3 * get(v, 0) * get(v, 1) - 7)
        });
        let triangle = triangle.unwrap().unwrap();
        assert_eq!(triangle.to_string(), "3 n s + 1/2 n^2 + 1/2 n - 7");
        assert_eq!(triangle.value(&named(&[("s", 10), ("n", 4)])), Some(123));
        let half = Polynomial::through(&base, 2, |v| Ok(get(v, 0) / 2)).unwrap();
        assert_eq!(half, None, "no polynomial is n / 2 rounded down");
    }
}
