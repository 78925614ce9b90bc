//! Makes a text ready for the parser: line markers and comments become blanks, pragmas are taken
//! out and remembered by what they stand in front of, and macros that the text defines itself (as
//! generated regions do) are expanded. Lines stay lines.

mod conditions;
mod cuda;
mod headers;
mod kernels;
mod macros;
mod pieces;
#[cfg(test)]
mod tests;

use conditions::Conditions;
pub(crate) use cuda::{LAUNCH, OF, Templates, without_type};
use headers::Files;
pub(crate) use kernels::{Sizes, prepare_kernels};
use macros::{Macros, is_word};
pub(crate) use pieces::{Piece, needed, only, pieces};
use std::collections::HashMap;
use std::ops::Range;

/// Why a text is not understood, and where.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub what: String,
    pub line: u32,
}

/// An OpenMP pragma.
#[derive(Clone, Debug)]
pub(crate) struct Pragma {
    /// What follows `#pragma omp`; `pencil independent`.
    pub words: String,
    /// The offset of its line.
    pub at: usize,
}

/// A text for the parser.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    pub text: String,
    /// Where each line begins in `text`, and its number in the main file; 0 for other files'.
    lines: Vec<(usize, u32)>,
    /// Pragmas by the offset of the first byte behind them that is no blank.
    pub pragmas: HashMap<usize, Vec<Pragma>>,
    /// Generated regions.
    pub generated: Vec<Range<usize>>,
    /// Bodies of functions, of a text that was put together from pieces.
    pub bodies: Vec<Range<usize>>,
    /// Whether its lines have the numbers of rows of another text, in which it stands.
    within: bool,
    /// Whether it was CUDA C++ or HIP, and kernels with types as parameters.
    pub is_cuda: bool,
    pub templates: Templates,
}

impl Prepared {
    /// The line in the main file, 0 in others. Lines behind a line marker may have the numbers of
    /// others.
    pub fn line(&self, offset: usize) -> u32 {
        self.lines.get(self.index(offset)).map_or(0, |line| line.1)
    }

    fn index(&self, offset: usize) -> usize {
        let after = self.lines.partition_point(|(start, _)| *start <= offset);
        after.saturating_sub(1)
    }

    /// The number of the line in the text, from 0; of a text that stands in another one, in that.
    pub fn row(&self, offset: usize) -> usize {
        if self.within {
            self.line(offset) as usize
        } else {
            self.index(offset)
        }
    }

    /// Where a line of the text begins.
    pub fn start(&self, row: usize) -> usize {
        self.lines.get(row).map_or(self.text.len(), |line| line.0)
    }

    /// Lines in the main file by their number in the text.
    pub fn rows(&self) -> impl Iterator<Item = u32> + '_ {
        self.lines.iter().map(|(_, line)| *line)
    }

    /// Says for each line in which row of another text it stands.
    pub fn put_within(&mut self, number: impl Fn(u32) -> u32) {
        self.within = true;
        for (_, line) in &mut self.lines {
            *line = number(*line);
        }
    }

    /// The line in the main file, and the byte in that line without its indentation.
    pub fn place(&self, offset: usize) -> (u32, usize) {
        let after = self.lines.partition_point(|(start, _)| *start <= offset);
        let before = after.checked_sub(1).map(|at| self.lines[at]);
        before.map_or((0, 0), |(start, line)| (line, offset - start))
    }
}

/// Beyond these the parser would need too much memory or time.
const LONGEST: usize = 16 << 20;

