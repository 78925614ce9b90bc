//! What C leaves undefined: found where the result does it and the original does not, and not found
//! one step beside it.

use crate::common::{judged, within};
use tilewright_certify::{Kind, Verdict};

const HEAD: &str =
    "void f(int n, const int a[restrict 8], const double x[restrict 8], long b[restrict 8])";

fn whole(front: &str, body: &str) -> String {
    format!("{front}\n{HEAD}\n{{\n{body}\nb[0] = 1;\n}}\n")
}

/// The body makes a fault of this kind in its line, and the words are in the message.
#[track_caller]
fn faulty(front: &str, body: &str, kind: Kind, words: &[&str]) {
    let found = judged(&whole("", ""), &whole(front, body));
    let Verdict::Differs(difference) = &found.verdict else {
        panic!("{body}\n{:?}", found.verdict);
    };
    let text = difference.to_string();
    assert_eq!(difference.kind, kind, "{body}\n{text}");
    for word in words {
        assert!(text.contains(word), "{body}: `{word}` is not in: {text}");
    }
    if kind == Kind::Outside && text.contains("of a row") {
        // Many programs leave rows, and mean it.
        let found = judged(&whole(front, body), &whole("", ""));
        assert!(
            matches!(found.verdict, Verdict::Equal),
            "{body}\n{:?}",
            found.verdict
        );
        return;
    }
    // In the original it makes the text one that nothing can be said of.
    let found = judged(&whole(front, body), &whole("", ""));
    let Verdict::Unknown(why) = &found.verdict else {
        panic!("{body}\n{:?}", found.verdict);
    };
    assert!(why.contains("the original"), "{body}: {why}");
    assert!(found.runs == 0 && found.refused > 0, "{found:?}");
}

/// The body does nothing that is undefined, and changes nothing.
#[track_caller]
fn fine(front: &str, body: &str) {
    let found = judged(&whole("", ""), &whole(front, body));
    assert!(
        matches!(found.verdict, Verdict::Equal),
        "{body}\n{:?}",
        found.verdict
    );
    assert!(found.runs > 3, "{body}: {} runs", found.runs);
}

#[test]
fn signed_overflow() {
    // In registers and of constants, of the narrow type and of the wide one.
    for (ty, most, least) in [
        ("int", "2147483647", "(-2147483647 - 1)"),
        (
            "long",
            "9223372036854775807l",
            "(-9223372036854775807l - 1)",
        ),
    ] {
        for (body, by) in [
            ("v = MOST; v = v + w;", "1"),
            ("v = LEAST; v = v - w;", "1"),
            ("v = MOST / 2 + 1; v = v * w;", "2"),
            ("v = LEAST; v = -v;", "0"),
            ("v = LEAST; v = v / w;", "-1"),
            ("v = LEAST; v = v % w;", "-1"),
            ("v = MOST; v = v + 1;", "0"),
            ("v = LEAST; v = v - 1;", "0"),
            ("v = LEAST; v = -1 + v;", "0"),
            ("v = MOST; v++;", "0"),
            ("v = LEAST; --v;", "0"),
            ("v = MOST; v += w;", "1"),
            ("v = MOST; v *= 2;", "1"),
            ("v = MOST + 1;", "0"),
            ("v = -LEAST;", "0"),
            ("v = 1 - LEAST;", "0"),
        ] {
            let body = format!("volatile {ty} v, w = {by}; {body}");
            let body = body.replace("MOST", most).replace("LEAST", least);
            faulty("", &body, Kind::Overflow, &["line 4 of the result"]);
        }
        for body in [
            "v = MOST - 1; v = v + w; v = v + 0; v++;",
            "v = LEAST + 1; v = v - 1;",
            "v = MOST / 2; v = v * 2; v = v + 1;",
            "v = LEAST + 1; v = -v; v = v / -1; v = v % -1;",
            "v = LEAST; v = v / 1; v = v % 2;",
            "v = -1; v = LEAST - v; v = MOST + -1 + 1;",
        ] {
            let body = format!("volatile {ty} v, w = 0; {body}");
            fine("", &body.replace("MOST", most).replace("LEAST", least));
        }
    }
    // Narrower types are promoted, and converted back, which is defined.
    fine(
        "",
        "signed char c = 127; c++; c += 100; c = c * c; short s = -32768; s--; s = -s;",
    );
    fine(
        "",
        "unsigned u = 0; u--; u++; u -= 7; u = u * u; u = -u; unsigned long l = 0; l = l - 1;",
    );
}

