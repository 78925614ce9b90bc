//! The box of a statement's instances, read off a basic set.
//!
//! Equalities are solved one unknown at a time, divisions being unknowns like dimensions; a
//! division of what is known is known. What is left of the constraints then is a condition, where
//! all is known, or a bound of one dimension, or says which remainder a dimension has.

use crate::codegen::generation::boxes::value::{Guard, Value, all_of, binding, needed};
use crate::codegen::kernel::Index;
use isl::{Aff, BasicSet, Constraint, DimType, Result, Set, Space, Val};

/// A statement, inside the loops generated so far.
///
/// **Invariant:** its instances are those whose dimensions have their values, or lie between all
/// lower and all upper bounds and have the remainder that the stride says, where all guards hold.
#[derive(Clone)]
pub(crate) struct Piece {
    pub tuple: String,
    /// Space of its instances.
    pub space: Space,
    /// Number of the lifted statement.
    pub lifted: usize,
    /// Per dimension its value, where it is known already.
    pub values: Vec<Option<Value>>,
    /// Per dimension; the first value of a stride where it has one.
    pub lower: Vec<Vec<Value>>,
    /// Per dimension, inclusive.
    pub upper: Vec<Vec<Value>>,
    /// Per dimension `(stride, rest)`: values are those that leave the remainder that `rest` does.
    pub strides: Vec<Option<(i64, Value)>>,
    /// What must hold, where it is not known to; in an order of its own, so that those of two
    /// statements compare.
    pub guards: Vec<Guard>,
    /// What is checked around the node already.
    pub met: Vec<Guard>,
}

impl Piece {
    /// The instances of a basic set over the parameters of `space`; `None` where they are no box.
    /// `context` is what holds for the parameters, `name` says what a parameter is.
    ///
    /// # Errors
    /// isl's own.
    pub fn read(
        part: &BasicSet,
        lifted: usize,
        context: &Set,
        space: &Space,
        name: &dyn Fn(&str) -> Index,
    ) -> Result<Option<Piece>> {
        let Some(mut system) = System::read(part, space, name)? else {
            return Ok(None);
        };
        system.solve()?;
        let Some(found) = system.rest()? else {
            return Ok(None);
        };
        let guards = needed(context, found.guards)?;
        let known = all_of(context, guards.iter())?;
        let mut piece = Piece {
            tuple: part.get_tuple_name()?,
            space: part.get_space()?,
            lifted,
            values: system.dims,
            lower: found.lower,
            upper: found.upper,
            strides: found.strides,
            guards,
            met: Vec::new(),
        };
        piece
            .guards
            .sort_by(|one, other| one.index.cmp(&other.index));
        for dim in 0..piece.values.len() {
            if piece.values[dim].is_some() {
                continue;
            }
            let (mut lower, mut upper) = (
                std::mem::take(&mut piece.lower[dim]),
                std::mem::take(&mut piece.upper[dim]),
            );
            if lower.is_empty() || upper.is_empty() {
                return Ok(None);
            }
            if let Some((stride, rest)) = &piece.strides[dim] {
                for bound in &mut lower {
                    *bound = bound.aligned(*stride, rest)?;
                }
            }
            // One order for all statements, so that their bounds compare.
            lower.sort_by_cached_key(|bound| order(&bound.index));
            upper.sort_by_cached_key(|bound| order(&bound.index));
            piece.lower[dim] = binding(lower, &known, true)?;
            piece.upper[dim] = binding(upper, &known, false)?;
        }
        Ok(Some(piece))
    }

    /// What holds where it is executed.
    pub fn conditions(&self) -> impl Iterator<Item = &Guard> {
        self.guards.iter().chain(&self.met)
    }

    /// Some of its conditions are checked around what follows.
    pub fn met(&mut self, checked: &[Index]) {
        let (met, open) = std::mem::take(&mut self.guards)
            .into_iter()
            .partition(|guard| checked.contains(&guard.index));
        self.guards = open;
        self.met.extend::<Vec<Guard>>(met);
    }
}

/// Constants first, then what depends on parameters alone.
fn order(index: &Index) -> (bool, Index) {
    let mut varies = false;
    index.walk(&mut |part| varies |= matches!(part, Index::Var(_)));
    (varies, index.clone())
}

