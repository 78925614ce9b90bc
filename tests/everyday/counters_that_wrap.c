/* Unsigned counters that go down and end by wrapping around, as people write loops from the last to
 * the first.
 */
#include "data.h"

#define N 40
static double a[N + 4], b[N + 4], m[N][N];
static void rows(unsigned n)
{
#pragma scop
    for (unsigned i = n - 1; i < n; i--) a[i] = b[i] * 2 + i;
#pragma endscop
}
static void sums_behind(size_t n)
{
#pragma scop
    for (size_t i = n - 1; i < n; --i) { double s = 0; for (size_t j = i; j < n; j++) s += b[j]; a[i] += s; }
#pragma endscop
}
static void triangle(int n)
{
#pragma scop
    for (unsigned i = n - 1; i < (unsigned)n; i -= 1) for (size_t j = i - 1; j < i; j--) m[i][j] = m[i][j + 1] * 0.5 + j;
#pragma endscop
}
static void from(unsigned n, unsigned k)
{
#pragma scop
    for (unsigned i = k; i < n; i--) a[i] += b[i];
    for (unsigned i = 9; i < 10; i--) b[i] += 1;
#pragma endscop
}
static void narrow(unsigned short n)
{
#pragma scop
    for (size_t i = n - 1; i < n; i--) a[i] += b[i] * 3;
#pragma endscop
}
static void back(unsigned n)
{
#pragma scop
    for (unsigned i = n - 1; i < n; i--) {
    double s = b[i];
      for (unsigned j = i + 1; j < n; j++) s -= m[i][j] * a[j];
    a[i] = s / (m[i][i] + 50);
  }
#pragma endscop
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i % 7;
        b[i] = i % 5 - 1;
        for (int j = 0; j < N; j++)
            m[i][j] = i * j % 11;
    }
    static const int sizes[] = {0, 1, 2, 3, 8, 17, 33, N};
    for (int k = 0; k < 8; k++) {
        int n = sizes[k];
        rows(n);
        sums_behind(n);
        triangle(n);
        from(n, n ? n - 1 : 0);
        from(n, 5);
        from(5, n);
        narrow(n);
        back(n);
        data_show("a", n, a, sizeof a);
        data_show("b", n, b, sizeof b);
        data_show("m", n, m, sizeof m);
    }
    return 0;
}
