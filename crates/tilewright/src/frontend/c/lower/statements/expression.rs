//! Values: C expressions with numbered accesses.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::calls::{hidden, purity, summary};
use crate::frontend::c::lower::memory::place;
use crate::frontend::c::lower::statements::body::State;
use crate::frontend::c::lower::surroundings::facts;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{ArrayDraft, messages, optional};
use crate::frontend::c::lower::{
    ArrayKey, Guard, Lowering, PointerRead, RawAccess, RawSubscript, Refusal, Result, Scope,
};
use crate::frontend::c::syntax::{
    Expr as SyntaxExpr, ExprKind, Scope as Where, Sized, SymbolId, Type,
};
use crate::mistakes::mistake;
use crate::scop::{AccessId, AccessKind, BinaryOp, Expr, UnaryOp};

impl Lowering<'_> {
    /// The value of an expression.
    ///
    /// # Errors
    /// Whatever has side effects or no model.
    pub(crate) fn value(&mut self, state: &mut State, expr: &SyntaxExpr) -> Result<Expr> {
        match &expr.kind {
            ExprKind::Integer(_, spelling) => Ok(Expr::Literal(spelling.clone())),
            ExprKind::Literal(spelling) if spelling.contains('"') => Err(self.unsupported(
                expr,
                "a string inside the region",
                "move it out of the region",
            )),
            ExprKind::Literal(spelling) => Ok(Expr::Literal(spelling.clone())),
            ExprKind::SizeOf(of, spelling) => match (types::size_of(self.unit, of), of) {
                (Some(bytes), _) => Ok(Expr::Literal(format!("{bytes}ul"))),
                (None, Sized::Type(Type::Struct { .. })) => Ok(Expr::Literal(spelling.clone())),
                (None, _) => Err(self.unsupported(
                    expr,
                    "the size of this is not known",
                    "compute it before the region",
                )),
            },
            ExprKind::Name(symbol) => self.name(state, expr, *symbol),
            ExprKind::Field(..) | ExprKind::Arrow(..) => self.field(state, expr),
            ExprKind::Subscript(..) | ExprKind::Dereference(_) => match self.params.find(expr) {
                Some(id) => Ok(Expr::Param(id)),
                None => Ok(Expr::Access(self.access(state, expr, AccessKind::Read)?)),
            },
            ExprKind::Unary(op, a) => {
                if *op == UnaryOp::Complement {
                    self.wants_integer(a, "`~` takes")?;
                }
                Ok(Expr::Unary(*op, Box::new(self.value(state, a)?)))
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let left = self.value(state, a)?;
                let right = self.guarded(state, a, *op == BinaryOp::And, b)?;
                Ok(Expr::Binary(*op, Box::new(left), Box::new(right)))
            }
            ExprKind::Binary(op, a, b) => {
                if let Some(holds) = self.pointers_compared(state, *op, [a, b])? {
                    return Ok(holds);
                }
                self.wants_integers(*op, &[a, b])?;
                let left = self.value(state, a)?;
                Ok(Expr::Binary(
                    *op,
                    Box::new(left),
                    Box::new(self.value(state, b)?),
                ))
            }
            ExprKind::Conditional(c, a, b) => {
                let condition = self.value(state, c)?;
                let then = self.guarded(state, c, true, a)?;
                let otherwise = self.guarded(state, c, false, b)?;
                Ok(Expr::Conditional(
                    Box::new(condition),
                    Box::new(then),
                    Box::new(otherwise),
                ))
            }
            ExprKind::Cast(Type::Scalar(ctype), a) => {
                Ok(Expr::Cast(ctype.clone(), Box::new(self.value(state, a)?)))
            }
            ExprKind::Cast(Type::Struct { .. }, _) => Err(self.unsupported(
                expr,
                "a compound literal that is not evaluated in each iteration",
                "declare a variable with it in front of the statement",
            )),
            ExprKind::Cast(..) => Err(self.unsupported(
                expr,
                "a cast to a type that is not a number",
                "regions compute with numbers only",
            )),
            ExprKind::Call(name, arguments) if summary::has_summary(self.unit, name) => {
                match self.summarised(state, expr, name, arguments)? {
                    (call, false) => Ok(call),
                    (_, true) => Err(self.writing_call(expr, name)),
                }
            }
            ExprKind::Call(name, arguments) => {
                if state.once
                    && let Some(function) = hidden::called(self.unit, name)
                {
                    return self.effect_call(state, expr, &function, arguments);
                }
                if !purity::is_pure(self.unit, name) {
                    return Err(self.unknown_call(expr, name));
                }
                self.check_pure(expr, name)?;
                let mut values = Vec::new();
                for argument in arguments {
                    values.push(match &argument.kind {
                        // Which of the numbers that are none.
                        ExprKind::Literal(text) if purity::takes_text(name) => {
                            Expr::Literal(text.clone())
                        }
                        _ => self.value(state, argument)?,
                    });
                }
                Ok(Expr::Call(name.clone(), values))
            }
            ExprKind::Assign(_, target, _) | ExprKind::Increment { target, .. } => {
                let name = self.quoted(target);
                Err(Refusal::from(
                    Diagnostic::error(
                        Code::UnsupportedExpression,
                        format!("{name} is changed in the middle of an expression"),
                    )
                    .at(expr.span, "a side effect")
                    .help("make it a statement of its own"),
                ))
            }
            ExprKind::Unknown(name) => {
                Err(Refusal::from(messages::unknown(self.unit, name, expr.span)))
            }
            ExprKind::AddressOf(_) => Err(self.unsupported(
                expr,
                "an address inside the region",
                "use subscripts, and move pointer handling out of the region",
            )),
            // What stands under something unsupported stands behind it.
            ExprKind::Comma(parts) if is_unsupported(parts) => self.value(state, &parts[0]),
            ExprKind::Comma(_) => Err(self.unsupported(
                expr,
                "a comma operator inside an expression",
                "write separate statements",
            )),
            ExprKind::List(_) => Err(self.unsupported(expr, "a list inside an expression", "")),
            ExprKind::Unsupported(what) => {
                let what = format!("{what} inside the region");
                Err(self.unsupported(expr, &what, "move it out of the region"))
            }
        }
    }

    /// The value of an expression that the statement evaluates once, if it comes to it: functions with
    /// hidden state may be called in it.
    pub(crate) fn value_once(&mut self, state: &mut State, expr: &SyntaxExpr) -> Result<Expr> {
        let once = std::mem::replace(&mut state.once, true);
        let value = self.value(state, expr);
        state.once = once;
        value
    }

    /// A value that is computed only where a condition holds (or does not).
    fn guarded(
        &mut self,
        state: &mut State,
        condition: &SyntaxExpr,
        holds: bool,
        expr: &SyntaxExpr,
    ) -> Result<Expr> {
        let scope = state.scope.clone();
        let conditional = std::mem::replace(&mut state.conditional, true);
        if let Some(set) = optional(self.condition_as_it_is(&scope, condition))? {
            state.scope = if holds {
                scope.within(&set)?
            } else {
                scope.without(&set)?
            };
        }
        let result = self.value(state, expr);
        state.scope = scope;
        state.conditional = conditional;
        result
    }

    fn name(&mut self, state: &mut State, expr: &SyntaxExpr, symbol: SymbolId) -> Result<Expr> {
        if let Some(position) = state.scope.position(symbol) {
            return Ok(Expr::Iterator(position));
        }
        if let Some(local) = state.locals.get(&symbol) {
            return Ok(Expr::Local(local.clone()));
        }
        let s = &self.unit.symbols[symbol];
        let in_region = matches!(s.scope, Where::Region(_));
        let Type::Scalar(ctype) = &s.ctype else {
            return Err(place::resolve(self.unit, expr)
                .err()
                .unwrap_or_else(|| self.unsupported(expr, "not a number", "")));
        };
        if in_region {
            if let Some(definition) = self.facts.definition(self.unit, symbol) {
                let once = std::mem::replace(&mut state.once, false);
                let value = self.value(state, definition);
                state.once = once;
                let value = value?;
                return Ok(Expr::Cast(ctype.clone(), Box::new(value)));
            }
        }
        if let Some(id) = self.params.find(expr) {
            return Ok(Expr::Param(id));
        }
        if let Some(place) = self.facts.iterators.get(&symbol) {
            return Err(Refusal::from(
                Diagnostic::error(
                    Code::LoopForm,
                    format!("the loop variable `{}` is used outside its loop", s.name),
                )
                .at(expr.span, "used here")
                .also(
                    crate::source::Span::new(place.start, place.start + "for".len()),
                    "its loop",
                )
                .help("use the loop's bound instead"),
            ));
        }
        if in_region || self.facts.assigned.contains_key(&symbol) {
            return Ok(Expr::Access(self.access(state, expr, AccessKind::Read)?));
        }
        if self.is_in_memory(symbol, "") {
            self.claims.pointer_reads.push(PointerRead {
                root: symbol,
                path: String::new(),
                kind: Some(ctype.kind),
                span: expr.span,
            });
        }
        self.model.invariants.insert(s.name.clone(), ctype.clone());
        Ok(Expr::Invariant(s.name.clone()))
    }

    fn field(&mut self, state: &mut State, expr: &SyntaxExpr) -> Result<Expr> {
        let Some((root, path)) = facts::plain_key(expr) else {
            return Ok(Expr::Access(self.access(state, expr, AccessKind::Read)?));
        };
        let place = place::resolve(self.unit, expr)?;
        if self.is_in_memory(root, &path) {
            let (path, kind) = (path.clone(), Some(place.element.kind));
            self.claims.pointer_reads.push(PointerRead {
                root,
                path,
                kind,
                span: expr.span,
            });
        }
        if let Some(id) = self.params.find(expr) {
            return Ok(Expr::Param(id));
        }
        let in_region = matches!(self.unit.symbols[root].scope, Where::Region(_));
        if in_region || self.facts.fields.contains_key(&(root, path)) {
            return Ok(Expr::Access(self.access(state, expr, AccessKind::Read)?));
        }
        self.model
            .invariants
            .insert(place.base.clone(), place.element.clone());
        Ok(Expr::Invariant(place.base))
    }

    /// An access to the place that `expr` names; equal ones share a number.
    pub(crate) fn access(
        &mut self,
        state: &mut State,
        expr: &SyntaxExpr,
        kind: AccessKind,
    ) -> Result<AccessId> {
        let place = place::resolve(self.unit, expr)?;
        self.access_to(state, expr, &place, kind)
    }

    /// The same of a place that may hold a pointer, which is copied.
    pub(crate) fn access_of_pointer(
        &mut self,
        state: &mut State,
        expr: &SyntaxExpr,
        kind: AccessKind,
    ) -> Result<AccessId> {
        let place = place::resolve_pointer(self.unit, expr)?;
        self.access_to(state, expr, &place, kind)
    }

    fn access_to(
        &mut self,
        state: &mut State,
        expr: &SyntaxExpr,
        place: &place::Place,
        kind: AccessKind,
    ) -> Result<AccessId> {
        let array = self.array(place, kind)?;
        let mut subscripts = self.leading(state, self.model.arrays[array].region_depth)?;
        // Where a place is read and written, its subscripts stand twice.
        let once = std::mem::replace(&mut state.once, false);
        let found = self.subscripts_of(state, place, &mut subscripts);
        state.once = once;
        found?;
        let always = self.always(state, array);
        Ok(self.add_access(state, array, kind, always, subscripts, expr.span))
    }

    /// The subscripts of a place, behind others.
    fn subscripts_of(
        &mut self,
        state: &mut State,
        place: &place::Place,
        subscripts: &mut Vec<RawSubscript>,
    ) -> Result<()> {
        for (position, subscript) in place.subscripts.iter().enumerate() {
            self.wants_integer(subscript, "a subscript has to be")?;
            let affine = optional(self.affine(&state.scope, subscript))?;
            // What stands in the subscript is computed whenever the access is.
            let value = self.value(state, subscript)?;
            let linear = match &affine {
                None => self.linear(state, subscript)?,
                Some(_) => None,
            };
            subscripts.push(RawSubscript {
                expr: value,
                affine,
                linear,
                values: None,
                loose: place.loose.contains(&position),
            });
        }
        Ok(())
    }

    /// Whether every instance that is executed at all accesses an array here. Temporaries that
    /// are declared under the same guards do not exist where these do not hold.
    pub(crate) fn always(&self, state: &State, array: usize) -> bool {
        !state.conditional && state.scope.guards.len() <= self.model.arrays[array].guards
    }

    /// An access to the value of a hoisted condition or bound, which is defined wherever the
    /// guards around it hold.
    pub(crate) fn temporary_access(
        &mut self,
        state: &mut State,
        guard: &Guard,
    ) -> Result<AccessId> {
        let subscripts = self.leading(state, Some(guard.depth))?;
        Ok(self.add_access(
            state,
            guard.array,
            AccessKind::Read,
            true,
            subscripts,
            guard.span,
        ))
    }

    /// The enclosing iterators that index a temporary.
    pub(crate) fn leading(&self, state: &State, depth: Option<usize>) -> Result<Vec<RawSubscript>> {
        let loops = state.scope.loops.len();
        let mut subscripts = Vec::new();
        for position in 0..depth.unwrap_or(0) {
            subscripts.push(RawSubscript {
                expr: Expr::Iterator(position),
                affine: Some(self.variable(loops, position)?),
                linear: None,
                values: None,
                loose: false,
            });
        }
        Ok(subscripts)
    }

    pub(crate) fn add_access(
        &mut self,
        state: &mut State,
        array: usize,
        kind: AccessKind,
        always: bool,
        subscripts: Vec<RawSubscript>,
        span: crate::source::Span,
    ) -> AccessId {
        let domain = state.scope.domain.clone();
        let same = |a: &RawAccess| {
            a.array == array
                && a.kind == kind
                && a.cells.is_none()
                && a.subscripts.len() == subscripts.len()
                && a.subscripts
                    .iter()
                    .zip(&subscripts)
                    .all(|(x, y)| x.expr == y.expr)
                && (a.always || holds(&a.subscripts, &subscripts, &domain))
        };
        if let Some(id) = state.accesses.iter().position(same) {
            let known = &mut state.accesses[id];
            known.certain |= !state.conditional;
            for (known, here) in known.subscripts.iter_mut().zip(&subscripts) {
                known.loose |= here.loose;
            }
            if !known.always {
                known.always = always;
                known.domain = match known.domain.union(&domain) {
                    _ if always => domain,
                    Ok(union) => union,
                    Err(_) => domain,
                };
            }
            return id;
        }
        state.accesses.push(RawAccess {
            array,
            kind,
            always,
            certain: !state.conditional,
            subscripts,
            domain,
            cells: None,
            flat: None,
            span,
        });
        state.accesses.len() - 1
    }

    /// A temporary for the value of a condition that is hoisted out of loops.
    pub(crate) fn condition_array(&mut self, scope: &Scope, span: crate::source::Span) -> usize {
        let int = crate::scop::ScalarType {
            kind: crate::scop::ScalarKind::I32,
            spelling: "int".to_owned(),
        };
        self.hoisted_array(scope, "holds", int, span)
    }

    /// A temporary for a value that is hoisted out of the loops that come next.
    pub(crate) fn hoisted_array(
        &mut self,
        scope: &Scope,
        wish: &str,
        element: crate::scop::ScalarType,
        span: crate::source::Span,
    ) -> usize {
        let name = self.names.temporary(wish);
        self.model.arrays.push(ArrayDraft {
            key: ArrayKey::Condition(self.claims.conditions),
            name,
            element: element.clone(),
            holds_pointers: false,
            region_depth: Some(scope.loops.len()),
            guards: scope.guards.len(),
            container: Type::Scalar(element),
            open: None,
            span,
            written: Some(span),
            accessed: span,
        });
        self.claims.conditions += 1;
        self.model.arrays.len() - 1
    }
}

