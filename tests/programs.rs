//! Whole programs, `tests/programs/*.c`: compiled with several plans, each prints what it printed
//! before. Every second one gets threads, and a sixth each the planner's choice or one that somebody
//! asks for; each all of them where `TILEWRIGHT_TEST_ALL` is set. Of the others the fuzzer's tests
//! compare the models with what is executed (`lowering`). Beside what the regions compute, they look at what is around
//! them: what is read behind a region, in which round, and through which name.

use crate::running::{answer, directory, root, share};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// A program that does what C does not define ends there; empty arrays are what compilers allow.
const DEFINED: [&str; 3] = [
    "-fsanitize=undefined",
    "-fno-sanitize=vla-bound",
    "-fno-sanitize-recover=all",
];

/// What a program prints, built with these flags.
fn printed(file: &Path, program: &Path, flags: &[&str]) -> Result<Vec<u8>, String> {
    let built = Command::new("cc")
        .args(["-w", "-ffp-contract=off"])
        .args(flags)
        .args(DEFINED)
        .arg("-I")
        .arg(root().join("tests/programs"))
        .arg("-o")
        .args([program, file])
        .arg("-lm")
        .output()
        .expect("cc starts");
    if !built.status.success() {
        return Err(String::from_utf8_lossy(&built.stderr).into_owned());
    }
    let ran = Command::new(program).env("OMP_NUM_THREADS", "3").output();
    let ran = ran.expect("what was built starts");
    if ran.status.success() {
        Ok(ran.stdout)
    } else {
        Err(format!("ends with {}", ran.status))
    }
}

/// What each program prints before anything is done to it, by its name.
fn originals() -> &'static BTreeMap<String, Result<Vec<u8>, String>> {
    static ORIGINALS: OnceLock<BTreeMap<String, Result<Vec<u8>, String>>> = OnceLock::new();
    ORIGINALS.get_or_init(|| {
        let folder = directory("originals");
        let files = std::fs::read_dir(root().join("tests/programs")).expect("a folder");
        let files = files.map(|entry| entry.expect("readable").path());
        let each = files.filter(|file| file.extension().is_some_and(|e| e == "c"));
        let each = each.map(|file| {
            let stem = file.file_stem().expect("a name").to_string_lossy();
            let printed = printed(&file, &folder.join(&*stem), &["-O0"]);
            (stem.into_owned(), printed)
        });
        each.collect()
    })
}

/// Compares programs with their originals: one in `every`, from this one on.
fn compare(name: &str, options: &[&str], every: usize, from: usize) {
    let stems: Vec<&str> = share(originals().keys(), every, from)
        .into_iter()
        .map(String::as_str)
        .collect();
    compare_these(name, options, &stems);
    assert!(stems.len() >= 42 / every, "{} programs", stems.len());
}

fn compare_these(name: &str, options: &[&str], stems: &[&str]) {
    let folder = directory(name);
    let mut differ = Vec::new();
    for &stem in stems {
        let before = &originals()[stem];
        let file = root().join(format!("tests/programs/{stem}.c"));
        let out = folder.join(format!("{stem}.c"));
        let paths = [file.to_str(), out.to_str()].map(|path| path.expect("plain names"));
        let arguments = [&["compile", paths[0], "-o", paths[1]], options].concat();
        let (status, _, messages) = answer(&arguments);
        if status != 0 {
            differ.push(format!("{stem}: {messages}"));
            continue;
        }
        let after = printed(&out, &folder.join(stem), &["-O2", "-fopenmp"]);
        if before.is_err() || *before != after {
            let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
            let (before, after) = (before.clone().map(text), after.map(text));
            differ.push(format!("{stem}: {before:?}\n{after:?}"));
        }
    }
    assert!(differ.is_empty(), "{options:?}: {}", differ.join("\n"));
}

#[test]
fn programs_print_the_same() {
    compare("default", &[], 6, 3);
}

/// What the planner's choice asks for in front of regions is there: pointers that lead nowhere are not
/// followed where the original does not.
#[test]
fn what_is_asked_in_front_is_there() {
    compare_these("front", &[], &["structures_that_are_missing"]);
}

/// However little there is to do.
#[test]
fn programs_print_the_same_on_threads() {
    compare("threads", &["--fork-operations", "0"], 2, 0);
}

/// Threads execute loops of the file, where there is something to do for two.
#[test]
fn programs_print_the_same_in_shares() {
    let options = ["--fork-operations", "1"];
    compare("shares", &options, 6, 4);
    compare_these("shares", &options, &["loops_of_their_own_functions"]);
}

#[test]
fn programs_print_the_same_fused() {
    compare("fused", &["--fuse", "max"], 6, 0);
}

#[test]
fn programs_print_the_same_as_parallelograms() {
    compare("parallelogram", &["--shape", "parallelogram"], 6, 1);
}

#[test]
fn programs_print_the_same_in_small_tiles() {
    compare("small", &["--tile-sizes", "3"], 6, 2);
}
