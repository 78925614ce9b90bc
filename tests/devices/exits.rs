//! Loops to static bounds that devices leave early: all threads of a block together, or the host
//! (Zhao, thesis 2018, chapter 5). OpenCL runs on the processor, with PoCL; Oclgrind looks for data
//! races; CUDA runs as fibres, which have to meet at the same barriers.

use super::fibres::{has_fibres, on_fibres};
use crate::devices::opencl::{Oclgrind, difference_as_planned, has_opencl, report, run};
use crate::running::{
    self, answer, compiled, directory, finished, in_parallel, nvcc, program, root,
    with_opencl_cache,
};
use std::path::Path;
use std::process::Command;

/// Steps from one question of the host to the next, as the book says it.
const EXIT_PERIOD: u64 = 8;

/// Bounds by `shape`: uneven ones with empty rows, none but empty rows, one that is as long as it
/// may be, all as long as they may be, and random ones far below.
const ROWS: &str = "static int length(int i, int most, int shape)
{
    unsigned mixed = (i + 1) * 2654435761u >> 16;
    switch (shape) {
    case 0: return i % 3 == 0 ? 0 : i * 5 % (most + 1);
    case 1: return 0;
    case 2: return i == 7 ? most : 0;
    case 3: return most;
    default: return mixed % 3 == 0 ? 0 : mixed % 4;
    }
}
static double number(int k) { return k * 31 % 97 / 8.0 - 5.0; }
";

/// What is compiled, with which steps.
struct Case {
    name: &'static str,
    text: String,
    options: &'static [&'static str],
    sizes: &'static [&'static str],
    left_by: LeftBy,
}

/// Who leaves the loop over steps.
struct LeftBy {
    /// As `explain` says it.
    said: &'static str,
    /// What the kernels have of it, in OpenCL C and in CUDA C.
    words: [&'static str; 2],
}

const BY_BLOCKS: LeftBy = LeftBy {
    said: "by all threads of a block together",
    words: ["!= tw_turn)", "__syncthreads_or("],
};

const BY_THE_HOST: LeftBy = LeftBy {
    said: "the host asks every 8 iterations",
    words: ["_flag = 1;", "_flag = 1;"],
};

/// Steps outside of columns, to static bounds that are not inspected.
const STEPS_OUTSIDE: &[&str] = &[
    "--loops",
    "interchange:i,j",
    "--inspect",
    "none",
    "--block-size",
    "4,1",
];

/// The longest row where the static bound is far above the data.
const LONGEST: u64 = 40;

/// Two matrices with room for many more steps than they have.
const FAR: &str = "m=2 n=9 u=20000 shape=0";

/// Several matrices, in each of which a step of a column needs the step before, and that of the
/// column to the left. Steps outside of columns: a block for each matrix, whose threads share the
/// columns and meet after each step.
fn blocks() -> Case {
    let arguments = "int m, int n, int u, int shape, int last[restrict m][n],
        double b[restrict m][u + 1][n]";
    Case {
        name: "exits_blocks",
        text: format!(
            "{ROWS}
void columns_init({arguments}) {{
    for (int k = 0; k < m; k++)
        for (int i = 0; i < n; i++) {{
            last[k][i] = length(k * n + i, u < {LONGEST} ? u : {LONGEST}, shape);
            for (int j = 0; j <= u; j++)
                b[k][j][i] = number(k + 3 * j + 7 * i);
        }}
}}
void columns({arguments}) {{
#pragma scop
    for (int k = 0; k < m; k++)
        for (int i = 1; i < n; i++)
            for (int j = 0; j < last[k][i]; j++)
                b[k][j + 1][i] = b[k][j][i] * 0.5 + b[k][j][i - 1];
#pragma endscop
}}"
        ),
        options: STEPS_OUTSIDE,
        sizes: &[
            "m=3 n=11 u=13 shape=0",
            "m=3 n=11 u=13 shape=1",
            "m=3 n=11 u=13 shape=2",
            "m=3 n=11 u=13 shape=3",
            "m=2 n=3 u=40 shape=4",
            "m=1 n=2 u=1 shape=3",
            "m=2 n=1 u=3 shape=0",
            FAR,
        ],
        left_by: BY_BLOCKS,
    }
}

/// One matrix: steps are a loop around launches.
fn host() -> Case {
    let arguments = "int n, int u, int shape, int last[restrict n], double b[restrict u + 1][n]";
    Case {
        name: "exits_host",
        text: format!(
            "{ROWS}
void column_init({arguments}) {{
    for (int i = 0; i < n; i++) {{
        last[i] = length(i, u, shape);
        for (int j = 0; j <= u; j++)
            b[j][i] = number(3 * j + 7 * i);
    }}
}}
void column({arguments}) {{
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 0; j < last[i]; j++)
            b[j + 1][i] = b[j][i] * 0.5 + b[j][i - 1];
#pragma endscop
}}"
        ),
        options: STEPS_OUTSIDE,
        sizes: &[
            "n=11 u=13 shape=0",
            "n=11 u=13 shape=1",
            "n=11 u=29 shape=2",
            "n=11 u=16 shape=3",
            "n=60 u=33 shape=4",
            "n=2 u=1 shape=3",
            "n=1 u=3 shape=0",
        ],
        left_by: BY_THE_HOST,
    }
}

