//! Static bounds of loops whose bounds are data: the domain of the statement inside, and which
//! tests it makes.

use crate::{lowered, preprocess, render};
use tilewright::scop::{Action, Scop};

const LESSER: &str = "static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }
void __pencil_assume(int condition);";

fn scop(ctx: &isl::Ctx, loops: &str) -> Scop {
    let text = format!(
        "{LESSER}
void f(int n, int m, int first[restrict n], int length[restrict n], int *restrict data,
       double a[restrict n][m], double list[restrict m], double *restrict open)
{{
#pragma scop
    for (int i = 0; i < n; i++) {{
        {loops}
    }}
#pragma endscop
}}
"
    );
    let source = preprocess(&text);
    match lowered(ctx, &source) {
        Ok(found) => found.scop,
        Err(errors) => panic!("{loops}\n{}", render(&source, &errors)),
    }
}

/// How many tests stand around the last statement.
fn tests(scop: &Scop) -> usize {
    let mut count = 0;
    let mut body = scop.statements.last().unwrap().body.as_slice();
    while let [Action::If { then, .. }] = body {
        count += 1;
        body = then;
    }
    count
}

/// The domain of the last statement, under the region's assumptions, and its number of tests.
fn check(loops: &str, domain: &str, expected: usize) {
    let ctx = isl::Ctx::new();
    let scop = scop(&ctx, loops);
    let last = scop.statements.last().unwrap();
    let text = format!(
        "[n, m] -> {{ {}[i, j] : 0 <= i < n and {domain} }}",
        last.name
    );
    let wanted = isl::Set::read_from_str(&ctx, &text).unwrap();
    let positive = isl::Set::read_from_str(&ctx, "[n, m] -> { : n > 0 and m > 0 }").unwrap();
    let found = last.domain.intersect_params(&positive).unwrap();
    let wanted = wanted.intersect_params(&positive).unwrap();
    assert!(found.is_equal(&wanted).unwrap(), "{loops}: {found}");
    assert_eq!(tests(&scop), expected, "{loops}");
}

/// From the extent of an array that every iteration subscripts with the variable.
#[test]
fn extents_are_bounds() {
    check(
        "for (int j = 0; j < length[i]; j++) list[j] = 1;",
        "0 <= j < m",
        1,
    );
    check(
        "for (int j = first[i]; j < length[i]; j++) list[j] = 1;",
        "0 <= j < m",
        2,
    );
    check(
        "for (int j = 1; j <= length[i]; j++) list[j - 1] = 1;",
        "1 <= j <= m",
        1,
    );
    // One more subscript, one more bound.
    check(
        "for (int j = 0; j < length[i]; j++) list[j + i] = a[i][j];",
        "0 <= j < m - i",
        1,
    );
}

/// An access that some iterations leave out bounds nothing: the type does.
#[test]
fn conditional_accesses_are_no_bounds() {
    let most = i32::MAX;
    check(
        "for (int j = 0; j < length[i]; j++) if (data[j]) list[j] = 1;",
        &format!("0 <= j < {most}"),
        2,
    );
    check(
        "for (int j = 0; j < length[i]; j++) open[j] = 1;",
        &format!("0 <= j < {most}"),
        1,
    );
}

/// The affine operand of a minimum is a bound without a test, the other one is tested; so for a
/// maximum in front, and for both spellings. Extents are looked at only where nothing else bounds.
#[test]
fn operands_of_minima_count_by_themselves() {
    for bound in [
        "min(n, length[i])",
        "min(length[i], n)",
        "(n < length[i] ? n : length[i])",
    ] {
        let loops = format!("for (int j = 0; j < {bound}; j++) list[j] = 1;");
        check(&loops, "0 <= j < n", 1);
    }
    check(
        "for (int j = max(i, first[i]); j < m; j++) list[j] = 1;",
        "i <= j < m",
        1,
    );
    check(
        "for (int j = first[i]; j < m && j < length[i]; j++) list[j] = 1;",
        "0 <= j < m",
        2,
    );
    // A maximum at the end bounds nothing by its operands.
    check(
        "for (int j = 0; j < max(n, length[i]); j++) list[j] = 1;",
        "0 <= j < m",
        1,
    );
}

/// What is assumed of the data: strict or not, on either side, alone or with others.
#[test]
fn assumptions_are_bounds() {
    for (assumed, last) in [
        ("length[i] <= 8", 7),
        ("length[i] < 8", 6),
        ("8 >= length[i]", 7),
        ("n > 1 && length[i] <= 8", 7),
    ] {
        check(
            &format!(
                "__pencil_assume({assumed}); for (int j = 0; j < length[i]; j++) open[j] = 1;"
            ),
            &format!("0 <= j <= {last}"),
            1,
        );
    }
}

/// Loops that count down have first values above their last.
#[test]
fn loops_down() {
    check(
        "for (int j = length[i]; j >= 0; j--) list[j] = 1;",
        "0 <= j < m",
        1,
    );
    check(
        "for (int j = m - 1; j > first[i]; j--) list[j] = 1;",
        "0 <= j < m",
        1,
    );
}
