//! Index arithmetic of 32 bits: for which sizes it gives what 64 bits give.
//!
//! Index expressions have constant factors, so that with a bound on the parameters interval
//! arithmetic bounds every one of their operands: loop variables lie between the bounds of their
//! loops, or, before a test fails, beyond them by a step of all threads. The largest power of two
//! that the parameters may have for everything to fit is found here ([`Narrow`]); the host compares
//! before the first launch, and launches kernels with 64 bits where they are larger.
//!
//! What is added up last, the number of an element in its array, is not looked at: it is below the
//! number of elements, and so are its parts, as every index is inside its dimension. The host
//! compares that number, too ([`MOST_CELLS`]).
//!
//! Kernels whose bounds or conditions are data stay with 64 bits: nothing bounds them.

use crate::codegen::gpu::program::{BlockNode, DeviceKernel, GridLoop, HostNode};
use crate::codegen::kernel::{Index, Node, PlaceIndex};
use crate::plan::defaults::{NARROW_LEAST, NARROW_MOST};
use crate::scop::ParamId;
use std::collections::BTreeSet;

/// Elements that an array may have whose indices have 32 bits: half of what would do.
pub const MOST_CELLS: i64 = 1 << 30;

/// With which sizes a kernel's indices fit 32 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Narrow {
    /// The largest value, and with a minus the smallest, that the parameters may have.
    pub limit: i64,
    /// The parameters that indices mention.
    pub params: BTreeSet<ParamId>,
}

/// For each kernel of which that is wanted, with which sizes 32 bits will do; `None`: with none.
pub(crate) fn narrow(
    host: &[HostNode],
    kernels: &[DeviceKernel],
    wanted: &dyn Fn(&DeviceKernel) -> bool,
) -> Vec<Option<Narrow>> {
    let each = |(number, kernel): (usize, &DeviceKernel)| {
        if !wanted(kernel) {
            return None;
        }
        let mut limit = NARROW_MOST;
        while limit >= NARROW_LEAST {
            let mut ranges = Ranges::new(limit);
            if ranges.host(host, number, kernel) == Some(true) {
                let params = ranges.params;
                return Some(Narrow { limit, params });
            }
            limit /= 2;
        }
        None
    };
    kernels.iter().enumerate().map(each).collect()
}

/// Smallest and largest value. In 128 bits nothing overflows that is made of one operation on
/// values of 32.
pub(crate) type Range = (i128, i128);

/// Ranges of what a kernel computes for parameters up to a limit.
pub(crate) struct Ranges {
    limit: i128,
    /// Loop variables, the innermost last.
    variables: Vec<(String, Range)>,
    params: BTreeSet<ParamId>,
}

/// The range, if 32 bits hold all of it.
fn fits((low, high): Range) -> Option<Range> {
    let inside = low >= i128::from(i32::MIN) && high <= i128::from(i32::MAX);
    inside.then_some((low, high))
}

fn around(a: Range, b: Range) -> Range {
    (a.0.min(b.0), a.1.max(b.1))
}

impl Ranges {
    pub(crate) fn new(limit: i64) -> Ranges {
        Ranges {
            limit: i128::from(limit),
            variables: Vec::new(),
            params: BTreeSet::new(),
        }
    }

    /// With a variable in a range.
    #[cfg(test)]
    pub(crate) fn with(mut self, var: &str, range: Range) -> Ranges {
        self.variables.push((var.to_owned(), range));
        self
    }

    /// Looks for a launch, through the host's loops around it: whether it is here. `None`: something
    /// does not fit.
    fn host(&mut self, nodes: &[HostNode], number: usize, kernel: &DeviceKernel) -> Option<bool> {
        let mut found = false;
        for node in nodes {
            found |= match node {
                HostNode::Launch(other) if *other == number => {
                    self.kernel(kernel)?;
                    true
                }
                HostNode::Launch(_) => false,
                HostNode::For {
                    var,
                    lower,
                    upper,
                    body,
                    ..
                } if holds(node, number) => {
                    let range = (self.of(lower)?.0, self.of(upper)?.1);
                    self.variables.push((var.clone(), range));
                    let inside = self.host(body, number, kernel);
                    self.variables.pop();
                    inside?
                }
                HostNode::For { .. } | HostNode::GoesOn { .. } => false,
                HostNode::If {
                    then, otherwise, ..
                } => self.host(then, number, kernel)? | self.host(otherwise, number, kernel)?,
            };
        }
        Some(found)
    }

