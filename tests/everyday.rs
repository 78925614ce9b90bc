//! Functions as programmers write them every day, from `tests/everyday` and `tests/corpus`: compiled
//! with several plans, built with gcc and with clang, run, and what they leave behind is what the
//! original does.
//!
//! Every second file gets one of the plans that run what was generated however little there is to do,
//! and two thirds the planner's choice; every file every plan where `TILEWRIGHT_TEST_ALL` is set.
//! Of the others the fuzzer's tests compare the models with what is executed (`lowering`).
//!
//! They have been written without regard to what the front end takes. Nothing of the project's own
//! comparison is used: each file has a main function that prints hashes of its results.

use crate::running::{all, files, finished, in_parallel, printed_by, root, tilewright};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is asked of the compiler.
const PLANS: &[&[&str]] = &[
    // Threads for everything that has work for two.
    &["--fork-operations", "1"],
    &["--fork-operations", "0"],
    &[
        "--fork-operations",
        "0",
        "--fuse",
        "max",
        "--tile-sizes",
        "4",
    ],
    &["--shape", "parallelogram", "--tile-sizes", "3"],
];

/// Those that are left as they were, whole or in part, with the code.
const LEFT: &[(&str, &str)] = &[
    // How far pointers reach is data, which may be what is written.
    ("knapsack", "TW0206"),
    // How far a pointer moves is data, or known from a number that the region changes.
    ("moved_pointers", "TW0210"),
    // A pointer that begins with another row than those that each turn sets it to.
    ("signal_walks", "TW0210"),
    // Iterations that end where the rest is small.
    ("solvers", "TW0201"),
    // Pointers that others may set, and one of the file that moves.
    ("pointers_that_overlap", "TW0210"),
    // Pointers to rows that change places; where data says whether they do.
    ("swapped_buffers", "TW0210"),
    // Members that change places under two names, of a list that is walked, behind three pointers.
    ("swaps_elsewhere", "TW0208"),
    // Loops that go on until nothing changes: what is in them has models.
    ("swaps_until_settled", "TW0201"),
    // A buffer that negative steps would choose otherwise.
    ("chosen_buffers", "TW0207"),
    // All of an array through a pointer to its first row.
    ("pointers_to_rows", "TW0208"),
    // How far rows go on behind their type is not compared.
    ("rows_of_others", "TW0206"),
    // What an index array holds is read under a condition on data only.
    ("looked_up", "TW0206"),
    // What a function of a header names means something else where it is called.
    ("names_of_headers", "TW0205"),
    // An index that is data, from one turn to the next.
    ("declared_above", "TW0206"),
    // Random numbers in subscripts and bounds, and formats that are data.
    ("draws_in_odd_places", "TW0205"),
    // Loops over all elements in one that goes on until they settle.
    ("loops_in_steps", "TW0212"),
    // What a loop left in its variable, as a subscript behind it.
    ("where_loops_ended", "TW0206"),
    // Where values go in an array is data, which may be what is read.
    ("short_lists", "TW0206"),
    // Loops over halves and doubles, whose inner loops are regions.
    ("levels", "TW0212"),
    // Rows that are turned around: how long they are is the difference of two products.
    ("helpers_that_walk", "TW0203"),
    // Loops around each other that are left at once, and pointers that are results.
    ("helpers_that_return_from_loops", "TW0205"),
    // A call through a pointer in the first statement behind a label.
    ("labels_in_front", "TW0208"),
];

/// Builds a file and runs it; what it prints, or what went wrong.
fn printed(cc: &str, source: &Path, flags: &[&str]) -> Result<String, String> {
    let program = source.with_extension(cc);
    let mut build = Command::new(cc);
    build
        .args(["-w", "-ffp-contract=off"])
        .args(flags)
        .arg("-I")
        .arg(root().join("tests/everyday"))
        .arg("-o")
        .args([&program, source])
        .arg("-lm");
    let (status, _, messages) = finished(build);
    if status != 0 {
        return Err(format!("{cc}: {messages}"));
    }
    printed_by(&program)
}

