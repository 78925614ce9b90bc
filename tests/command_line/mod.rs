//! The command as scripts see it: exit statuses, streams, files, the JSON contract.

mod builds;
mod cache;
mod calibrate;
mod crashes;
mod fixes;
mod hostile;
mod others;
mod parts;
mod place;
mod refusals;
mod remarks;
mod tiles;
mod tune;

use place::{Ended, Place, SCALE};
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};

#[test]
fn compile_writes_a_file() {
    let place = Place::new();
    let ended = place.run("compile scale.c -o out.c").status(0);
    assert_eq!(ended.stdout, "");
    let text = place.read("out.c");
    assert!(
        text.starts_with("#include <math.h>\n") && text.contains("\nvoid scale(int n, double gain"),
        "{text}"
    );
    assert_ne!(text, SCALE);
    assert_eq!(place.run("compile scale.c").status(0).stdout, text);
    assert_eq!(place.run("compile scale.c -o -").status(0).stdout, text);
    assert_eq!(place.names(), ["out.c", "scale.c"]);
}

#[test]
fn options_reach_the_preprocessor() {
    let place = Place::new();
    fs::create_dir(place.path("include")).unwrap();
    place.write("include/types.h", "typedef REAL real;\n");
    place.write(
        "typed.c",
        &format!("#include \"types.h\"\n{}", SCALE.replace("double", "real")),
    );
    place
        .run("compile typed.c -o out.c")
        .status(1)
        .says("TW0103")
        .says("types.h");
    place
        .run("compile typed.c -I include -D REAL=float -o out.c")
        .status(0);
    place
        .run("run typed.c -I include -DREAL=float --param n=10 --runs 0")
        .status(0);
}

#[test]
fn plans_go_round() {
    let place = Place::new();
    place
        .run("compile scale.c --emit plan -o plan.toml --tile-sizes 64")
        .status(0);
    let plan = place.read("plan.toml");
    assert!(
        plan.contains("version = 1") && plan.contains("64"),
        "{plan}"
    );
    let again = place
        .run("compile scale.c --emit plan --plan plan.toml")
        .status(0);
    assert_eq!(again.stdout, plan);
    assert_eq!(
        place
            .run("compile scale.c --plan plan.toml")
            .status(0)
            .stdout,
        place
            .run("compile scale.c --tile-sizes 64")
            .status(0)
            .stdout
    );
    let legal = place.run("check scale.c --plan plan.toml").status(0);
    assert_eq!(
        legal.stdout,
        "plan.toml is legal for scale.c: 1 region, 1 group\n"
    );
    assert_eq!(
        place
            .run("check scale.c --plan plan.toml --json")
            .status(0)
            .json()["legal"],
        true
    );

    place.write(
        "bad.toml",
        &plan.replace("version = 1", "version = 1\nfancy = 2"),
    );
    place
        .run("check scale.c --plan bad.toml")
        .status(1)
        .says("TW0401")
        .says("fancy");
    place
        .run("check scale.c --plan none.toml")
        .status(1)
        .says("TW0401")
        .says("none.toml");
    place.run("check scale.c").status(2).says("--plan");
    place
        .run("compile scale.c --plan plan.toml --shape none")
        .status(2);
    let overwriting = place.run("compile scale.c --plan plan.toml -o plan.toml");
    overwriting.status(1).says("TW0102");
    assert_eq!(place.read("plan.toml"), plan);
}

#[test]
fn reports_can_be_json() {
    let place = Place::new();
    let report = place
        .run("compile scale.c -o out.c --json")
        .status(0)
        .json();
    assert_eq!(report["regions"][0]["function"], "scale");
    assert!(report["compile_ms"].is_number());
    place
        .run("compile scale.c --json")
        .status(2)
        .says("--output");
    let report = place.run("explain scale.c --json").status(0).json();
    assert_eq!(report["regions"][0]["stages"][0]["name"], "out");
    assert_eq!(report["plan"]["version"], 1);
}

