//! What a loop needs of the function that it stands in.

use super::{Outermost, Span, tokens};
use crate::frontend::c::lower::surroundings::follows::{self, First, Jumps, Point};
use crate::frontend::c::lower::surroundings::{changes, facts, visit};
use crate::frontend::c::syntax::{
    Expr, ExprKind, Function, Scope, Sized, Stmt, StmtKind, SymbolId, Type, Unit,
};
use crate::frontend::c::types;
use std::collections::BTreeSet;

/// Variables of a function that a loop in it names.
pub(super) struct Variables {
    /// Those that it is given, in an order in which each is declared with those in front of it.
    given: Vec<SymbolId>,
    /// Whether pointers among them that alone lead to their memory are declared so.
    restrict: bool,
    /// Their names.
    pub arguments: Vec<String>,
    /// The names of those that are no arrays of the function: pointers and numbers.
    pub copied: Vec<String>,
    /// Those that are its own.
    own: BTreeSet<SymbolId>,
}

/// So many bytes of variables a loop may have on the stack of a thread.
const MOST_BYTES: i64 = 1 << 17;

/// Words that mean something else in another function, or that the tree does not have.
const BOUND: [&str; 24] = [
    "typedef",
    "volatile",
    "_Atomic",
    "typeof",
    "__typeof__",
    "__typeof",
    "__auto_type",
    "alloca",
    "__builtin_alloca",
    "setjmp",
    "asm",
    "__asm__",
    "__label__",
    "__func__",
    "__FUNCTION__",
    "__LINE__",
    "_Pragma",
    "constexpr",
    "extern",
    "_Alignas",
    "alignas",
    "__thread",
    "__attribute__",
    "__attribute",
];

/// Whether nothing in a function's text, seen as words, keeps parts of it there: types and macros that
/// it defines for itself.
pub(super) fn may_be_parted(text: &str, function: Span, macros: &BTreeSet<&str>) -> bool {
    let Some(own) = text.get(function.start..function.end) else {
        return false;
    };
    let found = tokens(own);
    let word = |at: usize| found.get(at).map_or("", |token| token.text(own));
    // What other files may have a copy of names nothing that is this file's alone.
    let head: Vec<&str> = (0..found.len())
        .map(word)
        .take_while(|&word| word != "(")
        .collect();
    let is_copied = head.iter().any(|word| word.contains("inline")) && !head.contains(&"static");
    // Macros may stand for attributes.
    if is_copied || head.iter().any(|word| macros.contains(word)) {
        return false;
    }
    (0..found.len()).all(|at| match word(at) {
        "#" if found[at].directive => {
            word(at + 1) == "pragma" && matches!(word(at + 2), "scop" | "endscop" | "omp")
        }
        "struct" | "union" | "enum" => word(at + 1) != "{" && word(at + 2) != "{",
        other => !BOUND.contains(&other) && !other.starts_with("tw_"),
    })
}

