//! What was found of loops: tables and sums.

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
    pub size: String,
    pub threads: usize,
    /// The result was not bit-identical, without contraction.
    pub differs: bool,
    /// The result is the original.
    pub as_written: bool,
    /// Times in ms of original and result, for one compiler after the other; none where the result
    /// is the original and there are no peers.
    pub own: Vec<Times>,
    /// Of what each peer made of the original, likewise.
    pub peers: Vec<Times>,
}

impl Row {
    /// How much faster the best result is than the best original, by a statistic.
    fn gain(&self, of: impl Fn(&Times) -> f64) -> f64 {
        if self.as_written {
            return 1.0;
        }
        self.best_of(0, &of) / self.best_of(1, &of)
    }

    /// The best original, 0, or result, 1.
    fn best_of(&self, side: usize, of: impl Fn(&Times) -> f64) -> f64 {
        let some = self.own.iter().skip(side).step_by(2);
        some.map(of).fold(f64::INFINITY, f64::min)
    }

    /// How many times as long as the best result each peer takes, by minima.
    fn ahead(&self) -> Vec<f64> {
        let best = self.best_of(usize::from(!self.as_written), |t| t.min);
        self.peers.iter().map(|peer| peer.min / best).collect()
    }

    /// The same for each compiler by itself, of minima.
    fn gains(&self) -> Vec<f64> {
        let pairs = self.own.chunks_exact(2);
        pairs.map(|pair| pair[0].min / pair[1].min).collect()
    }

    pub fn to_json(&self) -> Value {
        json!({
            "kind": self.kind,
            "loop": self.function,
            "size": self.size,
            "identical": !self.differs,
            "threads": self.threads,
            "as_written": self.as_written,
            "times_ms": self.own,
            "peers_ms": self.peers,
            "gain_of_minima": self.gain(|t| t.min),
            "gain_of_medians": self.gain(|t| t.median),
        })
    }
}

pub fn print_head(compilers: &[String], peers: &[String]) {
    let pairs = compilers.iter();
    let names: Vec<String> = pairs
        .clone()
        .map(|cc| format!("{cc}, original | result"))
        .collect();
    let gains: Vec<&str> = pairs.map(|_| "ratio").collect();
    let peers: Vec<String> = peers
        .iter()
        .map(|peer| format!(" {peer} | it / best |"))
        .collect();
    println!(
        "| kind | loop | size | threads | {} | {} | best / best, minima | medians |{}",
        names.join(" | "),
        gains.join(" | "),
        peers.concat()
    );
    println!(
        "|---|---|---|---:|{}---:|---:|",
        "---:|".repeat(3 * compilers.len() + 2 * peers.len())
    );
}

pub fn print_row(row: &Row) {
    if row.own.is_empty() {
        return;
    }
    let mut line = format!(
        "| {} | {} | {} | {} |",
        row.kind, row.function, row.size, row.threads
    );
    for one in &row.own {
        line += &format!(" {:.2} |", one.min * 1e3);
    }
    for gain in row.gains() {
        line += &format!(" {gain:.2} |");
    }
    line += &format!(
        " {:.2} | {:.2} |",
        row.gain(|t| t.min),
        row.gain(|t| t.median)
    );
    for (peer, ahead) in row.peers.iter().zip(row.ahead()) {
        line += &format!(" {:.2} | {ahead:.2} |", peer.min * 1e3);
    }
    let wrong = if row.differs { " NOT IDENTICAL |" } else { "" };
    println!("{line}{wrong}");
}

/// The geometric mean; 1 of nothing.
fn mean(of: &[f64]) -> f64 {
    let sum: f64 = of.iter().map(|one| one.ln()).sum();
    (sum / of.len().max(1) as f64).exp()
}

/// By kind and number of threads: how many loops, how many stay as written, how many are slower and
/// how much faster they are together.
pub fn print_summary(rows: &[Row], compiles: &[(String, Duration)], peers: &[String]) {
    println!();
    println!(
        "| kind | threads | loops × sizes | as written | below {SLOWER} | minimum | geometric mean | medians |{}",
        peers
            .iter()
            .map(|peer| format!(" {peer} / best | below 1 |"))
            .collect::<String>()
    );
    println!(
        "|---|---:|---:|---:|---:|---:|---:|---:|{}",
        "---:|".repeat(2 * peers.len())
    );
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
        let as_written = some.iter().filter(|row| row.as_written);
        let gains: Vec<f64> = some.iter().map(|row| row.gain(|t| t.min)).collect();
        let medians: Vec<f64> = some.iter().map(|row| row.gain(|t| t.median)).collect();
        let beside = (0..peers.len()).map(|peer| {
            let ahead: Vec<f64> = some.iter().map(|row| row.ahead()[peer]).collect();
            let behind = ahead.iter().filter(|one| **one < 1.0).count();
            format!(" {:.2} | {behind} |", mean(&ahead))
        });
        println!(
            "| {kind} | {threads} | {} | {} | {} | {:.2} | {:.2} | {:.2} |{}",
            some.len(),
            as_written.count(),
            gains.iter().filter(|gain| **gain < SLOWER).count(),
            gains.iter().copied().fold(f64::INFINITY, f64::min),
            mean(&gains),
            mean(&medians),
            beside.collect::<String>(),
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
