//! One region: analysed, planned, transformed, validated and printed; with the next simpler plan where
//! one does not work out, and as it was where none does.

use super::as_written::shares::{SharesText, shares};
use super::as_written::{
    NO_THREADS, NOTHING_TO_GAIN, SLOWER, Stays, TOO_LITTLE, TURNS_DECIDE, has_turns_alone,
    is_asked, leaves_work,
};
use super::attempts::{Attempt, attempt};
use super::candidates::{Candidate, in_full};
use super::certify::{Certified, Certifier};
use super::guard::{guard, say};
use super::messages::{Setback, add_once, fallback, other_shape, refusal};
use super::passes::{Differed, first_wrong};
use super::profit::{Profit, profit};
use crate::analysis::dependences::dataflow::Dataflow;
use crate::analysis::dependences::unwritten::unwritten;
use crate::analysis::privatise::privatise;
use crate::analysis::stages::StageGraph;
use crate::analysis::webs;
use crate::codegen;
use crate::codegen::c::devices::kernels::DeviceText;
use crate::codegen::gpu::Refusal;
use crate::codegen::gpu::replay::Replayed;
use crate::codegen::passes::Pass;
use crate::compile::candidates::format::with_format;
use crate::compile::candidates::over_time::not_over_time;
use crate::compile::candidates::{inspect, loops, reductions, smaller};
use crate::compile::report::{StageReport, group_reports, stage_reports};
use crate::compile::{
    CompiledRegion, ExecutionReport, Listings, Options, OrderReport, OriginalReport, Region, Step,
    device,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::plan::{Otherwise, RegionPlan, defaults};
use crate::planner::Reductions;
use crate::scop::Scop;
use crate::source::Span;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;
use tilewright_certify::Difference;

/// What became of a region.
pub(super) struct RegionDone {
    /// `None`: the region stays as it is.
    pub text: Option<RegionText>,
    /// When it may stand in the region's place, in C; `None`: always.
    pub check: Option<String>,
    /// What it keeps, as [`codegen::c::Guard::kept`].
    pub kept: Vec<String>,
    pub plan: RegionPlan,
    pub report: CompiledRegion,
    pub warnings: Vec<Diagnostic>,
    /// What stands where the text does not, in front of the original.
    pub otherwise: Option<Box<RegionDone>>,
}

/// What is generated for a region.
pub(super) enum RegionText {
    /// A block in its place.
    Host(String),
    /// The same, with functions that it calls.
    Shares(Box<SharesText>),
    /// A call in its place, and what it calls; and what of it was executed.
    Device(DeviceText, Option<Replayed>),
}

impl RegionText {
    /// What stands where the region was.
    pub fn in_place(&mut self) -> &mut String {
        match self {
            RegionText::Host(text) => text,
            RegionText::Shares(text) => &mut text.text,
            RegionText::Device(text, _) => &mut text.region,
        }
    }
}

/// The planner's name for the loops as they were written.
const ORIGINAL: &str = "original";

pub(super) fn compile_region(
    scop: &Scop,
    options: &Options,
    given: Option<&RegionPlan>,
    (taken, certifier): (&BTreeSet<String>, &Certifier<'_>),
    observe: &mut dyn FnMut(Step),
) -> Result<RegionDone, Box<Diagnostic>> {
    if let Some(plan) = given {
        if plan.function != scop.place.function {
            return Err(Box::new(Diagnostic::error(
                Code::PlanMismatch,
                format!(
                    "the plan is for function `{}`, the region is in `{}`",
                    plan.function, scop.place.function
                ),
            )));
        }
        if plan.is_untouched() {
            return Ok(untouched(scop, options, Vec::new(), Vec::new()));
        }
    }
    observe(Step::Analyse);
    scop.ctx.reset_operations();
    let guard = match guard(scop, options, certifier.source) {
        Ok(guard) => guard,
        Err(warning) => return Ok(untouched(scop, options, Vec::new(), vec![*warning])),
    };
    let analysed = scop.ctx.within(half_of_the_time(scop), || analyse(scop));
    let region = match analysed {
        Ok((_, Some(unwritten))) => return Err(Box::new(unwritten)),
        Ok((region, None)) => region,
        Err(error) => {
            let warning = fallback(scop, &Setback::Isl(error), "the region is left as it was");
            return Ok(untouched(scop, options, Vec::new(), vec![warning]));
        }
    };
    observe(Step::Plan);
    let mut warnings = Vec::new();
    let mut candidates: Vec<Candidate> = match given {
        Some(plan) => {
            vec![Candidate {
                region: region.prepared(plan)?,
                plan: plan.clone(),
                why: None,
                shapes: Vec::new(),
            }]
        }
        None => {
            warnings.extend(device::fewer_threads(scop, &options.wishes));
            let plan = || with_format(&region, &options.wishes, &mut warnings);
            scop.ctx.within(half_of_the_time(scop), plan)?
        }
    };
    if given.is_none() {
        let asked = is_asked(options);
        candidates
            .iter_mut()
            .for_each(|one| one.plan.least.always = asked);
    }
    let trial = Trial {
        raw: scop,
        original: &region,
        options,
        guard: &guard,
        taken,
        certifier,
    };
    let mut done = trial.first(&candidates, given.is_some(), warnings, observe)?;
    if let Some(otherwise) = done.plan.otherwise.take() {
        let plan = otherwise.plan(&done.plan);
        let other = Candidate {
            region: region.prepared(&plan)?,
            plan,
            why: None,
            shapes: Vec::new(),
        };
        let other = trial.first(&[other], false, Vec::new(), observe)?;
        // Where the first text stands always, nothing is left for a second one.
        let is_last = done.report.original.stays == Stays::default();
        let by_option = options.wishes.processor.fork <= 0 || options.until != Pass::Print;
        let on_host = matches!(
            other.text,
            Some(RegionText::Host(_) | RegionText::Shares(_))
        );
        if on_host && (!is_last || by_option) {
            done.report.otherwise = Some(Box::new(other.report.clone()));
            done.otherwise = Some(Box::new(other));
            done.plan.otherwise = Some(otherwise);
        } else if given.is_some() {
            return Err(Box::new(nothing_else(scop)));
        }
    }
    Ok(done)
}

/// What every plan of a region is tried with.
struct Trial<'a> {
    /// The region as the front end gave it.
    raw: &'a Scop,
    /// The region as it was analysed.
    original: &'a Region,
    options: &'a Options,
    guard: &'a codegen::c::Guard,
    taken: &'a BTreeSet<String>,
    certifier: &'a Certifier<'a>,
}

impl Trial<'_> {
    /// What becomes of the region with the first plan that works out; `given`: the user's, as it is.
    fn first(
        &self,
        candidates: &[Candidate],
        given: bool,
        mut warnings: Vec<Diagnostic>,
        observe: &mut dyn FnMut(Step),
    ) -> Result<RegionDone, Box<Diagnostic>> {
        let Trial {
            raw,
            original,
            options,
            guard,
            taken,
            certifier,
        } = *self;
        let stages = stage_reports(&original.scop, &original.graph);
        // The plan whose tiles are too large, with the bytes that it needs and those that there are.
        let mut too_large: Option<(&RegionPlan, i64, i64)> = None;
        // The plan that did not work out for another reason.
        let mut failed: Option<&RegionPlan> = None;
        // The loops as they were written are predicted to be faster.
        let mut slower = false;
        let mut predicted = None;
        for (number, candidate) in candidates.iter().enumerate() {
            let skipped = slower && candidate.plan.planner != ORIGINAL;
            if skipped || failed.is_some_and(|failed| smaller::resized(failed, &candidate.plan)) {
                continue;
            }
            let next = candidates.get(number + 1);
            let Candidate {
                region,
                plan,
                why,
                shapes,
            } = candidate;
            let Region {
                scop,
                graph,
                rounds,
                ..
            } = &**region;
            let regions = (&**region, original);
            let last = given || number + 1 == candidates.len();
            let one = (plan, given);
            let limit = if last {
                Duration::MAX
            } else {
                half_of_the_time(scop)
            };
            let attempt = || attempt(regions, one, options, taken, last, observe);
            let mut attempt = scop.ctx.within(limit, attempt);
            if !given
                && attempt
                    .as_ref()
                    .is_ok_and(|done| done.is_as_written(options))
            {
                let mut done = untouched(&original.scop, options, stages, warnings);
                done.report.original.predicted = predicted;
                done.report.original.left = Some(match plan.planner.as_str() {
                    _ if has_turns_alone(&original.scop) => TURNS_DECIDE,
                    "alone" => NOTHING_TO_GAIN,
                    _ if slower => SLOWER,
                    _ => NO_THREADS,
                });
                return Ok(done);
            }
            if !given && attempt.as_ref().is_ok_and(|done| done.stays.is_none()) {
                let mut done = untouched(&original.scop, options, stages, warnings);
                done.report.original.left = Some(TOO_LITTLE);
                return Ok(done);
            }
            if !given
                && options.wishes.sums.reductions == Reductions::Auto
                && attempt.as_ref().is_ok_and(Attempt::has_parts_for_nothing)
            {
                continue;
            }
            let written = candidates.iter().find(|one| one.plan.planner == ORIGINAL);
            if let (Ok(done), Some(written)) = (&mut attempt, written)
                && !given
            {
                let compare = || profit(regions, done, &written.plan, options);
                let (profit, costs) = scop.ctx.within(limit, compare);
                predicted = costs;
                match profit {
                    Profit::Better {
                        from,
                        shorter,
                        enough,
                        parallel,
                    } => {
                        done.plan.least.iterations = from;
                        done.plan.least.enough = enough;
                        done.plan.least.shorter = shorter;
                        let least = options.wishes.processor.fork;
                        if parallel && done.threads && leaves_work(&original.scop, least, from) {
                            let RegionPlan {
                                planner, groups, ..
                            } = written.plan.clone();
                            done.plan.otherwise = Some(Otherwise { planner, groups });
                        }
                    }
                    Profit::OnThreads { from, shorter } => {
                        done.plan.least.threads_alone = true;
                        done.plan.least.iterations = from;
                        done.plan.least.shorter = shorter;
                    }
                    Profit::OnThreadsOr { from } => done.plan.least.iterations_alone = from,
                    Profit::Parallel => {
                        slower = true;
                        continue;
                    }
                    Profit::None => {
                        let mut done = untouched(&original.scop, options, stages, warnings);
                        done.report.original.left = Some(SLOWER);
                        done.report.original.predicted = predicted;
                        return Ok(done);
                    }
                }
            }
            if let Ok(done) = &mut attempt
                && let Some(mut stays) = done.stays.take()
            {
                stays.planned(&original.scop, (scop, done), options);
                done.stays = Some(stays.where_followed(&original.scop));
            }
            let attempt = attempt.and_then(|mut done| {
                let certify = |done: &Attempt| certified(certifier, original, done, guard);
                let shares = done.stays.as_ref().and_then(|stays| {
                    shares((raw, scop), &done, stays, (certifier, taken), options)
                });
                observe(Step::Certify);
                let verdict = match shares {
                    Some(shares) => {
                        let printed = std::mem::replace(&mut done.text, shares);
                        certify(&done).or_else(|_| {
                            done.text = printed;
                            certify(&done)
                        })
                    }
                    None => certify(&done),
                };
                observe(Step::Report);
                match verdict {
                    Ok(certified) => Ok((done, certified)),
                    Err(difference) => {
                        let differed = Differed {
                            difference: difference.to_string(),
                            pass: first_wrong(regions, plan, options, taken, &certify),
                        };
                        certifier.differed.borrow_mut().push(differed.clone());
                        Err(Setback::Certificate(differed))
                    }
                }
            });
            match attempt {
                Ok((
                    Attempt {
                        mut text,
                        transformed,
                        plan,
                        local,
                        exits,
                        warnings: more,
                        threads: _,
                        stays,
                        kernel: _,
                    },
                    certified,
                )) => {
                    warnings.extend(more);
                    say(guard, text.in_place());
                    if let Some((large, needed, limit)) = too_large
                        && smaller::resized(large, &candidate.plan)
                    {
                        let plans = (large, &candidate.plan);
                        warnings.push(smaller::warning(scop, plans, needed, limit));
                    }
                    if !given {
                        warnings.extend(other_shape(scop, &options.wishes, &plan));
                    }
                    let report = CompiledRegion {
                        function: scop.place.function.clone(),
                        index: scop.place.index,
                        span: original.scop.place.span,
                        order: OrderReport {
                            stages,
                            inlined: plan.rewrites.inline.clone(),
                            groups: group_reports(
                                scop,
                                graph,
                                &plan,
                                &transformed,
                                rounds.is_some(),
                            ),
                            why: why.clone(),
                            shapes: shapes.clone(),
                        },
                        local,
                        exits,
                        original: OriginalReport {
                            left: None,
                            predicted,
                            stays: stays.unwrap_or_default(),
                        },
                        checks: guard.compared.clone(),
                        otherwise: None,
                        executed: ExecutionReport {
                            certified,
                            replayed: match &text {
                                RegionText::Device(_, replayed) => replayed.clone(),
                                RegionText::Host(_) | RegionText::Shares(_) => None,
                            },
                        },
                        listings: listings(options, scop, &transformed.schedule),
                    };
                    return Ok(RegionDone {
                        text: Some(text),
                        check: guard.condition.clone(),
                        kept: guard.kept.clone(),
                        plan,
                        report,
                        warnings,
                        otherwise: None,
                    });
                }
                Err(setback) if matches!(setback, Setback::Replay(_)) => {
                    return Err(Box::new(refusal(setback)));
                }
                Err(setback) if given => {
                    return Err(Box::new(loops::refused(region, plan, setback, true)));
                }
                Err(Setback::Device(Refusal::Memory { needed, limit }))
                    if next.is_some_and(|next| smaller::resized(plan, &next.plan)) =>
                {
                    too_large = too_large.or(Some((plan, needed, limit)));
                }
                // No other order is what was asked for.
                Err(setback)
                    if last
                        && !options.wishes.loops.is_empty()
                        && !matches!(setback, Setback::Device(_))
                        && !setback.is_quota() =>
                {
                    return Err(Box::new(loops::refused(region, plan, setback, false)));
                }
                // No other shape is what was asked for.
                Err(setback)
                    if options.wishes.shape.is_some()
                        && !matches!(setback, Setback::Device(_))
                        && !setback.is_quota()
                        && (region.rounds.is_some()
                            || plan.groups.iter().any(|g| g.over_time().is_some())) =>
                {
                    return Err(Box::new(not_over_time(scop, setback)));
                }
                // Whether temporaries can be folded in the new order, or be somewhere else, is found out
                // by trying.
                Err(Setback::Violation(_))
                    if next.is_some_and(|next| keeps_more(&next.plan, plan)) =>
                {
                    failed = Some(plan);
                }
                Err(setback) => {
                    let setback = inspect::explained(scop, setback);
                    failed = Some(plan);
                    let next = match next {
                        Some(_) => "a simpler plan is used",
                        None if options.target.is_device() => {
                            "the region is left as it was, and nothing of it runs on the device"
                        }
                        None => "the region is left as it was",
                    };
                    add_once(&mut warnings, fallback(scop, &setback, next));
                }
            }
        }
        Ok(untouched(&original.scop, options, stages, warnings))
    }
}

