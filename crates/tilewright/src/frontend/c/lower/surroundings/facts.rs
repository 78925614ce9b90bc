//! What the region and its function do to variables, found before anything is lowered.

use crate::mistakes::mistake;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use crate::frontend::c::lower::calls::{extremum, purity};
use crate::frontend::c::lower::memory::allocation;
use crate::frontend::c::lower::surroundings::elements::Elements;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::{interval, types};
use crate::frontend::c::syntax::{
    Expr, ExprKind, Function, Region, Scope, Stmt, StmtKind, SymbolId, Type, Unit,
};
use crate::scop::{BinaryOp, ScalarKind};
use crate::source::Span;

/// How large a variable's definition may be, those of the variables in it put in their places:
/// what is larger is computed and stored.
const DEFINITION_SIZE: usize = 256;

/// Facts about symbols, by number.
#[derive(Debug, Default)]
pub(crate) struct Facts<'u> {
    /// Loop variables of the region, and where the loop begins.
    pub iterators: HashMap<SymbolId, Span>,
    /// Variables assigned in the region outside of loop heads, and where first.
    pub assigned: HashMap<SymbolId, Span>,
    /// Scalar fields assigned in the region, by root and spelling of the place.
    pub fields: HashMap<(SymbolId, String), Span>,
    /// Variables assigned anywhere in the function (not initialised), or whose address is taken,
    /// and the last such place.
    pub changed: HashMap<SymbolId, Span>,
    /// Symbols whose address is taken somewhere in the function.
    pub address_taken: HashSet<SymbolId>,
    /// Variables that something else than a plain `=` changes somewhere in the function.
    pub moved: HashSet<SymbolId>,
    /// Whether the function holds a `goto`: without one, labels mean nothing.
    pub jumps: bool,
    /// What is assigned to a variable with a plain `=` anywhere in the function.
    pub values: HashMap<SymbolId, Vec<&'u Expr>>,
    /// Structures of which the function assigns a field, and where last.
    pub parts: HashMap<SymbolId, usize>,
    /// Where the function last may write integers outside the region that are in memory: through a
    /// pointer, or in a call.
    pub written: Option<usize>,
    /// Variables from outside the region that are sums, and factors of products in it: `y * ow` with
    /// `int ow = w - 2`. They are parameters of their own, so that such a product has one stride.
    pub factors: BTreeSet<SymbolId>,
    definitions: Definitions,
}

/// How deep definitions are followed.
pub(crate) const DEPTH: usize = 16;

/// Where variables of the region are defined, and how.
#[derive(Debug, Default)]
struct Definitions {
    /// Those whose values nothing else stands for: they are computed where they are declared.
    kept: BTreeSet<SymbolId>,
    /// The variables of the loops around their declarations.
    around: HashMap<SymbolId, Vec<SymbolId>>,
    /// Which elements of arrays may be parameters; `None`: none.
    elements: Option<Elements>,
    /// How large the definitions are, of which somebody asked; 0 for variables that have none.
    sizes: RefCell<HashMap<SymbolId, usize>>,
}

