//! From places in the preprocessed text to places in the original file.
//!
//! Line markers (`# 12 "file.c" 2`) say which line a preprocessed line comes from, but the
//! preprocessor moves columns, expands macros, and puts a macro call over several lines on one.
//! So the tokens that come from a few original lines are aligned with the original's tokens
//! there: a longest common subsequence, which is nearly always everything. Tokens that have no
//! partner came out of a macro, and get the original tokens between their neighbours' partners:
//! the macro call.

use super::tokens::{Token, tokens};
use crate::source::{Source, Span};
use std::collections::BTreeMap;

/// Above this many pairs of tokens a line is not aligned; its tokens get the whole line.
const ALIGNMENT_LIMIT: usize = 4_000_000;

/// A parenthesis that stays open is followed over this many lines.
const MAX_WINDOW_LINES: usize = 100;

/// Where a preprocessed line comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::frontend) enum Place {
    /// The original file, line from 0.
    Main(usize),
    /// An included file, brought in by this line of the original (from 0).
    Included(usize),
}

/// Carries spans of one preprocessed text over to the original file.
#[derive(Debug)]
pub(in crate::frontend) struct SpanMap {
    /// Tokens of the preprocessed text without its directives.
    pub tokens: Vec<Token>,
    /// For each of them, where it comes from.
    places: Vec<Place>,
    /// For each of them, its span in the original.
    spans: Vec<Span>,
    /// Byte at which each original line begins, and one past the end of the text.
    line_starts: Vec<usize>,
}

impl SpanMap {
    /// `text` is the preprocessed text with its directives blanked out, `places` where each of
    /// its lines comes from.
    pub fn new(source: &Source, text: &str, places: &[Place]) -> SpanMap {
        let mut line_starts = vec![0];
        line_starts.extend(
            source
                .text
                .bytes()
                .enumerate()
                .filter(|(_, b)| *b == b'\n')
                .map(|(at, _)| at + 1),
        );
        line_starts.push(source.text.len());
        let tokens = tokens(text);
        let place = |token: &Token| {
            places
                .get(token.line)
                .copied()
                .unwrap_or(Place::Main(usize::MAX))
        };
        let mut map = SpanMap {
            places: tokens.iter().map(place).collect(),
            spans: vec![Span::default(); tokens.len()],
            tokens,
            line_starts,
        };
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for index in 0..map.tokens.len() {
            match map.places[index] {
                Place::Main(line) => groups.entry(line).or_default().push(index),
                Place::Included(line) => map.spans[index] = map.line(&source.text, line),
            }
        }
        map.align(source, text, &groups);
        map
    }

    /// Aligns window by window: from the line of one group of tokens to that of the next, or of a
    /// later one while a parenthesis of the original is open (a macro call over several lines
    /// comes out on its first).
    fn align(&mut self, source: &Source, text: &str, groups: &BTreeMap<usize, Vec<usize>>) {
        let all = tokens(&source.text).into_iter();
        let original: Vec<Token> = all.filter(|t| !t.directive).collect();
        let mut groups = groups.iter().peekable();
        while let Some((&line, group)) = groups.next() {
            let mut window = group.clone();
            let from = original.partition_point(|t| t.line < line);
            let mut to = from;
            let mut open = 0i64;
            loop {
                let end = groups.peek().map_or(usize::MAX, |(next, _)| **next);
                while let Some(token) = original.get(to).filter(|t| t.line < end) {
                    match token.text(&source.text) {
                        "(" => open += 1,
                        ")" => open -= 1,
                        _ => {}
                    }
                    to += 1;
                }
                if open <= 0 || end > line.saturating_add(MAX_WINDOW_LINES) {
                    break;
                }
                match groups.next() {
                    Some((_, more)) => window.extend(more),
                    None => break,
                }
            }
            self.align_window(source, text, &window, &original[from..to], line);
        }
    }

