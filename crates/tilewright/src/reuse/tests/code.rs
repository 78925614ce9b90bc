//! Generated text, compiled and run beside the original, with every transfer watched.

use super::kernels::{Found, Kernel, kernel};
use super::machine::{Run, folded, instances};
use crate::reuse::code::{Program, Target, generate};
use crate::reuse::{LiveOut, Memory, Overlap, Precision};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::process::Command;
use tilewright_cases::share;

/// What the program is compiled with: no contraction.
const FLAGS: &[&str] = &["-std=c99", "-O1", "-g", "-ffp-contract=off"];

/// Every access of memory is checked.
const CHECKED: &str = "-fsanitize=address,undefined";

/// Counts transfers. An element that was loaded or computed in a strip may not be loaded in it, and
/// what is stored must be what the place was last given.
const WATCH: &str = "
enum { PLACES = 1 << 14 };
static struct { const void *key, *value; long strip; } seen[PLACES], held[PLACES];
static long strip, loads, stores;
static long slot(const void *p) { return (long)((unsigned long)p * 0x9E3779B97F4A7C15ul >> 50); }
#define FIND(t, p) \\
    long at = slot(p); \\
    while (t[at].strip == strip && t[at].key != (p)) at = (at + 1) % PLACES
static void fail(const char *text) { printf(\"%s\\n\", text); exit(1); }
static void keep(const void *outside, const void *inside)
{
    { FIND(seen, outside); seen[at].key = outside; seen[at].strip = strip; }
    { FIND(held, inside); held[at].key = inside; held[at].value = outside; held[at].strip = strip; }
}
static void loaded(const void *outside, const void *inside)
{
    FIND(seen, outside);
    if (seen[at].strip == strip) fail(\"loaded, but in local memory\");
    keep(outside, inside);
    loads++;
}
static void stored(const void *outside, const void *inside)
{
    FIND(held, inside);
    if (held[at].strip != strip || held[at].value != outside) fail(\"stored from another's place\");
    stores++;
}
#define TILEWRIGHT_STRIP() (strip++)
#define TILEWRIGHT_LOAD(outside, inside) loaded(outside, inside)
#define TILEWRIGHT_STORE(outside, inside) stored(outside, inside)
#define TILEWRIGHT_COMPUTED(outside, inside) keep(outside, inside)
";

/// The declarations of a kernel's parameters as variables of `main`: text, and names of arrays.
fn variables(parameters: &str, values: &[(&str, i64)]) -> (String, Vec<String>, Vec<String>) {
    let mut text = String::new();
    let (mut arrays, mut all) = (Vec::new(), Vec::new());
    for one in parameters.split(',') {
        let one = one.trim().replace("restrict ", "");
        let (ctype, rest) = one.split_once(' ').unwrap();
        let name = rest.split('[').next().unwrap().to_owned();
        match values.iter().find(|v| v.0 == name) {
            Some((_, value)) => text += &format!("    {ctype} {name} = {value};\n"),
            None if rest.contains('[') => {
                let dims = &rest[name.len()..];
                for suffix in ["", "_same", "_first"] {
                    text += &format!("    {ctype} {name}{suffix}{dims};\n");
                }
                arrays.push(name.clone());
            }
            None => text += &format!("    {ctype} {name} = 1.25;\n"),
        }
        all.push(name);
    }
    (text, arrays, all)
}

/// A `main` that runs the original, and the text for all sizes with the same data, compares what
/// they leave, and prints what was moved.
pub(super) fn program(
    kernel: &Kernel,
    text: &str,
    values: &[(&str, i64)],
    tiles: &[String],
) -> String {
    let (declared, arrays, arguments) = variables(kernel.parameters, values);
    let (parameters, body) = (kernel.parameters, kernel.body);
    let mut c = format!(
        "static void original({parameters})\n{{\n{body}\n}}\n\
         static void tiled({parameters})\n{{\n{text}\n}}\nint main(void)\n{{\n{declared}"
    );
    for array in &arrays {
        // Elements, whatever the dimensions: values that floating-point sums round.
        let element = if kernel.parameters.contains(&format!("int {array}[")) {
            "int"
        } else {
            "double"
        };
        let _ = writeln!(
            c,
            "    for (unsigned long i = 0; i < sizeof {array} / sizeof({element}); i++)
        (({element} *){array}_first)[i] = ({element})(1 + (i * 7919 % 1009) / 3.0);
    memcpy({array}, {array}_first, sizeof {array});"
        );
    }
    let _ = writeln!(c, "    original({});", arguments.join(", "));
    let same: Vec<String> = arguments
        .iter()
        .map(|a| {
            if arrays.contains(a) {
                format!("{a}_same")
            } else {
                a.clone()
            }
        })
        .collect();
    for sizes in tiles {
        let _ = writeln!(c, "    {sizes}");
        for array in &arrays {
            let _ = writeln!(
                c,
                "    memcpy({array}_same, {array}_first, sizeof {array});"
            );
        }
        let _ = writeln!(
            c,
            "    loads = stores = 0;\n    tiled({});",
            same.join(", ")
        );
        for array in &arrays {
            let _ = writeln!(
                c,
                "    if (memcmp({array}, {array}_same, sizeof {array})) fail(\"{array} differs\");"
            );
        }
        let _ = writeln!(c, "    printf(\"%ld %ld\\n\", loads, stores);");
    }
    c + "    return 0;\n}\n"
}

/// Compiles and runs a program with at most two threads; what it prints.
fn compiled(c: &str, flags: &[&str], what: &str) -> String {
    compiled_for(c, flags, 2, what)
}

/// The same with a limit of threads.
pub(super) fn compiled_for(c: &str, flags: &[&str], threads: usize, what: &str) -> String {
    let head = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";
    let directory = tempfile::tempdir().unwrap();
    let (file, binary) = (directory.path().join("a.c"), directory.path().join("a"));
    fs::write(&file, format!("{head}{c}")).unwrap();
    let mut compiler = Command::new("cc");
    let built = compiler
        .args(FLAGS)
        .args(flags)
        .arg(&file)
        .arg("-o")
        .arg(&binary)
        .output();
    let built = built.unwrap();
    let errors = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{what}: {errors}\n{c}");
    let limit = threads.to_string();
    let ran = Command::new(&binary)
        .env("OMP_THREAD_LIMIT", limit)
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{what}: {printed}{errors}");
    printed
}

/// What a kernel is run with.
pub(super) struct Case<'a> {
    pub name: &'a str,
    pub strip: usize,
    /// Whether arrays may be folded in pieces.
    pub pieces: bool,
    pub values: &'a [(&'a str, i64)],
    pub sizes: &'a [&'a [i64]],
}

