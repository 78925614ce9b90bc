//! Brackets that do not pair up, and nesting beyond what the compiler follows, found before the
//! parser runs: its messages for the first are poor, and the second would exhaust its stack.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::spans::SpanMap;

/// The deepest nesting of brackets, operators and statements that is followed.
pub(in crate::frontend::c::parse) const MAX_NESTING: usize = 500;

/// One open bracket.
struct Open {
    bracket: u8,
    token: usize,
    /// Operators in the expression or statement that stands in it so far: each may be one level
    /// of the syntax tree.
    levels: usize,
    /// `else` branches that chain up to here.
    chain: usize,
}

/// The first bracket mistake, or the first place that is nested too deeply.
pub(in crate::frontend::c::parse) fn check(text: &str, map: &SpanMap) -> Option<Diagnostic> {
    let mut stack = vec![Open {
        bracket: 0,
        token: 0,
        levels: 0,
        chain: 0,
    }];
    let mut total = 0;
    for (index, token) in map.tokens.iter().enumerate() {
        let word = token.text(text);
        let bytes = word.as_bytes();
        let top = stack.last_mut()?;
        match bytes.first() {
            Some(&bracket @ (b'(' | b'[' | b'{')) => {
                top.levels += 1;
                total += 1;
                stack.push(Open {
                    bracket,
                    token: index,
                    levels: 0,
                    chain: 0,
                });
            }
            Some(&close @ (b')' | b']' | b'}')) => {
                let expected = closing(top.bracket);
                if expected != close as char {
                    return Some(mismatch(map, top, index, close as char, expected));
                }
                total -= top.levels + top.chain;
                stack.pop();
                if close == b'}' {
                    statement_ends(stack.last_mut()?, &mut total, text, map, index);
                }
            }
            Some(b';')
                if top.bracket == b'[' || (top.bracket == b'(' && !is_for(text, map, top)) =>
            {
                return Some(mismatch(map, top, index, ';', closing(top.bracket)));
            }
            Some(b';') => statement_ends(top, &mut total, text, map, index),
            Some(b',') => {
                total -= top.levels;
                top.levels = 0;
            }
            _ if word == "else" => {
                top.chain += 1;
                total += 1;
            }
            Some(first)
                if first.is_ascii_punctuation() && !matches!(first, b'"' | b'\'' | b'_' | b'$') =>
            {
                top.levels += 1;
                total += 1;
            }
            _ if matches!(word, "if" | "for" | "while" | "do" | "switch" | "sizeof") => {
                top.levels += 1;
                total += 1;
            }
            _ => {}
        }
        if total > MAX_NESTING {
            return Some(
                Diagnostic::error(Code::Syntax, "this is nested too deeply")
                    .at(map.token_span(index), "here")
                    .note(format!(
                        "brackets, operators and statements may be nested {MAX_NESTING} deep"
                    ))
                    .help("split it into several statements"),
            );
        }
    }
    let open = stack.last().filter(|o| o.bracket != 0)?;
    let (bracket, expected) = (open.bracket as char, closing(open.bracket));
    Some(
        Diagnostic::error(Code::Syntax, format!("`{bracket}` is never closed")).at(
            map.token_span(open.token),
            format!("no `{expected}` for this"),
        ),
    )
}

/// Whether this parenthesis is that of a `for`.
fn is_for(text: &str, map: &SpanMap, open: &Open) -> bool {
    open.token
        .checked_sub(1)
        .is_some_and(|before| map.tokens[before].text(text) == "for")
}

/// At the end of a statement its operators are done with; a chain of `else` goes on if another
/// one follows.
fn statement_ends(top: &mut Open, total: &mut usize, text: &str, map: &SpanMap, index: usize) {
    *total -= top.levels;
    top.levels = 0;
    if map
        .tokens
        .get(index + 1)
        .is_none_or(|t| t.text(text) != "else")
    {
        *total -= top.chain;
        top.chain = 0;
    }
}

fn closing(bracket: u8) -> char {
    match bracket {
        b'(' => ')',
        b'[' => ']',
        b'{' => '}',
        _ => '\0',
    }
}

fn mismatch(map: &SpanMap, open: &Open, index: usize, close: char, expected: char) -> Diagnostic {
    if open.bracket == 0 {
        return Diagnostic::error(
            Code::Syntax,
            format!("`{close}` without an opening bracket"),
        )
        .at(map.token_span(index), "nothing is open here");
    }
    Diagnostic::error(
        Code::Syntax,
        format!("expected `{expected}` before `{close}`"),
    )
    .at(
        map.token_span(index),
        format!("`{expected}` is missing before this"),
    )
    .also(map.token_span(open.token), "opened here")
}