/// Whether no two of the pieces have conditions that hold together.
///
/// # Errors
/// isl's own.
pub(crate) fn exclusive<'p>(
    context: &Set,
    pieces: impl Iterator<Item = &'p Piece> + Clone,
) -> Result<bool> {
    for (number, one) in pieces.clone().enumerate() {
        for other in pieces.clone().take(number) {
            let guards = one.guards.iter().chain(&other.guards);
            if !all_of(context, guards)?.is_empty()? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// A dimension or a division.
#[derive(Clone, Copy, PartialEq)]
enum Unknown {
    Dim(usize),
    Div(usize),
}

/// `Σ factors · unknowns + rest`.
#[derive(Clone)]
struct Sum {
    factors: Vec<(Unknown, i64)>,
    rest: Value,
}

/// A sum that is zero, or at least zero.
struct Row {
    sum: Sum,
    equal: bool,
}

/// The constraints of a basic set, and what of it is known.
struct System<'a> {
    space: &'a Space,
    dims: Vec<Option<Value>>,
    divs: Vec<Option<Value>>,
    /// Dividend and divisor of the divisions that isl knows.
    definitions: Vec<Option<(Sum, i64)>>,
    rows: Vec<Row>,
    guards: Vec<Guard>,
}

/// What the constraints are of which no more can be solved.
struct Rest {
    lower: Vec<Vec<Value>>,
    upper: Vec<Vec<Value>>,
    strides: Vec<Option<(i64, Value)>>,
    guards: Vec<Guard>,
}

impl System<'_> {
    /// `None` where a number is large.
    fn read<'a>(
        part: &BasicSet,
        space: &'a Space,
        name: &dyn Fn(&str) -> Index,
    ) -> Result<Option<System<'a>>> {
        let dims = part.dim(DimType::Set)?;
        let divs = part.dim(DimType::Div)?;
        let mut system = System {
            space,
            dims: vec![None; dims],
            divs: vec![None; divs],
            definitions: Vec::new(),
            rows: Vec::new(),
            guards: Vec::new(),
        };
        let names = space.param_names()?;
        for div in 0..divs {
            let definition = match part.get_div(div) {
                Ok(quotient) => quotient,
                Err(error) if error.is_quota() => return Err(error),
                // One that isl knows by constraints only.
                Err(_) => {
                    system.definitions.push(None);
                    continue;
                }
            };
            let divisor = definition.get_denominator_val()?;
            let dividend = definition.scale_val(&divisor)?;
            let reader = Reader {
                coefficient: &|kind, at| dividend.get_coefficient_val(kind, at),
                constant: dividend.get_constant_val()?,
                dims: DimType::In,
                counts: (dims, divs),
            };
            let (Some(sum), Some(divisor)) = (reader.sum(space, &names, name)?, small(&divisor))
            else {
                return Ok(None);
            };
            system.definitions.push(Some((sum, divisor)));
        }
        for constraint in part.constraints()? {
            match read(&constraint, (dims, divs), space, &names, name)? {
                Some(row) => system.rows.push(row),
                None => return Ok(None),
            }
        }
        Ok(Some(system))
    }

    /// The sum with the values of what is known.
    fn known(&self, sum: &Sum) -> Result<Sum> {
        let mut factors = Vec::new();
        let mut rest = sum.rest.clone();
        for &(unknown, factor) in &sum.factors {
            let value = match unknown {
                Unknown::Dim(dim) => &self.dims[dim],
                Unknown::Div(div) => &self.divs[div],
            };
            match value {
                Some(value) => rest = rest.plus(&value.times(factor)?)?,
                None => factors.push((unknown, factor)),
            }
        }
        Ok(Sum { factors, rest })
    }

    /// Finds values until no equality has a single unknown, and no division a known dividend.
    fn solve(&mut self) -> Result<()> {
        while self.solve_equality()? || self.divide()? {}
        Ok(())
    }

    fn solve_equality(&mut self) -> Result<bool> {
        for at in 0..self.rows.len() {
            if !self.rows[at].equal {
                continue;
            }
            let sum = self.known(&self.rows[at].sum)?;
            let &[(unknown, factor)] = &sum.factors[..] else {
                continue;
            };
            self.rows.remove(at);
            let divisor = factor.abs();
            let multiple = sum.rest.times(-factor.signum())?;
            if divisor > 1 {
                let guard = multiple.divided(self.space, divisor)?;
                self.guards.push(guard);
            }
            let value = multiple.exactly_over(divisor)?;
            match unknown {
                Unknown::Dim(dim) => self.dims[dim] = Some(value),
                Unknown::Div(div) => {
                    self.keep_definition(div, &multiple, divisor)?;
                    self.divs[div] = Some(value);
                }
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// A division found from an equality, `multiple / divisor`, is still the quotient that it is
    /// defined to be.
    fn keep_definition(&mut self, div: usize, multiple: &Value, divisor: i64) -> Result<()> {
        let Some((dividend, by)) = self.definitions[div].clone() else {
            return Ok(());
        };
        let own = self.known(&dividend)?;
        let distance = own.rest.index.distance(&multiple.index);
        let same = own.factors.is_empty() && by == divisor;
        if same && distance.is_some_and(|distance| (0..by).contains(&distance)) {
            return Ok(());
        }
        // 0 <= dividend - by · div <= by - 1
        let mut low = dividend;
        low.factors.push((Unknown::Div(div), -by));
        let high = Sum {
            factors: low.factors.iter().map(|&(u, f)| (u, -f)).collect(),
            rest: low.rest.times(-1)?.add(by - 1)?,
        };
        for sum in [low, high] {
            self.rows.push(Row { sum, equal: false });
        }
        Ok(())
    }

    fn divide(&mut self) -> Result<bool> {
        for div in 0..self.divs.len() {
            if let (None, Some((dividend, divisor))) = (&self.divs[div], &self.definitions[div]) {
                let dividend = self.known(dividend)?;
                if dividend.factors.is_empty() {
                    self.divs[div] = Some(dividend.rest.floor_over(*divisor)?);
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// What the rows say that are left; `None` where boxes have no such constraint.
    fn rest(&mut self) -> Result<Option<Rest>> {
        let dims = self.dims.len();
        let mut rest = Rest {
            lower: vec![Vec::new(); dims],
            upper: vec![Vec::new(); dims],
            strides: vec![None; dims],
            guards: std::mem::take(&mut self.guards),
        };
        for (at, row) in self.rows.iter().enumerate() {
            let sum = self.known(&row.sum)?;
            match (&sum.factors[..], row.equal) {
                ([], equal) => match self.remainder(row, &sum)? {
                    Some(guard) => rest.guards.push(guard),
                    None => rest.guards.push(sum.rest.compared(self.space, equal)?),
                },
                (&[(Unknown::Dim(dim), factor)], false) if factor > 0 => {
                    // x >= ceil(-rest / factor)
                    let bound = sum.rest.floor_over(factor)?.times(-1)?;
                    rest.lower[dim].push(bound);
                }
                (&[(Unknown::Dim(dim), factor)], false) => {
                    rest.upper[dim].push(sum.rest.floor_over(-factor)?);
                }
                (&[(Unknown::Dim(dim), factor), (Unknown::Div(div), stride)], true) => {
                    let Some(residue) = self.residue(at, &sum, factor, (div, stride))? else {
                        return Ok(None);
                    };
                    if rest.strides[dim].is_some() {
                        return Ok(None);
                    }
                    rest.strides[dim] = Some((stride.abs(), residue));
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(rest))
    }

    /// `e mod m = 0` as isl has it, `e - m · floor(e / m) = 0`, as a condition of its own.
    fn remainder(&self, row: &Row, sum: &Sum) -> Result<Option<Guard>> {
        if !row.equal {
            return Ok(None);
        }
        for &(unknown, factor) in &row.sum.factors {
            let Unknown::Div(div) = unknown else { continue };
            let Some((dividend, divisor)) = &self.definitions[div] else {
                continue;
            };
            let Some(quotient) = &self.divs[div] else {
                continue;
            };
            if factor.abs() != *divisor {
                continue;
            }
            // factor · floor(dividend / divisor) + others = 0
            let others = sum.rest.plus(&quotient.times(-factor)?)?;
            let others = others.times(-factor.signum())?;
            let dividend = self.known(dividend)?.rest;
            let distance = dividend.index.distance(&others.index);
            if distance.is_some_and(|distance| (0..*divisor).contains(&distance)) {
                return Ok(Some(others.divided(self.space, *divisor)?));
            }
        }
        Ok(None)
    }

    /// Where `factor · x + rest = -stride · div` says no more than what remainder `x` leaves: a
    /// number that leaves it.
    fn residue(
        &self,
        row: usize,
        sum: &Sum,
        factor: i64,
        (div, stride): (usize, i64),
    ) -> Result<Option<Value>> {
        if factor.abs() != 1 {
            return Ok(None);
        }
        for (at, other) in self.rows.iter().enumerate() {
            let mut unknowns = other.sum.factors.iter();
            if at != row && unknowns.any(|&(unknown, _)| unknown == Unknown::Div(div)) {
                return Ok(None);
            }
        }
        if let Some((dividend, divisor)) = &self.definitions[div] {
            // The division is -(factor · x + rest) / stride, and to be floor(dividend / divisor).
            let own = self.known(dividend)?;
            let sign = -stride.signum();
            let expected = sum.rest.times(sign)?;
            let same = match (&own.factors[..], &sum.factors[..]) {
                (&[(unknown, times)], &[(dim, _), _]) => unknown == dim && times == factor * sign,
                _ => false,
            };
            let distance = own.rest.index.distance(&expected.index);
            let within = distance.is_some_and(|distance| (0..*divisor).contains(&distance));
            if !same || *divisor != stride.abs() || !within {
                return Ok(None);
            }
        }
        Ok(Some(sum.rest.times(-factor)?))
    }
}

/// A constraint; `None` where a number is large.
fn read(
    constraint: &Constraint,
    counts: (usize, usize),
    space: &Space,
    names: &[String],
    name: &dyn Fn(&str) -> Index,
) -> Result<Option<Row>> {
    let reader = Reader {
        coefficient: &|kind, at| constraint.get_coefficient_val(kind, at),
        constant: constraint.get_constant_val()?,
        dims: DimType::Set,
        counts,
    };
    let equal = constraint.is_equality()?;
    let sum = reader.sum(space, names, name)?;
    Ok(sum.map(|sum| Row { sum, equal }))
}

/// Where the numbers of a sum are.
struct Reader<'a> {
    coefficient: &'a dyn Fn(DimType, usize) -> Result<Val>,
    constant: Val,
    /// What isl calls the dimensions.
    dims: DimType,
    /// Of dimensions, and of divisions.
    counts: (usize, usize),
}

impl Reader<'_> {
    /// `None` where a number is large.
    fn sum(
        &self,
        space: &Space,
        names: &[String],
        name: &dyn Fn(&str) -> Index,
    ) -> Result<Option<Sum>> {
        let mut factors = Vec::new();
        let dims = (0..self.counts.0).map(|dim| (self.dims, dim, Unknown::Dim(dim)));
        let divs = (0..self.counts.1).map(|div| (DimType::Div, div, Unknown::Div(div)));
        for (kind, at, unknown) in dims.chain(divs) {
            match small(&(self.coefficient)(kind, at)?) {
                Some(0) => {}
                Some(factor) => factors.push((unknown, factor)),
                None => return Ok(None),
            }
        }
        let Some(number) = small(&self.constant) else {
            return Ok(None);
        };
        let zero = Aff::zero_on_domain_space(&space.params()?)?;
        let mut aff = zero.add_constant_val(&self.constant)?;
        let mut index = Index::Int(0);
        for (param, param_name) in names.iter().enumerate() {
            let factor = (self.coefficient)(DimType::Param, param)?;
            match small(&factor) {
                Some(0) => {}
                Some(times) => {
                    aff = aff.set_coefficient_val(DimType::Param, param, &factor)?;
                    index = index.plus(&name(param_name).times(times));
                }
                None => return Ok(None),
            }
        }
        let index = index.plus(&Index::Int(number));
        let rest = Value { aff, index };
        Ok(Some(Sum { factors, rest }))
    }
}

/// An integer of at most 32 bits, so that products of two fit into 64.
pub(crate) fn small(value: &Val) -> Option<i64> {
    let number = value.to_i64()?;
    (number.unsigned_abs() <= 1 << 32).then_some(number)
}
