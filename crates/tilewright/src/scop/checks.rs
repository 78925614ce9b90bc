//! What a model takes for granted although C does not say it: compared when the program runs, in
//! front of the region. Where it does not hold, the original statements are executed.

use crate::source::Span;
use isl::{PwAff, Set};

/// The comparisons of one region.
#[derive(Clone, Debug)]
pub struct Checks {
    /// What holds of the parameters without any: what types, declarations and the program say. The
    /// region's context is this and all of [`Checks::parameters`].
    pub given: Set,
    /// Conditions on parameters, each simplified by what stands before it.
    pub parameters: Vec<ParameterCheck>,
    /// Memory that the region writes, and other memory that it reads or writes and that C allows to
    /// be the same.
    pub apart: Vec<[Memory; 2]>,
}

/// A condition on parameters.
#[derive(Clone, Debug)]
pub struct ParameterCheck {
    /// Where it holds: a parameter set.
    pub good: Set,
    /// What is assumed, in words: '`i - 1` does not wrap around'.
    pub why: String,
    /// What needs it.
    pub span: Span,
}

/// Memory that a region touches.
#[derive(Clone, Debug)]
pub struct Memory {
    /// What stands before the subscript in C: `img`, `grid->cells`. An object where nothing is
    /// subscripted: `grid->n`.
    pub place: String,
    /// Which of its elements or rows; `None`: the object is all there is.
    pub rows: Option<Rows>,
}

/// A range of rows of an array, or of elements where it has one dimension.
#[derive(Clone, Debug)]
pub struct Rows {
    /// When there are any: a parameter set.
    pub some: Set,
    /// The first one, where there are any: over the parameters.
    pub first: PwAff,
    /// One behind the last one.
    pub end: PwAff,
    /// Elements of one row of a linearised array, in C.
    pub stride: Option<String>,
}

impl Checks {
    /// None.
    pub fn none(given: &Set) -> Checks {
        Checks {
            given: given.clone(),
            parameters: Vec::new(),
            apart: Vec::new(),
        }
    }

    /// Whether nothing is compared.
    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty() && self.apart.is_empty()
    }
}

/// Parameters of 64 bits are compared with this first, so that sums of them cannot overflow:
/// no array has so many elements.
pub const LARGEST: i64 = 1 << 48;
