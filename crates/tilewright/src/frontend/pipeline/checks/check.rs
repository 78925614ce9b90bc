//! What has to hold of a pipeline before it is compiled, cheapest first: names and types, domains,
//! the order of functions; then, in `bounds`, every access.

use crate::frontend::pipeline::affine::{Formulas, constant};
use crate::frontend::pipeline::builder::{Definition, Field, Pipeline, Role};
use crate::frontend::pipeline::checks::bounds;
use crate::frontend::pipeline::checks::problem::{Problem, Problems};
use crate::frontend::pipeline::expression::{
    Condition, Expr, Interval, NodeKind, Source, Test, Variable,
};
use crate::frontend::pipeline::values::ranges::Ranges;
use crate::scop::BinaryOp;
use std::collections::BTreeSet;

/// A pipeline in which nothing is wrong.
#[derive(Debug)]
pub(crate) struct Checked<'p> {
    pub pipeline: &'p Pipeline,
    /// Functions, each behind those that it reads; otherwise as they were declared.
    pub order: Vec<usize>,
}

impl Pipeline {
    /// Looks for everything that is wrong.
    ///
    /// # Errors
    /// All problems that could be found in one go.
    pub fn check(&self) -> Result<(), Problems> {
        self.checked().map(|_| ())
    }

