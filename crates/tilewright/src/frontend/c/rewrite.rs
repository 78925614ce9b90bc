//! Generated text into the original file.
//!
//! What changes: the statements between the pragmas become the generated text, and the two
//! pragmas become comments, so that the result is plain C (`-Wunknown-pragmas` stays silent) and
//! is not taken for input a second time. Comments on the pragmas' lines stay. Everything else is
//! kept byte for byte: line ends, tabs, a missing line end at the end of the file.
//!
//! The generated text is indented as the first line of the region was, and gets the line ends of
//! the line of `#pragma scop`.

use super::syntax::Region;
use super::tokens::{Token, tokens};
use crate::source::GENERATED;
use crate::source::{Source, Span};

/// What `#pragma scop` becomes.
pub const BEGIN: &str = "/* tilewright: begin */";
/// What `#pragma endscop` becomes.
pub const END: &str = "/* tilewright: end */";

/// Margin of what stands inside of a condition.
const INSIDE: &str = "    ";

/// The function whose generated region this place of a compiled file is in.
pub fn generated_for(text: &str, place: usize) -> Option<&str> {
    let begin = text.get(..place)?.rfind(GENERATED)?;
    if text[begin..place].contains(END) {
        return None;
    }
    let head = text[begin + GENERATED.len()..].split(" */").next()?;
    head.split_once(" of ").map(|(_, function)| function)
}

/// What stands in place of a region.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// What it replaces: the region's [`Scop::span`](crate::scop::Scop::span).
    pub span: Span,
    /// The generated text.
    pub text: String,
    /// A condition in C. Where it does not hold, the region's own statements are executed, which
    /// stand behind the generated text byte for byte.
    pub check: Option<String>,
    /// The same: whether there is enough to do for what the text costs.
    pub enough: Option<String>,
    /// The same, where it has nothing to offer but threads: there is more than one. A variable
    /// that nothing else in the file is called, for their number.
    pub threads: Option<String>,
    /// Where there is one, it still has where this condition holds.
    pub alone_if: Option<String>,
}

/// What stands in front of a condition on the number of threads, in a block. Without OpenMP there
/// is one thread.
fn count(name: &str, enough: Option<&str>) -> Vec<String> {
    let mut lines = vec![
        format!("int {name} = 1;"),
        "#ifdef _OPENMP".to_owned(),
        "extern int omp_get_max_threads(void);".to_owned(),
    ];
    match enough {
        Some(enough) => {
            lines.push(format!("if ({enough})"));
            lines.push(format!("{INSIDE}{name} = omp_get_max_threads();"));
        }
        None => lines.push(format!("{name} = omp_get_max_threads();")),
    }
    lines.push("#endif".to_owned());
    lines
}

