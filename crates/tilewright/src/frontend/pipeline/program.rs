//! A pipeline as a C program, with what a caller has to know and a way back from what the compiler
//! says of the C text.

use super::builder::{Definition, Pipeline, Role};
use super::expression::{Condition, Expr, Math, NodeKind, Test};
use super::print;
use super::text::Style;
use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::pipeline::checks::problem::{Problem, Problems};
use crate::scop::{BinaryOp, ScalarKind, UnaryOp};
use crate::source::{Source, Span};
use std::ops::RangeInclusive;

/// What sizes may be, and extents of arrays: numbers of a C `int`.
pub const SIZES: RangeInclusive<i64> = 1..=i32::MAX as i64;

/// A checked pipeline as C.
#[derive(Clone, Debug)]
pub struct Program {
    pipeline: Pipeline,
    source: Source,
    places: Vec<(Span, usize)>,
    /// Of every image and function, in the pipeline's own order.
    extents: Vec<Vec<Expr>>,
    /// The numbers of [`Program::arrays`] in that order.
    own: Vec<usize>,
    /// Scalar arguments, in the order of the C function's; the arrays follow them.
    pub scalars: Vec<ScalarArgument>,
    /// Outputs, then images, in the order of the C function's arguments.
    pub arrays: Vec<ArrayArgument>,
}

/// A scalar that every call gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScalarArgument {
    /// Its name.
    pub name: String,
    /// [`ScalarKind::I32`] for sizes, or a floating type.
    pub kind: ScalarKind,
}

/// What happens to an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// It is read.
    Input,
    /// It is written; cells of no case stay as they were.
    Output,
}

/// An array that every call gives.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayArgument {
    /// Its name.
    pub name: String,
    /// Type of its cells.
    pub kind: ScalarKind,
    /// Read or written.
    pub direction: Direction,
    /// How many dimensions it has.
    pub dimensions: usize,
    /// Extents as text, outermost first.
    pub extents: Vec<String>,
    /// Least and greatest value that its cells may have, where that was promised.
    pub values: Option<(f64, f64)>,
}

impl Pipeline {
    /// Checks the pipeline and writes it as C.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn program(&self) -> Result<Program, Problems> {
        let checked = self.checked()?;
        let printed = print::print(&checked);
        let name = format!("{}.c", self.name);
        // The only comment is the first line, and nothing else is left to the preprocessor.
        let (_, without_comment) = printed.text.split_once('\n').unwrap_or_default();
        let source = Source {
            preprocessed: format!("# 2 \"{name}\"\n{without_comment}"),
            name,
            text: printed.text,
            ..Source::default()
        };
        let scalars = self.parameters.iter().map(|p| ScalarArgument {
            name: p.name.clone(),
            kind: p.kind,
        });
        let array = |at: usize| {
            let field = &self.sources[at];
            let (direction, values) = match field.role {
                Role::Image { values } => (Direction::Input, values),
                Role::Function { .. } => (Direction::Output, None),
            };
            ArrayArgument {
                name: field.name.clone(),
                kind: field.kind,
                direction,
                dimensions: field.bounds.len(),
                extents: self.extents(field).iter().map(|e| self.show(e)).collect(),
                values,
            }
        };
        Ok(Program {
            source,
            places: printed.places,
            extents: self
                .sources
                .iter()
                .map(|field| self.extents(field))
                .collect(),
            own: self.arrays(),
            scalars: scalars.collect(),
            arrays: self.arrays().into_iter().map(array).collect(),
            pipeline: self.clone(),
        })
    }
}

impl Program {
    /// The C text, with one marked region, ready to be compiled.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The pipeline's name.
    pub fn name(&self) -> &str {
        &self.pipeline.name
    }

    /// What the compiler says of the C text, in the user's terms: about the function that the
    /// place belongs to, and without C. Of a plan that would change values it gives the example.
    pub fn problem(&self, diagnostic: &Diagnostic) -> Problem {
        let label = diagnostic.labels.iter().find(|label| label.primary);
        let subject = label.and_then(|label| self.function_at(label.start));
        let about = match subject {
            Some(name) => format!("function {name}: "),
            None => format!("pipeline {}: ", self.pipeline.name),
        };
        let mut message = format!("{about}{}", diagnostic.message);
        if diagnostic.code == Code::IllegalPlan.name() {
            message += &format!(": {}", diagnostic.notes.join(", "));
        }
        Problem {
            subject: subject.map(str::to_owned),
            message: self.in_own_words(&message),
            help: None,
        }
    }