/// A kernel with its text.
pub(super) struct Text {
    pub found: Found,
    pub memory: Memory,
    pub text: String,
}

pub(super) fn text(case: &Case<'_>, overlap: Overlap, target: &Target, sizes: &[i64]) -> Text {
    let found = kernel(case.name).found(case.strip, LiveOut::Read);
    let context = found.context();
    let folding = found.folding(overlap, Precision::Rational, &context);
    let memory = if case.pieces {
        folding.in_pieces()
    } else {
        folding.whole()
    };
    let memory = memory.unwrap();
    let program = Program {
        region: &found.region,
        tiling: &found.tiling,
        accesses: &found.accesses,
        transfers: &found.transfers,
        memory: &memory,
        overlap,
        sizes,
        target,
    };
    let text = generate(&program, &BTreeSet::new()).unwrap();
    Text {
        found,
        memory,
        text,
    }
}

impl Text {
    /// What the sets say that is moved, by the machine that executes instances.
    fn expected(&self, overlap: Overlap, params: &[(&str, i64)], sizes: &[i64]) -> String {
        let found = &self.found;
        let all = found.values(params, sizes);
        let local = folded(&found.tiling, &self.memory, &all, &found.region.scop.ctx);
        let machine = Run {
            region: &found.region,
            tiling: &found.tiling,
            transfers: &found.transfers,
            local: &local,
            overlap,
        };
        let instances = instances(&found.region, &found.tiling, &all);
        let moved = machine.execute(&instances, &all, &vec![0; sizes.len()]);
        let (loads, stores) = moved.unwrap();
        format!("{loads} {stores}")
    }
}

/// Compiles and runs a kernel for several tile sizes, in both schedules; compares results and
/// counts.
fn run(case: &Case<'_>) {
    run_for(case, &Target::C, &[CHECKED]);
}

