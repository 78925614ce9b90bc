//! Calls of functions that get arrays: their bodies in place of the calls.

use crate::functions::found;
use tilewright::scop::{Scop, Statement};

/// A function around a region that calls functions in front of it.
fn calling(functions: &str, region: &str) -> String {
    format!(
        "double sqrt(double); float sqrtf(float);
struct p {{ double x, y; }}; struct m {{ int rows, cols; double *restrict data; }};
int global; double table[8];
{functions}
void f(int n, double *restrict a, double *restrict b, int *restrict v, float *restrict w,
       double A[restrict n][n], struct p *restrict s, const struct m *m, double **rows, unsigned u) {{
    double r = 0;
#pragma scop
{region}
#pragma endscop
    a[0] = r;
}}"
    )
}

/// What statements do, and with what, without their places.
pub fn statements(scop: &Scop) -> String {
    let of = |s: &Statement| {
        let accesses = s.accesses.iter().map(|access| {
            let (place, written) = (&scop.arrays[access.array].name, access.kind);
            let relation = access.relation.remove_redundancies().expect("a relation");
            format!("  {place} {written:?} {relation:?}")
        });
        let accesses: Vec<String> = accesses.collect();
        let domain = s.domain.remove_redundancies().expect("a domain");
        format!("{domain:?} {:?}\n{}", s.body, accesses.join("\n"))
    };
    let all = scop.statements.iter().map(of);
    all.collect::<Vec<_>>().join("\n")
}

