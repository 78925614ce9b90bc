//! Expressions and conditions that are affine in variables and sizes, as isl's notation.
//!
//! Sets are over `p0, p1, …` (parameters of the pipeline) and `v0, v1, …` (its variables), all as
//! set dimensions, so that the smallest example of what is wrong can be asked for.

use super::builder::Pipeline;
use super::expression::{Condition, Expr, Math, NodeKind, Test, Variable};
use crate::frontend::pipeline::values::ranges::Ranges;
use crate::scop::{BinaryOp, ScalarKind, UnaryOp};
use std::collections::BTreeMap;

/// Formulas about one piece of a pipeline; new variables for quotients are counted here.
pub(super) struct Formulas<'p> {
    pipeline: &'p Pipeline,
    fresh: usize,
    /// What stands for a variable in place of its own name.
    pub replaced: BTreeMap<Variable, String>,
}

/// An affine value: `term`, under the `facts` about the variables in `fresh`.
#[derive(Clone, Debug, Default)]
pub(super) struct Term {
    pub text: String,
    fresh: Vec<String>,
    facts: Vec<String>,
}

impl Term {
    fn plain(text: String) -> Term {
        Term {
            text,
            ..Term::default()
        }
    }

    fn with(mut self, other: &Term, text: String) -> Term {
        self.fresh.extend(other.fresh.iter().cloned());
        self.facts.extend(other.facts.iter().cloned());
        self.text = text;
        self
    }

    /// The facts of two terms, for a formula that mentions both.
    pub fn both(self, other: &Term) -> Term {
        self.with(other, String::new())
    }

    /// A formula that mentions the term's text, closed over the variables that it needs.
    pub fn close(&self, formula: String) -> String {
        if self.fresh.is_empty() {
            format!("({formula})")
        } else {
            format!(
                "(exists {} : {} and {formula})",
                self.fresh.join(", "),
                self.facts.join(" and ")
            )
        }
    }
}

impl<'p> Formulas<'p> {
    pub fn new(pipeline: &'p Pipeline) -> Formulas<'p> {
        Formulas {
            pipeline,
            fresh: 0,
            replaced: BTreeMap::new(),
        }
    }

    fn new_variable(&mut self) -> String {
        self.fresh += 1;
        format!("q{}", self.fresh)
    }

    /// An expression as an affine term; `None` where it is not affine.
    pub fn term(&mut self, expression: &Expr) -> Option<Term> {
        Some(match expression.kind() {
            NodeKind::Int(value) => Term::plain(format!("({value})")),
            NodeKind::Variable(variable) => Term::plain(match self.replaced.get(variable) {
                Some(text) => text.clone(),
                None => format!("v{}", variable.index),
            }),
            NodeKind::Parameter(parameter) => {
                let scalar = self.pipeline.scalar_of(*parameter)?;
                if scalar.kind != ScalarKind::I32 {
                    return None;
                }
                Term::plain(format!("p{}", parameter.index))
            }
            NodeKind::Unary(UnaryOp::Minus, a) => {
                let a = self.term(a)?;
                let text = format!("(-{})", a.text);
                a.with(&Term::default(), text)
            }
            NodeKind::Binary(operator, a, b) => self.binary(*operator, a, b)?,
            NodeKind::Cast(ScalarKind::I64, a) => self.term(a)?,
            NodeKind::Cast(ScalarKind::I32, a) => {
                let term = self.term(a)?;
                if Ranges::unknown(self.pipeline).of(a).fits(ScalarKind::I32) {
                    term
                } else {
                    self.wrapped(term)
                }
            }
            NodeKind::Math(function @ (Math::Min | Math::Max), arguments) => {
                let [a, b] = &arguments[..] else { return None };
                let (a, b) = (self.term(a)?, self.term(b)?);
                let less = match function {
                    Math::Min => "<=",
                    _ => ">=",
                };
                let new = self.new_variable();
                let fact = format!(
                    "(({new} = {0} and {0} {less} {1}) or ({new} = {1} and {1} {less} {0}))",
                    a.text, b.text
                );
                let mut both = a.with(&b, new.clone());
                both.fresh.push(new);
                both.facts.push(fact);
                both
            }
            NodeKind::Select(condition, a, b) => {
                let holds = self.condition(condition)?;
                let (a, b) = (self.term(a)?, self.term(b)?);
                let new = self.new_variable();
                let fact = format!(
                    "(({holds} and {new} = {}) or (not {holds} and {new} = {}))",
                    a.text, b.text
                );
                let mut both = a.with(&b, new.clone());
                both.fresh.push(new);
                both.facts.push(fact);
                both
            }
            _ => return None,
        })
    }

    /// A term as a conversion to `int` leaves it.
    fn wrapped(&mut self, term: Term) -> Term {
        let (new, times) = (self.new_variable(), self.new_variable());
        let (least, most) = (i32::MIN, i32::MAX);
        let fact = format!(
            "({new} = {} - 4294967296 * {times} and {least} <= {new} <= {most})",
            term.text
        );
        let mut term = term.with(&Term::default(), new.clone());
        term.fresh.extend([new, times]);
        term.facts.push(fact);
        term
    }

    fn binary(&mut self, operator: BinaryOp, a: &Expr, b: &Expr) -> Option<Term> {
        match operator {
            BinaryOp::Add | BinaryOp::Sub => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                let text = format!("({} {} {})", a.text, operator.spelling(), b.text);
                Some(a.with(&b, text))
            }
            BinaryOp::Mul => {
                let (factor, other) = match (self.constant(a), self.constant(b)) {
                    (Some(factor), _) => (factor, b),
                    (None, Some(factor)) => (factor, a),
                    (None, None) => return None,
                };
                let term = self.term(other)?;
                let text = format!("({factor} * {})", term.text);
                Some(term.with(&Term::default(), text))
            }
            BinaryOp::Div | BinaryOp::Rem => {
                let divisor = self.constant(b).filter(|d| *d > 0)?;
                let term = self.term(a)?;
                let quotient = self.new_variable();
                // Towards zero, as C has it.
                let fact = format!(
                    "(({0} >= 0 and {1} * {2} <= {0} < {1} * {2} + {1}) or \
                     ({0} < 0 and {1} * {2} - {1} < {0} <= {1} * {2}))",
                    term.text, divisor, quotient
                );
                let text = match operator {
                    BinaryOp::Div => quotient.clone(),
                    _ => format!("({} - {divisor} * {quotient})", term.text),
                };
                let mut term = term.with(&Term::default(), text);
                term.fresh.push(quotient);
                term.facts.push(fact);
                Some(term)
            }
            _ => None,
        }
    }

