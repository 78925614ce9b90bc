//! Statements inside expressions: GNU's `({ int a_ = (a); int b_ = (b); a_ > b_ ? a_ : b_; })`, and
//! what stands before a comma.
//!
//! Where an expression is evaluated in any case, they go in front of its statement, in their order.
//! What is evaluated at times only (behind `&&`, in a branch of `?:`), or again and again (in the
//! head of a loop), has no such place: there the variables of a statement expression that only
//! names values become these values. What can do neither is visible as something unsupported.
//!
//! C leaves open when the other operands of an expression are evaluated, and a program in which that
//! matters has no meaning, but where functions are called: an order of calls may not be chosen here.

use super::super::lower::calls::purity;
use super::super::lower::surroundings::visit;
use super::super::lower::values::types;
use super::super::syntax::{Expr, ExprKind, Sized, Stmt, StmtKind, SymbolId, Type, Unit};
use super::binder::Binder;
use crate::scop::ScalarKind;
use lang_c::ast::{BinaryOperator, BlockItem, Expression, Statement};
use lang_c::span::Node;
use std::collections::HashMap;

/// Up to this many expressions a value with values in place of variables may have where statements
/// could be in front of it; it is better to see through than variables are.
const SMALL: usize = 24;

/// The same where nothing can be in front.
const LARGE: usize = 400;

/// How deep calls are followed in the search for what they change.
const CALL_DEPTH: usize = 4;

/// Where what an expression does first can be.
#[derive(Debug, Default)]
pub(super) enum Front {
    /// Nowhere: the expression is evaluated at times only, or again and again.
    #[default]
    Nowhere,
    /// In front of the statement, behind these.
    Here(Vec<Stmt>),
    /// The expression is not evaluated: somebody asks for its type.
    Type,
}

