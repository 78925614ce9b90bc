//! `tilewright tune` as users see it.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tilewright_driver::tune::hash;

const BLUR: &str = "\
void blur(int n, int m, float out[restrict n][m], const float in[restrict n + 2][m + 2])
{
    float h[n + 2][m];
#pragma scop
    for (int i = 0; i < n + 2; i++)
        for (int j = 0; j < m; j++)
            h[i][j] = in[i][j] + in[i][j + 1] + in[i][j + 2];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            out[i][j] = h[i][j] + h[i + 1][j] + h[i + 2][j];
#pragma endscop
}
";

/// Enough for a few candidates on a busy machine, and not for many on an idle one.
const QUICK: &str = "tune blur.c --param n=100 --param m=90 --threads 1 --runs 2";

struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        place.write("blur.c", BLUR);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
        command
            .args(line.split_whitespace())
            .current_dir(self.0.path())
            .env_remove("CC")
            .env_remove("NO_COLOR")
            .env("TILEWRIGHT_MACHINE", "none");
        command
    }

    /// Runs a command that must end with a status; returns both streams.
    #[track_caller]
    fn run(&self, line: &str, status: i32) -> (String, String) {
        let output = self.command(line).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let (out, err) = (text(output.stdout), text(output.stderr));
        assert_eq!(output.status.code(), Some(status), "{line}\n{out}\n{err}");
        (out, err)
    }

    #[track_caller]
    fn json(&self, line: &str, status: i32) -> Value {
        let (out, _) = self.run(&format!("{line} --json"), status);
        serde_json::from_str(&out).expect("one JSON object")
    }

    /// The candidates' lines of a log.
    fn candidates(&self, log: &str) -> Vec<Value> {
        let text = self.read(log);
        let lines = text
            .lines()
            .map(|l| serde_json::from_str::<Value>(l).unwrap());
        lines
            .filter_map(|line| line.get("candidate").cloned())
            .collect()
    }
}

#[test]
fn a_search_finds_a_plan_and_is_not_done_twice() {
    let place = Place::new();
    let line = format!("{QUICK} --space taco --budget 12s");
    let report = place.json(&line, 0);
    assert_eq!(
        place.names(),
        ["blur.c", "blur.plan.toml", "blur.tune.jsonl"]
    );
    let tried = place.candidates("blur.tune.jsonl");
    assert!(!tried.is_empty());
    assert!(
        tried[0]["tile-sizes"].is_null(),
        "the default plan is first"
    );
    assert_eq!(report["counts"]["candidates"], 9 * 12 * 3 + 1);
    assert_eq!(report["counts"]["from_log"], 0);
    assert_eq!(report["interrupted"], false);
    let medians: Vec<f64> = report["finalists"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["ms"]["median"].as_f64().unwrap())
        .collect();
    assert!(medians.is_sorted(), "{medians:?}");
    assert_eq!(report["winner"], report["finalists"][0]);

    // What is saved is what was measured: the winner, or the original where it was faster still.
    place.run("compile blur.c --plan blur.plan.toml -o tiled.c", 0);
    let tiled = place.read("tiled.c");
    if report["original_is_fastest"] == true {
        for line in BLUR.lines() {
            assert!(tiled.contains(line), "{line}\n{tiled}");
        }
    } else {
        let chosen = &report["winner"]["candidate"];
        let is_chosen = |one: &&Value| {
            let said = chosen.as_object().unwrap().iter();
            said.into_iter().all(|(key, value)| one[key] == *value)
        };
        let record = tried.iter().find(is_chosen).unwrap();
        let code = hash(tiled.as_bytes());
        assert_eq!(record["found"]["measured"]["code"], code.as_str());
    }

    // Nothing is left to do: the same plan, and no new line.
    let (log, plan) = (place.read("blur.tune.jsonl"), place.read("blur.plan.toml"));
    let line = format!("{QUICK} --space taco --budget 0s");
    let again = place.json(&line, 0);
    assert_eq!(again["winner"], report["winner"]);
    assert_eq!(again["counts"]["from_log"], tried.len());
    assert_eq!(place.read("blur.tune.jsonl"), log);
    assert_eq!(place.read("blur.plan.toml"), plan);
    let (out, err) = place.run(&line, 0);
    assert_eq!(again["warnings"], Value::Array(Vec::new()));
    for words in [
        " blur(m = 90, n = 100), 1 thread\n",
        "default plan",
        "original",
        "identical",
    ] {
        assert!(out.contains(words), "{words}\n{out}");
    }
    assert!(err.contains("candidates are in the log"), "{err}");

    // Other data, other times.
    let (_, err) = place.run(&line.replace("n=100", "n=101"), 1);
    assert!(err.contains("parameter n: `100` there, `101` now"), "{err}");
    assert_eq!(place.read("blur.tune.jsonl"), log);
}

