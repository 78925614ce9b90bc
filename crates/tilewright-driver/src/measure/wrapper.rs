//! The C around a program that makes one of its functions callable through untyped pointers.
//!
//! The wrapper includes the program's file, so that static functions are in reach; the program's
//! `main` gets another name. It defines, and nothing else is visible in the library:
//!
//! - `void tilewright_entry(void **)` calls the function. Scalars are given by address, arrays by
//!   their first byte.
//! - `void tilewright_init(void **)`, where the program has an init function, calls that.
//! - `void tilewright_extents(void **, long long *)` evaluates sizes: for every array argument
//!   the size of an element in bytes and then its extents. Only scalars are looked at.
//! - `void tilewright_global_extents(long long *)`, the same for global arrays.
//! - `void *tilewright_global(int)`: the address of a global variable; for a pointer, of the
//!   pointer itself.
//! - `int tilewright_global_is_const(int)`.
//!
//! The wrapper of a *peer* is the same, but calls a function with the same C signature from
//! elsewhere, whose address it is told by `void tilewright_set_peer(void *)`.

use std::fmt::Write;
use std::path::Path;
use tilewright::frontend::c::interface::{Argument, ArgumentKind, Interface};

/// The wrapper's text for one function of the file at `program` (an absolute path).
pub fn text(interface: &Interface, program: &Path) -> String {
    wrap(interface, program, false)
}

/// The same for a program that runs on a device: `double tilewright_device_seconds(long *)` says
/// how long the last call was at work between its copies, and how many kernels it launched.
pub fn on_device(interface: &Interface, program: &Path) -> String {
    let mut out = wrap(interface, program, false);
    let declared = "double tw_device_seconds(long *);";
    let head = "__attribute__((visibility(\"default\")))\n\
                double tilewright_device_seconds(long *launches)";
    // In C files it is `static` and seen already.
    let _ = write!(
        out,
        "\n#ifndef CL_TARGET_OPENCL_VERSION\n{declared}\n#endif\n{head}\n\
         {{\n    return tw_device_seconds(launches);\n}}\n"
    );
    out
}

/// The wrapper's text for a peer of that function: `program` gives the types and the extents.
pub fn peer(interface: &Interface, program: &Path) -> String {
    wrap(interface, program, true)
}

fn wrap(interface: &Interface, program: &Path, peer: bool) -> String {
    let mut out = String::new();
    let path = program
        .display()
        .to_string()
        .replace('\\', "\\\\")
        .replace('"', "\\\"");
    let export = "__attribute__((visibility(\"default\")))";
    let _ = writeln!(
        out,
        "#define main tilewright_main\n#include \"{path}\"\n#undef main"
    );

    let values = interface
        .arguments
        .iter()
        .enumerate()
        .map(|(at, argument)| match &argument.kind {
            ArgumentKind::Scalar { ctype } => {
                format!("*({} *)tilewright_args[{at}]", ctype.spelling)
            }
            ArgumentKind::Array { .. } | ArgumentKind::Unsupported { .. } => {
                format!("tilewright_args[{at}]")
            }
        });
    let values = values.collect::<Vec<_>>().join(", ");
    let mut called = interface.function.as_str();
    if peer {
        let pointer = format!("__typeof__({called}) *");
        let _ = writeln!(out, "\nstatic {pointer}tilewright_peer;");
        let _ = writeln!(
            out,
            "\n{export}\nvoid tilewright_set_peer(void *tilewright_address)"
        );
        let _ = writeln!(
            out,
            "{{\n    tilewright_peer = ({pointer})tilewright_address;\n}}"
        );
        called = "tilewright_peer";
    }
    for (name, function) in [("entry", Some(called)), ("init", interface.init.as_deref())] {
        if let Some(function) = function {
            let _ = writeln!(
                out,
                "\n{export}\nvoid tilewright_{name}(void **tilewright_args)"
            );
            let _ = writeln!(out, "{{\n    {function}({values});\n}}");
        }
    }

    let head = "void tilewright_extents(void **tilewright_args, long long *tilewright_out)";
    let _ = writeln!(out, "\n{export}\n{head}\n{{");
    for (at, argument) in interface.arguments.iter().enumerate() {
        if let ArgumentKind::Scalar { ctype } = &argument.kind {
            let (ctype, name) = (&ctype.spelling, &argument.name);
            let _ = writeln!(
                out,
                "    {ctype} {name} = *({ctype} *)tilewright_args[{at}];"
            );
        }
    }
    sizes(&mut out, &interface.arguments);
    let _ = writeln!(
        out,
        "}}\n\n{export}\nvoid tilewright_global_extents(long long *tilewright_out)\n{{"
    );
    sizes(&mut out, &interface.globals);
    let _ = writeln!(out, "}}");

    let mut addresses = String::new();
    let mut constants = String::new();
    for (at, global) in interface.globals.iter().enumerate() {
        let name = &global.name;
        let _ = writeln!(addresses, "    case {at}: return (void *)&{name};");
        let (subscripts, ctype) = match &global.kind {
            ArgumentKind::Scalar { ctype } => (0, ctype),
            ArgumentKind::Array {
                element,
                extents,
                struct_bytes: None,
                ..
            } => (extents.len(), element),
            ArgumentKind::Array { .. } | ArgumentKind::Unsupported { .. } => continue,
        };
        let first = format!("&{name}{}", "[0]".repeat(subscripts));
        let constant = format!("const {} *", ctype.spelling);
        let _ = writeln!(
            constants,
            "    case {at}: return __builtin_types_compatible_p(__typeof__({first}), {constant});"
        );
    }
    for (head, cases) in [
        ("void *tilewright_global(int tilewright_at)", addresses),
        (
            "int tilewright_global_is_const(int tilewright_at)",
            constants,
        ),
    ] {
        let _ = writeln!(out, "\n{export}\n{head}\n{{\n    switch (tilewright_at) {{");
        let _ = writeln!(out, "{cases}    default: return 0;\n    }}\n}}");
    }
    out
}