/// Whether a plan has temporaries in full, or apart from results, that another one has not.
fn keeps_more(plan: &RegionPlan, than: &RegionPlan) -> bool {
    *plan == in_full(than)
        || !than.rewrites.accumulate.is_empty() && plan.rewrites.accumulate.is_empty()
}

/// What the text of an attempt does when it is executed beside the original.
///
/// # Errors
/// What is different.
fn certified(
    certifier: &Certifier<'_>,
    original: &Region,
    done: &Attempt,
    guard: &codegen::c::Guard,
) -> Result<Option<Certified>, Box<Difference>> {
    let reordered = !reductions::reordered(&original.scop, &done.plan).is_empty();
    let check = guard.without_promises.as_deref();
    let check = check.map(|check| (check, &guard.kept[..]));
    let apart = !original.scop.conditions.checks.promised.is_empty();
    certifier.region(
        original.scop.place.index,
        &done.text,
        (check, apart),
        reordered,
    )
}

/// Dataflow and stages, of the scop with private variables expanded.
pub(super) fn analyse(scop: &Scop) -> isl::Result<(Region, Option<Diagnostic>)> {
    let within = |scop: &Scop| {
        let mut scop = Cow::Borrowed(scop);
        let mut dataflow = Dataflow::compute(&scop)?;
        let unwritten = unwritten(&scop, &dataflow)?;
        if let Some(split) = webs::split(&scop, &dataflow)? {
            dataflow = Dataflow::compute(&split)?;
            scop = Cow::Owned(split);
        }
        if let Some(expanded) = privatise(&scop, &dataflow)? {
            dataflow = Dataflow::compute(&expanded)?;
            scop = Cow::Owned(expanded);
        }
        let graph = StageGraph::build(&scop, &dataflow)?;
        let region = Region {
            scop: scop.into_owned(),
            dataflow,
            graph,
            rounds: None,
        };
        Ok((region, unwritten))
    };
    let limit = defaults::analysis_time(scop.ctx.max_operations());
    scop.ctx.within(limit, || within(scop))
}

