//! Whether the text that a plan gives is worth more than the loops as they were written.
//!
//! Tiles of isl's schedule have no model of their own that says so, as those that overlap or extend
//! over time have; that of pipelines, which compares overlapped tiles with each other, is asked only
//! whether they are a clear loss. Both texts' loops are compared by [`predict`], on one thread.

mod plausible;

use super::Region;
use super::as_written::is_asked;
use super::attempts::Attempt;
use crate::codegen::kernel::{Kernel, Node};
use crate::codegen::passes::Pass;
use crate::codegen::predict;
use crate::codegen::{self, CodegenOptions, Target};
use crate::compile::Options;
use crate::plan::{Group, RegionPlan, Shape, Shorter};
use crate::planner::LANES;
use crate::transform::{self, Transformed};

/// A value of all sizes, where the program allows it: arrays of two dimensions are in a cache.
pub(super) const SIZE: i32 = 400;
/// A larger one, at which arrays of two dimensions are in memory.
const LARGE: i32 = 2000;
/// A number near the usual one of which many multiples share sets of caches, as arrays often have it;
/// and one that is as large and does not.
const ALIGNED: i32 = 512;
const BESIDE: i32 = 536;
/// Those in between, for loops that are better from some size on.
const BETWEEN: [i32; 2] = [1200, 800];
/// Smaller ones, for how large loops have to be.
const SMALLER: [i32; 4] = [128, 64, 32, 16];
/// From so many times the speed at the larger size on a text that is none better at the usual one
/// stands where loops are as long.
const BETTER_IF_LARGE: f64 = 1.5;
/// The same of a text that takes about as long at the usual size.
const BETTER_ELSE_ALIKE: f64 = 1.25;
/// From so much of the speed on a text takes about as long.
const ALIKE: f64 = 0.95;
/// From so many times the speed of the loops as they were written on a text is better: what is
/// predicted to be the same is not worth another text.
const BETTER: f64 = 1.1;
/// From so many times their speed on it is so little that what stands around it matters less.
const CLEARLY_BETTER: f64 = 1.5;
/// So many statements are few.
const FEW_STATEMENTS: usize = 12;
/// Below so much of the speed of the loops as they were written at a power of two, a text is not worth
/// what it gains at other sizes; overlapped tiles are not worth what they were planned for.
const CLEAR_LOSS: f64 = 0.85;
/// From so much of their speed on, a text for several threads is better on several threads.
const BETTER_ON_THREADS: f64 = 0.65;
/// Sizes one of which alone may be small where a text is for several threads: then there is less for
/// each time that they are started, and there may be nothing for some of them.
const FEW_FOR_THREADS: [i32; 6] = [256, 128, 64, 32, 16, LEAST_FOR_THREADS];
const LEAST_FOR_THREADS: i32 = 8;
/// From so much of their speed on, tiles with threads outside may stand on several threads where loops
/// are short on one: some have no more than one tile for all threads.
const AS_GOOD: f64 = 0.85;

/// Still smaller ones, for how short loops of one size may be beside others.
const SHORT: [i32; 3] = [32, 16, 8];

/// A value for each parameter, by its name.
type Sizes<'a> = dyn Fn(&str) -> i32 + 'a;

/// What a text is good for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Profit {
    /// It is better, or nobody knows, if all loops have so many iterations; those of some sizes need
    /// not have as many. Where it is not, the loops as they were written may be `parallel`. It is clearly
    /// better from as much to do on as there is where all sizes are `enough`; 0: nobody knows.
    Better {
        from: i64,
        shorter: Vec<Shorter>,
        enough: i64,
        parallel: bool,
    },
    /// It is better with several threads, if all loops have so many iterations; those of some sizes need
    /// not have as many.
    OnThreads { from: i64, shorter: Vec<Shorter> },
    /// It is better with several threads, and with one if all loops have so many iterations.
    OnThreadsOr { from: i64 },
    /// The loops as they were written are better, in parallel where they can be.
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

