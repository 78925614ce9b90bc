//! Random pipelines, computed by their kernels and, cell by cell, from their trees.
//!
//! `TILEWRIGHT_PIPELINES=5000 cargo test -p tilewright-lang --test outside random` tries more of them, from
//! `TILEWRIGHT_SEED` on.

#[allow(dead_code)]
#[path = "../../../tilewright/src/frontend/pipeline/tests/c.rs"]
mod c;
mod generate;
mod tree;

use c::{Number, Value};
use generate::{Dice, program};
use std::env;
use std::ffi::c_void;
use tilewright::plan::Shape;
use tilewright::scop::{BinaryOp, UnaryOp};
use tilewright_driver::host::toolchain::{Toolchain, split};
use tilewright_lang::*;
use tree::{Builder, Evaluation, Program, Role, SIZES};

/// Programs that are tried where nobody asks for more.
const FEW: u64 = 12;

#[test]
fn kernels_compute_what_trees_mean() {
    let number = |name: &str, otherwise: u64| {
        let given = env::var(name).ok().and_then(|text| text.parse().ok());
        given.unwrap_or(otherwise)
    };
    let (count, first) = (
        number("TILEWRIGHT_PIPELINES", FEW),
        number("TILEWRIGHT_SEED", 1),
    );
    let mut tried = Tried::default();
    for seed in first..first + count {
        tried.one(seed);
        if count > FEW && (seed - first) % 50 == 49 {
            eprintln!("{seed}: {tried:?}");
        }
    }
    eprintln!("{tried:?}");
    assert!(tried.wrong.is_empty(), "wrong: {:?}", tried.wrong);
    assert!(tried.compared * 2 >= tried.programs, "{tried:?}");
}

/// What became of the programs that were tried.
#[derive(Debug, Default)]
struct Tried {
    programs: u64,
    /// Programs that are refused, as some are that may read outside.
    refused: u64,
    /// Runs that were compared, and those that have no meaning in C.
    compared: u64,
    undefined: u64,
    wrong: Vec<u64>,
}

impl Tried {
    fn one(&mut self, seed: u64) {
        self.programs += 1;
        let mut dice = Dice::new(seed);
        let program = program(&mut dice);
        let pipeline = Builder::new(&program).pipeline;
        if let Err(problems) = pipeline.check() {
            if env::var_os("TILEWRIGHT_REFUSED").is_some() {
                eprintln!("{seed}: {problems}");
            }
            self.refused += 1;
            return;
        }
        let mut options = Options {
            toolchain: Toolchain {
                cflags: split("-O1 -fopenmp"),
                ..Toolchain::default()
            },
            exact: true,
            uncached: true,
            ..Options::default()
        };
        let wishes = &mut options.compile.wishes;
        wishes.processor.fork = 0;
        wishes.shape = dice.of(&[None, None, Some(Shape::None), Some(Shape::Scalene)]);
        wishes.tile_sizes = match dice.below(3) {
            0 => None,
            _ => Some(vec![1 + dice.below(5) as i64, 1 + dice.below(9) as i64]),
        };
        let kernel = match pipeline.compile_with(&options) {
            Ok(kernel) => kernel,
            Err(problems) => {
                eprintln!(
                    "{seed}: {problems}\n{}",
                    pipeline.program().unwrap().source().text
                );
                return self.wrong.push(seed);
            }
        };
        for _ in 0..3 {
            let sizes = [1 + dice.below(9) as i64, 1 + dice.below(9) as i64];
            let gain = dice.of(&[0.5f32, -1.25, 3.0]);
            let expected = Evaluation::new(&program, sizes, gain, |kind| filled(&mut dice, kind));
            if let Some(outside) = &expected.outside {
                eprintln!(
                    "{seed}: {outside} for {sizes:?}\n{}",
                    kernel.reference_text()
                );
                return self.wrong.push(seed);
            }
            if expected.machine.undefined {
                self.undefined += 1;
                continue;
            }
            if let Some(difference) = difference(&kernel, &program, &expected) {
                let text = kernel.reference_text();
                eprintln!(
                    "{seed}: {difference} for {sizes:?}\n{text}\n{}",
                    kernel.c_text()
                );
                return self.wrong.push(seed);
            }
            self.compared += 1;
        }
    }
}

