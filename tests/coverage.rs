//! How much of its own text a compile executes: of the examples that compile fast, nearly all.

use crate::running::answer;

/// Lines of the generated text that hold code, and those that were executed.
fn lines(example: &str) -> (u64, u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let result = folder.path().join("result.c");
    let result = result.to_string_lossy();
    let (status, out, messages) = answer(&["compile", example, "-o", &result, "--json"]);
    assert_eq!(status, 0, "{messages}");
    let report: serde_json::Value = serde_json::from_str(&out).expect("a report");
    let certified = &report["regions"][0]["certified"];
    assert_eq!(certified["unknown"], serde_json::Value::Null, "{example}");
    let number = |what: &str| certified[what].as_u64().expect("a number");
    assert!(number("runs") >= 20, "{example}: {certified}");
    (number("lines"), number("reached"))
}

/// Tiles with and without remainders, triangles, wavefronts, sizes of zero, memory that runs out,
/// bounds that are data.
#[test]
fn nearly_all_generated_lines_are_executed() {
    for example in [
        "examples/linear-algebra/gemm.c",
        "examples/linear-algebra/syrk.c",
        "examples/linear-algebra/gemver.c",
        "examples/linear-algebra/symm.c",
        "examples/stencils/heat-2d-9pt.c",
        "examples/stencils/jacobi-1d.c",
        "examples/dynamic/histogram.c",
        "examples/dynamic/spmv-csr.c",
    ] {
        let (lines, reached) = lines(example);
        assert!(
            100 * reached >= 95 * lines,
            "{example}: {reached} of {lines} lines"
        );
    }
}
