//! Compressed rows in ELLPACK form: packed in front of the region where the longest row allows
//! that, with every sum in its order. Generated text is compiled, run and compared with the original.

use crate::devices::opencl::has_opencl;
use crate::running::{self, answer, compiled, program};

fn compare(file: &str, sizes: &[&str], options: &[&str]) {
    let mut command = running::run(file, sizes);
    command.args(["--format", "ell"]).args(options);
    assert_eq!(running::difference(command, file), None);
}

const ELL: [&str; 2] = ["--format", "ell"];

/// Uneven rows, empty ones, all in one row, even ones. The third stays in compressed rows: 40
/// places for each of 7 rows are more than three for each of 40 entries.
#[test]
fn rows_are_packed_and_multiplied() {
    let file = "examples/dynamic/spmv-csr.c";
    let (text, _) = compiled(file, &ELL);
    for part in [
        "if (tw_j_end_rows > 0 && tw_j_end_width <= 3 * (long)(nnz) / tw_j_end_rows) {",
        "double (*restrict tw_val_ell)[tw_j_end_rows]",
        "tw_val_ell[(int)c1 - tw_j_begin_packed][c0] = val[c1];",
        "tw_val_ell[(int)c1 - tw_j_begin][c0] * x[tw_col_ell[(int)c1 - tw_j_begin][c0]]",
        "__builtin_free(tw_col_ell);",
        "tw_sum = tw_sum + val[c1] * x[col[c1]];",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let sizes = [
        "n=33 m=30 nnz=200 shape=0",
        "n=33 m=30 nnz=200 shape=1",
        "n=7 m=5 nnz=40 shape=2",
        "n=40 m=50 nnz=400 shape=3",
    ];
    compare("dynamic/spmv-csr.c", &sizes, &[]);
}

#[test]
fn several_vectors() {
    let sizes = [
        "n=20 m=17 nnz=150 vectors=9 shape=0",
        "n=20 m=17 nnz=150 vectors=5 shape=3",
    ];
    compare("dynamic/spmm.c", &sizes, &[]);
}

/// A graph is packed once for all steps.
#[test]
fn steps_share_what_is_packed() {
    let (text, _) = compiled("examples/dynamic/pagerank.c", &ELL);
    let packed = text.find("] = source[").expect("packed");
    let steps = text.find("c0 < steps").expect("steps");
    assert!(packed < steps, "{text}");
    let sizes = [
        "steps=3 n=30 edges=150 shape=3 damping=0.85",
        "steps=3 n=30 edges=150 shape=0 damping=0.85",
    ];
    compare("dynamic/pagerank.c", &sizes, &[]);
}

/// Whatever is not of the form stays as it is, and is told why.
#[test]
fn other_loops_are_left_alone() {
    for (file, reason) in [
        ("ragged", "is a subscript in it"),
        ("spmv-ell", "from one bound that is data to another"),
        ("histogram", "from one bound that is data to another"),
    ] {
        let (text, messages) = compiled(&format!("examples/dynamic/{file}.c"), &ELL);
        assert!(!text.contains("_ell)[tw_"), "{text}");
        assert!(
            messages.contains("no array is packed in ELLPACK form"),
            "{messages}"
        );
        assert!(messages.contains(reason), "{file}: {messages}");
    }
    let (_, messages) = compiled("examples/linear-algebra/gemm.c", &ELL);
    assert!(
        messages.contains("no loop has bounds that are data"),
        "{messages}"
    );
}

/// Entries that the region changes are not those that would be packed.
#[test]
fn written_entries_are_not_packed() {
    let text = "void f(int n, int nnz, int row[restrict n + 1], int col[restrict nnz],
       double val[restrict nnz], double x[restrict n], double y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = row[i]; j < row[i + 1]; j++) {
            y[i] += val[j] * x[col[j]];
            val[j] = 0.5 * val[j];
        }
#pragma endscop
}";
    let (text, _) = compiled(&program("sparse_written", text), &ELL);
    assert!(text.contains("tw_col_ell"), "{text}");
    assert!(!text.contains("tw_val_ell"), "{text}");
}

