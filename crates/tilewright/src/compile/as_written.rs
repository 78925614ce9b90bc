//! What a text has that the loops as they were written have not, and why a region is left as it was.

mod borders;
pub(super) mod shares;

use super::{attempts::Attempt, profit};
use crate::codegen::c::entrance::worth;
use crate::codegen::kernel::{Index, Kernel, Node, Worth};
use crate::codegen::passes::Pass;
use crate::codegen::passes::forks::{self, Verdict, Work};
use crate::codegen::predict;
use crate::compile::{Options, Target};
use crate::plan::{Group, RegionPlan, Shape, Tiles, defaults};
use crate::scop::{Scop, Statement};
use crate::transform::Transformed;

/// Where the original stays although there is a text: where that has nothing to offer.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Stays {
    /// Where this does not hold, in C: there is too little to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unless: Option<String>,
    /// Where there is one thread: threads are all that the text has to offer.
    pub on_one_thread: bool,
    /// But not where this holds, in C.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alone_if: Option<String>,
}

/// A text that is better on one thread is worth a parallel region of one from so many times fewer
/// operations on than several threads are worth starting: some tenths of a microsecond.
const WITHOUT_THREADS: i64 = 16;

/// Of so many times fewer what is predicted says little: entering loops takes as long.
const LEAST_PREDICTED: i64 = 64;

/// Where the original of a region stays although a plan starts threads; `None`: everywhere. Loops
/// of the kernel do not ask again what is asked in front of it.
pub(super) fn stays(
    scop: &Scop,
    (region, transformed): (&Scop, &Transformed),
    plan: &RegionPlan,
    kernel: &mut Kernel,
    options: &Options,
) -> Option<Stays> {
    let least = options.wishes.processor.fork;
    let decides = least > 0 && options.until == Pass::Print;
    let starts = kernel.body.iter().any(Node::starts_threads);
    if !decides || !starts || plan.least.always || plan.planner == "manual" {
        return Some(Stays::default());
    }
    let as_written = has_threads_alone(plan);
    let better = as_written && borders::are_apart(kernel);
    let on_one_thread = as_written && !better;
    let stays = |unless| Stays {
        unless,
        on_one_thread,
        alone_if: None,
    };
    if on_one_thread {
        let all = forks::conditions(kernel);
        let unless = all.as_ref().and_then(|all| worth::any(scop, all));
        if unless.is_some() {
            if all.is_some_and(|all| all.len() == 1) {
                forks::asked_in_front(kernel);
            }
            return Some(stays(unless));
        }
    }
    let forks = forks_of(region, transformed, kernel);
    let work = Work::of_region(scop);
    if forks > 1.0 && profit::has_no_model(plan) {
        // As much each time.
        if let Verdict::Where(worth) = work.is_worth(least, forks) {
            forks::asked_of_each(kernel, &worth);
        }
    }
    let least = match better {
        true => least / WITHOUT_THREADS,
        false => least,
    };
    match work.is_worth(least, 1.0) {
        Verdict::Always => Some(stays(None)),
        Verdict::Never => None,
        Verdict::Where(worth) => Some(stays(worth::any(scop, &[worth]))),
    }
}

/// How often a kernel starts threads, at sizes that stand for all; at least once.
fn forks_of(region: &Scop, transformed: &Transformed, kernel: &Kernel) -> f64 {
    let sizes = predict::sizes(region, &|_| profit::SIZE).ok().flatten();
    let forks = sizes.and_then(|sizes| {
        let forks = predict::forks(region, transformed, kernel, &sizes);
        forks.ok().flatten()
    });
    forks.unwrap_or(1.0).max(1.0)
}

