//! Integers that one name stands for several times: where lives begin and end, in front of regions, in
//! them, and behind them.

use crate::bodies::statements;
use crate::functions::found;
use crate::normal::{around, same};

/// What a loop by one leaves is assigned behind it.
#[test]
fn variables_behind_their_loops() {
    same(&[
        (
            "int i; for (i = 0; i < n; i++) a[i] = 1; b[0] = i;",
            "int i; for (int i_2 = 0; i_2 < n; i_2++) a[i_2] = 1; i = 0 < n ? n : 0; b[0] = i;",
        ),
        (
            "int i; for (i = m; i <= n; ++i) a[i] = 1; b[0] = i;",
            "int i; for (int i_2 = m; i_2 <= n; i_2++) a[i_2] = 1; i = m <= n ? n + 1 : m; b[0] = i;",
        ),
        (
            "int i; for (i = n; i > 2; i--) a[i] = 1; b[0] = i;",
            "int i; for (int i_2 = n; i_2 > 2; i_2--) a[i_2] = 1; i = n > 2 ? 2 : n; b[0] = i;",
        ),
        (
            "int i; for (i = n; 0 <= i; i -= 1) a[i] = 1; b[0] = i;",
            "int i; for (int i_2 = n; i_2 >= 0; i_2--) a[i_2] = 1; i = n >= 0 ? 0 - 1 : n; b[0] = i;",
        ),
        (
            "int i; for (i = 0; i < n && i < m; i++) a[i] = 1; b[0] = i;",
            "int i; for (int i_2 = 0; i_2 < n && i_2 < m; i_2++) a[i_2] = 1;
             i = 0 < (n < m ? n : m) ? (n < m ? n : m) : 0; b[0] = i;",
        ),
        (
            "int i; for (i = n; i > 2 && m < i; i--) a[i] = 1; b[0] = i;",
            "int i; for (int i_2 = n; i_2 > 2 && m < i_2; i_2--) a[i_2] = 1;
             i = n > (2 > m ? 2 : m) ? (2 > m ? 2 : m) : n; b[0] = i;",
        ),
        (
            "int i; for (i = 0; i != 7; i++) a[i] = 1; b[0] = i;",
            "int i; for (int i_2 = 0; i_2 != 7; i_2++) a[i_2] = 1; i = 7; b[0] = i;",
        ),
        (
            "int i; for (i = 9; i < 7; i++) a[i] = 1; for (i = 0; i < 7; i++) b[i] = 2; v[0] = i;",
            "int i; for (int i_3 = 0; i_3 < 7; i_3++) b[i_3] = 2; i = 7; v[0] = i;",
        ),
    ]);
}

/// Two that go towards each other are set behind the loop, whichever of them is read.
#[test]
fn variables_that_meet() {
    same(&[
        (
            "int i, j; for (i = 0, j = n - 1; i < j; i++, j--) a[i] = v[j]; b[0] = i; b[1] = j;",
            "int i, j; for (int i_2 = 0; i_2 < n - 1 - i_2; i_2++) a[i_2] = v[n - 1 - i_2];
             i = 0 < n - 1 ? (int)((long)(n - 1) / 2L + (long)(n - 1) % 2L) : 0;
             j = 0 < n - 1 ? (int)((long)(n - 1) - ((long)(n - 1) / 2L + (long)(n - 1) % 2L)) : n - 1;
             b[0] = i; b[1] = j;",
        ),
        (
            "int i, j; for (j = n, i = m; j >= i; j--, i++) a[i] = v[j]; b[1] = j;",
            "int i, j; for (int i_2 = m; i_2 <= n - (i_2 - m); i_2++) a[i_2] = v[n - (i_2 - m)];
             j = m <= n ? (int)((long)n - (((long)n - (long)m) / 2L + 1L)) : n; b[1] = j;",
        ),
        // `u - 1 - i` would wrap around where there are no turns.
        (
            "unsigned i, j; for (i = 0, j = u - 1; i < j; i++, j--) a[i] = v[j]; b[0] = i;",
            "unsigned i; for (unsigned i_2 = 0; i_2 < (u - 1) / 2 + (u - 1) % 2; i_2++) a[i_2] = v[u - 1 - i_2];
             i = 0u < (u - 1) / 2 + (u - 1) % 2 ? (u - 1) / 2 + (u - 1) % 2 : 0u; b[0] = i;",
        ),
    ]);
    let ctx = isl::Ctx::new();
    for region in [
        // Where the bound is no longer below, the second one has wrapped around, perhaps.
        "unsigned i, j; for (i = 0, j = u - 1; i <= j; i++, j--) a[i] = 1; b[0] = i;",
        // The second one's first value is another behind the loop.
        "int i, j; for (i = 0, j = v[0]; i < j; i++, j--) v[i] = 1; b[0] = i;",
    ] {
        let found = found(&ctx, &around(region)).map(|scop| statements(&scop));
        assert!(found.is_err(), "{region}\n{found:?}");
    }
}

