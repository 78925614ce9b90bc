//! Which numbers a plan may hold. What is beyond them is the size of nothing, and would leave the
//! range of numbers with which plans are applied.

use super::defaults::WHOLE;
use super::file::Entry;
use super::{Group, Jam, RegionPlan, Shorter, Tiles};
use std::ops::RangeInclusive;

/// Dimensions of arrays and of nests of loops, from 0.
const DIMENSIONS: RangeInclusive<i64> = 0..=63;

/// What is counted: cells, iterations, threads. Who applies a plan says more exactly what can be.
const COUNTS: RangeInclusive<i64> = -WHOLE..=WHOLE;

/// Sizes of tiles, 0 for whole dimensions.
const SIZES: RangeInclusive<i64> = 0..=WHOLE;

/// Iterations that are written out one after another in place of one. Planners ask for 8 at most,
/// and no processor has the registers for more than this.
const COPIES: RangeInclusive<i64> = 0..=64;

/// Copies of a statement that unrolled and jammed loops around each other make at most.
const MOST_COPIES: i64 = 256;

/// Threads of a block along one dimension, and in all on any device known.
const THREADS: RangeInclusive<i64> = 0..=1024;

/// Refuses numbers out of range.
///
/// # Errors
/// Which one it is, and what it may be.
pub(crate) fn check(plan: &RegionPlan) -> Result<(), String> {
    for (number, group) in plan.groups.iter().enumerate() {
        for (key, value, range) in numbers(&Entry::from(group.clone())) {
            if !range.contains(&value) {
                let (group, least, most) = (number + 1, range.start(), range.end());
                return Err(format!(
                    "`{key}` of group {group} is {value}; it may be from {least} to {most}"
                ));
            }
        }
        for jam in group.jam() {
            if let Some(why) = columns_without_use(group, jam) {
                return Err(format!("`jam.columns` of group {} {why}", number + 1));
            }
            let factors = jam.factors.iter().map(|&factor| factor.max(1));
            let copies = factors.fold(1i64, i64::saturating_mul);
            if copies > MOST_COPIES {
                return Err(format!(
                    "`jam.factors` of group {} write each statement of `{}` out {copies} times; \
                     {MOST_COPIES} is the most",
                    number + 1,
                    jam.stage
                ));
            }
        }
    }
    Ok(())
}

/// Why results of a nest cannot stay in registers, whatever its loops are.
fn columns_without_use(group: &Group, jam: &Jam) -> Option<&'static str> {
    let rows = |factors: &[i64]| factors.iter().filter(|&&factor| factor > 1).count() == 1;
    if jam.columns == 0 {
        None
    } else if !matches!(group.tiles, Tiles::Affine(_)) {
        Some("is for parallelograms only")
    } else if !group.vectorise {
        Some("is for vector loops, which `vectorise = false` rules out")
    } else if !rows(&jam.factors) || !jam.factors.ends_with(&[1]) {
        Some("needs one factor above 1, and 1 for the loops behind it, which add")
    } else {
        None
    }
}

/// Refuses sizes of which loops may be shorter that are none of the region's, or not shorter.
///
/// # Errors
/// Which one it is, and what is there.
pub(crate) fn check_shorter(plan: &RegionPlan, sizes: &[&str]) -> Result<(), String> {
    for Shorter { size, iterations } in &plan.least.shorter {
        if !sizes.contains(&&size[..]) {
            let there = match sizes {
                [] => "none".to_owned(),
                _ => sizes.join(", "),
            };
            return Err(format!(
                "`least-of`: `{size}` is no size of the region; there are {there}"
            ));
        }
        let all = plan.least.iterations;
        if !(1..all).contains(iterations) {
            return Err(format!(
                "`least-of`: {iterations} iterations of `{size}` are none that are fewer than the \
                 {all} of `least-iterations`"
            ));
        }
    }
    Ok(())
}

