//! Every example, through the command line: compiled, built, run, and identical to the original,
//! at a size that is a multiple of the tile size and at one that is not, for several shapes.

use crate::running::{self, difference, difference_as_built, in_parallel, root, run, share};
use std::path::Path;
use std::process::Command;

/// File, parameters at two sizes. Tile sizes are set to 8 below, so that the first size is a
/// multiple and the second is not.
const EXAMPLES: &[(&str, &str, &str)] = &[
    (
        "linear-algebra/2mm.c",
        "ni=16 nj=24 nk=32 nl=16",
        "ni=19 nj=23 nk=29 nl=13",
    ),
    (
        "linear-algebra/3mm.c",
        "ni=16 nj=24 nk=32 nl=16 nm=8",
        "ni=19 nj=23 nk=29 nl=13 nm=11",
    ),
    ("linear-algebra/atax.c", "m=32 n=40", "m=37 n=45"),
    ("linear-algebra/bicg.c", "m=32 n=40", "m=37 n=45"),
    ("linear-algebra/cholesky.c", "n=32", "n=45"),
    ("linear-algebra/correlation.c", "m=32 n=40", "m=29 n=43"),
    ("linear-algebra/covariance.c", "m=32 n=40", "m=29 n=43"),
    (
        "linear-algebra/doitgen.c",
        "nr=16 nq=8 np=16",
        "nr=13 nq=11 np=19",
    ),
    ("linear-algebra/durbin.c", "n=48", "n=61"),
    ("linear-algebra/floyd-warshall.c", "n=32", "n=37"),
    (
        "linear-algebra/gemm.c",
        "ni=32 nj=40 nk=24",
        "ni=35 nj=41 nk=27",
    ),
    ("linear-algebra/gemver.c", "n=40", "n=53"),
    ("linear-algebra/gesummv.c", "n=40", "n=53"),
    ("linear-algebra/gramschmidt.c", "m=32 n=24", "m=37 n=29"),
    ("linear-algebra/lu.c", "n=32", "n=45"),
    ("linear-algebra/ludcmp.c", "n=32", "n=45"),
    ("linear-algebra/mvt.c", "n=40", "n=53"),
    ("linear-algebra/nussinov.c", "n=32", "n=45"),
    ("linear-algebra/symm.c", "m=32 n=40", "m=29 n=43"),
    ("linear-algebra/syr2k.c", "n=32 m=24", "n=37 m=27"),
    ("linear-algebra/syrk.c", "n=32 m=24", "n=37 m=27"),
    ("linear-algebra/trisolv.c", "n=40", "n=53"),
    ("linear-algebra/trmm.c", "m=32 n=24", "m=37 n=27"),
    ("stencils/adi.c", "tsteps=8 n=24", "tsteps=5 n=29"),
    ("stencils/deriche.c", "w=40 h=32", "w=45 h=37"),
    (
        "stencils/fdtd-2d.c",
        "tmax=8 nx=32 ny=40",
        "tmax=11 nx=37 ny=45",
    ),
    ("stencils/heat-3d.c", "tsteps=8 n=16", "tsteps=5 n=19"),
    ("stencils/jacobi-1d.c", "tsteps=16 n=128", "tsteps=21 n=133"),
    ("stencils/jacobi-2d.c", "tsteps=8 n=40", "tsteps=11 n=45"),
    ("stencils/seidel-2d.c", "tsteps=8 n=40", "tsteps=11 n=45"),
    ("stencils/heat-1d.c", "tsteps=16 n=128", "tsteps=21 n=133"),
    (
        "stencils/heat-1d-periodic.c",
        "tsteps=16 n=128",
        "tsteps=21 n=133",
    ),
    ("stencils/heat-2d.c", "tsteps=8 n=40", "tsteps=11 n=45"),
    ("stencils/heat-2d-9pt.c", "tsteps=8 n=40", "tsteps=11 n=45"),
    (
        "stencils/jacobi-1d-5pt.c",
        "tsteps=16 n=128",
        "tsteps=21 n=133",
    ),
    (
        "stencils/jacobi-1d-7pt.c",
        "tsteps=16 n=128",
        "tsteps=21 n=133",
    ),
    ("stencils/life.c", "tsteps=8 n=40", "tsteps=11 n=45"),
    ("stencils/poisson-2d.c", "tsteps=8 n=40", "tsteps=11 n=45"),
    (
        "stencils/two-statements.c",
        "tsteps=16 n=128",
        "tsteps=21 n=133",
    ),
    ("stencils/wave-2d.c", "tsteps=8 n=40", "tsteps=11 n=45"),
    ("pipelines/bilateral_grid.c", "R=120 C=136", "R=117 C=149"),
    (
        "pipelines/camera_pipe.c",
        "R=80 C=96 colour_temp=3700 contrast=50 gamma=2",
        "R=77 C=91 colour_temp=3700 contrast=50 gamma=2",
    ),
    ("pipelines/harris.c", "R=64 C=64", "R=61 C=75"),
    ("pipelines/unsharp_mask.c", "R=64 C=64", "R=61 C=75"),
    ("multigrid/minifluxdiv.c", "N=16", "N=13"),
    (
        "dynamic/spmv-csr.c",
        "n=32 m=40 nnz=200 shape=0",
        "n=37 m=45 nnz=203 shape=2",
    ),
    (
        "dynamic/spmv-bcsr.c",
        "n=16 m=24 blocks=64 shape=0",
        "n=19 m=21 blocks=67 shape=3",
    ),
    (
        "dynamic/spmv-ell.c",
        "n=32 m=40 width=8 shape=0",
        "n=37 m=41 width=11 shape=2",
    ),
    (
        "dynamic/spmv-dia.c",
        "n=40 diagonals=8",
        "n=43 diagonals=11",
    ),
    (
        "dynamic/spmm.c",
        "n=32 m=40 nnz=200 vectors=8 shape=0",
        "n=29 m=37 nnz=187 vectors=11 shape=1",
    ),
    (
        "dynamic/pagerank.c",
        "steps=8 n=40 edges=200 shape=0",
        "steps=5 n=43 edges=211 shape=2",
    ),
    (
        "dynamic/change-making.c",
        "most=64 coins=8",
        "most=77 coins=11",
    ),
    ("dynamic/denominations.c", "n=32 most=64", "n=37 most=61"),
    (
        "dynamic/bucket-gather.c",
        "n=64 buckets=16 shape=0",
        "n=67 buckets=13 shape=3",
    ),
    (
        "dynamic/ragged.c",
        "n=32 all=200 shape=0",
        "n=29 all=187 shape=2",
    ),
    (
        "dynamic/histogram.c",
        "n=32 m=40 bins=16 shape=0",
        "n=29 m=37 bins=11 shape=3",
    ),
    (
        "dynamic/bfs-step.c",
        "n=40 edges=200 depth=3 shape=0",
        "n=43 edges=187 depth=2 shape=2",
    ),
    ("dynamic/hog.c", "R=40 C=48 n=32", "R=37 C=45 n=29"),
    (
        "dynamic/equake-smvp.c",
        "nodes=32 blocks=200 shape=0",
        "nodes=29 blocks=187 shape=2",
    ),
];

