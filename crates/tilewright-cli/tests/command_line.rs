//! The command as scripts see it: exit statuses, streams, files, the JSON contract.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

const SCALE: &str = "\
#include <math.h>
void scale(int n, double gain, double out[restrict n], const double in[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = gain * in[i] + 1;
#pragma endscop
}
";

/// A directory with a file `scale.c`.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        place.write("scale.c", SCALE);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// `scale.c` with `more` behind its region.
    fn write_behind_region(&self, name: &str, more: &str) {
        self.write(
            name,
            &SCALE.replace("#pragma endscop", &format!("#pragma endscop\n{more}")),
        );
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Names of everything in the directory.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn run(&self, line: &str) -> Ended {
        Ended::new(self.command(line))
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
        command
            .args(line.split_whitespace())
            .current_dir(self.0.path());
        command.env_remove("CC").env_remove("NO_COLOR");
        command.env("TILEWRIGHT_MACHINE", "none");
        command
    }
}

#[derive(Debug)]
struct Ended {
    status: i32,
    stdout: String,
    stderr: String,
}

impl Ended {
    fn new(mut command: Command) -> Ended {
        let Output {
            status,
            stdout,
            stderr,
        } = command.output().unwrap();
        Ended {
            status: status.code().expect("not ended by a signal"),
            stdout: String::from_utf8(stdout).unwrap(),
            stderr: String::from_utf8(stderr).unwrap(),
        }
    }

    #[track_caller]
    fn status(self, status: i32) -> Ended {
        assert_eq!(self.status, status, "{self:#?}");
        self
    }

    #[track_caller]
    fn says(self, words: &str) -> Ended {
        assert!(
            self.stderr.contains(words),
            "no `{words}` in:\n{}",
            self.stderr
        );
        self
    }

    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).expect("one JSON object")
    }
}

