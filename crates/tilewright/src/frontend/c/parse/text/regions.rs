//! Pairs `#pragma scop` with `#pragma endscop`, and finds what generated text will replace.

use super::outline::Run;
use super::prepare::{Pragma, Prepared};
use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::spans::{Place, SpanMap};
use crate::frontend::c::tokens::{Token, comments, end_of_logical_line, in_comment, tokens};
use crate::source::{Source, Span};
use std::collections::HashSet;

/// A region as the pragmas mark it, or a run of statements of such a region.
#[derive(Clone, Debug)]
pub(in crate::frontend) struct Marked {
    /// Offset of `#pragma scop` in the preprocessed text; the last byte in front of a run.
    pub start: usize,
    /// Offset of `#pragma endscop` in the preprocessed text; one past the last byte of a run.
    pub end: usize,
    /// The line of `#pragma scop` in the original; the first token of a run.
    pub opening: Span,
    /// The line of `#pragma endscop` in the original; the last statement of a run.
    pub closing: Span,
    /// From the line behind the one to the line of the other, in the original; a run.
    pub span: Span,
    /// Whether it is a run of statements: these bytes, in place of lines between pragmas.
    pub is_run: bool,
    /// Why it cannot be replaced by a text.
    pub fixed: Option<Box<Diagnostic>>,
}

impl Marked {
    /// Statements of a region that are one by themselves.
    pub fn run(run: &Run) -> Marked {
        Marked {
            start: run.first.saturating_sub(1),
            end: run.end,
            opening: run.opening,
            closing: run.closing,
            span: run.span,
            is_run: true,
            fixed: None,
        }
    }

    /// Whether a run begins with what begins at this offset.
    pub fn begins_at(&self, offset: usize) -> bool {
        self.is_run && self.start + 1 == offset
    }

    /// Whether a run ends with what ends at this offset.
    pub fn ends_at(&self, offset: usize) -> bool {
        self.is_run && self.end == offset
    }
}

/// All regions of the main file in order, which may be none.
pub(in crate::frontend) fn pair(
    source: &Source,
    prepared: &Prepared,
    map: &SpanMap,
) -> Result<Vec<Marked>, Vec<Diagnostic>> {
    let original = Original::new(source, map);
    let mut regions = vec![];
    let mut mistakes = vec![];
    let mut open: Option<(&Pragma, Span)> = None;
    for pragma in &prepared.pragmas {
        let Place::Main(line) = pragma.place else {
            continue;
        };
        let here = map.line(&source.text, line);
        match (pragma.keyword(), open) {
            ("scop", None) => open = Some((pragma, here)),
            ("scop", Some((opening, first))) => {
                let mistake = Diagnostic::error(
                    Code::UnbalancedPragmas,
                    "a marked region inside a marked region",
                )
                .at(here, "a second `#pragma scop`")
                .also(first, "this region is still open")
                .help("close the first region before this, or remove one of the two");
                let one_block = is_balanced(&prepared.text[opening.offset..pragma.offset]);
                mistakes.push(if one_block {
                    mistake.rewrite("#pragma endscop\n#pragma scop")
                } else {
                    mistake
                });
            }
            ("endscop", Some((opening, span))) => {
                match original.region(opening, pragma, (span, here)) {
                    Ok(region) => regions.push(region),
                    Err(mistake) => mistakes.push(*mistake),
                }
                open = None;
            }
            ("endscop", None) => mistakes.push(
                Diagnostic::error(Code::UnbalancedPragmas, "`#pragma endscop` without `#pragma scop`")
                    .at(here, "no region is open here")
                    .help("put `#pragma scop` on a line of its own before the first statement of the region"),
            ),
            _ => {}
        }
    }
    if let Some((_, span)) = open {
        mistakes.push(
            Diagnostic::error(Code::UnbalancedPragmas, "`#pragma scop` without `#pragma endscop`")
                .at(span, "this region is never closed")
                .help("put `#pragma endscop` on a line of its own behind the last statement of the region"),
        );
    }
    if mistakes.is_empty() {
        Ok(regions)
    } else {
        Err(mistakes)
    }
}

/// Whether a text begins and ends in the same block.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0;
    let tokens = tokens(text);
    let stays = tokens.iter().all(|token| {
        depth += match token.text(text) {
            "{" => 1,
            "}" => -1,
            _ => 0,
        };
        depth >= 0
    });
    stays && depth == 0
}

/// The original text, with what is asked of it for each region.
struct Original<'a> {
    source: &'a Source,
    tokens: Vec<Token>,
    comments: Vec<Span>,
    /// Lines that are not only pragmas and blanks once they are preprocessed.
    busy: HashSet<Place>,
}