/// Whether the forms of subscripts, which were found where other conditions hold, are right in these
/// instances, too. There they have the forms `here`.
fn holds(known: &[RawSubscript], here: &[RawSubscript], instances: &isl::Set) -> bool {
    if mistake!(FormsOfOtherConditions) {
        return true;
    }
    let same = |known: &isl::PwAff, here: &isl::PwAff| {
        let equal = || instances.is_subset(&known.eq_set(here)?);
        known.plain_is_equal(here).unwrap_or(false) || equal().unwrap_or(false)
    };
    let mut pairs = known.iter().zip(here);
    pairs.all(|(known, here)| {
        let affine = match (&known.affine, &here.affine) {
            (Some(known), Some(here)) => same(known, here),
            (None, None) => true,
            _ => false,
        };
        let linear = match (&known.linear, &here.linear) {
            (Some(known), Some(here)) if known.len() == here.len() => {
                known.iter().zip(here).all(|(known, here)| {
                    known.stride == here.stride && same(&known.index, &here.index)
                })
            }
            (None, None) => true,
            _ => false,
        };
        affine && linear
    })
}

fn is_unsupported(parts: &[SyntaxExpr]) -> bool {
    matches!(
        parts.first().map(|e| &e.kind),
        Some(ExprKind::Unsupported(_))
    )
}
