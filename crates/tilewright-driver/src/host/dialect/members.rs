//! Lists of members, and words behind them that C allows there and the parsers know in front of them
//! only: `struct { int a; } const b;` is `const struct { int a; } b;`.

use super::{Edit, Token, tokens};

/// The word of a type with members (`struct`, `union`, `enum`), and the brace behind its list.
pub(super) struct List {
    pub tag: usize,
    pub close: usize,
}

/// All such lists of a text.
pub(super) fn lists(all: &[Token]) -> Vec<List> {
    let mut found = Vec::new();
    let mut open: Vec<Option<usize>> = Vec::new();
    for (at, token) in all.iter().enumerate() {
        match token.text {
            "{" => open.push(tag(all, at)),
            "}" => {
                if let Some(tag) = open.pop().flatten() {
                    found.push(List { tag, close: at });
                }
            }
            _ => {}
        }
    }
    found
}

/// The word of the type whose members begin at a brace: the type's name and attributes may stand between.
fn tag(all: &[Token], brace: usize) -> Option<usize> {
    let mut at = brace.checked_sub(1)?;
    let mut named = false;
    loop {
        match all[at].text {
            "struct" | "union" | "enum" => return Some(at),
            ")" => {
                let mut depth = 0usize;
                at = (0..=at).rev().find(|&at| {
                    match all[at].text {
                        ")" => depth += 1,
                        "(" => depth -= 1,
                        _ => {}
                    }
                    depth == 0
                })?;
                at = at.checked_sub(1)?;
                if !matches!(all[at].text, "__attribute__" | "__attribute") {
                    return None;
                }
            }
            word if !named && tokens::is_word(word) && !tokens::is_keyword(word) => named = true,
            _ => return None,
        }
        at = at.checked_sub(1)?;
    }
}

pub(super) fn qualified_in_front(_: &str, all: &[Token]) -> Vec<Edit> {
    let mut edits = Vec::new();
    for List { tag, close } in lists(all) {
        let behind = all[close + 1..].iter();
        let words: Vec<&Token> = behind
            .take_while(|token| tokens::is_storage(token.text))
            .collect();
        if words.is_empty() || all[tag].system {
            continue;
        }
        let start = all[tag].start;
        let text = words.iter().map(|word| format!("{} ", word.text)).collect();
        edits.push(Edit {
            start,
            end: start,
            text,
        });
        edits.extend(words.iter().map(|word| Edit {
            start: word.start,
            end: word.end(),
            text: String::new(),
        }));
    }
    edits
}