impl Variables {
    /// Those of a loop; `None` where it cannot have them in another function.
    pub fn of(
        unit: &Unit,
        function: &Function,
        one: &Outermost<'_>,
        private: &BTreeSet<String>,
    ) -> Option<Variables> {
        let StmtKind::For { body, .. } = &one.stmt.kind else {
            return None;
        };
        if leaves(unit, body, false) {
            return None;
        }
        let mut seen = Seen::default();
        seen.statement(unit, one.stmt)?;
        // A structure is given as a copy: what it holds itself must not be changed.
        let copied = |symbol: SymbolId| !holds_arrays(&unit.symbols[symbol].ctype);
        let outside = |symbol: &SymbolId| {
            !seen.declared.contains(symbol) && unit.symbols[*symbol].scope != Scope::File
        };
        let of_file = |symbol: &SymbolId| unit.symbols[*symbol].scope == Scope::File;
        let changed = seen.set.iter().chain([&one.variable]).any(of_file);
        if changed || seen.addressed.iter().any(outside) || seen.sized.iter().any(outside) {
            return None;
        }
        let mut own = BTreeSet::new();
        let mut given: BTreeSet<SymbolId> = BTreeSet::new();
        let mut alone = 0;
        for symbol in seen.named.iter().copied().filter(outside) {
            let variable = &unit.symbols[symbol];
            let is_array = matches!(variable.ctype, Type::Array { .. });
            let automatic = !variable.is_static && !matches!(variable.scope, Scope::Parameter(_));
            if is_array && automatic && private.contains(&variable.name) {
                alone += 1;
                own.insert(symbol);
            } else if seen.set.contains(&symbol) || symbol == one.variable {
                if !is_own(unit, function, one, body, symbol) {
                    return None;
                }
                own.insert(symbol);
            } else if is_array || copied(symbol) {
                given.insert(symbol);
            } else {
                return None;
            }
        }
        // Others are memory that the function got.
        if alone != private.len() {
            return None;
        }
        // A thread's stack may be smaller than the program's.
        let arrays = seen.declared.iter().chain(&own);
        let bytes = arrays.map(|&symbol| bytes(&unit.symbols[symbol].ctype));
        if bytes
            .sum::<Option<i64>>()
            .is_none_or(|all| all > MOST_BYTES)
        {
            return None;
        }
        let mut extents = BTreeSet::new();
        for &symbol in given.iter().chain(&own) {
            sizes(&unit.symbols[symbol].ctype, &mut extents)?;
        }
        if !extents.iter().all(|&symbol| stays(unit, function, symbol)) {
            return None;
        }
        let extents = extents
            .into_iter()
            .filter(|symbol| unit.symbols[*symbol].scope != Scope::File && !own.contains(symbol));
        given.extend(extents);
        let mut given: Vec<SymbolId> = given.into_iter().collect();
        given.sort_by_key(|&symbol| {
            let ctype = &unit.symbols[symbol].ctype;
            matches!(ctype, Type::Array { .. } | Type::Pointer { .. })
        });
        let arguments: Vec<String> = (given.iter())
            .map(|&symbol| unit.symbols[symbol].name.clone())
            .collect();
        let is_copied = |symbol: SymbolId| {
            let variable = &unit.symbols[symbol];
            let parameter = matches!(variable.scope, Scope::Parameter(_));
            !variable.is_static && (parameter || !matches!(variable.ctype, Type::Array { .. }))
        };
        let copied = (given.iter().filter(|&&symbol| is_copied(symbol)))
            .map(|&symbol| unit.symbols[symbol].name.clone())
            .collect();
        let distinct: BTreeSet<&str> = (given.iter().chain(&own))
            .map(|&symbol| unit.symbols[symbol].name.as_str())
            .collect();
        let types = given
            .iter()
            .chain(&own)
            .map(|&symbol| &unit.symbols[symbol].ctype);
        if types
            .flat_map(words_of)
            .any(|word| distinct.contains(word.as_str()))
        {
            return None;
        }
        // What is based on a pointer that alone leads to its memory is not based on its copy.
        let is_based = |&symbol: &SymbolId| {
            let variable = &unit.symbols[symbol];
            let parameter = matches!(variable.scope, Scope::Parameter(_));
            !parameter && matches!(variable.ctype, Type::Pointer { .. })
        };
        let restrict = !given.iter().any(is_based);
        (distinct.len() == given.len() + own.len()).then_some(Variables {
            restrict,
            given,
            arguments,
            copied,
            own,
        })
    }

    /// Parameters for those that it is given, declared as they are.
    pub fn parameters(&self, unit: &Unit) -> Option<Vec<String>> {
        let parameter = |&symbol: &SymbolId| {
            let variable = &unit.symbols[symbol];
            let (name, symbols) = (&variable.name, &unit.symbols[..]);
            match &variable.ctype {
                Type::Array { restrict: true, .. } | Type::Pointer { restrict: true, .. }
                    if self.restrict =>
                {
                    types::restricted(&variable.ctype, name, symbols)
                }
                Type::Array {
                    element, is_const, ..
                } => {
                    let pointer = Type::Pointer {
                        target: element.clone(),
                        restrict: false,
                        is_const: *is_const || variable.is_const,
                    };
                    types::declaration(&pointer, name, symbols)
                }
                other => types::declaration(other, name, symbols),
            }
        };
        self.given.iter().map(parameter).collect()
    }

    /// Declarations of its own, without values.
    pub fn declarations(&self, unit: &Unit) -> Option<Vec<String>> {
        let declared = |&symbol: &SymbolId| {
            let variable = &unit.symbols[symbol];
            types::declaration(&variable.ctype, &variable.name, &unit.symbols)
        };
        self.own.iter().map(declared).collect()
    }
}

