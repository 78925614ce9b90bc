// Shares are some iterations in the order of the loop: of loops that count upwards by one.
void f(int n, unsigned u, long l, const int *limits, const float *restrict a, float *restrict b)
{
    int i;
#pragma scop
    CASE
#pragma endscop
}

// case: for (i = 2; i <= n; ++i) b[i] = a[i] * 2;
// compile:
// code contains: for (i = tw_first; i < tw_end; ++i) b[i] = a[i] * 2;
// code contains: const long tw_length = (long)(n) + 1 - tw_first;

// case: for (unsigned k = u / 2; k < u; k += 1) b[k] = a[k] * 2;
// compile:
// code contains: for (unsigned k = tw_first; k < tw_end; k += 1) b[k] = a[k] * 2;
// code contains: const long tw_first = (long)(u / 2);

// case: for (long k = n; k < l; k++) b[k] = a[k] * 2;
// compile:
// code contains: tw_share_f_0_0((long)(tw_first + tw_count * tw_part / tw_threads)

// case: for (i = 0; i < limits[0]; i++) b[i] = a[i] * 2;
// compile:
// code contains: tw_share

// case: for (i = 0; i < n; i += 2) b[i] = a[i] * 2;
// compile:
// code contains: #pragma omp parallel for
// code lacks: tw_share

// case: for (i = n; i > 0; i--) b[i] = a[i] * 2;
// compile:
// code contains: #pragma omp parallel for
// code lacks: tw_share
