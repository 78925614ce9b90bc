//! Declarations of C++ in C: `auto`, references, braces.

use super::answers::Question;
use super::names::{Refusal, split};
use super::pieces::{By, Piece};
use super::translate::Translator;
use super::types::{Specifiers, Written, colons, specifiers};
use std::ops::Range;

impl Translator<'_> {
    /// `std::swap(a, b);` of numbers.
    pub(super) fn swap(&mut self, at: usize, end: usize) -> Result<bool, Refusal> {
        let file = self.file;
        let open = match (file.text(at), colons(file, at + 1)) {
            ("std", Some(name)) if file.text(name) == "swap" && file.text(name + 1) == "(" => {
                name + 1
            }
            _ => return Ok(false),
        };
        let close = self.close(open)?;
        let parts = split(file, open + 1..close, ",");
        let [a, b] = &parts[..] else { return Ok(false) };
        if close + 1 != end {
            return Ok(false);
        }
        let place = [file.offset(at), file.end(close)];
        let of = format!("decltype(({}))", file.spelling(a.clone()));
        let question = self.questions.expression(place, &of, None);
        let name = self.names.fresh("swapped");
        self.put(at, "{");
        self.declare(question, &name, By::Value, a.clone());
        self.writer.put("=");
        self.expression(a.clone())?;
        self.writer.put(";");
        self.expression(a.clone())?;
        self.writer.put("=");
        self.expression(b.clone())?;
        self.writer.put(";");
        self.expression(b.clone())?;
        self.writer.put(&format!("= {name}; }}"));
        // Both are assigned to.
        self.written(a);
        self.written(b);
        Ok(true)
    }

    /// Variables that are declared outside and named here may be written, but for those in subscripts.
    pub(super) fn written(&mut self, tokens: &Range<usize>) {
        let mut at = tokens.start;
        while at < tokens.end {
            if self.file.text(at) == "[" {
                at = self.file.partner(at).unwrap_or(at);
            }
            let word = self.file.text(at);
            at += 1;
            for outer in &mut self.outers {
                let last = outer.spelling.rsplit([':', '>', '.']).next();
                outer.written |= last == Some(word);
            }
        }
    }

    pub(super) fn declare(&mut self, question: Question, name: &str, by: By, at: Range<usize>) {
        self.writer.go_to(at.start);
        self.writer
            .hole(Piece::Declare(question, name.to_owned(), by, at));
    }

    /// Declares a name; what stands for it in C's declaration.
    pub(super) fn bind(&mut self, name: &str, is_reference: bool) -> String {
        if is_reference {
            let own = self.names.fresh(&format!("{name}_at"));
            self.scopes.declare(name, format!("(*{own})"));
            return own;
        }
        self.scopes.declare(name, name.to_owned());
        name.to_owned()
    }

    /// A declaration of variables, without what ends it.
    pub(super) fn declaration(
        &mut self,
        tokens: Range<usize>,
        in_head: bool,
    ) -> Result<(), Refusal> {
        let file = self.file;
        let Some(found) = specifiers(file, tokens.start) else {
            return self.no(
                tokens,
                "a declaration that is not understood",
                "write it as in C",
            );
        };
        let parts = split(file, found.end..tokens.end, ",");
        let is_special =
            |part: &Range<usize>| file.text(part.start) == "&" || file.text(part.start) == "&&";
        let apart = found.written == Written::Auto || parts.iter().any(is_special);
        if apart && in_head && parts.len() > 1 {
            return self.no(
                tokens,
                "several variables with `auto` or `&`",
                "declare them one by one in front of the loop",
            );
        }
        for (number, part) in parts.iter().enumerate() {
            if apart {
                if number > 0 {
                    self.writer.put(";");
                }
                self.special(&found, part.clone())?;
            } else {
                if number == 0 {
                    self.base(tokens.start, &found)?;
                } else {
                    self.writer.put(",");
                }
                self.declarator(part.clone())?;
            }
        }
        Ok(())
    }

    /// The type in front of declarators.
    fn base(&mut self, at: usize, found: &Specifiers) -> Result<(), Refusal> {
        self.writer.go_to(at);
        for (is, word) in [
            (found.is_static, "static"),
            (found.is_const, "const"),
            (found.is_volatile, "volatile"),
        ] {
            if is {
                self.writer.put(word);
            }
        }
        match &found.written {
            Written::BuiltIn(words) => self.writer.put(words),
            Written::Named(path) => {
                let of = self.file.spelling(path.clone()).to_owned();
                let question = self.questions.statement(self.begin, &of, None);
                self.writer.hole(Piece::Base(question, path.clone()));
            }
            Written::Auto => {}
        }
        Ok(())
    }

    /// A declarator with its value.
    fn declarator(&mut self, tokens: Range<usize>) -> Result<(), Refusal> {
        let file = self.file;
        let mut at = tokens.start;
        while matches!(file.text(at), "*" | "const" | "__restrict" | "__restrict__") {
            self.writer.token(at);
            at += 1;
        }
        if !file.is_word(at) {
            return self.no(
                tokens,
                "a declaration that is not understood",
                "write it as in C",
            );
        }
        self.noted(at);
        let name = self.bind(file.text(at), false);
        self.put(at, &name);
        at += 1;
        let mut is_array = false;
        while file.text(at) == "[" && at < tokens.end {
            let close = self.close(at)?;
            self.bracketed(at, close)?;
            at = close + 1;
            is_array = true;
        }
        if at >= tokens.end {
            return Ok(());
        }
        match file.text(at) {
            "=" if file.text(at + 1) == "{" => {
                self.put(at, "=");
                self.values(at + 1, is_array)
            }
            "=" => {
                self.put(at, "=");
                self.expression(at + 1..tokens.end)
            }
            "{" => {
                self.put(at, "=");
                self.values(at, is_array)
            }
            "(" if !is_array => {
                let close = self.close(at)?;
                self.put(at, "=");
                self.bracketed(at, close)
            }
            _ => self.no(
                tokens,
                "a declaration that is not understood",
                "write it as in C",
            ),
        }
    }

    /// `{…}` behind a name.
    fn values(&mut self, open: usize, is_array: bool) -> Result<(), Refusal> {
        let close = self.close(open)?;
        let parts = split(self.file, open + 1..close, ",");
        if !is_array {
            return match &parts[..] {
                [] => {
                    self.put(open, "0");
                    Ok(())
                }
                [only] if self.file.text(only.start) != "{" => self.expression(only.clone()),
                _ => self.no(open..close + 1, "values of a class", "give them one by one"),
            };
        }
        self.put(open, "{");
        if parts.is_empty() {
            self.writer.put("0");
        }
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            if self.file.text(part.start) == "{" {
                self.values(part.start, true)?;
            } else {
                self.expression(part)?;
            }
            self.writer.put(",");
        }
        self.put(close, "}");
        Ok(())
    }

    /// A name that is declared outside of blocks is known behind the region, too.
    fn noted(&mut self, at: usize) {
        if self.scopes.depth() == 1 {
            self.declared.push((self.file.text(at).to_owned(), at));
        }
    }

    /// A declaration with `auto`, or of a reference.
    fn special(&mut self, found: &Specifiers, tokens: Range<usize>) -> Result<(), Refusal> {
        let file = self.file;
        let mut at = tokens.start;
        let is_reference = matches!(file.text(at), "&" | "&&");
        while matches!(file.text(at), "*" | "&" | "&&" | "const") {
            at += 1;
        }
        let name = at;
        let value = match file.text(name + 1) {
            "=" => name + 2..tokens.end,
            "{" | "(" if name + 1 < tokens.end => name + 2..self.close(name + 1)?,
            _ => {
                return self.no(
                    tokens,
                    "a declaration that is not understood",
                    "write it as in C",
                );
            }
        };
        if !file.is_word(name) || value.is_empty() || file.text(value.start) == "{" {
            return self.no(
                tokens,
                "a declaration that is not understood",
                "write it as in C",
            );
        }
        let whole = file.spelling(value.clone()).to_owned();
        let place = [file.offset(value.start), file.end(value.end - 1)];
        let of = match is_reference {
            true => format!("decltype(({whole}))"),
            // As it is handed to a function.
            false => format!("decltype(({whole}))"),
        };
        let question = self.questions.expression(place, &of, None);
        self.noted(name);
        let text = file.text(name).to_owned();
        let by = if is_reference {
            By::Reference
        } else {
            By::Value
        };
        if found.is_const && !is_reference {
            self.put(tokens.start, "const");
        }
        if is_reference {
            // Its value is found where it is declared: names in it mean what they meant before.
            let own = self.names.fresh(&format!("{text}_at"));
            self.declare(question, &own, by, name..name + 1);
            self.writer.put("=");
            self.writer.hole(Piece::AddressOf(question));
            self.writer.put("(");
            self.expression(value.clone())?;
            self.writer.put(")");
            self.writer.hole(Piece::EndOf(question));
            self.written(&value);
            self.scopes.declare(&text, format!("(*{own})"));
            return Ok(());
        }
        self.declare(question, &text, by, name..name + 1);
        self.writer.put("=");
        self.expression(value)?;
        self.scopes.declare(&text, text.clone());
        Ok(())
    }
}
