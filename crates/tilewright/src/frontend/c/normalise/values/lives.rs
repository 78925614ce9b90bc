//! Integers and pointers that one name stands for several times: a variable for each life.
//!
//! `int k; for (…) { k = i * w + j; a[k] = b[k]; }` declares `k` where it is set, if every list of
//! statements that names it sets it first, and nobody reads it behind the region. In a list that declares
//! `k` and sets it again, what comes up to there is another variable's. Lowering follows what such a
//! variable is declared as into subscripts, as there is one value only. Pointers may move between the
//! statements that set them (`p = a; … p++; … p = b;`): the other passes follow each from where it is
//! declared.

use crate::frontend::c::lower::memory::allocation::is_null;
use crate::frontend::c::lower::surroundings::elements::Elements;
use crate::frontend::c::lower::surroundings::follows::{First, Jumps, Point, first, read_after};
use crate::frontend::c::lower::surroundings::indices::indices;
use crate::frontend::c::lower::surroundings::{changes, facts, visit};
use crate::frontend::c::normalise::arith::changed_in;
use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::calls::is_free;
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::loops::inductions;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, StmtKind, SymbolId, Type, Unit};
use std::collections::BTreeSet;

/// Declares indices where their lives begin.
pub(in crate::frontend::c::normalise) fn part(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    // What loops count, or compare, has its value from turns.
    let (mut labels, mut set, mut heads) = (false, BTreeSet::new(), BTreeSet::new());
    for stmt in statements.iter() {
        visit::statements(stmt, &mut |stmt| {
            labels |= matches!(
                stmt.kind,
                StmtKind::Unsupported("label" | "case" | "default" | "switch" | "do" | "asm")
                    | StmtKind::Return(_)
            );
            if let StmtKind::For {
                init: Some(init), ..
            } = &stmt.kind
            {
                set.extend(facts::set_first(init));
            }
            heads.extend(inductions::step(stmt).map(|step| step.symbol));
            if let StmtKind::For {
                condition: Some(condition),
                ..
            }
            | StmtKind::While { condition, .. } = &stmt.kind
            {
                let names = changes::names(condition);
                heads.extend(changed_in(unit, stmt).iter().filter(|s| names.contains(s)));
            }
        });
    }
    if labels {
        return;
    }
    let function = unit.regions[number].function;
    let mut indices = indices(unit, statements);
    indices.retain(|symbol| {
        (is_pointer(unit, *symbol)
            || facts::integer_kind(unit, *symbol).is_some() && !heads.contains(symbol))
            && !set.contains(symbol)
            && dead::is_own(unit, function, *symbol)
            && !statements
                .iter()
                .any(|s| tree::is_in_types(unit, s, *symbol))
            && !unit.regions[number]
                .edges
                .moves
                .iter()
                .any(|one| one.counter == Some(*symbol))
    });
    for symbol in indices {
        let mut lives = Lives {
            unit,
            number,
            symbol,
        };
        if lives.is_from_outside(statements) {
            lives.begin(statements);
        } else {
            lives.again(statements);
        }
    }
}

/// One variable.
struct Lives<'u> {
    unit: &'u mut Unit,
    number: usize,
    symbol: SymbolId,
}

