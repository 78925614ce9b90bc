//! Types of values as C has them: promotions, usual conversions, and the type of an expression.

use super::expression::floating_literal;
use super::{BinaryOp, Expr, Scop, Statement, UnaryOp};

/// What a scalar or an element is. What the compiler has to know of a kind is said by the functions
/// here, and nowhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum ScalarKind {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    /// `_Float16`, with which C compilers may compute as `float` within an expression.
    F16,
    F32,
    F64,
    /// `long double`: 80 bits in 16 bytes on x86-64.
    F80,
    /// `__float128`, `_Float128`.
    F128,
    /// A complex number of two [`ScalarKind::F32`].
    C32,
    /// A complex number of two [`ScalarKind::F64`].
    C64,
    /// A complex number of two [`ScalarKind::F80`].
    C80,
    /// A complex number of two [`ScalarKind::F128`].
    C128,
}

impl ScalarKind {
    /// Size in bytes.
    pub fn bytes(self) -> usize {
        use ScalarKind::*;
        match self {
            Bool | I8 | U8 => 1,
            I16 | U16 | F16 => 2,
            I32 | U32 | F32 => 4,
            I64 | U64 | F64 | C32 => 8,
            F80 | F128 | C64 => 16,
            C80 | C128 => 32,
        }
    }

    /// The type's name without typedefs; of kinds that [devices have](Self::is_on_devices) the same
    /// in C, OpenCL C and CUDA C.
    pub fn c_name(self) -> &'static str {
        use ScalarKind::*;
        match self {
            Bool => "bool",
            I8 => "signed char",
            U8 => "unsigned char",
            I16 => "short",
            U16 => "unsigned short",
            I32 => "int",
            U32 => "unsigned int",
            I64 => "long",
            U64 => "unsigned long",
            F16 => "_Float16",
            F32 => "float",
            F64 => "double",
            F80 => "long double",
            F128 => "_Float128",
            C32 => "float _Complex",
            C64 => "double _Complex",
            C80 => "long double _Complex",
            C128 => "_Float128 _Complex",
        }
    }

    /// Whether it is no integer: real or complex.
    pub fn is_float(self) -> bool {
        use ScalarKind::*;
        matches!(self, F16 | F32 | F64 | F80 | F128 | C32 | C64 | C80 | C128)
    }

    /// Whether its numbers have a real and an imaginary part.
    pub fn is_complex(self) -> bool {
        self.part() != self
    }

    /// `float` or `double`: what processors add in vectors, OpenMP adds in threads, and everybody has
    /// one instruction for.
    pub fn is_plain_float(self) -> bool {
        matches!(self, ScalarKind::F32 | ScalarKind::F64)
    }

    /// Whether kernels may have values of it, and interfaces for other languages a type for it. Of the
    /// others only C compilers know.
    pub fn is_on_devices(self) -> bool {
        !self.is_float() || self.is_plain_float()
    }

    /// Of complex numbers the kind of their parts; of others the kind itself.
    pub fn part(self) -> ScalarKind {
        use ScalarKind::*;
        match self {
            C32 => F32,
            C64 => F64,
            C80 => F80,
            C128 => F128,
            real => real,
        }
    }

    /// Complex numbers whose parts this is, or what it is converted to where there are none.
    pub fn complex(self) -> ScalarKind {
        use ScalarKind::*;
        match self.part() {
            F16 | F32 => C32,
            F80 => C80,
            F128 => C128,
            _ => C64,
        }
    }

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
        let (a, b) = (self.part().promoted(), other.part().promoted());
        let common = [F128, F80, F64, F32, F16, U64, I64, U32]
            .into_iter()
            .find(|k| a == *k || b == *k)
            .unwrap_or(I32);
        match self.is_complex() || other.is_complex() {
            true => common.complex(),
            false => common,
        }
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
            Expr::Local(_) | Expr::Call(..) | Expr::Effect { .. } | Expr::Row { .. } => None,
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
        // Of a complex number and a real one the complex one whose parts hold both (6.3.1.8).
        for (a, b, expected) in [
            (F16, F16, F16),
            (F16, I64, F16),
            (F32, F16, F32),
            (F80, F64, F80),
            (F128, F80, F128),
            (C32, I32, C32),
            (C32, F64, C64),
            (C32, F16, C32),
            (C64, F80, C80),
            (C80, F128, C128),
            (C64, C32, C64),
        ] {
            assert_eq!(a.common(b), expected, "{a:?} {b:?}");
            assert_eq!(b.common(a), expected, "{b:?} {a:?}");
        }
    }

    /// As C compilers for x86-64 have them.
    #[test]
    fn sizes_and_parts() {
        use ScalarKind::*;
        for (kind, bytes, part) in [
            (F16, 2, F16),
            (F80, 16, F80),
            (F128, 16, F128),
            (C32, 8, F32),
            (C64, 16, F64),
            (C80, 32, F80),
            (C128, 32, F128),
        ] {
            assert_eq!((kind.bytes(), kind.part()), (bytes, part), "{kind:?}");
            assert!(kind.is_float() && !kind.is_on_devices() && !kind.is_plain_float());
            assert_eq!(kind.is_complex(), kind.bytes() == 2 * part.bytes());
        }
    }

    #[test]
    fn literals_say_what_they_are() {
        use ScalarKind::*;
        for (text, kind) in [
            ("1.5", Some(F64)),
            ("1.5F", Some(F32)),
            ("1e3L", Some(F80)),
            ("1.0f16", Some(F16)),
            ("1.0F128", Some(F128)),
            ("0x1p3", Some(F64)),
            ("0x1.8p3f", Some(F32)),
            ("1.0iF", Some(C32)),
            ("1.0fi", Some(C32)),
            ("2.0i", Some(C64)),
            (".5j", Some(C64)),
            ("1.0Li", Some(C80)),
            ("1.0f64", Some(F64)),
            ("1.0f32", Some(F32)),
            ("0xff", None),
            ("12L", None),
            ("0xabcdef", None),
        ] {
            assert_eq!(floating_literal(text), kind, "{text}");
        }
    }
}
