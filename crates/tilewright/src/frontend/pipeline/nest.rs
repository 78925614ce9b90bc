//! Which loops run over a case of a function: bounds and steps as far as its condition says them,
//! the rest as guards.

use super::affine::{Formulas, constant};
use super::builder::{Case, Pipeline};
use super::expression::{Condition, Expr, NodeKind, Test, Variable};
use crate::frontend::pipeline::checks::check::{compared, walk};
use crate::frontend::pipeline::values::replace::Replacer;
use crate::scop::BinaryOp;
use std::collections::BTreeMap;

/// One loop: from `lower` to `upper`, both included.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub variable: Variable,
    pub lower: Expr,
    pub upper: Expr,
    pub step: i64,
}

/// Loops, outermost first, and what has to hold inside.
#[derive(Clone, Debug, Default)]
pub(super) struct Nest {
    pub loops: Vec<Loop>,
    pub guards: Vec<Condition>,
    /// What stands for a variable in the statements inside: a value, where it has only one, or
    /// `2 * j + 1`, where the loop counts the odd ones.
    pub values: BTreeMap<Variable, Expr>,
}

impl Nest {
    /// A nest of loops, without those that run once.
    pub fn new(pipeline: &Pipeline, loops: Vec<Loop>) -> Nest {
        let mut nest = Nest::default();
        for this in loops {
            match pipeline.number_of_difference(&this.upper, &this.lower) {
                Some(0) => {
                    nest.values.insert(this.variable, this.lower);
                }
                _ => nest.loops.push(this),
            }
        }
        nest
    }
}

impl Pipeline {
    /// The nests that run over the cells of a case with this number.
    pub(super) fn nests(&self, domain: &[Loop], cases: &[Case], number: usize) -> Vec<Nest> {
        if let Some(condition) = &cases[number].condition {
            return match condition.test() {
                Test::Not(other) => self.outside(domain, &[other]),
                _ => {
                    let narrowed = self.narrowed(domain, condition);
                    let mut nest = Nest::new(self, narrowed.loops);
                    nest.guards = narrowed.guards;
                    // A loop over periods may run only once.
                    let once = nest.values.clone();
                    let mut in_once = Replacer::new(self, &once, &[]);
                    for (variable, value) in narrowed.values {
                        nest.values.insert(variable, in_once.expression(&value));
                    }
                    vec![nest]
                }
            };
        }
        let others: Vec<&Condition> = cases.iter().filter_map(|c| c.condition.as_ref()).collect();
        self.outside(domain, &others)
    }

    /// The nests that run over the cells for which none of the conditions holds.
    fn outside(&self, domain: &[Loop], others: &[&Condition]) -> Vec<Nest> {
        if let [other] = others {
            let inside = self.narrowed(domain, other);
            let is_box = inside.loops.iter().all(|l| l.step == 1) && inside.values.is_empty();
            if inside.guards.is_empty() && is_box {
                return self.around(domain, &inside.loops);
            }
        }
        vec![Nest {
            guards: others.iter().map(|&c| !c.clone()).collect(),
            ..Nest::new(self, domain.to_vec())
        }]
    }

    /// The cells of `domain` outside of the box `inside`, as boxes.
    fn around(&self, domain: &[Loop], inside: &[Loop]) -> Vec<Nest> {
        let mut nests = Vec::new();
        for at in 0..domain.len() {
            let (whole, part) = (&domain[at], &inside[at]);
            let below = (whole.lower.clone(), self.simple(&(&part.lower - 1)));
            let above = (self.simple(&(&part.upper + 1)), whole.upper.clone());
            // For some sizes the box may lie beside the domain.
            let inside_domain = [
                self.never(domain, below.1.clone().gt(&whole.upper)),
                self.never(domain, above.0.clone().lt(&whole.lower)),
            ];
            let ends = [
                whole.variable.le(&whole.upper),
                whole.variable.ge(&whole.lower),
            ];
            let parts = [below, above].into_iter().zip(ends).zip(inside_domain);
            for (((lower, upper), end), is_inside) in parts {
                if self
                    .number_of_difference(&upper, &lower)
                    .is_some_and(|n| n < 0)
                {
                    continue;
                }
                let mut loops = inside[..at].to_vec();
                loops.push(Loop {
                    lower,
                    upper,
                    ..whole.clone()
                });
                loops.extend_from_slice(&domain[at + 1..]);
                let mut nest = Nest::new(self, loops);
                nest.guards.extend((!is_inside).then_some(end));
                nests.push(nest);
            }
        }
        nests
    }

    /// Whether a condition holds for no sizes for which the domain has cells.
    fn never(&self, domain: &[Loop], condition: Condition) -> bool {
        let ends = domain.iter().map(|l| l.lower.clone().le(&l.upper));
        let all = ends.fold(condition, Condition::and);
        let formula = Formulas::new(self).condition(&all);
        formula.is_some_and(|formula| self.is_impossible(&formula).unwrap_or(false))
    }

    /// The domain narrowed to a condition, with all its loops.
    fn narrowed(&self, domain: &[Loop], condition: &Condition) -> Nest {
        let mut nest = Nest {
            loops: domain.to_vec(),
            ..Nest::default()
        };
        let mut parts = Vec::new();
        conjuncts(condition, &mut parts);
        // Steps begin where bounds say.
        parts.sort_by_key(|part| match part.test() {
            Test::Compare(_, a, _) => matches!(a.kind(), NodeKind::Binary(BinaryOp::Rem, ..)),
            _ => false,
        });
        for part in parts {
            if self.narrow(&mut nest, part).is_none() {
                nest.guards.push(part.clone());
            }
        }
        nest
    }

