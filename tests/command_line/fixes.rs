//! `compile --fix`: what messages offer, put into the file.

use super::place::{Place, SCALE};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// A program whose region may write what it reads, for all that is known.
const PICK: &str = "\
#include <stdio.h>
void pick(int n, int *a, const int *b, const int *at)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] += b[at[at[i]]];
#pragma endscop
}
int main(void)
{
    int a[8] = {0}, b[8], at[8];
    for (int i = 0; i < 8; i++) {
        b[i] = 3 * i + 1;
        at[i] = i * i % 8;
    }
    pick(8, a, b, at);
    for (int i = 0; i < 8; i++)
        printf(\"%d \", a[i]);
    return 0;
}
";

/// Builds a program and gives what it prints.
fn printed(place: &Place, file: &str) -> String {
    let program = place.path("program");
    let mut compiler = Command::new("gcc");
    compiler.arg("-O2").arg("-fopenmp").arg(place.path(file));
    compiler.arg("-o").arg(&program).arg("-lm");
    assert!(compiler.status().unwrap().success(), "gcc builds {file}");
    let output = Command::new(&program).output().unwrap();
    assert!(output.status.success(), "{file} runs");
    fs::remove_file(program).unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// What is put in is what messages offer; original, fixed file and result print the same.
#[test]
fn rewrites_stay_where_messages_go() {
    let several = PICK.replace("const int *at)", "const int *at, int *more)");
    let several = several.replace("]]];", "]]], more[i] += b[at[at[i]]];");
    let several = several.replace("pick(8, a, b, at)", "int c[8] = {0}; pick(8, a, b, at, c)");
    let fixed = PICK.replace("int *a,", "int *const a,");
    let rows = PICK.replace("int *a,", "int a[],");
    let two = PICK.replace(
        "int main",
        "static void other(int m, long x[], int y[m], long *z)
{
#pragma scop
    for (int i = 0; i < m; i++)
        x[i] = z[y[y[i]]];
#pragma endscop
}
int main",
    );
    let two = two.replace(
        "    return 0;",
        "    long x[8] = {0}, z[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    other(8, x, at, z);
    for (int i = 0; i < 8; i++)
        printf(\"%ld \", x[i]);
    return 0;",
    );
    let nested = PICK.replace(
        "#pragma endscop",
        "#pragma scop\n    for (int i = 1; i < n; i++)\n        a[at[at[i]]] += i;\n#pragma endscop",
    );
    for (text, code, fixed) in [
        (PICK, "TW0206", &["int *restrict a, const int *b"][..]),
        (
            &several,
            "TW0206",
            &["int *restrict a", "int *restrict more"],
        ),
        (&fixed, "TW0206", &["int *restrict const a"]),
        (&rows, "TW0206", &["int a[restrict]"]),
        (&two, "TW0206", &["int *restrict a", "long x[restrict]"]),
        (
            &nested,
            "TW0105",
            &["#pragma endscop\n#pragma scop", "int *restrict a"],
        ),
    ] {
        let place = Place::new();
        place.write("pick.c", text);
        let said = place.run("compile pick.c -o out.c");
        assert!(said.stderr.contains(code), "{text} {said:?}");
        let before = printed(&place, "pick.c");
        let said = place.run("compile pick.c --fix -o out.c").status(0);
        assert!(!said.stderr.contains("warning"), "{said:?}");
        assert_eq!(said.stderr.lines().count(), fixed.len(), "{said:?}");
        let now = place.read("pick.c");
        for words in fixed {
            assert!(now.contains(words), "{words}: {now}");
        }
        let promises = said.stderr.matches("the program now promises").count();
        assert_eq!(promises, now.matches("restrict").count(), "{said:?}");
        assert_eq!(printed(&place, "pick.c"), before);
        assert_eq!(printed(&place, "out.c"), before);
        // There is nothing more to do.
        let again = place.run("compile pick.c --fix -o again.c").status(0);
        assert_eq!(again.stderr, "");
        assert_eq!(place.read("pick.c"), now);
        assert_eq!(place.read("again.c"), place.read("out.c"));
        assert_eq!(place.names(), ["again.c", "out.c", "pick.c", "scale.c"]);
    }
}

/// One mistake hides the next: what comes to light is put right as well.
#[test]
fn mistakes_behind_mistakes() {
    let place = Place::new();
    let wrong = SCALE.replace("+ 1;", "+ more(i)");
    let wrong = wrong.replace(
        "void scale",
        "static int more(int i) { return i + 1 }\nvoid scale",
    );
    let wrong = wrong.replace("#pragma endscop", "#pragma endscop\n    out[0] = 7");
    place.write("wrong.c", &wrong);
    let said = place.run("compile wrong.c --fix -o out.c --json").status(0);
    let report = said.json();
    assert_eq!(report["fixed"].as_array().unwrap().len(), 3);
    assert_eq!(report["fixed"][0]["code"], "TW0104");
    assert_eq!(report["fixed"][0]["line"], 2);
    let right = wrong
        .replace("i + 1 }", "i + 1; }")
        .replace("+ more(i)", "+ more(i);")
        .replace("= 7", "= 7;");
    assert_eq!(place.read("wrong.c"), right);
}

/// A file with nothing to fix is not written at all.
#[test]
fn nothing_to_fix() {
    let place = Place::new();
    let text = SCALE.replace('\n', "\r\n");
    place.write("scale.c", &text);
    let written = || {
        fs::metadata(place.path("scale.c"))
            .unwrap()
            .modified()
            .unwrap()
    };
    let before = written();
    let said = place.run("compile scale.c --fix -o out.c --json").status(0);
    assert_eq!(said.stderr, "");
    assert_eq!(said.json()["fixed"].as_array().map(Vec::len), Some(0));
    assert_eq!(place.read("scale.c"), text);
    assert_eq!(written(), before);
}

/// Nothing is written where the file would be refused, for whatever reason.
#[test]
fn refused_in_spite_of_everything() {
    let place = Place::new();
    place.write("out.c", "precious");
    let missing = PICK.replace("]]];", "]]] + missing;");
    let syntax = PICK
        .replace("]]];", "]]]")
        .replace("return 0;", "return (;");
    for (text, code) in [(&missing, "TW0211"), (&syntax, "TW0104")] {
        place.write("pick.c", text);
        place
            .run("compile pick.c --fix -o out.c")
            .status(1)
            .says(code);
        assert_eq!(&place.read("pick.c"), text);
        assert_eq!(place.read("out.c"), "precious");
    }
    // A mistake of the command line, and a file that may not be replaced.
    place.write("pick.c", PICK);
    place
        .run("compile pick.c --fix --estimate zzz=4 -o out.c")
        .status(2);
    place.run("compile pick.c --fix -o nowhere/out.c").status(1);
    place
        .run("compile pick.c --fix -o pick.c")
        .status(1)
        .says("TW0102");
    assert_eq!(place.read("pick.c"), PICK);
    fs::set_permissions(place.path("pick.c"), fs::Permissions::from_mode(0o444)).unwrap();
    let said = place.run("compile pick.c --fix -o out.c").status(1);
    said.says("TW0102").says("pick.c");
    assert_eq!(place.read("pick.c"), PICK);
    place
        .run("compile none.c --fix -o out.c")
        .status(1)
        .says("TW0101");
    assert_eq!(place.read("out.c"), "precious");
}

/// What comes from a macro or a header is nobody's to change here; comments are not lost.
#[test]
fn words_from_elsewhere_stay() {
    let place = Place::new();
    let header = "#define OUT int *a\n#define NUMBER int\n#define HEAD void pick(int n, int *a,\n";
    place.write("words.h", header);
    place.write(
        "arguments.h",
        "int n, int *a, const int *b, const int *at\n",
    );
    for (from, to) in [
        ("int *a,", "OUT,"),
        ("int *a,", "NUMBER *a,"),
        ("void pick(int n, int *a,", "HEAD"),
        ("int *a,", "int *a /* sums */,"),
        ("int *a,", "int /* sums */ *a,"),
        ("int *a,", "int a[static 1],"),
        (
            "(int n, int *a, const int *b, const int *at)",
            "(\n#include \"arguments.h\"\n)",
        ),
    ] {
        let text = PICK.replacen(from, to, 1);
        let text = format!("#include \"words.h\"\n{text}");
        assert!(text.contains(to));
        place.write("pick.c", &text);
        let behind = to.starts_with("int *a /*");
        let said = place.run("compile pick.c --fix -o out.c").status(0);
        if behind {
            // The comment stands behind what is replaced.
            let fixed = text.replacen("int *a /*", "int *restrict a /*", 1);
            assert_eq!(place.read("pick.c"), fixed);
        } else {
            said.says("warning[TW0206]");
            assert_eq!(place.read("pick.c"), text, "{to}");
        }
        assert_eq!(place.read("words.h"), header);
    }
}

/// Headers are found beside the file, from wherever the command is called, and a name that is a
/// symbolic link stays one.
#[test]
fn files_in_other_folders() {
    let place = Place::new();
    fs::create_dir(place.path("code")).unwrap();
    place.write("code/types.h", "typedef int number;\n");
    let text = PICK.replace("int *a,", "number *a,");
    place.write("code/pick.c", &format!("#include \"types.h\"\n{text}"));
    std::os::unix::fs::symlink(place.path("code/pick.c"), place.path("link.c")).unwrap();
    place
        .run("compile link.c -I code --fix -o out.c")
        .status(0)
        .says("link.c:3:18: TW0206");
    assert!(place.path("link.c").is_symlink());
    assert!(
        place
            .read("code/pick.c")
            .contains("(int n, number *restrict a, const int *b")
    );
    place.write("code/pick.c", &format!("#include \"types.h\"\n{text}"));
    place
        .run("compile code/pick.c --fix -o out.c")
        .status(0)
        .says("code/pick.c:3:18: TW0206");
    assert!(
        place
            .read("code/pick.c")
            .contains("(int n, number *restrict a, const int *b")
    );
}

/// A rewrite with which its message stays is taken back, and the next of the same words is tried.
#[test]
fn rewrites_that_do_not_help() {
    let place = Place::new();
    // The copy is made of the same pointer: that is `restrict` in vain.
    let copied = "void pick(int n, int *a)
{
    int *b = a;
#pragma scop
    for (int i = 0; i < n; i++)
        a[i * i] += b[i * i + n];
#pragma endscop
}
";
    let second = PICK.replace("pick(", "other(");
    place.write("two.c", &format!("{copied}{second}"));
    let said = place.run("compile two.c --fix -o out.c").status(0);
    said.says("warning[TW0206]")
        .says("two.c:10:19: TW0206: `int *restrict a`");
    let now = place.read("two.c");
    assert!(now.starts_with(copied), "{now}");
    assert!(now.contains("other(int n, int *restrict a, const"), "{now}");
    place.write("one.c", copied);
    let said = place.run("compile one.c --fix -o out.c").status(0);
    said.says("one.c: nothing is put in");
    assert_eq!(place.read("one.c"), copied);
}

/// A promise is made only where it makes a difference; where it makes none, a line says what is in the
/// way.
#[test]
fn promises_that_make_no_difference() {
    // With the promise there is a model, and one thread has nothing to do in another order.
    let chain = "int keep(int n, const int *a, int *kept, int *at)
{
    int found = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] > found) {
            *at = i;
            kept[*at] = i;
            found = a[i];
        }
#pragma endscop
    return found;
}
";
    let second = PICK.replace("pick(", "other(");
    let place = Place::new();
    place.write("one.c", chain);
    let said = place.run("compile one.c --fix -o out.c").status(0);
    said.says("one.c:1:31: TW0206: `int *restrict kept` is not put in: the region would be left as it was all the same: ")
        .says("warning[TW0206]");
    assert_eq!(place.read("one.c"), chain);
    // Others stay.
    place.write("two.c", &format!("{chain}{second}"));
    let said = place.run("compile two.c --fix -o out.c --json").status(0);
    let report = said.json();
    assert_eq!(report["fixed"].as_array().map(Vec::len), Some(1));
    assert_eq!(report["fixed"][0]["rewrite"], "int *restrict a");
    let now = place.read("two.c");
    assert!(now.starts_with(chain), "{now}");
    assert!(now.contains("other(int n, int *restrict a, const"), "{now}");
}
