use super::*;
use crate::plan::{Group, Shape};
use crate::scop::testing::region;
use crate::validate::{ViolationKind, validate};
use isl::{Ctx, Set};

fn slopes(numbers: &[(i64, i64, i64)]) -> Vec<Slopes> {
    let slopes = |&(lower, upper, per): &(i64, i64, i64)| Slopes { lower, upper, per };
    numbers.iter().map(slopes).collect()
}

/// From every point to all that may depend on it.
fn dependences(ctx: &Ctx, slopes: &[Slopes]) -> Map {
    let mut conditions = vec![Linear::from(1).up_to(Linear::time())];
    for (x, slopes) in slopes.iter().enumerate() {
        let distance = Linear::space(x) * slopes.per;
        let (least, most) = (Linear::time() * slopes.lower, Linear::time() * slopes.upper);
        conditions.push(least.up_to(distance.clone()));
        conditions.push(distance.up_to(most));
    }
    let space = (0..slopes.len()).map(|x| format!(", x{x}"));
    let conditions: Vec<String> = conditions.iter().map(|c| c.text().unwrap()).collect();
    let text = format!(
        "{{ [T{}] : {} }}",
        space.collect::<String>(),
        conditions.join(" and ")
    );
    Set::read_from_str(ctx, &text)
        .unwrap()
        .translation()
        .unwrap()
}

/// What is wrong with the order of tiles, if anything.
fn problem(tiles: &Tiles, slopes: &[Slopes]) -> Option<String> {
    let ctx = Ctx::new();
    let dependences = dependences(&ctx, slopes);
    let phases: Vec<Map> = tiles
        .phases
        .iter()
        .map(|conditions| tile_of(&ctx, slopes.len(), tiles.loops.len(), conditions).unwrap())
        .collect();
    let mut all = Set::empty(&dependences.domain().unwrap().get_space().unwrap()).unwrap();
    for (number, phase) in phases.iter().enumerate() {
        if !phase.is_single_valued().unwrap() {
            return Some(format!("a point is in two tiles of phase {number}"));
        }
        let own = phase.domain().unwrap();
        if !all.is_disjoint(&own).unwrap() {
            return Some(format!("a point of phase {number} is in another one"));
        }
        all = all.union(&own).unwrap();
    }
    let everything = Set::universe(&all.get_space().unwrap()).unwrap();
    if !everything.is_subset(&all).unwrap() {
        return Some("a point is in no tile".to_owned());
    }
    for (p, first) in phases.iter().enumerate() {
        for (q, second) in phases.iter().enumerate() {
            let pairs = dependences.apply_domain(first).unwrap();
            let pairs = pairs.apply_range(second).unwrap();
            let back = wrong(&ctx, tiles, p.cmp(&q));
            if !pairs.intersect(&back).unwrap().is_empty().unwrap() {
                return Some(format!(
                    "a tile of phase {q} does not wait for one of phase {p}"
                ));
            }
        }
    }
    None
}

/// Pairs of tiles of which the second does not come after the first, nor is the same.
fn wrong(ctx: &Ctx, tiles: &Tiles, phases: std::cmp::Ordering) -> Map {
    let names = |prime: &str| -> String {
        let all = (0..tiles.loops.len()).map(|c| format!("c{c}{prime}"));
        format!("[{}]", all.collect::<Vec<_>>().join(", "))
    };
    let mut cases = vec!["c0' < c0".to_owned()];
    let mut same = "c0' = c0".to_owned();
    match phases {
        std::cmp::Ordering::Less => {}
        std::cmp::Ordering::Greater => cases.push(same),
        std::cmp::Ordering::Equal => {
            for (c, kind) in tiles.loops.iter().enumerate().skip(1) {
                cases.push(format!("({same} and c{c}' < c{c})"));
                if *kind == Loop::Parallel {
                    cases.push(format!("({same} and c{c}' > c{c})"));
                }
                same = format!("{same} and c{c}' = c{c}");
            }
        }
    }
    let text = format!(
        "{{ {} -> {} : {} }}",
        names(""),
        names("'"),
        cases.join(" or ")
    );
    Map::read_from_str(ctx, &text).unwrap()
}

/// One dimension: symmetric, to one side only, rational, all dependences in one direction.
const LINES: [(i64, i64, i64); 7] = [
    (-1, 1, 1),
    (-2, 3, 2),
    (0, 2, 1),
    (1, 1, 1),
    (-1, -1, 3),
    (0, 0, 1),
    (-3, 1, 1),
];

const PLANES: [[(i64, i64, i64); 2]; 3] = [
    [(-1, 1, 1), (-1, 1, 1)],
    [(-1, 2, 2), (0, 1, 1)],
    [(1, 1, 1), (-2, 0, 1)],
];

