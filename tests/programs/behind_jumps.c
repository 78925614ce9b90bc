/* What stands behind a jump is not gone where something else leads there: a label, or a `switch` of which
   one case goes on in the next. Each time a region in front keeps `s` for what is read there. */
#include <stdio.h>

static int marked(int n, int *restrict a, int *restrict b, const int *restrict c)
{
    int i = 0, s = 0;
#pragma scop
    for (int j = 0; j < n; j++) {
        s = c[j] % 100 + 3;
        a[j] = s * s * 2 + 1;
    }
#pragma endscop
#pragma scop
    do {
        if (c[i] == 1234567)
            goto other;
        b[i] += 1;
        continue;
    other:
        b[i] += s;
    } while (++i < n);
#pragma endscop
    return i;
}

static void entered(int n, int at, int *restrict b, const int *restrict c)
{
    int s = 0;
#pragma scop
    for (int j = 0; j < n; j++) {
        s = c[j] % 100 + 3;
        b[j] += s * s;
    }
#pragma endscop
    if (at)
        goto inside;
#pragma scop
    for (int j = 0; j < n; j++) {
        if (b[j] > 100) {
            b[j] -= 7;
            goto done;
        } else {
            b[j] += 2;
            goto done;
        }
    inside:
        j = 1;
        b[j] += s;
    done:
        b[j] += 5;
    }
#pragma endscop
}

static void falling(int n, int *restrict a, int *restrict b, const int *restrict c)
{
    int s = 0;
#pragma scop
    for (int j = 0; j < n; j++) {
        s = c[j] % 100 + 3;
        a[j] = s * s * 2 + 1;
    }
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++) {
        switch (c[i]) {
        case 1234567:
            break;
        case 2:
            b[i]++;
        default:
            b[i] += 1;
            continue;
        }
        b[i] += s;
    }
#pragma endscop
}

int main(void)
{
    int a[40] = {0}, b[40] = {0}, c[40];
    for (int i = 0; i < 40; i++)
        c[i] = i * 7 % 13;
    c[4] = 1234567;
    c[39] = 12;
    long sum = marked(40, a, b, c);
    entered(40, 0, b, c);
    entered(40, 1, b, c);
    falling(40, a, b, c);
    for (int i = 0; i < 40; i++)
        sum = sum * 3 % 1000003 + b[i] * (i + 3) + a[i];
    printf("%ld\n", sum);
    return 0;
}