    fn kernel(&mut self, kernel: &DeviceKernel) -> Option<()> {
        let visible = self.variables.len();
        for GridLoop {
            var,
            lower,
            upper,
            step,
        } in &kernel.grid
        {
            let (lower, upper) = (self.of(lower)?, self.of(upper)?);
            // The number of blocks along it.
            fits((lower.0, upper.1 - lower.0 + i128::from(*step)))?;
            self.variables.push((var.clone(), (lower.0, upper.1)));
        }
        let threads = kernel.threads.iter().product::<i64>();
        self.blocks(&kernel.body, threads)?;
        self.variables.truncate(visible);
        Some(())
    }

    /// The range of a loop's variable in its body; it may be beyond by all threads' steps.
    fn turns(&mut self, lower: &Index, upper: &Index, step: i64) -> Option<Range> {
        let (lower, upper) = (self.of(lower)?, self.of(upper)?);
        let beyond = upper.1.max(lower.1) + i128::from(step);
        fits((lower.0, beyond))?;
        Some((lower.0, upper.1))
    }

    fn blocks(&mut self, nodes: &[BlockNode], threads: i64) -> Option<()> {
        for node in nodes {
            match node {
                BlockNode::For {
                    var,
                    lower,
                    upper,
                    step,
                    body,
                    ..
                } => {
                    let range = self.turns(lower, upper, *step)?;
                    self.variables.push((var.clone(), range));
                    self.blocks(body, threads)?;
                    self.variables.pop();
                }
                BlockNode::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    self.of(condition)?;
                    self.blocks(then, threads)?;
                    self.blocks(otherwise, threads)?;
                }
                BlockNode::Piece(piece) => self.nodes(&piece.body, threads)?,
                BlockNode::Barrier => {}
            }
        }
        Some(())
    }

    fn nodes<'n>(&mut self, nodes: impl IntoIterator<Item = &'n Node>, threads: i64) -> Option<()> {
        for node in nodes {
            match node {
                Node::For(each) => {
                    let step = each.step.checked_mul(threads + 1)?;
                    let range = self.turns(&each.lower, &each.upper, step)?;
                    self.variables.push((each.var.clone(), range));
                    self.nodes(&each.body, threads)?;
                    self.variables.pop();
                }
                Node::If { condition, .. } => {
                    self.of(condition)?;
                    self.nodes(node.children(), threads)?;
                }
                Node::GoesOn { condition, .. } => {
                    self.of(condition)?;
                }
                Node::Statement(instance) => {
                    for value in &instance.iterators {
                        self.of(value)?;
                    }
                    let places = instance.accesses.iter();
                    for index in places.flat_map(|place| &place.indices) {
                        match index {
                            PlaceIndex::Affine(index) => self.of(index)?,
                            PlaceIndex::Data { origin, .. } => match origin {
                                Some(origin) => self.of(origin)?,
                                None => continue,
                            },
                        };
                    }
                }
                Node::Scope { .. }
                | Node::Copies(_)
                | Node::Block { .. }
                | Node::Allocate { .. } => self.nodes(node.children(), threads)?,
            }
        }
        Some(())
    }

    /// The range of an expression, if 32 bits hold it and every operand of it.
    pub(crate) fn of(&mut self, index: &Index) -> Option<Range> {
        let range = match index {
            Index::Int(value) => (i128::from(*value), i128::from(*value)),
            Index::Param(param) => {
                self.params.insert(*param);
                (-self.limit, self.limit)
            }
            Index::Var(name) => {
                let mut known = self.variables.iter().rev();
                known.find(|(other, _)| other == name)?.1
            }
            Index::Data(..) => return None,
            Index::Add(a, b) => {
                let (a, b) = (self.of(a)?, self.of(b)?);
                (a.0 + b.0, a.1 + b.1)
            }
            Index::Sub(a, b) => {
                let (a, b) = (self.of(a)?, self.of(b)?);
                (a.0 - b.1, a.1 - b.0)
            }
            Index::Mul(a, b) => {
                let (a, b) = (self.of(a)?, self.of(b)?);
                let all = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
                let (low, high) = (all.iter().min()?, all.iter().max()?);
                (*low, *high)
            }
            Index::Neg(a) => {
                let a = self.of(a)?;
                (-a.1, -a.0)
            }
            Index::FloorDiv(a, d) | Index::ExactDiv(a, d) => {
                let (a, d) = (self.of(a)?, i128::from(*d).max(1));
                // C rounds towards zero, and both divisors are numbers of the text.
                fits((d, d))?;
                (a.0.div_euclid(d), a.1.div_euclid(d) + 1)
            }
            Index::Mod(a, d) | Index::PlainMod(a, d) => {
                let (a, d) = (self.of(a)?, i128::from(*d).max(1));
                fits((d, d))?;
                let low = match index {
                    Index::PlainMod(..) if a.0 < 0 => 1 - d,
                    _ => 0,
                };
                (low, d - 1)
            }
            Index::Min(all) | Index::Max(all) => {
                let ranges: Option<Vec<Range>> = all.iter().map(|one| self.of(one)).collect();
                let is_min = matches!(index, Index::Min(_));
                ranges?.into_iter().reduce(|a, b| {
                    if is_min {
                        (a.0.min(b.0), a.1.min(b.1))
                    } else {
                        (a.0.max(b.0), a.1.max(b.1))
                    }
                })?
            }
            Index::Select(condition, a, b) => {
                self.of(condition)?;
                around(self.of(a)?, self.of(b)?)
            }
            Index::Compare(_, a, b) => {
                self.of(a)?;
                self.of(b)?;
                (0, 1)
            }
            Index::All(all) | Index::Any(all) => {
                for one in all {
                    self.of(one)?;
                }
                (0, 1)
            }
        };
        fits(range)
    }
}

