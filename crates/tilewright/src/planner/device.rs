//! What a plan says about blocks of threads, where a device is to do the work.

use super::wishes::Wishes;
use crate::plan::{Group, Tiles, defaults};

/// Decides for one group, whose shape is known.
pub fn decide(group: &mut Group, wishes: &Wishes) {
    let Some(device) = &wishes.device else {
        return;
    };
    // What the cost model found is within the device's limits. Loops as written, where nobody asked for
    // a block of some shape, get one that suits what is in them (`codegen::gpu::grids::short_loops`).
    let free = group.written().is_some() && device.threads.is_none();
    if group.device.threads.is_empty() && !free {
        group.device.threads = threads(wishes);
    }
    group.device.sink = device.sink;
    group.device.grid = device.grid;
    group.device.unroll = device.unroll;
    group.device.index = device.index;
    // Only there is what full tiles gain known before: constant numbers of iterations.
    let pays = group.affine().is_some();
    group.device.full_tiles = wishes.processor.separate || device.full_tiles.unwrap_or(pays);
    match &mut group.tiles {
        Tiles::Affine(tiles) => {
            tiles.wavefront_points = tiles.wavefront;
            tiles.separate = false;
        }
        Tiles::Overlapped(tiles) => tiles.separate = false,
        Tiles::Written(_) | Tiles::OverTime(_) => {}
    }
}

/// Threads that a block gets: as many as are wished for, and no more than the device has. Empty where
/// no device is to do the work.
pub fn threads(wishes: &Wishes) -> Vec<i64> {
    match &wishes.device {
        None => Vec::new(),
        Some(device) => at_most(wished(wishes), device.most_threads),
    }
}

/// The same along x and y.
pub(super) fn block(wishes: &Wishes) -> [i64; 2] {
    let threads = threads(wishes);
    [0, 1].map(|axis| threads.get(axis).copied().unwrap_or(1))
}

/// What is wished for where it is more than the device has, beside what it becomes.
pub fn too_many(wishes: &Wishes) -> Option<(Vec<i64>, Vec<i64>)> {
    let (wished, threads) = (wished(wishes), threads(wishes));
    (!threads.is_empty() && wished != threads).then_some((wished, threads))
}

/// Threads along x and y where a plan says nothing of them.
pub fn usual(most_threads: i64) -> [i64; 2] {
    let threads = at_most(defaults::BLOCK_THREADS.to_vec(), most_threads);
    [0, 1].map(|axis| threads.get(axis).copied().unwrap_or(1))
}

fn wished(wishes: &Wishes) -> Vec<i64> {
    let given = wishes.device.as_ref().and_then(|d| d.threads.clone());
    given.unwrap_or_else(|| defaults::BLOCK_THREADS.to_vec())
}

/// Halves of the last dimension, then of those before it, until there are few enough: neighbouring
/// cells stay with neighbouring threads.
fn at_most(mut threads: Vec<i64>, most: i64) -> Vec<i64> {
    let count = |threads: &[i64]| {
        let product = threads.iter().try_fold(1i64, |all, &t| all.checked_mul(t));
        product.unwrap_or(i64::MAX)
    };
    while count(&threads) > most.max(1) {
        match threads.iter_mut().rev().find(|threads| **threads > 1) {
            Some(last) => *last /= 2,
            None => break,
        }
    }
    threads
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planner::wishes::DeviceWishes;

    #[test]
    fn blocks_are_no_larger_than_the_device_allows() {
        let wishes = |threads: Option<&[i64]>, most_threads| Wishes {
            device: Some(DeviceWishes {
                threads: threads.map(<[i64]>::to_vec),
                most_threads,
                ..DeviceWishes::default()
            }),
            ..Wishes::default()
        };
        assert_eq!(threads(&Wishes::default()), Vec::<i64>::new());
        assert_eq!(too_many(&Wishes::default()), None);
        assert_eq!(threads(&wishes(None, 1024)), defaults::BLOCK_THREADS);
        assert_eq!(too_many(&wishes(None, 256)), None);
        assert_eq!(threads(&wishes(None, 64)), [32, 2]);
        assert_eq!(
            too_many(&wishes(Some(&[64, 3]), 48)),
            Some((vec![64, 3], vec![32, 1]))
        );
        assert_eq!(threads(&wishes(Some(&[100]), 1)), [1]);
    }
}