#[test]
fn plans_of_others_are_not_replaced() {
    let place = Place::new();
    place.write("blur.plan.toml", "version = 1\n");
    let line = format!("{QUICK} --budget 0s");
    let (_, err) = place.run(&line, 1);
    assert!(
        err.contains("TW0102") && err.contains("not from `tune`"),
        "{err}"
    );
    assert_eq!(place.names(), ["blur.c", "blur.plan.toml"]);
    // A name that is given is, as by `compile`.
    place.run(&format!("{line} -o blur.plan.toml --log l.jsonl"), 0);
    assert!(place.read("blur.plan.toml").starts_with("# Found by"));
    assert_eq!(place.names(), ["blur.c", "blur.plan.toml", "l.jsonl"]);
    place.run("check blur.c --plan blur.plan.toml", 0);
}

#[test]
fn wrong_command_lines_say_what_is_right() {
    let place = Place::new();
    for (more, words) in [
        (
            "--space narrow",
            "unknown space `narrow`: polymage, taco, wide",
        ),
        ("--budget soon", "write a time such as 30s, 10m or 1h30m"),
        ("--budget=-5s", "write a time such as"),
        ("--time-limit 0", "a number of seconds above 0"),
        ("--shape pentagon", "pentagon"),
        ("--shape auto", "name shapes"),
        ("--param q=3", "no scalar `q`"),
        ("-o -", "name a file for the plan"),
        ("--input in=a.txt", "has to end in .npy"),
    ] {
        let (out, err) = place.run(&format!("{QUICK} {more}"), 2);
        assert!(err.contains(words) && out.is_empty(), "{more}\n{err}");
    }
    let (_, err) = place.run("tune blur.c --runs 0", 2);
    assert!(err.contains("write a number from 1"), "{err}");
    let (_, err) = place.run("tune blur.c", 2);
    assert!(
        err.contains("tilewright tune blur.c --param n=1000"),
        "{err}"
    );
    assert_eq!(place.names(), ["blur.c"]);
}

#[test]
fn files_that_cannot_be_tuned_are_refused() {
    let place = Place::new();
    place.write("plain.c", "void f(int n) { }\n");
    place.write(
        "broken.c",
        "void f(int n) {\n#pragma scop\n for (\n#pragma endscop\n}\n",
    );
    for (line, code) in [
        ("tune plain.c --param n=3", "TW0106"),
        ("tune broken.c --param n=3", "TW0104"),
        ("tune nothing.c", "TW0101"),
        (
            "tune blur.c --param n=9 --param m=9 --cc no-such-cc",
            "TW0501",
        ),
        (
            "tune blur.c --param n=9 --param m=9 --cflags -fno-such-flag",
            "TW0501",
        ),
        (
            "tune blur.c --param n=9 --param m=9 -o no/plan.toml",
            "TW0102",
        ),
        ("tune blur.c --param n=9 --param m=9 --log blur.c", "TW0102"),
    ] {
        let (_, err) = place.run(line, 1);
        assert!(err.contains(code), "{line}\n{err}");
    }
    assert_eq!(place.names(), ["blur.c", "broken.c", "plain.c"]);
}

