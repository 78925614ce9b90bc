//! What is said of plans: their titles in generated code, and why they did not work out.

use super::passes::Differed;
use crate::codegen::gpu;
use crate::codegen::gpu::replay::Finding;
use crate::codegen::kernel::Kernel;
use crate::codegen::passes::dynamic::{enumerated, exits};
use crate::diagnostic::{Code, Diagnostic};
use crate::plan::defaults::ROWS;
use crate::plan::{Group, RegionPlan, Shape};
use crate::planner::Wishes;
use crate::scop::Scop;
use crate::transform::TransformError;
use crate::validate::Violation;

/// Why one plan did not work out.
pub(super) enum Setback {
    Device(gpu::Refusal),
    Replay(Finding),
    Certificate(Differed),
    Violation(Violation),
    Plan(String),
    Isl(isl::Error),
}

impl Setback {
    /// Whether isl's budget or the time ran out.
    pub fn is_quota(&self) -> bool {
        matches!(self, Setback::Isl(error) if error.is_quota())
    }
}

impl From<TransformError> for Setback {
    fn from(error: TransformError) -> Setback {
        match error {
            TransformError::Plan(reason) => Setback::Plan(reason),
            TransformError::Isl(error) => Setback::Isl(error),
        }
    }
}

/// The comment above a group's code. `bands`: [`crate::transform::Transformed::bands`].
pub(super) fn title(group: &Group, over_time: bool, bands: &[Vec<i64>]) -> String {
    let stages = group.stages.join(", ");
    let joined = |sizes: &[String]| sizes.join(" x ");
    let mut sizes: Vec<String> = group.tile_sizes().iter().map(i64::to_string).collect();
    let turns = group.overlapped().into_iter();
    for along in turns.flat_map(|tiles| tiles.ordinary(over_time)) {
        if let Some(size) = sizes.get_mut(along.dimension + usize::from(over_time)) {
            *size = format!("{} in sequence", along.block);
        }
    }
    let shape = match group.shape() {
        Shape::None => {
            let steps = group.loops().iter().map(|step| format!(", {step}"));
            let steps: String = steps.collect();
            let lanes = group.written().map_or(&[][..], |written| &written.lanes);
            let lanes = lanes
                .iter()
                .map(|name| format!(", loop {name} inside the loops in it"));
            let lanes: String = lanes.collect();
            let rows = group.written().map_or(&[][..], |written| &written.rows);
            let rows = rows
                .iter()
                .map(|name| format!(", {ROWS} iterations of loop {name} side by side"));
            let rows: String = rows.collect();
            return format!("{stages}: loops as written{steps}{lanes}{rows}");
        }
        Shape::Parallelogram if bands.is_empty() => {
            return format!("{stages}: affine schedule, not tiled");
        }
        Shape::Parallelogram => {
            let size = |size: &i64| match size {
                0 => "all".to_owned(),
                size => size.to_string(),
            };
            let band = |band: &Vec<i64>| joined(&band.iter().map(size).collect::<Vec<String>>());
            let bands: Vec<String> = bands.iter().map(band).collect();
            return format!(
                "{stages}: parallelogram tiles of {}",
                bands.join(" and of ")
            );
        }
        Shape::Scalene => "scalene overlapped",
        Shape::Right => "right overlapped",
        Shape::Polymage => "PolyMage's overlapped",
        Shape::Split => "split",
        Shape::Diamond => "diamond",
        Shape::Hexagonal => "hexagonal",
    };
    format!("{stages}: {shape} tiles of {}", joined(&sizes))
}

/// Of a plan that was given.
pub(super) fn refusal(setback: Setback) -> Diagnostic {
    match setback {
        Setback::Violation(violation) => Diagnostic::error(
            Code::IllegalPlan,
            "the plan would change what the program computes",
        )
        .note(violation.message)
        .note(format!("for example with {}", violation.parameters)),
        Setback::Plan(reason) => Diagnostic::error(Code::PlanMismatch, reason),
        Setback::Device(reason) => Diagnostic::error(Code::UnsupportedPlan, reason.to_string()),
        Setback::Replay(finding) => replayed(&finding),
        Setback::Certificate(difference) => Diagnostic::error(
            Code::Uncertified,
            "the result would differ from the original",
        )
        .note(difference.to_string())
        .help("please report this with the input file and the plan"),
        Setback::Isl(error) => internal(&error),
    }
}

