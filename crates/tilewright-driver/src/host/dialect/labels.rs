//! Labels in front of declarations, and at the ends of blocks: a `;` comes between.

use super::{Edit, Token, tokens};

pub(super) fn with_statements(_: &str, tokens: &[Token]) -> Vec<Edit> {
    let word = |at: usize| tokens.get(at).map_or("", |t| t.text);
    let mut edits = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.system {
            continue;
        }
        let Some(colon) = colon(tokens, at) else {
            continue;
        };
        let next = word(colon + 1);
        let name = |text: &str| tokens::is_word(text) && !tokens::is_keyword(text);
        let declares = tokens::begins_declaration(next) || name(next) && name(word(colon + 2));
        if next == "}" || declares {
            let end = tokens[colon].end();
            edits.push(Edit {
                start: end,
                end,
                text: " ;".to_owned(),
            });
        }
    }
    edits
}

/// The colon of the label that begins at a token.
fn colon(tokens: &[Token], at: usize) -> Option<usize> {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|t| t.text == text);
    match tokens[at].text {
        "default" => is(at + 1, ":").then_some(at + 1),
        "case" => {
            let (mut depth, mut choices) = (0, 0);
            for (colon, token) in tokens.iter().enumerate().skip(at + 1) {
                match token.text {
                    "(" | "[" => depth += 1,
                    ")" | "]" => depth -= 1,
                    "?" if depth == 0 => choices += 1,
                    ":" if depth == 0 && choices > 0 => choices -= 1,
                    ":" if depth == 0 => return Some(colon),
                    ";" | "{" | "}" => return None,
                    _ => {}
                }
            }
            None
        }
        name if tokens::is_word(name) && !tokens::is_keyword(name) => {
            let before = at.checked_sub(1).map_or("", |before| tokens[before].text);
            let begins = matches!(before, ";" | "{" | "}");
            (begins && is(at + 1, ":") && !is(at + 2, ":")).then_some(at + 1)
        }
        _ => None,
    }
}
