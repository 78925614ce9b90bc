//! Rows of arrays in local memory whose cells in one column are in different banks.
//!
//! Words of local memory are distributed to banks in turn, and a bank serves one word at a time
//! (threads that read the same word are served together). Neighbouring threads that go along a row
//! need no bank twice. Where they go along a column, rows of 32 words would have them all in one: a
//! row with a few cells more moves them apart.

use crate::codegen::gpu::program::{Axis, BlockNode, DeviceKernel, Piece};
use crate::codegen::kernel::{LocalBuffer, Place, PlaceIndex};
use crate::plan::defaults::{BANK_BYTES, BANK_PADDING};
use crate::transform::BufferId;

/// The buffers with rows as long as they have to be. `banks` are per group, as in
/// [`crate::plan::Device::banks`]; `shared` are each kernel's scratchpads.
pub(crate) fn apart(
    buffers: &[LocalBuffer],
    kernels: &[DeviceKernel],
    shared: &[Vec<BufferId>],
    banks: &[i64],
) -> Vec<LocalBuffer> {
    let each = |buffer: &LocalBuffer| {
        let mut accesses: Vec<(i64, Vec<i64>)> = Vec::new();
        for (kernel, own) in kernels.iter().zip(shared) {
            let banks = banks.get(kernel.group).copied().unwrap_or(0);
            if banks > 1 && own.contains(&buffer.buffer) && buffer.extents.len() > 1 {
                let mut steps = Vec::new();
                gather(&kernel.body, buffer.buffer, &mut steps);
                accesses.extend(steps.into_iter().map(|step| (banks, step)));
            }
        }
        let mut buffer = buffer.clone();
        let more = more(&buffer, &accesses);
        if let Some(last) = buffer.extents.last_mut() {
            *last += more;
        }
        buffer
    };
    buffers.iter().map(each).collect()
}

/// The fewest cells more per row with which the threads that need the same bank are fewest.
fn more(buffer: &LocalBuffer, accesses: &[(i64, Vec<i64>)]) -> i64 {
    let bytes = buffer.element.kind.bytes() as i64;
    let meeting = |more: i64| -> i64 {
        let mut strides = vec![1i64; buffer.extents.len()];
        for dim in (1..strides.len()).rev() {
            let extent = buffer.extents[dim] + if dim + 1 == strides.len() { more } else { 0 };
            strides[dim - 1] = strides[dim].saturating_mul(extent);
        }
        let threads = accesses.iter().map(|(banks, step)| {
            let cells = step
                .iter()
                .zip(&strides)
                .map(|(by, stride)| by.saturating_mul(*stride));
            let apart = cells.fold(0, i64::saturating_add).saturating_mul(bytes);
            match apart % BANK_BYTES {
                0 => common((apart / BANK_BYTES).abs(), *banks),
                _ => 1,
            }
        });
        threads.fold(0, i64::saturating_add)
    };
    let best = (0..BANK_PADDING).min_by_key(|&more| (meeting(more), more));
    best.unwrap_or(0)
}

/// The greatest common divisor.
fn common(a: i64, b: i64) -> i64 {
    match a {
        0 => b,
        a => common(b % a, a),
    }
}

/// By how many cells of each dimension neighbouring threads are apart, where these are known and
/// not of the last dimension alone.
fn gather(nodes: &[BlockNode], buffer: BufferId, all: &mut Vec<Vec<i64>>) {
    for node in nodes {
        match node {
            BlockNode::For { body, .. } => gather(body, buffer, all),
            BlockNode::If {
                then, otherwise, ..
            } => {
                gather(then, buffer, all);
                gather(otherwise, buffer, all);
            }
            BlockNode::Piece(piece) => {
                let own = piece.touched.iter().filter(|t| t.place.buffer == buffer);
                for step in own.filter_map(|touched| apart_by(piece, &touched.place)) {
                    if !all.contains(&step) {
                        all.push(step);
                    }
                }
            }
            BlockNode::Barrier => {}
        }
    }
}

fn apart_by(piece: &Piece, place: &Place) -> Option<Vec<i64>> {
    let along =
        |dealt: &&crate::codegen::gpu::program::Dealt| matches!(dealt.axis, Axis::X | Axis::All);
    let dealt = piece.dealt.iter().find(along)?;
    let mut step = Vec::new();
    for index in &place.indices {
        let PlaceIndex::Affine(index) = index else {
            return None;
        };
        step.push(index.coefficient(&dealt.var)?.checked_mul(dealt.step)?);
    }
    let (_, outer) = step.split_last()?;
    outer.iter().any(|&by| by != 0).then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scop::{ScalarKind, ScalarType};

    fn buffer(extents: &[i64], kind: ScalarKind) -> LocalBuffer {
        LocalBuffer {
            buffer: 0,
            name: "tile".to_owned(),
            element: ScalarType {
                kind,
                spelling: kind.c_name().to_owned(),
            },
            extents: extents.to_vec(),
            scope: 0,
            shared: None,
            in_registers: false,
        }
    }

    #[test]
    fn columns_are_spread_over_banks() {
        let column = [(32, vec![1, 0])];
        let floats = buffer(&[32, 32], ScalarKind::F32);
        assert_eq!(more(&floats, &column), 1);
        // 33 words from one thread's to the next: 32 threads, 32 banks.
        let mut banks: Vec<i64> = (0..32).map(|thread| thread * 33 % 32).collect();
        banks.sort_unstable();
        assert_eq!(banks, (0..32).collect::<Vec<i64>>());
        // Rows of an odd number of words are apart as they are.
        assert_eq!(more(&buffer(&[32, 35], ScalarKind::F32), &column), 0);
        // Two words each: half a warp at a time.
        assert_eq!(more(&buffer(&[32, 32], ScalarKind::F64), &column), 1);
        // Four cells to a word.
        assert_eq!(more(&buffer(&[32, 32], ScalarKind::U8), &column), 1);
        // Along a row nothing is gained.
        assert_eq!(more(&floats, &[]), 0);
    }
}
