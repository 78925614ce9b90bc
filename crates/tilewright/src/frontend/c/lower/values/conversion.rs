//! Conversions and wrapping: where the value of an integer expression is what isl computes for it.
//!
//! Everything in [`crate::frontend::c::lower::values::affine`] rests on these laws:
//!
//! 1. Every expression has a C type (`types::scalar_kind`). Its operands are converted to the type
//!    in which C computes, and the result is a value of that type.
//! 2. Signed arithmetic that leaves its type is undefined: it does not happen, and the integer is
//!    the value.
//! 3. Unsigned arithmetic and all conversions give a value modulo 2^bits. Where the integer is in
//!    the range of the type on the whole domain, it is the value.
//! 4. Where it may be outside for some parameters only, it is the value under a condition on
//!    parameters, which is compared when the program runs
//!    ([`Lowering::assume_at_run_time`]): but only a condition that sizes such as 1000 may meet. An
//!    expression that fails leaves no conditions behind.
//!    In a condition a value that varies with the loops and may leave the range by less than one
//!    turn is given by cases instead.
//! 5. The lowest bits of a value need no range: sums, differences and products are exact modulo
//!    any power of two up to that of their type ([`Lowering::residue`]).
//! 6. Anything else is not affine: the expression is data, and C computes it as it is written.

use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::lower::values::affine::{Affine, constant_of, constant_value};
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{Lowering, NonAffine, Scope};
use crate::frontend::c::syntax::Expr;
use crate::frontend::c::types as ctext;
use crate::mistakes::mistake;
use crate::scop::checks::LARGEST;
use crate::scop::{CheckKind, ScalarKind};
use crate::source::Span;
use isl::{DimType, PwAff, Set, Val};

/// Sizes that conditions on parameters must leave possible, the least and the greatest.
const USUAL_SIZES: (i64, i64) = (1 << 10, 1 << 12);

/// Values of more pieces are not split once more.
const MAX_CASES: usize = 4;

/// Loop variables of 64 bits that count up from a constant by steps of at most [`SMALL_STEP`] stay
/// below: nothing runs for so long.
const COUNTED: i128 = 1 << 56;

/// See [`COUNTED`].
pub(crate) const SMALL_STEP: i64 = 1 << 8;