    /// Puts one condition into the bounds, where that can be done.
    fn narrow(&self, nest: &mut Nest, condition: &Condition) -> Option<()> {
        use BinaryOp::*;
        let Test::Compare(operator, a, b) = condition.test() else {
            return None;
        };
        if let (NodeKind::Binary(Rem, of, by), Equal) = (a.kind(), operator) {
            return self.step(nest, of, constant(by)?, constant(b)?);
        }
        let (variable, operator, bound) = match (a.kind(), b.kind()) {
            (NodeKind::Variable(variable), _) => (*variable, *operator, b),
            (_, NodeKind::Variable(variable)) => {
                let mirrored = match operator {
                    Less => Greater,
                    LessEqual => GreaterEqual,
                    Greater => Less,
                    GreaterEqual => LessEqual,
                    other => *other,
                };
                (*variable, mirrored, a)
            }
            _ => return None,
        };
        let mut has_variable = false;
        walk(bound, &mut |e| {
            has_variable |= matches!(e.kind(), NodeKind::Variable(_))
        });
        let target = nest.loops.iter_mut().find(|l| l.variable == variable)?;
        if has_variable || target.step != 1 {
            return None;
        }
        let (lower, upper) = match operator {
            GreaterEqual => (Some(bound.clone()), None),
            Greater => (Some(bound + 1), None),
            LessEqual => (None, Some(bound.clone())),
            Less => (None, Some(bound - 1)),
            Equal => (Some(bound.clone()), Some(bound.clone())),
            _ => return None,
        };
        // Loop variables are of type `int`.
        let is_int = |bound: &Expr| match constant(bound) {
            Some(number) => i32::try_from(number).is_ok(),
            None => true,
        };
        if ![&lower, &upper].into_iter().flatten().all(is_int) {
            return None;
        }
        // Both or none.
        let mut narrower = target.clone();
        if let Some(lower) = lower {
            match self.number_of_difference(&lower, &target.lower)? {
                0.. => narrower.lower = self.simple(&lower),
                _ if matches!(operator, Equal) => return None,
                _ => {}
            }
        }
        if let Some(upper) = upper {
            match self.number_of_difference(&target.upper, &upper) {
                Some(0..) => narrower.upper = self.simple(&upper),
                Some(_) if matches!(operator, Equal) => return None,
                Some(_) => {}
                // A number is a bound of its own: it is inside the domain, or the case is empty
                // and so is the loop up to the domain's end.
                None => return None,
            }
        }
        *target = narrower;
        Some(())
    }

    /// `of % by == rest`: a loop over the periods, where the domain consists of whole ones, and
    /// else a step, if the loop is the innermost.
    fn step(&self, nest: &mut Nest, of: &Expr, by: i64, rest: i64) -> Option<()> {
        let NodeKind::Variable(variable) = of.kind() else {
            return None;
        };
        let innermost = nest.loops.len().checked_sub(1)?;
        let place = nest.loops.iter().position(|l| l.variable == *variable)?;
        let target = &mut nest.loops[place];
        let lower = constant(&target.lower).filter(|lower| *lower >= 0)?;
        if target.step != 1 || by < 2 || !(0..by).contains(&rest) {
            return None;
        }
        if nest.values.contains_key(variable) {
            return None;
        }
        if let (0, Some(periods)) = (lower % by, self.divided(&(&target.upper + 1), by)) {
            target.lower = Expr::int(lower / by);
            target.upper = self.simple(&(periods - 1));
            let value = match rest {
                0 => by * *variable,
                _ => by * *variable + rest,
            };
            nest.values.insert(*variable, value);
            return Some(());
        }
        if place != innermost {
            return None;
        }
        target.lower = Expr::int(lower + (rest - lower).rem_euclid(by));
        target.step = by;
        Some(())
    }

    /// Whether two nests are the same loops, without conditions, so that the statements of both
    /// may stand in one.
    pub(super) fn same_loops(&self, a: &Nest, b: &Nest) -> bool {
        let same = |a: &Expr, b: &Expr| self.number_of_difference(a, b) == Some(0);
        let same = |(a, b): (&Loop, &Loop)| {
            a.variable == b.variable
                && a.step == b.step
                && same(&a.lower, &b.lower)
                && same(&a.upper, &b.upper)
        };
        a.guards.is_empty()
            && b.guards.is_empty()
            && a.loops.len() == b.loops.len()
            && a.loops.iter().zip(&b.loops).all(same)
    }
}

fn conjuncts<'c>(condition: &'c Condition, found: &mut Vec<&'c Condition>) {
    match condition.test() {
        Test::And(a, b) => {
            conjuncts(a, found);
            conjuncts(b, found);
        }
        _ => found.push(condition),
    }
}

/// How many of the loops, from outside, have to be around a condition.
pub(super) fn depth_of(condition: &Condition, loops: &[Loop]) -> usize {
    let mut parts = Vec::new();
    compared(condition, &mut parts);
    let mut depth = 0;
    for part in parts {
        walk(part, &mut |e| {
            if let NodeKind::Variable(variable) = e.kind() {
                let place = loops.iter().position(|l| l.variable == *variable);
                depth = depth.max(place.map_or(0, |place| place + 1));
            }
        });
    }
    depth
}
