#include <stdio.h>

/* What is left in a variable is left there by loops that do nothing else, too. */
static int counted(int begin, int n, int *restrict a)
{
    int k = begin;
#pragma scop
    while (k < n) {
        k++;
    }
    a[0] += k;
#pragma endscop
    return k;
}

static unsigned long never(unsigned long n, float *restrict a)
{
    unsigned long last;
#pragma scop
    unsigned long k = 0;
    while (k < n) {
        int odd = 255 & 1;
        if (odd == 0)
            a[k & 7] += 1;
        k++;
    }
    last = k;
    a[1] += k;
#pragma endscop
    return last;
}

static int rows(int n, const int *restrict row, int *restrict a)
{
    int k = 7;
#pragma scop
    for (int i = 0; i < n; i++) {
        k = row[i];
        while (k < row[i + 1]) {
            k++;
        }
        a[i] -= k;
    }
#pragma endscop
    return k;
}

static int down(int n, int begin, int *restrict a)
{
    int k = begin;
#pragma scop
    for (int i = 0; i < n; i++) {
        while (k >= i) {
            k--;
        }
        a[i] += k;
    }
#pragma endscop
    return k;
}

int main(void)
{
    static const int row[] = {3, 5, 5, 2, 9, 1, 0, 4, 4};
    int a[9] = {0};
    float f[8] = {0};
    for (int n = 0; n < 9; n++) {
        printf("%d ", counted(n - 3, 4, a));
        printf("%lu ", never(n, f));
        printf("%d ", rows(n > 8 ? 8 : n, row, a));
        printf("%d\n", down(n, 12 - n, a));
    }
    for (int i = 0; i < 9; i++)
        printf("%d ", a[i]);
    printf("%g\n", f[1]);
    return 0;
}
