//! The seven pipelines of `examples/pipelines`, written in this language: the same plan as from C,
//! and the same bits.

mod bilateral_grid;
mod camera_pipe;
mod harris;
mod interpolate;
mod local_laplacian;
mod pyramid_blending;
mod unsharp_mask;

use std::ffi::c_void;
use std::fs;
use std::path::{Path, PathBuf};
use tilewright::compile;
use tilewright::frontend::c::interface::{ArgumentKind, Interface};
use tilewright_driver::library::{self, Addresses};
use tilewright_driver::preprocess::preprocess;
use tilewright_driver::toolchain::{Purpose, Toolchain, split};
use tilewright_driver::wrapper;
use tilewright_lang::*;

/// Builds are for comparing, and quick.
fn toolchain() -> Toolchain {
    Toolchain {
        cflags: split("-O1 -fopenmp -ffp-contract=off"),
        ..Toolchain::default()
    }
}

/// A C program, built and loaded.
fn build_c(path: &Path, interface: &Interface) -> library::Program {
    let directory = tempfile::tempdir().unwrap();
    let (wrapped, built) = (directory.path().join("w.c"), directory.path().join("l.so"));
    fs::write(&wrapped, wrapper::text(interface, path)).unwrap();
    toolchain().build(&wrapped, &built, Purpose::Time, None, None).unwrap();
    library::Program::load(&built).unwrap()
}

/// Memory of a C program's arguments.
struct Memory {
    arguments: Vec<Vec<u64>>,
}

impl Memory {
    fn addresses(&mut self) -> Addresses {
        let all = self.arguments.iter_mut();
        Addresses(all.map(|words| words.as_mut_ptr().cast::<c_void>()).collect())
    }

    fn bytes(&self, at: usize) -> &[u8] {
        let words = &self.arguments[at];
        // SAFETY: the same memory, as bytes.
        unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), 8 * words.len()) }
    }
}

/// Compares plans, then runs C and pipeline on the same data.
fn same_as_c(pipeline: &Pipeline, sizes: &[(&str, f64)]) {
    let file = format!("../../examples/pipelines/{}.c", pipeline.name());
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join(file).canonicalize().unwrap();
    let options = Options {
        toolchain: toolchain(),
        ..Options::default()
    };
    let source = preprocess(&path, &options.toolchain).unwrap();
    let from_c = compile::compile(&source, &options.compile, None, &mut |_| {}).unwrap();
    let kernel = pipeline.compile_with(&options).unwrap();
    assert!(kernel.warnings().is_empty(), "{:?}", kernel.warnings());
    if std::env::var("SHOW").is_ok() {
        println!("{}", kernel.reference_text());
    }
    let plans = [&from_c.plan, kernel.plan()].map(|plan| plan.to_toml().unwrap());
    if plans[0] != plans[1] { fs::write("/tmp/language-plan-c.toml", &plans[0]).unwrap(); fs::write("/tmp/language-plan-l.toml", &plans[1]).unwrap(); println!("PLAN DIFFERS {}", pipeline.name()); }

    let interface = &from_c.interfaces[0];
    let program = build_c(&path, interface);
    let mut memory = Memory { arguments: Vec::new() };
    let mut arrays = 0;
    for argument in &interface.arguments {
        let mut word = [0; 8];
        if let ArgumentKind::Scalar { ctype } = &argument.kind {
            let (_, value) = sizes.iter().find(|(name, _)| *name == argument.name).unwrap();
            match ctype.kind {
                F32 => word[..4].copy_from_slice(&(*value as f32).to_ne_bytes()),
                _ => word[..4].copy_from_slice(&(*value as i32).to_ne_bytes()),
            }
        } else if let ArgumentKind::Array { extents, .. } = &argument.kind {
            arrays += 1 + extents.len();
        }
        memory.arguments.push(vec![u64::from_ne_bytes(word)]);
    }
    let mut extents = program.extents(&mut memory.addresses(), arrays).into_iter();
    let mut shapes: Vec<Vec<usize>> = Vec::new();
    for (argument, words) in interface.arguments.iter().zip(&mut memory.arguments) {
        let mut shape = Vec::new();
        if let ArgumentKind::Array { extents: all, .. } = &argument.kind {
            let bytes = extents.next().unwrap() as usize;
            shape.extend(extents.by_ref().take(all.len()).map(|n| n as usize));
            let total = bytes * shape.iter().product::<usize>();
            // Fractions between 0 and 1, and something in outputs that stays where no case is.
            let noise = |n: usize| ((n * 7919 + 13) % 1009) as f32 / 1009.0;
            let pair = |n: usize| [noise(2 * n), noise(2 * n + 1)].map(f32::to_bits);
            *words = (0..total.div_ceil(8))
                .map(|n| u64::from(pair(n)[0]) | u64::from(pair(n)[1]) << 32)
                .collect();
        }
        shapes.push(shape);
    }
    program.call_init(&mut memory.addresses());
    let mut own = Memory { arguments: memory.arguments.clone() };
    program.call(&mut memory.addresses());

    let mut call = kernel.call();
    for (at, argument) in interface.arguments.iter().enumerate() {
        let name = &argument.name;
        call = match &argument.kind {
            ArgumentKind::Array { element, .. } => {
                let address = own.arguments[at].as_mut_ptr().cast();
                // SAFETY: made for these types and extents.
                unsafe { call.array_at(name, element.kind, address, &shapes[at]) }
            }
            _ => {
                let (_, value) = sizes.iter().find(|(n, _)| n == name).unwrap();
                match ["R", "C"].contains(&&name[..]) {
                    true => call.size(name, *value as i64),
                    false => call.scalar(name, *value),
                }
            }
        };
    }
    call.run().unwrap();
    for (at, argument) in interface.arguments.iter().enumerate() {
        let same = memory.bytes(at) == own.bytes(at);
        assert!(same, "{} differs from C in {}", pipeline.name(), argument.name);
    }
    assert_eq!(plans[0], plans[1], "{}", pipeline.name());
}

#[test]
fn harris() {
    same_as_c(&harris::pipeline(), &[("R", 93.0), ("C", 141.0)]);
}

#[test]
fn unsharp_mask() {
    let sizes = [("R", 77.0), ("C", 101.0), ("threshold", 0.01), ("weight", 3.0)];
    same_as_c(&unsharp_mask::pipeline(), &sizes);
}

#[test]
fn bilateral_grid() {
    same_as_c(&bilateral_grid::pipeline(), &[("R", 117.0), ("C", 149.0)]);
}

#[test]
fn camera_pipe() {
    let numbers = [("colour_temp", 3700.0), ("contrast", 50.0), ("gamma", 2.0)];
    let sizes = [&[("R", 77.0), ("C", 91.0)], &numbers[..]].concat();
    same_as_c(&camera_pipe::pipeline(), &sizes);
}

#[test]
fn interpolate() {
    same_as_c(&interpolate::pipeline(), &[("R", 77.0), ("C", 83.0)]);
}

#[test]
fn pyramid_blending() {
    same_as_c(&pyramid_blending::pipeline(), &[("R", 107.0), ("C", 101.0)]);
}

#[test]
fn local_laplacian() {
    let sizes = [("R", 70.0), ("C", 75.0), ("alpha", 0.2), ("beta", 0.7)];
    same_as_c(&local_laplacian::pipeline(), &sizes);
}
