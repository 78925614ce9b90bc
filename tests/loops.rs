//! Orders that are asked for by the names of loops (`--loops`): the three schedules that Zhao's
//! thesis (2018, section 6.3) has for equake, and what is refused. Generated text is compiled, run
//! and compared with the original.

use crate::figures::figure_5_4;
use crate::running::{self, answer, compiled, difference, program};
use std::path::Path;

const EQUAKE: &str = "examples/dynamic/equake-smvp.c";

/// The three parts of the loop over nodes apart.
const BAND_2D: &[&str] = &["--loops", "distribute:i"];
/// The loop over components outside of the `while` loop, for all three parts.
const BAND_2_1D: &[&str] = &["--loops", "interchange:Anext,j", "--loops", "fuse:j"];
/// Both.
const BAND_3D: &[&str] = &["--loops", "interchange:Anext,j", "--loops", "distribute:i"];

/// Uneven rows, empty ones, everything in one row, a static bound that one row reaches, static
/// bounds far above, random rows.
const ROWS: &[&str] = &[
    "nodes=17 blocks=90 shape=0",
    "nodes=17 blocks=17 shape=1",
    "nodes=9 blocks=60 shape=2",
    "nodes=1 blocks=40 shape=3",
    "nodes=12 blocks=500 shape=5",
    "nodes=23 blocks=200 shape=4",
];

/// The generated region of a file.
fn region(file: &str, options: &[&str]) -> String {
    let (out, _) = compiled(file, options);
    let lines = out.lines();
    let lines = lines.skip_while(|line| !line.contains("tilewright: begin"));
    let lines = lines.take_while(|line| !line.contains("tilewright: end"));
    lines.skip(1).collect::<Vec<_>>().join("\n")
}

/// The report of running a program for all of some sizes, which must be accepted.
fn run(file: &str, sizes: &[&str], options: &[&str]) -> serde_json::Value {
    let mut command = running::run(file, sizes);
    command.args(options);
    command.args(["--threads", "2", "--runs", "0", "--json"]);
    command.args(["--cflags", "-O0 -fopenmp"]);
    let (status, out, messages) = running::finished(command);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap_or_default();
    assert_eq!(status, 0, "{options:?}: {out}{messages}");
    report
}

fn with<'a>(options: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [options, more].concat()
}

#[test]
fn equake_in_a_2d_band() {
    let options = with(BAND_2D, &["--reassociate"]);
    insta::assert_snapshot!(region(EQUAKE, &options));
}

#[test]
fn equake_in_a_2_1d_band() {
    insta::assert_snapshot!(region(EQUAKE, BAND_2_1D));
}

#[test]
fn equake_in_a_3d_band() {
    let options = with(BAND_3D, &["--reassociate"]);
    insta::assert_snapshot!(region(EQUAKE, &options));
}

/// Interchange and fusion keep the order of every sum, with the loop over components outermost and
/// parallel too.
#[test]
fn interchanged_loops_of_equake_keep_every_bit() {
    let outermost = with(BAND_2_1D, &["--loops", "interchange:i,j"]);
    assert!(region(EQUAKE, &outermost).contains("#pragma omp parallel for"));
    for options in [BAND_2_1D, &outermost] {
        let mut command = running::run(&EQUAKE["examples/".len()..], ROWS);
        command.args(options);
        assert_eq!(difference(command, &format!("{options:?}")), None);
    }
}

/// Distribution adds to `w` in another order, and to nothing else.
#[test]
fn distributed_loops_of_equake_reorder_one_sum() {
    let apart = [
        "--loops",
        "distribute:j",
        "--loops",
        "distribute:Anext",
        "--loops",
        "distribute:i",
    ];
    for (steps, how) in [
        (BAND_2D, "none"),
        (&apart, "atomic"),
        (BAND_3D, "privatise"),
    ] {
        let options = with(steps, &["--reassociate", "--reductions", how]);
        let report = run(&EQUAKE["examples/".len()..], ROWS, &options);
        assert_eq!(report["accepted"], true, "{options:?}");
        assert_eq!(report["reordered"], serde_json::json!(["w"]), "{options:?}");
    }
}

/// What forbids an order, and what would allow it.
#[test]
fn reordered_sums_need_permission() {
    let messages = |options: &[&str]| {
        let (status, out, messages) = answer(&with(&["compile", EQUAKE], options));
        assert_eq!((status, out.as_str()), (1, ""), "{options:?}: {messages}");
        messages
    };
    insta::assert_snapshot!(messages(BAND_2D));
    let refused = messages(BAND_3D);
    assert!(
        refused.contains("`w`") && refused.contains("--reassociate"),
        "{refused}"
    );
}