fn sizes(out: &mut String, arguments: &[Argument]) {
    let mut at = 0;
    for argument in arguments {
        if let ArgumentKind::Array {
            element,
            extents,
            struct_bytes,
            ..
        } = &argument.kind
        {
            let size = match struct_bytes {
                Some(bytes) => bytes.clone(),
                None => format!("sizeof({})", element.spelling),
            };
            for value in std::iter::once(&size).chain(extents) {
                let _ = writeln!(out, "    tilewright_out[{at}] = (long long)({value});");
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewright::scop::{ScalarKind, ScalarType};

    #[test]
    fn wrapper_of_a_function_with_globals() {
        let scalar = |kind, spelling: &str| ScalarType {
            kind,
            spelling: spelling.to_owned(),
        };
        let array = |element, pointer: &str, extents: &[&str]| ArgumentKind::Array {
            element,
            pointer: pointer.to_owned(),
            extents: extents.iter().map(|&extent| extent.to_owned()).collect(),
            read_only: false,
            struct_bytes: None,
        };
        let argument = |name: &str, kind| Argument {
            name: name.to_owned(),
            kind,
        };
        let float = || scalar(ScalarKind::F32, "float");
        let interface = Interface {
            function: "blur".to_owned(),
            arguments: vec![
                argument(
                    "R",
                    ArgumentKind::Scalar {
                        ctype: scalar(ScalarKind::I32, "int"),
                    },
                ),
                argument("out", array(float(), "float (*)[R + 2]", &["3", "R + 2"])),
            ],
            globals: vec![
                argument("weights", array(float(), "", &["5"])),
                argument(
                    "gain",
                    ArgumentKind::Scalar {
                        ctype: scalar(ScalarKind::F64, "real"),
                    },
                ),
            ],
            init: Some("blur_init".to_owned()),
            asks: None,
        };
        insta::assert_snapshot!(text(&interface, Path::new("/a \"b\"/blur.c")));
        let peer = peer(&interface, Path::new("blur.c"));
        assert!(peer.contains("static __typeof__(blur) *tilewright_peer;"));
        assert!(
            peer.contains("    tilewright_peer(*(int *)tilewright_args[0], tilewright_args[1]);")
        );
        assert!(
            peer.contains("    blur_init("),
            "arrays are filled by the program itself"
        );
    }
}
