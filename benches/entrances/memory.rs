//! The memory that all entrances of a pipeline work on, and how the language is called with it.

use crate::setting::Failure;
use std::ffi::c_void;
use tilewright::diagnostic::Diagnostic;
use tilewright::frontend::c::interface::{ArgumentKind, Interface};
use tilewright_driver::data::element::{self, Value};
use tilewright_driver::data::fill::{Fill, fill};
use tilewright_driver::data::{Buffer, Shape};
use tilewright_driver::measure::compare::compare;
use tilewright_driver::measure::experiment::{Values, parse};
use tilewright_driver::measure::library::{Addresses, Program};
use tilewright_lang::{Kernel, ScalarKind};

/// How far results of two builds may be apart, relative to the largest value: what contraction of
/// products and sums makes in single precision, and more.
const CLOSE: f64 = 1e-3;

/// Arguments of a C function, in its order.
pub struct Memory {
    arguments: Vec<Argument>,
}

enum Argument {
    Scalar {
        name: String,
        kind: ScalarKind,
        value: Value,
        word: [u64; 1],
    },
    Array {
        shape: Shape,
        buffer: Buffer,
        is_read_only: bool,
    },
}

impl Memory {
    /// Random contents, then what the program's init function makes of them.
    pub fn new(
        interface: &Interface,
        values: &Values,
        program: &Program,
    ) -> Result<Memory, Box<Diagnostic>> {
        let mut arguments = Vec::new();
        let mut count = 0;
        for argument in &interface.arguments {
            let name = argument.name.clone();
            arguments.push(match &argument.kind {
                ArgumentKind::Scalar { ctype } => {
                    let text = values.get(&name).map_or("0", |text| text);
                    let value = parse(&name, &ctype.spelling, ctype.kind, text)?;
                    let mut bytes = [0; 8];
                    element::set(ctype.kind, value, &mut bytes[..ctype.kind.bytes()]);
                    let word = [u64::from_ne_bytes(bytes)];
                    Argument::Scalar {
                        name,
                        kind: ctype.kind,
                        value,
                        word,
                    }
                }
                ArgumentKind::Array {
                    element,
                    extents,
                    read_only,
                    ..
                } => {
                    count += 1 + extents.len();
                    let shape = Shape {
                        name,
                        element: element.kind,
                        extents: vec![0; extents.len()],
                    };
                    let buffer = Buffer::new(&shape)?;
                    Argument::Array {
                        shape,
                        buffer,
                        is_read_only: *read_only,
                    }
                }
                ArgumentKind::Unsupported { reason } => {
                    let code = tilewright::diagnostic::Code::UnsupportedType;
                    return Err(Box::new(Diagnostic::error(code, reason)));
                }
            });
        }
        let mut memory = Memory { arguments };
        let extents = program.extents(&mut memory.addresses(), count);
        let mut extents = extents.into_iter();
        for argument in &mut memory.arguments {
            if let Argument::Array { shape, buffer, .. } = argument {
                // The first number is the size of an element.
                extents.next();
                let all = extents.by_ref().take(shape.extents.len());
                shape.extents = all.map(|n| n as usize).collect();
                *buffer = Buffer::new(shape)?;
                fill(shape, Fill::Random, 1, buffer.bytes_mut());
            }
        }
        program.call_init(&mut memory.addresses());
        Ok(memory)
    }

    /// For a C function.
    pub fn addresses(&mut self) -> Addresses {
        let address = |argument: &mut Argument| match argument {
            Argument::Scalar { word, .. } => word.as_mut_ptr().cast::<c_void>(),
            Argument::Array { buffer, .. } => buffer.address().cast(),
        };
        Addresses(self.arguments.iter_mut().map(address).collect())
    }

    /// How many elements each argument has, in the order of the arguments.
    pub fn lengths(&self) -> Vec<usize> {
        let length = |argument: &Argument| match argument {
            Argument::Scalar { .. } => 1,
            Argument::Array { shape, .. } => shape.extents.iter().product(),
        };
        self.arguments.iter().map(length).collect()
    }

    /// Calls a kernel that has arguments of the same names.
    pub fn call(&mut self, kernel: &Kernel) -> Result<(), Failure> {
        let mut call = kernel.call();
        for argument in &mut self.arguments {
            call = match argument {
                Argument::Scalar {
                    name, kind, value, ..
                } if kind.is_float() => call.scalar(name, value.as_f64()),
                Argument::Scalar { name, value, .. } => call.size(name, value.as_f64() as i64),
                Argument::Array { shape, buffer, .. } => {
                    let address = buffer.address().cast();
                    // SAFETY: the buffer was made for this type and these extents, is nobody
                    // else's, and outlives the call.
                    unsafe { call.array_at(&shape.name, shape.element, address, &shape.extents) }
                }
            };
        }
        Ok(call.run()?)
    }

    /// Copies of the arrays that a call writes.
    pub fn written(&self) -> Vec<Vec<u8>> {
        let arrays = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Array {
                buffer,
                is_read_only: false,
                ..
            } => Some(buffer.bytes().to_vec()),
            _ => None,
        });
        arrays.collect()
    }

    /// Whether two results are the same but for rounding.
    pub fn check_close(
        &self,
        expected: &[Vec<u8>],
        result: &[Vec<u8>],
        label: &str,
    ) -> Result<(), Failure> {
        let kinds = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Array {
                shape,
                is_read_only: false,
                ..
            } => Some(shape),
            _ => None,
        });
        for ((shape, expected), result) in kinds.zip(expected).zip(result) {
            let difference = compare(shape.element, expected, result);
            let integers = if shape.element.is_float() { 0.0 } else { 1.0 };
            if difference.max_abs_diff > (CLOSE * difference.largest).max(integers) {
                let name = &shape.name;
                return Err(format!("{label}: {name} is another than C's: {difference:?}").into());
            }
        }
        Ok(())
    }
}