#[test]
fn explain_takes_files_and_codes() {
    let place = Place::new();
    let text = place.run("explain scale.c").status(0).stdout;
    assert!(
        text.contains("Region 0 in `scale`") && text.contains("tile sizes"),
        "{text}"
    );
    let text = place.run("explain TW0203").status(0).stdout;
    assert!(
        text.starts_with("TW0203: A loop bound or condition that is not affine"),
        "{text}"
    );
    let text = place.run("explain tw0101").status(0).stdout;
    assert_eq!(text, "TW0101: The input file cannot be read.\n");
    place.run("explain TW7777").status(2).says("TW0101");
}

#[test]
fn emitted_forms() {
    let place = Place::new();
    for form in ["scop", "schedule"] {
        let text = place
            .run(&format!("compile scale.c --emit {form}"))
            .status(0)
            .stdout;
        assert!(text.starts_with("# region 0 in function scale\n"), "{text}");
        assert!(text.lines().count() >= 2);
    }
}

#[test]
fn run_keeps_its_json_contract() {
    let place = Place::new();
    let line = "run scale.c --param n=5000 --param gain=0.25 --threads 2 --shape parallelogram \
                --runs 3 --seed 7 --json";
    let ended = place.run(line).status(0);
    let report = ended.json();
    assert_eq!(report["identical"], true);
    assert_eq!(report["max_abs_diff"], 0.0);
    assert_eq!(report["threads"], 2);
    let number = |side: &str, what: &str| report[side][what].as_f64().unwrap();
    for side in ["original_ms", "result_ms"] {
        assert!(number(side, "median") > 0.0);
        assert!(number(side, "min") <= number(side, "median"));
        assert_eq!(report[side]["runs"], 3);
    }
    let ratio = number("original_ms", "median") / number("result_ms", "median");
    assert!((report["speedup"].as_f64().unwrap() - ratio).abs() < 1e-9 * ratio);
    assert_eq!(report["params"]["n"], 5000);
    assert_eq!(report["params"]["gain"], 0.25);
    assert_eq!(report["seed"], 7);
    assert_eq!(report["regions"][0]["groups"][0]["shape"], "parallelogram");
    assert_eq!(ended.stderr, "", "nothing but the object");
}

#[test]
fn run_reports_to_people() {
    let place = Place::new();
    let text = place
        .run("run scale.c --param n=5000 --runs 3 --threads 1")
        .status(0)
        .stdout;
    for words in [
        "shape",
        "scale(n = 5000, gain = 0.5), gain by default, 1 thread\n",
        "original",
        "median",
        " identical to the original\n",
    ] {
        assert!(text.contains(words), "no `{words}` in:\n{text}");
    }
}

#[test]
fn runs_are_fair_on_demand() {
    let place = Place::new();
    let fair = "run scale.c --param n=5000 --runs 1 --threads 1 --fair";
    let text = place.run(fair).status(0).stdout;
    assert!(text.contains("than the fastest original: "), "{text}");
    let report = place.run(&format!("{fair} --json")).status(0).json();
    let builds = report["fair"]["builds"].as_array().unwrap();
    assert_eq!(builds[0]["compiler"], "gcc");
    assert_eq!(builds[0]["original"]["runs"], 1);
    assert!(report["fair"]["speedup"].as_f64().unwrap() > 0.0);
    let nothing = "run scale.c --param n=5000 --runs 0 --fair";
    place.run(nothing).status(2).says("--fair times builds");
}

