//! Makes a text ready for the parser: line markers and comments become blanks, pragmas are taken
//! out and remembered by what they stand in front of, and macros that the text defines itself (as
//! generated regions do) are expanded. Lines stay lines.

mod macros;

use macros::Macros;
use std::collections::HashMap;

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
    pub line: u32,
}

/// A text for the parser.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    pub text: String,
    /// Where each line begins in `text`, and its number in the main file; 0 for other files'.
    lines: Vec<(usize, u32)>,
    /// Pragmas by the offset of the first byte behind them that is no blank.
    pub pragmas: HashMap<usize, Vec<Pragma>>,
    /// First and last lines of generated regions.
    pub generated: Vec<(u32, u32)>,
}

impl Prepared {
    /// The line in the main file, 0 in others.
    pub fn line(&self, offset: usize) -> u32 {
        let after = self.lines.partition_point(|(start, _)| *start <= offset);
        after.checked_sub(1).map_or(0, |at| self.lines[at].1)
    }
}

/// Beyond these the parser would need too much memory or time.
const LONGEST: usize = 16 << 20;

pub(crate) fn prepare(name: &str, text: &str) -> Result<Prepared, Problem> {
    let main = main_name(name, text);
    let mut out = Prepared::default();
    let mut macros = Macros::predefined();
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
            begun = Some(number);
        }
        if raw.contains("/* tilewright: end */") {
            out.generated
                .extend(begun.take().map(|first| (first, number)));
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
                is_main = main.as_ref().is_none_or(|name| *name == file);
                number = to;
                out.text.push('\n');
                continue;
            }
            let (word, rest) = directive
                .split_once(|c: char| c.is_whitespace() || c == '(')
                .unwrap_or((directive, ""));
            match word {
                "pragma" => {
                    let words: Vec<&str> = rest.split_whitespace().collect();
                    match words[..] {
                        ["omp", "barrier", ..] => out.text.push_str("__tw_barrier();"),
                        ["omp", "taskwait" | "flush", ..] => {}
                        ["omp", ..] => waiting.push(Pragma {
                            words: words[1..].join(" "),
                            line: shown,
                        }),
                        ["pencil", "independent", ..] => waiting.push(Pragma {
                            words: words.join(" "),
                            line: shown,
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
    blank_prototypes(&mut out.text);
    Ok(out)
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
    let mut bytes = std::mem::take(text).into_bytes();
    let mut at = 0;
    while let Some(found) = find(&bytes, WORD.as_bytes(), at) {
        let mut end = found + WORD.len();
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

/// Blanks out declarations of functions outside of functions, which nothing here asks for: headers
/// are full of them.
fn blank_prototypes(text: &mut String) {
    let mut bytes = std::mem::take(text).into_bytes();
    let (mut depth, mut start, mut calls, mut other) = (0usize, 0usize, false, false);
    let mut quote = None;
    for at in 0..bytes.len() {
        let byte = bytes[at];
        match (byte, quote) {
            (_, Some(open)) => {
                if byte == open && bytes[at - 1] != b'\\' {
                    quote = None;
                }
                other = true;
            }
            (b'"' | b'\'', None) => quote = Some(byte),
            (b'{', None) => {
                depth += 1;
                other = true;
            }
            (b'}', None) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    // A function's body, or a type that goes on.
                    other = true;
                    if !bytes[at + 1..].iter().take(40).any(|b| *b == b';') {
                        (start, calls, other) = (at + 1, false, false);
                    }
                }
            }
            (b'(', None) if depth == 0 => calls = true,
            (b'=', None) => other = true,
            (b';', None) if depth == 0 => {
                let first = bytes[start..at]
                    .iter()
                    .position(|b| !b.is_ascii_whitespace());
                let is_extern = first.is_some_and(|f| bytes[start + f..].starts_with(b"extern "));
                if is_extern && calls && !other {
                    for byte in &mut bytes[start..=at] {
                        if *byte != b'\n' {
                            *byte = b' ';
                        }
                    }
                }
                (start, calls, other) = (at + 1, false, false);
            }
            _ => {}
        }
    }
    *text = String::from_utf8_lossy(&bytes).into_owned();
}

fn find(bytes: &[u8], word: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let at = rest.windows(word.len()).position(|w| w == word)?;
    Some(from + at)
}
