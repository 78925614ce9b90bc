//! Snapshots of refusals: the place, the reason, what to do.

use crate::{lowered, preprocess, render};

/// The messages about the first region.
fn refusal(text: &str) -> String {
    let source = preprocess(text);
    match lowered(&isl::Ctx::new(), &source) {
        Ok(_) => panic!("accepted: {text}"),
        Err(errors) => format!("{}\n{}", text.trim(), render(&source, &errors)),
    }
}

macro_rules! refusal {
    ($name:ident, $text:literal) => {
        #[test]
        fn $name() {
            insta::assert_snapshot!(refusal($text));
        }
    };
}

refusal!(
    empty_region,
    "
void f(int n) {
#pragma scop
  ;
  /* nothing */
#pragma endscop
}"
);

refusal!(
    functions_as_values,
    "
static double twice(double x) { return 2 * x; }
struct op { double (*f)(double); };
void f(int n, struct op *restrict ops) {
#pragma scop
  for (int i = 0; i < n; i++) ops[i].f = twice;
#pragma endscop
}"
);

refusal!(
    control_flow,
    "
void f(int n, float a[restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) { if (a[i] > 0) break; a[i] = 1; }
  for (int i = 0; i < n; i++) { if (i > 2) continue; a[i] = 1; }
  for (int i = 0; i < n; i++) { if (a[i] > 0) goto end; }
  for (int i = 0; i < n; i++) switch (i) { case 0: a[i] = 0; case 1: a[i] += 1; }
  while (n > 0) a[0] = 1;
  do { a[0] = 1; } while (a[0] < 1);
  return;
#pragma endscop
end:;
}"
);

refusal!(
    loop_forms,
    "
void f(int n, float a[restrict n]) {
#pragma scop
  for (int j = 0; j < n; j *= 2) a[j] = 1;
  for (int j = 0; j < n;) a[j] = 1;
  for (int j = 0;; j++) a[j] = 1;
  for (; n > 0;) a[0] = 1;
  for (int j = 0; j > -1; j++) a[j] = 1;
  for (int j = 0; j < n; j++) { j += a[j] > 0; }
  for (int j = 0; j < n; j += n) a[j] = 1;
  for (float x = 0; x < 1; x += 0.1f) a[0] = x;
  for (unsigned char c = 0; c < n; c++) a[c] = 1;
  for (unsigned u = n; u >= 0; u--) a[u] = 1;
  for (int j = 0; j < n; j++) for (j = 0; j < 2; j++) a[j] = 1;
#pragma endscop
}"
);

refusal!(
    bounds,
    "
int count(int);
struct s { int n; };
void f(int n, int m, float a[restrict n], const int idx[restrict n], struct s *restrict p) {
  int k = 0;
  float x = n;
#pragma scop
  for (int j = 0; j < idx[0]; j++) a[j] = 1;
  for (int j = 0; j * m < n; j++) a[j] = 1;
  for (int j = k; j < n; j++) { a[j] = 1; k = k + 1; }
  for (int j = 0; j < x; j++) a[j] = 1;
  for (int j = 0; j < n / m; j++) a[j] = 1;
  for (int j = 0; j < count(n); j++) a[j] = 1;
  for (int j = 0; j < p->n; j++) p->n = 3;
  for (int j = 0; j < n; j++) { int len = a[j] + 1; for (int l = 0; l < len; l++) a[l] = 1; }
  for (int j = 0; j < (unsigned char)n; j++) a[j] = 1;
  for (int j = 0; j < (n ^ 1); j++) a[j] = 1;
#pragma endscop
}"
);

refusal!(
    loop_variable_afterwards,
    "
int f(int n, float a[restrict n]) {
  int i, j;
#pragma scop
  for (i = 0; i <= n && i < 9; i++) a[i] = 1;
  for (j = 0; j <= n && j < 9; j++) a[j] = i;
#pragma endscop
  for (j = 0; j < 2; j++) if (a[j] > 0) break;
  return i;
}"
);

