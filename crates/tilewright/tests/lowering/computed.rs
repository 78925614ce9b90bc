//! Subscripts that are computed of sums in a type of their own, where names may mean the same memory:
//! quotients whose divisor is a size, positions with bits of fraction, sums that are converted.

use crate::memory::found;
use tilewright::scop::{Computation, Divisor, Rows, ScalarKind};

const HEAD: &str = "void f(int n, int m, int p, unsigned u, unsigned v, unsigned long l, float *y, \
    const float *x, const int *d, const unsigned *h)";

/// What is added to the rows of `x` that are compared.
fn rows(body: &str) -> Result<Rows, String> {
    let ctx = isl::Ctx::new();
    let text = format!(
        "{HEAD} {{\n#pragma scop\nfor (int i = 0; i < n; i++) {{ {body} }}\n#pragma endscop\n}}"
    );
    let scop = found(&ctx, &text)?;
    let pairs = scop.conditions.checks.apart.iter().flatten();
    let mut own = pairs.filter(|memory| memory.place == "x");
    let rows = own.next().and_then(|memory| memory.rows.clone());
    rows.ok_or_else(|| "nothing is compared".to_owned())
}

/// A computation as text: the type, the strides of its sum, by what that is divided, what it is
/// multiplied with.
fn text(one: &Computation) -> String {
    let strides: Vec<&str> = one.sum.strides().collect();
    let inner: Vec<String> = one.sum.computed.iter().map(text).collect();
    let by = match &one.by {
        Divisor::One => String::new(),
        Divisor::Shift(by) => format!(" >> {by}"),
        Divisor::Size(size) => format!(" / {size}"),
    };
    let sign = if one.negative { "-" } else { "" };
    let stride = one.stride.as_deref().unwrap_or("1");
    let sum = [strides.join(" "), inner.join(" ")].join(";");
    format!("{sign}{stride} {}({sum}){by}", one.kind.c_name())
}

#[test]
fn what_is_computed() {
    let table: &[(&str, &[&str])] = &[
        // A size divides; a product is divided by a number, or by a power of two.
        ("y[i] = x[i / m];", &["1 int(;) / m"]),
        ("y[i] = x[i * m / n];", &["1 int(m;) / n"]),
        ("y[i] = x[i * m / 3];", &["1 int(m;) / 3"]),
        ("y[i] = x[i * m >> 16];", &["1 int(m;) >> 16"]),
        ("y[i] = x[(i * m + p) / n];", &["1 int(m;) / n"]),
        (
            "y[i] = x[(i * m + i * p) / (n * p)];",
            &["1 int(m p;) / n * p"],
        ),
        // In the type that C computes in.
        ("y[i] = x[i * u >> 16];", &["1 unsigned int(u;) >> 16"]),
        ("y[i] = x[(long)i * m >> 32];", &["1 long(m;) >> 32"]),
        ("y[i] = x[i * l / u];", &["1 unsigned long(l;) / u"]),
        (
            "unsigned k = i * u; y[i] = x[k >> 9];",
            &["1 unsigned int(u;) >> 9"],
        ),
        // Times a size, subtracted, of each other.
        ("y[i] = x[i * m / n * p + i];", &["p int(m;) / n"]),
        ("y[i] = x[m - i * m / n];", &["-1 int(m;) / n"]),
        (
            "y[i] = x[i * m / n * p / 4];",
            &["1 int(p;p int(m;) / n) / 4"],
        ),
        (
            "y[i] = x[(i * u >> 16) * (long)m + (i * v >> 8)];",
            &["m unsigned int(u;) >> 16", "1 unsigned int(v;) >> 8"],
        ),
        // An unsigned sum that is converted is one that does not wrap around.
        (
            "y[i] = x[(long)((i * u >> 16) * m) + 1];",
            &["1 unsigned int(m;m unsigned int(u;) >> 16)"],
        ),
    ];
    let mut wrong = Vec::new();
    for (body, expected) in table {
        match rows(body) {
            Ok(rows) => {
                let own: Vec<String> = rows.computed.iter().map(text).collect();
                if own != *expected {
                    wrong.push(format!("{body}: {own:?}"));
                }
            }
            Err(error) => wrong.push(format!("{body}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is compared says of which numbers quotients are: their ends are those of the loop.
#[test]
fn ends_are_those_of_loops() {
    let rows = rows("y[i] = x[(i * m + 3) >> 16];").expect("a model");
    let [one] = &rows.computed[..] else {
        panic!("{:?}", rows.computed);
    };
    assert_eq!(one.kind, ScalarKind::I32);
    let ends = [&one.sum.first, &one.sum.end].map(|end| {
        let ctx = end.ctx();
        let n = isl::Set::read_from_str(ctx, "[n] -> { : n = 10 }").expect("a set");
        let end = end.intersect_params(&n).expect("a function");
        let ends = (end.min_val(), end.max_val());
        [ends.0, ends.1].map(|end| end.expect("a number").to_i64())
    });
    assert_eq!(ends, [[Some(0); 2], [Some(9); 2]]);
    let [inside] = &one.sum.inside[..] else {
        panic!("{:?}", one.sum.inside);
    };
    let number = |end: &isl::PwAff| end.max_val().expect("a number").to_i64();
    assert_eq!([&inside.first, &inside.end].map(number), [Some(3); 2]);
}

/// Ranges that are known otherwise stay what they were; what says nothing is refused.
#[test]
fn what_is_not_computed() {
    let plain = [
        "y[i] = x[h[i] >> 28];",
        "y[i] = x[(i + 4) / 3];",
        "int k = i * m >> 3; if (k < 0) k = 0; if (k > n) k = n; y[i] = x[k];",
    ];
    for body in plain {
        let rows = rows(body).unwrap_or_else(|error| panic!("{body}: {error}"));
        assert!(rows.computed.is_empty(), "{body}: {:?}", rows.computed);
    }
    let refused = [
        // Data, in what is divided and in what divides; a divisor that changes.
        "if (d[i]) y[i] = x[d[i] / m];",
        "y[i] = x[m / d[i]];",
        "y[i] = x[m / (i + 1)];",
        // A remainder of a product and bits of it lie anywhere below.
        "y[i] = x[(i * m) ^ p];",
    ];
    for body in refused {
        let error = rows(body).map(|rows| rows.computed);
        let error = error.expect_err(body);
        assert!(error.contains("TW0206"), "{body}: {error}");
    }
}
