//! What becomes of texts before they are parsed, by the rules of C's preprocessor.

mod macros;
mod texts;

use super::*;

/// A text's lines as the parser sees them, without blanks at their ends.
fn lines(text: &str) -> Vec<String> {
    let prepared =
        prepare("f.c", text).unwrap_or_else(|problem| panic!("{}: {text}", problem.what));
    let lines = prepared.text.lines().map(|line| line.trim().to_owned());
    lines.collect()
}

/// The lines that count.
fn kept(text: &str) -> Vec<String> {
    let mut lines = lines(text);
    lines.retain(|line| !line.is_empty());
    lines
}

fn refused(text: &str) -> (String, u32) {
    match prepare("f.c", text) {
        Ok(prepared) => panic!("{text}: {}", prepared.text),
        Err(Problem { what, line }) => (what, line),
    }
}
