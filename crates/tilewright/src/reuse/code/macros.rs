//! What the generated text is spelled with: accesses to local arrays, transfers of one element,
//! statements.

use super::offload::stage;
use super::{PREFIX, Writer};
use crate::codegen::c::bodies::outline;
use crate::scop::{Access, AccessKind, Array, Origin, Scop};
use std::cell::RefCell;

/// Hooks that whoever compiles the text may define.
const HOOKS: [&str; 4] = [
    "STRIP()",
    "LOAD(outside, inside)",
    "STORE(outside, inside)",
    "COMPUTED(outside, inside)",
];

/// `A[x0][x1]`, as the program has it.
fn outside(scop: &Scop, array: &Array, subscripts: &[String]) -> String {
    let mut place: Vec<String> = subscripts.iter().map(|s| format!("[{s}]")).collect();
    if let Some(linear) = array.layout.linear() {
        let terms = subscripts[linear.dims()].iter().zip(&linear.strides);
        let terms: Vec<String> = terms
            .map(|(s, stride)| format!("({s}) * ({})", scop.in_long(&stride.text)))
            .collect();
        place.splice(linear.dims(), [format!("[{}]", terms.join(" + "))]);
    }
    format!("{}{}", array.base, array.members.place(&place))
}

/// Whether an array has memory outside.
fn is_external(array: &Array) -> bool {
    !matches!(array.origin, Origin::Region { .. })
}

impl Writer<'_> {
    pub(super) fn macros(&mut self) {
        let fixed = [
            "min(a, b) ((a) < (b) ? (a) : (b))",
            "max(a, b) ((a) > (b) ? (a) : (b))",
            "floord(a, b) ((a) < 0 ? -((-(a) + (b) - 1) / (b)) : (a) / (b))",
            "mod(a, b) (((a) % (b) + (b)) % (b))",
        ];
        for one in fixed {
            self.line(&format!("#define {PREFIX}{one}"));
        }
        for hook in HOOKS {
            let name = hook.split('(').next().unwrap_or_default();
            self.line(&format!("#ifndef TILEWRIGHT_{name}"));
            self.line(&format!("#define TILEWRIGHT_{hook}"));
            self.line("#endif");
        }
        let mut all = Vec::new();
        for local in &self.locals {
            let array = &self.scop.arrays[local.array];
            let xs: Vec<String> = (0..local.plain.len())
                .map(|d| format!("{PREFIX}x{d}"))
                .collect();
            let list = xs.join(", ");
            let name = &array.name;
            all.push(format!("{PREFIX}at_{name}({list}) {}", self.place(local)));
            if !is_external(array) {
                continue;
            }
            let there = outside(self.scop, array, &xs);
            let here = format!("{PREFIX}at_{name}({list})");
            let load = format!("TILEWRIGHT_LOAD(&{there}, &{here});");
            let store = format!("TILEWRIGHT_STORE(&{there}, &{here});");
            let steps = if self.is_offload() {
                // The host gathers and scatters, the device loads and stores.
                let next = format!("{}[{PREFIX}count++]", stage(name));
                vec![
                    ("gather", format!("{load} {next} = {there};")),
                    ("load", format!("{here} = {next};")),
                    ("store", format!("{next} = {here};")),
                    ("scatter", format!("{store} {there} = {next};")),
                ]
            } else {
                vec![
                    ("load", format!("{load} {here} = {there};")),
                    ("store", format!("{store} {there} = {here};")),
                ]
            };
            for (step, text) in steps {
                all.push(format!(
                    "{PREFIX}{step}_{name}({list}) do {{ {text} }} while (0)"
                ));
            }
        }
        for one in all {
            self.line(&format!("#define {one}"));
        }
        for number in 0..self.scop.statements.len() {
            self.statement(number);
        }
    }

    fn statement(&mut self, number: usize) {
        let statement = &self.scop.statements[number];
        let dims = statement.iterators.len();
        let arguments: Vec<String> = (0..dims).map(|d| format!("{PREFIX}i{d}")).collect();
        let iterators: Vec<String> = arguments.iter().map(|a| format!("({a})")).collect();
        let written = RefCell::new(Vec::new());
        let access = |id: usize, subscripts: &[String]| {
            let own: &Access = &statement.accesses[id];
            let array = &self.scop.arrays[own.array];
            let here = format!("{PREFIX}at_{}({})", array.name, subscripts.join(", "));
            if own.kind == AccessKind::Write && is_external(array) {
                let there = outside(self.scop, array, subscripts);
                written
                    .borrow_mut()
                    .push(format!("TILEWRIGHT_COMPUTED(&{there}, &{here});"));
            }
            here
        };
        let mut lines = outline::body(self.scop, number, &iterators, &access);
        lines.extend(written.into_inner());
        let name = &statement.name;
        let text = format!(
            "#define {PREFIX}{name}({}) do {{ \\\n    {} \\\n}} while (0)\n",
            arguments.join(", "),
            lines.join(" \\\n    ")
        );
        self.out.push_str(&text);
    }

    pub(super) fn remove_macros(&mut self) {
        let mut names: Vec<String> = ["min", "max", "floord", "mod"].map(str::to_owned).to_vec();
        for local in &self.locals {
            let array = &self.scop.arrays[local.array];
            names.push(format!("at_{}", array.name));
            if is_external(array) {
                let steps = ["load", "store", "gather", "scatter"];
                let own = if self.is_offload() { 4 } else { 2 };
                names.extend(steps[..own].iter().map(|s| format!("{s}_{}", array.name)));
            }
        }
        names.extend(self.scop.statements.iter().map(|s| s.name.clone()));
        for name in names {
            self.line(&format!("#undef {PREFIX}{name}"));
        }
    }
}
