//! Plans: what the planner decides, what a group's tiles hold, what survives a round trip.

mod affine;
mod budgets;
mod devices;
mod inlining;
mod levels;
mod model;
mod ordinary;
mod over_time;
mod products;

use std::path::Path;
use tilewright::compile::report::GroupReport;
use tilewright::compile::{Compiled, Options, compile};
use tilewright::plan::{Group, Interleave, Overlapped, Plan, Shape};
use tilewright::planner::{Fusion, Inline};
use tilewright::source::Source;

fn source(text: &str) -> Source {
    Source {
        name: "test.c".to_owned(),
        text: text.to_owned(),
        preprocessed: format!("# 1 \"test.c\"\n{text}"),
        ..Source::default()
    }
}

/// An example of the repository.
fn example(file: &str) -> Source {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(file);
    let path = path.to_str().expect("plain names");
    let output = std::process::Command::new("cc")
        .args([
            "-E",
            "-D__attribute__(x)=",
            "-D__extension__=",
            "-D__thread=",
        ])
        .args(["-D__int128=long", "-D__float128=double", path])
        .output()
        .expect("cc runs");
    assert!(output.status.success());
    Source {
        name: path.to_owned(),
        text: std::fs::read_to_string(path).expect("the example is there"),
        preprocessed: String::from_utf8(output.stdout).expect("plain text"),
        ..Source::default()
    }
}

fn compiled(source: &Source, options: &Options) -> Compiled {
    compile(source, options, None, &mut |_| {}).expect("the program is accepted")
}

fn with_sizes(sizes: &[i64]) -> Options {
    let mut options = Options::default();
    options.wishes.tile_sizes = Some(sizes.to_vec());
    options
}

/// The overlapped tiles of the first group.
fn tiles(plan: &Plan) -> &Overlapped {
    let tiles = plan.regions[0].groups[0].overlapped();
    tiles.expect("overlapped tiles")
}

/// The same, to be changed.
fn tiles_mut(plan: &mut Plan) -> &mut Overlapped {
    let tiles = plan.regions[0].groups[0].overlapped_mut();
    tiles.expect("overlapped tiles")
}

fn extents<'g>(group: &'g GroupReport, stage: &str) -> &'g [i64] {
    let found = group.footprints.iter().find(|f| f.stage == stage);
    &found.expect("the stage has a footprint").extents
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

/// TACO 2019, section 3.1: B is extended by two iterations on each side, A by three in all.
#[test]
fn footprints_of_figure_3() {
    let compiled = compiled(&source(FIGURE_3), &with_sizes(&[16]));
    let group = &compiled.regions[0].order.groups[0];
    assert_eq!(group.shape, Shape::Scalene);
    assert_eq!(group.stages, ["A", "B", "C"]);
    assert_eq!(extents(group, "B"), [16 + 2 + 2]);
    assert_eq!(extents(group, "A"), [16 + 3 + 3]);
    let overlap = group
        .footprints
        .iter()
        .find(|f| f.stage == "A")
        .expect("there")
        .overlap;
    assert!((overlap - 6.0 / 22.0).abs() < 1e-12, "{overlap}");
}

/// TACO 2019, section 3.2: a right trapezoid holds the same cells; what takes turns along its only
/// dimension needs scratchpads for the cells alive, three of A and five of B.
#[test]
fn right_trapezoids_of_figure_3() {
    let mut options = with_sizes(&[16]);
    options.wishes.shape = Some(Shape::Right);
    let compiled = compiled(&source(FIGURE_3), &options);
    assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
    let group = &compiled.regions[0].order.groups[0];
    assert_eq!(group.shape, Shape::Right);
    assert_eq!(extents(group, "B"), [16 + 2 + 2]);
    assert_eq!(extents(group, "A"), [16 + 3 + 3]);
    assert_eq!(group.local_bytes, 4 * (3 + 5));
    assert_eq!(tiles(&compiled.plan).folded, ["A", "B"]);
}

