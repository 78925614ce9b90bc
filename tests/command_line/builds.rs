//! `tilewright cc` in front of a compiler: what comes out of builds.

use super::place::Place;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

const TILEWRIGHT: &str = env!("CARGO_BIN_EXE_tilewright");

/// A product of matrices and what prints its sum; `scale.h` is beside it.
const PRODUCT: &str = r#"#include <stdio.h>
#include "scale.h"
double a[300][300], b[300][300], c[300][300];
void product(int n) {
    int i, j, k;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            c[i][j] = 0;
            for (k = 0; k < n; k++)
                c[i][j] += SCALE * a[i][k] * b[k][j];
        }
}
int line(void) { return __LINE__; }
const char *file(void) { return __FILE__; }
"#;

const MAIN: &str = r#"#include <stdio.h>
extern double a[300][300], b[300][300], c[300][300];
void product(int n);
int line(void);
const char *file(void);
int main(void) {
    for (int i = 0; i < 300; i++)
        for (int j = 0; j < 300; j++) { a[i][j] = i * 3 % 7; b[i][j] = (i + j) % 5; }
    product(300);
    double sum = 0;
    for (int i = 0; i < 300; i++)
        for (int j = 0; j < 300; j++) sum += c[i][j] * (i + j);
    printf("%.17g %d %s\n", sum, line(), file());
    return 0;
}
"#;

struct Build {
    place: Place,
}

impl Build {
    fn new() -> Build {
        let place = Place::new();
        fs::create_dir(place.path("src")).unwrap();
        place.write("src/scale.h", "#define SCALE 2\n");
        place.write("src/product.c", PRODUCT);
        place.write("src/main.c", MAIN);
        Build { place }
    }

    /// A call of the compiler behind the command, or of the compiler alone.
    fn call(&self, words: &str, arguments: &str) -> Output {
        let mut words = words.split_whitespace();
        let program = words.next().unwrap();
        let program = match program {
            "tilewright" => TILEWRIGHT,
            other => other,
        };
        Command::new(program)
            .args(words)
            .args(arguments.split_whitespace())
            .current_dir(self.place.path("."))
            .env("TILEWRIGHT_CACHE", self.place.path("cache"))
            .env("TILEWRIGHT_CC_LOG", self.place.path("log"))
            .output()
            .unwrap()
    }

    fn built(&self, words: &str, arguments: &str) {
        let output = self.call(words, arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words} {arguments}: {said}");
        assert_eq!(said, "", "{words} {arguments}");
    }

    /// What the program prints.
    fn prints(&self, program: &str) -> String {
        let output = Command::new(self.place.path(program)).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    }

    fn names(&self, file: &str, what: &str) -> bool {
        let bytes = fs::read(self.place.path(file)).unwrap();
        bytes
            .windows(what.len())
            .any(|part| part == what.as_bytes())
    }

    fn log(&self) -> String {
        fs::read_to_string(self.place.path("log")).unwrap_or_default()
    }
}

const CC: &str = "tilewright cc gcc";
const FLAGS: &str = "-O2 -g -Wall -Wextra -Werror";

/// The same comes out, on several threads and on one, with every way to link; `__LINE__` and `__FILE__` are
/// the original's.
#[test]
fn programs_print_the_same() {
    let build = Build::new();
    build.built("gcc", &format!("{FLAGS} src/product.c src/main.c -o plain"));
    let expected = build.prints("plain");
    assert!(expected.ends_with(" 13 src/product.c\n"), "{expected}");
    build.built(CC, &format!("{FLAGS} src/product.c src/main.c -o at_once"));
    for file in ["product", "main"] {
        build.built(CC, &format!("{FLAGS} -c src/{file}.c -o {file}.o"));
    }
    assert!(build.names("product.o", "GOMP_parallel"));
    // Debuggers are not told where the text was.
    assert!(!build.names("product.o", "tilewright-"));
    build.built(CC, "product.o main.o -o linked");
    // Linked by who does not know of it: one thread, and no library.
    build.built("gcc", "product.o main.o -o elsewhere");
    build.built(
        "tilewright cc --threads never gcc",
        &format!("{FLAGS} src/product.c src/main.c -o alone"),
    );
    for program in ["at_once", "linked", "elsewhere", "alone"] {
        assert_eq!(build.prints(program), expected, "{program}");
    }
    for (program, threads) in [
        ("at_once", true),
        ("linked", true),
        ("elsewhere", false),
        ("alone", false),
    ] {
        assert_eq!(build.names(program, "libgomp"), threads, "{program}");
    }
    let taken = build.log().lines().any(|line| {
        let entry: Value = serde_json::from_str(line).unwrap();
        let nests = entry["result"]["nests"].as_array().cloned();
        let product = |nest: &Value| nest["function"] == "product" && nest["state"] == "taken";
        nests.unwrap_or_default().iter().any(product)
    });
    assert!(taken, "{}", build.log());
}

