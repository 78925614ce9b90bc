//! What the model says of sizes: quotients of them, products that do not wrap around, loops whose
//! variables do not.

use crate::{lowered, plain, render};
use tilewright::scop::{Param, Scop};

const PARAMS: &str = "int n, int m, unsigned u, unsigned w, long l, unsigned long z, unsigned char c, \
    float *restrict A, const int *restrict data";

/// The model of a region in a function with [`PARAMS`], or why it has none.
pub(crate) fn found(ctx: &isl::Ctx, text: &str) -> Result<Scop, String> {
    let text = format!(
        "__attribute__((const)) int outside(int); int outer = 7; void __pencil_assume(int); struct s {{ int rows; int *cells; }};
void f({PARAMS}, struct s g, struct s *restrict p) {{ {text} }}"
    );
    let source = plain(&text);
    let found = lowered(ctx, &source).map_err(|e| render(&source, &e))?;
    crate::examples::check(&found.scop);
    Ok(found.scop)
}

/// The same set as `{ : condition }` over the model's parameters?
pub(crate) fn is(set: &isl::Set, scop: &Scop, condition: &str) -> bool {
    let names: Vec<&str> = scop.params.iter().map(|p| p.name.as_str()).collect();
    let text = format!("[{}] -> {{ : {condition} }}", names.join(", "));
    let wanted = isl::Set::read_from_str(&scop.ctx, &text).expect("a set");
    set.is_equal(&wanted).expect("a comparison")
}

