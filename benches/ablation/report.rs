//! What was found: tables for each pipeline, geometric means beside the paper's, and JSON.

use super::Arguments;
use super::pipelines::Pipeline;
use super::setting::{machine, version};
use super::variants::{COLUMNS, MODEL, Variant};
use serde_json::{Value, json};
use tilewright_driver::host::clock::Clock;
use tilewright_driver::measure::statistics::Times;

/// How many times the best other version's time the model's plan may take before it is named as a
/// loss: two sittings differ by as much.
const LOSS: f64 = 1.05;

/// One pipeline's versions and their times.
pub struct Found {
    pub pipeline: Pipeline,
    pub original: Times,
    pub versions: Vec<Version>,
}

/// A version of the planner on one pipeline.
pub struct Version {
    pub name: &'static str,
    pub what: String,
    pub groups: usize,
    /// The first version with the same code; itself, if there is none before.
    pub same_as: &'static str,
    pub identical: bool,
    pub times: Times,
}

/// Of two versions' times, and whether they are different programs.
struct Ratio {
    medians: f64,
    minima: f64,
    different: bool,
}

impl Found {
    fn version(&self, name: &str) -> Option<&Version> {
        self.versions.iter().find(|version| version.name == name)
    }

    /// How many times as long `without` takes as `with`.
    fn ratio(&self, without: &str, with: &str) -> Option<Ratio> {
        let (without, with) = (self.version(without)?, self.version(with)?);
        let (a, b) = (&without.times, &with.times);
        Some(Ratio {
            medians: a.median / b.median,
            minima: a.min / b.min,
            different: without.same_as != with.same_as,
        })
    }

    /// The fastest one that the autotuner found, by minima.
    fn tuned(&self) -> Option<&Version> {
        let all = self.versions.iter();
        all.filter(|version| version.name.starts_with("tuned-"))
            .min_by(|a, b| a.times.min.total_cmp(&b.times.min))
    }

    pub fn print(&self) {
        println!("\n{}\n", self.pipeline.title());
        println!("| version | | groups | median | minimum | original / it, medians | minima |");
        println!("|---|---|---:|---:|---:|---:|---:|");
        let original = &self.original;
        println!(
            "| original | | | {:.2} | {:.2} | 1 | 1 |",
            original.median, original.min
        );
        for version in &self.versions {
            let times = &version.times;
            let same = if version.same_as == version.name {
                String::new()
            } else {
                format!(" (the code of {})", version.same_as)
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
            "pipeline": self.pipeline.name,
            "params": self.pipeline.values,
            "original_ms": self.original,
            "versions": versions.collect::<Vec<Value>>(),
        })
    }
}

pub fn print_head(arguments: &Arguments, wanted: &[&Variant]) {
    println!("Machine: {}", machine());
    println!(
        "{}: {}, {}",
        arguments.cc,
        version(&arguments.cc),
        arguments.building.cflags
    );
    let clock = match Clock::from_environment() {
        Clock::Wall => "elapsed",
        Clock::Processor => "of the processor",
    };
    let (threads, runs) = (arguments.threads, arguments.asked.runs);
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

fn means(found: &[Found], without: &str, with: &str) -> Option<Means> {
    let ratios = found.iter().filter_map(|found| found.ratio(without, with));
    let ratios: Vec<Ratio> = ratios.collect();
    let all = |take: fn(&Ratio) -> f64| ratios.iter().map(take).collect::<Vec<f64>>();
    let different = ratios.iter().filter(|ratio| ratio.different);
    let different: Vec<f64> = different.map(|ratio| ratio.minima).collect();
    Some(Means {
        medians: mean(&all(|ratio| ratio.medians))?,
        minima: mean(&all(|ratio| ratio.minima))?,
        different: mean(&different),
        count: different.len(),
    })
}

pub fn print_summary(found: &[Found]) {
    let head: Vec<&str> = found.iter().map(|found| found.pipeline.name).collect();
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
                    Some(ratio) if ratio.different => format!("{:.2}", ratio.minima),
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
    let rows = found.iter().filter_map(|found| {
        let tuned = found.tuned()?;
        let Ratio {
            medians, minima, ..
        } = found.ratio(MODEL, tuned.name)?;
        let verdict = match (tuned.same_as == MODEL, minima > LOSS) {
            (true, _) => "the same program",
            (false, true) => "LOSS",
            (false, false) => "",
        };
        Some(format!(
            "| {} | {} | {minima:.3} | {medians:.3} | {verdict} |",
            found.pipeline.name, tuned.what
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

pub fn to_json(arguments: &Arguments, found: &[Found]) -> Value {
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
        "cflags": arguments.building.cflags,
        "threads": arguments.threads,
        "budget_s": arguments.budget.as_secs_f64(),
        "clock": format!("{:?}", Clock::from_environment()).to_lowercase(),
        "columns": columns.collect::<Vec<Value>>(),
        "pipelines": found.iter().map(Found::to_json).collect::<Vec<Value>>(),
    })
}