/// Whether a scalar of the function is one of each iteration: set before it is read in all of them, and
/// not read behind the loop.
fn is_own(
    unit: &Unit,
    function: &Function,
    one: &Outermost<'_>,
    body: &Stmt,
    symbol: SymbolId,
) -> bool {
    let variable = &unit.symbols[symbol];
    let automatic = !variable.is_static && variable.scope != Scope::File;
    let plain = matches!(variable.ctype, Type::Scalar(_) | Type::Pointer { .. });
    let point = Point::Part {
        start: one.span.start,
        end: one.span.end,
    };
    let reads = || {
        let first = follows::first(unit, body, symbol, Jumps::default().inside());
        matches!(first, First::Break(Some(_)))
    };
    automatic
        && plain
        && (symbol == one.variable || !reads())
        && follows::read_after(unit, &function.body, point, symbol).is_none()
}

/// Whether the functions that a loop calls are declared in front of its own, in a preprocessed text.
pub(super) fn calls_are_known(unit: &Unit, stmt: &Stmt, before: &BTreeSet<&str>) -> bool {
    let mut known = true;
    visit::expressions(unit, stmt, &mut |top| {
        visit::walk(top, &mut |e| {
            if let ExprKind::Call(name, _) = &e.kind {
                known &= name.starts_with("__builtin_") || before.contains(&**name);
            }
        });
    });
    known
}

/// Whether the extent of a type has the value that it had where the type was declared, and its name
/// means it everywhere in the function.
pub(super) fn stays(unit: &Unit, function: &Function, symbol: SymbolId) -> bool {
    let variable = &unit.symbols[symbol];
    let automatic = variable.scope != Scope::File && !variable.is_static;
    let mut names: BTreeSet<SymbolId> = function.parameters.iter().copied().collect();
    let mut changes = changes::targets(unit, &function.body).contains(&symbol);
    visit::statements(&function.body, &mut |stmt| {
        if let StmtKind::Declaration(declared) = stmt.kind {
            names.insert(declared);
        }
    });
    visit::expressions(unit, &function.body, &mut |top| {
        visit::walk(top, &mut |e| {
            changes |=
                matches!(&e.kind, ExprKind::AddressOf(place) if itself(place) == Some(symbol));
        });
    });
    let others = names.iter().filter(|&&other| other != symbol);
    let mut others = others.map(|&other| &unit.symbols[other].name);
    automatic && !changes && others.all(|name| *name != variable.name)
}

/// The words that a type is called by.
fn words_of(ctype: &Type) -> Vec<String> {
    match ctype {
        Type::Scalar(scalar) => scalar.spelling.split(' ').map(str::to_owned).collect(),
        Type::Struct { spelling, .. } => spelling.split(' ').map(str::to_owned).collect(),
        Type::Array { element, .. } => words_of(element),
        Type::Pointer { target, .. } => words_of(target),
        _ => Vec::new(),
    }
}

/// How many bytes a variable of this type takes at most; `None` where that is no constant.
fn bytes(ctype: &Type) -> Option<i64> {
    match ctype {
        Type::Array {
            element, extent, ..
        } => match extent.as_deref().map(|extent| &extent.kind) {
            Some(ExprKind::Integer(extent, _)) => extent.checked_mul(bytes(element)?),
            _ => None,
        },
        Type::Struct { fields, .. } => {
            let all = fields.iter().map(|(_, field)| bytes(field));
            all.sum()
        }
        _ => Some(16),
    }
}

/// Whether a variable of this type has arrays in it.
fn holds_arrays(ctype: &Type) -> bool {
    match ctype {
        Type::Array { .. } => true,
        Type::Struct { fields, .. } => fields.iter().any(|(_, field)| holds_arrays(field)),
        _ => false,
    }
}

/// The variables that the extents of a type are made of; `None` where they are made of more.
fn sizes(ctype: &Type, into: &mut BTreeSet<SymbolId>) -> Option<()> {
    match ctype {
        Type::Array {
            element, extent, ..
        } => {
            if let Some(extent) = extent {
                let mut plain = true;
                visit::walk(extent, &mut |e| match &e.kind {
                    ExprKind::Name(symbol) => {
                        into.insert(*symbol);
                    }
                    ExprKind::Integer(..)
                    | ExprKind::Literal(_)
                    | ExprKind::Binary(..)
                    | ExprKind::Unary(..)
                    | ExprKind::Cast(..) => {}
                    _ => plain = false,
                });
                if !plain {
                    return None;
                }
            }
            sizes(element, into)
        }
        Type::Pointer { target, .. } => sizes(target, into),
        _ => Some(()),
    }
}