    /// The function whose values are computed at this place of the C text.
    pub fn function_at(&self, place: usize) -> Option<&str> {
        let inside = |(span, _): &&(Span, usize)| (span.start..span.end).contains(&place);
        let (_, at) = self.places.iter().find(inside)?;
        Some(&self.pipeline.sources[*at].name)
    }

    /// Whether an image, a function or a parameter is called so.
    pub(super) fn is_a_name(&self, text: &str) -> bool {
        let mut parameters = self.scalars.iter().map(|scalar| &scalar.name);
        let mut sources = self.pipeline.sources.iter().map(|field| &field.name);
        parameters.any(|name| name == text) || sources.any(|name| name == text)
    }

    /// The extents of the array argument with this number, for values of the scalars (floating
    /// ones are not looked at), outermost first.
    ///
    /// # Errors
    /// Why there is no such array.
    pub fn extents(&self, array: usize, scalars: &[i64]) -> Result<Vec<usize>, Problem> {
        match self.own.get(array) {
            Some(&at) => self.extents_of(at, scalars),
            None => Err(Problem::new(format!(
                "there is no array with number {array}"
            ))),
        }
    }

    fn extents_of(&self, at: usize, scalars: &[i64]) -> Result<Vec<usize>, Problem> {
        let field = &self.pipeline.sources[at];
        let mut bytes = field.kind.bytes() as i64;
        let mut extents = Vec::new();
        for extent in &self.extents[at] {
            let value = evaluate(extent, scalars);
            let size = value.filter(|n| SIZES.contains(n));
            let total = size.and_then(|n| bytes.checked_mul(n));
            let (Some(size), Some(total)) = (size, total) else {
                let (name, sizes) = (&field.name, self.sizes(scalars));
                let text = self.pipeline.show(extent);
                let message = match value {
                    Some(value) if value < 1 => {
                        format!("{name} would have {value} cells ({text}) in a dimension {sizes}")
                    }
                    _ => format!("{name} would be too large {sizes}"),
                };
                return Err(Problem::of(name, message));
            };
            bytes = total;
            extents.push(size as usize);
        }
        Ok(extents)
    }

    fn sizes(&self, scalars: &[i64]) -> String {
        let given = self.scalars.iter().zip(scalars);
        let sizes = given.filter(|(scalar, _)| scalar.kind == ScalarKind::I32);
        let list: Vec<String> = sizes
            .map(|(s, value)| format!("{} = {value}", s.name))
            .collect();
        if list.is_empty() {
            String::new()
        } else {
            format!("for {}", list.join(", "))
        }
    }

    /// Checks what was taken for granted: sizes are positive, arrays have cells, assumptions hold.
    ///
    /// # Errors
    /// What does not hold.
    pub fn check_sizes(&self, scalars: &[i64]) -> Result<(), Problem> {
        for (scalar, &value) in self.scalars.iter().zip(scalars) {
            if scalar.kind == ScalarKind::I32 && !SIZES.contains(&value) {
                let (name, least, most) = (&scalar.name, SIZES.start(), SIZES.end());
                let message = format!("{name} has to be from {least} to {most}, not {value}");
                return Err(Problem::new(message));
            }
        }
        for at in 0..self.pipeline.sources.len() {
            self.extents_of(at, scalars)?;
            self.check_loops(at, scalars)?;
        }
        for condition in &self.pipeline.assumptions {
            if holds(condition, scalars) != Some(true) {
                let text = self.pipeline.condition(condition, &Style::Message, 0);
                let message = format!(
                    "the assumption {text} does not hold {}",
                    self.sizes(scalars)
                );
                return Err(Problem::new(message));
            }
        }
        Ok(())
    }

