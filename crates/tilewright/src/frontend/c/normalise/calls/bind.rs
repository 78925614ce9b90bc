//! What parameters become at a call.

use std::rc::Rc;

use super::super::build;
use super::super::tree::size;
use super::effects::{self, Writes};
use super::exchange;
use super::pointers;
use super::substitute::{self, Map};
use super::template::{Template, converted};
use super::{Inliner, MAX_SIZE};
use crate::frontend::c::lower::calls::{hidden, purity};
use crate::frontend::c::lower::memory::allocation::is_null;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Scope, Stmt, StmtKind, SymbolId, Type};
use crate::scop::{ScalarKind, ScalarType};
use crate::source::Span;

/// How large an argument may be that is computed wherever its parameter is named.
const MAX_ARGUMENT: usize = 12;

/// How large all of them may be together, where there is no place for a variable.
const MAX_COPIES: usize = 200;

impl Inliner<'_> {
    /// Puts a function's body behind `front`; its value, where it has one. `None` where it has to be
    /// called; then nothing is in front that was not.
    pub(super) fn call(
        &mut self,
        name: &str,
        arguments: &[Expr],
        span: Span,
        front: Option<&mut Vec<Stmt>>,
    ) -> Option<Option<Expr>> {
        if self.exchanges && !exchange::may_be(self.unit, name) {
            return None;
        }
        let template = self.template(name)?;
        let room = self.size + template.size <= MAX_SIZE;
        let fits = arguments.len() == template.parameters.len();
        let place = front.is_some() || template.body.is_empty();
        let wanted = !self.exchanges || template.exchanges;
        if !room || !fits || !place || !wanted || !self.has_meaning(&template, span) {
            return None;
        }
        if !arguments.iter().all(effects::is_free) {
            return None;
        }
        let mut writes = template.writes.clone();
        // A pointer of its own leads where any of them does.
        let any = |symbol: &SymbolId| !template.parameters.contains(symbol);
        let by_own = writes.through.iter().any(any);
        for (parameter, argument) in template.parameters.iter().zip(arguments) {
            let leads = types::pointee(&self.unit.symbols[*parameter].ctype).is_some();
            if writes.through.contains(parameter) || by_own && leads {
                writes.through(argument);
            }
        }
        if template.is_one_step() {
            writes = Writes {
                own: writes.own,
                ..Writes::default()
            };
        }
        let mut declared = Vec::new();
        let mut map = Map::new();
        for (&parameter, argument) in template.parameters.iter().zip(arguments) {
            let hoisted = front.is_some().then_some(&mut declared);
            let value = self.argument(&template, &writes, parameter, argument, span, hoisted)?;
            map.insert(parameter, value);
        }
        let body = self.copies(&template.body, &mut map, span)?;
        let value = match &template.result {
            Some(value) => Some(substitute::expression(self.unit, value, &map, span)?),
            None => None,
        };
        self.size += template.size;
        if let Some(front) = front {
            front.extend(declared);
            front.extend(body);
        }
        Some(value)
    }

    /// Whether the names in a body mean the same at a place of the function around the region.
    fn has_meaning(&self, template: &Rc<Template>, span: Span) -> bool {
        if !self.open.is_empty() {
            return true;
        }
        let mut same = true;
        let mut look = |top: &Expr| {
            visit::walk(top, &mut |e| match &e.kind {
                ExprKind::Name(symbol) => {
                    let s = &self.unit.symbols[*symbol];
                    let visible = s.span.start < span.start && !self.local.contains(&s.name);
                    same &= s.scope != Scope::File || visible;
                }
                ExprKind::Call(name, _) => {
                    let later = purity::definition(self.unit, name)
                        .is_some_and(|(_, f)| f.span.start > span.start);
                    same &= !later && !self.local.contains(name);
                }
                _ => {}
            });
        };
        for stmt in &template.body {
            visit::expressions(self.unit, stmt, &mut |e| look(e));
        }
        template.result.iter().for_each(&mut look);
        same
    }

    /// What stands for a parameter. Without `front` there is no place for a variable.
    fn argument(
        &mut self,
        template: &Template,
        writes: &Writes,
        parameter: SymbolId,
        argument: &Expr,
        span: Span,
        front: Option<&mut Vec<Stmt>>,
    ) -> Option<Expr> {
        let s = &self.unit.symbols[parameter];
        let (name, ctype) = (s.name.clone(), s.ctype.clone());
        match &ctype {
            // What has effects is evaluated once.
            Type::Scalar(_) if hidden::is_in(self.unit, argument) => {
                let front = front?;
                Some(self.variable(&name, ctype, argument, span, front))
            }
            Type::Scalar(scalar) => {
                // A number: a pointer that C would convert is a mistake.
                let kind = types::scalar_kind(self.unit, argument);
                if kind.is_none() && pointers::target(self.unit, argument).is_some() {
                    return None;
                }
                let assigned = template.writes.own.contains(&parameter);
                let uses = template.uses.get(&parameter).copied().unwrap_or(0);
                let stable = !assigned && self.stable(argument, writes);
                let same = types::is_held_as(self.unit, argument, scalar.kind);
                let size = size(argument);
                let direct = match &argument.kind {
                    _ if !stable => false,
                    ExprKind::Integer(..) | ExprKind::Literal(_) => true,
                    _ if uses <= 1 && template.is_one_step() => true,
                    _ => {
                        (same || template.is_one_step()) && size <= MAX_ARGUMENT && plain(argument)
                    }
                };
                let copied = stable && size.saturating_mul(uses) <= MAX_COPIES;
                match front {
                    Some(front) if !direct => {
                        Some(self.variable(&name, ctype, argument, span, front))
                    }
                    _ if direct || copied => Some(converted(self.unit, argument.clone(), &ctype)),
                    _ => None,
                }
            }
            // What follows it is refused by lowering, but for functions that read strings.
            Type::Pointer { target, .. }
                if hidden::is_string(argument) && !template.writes.own.contains(&parameter) =>
            {
                let is_text = matches!(&**target, Type::Scalar(to) if to.kind == ScalarKind::I8);
                is_text.then(|| argument.clone())
            }
            Type::Pointer { .. } | Type::Array { .. } => {
                if template.writes.own.contains(&parameter) {
                    return None;
                }
                let wanted = types::pointee(&ctype)?;
                if is_null(argument) {
                    let null = ExprKind::Cast(ctype.clone(), Box::new(argument.clone()));
                    return Some(Expr { kind: null, span });
                }
                let pointer = pointers::canonical(self.unit, argument)?;
                let to = pointers::target(self.unit, &pointer)?;
                if !pointers::agree(wanted, &to) {
                    return None;
                }
                self.fixed(pointer, writes, span, front)
            }
            Type::Struct { .. } => {
                // A copy: the place itself where it is not written meanwhile.
                let own = types::place_type(self.unit, argument)?;
                let place = matches!(
                    argument.kind,
                    ExprKind::Name(_)
                        | ExprKind::Field(..)
                        | ExprKind::Arrow(..)
                        | ExprKind::Subscript(..)
                        | ExprKind::Dereference(_)
                );
                if !place || !pointers::agree(&ctype, own) {
                    return None;
                }
                if !template.writes.own.contains(&parameter) && self.stable(argument, writes) {
                    return Some(argument.clone());
                }
                let front = front?;
                let symbol = self.declare(&name, ctype, None, span);
                let kind = ExprKind::Name(symbol);
                let copy = Expr { kind, span };
                let assign = build::assign(copy.clone(), argument.clone());
                let kinds = [StmtKind::Declaration(symbol), StmtKind::Expression(assign)];
                front.extend(kinds.map(|kind| Stmt { kind, span }));
                Some(copy)
            }
            Type::Void | Type::Other(_) => None,
        }
    }

    /// A variable that holds the value of an argument.
    fn variable(
        &mut self,
        name: &str,
        ctype: Type,
        value: &Expr,
        span: Span,
        front: &mut Vec<Stmt>,
    ) -> Expr {
        let symbol = self.declare(name, ctype, Some(value.clone()), span);
        front.push(Stmt {
            kind: StmtKind::Declaration(symbol),
            span,
        });
        Expr {
            kind: ExprKind::Name(symbol),
            span,
        }
    }

    /// A pointer that is the same all through the writes: what is added to it gets variables where
    /// it is not.
    fn fixed(
        &mut self,
        pointer: Expr,
        writes: &Writes,
        span: Span,
        mut front: Option<&mut Vec<Stmt>>,
    ) -> Option<Expr> {
        if self.stable(&pointer, writes) {
            return Some(pointer);
        }
        let offset = |inliner: &mut Self, e: Expr, front: Option<&mut Vec<Stmt>>| {
            if inliner.stable(&e, writes) {
                return Some(e);
            }
            let kind = types::scalar_kind(inliner.unit, &e).filter(|kind| !kind.is_float())?;
            // Pointer arithmetic takes the number as it is.
            let kind = match kind {
                ScalarKind::U64 => kind,
                _ => ScalarKind::I64,
            };
            let long = Type::Scalar(ScalarType {
                kind,
                spelling: kind.c_name().to_owned(),
            });
            Some(inliner.variable("at", long, &e, span, front?))
        };
        let kind = match pointer.kind {
            ExprKind::Binary(op, base, e) => {
                let base = self.fixed(*base, writes, span, front.as_deref_mut())?;
                ExprKind::Binary(op, Box::new(base), Box::new(offset(self, *e, front)?))
            }
            ExprKind::Subscript(base, e) => {
                // Pointers in elements are never assigned in a region that has a model; what else may
                // change them is compared in front of it.
                let row = types::place_type(self.unit, &base).and_then(types::pointee);
                let kept = [Some(&Type::Void), None].contains(&row);
                if kept || matches!(row, Some(Type::Scalar(_) | Type::Other(_))) {
                    return None;
                }
                let base = self.fixed(*base, writes, span, front.as_deref_mut())?;
                ExprKind::Subscript(Box::new(base), Box::new(offset(self, *e, front)?))
            }
            ExprKind::Field(element, field) => {
                let element = self.fixed(*element, writes, span, front)?;
                ExprKind::Field(Box::new(element), field)
            }
            ExprKind::AddressOf(place) => {
                let place = match place.kind {
                    ExprKind::Field(base, field) => match base.kind {
                        ExprKind::Subscript(array, e) => {
                            let array = self.fixed(*array, writes, span, front.as_deref_mut())?;
                            let e = offset(self, *e, front)?;
                            let kind = ExprKind::Subscript(Box::new(array), Box::new(e));
                            ExprKind::Field(Box::new(Expr { kind, span }), field)
                        }
                        _ => return None,
                    },
                    _ => return None,
                };
                ExprKind::AddressOf(Box::new(Expr { kind: place, span }))
            }
            _ => return None,
        };
        Some(Expr { kind, span })
    }
}

/// Whether an expression takes nothing from memory that is an element, and calls nothing.
fn plain(expr: &Expr) -> bool {
    let mut plain = true;
    visit::walk(expr, &mut |e| {
        plain &= !matches!(
            e.kind,
            ExprKind::Subscript(..)
                | ExprKind::Dereference(_)
                | ExprKind::Call(..)
                | ExprKind::Conditional(..)
        );
    });
    plain
}