/// A plan has the steps, the scalars that are gone and the sums that are reordered; without the
/// last it is refused.
#[test]
fn plans_have_the_steps() {
    let options = with(BAND_3D, &["--reassociate"]);
    let (plan, _) = compiled(EQUAKE, &with(&options, &["--emit", "plan"]));
    assert!(
        plan.contains("loops = [\"interchange:Anext,j\", \"distribute:i\"]"),
        "{plan}"
    );
    assert!(plan.contains("reorder = [\"w\"]"), "{plan}");
    let file = |name: &str, text: &str| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, text).expect("written");
        path.to_str().expect("plain names").to_owned()
    };
    let same = file("band_3d.toml", &plan);
    assert_eq!(region(EQUAKE, &["--plan", &same]), region(EQUAKE, &options));
    let strict = file("strict.toml", &plan.replace("reorder = [\"w\"]\n", ""));
    let (status, _, messages) = answer(&["check", EQUAKE, "--plan", &strict]);
    assert_eq!(status, 1, "{messages}");
    assert!(messages.contains("`reorder = [\"w\"]`"), "{messages}");
    for (name, from, to, expected) in [
        (
            "no_sum",
            "reorder = [\"w\"]",
            "reorder = [\"v\"]",
            "`v` is no array that the region adds to",
        ),
        (
            "no_loop",
            "distribute:i",
            "distribute:x",
            "there is no loop `x`; the loops are i, j, Anext",
        ),
        (
            "no_nest",
            "interchange:Anext,j",
            "interchange:j,i",
            "no loop `j` has a loop `i` directly inside",
        ),
        ("no_step", "distribute:i", "tile:i", "distribute:LOOP"),
        (
            "no_scalar",
            "substitute = [",
            "substitute = [\"sum\", ",
            "it is no scalar",
        ),
    ] {
        assert!(plan.contains(from), "{plan}");
        let path = file(&format!("{name}.toml"), &plan.replace(from, to));
        let (status, _, messages) = answer(&["compile", EQUAKE, "--plan", &path]);
        assert_eq!(status, 1, "{name}: {messages}");
        assert!(messages.contains(expected), "{name}: {messages}");
    }
}

/// Sums of integers are the same in any order, and so need no permission.
#[test]
fn sums_of_integers_need_no_permission() {
    let arguments =
        "int n, int m, int key[restrict n], int count[restrict m], int bound[restrict n]";
    let text = format!(
        "void f_init({arguments}) {{
    for (int i = 0; i < n; i++) {{
        key[i] = i * 7 % m;
        bound[i] = i % 3 ? i % 5 : 0;
    }}
    for (int x = 0; x < m; x++)
        count[x] = x;
}}
void f({arguments}) {{
#pragma scop
    for (int i = 0; i < n; i++) {{
        count[key[i]] += 1;
        for (int j = 0; j < bound[i]; j++)
            count[(key[i] + j) % m] -= j;
        for (int j = 0; j < bound[i]; j++)
            count[j % m] += 2;
    }}
#pragma endscop
}}"
    );
    let file = program("integers", &text);
    let steps = ["--loops", "distribute:i"];
    let report = run(&file, &["n=40 m=9"], &steps);
    assert_eq!(report["identical"], true);
    assert_eq!(report["reordered"], serde_json::json!([]));
}

/// Any nest: the steps of a plan are applied to loops with affine bounds too, and tiled.
#[test]
fn loops_with_known_bounds() {
    let text = "void f(int n, int m, double a[restrict n][m], double x[restrict m],
       double y[restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int j = 0; j < m; j++)
            y[i] += a[i][j] * x[j];
    }
#pragma endscop
}";
    let file = program("matrix_vector", text);
    for tiles in [
        &[][..],
        &["--shape", "parallelogram", "--tile-sizes", "4,8"],
    ] {
        let options = with(&["--loops", "interchange:i,j"], tiles);
        let text = region(&file, &options);
        assert!(
            text.contains("interchange:i,j") || !tiles.is_empty(),
            "{text}"
        );
        let mut command = running::run(&file, &["n=13 m=21"]);
        command.args(&options);
        assert_eq!(difference(command, &format!("{options:?}")), None);
    }
}

/// Figure 5.4 by name: what computes the bound gets a loop of its own in front, and the loop is left
/// behind the longest row.
#[test]
fn a_dynamic_loop_outside_of_what_governs_it() {
    let file = program("by_name_5_4", &figure_5_4(40, 40));
    // A loop that several threads share is not left.
    let steps = ["--loops", "interchange:i,j", "--no-parallel"];
    let text = region(&file, &steps);
    assert!(text.contains("goes_on"), "{text}");
    let mut command = running::run(&file, &["n=13"]);
    command.args(steps);
    assert_eq!(difference(command, "figure 5.4"), None);
}