/// What make is told about the result names the file of the program.
#[test]
fn dependences_are_those_of_the_file() {
    let build = Build::new();
    for compiler in ["gcc", CC] {
        build.built(
            compiler,
            "-O2 -MD -MP -MF list.d -MT target -c src/product.c -o product.o",
        );
        let list = build.place.read("list.d");
        assert!(
            list.starts_with("target: src/product.c "),
            "{compiler}: {list}"
        );
        assert!(
            list.contains(" src/scale.h") && !list.contains("tilewright"),
            "{list}"
        );
    }
}

/// Whatever is no compilation with optimisation gives what the compiler gives, and so do files that are no
/// C; nothing is left behind.
#[test]
fn everything_else_is_the_compilers() {
    let build = Build::new();
    build.place.write(
        "src/wrong.c",
        "int f(int n) {\n  for (int i = 0; i < n; i++) g(i)\n  return h;\n}\n",
    );
    build.place.write("arguments", "-O2 -c src/product.c");
    for arguments in [
        "--version",
        "-O2 -E src/product.c",
        "-O2 -MM src/product.c",
        "-O2 -S src/product.c -o -",
        "-O0 -g -c src/product.c -o x.o",
        "@arguments",
        "-O2 -c src/wrong.c",
        "-O2 -c src/nothing.c",
        "-O2",
        "-print-file-name=libc.so",
        "-O2 -fsyntax-only src/product.c",
        "-O2 -c -x c src/product.c -o y.o",
    ] {
        let [plain, ours] = ["gcc", CC].map(|compiler| build.call(compiler, arguments));
        let parts = |output: &Output| {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            (
                output.status.code(),
                text(&output.stdout),
                text(&output.stderr),
            )
        };
        assert_eq!(parts(&ours), parts(&plain), "{arguments}");
    }
    let missing = build.call("tilewright cc no-such-compiler", "-O2 -c src/product.c");
    assert_eq!(missing.status.code(), Some(127));
}

/// A compiler that does not take the text gets the original, and one that is killed, too.
#[test]
fn compilers_that_refuse_get_the_original() {
    let build = Build::new();
    let script = "#!/bin/sh\ncase \"$*\" in *tilewright-*/0/*) echo no >&2; exit 1;; esac\nexec gcc \"$@\"\n";
    build.place.write("picky", script);
    let path = build.place.path("picky");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let picky = format!("tilewright cc {}", path.display());
    build.built(&picky, "-O2 src/product.c src/main.c -o program");
    build.built("gcc", "-O2 src/product.c src/main.c -o plain");
    assert_eq!(build.prints("program"), build.prints("plain"));
    // No time at all.
    build.built(
        "tilewright cc --time-limit 0.000001 gcc",
        "-O2 -c src/product.c -o late.o",
    );
    assert!(build.log().contains("it took too long"));
    assert!(!build.names("late.o", "GOMP_parallel"));
}