refusal!(
    calls_and_effects,
    "
#include <stdio.h>
int seen;
static int bad(int x) { static int last; last = x; seen++; return x; }
void f(int n, float a[restrict n]) {
  int k = 0;
#pragma scop
  for (int j = 0; j < n; j++) {
    a[printf(\"%d\", j)] = j;
    a[j] = bad(j);
    a[j] = undeclared;
    a[j] = a[k++] + k;
    a[j] = j > 2 && (k++, 1);
    a[j] = &seen != 0;
    a[j] = *\"x\";
  }
#pragma endscop
}"
);

refusal!(
    pointers_and_types,
    "
struct point { float x; int w; float v[3]; };
union both { int i; float f; };
void f(int n, struct point *restrict p, float **rows, float *restrict q, union both u,
       struct point s, _Complex int *restrict wide, float *restrict a) {
#pragma scop
  for (int i = 0; i < n; i++) {
    rows[i][0] = 1;
    p[i].v[1] = 2;
    p[i].x = p->x;
    u.f = 1;
    s = p[i];
    wide[i] = 1;
    q++;
    float *r = a;
    static int calls;
    a[i] = a;
  }
#pragma endscop
}"
);

// Who knows how far data reaches?
refusal!(
    aliasing_of_pointers,
    "
struct grid { float *cells; int n; };
static float *buffer;
void f(int n, float *a, const float *b, float (*c)[n], struct grid *g, int *count, const int *at) {
#pragma scop
  for (int i = 0; i < n; i++) a[at[at[i]]] = b[i] + c[i][0];
  for (int i = 0; i < n; i++) g->cells[at[at[i]]] = buffer[i];
  for (int i = 0; i < g->n; i++) count[at[at[i]]] += i;
#pragma endscop
}"
);

refusal!(
    nothing_executes,
    "
void f(float *a) {
#pragma scop
  for (int i = 3; i < 2; i++) a[i] = 1;
#pragma endscop
}"
);

// Who executes what, and whose variable it is.
refusal!(
    pragmas_with_a_meaning,
    "
int f(int n, int *restrict a, int *restrict b) {
  int x = 5, y = 6, z;
#pragma scop
#pragma omp parallel for private(x, z) schedule(static, 4)
  for (int i = 0; i < n; i++) { z = b[i]; x = z; a[i] = x * 2; }
#pragma omp single
  a[0] = 3;
  for (int i = 0; i < n; i++) {
#pragma omp critical (here)
    b[0] += a[i];
  }
#pragma omp parallel for firstprivate(y)
  for (int i = 0; i < n; i++) { y += i; b[i] += y; }
#pragma omp for nowait
  for (int i = 0; i < n; i++) b[i]++;
#pragma omp parallel for copyin(x)
  for (int i = 0; i < n; i++) b[i]++;
#pragma endscop
  return x + y;
}"
);

/// Pragmas that say no more than that loops are parallel.
#[test]
fn pragmas_without_a_meaning() {
    let source = preprocess(
        "int f(int n, int *restrict a, int *restrict b) {\n\
           int j, x, s = 0, y = n;\n\
         #pragma scop\n\
         #pragma omp parallel for private(j, x) firstprivate(y) collapse(1) schedule(static) num_threads(n / 2 + 1)\n\
           for (int i = 0; i < n; i++)\n\
         #pragma omp simd\n\
             for (j = 0; j < n; j++) { x = a[j] + y; b[i] += x; }\n\
         #pragma GCC ivdep\n\
         #pragma omp parallel for reduction(+ : s), default(shared)\n\
           for (int i = 0; i < n; i++) s += b[i];\n\
         #pragma endscop\n\
           return s + y;\n\
         }",
    );
    let ctx = isl::Ctx::new();
    let lowered = lowered(&ctx, &source).unwrap_or_else(|e| panic!("{}", render(&source, &e)));
    assert_eq!(lowered.warnings, []);
}

/// What the help says is C, and accepted in place of what was refused.
#[test]
fn pointers_as_asked_for() {
    let parameters = [
        "double *a, const double *b",
        "double a[n], const double b[row[n]]",
        "double a[], const double b[2 * row[0]]",
        "double *const a, double b[static 1]",
    ];
    for parameters in parameters {
        let mut text = format!(
            "void f(int n, const int *restrict row, {parameters}) {{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = row[i]; j < row[i + 1]; j++)
      a[i] += b[row[row[j]]];
#pragma endscop
}}"
        );
        let source = preprocess(&text);
        let errors = lowered(&isl::Ctx::new(), &source).err().unwrap_or_default();
        let [error] = &errors[..] else {
            panic!("{text}: {} messages", errors.len());
        };
        let place = error.labels.iter().find(|l| l.primary).expect("a place");
        let rewrite = error.rewrite.as_ref().expect("a rewrite");
        text.replace_range(place.start..place.end, rewrite);
        let source = preprocess(&text);
        lowered(&isl::Ctx::new(), &source)
            .unwrap_or_else(|e| panic!("{text}: {}", render(&source, &e)));
    }
}

