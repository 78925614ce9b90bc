//! Which functions a region may call: they have no side effects and depend on their arguments
//! only.

use crate::frontend::c::lower::surroundings::visit;
use crate::frontend::c::syntax::{Declared, Expr, ExprKind, Function, Scope, StmtKind, Type, Unit};
use crate::scop::ScalarKind;

/// Functions of `<math.h>` with one spelling for `double`, `f` appended for `float`, and `l` for
/// `long double`.
const MATH: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "ldexp",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "nearbyint",
    "nextafter",
    "pow",
    "remainder",
    "rint",
    "round",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
];

/// Functions of `<complex.h>` with one spelling for `double complex`, and letters appended as in
/// `<math.h>`; and whether their result is complex.
const COMPLEX: &[(&str, bool)] = &[
    ("cabs", false),
    ("cacos", true),
    ("cacosh", true),
    ("carg", false),
    ("casin", true),
    ("casinh", true),
    ("catan", true),
    ("catanh", true),
    ("ccos", true),
    ("ccosh", true),
    ("cexp", true),
    ("cimag", false),
    ("clog", true),
    ("conj", true),
    ("cpow", true),
    ("cproj", true),
    ("creal", false),
    ("csin", true),
    ("csinh", true),
    ("csqrt", true),
    ("ctan", true),
    ("ctanh", true),
];

/// What makes a complex number of two parts: what `CMPLX` stands for.
pub(crate) const MAKES_COMPLEX: &str = "__builtin_complex";

/// GNU C's operators that take a part of a complex number, which here are functions: so they are
/// printed, too (`__real__(z)`).
pub(crate) const PARTS: [&str; 2] = ["__real__", "__imag__"];

/// Functions that round to an integer, with and without `f` and `l`.
const ROUNDING: &[(&str, ScalarKind)] = &[
    ("lrint", ScalarKind::I64),
    ("llrint", ScalarKind::I64),
    ("lround", ScalarKind::I64),
    ("llround", ScalarKind::I64),
    ("ilogb", ScalarKind::I32),
];

/// Other functions that compilers and the standard library have, with the type of their result.
const OTHERS: &[(&str, ScalarKind)] = &[
    ("abs", ScalarKind::I32),
    ("labs", ScalarKind::I64),
    ("llabs", ScalarKind::I64),
    ("isalnum", ScalarKind::I32),
    ("isalpha", ScalarKind::I32),
    ("isblank", ScalarKind::I32),
    ("iscntrl", ScalarKind::I32),
    ("isdigit", ScalarKind::I32),
    ("isgraph", ScalarKind::I32),
    ("islower", ScalarKind::I32),
    ("isprint", ScalarKind::I32),
    ("ispunct", ScalarKind::I32),
    ("isspace", ScalarKind::I32),
    ("isupper", ScalarKind::I32),
    ("isxdigit", ScalarKind::I32),
    ("toupper", ScalarKind::I32),
    ("tolower", ScalarKind::I32),
    // `INFINITY`, `HUGE_VAL` and `NAN`.
    ("__builtin_inff", ScalarKind::F32),
    ("__builtin_inf", ScalarKind::F64),
    ("__builtin_huge_valf", ScalarKind::F32),
    ("__builtin_huge_val", ScalarKind::F64),
    ("__builtin_infl", ScalarKind::F80),
    ("__builtin_huge_vall", ScalarKind::F80),
    ("__builtin_nanl", ScalarKind::F80),
    ("__builtin_nanf", ScalarKind::F32),
    ("__builtin_nan", ScalarKind::F64),
    ("__builtin_isnan", ScalarKind::I32),
    ("__builtin_isinf", ScalarKind::I32),
    ("__builtin_signbit", ScalarKind::I32),
    ("__builtin_popcount", ScalarKind::I32),
    ("__builtin_popcountl", ScalarKind::I32),
    ("__builtin_popcountll", ScalarKind::I32),
    ("__builtin_parity", ScalarKind::I32),
    ("__builtin_parityl", ScalarKind::I32),
    ("__builtin_parityll", ScalarKind::I32),
    ("__builtin_clz", ScalarKind::I32),
    ("__builtin_clzl", ScalarKind::I32),
    ("__builtin_clzll", ScalarKind::I32),
    ("__builtin_ctz", ScalarKind::I32),
    ("__builtin_ctzl", ScalarKind::I32),
    ("__builtin_ctzll", ScalarKind::I32),
    ("__builtin_ffs", ScalarKind::I32),
    ("__builtin_ffsl", ScalarKind::I32),
    ("__builtin_ffsll", ScalarKind::I32),
    ("__builtin_bswap16", ScalarKind::U16),
    ("__builtin_bswap32", ScalarKind::U32),
    ("__builtin_bswap64", ScalarKind::U64),
    ("__builtin_abs", ScalarKind::I32),
    ("__builtin_labs", ScalarKind::I64),
    ("__builtin_llabs", ScalarKind::I64),
    ("isnan", ScalarKind::I32),
    ("isinf", ScalarKind::I32),
    ("floord", ScalarKind::I32),
    ("ceild", ScalarKind::I32),
];

