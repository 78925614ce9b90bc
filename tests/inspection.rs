//! Bounds that are data and get their static bounds by inspection in front of the region (Zhao,
//! thesis 2018, section 4.2): generated text is compiled, run and compared with the original.

use crate::devices::opencl::has_opencl;
use crate::running::{self, answer, compiled, program};

fn compare(file: &str, sizes: &[&str], options: &[&str]) {
    let mut command = running::run(file, sizes);
    command.args(options);
    assert_eq!(running::difference(command, file), None);
}

/// Interchanged, in tiles of this size; 0: whole.
fn interchanged(size: &'static str) -> [&'static str; 6] {
    [
        "--shape",
        "parallelogram",
        "--fuse",
        "max",
        "--tile-sizes",
        size,
    ]
}

const LARGEST: &str = "reduction(max: tw_j_end_most)";

/// Figure 5.4 with pointers, of which no extents are known; `more` is done in the outer loop.
fn columns(name: &str, more: &str) -> String {
    let arguments =
        "int n, int length[restrict n], double s[restrict 40], double a[restrict 40][n]";
    program(
        name,
        &format!(
            "void f_init({arguments}) {{
    for (int i = 0; i < n; i++) {{
        length[i] = i % 3 == 0 ? 0 : i == 4 ? 40 : i % 7;
        for (int j = 0; j < 40; j++)
            s[j] = a[j][i] = i + 0.25 * j;
    }}
}}
void f({arguments}) {{
    double *restrict sum = s;
    double (*restrict b)[n] = a;
#pragma scop
    for (int i = 0; i < n; i++) {{
        for (int j = 0; j < length[i]; j++)
            sum[j] = sum[j] * 0.5 + b[j][i];
        {more}
    }}
#pragma endscop
}}"
        ),
    )
}

#[test]
fn an_interchange_needs_the_largest_bound() {
    let file = columns("inspection_columns", "");
    for size in ["0", "4"] {
        let options = interchanged(size);
        let (text, _) = compiled(&file, &options);
        assert!(text.contains(LARGEST), "{text}");
        assert!(text.contains("length[c0] > tw_j_end_most"), "{text}");
        // All rows empty, one row, the longest one among others.
        compare(&file, &["n=13", "n=1", "n=4", "n=40"], &options);
    }
    // Without options the loops are as written, and nothing is inspected.
    let (text, _) = compiled(&file, &[]);
    assert!(!text.contains("tw_j_end_most"), "{text}");
}

/// Rows without entries say nothing, wherever they begin: tiles up to there would take minutes.
#[test]
fn rows_without_entries_do_not_count() {
    let arguments = "int n, int first[restrict n], int last[restrict n], double s[restrict 40]";
    let file = program(
        "inspection_far_away",
        &format!(
            "void f_init({arguments}) {{
    for (int i = 0; i < n; i++) {{
        first[i] = i % 5 == 2 ? 2000000000 : i % 3;
        last[i] = i % 5 == 2 ? 2000000000 : i % 5 == 3 ? 0 : i % 40;
    }}
    for (int j = 0; j < 40; j++)
        s[j] = 0.25 * j;
}}
void f({arguments}) {{
    double *restrict sum = s;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = first[i]; j < last[i]; j++)
            sum[j] = sum[j] * 0.5 + i;
#pragma endscop
}}"
        ),
    );
    for size in ["0", "4"] {
        let options = interchanged(size);
        let (text, _) = compiled(&file, &options);
        assert!(text.contains(LARGEST), "{text}");
        compare(&file, &["n=13", "n=1", "n=3", "n=60"], &options);
    }
}

#[test]
fn data_that_the_region_writes_is_not_inspected() {
    let file = columns("inspection_written", "length[i] = 0;");
    let (text, messages) = compiled(&file, &interchanged("0"));
    assert!(!text.contains("tw_j_end_most"), "{text}");
    assert!(
        messages.contains("`j_end` cannot be inspected: the region writes `length`"),
        "{messages}"
    );
    compare(&file, &["n=13"], &interchanged("0"));
}

