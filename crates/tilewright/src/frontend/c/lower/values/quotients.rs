//! Quotients of parameters as parameters of their own.
//!
//! The levels of a pyramid have `R / 2`, `R / 4`, … rows. As divisions these make every set of the
//! region carry existential variables, and isl many times slower. A quotient of a linear form of
//! parameters by a constant is itself an integer that the region does not change: a parameter
//! `R_2`, of which the assumptions say what C's division says (as far as one convex set can).

use crate::frontend::c::lower::surroundings::facts::Facts;
use crate::frontend::c::lower::values::params::Params;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Unit};
use crate::scop::linear::LinearForm;
use crate::scop::{BinaryOp, Computed, Param, ParamId, Rounding, ScalarKind, UnaryOp};
use isl::{Aff, DimType, PwAff, Set, Val};

/// How deep definitions of variables are followed.
const DEPTH: usize = 16;

/// Numbers of 32 bits are not shifted by more.
const MOST_SHIFTED: i64 = 30;

/// Quotients of one region at most; divisions beyond stay divisions.
const MAX_QUOTIENTS: usize = 48;

/// `form / divisor`.
#[derive(Clone, Debug)]
pub(crate) struct Quotient {
    form: Form,
    /// At least 2.
    divisor: i64,
    rounding: Rounding,
    /// The parameter that has its value.
    param: ParamId,
}

/// Linear forms of parameters.
type Form = LinearForm<ParamId>;

/// A function of parameters alone, without divisions and cases.
pub(crate) fn of_parameters(value: &PwAff) -> isl::Result<Option<LinearForm<ParamId>>> {
    match value.isa_aff()? {
        true => LinearForm::of_aff(&value.as_aff()?, |kind, param| {
            Ok((kind == DimType::Param).then_some(param))
        }),
        false => Ok(None),
    }
}

/// A form over the parameter space.
fn value(form: &Form, space: &isl::Space) -> isl::Result<Aff> {
    let mut aff = Aff::zero_on_domain_space(space)?;
    for &(param, coefficient) in form.terms() {
        let coefficient = Val::int_from_si(space.ctx(), coefficient)?;
        aff = aff.set_coefficient_val(DimType::Param, param, &coefficient)?;
    }
    aff.set_constant_val(&Val::int_from_si(space.ctx(), form.constant())?)
}

