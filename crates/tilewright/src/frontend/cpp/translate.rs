//! Statements of C++ in C: of a region, and of functions that it calls.

use super::answers::Question;
use super::file::File;
use super::names::{Names, Outer, Questions, Refusal, Scopes, refuse, split};
use super::pieces::{By, Piece, Writer};
use super::types::{Written, begins_declaration, colons, specifiers};
use std::collections::BTreeSet;
use std::ops::Range;

/// Functions of the file that regions call, in an order in which each comes behind those it calls.
#[derive(Debug, Default)]
pub(super) struct Helpers {
    pub done: Vec<Helper>,
    /// Those that are being translated: a call of one is recursion.
    pub open: Vec<String>,
}

/// A function of the file in C.
#[derive(Debug)]
pub(super) struct Helper {
    /// Its name in C.
    pub name: String,
    /// What it was called by first.
    pub spelling: String,
    pub pieces: Vec<Piece>,
    pub outers: Vec<Outer>,
    /// The parameters that are references.
    pub references: Vec<bool>,
    /// The questions for the types that it is used with, where it is a template.
    pub types: Vec<Question>,
    /// The numbers of those that it calls.
    pub calls: BTreeSet<usize>,
    /// The token of its name.
    pub at: usize,
}

/// What translates a region, or a function.
pub(super) struct Translator<'a> {
    pub file: &'a File<'a>,
    pub names: &'a mut Names,
    pub questions: &'a mut Questions,
    pub helpers: &'a mut Helpers,
    pub writer: Writer<'a>,
    pub scopes: Scopes,
    /// Variables that are declared outside, in the order of their first use.
    pub outers: Vec<Outer>,
    /// The offset of the preprocessed text at which statements of questions are put in.
    pub begin: usize,
    pub around: Around,
    /// The numbers of the functions that are called, by them, too.
    pub calls: BTreeSet<usize>,
    /// Names that are declared outside of blocks.
    pub declared: Vec<(String, usize)>,
}

/// What jumps may leave where something is translated.
#[derive(Default)]
pub(super) struct Around {
    /// Loops, and what `break` leaves: loops and `switch`.
    pub loops: usize,
    pub breaks: usize,
    /// Whether it is a function, which returns.
    pub is_function: bool,
}

impl<'a> Translator<'a> {
    /// For statements that begin at an offset.
    pub fn new(
        file: &'a File<'a>,
        (names, questions, helpers): (&'a mut Names, &'a mut Questions, &'a mut Helpers),
        (from, begin): (usize, usize),
    ) -> Translator<'a> {
        Translator {
            file,
            names,
            questions,
            helpers,
            writer: Writer::new(file, from),
            scopes: Scopes::default(),
            outers: Vec::new(),
            begin,
            around: Around::default(),
            calls: BTreeSet::new(),
            declared: Vec::new(),
        }
    }

    /// Writes statements.
    pub fn statements(&mut self, tokens: Range<usize>) -> Result<(), Refusal> {
        self.scopes.enter();
        let mut at = tokens.start;
        while at < tokens.end {
            at = self.statement(at)?;
        }
        self.scopes.leave();
        Ok(())
    }

