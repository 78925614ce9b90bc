//! Tables and JSON of what was measured.

use super::cases::{Figure, sections};
use super::measure::{Measured, Row};
use serde_json::{Value, json};
use std::fmt::Write;

/// How much less time a version takes than the first one of its program, without copies, medians.
pub fn gain(rows: &[Row], row: &Row) -> Option<f64> {
    let first = rows.iter().find(|other| other.program == row.program)?;
    let (first, own) = (first.outcome.as_ref().ok()?, row.outcome.as_ref().ok()?);
    Some(first.kernels / own.kernels)
}

/// For each version of an experiment, the geometric mean of gains, and of how many programs.
pub fn means(rows: &[Row], figure: Figure) -> Vec<(&'static str, f64, usize)> {
    let versions = figure.versions().iter().map(|version| version.name);
    let mean = |name: &'static str| {
        let own = rows
            .iter()
            .filter(|row| row.figure == figure && row.version == name);
        let gains: Vec<f64> = own.filter_map(|row| gain(rows, row)).collect();
        let logarithms: f64 = gains.iter().map(|gain| gain.ln()).sum();
        let mean = (logarithms / gains.len().max(1) as f64).exp();
        (name, mean, gains.len())
    };
    versions.map(mean).filter(|(.., of)| *of > 0).collect()
}

/// For people, and for the page of results.
pub fn text(triad: f64, rows: &[Row]) -> String {
    let mut text = format!("Triad on the device: {:.1} GB/s\n", triad / 1e9);
    for (figure, own) in sections(rows, |row| row.figure) {
        let baseline = figure.versions()[0].name;
        let _ = write!(
            text,
            "\n{}; times in ms, medians\n\n\
             | program | version | without copies | with copies | launches | µs per launch | \
             compulsory GB/s | of triad | redundancy | {baseline} / it |\n\
             |---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
            figure.title()
        );
        for row in own {
            let _ = writeln!(text, "{}", line(triad, row, gain(rows, row)));
        }
        for (name, mean, of) in means(rows, figure) {
            let _ = writeln!(
                text,
                "| geometric mean of {of} | {name} | | | | | | | | {mean:.2} |"
            );
        }
    }
    text
}

/// A row of the table.
pub fn line(triad: f64, row: &Row, gain: Option<f64>) -> String {
    let cells = match &row.outcome {
        Ok(measured) => cells(measured, triad, gain),
        Err(why) => format!("{why} | | | | | | | "),
    };
    format!("| {} | {} | {cells} |", row.program, row.version)
}

fn cells(measured: &Measured, triad: f64, gain: Option<f64>) -> String {
    let Measured {
        kernels,
        all,
        launches,
        redundancy,
        ..
    } = measured;
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    format!(
        "{kernels:.3} | {all:.3} | {launches:.0} | {:.2} | {:.2} | {} | {} | {}",
        kernels * 1e3 / launches,
        measured.rate() / 1e9,
        percent(measured.rate() / triad),
        redundancy.map_or(String::new(), percent),
        gain.map_or(String::new(), |gain| format!("{gain:.2}")),
    )
}

/// For programs.
pub fn to_json(machine: &str, device: &str, triad: f64, rows: &[Row]) -> Value {
    let one = |row: &Row| {
        let mut object = json!({ "program": row.program, "version": row.version });
        match &row.outcome {
            Err(why) => object["refused"] = json!(why),
            Ok(measured) => {
                object["ms_without_copies"] = json!(measured.kernels);
                object["min_ms_without_copies"] = json!(measured.kernels_min);
                object["ms_with_copies"] = json!(measured.all);
                object["launches"] = json!(measured.launches);
                object["compulsory_bytes"] = json!(measured.bytes);
                object["share_of_triad"] = json!(measured.rate() / triad);
                object["redundancy"] = json!(measured.redundancy);
                object["baseline_over_it"] = json!(gain(rows, row));
            }
        }
        object
    };
    let mean = |figure: Figure| {
        let means = means(rows, figure);
        let means = means.into_iter();
        json!({
            "experiment": figure.title(),
            "versions": means.map(|(name, mean, of)| json!([name, mean, of])).collect::<Vec<_>>(),
        })
    };
    json!({
        "host": machine,
        "device": device,
        "triad_bytes_per_second": triad,
        "rows": rows.iter().map(one).collect::<Vec<_>>(),
        "geometric_means": Figure::ALL.map(mean),
    })
}