#[test]
fn shifts_and_divisions() {
    for (ty, bits) in [
        ("int", 32),
        ("unsigned", 32),
        ("long", 64),
        ("unsigned long", 64),
    ] {
        for by in [format!("{bits}"), "-1".into(), "1000".into()] {
            for operator in ["<<", ">>"] {
                let body = format!("{ty} v = 1; int w = {by}; v = v {operator} w;");
                faulty("", &body, Kind::Shift, &["line 4", "an undefined shift"]);
                let body = format!("{ty} v = 1; v {operator}= {by};");
                faulty("", &body, Kind::Shift, &[]);
                faulty(
                    "",
                    &format!("{ty} v = ({ty})1 {operator} {by};"),
                    Kind::Shift,
                    &[],
                );
            }
        }
        fine(
            "",
            &format!(
                "{ty} v = 1; int w = {}; v = v << w >> w; v = v << 0 >> 0;",
                bits - 2
            ),
        );
        for body in [
            "v = v / w;",
            "v = v % w;",
            "v /= w;",
            "v %= w;",
            "v = 5 / w;",
            "v = 3 % 0;",
        ] {
            let body = format!("{ty} v = 5, w = 0; {body}");
            faulty(
                "",
                &body,
                Kind::DivisionByZero,
                &["line 4", "a division by zero"],
            );
        }
        fine(
            "",
            &format!("{ty} v = 5, w = 1; v = v / w; v = 0 / w; v = 0 % w;"),
        );
        if !ty.starts_with("unsigned") {
            // A one into the sign, or beyond; a negative number.
            faulty(
                "",
                &format!("{ty} v = 1; v = v << {};", bits - 1),
                Kind::Shift,
                &[],
            );
            faulty(
                "",
                &format!("{ty} v = 3; v <<= {};", bits - 2),
                Kind::Shift,
                &[],
            );
            faulty("", &format!("{ty} v = -1; v = v << 1;"), Kind::Shift, &[]);
            fine("", &format!("{ty} v = -1; v = v >> {};", bits - 1));
        } else {
            fine(
                "",
                &format!("{ty} v = 3; v = v << {}; v = v >> {};", bits - 1, bits - 1),
            );
        }
    }
    fine(
        "",
        "double d = 0; d = 1 / d; d = -d / d; float e = 1; e = e / 0;",
    );
}

#[test]
fn conversions_out_of_range() {
    for (ty, bad, good) in [
        ("signed char", ["128", "-129"], ["127.9", "-128.9"]),
        ("unsigned char", ["256", "-1"], ["255.9", "-0.9"]),
        ("short", ["32768", "-32769"], ["32767.5", "-32768.5"]),
        ("unsigned short", ["65536", "-1"], ["65535.5", "-0.5"]),
        (
            "int",
            ["2147483648.0", "-2147483649.0"],
            ["2147483647.5", "-2147483648.5"],
        ),
        ("unsigned", ["4294967296.0", "-1"], ["4294967295.5", "-0.5"]),
        (
            "long",
            ["9223372036854775808.0", "-9223372036854777856.0"],
            ["9223372036854774784.0", "-9223372036854775808.0"],
        ),
        (
            "unsigned long",
            ["18446744073709551616.0", "-1"],
            ["18446744073709549568.0", "-0.5"],
        ),
    ] {
        for value in bad {
            for body in ["v = d;", "v = (TYPE)d;", "v += d;", "v = (TYPE)VALUE;"] {
                let body = format!("TYPE v = 0; double d = VALUE; {body}");
                let body = body
                    .replace("TYPE", ty)
                    .replace("VALUE", &format!("({value} + 0.0)"));
                faulty(
                    "",
                    &body,
                    Kind::Conversion,
                    &["line 4", "out of the type's range"],
                );
            }
        }
        for value in good {
            fine(
                "",
                &format!("double d = {value}; {ty} v = d; v = ({ty})d; d = v;"),
            );
        }
        let body = format!("double d = __builtin_nan(\"\"); {ty} v = d;");
        faulty("", &body, Kind::Conversion, &[]);
    }
    fine(
        "",
        "double d = 1e300; float e = d; d = __builtin_nan(\"\"); _Bool v = d; e = d;",
    );
    faulty("", "float e = 3e9f; int v = e;", Kind::Conversion, &[]);
}

