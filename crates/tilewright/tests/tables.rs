//! Footprints of tiles, stage by stage, next to tables 3 to 7 of Zhao & Cohen, TACO 2019: of our
//! scalene tiles next to the row "Our work", of the shape `polymage` next to the row "PolyMage".
//!
//! Groups and tile sizes are those of the tables, whatever the planner would choose. Every row
//! states what we get. Where the paper prints something else the row says what, and why ours is
//! right; where it says nothing, the paper prints the same.

use std::path::Path;
use tilewright::analysis::overlap::footprint::{Footprint, group_tiles};
use tilewright::analysis::overlap::wide::widen;
use tilewright::compile::{Region, regions};
use tilewright::plan::defaults;
use tilewright::source::Source;

/// One stage of a table.
struct Row {
    stage: &'static str,
    ours: &'static str,
    polymage: &'static str,
    paper_ours: Option<(&'static str, &'static str)>,
    paper_polymage: Option<(&'static str, &'static str)>,
}

/// Extents of our tile and of PolyMage's, the same in the paper.
fn row(stage: &'static str, ours: &'static str, polymage: &'static str) -> Row {
    Row {
        stage,
        ours,
        polymage,
        paper_ours: None,
        paper_polymage: None,
    }
}

impl Row {
    /// What the paper prints for its own tile instead, and why that cannot be.
    fn paper(mut self, printed: &'static str, why: &'static str) -> Row {
        self.paper_ours = Some((printed, why));
        self
    }

    /// What the paper prints for PolyMage instead, and where that comes from.
    fn paper_polymage(mut self, printed: &'static str, why: &'static str) -> Row {
        self.paper_polymage = Some((printed, why));
        self
    }
}

/// The region of an example.
fn example(file: &str) -> Region {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/pipelines")
        .join(file);
    let path = path.to_str().expect("plain names");
    let output = std::process::Command::new("cc")
        .args(["-E", "-D__attribute__(x)=", "-D__extension__="])
        .args(["-D__thread=", "-D__int128=long", "-D__float128=double"])
        .arg(path)
        .output()
        .expect("cc runs");
    assert!(output.status.success());
    let source = Source {
        name: path.to_owned(),
        text: std::fs::read_to_string(path).expect("the example is there"),
        preprocessed: String::from_utf8(output.stdout).expect("plain text"),
        ..Source::default()
    };
    let mut regions = regions(&source, defaults::ISL_OPERATIONS).expect("the example is accepted");
    regions.remove(0)
}

