//! What was built once is loaded from disk afterwards, whoever builds, and by how many at a time.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tilewright_driver::cache::VARIABLE;
use tilewright_driver::host::toolchain::{Toolchain, quoted, split};
use tilewright_lang::*;

/// Says to a process of these tests where its C compiler is.
const COMPILER: &str = "TILEWRIGHT_TEST_COMPILER";

/// Says to it what to add to each cell.
const ADDED: &str = "TILEWRIGHT_TEST_ADDED";

/// A C compiler that writes a line to a file for every library that it builds.
struct Compiler {
    directory: tempfile::TempDir,
}

impl Compiler {
    fn new() -> Compiler {
        let odd = tempfile::Builder::new()
            .prefix("mit Leerzeichen und ü ")
            .tempdir();
        let directory = odd.unwrap();
        let log = directory.path().join("log");
        // Slow enough for others to want the same meanwhile.
        let text = format!(
            "#!/bin/sh\ncase \"$*\" in *-shared*) echo built >> '{}'; sleep 0.3;; esac\n\
             exec cc \"$@\"\n",
            log.display()
        );
        let compiler = Compiler { directory };
        fs::write(compiler.path(), text).unwrap();
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(compiler.path(), mode).unwrap();
        fs::write(log, "").unwrap();
        compiler
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("cc")
    }

    fn cache(&self) -> PathBuf {
        self.directory.path().join("cache")
    }

    /// How many libraries it has built.
    fn builds(&self) -> usize {
        let log = fs::read_to_string(self.directory.path().join("log")).unwrap();
        log.lines().count()
    }

    /// Starts a process that compiles a pipeline and runs it.
    fn start(&self, added: &str, cache: &Path) -> Child {
        Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "cache::in_a_process_of_its_own",
                "--include-ignored",
            ])
            .env(COMPILER, quoted(self.path().to_str().unwrap()))
            .env(ADDED, added)
            .env(VARIABLE, cache)
            // Its summary is not one of these tests'.
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    }

    fn compile(&self, added: &str) {
        let status = self.start(added, &self.cache()).wait().unwrap();
        assert!(status.success());
    }
}

/// What the processes of these tests do.
#[test]
#[ignore = "the other tests start it"]
fn in_a_process_of_its_own() {
    let (Ok(compiler), Ok(added)) = (std::env::var(COMPILER), std::env::var(ADDED)) else {
        return;
    };
    let added: i32 = added.parse().unwrap();
    let mut p = Pipeline::new("sum");
    let r = p.parameter("R");
    let x = p.variable("x");
    let a = p.image("a", I32, [r]);
    let out = p.output("out", I32, [x.below(r)]);
    p.define(out, a.at([x]) + added);
    let options = Options {
        toolchain: Toolchain {
            cc: compiler,
            cflags: split("-O0"),
            ..Toolchain::default()
        },
        ..Options::default()
    };
    let kernel = p.compile_with(&options).unwrap();
    let mut cells = [0; 3];
    let call = kernel.call().image("a", &[1, 2, 3], &[3]);
    call.output("out", &mut cells).run().unwrap();
    assert_eq!(cells, [1, 2, 3].map(|cell| cell + added));
    let warnings: Vec<String> = kernel.warnings().iter().map(|w| w.to_string()).collect();
    let usable = !std::env::var(VARIABLE).unwrap().contains("/log/");
    assert_eq!(warnings.is_empty(), usable, "{warnings:?}");
}

#[test]
fn what_was_built_is_found_by_other_processes() {
    let compiler = Compiler::new();
    compiler.compile("1");
    assert_eq!(compiler.builds(), 1);
    compiler.compile("1");
    assert_eq!(compiler.builds(), 1, "the second one found it");
    compiler.compile("2");
    assert_eq!(compiler.builds(), 2, "that is another pipeline");
    let kept = fs::read_dir(compiler.cache()).unwrap().count();
    assert_eq!(kept, 2);
    // As `tilewright cache clear` does.
    let cache = tilewright_driver::cache::Cache::in_directory(Some(compiler.cache()), 1 << 20);
    assert_eq!(cache.clear().unwrap().libraries, 2);
    compiler.compile("1");
    assert_eq!(compiler.builds(), 3);
    // Where nothing can be kept, everything works but that; the kernel says so.
    let file = compiler.directory.path().join("log/cache");
    assert!(compiler.start("1", &file).wait().unwrap().success());
    assert_eq!(compiler.builds(), 4);
}

#[test]
fn several_processes_may_want_the_same_at_once() {
    let compiler = Compiler::new();
    let mut all: Vec<Child> = (0..3)
        .map(|_| compiler.start("5", &compiler.cache()))
        .collect();
    for one in &mut all {
        assert!(one.wait().unwrap().success());
    }
    let builds = compiler.builds();
    assert!((1..=3).contains(&builds), "{builds}");
    let libraries = fs::read_dir(compiler.cache()).unwrap();
    let whole = |entry: fs::DirEntry| entry.path().extension().is_some_and(|e| e == "so");
    assert!(libraries.flatten().all(whole), "no unfinished files");
    compiler.compile("5");
    assert_eq!(compiler.builds(), builds, "found by whoever comes later");
}