impl Stays {
    /// The same where a plan says for how many threads and iterations its text, of a kernel, is.
    pub(super) fn planned(
        &mut self,
        scop: &Scop,
        (region, done): (&Scop, &Attempt),
        options: &Options,
    ) {
        let least = options.wishes.processor.fork;
        let plan = &done.plan;
        let decides = options.target == Target::OpenMp && options.until == Pass::Print;
        if least <= 0 || plan.least.always || !decides {
            return;
        }
        if plan.least.points > 0 {
            self.over_time(scop, plan, done.threads);
        }
        let (all, alone) = (plan.least.iterations, plan.least.iterations_alone);
        if !plan.least.threads_alone && all == 0 && alone == 0 {
            return;
        }
        let work = Work::of_region(scop);
        if let (true, Some(kernel)) = (plan.least.threads_alone, &done.kernel) {
            self.on_one_thread = true;
            let forks = forks_of(region, &done.transformed, kernel);
            if let Verdict::Where(worth) = work.is_worth(least, forks) {
                self.unless = worth::any(scop, &[worth]);
            }
        }
        // Threads are what it has to offer where it is short, so there have to be two portions.
        let two = match &done.kernel {
            Some(kernel) if plan.least.threads_alone || alone > all => forks::for_two(kernel),
            _ => Vec::new(),
        };
        let rows: Vec<&String> = plan
            .groups
            .iter()
            .filter_map(Group::written)
            .flat_map(|of| &of.rows)
            .collect();
        let alone_too = plan.least.iterations > 0 && !plan.least.threads_alone;
        // It is better on one thread, too, and has no tiles to fill, or is so where they are not full.
        let fewer = match (rows.is_empty(), plan.least.enough) {
            _ if !alone_too => None,
            (false, _) => work.is_worth(least / WITHOUT_THREADS, 1.0).condition(),
            (true, 0) => None,
            (true, enough) => work.is_worth(least, 1.0).condition().map(|worth| {
                let as_predicted = volume(enough, worth.factors.len());
                Worth {
                    least: as_predicted.clamp(worth.least / LEAST_PREDICTED, worth.least),
                    ..worth
                }
            }),
        };
        if let Some(worth) = fewer {
            self.unless = worth::any(scop, &[worth]);
        }
        let Verdict::Where(worth) = work.is_worth(least, 1.0) else {
            if let Some(two) = worth::all(scop, &two) {
                self.unless_both(two);
            }
            return;
        };
        // How often rows are gone through is nothing to them.
        let mut extents = match rows[..] {
            [] => worth.factors,
            _ => forks::extents_inside(scop, &rows),
        };
        extents = extents.into_iter().flat_map(all_of).collect();
        extents.sort();
        extents.dedup();
        let each = |least: i64, others: &[Worth]| {
            let of = |extent: &Index| Worth {
                factors: vec![extent.clone()],
                least: plan.least.shorter.iter().fold(least, |least, shorter| {
                    match is_of(scop, extent, &shorter.size) {
                        true => least.min(shorter.iterations),
                        false => least,
                    }
                }),
            };
            let each = extents.iter().filter(|_| least > 0).map(of);
            let each: Vec<Worth> = others.iter().cloned().chain(each).collect();
            worth::all(scop, &each)
        };
        if let Some(all) = each(all, &two) {
            self.unless_both(all);
        }
        if alone > all
            && let Some(alone) = each(alone, &[])
        {
            match done.threads {
                true => {
                    self.alone_if = Some(alone);
                    self.on_one_thread = true;
                }
                false => self.unless_both(alone),
            }
        }
    }

    /// The same, with sizes behind pointers read only where the original reads them; where that is not
    /// known, nobody knows.
    pub(super) fn where_followed(mut self, scop: &Scop) -> Stays {
        let followed =
            |text: Option<String>| text.and_then(|text| worth::where_followed(scop, text));
        self.unless = followed(self.unless);
        self.alone_if = followed(self.alone_if);
        self
    }

    /// The same of tiles over time; whether their text starts `threads`.
    fn over_time(&mut self, scop: &Scop, plan: &RegionPlan, threads: bool) {
        let points = |least| {
            let (worth, time) = forks::of_space(scop, least)?;
            (!worth.factors.is_empty()).then_some((worth, time))
        };
        if let Some((worth, _)) = points(plan.least.points).filter(|_| threads)
            && let Some(enough) = worth::any(scop, &[worth])
        {
            self.unless_both(enough);
        }
        if let Some((worth, time)) = points(plan.least.points_alone.max(plan.least.points)) {
            let lasts = Worth {
                factors: vec![time],
                least: defaults::TIME_ALONE,
            };
            let lasts = match lasts.factors[0] {
                Index::Int(_) => Vec::new(),
                _ => vec![lasts],
            };
            let all: Vec<Worth> = std::iter::once(worth).chain(lasts).collect();
            match worth::all(scop, &all) {
                Some(all) if threads => {
                    self.alone_if = Some(all);
                    self.on_one_thread = true;
                }
                Some(all) => self.unless_both(all),
                None => {}
            }
        }
    }

    /// The original stays, too, where this does not hold.
    fn unless_both(&mut self, all: String) {
        self.unless = Some(match self.unless.take() {
            Some(other) if other.contains("||") => format!("({other}) && {all}"),
            Some(other) => format!("{other} && {all}"),
            None => all,
        });
    }
}

