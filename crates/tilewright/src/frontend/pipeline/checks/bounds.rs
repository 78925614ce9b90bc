//! Every access lies inside what it reads or updates, and reads cells that have values.
//!
//! Conditions of cases and of `select` count as far as they are affine. Subscripts that are data
//! count with the range of their values ([`crate::frontend::pipeline::values::ranges`]). isl finds the smallest example of an
//! access that is wrong.

use crate::frontend::pipeline::affine::{Formulas, Term, constant};
use crate::frontend::pipeline::builder::{Case, Definition, Pipeline, Role};
use crate::frontend::pipeline::checks::check::compared;
use crate::frontend::pipeline::checks::problem::Problem;
use crate::frontend::pipeline::expression::{Condition, Expr, NodeKind, Variable};
use crate::frontend::pipeline::text::Style;
use crate::frontend::pipeline::values::kinds::Kind;
use crate::frontend::pipeline::values::ranges::Ranges;
use crate::scop::{BinaryOp, ScalarKind};

/// isl operations for the checks of one function: each needs some thousands.
const OPERATIONS: u64 = 20_000_000;

/// Checks one function.
///
/// # Errors
/// isl's, running out of [`OPERATIONS`] among them.
pub(crate) fn check(
    pipeline: &Pipeline,
    at: usize,
    ranges: &Ranges,
    problems: &mut Vec<Problem>,
) -> isl::Result<()> {
    let ctx = isl::Ctx::new();
    ctx.set_max_operations(OPERATIONS)?;
    let mut bounds = Bounds {
        pipeline,
        at,
        ranges,
        ctx,
        variables: Vec::new(),
        problems,
    };
    bounds.function()
}

struct Bounds<'a> {
    pipeline: &'a Pipeline,
    /// The function whose definition is looked at.
    at: usize,
    ranges: &'a Ranges<'a>,
    ctx: isl::Ctx,
    /// The variables that have values where we are.
    variables: Vec<Variable>,
    problems: &'a mut Vec<Problem>,
}

