//! Generated C as C++: the few words that only C has, and conversions from `void *`, which C++ does
//! not do by itself.

use crate::frontend::c::rewrite::{BEGIN, END};
use crate::frontend::c::tokens::tokens;
use crate::source::GENERATED;
use std::collections::BTreeMap;

/// What C and C++ have different words for.
const WORDS: [(&str, &str); 2] = [("restrict", "__restrict"), ("_Bool", "bool")];

/// The text of a region in C++; `names`: what functions of C are called in C++.
pub fn printed(text: &str, names: &BTreeMap<String, String>) -> String {
    let lines = text.lines().map(|line| {
        let mut line = with_words(line, names);
        if let Some((declared, value)) = line.split_once(" = ") {
            let is_memory = value.starts_with("__builtin_malloc(") || value.starts_with("(void *)");
            if let Some(name) = name_of(declared).filter(|_| is_memory) {
                let value = value.strip_prefix("(void *)").unwrap_or(value);
                line = format!("{declared} = (__typeof__({name})){value}");
            }
        }
        line + "\n"
    });
    lines.collect()
}

/// The function in C whose region the text on a line (from 1) stands for.
pub fn generated_for(text: &str, line: usize) -> Option<&str> {
    let lines = text.split_inclusive('\n').take(line);
    let place = lines.map(str::len).sum();
    let begin = text.get(..place)?.rfind(BEGIN)?;
    let end = begin + text[begin..].find(END)?;
    let (_, head) = text[begin..end].split_once(GENERATED)?;
    let head = head.split(" */").next()?;
    (place <= end + END.len()).then_some(())?;
    head.split_once(" of ").map(|(_, function)| function)
}

fn with_words(line: &str, names: &BTreeMap<String, String>) -> String {
    let mut out = String::with_capacity(line.len());
    let mut copied = 0;
    for token in tokens(line) {
        let word = token.text(line);
        let known = WORDS.iter().find(|(known, _)| *known == word);
        let known = known
            .map(|(_, own)| *own)
            .or(names.get(word).map(String::as_str));
        if let Some(own) = known {
            out.push_str(&line[copied..token.start]);
            out.push_str(own);
            copied = token.end;
        }
    }
    out.push_str(&line[copied..]);
    out
}

/// The name that a declaration is of: the last in front of the extents.
fn name_of(declared: &str) -> Option<&str> {
    let mut depth = 0;
    let mut name = None;
    for token in tokens(declared) {
        match token.text(declared) {
            "[" => depth += 1,
            "]" => depth -= 1,
            word if depth == 0 && super::file::is_word(word) => name = Some(word),
            _ => {}
        }
    }
    name
}