/// Whether control goes elsewhere from a loop's body than to the next iteration, or comes from
/// elsewhere; `inside`: a loop in it or a `switch` is around the statement.
fn leaves(unit: &Unit, stmt: &Stmt, inside: bool) -> bool {
    let jumps = visit::own_expressions(unit, stmt).into_iter().any(|top| {
        let mut found = false;
        visit::walk(top, &mut |e| {
            found |= matches!(e.kind, ExprKind::Unsupported(_) | ExprKind::Unknown(_));
        });
        found
    });
    jumps
        || match &stmt.kind {
            StmtKind::Block(list) => {
                let around = matches!(
                    list.first().map(|first| &first.kind),
                    Some(StmtKind::Unsupported("do" | "switch"))
                );
                let rest = list.iter().skip(usize::from(around));
                rest.into_iter()
                    .any(|stmt| leaves(unit, stmt, inside || around))
            }
            StmtKind::For { init, body, .. } => {
                init.iter().any(|init| leaves(unit, init, true)) || leaves(unit, body, true)
            }
            StmtKind::While { body, .. } => leaves(unit, body, true),
            StmtKind::If {
                then, otherwise, ..
            } => {
                leaves(unit, then, inside)
                    || otherwise.iter().any(|stmt| leaves(unit, stmt, inside))
            }
            StmtKind::Unsupported("break" | "case" | "default") => !inside,
            StmtKind::Unsupported("continue") => false,
            StmtKind::Declaration(symbol) => unit.symbols[*symbol].is_static,
            StmtKind::Expression(_) | StmtKind::Empty => false,
            _ => true,
        }
}

/// What is named in a piece of text.
#[derive(Default)]
struct Seen {
    named: BTreeSet<SymbolId>,
    /// Variables that are declared in it.
    declared: BTreeSet<SymbolId>,
    /// Those that are set themselves, and not what they lead to.
    set: BTreeSet<SymbolId>,
    /// Those whose own address is taken.
    addressed: BTreeSet<SymbolId>,
    /// Those of which it is asked how large they are.
    sized: BTreeSet<SymbolId>,
}

impl Seen {
    fn statement(&mut self, unit: &Unit, stmt: &Stmt) -> Option<()> {
        let mut all = Some(());
        visit::statements(stmt, &mut |stmt| {
            if let StmtKind::Declaration(symbol) = stmt.kind {
                self.declared.insert(symbol);
                self.ctype(&unit.symbols[symbol].ctype);
            }
        });
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                if self.expression(e).is_none() {
                    all = None;
                }
            });
        });
        all
    }

    fn expression(&mut self, expr: &Expr) -> Option<()> {
        match &expr.kind {
            ExprKind::Name(symbol) => {
                self.named.insert(*symbol);
            }
            ExprKind::AddressOf(place) => self.addressed.extend(itself(place)),
            ExprKind::Cast(ctype, _) => self.ctype(ctype),
            ExprKind::SizeOf(Sized::Type(ctype), _) => self.ctype(ctype),
            ExprKind::SizeOf(Sized::Value(value), _) => {
                visit::walk(value, &mut |e| {
                    if let ExprKind::Name(symbol) = e.kind {
                        self.named.insert(symbol);
                        self.sized.insert(symbol);
                    }
                });
            }
            _ => {}
        }
        if let Some(target) = facts::target(expr) {
            self.set.extend(itself(target));
        }
        Some(())
    }

    fn ctype(&mut self, ctype: &Type) {
        let mut names = BTreeSet::new();
        if sizes(ctype, &mut names).is_some() {
            self.named.extend(names);
        }
    }
}

/// The variable that a place is, or is a part of: not what it leads to.
fn itself(place: &Expr) -> Option<SymbolId> {
    match &place.kind {
        ExprKind::Name(symbol) => Some(*symbol),
        ExprKind::Field(of, _) => itself(of),
        _ => None,
    }
}
