//! The models of the regions of all programs here say what an interpreter of C does, access by access.

use std::path::{Path, PathBuf};
use tilewright::validate::seen::Options;
use tilewright_cases::share;
use tilewright_fuzz::seen;

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    found.sort();
    found
}

/// Compares the regions of a folder's programs on so many inputs; how many regions there are.
fn compared(folder: &str, inputs: usize) -> u64 {
    compared_of(folder, inputs, 1, 0)
}

/// The same for one file in `every`, from this one on.
fn compared_of(folder: &str, inputs: usize, every: usize, from: usize) -> u64 {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let options = Options {
        inputs,
        largest: 6,
        ..Options::default()
    };
    let (mut regions, mut wrong) = (0, Vec::new());
    for file in share(sources(&root.join(folder)), every, from) {
        let source = seen::preprocessed(&file).expect("it is preprocessed");
        let seen = seen::compared(&source, &options);
        if let Some(what) = seen.wrong {
            wrong.push(format!("{}: {what}", file.display()));
        }
        regions += seen.regions;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    regions
}

#[test]
fn examples_with_bounds_of_data() {
    assert!(compared("examples/dynamic", 3) >= 12);
}

#[test]
fn linear_algebra() {
    assert!(compared("examples/linear-algebra", 2) >= 20);
}

#[test]
fn multigrid() {
    assert!(compared("examples/multigrid", 1) >= 9);
}

#[test]
fn pipelines() {
    assert!(compared("examples/pipelines", 1) >= 3);
}

#[test]
fn stencils() {
    assert!(compared("examples/stencils", 2) >= 15);
}

#[test]
fn everyday_functions() {
    // The others are built and run by `tests/everyday.rs`.
    assert!(compared_of("tests/everyday", 2, 2, 1) >= 60);
}

#[test]
fn functions_of_the_corpus() {
    let regions = compared_of("tests/corpus", 2, 2, 1);
    assert!(regions >= 25, "{regions} regions");
}

#[test]
fn programs() {
    assert!(compared_of("tests/programs", 2, 2, 1) >= 21);
}

#[test]
fn regressions() {
    assert!(compared("crates/tilewright/tests/regressions", 3) >= 15);
}

#[test]
fn cases_of_the_fuzzer() {
    assert!(compared_of("crates/tilewright-fuzz/tests/cases", 3, 2, 1) >= 11);
}
