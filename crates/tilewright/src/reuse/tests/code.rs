//! Generated text, compiled and run beside the original, with every transfer counted.

use super::kernels::{KERNELS, Kernel};
use super::machine::{Run, folded, instances};
use crate::reuse::code::{Program, generate};
use crate::reuse::{Accesses, LiveOut, Mapping, Memory, Overlap, Precision, Tiling, Transfers};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::process::Command;

/// What the program is compiled with: no contraction, and every access of memory checked.
const FLAGS: &[&str] = &[
    "-std=c99",
    "-O1",
    "-g",
    "-ffp-contract=off",
    "-fsanitize=address,undefined",
];

/// Counts transfers, and refuses a second load of an element in one strip.
const HEAD: &str = "
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const void *seen[1 << 16];
static long count_seen, loads, stores;
static void loaded(const void *p)
{
    for (long i = 0; i < count_seen; i++)
        if (seen[i] == p) { printf(\"loaded twice in a strip\\n\"); exit(1); }
    seen[count_seen++] = p;
    loads++;
}
#define TILEWRIGHT_STRIP() (count_seen = 0)
#define TILEWRIGHT_LOAD(outside, inside) loaded(outside)
#define TILEWRIGHT_STORE(outside, inside) (stores++)
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

/// Compiles and runs a kernel in strips of `strip` dimensions for several tile sizes; compares
/// results and counts.
fn run(kernel: &Kernel, strip: usize, values: &[(&str, i64)], all_sizes: &[&[i64]]) {
    let region = kernel.region();
    let mapping = Mapping::parse(&region, kernel.mapping, Some(kernel.band)).unwrap();
    let tiling = Tiling::new(&region.scop, mapping, strip, None).unwrap();
    let accesses = Accesses::of(&region, &tiling.mapping).unwrap();
    let transfers = Transfers::of(&region, &tiling, &accesses, LiveOut::Read).unwrap();
    let context = tiling.context(&region.scop).unwrap();
    let overlap = Overlap::Sequential;
    let memory = Memory::of(
        &tiling,
        &accesses,
        &transfers,
        overlap,
        Precision::Rational,
        &context,
    )
    .unwrap();
    let program = Program {
        region: &region,
        tiling: &tiling,
        accesses: &accesses,
        transfers: &transfers,
        memory: &memory,
        sizes: &vec![4; tiling.sizes.len()],
    };
    let text = generate(&program, &BTreeSet::new()).unwrap();
    let (declared, arrays, arguments) = variables(kernel.parameters, values);
    let mut c = HEAD.to_owned();
    for name in &tiling.sizes {
        let _ = writeln!(
            c,
            "static long tile_{name};\n#define TILE_{name} tile_{name}"
        );
    }
    let (parameters, body) = (kernel.parameters, kernel.body);
    let _ = writeln!(c, "static void original({parameters})\n{{\n{body}\n}}");
    let _ = writeln!(c, "static void tiled({parameters})\n{{\n{text}\n}}");
    let _ = writeln!(c, "int main(void)\n{{\n{declared}");
    for array in &arrays {
        // Elements, whatever the dimensions: values that floating-point sums round.
        let element = match kernel.parameters.contains(&format!("int {array}[")) {
            true => "int",
            false => "double",
        };
        let _ = writeln!(
            c,
            "    for (unsigned long i = 0; i < sizeof {array} / sizeof({element}); i++)
        (({element} *){array}_first)[i] = ({element})(1 + (i * 7919 % 1009) / 3.0);
    memcpy({array}, {array}_first, sizeof {array});"
        );
    }
    let plain = arguments.join(", ");
    let _ = writeln!(c, "    original({plain});");
    let same: Vec<String> = arguments
        .iter()
        .map(|a| match arrays.contains(a) {
            true => format!("{a}_same"),
            false => a.clone(),
        })
        .collect();
    for sizes in all_sizes {
        for (name, size) in tiling.sizes.iter().zip(*sizes) {
            let _ = writeln!(c, "    tile_{name} = {size};");
        }
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
                "    if (memcmp({array}, {array}_same, sizeof {array})) {{ printf(\"{array} \
                 differs\\n\"); return 1; }}"
            );
        }
        let _ = writeln!(c, "    printf(\"%ld %ld\\n\", loads, stores);");
    }
    c += "    return 0;\n}\n";
    let directory = tempfile::tempdir().unwrap();
    let (file, binary) = (directory.path().join("a.c"), directory.path().join("a"));
    fs::write(&file, &c).unwrap();
    let built = Command::new("cc")
        .args(FLAGS)
        .arg(&file)
        .arg("-o")
        .arg(&binary)
        .output()
        .unwrap();
    let name = kernel.name;
    assert!(
        built.status.success(),
        "{name}: {}\n{c}",
        String::from_utf8_lossy(&built.stderr)
    );
    let ran = Command::new(&binary).output().unwrap();
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(
        ran.status.success(),
        "{name}, strips of {strip}: {printed}{errors}"
    );
    // The same numbers as the sets predict.
    let counted: Vec<&str> = printed.lines().collect();
    assert_eq!(counted.len(), all_sizes.len());
    let sizes = all_sizes[0];
    let mut all = values.to_vec();
    all.extend(
        tiling
            .sizes
            .iter()
            .map(String::as_str)
            .zip(sizes.iter().copied()),
    );
    let moduli = folded(&tiling, &memory, &all, &region.scop.ctx);
    let machine = Run {
        region: &region,
        tiling: &tiling,
        transfers: &transfers,
        moduli: &moduli,
        overlap,
    };
    let instances = instances(&region, &tiling, &all);
    let (loads, stores) = machine
        .execute(&instances, &all, &vec![0; sizes.len()])
        .unwrap();
    assert_eq!(counted[0], format!("{loads} {stores}"), "{name}");
}

