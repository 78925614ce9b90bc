//! OpenMP's constructs: what they compute, and where iterations race.

use crate::common::{differs, equal};

const TYPES: [&str; 10] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "float",
    "double",
];

/// The least and the greatest value of a type.
fn ends(ty: &str) -> [String; 2] {
    let bits = match ty {
        "signed char" | "unsigned char" => 8,
        "short" | "unsigned short" => 16,
        "int" | "unsigned" => 32,
        "float" => return ["-3e38f".into(), "3e38f".into()],
        "double" => return ["-1e308".into(), "1e308".into()],
        _ => 64,
    };
    if ty.starts_with("unsigned") {
        ["0".into(), format!("{}ul", u64::MAX >> (64 - bits))]
    } else {
        [
            format!("({}l - 1)", (i64::MIN >> (64 - bits)) + 1),
            format!("{}l", i64::MAX >> (64 - bits)),
        ]
    }
}

#[test]
fn reductions_on_every_type() {
    for ty in TYPES {
        let [least, most] = ends(ty);
        let is_float = matches!(ty, "float" | "double");
        let mut cases = vec![
            ("+", "3", "s += i & 3;"),
            ("-", "3", "s -= i & 3;"),
            ("*", "3", "s *= 1 + (i == 2);"),
            ("max", &least, "s = a[i] + 0 > s ? a[i] + 0 : s;"),
            ("min", &most, "s = a[i] + 0 < s ? a[i] + 0 : s;"),
            ("max", "3", "if (a[i] + 0 > s) s = a[i] + 0;"),
            ("min", "3", "if (a[i] + 0 < s) s = a[i] + 0;"),
        ];
        if !is_float {
            cases.extend([
                ("|", "8", "s |= a[i];"),
                ("&", "-9", "s &= a[i];"),
                ("^", "5", "s ^= a[i];"),
                // What is true need not be one.
                ("&&", "6", "s = s && (a[i] & 1);"),
                ("||", "6", "s = s || (a[i] & 8);"),
            ]);
        }
        for (operator, first, step) in cases {
            let whole = |pragma: &str| {
                format!(
                    "void f(int n, const {ty} a[restrict n], {ty} out[restrict 1])\n{{\n{ty} s = {first};\n{pragma}\nfor (int i = 0; i < n; i++) {{ {step} }}\nif (n > 0) out[0] = s;\n}}\n"
                )
            };
            equal(
                &whole(""),
                &whole(&format!("#pragma omp parallel for reduction({operator}:s)")),
            );
            equal(
                &whole(""),
                &whole(&format!("#pragma omp simd reduction({operator}:s)")),
            );
            differs(
                &whole(""),
                &whole("#pragma omp parallel for"),
                &["a race", "between threads"],
            );
        }
    }
}

/// With nothing to do, what the variable had stays.
#[test]
fn reductions_of_nothing() {
    for ty in TYPES {
        let [least, most] = ends(ty);
        for (operator, first) in [("+", "7"), ("*", "7"), ("max", &*least), ("min", &*most)] {
            let whole = |pragma: &str| {
                format!(
                    "void f({ty} out[restrict 1])\n{{\n{ty} s = {first};\n{pragma}\nfor (int i = 0; i < 0; i++) s = 1;\nout[0] = s;\n}}\n"
                )
            };
            equal(
                &whole(""),
                &whole(&format!(
                    "#pragma omp parallel for reduction({operator} : s)"
                )),
            );
        }
    }
}

const FRONT: &str = "int g; long h[9]; struct { int k; } st;\n";

fn whole(body: &str) -> String {
    format!(
        "{FRONT}void f(int n, int m, const int a[restrict n], int b[restrict n], unsigned char c[restrict n], int *t)\n{{\n{body}\n}}\n"
    )
}

/// A body in order, and others that are equal to it.
#[track_caller]
fn all_equal(plain: &str, others: &[&str]) {
    for other in others {
        equal(&whole(plain), &whole(other));
    }
}