    /// Writes a statement, and returns where the next begins.
    fn statement(&mut self, at: usize) -> Result<usize, Refusal> {
        let file = self.file;
        match file.text(at) {
            "{" => {
                let close = self.close(at)?;
                self.writer.token(at);
                self.statements(at + 1..close)?;
                self.writer.token(close);
                Ok(close + 1)
            }
            ";" => {
                self.writer.token(at);
                Ok(at + 1)
            }
            "[" if file.text(at + 1) == "[" => Ok(self.close(at)? + 1),
            "if" => self.conditional(at),
            "for" => self.loop_over(at),
            "while" | "switch" => self.while_or_switch(at),
            "do" => {
                self.writer.token(at);
                let end = self.body(at + 1)?;
                let close = self.close(end + 1)?;
                self.put(end, "while");
                self.bracketed(end + 1, close)?;
                self.put(close + 1, ";");
                Ok(close + 2)
            }
            "case" | "default" => {
                let colon = (at..file.len()).find(|&k| {
                    file.text(k) == ":" && file.text(k + 1) != ":" && file.text(k - 1) != ":"
                });
                let Some(colon) = colon else {
                    return self.no(at..at + 1, "a `case` without `:`", "write it");
                };
                self.writer.token(at);
                self.expression(at + 1..colon)?;
                self.writer.token(colon);
                Ok(colon + 1)
            }
            "break" if self.around.breaks == 0 => self.no(
                at..at + 1,
                "`break` leaves the region",
                "mark the loop that it ends, too",
            ),
            "continue" if self.around.loops == 0 => self.no(
                at..at + 1,
                "`continue` leaves the region",
                "mark the loop that it is in, too",
            ),
            "return" if !self.around.is_function => self.no(
                at..at + 1,
                "`return` leaves the region",
                "return behind the region",
            ),
            "static_assert" => {
                let close = self.close(at + 1)?;
                Ok(close + 2)
            }
            "try" | "catch" => self.no(
                at..at + 1,
                "exceptions in a region",
                "catch them around the region",
            ),
            "using" | "typedef" | "namespace" | "template" => {
                let help = "write it in front of the region";
                self.no(
                    at..at + 1,
                    "a declaration of something else than variables",
                    help,
                )
            }
            "struct" | "class" | "union" | "enum"
                if file.text(at + 2) == "{" || file.text(at + 1) == "{" =>
            {
                self.no(
                    at..at + 1,
                    "a type declared in a region",
                    "declare it in front of the function",
                )
            }
            _ if file.is_word(at) && file.text(at + 1) == ":" && colons(file, at + 1).is_none() => {
                self.no(at..at + 1, "a label in a region", "write loops")
            }
            _ if begins_declaration(file, self.names, &self.scopes, at) => {
                let end = self.semicolon(at)?;
                self.declaration(at..end, false)?;
                self.put(end, ";");
                Ok(end + 1)
            }
            word => {
                let is_jump = matches!(word, "break" | "continue" | "return");
                let end = self.semicolon(at)?;
                if self.swap(at, end)? {
                    return Ok(end + 1);
                }
                if is_jump {
                    self.writer.token(at);
                }
                self.expression(at + usize::from(is_jump)..end)?;
                self.put(end, ";");
                Ok(end + 1)
            }
        }
    }

    /// The `;` that ends a statement.
    fn semicolon(&self, from: usize) -> Result<usize, Refusal> {
        let file = self.file;
        let mut at = from;
        while at < file.len() {
            match file.text(at) {
                ";" => return Ok(at),
                "(" | "[" | "{" => at = self.close(at)?,
                "}" | ")" => break,
                _ => {}
            }
            at += 1;
        }
        self.no(from..from + 1, "a statement without `;`", "write it")
    }

    /// A statement that is the body of another.
    fn body(&mut self, at: usize) -> Result<usize, Refusal> {
        self.around.loops += 1;
        self.around.breaks += 1;
        self.scopes.enter();
        let end = self.statement(at);
        self.scopes.leave();
        self.around.loops -= 1;
        self.around.breaks -= 1;
        end
    }

    /// `if`, where a variable may be declared.
    fn conditional(&mut self, at: usize) -> Result<usize, Refusal> {
        let file = self.file;
        let open = at + 1;
        if file.text(open) == "constexpr" {
            return self.no(
                at..open + 1,
                "`if constexpr` in a region",
                "write `if`, or the branch that is taken",
            );
        }
        let close = self.close(open)?;
        let parts = split(file, open + 1..close, ";");
        let declares = |this: &Self, tokens: &Range<usize>| {
            begins_declaration(file, this.names, &this.scopes, tokens.start)
        };
        let first = parts[..].first().cloned().unwrap_or(open + 1..close);
        let is_declared = declares(self, &first);
        self.scopes.enter();
        if is_declared || parts.len() > 1 {
            self.put(at, "{");
            if is_declared {
                self.declaration(first.clone(), false)?;
            } else {
                self.expression(first.clone())?;
            }
            self.put(at, ";");
        }
        self.put(at, "if (");
        match &parts[..] {
            [_, condition] if !declares(self, condition) => self.expression(condition.clone())?,
            [only] if is_declared => {
                let end = (only.start..only.end).find(|&k| matches!(file.text(k), "=" | "{"));
                let name = end.map_or(only.start, |end| end - 1);
                self.expression(name..name + 1)?;
            }
            [only] => self.expression(only.clone())?,
            _ => {
                return self.no(
                    at..close + 1,
                    "a condition that is not understood",
                    "declare in front of it",
                );
            }
        }
        self.put(close, ")");
        self.scopes.enter();
        let mut end = self.statement(close + 1)?;
        self.scopes.leave();
        if file.text(end) == "else" {
            self.writer.token(end);
            self.scopes.enter();
            end = self.statement(end + 1)?;
            self.scopes.leave();
        }
        if is_declared || parts.len() > 1 {
            self.writer.put("}");
        }
        self.scopes.leave();
        Ok(end)
    }

