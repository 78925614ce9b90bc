//! Pointers that a region moves, or that change places in it: they stay in the model, and are set behind
//! the region.

use crate::bodies::statements;
use crate::functions::found;
use crate::normal::around;

/// What is moved behind a region, where the pointer is read there.
#[test]
fn pointers_that_are_left_elsewhere() {
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (region, expected) in [
        (
            "for (int i = 0; i < n; i++) *walk++ = i;",
            "walk += 0 < n ? (long)n : 0L;",
        ),
        (
            "for (int i = 3; i > m; i--) { walk -= 2; *walk = i; }",
            "walk += (m < 3 ? 3L - (long)m : 0L) * -2L;",
        ),
        (
            "for (int i = 0; i < 7; i++) { for (int j = 0; j < n; j++) *walk++ = i; walk += m; }",
            "walk += 7L * ((0 < n ? (long)n : 0L) + (long)m);",
        ),
        // By data, by what the region changes: that is kept.
        (
            "for (int i = 0; i < n; i++) if (v[i]) *walk++ = i;",
            "walk += walk_left;",
        ),
        (
            "for (int i = 0; i < l; i++) *walk++ = i; l = 2;",
            "walk += walk_left;",
        ),
        (
            "for (int i = 0; i < n; i++) *walk++ = i; l = 2; for (int i = 0; i < l; i++) *walk++ = 1;",
            "walk += walk_left;",
        ),
        (
            "for (int i = 0; i < global; i++) *walk++ = i;",
            "walk += 0 < global ? (long)global : 0L;",
        ),
    ] {
        let text = around(region).replace("b[0] = r;", "b[0] = r + *walk;");
        let moves = match found(&ctx, &text) {
            Ok(scop) => scop.edges.moves.join(" "),
            Err(_) => String::new(),
        };
        if moves != expected {
            wrong.push(format!("{region}: {moves}"));
        }
        // Nobody asks for it.
        let scop = found(&ctx, &around(region));
        if scop.is_ok_and(|scop| !scop.edges.moves.is_empty()) {
            wrong.push(format!("{region}: moved for nobody"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Buffers that change places become one array, and the pointers are set behind it.
#[test]
fn buffers_that_change_places() {
    let ctx = isl::Ctx::new();
    let body = "for (int i = 1; i < n; i++) q[i] = p[i - 1];";
    let two = "double *x = p; p = q; q = x;";
    let swap = |text: &str| text.replace("BODY", body).replace("SWAP", two);
    let mut wrong = Vec::new();
    for (region, expected) in [
        (
            "for (int t = 0; t < m; t++) { BODY SWAP }",
            "Write Map([m, n] -> { S0[t, i] -> p_q[o0, i] : (1 + t + o0) mod 2 = 0 and",
        ),
        (
            "for (int t = 3; t < m; t++) { SWAP BODY }",
            "Write Map([m, n] -> { S0[t, i] -> p_q[o0, i] : (1 + t + o0) mod 2 = 0 and",
        ),
        (
            "for (int t = 0; t < m; t++) { BODY double *x = p; p = q; q = w; w = x; }",
            "Write Map([m, n] -> { S0[t, i] -> p_q_w[o0, i] : (-1 - t + o0) mod 3 = 0 and",
        ),
        // Loops of other forms, and what counts, in front of the exchange and behind it.
        (
            "while (m--) { BODY SWAP }",
            "Write Map([m, n] -> { S0[m_2_2, i] -> p_q[o0, i] : (1 + m_2_2 + o0) mod 2 = 0 and",
        ),
        (
            "while (k < m) { BODY SWAP k++; }",
            "Write Map([m, n] -> { S0[k_2, i] -> p_q[o0, i] : (1 + k_2 + o0) mod 2 = 0 and",
        ),
        (
            "while (k < m) { BODY k++; SWAP }",
            "Write Map([m, n] -> { S0[k_2, i] -> p_q[o0, i] : (1 + k_2 + o0) mod 2 = 0 and",
        ),
        (
            "int g; for (g = m; g > 0; g--) { BODY SWAP }",
            "Write Map([m, n] -> { S0[g_2, i] -> p_q[o0, i] : (1 + g_2 + o0) mod 2 = 0 and",
        ),
        (
            "do { BODY SWAP } while (++k < m);",
            "Write Map([m, n] -> { S0[k_2, i] -> p_q[o0, i] : (1 + k_2 + o0) mod 2 = 0 and",
        ),
        (
            "for (;;) { if (k >= m) break; BODY { SWAP } k++; }",
            "Write Map([m, n] -> { S0[k_2, i] -> p_q[o0, i] : (1 + k_2 + o0) mod 2 = 0 and",
        ),
        (
            "for (int t = 0; t != m; t++) { double *x; BODY x = p; p = q; q = x; }",
            "Write Map([m, n] -> { S0[t, i] -> p_q[o0, i] : (1 + t + o0) mod 2 = 0 and",
        ),
        // Where the pointers are read behind the exchange, in the loop and behind it.
        (
            "for (int t = 0; t < m; t++) { BODY SWAP p[0] = x[0]; }",
            "Write Map([m, n] -> { S1[t] -> p_q[o0, 0] : (1 + t + o0) mod 2 = 0 and",
        ),
        (
            "for (int t = 0; t < 5; t++) { BODY SWAP } for (int i = 0; i < n; i++) p[i] = 1;",
            "Write Map([n] -> { S1[i] -> p_q[1, i] :",
        ),
        // Two loops count the same turns.
        (
            "for (int t = 0; t < 4; t++) { BODY SWAP } for (int t = 0; t < 3; t++) { BODY double *y = p; p = q; q = y; } *p = 1;",
            "Write Map([n] -> { S2[] -> p_q[1, 0] })",
        ),
        // Others change places in the second one; something leaves the first one half done.
        (
            "for (int t = 0; t < m; t++) { BODY SWAP } for (int t = 0; t < m; t++) { double *y = p; p = w; w = y; }",
            "",
        ),
        (
            "for (int t = 0; t < m; t++) { BODY double *x = p; p = q; if (v[t]) break; q = x; }",
            "",
        ),
        // Twice in each turn of the outer loop.
        (
            "for (int t = 0; t < m; t++) { BODY for (int k = 0; k < 2; k++) { SWAP } }",
            "Write Map([m, n] -> { S0[t, i] -> p_q[1, i] :",
        ),
        // Not in every turn, to one, to somebody else.
        (
            "for (int t = 0; t < m; t++) { BODY if (v[t]) { SWAP } }",
            "",
        ),
        ("for (int t = 0; t < m; t++) { BODY p = q; }", ""),
        ("for (int t = 0; t < m; t++) { BODY p = q; q = a; }", ""),
        ("for (int t = 0; t < m; t++) { BODY SWAP } p = a;", ""),
    ] {
        let text = around(&swap(region))
            .replace(
                "double *walk = a;",
                "double *walk = a, *p = a, *q = b, *w = A[0];",
            )
            .replace("b[0] = r;", "b[0] = r + *p;");
        let found = match found(&ctx, &text) {
            Ok(scop) => {
                let front = scop.edges.front.len() == usize::from(!expected.is_empty());
                let moves = scop.edges.moves.len() == scop.edges.front.len();
                if !front || !moves {
                    wrong.push(format!(
                        "{region}: {:?} {:?}",
                        scop.edges.front, scop.edges.moves
                    ));
                }
                statements(&scop)
            }
            Err(_) => String::new(),
        };
        if found.is_empty() != expected.is_empty() || !found.contains(expected) {
            wrong.push(format!("{region}: {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same where members, the file, or what pointers lead to have the buffers.
#[test]
fn buffers_elsewhere_that_change_places() {
    let ctx = isl::Ctx::new();
    let around = |region: &str| {
        format!(
            "struct g {{ double *cur, *next; int n; struct g *other; }};
struct c {{ unsigned char *cur, *next; }};
static double *first, *second;
void unknown(double *);
static void swap(double **x, double **y) {{ double *t = *x; *x = *y; *y = t; }}
static void flip(struct g *s) {{ swap(&s->cur, &s->next); }}
static void step(struct g *s, int n) {{
    const double *in = s->cur;
    for (int i = 1; i < n; i++) s->next[i] = in[i - 1];
    flip(s);
}}
void f(int n, int m, struct g *s, struct g *u, struct c *c, double **a, double **b, double **three,
       unsigned char *bytes, double *p, double *q) {{
#pragma scop
{region}
#pragma endscop
}}"
        )
    };
    let turned = "double *s_cur_s_next[2] = {0 < m ? s->cur : 0, 0 < m ? s->next : 0};";
    let swapped = "double *x = s->cur; s->cur = s->next; s->next = x;";
    let body = "for (int i = 1; i < n; i++) s->next[i] = s->cur[i - 1];";
    let mut wrong = Vec::new();
    for (region, expected) in [
        ("for (int t = 0; t < m; t++) { BODY SWAPPED }", turned),
        (
            "for (int t = 0; t < m; t++) { BODY swap(&s->cur, &s->next); }",
            turned,
        ),
        ("for (int t = 0; t < m; t++) { BODY flip(s); }", turned),
        ("for (int t = 0; t < m; t++) step(s, n);", turned),
        (
            "for (int t = 0; t < m; t++) { double *x = s->cur, *y = s->next; for (int i = 1; i < n; i++) y[i] = x[i - 1]; s->cur = y; s->next = x; }",
            turned,
        ),
        (
            "for (int t = 0; t < m; t++) { for (int i = 1; i < n; i++) second[i] = first[i - 1]; double *x = first; first = second; second = x; }",
            "double *first_2_second_2[2] = {first, second};",
        ),
        (
            "while (m-- > 0) { for (int i = 1; i < n; i++) (*b)[i] = (*a)[i - 1]; swap(a, b); }",
            "double *a_2_b_2[2] = {0 < m ? *a : 0, 0 < m ? *b : 0};",
        ),
        (
            "for (int t = 0; t < m; t++) { for (int i = 1; i < n; i++) q[i] = p[i - 1]; swap(&p, &q); }",
            "double *p_q[2] = {p, q};",
        ),
        (
            "for (int t = 0; t < m; t++) { for (int i = 1; i < n; i++) three[1][i] = three[0][i - 1]; double *x = three[0]; three[0] = three[1]; three[1] = three[2]; three[2] = x; }",
            "double *three_0_three_1_three_2[3] = {0 < m ? three[0] : 0, 0 < m ? three[1] : 0, 0 < m ? three[2] : 0};",
        ),
        // With another pointer, which stays, under a name of the loop's.
        (
            "for (int t = 0; t < m; t++) { const double *x = p, *y = s->other->cur; for (int i = 1; i < n; i++) s->next[i] = s->cur[i] + x[i]; swap(&s->cur, &s->next); }",
            "",
        ),
        (
            "for (int t = 0; t < m; t++) { const double *x = p, *y = q; for (int i = 1; i < n; i++) s->next[i] = s->cur[i] + x[i] + y[i]; swap(&s->cur, &s->next); }",
            turned,
        ),
        // What leads to them changes; the same member by another name, or any pointer; who knows what
        // a function does; pointers that may be one; what holds a pointer is no number of turns.
        (
            "for (int t = 0; t < m; t++) { BODY SWAPPED s = s->other; }",
            "",
        ),
        (
            "for (int t = 0; t < m; t++) { BODY SWAPPED u->cur[0] = 1; }",
            "",
        ),
        (
            "for (int t = 0; t < m; t++) { BODY SWAPPED a[0][0] = 1; }",
            "",
        ),
        (
            "for (int t = 0; t < m; t++) { BODY SWAPPED u->next = p; }",
            "",
        ),
        (
            "for (int t = 0; t < m; t++) { BODY SWAPPED unknown(p); }",
            "",
        ),
        (
            "for (int t = 0; t < m; t++) { for (int i = 1; i < n; i++) (*b)[i] = (*a)[i - 1]; double *x = *a; *a = *b; *b = *three; *three = x; }",
            "",
        ),
        (
            "for (int t = 0; t < m; t++) { BODY first = s->cur; s->cur = s->next; s->next = first; }",
            "",
        ),
        (
            "for (int t = 0; t < m; t++) { for (int i = 1; i < n; i++) { (*b)[i] = (*a)[i - 1]; bytes[i] = 1; } swap(a, b); }",
            "",
        ),
    ] {
        let text = around(&region.replace("BODY", body).replace("SWAPPED", swapped));
        let front = match found(&ctx, &text) {
            Ok(scop) => {
                let declared: Vec<&str> =
                    scop.edges.front.iter().map(|f| &*f.declaration).collect();
                declared.join(" ")
            }
            Err(_) => String::new(),
        };
        if front != expected {
            wrong.push(format!("{region}: {front}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Behind the region, where there was a turn.
    let text = around(&format!(
        "for (int t = 0; t < m; t++) {{ {body} {swapped} }}"
    ));
    let moves = found(&ctx, &text).expect("it has a model").edges.moves;
    assert_eq!(
        moves,
        [
            "if (0 < m) s->cur = s_cur_s_next[(0 < m ? (long)m : 0L) % 2];",
            "if (0 < m) s->next = s_cur_s_next[((0 < m ? (long)m : 0L) + 1) % 2];",
        ]
    );
}
