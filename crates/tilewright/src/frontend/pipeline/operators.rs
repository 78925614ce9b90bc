//! Rust's operators for expressions, variables, parameters, numbers and conditions, and
//! comparisons.

use super::expression::{Condition, Expr, NodeKind, Parameter, Test, Variable};
use crate::scop::{BinaryOp, UnaryOp};
use std::ops;

impl ops::BitAnd for Condition {
    type Output = Condition;
    fn bitand(self, other: Condition) -> Condition {
        self.and(other)
    }
}

impl ops::BitOr for Condition {
    type Output = Condition;
    fn bitor(self, other: Condition) -> Condition {
        self.or(other)
    }
}

impl ops::Not for Condition {
    type Output = Condition;
    fn not(self) -> Condition {
        Condition::new(Test::Not(self))
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $operator:ident),+) => { $(
        operators!(of Expr: $trait $method $operator);
        operators!(of &Expr: $trait $method $operator);
        operators!(of Variable: $trait $method $operator);
        operators!(of Parameter: $trait $method $operator);
        operators!(number i32: $trait $method $operator);
        operators!(number i64: $trait $method $operator);
        operators!(number f32: $trait $method $operator);
        operators!(number f64: $trait $method $operator);
    )+ };
    (of $type:ty: $trait:ident $method:ident $operator:ident) => {
        impl<T: Into<Expr>> ops::$trait<T> for $type {
            type Output = Expr;
            fn $method(self, other: T) -> Expr {
                Expr::new(NodeKind::Binary(BinaryOp::$operator, self.into(), other.into()))
            }
        }
    };
    (number $type:ty: $trait:ident $method:ident $operator:ident) => {
        operators!(pair $type, Expr: $trait $method $operator);
        operators!(pair $type, &Expr: $trait $method $operator);
        operators!(pair $type, Variable: $trait $method $operator);
        operators!(pair $type, Parameter: $trait $method $operator);
    };
    (pair $left:ty, $right:ty: $trait:ident $method:ident $operator:ident) => {
        impl ops::$trait<$right> for $left {
            type Output = Expr;
            fn $method(self, other: $right) -> Expr {
                Expr::new(NodeKind::Binary(BinaryOp::$operator, self.into(), other.into()))
            }
        }
    };
}
operators!(Add add Add, Sub sub Sub, Mul mul Mul, Div div Div, Rem rem Rem);

macro_rules! bits {
    ($($trait:ident $method:ident $operator:ident),+) => { $(
        impl<T: Into<Expr>> ops::$trait<T> for Expr {
            type Output = Expr;
            fn $method(self, other: T) -> Expr {
                Expr::new(NodeKind::Binary(BinaryOp::$operator, self, other.into()))
            }
        }
    )+ };
}
bits!(Shl shl ShiftLeft, Shr shr ShiftRight, BitAnd bitand BitAnd, BitOr bitor BitOr, BitXor bitxor BitXor);

macro_rules! methods {
    ($($type:ty),+) => { $(
        impl ops::Neg for $type {
            type Output = Expr;
            fn neg(self) -> Expr {
                Expr::new(NodeKind::Unary(UnaryOp::Minus, self.into()))
            }
        }

        /// Comparisons, for conditions.
        impl $type {
            /// `self < other`
            pub fn lt(self, other: impl Into<Expr>) -> Condition {
                Expr::from(self).compare(BinaryOp::Less, other.into())
            }

            /// `self <= other`
            pub fn le(self, other: impl Into<Expr>) -> Condition {
                Expr::from(self).compare(BinaryOp::LessEqual, other.into())
            }

            /// `self > other`
            pub fn gt(self, other: impl Into<Expr>) -> Condition {
                Expr::from(self).compare(BinaryOp::Greater, other.into())
            }

            /// `self >= other`
            pub fn ge(self, other: impl Into<Expr>) -> Condition {
                Expr::from(self).compare(BinaryOp::GreaterEqual, other.into())
            }

            /// `self == other`
            pub fn equals(self, other: impl Into<Expr>) -> Condition {
                Expr::from(self).compare(BinaryOp::Equal, other.into())
            }

            /// `self != other`
            pub fn differs(self, other: impl Into<Expr>) -> Condition {
                Expr::from(self).compare(BinaryOp::NotEqual, other.into())
            }

            /// From `low` to `high`, both included.
            pub fn within(self, low: impl Into<Expr>, high: impl Into<Expr>) -> Condition {
                let value = Expr::from(self);
                value.clone().ge(low).and(value.le(high))
            }
        }
    )+ };
}
methods!(Expr, Variable, Parameter);

impl ops::Neg for &Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        -self.clone()
    }
}
