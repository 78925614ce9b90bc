/* A variable that begins with a number and is stepped later: the number has its type. */
#include <stddef.h>
#include <stdio.h>

static unsigned left_by_break(int n, long *restrict b)
{
    unsigned s = 0;
#pragma scop
    for (int i = 0; i < n - 1; ++i) {
        b[i] = (s - 1) / 2;
        if (b[i] == 77)
            break;
    }
    s = n + s;
#pragma endscop
    return s;
}

static size_t stepped(int n, double *restrict b, int *restrict c)
{
    size_t s = 3, least = 1;
#pragma scop
    for (int i = 0; i < n - 1; ++i) {
        b[i] = (s - 5) / 3;
        c[i] = (least - 2) / 2 > 100;
        least += 2;
    }
    s += n;
#pragma endscop
    return s + least;
}

static unsigned long from_others(int n, unsigned u, long *restrict b)
{
    unsigned s = 0;
    unsigned t = (s - 1) / 2 + u;
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] += t;
        t += 3;
    }
#pragma endscop
    return t;
}

static unsigned once_at_least(int n, int *restrict c)
{
    unsigned i = 0;
#pragma scop
    do {
        c[i] += 3;
        i++;
    } while (i < n);
#pragma endscop
    return i;
}

int main(void)
{
    long b[40] = {0};
    double d[40] = {0};
    int c[40] = {0};
    double sum = 0;
    for (int n = 0; n < 40; n += 13) {
        sum += left_by_break(n, b);
        sum += stepped(n, d, c);
        sum += from_others(n, 7, b);
        sum += once_at_least(n, c);
        for (int i = 0; i < 40; i++)
            sum += (b[i] % 1000003 + d[i] / 1e9 + c[i]) * (i + 1);
    }
    printf("%.17g\n", sum);
    return 0;
}
