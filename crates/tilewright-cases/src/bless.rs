//! Expectations from what is seen.

use crate::compare::{all, says};
use crate::read::{Expected, INSIDE};
use crate::{Case, Check, Part, Seen};

/// The file with expectations that hold, as far as they are of whole texts or places of messages.
/// Places in messages are those of the file as it was.
pub fn blessed(case: &Case, seen: &[Seen]) -> String {
    let mut lines: Vec<String> = case.text.lines().map(str::to_owned).collect();
    let mut changes: Vec<(usize, usize, Vec<String>)> = Vec::new();
    for (part, seen) in case.parts.iter().zip(seen) {
        if part.checks.is_empty() {
            changes.push((part.end, part.end, fresh(seen)));
        } else if part.is_refused() != seen.refused {
            changes.extend(turned(part, seen));
        } else {
            changes.extend(part.checks.iter().filter_map(|check| changed(check, seen)));
        }
    }
    changes.sort();
    for (from, to, text) in changes.into_iter().rev() {
        lines.splice(from..to, text);
    }
    lines.join("\n") + "\n"
}

/// What a part without expectations gets: what is said, and what came out or whether it is right.
fn fresh(seen: &Seen) -> Vec<String> {
    let mut lines = messages(seen);
    if seen.refused {
        return lines;
    }
    match (&seen.identical, seen.texts.iter().next()) {
        (Some(Ok(())), _) => lines.push("// expect: identical".to_owned()),
        (None, Some((topic, text))) => lines.splice(0..0, block(topic, text)).for_each(drop),
        _ => {}
    }
    lines
}

/// Where what is expected as a whole is of the other outcome: what a part without expectations would
/// get in its place.
fn turned(part: &Part, seen: &Seen) -> Option<(usize, usize, Vec<String>)> {
    let whole = |check: &&Check| {
        matches!(
            check.expected,
            Expected::Messages { .. } | Expected::Text(..)
        )
    };
    if !part.checks.iter().all(|check| whole(&check)) {
        return None;
    }
    let (first, last) = (part.checks.first()?, part.checks.last()?);
    Some((first.line, last.end, fresh(seen)))
}

fn changed(check: &Check, seen: &Seen) -> Option<(usize, usize, Vec<String>)> {
    check.expected.wrong(seen)?;
    let text = match &check.expected {
        Expected::Messages { .. } => messages(seen),
        Expected::Text(topic, _) => block(topic, seen.text(topic)),
        Expected::Message {
            refused,
            code,
            place: Some(_),
            words,
        } => {
            let mut all = seen.messages.iter();
            let found = all.find(|message| says(message, code.as_deref(), words))?;
            let (line, column) = found.place?;
            let key = if *refused { "refused" } else { "warned" };
            let code = code
                .as_ref()
                .map_or(String::new(), |code| format!(" {code}"));
            let line = format!("// {key}:{code} at {line}:{column} {words}");
            vec![line.trim_end().to_owned()]
        }
        _ => return None,
    };
    Some((check.line, check.end, text))
}

/// All messages.
fn messages(seen: &Seen) -> Vec<String> {
    match (seen.refused, seen.messages.is_empty()) {
        (false, true) => vec!["// warned: nothing".to_owned()],
        (true, _) => block("refused", &all(&seen.messages)),
        (false, false) => block("warned", &all(&seen.messages)),
    }
}

/// A text in several lines.
fn block(key: &str, text: &str) -> Vec<String> {
    let inside = text.trim_end().lines().map(|line| match line {
        "" => "//".to_owned(),
        line => format!("{INSIDE}{line}"),
    });
    [format!("// {key}:")].into_iter().chain(inside).collect()
}
