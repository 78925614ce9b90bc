//! What the tests share: schedules, buffers and bodies from short texts, and running C.

use crate::codegen::generation::build;
use crate::codegen::kernel::{Kernel, Loop, Node};
use crate::codegen::{CodegenOptions, Target, c, passes};
use crate::scop::{BinaryOp, Expr, Scop, StatementId};
use crate::transform::{Buffer, BufferId, BufferKind, Lifted, Transformed};
use std::path::Path;
use std::process::Command;

/// All statements as they are, in this order; `None`: the original one.
pub fn unlifted(scop: &Scop, schedule: Option<&str>) -> Transformed {
    let schedule = match schedule {
        Some(text) => isl::Schedule::read_from_str(&scop.ctx, text).unwrap(),
        None => scop.schedule.clone(),
    };
    let statements = (0..scop.statements.len())
        .map(|statement| lifted(scop, statement, 0, None))
        .collect();
    Transformed {
        schedule,
        statements,
        buffers: full(scop),
        shared: Vec::new(),
        atomic: Vec::new(),
        reordered: Vec::new(),
        tiled: Vec::new(),
    }
}

/// A lifted statement with `tile_dims` tile coordinates; `None`: the original domain.
pub fn lifted(
    scop: &Scop,
    statement: StatementId,
    tile_dims: usize,
    domain: Option<&str>,
) -> Lifted {
    let original = &scop.statements[statement];
    Lifted {
        name: original.name.clone(),
        statement,
        group: 0,
        tile_dims,
        domain: match domain {
            Some(text) => isl::Set::read_from_str(&scop.ctx, text).unwrap(),
            None => original.domain.clone(),
        },
        bindings: original
            .accesses
            .iter()
            .map(|access| access.array)
            .collect(),
    }
}

/// The scop's arrays in full.
pub fn full(scop: &Scop) -> Vec<Buffer> {
    let buffer = |array: usize| Buffer {
        name: scop.arrays[array].name.clone(),
        array,
        kind: BufferKind::Full,
    };
    (0..scop.arrays.len()).map(buffer).collect()
}

/// Adds a local buffer for an array and sends all accesses to it there. `origin` is isl's text of
/// one function per dimension.
pub fn localise(
    scop: &Scop,
    transformed: &mut Transformed,
    array: &str,
    scope: usize,
    origin: &[&str],
    extents: &[i64],
    folded: &[bool],
) -> BufferId {
    let array = scop.array_named(array).unwrap();
    let id = transformed.buffers.len();
    transformed.buffers.push(Buffer {
        name: scop.arrays[array].name.clone(),
        array,
        kind: BufferKind::Local {
            scope,
            origin: origin
                .iter()
                .map(|text| isl::Aff::read_from_str(&scop.ctx, text).unwrap())
                .collect(),
            extents: extents.to_vec(),
            folded: folded.to_vec(),
        },
    });
    for lifted in &mut transformed.statements {
        for (access, binding) in lifted.bindings.iter_mut().enumerate() {
            if scop.statements[lifted.statement].accesses[access].array == array {
                *binding = id;
            }
        }
    }
    id
}

pub fn options(target: Target) -> CodegenOptions {
    CodegenOptions {
        target,
        indent: 0,
        ..CodegenOptions::default()
    }
}

pub fn kernel(scop: &Scop, transformed: &Transformed) -> Kernel {
    build::generate(scop, transformed, &options(Target::OpenMp)).unwrap()
}

pub fn print(scop: &Scop, transformed: &Transformed, target: Target) -> String {
    print_with(scop, transformed, &options(target))
}

pub fn print_with(scop: &Scop, transformed: &Transformed, options: &CodegenOptions) -> String {
    let kernel = build::generate(scop, transformed, options).unwrap();
    let kernel = passes::finish(scop, transformed, &kernel, options);
    c::print_c(scop, transformed, &kernel, options)
}

/// All loops, outer ones first.
pub fn loops(kernel: &Kernel) -> Vec<&Loop> {
    fn below<'a>(node: &'a Node, loops: &mut Vec<&'a Loop>) {
        if let Node::For(each) = node {
            loops.push(each);
        }
        node.children().for_each(|child| below(child, loops));
    }
    let mut loops = Vec::new();
    kernel.body.iter().for_each(|node| below(node, &mut loops));
    loops
}