impl Lowering<'_> {
    /// Converts the value of an expression to an integer type.
    ///
    /// # Errors
    /// That C would change the value.
    pub(crate) fn convert(
        &self,
        scope: &Scope,
        expr: &Expr,
        value: PwAff,
        to: ScalarKind,
    ) -> Affine<PwAff> {
        if to == ScalarKind::Bool {
            return Ok(value.non_zero_set()?.indicator_function()?);
        }
        if mistake!(ConversionsAsIdentity) && to.bytes() >= 4 {
            return Ok(value);
        }
        let from = types::scalar_kind(self.unit, expr);
        if from.is_some_and(|from| types::contains(to, from)) {
            return Ok(value);
        }
        self.in_range(scope, expr, value, to)
    }

    /// The value of an operator in its own type: what isl computes, where that does not wrap around.
    ///
    /// # Errors
    /// That it may.
    pub(crate) fn no_wrap(&self, scope: &Scope, expr: &Expr, value: PwAff) -> Affine<PwAff> {
        match types::scalar_kind(self.unit, expr) {
            Some(kind) if types::is_unsigned(kind) => self.in_range(scope, expr, value, kind),
            _ => Ok(value),
        }
    }

    /// Operands in the type to which C converts both.
    ///
    /// # Errors
    /// That C would change the value of one.
    pub(crate) fn operands(
        &self,
        scope: &Scope,
        operands: [(&Expr, PwAff); 2],
    ) -> Affine<(PwAff, PwAff)> {
        let [(a, x), (b, y)] = operands;
        let kinds = (
            types::scalar_kind(self.unit, a),
            types::scalar_kind(self.unit, b),
        );
        let (Some(first), Some(second)) = kinds else {
            return Ok((x, y));
        };
        let common = first.common(second);
        if common.is_float() {
            return Err(NonAffine::because(a.span, "this is a floating-point value"));
        }
        let one = |expr: &Expr, value: PwAff, from: ScalarKind| match types::contains(common, from)
        {
            true => Ok(value),
            false => self.in_range(scope, expr, value, common),
        };
        Ok((one(a, x, first)?, one(b, y, second)?))
    }

    /// A value that C computes modulo the range of a type: laws 3, 4 and 6.
    fn in_range(
        &self,
        scope: &Scope,
        expr: &Expr,
        value: PwAff,
        kind: ScalarKind,
    ) -> Affine<PwAff> {
        let Some((least, greatest)) = types::range(kind) else {
            return Ok(value);
        };
        let greatest = match mistake!(NoWrapUpwards) {
            true => i128::MAX,
            false => greatest,
        };
        let (least, greatest) = (self.number(least)?, self.number(greatest)?);
        if let Some(constant) = constant_of(&value)? {
            if constant.ge(&least)? && constant.le(&greatest)? {
                return Ok(value);
            }
            let count = greatest.sub(&least)?.add_ui(1)?;
            let wrapped = constant.sub(&least)?.mod_(&count)?.add(&least)?;
            return Ok(PwAff::val_on_domain(&value.domain()?, &wrapped)?);
        }
        let Some(good) = self.good(scope, &value, (&least, &greatest))? else {
            return Ok(value);
        };
        if mistake!(AssumedNotToWrap) {
            self.take_as_given(&good)?;
            return Ok(value);
        }
        // In conditions a check of data such as `(unsigned)(x + k) < n` is meant to wrap around.
        if scope.cases && value.involves_dims(DimType::In, 0, scope.loops.len())? {
            if let Some(cases) = self.one_turn(scope, &value, (&least, &greatest))? {
                return Ok(cases);
            }
        }
        let text = ctext::expression(expr, &self.unit.symbols);
        let why = format!("`{text}` does not wrap around");
        if self.leaves_usual_sizes(&good)?
            && self.assume_at_run_time(CheckKind::Wrap, expr.span, why, &good)?
        {
            return Ok(value);
        }
        Err(NonAffine::because(
            expr.span,
            format!(
                "`{text}` may leave the range of `{}`, and wraps around there",
                kind.c_name()
            ),
        ))
    }

    /// A value that leaves a range by less than one turn, by cases; `None` where it may be farther
    /// away.
    fn one_turn(
        &self,
        scope: &Scope,
        value: &PwAff,
        (least, greatest): (&Val, &Val),
    ) -> isl::Result<Option<PwAff>> {
        if value.n_piece()? > MAX_CASES {
            return Ok(None);
        }
        let turn = greatest.sub(least)?.add_ui(1)?;
        let universe = Set::universe(&self.loop_space(scope.loops.len())?)?;
        let bound = |value: &Val| PwAff::val_on_domain(&universe, value);
        let possible = self.possible(scope)?;
        let impossible = |set: &Set| possible.intersect(set)?.is_empty();
        let (low, high) = (bound(least)?, bound(greatest)?);
        let far = value.lt_set(&bound(&least.sub(&turn)?)?)?;
        let other = value.gt_set(&bound(&greatest.add(&turn)?)?)?;
        if !impossible(&far.union(&other)?)? {
            return Ok(None);
        }
        let mut cases = value.clone();
        for (outside, turn) in [
            (value.lt_set(&low)?, turn.clone()),
            (value.gt_set(&high)?, turn.neg()?),
        ] {
            if !impossible(&outside)? {
                let outside = outside.indicator_function()?;
                cases = outside.cond(&cases.add_constant_val(&turn)?, &cases)?;
            }
        }
        Ok(Some(cases.coalesce()?))
    }

    /// A comparison of values that are given by cases, without the cases of which there are no
    /// instances.
    pub(crate) fn without_impossible_cases(
        &self,
        scope: &Scope,
        expr: &Expr,
        sides: [&PwAff; 2],
        set: Set,
    ) -> Affine<Set> {
        if set.n_basic_set()? < 2 || sides[0].n_piece()? < 2 && sides[1].n_piece()? < 2 {
            return Ok(set);
        }
        let possible = self.possible(scope)?;
        let mut kept = Set::empty(&set.get_space()?)?;
        for piece in set.get_basic_set_list()?.to_vec()? {
            let piece = Set::from_basic_set(&piece)?;
            if !piece.intersect(&possible)?.is_empty()? {
                kept = kept.union(&piece)?;
            }
        }
        let mut kinds = visit::children(expr).map(|e| types::scalar_kind(self.unit, e));
        if kept.n_basic_set()? > 1 && kinds.any(|kind| kind == Some(ScalarKind::U64)) {
            return Err(NonAffine::because(
                expr.span,
                "cases that are 64 bits apart",
            ));
        }
        Ok(kept.coalesce()?)
    }

    /// A comparison with a number that nothing else in the compiler can hold, which is always true
    /// or never.
    pub(crate) fn without_large_numbers(
        &self,
        scope: &Scope,
        expr: &Expr,
        sides: [&PwAff; 2],
        set: Set,
    ) -> Affine<Set> {
        let mut large = false;
        for side in sides {
            large |= constant_of(side)?.is_some() && constant_value(side)?.is_none();
        }
        if !large {
            return Ok(set);
        }
        let all = Set::universe(&self.loop_space(scope.loops.len())?)?;
        let possible = self.possible(scope)?;
        if possible.intersect(&set)?.is_empty()? {
            return Ok(all.complement()?);
        }
        match possible.is_subset(&set)? {
            true => Ok(all),
            false => Err(NonAffine::because(
                expr.span,
                "a number of more than 63 bits",
            )),
        }
    }

    /// Whether a loop's variable, and its value behind the last iteration, has no value outside of a
    /// range, if need be under a condition: a loop whose variable wraps around does not come to its
    /// end.
    pub(crate) fn stays(
        &self,
        scope: &Scope,
        span: Span,
        name: &str,
        step: i64,
        (least, greatest): (i128, i128),
    ) -> isl::Result<bool> {
        let depth = scope.loops.len();
        // What is asked for may be outside of the range of its type.
        let variable = self.variable(depth, depth - 1)?;
        let next = variable.add(&self.constant(depth, step)?)?;
        let counts = scope.loops.last().is_some_and(|last| last.counts);
        for value in [variable, next] {
            if counts && greatest > COUNTED && least <= 0 {
                continue;
            }
            let range = (&self.number(least)?, &self.number(greatest)?);
            if let Some(good) = self.good(scope, &value, range)? {
                let why = format!("`{name}` does not wrap around");
                let some = !self.possible(scope)?.intersect_params(&good)?.is_empty()?;
                if !some || !self.assume_at_run_time(CheckKind::Wrap, span, why, &good)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn number(&self, value: i128) -> isl::Result<Val> {
        Val::read_from_str(self.ctx, &value.to_string())
    }

    /// The parameters for which a value is nowhere out of a range; `None` where that is all that
    /// are possible.
    fn good(
        &self,
        scope: &Scope,
        value: &PwAff,
        (least, greatest): (&Val, &Val),
    ) -> isl::Result<Option<Set>> {
        let universe = Set::universe(&self.loop_space(scope.loops.len())?)?;
        let bound = |value: &Val| PwAff::val_on_domain(&universe, value);
        let outside = value
            .lt_set(&bound(least)?)?
            .union(&value.gt_set(&bound(greatest)?)?)?;
        let bad = self.possible(scope)?.intersect(&outside)?;
        match bad.is_empty()? {
            true => Ok(None),
            false => {
                // In the fewest pieces, whatever is said of values that no parameter has.
                let ranges = self.ranges()?;
                let mut bad = bad;
                let mut possible = ranges.clone();
                if greatest.gt(&Val::int_from_si(self.ctx, i64::MAX)?)? {
                    // Numbers of 64 bits are compared with a limit of their own.
                    let above = bad.intersect(&value.gt_set(&bound(greatest)?)?)?;
                    if !above.is_empty()? {
                        possible = self.without_large_parameters(&above)?;
                        bad = bad.intersect_params(&possible)?;
                    }
                }
                let good = possible.subtract(&bad.params()?)?.coalesce()?;
                Ok(Some(self.reached(scope, &good)?.gist(&ranges)?))
            }
        }
    }

    /// The convex parts of a set of parameters for which there are instances at all.
    fn reached(&self, scope: &Scope, good: &Set) -> isl::Result<Set> {
        if good.n_basic_set()? < 2 {
            return Ok(good.clone());
        }
        let instances = self.possible(scope)?;
        let mut reached = Set::empty(&good.get_space()?)?;
        for part in good.get_basic_set_list()?.to_vec()? {
            let part = Set::from_basic_set(&part)?;
            if !instances.intersect_params(&part)?.is_empty()? {
                reached = reached.union(&part)?;
            }
        }
        reached.coalesce()
    }

    /// What is possible where the parameters of 64 bits that bound a set are no larger than numbers
    /// that can be compared.
    fn without_large_parameters(&self, set: &Set) -> isl::Result<Set> {
        let mut ranges = self.ranges()?;
        let bounding = set.gist_params(&ranges)?;
        let largest = Val::int_from_si(self.ctx, LARGEST)?;
        for (id, param) in self.params.list.iter().enumerate() {
            if param.ctype.kind.bytes() == 8 && bounding.involves_dims(DimType::Param, id, 1)? {
                ranges = ranges
                    .upper_bound_val(DimType::Param, id, &largest)?
                    .lower_bound_val(DimType::Param, id, &largest.neg()?)?;
            }
        }
        Ok(ranges)
    }

    /// A value modulo a positive number; as it is where it is smaller anyway. Bounds of loops that
    /// isl makes of a quotient's remainder are far outside of what there is.
    pub(crate) fn modulo(&self, scope: &Scope, value: PwAff, by: i64) -> isl::Result<PwAff> {
        let zero = self.constant(scope.loops.len(), 0)?;
        let count = self.constant(scope.loops.len(), by)?;
        let outside = value.lt_set(&zero)?.union(&value.ge_set(&count)?)?;
        if self.possible(scope)?.intersect(&outside)?.is_empty()? {
            return Ok(value);
        }
        value.mod_val(&Val::int_from_si(self.ctx, by)?)
    }

    /// The domain with what is known of parameters and loops' variables by their types.
    pub(crate) fn possible(&self, scope: &Scope) -> isl::Result<Set> {
        let mut possible = self
            .assumed(&scope.domain)?
            .intersect_params(&self.ranges()?)?;
        for (position, around) in scope.loops.iter().enumerate() {
            let range = types::range(around.iterator.ctype.kind);
            if let Some((least, mut greatest)) = range {
                if around.counts {
                    greatest = greatest.min(COUNTED);
                }
                possible = possible
                    .lower_bound_val(DimType::Set, position, &self.number(least)?)?
                    .upper_bound_val(DimType::Set, position, &self.number(greatest)?)?;
            }
        }
        Ok(possible)
    }

    /// What the parameters' types say of them.
    pub(crate) fn ranges(&self) -> isl::Result<Set> {
        if let Some(known) = self.assumed.ranges.get() {
            return Ok(known.clone());
        }
        let mut ranges = Set::universe(&self.params.space)?;
        for (id, param) in self.params.list.iter().enumerate() {
            let Some((least, greatest)) = types::range(param.ctype.kind) else {
                continue;
            };
            ranges = ranges
                .lower_bound_val(DimType::Param, id, &self.number(least)?)?
                .upper_bound_val(DimType::Param, id, &self.number(greatest)?)?;
        }
        Ok(self.assumed.ranges.get_or_init(|| ranges).clone())
    }

    /// Whether a condition on parameters is met by some of usual sizes. Parameters of narrow types
    /// are no sizes.
    pub(crate) fn leaves_usual_sizes(&self, good: &Set) -> isl::Result<bool> {
        self.leaves_sizes_from(USUAL_SIZES.0, good)
    }

    /// The same of sizes from `least` on, where that is less than what is usual.
    pub(crate) fn leaves_sizes_from(&self, least: i64, good: &Set) -> isl::Result<bool> {
        let least = least.min(USUAL_SIZES.0);
        let greatest = USUAL_SIZES.1;
        let mut usual = self
            .assumed
            .context
            .borrow()
            .intersect_params(&self.ranges()?)?;
        for (id, param) in self.params.list.iter().enumerate() {
            if param.ctype.kind.bytes() < 4 {
                continue;
            }
            usual = usual
                .lower_bound_val(DimType::Param, id, &Val::int_from_si(self.ctx, least)?)?
                .upper_bound_val(DimType::Param, id, &Val::int_from_si(self.ctx, greatest)?)?;
        }
        // Where sizes cannot be usual for another reason, any will do.
        Ok(usual.is_empty()? || !usual.intersect(good)?.is_empty()?)
    }
}
