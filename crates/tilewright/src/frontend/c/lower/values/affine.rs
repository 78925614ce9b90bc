//! Affine expressions and conditions with C's exact meaning.
//!
//! An expression is a [`isl::PwAff`] over the anonymous space of the enclosing loops' variables.
//! Division truncates, remainders have the dividend's sign; what becomes of conversions and of
//! values that wrap around is said in [`crate::frontend::c::lower::values::conversion`].

use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{Lowering, NonAffine, Scope};
use crate::frontend::c::syntax::{Expr, ExprKind, SymbolId, Type};
use crate::frontend::c::types as ctext;
use crate::scop::{BinaryOp, Rounding, ScalarKind, UnaryOp};
use isl::{DimType, PwAff, Set, Val};

/// What is not affine, or isl's error.
pub(crate) type Affine<T> = Result<T, NonAffine>;

/// How deep calls of the file's own functions and definitions are followed.
pub(crate) const DEPTH: usize = 16;

/// Into how many convex pieces one condition may split a domain. Conditions with more are treated
/// like conditions on data; real ones have one to four.
const MAX_PIECES: usize = 24;

/// Least constant that may be the size of a ring, of which remainders are taken in two pieces; below
/// it is the number of buffers that take turns, or of cells that are sampled as one.
const RING: i64 = 16;

/// Above this many pieces a domain is replaced by its hull in proofs, which may then fail.
const EXACT_PIECES: usize = 4;

impl<'u> Lowering<'u> {
    /// The space of `depth` loop variables.
    pub(crate) fn loop_space(&self, depth: usize) -> isl::Result<isl::Space> {
        self.params
            .space
            .set_from_params()?
            .add_dims(DimType::Set, depth)
    }

    /// The variable of the loop at `position`.
    pub(crate) fn variable(&self, depth: usize, position: usize) -> isl::Result<PwAff> {
        let space = isl::LocalSpace::from_space(&self.loop_space(depth)?)?;
        PwAff::var_on_domain(&space, DimType::Set, position)
    }

    /// A constant over the loops.
    pub(crate) fn constant(&self, depth: usize, value: i64) -> isl::Result<PwAff> {
        let universe = Set::universe(&self.loop_space(depth)?)?;
        PwAff::val_on_domain(&universe, &Val::int_from_si(self.ctx, value)?)
    }

    /// The value of an integer expression.
    ///
    /// # Errors
    /// The sub-expression that is not affine and why.
    pub(crate) fn affine(&self, scope: &Scope, expr: &Expr) -> Affine<PwAff> {
        self.or_nothing_assumed(|| self.affine_value(scope, expr))
    }

