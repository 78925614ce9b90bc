//! A file of C++ as tokens: brackets that belong together, regions, and the functions around them.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::parse::{Marked, Prepared, pair, prepare};
use crate::frontend::c::spans::{Place, SpanMap};
use crate::source::{Source, Span};
use std::ops::Range;

/// A preprocessed file, token by token.
pub(super) struct File<'a> {
    /// The file.
    pub source: &'a Source,
    /// Its preprocessed text without directives, and its pragmas.
    pub prepared: Prepared,
    /// The tokens with their places.
    pub map: SpanMap,
    /// For each bracket, its partner.
    partners: Vec<Option<usize>>,
}

/// The function around a region.
#[derive(Clone, Debug)]
pub(super) struct Enclosing {
    /// Its name.
    pub name: String,
    /// From its first token to the `{`.
    pub head: Range<usize>,
    /// Its statements.
    pub body: Range<usize>,
    /// The first token of the declaration at the top of the file that it is in.
    pub top: usize,
    /// Whether the region is a statement of the function, in no block of it.
    pub outermost: bool,
    /// Where it is a template, or in one: its parameters.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a template.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub name: String,
    /// Whether it is a type, not a number.
    pub is_type: bool,
}

impl<'a> File<'a> {
    /// Cuts a file.
    pub fn new(source: &'a Source) -> File<'a> {
        let prepared = prepare(source);
        let map = SpanMap::new(source, &prepared.text, &prepared.places);
        let mut partners = vec![None; map.tokens.len()];
        let mut open: Vec<usize> = Vec::new();
        for (index, token) in map.tokens.iter().enumerate() {
            let text = token.text(&prepared.text);
            if matches!(text, "(" | "[" | "{") {
                open.push(index);
            } else if let Some(partner) = opening(text) {
                let last = open.last().copied();
                let fits = last.filter(|&at| map.tokens[at].text(&prepared.text) == partner);
                if let Some(first) = fits {
                    open.pop();
                    partners[first] = Some(index);
                    partners[index] = Some(first);
                }
            }
        }
        File {
            source,
            prepared,
            map,
            partners,
        }
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.map.tokens.len()
    }

    /// The text of a token; nothing behind the last.
    pub fn text(&self, index: usize) -> &str {
        let token = self.map.tokens.get(index);
        token.map_or("", |token| token.text(&self.prepared.text))
    }

    /// The first byte of a token in the preprocessed text.
    pub fn offset(&self, index: usize) -> usize {
        let token = self.map.tokens.get(index);
        token.map_or(self.prepared.text.len(), |token| token.start)
    }

    /// One past the last byte of a token.
    pub fn end(&self, index: usize) -> usize {
        let token = self.map.tokens.get(index);
        token.map_or(self.prepared.text.len(), |token| token.end)
    }

    /// The text of some tokens.
    pub fn spelling(&self, tokens: Range<usize>) -> &str {
        let end = self.end(tokens.end.max(tokens.start + 1) - 1);
        let text = self.prepared.text.get(self.offset(tokens.start)..end);
        text.unwrap_or("")
    }

    /// The place of some tokens in the original.
    pub fn span(&self, tokens: Range<usize>) -> Span {
        let last = tokens.end.saturating_sub(1).max(tokens.start);
        self.map
            .token_span(tokens.start)
            .to(self.map.token_span(last))
    }

    /// The line of the original (from 1) that a token is from, where it is the file itself.
    pub fn line(&self, index: usize) -> Option<usize> {
        match self.map.place(index) {
            Place::Main(line) => Some(line + 1),
            Place::Included(_) => None,
        }
    }

    /// The namespaces and classes that a token is in: the words in front of their blocks.
    pub fn scope(&self, index: usize) -> Vec<String> {
        let mut blocks: Vec<usize> = Vec::new();
        for at in 0..index {
            match self.text(at) {
                "{" => blocks.push(at),
                "}" => {
                    blocks.pop();
                }
                _ => {}
            }
        }
        let words = |&block: &usize| self.spelling(self.head(block)..block + 1).to_owned();
        blocks
            .iter()
            .map(words)
            .filter(|words| !words.starts_with("extern"))
            .collect()
    }

    /// The bracket that belongs to a bracket.
    pub fn partner(&self, index: usize) -> Option<usize> {
        self.partners.get(index).copied().flatten()
    }

    /// Whether a token is a name or a keyword.
    pub fn is_word(&self, index: usize) -> bool {
        is_word(self.text(index))
    }

    /// The marked regions.
    ///
    /// # Errors
    /// Pragmas that do not pair up.
    pub fn regions(&self) -> Result<Vec<Marked>, Vec<Diagnostic>> {
        pair(self.source, &self.prepared, &self.map)
    }

    /// The tokens between two offsets of the preprocessed text.
    pub fn between(&self, start: usize, end: usize) -> Range<usize> {
        self.map.token_from(start)..self.map.token_from(end)
    }

    /// The function around some tokens.
    ///
    /// # Errors
    /// There is none that can be read.
    pub fn enclosing(&self, tokens: &Range<usize>) -> Result<Enclosing, Box<Diagnostic>> {
        let mut blocks: Vec<usize> = Vec::new();
        for index in 0..tokens.start {
            match self.text(index) {
                "{" => blocks.push(index),
                "}" => {
                    blocks.pop();
                }
                _ => {}
            }
        }
        let mut top = None;
        let mut parameters = Vec::new();
        for (depth, &block) in blocks.iter().enumerate() {
            let head = self.head(block)..block;
            top = top.or(Some(head.start));
            if let Some(word) = head.clone().find(|&at| self.text(at) == "template") {
                match self.template(word) {
                    Some((_, more)) => parameters.extend(more),
                    None => {
                        let found = Diagnostic::error(
                            Code::CPlusPlus,
                            "a region in a template of another kind",
                        )
                        .at(
                            self.span(word..word + 1),
                            "it has other parameters than types and integers",
                        )
                        .help("put the region into a function, and call that from the template");
                        return Err(Box::new(found));
                    }
                }
            }
            let name = self.function_name(&head);
            let Some(name) = name else { continue };
            let Some(close) = self.partner(block).filter(|&close| close >= tokens.end) else {
                break;
            };
            return Ok(Enclosing {
                name,
                body: block + 1..close,
                top: top.unwrap_or(head.start),
                head,
                outermost: blocks.len() == depth + 1,
                parameters,
            });
        }
        let found = Diagnostic::error(Code::CPlusPlus, "the function around a region is not found")
            .at(self.span(tokens.start..tokens.start + 1), "the region begins here")
            .help("write the region in a function with a name, its parameters in parentheses behind it");
        Err(Box::new(found))
    }

    /// The parameters of the template that begins at a token, and the first token behind them; `None`:
    /// there are others than types and integers.
    pub fn template(&self, start: usize) -> Option<(usize, Vec<Parameter>)> {
        let mut parameters = Vec::new();
        let mut at = start + 2;
        if self.text(at) == ">" {
            return Some((at + 1, parameters));
        }
        loop {
            let end = (at..at + 6).find(|&end| matches!(self.text(end), "," | ">"))?;
            let words: Vec<&str> = (at..end).map(|at| self.text(at)).collect();
            let integers = ["int", "unsigned", "long", "size_t", "std", ":", "bool"];
            let (last, before) = words.split_last()?;
            let is_type = matches!(before, ["class" | "typename"]);
            if !is_word(last)
                || !(is_type || (!before.is_empty() && before.iter().all(|w| integers.contains(w))))
            {
                return None;
            }
            parameters.push(Parameter {
                name: (*last).to_owned(),
                is_type,
            });
            at = end + 1;
            if self.text(end) == ">" {
                return Some((at, parameters));
            }
        }
    }

    /// The first token of what a `{` belongs to.
    fn head(&self, block: usize) -> usize {
        let mut at = block;
        while at > 0 {
            match self.text(at - 1) {
                ";" | "{" | "}" => break,
                // `public:`, but not what members begin with.
                ":" if matches!(
                    self.text(at.wrapping_sub(2)),
                    "public" | "private" | "protected"
                ) =>
                {
                    break;
                }
                ")" | "]" => at = self.partner(at - 1).unwrap_or(at - 1),
                _ => at -= 1,
            }
        }
        at
    }

    /// The name of the function that a head declares; `None` where it is a namespace's or a class's.
    fn function_name(&self, head: &Range<usize>) -> Option<String> {
        if matches!(self.text(head.start), "namespace" | "extern")
            && !head.clone().any(|at| self.text(at) == "(")
        {
            return None;
        }
        let mut at = head.start;
        while self.text(at) == "template" {
            at = self.template(at)?.0;
        }
        while at < head.end {
            match self.text(at) {
                "class" | "struct" | "union" | "enum" | "=" => return None,
                "[" => at = self.partner(at)?,
                "(" => {
                    let name = self.text(at.checked_sub(1)?);
                    if name == "operator" || !is_word(name) {
                        return Some("operator".to_owned());
                    }
                    if !matches!(
                        name,
                        "__attribute__" | "alignas" | "noexcept" | "decltype" | "__declspec"
                    ) {
                        return Some(name.to_owned());
                    }
                    at = self.partner(at)?;
                }
                _ => {}
            }
            at += 1;
        }
        None
    }
}

fn opening(text: &str) -> Option<&'static str> {
    match text {
        ")" => Some("("),
        "]" => Some("["),
        "}" => Some("{"),
        _ => None,
    }
}

/// Whether a text is a name or a keyword.
pub(super) fn is_word(text: &str) -> bool {
    let first = text.bytes().next();
    first.is_some_and(|b| b.is_ascii_alphabetic() || b == b'_' || b == b'$' || b >= 0x80)
}
