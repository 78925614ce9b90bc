//! Buffers that turns choose by their parity: elements of one array, folded by two.

use crate::bodies::statements;
use crate::functions::found;
use crate::normal::{around, same};

fn pointers(region: &str) -> String {
    around(region).replace(
        "double *walk = a;",
        "double *walk = a, *p = a, *q = b; double *const rows[2] = {a, b};",
    )
}

/// `c ? p : q` is an element of an array of both.
#[test]
fn buffers_that_are_chosen() {
    let ctx = isl::Ctx::new();
    let odd_writes = "-> p_q[o0, i] : (t + o0) mod 2 = 0 and";
    let even_writes = "-> p_q[o0, i] : (1 + t + o0) mod 2 = 0 and";
    let mut wrong = Vec::new();
    for (choice, expected) in [
        ("t % 2 ? q : p", odd_writes),
        ("t & 1 ? q : p", odd_writes),
        ("t % 2 == 1 ? q : p", odd_writes),
        ("t % 2 != 0 ? q : p", odd_writes),
        ("t % 2 == 0 ? p : q", odd_writes),
        ("!(t & 1) ? p : q", odd_writes),
        ("t % 2 ? p : q", even_writes),
        ("(t + 1) % 2 ? q : p", even_writes),
        ("(t & 1) == 0 ? q : p", even_writes),
        // By other numbers, from other pointers.
        ("t % 3 ? q : p", ""),
        ("t > 2 ? q : p", ""),
        ("v[t] & 1 ? q : p", ""),
        ("t % 2 ? walk + 1 : p", ""),
    ] {
        let region = format!(
            "for (int t = 0; t < m; t++) {{ double *to = {choice}; for (int i = 0; i < n; i++) to[i] = t; }}"
        );
        let found = found(&ctx, &pointers(&region)).map_or(String::new(), |scop| statements(&scop));
        let writes = found
            .lines()
            .find(|line| line.contains("p_q Write"))
            .unwrap_or_default();
        if writes.is_empty() != expected.is_empty() || !writes.contains(expected) {
            wrong.push(format!("{choice}: {found}"));
        }
    }
    // The remainder of an odd number may be -1.
    let region = "for (int t = -3; t < m; t++) { double *to = t % 2 == 1 ? q : p; for (int i = 0; i < n; i++) to[i] = t; }";
    if let Ok(scop) = found(&ctx, &pointers(region)) {
        wrong.push(statements(&scop));
    }
    // Pointers that the region sets are not those of the array.
    let region = "p = b; for (int t = 0; t < m; t++) { double *to = t % 2 ? q : p; for (int i = 0; i < n; i++) to[i] = t; }";
    if let Ok(scop) = found(&ctx, &pointers(region)) {
        wrong.push(statements(&scop));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is toggled in every turn is their parity.
#[test]
fn indices_that_are_toggled() {
    let plain = "for (int t = 0; t < m; t++) { for (int i = 0; i < n; i++) A[t % 2][i] = b[i]; }";
    let other =
        "for (int t = 0; t < m; t++) { for (int i = 0; i < n; i++) A[1 - t % 2][i] = b[i]; }";
    let turns = |toggle: &str, index: &str, first: &str| {
        format!(
            "{first} for (int t = 0; t < m; t++) {{ for (int i = 0; i < n; i++) A[{index}][i] = b[i]; {toggle} }}"
        )
    };
    let rows = [
        (turns("k ^= 1;", "k", ""), plain),
        (turns("k = 1 - k;", "k", ""), plain),
        (turns("k = !k;", "k", ""), plain),
        (turns("k = k ^ 1;", "k", ""), plain),
        (turns("k ^= 1;", "k ^ 1", ""), other),
        (turns("k ^= 1;", "1 - k", ""), other),
        (turns("k ^= 1;", "!k", ""), other),
        (turns("odd = !odd;", "odd", "unsigned char odd = 0;"), plain),
        (turns("odd ^= 1;", "odd", "unsigned char odd = 1;"), other),
    ];
    let rows: Vec<(&str, &str)> = rows.iter().map(|(a, b)| (&**a, *b)).collect();
    same(&rows);
}

/// Where it is read behind the region, it is set there.
#[test]
fn toggled_indices_are_left() {
    let ctx = isl::Ctx::new();
    let region =
        "for (int t = 0; t < m; t++) { for (int i = 0; i < n; i++) A[k][i] = b[i]; k ^= 1; }";
    let text = around(region).replace("b[0] = r;", "b[0] = r + k;");
    let moves = found(&ctx, &text).expect("it has a model").edges.moves;
    assert_eq!(moves, ["k = k + (0 < m ? (long)m : 0L) & 1;"]);
    // It may begin with anything.
    let text = text.replace("int k = 0,", "int k = n,");
    assert!(found(&ctx, &text).map_or(true, |scop| scop.edges.moves.is_empty()));
}
