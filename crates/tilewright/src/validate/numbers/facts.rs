//! Linear facts about integers, and what follows from them by a little arithmetic.
//!
//! Almost everything that validation asks has an answer that two or three substitutions show: two
//! instances are in the same tile, a cell is inside of a box of which both ends are known. isl
//! answers these questions as well, at the price of its general algorithms. Here only the answer
//! *it follows* is given, and only where it is seen at once; everything else is left to isl.

use crate::scop::linear::{LinearForm, gcd};
use std::collections::BTreeMap;

/// A variable, by number. Where a variable is to be replaced, it is the one with the largest
/// number: parameters come first, then instances, then what belongs to them.
pub(crate) type Var = usize;

/// An expression of them.
pub(crate) type Row = LinearForm<Var>;

/// How many steps a proof may take.
const STEPS: u32 = 80;

/// Equations and inequalities that hold of some variables.
///
/// Facts that are left out make less provable and nothing wrong: so does a number that gets too
/// large.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Variables that stand for an expression of others, which stand for themselves.
    values: BTreeMap<Var, Row>,
    /// Expressions that are not negative.
    rows: Vec<Row>,
    /// No integers are such.
    impossible: bool,
    /// Variables from here on are new.
    next: Var,
}

impl Facts {
    /// About nothing but `count` variables.
    pub fn of(count: usize) -> Facts {
        Facts {
            next: count,
            ..Facts::default()
        }
    }

    /// New variables: the first of so many.
    pub fn fresh(&mut self, count: usize) -> Var {
        self.next += count;
        self.next - count
    }

    /// Whether no integers are such.
    pub fn impossible(&self) -> bool {
        self.impossible
    }

    /// `row = 0`.
    pub fn equal(&mut self, row: &Row) {
        let Some(row) = self.reduced(row) else { return };
        let Some(row) = row.divided(row.divisor()) else {
            self.impossible |= row.constant() != 0;
            return;
        };
        let unit = row.terms().iter().rev().find(|(_, f)| matches!(f, 1 | -1));
        let Some(&(var, factor)) = unit else {
            if let Some(opposite) = row.times(-1) {
                self.rows.push(opposite);
            }
            self.rows.push(row);
            return;
        };
        let Some(value) = row.without(&var).1.times(-factor) else {
            return;
        };
        // All or nothing: what is replaced by halves would be said of two different things.
        let values = self.values.iter().map(|(&v, row)| {
            let replaced = row.replaced(&var, &value)?;
            Some((v, replaced))
        });
        let Some(mut values) = values.collect::<Option<BTreeMap<Var, Row>>>() else {
            return;
        };
        values.insert(var, value.clone());
        self.values = values;
        let rows = std::mem::take(&mut self.rows);
        for row in rows {
            if let Some(row) = row.replaced(&var, &value) {
                self.keep(row);
            }
        }
    }

    /// `row ≥ 0`.
    pub fn at_least(&mut self, row: &Row) {
        if let Some(row) = self.reduced(row) {
            self.keep(row);
        }
    }

    fn keep(&mut self, row: Row) {
        let row = row.tightened();
        if row.terms().is_empty() {
            self.impossible |= row.constant() < 0;
        } else if !self.rows.contains(&row) {
            self.rows.push(row);
        }
    }

    /// In terms of variables that stand for themselves.
    pub fn reduced(&self, row: &Row) -> Option<Row> {
        let mut all = Row::number(row.constant());
        for &(var, factor) in row.terms() {
            all = match self.values.get(&var) {
                Some(value) => all.combined(1, value, factor)?,
                None => all.combined(1, &Row::var(var), factor)?,
            };
        }
        Some(all)
    }

    /// Whether `row ≥ 0` is certain not to hold.
    pub fn refute(&self, row: &Row) -> bool {
        if self.impossible {
            return true;
        }
        let Some(row) = self.reduced(row) else {
            return false;
        };
        self.refute_by_steps(&row.tightened(), &mut Vec::new(), &mut STEPS.clone())
    }

    /// Adds facts to the expression, so that one variable after the other falls out.
    fn refute_by_steps(&self, row: &Row, gone: &mut Vec<Var>, left: &mut u32) -> bool {
        let Some(&(var, factor)) = row.terms().last() else {
            return row.constant() < 0;
        };
        let mut sums = Vec::new();
        for fact in &self.rows {
            let other = fact.factor(&var);
            if other.signum() != -factor.signum()
                || fact.terms().iter().any(|(var, _)| gone.contains(var))
            {
                continue;
            }
            let common = gcd(factor, other);
            let of = |factor: i64| (factor / common).checked_abs();
            let (Some(a), Some(b)) = (of(other), of(factor)) else {
                continue;
            };
            let Some(sum) = row.combined(a, fact, b).map(Row::tightened) else {
                continue;
            };
            if sum.terms().is_empty() && sum.constant() < 0 {
                return true;
            }
            sums.push(sum);
        }
        sums.sort_by_key(|sum| sum.terms().len());
        for sum in sums.iter().filter(|sum| !sum.terms().is_empty()) {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            gone.push(var);
            let refuted = self.refute_by_steps(sum, gone, left);
            gone.pop();
            if refuted {
                return true;
            }
        }
        false
    }

    /// Whether `row ≥ 0` is certain to hold.
    pub fn proves(&self, row: &Row) -> bool {
        let opposite = row.times(-1).and_then(|row| row.plus_number(-1));
        opposite.is_some_and(|opposite| self.refute(&opposite))
    }

    /// Whether `row = 0` is certain to hold.
    pub fn proves_zero(&self, row: &Row) -> bool {
        match self.reduced(row) {
            Some(row) if row.terms().is_empty() => row.constant() == 0 || self.impossible,
            Some(row) => self.proves(&row) && row.times(-1).is_some_and(|row| self.proves(&row)),
            None => false,
        }
    }

    /// Whether a number divides an expression for certain.
    pub fn proves_divisible(&self, row: &Row, number: i64) -> bool {
        let divides = |value: i64| value.checked_rem(number) == Some(0);
        self.impossible
            || self
                .reduced(row)
                .is_some_and(|row| divides(row.constant()) && divides(row.divisor()))
    }
}