/// What the original prints, built by a compiler: each has an order of arguments of its own.
fn original(cc: &str, source: &Path, scratch: &Path) -> Result<String, String> {
    let name = source.file_stem().expect("a name").to_string_lossy();
    let copy = scratch.join(format!("{name}_original_{cc}.c"));
    std::fs::copy(source, &copy).expect("the scratch folder takes it");
    let printed =
        printed(cc, &copy, &["-O0"]).map_err(|error| format!("{name}, the original: {error}"));
    if let Ok(printed) = &printed {
        assert!(printed.lines().count() >= 2, "{name} prints too little");
    }
    printed
}

/// One function with one plan: what is wrong. `others`: what the original prints, built by a compiler
/// that is not gcc.
fn wrong(
    source: &Path,
    number: usize,
    expected: &str,
    compilers: &[&str],
    others: &OnceCell<Result<String, String>>,
    scratch: &Path,
) -> Option<String> {
    let name = source.file_stem().expect("a name").to_string_lossy();
    let result = scratch.join(format!("{name}_{number}.c"));
    let mut compile = tilewright();
    compile
        .args(["compile", "--output"])
        .args([&result, source])
        .args(PLANS[number]);
    let (status, _, messages) = finished(compile);
    let left = LEFT.iter().find(|(other, _)| *other == name);
    let said = |code| messages.contains(&format!("warning[{code}]"));
    if status != 0 || left.is_some_and(|(_, code)| !said(code)) {
        return Some(format!(
            "{name} {:?}: status {status}: {messages}",
            PLANS[number]
        ));
    }
    compilers.iter().find_map(|cc| {
        let flags: &[&str] = match (*cc, number) {
            // Without optimising, which takes twice as long and hides what is wrong.
            ("gcc", 1) => &[
                "-O0",
                "-fopenmp",
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all",
            ],
            ("gcc", _) => &["-O1", "-fopenmp"],
            // Without OpenMP's runtime, which not every clang has.
            (_, 0 | 1) => &["-O2"],
            _ => return None,
        };
        let expected = match *cc {
            "gcc" => expected,
            _ => match others.get_or_init(|| original(cc, source, scratch)) {
                Ok(printed) => printed,
                Err(error) => return Some(error.clone()),
            },
        };
        match printed(cc, &result, flags) {
            Ok(found) if found == expected => None,
            Ok(found) => Some(format!(
                "{name} {:?}, {cc}:\n{found}in place of\n{expected}",
                PLANS[number]
            )),
            Err(error) => Some(format!("{name} {:?}: {error}", PLANS[number])),
        }
    })
}

#[test]
fn everyday_functions_stay_right() {
    let sources = files("tests/everyday", "c");
    assert!(sources.len() >= 30, "{} functions", sources.len());
    let asked = |number: usize| [1, 2, 1, 3][number / 2 % 4];
    stay_right(&sources, &|number| match (all(), number % 6) {
        (true, _) => vec![0, 1, 2, 3],
        (false, 0) => vec![0, asked(number)],
        (false, 2 | 4) => vec![asked(number)],
        (false, _) => vec![0],
    });
}

#[test]
fn functions_of_the_corpus_stay_right() {
    let sources = files("tests/corpus", "c");
    assert!(sources.len() >= 39, "{} files", sources.len());
    stay_right(&sources, &|number| match (all(), number % 2) {
        (true, _) | (_, 0) => vec![1],
        (false, _) => vec![],
    });
}

/// `plans`: those of a file, by its number.
fn stay_right(sources: &[PathBuf], plans: &(dyn Fn(usize) -> Vec<usize> + Sync)) {
    let clang = Command::new("clang").arg("--version").output().is_ok();
    let compilers: &[&str] = if clang { &["gcc", "clang"] } else { &["gcc"] };
    let scratch = tempfile::tempdir().expect("a folder for scratch files");
    let numbered: Vec<_> = sources.iter().enumerate().collect();
    let found = in_parallel(&numbered, |&(number, source)| {
        let plans = plans(number);
        if plans.is_empty() {
            return None;
        }
        let others = OnceCell::new();
        let (scratch, others) = (scratch.path(), &others);
        let what: Vec<String> = match original("gcc", source, scratch) {
            Ok(expected) => plans
                .into_iter()
                .filter_map(|plan| wrong(source, plan, &expected, compilers, others, scratch))
                .collect(),
            Err(error) => vec![error],
        };
        (!what.is_empty()).then(|| what.join("\n"))
    });
    assert!(
        found.is_empty(),
        "{} of {} files:\n{}",
        found.len(),
        sources.len(),
        found.join("\n")
    );
}