/// Sums with a static bound of a million steps, which is far above the data.
fn far() -> Case {
    let arguments = "int n, int shape, int last[restrict n], double s[restrict n]";
    let pencil = root().join("examples/dynamic/pencil.h");
    Case {
        name: "exits_far",
        text: format!(
            "#include \"{}\"
{ROWS}
void sums_init({arguments}) {{
    for (int i = 0; i < n; i++) {{
        last[i] = length(i, {LONGEST}, shape);
        s[i] = number(i);
    }}
}}
void sums({arguments}) {{
#pragma scop
    for (int i = 0; i < n; i++) {{
        __pencil_assume(last[i] <= 1000000);
        for (int j = 0; j < last[i]; j++)
            s[i] = s[i] * 0.5 + j;
    }}
#pragma endscop
}}",
            pencil.display()
        ),
        options: STEPS_OUTSIDE,
        sizes: &["n=9 shape=0", "n=9 shape=1", "n=70 shape=4"],
        left_by: BY_THE_HOST,
    }
}

fn cases() -> [Case; 2] {
    [blocks(), host()]
}

/// Who leaves the loop is what the kernels say, in both languages.
#[test]
fn kernels_say_who_leaves() {
    for case in cases() {
        let file = program(case.name, &case.text);
        let (status, out, messages) =
            answer(&[&["explain", &file, "--target", "opencl"], case.options].concat());
        assert_eq!(status, 0, "{messages}");
        assert!(out.contains(case.left_by.said), "{out}");
        for (target, word) in ["opencl", "cuda"].iter().zip(case.left_by.words) {
            let device = ["--emit", "device", "--target", target];
            let (out, messages) = compiled(&file, &[&device, case.options].concat());
            assert!(out.contains(word), "{target}: {out}");
            assert_eq!(messages, "", "{}", case.name);
        }
    }
}

