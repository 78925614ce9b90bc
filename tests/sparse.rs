//! Compressed rows in ELLPACK form: packed in front of the region where the longest row allows
//! that, with every sum in its order. Generated text is compiled, run and compared with the original.

// Each test uses a part of it.
#[allow(dead_code)]
mod running;

use running::{answer, compiled, program};

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
    // On a device the matrix stays as it is.
    let (text, messages) = compiled(file, &[&ELL[..], &["--target", "opencl"]].concat());
    assert!(
        messages.contains("packed matrices are for processors only"),
        "{messages}"
    );
    assert!(!text.contains("tw_val_ell"), "{text}");
}
