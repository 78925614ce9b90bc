//! The safe Rust wrapper of a kernel, as text.
//!
//! It checks what C leaves to its callers: that arrays are as large as the signature says, with
//! extents computed without overflow (`support.rs`, which becomes part of the
//! text), and what the regions assume of the scalar arguments. That no array that is written
//! overlaps another one is what `&mut` says.

use std::collections::BTreeSet;
use std::fmt::Write;
use tilewright::frontend::c::contract::{Amount, Contract, Operation, Outcome, Size};
use tilewright::frontend::c::interface::{Argument, ArgumentKind, Interface};
use tilewright::scop::ScalarKind;

/// What is part of every wrapper.
const SUPPORT: &str = include_str!("support.rs");

/// Words that cannot be names in Rust, in any edition.
const KEYWORDS: [&str; 53] = [
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield", "_",
];

/// These of them cannot be raw names either.
const NEVER_NAMES: [&str; 5] = ["Self", "crate", "self", "super", "_"];

/// A function and all that its wrapper is made from.
#[derive(Clone, Copy, Debug)]
pub struct Kernel<'a> {
    /// How it is called.
    pub interface: &'a Interface,
    /// What callers must keep to.
    pub contract: &'a Contract,
    /// The file that it is in, for the documentation.
    pub file: &'a str,
}

impl Kernel<'_> {
    /// Why it cannot have a safe wrapper; `None` where it can.
    pub fn obstacle(&self) -> Option<String> {
        let arguments = self.interface.arguments.iter().zip(&self.contract.sizes);
        for (argument, size) in arguments {
            let name = &argument.name;
            match (&argument.kind, size) {
                (ArgumentKind::Unsupported { reason }, _) | (_, Size::Unknown(reason)) => {
                    return Some(format!("argument `{name}`: {reason}"));
                }
                (ArgumentKind::Array { struct_bytes, .. }, _) if struct_bytes.is_some() => {
                    return Some(format!("argument `{name}`: an array of structures"));
                }
                _ => {}
            }
        }
        if let Some(name) = self.contract.pointers.first() {
            return Some(format!(
                "the file's pointer `{name}`: nothing says that it points at anything"
            ));
        }
        if self.contract.incomplete {
            return Some("what its regions assume of the arguments is not known".to_owned());
        }
        match self.contract.result {
            Outcome::Other => Some("its result is not a number".to_owned()),
            Outcome::Nothing | Outcome::Number(_) => None,
        }
    }
}

/// The name of the C function that a wrapper calls.
pub fn symbol(library: &str, function: &str) -> String {
    format!("tilewright_{}_{function}", identifier(library))
}

/// The wrapper of a library's kernels: one file of Rust, for `include!`.
pub fn text(library: &str, kernels: &[Kernel]) -> String {
    let module = format!("tilewright_{}", identifier(library));
    let error = format!("{}Error", camel(library));
    let mut out = format!(
        "// Written by tilewright-build.\n\n\
         #[allow(\n    dead_code,\n    missing_docs,\n    non_snake_case,\n    unsafe_code,\n    \
         unused_parens,\n    clippy::all,\n    clippy::pedantic,\n    clippy::nursery\n)]\n\
         mod {module} {{\n"
    );
    let _ = write!(
        out,
        "/// Why a kernel was not called.\n\
         #[derive(Clone, Debug, PartialEq, Eq)]\n\
         pub struct {error}(::std::string::String);\n\n\
         impl ::std::fmt::Display for {error} {{\n    \
         fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {{\n        \
         f.write_str(&self.0)\n    }}\n}}\n\n\
         impl ::std::error::Error for {error} {{}}\n\n"
    );
    for kernel in kernels {
        function(&mut out, library, &error, kernel);
    }
    let _ = write!(out, "/// Numbers and checks.\nmod support {{\n{SUPPORT}");
    if kernels.iter().any(|k| !k.contract.shared.is_empty()) {
        out.push_str(
            "\n/// Held by calls that meet at variables of the C file.\n\
             pub(super) static SHARED: ::std::sync::Mutex<()> = ::std::sync::Mutex::new(());\n",
        );
    }
    let _ = write!(out, "}}\n}}\n\npub use self::{module}::{{{error}");
    for kernel in kernels {
        let _ = write!(out, ", {}", name(&kernel.interface.function));
    }
    out.push_str("};\n");
    out
}

