#include <stdio.h>
#include <stdlib.h>

int scale = 3;

static void shadows(int n, const int a[restrict n], int b[restrict n])
{
    int t = n / 2;
#pragma scop
    for (int i = 0; i < n; i++) {
        int u = t + i;
        int s = scale * i;
        if (a[i] > 5) {
            int t = a[i];
            int u = t + 1;
            b[i] = u + t;
        } else {
            int v = u;
            {
                int u = v * 2;
                b[i] = u - t + s;
            }
            b[i] += u;
        }
        scale = scale + 1;
        b[i] += s;
    }
#pragma endscop
}

int main(void)
{
    int a[40], b[40];
    for (int i = 0; i < 40; i++)
        a[i] = i * 7 % 11;
    shadows(40, a, b);
    for (int i = 0; i < 40; i++)
        printf("%d ", b[i]);
    printf("%d", scale);
}
