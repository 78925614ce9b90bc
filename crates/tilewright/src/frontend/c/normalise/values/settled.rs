//! Indices that get their value in several steps: `int xx = x + k; if (xx < 0) xx = 0;`.
//!
//! Where all that such a variable is made of stays while the statements run that make it, it is
//! declared where the last of them stands, with the value that it has behind them, `x + k < 0 ? 0 :
//! x + k`, which lowering follows into subscripts.

use crate::frontend::c::lower::surroundings::indices::indices;
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::normalise::arith::{Members, changed_in};
use crate::frontend::c::normalise::build;
use crate::frontend::c::normalise::dead;
use crate::frontend::c::normalise::tree;
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, StmtKind, SymbolId, Type, Unit};
use crate::scop::BinaryOp;
use std::collections::{BTreeMap, BTreeSet};

/// Values of more expressions than this are left as they are made.
const MOST: usize = 120;

/// Declares indices with the values that they end up with.
pub(in crate::frontend::c::normalise) fn settle(
    unit: &mut Unit,
    number: usize,
    statements: &mut Vec<Stmt>,
) {
    // What has its value at once has nothing to settle. To settle one variable takes away nothing that
    // gives another one a value.
    let steps = values_given(unit, statements);
    let several = |symbol: &SymbolId| steps.get(symbol).is_some_and(|&steps| steps > 1);
    let mut indices = indices(unit, statements);
    indices.retain(several);
    if indices.is_empty() {
        return;
    }
    let function = unit.regions[number].function;
    let mut settled = Settled {
        members: Members::changed_in(unit, statements),
        data: data(unit, statements),
        addressed: dead::addressed(unit, function),
        number,
        unit,
    };
    for symbol in indices {
        if settled.is_plain(symbol) {
            let done = settled.in_list(statements, symbol, steps[&symbol]);
            if done {
                settled.data.remove(&symbol);
            }
        }
    }
}

/// The variables that statements change other than by heads of loops.
fn data(unit: &Unit, statements: &[Stmt]) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    let mut heads = BTreeSet::new();
    for stmt in statements {
        visit::statements(stmt, &mut |stmt| {
            if let StmtKind::For {
                init: Some(init), ..
            } = &stmt.kind
            {
                heads.extend(facts::set_first(init));
            }
            for top in visit::own_expressions(unit, stmt) {
                visit::walk(top, &mut |e| {
                    if let Some(ExprKind::Name(symbol)) = facts::target(e).map(|t| &t.kind) {
                        found.insert(*symbol);
                    }
                });
            }
        });
    }
    &found - &heads
}

/// How often statements give variables a value.
fn values_given(unit: &Unit, statements: &[Stmt]) -> BTreeMap<SymbolId, usize> {
    let mut steps = BTreeMap::new();
    for stmt in statements {
        visit::statements(stmt, &mut |stmt| {
            if let StmtKind::Declaration(symbol) = stmt.kind
                && unit.symbols[symbol].initialiser.is_some()
            {
                *steps.entry(symbol).or_insert(0) += 1;
            }
            for top in visit::own_expressions(unit, stmt) {
                visit::walk(top, &mut |e| {
                    if let Some(ExprKind::Name(symbol)) = facts::target(e).map(|t| &t.kind) {
                        *steps.entry(*symbol).or_insert(0) += 1;
                    }
                });
            }
        });
    }
    steps
}

struct Settled<'a> {
    unit: &'a mut Unit,
    number: usize,
    members: Members,
    /// Variables that the function takes the address of.
    addressed: BTreeSet<SymbolId>,
    /// Variables that statements change other than by heads of loops.
    data: BTreeSet<SymbolId>,
}

