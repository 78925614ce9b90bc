//! What names mean: those of a region, and those around it.

use super::answers::{Question, ask};
use super::file::File;
use crate::diagnostic::{Code, Diagnostic};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

/// A message about what cannot be read.
pub(super) type Refusal = Box<Diagnostic>;

/// Names of types that programs take from the library.
const LIBRARY_TYPES: [&str; 30] = [
    "size_t",
    "ptrdiff_t",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "intptr_t",
    "uintptr_t",
    "intmax_t",
    "uintmax_t",
    "int_fast8_t",
    "int_fast16_t",
    "int_fast32_t",
    "int_fast64_t",
    "uint_fast8_t",
    "uint_fast16_t",
    "uint_fast32_t",
    "uint_fast64_t",
    "int_least8_t",
    "int_least16_t",
    "int_least32_t",
    "uint_least8_t",
    "uint_least16_t",
    "uint_least32_t",
    "ssize_t",
    "byte",
];

/// A refusal with a place.
pub(super) fn refuse(file: &File, at: Range<usize>, message: &str, help: &str) -> Refusal {
    let found = Diagnostic::error(Code::CPlusPlus, message).at(file.span(at), "");
    Box::new(found.help(help))
}

/// Text that is put into the preprocessed file.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub offset: usize,
    /// Whether it ends what another one begins.
    pub closes: bool,
    pub text: String,
}

/// Questions for the compiler.
#[derive(Debug, Default)]
pub(super) struct Questions {
    asked: usize,
    pub edits: Vec<Edit>,
}

impl Questions {
    /// Asks for a type, in a statement in front of an offset.
    pub fn statement(&mut self, offset: usize, of: &str, value: Option<&str>) -> Question {
        let question = self.asked;
        self.asked += 1;
        self.edits.push(Edit {
            offset,
            closes: false,
            text: format!(" {}; ", ask(question, of, value)),
        });
        question
    }

    /// Asks for a type where an expression stands.
    pub fn expression(&mut self, place: [usize; 2], of: &str, value: Option<&str>) -> Question {
        let question = self.asked;
        self.asked += 1;
        let [offset, end] = place;
        self.edits.push(Edit {
            offset,
            closes: false,
            text: format!(" ({}, ", ask(question, of, value)),
        });
        self.edits.push(Edit {
            offset: end,
            closes: true,
            text: " )".to_owned(),
        });
        question
    }

    /// A preprocessed text with the questions in it.
    pub fn put_into(&self, text: &str) -> String {
        let mut edits: Vec<(usize, &Edit)> = self.edits.iter().enumerate().collect();
        edits.sort_by_key(|(number, edit)| {
            let order = match edit.closes {
                true => -i64::try_from(*number).unwrap_or(0),
                false => i64::try_from(*number).unwrap_or(0),
            };
            (edit.offset, !edit.closes, order)
        });
        let mut out = String::with_capacity(text.len() * 2);
        let mut copied = 0;
        for (_, edit) in edits {
            out.push_str(text.get(copied..edit.offset).unwrap_or(""));
            out.push_str(&edit.text);
            copied = edit.offset.max(copied);
        }
        out.push_str(text.get(copied..).unwrap_or(""));
        out
    }
}

/// A variable that is declared outside of the region.
#[derive(Clone, Debug)]
pub(super) struct Outer {
    /// Its name in C++: `n`, `cfg::n`, `this->n`.
    pub spelling: String,
    /// Where it is used first.
    pub at: Range<usize>,
    pub question: Question,
    /// The question for its address, which bit-fields do not have.
    pub address: Question,
    /// The question for its value, should it be a constant.
    pub value: Option<Question>,
    /// Whether something is assigned to it, or its address is taken.
    pub written: bool,
    /// Whether its length is asked for.
    pub sized: bool,
}

/// What is known of a file's names before the compiler is asked.
#[derive(Clone)]
pub(super) struct Names {
    /// All words of the file, and those that were made.
    taken: HashSet<String>,
    /// Names of types.
    types: BTreeSet<String>,
    /// Blocks of the namespace of the library.
    library: Vec<Range<usize>>,
    /// Constants of enumerations.
    enumerators: HashSet<String>,
    /// Words of declarations of variables that each thread has.
    of_threads: HashSet<String>,
    /// Whether the file has operators of its own.
    pub has_operators: bool,
}

