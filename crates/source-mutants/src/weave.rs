//! A file with all of its mutants in it, each behind its number.
//!
//! ```text
//! a < b       becomes   (match crate::source_mutants_rt::at(7, 2) { 7 => a == b, 8 => a > b, _ => a < b })
//! fn f() {    becomes   fn f() { match crate::source_mutants_rt::at(9, 1) { 9 => return true, _ => {} }
//! X =>        becomes   X if crate::source_mutants_rt::at(10, 1) != 10 =>
//! ```
//!
//! Mutants in mutants are not needed, as one of them is active at a time: what a mutant is put into
//! is the text as it was. Comments with numbers tell which mutant the compiler complains about.

use crate::edit::Edit;
use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// What the crate with mutants asks.
pub const RUNTIME: &str = include_str!("runtime.rs");

const RUNTIME_MODULE: &str =
    "\n#[doc(hidden)]\n#[allow(missing_docs)]\npub mod source_mutants_rt;\n";

/// The text of a crate's root, with the module that answers which mutant is active.
pub fn with_runtime(text: &str) -> String {
    format!("{text}{RUNTIME_MODULE}")
}

/// The text with its mutants; `ids` are their numbers at run time, in a row for each edit.
pub fn weave(text: &str, edits: &[Edit], ids: &HashMap<usize, u32>) -> String {
    let mut weaver = Weaver {
        text,
        edits,
        next: 0,
        ids,
    };
    let woven = weaver.until(0, text.len());
    assert_eq!(
        weaver.next,
        edits.len(),
        "edits that are neither in each other nor apart"
    );
    woven
}

struct Weaver<'a> {
    text: &'a str,
    edits: &'a [Edit],
    next: usize,
    ids: &'a HashMap<usize, u32>,
}

impl Weaver<'_> {
    /// The text from `from` to `to`, with the edits that lie in it.
    fn until(&mut self, from: usize, to: usize) -> String {
        let mut out = String::new();
        let mut at = from;
        while let Some(edit) = self.edits.get(self.next) {
            if edit.start() >= to || edit.end() > to {
                break;
            }
            self.next += 1;
            out.push_str(&self.text[at..edit.start()]);
            let ids: Vec<u32> = edit.mutants().iter().map(|m| self.ids[m]).collect();
            let asked = format!("crate::source_mutants_rt::at({}, {})", ids[0], ids.len());
            // A line comment at a text's end must not take the rest of the line with it.
            match edit {
                Edit::Choice { range, texts } => {
                    let _ = writeln!(out, "/*[{}*/(match {asked} {{", ids[0]);
                    for ((_, text), id) in texts.iter().zip(&ids) {
                        let _ = writeln!(out, "{id} => /*<{id}*/ {text}\n/*>{id}*/,");
                    }
                    let rest = self.until(range.start, range.end);
                    let _ = write!(out, "_ => {rest}\n}})/*]{}*/", ids[0]);
                }
                Edit::Return { texts, .. } => {
                    let _ = write!(out, " match {asked} {{ ");
                    for ((_, text), id) in texts.iter().zip(&ids) {
                        let _ = write!(out, "{id} => /*<{id}*/ return {text} /*>{id}*/, ");
                    }
                    out.push_str("_ => {} } ");
                }
                Edit::Guard { .. } => {
                    let id = ids[0];
                    let _ = write!(out, " if /*<{id}*/ {asked} != {id} /*>{id}*/ ");
                }
            }
            at = edit.end();
        }
        out.push_str(&self.text[at..to]);
        out
    }
}

/// The marks of a woven file: what in it belongs to which mutant.
pub struct Marks {
    /// Texts of single mutants.
    texts: Vec<(Range<usize>, u32)>,
    /// Choices, by the first of their numbers.
    choices: Vec<(Range<usize>, u32)>,
    /// Early returns, with the whole rest of the file.
    returns: Vec<(Range<usize>, u32)>,
}

impl Marks {
    /// Reads the marks.
    pub fn of(woven: &str) -> Marks {
        let texts = marked(woven, "/*<", "/*>");
        let returns = texts
            .iter()
            .filter(|(range, _)| woven[range.clone()].contains("*/ return "))
            .map(|(range, id)| (range.start..woven.len(), *id))
            .collect();
        Marks {
            choices: marked(woven, "/*[", "/*]"),
            returns,
            texts,
        }
    }

    /// What an error at some bytes is about: the mutant whose text is there; or else the innermost
    /// choice around, or the choices inside, or the early return in front, by one of its mutants,
    /// and all of it (`true`).
    pub fn at(&self, place: &Range<usize>) -> Vec<(u32, bool)> {
        let innermost = |marks: &[(Range<usize>, u32)], all: bool| -> Vec<(u32, bool)> {
            let around = |(range, _): &&(Range<usize>, u32)| range.contains(&place.start);
            marks
                .iter()
                .rev()
                .find(around)
                .map(|(_, id)| (*id, all))
                .into_iter()
                .collect()
        };
        let inside = || -> Vec<(u32, bool)> {
            let inside = self
                .choices
                .iter()
                .filter(|(range, _)| place.contains(&range.start));
            inside.map(|(_, id)| (*id, true)).collect()
        };
        let ways: [&dyn Fn() -> Vec<(u32, bool)>; 4] = [
            &|| innermost(&self.texts, false),
            &|| innermost(&self.choices, true),
            &inside,
            &|| innermost(&self.returns, true),
        ];
        ways.iter()
            .map(|way| way())
            .find(|found| !found.is_empty())
            .unwrap_or_default()
    }
}

/// The mutants that take away an arm of the match whose operand is at some bytes: where it is not
/// exhaustive, the compiler names the operand, not the arm.
pub fn arms_at(woven: &str, place: &Range<usize>) -> Vec<u32> {
    struct Finder<'a> {
        woven: &'a str,
        place: &'a Range<usize>,
        found: Vec<u32>,
    }
    impl<'ast> Visit<'ast> for Finder<'_> {
        fn visit_expr_match(&mut self, node: &'ast syn::ExprMatch) {
            if node.expr.span().byte_range().start == self.place.start {
                for arm in &node.arms {
                    let Some((word, guard)) = &arm.guard else {
                        continue;
                    };
                    let range = word.span().byte_range().start..guard.span().byte_range().end;
                    let first = marked_numbers(&self.woven[range], "/*<").into_iter().next();
                    self.found.extend(first.map(|(_, id)| id));
                }
            }
            visit::visit_expr_match(self, node);
        }
    }
    let Ok(file) = syn::parse_file(woven) else {
        return Vec::new();
    };
    let mut finder = Finder {
        woven,
        place,
        found: Vec::new(),
    };
    finder.visit_file(&file);
    finder.found
}

/// Where the marks are, and their numbers.
fn marked_numbers(woven: &str, mark: &str) -> Vec<(usize, u32)> {
    let number = |at: usize| woven[at + mark.len()..].split("*/").next()?.parse().ok();
    woven
        .match_indices(mark)
        .filter_map(|(at, _)| Some((at, number(at)?)))
        .collect()
}

/// From each mark that opens to the one that closes it, with its number.
fn marked(woven: &str, open: &str, close: &str) -> Vec<(Range<usize>, u32)> {
    let ends: HashMap<u32, usize> = marked_numbers(woven, close)
        .into_iter()
        .map(|(at, id)| (id, at))
        .collect();
    let starts = marked_numbers(woven, open).into_iter();
    starts
        .filter_map(|(at, id)| Some((at..*ends.get(&id)?, id)))
        .collect()
}