/// Different element types, const targets and one object through one name are no aliases.
#[test]
fn no_aliases() {
    let source = preprocess(
        "#include <stdlib.h>\n\
         void f(int n, float *a, const int *b, const float *restrict c) {\n\
           float *own = malloc(n * sizeof(float)), local[10];\n\
         #pragma scop\n\
           for (int i = 0; i < n; i++) { a[i] = a[b[i]] + c[i]; own[i] = local[i] = a[i]; }\n\
         #pragma endscop\n\
         }",
    );
    let ctx = isl::Ctx::new();
    let lowered = lowered(&ctx, &source).unwrap_or_else(|e| panic!("{}", render(&source, &e)));
    assert_eq!(lowered.warnings, []);
}

/// A region whose analysis explodes ends with a message, in time.
#[test]
fn budget() {
    let source = preprocess(
        "void f(int n, int m, float a[restrict n]) {\n\
         #pragma scop\n\
           for (int i = 0; i < n; i++) { if ((i % 7 + n / 3 % 5) * 2 % 11 > (m % 13 + i / 5) % 3) a[i] = 1; }\n\
         #pragma endscop\n\
         }",
    );
    let ctx = isl::Ctx::new();
    ctx.set_max_operations(1000).expect("a bound");
    let errors = lowered(&ctx, &source).expect_err("the budget is too small");
    assert_eq!(errors[0].code, "TW0902", "{}", render(&source, &errors));
}

refusal!(
    ends_known_in_the_last_iteration,
    "
void f(int n, int first, double limit, int key[restrict n], int next[restrict n], int length[restrict n], double x[restrict n]) {
  int at, count;
  double error;
#pragma scop
  for (int j = 0; j < n && key[j] < first; j++) x[j] = j;
  for (int j = 0; j * key[0] < n; j++) x[j] = j;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < length[i]; j++) length[i] = length[i] - 1;
  error = 1.0;
  while (error > limit) { error = error * 0.5; x[0] = error; }
  at = 0;
  while (at < n) { x[at] = 1.0; at = next[at]; }
  count = 0;
  while (key[count] < n) { x[count] = 1.0; count++; }
  while (key[0] < n) { key[0] = key[0] * 2; }
#pragma endscop
}"
);

refusal!(
    calls_that_no_region_can_hold,
    "
static int faculty(int n) { return n < 2 ? 1 : n * faculty(n - 1); }
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static double first(int n, const double *x) { for (int k = 0; k < n; k++) if (x[k] > 0) return x[k]; return 0; }
static int *seen;
static void nothing(int n) { static int last; last = n; seen = &last; }
static int counted(int n) { static int calls; return n + *seen + calls++; }
void f(int n, int a[restrict n], double x[restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    a[i] = faculty(i);
    a[i] = even(i);
    x[i] = first(n, x);
    nothing(i);
    a[i] = counted(i);
  }
#pragma endscop
}"
);

