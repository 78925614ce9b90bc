//! Loops whose bounds are data: what the figures of the thesis become (Zhao 2018, chapter 5), and
//! every kind of row for every example. Generated text is compiled, run and compared with the
//! original.

use crate::figures::{figure_3_1, figure_5_1, figure_5_4};
use crate::running::{self, answer, finished, in_parallel, program, root};

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
    let (status, out, messages) = answer(&arguments);
    assert_eq!(status, 0, "{messages}");
    assert_eq!(difference(&file, parameters, options), None);
    let lines = out.lines();
    let lines = lines.skip_while(|line| !line.contains("tilewright: begin"));
    let lines = lines.take_while(|line| !line.contains("tilewright: end"));
    let lines: Vec<&str> = lines.skip(1).collect();
    format!("{text}\n{}\n{}\n", options.join(" "), lines.join("\n"))
}

/// The outer loop is parallel, and the bounds are the loops' own: no condition is left.
#[test]
fn figure_3_1_has_its_bounds_back() {
    let options = ["--shape", "none"];
    insta::assert_snapshot!(region("figure_3_1", &figure_3_1(), "", &options));
}

/// Tiles of the two inner loops: the last tile is the last that the data reaches, and points end
/// with the tile or with the data.
#[test]
fn figure_5_2_tiles_end_with_the_data() {
    let options = ["--shape", "parallelogram", "--tile-sizes", "4,8"];
    insta::assert_snapshot!(region("figure_5_2", &figure_3_1(), "", &options));
}

/// The schedule tree of a program: a line per node, deeper ones further right, with what bands and
/// filters are about but for domains.
fn tree(name: &str, text: &str, options: &[&str]) -> String {
    let file = program(name, text);
    let arguments = [&["compile", &file, "--emit", "schedule"], options].concat();
    let (status, out, messages) = answer(&arguments);
    assert_eq!(status, 0, "{messages}");
    let mut lines = Vec::new();
    let (mut depth, mut key) = (0, String::new());
    // Texts in quotes are every other one.
    for (number, part) in out.split('"').enumerate() {
        if number % 2 == 0 {
            depth += part.matches(['{', '[']).count();
            depth -= part.matches(['}', ']']).count();
            let word = part.trim_end_matches([':', ' ']);
            key = word.rsplit([' ', '{']).next().unwrap_or(word).to_owned();
            continue;
        }
        let known = part.rsplit("-> {").next().unwrap_or(part);
        let known = known.rsplit("-> [{").next().unwrap_or(known);
        let known = known.replace("}, {", ";");
        let mut pieces: Vec<&str> = known
            .split(';')
            .map(|piece| piece.split(" : ").next().unwrap_or(piece))
            .map(|piece| piece.trim_matches([' ', '{', '}']))
            .map(|piece| piece.trim_start_matches("[{ "))
            .collect();
        pieces.sort_unstable();
        if key != "domain" {
            lines.push(format!("{}{key} {}", " ".repeat(depth), pieces.join("; ")));
        }
    }
    lines.join("\n")
}

/// The tree of figure 5.2: a band over rows, the definitions in front of a band of tiles and one
/// of points.
#[test]
fn figure_5_3_is_the_tree_of_figure_5_2() {
    let options = ["--shape", "parallelogram", "--tile-sizes", "4,8"];
    insta::assert_snapshot!(tree("figure_5_3", &figure_3_1(), &options));
}

/// Two dynamic loops in one: the loop runs to the larger bound, and each statement tests its own.
#[test]
fn figure_5_1_fused_loops_run_to_the_larger_bound() {
    let options = [
        "--shape",
        "parallelogram",
        "--fuse",
        "max",
        "--tile-sizes",
        "0",
        "--no-simd",
        // A few iterations only.
        "--fork-operations",
        "0",
    ];
    let text = region("figure_5_1", &figure_5_1(), "n=13", &options);
    insta::assert_snapshot!(text);
}

/// The loop whose bound is data outside of the loop that computes it: the static bound is the
/// array's extent, the test stays, and the loop ends behind the longest row.
#[test]
fn figure_5_4_interchanged_loops_keep_the_test() {
    let text = region("figure_5_4", &figure_5_4(40, 40), "n=13", INTERCHANGE);
    insta::assert_snapshot!(text);
}

