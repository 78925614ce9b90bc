//! The text that is executed: marks around the region, and notes in front of it of where its arrays
//! lie and what its parameters are.

use crate::frontend::c::syntax::{
    Expr, ExprKind, Region, Scope, Stmt, StmtKind, SymbolId, Type, Unit,
};
use crate::scop::{Layout, Origin, Scop};
use crate::source::Source;
use std::collections::{BTreeSet, HashMap};
use tilewright_certify::storage::trace::Noted;

/// A file whose text is its preprocessed one without line markers, and whose lines have no
/// indentation: so that a place in it is the same for all who read it.
pub(super) fn one_line_each(source: &Source) -> Source {
    let mut text = String::with_capacity(source.preprocessed.len());
    for line in source.preprocessed.lines() {
        let line = line.trim();
        let is_marker = line
            .strip_prefix('#')
            .is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()));
        if !is_marker {
            text.push_str(line);
        }
        text.push('\n');
    }
    Source {
        name: source.name.clone(),
        preprocessed: text.clone(),
        text,
        ..Source::default()
    }
}

/// Which note says what.
enum Note {
    Parameter,
    /// The first element of an array.
    First(usize),
    /// Bytes from one subscript of a dimension to the next.
    Step(usize),
    /// One of two pieces of memory that are taken to be different, by their pair.
    Apart(usize),
}

/// What is noted of a region.
pub(super) struct Noting {
    notes: Vec<(Note, String)>,
    variables: BTreeSet<String>,
    /// Symbols that are arrays of the model, declared inside of the region.
    pub inside: HashMap<SymbolId, usize>,
}

/// Where an array lies.
#[derive(Clone, Debug)]
pub(super) struct Located {
    pub object: usize,
    /// Byte of its first element.
    pub first: i64,
    /// Bytes from one subscript to the next, outermost first.
    pub steps: Vec<i64>,
}

/// What was noted in front of one execution.
pub(super) struct Values {
    pub parameters: Vec<i64>,
    /// By array.
    pub located: HashMap<usize, Located>,
    apart: Vec<(usize, usize)>,
}

impl Values {
    /// Whether memory that is taken to be different is in one object.
    pub fn is_one_memory(&self) -> bool {
        let pairs = |pair: usize| self.apart.iter().filter(move |(p, _)| *p == pair);
        self.apart.iter().any(|(pair, object)| {
            let same = pairs(*pair).filter(|(_, other)| other == object);
            same.count() > 1
        })
    }
}

impl Noting {
    pub fn of(scop: &Scop, unit: &Unit) -> Noting {
        let mut notes = Vec::new();
        for param in &scop.params {
            notes.push((Note::Parameter, format!("({})", param.spelling)));
        }
        let mut inside = HashMap::new();
        for (number, array) in scop.arrays.iter().enumerate() {
            if let Origin::Region { .. } = array.origin {
                let is_it = |s: &crate::frontend::c::syntax::Symbol| {
                    let scalar = !matches!(s.ctype, Type::Struct { .. });
                    scalar && s.span == array.span && s.scope == Scope::Region(scop.place.index)
                };
                if let Some(symbol) = unit.symbols.iter().position(is_it) {
                    inside.insert(symbol, number);
                }
                continue;
            }
            // It is nowhere in memory.
            if let Origin::Hidden(_) = array.origin {
                continue;
            }
            let zeros = |count: usize| vec!["[0]".to_owned(); count];
            let row = |n: usize| format!("({}){}", array.base, array.members.row(&zeros(n)));
            let cell = |n: usize| format!("({}){}", array.base, array.members.place(&zeros(n)));
            let dims = array.extents.len();
            match &array.layout {
                Layout::Subscripts => {
                    let first = format!("&({})", cell(dims));
                    notes.push((Note::First(number), first));
                    for dim in 0..dims {
                        let size = format!("sizeof({})", row(dim + 1));
                        notes.push((Note::Step(number), size));
                    }
                }
                Layout::Linear(linear) => {
                    let shared = linear.dims();
                    let first = format!("&({})", cell(dims + 1 - shared.len()));
                    notes.push((Note::First(number), first));
                    for dim in 0..dims {
                        // C's subscript that this dimension is in, from 1.
                        let last = match dim < shared.end {
                            true => dim.min(shared.start) + 1,
                            false => dim + 2 - shared.len(),
                        };
                        let size = match shared.contains(&dim) {
                            true => format!(
                                "(long)({}) * (long)sizeof({})",
                                linear.strides[dim - shared.start].text,
                                row(last)
                            ),
                            false => format!("sizeof({})", row(last)),
                        };
                        notes.push((Note::Step(number), size));
                    }
                }
            }
        }
        for (pair, memory) in scop.conditions.checks.apart.iter().enumerate() {
            for memory in memory {
                let subscript = if memory.rows.is_some() { "[0]" } else { "" };
                let place = format!("&(({}){subscript})", memory.place);
                notes.push((Note::Apart(pair), place));
            }
        }
        let iterators = scop.statements.iter().flat_map(|s| &s.iterators);
        let names = iterators.flat_map(|i| [i.name.as_str(), written(&i.name)]);
        Noting {
            notes,
            variables: names.map(str::to_owned).collect(),
            inside,
        }
    }

