//! `tilewright run`

use super::{Outcome, Work, data, devices, milliseconds, report};
use crate::arguments::RunArguments;
use crate::progress::Progress;
use crate::terminal::{Failure, print, print_json, say};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};
use tilewright::compile::Target;
use tilewright_driver::diagnostics::{self, Renderer};
use tilewright_driver::host::cplusplus::only_c;
use tilewright_driver::host::machine::Known;
use tilewright_driver::host::output;
use tilewright_driver::measure::experiment::{Arguments, Experiment, OnDevice, Values};
use tilewright_driver::measure::fair::Fair;
use tilewright_driver::measure::job::{Comparison, LIBRARY_TOLERANCE, Timing};
use tilewright_driver::measure::run::Progress as Event;
use tilewright_driver::measure::statistics::Times;

/// Below so much of the original's speed a result is slower than it: less is the machine's.
const LOSS: f64 = 0.97;

/// What came out.
struct Findings {
    comparison: Comparison,
    /// What came out with other values of scalars.
    also: Vec<(Values, Comparison)>,
    timing: Option<Timing>,
    fair: Option<Fair>,
    build_ms: f64,
    notes: Vec<String>,
}

impl Findings {
    /// All comparisons, that with the values of `--param` first.
    fn comparisons(&self) -> impl Iterator<Item = &Comparison> {
        std::iter::once(&self.comparison).chain(self.also.iter().map(|(_, other)| other))
    }

    fn identical(&self) -> bool {
        self.comparisons().all(Comparison::identical)
    }

    fn max_abs_diff(&self) -> f64 {
        self.comparisons()
            .map(Comparison::max_abs_diff)
            .fold(0.0, f64::max)
    }
}

/// Compiles a file, runs original and result, compares and times.
pub fn run(arguments: &RunArguments, colour: bool) -> Result<Outcome, Failure> {
    let given = &arguments.experiment;
    let values = data::values(given)?;
    let inputs = data::files(&given.input, "--input")?;
    let outputs = data::files(&arguments.output, "--output")?;
    if given.file.exists() {
        let mut read: Vec<&Path> = inputs.iter().map(|(_, path)| &**path).collect();
        read.push(&given.file);
        for (_, path) in &outputs {
            output::check(path, &read)?;
        }
    }
    let toolchain = given.toolchain();
    let progress = Progress::new(colour);
    arguments.plan.check()?;
    let known = arguments.plan.model.known()?;
    let mut options = arguments.plan.options(&known);
    options.limits.region_time = Duration::from_secs_f64(given.time_limit);
    data::plan_for(given, &mut options.wishes, arguments.plan.model.cores);
    if let Some(wishes) = &mut options.wishes.device {
        let asked = &arguments.plan.device;
        let (given, named) = (asked.max_shared_memory, asked.named.is_some());
        devices::limit(wishes, given, named, options.target, &toolchain)?;
    }
    let plan = arguments.plan.plan.as_deref();
    only_c(&given.file)?;
    let work = Work::new(&given.file, &toolchain, &options, plan, &progress)?;
    work.check_estimates(&arguments.plan.model.estimates)?;
    let interface = data::choose(&work.compiled.interfaces, given)?;
    let also = data::other_values(&values, &arguments.also);
    for values in std::iter::once(&values).chain(&also) {
        data::check_names("run", interface, given, &arguments.output, values)?;
    }

    let runner = data::runner(given)?;
    let experiment = Experiment {
        source: &work.source,
        path: &given.file,
        result: &work.compiled.text,
        device: on_device(&work, options.target),
        interface,
        toolchain: &toolchain,
        runner,
        arguments: Arguments {
            values,
            fill: given.fill,
            seed: arguments.seed,
            inputs,
            outputs,
        },
        runs: arguments.runs,
    };
    if arguments.fair && (experiment.device.is_some() || arguments.runs == Some(0)) {
        let message = "--fair times builds for processors: leave out `--target` and `--runs 0`";
        return Err(Failure::usage(message.to_owned()));
    }
    let found = measure(&experiment, also, arguments, &progress).map_err(|diagnostic| {
        progress.end();
        Failure::refused(vec![*diagnostic], Some(work.source.clone()))
    })?;
    progress.end();
    work.warn(colour);
    for note in &found.notes {
        say(format_args!("note: {note}"));
    }
    if arguments.json {
        print_json(&object(arguments, &work, &experiment, &found, &known))?;
    } else {
        print(&text(&work, &experiment, &found))?;
    }
    if found.identical() || accepted(&work, &found) {
        return Ok(Outcome::Done);
    }
    for comparison in found.comparisons().filter(|one| !one.identical()) {
        say(format_args!(
            "{}",
            Renderer::new(colour).render(&comparison.difference(), None)
        ));
    }
    Ok(Outcome::Differs)
}