/// The original is called to compare, and not timed.
#[test]
fn results_are_timed_alone_on_demand() {
    let place = Place::new();
    let alone = "run scale.c --param n=5000 --runs 2 --threads 1 --alone";
    let report = place.run(&format!("{alone} --json")).status(0).json();
    assert_eq!(report["identical"], true);
    assert_eq!(report["result_ms"]["runs"], 2);
    for what in ["original_ms", "speedup", "timed_max_abs_diff"] {
        assert_eq!(report[what], Value::Null, "{what}");
    }
    let text = place.run(alone).status(0).stdout;
    assert!(
        text.contains("result") && !text.contains("faster"),
        "{text}"
    );
    assert!(text.ends_with(" identical to the original\n"), "{text}");
    // Who prepares several runs at a time lets them go on one after the other.
    let mut hold = place.command(&format!("{alone} --hold --json"));
    hold.stdin(Stdio::null());
    let held = Ended::new(hold).status(0);
    let report = held.stdout.strip_prefix("compared\n");
    let report: Value = serde_json::from_str(report.expect("it says so")).unwrap();
    assert_eq!(report["result_ms"]["runs"], 2);
    place
        .run(&format!("{alone} --fair"))
        .status(2)
        .says("cannot be used with");
}

#[test]
fn only_comparing_is_possible() {
    let place = Place::new();
    let report = place
        .run("run scale.c --param n=17 --runs 0 --json")
        .status(0)
        .json();
    assert_eq!(report["identical"], true);
    assert_eq!(report["original_ms"], Value::Null);
}

#[test]
fn arrays_go_to_files_and_come_from_them() {
    let place = Place::new();
    let run = |more: &str| place.run(&format!("run scale.c --param n=9 --runs 0 {more}"));
    run("--output out=a.npy --output in=in.npy").status(0);
    run("--seed 2 --input in=in.npy --output out=b.npy").status(0);
    assert_eq!(
        fs::read(place.path("a.npy")).unwrap(),
        fs::read(place.path("b.npy")).unwrap()
    );
    run("--input in=none.npy")
        .status(1)
        .says("TW0505")
        .says("none.npy");
    run("--input zzz=in.npy")
        .status(2)
        .says("`zzz`")
        .says("out, in");
    run("--input in=in.txt").status(2).says(".npy");
    run("--output out=a.png").status(1).says("TW0102");
    assert!(!place.path("a.png").exists());
}

#[test]
fn a_test_chart_becomes_a_picture() {
    let place = Place::new();
    place.write(
        "invert.c",
        "void invert(int n, int m, float out[restrict 3][n][m], \
         const float in[restrict 3][n][m])\n{\n#pragma scop\n    for (int c = 0; c < 3; c++)\n\
         for (int i = 0; i < n; i++)\nfor (int j = 0; j < m; j++)\n\
         out[c][i][j] = 1 - in[c][i][j];\n#pragma endscop\n}\n",
    );
    let run = |more: &str| place.run(&format!("run invert.c --param n=60 --runs 0 {more}"));
    run("--param m=80 --output out=out.png").status(0);
    assert!(
        fs::read(place.path("out.png"))
            .unwrap()
            .starts_with(b"\x89PNG")
    );
    let overwriting = run("--param m=80 --output out=out.png --input in=out.png");
    overwriting.status(1).says("TW0102").says("an input");
    run("--param m=90 --output out=b.png --input in=out.png")
        .status(0)
        .says("out.png has 80×60 pixels, `in` 90×60: continued at the edges");
}

#[test]
fn colours_only_where_asked() {
    let place = Place::new();
    assert!(
        !place
            .run("compile none.c")
            .status(1)
            .stderr
            .contains('\x1b')
    );
    assert!(
        place
            .run("compile none.c --color always")
            .status(1)
            .stderr
            .contains('\x1b')
    );
}

#[test]
fn closed_pipes_are_no_failure() {
    let place = Place::new();
    let mut command = Command::new("bash");
    let line = format!(
        "set -o pipefail; {} --emit scop scale.c | true",
        "\"$0\" compile"
    );
    command
        .args(["-c", &line, env!("CARGO_BIN_EXE_tilewright")])
        .current_dir(place.0.path());
    assert_eq!(Ended::new(command).status(0).stderr, "");
}
