// Where a loop has few iterations, those of the loop that is all there is in it are shared, if they may be.
struct sizes { int n, m; float *data; };
static int sides;
void f(int n, int m, int q, const struct sizes *s, const int *limits, const float *restrict a, float *restrict b, float *restrict c)
{
    int i, j;
    float sum, row[16];
    int turns = n / q;
#pragma scop
    CASE
#pragma endscop
}

// case: for (i = 0; i < n; i++) for (j = 0; j <= m; j++) { for (int k = 1; k < q; k++) if (a[(i * (m + 1) + j) * q + k] > 0) b[(i * (m + 1) + j) * q + k] = b[(i * (m + 1) + j) * q + k - 1] + 1; }
// compile:
// code contains: (const int tw_first, const int tw_end, const int tw_first_in, const int tw_end_in, int n, int m, int q,
// code contains: for (i = tw_first; i < tw_end; i++) for (j = tw_first_in; j < tw_end_in; j++) { for (int k = 1;
// code contains: const long tw_length_in = tw_count > 0 ? (long)(m) + 1 : 0;
// code contains: const int tw_inside = tw_count < 4 * tw_threads && tw_count < tw_count_in;
// code contains: const long tw_parts = tw_inside ? 1 : tw_threads;
// code contains: const long tw_parts_in = tw_inside ? tw_threads : 1;
// code contains: #pragma omp parallel for collapse(2) schedule(static)

// The bounds of the inner one are members and what the function sets once.
// case: for (i = 0; i < s->n; i++) for (j = 3; j < s->m; j++) for (int k = 1; k < turns; k++) b[(i * s->m + j) * 40 + k % 40] = b[(i * s->m + j) * 40 + (k - 1) % 40] + a[k];
// compile:
// code contains: collapse(2)
// code contains: (int)(tw_first_in + tw_count_in * tw_part_in / tw_parts_in)

// case: for (i = 0; i < n; i++) for (int l = 0; l < turns; l++) for (int k = 1; k < m; k++) b[(i * turns + l) * m + k] = b[(i * turns + l) * m + k - 1] + a[k];
// compile:
// code contains: collapse(2)

// What is written through a pointer beside them is something else.
// case: for (i = 0; i < s->n; i++) for (j = 0; j < s->m; j++) for (int k = 1; k < q; k++) if (a[(i * s->m + j) * q + k] > 0) s->data[(i * s->m + j) * q + k] = s->data[(i * s->m + j) * q + k - 1] + 1;
// compile:
// code contains: collapse(2)
// code contains: const long tw_length = (long)(s->n);

// There are enough, or too few inside.
// case: for (i = 0; i < 640; i++) for (j = 0; j < m; j++) for (int k = 1; k < q; k++) b[(i * m + j) * q + k] = b[(i * m + j) * q + k - 1] + 1;
// compile:
// code contains: tw_share
// code lacks: tw_inside

// case: for (i = 0; i < n; i++) for (j = 0; j < 8; j++) for (int k = 1; k < q; k++) b[(i * 8 + j) * q + k] = b[(i * 8 + j) * q + k - 1] + 1;
// compile:
// code contains: tw_share
// code lacks: tw_inside

// What the loop inside does in vectors stays whole.
// case: for (i = 0; i < n; i++) for (j = 0; j < m; j++) if (a[i * m + j] > 0) b[i * m + j] = a[i * m + j];
// compile:
// code contains: tw_share
// code lacks: tw_inside

// Not all is in it.
// case: for (i = 0; i < n; i++) { c[i] = 1; for (j = 0; j < m; j++) for (int k = 1; k < q; k++) b[(i * m + j) * q + k] = b[(i * m + j) * q + k - 1] + 1; }
// compile:
// code contains: tw_share
// code lacks: tw_inside

// It depends on the loop around it.
// case: for (i = 0; i < n; i++) for (j = 0; j <= i; j++) for (int k = 1; k < q; k++) b[(i * n + j) * q + k] = b[(i * n + j) * q + k - 1] + 1;
// compile:
// code contains: tw_share
// code lacks: tw_inside

// Its iterations are not independent: a cell, a variable, an array of each outer one.
// case: for (i = 0; i < n; i++) for (j = 1; j < m; j++) for (int k = 1; k < q; k++) b[i * m + j] = b[i * m + j - 1] / 2 + a[k];
// compile:
// code contains: tw_share
// code lacks: tw_inside

// case: for (i = 0; i < n; i++) for (j = 0; j < m; j++) { if (j == 0) sum = 0; for (int k = 1; k < q; k++) sum = sum / 2 + a[(i * m + j) * q + k]; b[i * m + j] = sum; }
// compile:
// code lacks: tw_inside

// case: for (i = 0; i < n; i++) for (j = 0; j < 16; j++) { row[j] = a[i * 16 + j]; for (int k = 0; k < j; k++) row[j] = row[j] / 2 + row[k]; b[i * 16 + j] = row[j]; }
// compile:
// code lacks: tw_inside

// Where it ends is in memory of an array.
// case: for (i = 0; i < n; i++) for (j = 0; j < limits[0]; j++) for (int k = 1; k < q; k++) b[(i * m + j) * q + k] = b[(i * m + j) * q + k - 1] + 1;
// compile:
// code lacks: tw_inside
