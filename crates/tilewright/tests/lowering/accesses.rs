//! Accesses to one place that share a number, and where in the iterations they are made; subscripts
//! that are products of definitions.

use crate::{lowered, plain, render};
use tilewright::scop::{AccessKind, Layout, Scop};

fn found(ctx: &isl::Ctx, inside: &str) -> Scop {
    let source = plain(&format!(
        "void f(int n, int m, unsigned u, unsigned w, const int *restrict A, const int *restrict data,
       int *restrict B) {{
#pragma scop
{inside}
#pragma endscop
}}"
    ));
    match lowered(ctx, &source) {
        Ok(found) => {
            crate::examples::check(&found.scop);
            found.scop
        }
        Err(errors) => panic!("{inside}\n{}", render(&source, &errors)),
    }
}

/// Equal subscripts are one access where they have one form, or where the form that was found first
/// holds for all iterations of the other. `A` is accessed so many times, by so many accesses that
/// every iteration makes, and in the iterations that the condition says.
#[test]
fn equal_subscripts_are_one_access() {
    let rows = [
        ("A[i] + A[i]", 1, 1, "true"),
        ("A[i] + A[i + 1]", 2, 2, "true"),
        ("data[i] ? A[i] : 0", 1, 0, "true"),
        ("(data[i] ? A[i] : 0) + A[i]", 1, 1, "true"),
        ("A[i] + (data[i] ? A[i] : 0)", 1, 1, "true"),
        ("(data[i] ? A[i] : 0) + (data[j] ? A[i] : 0)", 1, 0, "true"),
        (
            "(i < 3 ? A[j] : 0) + (i > 5 ? A[j] : 0)",
            1,
            0,
            "i < 3 or i > 5",
        ),
        (
            "(i < 3 ? A[j] : 0) + (i > 5 ? A[i] : 0)",
            2,
            0,
            "i < 3 or i > 5",
        ),
        ("i < 3 && A[j]", 1, 0, "i < 3"),
        ("i < 3 || A[j]", 1, 0, "i >= 3"),
        ("i < 3 ? 0 : A[j]", 1, 0, "i >= 3"),
        // A quotient is simpler where it cannot be negative.
        (
            "(data[i] ? A[i / 2] : 0) + (data[i] ? (i >= 0 ? A[i / 2] : 0) : 0)",
            1,
            0,
            "true",
        ),
        (
            "(data[i] ? (i >= 0 ? A[i / 2] : 0) : 0) + (data[i] ? A[i / 2] : 0)",
            2,
            0,
            "true",
        ),
        (
            "(i >= 0 ? A[i / 2] : 0) + (i >= 2 ? A[i / 2] : 0)",
            1,
            0,
            "i >= 0",
        ),
        ("A[i / 2] + (i >= 0 ? A[i / 2] : 0)", 1, 1, "true"),
        // What wraps around elsewhere is affine where it does not.
        (
            "(data[i] ? (k > 0 ? A[k - 1] : 0) : 0) + (data[i] ? A[k - 1] : 0)",
            2,
            0,
            "true",
        ),
        (
            "(data[i] ? A[k - 1] : 0) + (data[i] ? (k > 0 ? A[k - 1] : 0) : 0)",
            2,
            0,
            "true",
        ),
        // Subscripts that are data, and sums of products.
        (
            "(data[i] ? A[data[j]] : 0) + (data[j] ? A[data[j]] : 0)",
            1,
            0,
            "true",
        ),
        (
            "(data[i] ? A[i * m + j] : 0) + (data[j] ? A[i * m + j] : 0)",
            1,
            0,
            "true",
        ),
        (
            "(data[i] ? A[i * m + j] : 0) + (data[j] ? A[j + i * m] : 0)",
            2,
            0,
            "true",
        ),
        (
            "(data[i] ? A[i / 2 * m + j] : 0) + (data[j] ? (i >= 0 ? A[i / 2 * m + j] : 0) : 0)",
            1,
            0,
            "true",
        ),
        (
            "(data[i] ? (i >= 0 ? A[i / 2 * m + j] : 0) : 0) + (data[j] ? A[i / 2 * m + j] : 0)",
            2,
            0,
            "true",
        ),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (value, count, always, condition) in rows {
        let scop = found(
            &ctx,
            &format!(
                "for (int i = -9; i < n; i++) for (int j = 0; j < m; j++)
for (unsigned k = 0; k < 9; k++) B[i + 9] = {value};"
            ),
        );
        let statement = scop.statements.last().expect("a statement");
        let reads = statement.accesses.iter();
        let reads =
            reads.filter(|a| a.kind == AccessKind::Read && scop.arrays[a.array].base == "A");
        let reads: Vec<_> = reads.collect();
        let made = reads.iter().filter(|a| a.exact).count();
        let mut places = reads[0].relation.domain().expect("a domain");
        for read in &reads {
            places = places
                .union(&read.relation.domain().expect("a domain"))
                .expect("a union");
        }
        let text = format!(
            "[n, m] -> {{ {}[i, j, k] : -9 <= i < n and 0 <= j < m and 0 <= k < 9 and ({condition}) }}",
            statement.name
        );
        let wanted = isl::Set::read_from_str(&ctx, &text).expect("a set");
        let same = places.is_equal(&wanted).expect("a comparison");
        if (reads.len(), same) != (count, true) || always > 0 && made != always {
            wrong.push(format!(
                "{value}: {} accesses, {made} always, {places}",
                reads.len()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Products in definitions are taken apart, through so many definitions.
#[test]
fn products_are_followed_through_definitions() {
    let ctx = isl::Ctx::new();
    for (depth, apart) in [(0, true), (1, true), (5, true), (40, false)] {
        let mut text = "const unsigned d0 = i * w;".to_owned();
        for k in 1..=depth {
            text += &format!(" const unsigned d{k} = d{};", k - 1);
        }
        let scop = found(
            &ctx,
            &format!(
                "for (unsigned i = 0; i < u; i++) {{ {text}
for (unsigned j = 0; j < w; j++) B[d{depth} + j] = 1; }}"
            ),
        );
        let linear = matches!(scop.arrays[0].layout, Layout::Linear(_));
        assert_eq!(linear, apart, "{depth}");
    }
}

/// In how many cases a subscript is given: one where it has one sign, or where there is one formula
/// for all; two for a remainder of either sign, and around a ring of 16 cells or more.
#[test]
fn cases_of_subscripts() {
    let four =
        "(i == -9 && n <= -9 || i == -6 && n <= -6 || i == -3 && n <= -3 || i == 0 && n <= 0)";
    let five = "(i == -9 && n <= -9 || i == -6 && n <= -6 || i == -3 && n <= -3 || i == 0 && n <= 0
        || i == 3 && n <= 3)";
    let rows = [
        ("j", "1", 1),
        ("j / 2", "1", 1),
        ("i / 2", "1", 2),
        ("i / 2", "i >= 0", 1),
        ("i / 2", "i <= 0", 2),
        ("j % 16", "j < 32", 2),
        ("j / 16", "j < 32", 2),
        ("j % 15", "j < 30", 1),
        ("j / 15", "j < 30", 1),
        ("j % 16", "j < 33", 1),
        ("j % 16", "j < 16", 1),
        ("j % 16", "16 <= j && j < 32", 1),
        // Whether a quotient has one sign is looked at for up to four convex parts of a domain.
        ("(i - n) / 2", four, 1),
        ("(i - n) / 2", five, 2),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (subscript, condition, cases) in rows {
        let scop = found(
            &ctx,
            &format!(
                "for (int i = -9; i < 9; i++) for (int j = 0; j < m; j++)
if ({condition}) B[{subscript}] = 1;"
            ),
        );
        let statement = scop.statements.last().expect("a statement");
        let [Some(value)] = &statement.accesses[0].affine[..] else {
            panic!("{subscript}: not affine");
        };
        let count = value.n_piece().expect("a number");
        if count != cases {
            wrong.push(format!("{subscript}, {condition}: {value}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Definitions in the region stand in for their variables, sixteen of them in each other.
#[test]
fn definitions_are_followed_to_a_depth() {
    let ctx = isl::Ctx::new();
    for (depth, affine) in [(0, true), (5, true), (15, true), (16, false), (40, false)] {
        let mut text = "const int d0 = i + 1;".to_owned();
        for k in 1..=depth {
            text += &format!(" const int d{k} = d{};", k - 1);
        }
        let inside = format!("for (int i = 0; i < n; i++) {{ {text} B[d{depth}] = 1; }}");
        let scop = found(&ctx, &inside);
        let last = scop.statements.last().expect("a statement");
        let access = last.accesses.last().expect("an access");
        assert_eq!(access.affine[0].is_some(), affine, "{depth}");
    }
}

/// Wherever in the loops they stand.
#[test]
fn definitions_are_followed_from_where_they_stand() {
    let ctx = isl::Ctx::new();
    let rows = [
        ("const int t = i + j; B[t] = 1;", true),
        ("{ const int t = i + j; B[t] = 1; }", true),
        ("if (data[i]) { const int t = i + j; B[t] = 1; }", true),
        (
            "if (data[i]) B[0] = 1; else { const int t = i + j; B[t] = 1; }",
            true,
        ),
        ("if (i > 2) { const int t = i + j; B[t] = 1; }", true),
        (
            "for (int k = 0; k < 2; k++) { const int t = i + j; B[t + k] = 1; }",
            true,
        ),
        (
            "for (int k = 0; k < 2; k++) { const int t = i + k; if (data[k]) { const int s = t + j; B[s] = 1; } }",
            true,
        ),
        (
            "for (int k = 0; k < 2; k++) A[k]; const int t = i + j; B[t] = 1;",
            true,
        ),
        ("const int t = i + data[j]; B[t] = 1;", false),
        // Its value is put in its place.
        ("int t = i; t += j; B[t] = 1;", true),
        ("int t = i; t += data[j]; B[t] = 1;", false),
    ];
    for (inside, affine) in rows {
        let inside = inside.replace("A[k];", "B[k] = 2;");
        let text =
            format!("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {{ {inside} }}");
        let scop = found(&ctx, &text);
        let last = scop.statements.last().expect("a statement");
        let named = |array: usize| scop.arrays[array].base == "B";
        let access = last.accesses.iter().rfind(|a| named(a.array));
        let access = access.expect("an access");
        assert_eq!(access.affine[0].is_some(), affine, "{inside}");
    }
}
