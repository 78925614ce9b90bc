//! Unroll-and-jam, its last step: the few iterations of the loops inside a vector loop are written
//! out (Callahan, Cocke & Kennedy, *Estimating interlock and improving balance for pipelined
//! architectures*, 1988).
//!
//! The schedule has the jammed loops innermost already, below the vector loop:
//!
//! ```text
//! for c                      if (hi >= lo + 1)      for c { S(c, lo); S(c, lo + 1); }
//!   for r in lo..=hi    →    else if (hi >= lo)     for c { S(c, lo); }
//!     S(c, r)
//! ```
//!
//! Versions by trip count stand outside of the vector loop, so that no condition is left inside;
//! the order of the instances is the schedule's. Bounds that are the largest or least of several
//! values are computed once, in front of the versions. Bounds that depend on the vector loop, or
//! loops with more in them than statements, leave everything as it is.
//!
//! How many iterations a loop has at most is read off its bounds here, by constant distances of one
//! upper from one lower bound; where these do not say it, the loop itself stands behind the versions.

use crate::codegen::kernel::{Comparison, DynamicBounds, Index, Loop, Node};
use crate::codegen::terms::index::{compare, logic};
use crate::codegen::terms::substitute::all_with;
use crate::mistakes::mistake;

/// Writes out the loops that have [`Loop::unroll`] iterations inside a vector loop.
pub(crate) fn unroll(nodes: Vec<Node>) -> Vec<Node> {
    let one = |node: Node| {
        let versions = match &node {
            Node::For(each) => Jammed::in_loop(each).map(|jammed| jammed.versions(each)),
            _ => None,
        };
        versions.unwrap_or_else(|| node.map_children(&unroll))
    };
    nodes.into_iter().map(one).collect()
}

/// Loops to unroll, outermost first, and what is in them.
struct Jammed<'a> {
    loops: Vec<&'a Loop>,
    body: &'a [Node],
}