/// TACO 2019, figure 4: one slope on each side, the one that C needs to read B two cells away, from
/// C down to A: a cell of A on each side is computed for nothing.
#[test]
fn the_shape_of_polymage_for_figure_3() {
    let mut options = with_sizes(&[16]);
    options.wishes.shape = Some(Shape::Polymage);
    let compiled = compiled(&source(FIGURE_3), &options);
    assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
    let group = &compiled.regions[0].order.groups[0];
    assert_eq!(group.shape, Shape::Polymage);
    assert_eq!(extents(group, "B"), [16 + 4 + 4]);
    assert_eq!(extents(group, "A"), [16 + 4 + 4]);
    assert_eq!(group.local_bytes, 4 * (24 + 24));
    // Of the scratchpad of B, 20 cells are computed.
    let b = group.footprints.iter().find(|f| f.stage == "B");
    assert!((b.expect("there").overlap - 4.0 / 20.0).abs() < 1e-12);
}

/// Wider tiles pass the same validation, with stages at half the density, borders and channels.
#[test]
fn the_shape_of_polymage_is_valid() {
    for (file, stages) in [
        ("pipelines/unsharp_mask.c", 4),
        ("pipelines/harris.c", 11),
        // All but the two tables, with the three channels of a tile together.
        ("pipelines/camera_pipe.c", 25),
    ] {
        let mut options = with_sizes(&[16, 32]);
        options.wishes.shape = Some(Shape::Polymage);
        options.wishes.pipelines.overlap_tolerance = 0.7;
        let compiled = compiled(&example(file), &options);
        assert!(
            compiled.warnings.is_empty(),
            "{file}: {:?}",
            compiled.warnings
        );
        let groups = &compiled.plan.regions[0].groups;
        let widest = groups.iter().filter(|g| g.shape() == Shape::Polymage);
        let widest = widest.map(|g| g.stages.len()).max();
        assert_eq!(widest, Some(stages), "{file}");
    }
}

/// The rows of Harris take turns of four; six rows of the derivatives are alive, in memory for eight.
#[test]
fn harris_slides_over_rows() {
    let compiled = compiled(&example("pipelines/harris.c"), &with_sizes(&[128, 512]));
    let tiles = tiles(&compiled.plan);
    assert_eq!(tiles.shape(), Shape::Right);
    assert_eq!(tiles.interleave[0].dimension, 0);
    let report = &compiled.regions[0].order.groups[0];
    assert_eq!(report.local_bytes, 2 * 4 * (8 * 514));
}

const CHAIN: &str = "void f(int n, float out[restrict n], const float in[restrict n])
{
    float a[n], b[n], c[n];
    int d[n];
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 2 * in[i];
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
    for (int i = 2; i < n - 2; i++)
        c[i] = b[i - 1] + b[i + 1];
    for (int i = 3; i < n - 3; i++)
        d[i] = c[i - 1] + c[i + 1];
    for (int i = 4; i < n - 4; i++)
        out[i] = d[i - 1] + d[i + 1];
#pragma endscop
}
";

/// Scratchpads of one type are the same memory where they are not needed at the same time: a until
/// b is computed, c from then on.
#[test]
fn scratchpads_share_memory() {
    let source = source(CHAIN);
    let first = compiled(&source, &with_sizes(&[64]));
    assert!(first.warnings.is_empty(), "{:?}", first.warnings);
    assert_eq!(tiles(&first.plan).share, [["a", "c"]]);
    let group = &first.regions[0].order.groups[0];
    assert_eq!(group.unshared_bytes, 4 * (72 + 70 + 68 + 66));
    assert_eq!(group.local_bytes, 4 * (72 + 70 + 66));
    let of_c = group.footprints.iter().find(|f| f.stage == "c");
    assert_eq!(of_c.and_then(|f| f.shares.as_deref()), Some("a"));

    for (share, code, reason) in [
        (["a", "b"], "TW0402", "wrote to `a` after S1(i="),
        (["b", "c"], "TW0402", "wrote to `b` after S2(i="),
        (["b", "d"], "TW0401", "elements of type `int`"),
        (["b", "out"], "TW0401", "`out` in `share` is not in `local`"),
        (["b", "b"], "TW0401", "`b` is twice in `share`"),
    ] {
        let mut plan = first.plan.clone();
        tiles_mut(&mut plan).share = vec![share.map(str::to_owned).to_vec()];
        let refused = compile(&source, &Options::default(), Some(&plan), &mut |_| {});
        let refused = refused.expect_err("the lives overlap");
        assert_eq!(refused[0].code, code, "{refused:?}");
        let text = format!("{} {}", refused[0].message, refused[0].notes.join(" "));
        assert!(text.contains(reason), "{text}");
    }
}

