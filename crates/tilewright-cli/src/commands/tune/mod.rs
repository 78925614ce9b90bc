//! `tilewright tune`

mod watch;

use super::run::on_device;
use super::{Outcome, Work, data, devices, report};
use crate::arguments::{ShapeChoice, TuneArguments};
use crate::progress::Progress;
use crate::terminal::{Failure, print, print_json, say};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tilewright::compile::Options;
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::plan::{Plan, RegionPlan, Shape};
use tilewright::planner::cost::Objective;
use tilewright_driver::diagnostics::{self, Renderer};
use tilewright_driver::host::cplusplus::only_c;
use tilewright_driver::host::device::Device;
use tilewright_driver::host::output;
use tilewright_driver::measure::experiment::{Arguments, Experiment};
use tilewright_driver::measure::statistics::Times;
use tilewright_driver::tune::{
    Candidate, Findings, Laboratory, Log, Search, Settings, Space, hash, identify, interrupt,
};
use watch::Watch;

/// How a plan that was found here begins.
const MARK: &str = "# Found by `tilewright tune`";

/// How many rejected candidates are named.
const NAMED: usize = 3;

/// How many rows the table of the best has, besides the default plan and the original.
const ROWS: usize = 5;

/// Searches for the plan with which a file is fastest, and saves it.
pub fn run(arguments: &TuneArguments, colour: bool) -> Result<Outcome, Failure> {
    let given = &arguments.experiment;
    let values = data::values(given)?;
    let inputs = data::files(&given.input, "--input")?;
    let shapes = shapes(arguments)?;
    let space = arguments.space().map_err(Failure::usage)?;
    let files = Files::new(arguments)?;
    if given.file.exists() {
        files.check(arguments, inputs.iter().map(|(_, path)| &**path))?;
    }
    let toolchain = given.toolchain();
    let mut options = Options {
        target: arguments.target.target(),
        ..Options::default()
    };
    options.limits.region_time = Duration::from_secs_f64(given.time_limit);
    let known = arguments.machine.known()?;
    options.wishes.machine = known.machine;
    options.wishes.objective = Objective::Time(known.rates);
    data::plan_for(given, &mut options.wishes, None);
    let device = if options.target.is_device() {
        let wishes = options.wishes.device.get_or_insert_default();
        let device = devices::limit(wishes, None, false, options.target, &toolchain)?;
        Some(device)
    } else {
        None
    };
    let progress = Progress::new(colour);
    only_c(&given.file)?;
    let work = Work::new(&given.file, &toolchain, &options, None, &progress)?;
    let interface = data::choose(&work.compiled.interfaces, given)?;
    data::check_names("tune", interface, given, &[], &values)?;
    let experiment = Experiment {
        source: &work.source,
        path: &given.file,
        result: &work.compiled.text,
        device: on_device(&work, options.target),
        interface,
        toolchain: &toolchain,
        runner: data::runner(given)?,
        arguments: Arguments {
            values,
            fill: given.fill,
            seed: arguments.seed,
            inputs,
            outputs: Vec::new(),
        },
        runs: None,
    };
    let candidates = space.candidates(shapes.as_deref(), arguments.seed);
    let mut identity = identify(&experiment)?;
    if let Some(device) = &device {
        let mut add = |name: &str, value: String| identity.0.insert(name.to_owned(), value);
        add("target", options.target.name().to_owned());
        add("device", format!("{}, {}", device.name, device.platform));
        let own = work.compiled.device.as_deref().unwrap_or_default();
        add("kernels of the default plan", hash(own.as_bytes()));
    }
    if known.file.is_some() {
        // What candidates mean depends on it.
        let text = format!("{:?} {:?}", options.wishes.machine, known.rates);
        let name = "machine file".to_owned();
        identity.0.insert(name, hash(text.as_bytes()));
    }
    let mut log = Log::open(&files.log, &identity)?;

    let watch = Watch::new(progress, arguments.budget.0);
    let refused = |diagnostic: Box<Diagnostic>| {
        watch.end();
        Failure::refused(vec![*diagnostic], Some(work.source.clone()))
    };
    let step = |what: &str| watch.step(what);
    interrupt::watch();
    let choice = work.compiled.plan.clone();
    let bench = Laboratory::new(experiment.clone(), options, choice, &step);
    let mut bench = match bench {
        // The signal also ended the C compiler.
        Err(_) if interrupt::interrupted() => {
            watch.end();
            return Ok(interrupted(None));
        }
        bench => bench.map_err(refused)?,
    };
    let search = Search {
        bench: &mut bench,
        log: &mut log,
        candidates: &candidates,
        settings: Settings {
            budget: arguments.budget.0,
            runs: arguments.runs,
        },
        interrupted: &interrupt::interrupted,
        observe: &mut |event| watch.see(&event),
    };
    let found = search.run().map_err(refused)?;
    watch.end();
    work.warn(colour);
    let all = Outcomes {
        arguments,
        space,
        device: device.as_ref(),
        work: &work,
        experiment: &experiment,
        notes: notes(&found, &log, bench.notes()),
        found: &found,
        files: &files,
    };
    for note in &all.notes {
        say(format_args!("note: {note}"));
    }
    finish(&all, colour)
}

