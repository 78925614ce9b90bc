//! The seven pipelines of `examples/pipelines`, written in this language: the same plan as from C,
//! and the same bits.

mod stages;

use stages::pipeline;
use std::ffi::c_void;
use std::fs;
use std::path::{Path, PathBuf};
use tilewright::compile;
use tilewright::frontend::c::interface::{ArgumentKind, Interface, interface};
use tilewright::frontend::c::parse::parse;
use tilewright::frontend::c::syntax::Function;
use tilewright::plan::{Plan, VERSION};
use tilewright_driver::host::preprocess::preprocess;
use tilewright_driver::host::toolchain::{Purpose, Toolchain, split};
use tilewright_driver::measure::library::{self, Addresses};
use tilewright_driver::measure::wrapper;
use tilewright_lang::{Compile, F32, Kernel, Options, Pipeline};

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
    toolchain()
        .build(&wrapped, &built, Purpose::Time, None, None)
        .unwrap();
    library::Program::load(&built).unwrap()
}

/// Memory of a C program's arguments.
struct Memory {
    arguments: Vec<Vec<u64>>,
}

impl Memory {
    fn addresses(&mut self) -> Addresses {
        let all = self.arguments.iter_mut();
        Addresses(
            all.map(|words| words.as_mut_ptr().cast::<c_void>())
                .collect(),
        )
    }

    fn bytes(&self, at: usize) -> &[u8] {
        let words = &self.arguments[at];
        // SAFETY: the same memory, as bytes.
        unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), 8 * words.len()) }
    }
}

fn options() -> Options {
    let mut options = Options {
        toolchain: toolchain(),
        ..Options::default()
    };
    // However little there is to do.
    options.compile.wishes.processor.fork = 0;
    options
}

fn c_file(pipeline: &Pipeline) -> PathBuf {
    let file = format!("../../examples/pipelines/{}.c", pipeline.name());
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(file)
        .canonicalize()
        .unwrap()
}

/// The plan is that of the C program, and so is every bit.
fn same_plan(pipeline: &Pipeline, sizes: &[(&str, f64)]) {
    let source = preprocess(&c_file(pipeline), &toolchain()).unwrap();
    let from_c = compile::compile(&source, &options().compile, None, &mut |_| {}).unwrap();
    let kernel = pipeline.compile_with(&options()).unwrap();
    assert!(kernel.warnings().is_empty(), "{:?}", kernel.warnings());
    let plans = [&from_c.plan, kernel.plan()].map(|plan| plan.to_toml().unwrap());
    assert_eq!(plans[0], plans[1], "{}", pipeline.name());
    same_bits(pipeline, &kernel, sizes);
}

/// What the planner sees of stages is what it sees of the C program: its choices are the same.
/// Quick, because nothing is made of them.
fn same_choices(name: &str) {
    let pipeline = pipeline(name);
    let source = preprocess(&c_file(&pipeline), &toolchain()).unwrap();
    let program = pipeline.program().unwrap();
    let of = |source| {
        let plans = compile::choices(source, &options().compile).unwrap();
        let version = VERSION;
        let plan = Plan {
            version,
            regions: plans,
        };
        plan.to_toml().unwrap()
    };
    let from_c = of(&source);
    assert!(from_c.contains("tile-sizes"), "{from_c}");
    assert_eq!(from_c, of(program.source()), "{name}");
}

/// The text that is compiled computes the same bits as the C program: quick, without a plan.
fn same_stages(pipeline: &Pipeline, sizes: &[(&str, f64)]) {
    same_bits(pipeline, &pipeline.reference(&options()).unwrap(), sizes);
}

/// Runs C and kernel on the same data.
fn same_bits(pipeline: &Pipeline, kernel: &Kernel, sizes: &[(&str, f64)]) {
    let path = c_file(pipeline);
    let source = preprocess(&path, &toolchain()).unwrap();
    let unit = parse(&source).unwrap();
    let named = |function: &Function| function.name == pipeline.name();
    let function = unit.functions.iter().position(named).unwrap();
    let interface = &interface(&unit, function, &[]);
    let program = build_c(&path, interface);
    let mut memory = Memory {
        arguments: Vec::new(),
    };
    let mut arrays = 0;
    for argument in &interface.arguments {
        let mut word = [0; 8];
        if let ArgumentKind::Scalar { ctype } = &argument.kind {
            let (_, value) = sizes
                .iter()
                .find(|(name, _)| *name == argument.name)
                .unwrap();
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
    let mut own = Memory {
        arguments: memory.arguments.clone(),
    };
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
                if ["R", "C"].contains(&&name[..]) {
                    call.size(name, *value as i64)
                } else {
                    call.scalar(name, *value)
                }
            }
        };
    }
    call.run().unwrap();
    for (at, argument) in interface.arguments.iter().enumerate() {
        let same = memory.bytes(at) == own.bytes(at);
        assert!(
            same,
            "{} differs from C in {}",
            pipeline.name(),
            argument.name
        );
    }
}

#[test]
fn harris() {
    same_plan(&pipeline("harris"), &[("R", 93.0), ("C", 141.0)]);
}

#[test]
fn unsharp_mask() {
    let sizes = [
        ("R", 77.0),
        ("C", 101.0),
        ("threshold", 0.01),
        ("weight", 3.0),
    ];
    same_plan(&pipeline("unsharp_mask"), &sizes);
}

#[test]
fn bilateral_grid() {
    same_plan(&pipeline("bilateral_grid"), &[("R", 117.0), ("C", 149.0)]);
}

#[test]
fn camera_pipe() {
    let numbers = [("colour_temp", 3700.0), ("contrast", 50.0), ("gamma", 2.0)];
    let sizes = [&[("R", 77.0), ("C", 91.0)], &numbers[..]].concat();
    same_plan(&pipeline("camera_pipe"), &sizes);
}

const INTERPOLATE: [(&str, f64); 2] = [("R", 77.0), ("C", 83.0)];
const BLENDING: [(&str, f64); 2] = [("R", 107.0), ("C", 101.0)];
const LAPLACIAN: [(&str, f64); 4] = [("R", 70.0), ("C", 75.0), ("alpha", 0.2), ("beta", 0.7)];

#[test]
fn stages_of_interpolate() {
    same_choices("interpolate");
    same_stages(&pipeline("interpolate"), &INTERPOLATE);
}

#[test]
fn stages_of_pyramid_blending() {
    same_choices("pyramid_blending");
    same_stages(&pipeline("pyramid_blending"), &BLENDING);
}

#[test]
fn stages_of_local_laplacian() {
    same_choices("local_laplacian");
    same_stages(&pipeline("local_laplacian"), &LAPLACIAN);
}

#[test]
#[ignore = "a minute without optimisation: cargo test --release -- --ignored"]
fn plans_of_pyramids() {
    same_plan(&pipeline("interpolate"), &INTERPOLATE);
    same_plan(&pipeline("pyramid_blending"), &BLENDING);
    same_plan(&pipeline("local_laplacian"), &LAPLACIAN);
}
