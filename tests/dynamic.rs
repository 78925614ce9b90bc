//! Loops whose bounds are data: what the figures of the thesis become (Zhao 2018, chapter 5), and
//! every kind of row for every example. Generated text is compiled, run and compared with the
//! original.

// Each test uses a part of it.
#[allow(dead_code)]
mod running;

use running::{finished, program, root};

/// Exit status, output and messages.
fn tilewright(arguments: &[&str]) -> (i32, String, String) {
    let mut command = running::tilewright();
    command.args(arguments);
    finished(command)
}

/// What is wrong with running a program.
fn difference(file: &str, parameters: &str, options: &[&str]) -> Option<String> {
    let mut command = running::run(file, &[parameters]);
    command.args(options);
    running::difference(command, &format!("{file} {parameters} {options:?}"))
}

/// The generated region of a program, which also runs right.
fn region(name: &str, text: &str, parameters: &str, options: &[&str]) -> String {
    let file = program(name, text);
    let mut arguments = vec!["compile", &file];
    arguments.extend(options);
    let (status, out, messages) = tilewright(&arguments);
    assert_eq!(status, 0, "{messages}");
    assert_eq!(difference(&file, parameters, options), None);
    let lines = out.lines();
    let lines = lines.skip_while(|line| !line.contains("tilewright: begin"));
    let lines = lines.take_while(|line| !line.contains("tilewright: end"));
    let lines: Vec<&str> = lines.skip(1).collect();
    format!("{text}\n{}\n{}\n", options.join(" "), lines.join("\n"))
}

/// Figure 3.1: both bounds are computed in the outermost loop.
const FIGURE_3_1: &str = "static int f(int i) { return i * 7 % 11; }
static int g(int i) { return i * 5 % 9; }
void figure(double a[restrict 100][11][9]) {
#pragma scop
    for (int i = 0; i < 100; i++) {
        int m = f(i);
        int n = g(i);
        for (int j = 0; j < m; j++)
            for (int k = 0; k < n; k++)
                a[i][j][k] = a[i][j][k] * 2.0 + 1.0;
    }
#pragma endscop
}";

/// The outer loop is parallel, and the bounds are the loops' own: no condition is left.
#[test]
fn figure_3_1_has_its_bounds_back() {
    insta::assert_snapshot!(region("figure_3_1", FIGURE_3_1, "", &[]));
}

/// Tiles of the two inner loops: the last tile is the last that the data reaches, and points end
/// with the tile or with the data.
#[test]
fn figure_5_2_tiles_end_with_the_data() {
    let options = ["--shape", "parallelogram", "--tile-sizes", "4,8"];
    insta::assert_snapshot!(region("figure_5_2", FIGURE_3_1, "", &options));
}

/// Lengths of rows, some of them zero, one of them all of it.
const LENGTHS: &str = "    for (int i = 0; i < n; i++) {
        a_length[i] = i % 3 == 0 ? 0 : i == 4 ? 40 : i % 7;
        b_length[i] = i % 4 == 0 ? 0 : i == 5 ? 40 : i % 5;
        for (int j = 0; j < 40; j++) {
            a[i][j] = i + 0.25 * j;
            b[i][j] = i - 0.5 * j;
        }
    }";

/// Two dynamic loops in one: the loop runs to the larger bound, and each statement tests its own.
#[test]
fn figure_5_1_fused_loops_run_to_the_larger_bound() {
    let arguments = "int n, int a_length[restrict n], int b_length[restrict n],
            double a[restrict n][40], double b[restrict n][40]";
    let text = format!(
        "void figure_init({arguments}) {{\n{LENGTHS}\n}}
void figure({arguments}) {{
#pragma scop
    for (int i = 0; i < n; i++) {{
        for (int j = 0; j < a_length[i]; j++)
            a[i][j] = a[i][j] * 2.0 + 1.0;
        for (int j = 0; j < b_length[i]; j++)
            b[i][j] = b[i][j] + a[i][j];
    }}
#pragma endscop
}}"
    );
    let options = [
        "--shape",
        "parallelogram",
        "--fuse",
        "max",
        "--tile-sizes",
        "0",
        "--no-simd",
    ];
    let text = region("figure_5_1", &text, "n=13", &options);
    insta::assert_snapshot!(text);
}

/// The loop whose bound is data outside of the loop that computes it: the static bound is the
/// array's extent, and the test stays.
#[test]
fn figure_5_4_interchanged_loops_keep_the_test() {
    let arguments =
        "int n, int length[restrict n], double s[restrict 40], double a[restrict 40][n]";
    let text = format!(
        "void figure_init({arguments}) {{
    for (int i = 0; i < n; i++) {{
        length[i] = i % 3 == 0 ? 0 : i == 4 ? 40 : i % 7;
        for (int j = 0; j < 40; j++)
            s[j] = a[j][i] = i + 0.25 * j;
    }}
}}
void figure({arguments}) {{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < length[i]; j++)
            s[j] = s[j] * 0.5 + a[j][i];
#pragma endscop
}}"
    );
    let options = [
        "--shape",
        "parallelogram",
        "--fuse",
        "max",
        "--tile-sizes",
        "0",
    ];
    insta::assert_snapshot!(region("figure_5_4", &text, "n=13", &options));
}

