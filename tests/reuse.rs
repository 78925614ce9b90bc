//! What `tilewright reuse` says to input that it cannot use: what, why, and what would do.

use std::path::Path;
use std::process::Command;

const LINE: &str = "
void line(int M, int N, double A[restrict N], double B[restrict N])
{
#pragma scop
    for (int t = 0; t < M; t++) {
        for (int i = 1; i < N - 1; i++)
            B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
        for (int i = 1; i < N - 1; i++)
            A[i] = B[i];
    }
#pragma endscop
}
";

/// Runs the command on a program: exit status, and what it prints.
fn reuse(name: &str, text: &str, arguments: &[&str]) -> (i32, String, String) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("reuse_{name}.c"));
    std::fs::write(&file, text).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_tilewright"))
        .arg("reuse")
        .arg(&file)
        .args(arguments)
        .output()
        .expect("tilewright starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let status = output.status.code().unwrap_or(-1);
    (status, text(&output.stdout), text(&output.stderr))
}

#[test]
fn what_cannot_be_used_is_refused_with_what_would_do() {
    for (arguments, status, parts) in [
        (
            "--mapping|{ S0[t, i] -> [t, i] }",
            1,
            &["leaves S1 out", "S1[…] -> […]"][..],
        ),
        (
            "--mapping|{ S0[t, i] -> [t, i, 0]; S1[t, i] -> [t, i, 1] }",
            1,
            &["wrong order", "without a mapping"],
        ),
        ("--band|5,2", 1, &["has 3 dimensions"]),
        ("--strip|3", 1, &["1 to 2 dimensions"]),
        (
            "--tile-sizes|4",
            1,
            &["there are 1 tile sizes", "give s1,s2"],
        ),
        (
            "--minimise|traffic|--local-memory|1|-p|M=10|-p|N=10",
            1,
            &["at most 1 bytes", "tiles of one point need"],
        ),
        ("--local-memory|1", 2, &["--minimise"]),
        (
            "-p|n=10",
            2,
            &["no loop depends on a parameter `n`", "M, N"],
        ),
        ("--pragmas", 2, &["--target hls"]),
        (
            "--minimise|traffic|--local-memory|1K|-p|M=1000000000|-p|N=9000000000",
            1,
            &["64 bits", "smaller values"],
        ),
    ] {
        let each: Vec<&str> = arguments.split('|').collect();
        let (code, _, errors) = reuse("refused", LINE, &each);
        assert_eq!(code, status, "{arguments}: {errors}");
        for part in parts {
            assert!(errors.contains(part), "{arguments}: {errors}");
        }
        if status == 1 {
            assert!(errors.contains(".c:5:1"), "{arguments}: {errors}");
        }
    }
}

/// Values for which nothing is counted, since that takes too long, or no number says how much is
/// moved; formulas are there.
#[test]
fn large_values_leave_formulas() {
    for values in [
        ["M=9223372036854775807", "N=9223372036854775807"],
        ["M=100000000", "N=8"],
    ] {
        let arguments = ["--tile-sizes", "8,8", "-p", values[0], "-p", values[1]];
        let (status, printed, errors) = reuse("large", LINE, &arguments);
        assert_eq!(status, 0, "{errors}");
        assert!(printed.contains("where all strips are full"), "{printed}");
        assert!(!printed.contains("counted:"), "{printed}");
    }
}

#[test]
fn files_without_tiles_are_refused_and_two_regions_are_both_reported() {
    let (status, _, errors) = reuse("none", "void f(int n) { (void)n; }", &[]);
    assert_eq!(status, 1);
    assert!(errors.contains("#pragma scop"), "{errors}");
    let region = |body: &str| format!("#pragma scop\n{body}\n#pragma endscop\n");
    let function = |body: &str| {
        format!("void f(int n, double A[restrict n], double B[restrict n])\n{{\n{body}}}\n")
    };
    let (status, _, errors) = reuse("point", &function(&region("A[0] = 1;")), &[]);
    assert_eq!(status, 1);
    assert!(
        errors.contains("no dimension of the mapping can be tiled"),
        "{errors}"
    );
    let first = region("for (int i = 0; i < n; i++) A[i] = 0;");
    let second = region("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) B[i] += A[j];");
    let (status, printed, errors) = reuse("two", &function(&(first + &second)), &[]);
    assert_eq!(status, 0, "{errors}");
    assert!(
        printed.contains("Region 0") && printed.contains("Region 1"),
        "{printed}"
    );
}
