//! Loops whose bounds are data (Zhao, thesis 2018, sections 4.1 to 4.3).
//!
//! ```text
//! for (j = row[i]; j < row[i + 1]; j++)     j_begin = row[i];  j_end = row[i + 1];
//!     S(j);                            →    for (j = 0; j < u; j++)
//!                                               if (j >= j_begin) if (j < j_end) S(j);
//! ```
//!
//! The bounds become temporaries that statements in front of the loop define, so that control
//! dependences are data dependences (4.3); every statement of the body tests them. Where only one
//! bound is data the other one bounds the domain. The loop keeps its variable's own values: the
//! shift of 4.1 would make affine subscripts depend on data, which the paper then cancels again.
//! `while` loops over an induction variable are counted in the same way.
//!
//! Static bounds (4.2) come from minima and maxima taken apart, from the extents of arrays that
//! every iteration subscripts with the variable, and from the variable's type.

use super::body::State;
use super::domain::Head;
use super::{Guard, Lowering, Node, Refusal, Result, Scope, Test, facts, optional, purity};
use super::{place, types, visit};
use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::syntax::{
    Expr, ExprKind, Scope as Where, Stmt, StmtKind, SymbolId, Type,
};
use crate::scop::{AccessKind, Action, BinaryOp, Expr as ScopExpr, ScalarKind, ScalarType};
use crate::source::Span;
use isl::{DimType, PwAff, Set, Val};
use std::collections::HashSet;

/// One comparison of a loop's variable with something that is the same in all its iterations.
#[derive(Clone, Copy)]
pub(super) struct Bound<'u> {
    /// With the variable on the left.
    pub op: BinaryOp,
    /// What it is compared with.
    pub value: &'u Expr,
}

/// What a loop makes of the scope around it.
pub(super) struct Entered {
    /// The scope of its body.
    pub scope: Scope,
    /// Statements in front of it, which define its bounds.
    pub before: Vec<Node>,
}

