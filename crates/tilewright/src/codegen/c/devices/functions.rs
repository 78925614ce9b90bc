//! Functions that statements call, on a device: those of C's library under C's names and types, and
//! the file's own.
//!
//! OpenCL C has `exp` for all types where C has `exp` and `expf`, and so has CUDA's and HIP's C++; and both
//! have functions that C does not have, under names that a program may use for its own. So each
//! function gets a name of its own, and what is behind it the types that C gives it.

use crate::codegen::Target;
use crate::codegen::c::devices::languages::Words;
use crate::scop::{Action, Expr, Scop};
use std::fmt::Write;

/// Functions of one argument whose results are the same everywhere: IEEE 754 or the C standard
/// says what they are.
const EXACT_ONE: [&str; 8] = [
    "ceil", "fabs", "floor", "rint", "round", "sqrt", "trunc", "logb",
];
/// The same of two arguments.
const EXACT_TWO: [&str; 6] = ["copysign", "fdim", "fmax", "fmin", "fmod", "remainder"];
/// Functions of one argument that libraries compute with different last bits.
const ONE: [&str; 24] = [
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf", "erfc", "exp",
    "exp2", "expm1", "lgamma", "log", "log10", "log1p", "log2", "sin", "sinh", "tan", "tanh",
    "tgamma",
];
/// The same of two arguments.
const TWO: [&str; 3] = ["atan2", "hypot", "pow"];

/// A function of C's library and its type `float` or `double`.
fn library(name: &str) -> Option<(&str, &'static str)> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let all = || EXACT_ONE.iter().chain(&EXACT_TWO).chain(&ONE).chain(&TWO);
    let known = |name: &str| all().any(|other| *other == name) || name == "fma" || name == "ldexp";
    if known(name) {
        return Some((name, "double"));
    }
    let single = name.strip_suffix('f').filter(|name| known(name))?;
    Some((single, "float"))
}

/// The functions of C's library that a region calls and whose results have other last bits on
/// other devices.
pub fn inexact(scop: &Scop) -> Vec<String> {
    let mut all = called(scop);
    all.retain(|name| {
        let library = library(name).map(|(name, _)| name);
        library.is_some_and(|name| ONE.contains(&name) || TWO.contains(&name))
    });
    all
}

/// What statements and the functions that they call call.
fn called(scop: &Scop) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut add = |name: &String| {
        if !all.contains(name) {
            all.push(name.clone());
        }
    };
    for statement in &scop.statements {
        let mut walk = |expr: &Expr| {
            expr.walk(&mut |expr| {
                if let Expr::Call(name, _) = expr {
                    add(name);
                }
            });
        };
        for access in &statement.accesses {
            access.subscripts.iter().for_each(&mut walk);
        }
        Action::expressions(&statement.body, &mut walk);
    }
    for callee in &scop.calls.callees {
        callee.calls.iter().for_each(&mut add);
    }
    all
}

/// Their definitions under names that begin with `prefix`, and macros that lead to them.
///
/// # Errors
/// Which function has no form on a device.
pub(crate) fn functions(scop: &Scop, prefix: &str, target: Target) -> Result<String, String> {
    let mark = Words::of(target).function;
    let mut text = String::new();
    let mut macros = String::new();
    let called = called(scop);
    for name in &called {
        if scop.calls.callees.iter().any(|callee| callee.name == *name) {
            continue;
        }
        let own = format!("{prefix}_{name}");
        let _ = match (library(name), &name[..]) {
            (Some(("fma", t)), _) => {
                writeln!(
                    text,
                    "{mark}{t} {own}({t} a, {t} b, {t} c) {{ return fma(a, b, c); }}"
                )
            }
            (Some(("ldexp", t)), _) => {
                writeln!(
                    text,
                    "{mark}{t} {own}({t} a, int b) {{ return ldexp(a, b); }}"
                )
            }
            (Some((base, t)), _) if EXACT_TWO.contains(&base) || TWO.contains(&base) => {
                writeln!(
                    text,
                    "{mark}{t} {own}({t} a, {t} b) {{ return {base}(a, b); }}"
                )
            }
            (Some((base, t)), _) => {
                writeln!(text, "{mark}{t} {own}({t} a) {{ return {base}(a); }}")
            }
            (None, "abs") => writeln!(text, "{mark}int {own}(int a) {{ return a < 0 ? -a : a; }}"),
            (None, "labs" | "llabs") => {
                writeln!(
                    text,
                    "{mark}long {own}(long a) {{ return a < 0 ? -a : a; }}"
                )
            }
            _ => {
                return Err(format!(
                    "`{name}` is not known on devices: a function of the file itself would be"
                ));
            }
        };
        let _ = writeln!(macros, "#define {name} {own}");
    }
    text.push_str(&macros);
    for callee in &scop.calls.callees {
        let _ = writeln!(text, "#define {0} {prefix}_{0}", callee.name);
        let _ = write!(text, "{mark}{}", callee.definition);
    }
    Ok(text)
}

/// Takes the macros of [`functions`] back: another region's come in the same file.
pub(crate) fn removals(scop: &Scop) -> String {
    let mut text = String::new();
    for name in called(scop) {
        let _ = writeln!(text, "#undef {name}");
    }
    text
}
