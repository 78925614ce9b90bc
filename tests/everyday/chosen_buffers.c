/* Buffers that the parity of a step chooses, and indices that are 0 and 1 in turns. */
#include <stdbool.h>
#include <stdio.h>
enum { N = 300 };
static float a[N], b[N], grid[2][N];
static void relax(const float *in, float *out, int n, int t)
{
    for (int i = 1; i < n - 1; i++)
        out[i] = 0.5f * (in[i - 1] + in[i + 1]) + t;
}
void choose(float *x, float *y, int n, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        float *src = t % 2 ? y : x, *dst = t % 2 ? x : y;
        for (int i = 1; i < n - 1; i++)
            dst[i] = 0.5f * (src[i - 1] + src[i + 1]);
    }
#pragma endscop
}
void choose_equal(float *x, float *y, int n, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        const float *src = (t & 1) == 0 ? x : y;
        float *dst = t % 2 == 1 ? x : y;
        for (int i = 1; i < n - 1; i++)
            dst[i] = 0.5f * (src[i - 1] + src[i + 1]);
    }
#pragma endscop
}
/* odd steps below zero have another remainder: both are the same buffer there */
void below_zero(float *x, float *y, int n, int from, int steps)
{
#pragma scop
    for (int t = from; t < steps; t++) {
        float *src = t % 2 == 0 ? x : y, *dst = t % 2 == 1 ? x : y;
        for (int i = 1; i < n - 1; i++)
            dst[i] = 0.25f * src[i - 1] + 0.5f;
    }
#pragma endscop
}
void given(float *x, float *y, int n, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++)
        relax(t & 1 ? y : x, t & 1 ? x : y, n, t);
#pragma endscop
}
void pair(float *x, float *y, int n, int steps)
{
    float *buf[2] = {x, y};
#pragma scop
    for (int t = 0; t < steps; t++) {
        float *src = buf[t & 1], *dst = buf[!(t & 1)];
        for (int i = 1; i < n - 1; i++)
            dst[i] = 0.5f * (src[i - 1] + src[i + 1]);
    }
#pragma endscop
}
int toggled(float *x, float *y, int n, int steps)
{
    float *buf[2] = {x, y};
    int cur = 0;
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            buf[1 - cur][i] = 0.5f * (buf[cur][i - 1] + buf[cur][i + 1]);
        cur = 1 - cur;
    }
#pragma endscop
    return cur;
}
/* from whatever the caller says, which need not be a bit */
int rows(int n, int steps, int cur)
{
#pragma scop
    while (steps-- > 0) {
        for (int i = 1; i < n - 1; i++)
            grid[(cur ^ 1) & 1][i] = 0.5f * (grid[cur & 1][i - 1] + grid[cur & 1][i + 1]);
        cur ^= 1;
    }
#pragma endscop
    return cur;
}
int plain_rows(int n, int steps, int cur)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            grid[cur ^ 1][i] = 0.5f * (grid[cur][i - 1] + grid[cur][i + 1]);
        cur ^= 1;
    }
    for (int i = 0; i < n; i++)
        grid[cur][i] += 1;
#pragma endscop
    return cur;
}
bool flag(int n, int steps)
{
    bool odd = true;
    for (int k = 0; k < 3; k++) {
#pragma scop
        for (int t = 0; t < steps; t++) {
            odd = !odd;
            for (int i = 1; i < n - 1; i++)
                grid[odd][i] = 0.5f * (grid[!odd][i - 1] + grid[!odd][i + 1]) + odd;
        }
#pragma endscop
    }
    return odd;
}
void inside(int n, int steps, int rounds)
{
#pragma scop
    unsigned char now = 1;
    for (int r = 0; r < rounds; r++)
        for (int t = 0; t < steps; t++) {
            for (int i = 1; i < n - 1; i++)
                grid[!now][i] = 0.5f * (grid[now][i - 1] - grid[now][i + 1]) + now;
            now = now ^ 1;
        }
    grid[now][0] = now;
#pragma endscop
}
/* not in every step, and indices that change places */
int sometimes(int n, int steps)
{
    int cur = 0;
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            grid[1 - cur][i] = 0.5f * (grid[cur][i - 1] + grid[cur][i + 1]);
        if (t % 3)
            cur = 1 - cur;
    }
#pragma endscop
    return cur;
}
int indices(int n, int steps)
{
    int cur = 0, next = 1;
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            grid[next][i] = 0.5f * (grid[cur][i - 1] + grid[cur][i + 1]);
        int tmp = cur;
        cur = next;
        next = tmp;
    }
#pragma endscop
    return cur + 2 * next;
}
static void fill(void) { for (int i = 0; i < N; i++) a[i] = i % 13, b[i] = i % 7, grid[0][i] = i % 5, grid[1][i] = i % 3; }
static double sum(void) { double s = 0; for (int i = 0; i < N; i++) s += a[i] * (i % 17) + b[i] * (i % 5) + grid[0][i] + 3 * grid[1][i]; return s; }
int main(void)
{
    for (int k = 0; k < 6; k++) {
        int steps = (int[]){0, 1, 2, 7, 8, -3}[k];
        fill(); choose(a, b, N, steps); printf("%.9g\n", sum());
        choose(a, a, N, steps); printf("%.9g\n", sum());
        fill(); choose_equal(a, b, N, steps); printf("%.9g\n", sum());
        fill(); below_zero(a, b, N, -5, steps); printf("%.9g\n", sum());
        fill(); given(a, b, N, steps); printf("%.9g\n", sum());
        fill(); pair(a, b, N, steps); printf("%.9g\n", sum());
        printf("%d ", toggled(a, b, N, steps)); printf("%.9g\n", sum());
        for (int cur = 0; cur < 5; cur++) printf("%d ", rows(N, steps, cur));
        printf("%d ", rows(N, steps, -3)); printf("%.9g\n", sum());
        printf("%d %d ", plain_rows(N, steps, 0), plain_rows(N, steps, 1)); printf("%.9g\n", sum());
        printf("%d ", flag(N, steps)); printf("%.9g\n", sum());
        inside(N, steps, 3); printf("%.9g\n", sum());
        printf("%d %d ", sometimes(N, steps), indices(N, steps)); printf("%.9g\n", sum());
    }
    return 0;
}