impl<'u> Facts<'u> {
    /// Scans a region and its function.
    ///
    /// `elements`: whether elements of arrays may be parameters.
    pub fn collect(
        unit: &'u Unit,
        (function, region): (&'u Function, &'u Region),
        elements: bool,
    ) -> Facts<'u> {
        let mut facts = Facts::default();
        facts.definitions.elements = elements.then(|| Elements::of(unit, &region.statements));
        for stmt in &region.statements {
            visit::statements(stmt, &mut |s| facts.iterator(unit, s));
        }
        for stmt in &region.statements {
            facts.assignments(unit, stmt);
            facts.declarations(stmt, &mut Vec::new());
        }
        visit::statements(&function.body, &mut |s| {
            facts.jumps |= visit::jumps(unit, s);
        });
        visit::expressions(unit, &function.body, &mut |top| {
            visit::walk(top, &mut |e| {
                facts.note_write(unit, region, e);
                if let Some(target) = target(e) {
                    if let ExprKind::Name(symbol) = target.kind {
                        facts.changed.insert(symbol, e.span);
                        match &e.kind {
                            ExprKind::Assign(None, _, value) => {
                                facts.values.entry(symbol).or_default().push(value);
                            }
                            _ => {
                                facts.moved.insert(symbol);
                            }
                        }
                    }
                }
                if let ExprKind::AddressOf(place) = &e.kind {
                    if let Some(symbol) = whole(place) {
                        facts.address_taken.insert(symbol);
                        facts.changed.insert(symbol, e.span);
                    }
                }
            });
        });
        for stmt in &region.statements {
            visit::expressions(unit, stmt, &mut |top| {
                visit::walk(top, &mut |e| {
                    if let ExprKind::Binary(BinaryOp::Mul, a, b) = &e.kind {
                        for (factor, other) in [(a, b), (b, a)] {
                            if let (ExprKind::Name(symbol), false) =
                                (&factor.kind, is_constant(other))
                                && facts.is_sum(unit, *symbol)
                            {
                                facts.factors.insert(*symbol);
                            }
                        }
                    }
                });
            });
        }
        facts
    }

    /// Whether a variable from outside the region stands for a sum with a variable in it.
    fn is_sum(&self, unit: &'u Unit, symbol: SymbolId) -> bool {
        let outside = !matches!(unit.symbols[symbol].scope, Scope::Region(_));
        let definition = self.definition(unit, symbol).filter(|_| outside);
        definition.is_some_and(|value| {
            let mut sum = false;
            visit::walk(value, &mut |e| {
                sum |= matches!(e.kind, ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..));
            });
            sum && !is_constant(value)
        })
    }

    /// Notes where fields and memory change.
    fn note_write(&mut self, unit: &Unit, region: &Region, expr: &Expr) {
        let at = expr.span.start;
        let writes = match &expr.kind {
            ExprKind::Call(name, _) => {
                !purity::is_pure(unit, name)
                    && !allocation::allocates(unit, name)
                    && !allocation::releases(unit, name)
            }
            ExprKind::Unsupported(_) => true,
            _ => target(expr).is_some_and(|target| {
                let root = whole(target);
                if let (Some(root), false) = (root, matches!(target.kind, ExprKind::Name(_))) {
                    self.parts.insert(root, at);
                }
                let outside = root.is_none_or(|root| unit.symbols[root].scope == Scope::File);
                let kind = types::scalar_kind(unit, target);
                outside && kind.is_none_or(|kind| !kind.is_float())
            }),
        };
        if writes && !(region.span.start..region.span.end).contains(&at) {
            self.written = self.written.max(Some(at));
        }
    }

    fn iterator(&mut self, unit: &Unit, stmt: &Stmt) {
        if let StmtKind::For {
            init: Some(init), ..
        } = &stmt.kind
        {
            if let Some(symbol) = set_first(init).filter(|&s| integer_kind(unit, s).is_some()) {
                self.iterators.insert(symbol, stmt.span);
            }
        }
    }

    fn assignments(&mut self, unit: &Unit, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::For {
                init,
                condition,
                body,
                step,
            } => {
                // The head's own assignments make the iterator; what else is in it counts.
                let own = init.as_deref().and_then(set_first);
                for e in condition.iter().chain(step) {
                    self.expression(e, own);
                }
                self.assignments(unit, body);
            }
            StmtKind::While { condition, body } => {
                self.expression(condition, None);
                self.assignments(unit, body);
            }
            StmtKind::Block(list) => list.iter().for_each(|s| self.assignments(unit, s)),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.expression(condition, None);
                self.assignments(unit, then);
                if let Some(otherwise) = otherwise {
                    self.assignments(unit, otherwise);
                }
            }
            _ => {
                for e in visit::own_expressions(unit, stmt) {
                    self.expression(e, None);
                }
            }
        }
    }

    fn expression(&mut self, expr: &Expr, except: Option<SymbolId>) {
        visit::walk(expr, &mut |e| {
            let Some(target) = target(e) else { return };
            match &target.kind {
                ExprKind::Name(symbol) if Some(*symbol) != except => {
                    self.assigned.entry(*symbol).or_insert(e.span);
                }
                ExprKind::Field(..) | ExprKind::Arrow(..) => {
                    if let Some(key) = plain_key(target) {
                        self.fields.entry(key).or_insert(e.span);
                    }
                }
                _ => {}
            }
        });
    }

    /// Notes the loops around declarations.
    fn declarations(&mut self, stmt: &Stmt, loops: &mut Vec<SymbolId>) {
        match &stmt.kind {
            StmtKind::Declaration(symbol) => {
                self.definitions.around.insert(*symbol, loops.clone());
            }
            StmtKind::For { init, body, .. } => {
                let own = init.as_deref().and_then(set_first);
                loops.extend(own);
                self.declarations(body, loops);
                loops.truncate(loops.len() - usize::from(own.is_some()));
            }
            StmtKind::While { body, .. } => self.declarations(body, loops),
            StmtKind::Block(list) => list.iter().for_each(|s| self.declarations(s, loops)),
            StmtKind::If {
                then, otherwise, ..
            } => {
                self.declarations(then, loops);
                if let Some(otherwise) = otherwise {
                    self.declarations(otherwise, loops);
                }
            }
            _ => {}
        }
    }

    /// The initialiser that stands for a variable for as long as it lives: that of a local integer
    /// that is never assigned and whose address is not taken. Everything in it has the same value
    /// for as long: constants, variables of the loops around the declaration, variables from
    /// outside the region that nothing in the function changes, and variables of the region for
    /// which the same holds. Nothing comes from a call, and nothing from memory but, inside of the
    /// region, fields that are parameters of it. Products of variables may occur in it.
    ///
    /// C converts its value to the variable's type, and so does whoever puts it in.
    pub fn value(&self, unit: &'u Unit, symbol: SymbolId) -> Option<&'u Expr> {
        if self.size(unit, symbol) == 0 {
            return None;
        }
        unit.symbols[symbol].initialiser.as_ref()
    }

    /// The size of a variable's definition, other definitions put into it; 0 without one.
    fn size(&self, unit: &'u Unit, symbol: SymbolId) -> usize {
        if let Some(&known) = self.definitions.sizes.borrow().get(&symbol) {
            return known;
        }
        let size = self.computed_size(unit, symbol).unwrap_or(0);
        self.definitions.sizes.borrow_mut().insert(symbol, size);
        size
    }

    fn computed_size(&self, unit: &'u Unit, symbol: SymbolId) -> Option<usize> {
        let s = &unit.symbols[symbol];
        let wide = integer_kind(unit, symbol).is_some_and(|k| types::narrow_range(k).is_none());
        if !wide || s.is_static || s.scope == Scope::File || self.changed.contains_key(&symbol) {
            return None;
        }
        let initialiser = s.initialiser.as_ref()?;
        // `int t = t + 1;` reads itself, and C says nothing of it.
        self.definitions.sizes.borrow_mut().insert(symbol, 0);
        let size = self.constant_part(unit, symbol, initialiser);
        size.filter(|&size| size <= DEFINITION_SIZE)
    }

    /// The size of part of the definition of a variable, where its value is the same for as long as the
    /// variable lives.
    fn constant_part(&self, unit: &'u Unit, symbol: SymbolId, part: &'u Expr) -> Option<usize> {
        let own = match &part.kind {
            ExprKind::Name(other) => self.constant_size(unit, symbol, *other),
            ExprKind::Call(name, _) => {
                let known = extremum::extremum(unit, name).map(|_| 1);
                known.or_else(|| self.size_of_value(unit, symbol, name))
            }
            ExprKind::Field(..)
            | ExprKind::Arrow(..)
            | ExprKind::Subscript(..)
            | ExprKind::Dereference(_) => {
                return self.is_constant_field(unit, symbol, part).then_some(1);
            }
            ExprKind::Integer(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..)
            | ExprKind::Cast(..) => Some(1),
            _ => None,
        };
        visit::children(part).try_fold(own?, |sum, inner| {
            Some(sum + self.constant_part(unit, symbol, inner)?)
        })
    }

    /// Whether a field becomes a parameter of the region, where a variable of the region is made of it.
    /// That nothing else changes it is compared, as of others.
    fn is_constant_field(&self, unit: &Unit, symbol: SymbolId, field: &Expr) -> bool {
        let inside = matches!(unit.symbols[symbol].scope, Scope::Region(_));
        let whole = matches!(
            types::place_type(unit, field),
            Some(Type::Scalar(t)) if !t.kind.is_float()
        );
        inside
            && whole
            && self.size_key(unit, symbol, field).is_some_and(|key| {
                !matches!(unit.symbols[key.0].scope, Scope::Region(_))
                    && !self.iterators.contains_key(&key.0)
                    && !self.assigned.contains_key(&key.0)
                    && !self.fields.contains_key(&key)
            })
    }

    /// The place of a field, or of an element that says how far loops go.
    fn size_key(&self, unit: &Unit, symbol: SymbolId, size: &Expr) -> Option<(SymbolId, String)> {
        let elements = self.definitions.elements.as_ref();
        let element = || {
            let elements = elements.filter(|elements| elements.is_index(symbol))?;
            elements.parameter(unit, size)
        };
        plain_key(size).or_else(element)
    }

    /// The place of an element of an array that may be a parameter.
    pub(crate) fn element(&self, unit: &Unit, expr: &Expr) -> Option<(SymbolId, String)> {
        self.definitions.elements.as_ref()?.parameter(unit, expr)
    }

    /// The size of what stands for `other` in the definition of `symbol`, where its value is the
    /// same for as long as `symbol` lives.
    fn constant_size(&self, unit: &'u Unit, symbol: SymbolId, other: SymbolId) -> Option<usize> {
        integer_kind(unit, other)?;
        if is_hidden(unit, other) {
            return None;
        }
        let around = self.definitions.around.get(&symbol);
        match unit.symbols[other].scope {
            Scope::File => None,
            // Each value of a loop's variable has a variable of the region of its own.
            _ if self.iterators.contains_key(&other) => {
                let inside = around.is_some_and(|loops| loops.contains(&other));
                (inside && !self.assigned.contains_key(&other)).then_some(1)
            }
            Scope::Region(_) if mistake!(TemporariesOfData) => Some(1),
            Scope::Region(_) => Some(self.size(unit, other)).filter(|&size| size > 0),
            // What lives in the region sees what the region changes.
            _ if matches!(unit.symbols[symbol].scope, Scope::Region(_)) => {
                let stays =
                    !self.assigned.contains_key(&other) && !self.address_taken.contains(&other);
                stays.then_some(1)
            }
            _ => (!self.changed.contains_key(&other)).then_some(1),
        }
    }

    /// The size of what a function of the file gives back, where that is chosen from sums of its own
    /// parameters, as the nearest place inside of an array is; variables in front of the region are
    /// parameters of it rather than that.
    fn size_of_value(&self, unit: &'u Unit, symbol: SymbolId, name: &str) -> Option<usize> {
        let in_region = matches!(unit.symbols[symbol].scope, Scope::Region(_));
        let (_, function) = purity::definition(unit, name)?;
        let value = purity::only_value(function).filter(|_| in_region)?;
        let (mut size, mut plain) = (0, true);
        visit::walk(value, &mut |e| {
            size += 1;
            plain &= match &e.kind {
                ExprKind::Binary(op, ..) => !matches!(
                    op,
                    BinaryOp::Mul
                        | BinaryOp::Div
                        | BinaryOp::Rem
                        | BinaryOp::ShiftLeft
                        | BinaryOp::ShiftRight
                        | BinaryOp::BitAnd
                        | BinaryOp::BitOr
                        | BinaryOp::BitXor
                ),
                ExprKind::Name(_)
                | ExprKind::Integer(..)
                | ExprKind::Unary(..)
                | ExprKind::Conditional(..)
                | ExprKind::Cast(..) => true,
                _ => false,
            };
        });
        (plain && purity::is_pure(unit, name)).then_some(size)
    }

    /// From here on nothing else stands for a variable of the region.
    pub fn keep(&mut self, symbol: SymbolId) {
        self.definitions.kept.insert(symbol);
    }

    /// Whether an expression reads a variable that is kept, itself or by what its variables are made of.
    pub fn reads_kept(&self, unit: &'u Unit, value: &Expr, depth: usize) -> bool {
        let mut found = false;
        if self.definitions.kept.is_empty() || depth == 0 {
            return found;
        }
        visit::walk(value, &mut |e| {
            let ExprKind::Name(symbol) = e.kind else {
                return;
            };
            found = found
                || self.definitions.kept.contains(&symbol)
                || self
                    .value(unit, symbol)
                    .is_some_and(|inner| self.reads_kept(unit, inner, depth - 1));
        });
        found
    }

    /// Whether nothing else stands for a variable although its definition is known.
    pub fn stands_alone(&self, symbol: SymbolId) -> bool {
        self.factors.contains(&symbol) || self.definitions.kept.contains(&symbol)
    }

    /// The same where it is affine by its looks, so that it can stand in for the variable. Inside
    /// the region products are let through: there the variable could not be a parameter anyway.
    pub fn definition(&self, unit: &'u Unit, symbol: SymbolId) -> Option<&'u Expr> {
        match self.stands_alone(symbol) {
            true => None,
            false => self
                .linear(unit, symbol)
                .filter(|value| !self.reads_kept(unit, value, DEPTH)),
        }
    }

    /// The same, also of factors.
    pub fn linear(&self, unit: &'u Unit, symbol: SymbolId) -> Option<&'u Expr> {
        let value = self.value(unit, symbol)?;
        let mut linear = true;
        visit::walk(value, &mut |e| {
            if let ExprKind::Binary(op, a, b) = &e.kind {
                linear &= match op {
                    BinaryOp::Mul => is_constant(a) || is_constant(b),
                    BinaryOp::Div | BinaryOp::Rem | BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                        is_constant(b)
                    }
                    BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => false,
                    _ => true,
                };
            }
        });
        let in_region = matches!(unit.symbols[symbol].scope, Scope::Region(_));
        // In front of the region a variable that may hold something else than its initialiser's
        // mathematical value is a parameter of its own.
        let same = || {
            let kind = integer_kind(unit, symbol);
            kind.is_some_and(|kind| interval::keeps(unit, value, kind))
        };
        (in_region || linear && same()).then_some(value)
    }
}

/// Where other variables of a function are declared that have the name of one which it declares outside of
/// its regions.
fn namesakes(unit: &Unit, symbol: SymbolId) -> impl Iterator<Item = Scope> {
    let function = |scope: Scope| match scope {
        Scope::File => None,
        Scope::Parameter(function) | Scope::Function(function) => Some(function),
        Scope::Region(region) => Some(unit.regions[region].function),
    };
    let own = &unit.symbols[symbol];
    let here = match own.scope {
        Scope::Region(_) => None,
        scope => function(scope),
    };
    let others = unit.symbols.iter().enumerate().filter(move |(other, s)| {
        *other != symbol && s.name == own.name && here.is_some() && function(s.scope) == here
    });
    others.map(|(_, s)| s.scope)
}

/// Whether the name of a variable that a function declares outside of its regions means another variable,
/// too, somewhere in that function: what is computed from it may be written where it means the other.
/// Variables of regions get names of their own.
pub(crate) fn is_hidden(unit: &Unit, symbol: SymbolId) -> bool {
    namesakes(unit, symbol).next().is_some()
}

/// Whether a name in an expression may mean another variable in front of a region.
pub(crate) fn names_hidden(unit: &Unit, expr: &Expr) -> bool {
    let outside = |scope: Scope| !matches!(scope, Scope::Region(_));
    let mut hidden = false;
    visit::walk(expr, &mut |e| {
        hidden |= matches!(e.kind, ExprKind::Name(symbol) if namesakes(unit, symbol).any(outside));
    });
    hidden
}

/// Whether no variable occurs in it.
fn is_constant(expr: &Expr) -> bool {
    let mut constant = true;
    visit::walk(expr, &mut |e| {
        constant &= !matches!(e.kind, ExprKind::Name(_))
    });
    constant
}

/// The variable that the head of a loop sets.
pub(crate) fn set_first(init: &Stmt) -> Option<SymbolId> {
    match &init.kind {
        StmtKind::Declaration(symbol) => Some(*symbol),
        StmtKind::Expression(e) => match target(e).map(|t| &t.kind) {
            Some(ExprKind::Name(symbol)) => Some(*symbol),
            _ => None,
        },
        _ => None,
    }
}

/// What an assignment or increment changes.
pub(crate) fn target(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Assign(_, target, _) | ExprKind::Increment { target, .. } => Some(target),
        _ => None,
    }
}

/// Root and spelling of a place without subscripts (`n`, `p->n`, `g.size.x`).
pub(crate) fn plain_key(expr: &Expr) -> Option<(SymbolId, String)> {
    fn suffix(expr: &Expr) -> Option<(SymbolId, String)> {
        let (base, mark, field) = match &expr.kind {
            ExprKind::Name(symbol) => return Some((*symbol, String::new())),
            ExprKind::Field(base, field) => (base, ".", field),
            ExprKind::Arrow(base, field) => (base, "->", field),
            _ => return None,
        };
        let (root, text) = suffix(base)?;
        Some((root, format!("{text}{mark}{field}")))
    }
    suffix(expr)
}

/// The variable that a place is, or is a field of.
fn whole(place: &Expr) -> Option<SymbolId> {
    match &place.kind {
        ExprKind::Name(symbol) => Some(*symbol),
        ExprKind::Field(base, _) => whole(base),
        _ => None,
    }
}

/// The kind of an integer variable.
pub(crate) fn integer_kind(unit: &Unit, symbol: SymbolId) -> Option<ScalarKind> {
    match &unit.symbols[symbol].ctype {
        Type::Scalar(t) if !t.kind.is_float() => Some(t.kind),
        _ => None,
    }
}