fn kernel(name: &str) -> &'static Kernel {
    KERNELS.iter().find(|k| k.name == name).unwrap()
}

#[test]
fn jacobi_1d_runs() {
    let sizes: &[&[i64]] = &[&[2, 3], &[1, 1], &[3, 2], &[5, 40], &[40, 2], &[7, 5]];
    for strip in [1, 2] {
        run(
            kernel("jacobi-1d-imper"),
            strip,
            &[("M", 6), ("N", 17)],
            sizes,
        );
    }
}

#[test]
fn gemm_runs() {
    let sizes: &[&[i64]] = &[&[2, 3, 4], &[1, 1, 1], &[3, 2, 20], &[20, 20, 3]];
    for strip in [1, 2, 3] {
        run(
            kernel("gemm"),
            strip,
            &[("ni", 7), ("nj", 8), ("nk", 9)],
            sizes,
        );
    }
}

#[test]
fn floyd_warshall_runs() {
    let sizes: &[&[i64]] = &[&[2, 3], &[7, 2], &[1, 9], &[20, 20]];
    run(kernel("floyd-warshall"), 1, &[("n", 8)], sizes);
}

#[test]
fn solvers_run() {
    run(
        kernel("lu"),
        1,
        &[("n", 9)],
        &[&[2, 3, 2], &[1, 1, 4], &[20, 2, 3]],
    );
    run(
        kernel("trisolv"),
        1,
        &[("n", 11)],
        &[&[2, 3], &[1, 1], &[20, 2]],
    );
    run(
        kernel("trmm"),
        1,
        &[("ni", 9)],
        &[&[2, 3], &[1, 1], &[20, 2]],
    );
    run(kernel("mvt"), 1, &[("n", 9)], &[&[2, 3], &[1, 1], &[20, 2]]);
    run(
        kernel("atax"),
        1,
        &[("nx", 7), ("ny", 9)],
        &[&[2, 3], &[1, 1], &[20, 2]],
    );
}
