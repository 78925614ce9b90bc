//! The whole way: one C file in, one C file out.
//!
//! parse → per region: lower → dataflow → stages → plan → transform → validate → generate →
//! splice. When a plan of our own turns out illegal, or isl's budget runs out, the next simpler
//! plan is tried and a warning says so; a plan that the user gave is refused instead.

mod as_written;
mod attempts;
mod calls;
mod candidates;
mod certify;
mod device;
mod guard;
mod messages;
mod models;
mod passes;
mod prepare;
mod profit;
mod region;
pub mod report;
mod surroundings;

pub use crate::analysis::region::Region;
use crate::codegen;
use crate::codegen::c::devices::kernels::DeviceText;
use crate::codegen::gpu::replay::Replayed;
use crate::codegen::passes::Pass;
use crate::codegen::passes::dynamic::exits::kept::Exit;
use crate::compile::report::{GroupReport, StageReport};
use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c;
use crate::frontend::c::contract::Contract;
use crate::frontend::c::interface::Interface;
use crate::frontend::c::rewrite::{Branch, Edit, Replacement, Surrounding};
use crate::frontend::cpp::{self, Openings};
use crate::plan::{Plan, VERSION, defaults};
use crate::planner::promotion::Fate;
use crate::planner::{ShapeCost, Why, Wishes};
use crate::scop::{Scop, Trust};
use crate::source::{Chosen, Source, Span};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

pub use crate::codegen::Target;
pub use crate::codegen::c::Compared;
use crate::codegen::c::PARALLEL;
pub use as_written::Stays;
use as_written::shares::Written;
use certify::Certifier;
pub use certify::{Certified, Certify};
use models::Models;
pub use passes::{Differed, first_wrong_pass};
pub use prepare::{choices, regions, regions_trusting};
pub use profit::Predicted;
use region::{RegionDone, RegionText, compile_region};
pub use surroundings::Surroundings;

/// How to compile.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What the planner is asked for.
    pub wishes: Wishes,
    /// What to generate.
    pub target: Target,
    /// How long what may take.
    pub limits: Limits,
    /// Whether sets and maps are wanted as text ([`CompiledRegion::listings`]): isl simplifies what
    /// it prints, which takes seconds for a long pipeline.
    pub listings: bool,
    /// Whether all regions stay as they are: once the compiler crashed on the file.
    pub untouched: bool,
    /// Values of parameters, by their C spelling, for which what a device is to execute is executed
    /// here, thread by thread, and compared with the kernel ([`crate::codegen::gpu::replay`]).
    pub replay: Option<BTreeMap<String, i64>>,
    /// How much of the result is executed beside the original before it is returned.
    pub certify: Certify,
    /// The last pass that is done on the way to text for processors: for finding out which of them
    /// makes a mistake ([`first_wrong_pass`]).
    pub until: Pass,
    /// Whether it is wanted what callers must keep to ([`Compiled::contracts`]), which takes isl a
    /// while.
    pub contracts: bool,
    /// What becomes of what is taken for granted although C does not say it.
    pub trust: Trust,
    /// How texts stand in a file that nobody looks at.
    pub build: BuildOptions,
    /// What stands around the text of regions, where the file is C++ that was lifted to C
    /// ([`cpp`]).
    pub openings: Option<Openings>,
}

/// How texts stand in a file that a C compiler gets in a build.
#[derive(Clone, Debug, Default)]
pub struct BuildOptions {
    /// A condition in C: whether OpenMP's library is there when the program runs, where that is not known.
    pub library: Option<String>,
    /// Whether what was written stands behind every generated text, also behind one that always runs.
    pub stays: bool,
    /// Whether there is one thread, so that texts that have nothing else to offer are none.
    pub alone: bool,
}

/// What compiling may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// isl operations allowed per step ([`defaults::ISL_OPERATIONS`]).
    pub budget: u64,
    /// Longest time of the processor for all that is done for one region
    /// ([`defaults::REGION_TIME`]); where it is over, the region stays as it was.
    pub region_time: Duration,
    /// Longest time that isl's scheduler may take for one group.
    pub scheduling_time: Duration,
    /// Longest time that code generation may take for one plan.
    pub generation_time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            budget: defaults::ISL_OPERATIONS,
            region_time: defaults::REGION_TIME,
            scheduling_time: defaults::SCHEDULING_TIME,
            generation_time: defaults::GENERATION_TIME,
        }
    }
}