/// The region and its order as text, where that is asked for.
fn listings(options: &Options, scop: &Scop, schedule: &isl::Schedule) -> Listings {
    if !options.listings {
        return Listings::default();
    }
    Listings {
        scop: crate::scop::dump::dump(scop).unwrap_or_else(|error| error.to_string()),
        schedule: schedule.to_string(),
    }
}

fn untouched(
    scop: &Scop,
    options: &Options,
    stages: Vec<StageReport>,
    warnings: Vec<Diagnostic>,
) -> RegionDone {
    let (plan, report) = as_it_was(&scop.place.function, scop.place.index, scop.place.span);
    RegionDone {
        text: None,
        check: None,
        kept: Vec::new(),
        plan,
        report: CompiledRegion {
            order: OrderReport {
                stages,
                ..OrderReport::default()
            },
            listings: listings(options, scop, &scop.schedule),
            ..report
        },
        warnings,
        otherwise: None,
    }
}

/// What is said of a region with nothing done to it.
pub(super) fn as_it_was(function: &str, index: usize, span: Span) -> (RegionPlan, CompiledRegion) {
    let plan = RegionPlan::untouched(function, index);
    let report = CompiledRegion {
        function: function.to_owned(),
        index,
        span,
        order: OrderReport::default(),
        local: Vec::new(),
        exits: Vec::new(),
        original: OriginalReport::default(),
        otherwise: None,
        checks: Vec::new(),
        executed: ExecutionReport::default(),
        listings: Listings::default(),
    };
    (plan, report)
}

/// What is said where a plan has a second text that comes to nothing.
fn nothing_else(scop: &Scop) -> Diagnostic {
    let message = "`otherwise` of the plan is never reached, starts no threads, is for a device, or cannot be applied";
    Diagnostic::error(Code::PlanMismatch, message).at(scop.place.span, "for this region")
}

/// Half of the time that is left for a region: what comes after has the other half.
fn half_of_the_time(scop: &Scop) -> Duration {
    scop.ctx.time_left().map_or(Duration::MAX, |left| left / 2)
}
