//! Sparse matrices in another form ([`crate::rewrite::ell`]).

use crate::codegen;
use crate::codegen::c::devices::kernels::DeviceText;
use crate::compile::attempts::attempt;
use crate::compile::candidates::inspect::with_inspections;
use crate::compile::candidates::{Candidate, candidates};
use crate::compile::messages::{Setback, fallback};
use crate::compile::region::RegionText;
use crate::compile::{Options, Region, Step};
use crate::diagnostic::Diagnostic;
use crate::plan::entries::Form;
use crate::plan::{Shape, defaults};
use crate::planner::{Format, Wishes};
use crate::rewrite::ell;
use crate::scop::Packing;
use std::collections::BTreeSet;

/// The plans to try: with the arrays of the first loop over compressed rows packed, where that is
/// wished for and possible, then without.
pub(crate) fn with_format<'r>(
    region: &'r Region,
    wishes: &Wishes,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Vec<Candidate<'r>>, Box<Diagnostic>> {
    if wishes.data.format == Format::Given {
        return with_inspections(region, wishes, warnings);
    }
    region.scop.ctx.reset_operations();
    let loops = ell::loops(&region.scop);
    let name = loops.iter().find(|(_, obstacle)| obstacle.is_none());
    let with = match name {
        Some((name, _)) => region
            .in_ell(name)
            .map(|with| (name.clone(), with))
            .map_err(Setback::from),
        None => Err(Setback::Plan(match loops.into_iter().next() {
            Some((_, Some(obstacle))) => obstacle,
            _ => "no loop has bounds that are data".to_owned(),
        })),
    };
    let (name, with) = match with {
        Ok(with) => with,
        Err(setback) => {
            let consequence = "no array is packed in ELLPACK form";
            warnings.push(fallback(&region.scop, &setback, consequence));
            return with_inspections(region, wishes, warnings);
        }
    };
    let packed = with_inspections(&with, wishes, warnings)?;
    let mut all: Vec<Candidate<'r>> = packed
        .into_iter()
        .map(|candidate| {
            let bound = name.clone();
            candidate.behind(|rewrites| rewrites.format = Some(Form::Ell { bound }))
        })
        .collect();
    all.extend(with_inspections(region, wishes, &mut Vec::new())?);
    Ok(all)
}

/// The region in the form that a plan asks for.
///
/// # Errors
/// Why it cannot have it.
pub(crate) fn region(region: &Region, form: &Form) -> Result<Region, Setback> {
    let Form::Ell { bound } = form;
    region.scop.ctx.reset_operations();
    Ok(region.in_ell(bound)?)
}

/// What is generated for a region with packed arrays, with their memory, and beside it the region as
/// it was, for matrices that do not fit. On a device the packed arrays are filled there, and only
/// there.
pub(crate) fn either(
    packing: &Packing,
    region: &Region,
    text: RegionText,
    original: &Region,
    options: &Options,
    taken: &BTreeSet<String>,
    observe: &mut dyn FnMut(Step),
) -> Result<RegionText, Setback> {
    let arrays = packing
        .arrays
        .iter()
        .map(|&array| &region.scop.arrays[array]);
    for array in arrays.clone() {
        if taken.contains(&array.base) {
            return Err(Setback::Plan(format!(
                "`{}` is a name of the program, and would be that of a packed array",
                array.base
            )));
        }
    }
    let one_of = |texts| chosen(packing, texts);
    match (text, as_it_was(original, options, taken, observe)?) {
        (RegionText::Host(text), RegionText::Host(other)) => {
            let text = codegen::c::with_memory(packing, arrays, &text);
            Ok(RegionText::Host(one_of((&text, &other))))
        }
        (RegionText::Device(text, replayed), RegionText::Device(other, _)) => {
            let text = DeviceText {
                region: one_of((&text.region, &other.region)),
                host: text.host + &other.host,
                device: text.device + &other.device,
            };
            Ok(RegionText::Device(text, replayed))
        }
        _ => Err(Setback::Plan(
            "with and without packed arrays the region would be in different places".to_owned(),
        )),
    }
}

/// Both texts, with and without packed arrays, and what chooses one of them when it runs.
pub(crate) fn chosen(packing: &Packing, texts: (&str, &str)) -> String {
    codegen::c::either(packing, texts, defaults::ELL_PLACES)
}

/// The region without packed arrays.
pub(crate) fn as_it_was(
    original: &Region,
    options: &Options,
    taken: &BTreeSet<String>,
    observe: &mut dyn FnMut(Step),
) -> Result<RegionText, Setback> {
    let mut wishes = options.wishes.clone();
    wishes.shape = Some(Shape::None);
    wishes.data.format = Format::Given;
    wishes.loops = Vec::new();
    // Its replay would need values for another program.
    let options = Options {
        replay: None,
        ..options.clone()
    };
    let plans = candidates(original, &wishes, &mut Vec::new());
    let plans = plans.map_err(|d| Setback::Plan(d.message.clone()))?;
    let mut last = Setback::Plan("the region has no plan as it is".to_owned());
    for (number, candidate) in plans.iter().enumerate() {
        let is_last = number + 1 == plans.len();
        // There is no place in front of it for a condition on how much there is to do.
        let mut plan = candidate.plan.clone();
        plan.least.always = true;
        let done = attempt(
            (&*candidate.region, original),
            (&plan, false),
            &options,
            taken,
            is_last,
            observe,
        );
        match done {
            Ok(done) => return Ok(done.text),
            Err(setback) => last = setback,
        }
    }
    Err(last)
}
