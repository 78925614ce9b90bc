//! `tilewright run` of programs that tests compare with their originals.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

pub use tilewright_cases::{all, share};

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The command, in the repository and without a machine file.
pub fn tilewright() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    command
        .current_dir(root())
        .env("TILEWRIGHT_MACHINE", "none");
    command
}

/// Options for tiles of a shape; loops as written have none.
pub fn tiled<'a>(shape: &'a str, sizes: &'a str) -> Vec<&'a str> {
    match shape {
        "none" => vec!["--shape", shape],
        _ => vec!["--shape", shape, "--tile-sizes", sizes],
    }
}

/// `tilewright run` of an example by its path in `examples`, or of another file by its full one:
/// planned for the first values of its parameters (`n=32 m=40`) and compared with all of them.
pub fn run(file: &str, sizes: &[&str]) -> Command {
    let mut command = tilewright();
    command.arg("run").arg(Path::new("examples").join(file));
    let (first, others) = sizes.split_first().expect("at least one size");
    for parameter in first.split_whitespace() {
        command.args(["--param", parameter]);
    }
    for other in others {
        command.arg("--also").arg(other.replace(' ', ","));
    }
    command
}

/// Compares a program with its original, in a quick build and without times, and returns what is
/// wrong with it.
pub fn difference(mut command: Command, what: &str) -> Option<String> {
    command.args(["--cflags", "-O1 -fopenmp"]);
    difference_as_built(command, what)
}

/// The same with the flags that the command has.
pub fn difference_as_built(mut command: Command, what: &str) -> Option<String> {
    command.args(["--threads", "2", "--runs", "0", "--json"]);
    // However little there is to do: small sizes are for the text, not for the original.
    let asked = ["--target", "--shape", "--plan", "--fork-operations"];
    let settled = |argument: &OsStr| asked.iter().any(|option| argument == *option);
    if !command.get_args().any(settled) {
        command.args(["--fork-operations", "0"]);
    }
    let output = command.output().expect("tilewright starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = String::from_utf8_lossy(&output.stderr);
    assert_never_wrong(&command, &messages);
    // A comparison of the original with itself says nothing.
    let left = messages.contains("[TW0902]") && messages.contains("left as it was");
    assert!(!left, "{command:?}: {messages}");
    let report: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let identical = report["identical"] == true && output.status.success();
    (!identical).then(|| format!("{what}: {text}{messages}"))
}

/// Exit status, output and messages of a command.
pub fn finished(mut command: Command) -> (i32, String, String) {
    let output = command.output().expect("tilewright starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let messages = text(&output.stderr);
    assert_never_wrong(&command, &messages);
    (
        output.status.code().unwrap_or(-1),
        text(&output.stdout),
        messages,
    )
}

/// Fails where a plan led to wrong code, although a simpler one took its place and all is well
/// behind it: only the certifier saw it.
fn assert_never_wrong(command: &Command, messages: &str) {
    let wrong = messages.contains("TW0903") || messages.contains("TW0901");
    assert!(!wrong, "{command:?}: {messages}");
}

/// The command with some arguments.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = with_opencl_cache(tilewright());
    command.args(arguments);
    command
}

/// What `tilewright` answers to some arguments: exit status, output and messages.
pub fn answer(arguments: &[&str]) -> (i32, String, String) {
    finished(command(arguments))
}

/// Whether something is installed that tests need: without it they are skipped, with a line that says
/// so, but fail where the environment variable `CI` is set.
pub fn is_there(there: bool, what: &str) -> bool {
    if !there {
        assert!(std::env::var_os("CI").is_none(), "{what} is not there");
        eprintln!("SKIPPED: {what} is not there");
    }
    there
}

/// The compiler for CUDA, if there is one; the variable `NVCC` names it.
pub fn nvcc() -> Option<PathBuf> {
    let nvcc = std::env::var_os("NVCC").map_or(PathBuf::from("nvcc"), PathBuf::from);
    let there = Command::new(&nvcc).arg("--version").output().is_ok();
    if !there {
        eprintln!("SKIPPED: CUDA: there is no nvcc; `pip install nvidia-cuda-nvcc` and set NVCC");
    }
    there.then_some(nvcc)
}

/// The generated text of a program and what was said.
pub fn compiled(file: &str, options: &[&str]) -> (String, String) {
    let (status, out, messages) = answer(&[&["compile", file], options].concat());
    assert_eq!(status, 0, "{messages}");
    (out, messages)
}

/// A directory in target, of this name among those of the file of tests that asks for it.
#[track_caller]
pub fn directory(name: &str) -> PathBuf {
    let asking = std::panic::Location::caller().file();
    let asking = Path::new(asking).with_extension("");
    let asking = asking.iter().skip_while(|part| *part != "tests").skip(1);
    let mut directory = Path::new(env!("CARGO_TARGET_TMPDIR")).to_owned();
    directory.extend(asking);
    directory.push(name);
    std::fs::create_dir_all(&directory).expect("a directory in target");
    directory
}

/// A program as a file, of a name of its own among those of the file of tests that asks for it. Tests
/// beside each other may ask for the same program: nobody ever finds half of it.
#[track_caller]
pub fn program(name: &str, text: &str) -> String {
    static WRITTEN: Mutex<BTreeMap<PathBuf, String>> = Mutex::new(BTreeMap::new());
    let file = directory("programs").join(format!("{name}.c"));
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    match written.get(&file) {
        Some(there) => assert_eq!(there, text, "two programs in {}", file.display()),
        None => {
            std::fs::write(&file, text).expect("written");
            written.insert(file.clone(), text.to_owned());
        }
    }
    file.to_str().expect("plain names").to_owned()
}

/// Where OpenCL on the processor keeps what it built; it builds without optimising, which takes half
/// as long.
pub fn with_opencl_cache(mut command: Command) -> Command {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pocl");
    command
        .env("POCL_CACHE_DIR", cache)
        .env("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable");
    command
}

/// Checks everything, as many at a time as there are processors, and returns what is wrong.
pub fn in_parallel<T: Sync>(all: &[T], check: impl Fn(&T) -> Option<String> + Sync) -> Vec<String> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(one) =
                    all.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    let failed = check(one);
                    failures.lock().expect("no worker panics").extend(failed);
                }
            });
        }
    });
    failures.into_inner().expect("no worker panics")
}

/// The files of a folder with this ending, in order.
pub fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(root().join(folder))
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect();
    found.sort();
    found
}

/// What a program prints on two threads, or how it ended.
pub fn printed_by(program: &Path) -> Result<String, String> {
    let mut run = Command::new(program);
    run.env("OMP_NUM_THREADS", "2")
        .env("ASAN_OPTIONS", "detect_leaks=0");
    match finished(run) {
        (0, output, _) => Ok(output),
        (status, _, messages) => Err(format!("exit status {status}: {messages}")),
    }
}
