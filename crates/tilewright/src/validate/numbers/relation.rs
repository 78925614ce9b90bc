//! What isl's sets and maps say, as rows of numbers.

use std::collections::BTreeMap;

use crate::validate::numbers::facts::{Facts, Row, Var};
use isl::{BasicMap, DimType};

/// A basic map: its parameters are the variables `0..params`, its inputs come next, then its
/// outputs, then variables that exist for each pair.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    params: usize,
    pub inputs: usize,
    pub outputs: usize,
    locals: usize,
    equal: Vec<Row>,
    at_least: Vec<Row>,
}

/// How parameters are numbered.
pub(crate) type Params = BTreeMap<String, Var>;

const COLUMNS: [DimType; 5] = [
    DimType::Param,
    DimType::In,
    DimType::Out,
    DimType::Div,
    DimType::Cst,
];

impl Relation {
    /// All that a map says; `None` where its numbers are large, or one of its variables is no
    /// quotient.
    fn of(params: &Params, map: &BasicMap) -> isl::Result<Option<Relation>> {
        let map = map.drop_unused_params()?;
        let [own, inputs, outputs, locals] =
            [COLUMNS[0], COLUMNS[1], COLUMNS[2], COLUMNS[3]].map(|kind| map.dim(kind));
        let (own, inputs, outputs, locals) = (own?, inputs?, outputs?, locals?);
        let space = map.get_space()?;
        let mut names = Vec::new();
        for param in 0..own {
            match params.get(&space.get_dim_name(DimType::Param, param)?) {
                Some(&var) => names.push(var),
                None => return Ok(None),
            }
        }
        let name = |column: usize| {
            if column < own {
                names[column]
            } else {
                column - own + params.len()
            }
        };
        let [a, b, c, d, e] = COLUMNS;
        let mut relation = Relation {
            params: params.len(),
            inputs,
            outputs,
            locals,
            equal: Vec::new(),
            at_least: Vec::new(),
        };
        let matrices = [
            (map.equalities_matrix(a, b, c, d, e)?, &mut relation.equal),
            (
                map.inequalities_matrix(a, b, c, d, e)?,
                &mut relation.at_least,
            ),
        ];
        for (matrix, rows) in matrices {
            match matrix.to_i64s()? {
                Some(all) => rows.extend(all.iter().map(|row| of_columns(row, name))),
                None => return Ok(None),
            }
        }
        // isl may leave out what the definition of a variable says.
        let whole = match locals {
            0 => return Ok(Some(relation)),
            _ => map.wrap()?.get_local_space()?,
        };
        for local in 0..locals {
            // An error: it has no definition.
            let Ok(value) = whole.get_div(local) else {
                return Ok(None);
            };
            let quotient = Row::var(params.len() + inputs + outputs + local);
            let divisor = value.get_denominator_val()?;
            let value = value.scale_val(&divisor)?;
            let mut columns = Vec::new();
            let kinds = [
                (DimType::Param, own),
                (DimType::In, inputs + outputs),
                (DimType::Div, locals),
            ];
            for (kind, count) in kinds {
                for at in 0..count {
                    columns.push(value.get_coefficient_val(kind, at)?.to_i64());
                }
            }
            columns.push(value.get_constant_val()?.to_i64());
            let columns = columns.into_iter().collect::<Option<Vec<i64>>>();
            let (Some(columns), Some(divisor)) = (columns, divisor.to_i64()) else {
                return Ok(None);
            };
            match quotient_rows(&quotient, &of_columns(&columns, name), divisor) {
                Some(rows) => relation.at_least.extend(rows),
                None => return Ok(None),
            }
        }
        Ok(Some(relation))
    }

    /// The parts of a map; `None` where one cannot be read.
    pub fn all(params: &Params, map: &isl::Map) -> isl::Result<Option<Vec<Relation>>> {
        let mut all = Vec::new();
        let mut parts = map.basic_maps()?;
        for part in &parts {
            if part.dim(DimType::Div)? > 0 {
                parts = map.compute_divs()?.basic_maps()?;
                break;
            }
        }
        for part in parts {
            match Relation::of(params, &part)? {
                Some(relation) => all.push(relation),
                None => return Ok(None),
            }
        }
        Ok(Some(all))
    }

    /// The same of a set, whose dimensions are outputs.
    pub fn all_of_set(params: &Params, set: &isl::Set) -> isl::Result<Option<Vec<Relation>>> {
        Relation::all(params, &isl::Map::from_range(set)?)
    }

