//! The kernel AST: what all printers share.
//!
//! Loops have inclusive bounds and a positive constant step; everything an index expression
//! mentions is a loop variable or a parameter.

use crate::scop::{Expr, ParamId, ScalarType, StatementId};
use crate::transform::BufferId;

/// The code of one region.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// Statements of the region in order.
    pub body: Vec<Node>,
    /// Local buffers. One of a single element is a variable of the block of its scope; the others
    /// are allocated per thread, outside the outermost loop around their scope.
    pub buffers: Vec<LocalBuffer>,
}

/// A local buffer of constant size.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalBuffer {
    /// Which.
    pub buffer: BufferId,
    /// C name.
    pub name: String,
    /// Element type.
    pub element: ScalarType,
    /// Extents in elements; empty for a scalar.
    pub extents: Vec<i64>,
    /// The scope it belongs to.
    pub scope: usize,
}

/// A piece of code.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A loop `for (var = lower; var <= upper; var += step)`.
    For(Loop),
    /// A guard.
    If {
        /// Non-zero: execute.
        condition: Index,
        /// Then.
        then: Vec<Node>,
        /// Else.
        otherwise: Vec<Node>,
    },
    /// One statement instance.
    Statement(Instance),
    /// The life of the local buffers of a scope: they hold nothing at its begin. A scope may
    /// occur in several places.
    Scope {
        /// The scope.
        scope: usize,
        /// What happens inside.
        body: Vec<Node>,
    },
}

/// A loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Its variable, unique along every path.
    pub var: String,
    /// First value.
    pub lower: Index,
    /// Last possible value, inclusive.
    pub upper: Index,
    /// Positive.
    pub step: i64,
    /// Iterations may run in parallel, and are to.
    pub parallel: bool,
    /// How many directly nested parallel loops from this one on form one rectangular space that
    /// is divided among threads together; 1 where only this one is.
    pub collapse: usize,
    /// Iterations may run as vector lanes.
    pub simd: bool,
    /// What is repeated.
    pub body: Vec<Node>,
}

/// One execution of a statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The original statement, whose body is printed.
    pub statement: StatementId,
    /// Values of the statement's iterators.
    pub iterators: Vec<Index>,
    /// For each access its place.
    pub accesses: Vec<Place>,
}

/// Where an access goes.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Which buffer.
    pub buffer: BufferId,
    /// Index per dimension, origin and folding applied.
    pub indices: Vec<PlaceIndex>,
}

/// One index of a place.
#[derive(Clone, Debug, PartialEq)]
pub enum PlaceIndex {
    /// An affine one.
    Affine(Index),
    /// The subscript as an expression of the statement (data-dependent), minus the origin.
    Data {
        /// The subscript.
        subscript: Expr,
        /// What is subtracted, where not zero.
        origin: Option<Index>,
    },
}

/// An integer expression of loop variables and parameters (type `long` in C).
#[derive(Clone, Debug, PartialEq)]
pub enum Index {
    /// A constant.
    Int(i64),
    /// A loop variable.
    Var(String),
    /// A parameter.
    Param(ParamId),
    /// Sum.
    Add(Box<Index>, Box<Index>),
    /// Difference.
    Sub(Box<Index>, Box<Index>),
    /// Product; one side is a constant.
    Mul(Box<Index>, Box<Index>),
    /// Negation.
    Neg(Box<Index>),
    /// Quotient rounded towards minus infinity; the divisor is a positive constant.
    FloorDiv(Box<Index>, i64),
    /// Quotient of a dividend that is not negative or divides exactly: C's `/` will do.
    ExactDiv(Box<Index>, i64),
    /// Remainder in `0..divisor`, also for negative dividends.
    Mod(Box<Index>, i64),
    /// Remainder of a dividend that is not negative, or compared with zero only: C's `%` will do.
    PlainMod(Box<Index>, i64),
    /// Smallest.
    Min(Vec<Index>),
    /// Largest.
    Max(Vec<Index>),
    /// `condition ? then : otherwise`
    Select(Box<Index>, Box<Index>, Box<Index>),
    /// Comparison or logic; 0 or 1.
    Compare(Comparison, Box<Index>, Box<Index>),
    /// All hold.
    All(Vec<Index>),
    /// One holds.
    Any(Vec<Index>),
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `<=`
    LessEqual,
    /// `<`
    Less,
    /// `>=`
    GreaterEqual,
    /// `>`
    Greater,
}
