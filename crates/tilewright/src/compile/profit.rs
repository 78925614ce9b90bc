//! Whether the text that a plan gives is worth more than the loops as they were written.
//!
//! Tiles of isl's schedule have no model of their own that says so, as those that overlap or extend
//! over time have. Both texts' loops are compared by [`predict`], on one thread.

use super::Region;
use super::as_written::is_asked;
use super::attempts::Attempt;
use crate::codegen::kernel::{Kernel, Node};
use crate::codegen::passes::Pass;
use crate::codegen::predict;
use crate::codegen::{self, CodegenOptions, Target};
use crate::compile::Options;
use crate::plan::{Group, RegionPlan, Shape};
use crate::transform::{self, Transformed};

/// A value of all sizes, where the program allows it: arrays of two dimensions are in a cache.
pub(super) const SIZE: i32 = 400;
/// A larger one, at which arrays of two dimensions are in memory.
const LARGE: i32 = 2000;
/// Those in between, for loops that are better from some size on.
const BETWEEN: [i32; 2] = [1200, 800];
/// Smaller ones, for how large loops have to be.
const SMALLER: [i32; 4] = [128, 64, 32, 16];
/// From so many times the speed at the larger size on a text that is none better at the usual one
/// stands where loops are as long.
const BETTER_IF_LARGE: f64 = 1.5;
/// From so many times the speed of the loops as they were written on a text is better: what is
/// predicted to be the same is not worth another text.
const BETTER: f64 = 1.1;
/// From so much of their speed on, a text for several threads is better on several threads.
const BETTER_ON_THREADS: f64 = 0.7;
/// From so much of their speed on, tiles with threads outside may stand on several threads where loops
/// are short on one: some have no more than one tile for all threads.
const AS_GOOD: f64 = 0.85;

/// What a text is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Profit {
    /// It is better, or nobody knows, if all loops have so many iterations.
    Better { from: i64 },
    /// It is better with several threads.
    OnThreads,
    /// It is better with several threads, and with one if all loops have so many iterations.
    OnThreadsOr { from: i64 },
    /// The loops as they were written are better, in parallel.
    Parallel,
    /// They are better as they are.
    None,
}

/// What is predicted of the loops that a plan gives, and of those that were written.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Predicted {
    /// The value of all sizes, where the program allows it.
    pub size: i32,
    /// Cycles of the loops as they were written, on one thread.
    pub written: f64,
    /// Cycles of those in their place, on one thread.
    pub result: f64,
}

/// Whether nothing in a plan was predicted when it was made: there are no tiles that overlap or
/// extend over time.
pub(super) fn has_no_model(plan: &RegionPlan) -> bool {
    let mut groups = plan.groups.iter();
    groups.all(|group| matches!(group.shape(), Shape::None | Shape::Parallelogram))
}

/// Whether the loops of a group are not those that were written.
fn is_changed(group: &Group) -> bool {
    let rows = group.written().is_some_and(|tiles| !tiles.rows.is_empty());
    rows || group.shape() != Shape::None
}

/// Compares the text of a plan with that of `written`, the plan that leaves the loops as they are.
pub(super) fn profit(
    (region, original): (&Region, &Region),
    done: &Attempt,
    written: &RegionPlan,
    options: &Options,
) -> (Profit, Option<Predicted>) {
    let unknown = (Profit::Better { from: 0 }, None);
    let decides = options.target == Target::OpenMp
        && options.until == Pass::Print
        && options.wishes.processor.fork > 0
        && !is_asked(options)
        && has_no_model(&done.plan)
        && done.plan.groups.iter().any(is_changed);
    let Some(kernel) = done.kernel.as_ref().filter(|_| decides) else {
        return unknown;
    };
    let Some((transformed, plain, parallel)) = as_written(original, written) else {
        return unknown;
    };
    let time = |region: &Region, transformed, kernel, size| {
        let sizes = predict::sizes(&region.scop, size)?;
        match sizes {
            Some(sizes) => predict::time(&region.scop, transformed, kernel, &sizes),
            None => Ok(None),
        }
    };
    let predicted = |size| -> isl::Result<Option<Predicted>> {
        let result = time(region, &done.transformed, kernel, size)?;
        let written = time(original, &transformed, &plain, size)?;
        tracing::debug!(size, written, result, "predicted cycles");
        let both = written.zip(result);
        Ok(both.map(|(written, result)| Predicted {
            size,
            written,
            result,
        }))
    };
    let (Ok(Some(large)), Ok(Some(usual))) = (predicted(LARGE), predicted(SIZE)) else {
        return unknown;
    };
    (
        decided(
            large,
            usual,
            (starts_threads(done, kernel), parallel),
            &predicted,
        ),
        Some(usual),
    )
}