#[test]
fn compile_writes_a_file() {
    let place = Place::new();
    let ended = place.run("compile scale.c -o out.c").status(0);
    assert_eq!(ended.stdout, "");
    let text = place.read("out.c");
    assert!(
        text.starts_with("#include <math.h>\nvoid scale(int n, double gain"),
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
fn wrong_command_lines_end_with_2() {
    let place = Place::new();
    for line in [
        "",
        "frobnicate",
        "compile",
        "compile scale.c --no-such-option",
        "compile scale.c -o",
        "compile scale.c --shape pentagon",
        "compile scale.c --tile-sizes 3,x",
        "compile scale.c --tile-sizes=-4",
        "compile scale.c --estimate n",
        "compile scale.c --estimate zzz=5",
        "compile scale.c --cache-l1 big",
        "compile scale.c --group-limit 0",
        "run scale.c --param n",
        "run scale.c --param n=ten",
        "run scale.c --param n=99999999999",
        "run scale.c --param n=4 --param n=5",
        "run scale.c --param n=4 --param zzz=5",
        "run scale.c --param n=4 --function other",
        "run scale.c --param n=4 --threads 0",
        "run scale.c --param n=4 --time-limit=-1",
        "run scale.c --param n=4 --fill nonsense",
    ] {
        let ended = place.run(line).status(2);
        assert!(
            !ended.stderr.is_empty() && ended.stdout.is_empty(),
            "{line}: {ended:?}"
        );
    }
    assert_eq!(place.names(), ["scale.c"]);
}

#[test]
fn missing_parameters_are_listed() {
    let place = Place::new();
    place.write(
        "two.c",
        &SCALE.replace("(int n, double gain", "(int n, long m, double gain"),
    );
    let ended = place.run("run two.c").status(2);
    insta::assert_snapshot!(ended.stderr);
    let report = place.run("run two.c --param n=4 --json").status(2).json();
    assert_eq!(report["diagnostics"][0]["code"], "TW0504");
}

#[test]
fn help_goes_to_standard_output() {
    let place = Place::new();
    for line in ["--help", "run --help", "compile -h", "--version"] {
        let ended = place.run(line).status(0);
        assert!(!ended.stdout.is_empty() && ended.stderr.is_empty());
    }
    assert!(!place.run("--help").stdout.contains("measure"));
}

#[test]
fn files_that_cannot_be_read_or_written() {
    let place = Place::new();
    place
        .run("compile none.c -o out.c")
        .status(1)
        .says("TW0101")
        .says("none.c");
    place
        .run("compile . -o out.c")
        .status(1)
        .says("TW0101")
        .says("directory");
    place
        .run("compile scale.c -o nowhere/out.c")
        .status(1)
        .says("TW0102");
    fs::create_dir(place.path("directory")).unwrap();
    place
        .run("compile scale.c -o directory")
        .status(1)
        .says("TW0102")
        .says("directory");
    place
        .run("compile scale.c -o scale.c")
        .status(1)
        .says("TW0102")
        .says("input");
    place
        .run("compile scale.c -o ./directory/../scale.c")
        .status(1)
        .says("TW0102");
    assert_eq!(place.read("scale.c"), SCALE);
    fs::write(place.path("latin1.c"), b"/* caf\xe9 */\n").unwrap();
    place
        .run("compile latin1.c -o out.c")
        .status(1)
        .says("not UTF-8");
    place.write("empty.c", "");
    place
        .run("compile empty.c -o out.c")
        .status(1)
        .says("TW0106");
    assert!(!place.path("out.c").exists());
}

#[test]
fn refused_programs_leave_the_output_alone() {
    let place = Place::new();
    place.write("out.c", "precious");
    place.write(
        "break.c",
        &SCALE.replace("out[i] =", "if (n > 3) break; else out[i] ="),
    );
    place.run("compile break.c -o out.c").status(1);
    assert_eq!(place.read("out.c"), "precious");
    let report = place
        .run("compile break.c -o out.c --json")
        .status(1)
        .json();
    let first = &report["diagnostics"][0];
    assert_eq!(first["code"], "TW0201");
    assert_eq!(first["severity"], "error");
    assert_eq!(first["file"], "break.c");
    assert_eq!(first["line"], 6);
}

#[test]
fn crashes_and_endless_loops_are_reported() {
    let place = Place::new();
    place.write_behind_region("crash.c", "    *(volatile int *)8 = 1;");
    place
        .run("run crash.c --param n=4")
        .status(1)
        .says("TW0502")
        .says("the original crashed");
    place.write_behind_region("endless.c", "    for (volatile int x = 1; x;) ;");
    let ended = place
        .run("run endless.c --param n=4 --time-limit 0.3")
        .status(1);
    ended
        .says("TW0502")
        .says("did not come to an end within 0.3 s");
}

#[test]
fn differences_end_with_3() {
    let place = Place::new();
    // Not the compiler's doing: no two loaded versions have the same addresses.
    place.write_behind_region("odd.c", "    static int x;\n    out[n - 1] = (long)&x;");
    let ended = place
        .run("run odd.c --param n=40 --runs 1 --json")
        .status(3);
    let report = ended.json();
    assert_eq!(report["identical"], false);
    assert!(report["max_abs_diff"].as_f64().unwrap() > 0.0);
    assert!(report["speedup"].is_number());
    ended
        .says("TW0503")
        .says("1 of 40 elements of `out`; first out[39]: ");
}

#[test]
fn c_compiler_problems_are_reported() {
    let place = Place::new();
    place
        .run("compile scale.c --cc no-such-cc")
        .status(1)
        .says("TW0501")
        .says("no-such-cc");
    let mut command = place.command("run scale.c --param n=4");
    command.env("CC", "no-such-cc");
    Ended::new(command)
        .status(1)
        .says("TW0501")
        .says("no-such-cc");
    place
        .run("run scale.c --param n=4 --cflags -fno-such-flag")
        .status(1)
        .says("TW0501");
    place
        .run("run scale.c --param n=4 --runs 1 --cflags -O1")
        .status(0);
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

const BLUR: &str = "\
void blur(int n, float out[restrict n], const float in[restrict n + 2])
{
    float h[n + 1];
#pragma scop
    for (int i = 0; i < n + 1; i++)
        h[i] = in[i] + in[i + 1];
    for (int i = 0; i < n; i++)
        out[i] = h[i] + h[i + 1];
#pragma endscop
}
";

#[test]
fn view_draws_to_a_file_or_standard_output() {
    let place = Place::new();
    place.write("blur.c", BLUR);
    let printed = place.run("view blur.c --tile-sizes 8");
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    assert!(printed.stdout.starts_with("<svg xmlns="));
    let written = place.run("view blur.c --tile-sizes 8 -o blur.svg");
    assert_eq!((written.status, &*written.stdout), (0, ""));
    assert_eq!(place.read("blur.svg"), printed.stdout);
    let untiled = place.run("view scale.c");
    assert_eq!(untiled.status, 0);
    assert!(untiled.stdout.contains("no picture"));
}

#[test]
fn view_refuses_what_it_cannot_draw() {
    let place = Place::new();
    place.write("blur.c", BLUR);
    let unknown = place.run("view blur.c --dimension z -o blur.svg");
    assert_eq!(unknown.status, 2, "{}", unknown.stderr);
    assert!(unknown.stderr.contains("TW0302"));
    assert!(unknown.stderr.contains("out has no dimension `z`"));
    assert!(unknown.stderr.contains("`--dimension` i"));
    let over_itself = place.run("view blur.c -o blur.c");
    assert_eq!(over_itself.status, 1);
    assert!(over_itself.stderr.contains("TW0102"));
    assert_eq!(place.names(), ["blur.c", "scale.c"]);
}

/// Overlapped columns or rows with ordinary tiles in the other dimension, at sizes that tiles
/// divide and that they do not, bit for bit.
#[test]
fn hybrid_tiles_compute_the_same() {
    let place = Place::new();
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/pipelines");
    place.write("figure.c", FIGURE);
    for (file, options) in [
        (
            format!("{examples}/harris.c"),
            "--overlap 1 --tile-sizes 8,16",
        ),
        (
            format!("{examples}/harris.c"),
            "--overlap 0 --tile-sizes 8,16",
        ),
        (
            format!("{examples}/unsharp_mask.c"),
            "--overlap 2 --tile-sizes 8,16",
        ),
        (format!("{examples}/unsharp_mask.c"), "--overlap 2"),
        ("figure.c".to_owned(), "--overlap 1 --tile-sizes 4,8"),
        ("figure.c".to_owned(), "--overlap 0 --tile-sizes 4,8"),
    ] {
        let explained = place.run(&format!("explain {file} {options}")).status(0);
        assert!(explained.stdout.contains(" in sequence"), "{explained:#?}");
        for size in ["--param R=32 --param C=64", "--param R=37 --param C=59"] {
            place
                .run(&format!("run {file} {options} {size} --runs 0"))
                .status(0);
        }
    }
}

/// A chain whose second stage has half the rows.
const FIGURE: &str = "\
void figure(int R, int C, float out[restrict R][C], const float in[restrict R][C])
{
    float a[R][C], half[R / 2 + 1][C], b[R][C];
#pragma scop
    for (int i = 0; i < R; i++)
        for (int j = 1; j < C - 1; j++)
            a[i][j] = in[i][j - 1] + in[i][j + 1];
    for (int i = 1; i < R / 2 - 1; i++)
        for (int j = 1; j < C - 1; j++)
            half[i][j] = a[2 * i - 1][j] + 2 * a[2 * i][j] + a[2 * i + 1][j];
    for (int i = 4; i < R - 4; i++)
        for (int j = 1; j < C - 1; j++)
            b[i][j] = half[i / 2][j] + half[(i + 1) / 2][j];
    for (int i = 6; i < R - 6; i++)
        for (int j = 3; j < C - 3; j++)
            out[i][j] = b[i - 2][j - 2] + b[i + 2][j + 2];
#pragma endscop
}
";