impl<'a> Original<'a> {
    fn new(source: &'a Source, map: &SpanMap) -> Original<'a> {
        let tokens_with_text = map
            .tokens
            .iter()
            .enumerate()
            .filter(|(_, t)| t.end > t.start);
        Original {
            source,
            tokens: tokens(&source.text),
            comments: comments(&source.text),
            busy: tokens_with_text.map(|(k, _)| map.place(k)).collect(),
        }
    }

    fn region(
        &self,
        opening: &Pragma,
        closing: &Pragma,
        (opening_line, closing_line): (Span, Span),
    ) -> Result<Marked, Box<Diagnostic>> {
        let (source, original) = (self.source, &self.tokens);
        let shared = |line: Span, what: &str| {
            Diagnostic::error(
                Code::UnbalancedPragmas,
                format!("`{what}` shares its line with other code"),
            )
            .at(line, "only whole lines between the pragmas can be replaced")
            .help("put the pragma on a line of its own, outside of macros that expand to more than it")
        };
        for (pragma, span, what) in [
            (opening, opening_line, "#pragma scop"),
            (closing, closing_line, "#pragma endscop"),
        ] {
            let others = self.busy.contains(&pragma.place);
            let comment = in_comment(&self.comments, line_start(&source.text, span.start));
            if others || comment {
                return Err(Box::new(shared(span, what)));
            }
        }
        let end = line_start(&source.text, closing_line.start);
        let first = original.partition_point(|t| t.start < opening_line.start);
        let line = original.get(first).map_or(0, |t| t.logical_line);
        let last = original[first..]
            .iter()
            .take_while(|t| t.logical_line == line)
            .last();
        let start = end_of_logical_line(&source.text, last.map_or(opening_line.end, |t| t.end));
        if start > end {
            return Err(Box::new(shared(opening_line, "#pragma scop")));
        }
        let span = Span::new(start, end);
        let fixed = match check_directives(&source.text, original, span) {
            Err(mistake) if mistake.code == Code::UnsupportedStatement.name() => Some(mistake),
            checked => checked.map(|()| None)?,
        };
        Ok(Marked {
            fixed,
            start: opening.offset,
            end: closing.offset,
            opening: opening_line,
            closing: closing_line,
            span,
            is_run: false,
        })
    }
}

fn line_start(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset.min(text.len())]
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |p| p + 1)
}

/// Directives in a region go when it is replaced: conditions that are not closed in it, and
/// definitions that text behind it may need, cannot be in it.
pub(in crate::frontend::c::parse) fn check_directives(
    text: &str,
    original: &[Token],
    region: Span,
) -> Result<(), Box<Diagnostic>> {
    let crossing = |span: Span| {
        Diagnostic::error(
            Code::UnbalancedPragmas,
            "a preprocessor condition crosses the border of the region",
        )
        .at(span, "its other part is outside the region")
        .help("put the whole of `#if` … `#endif` inside the region, or outside")
    };
    let first = original.partition_point(|t| t.start < region.start);
    let inside = original.iter().enumerate().skip(first);
    let inside = inside.take_while(|(_, t)| t.end <= region.end);
    let mut open: Vec<Span> = vec![];
    for (k, token) in inside {
        let starts = token.directive
            && k.checked_sub(1).is_none_or(|p| {
                !original[p].directive || original[p].logical_line != token.logical_line
            });
        let Some(word) = original.get(k + 1).filter(|w| starts && w.directive) else {
            continue;
        };
        let span = Span::new(token.start, word.end);
        match word.text(text) {
            "if" | "ifdef" | "ifndef" => open.push(span),
            "endif" if open.pop().is_none() => return Err(Box::new(crossing(span))),
            "else" | "elif" | "elifdef" | "elifndef" if open.is_empty() => {
                return Err(Box::new(crossing(span)));
            }
            name @ ("define" | "undef" | "include" | "line") => {
                let message = format!("`#{name}` inside the region");
                return Err(Box::new(
                    Diagnostic::error(Code::UnsupportedStatement, message)
                        .at(span, "would be lost when the region is replaced")
                        .help("move it before `#pragma scop`"),
                ));
            }
            _ => {}
        }
    }
    match open.pop() {
        Some(span) => Err(Box::new(crossing(span))),
        None => Ok(()),
    }
}

/// The message for a file without a region.
pub(in crate::frontend::c::parse) fn none(
    source: &Source,
    prepared: &Prepared,
    map: &SpanMap,
) -> Diagnostic {
    let mut message = Diagnostic::error(Code::NoRegion, "the file has no marked region");
    if let Some((pragma, line)) = prepared.pragmas.iter().find_map(|p| match p.place {
        Place::Main(line) if looks_like_scop(&p.words) => Some((p, line)),
        _ => None,
    }) {
        return message
            .at(
                map.line(&source.text, line),
                format!("`#pragma {}` is not a mark of tilewright's", pragma.words),
            )
            .help("mark the region with `#pragma scop` and `#pragma endscop`");
    }
    let first_loop = map
        .tokens
        .iter()
        .enumerate()
        .find(|(k, t)| t.text(&prepared.text) == "for" && map.is_main_token(*k));
    if let Some((k, _)) = first_loop {
        message = message.at(
            map.token_span(k),
            "this loop could be the first of a region",
        );
    } else {
        // No place says which file it is.
        message.message = format!("{} has no marked region", source.name);
    }
    if prepared
        .pragmas
        .iter()
        .any(|p| matches!(p.place, Place::Included(_)) && p.keyword() == "scop")
    {
        message = message.note(if has_line_directives(&source.text) {
            "`#line` gives the file's lines to another file; remove it"
        } else {
            "an included file has a marked region; only the file itself is compiled"
        });
    }
    message.help(
        "put `#pragma scop` on a line before the loops and `#pragma endscop` on a line behind them",
    )
}

/// Whether the file says that its lines come from elsewhere, as generated files do.
fn has_line_directives(text: &str) -> bool {
    let directive = |line: &str| {
        line.trim_start()
            .strip_prefix('#')
            .map(str::trim_start)
            .map(str::to_string)
    };
    let moves =
        |rest: String| rest.starts_with("line") || rest.starts_with(|c: char| c.is_ascii_digit());
    text.lines().filter_map(directive).any(moves)
}

fn looks_like_scop(words: &str) -> bool {
    let letters: String = words
        .to_lowercase()
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    matches!(
        letters.as_str(),
        "scope"
            | "endscope"
            | "scop"
            | "endscop"
            | "beginscop"
            | "scopbegin"
            | "scopend"
            | "startscop"
    )
}
