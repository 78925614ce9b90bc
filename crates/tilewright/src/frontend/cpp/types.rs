//! Types in front of names and in casts, as they are written.

use super::file::File;
use super::names::{Names, Scopes};
use std::ops::Range;

/// Words of built-in types.
const BUILT_IN: [&str; 10] = [
    "bool", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "void",
];

/// Words that stand beside a type.
const BESIDE: [&str; 6] = [
    "const",
    "constexpr",
    "static",
    "register",
    "inline",
    "volatile",
];

/// Words that stand in front of expressions.
const NO_TYPES: [&str; 12] = [
    "return",
    "break",
    "continue",
    "goto",
    "throw",
    "delete",
    "new",
    "co_return",
    "co_await",
    "co_yield",
    "not",
    "sizeof",
];

/// Whether a word is part of types.
pub(super) fn is_word_of_types(word: &str) -> bool {
    BUILT_IN.contains(&word) || BESIDE.contains(&word)
}

/// Whether a word is a built-in type's.
pub(super) fn is_built_in(word: &str) -> bool {
    BUILT_IN.contains(&word)
}

/// What a type is written as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// Words of C.
    BuiltIn(String),
    /// A name, which the compiler is asked about.
    Named(Range<usize>),
    /// `auto`
    Auto,
}

/// A type in front of declarators.
#[derive(Clone, Debug)]
pub(super) struct Specifiers {
    pub written: Written,
    pub is_const: bool,
    pub is_static: bool,
    pub is_volatile: bool,
    /// The first token behind it.
    pub end: usize,
}

/// The end of `a::b<c>::d`, where one begins.
pub(super) fn path(file: &File, start: usize) -> Option<usize> {
    let mut at = start;
    if let Some(next) = colons(file, at) {
        at = next;
    }
    loop {
        if !file.is_word(at) {
            return None;
        }
        at += 1;
        if file.text(at) == "<" {
            if let Some(end) = arguments(file, at) {
                at = end;
            }
        }
        match colons(file, at) {
            Some(next) => at = next,
            None => return Some(at),
        }
    }
}

/// Behind `::`, which comes as two tokens.
pub(super) fn colons(file: &File, at: usize) -> Option<usize> {
    (file.text(at) == ":" && file.text(at + 1) == ":").then_some(at + 2)
}

/// The end of the arguments of a template, if what begins with `<` can be such.
pub(super) fn arguments(file: &File, start: usize) -> Option<usize> {
    let mut depth = 0;
    let mut at = start;
    while at < file.len() {
        match file.text(at) {
            "<" => depth += 1,
            ">" => depth -= 1,
            ">>" => depth -= 2,
            "," | ":" | "*" | "&" => {}
            word if super::file::is_word(word) => {}
            number if number.bytes().all(|b| b.is_ascii_alphanumeric()) => {}
            _ => return None,
        }
        at += 1;
        if depth <= 0 {
            // `a < b > c` is none: a name, a call or a declaration follows.
            let follows = file.text(at);
            let fits = matches!(follows, "(" | "{" | ":" | "*" | "&" | ">" | "," | ")")
                || super::file::is_word(follows);
            return (depth == 0 && fits).then_some(at);
        }
    }
    None
}

/// The type that begins at a token, and what is beside it.
pub(super) fn specifiers(file: &File, start: usize) -> Option<Specifiers> {
    let mut found = Specifiers {
        written: Written::Auto,
        is_const: false,
        is_static: false,
        is_volatile: false,
        end: start,
    };
    let mut words: Vec<&str> = Vec::new();
    let mut named = None;
    let mut is_auto = false;
    let mut at = start;
    loop {
        match file.text(at) {
            "const" | "constexpr" => found.is_const = true,
            "static" => found.is_static = true,
            "volatile" => found.is_volatile = true,
            "register" | "inline" => {}
            "auto" if words.is_empty() && named.is_none() => is_auto = true,
            "bool" if named.is_none() => words.push("_Bool"),
            word if is_built_in(word) && named.is_none() => words.push(word),
            word if words.is_empty()
                && named.is_none()
                && !is_auto
                && super::file::is_word(word) =>
            {
                let begin = match word {
                    "struct" | "class" | "enum" | "typename" => at + 1,
                    _ => at,
                };
                let end = path(file, begin)?;
                named = Some(at..end);
                at = end;
                continue;
            }
            ":" if words.is_empty() && named.is_none() && !is_auto => {
                let end = path(file, at)?;
                named = Some(at..end);
                at = end;
                continue;
            }
            _ => break,
        }
        at += 1;
    }
    found.end = at;
    found.written = match (named, is_auto) {
        (Some(path), _) => Written::Named(path),
        (None, true) => Written::Auto,
        (None, false) if words.is_empty() => return None,
        (None, false) => Written::BuiltIn(words.join(" ")),
    };
    Some(found)
}

/// Whether a declaration begins at a token.
pub(super) fn begins_declaration(
    file: &File,
    names: &Names,
    scopes: &Scopes,
    start: usize,
) -> bool {
    let word = file.text(start);
    if matches!(
        word,
        "const" | "constexpr" | "static" | "volatile" | "auto" | "struct" | "class" | "enum"
    ) {
        return true;
    }
    if NO_TYPES.contains(&word) {
        return false;
    }
    let Some(found) = specifiers(file, start) else {
        return false;
    };
    let mut at = found.end;
    while matches!(
        file.text(at),
        "*" | "&" | "&&" | "const" | "__restrict" | "__restrict__" | "restrict"
    ) {
        at += 1;
    }
    if !file.is_word(at) {
        return false;
    }
    let behind = matches!(file.text(at + 1), "=" | ";" | "," | "[" | "{" | "(" | ":");
    match &found.written {
        Written::BuiltIn(_) | Written::Auto => true,
        Written::Named(path) => {
            let is_variable = path.len() == 1 && scopes.get(file.text(path.start)).is_some();
            // `a * b;` and `f & (g);` do nothing: whoever writes that declares.
            behind
                && !is_variable
                && (at == found.end
                    || file.text(at + 1) != "("
                    || names.is_type(file.text(path.end - 1)))
        }
    }
}

/// The end of the type in a cast's parentheses, or between `<` and `>`: all of the tokens.
pub(super) fn is_type(file: &File, names: &Names, scopes: &Scopes, tokens: &Range<usize>) -> bool {
    let Some(found) = specifiers(file, tokens.start) else {
        return false;
    };
    if found.end > tokens.end {
        return false;
    }
    let known = match &found.written {
        Written::BuiltIn(_) => true,
        Written::Auto => false,
        Written::Named(path) => {
            let word = file.text(path.end - 1);
            scopes.get(word).is_none() && (names.is_type(word) || word == ">")
        }
    };
    known && (found.end..tokens.end).all(|at| matches!(file.text(at), "*" | "const" | "&"))
}
