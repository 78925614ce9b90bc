//! `tilewright reuse`

use super::{Outcome, milliseconds};
use crate::arguments::{ReuseArguments, TextChoice};
use crate::progress::Progress;
use crate::terminal::{Failure, print, print_json};
use serde_json::json;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;
use tilewright::analysis::region::Region;
use tilewright::codegen::c::{check, identifiers, within};
use tilewright::compile::regions;
use tilewright::diagnostic::{Code, Diagnostic};
use tilewright::frontend::c::rewrite::{Replacement, edits, put_in};
use tilewright::plan::defaults;
use tilewright::reuse::ReuseError;
use tilewright::reuse::analysis::Analysis;
use tilewright::reuse::code::{Program, Target, generate};
use tilewright::reuse::report::{MemoryReport, Report, Wanted};
use tilewright::source::Source;
use tilewright_driver::host::output;
use tilewright_driver::host::preprocess::preprocess;

/// Says what the tiles of each region load, store and keep.
pub fn run(arguments: &ReuseArguments, colour: bool) -> Result<Outcome, Failure> {
    let standard = arguments.text.output.as_deref() == Some(Path::new("-"));
    if standard && arguments.json {
        let message = "--json prints a report where the text would go: give --output a file";
        return Err(Failure::usage(message.to_owned()));
    }
    if let Some(path) = arguments.text.output.as_deref().filter(|_| !standard) {
        if arguments.file.exists() {
            output::check(path, &[&*arguments.file])?;
        }
    }
    let wanted = wanted(arguments)?;
    if arguments.text.pragmas && arguments.text.target != TextChoice::Hls {
        let message = "--pragmas are for --target hls".to_owned();
        return Err(Failure::usage(message));
    }
    let target = match arguments.text.target {
        TextChoice::C => Target::C,
        TextChoice::Openmp => Target::OpenMp,
        TextChoice::OpenmpTarget => Target::OpenMpTarget,
        TextChoice::Hls => Target::Synthesis {
            pragmas: arguments.text.pragmas,
            at_most: wanted.params.clone(),
        },
    };
    let progress = Progress::new(colour);
    progress.at("preprocess");
    let source = preprocess(&arguments.file, &arguments.c.toolchain()).map_err(|diagnostic| {
        let text = super::readable(&arguments.file);
        let name = arguments.file.display().to_string();
        let source = Source {
            name,
            text,
            preprocessed: String::new(),
            ..Source::default()
        };
        Failure::refused(vec![*diagnostic], Some(source))
    })?;
    progress.at("analyse");
    let all = regions(&source, arguments.budget)
        .map_err(|diagnostics| Failure::refused(diagnostics, Some(source.clone())))?;
    known(&wanted.params, &all)?;
    let mut text = String::new();
    let mut reports = Vec::new();
    let mut texts = Vec::new();
    for region in &all {
        let refuse = |error: ReuseError| refused(&error, region, &source);
        let begin = Instant::now();
        let analysis = Analysis::of(region, &arguments.options()).map_err(refuse)?;
        let report = Report::of(region, &analysis, &wanted).map_err(refuse)?;
        let ms = milliseconds(begin);
        text += &shown(&report);
        let sizes = report.chosen.as_ref().map(|choice| choice.sizes.clone());
        reports.push(json!({ "tiles": report, "analysis_ms": ms }));
        if arguments.text.output.is_some() {
            progress.at("generate");
            let overlap = arguments.transfers.overlap.overlap();
            let memory = analysis.memory(overlap, true).map_err(refuse)?;
            let sizes = sizes.or(wanted.sizes.clone());
            let program = Program {
                region,
                tiling: &analysis.tiling,
                accesses: &analysis.accesses,
                transfers: &analysis.transfers,
                memory: &memory,
                overlap,
                target: &target,
                sizes: &sizes
                    .unwrap_or_else(|| vec![defaults::REUSE_TILE; analysis.tiling.sizes.len()]),
            };
            let generated = generate(&program, &identifiers(&source.preprocessed));
            let text = within(&region.scop, &generated.map_err(refuse)?);
            texts.push(Replacement {
                check: check(&region.scop, true)
                    .map_err(ReuseError::from)
                    .map_err(refuse)?,
                ..Replacement::always(region.scop.place.span, text)
            });
        }
    }
    progress.end();
    if let Some(path) = &arguments.text.output {
        let generated = put_in(&source.text, &edits(&source, &texts, &[]));
        if standard {
            print(&generated)?;
            return Ok(Outcome::Done);
        }
        output::write(path, generated.as_bytes())?;
    }
    if arguments.json {
        print_json(&json!({ "file": arguments.file, "regions": reports }))?;
    } else {
        print(&text)?;
    }
    Ok(Outcome::Done)
}

