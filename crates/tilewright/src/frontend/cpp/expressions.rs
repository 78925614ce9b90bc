//! Expressions of C++ in C.
//!
//! Tokens are written as they are but for what C has not: names with `::`, casts with `<`, the
//! library's functions, references. Every name is one that is declared inside, or one whose type the
//! compiler is asked for, so that operators are those of built-in types.

use super::names::{Outer, Refusal, refuse, split};
use super::pieces::Piece;
use super::translate::Translator;
use super::types::{Written, arguments, colons, is_built_in, is_type, path, specifiers};
use std::ops::Range;

/// Words that begin what has no counterpart in C, and what to write in place of it.
const WITHOUT_MEANING: [(&str, &str); 18] = [
    ("new", "allocate memory in front of the region"),
    ("delete", "free memory behind the region"),
    ("throw", "check in front of the region"),
    ("typeid", "decide in front of the region"),
    ("dynamic_cast", "convert in front of the region"),
    ("decltype", "write the type"),
    ("noexcept", "write the value"),
    ("template", "write a function for the type"),
    ("typename", "write the type"),
    ("operator", "write the operator"),
    ("co_await", "wait in front of the region"),
    ("co_yield", "yield behind the region"),
    ("requires", "write a function for the type"),
    ("alignof", "write the value"),
    ("asm", "write it behind the region"),
    ("__asm__", "write it behind the region"),
    ("union", "declare it in front of the function"),
    ("goto", "write loops"),
];

/// Operators that have names.
const NAMED: [(&str, &str); 11] = [
    ("and", "&&"),
    ("or", "||"),
    ("not", "!"),
    ("bitand", "&"),
    ("bitor", "|"),
    ("xor", "^"),
    ("compl", "~"),
    ("and_eq", "&="),
    ("or_eq", "|="),
    ("xor_eq", "^="),
    ("not_eq", "!="),
];

const ASSIGNMENTS: [&str; 12] = [
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<=",
];