/// The same for a target; by one thread, as what watches is not made for several.
fn run_for(case: &Case<'_>, target: &Target, flags: &[&str]) {
    for overlap in [Overlap::Sequential, Overlap::Double] {
        let made = text(case, overlap, target, case.sizes[0]);
        let mut c = WATCH.to_owned();
        let names = &made.found.tiling.sizes;
        for name in names {
            let _ = writeln!(
                c,
                "static long tile_{name};\n#define TILE_{name} tile_{name}"
            );
        }
        let tiles: Vec<String> = case
            .sizes
            .iter()
            .map(|sizes| {
                let each = names.iter().zip(*sizes);
                each.map(|(name, size)| format!("tile_{name} = {size}; "))
                    .collect()
            })
            .collect();
        c += &program(kernel(case.name), &made.text, case.values, &tiles);
        let what = format!("{}, strips of {}, {overlap:?}", case.name, case.strip);
        let printed = compiled_for(&c, flags, 1, &what);
        let counted: Vec<&str> = printed.lines().collect();
        assert_eq!(counted.len(), case.sizes.len());
        let expected = made.expected(overlap, case.values, case.sizes[0]);
        assert_eq!(
            counted[0], expected,
            "{what}: the numbers that the sets predict"
        );
    }
}

#[test]
fn jacobi_1d_runs() {
    for strip in [1, 2] {
        run(&Case {
            name: "jacobi-1d-imper",
            strip,
            pieces: false,
            values: &[("M", 6), ("N", 17)],
            sizes: &[
                &[2, 3],
                &[1, 1],
                &[3, 2],
                &[5, 40],
                &[40, 2],
                &[7, 5],
                &[2, 1],
            ],
        });
    }
}

#[test]
fn gemm_runs() {
    for strip in [1, 2, 3] {
        run(&Case {
            name: "gemm",
            strip,
            pieces: false,
            values: &[("ni", 7), ("nj", 8), ("nk", 9)],
            sizes: &[&[2, 3, 4], &[1, 1, 1], &[3, 2, 20], &[20, 20, 3]],
        });
    }
}

#[test]
fn floyd_warshall_runs() {
    run(&Case {
        name: "floyd-warshall",
        strip: 1,
        pieces: false,
        values: &[("n", 8)],
        sizes: &[&[2, 3], &[7, 2], &[1, 9], &[20, 20]],
    });
}

/// Every second one each time.
#[test]
fn solvers_run() {
    let two: &[&[i64]] = &[&[2, 3], &[1, 1], &[20, 2]];
    let three: &[&[i64]] = &[&[2, 3, 2], &[1, 1, 4], &[20, 2, 3]];
    let cases = [
        ("lu", &[("n", 9)][..], three),
        ("trisolv", &[("n", 11)], two),
        ("trmm", &[("ni", 9)], two),
        ("mvt", &[("n", 9)], two),
        ("atax", &[("nx", 7), ("ny", 9)], two),
    ];
    for (name, values, sizes) in share(cases, 2, 0) {
        run(&Case {
            name,
            strip: 1,
            pieces: false,
            values,
            sizes,
        });
    }
}

#[test]
fn arrays_in_pieces_run() {
    run(&Case {
        name: "floyd-warshall",
        strip: 1,
        pieces: true,
        values: &[("n", 7)],
        sizes: &[&[2, 3], &[7, 2], &[1, 9]],
    });
}

/// One thread moves data while another one computes.
#[test]
fn threads_take_turns_at_double_buffers() {
    for name in ["jacobi-1d-imper", "trisolv"] {
        let case = Case {
            name,
            strip: 1,
            pieces: false,
            values: &[("M", 20), ("N", 200), ("n", 60)],
            sizes: &[&[3, 7], &[8, 2]],
        };
        for sizes in case.sizes {
            let made = text(&case, Overlap::Double, &Target::OpenMp, sizes);
            assert!(made.text.contains("#pragma omp parallel sections"));
            let counts = "static long loads, stores;\nstatic void fail(const char *text)\n\
                          { printf(\"%s\\n\", text); exit(1); }\n";
            let c = program(kernel(name), &made.text, case.values, &[String::new()]);
            compiled(&format!("{counts}{c}"), &["-fopenmp"], name);
        }
    }
}

