//! The parser's syntax errors in words of C.
//!
//! lang-c reports the furthest place that it reached and everything that it would have taken
//! there. The list is long and in its grammar's words; what helps is nearly always one of a few
//! mistakes, recognised from the tokens around the place.

use super::prepare::Prepared;
use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::spans::SpanMap;
use crate::source::{Source, Span};
use lang_c::driver::SyntaxError;

/// The message for a syntax error.
pub(in crate::frontend::c::parse) fn diagnostic(
    source: &Source,
    prepared: &Prepared,
    map: &SpanMap,
    error: &SyntaxError,
) -> Diagnostic {
    let around = Around::new(&prepared.text, map, error.offset);
    let diagnostic = around
        .known_mistake()
        .or_else(|| around.missing_semicolon(source, error))
        .unwrap_or_else(|| around.unexpected(error));
    if map.tokens.is_empty() || map.is_main_token(around.at) {
        return diagnostic;
    }
    diagnostic.note("the mistake is in an included file, or in what it defines")
}

fn syntax(message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::Syntax, message)
}

/// The tokens around the place where the parser gave up.
struct Around<'a> {
    text: &'a str,
    map: &'a SpanMap,
    /// The token at which it gave up.
    at: usize,
}

impl<'a> Around<'a> {
    fn new(text: &'a str, map: &'a SpanMap, offset: usize) -> Around<'a> {
        let at = map.token_from(offset);
        // A failure in the middle of a token is about that token.
        let at = match at.checked_sub(1) {
            Some(before) if map.tokens[before].end > offset => before,
            _ => at,
        };
        Around { text, map, at }
    }

    /// The token `distance` tokens from the place, empty beyond both ends.
    fn word(&self, distance: isize) -> &'a str {
        let index = self.at.checked_add_signed(distance);
        index
            .and_then(|k| self.map.tokens.get(k))
            .map_or("", |t| t.text(self.text))
    }

    fn span(&self, distance: isize) -> Span {
        let index = self.at.saturating_add_signed(distance);
        self.map
            .token_span(index.min(self.map.tokens.len().saturating_sub(1)))
    }

    /// Mistakes that the tokens alone give away.
    fn known_mistake(&self) -> Option<Diagnostic> {
        let (before, found) = (self.word(-1), self.word(0));
        let here = self.span(0);
        Some(if self.map.tokens.is_empty() {
            syntax("the file is empty")
        } else if found.is_empty() {
            syntax("the file ends in the middle of a declaration").at(here, "behind this")
        } else if found == "#" {
            syntax("`#` does not stand at the beginning of a line")
                .at(here, "not a directive here")
                .help("put the directive on a line of its own")
        } else if matches!(found, "@" | "`" | "\\" | "#" | "##") || !found.is_ascii() {
            syntax(format!("`{found}` has no meaning in C")).at(here, "here")
        } else if before == "?" && found == ":" {
            syntax("`?:` without a middle operand")
                .at(here, "an expression is missing before this")
                .help("write the condition once more: `a ? a : b`")
        } else if before == "auto" && is_word(found) {
            syntax(format!("`{found}` is declared without a type"))
                .at(
                    self.span(-1),
                    "`auto` takes the type of the value in C23 only",
                )
                .help("write the type")
        } else if let Some(distance) = [0, -1].into_iter().find(|&d| self.word(d) == "__auto_type")
        {
            syntax("`__auto_type` is not supported")
                .at(self.span(distance), "here")
                .help("write the type")
        } else if let Some(distance) = [0, -1].into_iter().find(|&d| {
            // Behind anything else, that does not end.
            self.word(d) == "else" && matches!(self.word(d - 1), "" | ";" | "{" | "}" | ":")
        }) {
            syntax("`else` without `if`").at(self.span(distance), "no `if` ends before this")
        } else if is_control(before) && (is_type_word(self.word(-2)) || self.word(-2) == "*") {
            syntax(format!("`{before}` cannot be a name"))
                .at(self.span(-1), "a keyword of C")
                .help("give the variable another name")
        } else if let Some(distance) = self.unknown_type() {
            syntax(format!("unknown type name `{}`", self.word(distance)))
                .at(self.span(distance), "not a type that the file declares")
                .help("include the header that declares it, or spell it correctly")
        } else if is_word(found) && matches!(before, "" | ";" | "}") && self.word(1) == "(" {
            syntax(format!("`{found}` is declared without a type"))
                .at(here, "the type is missing before this")
                .help("write the type that the function returns: `int` is not implied")
                .rewrite(format!("int {found}"))
        } else {
            return None;
        })
    }

    /// Where a declaration seems to begin with a name that is no type: `foo_t x;`, `foo_t *x = y`,
    /// in a block or among parameters. Gives that name's distance.
    fn unknown_type(&self) -> Option<isize> {
        // The failure is at the name, at what follows it, or at the `=` of an initialiser.
        [0, -1, -2, -3].into_iter().find(|&name| {
            let starts = matches!(
                self.word(name - 1),
                "" | ";" | "{" | "}" | "(" | "," | "const" | "static" | "extern" | "restrict"
            );
            let pointer = self.word(name + 1) == "*";
            let declared = self.word(name + 1 + isize::from(pointer));
            let reaches =
                name >= -1 || (self.word(0) == "=" && name + 2 + isize::from(pointer) == 0);
            let is_name = |w: &str| is_word(w) && !is_keyword(w);
            starts && reaches && is_name(self.word(name)) && is_name(declared)
        })
    }

    /// A statement that does not end.
    fn missing_semicolon(&self, source: &Source, error: &SyntaxError) -> Option<Diagnostic> {
        let (before, found) = (self.word(-1), self.word(0));
        if !(expects(error, "\";\"") || expects(error, ";")) || !is_end_of_expression(before) {
            return None;
        }
        let end = self.span(-1);
        let spelling = source.text.get(end.start..end.end).unwrap_or(before);
        let message = syntax(format!("expected `;` before `{found}`"))
            .at(end, "`;` is missing behind this")
            .also(self.span(0), "before this");
        Some(if self.in_for_header() {
            message.help("a loop is written `for (start; condition; step)`")
        } else {
            message.rewrite(format!("{spelling};"))
        })
    }

    /// Whether the place is inside the parentheses of a `for`.
    fn in_for_header(&self) -> bool {
        let mut open = 0;
        for index in (0..self.at.min(self.map.tokens.len())).rev() {
            match self.map.tokens[index].text(self.text) {
                ")" => open += 1,
                "(" if open == 0 => {
                    return index > 0 && self.map.tokens[index - 1].text(self.text) == "for";
                }
                "(" => open -= 1,
                "{" | "}" => return false,
                _ => {}
            }
        }
        false
    }

    fn unexpected(&self, error: &SyntaxError) -> Diagnostic {
        let (before, found) = (self.word(-1), self.word(0));
        let behind = if before.is_empty() {
            "not possible at the beginning of the file".to_string()
        } else {
            format!("not possible behind `{before}`")
        };
        let begins = is_word(found) || is_end_of_expression(found);
        if !is_end_of_expression(before) && !begins && !matches!(before, "" | ";" | "{") {
            syntax(format!("expected an expression before `{found}`")).at(self.span(0), behind)
        } else if expects(error, "\")\"") || expects(error, ")") {
            syntax(format!("expected `)` before `{found}`"))
                .at(self.span(0), "`)` is missing before this")
        } else {
            syntax(format!("unexpected `{found}`")).at(self.span(0), behind)
        }
    }
}

fn expects(error: &SyntaxError, what: &str) -> bool {
    error.expected.contains(what)
}

fn is_word(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn is_end_of_expression(word: &str) -> bool {
    is_word(word)
        || matches!(word, ")" | "]" | "++" | "--" | "}")
        || word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | '\'' | '.'))
}

/// Keywords that begin or steer statements.
fn is_control(word: &str) -> bool {
    matches!(
        word,
        "break"
            | "case"
            | "continue"
            | "default"
            | "do"
            | "else"
            | "for"
            | "goto"
            | "if"
            | "return"
            | "sizeof"
            | "switch"
            | "while"
    )
}

/// Keywords of types.
fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "char"
            | "const"
            | "double"
            | "float"
            | "int"
            | "long"
            | "restrict"
            | "short"
            | "signed"
            | "unsigned"
            | "void"
            | "volatile"
            | "_Bool"
    )
}

fn is_keyword(word: &str) -> bool {
    is_control(word)
        || is_type_word(word)
        || matches!(
            word,
            "auto"
                | "enum"
                | "extern"
                | "inline"
                | "register"
                | "static"
                | "struct"
                | "typedef"
                | "union"
        )
}