refusal!(
    numbers_that_are_no_integers,
    "
void f(int n, double x[restrict n], int a[restrict n]) {
#pragma scop
  for (int i = 0; i < n - 1; i++) {
    x[i] = x[i + 1.0f];
    x[i + a[i] * 0.5] = 1;
    x[i] = x[i] % 2.0;
    x[i] %= 2;
    a[i] = ~x[i] + (1 << x[i]);
    if (a[i] & 1.0) a[i] = 0;
    x[(int)x[i]] = a[i] % 3;
  }
#pragma endscop
}"
);

/// Why a bound is not one that the model has.
#[test]
fn reasons_of_bounds() {
    let rows = [
        (
            "j < idx[0] && j * m < n",
            "`idx[0]` is read from memory, its value is data",
        ),
        (
            "j < *idx && j * m < n",
            "`*idx` is read from memory, its value is data",
        ),
        ("j + (int)x < n", "`x` is a floating-point value"),
        ("j + (int)sizeof(int) < n", "`sizeof` is not evaluated here"),
        ("j + (int)2.5 < n", "this is not an integer constant"),
        ("j + (float)j < n", "this is a floating-point value"),
    ];
    let mut wrong = Vec::new();
    for (condition, reason) in rows {
        let text = format!(
            "void f(int n, int m, float x, float a[restrict n], const int idx[restrict n]) {{
#pragma scop
for (int j = 0; {condition}; j++) a[j] = 1;
#pragma endscop
}}"
        );
        let said = refusal(&text);
        if !said.contains(reason) {
            wrong.push(said);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Values that are no numbers.
#[test]
fn values_that_are_no_numbers() {
    for value in [
        "\"ab\" != 0",
        "(long)\"ab\"",
        "\"ab\"[0]",
        "*\"ab\"",
        "!\"ab\"",
        "L\"ab\" == 0",
    ] {
        let text = format!(
            "void f(int n, int a[restrict n]) {{
#pragma scop
for (int i = 0; i < n; i++) a[i] = {value};
#pragma endscop
}}"
        );
        let said = refusal(&text);
        assert!(said.contains("error TW0208"), "{said}");
    }
}

/// Steps and copies that are no statements of their own, and would compute something else if they
/// became such.
#[test]
fn effects_that_stay_where_they_are() {
    for statement in [
        // Not always.
        "a[j] = j > 2 && k++;",
        "a[j] = (j > 2 ? k++ : 0) + 1;",
        // Read elsewhere.
        "a[k++] = k;",
        "a[j] = a[k++] + a[k++];",
        "a[k] = k++;",
        "k = a[k++];",
        "a[b[k]++] = b[j];",
        "k = b[k]++;",
        "a[j] = (a[1] = 2) + a[0];",
        // In an order.
        "a[j] = twice(k++);",
        // The second member would be looked for elsewhere.
        "p[p[j].x] = q[j];",
        "s = p[s.x];",
        "p[p[j].y] = p[p[j].x];",
        "p[k++] = q[k];",
        // No numbers.
        "u[j] = u[k];",
    ] {
        let text = format!(
            "struct point {{ int x, y; }};
union word {{ int i; float f; }};
struct row {{ int n; int *cells; }};
struct wide {{ int n; int cells[3]; }};
static int twice(int x) {{ return 2 * x; }}
void f(int n, int a[restrict n], int b[restrict n], struct point p[restrict n],
       struct point q[restrict n], union word u[restrict n], struct row r[restrict n],
       struct wide w[restrict n]) {{
    int k = 0;
    struct point s = {{0, 0}};
#pragma scop
    for (int j = 0; j < n; j++) {{
        {statement}
    }}
#pragma endscop
    a[0] = k + s.y;
}}"
        );
        let said = refusal(&text);
        let effects = ["error TW0208", "error TW0209"];
        assert!(effects.iter().any(|code| said.contains(code)), "{said}");
    }
}