pub fn read(access: usize) -> Expr {
    Expr::Access(access)
}

pub fn literal(text: &str) -> Expr {
    Expr::Literal(text.to_owned())
}

pub fn binary(operator: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::Binary(operator, Box::new(a), Box::new(b))
}

/// Builds a program that calls `original` and `result` and says by its exit status whether they
/// did the same, built by gcc and, where there is one, clang.
///
/// `prelude`: what stands before the two functions; `parameters`: of both; `original`: the loops;
/// `check`: the body of `main`, which returns 0 for a success.
pub struct Program<'a> {
    pub prelude: &'a str,
    pub parameters: &'a str,
    /// Declarations in front of the region, in both functions.
    pub locals: &'a str,
    pub original: &'a str,
    pub check: &'a str,
}

impl Program<'_> {
    pub fn run(&self, scop: &Scop, transformed: &Transformed) {
        self.run_text(&print(scop, transformed, Target::OpenMp));
        self.run_built(&print(scop, transformed, Target::C), &[("gcc", &["-O1"])]);
    }

    pub fn run_text(&self, generated: &str) {
        self.run_built(
            generated,
            &[
                ("gcc", &["-O2", "-fopenmp"]),
                ("clang", &["-O2", "-Wno-unknown-pragmas"]),
            ],
        );
    }

    fn text(&self, generated: &str) -> String {
        format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n{prelude}\n\
             void original({parameters})\n{{\n{locals}\n{original}\n}}\n\
             void result({parameters})\n{{\n{locals}\n{generated}\n}}\n\
             int main(void)\n{{\n{check}\n}}\n",
            prelude = self.prelude,
            parameters = self.parameters,
            locals = self.locals,
            original = self.original,
            check = self.check,
        )
    }

    /// gcc makes vector code of every `simd` loop.
    pub fn assert_vectorised(&self, generated: &str) {
        let text = self.text(generated);
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("test.c");
        std::fs::write(&source, &text).unwrap();
        let built = Command::new("gcc")
            .args([
                "-std=c99",
                "-O3",
                "-fopenmp",
                "-fopt-info-vec-optimized",
                "-c",
            ])
            .arg(&source)
            .arg("-o")
            .arg(folder.path().join("test.o"))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&built.stderr);
        for (number, line) in text.lines().enumerate() {
            if line.trim() != "#pragma omp simd" {
                continue;
            }
            // Named is the pragma, the loop or its body.
            let vectorised = (number + 1..number + 4).any(|place| {
                said.lines().any(|line| {
                    line.contains(&format!("test.c:{place}:")) && line.contains("loop vectorized")
                })
            });
            assert!(
                vectorised,
                "the loop at line {}\n{said}\n{text}",
                number + 2
            );
        }
    }

    fn run_built(&self, generated: &str, ways: &[(&str, &[&str])]) {
        let text = self.text(generated);
        let folder = tempfile::tempdir().unwrap();
        for (compiler, flags) in ways {
            run_with(&text, folder.path(), compiler, flags);
        }
    }
}

fn run_with(text: &str, folder: &Path, compiler: &str, flags: &[&str]) {
    let (source, program) = (folder.join("test.c"), folder.join("test"));
    std::fs::write(&source, text).unwrap();
    let built = Command::new(compiler)
        .args([
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-ffp-contract=off",
        ])
        .args(flags)
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .arg("-lm")
        .output();
    let built = match built {
        // Every machine that builds this has one; clang is tried where it is there.
        Err(_) if compiler != "gcc" => return,
        built => built.unwrap(),
    };
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(
        built.status.success(),
        "{compiler} {flags:?}\n{said}\n{text}"
    );
    let ran = Command::new(&program)
        .env("OMP_NUM_THREADS", "3")
        .output()
        .unwrap();
    assert!(
        ran.status.success(),
        "{compiler} {flags:?}: {:?}\n{}\n{text}",
        ran.status,
        String::from_utf8_lossy(&ran.stdout)
    );
}