/// Bodies that compute the same as the plain one in some orders, and race.
#[track_caller]
fn all_race(plain: &str, others: &[&str], word: &str) {
    for other in others {
        differs(&whole(plain), &whole(other), &["a race", word]);
    }
}

#[test]
fn reductions_wherever_the_variable_is() {
    let sum = "for (int i = 0; i < n; i++) S += a[i] & 7;";
    for (front, place, back) in [
        ("int s = 4;", "s", "b[0] = s;"),
        ("int s = 4, *p = &s;", "s", "b[0] = *p;"),
        ("", "m", "b[0] = m;"),
        ("", "g", "b[0] = g;"),
        ("static int s; s = 2;", "s", "b[0] = s;"),
    ] {
        let sum = sum.replace('S', place);
        let plain = format!("if (n < 1) return; {front} {sum} {back}");
        for pragma in [
            "parallel for",
            "parallel for num_threads(3) schedule(static, 1)",
            "simd",
        ] {
            let other = format!(
                "if (n < 1) return; {front}\n#pragma omp {pragma} reduction(+: {place})\n{sum} {back}"
            );
            equal(&whole(&plain), &whole(&other));
        }
        let other = format!(
            "if (n < 1) return; {front}\n#pragma omp parallel reduction(+: {place})\n{{\n#pragma omp for\n{sum}\n}}\n{back}"
        );
        equal(&whole(&plain), &whole(&other));
        let wrong = format!(
            "if (n < 1) return; {front}\n#pragma omp parallel for firstprivate({place})\n{sum} {back}"
        );
        differs(&whole(&plain), &whole(&wrong), &["another value"]);
    }
    all_equal(
        "int s = 0, p = 1, q = 0; for (int i = 0; i < n; i++) { s += i; p *= 1 - 2 * (i & 1); q ^= a[i]; } if (n > 0) b[0] = s + 2 * p; if (n > 1) b[1] = q;",
        &[
            "int s = 0, p = 1, q = 0;\n#pragma omp parallel for reduction(+:s) reduction(*: p), reduction(^:q)\nfor (int i = 0; i < n; i++) { s += i; p *= 1 - 2 * (i & 1); q ^= a[i]; } if (n > 0) b[0] = s + 2 * p; if (n > 1) b[1] = q;",
        ],
    );
    all_equal(
        "int s = 0, q = 0; for (int i = 0; i < n; i++) { s += i; q += a[i] & 3; } if (n > 0) b[0] = s; if (n > 1) b[1] = q;",
        &[
            "int s = 0, q = 0;\n#pragma omp parallel for reduction( + : s , q )\nfor (int i = 0; i < n; i++) { s += i; q += a[i] & 3; } if (n > 0) b[0] = s; if (n > 1) b[1] = q;",
        ],
    );
}

#[test]
fn variables_of_ones_own() {
    let plain = "int k = 5; for (int i = 0; i < n; i++) { int k = a[i] & 3; b[i] = k * k; } if (n > 1) b[1] = k;";
    let with = |clause: &str, rest: &str| {
        format!(
            "int k = 5;\n#pragma omp parallel for {clause}\nfor (int i = 0; i < n; i++) {{ {rest} }} if (n > 1) b[1] = k;"
        )
    };
    let set = "k = a[i] & 3; b[i] = k * k;";
    all_equal(
        plain,
        &[
            &with("private(k)", set),
            &with("firstprivate(k)", set),
            &with("private( k ) schedule(dynamic)", set),
        ],
    );
    all_race(
        plain,
        &[&with("", set), &with("shared(k)", set)],
        "between threads",
    );
    // A private variable has no value at first.
    let read = "if (i % 2) k = 1; b[i] = k * k;";
    let sequential =
        "int k = 5; for (int i = 0; i < n; i++) { int k = 1; b[i] = k * k; } if (n > 1) b[1] = k;";
    differs(
        &whole(sequential),
        &whole(&with("private(k)", read)),
        &["never written", "`k`"],
    );
    let plain = "for (int i = 0; i < n; i++) b[i] = 6 + i; if (n > 1) b[1] = 6;";
    all_equal(
        plain,
        &[&with("firstprivate(k)", "k = 6; b[i] = k + i;").replace("b[1] = k", "b[1] = k + 1")],
    );
    for (front, place) in [
        ("int k = m & 15;", "k"),
        ("m = m & 15;", "m"),
        ("g = m & 15;", "g"),
        ("int k = m & 15, *p = &k;", "k"),
    ] {
        let plain = format!("{front} for (int i = 0; i < n; i++) b[i] = {place} + i;");
        let other = format!(
            "{front}\n#pragma omp parallel for firstprivate({place})\nfor (int i = 0; i < n; i++) {{ b[i] = {place} + i; {place} = b[i] - i; }}"
        );
        equal(&whole(&plain), &whole(&other));
        let wrong = format!(
            "{front}\n#pragma omp parallel for firstprivate({place})\nfor (int i = 0; i < n; i++) {{ b[i] = {place} + i; {place} = 3; }}"
        );
        differs(&whole(&plain), &whole(&wrong), &["another value"]);
    }
}