/// All that there is to report.
struct Outcomes<'a> {
    arguments: &'a TuneArguments,
    space: Space,
    device: Option<&'a Device>,
    work: &'a Work,
    experiment: &'a Experiment<'a>,
    found: &'a Findings,
    files: &'a Files,
    notes: Vec<String>,
}

/// Says that a search was interrupted, and what is left of it.
fn interrupted(log: Option<&Path>) -> Outcome {
    match log {
        Some(log) => say(format_args!(
            "interrupted: what was measured is in {}; the same command goes on from there, and \
             with --budget 0s chooses among what there is",
            log.display()
        )),
        None => say(format_args!("interrupted: nothing has been measured")),
    }
    Outcome::Interrupted
}

/// Saves the plan and says what came out.
fn finish(all: &Outcomes<'_>, colour: bool) -> Result<Outcome, Failure> {
    let Outcomes { found, files, .. } = all;
    if let Some((candidate, plan, times)) = found.winner() {
        let text = saved(all.experiment, found, (candidate, plan, times))?;
        output::write(&files.plan, text.as_bytes())?;
    }
    if all.arguments.json {
        print_json(&object(all))?;
    } else if found.winner().is_some() {
        print(&text(all))?;
    }
    if found.interrupted {
        let any = found.counts.left < found.counts.candidates;
        return Ok(interrupted(any.then_some(&*files.log)));
    }
    if found.winner().is_some() {
        return Ok(Outcome::Done);
    }
    let (code, message) = match found.counts.differing {
        0 => (Code::RunFailed, "no candidate could be measured"),
        _ => {
            let message = "no candidate computes what the original does";
            (Code::ResultDiffers, message)
        }
    };
    let mut diagnostic = Diagnostic::error(code, message);
    for (candidate, reason) in found.rejected.iter().take(NAMED) {
        diagnostic = diagnostic.note(format!("{candidate}: {reason}"));
    }
    if code == Code::RunFailed {
        return Err(Box::new(diagnostic).into());
    }
    let help = "this is a mistake of tilewright unless the program's results depend on where it is \
                in memory: `tilewright run` shows more";
    say(format_args!(
        "{}",
        Renderer::new(colour).render(&diagnostic.help(help), None)
    ));
    Ok(Outcome::Differs)
}

/// Where results go.
struct Files {
    plan: PathBuf,
    log: PathBuf,
}

impl Files {
    fn new(arguments: &TuneArguments) -> Result<Files, Failure> {
        let stem = arguments.experiment.file.file_stem().unwrap_or_default();
        let plan = match &arguments.output {
            Some(path) if path == Path::new("-") => {
                let message = "the summary goes to standard output: name a file for the plan";
                return Err(Failure::usage(format!("--output -: {message}")));
            }
            Some(path) => path.clone(),
            None => {
                let mut name = stem.to_owned();
                name.push(".plan.toml");
                PathBuf::from(name)
            }
        };
        let log = arguments.log.clone().unwrap_or_else(|| {
            let name = plan.file_name().unwrap_or_default().to_string_lossy();
            let name = name.strip_suffix(".toml").unwrap_or(&name);
            let name = name.strip_suffix(".plan").unwrap_or(name);
            plan.with_file_name(format!("{name}.tune.jsonl"))
        });
        Ok(Files { plan, log })
    }

