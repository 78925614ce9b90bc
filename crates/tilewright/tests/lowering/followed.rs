//! Pointers behind which something is read in front of the region: when the original follows them.

use crate::{lowered, plain, render};
use tilewright::codegen::c::check;
use tilewright::diagnostic::Severity;

const HEAD: &str = "struct q { int k; int *w; }; struct p { int n; long m; int *v; struct q *q; };
static struct p *file; void use(int);
";

/// A function's body, and what stands in front of its region; `None`: nothing.
#[test]
fn conditions_of_pointers() {
    let scop = |text: &str| format!("\n#pragma scop\n{text}\n#pragma endscop\n");
    let rows = |bound: &str| scop(&format!("for (int i = 0; i < n; i++) {bound}"));
    let columns = "for (int j = 0; j < p->n; j++) a[j] = i;";
    let table: &[(String, Option<&str>)] = &[
        // The first bound is evaluated in any case.
        (scop("for (int i = 0; i < p->n; i++) a[i] = 1;"), None),
        (scop("for (int i = p->n; i < n; i++) a[i] = 1;"), None),
        (rows(columns), Some("n >= 1")),
        (rows(&format!("if (i > 5) {columns}")), Some("n >= 7")),
        (
            rows(&format!("if (k > 2) {columns}")),
            Some("n >= 1 && k >= 3"),
        ),
        (rows(&format!("if (p->n > 3) {columns}")), Some("n >= 1")),
        // In either of two loops.
        (
            scop(&format!(
                "for (int i = 0; i < n; i++) {columns} for (int i = 0; i < k; i++) {columns}"
            )),
            Some("n >= 1 || k >= 1"),
        ),
        // Another one of its fields.
        (
            rows("{ a[i] = p->v[i]; for (int j = 0; j < p->n; j++) a[j] += i; }"),
            Some("n >= 1"),
        ),
        // Only what is evaluated for certain counts.
        (
            rows(&format!("{{ a[i] = i > 3 && p->n > 2; {columns} }}")),
            Some("n >= 1"),
        ),
        // Behind an operand, where that is no data.
        (
            rows("if (k > 1 || p->n > 3) a[i] = 1;"),
            Some("n >= 1 && k <= 1"),
        ),
        (
            rows("if (i > 1 && k > 3 && i < p->n) a[i] = 1;"),
            Some("n >= 3 && k >= 4"),
        ),
        // A value is read where it is used.
        (rows("if (a[i]) a[i] = p->n;"), None),
        (rows("a[i] = p->m;"), None),
        // One of 64 bits comes behind what says that it is there.
        (
            rows("for (int j = 0; j < p->m; j++) a[j] = i;"),
            Some("n >= 1 && p->m >= -17592186044416 && p->m <= 17592186044416"),
        ),
        // A pointer behind a pointer.
        (
            scop("for (int i = 0; i < p->n; i++) for (int j = 0; j < p->q->k; j++) a[j] = i;"),
            Some("p->n >= 1"),
        ),
        (
            rows("for (int j = 0; j < p->n; j++) for (int l = 0; l < p->q->k; l++) a[l] = i;"),
            Some("n >= 1 && p->n >= 1"),
        ),
        // On the way to the region.
        (format!("use(p->n);{}", rows(columns)), None),
        (format!("const int w = p->v[0];{}", rows(columns)), None),
        (
            format!("if (p->n > 3) {{ k = 2; {} }}", rows(columns)),
            None,
        ),
        (
            format!("if (k > 3) use(p->n);{}", rows(columns)),
            Some("n >= 1"),
        ),
        (
            format!("for (int t = 0; t < k; t++) use(p->n);{}", rows(columns)),
            Some("n >= 1"),
        ),
        (
            format!("use(p->n); p = file;{}", rows(columns)),
            Some("n >= 1"),
        ),
        (format!("use(&p->n != 0);{}", rows(columns)), Some("n >= 1")),
        (
            format!("use(sizeof p->n);{}", rows(columns)),
            Some("n >= 1"),
        ),
        (
            format!("if (k) goto end; use(p->n); end:;{}", rows(columns)),
            Some("n >= 1"),
        ),
        // Variables of the file.
        (
            rows("for (int j = 0; j < file->n; j++) a[j] = i;"),
            Some("n >= 1"),
        ),
    ];
    for (body, wanted) in table {
        let text =
            format!("{HEAD}void f(int n, int k, struct p *p, int *restrict a)\n{{ {body} }}\n");
        let source = plain(&text);
        let ctx = isl::Ctx::new();
        let found = lowered(&ctx, &source).map_err(|e| render(&source, &e));
        let found = found.unwrap_or_else(|e| panic!("{body}\n{e}"));
        let text = check(&found.scop, false).unwrap();
        assert_eq!(text.as_deref(), *wanted, "{body}");
    }
}

/// What a device gets as arguments is read in front, too.
#[test]
fn arguments_of_devices() {
    let text = format!(
        "{HEAD}void f(int n, struct p *p, int a[restrict n])\n{{
#pragma scop\nfor (int i = 0; i < n; i++) a[i] = p->n;\n#pragma endscop\n}}\n"
    );
    let ctx = isl::Ctx::new();
    let found = lowered(&ctx, &plain(&text)).unwrap();
    assert_eq!(check(&found.scop, false).unwrap(), None);
    assert_eq!(check(&found.scop, true).unwrap().unwrap(), "n >= 1");
}

/// Where data decides, a size is refused, and taken where it is read in front.
#[test]
fn sizes_that_data_decides_about() {
    let function = |before: &str, bound: &str| {
        format!(
            "{HEAD}void f(int n, struct p *p, const int *restrict used, int *restrict a)\n{{ {before}
#pragma scop\nfor (int i = 0; i < n; i++)\n  if (used[i])\n    for (int j = 0; j < {bound}; j++)
      a[j] += i;\n#pragma endscop\n}}\n"
        )
    };
    let ctx = isl::Ctx::new();
    let source = plain(&function("", "p->n"));
    let errors = lowered(&ctx, &source).map(|_| ()).unwrap_err();
    let [error] = &errors[..] else {
        panic!("{errors:?}");
    };
    assert_eq!(error.severity, Severity::Error);
    let help = error.help.as_deref().unwrap();
    let rewrite = help.split('`').nth(3).unwrap();
    assert_eq!(rewrite, "const int p_n = p->n;");
    lowered(&ctx, &plain(&function(rewrite, "p_n"))).unwrap();
}
