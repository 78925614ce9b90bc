//! Inputs that nobody should give, outputs that cannot be written, too little memory: every command
//! ends soon, with a status and words, and leaves no half-written file.

use super::place::{Ended, Place, SCALE};
use std::fs::{self, OpenOptions, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long any of these may take, on a machine that does other things, too.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command line on a file with some bytes, its status, and words that it says.
struct Case {
    bytes: Vec<u8>,
    line: &'static str,
    status: i32,
    says: &'static str,
}

fn case(bytes: impl Into<Vec<u8>>, line: &'static str, status: i32, says: &'static str) -> Case {
    Case {
        bytes: bytes.into(),
        line,
        status,
        says,
    }
}

fn quick(place: &Place, line: &str) -> Ended {
    let begin = Instant::now();
    let ended = place.run(line);
    assert!(
        begin.elapsed() < PATIENCE,
        "{line} takes {:?}",
        begin.elapsed()
    );
    ended
}

/// The file is `x`: C, or a plan for `scale.c`.
#[test]
fn contents() {
    let c = |from: &str, to: &str| SCALE.replace(from, to);
    let nested = |n: usize| {
        c(
            "gain *",
            &format!("{}gain{} *", "(".repeat(n), ")".repeat(n)),
        )
    };
    let regions: String = (0..60)
        .map(|n| SCALE.replace("void scale", &format!("void scale{n}")))
        .collect();
    let plan = |sizes: &str| {
        format!(
            "version = 1\n[[region]]\nfunction = \"scale\"\nindex = 0\nplanner = \"affine\"\n\
             [[region.group]]\nstages = [\"out\"]\nshape = \"parallelogram\"\n\
             tile-sizes = [{sizes}]\n"
        )
    };
    let compile = "compile x -o out.c";
    let check = "check scale.c --plan x";
    for case in [
        case("", compile, 1, "TW0106"),
        case([0xff, 0xfe, 0], compile, 1, "which is not UTF-8"),
        case(c("void", "/* \u{e9} \0 */ void"), compile, 0, ""),
        case(format!("\u{feff}{SCALE}"), compile, 0, ""),
        case(SCALE.replace('\n', "\r\n"), compile, 0, ""),
        case(
            format!("#line 7 \"other.c\"\n{SCALE}"),
            compile,
            1,
            "`#line` gives",
        ),
        case(nested(20_000), compile, 1, "this is nested too deeply"),
        case(
            c("gain *", &"gain + ".repeat(20_000)),
            compile,
            1,
            "this is nested too deeply",
        ),
        case(
            format!("void g(void) {}{}", "{".repeat(9000), "}".repeat(9000)),
            compile,
            1,
            "TW0104",
        ),
        case(
            format!("{SCALE}/*{}*/\n", "x".repeat(1_000_000)),
            compile,
            0,
            "",
        ),
        case(
            c("gain *", &format!("{} *", "9".repeat(1000))),
            compile,
            0,
            "",
        ),
        case(regions, compile, 0, ""),
        case(
            SCALE.as_bytes()[..SCALE.len() / 2].to_vec(),
            compile,
            1,
            "TW01",
        ),
        case("#include \"x\"\n", compile, 1, "TW0103"),
        case("", check, 1, "TW0401"),
        case((0..=255).collect::<Vec<u8>>(), check, 1, "it is not UTF-8"),
        case(plan(&"7".repeat(1000)), check, 1, "number too large"),
        case(plan("9223372036854775807"), check, 1, "TW0401"),
        case(plan("-1"), check, 1, "TW0401"),
        case(
            plan("32").replace("scale", "another"),
            check,
            1,
            "the plan is for function `another`",
        ),
        case(plan("32").replace("\"out\"", "\"in\""), check, 1, "TW0401"),
        case(plan("32"), check, 0, ""),
    ] {
        let place = Place::new();
        fs::write(place.path("x"), &case.bytes).unwrap();
        eprintln!("{} {:?}", case.line, case.says);
        let ended = quick(&place, case.line).status(case.status).says(case.says);
        assert!(!ended.stderr.contains("panicked"), "{ended:?}");
        let written = place.names().contains(&"out.c".to_owned());
        assert_eq!(
            written,
            case.status == 0 && case.line == compile,
            "{:?}",
            place.names()
        );
    }
}

/// What takes longer than it may is left as it was, with a warning.
#[test]
fn limits_of_time() {
    let place = Place::new();
    place
        .run("compile scale.c --emit plan -o plan.toml")
        .status(0);
    let limited = "--time-limit 0.000001";
    let compiled = place.run(&format!("compile scale.c {limited}")).status(0);
    assert_eq!(compiled.says("TW0902").stdout, SCALE);
    for line in [
        "explain scale.c",
        "view scale.c",
        "check scale.c --plan plan.toml",
    ] {
        let ended = place.run(&format!("{line} {limited}"));
        assert!(ended.stderr.contains("TW0902"), "{ended:?}");
    }
    for line in ["0", "-1", "x", "1e9", "nan"] {
        place
            .run(&format!("compile scale.c --time-limit={line}"))
            .status(2);
    }
}

/// What is no file.
#[test]
fn pipes_devices_and_directories() {
    let place = Place::new();
    let made = Command::new("mkfifo").arg(place.path("pipe")).status();
    assert!(made.unwrap().success());
    let no_file = "it is a pipe or a device, and is read more than once";
    for (line, status, says) in [
        ("compile pipe", 1, no_file),
        ("explain pipe", 1, no_file),
        ("compile /dev/zero", 1, no_file),
        ("compile .", 1, "it is a directory"),
        ("compile nowhere.c", 1, "no such file"),
        (
            "check scale.c --plan pipe",
            1,
            "nothing came to an end in 10 s",
        ),
        (
            "check scale.c --plan /dev/zero",
            1,
            "holds more than 64 MiB",
        ),
        ("check scale.c --plan .", 1, "it is a directory"),
        (
            "compile scale.c --machine /dev/zero",
            1,
            "holds more than 64 MiB",
        ),
        ("compile scale.c -o .", 1, "it is a directory"),
        (
            "compile scale.c -o nowhere/out.c",
            1,
            "there is no directory",
        ),
        ("compile scale.c -o scale.c/out.c", 1, "is no directory"),
        ("compile scale.c -o /proc/out.c", 1, "TW0102"),
    ] {
        let ended = quick(&place, line).status(status).says(says);
        assert!(ended.stdout.is_empty(), "{line}: {ended:?}");
    }
}

/// C compilers that are none, never end, or never stop writing.
#[test]
fn compilers() {
    let place = Place::new();
    let script = |name: &str, text: &str| {
        place.write(name, &format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(place.path(name), Permissions::from_mode(0o755)).unwrap();
    };
    script("chatty", "yes 'int x;'");
    script("loud", "yes error >&2");
    script("dead", "kill -9 $$");
    script("silent", "exit 0");
    for (line, says) in [
        (
            "compile scale.c --cc ./nowhere",
            "cannot start the C compiler",
        ),
        ("compile scale.c --cc .", "cannot start the C compiler"),
        (
            "compile scale.c --cc ./scale.c",
            "cannot start the C compiler",
        ),
        (
            "compile scale.c --cc ./chatty",
            "makes more than 128 MiB of scale.c",
        ),
        (
            "compile scale.c --cc ./loud",
            "makes more than 128 MiB of scale.c",
        ),
        ("compile scale.c --cc ./dead", "TW0103"),
        ("compile scale.c --cc ./silent", "TW0106"),
    ] {
        quick(&place, line).status(1).says(says);
    }
}

/// Commands that print say it where nobody can read what they print.
#[test]
fn full_disks() {
    let place = Place::new();
    place
        .run("compile scale.c --emit plan -o plan.toml")
        .status(0);
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    for line in [
        "compile scale.c",
        "compile scale.c --emit plan",
        "compile scale.c --emit scop",
        "compile scale.c -o out.c --json",
        "explain scale.c",
        "explain scale.c --json",
        "view scale.c",
        "check scale.c --plan plan.toml",
        "--help",
        "compile --help",
        "--version",
    ] {
        let mut command = place.command(line);
        command.stdout(full()).stderr(Stdio::piped());
        let ended = command.output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(1), "{line}: {said}");
        let is_help = line.contains("--help") || line.contains("--version");
        assert!(
            is_help || said.contains("no space left on device"),
            "{line}: {said}"
        );
    }
    quick(&place, "compile scale.c -o /dev/full")
        .status(1)
        .says("no space left on device");
    // Nobody hears what is wrong, and the status says it.
    for (line, status) in [("compile nowhere.c", 1), ("compile scale.c -o out.c", 0)] {
        let mut command = place.command(line);
        command.stdout(Stdio::null()).stderr(full());
        assert_eq!(command.status().unwrap().code(), Some(status), "{line}");
    }
}

/// Folders that may not be written to are said before anything is compiled; nothing is left in
/// them.
#[test]
fn folders_that_may_only_be_read() {
    let place = Place::new();
    fs::create_dir(place.path("closed")).unwrap();
    fs::set_permissions(place.path("closed"), Permissions::from_mode(0o555)).unwrap();
    // For root nothing is closed.
    let is_closed = fs::write(place.path("closed/try"), "").is_err();
    if is_closed {
        quick(&place, "compile scale.c -o closed/out.c")
            .status(1)
            .says("permission denied");
    }
    fs::set_permissions(place.path("closed"), Permissions::from_mode(0o755)).unwrap();
}

/// With little memory commands say so, and do not panic.
#[test]
fn little_memory() {
    let place = Place::new();
    for kilobytes in [120_000, 200_000, 300_000, 400_000, 600_000] {
        let mut command = Command::new("sh");
        let limited = format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"");
        command.args(["-c", &limited]);
        let own = place.command("compile scale.c -o out.c");
        command.arg(own.get_program()).args(own.get_args());
        command
            .current_dir(place.0.path())
            .env("TILEWRIGHT_MACHINE", "none");
        let ended = command.output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(!said.contains("panicked"), "{kilobytes}: {said}");
        let status = ended.status.code();
        assert!(
            matches!(status, Some(0 | 1)),
            "{kilobytes}: {status:?} {said}"
        );
        assert!(
            status == Some(0) || said.contains("error"),
            "{kilobytes}: {said}"
        );
    }
}
