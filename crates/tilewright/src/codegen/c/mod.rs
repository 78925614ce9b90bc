//! Prints a kernel as C99 with OpenMP pragmas, or without.
//!
//! The text is one block that stands where the region stood. It needs no header: what it uses
//! beyond C are the builtins `__builtin_malloc`, `__builtin_free` and `__builtin_trap` of gcc and
//! clang. Statement bodies keep their literals, casts and calls, so that values keep their bits.
//!
//! - Parallel loops: `#pragma omp parallel for`, or a parallel block with an `omp for` in it where
//!   each thread allocates memory first.
//! - `simd` loops: `#pragma omp simd`, unless compilers would change the order inside an iteration
//!   ([`lanes`]); their bounds are constants of type `long` before the loop.
//! - Local buffers of a loop nest: one allocation per thread, aligned to [`ALIGNMENT`] bytes, seen
//!   through pointers to rows of constant length.

mod asked;
pub(crate) mod bodies;
mod captured;
pub mod devices;
pub mod entrance;
mod lanes;
mod memory;

use bodies::{index, sized};

use super::kernel::{Index, Instance, Kernel, Loop, Node, Place, Worth};
use super::names::Names;
use super::{CodegenOptions, Dealing, Target};
use crate::codegen::generation::build::mentions;
use crate::plan::defaults;
use crate::scop::{ParamId, ScalarKind, Scop};
use crate::source::GENERATED;
use crate::transform::{BufferId, Transformed};
use std::collections::BTreeSet;
use std::fmt::Write;

pub use super::names::identifiers;

pub use devices::functions::inexact;
pub use entrance::guard::{Compared, Guard, check, guard};
pub use entrance::inspection::{around, inspection, within};
pub use entrance::packing::{either, with_memory};
use entrance::worth::size;
pub use memory::{ALIGNMENT, PADDING};

/// How lines begin that start threads.
pub const PARALLEL: &str = "#pragma omp parallel";

/// Columns per level of indentation.
const INDENT: usize = 4;

/// The text that replaces a region.
///
/// `kernel` is what [`crate::codegen::generation::build::generate`] and [`super::passes::finish`] made for the same
/// arguments.
pub fn print_c(
    scop: &Scop,
    transformed: &Transformed,
    kernel: &Kernel,
    options: &CodegenOptions,
) -> String {
    let mut printer = Printer::new(scop, transformed, kernel, options);
    printer.region(kernel);
    printer.finish(options.indent)
}

/// Where in the loop structure the printer is.
#[derive(Clone, Copy)]
struct Context {
    /// Inside a parallel loop or block: no further threads are started.
    threads: Threads,
    level: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Threads {
    /// One thread.
    One,
    /// Directly inside `omp parallel`: a parallel loop is distributed with `omp for`.
    Team,
    /// Inside a loop that is distributed.
    Dealt,
}

impl Context {
    fn deeper(self) -> Context {
        Context {
            level: self.level + 1,
            ..self
        }
    }
}

struct Printer<'a> {
    scop: &'a Scop,
    transformed: &'a Transformed,
    options: &'a CodegenOptions,
    kernel: &'a Kernel,
    spellings: Spellings,
    here: Here,
    /// The group whose title was printed last.
    group: Option<usize>,
    out: String,
}

/// How everything is called in the whole text.
struct Spellings {
    names: Names,
    /// How each parameter is spelled in index expressions.
    params: Vec<index::ParamSpelling>,
    /// What stands before the subscripts, per buffer.
    bases: Vec<String>,
    helpers: index::Helpers,
    /// Identifiers that a statement's own variables must not hide.
    reserved: BTreeSet<String>,
    /// Names on a device and its host, where the text is for one.
    device: Option<devices::names::Spelling>,
}

