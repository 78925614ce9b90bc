//! Calls: of the library's functions, and of the file's own, which are translated, too.

use super::names::{Definition, Refusal, split};
use super::pieces::{By, Piece};
use super::translate::{Helper, Translator};
use crate::frontend::c::lower::calls::purity;
use std::collections::BTreeMap;
use std::ops::Range;

/// Functions of the library whose name in C depends on the types of what they are given.
fn is_math(name: &str) -> bool {
    name == "abs" || purity::is_math(name)
}

/// Those of `<algorithm>` that get and return values.
pub(super) const CHOICES: [&str; 3] = ["min", "max", "clamp"];

impl Translator<'_> {
    pub(super) fn call(&mut self, name: Range<usize>, spelling: &str) -> Result<usize, Refusal> {
        let file = self.file;
        let open = name.end;
        let close = self.close(open)?;
        let bare = spelling.split('<').next().unwrap_or(spelling);
        let own = bare.trim_start_matches("::");
        let short = own.strip_prefix("std::").unwrap_or(own);
        let is_qualified = own.starts_with("std::");
        let is_known = is_math(short) || CHOICES.contains(&short);
        let definition = match is_qualified {
            true => None,
            false => self.names.definition(file, file.text(name.end - 1)),
        };
        let is_ours = !is_qualified && self.names.is_own(file, file.text(name.end - 1));
        if is_qualified && bare.contains("numeric_limits") || spelling.contains("numeric_limits<") {
            return self.limit(name, close, spelling);
        }
        if is_known && !is_ours {
            let arguments = split(file, open + 1..close, ",");
            if CHOICES.contains(&short) && arguments.len() != if short == "clamp" { 3 } else { 2 } {
                return self.no(
                    name,
                    &format!("`{spelling}` of another form"),
                    "give it two values",
                );
            }
            if !is_qualified {
                self.callee(&name, own, false);
            }
            let whole = file.spelling(name.start..close + 1).to_owned();
            let place = [file.offset(name.start), file.end(close)];
            let question = self
                .questions
                .expression(place, &format!("decltype({whole})"), None);
            self.writer.go_to(name.start);
            self.writer.hole(Piece::Library {
                name: short.to_owned(),
                question,
                at: name,
            });
            self.bracketed(open, close)?;
            return Ok(close + 1);
        }
        if is_qualified {
            let help = "compute its value in front of the region, or write a function in its place";
            return self.no(name, &format!("a call of `{spelling}`"), help);
        }
        if spelling.contains('<') {
            return self.no(
                name,
                "a call of a template",
                "write a function for the type",
            );
        }
        if self.c_function(own) && !is_ours {
            self.callee(&name, own, true);
            self.put(name.start, own);
            self.bracketed(open, close)?;
            return Ok(close + 1);
        }
        match definition {
            Some(found) => self.own_call(name, &found, close),
            None => self.no(
                name.clone(),
                &format!("a call of `{spelling}`, which is not one function of this file"),
                "give a function that has no overloads and is no template, with its body in front of the region",
            ),
        }
    }

    /// Has the compiler say that a name is a function's.
    fn callee(&mut self, name: &Range<usize>, spelling: &str, is_one: bool) {
        let of = format!("decltype({spelling})");
        let question = self.questions.statement(self.begin, &of, None);
        self.writer
            .hole(Piece::Callee(question, is_one, name.clone()));
    }

    /// Whether a function of C has this name, and this name only.
    fn c_function(&self, name: &str) -> bool {
        let base = name.strip_suffix('f').unwrap_or("");
        purity::is_math(base)
            || matches!(
                name,
                "labs" | "llabs" | "lrint" | "lround" | "lrintf" | "lroundf"
            )
    }

    /// `std::numeric_limits<T>::max()`; values of integers are what the compiler says.
    fn limit(
        &mut self,
        name: Range<usize>,
        close: usize,
        spelling: &str,
    ) -> Result<usize, Refusal> {
        let whole = self.file.spelling(name.start..close + 1).to_owned();
        let known = limits();
        if let Some((_, value)) = known.iter().find(|(end, _)| spelling.ends_with(**end)) {
            self.put(name.start, value);
            return Ok(close + 1);
        }
        let question =
            self.questions
                .statement(self.begin, &format!("decltype({whole})"), Some(&whole));
        self.writer.go_to(name.start);
        self.writer
            .hole(Piece::Value(question, name.start..close + 1));
        Ok(close + 1)
    }

    /// A call of a function of the file.
    pub(super) fn own_call(
        &mut self,
        name: Range<usize>,
        definition: &Definition,
        close: usize,
    ) -> Result<usize, Refusal> {
        let file = self.file;
        let text = file.text(definition.name).to_owned();
        if !self.helpers.done.iter().any(|done| done.name == text) {
            self.helper(&text, definition, &name)?;
        }
        let index = self.helpers.done.iter().position(|done| done.name == text);
        let known = index.map(|index| &self.helpers.done[index]);
        self.calls.extend(index);
        self.calls
            .extend(known.iter().flat_map(|known| &known.calls));
        let references = known
            .map(|known| known.references.clone())
            .unwrap_or_default();
        let arguments = split(file, name.end + 1..close, ",");
        if arguments.len() != references.len() {
            return self.no(name, "a call with default values", "give all values");
        }
        let spelling = file.spelling(name.clone()).replace(char::is_whitespace, "");
        let is_one = known.is_none_or(|known| known.types.is_empty());
        self.callee(&name, &spelling, is_one);
        self.put(name.start, &text);
        self.put(name.end, "(");
        for (number, (argument, by_reference)) in arguments.into_iter().zip(references).enumerate()
        {
            if number > 0 {
                self.writer.put(",");
            }
            if by_reference {
                self.writer.put("&(");
                self.expression(argument.clone())?;
                self.written(&argument);
                self.writer.put(")");
            } else {
                self.expression(argument)?;
            }
        }
        self.put(close, ")");
        Ok(close + 1)
    }

    /// Translates a function of the file.
    fn helper(
        &mut self,
        name: &str,
        definition: &Definition,
        call: &Range<usize>,
    ) -> Result<(), Refusal> {
        let file = self.file;
        let recursion = self.helpers.open.iter().any(|open| open == name);
        let Some(body) = definition.body.clone().filter(|_| !recursion) else {
            return self.no(
                call.clone(),
                "a call of a function that calls itself",
                "write loops",
            );
        };
        let head = (0..definition.name)
            .rev()
            .take_while(|&at| !matches!(file.text(at), ";" | "{" | "}"));
        let head = head.last().unwrap_or(definition.name)..definition.name;
        if let Some(word) = head.clone().find(|&at| file.text(at) == "virtual") {
            return self.no(
                call.clone(),
                &format!("a call of a function with `{}`", file.text(word)),
                "write a function for the type",
            );
        }
        let (mut begin, parameters) = self.template(name, head.start, call)?;
        while matches!(
            file.text(begin),
            "extern"
                | "inline"
                | "static"
                | "constexpr"
                | "friend"
                | "["
                | "\"C\""
                | "__inline"
                | "__inline__"
        ) {
            begin = match file.text(begin) {
                "[" => self.close(begin)? + 1,
                _ => begin + 1,
            };
        }
        self.helpers.open.push(name.to_owned());
        let offset = file.offset(body.start.max(1) - 1) + 1;
        let mut inner = Translator::new(
            file,
            (&mut *self.names, &mut *self.questions, &mut *self.helpers),
            (file.offset(body.start), offset),
        );
        inner.around.is_function = true;
        parameters
            .iter()
            .for_each(|name| inner.names.declare_type(name));
        // Those that it is used with: several make it several functions, which no answer fits.
        let types = parameters
            .iter()
            .map(|name| inner.questions.statement(offset, name, None));
        let types = types.collect();
        let references = inner.function(name, begin..definition.name, definition, body);
        let (pieces, outers, calls) = (inner.writer.pieces, inner.outers, inner.calls);
        self.helpers.open.pop();
        let spelling = file.spelling(call.clone()).replace(char::is_whitespace, "");
        self.helpers.done.push(Helper {
            name: name.to_owned(),
            spelling,
            pieces,
            outers,
            references: references?,
            types,
            calls,
            at: definition.name,
        });
        Ok(())
    }

    /// The parameters of a template, if a function's first token begins one; and what follows.
    fn template(
        &self,
        name: &str,
        head: usize,
        call: &Range<usize>,
    ) -> Result<(usize, Vec<String>), Refusal> {
        let file = self.file;
        let help = "write a function for the type";
        if file.text(head) != "template" {
            return Ok((head, Vec::new()));
        }
        let found = file.template(head);
        let found = found.filter(|(_, parameters)| parameters.iter().all(|one| one.is_type));
        let Some((at, parameters)) = found else {
            let message = "a call of a template that has other parameters than types";
            return self.no(call.clone(), message, help);
        };
        let types = parameters.into_iter().map(|one| one.name).collect();
        let special = |k: usize| {
            let is_one =
                file.text(k) == "template" && file.text(k + 1) == "<" && file.text(k + 2) == ">";
            let end = (k..file.len()).find(|&end| matches!(file.text(end), "{" | ";"));
            is_one && (k..end.unwrap_or(k)).any(|word| file.text(word) == name)
        };
        match (0..file.len()).any(special) {
            true => self.no(
                call.clone(),
                "a call of a template with special cases",
                help,
            ),
            false => Ok((at, types)),
        }
    }

    /// Writes a function; which of its parameters are references.
    fn function(
        &mut self,
        name: &str,
        result: Range<usize>,
        definition: &Definition,
        body: Range<usize>,
    ) -> Result<Vec<bool>, Refusal> {
        let file = self.file;
        self.scopes.enter();
        let of = match file.text(result.start) {
            "auto" | "decltype" => {
                return self.no(
                    result,
                    "a function whose type is not written",
                    "write the type of its result",
                );
            }
            _ => file.spelling(result.clone()).to_owned(),
        };
        let question = self.questions.statement(self.begin, &of, None);
        self.put(definition.name, "static");
        self.declare(question, name, By::Value, result);
        self.writer.put("(");
        let mut references = Vec::new();
        let (mut by_constant, mut may_write) = (false, false);
        for (number, part) in split(file, definition.parameters.clone(), ",")
            .into_iter()
            .enumerate()
        {
            let end = part
                .clone()
                .find(|&at| file.text(at) == "=")
                .unwrap_or(part.end);
            let named = (part.start..end).rev().find(|&at| file.is_word(at));
            let Some(named) = named.filter(|&at| at > part.start) else {
                if file.text(part.start) == "void" {
                    break;
                }
                return self.no(
                    part,
                    "a parameter that is not understood",
                    "write it as in C",
                );
            };
            let text = file.text(named).to_owned();
            let question = self
                .questions
                .statement(self.begin, &format!("decltype({text})"), None);
            let is_reference = file.text(named - 1) == "&";
            let constant = file.text(part.start) == "const";
            let is_place = is_reference && !constant;
            by_constant |= is_reference && constant;
            may_write |= !constant
                && part
                    .clone()
                    .any(|at| matches!(file.text(at), "*" | "&" | "["));
            let own = self.bind(&text, is_place);
            if number > 0 {
                self.writer.put(",");
            }
            let by = if is_place { By::Reference } else { By::Value };
            self.declare(question, &own, by, named..named + 1);
            references.push(is_place);
        }
        self.writer.put(if references.is_empty() {
            "void ) {"
        } else {
            ") {"
        });
        self.statements(body)?;
        self.writer.put("}");
        self.scopes.leave();
        may_write |= self.outers.iter().any(|outer| outer.written);
        if by_constant && may_write {
            // It would see what is written, which a value does not.
            let message = "a function with a constant reference that writes something";
            return self.no(
                definition.name..definition.name + 1,
                message,
                "give it the value",
            );
        }
        Ok(references)
    }
}

/// Literals of the limits of floating-point types.
pub(super) fn limits() -> BTreeMap<&'static str, &'static str> {
    BTreeMap::from([
        ("<float>::max", "3.40282346638528859811704183484516925e+38F"),
        (
            "<float>::lowest",
            "(-3.40282346638528859811704183484516925e+38F)",
        ),
        ("<float>::min", "1.17549435082228750796873653722224568e-38F"),
        (
            "<float>::epsilon",
            "1.19209289550781250000000000000000000e-7F",
        ),
        (
            "<double>::max",
            "1.79769313486231570814527423731704357e+308",
        ),
        (
            "<double>::lowest",
            "(-1.79769313486231570814527423731704357e+308)",
        ),
        (
            "<double>::min",
            "2.22507385850720138309023271733240406e-308",
        ),
        (
            "<double>::epsilon",
            "2.22044604925031308084726333618164062e-16",
        ),
    ])
}
