//! OpenMP: forms of loops, and constructs that are not read.

use crate::common::{differs, equal, unknown};

const FRONT: &str = "int g; long h[9]; struct { int k; } st;\n";

fn whole(body: &str) -> String {
    format!(
        "{FRONT}void f(int n, int m, const int a[restrict n], int b[restrict n], unsigned char c[restrict n], int *t)\n{{\n{body}\n}}\n"
    )
}

/// A body in order, and others that are equal to it.
#[track_caller]
fn all_equal(plain: &str, others: &[&str]) {
    for other in others {
        equal(&whole(plain), &whole(other));
    }
}

#[test]
fn loops_as_openmp_has_them() {
    let par = "#pragma omp parallel for\n";
    for (plain, head) in [
        ("i = 0; i < n; i++", "int i = 0; i != n; i++"),
        ("i = 0; i < n; i++", "int i = 0; n != i; ++i"),
        ("i = 0; i < n; i++", "int i = n - 1; i != -1; i--"),
        ("i = 0; i < n; i++", "int i = n - 1; -1 < i; --i"),
        ("i = 0; i < n; i++", "int i = n - 1; 0 <= i; i = i - 1"),
        ("i = 0; i < n; i++", "unsigned long i = 0; i < n; i += 1"),
        ("i = 0; i < n; i++", "short i = 0; n > i; i = i + 1"),
        (
            "i = 0; i < n; i++",
            "unsigned i = 1 - 1; n - 1 >= (int)i + 0 * n; i++",
        ),
        ("i = 0; i < n; i += 3", "int i = 0; i < n; i = i + 3"),
        ("i = 0; i < n; i += 3", "int i = 0; i < n; i -= -3"),
        (
            "i = 0; i <= n - 1; i += 4",
            "long i = 0; i <= n - 1; i += 4",
        ),
        ("i = n - 1; i > 0; i -= 2", "int i = n - 1; i > 0; i += -2"),
        ("i = n - 1; i >= 0; i -= 2", "int i = n - 1; i >= 0; i -= 2"),
    ] {
        let body = "{ b[i] = a[i] ^ (int)i; }";
        let plain = format!("for (int {plain}) {body}");
        let other = format!("{par}for ({head}) {body}");
        if head.contains("0 * n") {
            unknown(&whole(&plain), &whole(&other), "not in canonical form");
            continue;
        }
        all_equal(
            &plain,
            &[
                &other,
                &other.replace("parallel for", "parallel for num_threads(7)"),
            ],
        );
        let outside = format!(
            "{} i; {}",
            head.split(" i").next().unwrap_or(""),
            other
                .replace("unsigned long i =", "i =")
                .replace("int i =", "i =")
                .replace("short i =", "i =")
                .replace("long i =", "i =")
        );
        let outside = outside.replace("; #pragma", ";\n#pragma");
        all_equal(&plain, &[&outside]);
    }
    for head in [
        "int i = n; i-- > 0;",
        "int i = 0; i < n; i *= 2",
        "int i = 0; i < n; i = 2 + i",
        "int i = 0; i < n; m++",
        "int i = 0; ; i++",
        "int i = 0; i; i++",
        "int i = 0; n < m; i++",
        "int i = 0; i == n; i++",
        "int i = 0, k = 1; i < n; i++",
        "int i; i < n; i++",
        "; m < n; m++",
        "double i = 0; i < n; i++",
        "int *i = t; i < t + n; i++",
        "b[0] = 0; m < n; m++",
        "m += 1; m < n; m++",
        "int i = 0; i < n; m += 1",
        "int i = 0; i < n; m -= 1",
        "int i = 0; i < n; m = i + 1",
        "int i = 0; i < n; i = m + 1",
        "int i = 0; i < n; i = m - 1",
        "int i = 0; i < n; i *= 1",
        "int i = 0; i < n; -i",
        "int i = 0; i < n; i = i * 2",
    ] {
        let other = format!("{par}for ({head}) {{ }}");
        unknown(&whole(""), &whole(&other), "canonical form");
    }
}

