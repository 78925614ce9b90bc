//! Polynomials in the parameters, and subscripts as sums of affine functions times such
//! polynomials: `(i * n + j) * m + k` is `i · nm + j · m + k · 1`.

use std::cmp::Reverse;

use crate::frontend::c::lower::optional;
use crate::frontend::c::lower::statements::body::State;
use crate::frontend::c::lower::surroundings::{facts, visit};
use crate::frontend::c::lower::values::params::Params;
use crate::frontend::c::lower::values::quotients::of_parameters;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::lower::{Lowering, Result};
use crate::frontend::c::syntax::{Expr as SyntaxExpr, ExprKind, SymbolId, Type};
use crate::scop::linear::LinearForm;
use crate::scop::{BinaryOp, Expr, ParamId, Stride, UnaryOp};
use isl::{DimType, PwAff, Val};

/// A polynomial with integer coefficients: a sum of multiples of monomials, which are sorted lists
/// of parameters.
///
/// **Invariant:** a constant is a multiple of the empty monomial.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Polynomial(LinearForm<Vec<ParamId>>);

impl Polynomial {
    /// `None` on overflow.
    fn sum(terms: impl IntoIterator<Item = (Vec<ParamId>, i64)>) -> Option<Polynomial> {
        LinearForm::sum(0, terms).map(Polynomial)
    }

    fn terms(&self) -> &[(Vec<ParamId>, i64)] {
        self.0.terms()
    }

    pub fn constant(value: i64) -> Polynomial {
        Polynomial::sum([(Vec::new(), value)]).unwrap_or_default()
    }

    pub fn param(id: ParamId) -> Polynomial {
        Polynomial(LinearForm::var(vec![id]))
    }

    /// A function of parameters alone, without divisions and cases.
    pub fn of(value: &PwAff) -> isl::Result<Option<Polynomial>> {
        Ok(of_parameters(value)?.and_then(|form| {
            let terms = form.terms().iter().map(|&(id, factor)| (vec![id], factor));
            Polynomial::sum(terms.chain([(Vec::new(), form.constant())]))
        }))
    }

    /// As a stride of an array.
    pub fn to_stride(&self, params: &Params) -> Stride {
        Stride {
            text: self.text(params),
            sum: self.terms().to_vec(),
        }
    }

    /// The sign of its leading coefficient; `None` for 0.
    pub fn sign(&self) -> Option<i64> {
        self.leading().map(|(_, coefficient)| coefficient.signum())
    }

    /// The value of a constant.
    pub fn as_constant(&self) -> Option<i64> {
        match self.terms() {
            [] => Some(0),
            [(monomial, value)] if monomial.is_empty() => Some(*value),
            _ => None,
        }
    }

    /// The greatest number of parameters multiplied together.
    pub fn degree(&self) -> usize {
        self.terms().iter().map(|(m, _)| m.len()).max().unwrap_or(0)
    }

    /// Sum; `None` on overflow.
    pub fn add(&self, other: &Polynomial) -> Option<Polynomial> {
        self.0.plus(&other.0).map(Polynomial)
    }

    /// Product; `None` on overflow.
    pub fn mul(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::default();
        for (a, x) in self.terms() {
            for (b, y) in other.terms() {
                let mut monomial = [a.as_slice(), b.as_slice()].concat();
                monomial.sort_unstable();
                let term = Polynomial::sum([(monomial, x.checked_mul(*y)?)])?;
                product = product.add(&term)?;
            }
        }
        Some(product)
    }

    fn negated(&self) -> Option<Polynomial> {
        self.0.times(-1).map(Polynomial)
    }

    /// The smaller one of two that differ by a number at most; `None` for others.
    pub fn smaller(&self, other: &Polynomial) -> Option<Polynomial> {
        let difference = other.add(&self.negated()?)?.as_constant()?;
        Some(match difference < 0 {
            true => other.clone(),
            false => self.clone(),
        })
    }

    /// The greatest monomial in the graded lexicographic order, which products respect.
    fn leading(&self) -> Option<(&Vec<ParamId>, i64)> {
        let greatest = self
            .terms()
            .iter()
            .max_by_key(|(m, _)| (m.len(), Reverse(m.clone())));
        greatest.map(|(m, c)| (m, *c))
    }

