//! What `examples.rs` runs on devices: every example with every shape of tiles.

/// An example, with values of its parameters that no tile divides.
pub struct Example {
    /// Below `examples`.
    pub file: &'static str,
    /// Sizes that are run.
    pub sizes: &'static str,
    /// The shapes that it stands for: of the examples of a shape every sixth one is run each time;
    /// all with all shapes with `TILEWRIGHT_TEST_ALL=1`. `auto` is the planner's choice.
    pub shapes: &'static [&'static str],
}

const fn example(
    file: &'static str,
    sizes: &'static str,
    shapes: &'static [&'static str],
) -> Example {
    Example {
        file,
        sizes,
        shapes,
    }
}

/// All shapes.
pub const SHAPES: [&str; 9] = [
    "auto",
    "none",
    "parallelogram",
    "split",
    "diamond",
    "hexagonal",
    "scalene",
    "right",
    "polymage",
];

/// All examples but those of [`LONG`].
pub const EXAMPLES: &[Example] = &[
    example(
        "linear-algebra/2mm.c",
        "ni=19 nj=23 nk=29 nl=13",
        &["parallelogram"],
    ),
    example(
        "linear-algebra/3mm.c",
        "ni=19 nj=23 nk=29 nl=13 nm=11",
        &["auto"],
    ),
    example("linear-algebra/atax.c", "m=37 n=45", &["none"]),
    example("linear-algebra/bicg.c", "m=37 n=45", &["auto"]),
    example("linear-algebra/cholesky.c", "n=21", &["parallelogram"]),
    example("linear-algebra/correlation.c", "m=29 n=43", &["auto"]),
    example("linear-algebra/covariance.c", "m=29 n=43", &["none"]),
    example("linear-algebra/doitgen.c", "nr=13 nq=11 np=19", &["auto"]),
    example("linear-algebra/durbin.c", "n=31", &["auto"]),
    example("linear-algebra/floyd-warshall.c", "n=19", &["none"]),
    example(
        "linear-algebra/gemm.c",
        "ni=35 nj=41 nk=27",
        &["none", "parallelogram"],
    ),
    example("linear-algebra/gemver.c", "n=53", &["auto"]),
    example("linear-algebra/gesummv.c", "n=53", &["none"]),
    example("linear-algebra/gramschmidt.c", "m=19 n=15", &["auto"]),
    example("linear-algebra/lu.c", "n=23", &["parallelogram"]),
    example("linear-algebra/ludcmp.c", "n=23", &["auto"]),
    example("linear-algebra/mvt.c", "n=53", &["none"]),
    example("linear-algebra/nussinov.c", "n=25", &["auto"]),
    example("linear-algebra/symm.c", "m=29 n=43", &["auto"]),
    example("linear-algebra/syr2k.c", "n=37 m=27", &["parallelogram"]),
    example("linear-algebra/syrk.c", "n=37 m=27", &["auto"]),
    example("linear-algebra/trisolv.c", "n=29", &["none"]),
    example("linear-algebra/trmm.c", "m=37 n=27", &["auto"]),
    example("stencils/adi.c", "tsteps=3 n=19", &["auto"]),
    example("stencils/deriche.c", "w=25 h=37", &["auto"]),
    example(
        "stencils/fdtd-2d.c",
        "tmax=5 nx=27 ny=35",
        &["split", "right"],
    ),
    example("stencils/heat-1d-periodic.c", "tsteps=9 n=53", &["auto"]),
    example(
        "stencils/heat-1d.c",
        "tsteps=21 n=133",
        &[
            "auto",
            "none",
            "parallelogram",
            "split",
            "hexagonal",
            "scalene",
        ],
    ),
    example("stencils/heat-2d-9pt.c", "tsteps=9 n=45", &["split"]),
    example(
        "stencils/heat-2d.c",
        "tsteps=9 n=45",
        &["parallelogram", "diamond", "hexagonal", "scalene"],
    ),
    example("stencils/heat-3d.c", "tsteps=5 n=15", &["scalene"]),
    example("stencils/jacobi-1d-5pt.c", "tsteps=13 n=99", &["scalene"]),
    example("stencils/jacobi-1d-7pt.c", "tsteps=13 n=99", &["hexagonal"]),
    example("stencils/jacobi-1d.c", "tsteps=13 n=99", &["diamond"]),
    example(
        "stencils/jacobi-2d.c",
        "tsteps=9 n=35",
        &["none", "split", "right"],
    ),
    example("stencils/life.c", "tsteps=7 n=35", &["split"]),
    example("stencils/poisson-2d.c", "tsteps=7 n=35", &["hexagonal"]),
    example("stencils/seidel-2d.c", "tsteps=3 n=19", &["auto"]),
    example("stencils/two-statements.c", "tsteps=7 n=45", &["auto"]),
    example("stencils/wave-2d.c", "tsteps=7 n=35", &["diamond"]),
    example("pipelines/bilateral_grid.c", "R=61 C=75", &["auto"]),
    example(
        "pipelines/camera_pipe.c",
        "R=77 C=91 colour_temp=3700 contrast=50 gamma=2",
        &["auto"],
    ),
    example(
        "pipelines/harris.c",
        "R=61 C=75",
        &["none", "scalene", "right", "polymage"],
    ),
    example("pipelines/interpolate.c", "R=61 C=75", &[]),
    example(
        "pipelines/local_laplacian.c",
        "R=61 C=75 alpha=0.2 beta=1",
        &[],
    ),
    example("pipelines/pyramid_blending.c", "R=101 C=97", &["none"]),
    example("pipelines/unsharp_mask.c", "R=61 C=75", &["auto"]),
    example("multigrid/minifluxdiv.c", "N=9", &["auto"]),
    example("multigrid/jacobi_2d_v_4_4_4.c", "n=2", &[]),
    example("multigrid/jacobi_2d_v_10_0_0.c", "n=2", &[]),
    example("multigrid/jacobi_3d_v_4_4_4.c", "n=1", &[]),
    example("dynamic/spmv-csr.c", "n=37 m=45 nnz=203 shape=0", &[]),
    example("dynamic/spmv-bcsr.c", "n=19 m=21 blocks=67 shape=3", &[]),
    example("dynamic/spmv-ell.c", "n=37 m=41 width=11 shape=2", &[]),
    example("dynamic/spmv-dia.c", "n=43 diagonals=11", &[]),
    example(
        "dynamic/spmm.c",
        "n=29 m=37 nnz=187 vectors=11 shape=0",
        &[],
    ),
    example("dynamic/pagerank.c", "steps=5 n=43 edges=211 shape=2", &[]),
    example("dynamic/change-making.c", "most=77 coins=11", &[]),
    example("dynamic/denominations.c", "n=37 most=61", &[]),
    example("dynamic/bucket-gather.c", "n=67 buckets=13 shape=3", &[]),
    example("dynamic/ragged.c", "n=29 all=187 shape=2", &[]),
    example("dynamic/histogram.c", "n=29 m=37 bins=11 shape=3", &[]),
    example("dynamic/bfs-step.c", "n=43 edges=187 depth=2 shape=2", &[]),
    example("dynamic/hog.c", "R=37 C=45 n=29", &[]),
    example("dynamic/equake-smvp.c", "nodes=29 blocks=187 shape=2", &[]),
];

