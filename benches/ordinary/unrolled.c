/* Loops that a programmer unrolled by hand by two, four or five. */

void axpy_by_four(int n, double a, const double x[restrict n], const double y[restrict n], double z[restrict n])
{
    int i;
#pragma scop
    for (i = 0; i < n - 3; i += 4) {
        z[i] = y[i] + a * x[i];
        z[i + 1] = y[i + 1] + a * x[i + 1];
        z[i + 2] = y[i + 2] + a * x[i + 2];
        z[i + 3] = y[i + 3] + a * x[i + 3];
    }
    for (; i < n; i++)
        z[i] = y[i] + a * x[i];
#pragma endscop
}

void sum_by_two(int n, const float x[restrict n], float r[restrict 1])
{
    float even = 0.0f, odd = 0.0f;
#pragma scop
    for (int i = 0; i < n - 1; i += 2) {
        even += x[i];
        odd += x[i + 1];
    }
    if (n % 2 == 1)
        even += x[n - 1];
    r[0] = even + odd;
#pragma endscop
}

void weighted_dot_by_five(int n, const double w[restrict n], const double x[restrict n], const double y[restrict n],
                          double r[restrict 1])
{
    double s = 0.0;
    int rest = n % 5;
#pragma scop
    for (int i = 0; i < rest; i++)
        s += w[i] * x[i] * y[i];
    for (int i = rest; i < n; i += 5)
        s += w[i] * x[i] * y[i] + w[i + 1] * x[i + 1] * y[i + 1] + w[i + 2] * x[i + 2] * y[i + 2]
            + w[i + 3] * x[i + 3] * y[i + 3] + w[i + 4] * x[i + 4] * y[i + 4];
    r[0] = s;
#pragma endscop
}

void scaled_copy_by_five(int n, float f, const float x[restrict n], float y[restrict n])
{
    int whole = n - n % 5;
#pragma scop
    for (int i = 0; i < whole; i += 5) {
        y[i] = f * x[i];
        y[i + 1] = f * x[i + 1];
        y[i + 2] = f * x[i + 2];
        y[i + 3] = f * x[i + 3];
        y[i + 4] = f * x[i + 4];
    }
    for (int i = whole; i < n; i++)
        y[i] = f * x[i];
#pragma endscop
}

void matvec_two_rows(int n, int m, const double a[restrict 2 * n][m], const double x[restrict m],
                     double y[restrict 2 * n])
{
#pragma scop
    for (int i = 0; i < 2 * n; i += 2) {
        double s0 = 0.0;
        double s1 = 0.0;
        for (int j = 0; j < m; j++) {
            s0 += a[i][j] * x[j];
            s1 += a[i + 1][j] * x[j];
        }
        y[i] = s0;
        y[i + 1] = s1;
    }
#pragma endscop
}

void least_by_four(int n, const int x[restrict 4 * n], int r[restrict 1])
{
    int m0 = x[0], m1 = x[1], m2 = x[2], m3 = x[3];
#pragma scop
    for (int i = 4; i < 4 * n; i += 4) {
        if (x[i] < m0)
            m0 = x[i];
        if (x[i + 1] < m1)
            m1 = x[i + 1];
        if (x[i + 2] < m2)
            m2 = x[i + 2];
        if (x[i + 3] < m3)
            m3 = x[i + 3];
    }
    m0 = m1 < m0 ? m1 : m0;
    m2 = m3 < m2 ? m3 : m2;
    r[0] = m0 < m2 ? m0 : m2;
#pragma endscop
}

void smooth_by_two(int n, const double x[restrict 2 * n + 2], double y[restrict 2 * n + 2])
{
#pragma scop
    for (int i = 1; i <= 2 * n; i += 2) {
        y[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1];
        y[i + 1] = 0.25 * x[i] + 0.5 * x[i + 1] + 0.25 * x[i + 2];
    }
#pragma endscop
}

void power_spectrum_by_two(int n, const float *restrict z, float *restrict power)
{
#pragma scop
    for (int i = 0; i < n - 1; i += 2) {
        power[i] = z[2 * i] * z[2 * i] + z[2 * i + 1] * z[2 * i + 1];
        power[i + 1] = z[2 * i + 2] * z[2 * i + 2] + z[2 * i + 3] * z[2 * i + 3];
    }
    if (n % 2)
        power[n - 1] = z[2 * n - 2] * z[2 * n - 2] + z[2 * n - 1] * z[2 * n - 1];
#pragma endscop
}

void invert_bytes_by_four(int n, const unsigned char in[restrict 4 * n], unsigned char out[restrict 4 * n])
{
    int i;
#pragma scop
    for (i = 0; i < n; i++) {
        out[4 * i + 0] = 255 - in[4 * i + 0];
        out[4 * i + 1] = 255 - in[4 * i + 1];
        out[4 * i + 2] = 255 - in[4 * i + 2];
        out[4 * i + 3] = 255 - in[4 * i + 3];
    }
#pragma endscop
}

void product_by_four(int n, int m, int p, const double a[restrict n][4 * m], const double b[restrict 4 * m][p],
                     double c[restrict n][p])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < p; j++) {
            c[i][j] = 0.0;
            for (int k = 0; k < 4 * m; k += 4)
                c[i][j] += a[i][k] * b[k][j] + a[i][k + 1] * b[k + 1][j] + a[i][k + 2] * b[k + 2][j]
                    + a[i][k + 3] * b[k + 3][j];
        }
#pragma endscop
}

void xor_by_four(int n, const unsigned int a[restrict n], const unsigned int b[restrict n], unsigned int c[restrict n])
{
    long i = 0;
#pragma scop
    for (; i + 4 <= n; i += 4) {
        c[i] = a[i] ^ b[i];
        c[i + 1] = a[i + 1] ^ b[i + 1];
        c[i + 2] = a[i + 2] ^ b[i + 2];
        c[i + 3] = a[i + 3] ^ b[i + 3];
    }
    for (; i < n; i++)
        c[i] = a[i] ^ b[i];
#pragma endscop
}