#[test]
fn without_a_right_candidate_there_is_no_plan() {
    let place = Place::new();
    // Not the compiler's doing: no two loaded versions have the same addresses.
    let odd = "#pragma endscop\n    static int x;\n    out[0][0] = (long)&x >> 12 & 0xffff;";
    place.write("blur.c", &BLUR.replace("#pragma endscop", odd));
    let line = format!("{QUICK} --budget 0s");
    let report = place.json(&line, 3);
    assert_eq!(report["winner"], Value::Null);
    assert_eq!(report["counts"]["differing"], 1);
    let reason = report["rejected"][0]["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("TW0503") && reason.contains("`out`"),
        "{reason}"
    );
    assert_eq!(place.names(), ["blur.c", "blur.tune.jsonl"]);
    let (_, err) = place.run(&line, 3);
    assert!(
        err.contains("no candidate computes what the original does"),
        "{err}"
    );
}

#[cfg(unix)]
#[test]
fn interrupted_searches_go_on() {
    let place = Place::new();
    let line = format!("{QUICK} --budget 1h");
    let mut command = place.command(&line);
    let child = command
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    let lines =
        || fs::read_to_string(place.path("blur.tune.jsonl")).map_or(0, |t| t.lines().count());
    while lines() < 3 {
        assert!(
            begin.elapsed() < Duration::from_secs(120),
            "nothing is measured"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    let kill = Command::new("kill")
        .arg("-INT")
        .arg(child.id().to_string())
        .status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("the same command goes on from there"), "{err}");
    assert_eq!(place.names(), ["blur.c", "blur.tune.jsonl"]);
    let known = place.candidates("blur.tune.jsonl").len();
    let report = place.json(&format!("{QUICK} --budget 0s"), 0);
    assert_eq!(report["counts"]["from_log"], known);
    assert!(report["winner"].is_object());
}

#[test]
fn functions_that_are_not_measured_keep_their_plans() {
    let place = Place::new();
    place.write(
        "two.c",
        &(BLUR.to_owned() + &BLUR.replace("void blur", "void other")),
    );
    let line = "tune two.c --param n=60 --param m=50 --threads 1 --runs 1 --shape scalene";
    let (_, err) = place.run(line, 2);
    assert!(err.contains("blur, other"), "{err}");
    let line = format!("{line} --function other --space polymage --budget 10s");
    let report = place.json(&line, 0);
    let sizes = "--estimate n=60 --estimate m=50 --cores 1";
    place.run(
        &format!("compile two.c {sizes} --emit plan -o default.toml"),
        0,
    );
    let of_blur = |text: &str| {
        let (_, regions) = text.split_once("[[region]]").unwrap();
        regions.split("[[region]]").next().unwrap().to_owned()
    };
    let (saved, default) = (place.read("two.plan.toml"), place.read("default.toml"));
    assert_eq!(of_blur(&saved).trim(), of_blur(&default).trim());
    for finalist in report["finalists"].as_array().unwrap() {
        assert_eq!(
            finalist["plan"]["region"][0],
            report["finalists"][0]["plan"]["region"][0]
        );
    }
    place.run("check two.c --plan two.plan.toml", 0);
}

#[test]
fn times_of_another_clock_are_not_mixed() {
    let place = Place::new();
    let line = format!("{QUICK} --budget 0s");
    let mut command = place.command(&line);
    let output = command.env("TILEWRIGHT_CLOCK", "processor").output();
    let output = output.unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(
        errors.contains("note: TILEWRIGHT_CLOCK=processor"),
        "{errors}"
    );
    let (_, errors) = place.run(&line, 1);
    assert!(
        errors.contains("clock: `processor` there, nothing now"),
        "{errors}"
    );
}