    /// Everything that it says of some inputs and outputs.
    pub fn tell(&self, facts: &mut Facts, input: Var, output: Var) {
        let first = facts.fresh(self.locals);
        let name = |var| self.name(var, input, output, first);
        for row in &self.equal {
            facts.equal(&row.renamed(|&var| name(var)));
        }
        for row in &self.at_least {
            facts.at_least(&row.renamed(|&var| name(var)));
        }
    }

    /// How many of its variables are neither parameters nor outputs.
    pub fn unknown(&self) -> usize {
        self.inputs + self.locals
    }

    /// What a variable is called where inputs, outputs and what exists for each pair have other
    /// numbers.
    pub fn name(&self, var: Var, input: Var, output: Var, local: Var) -> Var {
        match var.checked_sub(self.params) {
            None => var,
            Some(at) if at < self.inputs => input + at,
            Some(at) if at < self.inputs + self.outputs => output + at - self.inputs,
            Some(at) => local + at - self.inputs - self.outputs,
        }
    }

    /// What has to hold for the relation to hold, where only inputs, or outputs, or both are
    /// given: `None` where that is not easy to say.
    pub fn goals(&self, given_inputs: bool, given_outputs: bool) -> Option<Goals> {
        let at = self.params + self.inputs + self.outputs;
        let mut unknown: Vec<Var> = (at..at + self.locals).collect();
        if !given_outputs {
            unknown.extend(at - self.outputs..at);
        }
        if !given_inputs {
            unknown.extend(self.params..self.params + self.inputs);
        }
        let mut goals = Goals {
            equal: self.equal.clone(),
            at_least: self.at_least.clone(),
            divisible: Vec::new(),
            values: Vec::new(),
            quotients: Vec::new(),
        };
        let all = unknown.clone();
        unknown.retain(|&var| !goals.solve_by_equation(var, &all));
        let mut open = Vec::new();
        while let Some(var) = unknown.first().copied() {
            if !goals.solve_by_division(var, &unknown)? {
                open.push(var);
            }
            unknown.remove(0);
        }
        while let Some(var) = open.first().copied() {
            if !goals.solve_by_bounds(var, &open)? {
                return None;
            }
            open.remove(0);
        }
        Some(goals)
    }

    /// Whether it certainly holds of some inputs and outputs.
    pub fn holds(&self, facts: &Facts, input: Var, output: Var) -> bool {
        let Some(goals) = self.goals(true, true) else {
            return false;
        };
        let mut facts = facts.clone();
        let first = facts.fresh(self.locals);
        let var = |var: Var| self.name(var, input, output, first);
        let row = |row: &Row| row.renamed(|&of| var(of));
        goals.choose(&mut facts, row, var);
        goals.hold(&facts, row)
    }

    /// The outputs of the union of some relations as functions of its inputs, where they are
    /// defined for all inputs of which one of several facts hold.
    pub fn function(parts: &[Relation], inside: &[Facts]) -> Option<Vec<Value>> {
        let mut values = None;
        let mut all = Vec::new();
        for part in parts {
            let goals = part.goals(true, false)?;
            let first = part.params + part.inputs;
            let outputs = first..first + part.outputs;
            let own = outputs.map(|output| goals.value(output, first));
            let own = own.collect::<Option<Vec<Value>>>()?;
            if *values.get_or_insert_with(|| own.clone()) != own {
                return None;
            }
            all.push((part, goals));
        }
        let defined = inside.iter().all(|facts| {
            all.iter().any(|(part, goals)| {
                let mut facts = facts.clone();
                let unknown = facts.fresh(part.outputs + part.locals);
                let var = |var| part.name(var, part.params, unknown, unknown + part.outputs);
                let row = |row: &Row| row.renamed(|&of| var(of));
                goals.choose(&mut facts, row, var);
                goals.hold(&facts, row)
            })
        });
        values.filter(|_| defined)
    }

    /// Facts about its outputs, where its inputs are nothing.
    pub fn facts(&self) -> Facts {
        let mut facts = Facts::of(self.params + self.outputs);
        self.tell(&mut facts, self.params, self.params);
        facts
    }
}

/// Coefficients, the constant being the last.
fn of_columns(columns: &[i64], name: impl Fn(usize) -> Var) -> Row {
    let (constant, factors) = columns.split_last().unwrap_or((&0, &[]));
    Row::dense(factors, *constant).renamed(|&var| name(var))
}

