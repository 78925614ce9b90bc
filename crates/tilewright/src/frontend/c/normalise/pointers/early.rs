//! Pointers that the end of a loop's body sets for the next iteration: set at its beginning.
//!
//! `p = a; while (n > 0) { …*p++…; k++; p = a + k; n--; }` becomes `while (n > 0) { p = a + k; …*p++…; k++;
//! n--; }`, as each iteration then begins with what it uses, which is followed to an array. The first one
//! does, too, if the value is the one that the pointer has in front of the loop; that is shown here from
//! what variables were set to on the way, or the loop stays. Nobody may read the pointer behind it.

use super::cursors::{assignments, points};
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::arith::{Members, changed_in};
use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::front;
use crate::frontend::c::normalise::loops::inductions;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::scop::linear::LinearForm;
use crate::scop::{BinaryOp, UnaryOp};
use std::collections::HashMap;

/// How deep values are made of values.
const DEPTH: usize = 16;

/// Numbers that are the same in whatever integer type they are computed.
const FITS: std::ops::RangeInclusive<i64> = 0..=0x7fff_ffff;

/// What variables hold.
type Known = HashMap<SymbolId, Expr>;

/// Sets pointers where iterations begin.
pub(in crate::frontend::c::normalise) fn set(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    let function = unit.regions[number].function;
    let members = Members::changed_in(unit, std::slice::from_ref(&unit.functions[function].body));
    let mut early = Early {
        unit,
        function,
        members,
    };
    let mut known = Known::new();
    for stmt in front::way(unit, number) {
        early.note(stmt, &mut known);
    }
    early.list(statements, known);
    statements.retain(|stmt| stmt.kind != StmtKind::Empty);
}

struct Early<'u> {
    unit: &'u Unit,
    function: usize,
    /// What the function may change beside variables.
    members: Members,
}