/// Threads have arrays of their own, with the values that are in front.
#[test]
fn arrays_of_ones_own() {
    for front in [
        "int k[2] = {3, m & 7};",
        "int m2 = m & 7; int k[2]; k[0] = 3; k[1] = m2;",
    ] {
        let plain = format!("{front} for (int i = 0; i < n; i++) b[i] = k[i & 1] + i;");
        let each = |rest: &str| {
            format!(
                "{front}\n#pragma omp parallel for firstprivate(k)\nfor (int i = 0; i < n; i++) {{ {rest} }}"
            )
        };
        let kept = "b[i] = k[i & 1] + i; k[i & 1] = b[i] - i;";
        equal(&whole(&plain), &whole(&each(kept)));
        let changed = "b[i] = k[i & 1] + i; k[i & 1] = 9;";
        differs(&whole(&plain), &whole(&each(changed)), &["another value"]);
    }
    // Nobody sees what they store there.
    let plain = "int k[2] = {1, 2}; for (int i = 0; i < n; i++) b[i] = 1; if (n > 1) b[0] = k[0];";
    let own = "int k[2] = {1, 2};\n#pragma omp parallel for firstprivate(k)\nfor (int i = 0; i < n; i++) { k[0] = i; b[i] = k[0] == i; } if (n > 1) b[0] = k[0];";
    equal(&whole(plain), &whole(own));
    differs(
        &whole(plain),
        &whole(&own.replace("firstprivate(k)", "")),
        &["between threads"],
    );
}

#[test]
fn one_thread_of_all() {
    let plain = "if (n < 2) return; b[0] = 3; for (int i = 1; i < n; i++) b[i] = b[0] + a[i] % 5;";
    let each = "for (int i = 1; i < n; i++) b[i] = b[0] + a[i] % 5;";
    let team = |first: &str, between: &str| {
        format!(
            "if (n < 2) return;\n#pragma omp parallel\n{{\n#pragma omp {first}\nb[0] = 3;\n{between}\n#pragma omp for\n{each}\n}}"
        )
    };
    let barrier = "#pragma omp barrier";
    all_equal(
        plain,
        &[
            &team("single", ""),
            &team("single nowait", barrier),
            &team("master", barrier),
            &team("masked", barrier),
        ],
    );
    all_race(
        plain,
        &[
            &team("single nowait", ""),
            &team("master", ""),
            &team("masked", ""),
        ],
        "between threads",
    );
    // All threads do what stands in no such construct.
    let plain = "if (n < 1) return; b[0] = 1;";
    all_equal(
        plain,
        &[
            "if (n < 1) return;\n#pragma omp parallel num_threads(1 + 0)\n{\n#pragma omp single\n{ b[0] = 0; b[0] += 1; }\n}",
        ],
    );
    all_race(
        plain,
        &["if (n < 1) return;\n#pragma omp parallel\n{ b[0] = 1; }"],
        "at b[0]",
    );
}