/// Products of parameters in the heads of loops are parameters, each once, in the type in which C
/// computes them and without overflow.
#[test]
fn products_in_heads_are_parameters() {
    let both = "(int)((unsigned int)n * m)";
    let rows: &[(&str, &str, &[&str])] = &[
        ("", "i < n * m", &["n", "m", both]),
        ("", "i < m * n", &["m", "n", "(int)((unsigned int)m * n)"]),
        ("", "i < n * m && i < m * n", &["n", "m", both]),
        ("", "i < 3 * n * m - n", &["n", "m", both]),
        ("", "i < n * (m * 3)", &["n", "m", both]),
        ("", "i < n * n", &["n", "(int)((unsigned int)n * n)"]),
        (
            "",
            "i < n * m * g.rows",
            &[
                "n",
                "m",
                "g.rows",
                "(int)((unsigned int)n * m * g.rows)",
                both,
            ],
        ),
        ("", "i < l * n", &["l", "n", "(long)((unsigned long)l * n)"]),
        ("", "i < c * n", &["c", "n", "(int)((unsigned int)c * n)"]),
        ("", "i < u * n", &["u", "n", "((unsigned int)u * n)"]),
        ("const int all = n * m;", "i < all", &["n", "m", "all"]),
        // Parts that are computed in other types, that are data, or that are sums.
        ("", "i < n * m * l", &["n", "m", "l", both]),
        ("", "i < n * data[n]", &["n"]),
        (
            "",
            "i < n * data[0]",
            &["n", "data[0]", "(int)((unsigned int)n * data[0])"],
        ),
        ("", "i < (n + 1) * m", &["n", "m"]),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for &(before, head, expected) in rows {
        let text = format!(
            "{before}\n#pragma scop\nfor (int i = 0; {head}; i++) A[i] = 1;\n#pragma endscop\n"
        );
        match found(&ctx, &text) {
            Ok(scop) => {
                let params: Vec<&str> = scop.params.iter().map(|p| p.spelling.as_str()).collect();
                if params != expected {
                    wrong.push(format!("{before} {head}: {params:?}"));
                }
            }
            Err(errors) => wrong.push(format!("{before} {head}: {errors}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Quotients of sums of `int` and `long` parameters by constants above one are parameters.
#[test]
fn quotients_are_parameters() {
    let rows: &[(&str, &str, &[&str])] = &[
        ("", "n / 2", &["n", "n / 2"]),
        ("", "n / 2 + n / 2", &["n", "n / 2"]),
        ("", "n / 2 / 2 + n / 4", &["n", "n / 2", "n / 4"]),
        (
            "",
            "(n + 1) / 2 / 3",
            &["n", "(n + 1L) / 2", "(n + 1L) / 6"],
        ),
        ("", "(n / 2 + 1) / 2", &["n", "n / 2", "(n / 2 + 1L) / 2"]),
        ("", "n / 2 * 3 / 5", &["n", "n / 2", "3L * (n / 2) / 5"]),
        (
            "",
            "(m - n / 2 * 3) / 5",
            &["m", "n", "n / 2", "((long)m - 3L * (n / 2)) / 5"],
        ),
        (
            "",
            "(n / 2 - m) / 5",
            &["n", "m", "n / 2", "(-(long)m + n / 2) / 5"],
        ),
        ("", "-(n / 2) / 5", &["n", "n / 2", "-(long)(n / 2) / 5"]),
        ("", "-(n / 2) * 2 / 5", &["n", "n / 2", "-2L * (n / 2) / 5"]),
        ("", "(n + l) / 2", &["n", "l", "((long)n + l) / 2"]),
        ("", "(n - 1) / 2", &["n", "(n - 1L) / 2"]),
        ("", "(n + m) / 2", &["n", "m", "((long)n + m) / 2"]),
        ("", "(n - m) / 2", &["n", "m", "((long)n - m) / 2"]),
        ("", "(m - n) / 2", &["m", "n", "((long)m - n) / 2"]),
        (
            "",
            "(n - (m - 3)) / 2",
            &["n", "m", "((long)n - m + 3L) / 2"],
        ),
        (
            "",
            "(n - 2 * (m + 3)) / 5",
            &["n", "m", "((long)n - 2L * m - 6L) / 5"],
        ),
        ("", "(n * 3) / 2", &["n", "3L * n / 2"]),
        ("", "(3 * n) / 2", &["n", "3L * n / 2"]),
        ("", "(n + n) / 3", &["n", "2L * n / 3"]),
        ("", "-n / 3", &["n", "-(long)n / 3"]),
        ("", "(+n - -1) / 3", &["n", "(n + 1L) / 3"]),
        ("", "(2 - n * 4) / 3", &["n", "(-4L * n + 2L) / 3"]),
        ("", "l / 2", &["l", "l / 2"]),
        (
            "",
            "g.rows / 2 + p->rows / 3",
            &["g.rows", "p->rows", "g.rows / 2", "p->rows / 3"],
        ),
        ("const int h = n + 1;", "h / 2", &["n", "(n + 1L) / 2"]),
        ("const int h = n / 2;", "h / 2", &["n", "n / 2", "n / 4"]),
        // No quotients, or none of parameters.
        ("", "n / 1", &["n"]),
        ("", "n / -2", &["n"]),
        ("", "(n - n) / 2", &["n"]),
        ("", "n / m", &["n", "m"]),
        ("", "n / (m + 3)", &["n", "m"]),
        ("", "7 / (n + 3)", &["n"]),
        ("", "(n + 1) * m / 3", &["n", "m"]),
        ("", "m * (n + 1) / 3", &["m", "n"]),
        ("", "(i ? n : m) / 3", &["n", "m"]),
        ("", "n + 7 / 2", &["n"]),
        ("", "u / 2 + w % 2", &["u", "w"]),
        ("", "c / 2", &["c"]),
        ("", "(n + (short)1) / 2", &["n"]),
        ("", "n % 2", &["n"]),
        ("", "i / 2 + n", &["n"]),
        ("", "(n + i) / 2", &["n"]),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for &(before, expr, expected) in rows {
        let text = format!(
            "{before}\n#pragma scop\nfor (int i = 0; i < 9; i++) A[{expr}] = 1;\n#pragma endscop\n"
        );
        match found(&ctx, &text) {
            Ok(scop) => {
                let params: Vec<&str> = scop.params.iter().map(|p| p.spelling.as_str()).collect();
                if params != expected {
                    wrong.push(format!("{before} {expr}: {params:?}"));
                }
                let number = |p: &Param| p.name.starts_with(|c: char| c.is_ascii_digit());
                assert!(!scop.params.iter().any(number), "a name in {expr}");
                let wide = scop.params.iter().any(|p| p.ctype.spelling == "long");
                assert_eq!(wide, expr.contains('l'), "{expr}");
            }
            Err(errors) => wrong.push(format!("{before} {expr}: {errors}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Sums and definitions are followed to a depth.
    for (before, form, behind) in [
        ("", "(1 + ", ")"),
        ("", "(", " + 1)"),
        ("", "-(", ")"),
        ("", "+(", ")"),
        ("d", "", ""),
    ] {
        for (depth, followed) in [(5, true), (40, false)] {
            let mut text = format!("{}n{}", form.repeat(depth), behind.repeat(depth));
            let mut first = String::new();
            if before == "d" {
                first = "const int d0 = n + 1;".to_owned();
                for k in 1..=depth {
                    first += &format!("const int d{k} = d{} + 1;", k - 1);
                }
                text = format!("d{depth}");
            }
            let text = format!("{first}\n#pragma scop\nA[{text} / 2] = 1;\n#pragma endscop\n");
            let scop = found(&ctx, &text).unwrap_or_else(|e| panic!("{e}"));
            let quotient = scop.params.iter().any(|p| p.spelling.ends_with("/ 2"));
            assert_eq!(quotient, followed, "{text}");
        }
    }
}

/// `0 ≤ a − d·q < d` for dividends that are not negative. Others leave a remainder of either sign;
/// above `-d` the quotient itself is not negative.
#[test]
fn what_is_known_of_quotients() {
    let rows = [
        ("n / 3", "", "-2 <= n - 3 n_3 <= 2"),
        (
            "n / 3",
            "n >= 0",
            "n >= 0 and 0 <= n - 3 n_3 <= 2 and n_3 >= 0",
        ),
        (
            "n / 3",
            "n >= -1",
            "n >= -1 and -1 <= n - 3 n_3 <= 2 and n_3 >= 0",
        ),
        (
            "n / 3",
            "n >= -2",
            "n >= -2 and -2 <= n - 3 n_3 <= 2 and n_3 >= 0",
        ),
        ("n / 3", "n >= -3", "n >= -3 and -2 <= n - 3 n_3 <= 2"),
        (
            "n / 3",
            "n >= 5",
            "n >= 5 and 0 <= n - 3 n_3 <= 2 and n_3 >= 0",
        ),
        ("n / 2", "", "-1 <= n - 2 n_2 <= 1"),
        (
            "(n + 4) / 3",
            "n >= -4",
            "n >= -4 and 0 <= n + 4 - 3 n_4_3 <= 2 and n_4_3 >= 0",
        ),
        (
            "n / 2 + n / 4",
            "",
            "-1 <= n - 2 n_2 <= 1 and -3 <= n - 4 n_4 <= 3 and -1 <= n_2 - 2 n_4 <= 1",
        ),
        (
            "n / 2 + n / 4",
            "n >= 0",
            "n >= 0 and 0 <= n - 2 n_2 <= 1 and 0 <= n - 4 n_4 <= 3 and 0 <= n_2 - 2 n_4 <= 1 \
             and n_2 >= 0 and n_4 >= 0",
        ),
        (
            "n / 2 + n / 4",
            "n >= -2",
            "n >= -2 and -1 <= n - 2 n_2 <= 1 and -2 <= n - 4 n_4 <= 3 and -1 <= n_2 - 2 n_4 <= 1 \
             and n_4 >= 0",
        ),
        (
            "n / 2 + n / 4",
            "n >= -1",
            "n >= -1 and -1 <= n - 2 n_2 <= 1 and -1 <= n - 4 n_4 <= 3 and 0 <= n_2 - 2 n_4 <= 1 \
             and n_2 >= 0 and n_4 >= 0",
        ),
        (
            "n / 2 + n / 6",
            "",
            "-1 <= n - 2 n_2 <= 1 and -5 <= n - 6 n_6 <= 5 and -2 <= n_2 - 3 n_6 <= 2",
        ),
        (
            "n / 2 + n / 3",
            "",
            "-1 <= n - 2 n_2 <= 1 and -2 <= n - 3 n_3 <= 2",
        ),
        (
            "n / 2 + m / 4",
            "",
            "-1 <= n - 2 n_2 <= 1 and -3 <= m - 4 m_4 <= 3",
        ),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (expr, assumed, expected) in rows {
        // The array's extent is known to be no less than zero, which is what is assumed.
        let (extent, expected) = match assumed {
            "" => (String::new(), expected.to_owned()),
            _ => {
                let (_, least) = assumed.split_once(">= ").expect("a bound");
                let least: i64 = least.parse().expect("a number");
                (
                    format!("float B[n - ({least})]; B[0] = 0;"),
                    expected.to_owned(),
                )
            }
        };
        let uses = if extent.is_empty() { "A" } else { "B[0] = A" };
        let text = format!(
            "{extent}\n#pragma scop\nfor (int i = 0; i < 9; i++) {uses}[{expr}] = 1;\n#pragma endscop\n"
        );
        match found(&ctx, &text) {
            Ok(scop) if is(&scop.context, &scop, &expected) => {}
            Ok(scop) => wrong.push(format!("{expr}, {assumed}: {}", scop.context)),
            Err(errors) => wrong.push(format!("{expr}: {errors}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Products of sizes in unsigned types, for sizes up to the limits up to which none of them wraps
/// around; `None` where no limit leaves a size of 1024.
#[test]
fn products_that_do_not_wrap_around() {
    let two_in_64 = 1_i64 << 31;
    let rows = [
        // Signed products do not overflow.
        ("n", "m", "int", "i * m + j", Some(None)),
        ("n", "m", "int", "(long)i * m + j", Some(None)),
        ("n", "m", "long", "i * m + j", Some(None)),
        ("u", "w", "unsigned", "i * w + j", Some(Some(1 << 16))),
        // 65535 · 65536 + 65535 is the greatest number of 32 bits: one more has a lower limit.
        ("u", "w", "unsigned", "(i * w + j) * 1", Some(Some(1 << 16))),
        ("u", "w", "unsigned", "i * w + j + 1", Some(Some(1 << 10))),
        ("n", "m", "unsigned", "i * m + j", Some(Some(1 << 16))),
        // No `int` is above the limit.
        ("n", "m", "int", "(unsigned long)i * m + j", Some(None)),
        (
            "z",
            "z",
            "unsigned long",
            "i * z + j",
            Some(Some(two_in_64)),
        ),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (rows, columns, counter, expr, expected) in rows {
        let text = format!(
            "\n#pragma scop\nfor ({counter} i = 0; i < {rows}; i++) for ({counter} j = 0; j < {columns}; j++)
A[{expr}] = 1;\n#pragma endscop\n"
        );
        let scop = match found(&ctx, &text) {
            Ok(scop) => scop,
            Err(errors) => {
                wrong.push(format!("{expr}: {errors}"));
                continue;
            }
        };
        let apart = scop.arrays[0].extents.len() == 2;
        let limit = scop.conditions.checks.parameters.iter().map(|check| {
            let id = scop
                .params
                .iter()
                .position(|p| p.spelling == columns)
                .expect("a parameter");
            check.good.dim_max_val_of(id)
        });
        let limit = limit.flatten().min();
        let found = match (apart, limit) {
            (false, _) => None,
            (true, limit) => Some(limit),
        };
        if found != expected {
            let text: Vec<String> = scop
                .conditions
                .checks
                .parameters
                .iter()
                .map(|c| c.good.to_string())
                .collect();
            wrong.push(format!("{counter} {expr}: {found:?} {text:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Products of three sizes: in 64 bits up to the 21st power of two, in 32 bits up to the tenth.
#[test]
fn products_of_three_sizes() {
    let ctx = isl::Ctx::new();
    for (counter, size, limit) in [
        ("unsigned long", "z", Some(1 << 21)),
        ("unsigned", "u", Some(1 << 10)),
        ("int", "n", None),
    ] {
        let text = format!(
            "\n#pragma scop\nfor ({counter} i = 0; i < {size}; i++) for ({counter} j = 0; j < {size}; j++)
for ({counter} k = 0; k < {size}; k++) A[(i * {size} + j) * {size} + k] = 1;\n#pragma endscop\n"
        );
        let scop = found(&ctx, &text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(scop.arrays[0].extents.len(), 3, "{counter}");
        assert_eq!(scop.context.dim_max_val_of(0), limit, "{counter}");
    }
}

/// Sizes that stand in the definition of a variable count, too.
#[test]
fn products_in_definitions() {
    let ctx = isl::Ctx::new();
    let text = "\n#pragma scop\nfor (unsigned i = 0; i < u; i++) { const unsigned row = i * w;
for (unsigned j = 0; j < 3; j++) A[row + j] = 1; }\n#pragma endscop\n";
    let scop = found(&ctx, text).unwrap_or_else(|e| panic!("{e}"));
    // That rows do not overlap is compared, too.
    let limits = "0 <= u <= 65536 and 3 <= w <= 65536";
    assert!(is(&scop.context, &scop, limits), "{}", scop.context);
}

trait ParameterMost {
    fn dim_max_val_of(&self, param: usize) -> Option<i64>;
}

impl ParameterMost for isl::Set {
    /// The greatest value of a parameter, where there is one.
    fn dim_max_val_of(&self, param: usize) -> Option<i64> {
        let params = self.params().expect("a set");
        let all = params.dim(isl::DimType::Param).expect("a number");
        let own = params.move_dims(isl::DimType::Set, 0, isl::DimType::Param, param, 1);
        let own = own.expect("a set");
        let own = own
            .project_out(isl::DimType::Param, 0, all - 1)
            .expect("a set");
        own.dim_max_val(0).expect("a value").to_i64()
    }
}

/// Loops that end where their variable meets a bound: it must not begin behind it where it would
/// wrap around. Others of narrow and unsigned types stay in their type, if need be for some sizes.
#[test]
fn loops_that_do_not_wrap_around() {
    let rows = [
        ("int k = 0; k != n; k++", "true", "0 <= k < n"),
        ("int k = n; k != 0; k--", "true", "0 < k <= n"),
        ("int k = m; k != n; k++", "true", "m <= k < n"),
        ("unsigned k = 0; k != u; k++", "u >= 0", "0 <= k < u"),
        ("unsigned k = u; k != 0; k--", "u >= 0", "0 < k <= u"),
        ("unsigned k = 3; k != u; k++", "u >= 3", "3 <= k < u"),
        (
            "unsigned k = w; k != u; k++",
            "u >= w and w >= 0",
            "w <= k < u",
        ),
        (
            "unsigned k = u; k != w; k--",
            "u >= w and w >= 0",
            "w < k <= u",
        ),
        (
            "unsigned char k = 3; k != c; k++",
            "3 <= c <= 255",
            "3 <= k < c",
        ),
        (
            "unsigned char k = c; k != 3; k--",
            "3 <= c <= 255",
            "3 < k <= c",
        ),
        ("unsigned k = 0; k < u; k++", "u >= 0", "0 <= k < u"),
        (
            "unsigned k = 0; k <= u; k++",
            "0 <= u <= 4294967294",
            "0 <= k <= u",
        ),
        ("unsigned k = u; k > 0; k--", "u >= 0", "0 < k <= u"),
        ("unsigned k = u; k >= 1; k--", "u >= 0", "1 <= k <= u"),
        (
            "unsigned k = 0; k < u; k += 2",
            "0 <= u <= 4294967294",
            "0 <= k < u and k mod 2 = 0",
        ),
        (
            "unsigned char k = 0; k < c; k++",
            "0 <= c <= 255",
            "0 <= k < c",
        ),
        (
            "unsigned char k = 0; k <= c; k++",
            "0 <= c <= 254",
            "0 <= k <= c",
        ),
        ("unsigned char k = 0; k < 255; k++", "true", "0 <= k < 255"),
        ("unsigned char k = 0; k < 256; k++", "", ""),
        ("unsigned char k = 0; k < n; k++", "n <= 255", "0 <= k < n"),
        ("signed char k = 9; k > -128; k--", "true", "-128 < k <= 9"),
        ("signed char k = 9; k >= -128; k--", "", ""),
        ("short k = 0; k < 32767; k += 1", "true", "0 <= k < 32767"),
        ("short k = 0; k < 32767; k += 2", "", ""),
        ("unsigned k = 9; k >= 0; k--", "", ""),
        // Sums with the variable do not wrap around below half of the range: where it ends there.
        (
            "unsigned k = 0; k + 3 < u; k++",
            "0 <= u <= 2147483650",
            "0 <= k < u - 3",
        ),
        (
            "unsigned k = 0; k + 3u < u; k += 2",
            "0 <= u <= 2147483649",
            "0 <= k < u - 3 and k mod 2 = 0",
        ),
        // Nothing counts from an `int` by small steps to where numbers of 64 bits end. Sizes are
        // compared with 2 to the power of 48 elsewhere.
        ("unsigned long k = 0; k < z; k++", "z >= 0", "0 <= k < z"),
        ("unsigned long k = 0; k <= z; k++", "z >= 0", "0 <= k <= z"),
        (
            "unsigned long k = 0; k < z; k += 256",
            "z >= 0",
            "0 <= k < z and k mod 256 = 0",
        ),
        (
            "unsigned long k = 0; k < z; k += 300",
            "0 <= z <= 17592186044416",
            "0 <= k < z and k mod 300 = 0",
        ),
        (
            "unsigned long k = u; k < z; k += 2",
            "u >= 0 and 0 <= z <= 17592186044416",
            "u <= k < z and (k - u) mod 2 = 0",
        ),
        (
            "unsigned long k = 2147483647; k < z; k += 2",
            "z >= 0",
            "2147483647 <= k < z and k mod 2 = 1",
        ),
        (
            "unsigned long k = 2147483648; k < z; k += 2",
            "0 <= z <= 17592186044416",
            "2147483648 <= k < z and k mod 2 = 0",
        ),
        ("unsigned long k = z; k > 0; k--", "z >= 0", "0 < k <= z"),
        (
            "unsigned long k = z; k < 9; k += 2",
            "z >= 0",
            "z <= k < 9 and (k - z) mod 2 = 0",
        ),
        ("long k = 0; k < l; k++", "true", "0 <= k < l"),
        (
            "long k = l; k <= 7; k += 5",
            "true",
            "l <= k <= 7 and (k - l) mod 5 = 0",
        ),
        (
            "int k = 0; k < n; k += 3",
            "true",
            "0 <= k < n and k mod 3 = 0",
        ),
        (
            "int k = n; k >= 0; k -= 3",
            "true",
            "0 <= k <= n and (n - k) mod 3 = 0",
        ),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (head, context, domain) in rows {
        let text = format!("\n#pragma scop\nfor ({head}) A[0] = k;\n#pragma endscop\n");
        let scop = match (found(&ctx, &text), context) {
            (Ok(scop), context) if !context.is_empty() => scop,
            (Err(errors), "") if errors.contains("range of its type") => continue,
            (Err(errors), _) => {
                wrong.push(format!("{head}: {errors}"));
                continue;
            }
            (Ok(_), _) => {
                wrong.push(format!("{head}: accepted"));
                continue;
            }
        };
        if !is(&scop.context, &scop, context) {
            wrong.push(format!("{head}: {}", scop.context));
        }
        let names: Vec<&str> = scop.params.iter().map(|p| p.name.as_str()).collect();
        let text = format!("[{}] -> {{ S0[k] : {domain} }}", names.join(", "));
        let wanted = isl::Set::read_from_str(&ctx, &text).expect("a set");
        let wanted = wanted.intersect_params(&scop.context).expect("a set");
        let found = scop.statements[0]
            .domain
            .intersect_params(&scop.context)
            .expect("a set");
        if !found.is_equal(&wanted).expect("a comparison") {
            wrong.push(format!("{head}: {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
