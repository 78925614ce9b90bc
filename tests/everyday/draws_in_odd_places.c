/* Calls that change state where it is not known how often a compiler evaluates them, or whose order
 * C does not say: in subscripts and bounds, and twice in an expression by way of functions. */
#include "data.h"

static int digit(void)
{
    int drawn = rand();
    return drawn % 10;
}

static int counted(void)
{
    static int calls;
    return ++calls;
}

void odd(int *h, float *c, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        h[rand() % n]++;
    for (int i = rand() % 3; i < n; i++)
        c[i] += i;
    for (int i = 0; i < rand() % 9 + 4 && i < n; i++)
        c[i] *= 2;
    for (int i = 0; i < n; i++)
        c[i] += digit() - digit();
    for (int i = 0; i < n; i++)
        h[i] += counted();
    for (int i = 0; i < n; i++)
        c[i] = c[i] * 0.5f + h[i];
#pragma endscop
}

void told(const char *format, int *h, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        printf(format, h[i]);
    for (int i = 0; i < n; i++) {
        int length = 0;
        printf("%d%n\n", h[i] * 1000, &length);
        h[i] += length;
    }
#pragma endscop
}

int main(void)
{
    srand(23);
    for (int n = 5; n < 60; n += 17) {
        int *h = data_ints(n, 50);
        float *c = data_floats(n);
        odd(h, c, n);
        told("<%d>\n", h, n);
        data_show("h", n, h, n * sizeof *h);
        data_show("c", n, c, n * sizeof *c);
        free(h); free(c);
    }
    return 0;
}