#[test]
fn updates_one_at_a_time() {
    let plain = "for (int i = 0; i < n; i++) t[a[i] & 3] += i;";
    let with =
        |inner: &str| format!("#pragma omp parallel for\nfor (int i = 0; i < n; i++)\n{inner}");
    all_equal(
        plain,
        &[
            &with("#pragma omp atomic\nt[a[i] & 3] += i;"),
            &with("#pragma omp atomic update\nt[a[i] & 3] += i;"),
            &with("#pragma omp critical\nt[a[i] & 3] += i;"),
            &with("#pragma omp critical\n{ int k = a[i] & 3; t[k] = t[k] + i; }"),
            &with("{ int k = a[i] & 3;\n#pragma omp atomic\nt[k] += i;\n}"),
        ],
    );
    all_race(
        plain,
        &[
            &with("t[a[i] & 3] += i;"),
            &with("{ int k = 0;\n#pragma omp atomic\nk += i;\nt[a[i] & 3] += k; }"),
        ],
        "between threads",
    );
    // Some updates are atomic and others are not; also where those come last.
    let plain = "for (int i = 0; i < n; i++) t[0] += i;";
    for condition in ["i == n - 1", "i == 0", "i == n / 2"] {
        let some =
            format!("if ({condition}) t[0] += i; else {{\n#pragma omp atomic\nt[0] += i;\n}}");
        all_race(plain, &[&with(&some)], "between threads");
        let read = format!("{{ if ({condition}) b[i] = t[0];\n#pragma omp atomic\nt[0] += i;\n}}");
        let same =
            format!("for (int i = 0; i < n; i++) {{ if ({condition}) b[i] = t[0]; t[0] += i; }}");
        all_race(&same, &[&with(&read)], "between threads");
    }
}

#[test]
fn iterations_that_touch_the_same() {
    let par = "#pragma omp parallel for\n";
    for (plain, races) in [
        ("for (int i = 0; i < n; i++) b[i] = a[n - 1 - i];", false),
        ("for (int i = 0; i < n; i++) c[i] = i;", false),
        ("for (int i = 0; i < n - 1; i++) c[i] = c[i + 1];", true),
        ("for (int i = 1; i < n; i++) b[i] = b[i - 1];", true),
        ("for (int i = 0; i < n; i++) b[i] = b[0] & 0;", true),
        ("for (int i = 0; i < n; i++) b[i] += b[i] * 0 + i;", false),
        ("for (int i = 0; i < n; i++) b[i / 2] = 1;", true),
        (
            "for (int i = 0; i < n; i++) { int k[2] = { i, a[i] }; b[i] = k[1] ^ k[0]; }",
            false,
        ),
        (
            "for (int i = 0; i < n; i++) { int *k = __builtin_malloc(4); *k = a[i]; b[i] = *k; __builtin_free(k); }",
            false,
        ),
        (
            "int k[2]; for (int i = 0; i < n; i++) { k[0] = a[i]; b[i] = k[0]; }",
            true,
        ),
        (
            "int *k = __builtin_malloc(4); for (int i = 0; i < n; i++) { *k = a[i]; b[i] = *k; } __builtin_free(k);",
            true,
        ),
        ("for (int i = 0; i < n; i++) { g = a[i]; b[i] = g; }", true),
        (
            "for (int i = 0; i < n; i++) { st.k = a[i]; b[i] = st.k; }",
            true,
        ),
        (
            "for (int i = 0; i < n; i++) { static int k; k = a[i]; b[i] = k; }",
            true,
        ),
        ("for (int i = 0; i < n; i++) { h[i % 9] = i; }", true),
        ("for (int i = 0; i < n; i++) b[i] = t[0] + t[1];", false),
        (
            "for (int i = 0; i < n; i++) __builtin_memset(&b[i], 0, 4);",
            false,
        ),
        (
            "for (int i = 0; i < n - 1; i++) __builtin_memset(&b[i], 0, 5);",
            true,
        ),
        (
            "for (int i = 0; i < n; i++) __builtin_memcpy(&b[i], &a[n - 1 - i], 4);",
            false,
        ),
        (
            "for (int i = 0; i < n - 1; i++) __builtin_memcpy(&b[i], &b[i + 1], 4);",
            true,
        ),
        (
            "for (int i = 0; i < n - 1; i++) __builtin_memcpy(&b[i], &a[i], 8);",
            true,
        ),
        (
            "for (int i = 0; i < n; i++) { ((short *)b)[2 * i] = 1; ((short *)b)[2 * i + 1] = 2; }",
            false,
        ),
        (
            "for (int i = 0; i < n - 1; i++) ((short *)b)[2 * i + 1] = ((short *)b)[2 * i + 2];",
            false,
        ),
        (
            "for (int i = 1; i < n; i++) ((char *)b)[4 * i + 3] = b[i - 1] & 1;",
            true,
        ),
        // Words of C that say nothing of threads here.
        (
            "for (int i = 0; i < n; i++) { _Atomic int k; k = a[i]; volatile int l = k; b[i] = l; }",
            false,
        ),
        (
            "for (int i = 0; i < n; i++) { volatile int *v = &b[0]; if (i == 2) b[0] = 1; c[i] = *v & 0; }",
            true,
        ),
        ("m = 3; for (int i = 0; i < n; i++) b[i] = m;", false),
        ("for (int i = 0; i < n; i++) { m = i; b[i] = m; }", true),
        ("for (int i = 0; i < n; i++) { m++; b[i] = 1; }", true),
        ("for (int i = 0; i < n; i++) { --m; b[i] = 1; }", true),
        (
            "int k = 0; for (int i = 0; i < n; i++) { k |= 1; b[i] = 1; }",
            true,
        ),
        (
            "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) { if (j == 3) break; if (j & 1) continue; b[i] = j; }",
            false,
        ),
    ] {
        let at = plain.find("for ").unwrap_or(0);
        let parallel = format!("{}\n{par}{}", &plain[..at], &plain[at..]);
        if races {
            all_race(plain, &[&parallel], "between threads")
        } else {
            all_equal(plain, &[&parallel])
        }
        // Iterations of `simd` loops are watched in the same way.
        if !plain.contains("malloc") && !plain.contains("j++") {
            let simd = parallel.replace("parallel for", "simd");
            if races {
                all_race(plain, &[&simd], "of a `simd` loop")
            } else {
                all_equal(plain, &[&simd])
            }
        }
    }
}