/// A form as C, computed as `long`: it is computed in front of the region, also where the original
/// does not reach the division and an `int` would overflow.
fn spelling(form: &Form, params: &[Param]) -> String {
    let mut text = String::new();
    for (at, &(param, coefficient)) in form.terms().iter().enumerate() {
        let name = &params[param].spelling;
        let sign = match (at, coefficient < 0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        text.push_str(sign);
        let last = at + 1 == form.terms().len();
        let factor = coefficient.unsigned_abs();
        let plain = factor == 1 && sign != "-";
        match factor {
            // The constant behind it is a `long`, as is what stands in front.
            1 if at > 0 || plain && last => {}
            1 => text.push_str("(long)"),
            _ => text.push_str(&format!("{factor}L * ")),
        }
        // `3 * n / 2` would be the quotient of a product.
        match name.contains(" / ") && (!plain || at == 0 && !last) {
            true => text.push_str(&format!("({name})")),
            false => text.push_str(name),
        }
    }
    match form.constant() {
        0 => text,
        c if c < 0 => format!("{text} - {}L", c.unsigned_abs()),
        c => format!("{text} + {c}L"),
    }
}

impl Params {
    /// Makes parameters of the quotients among `divisions`, expressions `a / b` and `a >> b` of the region.
    pub(crate) fn add_quotients<'u>(
        &mut self,
        unit: &'u Unit,
        facts: &Facts<'u>,
        divisions: &[&'u Expr],
    ) {
        for &division in divisions {
            self.form(unit, facts, division, DEPTH);
        }
    }

    /// The linear form that an expression is, quotients in it included.
    fn form<'u>(
        &mut self,
        unit: &'u Unit,
        facts: &Facts<'u>,
        expr: &'u Expr,
        depth: usize,
    ) -> Option<Form> {
        use BinaryOp::{Add, Div, Mul, ShiftRight, Sub};
        if depth == 0 {
            return None;
        }
        // Unsigned values wrap around; narrow ones are converted.
        let kind = types::scalar_kind(unit, expr)?;
        if !matches!(kind, ScalarKind::I32 | ScalarKind::I64) {
            return None;
        }
        match &expr.kind {
            ExprKind::Integer(value, _) => Some(Form::number(*value)),
            ExprKind::Name(_)
            | ExprKind::Field(..)
            | ExprKind::Arrow(..)
            | ExprKind::Subscript(..)
            | ExprKind::Dereference(_) => {
                if let Some(param) = self.find(expr) {
                    return Some(Form::var(param));
                }
                let ExprKind::Name(symbol) = expr.kind else {
                    return None;
                };
                let definition = facts.definition(unit, symbol)?;
                self.form(unit, facts, definition, depth - 1)
            }
            ExprKind::Unary(UnaryOp::Plus, a) => self.form(unit, facts, a, depth - 1),
            ExprKind::Unary(UnaryOp::Minus, a) => self.form(unit, facts, a, depth - 1)?.times(-1),
            ExprKind::Binary(op @ (Add | Sub | Mul | Div | ShiftRight), a, b) => {
                let a = self.form(unit, facts, a, depth - 1)?;
                let b = self.form(unit, facts, b, depth - 1)?;
                match op {
                    Add => a.plus(&b),
                    Sub => a.minus(&b),
                    Mul => match (a.as_number(), b.as_number()) {
                        (_, Some(by)) => a.times(by),
                        (Some(by), _) => b.times(by),
                        _ => None,
                    },
                    Div => match (a.as_number(), b.as_number()) {
                        (None, Some(by @ 2..)) => {
                            self.quotient(a, by, Rounding::Zero).map(Form::var)
                        }
                        _ => None,
                    },
                    ShiftRight => match (a.as_number(), b.as_number()) {
                        (None, Some(by @ 1..=MOST_SHIFTED)) => {
                            self.quotient(a, 1 << by, Rounding::Down).map(Form::var)
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The parameter for `form / divisor`, made where there is none yet.
    fn quotient(&mut self, form: Form, divisor: i64, rounding: Rounding) -> Option<ParamId> {
        let (form, divisor) = self.simplest(form, divisor, rounding)?;
        if let Some(known) = self.known(&form, divisor, rounding) {
            return Some(known);
        }
        if self.quotients.len() >= MAX_QUOTIENTS {
            return None;
        }
        let text = spelling(&form, &self.list);
        let sum = form.terms().len() > 1 || form.constant() != 0;
        let wide = form
            .terms()
            .iter()
            .any(|&(p, _)| self.list[p].ctype.kind == ScalarKind::I64);
        let first = &self.list[form.terms().first()?.0];
        let by = divisor.trailing_zeros();
        let spelling = match (rounding, sum) {
            (Rounding::Zero, true) => format!("({text}) / {divisor}"),
            (Rounding::Zero, false) => format!("{text} / {divisor}"),
            (Rounding::Down, true) => format!("(({text}) >> {by})"),
            (Rounding::Down, false) => format!("({text} >> {by})"),
        };
        let param = Param {
            name: String::new(),
            spelling,
            ctype: crate::scop::ScalarType {
                kind: if wide {
                    ScalarKind::I64
                } else {
                    ScalarKind::I32
                },
                spelling: if wide { "long" } else { "int" }.to_owned(),
            },
            span: first.span,
            computed: Some(Computed::Quotient {
                dividend: form.clone(),
                divisor,
                rounding,
            }),
        };
        self.list.push(param);
        let param = self.list.len() - 1;
        self.quotients.push(Quotient {
            form,
            divisor,
            rounding,
            param,
        });
        Some(param)
    }

    /// `(a / b) / c` as `a / (b · c)`: the same in C, as for two quotients that are rounded down.
    fn simplest(&self, form: Form, divisor: i64, rounding: Rounding) -> Option<(Form, i64)> {
        if let (0, [(param, 1)]) = (form.constant(), form.terms()) {
            let mut same = self.quotients.iter().filter(|q| q.rounding == rounding);
            if let Some(inner) = same.find(|q| q.param == *param) {
                return Some((inner.form.clone(), inner.divisor.checked_mul(divisor)?));
            }
        }
        Some((form, divisor))
    }

    fn known(&self, form: &Form, divisor: i64, rounding: Rounding) -> Option<ParamId> {
        let mut quotients = self.quotients.iter();
        quotients
            .find(|q| q.form == *form && q.divisor == divisor && q.rounding == rounding)
            .map(|q| q.param)
    }

    /// The parameter that is `value / divisor`, where there is one.
    pub(crate) fn quotient_of(
        &self,
        value: &PwAff,
        divisor: i64,
        rounding: Rounding,
    ) -> isl::Result<Option<ParamId>> {
        let Some(form) = of_parameters(value)? else {
            return Ok(None);
        };
        let simplest = self.simplest(form, divisor, rounding);
        Ok(simplest.and_then(|(form, divisor)| self.known(&form, divisor, rounding)))
    }

    /// What C's division says of the quotients' values, under what is assumed already.
    ///
    /// For one that is rounded down, and for a dividend that cannot be negative, this is exact:
    /// `0 ≤ a − d·q < d`. Otherwise it leaves more values than there are.
    pub(crate) fn assume_quotients(&self, context: &Set) -> isl::Result<Set> {
        // Small sets first: isl sorts the constraints of both each time.
        let mut all = Vec::new();
        for quotient in &self.quotients {
            let form = value(&quotient.form, &self.space)?;
            let least = PwAff::from_aff(&form)?
                .intersect_domain(context)?
                .min_val()?;
            let least = least.to_i64().unwrap_or(-quotient.divisor).min(0);
            let mut rest = form;
            let factor = Val::int_from_si(context.ctx(), -quotient.divisor)?;
            rest = rest.set_coefficient_val(DimType::Param, quotient.param, &factor)?;
            let least_rest = match quotient.rounding {
                Rounding::Zero => least.max(1 - quotient.divisor),
                Rounding::Down => 0,
            };
            all.push(between(&rest, least_rest, quotient.divisor - 1)?);
            let rounded = match quotient.rounding {
                Rounding::Zero => least > -quotient.divisor,
                Rounding::Down => least >= 0,
            };
            if rounded {
                let zero = Val::zero(context.ctx())?;
                let any = Set::universe(&self.space)?;
                all.push(any.lower_bound_val(DimType::Param, quotient.param, &zero)?);
            }
            // R / 4 is (R / 2) / 2.
            for finer in &self.quotients {
                let ratio = quotient.divisor / finer.divisor;
                let chain = finer.form == quotient.form
                    && finer.rounding == quotient.rounding
                    && ratio > 1
                    && quotient.divisor % finer.divisor == 0;
                if !chain {
                    continue;
                }
                let step = Aff::zero_on_domain_space(&self.space)?
                    .set_coefficient_si(DimType::Param, finer.param, 1)?
                    .set_coefficient_val(
                        DimType::Param,
                        quotient.param,
                        &Val::int_from_si(context.ctx(), -ratio)?,
                    )?;
                let low = match least > -finer.divisor || finer.rounding == Rounding::Down {
                    true => 0,
                    false => 1 - ratio,
                };
                all.push(between(&step, low, ratio - 1)?);
            }
        }
        while all.len() > 1 {
            let pairs = all.chunks(2).map(|pair| match pair {
                [one, other] => one.intersect(other),
                _ => Ok(pair[0].clone()),
            });
            all = pairs.collect::<isl::Result<_>>()?;
        }
        match all.first() {
            Some(all) => context.intersect(all),
            None => Ok(context.clone()),
        }
    }
}

/// Parameter values for which `low ≤ value ≤ high`.
fn between(value: &Aff, low: i64, high: i64) -> isl::Result<Set> {
    let bound = |v: i64| -> isl::Result<PwAff> {
        let space = value.get_domain_space()?;
        PwAff::val_on_domain(&Set::universe(&space)?, &Val::int_from_si(value.ctx(), v)?)
    };
    let value = PwAff::from_aff(value)?;
    value
        .ge_set(&bound(low)?)?
        .intersect(&value.le_set(&bound(high)?)?)
}
