//! `int` where C89 implies it: `main() { … }`, `static n = 3;`, `register i;`.

use super::{Edit, Token, members, tokens};
use std::collections::HashSet;

pub(super) fn int(_: &str, tokens: &[Token]) -> Vec<Edit> {
    let mut types = None;
    let mut edits = Vec::new();
    let mut depth = 0usize;
    // What stands behind members is declared with their type.
    let members: HashSet<usize> = members::lists(tokens).iter().map(|l| l.close).collect();
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let before = at.checked_sub(1).map_or("", |before| tokens[before].text);
        let begins = matches!(before, "" | ";" | "{" | "}") || before == "(" && depth > 0;
        let typed = at
            .checked_sub(1)
            .is_some_and(|before| members.contains(&before));
        if token.system || !begins || typed {
            continue;
        }
        let Some(name) = name(tokens, at, depth) else {
            continue;
        };
        let types = types.get_or_insert_with(|| named_types(tokens));
        if !types.contains(tokens[name].text) {
            edits.push(Edit {
                start: tokens[name].start,
                end: tokens[name].start,
                text: "int ".to_owned(),
            });
        }
    }
    edits
}

/// The name that the declaration which begins at a token declares, where that has no type.
fn name(tokens: &[Token], at: usize, depth: usize) -> Option<usize> {
    let mut name = at;
    while tokens::is_storage(tokens.get(name)?.text) {
        name += 1;
    }
    let text = tokens[name].text;
    if !tokens::is_word(text) || tokens::is_keyword(text) {
        return None;
    }
    match tokens.get(name + 1)?.text {
        // C23 takes the type of the value.
        "=" if tokens[at..name].iter().any(|t| t.text == "auto") => None,
        "=" | ";" | "," | "[" => (name > at).then_some(name),
        "(" if depth == 0 => {
            let close = tokens::closing(tokens, name + 1)?;
            let next = tokens.get(close + 1)?.text;
            // Types of parameters may stand in front of the body.
            let body = next == "{"
                || tokens::begins_declaration(next) && name_list(tokens, name + 1, close);
            body.then_some(name)
        }
        _ => None,
    }
}

/// `(x, y)`
fn name_list(tokens: &[Token], open: usize, close: usize) -> bool {
    let list = &tokens[open + 1..close];
    !list.is_empty()
        && list.iter().enumerate().all(|(at, token)| match at % 2 {
            0 => tokens::is_word(token.text) && !tokens::is_keyword(token.text),
            _ => token.text == ",",
        })
}

/// Every word in the definition of a type, of which one is its name.
fn named_types<'t>(tokens: &[Token<'t>]) -> HashSet<&'t str> {
    let mut found = HashSet::new();
    let (mut inside, mut depth) = (false, 0i32);
    for token in tokens {
        match token.text {
            "typedef" => inside = true,
            "{" => depth += i32::from(inside),
            "}" => depth -= i32::from(inside),
            ";" if depth == 0 => inside = false,
            word if inside && depth == 0 && tokens::is_word(word) => {
                found.insert(word);
            }
            _ => {}
        }
    }
    found
}
