//! Which vector loops may be called so in C.
//!
//! Iterations of a `simd` loop have nothing to do with each other; what one of them does stays in
//! its order. Compilers do not always keep that. gcc puts the stores to neighbouring cells of one
//! iteration together, where the last of them stands, and the loads, where the first of them
//! stands; whether an access in between may be to the same cell it does not ask where the pragma
//! says that iterations are independent and no distance is known:
//!
//! ```c
//! #pragma omp simd
//! for (long x = 0; x < n; x++) {
//!     c[y][2 * x] = f(x);          /* stored below, with its neighbour */
//!     a[x] = c[2 * x][2 * x];      /* the same cell where y = 2 x */
//!     c[y][2 * x + 1] = g(x);
//! }
//! ```
//!
//! So a loop is one where every two accesses to an array that is stored to in it are the same
//! cell in all iterations or different cells in all iterations, or no cell of the array has a
//! neighbour in the same iteration: subscripts run from element to element.

use crate::codegen::kernel::{Kernel, Loop, Place, PlaceIndex};
use crate::scop::{AccessKind, Scop};
use crate::transform::Transformed;

/// Whether no compiler changes the order of accesses inside an iteration of a vector loop.
pub(super) fn keep_their_order(
    scop: &Scop,
    transformed: &Transformed,
    kernel: &Kernel,
    each: &Loop,
) -> bool {
    let mut touches = Vec::new();
    for node in &each.body {
        node.instances(&mut |instance| {
            let known = &scop.statements[instance.statement].accesses;
            for (access, place) in known.iter().zip(&instance.accesses) {
                touches.push((access.kind != AccessKind::Read, place));
            }
        });
    }
    let apart_from_neighbours = |place: &Place| {
        let of_struct = !scop.arrays[transformed.buffers[place.buffer].array]
            .members
            .is_empty();
        !of_struct && runs_from_element_to_element(place, each)
    };
    let strided: Vec<_> = touches
        .iter()
        .filter(|(_, place)| !apart_from_neighbours(place))
        .collect();
    touches
        .iter()
        .filter(|(stores, _)| *stores)
        .all(|(_, stored)| {
            let one_memory = |place: &Place| kernel.is_one_memory(place.buffer, stored.buffer);
            !strided.iter().any(|(_, place)| one_memory(place))
                || touches
                    .iter()
                    .filter(|(_, place)| one_memory(place))
                    .all(|(_, place)| same_or_different(stored, place))
        })
}

/// Whether the place moves by one element per iteration, or not at all.
fn runs_from_element_to_element(place: &Place, each: &Loop) -> bool {
    let Some((last, outer)) = place.indices.split_last() else {
        return true;
    };
    let by = |index: &PlaceIndex| match index {
        PlaceIndex::Affine(index) => index.coefficient(&each.var),
        PlaceIndex::Data { .. } => None,
    };
    outer.iter().all(|index| by(index) == Some(0)) && matches!(by(last), Some(0 | 1))
}

/// Whether two places are the same in every iteration, or in none.
fn same_or_different(one: &Place, other: &Place) -> bool {
    if one == other {
        return true;
    }
    let both = one.indices.iter().zip(&other.indices);
    one.buffer == other.buffer
        && both.into_iter().any(|pair| match pair {
            (PlaceIndex::Affine(a), PlaceIndex::Affine(b)) => a.differs_from(b),
            _ => false,
        })
}
