//! A compiled text with marks that say which line of the original each of its lines stands for.
//!
//! Lines of the original keep their numbers. A generated line has the number of the original line that it
//! repeats, as those of loops that are executed as written do, else that of the first line that it stands
//! in place of. Where C compilers understand it, what is generated counts as the system's: they say nothing
//! of it. The original's own statements, which stand in another branch, are the program's.

use std::fmt::Write;
use tilewright::frontend::c::rewrite::Edit;

/// How a file's lines are marked.
#[derive(Clone, Copy, Debug)]
pub struct Marks<'a> {
    /// Its name, as the compiler was given it.
    pub name: &'a str,
    /// Whether only marks of the standard may be used, which cannot say what is the system's.
    pub standard: bool,
}

/// Where a line comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Origin {
    /// A line of the original, from 1.
    line: usize,
    is_generated: bool,
}

/// The text with edits, and marks.
pub fn marked(original: &str, edits: &[Edit], marks: Marks<'_>) -> String {
    let mut lines: Vec<(String, Option<Origin>)> = vec![(String::new(), None)];
    let mut line = 1;
    let mut copied = 0;
    let own = |line| Origin {
        line,
        is_generated: false,
    };
    for edit in edits {
        copy(
            &original[copied..edit.span.start],
            &mut line,
            &mut lines,
            own,
        );
        put(original, edit, line, &mut lines);
        line += newlines(&original[edit.span.start..edit.span.end]);
        copied = edit.span.end;
    }
    copy(&original[copied..], &mut line, &mut lines, own);
    written(&lines, marks)
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}

/// Adds a text of the original, whose first character is on a line.
fn copy(
    text: &str,
    line: &mut usize,
    lines: &mut Vec<(String, Option<Origin>)>,
    own: impl Fn(usize) -> Origin,
) {
    for (number, part) in text.split('\n').enumerate() {
        if number > 0 {
            *line += 1;
            lines.push((String::new(), None));
        }
        if let Some(last) = lines.last_mut() {
            last.0.push_str(part);
            // What begins a line says what it is, unless that is nothing.
            if last.1.is_none() || !part.trim().is_empty() {
                last.1 = Some(own(*line));
            }
        }
    }
}

/// Adds what stands in place of something on a line.
fn put(original: &str, edit: &Edit, line: usize, lines: &mut Vec<(String, Option<Origin>)>) {
    let all: Vec<&str> = original.split('\n').collect();
    let last = line + newlines(&original[edit.span.start..edit.span.end]);
    let replaced: Vec<&str> = (line..=last)
        .filter_map(|number| all.get(number - 1))
        .map(|text| text.trim())
        .collect();
    let texts: Vec<&str> = edit.text.split('\n').collect();
    let stays = original_in(&replaced, &texts);
    let mut repeated = line;
    for (number, text) in texts.iter().enumerate() {
        let origin = match &stays {
            Some((first, count, skipped)) if (*first..first + count).contains(&number) => Origin {
                line: line + skipped + number - first,
                is_generated: false,
            },
            _ => Origin {
                line: repeats(
                    &all,
                    text.trim(),
                    &mut repeated,
                    edit.span.start == edit.span.end,
                )
                .unwrap_or(line),
                is_generated: true,
            },
        };
        if number > 0 {
            lines.push((String::new(), None));
        }
        if let Some(end) = lines.last_mut() {
            end.0.push_str(text);
            if end.1.is_none() || !text.trim().is_empty() {
                end.1 = Some(origin);
            }
        }
    }
}

/// Where the lines that were replaced stand in what replaces them, how many they are, and how many of the
/// first ones are not among them; `None` where they do not.
fn original_in(replaced: &[&str], texts: &[&str]) -> Option<(usize, usize, usize)> {
    let is_code = |line: &&str| !line.is_empty();
    let skipped = replaced.iter().position(is_code)?;
    let end = replaced.iter().rposition(is_code)? + 1;
    let own = &replaced[skipped..end];
    let positions = (0..texts.len().checked_sub(own.len() - 1)?).rev();
    let mut positions = positions.filter(|&first| {
        let these = texts[first..].iter().zip(own);
        these.clone().count() == own.len() && these.into_iter().all(|(a, b)| a.trim() == *b)
    });
    positions.next().map(|first| (first, own.len(), skipped))
}

