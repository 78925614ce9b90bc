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

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::loops::domain::Head;
use crate::frontend::c::lower::loops::stand_ins;
use crate::frontend::c::lower::statements::body::State;
use crate::frontend::c::lower::surroundings::changes::targets;
use crate::frontend::c::lower::surroundings::facts;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{
    Guard, Lowering, Node, NonAffine, Refusal, Result, Scope, Test, optional,
};
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Unit};
use crate::scop::{AccessKind, Action, BinaryOp, Expr as ScopExpr, ScalarKind, ScalarType};
use std::collections::HashSet;

/// One comparison of a loop's variable with something that is the same in all its iterations.
#[derive(Clone, Copy)]
pub(crate) struct Bound<'u> {
    /// With the variable on the left.
    pub op: BinaryOp,
    /// What it is compared with.
    pub value: &'u Expr,
}

/// What a loop makes of the scope around it.
pub(crate) struct Entered {
    /// The scope of its body.
    pub scope: Scope,
    /// Statements in front of it, which define its bounds.
    pub before: Vec<Node>,
}

/// What a bound is for.
#[derive(Clone, Copy)]
enum Side {
    /// A first value, and the type in which it is compared with ends.
    First(ScalarKind),
    /// An end, and how the variable is compared with it.
    End(BinaryOp),
}

/// What C does to a bound before the loop's variable is set to it or compared with it.
#[derive(Clone, Copy)]
struct Conversion {
    to: Option<ScalarKind>,
    /// The unsigned type in which a signed variable is compared, of its first value: what is
    /// negative is large there, and the loop is empty.
    compared: Option<ScalarKind>,
    /// What is larger becomes this: no `long` is, or no value of the loop's variable.
    most: Option<i64>,
    /// What is smaller becomes this, in the same way.
    least: Option<i64>,
}

/// Beyond all values of variables of 32 bits, and far from where numbers of 64 bits end.
pub(crate) const BEYOND_INT: i64 = 1 << 33;
/// Beyond all that variables of 64 bits count: no loop has so many iterations, nor an array so many
/// elements.
const BEYOND_COUNTING: i64 = 1 << 62;

impl Conversion {
    fn of(self, value: ScopExpr) -> ScopExpr {
        let kinds = self.to.into_iter().chain(self.compared);
        let value = kinds.fold(value, |value, kind| {
            let spelling = kind.c_name().to_owned();
            ScopExpr::Cast(ScalarType { kind, spelling }, Box::new(value))
        });
        let limits = [(BinaryOp::Less, self.least), (BinaryOp::Greater, self.most)];
        limits.iter().fold(value.clone(), |inside, &(op, limit)| {
            let Some(limit) = limit else {
                return inside;
            };
            let limit = || Box::new(ScopExpr::Literal(limit.to_string()));
            let beyond = ScopExpr::Binary(op, Box::new(value.clone()), limit());
            ScopExpr::Conditional(Box::new(beyond), limit(), Box::new(inside))
        })
    }
}

