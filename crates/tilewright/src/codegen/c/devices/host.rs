//! The host's part of a device program: a function with memory, copies and launches, and its call
//! in place of the region.
//!
//! The function knows nothing of the program's types and names: it is given values, sizes and
//! addresses. For OpenCL it stands in the C file, with the device's text as a string; for CUDA and
//! HIP it stands in a file of its own with external linkage, which can be used as a library.

use crate::codegen::c::devices::blocks;
use crate::codegen::c::devices::kernels::{DeviceText, SMALL, kernel_name};
use crate::codegen::c::devices::languages::Words;
use crate::codegen::c::devices::names::Argument;
use crate::codegen::c::{Context, Printer, Threads, goes_on, mentions_word};
use crate::codegen::gpu::index_types::{MOST_CELLS, Narrow};
use crate::codegen::gpu::program::{DeviceArray, DeviceProgram, HostNode, Size, Stride};
use crate::codegen::kernel::Index;
use crate::mistakes::mistake;
use crate::source::GENERATED;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Begins what is done with indices of 32 bits; with the name of [`SMALL`].
const IF_SMALL: &str = "if (tw_small) {";

impl Printer<'_> {
    /// The texts around kernels with the `arguments`, whose definitions are `source`.
    pub(crate) fn host_program(
        &mut self,
        program: &DeviceProgram,
        arguments: &[Vec<Argument>],
        source: &str,
    ) -> DeviceText {
        let words = Words::of(self.options.target);
        let constants = self.constants(program);
        self.out.clear();
        let at = Context {
            threads: Threads::One,
            level: 1,
        };
        self.open(program, words, at);
        self.host_nodes(program, arguments, &program.host, at);
        self.close(program, words, at);
        let body = std::mem::take(&mut self.out);

        let mut parameters = Vec::new();
        let mut values = Vec::new();
        for constant in &constants {
            let device = |array: &DeviceArray| matches!(array.size, Size::Device(_));
            let (text, value) = match constant.array {
                Some(_) => {
                    let array = self.array_named(program, &constant.name);
                    let Some(array) = array.filter(|array| !device(array)) else {
                        continue;
                    };
                    if !(array.copy_in || array.copy_out) {
                        continue;
                    }
                    let constant_text = if array.copy_out { "" } else { "const " };
                    let Size::Program { address, .. } = &array.size else {
                        continue;
                    };
                    // A variable that is only read may be `const` in the program.
                    let value = if array.copy_out {
                        address.clone()
                    } else {
                        format!("(const void *){address}")
                    };
                    (
                        format!("{constant_text}void *{}_host", constant.name),
                        value,
                    )
                }
                None => {
                    let Some(value) = self.value_of(program, &constant.name) else {
                        continue;
                    };
                    if !mentions_word(&body, &constant.name) {
                        continue;
                    }
                    (format!("const {} {}", constant.ctype, constant.name), value)
                }
            };
            parameters.push(text);
            values.push(value);
        }
        let parameters = if parameters.is_empty() {
            "void".to_owned()
        } else {
            parameters.join(", ")
        };
        let signature = format!("void {}({parameters})", program.name);
        let mut definitions = String::new();
        for definition in self.spellings.helpers.definitions() {
            definitions.push_str(definition.trim_start());
        }
        let mut removals = String::new();
        for removal in self.spellings.helpers.removals() {
            removals.push_str(removal.trim_start());
        }
        let region = format!(
            "{GENERATED}{} of {} */\n{}({});\n",
            self.scop.place.index,
            self.scop.place.function,
            program.name,
            values.join(", ")
        );
        if words.in_one {
            let own = crate::codegen::c::devices::functions::removals(self.scop);
            return DeviceText {
                region,
                host: format!("{signature};\n"),
                device: format!(
                    "{source}{own}\n{definitions}extern \"C\" {signature}\n{{\n{body}}}\n{removals}\n"
                ),
            };
        }
        let text = format!(
            "static const char *const {}_source =\n{};\n\n{definitions}static {signature}\n{{\n\
             {body}}}\n{removals}\n",
            program.name,
            string(source)
        );
        DeviceText {
            region,
            host: text,
            device: source.to_owned(),
        }
    }

    fn array_named<'p>(&self, program: &'p DeviceProgram, name: &str) -> Option<&'p DeviceArray> {
        let arrays = &self.spellings.device.as_ref()?.arrays;
        let position = arrays.iter().position(|array| array.name == name)?;
        program.arrays.get(position)
    }

    /// What the caller gives for a constant: a C expression where the region stands. `None` for
    /// what the function computes itself.
    fn value_of(&self, program: &DeviceProgram, name: &str) -> Option<String> {
        let params = self.spellings.params.iter().zip(&self.scop.params);
        for (spelling, param) in params {
            if spelling.name() == name {
                return Some(param.spelling.clone());
            }
        }
        let device = self.spellings.device.as_ref()?;
        if let Some((text, _)) = device.invariants.iter().find(|(_, own)| *own == name) {
            return Some(text.clone());
        }
        for (array, of_program) in device.arrays.iter().zip(&program.arrays) {
            let Size::Program { first, strides, .. } = &of_program.size else {
                continue;
            };
            // Extents are the program's own text; strides are computed from its sizes.
            let (inner, given) = match strides {
                Stride::Extents(inner) => (inner, false),
                Stride::Given(inner) => (inner, true),
            };
            let texts = first.iter().chain(inner);
            let names = array.extents.iter().chain(array.strides.iter().flatten());
            for (text, own) in texts.zip(names) {
                if own == name {
                    return Some(if given {
                        format!("(long)({})", self.scop.in_long(text))
                    } else {
                        format!("(long)({text})")
                    });
                }
            }
        }
        None
    }

    /// What the number of elements of an array is the product of.
    fn factors(&self, position: usize) -> Vec<String> {
        let arrays = self.spellings.device.as_ref().map(|device| &device.arrays);
        let Some(array) = arrays.and_then(|arrays| arrays.get(position)) else {
            return Vec::new();
        };
        let sizes = array
            .extents
            .iter()
            .chain(array.strides.iter().flatten().take(1));
        sizes.filter(|size| *size != "1").cloned().collect()
    }

    /// The number of elements of an array.
    fn elements(&self, position: usize) -> String {
        match self.factors(position) {
            sizes if sizes.is_empty() => "1".to_owned(),
            sizes => sizes.join(" * "),
        }
    }

    /// The number of bytes of an array. What the program says of its outermost extent, and of what
    /// was found behind a subscript for several dimensions, may be negative where its loops do
    /// nothing.
    fn bytes(&self, position: usize, element: &str) -> String {
        let factors = self.factors(position);
        let bytes = format!("sizeof({element}) * (size_t)({})", self.elements(position));
        let arrays = self.spellings.device.as_ref().map(|device| &device.arrays);
        let array = arrays.and_then(|arrays| arrays.get(position));
        let found = array.and_then(|array| array.strides.as_ref()?.first());
        let positive = factors.first().into_iter().chain(found);
        let unknown = positive.filter(|size| size.parse::<i64>().is_err());
        let unknown: BTreeSet<String> = unknown.map(|size| format!("{size} > 0")).collect();
        match unknown.into_iter().reduce(|a, b| format!("{a} && {b}")) {
            Some(positive) => format!("{positive} ? {bytes} : 0"),
            None => bytes,
        }
    }

    /// Whether all indices that may have 32 bits fit them, as a condition; `None` where no kernel
    /// has such indices.
    fn all_fit(&self, program: &DeviceProgram, words: Words) -> Option<String> {
        let narrow: Vec<&Narrow> = (program.kernels.iter())
            .filter_map(|kernel| kernel.narrow.as_ref())
            .collect();
        let mut all = Vec::new();
        for (param, spelling) in self.spellings.params.iter().enumerate() {
            let mentioning = narrow.iter().filter(|one| one.params.contains(&param));
            if let Some(limit) = mentioning.map(|one| one.limit).min() {
                let name = spelling.name();
                all.push(format!("{name} <= {limit} && {name} >= -{limit}"));
            }
        }
        for position in 0..program.arrays.len() {
            let factors = self.factors(position);
            let numbers = factors.iter().map(|factor| factor.parse::<i64>().ok());
            let known = numbers.reduce(|all, more| all?.checked_mul(more?));
            if matches!(known, None | Some(Some(0..=MOST_CELLS))) {
                continue;
            }
            let product = factors.iter().fold("1".to_owned(), |all, factor| {
                format!("{}_cells({all}, {factor})", words.prefix)
            });
            all.push(format!("{product} >= 0"));
        }
        match (narrow.is_empty(), all.is_empty()) {
            (true, _) => None,
            (_, true) => Some("1".to_owned()),
            _ => Some(all.join(" && ")),
        }
    }

    /// Sizes, memory, copies to the device, and the kernels themselves.
    fn open(&mut self, program: &DeviceProgram, words: Words, at: Context) {
        let prefix = words.prefix;
        for (position, array) in program.arrays.iter().enumerate() {
            let named = self
                .spellings
                .device
                .as_ref()
                .map(|device| device.arrays[position].clone());
            let (Some(named), Size::Device(extents)) = (named, &array.size) else {
                continue;
            };
            for (extent, text) in extents.iter().zip(&named.extents) {
                if !matches!(extent, Index::Int(_)) {
                    let value = self.index(extent);
                    self.line(at, &format!("const long {text} = {value};"));
                }
            }
        }
        let small = self.all_fit(program, words);
        if let Some(condition) = &small {
            self.line(at, &format!("const int {SMALL} = {condition};"));
        }
        if !words.in_one {
            let count = program.kernels.len();
            let index = match &small {
                None => {
                    self.line(at, &format!("static cl_kernel tw_kernels[{count}];"));
                    "0".to_owned()
                }
                Some(_) => {
                    self.line(at, &format!("static cl_kernel tw_both[2][{count}];"));
                    let line = format!("cl_kernel *const tw_kernels = tw_both[{SMALL}];");
                    self.line(at, &line);
                    format!("{SMALL} ? \"int\" : \"long\"")
                }
            };
            let names: Vec<String> = (0..count)
                .map(|number| format!("\"{}\"", kernel_name(program, number)))
                .collect();
            let names = names.join(", ");
            self.line(
                at,
                &format!("static const char *const tw_names[{count}] = {{{names}}};"),
            );
            self.line(
                at,
                &format!(
                    "{prefix}_build({}_source, {index}, {count}, tw_names, tw_kernels);",
                    program.name
                ),
            );
        } else {
            self.line(at, &format!("{prefix}_start();"));
        }
        for (position, array) in program.arrays.iter().enumerate() {
            let named = self
                .spellings
                .device
                .as_ref()
                .map(|device| device.arrays[position].clone());
            let Some(named) = named else { continue };
            let name = &named.name;
            let element = array.element.kind.c_name();
            let bytes = self.bytes(position, element);
            self.line(at, &format!("const size_t {name}_bytes = {bytes};"));
            let new = format!("{prefix}_new({name}_bytes)");
            let line = if words.in_one {
                format!("{element} *const {name} = ({element} *){new};")
            } else {
                format!("cl_mem {name} = {new};")
            };
            self.line(at, &line);
            let skipped = array.copy_out && mistake!(DeviceWithoutUpload);
            if array.copy_in && !skipped {
                self.line(
                    at,
                    &format!("{prefix}_upload({name}, {name}_host, {name}_bytes);"),
                );
            }
        }
        self.line(at, &format!("{prefix}_begin();"));
    }

    fn close(&mut self, program: &DeviceProgram, words: Words, at: Context) {
        let prefix = words.prefix;
        self.line(at, &format!("{prefix}_end();"));
        let arrays = self
            .spellings
            .device
            .as_ref()
            .map_or(Vec::new(), |d| d.arrays.clone());
        let last = program.arrays.iter().rposition(|array| array.copy_out);
        for (position, (array, named)) in program.arrays.iter().zip(&arrays).enumerate() {
            let name = &named.name;
            let skipped = Some(position) == last && mistake!(DeviceWithoutDownload);
            if array.copy_out && !skipped {
                self.line(
                    at,
                    &format!("{prefix}_download({name}_host, {name}, {name}_bytes);"),
                );
            }
        }
        for named in arrays.iter().rev() {
            self.line(at, &format!("{prefix}_free({});", named.name));
        }
    }

    fn host_nodes(
        &mut self,
        program: &DeviceProgram,
        arguments: &[Vec<Argument>],
        nodes: &[HostNode],
        at: Context,
    ) {
        for node in nodes {
            match node {
                HostNode::For {
                    var,
                    lower,
                    upper,
                    step,
                    ends_early,
                    body,
                } => {
                    let words = Words::of(self.options.target);
                    let around = if *ends_early { at.deeper() } else { at };
                    if *ends_early {
                        self.line(at, "{");
                        self.open_flag(var, words, around);
                    }
                    self.open_loop(var, lower, upper, *step, around);
                    self.host_nodes(program, arguments, body, around.deeper());
                    if *ends_early {
                        self.look_at_flag(var, words, around.deeper());
                    }
                    self.line(around, "}");
                    if *ends_early {
                        self.close_flag(var, words, around);
                        self.line(at, "}");
                    }
                }
                HostNode::GoesOn { var, condition } => {
                    let condition = self.condition(condition);
                    self.line(at, &format!("{} |= {condition};", goes_on(var)));
                }
                HostNode::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let condition = self.condition(condition);
                    self.line(at, &format!("if ({condition}) {{"));
                    self.host_nodes(program, arguments, then, at.deeper());
                    if !otherwise.is_empty() {
                        self.line(at, "} else {");
                        self.host_nodes(program, arguments, otherwise, at.deeper());
                    }
                    self.line(at, "}");
                }
                HostNode::Launch(number) => {
                    self.launch(program, *number, &arguments[*number], at);
                }
            }
        }
    }

    fn launch(
        &mut self,
        program: &DeviceProgram,
        number: usize,
        arguments: &[Argument],
        at: Context,
    ) {
        let kernel = &program.kernels[number];
        self.line(at, "{");
        let inside = at.deeper();
        let some = self.grid(&kernel.grid, inside);
        let mut level = inside;
        if let Some(some) = &some {
            self.line(inside, &format!("if ({some}) {{"));
            level = inside.deeper();
        }
        let Words { prefix, in_one, .. } = Words::of(self.options.target);
        let launches = self.open_launches(&kernel.grid, prefix, level);
        let around = level;
        for _ in 0..launches.opened {
            level = level.deeper();
        }
        let [x, y] = kernel.threads;
        let on_host = |a: &Argument| blocks::on_host(&launches, &a.name).to_owned();
        let names: Vec<String> = arguments.iter().map(on_host).collect();
        let [along_x, along_y, along_z] = &launches.blocks;
        if in_one {
            let (name, names) = (kernel_name(program, number), names.join(", "));
            let bytes = kernel.local_bytes;
            let grid = match (&along_y[..], &along_z[..]) {
                ("1", "1") => format!("(unsigned int)({along_x})"),
                (_, "1") => format!("dim3({along_x}, {along_y})"),
                _ => format!("dim3({along_x}, {along_y}, {along_z})"),
            };
            let versions: &[_] = if kernel.narrow.is_some() {
                &[(IF_SMALL, "<int>"), ("} else {", "<long>")]
            } else {
                &[("", "")]
            };
            for (condition, version) in versions {
                let name = format!("{name}{version}");
                let mut at = level;
                if !condition.is_empty() {
                    self.line(level, condition);
                    at = level.deeper();
                }
                let before = format!("{prefix}_prepare((const void *){name}, {bytes}, {along_x});");
                self.line(at, &before);
                let launch = format!("{name}<<<{grid}, dim3({x}, {y}), {bytes}>>>({names});");
                self.line(at, &launch);
            }
            if kernel.narrow.is_some() {
                self.line(level, "}");
            }
            self.line(level, &format!("{prefix}_launched();"));
        } else {
            for (at, (argument, name)) in arguments.iter().zip(&names).enumerate() {
                let line = if argument.index && kernel.narrow.is_some() {
                    format!("{prefix}_index(tw_kernels[{number}], {at}, {SMALL}, {name});")
                } else {
                    format!(
                        "{prefix}_argument(tw_kernels[{number}], {at}, sizeof({name}), &{name});"
                    )
                };
                self.line(level, &line);
            }
            let grid = format!("{along_x}, {along_y}, {along_z}");
            let kernel = format!("tw_kernels[{number}]");
            self.line(
                level,
                &format!("{prefix}_launch({kernel}, {grid}, {x}, {y});"),
            );
        }
        while level.level > around.level {
            level.level -= 1;
            self.line(level, "}");
        }
        if some.is_some() {
            self.line(inside, "}");
        }
        self.line(at, "}");
    }
}

/// A text as a string literal of C, a line each.
fn string(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = line.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "    \"{line}\\n\"");
    }
    out.trim_end().to_owned()
}