impl Binder<'_> {
    /// An expression that a statement evaluates once, first of all; what it does before goes to
    /// `front`.
    pub(super) fn full(&mut self, node: &Node<Expression>, front: &mut Vec<Stmt>) -> Expr {
        match &node.node {
            Expression::Comma(parts) => {
                let Some((last, before)) = parts.split_last() else {
                    return self.expression(node);
                };
                for part in before {
                    let list = self.alone(part);
                    front.extend(list);
                }
                self.full(last, front)
            }
            Expression::Statement(inner) => {
                let (list, last) = self.opened(inner);
                front.extend(list);
                let value = match last {
                    Some(last) => {
                        let value = self.full(last, front);
                        self.held(value)
                    }
                    None => nothing(self.span(node.span)),
                };
                self.leave();
                value
            }
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::Assign
                    && matches!(binary.node.lhs.node, Expression::Identifier(_)) =>
            {
                let target = Box::new(self.expression(&binary.node.lhs));
                let value = Box::new(self.full(&binary.node.rhs, front));
                Expr {
                    kind: ExprKind::Assign(None, target, value),
                    span: self.span(node.span),
                }
            }
            _ => self.within(front, |binder| binder.expression(node)),
        }
    }

    /// `x = c ? a : b;` as two assignments under a condition, where `a` or `b` has no place for what it
    /// does first.
    pub(super) fn chosen(&mut self, node: &Node<Expression>, whole: &Expr) -> Option<StmtKind> {
        let ExprKind::Assign(op, target, value) = &whole.kind else {
            return None;
        };
        let ExprKind::Conditional(condition, a, b) = &value.kind else {
            return None;
        };
        let (Expression::BinaryOperator(assignment), true) =
            (&node.node, is_homeless(a) || is_homeless(b))
        else {
            return None;
        };
        let Expression::Conditional(choice) = &assignment.node.rhs.node else {
            return None;
        };
        if !self.ask(|unit| is_idle(unit, target)) {
            return None;
        }
        let mut sides = Vec::new();
        for branch in [&choice.node.then_expression, &choice.node.else_expression] {
            let mut front = Vec::new();
            let value = self.full(branch, &mut front);
            let kind = self.ask(|unit| types::scalar_kind(unit, &value))?;
            sides.push((front, value, kind));
        }
        let common = sides[0].2.common(sides[1].2);
        let mut side = || {
            let (front, value, kind) = sides.pop()?;
            let span = value.span;
            // Both have the type that they have in common.
            let value = match kind.promoted() == common {
                true => value,
                false => {
                    let kind = ExprKind::Cast(types::named(common), Box::new(value));
                    Expr { kind, span }
                }
            };
            let kind = ExprKind::Assign(*op, target.clone(), Box::new(value));
            let kind = StmtKind::Expression(Expr { kind, span });
            Some(Box::new(behind(front, Stmt { kind, span })))
        };
        let otherwise = side();
        Some(StmtKind::If {
            condition: (**condition).clone(),
            then: side()?,
            otherwise,
        })
    }

    /// What `convert` makes of parts of a statement that are evaluated once, first of all.
    pub(super) fn within(
        &mut self,
        front: &mut Vec<Stmt>,
        convert: impl FnOnce(&mut Self) -> Expr,
    ) -> Expr {
        let around = std::mem::replace(&mut self.front, Front::Here(Vec::new()));
        let value = convert(self);
        let Front::Here(list) = std::mem::replace(&mut self.front, around) else {
            return value;
        };
        if list.is_empty() || self.ask(|unit| is_ordered(unit, &list, &value)) {
            front.extend(list);
            return value;
        }
        self.hidden(list, Some(value.clone()), value.span)
    }

    /// The same with nothing in front.
    pub(super) fn lazily<T>(&mut self, convert: impl FnOnce(&mut Self) -> T) -> T {
        self.with_front(Front::Nowhere, convert)
    }

    /// The same for something that is not evaluated.
    pub(super) fn for_its_type<T>(&mut self, convert: impl FnOnce(&mut Self) -> T) -> T {
        self.with_front(Front::Type, convert)
    }

    fn with_front<T>(&mut self, front: Front, convert: impl FnOnce(&mut Self) -> T) -> T {
        // What has no evaluation has none inside.
        let front = match self.front {
            Front::Type => Front::Type,
            _ => front,
        };
        let around = std::mem::replace(&mut self.front, front);
        let done = convert(self);
        self.front = around;
        done
    }

    /// An expression as statements; none for one that does nothing.
    fn alone(&mut self, node: &Node<Expression>) -> Vec<Stmt> {
        let mut list = Vec::new();
        let span = self.span(node.span);
        let kind = self.evaluated(node, &mut list);
        match &kind {
            StmtKind::Expression(value) if self.ask(|unit| is_idle(unit, value)) => {}
            _ => list.push(Stmt { kind, span }),
        }
        list
    }

    /// `a, b` in the middle of an expression.
    pub(super) fn comma(&mut self, parts: &[Node<Expression>]) -> ExprKind {
        let Some((last, before)) = parts.split_last() else {
            return ExprKind::Comma(Vec::new());
        };
        match self.front {
            Front::Here(_) => {
                for part in before {
                    let list = self.lazily(|binder| binder.alone(part));
                    self.put_in_front(list);
                }
                self.expression(last).kind
            }
            Front::Type => self.expression(last).kind,
            Front::Nowhere => {
                let mut parts: Vec<Expr> = parts.iter().map(|p| self.expression(p)).collect();
                let before = parts.len() - 1;
                let idle = |unit: &Unit| parts[..before].iter().all(|p| is_idle(unit, p));
                match (self.ask(idle), parts.pop()) {
                    (true, Some(last)) => last.kind,
                    (_, last) => {
                        parts.extend(last);
                        ExprKind::Comma(parts)
                    }
                }
            }
        }
    }

    /// `({ … })` in the middle of an expression.
    pub(super) fn inner(&mut self, node: &Node<Statement>) -> Expr {
        let span = self.span(node.span);
        let (list, last) = self.opened(node);
        let (value, more) = match (last, &self.front) {
            (None, _) => (None, Vec::new()),
            (Some(last), Front::Here(_)) => {
                let around = std::mem::replace(&mut self.front, Front::Here(Vec::new()));
                let value = self.expression(last);
                match std::mem::replace(&mut self.front, around) {
                    Front::Here(more) => (Some(value), more),
                    _ => (Some(value), Vec::new()),
                }
            }
            (Some(last), _) => (Some(self.expression(last)), Vec::new()),
        };
        let value = value.map(|value| self.held(value));
        self.leave();
        let limit = match self.front {
            Front::Type => return value.unwrap_or(nothing(span)),
            Front::Here(_) => SMALL,
            Front::Nowhere => LARGE,
        };
        if let (Some(value), true) = (&value, more.is_empty())
            && let Some(value) = self.ask(|unit| seen_through(unit, &list, value, limit))
        {
            return value;
        }
        match self.front {
            Front::Here(_) => {
                self.put_in_front(list);
                self.put_in_front(more);
                value.unwrap_or(nothing(span))
            }
            _ => self.hidden(list, value, span),
        }
    }

    /// The value of a statement expression; one that is computed with 16 bits is what gcc rounds and
    /// clang does not, so that nothing can stand in its place.
    fn held(&mut self, value: Expr) -> Expr {
        let half = ScalarKind::F16;
        let computed = self.ask(|unit| {
            types::scalar_kind(unit, &value) == Some(half) && !types::is_held_as(unit, &value, half)
        });
        match computed {
            true => self.unsupported("statement expression", value.span, vec![value]),
            false => value,
        }
    }

    /// The statements of a statement expression but for its value, in a scope that stays open.
    fn opened<'t>(
        &mut self,
        node: &'t Node<Statement>,
    ) -> (Vec<Stmt>, Option<&'t Node<Expression>>) {
        self.enter();
        let mut list = Vec::new();
        let Statement::Compound(items) = &node.node else {
            let inner = self.lazily(|binder| binder.statement(node));
            return (inner.into_iter().collect(), None);
        };
        let last = items.last().and_then(|item| match &item.node {
            BlockItem::Statement(statement) => match &statement.node {
                Statement::Expression(Some(value)) => Some(&**value),
                _ => None,
            },
            _ => None,
        });
        let before = &items[..items.len() - usize::from(last.is_some())];
        let block = self.blocks;
        self.blocks += 1;
        let mut from = node.span.start;
        for item in before {
            from = self.lazily(|binder| binder.block_item(item, block, from, &mut list));
        }
        (list, last)
    }

    fn put_in_front(&mut self, list: Vec<Stmt>) {
        if let Front::Here(front) = &mut self.front {
            front.extend(list);
        }
    }

    /// What stays as it is written: nothing in it is hidden.
    fn hidden(&mut self, list: Vec<Stmt>, value: Option<Expr>, span: crate::source::Span) -> Expr {
        let mut operands = vec![];
        for stmt in list {
            super::expressions::expressions_of(stmt, &self.symbols, &mut operands);
        }
        operands.extend(value);
        self.unsupported("statement expression", span, operands)
    }

    /// Asks something of what the file has so far.
    pub(super) fn ask<T>(&mut self, what: impl FnOnce(&Unit) -> T) -> T {
        let unit = Unit {
            symbols: std::mem::take(&mut self.symbols),
            tables: std::mem::take(&mut self.tables),
            functions: std::mem::take(&mut self.functions),
            declared: std::mem::take(&mut self.declared),
            regions: Vec::new(),
            divided: Vec::new(),
            labels: Default::default(),
        };
        let answer = what(&unit);
        self.symbols = unit.symbols;
        self.tables = unit.tables;
        self.functions = unit.functions;
        self.declared = unit.declared;
        answer
    }
}

