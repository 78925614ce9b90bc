//! Properties 1 to 5, and the approximations, by enumeration of small cases.

use super::kernels::kernel;
use super::machine::{Run, at, cells, instances, whole};
use crate::reuse::approximation::Shape;
use crate::reuse::{LiveOut, Overlap, Tiling, Transfers};
use crate::scop::ArrayId;
use std::collections::{BTreeMap, BTreeSet};

type Point = [i64; 2];
/// A function of tiles of one size: what each tile, by its origin, accesses.
type Function = BTreeMap<Point, BTreeSet<i64>>;

const SIZES: Point = [2, 3];
/// Origins of tiles, and points, that are looked at.
const RANGE: std::ops::Range<i64> = -4..5;

fn square() -> Vec<Point> {
    RANGE.flat_map(|x| RANGE.map(move |y| [x, y])).collect()
}

fn tile(origin: Point) -> Vec<Point> {
    let rows = (0..SIZES[0]).flat_map(|x| (0..SIZES[1]).map(move |y| [x, y]));
    rows.map(|[x, y]| [origin[0] + x, origin[1] + y]).collect()
}

/// `I' ≺_s I`, as section 3 defines it.
fn precedes(before: Point, tile: Point) -> bool {
    before[0] <= tile[0] - SIZES[0] || (before[0] <= tile[0] && before[1] <= tile[1] - SIZES[1])
}

/// When a point is executed in the tiling that has a tile at `corner`.
fn when(point: Point, corner: Point) -> (Point, Point) {
    let of = |k: usize| (point[k] - corner[k]).div_euclid(SIZES[k]);
    ([of(0), of(1)], point)
}

fn tiling_of_dimension_two() -> (isl::Ctx, Tiling) {
    let found = kernel("jacobi-1d-imper").found(2, LiveOut::All);
    (found.region.scop.ctx.clone(), found.tiling)
}

#[test]
fn property_1_the_order_says_that_all_points_come_before() {
    let (ctx, tiling) = tiling_of_dimension_two();
    let fixed = at(&ctx, &[("s1", SIZES[0]), ("s2", SIZES[1])]);
    let order = tiling.precedes(&ctx).unwrap();
    let before = tiling.before().unwrap();
    let mut related = 0;
    for other in square() {
        let origin = [0, 0];
        let all = |corner| {
            let last = tile(other).into_iter().map(|p| when(p, corner)).max();
            last < tile(origin).into_iter().map(|p| when(p, corner)).min()
        };
        assert_eq!(precedes(other, origin), all(origin), "{other:?}");
        assert_eq!(precedes(other, origin), all(other), "{other:?}");
        related += usize::from(precedes(other, origin));
    }
    assert!(related > 10);
    // The relations as isl has them: the order, and the points before a tile, which are those of
    // the tiles before it.
    let held = isl::Set::read_from_str(&ctx, "{ [x, y] : -4 <= x, y < 5 }").unwrap();
    let order = order
        .intersect_params(&fixed)
        .unwrap()
        .intersect_range(&held)
        .unwrap();
    let found: BTreeSet<Vec<i64>> = cells(&order, &[0, 0], 0)
        .into_iter()
        .map(|cell| cell.1)
        .collect();
    let wanted = square()
        .into_iter()
        .filter(|t| precedes(*t, [0, 0]))
        .map(|t| t.to_vec());
    assert_eq!(found, wanted.collect());
    let held = isl::Set::read_from_str(&ctx, "{ [x, y, 0] : -4 <= x, y < 5 }").unwrap();
    let before = before
        .intersect_params(&fixed)
        .unwrap()
        .intersect_range(&held)
        .unwrap();
    let found: BTreeSet<Vec<i64>> = cells(&before, &[0, 0], 0)
        .into_iter()
        .map(|cell| cell.1)
        .collect();
    let wanted = square().into_iter().filter(|p| when(*p, [0, 0]).0 < [0, 0]);
    assert_eq!(found, wanted.map(|[x, y]| vec![x, y, 0]).collect());
}

/// The union of a function over tiles.
fn union<'a>(of: &Function, tiles: impl Iterator<Item = &'a Point>) -> BTreeSet<i64> {
    tiles.filter_map(|t| of.get(t)).flatten().copied().collect()
}

