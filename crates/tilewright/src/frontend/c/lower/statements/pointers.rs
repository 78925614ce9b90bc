//! Pointers as data: they are copied, compared and set to sums, and nobody follows them here.
//!
//! A pointer is a number of 64 bits under its own type. What it leads to is no part of that: an array
//! whose pointers a region sets and follows is refused where arrays are compared.

use crate::frontend::c::lower::memory::allocation::is_null;
use crate::frontend::c::lower::memory::place;
use crate::frontend::c::lower::statements::body::State;
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{Lowering, PointerRead, Result};
use crate::frontend::c::syntax::{
    Expr as SyntaxExpr, ExprKind, Scope as Where, Stmt, SymbolId, Type, Unit,
};
use crate::scop::{AccessKind, Action, BinaryOp, Expr};

impl Lowering<'_> {
    /// `a[i] = b[j]` of pointers, of sums with them, or of null.
    pub(crate) fn pointer_set(
        &mut self,
        state: &mut State,
        target: &SyntaxExpr,
        value: &SyntaxExpr,
    ) -> Result<Option<Action>> {
        let Some(Type::Pointer { target: to, .. }) = types::place_type(self.unit, target) else {
            return Ok(None);
        };
        let fits = is_null(value) || pointee(self.unit, value).is_some_and(|from| same(to, &from));
        if !fits {
            return Ok(None);
        }
        let Some(value) = self.pointer(state, value)? else {
            return Ok(None);
        };
        let target = self.access_of_pointer(state, target, AccessKind::Write)?;
        // What is added to what stands there already would be a sum.
        let array = state.accesses[target].array;
        let mut own = false;
        if !matches!(value, Expr::Access(_)) {
            value.walk(&mut |e| {
                own |= matches!(e, Expr::Access(id) if state.accesses[*id].array == array);
            });
        }
        Ok((!own).then_some(Action::Assign { target, value }))
    }

    /// `p == q` and their order.
    pub(crate) fn pointers_compared(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        [a, b]: [&SyntaxExpr; 2],
    ) -> Result<Option<Expr>> {
        use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let compares = matches!(
            op,
            Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual
        );
        let fits = match (pointee(self.unit, a), pointee(self.unit, b)) {
            (Some(a), Some(b)) => same(&a, &b),
            (Some(_), None) => is_null(b),
            (None, Some(_)) => is_null(a),
            (None, None) => false,
        };
        if !compares || !fits {
            return Ok(None);
        }
        let Some(a) = self.pointer(state, a)? else {
            return Ok(None);
        };
        let Some(b) = self.pointer(state, b)? else {
            return Ok(None);
        };
        Ok(Some(Expr::Binary(op, Box::new(a), Box::new(b))))
    }

    /// A pointer's value; `None` where it has none that is known.
    pub(crate) fn pointer(&mut self, state: &mut State, expr: &SyntaxExpr) -> Result<Option<Expr>> {
        if is_null(expr) {
            return Ok(Some(Expr::Literal("0".to_owned())));
        }
        match &expr.kind {
            ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Arrow(..)
                if facts::plain_key(expr).is_some() =>
            {
                self.plain_pointer(state, expr)
            }
            ExprKind::Subscript(..)
            | ExprKind::Dereference(_)
            | ExprKind::Field(..)
            | ExprKind::Arrow(..)
                if is_pointer(self.unit, expr) =>
            {
                let access = self.access_of_pointer(state, expr, AccessKind::Read)?;
                Ok(Some(Expr::Access(access)))
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                match (pointee(self.unit, a), pointee(self.unit, b)) {
                    (Some(_), None) => self.pointer_moved(state, *op, a, b),
                    (None, Some(_)) if *op == BinaryOp::Add => self.pointer_moved(state, *op, b, a),
                    _ => Ok(None),
                }
            }
            ExprKind::Conditional(condition, a, b) => {
                let condition = self.value(state, condition)?;
                let conditional = std::mem::replace(&mut state.conditional, true);
                let sides = [self.pointer(state, a), self.pointer(state, b)];
                state.conditional = conditional;
                let [a, b] = sides;
                Ok(match (a?, b?) {
                    (Some(a), Some(b)) => Some(Expr::Conditional(
                        Box::new(condition),
                        Box::new(a),
                        Box::new(b),
                    )),
                    _ => None,
                })
            }
            ExprKind::AddressOf(place) => match &place.kind {
                ExprKind::Subscript(base, index) => {
                    self.pointer_moved(state, BinaryOp::Add, base, index)
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    fn pointer_moved(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        pointer: &SyntaxExpr,
        by: &SyntaxExpr,
    ) -> Result<Option<Expr>> {
        let Some(pointer) = self.pointer(state, pointer)? else {
            return Ok(None);
        };
        self.wants_integer(by, "to a pointer is added what has to be")?;
        let by = self.value(state, by)?;
        Ok(Some(Expr::Binary(op, Box::new(pointer), Box::new(by))))
    }

    /// A pointer in a variable or a member of one: an access where the region sets it.
    fn plain_pointer(&mut self, state: &mut State, expr: &SyntaxExpr) -> Result<Option<Expr>> {
        let Some((root, path)) = facts::plain_key(expr) else {
            return Ok(None);
        };
        let symbol = &self.unit.symbols[root];
        if matches!(types::place_type(self.unit, expr), Some(Type::Array { .. })) {
            return Ok(self.first_element(expr, root, &path));
        }
        if !is_pointer(self.unit, expr)
            || !path.is_empty() && self.facts.assigned.contains_key(&root)
        {
            return Ok(None);
        }
        let set = match path.is_empty() {
            true => self.facts.assigned.contains_key(&root),
            false => self.facts.fields.contains_key(&(root, path.clone())),
        };
        if set || matches!(symbol.scope, Where::Region(_)) {
            if path.is_empty() && !self.is_datum(root) {
                return Ok(None);
            }
            let access = self.access_of_pointer(state, expr, AccessKind::Read)?;
            return Ok(Some(Expr::Access(access)));
        }
        let place = place::resolve_pointer(self.unit, expr)?;
        if self.is_in_memory(root, &path) {
            self.claims.pointer_reads.push(PointerRead {
                root,
                path,
                kind: None,
                span: expr.span,
            });
        }
        let text = place.base.clone();
        self.model.invariants.insert(text.clone(), place.element);
        Ok(Some(Expr::Invariant(text)))
    }

    /// Where an array begins that others see anyhow: in the file, or behind a pointer that stays, as all
    /// arrays are that functions get.
    fn first_element(&mut self, array: &SyntaxExpr, root: SymbolId, path: &str) -> Option<Expr> {
        let symbol = &self.unit.symbols[root];
        let stays = !self.facts.assigned.contains_key(&root);
        let given = path.is_empty() && matches!(symbol.scope, Where::Parameter(_));
        let inside = stays && (given || path.contains("->"));
        if !inside && symbol.scope != Where::File {
            return None;
        }
        // Not by its name alone: a thread's copy of an array lies elsewhere.
        let place = format!("&{}{path}[0]", symbol.name);
        let leads = |set: &(SymbolId, String)| set.0 == root && path.starts_with(&set.1);
        if self.facts.fields.keys().any(leads) {
            return None;
        }
        let element = place::element_pointer(types::place_type(self.unit, array)?)?;
        self.model.invariants.insert(place.clone(), element);
        Some(Expr::Invariant(place))
    }

    /// Whether the region takes a pointer that it declares or sets for a value only.
    pub(crate) fn is_datum(&self, symbol: SymbolId) -> bool {
        let own = &self.unit.symbols[symbol];
        matches!(own.ctype, Type::Pointer { .. })
            && !matches!(own.scope, Where::File)
            && !own.is_static
            && !self.facts.address_taken.contains(&symbol)
            && place::datum(&own.ctype).is_some()
            && !is_followed(self.unit, &self.region.statements, symbol)
    }
}

/// Whether statements follow a pointer, step it, or hand it on.
fn is_followed(unit: &Unit, statements: &[Stmt], symbol: SymbolId) -> bool {
    let mut followed = false;
    for stmt in statements {
        visit::expressions(unit, stmt, &mut |top| {
            visit::walk(top, &mut |e| {
                let leads =
                    |e: &SyntaxExpr| visit::mentions(e, symbol) && pointee(unit, e).is_some();
                let is = |e: &SyntaxExpr| e.kind == ExprKind::Name(symbol);
                followed |= match &e.kind {
                    ExprKind::Subscript(base, _)
                    | ExprKind::Dereference(base)
                    | ExprKind::Arrow(base, _) => leads(base) && names_whole(base, symbol),
                    ExprKind::Increment { target, .. } | ExprKind::Assign(Some(_), target, _) => {
                        is(target)
                    }
                    ExprKind::Call(_, arguments) => arguments.iter().any(leads),
                    _ => false,
                };
            });
        });
    }
    followed
}

/// Whether a pointer is made of a variable, which it does not only find its place by.
fn names_whole(expr: &SyntaxExpr, symbol: SymbolId) -> bool {
    match &expr.kind {
        ExprKind::Name(own) => *own == symbol,
        ExprKind::Binary(_, a, b) => names_whole(a, symbol) || names_whole(b, symbol),
        ExprKind::Cast(_, a) | ExprKind::AddressOf(a) | ExprKind::Field(a, _) => {
            names_whole(a, symbol)
        }
        ExprKind::Subscript(a, _) | ExprKind::Arrow(a, _) | ExprKind::Dereference(a) => {
            names_whole(a, symbol)
        }
        ExprKind::Conditional(_, a, b) => names_whole(a, symbol) || names_whole(b, symbol),
        _ => visit::mentions(expr, symbol),
    }
}

/// Whether it is a place that holds a pointer.
fn is_pointer(unit: &Unit, expr: &SyntaxExpr) -> bool {
    matches!(types::place_type(unit, expr), Some(Type::Pointer { .. }))
}

/// What a pointer points at.
fn pointee(unit: &Unit, expr: &SyntaxExpr) -> Option<Type> {
    match &expr.kind {
        ExprKind::AddressOf(place) => types::place_type(unit, place).cloned(),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
            match (pointee(unit, a), pointee(unit, b)) {
                (Some(a), None) | (None, Some(a)) => Some(a),
                _ => None,
            }
        }
        ExprKind::Conditional(_, a, b) => match (pointee(unit, a), pointee(unit, b)) {
            (Some(a), Some(b)) => same(&a, &b).then_some(a),
            (Some(a), None) => is_null(b).then_some(a),
            (None, Some(b)) => is_null(a).then_some(b),
            (None, None) => None,
        },
        _ => match types::place_type(unit, expr)? {
            Type::Pointer { target, .. } => Some((**target).clone()),
            Type::Array { element, .. } => Some((**element).clone()),
            _ => None,
        },
    }
}

/// Whether C takes pointers to these types for each other. Structures have several names, and are not
/// known in themselves; which one it is makes no difference to a copy.
fn same(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Struct { .. }, Type::Struct { .. }) => true,
        (Type::Void, other) | (other, Type::Void) => !matches!(other, Type::Other(_)),
        (a, b) => a == b,
    }
}
