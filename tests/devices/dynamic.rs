//! Loops whose bounds are data on devices: the figures of the thesis (Zhao 2018, chapter 5), and
//! every example with every kind of rows. OpenCL runs on the processor, with PoCL; Oclgrind looks
//! for data races.

use crate::devices::opencl::{Oclgrind, difference, has_opencl, run};
use crate::figures::{figure_3_1, figure_5_1, figure_5_4};
use crate::running::{compiled, in_parallel, program};

/// The device's text of a program, for OpenCL, from the first kernel on. It runs right, and the
/// same kernels are there for CUDA.
fn kernels(name: &str, text: &str, parameters: &str, options: &[&str]) -> String {
    let file = program(name, text);
    if has_opencl() {
        assert_eq!(difference(run(&file, &[parameters], options)), None);
    }
    let of = |target: &str, kernel: &str| {
        let device = ["--emit", "device", "--target", target];
        let (out, _) = compiled(&file, &[&device, options].concat());
        let from = out.find(kernel).expect("a kernel");
        out[from..].to_owned()
    };
    let (opencl, cuda) = (of("opencl", "__kernel"), of("cuda", "__global__"));
    let count = |text: &str, word: &str| text.matches(word).count();
    assert_eq!(count(&opencl, "__kernel"), count(&cuda, "__global__"));
    assert_eq!(count(&opencl, "barrier("), count(&cuda, "__syncthreads()"));
    let shown = text.lines().filter(|line| !line.starts_with("#include"));
    let shown: Vec<&str> = shown.collect();
    format!("{}\n\n{}\n\n{opencl}", shown.join("\n"), options.join(" "))
}

/// A block for each `i`, which has the bounds' values; its threads share what the data says.
#[test]
fn figure_3_1_is_shared_by_a_block() {
    let text = kernels("figure_3_1", &figure_3_1(), "", &[]);
    insta::assert_snapshot!(text);
}

/// Figure 5.5: one block per point up to the static bounds, each with the definitions sunk.
#[test]
fn figure_5_5_definitions_are_sunk() {
    let options = ["--sink-bounds", "--block-size", "1,1"];
    insta::assert_snapshot!(kernels("figure_5_5", &figure_3_1(), "", &options));
}

/// Figure 5.6: tiles of `j` and `k` up to the static bounds are blocks, and a block ends
/// where the data says.
#[test]
fn figure_5_6_tiles_are_blocks() {
    let options = ["--sink-bounds", "--block-size", "8,4"];
    insta::assert_snapshot!(kernels("figure_5_6", &figure_3_1(), "", &options));
}

/// Figure 5.7: rows and tiles are one band, all of it blocks, and the two loops of points are the
/// threads of a block; the definitions are inside.
#[test]
fn figure_5_7_rows_and_tiles_are_one_grid() {
    let file = program("figure_5_7", &figure_3_1());
    let options = ["--target", "opencl", "--sink-bounds", "--block-size", "8,4"];
    let (out, _) = compiled(&file, &options);
    let grid = out.lines().map(str::trim).filter(|line| {
        let sizes = line.starts_with("const long c") && line.contains("_count =");
        sizes || line.contains("_launch(tw_kernels")
    });
    // 100 rows; u1 = 11 in tiles of 4; u2 = 9 in tiles of 8.
    insta::assert_snapshot!(grid.collect::<Vec<&str>>().join("\n"));
}

/// Figure 5.2's tiles on a device: loops over tiles end with the last that the data reaches.
#[test]
fn figure_5_2_tiles_inside_a_block() {
    let options = ["--shape", "parallelogram", "--tile-sizes", "4,8"];
    insta::assert_snapshot!(kernels("figure_5_2", &figure_3_1(), "", &options));
}

/// Figure 5.1: the fused loop of a thread ends with the larger bound, where the paper leaves it
/// with `goto`, and each statement tests its own.
#[test]
fn figure_5_1_fused_loops_end_together() {
    let options = [
        "--shape",
        "parallelogram",
        "--fuse",
        "max",
        "--tile-sizes",
        "0",
    ];
    insta::assert_snapshot!(kernels("figure_5_1", &figure_5_1(), "n=13", &options));
}

/// Figure 5.4: the dynamic loop is the grid, up to the static bound, outside of the loop that
/// computes the bound. No exit: a thread has one iteration of it.
#[test]
fn figure_5_4_has_no_early_exit() {
    let options = [
        "--shape",
        "parallelogram",
        "--fuse",
        "no",
        "--tile-sizes",
        "0",
    ];
    insta::assert_snapshot!(kernels("figure_5_4", &figure_5_4(40, 40), "n=13", &options));
}