/// Hybrid tiling (TACO 2019, section 3.7): columns overlap; along the rows tiles are ordinary ones
/// that are not computed twice, and scratchpads hold the rows alive: 31 + 3, as a power of two.
#[test]
fn overlap_in_some_dimensions_and_ordinary_tiles_in_the_others() {
    let source = example("pipelines/harris.c");
    let mut options = with_sizes(&[32, 64]);
    options.wishes.pipelines.overlap = Some(vec![1]);
    let hybrid = compiled(&source, &options);
    assert!(hybrid.warnings.is_empty(), "{:?}", hybrid.warnings);
    let tiles = tiles(&hybrid.plan);
    assert_eq!(
        (tiles.shape(), &tiles.tile_sizes[..]),
        (Shape::Right, &[0, 64][..])
    );
    let rows = Interleave {
        dimension: 0,
        block: 32,
    };
    assert_eq!(tiles.ordinary(false).collect::<Vec<_>>(), [rows]);
    let report = &hybrid.regions[0].order.groups[0];
    assert_eq!(extents(report, "Ix"), [0, 66]);
    assert_eq!(report.local_bytes, 2 * 4 * (64 * 66));
    let overlap = report.footprints.iter().map(|f| f.overlap);
    assert!(overlap.fold(0.0, f64::max) <= 2.0 / 66.0);

    // Whole columns have no constant size.
    let mut plan = hybrid.plan.clone();
    tiles_mut(&mut plan).folded.clear();
    let refused = compile(&source, &Options::default(), Some(&plan), &mut |_| {});
    let message = format!("{refused:?}");
    assert!(message.contains("no constant size"), "{message}");

    // Ordinary tiles that would need rows that are not there yet are refused: with a window that
    // is too small by hand there is no plan to write, but stages in the wrong order are one.
    let mut plan = hybrid.plan.clone();
    tiles_mut(&mut plan).nests.reverse();
    let refused = compile(&source, &Options::default(), Some(&plan), &mut |_| {});
    assert!(refused.is_err());
}

/// TACO 2019, table 7: tile size 8 × 512, all three channels in one tile.
#[test]
fn footprints_of_unsharp_mask() {
    let compiled = compiled(
        &example("pipelines/unsharp_mask.c"),
        &with_sizes(&[0, 8, 512]),
    );
    let group = &compiled.regions[0].order.groups[0];
    assert_eq!(extents(group, "blurx"), [3, 8, 516]);
    assert_eq!(extents(group, "blury"), [3, 8, 512]);
    assert_eq!(extents(group, "sharpen"), [3, 8, 512]);
}

/// Stages that read each other's values of the same pixel share loops; only what neighbours read
/// needs a scratchpad.
#[test]
fn harris_runs_in_two_nests() {
    let compiled = compiled(&example("pipelines/harris.c"), &with_sizes(&[128, 512]));
    assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
    let tiles = tiles(&compiled.plan);
    assert_eq!(tiles.nests.len(), 2);
    assert_eq!(tiles.nests[0], ["Iy", "Ix"]);
    assert_eq!(
        tiles.nests[1],
        ["Syy", "Sxy", "Sxx", "trace", "det", "harris"]
    );
    assert_eq!(tiles.local, ["Iy", "Ix"]);
    // Gradients at a pixel beyond each side of a 128 × 512 tile.
    assert_eq!(
        extents(&compiled.regions[0].order.groups[0], "Ix"),
        [130, 514]
    );
}

/// TOPLAS 2020, section 5.3, switched off: every stage has loops of its own, and nothing stays in
/// registers.
#[test]
fn stages_do_not_share_loops_when_asked_not_to() {
    let mut options = Options::default();
    options.wishes.pipelines.share_loops = false;
    let compiled = compiled(&example("pipelines/harris.c"), &options);
    let group = &compiled.plan.regions[0].groups[0];
    let tiles = tiles(&compiled.plan);
    assert_eq!(tiles.nests.len(), group.stages.len());
    assert!(tiles.registers.is_empty());
    assert_eq!(tiles.local.len(), group.stages.len() - 1);
}

#[test]
fn plans_survive_a_round_trip() {
    for file in [
        "pipelines/harris.c",
        "linear-algebra/gemm.c",
        "stencils/jacobi-2d.c",
    ] {
        let input = example(file);
        let first = compiled(&input, &Options::default());
        let text = first.plan.to_toml().expect("a plan can be written");
        let read = Plan::from_toml(&text).expect("and read back");
        assert_eq!(read, first.plan);
        let again = compile(&input, &Options::default(), Some(&read), &mut |_| {})
            .expect("its own plan is legal");
        assert_eq!(again.text, first.text, "{file}");
        assert_eq!(again.plan, first.plan);
    }
}