fn wanted(arguments: &ReuseArguments) -> Result<Wanted, Failure> {
    let mut params = Vec::new();
    for (name, text) in &arguments.sizes.params {
        let value = text.parse().map_err(|_| {
            Failure::usage(format!(
                "`{text}` is no value of a parameter: `{name}` is an integer"
            ))
        })?;
        params.push((name.clone(), value));
    }
    let limit = arguments.sizes.minimise.and(arguments.sizes.local_memory);
    Ok(Wanted {
        params,
        sizes: arguments.sizes.tile_sizes.clone(),
        limit: limit.map(|bytes| (bytes, arguments.transfers.overlap.overlap())),
    })
}

/// Refuses values of what no region has.
fn known(values: &[(String, i64)], regions: &[Region]) -> Result<(), Failure> {
    let params = regions.iter().flat_map(|region| &region.scop.params);
    let mut names: Vec<&str> = params.map(|param| param.spelling.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    match values
        .iter()
        .find(|(name, _)| !names.contains(&name.as_str()))
    {
        Some((name, _)) => Err(Failure::usage(format!(
            "no loop depends on a parameter `{name}`; there are: {}",
            names.join(", ")
        ))),
        None => Ok(()),
    }
}

fn refused(error: &ReuseError, region: &Region, source: &Source) -> Failure {
    let mut diagnostic =
        Diagnostic::error(Code::NotApplicable, error.to_string()).at(region.scop.place.span, "");
    if let Some(help) = error.help() {
        diagnostic = diagnostic.help(help);
    }
    Failure::refused(vec![diagnostic], Some(source.clone()))
}

/// A report as text.
fn shown(report: &Report) -> String {
    let mut text = format!(
        "Region {} in `{}`\n\nMapping\n",
        report.index, report.function
    );
    for line in &report.mapping {
        let _ = writeln!(text, "  {line}");
    }
    let origin = report.tiles.first + report.tiles.tiled;
    let _ = writeln!(
        text,
        "  tiled: dimensions {} to {}, by {}; strips of {}",
        report.tiles.first,
        origin - 1,
        report.tiles.sizes.join(" x "),
        report.tiles.strip
    );
    let names: Vec<String> = (0..origin).map(|k| format!("i{k}")).collect();
    for (title, load) in [("Loads", true), ("Stores", false)] {
        let _ = writeln!(text, "\n{title} of the tile at [{}]", names.join(", "));
        let lines = report.arrays.iter();
        let lines: Vec<&String> = lines
            .flat_map(|own| if load { &own.load } else { &own.store })
            .collect();
        if lines.is_empty() {
            text += "  none\n";
        }
        for line in lines {
            let _ = writeln!(text, "  {line}");
        }
    }
    let _ = writeln!(text, "\nLocal memory, where {}", report.memory.assumed);
    for (title, memory) in [
        ("sequential", &report.memory.sequential),
        ("double buffering", &report.memory.double),
    ] {
        match memory {
            MemoryReport::Unknown { reason } => text += &format!("  {title}: {reason}\n"),
            MemoryReport::Known(arrays) => {
                let _ = writeln!(text, "  {title}");
                for (array, moduli) in arrays {
                    let moduli: Vec<String> = moduli.iter().map(|m| format!("[{m}]")).collect();
                    let _ = writeln!(text, "    {array}{}", moduli.concat());
                }
            }
        }
    }
    text += "\nElements moved per full strip\n";
    for own in &report.arrays {
        let shown =
            |formula: &Option<String>| formula.clone().unwrap_or("no polynomial".to_owned());
        let _ = writeln!(
            text,
            "  {}: {} loaded, {} stored{}",
            own.array,
            shown(&own.loads_per_strip),
            shown(&own.stores_per_strip),
            match &own.uncounted {
                Some(why) => format!(" (by sampling: {why})"),
                None => String::new(),
            }
        );
    }
    if let Some(total) = &report.total {
        let _ = writeln!(text, "  in total, where all strips are full: {total}");
    }
    if let Some(choice) = &report.chosen {
        let sizes = report.tiles.sizes.iter().zip(&choice.sizes);
        let sizes: Vec<String> = sizes.map(|(n, s)| format!("{n} = {s}")).collect();
        let _ = writeln!(
            text,
            "\nChosen: {}; {} bytes of local memory, {} bytes moved as predicted",
            sizes.join(", "),
            choice.local,
            choice.moved.bytes
        );
    }
    if let Some(moved) = &report.counted {
        let _ = writeln!(
            text,
            "\nMoved in total, counted: {} loads, {} stores, {} bytes",
            moved.loads, moved.stores, moved.bytes
        );
    }
    text.push('\n');
    text
}