pub(crate) fn prepare(name: &str, text: &str) -> Result<Prepared, Problem> {
    let main = main_name(name, text);
    let mut out = Prepared::default();
    let mut macros = Macros::predefined();
    let as_c;
    let mut text = text;
    if cuda::is_cuda(text) {
        let problem = |what| Problem { what, line: 0 };
        (as_c, out.templates) = cuda::in_c(text).map_err(problem)?;
        (text, out.is_cuda) = (&as_c, true);
        for (name, value) in cuda::MACROS {
            macros.define(&format!("{name} {value}")).map_err(problem)?;
        }
        // What they stand for is known where they are called.
        for parameter in out.templates.values() {
            out.text.push_str(&format!("typedef long {parameter};"));
        }
        out.lines.push((0, 0));
    }
    let (mut conditions, mut files) = (Conditions::default(), Files::default());
    let mut waiting: Vec<Pragma> = Vec::new();
    let mut in_comment = false;
    let mut number = 1u32;
    let mut is_main = true;
    let mut begun = None;
    let mut lines = text.lines();
    while let Some(raw) = lines.next() {
        let shown = if is_main { number } else { 0 };
        let problem = |what: String| Problem { what, line: shown };
        // Marks are comments.
        if raw.contains("/* tilewright: begin */") {
            begun = Some(out.text.len());
        }
        if raw.contains("/* tilewright: end */") {
            let end = out.text.len();
            out.generated.extend(begun.take().map(|begin| begin..end));
        }
        let mut line = without_comments(raw, &mut in_comment);
        let mut taken = 1;
        out.lines.push((out.text.len(), shown));
        let is_directive = line.trim_start().starts_with('#');
        if is_directive {
            while line.ends_with('\\') {
                line.pop();
                let Some(next) = lines.next() else { break };
                line.push_str(&without_comments(next, &mut in_comment));
                taken += 1;
            }
            let directive = line.trim_start().trim_start_matches('#').trim();
            if let Some((to, file)) = marker(directive) {
                if files.marker(&file) {
                    include("CL/cl.h", &mut out.text, &mut macros).map_err(problem)?;
                }
                is_main = main.as_ref().is_none_or(|name| *name == file);
                number = to;
                out.text.push('\n');
                continue;
            }
            let (word, rest) = directive
                .split_once(|c: char| c.is_whitespace() || c == '(')
                .unwrap_or((directive, ""));
            let is_condition = conditions
                .directive(word, &directive[word.len()..], &macros)
                .map_err(problem)?;
            match word {
                _ if is_condition || !conditions.active() || files.passed_over() => {}
                "include" => {
                    let name = rest.trim().trim_matches(['<', '>', '"']);
                    include(name, &mut out.text, &mut macros).map_err(problem)?;
                }
                "pragma" => {
                    let words: Vec<&str> = rest.split_whitespace().collect();
                    let second = words.get(1).and_then(|word| word.split('(').next());
                    match (words.first().copied(), second) {
                        (Some("omp"), Some("barrier")) => out.text.push_str("__tw_barrier();"),
                        (Some("omp"), Some("taskwait" | "flush")) => {}
                        (Some("omp"), _) => waiting.push(Pragma {
                            words: words[1..].join(" "),
                            at: out.text.len(),
                        }),
                        (Some("pencil"), Some("independent")) => waiting.push(Pragma {
                            words: words.join(" "),
                            at: out.text.len(),
                        }),
                        _ => {}
                    }
                }
                "define" => macros.define(rest).map_err(problem)?,
                "undef" => macros.undefine(rest.trim()),
                "" | "ident" => {}
                other => return Err(problem(format!("the directive #{other}"))),
            }
            for _ in 0..taken {
                out.text.push('\n');
            }
        } else if !conditions.active() || files.passed_over() {
            out.text.push('\n');
        } else {
            let expanded = loop {
                match macros.expand(&line).map_err(problem)? {
                    Some(done) => break done,
                    // A call goes on in the next line.
                    None => {
                        let Some(next) = lines.next() else {
                            return Err(problem("a macro's arguments do not end".into()));
                        };
                        line.push(' ');
                        line.push_str(&without_comments(next, &mut in_comment));
                        taken += 1;
                    }
                }
            };
            // Indentation takes the parser time.
            let expanded = expanded.trim_start();
            if !(expanded.is_empty() || waiting.is_empty()) {
                let here = out.pragmas.entry(out.text.len()).or_default();
                here.append(&mut waiting);
            }
            out.text.push_str(expanded);
            out.text.push('\n');
        }
        number += taken;
        if out.text.len() > LONGEST {
            return Err(problem("a text of more than 16 MB".into()));
        }
    }
    blank_attributes(&mut out.text);
    Ok(out)
}