/// Steps, for progress and timing: [`compile`] tells its observer before each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Step {
    Parse,
    Lower,
    Analyse,
    Plan,
    Transform,
    Validate,
    Generate,
    Certify,
    Report,
}

impl Step {
    /// What is being done.
    pub fn name(self) -> &'static str {
        match self {
            Step::Parse => "parse",
            Step::Lower => "find the regions",
            Step::Analyse => "analyse",
            Step::Plan => "plan",
            Step::Transform => "transform",
            Step::Validate => "validate",
            Step::Generate => "generate",
            Step::Certify => "certify",
            Step::Report => "report",
        }
    }
}

/// The result for one file.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The whole output file.
    pub text: String,
    /// What of it stands in place of what of the input file, in order; but for what calls a device.
    pub edits: Vec<Edit>,
    /// The device's text, where a region runs on one: a file of its own that the output file calls
    /// ([`Target::own_file`]), or, for [`Target::OpenCl`], part of the output file.
    pub device: Option<String>,
    /// Functions of C's library that are called and whose results have other last bits on a
    /// device, where one does the work.
    pub inexact: Vec<String>,
    /// Arrays of floating-point numbers into which sums are added up in another order.
    pub reordered: Vec<String>,
    /// What was decided, one entry per region.
    pub plan: Plan,
    /// One per marked region, in the order of the file.
    pub regions: Vec<CompiledRegion>,
    /// C spellings of the parameters of all regions: what [`Wishes::estimates`] may be about.
    pub parameters: BTreeSet<String>,
    /// How to call each function that holds a region, in the order of the file.
    pub interfaces: Vec<Interface>,
    /// What callers of these functions must keep to, in the same order; empty unless
    /// [`Options::contracts`].
    pub contracts: Vec<Contract>,
    /// What was not done, and why.
    pub warnings: Vec<Diagnostic>,
}

impl Compiled {
    /// A file that stays as it was.
    pub fn unchanged(source: &Source, warnings: Vec<Diagnostic>) -> Compiled {
        Compiled {
            text: source.text.clone(),
            edits: Vec::new(),
            device: None,
            inexact: Vec::new(),
            reordered: Vec::new(),
            plan: Plan {
                version: VERSION,
                regions: Vec::new(),
            },
            regions: Vec::new(),
            parameters: BTreeSet::new(),
            interfaces: Vec::new(),
            contracts: Vec::new(),
            warnings,
        }
    }
}

/// What became of one region.
#[derive(Clone, Debug, serde::Serialize)]
pub struct CompiledRegion {
    /// The function that holds it.
    pub function: String,
    /// Its number in the file, from 0.
    pub index: usize,
    /// Where it is in the file.
    #[serde(skip)]
    pub span: Span,
    /// In which order it is executed, and why.
    #[serde(flatten)]
    pub order: OrderReport,
    /// On a device, what became of arrays that could be in local memory.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub local: Vec<Fate>,
    /// What became of loops that run to static bounds in place of data.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exits: Vec<Exit>,
    /// What speaks for the original.
    #[serde(flatten)]
    pub original: OriginalReport,
    /// What became of the region where this text does not stand, if there is a second one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<Box<CompiledRegion>>,
    /// What is compared when the program runs; where it does not hold, the region's own statements are
    /// executed. And what would be compared but for the user's promises.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Compared>,
    /// What of it was executed.
    #[serde(flatten)]
    pub executed: ExecutionReport,
    /// The region and its new order as text.
    #[serde(skip)]
    pub listings: Listings,
}

/// In which order a region is executed, and why.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct OrderReport {
    /// Its stages, as the program has them.
    pub stages: Vec<StageReport>,
    /// Those that their consumers compute.
    pub inlined: Vec<String>,
    /// Its groups in the order of execution; empty when the region was left as it was.
    pub groups: Vec<GroupReport>,
    /// Why stages are grouped as they are, where a model decided.
    pub why: Option<Why>,
    /// What was predicted for each shape of tiles over time, the fastest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapeCost>,
}

/// What speaks for a region as it was.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct OriginalReport {
    /// Why the region is left as it was, where another order of it was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<&'static str>,
    /// What was predicted of its loops in another order, where they were compared with those that
    /// were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicted: Option<Predicted>,
    /// Where the original stays because the text has nothing to offer there.
    pub stays: Stays,
}