    fn affine_value(&self, scope: &Scope, expr: &Expr) -> Affine<PwAff> {
        let not = |reason: &str| Err(NonAffine::because(expr.span, reason));
        let depth = scope.loops.len();
        match &expr.kind {
            ExprKind::Integer(value, _) => Ok(self.constant(depth, *value)?),
            ExprKind::Name(symbol) => self.affine_name(scope, expr, *symbol),
            ExprKind::Field(..) | ExprKind::Arrow(..) => match self.params.find(expr) {
                Some(id) => Ok(self.param_value(depth, id)?),
                None => self.not_constant(expr),
            },
            ExprKind::Subscript(..) | ExprKind::Dereference(_) => {
                if let Some(id) = self.params.find(expr) {
                    return Ok(self.param_value(depth, id)?);
                }
                let text = ctext::expression(expr, &self.unit.symbols);
                not(&format!("`{text}` is read from memory, its value is data"))
            }
            ExprKind::Unary(UnaryOp::Plus, a) => self.affine(scope, a),
            ExprKind::Unary(UnaryOp::Minus, a) => {
                let value = self.affine(scope, a)?.neg()?;
                self.no_wrap(scope, expr, value)
            }
            ExprKind::Unary(UnaryOp::Complement, a) => {
                let value = self.affine(scope, a)?.neg()?;
                let mut value = value.sub(&self.constant(depth, 1)?)?;
                // `~(size_t)7`: all other bits of the type.
                let kind = types::scalar_kind(self.unit, expr);
                if let Some(kind) = kind.filter(|&kind| types::is_unsigned(kind))
                    && value.is_cst()?
                {
                    let greatest = u64::MAX >> (64 - 8 * kind.bytes());
                    let all = Val::int_from_ui(self.ctx, greatest)?.add_ui(1)?;
                    value = value.add_constant_val(&all)?;
                }
                self.no_wrap(scope, expr, value)
            }
            ExprKind::Unary(UnaryOp::Not, _) => {
                Ok(self.condition(scope, expr)?.indicator_function()?)
            }
            ExprKind::Binary(op, a, b) => self.affine_binary(scope, expr, *op, a, b),
            ExprKind::Conditional(c, a, b) => {
                if let Some(param) = self.params.trips_of(expr) {
                    return Ok(self.param_value(depth, param)?);
                }
                let own = types::scalar_kind(self.unit, expr);
                let side = |scope: &Scope, e: &Expr| {
                    let value = self.affine(scope, e)?;
                    match own {
                        Some(kind) => self.convert(scope, e, value, kind),
                        None => Ok(value),
                    }
                };
                let condition = self.condition(scope, c)?;
                let then = side(&scope.within(&condition)?, a)?;
                let otherwise = side(&scope.without(&condition)?, b)?;
                Ok(condition
                    .indicator_function()?
                    .cond(&then, &otherwise)?
                    .coalesce()?)
            }
            ExprKind::Cast(Type::Scalar(to), a) => {
                if to.kind.is_float() {
                    return not("this is a floating-point value");
                }
                if to.kind.bytes() < 4 && to.kind != ScalarKind::Bool {
                    if let Ok(value) = self.low_bits(scope, a, to.kind) {
                        return Ok(value);
                    }
                }
                let value = self.affine(scope, a)?;
                self.convert(scope, a, value, to.kind)
            }
            ExprKind::Call(name, arguments) => self.affine_call(scope, expr, name, arguments),
            ExprKind::SizeOf(..) => not("`sizeof` is not evaluated here"),
            ExprKind::Assign(..) | ExprKind::Increment { .. } => {
                not("an assignment inside an expression")
            }
            ExprKind::Literal(text) => match char_value(text) {
                Some(value) => Ok(self.constant(depth, value)?),
                None => not("this is not an integer constant"),
            },
            ExprKind::Unknown(name) => not(&format!("`{name}` is not declared")),
            _ => not("this is not an integer expression of loop variables and parameters"),
        }
    }

    fn affine_name(&self, scope: &Scope, expr: &Expr, symbol: SymbolId) -> Affine<PwAff> {
        let depth = scope.loops.len();
        if let Some((_, value)) = scope.bindings.iter().rev().find(|(s, _)| *s == symbol) {
            return Ok(value.clone());
        }
        if let Some(position) = scope.position(symbol) {
            return Ok(self.variable(depth, position)?);
        }
        if let Some(id) = self.params.find(expr) {
            return Ok(self.param_value(depth, id)?);
        }
        if let Some(definition) = self.facts.definition(self.unit, symbol) {
            // Definitions nest only as deep as declarations stand in a row; guard all the same.
            let mut inner = scope.clone();
            inner.following += 1;
            if inner.following > DEPTH {
                return Err(NonAffine::because(
                    expr.span,
                    "its definition is too deeply nested",
                ));
            }
            let value = self
                .affine(&inner, definition)
                .map_err(|e| e.seen_from(expr.span))?;
            return match &self.unit.symbols[symbol].ctype {
                Type::Scalar(t) => self.convert(scope, definition, value, t.kind),
                _ => Ok(value),
            };
        }
        self.not_constant(expr)
    }