    fn constant(&self, expression: &Expr) -> Option<i64> {
        constant(expression)
    }

    /// A condition as a formula; `None` where it is not affine.
    pub fn condition(&mut self, condition: &Condition) -> Option<String> {
        Some(match condition.test() {
            Test::Compare(operator, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                let sign = match operator {
                    BinaryOp::Equal => "=",
                    BinaryOp::NotEqual => "!=",
                    other => other.spelling(),
                };
                let formula = format!("{} {sign} {}", a.text, b.text);
                a.both(&b).close(formula)
            }
            Test::And(a, b) => format!("({} and {})", self.condition(a)?, self.condition(b)?),
            Test::Or(a, b) => format!("({} or {})", self.condition(a)?, self.condition(b)?),
            Test::Not(a) => format!("(not {})", self.condition(a)?),
            Test::TooLarge => return None,
        })
    }

    /// `lower <= text <= upper`; `None` where a bound is not affine.
    pub fn between(&mut self, lower: &Expr, text: &str, upper: &Expr) -> Option<String> {
        let (lower, upper) = (self.term(lower)?, self.term(upper)?);
        let low = lower.close(format!("{} <= {text}", lower.text));
        let high = upper.close(format!("{text} <= {}", upper.text));
        Some(format!("({low} and {high})"))
    }
}

/// The value of an expression of numbers only.
pub(super) fn constant(expression: &Expr) -> Option<i64> {
    match expression.kind() {
        NodeKind::Int(value) => Some(*value),
        NodeKind::Unary(UnaryOp::Minus, a) => constant(a)?.checked_neg(),
        NodeKind::Binary(operator, a, b) => {
            let (a, b) = (constant(a)?, constant(b)?);
            match operator {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                BinaryOp::Div => a.checked_div(b),
                BinaryOp::Rem => a.checked_rem(b),
                _ => None,
            }
        }
        _ => None,
    }
}

/// An expression as a sum of atoms times numbers, and a number. Atoms are what is no sum: they
/// are told apart by their text.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum {
    atoms: Vec<(String, Expr, i64)>,
    number: i64,
}

impl Sum {
    /// The number, where there is nothing else.
    pub fn is_number(&self) -> Option<i64> {
        self.atoms.is_empty().then_some(self.number)
    }