/// `F_∘`: the largest pointwise function below (Property 2), given by single points.
fn points_below(of: &Function) -> BTreeMap<Point, BTreeSet<i64>> {
    let mut all: BTreeMap<Point, BTreeSet<i64>> = BTreeMap::new();
    for (origin, values) in of {
        for point in tile(*origin) {
            all.entry(point)
                .and_modify(|known| *known = known.intersection(values).copied().collect())
                .or_insert_with(|| values.clone());
        }
    }
    all
}

fn by_points(points: &BTreeMap<Point, BTreeSet<i64>>) -> Function {
    let tiles = square().into_iter();
    tiles
        .map(|t| {
            let inside = tile(t).into_iter().filter_map(|p| points.get(&p));
            (t, inside.flatten().copied().collect())
        })
        .collect()
}

/// Functions of tiles, some pointwise and some not, from a small generator.
fn functions() -> Vec<Function> {
    let end = |k: usize| RANGE.end + SIZES[k];
    functions_on([RANGE.start..end(0), RANGE.start..end(1)])
}

/// Those of which only points in a rectangle access something.
fn functions_on(points: [std::ops::Range<i64>; 2]) -> Vec<Function> {
    let [xs, ys] = points;
    let mut state = 1u64;
    let mut next = move |limit: u64| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) % limit
    };
    let mut all = Vec::new();
    for case in 0..12 {
        let mut points = BTreeMap::new();
        for x in xs.clone() {
            for y in ys.clone() {
                if next(3) == 0 {
                    points.insert([x, y], BTreeSet::from([next(6) as i64]));
                }
            }
        }
        let mut function = by_points(&points);
        if case % 2 == 1 {
            // More than its points access: boxes of values.
            for values in function.values_mut() {
                if let (Some(&a), Some(&b)) = (values.first(), values.last()) {
                    values.extend(a..=b);
                }
            }
        }
        all.push(function);
    }
    all
}

fn contains(big: &Function, small: &Function) -> bool {
    small.iter().all(|(t, values)| values.is_subset(&big[t]))
}

#[test]
fn properties_2_and_3_pointwise_functions_are_those_that_unions_of_tiles_determine() {
    let (mut pointwise, mut others) = (0, 0);
    for function in functions() {
        let below = by_points(&points_below(&function));
        assert!(contains(&function, &below), "Property 2: it lies below");
        let same = below == function;
        // Property 3: two families of tiles that cover the same points. A family with a tile that
        // the others cover, and without it: if all such pairs agree, so do all families.
        let mut determined = true;
        for tile_at in square() {
            // For each value of the tile, the tiles without it: the proof takes such Y_x for all x.
            for value in &function[&tile_at] {
                let without = |t: &&Point| !function[*t].contains(value);
                let tiles = square();
                let others: Vec<Point> = tiles.iter().filter(without).copied().collect();
                let points: BTreeSet<Point> = others.iter().flat_map(|t| tile(*t)).collect();
                if tile(tile_at).iter().all(|p| points.contains(p)) {
                    let with = union(&function, others.iter().chain([&tile_at]));
                    determined &= with == union(&function, others.iter());
                }
            }
        }
        assert_eq!(same, determined, "Property 3, both directions");
        if same { pointwise += 1 } else { others += 1 }
    }
    assert!(pointwise > 3 && others > 3, "{pointwise} and {others}");
}

#[test]
fn property_5_the_function_above_is_pointwise_and_keeps_pointwise_elements_late() {
    for function in functions() {
        let inner = |t: &Point| (-1..3).contains(&t[0]) && (-1..2).contains(&t[1]);
        let holding = |point: Point| {
            square()
                .into_iter()
                .filter(move |j| tile(*j).contains(&point))
        };
        let above: Function = square()
            .into_iter()
            .map(|t| {
                let around: Vec<Point> = holding(t).collect();
                (t, union(&function, around.iter()))
            })
            .collect();
        let point = |x: Point| {
            let corner = [x[0] - SIZES[0] + 1, x[1] - SIZES[1] + 1];
            function.get(&corner).cloned().unwrap_or_default()
        };
        for t in square().iter().filter(|t| inner(t)) {
            assert!(function[t].is_subset(&above[t]), "F lies below");
            let from_points: BTreeSet<i64> = tile(*t).into_iter().flat_map(point).collect();
            assert_eq!(from_points, above[t], "pointwise, by f° of the proof");
        }
    }
}