/// Heads that do not count, or not as they are written.
#[test]
fn heads_that_do_not_count() {
    for (loop_, code) in [
        // The body has a say.
        ("while (n--) { a[n] = 1; if (a[0] > 2) n--; }", "TW0"),
        ("for (i = n; i-- > 0;) { a[i] = 1; i -= a[i]; }", "TW0202"),
        ("while (n--) { if (a[n] == 3) break; a[n] = 1; }", "TW0208"),
        // All numbers are at least zero.
        ("for (u = n; u-- >= 0;) a[u] = 1;", "TW0202"),
        // Two ends at once, of which one is data.
        ("for (i = 0, k = a[0]; i < k; i++, k--) a[i] = 1;", "TW0202"),
        (
            "for (i = 0, k = 0; i < k; i += 2, k += 3) a[i] = 1;",
            "TW0202",
        ),
        // Narrow numbers wrap around.
        ("while (--c) a[c] = 1;", "TW02"),
    ] {
        let text = format!(
            "void f(int n, int a[restrict n], unsigned char c) {{
    int i = 0, k = 0;
    unsigned u;
#pragma scop
    {loop_}
#pragma endscop
}}"
        );
        let said = refusal(&text);
        assert!(said.contains(&format!("error {code}")), "{said}");
    }
}

/// Memory that is more, or less, than its declaration says.
#[test]
fn other_memory() {
    for (declared, loops, code) in [
        ("static _Thread_local float t[99];", "t[i] = i;", "TW0209"),
        ("extern _Thread_local float t;", "a[i] = t;", "TW0209"),
        (
            "static float t[99];\n#pragma omp threadprivate(t)",
            "t[i] = i;",
            "TW0209",
        ),
        (
            "float b[99]; extern float t[99] __attribute__((alias(\"b\")));",
            "b[i] = t[i];",
            "TW0209",
        ),
        (
            "extern float t[99] __asm__(\"b\");",
            "a[i] = t[i];",
            "TW0209",
        ),
        (
            "typedef int __attribute__((__may_alias__)) any; any *t;",
            "t[i] = a[i];",
            "TW0209",
        ),
        (
            "typedef float v4 __attribute__((vector_size(16))); v4 t[99];",
            "t[i] = t[i] + 1;",
            "TW0209",
        ),
        (
            "struct s { float v __attribute__((vector_size(16))); int k; } t[99];",
            "t[i].v = t[i].v + 1;",
            "TW0209",
        ),
        (
            "struct __attribute__((__may_alias__)) s { int k; }; struct s t[99];",
            "t[i].k = a[i];",
            "TW0209",
        ),
        (
            "struct s { int k; } __attribute__((may_alias)); struct s t[99];",
            "t[i].k = a[i];",
            "TW0209",
        ),
    ] {
        let text = format!(
            "{declared}
void f(int n, float a[restrict n]) {{
#pragma scop
    for (int i = 0; i < n; i++) {{ {loops} }}
#pragma endscop
}}"
        );
        let said = refusal(&text);
        assert!(said.contains(&format!("error {code}")), "{said}");
    }
    // What threads have for themselves is lost behind the loop.
    let said = refusal(
        "void f(int n, float *restrict a) {
    float t[4] = {1, 2, 3, 4};
#pragma scop
#pragma omp parallel for private(t)
    for (int i = 0; i < n; i++) { t[1] = i; a[i] = t[1]; }
#pragma endscop
    a[0] = t[2];
}",
    );
    assert!(said.contains("error TW0207"), "{said}");
}
