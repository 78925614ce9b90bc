//! How large arrays are, and how linear subscripts are taken apart.

use crate::memory::found;
use tilewright::scop::Scop;

/// The extents and strides of `a`, as `[n][m] / m, 1`.
fn shape(scop: &Scop) -> String {
    let array = scop.arrays.iter().find(|a| a.base == "a").expect("`a`");
    let extents = array.extents.iter().map(|extent| {
        let value = extent.affine.as_ref().map_or("?", |_| "");
        format!("[{}{value}]", extent.spelling.as_deref().unwrap_or(""))
    });
    let mut text: String = extents.collect();
    if let Some(linear) = array.layout.linear() {
        text += &format!(" / {}", linear.texts().join(", "));
        if linear.before > 0 {
            text += &format!(" behind {}", linear.before);
        }
    }
    text
}

/// What an allocation says of the first extent: a question mark where it is not affine.
#[test]
fn extents_of_allocations() {
    let rows = [
        ("int *a = malloc(n * sizeof(int));", "a[i]", "[n]"),
        ("int *a = malloc(sizeof(int) * (n + 2));", "a[i]", "[n + 2]"),
        ("int *a = malloc(4 * n);", "a[i]", "[n]"),
        ("int *a = malloc((long)sizeof(int) * n);", "a[i]", "[n]"),
        (
            "int *a = malloc((unsigned long)(n * sizeof(int)));",
            "a[i]",
            "[n]",
        ),
        ("int *a = malloc(n * 4 * 3);", "a[i]", "[3 * n]"),
        ("int *a = malloc(3 * n);", "a[i]", "[?]"),
        ("int *a = malloc(n + 4);", "a[i]", "[?]"),
        ("int *a = malloc(12);", "a[0]", "[3]"),
        ("int *a = malloc((double)n * 4);", "a[i]", "[?]"),
        ("int *a = malloc(-(-n) * sizeof *a);", "a[i]", "[n]"),
        (
            "int *a = malloc((n - 1 + +m) * sizeof a[0]);",
            "a[i]",
            "[n + m - 1]",
        ),
        (
            "int *a = malloc((unsigned long)n * sizeof(int));",
            "a[i]",
            "[n]",
        ),
        (
            "int *a = malloc((int)(n * 1.5) * sizeof(int));",
            "a[i]",
            "[?]",
        ),
        ("int *a = malloc(sizeof(int[n]));", "a[i]", "[n]"),
        ("int *a = malloc(sizeof(int[n][m]));", "a[i]", "[n * m?]"),
        ("int *a = malloc(sizeof(long) * n);", "a[i]", "[?]"),
        ("int *a = malloc(sizeof(short) * n);", "a[i]", "[?]"),
        ("int *a = calloc(n, sizeof(int));", "a[i]", "[n]"),
        ("int *a = calloc(n + 1, 4);", "a[i]", "[n + 1]"),
        (
            "int *a = aligned_alloc(64, n * sizeof(int));",
            "a[i]",
            "[n]",
        ),
        ("int *a = (int *)malloc(n * sizeof(int));", "a[i]", "[n]"),
        ("int *a; a = malloc(n * sizeof(int));", "a[i]", "[n]"),
        ("int *a = malloc(4 * n); a = malloc(4 * n);", "a[i]", "[?]"),
        ("int *a = pointer;", "a[i]", "[?]"),
        ("int (*a)[m] = malloc(n * sizeof *a);", "a[i][0]", "[n][m]"),
        (
            "int (*a)[m] = malloc(n * m * sizeof(int));",
            "a[i][0]",
            "[n][m]",
        ),
        (
            "int (*a)[m] = malloc(sizeof(int[n][m]));",
            "a[i][0]",
            "[n][m]",
        ),
        (
            "int (*a)[m] = malloc(sizeof(int[n][7]));",
            "a[i][0]",
            "[?][m]",
        ),
        (
            "int (*a)[m] = malloc((n + 1) * sizeof(int[m]));",
            "a[i][0]",
            "[n + 1][m]",
        ),
        (
            "int (*a)[m] = malloc((n * m + m) * sizeof(int));",
            "a[i][0]",
            "[n + 1][m]",
        ),
        (
            "int (*a)[m] = malloc((n * m + 1) * sizeof(int));",
            "a[i][0]",
            "[?][m]",
        ),
        (
            "int (*a)[m][7] = malloc(n * sizeof *a);",
            "a[i][0][0]",
            "[n][m][7]",
        ),
        (
            "int (*a)[2 * m] = malloc(n * m * 8);",
            "a[i][0]",
            "[n][2 * m]",
        ),
        ("int a[7];", "a[0]", "[7]"),
        ("int a[n + 1][m];", "a[i][0]", "[n + 1][m]"),
        ("int k = n; int a[k]; k = 2;", "a[i]", "[?]"),
        ("int k = n; k = 2; int a[k];", "a[i]", "[k]"),
        (
            "struct s *a = malloc(n * sizeof(struct s));",
            "a[i].x",
            "[n]",
        ),
        // Sizes that change behind the allocation, or that a conversion changes.
        ("int *a = malloc(4 * n); n = 3;", "a[i]", "[?]"),
        ("int k = n; int *a = malloc(4 * k); k = 2;", "a[i]", "[?]"),
        ("n = 3; int *a = malloc(4 * n);", "a[i]", "[n]"),
        ("int *a; n = 3; a = malloc(4 * n);", "a[i]", "[n]"),
        ("int *a = malloc((unsigned char)n * 4);", "a[i]", "[?]"),
        ("int k = n, *q = &k; int a[k]; *q = 2;", "a[i]", "[?]"),
        (
            "int k = n, *q = &k; int *a = malloc(4 * k); *q = 2;",
            "a[i]",
            "[?]",
        ),
        ("struct g h; h.n = n; int a[h.n]; h.n = 2;", "a[i]", "[?]"),
        (
            "struct g h; h.n = n; int *a = malloc(4 * h.n); h.n = 2;",
            "a[i]",
            "[?]",
        ),
        ("struct g h; h.n = n; int a[h.n];", "a[i]", "[h.n]"),
        // Sizes that nothing else mentions.
        (
            "struct g h; h.n = n; int *a = malloc(4 * h.n);",
            "a[i]",
            "[h.n]",
        ),
        (
            "struct g h; h.n = n; int *a = malloc(sizeof(int[h.n]));",
            "a[i]",
            "[h.n]",
        ),
        (
            "struct g h; h.n = n; int *a = calloc(h.n, sizeof(int));",
            "a[i]",
            "[h.n]",
        ),
        // Signs and orders of summands.
        (
            "int *a = malloc((9 - n) * sizeof(int));",
            "a[i]",
            "[-n + 9]",
        ),
        (
            "int *a = malloc((9 - 2 * n) * sizeof(int));",
            "a[i]",
            "[-2 * n + 9]",
        ),
        (
            "int *a = malloc((n - 3 * m) * sizeof(int));",
            "a[i]",
            "[n - 3 * m]",
        ),
        (
            "int *a = malloc((7 + n + n * m) * sizeof(int));",
            "a[i]",
            "[n * m + n + 7?]",
        ),
        ("int *a = malloc((n - n) * sizeof(int));", "a[i]", "[0]"),
        ("scalar = n; int a[scalar]; other();", "a[i]", "[?]"),
        ("scalar = n; int a[scalar];", "a[i]", "[scalar]"),
        // What changes no integer that somebody else may read.
        (
            "scalar = n; int a[scalar], *q = malloc(8); free(q);",
            "a[i]",
            "[scalar]",
        ),
        (
            "scalar = n; int a[scalar], w; w = 2; float *v = malloc(8); v[0] = w;",
            "a[i]",
            "[scalar]",
        ),
        (
            "scalar = n; int a[scalar], *q = pointer; q[0] = 2;",
            "a[i]",
            "[?]",
        ),
        ("scalar = n; int a[scalar]; scalar++;", "a[i]", "[?]"),
        ("visible = n; int a[visible]; global[0] = 2;", "a[i]", "[?]"),
        (
            "scalar = n; int a[scalar]; int w = ({ scalar = 3; 1; });",
            "a[i]",
            "[?]",
        ),
        ("int a[limit]; other();", "a[i]", "[limit]"),
        ("int a[n]; while (m < 0) n++;", "a[i]", "[?]"),
        ("int a[n]; while (m < 0) { if (m) n = 2; }", "a[i]", "[?]"),
        ("int a[n]; do n = 2; while (m < 0);", "a[i]", "[?]"),
        ("int a[n]; for (n = 0; n < 9; n++) other();", "a[i]", "[?]"),
        ("int a[n]; if (m) other(); else n = 2;", "a[i]", "[?]"),
        ("int a[n]; switch (m) { case 2: n = 2; }", "a[i]", "[?]"),
        (
            "int (*a)[m / 2] = malloc(sizeof(int[n][m / 2]));",
            "a[i][0]",
            "[n][m / 2]",
        ),
        (
            "int (*a)[m / 2] = malloc(sizeof(int[n][m / 3]));",
            "a[i][0]",
            "[?][m / 2]",
        ),
        ("int k = n; int a[k]; k++;", "a[i]", "[?]"),
        ("int a[n]; if (0) goto end; n = 3; end: ;", "a[i]", "[?]"),
        ("n = 3; if (0) goto end; end: ; int a[n];", "a[i]", "[?]"),
        // Elements of another size.
        ("int *a = malloc(n * sizeof(struct s));", "a[i]", "[?]"),
        (
            "struct s *a = malloc(n * sizeof(struct g));",
            "a[i].x",
            "[?]",
        ),
        ("struct s *a = malloc(n * 72);", "a[i].x", "[?]"),
        ("struct s *a = malloc(n * sizeof(int));", "a[i].x", "[?]"),
        ("struct s *a = malloc(n * sizeof *a);", "a[i].x", "[n]"),
        ("int *a = malloc(n * sizeof(int *));", "a[i]", "[?]"),
        ("int *a = malloc(sizeof(int *[n]));", "a[i]", "[?]"),
        (
            "int (*a)[m] = malloc(n * sizeof(int[m])); m = 2;",
            "a[i][0]",
            "[?][?]",
        ),
        (
            "int (*a)[m] = malloc(n * sizeof *a); m = 2;",
            "a[i][0]",
            "[?][?]",
        ),
        ("int a[n * m]; n = 3;", "a[i * m]", "[?][m] / m, 1"),
        ("int *a = malloc(sizeof(double[n]));", "a[i]", "[?]"),
        ("double *a = malloc(sizeof(int[n]));", "a[i]", "[?]"),
        (
            "struct s *a = malloc(sizeof(struct s[n]));",
            "a[i].x",
            "[n]",
        ),
        (
            "struct s *a = malloc(sizeof(struct g[n]));",
            "a[i].x",
            "[?]",
        ),
        ("int *a; n = 3; a = malloc(sizeof(int[n]));", "a[i]", "[n]"),
        ("int *a = malloc(sizeof(int[n])); n = 3;", "a[i]", "[?]"),
        (
            "unsigned k = n; int *a = malloc((k - 9) * 4);",
            "a[i]",
            "[?]",
        ),
        ("int *a = malloc((int)(n + 9L) * 4);", "a[i]", "[?]"),
        ("int *a = malloc((unsigned)(n - 9) * 4L);", "a[i]", "[?]"),
        (
            "int *a = malloc((unsigned long)(n - 9) * 4);",
            "a[i]",
            "[n - 9]",
        ),
        (
            "unsigned k = n, l = m; int *a = malloc(k * l * 4);",
            "a[i]",
            "[?]",
        ),
        (
            "unsigned k = n, l = m; int *a = malloc((unsigned long)k * l * 4);",
            "a[i]",
            "[k * l?]",
        ),
        (
            "unsigned k = n; int *a = malloc(k * sizeof(int));",
            "a[i]",
            "[k]",
        ),
        (
            "unsigned char k = n; int *a = malloc((k + 1u) * 4u);",
            "a[i]",
            "[k + 1]",
        ),
        ("int *a = malloc((long)(n + 9) * 4);", "a[i]", "[n + 9]"),
    ];
    check_shapes(&rows);
}

