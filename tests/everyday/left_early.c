/* Loops around marked loops that are left, or gone on with, before what the marked ones leave in their
 * variable is set again: some read it behind that, some do not. */
#include "data.h"

/* `break` leads to the last line with what the loop left. */
int broken(int n, int *a, const int *b, int most)
{
    int i = 0;
    for (int k = 0; k < 3; k++) {
#pragma scop
        for (i = 0; i < n; i++)
            a[i] = b[i] + k;
#pragma endscop
        if (b[k] > most)
            break;
        i = 0;
    }
    return i;
}

/* `break` leads behind the `switch`. */
int switched(int n, int *a, const int *b)
{
    int i = 0, sum = 0;
    for (int k = 0; k < 3; k++) {
        i = 7;
        switch (b[k] & 3) {
        case 0:
#pragma scop
            for (i = 0; i < n; i++)
                a[i] = b[i] + k;
#pragma endscop
            break;
        case 1:
            i = 0;
        }
        sum += i;
    }
    return sum;
}

/* `continue` leads to the condition. */
int continued(int n, int *a, const int *b, int most)
{
    int i = 0, k = 0;
    do {
#pragma scop
        for (i = 0; i < n; i++)
            a[i] = b[i] - k;
#pragma endscop
        if (b[k] > most)
            continue;
        i = 0;
    } while (++k < 3 && i < 1);
    return k;
}

/* Nobody reads it. */
int unread(int n, int *a, const int *b, int most)
{
    int i, sum = 0;
    for (int k = 0; k < 3; k++) {
        double square = 0;
#pragma scop
        for (i = 0; i < n; i++)
            square += a[i] * (double)b[i];
        for (i = 0; i < n; i++)
            a[i] = b[i] + k;
#pragma endscop
        if (square > most)
            continue;
        sum += k + 1;
    }
    return sum;
}

int main(void)
{
    DATA_EACH(n) {
        int *a = data_ints(n + 3, 50), *b = data_ints(n + 3, 50);
        int results[4] = {
            broken(n, a, b, 30),
            switched(n, a, b),
            continued(n, a, b, 30),
            unread(n, a, b, 900),
        };
        data_show("results", n, results, sizeof results);
        data_show("a", n, a, n * sizeof *a);
    }
}
