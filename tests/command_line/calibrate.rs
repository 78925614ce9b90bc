//! `tilewright calibrate`, and machine files as the other commands see them.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const BLUR: &str = "\
void blur(int n, float out[restrict n][n], const float in[restrict n + 2][n + 2])
{
    float h[n + 2][n];
#pragma scop
    for (int i = 0; i < n + 2; i++)
        for (int j = 0; j < n; j++)
            h[i][j] = in[i][j] + in[i][j + 1] + in[i][j + 2];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[i][j] = h[i][j] + h[i + 1][j] + h[i + 2][j];
#pragma endscop
}
";

/// A machine on which memory costs nothing to speak of, and rows do: nothing is worth an overlapped
/// tile.
const FAST_MEMORY: &str = "\
version = 1
[machine]
cores = 3
[rates]
memory = 1e-9
cache-l3 = 1e-9
cache-l2 = 1e-9
row = 5.0
region = 1.0
";

/// A directory with `blur.c`, the user's configuration in `configuration`.
fn place() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("blur.c"), BLUR).unwrap();
    place
}

fn command(place: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    command
        .args(line.split_whitespace())
        .current_dir(place)
        .env("XDG_CONFIG_HOME", place.join("configuration"))
        .env_remove("TILEWRIGHT_MACHINE")
        .env_remove("CC")
        .env_remove("NO_COLOR");
    command
}

#[track_caller]
fn ended(mut command: Command, status: i32) -> (String, String) {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert_eq!(
        output.status.code(),
        Some(status),
        "{command:?}\n{out}\n{err}"
    );
    (out, err)
}

#[track_caller]
fn run(place: &Path, line: &str, status: i32) -> (String, String) {
    ended(command(place, line), status)
}

/// What has no group of several stages goes to the affine scheduler.
fn planner(report: &Value) -> &str {
    report["plan"]["region"][0]["planner"].as_str().unwrap()
}

#[track_caller]
fn explain(mut command: Command) -> Value {
    let output = command.arg("--json").output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn what_is_measured_is_what_others_plan_with() {
    let place = place();
    let place = place.path();
    // Nothing is there yet.
    let before = explain(command(place, "explain blur.c"));
    assert_eq!(before["machine_file"], Value::Null);
    let line = "calibrate --seconds 0.001 --threads 1";
    let (text, _) = run(place, line, 0);
    for name in [
        "memory",
        "cache-l3",
        "cache-l2",
        "operation",
        "row",
        "region",
    ] {
        assert!(text.contains(name), "{text}");
    }
    let file = place.join("configuration/tilewright/machine.toml");
    assert!(
        text.contains(&format!("written to {}", file.display())),
        "{text}"
    );
    let after = explain(command(place, "explain blur.c"));
    assert_eq!(after["machine_file"], file.to_str().unwrap());
    assert_eq!(after["machine"]["cores"], 1);
    assert_ne!(after["rates"], before["rates"]);
    let (text, _) = run(place, "explain blur.c", 0);
    assert!(text.starts_with("Planned with the machine file "), "{text}");
    // Options of sizes come first.
    let cores = explain(command(place, "explain blur.c --cores 7"));
    assert_eq!(cores["machine"]["cores"], 7);
    assert_eq!(cores["rates"], after["rates"]);
    // Both ways to do without.
    let without = explain(command(place, "explain blur.c --machine none"));
    let mut variable = command(place, "explain blur.c");
    variable.env("TILEWRIGHT_MACHINE", "none");
    for without in [without, explain(variable)] {
        assert_eq!(without["machine_file"], Value::Null);
        assert_eq!(without["rates"], before["rates"]);
        assert_eq!(without["plan"], before["plan"]);
    }
}

#[test]
fn rates_decide_what_is_tiled() {
    let place = place();
    let place = place.path();
    fs::write(place.join("fast.toml"), FAST_MEMORY).unwrap();
    let slow = explain(command(place, "explain blur.c --inline none"));
    let fast = explain(command(
        place,
        "explain blur.c --inline none --machine fast.toml",
    ));
    assert_eq!(fast["machine"]["cores"], 3);
    assert_eq!((planner(&slow), planner(&fast)), ("optimal", "original"));
    let mut named = command(place, "explain blur.c --inline none");
    named.env("TILEWRIGHT_MACHINE", "fast.toml");
    assert_eq!(explain(named)["plan"], fast["plan"]);
    // All that plan take it.
    let plan = |options: &str| {
        let line = format!("compile blur.c --inline none --emit plan {options}");
        run(place, &line, 0).0
    };
    assert_ne!(plan(""), plan("--machine fast.toml"));
    run(
        place,
        "run blur.c --param n=40 --runs 0 --machine fast.toml",
        0,
    );
    run(place, "view blur.c --machine fast.toml", 0);
    run(
        place,
        "tune blur.c --param n=40 --runs 1 --budget 0s --machine fast.toml",
        0,
    );
    // A log of candidates that meant something else is refused.
    let line = "tune blur.c --param n=40 --runs 1 --budget 0s --machine none";
    let (_, errors) = run(place, line, 1);
    assert!(errors.contains("machine file"), "{errors}");
}

#[test]
fn files_go_where_they_should() {
    let place = place();
    let place = place.path();
    let line = "calibrate --seconds 0.001 --threads 1";
    let (text, _) = run(place, &format!("{line} -o here.toml"), 0);
    assert!(text.contains("add --machine here.toml"), "{text}");
    assert!(!place.join("configuration").exists());
    run(place, "explain blur.c --machine here.toml", 0);
    let (text, _) = run(place, &format!("{line} --output -"), 0);
    fs::write(place.join("printed.toml"), text).unwrap();
    run(place, "explain blur.c --machine printed.toml", 0);
    let (text, _) = run(place, &format!("{line} --output here.toml --json"), 0);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert!(report["rates"]["memory"].as_f64().unwrap() > 0.0);
    assert_eq!(report["built_in"]["row"], 3.0);
    run(place, &format!("{line} --output - --json"), 2);
    let (_, errors) = run(place, &format!("{line} --output no/such.toml"), 1);
    assert!(errors.contains("TW0102"), "{errors}");
    let mut homeless = command(place, line);
    homeless.env_remove("XDG_CONFIG_HOME").env_remove("HOME");
    let (_, errors) = ended(homeless, 1);
    assert!(errors.contains("--output"), "{errors}");
}

#[test]
fn bad_files_and_options_are_refused() {
    let place = place();
    let place = place.path();
    fs::write(place.join("bad.toml"), "version = 1\n\n[rates]\nrow = 0\n").unwrap();
    for line in [
        "explain blur.c --machine bad.toml",
        "compile blur.c --machine bad.toml",
        "run blur.c --param n=4 --machine bad.toml",
        "tune blur.c --param n=4 --machine bad.toml",
        "view blur.c --machine bad.toml",
    ] {
        let (out, errors) = run(place, line, 1);
        assert_eq!(out, "");
        assert!(
            errors.contains("TW0404") && errors.contains("line 4"),
            "{errors}"
        );
    }
    let (_, errors) = run(place, "explain blur.c --machine missing.toml", 1);
    assert!(errors.contains("TW0404"), "{errors}");
    run(place, "calibrate --seconds 0", 2);
    run(place, "calibrate --threads 0", 2);
    let (_, errors) = run(place, "calibrate --cc no-such-cc -o x.toml", 1);
    assert!(errors.contains("TW0501"), "{errors}");
    let (_, errors) = run(place, "calibrate --cc false -o x.toml", 1);
    assert!(errors.contains("TW0501"), "{errors}");
    assert!(!place.join("x.toml").exists());
}