/// Where it ends changes in it, or nobody may compute it behind the loop.
#[test]
fn variables_that_only_turns_know() {
    let ctx = isl::Ctx::new();
    for region in [
        "int i; for (i = 0; i <= n && i < 9; i++) a[i] = 1; b[0] = i;",
        "int i; for (i = 0; i < v[0]; i++) v[i] = 1; b[0] = i;",
        "int i; int e = n; for (i = 0; i < e; i++) { a[i] = 1; e = v[i]; } b[0] = i;",
    ] {
        let found = found(&ctx, &around(region)).map(|scop| statements(&scop));
        assert!(found.is_err(), "{region}\n{found:?}");
    }
}

/// Heads that set several variables, or begin with a step.
#[test]
fn what_heads_do_first() {
    same(&[(
        "int i, j; for (i = j = 0; i < n; i++, j += 2) a[j] = b[i];",
        "for (int i = 0; i < n; i++) a[i * 2] = b[i];",
    )]);
    let ctx = isl::Ctx::new();
    let stepped = found(
        &ctx,
        &around("int i = 3; for (++i; i < n; ++i) a[i] = b[i];"),
    );
    let scop = stepped.expect("a model");
    let model = statements(&scop);
    assert!(model.contains("4 <= i_2 < n"), "{model}");
}

/// A variable that each turn sets first is declared there, and each value of it is one variable's.
#[test]
fn indices_that_turns_set() {
    same(&[
        (
            "for (int i = 0; i < n; i++) { k = i * 2; a[k] = b[k]; }",
            "for (int i = 0; i < n; i++) { int k_2 = i * 2; a[k_2] = b[k_2]; }",
        ),
        (
            "for (int i = 0; i < n; i++) { k = i + 1; a[k] += 1; k = i + n; a[k] += 2; }",
            "for (int i = 0; i < n; i++) { a[i + 1] += 1; a[i + n] += 2; }",
        ),
        (
            "for (int i = 0; i < n; i++) { int q; q = i; a[q] += 1; q = i + 1; b[q] += 2; }",
            "for (int i = 0; i < n; i++) { a[i] += 1; b[i + 1] += 2; }",
        ),
        (
            "for (int i = 0; i < n; i++) { if (m > 3) k = i; else k = i + 1; a[k] = 1; }",
            "for (int i = 0; i < n; i++) { int k_2 = m > 3 ? i : i + 1; a[k_2] = 1; }",
        ),
        (
            "for (int i = 0; i < n; i++) { k = i; a[k] = 1; } for (int i = 0; i < m; i++) { k = i + 1; b[k] = 1; }",
            "for (int i = 0; i < n; i++) a[i] = 1; for (int i = 0; i < m; i++) b[i + 1] = 1;",
        ),
    ]);
}

/// What one turn reads of another, and what a branch may set, is one variable; so is what comes out of
/// memory, which nobody follows into subscripts, and would need a cell for each turn of loops inside.
#[test]
fn indices_that_turns_hand_on() {
    let ctx = isl::Ctx::new();
    for region in [
        "for (int i = 0; i < n; i++) { a[k] = 1; k = v[i]; }",
        "for (int i = 0; i < n; i++) { if (v[i]) k = i; a[k] = 1; }",
        "for (int i = 0; i < n; i++) { k = v[i]; a[k] += 1; k = v[i + n]; a[k] += 2; }",
    ] {
        let scop = found(&ctx, &around(region)).expect("a model");
        assert!(
            scop.arrays.iter().any(|array| array.name == "k"),
            "{region}\n{}",
            statements(&scop)
        );
    }
}

