//! Plans for devices: what the cost model chooses as limits change, and the search by measured times
//! of kernels, on the processor with PoCL.

use crate::running::{self, answer, compiled, finished, program, with_opencl_cache};
use std::path::{Path, PathBuf};

/// A pipeline of two stages.
const BLUR: &str =
    "void blur(int n, int m, float out[restrict n][m], const float in[restrict n + 2][m + 2])
{
    float h[n + 2][m];
#pragma scop
    for (int i = 0; i < n + 2; i++)
        for (int j = 0; j < m; j++)
            h[i][j] = (in[i][j] + in[i][j + 1] + in[i][j + 2]) / 3;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            out[i][j] = (h[i][j] + h[i + 1][j] + h[i + 2][j]) / 3;
#pragma endscop
}
";

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn has_opencl() -> bool {
    let (status, _, messages) = answer(&["devices"]);
    if status != 0 {
        assert!(std::env::var_os("CI").is_none(), "no OpenCL: {messages}");
        eprintln!("SKIPPED: tuning for OpenCL: {messages}");
    }
    status == 0
}

/// A search that ends at once measures the default plan; the same command goes on from its log, and
/// the plan that it saves is one that `run` takes.
#[test]
fn a_search_for_a_device_goes_on_and_saves_a_plan() {
    if !has_opencl() {
        return;
    }
    let file = program("tuned-blur", BLUR);
    let plan = path("tuned-blur.plan.toml");
    let log = path("tuned-blur.tune.jsonl");
    for old in [&plan, &log] {
        let _ = std::fs::remove_file(old);
    }
    let search = |more: &[&str]| {
        let mut command = with_opencl_cache(running::tilewright());
        command.args(["tune", &file, "--target", "opencl", "--json"]);
        command.args(["--param", "n=21", "--param", "m=37", "--runs", "1"]);
        command.args(["--time-limit", "600", "--cflags", "-O0 -fopenmp"]);
        command.arg("--output").arg(&plan).arg("--log").arg(&log);
        command.args(more);
        let (status, out, messages) = finished(command);
        assert_eq!(status, 0, "{more:?}: {out}{messages}");
        serde_json::from_str::<serde_json::Value>(&out).expect("JSON")
    };
    let first = search(&["--budget", "0s"]);
    assert_eq!(first["target"], "opencl");
    assert_eq!(first["space"], "blocks");
    assert_eq!(first["counts"]["measured"], 1);
    assert_eq!(first["counts"]["from_log"], 0);
    assert_eq!(first["counts"]["candidates"], 1513);
    assert_eq!(first["winner"]["default_plan"], true);
    // With untiled loops alone there are 72 candidates besides; of these at least one more.
    let second = search(&["--budget", "2s", "--shape", "none"]);
    assert_eq!(second["counts"]["from_log"], 1, "{second}");
    let known = second["counts"]["candidates"].as_u64().expect("a number")
        - second["counts"]["left"].as_u64().expect("a number");
    assert!(known > 1, "{second}");
    assert_eq!(second["counts"]["differing"], 0, "{second}");
    // Times of kernels are shorter than calls with their copies, and there is one for each run.
    let times = &second["winner"]["ms"];
    assert!(times["median"].as_f64().expect("a time") > 0.0, "{second}");

    let text = std::fs::read_to_string(&plan).expect("a plan");
    assert!(text.contains("threads = ["), "{text}");
    let mut run = with_opencl_cache(running::run(&file, &["n=21 m=37"]));
    run.args(["--target", "opencl", "--time-limit", "600"]);
    run.arg("--plan").arg(&plan);
    assert_eq!(running::difference(run, "the plan"), None);
    // Another device's measurements are not mixed up with these.
    let log_text = std::fs::read_to_string(&log).expect("a log");
    let first_line = log_text.lines().next().expect("a line");
    assert!(first_line.contains("\"target\":\"opencl\"") && first_line.contains("\"device\":"));
    let refused = with_opencl_cache(running::tilewright());
    let (status, out, messages) = finished({
        let mut command = refused;
        command.args(["tune", &file, "--json", "--budget", "0s", "--runs", "1"]);
        command.args([
            "--param",
            "n=21",
            "--param",
            "m=37",
            "--cflags",
            "-O0 -fopenmp",
        ]);
        command.arg("--output").arg(&plan).arg("--log").arg(&log);
        command
    });
    assert_ne!(status, 0);
    let said = format!("{out}{messages}");
    assert!(
        said.contains("target: `opencl` there, nothing now"),
        "{said}"
    );
}

#[test]
fn blocks_are_searched_on_devices_only() {
    let file = program("tuned-where", BLUR);
    let (status, _, messages) = answer(&["tune", &file, "--space", "blocks"]);
    assert_eq!(status, 2, "{messages}");
    assert!(
        messages.contains("--space blocks is for devices"),
        "{messages}"
    );
}

/// The numbers behind a word in a text.
fn numbers_behind(text: &str, word: &str) -> Vec<i64> {
    let number = |rest: &str| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().expect("a number")
    };
    text.split(word).skip(1).map(number).collect()
}

/// Whatever a block may have, what is chosen fits without a second try; what has more, gets more.
#[test]
fn choices_are_within_limits() {
    let device = |(name, memory): &(&str, i64)| {
        let file = format!("examples/pipelines/{name}.c");
        let bytes = memory.to_string();
        let options = [
            "--target",
            "opencl",
            "--device",
            "h200",
            "--max-shared-memory",
            &bytes,
            "--emit",
            "device",
        ];
        let (text, messages) = compiled(&file, &options);
        assert!(
            !messages.contains("simpler plan") && !messages.contains("left as it was"),
            "{name} {memory}: {messages}"
        );
        let columns = numbers_behind(&text, "reqd_work_group_size(");
        assert!(!columns.is_empty() && columns.iter().all(|x| x % 32 == 0));
        let most = numbers_behind(&text, "tw_memory[").into_iter().max();
        assert!(most.is_some_and(|most| most <= *memory), "{text}");
        most
    };
    let all = [
        ("harris", 6 << 10),
        ("harris", 227 << 10),
        ("unsharp_mask", 6 << 10),
    ];
    let most: Vec<Option<i64>> = all.iter().map(device).collect();
    assert!(most[0] < most[1], "{most:?}");
}

#[test]
fn what_is_predicted_is_shown() {
    let options = ["--target", "cuda", "--device", "h200", "--json"];
    let harris = "examples/pipelines/harris.c";
    let (status, out, messages) = answer(&[&["explain", harris], &options[..]].concat());
    assert_eq!(status, 0, "{messages}");
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let why = &report["regions"][0]["why"];
    assert_eq!(why["unit"], "ns", "{out}");
    let groups = why["groups"].as_array().expect("groups");
    for part in ["traffic", "cleanup", "overlap", "extents"] {
        assert!(
            groups[0]["terms"][part].as_f64().is_some_and(|t| t >= 0.0),
            "{out}"
        );
    }
    // A launch is waited for in each of them.
    assert!(
        groups
            .iter()
            .all(|g| g["terms"]["cleanup"].as_f64() >= Some(3000.0)),
        "{out}"
    );
}
