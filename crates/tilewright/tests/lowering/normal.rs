//! Regions in other words: what normalisation makes of them is what one would write without the
//! construct, or they keep it.

use crate::bodies::statements;
use crate::functions::found;
use tilewright::scop::AccessKind;

pub fn around(region: &str) -> String {
    format!(
        "struct p {{ double x, y; }}; struct v {{ double z; struct p p; }};
int global; void unknown(int *);
void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);
void f(int n, int m, double *restrict a, double *restrict b, int *restrict v, unsigned char *restrict c,
       double A[restrict n][m], double B[restrict n][n], struct p *restrict s, struct v *restrict t, unsigned u) {{
    int k = 0, l = 3, seen = 0; double *walk = a; static int kept; double r = 0;
    int *const way = &seen;
#pragma scop
{region}
#pragma endscop
    b[0] = r;
}}"
    )
}

/// That regions in the first words are what those in the second are.
pub fn same(rows: &[(&str, &str)]) {
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (given, plain) in rows {
        let given_is = found(&ctx, &around(given)).map(|scop| statements(&scop));
        let plain_is = found(&ctx, &around(plain)).map(|scop| statements(&scop));
        if given_is.is_err() || given_is != plain_is {
            let text = |of: Result<String, String>| of.unwrap_or_else(|e| e);
            wrong.push(format!(
                "{given}\n{}\n{plain}\n{}",
                text(given_is),
                text(plain_is)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn counters() {
    same(&[
        (
            "int q = 0; for (int i = 0; i < n; i++) { a[q] = b[i]; q++; }",
            "for (int i = 0; i < n; i++) a[i] = b[i];",
        ),
        (
            "int q = 3; for (int i = 0; i < n; i++) { a[q] = b[i]; q += 2; }",
            "for (int i = 0; i < n; i++) a[3 + i * 2] = b[i];",
        ),
        (
            "int q = 0; for (int i = 0; i < n; i++) { q += 2; a[q] = b[i]; }",
            "for (int i = 0; i < n; i++) a[2 + i * 2] = b[i];",
        ),
        (
            "int q = 0; for (int i = 0; i < n; i++) a[q++] = b[i];",
            "for (int i = 0; i < n; i++) a[i] = b[i];",
        ),
        (
            "int q = 0; for (int i = 0; i < n; i++) a[++q] = b[i];",
            "for (int i = 0; i < n; i++) a[1 + i] = b[i];",
        ),
        (
            "int q = 0; for (int i = 0; i < n; i++) { for (int j = 0; j < 8; j++) a[q++] = A[i][j]; q += 4; }",
            "for (int i = 0; i < n; i++) for (int j = 0; j < 8; j++) a[i * 12 + j] = A[i][j];",
        ),
        (
            "for (int i = 0, j = n - 1; i < n; i++, j--) a[i] = b[j];",
            "for (int i = 0; i < n; i++) a[i] = b[n - 1 - i];",
        ),
        (
            "for (int i = 0; i < n; ) { a[i] = b[i]; i++; }",
            "for (int i = 0; i < n; i++) a[i] = b[i];",
        ),
        (
            "for (int i = n - 1; i >= 0; ) { a[i] = b[i]; --i; }",
            "for (int i = n - 1; i >= 0; i--) a[i] = b[i];",
        ),
        (
            "{ int i = n; while (i-- > 0) a[i] = b[i]; }",
            "for (int i_2 = n; i_2 > 0; i_2--) a[i_2 - 1] = b[i_2 - 1];",
        ),
        (
            "for (unsigned i = u - 1; i < u; i--) a[i] = b[i];",
            "for (unsigned i = u; i > 0; i--) a[i - 1] = b[i - 1];",
        ),
        (
            "for (unsigned i = 4; i < u; i -= 1) a[i] = b[i];",
            "for (unsigned i = 4u < u ? 4u + 1 : 0u; i > 0; i--) a[i - 1] = b[i - 1];",
        ),
    ]);
}

/// What an `int` might leave on the way, and the variable does not, is computed in `long`.
#[test]
fn counters_that_begin_with_sizes() {
    same(&[
        (
            "int q = m; for (int i = 0; i < n; i++) { a[q] = b[i]; q += 2; }",
            "for (int i = 0; i < n; i++) a[(int)((long)m + (long)i * 2L)] = b[i];",
        ),
        (
            "int q = 3 * n; for (int i = 0; i < n; i++) { q -= 3; a[q] = b[i]; }",
            "for (int i = 0; i < n; i++) a[(int)((long)(3 * n) + (long)i * -3L - 3L)] = b[i];",
        ),
        (
            "int q = 9; for (int i = m; i < n; i += 2) { a[q] = b[i]; q -= 4; }",
            "for (int i = m; i < n; i += 2) a[(int)(9L + ((long)i - (long)m) / 2L * -4L)] = b[i];",
        ),
    ]);
}

/// A variable that a pointer reaches, that lives on, or that other files see is counted in memory.
#[test]
fn counters_that_others_see() {
    let ctx = isl::Ctx::new();
    let is_written = |name: &str| {
        let region = format!("for (int i = 0; i < n; i++) {{ a[{name}] = b[i]; {name}++; }}");
        let scop = found(&ctx, &around(&region)).unwrap_or_else(|e| panic!("{e}"));
        let all = scop.statements.iter().flat_map(|s| &s.accesses);
        let writes = all.filter(|access| access.kind != AccessKind::Read);
        writes
            .filter(|access| scop.arrays[access.array].name == name)
            .any(|access| access.relation.dim(isl::DimType::In).unwrap_or(0) > 0)
    };
    for name in ["seen", "kept", "global"] {
        assert!(is_written(name), "{name} is not stepped in the loop");
    }
    assert!(!is_written("k"), "nobody sees k");
}

#[test]
fn pointers() {
    same(&[
        (
            "for (int i = 0; i < n; i++) { double *row = a + i * 8; for (int j = 0; j < 8; j++) row[j] = 0; }",
            "for (int i = 0; i < n; i++) for (int j = 0; j < 8; j++) a[i * 8 + j] = 0;",
        ),
        (
            "for (int i = 0; i < n; i++) { const double *row = A[i]; a[i] = row[0] + row[1]; }",
            "for (int i = 0; i < n; i++) a[i] = A[i][0] + A[i][1];",
        ),
        (
            "for (int i = 0; i < n; i++) { struct p *q = &s[i]; q->x = q->y; }",
            "for (int i = 0; i < n; i++) s[i].x = s[i].y;",
        ),
        (
            "for (int i = 0; i < n; i++) { struct p *q = &t[i].p; q->x = t[i].z; }",
            "for (int i = 0; i < n; i++) t[i].p.x = t[i].z;",
        ),
        (
            "double *q = a; for (int i = 0; i < n; i++) *q++ = b[i];",
            "for (int i = 0; i < n; i++) a[i] = b[i];",
        ),
        (
            "double *q = a; for (int i = 0; i < n; i++) { q[0] = b[i]; q[1] = b[i]; q += 2; }",
            "for (int i = 0; i < n; i++) { a[i * 2] = b[i]; a[i * 2 + 1] = b[i]; }",
        ),
        // What is added to a pointer neither wraps around nor overflows.
        (
            "for (int i = 0; i < n; i++) { double *q = a + u; q[i] = 1; }",
            "for (int i = 0; i < n; i++) a[(long)u + i] = 1;",
        ),
        (
            "for (int i = 0; i < n; i++) { double *q = a + 2000000000; q[2000000000 + i] = 1; }",
            "for (int i = 0; i < n; i++) a[2000000000l + (2000000000 + i)] = 1;",
        ),
        // Bytes are added as what they are.
        (
            "for (int i = 0; i < n; i++) { double *q = a + 4; q[i] = c[i]; }",
            "for (int i = 0; i < n; i++) a[i + 4] = c[i];",
        ),
    ]);
}

#[test]
fn jumps() {
    same(&[
        (
            "for (int i = 0; i < n; i++) { if (b[i] < 0) continue; a[i] = 1; }",
            "for (int i = 0; i < n; i++) { if (!(b[i] < 0)) a[i] = 1; }",
        ),
        (
            "for (int i = 0; i < n; i++) { if (b[i] < 0) { a[i] = 2; continue; } a[i] = 1; }",
            "for (int i = 0; i < n; i++) { if (b[i] < 0) a[i] = 2; else a[i] = 1; }",
        ),
        (
            "for (int i = 0; i < n; i++) { if (b[i] < 0) a[i] = 2; else continue; v[i] = 1; }",
            "for (int i = 0; i < n; i++) { if (b[i] < 0) { a[i] = 2; v[i] = 1; } }",
        ),
        (
            "for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) { if (i == j) continue; A[i][j] = 1; } }",
            "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if (!(i == j)) A[i][j] = 1;",
        ),
        (
            "for (int i = 0; i < n; i++) { if (i < 3) { if (b[i] < 0) continue; else continue; } a[i] = 1; }",
            "for (int i = 0; i < n; i++) if (!(i < 3)) a[i] = 1;",
        ),
        // How macros make one statement of several.
        (
            "for (int i = 0; i < n; i++) do { a[i] = 1; v[i] = 2; } while (0);",
            "for (int i = 0; i < n; i++) { a[i] = 1; v[i] = 2; }",
        ),
        (
            "for (int i = 0; i < n; i++) { if (i < 3) do { if (b[i] < 0) a[i] = 1; } while (0); else v[i] = 2; }",
            "for (int i = 0; i < n; i++) { if (i < 3) { if (b[i] < 0) a[i] = 1; } else v[i] = 2; }",
        ),
        (
            "for (int i = 0; i < n; i++) { a[i] = 1; continue; }",
            "for (int i = 0; i < n; i++) a[i] = 1;",
        ),
    ]);
}

#[test]
fn members() {
    same(&[
        (
            "for (int i = 1; i < n; i++) s[i] = s[i - 1];",
            "for (int i = 1; i < n; i++) { s[i].x = s[i - 1].x; s[i].y = s[i - 1].y; }",
        ),
        (
            "for (int i = 0; i < n; i++) { struct p q; q = s[i]; s[i].x = q.y; s[i].y = q.x; }",
            "for (int i = 0; i < n; i++) { struct p q; q.x = s[i].x; q.y = s[i].y; s[i].x = q.y; s[i].y = q.x; }",
        ),
    ]);
}

/// Calls that fill and copy memory are loops.
#[test]
fn memory() {
    same(&[
        (
            "memset(a, 0, n * sizeof(double));",
            "for (int at = 0; at < n; at++) a[at] = 0;",
        ),
        (
            "memset(a + 3, 0, sizeof *a * n); a[0] = 1;",
            "for (int at = 0; at < n; at++) a[3 + at] = 0; a[0] = 1;",
        ),
        (
            "for (int i = 0; i < n; i++) memset(A[i], 0, sizeof(A[i][0]) * m);",
            "for (int i = 0; i < n; i++) for (int at = 0; at < m; at++) A[i][at] = 0;",
        ),
        (
            "memset(v, -1, n * sizeof *v);",
            "for (int at = 0; at < n; at++) v[at] = -1;",
        ),
        (
            "memset(c, l, n);",
            "for (int at = 0; at < n; at++) c[at] = (int)l;",
        ),
        (
            "double q[8]; memset(q, 0, sizeof q); for (int i = 0; i < 8; i++) a[i] = q[i];",
            "double q[8]; for (int at = 0; at < 8; at++) q[at] = 0; for (int i = 0; i < 8; i++) a[i] = q[i];",
        ),
        (
            "double q[2 * 4]; memset(q, 0, sizeof(q)); for (int i = 0; i < 8; i++) a[i] = q[i];",
            "double q[8]; for (int at = 0; at < 8; at++) q[at] = 0; for (int i = 0; i < 8; i++) a[i] = q[i];",
        ),
        (
            "memcpy(a, &b[1], 24);",
            "for (int at = 0; at < 3; at++) a[at] = b[1 + at];",
        ),
        (
            "for (int i = 0; i < n; i++) (void)memcpy(B[i], b, n * sizeof(double));",
            "for (int i = 0; i < n; i++) for (int at = 0; at < n; at++) B[i][at] = b[at];",
        ),
    ]);
    // Not whole elements, not a value of theirs, other elements.
    let ctx = isl::Ctx::new();
    for region in [
        "memset(a, 0, n * sizeof(float));",
        "memset(a, 0, 12);",
        "memset(a, 1, n * sizeof(double));",
        "memset(v, 1, n * sizeof(int));",
        "memset(a, -1, n * sizeof(double));",
        "memset(a, 0, n);",
        "memcpy(a, v, n * sizeof(double));",
        "memcpy(a, b, n * 8);",
        "memset(a, 0, v[0]++ * sizeof(double));",
    ] {
        let errors = found(&ctx, &around(region)).expect_err(region);
        assert!(errors.contains("error TW0205"), "{region}: {errors}");
    }
}

/// What would not mean the same without the construct is kept, and refused.
#[test]
fn kept() {
    let rows = [
        // Pointers that lead elsewhere on some way, or to other rows or elements.
        (
            "for (int i = 0; i < n; i++) { double *q = b[i] < 0 ? a : b; q[i] = 1; }",
            "TW0207",
        ),
        (
            "for (int i = 0; i < n; i++) { double (*q)[m] = (double (*)[m])B; q[i][0] = 1; }",
            "TW0207",
        ),
        (
            "for (int i = 0; i < n; i++) { float *q = (float *)a; q[i] = 1; }",
            "TW0207",
        ),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (region, code) in rows {
        match found(&ctx, &around(region)) {
            Ok(scop) => wrong.push(format!("{region}: {}", statements(&scop))),
            Err(errors) if !code.is_empty() && errors.contains(code) => {}
            Err(errors) => wrong.push(format!("{region}: {errors}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn cases_that_end() {
    same(&[
        (
            "for (int i = 0; i < n; i++) switch (v[i]) { case 0: a[i] = 1; break; case 2: case 4: a[i] = 2; break; default: a[i] = 3; }",
            "for (int i = 0; i < n; i++) if (v[i] == 0) a[i] = 1; else if (v[i] == 2 || v[i] == 4) a[i] = 2; else a[i] = 3;",
        ),
        (
            "for (int i = 0; i < n; i++) switch (m) { default: a[i] = 3; break; case 'a' ... 'z': { double q = b[i]; a[i] = q; break; } case 1: { a[i] = 2; } }",
            "for (int i = 0; i < n; i++) if (m >= 97 && m <= 122) { double q = b[i]; a[i] = q; } else if (m == 1) a[i] = 2; else a[i] = 3;",
        ),
        (
            "for (int i = 0; i < n; i++) { switch (m + l) { case 1: continue; case 3: for (int j = 0; j < 9; j++) if (v[j] == i) break; else b[i] += 1; break; } a[i] = 2; }",
            "for (int i = 0; i < n; i++) { if (m + l != 1) { if (m + l == 3) { for (int j = 0; j < 9; j++) if (v[j] == i) break; else b[i] += 1; } a[i] = 2; } }",
        ),
    ]);
}

#[test]
fn conditions_that_do_something() {
    same(&[
        (
            "for (int i = 0; i < n; i++) a[i] = v[i] > 2 ? b[k++] : b[l++];",
            "for (int i = 0; i < n; i++) if (v[i] > 2) { a[i] = b[k]; k++; } else { a[i] = b[l]; l++; }",
        ),
        (
            "for (int i = 0; i < n; i++) v[k++] = c[i] ? c[l++] : 3;",
            "for (int i = 0; i < n; i++) if (c[i]) { v[k] = c[l]; k++; l++; } else { v[k] = 3; k++; }",
        ),
        (
            "for (int i = 0; i < n; i++) if (v[i] == 7 || ++k == m) { l++; k = 0; }",
            "for (int i = 0; i < n; i++) { int truth; truth = (v[i] == 7) != 0; if (truth == 0) { ++k; truth = (k == m) != 0; } if (truth) { l++; k = 0; } }",
        ),
        (
            "for (int i = 0; i < n; i++) if (k++ > 2) a[i] = 1; else a[i] = 2;",
            "for (int i = 0; i < n; i++) { int truth; truth = (k > 2) != 0; k++; if (truth) a[i] = 1; else a[i] = 2; }",
        ),
    ]);
}

#[test]
fn loops_that_begin_with_what_is_known() {
    same(&[
        (
            "int q = 2; while (q < n) { a[q] = b[q]; q++; }",
            "for (int q_2 = 2; q_2 < n; q_2++) a[q_2] = b[q_2];",
        ),
        (
            "for (int i = 0; i < n; i++) { int q = i + 1; while (q <= m - 1) { A[i][q] = 0; q += 1; } }",
            "for (int i = 0; i < n; i++) for (int q_2 = i + 1; q_2 <= m - 1; q_2++) A[i][q_2] = 0;",
        ),
        (
            "for (int i = 0; i < n; i++) { int q; if (i < 4) { q = 3; for (; q >= 0; q--) A[i][q] = 1; } }",
            "for (int i = 0; i < n; i++) { int q; if (i < 4) { q = 3; for (int q_2 = 3; q_2 >= 0; q_2--) A[i][q_2] = 1; } }",
        ),
        // What is left is read.
        (
            "int q = 2; while (q < n) { a[q] = b[q]; q++; } c[0] = q;",
            "int q = 2; for (int q_2 = 2; q_2 < n; q_2++) a[q_2] = b[q_2]; if (q < n) q = (int)n; c[0] = q;",
        ),
        (
            "int q = 2; while (q <= n - 3) { a[q] = b[q]; q++; } c[0] = q;",
            "int q = 2; for (int q_2 = 2; q_2 <= n - 3; q_2++) a[q_2] = b[q_2]; if (q <= n - 3) q = (int)(n - 3) + 1; c[0] = q;",
        ),
    ]);
}

/// What was changed meanwhile, under a condition or in a loop, is data.
#[test]
fn loops_that_begin_with_data() {
    let ctx = isl::Ctx::new();
    for region in [
        "for (int i = 0; i < n; i++) { int q = 2; if (v[i]) q = 3; while (q < n) { A[i][q] = 0; q++; } }",
        "int q = 2; for (int i = 0; i < n; i++) while (q < v[i]) { a[q] = 0; q++; }",
        "for (int i = 0; i < n; i++) { int p = l, q = p; p = v[i]; while (p < n) { A[i][p] = q; p++; } }",
        "for (int i = 0; i < n; i++) { int p = v[i]; int q = p; while (q < n) { A[i][q] = 0; q++; } }",
        // The variable that it was made of is gone.
        "for (int i = 0; i < n; i++) { int q; { int p = v[i]; q = p; } while (q < n) { A[i][q] = 0; q++; } }",
    ] {
        let scop = found(&ctx, &around(region)).unwrap_or_else(|e| panic!("{region}\n{e}"));
        let text = statements(&scop);
        assert!(text.contains("_begin"), "{region}\n{text}");
    }
}

#[test]
fn loops_over_pointers() {
    let plain = "for (long p_moved = 0; p_moved < n; p_moved++) a[p_moved] = 2;";
    same(&[
        ("for (double *p = a; p < a + n; p++) *p = 2;", plain),
        (
            "for (double *p = a, *end = p + n; p != end; ++p) p[0] = 2;",
            plain,
        ),
        (
            "double *p = a; while (p < a + n) *p++ = 2;",
            "for (long p_moved_2 = 0; p_moved_2 < n; p_moved_2++) a[p_moved_2] = 2;",
        ),
        ("double *p; for (p = a; a + n > p; p += 1) *p = 2;", plain),
        (
            "for (double *p = a + n - 1; p >= a; p--) *p = 2;",
            "for (long p_moved = 0; p_moved >= 0L - (long)n + 1; p_moved -= 1) a[n - 1 + p_moved] = 2;",
        ),
        (
            "for (struct p *p = s; p < &s[n]; p++) { p->x = p->y; r = p - s; }",
            "for (long p_moved = 0; p_moved < n; p_moved++) { s[p_moved].x = s[p_moved].y; r = p_moved - 0L; }",
        ),
        (
            "for (int i = 0; i < n; i++) for (double *p = A[i], *end = p + m; p < end; p++) *p *= i;",
            "for (int i = 0; i < n; i++) for (long p_moved = 0; p_moved < m; p_moved++) A[i][p_moved] *= i;",
        ),
        (
            "for (int i = 0; i < n; i++) { double *p = &A[i][1]; while (p < A[i] + m - 1) { *p = b[i]; p++; } }",
            "for (int i = 0; i < n; i++) for (long p_moved_2 = 0; p_moved_2 < (long)m - 1 - 1; p_moved_2++) A[i][1 + p_moved_2] = b[i];",
        ),
    ]);
}

/// `j = i++` in the head: what the other variable was an iteration ago.
#[test]
fn variables_that_follow() {
    same(&[
        (
            "for (int i = 0, j = n - 1; i < n; j = i++) a[i] = b[j];",
            "for (int i = 0; i < n; i++) a[i] = b[i == 0 ? n - 1 : i - 1];",
        ),
        (
            "int i, j; for (i = 1, j = 0; i < n; j = i, i += 2) a[i] = b[j];",
            "for (int i = 1; i < n; i += 2) a[i] = b[i == 1 ? 0 : i - 2];",
        ),
        (
            "for (int i = n - 1, j = 0; i >= 0; j = i--) a[i] = b[j];",
            "for (int i = n - 1; i >= 0; i--) a[i] = b[i == n - 1 ? 0 : i + 1];",
        ),
    ]);
}

#[test]
fn indices_in_several_steps() {
    let clamped = "for (int i = 0; i < n; i++) { int q = i + 2 < 0 ? 0 : i + 2 >= n ? n - 1 : i + 2; a[i] = b[q]; }";
    same(&[
        (
            "for (int i = 0; i < n; i++) { int q = i + 2; if (q < 0) q = 0; else if (q >= n) q = n - 1; a[i] = b[q]; }",
            clamped,
        ),
        (
            "for (int i = 0; i < n; i++) { int q; if (i + 2 < 0) q = 0; else if (i + 2 >= n) { q = n; q--; } else q = i + 2; a[i] = b[q]; }",
            clamped,
        ),
        (
            "for (int i = 0; i < n; i++) { int q; int last = n - 1; q = i; q += 1; if (q > last) q = last; a[i] = b[q]; }",
            "for (int i = 0; i < n; i++) { int last = n - 1; int q = i + 1 > last ? last : i + 1; a[i] = b[q]; }",
        ),
        // Through another variable, and past what does not matter.
        (
            "for (int i = 1; i < n; i++) { int q = i - 1; r += a[i]; if (q > m) q = m; int at = q * 2; a[i] = b[at]; }",
            "for (int i = 1; i < n; i++) { r += a[i]; int q = i - 1 > m ? m : i - 1; int at = q * 2; a[i] = b[at]; }",
        ),
    ]);
}

/// What is made of data, what changes on the way, and what a jump may come to, stays.
#[test]
fn indices_that_keep_their_steps() {
    let ctx = isl::Ctx::new();
    for region in [
        "for (int i = 0; i < n; i++) { int q = v[i]; if (q < 0) q = 0; a[q] = 1; }",
        "for (int i = 0; i < n; i++) { int q = seen; if (q < 0) q = 0; a[q] = 1; seen = v[i]; }",
        "for (int i = 0; i < n; i++) { int q = l; l = i & 3; if (q > 2) q = 2; a[q] = 1; }",
        "for (int i = 0; i < n; i++) { int q = i; b[q] = 2; if (q > 2) q = 2; a[q] = 1; }",
    ] {
        let scop = found(&ctx, &around(region)).unwrap_or_else(|e| panic!("{region}\n{e}"));
        let text = statements(&scop);
        assert!(text.contains("SetLocal { name: \"q\""), "{region}\n{text}");
    }
}

/// A field of a structure is part of an index where it is a parameter: nothing of the region changes it.
#[test]
fn indices_made_of_fields() {
    let ctx = isl::Ctx::new();
    let text = |body: &str| {
        format!(
            "struct image {{ int w, h; unsigned char *data; }};\n\
             void f(const struct image *src, struct image *dst, unsigned char *restrict out) {{\n\
             #pragma scop\n{body}\n#pragma endscop\n}}"
        )
    };
    let constant = found(
        &ctx,
        &text(
            "for (int i = 0; i < src->w; i++) { int q = i + 1; if (q > src->w - 1) q = src->w - 1; \
             out[i] = src->data[q]; }",
        ),
    );
    let constant = statements(&constant.expect("a model"));
    assert!(!constant.contains("name: \"q\""), "{constant}");
    // It is assigned.
    let changes = found(
        &ctx,
        &text(
            "for (int i = 0; i < 9; i++) { int q = i; if (q > dst->w) q = dst->w; out[i] = q; \
             out[q & 7] = 1; dst->w = i; }",
        ),
    );
    let changes = statements(&changes.expect("a model"));
    assert!(changes.contains("name: \"q\""), "{changes}");
}
