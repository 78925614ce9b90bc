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
    /// Pointers behind which parameters and arrays are, but not those that the original follows in
    /// any case.
    pub followed: Vec<Followed>,
}

/// A pointer that the original follows at times.
#[derive(Clone, Debug)]
pub struct Followed {
    /// In C: `img`, `grid->cells`.
    pub pointer: String,
    /// When it certainly does, for parameters that are behind no pointer, and behind those in front
    /// of this one in [`Checks::followed`].
    pub when: Set,
}

impl Followed {
    /// Whether an expression in C reads something behind it.
    pub fn leads_to(&self, text: &str) -> bool {
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '>');
        text.match_indices(&self.pointer).any(|(at, pointer)| {
            !text[..at].ends_with(inside) && text[at + pointer.len()..].starts_with("->")
        })
    }
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
    /// What is added to the first and to the end, in elements; strides are not negative where the
    /// memory is apart.
    pub inside: Vec<Inside>,
}

/// Distances from the beginning of a row.
#[derive(Clone, Debug)]
pub struct Inside {
    /// The least one: over the parameters.
    pub first: PwAff,
    /// That of the end.
    pub end: PwAff,
    /// In units of so many elements, in C; `None`: of one.
    pub stride: Option<String>,
}

impl Rows {
    /// All strides.
    pub fn strides(&self) -> impl Iterator<Item = &str> {
        let own = self.stride.iter();
        let inside = self
            .inside
            .iter()
            .filter_map(|inside| inside.stride.as_ref());
        own.chain(inside).map(String::as_str)
    }

    /// All bounds.
    pub fn bounds(&self) -> impl Iterator<Item = &PwAff> {
        let inside = self.inside.iter();
        let inside = inside.flat_map(|inside| [&inside.first, &inside.end]);
        [&self.first, &self.end].into_iter().chain(inside)
    }
}

impl Checks {
    /// None.
    pub fn none(given: &Set) -> Checks {
        Checks {
            given: given.clone(),
            parameters: Vec::new(),
            apart: Vec::new(),
            followed: Vec::new(),
        }
    }

    /// Whether nothing is compared of sizes and addresses.
    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty() && self.apart.is_empty()
    }
}

/// Parameters of 64 bits are compared with this first, so that sums of them cannot overflow:
/// no array has so many elements.
pub const LARGEST: i64 = 1 << 44;
