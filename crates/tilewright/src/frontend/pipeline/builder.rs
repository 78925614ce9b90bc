//! [`Pipeline`]: images, functions and what defines them (TOPLAS 2020, section 2.1).

use super::expression::{
    Cell, Condition, Expr, Function, Image, Interval, Parameter, Source, Variable,
};
use crate::frontend::pipeline::checks::names;
use crate::frontend::pipeline::checks::problem::Problem;
use crate::scop::ScalarKind;
use std::sync::atomic::{AtomicU32, Ordering};

/// Numbers pipelines, so that a handle of one is not taken for a handle of another.
static PIPELINES: AtomicU32 = AtomicU32::new(0);

/// A pipeline of images and functions.
///
/// Building never fails: what is wrong is kept, and said by [`Pipeline::check`].
#[derive(Clone, Debug)]
pub struct Pipeline {
    pub(super) name: String,
    pub(super) number: u32,
    pub(super) variables: Vec<String>,
    pub(super) parameters: Vec<Scalar>,
    pub(super) sources: Vec<Field>,
    pub(super) assumptions: Vec<Condition>,
    pub(super) problems: Vec<Problem>,
}

/// A scalar argument.
#[derive(Clone, Debug)]
pub(super) struct Scalar {
    pub name: String,
    /// [`ScalarKind::I32`] for sizes.
    pub kind: ScalarKind,
}

/// An image or a function.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub name: String,
    pub kind: ScalarKind,
    pub role: Role,
    /// Least and greatest subscript in each dimension, outermost first.
    pub bounds: Vec<(Expr, Expr)>,
}

#[derive(Clone, Debug)]
pub(super) enum Role {
    /// With the least and greatest value of its cells, where they are promised.
    Image { values: Option<(f64, f64)> },
    /// With the variables of its domain, outermost first.
    Function {
        variables: Vec<Variable>,
        output: bool,
        definition: Definition,
    },
}

#[derive(Clone, Debug)]
pub(super) enum Definition {
    Missing,
    Cases(Vec<Case>),
    Reduction(Reduction),
}

/// A part of a function's domain, and the values there.
#[derive(Clone, Debug)]
pub struct Case {
    /// `None`: wherever no other case applies.
    pub(super) condition: Option<Condition>,
    pub(super) value: Expr,
}

impl Case {
    /// The same case, but only where the condition holds too.
    pub fn under(self, condition: Condition) -> Case {
        Case {
            condition: Some(match self.condition {
                Some(own) => condition & own,
                None => condition,
            }),
            value: self.value,
        }
    }
}

/// `value` where the condition holds.
pub fn case(condition: Condition, value: impl Into<Expr>) -> Case {
    Case {
        condition: Some(condition),
        value: value.into(),
    }
}

/// `value` in all cells of the domain that no other case of the function defines.
pub fn otherwise(value: impl Into<Expr>) -> Case {
    Case {
        condition: None,
        value: value.into(),
    }
}

/// How a reduction combines what a cell holds with a new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// Adds.
    Sum,
    /// Keeps the smaller one.
    Min,
    /// Keeps the larger one.
    Max,
}

/// One value that a reduction puts into one cell.
#[derive(Clone, Debug)]
pub struct Update {
    pub(super) combine: Combine,
    pub(super) cell: Vec<Expr>,
    pub(super) value: Expr,
}

/// Adds `value` to a cell. A histogram is `sum_into((bin,), 1)` with a bin that is read.
pub fn sum_into(cell: impl Cell, value: impl Into<Expr>) -> Update {
    update(Combine::Sum, cell, value)
}

/// Replaces a cell by `value` where that is smaller.
pub fn min_into(cell: impl Cell, value: impl Into<Expr>) -> Update {
    update(Combine::Min, cell, value)
}

/// Replaces a cell by `value` where that is larger.
pub fn max_into(cell: impl Cell, value: impl Into<Expr>) -> Update {
    update(Combine::Max, cell, value)
}

/// Combines `value` with a cell.
pub fn update(combine: Combine, cell: impl Cell, value: impl Into<Expr>) -> Update {
    Update {
        combine,
        cell: cell.subscripts(),
        value: value.into(),
    }
}

#[derive(Clone, Debug)]
pub(super) struct Reduction {
    pub initial: Expr,
    pub over: Vec<Interval>,
    pub updates: Vec<Update>,
}