/// What of a region was executed in the compiler.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct ExecutionReport {
    /// What of its text was executed beside the original ([`Options::certify`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certified: Option<Certified>,
    /// What of it was executed thread by thread, where that was asked for ([`Options::replay`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed: Option<Replayed>,
}

/// A region as text, for people; empty unless [`Options::listings`].
#[derive(Clone, Debug, Default)]
pub struct Listings {
    /// Its sets and maps.
    pub scop: String,
    /// The new schedule tree, isl's text.
    pub schedule: String,
}

/// Compiles a file. `plan` replaces the planner's decisions.
///
/// # Errors
/// Everything that is wrong with the file or the plan; then nothing is generated.
pub fn compile(
    source: &Source,
    options: &Options,
    plan: Option<&Plan>,
    observe: &mut dyn FnMut(Step),
) -> Result<Compiled, Vec<Diagnostic>> {
    compile_noting(source, options, plan, observe, &mut Vec::new())
}

/// The same; texts that were found to differ from the original are noted.
fn compile_noting(
    source: &Source,
    options: &Options,
    plan: Option<&Plan>,
    observe: &mut dyn FnMut(Step),
    differed: &mut Vec<Differed>,
) -> Result<Compiled, Vec<Diagnostic>> {
    observe(Step::Parse);
    let file = c::parse::File::read(source)?;
    let unit = c::divide::read_divided(&file, &c::divide::Division::new())?;
    observe(Step::Lower);
    let Models {
        unit,
        scops,
        mut warnings,
    } = models::models(&file, unit, options)?;
    if let Some(plan) = plan {
        check_plan_covers(plan, unit.regions.len())?;
    }
    let mut errors = Vec::new();
    let mut taken = codegen::c::identifiers(&source.preprocessed);
    if options.openings.is_some() {
        taken.extend(codegen::c::identifiers(&source.text));
    }
    let mut texts = Vec::new();
    let mut devices: Vec<DeviceText> = Vec::new();
    let mut first = None;
    let (mut inexact, mut reordered) = (Vec::<String>::new(), Vec::new());
    let mut regions = Vec::new();
    let mut plans = Vec::new();
    let certifier = Certifier {
        source,
        unit: &unit,
        how: options.certify,
        target: options.target,
        written: Written::new(&file),
        written_as_c: options.openings.is_none(),
        differed: RefCell::default(),
    };
    let left = |number: usize| {
        let own = &unit.regions[number];
        region::as_it_was(&unit.functions[own.function].name, number, own.span)
    };
    for (number, scop) in scops.iter().enumerate() {
        let given = plan.and_then(|p| p.regions.get(number));
        let function = &unit.functions[unit.regions[number].function].name;
        let opening = options.openings.as_ref();
        let opening = opening.map(|all| all.get(function).cloned().unwrap_or_default());
        let stays = opening.as_ref().is_some_and(|opening| opening.stays);
        let Some(scop) = scop.as_ref().filter(|_| !stays) else {
            let (plan, report) = left(number);
            regions.push(report);
            plans.push(plan);
            continue;
        };
        let compile = || compile_region(scop, options, given, (&taken, &certifier), observe);
        let done = scop.ctx.within(options.limits.region_time, compile);
        let threads_alone = |done: &RegionDone| {
            let stays = &done.report.original.stays;
            done.text.is_some() && stays.on_one_thread && stays.alone_if.is_none()
        };
        match done {
            Ok(done) if options.build.alone && threads_alone(&done) => {
                let (plan, mut report) = left(number);
                report.original.left = Some("threads are all that there is to gain");
                regions.push(report);
                plans.push(plan);
            }
            Ok(done) => {
                warnings.extend(done.warnings);
                reordered.extend(candidates::reductions::reordered(scop, &done.plan));
                let mut names = codegen::names::Names::new(scop, &taken);
                let mut branch = |text: String, report: &CompiledRegion| {
                    let stays = &report.original.stays;
                    let guarded = stays.on_one_thread && stays.alone_if.is_none();
                    let checks = done.check.iter().any(|check| check.contains(PARALLEL));
                    let threads = (checks || text.contains(PARALLEL)) && !guarded;
                    Branch {
                        library: options.build.library.clone().filter(|_| threads),
                        text: match &opening {
                            Some(opening) => cpp::printed(&text, &opening.names),
                            None => text,
                        },
                        enough: stays.unless.clone(),
                        threads: stays.on_one_thread.then(|| names.fresh("threads")),
                        alone_if: stays.alone_if.clone(),
                        holds: done.check.is_some().then(|| names.fresh("holds")),
                        in_front: None,
                    }
                };
                let mut of_host = |text: RegionText, report: &CompiledRegion| match text {
                    RegionText::Host(text) => Some(branch(text, report)),
                    RegionText::Shares(shares) => {
                        Some(shares.branch(branch(String::new(), report)))
                    }
                    RegionText::Device(..) => None,
                };
                let replacement = |branch, otherwise| Replacement {
                    span: scop.place.span,
                    branch,
                    otherwise,
                    around: opening.clone().map(|opening| Surrounding {
                        statements: opening.statements,
                        condition: opening.condition,
                    }),
                    check: done.check.clone(),
                    kept: done.kept.clone(),
                    stays: options.build.stays,
                    is_run: unit.regions[number].is_run,
                };
                match done.text {
                    Some(RegionText::Device(text, _)) => {
                        let function = &unit.functions[unit.regions[number].function];
                        first = first.or(Some(function.span.start));
                        let branch = branch(text.region.clone(), &done.report);
                        texts.push(replacement(branch, None));
                        devices.push(text);
                        inexact.extend(codegen::c::inexact(scop));
                    }
                    Some(text) => {
                        let first = of_host(text, &done.report);
                        let second = done.otherwise.and_then(|other| {
                            let RegionDone { text, report, .. } = *other;
                            of_host(text?, &report)
                        });
                        texts.extend(first.map(|first| replacement(first, second)));
                    }
                    None => {}
                }
                regions.push(done.report);
                plans.push(done.plan);
            }
            // No order of such loops is right or wrong; of loops that nobody marked nothing is wrong.
            Err(error)
                if error.code == Code::Unwritten.name() || source.chosen == Chosen::Loops =>
            {
                warnings.push(models::left_as_it_was(*error));
                let (plan, report) = left(number);
                regions.push(report);
                plans.push(plan);
            }
            Err(error) => errors.push(*error),
        }
    }
    differed.append(&mut certifier.differed.borrow_mut());
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut interfaces: Vec<Interface> = Vec::new();
    let mut contracts = Vec::new();
    for (index, function) in unit.functions.iter().enumerate() {
        let own: Vec<&Scop> = unit
            .regions
            .iter()
            .zip(&scops)
            .filter(|(region, _)| region.function == index)
            .filter_map(|(_, scop)| scop.as_ref())
            .collect();
        if !own.is_empty() && !interfaces.iter().any(|i| i.function == function.name) {
            interfaces.push(c::interface::interface(&unit, index, &own));
            if options.contracts {
                contracts.push(c::contract::contract(&unit, index, &own));
            }
        }
    }
    inexact.sort();
    inexact.dedup();
    let edits = c::rewrite::edits(source, &texts, &unit.divided);
    let mut text = c::rewrite::put_in(&source.text, &edits);
    let mut on_device = None;
    if let Some(first) = first {
        // What is in front of the first region is as it was.
        let (host, own) = device::together(options.target, &devices);
        text.insert_str(first, &c::rewrite::in_front(source, first, &host));
        on_device = Some(own);
    }
    Ok(Compiled {
        text,
        edits,
        device: on_device,
        inexact,
        reordered,
        plan: Plan {
            version: VERSION,
            regions: plans,
        },
        regions,
        parameters: scops
            .iter()
            .flatten()
            .flat_map(|scop| scop.params.iter().map(|p| p.spelling.clone()))
            .collect(),
        interfaces,
        contracts,
        warnings,
    })
}

/// What is said of a file before a plan is looked for: errors, or warnings where there are none.
pub fn messages(source: &Source, options: &Options) -> Vec<Diagnostic> {
    let models = c::parse::File::read(source).and_then(|file| {
        let unit = c::divide::read_divided(&file, &c::divide::Division::new())?;
        models::models(&file, unit, options)
    });
    match models {
        Ok(models) => models.warnings,
        Err(errors) => errors,
    }
}

fn check_plan_covers(plan: &Plan, regions: usize) -> Result<(), Vec<Diagnostic>> {
    if plan.regions.len() == regions {
        return Ok(());
    }
    let message = format!(
        "the plan describes {} region(s), the file has {regions}",
        plan.regions.len()
    );
    Err(vec![
        Diagnostic::error(Code::PlanMismatch, message)
            .help("write a new plan for this file with `--emit plan`"),
    ])
}