/// Pipelines of many stages, each with a shape that takes seconds. As they are written, interpolation
/// takes half a minute, and the local Laplacian filter runs out of budget.
const MANY_STAGES: &[(&str, &str, &str, &str)] = &[
    ("pipelines/interpolate.c", "R=64 C=64", "R=61 C=75", "auto"),
    (
        "pipelines/local_laplacian.c",
        "R=64 C=64 alpha=0.2 beta=1",
        "R=61 C=75 alpha=0.2 beta=1",
        "auto",
    ),
    (
        "pipelines/pyramid_blending.c",
        "R=124 C=128",
        "R=101 C=97",
        "none",
    ),
];

/// Cycles of multigrid, with the planner's choice: what takes seconds, in two and in three
/// dimensions; the last each time. Sizes are 8 n + 9, which no tile divides.
const MULTIGRID: &[(&str, &str)] = &[
    ("multigrid/jacobi_2d_v_4_4_4.c", "n=3"),
    ("multigrid/jacobi_2d_v_10_0_0.c", "n=4"),
    ("multigrid/jacobi_3d_v_4_4_4.c", "n=1"),
];

/// Cycles that are not run here: each takes from ten seconds to a minute, with the steps of those
/// above.
const LONG: &[&str] = &[
    "multigrid/jacobi_2d_w_4_4_4.c",
    "multigrid/jacobi_2d_w_10_0_0.c",
    "multigrid/jacobi_3d_v_10_0_0.c",
    "multigrid/jacobi_3d_w_4_4_4.c",
    "multigrid/jacobi_3d_w_10_0_0.c",
];