    /// The quotient where the division leaves no remainder.
    pub fn divide(&self, divisor: &Polynomial) -> Option<Polynomial> {
        let (lead, coefficient) = divisor.leading()?;
        let mut rest = self.clone();
        let mut quotient = Polynomial::default();
        while let Some((monomial, c)) = rest.leading() {
            if c % coefficient != 0 {
                return None;
            }
            let mut left = monomial.clone();
            for param in lead {
                left.remove(left.iter().position(|p| p == param)?);
            }
            let term = Polynomial::sum([(left, c / coefficient)])?;
            rest = rest.add(&term.mul(divisor)?.negated()?)?;
            quotient = quotient.add(&term)?;
        }
        Some(quotient)
    }

    /// As a function of `depth` loop variables; `None` where the degree is above one.
    pub fn to_affine(&self, lowering: &Lowering<'_>, depth: usize) -> isl::Result<Option<PwAff>> {
        if self.degree() > 1 {
            return Ok(None);
        }
        let space = isl::LocalSpace::from_space(&lowering.loop_space(depth)?)?;
        let mut sum = PwAff::zero_on_domain(&space)?;
        for (monomial, coefficient) in self.terms() {
            let value = Val::int_from_si(lowering.ctx, *coefficient)?;
            sum = match monomial.first() {
                Some(&id) => {
                    sum.add(&PwAff::var_on_domain(&space, DimType::Param, id)?.scale_val(&value)?)?
                }
                None => sum.add_constant_val(&value)?,
            };
        }
        Ok(Some(sum))
    }

    /// The same, where a product is a parameter: that wraps around where the product does not, and is
    /// larger than what is compared with it then.
    pub fn row_length(&self, lowering: &Lowering<'_>, depth: usize) -> isl::Result<Option<PwAff>> {
        let terms = self.terms().iter().map(|(monomial, coefficient)| {
            let known = lowering.params.product_with(monomial);
            let monomial = known.map_or(monomial.clone(), |param| vec![param]);
            (monomial, *coefficient)
        });
        match Polynomial::sum(terms) {
            Some(sum) => sum.to_affine(lowering, depth),
            None => Ok(None),
        }
    }

    /// As an expression.
    pub fn to_expr(&self) -> Expr {
        let mut sum = None;
        for &(ref monomial, coefficient) in self.terms() {
            let mut product = literal(coefficient);
            for &id in monomial {
                product = Expr::Binary(BinaryOp::Mul, Box::new(product), Box::new(Expr::Param(id)));
            }
            sum = Some(match sum {
                None => product,
                Some(sum) => Expr::Binary(BinaryOp::Add, Box::new(sum), Box::new(product)),
            });
        }
        sum.unwrap_or_else(|| literal(0))
    }

    /// As C text.
    pub fn text(&self, params: &Params) -> String {
        let mut terms = self.terms().to_vec();
        terms.sort_by_key(|(m, _)| (Reverse(m.len()), m.clone()));
        let mut text = String::new();
        for (monomial, coefficient) in terms {
            let sign = match (text.is_empty(), coefficient < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text.push_str(sign);
            let mut factors = Vec::new();
            if coefficient.unsigned_abs() != 1 || monomial.is_empty() {
                factors.push(coefficient.unsigned_abs().to_string());
            }
            // Quotients have operators in them.
            factors.extend(monomial.iter().map(|&id| {
                let spelling = &params.list[id].spelling;
                match spelling.contains(' ') {
                    true => format!("({spelling})"),
                    false => spelling.clone(),
                }
            }));
            text.push_str(&factors.join(" * "));
        }
        if text.is_empty() {
            "0".to_owned()
        } else {
            text
        }
    }
}

/// One summand of a subscript: an affine index times a stride.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    /// Free of loop variables; its leading coefficient is positive, and it is 1 if constant.
    pub stride: Polynomial,
    /// Affine in loop variables and parameters.
    pub index: PwAff,
    /// The same as an expression.
    pub expr: Expr,
    /// Stride times index, where no loop variable occurs.
    pub total: Option<Polynomial>,
}

/// What shifting to the left by a literal multiplies with.
fn factor(count: &SyntaxExpr) -> Option<i64> {
    match count.kind {
        ExprKind::Integer(count @ 0..=30, _) => Some(1 << count),
        _ => None,
    }
}