/// Programs of many stages, whose code isl is long over: only where everything is run.
pub const MANY_STAGES: &[&str] = &[
    "pipelines/interpolate.c",
    "pipelines/local_laplacian.c",
    "multigrid/jacobi_2d_v_4_4_4.c",
    "multigrid/jacobi_2d_v_10_0_0.c",
    "multigrid/jacobi_3d_v_4_4_4.c",
];

/// Cycles that are never run here: each takes from ten seconds to a minute, with the steps of
/// those above.
pub const LONG: &[&str] = &[
    "multigrid/jacobi_2d_w_4_4_4.c",
    "multigrid/jacobi_2d_w_10_0_0.c",
    "multigrid/jacobi_3d_v_10_0_0.c",
    "multigrid/jacobi_3d_w_4_4_4.c",
    "multigrid/jacobi_3d_w_10_0_0.c",
];

/// What the message says where a shape is refused: split, diamond and hexagonal tiles are for
/// iterated stencils, overlapped ones for chains of stages and loops over time of which it is known
/// where on a grid they are, right ones of them, on devices, for the latter.
pub fn refusal(file: &str, shape: &str) -> Option<&'static str> {
    let over_time = ["split", "diamond", "hexagonal"].contains(&shape);
    let overlapped = ["scalene", "right"].contains(&shape);
    let stencil = file.starts_with("stencils/") && !REPEATED.contains(&file);
    let stencil = stencil || ALONG_A_LOOP.contains(&file);
    if shape == "right" && file.starts_with("pipelines/") {
        return Some("pipelines have scalene tiles on devices");
    }
    let refused = (over_time && !stencil) || (overlapped && REPEATED.contains(&file));
    refused.then_some("need an iterated stencil")
}