#[test]
fn plans_with_mistakes_are_refused() {
    let unknown = "version = 1\n[[region]]\nfunction = \"f\"\nindex = 0\ncolour = \"red\"\n";
    assert!(Plan::from_toml(unknown).is_err_and(|e| e.contains("colour")));
    assert!(Plan::from_toml("version = 99\n").is_err_and(|e| e.contains("99")));
    let mut plan = compiled(&source(FIGURE_3), &with_sizes(&[16])).plan;
    plan.regions[0].groups[0].stages.remove(0);
    let refused = compile(
        &source(FIGURE_3),
        &Options::default(),
        Some(&plan),
        &mut |_| {},
    )
    .expect_err("a stage is missing");
    assert_eq!(refused[0].code, "TW0401");
    assert!(refused[0].message.contains("`A`"), "{}", refused[0].message);
}

/// A scratchpad for `A` where `C` would come from another tile: the refusal names a pair.
#[test]
fn stages_in_the_wrong_order_are_refused() {
    let mut plan = compiled(&source(FIGURE_3), &with_sizes(&[16])).plan;
    let names = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
    tiles_mut(&mut plan).nests = vec![names(&["B"]), names(&["A"]), names(&["C"])];
    let refused = compile(
        &source(FIGURE_3),
        &Options::default(),
        Some(&plan),
        &mut |_| {},
    )
    .expect_err("B would run before A");
    assert_eq!(refused[0].code, "TW0402");
    let notes = refused[0].notes.join(" ");
    assert!(
        notes.contains("S1(i=") && notes.contains("S0(i="),
        "{notes}"
    );
}

/// `nrm` is one variable for the whole function; each iteration of `k` writes it first.
#[test]
fn private_scalars_do_not_cost_parallelism() {
    let mut options = Options::default();
    options.wishes.shape = Some(Shape::None);
    let compiled = compiled(&example("linear-algebra/gramschmidt.c"), &options);
    assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
    assert!(compiled.text.contains("double tw_nrm"), "{}", compiled.text);
    assert!(
        compiled.text.contains("#pragma omp parallel for"),
        "{}",
        compiled.text
    );
}

/// Time-skewed tiles have no parallel loop but along wavefronts.
#[test]
fn stencils_run_in_wavefronts() {
    let mut options = with_sizes(&[8, 32]);
    options.wishes.shape = Some(Shape::Parallelogram);
    let input = example("stencils/jacobi-1d.c");
    let parallel = compiled(&input, &options);
    assert!(
        parallel.text.contains("#pragma omp parallel for"),
        "{}",
        parallel.text
    );
    options.wishes.processor.wavefront = false;
    let sequential = compiled(&input, &options);
    assert!(
        !sequential.text.contains("#pragma omp parallel"),
        "{}",
        sequential.text
    );
}

/// The first line of a text with these words.
fn line<'t>(text: &'t str, words: &str) -> &'t str {
    let mut lines = text.lines().map(str::trim);
    lines.find(|line| line.contains(words)).unwrap_or_default()
}

/// The eight remapped pictures of a tile are made while the picture's part is in the cache.
#[test]
fn tiles_that_read_the_same_follow_one_another() {
    let text = "#include <stdlib.h>
void levels(int R, int C, float out[restrict 8][R][C], const float img[restrict R + 2][C])
{
    float (*restrict level)[R + 2][C] = malloc(sizeof(float[8][R + 2][C]));
#pragma scop
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R + 2; i++)
            for (int j = 0; j < C; j++)
                level[k][i][j] = (img[i][j] - k * 0.125f) * img[i][j];
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R; i++)
            for (int j = 0; j < C; j++)
                out[k][i][j] = level[k][i][j] + level[k][i + 1][j] + level[k][i + 2][j];
#pragma endscop
    free(level);
}
";
    let order = |text: &str| {
        let compiled = compiled(&source(text), &Options::default());
        tiles(&compiled.plan).tile_order.clone()
    };
    assert_eq!(order(text), [0]);
    // Every plane has an input of its own.
    let planes = text
        .replace("img[restrict R", "img[restrict 8][R")
        .replace("img[i]", "img[k][i]");
    assert!(order(&planes).is_empty());
}