/// What is assigned on the way to a region.
#[test]
fn values_in_front() {
    let text = |front: &str, region: &str| {
        format!(
            "void g(int *); void f(int n, int m, double *restrict a, double *restrict b) {{
                 int k = 0, l = 5, t; {front} {{
                 #pragma scop
                 {region}
                 #pragma endscop
                 }}
             }}"
        )
    };
    let ctx = isl::Ctx::new();
    let model = |front: &str, region: &str| {
        let found = found(&ctx, &text(front, region)).map(|scop| statements(&scop));
        let model = found.unwrap_or_else(|e| e);
        // Without what is left in the variable.
        model
            .split("\nSet([n, m] -> { S1")
            .next()
            .map(str::to_owned)
    };
    let steps = "for (int i = 0; i < n; i++) { a[k] = b[i]; k += m; }";
    let from = |value: &str| format!("for (int i = 0; i < n; i++) a[{value} + i * m] = b[i];");
    for (front, value) in [
        ("k = 3;", "3"),
        ("k = 9; k = 3;", "3"),
        ("t = (k = 3) + 1;", "3"),
        ("if (n > 3) goto out; k = 0; out: k = 3;", "3"),
        ("if (n > 3) { k = 8; } k = 3;", "3"),
        ("t = 3; k = t; t = 4;", "3"),
    ] {
        assert_eq!(model(front, steps), model("", &from(value)), "{front}");
    }
    // Nobody knows.
    for front in [
        "k = 3; if (n > 3) k = 4;",
        "if (n > 3) k = 3;",
        "k = 3; out: if (n < m) { k = m; goto out; }",
        "k = 3; while (n < m) { k++; m--; }",
        "k = 3; g(&k);",
        "k = 3; if (k++ > n)",
    ] {
        assert_ne!(model(front, steps), model("k = 3;", steps), "{front}");
    }
}

/// `return` leaves the loop, and then the function.
#[test]
fn returns() {
    let ctx = isl::Ctx::new();
    let text = |ctype: &str, region: &str| {
        format!(
            "{ctype} f(int n, int *restrict a, double *restrict b, double r) {{
                 #pragma scop
                 {region}
                 #pragma endscop
                 b[1] = r;
             }}"
        )
    };
    for (ctype, region, behind) in [
        (
            "int",
            "for (int i = 0; i < n; i++) { a[i]++; if (a[i] > 3) return i; }",
            "if (left == 1) return left_with;",
        ),
        (
            "double",
            "for (int i = 0; i < n; i++) { if (b[i] > 3) return r; r += b[i]; }",
            "if (left == 1) return left_with;",
        ),
        (
            "char *",
            "for (int i = 0; i < n; i++) { a[i]++; if (a[i] > 3) return (void *)0; }",
            "if (left == 1) return 0;",
        ),
        (
            "void",
            "for (int i = 0; i < n; i++) { a[i]++; if (a[i] > 3) return; }",
            "if (left == 1) return;",
        ),
    ] {
        let scop = found(&ctx, &text(ctype, region)).expect(region);
        assert_eq!(scop.edges.moves, [behind], "{region}");
        assert!(
            scop.edges
                .front
                .iter()
                .any(|front| front.declaration == "int left = 0;")
        );
    }
    // Of two loops, in a loop that others follow, and a pointer into what changes.
    for (ctype, region) in [
        (
            "int",
            "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (a[i] > j) return i;",
        ),
        (
            "int",
            "for (int i = 0; i < n; i++) if (a[i] > 3) return i; for (int i = 0; i < n; i++) a[i]++;",
        ),
        (
            "int *",
            "for (int i = 0; i < n; i++) { a[i]++; if (a[i] > 3) return &a[i]; }",
        ),
    ] {
        assert!(found(&ctx, &text(ctype, region)).is_err(), "{region}");
    }
}
