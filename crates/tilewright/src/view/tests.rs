use super::{Drawing, Point, Slice, draw, svg};
use crate::compile::{Options, compile};
use crate::plan::Shape;
use crate::source::Source;

fn source(text: &str) -> Source {
    Source {
        name: "test.c".to_owned(),
        text: text.to_owned(),
        preprocessed: format!("# 1 \"test.c\"\n{text}"),
        ..Source::default()
    }
}

fn drawings(text: &str, options: &Options, dimension: Option<&str>) -> Vec<Drawing> {
    let source = source(text);
    let compiled = compile(&source, options, None, &mut |_| {}).expect("accepted");
    draw(
        &source,
        options.limits.budget,
        &options.trust,
        &compiled.plan,
        dimension,
    )
    .expect("drawn")
}

fn with_sizes(sizes: &[i64]) -> Options {
    let mut options = Options::default();
    options.wishes.tile_sizes = Some(sizes.to_vec());
    options.wishes.pipelines.overlap_tolerance = 0.9;
    options
}

fn only(drawings: Vec<Drawing>) -> Slice {
    let [drawing] = &drawings[..] else {
        panic!("{} groups", drawings.len());
    };
    drawing.slice.clone().expect("a picture")
}

/// First and last position of a tile in a row, all between them computed.
fn extent(slice: &Slice, tile: usize, row: usize) -> (i64, i64) {
    let own = |p: &&Point| p.row == row && p.tiles.contains(&tile);
    let positions: Vec<i64> = slice
        .points
        .iter()
        .filter(own)
        .map(|p| p.position)
        .collect();
    let (first, last) = (positions[0], positions[positions.len() - 1]);
    assert_eq!(positions.len() as i64, last - first + 1, "{positions:?}");
    (first, last)
}

const FIGURE_3: &str = "void f(int n, float C[restrict n], const float in[restrict n])
{
    float A[n], B[n];
#pragma scop
    for (int i = 1; i < n; i++)
        A[i] = in[i];
    for (int i = 2; i < n - 1; i++)
        B[i] = 0.25f * (A[i - 1] + 2 * A[i] + A[i + 1]);
    for (int i = 4; i < n - 3; i++)
        C[i] = 0.25f * (B[i - 2] + 2 * B[i] + B[i + 2]);
#pragma endscop
}
";

/// TACO 2019, figure 8: tile k computes C from 8k + 4 (where C begins), B from two before to two
/// behind, A from three before to three behind.
#[test]
fn tiles_of_figure_3() {
    let slice = only(drawings(FIGURE_3, &with_sizes(&[8]), None));
    assert_eq!(slice.dimension, "i");
    let rows: Vec<&str> = slice.rows.iter().map(|row| row.label.as_str()).collect();
    assert_eq!(rows, ["A", "B", "C"]);
    assert_eq!(slice.tiles.len(), 3);
    for (number, tile) in slice.tiles.iter().enumerate() {
        let k: i64 = tile.name.parse().expect("one coordinate");
        let (first, last) = (8 * k + 4, 8 * k + 11);
        assert_eq!(extent(&slice, number, 2), (first, last));
        assert_eq!(extent(&slice, number, 1), (first - 2, last + 2));
        assert_eq!(extent(&slice, number, 0), (first - 3, last + 3));
    }
    // Of A a tile shares six points with each neighbour, of B four.
    let counts: Vec<(usize, usize)> = slice.rows.iter().map(|r| (r.count, r.redundant)).collect();
    assert_eq!(counts, [(8 + 6, 12), (8 + 4, 8), (8, 0)]);
    // One point of C needs three of B, those three of A each.
    assert_eq!(slice.dependences.len(), 3 + 9);
    let tile = slice.counted.expect("the middle tile");
    for dependence in &slice.dependences {
        let (row, position) = dependence.from;
        let (first, last) = extent(&slice, tile, row);
        assert!(first <= position && position <= last, "{dependence:?}");
    }
    insta::assert_snapshot!("figure_3", shown(&slice));
}

/// TACO 2019, section 3.2: stages shifted until they only read to their left have one right edge,
/// and tiles are extended on the left only: by the four that C's readers span, and by two more.
#[test]
fn right_trapezoids_of_figure_3_are_drawn_by_date() {
    let mut options = with_sizes(&[8]);
    options.wishes.shape = Some(Shape::Right);
    let slice = only(drawings(FIGURE_3, &options, None));
    let shifts: Vec<i64> = slice.rows.iter().map(|row| row.shift).collect();
    assert_eq!(shifts, [-3, -2, 0]);
    for (number, tile) in slice.tiles.iter().enumerate() {
        let k: i64 = tile.name.parse().expect("one coordinate");
        let (first, last) = (8 * k + 4, 8 * k + 11);
        assert_eq!(extent(&slice, number, 2), (first, last));
        assert_eq!(extent(&slice, number, 1), (first - 4, last));
        assert_eq!(extent(&slice, number, 0), (first - 6, last));
    }
    // Nothing is needed from the right of where it is needed.
    assert_eq!(slice.dependences.len(), 3 + 9);
    assert!(slice.dependences.iter().all(|d| d.from.1 <= d.to.1));
}