    /// The loops' variables.
    pub fn variables(&self) -> Vec<String> {
        self.variables.iter().cloned().collect()
    }

    /// The text with marks and notes, line by line the same.
    pub fn marked(&self, source: &Source, region: &Region) -> String {
        let line = |at: usize| source.line_column(at).0;
        let (first, last) = (line(region.pragma.start), line(region.span.end));
        let mut out = String::new();
        for (index, text) in source.text.lines().enumerate() {
            if index + 1 == first {
                for (_, e) in &self.notes {
                    out.push_str(&format!("__tw_note({e}); "));
                }
                out.push_str("__tw_region(1);");
            } else if index + 1 == last {
                out.push_str("__tw_region(0);");
            } else {
                out.push_str(text);
            }
            out.push('\n');
        }
        out
    }

    /// What notes say.
    ///
    /// # Errors
    /// Why they say nothing.
    pub fn read(&self, notes: &[Noted]) -> Result<Values, String> {
        if notes.len() != self.notes.len() {
            return Err(format!(
                "{} notes in place of {}",
                notes.len(),
                self.notes.len()
            ));
        }
        let mut values = Values {
            parameters: Vec::new(),
            located: HashMap::new(),
            apart: Vec::new(),
        };
        for ((note, e), value) in self.notes.iter().zip(notes) {
            match (note, *value) {
                (Note::Parameter, Noted::Integer(value)) => {
                    let value = i64::try_from(value).map_err(|_| format!("{e} is {value}"))?;
                    values.parameters.push(value);
                }
                (Note::First(array), Noted::Pointer { object, offset }) => {
                    let located = Located {
                        object,
                        first: offset,
                        steps: Vec::new(),
                    };
                    values.located.insert(*array, located);
                }
                (Note::Step(array), Noted::Integer(value)) => {
                    let value = i64::try_from(value).map_err(|_| format!("{e} is {value}"))?;
                    let located = values.located.get_mut(array);
                    located
                        .ok_or("an array that lies nowhere")?
                        .steps
                        .push(value);
                }
                (Note::Apart(pair), Noted::Pointer { object, .. }) => {
                    values.apart.push((*pair, object));
                }
                (_, value) => return Err(format!("`{e}` is {value:?}")),
            }
        }
        Ok(values)
    }
}

/// The name of an iterator in the program, where it got a number since something else is called so.
pub(super) fn written(iterator: &str) -> &str {
    match iterator.rsplit_once('_') {
        Some((name, number)) if number.parse::<u32>().is_ok() => name,
        _ => iterator,
    }
}

/// Whether a name is that of a loop's variable in a region.
pub(super) fn counts(unit: &Unit, region: usize, name: &str) -> bool {
    let mut found = false;
    for stmt in &unit.regions[region].statements {
        heads(stmt, &mut |e| {
            if let ExprKind::Name(symbol) = e.kind {
                found |= unit.symbols[symbol].name == name;
            }
        });
    }
    found
}

/// The variables that heads of loops step, and those that conditions of `while` compare.
fn heads(stmt: &Stmt, visit: &mut dyn FnMut(&Expr)) {
    match &stmt.kind {
        StmtKind::Block(list) => list.iter().for_each(|s| heads(s, visit)),
        StmtKind::For { step, body, .. } => {
            let step = step.as_ref().map(|e| &e.kind);
            if let Some(ExprKind::Increment { target, .. } | ExprKind::Assign(_, target, _)) = step
            {
                visit(target);
            }
            heads(body, visit);
        }
        StmtKind::While { condition, body } => {
            if let ExprKind::Binary(_, a, b) = &condition.kind {
                visit(a);
                visit(b);
            }
            heads(body, visit);
        }
        StmtKind::If {
            then, otherwise, ..
        } => {
            heads(then, visit);
            if let Some(otherwise) = otherwise {
                heads(otherwise, visit);
            }
        }
        _ => {}
    }
}
