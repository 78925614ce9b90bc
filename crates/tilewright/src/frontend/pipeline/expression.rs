//! Expressions over variables, parameters and cells of images and functions.
//!
//! Arithmetic has C's meaning: operands are promoted and converted as C does it, `/` of integers
//! rounds towards zero, `%` has the sign of its left operand. One thing differs: a floating number
//! without a type of its own (`0.5`) is a `double` only where it meets one, and a `float`
//! otherwise.

use crate::scop::{BinaryOp, ScalarKind, UnaryOp};
use std::sync::Arc;

/// How deep an expression may be. Beyond, it is refused when the pipeline is checked.
pub const DEEPEST: u32 = 400;

/// How many operations and cells an expression may have, counting what is used twice twice.
pub const LARGEST: u64 = 50_000;

/// A variable of a pipeline: ranges over integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable {
    pub(super) pipeline: u32,
    pub(super) index: u32,
}

/// A scalar argument of a pipeline: a size, or a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parameter {
    pub(super) pipeline: u32,
    pub(super) index: u32,
}

/// An image that the pipeline reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Image(pub(super) Source);

/// A stage of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Function(pub(super) Source);

/// What has cells: an image or a function. A number into the pipeline's own table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Source {
    pub(super) pipeline: u32,
    pub(super) index: u32,
}

/// The value of an expression in one cell. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Expr(pub(super) Arc<Node>);

/// What an expression is, and how large. No expression is deeper than [`DEEPEST`] or larger than
/// [`LARGEST`], so that passes may recurse.
#[derive(Debug)]
pub(super) struct Node {
    pub extent: Extent,
    pub kind: NodeKind,
}

/// How large an expression or a condition is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    depth: u32,
    size: u64,
}

impl Extent {
    const LEAF: Extent = Extent { depth: 0, size: 1 };

    fn above(parts: impl IntoIterator<Item = Extent>) -> Extent {
        let mut all = Extent::LEAF;
        for part in parts {
            all.depth = all.depth.max(part.depth + 1);
            all.size = all.size.saturating_add(part.size);
        }
        all
    }

    fn is_too_large(self) -> bool {
        self.depth > DEEPEST || self.size > LARGEST
    }
}

#[derive(Debug)]
pub(super) enum NodeKind {
    Int(i64),
    /// With its own type, or with that of what it meets.
    Float(f64, Option<ScalarKind>),
    Variable(Variable),
    Parameter(Parameter),
    Read(Source, Vec<Expr>),
    Unary(UnaryOp, Expr),
    Binary(BinaryOp, Expr, Expr),
    Select(Condition, Expr, Expr),
    Cast(ScalarKind, Expr),
    Math(Math, Vec<Expr>),
    /// In place of an expression deeper than [`DEEPEST`] or larger than [`LARGEST`].
    TooLarge,
}

/// Functions of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Math {
    Min,
    Max,
    Abs,
    Sqrt,
    Exp,
    Log,
    Sin,
    Cos,
    Tan,
    Floor,
    Ceil,
    Pow,
    Lerp,
}

impl Math {
    /// Whether it is a call of C's library.
    pub fn is_of_library(self) -> bool {
        !matches!(self, Math::Min | Math::Max | Math::Abs | Math::Lerp)
    }

    /// Its name in messages; for floating-point functions C's name for `double`.
    pub fn name(self) -> &'static str {
        match self {
            Math::Min => "min",
            Math::Max => "max",
            Math::Abs => "abs",
            Math::Sqrt => "sqrt",
            Math::Exp => "exp",
            Math::Log => "log",
            Math::Sin => "sin",
            Math::Cos => "cos",
            Math::Tan => "tan",
            Math::Floor => "floor",
            Math::Ceil => "ceil",
            Math::Pow => "pow",
            Math::Lerp => "lerp",
        }
    }
}

/// Whether something holds in one cell. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Condition(Arc<(Extent, Test)>);

#[derive(Debug)]
pub(super) enum Test {
    Compare(BinaryOp, Expr, Expr),
    And(Condition, Condition),
    Or(Condition, Condition),
    Not(Condition),
    TooLarge,
}

impl Condition {
    pub(super) fn new(test: Test) -> Condition {
        let extent = match &test {
            Test::Compare(_, a, b) => Extent::above([a.0.extent, b.0.extent]),
            Test::And(a, b) | Test::Or(a, b) => Extent::above([a.0.0, b.0.0]),
            Test::Not(a) => Extent::above([a.0.0]),
            Test::TooLarge => Extent::LEAF,
        };
        Condition(Arc::new(if extent.is_too_large() {
            (Extent::LEAF, Test::TooLarge)
        } else {
            (extent, test)
        }))
    }

    pub(super) fn test(&self) -> &Test {
        &self.0.1
    }

    /// Both.
    pub fn and(self, other: Condition) -> Condition {
        Condition::new(Test::And(self, other))
    }