const HEAT: &str = "void f(int m, int n, float A[restrict m][n])
{
#pragma scop
    for (int t = 1; t < m; t++)
        for (int i = 1; i < n - 1; i++)
            A[t][i] = 0.25f * (A[t - 1][i - 1] + 2 * A[t - 1][i] + A[t - 1][i + 1]);
#pragma endscop
}
";

/// The heat equation with tiles of four time steps, two cells wide at their top.
fn over_time(shape: Shape) -> Slice {
    let mut options = with_sizes(&[4, 2]);
    options.wishes.shape = Some(shape);
    let slice = only(drawings(HEAT, &options, None));
    assert!(slice.points.iter().all(|p| p.tiles.len() == 1));
    slice
}

/// The colours of a row, from left to right, each with how many neighbouring points have it.
fn runs(slice: &Slice, row: usize) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for point in slice.points.iter().filter(|p| p.row == row) {
        let colour = slice.tiles[point.tiles[0]].colour;
        match runs.last_mut() {
            Some((last, count)) if *last == colour => *count += 1,
            _ => runs.push((colour, 1)),
        }
    }
    runs
}

/// Bands of four steps from time 1 on. Tile `k` computes the cells `8 k` to `8 k + 7` of the last
/// step, as far as there are some, and one more on each side of every step before.
#[test]
fn tiles_that_overlap_over_time_are_drawn() {
    let slice = overlapped_over_time(Shape::Scalene);
    for (number, tile) in slice.tiles.iter().enumerate() {
        let Some((band, k)) = tile.name.split_once(", ") else {
            panic!("{}", tile.name);
        };
        let (band, k): (usize, i64) = (band.parse().expect("a number"), k.parse().expect("too"));
        for step in 0..4 {
            let more = 3 - step as i64;
            let (first, last) = extent(&slice, number, 4 * band + step);
            assert_eq!(first, (8 * k - more).max(1));
            assert_eq!(last, (8 * k + 7 + more).min(30));
        }
    }
    let label = |row: usize| slice.rows[row].label.as_str();
    assert_eq!((label(0), label(4)), ("t = 1", "t = 5"));
    // What two tiles compute has a sector for each of them.
    let text = svg::svg(&drawings(
        HEAT,
        &over_time_options(Shape::Scalene, &[4, 8]),
        None,
    ));
    assert!(text.contains("computed by each of these tiles"), "{text}");
}

/// Values go one cell to each side in a step. Drawn at the dates at which the steps take turns,
/// each step lies one further to the left than the next one: tiles have a vertical right face, and
/// are two cells longer on their left with every step.
#[test]
fn right_trapezoids_over_time_are_drawn_by_date() {
    let slice = overlapped_over_time(Shape::Right);
    let shifts: Vec<i64> = slice.rows.iter().map(|row| row.shift).collect();
    assert_eq!(shifts[..8], [-3, -2, -1, 0, -3, -2, -1, 0]);
    for number in 0..slice.tiles.len() {
        let (band, k) = slice.tiles[number].name.split_once(", ").expect("two");
        let (band, k): (usize, i64) = (band.parse().expect("a number"), k.parse().expect("too"));
        let rows = 4 * band;
        // The first and the last tile end where the array does.
        for step in (0..4i64).filter(|_| k == 1 || k == 2) {
            let (first, last) = extent(&slice, number, rows + step as usize);
            assert_eq!((first, last), (8 * k - 2 * (3 - step), 8 * k + 7));
        }
    }
    assert!(slice.tiles.iter().any(|tile| tile.name.ends_with(", 1")));
    assert!(slice.dependences.iter().all(|d| d.from.1 <= d.to.1));
}

fn over_time_options(shape: Shape, sizes: &[i64]) -> Options {
    let mut options = Options::default();
    options.wishes.tile_sizes = Some(sizes.to_vec());
    options.wishes.shape = Some(shape);
    options
}

/// The heat equation with tiles of four time steps, which leave eight cells behind.
fn overlapped_over_time(shape: Shape) -> Slice {
    let options = over_time_options(shape, &[4, 8]);
    only(drawings(HEAT, &options, None))
}

