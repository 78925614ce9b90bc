//! Subscripts that are sums of products: which element of which row each means, as functions and as
//! expressions, beside what C computes.

use crate::memory::found;
use crate::sizes::is;
use isl::DimType;
use tilewright::scop::{Access, AccessKind, BinaryOp, Expr, Scop, UnaryOp};

/// Rows and columns of the loops.
const SIZES: [(i64, i64); 3] = [(1, 1), (3, 5), (4, 2)];

/// What C computes of a subscript, of `n`, `m`, `i`, `j`.
type Index = fn(i64, i64, i64, i64) -> i64;

/// A subscript, how much one more of the outer subscript means (the inner one's extent), and its
/// value.
const ROWS: &[(&str, Index, Index)] = &[
    ("i * m + j", |_, m, _, _| m, |_, m, i, j| i * m + j),
    ("j + m * i", |_, m, _, _| m, |_, m, i, j| i * m + j),
    ("j - -(i * m)", |_, m, _, _| m, |_, m, i, j| i * m + j),
    ("-(-i * m) + j", |_, m, _, _| m, |_, m, i, j| i * m + j),
    (
        "(n - 1 - i) * m + j",
        |_, m, _, _| m,
        |n, m, i, j| (n - 1 - i) * m + j,
    ),
    (
        "n * m - (i + 1) * m + j",
        |_, m, _, _| m,
        |n, m, i, j| n * m - (i + 1) * m + j,
    ),
    (
        "n * m - m * (i + 1) + j",
        |_, m, _, _| m,
        |n, m, i, j| n * m - (i + 1) * m + j,
    ),
    (
        "i * m + m - 1 - j",
        |_, m, _, _| m,
        |_, m, i, j| i * m + m - 1 - j,
    ),
    ("i * m + j / 2", |_, m, _, _| m, |_, m, i, j| i * m + j / 2),
    (
        "i * (2 * m) + j",
        |_, m, _, _| 2 * m,
        |_, m, i, j| 2 * i * m + j,
    ),
    ("2 * i * m + j", |_, m, _, _| m, |_, m, i, j| 2 * i * m + j),
    (
        "(i * m + j) * 2",
        |_, m, _, _| 2 * m,
        |_, m, i, j| 2 * (i * m + j),
    ),
    (
        "2 * (j + i * m) + 1",
        |_, m, _, _| 2 * m,
        |_, m, i, j| 2 * (i * m + j) + 1,
    ),
    (
        "n * m * 3 - (i * m) * 3 + j",
        |_, m, _, _| 3 * m,
        |n, m, i, j| 3 * (n - i) * m + j,
    ),
    (
        "i * (m + 1) + j + 1",
        |_, m, _, _| m + 1,
        |_, m, i, j| i * (m + 1) + j + 1,
    ),
    (
        "(i - n) * -m + j",
        |_, m, _, _| m,
        |n, m, i, j| (n - i) * m + j,
    ),
    (
        "i * m + 3 * (j - j) + j",
        |_, m, _, _| m,
        |_, m, i, j| i * m + j,
    ),
    (
        "i * m * 0 + j * m + i % 1",
        |_, m, _, _| m,
        |_, m, _, j| j * m,
    ),
    ("i * m + m", |_, m, _, _| m, |_, m, i, _| i * m + m),
    (
        "i * m + m + m * 2",
        |_, m, _, _| m,
        |_, m, i, _| i * m + 3 * m,
    ),
    ("m * 2 + i * m", |_, m, _, _| m, |_, m, i, _| i * m + 2 * m),
    (
        "i * m - m * -3 + 0 * n",
        |_, m, _, _| m,
        |_, m, i, _| i * m + 3 * m,
    ),
    (
        "(long)(i * m) + (long)j",
        |_, m, _, _| m,
        |_, m, i, j| i * m + j,
    ),
];

/// The value of an expression of loop variables, parameters and numbers.
fn value(expr: &Expr, iterators: &[i64], params: &[i64]) -> i64 {
    let of = |e: &Expr| value(e, iterators, params);
    match expr {
        Expr::Literal(text) => text.parse().expect("a number"),
        Expr::Iterator(number) => iterators[*number],
        Expr::Param(id) => params[*id],
        Expr::Unary(UnaryOp::Minus, a) => -of(a),
        Expr::Binary(BinaryOp::Add, a, b) => of(a) + of(b),
        Expr::Binary(BinaryOp::Sub, a, b) => of(a) - of(b),
        Expr::Binary(BinaryOp::Mul, a, b) => of(a) * of(b),
        Expr::Binary(BinaryOp::Div, a, b) => of(a) / of(b),
        Expr::Binary(BinaryOp::Rem, a, b) => of(a) % of(b),
        Expr::Cast(ctype, a) if !ctype.kind.is_float() => of(a),
        other => panic!("{other:?}"),
    }
}

