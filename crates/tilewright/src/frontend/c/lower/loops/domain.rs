//! The values that a loop's variable takes.
//!
//! With a constant step `s` from the first value `l`, the candidates are `l, l + s, …`; the loop
//! takes those before the first for which the condition does not hold. For the usual conditions
//! that is the same as the candidates for which it holds.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::c::lower::loops::dynamic::{Bound, Entered};
use crate::frontend::c::lower::loops::stand_ins;
use crate::frontend::c::lower::optional;
use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::conversion::SMALL_STEP;
use crate::frontend::c::lower::values::{affine, types};
use crate::frontend::c::lower::{LoopVar, Lowering, NonAffine, Refusal, Result, Scope};
use crate::frontend::c::syntax::{Expr, ExprKind, Stmt, StmtKind, SymbolId, Type};
use crate::frontend::c::types as ctext;
use crate::scop::{BinaryOp, CheckKind, Iterator, ScalarKind, ScalarType};
use crate::source::Span;
use isl::{DimType, PwAff, Set, Val};

/// The head of a counted loop.
pub(crate) struct Head<'u> {
    pub symbol: SymbolId,
    /// The name of its dimension.
    pub name: String,
    pub ctype: ScalarType,
    pub lower: &'u Expr,
    pub condition: &'u Expr,
    pub step: i64,
    /// Its body may end the program, or never end itself.
    pub may_end: bool,
    pub span: Span,
}

impl Head<'_> {
    /// Whether it counts down.
    pub fn down(&self) -> bool {
        self.step < 0
    }
}

