//! Types of values as C has them: promotions, usual conversions, and the type of an expression.

use super::expression::floating_literal;
use super::{BinaryOp, Expr, ScalarKind, Scop, Statement, UnaryOp};

impl ScalarKind {
    /// After C's integer promotions.
    pub fn promoted(self) -> ScalarKind {
        use ScalarKind::*;
        match self {
            Bool | I8 | U8 | I16 | U16 => I32,
            other => other,
        }
    }

    /// What two operands are converted to (C's usual arithmetic conversions).
    pub fn common(self, other: ScalarKind) -> ScalarKind {
        use ScalarKind::*;
        let (a, b) = (self.promoted(), other.promoted());
        [F64, F32, U64, I64, U32]
            .into_iter()
            .find(|k| a == *k || b == *k)
            .unwrap_or(I32)
    }
}

impl Scop {
    /// The type of an expression of a statement, before it is promoted; `None` where it is not
    /// known: calls, variables of the body, literals of integers but for short decimal ones.
    pub fn kind_of(&self, statement: &Statement, expr: &Expr) -> Option<ScalarKind> {
        use BinaryOp::*;
        let kind = |expr: &Expr| self.kind_of(statement, expr);
        match expr {
            Expr::Literal(text) => floating_literal(text).or_else(|| {
                let short = text.parse::<i32>().is_ok() && !text.starts_with('0') || text == "0";
                short.then_some(ScalarKind::I32)
            }),
            Expr::Iterator(number) => Some(statement.iterators[*number].ctype.kind),
            Expr::Param(param) => Some(self.params[*param].ctype.kind),
            Expr::Invariant(text) => self.invariants.get(text).map(|ctype| ctype.kind),
            Expr::Access(access) => {
                let array = statement.accesses[*access].array;
                Some(self.arrays[array].element.kind)
            }
            Expr::Unary(UnaryOp::Not, _) => Some(ScalarKind::I32),
            Expr::Unary(_, a) => Some(kind(a)?.promoted()),
            Expr::Binary(op, a, b) => match op {
                Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual | And | Or => {
                    Some(ScalarKind::I32)
                }
                ShiftLeft | ShiftRight => Some(kind(a)?.promoted()),
                _ => Some(kind(a)?.common(kind(b)?)),
            },
            Expr::Conditional(_, a, b) => Some(kind(a)?.common(kind(b)?)),
            Expr::Cast(ctype, _) => Some(ctype.kind),
            Expr::Local(_) | Expr::Call(..) | Expr::Row { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scop::testing::ScopBuilder;

    fn literal(text: &str) -> Box<Expr> {
        Box::new(Expr::Literal(text.to_owned()))
    }

    #[test]
    fn types_are_those_of_c() {
        use ScalarKind::*;
        let scop = ScopBuilder::new("[n] -> { : n > 0 }")
            .input("A", 1)
            .output("B", 1)
            .statement("S0[i] : 0 <= i < n", &["A[i]"], &["B[i]"])
            .build();
        let statement = &scop.statements[0];
        let kind = |expr: &Expr| scop.kind_of(statement, expr);
        let element = scop.arrays[statement.accesses[0].array].element.kind;
        assert_eq!(kind(&Expr::Access(0)), Some(element));
        assert_eq!(element, F32);
        let sum = |a, b| Expr::Binary(BinaryOp::Add, a, b);
        let access = || Box::new(Expr::Access(0));
        assert_eq!(kind(&sum(access(), literal("2"))), Some(F32));
        assert_eq!(kind(&sum(access(), literal("2.0"))), Some(F64));
        let either = Expr::Conditional(literal("1"), literal("0"), access());
        assert_eq!(kind(&either), Some(F32));
        let less = Expr::Binary(BinaryOp::Less, access(), access());
        assert_eq!(kind(&less), Some(I32));
        // Octal, long, unsigned: not asked for.
        for text in ["010", "2L", "2u", "4000000000"] {
            assert_eq!(kind(&literal(text)), None, "{text}");
        }
        assert_eq!(U8.common(U8), I32);
        assert_eq!(U32.common(I64), I64);
        assert_eq!(I32.common(U32), U32);
    }
}