    /// One of them, or both.
    pub fn or(self, other: Condition) -> Condition {
        Condition::new(Test::Or(self, other))
    }
}

impl Expr {
    pub(super) fn new(kind: NodeKind) -> Expr {
        let extent = match &kind {
            NodeKind::Read(_, parts) | NodeKind::Math(_, parts) => {
                Extent::above(parts.iter().map(|e| e.0.extent))
            }
            NodeKind::Unary(_, a) | NodeKind::Cast(_, a) => Extent::above([a.0.extent]),
            NodeKind::Binary(_, a, b) => Extent::above([a.0.extent, b.0.extent]),
            NodeKind::Select(c, a, b) => Extent::above([c.0.0, a.0.extent, b.0.extent]),
            NodeKind::Int(_)
            | NodeKind::Float(..)
            | NodeKind::Variable(_)
            | NodeKind::Parameter(_)
            | NodeKind::TooLarge => Extent::LEAF,
        };
        Expr(Arc::new(if extent.is_too_large() {
            Node {
                extent: Extent::LEAF,
                kind: NodeKind::TooLarge,
            }
        } else {
            Node { extent, kind }
        }))
    }

    /// Which part of memory it is: clones have the same.
    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    pub(super) fn kind(&self) -> &NodeKind {
        &self.0.kind
    }

    /// An integer.
    pub fn int(value: i64) -> Expr {
        Expr::new(NodeKind::Int(value))
    }

    /// A floating number of the type of what it is combined with.
    pub fn number(value: f64) -> Expr {
        Expr::new(NodeKind::Float(value, None))
    }

    /// A number of C's `double`, whatever it is combined with.
    pub fn double(value: f64) -> Expr {
        Expr::new(NodeKind::Float(value, Some(ScalarKind::F64)))
    }

    /// Converts to a type, as C's casts do.
    pub fn cast(self, kind: ScalarKind) -> Expr {
        Expr::new(NodeKind::Cast(kind, self))
    }

    fn math(function: Math, arguments: Vec<Expr>) -> Expr {
        Expr::new(NodeKind::Math(function, arguments))
    }

    /// The smaller one.
    pub fn min(self, other: impl Into<Expr>) -> Expr {
        Expr::math(Math::Min, vec![self, other.into()])
    }

    /// The larger one.
    pub fn max(self, other: impl Into<Expr>) -> Expr {
        Expr::math(Math::Max, vec![self, other.into()])
    }

    /// At least `low` and at most `high`.
    pub fn clamp(self, low: impl Into<Expr>, high: impl Into<Expr>) -> Expr {
        self.max(low).min(high)
    }

    /// Without its sign.
    pub fn abs(self) -> Expr {
        Expr::math(Math::Abs, vec![self])
    }

    /// The square root.
    pub fn sqrt(self) -> Expr {
        Expr::math(Math::Sqrt, vec![self])
    }

    /// e to the power of it.
    pub fn exp(self) -> Expr {
        Expr::math(Math::Exp, vec![self])
    }

    /// The natural logarithm.
    pub fn log(self) -> Expr {
        Expr::math(Math::Log, vec![self])
    }

    /// The sine.
    pub fn sin(self) -> Expr {
        Expr::math(Math::Sin, vec![self])
    }

    /// The cosine.
    pub fn cos(self) -> Expr {
        Expr::math(Math::Cos, vec![self])
    }

    /// The tangent.
    pub fn tan(self) -> Expr {
        Expr::math(Math::Tan, vec![self])
    }

    /// Rounded down, still floating.
    pub fn floor(self) -> Expr {
        Expr::math(Math::Floor, vec![self])
    }

    /// Rounded up, still floating.
    pub fn ceil(self) -> Expr {
        Expr::math(Math::Ceil, vec![self])
    }

    /// To a power.
    pub fn pow(self, exponent: impl Into<Expr>) -> Expr {
        Expr::math(Math::Pow, vec![self, exponent.into()])
    }

    pub(super) fn compare(self, operator: BinaryOp, other: Expr) -> Condition {
        Condition::new(Test::Compare(operator, self, other))
    }
}

/// `a` where the condition holds, `b` elsewhere. Cells that only one of the two reads need to
/// exist only where that one is taken, as far as the condition is affine in variables.
pub fn select(condition: Condition, a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    Expr::new(NodeKind::Select(condition, a.into(), b.into()))
}

/// Between two floating values, linearly: `a + weight * (b - a)`.
pub fn lerp(a: impl Into<Expr>, b: impl Into<Expr>, weight: impl Into<Expr>) -> Expr {
    Expr::math(Math::Lerp, vec![a.into(), b.into(), weight.into()])
}

impl From<Variable> for Expr {
    fn from(variable: Variable) -> Expr {
        Expr::new(NodeKind::Variable(variable))
    }
}

impl From<Parameter> for Expr {
    fn from(parameter: Parameter) -> Expr {
        Expr::new(NodeKind::Parameter(parameter))
    }
}

