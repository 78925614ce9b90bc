//! What the parts of the planner are worth: `cargo bench --bench ablation -- --help`.
//!
//! Figure 8 and table 8 of Jangda & Bondhugula, TOPLAS 2020: image pipelines with plans of several
//! versions of the planner, and with those that the autotuner finds. All versions of a pipeline run
//! by turns in one process on the same memory; each one's result is compared with the original's
//! bit by bit. Versions that come to the same code are measured once.

#[path = "ablation/variants.rs"]
mod variants;

mod pipelines;

use clap::Parser;
use pipelines::{PIPELINES, machine, root, usual, version, words};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use tilewright::compile::{Options, compile, regions};
use tilewright::diagnostic::Diagnostic;
use tilewright::plan::cost::Objective;
use tilewright::plan::defaults::ISL_OPERATIONS;
use tilewright::plan::planner::{Fusion, Inline, Wishes, why};
use tilewright::plan::{Plan, pointwise};
use tilewright::source::Source;
use tilewright_driver::clock::Clock;
use tilewright_driver::contest::results;
use tilewright_driver::data::fill::Fill;
use tilewright_driver::experiment::{Built, Experiment, Values};
use tilewright_driver::machine::{NO_FILE, known};
use tilewright_driver::preprocess::preprocess;
use tilewright_driver::run::{Progress, Runner};
use tilewright_driver::statistics::Times;
use tilewright_driver::toolchain::{DEFAULT_CFLAGS, Toolchain, split};
use tilewright_driver::tune::{Event, Laboratory, Log, Search, Settings, identify, parse_duration};
use variants::{COLUMNS, MODEL, VARIANTS, Variant};

/// How many times the best other version's time the model's plan may take before it is named as a
/// loss: two sittings differ by as much.
const LOSS: f64 = 1.05;

/// What the parts of the planner are worth, on image pipelines.
#[derive(Debug, Parser)]
#[command(name = "ablation")]
struct Arguments {
    /// Pipelines to run [default: all]
    pipelines: Vec<String>,
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
    /// Timed runs of each version
    #[arg(long, value_name = "N", default_value_t = 11)]
    runs: usize,
    /// C compiler
    #[arg(long, value_name = "COMMAND", default_value = "gcc")]
    cc: String,
    /// Flags of the builds that are timed
    #[arg(long, value_name = "FLAGS", default_value = DEFAULT_CFLAGS, allow_hyphen_values = true)]
    cflags: String,
    /// Machine file with the rates of the time model [default: built-in ones]
    #[arg(long, value_name = "FILE", default_value = NO_FILE)]
    machine: PathBuf,
    /// Value of a scalar argument, for every pipeline
    #[arg(short, long = "param", value_name = "NAME=VALUE")]
    params: Vec<String>,
    /// Seconds that one call may take
    #[arg(long, value_name = "SECONDS", default_value_t = 120.0)]
    time_limit: f64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// What `cargo bench` passes
    #[arg(long, hide = true)]
    bench: bool,
}

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all results were identical to the original's.
fn run(arguments: &Arguments) -> Result<bool, Failure> {
    let names = PIPELINES.map(|(name, _)| name);
    let known: Vec<&str> = VARIANTS.iter().map(|variant| variant.name).collect();
    for (given, known, what) in [
        (&arguments.pipelines, &names[..], "pipeline"),
        (&arguments.variants, &known[..], "variant"),
    ] {
        if let Some(name) = given.iter().find(|name| !known.contains(&&***name)) {
            let known = known.join(", ");
            return Err(format!("there is no {what} `{name}`: there are {known}").into());
        }
    }
    let mut params = Values::new();
    for text in &arguments.params {
        let (name, value) = text.split_once('=').ok_or("write --param NAME=VALUE")?;
        params.insert(name.to_owned(), value.to_owned());
    }
    if let Some(directory) = &arguments.keep {
        fs::create_dir_all(directory)?;
    }
    let wanted: Vec<&Variant> = VARIANTS.iter().filter(|v| arguments.wants(v)).collect();
    if !arguments.json {
        print_head(arguments, &wanted);
    }
    let mut found = Vec::new();
    for (name, sizes) in PIPELINES {
        let some = &arguments.pipelines;
        if !some.is_empty() && !some.iter().any(|one| one == name) {
            continue;
        }
        let mut values = usual(sizes);
        values.extend(params.clone());
        match pipeline(name, values, &wanted, arguments) {
            Ok(pipeline) => {
                if !arguments.json {
                    pipeline.print();
                }
                found.push(pipeline);
            }
            Err(diagnostics) => {
                for diagnostic in &diagnostics {
                    eprintln!("{name}: {}", words(diagnostic));
                }
                return Err(format!("{name} was not measured").into());
            }
        }
    }
    match arguments.json {
        true => println!("{:#}", to_json(arguments, &found)),
        false => print_summary(&found),
    }
    Ok(found
        .iter()
        .all(|pipeline| pipeline.versions.iter().all(|v| v.identical)))
}