impl<'u> Lowering<'u> {
    /// A counted loop with the statements that define its bounds in front of it.
    pub(crate) fn counted(
        &mut self,
        scope: &Scope,
        head: &Head<'u>,
        body: &[&'u Stmt],
    ) -> Result<Vec<Node>> {
        let mut nodes = self.hoisted(scope, head, body)?;
        let Entered {
            scope: inner,
            before,
        } = self.enter(scope, head, body)?;
        nodes.extend(before);
        let body = self.block(body, &inner)?;
        // Nothing needs the bounds then, but they are statements that have a place.
        if body.is_empty() {
            return Ok(nodes);
        }
        nodes.push(Node::Loop {
            depth: scope.loops.len(),
            down: head.down(),
            body,
        });
        Ok(nodes)
    }

    /// Definitions of the bounds of perfectly nested loops below that are sums of scalars which
    /// none of these loops changes: in front of them all, the loops stay perfectly nested.
    fn hoisted(&mut self, scope: &Scope, head: &Head<'u>, body: &[&'u Stmt]) -> Result<Vec<Node>> {
        let mut nodes = Vec::new();
        let mut inside = vec![head.symbol];
        let mut inner = alone(body);
        while let Some(Stmt {
            kind:
                StmtKind::For {
                    init: Some(init),
                    condition: Some(condition),
                    body: below,
                    ..
                },
            ..
        }) = inner
        {
            let mut candidates = Vec::new();
            let symbol = match &init.kind {
                StmtKind::Declaration(symbol) => {
                    let first = self.unit.symbols[*symbol].initialiser.as_ref();
                    candidates.extend(first.map(|value| (None, value)));
                    *symbol
                }
                StmtKind::Expression(Expr {
                    kind: ExprKind::Assign(None, target, value),
                    ..
                }) => match target.kind {
                    ExprKind::Name(symbol) => {
                        candidates.push((None, &**value));
                        symbol
                    }
                    _ => break,
                },
                _ => break,
            };
            let bound = bound_of(condition, symbol);
            candidates.extend(bound.map(|bound| (Some(bound.op), bound.value)));
            inside.push(symbol);
            let counter = facts::integer_kind(self.unit, symbol);
            for (ends, value) in candidates {
                let changed = |&stmt: &&Stmt| {
                    let targets = targets(self.unit, stmt);
                    targets.iter().any(|&target| visit::mentions(value, target))
                };
                let depends = inside.iter().any(|&s| visit::mentions(value, s));
                let data = optional(self.affine(scope, value))?.is_none();
                let known = self
                    .variables
                    .predefined
                    .contains_key(&std::ptr::from_ref(value));
                if known
                    || !data
                    || depends
                    || !is_plain(self.unit, value)
                    || body.iter().any(changed)
                {
                    continue;
                }
                let wish = format!("{}_bound", self.unit.symbols[symbol].name);
                let to = counter.and_then(|counter| {
                    let side = match ends {
                        Some(op) => Side::End(op),
                        None => Side::First(self.compared_as(counter, condition, symbol)),
                    };
                    self.converted(counter, value, side)
                });
                let (node, array) = self.definition_of(scope, value, to, &wish)?;
                nodes.push(node);
                self.variables
                    .predefined
                    .insert(std::ptr::from_ref(value), (array, scope.loops.len()));
            }
            inner = alone(&[&**below]);
        }
        Ok(nodes)
    }

    /// The type to which C converts a bound, where that may change its value: a first value to the
    /// type of the loop's variable, an end to the type in which both are compared.
    /// What is farther away than any loop counts comes nearer, ends nearer than first values, so that
    /// loops over nothing stay such.
    fn converted(&self, counter: ScalarKind, value: &Expr, side: Side) -> Option<Conversion> {
        let from = types::scalar_kind(self.unit, value)?;
        let (to, first, nearer) = match side {
            Side::First(compared) => (counter, Some(compared), 0),
            Side::End(BinaryOp::Less | BinaryOp::LessEqual) => (counter.common(from), None, 1),
            Side::End(_) => (counter.common(from), None, -1),
        };
        let changes = !types::contains(to, from);
        let held = if changes { to } else { from };
        let compared = first.filter(|&kind| !types::contains(kind, held));
        let most = compared.unwrap_or(to);
        let limited = most == ScalarKind::U64
            && !matches!(from, ScalarKind::U8 | ScalarKind::U16 | ScalarKind::U32);
        let limited = limited || compared == Some(ScalarKind::U64);
        // One beyond such a bound is a number, too, and so is its negative.
        let beyond = match counter.bytes() < held.bytes() {
            true => BEYOND_INT,
            false => BEYOND_COUNTING,
        };
        let wide = held == ScalarKind::I64 && compared.is_none();
        (changes || limited || wide || compared.is_some()).then_some(Conversion {
            to: changes.then_some(to),
            compared,
            most: match limited {
                true => Some(BEYOND_COUNTING - nearer),
                false => wide.then_some(beyond - nearer),
            },
            least: wide.then_some(-beyond - nearer),
        })
    }

    /// The type in which a loop's variable is compared with its ends: an unsigned one if any is.
    fn compared_as(&self, counter: ScalarKind, condition: &Expr, symbol: SymbolId) -> ScalarKind {
        let mut kind = counter.promoted();
        let mut work = vec![condition];
        while let Some(condition) = work.pop() {
            if let ExprKind::Binary(BinaryOp::And, a, b) = &condition.kind {
                work.extend([&**a, &**b]);
            } else if let Some(bound) = bound_of(condition, symbol)
                && let Some(other) = types::scalar_kind(self.unit, bound.value)
                && types::is_unsigned(counter.common(other))
            {
                kind = kind.common(other);
            }
        }
        kind
    }

