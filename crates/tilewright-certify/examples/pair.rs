//! Compares two preprocessed files: `pair original.i result.i [full]`.
use std::time::Instant;
use tilewright_certify::{Effort, Options, Text, certify};

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let read = |name: &str| std::fs::read_to_string(name).unwrap_or_default();
    let [original, result, rest @ ..] = &files[..] else {
        return;
    };
    let (a, b) = (read(original), read(result));
    let options = Options {
        effort: if rest.iter().any(|r| r == "full") {
            Effort::Full
        } else {
            Effort::Quick
        },
        steps: rest.iter().find_map(|r| r.parse().ok()),
        ..Options::default()
    };
    let start = Instant::now();
    let text = |name, preprocessed| Text { name, preprocessed };
    let found = certify(&text("", &a), &text("", &b), &options);
    let time = start.elapsed();
    println!("{result}: {:?}", found.verdict);
    if let tilewright_certify::Verdict::Differs(d) = &found.verdict {
        println!("  {d}");
    }
    println!(
        "  {} runs, {} refused, {} steps, {} of {} lines, {time:?}",
        found.runs, found.refused, found.steps, found.coverage.reached, found.coverage.lines
    );
    if rest.iter().any(|r| r == "inputs") {
        found.inputs.iter().for_each(|i| println!("  {i}"));
        println!("  never {:?}", found.coverage.never);
    }
}