impl Translator<'_> {
    /// Writes an expression.
    pub(super) fn expression(&mut self, tokens: Range<usize>) -> Result<(), Refusal> {
        let mut at = tokens.start;
        while at < tokens.end {
            at = self.item(at, &tokens)?;
        }
        Ok(())
    }

    /// Writes what begins at a token, and returns where the next begins.
    fn item(&mut self, at: usize, all: &Range<usize>) -> Result<usize, Refusal> {
        let file = self.file;
        let text = file.text(at);
        let is_operand = at == all.start || !ends_operand(file.text(at - 1));
        match text {
            "[" if is_operand => self.no(
                at..at + 1,
                "a lambda in a region",
                "write its statements in place of the call, or a function",
            ),
            "{" => self.no(
                at..at + 1,
                "braces in an expression",
                "write the values one by one",
            ),
            "(" => {
                let close = self.close(at)?;
                let inner = at + 1..close;
                let is_cast = is_type(file, self.names, &self.scopes, &inner)
                    && begins_operand(file.text(close + 1));
                if is_cast {
                    self.cast(&inner)?;
                } else {
                    self.bracketed(at, close)?;
                }
                Ok(close + 1)
            }
            "[" => {
                let close = self.close(at)?;
                self.bracketed(at, close)?;
                Ok(close + 1)
            }
            "static_cast" | "reinterpret_cast" | "const_cast" => {
                let end = arguments(file, at + 1);
                let Some(open) = end.filter(|&end| file.text(end) == "(") else {
                    return self.no(
                        at..at + 1,
                        "a cast that is not understood",
                        "write the cast as in C",
                    );
                };
                let close = self.close(open)?;
                self.put(at, "(");
                self.cast(&(at + 2..open - 1))?;
                self.bracketed(open, close)?;
                self.put(close, ")");
                Ok(close + 1)
            }
            "sizeof" => {
                let end = match file.text(at + 1) {
                    "(" => self.close(at + 1)? + 1,
                    _ => {
                        return self.no(
                            at..at + 1,
                            "`sizeof` without parentheses",
                            "write parentheses",
                        );
                    }
                };
                let whole = file.spelling(at..end).to_owned();
                let place = [file.offset(at), file.end(end - 1)];
                let question = self
                    .questions
                    .expression(place, "unsigned long", Some(&whole));
                self.writer.go_to(at);
                self.writer.hole(Piece::Value(question, at..end));
                Ok(end)
            }
            "true" => self.instead(at, "((_Bool)1)"),
            "false" => self.instead(at, "((_Bool)0)"),
            "nullptr" => self.instead(at, "((void *)0)"),
            "this" => {
                if file.text(at + 1) == "->" && file.is_word(at + 2) && file.text(at + 3) != "(" {
                    return self.variable(at..at + 3, all);
                }
                self.no(at..at + 1, "`this` in a region", "write the member's name")
            }
            "." | "->" => {
                if !file.is_word(at + 1) {
                    return self.no(at..at + 2, "an operator of C++", "write the member's name");
                }
                if file.text(at + 2) == "(" {
                    let help = "compute its value in front of the region, or write a function of what it uses";
                    return self.no(at + 1..at + 2, "a call of a member function", help);
                }
                self.writer.token(at);
                self.writer.token(at + 1);
                Ok(at + 2)
            }
            _ if text.starts_with('\'') => {
                let value = format!("((char){text})");
                self.instead(at, &value)
            }
            _ if text.starts_with(|c: char| c.is_ascii_digit() || c == '.') => self.number(at),
            ":" if colons(file, at).is_some() => self.word(at, all),
            _ if file.is_word(at) => self.word(at, all),
            _ => {
                self.writer.token(at);
                Ok(at + 1)
            }
        }
    }

    fn number(&mut self, at: usize) -> Result<usize, Refusal> {
        let text = self.file.text(at).replace('\'', "");
        if text.starts_with('.') && !text[1..].starts_with(|c: char| c.is_ascii_digit()) {
            self.writer.token(at);
            return Ok(at + 1);
        }
        let binary = text.strip_prefix("0b").or_else(|| text.strip_prefix("0B"));
        if let Some(digits) = binary {
            let end = digits
                .find(|c| c != '0' && c != '1')
                .unwrap_or(digits.len());
            if let Ok(value) = u64::from_str_radix(&digits[..end], 2) {
                let text = format!("0x{value:x}{}", &digits[end..]);
                return self.instead(at, &text);
            }
        }
        let own = |c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-');
        let letters: String = text.chars().filter(|&c| !own(c)).collect();
        let is_hex = text.starts_with("0x") || text.starts_with("0X");
        let known = is_hex
            || letters
                .chars()
                .all(|c| matches!(c, 'e' | 'E' | 'f' | 'F' | 'u' | 'U' | 'l' | 'L'));
        if !known || text.contains('_') {
            return self.no(
                at..at + 1,
                "a literal of a type of C++",
                "write the value as a number",
            );
        }
        self.instead(at, &text)
    }

    /// A name or a keyword.
    fn word(&mut self, at: usize, all: &Range<usize>) -> Result<usize, Refusal> {
        let file = self.file;
        let text = file.text(at);
        if let Some((_, operator)) = NAMED.iter().find(|(name, _)| *name == text) {
            return self.instead(at, operator);
        }
        if let Some((word, help)) = WITHOUT_MEANING.iter().find(|(word, _)| *word == text) {
            return self.no(at..at + 1, &format!("`{word}` in a region"), help);
        }
        if is_built_in(text) {
            let open = at + 1;
            if !matches!(file.text(open), "(" | "{") {
                return self.no(
                    at..at + 1,
                    "a type where a value is expected",
                    "write the cast as in C",
                );
            }
            return self.functional_cast(at..open, open);
        }
        if text.len() > 1
            && file.text(at + 1).starts_with(['"', '\''])
            && file.offset(at + 1) == file.end(at)
        {
            return self.no(
                at..at + 2,
                "a literal with a prefix",
                "write the value as a number",
            );
        }
        let Some(end) = path(file, at) else {
            return self.no(
                at..at + 1,
                "an expression that is not understood",
                "write it as in C",
            );
        };
        let name = file.spelling(at..end).replace(char::is_whitespace, "");
        let last = file.text(end - 1).to_owned();
        let own = self.scopes.get(&name).map(str::to_owned);
        if let Some(text) = own {
            if file.text(end) == "(" {
                return self.no(
                    at..end,
                    "a call of what a variable holds",
                    "call a function by its name",
                );
            }
            return self.instead_of(at..end, &text);
        }
        let next = file.text(end);
        if matches!(next, "(" | "{") && self.names.is_type(&name) && last != ">" {
            return self.functional_cast(at..end, end);
        }
        if next == "(" {
            return self.call(at..end, &name);
        }
        if last == ">" {
            return self.no(
                at..end,
                "a template in an expression",
                "name what it stands for in front of the region",
            );
        }
        self.variable(at..end, all)
    }

    /// A variable that is declared outside.
    fn variable(&mut self, name: Range<usize>, all: &Range<usize>) -> Result<usize, Refusal> {
        let file = self.file;
        let mut name = name;
        // A member of a variable is one, too.
        while matches!(file.text(name.end), "." | "->")
            && file.is_word(name.end + 1)
            && file.text(name.end + 2) != "("
        {
            name.end += 2;
        }
        let spelling = file.spelling(name.clone()).replace(char::is_whitespace, "");
        if self.names.is_of_threads(&spelling) {
            let message = format!("each thread has its own `{spelling}`");
            return self.no(name, &message, "take its value in front of the region");
        }
        let number = self.outer(&name);
        let end = name.end;
        if file.text(end) == "." && file.is_word(end + 1) && file.text(end + 2) == "(" {
            let member = file.text(end + 1).to_owned();
            let close = self.close(end + 2)?;
            if close != end + 3 || !matches!(&*member, "size" | "data" | "empty") {
                let help = match &*member {
                    "at" => "write `[…]`, which throws nothing",
                    _ => "call it in front of the region",
                };
                return self.no(
                    end + 1..end + 2,
                    &format!("a call of the member function `{member}`"),
                    help,
                );
            }
            if let Some(outer) = self.outers.get_mut(number) {
                outer.sized |= member != "data";
            }
            self.writer.go_to(name.start);
            self.writer.hole(Piece::Member {
                number,
                member,
                at: name.start..close + 1,
            });
            return Ok(close + 1);
        }
        let mut behind = end;
        while behind < all.end {
            behind = match file.text(behind) {
                "[" => self.close(behind)? + 1,
                "." if file.is_word(behind + 1) => behind + 2,
                _ => break,
            };
        }
        let before = name
            .start
            .checked_sub(1)
            .map_or("", |before| file.text(before));
        let is_shifted = file.text(behind) == ">>=";
        let written = is_shifted
            || ASSIGNMENTS.contains(&file.text(behind))
            || matches!(before, "++" | "--")
            || (before == "&"
                && (name.start - 1 == all.start || !ends_operand(file.text(name.start - 2))));
        if let Some(outer) = self.outers.get_mut(number) {
            outer.written |= written;
        }
        self.writer.go_to(name.start);
        self.writer.hole(Piece::Outer {
            number,
            subscripted: file.text(end) == "[",
            at: name.clone(),
        });
        Ok(end)
    }

    /// The number of a variable that is declared outside.
    pub(super) fn outer(&mut self, name: &Range<usize>) -> usize {
        let spelling = self
            .file
            .spelling(name.clone())
            .replace(char::is_whitespace, "");
        if let Some(number) = self
            .outers
            .iter()
            .position(|outer| outer.spelling == spelling)
        {
            return number;
        }
        // Of a constant of an enumeration, the type that it is computed with.
        let is_enumerator = self.names.is_enumerator(&spelling) && !self.names.has_operators;
        let of = match is_enumerator {
            true => format!("decltype(+{spelling})"),
            false => format!("decltype({spelling})"),
        };
        let question = self.questions.statement(self.begin, &of, None);
        // Apart: of what is no number, this is an error.
        let is_plain = !matches!(self.file.text(name.end), "[" | "." | "->" | ",");
        let value = is_plain.then(|| {
            let value = Some(&*spelling);
            self.questions.statement(self.begin, "long long", value)
        });
        let of = format!("decltype(&({spelling}))");
        let address = self.questions.statement(self.begin, &of, None);
        self.outers.push(Outer {
            spelling,
            at: name.clone(),
            question,
            address,
            value,
            written: false,
            sized: false,
        });
        self.outers.len() - 1
    }

    /// `type(value)` or `type{value}`
    fn functional_cast(&mut self, name: Range<usize>, open: usize) -> Result<usize, Refusal> {
        let close = self.close(open)?;
        let parts = split(self.file, open + 1..close, ",");
        if parts.len() != 1 {
            return self.no(name, "a value of a class", "write numbers");
        }
        self.put(name.start, "(");
        self.cast(&name)?;
        self.put(open, "(");
        self.expression(open + 1..close)?;
        self.put(close, "))");
        Ok(close + 1)
    }

    /// `(type)`
    fn cast(&mut self, tokens: &Range<usize>) -> Result<(), Refusal> {
        let file = self.file;
        let found = specifiers(file, tokens.start).filter(|found| found.end <= tokens.end);
        let Some(found) = found else {
            return self.no(
                tokens.clone(),
                "a cast that is not understood",
                "write the cast as in C",
            );
        };
        if (found.end..tokens.end).any(|at| file.text(at) == "&") {
            return self.no(tokens.clone(), "a cast to a reference", "cast the value");
        }
        self.put(tokens.start, "(");
        if found.is_const {
            self.writer.put("const");
        }
        match found.written {
            Written::BuiltIn(words) => self.writer.put(&words),
            Written::Named(path) => {
                let question =
                    self.questions
                        .statement(self.begin, file.spelling(path.clone()), None);
                self.writer.hole(Piece::Base(question, path));
            }
            Written::Auto => return self.no(tokens.clone(), "a cast to `auto`", "write the type"),
        }
        for at in found.end..tokens.end {
            self.writer.token(at);
        }
        self.writer.put(")");
        Ok(())
    }

    /// An expression with the brackets around it.
    pub(super) fn bracketed(&mut self, open: usize, close: usize) -> Result<(), Refusal> {
        self.writer.token(open);
        self.expression(open + 1..close)?;
        self.writer.token(close);
        Ok(())
    }

    pub(super) fn close(&self, open: usize) -> Result<usize, Refusal> {
        let found = self.file.partner(open);
        found.ok_or_else(|| {
            refuse(
                self.file,
                open..open + 1,
                "a bracket without a partner",
                "close it",
            )
        })
    }

    pub(super) fn put(&mut self, at: usize, text: &str) {
        self.writer.go_to(at);
        self.writer.put(text);
    }

    fn instead(&mut self, at: usize, text: &str) -> Result<usize, Refusal> {
        self.instead_of(at..at + 1, text)
    }

    fn instead_of(&mut self, at: Range<usize>, text: &str) -> Result<usize, Refusal> {
        self.put(at.start, text);
        Ok(at.end)
    }

    pub(super) fn no<T>(&self, at: Range<usize>, message: &str, help: &str) -> Result<T, Refusal> {
        Err(refuse(self.file, at, message, help))
    }
}

/// Whether an operand may end with a token.
fn ends_operand(text: &str) -> bool {
    let is_value =
        super::file::is_word(text) && !matches!(text, "return" | "case" | "and" | "or" | "not");
    is_value
        || matches!(text, ")" | "]")
        || text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '\'' | '"'))
}

/// Whether what begins with a token may be what a cast in front of it converts.
fn begins_operand(text: &str) -> bool {
    super::file::is_word(text)
        || matches!(
            text,
            "(" | "-" | "+" | "*" | "&" | "!" | "~" | ":" | "++" | "--"
        )
        || text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '\'' | '"'))
}