/// The type of the result of a function in the tables.
pub(crate) fn result_kind(name: &str) -> Option<ScalarKind> {
    let name = name
        .strip_prefix("__builtin_")
        .filter(|n| known_math(n))
        .unwrap_or(name);
    let known = |list: &[(&str, ScalarKind)], n: &str| {
        let found = list.iter().find(|(k, _)| *k == n);
        found.map(|(_, kind)| *kind)
    };
    let of = |name: &str, part: ScalarKind| {
        let complex = COMPLEX.iter().find(|(n, _)| *n == name);
        match complex {
            Some((_, true)) => Some(part.complex()),
            Some((_, false)) => Some(part),
            None if is_math(name) => Some(part),
            None => known(ROUNDING, name),
        }
    };
    let suffixed = |letter, part| name.strip_suffix(letter).and_then(|n| of(n, part));
    of(name, ScalarKind::F64)
        .or_else(|| known(OTHERS, name))
        .or_else(|| suffixed('f', ScalarKind::F32))
        .or_else(|| suffixed('l', ScalarKind::F80))
}

/// The type of the result of a function of the language, which its first argument's type says.
pub(crate) fn generic_kind(
    name: &str,
    first: impl Fn() -> Option<ScalarKind>,
) -> Option<ScalarKind> {
    if name == MAKES_COMPLEX {
        return first().map(ScalarKind::complex);
    }
    PARTS
        .contains(&name)
        .then(|| first().map(ScalarKind::part))?
}

fn is_generic(name: &str) -> bool {
    name == MAKES_COMPLEX || PARTS.contains(&name)
}

fn known_math(name: &str) -> bool {
    let known = |n: &str| is_math(n) || COMPLEX.iter().any(|(k, _)| *k == n);
    known(name) || name.strip_suffix(['f', 'l']).is_some_and(known)
}

/// Whether this is a function of `<math.h>` for `double` that has an `f` behind its name for `float`.
pub(crate) fn is_math(name: &str) -> bool {
    MATH.contains(&name)
}

/// `Some(true)` for the names by which programs call the greater of two values, `Some(false)`
/// for the lesser.
pub(crate) fn minmax(name: &str) -> Option<bool> {
    match name {
        "max" | "MAX" | "imax" | "Max" => Some(true),
        "min" | "MIN" | "imin" | "Min" => Some(false),
        _ => None,
    }
}

/// Whether a function's argument is a text: `NAN`.
pub(crate) fn takes_text(name: &str) -> bool {
    matches!(name, "__builtin_nanf" | "__builtin_nan" | "__builtin_nanl")
}

/// How deep calls of the file's own functions are followed.
const CALL_DEPTH: usize = 8;