const SPACE: [(i64, i64, i64); 3] = [(-1, 1, 1), (-1, 1, 1), (0, 1, 2)];

fn all_slopes() -> Vec<Vec<Slopes>> {
    let mut all: Vec<_> = LINES.iter().map(|&line| slopes(&[line])).collect();
    all.extend(PLANES.iter().map(|plane| slopes(plane)));
    all.push(slopes(&SPACE));
    all
}

fn sizes(height: i64, width: i64, dimensions: usize) -> Sizes {
    Sizes {
        height,
        widths: vec![Some(width); dimensions],
        align: 1,
    }
}

fn check(shape: impl Fn(&[Slopes], &Sizes) -> Tiles) {
    for slopes in all_slopes() {
        for (height, width) in [(1, 1), (2, 3), (5, 2)] {
            for align in [1, 4] {
                let mut sizes = sizes(height, width, slopes.len());
                sizes.align = align;
                let problem = problem(&shape(&slopes, &sizes), &slopes);
                assert_eq!(problem, None, "{slopes:?}, {height} by {width}, {align}");
            }
        }
    }
}

#[test]
fn split_tiles_cover_everything_and_wait_for_their_sources() {
    check(|slopes, sizes| split::tiles(slopes, sizes).unwrap());
}

#[test]
fn hexagons_cover_everything_and_wait_for_their_sources() {
    check(|slopes, sizes| hexagonal::tiles(slopes, sizes).unwrap());
}

#[test]
fn diamonds_cover_everything_and_wait_for_their_sources() {
    check(|slopes, sizes| diamond::tiles(slopes, sizes, 1).unwrap());
    check(|slopes, sizes| diamond::tiles(slopes, sizes, 0).unwrap());
}

#[test]
fn dimensions_may_be_whole() {
    let plane = slopes(&PLANES[0]);
    let whole = Sizes {
        height: 3,
        widths: vec![Some(2), None],
        align: 4,
    };
    let split = split::tiles(&plane, &whole).unwrap();
    assert_eq!(split.loops.len(), 2);
    assert_eq!(split.phases.len(), 2);
    assert_eq!(problem(&split, &plane), None);
    let hexagons = hexagonal::tiles(&plane, &whole).unwrap();
    assert_eq!(problem(&hexagons, &plane), None);
    let diamonds = diamond::tiles(&plane, &whole, 1).unwrap();
    assert_eq!(problem(&diamonds, &plane), None);
}

/// In every tile, at every time, the first point of the innermost dimension is a multiple.
#[test]
fn rows_of_parallelograms_are_aligned() {
    for plane in PLANES {
        let slopes = slopes(&plane);
        let mut sizes = sizes(6, 5, 2);
        sizes.align = 4;
        for tiles in [
            hexagonal::tiles(&slopes, &sizes).unwrap(),
            diamond::tiles(&slopes, &sizes, 1).unwrap(),
        ] {
            let ctx = Ctx::new();
            let map = tile_of(&ctx, 2, tiles.loops.len(), &tiles.phases[0]).unwrap();
            // All that is in a tile and in no tile one further back along the row.
            for (time, tile) in [(0, 0), (1, 0), (2, -1), (5, 3)] {
                let last = tiles.loops.len() - 1;
                let range = map.range().unwrap();
                let range = range.fix_si(isl::DimType::Set, last, tile).unwrap();
                let points = map.intersect_range(&range).unwrap().domain().unwrap();
                let points = points.fix_si(isl::DimType::Set, 0, time).unwrap();
                let first = points.dim_min_val(2usize).unwrap().to_i64().unwrap();
                assert_eq!(first % 4, 0, "{slopes:?}, {time}, {tile}: {first}");
                let end = points.dim_max_val(2usize).unwrap().to_i64().unwrap();
                assert_eq!(end + 1 - first, 8, "five cells, rounded up");
            }
        }
    }
}

/// The check sees what is wrong.
#[test]
fn wrong_tiles_are_seen() {
    let steep = slopes(&[(-2, 2, 1)]);
    let flat = slopes(&[(-1, 1, 1)]);
    let sizes = sizes(4, 3, 1);
    for tiles in [
        split::tiles(&flat, &sizes).unwrap(),
        diamond::tiles(&flat, &sizes, 1).unwrap(),
        hexagonal::tiles(&flat, &sizes).unwrap(),
    ] {
        assert_eq!(problem(&tiles, &flat), None);
        assert!(problem(&tiles, &steep).is_some());
    }
    let mut backwards = split::tiles(&flat, &sizes).unwrap();
    backwards.phases.reverse();
    assert!(problem(&backwards, &flat).is_some());
    let mut half = split::tiles(&flat, &sizes).unwrap();
    half.phases.pop();
    assert_eq!(problem(&half, &flat).unwrap(), "a point is in no tile");
}

