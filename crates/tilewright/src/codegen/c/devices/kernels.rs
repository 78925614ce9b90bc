//! Kernels of a device program as OpenCL C, CUDA C or HIP, which differ in a few [`languages`].
//!
//! [`languages`]: crate::codegen::c::devices::languages
//!
//! Arrays are one-dimensional there, with their extents as arguments; buffers in local memory are
//! parts of one block of bytes, seen through pointers to rows. Types have their canonical names:
//! OpenCL's `long` has 64 bits, as `long` has on the host.

use crate::codegen::c::bodies::index::strength::*;
use crate::codegen::c::devices::exits::{TURN, VOTE, flag, votes};
use crate::codegen::c::devices::languages::{INDEX, Words};
use crate::codegen::c::devices::names::Argument;
use crate::codegen::c::{Context, Printer, Threads, goes_on, mentions_word};
use crate::codegen::gpu::program::{Axis, BlockNode, DeviceKernel, DeviceProgram, HostNode, Piece};
use crate::codegen::kernel::{Index, Instance, Kernel, Place, PlaceIndex};
use crate::codegen::{CodegenOptions, Target};
use crate::mistakes::mistake;
use crate::scop::Scop;
use crate::transform::{BufferId, Transformed};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Values are to be those of C: no contraction of products and sums.
const OPENCL_PRAGMAS: &str = "\
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma OPENCL FP_CONTRACT OFF
";

/// What is printed for a region and a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceText {
    /// In place of the region: a call.
    pub region: String,
    /// What the call needs in front of the function, after what [`crate::codegen::c::devices::languages::prologue`] says:
    /// a function in C, or its declaration.
    pub host: String,
    /// The part of the device's own file for this region; for OpenCL the device's text is part of
    /// the host's.
    pub device: String,
}

/// The number of a thread along x, along y, and in its block.
pub(crate) const X: &str = "tw_x";
pub(crate) const Y: &str = "tw_y";
pub(crate) const THREAD: &str = "tw_thread";

/// On the host: whether all indices that may have 32 bits fit them.
pub(crate) const SMALL: &str = "tw_small";

/// In front of OpenCL's kernels whose indices may have 32 bits: for whoever builds them without
/// saying that they have.
const OPENCL_INDEX: &str = "\
#ifndef tw_index
#define tw_index long
#endif
";

/// Names that buffers may not have: those of the program and, on a device, of every kernel's own.
pub fn taken(target: Target, program: &BTreeSet<String>) -> BTreeSet<String> {
    let mut all = program.clone();
    if target.is_device() {
        let own = [
            X,
            Y,
            THREAD,
            INDEX,
            SMALL,
            VOTE,
            TURN,
            "tw_block",
            "tw_memory",
        ];
        all.extend(own.map(str::to_owned));
    }
    all
}

/// Prints a device program.
///
/// # Errors
/// What has no form on a device; one sentence.
pub fn print_device(
    scop: &Scop,
    transformed: &Transformed,
    kernel: &Kernel,
    program: &DeviceProgram,
    options: &CodegenOptions,
) -> Result<DeviceText, String> {
    let functions =
        crate::codegen::c::devices::functions::functions(scop, &program.name, options.target)?;
    let atomics = crate::codegen::c::bodies::atomics::functions(scop, transformed, options.target)?;
    let mut printer = Printer::new(scop, transformed, kernel, options);
    printer.name_for_device(program);
    let mut device = String::new();
    let mut arguments = Vec::new();
    for number in 0..program.kernels.len() {
        let (text, own) = printer.kernel(program, number);
        device.push_str(&text);
        arguments.push(own);
    }
    let mut source = match options.target {
        Target::OpenCl => OPENCL_PRAGMAS.to_owned(),
        _ => String::new(),
    };
    if options.target == Target::OpenCl && program.kernels.iter().any(|k| k.narrow.is_some()) {
        source.push_str(OPENCL_INDEX);
    }
    for definition in printer.spellings.helpers.definitions() {
        source.push_str(definition.trim_start());
    }
    source.push_str(&atomics);
    source.push_str(&functions);
    source.push_str(&device);
    for removal in printer.spellings.helpers.removals() {
        source.push_str(removal.trim_start());
    }
    let mut host = Printer::new(scop, transformed, kernel, options);
    host.name_for_device(program);
    Ok(host.host_program(program, &arguments, &source))
}