/// No stencils, but chains of stages with a loop around them all that tiles may take for time.
const ALONG_A_LOOP: &[&str] = &["multigrid/minifluxdiv.c", "pipelines/unsharp_mask.c"];

/// Loops in which values go on to other cells again and again, and which are no iterated stencils
/// in the sense of tiles over time.
const REPEATED: &[&str] = &[
    "linear-algebra/cholesky.c",
    "linear-algebra/correlation.c",
    "linear-algebra/covariance.c",
    "linear-algebra/durbin.c",
    "linear-algebra/floyd-warshall.c",
    "linear-algebra/gramschmidt.c",
    "linear-algebra/lu.c",
    "linear-algebra/ludcmp.c",
    "linear-algebra/nussinov.c",
    "linear-algebra/trisolv.c",
    "stencils/adi.c",
    "stencils/deriche.c",
    "stencils/heat-1d-periodic.c",
    "stencils/seidel-2d.c",
];

/// Shapes that groups may have where this one is asked for.
pub fn planned(file: &str, shape: &str) -> &'static [&'static str] {
    let stencil = file.starts_with("stencils/") && !REPEATED.contains(&file);
    match shape {
        "auto" => &SHAPES,
        "none" => &["none"],
        // With a warning: loops that isl leaves open, atomic sums.
        "parallelogram" if SLOW_TO_SCHEDULE.contains(&file) => &["parallelogram", "none"],
        "parallelogram" if AS_WRITTEN.contains(&file) => &["none"],
        "parallelogram" => &["parallelogram"],
        "split" => &["split"],
        "diamond" => &["diamond"],
        "hexagonal" => &["hexagonal"],
        "scalene" if stencil => &["scalene"],
        "right" if stencil => &["right"],
        // Stages that nothing is fused with, or no chain of stages.
        _ => &["scalene", "right", "polymage", "parallelogram", "none"],
    }
}

/// Examples whose loops stay as written where parallelograms are asked for.
const AS_WRITTEN: &[&str] = &["dynamic/histogram.c", "stencils/fdtd-2d.c"];

/// Dozens of stages, which isl's scheduler orders in its time on fast machines only; elsewhere they
/// stay as written, with a warning.
const SLOW_TO_SCHEDULE: &[&str] = &[
    "multigrid/jacobi_2d_v_10_0_0.c",
    "multigrid/jacobi_2d_v_4_4_4.c",
    "multigrid/jacobi_3d_v_4_4_4.c",
    "pipelines/interpolate.c",
    "pipelines/local_laplacian.c",
    "pipelines/pyramid_blending.c",
];

/// Tile sizes: those of pipelines are larger, for smaller ones overlap too much, and then stages
/// are not fused; those of overlapped tiles of cubes are smaller, or scratchpads would not fit.
pub fn tile_sizes(file: &str, shape: &str) -> &'static str {
    match (file, shape) {
        ("stencils/heat-3d.c", "scalene" | "right") => "2,4,4,8",
        _ if file.starts_with("pipelines") => "32,64",
        _ => "8",
    }
}

/// Values for a replay, which looks at every access of every thread: half of the sizes, but where
/// examples need as many points for their levels and borders.
pub fn replayed(file: &str, sizes: &str) -> String {
    const AS_RUN: [&str; 4] = [
        "pipelines/bilateral_grid.c",
        "pipelines/camera_pipe.c",
        "pipelines/pyramid_blending.c",
        "multigrid/",
    ];
    const NO_SIZES: [&str; 4] = ["shape", "contrast", "gamma", "colour_temp"];
    let whole = AS_RUN.iter().any(|start| file.starts_with(start));
    let values = sizes.split(' ').filter_map(|one| {
        let (name, value) = one.split_once('=')?;
        let value: i64 = value.parse().ok()?;
        Some(if whole || NO_SIZES.contains(&name) {
            one.to_owned()
        } else {
            format!("{name}={}", (value + 1) / 2)
        })
    });
    values.collect::<Vec<String>>().join(",")
}