/// All numbers of a group by their keys, with what they may be.
fn numbers(group: &Entry) -> Vec<(&'static str, i64, RangeInclusive<i64>)> {
    let place = |dimension: usize| i64::try_from(dimension).unwrap_or(i64::MAX);
    let mut all = vec![
        ("vector-tile", group.vector_tile, SIZES),
        ("concurrent", place(group.concurrent), DIMENSIONS),
        ("align", group.align, COUNTS),
        ("grid", group.grid, COUNTS),
        ("unroll", group.unroll, COPIES),
        ("banks", group.banks, COUNTS),
    ];
    all.extend(group.tile_sizes.iter().map(|&n| ("tile-sizes", n, SIZES)));
    all.extend(group.threads.iter().map(|&n| ("threads", n, THREADS)));
    let order = group.tile_order.iter();
    all.extend(order.map(|&n| ("tile-order", place(n), DIMENSIONS)));
    for along in &group.interleave {
        all.push(("interleave.dimension", place(along.dimension), DIMENSIONS));
        all.push(("interleave.block", along.block, COUNTS));
    }
    let factors = group.jam.iter().flat_map(|jam| &jam.factors);
    all.extend(factors.map(|&n| ("jam.factors", n, COPIES)));
    let columns = group.jam.iter().map(|jam| jam.columns);
    all.extend(columns.map(|n| ("jam.columns", n, COPIES)));
    let depths = group.promote.iter().map(|promotion| promotion.depth);
    all.extend(depths.map(|n| ("promote.depth", place(n), DIMENSIONS)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Interleave, Overlapped, Plan, Promotion, Shape};

    fn refused(change: impl Fn(&mut Group), message: &str) {
        let mut group = Group::new(vec!["A".to_owned()], Shape::Right);
        change(&mut group);
        let text = "version = 1\n[[region]]\nfunction = \"f\"\nindex = 0\n";
        let mut plan = Plan::from_toml(text).unwrap();
        let region = &mut plan.regions[0];
        region.groups = vec![Group::new(vec!["B".to_owned()], Shape::None), group];
        assert_eq!(check(region).unwrap_err(), message);
        region.groups.pop();
        check(region).unwrap();
    }

    #[test]
    fn columns_are_for_nests_that_can_keep_them() {
        let with = |shape: Shape, factors: &[i64], vectorise: bool| {
            let jam = Jam {
                stage: "A".to_owned(),
                factors: factors.to_vec(),
                columns: 24,
            };
            move |group: &mut Group| {
                *group = Group::new(vec!["A".to_owned()], shape);
                group.vectorise = vectorise;
                match &mut group.tiles {
                    Tiles::Affine(tiles) => tiles.jam = vec![jam.clone()],
                    Tiles::Overlapped(tiles) => tiles.jam = vec![jam.clone()],
                    other => panic!("{other:?}"),
                }
            }
        };
        refused(
            with(Shape::Right, &[4, 1], true),
            "`jam.columns` of group 2 is for parallelograms only",
        );
        refused(
            with(Shape::Parallelogram, &[4, 1], false),
            "`jam.columns` of group 2 is for vector loops, which `vectorise = false` rules out",
        );
        for factors in [&[4][..], &[1, 1], &[4, 4], &[2, 4, 1], &[1, 4]] {
            refused(
                with(Shape::Parallelogram, factors, true),
                "`jam.columns` of group 2 needs one factor above 1, and 1 for the loops behind it, \
                 which add",
            );
        }
    }

    #[test]
    fn shorter_loops_are_those_of_sizes() {
        let text = "version = 1\n[[region]]\nfunction = \"f\"\nindex = 0\nleast-iterations = 32\n\
                    [[region.least-of]]\nsize = \"n\"\niterations = 8\n";
        let mut plan = Plan::from_toml(text).unwrap();
        let region = &mut plan.regions[0];
        assert_eq!(check_shorter(region, &["m", "n"]), Ok(()));
        let message = check_shorter(region, &["m", "k"]).unwrap_err();
        assert_eq!(
            message,
            "`least-of`: `n` is no size of the region; there are m, k"
        );
        for iterations in [0, 32] {
            region.least.shorter[0].iterations = iterations;
            let message = check_shorter(region, &["n"]).unwrap_err();
            let begin = format!("`least-of`: {iterations} iterations of `n` are none");
            assert!(message.starts_with(&begin), "{message}");
        }
    }

    #[test]
    fn numbers_that_mean_nothing_are_refused() {
        let refused_tiles = |change: fn(&mut Overlapped), message| {
            refused(|group| change(group.overlapped_mut().unwrap()), message);
        };
        refused_tiles(
            |tiles| tiles.tile_sizes = vec![8, -1],
            "`tile-sizes` of group 2 is -1; it may be from 0 to 1073741824",
        );
        refused_tiles(
            |tiles| {
                tiles.interleave = vec![Interleave {
                    dimension: usize::MAX,
                    block: 1,
                }];
            },
            "`interleave.dimension` of group 2 is 9223372036854775807; it may be from 0 to 63",
        );
        refused_tiles(
            |tiles| {
                tiles.jam = vec![Jam {
                    stage: "A".to_owned(),
                    factors: vec![i64::MIN],
                    columns: 0,
                }];
            },
            "`jam.factors` of group 2 is -9223372036854775808; it may be from 0 to 64",
        );
        refused_tiles(
            |tiles| {
                tiles.jam = vec![Jam {
                    stage: "A".to_owned(),
                    factors: vec![247],
                    columns: 0,
                }];
            },
            "`jam.factors` of group 2 is 247; it may be from 0 to 64",
        );
        refused_tiles(
            |tiles| {
                tiles.jam = vec![Jam {
                    stage: "A".to_owned(),
                    factors: vec![0, 32, 16],
                    columns: 0,
                }];
            },
            "`jam.factors` of group 2 write each statement of `A` out 512 times; 256 is the most",
        );
        refused(
            |group| group.device.threads = vec![32, 4096],
            "`threads` of group 2 is 4096; it may be from 0 to 1024",
        );
        refused(
            |group| {
                group.device.promote = vec![Promotion {
                    array: "A".to_owned(),
                    depth: 64,
                }];
            },
            "`promote.depth` of group 2 is 64; it may be from 0 to 63",
        );
    }
}