/// The next line of the original, from one on, that a generated line repeats. `anywhere`: behind what
/// stands in front of a function, of which no line is replaced.
fn repeats(all: &[&str], text: &str, from: &mut usize, anywhere: bool) -> Option<usize> {
    const FAR: usize = 200;
    if !anywhere || !text.bytes().any(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let behind = (*from..all.len() + 1).take(FAR);
    let mut same = behind.filter(|&number| all[number - 1].trim() == text);
    let found = same.next()?;
    *from = found;
    Some(found)
}

fn written(lines: &[(String, Option<Origin>)], marks: Marks<'_>) -> String {
    let name = marks.name.replace('\\', "\\\\").replace('"', "\\\"");
    let mut out = format!("#line 1 \"{name}\"\n");
    let mut next = Origin {
        line: 1,
        is_generated: false,
    };
    let mut goes_on = false;
    for (number, (text, origin)) in lines.iter().enumerate() {
        let origin = origin.unwrap_or(next);
        if origin != next && !goes_on {
            if marks.standard {
                if origin.line != next.line {
                    let _ = writeln!(out, "#line {} \"{name}\"", origin.line);
                }
            } else {
                let system = if origin.is_generated { " 3" } else { "" };
                let _ = writeln!(out, "# {} \"{name}\"{system}", origin.line);
            }
            next = origin;
        }
        out.push_str(text);
        if number + 1 < lines.len() {
            out.push('\n');
        }
        next.line += 1;
        goes_on = text.trim_end_matches('\r').ends_with('\\');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Marks, marked};
    use tilewright::frontend::c::rewrite::Edit;
    use tilewright::source::Span;

    /// Lines with the numbers that a compiler gives them; `!` where they are the system's.
    fn numbered(text: &str) -> Vec<String> {
        let (mut number, mut system) = (1, false);
        let mut lines = Vec::new();
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["#", n, _] | ["#line", n, _] => (number, system) = (n.parse().unwrap(), false),
                ["#", n, _, "3"] => (number, system) = (n.parse().unwrap(), true),
                _ => {
                    let mark = if system { "!" } else { "" };
                    lines.push(format!("{number}{mark} {}", line.trim()));
                    number += 1;
                }
            }
        }
        lines
    }

    const ORIGINAL: &str = "int a;\nvoid f(void) {\n  for (;;)\n    x();\n  y(); z();\n}\n";

    fn edit(from: &str, to: &str, text: &str) -> Edit {
        let start = ORIGINAL.find(from).unwrap();
        let end = ORIGINAL.find(to).unwrap() + to.len();
        Edit {
            span: Span::new(start, end),
            text: text.to_owned(),
        }
    }

    #[test]
    fn every_line_says_where_it_is_from() {
        let front = Edit {
            span: Span::new(7, 7),
            text: "static void g(void) {\n  for (;;)\n    x();\n}\n".to_owned(),
        };
        let text = "  {\n  if (c) {\n    fast();\n  } else {\n  for (;;)\n    x();\n  }\n  }";
        let edits = [front, edit("  for", "x();", text)];
        for standard in [false, true] {
            let marks = Marks {
                name: "f.c",
                standard,
            };
            let found = numbered(&marked(ORIGINAL, &edits, marks));
            let mut expected = vec![
                "1 int a;",
                "2! static void g(void) {",
                "3! for (;;)",
                "4! x();",
                "2! }",
                "2 void f(void) {",
                "3! {",
                "3! if (c) {",
                "3! fast();",
                "3! } else {",
                "3 for (;;)",
                "4 x();",
                "3! }",
                "3! }",
                "5 y(); z();",
                "6 }",
            ];
            let plain: Vec<String> = expected
                .iter()
                .map(|line| line.replacen('!', "", 1))
                .collect();
            if standard {
                expected = plain.iter().map(String::as_str).collect();
            }
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn what_shares_a_line_keeps_its_number() {
        let edits = [edit("y();", "y();", "\n  {\n  fast();\n  }\n  ")];
        let marks = Marks {
            name: "f.c",
            standard: false,
        };
        let found = numbered(&marked(ORIGINAL, &edits, marks));
        assert_eq!(
            found[4..],
            ["5 ", "5! {", "5! fast();", "5! }", "5 z();", "6 }"]
        );
    }
}