    /// A temporary for a bound, converted where C does so, and the statement that computes it.
    fn definition_of(
        &mut self,
        scope: &Scope,
        value: &'u Expr,
        conversion: Option<Conversion>,
        wish: &str,
    ) -> Result<(Node, usize)> {
        let span = value.span;
        let long = ScalarType {
            kind: ScalarKind::I64,
            spelling: "long".to_owned(),
        };
        let array = self.hoisted_array(scope, wish, long, span);
        let mut state = State::new(scope, HashSet::new().into());
        let mut value = self.value(&mut state, value)?;
        if let Some(conversion) = conversion {
            value = conversion.of(value);
        }
        let subscripts = self.leading(&state, Some(scope.loops.len()))?;
        let always = self.always(&state, array);
        let kind = AccessKind::Write;
        let target = self.add_access(&mut state, array, kind, always, subscripts, span);
        let node = self.finish(state, vec![Action::Assign { target, value }], span)?;
        Ok((node, array))
    }

    /// The comparisons that a loop's condition is made of, minima and maxima taken apart.
    ///
    /// # Errors
    /// A condition that has to be evaluated anew for every iteration; what is no bound at all, for
    /// the given reason.
    pub(crate) fn comparisons(&self, head: &Head<'u>, reason: NonAffine) -> Result<Vec<Bound<'u>>> {
        let mut found = Vec::new();
        let mut work = vec![head.condition];
        while let Some(condition) = work.pop() {
            if let ExprKind::Binary(BinaryOp::And, a, b) = &condition.kind {
                work.extend([&**b, &**a]);
                continue;
            }
            let bound = bound_of(condition, head.symbol).filter(|b| ends(b.op, !head.down()));
            let Some(bound) = bound else {
                let name = &self.unit.symbols[head.symbol].name;
                return Err(match self.is_data(condition) {
                    true => self.inductive(condition, head),
                    false => bound_help(reason.diagnose(
                        Code::NonAffineBound,
                        format!("the condition of loop `{name}` is not affine"),
                    )),
                });
            };
            let smallest = matches!(bound.op, BinaryOp::Less | BinaryOp::LessEqual);
            for value in self.extremum(bound.value, smallest, None) {
                found.push(Bound { value, ..bound });
            }
        }
        Ok(found)
    }

    /// Whether a value comes from memory, from a call, or from a variable that the region changes.
    fn is_data(&self, expr: &Expr) -> bool {
        let mut data = false;
        visit::walk(expr, &mut |e| {
            data |= match &e.kind {
                ExprKind::Subscript(..) | ExprKind::Dereference(_) | ExprKind::Call(..) => true,
                ExprKind::Name(symbol) => self.facts.assigned.contains_key(symbol),
                _ => false,
            };
        });
        data
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
    pub(crate) fn exit(
        &mut self,
        scope: &Scope,
        head: &Head<'u>,
        bound: Bound<'u>,
        body: &[&'u Stmt],
        wish: &str,
    ) -> Result<(Option<Node>, Guard)> {
        self.check_kind(scope, head, bound, body)?;
        self.check_invariant(head, bound, body)?;
        let position = scope.loops.len();
        let known = self
            .variables
            .predefined
            .get(&std::ptr::from_ref(bound.value))
            .copied();
        let (node, array, depth) = match known {
            Some((array, depth)) => (None, array, depth),
            None => {
                let counter = head.ctype.kind;
                let side = match ends(bound.op, head.down()) {
                    true => Side::First(self.compared_as(counter, head.condition, head.symbol)),
                    false => Side::End(bound.op),
                };
                let to = self.converted(counter, bound.value, side);
                let (node, array) = self.definition_of(scope, bound.value, to, wish)?;
                (Some(node), array, position)
            }
        };
        let guard = Guard {
            array,
            depth,
            test: Test::Compares(position, bound.op),
            span: bound.value.span,
        };
        Ok((node, guard))
    }

    /// The variable of a loop as the left side of its exit predicate.
    pub(crate) fn compared(&self, state: &State, position: usize) -> ScopExpr {
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
    fn check_kind(
        &self,
        scope: &Scope,
        head: &Head<'_>,
        bound: Bound<'_>,
        body: &[&'u Stmt],
    ) -> Result<()> {
        let name = &self.unit.symbols[head.symbol].name;
        let form = |message: String, label: &str, help: &str| {
            Err(Refusal::from(
                Diagnostic::error(Code::NonAffineBound, message)
                    .at(bound.value.span, label)
                    .also(head.span, "its loop")
                    .help(help),
            ))
        };
        let kind = types::scalar_kind(self.unit, bound.value);
        if let (ExprKind::Call(called, _), None) = (&bound.value.kind, kind) {
            return Err(self.unknown_call(bound.value, called));
        }
        let Some(kind) = kind.filter(|kind| !kind.is_float()) else {
            return form(
                format!("a bound of loop `{name}` is not an integer"),
                "of a type that does not count",
                "convert it to an integer, into a variable before the loop",
            );
        };
        let counter = head.ctype.kind.promoted();
        // The variable is set to a first value, and compared with ends.
        let compared = !ends(bound.op, head.down());
        let unsigned = compared && types::is_unsigned(kind.common(counter));
        if unsigned && !types::is_unsigned(counter) && !self.never_negative(scope, head, body)? {
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

    /// Whether a loop certainly begins with no negative value and counts up, or does what is
    /// undefined in C otherwise: an unsigned first value that the variable cannot hold is negative
    /// in it, and no subscript of memory.
    fn never_negative(&self, scope: &Scope, head: &Head<'_>, body: &[&'u Stmt]) -> Result<bool> {
        if head.down() {
            return Ok(false);
        }
        match optional(self.affine(scope, head.lower))? {
            Some(lower) => {
                let zero = self.constant(scope.loops.len(), 0)?;
                Ok(self.apart(&scope.domain, &lower.lt_set(&zero)?)?)
            }
            None => {
                let kind = types::scalar_kind(self.unit, head.lower);
                let kind = kind.filter(|&kind| types::is_unsigned(kind));
                let accessed = stand_ins::accessed(self.unit, body);
                let mut subscripts = accessed.iter();
                Ok(kind.is_some_and(|kind| {
                    types::contains(head.ctype.kind, kind)
                        || subscripts.any(|place| visit::mentions(place, head.symbol))
                }))
            }
        }
    }
}

fn bound_help(refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::Diagnostic(d) if d.help.is_none() => Refusal::from(d.help(
            "bounds may be sums of loop variables and integers that the region does not change, \
             or data that is compared with the loop's variable alone; \
             compute anything else into a variable before the region",
        )),
        other => other,
    }
}

/// A comparison with the variable alone on one side, turned so that it is on the left.
pub(crate) fn bound_of(condition: &Expr, symbol: SymbolId) -> Option<Bound<'_>> {
    let is_variable = |e: &Expr| e.kind == ExprKind::Name(symbol);
    let bound = bound_of_value(condition, &is_variable)?;
    (!visit::mentions(bound.value, symbol)).then_some(bound)
}

/// A comparison of something with something else, turned so that it is on the left.
pub(crate) fn bound_of_value<'e>(
    condition: &'e Expr,
    is_left: &dyn Fn(&Expr) -> bool,
) -> Option<Bound<'e>> {
    use BinaryOp::*;
    let ExprKind::Binary(op @ (Less | LessEqual | Greater | GreaterEqual), a, b) = &condition.kind
    else {
        return None;
    };
    if is_left(a) {
        return Some(Bound { op: *op, value: b });
    }
    let turned = match op {
        Less => Greater,
        LessEqual => GreaterEqual,
        Greater => Less,
        _ => LessEqual,
    };
    is_left(b).then_some(Bound {
        op: turned,
        value: a,
    })
}

/// Whether such a comparison ends a loop that counts up, or down.
pub(crate) fn ends(op: BinaryOp, up: bool) -> bool {
    match op {
        BinaryOp::Less | BinaryOp::LessEqual => up,
        _ => !up,
    }
}

/// The only statement of a block, and of the blocks that it is.
pub(crate) fn alone<'u>(body: &[&'u Stmt]) -> Option<&'u Stmt> {
    let [only] = body else { return None };
    match &only.kind {
        StmtKind::Block(list) => alone(&list.iter().collect::<Vec<_>>()),
        _ => Some(only),
    }
}

/// Whether an expression is a sum of integer variables and constants, which can be computed at any
/// time.
fn is_plain(unit: &Unit, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Integer(..) => true,
        ExprKind::Name(symbol) => facts::integer_kind(unit, *symbol).is_some(),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
            is_plain(unit, a) && is_plain(unit, b)
        }
        _ => false,
    }
}
