//! The C around a compiled file that its Rust wrapper calls: functions with names of their own,
//! also for those that are `static`, and what is taken for granted of types.

use crate::rust;
use std::fmt::Write;
use std::path::Path;
use tilewright::frontend::c::contract::Outcome;
use tilewright::frontend::c::interface::ArgumentKind;
use tilewright::scop::ScalarType;

/// How messages of failed assertions begin.
pub const ASSERTION: &str = "tilewright: ";

/// The text: it includes the compiled file at `program`.
pub fn text(library: &str, program: &Path, kernels: &[rust::Kernel]) -> String {
    let path = program.display().to_string();
    let path = path.replace('\\', "\\\\").replace('"', "\\\"");
    // The program's own `main` is not the Rust program's.
    let mut out = format!(
        "#define main {}\n#include \"{path}\"\n#undef main\n",
        rust::symbol(library, "main_of_the_file")
    );
    for kernel in kernels {
        let (mut parameters, mut passed, mut checked) = (Vec::new(), Vec::new(), Vec::new());
        for (at, argument) in kernel.interface.arguments.iter().enumerate() {
            match &argument.kind {
                ArgumentKind::Scalar { ctype } => {
                    parameters.push(format!("{} tilewright_{at}", ctype.spelling));
                    checked.push(ctype);
                }
                ArgumentKind::Array { element, .. } => {
                    parameters.push(format!("void *tilewright_{at}"));
                    checked.push(element);
                }
                ArgumentKind::Unsupported { .. } => {}
            }
            passed.push(format!("tilewright_{at}"));
        }
        let (result, word) = match &kernel.contract.result {
            Outcome::Number(number) => {
                checked.push(number);
                (number.spelling.as_str(), "return ")
            }
            Outcome::Nothing | Outcome::Other => ("void", ""),
        };
        let function = &kernel.interface.function;
        for ctype in checked {
            assertion(&mut out, ctype);
        }
        let parameters = if parameters.is_empty() {
            "void".to_owned()
        } else {
            parameters.join(", ")
        };
        let _ = write!(
            out,
            "\n{result} {}({parameters})\n{{\n    {word}{function}({});\n}}\n",
            rust::symbol(library, function),
            passed.join(", "),
        );
    }
    out
}

/// Size and sign of a type are what the wrapper has in its place.
fn assertion(out: &mut String, ctype: &ScalarType) {
    let ScalarType { kind, spelling } = ctype;
    let (bytes, signed) = (kind.bytes(), kind.is_float() || rust::is_signed(*kind));
    let sign = if signed { "" } else { "!" };
    let name = rust::rust(*kind);
    let _ = writeln!(
        out,
        "_Static_assert(sizeof({spelling}) == {bytes} && {sign}(({spelling})-1 < ({spelling})0), \
         \"{ASSERTION}`{spelling}` is not `{name}` on this target\");"
    );
}