/// Whether a call to `name` has no side effects and depends on its arguments only.
pub(crate) fn is_pure(unit: &Unit, name: &str) -> bool {
    is_pure_at(unit, name, 0)
}

fn is_pure_at(unit: &Unit, name: &str, depth: usize) -> bool {
    match definition(unit, name) {
        Some((index, function)) => depth < CALL_DEPTH && body_is_pure(unit, index, function, depth),
        None => {
            result_kind(name).is_some()
                || is_generic(name)
                || minmax(name).is_some()
                // What a function of the file calls is not compared with what the region writes.
                || external(unit, name).is_some_and(|d| depth == 0 || d.is_const)
        }
    }
}

/// What attributes say of a function.
pub(crate) fn declared<'u>(unit: &'u Unit, name: &str) -> Option<&'u Declared> {
    unit.declared.iter().find(|d| d.name == name)
}

/// The kind of a result that is a number.
pub(crate) fn kind_of(result: &Type) -> Option<ScalarKind> {
    match result {
        Type::Scalar(scalar) => Some(scalar.kind),
        _ => None,
    }
}

/// The kind of the result of a function that is not defined in the file.
pub(crate) fn declared_kind(unit: &Unit, name: &str) -> Option<ScalarKind> {
    result_kind(name).or_else(|| kind_of(&declared(unit, name)?.result))
}

/// A function that is defined elsewhere and declared `const` or `pure`, of scalars.
pub(crate) fn external<'u>(unit: &'u Unit, name: &str) -> Option<&'u Declared> {
    let declared = declared(unit, name).filter(|d| d.is_const || d.is_pure)?;
    let scalar = |t: &Type| matches!(t, Type::Scalar(_));
    let scalars = declared.parameters.as_ref()?.iter().all(scalar);
    (scalars && scalar(&declared.result) && definition(unit, name).is_none()).then_some(declared)
}

/// The obstacle that is worth a word: calls in a circle, arrays as arguments, no result.
pub(crate) fn obstacle(unit: &Unit, function: &Function) -> Option<String> {
    if is_recursive(unit, function) {
        return Some("calls itself: how deep is known only when it runs".to_owned());
    }
    let parameters = function.parameters.iter().map(|&p| &unit.symbols[p]);
    let mut arrays = parameters.filter(|p| !matches!(p.ctype, Type::Scalar(_)));
    if let Some(array) = arrays.next() {
        return Some(format!(
            "gets `{}`, and its body cannot stand in place of the call: an access summary \
             (`pencil_access`) would say what it reads and writes there",
            array.name
        ));
    }
    (function.result == Type::Void)
        .then(|| "returns nothing, and its body cannot stand in place of the call".to_owned())
}

/// Whether a function calls itself, directly or through others of the file.
pub(crate) fn is_recursive(unit: &Unit, function: &Function) -> bool {
    calls(unit, function, &function.name, 0)
}

/// Whether a function calls `name`, itself or through others.
fn calls(unit: &Unit, function: &Function, name: &str, depth: usize) -> bool {
    let mut found = false;
    visit::expressions(unit, &function.body, &mut |top| {
        visit::walk(top, &mut |e| {
            if let ExprKind::Call(called, _) = &e.kind {
                found |= called == name;
                let inner = definition(unit, called).filter(|_| !found && depth < CALL_DEPTH);
                found |= inner.is_some_and(|(_, inner)| calls(unit, inner, name, depth + 1));
            }
        });
    });
    found
}

/// The function of the file with this name.
pub(crate) fn definition<'u>(unit: &'u Unit, name: &str) -> Option<(usize, &'u Function)> {
    unit.functions
        .iter()
        .enumerate()
        .find(|(_, f)| f.name == name)
}

/// What a function gives back whose body is one `return`.
pub(crate) fn only_value(function: &Function) -> Option<&Expr> {
    let mut body = &function.body;
    while let StmtKind::Block(list) = &body.kind {
        match list.as_slice() {
            [one] => body = one,
            _ => return None,
        }
    }
    match &body.kind {
        StmtKind::Return(value) => value.as_ref(),
        _ => None,
    }
}