    /// Says why a variable is not a parameter.
    fn not_constant<T>(&self, expr: &Expr) -> Affine<T> {
        let text = ctext::expression(expr, &self.unit.symbols);
        let Some((root, path)) = crate::frontend::c::lower::surroundings::facts::plain_key(expr)
        else {
            return Err(NonAffine::because(expr.span, format!("`{text}` is data")));
        };
        let symbol = &self.unit.symbols[root];
        let assigned = self.facts.assigned.get(&root);
        let assigned = assigned.or_else(|| self.facts.fields.get(&(root, path)));
        if let Some(place) = assigned {
            return Err(NonAffine::because(
                expr.span,
                format!("`{text}` changes inside the region"),
            )
            .also(*place, "it is assigned here"));
        }
        if let Some(place) = self.facts.iterators.get(&root) {
            return Err(NonAffine::because(
                expr.span,
                format!("`{text}` is a loop variable, used outside its loop"),
            )
            .also(*place, "its loop"));
        }
        let reason = match types::scalar_kind(self.unit, expr) {
            Some(kind) if kind.is_float() => format!("`{text}` is a floating-point value"),
            Some(_) => format!("`{text}` gets its value from memory or a call inside the region"),
            None => format!("`{text}` is not an integer"),
        };
        Err(NonAffine::because(expr.span, reason).also(symbol.span, "declared here"))
    }

    fn param_value(&self, depth: usize, id: usize) -> isl::Result<PwAff> {
        let space = isl::LocalSpace::from_space(&self.loop_space(depth)?)?;
        PwAff::var_on_domain(&space, DimType::Param, id)
    }

    fn affine_binary(
        &self,
        scope: &Scope,
        expr: &Expr,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
    ) -> Affine<PwAff> {
        use BinaryOp::*;
        if matches!(
            op,
            Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual | And | Or
        ) {
            return Ok(self.condition(scope, expr)?.indicator_function()?);
        }
        if let Some(value) = self.masked(scope, op, a, b)? {
            return Ok(value);
        }
        let (mut x, mut y) = (self.affine(scope, a)?, self.affine(scope, b)?);
        if !matches!(op, ShiftLeft | ShiftRight) {
            (x, y) = self.operands(scope, [(a, x), (b, y)])?;
        }
        let not = |reason: String| Err(NonAffine::because(expr.span, reason));
        let value = match op {
            Add => x.add(&y)?,
            Sub => x.sub(&y)?,
            Mul => {
                if let (false, false, Some((param, factor))) = (
                    x.is_cst()?,
                    y.is_cst()?,
                    self.params.product_of(self.unit, expr),
                ) {
                    let factor = Val::int_from_si(self.ctx, factor)?;
                    let value = self.param_value(scope.loops.len(), param)?;
                    return self.no_wrap(scope, expr, value.scale_val(&factor)?);
                }
                if !x.is_cst()? && !y.is_cst()? {
                    if let Some(step) = self.step_of_a_turn(a, b) {
                        let step = ctext::expression(step, &self.unit.symbols);
                        return not(format!(
                            "this moves by `{step}` from turn to turn, which is no number"
                        ));
                    }
                    let (a, b) = (
                        ctext::expression(a, &self.unit.symbols),
                        ctext::expression(b, &self.unit.symbols),
                    );
                    return not(format!("`{a}` and `{b}` both vary, and are multiplied"));
                }
                x.mul(&y)?
            }
            Div | Rem => {
                let Some(divisor) = constant_value(&y)?.filter(|d| *d != 0) else {
                    if let Some(value) = self.wrapped(scope, op == Rem, &x, &y)? {
                        return Ok(value);
                    }
                    let b = ctext::expression(b, &self.unit.symbols);
                    return not(format!("the divisor `{b}` is not a constant"));
                };
                self.is_regular(a, &x, divisor)?;
                return Ok(self.divide(scope, op == Rem, &x, divisor)?);
            }
            ShiftLeft | ShiftRight => {
                let Some(count) = constant_value(&y)?.filter(|c| (0..63).contains(c)) else {
                    return not("the shift count is not a constant".to_owned());
                };
                let factor = Val::int_from_si(self.ctx, 1 << count)?;
                if op == ShiftRight {
                    self.is_regular(a, &x, 1 << count)?;
                }
                let known = match op {
                    ShiftRight => self.params.quotient_of(&x, 1 << count, Rounding::Down)?,
                    _ => None,
                };
                match (op, known) {
                    (ShiftLeft, _) => x.scale_val(&factor)?,
                    (_, Some(param)) => self.param_value(scope.loops.len(), param)?,
                    (_, None) => x.scale_down_val(&factor)?.floor()?,
                }
            }
            BitAnd | BitOr | BitXor => {
                let kinds = [a, b].map(|e| types::scalar_kind(self.unit, e));
                let [Some(first), Some(second)] = kinds else {
                    return not("this is not an integer".to_owned());
                };
                self.bits(scope, (expr, op), (x, y), first.common(second))?
            }
            _ => return not(format!("`{}` is not affine", op.spelling())),
        };
        self.no_wrap(scope, expr, value)
    }

