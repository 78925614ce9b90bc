//! Names on a device and on its host's side, none of which is the program's own: the host's function
//! is given values and addresses, and kernels are given what the function has under the same names.

use crate::codegen::c::Printer;
use crate::codegen::c::bodies::index::ParamSpelling;
use crate::codegen::c::devices::kernels::{THREAD, X, Y};
use crate::codegen::c::devices::languages::INDEX;
use crate::codegen::gpu::program::{DeviceKernel, DeviceProgram, Size, Stride};
use crate::codegen::kernel::Index;
use crate::scop::{ScalarKind, ScalarType};
use crate::transform::BufferId;
use std::collections::BTreeMap;

/// Words that programs may use as names and OpenCL C or CUDA C do not.
const WORDS: [&str; 18] = [
    "kernel",
    "global",
    "local",
    "constant",
    "private",
    "generic",
    "half",
    "event_t",
    "sampler_t",
    "uchar",
    "ushort",
    "uint",
    "ulong",
    "class",
    "new",
    "template",
    "this",
    "operator",
];

/// Where an array is on the device.
#[derive(Clone, Debug)]
pub(crate) struct ArrayName {
    /// Which.
    pub buffer: BufferId,
    /// Its name, of the pointer on the device and of the handle on the host.
    pub name: String,
    /// Extents, outermost first, as numbers or names of arguments.
    pub extents: Vec<String>,
    /// Strides, outermost first, where the program gives them.
    pub strides: Option<Vec<String>>,
}

/// Names and words for a device.
#[derive(Clone, Debug)]
pub(crate) struct Spelling {
    pub arrays: Vec<ArrayName>,
    pub invariants: BTreeMap<String, String>,
    /// Loops that are distributed: variable, the thread's number, how many threads.
    pub dealt: Vec<(String, &'static str, i64)>,
    /// Threads of a block of the kernel that is printed, along x and y.
    pub threads: [i64; 2],
    /// Iterations of a thread's innermost loop that are written as one.
    pub unroll: i64,
    /// Whether the kernel's indices may have 32 bits.
    pub narrow: bool,
}

/// An argument of a function or kernel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Argument {
    pub name: String,
    /// Type of the element, for arrays; else of the value.
    pub ctype: &'static str,
    /// An array, and whether it is written.
    pub array: Option<bool>,
    /// It is of the type of indices.
    pub index: bool,
}

impl Argument {
    /// Its type in a kernel.
    pub(crate) fn type_in(&self, kernel: &DeviceKernel) -> &'static str {
        if self.index && kernel.narrow.is_some() {
            INDEX
        } else {
            self.ctype
        }
    }
}

