//! Rows of local buffers that do not collide.
//!
//! Tile sizes are often powers of two, and so then are the distances between the rows and planes
//! of a scratchpad. Cells at a distance of a multiple of 4096 bytes lie in the same set of a
//! first-level cache of 64 sets of 64 bytes, and a load behind a store at such a distance waits
//! for it, because processors compare the low twelve bits of addresses first. A cache line more per
//! row moves them apart. Measured on the bilateral grid, whose scratchpad has two planes of
//! 32 KiB: 1 % of the run time.

use crate::plan::defaults::{ALIAS_BYTES, LINE_BYTES};

/// The extents with which a buffer of elements of `bytes` bytes is allocated: at least those
/// asked for, a longer last dimension where outer dimensions would collide. A last dimension that
/// is folded is addressed modulo its extent by other code, and stays.
pub fn padded(extents: &[i64], folded: &[bool], bytes: i64) -> Vec<i64> {
    let mut padded = extents.to_vec();
    let Some((last, outer)) = extents.split_last() else {
        return padded;
    };
    let mut stride = last.saturating_mul(bytes);
    let mut collide = false;
    for &extent in outer.iter().rev() {
        collide |= extent > 1 && stride % ALIAS_BYTES == 0;
        stride = stride.saturating_mul(extent);
    }
    if collide && folded.last() != Some(&true) && LINE_BYTES % bytes == 0 {
        if let Some(last) = padded.last_mut() {
            *last += LINE_BYTES / bytes;
        }
    }
    padded
}

#[cfg(test)]
mod tests {
    use super::padded;

    #[test]
    fn planes_at_powers_of_two_move_apart() {
        // Two planes of 32 rows of 1 KiB.
        assert_eq!(padded(&[2, 32, 256], &[false; 3], 4), [2, 32, 272]);
        // Rows of 4 KiB.
        assert_eq!(padded(&[3, 512], &[false; 2], 8), [3, 520]);
        // One plane of them, and rows that lie apart as they are.
        assert_eq!(padded(&[1, 32, 256], &[false; 3], 4), [1, 32, 256]);
        assert_eq!(padded(&[2, 32, 258], &[false; 3], 4), [2, 32, 258]);
        assert_eq!(padded(&[4096], &[false], 1), [4096]);
        assert_eq!(padded(&[], &[], 4), [0; 0]);
    }

    #[test]
    fn a_dimension_that_is_folded_stays() {
        assert_eq!(padded(&[4, 1024], &[false, true], 4), [4, 1024]);
        assert_eq!(padded(&[4, 1024], &[true, false], 4), [4, 1040]);
    }
}
