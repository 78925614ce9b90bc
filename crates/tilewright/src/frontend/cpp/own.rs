//! Variables of the function around a region: which are its own, whether anything else knows them,
//! and whether their values are wanted behind the region.

use super::file::{Enclosing, File};
use super::names::{Names, Scopes, split};
use super::types::{begins_declaration, specifiers};
use std::ops::Range;

/// The function and the region in it.
pub(super) struct Around<'a> {
    pub file: &'a File<'a>,
    pub names: &'a Names,
    pub function: &'a Enclosing,
    pub region: Range<usize>,
}

impl Around<'_> {
    /// Where a variable of the function's own is declared: a parameter, or a variable of a block
    /// around the region that is not `static`.
    pub fn declaration(&self, name: &str) -> Option<usize> {
        self.parameter(name).or_else(|| self.local(name))
    }

    fn parameter(&self, name: &str) -> Option<usize> {
        let file = self.file;
        let head = self.function.head.clone();
        let open = head
            .clone()
            .find(|&at| file.text(at) == self.function.name && file.text(at + 1) == "(")?;
        let close = file.partner(open + 1)?;
        split(file, open + 2..close, ",")
            .into_iter()
            .find_map(|part| {
                let end = part
                    .clone()
                    .find(|&at| matches!(file.text(at), "=" | "["))
                    .unwrap_or(part.end);
                let last = end.checked_sub(1)?;
                (last > part.start && file.text(last) == name).then_some(last)
            })
    }

    fn local(&self, name: &str) -> Option<usize> {
        let file = self.file;
        let before = self.function.body.start..self.region.start;
        before
            .filter(|&at| file.text(at) == name)
            .find(|&at| self.declares(at))
    }

    /// Whether a name is declared where it stands, in a block around the region.
    fn declares(&self, at: usize) -> bool {
        let file = self.file;
        let Some(start) = self.statement(at) else {
            return false;
        };
        let is_declaration = begins_declaration(file, self.names, &Scopes::default(), start);
        let Some(found) =
            specifiers(file, start).filter(|found| is_declaration && !found.is_static)
        else {
            return false;
        };
        let end = (at..self.function.body.end)
            .find(|&k| file.text(k) == ";")
            .unwrap_or(at);
        let is_own = split(file, found.end..end, ",").into_iter().any(|part| {
            let stars = part.clone().take_while(|&k| {
                matches!(
                    file.text(k),
                    "*" | "&" | "const" | "__restrict" | "__restrict__"
                )
            });
            part.start + stars.count() == at
        });
        let block = (self.function.body.start.saturating_sub(1)..at)
            .rev()
            .find(|&k| file.text(k) == "{" && file.partner(k).is_some_and(|close| close > at));
        let reaches = block
            .and_then(|block| file.partner(block))
            .is_some_and(|close| close >= self.region.end);
        is_own && reaches
    }

    /// The first token of the statement that a token is in; `None` inside of parentheses.
    fn statement(&self, at: usize) -> Option<usize> {
        let file = self.file;
        let mut start = at;
        while start > self.function.body.start {
            match file.text(start - 1) {
                ";" | "{" | "}" => return Some(start),
                ")" | "]" => start = file.partner(start - 1)?,
                "(" | "[" => return None,
                _ => start -= 1,
            }
        }
        Some(start)
    }

    /// Whether the region is executed once, and what stands behind it afterwards only.
    fn is_once(&self) -> bool {
        let mut body = self.function.body.clone();
        self.function.outermost && !body.any(|at| self.file.text(at) == "goto")
    }

    /// Where the function mentions a variable outside of the region, before that is executed.
    fn mentions<'n>(&'n self, name: &'n str) -> impl Iterator<Item = usize> + 'n {
        let end = match self.is_once() {
            true => self.region.start,
            false => self.function.body.end,
        };
        let body = self.function.body.start..end;
        body.filter(move |at| self.file.text(*at) == name && !self.region.contains(at))
    }

    /// Whether something else may know where a variable of the function's own is: its address is
    /// taken, or something that may be a reference gets it.
    pub fn escapes(&self, name: &str) -> bool {
        let body = self.function.body.clone();
        let captures = |at: usize| {
            let before = self.file.text(at.wrapping_sub(1));
            self.file.text(at) == "["
                && matches!(before, "=" | "(" | "," | "return" | "{" | ";")
                && self.file.text(at + 1) != "["
        };
        body.clone().any(captures) || self.mentions(name).any(|at| self.is_handed_on(at))
    }

    /// Whether other pointers may come from a pointer of the function's own.
    pub fn is_copied(&self, name: &str) -> bool {
        let declared = self.declaration(name);
        self.mentions(name)
            .any(|at| Some(at) != declared && self.file.text(at + 1) != "[")
    }

    fn is_handed_on(&self, at: usize) -> bool {
        let file = self.file;
        let mut start = at;
        while start > self.function.body.start {
            match file.text(start - 1) {
                ";" | "}" => break,
                "&" | ">>" => return true,
                "&&" if file.text(start.wrapping_sub(2)) == "auto" => return true,
                "{" => {
                    let before = file.text(start.wrapping_sub(2));
                    let is_block =
                        matches!(before, ")" | "{" | "}" | ";" | "else" | "do" | ":" | "try");
                    return !is_block;
                }
                "(" => {
                    let before = file.text(start.wrapping_sub(2));
                    let plain = !super::file::is_word(before) && !matches!(before, ")" | "]" | ">");
                    if !plain
                        && !matches!(
                            before,
                            "if" | "for" | "while" | "switch" | "return" | "sizeof"
                        )
                    {
                        return true;
                    }
                    start -= 1;
                }
                ")" | "]" => start = file.partner(start - 1).unwrap_or(start - 1),
                _ => start -= 1,
            }
        }
        false
    }

    /// Whether the value that a variable of the function's own has behind the region may be read.
    pub fn is_wanted(&self, name: &str) -> bool {
        let body = self.function.body.clone();
        let behind = self.region.end..body.end;
        let is_read = behind.clone().any(|at| self.file.text(at) == name);
        is_read || !self.is_once()
    }
}