/// A grid over a loop whose bound an earlier kernel computes: its size is the static bound's, and
/// threads beyond the data leave.
#[test]
fn grids_have_fixed_sizes() {
    let arguments = "int n, int key[restrict n], double a[restrict n]";
    let text = format!(
        "void f_init({arguments}) {{
    for (int i = 0; i < n; i++) {{
        key[i] = i % 2;
        a[i] = i;
    }}
}}
void f({arguments}) {{
#pragma scop
    int count = 0;
    for (int i = 0; i < n; i++)
        count += key[i];
    for (int i = 0; i < count; i++)
        a[i] = a[i] * 2.0 + 1.0;
#pragma endscop
}}"
    );
    insta::assert_snapshot!(kernels("fixed_grid", &text, "n=777", &[]));
}

/// Extents that are data, which only the host can evaluate, are what is copied.
#[test]
fn extents_that_are_data() {
    let arguments = "int n, int row[n + 1], double val[restrict row[n]], double y[restrict n]";
    let text = format!(
        "void f_init({arguments}) {{
    for (int i = 0; i < n; i++)
        y[i] = 0.0;
}}
void f({arguments}) {{
#pragma scop
    for (int i = 0; i < n; i++) {{
        double sum = 0.0;
        for (int j = row[i]; j < row[i + 1]; j++)
            sum += val[j];
        y[i] = sum;
    }}
#pragma endscop
}}"
    );
    let file = program("data_extents", &text);
    let (out, _) = compiled(&file, &["--target", "opencl"]);
    // The one is known to be only read, the other to be set as a whole.
    assert!(out.contains("(long)(row[n])"), "{out}");
    assert!(out.contains("tw_cl_upload(tw_val"), "{out}");
    assert!(!out.contains("tw_cl_upload(tw_y"), "{out}");
    assert!(!out.contains("tw_cl_download(tw_val"), "{out}");
}

/// Every example, built once: with uneven rows, some of them empty, with none but empty ones, with
/// everything in one row (as many as its static bound says), with even ones, and with random ones,
/// the last of them far below the static bounds. The others get sizes of other kinds.
#[test]
fn examples_with_all_kinds_of_rows() {
    if !has_opencl() {
        return;
    }
    const WITH_SHAPE: &[(&str, &str)] = &[
        ("spmv-csr.c", "n=19 m=23 nnz=120"),
        ("spmv-bcsr.c", "n=11 m=13 blocks=40"),
        ("spmv-ell.c", "n=19 m=23 width=9"),
        ("spmm.c", "n=7 m=5 nnz=30 vectors=9"),
        ("pagerank.c", "steps=3 n=19 edges=120"),
        ("bucket-gather.c", "n=60 buckets=9"),
        ("ragged.c", "n=19 all=120"),
        ("histogram.c", "n=9 m=7 bins=3"),
        ("bfs-step.c", "n=31 edges=120 depth=2"),
        ("equake-smvp.c", "nodes=7 blocks=30"),
    ];
    const OTHERS: &[(&str, &[&str])] = &[
        (
            "spmv-dia.c",
            &["n=31 diagonals=9", "n=3 diagonals=9", "n=40 diagonals=1"],
        ),
        (
            "change-making.c",
            &["most=60 coins=9", "most=1 coins=9", "most=300 coins=2"],
        ),
        (
            "denominations.c",
            &["n=33 most=50", "n=1 most=3", "n=70 most=9"],
        ),
        (
            "hog.c",
            &["R=23 C=31 n=17", "R=16 C=16 n=1", "R=40 C=17 n=90"],
        ),
    ];
    let mut jobs: Vec<(&str, Vec<String>)> = Vec::new();
    for (file, parameters) in WITH_SHAPE {
        let shapes = (0..6).map(|shape| match shape {
            0 => format!("{parameters} shape=0"),
            shape => format!("shape={shape}"),
        });
        jobs.push((file, shapes.collect()));
    }
    for (file, sizes) in OTHERS {
        jobs.push((file, sizes.iter().map(|&size| size.to_owned()).collect()));
    }
    let failures = in_parallel(&jobs, |(file, sizes)| {
        let sizes: Vec<&str> = sizes.iter().map(String::as_str).collect();
        difference(run(&format!("dynamic/{file}"), &sizes, &[]))
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Bounds in local memory, written by one thread and read by all, with barriers between; and
/// atomic updates. Results are compared, too.
#[test]
fn no_data_races() {
    let Some(oclgrind) = Oclgrind::new("races") else {
        return;
    };
    for (file, parameters) in [
        ("dynamic/spmm.c", "n=7 m=5 nnz=30 vectors=9 shape=0"),
        ("dynamic/equake-smvp.c", "nodes=7 blocks=30 shape=0"),
        ("dynamic/histogram.c", "n=9 m=7 bins=3 shape=0"),
    ] {
        let mut command = run(file, &[parameters], &["--block-size", "4,2"]);
        oclgrind.watch(&mut command);
        assert_eq!(difference(command), None);
        assert_eq!(oclgrind.findings(), "", "{file}");
    }
}
