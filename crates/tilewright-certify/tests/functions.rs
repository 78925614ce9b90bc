//! Functions that only kernels have: extremes, conversions, bits, atomic updates.

use crate::common::device::{INTS, plain, result};
use crate::common::{equal, judged, unknown};
use tilewright_certify::Verdict;

#[test]
fn functions_of_kernels() {
    for (types, value, body) in [
        // Of any type; in C by hand.
        (INTS, "a[i] < 3 ? a[i] : 3", "min(a[i], 3)"),
        (INTS, "a[i] > 3 ? a[i] : 3", "max(a[i], 3)"),
        (INTS, "a[i] < i ? i : a[i]", "max(i, a[i])"),
        (INTS, "a[i] > i ? i : a[i]", "min(i, a[i])"),
        (
            INTS,
            "a[i] < 1 ? 1 : a[i] > 4 ? 4 : a[i]",
            "clamp(a[i], 1, 4)",
        ),
        (
            INTS,
            "a[i] < -1 ? -1 : a[i] > 1 ? 1 : a[i]",
            "clamp(a[i], -1, 1)",
        ),
        (
            INTS,
            "(a[i] & 7) - 3 < 0 ? 3 - (a[i] & 7) : (a[i] & 7) - 3",
            "abs((a[i] & 7) - 3)",
        ),
        (
            ["unsigned", "unsigned"],
            "a[i] > 5 ? a[i] : 5",
            "max(a[i], 5u)",
        ),
        (["long", "long"], "a[i] > 5 ? a[i] : 5", "max(a[i], 5L)"),
        (
            ["float", "float"],
            "a[i] < 0.5f ? a[i] : 0.5f",
            "min(a[i], 0.5f)",
        ),
        (
            ["double", "double"],
            "a[i] > 0.5 ? a[i] : 0.5",
            "max(a[i], 0.5)",
        ),
        (
            ["float", "float"],
            "__builtin_fminf(__builtin_fmaxf(a[i], 0.5f), 2)",
            "clamp(a[i], 0.5f, 2.0f)",
        ),
        // Conversions.
        (["int", "signed char"], "a[i]", "convert_char(a[i])"),
        (["int", "unsigned char"], "a[i]", "convert_uchar(a[i])"),
        (["int", "short"], "a[i]", "convert_short(a[i])"),
        (["int", "unsigned short"], "a[i]", "convert_ushort(a[i])"),
        (["long", "int"], "a[i]", "convert_int(a[i])"),
        (["long", "unsigned"], "a[i]", "convert_uint(a[i])"),
        (["int", "long"], "a[i]", "convert_long(a[i])"),
        (["int", "unsigned long"], "a[i]", "convert_ulong(a[i])"),
        (["int", "float"], "a[i]", "convert_float(a[i])"),
        (["int", "double"], "a[i]", "convert_double(a[i])"),
        (
            ["int", "long"],
            "(unsigned char)a[i] * 3l",
            "convert_uchar(a[i]) * 3",
        ),
        (
            ["int", "long"],
            "(signed char)a[i] * 3l",
            "convert_char(a[i]) * 3",
        ),
        (
            ["int", "long"],
            "(unsigned short)a[i] * 3l",
            "convert_ushort(a[i]) * 3",
        ),
        (
            ["int", "long"],
            "(short)a[i] * 3l",
            "convert_short(a[i]) * 3",
        ),
        (
            ["int", "long"],
            "(unsigned)a[i] * 2l",
            "convert_uint(a[i]) * 2l",
        ),
        (["int", "double"], "(float)a[i]", "convert_float(a[i])"),
        // The same bits.
        (
            ["signed char", "int"],
            "(unsigned char)a[i]",
            "as_uchar(a[i])",
        ),
        (
            ["unsigned char", "int"],
            "(signed char)a[i]",
            "as_char(a[i])",
        ),
        (["short", "int"], "(unsigned short)a[i]", "as_ushort(a[i])"),
        (["unsigned short", "int"], "(short)a[i]", "as_short(a[i])"),
        (["int", "long"], "(unsigned)a[i]", "as_uint(a[i])"),
        (["unsigned", "long"], "(int)a[i]", "as_int(a[i])"),
        (["long", "double"], "(unsigned long)a[i]", "as_ulong(a[i])"),
        (["unsigned long", "double"], "(long)a[i]", "as_long(a[i])"),
        (["float", "int"], "*(int *)&a[i]", "as_int(a[i])"),
        (["float", "long"], "*(unsigned *)&a[i]", "as_uint(a[i])"),
        (["int", "float"], "*(float *)&a[i]", "as_float(a[i])"),
        (["unsigned", "float"], "*(float *)&a[i]", "as_float(a[i])"),
        (["double", "long"], "*(long *)&a[i]", "as_long(a[i])"),
        (
            ["double", "unsigned long"],
            "*(long *)&a[i]",
            "as_ulong(a[i])",
        ),
        (["long", "double"], "*(double *)&a[i]", "as_double(a[i])"),
        (["float", "float"], "a[i]", "as_float(a[i])"),
        (["int", "int"], "1065353216", "as_int(1.0f)"),
        (["int", "float"], "1", "as_float(1065353216)"),
        // Those of numbers, by the type of their arguments.
        (["float", "float"], "__builtin_fabsf(a[i])", "fabs(a[i])"),
        (["double", "double"], "__builtin_fabs(a[i])", "fabs(a[i])"),
        (
            ["float", "float"],
            "__builtin_sqrtf(__builtin_fabsf(a[i]))",
            "sqrt(fabs(a[i]))",
        ),
        (
            ["double", "double"],
            "__builtin_sqrt(__builtin_fabs(a[i]))",
            "sqrt(fabs(a[i]))",
        ),
        (
            ["float", "float"],
            "__builtin_fmaxf(a[i], i)",
            "fmax(a[i], (float)i)",
        ),
        (
            ["float", "double"],
            "__builtin_fmax(a[i], 0.1)",
            "fmax(a[i], 0.1)",
        ),
        (
            ["float", "float"],
            "__builtin_fmaf(a[i], a[i], 1)",
            "fma(a[i], a[i], 1.0f)",
        ),
        (
            ["double", "double"],
            "__builtin_fma(a[i], a[i], 1)",
            "fma(a[i], a[i], 1.0)",
        ),
        (["float", "int"], "a[i] != a[i]", "isnan(a[i])"),
        (
            ["double", "int"],
            "a[i] - a[i] != a[i] - a[i] && a[i] == a[i]",
            "isinf(a[i])",
        ),
        (
            ["double", "int"],
            "a[i] - a[i] == a[i] - a[i]",
            "isfinite(a[i])",
        ),
        (["float", "float"], "1.0f / 0", "INFINITY"),
        (["int", "int"], "-2147483647 - 1", "INT_MIN"),
        (["int", "int"], "2147483647", "INT_MAX"),
        (["int", "int"], "1", "true + false"),
        (
            ["int", "unsigned long"],
            "(unsigned char)a[i] + 1ul",
            "(uchar)a[i] + (ulong)1",
        ),
        (
            ["int", "unsigned long"],
            "(unsigned short)a[i] + 1u",
            "(ushort)a[i] + (uint)1",
        ),
    ] {
        let body = format!("if (i < n) b[i] = {body};");
        equal(
            &plain(types, &format!("b[i] = {value};")),
            &result(types, &body),
        );
    }
    for (value, why) in [
        (
            "as_long(a[i])",
            "the bits of a value as a type of another size",
        ),
        ("as_int(a[i], 1)", "a call of `as_…`"),
        ("min(a[i])", "a call of `min`"),
        ("max(a[i], 1, 2)", "a call of `max`"),
        ("clamp(a[i], 1)", "a call of `clamp`"),
        ("atomic_add(&b[i])", "a call of `atomic_add`"),
        ("atomic_inc(&b[i], 1)", "a call of `atomic_inc`"),
        ("atomic_cmpxchg(&b[i], 1)", "a call of `atomic_cmpxchg`"),
        (
            "atomic_add(b[i], 1)",
            "an atomic function of what is no pointer",
        ),
        (
            "atomic_nand(&b[i], 1)",
            "a call of `atomic_nand`, which is not in the text",
        ),
        (
            "as_half(a[i])",
            "a call of `as_half`, which is not in the text",
        ),
        (
            "convert_int4(a[i])",
            "a call of `convert_int4`, which is not in the text",
        ),
        ("sqrtf(a[i])", "a call of `sqrtf`, which is not in the text"),
        ("malloc(3)", "a call of `malloc`, which is not in the text"),
        ("get_local_id()", "a call with too few arguments"),
    ] {
        let text = result(INTS, &format!("if (i < n) b[i] = {value};"));
        unknown(&plain(INTS, "b[i] = 0;"), &text, why);
    }
}