    /// The step of a loop that moves by a variable, where a product is what its own variable became: as
    /// often as it turned, times that.
    fn step_of_a_turn<'e>(&self, a: &'e Expr, b: &'e Expr) -> Option<&'e Expr> {
        let turns = |e: &Expr| match &without_casts(e).kind {
            ExprKind::Name(symbol) => self.region.turns.contains(symbol),
            _ => false,
        };
        match (turns(a), turns(b)) {
            (true, false) => Some(without_casts(b)),
            (false, true) => Some(without_casts(a)),
            _ => None,
        }
    }

    /// C's `/` and `%` by a constant that is not zero.
    fn divide(
        &self,
        scope: &Scope,
        remainder: bool,
        x: &PwAff,
        divisor: i64,
    ) -> isl::Result<PwAff> {
        if let Some(param) = self.params.quotient_of(x, divisor, Rounding::Zero)? {
            let quotient = self.param_value(scope.loops.len(), param)?;
            return match remainder {
                false => Ok(quotient),
                true => x.sub(&quotient.scale_val(&Val::int_from_si(self.ctx, divisor)?)?),
            };
        }
        if divisor >= RING {
            let size = self.constant(scope.loops.len(), divisor)?;
            if let Some(value) = self.wrapped(scope, remainder, x, &size)? {
                return Ok(value);
            }
        }
        let positive = Val::int_from_si(self.ctx, divisor.saturating_abs())?;
        let negative = x.lt_set(&self.constant(scope.loops.len(), 0)?)?;
        let known = self.apart(&scope.domain, &negative)?;
        let by = self.constant(scope.loops.len(), divisor.saturating_abs())?;
        Ok(match (remainder, known) {
            (true, true) => self.modulo(scope, x.clone(), divisor.saturating_abs())?,
            (true, false) => x.tdiv_r(&by)?.coalesce()?,
            (false, _) => {
                let quotient = if known {
                    x.scale_down_val(&positive)?.floor()?
                } else {
                    x.tdiv_q(&by)?.coalesce()?
                };
                quotient.scale_val(&Val::int_from_si(self.ctx, divisor.signum())?)?
            }
        })
    }

    /// The instances for which a condition holds.
    ///
    /// # Errors
    /// The sub-expression that is not affine and why.
    pub(crate) fn condition(&self, scope: &Scope, expr: &Expr) -> Affine<Set> {
        self.loop_test(&scope.by_cases(), expr)
    }

    /// The same for a loop's condition, of which cases are no bounds.
    ///
    /// # Errors
    /// As [`Self::condition`].
    pub(crate) fn loop_test(&self, scope: &Scope, expr: &Expr) -> Affine<Set> {
        self.or_nothing_assumed(|| {
            let set = self.condition_set(scope, expr)?;
            if set.n_basic_set()? > MAX_PIECES {
                return Err(NonAffine::because(
                    expr.span,
                    "too many different cases of remainders and divisions",
                ));
            }
            Ok(set)
        })
    }

    /// [`Lowering::condition`] where nothing may be assumed for its sake: what it says only helps.
    pub(crate) fn condition_as_it_is(&self, scope: &Scope, expr: &Expr) -> Affine<Set> {
        let before = self.assumed.may_assume.replace(false);
        let result = self.condition(scope, expr);
        self.assumed.may_assume.set(before);
        result
    }

    /// What is not affine leaves no assumptions behind.
    fn or_nothing_assumed<T>(&self, find: impl FnOnce() -> Affine<T>) -> Affine<T> {
        let before = self.assumptions_so_far();
        let result = find();
        if result.is_err() {
            self.forget_assumptions_since(before);
        }
        result
    }