/// Whether there may be enough to do for threads, worth starting for `least` operations, where some loop
/// has fewer iterations than `from`: not if all are of one size, which is larger then.
pub(super) fn leaves_work(scop: &Scop, least: i64, from: i64) -> bool {
    match Work::of_region(scop).is_worth(least, 1.0) {
        Verdict::Always => true,
        Verdict::Never => false,
        Verdict::Where(worth) => {
            let one = worth.factors.windows(2).all(|pair| pair[0] == pair[1]);
            let loops = worth.factors.len() as i32;
            !one || (from as f64).powi(loops) > worth.least as f64
        }
    }
}

/// So many iterations of so many loops in each other.
fn volume(iterations: i64, loops: usize) -> i64 {
    (0..loops).fold(1i64, |all, _| all.saturating_mul(iterations))
}

/// The numbers of which an extent is the least.
fn all_of(extent: Index) -> Vec<Index> {
    match extent {
        Index::Min(all) => all,
        other => vec![other],
    }
}

/// Whether an extent is a parameter, but for a constant.
fn is_of(scop: &Scop, extent: &Index, parameter: &str) -> bool {
    match extent {
        Index::Param(id) => scop.params[*id].name == parameter,
        Index::Add(a, b) | Index::Sub(a, b) => {
            let constant = |index: &Index| matches!(index, Index::Int(_));
            constant(b) && is_of(scop, a, parameter) || constant(a) && is_of(scop, b, parameter)
        }
        _ => false,
    }
}

/// Whether a plan has the loops as they were written, in their order, with threads at most. What is
/// added up in parts at places that depend on data is for threads, too.
fn has_threads_alone(plan: &RegionPlan) -> bool {
    let as_written = |group: &Group| match &group.tiles {
        Tiles::Written(tiles) => {
            tiles.loops.is_empty()
                && !tiles.spread
                && tiles.lanes.is_empty()
                && tiles.rows.is_empty()
                && group.reorder.is_empty()
        }
        _ => false,
    };
    plan.groups.iter().all(as_written) && has_its_statements(plan)
}

/// Whether a plan leaves statements and arrays as they are, but for parts of sums.
fn has_its_statements(plan: &RegionPlan) -> bool {
    plan.rewrites.inline.is_empty()
        && plan.rewrites.tabulate.is_empty()
        && plan.rewrites.substitute.is_empty()
        && plan.rewrites.accumulate.is_empty()
        && plan.rewrites.format.is_none()
}

/// Why a region is left as it was where the planner would have kept its order on one thread.
pub(super) const NOTHING_TO_GAIN: &str = "no cell is used again that other orders would keep in a cache, and not all of its outermost loops are parallel";

/// The same where no loop has iterations that another order could have.
pub(super) const TURNS_DECIDE: &str =
    "how often its loops run is known only to their turns, which come one after the other";

/// Whether all that a region does in loops is done in loops whose turns decide when they end.
pub(super) fn has_turns_alone(scop: &Scop) -> bool {
    scop.statements.iter().any(Statement::repeats)
        && scop.statements.iter().all(|s| s.iterators.is_empty())
}

/// The same where the text that was made has the loops in their order, on one thread.
pub(super) const NO_THREADS: &str = "its loops would be the same, with threads for none of them";

/// The same where other loops were made, and are no faster by all that is known.
pub(super) const SLOWER: &str = "its loops in other orders are predicted to take as long or longer";

/// The same where sizes are constants.
pub(super) const TOO_LITTLE: &str = "there is too little to do for threads";

/// Whether loops or tiles are asked for, however much there is to do.
pub(super) fn is_asked(options: &Options) -> bool {
    let wishes = &options.wishes;
    wishes.shape.is_some()
        || wishes.fuse.is_some()
        || wishes.tile_sizes.is_some()
        || !wishes.loops.is_empty()
}

impl Attempt {
    /// Whether sums are in parts, and no threads make them.
    pub(super) fn has_parts_for_nothing(&self) -> bool {
        !self.plan.rewrites.partial.is_empty() && !self.threads
    }

    /// Whether nothing has come of it: the loops are those that were written, on one thread, and
    /// nobody asked for them to be written again.
    pub(super) fn is_as_written(&self, options: &Options) -> bool {
        let groups = &self.plan.groups;
        let kept = groups.iter().all(|group| group.shape() == Shape::None)
            && has_its_statements(&self.plan)
            && self.plan.rewrites.partial.is_empty();
        let asked = options.wishes.shape.is_some() || !options.wishes.loops.is_empty();
        kept && !asked
            && !self.threads
            && options.target == Target::OpenMp
            && options.until == Pass::Print
    }
}
