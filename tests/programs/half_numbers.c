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
int main(void)
{
    enum { N = 33 };
    static half x[N], y[N], a[N][N], b[N][N], t[N]; static unsigned char c[N];
    for (int i = 0; i < N; i++) { x[i] = i * 0.37f - 3; y[i] = i / 3.0f; for (int j = 0; j < N; j++) a[i][j] = (i * j) % 19 / 7.0f, b[i][j] = 0; }
    scale(N, y, x, 0.3f); blur(N, b, a); twice(N, t, y, x); pack(N, c, y);
    printf("%a\n", dot(N, x, y));
    for (int i = 0; i < N; i++) printf("%a %a %d\n", (double)y[i], (double)t[i], c[i]);
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) printf("%a\n", (double)b[i][j]);
    return 0;
}