impl Printer<'_> {
    /// The thread that begins with the first iteration of a loop that is distributed, and by how
    /// many iterations each goes on.
    pub(crate) fn dealt(&self, var: &str) -> Option<(&'static str, i64)> {
        let dealt = self.spellings.device.as_ref()?.dealt.iter();
        dealt
            .rev()
            .find(|(other, ..)| other == var)
            .map(|(_, thread, threads)| (*thread, *threads))
    }

    /// One kernel, and its arguments.
    fn kernel(&mut self, program: &DeviceProgram, number: usize) -> (String, Vec<Argument>) {
        let kernel = &program.kernels[number];
        let name = kernel_name(program, number);
        let words = Words::of(self.options.target);
        let bases = self.spellings.bases.clone();
        for &(buffer, _) in &kernel.local {
            let single = program
                .buffers
                .iter()
                .any(|b| b.buffer == buffer && b.extents.is_empty());
            if single {
                self.spellings.bases[buffer] = format!("(*{})", self.spellings.bases[buffer]);
            }
        }
        if let Some(device) = &mut self.spellings.device {
            device.threads = kernel.threads;
            device.unroll = self.options.device.blocks(kernel.group).unroll;
            device.narrow = kernel.narrow.is_some();
            device.dealt.clear();
        }
        self.out.clear();
        let at = Context {
            threads: Threads::Dealt,
            level: 1,
        };
        self.block_nodes(&kernel.body, at);
        let mut body = std::mem::take(&mut self.out);
        if mentions_word(&body, VOTE) {
            body = votes(words, THREAD) + &body;
        }
        let mut path = Vec::new();
        around(&program.host, number, &mut path);
        // Loops on the host of which threads note whether they go on.
        let noted = path.iter().filter(|(_, ends_early)| *ends_early);
        let noted = noted.filter(|(var, _)| mentions_word(&body, &goes_on(var)));
        let noted: Vec<String> = noted.map(|(var, _)| var.clone()).collect();
        for var in &noted {
            let own = goes_on(var);
            let (begin, flag) = (format!("    int {own} = 0;\n"), flag(var));
            body = format!("{begin}{body}    if ({own})\n        *{flag} = 1;\n");
        }
        let head = self.head(program, kernel, &bases, &body);
        self.spellings.bases = bases;
        let text = head.clone() + &body;

        let mut arguments: Vec<Argument> = self.constants(program);
        let mut written = Vec::new();
        for array in &self
            .spellings
            .device
            .as_ref()
            .map_or(Vec::new(), |d| d.arrays.clone())
        {
            if writes(&kernel.body, array.buffer) {
                written.push(array.name.clone());
            }
        }
        for argument in &mut arguments {
            if let Some(is_written) = &mut argument.array {
                *is_written = written.contains(&argument.name);
            }
        }
        let long = |name: String| Argument {
            name,
            ctype: "long",
            array: None,
            index: true,
        };
        for each in &kernel.grid {
            arguments.push(long(format!("{}_first", each.var)));
            arguments.push(long(format!("{}_count", each.var)));
        }
        arguments.extend(path.into_iter().map(|(var, _)| long(var)));
        arguments.extend(noted.iter().map(|var| Argument {
            name: flag(var),
            ctype: "int",
            array: Some(true),
            index: false,
        }));
        arguments.retain(|argument| mentions_word(&text, &argument.name));

        let spelled: Vec<String> = arguments
            .iter()
            .map(|argument| match argument.array {
                None => format!("const {} {}", argument.type_in(kernel), argument.name),
                Some(written) => {
                    let Argument { name, ctype, .. } = argument;
                    let constant = if written { "" } else { "const " };
                    let Words {
                        global, restrict, ..
                    } = words;
                    format!("{global}{constant}{ctype} *{restrict} {name}")
                }
            })
            .collect();
        let mark = words.kernel(kernel.threads, kernel.narrow.is_some());
        let title = self.options.group_titles.get(kernel.group);
        let title = title.map_or(String::new(), |title| {
            format!("/* {} */\n", title.replace("*/", "* /").replace('\n', " "))
        });
        let text = format!(
            "\n{title}{mark} {name}({})\n{{\n{text}}}\n",
            spelled.join(", ")
        );
        (text, arguments)
    }

    /// Declarations at the begin of a kernel.
    fn head(
        &mut self,
        program: &DeviceProgram,
        kernel: &DeviceKernel,
        bases: &[String],
        body: &str,
    ) -> String {
        let words = Words::of(self.options.target);
        let mut head = String::new();
        let threads = kernel.threads;
        let long = self.index_type();
        let [x, y] = words.thread.map(|one| format!("({long}){one}"));
        let all = format!("{x} + {} * {y}", threads[0]);
        for (name, value) in [(X, &x), (Y, &y), (THREAD, &all)] {
            if mentions_word(body, name) {
                let _ = writeln!(head, "    const {long} {name} = {value};");
            }
        }
        head.push_str(&self.own_values(&kernel.grid, words));
        if kernel.local_bytes > 0 {
            let _ = writeln!(head, "    {}", words.memory(kernel.local_bytes));
        }
        let space = words.local;
        for (buffer, begin) in &kernel.local {
            let begin = if mistake!(DeviceLocalAtFirst) {
                &0
            } else {
                begin
            };
            let Some(buffer) = program.buffers.iter().find(|b| b.buffer == *buffer) else {
                continue;
            };
            let (element, name) = (buffer.element.kind.c_name(), &bases[buffer.buffer]);
            let rows: String = buffer
                .extents
                .iter()
                .skip(1)
                .map(|e| format!("[{e}]"))
                .collect();
            let (declared, ctype) = if rows.is_empty() {
                (format!("*{name}"), format!("{space}{element} *"))
            } else {
                (
                    format!("(*{name}){rows}"),
                    format!("{space}{element} (*){rows}"),
                )
            };
            let _ = writeln!(
                head,
                "    {space}{element} {declared} = ({ctype})(tw_memory + {begin});"
            );
        }
        head
    }

    fn block_nodes(&mut self, nodes: &[BlockNode], at: Context) {
        let visible = self.here.bounds.len();
        for node in nodes {
            match node {
                BlockNode::For {
                    var,
                    lower,
                    upper,
                    step,
                    ends_early,
                    body,
                } => {
                    let words = Words::of(self.options.target);
                    let inside = at.deeper();
                    if *ends_early {
                        self.line(at, "{");
                        self.open_voted((var.as_str(), lower, upper, *step), words, inside);
                        self.block_nodes(body, inside.deeper());
                        self.vote(var, words, inside.deeper());
                        self.line(inside, "}");
                    } else {
                        self.open_loop(var, lower, upper, *step, at);
                        self.block_nodes(body, inside);
                    }
                    self.line(at, "}");
                }
                BlockNode::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let condition = self.condition(condition);
                    self.line(at, &format!("if ({condition}) {{"));
                    self.block_nodes(then, at.deeper());
                    if !otherwise.is_empty() {
                        self.line(at, "} else {");
                        self.block_nodes(otherwise, at.deeper());
                    }
                    self.line(at, "}");
                }
                BlockNode::Piece(piece) => self.piece(piece, at),
                BlockNode::Barrier if mistake!(DeviceWithoutBarriers) => {}
                BlockNode::Barrier => {
                    self.line(at, Words::of(self.options.target).barrier);
                }
            }
        }
        self.here.bounds.truncate(visible);
    }

    /// The first line of a loop that all threads, or the host, execute.
    pub(crate) fn open_loop(
        &mut self,
        var: &str,
        lower: &Index,
        upper: &Index,
        step: i64,
        at: Context,
    ) {
        let lower = self.index(lower);
        let bound = self.less_than(upper);
        let next = match step {
            1 => format!("{var}++"),
            step => format!("{var} += {step}"),
        };
        let long = self.index_type();
        self.line(
            at,
            &format!("for ({long} {var} = {lower}; {var} {bound}; {next}) {{"),
        );
    }

    fn piece(&mut self, piece: &Piece, at: Context) {
        if let Some(device) = &mut self.spellings.device {
            let [x, y] = device.threads;
            let dealt = piece.dealt.iter().map(|dealt| match dealt.axis {
                Axis::X => (dealt.var.clone(), X, x),
                Axis::Y => (dealt.var.clone(), Y, y),
                Axis::All => (dealt.var.clone(), THREAD, x * y),
            });
            device.dealt = dealt.collect();
        }
        let alone = self
            .spellings
            .device
            .as_ref()
            .is_some_and(|device| device.threads != [1, 1]);
        if piece.dealt.is_empty() && alone {
            self.line(at, &format!("if ({THREAD} == 0) {{"));
            self.nodes(&piece.body, at.deeper());
            self.line(at, "}");
        } else {
            // Bounds are computed in front of the loops they are for.
            self.line(at, "{");
            self.nodes(&piece.body, at.deeper());
            self.line(at, "}");
        }
        if let Some(device) = &mut self.spellings.device {
            device.dealt.clear();
        }
    }

    /// A cell of an array of the device that is a bound; none for variables and local memory.
    pub(crate) fn data_on_device(&mut self, buffer: BufferId, indices: &[Index]) -> Option<String> {
        let arrays = &self.spellings.device.as_ref()?.arrays;
        let array = arrays.iter().find(|a| a.buffer == buffer).cloned()?;
        let mut text = "0".to_owned();
        for (at, index) in indices.iter().enumerate() {
            let index = self.index_of_type_long(index, if at == 0 { UNARY } else { SUM });
            text = match at {
                0 => index,
                _ => format!("({text}) * {} + {index}", array.extents[at]),
            };
        }
        Some(format!("{}[{text}]", array.name))
    }

    /// A place in an array of the device, or in a buffer of the block or thread.
    pub(crate) fn place_on_device(&mut self, place: &Place, instance: &Instance) -> String {
        let arrays = self.spellings.device.as_ref().map(|device| &device.arrays);
        let array = arrays.and_then(|all| all.iter().find(|a| a.buffer == place.buffer));
        let Some(array) = array.cloned() else {
            let base = self.spellings.bases[place.buffer].clone();
            return base + &self.subscripts(place, instance);
        };
        let mut text = String::new();
        match &array.strides {
            Some(strides) => {
                let mut terms = Vec::new();
                for (index, stride) in place.indices.iter().zip(strides) {
                    let index = self.place_index(index, instance, UNARY);
                    terms.push(match &stride[..] {
                        "1" => index,
                        stride => format!("{index} * {stride}"),
                    });
                }
                text = terms.join(" + ");
            }
            None => {
                for (at, index) in place.indices.iter().enumerate() {
                    if at == 0 {
                        let last = place.indices.len() == 1;
                        let strength = if last { CONDITIONAL } else { UNARY };
                        text = self.place_index(index, instance, strength);
                        continue;
                    }
                    let index = self.place_index(index, instance, SUM);
                    let before = if at > 1 { format!("({text})") } else { text };
                    text = format!("{before} * {} + {index}", array.extents[at]);
                }
            }
        }
        if text.is_empty() {
            text.push('0');
        }
        format!("{}[{text}]", array.name)
    }

    /// An index of type `long`.
    fn place_index(&mut self, index: &PlaceIndex, instance: &Instance, strength: u8) -> String {
        match index {
            PlaceIndex::Affine(index) => self.index_of_type_long(index, strength),
            PlaceIndex::Data { subscript, origin } => {
                let subscript = self.expr_at(subscript, instance, UNARY);
                let long = self.index_type();
                match origin {
                    None => format!("({long}){subscript}"),
                    Some(origin) => {
                        let origin = self.index_of_type_long(origin, PRODUCT);
                        format!("(({long}){subscript} - {origin})")
                    }
                }
            }
        }
    }
}

