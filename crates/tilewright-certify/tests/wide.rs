//! Texts with complex numbers, `long double` and `_Float16`: the same ones are equal, and what is another
//! program in C differs.

use tilewright_certify::{Effort, Kind, Options, Text, Verdict, certify};

fn judged(original: &str, result: &str) -> Verdict {
    let text = |preprocessed| Text {
        name: "f.c",
        preprocessed,
    };
    let options = Options {
        effort: Effort::Quick,
        ..Options::default()
    };
    certify(&text(original), &text(result), &options).verdict
}

/// A function of two arrays of a type.
fn of(ctype: &str, body: &str) -> String {
    format!("void f(int n, const {ctype} a[restrict n], {ctype} b[restrict n])\n{{\n{body}\n}}\n")
}

#[track_caller]
fn equal(original: &str, result: &str) {
    let verdict = judged(original, result);
    assert!(matches!(verdict, Verdict::Equal), "{verdict:?}");
}

#[track_caller]
fn differs(original: &str, result: &str) {
    let verdict = judged(original, result);
    assert!(
        matches!(&verdict, Verdict::Differs(found) if found.kind == Kind::Value),
        "{verdict:?}"
    );
}

const TYPES: [&str; 8] = [
    "double _Complex",
    "float _Complex",
    "_Complex long double",
    "_Complex",
    "long double",
    "_Float16",
    "_Float128",
    "__float128",
];

fn declared(text: String) -> String {
    match text.contains("__float128") {
        // As the driver has it.
        true => format!("typedef struct __float128 __float128; {text}"),
        false => text,
    }
}

#[test]
fn the_same_in_another_order_of_iterations() {
    for ctype in TYPES {
        let up = of(
            ctype,
            "for (int i = 0; i < n; i++) b[i] = a[i] * a[i] - 2 * a[i] / 3 + 1;",
        );
        let down = of(
            ctype,
            "for (int i = n - 1; i >= 0; i--) { \
               b[i] = a[i] * a[i] - 2 * a[i] / 3 + 1; }",
        );
        equal(&declared(up), &declared(down));
    }
}

#[test]
fn sums_in_another_order() {
    for ctype in TYPES {
        let up = of(
            ctype,
            "for (int i = 1; i < n; i++) { b[i] = 0; for (int j = 0; j <= i; j++) b[i] += a[j]; }",
        );
        let down = of(
            ctype,
            "for (int i = 1; i < n; i++) { b[i] = 0; for (int j = i; j >= 0; j--) b[i] += a[j]; }",
        );
        differs(&declared(up.clone()), &declared(down));
        let other = up.replace("+= a[j]", "+= a[i]");
        differs(&declared(up), &declared(other));
    }
}

/// A temporary of another type, or of the same one where there was none.
#[test]
fn conversions_that_are_lost_or_made() {
    let direct = "for (int i = 0; i < n; i++) b[i] = a[i] * a[i] + a[i] / 7;";
    let through = |ctype: &str| {
        format!("for (int i = 0; i < n; i++) {{ {ctype} t = a[i] * a[i]; b[i] = t + a[i] / 7; }}")
    };
    for (ctype, other) in [
        ("long double", "double"),
        ("long double", "float"),
        ("double", "long double"),
        ("_Float128", "long double"),
        ("double _Complex", "float _Complex"),
        ("double _Complex", "double"),
        ("long double _Complex", "double _Complex"),
        ("_Float16", "_Float16"),
    ] {
        differs(&of(ctype, direct), &of(ctype, &through(other)));
    }
    for ctype in [
        "long double",
        "double _Complex",
        "float _Complex",
        "_Float128",
    ] {
        equal(&of(ctype, direct), &of(ctype, &through(ctype)));
    }
    // Within an expression it is a `float`.
    equal(&of("_Float16", direct), &of("_Float16", &through("float")));
}

#[test]
fn constants_without_their_letters() {
    let with = |number: &str| {
        of(
            "long double",
            &format!("for (int i = 0; i < n; i++) b[i] = a[i] * {number};"),
        )
    };
    differs(&with("0.1L"), &with("0.1"));
    differs(&with("(1.0L / 3)"), &with("(1.0 / 3)"));
    equal(&with("0.5L"), &with("0.5"));
}

