//! Snapshots of the model of small regions.

use crate::{lowered, preprocess, render};
use tilewright::scop::dump::dump;

/// The model of the first region as text, then the warnings.
fn model(text: &str) -> String {
    let source = preprocess(text);
    let ctx = isl::Ctx::new();
    let lowered = lowered(&ctx, &source).unwrap_or_else(|e| panic!("{}", render(&source, &e)));
    crate::examples::check(&lowered.scop);
    let mut result = dump(&lowered.scop).expect("a dump");
    result.push_str(&render(&source, &lowered.warnings));
    format!("{}\n{result}", text.trim())
}

macro_rules! model {
    ($name:ident, $text:literal) => {
        #[test]
        fn $name() {
            insta::assert_snapshot!(model($text));
        }
    };
}

model!(
    loops_up_down_and_strided,
    "
void f(int n, int m, double A[restrict n]) {
  int i;
#pragma scop
  for (i = n - 1; i >= 0; --i) A[i] = 1;
  for (int j = 0; j < n; j += 3) A[j] = 2;
  for (int j = 0; 2 * j < n && j < m; j++) A[j] = 3;
  for (int j = 0; j < n && j % 3 != 2; j++) A[j] = 4;
#pragma endscop
}"
);

model!(
    affine_conditions_split_domains,
    "
void f(int n, int m, int k, double A[restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (i > 0 && i < m || i == k) A[i] = 1; else A[i] = 2;
    A[i] = i == 0 ? A[i] : A[i - 1];
  }
#pragma endscop
}"
);

model!(
    sizes_of_types_and_values_are_numbers,
    "
struct pair { int x, y; };
void f(int n, long A[restrict n], const short *restrict b, float c[restrict 3][7]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    char t = 1;
    A[i] = sizeof(int) + sizeof t + sizeof b[i] + sizeof(b) + sizeof c + sizeof c[0];
    A[i] += sizeof(b[i] + 1) + sizeof(struct pair) + sizeof(double[4]);
  }
#pragma endscop
}"
);

model!(
    conditions_on_data,
    "
void f(int n, int m, double A[restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (A[i] > 3) A[i] = 3;
    if (A[i] > 3) A[i] = 3; else A[i] = 4;
    if (i < m && A[i] > 5) A[i] = 5; else A[i] = -1;
    A[i] = A[i] > 0 ? A[i + 1] : 0;
  }
#pragma endscop
}"
);

// The definition of `holds_2` is under `holds`, and still a write, not a `may write`: each of its
// cells is one iteration's, only that iteration's statements read it, and they do so under `holds`
// themselves, so that who reads a cell finds the value that was written whenever it reads at all.
// No other statement writes the cell, so that nothing is hidden that the write would not replace.
// As a `may write` it would make what the cell held before the region an input.
model!(
    condition_on_data_around_loops,
    "
void f(int n, int m, double A[restrict n], double B[restrict n][m], const int *restrict flag) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (flag[i]) {
      for (int j = 0; j < m; j++) B[i][j] = A[i];
      if (A[i] > 1)
        for (int j = 0; j < m; j++) B[i][j] *= 2;
    } else
      A[i] = 7;
  }
#pragma endscop
}"
);

model!(
    temporaries_in_one_body,
    "
static inline float sq(float x) { return x * x; }
void f(int n, float a[restrict n]) {
  int half = n / 2;
#pragma scop
  for (int i = 0; i < half; i++) {
    const int before = i > 0 ? i - 1 : 0;
    float x = a[before], y;
    y = sq(x);
    if (i > 3)
      y = 2;
    else if (x > 1) {
      float z = x * 2;
      y += z;
    }
    a[i] = y;
  }
#pragma endscop
}"
);

model!(
    temporaries_across_loops,
    "
void f(int n, int m, float s[restrict n], float a[restrict n][m]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    float sum = 0, row[4] = {1, n}, best;
    for (int j = 0; j < m; j++) {
      float x = a[i][j] * row[j % 4];
      sum += x;
    }
    best = sum;
    s[i] = best;
  }
#pragma endscop
}"
);

model!(
    scalars_and_what_lives,
    "
#include <stdlib.h>
float *kept;
static double total;
double f(int n, int m) {
  double (*A)[m] = malloc(n * sizeof *A), (*C)[n][m] = malloc(sizeof(double[3][n][m]));
  double *v = malloc(m * sizeof(double)), *lin = calloc(n * m, sizeof(double));
  float *p = (float *)malloc(sizeof(float) * n);
  double L[10][n], s = 0, t;
  int i, q;
  kept = p;
  for (i = 0; i < m; i++) v[i] = i;
#pragma scop
  for (i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      A[i][j] = v[j];
      C[1][i][j] = A[i][j];
      lin[i * m + j] = C[1][i][j];
      p[i] = L[3][i];
      s += p[i];
      t = s;
      q = 1;
      total += t;
    }
#pragma endscop
  double r = C[0][0][0] + t;
  for (i = 0; i < 3; i++) q = 2;
  free(A); free(v); free(C); free(lin); free(p);
  return r;
}"
);

model!(
    linearised_subscripts,
    "
void f(int n, int m, int k, float *restrict a, const float *restrict b, unsigned char *restrict rgb) {
  int plane = n * m;
#pragma scop
  for (int i = 0; i < k; i++)
    for (int j = 0; j < n; j++)
      for (int l = 0; l < m; l++)
        a[i * plane + j * m + l] = b[(i * n + j) * m + l] + b[plane * i + (n - 1) * m + l];
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      for (int c = 0; c < 3; c++)
        rgb[(i * m + j) * 3 + c] = rgb[((i - 1) * m + j) * 3 + c];
#pragma endscop
}"
);