impl From<&Expr> for Expr {
    fn from(expression: &Expr) -> Expr {
        expression.clone()
    }
}

macro_rules! integers {
    ($($type:ty),+) => { $(
        impl From<$type> for Expr {
            fn from(value: $type) -> Expr {
                Expr::int(value.into())
            }
        }
    )+ };
}
integers!(i32, i64, u8, u16, u32);

impl From<f64> for Expr {
    fn from(value: f64) -> Expr {
        Expr::number(value)
    }
}

impl From<f32> for Expr {
    fn from(value: f32) -> Expr {
        Expr::new(NodeKind::Float(value.into(), Some(ScalarKind::F32)))
    }
}

impl Variable {
    /// Converts to a type, as C's casts do.
    pub fn cast(self, kind: ScalarKind) -> Expr {
        Expr::from(self).cast(kind)
    }

    /// The variable from `lower` to `upper`, both included.
    pub fn over(self, lower: impl Into<Expr>, upper: impl Into<Expr>) -> Interval {
        Interval {
            variable: self,
            lower: lower.into(),
            upper: upper.into(),
        }
    }

    /// The variable from 0 to `count - 1`.
    pub fn below(self, count: impl Into<Expr>) -> Interval {
        self.over(0, count.into() - 1)
    }
}

/// A variable and its values, from `lower` to `upper`, both included.
#[derive(Clone, Debug)]
pub struct Interval {
    /// The variable.
    pub variable: Variable,
    /// Its least value.
    pub lower: Expr,
    /// Its greatest value.
    pub upper: Expr,
}

/// Subscripts: a tuple of what is or becomes an expression, or a list of expressions.
pub trait Cell {
    /// The subscripts, outermost first.
    fn subscripts(self) -> Vec<Expr>;
}

impl Cell for Vec<Expr> {
    fn subscripts(self) -> Vec<Expr> {
        self
    }
}

impl<T: Into<Expr>, const N: usize> Cell for [T; N] {
    fn subscripts(self) -> Vec<Expr> {
        self.into_iter().map(Into::into).collect()
    }
}

macro_rules! cells {
    ($($name:ident)+) => {
        impl<$($name: Into<Expr>),+> Cell for ($($name,)+) {
            #[allow(non_snake_case)]
            fn subscripts(self) -> Vec<Expr> {
                let ($($name,)+) = self;
                vec![$($name.into()),+]
            }
        }
    };
}
cells!(A);
cells!(A B);
cells!(A B C);
cells!(A B C D);
cells!(A B C D E);
cells!(A B C D E F);

macro_rules! sources {
    ($($type:ident),+) => { $(
        impl $type {
            /// What it is among everything that has cells.
            pub fn source(self) -> Source {
                self.0
            }

            /// The value of one cell: `img.at((x - 1, y))`.
            pub fn at(self, cell: impl Cell) -> Expr {
                Expr::new(NodeKind::Read(self.0, cell.subscripts()))
            }

            /// The sum of the cells around `cell` times `weights`, rows over the last subscript
            /// but one and columns over the last, the middle one on the cell itself; row by row,
            /// without those of weight 0. A single row reaches along the last subscript only.
            pub fn stencil<const M: usize, const N: usize>(
                self,
                cell: impl Cell,
                weights: [[f64; N]; M],
            ) -> Expr {
                let rows: Vec<&[f64]> = weights.iter().map(|row| &row[..]).collect();
                self.0.stencil(cell.subscripts(), &rows)
            }
        }
    )+ };
}
sources!(Image, Function);

impl Source {
    /// [`Function::stencil`] for weights of any size.
    pub fn stencil(self, cell: Vec<Expr>, weights: &[&[f64]]) -> Expr {
        let mut sum: Option<Expr> = None;
        for (row, values) in weights.iter().enumerate() {
            for (column, &weight) in values.iter().enumerate() {
                if weight == 0.0 {
                    continue;
                }
                let mut place = cell.clone();
                let offsets = [(2, row, weights.len()), (1, column, values.len())];
                for (behind, at, length) in offsets {
                    let offset = at as i64 - (length as i64 - 1) / 2;
                    if let Some(at) = place.len().checked_sub(behind) {
                        place[at] = shifted(&place[at], offset);
                    }
                }
                let value = Expr::new(NodeKind::Read(self, place));
                let integral = weight.fract() == 0.0 && weight.abs() < 1e9;
                let term = match (integral, weight == 1.0) {
                    (_, true) => value,
                    (true, _) => Expr::int(weight as i64) * value,
                    (false, _) => value * weight,
                };
                sum = Some(match sum {
                    Some(sum) => sum + term,
                    None => term,
                });
            }
        }
        sum.unwrap_or_else(|| Expr::int(0))
    }
}

fn shifted(subscript: &Expr, by: i64) -> Expr {
    match by {
        0 => subscript.clone(),
        1.. => subscript + by,
        _ => subscript - -by,
    }
}