    /// The variables of loops are `int`, and take one more value than their domain has.
    fn check_loops(&self, at: usize, scalars: &[i64]) -> Result<(), Problem> {
        let field = &self.pipeline.sources[at];
        let mut bounds: Vec<&Expr> = field.bounds.iter().flat_map(|(a, b)| [a, b]).collect();
        if let Role::Function {
            definition: Definition::Reduction(reduction),
            ..
        } = &field.role
        {
            let over = reduction.over.iter().flat_map(|i| [&i.lower, &i.upper]);
            bounds.extend(over.filter(|bound| self.pipeline.is_of_sizes_only(bound)));
        }
        for bound in bounds {
            let ints = i64::from(i32::MIN)..i64::from(i32::MAX);
            if evaluate(bound, scalars).is_none_or(|value| !ints.contains(&value)) {
                let (name, sizes) = (&field.name, self.sizes(scalars));
                let message = format!(
                    "{name} would be too large {sizes}: {} leaves the range of an int",
                    self.pipeline.show(bound)
                );
                return Err(Problem::of(name, message));
            }
        }
        Ok(())
    }

    /// The size with which an array has this extent, where one size follows from one extent.
    pub fn size_from_extent(
        &self,
        array: usize,
        dimension: usize,
        extent: usize,
    ) -> Option<(usize, i64)> {
        let expression = self.extents[*self.own.get(array)?].get(dimension)?;
        let extent = i64::try_from(extent).ok()?;
        let (size, offset) = match expression.kind() {
            NodeKind::Parameter(size) => (size, 0),
            NodeKind::Binary(operator, a, b) => match (operator, a.kind(), b.kind()) {
                (BinaryOp::Add, NodeKind::Parameter(size), NodeKind::Int(n)) => (size, *n),
                (BinaryOp::Sub, NodeKind::Parameter(size), NodeKind::Int(n)) => (size, -n),
                _ => return None,
            },
            _ => return None,
        };
        Some((size.index as usize, extent.checked_sub(offset)?))
    }
}

/// The value of an expression of numbers and sizes, as C computes it; `None` where it has none, a
/// value on the way to it that does not fit its C type included.
fn evaluate(expression: &Expr, scalars: &[i64]) -> Option<i64> {
    Some(typed(expression, scalars)?.0)
}

/// The same, and whether C computes it in a type of 64 bits.
fn typed(expression: &Expr, scalars: &[i64]) -> Option<(i64, bool)> {
    let fits = |value: i64| i32::try_from(value).is_ok();
    let (value, wide) = match expression.kind() {
        NodeKind::Int(value) => (*value, !fits(*value)),
        NodeKind::Parameter(parameter) => (*scalars.get(parameter.index as usize)?, false),
        NodeKind::Unary(UnaryOp::Minus, a) => {
            let (a, wide) = typed(a, scalars)?;
            (a.checked_neg()?, wide)
        }
        NodeKind::Cast(kind, a) => (evaluate(a, scalars)?, kind.bytes() > 4),
        NodeKind::Binary(operator, a, b) => {
            let ((a, first), (b, second)) = (typed(a, scalars)?, typed(b, scalars)?);
            let value = match operator {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                BinaryOp::Div => a.checked_div(b),
                BinaryOp::Rem => a.checked_rem(b),
                _ => None,
            };
            (value?, first || second)
        }
        NodeKind::Math(function, parts) => {
            let [a, b] = &parts[..] else { return None };
            let ((a, first), (b, second)) = (typed(a, scalars)?, typed(b, scalars)?);
            let value = match function {
                Math::Min => a.min(b),
                Math::Max => a.max(b),
                _ => return None,
            };
            (value, first || second)
        }
        NodeKind::Select(condition, a, b) => {
            if holds(condition, scalars)? {
                typed(a, scalars)?
            } else {
                typed(b, scalars)?
            }
        }
        _ => return None,
    };
    (wide || fits(value)).then_some((value, wide))
}

fn holds(condition: &Condition, scalars: &[i64]) -> Option<bool> {
    Some(match condition.test() {
        Test::Compare(operator, a, b) => {
            let (a, b) = (evaluate(a, scalars)?, evaluate(b, scalars)?);
            match operator {
                BinaryOp::Less => a < b,
                BinaryOp::LessEqual => a <= b,
                BinaryOp::Greater => a > b,
                BinaryOp::GreaterEqual => a >= b,
                BinaryOp::Equal => a == b,
                BinaryOp::NotEqual => a != b,
                _ => return None,
            }
        }
        Test::And(a, b) => holds(a, scalars)? && holds(b, scalars)?,
        Test::Or(a, b) => holds(a, scalars)? || holds(b, scalars)?,
        Test::Not(a) => !holds(a, scalars)?,
        Test::TooLarge => return None,
    })
}