/// Runs one example and returns what is wrong with it.
fn failure(file: &str, sizes: &[&str], shape: &str) -> Option<String> {
    failure_inlining(file, sizes, shape, "auto")
}

/// The same with stages to inline.
fn failure_inlining(file: &str, sizes: &[&str], shape: &str, inline: &str) -> Option<String> {
    let mut command = run(file, sizes);
    command.args(running::tiled(shape, "8"));
    command.args(["--inline", inline]);
    difference(
        command,
        &format!("{file} {sizes:?} --shape {shape} --inline {inline}"),
    )
}

/// Those of the examples for which `wanted` holds; each time one in `every`, from this one on.
fn check(shape: &str, every: usize, from: usize, wanted: impl Fn(&str) -> bool) {
    let examples = EXAMPLES.iter().filter(|(file, ..)| wanted(file));
    let examples = share(examples, every, from);
    assert!(!examples.is_empty());
    let failures = in_parallel(&examples, |(file, even, odd)| {
        failure(file, &[even, odd], shape)
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn identical_as_written() {
    check("none", 2, 1, |_| true);
}

/// What the planner chooses for them is in `pipelines_identical_with_the_planner_s_own_tiles`, too.
#[test]
fn many_stages_identical() {
    let wanted = |shape: &str| running::all() || shape != "auto";
    let mut runs = MANY_STAGES
        .iter()
        .filter(|(.., shape)| wanted(shape))
        .peekable();
    assert!(runs.peek().is_some());
    let failures: Vec<_> = runs
        .filter_map(|(file, even, odd, shape)| failure(file, &[even, odd], shape))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn multigrid_identical() {
    let failures: Vec<_> = share(MULTIGRID, 3, 2)
        .into_iter()
        .filter_map(|(file, parameters)| failure(file, &[parameters], "auto"))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn identical_with_parallelogram_tiles() {
    check("parallelogram", 3, 0, |_| true);
}

/// Examples of stencils that are no iterated ones in the sense of tiles over time, and why: what
/// the message says.
const NOT_OVER_TIME: &[(&str, &str)] = &[
    ("stencils/adi.c", "S0 is in no time loop"),
    ("stencils/deriche.c", "S0 is in no time loop"),
    (
        "stencils/heat-1d-periodic.c",
        "S0 depends on S0 at distance (1, 0) in time and space, and at others without bound",
    ),
    (
        "stencils/seidel-2d.c",
        "S0 depends on S0 at distance (0, 1, 1) in time and space, in one sweep over space",
    ),
];

fn over_time(file: &str) -> bool {
    file.starts_with("stencils/") && NOT_OVER_TIME.iter().all(|(other, _)| *other != file)
}

#[test]
fn stencils_identical_with_split_tiles() {
    check("split", 2, 0, over_time);
}

#[test]
fn stencils_identical_with_diamonds() {
    check("diamond", 2, 1, over_time);
}

#[test]
fn stencils_identical_with_hexagons() {
    check("hexagonal", 2, 0, over_time);
}

#[test]
fn stencils_identical_with_overlapped_tiles() {
    check("scalene", 4, 1, over_time);
}

#[test]
fn stencils_identical_with_right_trapezoids() {
    check("right", 4, 2, over_time);
}

/// Tiles that overlap in the last dimension only, and have all rows, which take turns.
#[test]
fn stencils_identical_with_overlap_in_one_dimension() {
    let of_planes = |file: &str| over_time(file) && file.contains("-2d");
    let mut failures = Vec::new();
    let examples = EXAMPLES.iter().filter(|(file, ..)| of_planes(file));
    for (file, even, odd) in share(examples, 2, 0) {
        let mut command = run(file, &[even, odd]);
        command.args(["--shape", "right", "--tile-sizes", "6,0,16"]);
        failures.extend(difference(command, file));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Forms that time has in storage: planes that take turns, an array of all steps, a copy back with
/// boundaries that are set in each step, a sweep in place.
const FORMS: &[(&str, &str, &str)] = &[
    (
        "planes",
        "double A[restrict 2][n]",
        "for (int t = 0; t < m; t++)
            for (int i = 1; i < n - 1; i++)
                A[(t + 1) % 2][i] = 0.25 * (A[t % 2][i - 1] + 2.0 * A[t % 2][i] + A[t % 2][i + 1]);",
    ),
    (
        "steps",
        "double A[restrict m + 1][n][n]",
        "for (int t = 1; t <= m; t++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 2; j < n - 1; j++)
                    A[t][i][j] = A[t - 1][i - 1][j] + 0.5 * A[t - 1][i + 1][j] - A[t - 1][i][j - 2];",
    ),
    (
        "copies",
        "double A[restrict n], double B[restrict n]",
        "for (int t = 0; t < m; t++) {
            A[0] = A[1];
            A[n - 1] = A[n - 2];
            for (int i = 1; i < n - 1; i++)
                B[i] = 0.25 * (A[i - 1] + 2.0 * A[i] + A[i + 1]);
            for (int i = 1; i < n - 1; i++)
                A[i] = B[i] + t;
        }",
    ),
    (
        "in_place",
        "double A[restrict n]",
        "for (int t = 0; t < m; t++)
            for (int i = 0; i < n - 1; i++)
                A[i] = 0.5 * (A[i] + A[i + 1]);",
    ),
];

/// Less than a band of time, bands that fit, and a part of one at the end; for bands that are odd,
/// too. Both shapes and both bands are there each time, but each form has one of them.
#[test]
fn forms_of_time_identical_with_overlapped_tiles() {
    let mut failures = Vec::new();
    for (number, (name, arrays, body)) in FORMS.iter().enumerate() {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.c"));
        let text = format!(
            "void f(int m, int n, {arrays})\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
        );
        std::fs::write(&file, text).expect("written");
        let file = file.to_str().expect("plain names");
        let bands = [
            (["m=16 n=34", "m=3 n=40"], "8,16"),
            (["m=23 n=45", "m=5 n=40"], "7,16"),
        ];
        for (sizes, tiles) in share(bands, 2, number / 2) {
            // A sweep in place cannot take turns.
            let shapes = match *name {
                "in_place" => vec!["scalene"],
                _ => share(["scalene", "right"], 2, number % 2),
            };
            for shape in shapes {
                let mut command = run(file, &sizes);
                command.args(["--shape", shape, "--tile-sizes", tiles]);
                let what = format!("{name} {sizes:?} {shape} {tiles}");
                failures.extend(difference(command, &what));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn what_is_no_iterated_stencil_is_refused() {
    for (file, reason) in NOT_OVER_TIME {
        for shape in ["split", "diamond", "hexagonal", "scalene", "right"] {
            let output = Command::new(env!("CARGO_BIN_EXE_tilewright"))
                .current_dir(root())
                .arg("compile")
                .arg(Path::new("examples").join(file))
                .args(["--shape", shape])
                .output()
                .expect("tilewright starts");
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{file}: {message}");
            let expected = format!("{shape} tiles need an iterated stencil: {reason}");
            assert!(message.contains(&expected), "{message}");
            assert!(message.contains("--shape parallelogram"), "{message}");
        }
    }
}

#[test]
fn identical_with_the_planner_s_choice() {
    check("auto", 1, 0, |_| true);
}

/// Image pipelines exactly as the planner makes them, at a size that has several tiles and that
/// nothing divides, every second one each time. The C compiler takes most of a minute to optimise the pyramids as for
/// production; they are in a quick build.
#[test]
fn pipelines_identical_with_the_planner_s_own_tiles() {
    let mut failures = Vec::new();
    let pipelines = [
        ("bilateral_grid", "R=301 C=733"),
        (
            "camera_pipe",
            "R=301 C=579 colour_temp=3700 contrast=50 gamma=2",
        ),
        ("harris", "R=301 C=579"),
        ("interpolate", "R=301 C=579"),
        ("local_laplacian", "R=301 C=579 alpha=0.2 beta=1"),
        ("pyramid_blending", "R=301 C=579"),
        ("unsharp_mask", "R=301 C=579"),
    ];
    for (file, parameters) in share(pipelines, 2, 0) {
        let command = run(&format!("pipelines/{file}.c"), &[parameters]);
        let compare = match file {
            "interpolate" | "local_laplacian" | "pyramid_blending" => difference,
            _ => difference_as_built,
        };
        failures.extend(compare(command, &format!("{file} {parameters}")));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Tiles inside tiles: none, as the first cache wants them, of rows that do not divide the tile,
/// that hold several jammed rows, and as Algorithm 4 of TOPLAS 2020 says.
#[test]
fn identical_with_inner_tiles() {
    let mut failures = Vec::new();
    for (file, inner_tiles) in [
        ("bilateral_grid", &["3", "auto"][..]),
        ("camera_pipe", &["l1", "auto"]),
        ("harris", &["none", "l1", "3", "8", "auto"]),
        ("unsharp_mask", &["8", "auto"]),
    ] {
        let path = format!("pipelines/{file}.c");
        let found = EXAMPLES.iter().find(|(name, ..)| *name == path);
        let (_, _, parameters) = found.expect("in the table");
        for inner in inner_tiles {
            let mut command = run(&path, &[parameters]);
            command.args(["--inner-tile", inner]);
            if *inner == "auto" {
                command.args(["--cost", "xeon", "--fusion", "polymage"]);
            } else {
                command.args(["--tile-sizes", "16,32"]);
            }
            failures.extend(difference(command, &format!("{file} --inner-tile {inner}")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn identical_with_point_loops_apart() {
    let mut failures = Vec::new();
    for file in ["pipelines/harris.c", "pipelines/unsharp_mask.c"] {
        let found = EXAMPLES.iter().find(|(name, ..)| *name == file);
        let (_, _, parameters) = found.expect("in the table");
        let mut command = run(file, &[parameters]);
        command.args(["--point-loops", "apart", "--tile-sizes", "16,32"]);
        failures.extend(difference(command, &format!("{file} --point-loops apart")));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// More than the planner inlines by itself.
#[test]
fn identical_with_stages_inlined() {
    let camera = "g_gb,deinterleaved,g_gr,r_r,r_gr,corrected";
    let mut failures = Vec::new();
    for (file, stages) in [
        ("pipelines/harris.c", "Ixx,Ixy,Iyy,trace,det"),
        ("pipelines/camera_pipe.c", camera),
        ("pipelines/unsharp_mask.c", "blury,blurx,sharpen"),
    ] {
        let found = EXAMPLES.iter().find(|(name, ..)| *name == file);
        let (_, even, odd) = found.expect("in the table");
        for (sizes, shape) in [(even, "none"), (odd, "auto"), (odd, "parallelogram")] {
            failures.extend(failure_inlining(file, &[sizes], shape, stages));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn every_example_is_in_the_table() {
    for folder in ["linear-algebra", "stencils", "pipelines", "multigrid"] {
        let entries =
            std::fs::read_dir(root().join("examples").join(folder)).expect("the folder is there");
        for entry in entries {
            let name = entry
                .expect("readable")
                .file_name()
                .into_string()
                .expect("plain names");
            if name.ends_with(".c") {
                let path = format!("{folder}/{name}");
                let mut tested = EXAMPLES.iter().map(|(file, ..)| *file);
                let many = MANY_STAGES.iter().map(|(file, ..)| *file);
                let multigrid = MULTIGRID.iter().map(|(file, _)| *file);
                let mut others = many.chain(multigrid).chain(LONG.iter().copied());
                assert!(
                    tested.any(|file| file == path) || others.any(|file| file == path),
                    "{path} is not tested"
                );
            }
        }
    }
}
