//! Functions of the library, and mathematics on a few values each.

use super::{Made, Program, SLOTS, all, table};
use std::fmt::Write;

/// Functions that are exact, or whose last bit is the same here.
const EXACT: [&str; 8] = [
    "sqrt",
    "floor",
    "ceil",
    "trunc",
    "round",
    "rint",
    "nearbyint",
    "fabs",
];
/// Those of which only a few digits are compared.
const ROUNDED: [&str; 19] = [
    "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin",
    "acos", "atan", "sinh", "cosh", "tanh", "asinh", "atanh",
];
const TWO: [&str; 8] = [
    "pow", "atan2", "fmod", "fmax", "fmin", "hypot", "copysign", "fdim",
];

const FRONT: &str = "#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n";

fn program(name: &str, terms: impl Iterator<Item = String>) -> Made {
    let mut body = String::new();
    for (slot, term) in terms.enumerate() {
        assert!(slot < SLOTS, "too many terms");
        let _ = writeln!(body, "d[{slot}] = {term};");
    }
    Made {
        name: name.to_owned(),
        front: FRONT.to_owned(),
        body,
    }
}

#[test]
fn mathematics() {
    let values = ["0.3", "-0.0", "2.5", "-1.5", "0.75"];
    let exact = EXACT.map(|f| {
        let double = values.map(|x| format!("{f}({x})"));
        let single = values.map(|x| format!("{f}f({x}f)"));
        let builtin = [
            format!("__builtin_{f}(0.25)"),
            format!("__builtin_{f}f(0.25f)"),
        ];
        program(f, double.into_iter().chain(single).chain(builtin))
    });
    let rounded = ROUNDED.map(|f| {
        let double = ["0.3", "0.75"].map(|x| format!("rint({f}({x}) * 1e9)"));
        let single = ["0.3", "0.75"].map(|x| format!("rint({f}f({x}f) * 1e4)"));
        program(f, double.into_iter().chain(single))
    });
    let two = TWO.map(|f| {
        let pairs = [
            ("2.5", "1.5"),
            ("1.5", "2.5"),
            ("-2.5", "2.0"),
            ("0.0", "-0.5"),
        ];
        let double = pairs.map(|(x, y)| format!("rint({f}({x}, {y}) * 1e9)"));
        let single = pairs.map(|(x, y)| format!("rint({f}f({x}f, {y}f) * 1e4)"));
        let nan = [
            format!("{f}(__builtin_nan(\"\"), 1.0) != 0"),
            format!("{f}(1.0, __builtin_nan(\"\")) > 0"),
        ];
        program(f, double.into_iter().chain(single).chain(nan))
    });
    all(exact.into_iter().chain(rounded).chain(two));
}

const PROGRAMS: &[Program] = &[
    (
        "classes of numbers",
        "#include <math.h>\n",
        "double v[5] = {1.5, -0.0, __builtin_nan(\"\"), __builtin_inf(), -__builtin_inf()}; for (int i = 0; i < 5; i++) { o[i] = !!isnan(v[i]) + 2 * !!isinf(v[i]) + 4 * !!isfinite(v[i]); float f = v[i]; o[5 + i] = !!isnan(f) + 2 * !!isinf(f) + 4 * !!isfinite(f); o[10 + i] = !!__builtin_isnan(v[i]) + 2 * !!__builtin_isinf(v[i]) + 4 * !!__builtin_isfinite(v[i]) + 8 * (v[i] == v[i]) + 16 * (v[i] < 2) + 32 * !(v[i] >= 2) + 64 * (v[i] != 1.5); } d[0] = __builtin_inf(); d[1] = -__builtin_inff(); d[2] = __builtin_huge_val(); d[3] = __builtin_huge_valf(); o[20] = __builtin_isnan(__builtin_nan(\"\")) && __builtin_isnan(__builtin_nanf(\"\")); d[4] = fma(1.5, 2.0, 0.25) + fmaf(2.0f, 3.0f, 1.0f);",
    ),
    (
        "rounding in one operation",
        "#include <math.h>\n",
        "double x = 1.0 + 0x1p-30, y = 1.0 - 0x1p-30; d[0] = fma(x, y, -1.0); d[1] = x * y - 1.0; float a = 1.0f + 0x1p-13f, b = 1.0f - 0x1p-13f; d[2] = fmaf(a, b, -1.0f); d[3] = a * b - 1.0f; d[4] = sqrtf(2.0f); d[5] = (float)sqrt(2.0); d[6] = sqrtf(5.0f) * sqrtf(5.0f);",
    ),
    (
        "absolute values",
        "#include <stdlib.h>\n",
        "int i = -5; long l = -5000000000l; o[0] = abs(i); o[1] = labs(l); o[2] = llabs(-3); o[3] = abs(5); o[4] = abs(-2147483647); o[5] = __builtin_abs(-4) + __builtin_labs(-6l); o[6] = abs(i * 2) + abs(0); o[7] = labs(7l) - labs(-7l); o[8] = abs(-3) * 10 + abs(3); short s = -9; o[9] = abs(s);",
    ),
    (
        "memory",
        "#include <stdlib.h>\n#include <string.h>\n",
        "int a[6] = {1, 2, 3, 4, 5, 6}, b[6]; o[0] = memcpy(b, a, sizeof a) == b; o[1] = b[5]; memmove(a + 1, a, 4 * sizeof(int)); for (int i = 0; i < 6; i++) o[2 + i] = a[i]; memset(b + 2, 1, 8); o[8] = b[2]; o[9] = b[4]; o[10] = memset(b, 0, 0) == b; memcpy(b, a, 0); o[11] = b[0]; long *p = calloc(3, sizeof(long)); o[12] = p[2]; p[2] = 7; o[13] = p[2] + p[0]; free(p); int *q = malloc(4 * sizeof(int)); q[3] = 8; memcpy(q, q + 3, 4); o[14] = q[0]; free(q); free(0); int *r = aligned_alloc(64, 64); r[15] = 3; o[15] = r[15]; free(r); char *s = __builtin_alloca(10); s[9] = 4; o[16] = s[9]; memset(s, 300, 3); o[17] = s[2]; int *t = __builtin_assume_aligned(b, 4); o[18] = t == b; struct { int k[3]; } x = {{1, 2, 3}}, y; memcpy(&y, &x, sizeof y); o[19] = y.k[2]; __builtin_memmove(&y.k[0], &y.k[1], 8); o[20] = y.k[0] * 10 + y.k[1];",
    ),
];

#[test]
fn functions_of_the_library() {
    table(PROGRAMS);
}