/// Whether a plan has overlapped tiles of pipelines beside such groups, and no others, in a region of
/// few statements: what larger ones gain by fusion is beyond doubt, and takes long to predict.
fn is_of_pipelines(region: &Region, plan: &RegionPlan) -> bool {
    let cyclic = region.graph.is_cyclic();
    let few = region.scop.statements.len() <= FEW_STATEMENTS;
    few && plan.groups.iter().all(|group| match group.shape() {
        Shape::None | Shape::Parallelogram => true,
        Shape::Scalene | Shape::Right | Shape::Polymage => !group.overlaps_over_time(cyclic),
        Shape::Split | Shape::Diamond | Shape::Hexagonal => false,
    })
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
    let unknown = || (better_from(0), None);
    let decides = options.target == Target::OpenMp
        && options.until == Pass::Print
        && options.wishes.processor.fork > 0
        && !is_asked(options)
        && (has_no_model(&done.plan) || is_of_pipelines(region, &done.plan))
        && (done.plan.planner == LANES || done.plan.groups.iter().any(is_changed));
    let Some(kernel) = done.kernel.as_ref().filter(|_| decides) else {
        return unknown();
    };
    let Some((transformed, plain, parallel)) = as_written(original, written) else {
        return unknown();
    };
    let hopeless = plausible::is_hidden(&original.scop)
        || plausible::outgrows(region, &done.transformed, kernel);
    if has_no_model(&done.plan) && hopeless {
        return (Profit::Parallel, None);
    }
    let time = |region: &Region, transformed, kernel, wanted: &Sizes<'_>, threads| {
        let sizes = predict::sizes(&region.scop, wanted)?;
        match sizes {
            Some(sizes) => predict::time(&region.scop, transformed, kernel, &sizes, threads),
            None => Ok(None),
        }
    };
    let once = |wanted: &Sizes<'_>, threads| -> isl::Result<Option<(f64, f64)>> {
        let result = time(region, &done.transformed, kernel, wanted, threads)?;
        let written = time(original, &transformed, &plain, wanted, 1)?;
        Ok(written.zip(result))
    };
    // Strides are often 1, for which compilers have another text of the loops as they were written.
    let lengths = plausible::lengths(&original.scop, &plain);
    let strided = original.scop.params.len() > lengths.len();
    let both = |wanted: &Sizes<'_>, threads| -> isl::Result<Option<(f64, f64)>> {
        let alike = once(wanted, threads)?;
        if !strided {
            return Ok(alike);
        }
        let dense = |name: &str| match lengths.contains(name) {
            true => wanted(name),
            false => 1,
        };
        let gain = |(written, result): (f64, f64)| written / result.max(1.0);
        Ok(match (alike, once(&dense, threads)?) {
            (Some(alike), Some(dense)) if gain(dense) < gain(alike) => Some(dense),
            _ => alike,
        })
    };
    let predicted = |size| -> isl::Result<Option<Predicted>> {
        let both = both(&|_| size, 1)?;
        tracing::debug!(size, ?both, "predicted cycles, written and result");
        Ok(both.map(|(written, result)| Predicted {
            size,
            written,
            result,
        }))
    };
    let is_loss = |size| {
        let one = predicted(size);
        matches!(one, Ok(Some(one)) if one.gain() < CLEAR_LOSS)
    };
    // Overlapped tiles were compared with each other when they were planned, not with these loops.
    let doubted = has_no_model(&done.plan) || is_loss(SIZE) && is_loss(LARGE);
    if !doubted {
        return unknown();
    }
    let (Ok(Some(large)), Ok(Some(mut usual))) = (predicted(LARGE), predicted(SIZE)) else {
        return unknown();
    };
    // A gain that a power of two near it turns into a loss is none.
    if usual.gain() >= 1.0
        && let (Ok(Some(aligned)), Ok(Some(beside))) = (predicted(ALIGNED), predicted(BESIDE))
        && aligned.gain() < CLEAR_LOSS * beside.gain().min(1.0)
    {
        usual = aligned;
    }
    let threads = (starts_threads(done, kernel), parallel);
    let names = original.scop.params.iter().map(|param| &param.name[..]);
    let names: Vec<&str> = names.collect();
    let gain = |wanted: &Sizes<'_>, threads| {
        let (written, result) = both(wanted, threads).ok().flatten()?;
        Some(written / result.max(1.0))
    };
    let on_threads = || on_threads(&names, &|wanted| gain(wanted, 2));
    let mut profit = decided(large, usual, threads, &predicted, &on_threads);
    if let Profit::Better {
        from,
        shorter,
        parallel: also,
        enough,
    } = &mut profit
    {
        *also = parallel;
        // Where one had to be larger, there was more to do.
        let within = |size: i32| {
            let values = predict::sizes(&region.scop, &|_| size).ok().flatten();
            values.is_some_and(|values| values.iter().all(|&value| value <= size.into()))
        };
        if !i32::try_from(*enough).is_ok_and(within) {
            *enough = 0;
        }
        if *from <= SIZE.into() {
            *shorter = shorter_than(*from, &names, &|wanted| gain(wanted, 1));
        }
    }
    (profit, Some(usual))
}