impl Arguments {
    fn wants(&self, variant: &Variant) -> bool {
        match (self.autotuner, &self.variants[..]) {
            (true, _) => variant.name == MODEL || variant.name.starts_with("tuned-"),
            (false, []) => true,
            (false, names) => names.iter().any(|name| name == variant.name),
        }
    }
}

/// One pipeline's versions and their times.
struct Pipeline {
    name: String,
    values: Values,
    original: Times,
    versions: Vec<Version>,
}

/// A version of the planner on one pipeline.
struct Version {
    name: &'static str,
    what: String,
    groups: usize,
    /// The first version with the same code; itself, if there is none before.
    same_as: &'static str,
    identical: bool,
    times: Times,
}

fn pipeline(
    name: &str,
    values: Values,
    wanted: &[&Variant],
    arguments: &Arguments,
) -> Result<Pipeline, Vec<Diagnostic>> {
    let one = |diagnostic: Box<Diagnostic>| vec![*diagnostic];
    let say = |what: &str| eprintln!("{name}: {what}");
    let toolchain = Toolchain {
        cc: arguments.cc.clone(),
        cflags: split(&arguments.cflags),
        ..Toolchain::default()
    };
    let file = root().join("examples/pipelines").join(format!("{name}.c"));
    let source = preprocess(&file, &toolchain).map_err(one)?;
    // Planned as `tilewright run` does it: for these sizes and threads.
    let known = known(Some(&arguments.machine)).map_err(one)?;
    let mut default = Options::default();
    default.wishes.objective = Objective::Time(known.rates);
    default.wishes.machine = known.machine;
    default.wishes.machine.cores = arguments.threads as i64;
    let sizes = values.iter();
    let sizes = sizes.filter_map(|(name, value)| Some((name.clone(), value.parse().ok()?)));
    default.wishes.estimates = sizes.collect();
    let first = compile(&source, &default, None, &mut |_| {})?;
    let interface = first.interfaces.iter().find(|i| i.function == name);
    let interface = interface.ok_or_else(|| {
        let code = tilewright::diagnostic::Code::NoRegion;
        vec![Diagnostic::error(code, format!("no function `{name}`"))]
    })?;
    let runner = Runner {
        program: PathBuf::from(env!("CARGO_BIN_EXE_tilewright")),
        arguments: vec![OsString::from("measure")],
        threads: arguments.threads,
        limit: Duration::from_secs_f64(arguments.time_limit),
    };
    let experiment = Experiment {
        source: &source,
        path: &file,
        result: &first.text,
        interface,
        toolchain: &toolchain,
        runner: runner.clone(),
        values: values.clone(),
        fill: Fill::Auto,
        seed: 1,
        inputs: Vec::new(),
        outputs: Vec::new(),
        runs: Some(arguments.runs),
    };
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
    let mut last = usize::MAX;
    let standings = results(&runner, &entrants, arguments.runs, &mut |progress| {
        if let Progress::Turn { run, of, .. } = progress {
            if run != last {
                say(&format!("run {run} of {of}"));
                last = run;
            }
        }
    });
    let standings = standings.map_err(one)?;
    let times: BTreeMap<&str, &Vec<f64>> = standings.iter().map(|s| (&*s.name, &s.times)).collect();
    let of = |name: &str| Times::new(times.get(name).map_or_else(Vec::new, |t| (*t).clone()));
    for version in &mut versions {
        version.times = of(version.same_as);
    }
    Ok(Pipeline {
        name: name.to_owned(),
        values,
        original: of("original"),
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
    if fuses_nothing(source, &options.wishes)? {
        what += ", which fuses nothing";
        options.wishes.fusion = Fusion::Apart;
    }
    let done = compile(source, &options, None, &mut |_| {})?;
    let mut plan = done.plan.clone();
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
        let laboratory = Laboratory::new(mine, options.clone(), plan.clone(), &|_| {});
        let mut laboratory = laboratory.map_err(one)?;
        let search = Search {
            bench: &mut laboratory,
            log: &mut log,
            candidates: &candidates,
            settings: Settings {
                budget: arguments.budget,
                runs: arguments.runs,
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
            plan.clone_from(best);
        }
    }
    let before = plan.clone();
    plan.regions.iter_mut().for_each(variant.plan);
    if plan == before && variant.search.is_none() {
        return Ok((plan, done.text, what));
    }
    let done = compile(source, &options, Some(&plan), &mut |_| {})?;
    Ok((done.plan, done.text, what))
}

/// Whether the paper's objective keeps every stage apart. Pipelines of which that is so go to the
/// affine scheduler otherwise, which fuses by rules of its own.
fn fuses_nothing(source: &Source, wishes: &Wishes) -> Result<bool, Vec<Diagnostic>> {
    if !matches!(wishes.objective, Objective::Toplas(_)) {
        return Ok(false);
    }
    for region in regions(source, ISL_OPERATIONS)? {
        let inlined = match wishes.inline {
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
    tilewright_driver::output::write(path, text.as_bytes())
}

impl Pipeline {
    fn version(&self, name: &str) -> Option<&Version> {
        self.versions.iter().find(|version| version.name == name)
    }

    /// How many times as long `without` takes as `with`, by medians and by minima, and whether
    /// they are different programs.
    fn ratio(&self, without: &str, with: &str) -> Option<(f64, f64, bool)> {
        let (without, with) = (self.version(without)?, self.version(with)?);
        let (a, b) = (&without.times, &with.times);
        Some((
            a.median / b.median,
            a.min / b.min,
            without.same_as != with.same_as,
        ))
    }

    /// The fastest one that the autotuner found, by minima.
    fn tuned(&self) -> Option<&Version> {
        let all = self.versions.iter();
        all.filter(|version| version.name.starts_with("tuned-"))
            .min_by(|a, b| a.times.min.total_cmp(&b.times.min))
    }

    fn print(&self) {
        let values: Vec<String> = self
            .values
            .iter()
            .map(|(n, v)| format!("{n} = {v}"))
            .collect();
        println!("\n{}, {}\n", self.name, values.join(", "));
        println!("| version | | groups | median | minimum | original / it, medians | minima |");
        println!("|---|---|---:|---:|---:|---:|---:|");
        let original = &self.original;
        println!(
            "| original | | | {:.2} | {:.2} | 1 | 1 |",
            original.median, original.min
        );
        for version in &self.versions {
            let times = &version.times;
            let same = match version.same_as == version.name {
                true => String::new(),
                false => format!(" (the code of {})", version.same_as),
            };
            let wrong = if version.identical {
                ""
            } else {
                ", NOT IDENTICAL"
            };
            println!(
                "| {} | {}{same}{wrong} | {} | {:.2} | {:.2} | {:.2} | {:.2} |",
                version.name,
                version.what,
                version.groups,
                times.median,
                times.min,
                original.median / times.median,
                original.min / times.min,
            );
        }
    }

    fn to_json(&self) -> Value {
        let versions = self.versions.iter().map(|version| {
            json!({
                "name": version.name,
                "what": version.what,
                "groups": version.groups,
                "same_as": version.same_as,
                "identical": version.identical,
                "ms": version.times,
            })
        });
        json!({
            "pipeline": self.name,
            "params": self.values,
            "original_ms": self.original,
            "versions": versions.collect::<Vec<Value>>(),
        })
    }
}

fn print_head(arguments: &Arguments, wanted: &[&Variant]) {
    println!("Machine: {}", machine());
    println!(
        "{}: {}, {}",
        arguments.cc,
        version(&arguments.cc),
        arguments.cflags
    );
    let clock = match Clock::from_environment() {
        Clock::Wall => "elapsed",
        Clock::Processor => "of the processor",
    };
    let (threads, runs) = (arguments.threads, arguments.runs);
    println!("{threads} threads, {runs} timed runs each, times in ms, {clock}");
    if wanted.iter().any(|variant| variant.search.is_some()) {
        println!("{} s for each search", arguments.budget.as_secs());
    }
}

/// The geometric mean; nothing of nothing.
fn mean(ratios: &[f64]) -> Option<f64> {
    let logarithms: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    (!ratios.is_empty()).then(|| (logarithms / ratios.len() as f64).exp())
}

/// Geometric means of one column: by medians and minima over all pipelines, by minima over those
/// with different programs; and how many these are.
struct Means {
    medians: f64,
    minima: f64,
    different: Option<f64>,
    count: usize,
}

fn means(found: &[Pipeline], without: &str, with: &str) -> Option<Means> {
    let ratios = found
        .iter()
        .filter_map(|pipeline| pipeline.ratio(without, with));
    let ratios: Vec<(f64, f64, bool)> = ratios.collect();
    let of = |take: &dyn Fn(&(f64, f64, bool)) -> Option<f64>| {
        ratios.iter().filter_map(take).collect::<Vec<f64>>()
    };
    let different = of(&|r| r.2.then_some(r.1));
    Some(Means {
        medians: mean(&of(&|r| Some(r.0)))?,
        minima: mean(&of(&|r| Some(r.1)))?,
        different: mean(&different),
        count: different.len(),
    })
}

fn print_summary(found: &[Pipeline]) {
    let head: Vec<&str> = found.iter().map(|pipeline| &*pipeline.name).collect();
    println!("\nTime without a part over the time with it, by minima (`=`: the same program)\n");
    println!(
        "| part | without / with | {} | geometric mean, minima | medians | where programs differ | paper |",
        head.join(" | ")
    );
    println!(
        "|---|---|{}---:|---:|---:|---|",
        "---:|".repeat(found.len())
    );
    for column in &COLUMNS {
        let Some(means) = means(found, column.without, column.with) else {
            continue;
        };
        let cells =
            found.iter().map(
                |pipeline| match pipeline.ratio(column.without, column.with) {
                    Some((_, minima, true)) => format!("{minima:.2}"),
                    Some(_) => "=".to_owned(),
                    None => String::new(),
                },
            );
        let different = means
            .different
            .map_or("–".to_owned(), |mean| format!("{mean:.2}"));
        println!(
            "| {} | {} / {} | {} | {:.2} | {:.2} | {different} ({}) | {:.2} ({:.2}) |",
            column.part,
            column.without,
            column.with,
            cells.collect::<Vec<_>>().join(" | "),
            means.minima,
            means.medians,
            means.count,
            column.paper.0,
            column.paper.1,
        );
    }
    let rows = found.iter().filter_map(|pipeline| {
        let tuned = pipeline.tuned()?;
        let (medians, minima, _) = pipeline.ratio(MODEL, tuned.name)?;
        let verdict = match (tuned.same_as == MODEL, minima > LOSS) {
            (true, _) => "the same program",
            (false, true) => "LOSS",
            (false, false) => "",
        };
        Some(format!(
            "| {} | {} | {minima:.3} | {medians:.3} | {verdict} |",
            pipeline.name, tuned.what
        ))
    });
    let rows: Vec<String> = rows.collect();
    if !rows.is_empty() {
        println!("\nThe model's plan beside the autotuner's\n");
        println!("| pipeline | winner | model / winner, minima | medians | |");
        println!("|---|---|---:|---:|---|");
        println!("{}", rows.join("\n"));
    }
}

fn to_json(arguments: &Arguments, found: &[Pipeline]) -> Value {
    let columns = COLUMNS.iter().filter_map(|column| {
        let means = means(found, column.without, column.with)?;
        Some(json!({
            "part": column.part,
            "without": column.without,
            "with": column.with,
            "minima": means.minima,
            "medians": means.medians,
            "different": {"minima": means.different, "pipelines": means.count},
            "paper": {"all": column.paper.0, "different": column.paper.1},
        }))
    });
    json!({
        "machine": machine(),
        "compiler": version(&arguments.cc),
        "cflags": arguments.cflags,
        "threads": arguments.threads,
        "budget_s": arguments.budget.as_secs_f64(),
        "clock": format!("{:?}", Clock::from_environment()).to_lowercase(),
        "columns": columns.collect::<Vec<Value>>(),
        "pipelines": found.iter().map(Pipeline::to_json).collect::<Vec<Value>>(),
    })
}
