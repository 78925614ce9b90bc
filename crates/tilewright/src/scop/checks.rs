//! What a model takes for granted although C does not say it: compared when the program runs, in
//! front of the region. Where it does not hold, the original statements are executed.

use crate::source::Span;
use isl::Set;

/// The comparisons of one region.
#[derive(Clone, Debug)]
pub struct Checks {
    /// What holds of the parameters without any: what types, declarations and the program say. The
    /// region's context is this and all of [`Checks::parameters`].
    pub given: Set,
    /// Conditions on parameters, each simplified by what stands before it.
    pub parameters: Vec<ParameterCheck>,
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

impl Checks {
    /// None.
    pub fn none(given: &Set) -> Checks {
        Checks {
            given: given.clone(),
            parameters: Vec::new(),
        }
    }

    /// Whether nothing is compared.
    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty()
    }
}

/// Parameters of 64 bits are compared with this first, so that sums of them cannot overflow:
/// no array has so many elements.
pub const LARGEST: i64 = 1 << 48;
