//! Values in place of variables, and which parts of an expression are computed more than once.

use crate::frontend::pipeline::affine::constant;
use crate::frontend::pipeline::builder::Pipeline;
use crate::frontend::pipeline::checks::check::walk;
use crate::frontend::pipeline::expression::{Condition, Expr, NodeKind, Test, Variable};
use crate::frontend::pipeline::nest::Loop;
use crate::frontend::pipeline::values::kinds::Kind;
use crate::plan::defaults::SHARED_OPERATIONS;
use crate::scop::BinaryOp;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Puts values in place of variables. What is shared stays shared.
pub(crate) struct Replacer<'a> {
    pipeline: &'a Pipeline,
    values: &'a BTreeMap<Variable, Expr>,
    /// Variables that are never negative where the expressions are computed.
    natural: Vec<Variable>,
    known: HashMap<usize, Expr>,
}

impl<'a> Replacer<'a> {
    /// For what is computed in `loops`, or for expressions without divisions.
    pub fn new(
        pipeline: &'a Pipeline,
        values: &'a BTreeMap<Variable, Expr>,
        loops: &[Loop],
    ) -> Replacer<'a> {
        let from_zero = |l: &&Loop| constant(&l.lower).is_some_and(|lower| lower >= 0);
        let natural = loops.iter().filter(from_zero).map(|l| l.variable);
        Replacer {
            pipeline,
            values,
            natural: natural.collect(),
            known: HashMap::new(),
        }
    }

    pub fn expression(&mut self, expression: &Expr) -> Expr {
        if self.values.is_empty() {
            return expression.clone();
        }
        if let Some(known) = self.known.get(&expression.address()) {
            return known.clone();
        }
        let new = self.replaced(expression);
        self.known.insert(expression.address(), new.clone());
        new
    }

    fn all(&mut self, parts: &[Expr]) -> Vec<Expr> {
        parts.iter().map(|e| self.expression(e)).collect()
    }

    fn replaced(&mut self, expression: &Expr) -> Expr {
        let kind = match expression.kind() {
            NodeKind::Int(_)
            | NodeKind::Float(..)
            | NodeKind::Parameter(_)
            | NodeKind::TooLarge => {
                return expression.clone();
            }
            NodeKind::Variable(variable) => {
                return self.values.get(variable).unwrap_or(expression).clone();
            }
            NodeKind::Read(source, parts) => NodeKind::Read(*source, self.all(parts)),
            NodeKind::Math(function, parts) => NodeKind::Math(*function, self.all(parts)),
            NodeKind::Unary(operator, a) => NodeKind::Unary(*operator, self.expression(a)),
            NodeKind::Cast(kind, a) => NodeKind::Cast(*kind, self.expression(a)),
            NodeKind::Binary(operator, a, b) => {
                let (a, b) = (self.expression(a), self.expression(b));
                let divisor = constant(&b).filter(|_| self.pipeline.is_affine(&a));
                let quotient = divisor.and_then(|by| self.pipeline.quotient(&a, by, &self.natural));
                match (operator, quotient) {
                    (BinaryOp::Div, Some((quotient, _))) => return quotient,
                    (BinaryOp::Rem, Some((_, rest))) => return Expr::int(rest),
                    (BinaryOp::Add | BinaryOp::Sub, _)
                        if self.pipeline.is_affine(&a) && self.pipeline.is_affine(&b) =>
                    {
                        let sum = Expr::new(NodeKind::Binary(*operator, a, b));
                        return self.pipeline.simple(&sum);
                    }
                    _ => NodeKind::Binary(*operator, a, b),
                }
            }
            NodeKind::Select(condition, a, b) => {
                let condition = self.condition(condition);
                NodeKind::Select(condition, self.expression(a), self.expression(b))
            }
        };
        Expr::new(kind)
    }

    pub fn condition(&mut self, condition: &Condition) -> Condition {
        if self.values.is_empty() {
            return condition.clone();
        }
        Condition::new(match condition.test() {
            Test::Compare(operator, a, b) => {
                Test::Compare(*operator, self.expression(a), self.expression(b))
            }
            Test::And(a, b) => Test::And(self.condition(a), self.condition(b)),
            Test::Or(a, b) => Test::Or(self.condition(a), self.condition(b)),
            Test::Not(a) => Test::Not(self.condition(a)),
            Test::TooLarge => return condition.clone(),
        })
    }
}