/// A cache that nobody can write to does no harm, and one that can be makes the second build the first's.
#[test]
fn caches_are_no_condition() {
    let build = Build::new();
    build.built(CC, "-O2 -c src/product.c -o first.o");
    build.built(CC, "-O2 -c src/product.c -o second.o");
    assert_eq!(
        fs::read(build.place.path("first.o")).unwrap(),
        fs::read(build.place.path("second.o")).unwrap()
    );
    // Objects of a shared library have other flags, which make no other text.
    let entries = || fs::read_dir(build.place.path("cache")).unwrap().count();
    let before = entries();
    build.built(CC, "-O2 -fPIC -DPIC -c src/product.c -o shared.o");
    assert_eq!(entries(), before);
    build.built(
        CC,
        "-O2 -DSCALED -Dtw_threads=2 -c src/product.c -o other.o",
    );
    assert_eq!(entries(), before + 1);
    let output = Command::new(TILEWRIGHT)
        .args(["cc", "gcc", "-O2", "-c", "src/product.c", "-o", "third.o"])
        .current_dir(build.place.path("."))
        .env("TILEWRIGHT_CACHE", "/dev/null/nowhere")
        .output()
        .unwrap();
    assert!(output.status.success());
    assert!(build.names("third.o", "GOMP_parallel"));
}

/// A link by a compiler's name stands for the compiler behind it in the search path.
#[test]
fn links_are_called_as_compilers() {
    let build = Build::new();
    fs::create_dir(build.place.path("bin")).unwrap();
    symlink(TILEWRIGHT, build.place.path("bin/gcc")).unwrap();
    symlink(TILEWRIGHT, build.place.path("bin/tilewright-cc")).unwrap();
    let folder = build.place.path("bin");
    let path = std::env::var("PATH").unwrap();
    let search = format!("{}:{path}", folder.display());
    let call = |program: &Path, output: &str, first: &[&str]| {
        let status = Command::new(program)
            .args(first)
            .args(["-O2", "-c", "src/product.c", "-o", output])
            .current_dir(build.place.path("."))
            .env("PATH", &search)
            .env("TILEWRIGHT_CACHE", build.place.path("cache"))
            .status();
        assert!(status.unwrap().success());
        assert!(build.names(output, "GOMP_parallel"), "{output}");
    };
    call(&folder.join("gcc"), "a.o", &[]);
    call(&folder.join("tilewright-cc"), "b.o", &[]);
    call(&folder.join("tilewright-cc"), "c.o", &["gcc"]);
}

/// Pragmas and questions for OpenMP that mean nothing in a build do not mean something because of us.
#[test]
fn openmp_stays_as_it_is() {
    let build = Build::new();
    let header = "#ifdef _OPENMP\n#define MANY 1\n#else\n#define MANY 0\n#endif\n";
    build.place.write("src/many.h", header);
    let asks = format!("#include \"many.h\"\n{PRODUCT}int many(void) {{ return MANY; }}\n");
    build.place.write("src/asks.c", &asks);
    let says = "#include <stdio.h>
int many(void);
int main(void) {
    int s = 0;
#pragma omp parallel
    s++;
    printf(\"%d %d\\n\", s, many());
    return 0;
}
";
    build.place.write("src/says.c", says);
    build.built(CC, "-O2 src/asks.c src/says.c -o program");
    assert_eq!(build.prints("program"), "1 0\n");
    for file in ["asks", "says"] {
        build.built(CC, &format!("-O2 -c src/{file}.c -o {file}.o"));
        assert!(
            !build.names(&format!("{file}.o"), "GOMP_parallel"),
            "{file}"
        );
    }
    build.built(CC, "asks.o says.o -o linked");
    assert_eq!(build.prints("linked"), "1 0\n");
}

/// Objects of clang's, which calls its library whether or not threads are started, do without it.
#[test]
fn objects_of_clang_need_no_library() {
    let compilers = ["clang", "clang-19", "clang-14"];
    let there = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
    let Some(clang) = compilers.iter().find(there) else {
        eprintln!("no clang is installed: nothing is tried");
        return;
    };
    let build = Build::new();
    build.built("gcc", "-O2 src/product.c src/main.c -o plain");
    let expected = build.prints("plain");
    let ours = format!("tilewright cc {clang}");
    for file in ["product", "main"] {
        build.built(&ours, &format!("{FLAGS} -c src/{file}.c -o {file}.o"));
    }
    build.built(clang, "product.o main.o -o elsewhere");
    build.built(&ours, "product.o main.o -o linked");
    build.built(
        &ours,
        &format!("{FLAGS} src/product.c src/main.c -o at_once"),
    );
    for program in ["elsewhere", "linked", "at_once"] {
        assert_eq!(build.prints(program), expected, "{program}");
    }
}
