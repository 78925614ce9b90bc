//! What goes wrong, with which status, and in which words.

use super::place::{Ended, Place, SCALE};
use std::fs;

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
    place.write("shift.c", &SCALE.replace("out[i] =", "out[i] = shift +"));
    place.run("compile shift.c -o out.c").status(1);
    assert_eq!(place.read("out.c"), "precious");
    let report = place
        .run("compile shift.c -o out.c --json")
        .status(1)
        .json();
    let first = &report["diagnostics"][0];
    assert_eq!(first["code"], "TW0211");
    assert_eq!(first["severity"], "error");
    assert_eq!(first["file"], "shift.c");
    assert_eq!(first["line"], 6);
}

/// A file without a region is named; what no plan can do is said once.
#[test]
fn messages_name_files_and_come_once() {
    let place = Place::new();
    place.write("none.c", "int x;\n");
    place
        .run("compile none.c -o out.c")
        .status(1)
        .says("error[TW0106]: none.c has no marked region");
    let text = "void f(int n, float *a, float *b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i] += b[j];
#pragma endscop
}
";
    place.write("plain.c", text);
    let said = place.run("compile plain.c --target cuda -o out.c");
    let said = said.status(0).says("nothing of it runs on the device");
    let warnings = said.stderr.matches("warning[").count();
    assert_eq!(warnings, 1, "{said:?}");
    let said = place.run("compile plain.c --target cuda --emit device -o out.cu");
    said.status(1)
        .says("no region of the file runs on the device");
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

/// The same builds with other values: what is wrong only there is found, and named.
#[test]
fn differences_at_another_size_end_with_3() {
    let place = Place::new();
    place.write_behind_region(
        "odd.c",
        "    static int x;\n    if (n == 50)\n        out[n - 1] = (long)&x;",
    );
    let same = "run odd.c --param n=40 --param gain=0.25 --also n=41 --runs 0 --json";
    let report = place.run(same).status(0).json();
    assert_eq!(report["identical"], true);
    assert_eq!(report["also"][0]["params"]["n"], 41);
    assert_eq!(report["also"][0]["params"]["gain"], 0.25);
    let ended = place
        .run("run odd.c --param n=40 --also n=50 --also n=60,gain=2 --runs 0 --json")
        .status(3);
    let report = ended.json();
    assert_eq!(report["identical"], false);
    assert!(report["max_abs_diff"].as_f64().unwrap() > 0.0);
    assert_eq!(report["also"][0]["identical"], false);
    assert_eq!(report["also"][1]["identical"], true);
    assert_eq!(report["also"][1]["params"]["gain"], 2);
    ended.says("1 of 50 elements of `out`; first out[49]: ");
    place
        .run("run odd.c --param n=40 --also m=50")
        .status(2)
        .says("has no scalar `m`");
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

/// Arrays of which nothing says how long they are.
#[test]
fn no_values_without_bounds() {
    let place = Place::new();
    let text = "void look(int n, const int *from, const int at[n], int to[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        to[i] = from[at[i] * at[i]];
#pragma endscop
}
";
    place.write("look.c", text);
    place
        .run("run look.c --param n=10")
        .status(1)
        .says("no value can be made up for `from` of `look`")
        .says("declare `from` as an array with its extents");
}
