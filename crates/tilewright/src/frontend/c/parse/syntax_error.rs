//! The parser's syntax errors in words of C.
//!
//! lang-c reports the furthest place that it reached and everything that it would have taken
//! there. The list is long and in its grammar's words; what helps is nearly always one of a few
//! mistakes, recognised from the tokens around the place.

use super::super::spans::SpanMap;
use super::prepare::Prepared;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Source;
use lang_c::driver::SyntaxError;

/// The message for a syntax error.
pub(super) fn diagnostic(
    source: &Source,
    prepared: &Prepared,
    map: &SpanMap,
    error: &SyntaxError,
) -> Diagnostic {
    let text = prepared.text.as_str();
    let at = map.token_from(error.offset);
    // A failure in the middle of a token is about that token.
    let at = match at.checked_sub(1) {
        Some(before) if map.tokens[before].end > error.offset => before,
        _ => at,
    };
    let word = |index: usize| map.tokens.get(index).map_or("", |t| t.text(text));
    let here = map.token_span(at.min(map.tokens.len().saturating_sub(1)));
    let found = word(at);
    let before = at.checked_sub(1).map_or("", word);
    let syntax = |message: String| Diagnostic::error(Code::Syntax, message);

    let diagnostic = if map.tokens.is_empty() {
        return syntax("the file is empty".to_string())
            .help("a C file with a function and a marked region is needed");
    } else if found.is_empty() {
        syntax("the file ends in the middle of a declaration".to_string()).at(here, "behind this")
    } else if found == "#" {
        syntax("`#` does not stand at the beginning of a line".to_string())
            .at(here, "not a directive here")
            .help("put the directive on a line of its own")
    } else if before == "?" && found == ":" {
        syntax("`?:` without a middle operand".to_string())
            .at(here, "an expression is missing before this")
            .note("this is an extension of GNU C that is not supported")
            .help("write the condition once more: `a ? a : b`")
    } else if found == "__auto_type" || before == "__auto_type" {
        syntax("`__auto_type` is not supported".to_string())
            .at(here, "here")
            .help("write the type")
    } else if let Some(name) = unknown_type(text, map, at, error) {
        let span = map.token_span(name);
        syntax(format!("unknown type name `{}`", word(name)))
            .at(span, "not a type that the file declares")
            .help("include the header that declares it, or spell it correctly")
    } else if expects(error, "\";\"") || expects(error, ";") {
        match at.checked_sub(1) {
            Some(previous) if is_end_of_expression(before) => {
                let end = map.token_span(previous);
                syntax(format!("expected `;` before `{found}`"))
                    .at(end, "`;` is missing behind this")
                    .also(here, "before this")
                    .rewrite(format!(
                        "{};",
                        source.text.get(end.start..end.end).unwrap_or(before)
                    ))
            }
            _ => syntax(format!("unexpected `{found}`"))
                .at(here, format!("not possible behind `{before}`")),
        }
    } else if expects(error, "\")\"") || expects(error, ")") {
        syntax(format!("expected `)` before `{found}`")).at(here, "`)` is missing before this")
    } else if expects_expression(error) {
        syntax(format!("expected an expression before `{found}`"))
            .at(here, format!("not possible behind `{before}`"))
    } else {
        syntax(format!("unexpected `{found}`")).at(here, format!("not possible behind `{before}`"))
    };
    if map.is_main_token(at) {
        return diagnostic;
    }
    diagnostic.note("the mistake is in an included file, or in what it defines")
}

fn expects(error: &SyntaxError, what: &str) -> bool {
    error.expected.contains(what)
}

fn expects_expression(error: &SyntaxError) -> bool {
    expects(error, "<constant>")
        || expects(error, "<expression>")
        || expects(error, "\"sizeof\"")
        || expects(error, "sizeof")
}

fn is_word(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn is_end_of_expression(word: &str) -> bool {
    is_word(word)
        || matches!(word, ")" | "]" | "++" | "--" | "}")
        || word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | '\'' | '.'))
}

/// Where a declaration seems to begin with a name that is no type: `foo_t x;` in a block, or
/// among parameters. Gives that name's token.
fn unknown_type(text: &str, map: &SpanMap, at: usize, _error: &SyntaxError) -> Option<usize> {
    let word = |index: usize| map.tokens.get(index).map_or("", |t| t.text(text));
    // The failure is at the name or at what follows it.
    for name in [Some(at), at.checked_sub(1)].into_iter().flatten() {
        let before = name.checked_sub(1).map_or(";", word);
        let starts = matches!(
            before,
            ";" | "{" | "}" | "(" | "," | "const" | "static" | "extern" | "restrict"
        );
        let declares =
            is_word(word(name + 1)) || (word(name + 1) == "*" && is_word(word(name + 2)));
        if starts
            && is_word(word(name))
            && !is_keyword(word(name))
            && declares
            && !is_keyword(word(name + 1))
        {
            return Some(name);
        }
    }
    None
}

fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "auto"
            | "break"
            | "case"
            | "char"
            | "const"
            | "continue"
            | "default"
            | "do"
            | "double"
            | "else"
            | "enum"
            | "extern"
            | "float"
            | "for"
            | "goto"
            | "if"
            | "inline"
            | "int"
            | "long"
            | "register"
            | "restrict"
            | "return"
            | "short"
            | "signed"
            | "sizeof"
            | "static"
            | "struct"
            | "switch"
            | "typedef"
            | "union"
            | "unsigned"
            | "void"
            | "volatile"
            | "while"
            | "_Bool"
    )
}