/// A function qualifies whose variables are all its own scalars, and whose calls are pure.
fn body_is_pure(unit: &Unit, index: usize, function: &Function, depth: usize) -> bool {
    let scalar = |s: usize| matches!(unit.symbols[s].ctype, Type::Scalar(_));
    if function.result == Type::Void || !function.parameters.iter().all(|&p| scalar(p)) {
        return false;
    }
    let mut pure = true;
    visit::statements(&function.body, &mut |stmt| match &stmt.kind {
        StmtKind::Declaration(s) => pure &= scalar(*s) && !unit.symbols[*s].is_static,
        StmtKind::Unsupported(_)
        | StmtKind::Pragma(_)
        | StmtKind::Exit(_)
        | StmtKind::Original(_) => pure = false,
        _ => {}
    });
    visit::expressions(unit, &function.body, &mut |top| {
        visit::walk(top, &mut |e| match &e.kind {
            ExprKind::Name(s) => {
                let symbol = &unit.symbols[*s];
                pure &= scalar(*s)
                    && !symbol.is_static
                    && matches!(symbol.scope, Scope::Parameter(f) | Scope::Function(f) if f == index);
            }
            ExprKind::Call(name, _) => pure &= is_pure_at(unit, name, depth + 1),
            ExprKind::Subscript(..)
            | ExprKind::Field(..)
            | ExprKind::Arrow(..)
            | ExprKind::Dereference(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Unknown(_)
            | ExprKind::Unsupported(_)
            | ExprKind::List(_) => pure = false,
            _ => {}
        });
    });
    pure
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results that the standard says functions of its library have, and those of the builtins
    /// of the same names.
    #[test]
    fn results_of_known_functions() {
        use ScalarKind::*;
        let rows = [
            ("sqrt", Some(F64)),
            ("sqrtf", Some(F32)),
            ("__builtin_sqrt", Some(F64)),
            ("__builtin_sqrtf", Some(F32)),
            ("lrint", Some(I64)),
            ("lrintf", Some(I64)),
            ("llroundf", Some(I64)),
            ("ilogb", Some(I32)),
            ("abs", Some(I32)),
            ("labs", Some(I64)),
            ("llabs", Some(I64)),
            ("isnan", Some(I32)),
            ("toupper", Some(I32)),
            ("__builtin_isnan", Some(I32)),
            ("__builtin_signbit", Some(I32)),
            ("sqrtl", Some(F80)),
            ("__builtin_fabsl", Some(F80)),
            ("lrintl", Some(I64)),
            ("csqrt", Some(C64)),
            ("csqrtf", Some(C32)),
            ("__builtin_cexpl", Some(C80)),
            ("cabs", Some(F64)),
            ("crealf", Some(F32)),
            ("cimagl", Some(F80)),
            ("conj", Some(C64)),
            ("absl", None),
            ("toupperl", None),
            ("absf", None),
            ("signbitf", None),
            ("sqrtff", None),
            ("f", None),
            ("", None),
            ("__builtin_", None),
            ("__builtin_f", None),
            ("__builtin_trap", None),
            ("__builtin_alloca", None),
            ("builtin_sqrt", None),
        ];
        for (name, expected) in rows {
            assert_eq!(result_kind(name), expected, "{name}");
        }
    }

    #[test]
    fn names_of_minima_and_maxima() {
        for (name, expected) in [
            ("max", Some(true)),
            ("MAX", Some(true)),
            ("imax", Some(true)),
            ("Max", Some(true)),
            ("min", Some(false)),
            ("MIN", Some(false)),
            ("imin", Some(false)),
            ("Min", Some(false)),
            ("fmax", None),
            ("maximum", None),
        ] {
            assert_eq!(minmax(name), expected, "{name}");
        }
    }
}
