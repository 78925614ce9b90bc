//! What the parts of the planner are worth: `cargo bench --bench ablation -- --help`.
//!
//! Figure 8 and table 8 of Jangda & Bondhugula, TOPLAS 2020: image pipelines with plans of several
//! versions of the planner, and with those that the autotuner finds. All versions of a pipeline run
//! by turns in one process on the same memory; each one's result is compared with the original's
//! bit by bit. Versions that come to the same code are measured once.

#[path = "experiments.rs"]
mod experiments;
mod pipelines;
#[path = "ablation/report.rs"]
mod report;
#[path = "setting.rs"]
mod setting;
#[path = "timing.rs"]
mod timing;
#[path = "ablation/variants.rs"]
mod variants;

use clap::Parser;
use experiments::{Example, interface, options, rounds};
use pipelines::{Asked, Pipeline};
use report::{Found, Version, print_head, print_summary, to_json};
use setting::{Failure, check_names, ended, is_wanted, lines};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use tilewright::compile::{Options, compile, regions};
use tilewright::diagnostic::Diagnostic;
use tilewright::plan::defaults::ISL_OPERATIONS;
use tilewright::plan::{Plan, RegionPlan};
use tilewright::planner::cost::Objective;
use tilewright::planner::stages::pointwise;
use tilewright::planner::{Fusion, Inline, Wishes, why};
use tilewright::source::Source;
use tilewright_driver::host::machine::{NO_FILE, known};
use tilewright_driver::host::preprocess::preprocess;
use tilewright_driver::measure::contest::results;
use tilewright_driver::measure::experiment::{Built, Experiment};
use tilewright_driver::measure::statistics::Times;
use tilewright_driver::tune::{Event, Laboratory, Log, Search, Settings, identify, parse_duration};
use timing::Building;
use variants::{MODEL, VARIANTS, Variant};

/// What the parts of the planner are worth, on image pipelines.
#[derive(Debug, Parser)]
#[command(name = "ablation")]
struct Arguments {
    #[command(flatten)]
    asked: Asked,
    /// Version of the planner, may be repeated [default: all]
    #[arg(long = "variant", value_name = "NAME")]
    variants: Vec<String>,
    /// Only what the autotuner finds, in both spaces, and the model's plan
    #[arg(long, conflicts_with = "variants")]
    autotuner: bool,
    /// How long each search of the autotuner may take, for each pipeline
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = parse_duration)]
    budget: Duration,
    /// Directory for plans and for the logs of searches, which go on from there
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// C compiler
    #[arg(long, value_name = "COMMAND", default_value = "gcc")]
    cc: String,
    /// Machine file with the rates of the time model [default: built-in ones]
    #[arg(long, value_name = "FILE", default_value = NO_FILE)]
    machine: PathBuf,
    #[command(flatten)]
    building: Building,
}

