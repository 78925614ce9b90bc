//! Bounds and conditions that are data: what loops and guards read of memory.
//!
//! All threads of a block evaluate the bounds and conditions outside of pieces, and each one those
//! of its own loops: cells of [`Index::Data`] are reads like those of statements.

use crate::codegen::gpu::program::{Axis, Dealt, Touched};
use crate::codegen::kernel::{Index, Place, PlaceIndex};

/// The cells that an expression reads.
pub(crate) fn read_by(index: &Index) -> Vec<Touched> {
    let mut all = Vec::new();
    index.walk(&mut |part| {
        if let Index::Data(buffer, indices) = part {
            all.push(Touched {
                place: Place {
                    buffer: *buffer,
                    indices: indices.iter().cloned().map(PlaceIndex::Affine).collect(),
                },
                written: false,
            });
        }
    });
    all
}

/// Who evaluates what is outside of pieces: every thread. It is no loop's variable, so that this
/// is never found to be the one thread that does something else.
pub(crate) fn everybody() -> Vec<Dealt> {
    vec![Dealt {
        var: String::new(),
        axis: Axis::All,
        lower: Index::Int(0),
        step: 1,
    }]
}