    pub(crate) fn checked(&self) -> Result<Checked<'_>, Problems> {
        let mut problems = self.problems.clone();
        for field in &self.sources {
            self.check_types(field, &mut problems);
        }
        stop(problems)?;
        let mut problems = Vec::new();
        for field in &self.sources {
            self.check_domain(field, &mut problems);
        }
        for condition in &self.assumptions {
            if let Err(reason) = self.kinds_in(condition) {
                problems.push(Problem::new(format!("an assumption {reason}")));
            } else if Formulas::new(self).condition(condition).is_none()
                || !self.of_sizes_only(condition)
            {
                let text = self.condition(
                    condition,
                    &crate::frontend::pipeline::text::Style::Message,
                    0,
                );
                let message = format!("the assumption {text} is not affine in the sizes");
                problems.push(Problem::new(message));
            }
        }
        stop(problems)?;
        let order = self.order().map_err(|problem| Problems(vec![problem]))?;
        stop(self.unused())?;
        let mut ranges = Ranges::new(self, &order);
        let mut problems = Vec::new();
        for &at in &order {
            ranges.enter(at);
            if let Err(error) = bounds::check(self, at, &ranges, &mut problems) {
                let name = &self.sources[at].name;
                let message = if error.is_quota() {
                    format!("checking what {name} reads takes too long")
                } else {
                    format!("checking what {name} reads failed: {error}")
                };
                let help = "simplify its domain and conditions";
                problems.push(Problem::of(name, message).help(help));
            }
        }
        stop(problems)?;
        Ok(Checked {
            pipeline: self,
            order,
        })
    }

    fn check_types(&self, field: &Field, problems: &mut Vec<Problem>) {
        let name = &field.name;
        let mut say = |message: String| problems.push(Problem::of(name, message));
        for (lower, upper) in &field.bounds {
            for bound in [lower, upper] {
                if let Err(reason) = self.kind_of(bound) {
                    say(format!("the domain of {name} {reason}"));
                }
            }
        }
        let Role::Function { definition, .. } = &field.role else {
            return;
        };
        let mut check = |expression: &Expr| {
            if let Err(reason) = self.kind_of(expression) {
                say(format!("{name} {reason}"));
            }
        };
        match definition {
            Definition::Missing => {
                let message = format!("{name} has no definition");
                let help = format!("say what its values are: `define({name}, …)`");
                problems.push(Problem::of(name, message).help(help));
            }
            Definition::Cases(cases) => {
                for case in cases {
                    check(&case.value);
                }
                for condition in cases.iter().filter_map(|case| case.condition.as_ref()) {
                    if let Err(reason) = self.kinds_in(condition) {
                        problems.push(Problem::of(name, format!("{name} {reason}")));
                    }
                }
            }
            Definition::Reduction(reduction) => {
                check(&reduction.initial);
                for interval in &reduction.over {
                    check(&interval.lower);
                    check(&interval.upper);
                }
                let mut wrong = Vec::new();
                for update in &reduction.updates {
                    check(&update.value);
                    let cell = Expr::new(NodeKind::Read(self.source(name), update.cell.clone()));
                    if let Err(reason) = self.kind_of(&cell) {
                        wrong.push(format!("{name} {}", reason.replacen("reads", "updates", 1)));
                    }
                }
                problems.extend(wrong.into_iter().map(|message| Problem::of(name, message)));
            }
        }
    }

    /// The source with this name.
    pub(crate) fn source(&self, name: &str) -> Source {
        let at = self.sources.iter().position(|s| s.name == name);
        Source {
            pipeline: self.number,
            index: at.unwrap_or(0) as u32,
        }
    }

    fn check_domain(&self, field: &Field, problems: &mut Vec<Problem>) {
        let name = &field.name;
        let bounds = || {
            field
                .bounds
                .iter()
                .flat_map(|(lower, upper)| [lower, upper])
        };
        let (what, bounds) = match field.role {
            Role::Image { .. } => ("extent", self.extents(field)),
            Role::Function { .. } => ("domain", bounds().cloned().collect()),
        };
        for bound in &bounds {
            problems.extend(self.check_bound(name, what, bound, &BTreeSet::new()));
        }
        let Role::Function {
            variables,
            definition,
            ..
        } = &field.role
        else {
            return;
        };
        let mut known: BTreeSet<Variable> = variables.iter().copied().collect();
        match definition {
            Definition::Missing => {}
            Definition::Cases(cases) => {
                if cases.is_empty() {
                    problems.push(Problem::of(name, format!("{name} has no cases")));
                }
                if cases.iter().filter(|case| case.condition.is_none()).count() > 1 {
                    let message = format!("{name} has two cases without a condition");
                    problems.push(Problem::of(name, message));
                }
                for case in cases {
                    self.check_known(name, &case.value, &known, problems);
                    let Some(condition) = &case.condition else {
                        continue;
                    };
                    let mut parts = Vec::new();
                    compared(condition, &mut parts);
                    for part in parts {
                        self.check_known(name, part, &known, problems);
                    }
                    if Formulas::new(self).condition(condition).is_none() {
                        let text = self.condition(
                            condition,
                            &crate::frontend::pipeline::text::Style::Message,
                            0,
                        );
                        let message = format!(
                            "the case {text} of {name} is not affine in variables and sizes"
                        );
                        let help = "use `select` for conditions on values";
                        problems.push(Problem::of(name, message).help(help));
                    }
                }
            }
            Definition::Reduction(reduction) => {
                self.check_known(name, &reduction.initial, &known, problems);
                known.clear();
                for Interval {
                    variable,
                    lower,
                    upper,
                } in &reduction.over
                {
                    for bound in [lower, upper] {
                        problems.extend(self.check_bound(name, "reduction", bound, &known));
                    }
                    if !known.insert(*variable) {
                        let variable = self.name_of(*variable);
                        let message = format!("{name} is reduced over {variable} twice");
                        problems.push(Problem::of(name, message));
                    }
                }
                for update in &reduction.updates {
                    self.check_known(name, &update.value, &known, problems);
                    for subscript in &update.cell {
                        self.check_known(name, subscript, &known, problems);
                    }
                }
            }
        }
    }

    /// A bound is affine in sizes and `known` variables, and divides by positive numbers only.
    fn check_bound(
        &self,
        name: &str,
        what: &str,
        bound: &Expr,
        known: &BTreeSet<Variable>,
    ) -> Option<Problem> {
        let text = self.show(bound);
        let mut found = None;
        walk(bound, &mut |e| match e.kind() {
            NodeKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) => {
                let message = match constant(divisor) {
                    Some(0) => format!("division by zero in the {what} of {name}: {text}"),
                    Some(1..) => return,
                    _ => format!(
                        "the {what} of {name} divides by {}, which is not a positive number: {text}",
                        self.show(divisor)
                    ),
                };
                found.get_or_insert(Problem::of(name, message));
            }
            NodeKind::Variable(variable) if !known.contains(variable) => {
                let variable = self.name_of(*variable);
                let message = format!("the {what} of {name} depends on {variable}: {text}");
                found.get_or_insert(Problem::of(name, message));
            }
            _ => {}
        });
        if found.is_none() && !self.is_affine(bound) {
            let message = format!("the {what} of {name} is not affine in the sizes: {text}");
            found = Some(Problem::of(name, message));
        }
        found
    }

    fn check_known(
        &self,
        name: &str,
        expression: &Expr,
        known: &BTreeSet<Variable>,
        problems: &mut Vec<Problem>,
    ) {
        let mut unknown = BTreeSet::new();
        walk(expression, &mut |e| {
            if let NodeKind::Variable(variable) = e.kind() {
                if !known.contains(variable) {
                    unknown.insert(*variable);
                }
            }
        });
        for variable in unknown {
            let variable = self.name_of(variable);
            let message = format!("{name} uses {variable}, which is no variable of its domain");
            let problem = Problem::of(name, message);
            if !problems.contains(&problem) {
                problems.push(problem);
            }
        }
    }

    fn of_sizes_only(&self, condition: &Condition) -> bool {
        let mut parts = Vec::new();
        compared(condition, &mut parts);
        parts.into_iter().all(|part| self.is_of_sizes_only(part))
    }

    /// Whether an expression mentions no variable.
    pub(crate) fn is_of_sizes_only(&self, expression: &Expr) -> bool {
        let mut only = true;
        walk(expression, &mut |e| {
            only &= !matches!(e.kind(), NodeKind::Variable(_));
        });
        only
    }

    /// What a function reads, in order, each once.
    pub(crate) fn reads(&self, at: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let Role::Function { definition, .. } = &self.sources[at].role else {
            return found;
        };
        for expression in definition.expressions() {
            walk(expression, &mut |e| {
                if let NodeKind::Read(source, _) = e.kind() {
                    if let Some(read) = self.own(*source).filter(|r| !found.contains(r)) {
                        found.push(read);
                    }
                }
            });
        }
        found
    }

    /// Functions, each behind those that it reads.
    fn order(&self) -> Result<Vec<usize>, Problem> {
        let reads: Vec<Vec<usize>> = (0..self.sources.len()).map(|at| self.reads(at)).collect();
        let is_function = |at: &usize| matches!(self.sources[*at].role, Role::Function { .. });
        let mut order: Vec<usize> = Vec::new();
        let mut left: Vec<usize> = (0..self.sources.len()).filter(is_function).collect();
        while !left.is_empty() {
            let ready = left.iter().position(|&at| {
                reads[at]
                    .iter()
                    .all(|r| !is_function(r) || order.contains(r))
            });
            match ready {
                Some(place) => order.push(left.remove(place)),
                None => return Err(self.cycle(left[0], &left, &reads)),
            }
        }
        Ok(order)
    }

    /// Every function in `left` reads another one in `left`.
    fn cycle(&self, first: usize, left: &[usize], reads: &[Vec<usize>]) -> Problem {
        let mut path = vec![first];
        let circle = loop {
            let last = path[path.len() - 1];
            let Some(&next) = reads[last].iter().find(|r| left.contains(r)) else {
                break path;
            };
            if let Some(begin) = path.iter().position(|&at| at == next) {
                path.push(next);
                break path.split_off(begin);
            }
            path.push(next);
        };
        let names: Vec<&str> = circle
            .iter()
            .map(|&at| &self.sources[at].name[..])
            .collect();
        let help = "a function's values are given by other functions' and images'";
        let message = match names[..] {
            [name, _] => format!("{name} reads itself"),
            _ => format!(
                "functions read each other in a cycle: {}",
                names.join(" reads ")
            ),
        };
        Problem::of(names.first().unwrap_or(&""), message).help(help)
    }

    fn unused(&self) -> Vec<Problem> {
        let mut used: BTreeSet<usize> = BTreeSet::new();
        let mut pending = Vec::new();
        for (at, field) in self.sources.iter().enumerate() {
            if matches!(field.role, Role::Function { output: true, .. }) {
                pending.push(at);
            }
        }
        if pending.is_empty() {
            let help = "declare the function with the result by `output`";
            return vec![Problem::new("the pipeline has no output").help(help)];
        }
        while let Some(at) = pending.pop() {
            if used.insert(at) {
                pending.extend(self.reads(at));
            }
        }
        let mut problems = Vec::new();
        for (at, Field { name, role, .. }) in self.sources.iter().enumerate() {
            if used.contains(&at) {
                continue;
            }
            let what = match role {
                Role::Image { .. } => "image",
                Role::Function { .. } => "function",
            };
            let message = format!("the {what} {name} is not used by any output");
            let help = "leave it out, or make it an output";
            let problem = Problem::of(name, message);
            problems.push(match role {
                Role::Image { .. } => problem.help("leave it out"),
                Role::Function { .. } => problem.help(help),
            });
        }
        problems
    }
}