/// What a region needs on a device, where one runs there.
pub(super) fn on_device(work: &Work, target: Target) -> Option<OnDevice<'_>> {
    let text = work.compiled.device.as_deref()?;
    Some(OnDevice {
        target,
        file: target.own_file().map(|_| text),
    })
}

/// Whether the result differs by no more than functions of C's library do between devices, or sums
/// in another order.
fn accepted(work: &Work, found: &Findings) -> bool {
    let exact = work.compiled.inexact.is_empty() && work.compiled.reordered.is_empty();
    let within = |one: &Comparison| one.within(LIBRARY_TOLERANCE);
    !exact && found.comparisons().all(within)
}

fn measure(
    experiment: &Experiment<'_>,
    also: Vec<Values>,
    arguments: &RunArguments,
    progress: &Progress,
) -> tilewright_driver::Result<Findings> {
    progress.at("build");
    let begin = Instant::now();
    let built = match experiment.runs {
        Some(0) => experiment.build_to_compare()?,
        _ => experiment.build()?,
    };
    let build_ms = milliseconds(begin);
    let mut notes: Vec<String> = Vec::new();
    let observe = |step: &'static str| {
        move |event: Event, notes: &mut Vec<String>| match event {
            Event::Call { side, of: 1, .. } => progress.at(format!("{step}: {}", side.name())),
            Event::Call { run, of, .. } | Event::Turn { run, of, .. } => {
                progress.run(step, run, of);
            }
            Event::At(what) => progress.at(format!("{step}: {what}")),
            Event::Note(note) if notes.contains(&note) => {}
            Event::Note(note) => notes.push(note),
        }
    };
    let check = observe("check");
    let comparison = experiment.check(&built, &mut |event| check(event, &mut notes))?;
    let mut others = Vec::new();
    for values in also {
        let mut observe = |event| check(event, &mut notes);
        let comparison = experiment.check_with(&built, &values, &mut observe)?;
        others.push((values, comparison));
    }
    if arguments.hold {
        hold();
    }
    let time = observe("time");
    let mut observe_time = |event| time(event, &mut notes);
    let timing = match experiment.runs {
        Some(0) => None,
        _ if arguments.alone => Some(experiment.time_alone(&built, &mut observe_time)?),
        _ => Some(experiment.time(&built, &mut observe_time)?),
    };
    let compilers = observe("compilers");
    let fair = match arguments.fair {
        true => Some(Fair::of(experiment, &mut |event| {
            compilers(event, &mut notes);
        })?),
        false => None,
    };
    notes.extend(comparison.not_numbers(&experiment.interface.function));
    Ok(Findings {
        comparison,
        also: others,
        timing,
        fair,
        build_ms,
        notes,
    })
}

/// Says that the comparison is done, and waits for a line, or the end, of standard input.
fn hold() {
    // Whoever does not listen any more does not answer either.
    let _ = print("compared\n");
    let _ = std::io::stdin().read_line(&mut String::new());
}

fn object(
    arguments: &RunArguments,
    work: &Work,
    experiment: &Experiment<'_>,
    found: &Findings,
    known: &Known,
) -> Value {
    let times = |of: fn(&Timing) -> &Vec<f64>| {
        let all = found.timing.as_ref().map(of).filter(|all| !all.is_empty());
        all.map(|all| Times::new(all.clone()))
    };
    let (original, result) = (times(|t| &t.original), times(|t| &t.result));
    let speedup = original
        .as_ref()
        .zip(result.as_ref())
        .map(|(o, r)| o.median / r.median);
    let arrays: Vec<Value> = found
        .comparison
        .arrays
        .iter()
        .map(|(shape, difference)| {
            json!({
                "name": shape.name,
                "extents": shape.extents,
                "element_bytes": shape.element.bytes(),
                "differing": difference.differing,
                "first": difference.first,
                "max_abs_diff": difference.max_abs_diff,
                "not_a_number": difference.not_a_number,
            })
        })
        .collect();
    let also: Vec<Value> = (found.also.iter())
        .map(|(values, comparison)| {
            json!({
                "params": data::values_json(values),
                "identical": comparison.identical(),
                "max_abs_diff": comparison.max_abs_diff(),
            })
        })
        .collect();
    json!({
        "file": arguments.experiment.file,
        "function": experiment.interface.function,
        "identical": found.identical(),
        "accepted": found.identical() || accepted(work, found),
        "also": also,
        "inexact": work.compiled.inexact,
        "reordered": work.compiled.reordered,
        "kernels_ms": times(|t| &t.kernels),
        "launches": found.timing.as_ref().map(|timing| timing.launches),
        "max_abs_diff": found.max_abs_diff(),
        "threads": experiment.runner.threads,
        "original_ms": original,
        "result_ms": result,
        "speedup": speedup,
        "fair": found.fair.as_ref().map(|fair| json!({
            "builds": fair.builds(),
            "unable": fair.unable(),
            "speedup": fair.gain().0,
        })),
        "timed_max_abs_diff": found.timing.as_ref().and_then(|timing| timing.max_abs_diff),
        "params": data::parameters_json(experiment),
        "seed": experiment.arguments.seed,
        "arrays": arrays,
        "regions": work.compiled.regions,
        "plan": work.compiled.plan,
        "cc": experiment.toolchain.cc,
        "cflags": experiment.toolchain.cflags.join(" "),
        "preprocess_ms": work.preprocess_ms,
        "compile_ms": work.compile_ms,
            "steps": work.steps_json(),
        "build_ms": found.build_ms,
        "machine_file": known.file,
        "warnings": diagnostics::to_json(&work.compiled.warnings, Some(&work.source)),
        "notes": found.notes,
    })
}

