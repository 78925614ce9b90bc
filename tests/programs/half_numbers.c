/* Numbers of 16 bits in memory: within an expression they have the bits of a float, and lose them where
 * they are assigned or converted. */
#include <stdio.h>
typedef _Float16 half;
void scale(int n, half y[restrict n], const half x[restrict n], float a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
#pragma endscop
}
void blur(int n, half b[restrict n][n], const half a[restrict n][n])
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            half t = a[i][j - 1] + a[i][j] * (half)2 + a[i][j + 1];
            b[i][j] = t / 4 + a[i - 1][j] * a[i + 1][j];
        }
#pragma endscop
}
float dot(int n, const half a[restrict n], const half b[restrict n])
{
    float s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += (float)a[i] * b[i];
#pragma endscop
    return s;
}
void twice(int n, half tmp[restrict n], half out[restrict n], const half in[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        tmp[i] = in[i] * in[i] + (half)0.1f;
    for (int i = 1; i < n; i++)
        out[i] = tmp[i] * tmp[i - 1] - in[i];
#pragma endscop
}
void pack(int n, unsigned char b[restrict n], const half in[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        half v = in[i];
        if (v < 0) v = -v;
        if (v > 255) v = 255;
        b[i] = v;
    }
#pragma endscop
}
static half sq(half a) { return a * a; }
static half keep(half a) { half t = a * (half)0.3f; t = t + a * a; return t; }
#define SQUARE(a) ({ half t_ = (a) * (a); t_; })
void helpers(int n, half y[restrict n], float z[restrict n], const half x[restrict n], half k)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = sq(x[i] * k) + x[i];
        z[i] = sq(x[i] + k) * 3.0f;
        z[i] += keep(x[i] * k);
        z[i] -= SQUARE(x[i] * k) / (half)7;
        half a = x[i] * k, b = a * a;
        if (a > b) a = a * k - b; else a = b * b;
        z[i] *= a + b;
        half c = x[i];
        c += k; c *= c; c /= 3;
        y[i] = -c * k + y[i];
        z[i] += (float)(c * k) - c;
    }
#pragma endscop
}
void stages(int n, half t[restrict n], float out[restrict n], const half x[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) t[i] = x[i] * x[i] + x[i] / 3;
    for (int i = 1; i < n - 1; i++) out[i] = t[i - 1] * 0.25f + t[i] * 0.5f + t[i + 1] * t[i];
#pragma endscop
}
int main(void)
{
    enum { N = 33 };
    static half x[N], y[N], a[N][N], b[N][N], t[N]; static unsigned char c[N];
    for (int i = 0; i < N; i++) { x[i] = i * 0.37f - 3; y[i] = i / 3.0f; for (int j = 0; j < N; j++) a[i][j] = (i * j) % 19 / 7.0f, b[i][j] = 0; }
    scale(N, y, x, 0.3f); blur(N, b, a); twice(N, t, y, x); pack(N, c, y);
    static float z[N], o[N];
    helpers(N, y, z, x, (half)0.77f); stages(N, t, o, x);
    for (int i = 0; i < N; i++) printf("%a %a\n", z[i], o[i]);
    printf("%a\n", dot(N, x, y));
    for (int i = 0; i < N; i++) printf("%a %a %d\n", (double)y[i], (double)t[i], c[i]);
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) printf("%a\n", (double)b[i][j]);
    return 0;
}