fn function(out: &mut String, library: &str, error: &str, kernel: &Kernel) {
    let Kernel {
        interface,
        contract,
        file,
    } = kernel;
    let c_name = &interface.function;
    let _ = write!(
        out,
        "/// `{}` of `{}`, compiled by tilewright.\n///\n\
         /// Arrays are flat, the innermost dimension last and together.\n///\n\
         /// # Errors\n/// An array does not have the size that the other arguments say, or they \
         do not fit the\n/// kernel; nothing is computed then.\n",
        signature(interface, contract),
        file.replace('\n', " ")
    );
    let result = match &contract.result {
        Outcome::Number(number) => rust(number.kind),
        Outcome::Nothing | Outcome::Other => "()",
    };
    let (mut parameters, mut foreign, mut passed) = (String::new(), String::new(), Vec::new());
    for argument in &interface.arguments {
        let name = name(&argument.name);
        match &argument.kind {
            ArgumentKind::Array {
                element, read_only, ..
            } => {
                let element = rust(element.kind);
                let (borrow, pointer, taken) = if *read_only {
                    ("", "*const", "as_ptr")
                } else {
                    ("mut ", "*mut", "as_mut_ptr")
                };
                let _ = writeln!(parameters, "    {name}: &{borrow}[{element}],");
                let _ = write!(foreign, "_: {pointer} {element}, ");
                passed.push(format!("{name}.{taken}()"));
            }
            ArgumentKind::Scalar { ctype } => {
                let ctype = rust(ctype.kind);
                let _ = writeln!(parameters, "    {name}: {ctype},");
                let _ = write!(foreign, "_: {ctype}, ");
                passed.push(name);
            }
            ArgumentKind::Unsupported { .. } => {}
        }
    }
    let _ = write!(
        out,
        "pub fn {}(\n{parameters}) -> ::std::result::Result<{result}, {error}> {{\n    \
         unsafe extern \"C\" {{\n        #[link_name = \"{}\"]\n        \
         fn tilewright_kernel({}) -> {result};\n    }}\n",
        name(c_name),
        symbol(library, c_name),
        foreign.trim_end_matches(", "),
    );
    for (argument, size) in interface.arguments.iter().zip(&contract.sizes) {
        let (extents, at_least) = match size {
            Size::Declared(extents) => (&extents[..], false),
            Size::Reached(extent) => (std::slice::from_ref(extent), true),
            Size::One | Size::Unknown(_) => continue,
        };
        let all: Vec<String> = extents.iter().map(|e| number(e, interface)).collect();
        let _ = writeln!(
            out,
            "    support::check_array({:?}, {:?}, &[{}], &[{}], {at_least}, {}.len())\n        .map_err({error})?;",
            argument.name,
            spelling(argument),
            mentioned(extents, interface),
            all.join(", "),
            name(&argument.name),
        );
    }
    for condition in &contract.conditions {
        let what = match &condition.array {
            None => format!("`{c_name}` is compiled for"),
            Some(array) => format!("`{array}` is only accessed inside of its extents for"),
        };
        let _ = writeln!(
            out,
            "    support::check_condition({what:?}, {:?}, &[{}], {})\n        .map_err({error})?;",
            condition.text,
            mentioned(std::slice::from_ref(&condition.holds), interface),
            number(&condition.holds, interface),
        );
    }
    if !contract.shared.is_empty() {
        out.push_str(
            "    let _tilewright_shared = support::SHARED.lock().unwrap_or_else(|e| e.into_inner());\n",
        );
    }
    let _ = write!(
        out,
        "    // SAFETY: every array has as many elements as the C function's signature says, those\n    \
         // that are written are borrowed alone, and the scalars are such that what the compiled\n    \
         // loops assume holds.\n    \
         let tilewright_result = unsafe {{ tilewright_kernel({}) }};\n    \
         ::std::result::Result::Ok(tilewright_result)\n}}\n\n",
        passed.join(", ")
    );
}

/// The C function's head.
fn signature(interface: &Interface, contract: &Contract) -> String {
    let arguments = interface.arguments.iter().map(|argument| {
        let ctype = match &argument.kind {
            ArgumentKind::Scalar { ctype } => ctype.spelling.clone(),
            ArgumentKind::Array {
                element,
                read_only: true,
                ..
            } => format!("const {}", element.spelling),
            ArgumentKind::Array { element, .. } => element.spelling.clone(),
            ArgumentKind::Unsupported { .. } => String::new(),
        };
        format!("{ctype} {}", spelling(argument))
    });
    let arguments: Vec<String> = arguments.collect();
    let result = match &contract.result {
        Outcome::Number(number) => number.spelling.as_str(),
        Outcome::Nothing | Outcome::Other => "void",
    };
    format!("{result} {}({})", interface.function, arguments.join(", "))
}