#[test]
fn a_tile_order_of_other_dimensions_is_refused() {
    let source = source(inlining::LEVELS);
    let mut plan = compiled(&source, &Options::default()).plan;
    tiles_mut(&mut plan).tile_order = vec![1, 1];
    let refused = compile(&source, &Options::default(), Some(&plan), &mut |_| {});
    assert_eq!(
        refused.expect_err("refused")[0].message,
        "1 in `tile-order` is not a tiled dimension, or is there twice"
    );
}

/// Four rows share what they read of two derivatives in registers, but not of three products.
#[test]
fn harris_jams_as_many_rows_as_registers_allow() {
    let mut options = Options::default();
    for (inline, stage, rows) in [(Inline::Auto, "Ix", 4), (Inline::None, "Ixx", 2)] {
        options.wishes.pipelines.inline = inline;
        let compiled = compiled(&example("pipelines/harris.c"), &options);
        let tiles = tiles(&compiled.plan);
        let jammed: Vec<&str> = tiles.jam.iter().map(|j| j.stage.as_str()).collect();
        assert_eq!(jammed, [stage, "harris"]);
        assert!(tiles.jam.iter().all(|j| j.factors == [rows]));
        assert_eq!(tiles.interleave[0].block, rows);
    }
}

/// Every colour needs the alpha channel, the last one: a tile of one channel would compute both,
/// so the channels stay together.
#[test]
fn channels_that_need_another_one_are_whole() {
    let text =
        "void f(int R, int C, float out[restrict 3][R][C], const float in[restrict 4][R + 1][C])
{
    float a[4][R][C];
#pragma scop
    for (int c = 0; c < 4; c++)
        for (int i = 0; i < R; i++)
            for (int j = 0; j < C; j++)
                a[c][i][j] = in[c][i][j] + in[c][i + 1][j] * in[3][i][j];
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < R; i++)
            for (int j = 0; j < C; j++)
                out[c][i][j] = a[c][i][j] / a[3][i][j];
#pragma endscop
}
";
    let compiled = compiled(&source(text), &Options::default());
    let groups = &compiled.plan.regions[0].groups;
    assert_eq!(groups.len(), 1, "{groups:?}");
    assert_eq!(groups[0].tile_sizes()[0], 0);
    assert!(groups[0].tile_sizes()[1..].iter().all(|&size| size > 1));
}

/// Every stage in a group of its own when that is asked for, and all in one where that is cheaper.
#[test]
fn stages_stay_apart_on_demand() {
    let groups = |fusion| {
        let mut options = Options::default();
        options.wishes.pipelines.fusion = fusion;
        let compiled = compiled(&example("pipelines/unsharp_mask.c"), &options);
        assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
        let region = &compiled.plan.regions[0];
        assert_eq!(region.planner, fusion.name());
        region
            .groups
            .iter()
            .map(|g| g.stages.len())
            .collect::<Vec<_>>()
    };
    assert_eq!(groups(Fusion::Apart), [1, 1, 1, 1]);
    assert_eq!(groups(Fusion::Optimal), [4]);
}

/// Tables that are looked up do not keep a loop from the vector unit.
#[test]
fn loops_that_look_up_tables_are_vector_loops() {
    let text = "void f(int n, float out[restrict n], const float in[restrict n],
       const float a[restrict 256], const float b[restrict 256])
{
#pragma scop
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < n; i++)
            out[i] = a[(int) in[i]] + b[(int) in[i]];
#pragma endscop
}
";
    let compiled = compiled(&source(text), &Options::default());
    assert!(
        compiled.text.contains("#pragma omp simd"),
        "{}",
        compiled.text
    );
}

/// The pixels of a cell are counted by turns with those of the cells beside it.
#[test]
fn the_bilateral_grid_is_filled_cell_by_cell() {
    let compiled = compiled(&example("pipelines/bilateral_grid.c"), &Options::default());
    assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
    let groups = &compiled.plan.regions[0].groups;
    let spread = |group: &Group| group.written().is_some_and(|of| of.spread);
    assert!(spread(&groups[0]) && !spread(&groups[1]), "{groups:?}");
    let read = "input[8 * c0 + c1 + 4][c2 + 8 * c3 + 4]";
    let counted = line(&compiled.text, "grid[1][c0][c3]");
    assert!(counted.contains(read), "{counted}");
    let last = line(&compiled.text, "const long c3_last");
    assert_eq!(last, "const long c3_last = tw_C_1_8 - 2;");
}