impl Definition {
    /// All expressions of a definition, those of conditions and bounds among them.
    pub(crate) fn expressions(&self) -> Vec<&Expr> {
        let mut all = Vec::new();
        match self {
            Definition::Missing => {}
            Definition::Cases(cases) => {
                for case in cases {
                    all.push(&case.value);
                    if let Some(condition) = &case.condition {
                        compared(condition, &mut all);
                    }
                }
            }
            Definition::Reduction(reduction) => {
                all.push(&reduction.initial);
                for interval in &reduction.over {
                    all.extend([&interval.lower, &interval.upper]);
                }
                for update in &reduction.updates {
                    all.extend(&update.cell);
                    all.push(&update.value);
                }
            }
        }
        all
    }
}

fn stop(problems: Vec<Problem>) -> Result<(), Problems> {
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Problems(problems))
    }
}

/// The expressions that a condition compares.
pub(crate) fn compared<'e>(condition: &'e Condition, found: &mut Vec<&'e Expr>) {
    match condition.test() {
        Test::Compare(_, a, b) => found.extend([a, b]),
        Test::And(a, b) | Test::Or(a, b) => {
            compared(a, found);
            compared(b, found);
        }
        Test::Not(a) => compared(a, found),
        Test::TooLarge => {}
    }
}

/// Visits an expression and all below it, outer ones first.
pub(crate) fn walk<'e>(expression: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    visit(expression);
    match expression.kind() {
        NodeKind::Int(_)
        | NodeKind::Float(..)
        | NodeKind::Variable(_)
        | NodeKind::Parameter(_)
        | NodeKind::TooLarge => {}
        NodeKind::Read(_, parts) | NodeKind::Math(_, parts) => {
            parts.iter().for_each(|e| walk(e, visit));
        }
        NodeKind::Unary(_, a) | NodeKind::Cast(_, a) => walk(a, visit),
        NodeKind::Binary(_, a, b) => {
            walk(a, visit);
            walk(b, visit);
        }
        NodeKind::Select(condition, a, b) => {
            let mut parts = Vec::new();
            compared(condition, &mut parts);
            parts.into_iter().for_each(|e| walk(e, visit));
            walk(a, visit);
            walk(b, visit);
        }
    }
}
