//! `[[…]]`: C23's attributes as GNU's, of which the compiler knows what they say.

use super::{Edit, Token, blanked, tokens};

/// `[[gnu::const, nodiscard]]` is `__attribute__((const))`.
pub(super) fn as_gnu(text: &str, tokens: &[Token]) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut at = 0;
    while at + 1 < tokens.len() {
        let opens = tokens[at].text == "[" && tokens[at + 1].text == "[" && !tokens[at].system;
        let close = opens.then(|| tokens::closing(tokens, at)).flatten();
        let Some(close) = close.filter(|&close| tokens[close - 1].text == "]") else {
            at += 1;
            continue;
        };
        let known = known(&tokens[at + 2..close - 1]);
        edits.push(blanked(text, tokens[at].start, tokens[close].end(), &known));
        at = close + 1;
    }
    edits
}

/// Those of a list that GNU has, too.
fn known(list: &[Token]) -> String {
    let mut known = String::new();
    let mut rest = list;
    while let Some(first) = rest.first() {
        let mut depth = 0;
        let end = rest.iter().position(|token| {
            depth += i32::from(token.text == "(") - i32::from(token.text == ")");
            depth == 0 && token.text == ","
        });
        let (one, behind) = rest.split_at(end.unwrap_or(rest.len()));
        rest = behind.get(1..).unwrap_or(&[]);
        let vendor = matches!(first.text.trim_matches('_'), "gnu" | "clang");
        let named = match one {
            [_, a, b, named @ ..] if vendor && a.text == ":" && b.text == ":" => named,
            [one] if matches!(one.text.trim_matches('_'), "noreturn" | "Noreturn") => {
                known.push_str("__attribute__((noreturn))");
                continue;
            }
            _ => continue,
        };
        let words: String = named.iter().map(|token| token.text).collect();
        known.push_str(&format!("__attribute__(({words}))"));
    }
    known
}