impl Pipeline {
    /// An empty pipeline. The name becomes the name of the C function.
    pub fn new(name: &str) -> Pipeline {
        let mut pipeline = Pipeline {
            name: name.to_owned(),
            number: PIPELINES.fetch_add(1, Ordering::Relaxed),
            variables: Vec::new(),
            parameters: Vec::new(),
            sources: Vec::new(),
            assumptions: Vec::new(),
            problems: Vec::new(),
        };
        pipeline.check_name("pipeline", name);
        pipeline
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn check_name(&mut self, what: &str, name: &str) {
        let taken = self.parameters.iter().any(|p| p.name == name)
            || self.sources.iter().any(|s| s.name == name)
            || (what != "variable" && self.variables.iter().any(|v| v == name));
        if let Some(reason) = names::unusable(name) {
            let message = format!("the {what} cannot be called `{name}`: {reason}");
            self.problems.push(Problem::new(message));
        } else if taken {
            let message = format!("the name `{name}` is given twice");
            let help = "give each parameter, image and function a name of its own";
            self.problems.push(Problem::new(message).help(help));
        }
    }

    /// The variable with this name. Variables have values only in the domain of a function.
    pub fn variable(&mut self, name: &str) -> Variable {
        let known = self.variables.iter().position(|v| v == name);
        let index = known.unwrap_or_else(|| {
            self.check_name("variable", name);
            self.variables.push(name.to_owned());
            self.variables.len() - 1
        });
        Variable {
            pipeline: self.number,
            index: index as u32,
        }
    }

    /// Several variables: `let [x, y] = p.variables(["x", "y"])`.
    pub fn variables<const N: usize>(&mut self, names: [&str; N]) -> [Variable; N] {
        names.map(|name| self.variable(name))
    }

    /// A size, given with every call: an `int`, at least 1.
    pub fn parameter(&mut self, name: &str) -> Parameter {
        self.number_of(name, ScalarKind::I32)
    }

    /// Several sizes.
    pub fn parameters<const N: usize>(&mut self, names: [&str; N]) -> [Parameter; N] {
        names.map(|name| self.parameter(name))
    }

    /// A floating number, given with every call.
    pub fn scalar(&mut self, name: &str, kind: ScalarKind) -> Parameter {
        if !kind.is_plain_float() {
            let message = format!("the scalar `{name}` has to be F32 or F64");
            let help = "an integer is declared as a parameter; it is a C `int` of at least 1";
            self.problems.push(Problem::new(message).help(help));
        }
        self.number_of(name, kind)
    }

    fn number_of(&mut self, name: &str, kind: ScalarKind) -> Parameter {
        self.check_name("parameter", name);
        self.parameters.push(Scalar {
            name: name.to_owned(),
            kind,
        });
        Parameter {
            pipeline: self.number,
            index: self.parameters.len() as u32 - 1,
        }
    }

    /// An image with this many cells in each dimension, outermost first. Subscripts begin at 0.
    pub fn image(&mut self, name: &str, kind: ScalarKind, extents: impl Cell) -> Image {
        let extents = extents.subscripts();
        let bounds = extents.into_iter().map(|n| (Expr::int(0), n - 1)).collect();
        Image(self.field("image", name, kind, bounds, Role::Image { values: None }))
    }

    /// Promises that an image's cells are from `low` to `high`; every call checks that. What is
    /// computed from them may then be a subscript, see [`Pipeline::check`].
    pub fn promise(&mut self, image: Image, low: f64, high: f64) {
        let own = self.own(image.0);
        let good = low <= high;
        match own.and_then(|at| self.sources.get_mut(at)) {
            Some(Field {
                role: Role::Image { values },
                ..
            }) if good => *values = Some((low, high)),
            _ => {
                let message = format!("no image can have values from {low} to {high}");
                self.problems.push(Problem::new(message));
            }
        }
    }

    /// A function over a domain; [`Pipeline::define`] and its like say what its values are.
    pub fn function(
        &mut self,
        name: &str,
        kind: ScalarKind,
        domain: impl IntoIterator<Item = Interval>,
    ) -> Function {
        self.stage(name, kind, domain, false)
    }

    /// A function whose values are a result of the pipeline.
    pub fn output(
        &mut self,
        name: &str,
        kind: ScalarKind,
        domain: impl IntoIterator<Item = Interval>,
    ) -> Function {
        self.stage(name, kind, domain, true)
    }

    fn stage(
        &mut self,
        name: &str,
        kind: ScalarKind,
        domain: impl IntoIterator<Item = Interval>,
        output: bool,
    ) -> Function {
        let domain: Vec<Interval> = domain.into_iter().collect();
        let mut variables = Vec::new();
        for interval in &domain {
            if variables.contains(&interval.variable) {
                let variable = self.name_of(interval.variable);
                let message = format!("{name} has two intervals for {variable}");
                self.problems.push(Problem::of(name, message));
            }
            variables.push(interval.variable);
        }
        let bounds = domain.into_iter().map(|i| (i.lower, i.upper)).collect();
        let role = Role::Function {
            variables,
            output,
            definition: Definition::Missing,
        };
        Function(self.field("function", name, kind, bounds, role))
    }

    fn field(
        &mut self,
        what: &str,
        name: &str,
        kind: ScalarKind,
        bounds: Vec<(Expr, Expr)>,
        role: Role,
    ) -> Source {
        self.check_name(what, name);
        if kind == ScalarKind::Bool {
            let message = format!("{name} cannot have cells of type Bool");
            let help = "use U8, and `select(condition, 1, 0)` for its values";
            self.problems.push(Problem::of(name, message).help(help));
        }
        if !kind.is_on_devices() {
            let message = format!("{name} cannot have cells of type {kind:?}, which only C has");
            let help = "use F32 or F64; parts of complex numbers are functions of their own";
            self.problems.push(Problem::of(name, message).help(help));
        }
        if bounds.is_empty() {
            let message = format!("{name} has no dimensions");
            self.problems.push(Problem::of(name, message));
        }
        self.sources.push(Field {
            name: name.to_owned(),
            kind,
            role,
            bounds,
        });
        Source {
            pipeline: self.number,
            index: self.sources.len() as u32 - 1,
        }
    }

    /// Says what a function's values are, in all of its domain.
    pub fn define(&mut self, function: Function, value: impl Into<Expr>) {
        self.give(function, Definition::Cases(vec![otherwise(value)]));
    }

    /// Says what a function's values are, case by case. No cell may belong to two cases. A cell
    /// of no case has no value, and must not be read; in an output it stays as it was.
    pub fn cases(&mut self, function: Function, cases: impl IntoIterator<Item = Case>) {
        self.give(function, Definition::Cases(cases.into_iter().collect()));
    }

    /// Says that a function's cells begin as `initial`, and are then updated for all values of
    /// some variables, in the order of the intervals. A later interval's bounds may depend on
    /// earlier variables.
    pub fn accumulate(
        &mut self,
        function: Function,
        initial: impl Into<Expr>,
        over: impl IntoIterator<Item = Interval>,
        updates: impl IntoIterator<Item = Update>,
    ) {
        let reduction = Reduction {
            initial: initial.into(),
            over: over.into_iter().collect(),
            updates: updates.into_iter().collect(),
        };
        self.give(function, Definition::Reduction(reduction));
    }

    /// Says that each of a function's cells is `initial` combined with `value` for all values of
    /// the variables in `over`.
    pub fn reduce(
        &mut self,
        function: Function,
        combine: Combine,
        initial: impl Into<Expr>,
        over: impl IntoIterator<Item = Interval>,
        value: impl Into<Expr>,
    ) {
        let Some(field) = self.own(function.0).map(|at| &self.sources[at]) else {
            return self.give(function, Definition::Missing);
        };
        let mut all: Vec<Interval> = Vec::new();
        if let Role::Function { variables, .. } = &field.role {
            for (variable, (lower, upper)) in variables.iter().zip(&field.bounds) {
                all.push(variable.over(lower, upper));
            }
        }
        let cell: Vec<Expr> = all.iter().map(|i| i.variable.into()).collect();
        all.extend(over);
        self.accumulate(function, initial, all, [update(combine, cell, value)]);
    }

    fn give(&mut self, function: Function, definition: Definition) {
        let Some(at) = self.own(function.0) else {
            let message = "a function of another pipeline is defined in this one";
            return self.problems.push(Problem::new(message));
        };
        let field = &mut self.sources[at];
        let name = field.name.clone();
        if let Role::Function {
            definition: place, ..
        } = &mut field.role
        {
            match place {
                Definition::Missing => *place = definition,
                _ => {
                    let message = format!("{name} is defined twice");
                    self.problems.push(Problem::of(&name, message));
                }
            }
        }
    }

    /// What may be taken for granted of the parameters; every call checks it.
    pub fn assume(&mut self, condition: Condition) {
        self.assumptions.push(condition);
    }

    pub(super) fn own(&self, source: Source) -> Option<usize> {
        let at = source.index as usize;
        (source.pipeline == self.number && at < self.sources.len()).then_some(at)
    }

    pub(super) fn name_of(&self, variable: Variable) -> &str {
        let own = variable.pipeline == self.number;
        let name = self.variables.get(variable.index as usize);
        name.filter(|_| own).map_or("?", String::as_str)
    }
}