#[test]
fn atomic_updates() {
    for (ty, value, call) in [
        ("int", "b[0] + (a[i] & 7)", "atomic_add(&b[0], a[i] & 7)"),
        ("int", "b[0] + (a[i] & 7)", "atom_add(&b[0], a[i] & 7)"),
        ("unsigned", "b[0] - a[i]", "atomic_sub(&b[0], a[i])"),
        ("unsigned", "b[0] + a[i]", "atomic_add(&b[0], a[i])"),
        ("unsigned", "b[0] + 1", "atomic_inc(&b[0])"),
        ("unsigned", "b[0] - 1", "atomic_dec(&b[0])"),
        ("unsigned long", "b[0] + 1", "atom_inc(&b[0])"),
        ("int", "b[0] & a[i]", "atomic_and(&b[0], a[i])"),
        ("int", "b[0] | a[i]", "atomic_or(&b[0], a[i])"),
        ("int", "b[0] ^ a[i]", "atomic_xor(&b[0], a[i])"),
        (
            "int",
            "b[0] < a[i] ? b[0] : a[i]",
            "atomic_min(&b[0], a[i])",
        ),
        (
            "int",
            "b[0] > a[i] ? b[0] : a[i]",
            "atomic_max(&b[0], a[i])",
        ),
        (
            "unsigned",
            "b[0] < a[i] ? b[0] : a[i]",
            "atomic_min(&b[0], a[i])",
        ),
        (
            "unsigned",
            "b[0] > a[i] ? b[0] : a[i]",
            "atomic_max(&b[0], a[i])",
        ),
        ("long", "b[0] > a[i] ? b[0] : a[i]", "atom_max(&b[0], a[i])"),
        ("int", "7", "atomic_xchg(&b[0], 7)"),
        ("int", "b[0] == 1 ? 7 : b[0]", "atomic_cmpxchg(&b[0], 1, 7)"),
        // Beyond the ends of its type a sum goes on at the other end.
        (
            "int",
            "(int)(b[0] + (unsigned)a[i])",
            "atomic_add(&b[0], a[i])",
        ),
        (
            "int",
            "(int)(b[0] - (unsigned)a[i])",
            "atomic_sub(&b[0], a[i])",
        ),
        (
            "int",
            "(int)(b[0] + 2147483647u)",
            "atomic_add(&b[0], INT_MAX)",
        ),
    ] {
        let types = [ty, ty];
        let original = plain(types, &format!("b[0] = {value};"));
        equal(&original, &result(types, &format!("if (i < n) {call};")));
        // What one does by itself is none.
        let own = format!("if (i < n) b[0] = {value};");
        let found = judged(&original, &result(types, &own));
        let is_same = value == "7";
        match found.verdict {
            Verdict::Differs(difference) => assert!(difference.to_string().contains("a race")),
            verdict => assert!(is_same, "{own}: {verdict:?}"),
        }
    }
    // What they give is what was there before.
    for (value, call) in [
        ("a[i] + 3", "atomic_add(&b[i], 3)"),
        ("a[i] - 3", "atomic_sub(&b[i], 3)"),
        ("a[i] + 1", "atomic_inc(&b[i])"),
        ("5", "atomic_xchg(&b[i], 5)"),
        ("a[i] < 5 ? a[i] : 5", "atomic_min(&b[i], 5)"),
        ("a[i] == 1 ? 5 : a[i]", "atomic_cmpxchg(&b[i], 1, 5)"),
    ] {
        let types = ["unsigned", "unsigned"];
        equal(
            &plain(
                types,
                &format!("unsigned c = {value}; b[i] = c * 3 + a[i];"),
            ),
            &result(
                types,
                &format!("if (i < n) {{ b[i] = a[i]; uint old = {call}; b[i] = b[i] * 3 + old; }}"),
            ),
        );
    }
    let counted = "b[0] += a[i] & 1;";
    equal(
        &plain(INTS, counted),
        &result(INTS, "if (i < n && (a[i] & 1)) atomic_inc(&b[0]);"),
    );
}