/// What a variable is: an expression, in which variables of its own may stand for quotients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub row: Row,
    pub quotients: Vec<Quotient>,
}

/// A variable that is an expression divided by a number, rounded down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Quotient {
    var: Var,
    dividend: Row,
    divisor: i64,
}

impl Value {
    pub fn plain(row: Row) -> Value {
        Value {
            row,
            quotients: Vec::new(),
        }
    }

    /// As an expression, in other variables; facts may get variables more.
    pub fn told(&self, facts: &mut Facts, name: impl Fn(Var) -> Var) -> Row {
        let first = facts.fresh(self.quotients.len());
        let name = |var: Var| {
            let mut quotients = self.quotients.iter();
            match quotients.position(|quotient| quotient.var == var) {
                Some(at) => first + at,
                None => name(var),
            }
        };
        for quotient in &self.quotients {
            let dividend = quotient.dividend.renamed(|&var| name(var));
            tell_quotient(facts, name(quotient.var), &dividend, quotient.divisor);
        }
        self.row.renamed(|&var| name(var))
    }
}

/// `var` is `row` by `divisor`, rounded down.
fn tell_quotient(facts: &mut Facts, var: Var, row: &Row, divisor: i64) {
    for row in quotient_rows(&Row::var(var), row, divisor).iter().flatten() {
        facts.at_least(row);
    }
}

/// What is not negative where something is a quotient, rounded down.
fn quotient_rows(quotient: &Row, dividend: &Row, divisor: i64) -> Option<[Row; 2]> {
    let rest = dividend.combined(1, quotient, divisor.checked_neg()?)?;
    let above = rest.times(-1)?.plus_number(divisor.checked_sub(1)?)?;
    Some([rest, above])
}

/// What is to be shown of what is given; in the variables of the relation.
#[derive(Clone, Debug)]
pub(crate) struct Goals {
    equal: Vec<Row>,
    at_least: Vec<Row>,
    /// Expressions that a number divides.
    pub divisible: Vec<(Row, i64)>,
    /// What equations say of what is not given.
    values: Vec<(Var, Row)>,
    /// What of it was chosen to be quotients of what is given and of those before.
    quotients: Vec<Quotient>,
}

impl Goals {
    /// Whether an equation says what the variable is, which then is replaced everywhere. One that
    /// says it by what is given is preferred.
    fn solve_by_equation(&mut self, var: Var, unknown: &[Var]) -> bool {
        let rows = self.equal.iter().enumerate();
        let units = rows.filter(|(_, row)| matches!(row.factor(&var), 1 | -1));
        let others = |row: &Row| {
            row.terms()
                .iter()
                .filter(|(var, _)| unknown.contains(var))
                .count()
        };
        let Some((at, _)) = units.min_by_key(|(_, row)| others(row)) else {
            return false;
        };
        let (factor, rest) = self.equal[at].without(&var);
        let Some(value) = rest.times(-factor) else {
            return false;
        };
        let replaced = |rows: &[Row]| -> Option<Vec<Row>> {
            rows.iter().map(|row| row.replaced(&var, &value)).collect()
        };
        let values = self.values.iter();
        let values = values.map(|(of, row)| Some((*of, row.replaced(&var, &value)?)));
        let (Some(mut equal), Some(at_least), Some(mut values)) = (
            replaced(&self.equal),
            replaced(&self.at_least),
            values.collect::<Option<Vec<_>>>(),
        ) else {
            return false;
        };
        equal.remove(at);
        values.push((var, value));
        (self.equal, self.at_least, self.values) = (equal, at_least, values);
        true
    }

    /// Whether one equation says that a multiple of the variable is something, which then is to
    /// be divisible. `None` where that is not all that is to be known of the variable; `unknown`
    /// is what was not solved yet.
    fn solve_by_division(&mut self, var: Var, unknown: &[Var]) -> Option<bool> {
        let mut found = (0..self.equal.len()).filter(|&at| self.equal[at].factor(&var) != 0);
        let Some(at) = found.next() else {
            return Some(false);
        };
        // `factor · var + rest = 0`
        let (factor, rest) = self.equal[at].without(&var);
        let unsolved = rest.terms().iter().any(|(var, _)| unknown.contains(var));
        let in_divisible = |(row, _): &(Row, i64)| row.factor(&var) != 0;
        if found.next().is_some() || unsolved || self.divisible.iter().any(in_divisible) {
            return None;
        }
        let divisor = factor.checked_abs()?;
        for row in &mut self.at_least {
            let (times, others) = row.without(&var);
            if times != 0 {
                *row = others.combined(divisor, &rest, times.checked_mul(-factor.signum())?)?;
            }
        }
        self.equal.remove(at);
        self.quotients.push(Quotient {
            var,
            dividend: rest.times(-factor.signum())?,
            divisor,
        });
        self.divisible.push((rest, divisor));
        Some(true)
    }

