/* Bubble sort. */
#include "data.h"

void sort(int n, int a[restrict n])
{
#pragma scop
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1 - i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int *a = data_ints(n, 1000);
        sort(n, a);
        data_show("sort", n, a, 4 * n);
    }
}
