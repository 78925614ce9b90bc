//! Which loops run over a case of a function: bounds and steps as far as its condition says them,
//! the rest as guards.

use super::affine::constant;
use super::builder::{Case, Pipeline};
use super::check::{compared, walk};
use super::expression::{Condition, Expr, NodeKind, Test, Variable};
use crate::scop::BinaryOp;

/// One loop: from `lower` to `upper`, both included.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub variable: Variable,
    pub lower: Expr,
    pub upper: Expr,
    pub step: i64,
}

/// Loops, outermost first, and what has to hold inside.
#[derive(Clone, Debug)]
pub(super) struct Nest {
    pub loops: Vec<Loop>,
    pub guards: Vec<Condition>,
}

impl Pipeline {
    /// The nests that run over the cells of a case with this number.
    pub(super) fn nests(&self, domain: &[Loop], cases: &[Case], number: usize) -> Vec<Nest> {
        if let Some(condition) = &cases[number].condition {
            return match condition.test() {
                Test::Not(other) => self.outside(domain, &[other]),
                _ => vec![self.narrowed(domain, condition)],
            };
        }
        let others: Vec<&Condition> = cases.iter().filter_map(|c| c.condition.as_ref()).collect();
        self.outside(domain, &others)
    }

    /// The nests that run over the cells for which none of the conditions holds.
    fn outside(&self, domain: &[Loop], others: &[&Condition]) -> Vec<Nest> {
        if let [other] = others {
            let inside = self.narrowed(domain, other);
            if inside.guards.is_empty() && inside.loops.iter().all(|l| l.step == 1) {
                return self.around(domain, &inside.loops);
            }
        }
        vec![Nest {
            loops: domain.to_vec(),
            guards: others.iter().map(|&c| !c.clone()).collect(),
        }]
    }

    /// The cells of `domain` outside of the box `inside`, as boxes.
    fn around(&self, domain: &[Loop], inside: &[Loop]) -> Vec<Nest> {
        let mut nests = Vec::new();
        for at in 0..domain.len() {
            let (whole, part) = (&domain[at], &inside[at]);
            let below = (whole.lower.clone(), self.simple(&(&part.lower - 1)));
            let above = (self.simple(&(&part.upper + 1)), whole.upper.clone());
            for (lower, upper) in [below, above] {
                let count = self.sum_of_difference(&upper, &lower);
                if count.and_then(|sum| sum.is_number()).is_some_and(|n| n < 0) {
                    continue;
                }
                let mut loops = inside[..at].to_vec();
                loops.push(Loop {
                    lower,
                    upper,
                    ..whole.clone()
                });
                loops.extend_from_slice(&domain[at + 1..]);
                nests.push(Nest {
                    loops,
                    guards: Vec::new(),
                });
            }
        }
        nests
    }

    fn narrowed(&self, domain: &[Loop], condition: &Condition) -> Nest {
        let mut nest = Nest {
            loops: domain.to_vec(),
            guards: Vec::new(),
        };
        let mut parts = Vec::new();
        conjuncts(condition, &mut parts);
        // Steps begin where bounds say.
        parts.sort_by_key(|part| match part.test() {
            Test::Compare(_, a, _) => matches!(a.kind(), NodeKind::Binary(BinaryOp::Rem, ..)),
            _ => false,
        });
        for part in parts {
            if self.narrow(&mut nest.loops, part).is_none() {
                nest.guards.push(part.clone());
            }
        }
        nest
    }

    /// Puts one condition into the bounds, where that can be done.
    fn narrow(&self, loops: &mut [Loop], condition: &Condition) -> Option<()> {
        use BinaryOp::*;
        let Test::Compare(operator, a, b) = condition.test() else {
            return None;
        };
        if let (NodeKind::Binary(Rem, of, by), Equal) = (a.kind(), operator) {
            return self.step(loops, of, constant(by)?, constant(b)?);
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
        walk(bound, &mut |e| has_variable |= matches!(e.kind(), NodeKind::Variable(_)));
        let target = loops.iter_mut().find(|l| l.variable == variable)?;
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
        // Both or none.
        let mut narrower = target.clone();
        if let Some(lower) = lower {
            match self.sum_of_difference(&lower, &target.lower)?.is_number()? {
                0.. => narrower.lower = self.simple(&lower),
                _ if matches!(operator, Equal) => return None,
                _ => {}
            }
        }
        if let Some(upper) = upper {
            match self.sum_of_difference(&target.upper, &upper)?.is_number() {
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

    /// `of % by == rest` as a step.
    fn step(&self, loops: &mut [Loop], of: &Expr, by: i64, rest: i64) -> Option<()> {
        let NodeKind::Variable(variable) = of.kind() else {
            return None;
        };
        let innermost = loops.len().checked_sub(1)?;
        let place = loops.iter().position(|l| l.variable == *variable)?;
        let target = &mut loops[place];
        let lower = constant(&target.lower).filter(|lower| *lower >= 0)?;
        if place != innermost || target.step != 1 || by < 2 || !(0..by).contains(&rest) {
            return None;
        }
        target.lower = Expr::int(lower + (rest - lower).rem_euclid(by));
        target.step = by;
        Some(())
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