/// A call and what somebody would write in its place are the same program.
#[test]
fn bodies_are_what_one_would_write() {
    let rows = [
        (
            "static void add(double *y, const double *x, int n) { for (int k = 0; k < n; k++) y[k] += x[k]; }",
            "add(a, b, n);",
            "for (int k = 0; k < n; k++) a[k] += b[k];",
        ),
        (
            "static void add(double *y, const double *x, int n) { for (int k = 0; k < n; k++) y[k] += x[k]; }",
            "for (int i = 0; i < n; i++) add(A[i], &b[i], n - i);",
            "for (int i = 0; i < n; i++) for (int k = 0; k < n - i; k++) A[i][k] += b[i + k];",
        ),
        (
            "static void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }",
            "for (int i = 0; i < n / 2; i++) swap(&v[i], v + (n - 1 - i));",
            "for (int i = 0; i < n / 2; i++) { int t = v[i]; v[i] = v[n - 1 - i]; v[n - 1 - i] = t; }",
        ),
        (
            "static double get(const struct m *q, int i, int j) { return q->data[i * q->cols + j]; }",
            "for (int i = 0; i < n; i++) a[i] = get(m, i, 0) + get(m, i, 1);",
            "for (int i = 0; i < n; i++) a[i] = m->data[i * m->cols + 0] + m->data[i * m->cols + 1];",
        ),
        (
            "static double dot(struct p u, struct p v) { return u.x * v.x + u.y * v.y; }",
            "for (int i = 1; i < n; i++) a[i] = dot(s[i], s[i - 1]);",
            "for (int i = 1; i < n; i++) a[i] = s[i].x * s[i - 1].x + s[i].y * s[i - 1].y;",
        ),
        (
            "static void move(struct p *u, double d) { u->x += d; }",
            "for (int i = 0; i < n; i++) move(&s[i], b[i]);",
            "for (int i = 0; i < n; i++) s[i].x += b[i];",
        ),
        // Pointers that move.
        (
            "static void add(double *y, const double *x, int n) { for (int k = 0; k < n; k++) { *y += *x; y++; x += 2; } }",
            "for (int i = 0; i < n; i++) add(A[i], b, n / 2);",
            "for (int i = 0; i < n; i++) for (int k = 0; k < n / 2; k++) A[i][k] += b[2 * k];",
        ),
        (
            "static void add(double *y, const double *x, int n) { const double *p = x + 1; for (int k = 0; k < n; k++) *y++ = *p++; }",
            "add(a, b, n - 1);",
            "for (int k = 0; k < n - 1; k++) a[k] = b[k + 1];",
        ),
        // Loops that end with a value.
        (
            "static int any(const int *p, int n) { for (int k = 0; k < n; k++) if (p[k] > 3) return 1; return 0; }",
            "for (int i = 0; i < n; i++) a[i] = any(v, i);",
            "for (int i = 0; i < n; i++) { int any_result; any_result = 0; for (int k = 0; k < i; k++) if (v[k] > 3) { any_result = 1; break; } a[i] = any_result; }",
        ),
        // Rows behind pointers.
        (
            "static void add(double *y, const double *x, int n) { for (int k = 0; k < n; k++) y[k] += x[k]; }",
            "for (int i = 0; i < n; i++) add(rows[i], &b[i], n - i);",
            "for (int i = 0; i < n; i++) for (int k = 0; k < n - i; k++) rows[i][k] += b[i + k];",
        ),
        // Numbers of type `unsigned` do not wrap around where pointers do not.
        (
            "static double before(const double *p, int i) { return p[i - 1]; }",
            "for (int i = 0; i < n; i++) a[i] = before(b + u, i);",
            "for (int i = 0; i < n; i++) a[i] = b[(long)u + (i - 1)];",
        ),
        // Conversions stay.
        (
            "static double half(float z, const double *p) { return z * p[0]; }",
            "for (int i = 0; i < n; i++) a[i] = half(b[i], b);",
            "for (int i = 0; i < n; i++) a[i] = (float)b[i] * b[0];",
        ),
        (
            "static int whole(const double *p, int i) { return p[i]; }",
            "for (int i = 0; i < n; i++) a[i] = whole(b, i) / 2;",
            "for (int i = 0; i < n; i++) a[i] = (int)b[i] / 2;",
        ),
        // Ways through a function.
        (
            "static double at(const double *p, int n, int i) { if (i < 0 || i >= n) return 0; return p[i]; }",
            "for (int i = 0; i < n; i++) a[i] = at(b, n, i - 1);",
            "for (int i = 0; i < n; i++) a[i] = i - 1 < 0 || i - 1 >= n ? (double)0 : b[i - 1];",
        ),
        (
            "static void clip(double *p, double z) { if (z < 0) return; *p = z; }",
            "for (int i = 0; i < n; i++) clip(&a[i], b[i]);",
            "for (int i = 0; i < n; i++) { double z = b[i]; if (!(z < 0)) a[i] = z; }",
        ),
        // Structures by value lead elsewhere; arrays that functions get do, too.
        (
            "static void put(struct m q, int i, int j, double z) { q.data[i * q.cols + j] = z; }",
            "for (int i = 0; i < n; i++) put(*m, i, 1, b[i]);",
            "for (int i = 0; i < n; i++) m->data[i * m->cols + 1] = b[i];",
        ),
        (
            "static void add(int n, double y[n], const double x[n]) { for (int k = 0; k < n; k++) y[k] += x[k]; }",
            "add(n, a, b);",
            "for (int k = 0; k < n; k++) a[k] += b[k];",
        ),
        // Structures that functions give back.
        (
            "static struct p mid(struct p u, struct p v) { struct p q = { u.x + v.x, u.y * 0.5 }; q.y += v.y; return q; }",
            "for (int i = 1; i < n; i++) s[i - 1] = mid(s[i - 1], s[i]);",
            "for (int i = 1; i < n; i++) { struct p q = { s[i - 1].x + s[i].x, s[i - 1].y * 0.5 }; q.y += s[i].y; s[i - 1] = q; }",
        ),
        // What would end the program.
        (
            "void fail(const char *, int) __attribute__((noreturn));
static double at(const double *p, int n, int i) { if (i >= n) fail(\"row\", 1); return p[i]; }",
            "for (int i = 1; i < n; i++) a[i] = at(b, n, i);",
            "for (int i = 1; i < n; i++) a[i] = b[i];",
        ),
        (
            "void abort(void); static void set(double *p, int n, int i) { ((i < n) ? (void)0 : abort()); p[i] = 1; }",
            "for (int i = 0; i < n; i++) set(a, n, i);",
            "for (int i = 0; i < n; i++) a[i] = 1;",
        ),
        // Several levels, and pointers of the function's own.
        (
            "static double sq(double z) { return z * z; }
static double len(const double *p) { return sqrt(sq(p[0]) + sq(p[1])); }
static void all(double *y, const double *x, int n) { for (int k = 0; k < n; k++) { const double *q = x + 2 * k; y[k] = len(q); } }",
            "all(a, b, n);",
            "for (int k = 0; k < n; k++) a[k] = sqrt(sq(b[2 * k]) + sq(b[2 * k + 1]));",
        ),
        (
            "static double *row(double *p, int n, int i) { return p + i * n; }",
            "for (int i = 0; i < n; i++) row(a, 4, i)[1] = b[i];",
            "for (int i = 0; i < n; i++) a[i * 4 + 1] = b[i];",
        ),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (functions, called, written) in rows {
        let called = found(&ctx, &calling(functions, called)).map(|scop| statements(&scop));
        let written = found(&ctx, &calling(functions, written)).map(|scop| statements(&scop));
        if called.is_err() || called != written {
            wrong.push(format!("{functions}\n{called:?}\n{written:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// What has to be called, or means something else at the call.
#[test]
fn calls_stay() {
    let rows = [
        // Calls in a circle, and `return` in a loop.
        (
            "static void g(double *p, int k) { p[0] = k; if (k > 0) g(p, k - 1); }",
            "g(a, n);",
        ),
        (
            "static void h(double *p, int k); static void g(double *p, int k) { h(p, k); }
static void h(double *p, int k) { if (k) g(p, k - 1); }",
            "g(a, n);",
        ),
        (
            "static double g(const double *p, int n) { for (int k = 0; k < n; k++) for (int l = 0; l < k; l++) if (p[k] > p[l]) return p[k]; return 0; }",
            "a[0] = g(b, n);",
        ),
        // Not a list of statements that could stand elsewhere.
        (
            "static void g(double *p) { static double last; p[0] = last; last = p[1]; }",
            "g(a);",
        ),
        (
            "static void g(double *p) { goto end; p[0] = 1; end:; }",
            "g(a);",
        ),
        ("static void g(double *p, ...) { p[0] = 1; }", "g(a, 1);"),
        (
            "int elsewhere(double *p); static void g(double *p) { elsewhere(p); }",
            "g(a);",
        ),
        (
            "static void g(double *p) { int k = 0, *q = &k; *q = 1; p[0] = q[1]; }",
            "g(a);",
        ),
        // Pointers that are more than followed and moved.
        (
            "static int g(double *p, double *q) { return q - p; }",
            "v[0] = g(a, b);",
        ),
        // Other types, and other forms of arguments.
        ("static void g(float *p) { p[0] = 1; }", "g((float *)a);"),
        ("static void g(void *p) { ((double *)p)[0] = 1; }", "g(a);"),
        (
            "static void g(double **p, int n) { p[n] = p[0]; }",
            "g(rows, n);",
        ),
        (
            "static void g(double *p, int n) { p[n] = 1; }",
            "g(n ? a : b, n);",
        ),
        ("static void g(double *p, int n) { p[n] = 1; }", "g(&r, n);"),
        ("static void g(double *p, int n) { p[n] = 1; }", "g(a);"),
        // The order of what happens.
        (
            "static double g(double *p) { p[0] = 1; return 2; }",
            "a[1] = g(a) + a[0];",
        ),
        (
            "static double g(double *p) { p[0] = 1; return 2; }",
            "a[1] = g(a) + g(b);",
        ),
        (
            "static double g(double *p) { p[0] += 1; return 2; }",
            "a[0] += g(a);",
        ),
        (
            "static int g(int *p) { p[0] += 1; return 2; }",
            "v[v[0]] = g(v);",
        ),
        (
            "static double g(double *p) { p[0] = 1; return 2; }",
            "r = n > 1 && g(a) > 0;",
        ),
        (
            "static void g(double *p, int i) { p[i] = 1; }",
            "g(a, v[0]++);",
        ),
        // Names that mean something else at the call.
        (
            "static void g(double *p) { p[0] = global; }",
            "{ int global = 3; g(a); a[1] = global; }",
        ),
    ];
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for (functions, region) in rows {
        match found(&ctx, &calling(functions, region)) {
            Ok(scop) => wrong.push(format!("{functions} {region}: {}", statements(&scop))),
            Err(errors) if errors.contains("error TW0205") => {}
            Err(errors) => wrong.push(format!("{functions} {region}: {errors}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