/// `img[R + 2][C + 2]`
fn spelling(argument: &Argument) -> String {
    match &argument.kind {
        ArgumentKind::Array { extents, .. } => extents
            .iter()
            .fold(argument.name.clone(), |all, e| format!("{all}[{e}]")),
        _ => argument.name.clone(),
    }
}

/// Names and values of the scalars that amounts mention.
fn mentioned(amounts: &[Amount], interface: &Interface) -> String {
    let mut found = BTreeSet::new();
    amounts
        .iter()
        .for_each(|amount| mention(amount, &mut found));
    let each = found.into_iter().map(|at| {
        let argument = &interface.arguments[at].name;
        format!("({argument:?}, support::of({}))", name(argument))
    });
    each.collect::<Vec<_>>().join(", ")
}

fn mention(amount: &Amount, found: &mut BTreeSet<usize>) {
    match amount {
        Amount::Constant(_) => {}
        Amount::Argument(at) => {
            found.insert(*at);
        }
        Amount::Within(_, a) | Amount::Minus(a) => mention(a, found),
        Amount::Two(_, a, b) => [a, b].into_iter().for_each(|a| mention(a, found)),
        Amount::Select(a, b, c) => [a, b, c].into_iter().for_each(|a| mention(a, found)),
    }
}

/// An amount as an expression over the functions of `support.rs`.
fn number(amount: &Amount, interface: &Interface) -> String {
    let sub = |amount: &Amount| number(amount, interface);
    match amount {
        Amount::Constant(value) => format!("support::of({value}_i64)"),
        Amount::Argument(at) => format!("support::of({})", name(&interface.arguments[*at].name)),
        Amount::Within(kind, a) => match range(*kind) {
            Some((least, greatest)) => format!("support::within({least}, {greatest}, {})", sub(a)),
            None => sub(a),
        },
        Amount::Minus(a) => format!("support::minus({})", sub(a)),
        Amount::Two(operation, a, b) => {
            let function = match operation {
                Operation::Add => "add",
                Operation::Sub => "sub",
                Operation::Mul => "mul",
                Operation::Quotient => "quotient",
                Operation::Remainder => "remainder",
                Operation::FloorQuotient => "floor_quotient",
                Operation::Max => "max",
                Operation::Min => "min",
                Operation::And => "and",
                Operation::Or => "or",
                Operation::Equal => "equal",
                Operation::Less => "less",
                Operation::LessEqual => "less_equal",
            };
            format!("support::{function}({}, {})", sub(a), sub(b))
        }
        Amount::Select(a, b, c) => format!("support::select({}, {}, {})", sub(a), sub(b), sub(c)),
    }
}

/// The values of an integer type.
fn range(kind: ScalarKind) -> Option<(i128, i128)> {
    tilewright_driver::data::element::range(kind)
}

/// The Rust type in place of a C type.
pub fn rust(kind: ScalarKind) -> &'static str {
    match kind {
        ScalarKind::Bool => "bool",
        ScalarKind::I8 => "i8",
        ScalarKind::U8 => "u8",
        ScalarKind::I16 => "i16",
        ScalarKind::U16 => "u16",
        ScalarKind::I32 => "i32",
        ScalarKind::U32 => "u32",
        ScalarKind::I64 => "i64",
        ScalarKind::U64 => "u64",
        ScalarKind::F32 => "f32",
        ScalarKind::F64 => "f64",
        // Interfaces have none of them.
        _ => "()",
    }
}

/// Whether an integer type has negative values.
pub fn is_signed(kind: ScalarKind) -> bool {
    range(kind).is_some_and(|(least, _)| least < 0)
}

/// A C name in Rust.
fn name(name: &str) -> String {
    if NEVER_NAMES.contains(&name) || name.starts_with("tilewright_") {
        format!("{name}_")
    } else if KEYWORDS.contains(&name) {
        format!("r#{name}")
    } else {
        name.to_owned()
    }
}

/// A library's name as part of names.
fn identifier(library: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    library.chars().map(plain).collect()
}

/// `harris-corners` as `HarrisCorners`.
fn camel(library: &str) -> String {
    let words = identifier(library);
    let words = words.split('_').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    let name: String = words.collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name
    } else {
        format!("Kernel{name}")
    }
}