impl Bounds<'_> {
    fn function(&mut self) -> isl::Result<()> {
        let pipeline = self.pipeline;
        let field = &pipeline.sources[self.at];
        let Role::Function {
            variables,
            definition,
            ..
        } = &field.role
        else {
            return Ok(());
        };
        self.variables = variables.clone();
        let mut formulas = Formulas::new(pipeline);
        let domain: Vec<String> = variables
            .iter()
            .zip(&field.bounds)
            .filter_map(|(v, (lower, upper))| {
                formulas.between(lower, &format!("v{}", v.index), upper)
            })
            .collect();
        match definition {
            Definition::Missing => {}
            Definition::Cases(cases) => {
                self.overlaps(cases, &domain)?;
                for (number, case) in cases.iter().enumerate() {
                    let mut guards = domain.clone();
                    guards.extend(formula_of(pipeline, cases, number));
                    self.expression(&case.value, &mut guards)?;
                }
            }
            Definition::Reduction(reduction) => {
                self.expression(&reduction.initial, &mut domain.clone())?;
                self.variables = reduction.over.iter().map(|i| i.variable).collect();
                let mut guards: Vec<String> = reduction
                    .over
                    .iter()
                    .filter_map(|i| {
                        let name = format!("v{}", i.variable.index);
                        Formulas::new(pipeline).between(&i.lower, &name, &i.upper)
                    })
                    .collect();
                for update in &reduction.updates {
                    for subscript in &update.cell {
                        self.expression(subscript, &mut guards)?;
                    }
                    self.expression(&update.value, &mut guards)?;
                    self.access(self.at, &update.cell, &guards, "updates")?;
                }
            }
        }
        Ok(())
    }

    fn name(&self) -> &str {
        &self.pipeline.sources[self.at].name
    }

    /// No cell belongs to two cases.
    fn overlaps(&mut self, cases: &[Case], domain: &[String]) -> isl::Result<()> {
        for (number, case) in cases.iter().enumerate() {
            for other in cases[..number].iter() {
                let (Some(a), Some(b)) = (&case.condition, &other.condition) else {
                    continue;
                };
                let mut formulas = Formulas::new(self.pipeline);
                let mut all = domain.to_vec();
                all.extend(formulas.condition(a));
                all.extend(formulas.condition(b));
                let set = self.set(&all, 0, &[self.at])?;
                if let Some(values) = self.witness(&set)? {
                    let show = |c| self.pipeline.condition(c, &Style::Message, 0);
                    let message = format!(
                        "{} has two cases for {}: {} and {}",
                        self.name(),
                        self.example(&values, &self.variables.clone(), true),
                        show(b),
                        show(a)
                    );
                    self.problems.push(Problem::of(self.name(), message));
                }
            }
        }
        Ok(())
    }

    fn expression(&mut self, expression: &Expr, guards: &mut Vec<String>) -> isl::Result<()> {
        match expression.kind() {
            NodeKind::Int(_)
            | NodeKind::Float(..)
            | NodeKind::Variable(_)
            | NodeKind::Parameter(_)
            | NodeKind::TooLarge => {}
            NodeKind::Read(source, subscripts) => {
                for subscript in subscripts {
                    self.expression(subscript, guards)?;
                }
                if let Some(read) = self.pipeline.own(*source) {
                    self.access(read, subscripts, guards, "reads")?;
                }
            }
            NodeKind::Math(_, parts) => {
                for part in parts {
                    self.expression(part, guards)?;
                }
            }
            NodeKind::Unary(_, a) | NodeKind::Cast(_, a) => self.expression(a, guards)?,
            NodeKind::Binary(operator, a, b) => {
                self.expression(a, guards)?;
                self.expression(b, guards)?;
                if matches!(operator, BinaryOp::Div | BinaryOp::Rem) {
                    self.divisor(expression, [a, b], guards)?;
                }
            }
            NodeKind::Select(condition, a, b) => {
                let mut parts = Vec::new();
                compared(condition, &mut parts);
                for part in parts {
                    self.expression(part, guards)?;
                }
                let holds = Formulas::new(self.pipeline).condition(condition);
                self.under(holds.clone(), a, guards)?;
                self.under(holds.map(|holds| format!("(not {holds})")), b, guards)?;
            }
        }
        Ok(())
    }

    fn under(
        &mut self,
        guard: Option<String>,
        expression: &Expr,
        guards: &mut Vec<String>,
    ) -> isl::Result<()> {
        let before = guards.len();
        guards.extend(guard);
        self.expression(expression, guards)?;
        guards.truncate(before);
        Ok(())
    }

    /// An integer is not divided by zero, nor the least one by -1.
    fn divisor(
        &mut self,
        whole: &Expr,
        [dividend, divisor]: [&Expr; 2],
        guards: &[String],
    ) -> isl::Result<()> {
        let kind = match self.pipeline.kind_of(whole).map(Kind::or_float) {
            Ok(kind) if !kind.is_float() => kind,
            _ => return Ok(()),
        };
        if !self.ranges.of(divisor).has(0) {
            if constant(divisor).is_none() && self.ranges.may_not_fit(dividend, divisor, kind) {
                let (name, show) = (self.name(), |e| self.pipeline.show(e));
                let message = format!(
                    "{name} divides {} by {}, which may be the least number of its type by -1: {}",
                    show(dividend),
                    show(divisor),
                    show(whole)
                );
                let help = "keep one of them away from that, for example by `max(…, -1000)`";
                self.problems.push(Problem::of(name, message).help(help));
            }
            return Ok(());
        }
        let mut example = String::new();
        if let Some(term) = Formulas::new(self.pipeline).term(divisor) {
            let mut all = guards.to_vec();
            all.push(term.close(format!("{} = 0", term.text)));
            match self.witness(&self.set(&all, 0, &[self.at])?)? {
                None => return Ok(()),
                Some(values) => {
                    let mentioned = variables(&[divisor]);
                    let values = self.example(&values, &mentioned, true);
                    if !values.is_empty() {
                        example = format!(" for {values}");
                    }
                }
            }
        }
        let (name, show) = (self.name(), |e| self.pipeline.show(e));
        let message = format!(
            "{name} divides by {}, which may be 0{example}: {}",
            show(divisor),
            show(whole)
        );
        let help = "make it at least 1, for example by `max(…, 1)`";
        let problem = Problem::of(name, message).help(help);
        self.problems.push(problem);
        Ok(())
    }

    /// One access lies inside, and reads what has a value.
    fn access(
        &mut self,
        target: usize,
        subscripts: &[Expr],
        guards: &[String],
        verb: &str,
    ) -> isl::Result<()> {
        let pipeline = self.pipeline;
        let field = &pipeline.sources[target];
        let mut all = guards.to_vec();
        let mut formulas = Formulas::new(pipeline);
        for (number, subscript) in subscripts.iter().enumerate() {
            let formula = match formulas.term(subscript) {
                Some(term) => term.close(format!("c{number} = {}", term.text)),
                None => {
                    let (low, high) = self.ranges.of(subscript).ends();
                    format!("({low} <= c{number} <= {high})")
                }
            };
            all.push(formula);
        }
        let count = subscripts.len();
        let touched = self.set(&all, count, &[self.at, target])?;
        for (number, (subscript, (lower, upper))) in
            subscripts.iter().zip(&field.bounds).enumerate()
        {
            let outside = |bound: &Expr, sign: &str| -> Option<(Term, String)> {
                let term = Formulas::new(pipeline).term(bound)?;
                let formula = term.close(format!("c{number} {sign} {}", term.text));
                Some((term, formula))
            };
            for (_, formula) in [outside(lower, "<"), outside(upper, ">")]
                .into_iter()
                .flatten()
            {
                let beyond = self.set(&[formula], count, &[])?.intersect(&touched)?;
                if let Some(values) = self.witness(&beyond)? {
                    let problem = self.out_of_bounds(target, number, subscript, &values, verb);
                    self.report(problem);
                    return Ok(());
                }
            }
        }
        if verb == "reads" {
            self.covered(target, subscripts, &touched)?;
        }
        Ok(())
    }

    fn out_of_bounds(
        &self,
        target: usize,
        number: usize,
        subscript: &Expr,
        values: &[i64],
        verb: &str,
    ) -> Problem {
        let pipeline = self.pipeline;
        let field = &pipeline.sources[target];
        let (lower, upper) = &field.bounds[number];
        let (name, other) = (self.name(), &field.name);
        let (text, simple) = (pipeline.show(subscript), |e| {
            pipeline.show(&pipeline.simple(e))
        });
        let place = match field.bounds.len() {
            1 => "its subscript".to_owned(),
            _ => format!("its {} subscript", ordinal(number)),
        };
        let extent = format!("{place} is from {} to {}", simple(lower), simple(upper));
        if Formulas::new(pipeline).term(subscript).is_none() {
            let (low, high) = self.ranges.of(subscript).ends();
            let message = format!(
                "{name} {verb} {other} at {text}, which is data and may be from {low} to {high}; \
                 {extent}"
            );
            let help = "clamp the subscript, or promise the least and greatest values of the \
                        image that it is computed from";
            return Problem::of(name, message).help(help);
        }
        let cells = self.offset_of_cells();
        let value = values[cells + number];
        let mentioned = variables(&[subscript]);
        let violated = if value < 0 || constant(lower).is_some_and(|low| value < low) {
            lower
        } else {
            upper
        };
        let example = self.example(values, &mentioned, mentions_size(&[subscript, violated]));
        let given = if example.is_empty() || text == value.to_string() {
            String::new()
        } else {
            format!(", which is {value} for {example}")
        };
        let message = format!("{name} {verb} {other} at {text}{given}; {extent}");
        Problem::of(name, message)
    }

    /// What is read has been given a value by a case.
    fn covered(
        &mut self,
        target: usize,
        subscripts: &[Expr],
        touched: &isl::Set,
    ) -> isl::Result<()> {
        let pipeline = self.pipeline;
        let Role::Function {
            variables: own,
            definition: Definition::Cases(cases),
            ..
        } = &pipeline.sources[target].role
        else {
            return Ok(());
        };
        if cases.iter().any(|case| case.condition.is_none()) {
            return Ok(());
        }
        let count = subscripts.len();
        let mut left = touched.clone();
        for condition in cases.iter().filter_map(|case| case.condition.as_ref()) {
            let mut formulas = Formulas::new(pipeline);
            for (number, variable) in own.iter().enumerate() {
                formulas.replaced.insert(*variable, format!("c{number}"));
            }
            if let Some(formula) = formulas.condition(condition) {
                left = left.subtract(&self.set(&[formula], count, &[])?)?;
            }
        }
        let Some(values) = self.witness(&left)? else {
            return Ok(());
        };
        let cells = self.offset_of_cells();
        let cell: Vec<String> = values[cells..].iter().map(i64::to_string).collect();
        let (name, other) = (self.name(), &pipeline.sources[target].name);
        let list: Vec<String> = subscripts.iter().map(|e| pipeline.show(e)).collect();
        let mentioned = variables(&subscripts.iter().collect::<Vec<_>>());
        let example = self.example(&values, &mentioned, true);
        let mut message = format!("{name} reads {other}({})", list.join(", "));
        if !example.is_empty() {
            message += &format!(", which is {other}({}) for {example}", cell.join(", "));
        }
        let problem = Problem::of(name, format!("{message}; no case of {other} defines it"))
            .help(format!("add a case to {other}, for example `otherwise`"));
        self.report(problem);
        Ok(())
    }

    fn report(&mut self, problem: Problem) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn sizes(&self) -> Vec<usize> {
        let all = self.pipeline.parameters.iter().enumerate();
        all.filter(|(_, p)| p.kind == ScalarKind::I32)
            .map(|(index, _)| index)
            .collect()
    }

    fn offset_of_cells(&self) -> usize {
        self.sizes().len() + self.variables.len()
    }

    /// The set of sizes, variables and `cells` subscripts for which all formulas hold, where what
    /// every call checks does: sizes are positive, and so are the extents of `fields`.
    fn set(&self, formulas: &[String], cells: usize, fields: &[usize]) -> isl::Result<isl::Set> {
        let pipeline = self.pipeline;
        let sizes = self.sizes();
        let mut dimensions: Vec<String> = sizes.iter().map(|p| format!("p{p}")).collect();
        dimensions.extend(self.variables.iter().map(|v| format!("v{}", v.index)));
        dimensions.extend((0..cells).map(|c| format!("c{c}")));
        let mut all: Vec<String> = Vec::new();
        if !fields.is_empty() {
            all.extend(sizes.iter().map(|p| format!("1 <= p{p}")));
            for condition in &pipeline.assumptions {
                all.extend(Formulas::new(pipeline).condition(condition));
            }
        }
        for &field in fields {
            for (lower, upper) in &pipeline.sources[field].bounds {
                let mut formulas = Formulas::new(pipeline);
                if let (Some(lower), Some(upper)) = (formulas.term(lower), formulas.term(upper)) {
                    let formula = format!("{} <= {}", lower.text, upper.text);
                    all.push(lower.both(&upper).close(formula));
                }
            }
        }
        all.extend(formulas.iter().cloned());
        if all.is_empty() {
            all.push("true".to_owned());
        }
        let text = format!("{{ [{}] : {} }}", dimensions.join(", "), all.join(" and "));
        isl::Set::read_from_str(&self.ctx, &text)
    }

    /// The smallest point of a set.
    fn witness(&self, set: &isl::Set) -> isl::Result<Option<Vec<i64>>> {
        if set.is_empty()? {
            return Ok(None);
        }
        let count = set.dim(isl::DimType::Set)?;
        let point = set.lexmin()?.sample_point()?;
        let mut values = Vec::new();
        for at in 0..count {
            values.push(
                point
                    .get_coordinate_val(isl::DimType::Set, at)?
                    .get_num_si()?,
            );
        }
        Ok(Some(values))
    }

    /// `x = 1 and y = 2`: the values of some variables, and of the sizes where there are few.
    fn example(&self, values: &[i64], mentioned: &[Variable], with_sizes: bool) -> String {
        let sizes = self.sizes();
        let mut parts = Vec::new();
        for variable in mentioned {
            if let Some(at) = self.variables.iter().position(|v| v == variable) {
                let value = values[sizes.len() + at];
                parts.push(format!("{} = {value}", self.pipeline.name_of(*variable)));
            }
        }
        if with_sizes {
            for (at, &size) in sizes.iter().enumerate() {
                let name = &self.pipeline.parameters[size].name;
                parts.push(format!("{name} = {}", values[at]));
            }
        }
        match parts.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
            None => String::new(),
        }
    }
}