    /// What is assumed of the parameters, and the number of checks.
    pub(crate) fn assumptions_so_far(&self) -> (Set, usize) {
        (
            self.assumed.context.borrow().clone(),
            self.assumed.checks.borrow().len(),
        )
    }

    /// Takes back what was assumed for the sake of something that came to nothing.
    pub(crate) fn forget_assumptions_since(&self, (context, checks): (Set, usize)) {
        self.assumed.context.replace(context);
        self.assumed.checks.borrow_mut().truncate(checks);
    }

    fn condition_set(&self, scope: &Scope, expr: &Expr) -> Affine<Set> {
        use BinaryOp::*;
        match &expr.kind {
            ExprKind::Binary(And, a, b) => {
                let left = self.condition(scope, a)?;
                let right = self.condition(&scope.within(&left)?, b)?;
                Ok(left.intersect(&right)?)
            }
            ExprKind::Binary(Or, a, b) => {
                let left = self.condition(scope, a)?;
                let right = self.condition(&scope.without(&left)?, b)?;
                Ok(left.union(&right)?)
            }
            ExprKind::Unary(UnaryOp::Not, a) => Ok(self.condition(scope, a)?.complement()?),
            ExprKind::Binary(
                op @ (Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual),
                a,
                b,
            ) => {
                for side in [a, b] {
                    if types::scalar_kind(self.unit, side).is_some_and(ScalarKind::is_float) {
                        return Err(NonAffine::because(
                            side.span,
                            "this is a floating-point value",
                        ));
                    }
                }
                let (x, y) = (self.affine(scope, a)?, self.affine(scope, b)?);
                let (x, y) = self.operands(scope, [(a, x), (b, y)])?;
                let set = match op {
                    Less => x.lt_set(&y)?,
                    Greater => x.gt_set(&y)?,
                    LessEqual => x.le_set(&y)?,
                    GreaterEqual => x.ge_set(&y)?,
                    Equal => x.eq_set(&y)?,
                    _ => x.ne_set(&y)?,
                };
                let set = self.without_impossible_cases(scope, expr, [&x, &y], set)?;
                self.without_large_numbers(scope, expr, [&x, &y], set)
            }
            _ => Ok(self.affine(scope, expr)?.non_zero_set()?),
        }
    }

    /// A set restricted to what is assumed of the parameters.
    pub(crate) fn assumed(&self, set: &Set) -> isl::Result<Set> {
        let context = self.assumed.context.borrow();
        if context.plain_is_universe()? {
            return Ok(set.clone());
        }
        set.intersect_params(&context)
    }

    /// Whether two sets have nothing in common under the assumptions; may say no of complicated
    /// sets that do.
    pub(crate) fn apart(&self, domain: &Set, other: &Set) -> isl::Result<bool> {
        let domain = if domain.n_basic_set()? > EXACT_PIECES {
            Set::from_basic_set(&domain.simple_hull()?)?
        } else {
            domain.clone()
        };
        self.assumed(&domain)?.intersect(other)?.is_empty()
    }
}

/// The value of a constant.
pub(crate) fn constant_value(value: &PwAff) -> isl::Result<Option<i64>> {
    match constant_of(value)? {
        Some(constant) if constant.cmp_si(i64::MIN)? >= 0 && constant.cmp_si(i64::MAX)? <= 0 => {
            Ok(Some(constant.get_num_si()?))
        }
        _ => Ok(None),
    }
}

/// The value of an integer constant, however large.
pub(crate) fn constant_of(value: &PwAff) -> isl::Result<Option<Val>> {
    if value.n_piece()? != 1 || !value.is_cst()? || !value.isa_aff()? {
        return Ok(None);
    }
    let constant = value.as_aff()?.get_constant_val()?;
    Ok(constant.is_int()?.then_some(constant))
}

fn without_casts(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(_, inner) => without_casts(inner),
        _ => expr,
    }
}

/// The value of a plain character literal.
fn char_value(text: &str) -> Option<i64> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut chars = inner.chars();
    match (chars.next()?, chars.next()) {
        (c, None) if c.is_ascii() => Some(i64::from(c as u32)),
        ('\\', Some('0')) => Some(0),
        ('\\', Some('n')) => Some(10),
        ('\\', Some('t')) => Some(9),
        _ => None,
    }
}
