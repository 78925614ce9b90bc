/* Numbers of 128 bits, which the compiler has no library for but what it computes itself. */
#include <stdio.h>

void squares(int n, __float128 q[restrict n], const double x[restrict n], unsigned char b[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        q[i] = x[i] * (__float128)x[i] / 3 + q[i];
        b[i] = (int)q[i] & 255;
        if (q[i] > 2 && !(q[i] < x[i]))
            q[i] = -q[i] + 0.1L;
    }
#pragma endscop
}

void smooth(int n, int t, _Float128 a[restrict n], __float128 b[restrict n])
{
#pragma scop
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
#pragma endscop
}

int main(void)
{
    enum { N = 47 };
    static __float128 q[N], a[N], c[N];
    static double x[N];
    static unsigned char b[N];
    for (int i = 0; i < N; i++) {
        x[i] = i * 0.37 - 5;
        q[i] = i;
        a[i] = i * i / (__float128)7;
    }
    squares(N, q, x, b);
    smooth(N, 9, a, c);
    for (int i = 0; i < N; i++) {
        /* All of its bits. */
        double high = q[i], low = q[i] - high, other = a[i];
        printf("%a %a %d %a %a\n", high, low, b[i], other, (double)(a[i] - other));
    }
}