impl Early<'_> {
    fn list(&mut self, list: &mut [Stmt], mut known: Known) {
        let mut position = 0;
        while position < list.len() {
            while let Some((symbol, moved)) = self.moved(&list[position], &known) {
                list[position] = moved;
                // What was set for the first iteration nobody reads.
                let before = list[..position]
                    .iter()
                    .rposition(|s| self.mentions(s, symbol));
                if let Some(before) = before
                    && set_to(&list[before]).is_some_and(|(set, _)| set == symbol)
                {
                    list[before].kind = StmtKind::Empty;
                }
            }
            let stmt = &mut list[position];
            let changed = changed_in(self.unit, stmt);
            let mut inside = known.clone();
            if matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. }) {
                forget(&mut inside, &changed);
            }
            match &mut stmt.kind {
                StmtKind::Block(inner) => self.list(inner, inside),
                StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                    self.body(body, inside);
                }
                StmtKind::If {
                    then, otherwise, ..
                } => {
                    self.body(then, inside.clone());
                    if let Some(otherwise) = otherwise {
                        self.body(otherwise, inside);
                    }
                }
                _ => {}
            }
            self.note(&list[position], &mut known);
            position += 1;
        }
    }

    /// Notes what a statement sets, and forgets what it changes.
    fn note(&self, stmt: &Stmt, known: &mut Known) {
        forget(known, &changed_in(self.unit, stmt));
        if let Some((symbol, value)) = set_to(stmt).or_else(|| self.declared(stmt))
            && self.is_value(symbol, value)
        {
            known.insert(symbol, value.clone());
        }
    }

    fn body(&mut self, body: &mut Stmt, known: Known) {
        if let StmtKind::Block(list) = &mut body.kind {
            self.list(list, known);
        }
    }

    fn declared<'s>(&'s self, stmt: &Stmt) -> Option<(SymbolId, &'s Expr)> {
        let StmtKind::Declaration(symbol) = stmt.kind else {
            return None;
        };
        let own = &self.unit.symbols[symbol];
        let value = own.initialiser.as_ref().filter(|_| !own.is_static);
        value.map(|value| (symbol, value))
    }

    /// Whether a variable is known to hold a value from where it is set to it, until one of the
    /// variables in the value changes.
    fn is_value(&self, symbol: SymbolId, value: &Expr) -> bool {
        let own = |symbol: SymbolId| dead::is_own(self.unit, self.function, symbol);
        let same = match (&self.unit.symbols[symbol].ctype, &value.kind) {
            (Type::Scalar(ctype), ExprKind::Integer(number, _)) => {
                !ctype.kind.is_float() && FITS.contains(number) && ctype.kind.bytes() >= 4
            }
            (Type::Scalar(ctype), _) => types::scalar_kind(self.unit, value)
                .is_some_and(|kind| types::contains(ctype.kind, kind)),
            (Type::Pointer { target, .. }, _) => {
                types::place_type(self.unit, value).and_then(types::pointee) == Some(&**target)
            }
            _ => false,
        };
        let mut plain = same && own(symbol) && self.is_plain(value);
        visit::walk(value, &mut |e| {
            if let ExprKind::Name(other) = e.kind {
                plain &= other != symbol && own(other);
            }
        });
        plain
    }

    /// Whether a value is computed from variables, numbers and members that nothing in the function
    /// changes.
    fn is_plain(&self, value: &Expr) -> bool {
        let mut plain = tree::is_pure(value) && !self.members.change(value);
        visit::walk(value, &mut |e| {
            plain &= matches!(
                e.kind,
                ExprKind::Name(_)
                    | ExprKind::Integer(..)
                    | ExprKind::Unary(..)
                    | ExprKind::Binary(..)
                    | ExprKind::Cast(..)
                    | ExprKind::Field(..)
                    | ExprKind::Arrow(..)
            );
        });
        plain
    }

    fn mentions(&self, stmt: &Stmt, symbol: SymbolId) -> bool {
        let mut found = false;
        visit::expressions(self.unit, stmt, &mut |top| {
            found |= visit::mentions(top, symbol);
        });
        found
    }

    /// A loop in which a pointer is set where iterations begin, and the pointer; `None` for others.
    fn moved(&self, stmt: &Stmt, known: &Known) -> Option<(SymbolId, Stmt)> {
        let (StmtKind::For { body, .. } | StmtKind::While { body, .. }) = &stmt.kind else {
            return None;
        };
        let StmtKind::Block(list) = &body.kind else {
            return None;
        };
        let list = flat(list);
        (0..list.len()).rev().find_map(|at| {
            let (symbol, _) = set_to(&list[at])?;
            let value = self.at_the_beginning(stmt, &list, at, known)?;
            let mut list = list.clone();
            let span = list.remove(at).span;
            let assignment = build::assign(build::name(symbol, span), value);
            list.insert(0, tree::statement(assignment));
            let mut new = stmt.clone();
            if let StmtKind::For { body, .. } | StmtKind::While { body, .. } = &mut new.kind {
                body.kind = StmtKind::Block(list);
            }
            Some((symbol, new))
        })
    }

    /// The value that the statement at this place of a body gives a pointer, in terms of what variables
    /// hold where the next iteration begins; `None` where the first one would begin with another one.
    fn at_the_beginning(
        &self,
        stmt: &Stmt,
        list: &[Stmt],
        at: usize,
        known: &Known,
    ) -> Option<Expr> {
        let unit = self.unit;
        let (symbol, value) = set_to(&list[at])?;
        let pointer = matches!(unit.symbols[symbol].ctype, Type::Pointer { .. });
        let dead = || dead::is_dead(unit, self.function, stmt.span, symbol);
        if !pointer || visit::mentions(value, symbol) || !self.is_plain(value) || !dead() {
            return None;
        }
        // What the body declares is not there yet where it begins.
        let mut declares = false;
        for stmt in list {
            visit::statements(stmt, &mut |s| {
                if let StmtKind::Declaration(own) = s.kind {
                    declares |= own == symbol || visit::mentions(value, own);
                }
            });
        }
        if declares {
            return None;
        }
        let first = list.iter().position(|s| self.mentions(s, symbol))?;
        if first == at || set_to(&list[first]).is_some_and(|(set, _)| set == symbol) {
            return None;
        }
        let mut known = known.clone();
        let mut behind = list[at + 1..].to_vec();
        let condition = match &stmt.kind {
            StmtKind::For {
                init,
                condition,
                step,
                ..
            } => {
                match init.as_deref().filter(|init| init.kind != StmtKind::Empty) {
                    None => {}
                    // It would read what is set in front of the loop.
                    Some(init) if self.mentions(init, symbol) => return None,
                    Some(init) => {
                        let (counter, first) = set_to(init).or_else(|| self.declared(init))?;
                        forget(&mut known, &[counter]);
                        if self.is_value(counter, first) {
                            known.insert(counter, first.clone());
                        }
                    }
                }
                behind.extend(step.clone().map(tree::statement));
                condition.as_ref()
            }
            StmtKind::While { condition, .. } => Some(condition),
            _ => None,
        };
        if condition.is_some_and(|condition| visit::mentions(condition, symbol)) {
            return None;
        }
        let mut next = value.clone();
        for stmt in &behind {
            self.pass(stmt, symbol, value, &mut next)?;
        }
        let here = self.pointer(&build::name(symbol, list[at].span), &known, DEPTH)?;
        let there = self.pointer(&next, &known, DEPTH)?;
        (visit::same(&here.0, &there.0) && here.1 == there.1).then_some(next)
    }

    /// Passes a statement between where the value is computed and where the next iteration begins:
    /// variables in it that are stepped were less by so much.
    fn pass(&self, stmt: &Stmt, symbol: SymbolId, value: &Expr, next: &mut Expr) -> Option<()> {
        let mut goes_on = !self.mentions(stmt, symbol);
        visit::statements(stmt, &mut |s| {
            goes_on &= match s.kind {
                StmtKind::Unsupported(word) => word == "break",
                StmtKind::Return(_) | StmtKind::Exit(_) | StmtKind::Original(_) => false,
                _ => true,
            };
        });
        let changed = changed_in(self.unit, stmt);
        let found = changed.iter().filter(|&&name| visit::mentions(value, name));
        let found: Vec<SymbolId> = found.copied().collect();
        match (goes_on, &found[..]) {
            (false, _) => None,
            (true, []) => Some(()),
            (true, &[name]) => {
                let step = inductions::step(stmt).filter(|step| step.symbol == name)?;
                let by = step.constant().filter(|by| by.abs() < 1 << 16)?;
                let Type::Scalar(ctype) = &self.unit.symbols[name].ctype else {
                    return None;
                };
                if ctype.kind.is_float() {
                    return None;
                }
                let (op, by) = match by < 0 {
                    true => (BinaryOp::Add, -by),
                    false => (BinaryOp::Sub, by),
                };
                let span = value.span;
                let old = build::binary(op, build::name(name, span), build::integer(by, span));
                let old = ExprKind::Cast(Type::Scalar(ctype.clone()), Box::new(old));
                tree::replace_in(next, name, &build::expression(old, span));
                Some(())
            }
            _ => None,
        }
    }

    /// A pointer as another one, and how many elements are between them.
    fn pointer(&self, expr: &Expr, known: &Known, depth: usize) -> Option<(Expr, i64)> {
        let depth = depth.checked_sub(1)?;
        match &expr.kind {
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b)
                if points(self.unit, a) && !points(self.unit, b) =>
            {
                let (root, offset) = self.pointer(a, known, depth)?;
                let by = self.number(b, known, depth)?;
                let offset = match op {
                    BinaryOp::Add => offset.checked_add(by)?,
                    _ => offset.checked_sub(by)?,
                };
                Some((root, offset))
            }
            ExprKind::Name(symbol) => match known.get(symbol).or_else(|| self.held(*symbol)) {
                Some(value) => self.pointer(value, known, depth),
                None => Some((expr.clone(), 0)),
            },
            ExprKind::Field(..) | ExprKind::Arrow(..) if self.is_plain(expr) => {
                Some((expr.clone(), 0))
            }
            _ => None,
        }
    }

    /// What a pointer of the function's holds for as long as the function runs.
    fn held(&self, symbol: SymbolId) -> Option<&Expr> {
        let unit = self.unit;
        let value = unit.symbols[symbol].initialiser.as_ref()?;
        let body = std::slice::from_ref(&unit.functions[self.function].body);
        let stays = |symbol: SymbolId| assignments(unit, body, symbol) == 0;
        let mut fixed = self.is_value(symbol, value) && stays(symbol);
        visit::walk(value, &mut |e| {
            if let ExprKind::Name(other) = e.kind {
                fixed &= stays(other);
            }
        });
        fixed.then_some(value)
    }

    /// A number that does not depend on what nobody knows.
    fn number(&self, expr: &Expr, known: &Known, depth: usize) -> Option<i64> {
        let number = self.linear(expr, known, depth)?.as_number()?;
        FITS.contains(&number).then_some(number)
    }

    fn linear(&self, expr: &Expr, known: &Known, depth: usize) -> Option<LinearForm<SymbolId>> {
        let depth = depth.checked_sub(1)?;
        let kind = types::scalar_kind(self.unit, expr)?.promoted();
        // What is computed in another type is a number there, or a variable.
        let operand = |e: &Expr| {
            let form = self.linear(e, known, depth)?;
            let own = types::scalar_kind(self.unit, e)?.promoted();
            let alike = own == kind || matches!(e.kind, ExprKind::Name(_));
            let fits = || {
                form.as_number()
                    .is_some_and(|number| FITS.contains(&number))
            };
            (alike || fits()).then_some(form)
        };
        match &expr.kind {
            ExprKind::Integer(number, _) => Some(LinearForm::number(*number)),
            ExprKind::Name(symbol) => {
                let value = known.get(symbol);
                let value = value.and_then(|value| self.linear(value, known, depth));
                value.or_else(|| Some(LinearForm::var(*symbol)))
            }
            ExprKind::Unary(UnaryOp::Plus, a) => operand(a),
            ExprKind::Unary(UnaryOp::Minus, a) => operand(a)?.times(-1),
            ExprKind::Binary(BinaryOp::Add, a, b) => operand(a)?.plus(&operand(b)?),
            ExprKind::Binary(BinaryOp::Sub, a, b) => operand(a)?.minus(&operand(b)?),
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                let (a, b) = (operand(a)?, operand(b)?);
                match (a.as_number(), b.as_number()) {
                    (Some(0), _) | (_, Some(0)) => Some(LinearForm::number(0)),
                    (Some(by), _) => b.times(by),
                    (_, Some(by)) => a.times(by),
                    _ => None,
                }
            }
            ExprKind::Cast(Type::Scalar(to), a) => {
                let form = operand(a)?;
                let from = types::scalar_kind(self.unit, a)?;
                let fits = form.as_number().is_some_and(|number| {
                    let range = types::range(to.kind);
                    let number = i128::from(number);
                    range.is_some_and(|(low, high)| low <= number && number <= high)
                });
                (fits || types::contains(to.kind, from)).then_some(form)
            }
            _ => None,
        }
    }
}

/// The statements of a loop's body, those of blocks in it among them.
fn flat(list: &[Stmt]) -> Vec<Stmt> {
    let mut all = Vec::new();
    for stmt in list {
        match &stmt.kind {
            StmtKind::Block(inner)
                if !matches!(
                    inner.first().map(|s| &s.kind),
                    Some(StmtKind::Unsupported(_))
                ) =>
            {
                all.extend(flat(inner));
            }
            _ => all.push(stmt.clone()),
        }
    }
    all
}

/// The variable that a statement sets, and to what.
fn set_to(stmt: &Stmt) -> Option<(SymbolId, &Expr)> {
    let StmtKind::Expression(expr) = &stmt.kind else {
        return None;
    };
    match &expr.kind {
        ExprKind::Assign(None, target, value) => match target.kind {
            ExprKind::Name(symbol) => Some((symbol, value)),
            _ => None,
        },
        _ => None,
    }
}

/// Forgets what is no longer so.
fn forget(known: &mut Known, changed: &[SymbolId]) {
    known.retain(|symbol, value| {
        !changed.contains(symbol) && !changed.iter().any(|&other| visit::mentions(value, other))
    });
}