fn better_from(from: i64) -> Profit {
    Profit::Better {
        from,
        shorter: Vec::new(),
        enough: 0,
        parallel: false,
    }
}

/// Sizes that may be smaller than what all may be, where the others are of the usual size, and all of
/// them but one at once; where all are small there is too little to do anyway. How many times as fast a
/// text is at given sizes decides.
fn shorter_than(
    from: i64,
    names: &[&str],
    gain: &dyn Fn(&Sizes<'_>) -> Option<f64>,
) -> Vec<Shorter> {
    let from = i32::try_from(from).unwrap_or(i32::MAX);
    let is_better = |wanted: &Sizes<'_>| gain(wanted).is_some_and(|gain| gain >= 1.0);
    let alone = |name: &str, size: i32| {
        gain(&|other| match other == name {
            true => size,
            false => SIZE,
        })
    };
    let mut corner = Vec::new();
    for name in names {
        let smaller = SHORT.into_iter().filter(|&size| size < from);
        let better = |size: &i32| alone(name, *size).is_some_and(|gain| gain >= 1.0);
        if let Some(size) = smaller.take_while(better).last() {
            corner.push((*name, size));
        }
    }
    while !corner.is_empty() {
        let at = |name: &str| {
            let own = corner.iter().find(|(other, _)| *other == name);
            own.map_or(from, |(_, size)| *size)
        };
        let all_but = |large: &&str| {
            is_better(&|name| match name == *large {
                true => SIZE,
                false => at(name),
            })
        };
        if names.iter().all(all_but) {
            break;
        }
        // What gains least where it is small has to be larger.
        let least = |(name, size): &(&str, i32)| alone(name, *size).unwrap_or(0.0);
        let gains: Vec<f64> = corner.iter().map(least).collect();
        let by_gain = |a: &usize, b: &usize| gains[*a].total_cmp(&gains[*b]);
        if let Some(worst) = (0..corner.len()).min_by(by_gain) {
            corner[worst].1 *= 2;
            corner.retain(|(_, size)| *size < from);
        }
    }
    let shorter = corner.into_iter().map(|(name, size)| Shorter {
        size: name.to_owned(),
        iterations: size.into(),
    });
    shorter.collect()
}

/// From how many iterations of loops over one size on a text is better on two threads, all other sizes
/// being large. Where all are small there is too little to do, which is asked anyway. Where two threads
/// gain nothing however large all are, no loop in which there is much to do has any.
fn on_threads(names: &[&str], gain: &dyn Fn(&Sizes<'_>) -> Option<f64>) -> Profit {
    if gain(&|_| LARGE).is_some_and(|gain| gain < 1.0) {
        return Profit::None;
    }
    let is_better = |wanted: &Sizes<'_>| gain(wanted).is_some_and(|gain| gain >= 1.0);
    let alone = |name| {
        let is_enough = |&size: &i32| {
            is_better(&|other| match other == name {
                true => size,
                false => LARGE,
            })
        };
        let enough = FEW_FOR_THREADS.into_iter().take_while(is_enough);
        let least = match enough.last() {
            Some(LEAST_FOR_THREADS) => 1,
            least => least.unwrap_or(SIZE),
        };
        (name, i64::from(least))
    };
    let each: Vec<(&str, i64)> = match names.len() > 1 && is_better(&|_| LARGE) {
        true => names.iter().copied().map(alone).collect(),
        false => Vec::new(),
    };
    let from = each.iter().map(|&(_, least)| least).max();
    let from = from.filter(|&from| from > 1).unwrap_or(0);
    let shorter = each.into_iter().filter(|&(_, least)| least < from);
    let shorter = shorter.map(|(name, iterations)| Shorter {
        size: name.to_owned(),
        iterations,
    });
    Profit::OnThreads {
        from,
        shorter: shorter.collect(),
    }
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
    on_threads: &dyn Fn() -> Profit,
) -> Profit {
    let (large, usual) = (large.gain(), usual.gain());
    let enough = if usual < ALIKE {
        BETTER_IF_LARGE
    } else {
        BETTER_ELSE_ALIKE
    };
    if usual < 1.0 && large >= enough {
        let better = |size: &i32| {
            let one = predicted(*size);
            matches!(one, Ok(Some(one)) if one.gain() >= enough)
        };
        let from = BETWEEN.into_iter().take_while(better).last();
        let from = from.unwrap_or(LARGE).into();
        return match threads == Threads::Outside && !parallel && usual >= AS_GOOD {
            true => Profit::OnThreadsOr { from },
            false => better_from(from),
        };
    }
    if large < BETTER || usual < 1.0 {
        return if parallel {
            Profit::Parallel
        } else if threads != Threads::None && large.min(usual) >= BETTER_ON_THREADS {
            on_threads()
        } else {
            Profit::None
        };
    }
    let (mut from, mut enough) = (SIZE, SIZE);
    for size in SMALLER {
        match predicted(size) {
            Ok(Some(one)) if one.gain() < 1.0 => break,
            Ok(Some(one)) if enough == from && one.gain() >= CLEARLY_BETTER => enough = size,
            _ => {}
        }
        from = size;
    }
    let mut profit = better_from(from.into());
    if let Profit::Better { enough: known, .. } = &mut profit {
        *known = if enough < SIZE { enough.into() } else { 0 };
    }
    profit
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shorter(names: &[&str], gain: &dyn Fn(&Sizes<'_>) -> f64) -> Vec<(String, i64)> {
        let found = shorter_than(64, names, &|wanted| Some(gain(wanted)));
        let pair = |one: Shorter| (one.size, one.iterations);
        found.into_iter().map(pair).collect()
    }

    /// Two loops, one of which may be short whatever the other is; then neither if the other is
    /// short, too.
    #[test]
    fn sizes_may_be_smaller_where_the_text_stays_better() {
        let of_n = |wanted: &Sizes<'_>| f64::from(wanted("n")) / 64.0;
        assert_eq!(shorter(&["n", "k"], &of_n), [("k".to_owned(), 8)]);
        let of_both = |wanted: &Sizes<'_>| f64::from(wanted("n") * wanted("k")) / 4096.0;
        let both = [("n".to_owned(), 16), ("k".to_owned(), 16)];
        assert_eq!(shorter(&["n", "k"], &of_both), both);
    }

    /// Of three, what gains least where it is short is longer where two are short.
    #[test]
    fn what_gains_least_is_longer() {
        let of_all = |wanted: &Sizes<'_>| {
            let (n, k, d) = (wanted("n"), wanted("k"), wanted("d"));
            f64::from(n) * f64::from(k).powi(2) * f64::from(d) / 1_000_000.0
        };
        let found = shorter(&["n", "k", "d"], &of_all);
        let of = |name: &str| {
            found
                .iter()
                .find(|(own, _)| own == name)
                .map(|(_, size)| *size)
        };
        assert_eq!((of("n"), of("d")), (Some(8), Some(8)));
        // 8 × k² × 400 and 400 × k² × 8 are enough from 32 on, 8 × 400² × 8 always.
        assert_eq!(of("k"), Some(32));
    }

    /// On two threads one of two sizes may be short; not where there is one size, nor where nothing
    /// is gained if all are large.
    #[test]
    fn a_size_that_leaves_threads_nothing_has_to_be_large() {
        let of_k = |wanted: &Sizes<'_>| Some(f64::from(wanted("k")) / 64.0);
        let Profit::OnThreads { from, shorter } = on_threads(&["n", "k"], &of_k) else {
            panic!("it is for threads");
        };
        assert_eq!(from, 64);
        assert_eq!(shorter.len(), 1);
        assert_eq!((&shorter[0].size[..], shorter[0].iterations), ("n", 1));
        let none = Profit::OnThreads {
            from: 0,
            shorter: Vec::new(),
        };
        assert_eq!(on_threads(&["k"], &of_k), none);
        assert_eq!(on_threads(&["n", "k"], &|_| Some(0.9)), Profit::None);
        assert_eq!(on_threads(&["n", "k"], &|_| Some(2.0)), none);
    }
}