impl<'u> Lowering<'u> {
    /// Reads the head of a `for` loop.
    pub(crate) fn head(
        &mut self,
        scope: &Scope,
        stmt: &'u Stmt,
        init: Option<&'u Stmt>,
        condition: Option<&'u Expr>,
        step: Option<&'u Expr>,
    ) -> Result<Head<'u>> {
        let form = |span: Span, message: &str, label: &str| {
            Refusal::from(
                Diagnostic::error(Code::LoopForm, message)
                    .at(span, label)
                    .help(
                        "a loop needs a variable, a bound and a constant step: \
                         `for (int i = 0; i < n; i++)`",
                    ),
            )
        };
        let word = Span::new(stmt.span.start, stmt.span.start + "for".len());
        // What was another loop in the text begins with its own word.
        let head_span = match init {
            Some(init) if init.span.start == stmt.span.start => init.span,
            _ => word,
        };
        let Some(init) = init.filter(|s| s.kind != StmtKind::Empty) else {
            return Err(Refusal::from(self.goes_on(head_span, condition, step)));
        };
        let (symbol, lower) = match &init.kind {
            StmtKind::Declaration(symbol) => match &self.unit.symbols[*symbol].initialiser {
                Some(value) => (*symbol, value),
                None => {
                    return Err(form(init.span, "the loop variable has no first value", ""));
                }
            },
            StmtKind::Expression(Expr {
                kind: ExprKind::Assign(None, target, value),
                ..
            }) => match &target.kind {
                ExprKind::Name(symbol) => (*symbol, &**value),
                _ => return Err(form(target.span, "the loop variable is not a variable", "")),
            },
            _ => {
                return Err(form(
                    init.span,
                    "the loop does not begin with one assignment to its variable",
                    "",
                ));
            }
        };
        let name = self.unit.symbols[symbol].name.clone();
        let ctype = match &self.unit.symbols[symbol].ctype {
            Type::Scalar(t) if !t.kind.is_float() => t.clone(),
            Type::Scalar(t) => {
                let message = format!("the loop variable `{name}` is not an integer");
                return Err(form(init.span, &message, &t.spelling));
            }
            _ => {
                let message = format!("the loop variable `{name}` is not an integer");
                return Err(form(init.span, &message, ""));
            }
        };
        if scope.position(symbol).is_some() {
            let message = format!("`{name}` is the variable of an outer loop already");
            return Err(form(init.span, &message, "set again here"));
        }
        if let Some(place) = self.facts.assigned.get(&symbol) {
            return Err(Refusal::from(
                Diagnostic::error(
                    Code::LoopForm,
                    format!("the loop variable `{name}` is assigned in the region"),
                )
                .at(*place, "assigned here")
                .also(head_span, "its loop")
                .help(
                    "let only the loop's head change it; give other uses a variable of their own",
                ),
            ));
        }
        let Some(condition) = condition else {
            return Err(form(
                head_span,
                "the loop has no condition",
                "without an end",
            ));
        };
        let Some(step) = step else {
            return Err(form(head_span, "the loop has no step", "`for (…; …; )`"));
        };
        let Some(by) = self.step(scope, symbol, step)? else {
            let message = format!("the loop does not change `{name}` by a constant");
            return Err(form(step.span, &message, "not a constant step"));
        };
        if by == 0 {
            return Err(form(step.span, "the loop's step is zero", ""));
        }
        Ok(Head {
            symbol,
            name,
            ctype,
            lower,
            condition,
            step: by,
            may_end: stand_ins::ends(stmt),
            span: head_span,
        })
    }

    pub(crate) fn step(&self, scope: &Scope, symbol: SymbolId, step: &Expr) -> Result<Option<i64>> {
        let is_variable = |e: &Expr| e.kind == ExprKind::Name(symbol);
        let (amount, sign) = match &step.kind {
            ExprKind::Increment { target, by, .. } => {
                return Ok(is_variable(target).then_some(*by));
            }
            ExprKind::Assign(op, target, value) if is_variable(target) => match (op, &value.kind) {
                (Some(BinaryOp::Add), _) => (&**value, 1),
                (Some(BinaryOp::Sub), _) => (&**value, -1),
                (None, ExprKind::Binary(BinaryOp::Add, a, b)) if is_variable(a) => (&**b, 1),
                (None, ExprKind::Binary(BinaryOp::Add, a, b)) if is_variable(b) => (&**a, 1),
                (None, ExprKind::Binary(BinaryOp::Sub, a, b)) if is_variable(a) => (&**b, -1),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let Some(value) = optional(self.affine(scope, amount))? else {
            return Ok(None);
        };
        Ok(affine::constant_value(&value)?.map(|v| v * sign))
    }

    /// The scope of a loop's body.
    ///
    /// # Errors
    /// Conditions that have to be evaluated in every iteration, loops without an end, variables
    /// that would wrap around.
    pub(crate) fn enter(
        &mut self,
        scope: &Scope,
        head: &Head<'u>,
        body: &[&'u Stmt],
    ) -> Result<Entered> {
        let name = self.unit.symbols[head.symbol].name.clone();
        let depth = scope.loops.len();
        let variable = self.variable(depth + 1, depth)?;
        let up = !head.down();
        let mut candidates = scope.domain.add_dims(DimType::Set, 1)?;
        // First values that are data, and whether others are not.
        let mut first = Vec::new();
        let mut first_affine = false;
        let first_value = |value: &Expr| {
            let known = self.affine(scope, value)?;
            self.convert(scope, value, known, head.ctype.kind)
        };
        let parts = match optional(first_value(head.lower))? {
            Some(_) => vec![head.lower],
            None => self.extremum(head.lower, !up, Some(head.ctype.kind)),
        };
        let mut counts = (1..=SMALL_STEP).contains(&head.step);
        for value in parts {
            let Some(lower) = optional(first_value(value))? else {
                first.push(value);
                continue;
            };
            first_affine = true;
            counts &= affine::constant_value(&lower)?
                .is_some_and(|first| (0..=i64::from(i32::MAX)).contains(&first));
            let lower = lower.add_dims(DimType::In, 1)?;
            candidates = candidates.intersect(&if up {
                variable.ge_set(&lower)?
            } else {
                variable.le_set(&lower)?
            })?;
            if head.step.abs() > 1 {
                let modulus = Val::int_from_si(self.ctx, head.step.abs())?;
                candidates =
                    candidates.intersect(&variable.sub(&lower)?.mod_val(&modulus)?.zero_set()?)?;
            }
        }
        if let (Some(value), true) = (first.first(), head.step.abs() > 1) {
            return Err(Refusal::from(
                Diagnostic::error(
                    Code::NonAffineBound,
                    format!("the values of loop `{name}` are not affine"),
                )
                .at(
                    value.span,
                    format!("this is data, and `{name}` moves by {}", head.step),
                )
                .help("let the loop begin with 0, and add its first value in the subscripts"),
            ));
        }
        if types::is_unsigned(head.ctype.kind) {
            // It has no other values; that it does not wrap around is checked below.
            let zero = self.constant(depth + 1, 0)?;
            candidates = candidates.intersect(&variable.ge_set(&zero)?)?;
        }
        let mut inner = scope.clone();
        inner.loops.push(LoopVar {
            symbol: head.symbol,
            iterator: Iterator {
                name: head.name.clone(),
                ctype: head.ctype.clone(),
            },
            counts: counts && first.is_empty(),
        });
        for (_, value) in &mut inner.bindings {
            *value = value.add_dims(DimType::In, 1)?;
        }
        inner.domain = candidates.clone();
        let mut range = types::range(head.ctype.kind);
        let mut whole = self.loop_condition(&inner, head.condition, head);
        if let (true, Err(NonAffine::Because(_)), Some((least, greatest))) = (up, &whole, range) {
            // Sums with the variable may wrap around where no iteration is: below half of the range
            // they do not, and that it ends there is checked below.
            let mut half = inner.clone();
            let greatest = greatest / 2;
            half.domain = candidates.upper_bound_val(
                DimType::Set,
                depth,
                &Val::read_from_str(self.ctx, &greatest.to_string())?,
            )?;
            if let Ok(found) = self.loop_condition(&half, head.condition, head) {
                whole = Ok(found);
                range = Some((least, greatest));
            }
        }
        let whole = match whole {
            Ok(found) => Ok(found),
            Err(NonAffine::Isl(error)) => return Err(error.into()),
            Err(reason) => Err(reason),
        };
        let mut last = Vec::new();
        let mut last_affine = false;
        let (holds, plain) = match whole {
            Ok(found) => found,
            Err(reason) => {
                let mut holds = Set::universe(&self.loop_space(depth + 1)?)?;
                for bound in self.comparisons(head, reason)? {
                    match optional(self.compared_with(&inner, head, bound.value))? {
                        Some(value) => {
                            last_affine = true;
                            holds = holds.intersect(&match bound.op {
                                BinaryOp::Less => variable.lt_set(&value)?,
                                BinaryOp::LessEqual => variable.le_set(&value)?,
                                BinaryOp::Greater => variable.gt_set(&value)?,
                                _ => variable.ge_set(&value)?,
                            })?;
                        }
                        None => last.push(bound),
                    }
                }
                (holds, true)
            }
        };
        inner.domain = candidates.intersect(&holds)?;
        for bound in &last {
            // What is above an unsigned number is above zero.
            let kind = types::scalar_kind(self.unit, bound.value);
            let unsigned = kind.is_some_and(|k| types::is_unsigned(k.common(head.ctype.kind)));
            if unsigned && bound.op == BinaryOp::Greater {
                let one = self.constant(depth + 1, 1)?;
                inner.domain = inner.domain.intersect(&variable.ge_set(&one)?)?;
            }
        }
        // Sides on which nothing but data bounds the loop.
        let (begins, ends) = (
            !first.is_empty() && !first_affine,
            !last.is_empty() && !last_affine,
        );
        let (below, above) = if up { (begins, ends) } else { (ends, begins) };
        let mut stand_ins = (Vec::new(), Vec::new());
        if below || above {
            let (mut least, mut greatest) = self.subscripted(&inner, head, body)?;
            for bound in &last {
                let known = self.assumed_bounds(&inner, *bound)?;
                if up { &mut greatest } else { &mut least }.extend(known);
            }
            for (wanted, bounds, upper) in [(below, least, false), (above, greatest, true)] {
                if wanted {
                    let (domain, found) =
                        self.with_stand_ins(&inner.domain, head, bounds, upper)?;
                    inner.domain = domain;
                    match upper {
                        true => stand_ins.1 = found,
                        false => stand_ins.0 = found,
                    }
                }
            }
        }
        let mut before = Vec::new();
        let op = if up {
            BinaryOp::GreaterEqual
        } else {
            BinaryOp::LessEqual
        };
        let first = first
            .into_iter()
            .map(|value| (Bound { op, value }, "begin"));
        let last = last.into_iter().map(|bound| (bound, "end"));
        for (bound, side) in first.chain(last) {
            let wish = format!("{name}_{side}");
            let (node, guard) = self.exit(scope, head, bound, body, &wish)?;
            let upper = matches!(bound.op, BinaryOp::Less | BinaryOp::LessEqual);
            let known = if upper { &stand_ins.1 } else { &stand_ins.0 };
            // The same static bounds must follow from it wherever it is tested.
            let all = self
                .variables
                .bounds
                .entry(guard.array)
                .or_insert_with(|| known.clone());
            let mut kept = Vec::new();
            for bound in all.iter() {
                for other in known {
                    if bound.is_equal(other)? {
                        kept.push(bound.clone());
                        break;
                    }
                }
            }
            *all = kept;
            before.extend(node);
            inner.guards.push(guard);
        }
        if !plain {
            // What comes after a value for which the condition fails is not executed.
            let order = later(self.ctx, depth, up)?;
            let after = candidates.subtract(&holds)?.apply(&order)?;
            inner.domain = inner.domain.subtract(&after)?;
        }
        inner.domain = inner.domain.coalesce()?;
        inner.entered = Some(inner.domain.params()?);
        let bounded = if up {
            inner.domain.dim_has_upper_bound(DimType::Set, depth)?
        } else {
            inner.domain.dim_has_lower_bound(DimType::Set, depth)?
        };
        if !bounded && !inner.domain.is_empty()? {
            return Err(Refusal::from(
                Diagnostic::error(
                    Code::LoopForm,
                    format!("the condition does not end loop `{name}`"),
                )
                .at(
                    head.condition.span,
                    format!("`{name}` counts {}", if up { "up" } else { "down" }),
                )
                .help("compare the loop variable with a bound that it comes to"),
            ));
        }
        self.check_range(&inner, head, &name, range)?;
        Ok(Entered {
            scope: inner,
            before,
        })
    }

    /// The condition as a set, and whether it holds for all values before the last.
    fn loop_condition(
        &self,
        scope: &Scope,
        condition: &Expr,
        head: &Head<'_>,
    ) -> affine::Affine<(Set, bool)> {
        use BinaryOp::*;
        let ExprKind::Binary(op, a, b) = &condition.kind else {
            let plain = !visit::mentions(condition, head.symbol);
            return Ok((self.loop_test(scope, condition)?, plain));
        };
        if *op == And {
            let (left, p) = self.loop_condition(scope, a, head)?;
            let (right, q) = self.loop_condition(scope, b, head)?;
            return Ok((left.intersect(&right)?, p && q));
        }
        let is_variable = |e: &Expr| e.kind == ExprKind::Name(head.symbol);
        let op = if is_variable(a) && !visit::mentions(b, head.symbol) {
            *op
        } else if is_variable(b) && !visit::mentions(a, head.symbol) {
            match op {
                Less => Greater,
                Greater => Less,
                LessEqual => GreaterEqual,
                GreaterEqual => LessEqual,
                other => *other,
            }
        } else {
            let plain = !visit::mentions(condition, head.symbol);
            return Ok((self.loop_test(scope, condition)?, plain));
        };
        let up = !head.down();
        match op {
            Less | LessEqual if up => Ok((self.loop_test(scope, condition)?, true)),
            Greater | GreaterEqual if !up => Ok((self.loop_test(scope, condition)?, true)),
            // Alone, `!=` ends the loop or nothing does: counting past the bound would overflow,
            // which does not happen, unless the program ends before.
            NotEqual if std::ptr::eq(condition, head.condition) => {
                let bound = if is_variable(a) { b } else { a };
                let value = self.affine(scope, bound)?;
                let kind = types::scalar_kind(self.unit, bound);
                let bound = match kind {
                    Some(kind) => {
                        let common = kind.common(head.ctype.kind);
                        self.convert(scope, bound, value, common)?
                    }
                    None => value,
                };
                let variable = self.variable(scope.loops.len(), scope.loops.len() - 1)?;
                if types::is_unsigned(head.ctype.kind)
                    || head.ctype.kind.bytes() < 4
                    || head.may_end
                {
                    let past = if up {
                        variable.gt_set(&bound)?
                    } else {
                        variable.lt_set(&bound)?
                    };
                    // Steps that lead past the bound do not meet it either.
                    let step = Val::int_from_si(self.ctx, head.step.abs())?;
                    let rest = bound.sub(&variable)?.mod_val(&step)?;
                    let past = past.union(&rest.non_zero_set()?)?;
                    let lower = self.affine(scope, head.lower)?;
                    let lower = self.convert(scope, head.lower, lower, head.ctype.kind)?;
                    let first = variable.eq_set(&lower)?.intersect(&past)?;
                    let behind = first.intersect(&self.possible(scope)?)?.params()?;
                    let ranges = self.ranges()?;
                    let good = ranges.subtract(&behind)?.coalesce()?.gist(&ranges)?;
                    let why = match head.step.abs() {
                        1 => format!("`{}` does not begin behind its bound", head.name),
                        _ => format!("`{}` meets its bound", head.name),
                    };
                    if !behind.is_empty()?
                        && !self.assume_at_run_time(CheckKind::Ends, condition.span, why, &good)?
                    {
                        return Err(NonAffine::because(
                            condition.span,
                            "the variable may begin behind the bound, or step past it, and would \
                             wrap around",
                        ));
                    }
                }
                let holds = if up {
                    variable.lt_set(&bound)?
                } else {
                    variable.gt_set(&bound)?
                };
                Ok((holds, true))
            }
            _ => Ok((self.loop_test(scope, condition)?, false)),
        }
    }

    /// A bound in the type in which C compares it with the loop's variable, which keeps its own
    /// values there.
    fn compared_with(&self, inner: &Scope, head: &Head<'_>, bound: &Expr) -> affine::Affine<PwAff> {
        let value = self.affine(inner, bound)?;
        let Some(kind) = types::scalar_kind(self.unit, bound) else {
            return Ok(value);
        };
        let common = kind.common(head.ctype.kind);
        let depth = inner.loops.len();
        let negative = self
            .variable(depth, depth - 1)?
            .lt_set(&self.constant(depth, 0)?)?;
        if !types::contains(common, head.ctype.kind)
            && !negative.intersect(&self.possible(inner)?)?.is_empty()?
        {
            let reason = "C converts negative values of the variable to compare them with this";
            return Err(NonAffine::because(bound.span, reason));
        }
        self.convert(inner, bound, value, common)
    }

    /// Variables of narrow and unsigned types must not wrap around on their way.
    fn check_range(
        &self,
        inner: &Scope,
        head: &Head<'_>,
        name: &str,
        range: Option<(i128, i128)>,
    ) -> Result<()> {
        let whole = range == types::range(head.ctype.kind);
        if whole && matches!(head.ctype.kind, ScalarKind::I32 | ScalarKind::I64) {
            return Ok(());
        }
        let Some(range) = range else { return Ok(()) };
        if self.stays(inner, head.span, name, head.step, range)? {
            return Ok(());
        }
        Err(Refusal::from(
            Diagnostic::error(
                Code::LoopForm,
                format!("the loop variable `{name}` may leave the range of its type"),
            )
            .at(
                head.condition.span,
                format!("`{name}` is of type `{}`", head.ctype.spelling),
            )
            .also(head.span, "this loop")
            .note("it would wrap around, and the loop would go on")
            .help("use a signed type of at least 32 bits for loop variables"),
        ))
    }

    /// Loop variables from outside the region keep a value behind it; nobody may read it.
    pub(crate) fn check_iterators_after(&mut self) {
        let mut found = Vec::new();
        for (&symbol, &place) in &self.facts.iterators {
            let s = &self.unit.symbols[symbol];
            if matches!(s.scope, crate::frontend::c::syntax::Scope::Region(_)) {
                continue;
            }
            if let Some(read) = self.read_after(symbol) {
                found.push(
                    Diagnostic::error(
                        Code::LoopForm,
                        format!("the loop variable `{}` is used after the region", s.name),
                    )
                    .at(read, "used here")
                    .also(Span::new(place.start, place.start + "for".len()), "its loop")
                    .help(format!(
                        "declare it in the loop's head, and set another variable for what comes after (`{} = …`)",
                        s.name
                    )),
                );
            }
        }
        self.messages.errors.extend(found);
    }

    /// What `expr` is called in a message about conditions.
    pub(crate) fn quoted(&self, expr: &Expr) -> String {
        format!("`{}`", ctext::expression(expr, &self.unit.symbols))
    }
}

/// From loop values to themselves and later ones: the last of `depth + 1` dimensions grows, or
/// falls.
fn later(ctx: &isl::Ctx, depth: usize, up: bool) -> isl::Result<isl::Map> {
    let outer: Vec<String> = (0..depth).map(|d| format!("o{d}, ")).collect();
    let outer = outer.concat();
    let relation = if up { ">=" } else { "<=" };
    isl::Map::read_from_str(
        ctx,
        &format!("{{ [{outer}i] -> [{outer}j] : j {relation} i }}"),
    )
}