/// All iterations, with the outer and inner subscript in each.
fn touched(scop: &Scop, params: &[i64]) -> Vec<Vec<i64>> {
    let relation = &scop.statements[0].accesses[0].relation;
    let mut all = relation.intersect_params(&scop.context).expect("a map");
    for (id, &value) in params.iter().enumerate() {
        let value = isl::Val::int_from_si(&scop.ctx, value).expect("a number");
        let space = isl::Set::universe(&all.params().expect("a set").get_space().expect("a space"));
        let one = space.expect("a set").fix_val(DimType::Param, id, &value);
        all = all.intersect_params(&one.expect("a set")).expect("a map");
    }
    let points = all.wrap().expect("a set").points().expect("points");
    let points = points.iter().map(|p| p.coordinates().expect("numbers"));
    points.collect()
}

#[test]
fn linear_subscripts_mean_the_same_elements() {
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for &(subscript, inner, index) in ROWS {
        let text = format!(
            "void f(int n, int m, int *restrict a) {{\n#pragma scop
for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[{subscript}] = 1;\n#pragma endscop\n}}"
        );
        let scop = found(&ctx, &text).unwrap_or_else(|e| panic!("{subscript}: {e}"));
        let access = &scop.statements[0].accesses[0];
        if access.subscripts.len() != 2 {
            wrong.push(format!("{subscript}: one dimension"));
            continue;
        }
        for (n, m) in SIZES {
            let sizes = |spelling: &str| if spelling == "n" { n } else { m };
            let params: Vec<i64> = scop.params.iter().map(|p| sizes(&p.spelling)).collect();
            let points = touched(&scop, &params);
            if points.len() as i64 != n * m {
                wrong.push(format!("{subscript}: {} iterations", points.len()));
            }
            for point in points {
                let [i, j, row, column] = point[..] else {
                    panic!("{subscript}: {point:?}");
                };
                let extent = inner(n, m, i, j);
                let said = access.subscripts.iter();
                let said: Vec<i64> = said.map(|e| value(e, &[i, j], &params)).collect();
                let right = row * extent + column == index(n, m, i, j)
                    && (0..extent).contains(&column)
                    && said == [row, column];
                if !right {
                    wrong.push(format!("{subscript}, {n} {m}: {point:?} and {said:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where sizes decide whether inner subscripts stay in their rows, they are compared when the program
/// runs; but not for arrays that are only read, which have dimensions without rows.
#[test]
fn rows_that_are_compared() {
    let ctx = isl::Ctx::new();
    for (subscript, sizes) in [
        ("i * m + 7", "m >= 8"),
        ("i * m + n", "m > n"),
        ("i * s + j", "s >= m and s >= 1"),
        ("i * m + j * 2", ""),
    ] {
        // An access without what is added: all by themselves they only move.
        let row = if sizes.contains('s') { "s" } else { "m" };
        for (text, written) in [
            (format!("a[{subscript}] = a[i * {row}];"), true),
            (format!("data[j] = a[{subscript}] + a[i * {row}];"), false),
        ] {
            let text = format!(
                "void f(int n, int m, int s, int *restrict a, int *restrict data) {{\n#pragma scop
for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {text}\n#pragma endscop\n}}"
            );
            let scop = found(&ctx, &text).unwrap_or_else(|e| panic!("{subscript}: {e}"));
            let array = scop.arrays.iter().find(|a| a.base == "a").expect("`a`");
            let compared = written && !sizes.is_empty();
            let rows = array.layout.has_rows();
            assert_eq!(
                array.extents.len() == 2,
                compared || !written,
                "{subscript}"
            );
            assert_eq!(rows, written, "{subscript}");
            assert_eq!(
                !scop.conditions.checks.parameters.is_empty(),
                compared,
                "{subscript}"
            );
            if compared {
                assert!(
                    is(&scop.context, &scop, sizes),
                    "{subscript}: {}",
                    scop.context
                );
            }
        }
    }
}

/// Subscripts of which an inner one may leave its row, or that are no such sums, stay as they are, and
/// may touch all of the array; other writes to it have rows.
#[test]
fn subscripts_that_are_not_taken_apart() {
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for subscript in [
        "i * m + j + 1",
        "i * m + j - 1",
        "i * m - j",
        "i * m + 2 * j",
        "i * m + j * n",
        "i * j + i",
        "(short)(i * m) + j",
        "(int)((double)i * m) + j",
        "data[i] * m + j",
        "i * m + data[j]",
        "i * m / 2 + j",
        "i % m * m + j",
    ] {
        for other in ["", "a[i * m + j] = 2;", "a[i * m] = data[i];"] {
            let text = format!(
                "void f(int n, int m, int *restrict a, const int *restrict data) {{\n#pragma scop
for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {{ {other} a[{subscript}] = 1; }}\n#pragma endscop\n}}"
            );
            let scop = found(&ctx, &text).unwrap_or_else(|e| panic!("{subscript}: {e}"));
            let array = scop.arrays.iter().find(|a| a.base == "a").expect("`a`");
            // By itself, what is added to all accesses only moves them.
            let moves = other.is_empty() && matches!(subscript, "i * m + j + 1" | "i * m + j - 1");
            let rows = moves || !other.is_empty();
            let exact = |access: &&Access| {
                access.exact && access.kind == AccessKind::Write && access.affine.len() == 2
            };
            let statements = scop.statements.iter();
            let accesses = statements.flat_map(|statement| &statement.accesses);
            let exact = accesses.filter(exact).count();
            if (array.extents.len() == 2) != rows || exact != usize::from(rows) {
                wrong.push(format!("{other} {subscript}: {exact}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