impl Settled<'_> {
    /// Whether a variable is an integer that only its name leads to, and that lives in the region.
    fn is_plain(&self, symbol: SymbolId) -> bool {
        let own = &self.unit.symbols[symbol];
        let inside = own.scope == Scope::Region(self.number);
        facts::integer_kind(self.unit, symbol).is_some()
            && inside
            && !own.is_static
            && self.is_own(symbol)
    }

    /// Whether a variable is the function's own, seen through no pointer ([`dead::is_own`]).
    fn is_own(&self, symbol: SymbolId) -> bool {
        let own = &self.unit.symbols[symbol];
        own.scope != Scope::File && !own.is_static && !self.addressed.contains(&symbol)
    }

    fn initial(&self, symbol: SymbolId) -> Option<&Expr> {
        self.unit.symbols[symbol].initialiser.as_ref()
    }

    /// Settles a variable in the list that declares it; whether that is done.
    fn in_list(&mut self, list: &mut Vec<Stmt>, symbol: SymbolId, steps: usize) -> bool {
        let declared = list
            .iter()
            .position(|stmt| stmt.kind == StmtKind::Declaration(symbol));
        let Some(at) = declared else {
            return list.iter_mut().any(|stmt| {
                let mut done = false;
                tree::statements_mut(stmt, &mut |stmt| {
                    if let StmtKind::Block(inner) = &mut stmt.kind
                        && !done
                        && inner
                            .iter()
                            .any(|s| s.kind == StmtKind::Declaration(symbol))
                    {
                        done = self.in_list(inner, symbol, steps);
                    }
                });
                done
            });
        };
        let Some((value, taken)) = self.value_behind(&list[at..], symbol, steps) else {
            return false;
        };
        self.unit.symbols[symbol].initialiser = Some(value);
        let last = at + taken.last().copied().unwrap_or(0);
        list[last] = build::declaration(symbol, list[at].span);
        let mut position = 0;
        list.retain(|_| {
            position += 1;
            let own = position - 1;
            own == last || own != at && !taken.contains(&own.wrapping_sub(at))
        });
        true
    }

    /// The value of a variable behind the last statement that changes it, and these statements, in a
    /// list that its declaration begins.
    fn value_behind(
        &self,
        list: &[Stmt],
        symbol: SymbolId,
        mut steps: usize,
    ) -> Option<(Expr, Vec<usize>)> {
        let mut value = self.initial(symbol).cloned();
        if let Some(value) = &mut value {
            steps -= 1;
            *value = self.converted(symbol, value.clone());
        }
        let mut taken = Vec::new();
        let mut changed: BTreeSet<SymbolId> = BTreeSet::new();
        for (position, stmt) in list.iter().enumerate().skip(1) {
            if steps == 0 {
                break;
            }
            let sets = values_given(self.unit, std::slice::from_ref(stmt));
            let sets = sets.get(&symbol).copied().unwrap_or(0);
            if sets > 0 {
                value = Some(self.behind(stmt, symbol, value.as_ref())?);
                steps -= sets;
                taken.push(position);
            } else {
                let named = visit::stmt_mentions(self.unit, stmt, symbol)
                    || tree::is_in_types(self.unit, stmt, symbol);
                if named || visit::is_reached(stmt) {
                    return None;
                }
                if !matches!(stmt.kind, StmtKind::Declaration(_)) {
                    changed.extend(changed_in(self.unit, stmt));
                }
            }
        }
        let value = value.filter(|value| steps == 0 && self.stays(value, &changed))?;
        (tree::size(&value) <= MOST).then_some((value, taken))
    }

    /// A value in the type of a variable.
    fn converted(&self, symbol: SymbolId, value: Expr) -> Expr {
        let span = value.span;
        match &self.unit.symbols[symbol].ctype {
            Type::Scalar(to) if !types::is_held_as(self.unit, &value, to.kind) => {
                build::expression(
                    ExprKind::Cast(Type::Scalar(to.clone()), Box::new(value)),
                    span,
                )
            }
            _ => value,
        }
    }

    /// What a variable with this value holds behind a statement that does nothing but change it.
    fn behind(&self, stmt: &Stmt, symbol: SymbolId, value: Option<&Expr>) -> Option<Expr> {
        let with = |expr: &Expr| -> Option<Expr> {
            let mut expr = expr.clone();
            if tree::mentions(&expr, symbol) > 0 {
                tree::replace_in(&mut expr, symbol, value?);
            }
            (tree::is_stable(&expr) && tree::size(&expr) <= MOST).then_some(expr)
        };
        match &stmt.kind {
            StmtKind::Expression(expr) => {
                let (op, by) = match &expr.kind {
                    ExprKind::Assign(op, target, by) if target.kind == ExprKind::Name(symbol) => {
                        (*op, (**by).clone())
                    }
                    ExprKind::Increment { target, by, .. }
                        if target.kind == ExprKind::Name(symbol) =>
                    {
                        (Some(BinaryOp::Add), build::integer(*by, expr.span))
                    }
                    _ => return None,
                };
                let by = with(&by)?;
                let new = match op {
                    None => by,
                    Some(op) => build::binary(op, value?.clone(), by),
                };
                Some(self.converted(symbol, new))
            }
            StmtKind::Block(list) => {
                let mut value = value.cloned();
                for stmt in list {
                    value = Some(self.behind(stmt, symbol, value.as_ref())?);
                }
                value
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = with(condition)?;
                let then = self.behind(then, symbol, value)?;
                let otherwise = match otherwise {
                    Some(otherwise) => self.behind(otherwise, symbol, value)?,
                    None => value?.clone(),
                };
                let (a, b, c) = (Box::new(condition), Box::new(then), Box::new(otherwise));
                Some(build::expression(ExprKind::Conditional(a, b, c), stmt.span))
            }
            StmtKind::Empty => value.cloned(),
            _ => None,
        }
    }

    /// Whether a value is the same before and behind statements that change these variables.
    fn stays(&self, value: &Expr, changed: &BTreeSet<SymbolId>) -> bool {
        let mut stays = tree::is_stable(value) && !self.members.change(value);
        visit::walk(value, &mut |e| {
            if let ExprKind::Name(symbol) = e.kind {
                let own = &self.unit.symbols[symbol];
                stays &= !changed.contains(&symbol)
                    && !self.data.contains(&symbol)
                    && (own.is_const || self.is_own(symbol));
            }
        });
        stays
    }
}