/// Sums of subscripts times strides.
#[test]
fn linear_subscripts_are_taken_apart() {
    let rows = [
        (
            "int *a = malloc(n * m * 4);",
            "a[i * m + j]",
            "[n][m] / m, 1",
        ),
        (
            "int *a = malloc(n * m * 4);",
            "a[j + m * i]",
            "[n][m] / m, 1",
        ),
        (
            "int *a = malloc(n * m * 4);",
            "a[j - -(i * m)]",
            "[n][m] / m, 1",
        ),
        (
            "int *a = malloc(n * m * 4);",
            "a[-(-i * m) + j]",
            "[n][m] / m, 1",
        ),
        (
            "int *a = malloc(n * m * 4);",
            "a[(n - 1 - i) * m + j]",
            "[n][m] / m, 1",
        ),
        (
            "int *a = malloc(n * m * 4);",
            "a[n * m - (i + 1) * m + j]",
            "[n][m] / m, 1",
        ),
        (
            "int *a = malloc(n * m * 8);",
            "a[i * (2 * m) + j]",
            "[n][2 * m] / 2 * m, 1",
        ),
        (
            "int *a = malloc(n * m * 8);",
            "a[2 * i * m + j]",
            "[2 * n][m] / m, 1",
        ),
        (
            "int *a = malloc(n * m * 4);",
            "a[(long)i * m + j]",
            "[n][m] / m, 1",
        ),
        (
            "int *a = malloc(n * m * 4);",
            "a[(long)(i * m) + j]",
            "[n][m] / m, 1",
        ),
        (
            "int *a = malloc(n * m * 4);",
            "a[i * (long)m + j]",
            "[n][m] / m, 1",
        ),
        (
            "int *a = malloc(n * m * 4);",
            "a[i * (short)m + j]",
            "[n * m?]",
        ),
        (
            "int *a = malloc(n * (m + 1) * 4);",
            "a[i * (m + 1) + j]",
            "[n][m + 1] / m + 1, 1",
        ),
        (
            "int *a = malloc(n * (m + 1) * 4);",
            "a[i * m + i + j]",
            "[n * m + n?]",
        ),
        (
            "int *a = malloc(n * m * 4); int row = 2 * m;",
            "a[i * row / 2]",
            "[n * m?]",
        ),
        (
            "int *a = malloc(n * m * 4);",
            "a[i * n + j * m]",
            "[n * m?]",
        ),
        ("int *a = malloc(n * m * 4);", "a[i * j]", "[n * m?]"),
        ("int a[n * m];", "a[i * m + j]", "[n][m] / m, 1"),
        ("int a[n * m + 1];", "a[i * m + j]", "[?][m] / m, 1"),
        (
            "int *a = malloc(n * m * 4);",
            "a[i * m + j + 1]",
            "[n?][?] / m, 1",
        ),
        (
            "int *a = malloc(n * m * 4); int w = m;",
            "a[i * w + j]",
            "[n][m] / m, 1",
        ),
        // Beside other subscripts.
        (
            "int (*a)[3] = malloc(n * m * 12);",
            "a[i * m + j][1]",
            "[n][m][3] / m, 1",
        ),
        ("int a[n * m][3];", "a[i * m + j][1]", "[n][m][3] / m, 1"),
        (
            "int (*a)[7][3] = pointer;",
            "a[i * m + j][6][j % 3]",
            "[?][m][7][3] / m, 1",
        ),
        (
            "int a[2][n * m];",
            "a[1][i * m + j]",
            "[2][n][m] / m, 1 behind 1",
        ),
        (
            "int a[2][n * m][3];",
            "a[j % 2][i * m + j][0]",
            "[2][n][m][3] / m, 1 behind 1",
        ),
        ("struct s *a = pointer;", "a[i * m + j].x", "[?][m] / m, 1"),
        // Two of them: neither.
        (
            "int a[n * m][n * m];",
            "a[i * m + j][j * n + i]",
            "[n * m?][n * m?]",
        ),
    ];
    check_shapes(&rows);
}