fn main() -> ExitCode {
    ended(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let pipelines = arguments.asked.pipelines([])?;
    let known = VARIANTS.each_ref().map(|variant| variant.name);
    check_names("variant", &known, &arguments.variants)?;
    if let Some(directory) = &arguments.keep {
        fs::create_dir_all(directory)?;
    }
    let wanted: Vec<&Variant> = VARIANTS.iter().filter(|v| arguments.wants(v)).collect();
    if !arguments.building.json {
        print_head(arguments, &wanted);
    }
    let mut all = Vec::new();
    for pipeline in pipelines {
        let name = pipeline.name;
        match found(pipeline, &wanted, arguments) {
            Ok(found) => {
                if !arguments.building.json {
                    found.print();
                }
                all.push(found);
            }
            Err(diagnostics) => {
                return Err(format!("{name}: {}", lines(&diagnostics)).into());
            }
        }
    }
    if arguments.building.json {
        println!("{:#}", to_json(arguments, &all))
    } else {
        print_summary(&all)
    }
    let versions = || all.iter().flat_map(|found| &found.versions);
    if versions().all(|version| version.identical) {
        Ok(())
    } else {
        Err("not all results are the original's".into())
    }
}

impl Arguments {
    fn wants(&self, variant: &Variant) -> bool {
        if self.autotuner {
            variant.name == MODEL || variant.name.starts_with("tuned-")
        } else {
            is_wanted(&self.variants, variant.name)
        }
    }
}

fn found(
    pipeline: Pipeline,
    wanted: &[&Variant],
    arguments: &Arguments,
) -> Result<Found, Vec<Diagnostic>> {
    let one = |diagnostic: Box<Diagnostic>| vec![*diagnostic];
    let name = pipeline.name;
    let say = |what: &str| eprintln!("{name}: {what}");
    let toolchain = arguments.building.toolchain(&arguments.cc);
    let (file, runs) = (pipeline.file(), arguments.asked.runs);
    let source = preprocess(&file, &toolchain).map_err(one)?;
    // As for a run of these sizes and threads, but with the machine's rates.
    let known = known(Some(&arguments.machine)).map_err(one)?;
    let mut default = options(arguments.threads, &pipeline.values);
    default.wishes.objective = Objective::Time(known.rates);
    default.wishes.machine = known.machine;
    default.wishes.machine.cores = arguments.threads as i64;
    let first = compile(&source, &default, None, &mut |_| {})?;
    let example = Example {
        file: &file,
        source: &source,
        interface: interface(&first, name)?,
        values: &pipeline.values,
        runs,
    };
    let runner = arguments.building.runner(arguments.threads);
    let experiment = example.experiment(&first.text, &toolchain, runner.clone());
    say("build the original");
    let original = experiment.build_original().map_err(one)?;
    let mut versions: Vec<Version> = Vec::new();
    // Code, builds and whether the results are the original's, by the first version's name.
    let mut distinct: Vec<(&'static str, String, Built, bool)> = Vec::new();
    for &variant in wanted {
        say(variant.name);
        let mut options = default.clone();
        (variant.wishes)(&mut options.wishes);
        let (plan, text, what) = planned(variant, &options, &experiment, name, arguments)?;
        keep(arguments, name, variant.name, &plan).map_err(one)?;
        let found = distinct.iter().find(|(_, other, ..)| *other == text);
        let (same_as, identical) = match found {
            Some((same_as, .., identical)) => (*same_as, *identical),
            None => {
                let mine = Experiment {
                    result: &text,
                    ..experiment.clone()
                };
                let built = mine.build_result(&original).map_err(one)?;
                let compared = mine.check(&built, &mut |_| {}).map_err(one)?;
                let identical = compared.identical();
                distinct.push((variant.name, text, built, identical));
                (variant.name, identical)
            }
        };
        versions.push(Version {
            name: variant.name,
            what,
            groups: plan.regions.iter().map(|region| region.groups.len()).sum(),
            same_as,
            identical,
            times: Times::new(Vec::new()),
        });
    }
    let entrants = distinct.iter();
    let entrants: Vec<(String, &Built)> = entrants
        .map(|(name, _, built, _)| ((*name).to_owned(), built))
        .collect();
    let standings = results(&runner, &entrants, runs, &mut rounds(say)).map_err(one)?;
    let times: BTreeMap<&str, &Vec<f64>> = standings.iter().map(|s| (&*s.name, &s.times)).collect();
    let of = |name: &str| Times::new(times.get(name).map_or_else(Vec::new, |t| (*t).clone()));
    for version in &mut versions {
        version.times = of(version.same_as);
    }
    let original = of("original");
    Ok(Found {
        pipeline,
        original,
        versions,
    })
}

/// The plan of a version, its code, and what it is.
fn planned(
    variant: &Variant,
    options: &Options,
    experiment: &Experiment<'_>,
    name: &str,
    arguments: &Arguments,
) -> Result<(Plan, String, String), Vec<Diagnostic>> {
    let source = experiment.source;
    let mut what = variant.what.to_owned();
    let mut options = options.clone();
    let mut nothing = fuses_nothing(source, &options.wishes)?;
    let mut apart = options.clone();
    apart.wishes.pipelines.fusion = Fusion::Apart;
    let mut done = compile(
        source,
        if nothing { &apart } else { &options },
        None,
        &mut |_| {},
    )?;
    // What the numbers allow, the sets may not.
    let other = |region: &RegionPlan| region.planner != options.wishes.pipelines.fusion.name();
    if !nothing && is_papers(&options.wishes) && done.plan.regions.iter().any(other) {
        nothing = true;
        done = compile(source, &apart, None, &mut |_| {})?;
    }
    if nothing {
        what += ", which fuses nothing";
        options = apart;
    }
    if let Some((space, shapes)) = variant.search {
        let mine = Experiment {
            result: &done.text,
            ..experiment.clone()
        };
        let candidates = space.candidates(shapes, 1);
        let scratch = tempfile::tempdir();
        let directory = match (&arguments.keep, &scratch) {
            (Some(directory), _) => directory.clone(),
            (None, Ok(scratch)) => scratch.path().to_owned(),
            (None, Err(_)) => PathBuf::from("."),
        };
        let log = directory.join(format!("{name}.{}.tune.jsonl", variant.name));
        let one = |diagnostic: Box<Diagnostic>| vec![*diagnostic];
        let mut log = Log::open(&log, &identify(&mine).map_err(one)?).map_err(one)?;
        let laboratory = Laboratory::new(mine, options.clone(), done.plan.clone(), &|_| {});
        let mut laboratory = laboratory.map_err(one)?;
        let search = Search {
            bench: &mut laboratory,
            log: &mut log,
            candidates: &candidates,
            settings: Settings {
                budget: arguments.budget,
                runs: arguments.asked.runs,
            },
            interrupted: &|| false,
            observe: &mut |event| {
                if let Event::End { number, best, .. } = event {
                    if let Some((best, time)) = best.filter(|_| number % 10 == 0) {
                        eprintln!("{name}: {} tried, {time:.2} ms: {best}", number);
                    }
                }
            },
        };
        let found = search.run().map_err(one)?;
        let tried = found.counts.candidates - found.counts.left;
        if let Some((winner, best, _)) = found.winner() {
            what += &format!(": {winner} of {tried} tried");
            done = compile(source, &options, Some(best), &mut |_| {})?;
        }
    }
    Ok((done.plan, done.text, what))
}

/// Whether the paper's objective keeps every stage apart. Pipelines of which that is so go to the
/// affine scheduler otherwise, which fuses by rules of its own.
fn fuses_nothing(source: &Source, wishes: &Wishes) -> Result<bool, Vec<Diagnostic>> {
    if !is_papers(wishes) {
        return Ok(false);
    }
    for region in regions(source, ISL_OPERATIONS)? {
        let inlined = match wishes.pipelines.inline {
            Inline::Pointwise => pointwise::choose(&region).ok().flatten(),
            _ => None,
        };
        let region = inlined.map_or(region, |(_, without)| without);
        region.scop.ctx.reset_operations();
        let groups = why(&region, wishes).ok().flatten().map(|why| why.groups);
        if groups.is_some_and(|groups| groups.iter().any(|group| group.stages.len() > 1)) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_papers(wishes: &Wishes) -> bool {
    matches!(wishes.objective, Objective::Toplas(_))
}

/// Writes a plan where it is to be kept.
fn keep(
    arguments: &Arguments,
    pipeline: &str,
    variant: &str,
    plan: &Plan,
) -> tilewright_driver::Result<()> {
    let (Some(directory), Ok(text)) = (&arguments.keep, plan.to_toml()) else {
        return Ok(());
    };
    let path: &Path = &directory.join(format!("{pipeline}.{variant}.plan.toml"));
    tilewright_driver::host::output::write(path, text.as_bytes())
}