    /// Looks before long work whether they can be written.
    fn check<'p>(
        &self,
        arguments: &TuneArguments,
        inputs: impl Iterator<Item = &'p Path>,
    ) -> Result<(), Failure> {
        let mut read: Vec<&Path> = inputs.collect();
        read.push(&arguments.experiment.file);
        output::check(&self.log, &read)?;
        read.push(&self.log);
        output::check(&self.plan, &read)?;
        // A name that the user gave is written to, as by `compile`. One of our making is not,
        // where somebody else's plan has it.
        if arguments.output.is_none() && self.plan.exists() {
            let text = fs::read(&self.plan).unwrap_or_default();
            if !text.starts_with(MARK.as_bytes()) {
                let path = self.plan.display();
                let message = format!("cannot write {path}: it is there, and not from `tune`");
                let help = format!("to replace it, add --output {path}");
                let diagnostic = Diagnostic::error(Code::UnwritableOutput, message).help(help);
                return Err(Box::new(diagnostic).into());
            }
        }
        Ok(())
    }
}

fn shapes(arguments: &TuneArguments) -> Result<Option<Vec<Shape>>, Failure> {
    let Some(given) = &arguments.shape else {
        return Ok(None);
    };
    let mut shapes = Vec::new();
    for choice in given {
        match choice.shape() {
            Some(shape) if shapes.contains(&shape) => {}
            Some(shape) => shapes.push(shape),
            None => {
                debug_assert_eq!(*choice, ShapeChoice::Auto);
                let message = "--shape auto: the default plan is tried anyway; name shapes";
                return Err(Failure::usage(message.to_owned()));
            }
        }
    }
    Ok(Some(shapes))
}

/// What was not as it should be.
fn notes(found: &Findings, log: &Log, more: &[String]) -> Vec<String> {
    let mut notes = [&found.notes, more].concat();
    if log.unreadable() > 0 {
        let (path, lines) = (log.path().display(), log.unreadable());
        notes.push(format!(
            "{lines} of the lines of {path} could not be read and count for nothing"
        ));
    }
    // Where there is no winner, the message that says so names them.
    if found.winner().is_none() && !found.interrupted {
        return notes;
    }
    for (candidate, reason) in found.rejected.iter().take(NAMED) {
        notes.push(format!("rejected {candidate}: {reason}"));
    }
    if found.rejected.len() > NAMED {
        let (count, path) = (found.rejected.len() - NAMED, log.path().display());
        notes.push(format!(
            "{count} more were rejected, for reasons that are in {path}"
        ));
    }
    notes
}

/// The plan as it is saved, with a comment that says where it comes from.
fn saved(
    experiment: &Experiment<'_>,
    found: &Findings,
    (candidate, plan, times): (&Candidate, &Plan, &Times),
) -> Result<String, Failure> {
    let original = stays(experiment, found);
    let plan = match original {
        true => left(plan, &experiment.interface.function),
        false => plan.clone(),
    };
    let plan = plan.to_toml().map_err(|reason| {
        let message = format!("the plan cannot be written: {reason}");
        Box::new(Diagnostic::error(Code::Internal, message))
    })?;
    let ms = |times: &Times| format!("{} ms", report::significant(times.median));
    let mut compared = format!("original {}", ms(&found.original));
    if let Some(default) = found
        .default_plan()
        .filter(|_| !candidate.is_planners_choice())
    {
        compared = format!("default plan {}, {compared}", ms(default));
    }
    let compared = match original {
        true => format!("the original stays: {compared}; {candidate} {}", ms(times)),
        false => format!("{candidate}: median {}; {compared}", ms(times)),
    };
    Ok(format!(
        "{MARK} for{}# {compared}\n\n{plan}",
        data::heading(experiment),
    ))
}

/// Whether the original is the best plan. Beside a device's text it is not: what runs there was asked
/// for.
fn stays(experiment: &Experiment<'_>, found: &Findings) -> bool {
    experiment.device.is_none() && found.original_is_fastest()
}

/// A plan with the regions of a function as they were.
fn left(plan: &Plan, function: &str) -> Plan {
    let mut plan = plan.clone();
    for region in plan.regions.iter_mut().filter(|of| of.function == function) {
        *region = RegionPlan::untouched(function, region.index);
    }
    plan
}

