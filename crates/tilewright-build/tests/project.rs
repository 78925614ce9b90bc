//! The package of the book's page on build scripts, made in an empty directory, built by cargo and
//! run; and the same with a mistake in the C file.
//!
//! Everything that it depends on has been built for these tests already, and cargo is to find that:
//! the package is in a workspace like this one, whose crates are links to this one's, and builds
//! into the same directory.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The page's blocks with a name, `file=build.rs`, by that name.
fn blocks() -> BTreeMap<String, String> {
    let page = fs::read_to_string(root().join("docs/src/build-scripts.md")).unwrap();
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let mut open: Option<String> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &open) {
            (Some(info), None) => {
                let name = info.split(',').find_map(|word| word.strip_prefix("file="));
                open = Some(name.unwrap_or_default().to_owned());
            }
            (Some(_), Some(_)) => open = None,
            (None, Some(name)) => found
                .entry(name.clone())
                .or_default()
                .push_str(&format!("{line}\n")),
            (None, None) => {}
        }
    }
    found
}

/// A workspace with the package in it.
fn project(blocks: &BTreeMap<String, String>) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = place.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let members = "members = [\"crates/*\"]";
    assert!(workspace.contains(members));
    let with_ours = workspace.replace(members, "members = [\"crates/*\", \"blurred\"]");
    write("Cargo.toml", &with_ours);
    fs::copy(root().join("Cargo.lock"), place.path().join("Cargo.lock")).unwrap();
    for link in ["crates", "tests", "benches"] {
        let there = root().join(link).canonicalize().unwrap();
        std::os::unix::fs::symlink(there, place.path().join(link)).unwrap();
    }
    let dependency = "tilewright-build = \"0.1\"";
    let manifest = &blocks["Cargo.toml"];
    assert!(manifest.contains(dependency));
    let path = "tilewright-build = { path = \"../crates/tilewright-build\" }";
    write("blurred/Cargo.toml", &manifest.replace(dependency, path));
    write("blurred/build.rs", &blocks["build.rs"]);
    write("blurred/kernels/blur.c", &blocks["blur.c"]);
    write("blurred/src/main.rs", &blocks["main.rs"]);
    place
}

/// Where these tests were built.
fn target() -> PathBuf {
    // `target/debug/deps/project-…`
    let here = std::env::current_exe().unwrap();
    here.ancestors().nth(3).unwrap().to_owned()
}

/// `cargo build` in the package.
fn cargo_build(place: &Path) -> Output {
    let mut command = Command::new(env!("CARGO"));
    command.args([
        "build",
        "--offline",
        "--package",
        "blurred",
        "--bin",
        "blurred",
    ]);
    // Cargo builds a package once more where its dependencies' features are others, and they depend
    // on which packages are named. Where the command was built, all of the workspace was; it is
    // not built again here.
    if target().join("debug/tilewright").exists() {
        command.args(["--package", "tilewright-cli"]);
    }
    command
        .current_dir(place.join("blurred"))
        .env("CARGO_TARGET_DIR", target())
        .env("CARGO_TERM_COLOR", "never")
        .env_remove("TILEWRIGHT_MACHINE")
        .output()
        .unwrap()
}

#[test]
fn the_books_package_builds_and_runs() {
    let mut blocks = blocks();
    let place = project(&blocks);
    let built = cargo_build(place.path());
    let words = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{words}");
    assert!(!words.contains("warning: blurred"), "{words}");
    let ran = Command::new(target().join("debug/blurred")).output();
    let ran = ran.unwrap();
    assert!(ran.status.success());
    assert_eq!(String::from_utf8_lossy(&ran.stdout), blocks["output"]);

    let kernel = blocks.get_mut("blur.c").unwrap();
    let line = "            out[i][j]";
    assert!(kernel.contains(line));
    *kernel = kernel.replace(line, "            if (in[i][j] > 1) break; else out[i][j]");
    fs::write(place.path().join("blurred/kernels/blur.c"), kernel).unwrap();
    let built = cargo_build(place.path());
    let words = String::from_utf8_lossy(&built.stderr);
    assert!(!built.status.success());
    assert!(words.contains(blocks["message"].trim()), "{words}");
    let place = "warning: blurred@0.1.0:   --> kernels/blur.c:10:31";
    assert!(words.contains(place), "{words}");
}