/// An integer literal, or the negation of one.
pub(crate) fn literal(value: i64) -> Expr {
    let text = Expr::Literal(value.unsigned_abs().to_string());
    if value < 0 {
        Expr::Unary(UnaryOp::Minus, Box::new(text))
    } else {
        text
    }
}

impl<'u> Lowering<'u> {
    /// What a variable was initialised with and still is, without a conversion that may change it.
    pub(crate) fn product(&self, symbol: SymbolId) -> Option<&'u SyntaxExpr> {
        if self.facts.stands_alone(symbol) {
            return None;
        }
        let value = self.facts.value(self.unit, symbol)?;
        if self.facts.reads_kept(self.unit, value, facts::DEPTH) {
            return None;
        }
        let from = types::scalar_kind(self.unit, value)?;
        let to = facts::integer_kind(self.unit, symbol)?;
        types::contains(to, from).then_some(value)
    }

    /// The value of an expression that is free of loop variables.
    pub(crate) fn polynomial(&self, expr: &SyntaxExpr) -> Option<Polynomial> {
        if let ExprKind::Name(symbol) = expr.kind {
            if let Some(value) = self.product(symbol) {
                if let Some(value) = self.polynomial(value) {
                    return Some(value);
                }
            }
        }
        if let Some(id) = self.params.find(expr) {
            return Some(Polynomial::param(id));
        }
        match &expr.kind {
            ExprKind::Integer(value, _) => Some(Polynomial::constant(*value)),
            ExprKind::Unary(UnaryOp::Plus, a) => self.polynomial(a),
            ExprKind::Unary(UnaryOp::Minus, a) => self.polynomial(a)?.negated(),
            ExprKind::Binary(BinaryOp::Add, a, b) => self.polynomial(a)?.add(&self.polynomial(b)?),
            ExprKind::Binary(BinaryOp::Sub, a, b) => {
                self.polynomial(a)?.add(&self.polynomial(b)?.negated()?)
            }
            ExprKind::Binary(BinaryOp::Mul, a, b) => self.polynomial(a)?.mul(&self.polynomial(b)?),
            ExprKind::Binary(BinaryOp::ShiftLeft, a, b) => {
                self.polynomial(a)?.mul(&Polynomial::constant(factor(b)?))
            }
            ExprKind::Cast(Type::Scalar(t), a) if !t.kind.is_float() && t.kind.bytes() >= 4 => {
                self.polynomial(a)
            }
            // A quotient may be a parameter.
            ExprKind::Binary(BinaryOp::Div | BinaryOp::ShiftRight, ..) => {
                let scope = self.no_loops().ok()?;
                let value = optional(self.affine(&scope, expr)).ok()??;
                Polynomial::of(&value).ok()?
            }
            _ => None,
        }
    }

    /// A subscript as a sum of terms with different strides, where it is one.
    pub(crate) fn linear(
        &mut self,
        state: &mut State,
        expr: &SyntaxExpr,
    ) -> Result<Option<Vec<Term>>> {
        let before = self.assumptions_so_far();
        let terms = match self.expand(state, expr)? {
            Some(terms) if self.products_fit(&state.scope, expr)? => terms,
            _ => {
                self.forget_assumptions_since(before);
                return Ok(None);
            }
        };
        let mut grouped: Vec<Term> = Vec::new();
        for term in terms {
            // What has no loop variable may belong to another stride.
            let alike = |t: &&mut Term| {
                t.stride == term.stride && t.total.is_some() == term.total.is_some()
            };
            match grouped.iter_mut().find(alike) {
                Some(known) => {
                    known.index = known.index.add(&term.index)?;
                    known.expr = Expr::Binary(
                        BinaryOp::Add,
                        Box::new(known.expr.clone()),
                        Box::new(term.expr),
                    );
                    known.total = match (&known.total, &term.total) {
                        (Some(a), Some(b)) => a.add(b),
                        _ => None,
                    };
                }
                None => grouped.push(term),
            }
        }
        Ok(Some(grouped))
    }

    fn expand(&mut self, state: &mut State, expr: &SyntaxExpr) -> Result<Option<Vec<Term>>> {
        let is_sum = matches!(
            expr.kind,
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..)
        );
        // Products are strides here, and no parameters.
        let mut strides = false;
        visit::walk(expr, &mut |e| {
            strides |= self.params.product_of(self.unit, e).is_some();
        });
        if let Some(index) = optional(self.affine(&state.scope, expr))?
            && !is_sum
            && !strides
        {
            let total = self.polynomial(expr);
            let expr = self.value(state, expr)?;
            let stride = Polynomial::constant(1);
            return Ok(Some(vec![Term {
                stride,
                index,
                expr,
                total,
            }]));
        }
        match &expr.kind {
            ExprKind::Name(symbol) => match self.product(*symbol) {
                Some(value) => self.expand(state, value),
                None => Ok(None),
            },
            ExprKind::Cast(Type::Scalar(t), a) if !t.kind.is_float() && t.kind.bytes() >= 4 => {
                self.expand(state, a)
            }
            ExprKind::Unary(UnaryOp::Minus, a) => {
                let terms = self.expand(state, a)?;
                self.scaled(terms, &Polynomial::constant(-1))
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let Some(mut left) = self.expand(state, a)? else {
                    return Ok(None);
                };
                let right = self.expand(state, b)?;
                let sign = if *op == BinaryOp::Add { 1 } else { -1 };
                let Some(right) = self.scaled(right, &Polynomial::constant(sign))? else {
                    return Ok(None);
                };
                left.extend(right);
                Ok(Some(left))
            }
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                let (factor, other) = match (self.polynomial(a), self.polynomial(b)) {
                    (_, Some(factor)) => (factor, a),
                    (Some(factor), None) => (factor, b),
                    (None, None) => return Ok(None),
                };
                let terms = self.expand(state, other)?;
                self.scaled(terms, &factor)
            }
            ExprKind::Binary(BinaryOp::ShiftLeft, a, b) => match factor(b) {
                Some(by) => {
                    let terms = self.expand(state, a)?;
                    self.scaled(terms, &Polynomial::constant(by))
                }
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// Multiplies all terms by a polynomial and brings their strides into normal form.
    fn scaled(&self, terms: Option<Vec<Term>>, by: &Polynomial) -> Result<Option<Vec<Term>>> {
        let Some(terms) = terms else { return Ok(None) };
        let mut result = Vec::new();
        for mut term in terms {
            let Some(mut stride) = term.stride.mul(by) else {
                return Ok(None);
            };
            term.total = term.total.as_ref().and_then(|t| t.mul(by));
            let Some((_, lead)) = stride.leading() else {
                continue;
            };
            let factor = match stride.as_constant() {
                Some(constant) => constant,
                None if lead < 0 => -1,
                None => 1,
            };
            if factor != 1 {
                let Some(quotient) = stride.divide(&Polynomial::constant(factor)) else {
                    return Ok(None);
                };
                stride = quotient;
                term.index = term.index.scale_val(&Val::int_from_si(self.ctx, factor)?)?;
                term.expr = if factor == -1 {
                    Expr::Unary(UnaryOp::Minus, Box::new(term.expr))
                } else {
                    Expr::Binary(
                        BinaryOp::Mul,
                        Box::new(term.expr),
                        Box::new(literal(factor)),
                    )
                };
            }
            term.stride = stride;
            result.push(term);
        }
        Ok(Some(result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `1 + 2 · p0 + …`: coefficients with the parameters that they stand before.
    fn sum(terms: &[(i64, &[ParamId])]) -> Polynomial {
        let mut sum = Polynomial::default();
        for (coefficient, params) in terms {
            let mut product = Polynomial::constant(*coefficient);
            for &id in *params {
                product = product.mul(&Polynomial::param(id)).expect("no overflow");
            }
            sum = sum.add(&product).expect("no overflow");
        }
        sum
    }

    #[test]
    fn literals_are_numbers_or_their_negatives() {
        let number = |text: &str| Expr::Literal(text.to_owned());
        let negative = |text: &str| Expr::Unary(UnaryOp::Minus, Box::new(number(text)));
        assert_eq!(literal(0), number("0"));
        assert_eq!(literal(1), number("1"));
        assert_eq!(literal(-1), negative("1"));
        assert_eq!(literal(i64::MAX), number("9223372036854775807"));
        assert_eq!(literal(i64::MIN), negative("9223372036854775808"));
    }

    #[test]
    fn sums_and_products_have_no_zero_terms() {
        let a = sum(&[(3, &[]), (2, &[0]), (-1, &[1])]);
        let b = sum(&[(-3, &[]), (1, &[1])]);
        assert_eq!(a.add(&b), Some(sum(&[(2, &[0])])));
        assert_eq!(
            a.mul(&b),
            Some(sum(&[
                (-9, &[]),
                (-6, &[0]),
                (6, &[1]),
                (2, &[0, 1]),
                (-1, &[1, 1])
            ]))
        );
        assert_eq!(a.add(&a.negated().expect("no overflow")), Some(sum(&[])));
        assert_eq!(sum(&[]).as_constant(), Some(0));
        assert_eq!(sum(&[(7, &[])]).as_constant(), Some(7));
        assert_eq!(sum(&[(7, &[0])]).as_constant(), None);
        assert_eq!(b.as_constant(), None);
        assert_eq!(sum(&[]).degree(), 0);
        assert_eq!(sum(&[(5, &[])]).degree(), 0);
        assert_eq!(a.degree(), 1);
        assert_eq!(sum(&[(1, &[2]), (1, &[0, 1, 1])]).degree(), 3);
    }

    #[test]
    fn numbers_that_are_too_large_are_none() {
        let (most, least) = (i64::MAX, i64::MIN);
        let one = sum(&[(1, &[0])]);
        assert_eq!(sum(&[(most, &[0])]).add(&one), None);
        assert_eq!(
            sum(&[(most - 1, &[0])]).add(&one),
            Some(sum(&[(most, &[0])]))
        );
        assert_eq!(sum(&[(least, &[0])]).negated(), None);
        assert_eq!(sum(&[(most, &[])]).mul(&sum(&[(2, &[])])), None);
        assert_eq!(sum(&[(most, &[])]).mul(&one), Some(sum(&[(most, &[0])])));
    }

    #[test]
    fn quotients_without_a_remainder() {
        let (n, m) = ([0], [1]);
        // (n + 2) · (m − 1) = n · m − n + 2 · m − 2
        let product = sum(&[(1, &[0, 1]), (-1, &n), (2, &m), (-2, &[])]);
        let (left, right) = (sum(&[(1, &n), (2, &[])]), sum(&[(1, &m), (-1, &[])]));
        assert_eq!(product.divide(&left), Some(right.clone()));
        assert_eq!(product.divide(&right), Some(left.clone()));
        assert_eq!(left.divide(&left), Some(sum(&[(1, &[])])));
        assert_eq!(sum(&[]).divide(&left), Some(sum(&[])));
        assert_eq!(left.divide(&sum(&[])), None);
        assert_eq!(left.divide(&product), None);
        assert_eq!(product.divide(&sum(&[(1, &n)])), None);
        assert_eq!(
            sum(&[(6, &n)]).divide(&sum(&[(2, &[])])),
            Some(sum(&[(3, &n)]))
        );
        assert_eq!(sum(&[(5, &n)]).divide(&sum(&[(2, &[])])), None);
        assert_eq!(
            sum(&[(6, &n), (3, &[])]).divide(&sum(&[(-3, &[])])),
            Some(sum(&[(-2, &n), (-1, &[])]))
        );
        assert_eq!(
            sum(&[(1, &[0, 0])]).divide(&sum(&[(1, &n)])),
            Some(sum(&[(1, &n)]))
        );
        assert_eq!(sum(&[(1, &[0, 0])]).divide(&sum(&[(1, &m)])), None);
    }

    #[test]
    fn expressions_say_the_same() {
        assert_eq!(sum(&[]).to_expr(), literal(0));
        assert_eq!(sum(&[(-4, &[])]).to_expr(), literal(-4));
        let product = |a: Expr, b: Expr| Expr::Binary(BinaryOp::Mul, Box::new(a), Box::new(b));
        let squares = product(product(literal(3), Expr::Param(0)), Expr::Param(0));
        assert_eq!(sum(&[(3, &[0, 0])]).to_expr(), squares);
        let both = Expr::Binary(BinaryOp::Add, Box::new(literal(2)), Box::new(squares));
        assert_eq!(sum(&[(2, &[]), (3, &[0, 0])]).to_expr(), both);
    }
}