/// The formula of one case: its condition, or that no other one's holds.
fn formula_of(pipeline: &Pipeline, cases: &[Case], number: usize) -> Vec<String> {
    let formula = |c: &Condition| Formulas::new(pipeline).condition(c);
    match &cases[number].condition {
        Some(condition) => formula(condition).into_iter().collect(),
        None => {
            let others = cases.iter().filter_map(|case| case.condition.as_ref());
            others
                .filter_map(|c| Some(format!("(not {})", formula(c)?)))
                .collect()
        }
    }
}

/// Variables in some expressions, in order, each once.
fn variables(expressions: &[&Expr]) -> Vec<Variable> {
    let mut found = Vec::new();
    for expression in expressions {
        crate::frontend::pipeline::checks::check::walk(expression, &mut |e| {
            if let NodeKind::Variable(variable) = e.kind() {
                if !found.contains(variable) {
                    found.push(*variable);
                }
            }
        });
    }
    found
}

fn mentions_size(expressions: &[&Expr]) -> bool {
    let mut found = false;
    for expression in expressions {
        crate::frontend::pipeline::checks::check::walk(expression, &mut |e| {
            found |= matches!(e.kind(), NodeKind::Parameter(_));
        });
    }
    found
}

fn ordinal(number: usize) -> String {
    const NAMES: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];
    match NAMES.get(number) {
        Some(name) => (*name).to_owned(),
        None => format!("{}th", number + 1),
    }
}

impl Pipeline {
    /// Whether a formula about sizes and variables holds for none that every call accepts: sizes
    /// are positive, and assumptions hold.
    pub(crate) fn is_impossible(&self, formula: &str) -> isl::Result<bool> {
        let ctx = isl::Ctx::new();
        ctx.set_max_operations(OPERATIONS)?;
        let count = self.parameters.len();
        let mut dimensions: Vec<String> = (0..count).map(|p| format!("p{p}")).collect();
        dimensions.extend((0..self.variables.len()).map(|v| format!("v{v}")));
        let mut all: Vec<String> = (0..count).map(|p| format!("1 <= p{p}")).collect();
        for condition in &self.assumptions {
            all.extend(Formulas::new(self).condition(condition));
        }
        all.push(formula.to_owned());
        let text = format!("{{ [{}] : {} }}", dimensions.join(", "), all.join(" and "));
        isl::Set::read_from_str(&ctx, &text)?.is_empty()
    }
}