    fn while_or_switch(&mut self, at: usize) -> Result<usize, Refusal> {
        let file = self.file;
        let close = self.close(at + 1)?;
        if begins_declaration(file, self.names, &self.scopes, at + 2) {
            return self.no(
                at + 2..close,
                "a declaration in this condition",
                "declare it in front of the statement",
            );
        }
        self.writer.token(at);
        self.bracketed(at + 1, close)?;
        if file.text(at) == "while" {
            return self.body(close + 1);
        }
        self.around.breaks += 1;
        let end = self.statement(close + 1);
        self.around.breaks -= 1;
        end
    }

    /// `for`, over numbers or over the elements of an array.
    fn loop_over(&mut self, at: usize) -> Result<usize, Refusal> {
        let file = self.file;
        let open = at + 1;
        let close = self.close(open)?;
        let parts = split(file, open + 1..close, ";");
        self.scopes.enter();
        let [first, condition, step] = match &parts[..] {
            [first, condition, step] => [first.clone(), condition.clone(), step.clone()],
            [first, condition] => [first.clone(), condition.clone(), close..close],
            _ => return self.elements(at, open, close),
        };
        self.writer.token(at);
        self.put(open, "(");
        if !first.is_empty() && begins_declaration(file, self.names, &self.scopes, first.start) {
            self.declaration(first, true)?;
        } else {
            self.expression(first)?;
        }
        self.put(open, ";");
        self.expression(condition)?;
        self.writer.put(";");
        self.expression(step)?;
        self.put(close, ")");
        let end = self.body(close + 1)?;
        self.scopes.leave();
        Ok(end)
    }

    /// `for (float x : v)`
    fn elements(&mut self, at: usize, open: usize, close: usize) -> Result<usize, Refusal> {
        let file = self.file;
        let help = "write a loop over the subscripts";
        let colon = (open + 1..close)
            .find(|&k| file.text(k) == ":" && file.text(k + 1) != ":" && file.text(k - 1) != ":");
        let over = colon.map(|colon| colon + 1..close);
        let Some((colon, over)) = colon.zip(over) else {
            return self.no(at..close + 1, "a `for` that is not understood", help);
        };
        let is_name = super::types::path(file, over.start) == Some(over.end);
        let found = specifiers(file, open + 1).filter(|_| is_name);
        let is_local = self.scopes.get(file.text(over.start)).is_some();
        let Some(found) = found.filter(|_| !is_local) else {
            return self.no(at..close + 1, "a `for` over what is no variable", help);
        };
        let is_reference = file.text(found.end) == "&";
        let name = found.end + usize::from(is_reference);
        if name + 1 != colon || !file.is_word(name) {
            return self.no(at..close + 1, "a `for` that is not understood", help);
        }
        let number = self.outer(&over);
        if let Some(outer) = self.outers.get_mut(number) {
            outer.written |= is_reference && !found.is_const;
            outer.sized = true;
        }
        let index = self.names.fresh("element");
        self.put(at, &format!("for (unsigned long {index} = 0; {index} <"));
        let member = |member: &str| Piece::Member {
            number,
            member: member.to_owned(),
            at: over.clone(),
        };
        self.writer.hole(member("size"));
        self.writer.put(&format!("; {index}++) {{"));
        let spelling = file.spelling(over.clone()).to_owned();
        let of = match &found.written {
            Written::Auto => format!("decltype({spelling}[0])"),
            _ => file.spelling(open + 1..found.end).to_owned(),
        };
        let question = self.questions.statement(self.begin, &of, None);
        let text = file.text(name).to_owned();
        let own = self.bind(&text, is_reference);
        let by = if is_reference { By::Pointer } else { By::Value };
        self.declare(question, &own, by, name..name + 1);
        self.writer.put(if is_reference { "= &" } else { "=" });
        self.writer.hole(member("element"));
        self.writer.put(&format!("[{index}];"));
        let end = self.body(close + 1)?;
        self.writer.put("}");
        self.scopes.leave();
        Ok(end)
    }
}

/// A refusal for a name that is used behind a region.
pub(super) fn used_behind(file: &File, at: usize) -> Refusal {
    let message = format!(
        "`{}` is declared in the region and used behind it",
        file.text(at)
    );
    refuse(
        file,
        at..at + 1,
        &message,
        "declare it in front of the region",
    )
}