#[test]
fn constructs_that_are_not_read() {
    for (body, word) in [
        ("#pragma omp task\n{ }", "`task` in `#pragma omp task`"),
        (
            "#pragma omp parallel for linear(m)\nfor (int i = 0; i < n; i++) ;",
            "`linear` in",
        ),
        ("#pragma omp sections\n{ }", "`#pragma omp sections`"),
        ("#pragma omp nowait\n{ }", "`#pragma omp nowait`"),
        ("#pragma omp parallel for\nwhile (0) ;", "without a loop"),
        ("#pragma omp simd\n{ }", "`simd` without a loop"),
        (
            "#pragma omp parallel for collapse(2)\nfor (int i = 0; i < n; i++) { b[i] = 0; for (int j = 0; j < 2; j++) ; }",
            "not perfectly nested",
        ),
        (
            "#pragma omp parallel for collapse(2)\nfor (int i = 0; i < n; i++) { int k; }",
            "not perfectly nested",
        ),
        (
            "#pragma omp parallel for collapse(m)\nfor (int i = 0; i < n; i++) ;",
            "the number of loops in `collapse`",
        ),
        (
            "#pragma omp parallel for collapse(9)\nfor (int i = 0; i < n; i++) ;",
            "the number of loops in `collapse`",
        ),
        (
            "#pragma omp parallel for collapse(0)\nfor (int i = 0; i < n; i++) ;",
            "the number of loops in `collapse`",
        ),
        (
            "#pragma omp parallel for private(q)\nfor (int i = 0; i < n; i++) ;",
            "the clause of `q`",
        ),
        (
            "int q[3];\n#pragma omp parallel for private(q)\nfor (int i = 0; i < n; i++) ;",
            "`q`, which is no scalar",
        ),
        (
            "#pragma omp parallel for reduction(%: m)\nfor (int i = 0; i < n; i++) ;",
            "a reduction with `%`",
        ),
        (
            "#pragma omp parallel for\nfor (int i = 0; i < n; i++) return;",
            "a `return` out of a parallel construct",
        ),
        (
            "#pragma omp parallel\n{ return; }",
            "a `return` out of a parallel construct",
        ),
        (
            "#pragma omp parallel for\nfor (int i = 0; i < n; i++) break;",
            "a jump out of a parallel construct",
        ),
        (
            "for (;;) {\n#pragma omp parallel\n{ break; }\n}",
            "a jump out of a parallel construct",
        ),
        (
            "for (;;) {\n#pragma omp parallel\n{ continue; }\n}",
            "a jump out of a parallel construct",
        ),
        (
            "#pragma omp parallel for\nfor (int i = 0; i < n; i++) goto out;\nout: ;",
            "a `goto` in a parallel construct",
        ),
        (
            "#pragma omp simd\nfor (int i = 0; i < n; i++) return;",
            "a `return` out of a parallel construct",
        ),
    ] {
        unknown(&whole(""), &whole(body), word);
    }
    // Each in its line.
    unknown(
        &whole(""),
        &whole("b[0] = 0;\n#pragma omp task\n{ }"),
        "the result, line 5",
    );
    // What asks for nothing here.
    all_equal(
        "for (int i = 0; i < n; i++) b[i] = i;",
        &[
            "#pragma GCC ivdep\nfor (int i = 0; i < n; i++) b[i] = i;",
            "#pragma omp flush\nfor (int i = 0; i < n; i++) b[i] = i;",
            "#pragma omp taskwait\n#pragma omp barrier\nfor (int i = 0; i < n; i++) b[i] = i;",
            "#pragma omp parallel for proc_bind(close) default(shared) if(n > 3) num_threads(((n & 1) + 1))\nfor (int i = 0; i < n; i++) b[i] = i;",
            "#pragma omp simd safelen(4) simdlen(2) aligned(b: 4) nontemporal(b)\nfor (int i = 0; i < n; i++) b[i] = i;",
            "#pragma pencil independent\nfor (int i = 0; i < n; i++) b[i] = i;",
            "#pragma omp parallel\n#pragma omp for\nfor (int i = 0; i < n; i++) b[i] = i;",
            "#pragma omp parallel\n{\n#pragma omp for\nfor (int i = 0; i < n; i++) { int k = 0; while (1) { if (k++ > 2) break; if (k) continue; } b[i] = i; } }",
            "#pragma omp parallel\n{ for (int k = 0; k < 2; k++) { if (k) break; } \n#pragma omp for\nfor (int i = 0; i < n; i++) { if (i > 3) { b[i] = i; continue; } b[i] = i; } }",
        ],
    );
    // A promise that is broken.
    differs(
        &whole("for (int i = 1; i < n; i++) b[i] = b[i - 1];"),
        &whole("#pragma pencil independent\nfor (int i = 1; i < n; i++) b[i] = b[i - 1];"),
        &["a race"],
    );
}