impl<'u> Lowering<'u> {
    /// A counted loop with the statements that define its bounds in front of it.
    pub(super) fn counted(
        &mut self,
        scope: &Scope,
        head: &Head<'u>,
        body: &[&'u Stmt],
    ) -> Result<Vec<Node>> {
        let Entered {
            scope: inner,
            before: mut nodes,
        } = self.enter(scope, head, body)?;
        let body = self.block(body, &inner)?;
        if body.is_empty() {
            return Ok(Vec::new());
        }
        nodes.push(Node::Loop {
            depth: scope.loops.len(),
            down: head.down(),
            body,
        });
        Ok(nodes)
    }

    /// `while (a < b) { …; a++; }` as a counted loop that begins with the value of `a`, and what
    /// is left in `a`.
    pub(super) fn counted_while(
        &mut self,
        stmt: &'u Stmt,
        condition: &'u Expr,
        body: &'u Stmt,
        scope: &Scope,
    ) -> Result<Vec<Node>> {
        let Some((head, body)) = self.induction(stmt, condition, body, scope)? else {
            return Err(self.refused_statement(stmt));
        };
        let span = head.span;
        let (symbol, down) = (head.symbol, head.down());
        let mut nodes = self.counted(scope, &head, &body)?;
        if nodes.is_empty() {
            return Ok(nodes);
        }
        // `if (a < b) a = b;`, or one further where the bound itself is reached.
        let Some(Bound { op, value: last }) = bound_of(condition, symbol) else {
            return Err(self.refused_statement(stmt));
        };
        let name = |span| Expr {
            kind: ExprKind::Name(symbol),
            span,
        };
        let mut state = State::new(scope, HashSet::new().into());
        let before = self.value(&mut state, &name(span))?;
        let bound = self.value(&mut state, last)?;
        let holds = ScopExpr::Binary(op, Box::new(before.clone()), Box::new(bound.clone()));
        let reached = match (op, down) {
            (BinaryOp::LessEqual, _) => one_more(bound, BinaryOp::Add),
            (BinaryOp::GreaterEqual, _) => one_more(bound, BinaryOp::Sub),
            _ => bound,
        };
        let value = ScopExpr::Conditional(Box::new(holds), Box::new(reached), Box::new(before));
        let target = self.access(&mut state, &name(span), AccessKind::Write)?;
        nodes.push(self.finish(state, vec![Action::Assign { target, value }], span)?);
        Ok(nodes)
    }

    /// The induction variable of a `while` loop: compared by the condition, and changed by one by
    /// the last statement of the body only.
    fn induction(
        &mut self,
        stmt: &'u Stmt,
        condition: &'u Expr,
        body: &'u Stmt,
        scope: &Scope,
    ) -> Result<Option<(Head<'u>, Vec<&'u Stmt>)>> {
        let StmtKind::Block(list) = &body.kind else {
            return Ok(None);
        };
        let Some((last, rest)) = list.split_last() else {
            return Ok(None);
        };
        let StmtKind::Expression(step) = &last.kind else {
            return Ok(None);
        };
        let Some(ExprKind::Name(symbol)) = facts::target(step).map(|target| &target.kind) else {
            return Ok(None);
        };
        let symbol = *symbol;
        let s = &self.unit.symbols[symbol];
        let Type::Scalar(ctype) = &s.ctype else {
            return Ok(None);
        };
        let own = s.scope != Where::File && !s.is_static && !ctype.kind.is_float();
        let taken = self.facts.address_taken.contains(&symbol) || scope.position(symbol).is_some();
        let Some(bound) = bound_of(condition, symbol) else {
            return Ok(None);
        };
        let by = self.step(scope, symbol, step)?;
        let Some(by @ (1 | -1)) = by.filter(|_| own && !taken) else {
            return Ok(None);
        };
        let mut changed = false;
        for stmt in rest {
            for target in targets(self.unit, stmt) {
                changed |= target == symbol;
            }
        }
        if changed || !ends(bound.op, by) {
            return Ok(None);
        }
        let ExprKind::Binary(_, a, b) = &condition.kind else {
            return Ok(None);
        };
        let lower = match a.kind == ExprKind::Name(symbol) {
            true => &**a,
            false => &**b,
        };
        let name = self.names.temporary(&s.name);
        let head = Head {
            symbol,
            name,
            ctype: ctype.clone(),
            lower,
            condition,
            step: by,
            span: Span::new(stmt.span.start, stmt.span.start + "while".len()),
        };
        Ok(Some((head, rest.iter().collect())))
    }

    /// The comparisons that a loop's condition is made of, minima and maxima taken apart.
    ///
    /// # Errors
    /// A condition that has to be evaluated anew for every iteration.
    pub(super) fn comparisons(&self, head: &Head<'u>) -> Result<Vec<Bound<'u>>> {
        let mut found = Vec::new();
        let mut work = vec![head.condition];
        while let Some(condition) = work.pop() {
            if let ExprKind::Binary(BinaryOp::And, a, b) = &condition.kind {
                work.extend([&**b, &**a]);
                continue;
            }
            let bound = bound_of(condition, head.symbol).filter(|b| ends(b.op, head.step));
            let Some(bound) = bound else {
                return Err(self.inductive(condition, head));
            };
            let smallest = matches!(bound.op, BinaryOp::Less | BinaryOp::LessEqual);
            for value in extremum(bound.value, smallest) {
                found.push(Bound { value, ..bound });
            }
        }
        Ok(found)
    }

    /// A condition whose value in one iteration depends on what earlier ones did, or that is no
    /// bound of the loop's variable.
    fn inductive(&self, condition: &Expr, head: &Head<'_>) -> Refusal {
        let name = &self.unit.symbols[head.symbol].name;
        let condition_text = self.quoted(condition);
        let reason = match visit::mentions(condition, head.symbol) {
            true => format!("not a comparison of `{name}` alone with a bound"),
            false => format!("does not compare `{name}`"),
        };
        Refusal::from(
            Diagnostic::error(
                Code::InductiveExit,
                format!("when loop `{name}` ends is known only in the iteration that ends it"),
            )
            .at(condition.span, reason)
            .also(head.span, "its loop")
            .note(format!(
                "{condition_text} has to be evaluated anew in every iteration, after the one before it"
            ))
            .help(format!(
                "count the iterations before the loop, and let it run while `{name}` is less than their number"
            )),
        )
    }

    /// Defines a bound in front of a loop, and says what it is tested for.
    pub(super) fn exit(
        &mut self,
        scope: &Scope,
        head: &Head<'u>,
        bound: Bound<'u>,
        body: &[&'u Stmt],
        wish: &str,
    ) -> Result<(Node, Guard)> {
        self.check_kind(scope, head, bound)?;
        self.check_invariant(head, bound, body)?;
        let span = bound.value.span;
        let long = ScalarType {
            kind: ScalarKind::I64,
            spelling: "long".to_owned(),
        };
        let array = self.hoisted_array(scope, wish, long, span);
        let mut state = State::new(scope, HashSet::new().into());
        let value = self.value(&mut state, bound.value)?;
        let depth = scope.loops.len();
        let subscripts = self.leading(&state, Some(depth))?;
        let always = self.always(&state, array);
        let kind = AccessKind::Write;
        let target = self.add_access(&mut state, array, kind, always, subscripts, span);
        let node = self.finish(state, vec![Action::Assign { target, value }], span)?;
        let guard = Guard {
            array,
            depth,
            test: Test::Compares(depth, bound.op),
            span,
        };
        Ok((node, guard))
    }

    /// The variable of a loop as the left side of its exit predicate.
    pub(super) fn compared(&self, state: &State, position: usize) -> ScopExpr {
        let value = ScopExpr::Iterator(position);
        match state.scope.loops[position].iterator.ctype.kind {
            ScalarKind::U64 => {
                let long = ScalarType {
                    kind: ScalarKind::I64,
                    spelling: "long".to_owned(),
                };
                ScopExpr::Cast(long, Box::new(value))
            }
            _ => value,
        }
    }

    /// A bound is an integer, and comparing it as a `long` is what C does.
    fn check_kind(&self, scope: &Scope, head: &Head<'_>, bound: Bound<'_>) -> Result<()> {
        let name = &self.unit.symbols[head.symbol].name;
        let form = |message: String, label: &str, help: &str| {
            Err(Refusal::from(
                Diagnostic::error(Code::NonAffineBound, message)
                    .at(bound.value.span, label)
                    .also(head.span, "its loop")
                    .help(help),
            ))
        };
        let kind = match &bound.value.kind {
            // A call's type is that of the function.
            ExprKind::Call(called, _) => match purity::definition(self.unit, called) {
                Some((_, function)) => match &function.result {
                    Type::Scalar(result) => Some(result.kind),
                    _ => None,
                },
                None => types::scalar_kind(self.unit, bound.value),
            },
            _ => types::scalar_kind(self.unit, bound.value),
        };
        let Some(kind) = kind.filter(|kind| !kind.is_float()) else {
            return form(
                format!("a bound of loop `{name}` is not an integer"),
                "of a type that does not count",
                "convert it to an integer, into a variable before the loop",
            );
        };
        let counter = types::promote(head.ctype.kind);
        let unsigned = types::is_unsigned(types::common(kind, counter));
        if unsigned && !types::is_unsigned(counter) && !self.never_negative(scope, head)? {
            return form(
                format!("loop `{name}` compares a signed variable with an unsigned bound"),
                "C converts a negative value to a large one",
                "give the loop's variable the type of its bound",
            );
        }
        let wraps = types::is_unsigned(counter) || types::narrow_range(head.ctype.kind).is_some();
        let inclusive = matches!(bound.op, BinaryOp::LessEqual);
        if wraps && (inclusive || kind.bytes() > head.ctype.kind.bytes()) {
            let message = format!("the loop variable `{name}` may leave the range of its type");
            return Err(Refusal::from(
                Diagnostic::error(Code::LoopForm, message)
                    .at(
                        bound.value.span,
                        format!("`{name}` is of type `{}`", head.ctype.spelling),
                    )
                    .also(head.span, "this loop")
                    .note("it would wrap around, and the loop would go on")
                    .help("use a signed type of at least 32 bits for loop variables"),
            ));
        }
        Ok(())
    }

    /// Whether a loop certainly begins with no negative value and counts up.
    fn never_negative(&self, scope: &Scope, head: &Head<'_>) -> Result<bool> {
        if head.down() {
            return Ok(false);
        }
        match optional(self.affine(scope, head.lower))? {
            Some(lower) => {
                let zero = self.constant(scope.loops.len(), 0)?;
                Ok(self.apart(&scope.domain, &lower.lt_set(&zero)?)?)
            }
            None => Ok(types::scalar_kind(self.unit, head.lower).is_some_and(types::is_unsigned)),
        }
    }

    /// No iteration changes what the bound is computed from.
    fn check_invariant(
        &self,
        head: &Head<'_>,
        bound: Bound<'_>,
        body: &[&Stmt],
    ) -> Result<()> {
        let mut read: HashSet<SymbolId> = HashSet::new();
        visit::walk(bound.value, &mut |e| {
            if let ExprKind::Name(symbol) = e.kind {
                read.insert(symbol);
            }
        });
        // The first value is computed once.
        let first = std::ptr::eq(bound.value, head.lower);
        for stmt in body.iter().filter(|_| !first) {
            let mut changed = None;
            visit::expressions(self.unit, stmt, &mut |top| {
                visit::walk(top, &mut |e| {
                    let root = facts::target(e).and_then(root);
                    if root.is_some_and(|root| read.contains(&root)) {
                        changed = changed.or(Some(e.span));
                    }
                });
            });
            let Some(place) = changed else { continue };
            let name = &self.unit.symbols[head.symbol].name;
            return Err(Refusal::from(
                Diagnostic::error(
                    Code::InductiveExit,
                    format!("loop `{name}` changes its own bound"),
                )
                .at(
                    bound.value.span,
                    "has to be evaluated anew in every iteration",
                )
                .also(place, "changed here")
                .help("compute the bound into a variable of its own before the loop"),
            ));
        }
        Ok(())
    }

    /// Bounds that follow from the extents of arrays which every iteration subscripts with the
    /// loop's variable plus something: what C's arrays allow. Over the space of the loops outside.
    pub(super) fn subscripted(
        &self,
        inner: &Scope,
        head: &Head<'_>,
        body: &[&'u Stmt],
    ) -> Result<(Vec<PwAff>, Vec<PwAff>)> {
        let (mut least, mut greatest): (Vec<PwAff>, Vec<PwAff>) = (Vec::new(), Vec::new());
        let mut always = Vec::new();
        for stmt in body {
            straight(self.unit, stmt, &mut always);
        }
        let depth = inner.loops.len() - 1;
        for expr in always {
            let Ok(place) = place::resolve(self.unit, expr) else {
                continue;
            };
            if matches!(self.unit.symbols[place.root].scope, Where::Region(_)) {
                continue;
            }
            let extents = place::declared_extents(&place.container);
            let declared = self.unit.symbols[place.root].span;
            for (subscript, extent) in place.subscripts.iter().zip(extents) {
                if !visit::mentions(subscript, head.symbol) {
                    continue;
                }
                let Some(index) = optional(self.affine(inner, subscript))? else {
                    continue;
                };
                let rest = index.sub(&self.variable(depth + 1, depth)?)?.coalesce()?;
                if rest.involves_dims(DimType::In, depth, 1)? {
                    continue;
                }
                let add = |list: &mut Vec<PwAff>, value: PwAff| -> Result<()> {
                    let mut known = false;
                    for other in list.iter() {
                        known |= other.is_equal(&value)?;
                    }
                    if !known {
                        list.push(value);
                    }
                    Ok(())
                };
                add(&mut least, rest.neg()?)?;
                let extent = match extent {
                    Some(extent) => self.extent_value(extent, declared)?,
                    None => None,
                };
                if let Some(extent) = extent {
                    let space = self.loop_space(depth + 1)?;
                    let one = Val::one(self.ctx)?.neg()?;
                    let extent = extent.insert_domain(&space)?.add_constant_val(&one)?;
                    add(&mut greatest, extent.sub(&rest)?)?;
                }
            }
        }
        Ok((least, greatest))
    }

    /// The domain with static bounds in place of a bound that is data, and those of them that are
    /// functions of the parameters alone.
    pub(super) fn with_stand_ins(
        &self,
        domain: &Set,
        head: &Head<'_>,
        bounds: Vec<PwAff>,
        upper: bool,
    ) -> Result<(Set, Vec<PwAff>)> {
        let depth = domain.dim(DimType::Set)? - 1;
        let variable = self.variable(depth + 1, depth)?;
        let (least, greatest) = range(head.ctype.kind);
        let wraps =
            types::is_unsigned(head.ctype.kind) || types::narrow_range(head.ctype.kind).is_some();
        let mut bounds = bounds;
        if bounds.is_empty() || wraps {
            // The variable is compared before it is used: its greatest value is no iteration's.
            bounds.push(self.constant(depth + 1, if upper { greatest - 1 } else { least + 1 })?);
        }
        let (mut domain, mut stand_ins) = (domain.clone(), Vec::new());
        for bound in bounds {
            domain = domain.intersect(&if upper {
                variable.le_set(&bound)?
            } else {
                variable.ge_set(&bound)?
            })?;
            if !bound.involves_dims(DimType::In, 0, depth + 1)? {
                stand_ins.push(bound.project_domain_on_params()?);
            }
        }
        Ok((domain, stand_ins))
    }
}

/// The least and greatest value of an integer type, as far as 64 bits hold them.
fn range(kind: ScalarKind) -> (i64, i64) {
    match kind {
        ScalarKind::U32 => (-1, i64::from(u32::MAX)),
        ScalarKind::U64 => (-1, i64::MAX),
        ScalarKind::I64 => (i64::MIN, i64::MAX),
        _ => match types::narrow_range(kind) {
            Some((least, greatest)) => (least - 1, greatest),
            None => (i64::from(i32::MIN), i64::from(i32::MAX)),
        },
    }
}

/// A comparison with the variable alone on one side, turned so that it is on the left.
fn bound_of(condition: &Expr, symbol: SymbolId) -> Option<Bound<'_>> {
    use BinaryOp::*;
    let ExprKind::Binary(op @ (Less | LessEqual | Greater | GreaterEqual), a, b) = &condition.kind
    else {
        return None;
    };
    let is_variable = |e: &Expr| e.kind == ExprKind::Name(symbol);
    if is_variable(a) && !visit::mentions(b, symbol) {
        return Some(Bound { op: *op, value: b });
    }
    let turned = match op {
        Less => Greater,
        LessEqual => GreaterEqual,
        Greater => Less,
        _ => LessEqual,
    };
    (is_variable(b) && !visit::mentions(a, symbol)).then_some(Bound {
        op: turned,
        value: a,
    })
}

/// Whether such a comparison ends a loop with this step.
fn ends(op: BinaryOp, step: i64) -> bool {
    match op {
        BinaryOp::Less | BinaryOp::LessEqual => step > 0,
        _ => step < 0,
    }
}

/// The operands of a minimum, or of a maximum; anything else by itself.
pub(super) fn extremum(value: &Expr, smallest: bool) -> Vec<&Expr> {
    let both = |a, b| {
        let mut found = extremum(a, smallest);
        found.extend(extremum(b, smallest));
        found
    };
    match &value.kind {
        ExprKind::Call(name, arguments) => match arguments.as_slice() {
            [a, b] if purity::minmax(name) == Some(!smallest) => both(a, b),
            _ => vec![value],
        },
        ExprKind::Conditional(c, a, b) => {
            use BinaryOp::*;
            let ExprKind::Binary(op, x, y) = &c.kind else {
                return vec![value];
            };
            let straight = visit::same(x, a) && visit::same(y, b);
            let crossed = visit::same(x, b) && visit::same(y, a);
            let least = match op {
                Less | LessEqual => straight,
                Greater | GreaterEqual => crossed,
                _ => return vec![value],
            };
            if !(straight || crossed) || least != smallest {
                return vec![value];
            }
            both(a, b)
        }
        _ => vec![value],
    }
}

fn one_more(value: ScopExpr, op: BinaryOp) -> ScopExpr {
    let one = Box::new(ScopExpr::Literal("1".to_owned()));
    ScopExpr::Binary(op, Box::new(value), one)
}

/// The variable that a place begins with.
fn root(place: &Expr) -> Option<SymbolId> {
    match &place.kind {
        ExprKind::Name(symbol) => Some(*symbol),
        ExprKind::Subscript(a, _)
        | ExprKind::Field(a, _)
        | ExprKind::Arrow(a, _)
        | ExprKind::Dereference(a) => root(a),
        ExprKind::Binary(_, a, b) => root(a).or_else(|| root(b)),
        _ => None,
    }
}

/// The variables that a statement, or one below it, assigns to.
fn targets(unit: &crate::frontend::c::syntax::Unit, stmt: &Stmt) -> Vec<SymbolId> {
    let mut found = Vec::new();
    visit::expressions(unit, stmt, &mut |top| {
        visit::walk(top, &mut |e| {
            found.extend(facts::target(e).and_then(root));
        });
    });
    found
}

/// The places that a statement accesses whenever it is reached.
fn straight<'u>(
    unit: &'u crate::frontend::c::syntax::Unit,
    stmt: &'u Stmt,
    found: &mut Vec<&'u Expr>,
) {
    match &stmt.kind {
        StmtKind::Block(list) => list.iter().for_each(|s| straight(unit, s, found)),
        StmtKind::Expression(expr) => evaluated(expr, found),
        StmtKind::Declaration(symbol) => {
            if let Some(value) = &unit.symbols[*symbol].initialiser {
                evaluated(value, found);
            }
        }
        _ => {}
    }
}

fn evaluated<'u>(expr: &'u Expr, found: &mut Vec<&'u Expr>) {
    match &expr.kind {
        ExprKind::Subscript(..) => found.push(expr),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, first, _)
        | ExprKind::Conditional(first, ..) => return evaluated(first, found),
        ExprKind::SizeOf(..) | ExprKind::AddressOf(_) => return,
        _ => {}
    }
    visit::children(expr)
        .into_iter()
        .for_each(|e| evaluated(e, found));
}