/// Time begins with 1, in a band that begins with 0. There pyramids have a base of 2 + 2 * 3 and
/// lose two cells with each step, which the tiles in between gain.
#[test]
fn split_tiles_are_drawn_by_phase() {
    let slice = over_time(Shape::Split);
    for (row, time) in (1..=3).enumerate() {
        // Whole tiles, of which the first may be of either phase.
        let mut inside = runs(&slice, row)[2..4].to_vec();
        inside.sort_unstable();
        assert_eq!(inside, [(0, 8 - 2 * time), (1, 2 * time)], "row {row}");
    }
    // The next band: all of its first row is in pyramids.
    assert!(runs(&slice, 3).iter().all(|(colour, _)| *colour == 2));
}

/// Hexagons have two cells at the bottom and gain two with the next step; above the middle they
/// lose two again.
#[test]
fn hexagons_are_drawn_by_phase() {
    let slice = over_time(Shape::Hexagonal);
    // Rows are times 1 to 4; phases begin at even times.
    let inside = |row: usize| -> Vec<usize> {
        let runs = runs(&slice, row);
        let counts = runs.iter().map(|(_, count)| *count);
        counts.skip(1).take(4).collect()
    };
    assert_eq!(inside(0), [4, 4, 4, 4]);
    assert_eq!(inside(2), [4, 4, 4, 4]);
    let widths = |row| -> std::collections::BTreeSet<usize> { inside(row).into_iter().collect() };
    assert_eq!(widths(1), [2, 6].into());
    assert_eq!(widths(3), [2, 6].into());
}

/// Diamonds of four steps gain and lose two cells with each step, half of them at a time.
#[test]
fn diamonds_are_drawn_by_phase() {
    let slice = over_time(Shape::Diamond);
    for row in 0..4 {
        let runs = runs(&slice, row);
        // All have the same period, of two tiles.
        let inside = &runs[1..runs.len() - 1];
        assert!(
            inside.windows(2).all(|pair| pair[0].1 + pair[1].1 == 4),
            "{inside:?}"
        );
    }
    let all: std::collections::BTreeSet<usize> = (0..4)
        .flat_map(|row| runs(&slice, row))
        .map(|(colour, _)| colour)
        .collect();
    assert!(all.len() >= 3, "{all:?}");
}

/// Rows of letters, one per tile; `+` for points of several.
fn shown(slice: &Slice) -> String {
    let first = slice.points.iter().map(|p| p.position).min().unwrap_or(0);
    let mut text = String::new();
    for (number, row) in slice.rows.iter().enumerate() {
        let mut line = String::new();
        for point in slice.points.iter().filter(|p| p.row == number) {
            while (line.len() as i64) < point.position - first {
                line.push(' ');
            }
            line.push(match point.tiles[..] {
                [] => '.',
                [tile] => char::from(b'a' + (tile % 26) as u8),
                _ => '+',
            });
        }
        text += &format!("{:>8} {line}\n", row.label);
    }
    for d in &slice.dependences {
        text += &format!("{:?} -> {:?}\n", d.from, d.to);
    }
    text
}

/// A tile too large for a page is drawn smaller, and the slice says so.
#[test]
fn large_tiles_are_drawn_small() {
    let slice = only(drawings(FIGURE_3, &with_sizes(&[512]), None));
    assert_eq!(slice.tile_sizes, [8]);
    assert_eq!(slice.tiles.len(), 3);
}

/// Half as many points of the coarse stage lie twice as far apart.
#[test]
fn sampled_stages_lie_at_their_place() {
    let text = "void f(int n, float up[restrict 2 * n], const float in[restrict n + 2])
{
    float coarse[n + 2];
#pragma scop
    for (int i = 0; i < n + 2; i++)
        coarse[i] = 0.5f * in[i];
    for (int i = 0; i < n; i++) {
        up[2 * i] = coarse[i] + coarse[i + 1];
        up[2 * i + 1] = coarse[i + 1] + coarse[i + 2];
    }
#pragma endscop
}
";
    let slice = only(drawings(text, &with_sizes(&[8]), None));
    let scales: Vec<(&str, i64)> = slice
        .rows
        .iter()
        .map(|row| (row.label.as_str(), row.scale))
        .collect();
    assert_eq!(scales, [("coarse", 2), ("up", 1)]);
    // Tile k writes up from 8k to 8k + 7 and so needs coarse from 4k to 4k + 5.
    let tile = slice.counted.expect("the middle tile");
    let k: i64 = slice.tiles[tile].name.parse().expect("one coordinate");
    assert_eq!(extent(&slice, tile, 1), (8 * k, 8 * k + 7));
    let coarse = |p: &&Point| p.row == 0 && p.tiles.contains(&tile);
    let positions: Vec<i64> = slice
        .points
        .iter()
        .filter(coarse)
        .map(|p| p.position)
        .collect();
    let expected: Vec<i64> = (4 * k..=4 * k + 5).map(|index| 2 * index).collect();
    assert_eq!(positions, expected);
    assert_eq!(slice.rows[0].redundant, 4);
}