/// What holds where the next line is printed.
#[derive(Default)]
struct Here {
    /// Parameters that are known not to be close to the smallest `int` ([`sized`]).
    sized: Vec<ParamId>,
    /// Names of bounds that are visible.
    bounds: Vec<String>,
    /// Variables of the loops around that are an `int`.
    ints: Vec<String>,
    /// Variables of the loops around.
    around: Vec<String>,
    /// Variables of blocks that the next assignment to them declares.
    undeclared: Vec<BufferId>,
    /// Variables that hold what is stored, or will be, at a place; the latest last.
    held: Vec<(Place, String)>,
    /// Variables that cells are kept in while a loop runs.
    registers: Vec<(Place, String)>,
    /// The variable, with its operator, that the iterations of all loops reduce to: `max: u`.
    reduction: Option<String>,
}

impl<'a> Printer<'a> {
    fn new(
        scop: &'a Scop,
        transformed: &'a Transformed,
        kernel: &'a Kernel,
        options: &'a CodegenOptions,
    ) -> Printer<'a> {
        let mut names = Names::new(scop, &options.taken_names);
        let mut bases: Vec<String> = transformed
            .buffers
            .iter()
            .map(|b| scop.arrays[b.array].base.clone())
            .collect();
        for local in &kernel.buffers {
            bases[local.buffer] = names.take(&local.name);
        }
        for temporary in &kernel.temporaries {
            bases[temporary.buffer] = names.take(&temporary.name);
        }
        let mut params = Vec::new();
        for param in &scop.params {
            let plain = param
                .spelling
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_');
            params.push(match param.ctype.kind {
                ScalarKind::I32 if plain => index::ParamSpelling::Int(param.spelling.clone()),
                ScalarKind::I64 if plain => index::ParamSpelling::Long(param.spelling.clone()),
                _ => index::ParamSpelling::Copy(names.fresh(&param.name)),
            });
        }
        let known = scop.params.iter().enumerate();
        let known = known.filter(|(_, param)| {
            matches!(param.ctype.kind, ScalarKind::I32) && sized::always(scop, param)
        });
        let helpers = index::Helpers::new(&mut names);
        let mut reserved: BTreeSet<String> = bases.iter().cloned().collect();
        reserved.extend(params.iter().map(|param| param.name().to_owned()));
        reserved.extend(scop.params.iter().map(|param| param.spelling.clone()));
        Printer {
            scop,
            transformed,
            options,
            kernel,
            spellings: Spellings {
                names,
                params,
                bases,
                helpers,
                reserved,
                device: None,
            },
            here: Here {
                sized: known.map(|(number, _)| number).collect(),
                ..Here::default()
            },
            group: None,
            out: String::new(),
        }
    }

    fn line(&mut self, at: Context, text: &str) {
        for _ in 0..at.level * INDENT {
            self.out.push(' ');
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn region(&mut self, kernel: &Kernel) {
        let inside = Context {
            threads: Threads::One,
            level: 1,
        };
        self.temporaries(kernel, inside);
        self.nodes(&kernel.body, inside);
        self.free_temporaries(kernel, inside);
    }

    /// Puts the block around what was printed.
    fn finish(self, indent: usize) -> String {
        let mut text = format!(
            "{GENERATED}{} of {} */\n{{\n",
            self.scop.place.index, self.scop.place.function
        );
        for definition in self.spellings.helpers.definitions() {
            text.push_str(&definition);
        }
        for (param, spelling) in self.scop.params.iter().zip(&self.spellings.params) {
            if let index::ParamSpelling::Copy(name) = spelling {
                if mentions_word(&self.out, name) {
                    let value = index::as_long(param);
                    let _ = writeln!(text, "    const long {name} = {value};");
                }
            }
        }
        text.push_str(&self.out);
        for removal in self.spellings.helpers.removals() {
            text.push_str(&removal);
        }
        text.push_str("}\n");
        let margin = " ".repeat(indent);
        let mut indented = String::with_capacity(text.len() + indent * 100);
        for line in text.lines() {
            if !line.is_empty() {
                indented.push_str(&margin);
            }
            indented.push_str(line);
            indented.push('\n');
        }
        indented
    }

    fn nodes(&mut self, nodes: &[Node], at: Context) {
        let visible = self.here.bounds.len();
        for node in nodes {
            if at.level == 1 {
                self.title(node, at);
            }
            match node {
                Node::For(each) => self.each(each, at),
                Node::If {
                    condition: test,
                    then,
                    otherwise,
                } => {
                    let condition = self.condition(test);
                    self.line(at, &format!("if ({condition}) {{"));
                    let sized = self.here.sized.len();
                    self.sized_under(test);
                    self.nodes(then, at.deeper());
                    self.here.sized.truncate(sized);
                    if !otherwise.is_empty() {
                        self.line(at, "} else {");
                        self.nodes(otherwise, at.deeper());
                    }
                    self.line(at, "}");
                }
                Node::Statement(instance) => self.statement(instance, at),
                Node::Scope { body, .. } => self.nodes(body, at),
                Node::Block { variables, body } => {
                    self.block(variables, body, nodes.len() == 1, at)
                }
                Node::Allocate { buffers, body } => self.allocation(buffers, body, at),
                Node::Copies(copies) => self.copies(copies, nodes.len() == 1 && at.level > 1, at),
                Node::GoesOn { var, condition } => {
                    let text = match condition {
                        Index::Int(1) => format!("{} = 1;", goes_on(var)),
                        condition => format!("{} |= {};", goes_on(var), self.condition(condition)),
                    };
                    self.line(at, &text);
                }
            }
        }
        self.here.bounds.truncate(visible);
    }

    /// The title of a group above its first code.
    fn title(&mut self, node: &Node, at: Context) {
        let mut group = None;
        node.instances(&mut |instance: &Instance| group = group.or(Some(instance.group)));
        let Some(group) = group.filter(|_| self.group != group) else {
            return;
        };
        self.group = Some(group);
        let title = self.options.group_titles.get(group);
        if let Some(title) = title.map(|title| title.replace("*/", "* /")) {
            self.line(at, &format!("/* {} */", title.replace('\n', " ")));
        }
    }

    /// Variables of a block; braces where something else is in the enclosing block.
    fn block(&mut self, variables: &[BufferId], body: &[Node], alone: bool, at: Context) {
        let inside = if alone && at.level > 1 {
            at
        } else {
            at.deeper()
        };
        if inside.level > at.level {
            self.line(at, "{");
        }
        self.declare_variables(variables, body, inside);
        self.nodes(body, inside);
        if inside.level > at.level {
            self.line(at, "}");
        }
    }

    fn each(&mut self, each: &Loop, at: Context) {
        if self.asked_outside(each, at)
            || self.even_turns(each, at)
            || self.one_turn(each, at)
            || self.in_registers(each, at)
        {
            return;
        }
        let dealt_out = self.dealt(&each.var).is_some();
        if each.lower == each.upper && !each.parallel && !dealt_out {
            return self.single_iteration(each, at);
        }
        let dealt = each.parallel && at.threads != Threads::Dealt;
        // Bounds of all loops that one pragma is about stand before it.
        let mut headers = Vec::new();
        let mut current = each;
        let ints = self.here.ints.len();
        for nest in 0.. {
            let bound = self.bound(current, at);
            if self.counts_as_int(current) {
                self.here.ints.push(current.var.clone());
            }
            headers.push(self.header(current, &bound));
            match current.body.as_slice() {
                [Node::For(inner)] if dealt && nest + 1 < each.collapse => current = inner,
                _ => break,
            }
        }
        // Few iterations are better written out, and vectors are made of loops around them.
        let few = current
            .iterations()
            .is_some_and(|k| k < defaults::LEAST_VECTOR);
        let vector = current.simd
            && !few
            && self.options.target == Target::OpenMp
            && lanes::keep_their_order(self.scop, self.transformed, self.kernel, current);
        let mut captures = None;
        if self.options.target == Target::OpenMp {
            if let Some(pragma) = self.pragma(each, dealt, vector, at) {
                self.line(at, &pragma);
                let starts_threads = dealt && at.threads == Threads::One;
                captures = starts_threads.then(|| self.captures());
            }
        }
        if let (false, Some(iterations)) = (dealt_out, each.iterations()) {
            self.pragma_unroll(each, iterations, at);
        }
        let threads = if dealt { Threads::Dealt } else { at.threads };
        let sized = self.here.sized.len();
        self.sized_in(each);
        let mut level = at.level;
        for header in &headers {
            self.line(Context { level, threads }, header);
            level += 1;
        }
        let inside = Context { level, threads };
        let flag = current.dynamic.ends_early.then(|| goes_on(&current.var));
        if let Some(flag) = &flag {
            self.line(inside, &format!("int {flag} = 0;"));
        }
        let outside = self.here.around.len();
        self.here.around.push(each.var.clone());
        self.nodes(&current.body, inside);
        self.here.around.truncate(outside);
        self.here.sized.truncate(sized);
        self.here.ints.truncate(ints);
        if let Some(flag) = &flag {
            self.line(inside, &format!("if (!{flag})"));
            self.line(inside.deeper(), "break;");
        }
        for _ in &headers {
            level -= 1;
            self.line(Context { level, threads }, "}");
        }
        if let Some(region) = captures {
            self.captured(region);
        }
    }

    /// A loop that runs once: its variable as a constant.
    fn single_iteration(&mut self, each: &Loop, at: Context) {
        self.line(at, "{");
        if each.body.iter().any(|node| mentions(node, &each.var)) {
            let value = self.index(&each.lower);
            self.line(
                at.deeper(),
                &format!("const {} {} = {value};", self.index_type(), each.var),
            );
        }
        let outside = self.here.around.len();
        self.here.around.push(each.var.clone());
        self.nodes(&each.body, at.deeper());
        self.here.around.truncate(outside);
        self.line(at, "}");
    }

    fn pragma(&mut self, each: &Loop, dealt: bool, vector: bool, at: Context) -> Option<String> {
        if !dealt {
            return vector.then(|| format!("#pragma omp simd{}", noted(each)));
        }
        let mut pragma = String::from("#pragma omp ");
        if at.threads == Threads::One {
            pragma.push_str("parallel ");
        }
        pragma.push_str("for ");
        if let Some(worth) = each.worth.as_ref().filter(|_| at.threads == Threads::One) {
            let condition = self.worth(worth);
            let _ = write!(pragma, "if ({condition}) ");
        }
        if vector && each.collapse == 1 {
            pragma.push_str("simd ");
        }
        match self.options.dealing {
            Dealing::Static => pragma.push_str("schedule(static)"),
            Dealing::Dynamic { chunk } => {
                let _ = write!(pragma, "schedule(dynamic, {})", chunk.max(1));
            }
            Dealing::Uneven { portions } if each.collapse == 1 && each.is_uneven(self.scop) => {
                let chunk = self.portion(each, portions.max(1));
                let _ = write!(pragma, "schedule(dynamic, {chunk})");
            }
            Dealing::Uneven { .. } => pragma.push_str("schedule(static)"),
        }
        if let Some(reduction) = &self.here.reduction {
            let _ = write!(pragma, " reduction({reduction})");
        }
        if each.collapse > 1 {
            let _ = write!(pragma, " collapse({})", each.collapse);
        }
        pragma.push_str(&noted(each));
        Some(pragma)
    }

    /// A condition on how much there is to do, as C text.
    pub(super) fn worth(&mut self, worth: &Worth) -> String {
        if let [factor] = &worth.factors[..]
            && let Some((size, least)) = size(factor, worth.least)
        {
            return format!("{} >= {least}", self.index(size));
        }
        let mut product = String::from("(double)");
        for (k, factor) in worth.factors.iter().enumerate() {
            if k > 0 {
                product.push_str(" * ");
            }
            let text = self.index(factor);
            match factor {
                Index::Param(_) | Index::Var(_) => product.push_str(&text),
                _ => {
                    let _ = write!(product, "({text})");
                }
            }
        }
        format!("{product} >= {}", worth.least)
    }

    /// Iterations of one of so many portions of a loop, at least 1.
    fn portion(&mut self, each: &Loop, portions: i64) -> String {
        let length = each.upper.minus(&each.lower).plus(&Index::Int(1));
        let most = portions.saturating_mul(each.step);
        if let Index::Int(length) = length {
            return (length / most).max(1).to_string();
        }
        let text = self.index(&length);
        let text = match length {
            Index::Param(_) | Index::Var(_) => text,
            _ => format!("({text})"),
        };
        format!("{text} < {most} ? 1 : {text} / {most}")
    }

    /// The upper bound of a loop, as a condition's right side; computed before the loop where
    /// that takes work, or the loop is innermost and the bound is more than a constant or sum of
    /// loop variables.
    pub(crate) fn bound(&mut self, each: &Loop, at: Context) -> String {
        let innermost = !each.body.iter().any(Node::has_loop);
        if !index::takes_work(&each.upper, innermost || each.simd) {
            return self.less_than(&each.upper);
        }
        let mut name = format!("{}_last", each.var);
        let mut number = 1;
        while self.here.bounds.contains(&name) {
            number += 1;
            name = format!("{}_last{number}", each.var);
        }
        let value = self.index(&each.upper);
        let long = self.index_type();
        self.line(at, &format!("const {long} {name} = {value};"));
        self.here.bounds.push(name.clone());
        format!("<= {name}")
    }

    fn header(&mut self, each: &Loop, bound: &str) -> String {
        let var = &each.var;
        let long = match self.here.ints.contains(var) {
            true => "int",
            false => self.index_type(),
        };
        if let Some((thread, threads)) = self.dealt(var) {
            let lower = self.index_at_sum(&each.lower);
            let (begin, by) = match each.step {
                1 => (thread.to_owned(), threads.to_string()),
                step => (format!("{step} * {thread}"), (step * threads).to_string()),
            };
            return format!(
                "for ({long} {var} = {lower} + {begin}; {var} {bound}; {var} += {by}) {{"
            );
        }
        let lower = self.index(&each.lower);
        match each.step {
            1 => format!("for ({long} {var} = {lower}; {var} {bound}; {var}++) {{"),
            step => format!("for ({long} {var} = {lower}; {var} {bound}; {var} += {step}) {{"),
        }
    }
}

/// The name of the variable that says whether a loop goes on.
fn goes_on(var: &str) -> String {
    format!("{var}_goes_on")
}

/// The clause for what iterations of a parallel or vector loop note of loops around it.
fn noted(each: &Loop) -> String {
    fn below(nodes: &[Node], own: &mut Vec<String>, all: &mut Vec<String>) {
        for node in nodes {
            match node {
                Node::GoesOn { var, .. } if !own.contains(var) && !all.contains(var) => {
                    all.push(var.clone());
                }
                Node::For(inner) => {
                    own.push(inner.var.clone());
                    below(&inner.body, own, all);
                    own.pop();
                }
                node => node
                    .children()
                    .for_each(|child| below(std::slice::from_ref(child), own, all)),
            }
        }
    }
    let mut all = Vec::new();
    below(&each.body, &mut Vec::new(), &mut all);
    if all.is_empty() {
        String::new()
    } else {
        let names: Vec<String> = all.iter().map(|var| goes_on(var)).collect();
        format!(" reduction(|: {})", names.join(", "))
    }
}

/// Whether a word occurs in a text of C.
fn mentions_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|w| w == word)
}