/// Replaces regions. They may come in any order; one that overlaps an earlier one is left as it
/// was.
pub fn splice(source: &Source, regions: &[Replacement]) -> String {
    let text = source.text.as_str();
    let tokens = tokens(text);
    let mut sorted: Vec<&Replacement> = regions.iter().collect();
    sorted.sort_by_key(|region| region.span.start);
    let generated: usize = regions.iter().map(|region| 2 * region.text.len()).sum();
    let mut out = String::with_capacity(text.len() + generated);
    let mut copied = 0;
    for Replacement {
        span,
        text: generated,
        check,
        enough,
        threads,
        alone_if,
    } in sorted
    {
        let opening = line_before(&tokens, span.start);
        let closing = line_behind(&tokens, span.end);
        let first = opening.map_or(span.start, |s| s.start);
        let parts = (text.get(copied..first), text.get(span.start..span.end));
        let (Some(before), Some(old)) = parts else {
            continue;
        };
        out.push_str(before);
        if let Some(opening) = opening {
            out.push_str(BEGIN);
            out.push_str(text.get(opening.end..span.start).unwrap_or(""));
        }
        let line_end = if text[..span.start].ends_with("\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        let indentation = indentation(old)
            .or_else(|| indentation(&text[line_start(text, first)..]))
            .unwrap_or("");
        let mut lines = |margin: &str, lines: &str| {
            for line in lines.lines() {
                let line = line.trim_end();
                if !line.is_empty() {
                    out.push_str(indentation);
                    out.push_str(margin);
                    out.push_str(line);
                }
                out.push_str(line_end);
            }
        };
        // A block around it makes it one statement.
        let within = if threads.is_some() { INSIDE } else { "" };
        let mut conditions = Vec::new();
        match (threads, enough) {
            (Some(name), enough) => {
                lines("", "{");
                for line in count(name, enough.as_deref()) {
                    lines(within, &line);
                }
                conditions.push(match alone_if {
                    Some(all) if all.contains("&&") => format!("{name} > 1 || ({all})"),
                    Some(alone_if) => format!("{name} > 1 || {alone_if}"),
                    None => format!("{name} > 1"),
                });
            }
            (None, Some(enough)) => conditions.push(enough.clone()),
            (None, None) => {}
        }
        conditions.extend(check.clone());
        if let [_, _, ..] = conditions[..] {
            for one in conditions.iter_mut().filter(|one| one.contains("||")) {
                *one = format!("({one})");
            }
        }
        if conditions.is_empty() {
            lines("", generated);
        } else {
            lines(within, &format!("if ({}) {{", conditions.join(" && ")));
            lines(&format!("{within}{INSIDE}"), generated);
            lines(within, "} else {");
            out.push_str(old);
            if !old.ends_with('\n') {
                out.push_str(line_end);
            }
            out.push_str(&format!("{indentation}{within}}}{line_end}"));
            if threads.is_some() {
                out.push_str(&format!("{indentation}}}{line_end}"));
            }
        }
        copied = span.end;
        if let Some(closing) = closing {
            out.push_str(text.get(span.end..closing.start).unwrap_or(""));
            out.push_str(END);
            copied = closing.end;
        }
    }
    out.push_str(text.get(copied..).unwrap_or(""));
    out
}

/// The preprocessed text with one region replaced, as [`splice`] does it in the file itself, but
/// however much there is to do. Macros that the generated text defines are not expanded.
pub fn splice_preprocessed(
    source: &Source,
    region: &Region,
    generated: &str,
    check: Option<&str>,
) -> String {
    let text = source.preprocessed.as_str();
    let place = region.preprocessed;
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or("");
    let behind = source.line_column(region.span.end).0 + 1;
    let mut out = String::with_capacity(text.len() + 2 * generated.len());
    out.push_str(part(0, place.start));
    out.push_str(BEGIN);
    out.push('\n');
    match check {
        None => out.push_str(generated),
        Some(check) => {
            out.push_str(&format!("if ({check}) {{\n{generated}\n}} else {{\n"));
            let old = part(place.start, place.end);
            for line in old.lines() {
                let words: Vec<&str> = line.split_whitespace().collect();
                let mark = matches!(words[..], ["#pragma", "scop" | "endscop", ..])
                    || matches!(words[..], ["#", "pragma", "scop" | "endscop", ..]);
                out.push_str(if mark { "" } else { line });
                out.push('\n');
            }
            out.push('}');
        }
    }
    out.push_str(&format!("\n{END}\n# {behind} {:?}\n", source.name));
    out.push_str(part(place.end, text.len()));
    out
}

/// The tokens of the line that ends before `offset`.
fn line_before(tokens: &[Token], offset: usize) -> Option<Span> {
    let behind = tokens.partition_point(|t| t.end <= offset);
    let last = tokens.get(behind.checked_sub(1)?)?;
    let first = tokens[..behind]
        .iter()
        .rev()
        .take_while(|t| t.logical_line == last.logical_line)
        .last()?;
    Some(Span::new(first.start, last.end))
}

/// The tokens of the line that begins at `offset`.
fn line_behind(tokens: &[Token], offset: usize) -> Option<Span> {
    let at = tokens.partition_point(|t| t.start < offset);
    let first = tokens.get(at)?;
    let last = tokens[at..]
        .iter()
        .take_while(|t| t.logical_line == first.logical_line)
        .last()?;
    Some(Span::new(first.start, last.end))
}

fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |p| p + 1)
}

/// The blanks before the first line that holds something other than a directive.
fn indentation(text: &str) -> Option<&str> {
    let mut lines = text.lines().filter(|l| !l.trim().is_empty());
    let line = lines
        .clone()
        .find(|l| !l.trim_start().starts_with('#'))
        .or_else(|| lines.next())?;
    Some(&line[..line.len() - line.trim_start().len()])
}
