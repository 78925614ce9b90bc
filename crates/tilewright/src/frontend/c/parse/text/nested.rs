//! GNU C's functions inside of functions, which the parser does not know.
//!
//! Their bodies are blanked out, so that declarations stay. What they do is not known then, and they
//! may change variables of the function around them: its regions stay as they are, and so do calls of
//! it ([`Nested`]).

use super::regions::Marked;
use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::spans::SpanMap;
use crate::frontend::c::tokens::tokens;
use std::ops::Range;

/// A function inside of a function.
#[derive(Clone, Debug)]
pub(in crate::frontend::c::parse) struct Nested {
    /// The name of the function around all.
    outer: String,
    /// Its own name, in the preprocessed text.
    name: Range<usize>,
    /// What was blanked out there, from bracket to bracket.
    body: Range<usize>,
    /// The body of the function around all.
    pub around: Range<usize>,
}

/// The text without the bodies of functions inside of functions, and these; `None` where there are none.
pub(in crate::frontend::c::parse) fn without(text: &str) -> Option<(String, Vec<Nested>)> {
    let found = find(text);
    if found.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for nested in &found {
        for byte in &mut bytes[nested.body.clone()] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        bytes[nested.body.start] = b';';
    }
    Some((String::from_utf8(bytes).ok()?, found))
}

/// Lets regions in functions with functions inside stay as they are.
///
/// # Errors
/// A region in a function inside of a function.
pub(in crate::frontend::c::parse) fn mark(
    (text, map): (&str, &SpanMap),
    nested: &[Nested],
    marked: &mut [Marked],
) -> Result<(), Vec<Diagnostic>> {
    for one in nested {
        let name = &text[one.name.clone()];
        let span = map.span(one.name.start, one.name.end);
        for region in marked.iter_mut() {
            if one.body.contains(&region.start) || one.body.contains(&region.end) {
                let message = format!(
                    "a marked region in `{name}`, a function inside of `{}`",
                    one.outer
                );
                return Err(vec![
                    Diagnostic::error(Code::UnsupportedStatement, message)
                        .at(region.opening, "in a function that another one holds")
                        .also(span, "defined here")
                        .help(format!("move `{name}` out of `{}`", one.outer)),
                ]);
            }
            if one.around.contains(&region.start) && region.fixed.is_none() {
                let message = format!(
                    "`{}` holds a function of its own, `{name}`, which may change its variables",
                    one.outer
                );
                let mistake = Diagnostic::error(Code::UnsupportedStatement, message)
                    .at(span, "defined inside of another function")
                    .help(format!(
                        "move `{name}` in front of `{}`, and give it what it uses as arguments",
                        one.outer
                    ));
                region.fixed = Some(Box::new(mistake));
            }
        }
    }
    Ok(())
}

/// The functions inside of those that the text defines.
fn find(text: &str) -> Vec<Nested> {
    let tokens = tokens(text);
    let words: Vec<&str> = tokens.iter().map(|token| token.text(text)).collect();
    let place = |open: usize, close: usize| tokens[open].start..tokens[close].end;
    let mut found = Vec::new();
    let (mut at, mut begins) = (0, true);
    while at < words.len() {
        let outer = begins.then(|| definition(&words, at)).flatten();
        if let Some((name, open, close)) = outer {
            let mut inner = open + 1;
            while inner < close {
                let begins = matches!(words[inner - 1], "{" | "}" | ";");
                match begins.then(|| definition(&words, inner)).flatten() {
                    Some((own, begin, end)) => {
                        found.push(Nested {
                            outer: words[name].to_owned(),
                            name: place(own, own),
                            body: place(begin, end),
                            around: place(open, close),
                        });
                        inner = end + 1;
                    }
                    None => inner += 1,
                }
            }
            at = close + 1;
            continue;
        }
        begins = matches!(words[at], ";" | "}");
        at = match words[at] {
            "{" => closing(&words, at).unwrap_or(words.len()),
            _ => at + 1,
        };
    }
    found
}

/// A function's definition that begins with this token: its name, and the brackets of its body.
fn definition(words: &[&str], at: usize) -> Option<(usize, usize, usize)> {
    const STATEMENTS: [&str; 12] = [
        "if", "else", "for", "while", "do", "switch", "case", "default", "return", "goto",
        "sizeof", "typedef",
    ];
    let is_name = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let word = |at: usize| words.get(at).copied().unwrap_or("");
    let attributes = |mut at: usize| {
        while matches!(word(at), "__attribute__" | "__attribute") {
            at = closing(words, at + 1)? + 1;
        }
        Some(at)
    };
    let mut at = attributes(at)?;
    let first = at;
    while word(at) == "*" || is_name(word(at)) {
        if STATEMENTS.contains(&word(at)) {
            return None;
        }
        at = attributes(at + 1)?;
    }
    let name = at.checked_sub(1)?;
    // A type and a name.
    if at < first + 2 || !is_name(word(name)) || word(at) != "(" {
        return None;
    }
    let open = attributes(closing(words, at)? + 1)?;
    (word(open) == "{").then_some(())?;
    Some((name, open, closing(words, open)?))
}

/// The bracket that closes the one at a place.
fn closing(words: &[&str], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, word) in words.iter().enumerate().skip(open) {
        match *word {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found() {
        let rows: [(&str, &[&str]); 6] = [
            (
                "int f(int n) { int g(int x) { return x; } return g(n); }",
                &["g"],
            ),
            (
                "struct s { int a; }; static struct s *f(void) { if (1) { auto void h(void) \
                 __attribute__((noinline)) { } h(); } inline int g(int a[]) { { } } }",
                &["h", "g"],
            ),
            // Prototypes, calls, macros that look like words with blocks, and statements.
            (
                "int f(int n) { int g(int); FOREACH(x) { } else if (n) { } do { } while (g(n)); \
                 switch (n) { case 1: { } default: { } } return g(n); }",
                &[],
            ),
            (
                "int a[] = { 1, 2 }; int f(void) { int b[] = { 3 }; return b[0]; }",
                &[],
            ),
            (
                "int f(int n) { int g(int x) { int h(int y) { return y; } return h(x); } return 1; }",
                &["g"],
            ),
            ("int f(", &[]),
        ];
        for (text, names) in rows {
            let found: Vec<&str> = find(text)
                .iter()
                .map(|one| &text[one.name.clone()])
                .collect();
            assert_eq!(found, names, "{text}");
        }
    }

    #[test]
    fn bodies_are_blanked_out() {
        let text = "int f(int n) { int g(int x)\n{ return\nx; } return g(n); }";
        let (left, found) = without(text).expect("a function");
        assert_eq!(
            left,
            "int f(int n) { int g(int x)\n;       \n     return g(n); }"
        );
        assert_eq!(found[0].outer, "f");
        assert!(without(&left).is_none());
    }
}