    fn align_window(
        &mut self,
        source: &Source,
        text: &str,
        window: &[usize],
        here: &[Token],
        line: usize,
    ) {
        let left: Vec<&str> = window.iter().map(|&w| self.tokens[w].text(text)).collect();
        let right: Vec<&str> = here.iter().map(|t| t.text(&source.text)).collect();
        let pairs = left.len().saturating_mul(right.len());
        if here.is_empty() || (pairs > ALIGNMENT_LIMIT && left != right) {
            let whole = self.line(&source.text, line);
            window.iter().for_each(|&w| self.spans[w] = whole);
            return;
        }
        let partners = common_subsequence(&left, &right);
        let span = |j: usize| Span::new(here[j].start, here[j].end);
        let mut before = None;
        let mut after = 0;
        for (k, &w) in window.iter().enumerate() {
            if let Some(j) = partners[k] {
                self.spans[w] = span(j);
                before = Some(j);
                continue;
            }
            // The next partner behind this token.
            after = after.max(k);
            while after < partners.len() && partners[after].is_none() {
                after += 1;
            }
            let next = partners.get(after).copied().flatten();
            let first = before.map_or(0, |b| b + 1);
            let last = next.unwrap_or(here.len());
            self.spans[w] = if first < last {
                span(first).to(span(last - 1))
            } else {
                // Nothing stands between the neighbours: point at one of them.
                span(before.or(next).unwrap_or(0))
            };
        }
    }

    /// The span in the original of the bytes `start..end` of the preprocessed text.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let first = self.token_from(start);
        let last = self.tokens.partition_point(|t| t.end <= end);
        match (
            self.spans.get(first),
            self.spans.get(last.saturating_sub(1)),
        ) {
            (Some(a), Some(b)) if last > first => a.to(*b),
            (Some(a), _) => *a,
            (None, _) => self.spans.last().copied().unwrap_or_default(),
        }
    }

    /// The index of the first token that begins at `offset` or behind it.
    pub fn token_from(&self, offset: usize) -> usize {
        self.tokens.partition_point(|t| t.start < offset)
    }

    /// Whether what begins at `offset` of the preprocessed text stands in the main file.
    pub fn is_main(&self, offset: usize) -> bool {
        self.is_main_token(self.token_from(offset))
    }

    /// Whether the token with this index stands in the main file.
    pub fn is_main_token(&self, index: usize) -> bool {
        matches!(self.place(index), Place::Main(_))
    }

    /// Where the token with this index comes from.
    pub fn place(&self, index: usize) -> Place {
        self.places
            .get(index)
            .copied()
            .unwrap_or(Place::Main(usize::MAX))
    }

    /// The span in the original of the token with this index.
    pub fn token_span(&self, index: usize) -> Span {
        self.spans
            .get(index)
            .or(self.spans.last())
            .copied()
            .unwrap_or_default()
    }

    /// The text of an original line (from 0) without the blanks around it.
    pub fn line(&self, text: &str, line: usize) -> Span {
        let (start, end) = self.whole_line(line);
        let content = text.get(start..end).unwrap_or("");
        let start = start + (content.len() - content.trim_start().len());
        Span::new(start, start + content.trim().len())
    }

    /// An original line (from 0) with its line end; the end of the text where there is no such line.
    pub fn whole_line(&self, line: usize) -> (usize, usize) {
        let end_of_text = self.line_starts.last().copied().unwrap_or(0);
        let at = |k: usize| self.line_starts.get(k).copied().unwrap_or(end_of_text);
        (at(line), at(line.saturating_add(1)))
    }
}

/// For each of `left`, its partner in `right` in a longest common subsequence.
fn common_subsequence(left: &[&str], right: &[&str]) -> Vec<Option<usize>> {
    let mut partners = vec![None; left.len()];
    let head = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let tail = left[head..]
        .iter()
        .rev()
        .zip(right[head..].iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    for (k, partner) in partners.iter_mut().enumerate() {
        if k < head {
            *partner = Some(k);
        } else if k >= left.len() - tail {
            *partner = Some(k + right.len() - left.len());
        }
    }
    let (a, b) = (
        &left[head..left.len() - tail],
        &right[head..right.len() - tail],
    );
    if a.is_empty() || b.is_empty() {
        return partners;
    }
    let width = b.len() + 1;
    let mut length = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            length[i * width + j] = if a[i] == b[j] {
                length[(i + 1) * width + j + 1] + 1
            } else {
                length[(i + 1) * width + j].max(length[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            partners[head + i] = Some(head + j);
            i += 1;
            j += 1;
        } else if length[(i + 1) * width + j] >= length[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    partners
}
