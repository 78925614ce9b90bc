//! Regions for callers that want no text: analysed, planned, prepared for a plan, with the plan
//! applied.

use super::attempts::checked;
use super::messages::{Setback, internal, refusal};
use super::region::analyse;
use super::{Options, calls};
use crate::analysis::region::Region;
use crate::analysis::stages::StageGraph;
use crate::compile::candidates::format::with_format;
use crate::compile::candidates::over_time::for_shape;
use crate::diagnostic::Diagnostic;
use crate::frontend::c;
use crate::plan::{Least, RegionPlan, limits};
use crate::rewrite;
use crate::scop::{Trust, new_context};
use crate::source::Source;
use crate::transform::{TransformError, Transformed};
use std::borrow::Cow;

impl Region {
    /// The region with the tables and without the inlined stages of a plan, in bands of time where
    /// its tiles overlap over time: what the rest of the plan is for.
    ///
    /// # Errors
    /// Why a table cannot be made, or a stage not be inlined.
    pub fn prepared(&self, plan: &RegionPlan) -> Result<Cow<'_, Region>, Box<Diagnostic>> {
        let refused = |setback| Box::new(refusal(setback));
        let sizes: Vec<&str> = self.scop.params.iter().map(|p| &p.name[..]).collect();
        limits::check(plan)
            .and_then(|()| limits::check_shorter(plan, &sizes))
            .map_err(|reason| refused(Setback::Plan(reason)))?;
        calls::keeps(&self.scop, plan).map_err(refused)?;
        for_shape(&self.reduced(plan)?, plan)
    }

    /// The same, but not in bands of time.
    ///
    /// # Errors
    /// As [`Region::prepared`].
    pub fn reduced(&self, plan: &RegionPlan) -> Result<Cow<'_, Region>, Box<Diagnostic>> {
        if let Some(form) = &plan.rewrites.format {
            let region = crate::compile::candidates::format::region(self, form)
                .map_err(|setback| Box::new(refusal(setback)))?;
            let mut rest = plan.clone();
            rest.rewrites.format = None;
            return Ok(Cow::Owned(region.reduced(&rest)?.into_owned()));
        }
        if !plan.rewrites.inspect.is_empty() {
            self.scop.ctx.reset_operations();
            let region = self
                .inspected(&plan.rewrites.inspect)
                .map_err(|error| Box::new(refusal(Setback::from(error))))?;
            let mut rest = plan.clone();
            rest.rewrites.inspect = Vec::new();
            rest.least = Least::default();
            return Ok(Cow::Owned(region.reduced(&rest)?.into_owned()));
        }
        if !plan.rewrites.substitute.is_empty() {
            self.scop.ctx.reset_operations();
            let region = self
                .substituted(&plan.rewrites.substitute)
                .map_err(|error| Box::new(refusal(Setback::from(error))))?;
            let mut rest = plan.clone();
            rest.rewrites.substitute = Vec::new();
            return Ok(Cow::Owned(region.reduced(&rest)?.into_owned()));
        }
        if !plan.rewrites.partial.is_empty() {
            self.scop.ctx.reset_operations();
            let region = self
                .in_parts(&plan.rewrites.partial)
                .map_err(|error| Box::new(refusal(Setback::from(error))))?;
            let mut rest = plan.clone();
            rest.rewrites.partial = Vec::new();
            return Ok(Cow::Owned(region.reduced(&rest)?.into_owned()));
        }
        if !plan.rewrites.accumulate.is_empty() {
            let mut rest = plan.clone();
            rest.rewrites.accumulate = Vec::new();
            let region = self.reduced(&rest)?;
            self.scop.ctx.reset_operations();
            let region = region
                .accumulated(&plan.rewrites.accumulate)
                .map_err(|error| Box::new(refusal(Setback::from(error))))?;
            return Ok(Cow::Owned(region));
        }
        if plan.rewrites.tabulate.is_empty() {
            return self.inlined(&plan.rewrites.inline);
        }
        self.scop.ctx.reset_operations();
        let region = self
            .tabulated(&plan.rewrites.tabulate)
            .map_err(|error| Box::new(refusal(Setback::from(error))))?;
        let region = region.inlined(&plan.rewrites.inline)?.into_owned();
        Ok(Cow::Owned(region))
    }

    /// The region without the named stages, which their consumers compute: what a plan that
    /// inlines them ([`Rewrites::inline`](crate::plan::Rewrites::inline)) is for.
    ///
    /// # Errors
    /// Why one of them cannot be inlined.
    pub fn inlined(&self, names: &[String]) -> Result<Cow<'_, Region>, Box<Diagnostic>> {
        if names.is_empty() {
            return Ok(Cow::Borrowed(self));
        }
        self.scop.ctx.reset_operations();
        let inlined = rewrite::inline::inline(&self.scop, &self.dataflow, &self.graph, names)
            .map_err(TransformError::from)
            .and_then(|(scop, dataflow)| {
                let graph = StageGraph::build(&scop, &dataflow)?;
                Ok(Region {
                    scop,
                    dataflow,
                    graph,
                    rounds: None,
                })
            });
        match inlined {
            Ok(region) => Ok(Cow::Owned(region)),
            Err(error) => Err(Box::new(refusal(Setback::from(error)))),
        }
    }

    /// Applies a plan, but for what it inlines, and validates the result.
    ///
    /// # Errors
    /// Why the plan is refused, as [`compile`](super::compile) says it.
    pub fn apply(&self, plan: &RegionPlan) -> Result<Transformed, Box<Diagnostic>> {
        checked(self, plan, &mut |_| {}).map_err(|setback| Box::new(refusal(setback)))
    }
}

/// The analysed regions of a file.
///
/// # Errors
/// Everything that is wrong with the file; and isl's budget.
pub fn regions(source: &Source, budget: u64) -> Result<Vec<Region>, Vec<Diagnostic>> {
    regions_trusting(source, budget, &Trust::default())
}

/// The same where the user says which assumptions hold, and which are not wanted.
///
/// # Errors
/// As [`regions`].
pub fn regions_trusting(
    source: &Source,
    budget: u64,
    trust: &Trust,
) -> Result<Vec<Region>, Vec<Diagnostic>> {
    let unit = c::read(source)?;
    let mut regions = Vec::new();
    for number in 0..unit.regions.len() {
        let isl = |error: isl::Error| vec![internal(&error)];
        let ctx = new_context(budget).map_err(isl)?;
        let lowered = c::lower::lower_trusting(&ctx, &unit, number, trust)?;
        ctx.reset_operations();
        let (region, unwritten) = analyse(&lowered.scop).map_err(isl)?;
        match unwritten {
            Some(unwritten) => return Err(vec![unwritten]),
            None => regions.push(region),
        }
    }
    Ok(regions)
}

/// What the planner decides for each region of a file. Nothing is made of it yet:
/// [`compile`](super::compile) takes a simpler plan where one turns out not to be possible.
///
/// # Errors
/// Everything that is wrong with the file; and isl's budget.
pub fn choices(source: &Source, options: &Options) -> Result<Vec<RegionPlan>, Vec<Diagnostic>> {
    let mut plans = Vec::new();
    for region in regions_trusting(source, options.limits.budget, &options.trust)? {
        let candidates = with_format(&region, &options.wishes, &mut Vec::new());
        let candidates = candidates.map_err(|error| vec![*error])?;
        // There is one always: the region as it was.
        plans.extend(candidates.into_iter().next().map(|first| first.plan));
    }
    Ok(plans)
}
