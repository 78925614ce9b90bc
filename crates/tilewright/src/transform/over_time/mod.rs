//! Tiles that extend over the time loop of an iterated stencil.

pub(crate) mod diamond;
pub(crate) mod hexagonal;
pub(crate) mod phased;
pub(crate) mod split;
pub(crate) mod trapezoids;