/// Whether a launch is at or below a node.
fn holds(node: &HostNode, number: usize) -> bool {
    match node {
        HostNode::Launch(other) => *other == number,
        HostNode::GoesOn { .. } => false,
        HostNode::For { body, .. } => body.iter().any(|node| holds(node, number)),
        HostNode::If {
            then, otherwise, ..
        } => then.iter().chain(otherwise).any(|node| holds(node, number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::gpu::replay::Finding;
    use crate::codegen::kernel::{Comparison, Loop};
    use crate::codegen::terms::number::number;

    fn boxed(index: Index) -> Box<Index> {
        Box::new(index)
    }

    /// Random expressions of a parameter and two variables, as deep as that.
    fn random(next: &mut dyn FnMut(i64) -> i64, depth: usize) -> Index {
        if depth == 0 {
            return match next(4) {
                0 => Index::Int(next(200) - 100),
                1 => Index::Param(0),
                2 => Index::var("i"),
                _ => Index::var("j"),
            };
        }
        let mut one = || boxed(random(&mut *next, depth - 1));
        let (a, b, c) = (one(), one(), one());
        let divisor = next(40) + 1;
        match next(12) {
            0 => Index::Add(a, b),
            1 => Index::Sub(a, b),
            2 => Index::Mul(boxed(Index::Int(next(60) - 30)), b),
            3 => Index::Neg(a),
            4 => Index::FloorDiv(a, divisor),
            5 => Index::ExactDiv(a, divisor),
            6 => Index::Mod(a, divisor),
            7 => Index::PlainMod(a, divisor),
            8 => Index::Min(vec![*a, *b]),
            9 => Index::Max(vec![*a, *b]),
            10 => Index::Select(a, b, c),
            _ => Index::Compare(Comparison::Less, a, b),
        }
    }

    #[test]
    fn values_are_in_their_ranges() {
        let mut state = 5u64;
        let mut next = |below: i64| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            ((state >> 33) as i64).rem_euclid(below)
        };
        let (mut fitted, mut exact) = (0, 0);
        for _ in 0..3000 {
            let index = random(&mut next, 3);
            let limit = 1000;
            let known = || Ranges::new(limit).with("i", (-3, 900)).with("j", (0, 50));
            let Some((low, high)) = known().of(&index) else {
                continue;
            };
            fitted += 1;
            for _ in 0..20 {
                let (n, i, j) = (next(2 * limit + 1) - limit, next(904) - 3, next(51));
                let variables = [("i", i), ("j", j)];
                let mut read = |_: usize, _: Vec<i64>| Ok(0);
                let value = number::<Finding>(&index, &[n], &variables, &mut read).unwrap();
                let value = i128::from(value);
                assert!(
                    low <= value && value <= high,
                    "{index:?}: {value} of {low}..{high}"
                );
                exact += usize::from(value == low || value == high);
            }
        }
        // The ranges say something.
        assert!(fitted > 2000 && exact > 500, "{fitted} {exact}");
    }

    #[test]
    fn operands_that_do_not_fit_are_found_inside() {
        let (n, big) = (Index::Param(0), 1i64 << 20);
        let large = Index::Mul(boxed(Index::Int(4096)), boxed(n.clone()));
        // What is divided does not fit, although the quotient does.
        let quotient = Index::FloorDiv(boxed(large.clone()), 4096);
        let compared = Index::Compare(Comparison::Less, boxed(large), boxed(Index::Int(0)));
        for index in [quotient, compared] {
            assert_eq!(Ranges::new(big).of(&index), None);
            assert!(Ranges::new(big / 4).of(&index).is_some());
        }
        assert_eq!(Ranges::new(big).of(&Index::Data(0, Vec::new())), None);
        assert_eq!(Ranges::new(big).of(&Index::var("unknown")), None);
    }

    /// What a variable has when its loop ends counts: a step of every thread beyond the last value.
    #[test]
    fn loops_end_within_32_bits() {
        let each = |upper: Index| {
            let bounds = [Index::Int(0), upper];
            Node::For(Loop::sequential("i".to_owned(), bounds, 4, Vec::new()))
        };
        let n = Index::Param(0);
        let last = n.times(2).minus(&Index::Int(1));
        let most = 1i64 << 30;
        let fits = |limit: i64, upper: &Index, threads: i64| {
            let nodes = [each(upper.clone())];
            Ranges::new(limit).nodes(&nodes, threads).is_some()
        };
        let below = |by: i64| Index::Int(i64::from(i32::MAX) - by);
        assert!(fits(most, &below(4 * 257), 256));
        assert!(!fits(most, &below(4 * 257 - 1), 256));
        assert!(fits(most, &below(4 * 33), 32));
        assert!(!fits(most, &last, 1) && fits(most / 4, &last, 256));
    }

    #[test]
    fn the_limit_is_the_largest_that_fits() {
        // 12 · (n - 1) + 11 and a step more, for every thread.
        let grid = GridLoop {
            var: "b".to_owned(),
            lower: Index::Int(0),
            upper: Index::Param(0).minus(&Index::Int(1)),
            step: 1,
        };
        let lower = Index::var("b").times(12);
        let inside = BlockNode::For {
            var: "i".to_owned(),
            upper: lower.plus(&Index::Int(11)),
            lower,
            step: 1,
            ends_early: false,
            body: Vec::new(),
        };
        let kernel = DeviceKernel {
            group: 0,
            grid: vec![grid],
            threads: [32, 8],
            body: vec![inside],
            local: Vec::new(),
            local_bytes: 0,
            narrow: None,
        };
        let host = [HostNode::Launch(0)];
        let found = narrow(&host, std::slice::from_ref(&kernel), &|_| true);
        let expected = Narrow {
            // 12 · 2^27 < 2^31 < 12 · 2^28
            limit: 1 << 27,
            params: BTreeSet::from([0]),
        };
        assert_eq!(found, [Some(expected)]);
        let wide = narrow(&host, &[kernel], &|_| false);
        assert_eq!(wide, [None]);
    }
}