/// The longest row has 40 of a million iterations: 41 are made, one of them in vain.
#[test]
fn static_bounds_far_above_the_data_cost_one_iteration() {
    let longest = 1_000_000;
    let text = figure_5_4(longest, 40);
    let file = program("far_above", &text);
    let (status, out, messages) = answer(&[&["compile", &file], INTERCHANGE].concat());
    assert_eq!(status, 0, "{messages}");
    let begins = "int c0_goes_on = 0;";
    assert_eq!(out.matches(begins).count(), 1, "{out}");
    let counted = format!(
        "int printf(const char *, ...);
static long iterations;
static int length[3];
static double s[{longest}], a[{longest}][3];
{}
int main(void)
{{
    figure_init(3, length, s, a);
    length[1] = 40;
    figure(3, length, s, a);
    return printf(\"%ld\", iterations) < 0;
}}
",
        out.replace(begins, &format!("{begins}\niterations++;"))
    );
    let source = program("far_above_counted", &counted);
    let built = format!("{source}.out");
    let mut compiler = std::process::Command::new("cc");
    compiler.args(["-O1", "-fopenmp", &source, "-o", &built]);
    let (status, _, messages) = finished(compiler);
    assert_eq!(status, 0, "{messages}");
    let (status, printed, _) = finished(std::process::Command::new(&built));
    assert_eq!((status, printed.as_str()), (0, "41"));
}

/// The order of figure 5.4.
const INTERCHANGE: &[&str] = &[
    "--shape",
    "parallelogram",
    "--fuse",
    "max",
    "--tile-sizes",
    "0",
];

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
    let numbered: Vec<_> = EXAMPLES.iter().enumerate().collect();
    let failures = in_parallel(&numbered, |(number, (file, parameters))| {
        let shapes = if *number < 2 { &[1, 3][..] } else { &[1] };
        let mut found = shapes.iter().filter_map(|shape| {
            let parameters = format!("{parameters} shape={shape}");
            difference(&format!("dynamic/{file}"), &parameters, &[])
        });
        found.next()
    });
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

/// Rows of any length are distributed in portions, unless each thread is to have as many as others.
#[test]
fn portions_of_rows() {
    let file = "examples/dynamic/spmv-csr.c";
    let printed = &["--shape", "none"];
    for (options, shared, expected) in [
        (
            &[][..],
            "tw_part < 64",
            "schedule(dynamic, n < 64 ? 1 : n / 64)",
        ),
        (
            &["--portions", "8"],
            "tw_part < 8",
            "schedule(dynamic, n < 8 ? 1 : n / 8)",
        ),
        (
            &["--portions", "1"],
            "tw_part < tw_threads",
            "schedule(static)",
        ),
    ] {
        let (status, out, messages) = answer(&[&["compile", file][..], options].concat());
        assert_eq!(status, 0, "{messages}");
        assert!(out.contains(shared), "{options:?}: {out}");
        let (_, out, _) = answer(&[&["compile", file][..], options, printed].concat());
        assert!(out.contains(expected), "{options:?}: {out}");
        let found = difference("dynamic/spmv-csr.c", "n=150 m=40 nnz=700 shape=2", options);
        assert_eq!(found, None);
    }
    // Loops with nothing but affine bounds inside stay as they are.
    let file = "examples/linear-algebra/trmm.c";
    let (_, out, _) = answer(&["compile", file, "--shape", "none"]);
    assert!(out.contains("schedule(static)") && !out.contains("schedule(dynamic"));
}

/// Loops inside a sequential one are short where they themselves are dynamic, not where a dynamic
/// loop is inside of them.
#[test]
fn loops_around_dynamic_loops_are_parallel() {
    let (status, out, messages) = answer(&["compile", "examples/dynamic/pagerank.c"]);
    assert_eq!(status, 0, "{messages}");
    assert_eq!(
        out.matches("#pragma omp parallel for").count(),
        2,
        "parts and ranks: {out}"
    );
}

/// `explain` says of loops in place of data who leaves them, or why nobody does.
#[test]
fn explain_says_what_became_of_loops_in_place_of_data() {
    let options = [
        "--shape",
        "parallelogram",
        "--fuse",
        "max",
        "--tile-sizes",
        "0",
    ];
    let later =
        "void later(int n, int last[restrict n], double s[restrict n], double a[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = i; j < last[i]; j++)
            s[j] = s[j] * 0.5 + a[j][i];
#pragma endscop
}";
    for (name, text, said) in [
        (
            "explained_left",
            figure_5_4(40, 40),
            "Loop `j` is left behind the last iteration that does something.",
        ),
        (
            "explained_kept",
            later.to_owned(),
            "Loop `j` runs over all that its static bound allows, and tests the data: its later \
             iterations look at rows that earlier ones do not look at",
        ),
    ] {
        let file = program(name, &text);
        let (status, out, messages) = answer(&[&["explain", &file], &options[..]].concat());
        assert_eq!(status, 0, "{messages}");
        assert!(out.contains(said), "{out}");
    }
}

/// What is behind equake's `while` loop is in a loop of its own or behind the loop over the blocks of
/// a node, in the scheduler's orders: none of them runs over all blocks for each node.
#[test]
fn scheduled_loops_over_blocks_end_with_the_node() {
    let file = "examples/dynamic/equake-smvp.c";
    for fuse in ["smart", "max"] {
        let order = ["--shape", "parallelogram", "--fuse", fuse];
        let order = [&order[..], &["--tile-sizes", "0"]].concat();
        let (status, out, messages) = answer(&[&["compile", file][..], &order].concat());
        assert_eq!((status, &messages[..]), (0, ""), "{fuse}");
        assert!(out.contains("affine schedule, not tiled"), "{fuse}: {out}");
        let bound = "const long c1_last = tw_Anext_end[c0] - 1;";
        assert!(out.contains(bound), "{fuse}: {out}");
        let mut command = running::run("dynamic/equake-smvp.c", &["nodes=17 blocks=90 shape=0"]);
        command.args(&order);
        command.args(["--threads", "2", "--runs", "0", "--cflags", "-O1 -fopenmp"]);
        let (status, _, messages) = finished(command);
        assert_eq!(status, 0, "{fuse}: {messages}");
    }
}

/// What each node needs for itself is no reason for an order, and sums may be reordered: equake's
/// loop over nodes is parallel.
#[test]
fn sums_of_symmetric_products_run_in_parallel() {
    let file = "examples/dynamic/equake-smvp.c";
    for how in ["atomic", "privatise"] {
        let options = ["--reassociate", "--reductions", how];
        let (status, out, messages) = answer(&[&["compile", file][..], &options].concat());
        assert_eq!(status, 0, "{messages}");
        assert!(out.contains("#pragma omp parallel for"), "{how}: {out}");
        let mut command = running::run("dynamic/equake-smvp.c", &["nodes=17 blocks=90 shape=0"]);
        command.args(options);
        command.args(["--threads", "2", "--runs", "0", "--cflags", "-O1 -fopenmp"]);
        let (status, _, messages) = finished(command);
        assert_eq!(status, 0, "{how}: {messages}");
    }
}