/// Puts what a header declares into a line.
fn include(name: &str, text: &mut String, macros: &mut Macros) -> Result<(), String> {
    let Some(header) = headers::named(name) else {
        return Err("the directive #include".into());
    };
    text.push_str(header.declarations);
    for (name, value) in header.macros {
        macros.define(&format!("{name} {value}"))?;
    }
    Ok(())
}

/// A line with its comments as blanks.
fn without_comments(line: &str, in_comment: &mut bool) -> String {
    if !*in_comment && !line.contains('/') {
        return line.trim_end_matches('\r').to_owned();
    }
    let mut out = String::with_capacity(line.len());
    let mut characters = line.chars().peekable();
    let mut quote = None;
    while let Some(c) = characters.next() {
        let next = characters.peek().copied();
        if *in_comment {
            if c == '*' && next == Some('/') {
                characters.next();
                *in_comment = false;
            }
            continue;
        }
        match (c, quote) {
            ('\\', Some(_)) => {
                out.push(c);
                out.extend(characters.next());
                continue;
            }
            (_, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => quote = Some(c),
            ('/', None) if next == Some('/') => break,
            ('/', None) if next == Some('*') => {
                characters.next();
                *in_comment = true;
                out.push(' ');
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    while out.ends_with('\r') {
        out.pop();
    }
    out
}

/// Line and file of a line marker without its `#`.
fn marker(directive: &str) -> Option<(u32, String)> {
    let rest = directive.strip_prefix("line").unwrap_or(directive).trim();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].parse().ok()?;
    let file = rest[digits..].trim_start().strip_prefix('"')?;
    let file = file.split('"').next()?;
    Some((number, file.to_owned()))
}

/// How the markers spell the main file: as the text's name, or else as the first file.
fn main_name(name: &str, text: &str) -> Option<String> {
    let mut first = None;
    for line in text.lines().filter(|line| line.starts_with('#')) {
        if let Some((_, file)) = marker(line[1..].trim()) {
            if file == name {
                return Some(file);
            }
            if first.is_none() && !file.starts_with('<') {
                first = Some(file);
            }
        }
    }
    first
}

/// Blanks out attributes, of which the parser does not know all.
fn blank_attributes(text: &mut String) {
    const WORD: &str = "__attribute__";
    if !text.contains(WORD) {
        return;
    }
    let places: Vec<usize> = text.match_indices(WORD).map(|(at, _)| at).collect();
    let mut bytes = std::mem::take(text).into_bytes();
    let mut at = 0;
    for found in places {
        if found < at {
            continue;
        }
        let mut end = found + WORD.len();
        if is_in_literal(&bytes, found) {
            at = end;
            continue;
        }
        let (mut depth, mut quoted) = (0, false);
        while let Some(&byte) = bytes.get(end) {
            end += 1;
            match byte {
                b'"' => quoted = !quoted,
                b'\\' if quoted => end += 1,
                b'(' if !quoted => depth += 1,
                b')' if !quoted => {
                    depth -= 1;
                    if depth <= 0 {
                        break;
                    }
                }
                b' ' | b'\n' | b'\t' => {}
                _ if depth == 0 => {
                    end -= 1;
                    break;
                }
                _ => {}
            }
        }
        let end = end.min(bytes.len());
        for byte in &mut bytes[found..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end;
    }
    *text = String::from_utf8_lossy(&bytes).into_owned();
}

/// Whether a byte stands in a literal, which is in one line.
fn is_in_literal(bytes: &[u8], at: usize) -> bool {
    let line = bytes[..at].iter().rposition(|b| *b == b'\n');
    let before = &bytes[line.map_or(0, |end| end + 1)..at];
    let (mut quote, mut escaped) = (None, false);
    for &byte in before {
        match (byte, quote) {
            _ if escaped => escaped = false,
            (b'\\', Some(_)) => escaped = true,
            (_, Some(open)) if open == byte => quote = None,
            (b'"' | b'\'', None) => quote = Some(byte),
            _ => {}
        }
    }
    quote.is_some()
}