    fn add(&mut self, pipeline: &Pipeline, expression: &Expr, factor: i64) -> Option<()> {
        match expression.kind() {
            NodeKind::Int(value) => {
                self.number = self.number.checked_add(value.checked_mul(factor)?)?;
            }
            NodeKind::Unary(UnaryOp::Minus, a) => self.add(pipeline, a, factor.checked_neg()?)?,
            NodeKind::Binary(BinaryOp::Add, a, b) => {
                self.add(pipeline, a, factor)?;
                self.add(pipeline, b, factor)?;
            }
            NodeKind::Binary(BinaryOp::Sub, a, b) => {
                self.add(pipeline, a, factor)?;
                self.add(pipeline, b, factor.checked_neg()?)?;
            }
            NodeKind::Binary(BinaryOp::Mul, a, b) => match (constant(a), constant(b)) {
                (Some(number), _) => self.add(pipeline, b, factor.checked_mul(number)?)?,
                (_, Some(number)) => self.add(pipeline, a, factor.checked_mul(number)?)?,
                _ => self.atom(pipeline, expression, factor)?,
            },
            _ => self.atom(pipeline, expression, factor)?,
        }
        Some(())
    }

    fn atom(&mut self, pipeline: &Pipeline, expression: &Expr, factor: i64) -> Option<()> {
        let text = pipeline.text(expression, ScalarKind::F32, &super::text::Style::Message, 0);
        match self.atoms.iter_mut().find(|(known, ..)| *known == text) {
            Some((_, _, times)) => *times = times.checked_add(factor)?,
            None => self.atoms.push((text, expression.clone(), factor)),
        }
        self.atoms.retain(|(_, _, times)| *times != 0);
        Some(())
    }

    fn expression(&self) -> Expr {
        let mut sum: Option<Expr> = None;
        for (_, atom, factor) in &self.atoms {
            let size = factor.unsigned_abs() as i64;
            let term = match size {
                1 => atom.clone(),
                _ => size * atom,
            };
            sum = Some(match (sum, *factor > 0) {
                (None, true) => term,
                (None, false) => -term,
                (Some(sum), true) => sum + term,
                (Some(sum), false) => sum - term,
            });
        }
        match (sum, self.number) {
            (None, number) => Expr::int(number),
            (Some(sum), 0) => sum,
            (Some(sum), number) if number > 0 => sum + number,
            (Some(sum), number) => sum - number.checked_neg().unwrap_or(i64::MAX),
        }
    }
}

impl Pipeline {
    /// Whether an expression is affine in variables and sizes.
    pub(super) fn is_affine(&self, expression: &Expr) -> bool {
        Formulas::new(self).term(expression).is_some()
    }

    /// `a - b` as a sum; `None` where numbers become too large.
    pub(super) fn sum_of_difference(&self, a: &Expr, b: &Expr) -> Option<Sum> {
        let mut sum = Sum::default();
        sum.add(self, a, 1)?;
        sum.add(self, b, -1)?;
        Some(sum)
    }

    /// `a - b`, where that is a number.
    pub(super) fn number_of_difference(&self, a: &Expr, b: &Expr) -> Option<i64> {
        self.sum_of_difference(a, b)?.is_number()
    }

    /// `a / by`, where every term of the sum can be divided.
    pub(super) fn divided(&self, a: &Expr, by: i64) -> Option<Expr> {
        let mut sum = self.sum_of_difference(a, &Expr::int(0))?;
        let divides = |n: i64| n % by == 0;
        if !divides(sum.number) || !sum.atoms.iter().all(|(_, _, times)| divides(*times)) {
            return None;
        }
        sum.number /= by;
        sum.atoms.iter_mut().for_each(|(_, _, times)| *times /= by);
        Some(sum.expression())
    }

    /// `a / by` and `a % by` without a division, where `a` is a multiple of `by` and a number from
    /// 0 up, and its variables (among those that are `natural`) and sizes cannot be negative:
    /// `(2 * j + 1) / 2` is `j`.
    pub(super) fn quotient(&self, a: &Expr, by: i64, natural: &[Variable]) -> Option<(Expr, i64)> {
        if by < 1 {
            return None;
        }
        let sum = self.sum_of_difference(a, &Expr::int(0))?;
        let rest = sum.number.rem_euclid(by);
        let positive = |(_, atom, times): &(String, Expr, i64)| {
            let natural = match atom.kind() {
                NodeKind::Variable(variable) => natural.contains(variable),
                NodeKind::Parameter(_) => true,
                _ => false,
            };
            natural && *times > 0
        };
        if rest != 0 && (sum.number < 0 || !sum.atoms.iter().all(positive)) {
            return None;
        }
        Some((self.divided(&(a - rest), by)?, rest))
    }

    /// `a - b`, with what cancels left out.
    pub(super) fn difference(&self, a: &Expr, b: &Expr) -> Expr {
        match self.sum_of_difference(a, b) {
            Some(sum) => sum.expression(),
            None => a - b,
        }
    }

    /// An expression with sums put together: `n + 1 - 1` is `n`.
    pub(super) fn simple(&self, a: &Expr) -> Expr {
        self.difference(a, &Expr::int(0))
    }
}