#[test]
fn accesses_outside_of_objects() {
    for (body, words) in [
        ("int t[4]; t[4] = 1;", vec!["at t[4]", "a write of 4 bytes"]),
        (
            "int t[4]; int k = -1; t[k] = 1;",
            vec!["at t[-1]", "a write of 4 bytes"],
        ),
        (
            "int t[4] = {0}; int k = 5; k = t[k];",
            vec!["at t[5]", "a read of 4 bytes"],
        ),
        ("int t[2][3]; int k = 2; t[k][0] = 1;", vec!["at t[2][0]"]),
        (
            "double t[2]; int k = 2; t[k] = 1;",
            vec!["at t[2]", "a write of 8 bytes"],
        ),
        (
            "short t[3] = {0}; int *p = (int *)(t + 2); n = *p;",
            vec!["a read of 4 bytes"],
        ),
        (
            "int *m = __builtin_malloc(12); m[3] = 0; __builtin_free(m);",
            vec!["byte 12 of what line 4 allocated"],
        ),
        ("b[8] = 0;", vec!["at b[8]", "a write of 8 bytes"]),
        ("n = a[8];", vec!["at a[8]", "a read of 4 bytes"]),
        ("n = a[-1];", vec!["at a[-1]"]),
        (
            "n = x[8 + (n & 1)] > 0;",
            vec!["at x[", "a read of 8 bytes"],
        ),
        ("g[3] = 1;", vec!["at g[3]"]),
        ("n = h[0][2];", vec!["subscript 2 of a row of 2"]),
        ("s.k[3] = 1;", vec!["subscript 3 of a row of 2"]),
        (
            "int t[3]; __builtin_memset(t, 0, 13);",
            vec!["a write of 13 bytes"],
        ),
        (
            "int t[3] = {0}, u[4]; __builtin_memcpy(u, t, 16);",
            vec!["at t[0]", "a read of 16 bytes"],
        ),
        (
            "int t[3], u[4] = {0}; __builtin_memcpy(t, u, 16);",
            vec!["at t[0]", "a write of 16 bytes"],
        ),
        ("unsigned long k = -1; n = a[k];", vec!["an access outside"]),
        ("long k = 1l << 60; n = a[k];", vec!["an access outside"]),
        ("int t[3]; int *p = t + 3; *p = 1;", vec!["at t[3]"]),
        (
            "char c; char *p = &c; p[1] = 0;",
            vec!["a write of 1 bytes"],
        ),
    ] {
        let front = "int g[3]; int h[2][2]; struct { int k[2], l[2]; } s;";
        faulty(front, body, Kind::Outside, &words);
    }
    for body in [
        "int t[4]; t[3] = 1; t[0] = 2; int *p = t + 4; p--; *p = 3;",
        "int *m = __builtin_malloc(12); m[2] = 0; __builtin_free(m); m = __builtin_malloc(0); __builtin_free(m);",
        "long t = b[7] + a[7] + a[0] + (x[7] > 0);",
        "char t[3]; __builtin_memset(t, 0, 3); __builtin_memset(t + 3, 0, 0); __builtin_memcpy(t, a, 3); __builtin_memcpy(t, a + 8, 0);",
        "int k = n, t[3][4]; (&t[0][0])[11] = k;",
        "static int t[3]; t[2] = n; t[0] = t[2];",
    ] {
        fine("", body);
    }
}

#[test]
fn pointers_to_what_is_no_more() {
    for body in [
        "int *p = 0; n = *p;",
        "int *p = 0; *p = 1;",
        "int *p = 0; p += 3; n = *p;",
        "int *p; { int t = 1; p = &t; } int **q = 0; n = **q;",
        "int *p = g(); n = *p;",
        "int *p = g(); *p = 2;",
        "int *m = __builtin_malloc(8); __builtin_free(m); m[1] = 1;",
        "int *m = __builtin_malloc(8), *q = m; __builtin_free(m); n = q[0];",
        "char t[4], *p = 0; __builtin_memcpy(t, p, 1);",
        "char t[4] = {0}, *p = 0; __builtin_memcpy(p, t, 1);",
        "char *p = 0; __builtin_memset(p, 0, 1);",
    ] {
        let front = "static int *g(void) { int t = 1; return &t; }";
        faulty(
            front,
            body,
            Kind::Pointer,
            &["line 4", "a pointer that points nowhere"],
        );
    }
    for body in [
        "int t; __builtin_free(&t);",
        "int *m = __builtin_malloc(8); __builtin_free(m + 1);",
        "int *m = __builtin_malloc(8); __builtin_free(m); __builtin_free(m);",
        "__builtin_free((void *)a);",
        "__builtin_free(g);",
    ] {
        faulty(
            "int g[3];",
            body,
            Kind::Free,
            &["line 4", "an invalid `free`"],
        );
    }
    fine(
        "",
        "__builtin_free(0); int *p = 0; p = p + 0; p = (int *)a; if (p == 0) *p = 1;",
    );
    // Memory that is freed is used again, late.
    fine(
        "",
        "for (int i = 0; i < 10; i++) { char *m = __builtin_malloc(1000); m[999] = 1; __builtin_free(m); }",
    );
    fine(
        "",
        "int *p = 0; for (int i = 0; i < 9; i++) { int t = i; if (p == 0) p = &t; *p = i; }",
    );
}

