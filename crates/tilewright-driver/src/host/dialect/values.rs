//! What needs the text of a value twice: `a ?: b`, and `__auto_type x = a;`.

use super::{Edit, Token, tokens};

/// Values with more bytes are not written twice.
const LONGEST: usize = 20_000;

/// `a ?: b` is `a ? a : b`, where the evaluation of `a` changes nothing, and else the same with a
/// variable that holds `a`.
pub(super) fn choices(text: &str, tokens: &[Token]) -> Vec<Edit> {
    let mut edits = Vec::new();
    for at in 1..tokens.len().saturating_sub(1) {
        if tokens[at].text != "?" || tokens[at + 1].text != ":" || tokens[at].system {
            continue;
        }
        let first = beginning(tokens, at);
        let condition = &tokens[first..at];
        let plain = condition.iter().enumerate().all(|(k, token)| {
            let called = token.text == "(" && k > 0 && {
                let before = condition[k - 1].text;
                tokens::is_word(before) || matches!(before, ")" | "]")
            };
            !called && !matches!(token.text, "++" | "--" | "=" | "{") && !token.text.ends_with("=")
                || matches!(token.text, "==" | "!=" | "<=" | ">=")
        });
        let ([begin, ..], Some(end)) = (condition, end_of_branch(tokens, at + 2)) else {
            continue;
        };
        let value = &text[begin.start..tokens[at - 1].end()];
        let nested = |pair: &[Token]| pair[0].text == "?" && pair[1].text == ":";
        if value.len() > LONGEST || condition.windows(2).any(nested) {
            continue;
        }
        let value = on_one_line(value);
        let mut put = |start, end, text: String| edits.push(Edit { start, end, text });
        let (question, colon) = (tokens[at].start, tokens[at + 1].end());
        if plain {
            put(question, colon, format!("? {value} :"));
            continue;
        }
        let front = format!("({{ __typeof__((0, ({value}))) tw_first = (");
        put(begin.start, begin.start, front);
        put(question, colon, "); tw_first ? tw_first : (".to_owned());
        let end = tokens[end - 1].end();
        put(end, end, "); })".to_owned());
    }
    edits
}

/// The first token of what stands in front of a `?`.
fn beginning(tokens: &[Token], question: usize) -> usize {
    let mut depth = 0usize;
    for at in (0..question).rev() {
        match tokens[at].text {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" if depth > 0 => depth -= 1,
            "(" | "[" | "{" | ";" | "," | "?" | ":" | "=" | "return" | "case" | "else" | "do"
            | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "^=" | "|=" | "<<=" | ">>="
                if depth == 0 =>
            {
                return at + 1;
            }
            _ => {}
        }
    }
    0
}

/// The token behind what is evaluated where a condition does not hold.
fn end_of_branch(tokens: &[Token], first: usize) -> Option<usize> {
    let (mut depth, mut choices) = (0usize, 0usize);
    for (at, token) in tokens.iter().enumerate().skip(first) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => return (at > first).then_some(at),
            ")" | "]" | "}" => depth -= 1,
            ";" | "," if depth == 0 => return (at > first).then_some(at),
            "?" if depth == 0 => choices += 1,
            ":" if depth == 0 && choices == 0 => return (at > first).then_some(at),
            ":" if depth == 0 => choices -= 1,
            _ => {}
        }
    }
    None
}

/// `__auto_type x = a;` is `__typeof__((0, (a))) x = a;`: behind a comma an array is a pointer, and
/// nothing is `const`.
pub(super) fn types(text: &str, tokens: &[Token]) -> Vec<Edit> {
    // Those inside of others' values first, so that these are copied as they are then.
    let mut done: Vec<Edit> = Vec::new();
    for at in (0..tokens.len()).rev() {
        let is = |at: usize, what: &str| tokens.get(at).is_some_and(|t| t.text == what);
        if tokens[at].text != "__auto_type" || tokens[at].system || !is(at + 2, "=") {
            continue;
        }
        let Some(end) = end_of_value(tokens, at + 3) else {
            continue;
        };
        let (from, to) = (tokens[at + 3].start, tokens[end - 1].end());
        let mut value = String::new();
        let mut copied = from;
        for edit in done.iter().rev().filter(|e| (from..to).contains(&e.start)) {
            value.push_str(&text[copied..edit.start]);
            value.push_str(&edit.text);
            copied = edit.end;
        }
        value.push_str(&text[copied..to]);
        let directive = value.lines().any(|line| line.trim_start().starts_with('#'));
        if value.len() > LONGEST || directive {
            continue;
        }
        done.push(Edit {
            start: tokens[at].start,
            end: tokens[at].end(),
            text: format!("__typeof__((0, ({})))", on_one_line(&value)),
        });
    }
    done
}

/// The token behind an initial value.
fn end_of_value(tokens: &[Token], first: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(first) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            ";" | "," if depth == 0 => return (at > first).then_some(at),
            _ => {}
        }
    }
    None
}

fn on_one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
