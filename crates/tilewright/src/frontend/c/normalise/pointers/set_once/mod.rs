//! Pointers that are set once: what they point at stands in their place.
//!
//! `const float *row = a + y * n;` with `row[x]` becomes `(a + y * n)[x]`, which lowering reads as
//! `a[y * n + x]`; `p->x` with `p = &b[i]` becomes `b[i].x`. What is added to a pointer and may change
//! before it is used gets a variable of its own where the pointer was set. So it is with structures that
//! are [copied and only read](copies).

mod copies;

use crate::frontend::c::lower::surroundings::facts;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::arith::Members;
use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::calls::{agree, first_of, is_idle};
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::scop::{BinaryOp, ScalarType};
use std::collections::{HashMap, HashSet};

/// Puts what pointers point at in their places.
pub(in crate::frontend::c::normalise) fn substitute(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    let mut pointers = Pointers::new(unit, number, statements);
    pointers.block(statements, &mut Vec::new());
    let values = pointers.values;
    if values.is_empty() {
        return;
    }
    for stmt in statements {
        tree::expressions_mut(&mut unit.symbols, stmt, &mut |expr| {
            if let ExprKind::Name(symbol) = expr.kind
                && let Some(value) = values.get(&symbol)
            {
                expr.kind = value.kind.clone();
            }
            simplify(expr);
        });
    }
}

/// What is known of a region's pointers.
struct Pointers<'u> {
    unit: &'u mut Unit,
    number: usize,
    /// Variables that the region assigns, and how often, loop heads included.
    assigned: HashMap<SymbolId, usize>,
    /// Loop variables, and how many loops each has.
    iterators: HashMap<SymbolId, usize>,
    /// Pointers whose own address is taken, or that are read behind the region or when it comes again.
    elsewhere: HashSet<SymbolId>,
    /// How often the region names each variable.
    mentioned: HashMap<SymbolId, usize>,
    /// What else the region may change.
    members: Members,
    /// By pointer, what stands in its place.
    values: HashMap<SymbolId, Expr>,
}

