//! Linear facts about integers, and what follows from them by a little arithmetic.
//!
//! Almost everything that validation asks has an answer that two or three substitutions show: two
//! instances are in the same tile, a cell is inside of a box of which both ends are known. isl
//! answers these questions as well, at the price of its general algorithms. Here only the answer
//! *it follows* is given, and only where it is seen at once; everything else is left to isl.

use std::collections::BTreeMap;

/// A variable, by number. Where a variable is to be replaced, it is the one with the largest
/// number: parameters come first, then instances, then what belongs to them.
pub(crate) type Var = usize;

/// `constant + Σ factor · variable`: an affine expression.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    pub constant: i64,
    /// In the order of the variables; no factor is zero.
    pub terms: Vec<(Var, i64)>,
}

impl Row {
    pub fn number(constant: i64) -> Row {
        Row {
            constant,
            terms: Vec::new(),
        }
    }

    pub fn var(var: Var) -> Row {
        Row {
            constant: 0,
            terms: vec![(var, 1)],
        }
    }

    /// `a · self + b · other`, where no number gets too large.
    pub fn combined(&self, a: i64, other: &Row, b: i64) -> Option<Row> {
        let sum = |x: i64, y: i64| a.checked_mul(x)?.checked_add(b.checked_mul(y)?);
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut mine, mut theirs) = (&self.terms[..], &other.terms[..]);
        loop {
            let (var, factor) = match (mine.first(), theirs.first()) {
                (None, None) => break,
                (Some(&(var, x)), Some(&(same, y))) if var == same => {
                    (mine, theirs) = (&mine[1..], &theirs[1..]);
                    (var, sum(x, y)?)
                }
                (Some(&(var, x)), other) if other.is_none_or(|&(other, _)| var < other) => {
                    mine = &mine[1..];
                    (var, sum(x, 0)?)
                }
                (_, Some(&(var, y))) => {
                    theirs = &theirs[1..];
                    (var, sum(0, y)?)
                }
                (Some(_), None) => break,
            };
            if factor != 0 {
                terms.push((var, factor));
            }
        }
        Some(Row {
            constant: sum(self.constant, other.constant)?,
            terms,
        })
    }

    pub fn minus(&self, other: &Row) -> Option<Row> {
        self.combined(1, other, -1)
    }

    pub fn plus(&self, constant: i64) -> Option<Row> {
        Some(Row {
            constant: self.constant.checked_add(constant)?,
            terms: self.terms.clone(),
        })
    }

    pub fn times(&self, factor: i64) -> Option<Row> {
        self.combined(factor, &Row::default(), 0)
    }

    pub fn factor(&self, var: Var) -> i64 {
        let found = self.terms.binary_search_by_key(&var, |&(var, _)| var);
        found.map_or(0, |at| self.terms[at].1)
    }

    /// With other variables.
    pub fn renamed(&self, name: impl Fn(Var) -> Var) -> Row {
        let mut terms: Vec<(Var, i64)> = self.terms.iter().map(|&(v, f)| (name(v), f)).collect();
        terms.sort_unstable();
        Row {
            constant: self.constant,
            terms,
        }
    }

    /// The factor of a variable, and the row without it.
    pub fn without(&self, var: Var) -> (i64, Row) {
        let mut row = self.clone();
        row.terms.retain(|&(other, _)| other != var);
        (self.factor(var), row)
    }

    /// With a value in place of a variable.
    pub fn replaced(&self, var: Var, value: &Row) -> Option<Row> {
        match self.without(var) {
            (0, row) => Some(row),
            (factor, row) => row.combined(1, value, factor),
        }
    }

    /// The greatest common divisor of the factors, 0 where there are none.
    fn divisor(&self) -> i64 {
        self.terms.iter().fold(0, |all, &(_, f)| gcd(all, f))
    }

    /// What `self ≥ 0` says, of integers, with smaller numbers.
    pub fn tightened(mut self) -> Row {
        let divisor = self.divisor();
        if divisor > 1 {
            self.constant = self.constant.div_euclid(divisor);
            for (_, factor) in &mut self.terms {
                *factor /= divisor;
            }
        }
        self
    }
}

/// Of the absolute values; that of numbers of which there is no absolute value is taken to be 1.
fn gcd(a: i64, b: i64) -> i64 {
    let (Some(mut a), Some(mut b)) = (a.checked_abs(), b.checked_abs()) else {
        return 1;
    };
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

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
        let divisor = row.divisor();
        if divisor == 0 || row.constant % divisor != 0 {
            self.impossible |= row.constant != 0;
            return;
        }
        let row = Row {
            constant: row.constant / divisor,
            terms: row.terms.iter().map(|&(v, f)| (v, f / divisor)).collect(),
        };
        let unit = row.terms.iter().rev().find(|(_, f)| matches!(f, 1 | -1));
        let Some(&(var, factor)) = unit else {
            if let Some(opposite) = row.times(-1) {
                self.rows.push(opposite);
            }
            self.rows.push(row);
            return;
        };
        let Some(value) = row.without(var).1.times(-factor) else {
            return;
        };
        // All or nothing: what is replaced by halves would be said of two different things.
        let values = self.values.iter().map(|(&v, row)| {
            let replaced = row.replaced(var, &value)?;
            Some((v, replaced))
        });
        let Some(mut values) = values.collect::<Option<BTreeMap<Var, Row>>>() else {
            return;
        };
        values.insert(var, value.clone());
        self.values = values;
        let rows = std::mem::take(&mut self.rows);
        for row in rows {
            if let Some(row) = row.replaced(var, &value) {
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
        if row.terms.is_empty() {
            self.impossible |= row.constant < 0;
        } else if !self.rows.contains(&row) {
            self.rows.push(row);
        }
    }

    /// In terms of variables that stand for themselves.
    pub fn reduced(&self, row: &Row) -> Option<Row> {
        let mut all = Row::number(row.constant);
        for &(var, factor) in &row.terms {
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
        let Some(&(var, factor)) = row.terms.last() else {
            return row.constant < 0;
        };
        let mut sums = Vec::new();
        for fact in &self.rows {
            let other = fact.factor(var);
            if other.signum() != -factor.signum()
                || fact.terms.iter().any(|(var, _)| gone.contains(var))
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
            if sum.terms.is_empty() && sum.constant < 0 {
                return true;
            }
            sums.push(sum);
        }
        sums.sort_by_key(|sum| sum.terms.len());
        for sum in sums.iter().filter(|sum| !sum.terms.is_empty()) {
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
        let opposite = row.times(-1).and_then(|row| row.plus(-1));
        opposite.is_some_and(|opposite| self.refute(&opposite))
    }

    /// Whether `row = 0` is certain to hold.
    pub fn proves_zero(&self, row: &Row) -> bool {
        match self.reduced(row) {
            Some(row) if row.terms.is_empty() => row.constant == 0 || self.impossible,
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
                .is_some_and(|row| divides(row.constant) && divides(row.divisor()))
    }
}
