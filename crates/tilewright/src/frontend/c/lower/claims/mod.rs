//! What a program says of itself: PENCIL and OpenMP.

pub(crate) mod assume;
pub(crate) mod followed;
pub(crate) mod openmp;
pub(crate) mod pencil;

/// What the program says of itself, in words and by what it does.
#[derive(Default)]
pub(super) struct Claims {
    /// Loops that the program says are independent.
    pub(super) independent: Vec<pencil::Said>,
    /// Conditions on data that the program says hold from here to the end of the block, and the
    /// iterations of the loops around for which it says so.
    pub(super) assumptions: Vec<(super::syntax::Expr, isl::Set)>,
    pub(super) conditions: usize,
    /// Pointers that the original certainly follows, first ones first.
    pub(super) followed: Vec<followed::Pointer>,
    /// What is read in memory that pointers may point at, and taken not to change.
    pub(super) pointer_reads: Vec<super::PointerRead>,
}