impl Predicted {
    /// How many times as fast the result is.
    fn gain(&self) -> f64 {
        self.written / self.result.max(1.0)
    }
}

/// Where a text starts threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Threads {
    None,
    /// In some loops.
    Somewhere,
    /// In its outermost loops, all of them.
    Outside,
}

fn starts_threads(done: &Attempt, kernel: &Kernel) -> Threads {
    match kernel.body.iter().all(is_parallel_outside) {
        _ if !done.threads => Threads::None,
        true => Threads::Outside,
        false => Threads::Somewhere,
    }
}

/// What follows from predictions for large and usual sizes, and for others; where the result starts
/// threads, and whether the loops as they were written could.
fn decided(
    large: Predicted,
    usual: Predicted,
    (threads, parallel): (Threads, bool),
    predicted: &dyn Fn(i32) -> isl::Result<Option<Predicted>>,
) -> Profit {
    let (large, usual) = (large.gain(), usual.gain());
    if usual < 1.0 && large >= BETTER_IF_LARGE {
        let better = |size: &i32| {
            let one = predicted(*size);
            matches!(one, Ok(Some(one)) if one.gain() >= BETTER_IF_LARGE)
        };
        let from = BETWEEN.into_iter().take_while(better).last();
        let from = from.unwrap_or(LARGE).into();
        return match threads == Threads::Outside && !parallel && usual >= AS_GOOD {
            true => Profit::OnThreadsOr { from },
            false => Profit::Better { from },
        };
    }
    if large < BETTER || usual < 1.0 {
        return if parallel {
            Profit::Parallel
        } else if threads != Threads::None && large.min(usual) >= BETTER_ON_THREADS {
            Profit::OnThreads
        } else {
            Profit::None
        };
    }
    let mut from = SIZE;
    for size in SMALLER {
        match predicted(size) {
            Ok(Some(one)) if one.gain() < 1.0 => return Profit::Better { from: from.into() },
            _ => from = size,
        }
    }
    Profit::Better { from: from.into() }
}

/// The loops as they were written, on one thread and without what they are told about vectors, with
/// temporaries as they were; and whether their outermost ones are parallel.
fn as_written(original: &Region, plan: &RegionPlan) -> Option<(Transformed, Kernel, bool)> {
    let Region {
        scop,
        dataflow,
        graph,
        ..
    } = original;
    let transformed = transform::apply(scop, dataflow, graph, plan).ok()?;
    let settings = CodegenOptions::default();
    let mut kernel = codegen::generation::build::generate(scop, &transformed, &settings).ok()?;
    let parallel = kernel.body.iter().all(is_parallel_outside);
    kernel.body = kernel.body.into_iter().map(plain).collect();
    let kernel = codegen::passes::finish(scop, &transformed, &kernel, &settings);
    Some((transformed, kernel, parallel))
}

/// Whether a node starts threads at its outermost loops, if it has any.
fn is_parallel_outside(node: &Node) -> bool {
    match node {
        Node::For(each) => each.parallel,
        other => other.children().all(is_parallel_outside),
    }
}

/// A node without threads and vector loops.
fn plain(node: Node) -> Node {
    let node = node.map_children(&|nodes| nodes.into_iter().map(plain).collect());
    match node {
        Node::For(mut each) => {
            each.parallel = false;
            each.simd = false;
            Node::For(each)
        }
        other => other,
    }
}