/// Two time steps are in one tile when they are in the same four, and positions in the same four
/// of `t + i` (Gauss-Seidel has distances (1, -1), (0, 1), (1, 0)).
#[test]
fn iterated_loops_show_time() {
    let text = "void f(int t, int n, double A[restrict n])
{
#pragma scop
    for (int s = 0; s < t; s++)
        for (int i = 1; i < n - 1; i++)
            A[i] = 0.3 * (A[i - 1] + A[i] + A[i + 1]);
#pragma endscop
}
";
    let mut options = with_sizes(&[4, 4]);
    options.wishes.processor.vectorise = false;
    let slice = only(drawings(text, &options, None));
    assert_eq!(slice.dimension, "i");
    assert_eq!(slice.rows[3].label, "s = 3");
    let tile_of = |row: usize, position: i64| {
        let mut points = slice.points.iter();
        let point = points.find(|p| (p.row, p.position) == (row, position));
        let tiles = &point.expect("drawn").tiles;
        assert_eq!(tiles.len(), 1, "nothing is computed twice");
        tiles[0]
    };
    assert_eq!(tile_of(0, 7), tile_of(3, 4));
    assert_ne!(tile_of(0, 7), tile_of(0, 8));
    assert_ne!(tile_of(3, 8), tile_of(4, 7));
    assert_eq!(slice.dependences.len(), 3);
}

#[test]
fn a_loop_without_tiles_says_so() {
    let text = "void f(int n, double a[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma endscop
}
";
    let drawings = drawings(text, &Options::default(), None);
    let reason = drawings[0].slice.clone().expect_err("no tiles");
    assert_eq!(reason, "its loops are not tiled");
    let picture = svg::svg(&drawings);
    assert!(picture.contains("no picture, its loops are not tiled"));
    well_formed(&picture);
}

#[test]
fn unknown_dimensions_are_refused_with_those_there_are() {
    let source = source(FIGURE_3);
    let options = with_sizes(&[8]);
    let compiled = compile(&source, &options, None, &mut |_| {}).expect("accepted");
    let diagnostics = draw(
        &source,
        options.limits.budget,
        &options.trust,
        &compiled.plan,
        Some("rows"),
    )
    .expect_err("one dimension");
    assert_eq!(diagnostics[0].code, "TW0302");
    assert_eq!(diagnostics[0].help.as_deref(), Some("`--dimension` i"));
    for same in ["i", "columns", "0"] {
        let drawn = draw(
            &source,
            options.limits.budget,
            &options.trust,
            &compiled.plan,
            Some(same),
        );
        assert_eq!(only(drawn.expect("drawn")).dimension, "i", "{same}");
    }
}

#[test]
fn pictures_are_well_formed() {
    let mut drawings = drawings(FIGURE_3, &with_sizes(&[8]), None);
    well_formed(&svg::svg(&drawings));
    drawings[0].stages = vec!["a<b>&\"c\"\u{7}".to_owned()];
    let picture = svg::svg(&drawings);
    well_formed(&picture);
    assert!(picture.contains("a&lt;b&gt;&amp;&quot;c&quot; "));
}

/// Tags are closed in the order in which they were opened, attributes are quoted, and there is no
/// bare `&`.
fn well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml;
    let mut elements = 0;
    while let Some((text, behind)) = rest.split_once('<') {
        references(text);
        let (tag, behind) = behind.split_once('>').expect("a tag is closed");
        rest = behind;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        let alone = tag.ends_with('/');
        let tag = tag.trim_end_matches('/');
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(name.chars().all(|c| c.is_ascii_alphabetic()), "<{tag}>");
        let mut seen = Vec::new();
        let mut attributes = attributes.trim();
        while !attributes.is_empty() {
            let (key, value) = attributes.split_once("=\"").expect("a quoted value");
            let (value, more) = value.split_once('"').expect("a closing quote");
            let key = key.trim();
            assert!(!key.is_empty() && !key.contains(' ') && !seen.contains(&key));
            references(value);
            seen.push(key);
            attributes = more.trim_start();
        }
        elements += 1;
        if !alone {
            open.push(name);
        }
        assert!(!open.is_empty() || rest.trim().is_empty(), "one root");
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
    assert!(elements > 3);
    assert!(!xml.contains("NaN") && !xml.contains("inf"));
}

fn references(text: &str) {
    for part in text.split('&').skip(1) {
        let (name, _) = part.split_once(';').expect("a reference ends");
        assert!(["amp", "lt", "gt", "quot"].contains(&name), "&{name};");
    }
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'));
}
