//! Cases as text: a C file whose first lines say how it is compiled, called and compared.
//!
//! ```text
//! // found: differs: run 3 memory 0 element 5: 7 became 0
//! // seed: 1:77
//! // options: --shape none --tile-sizes 4,4
//! // memory: f32:-4..5 i32:0..7:sorted f64:0..0
//! // run: 5 3 | 15 15 8 | 5 7 0
//! ```
//!
//! `memory` is what `p[0]`, `p[1]`, … of `entry` point to: element type and least and greatest
//! value. Each `run` is a call: the numbers `s[0]`, `s[1]`, …, then of each piece of memory its
//! number of elements, then its greatest value in this run.

use crate::choices::Words;
use crate::tree::{Fill, Memory, Run, Type};
use std::fmt;

/// A program with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What went wrong.
    pub found: String,
    /// Seed and number of the program.
    pub seed: String,
    /// Words of the command line.
    pub words: Words,
    /// What `entry` gets.
    pub memory: Vec<Memory>,
    /// How it is called.
    pub runs: Vec<Run>,
    /// The C file.
    pub text: String,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one_line = self.found.replace('\n', " ");
        writeln!(f, "// found: {}", one_line.trim())?;
        writeln!(f, "// seed: {}", self.seed)?;
        writeln!(f, "// options: {}", self.words.join(" "))?;
        write!(f, "// memory:")?;
        for memory in &self.memory {
            let Fill { low, high, sorted } = memory.fill;
            let sorted = if sorted { ":sorted" } else { "" };
            write!(f, " {}:{low}..{high}{sorted}", memory.ty.word())?;
        }
        writeln!(f)?;
        for run in &self.runs {
            let words = |of: Vec<String>| of.join(" ");
            writeln!(
                f,
                "// run: {} | {} | {}",
                words(run.numbers.iter().map(i64::to_string).collect()),
                words(run.counts.iter().map(usize::to_string).collect()),
                words(run.highs.iter().map(i64::to_string).collect())
            )?;
        }
        f.write_str(&self.text)
    }
}

impl Case {
    /// Reads what `Display` writes.
    pub fn parse(text: &str) -> Option<Case> {
        let mut case = Case {
            found: String::new(),
            seed: String::new(),
            words: Words::new(),
            memory: Vec::new(),
            runs: Vec::new(),
            text: String::new(),
        };
        let mut rest = text;
        while let Some((line, behind)) = rest.split_once('\n') {
            let Some((name, value)) = line.strip_prefix("// ").and_then(|l| l.split_once(':'))
            else {
                break;
            };
            let value = value.trim();
            match name {
                "found" => case.found = value.to_owned(),
                "seed" => case.seed = value.to_owned(),
                "options" => case.words = options(value),
                "memory" => {
                    case.memory = value
                        .split_whitespace()
                        .map(memory)
                        .collect::<Option<_>>()?
                }
                "run" => case.runs.push(run(value)?),
                _ => break,
            }
            rest = behind;
        }
        case.text = rest.to_owned();
        let fits = |run: &Run| {
            run.counts.len() == case.memory.len() && run.highs.len() == case.memory.len()
        };
        (!case.memory.is_empty() && case.runs.iter().all(fits)).then_some(case)
    }
}

/// Words with their values.
pub fn options(text: &str) -> Words {
    let mut words = Words::new();
    for word in text.split_whitespace() {
        match words.last_mut() {
            Some(last) if !word.starts_with("--") => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

fn memory(word: &str) -> Option<Memory> {
    let mut parts = word.split(':');
    let ty = Type::parse(parts.next()?)?;
    let (low, high) = parts.next()?.split_once("..")?;
    Some(Memory {
        ty,
        fill: Fill {
            low: low.parse().ok()?,
            high: high.parse().ok()?,
            sorted: parts.next() == Some("sorted"),
        },
    })
}

fn run(text: &str) -> Option<Run> {
    let parts: Vec<&str> = text.split('|').collect();
    let [numbers, counts, highs] = parts[..] else {
        return None;
    };
    fn all<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
        text.split_whitespace().map(|w| w.parse().ok()).collect()
    }
    Some(Run {
        numbers: all(numbers)?,
        counts: all(counts)?,
        highs: all(highs)?,
    })
}
