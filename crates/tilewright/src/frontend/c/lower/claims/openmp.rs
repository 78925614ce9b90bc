//! OpenMP's pragmas that stand in a region. The model is what the loops compute one after the other,
//! and the result has pragmas of its own; so those that stand there may only say which loops are
//! parallel. Where they decide who executes what, or whose variable it is, they are no decoration.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::surroundings::changes;
use crate::frontend::c::lower::{Lowering, Refusal};
use crate::frontend::c::syntax::{Scope as Where, Stmt, SymbolId, Type};
use crate::source::Span;

/// Constructs under which loops compute what they compute without them.
const LOOPS: &[&str] = &[
    "parallel for",
    "parallel for simd",
    "simd",
    "unroll",
    "tile",
];

/// Clauses that change no value that is left behind.
const CLAUSES: &[&str] = &[
    "aligned",
    "collapse",
    "default",
    "full",
    "if",
    "lastprivate",
    "linear",
    "nontemporal",
    "num_threads",
    "order",
    "partial",
    "proc_bind",
    "reduction",
    "safelen",
    "schedule",
    "shared",
    "simdlen",
    "sizes",
];

/// Clauses whose variables keep the values that they had before, where the model overwrites them.
const KEPT: &[&str] = &["private", "firstprivate"];

impl Lowering<'_> {
    /// Refuses the region's pragmas that are more than decoration.
    pub(crate) fn check_openmp(&mut self) {
        for (words, span) in &self.region.openmp {
            if let Some(refusal) = self.openmp(words, *span) {
                self.refuse(refusal);
            }
        }
    }

    fn openmp(&self, words: &str, span: Span) -> Option<Refusal> {
        let (construct, clauses) = parts(words.strip_prefix("omp")?);
        let refused = |what: String, why: String| {
            let d = Diagnostic::error(Code::UnsupportedStatement, what);
            Refusal::from(d.at(span, why).help(
                "remove it, or leave these loops out of the region; the result has pragmas of its own",
            ))
        };
        if !LOOPS.contains(&construct.as_str()) {
            return Some(refused(
                format!("`#pragma omp {construct}` inside the region"),
                "decides who executes what".to_owned(),
            ));
        }
        for (clause, list) in clauses {
            if KEPT.contains(&clause.as_str()) {
                let kept = list.split(',').map(str::trim);
                let read = kept.filter_map(|name| Some((name, self.read_behind(name)?)));
                let Some((name, _)) = read.min_by_key(|(_, span)| span.start) else {
                    continue;
                };
                return Some(refused(
                    format!("`{clause}({name})`, and `{name}` is read behind the region"),
                    "keeps the value from before the loop".to_owned(),
                ));
            }
            if !CLAUSES.contains(&clause.as_str()) {
                return Some(refused(
                    format!("`#pragma omp {construct}` with `{clause}` inside the region"),
                    "not known to leave the values as they are".to_owned(),
                ));
            }
        }
        None
    }

    /// Where a variable of this name, which the region writes, is read behind it.
    fn read_behind(&self, name: &str) -> Option<Span> {
        let symbols = (0..self.unit.symbols.len()).filter(|&id: &SymbolId| {
            let symbol = &self.unit.symbols[id];
            let writes = |stmt: &Stmt| changes::targets(self.unit, stmt).contains(&id);
            let written = self.region.statements.iter().any(writes);
            symbol.name == name
                && written
                && match symbol.scope {
                    Where::File => true,
                    Where::Parameter(f) | Where::Function(f) => f == self.region.function,
                    Where::Region(_) => false,
                }
        });
        symbols.into_iter().find_map(|id| self.may_be_read(id))
    }

    /// Where a variable is read behind the region, or may be.
    fn may_be_read(&self, id: SymbolId) -> Option<Span> {
        let symbol = &self.unit.symbols[id];
        let whole = matches!(symbol.ctype, Type::Scalar(_) | Type::Pointer { .. });
        if whole || symbol.scope == Where::File || symbol.is_static {
            return self.read_after(id);
        }
        self.lives_behind(id).then_some(symbol.span)
    }
}

/// The construct, and its clauses with what stands in their parentheses.
fn parts(words: &str) -> (String, Vec<(String, String)>) {
    let (mut construct, mut clauses) = (Vec::new(), Vec::new());
    let mut rest = words.trim_start_matches([' ', '\t', ',']);
    while !rest.is_empty() {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
        let behind = behind.trim_start();
        let length = match behind.starts_with('(') {
            true => closed(behind),
            false => 0,
        };
        if clauses.is_empty() && CONSTRUCTS.contains(&word) {
            construct.push(word);
        } else {
            let list = behind[..length].trim_matches(['(', ')']);
            clauses.push((word.to_owned(), list.to_owned()));
        }
        // What is neither a word nor in parentheses ends it.
        let next = match word.is_empty() && length == 0 {
            true => "",
            false => &behind[length..],
        };
        rest = next.trim_start_matches([' ', '\t', ',']);
    }
    (construct.join(" "), clauses)
}

/// Words that constructs are made of.
const CONSTRUCTS: &[&str] = &[
    "atomic",
    "barrier",
    "cancel",
    "critical",
    "declare",
    "distribute",
    "flush",
    "for",
    "loop",
    "masked",
    "master",
    "metadirective",
    "ordered",
    "parallel",
    "scan",
    "scope",
    "section",
    "sections",
    "simd",
    "single",
    "target",
    "task",
    "taskgroup",
    "taskloop",
    "taskwait",
    "taskyield",
    "teams",
    "threadprivate",
    "tile",
    "unroll",
];

/// The length of what is in parentheses at the beginning of a text, both included.
fn closed(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}