/// Compares the footprints of a group, whose live-out stage is `out`, with its rows.
fn check(region: &Region, out: &str, sizes: &[i64], rows: &[Row]) {
    let find = |name: &str| {
        let position = region.graph.stages.iter().position(|s| s.name == name);
        position.unwrap_or_else(|| panic!("there is no stage {name}"))
    };
    let out = find(out);
    let mut stages: Vec<usize> = rows.iter().map(|row| find(row.stage)).collect();
    stages.push(out);
    stages.sort_unstable();
    assert_eq!(stages.last(), Some(&out), "the live-out stage is the last");
    let tight =
        group_tiles(&region.scop, &region.graph, &stages, out, sizes).expect("boxes of one size");
    let wide = widen(&region.scop, &region.graph, &tight, out, sizes).expect("and wide ones");
    let text = |footprints: &[Footprint], name: &str| {
        let stage = find(name);
        let found = footprints.iter().find(|f| f.stage == stage);
        let extents = &found
            .unwrap_or_else(|| panic!("{name} is not needed"))
            .extents;
        let extents: Vec<String> = extents.iter().map(i64::to_string).collect();
        extents.join("×")
    };
    let mut differences = Vec::new();
    for row in rows {
        let name = row.stage;
        for (shape, footprints, ours, paper) in [
            ("scalene", &tight.footprints, row.ours, row.paper_ours),
            (
                "polymage",
                &wide.footprints,
                row.polymage,
                row.paper_polymage,
            ),
        ] {
            let found = text(footprints, name);
            if found != ours {
                differences.push(format!("{name}, {shape}: {found}, not {ours}"));
            }
            if let Some((printed, why)) = paper {
                assert!(printed != ours && !why.is_empty(), "{name}: no difference");
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Tile size 64 × 256.
#[test]
fn table_3_camera_pipeline() {
    const GREEN: &str = "read beside and below by 33 rows and 129 columns of g_r and g_b: one \
         row and one column more";
    const MEASURED: &str = "read by 32 × 128 cells of the interpolated colours, one row and one \
         column to one side and the other: 33 × 129";
    check(
        &example("camera_pipe.c"),
        "processed",
        &[0, 64, 256],
        &[
            row("denoised", "68×260", "80×272").paper(
                "68×256",
                "its 68 rows are twice our 34 of deinterleaved; twice any of the widths printed \
                 for deinterleaved, 132 or ours, is more than 256",
            ),
            row("deinterleaved", "4×34×130", "4×40×136").paper(
                "4×36×132",
                "as large as the largest of the four grids, which read it at their own cell",
            ),
            row("r_r", "33×129", "40×136").paper("33×131", MEASURED),
            row("g_gr", "34×130", "40×136").paper("35×133", GREEN),
            row("b_b", "33×129", "40×136").paper("33×131", MEASURED),
            row("g_gb", "34×130", "40×136").paper("35×133", GREEN),
            row("g_b", "33×129", "40×136"),
            row("greenX2", "32×256", "40×272"),
            row("blueX2", "32×256", "40×272"),
            row("redX1", "32×256", "40×272"),
            row("g_r", "33×129", "40×136"),
            row("greenX1", "32×256", "40×272"),
            row("b_gb", "32×128", "40×136"),
            row("r_b", "32×128", "40×136"),
            row("r_gr", "32×128", "40×136"),
            row("b_r", "32×128", "40×136"),
            row("r_gb", "32×128", "40×136"),
            row("b_gr", "32×128", "40×136"),
            row("redX2", "32×256", "40×272"),
            row("green", "64×256", "80×272"),
            row("blueX1", "32×256", "40×272"),
            row("red", "64×256", "80×272"),
            row("blue", "64×256", "80×272"),
            row("corrected", "3×64×256", "3×80×272"),
        ],
    );
}

/// Tile size 8 × 256.
///
/// The printed row "Our work" has its first nine columns mixed up: 8×8×130, 8×8×256 and 8×130
/// stand under the stages of level 4 and belong to the first three of level 2; 8×6×100, 6×100,
/// 6×100 stand under those of level 3 and belong to level 4; 8×8×100, 8×8×196, 8×196 stand under
/// those of level 2 and belong to level 3. As printed, `outLP_L4` would have a third dimension,
/// which it has not; and in the row of PolyMage the dimensions fit this order.
///
/// Level 4 and 3 are narrower than 256 at PolyMage's size, C = 1536, and not tiled along columns.
#[test]
fn table_4_local_laplacian() {
    let mut region = example("local_laplacian.c");
    for level in 0..3 {
        let name = |stem: &str| &*format!("{stem}Pyramid_L{level}").leak();
        let (up, out) = match level {
            0 => ("Ux_result_ref_gray", "result_ref_gray"),
            _ => (name("Ux_outG"), name("outG")),
        };
        check(
            &region,
            out,
            &[8, 256],
            &[
                row(name("Ux_l"), "8×8×130", "8×8×131"),
                row(name("U_l"), "8×8×256", "8×8×262"),
                row(up, "8×130", "8×131"),
                row(name("outL"), "8×256", "8×262"),
            ],
        );
    }

    const RIM: &str = "all columns of the level with its rim of four at C = 1536; nobody reads the \
         rim";
    const ALL: &str = "PolyMage holds all columns where it does not tile them";
    let size = isl::Set::read_from_str(&region.scop.ctx, "[R, C] -> { : R = 2560 and C = 1536 }");
    let size = size.expect("a set");
    region.scop.assume(&size).expect("a set");
    check(
        &region,
        "outGPyramid_L3",
        &[8, 0],
        &[
            // Columns 2 to 191 of U_lPyramid_L3 read from 2/2 to 191/2 + 2.
            row("Ux_lPyramid_L3", "8×8×97", "8×8×97")
                .paper("8×8×100", RIM)
                .paper_polymage("8×8×100", ALL),
            row("U_lPyramid_L3", "8×8×190", "8×8×190")
                .paper("8×8×196", RIM)
                .paper_polymage("8×8×196", ALL),
            row("outLPyramid_L3", "8×190", "8×190")
                .paper("8×196", RIM)
                .paper_polymage("8×196", ALL),
        ],
    );
    // Eight rows i of Ux_outGPyramid_L3 read i/2 to i/2 + 2: six rows.
    const ROUNDED: &str = "besides all columns: PolyMage takes the two rows of i/2 + 2 for four of \
         i and has a slope of 4; only odd i read there, three away, so that 3 is enough: \
         (8 + 3·3)/2 rows, not (8 + 3·4)/2";
    check(
        &region,
        "Ux_outGPyramid_L3",
        &[8, 0],
        &[
            row("U_lPyramid_L4", "8×6×94", "8×9×94")
                .paper("8×6×100", RIM)
                .paper_polymage("8×10×100", ROUNDED),
            row("outLPyramid_L4", "6×94", "9×94")
                .paper("6×100", RIM)
                .paper_polymage("10×100", ROUNDED),
            row("outGPyramid_L4", "6×94", "9×94")
                .paper("6×100", RIM)
                .paper_polymage("10×100", ROUNDED),
        ],
    );
}

/// Tile size 32 × 128.
///
/// The live-out stage reads `interpolated_L0[i + 1][j + 1]`, so that a tile needs as many cells of
/// it as it has; the paper's tile has one more row and column, as if `[i][j]` were read as well,
/// and takes that along through all levels. From there `Ux_Ll` and `i_Ll` need of `n` consecutive
/// rows (columns), the first one odd, those from (x + 1)/2 to (x + 2)/2 for the first and the last
/// `x`: ⌊n/2⌋ + 1.
#[test]
fn table_5_multiscale_interpolation() {
    const ONE_MORE: &str = "one row and one column of interpolated_L0 that nobody reads";
    const HENCE: &str = "follows from the row and the column too many of interpolated_L0; our \
         chain is 32, 17, 9, 5 rows and 128, 65, 33, 17, 9 columns";
    const POLYMAGE: &str = "the columns are those of PolyMage's tile; even from the 35 of \
         interpolated_L2, 0 to 34, only 19 follow, and our 33 need 17";
    check(
        &example("interpolate.c"),
        "interpolate",
        &[0, 32, 128],
        &[
            row("Ux_interpolated_L3", "4×5×9", "4×7×10").paper("4×7×10", HENCE),
            row("interpolated_L3", "4×5×17", "4×7×20").paper("4×7×20", POLYMAGE),
            row("Ux_interpolated_L2", "4×9×17", "4×14×20").paper("4×11×20", POLYMAGE),
            row("interpolated_L2", "4×9×33", "4×14×40").paper("4×11×35", HENCE),
            row("Ux_interpolated_L1", "4×17×33", "4×28×40").paper("4×18×35", HENCE),
            row("interpolated_L1", "4×17×65", "4×28×80").paper("4×18×66", HENCE),
            row("Ux_interpolated_L0", "4×32×65", "4×56×80").paper("4×33×66", HENCE),
            row("interpolated_L0", "4×32×128", "4×56×160")
                .paper("4×33×129", ONE_MORE)
                .paper_polymage("4×56×169", "a slip: PolyMage's code says 160, twice 80"),
        ],
    );
}

/// Tile size 16 × 256, in the cells of the finest stage of a group: `Dx_2_mask` has two columns
/// for each of `Col_2`, whose tile is 16 × 128.
#[test]
fn table_6_pyramid_blending() {
    const TAPS: &str = "five taps, 2j − 2 to 2j + 2, for 66 columns: 2·65 + 5";
    const LESS: &str = "follows from Dx_3_mask: 10 rows read 2·9 + 5 rows of Dy_2_mask, and 135 \
         columns as many; those read 2·134 + 5 columns of Dx_2_mask";
    let region = example("pyramid_blending.c");
    check(
        &region,
        "Col_2",
        &[0, 16, 128],
        &[
            row("Dx_3_img1", "3×10×135", "3×14×152").paper("3×10×134", TAPS),
            row("Dx_3_img2", "3×10×135", "3×14×152").paper("3×10×134", TAPS),
            row("Dy_3_img1", "3×10×66", "3×14×76"),
            row("Dy_3_img2", "3×10×66", "3×14×76"),
            row("Col_2_x", "3×16×66", "3×28×76"),
            row("Dx_3_mask", "10×135", "14×152").paper("10×134", TAPS),
            row("Dy_3_mask", "10×66", "14×76"),
            row("Ux_2_img1", "3×16×66", "3×28×76"),
            row("Ux_2_img2", "3×16×66", "3×28×76"),
            row("Dx_2_mask", "23×273", "28×304").paper("22×266", LESS),
            row("Dy_2_mask", "23×135", "28×152").paper("22×134", LESS),
            row("Uy_2_img1", "3×16×128", "3×28×152"),
            row("Uy_2_img2", "3×16×128", "3×28×152"),
            row("Res_3", "3×10×66", "3×14×76"),
            row("Res_2", "3×16×128", "3×28×152"),
        ],
    );
    check(
        &region,
        "Col_1",
        &[0, 16, 256],
        &[
            row("Ux_1_img1", "3×16×130", "3×16×131"),
            row("Ux_1_img2", "3×16×130", "3×16×131"),
            row("Col_1_x", "3×16×130", "3×16×131"),
            row("Uy_1_img1", "3×16×256", "3×16×262"),
            row("Uy_1_img2", "3×16×256", "3×16×262"),
            row("Res_1", "3×16×256", "3×16×262"),
        ],
    );
    check(
        &region,
        "blend",
        &[0, 16, 256],
        &[
            row("blend_x", "3×16×130", "3×16×131"),
            row("Ux_0_img1", "3×16×130", "3×16×131"),
            row("Ux_0_img2", "3×16×130", "3×16×131"),
            row("Uy_0_img1", "3×16×256", "3×16×262"),
            row("Uy_0_img2", "3×16×256", "3×16×262"),
            row("Res_0", "3×16×256", "3×16×262"),
        ],
    );
}

/// Tile size 8 × 512.
#[test]
fn table_7_unsharp_mask() {
    check(
        &example("unsharp_mask.c"),
        "mask",
        &[0, 8, 512],
        &[
            row("blurx", "3×8×516", "3×8×518"),
            row("blury", "3×8×512", "3×8×518"),
            row("sharpen", "3×8×512", "3×8×518"),
        ],
    );
}