impl<'a> Jammed<'a> {
    /// What is directly inside a loop, if it is nothing but loops to unroll whose bounds do not
    /// depend on it or on each other.
    fn in_loop(each: &'a Loop) -> Option<Jammed<'a>> {
        let mut jammed = Jammed {
            loops: Vec::new(),
            body: &each.body,
        };
        while let [Node::For(inner)] = jammed.body {
            if inner.unroll <= 1 {
                break;
            }
            let outer = jammed.loops.iter().copied().chain([each]);
            let mut outer = outer.map(|l| &l.var);
            let depends = outer.any(|v| inner.lower.mentions(v) || inner.upper.mentions(v));
            if depends || inner.step != 1 || inner.parallel || inner.simd {
                return None;
            }
            jammed.loops.push(inner);
            jammed.body = &inner.body;
        }
        let plain = !jammed.body.iter().any(Node::has_loop);
        (plain && !jammed.loops.is_empty()).then_some(jammed)
    }

    /// One version of the loop around for every number of iterations of one of the loops, the
    /// others complete; the loops themselves for what is left.
    fn versions(&self, around: &Loop) -> Node {
        let bounds: Vec<Bounds> = self.loops.iter().map(|each| Bounds::of(each)).collect();
        if bounds.iter().all(|bounds| bounds.named.is_empty()) {
            return self.by_count(around, &bounds);
        }
        let loops: Vec<Loop> = (self.loops.iter().zip(&bounds))
            .map(|(each, bounds)| Loop {
                lower: bounds.lower.clone(),
                upper: bounds.upper.clone(),
                ..(*each).clone()
            })
            .collect();
        let named = Jammed {
            loops: loops.iter().collect(),
            body: self.body,
        };
        let around = Loop {
            body: named.nest(),
            ..around.clone()
        };
        let values = bounds.iter().flat_map(|bounds| &bounds.named);
        values
            .rev()
            .fold(named.by_count(&around, &bounds), |node, (name, value)| {
                constant(name, value, node, self.loops[0])
            })
    }

    /// The loops around what is in them.
    fn nest(&self) -> Vec<Node> {
        let inner = self.loops.iter().rev();
        inner.fold(self.body.to_vec(), |body, each| {
            vec![Node::For(Loop {
                body,
                ..(*each).clone()
            })]
        })
    }

    fn by_count(&self, around: &Loop, bounds: &[Bounds]) -> Node {
        let complete: Vec<i64> = self.loops.iter().map(|l| l.unroll).collect();
        let mut counts = vec![complete.clone()];
        for (position, each) in self.loops.iter().enumerate() {
            counts.extend((1..each.unroll).rev().map(|fewer| {
                let mut count = complete.clone();
                count[position] = fewer;
                count
            }));
        }
        // What no version covers: several incomplete loops, or more iterations than expected.
        let covered = self.loops.len() == 1 && bounds[0].at_most_factor;
        let mut rest = if covered {
            Vec::new()
        } else {
            vec![Node::For(around.clone())]
        };
        for count in counts.iter().rev() {
            let conditions = self.loops.iter().zip(count).zip(bounds);
            let conditions = conditions
                .flat_map(|((each, &n), bounds)| has_iterations(each, n, bounds.at_most_factor));
            let then = self.version(around, count);
            rest = match logic(conditions.collect(), 1) {
                Index::Int(0) => rest,
                Index::Int(_) => vec![then],
                condition => vec![Node::If {
                    condition,
                    then: vec![then],
                    otherwise: rest,
                }],
            };
        }
        match <[Node; 1]>::try_from(rest) {
            Ok([node]) => node,
            Err(_) => Node::For(around.clone()),
        }
    }

    /// The loop around with so many iterations of each loop written out.
    fn version(&self, around: &Loop, count: &[i64]) -> Node {
        let mut copies = vec![self.body.to_vec()];
        let mut named = Vec::new();
        for (each, &n) in self.loops.iter().zip(count) {
            let first = if takes_work(&each.lower) {
                named.push(*each);
                Index::var(&each.var)
            } else {
                each.lower.clone()
            };
            let iterations = |copy: Vec<Node>| -> Vec<Vec<Node>> {
                let at = |value: Index| all_with(&copy, &each.var, &value);
                (0..n).map(|k| at(first.plus(&Index::Int(k)))).collect()
            };
            copies = copies.into_iter().flat_map(iterations).collect();
        }
        let body = match copies.len() {
            1 => copies.swap_remove(0),
            _ => vec![Node::Copies(copies)],
        };
        let mut node = Node::For(Loop {
            body,
            ..around.clone()
        });
        // First values that take work are computed once, before the loop.
        for each in named.into_iter().rev() {
            node = constant(&each.var, &each.lower, node, each);
        }
        node
    }
}

/// The bounds of a loop to unroll, as the versions mention them.
struct Bounds {
    /// A name for bounds of several operands, of which the versions would compare each pair.
    named: Vec<(String, Index)>,
    lower: Index,
    upper: Index,
    /// Whether there certainly are no more iterations than are written out.
    at_most_factor: bool,
}

impl Bounds {
    fn of(each: &Loop) -> Bounds {
        let mut bounds = Bounds {
            named: Vec::new(),
            lower: each.lower.clone(),
            upper: each.upper.clone(),
            at_most_factor: at_most(each, each.unroll),
        };
        let pairs = operands(&each.lower).len() * operands(&each.upper).len();
        if pairs > 2 {
            for (bound, suffix) in [(&mut bounds.lower, "first"), (&mut bounds.upper, "end")] {
                let name = format!("{}_{suffix}", each.var);
                if takes_work(bound) {
                    let value = std::mem::replace(bound, Index::var(&name));
                    bounds.named.push((name, value));
                }
            }
        }
        bounds
    }
}

/// A node with a name for a value that is computed once: a loop of one iteration.
pub(super) fn constant(name: &str, value: &Index, node: Node, like: &Loop) -> Node {
    Node::For(Loop {
        var: name.to_owned(),
        lower: value.clone(),
        upper: value.clone(),
        unroll: 1,
        dynamic: DynamicBounds::default(),
        worth: None,
        body: vec![node],
        ..like.clone()
    })
}

pub(super) fn takes_work(index: &Index) -> bool {
    let mut work = false;
    index.walk(&mut |part| {
        work |= !matches!(
            part,
            Index::Int(_)
                | Index::Var(_)
                | Index::Param(_)
                | Index::Add(..)
                | Index::Sub(..)
                | Index::Mul(..)
                | Index::Neg(_)
        );
    });
    work
}

fn operands(bound: &Index) -> &[Index] {
    match bound {
        Index::Min(all) | Index::Max(all) => all,
        single => std::slice::from_ref(single),
    }
}

/// Whether a loop certainly has no more than `n` iterations.
pub(super) fn at_most(each: &Loop, n: i64) -> bool {
    if matches!(each.lower, Index::Min(_)) || matches!(each.upper, Index::Max(_)) {
        return false;
    }
    operands(&each.upper).iter().any(|upper| {
        let mut lower = operands(&each.lower).iter();
        lower.any(|lower| upper.distance(lower).is_some_and(|d| d < n))
    })
}

/// Conditions that together say that a loop has exactly `n` iterations, or at least `n` where it
/// cannot have more than its factor: versions with more are tried first.
fn has_iterations(each: &Loop, n: i64, at_most_factor: bool) -> Vec<Index> {
    let least = each.lower.plus(&Index::Int(n - 1));
    if !at_most_factor {
        let most = compare(Comparison::LessEqual, each.upper.clone(), least.clone());
        return vec![
            compare(Comparison::GreaterEqual, each.upper.clone(), least),
            most,
        ];
    }
    let n = n - i64::from(mistake!(UnrollOneTooMany));
    // Every upper bound against every lower bound: what is known drops out.
    let mut all = Vec::new();
    for upper in operands(&each.upper) {
        for lower in operands(&each.lower) {
            let least = lower.plus(&Index::Int(n - 1));
            all.push(compare(Comparison::GreaterEqual, upper.clone(), least));
        }
    }
    all
}