impl Printer<'_> {
    /// The C type of values: on a device its canonical name.
    pub(crate) fn type_name(&self, ctype: &ScalarType) -> String {
        match self.spellings.device {
            Some(_) => ctype.kind.c_name().to_owned(),
            None => ctype.spelling.clone(),
        }
    }

    pub(crate) fn invariant(&self, text: &str) -> String {
        let names = self
            .spellings
            .device
            .as_ref()
            .map(|device| &device.invariants);
        let name = names.and_then(|names| names.get(text));
        name.map_or(text, String::as_str).to_owned()
    }

    /// A literal; OpenCL C keeps `LL` for 128 bits.
    pub(crate) fn literal(&self, text: &str) -> String {
        let integer = text.starts_with(|c: char| c.is_ascii_digit());
        match self.spellings.device {
            Some(_) if integer => text.replace("LL", "L").replace("ll", "l"),
            _ => text.to_owned(),
        }
    }

    /// Names everything that kernels and the host's function mention.
    pub(crate) fn name_for_device(&mut self, program: &DeviceProgram) {
        for word in WORDS.iter().chain(&[X, Y, THREAD, INDEX]) {
            self.spellings.names.take(word);
            self.spellings.reserved.insert((*word).to_owned());
        }
        for param in 0..self.spellings.params.len() {
            let of_program = &self.scop.params[param];
            let name = self.spellings.names.fresh(&of_program.name);
            self.spellings.params[param] = match of_program.ctype.kind {
                ScalarKind::I32 => ParamSpelling::Int(name),
                ScalarKind::I64 => ParamSpelling::Long(name),
                _ => ParamSpelling::Copy(name),
            };
        }
        let mut invariants = BTreeMap::new();
        for text in self.scop.invariants.keys() {
            let word: String = text
                .chars()
                .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
                .collect();
            invariants.insert(text.clone(), self.spellings.names.fresh(&word));
        }
        let mut arrays = Vec::new();
        for array in &program.arrays {
            let of_program = self.transformed.buffers[array.buffer].array;
            let name = self
                .spellings
                .names
                .fresh(&self.scop.arrays[of_program].name);
            let (extents, strides) = match &array.size {
                Size::Program { first, strides, .. } => {
                    let (texts, given) = match strides {
                        Stride::Extents(inner) => (inner, false),
                        Stride::Given(strides) => (strides, true),
                    };
                    let short = |at: usize, text: &String| match text.parse::<u32>() {
                        Ok(_) => text.clone(),
                        Err(_) => format!("{name}_n{at}"),
                    };
                    let first = first.iter().map(|text| short(0, text));
                    let others = texts.iter().enumerate();
                    let others = others.map(|(at, text)| short(at + 1, text));
                    if given {
                        (first.collect(), Some(others.collect()))
                    } else {
                        (first.chain(others).collect(), None)
                    }
                }
                Size::Device(extents) => {
                    let named = extents.iter().enumerate();
                    let named = named.map(|(at, extent)| match extent {
                        Index::Int(value) => value.to_string(),
                        _ => format!("{name}_n{at}"),
                    });
                    (named.collect(), None)
                }
            };
            self.spellings.bases[array.buffer].clone_from(&name);
            arrays.push(ArrayName {
                buffer: array.buffer,
                name,
                extents,
                strides,
            });
        }
        self.spellings
            .reserved
            .extend(self.spellings.bases.iter().cloned());
        let params = self
            .spellings
            .params
            .iter()
            .map(|param| param.name().to_owned());
        self.spellings.reserved.extend(params);
        self.spellings.reserved.extend(invariants.values().cloned());
        self.spellings.device = Some(Spelling {
            arrays,
            invariants,
            dealt: Vec::new(),
            threads: [1, 1],
            unroll: 1,
            narrow: false,
        });
    }

    /// Everything that is the same in all launches, in order: what the host's function is given
    /// or computes first.
    pub(crate) fn constants(&self, program: &DeviceProgram) -> Vec<Argument> {
        let value = |name: &str, ctype: &'static str| Argument {
            name: name.to_owned(),
            ctype,
            array: None,
            index: false,
        };
        let mut all = Vec::new();
        for (param, spelling) in self.scop.params.iter().zip(&self.spellings.params) {
            let ctype = match spelling {
                ParamSpelling::Int(_) => param.ctype.kind.c_name(),
                _ => "long",
            };
            all.push(value(spelling.name(), ctype));
        }
        let Some(device) = &self.spellings.device else {
            return all;
        };
        for (text, name) in &device.invariants {
            all.push(value(name, self.scop.invariants[text].kind.c_name()));
        }
        for array in &device.arrays {
            let sizes = array.extents.iter().chain(array.strides.iter().flatten());
            let named = sizes.filter(|size| size.starts_with(&array.name));
            all.extend(named.map(|size| Argument {
                index: true,
                ..value(size, "long")
            }));
        }
        for (array, name) in program.arrays.iter().zip(&device.arrays) {
            all.push(Argument {
                name: name.name.clone(),
                ctype: array.element.kind.c_name(),
                array: Some(array.written),
                index: false,
            });
        }
        all
    }
}
