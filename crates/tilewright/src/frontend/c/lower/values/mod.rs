//! Values of integers: affine and polynomial expressions, where what C computes is what isl
//! computes, and the parameters they depend on.

pub(crate) mod affine;
pub(crate) mod called;
pub(crate) mod conversion;
pub(crate) mod extrema;
pub(crate) mod factors;
pub(crate) mod interval;
pub(crate) mod params;
pub(crate) mod polynomial;
pub(crate) mod products;
pub(crate) mod quotients;
pub(crate) mod residues;
pub(crate) mod spread;
pub(crate) mod trips;
pub(crate) mod types;
pub(crate) mod wrap;