impl Pipeline {
    /// What an expression always computes, and at least once more: worth a variable of its own.
    /// Inner ones first. Cells, what is affine, and a few operations are not: C compilers find
    /// these themselves, and a statement without variables is what can be inlined.
    pub(crate) fn shared(&self, expression: &Expr) -> Vec<Expr> {
        let mut uses: HashMap<usize, usize> = HashMap::new();
        let mut seen = Vec::new();
        count(expression, &mut uses, &mut seen);
        let mut always = Vec::new();
        unconditional(expression, &mut always);
        seen.retain(|e| {
            let composed = !matches!(e.kind(), NodeKind::Read(..));
            let twice = uses[&e.address()] > 1;
            twice && composed && always.contains(&e.address()) && !self.is_affine(e) && {
                let (mut varies, mut operations, mut calls) = (false, 0, false);
                walk(e, &mut |part| match part.kind() {
                    NodeKind::Read(..) | NodeKind::Variable(_) => varies = true,
                    NodeKind::Math(function, _) => {
                        calls |= function.is_of_library();
                        operations += 1;
                    }
                    NodeKind::Unary(..) | NodeKind::Binary(..) | NodeKind::Select(..) => {
                        operations += 1;
                    }
                    _ => {}
                });
                varies && (calls || operations >= SHARED_OPERATIONS)
            }
        });
        seen
    }
}

impl Pipeline {
    /// The largest parts of an expression that are the same for all cells and call functions of
    /// C's library, which C compilers do not move out of loops. Nothing in them can go wrong, so
    /// that they may be computed whether or not conditions need them.
    pub(crate) fn invariants(&self, expression: &Expr) -> Vec<Expr> {
        let mut known = HashMap::new();
        self.invariance(expression, &mut known);
        let mut seen = HashSet::new();
        let mut pending = vec![expression];
        let mut found = Vec::new();
        while let Some(e) = pending.pop() {
            if !seen.insert(e.address()) {
                continue;
            }
            let Invariance { same, calls } = known[&e.address()];
            if same && calls && self.is_float(e) {
                found.push(e.clone())
            } else {
                pending.extend(parts(e, true))
            }
        }
        found
    }

    fn invariance(&self, expression: &Expr, known: &mut HashMap<usize, Invariance>) -> Invariance {
        if let Some(&known) = known.get(&expression.address()) {
            return known;
        }
        let mut whole = Invariance {
            same: match expression.kind() {
                NodeKind::Read(..) | NodeKind::Variable(_) | NodeKind::TooLarge => false,
                // Integers must not be divided by 0.
                NodeKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => self.is_float(expression),
                _ => true,
            },
            calls: match expression.kind() {
                NodeKind::Math(function, _) => function.is_of_library(),
                _ => false,
            },
        };
        for part in parts(expression, true) {
            let part = self.invariance(part, known);
            whole.same &= part.same;
            whole.calls |= part.calls;
        }
        known.insert(expression.address(), whole);
        whole
    }

    /// Whether an expression has a floating type whatever it meets.
    fn is_float(&self, expression: &Expr) -> bool {
        let kind = self.kind_of(expression);
        kind.is_ok_and(|kind| matches!(kind, Kind::Known(kind) if kind.is_float()))
    }
}

/// What is known of a part of an expression.
#[derive(Clone, Copy)]
struct Invariance {
    /// It has the same value for all cells, and can be computed without harm.
    same: bool,
    /// It calls functions of C's library.
    calls: bool,
}

/// Counts how often each part is used, without looking into it again; `seen` gets the parts,
/// inner ones first.
fn count(expression: &Expr, uses: &mut HashMap<usize, usize>, seen: &mut Vec<Expr>) {
    let times = uses.entry(expression.address()).or_default();
    *times += 1;
    if *times > 1 {
        return;
    }
    for part in parts(expression, true) {
        count(part, uses, seen);
    }
    seen.push(expression.clone());
}

/// Parts that are computed whatever conditions say.
fn unconditional(expression: &Expr, found: &mut Vec<usize>) {
    if found.contains(&expression.address()) {
        return;
    }
    found.push(expression.address());
    for part in parts(expression, false) {
        unconditional(part, found);
    }
}

/// What is right below an expression; with the two sides of `select`, or only its condition.
fn parts(expression: &Expr, both_sides: bool) -> Vec<&Expr> {
    match expression.kind() {
        NodeKind::Int(_)
        | NodeKind::Float(..)
        | NodeKind::Variable(_)
        | NodeKind::Parameter(_)
        | NodeKind::TooLarge => Vec::new(),
        NodeKind::Read(_, parts) | NodeKind::Math(_, parts) => parts.iter().collect(),
        NodeKind::Unary(_, a) | NodeKind::Cast(_, a) => vec![a],
        NodeKind::Binary(_, a, b) => vec![a, b],
        NodeKind::Select(condition, a, b) => {
            let mut parts = Vec::new();
            if both_sides {
                crate::frontend::pipeline::checks::check::compared(condition, &mut parts)
            } else {
                first_compared(condition, &mut parts)
            }
            if both_sides {
                parts.extend([a, b]);
            }
            parts
        }
    }
}

/// What a condition compares before it may be decided.
fn first_compared<'e>(condition: &'e Condition, found: &mut Vec<&'e Expr>) {
    match condition.test() {
        Test::Compare(_, a, b) => found.extend([a, b]),
        Test::And(a, _) | Test::Or(a, _) | Test::Not(a) => first_compared(a, found),
        Test::TooLarge => {}
    }
}