/// On OpenCL's device, the processor.
#[test]
fn all_kinds_of_rows_are_right() {
    if !has_opencl() {
        return;
    }
    let failures = in_parallel(&cases(), |case| {
        let file = program(case.name, &case.text);
        difference_as_planned(run(&file, case.sizes, case.options))
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// All that vote at the same time write the same, and so do all that say to the host that a loop
/// goes on, which Oclgrind accepts; nothing else is written by two threads.
#[test]
fn no_data_races() {
    let Some(oclgrind) = Oclgrind::new("races") else {
        return;
    };
    for case in cases() {
        let file = program(&format!("{}_races", case.name), &case.text);
        let mut command = run(&file, &case.sizes[..1], case.options);
        oclgrind.watch(&mut command);
        assert_eq!(difference_as_planned(command), None);
        assert_eq!(oclgrind.findings(), "", "{}", case.name);
    }
}

/// The host launches up to eight steps behind the period in which the longest row ends, and no
/// more.
#[test]
fn the_host_stops_launching() {
    if !has_opencl() {
        return;
    }
    let case = far();
    let file = program("exits_launches", &case.text);
    let mut command = with_opencl_cache(running::run(&file, &case.sizes[..1]));
    command.args(["--target", "opencl", "--runs", "1", "--json"]);
    command.args(["--cflags", "-O0"]).args(case.options);
    let report = report(command).expect("what a run reports");
    // One launch for the bounds. Of nine rows the last is the longest.
    let steps = EXIT_PERIOD * (LONGEST.div_ceil(EXIT_PERIOD) + 1);
    assert_eq!(report["launches"], 1 + steps, "{report}");
}

/// `tilewright run` for CUDA on the processor: the threads of a block have to meet at the same
/// barriers, in any order between them. `log` gets the barriers of each launch.
fn run_on_fibres(case: &Case, sizes: &[&str], log: &Path) -> Command {
    let file = program(&format!("{}_cuda", case.name), &case.text);
    let mut command = on_fibres(running::run(&file, sizes), "cuda");
    command.args(case.options);
    let _ = std::fs::remove_file(log);
    command.env("FIBRES_LOG", log);
    command
}

/// All kinds of rows; and blocks stop behind their longest row, far from the static bound.
#[test]
fn threads_meet_at_the_same_barriers() {
    if !has_fibres() {
        return;
    }
    let directory = directory("fibres");
    let failures = in_parallel(&cases(), |case| {
        let log = directory.join(case.name);
        difference_as_planned(run_on_fibres(case, case.sizes, &log))
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));

    let blocks = blocks();
    assert_eq!(blocks.sizes.last(), Some(&FAR));
    let log = std::fs::read_to_string(directory.join(blocks.name));
    let log = log.expect("the log of the fibres");
    // A barrier behind the bounds, one behind each step of the longest row, and one behind that in
    // which no row goes on; the second matrix has shorter rows.
    let barriers = (1 + LONGEST + 1) + (1 + (LONGEST - 1) + 1);
    let wanted = format!("2 blocks, {barriers} barriers");
    assert_eq!(log.lines().last(), Some(&*wanted), "{log}");
}

/// A thread that leaves where only its own columns end does not meet the others again.
#[test]
fn a_thread_that_leaves_alone_is_found() {
    if !has_fibres() {
        return;
    }
    let log = directory("fibres").join("alone");
    let case = blocks();
    let mut command = run_on_fibres(&case, &case.sizes[..1], &log);
    let alone = r"s/__syncthreads_or(\(.*\)))/(__syncthreads(), \1))/";
    command.env("FIBRES_CHANGE", alone);
    let (status, _, messages) = finished(command);
    assert_ne!(status, 0);
    let met = "threads of a block are at different barriers";
    assert!(messages.contains(met), "{messages}");
}

/// The same text through the compiler for CUDA, down to instructions.
#[test]
fn cuda_compiles() {
    let Some(nvcc) = nvcc() else { return };
    let failures = in_parallel(&cases(), |case| {
        let file = program(&format!("{}_nvcc", case.name), &case.text);
        let c = directory("nvcc").join(format!("{}.c", case.name));
        let out = c.to_str().expect("plain names");
        compiled(
            &file,
            &[&["--target", "cuda", "--output", out], case.options].concat(),
        );
        let mut command = Command::new(&nvcc);
        command.args(["-cubin", "-fmad=false", "-arch", "sm_90", "-o"]);
        command
            .arg(c.with_extension("cubin"))
            .arg(c.with_extension("cu"));
        let (status, _, messages) = finished(command);
        (status != 0).then_some(messages)
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