#[test]
fn loops_in_regions() {
    let plain =
        "for (int i = 0; i < n; i++) b[i] = a[i]; for (int i = 0; i < n; i++) c[i] = b[n - 1 - i];";
    let both = |between: &str, first: &str| {
        format!(
            "#pragma omp parallel\n{{\n#pragma omp for {first}\nfor (int i = 0; i < n; i++) b[i] = a[i];\n{between}\n#pragma omp for\nfor (int i = 0; i < n; i++) c[i] = b[n - 1 - i];\n}}"
        )
    };
    all_equal(
        plain,
        &[
            &both("", ""),
            &both("#pragma omp barrier", "nowait"),
            &both("#pragma omp barrier", ""),
            &both("", "schedule(static)"),
        ],
    );
    all_race(
        plain,
        &[&both("", "nowait"), &both("#pragma omp flush", "nowait")],
        "between threads",
    );
    // Regions one after the other do not race, nor regions in regions with themselves.
    all_equal(
        plain,
        &[
            "#pragma omp parallel for\nfor (int i = 0; i < n; i++) b[i] = a[i];\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) c[i] = b[n - 1 - i];",
            "#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\n#pragma omp parallel for\nfor (int k = 0; k < 2; k++) if (k) b[i] = a[i];\n}\nfor (int i = 0; i < n; i++) c[i] = b[n - 1 - i];",
            "for (int k = 0; k < 2; k++) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) { if (k) c[i] = b[n - 1 - i]; else b[i] = a[i]; }\n}",
            "#pragma omp parallel for simd\nfor (int i = 0; i < n; i++) b[i] = a[i];\n#pragma omp simd\nfor (int i = 0; i < n; i++) c[i] = b[n - 1 - i];",
        ],
    );
    // What is declared behind a region is shared by the next one.
    let behind = "int k; for (int i = 0; i < n; i++) { k = a[i]; b[i] = k; }";
    for first in ["parallel", "parallel for", "parallel for simd", "simd"] {
        let each = "for (int i = 0; i < n; i++) ;";
        let other = format!(
            "#pragma omp {first}\n{each}\n{}",
            behind.replace("for (", "\n#pragma omp parallel for\nfor (")
        );
        all_race(behind, &[&other], "between threads");
    }
    // Variables of which a region has copies, and does nothing with.
    for clause in [
        "firstprivate(k)",
        "reduction(+: k)",
        "reduction(max: k)",
        "reduction(&&: k)",
    ] {
        let plain = "int k = 1; for (int i = 0; i < n; i++) b[i] = i; if (n > 1) b[1] = k;";
        let head = format!("\n#pragma omp parallel for {clause}\nfor (");
        all_equal(plain, &[&plain.replace("for (", &head)]);
    }
    let read = "int k = m & 3; for (int i = 0; i < n; i++) b[i] = k;";
    all_equal(
        read,
        &[&read.replace("for (", "\n#pragma omp parallel for firstprivate(k)\nfor (")],
    );
    // A promise beside a construct is no other one.
    let sum = "int s = 0; for (int i = 0; i < n; i++) s += i; if (n > 0) b[0] = s;";
    for pragmas in [
        "#pragma pencil independent\n#pragma omp parallel for reduction(+: s)",
        "#pragma omp parallel for reduction(+: s)\n#pragma pencil independent",
    ] {
        all_equal(
            sum,
            &[&sum.replace("for (", &format!("\n{pragmas}\nfor ("))],
        );
    }
    let grid = "for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) { int k = 3 * i + j; if (k < n) b[k] = i - j; }";
    let collapsed = |head: &str, j: &str| {
        format!(
            "#pragma omp parallel for {head}\nfor (int i = 0; i < n; i++) {{ for (int j = 0; j < 3; {j}) {{ int k = 3 * i + j; if (k < n) b[k] = i - j; }} }}"
        )
    };
    all_equal(
        grid,
        &[
            &collapsed("", "j++"),
            &collapsed("collapse(2)", "j++"),
            &collapsed("collapse(2) schedule(dynamic)", "j += 1"),
            &collapsed("collapse(1)", "j++"),
        ],
    );
    let strided = "for (int i = n - 1; i >= 0; i -= 2) for (long j = 1; j <= 5; j += 2) if (i + j < n) h[(i + j) % 9 + 0 * i] = j;";
    let disjoint =
        "for (int i = 0; i < 3; i++) for (long j = 5; j >= 1; j -= 2) h[3 * i + j / 2] = i - j;";
    for (plain, same) in [(strided, false), (disjoint, true)] {
        let other = format!("#pragma omp parallel for collapse(2)\n{plain}");
        if same {
            all_equal(plain, &[&other])
        } else {
            all_race(plain, &[&other], "between threads")
        }
    }
    // Each iteration counts: the last of the inner loop, too.
    differs(
        &whole(grid),
        &whole(&collapsed("collapse(2)", "j++").replace("j < 3", "j < 2")),
        &["another value"],
    );
}

/// What asks how many threads there may be goes on as with many.
#[test]
fn the_number_of_threads_is_known() {
    let original = "void f(int n, const int a[restrict n], int b[restrict n])\n{\n    \
         for (int i = 0; i < n; i++) b[i] = a[i] & 7;\n}\n";
    let asks = |index: &str| {
        format!(
            "void f(int n, const int a[restrict n], int b[restrict n])\n{{\n    int t = 1;\n    \
             extern int omp_get_max_threads(void);\n    if ((double)n >= 2) t = omp_get_max_threads();\n    \
             if (t > 1) {{\n#pragma omp parallel for\n        for (int i = 0; i < n; i++) b[i] = a[{index}] & 7;\n    }} else {{\n        \
             for (int i = 0; i < n; i++) b[i] = a[i] & 7;\n    }}\n}}\n"
        )
    };
    equal(original, &asks("i"));
    differs(original, &asks("0"), &["another value"]);
}