/// The second half of Property 5: an element that only tiles with a point of its own have is not
/// loaded earlier with `F°`.
#[test]
fn property_5_elements_of_points_are_not_loaded_earlier() {
    // Tiles of one tiling whose neighbours are all looked at, in the order of execution.
    let [rows, columns] = SIZES;
    let aligned: Vec<Point> = square()
        .into_iter()
        .filter(|[x, y]| x.rem_euclid(rows) == 0 && y.rem_euclid(columns) == 0)
        .collect();
    let (mut kept, mut earlier) = (0, 0);
    // All tiles with something are among those looked at, and so are those around them.
    for function in functions_on([-2..3, -2..3]) {
        let below = by_points(&points_below(&function));
        let above: Function = square()
            .into_iter()
            .map(|t| {
                let around = square();
                let around: Vec<Point> = around
                    .into_iter()
                    .filter(|j| tile(*j).contains(&t))
                    .collect();
                (t, union(&function, around.iter()))
            })
            .collect();
        // Δ: what a tile has and none before it in its tiling.
        let first = |of: &Function, value: i64| -> Option<Point> {
            aligned.iter().copied().find(|t| of[t].contains(&value))
        };
        for value in 0..6 {
            let of_points = square()
                .iter()
                .all(|t| !function[t].contains(&value) || below[t].contains(&value));
            let (exact, over) = (first(&function, value), first(&above, value));
            if of_points {
                kept += usize::from(exact.is_some());
                assert_eq!(exact, over, "the same tile loads {value}");
            } else {
                earlier += usize::from(over < exact)
            }
        }
    }
    assert!(
        kept > 3 && earlier > 0,
        "{kept} elements of points, {earlier} loaded earlier"
    );
}

/// Property 4, and that approximated transfers are valid: programs run right with them, and
/// nothing is loaded twice in a strip, or where it was computed.
#[test]
fn property_4_approximated_transfers_are_valid() {
    let mut more = 0;
    for (name, strip, values) in [
        (
            "jacobi-1d-imper",
            1,
            vec![("M", 4), ("N", 7), ("s1", 2), ("s2", 3)],
        ),
        (
            "gemm",
            1,
            vec![
                ("ni", 3),
                ("nj", 4),
                ("nk", 5),
                ("s1", 2),
                ("s2", 2),
                ("s3", 2),
            ],
        ),
        ("trisolv", 1, vec![("n", 6), ("s1", 2), ("s2", 3)]),
        ("trisolv", 2, vec![("n", 6), ("s1", 2), ("s2", 3)]),
        ("lu", 1, vec![("n", 5), ("s1", 2), ("s2", 2), ("s3", 3)]),
    ] {
        let found = kernel(name).found(strip, LiveOut::All);
        let (region, tiling) = (&found.region, &found.tiling);
        let instances = instances(region, tiling, &values);
        let local =
            |array: ArrayId, _: &[i64]| whole(vec![1000; region.scop.arrays[array].extents.len()]);
        let run = |transfers: &Transfers| {
            let run = Run {
                region,
                tiling,
                transfers,
                local: &local,
                overlap: Overlap::Sequential,
            };
            run.execute(&instances, &values, &vec![0; tiling.mapping.band])
        };
        let least = run(&found.transfers).unwrap();
        for shape in [Shape::Hull, Shape::Rectangles] {
            region.scop.ctx.reset_operations();
            let simpler = Transfers::approximated(region, tiling, &found.accesses, shape);
            let moved = run(&simpler.unwrap());
            let Ok((loads, stores)) = moved else {
                panic!("{name} {shape:?}: {moved:?}");
            };
            assert!(loads >= least.0 && stores >= least.1, "{name} {shape:?}");
            more += usize::from(loads > least.0 || stores > least.1);
        }
    }
    assert!(more > 0, "somewhere an approximation costs something");
}