/// Without an array's extent or an assumption the static bound is the type's: the interchange
/// would run over milliards of empty iterations, and is not made without inspection.
#[test]
fn a_type_s_bound_is_no_loop() {
    let text = "void f(int n, int *restrict length, double *restrict s) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < length[i]; j++)
            s[j] = s[j] * 0.5 + i;
#pragma endscop
}";
    let file = program("type_bound", text);
    let order = [
        "--shape",
        "parallelogram",
        "--fuse",
        "max",
        "--tile-sizes",
        "0",
    ];
    let mut arguments = vec!["compile", &file, "--inspect", "none"];
    arguments.extend(order);
    let (status, out, messages) = tilewright(&arguments);
    assert_eq!(status, 0, "{messages}");
    assert!(messages.contains("no static bound is known"), "{messages}");
    assert!(out.contains("loops as written"), "{out}");
    assert!(!out.contains("21474836"), "{out}");
}

/// Examples with the kinds of rows (`examples/dynamic/rows.h`) that `tests/examples.rs` leaves out:
/// none but empty ones, and even ones, where static bounds are exact.
#[test]
fn examples_with_other_rows() {
    const EXAMPLES: &[(&str, &str)] = &[
        ("spmv-csr.c", "n=19 m=23 nnz=120"),
        ("spmv-bcsr.c", "n=11 m=13 blocks=40"),
        ("spmv-ell.c", "n=19 m=23 width=9"),
        ("spmm.c", "n=13 m=17 nnz=90 vectors=5"),
        ("pagerank.c", "steps=3 n=19 edges=120"),
        ("bucket-gather.c", "n=60 buckets=9"),
        ("ragged.c", "n=19 all=120"),
        ("histogram.c", "n=13 m=17 bins=7"),
        ("bfs-step.c", "n=31 edges=120 depth=2"),
        ("equake-smvp.c", "nodes=17 blocks=90"),
    ];
    let failures = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for worker in 0..2 {
            let failures = &failures;
            scope.spawn(move || {
                for (number, (file, parameters)) in EXAMPLES.iter().enumerate() {
                    if number % 2 != worker {
                        continue;
                    }
                    let shapes = if number < 2 { &[1, 3][..] } else { &[1] };
                    for shape in shapes {
                        let parameters = format!("{parameters} shape={shape}");
                        let file = format!("dynamic/{file}");
                        let found = difference(&file, &parameters, &[]);
                        failures.lock().expect("no worker panics").extend(found);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no worker panics");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// What is assumed bounds a loop: with it the interchange of [`a_type_s_bound_is_no_loop`] is made
/// and runs to what is assumed, and the program with the assumption is C for any compiler.
#[test]
fn assumptions_are_static_bounds() {
    let header = root().join("examples/dynamic/pencil.h");
    let arguments = "int n, int length[restrict n], double s[restrict n]";
    let text = format!(
        "#include \"{}\"
void f_init({arguments}) {{
    for (int i = 0; i < n; i++) {{
        length[i] = i * 5 % 9;
        s[i] = i;
    }}
}}
void f({arguments}) {{
#pragma scop
    __pencil_assume(n >= 8);
    for (int i = 0; i < n; i++) {{
        __pencil_assume(length[i] <= 8);
        for (int j = 0; j < length[i]; j++)
            s[j] = s[j] * 0.5 + i;
    }}
    __pencil_kill(length);
#pragma endscop
}}",
        header.display()
    );
    let options = [
        "--shape",
        "parallelogram",
        "--fuse",
        "max",
        "--tile-sizes",
        "0",
    ];
    let region = region("assumed", &text, "n=29", &options);
    let (_, generated) = region.split_once("--shape").expect("options");
    assert!(!generated.contains("pencil"), "{generated}");
    // The loop over what is assumed is the outer one.
    let outer = generated.find("<= 7; c0++)").expect("the assumed bound");
    assert!(
        generated
            .find("< tw_j_end[c1]")
            .is_some_and(|at| at > outer),
        "{generated}"
    );
}

/// Rows of any length are dealt out in portions, unless each thread is to have as many as others.
#[test]
fn portions_of_rows() {
    let file = "examples/dynamic/spmv-csr.c";
    for (options, expected) in [
        (&[][..], "schedule(dynamic, n < 64 ? 1 : n / 64)"),
        (&["--portions", "8"], "schedule(dynamic, n < 8 ? 1 : n / 8)"),
        (&["--portions", "1"], "schedule(static)"),
    ] {
        let (status, out, messages) = tilewright(&[&["compile", file][..], options].concat());
        assert_eq!(status, 0, "{messages}");
        assert!(out.contains(expected), "{options:?}: {out}");
        let found = difference("dynamic/spmv-csr.c", "n=150 m=40 nnz=700 shape=2", options);
        assert_eq!(found, None);
    }
    // Loops with nothing but affine bounds inside stay as they are.
    let file = "examples/linear-algebra/trmm.c";
    let (_, out, _) = tilewright(&["compile", file, "--shape", "none"]);
    assert!(out.contains("schedule(static)") && !out.contains("schedule(dynamic"));
}