    /// Whether the variable is a quotient, as two inequalities say: then it exists, and everything
    /// else is to hold of it. (Without inequalities, any number will do.)
    fn solve_by_bounds(&mut self, var: Var, unknown: &[Var]) -> Option<bool> {
        let mentioned = |row: &Row| row.factor(&var) != 0;
        if self.equal.iter().any(mentioned) || self.divisible.iter().any(|(row, _)| mentioned(row))
        {
            return None;
        }
        if !self.at_least.iter().any(mentioned) {
            return Some(true);
        }
        for row in &mut self.at_least {
            *row = std::mem::take(row).tightened();
        }
        for upper in self.at_least.iter().filter(|row| row.factor(&var) < 0) {
            // `rest - divisor · var ≥ 0`
            let (factor, rest) = upper.without(&var);
            if rest.terms().iter().any(|(var, _)| unknown.contains(var)) {
                continue;
            }
            let divisor = factor.checked_neg()?;
            for lower in self
                .at_least
                .iter()
                .filter(|row| row.factor(&var) == divisor)
            {
                let sum = upper.combined(1, lower, 1)?;
                if sum.terms().is_empty() && sum.constant() == divisor - 1 {
                    self.quotients.push(Quotient {
                        var,
                        dividend: rest,
                        divisor,
                    });
                    return Some(true);
                }
            }
        }
        // Or its least value will do.
        let least = self
            .at_least
            .iter()
            .find_map(|row| match row.without(&var) {
                (1, rest) if rest.terms().iter().all(|(var, _)| !unknown.contains(var)) => {
                    rest.times(-1)
                }
                _ => None,
            });
        let Some(least) = least else {
            return Some(false);
        };
        let rows = self.at_least.iter().map(|row| row.replaced(&var, &least));
        self.at_least = rows.collect::<Option<Vec<Row>>>()?;
        Some(true)
    }

    /// What a variable is, of what comes before `first`.
    fn value(&self, var: Var, first: Var) -> Option<Value> {
        let mut value = match self.values.iter().find(|(of, _)| *of == var) {
            Some((_, row)) => Value::plain(row.clone()),
            None => Value::plain(Row::var(var)),
        };
        let mut open: Vec<Var> = value.row.terms().iter().map(|&(var, _)| var).collect();
        open.retain(|&var| var >= first);
        while let Some(var) = open.pop() {
            if value.quotients.iter().any(|quotient| quotient.var == var) {
                continue;
            }
            let mut quotients = self.quotients.iter();
            let quotient = quotients.find(|quotient| quotient.var == var)?;
            let terms = quotient.dividend.terms().iter();
            open.extend(terms.map(|&(var, _)| var).filter(|&var| var >= first));
            value.quotients.push(quotient.clone());
        }
        Some(value)
    }

    /// Whether all of it holds; `name` says what the variables stand for. What was chosen is told
    /// to the facts already ([`Goals::choose`]).
    pub fn hold(&self, facts: &Facts, name: impl Fn(&Row) -> Row) -> bool {
        let mut divisible = self.divisible.iter();
        divisible.all(|(row, number)| facts.proves_divisible(&name(row), *number))
            && self.equal.iter().all(|row| facts.proves_zero(&name(row)))
            && self.at_least.iter().all(|row| facts.proves(&name(row)))
    }

    /// The first inequality that does not follow; `None` where all do, or something is certain not
    /// to hold.
    pub fn open(&self, facts: &Facts, name: impl Fn(&Row) -> Row) -> Option<Row> {
        let mut open = None;
        for row in self.at_least.iter().map(name) {
            if open.is_none() && !facts.proves(&row) {
                open = Some(row.clone());
            }
            if facts.refute(&row) {
                return None;
            }
        }
        open
    }

    /// Tells what was chosen.
    pub fn choose(&self, facts: &mut Facts, name: impl Fn(&Row) -> Row, var: impl Fn(Var) -> Var) {
        for quotient in &self.quotients {
            let dividend = name(&quotient.dividend);
            tell_quotient(facts, var(quotient.var), &dividend, quotient.divisor);
        }
    }
}