/// Tiles of a sparse matrix in compressed rows that comes through pointers.
#[test]
fn sparse_rows_are_tiled() {
    let arguments = "int n, int m, int nnz, int shape, int row[restrict n + 1],
        int col[restrict nnz], double val[restrict nnz], double x[restrict m], double y[restrict n]";
    let rows = running::root().join("examples/dynamic/rows.h");
    let rows = std::fs::canonicalize(rows).expect("there");
    let text = format!(
        "#include \"{}\"
void f_init({arguments})
{{
    for (int i = 0; i <= n; i++)
        row[i] = row_begin(i, n, nnz, shape);
    for (int j = 0; j < nnz; j++) {{
        col[j] = spread(j, m);
        val[j] = value(j);
    }}
    for (int k = 0; k < m; k++)
        x[k] = value(k + 7);
    for (int i = 0; i < n; i++)
        y[i] = 0.0;
}}
void f({arguments})
{{
    const int *restrict c = col;
    const double *restrict v = val;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = row[i]; j < row[i + 1]; j++)
            y[i] += v[j] * x[c[j]];
#pragma endscop
}}",
        rows.to_str().expect("plain")
    );
    let file = program("inspection_rows", &text);
    let options = interchanged("8");
    let (text, _) = compiled(&file, &options);
    assert!(text.contains("row[c0 + 1] > tw_j_end_most"), "{text}");
    let sizes = [
        "n=33 m=30 nnz=300 shape=0",
        "n=33 m=30 nnz=300 shape=1",
        "n=33 m=30 nnz=300 shape=2",
        "n=7 m=5 nnz=64 shape=3",
    ];
    compare(&file, &sizes, &options);
}

/// A plan says what is inspected; what cannot be is refused with the reason.
#[test]
fn plans_name_bounds() {
    let file = columns("inspection_plan", "");
    let (plan, _) = compiled(
        &file,
        &[&interchanged("0")[..], &["--emit", "plan"]].concat(),
    );
    assert!(plan.contains("inspect = [\"j_end\"]"), "{plan}");
    let plan_file = format!("{file}.toml");
    std::fs::write(&plan_file, &plan).expect("written");
    let (text, _) = compiled(&file, &["--plan", &plan_file]);
    assert!(text.contains(LARGEST), "{text}");
    for (name, reason) in [
        ("k_end", "`k_end` is no bound that is data"),
        ("sum", "`sum` is no bound that is data"),
    ] {
        std::fs::write(&plan_file, plan.replace("j_end\"]", &format!("{name}\"]")))
            .expect("written");
        let (status, _, messages) = answer(&["compile", &file, "--plan", &plan_file]);
        assert_ne!(status, 0);
        assert!(messages.contains(reason), "{messages}");
    }
}

/// A grid over a loop whose length is data: the host inspects it.
#[test]
fn grids_get_their_size_on_the_host() {
    let text = "void f_init(int n, int m[restrict n], double a[restrict 2 * n])
{
    for (int i = 0; i < n; i++)
        m[i] = i - 2;
    for (int i = 0; i < 2 * n; i++)
        a[i] = i;
}
void f(int n, int m[restrict n], double a[restrict 2 * n])
{
#pragma scop
    for (int j = 0; j < m[n - 1]; j++)
        a[2 * j] = a[2 * j] * 0.5 + 1.0;
#pragma endscop
}";
    let file = program("inspection_grid", text);
    let (text, _) = compiled(&file, &["--target", "opencl"]);
    assert!(
        text.contains("if (m[(long)n - 1] > tw_j_end_most) {"),
        "{text}"
    );
    if !has_opencl() {
        return;
    }
    let arguments = [
        "--target", "opencl", "--param", "n=133", "--runs", "0", "--json",
    ];
    let (status, out, messages) = answer(&[&["run", &file], &arguments[..]].concat());
    let report: serde_json::Value = serde_json::from_str(&out).unwrap_or_default();
    assert_eq!(status, 0, "{out}{messages}");
    assert_eq!(report["identical"], true, "{out}{messages}");
}
