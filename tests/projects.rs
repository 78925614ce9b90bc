//! The packages of the book as a new user makes them: in an empty directory, built by cargo, run.
//!
//! Everything that they depend on has been built for these tests already, and cargo is to find
//! that: a package is in a workspace like this one, whose crates are links to this one's, and
//! builds into the same directory.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Where these tests were built.
fn target() -> PathBuf {
    // `target/debug/deps/projects-…`
    let here = std::env::current_exe().unwrap();
    here.ancestors().nth(3).unwrap().to_owned()
}

/// A page's code, block by block: what stands behind the opening mark, and the text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let page = fs::read_to_string(root().join(page)).unwrap();
    let mut found: Vec<(String, String)> = Vec::new();
    let mut open = false;
    for line in page.lines() {
        match (line.strip_prefix("```"), open) {
            (Some(info), false) => {
                found.push((info.to_owned(), String::new()));
                open = true;
            }
            (Some(_), true) => open = false,
            (None, true) => {
                let (_, text) = found.last_mut().unwrap();
                *text += &format!("{line}\n");
            }
            (None, false) => {}
        }
    }
    found
}

/// Those with a name, `file=build.rs`, by that name.
fn files(page: &str) -> BTreeMap<String, String> {
    let named = |(info, text): (String, String)| {
        let name = info.split(',').find_map(|word| word.strip_prefix("file="));
        Some((name?.to_owned(), text))
    };
    blocks(page).into_iter().filter_map(named).collect()
}

/// A workspace with a package in it.
struct Project {
    place: TempDir,
    package: &'static str,
}

impl Project {
    /// With the manifest of a page that depends on one of our crates.
    fn new(package: &'static str, manifest: &str, ours: &str) -> Project {
        let place = tempfile::tempdir().unwrap();
        let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
        let members = "members = [\"crates/*\", \"python\"]";
        assert!(workspace.contains(members));
        let with_ours = format!("members = [\"crates/*\", \"python\", \"{package}\"]");
        let with_ours = workspace.replace(members, &with_ours);
        fs::write(place.path().join("Cargo.toml"), with_ours).unwrap();
        fs::copy(root().join("Cargo.lock"), place.path().join("Cargo.lock")).unwrap();
        for link in ["crates", "python", "tests", "benches"] {
            let there = root().join(link).canonicalize().unwrap();
            std::os::unix::fs::symlink(there, place.path().join(link)).unwrap();
        }
        let project = Project { place, package };
        assert!(manifest.contains(&format!("name = \"{package}\"")));
        let published = format!("{ours} = \"0.1\"");
        assert!(manifest.contains(&published));
        let path = format!("{ours} = {{ path = \"../crates/{ours}\" }}");
        project.write("Cargo.toml", &manifest.replace(&published, &path));
        project
    }

    /// A file of the package.
    fn file(&self, path: &str) -> PathBuf {
        self.place.path().join(self.package).join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.file(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// `cargo build` in the package.
    fn build(&self) -> Output {
        let mut command = Command::new(env!("CARGO"));
        // Cargo builds a package once more where its dependencies' features are others, and they
        // depend on which packages are named, and on whether a test is: here as for these tests.
        command.args(["build", "--offline", "--workspace", "--bins"]);
        command.args(["--test", "end_to_end"]);
        command
            .current_dir(self.file(""))
            .env("CARGO_TARGET_DIR", target())
            .env("CARGO_TERM_COLOR", "never")
            .env_remove("TILEWRIGHT_MACHINE")
            .output()
            .unwrap()
    }

    /// The same where it is to succeed.
    fn built(&self) {
        let built = self.build();
        let words = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{words}");
        assert!(
            !words.contains(&format!("warning: {}", self.package)),
            "{words}"
        );
    }

    /// The program's output, run in the package.
    fn run(&self) -> String {
        let program = target().join("debug").join(self.package);
        let ran = Command::new(program)
            .current_dir(self.file(""))
            .env("TILEWRIGHT_CACHE", self.file("cache"))
            .env_remove("TILEWRIGHT_MACHINE")
            .output()
            .unwrap();
        assert!(
            ran.status.success(),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        );
        String::from_utf8(ran.stdout).unwrap()
    }
}

/// The page on build scripts, and the same with a mistake in the C file.
#[test]
fn a_kernel_in_a_build_script() {
    let page = files("docs/src/build-scripts.md");
    let project = Project::new("blurred", &page["Cargo.toml"], "tilewright-build");
    project.write("build.rs", &page["build.rs"]);
    project.write("kernels/blur.c", &page["blur.c"]);
    project.write("src/main.rs", &page["main.rs"]);
    project.built();
    assert_eq!(project.run(), page["output"]);

    let line = "            out[i][j] = ";
    assert!(page["blur.c"].contains(line));
    let broken = page["blur.c"].replace(line, "            out[i][j] = shift + ");
    project.write("kernels/blur.c", &broken);
    let built = project.build();
    let words = String::from_utf8_lossy(&built.stderr);
    assert!(!built.status.success());
    assert!(words.contains(page["message"].trim()), "{words}");
    let place = "warning: blurred@0.1.0:   --> kernels/blur.c:10:25";
    assert!(words.contains(place), "{words}");
}

/// The page on pipelines as stages: from a PNG to a PNG, and what explain says.
#[test]
fn a_pipeline_as_stages() {
    let page = files("docs/src/language.md");
    let project = Project::new("blur", &page["Cargo.toml"], "tilewright-lang");
    project.write("src/main.rs", &page["main.rs"]);
    let (rows, columns) = (90, 160);
    let pixel = |x: u32, y: u32| ((x * x + 3 * y * (x % 7)) % 251) as u8;
    let photo = image::GrayImage::from_fn(columns, rows, |y, x| image::Luma([pixel(x, y)]));
    photo.save(project.file("photo.png")).unwrap();
    project.built();
    let said = project.run();
    assert!(said.starts_with("blur: 2 stages, planned by "), "{said}");
    assert!(said.contains("blurx") && said.contains("blury"), "{said}");

    let blurred = image::open(project.file("blurred.png")).unwrap().to_luma8();
    assert_eq!(blurred.dimensions(), (columns - 2, rows - 2));
    let mean = |a: f32, b: f32, c: f32| (a + b + c) / 3.0;
    let down = |x, y| {
        mean(
            pixel(x, y).into(),
            pixel(x + 1, y).into(),
            pixel(x + 2, y).into(),
        )
    };
    for (y, x, cell) in blurred.enumerate_pixels() {
        let wanted = mean(down(x, y), down(x, y + 1), down(x, y + 2));
        assert_eq!(cell.0, [wanted.round() as u8], "at {x}, {y}");
    }
}

/// The README's blur is that program's, and short, in both languages.
#[test]
fn the_readmes_blur_is_short() {
    let readme = blocks("README.md");
    let of = |language: &str, word: &str| {
        let mut all = readme.iter();
        let found = all.find(|(info, text)| info == language && text.contains(word));
        found.unwrap().1.lines().collect::<Vec<_>>()
    };
    let rust = of("rust", "Pipeline::new(\"blur\")");
    let python = of("python", "Pipeline(\"blur\")");
    assert!(rust.len() < 15 && python.len() < 15, "{rust:?} {python:?}");
    let main = &files("docs/src/language.md")["main.rs"];
    let mut lines = main.lines().map(str::trim);
    let stages = rust.iter().filter(|line| !line.starts_with("kernel.call"));
    for line in stages {
        assert!(
            lines.any(|there| there == *line),
            "`{line}` is not in the book's program"
        );
    }
}
