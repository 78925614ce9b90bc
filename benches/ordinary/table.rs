//! What was found of loops: tables and sums.

use crate::loops::Size;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use tilewright_driver::measure::statistics::Times;

/// Below this share of the better original's speed, a loop is slower.
const SLOWER: f64 = 0.97;

/// A loop with one size and one number of threads.
pub struct Row {
    pub kind: String,
    pub function: String,
    pub size: Size,
    pub threads: usize,
    /// The result was not bit-identical, without contraction.
    pub differs: bool,
    pub found: Found,
}

pub enum Found {
    /// The result is the original.
    AsWritten,
    /// Times in ms of original and result, for one compiler after the other.
    Measured(Vec<Times>),
}

impl Row {
    /// How much faster the best result is than the best original, by a statistic.
    fn gain(&self, of: impl Fn(&Times) -> f64) -> f64 {
        let Found::Measured(times) = &self.found else {
            return 1.0;
        };
        let best = |first: usize| {
            let some = times.iter().skip(first).step_by(2);
            some.map(&of).fold(f64::INFINITY, f64::min)
        };
        best(0) / best(1)
    }

    /// The same for each compiler by itself, of minima.
    fn gains(&self) -> Vec<f64> {
        match &self.found {
            Found::AsWritten => Vec::new(),
            Found::Measured(times) => times
                .chunks_exact(2)
                .map(|pair| pair[0].min / pair[1].min)
                .collect(),
        }
    }

    pub fn to_json(&self) -> Value {
        let times = match &self.found {
            Found::AsWritten => None,
            Found::Measured(times) => Some(times),
        };
        json!({
            "kind": self.kind,
            "loop": self.function,
            "size": self.size.to_string(),
            "identical": !self.differs,
            "threads": self.threads,
            "times_ms": times,
            "gain_of_minima": self.gain(|t| t.min),
            "gain_of_medians": self.gain(|t| t.median),
        })
    }
}

pub fn print_head(compilers: &[String]) {
    let pairs = compilers.iter();
    let names: Vec<String> = pairs
        .clone()
        .map(|cc| format!("{cc}, original | result"))
        .collect();
    let gains: Vec<&str> = pairs.map(|_| "ratio").collect();
    println!(
        "| kind | loop | size | threads | {} | {} | best / best, minima | medians |",
        names.join(" | "),
        gains.join(" | ")
    );
    println!(
        "|---|---|---|---:|{}---:|---:|",
        "---:|".repeat(3 * compilers.len())
    );
}

pub fn print_row(row: &Row) {
    let Found::Measured(times) = &row.found else {
        return;
    };
    let mut line = format!(
        "| {} | {} | {} | {} |",
        row.kind, row.function, row.size, row.threads
    );
    for one in times {
        line += &format!(" {:.2} |", one.min * 1e3);
    }
    for gain in row.gains() {
        line += &format!(" {gain:.2} |");
    }
    let wrong = if row.differs { " NOT IDENTICAL |" } else { "" };
    println!(
        "{line} {:.2} | {:.2} |{wrong}",
        row.gain(|t| t.min),
        row.gain(|t| t.median)
    );
}

/// The geometric mean; 1 of nothing.
fn mean(of: &[f64]) -> f64 {
    let sum: f64 = of.iter().map(|one| one.ln()).sum();
    (sum / of.len().max(1) as f64).exp()
}

/// By kind and number of threads: how many loops, how many stay as written, how many are slower and
/// how much faster they are together.
pub fn print_summary(rows: &[Row], compiles: &[(String, Duration)]) {
    println!();
    println!(
        "| kind | threads | loops × sizes | as written | below {SLOWER} | minimum | geometric mean | medians |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    let mut groups: BTreeMap<(usize, bool, &str), Vec<&Row>> = BTreeMap::new();
    for row in rows {
        groups
            .entry((row.threads, false, &row.kind))
            .or_default()
            .push(row);
        groups
            .entry((row.threads, true, "all"))
            .or_default()
            .push(row);
    }
    for ((threads, _, kind), some) in groups {
        let as_written = some
            .iter()
            .filter(|row| matches!(row.found, Found::AsWritten));
        let gains: Vec<f64> = some.iter().map(|row| row.gain(|t| t.min)).collect();
        let medians: Vec<f64> = some.iter().map(|row| row.gain(|t| t.median)).collect();
        println!(
            "| {kind} | {threads} | {} | {} | {} | {:.2} | {:.2} | {:.2} |",
            some.len(),
            as_written.count(),
            gains.iter().filter(|gain| **gain < SLOWER).count(),
            gains.iter().copied().fold(f64::INFINITY, f64::min),
            mean(&gains),
            mean(&medians),
        );
    }
    println!();
    let mut slow: Vec<(&str, Duration)> = compiles.iter().map(|(f, t)| (f.as_str(), *t)).collect();
    slow.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
    println!("Compile times, ms: {}", histogram(&slow));
    let longest: Vec<String> = slow
        .iter()
        .take(5)
        .map(|(name, time)| format!("{name} {:.0}", time.as_secs_f64() * 1e3))
        .collect();
    println!("Longest: {}", longest.join(", "));
}

/// How many took less than so many milliseconds.
fn histogram(times: &[(&str, Duration)]) -> String {
    let limits = [30, 100, 300, 1000, 3000, 10_000];
    let mut rest = times.len();
    let mut parts = Vec::new();
    for limit in limits {
        let above = times.iter().filter(|(_, t)| t.as_millis() >= limit).count();
        parts.push(format!("below {limit}: {}", rest - above));
        rest = above;
    }
    parts.push(format!("more: {rest}"));
    parts.join(", ")
}