impl Lives<'_> {
    /// Whether the function declares the variable outside of the region, or the region in a list around
    /// those that set it, and nothing but these reads it.
    fn is_from_outside(&self, statements: &[Stmt]) -> bool {
        let unit = &*self.unit;
        let region = &unit.regions[self.number];
        if matches!(unit.symbols[self.symbol].scope, Scope::Region(_)) {
            return false;
        }
        let body = &unit.functions[region.function].body;
        let point = Point::Part {
            start: region.span.start,
            end: region.span.end,
        };
        let settles = match is_pointer(unit, self.symbol) {
            // Those that are set in one place are followed from there, but for null ones.
            true => {
                let values = self.assigned(statements, true);
                values.len() > 1
                    || values.iter().any(
                        |v| matches!(&v.kind, ExprKind::Conditional(_, a, b) if is_null(a) || is_null(b)),
                    )
            }
            false => !self.is_data(statements),
        };
        settles
            && read_after(unit, body, point, self.symbol).is_none()
            && self.is_set_first(statements)
    }

    /// Whether the variable is set to what is in memory, which nobody follows into subscripts but where it
    /// stays.
    fn is_data(&self, statements: &[Stmt]) -> bool {
        let elements = Elements::of(self.unit, statements);
        self.assigned(statements, false).into_iter().any(|value| {
            let mut data = false;
            visit::walk(value, &mut |e| {
                data |= matches!(e.kind, ExprKind::Subscript(..) | ExprKind::Dereference(_))
                    && elements.parameter(self.unit, e).is_none();
            });
            data
        })
    }

    /// What the variable is assigned; `plain`: by `=` alone.
    fn assigned<'s>(&'s self, statements: &'s [Stmt], plain: bool) -> Vec<&'s Expr> {
        let mut values = Vec::new();
        for stmt in statements {
            visit::expressions(self.unit, stmt, &mut |top| {
                visit::walk(top, &mut |e| {
                    if let ExprKind::Assign(op, target, value) = &e.kind
                        && target.kind == ExprKind::Name(self.symbol)
                        && !(plain && op.is_some())
                    {
                        values.push(&**value);
                    }
                });
            });
        }
        values
    }

    fn names(&self, stmt: &Stmt) -> bool {
        visit::stmt_mentions(self.unit, stmt, self.symbol)
    }

    /// Whether every list below that names the variable, or one around it, sets it before it reads it.
    fn is_set_first(&self, list: &[Stmt]) -> bool {
        let mut named = list.iter().filter(|stmt| self.names(stmt));
        match named.clone().next() {
            None => true,
            Some(first) if self.sets(first) => true,
            Some(_) => named.all(|stmt| match &stmt.kind {
                StmtKind::Block(list) => self.is_set_first(list),
                StmtKind::For {
                    init,
                    condition,
                    step,
                    body,
                } => {
                    !init.iter().any(|init| self.names(init))
                        && !condition
                            .iter()
                            .chain(step)
                            .any(|e| visit::mentions(e, self.symbol))
                        && self.is_set_first(one(body))
                }
                StmtKind::While { condition, body } => {
                    !visit::mentions(condition, self.symbol) && self.is_set_first(one(body))
                }
                StmtKind::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    !visit::mentions(condition, self.symbol)
                        && self.is_set_first(one(then))
                        && otherwise.as_ref().is_none_or(|o| self.is_set_first(one(o)))
                }
                _ => false,
            }),
        }
    }

    /// Whether a statement certainly sets the variable before it reads it.
    fn sets(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Expression(_) => self.value(stmt).is_some(),
            StmtKind::If { .. } => {
                first(self.unit, stmt, self.symbol, Jumps::default()) == First::Break(None)
            }
            _ => false,
        }
    }

    /// What an assignment sets the variable to.
    fn value<'s>(&self, stmt: &'s Stmt) -> Option<&'s Expr> {
        match &stmt.kind {
            StmtKind::Expression(Expr {
                kind: ExprKind::Assign(None, target, value),
                ..
            }) if target.kind == ExprKind::Name(self.symbol) => {
                let plain = is_free(value) && !visit::mentions(value, self.symbol);
                plain.then_some(&**value)
            }
            _ => None,
        }
    }

    /// Declares the variable where lists set it first.
    fn begin(&mut self, list: &mut Vec<Stmt>) {
        let Some(at) = list.iter().position(|stmt| self.names(stmt)) else {
            return;
        };
        if !self.sets(&list[at]) {
            for stmt in list {
                match &mut stmt.kind {
                    StmtKind::Block(list) => self.begin(list),
                    StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                        self.begin_in(body);
                    }
                    StmtKind::If {
                        then, otherwise, ..
                    } => {
                        self.begin_in(then);
                        if let Some(otherwise) = otherwise {
                            self.begin_in(otherwise);
                        }
                    }
                    _ => {}
                }
            }
            return;
        }
        let span = list[at].span;
        let value = self.value(&list[at]).cloned();
        let is_value = value.is_some();
        let own = build::declared(self.unit, self.number, self.symbol, value, span);
        self.rename(&mut list[at..], own);
        let declared = build::declaration(own, span);
        match is_value {
            true => list[at] = declared,
            false => list.insert(at, declared),
        }
        let outer = std::mem::replace(&mut self.symbol, own);
        self.again(list);
        self.symbol = outer;
    }

    fn begin_in(&mut self, body: &mut Stmt) {
        if let StmtKind::Block(list) = &mut body.kind {
            self.begin(list);
            return;
        }
        let mut list = vec![body.clone()];
        self.begin(&mut list);
        if list[..] != *one(body) {
            body.kind = StmtKind::Block(list);
        }
    }

    /// Parts the lives of a variable in the list that declares it, where it is set again there.
    fn again(&mut self, list: &mut [Stmt]) {
        let declared = StmtKind::Declaration(self.symbol);
        let Some(mut from) = list.iter().position(|stmt| stmt.kind == declared) else {
            for stmt in list {
                tree::statements_mut(stmt, &mut |stmt| {
                    if let StmtKind::Block(inner) = &mut stmt.kind
                        && inner.iter().any(|stmt| stmt.kind == declared)
                    {
                        self.again(inner);
                    }
                });
            }
            return;
        };
        if self.unit.symbols[self.symbol].is_static {
            return;
        }
        // One that has no value yet begins to live with its first one.
        let mut empty = None;
        if self.unit.symbols[self.symbol].initialiser.is_none() {
            empty = Some(from);
            let Some(next) = list[from + 1..].iter().position(|s| self.names(s)) else {
                return;
            };
            from += 1 + next;
            if self.value(&list[from]).is_none() {
                return;
            }
        }
        while let Some(next) = list[from + 1..]
            .iter()
            .position(|stmt| self.value(stmt).is_some())
        {
            let next = from + 1 + next;
            let span = list[from].span;
            let value = match list[from].kind == declared {
                true => self.unit.symbols[self.symbol].initialiser.take(),
                false => self.value(&list[from]).cloned(),
            };
            let own = build::declared(self.unit, self.number, self.symbol, value, span);
            let was_declared = list[from].kind == declared;
            list[from] = build::declaration(own, span);
            self.rename(&mut list[from + 1..next], own);
            // It is declared where the next life begins.
            if was_declared {
                let value = self.value(&list[next]).cloned();
                self.unit.symbols[self.symbol].initialiser = value;
                list[next].kind = declared.clone();
            }
            from = next;
        }
        if let Some(empty) = empty {
            let value = self.value(&list[from]).cloned();
            self.unit.symbols[self.symbol].initialiser = value;
            list[empty].kind = StmtKind::Empty;
            list[from].kind = declared;
        }
    }

    fn rename(&mut self, list: &mut [Stmt], own: SymbolId) {
        let span = self.unit.symbols[own].span;
        let name = build::name(own, span);
        for stmt in list {
            tree::replace(&mut self.unit.symbols, stmt, self.symbol, &name);
        }
    }
}

fn is_pointer(unit: &Unit, symbol: SymbolId) -> bool {
    matches!(unit.symbols[symbol].ctype, Type::Pointer { .. })
}

fn one(stmt: &Stmt) -> &[Stmt] {
    match &stmt.kind {
        StmtKind::Block(list) => list,
        _ => std::slice::from_ref(stmt),
    }
}