fn text(work: &Work, experiment: &Experiment<'_>, found: &Findings) -> String {
    let mut text = String::new();
    let function = &experiment.interface.function;
    for region in work
        .compiled
        .regions
        .iter()
        .filter(|region| region.function == *function)
    {
        text += &report::stages(region);
        text += "\n";
        text += &report::groups(region);
        text += "\n";
    }
    text += &data::heading(experiment);
    text += &format!(
        " compiled in {:.0} ms, built by `{} {}`\n\n",
        work.compile_ms,
        experiment.toolchain.cc,
        experiment.toolchain.cflags.join(" ")
    );
    if let Some(timing) = &found.timing {
        let all = [
            ("original", &timing.original),
            ("result", &timing.result),
            ("without copies", &timing.kernels),
        ];
        let there = all.iter().filter(|(_, times)| !times.is_empty());
        let mut table = report::table(["", "median", "minimum", "runs"]);
        for (name, times) in there {
            let times = Times::new((*times).clone());
            table.add_row([
                (*name).into(),
                report::number(format!("{} ms", report::significant(times.median))),
                report::number(format!("{} ms", report::significant(times.min))),
                report::number(times.runs),
            ]);
        }
        text += &report::lines(&table);
        text += "\n";
        if !timing.original.is_empty() {
            let median = |times: &Vec<f64>| Times::new(times.clone()).median;
            text += &match median(&timing.original) / median(&timing.result) {
                speedup if speedup >= 1.0 => format!(" {speedup:.2}× faster\n"),
                speedup => format!(" {:.2}× slower\n", 1.0 / speedup),
            };
        }
    }
    if let Some(fair) = &found.fair {
        text += &compilers(fair);
        if fair.gain().0 < LOSS {
            text += &loss(work, experiment);
        }
    }
    if found.identical() {
        text += " identical to the original";
        text += &match found.also.len() {
            0 => "\n".to_owned(),
            1 => ", with the other values too\n".to_owned(),
            several => format!(", with the {several} sets of other values too\n"),
        };
    } else if accepted(work, found) {
        let device = match work.compiled.inexact.join(", ") {
            none if none.is_empty() => None,
            functions => Some(format!("{functions} of the device")),
        };
        let sums = match work.compiled.reordered.join(", ") {
            none if none.is_empty() => None,
            arrays => Some(format!("sums into {arrays} in another order")),
        };
        let why: Vec<String> = device.into_iter().chain(sums).collect();
        text += &format!(
            " equal to the original up to {:.1e}: {}\n",
            found.max_abs_diff(),
            why.join("; ")
        );
    }
    for (name, path) in &experiment.arguments.outputs {
        text += &format!(" {name} written to {}\n", path.display());
    }
    text
}

/// What helps where the fastest result is slower than the fastest original, and what was predicted.
fn loss(work: &Work, experiment: &Experiment<'_>) -> String {
    let function = &experiment.interface.function;
    let regions = work.compiled.regions.iter();
    let mut text = String::new();
    for region in regions.filter(|region| region.function == *function) {
        if let Some(predicted) = &region.original.predicted {
            text += &format!(
                " predicted of region {} on one thread, with {} for all sizes: {:.2}× as fast\n",
                region.index,
                predicted.size,
                predicted.written / predicted.result
            );
        }
    }
    text + " `tilewright tune` keeps in a plan what it measures to be the fastest, the original, too\n"
}

/// What each compiler made of original and result, and how the faster ones compare.
fn compilers(fair: &Fair) -> String {
    let mut table = report::table(["built by", "original", "result"]);
    let time = |times: &Times| report::number(format!("{} ms", report::significant(times.median)));
    for builds in fair.builds() {
        table.add_row([
            (&builds.compiler).into(),
            time(&builds.original),
            time(&builds.result),
        ]);
    }
    let (gain, original, result) = fair.gain();
    let verdict = match gain {
        gain if gain >= 1.0 => format!("{gain:.2}× faster"),
        gain => format!("{:.2}× slower", 1.0 / gain),
    };
    let mut text = format!(
        "\n{}\n {verdict} than the fastest original: {result} against {original}\n",
        report::lines(&table)
    );
    for compiler in fair.unable() {
        text += &format!(" {compiler} is there, and cannot build them\n");
    }
    text
}