fn object(all: &Outcomes<'_>) -> Value {
    let Outcomes {
        arguments,
        space,
        device,
        work,
        experiment,
        found,
        files,
        notes,
    } = all;
    let ratio = |slow: Option<&Times>| {
        let (_, _, fast) = found.winner()?;
        slow.map(|slow| slow.median / fast.median)
    };
    let one = |(candidate, plan, times): &(Candidate, Plan, Times)| {
        json!({
            "candidate": candidate,
            "default_plan": candidate.is_planners_choice(),
            "ms": times,
            "plan": plan,
        })
    };
    let rejected: Vec<Value> = found
        .rejected
        .iter()
        .map(|(candidate, reason)| json!({"candidate": candidate, "reason": reason}))
        .collect();
    let measured = (!found.finalists.is_empty()).then_some(&found.original);
    json!({
        "file": arguments.experiment.file,
        "function": experiment.interface.function,
        "params": data::parameters_json(experiment),
        "threads": experiment.runner.threads,
        "cc": experiment.toolchain.cc,
        "cflags": experiment.toolchain.cflags.join(" "),
        "target": arguments.target.target().name(),
        "device": device,
        "space": space,
        "seed": arguments.seed,
        "budget_s": arguments.budget.0.as_secs_f64(),
        "counts": found.counts,
        "interrupted": found.interrupted,
        "original_ms": measured,
        "original_is_fastest": stays(experiment, found),
        "default_plan_ms": found.default_plan(),
        "winner": found.winner().map(one),
        "speedup_over_default_plan": ratio(found.default_plan()),
        "speedup_over_original": ratio(measured),
        "finalists": found.finalists.iter().map(one).collect::<Vec<_>>(),
        "rejected": rejected,
        "plan": found.winner().map(|_| &files.plan),
        "log": files.log,
        "warnings": diagnostics::to_json(&work.compiled.warnings, Some(&work.source)),
        "notes": notes,
    })
}

fn text(all: &Outcomes<'_>) -> String {
    let Outcomes {
        space,
        device,
        experiment,
        found,
        files,
        ..
    } = all;
    let mut text = data::heading(experiment);
    if let Some(device) = device {
        text += &format!(" on {}, without copies there and back\n", device.name);
    }
    text += &format!(" {}\n\n", counts(*space, found));
    let mut table = report::table(["", "median", "minimum", "runs"]);
    let mut row = |name: String, times: &Times| {
        table.add_row([
            name.into(),
            report::number(format!("{} ms", report::significant(times.median))),
            report::number(format!("{} ms", report::significant(times.min))),
            report::number(times.runs),
        ]);
    };
    for (number, (candidate, _, times)) in found.finalists.iter().enumerate() {
        if number < ROWS || candidate.is_planners_choice() {
            row(candidate.to_string(), times);
        }
    }
    row("original".to_owned(), &found.original);
    text += &report::lines(&table);
    if let Some((candidate, _, times)) = found.winner() {
        let against = |other: &Times| match other.median / times.median {
            ratio if ratio >= 1.0 => format!("{ratio:.2}× faster"),
            ratio => format!("{:.2}× slower", 1.0 / ratio),
        };
        let original = format!("{} than the original", against(&found.original));
        text += &match found.default_plan() {
            Some(_) if candidate.is_planners_choice() => {
                format!("\n the default plan is the fastest, {original}\n")
            }
            Some(default) => {
                let default = format!("{} than the default plan", against(default));
                format!("\n {default}, {original}\n")
            }
            None => format!("\n {original}\n"),
        };
        text += " identical to the original\n";
        if stays(experiment, found) {
            text += " the original is the fastest: in the plan its loops stay as they were\n";
        }
        let (plan, log) = (files.plan.display(), files.log.display());
        text += &format!(" plan written to {plan}, measurements to {log}\n");
    }
    text
}

/// `space wide: 42 of 1597 candidates tried, …`
fn counts(space: Space, found: &Findings) -> String {
    let counts = &found.counts;
    let tried = counts.candidates - counts.left;
    let mut parts = vec![format!("{} measured", counts.measured)];
    if counts.stopped > 0 {
        parts.push(format!("{} of them given up early", counts.stopped));
    }
    for (count, what) in [
        (counts.same_plan, "with the plan of another"),
        (counts.refused, "refused"),
        (counts.failed, "not built or run"),
        (counts.differing, "with other results"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    let mut text = format!(
        "space {space}: {tried} of {} candidates tried",
        counts.candidates
    );
    if counts.from_log > 0 {
        text += &format!(", {} of them earlier", counts.from_log);
    }
    text + ": " + &parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_regions_of_one_function_are_left() {
        let of = |function: &str, index| RegionPlan::new(function, index, "affine", Vec::new());
        let plan = Plan {
            version: 1,
            regions: vec![of("f", 0), of("g", 1), of("f", 2)],
        };
        let left = left(&plan, "f");
        let kept: Vec<bool> = left.regions.iter().map(RegionPlan::is_untouched).collect();
        assert_eq!(kept, [true, false, true]);
        assert_eq!(left.regions[2].index, 2);
    }
}