#[test]
fn parts_and_functions() {
    let body = "for (int i = 0; i < n; i++) b[i] = conj(a[i]) * cexp(a[i]) + cabs(a[i]) * 1.0i;";
    let same = body.replace("conj(a[i])", "__builtin_complex(creal(a[i]), -cimag(a[i]))");
    let (original, result) = (of("double _Complex", body), of("double _Complex", &same));
    equal(&original, &result);
    for (from, to) in [
        ("conj(a[i])", "a[i]"),
        ("cexp", "csin"),
        ("1.0i", "1.0"),
        ("cabs", "carg"),
    ] {
        let other = of("double _Complex", &body.replace(from, to));
        differs(&original, &other);
    }
    let parts =
        "for (int i = 0; i < n; i++) { __real__ b[i] = __imag__ a[i]; __imag__ b[i] += 2; }";
    let whole = "for (int i = 0; i < n; i++) { \
                 b[i] = __builtin_complex((double)cimag(a[i]), __imag__(b[i])); \
                 b[i] = __builtin_complex(__real__(b[i]), (double)(cimag(b[i]) + 2)); }";
    equal(&of("double _Complex", parts), &of("double _Complex", whole));
    let other = parts.replace("__imag__ b[i] +=", "__real__ b[i] +=");
    differs(
        &of("double _Complex", parts),
        &of("double _Complex", &other),
    );
    equal(
        &of(
            "long double",
            "for (int i = 0; i < n; i++) b[i] = sqrtl(fabsl(a[i]));",
        ),
        &of(
            "long double",
            "for (int i = 0; i < n; i++) { long double t = fabsl(a[i]); b[i] = sqrtl(t); }",
        ),
    );
}

#[test]
fn conditions_see_the_numbers() {
    let body = "for (int i = 0; i < n; i++) { double _Complex z = 0; int k = 0; \
                while (k < 30 && cabs(z) < 2.0) { z = z * z + a[i]; k++; } b[i] = k; }";
    let original = of("double _Complex", body);
    equal(&original, &original.replace("k++", "++k"));
    differs(
        &original,
        &original.replace("cabs(z) < 2.0", "creal(z) < 2.0"),
    );
    differs(
        &original,
        &original.replace("z * z + a[i]", "z * a[i] + a[i]"),
    );
    let equals = of(
        "float _Complex",
        "for (int i = 0; i < n; i++) b[i] = a[i] != 0 && !(a[i] == a[0]);",
    );
    equal(&equals, &equals.replace("a[i] != 0", "a[i]"));
}

#[test]
fn members_locals_and_memory_of_these_types() {
    let text = "struct bin { _Float16 h; double _Complex z; long double l; float _Complex c[2]; };\n\
                static double _Complex twice(double _Complex z) { return z + z; }\n\
                void f(int n, struct bin a[restrict n], long double b[restrict n])\n{\n\
                double _Complex t[3]; long double *m = __builtin_malloc(n * sizeof(long double));\n\
                for (int i = 0; i < n; i++) { t[i % 3] = twice(a[i].z); a[i].c[1] = t[i % 3] * a[i].h; \
                m[i] = a[i].l; }\n\
                for (int i = 0; i < n; i++) b[i] = m[i] + sizeof(struct bin) + crealf(a[i].c[1]);\n\
                __builtin_free(m);\n}\n";
    equal(text, text);
    differs(text, &text.replace("z + z", "z * 3.0"));
    differs(text, &text.replace("sizeof(struct bin)", "65"));
    equal(text, &text.replace("sizeof(struct bin)", "64"));
    differs(text, &text.replace("crealf", "cimagf"));
}

/// Numbers of two parts are aligned as one of them: those of neighbouring iterations lie beside each
/// other and are no race, wherever they begin.
#[test]
fn numbers_that_begin_between_multiples_of_their_sizes() {
    let original = "void f(int n, double _Complex a[restrict n])\n\
                    {\nfor (int i = 0; i < n; i++) a[i] = i;\n}\n";
    let result = "void f(int n, double _Complex a[restrict n])\n{\nif (n > 0) {\n\
                  char *m = __builtin_malloc(16 * n + 8);\n\
                  double _Complex *t = (double _Complex *)(m + 8);\n#pragma omp simd\n\
                  for (int i = 0; i < n; i++) t[i] = i;\n\
                  for (int i = 0; i < n; i++) a[i] = t[i];\n__builtin_free(m);\n}\n}\n";
    equal(original, result);
    let shared = result.replace("t[i] = i;", "t[i / 2] = i;");
    let certificate = crate::common::judged(original, &shared);
    assert!(
        format!("{:?}", certificate.verdict).contains("kind: Race"),
        "{:?}",
        certificate.verdict
    );
}