/// Tiles on a device, which is the host where the compiler knows none: the same results and
/// transfers, each of which is seen. Every second one each time.
#[test]
fn offloaded_tiles_move_what_the_sets_say() {
    let cases = [
        (
            "jacobi-1d-imper",
            1,
            false,
            &[("M", 6), ("N", 17)][..],
            &[&[2i64, 3][..], &[1, 1], &[5, 40]][..],
        ),
        (
            "gemm",
            2,
            false,
            &[("ni", 7), ("nj", 8), ("nk", 9)],
            &[&[2, 3, 4], &[20, 20, 3]],
        ),
        ("trisolv", 1, false, &[("n", 11)], &[&[2, 3], &[20, 2]]),
        ("floyd-warshall", 1, true, &[("n", 7)], &[&[2, 3], &[7, 2]]),
    ];
    for (name, strip, pieces, values, sizes) in share(cases, 2, 0) {
        let case = Case {
            name,
            strip,
            pieces,
            values,
            sizes,
        };
        run_for(&case, &Target::OpenMpTarget, &[CHECKED, "-fopenmp"]);
    }
}

/// The dependences of tasks alone say what waits for what: two threads, programs in which every
/// tile needs the one before, and an order among transfers.
#[test]
fn offloaded_tiles_are_tasks() {
    for (name, sizes) in [
        ("jacobi-1d-imper", &[3i64, 7][..]),
        ("trisolv", &[8, 2]),
        ("jacobi-1d-imper", &[8, 1]),
    ] {
        let case = Case {
            name,
            strip: 1,
            pieces: false,
            values: &[("M", 20), ("N", 200), ("n", 60)],
            sizes: &[sizes],
        };
        let made = text(&case, Overlap::Double, &Target::OpenMpTarget, sizes);
        for part in [
            "#pragma omp task depend(inout: tw_transfers, tw_tile[",
            "#pragma omp target nowait depend(inout: tw_computations, tw_tile[",
            "#pragma omp target update to(tw_stage_",
            "#pragma omp target update from(tw_stage_",
        ] {
            assert!(made.text.contains(part), "{name}: {part}\n{}", made.text);
        }
        let counts = "static long loads, stores;\nstatic void fail(const char *text)\n\
                      { printf(\"%s\\n\", text); exit(1); }\n";
        // Several times: which thread does what is up to chance.
        let again = vec![String::new(); 5];
        let c = program(kernel(name), &made.text, case.values, &again);
        compiled(
            &format!("{counts}{c}"),
            &["-fopenmp", "-Wall", "-Wextra", "-Werror"],
            name,
        );
    }
}

/// Fixed arrays, whose extents are constants: the same results and transfers.
#[test]
fn text_for_synthesis_has_fixed_arrays() {
    let target = |name: &str, most: i64| Target::Synthesis {
        pragmas: true,
        at_most: vec![(name.to_owned(), most)],
    };
    for (name, values, sizes, target) in [
        (
            "jacobi-1d-imper",
            &[("M", 6), ("N", 17)][..],
            &[2i64, 3][..],
            target("M", 100),
        ),
        (
            "gemm",
            &[("ni", 7), ("nj", 8), ("nk", 9)],
            &[2, 3, 4],
            target("ni", 100),
        ),
        ("atax", &[("nx", 7), ("ny", 9)], &[2, 3], target("ny", 12)),
        ("floyd-warshall", &[("n", 8)], &[3, 2], target("n", 9)),
    ] {
        for overlap in [Overlap::Sequential, Overlap::Double] {
            let case = Case {
                name,
                strip: 1,
                pieces: false,
                values,
                sizes: &[sizes],
            };
            let made = text(&case, overlap, &target, sizes);
            for part in ["static ", "#pragma HLS pipeline II=1"] {
                assert!(made.text.contains(part), "{name}: {part}");
            }
            assert!(!made.text.contains("malloc"), "{name}");
            let c = program(kernel(name), &made.text, values, &[String::new()]);
            let printed = compiled(&format!("{WATCH}{c}"), &[CHECKED], name);
            let expected = made.expected(overlap, values, sizes);
            assert_eq!(printed.trim(), expected, "{name}");
        }
    }
    // Without a bound of the parameter that an array grows with, there is no fixed extent.
    let found = kernel("atax").found(1, LiveOut::Read);
    let memory = found.memory(Overlap::Sequential, Precision::Rational, &found.context());
    let refused = generate(
        &Program {
            region: &found.region,
            tiling: &found.tiling,
            accesses: &found.accesses,
            transfers: &found.transfers,
            memory: &memory,
            overlap: Overlap::Sequential,
            sizes: &[4, 4],
            target: &target("nx", 20),
        },
        &BTreeSet::new(),
    );
    let message = refused.unwrap_err().to_string();
    assert!(
        message.contains("grows with") && message.contains("--param"),
        "{message}"
    );
}