#[test]
fn values_that_were_never_written() {
    for (body, words) in [
        (
            "int t; b[1] = t;",
            vec!["at b[1]", "`t` read before it is written"],
        ),
        (
            "int t[3]; t[0] = 1; b[2] = t[1];",
            vec!["at b[2]", "t[1] read before it is written"],
        ),
        (
            "int *m = __builtin_malloc(8); b[1] = m[1];",
            vec!["byte 4 of what line 4 allocated"],
        ),
        (
            "short t[2]; t[1] = 1; b[1] = *(int *)t;",
            vec!["read before it is written"],
        ),
        (
            "struct { int k; long l; } s; s.k = 1; b[1] = s.l;",
            vec!["read before it is written"],
        ),
        (
            "struct { long k, l; } s, t; s.k = 1; t = s; b[1] = t.l;",
            vec!["read before it is written"],
        ),
        (
            "long t[2], u[2]; t[0] = 1; __builtin_memcpy(u, t, 16); b[1] = u[1];",
            vec!["read before it is written"],
        ),
        (
            "int t; if (a[0] > 2) t = 1; b[1] = t;",
            vec!["`t` read before it is written"],
        ),
        (
            "for (int i = 0; i < 2; i++) { int t; if (i == 0) t = 7; b[i + 1] = t * 1l; }",
            vec!["`t` read before it is written"],
        ),
        (
            "for (int i = 0; i < 2; i++) { int t[2]; if (i == 0) t[1] = 7; b[i + 1] = t[1] * 1l; }",
            vec!["t[1] read before it is written"],
        ),
        (
            "double t; t += a[1] & 3; b[2] = (long)(t * 3);",
            vec!["`t`"],
        ),
        (
            "float t; for (int i = 0; i < 3; i++) t += 1; b[1] = t > 100;",
            vec!["`t`"],
        ),
    ] {
        let found = judged(&whole("", "b[1] = 0; b[2] = 0;"), &whole("", body));
        let Verdict::Differs(difference) = &found.verdict else {
            panic!("{body}\n{:?}", found.verdict);
        };
        let text = difference.to_string();
        assert_eq!(difference.kind, Kind::Unwritten, "{body}\n{text}");
        for word in words {
            assert!(text.contains(word), "{body}: `{word}` is not in: {text}");
        }
        assert!(text.contains("line 4"), "{body}\n{text}");
        // Where it is the original's, anything may be there, but not elsewhere
        // (of bodies that write it in some cases, these are looked for).
        if body.contains("if (") {
            continue;
        }
        let written = |place: &str| {
            if body.contains(place) || body.contains("b[i + 1]") {
                format!("{place} = 3;")
            } else {
                String::new()
            }
        };
        let other = written("b[1]") + &written("b[2]");
        let found = judged(&whole("", body), &whole("", &other));
        assert!(
            !matches!(found.verdict, Verdict::Differs(_)),
            "{body}\n{:?}",
            found.verdict
        );
        let found = judged(&whole("", body), &whole("", &(other + "b[3] = 7;")));
        assert!(
            !matches!(found.verdict, Verdict::Equal),
            "{body}\n{:?}",
            found.verdict
        );
    }
    // What is read but does not matter is no difference, and what was copied may be unwritten.
    fine("", "int t; t = t & 0; int u = t; u = u * 0;");
    fine(
        "",
        "struct { int k; long l; } s, t; s.k = 1; t = s; n = t.k;",
    );
    fine(
        "",
        "int *m = __builtin_calloc(2, 4); n = m[1]; __builtin_free(m);",
    );
    fine(
        "",
        "static int t[3]; n = t[2]; int u[3] = {1}; n = u[2]; struct { int k[2]; } v = {0}; n = v.k[1];",
    );
    fine(
        "",
        "int t; if (n > 2) t = 1; else t = 2; n = t; int u[2]; u[n - 1] = 1; n = u[n - 1];",
    );
    // Where the original leaves places as they were, so must the result.
    let rest = |body: &str| format!("void f(int n, int *b)\n{{\n{body}\n}}\n");
    let sparse = rest("for (int i = 0; i < n; i++) if (i % 3 == 1) b[i] = 4;");
    let found = judged(&sparse, &rest("for (int i = 1; i < n; i += 3) b[i] = 4;"));
    assert!(
        matches!(found.verdict, Verdict::Equal),
        "{:?}",
        found.verdict
    );
    let found = judged(
        &sparse,
        &rest("for (int i = 1; i < n; i += 3) { b[i] = 4; b[i - 1] = 5; }"),
    );
    assert!(
        matches!(found.verdict, Verdict::Differs(_)),
        "{:?}",
        found.verdict
    );
}