impl Names {
    /// Looks through a file.
    pub fn new(file: &File) -> Names {
        let mut names = Names {
            taken: HashSet::new(),
            types: LIBRARY_TYPES.iter().map(|&name| name.to_owned()).collect(),
            library: Vec::new(),
            enumerators: HashSet::new(),
            of_threads: HashSet::new(),
            has_operators: false,
        };
        for pragma in &file.prepared.pragmas {
            if let Some(list) = pragma.words.strip_prefix("omp threadprivate") {
                let words = list.split(|c: char| !c.is_alphanumeric() && c != '_');
                names.of_threads.extend(words.map(str::to_owned));
            }
        }
        let mut at = 0;
        while at < file.len() {
            let (word, next) = (file.text(at), file.text(at + 1));
            if file.is_word(at) {
                names.taken.insert(word.to_owned());
            }
            match word {
                "operator" if file.line(at).is_some() => names.has_operators = true,
                "enum" => names.note_enumerators(file, at),
                "thread_local" | "__thread" => {
                    let end = (at..file.len()).find(|&k| file.text(k) == ";");
                    let words = (at..end.unwrap_or(at)).map(|k| file.text(k).to_owned());
                    names.of_threads.extend(words);
                }
                _ => {}
            }
            match word {
                "namespace" if next == "std" => {
                    let block = (at..at + 12).find(|&k| file.text(k) == "{");
                    if let Some(end) = block.and_then(|block| file.partner(block)) {
                        names.library.push(at..end);
                    }
                }
                "using" if file.text(at + 2) == "=" && !names.is_library(at) => {
                    names.types.insert(next.to_owned());
                }
                "typedef" if !names.is_library(at) => {
                    let end = (at..file.len()).find(|&k| file.text(k) == ";");
                    if let Some(last) = end.filter(|&end| file.is_word(end - 1)) {
                        names.types.insert(file.text(last - 1).to_owned());
                    }
                }
                "struct" | "class" | "enum" | "union"
                    if file.is_word(at + 1) && !names.is_library(at) =>
                {
                    names.types.insert(next.to_owned());
                }
                _ => {}
            }
            at += 1;
        }
        names
    }

    fn note_enumerators(&mut self, file: &File, at: usize) {
        let open = (at..at + 8).find(|&k| matches!(file.text(k), "{" | ";"));
        let Some((open, close)) = open.and_then(|open| Some((open, file.partner(open)?))) else {
            return;
        };
        for part in split(file, open + 1..close, ",") {
            self.enumerators.insert(file.text(part.start).to_owned());
        }
    }

    /// Whether each thread may have a variable of this name of its own.
    pub fn is_of_threads(&self, path: &str) -> bool {
        let last = path.rsplit("::").next().unwrap_or(path);
        self.of_threads.contains(last)
    }

    /// Whether a path may name a constant of an enumeration.
    pub fn is_enumerator(&self, path: &str) -> bool {
        let last = path.rsplit("::").next().unwrap_or(path);
        self.enumerators.contains(last)
    }

    fn is_library(&self, at: usize) -> bool {
        let last = self.library.last();
        last.is_some_and(|block| block.contains(&at))
    }

    /// Takes a name for a type's.
    pub fn declare_type(&mut self, name: &str) {
        self.types.insert(name.to_owned());
    }

    /// Whether a path names a type.
    pub fn is_type(&self, path: &str) -> bool {
        let last = path.rsplit("::").next().unwrap_or(path).trim();
        self.types.contains(last)
    }