/// A statement behind what it does first.
pub(super) fn behind(mut front: Vec<Stmt>, stmt: Stmt) -> Stmt {
    if front.is_empty() {
        return stmt;
    }
    let span = stmt.span;
    front.push(stmt);
    Stmt {
        kind: StmtKind::Block(front),
        span,
    }
}

/// Whether something in an expression would have to be in front of it.
fn is_homeless(expr: &Expr) -> bool {
    let mut homeless = false;
    visit::walk(expr, &mut |e| {
        homeless |= matches!(
            e.kind,
            ExprKind::Comma(_) | ExprKind::Unsupported("statement expression")
        );
    });
    homeless
}

/// `(void)0`
fn nothing(span: crate::source::Span) -> Expr {
    let zero = Expr {
        kind: ExprKind::Integer(0, "0".to_owned()),
        span,
    };
    Expr {
        kind: ExprKind::Cast(Type::Void, Box::new(zero)),
        span,
    }
}

/// The value with values in place of the variables that a list declares for them, where it does
/// nothing else.
fn seen_through(unit: &Unit, list: &[Stmt], value: &Expr, limit: usize) -> Option<Expr> {
    let mut values = HashMap::new();
    let put = |value: &Expr, values: &HashMap<SymbolId, Expr>| {
        let mut value = value.clone();
        let plain = is_idle(unit, &value) && put_values(&mut value, values);
        (plain && size(&value) <= limit).then_some(value)
    };
    for stmt in list {
        match &stmt.kind {
            StmtKind::Empty => {}
            StmtKind::Expression(value) if is_idle(unit, value) => {}
            StmtKind::Declaration(id) => {
                let symbol = &unit.symbols[*id];
                let Type::Scalar(scalar) = &symbol.ctype else {
                    return None;
                };
                let initial = symbol.initialiser.as_ref().filter(|_| !symbol.is_static)?;
                let same = types::is_held_as(unit, initial, scalar.kind);
                let mut initial = put(initial, &values)?;
                if !same {
                    let span = initial.span;
                    let kind = ExprKind::Cast(symbol.ctype.clone(), Box::new(initial));
                    initial = Expr { kind, span };
                }
                values.insert(*id, initial);
            }
            _ => return None,
        }
    }
    put(value, &values)
}