#[test]
fn loops_calls_and_memory_without_end() {
    for body in [
        "for (;;) ;",
        "while (1) { int t = 1; t++; }",
        "again: goto again;",
    ] {
        let found = within(&whole("", ""), &whole("", body), None);
        let Verdict::Differs(difference) = &found.verdict else {
            panic!("{body}\n{:?}", found.verdict);
        };
        assert_eq!(difference.kind, Kind::Endless, "{body}");
        let text = difference.to_string();
        assert!(text.contains("a loop that does not end (line 4"), "{text}");
        // Where there is no time to wait for its end, nothing is said.
        let found = judged(&whole("", ""), &whole("", body));
        assert!(
            matches!(found.verdict, Verdict::Unknown(_)),
            "{:?}",
            found.verdict
        );
    }
    // Nor is memory what makes one long.
    let memory = "void *m = __builtin_malloc(60000000); __builtin_free(m);";
    let found = within(
        &whole("", ""),
        &whole("", &format!("{memory} for (;;) ;")),
        None,
    );
    let Verdict::Differs(difference) = &found.verdict else {
        panic!("{:?}", found.verdict);
    };
    assert_eq!(difference.kind, Kind::Endless);
    let again = format!("for (;;) {{ {} }}", memory.replace("60000000", "8"));
    let found = within(&whole("", ""), &whole("", &again), None);
    let Verdict::Differs(difference) = &found.verdict else {
        panic!("{:?}", found.verdict);
    };
    assert_eq!(difference.kind, Kind::Endless);
    let found = within(&whole("", ""), &whole("", memory), None);
    assert!(
        matches!(found.verdict, Verdict::Equal),
        "{:?}",
        found.verdict
    );
    // Much longer than the original is no error.
    let long = "for (int i = 0; i < 3000; i++) for (int k = 0; k < 30; k++) n += 0;";
    let found = within(&whole("", ""), &whole("", long), None);
    assert!(
        matches!(found.verdict, Verdict::Equal),
        "{:?}",
        found.verdict
    );
    let front = "static int g(int k) { return g(k + 1) + 1; }";
    faulty(
        front,
        "n = g(0);",
        Kind::Memory,
        &["memory beyond all measure"],
    );
    fine(
        "static int g(int k) { return k ? g(k - 1) + 1 : 0; }",
        "n = g(900);",
    );
    faulty(
        "",
        "char *m = __builtin_malloc(1l << 40);",
        Kind::Memory,
        &[],
    );
    faulty("", "char *m = __builtin_malloc(-1l);", Kind::Memory, &[]);
    faulty("", "long k = -1; int t[k];", Kind::Memory, &[]);
    // Too much by a factor shows where there is little to do.
    let wide = "char *m = __builtin_malloc((n > 0 ? n : 1l) << 34); __builtin_free(m);";
    faulty("", wide, Kind::Memory, &["memory beyond all measure"]);
    // Where numbers are large, a computer may have it: nothing is said of such inputs.
    let asked = |large: &str| format!("char *m = __builtin_malloc({large}); __builtin_free(m);");
    fine("", &asked("n > 1000 ? (long)n << 24 : 8"));
    fine("", &asked("a[0] > 1000 ? (long)a[0] << 24 : 8"));
    faulty("", "__builtin_trap();", Kind::Trap, &["a trap"]);
    faulty("", "__builtin_unreachable();", Kind::Trap, &["a trap"]);
    faulty("", "if (n < 2 || n >= 2) abort();", Kind::Trap, &["line 4"]);
}

#[test]
fn constants_that_are_not_to_be_written() {
    let original = "void f(int n, long b[restrict 8]) { b[0] = 1; }";
    for body in [
        "char *s = (char *)\"text\"; s[0] = 'T'; b[0] = 1;",
        "\"text\"[1] = 0; b[0] = 1;",
    ] {
        let found = judged(
            original,
            &format!("void f(int n, long b[restrict 8]) {{ {body} }}"),
        );
        // A literal of one's own: nobody sees it. Nothing else may come of it.
        assert!(
            !matches!(found.verdict, Verdict::Unknown(_)),
            "{body}: {:?}",
            found.verdict
        );
    }
}