/// Of one of our own, in whose place something simpler is done.
pub(super) fn fallback(scop: &Scop, setback: &Setback, consequence: &str) -> Diagnostic {
    let reason = match setback {
        // Of statements and tiles that the program has no names for.
        Setback::Violation(violation) => {
            tracing::debug!(message = %violation.message, "violation");
            "in the order that was planned, a value would be overwritten or read too early"
                .to_owned()
        }
        Setback::Plan(reason) => reason.clone(),
        Setback::Device(reason) => reason.to_string(),
        Setback::Replay(finding) => finding.to_string(),
        Setback::Certificate(difference) => {
            format!("its result would differ from the original: {difference}")
        }
        Setback::Isl(error) if error.is_quota() => {
            "the analysis took more than its budget".to_owned()
        }
        // Of our own making.
        Setback::Isl(error) if error.file().is_none() => error.message().to_owned(),
        Setback::Isl(error) => {
            tracing::debug!(%error, "isl");
            match error.message().contains("carry dependences") {
                true => "isl's scheduler finds no other order that keeps all dependences",
                false => "sets of its iterations are more than isl can compute with",
            }
            .to_owned()
        }
    };
    let code = match setback {
        Setback::Isl(error) if error.is_quota() => Code::Budget,
        Setback::Certificate(_) => Code::Uncertified,
        _ => Code::Fallback,
    };
    Diagnostic::warning(code, format!("{consequence}: {reason}")).at(scop.place.span, "this region")
}

/// Adds a warning, in place of those that gave the same reason for something else.
pub(super) fn add_once(warnings: &mut Vec<Diagnostic>, warning: Diagnostic) {
    let reason = |d: &Diagnostic| {
        d.message
            .split_once(": ")
            .map(|(_, reason)| reason.to_owned())
    };
    let same = |known: &Diagnostic| known.code == warning.code && reason(known) == reason(&warning);
    warnings.retain(|known| !same(known));
    warnings.push(warning);
}

/// That a shape was wished for in which no stages can be tiled, and what they get in its place.
pub(super) fn other_shape(scop: &Scop, wishes: &Wishes, plan: &RegionPlan) -> Option<Diagnostic> {
    let wished = wishes.shape?;
    let as_written = |group: &Group| !group.atomic().is_empty();
    let tiled = wished == Shape::Parallelogram || wished.is_overlapped();
    if tiled && plan.groups.iter().all(as_written) {
        let names: Vec<String> = plan
            .groups
            .iter()
            .flat_map(Group::atomic)
            .map(|n| format!("`{n}`"))
            .collect();
        let message = format!(
            "loops keep their order: sums into cells of {} that data picks are atomic",
            names.join(", ")
        );
        let diagnostic =
            Diagnostic::warning(Code::Fallback, message).at(scop.place.span, "this region");
        return Some(diagnostic.help("`--reductions none` gives them tiles in place of that"));
    }
    if !wished.is_overlapped() {
        return None;
    }
    if plan.groups.iter().any(|group| group.overlapped().is_some()) {
        return None;
    }
    let message = format!(
        "no stages can share tiles in shape `{}`: the affine scheduler orders the loops",
        wished.name()
    );
    let diagnostic =
        Diagnostic::warning(Code::Fallback, message).at(scop.place.span, "this region");
    let whole = wishes.tile_sizes.iter().flatten().any(|&size| size == 0);
    Some(if whole {
        diagnostic.help(
            "a dimension that stays whole has to be short, as channels are: give a size in place \
             of 0 in `--tile-sizes`",
        )
    } else {
        diagnostic
    })
}

/// What isl could not do.
pub(super) fn internal(error: &isl::Error) -> Diagnostic {
    if error.is_quota() {
        return Diagnostic::error(Code::Budget, "the analysis took more than its budget")
            .help("give it more with `--budget`");
    }
    Diagnostic::error(Code::Internal, format!("isl: {error}"))
        .help("please report this with the input file")
}

/// What is said of loops that run to a static bound in place of data. On devices those are grids.
///
/// # Errors
/// An order that does so in vain, and is not the last to be tried.
pub(super) fn enumerated(
    scop: &Scop,
    kernel: &Kernel,
    device: bool,
    last: bool,
) -> Result<Vec<Diagnostic>, Setback> {
    let mut warnings: Vec<Diagnostic> = Vec::new();
    for each in enumerated::enumerated(scop, kernel) {
        let name = each.iterator;
        if each.in_vain && !last {
            return Err(Setback::Plan(format!(
                "loop `{name}` would run over all that its static bound allows, again and again, as \
                 other statements come behind its last possible iteration"
            )));
        }
        let warning = Diagnostic::warning(
            Code::Enumerated,
            format!("loop `{name}` runs over all that its static bound allows"),
        );
        let mut warning = warning
            .at(scop.place.span, "this region")
            .note("in this order its end, which is data, is not known where the loop begins")
            .help("leave out `--fuse`, or bound the data with `__pencil_assume`");
        let mut exits = exits::exits(scop, &kernel.body, true).into_iter();
        let exit = exits.find(|exit| exit.iterator == name);
        if let Some(reason) = exit.and_then(|exit| exit.reason) {
            warning = warning.note(format!("it is not left early: {reason}"));
        }
        if !(device && each.parallel || warnings.contains(&warning)) {
            warnings.push(warning);
        }
    }
    Ok(warnings)
}

/// Of what was executed for a device before it was written.
fn replayed(finding: &Finding) -> Diagnostic {
    if finding.is_about_the_program() {
        let message = "the device would not compute what the program does";
        return Diagnostic::error(Code::IllegalPlan, message).note(finding.to_string());
    }
    Diagnostic::error(Code::BadInput, format!("nothing was replayed: {finding}"))
        .help("give each parameter a value: `--replay n=33,steps=5`")
}