/// The name of a kernel's function.
pub(crate) fn kernel_name(program: &DeviceProgram, number: usize) -> String {
    format!("{}_k{number}", program.name)
}

/// Whether a kernel writes a buffer.
fn writes(nodes: &[BlockNode], buffer: BufferId) -> bool {
    nodes.iter().any(|node| match node {
        BlockNode::For { body, .. } => writes(body, buffer),
        BlockNode::If {
            then, otherwise, ..
        } => writes(then, buffer) || writes(otherwise, buffer),
        BlockNode::Piece(piece) => piece
            .touched
            .iter()
            .any(|touched| touched.written && touched.place.buffer == buffer),
        BlockNode::Barrier => false,
    })
}

/// Variables of the host's loops around a launch, which nothing inside has the names of, and
/// whether these end early.
fn around(nodes: &[HostNode], kernel: usize, path: &mut Vec<(String, bool)>) -> bool {
    nodes.iter().any(|node| match node {
        HostNode::Launch(other) => *other == kernel,
        HostNode::For {
            var,
            ends_early,
            body,
            ..
        } => {
            path.push((var.clone(), *ends_early));
            let found = around(body, kernel, path);
            if !found {
                path.pop();
            }
            found
        }
        HostNode::If {
            then, otherwise, ..
        } => around(then, kernel, path) || around(otherwise, kernel, path),
        HostNode::GoesOn { .. } => false,
    })
}