model!(
    linearised_subscripts_that_stay,
    "
void f(int n, int m, int off, float *restrict c, float *restrict d) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) c[i * m + j + off] = c[i * m + j];
  for (int i = 0; i < n; i++) d[i * i] = 1;
#pragma endscop
}"
);

model!(
    linearised_subscripts_that_all_move,
    "
void f(int n, int m, int off, float *restrict c, float *restrict d) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) c[i * m + j + off] += d[i * m + j + 1];
#pragma endscop
}"
);

model!(
    steps_that_are_variables,
    "
void f(int n, int from, int hop, int w, float *restrict a, float *restrict b, float *restrict c,
       float *restrict d, int *restrict e) {
#pragma scop
  for (int i = 0; i < n; i += hop) a[i] = i;
  for (int i = from; i < n; i += hop) b[i] = 1;
  for (int i = n; i > 0; i -= 2 * hop) c[i] = 1;
  for (int p = 0; p < n * w; p += w)
    for (int x = 0; x < w; x++) d[p + x] += 1;
  for (int i = 0; i < n; i += w) {
    int end = i + w;
    if (end > n) end = n;
    for (int j = i; j < end; j++) e[j] = i / w;
  }
#pragma endscop
}"
);

model!(
    subscripts_on_data,
    "
void f(int n, const unsigned char img[restrict n], const float lut[restrict 256],
       int hist[restrict 256], float out[restrict n], const int *restrict to) {
#pragma scop
  for (int i = 0; i < n; i++) out[i] = lut[img[i]];
  for (int i = 0; i < n; i++) hist[img[i]]++;
  for (int i = 0; i < n; i++) out[to[i]] = lut[i];
#pragma endscop
}"
);

model!(
    structures,
    "
struct point { float x, y; int w; };
struct grid { int n; float *restrict cells; struct point origin; float sum; };
void f(struct grid *restrict g, struct point *restrict P, struct point last) {
#pragma scop
  for (int i = 0; i < g->n; i++) {
    g->cells[i] = P[i].x * g->origin.x + last.y;
    (P + i)->y += P[i].w;
  }
  g->sum = g->cells[0];
#pragma endscop
}"
);

model!(
    unsigned_sizes,
    "
#include <stddef.h>
void f(size_t n, float out[restrict n], const float in[restrict n]) {
#pragma scop
  for (size_t i = 1; i < n - 1; i++) out[i] = in[i - 1] + in[i + 1];
  for (size_t i = n; i > 0; i--) out[i - 1] *= 2;
#pragma endscop
}"
);

model!(
    arrays_without_restrict,
    "
static float table[10];
void f(int n, float out[n], const float in[n], const int which[n]) {
#pragma scop
  for (int i = 0; i < n; i++) out[i] = in[i] + table[which[i]];
#pragma endscop
}"
);

model!(
    pointers_without_restrict,
    "
struct grid { float *cells; int n; };
static float *buffer;
static float factor;
void f(int n, int m, float *a, const float *b, float (*c)[n], struct grid *g, int *count, char *text) {
#pragma scop
  for (int i = 1; i < n - 1; i++) a[i] = b[i + 1] + c[i][0] * factor;
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) g->cells[i * m + j] = buffer[i];
  for (int i = 0; i < g->n; i++) count[2 * i] = i;
  for (int i = 0; i < n; i++) text[i] = ' ';
#pragma endscop
}"
);

model!(
    pure_calls_and_chains,
    "
#include <math.h>
#include <stdlib.h>
static int clamp(int x, int lo, int hi) { return x < lo ? lo : x > hi ? hi : x; }
static float norm(float x, float y) {
  float s = x * x;
  if (y > 0) s += y * y;
  return sqrtf(s);
}
void f(int n, float a[restrict n], double b[restrict n], int c[restrict n], float gain) {
#pragma scop
  for (int i = 0; i < n; i++) {
    a[i] = b[i] = norm(a[clamp(i - 1, 0, n - 1)], gain) + fmax(b[i], 1.0);
    c[i] <<= 2, c[i] = abs(c[i]) % 7 & ~n;
    (void)n;
  }
#pragma endscop
}"
);

model!(
    names_that_hide_others,
    "
void f(int n, float x, float a[restrict n], float S0[restrict n], float b[restrict n][n]) {
  float t = 2;
#pragma scop
  for (int i = 0; i < n; i++) {
    float u = a[i];
    { float x = u; a[i] = x; }
    S0[i] = x + u;
  }
  for (int i = 0; i < n; i++) a[i] *= t;
  for (int i = 0; i < n; i++) {
    float t = 0;
    for (int n = 0; n < 4; n++) t += b[i][n];
    a[i] = t;
  }
#pragma endscop
}"
);

model!(
    quotients_are_parameters,
    "
void f(int n, unsigned m, double A[restrict n + 2], double B[restrict n / 2 + 2]) {
  const int h = n / 2;
#pragma scop
  for (int i = 1; i <= h; i++) B[i] = A[2 * i];
  for (int i = 0; i < h / 2; i++) A[i] = B[n / 4];
  for (int i = 0; i < n % 2; i++) A[i] = 1;
  for (int i = 0; i < (n + 3) / 4; i++) A[i] = m / 2;
#pragma endscop
}"
);
