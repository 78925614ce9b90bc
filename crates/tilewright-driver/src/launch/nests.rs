//! What became of the loops of a file: a line for each region, and for each part of one that stays.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use tilewright::compile::{Compiled, CompiledRegion};
use tilewright::diagnostic::Diagnostic;
use tilewright::source::Source;

/// What became of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// They have another text.
    Taken,
    /// They have a model, and stay: there is nothing to gain.
    Left,
    /// They have none.
    Refused,
}

/// Loops of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Nest {
    /// The function; empty where that is not known.
    pub function: String,
    /// The line in which they begin, or in which is what they are refused for; from 1.
    pub line: usize,
    /// What became of them.
    pub state: State,
    /// The code of the message that refuses them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Why they stay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The time that was predicted for the loops as they are over that of the text, on one thread, at the size
    /// that predictions are made for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<f64>,
    /// Whether threads are all that the text has to offer.
    pub threads_alone: bool,
    /// The kinds of what is compared in front of them.
    pub assumes: Vec<String>,
}

/// The loops of a file that was compiled.
pub fn nests(source: &Source, compiled: &Compiled) -> Vec<Nest> {
    let line = |offset: usize| source.line_column(offset).0;
    let of_regions = compiled.regions.iter().map(|region| {
        let written = region.original.predicted.as_ref();
        let taken = !region.order.groups.is_empty();
        Nest {
            function: region.function.clone(),
            line: line(region.span.start),
            state: if taken { State::Taken } else { State::Left },
            code: None,
            why: region.original.left.map(str::to_owned),
            gain: written
                .filter(|_| taken)
                .map(|one| one.written / one.result.max(1.0)),
            threads_alone: taken && region.original.stays.on_one_thread,
            assumes: assumptions(region),
        }
    });
    // Regions without a model are said to be refused by messages, of which each has several for a place.
    let mut refused: Vec<Nest> = Vec::new();
    for warning in &compiled.warnings {
        let one = refusal(warning, &line);
        if !refused.iter().any(|other| other.line == one.line) {
            refused.push(one);
        }
    }
    let has_model = |nest: &Nest| nest.state == State::Taken || nest.why.is_some();
    of_regions.filter(has_model).chain(refused).collect()
}

fn assumptions(region: &CompiledRegion) -> Vec<String> {
    let kinds = region
        .checks
        .iter()
        .map(|check| format!("{:?}", check.kind).to_lowercase());
    kinds.collect::<BTreeSet<_>>().into_iter().collect()
}

fn refusal(warning: &Diagnostic, line: &dyn Fn(usize) -> usize) -> Nest {
    let label = warning.labels.iter().find(|label| label.primary);
    let label = label.or(warning.labels.first());
    let message = warning
        .message
        .split_once(": ")
        .map_or(&*warning.message, |(_, why)| why);
    Nest {
        function: String::new(),
        line: label.map_or(0, |label| line(label.start)),
        state: State::Refused,
        code: Some(warning.code.to_owned()),
        why: Some(message.to_owned()),
        gain: None,
        threads_alone: false,
        assumes: Vec::new(),
    }
}