/// The value of a cell before anything runs.
fn filled(dice: &mut Dice, kind: ScalarKind) -> Value {
    let small = i128::from(dice.next() % 601) - 300;
    let mut machine = c::Machine::default();
    match kind {
        F32 | F64 => {
            let number = Number::Float(small as f64 / 8.0);
            machine.convert(Value { kind: F64, number }, kind)
        }
        _ => {
            let far = dice.percent(10);
            let value = if far { small * 0x0101_0101 } else { small };
            machine.convert(Value::int(value, I64), kind)
        }
    }
}

/// Bytes of memory around every array, which nobody may touch.
const MARGIN: usize = 64;

fn difference(kernel: &Kernel, program: &Program, expected: &Evaluation) -> Option<String> {
    let margin = [0xa5u8; MARGIN];
    let mut memory: Vec<Vec<u64>> = Vec::new();
    for (field, cells) in program.fields.iter().zip(&expected.cells) {
        let mut bytes = margin.to_vec();
        for value in &cells.values {
            match field.role {
                Role::Image => bytes.extend(to_bytes(*value)),
                _ => bytes.extend(&[0xcc; 8][..field.kind.bytes()]),
            }
        }
        bytes.extend(margin);
        bytes.resize(bytes.len().next_multiple_of(8), 0xa5);
        let words = bytes.chunks_exact(8);
        memory.push(
            words
                .map(|w| u64::from_ne_bytes(w.try_into().unwrap()))
                .collect(),
        );
    }
    let mut call = kernel.call().scalar("gain", expected.gain.into());
    for (name, size) in SIZES.iter().zip(expected.sizes) {
        call = call.size(name, size);
    }
    for (at, field) in program.fields.iter().enumerate() {
        if matches!(field.role, Role::Image) || field.output {
            let address = memory[at]
                .as_mut_ptr()
                .wrapping_add(MARGIN / 8)
                .cast::<c_void>();
            let extents = &expected.cells[at].extents;
            // SAFETY: the memory has these cells, and lives until the call has run.
            call = unsafe { call.array_at(&program.name(at), field.kind, address, extents) };
        }
    }
    if let Err(problems) = call.run() {
        return Some(problems.to_string());
    }
    for (at, field) in program.fields.iter().enumerate() {
        let bytes: Vec<u8> = memory[at]
            .iter()
            .flat_map(|word| word.to_ne_bytes())
            .collect();
        let size = field.kind.bytes();
        let values = &expected.cells[at].values;
        let behind = MARGIN + size * values.len();
        if bytes[..MARGIN] != margin || bytes[behind..behind + MARGIN] != margin {
            return Some(format!("memory around {} is touched", program.name(at)));
        }
        if !field.output {
            continue;
        }
        for (number, value) in values.iter().enumerate() {
            let found = &bytes[MARGIN + number * size..][..size];
            if found != to_bytes(*value) && !(value.as_f64().is_nan() && is_nan(found, field.kind))
            {
                let name = program.name(at);
                return Some(format!(
                    "cell {number} of {name} is {found:?}, not {value:?}"
                ));
            }
        }
    }
    None
}

fn to_bytes(value: Value) -> Vec<u8> {
    match value.number {
        Number::Int(number) => number.to_ne_bytes()[..value.kind.bytes()].to_vec(),
        Number::Float(number) if value.kind == F32 => (number as f32).to_ne_bytes().to_vec(),
        Number::Float(number) => number.to_ne_bytes().to_vec(),
    }
}

fn is_nan(bytes: &[u8], kind: ScalarKind) -> bool {
    match kind {
        F32 => bytes
            .try_into()
            .is_ok_and(|b| f32::from_ne_bytes(b).is_nan()),
        F64 => bytes
            .try_into()
            .is_ok_and(|b| f64::from_ne_bytes(b).is_nan()),
        _ => false,
    }
}
