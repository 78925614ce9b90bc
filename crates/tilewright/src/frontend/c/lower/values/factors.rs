//! Products of parameters as parameters of their own.
//!
//! A loop over all of an image runs to `w * h * c`, which is not affine; but it is an integer that the
//! region does not change. Where a loop's head has such a product, it is a parameter, of which nothing
//! is known but its type. Strides of subscripts stay [polynomials](super::polynomial).

use crate::frontend::c::lower::values::params::Params;
use crate::frontend::c::lower::values::types;
use crate::frontend::c::syntax::{Expr, ExprKind, Type, Unit};
use crate::scop::{BinaryOp, Computed, Param, ParamId, ScalarKind, ScalarType};

/// Products of one region at most; those beyond are data.
const MAX_PRODUCTS: usize = 16;

/// `coefficient · Π parameters`, computed in one type; the parameters are sorted.
pub(crate) struct Product {
    pub coefficient: i64,
    factors: Vec<ParamId>,
    kind: ScalarKind,
}

impl Params {
    /// The product that an expression is, of two parameters at least; `None` for others, and where
    /// parts of it are computed in other types.
    fn product(&self, unit: &Unit, expr: &Expr) -> Option<Product> {
        let kind = types::scalar_kind(unit, expr)?;
        let wide = matches!(
            kind,
            ScalarKind::I32 | ScalarKind::I64 | ScalarKind::U32 | ScalarKind::U64
        );
        let mut product = Product {
            coefficient: 1,
            factors: Vec::new(),
            kind,
        };
        self.multiply(unit, expr, &mut product)?;
        product.factors.sort_unstable();
        (wide && product.factors.len() > 1 && product.coefficient != 0).then_some(product)
    }

    fn multiply(&self, unit: &Unit, expr: &Expr, product: &mut Product) -> Option<()> {
        match &expr.kind {
            ExprKind::Integer(value, _) => {
                product.coefficient = product.coefficient.checked_mul(*value)?;
            }
            ExprKind::Binary(BinaryOp::Mul, a, b)
                if types::scalar_kind(unit, expr) == Some(product.kind) =>
            {
                self.multiply(unit, a, product)?;
                self.multiply(unit, b, product)?;
            }
            // To a type that has all values.
            ExprKind::Cast(Type::Scalar(to), inner)
                if to.kind == product.kind
                    && types::contains(to.kind, types::scalar_kind(unit, inner)?) =>
            {
                self.multiply(unit, inner, product)?;
            }
            _ => product.factors.push(self.find(expr)?),
        }
        Some(())
    }

    /// Makes parameters of products.
    pub(crate) fn add_products(&mut self, unit: &Unit, products: &[&Expr]) {
        for expr in products {
            let Some(product) = self.product(unit, expr) else {
                continue;
            };
            if self.products.len() >= MAX_PRODUCTS || self.known_product(&product).is_some() {
                continue;
            }
            let span = self.list[product.factors[0]].span;
            let names = product.factors.iter().map(|&f| &*self.list[f].spelling);
            let names: Vec<&str> = names.collect();
            let computed = Computed::Product(product.factors.clone());
            self.products.push(self.list.len());
            self.list.push(Param {
                name: String::new(),
                spelling: wrapping(&names.join(" * "), product.kind),
                ctype: ScalarType {
                    kind: product.kind,
                    spelling: product.kind.c_name().to_owned(),
                },
                span,
                computed: Some(computed),
            });
        }
    }

    fn known_product(&self, product: &Product) -> Option<ParamId> {
        let is = |&&param: &&ParamId| {
            let param = &self.list[param];
            param.ctype.kind == product.kind
                && matches!(&param.computed, Some(Computed::Product(f)) if *f == product.factors)
        };
        self.products.iter().find(is).copied()
    }

    /// The parameter that is a product of these, with a sign.
    pub(crate) fn product_with(&self, factors: &[ParamId]) -> Option<ParamId> {
        let is = |&&param: &&ParamId| {
            let param = &self.list[param];
            matches!(param.ctype.kind, ScalarKind::I32 | ScalarKind::I64)
                && matches!(&param.computed, Some(Computed::Product(f)) if f == factors)
        };
        self.products.iter().find(is).copied()
    }

    /// The parameter that an expression is a multiple of, and its coefficient.
    pub(crate) fn product_of(&self, unit: &Unit, expr: &Expr) -> Option<(ParamId, i64)> {
        if self.products.is_empty() {
            return None;
        }
        let product = self.product(unit, expr)?;
        let param = self.known_product(&product)?;
        Some((param, product.coefficient))
    }
}

/// A product as C, computed modulo a power of two, as what stands in front of a region must not
/// overflow where the original does not come to it.
fn wrapping(product: &str, kind: ScalarKind) -> String {
    match kind {
        ScalarKind::I32 => format!("(int)((unsigned int){product})"),
        ScalarKind::I64 => format!("(long)((unsigned long){product})"),
        kind => format!("(({}){product})", kind.c_name()),
    }
}
