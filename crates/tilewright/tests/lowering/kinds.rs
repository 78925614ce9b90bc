//! Complex numbers, `long double`, `__float128` and `_Float16`: what the model has of them.

use crate::statements::lines;

/// A loop over `i` around some statements.
fn region(inside: &str) -> String {
    format!(
        "typedef struct __float128 __float128; typedef double _Complex cpx;
struct bin {{ cpx z; long double l; _Float16 h[2]; }};
double cabs(cpx); static cpx twice(cpx z) {{ return z + z; }}
void f(int n, cpx z[restrict n], float _Complex w[restrict n], long double x[restrict n],
       _Float16 h[restrict n], __float128 q[restrict n], double d[restrict n], int k[restrict n],
       struct bin *restrict b, cpx c, long double l, _Float16 g, long double _Complex *restrict y) {{
#pragma scop
for (int i = 0; i < n; i++) {{ {inside} }}
#pragma endscop
}}"
    )
}

/// Lines of the model, one behind the other; a line that begins with `refused: ` is part of a message.
fn check(rows: &[(&str, &[&str])]) {
    let mut wrong = Vec::new();
    for &(inside, expected) in rows {
        let found = lines(&region(inside));
        let right = match (&found, expected) {
            (Err(errors), [message]) => {
                let message = message.strip_prefix("refused: ");
                message.is_some_and(|message| errors.contains(message))
            }
            (Ok(lines), expected) => lines.windows(expected.len()).any(|part| part == expected),
            _ => false,
        };
        if !right {
            let found = found.map_or_else(|e| e, |lines| lines.join("\n"));
            wrong.push(format!("{inside}\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn statements_with_them() {
    check(&[
        ("z[i] = z[i] * c + 1.0i;", &["z[i] = (z[i] * c) + 1.0i"]),
        (
            "z[i] += d[i] * (__extension__ 1.0iF);",
            &["z[i] = z[i] + (d[i] * 1.0iF)"],
        ),
        (
            "w[i] = __builtin_complex(1.0f, -2.0f) - w[i];",
            &["w[i] = __builtin_complex(1.0f, -2.0f) - w[i]"],
        ),
        ("d[i] = cabs(z[i]);", &["d[i] = cabs(z[i])"]),
        ("z[i] = twice(z[i]);", &["z[i] = twice(z[i])"]),
        (
            "cpx t = z[i] / 2; z[i] = t * t;",
            &["cpx t = z[i] / 2", "z[i] = t * t"],
        ),
        (
            "x[i] = x[i] / 3 + 1.0L / 3;",
            &["x[i] = (x[i] / 3) + (1.0L / 3)"],
        ),
        (
            "long double s = d[i]; s += l; d[i] = s;",
            &["long double s = d[i]", "s = s + l", "d[i] = s"],
        ),
        (
            "h[i] = (_Float16)(d[i] * g) + h[i];",
            &["h[i] = (_Float16)(d[i] * g) + h[i]"],
        ),
        (
            "q[i] = (__float128)d[i] * q[i];",
            &["q[i] = (__float128)d[i] * q[i]"],
        ),
        (
            "k[i] = z[i] == c && x[i] < l;",
            &["k[i] = (z[i] == c) && (x[i] < l)"],
        ),
        (
            "k[i] = sizeof(long double) + sizeof z[i] + sizeof *y;",
            &["k[i] = (16ul + 16ul) + 32ul"],
        ),
    ]);
}

/// What an assignment to a part reads and writes is the whole number.
#[test]
fn parts() {
    check(&[
        (
            "d[i] = __real__ z[i] - __imag__ z[i];",
            &["d[i] = __real__(z[i]) - __imag__(z[i])"],
        ),
        (
            "__real__ z[i] = d[i];",
            &["z[i] = __builtin_complex((double)d[i], __imag__(z[i]))"],
        ),
        (
            "__imag__ w[i] *= k[i];",
            &["w[i] = __builtin_complex(__real__(w[i]), (float)(__imag__(w[i]) * k[i]))"],
        ),
        (
            "__real__ d[i] = 1;",
            &["refused: an assignment to a part of this"],
        ),
        (
            "(__real__ z[i])++;",
            &["refused: `++` or `--` of a part of a complex number"],
        ),
        (
            "d[!__imag__ z[i]] = ~__real__ k[i];",
            &["d[!__imag__(z[i])] = ~__real__(k[i])"],
        ),
    ]);
    // The words in a text or in a name are nobody's operators.
    check(&[(
        "const char *s = \"__real__ z\"; int __real__x = k[i]; k[i] = __real__x + 1;",
        &["refused: a string inside the region"],
    )]);
    check(&[(
        "int __real__x = k[i]; k[i] = __real__x + 1;",
        &["int __real__x = k[i]", "k[i] = __real__x + 1"],
    )]);
}

#[test]
fn members_and_conditions() {
    check(&[
        (
            "b[i].z = b[i].l * b[i].h[1];",
            &["b_z[i] = b_l[i] * b_h[i][1]"],
        ),
        (
            "if (cabs(z[i]) > 2) z[i] = 0;",
            &["if cabs(z[i]) > 2", "z[i] = 0"],
        ),
        (
            "x[i] = x[i] < 0 ? -x[i] : x[i];",
            &["x[i] = (x[i] < 0) ? -x[i] : x[i]"],
        ),
    ]);
}

/// Their sums are nobody's to add up in another order.
#[test]
fn they_are_no_integers() {
    check(&[
        (
            "d[x[i]] = 1;",
            &["refused: `x[i]` is a floating-point number, and a subscript has to be"],
        ),
        (
            "k[i] = z[i] % 2;",
            &["refused: `z[i]` is a floating-point number, and `%` takes"],
        ),
        (
            "k[i] = 1 << h[i];",
            &["refused: `h[i]` is a floating-point number, and `<<` takes"],
        ),
        (
            "z[i] = ~z[i];",
            &["refused: `z[i]` is a floating-point number, and `~` takes"],
        ),
        ("z[i] = 2i;", &["refused: imaginary constant"]),
        (
            "int _Complex t = 1; k[i] = t;",
            &["refused: values of type `_Complex`"],
        ),
        (
            "_Complex _Float16 t = 1; k[i] = t;",
            &["refused: values of type `_Complex`"],
        ),
    ]);
}
