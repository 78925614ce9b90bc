//! What became of mutants, counted by kind.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What became of one mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Fate {
    /// The plan does not fit the program.
    Unfit,
    /// The validator refuses it.
    Refused,
    /// isl's budget or time runs out, which ends such a compile.
    Limit,
    /// No code can be generated for it.
    NoCode,
    /// The certifier finds a difference.
    Differs,
    /// The text cannot be read or executed, and no C compiler takes it.
    NoProgram,
    /// Its text is that of the original.
    SameText,
    /// Executed, and equal.
    Equal,
    /// It does nothing for so long that the certifier gives up: loops over nothing, as far as it
    /// came.
    Slow,
    /// The validator did not see what the certifier sees.
    PastValidator,
    /// Only more execution than with every compile finds a difference.
    PastQuick,
    /// The certifier cannot execute a text that a C compiler takes.
    Unknown,
    /// The certifier does not see what the built program shows.
    Wrong,
}

impl Fate {
    /// All of them, with what stands above their column.
    pub const ALL: [(Fate, &'static str); 13] = [
        (Fate::Unfit, "unfit"),
        (Fate::Refused, "validator"),
        (Fate::Limit, "limit"),
        (Fate::NoCode, "no code"),
        (Fate::Differs, "certifier"),
        (Fate::NoProgram, "no program"),
        (Fate::SameText, "same text"),
        (Fate::Equal, "equal"),
        (Fate::Slow, "too slow"),
        (Fate::PastValidator, "past validator"),
        (Fate::PastQuick, "past quick"),
        (Fate::Unknown, "unknown"),
        (Fate::Wrong, "wrong"),
    ];
}

/// Counts, and how far a run came.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// The next program.
    pub next: u64,
    /// Programs with a region that was changed.
    pub programs: u64,
    /// Mutants by kind, by what was done, by fate.
    pub counts: BTreeMap<String, BTreeMap<String, BTreeMap<Fate, u64>>>,
    /// How many of the equal ones were executed with more inputs, too.
    pub again: u64,
    /// How many of the equal ones were built and executed, too.
    pub built: u64,
    /// Files of what went wrong.
    pub findings: Vec<String>,
    /// Time that passed.
    pub seconds: f64,
}

impl Tally {
    /// Counts one.
    pub fn add(&mut self, kind: &str, done: &str, fate: Fate) {
        let kind = self.counts.entry(kind.to_owned()).or_default();
        let own = kind.entry(done.to_owned()).or_default();
        *own.entry(fate).or_default() += 1;
    }

    /// Moves one to another fate.
    pub fn change(&mut self, kind: &str, done: &str, from: Fate, to: Fate) {
        let of_kind = self.counts.entry(kind.to_owned()).or_default();
        if let Some(count) = of_kind.entry(done.to_owned()).or_default().get_mut(&from) {
            *count = count.saturating_sub(1);
        }
        self.add(kind, done, to);
    }

    /// How many mutants there were.
    pub fn total(&self) -> u64 {
        let all = self.counts.values().flat_map(BTreeMap::values);
        all.flat_map(BTreeMap::values).sum()
    }

    /// How many had this fate.
    pub fn of(&self, fate: Fate) -> u64 {
        let all = self.counts.values().flat_map(BTreeMap::values);
        all.filter_map(|own| own.get(&fate)).sum()
    }

    /// A table in Markdown, a row per kind, or per change of each kind.
    pub fn table(&self, details: bool) -> String {
        let mut text = String::from("| mutants of | number |");
        for (_, name) in Fate::ALL {
            let _ = write!(text, " {name} |");
        }
        text.push_str("\n|---|---:|");
        text.push_str(&"---:|".repeat(Fate::ALL.len()));
        text.push('\n');
        let mut row = |name: &str, own: &BTreeMap<Fate, u64>| {
            let _ = write!(text, "| {name} | {} |", own.values().sum::<u64>());
            for (fate, _) in Fate::ALL {
                let _ = write!(text, " {} |", own.get(&fate).copied().unwrap_or(0));
            }
            text.push('\n');
        };
        let mut sum = BTreeMap::new();
        for (kind, changes) in &self.counts {
            let mut all = BTreeMap::new();
            for (fate, count) in changes.values().flatten() {
                *all.entry(*fate).or_default() += count;
                *sum.entry(*fate).or_default() += count;
            }
            row(kind, &all);
            if details {
                for (change, own) in changes {
                    row(&format!("· {change}"), own);
                }
            }
        }
        row("all", &sum);
        let _ = writeln!(
            text,
            "\n{} mutants of {} programs in {:.0} s; {} of the equal ones executed with more inputs, {} built and executed.",
            self.total(),
            self.programs,
            self.seconds,
            self.again,
            self.built
        );
        text
    }
}