/// The extent of diamonds in time is the height, in one dimension and in two.
#[test]
fn diamonds_have_the_height_that_is_asked_for() {
    for plane in [slopes(&[(-1, 1, 1)]), slopes(&PLANES[0])] {
        let ctx = Ctx::new();
        let sizes = sizes(12, 1, plane.len());
        let tiles = diamond::tiles(&plane, &sizes, 0).unwrap();
        let map = tile_of(&ctx, plane.len(), tiles.loops.len(), &tiles.phases[0]).unwrap();
        let mut tile = map.range().unwrap();
        for c in 0..tiles.loops.len() {
            tile = tile.fix_si(isl::DimType::Set, c, 0).unwrap();
        }
        let points = map.intersect_range(&tile).unwrap().domain().unwrap();
        let first = points.dim_min_val(0usize).unwrap().to_i64().unwrap();
        let last = points.dim_max_val(0usize).unwrap().to_i64().unwrap();
        // Corners need not be on the grid.
        assert!((11..=12).contains(&(last - first + 1)), "{first} to {last}");
    }
}

const PARAMETERS: &str = "int m, int n, double A[restrict n], double B[restrict n]";
const JACOBI: &str = "for (int t = 0; t < m; t++) {
    for (int i = 1; i < n - 1; i++) B[i] = A[i - 1] + A[i] + A[i + 1];
    for (int i = 1; i < n - 1; i++) A[i] = B[i - 1] + B[i] + B[i + 1];
}";

/// What validation says of a schedule made from a cone and tiles that may be wrong.
fn verdict(change: impl Fn(&mut Cone), tiles: impl Fn(&Cone) -> Tiles) -> Option<ViolationKind> {
    let region = region(PARAMETERS, JACOBI);
    let mut cone = Cone::find(&region.scop, &region.dataflow, &[0, 1]).unwrap();
    change(&mut cone);
    let names = region.graph.stages.iter().map(|s| s.name.clone()).collect();
    let group = Group::new(names, Shape::Split);
    let part = Part {
        number: 0,
        group: &group,
        stages: Vec::new(),
    };
    let piece = schedule(
        &region.scop,
        &region.graph,
        &cone,
        (&part, group.over_time().unwrap()),
        &tiles(&cone),
        &mut Scopes { next: 1 },
    )
    .unwrap();
    let buffers = region.scop.arrays.iter().enumerate();
    let transformed = crate::transform::Transformed {
        schedule: piece.schedule,
        statements: piece.statements,
        buffers: buffers
            .map(|(array, a)| crate::transform::Buffer {
                name: a.name.clone(),
                array,
                kind: crate::transform::BufferKind::Full,
            })
            .collect(),
        shared: Vec::new(),
        atomic: Vec::new(),
        reordered: Vec::new(),
        tiled: Vec::new(),
    };
    let violation = validate(&region.scop, &region.dataflow, &transformed).unwrap();
    violation.map(|violation| violation.kind)
}

#[test]
fn validation_accepts_the_right_tiles_and_refuses_wrong_ones() {
    let split = |cone: &Cone| split::tiles(&cone.slopes, &sizes(8, 4, 1)).unwrap();
    assert_eq!(verdict(|_| {}, split), None);
    // Phases in the wrong order.
    let backwards = |cone: &Cone| {
        let mut tiles = split(cone);
        tiles.phases.reverse();
        tiles
    };
    assert_eq!(verdict(|_| {}, backwards), Some(ViolationKind::Flow));
    // A phase left out.
    let half = |cone: &Cone| {
        let mut tiles = split(cone);
        tiles.phases.pop();
        tiles
    };
    assert_eq!(verdict(|_| {}, half), Some(ViolationKind::Domain));
    // Pyramids too steep.
    let steep = |cone: &mut Cone| {
        cone.slopes = slopes(&[(-1, 1, 2)]);
    };
    assert!(verdict(steep, split).is_some());
    let diamonds = |cone: &Cone| diamond::tiles(&cone.slopes, &sizes(8, 4, 1), 1).unwrap();
    assert_eq!(verdict(|_| {}, diamonds), None);
    assert!(verdict(steep, diamonds).is_some());
    let hexagons = |cone: &Cone| hexagonal::tiles(&cone.slopes, &sizes(8, 4, 1)).unwrap();
    assert_eq!(verdict(|_| {}, hexagons), None);
    assert!(verdict(steep, hexagons).is_some());
}
