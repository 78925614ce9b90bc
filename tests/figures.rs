//! The programs of the thesis's figures (Zhao 2018, chapters 3 and 5).

/// Figure 3.1: both bounds are computed in the outermost loop. The thesis's u1 and u2 are the
/// array's extents: no iteration of `j` or `k` beyond them does anything.
pub fn figure_3_1() -> String {
    "static int f(int i) { return i * 7 % 11; }
static int g(int i) { return i * 5 % 9; }
void figure(double a[restrict 100][11][9]) {
#pragma scop
    for (int i = 0; i < 100; i++) {
        int m = f(i);
        int n = g(i);
        for (int j = 0; j < m; j++)
            for (int k = 0; k < n; k++)
                a[i][j][k] = a[i][j][k] * 2.0 + 1.0;
    }
#pragma endscop
}"
    .to_owned()
}

/// Figure 5.1: two dynamic loops to be fused. Some rows are empty, one is all of it.
pub fn figure_5_1() -> String {
    let arguments = "int n, int a_length[restrict n], int b_length[restrict n],
            double a[restrict n][40], double b[restrict n][40]";
    format!(
        "void figure_init({arguments}) {{
    for (int i = 0; i < n; i++) {{
        a_length[i] = i % 3 == 0 ? 0 : i == 4 ? 40 : i % 7;
        b_length[i] = i % 4 == 0 ? 0 : i == 5 ? 40 : i % 5;
        for (int j = 0; j < 40; j++) {{
            a[i][j] = i + 0.25 * j;
            b[i][j] = i - 0.5 * j;
        }}
    }}
}}
void figure({arguments}) {{
#pragma scop
    for (int i = 0; i < n; i++) {{
        for (int j = 0; j < a_length[i]; j++)
            a[i][j] = a[i][j] * 2.0 + 1.0;
        for (int j = 0; j < b_length[i]; j++)
            b[i][j] = b[i][j] + a[i][j];
    }}
#pragma endscop
}}"
    )
}

/// Figure 5.4: a dynamic loop to be interchanged with the loop that governs its bound, which is at
/// most `longest`; in row 4 it is as much as `real`.
pub fn figure_5_4(longest: usize, real: usize) -> String {
    let arguments = format!(
        "int n, int length[restrict n], double s[restrict {longest}],
            double a[restrict {longest}][n]"
    );
    format!(
        "void figure_init({arguments}) {{
    for (int i = 0; i < n; i++) {{
        length[i] = i % 3 == 0 ? 0 : i == 4 ? {real} : i % 7;
        for (int j = 0; j < {longest}; j++)
            s[j] = a[j][i] = i + 0.25 * j;
    }}
}}
void figure({arguments}) {{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < length[i]; j++)
            s[j] = s[j] * 0.5 + a[j][i];
#pragma endscop
}}"
    )
}
