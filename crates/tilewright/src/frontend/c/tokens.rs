//! The tokens of a C text, as far as places in it are concerned.
//!
//! No values, no keywords: only where each token begins and ends, on which line it stands, and
//! whether it belongs to a preprocessor directive. Comments and line continuations are skipped.
//! Used to carry places from the preprocessed text back to the original, to find the lines of
//! pragmas, and to check brackets before the parser runs. Any text gives tokens: what is not C
//! gives tokens of one character.

use crate::source::Span;

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::frontend) struct Token {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The line of its first byte, from 0.
    pub line: usize,
    /// The line on which its logical line began (they differ after a `\` at the end of a line,
    /// or a comment over several lines in a directive), from 0.
    pub logical_line: usize,
    /// Whether it belongs to a preprocessor directive.
    pub directive: bool,
}

impl Token {
    /// Its text.
    pub fn text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start..self.end).unwrap_or("")
    }
}

/// All tokens of a text in order.
pub(in crate::frontend) fn tokens(text: &str) -> Vec<Token> {
    scan(text, &mut |_, _| {})
}

/// Whether a byte stands inside a comment.
pub(super) fn in_comment(comments: &[Span], offset: usize) -> bool {
    let behind = comments.partition_point(|comment| comment.start < offset);
    let before = behind.checked_sub(1).and_then(|at| comments.get(at));
    before.is_some_and(|comment| offset < comment.end)
}

/// The comments of a text, in order.
pub(super) fn comments(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    scan(text, &mut |start, end| found.push(Span::new(start, end)));
    found
}

/// The first byte behind the line on which `offset` stands; a line goes on behind a `\` at its
/// end and inside a comment. `offset` stands behind a token.
pub(super) fn end_of_logical_line(text: &str, offset: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = offset;
    let mut comment = false;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if rest[0] == b'\n' {
            return at + 1;
        }
        comment |= rest.starts_with(b"//");
        at += match continuation(rest) {
            Some(length) => length,
            None if !comment && rest.starts_with(b"/*") => block_comment(rest),
            None => 1,
        };
    }
    at
}

/// Finds tokens, and calls `comment` with the first byte of each comment and one past its last.
fn scan(text: &str, comment: &mut dyn FnMut(usize, usize)) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut found: Vec<Token> = Vec::new();
    let (mut at, mut line, mut logical_line) = (0, 0, 0);
    let mut first_of_line = true;
    let mut directive = false;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if rest[0] == b'\n' {
            at += 1;
            line += 1;
            logical_line = line;
            first_of_line = true;
            directive = false;
        } else if let Some(length) = continuation(rest) {
            at += length;
            line += 1;
        } else if rest[0].is_ascii_whitespace() || rest[0] == 0x0b {
            at += 1;
        } else if rest.starts_with(b"/*") {
            let length = block_comment(rest);
            comment(at, at + length);
            line += rest[..length].iter().filter(|&&b| b == b'\n').count();
            at += length;
        } else if rest.starts_with(b"//") {
            let start = at;
            while at < bytes.len() && bytes[at] != b'\n' {
                match continuation(&bytes[at..]) {
                    Some(length) => {
                        at += length;
                        line += 1;
                    }
                    None => at += 1,
                }
            }
            comment(start, at);
        } else {
            directive |= first_of_line && rest[0] == b'#';
            first_of_line = false;
            let end = at + token_length(rest);
            found.push(Token {
                start: at,
                end,
                line,
                logical_line,
                directive,
            });
            line += bytes[at..end].iter().filter(|&&b| b == b'\n').count();
            at = end;
        }
    }
    found
}

/// The length of the comment that the text begins with; all of it if it has no end.
fn block_comment(rest: &[u8]) -> usize {
    rest[2..]
        .windows(2)
        .position(|w| w == b"*/")
        .map_or(rest.len(), |p| p + 4)
}

/// The length of a `\` with the line end behind it, where the text begins with that.
fn continuation(rest: &[u8]) -> Option<usize> {
    if rest.starts_with(b"\\\n") {
        Some(2)
    } else if rest.starts_with(b"\\\r\n") {
        Some(3)
    } else {
        None
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The length of the token at the beginning of a text that is not empty.
fn token_length(rest: &[u8]) -> usize {
    let first = rest[0];
    if first.is_ascii_digit() || (first == b'.' && rest.get(1).is_some_and(u8::is_ascii_digit)) {
        // A preprocessing number: `1e+5`, `0x1p-3`, `1.5f`.
        let mut length = 1;
        while let Some(&byte) = rest.get(length) {
            let exponent = matches!(rest[length - 1], b'e' | b'E' | b'p' | b'P');
            // `1'000`, in C++ and C23.
            let separator = byte == b'\'' && rest.get(length + 1).is_some_and(|&b| is_word(b));
            let sign = exponent && matches!(byte, b'+' | b'-');
            if !(is_word(byte) || byte == b'.' || separator || sign) {
                break;
            }
            length += 1;
        }
        return length;
    }
    if is_word(first) {
        let length = rest.iter().position(|&b| !is_word(b)).unwrap_or(rest.len());
        return raw_string(rest, length).unwrap_or(length);
    }
    if first == b'"' || first == b'\'' {
        let mut length = 1;
        while let Some(&byte) = rest.get(length) {
            match byte {
                b'\\' if length + 1 < rest.len() => length += 2,
                b'\n' => return length,
                _ if byte == first => return length + 1,
                _ => length += 1,
            }
        }
        return length.min(rest.len());
    }
    operator_length(rest)
}

/// The length of `R"x(…)x"`, which the text begins with if it begins with such a word.
fn raw_string(rest: &[u8], word: usize) -> Option<usize> {
    let prefixes: [&[u8]; 5] = [b"R", b"LR", b"uR", b"UR", b"u8R"];
    if !prefixes.contains(&&rest[..word]) || rest.get(word) != Some(&b'"') {
        return None;
    }
    let begin = word + 1;
    let open = begin + rest[begin..].iter().take(17).position(|&b| b == b'(')?;
    let end = [b")", &rest[begin..open], b"\""].concat();
    let inside = rest[open..].windows(end.len()).position(|w| w == end)?;
    Some(open + inside + end.len())
}

/// The length of the operator that the text begins with; 1 for any other character.
fn operator_length(rest: &[u8]) -> usize {
    let at = |k: usize| rest.get(k).copied().unwrap_or(0);
    match (at(0), at(1), at(2)) {
        (b'.', b'.', b'.') | (b'<', b'<', b'=') | (b'>', b'>', b'=') => 3,
        (b'-', b'>', _) | (b'#', b'#', _) => 2,
        (b'+' | b'-' | b'<' | b'>' | b'&' | b'|', second, _) if second == rest[0] => 2,
        (b'<' | b'>' | b'=' | b'!', b'=', _) => 2,
        (b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^', b'=', _) => 2,
        _ => 1,
    }
}