/// What an extent's text would mean at the region is not what it was where the array was declared.
#[test]
fn extents_that_mean_something_else_at_the_region() {
    let rows = [
        ("int w = m; int a[n][w];", "a[i][j]", "[n][w]"),
        ("int w = m; int a[n][w]; w = 7;", "a[i][j]", "[n][?]"),
        ("int w = m; int a[w + 1][5]; w++;", "a[i][j]", "[?][5]"),
        (
            "int w = m; int a[n][w]; { int w = 7; use(w); }",
            "a[i][j]",
            "[n][?]",
        ),
        (
            "int w = m; int (*a)[w] = malloc(sizeof(int[n][w])); w = n;",
            "a[i][j]",
            "[n][?]",
        ),
    ];
    check_shapes(&rows);
}

fn check_shapes(rows: &[(&str, &str, &str)]) {
    let ctx = isl::Ctx::new();
    let mut wrong = Vec::new();
    for &(before, place, expected) in rows {
        let text = format!(
            "void f(int n, int m) {{ {before}\n#pragma scop
for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {place} = 1;\n#pragma endscop\n}}"
        );
        match found(&ctx, &text) {
            Ok(scop) if shape(&scop) == expected => {}
            Ok(scop) => wrong.push(format!("{before} {place}: {}", shape(&scop))),
            Err(errors) => wrong.push(format!("{before} {place}: {errors}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