    /// A name that nothing else has.
    pub fn fresh(&mut self, stem: &str) -> String {
        let mut name = stem.to_owned();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{stem}{number}");
        }
        name
    }

    /// Whether the program has functions with this name, which may not be the library's.
    pub fn is_own(&self, file: &File, name: &str) -> bool {
        let all = self.candidates(file, name);
        let is_main = |found: &Definition| file.line(found.name).is_some();
        all.iter()
            .any(|found| found.body.is_some() || is_main(found))
    }

    /// The parameters and the body of the one function with this name; `None`: it has overloads,
    /// or no definition here.
    pub fn definition(&self, file: &File, name: &str) -> Option<Definition> {
        let mut all = self.candidates(file, name).into_iter();
        let mut found = all.next()?;
        let types = |one: &Definition| types_of(file, &one.parameters);
        let scope = file.scope(found.name);
        for other in all {
            let is_same = types(&found) == types(&other) && file.scope(other.name) == scope;
            if !is_same || (found.body.is_some() && other.body.is_some()) {
                return None;
            }
            if other.body.is_some() {
                found = other;
            }
        }
        Some(found)
    }

    /// All functions with a name that are declared outside of the library.
    fn candidates(&self, file: &File, name: &str) -> Vec<Definition> {
        let inside = |at: usize| self.library.iter().any(|block| block.contains(&at));
        let all = (1..file.len()).filter(|&at| file.text(at) == name && !inside(at));
        all.filter_map(|at| candidate(file, at)).collect()
    }
}

/// The function that is declared where its name stands.
fn candidate(file: &File, at: usize) -> Option<Definition> {
    const NO_TYPES: [&str; 8] = ["return", "else", "do", "case", "throw", "and", "or", "not"];
    let before = file.text(at - 1);
    let is_type = file.is_word(at - 1) && !NO_TYPES.contains(&before);
    if file.text(at + 1) != "(" || !(is_type || matches!(before, "*" | "&" | ">" | "]")) {
        return None;
    }
    let close = file.partner(at + 1)?;
    let mut behind = close + 1;
    while matches!(
        file.text(behind),
        "noexcept" | "const" | "override" | "final"
    ) {
        behind += 1;
    }
    if file.text(behind) == "->" {
        behind = (behind..file.len()).find(|&k| matches!(file.text(k), "{" | ";"))?;
    }
    let body = match file.text(behind) {
        "{" => Some(behind + 1..file.partner(behind)?),
        ";" | "__attribute__" | "=" | "throw" => None,
        _ => return None,
    };
    Some(Definition {
        name: at,
        parameters: at + 2..close,
        body,
    })
}

/// The types of parameters, without their names and default values.
fn types_of(file: &File, parameters: &Range<usize>) -> Vec<String> {
    split(file, parameters.clone(), ",")
        .into_iter()
        .map(|one| {
            let end = one
                .clone()
                .find(|&at| file.text(at) == "=")
                .unwrap_or(one.end);
            let mut words: Vec<&str> = (one.start..end).map(|at| file.text(at)).collect();
            let named = words.len() > 1
                && words.last().is_some_and(|last| {
                    super::file::is_word(last) && !super::types::is_word_of_types(last)
                });
            if named {
                words.pop();
            }
            words.join(" ")
        })
        .collect()
}

/// A function of the file.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    /// The token of its name.
    pub name: usize,
    pub parameters: Range<usize>,
    pub body: Option<Range<usize>>,
}

/// Tokens at the separators that are in no brackets.
pub(super) fn split(file: &File, tokens: Range<usize>, separator: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = tokens.start;
    let mut at = tokens.start;
    while at < tokens.end {
        match file.text(at) {
            "(" | "[" | "{" => at = file.partner(at).unwrap_or(at),
            text if text == separator => {
                parts.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    if start < tokens.end || !parts.is_empty() {
        parts.push(start..tokens.end);
    }
    parts
}

/// Names that are declared inside, innermost block last: what stands for them in an expression.
#[derive(Debug, Default)]
pub(super) struct Scopes(Vec<HashMap<String, String>>);

impl Scopes {
    pub fn enter(&mut self) {
        self.0.push(HashMap::new());
    }

    pub fn leave(&mut self) {
        self.0.pop();
    }

    pub fn depth(&self) -> usize {
        self.0.len()
    }

    pub fn declare(&mut self, name: &str, text: String) {
        if let Some(scope) = self.0.last_mut() {
            scope.insert(name.to_owned(), text);
        }
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().rev().find_map(|scope| scope.get(name));
        found.map(String::as_str)
    }
}