impl<'u> Pointers<'u> {
    fn new(unit: &'u mut Unit, number: usize, statements: &[Stmt]) -> Pointers<'u> {
        let (mut assigned, mut iterators) = (HashMap::new(), HashMap::new());
        let mut elsewhere = HashSet::new();
        let mut mentioned = HashMap::new();
        let mut note = |expr: &Expr| {
            visit::walk(expr, &mut |e| {
                if let Some(ExprKind::Name(symbol)) = facts::target(e).map(|target| &target.kind) {
                    *assigned.entry(*symbol).or_insert(0) += 1;
                }
                if let ExprKind::Name(symbol) = e.kind {
                    *mentioned.entry(symbol).or_insert(0) += 1;
                }
                if let ExprKind::AddressOf(place) = &e.kind
                    && let ExprKind::Name(symbol) = place.kind
                {
                    elsewhere.insert(symbol);
                }
            });
        };
        for stmt in statements {
            visit::expressions(unit, stmt, &mut note);
            visit::statements(stmt, &mut |stmt| {
                if let StmtKind::For {
                    init: Some(init), ..
                } = &stmt.kind
                    && let Some(symbol) = facts::set_first(init)
                {
                    *iterators.entry(symbol).or_insert(0) += 1;
                }
            });
        }
        let members = Members::changed_in(unit, statements);
        let region = &unit.regions[number];
        let (function, span) = (&unit.functions[region.function], region.span);
        let repeated = tree::is_repeated(unit, number);
        visit::expressions(unit, &function.body, &mut |top| {
            // What it was in front does not matter where the region sets it before it is read.
            if top.span.start < span.end && !repeated {
                return;
            }
            if (span.start..span.end).contains(&top.span.start) {
                return;
            }
            visit::walk(top, &mut |e| {
                if let ExprKind::Name(symbol) = e.kind {
                    elsewhere.insert(symbol);
                }
            });
        });
        Pointers {
            unit,
            number,
            assigned,
            iterators,
            elsewhere,
            mentioned,
            members,
            values: HashMap::new(),
        }
    }

    /// Takes pointers and copies that are set in a list of statements out of it; `loops`: the variables of the
    /// loops around.
    fn block(&mut self, list: &mut Vec<Stmt>, loops: &mut Vec<SymbolId>) {
        let mut position = 0;
        while position < list.len() {
            if let Some(declarations) = self.set(list, position, loops) {
                let count = declarations.len();
                list.splice(position..=position, declarations);
                position += count;
            } else {
                self.inside(&mut list[position], loops);
                position += 1;
            }
        }
    }

    fn inside(&mut self, stmt: &mut Stmt, loops: &mut Vec<SymbolId>) {
        match &mut stmt.kind {
            StmtKind::Block(list) => self.block(list, loops),
            StmtKind::For { init, body, .. } => {
                let own = init.as_deref().and_then(facts::set_first);
                loops.extend(own);
                self.inside(body, loops);
                loops.truncate(loops.len() - usize::from(own.is_some()));
            }
            StmtKind::While { body, .. } => self.inside(body, loops),
            StmtKind::If {
                then, otherwise, ..
            } => {
                self.inside(then, loops);
                if let Some(otherwise) = otherwise {
                    self.inside(otherwise, loops);
                }
            }
            _ => {}
        }
    }

    /// What stands for a statement that sets a pointer once and for all: the variables of what is
    /// added to it. `None`: it does not, or what it points at cannot be written down.
    fn set(&mut self, list: &[Stmt], position: usize, loops: &[SymbolId]) -> Option<Vec<Stmt>> {
        let stmt = &list[position];
        let (symbol, value, times) = match &stmt.kind {
            StmtKind::Declaration(symbol) => {
                let value = self.unit.symbols[*symbol].initialiser.clone()?;
                (*symbol, value, 0)
            }
            StmtKind::Expression(expr) => match &expr.kind {
                ExprKind::Assign(None, target, value) => match target.kind {
                    ExprKind::Name(symbol) => (symbol, (**value).clone(), 1),
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        let own = &self.unit.symbols[symbol];
        let target = match own.ctype.clone() {
            Type::Pointer { target, .. } => Some(target),
            Type::Struct { .. } => None,
            _ => return None,
        };
        let local = matches!(own.scope, Scope::Region(_) | Scope::Function(_)) && !own.is_static;
        let once = self.assigned.get(&symbol).copied().unwrap_or(0) == times;
        if !local || !once || self.elsewhere.contains(&symbol) {
            return None;
        }
        if times == 1 && !self.is_used_behind_only(list, position, symbol) {
            return None;
        }
        let mut value = value;
        let values = &self.values;
        tree::walk_mut(&mut value, &mut |e| {
            if let ExprKind::Name(other) = e.kind
                && let Some(known) = values.get(&other)
            {
                e.kind = known.kind.clone();
            }
            simplify(e);
        });
        let mut moved = Vec::new();
        let Some(target) = target else {
            if !self.is_copy(&list[position + 1..], symbol, &value) {
                return None;
            }
            let value = self.stable(value, loops, (symbol, &mut moved))?;
            self.values.insert(symbol, value);
            return Some(moved);
        };
        let value = self.pointer(value, &target, loops, (symbol, &mut moved))?;
        // A row, or an array in a structure, becomes a pointer here.
        let part = !matches!(value.kind, ExprKind::Name(_))
            && matches!(
                types::place_type(self.unit, &value),
                Some(Type::Array { .. })
            );
        let value = if part { first_of(value) } else { value };
        self.values.insert(symbol, value);
        Some(moved)
    }

    /// Whether everything in the region that names a pointer stands behind a statement of a list, in
    /// that list.
    fn is_used_behind_only(&self, list: &[Stmt], position: usize, symbol: SymbolId) -> bool {
        // The one that is assigned, which may not read it.
        let here = tree::names_of(self.unit, &list[position..=position], symbol);
        here == 1 && tree::names_of(self.unit, &list[position..], symbol) == self.mentions(symbol)
    }

    /// How often the region names a variable.
    fn mentions(&self, symbol: SymbolId) -> usize {
        self.mentioned.get(&symbol).copied().unwrap_or(0)
    }

    /// A pointer's value out of parts that stay as they are for as long as it is used: the others,
    /// integers, are put into variables.
    fn pointer(
        &mut self,
        value: Expr,
        target: &Type,
        loops: &[SymbolId],
        moved: (SymbolId, &mut Vec<Stmt>),
    ) -> Option<Expr> {
        let (value, same): (_, fn(&Type, &Type) -> bool) = match value.kind {
            ExprKind::Cast(Type::Pointer { .. }, inner) => (*inner, is_idle),
            _ => (value, agree),
        };
        let from = match &value.kind {
            ExprKind::AddressOf(place) => types::place_type(self.unit, place)?,
            _ => types::pointee(types::place_type(self.unit, &value)?)?,
        };
        same(target, from).then_some(())?;
        self.stable(value, loops, moved)
    }

    /// The same place or pointer out of parts that stay as they are.
    fn stable(
        &mut self,
        expr: Expr,
        loops: &[SymbolId],
        (symbol, moved): (SymbolId, &mut Vec<Stmt>),
    ) -> Option<Expr> {
        let span = expr.span;
        let mut place =
            |this: &mut Self, e: Box<Expr>| this.stable(*e, loops, (symbol, moved)).map(Box::new);
        let kind = match expr.kind {
            ExprKind::Name(name) if !self.assigned.contains_key(&name) => ExprKind::Name(name),
            // A pointer that may be another one by then.
            ExprKind::Field(_, ref name) | ExprKind::Arrow(_, ref name)
                if self.members.has(name)
                    && types::place_type(self.unit, &expr)
                        .is_none_or(|t| matches!(t, Type::Pointer { .. })) =>
            {
                return None;
            }
            ExprKind::Subscript(..) | ExprKind::Dereference(_)
                if self.members.have_elements() && !self.holds_values(&expr) =>
            {
                return None;
            }
            ExprKind::Field(base, field) => ExprKind::Field(place(self, base)?, field),
            ExprKind::Arrow(base, field) => ExprKind::Arrow(place(self, base)?, field),
            ExprKind::Dereference(base) => ExprKind::Dereference(place(self, base)?),
            ExprKind::AddressOf(base) => ExprKind::AddressOf(place(self, base)?),
            ExprKind::Subscript(base, index) => {
                let base = place(self, base)?;
                ExprKind::Subscript(base, Box::new(self.integer(*index, loops, symbol, moved)?))
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let points = |e: &Expr| {
                    matches!(e.kind, ExprKind::AddressOf(_))
                        || types::place_type(self.unit, e)
                            .and_then(types::pointee)
                            .is_some()
                };
                match (points(&a), points(&b), op) {
                    (true, false, _) => {
                        let a = place(self, a)?;
                        let b = self.integer(*b, loops, symbol, moved)?;
                        ExprKind::Binary(op, a, Box::new(b))
                    }
                    (false, true, BinaryOp::Add) => {
                        let b = place(self, b)?;
                        let a = self.integer(*a, loops, symbol, moved)?;
                        ExprKind::Binary(op, b, Box::new(a))
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(Expr { kind, span })
    }

    /// Whether what is stored in a place is no pointer, nor has any in it.
    fn holds_values(&self, place: &Expr) -> bool {
        let mut ctype = types::place_type(self.unit, place);
        while let Some(Type::Array { element, .. }) = ctype {
            ctype = Some(element);
        }
        matches!(ctype, Some(Type::Scalar(_)))
    }

    /// An integer that stays as it is: itself, or a variable that gets its value.
    fn integer(
        &mut self,
        expr: Expr,
        loops: &[SymbolId],
        pointer: SymbolId,
        moved: &mut Vec<Stmt>,
    ) -> Option<Expr> {
        let kind = types::scalar_kind(self.unit, &expr).filter(|kind| !kind.is_float())?;
        let mut stable = true;
        visit::walk(&expr, &mut |e| {
            stable &= match &e.kind {
                ExprKind::Name(symbol) => {
                    let own = loops.contains(symbol) && self.iterators.get(symbol) == Some(&1);
                    own || !self.assigned.contains_key(symbol)
                        && !self.iterators.contains_key(symbol)
                }
                // A member of what a pointer leads to is a size, or lowering says what may be there.
                ExprKind::Arrow(..) | ExprKind::Field(..) => {
                    facts::plain_key(e).is_some() && !self.members.change(e)
                }
                ExprKind::Integer(..)
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Cast(..) => true,
                _ => false,
            };
        });
        if stable {
            return Some(expr);
        }
        // Its type, unless that is narrow: then C computes with `int`.
        let kind = kind.promoted();
        let ctype = Type::Scalar(ScalarType {
            kind,
            spelling: kind.c_name().to_owned(),
        });
        let span = expr.span;
        let name = format!("{}_offset", self.unit.symbols[pointer].name);
        let symbol = build::variable(self.unit, self.number, &name, ctype, Some(expr), span);
        moved.push(build::declaration(symbol, span));
        Some(build::name(symbol, span))
    }
}

/// `*&x`, `(&x)->f`, `(&x)[0]`, `(&a[i])[k]` and `&a[i] + k` without addresses.
pub(in crate::frontend::c::normalise) fn simplify(expr: &mut Expr) {
    let address = |e: &Expr| match &e.kind {
        ExprKind::AddressOf(place) => Some((**place).clone()),
        _ => None,
    };
    // `&a[i]` is `a + i`.
    let sum = |e: &Expr| match address(e)?.kind {
        ExprKind::Subscript(base, index) => Some(Expr {
            kind: ExprKind::Binary(BinaryOp::Add, base, index),
            span: e.span,
        }),
        ExprKind::Dereference(base) => Some(*base),
        _ => None,
    };
    let kind = match &expr.kind {
        ExprKind::Dereference(a) => address(a).map(|place| place.kind),
        ExprKind::Arrow(a, field) => {
            address(a).map(|place| ExprKind::Field(Box::new(place), field.clone()))
        }
        ExprKind::Subscript(a, index) => match (address(a), &index.kind) {
            (Some(place), ExprKind::Integer(0, _)) => Some(place.kind),
            _ => sum(a).map(|sum| ExprKind::Subscript(Box::new(sum), index.clone())),
        },
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
            sum(a).map(|sum| ExprKind::Binary(*op, Box::new(sum), b.clone()))
        }
        _ => None,
    };
    if let Some(kind) = kind {
        expr.kind = kind;
    }
}