/// Puts values in the places of variables; whether nothing asks for more than their values.
fn put_values(expr: &mut Expr, values: &HashMap<SymbolId, Expr>) -> bool {
    match &mut expr.kind {
        ExprKind::Name(id) => {
            if let Some(value) = values.get(id) {
                *expr = value.clone();
            }
            true
        }
        ExprKind::SizeOf(Sized::Value(value), _) => {
            !values.keys().any(|&id| visit::mentions(value, id))
        }
        ExprKind::AddressOf(place) => !values.keys().any(|&id| visit::mentions(place, id)),
        ExprKind::Integer(..)
        | ExprKind::Literal(_)
        | ExprKind::Unknown(_)
        | ExprKind::SizeOf(..) => true,
        ExprKind::Field(a, _)
        | ExprKind::Arrow(a, _)
        | ExprKind::Dereference(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Cast(_, a) => put_values(a, values),
        ExprKind::Subscript(a, b) | ExprKind::Binary(_, a, b) => {
            put_values(a, values) && put_values(b, values)
        }
        ExprKind::Conditional(a, b, c) => [a, b, c].into_iter().all(|e| put_values(e, values)),
        ExprKind::Call(_, list) => list.iter_mut().all(|e| put_values(e, values)),
        _ => false,
    }
}

fn size(expr: &Expr) -> usize {
    let mut size = 0;
    visit::walk(expr, &mut |_| size += 1);
    size
}

/// Whether the evaluation of an expression changes nothing.
fn is_idle(unit: &Unit, expr: &Expr) -> bool {
    let mut idle = true;
    visit::walk(expr, &mut |e| {
        idle &= match &e.kind {
            ExprKind::Assign(..)
            | ExprKind::Increment { .. }
            | ExprKind::Unsupported(_)
            | ExprKind::Comma(_)
            | ExprKind::List(_) => false,
            ExprKind::Call(name, _) => is_quiet(unit, name, 0),
            _ => true,
        };
    });
    idle
}

/// Whether a call of a function changes nothing.
fn is_quiet(unit: &Unit, name: &str, depth: usize) -> bool {
    if purity::is_pure(unit, name) {
        return true;
    }
    let Some((index, function)) = purity::definition(unit, name).filter(|_| depth < CALL_DEPTH)
    else {
        return false;
    };
    let own = |place: &Expr| match &place.kind {
        ExprKind::Name(id) => {
            use super::super::syntax::Scope::{Function, Parameter};
            let symbol = &unit.symbols[*id];
            let scope = matches!(symbol.scope, Parameter(f) | Function(f) if f == index);
            scope && !symbol.is_static
        }
        _ => false,
    };
    let mut quiet = true;
    visit::statements(&function.body, &mut |stmt| {
        quiet &= !matches!(
            stmt.kind,
            StmtKind::Unsupported("asm" | "goto") | StmtKind::Exit(_) | StmtKind::Pragma(_)
        );
    });
    visit::expressions(unit, &function.body, &mut |top| {
        visit::walk(top, &mut |e| {
            quiet &= match &e.kind {
                ExprKind::Assign(_, place, _) | ExprKind::Increment { target: place, .. } => {
                    own(place)
                }
                ExprKind::Call(name, _) => is_quiet(unit, name, depth + 1),
                ExprKind::Unsupported(_) => false,
                _ => true,
            };
        });
    });
    quiet
}

/// Whether statements may be in front of what is left of their expression: no order of calls that
/// do something is chosen.
fn is_ordered(unit: &Unit, list: &[Stmt], value: &Expr) -> bool {
    let mut calls = false;
    let mut look = |e: &Expr| {
        calls |= match &e.kind {
            ExprKind::Call(name, _) => !is_quiet(unit, name, 0),
            ExprKind::Unsupported(what) => *what == "call through a pointer",
            _ => false,
        };
    };
    for stmt in list {
        visit::expressions(unit, stmt, &mut |top| visit::walk(top, &mut look));
    }
    // What gets the value, and a call that gets values, come last.
    let mut rest = value;
    loop {
        match &rest.kind {
            ExprKind::Assign(_, target, value) => {
                visit::walk(target, &mut look);
                rest = value;
            }
            ExprKind::Cast(_, value) => rest = value,
            ExprKind::Call(_, arguments) => {
                arguments.iter().for_each(|e| visit::walk(e, &mut look));
                break;
            }
            _ => {
                visit::walk(rest, &mut look);
                break;
            }
        }
    }
    !calls
}