#[test]
fn plans_say_the_format() {
    let file = "examples/dynamic/spmv-csr.c";
    let (plan, _) = compiled(file, &[&ELL[..], &["--emit", "plan"]].concat());
    assert!(plan.contains("format = \"ell:j_end\""), "{plan}");
    let replay = program("sparse_plan", "");
    std::fs::write(&replay, &plan).expect("written");
    let (text, _) = compiled(file, &["--plan", &replay]);
    assert!(text.contains("tw_val_ell"), "{text}");
    for (wrong, reason) in [
        ("ell:k_end", "`k_end` is no bound that is data"),
        ("dia:j_end", "`dia:j_end` is no form of a matrix"),
    ] {
        std::fs::write(&replay, plan.replace("ell:j_end", wrong)).expect("written");
        let (status, _, messages) = answer(&["compile", file, "--plan", &replay]);
        assert_ne!(status, 0);
        assert!(messages.contains(reason), "{messages}");
    }
    // On a device, too: both forms are there, and only the device has packed arrays.
    std::fs::write(&replay, &plan).expect("written");
    let (text, _) = compiled(file, &["--plan", &replay, "--target", "opencl"]);
    for part in [
        "if (tw_j_end_rows > 0 && tw_j_end_width <= 3 * (long)(nnz) / tw_j_end_rows) {",
        "tw_spmv_csr_0_ell(",
        "tw_spmv_csr_0(",
        "cl_mem tw_val_ell",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("load(tw_val_ell"), "{text}");
    assert!(!text.contains("__builtin_malloc"), "{text}");
}

/// On a device: uneven rows, all empty ones, one that has everything (packed with two rows, in
/// compressed rows with seven), even ones, for which the static bound is exact, and random ones,
/// the last of them far below it.
#[test]
fn rows_are_packed_on_devices() {
    if !has_opencl() {
        return;
    }
    let programs: [(&str, &[&str]); 3] = [
        (
            "dynamic/spmv-csr.c",
            &[
                "n=33 m=30 nnz=200 shape=0",
                "n=33 m=30 nnz=200 shape=1",
                "n=2 m=50 nnz=40 shape=2",
                "n=7 m=5 nnz=40 shape=2",
                "n=40 m=50 nnz=400 shape=3",
                "n=150 m=50 nnz=900 shape=4",
                "n=50 m=50 nnz=900 shape=5",
                "n=1 m=1 nnz=1 shape=3",
            ],
        ),
        (
            "dynamic/spmm.c",
            &[
                "n=20 m=17 nnz=150 vectors=9 shape=0",
                "n=20 m=17 nnz=150 vectors=5 shape=3",
            ],
        ),
        (
            "dynamic/pagerank.c",
            &[
                "steps=3 n=30 edges=150 shape=3 damping=0.85",
                "steps=3 n=30 edges=150 shape=0 damping=0.85",
                "steps=0 n=30 edges=150 shape=0 damping=0.85",
            ],
        ),
    ];
    let failures = running::in_parallel(&programs, |(file, sizes)| {
        let mut command = running::with_opencl_cache(running::run(file, sizes));
        command.args(["--format", "ell", "--target", "opencl"]);
        command.args(["--cflags", "-O0 -fopenmp"]);
        running::difference_as_built(command, file)
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// A replay executes the packing, too: each product has its matrix from the device's own copy.
#[test]
fn packed_matrices_are_replayed() {
    let file = "examples/dynamic/spmv-csr.c";
    let values = "n=9,m=7,nnz=40,tw_j_end_width=5,tw_j_end_rows=9";
    let options = [&ELL[..], &["--target", "opencl", "--replay"]].concat();
    let (_, messages) = compiled(file, &[&options[..], &[values]].concat());
    assert_eq!(messages, "");
    let without = values.split_once(",tw").expect("values of both").0;
    let (status, _, messages) = answer(&[&["compile", file], &options[..], &[without]].concat());
    assert_ne!(status, 0);
    assert!(
        messages.contains("`tw_j_end_width` has no value"),
        "{messages}"
    );
}
