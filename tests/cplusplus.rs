//! Functions in C++ from `tests/cplusplus`: compiled with several plans, built with g++ and with
//! clang++, run, and what they print is what the original prints; each time each file is built as two
//! plans have it, as all where `TILEWRIGHT_TEST_ALL` is set. And what a region of C++ cannot hold:
//! each such file of `tests/cplusplus/left` says in its first line what is to be heard of it, and stays
//! as it was, to the byte.

use crate::running::{all, files, finished, in_parallel, printed_by, root, tilewright};
use std::path::Path;
use std::process::Command;

/// What is asked of the compiler.
const PLANS: [&[&str]; 4] = [
    &[],
    &["--fork-operations", "0"],
    &["--fuse", "max", "--tile-sizes", "4"],
    &[
        "--shape",
        "parallelogram",
        "--tile-sizes",
        "3",
        "--certify",
        "never",
    ],
];

/// Warnings that are expected, by the names of files.
const WARNED: [(&str, &str); 2] = [
    // How far pointers reach is not known: subscripts are data.
    ("blur", "TW0206"),
    // Rows whose lengths are data have no parallelograms.
    ("domains", "TW0301"),
];

/// Builds a file and runs it; what it prints, or what went wrong.
fn printed(compiler: &str, source: &Path, flags: &[&str]) -> Result<String, String> {
    let program = source.with_extension(compiler);
    let mut build = Command::new(compiler);
    build
        .args(["-std=c++17", "-ffp-contract=off"])
        .args(flags)
        .arg("-o")
        .args([&program, source]);
    let (status, _, messages) = finished(build);
    if status != 0 || (flags.contains(&"-Werror") && !messages.is_empty()) {
        return Err(format!("{compiler}: {messages}"));
    }
    printed_by(&program)
}

fn compiled(source: &Path, result: &Path, options: &[&str]) -> (i32, String) {
    let mut compile = tilewright();
    compile
        .args(["compile", "--output"])
        .args([result, source])
        .args(options);
    let (status, _, messages) = finished(compile);
    (status, messages)
}

#[test]
fn functions_in_cplusplus_stay_right() {
    let clang = Command::new("clang++").arg("--version").output().is_ok();
    let scratch = tempfile::tempdir().expect("a folder for scratch files");
    let sources = files("tests/cplusplus", "cpp");
    assert!(sources.len() >= 9, "{} files", sources.len());
    let numbered: Vec<_> = sources.iter().enumerate().collect();
    let wrong = in_parallel(&numbered, |(place, source)| {
        let name = source.file_stem().expect("a name").to_string_lossy();
        let original = scratch.path().join(format!("{name}_original.cpp"));
        std::fs::copy(source, &original).expect("the scratch folder takes it");
        let expected = printed("g++", &original, &["-O0", "-w"]).expect("the original is C++");
        assert!(expected.lines().count() >= 2, "{name} prints too little");
        let marked = std::fs::read_to_string(source)
            .expect("readable")
            .matches("#pragma scop")
            .count();
        let mut most = 0;
        for (number, plan) in PLANS.iter().enumerate() {
            let result = scratch.path().join(format!("{name}_{number}.cpp"));
            let (status, messages) = compiled(source, &result, plan);
            assert_eq!(status, 0, "{name}: {messages}");
            let known = WARNED
                .iter()
                .any(|(other, code)| *other == name && messages.contains(code));
            assert!(messages.is_empty() || known, "{name}: {messages}");
            let text = std::fs::read_to_string(&result).expect("it is written");
            most = most.max(text.matches("/* tilewright: begin */").count());
            if !all() && number != 1 && number != [0, 2, 3][place % 3] {
                continue;
            }
            let flags: &[&str] = match number {
                0 => &[
                    "-O1",
                    "-Wall",
                    "-Werror",
                    "-Wno-unknown-pragmas",
                    "-fopenmp",
                ],
                1 => &[
                    "-O0",
                    "-w",
                    "-fopenmp",
                    "-fsanitize=address,undefined",
                    "-fno-sanitize-recover=all",
                ],
                _ => &["-O1", "-w", "-fopenmp"],
            };
            let found = printed("g++", &result, flags);
            assert_eq!(found.as_ref(), Ok(&expected), "{name} {plan:?}:\n{text}");
            if clang && number == 1 {
                // Without OpenMP's runtime, which not every clang has.
                let found = printed("clang++", &result, &["-O2", "-w"]);
                assert_eq!(found.as_ref(), Ok(&expected), "{name} {plan:?}:\n{text}");
            }
        }
        (most != marked)
            .then(|| format!("{name}: not every region has a text with any of the plans"))
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_region_cannot_hold_stays_as_it_was() {
    let scratch = tempfile::tempdir().expect("a folder for scratch files");
    let result = scratch.path().join("result.cpp");
    let sources = files("tests/cplusplus/left", "cpp");
    assert!(sources.len() >= 18, "{} files", sources.len());
    for source in &sources {
        let text = std::fs::read_to_string(source).expect("readable");
        let said = text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("// "));
        let said = said.expect("the first line says what is to be heard");
        let (status, messages) = compiled(source, &result, &["--fork-operations", "0"]);
        assert_eq!(status, 0, "{}: {messages}", source.display());
        let warning = format!("warning[TW0214]: the region is left as it was: {said}");
        assert!(
            messages.contains(&warning),
            "{}: {messages}",
            source.display()
        );
        assert!(
            messages.contains("= help: "),
            "{}: {messages}",
            source.display()
        );
        let left = std::fs::read_to_string(&result).expect("it is written");
        assert_eq!(left, text, "{}", source.display());
    }
}

#[test]
fn cplusplus_is_compiled_only() {
    let source = root().join("tests/cplusplus/blur.cpp");
    for words in [&["run"][..], &["tune"], &["certify"]] {
        let mut command = tilewright();
        command.args(words).arg(&source);
        if words == ["certify"] {
            command.arg(&source);
        }
        let (status, _, messages) = finished(command);
        assert_eq!(status, 1, "{words:?}: {messages}");
        assert!(
            messages.contains("is C++, which is compiled only"),
            "{messages}"
        );
    }
}
