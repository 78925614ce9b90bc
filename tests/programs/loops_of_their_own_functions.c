/* Loops that threads execute in functions of their own: names, pointers and memory mean there what they
 * mean where the loops stand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int none = 0;

typedef struct { float value, weight; } cell;

/* A pointer that is based on one which alone leads to its memory. */
static void based(int n, int m, float *restrict a, float *restrict sums)
{
#pragma scop
    float *next = a + 1;
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
            if (a[i * m + j] > 0) {
                next[i * m + j - 1] = a[i * m + j] * -0.5f;
                sums[i] = sums[i] / 2 + a[i * m + j];
            }
#pragma endscop
}

struct work { float best, tmp[4]; };

/* Scratch memory on the heap, which all iterations have. */
static void scratch(int n, int m, const float *restrict a, float *restrict b)
{
    struct work *ws = malloc(sizeof *ws);
    float *row = malloc(8 * sizeof *row);
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            ws->best = 4;
            for (int k = 0; k < 4; k++)
                row[k] = a[i * m + j] * k;
            for (int k = 0; k < 4; k++)
                if (row[k] > ws->best)
                    ws->best = row[k];
            b[i * m + j] = ws->best;
        }
#pragma endscop
    free(row);
    free(ws);
}

/* A member that is scratch beside one that is not. */
static void taps(int n, int m, const float *restrict a, float *restrict b)
{
    cell t[4];
    float sum;
    for (int k = 0; k < 4; k++)
        t[k].weight = k + 1;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            sum = 0;
            for (int k = 0; k < 4; k++)
                t[k].value = a[i * m + j] * 2 + k;
            for (int k = 0; k < 4; k++)
                sum += t[k].value * t[3 - k].weight;
            if (sum > 3)
                b[i * m + j] = sum;
        }
#pragma endscop
}

/* The name of an extent means something else where the loop stands. */
static int hidden(int n, int m, const float a[restrict n][m], float b[restrict n][m])
{
    int found = 0;
    {
        int m = 7;
#pragma scop
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 40; j++)
                if (a[i][j] > 0)
                    b[i][j] = a[i][j] * 2;
#pragma endscop
        found += m;
    }
    return found;
}

/* A variable with the name of a type, and others with names that generated text has. */
static void names(int n, int m, const cell *restrict in, float *restrict out)
{
    int cell = m / 3, tw_first = 2, tw_count = 3;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (in[i * m + j].value > 0)
                out[i * m + j] = in[i * m + j].weight + cell + tw_first * tw_count;
#pragma endscop
}

/* What a variable holds behind the loop, and in the next turn of one around it. */
static int behind(int n, int m, const float *restrict a, float *restrict b)
{
    int last = 0, i;
    for (int turn = 0; turn < 3; turn++) {
#pragma scop
        for (i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                if (a[i * m + j] > turn)
                    b[i * m + j] += a[i * m + j];
#pragma endscop
        last += i;
    }
    return last;
}

/* Variables that each iteration has for itself, and loops that differ in how much they do. */
static int own(int n, int m, const float x[restrict n][m], float y[restrict n][m], float *restrict z)
{
    float window[3], sum, *to;
    int i, j, rows = 0;
#pragma scop
    for (i = 0; i < n; i++) {
        to = y[i];
        for (j = 1; j < m - 1; j++) {
            if (i == j)
                continue;
            sum = 0;
            for (int k = 0; k < 3; k++)
                window[k] = x[i][j + k - 1] / 2;
            for (int k = 0; k < 3; k++)
                sum += window[k] * window[2 - k];
            if (sum > 0)
                to[j] = sum;
        }
    }
    rows = rows + 1;
    for (i = 0; i < n; i++)
        for (int k = 0; k <= i; k++)
            z[i] = z[i] / 2 + x[i][k];
#pragma endscop
    return rows;
}

struct sizes { int batch, rows, columns; };

/* Few iterations outside, and independent ones inside. */
static void few(const struct sizes *s, const float *restrict x, float *restrict y)
{
    int i, row;
    float sum;
#pragma scop
    for (i = 0; i < s->batch; i++)
        for (row = 1; row <= s->rows; row++) {
            sum = 0;
            for (int k = 0; k < s->columns; k++) {
                sum = sum / 2 + x[(i * s->rows + row - 1) * s->columns + k];
                if (sum > 3)
                    y[(i * s->rows + row - 1) * s->columns + k] = sum;
            }
        }
#pragma endscop
}

/* Without iterations outside, nobody asks for how many there are inside. */
static void none_outside(int batch, int most, const struct sizes *s, const float *restrict x, float (*restrict y)[16][20])
{
#pragma scop
    for (int i = 0; i < batch; i++)
        for (int j = 0; j < s->rows; j++)
            for (int k = 1; k < 20; k++)
                y[i][j][k] = y[i][j][k - 1] / 2 + x[k];
    for (int i = 0; i < batch; i++)
        for (int j = 0; j < most + 1; j++)
            for (int k = 1; k < 20; k++)
                y[i][j][k] = y[i][j][k - 1] / 4 + x[k];
#pragma endscop
}

/* A variable that lives from one iteration inside to the next. */
static void carried(int batch, int rows, int columns, const float *restrict x, float *restrict y)
{
    float sum, last[64];
#pragma scop
    for (int i = 0; i < batch; i++)
        for (int j = 0; j < rows; j++) {
            if (j == 0)
                sum = 0;
            for (int k = 0; k < columns; k++)
                sum = sum / 2 + x[(i * rows + j) * columns + k];
            y[i * rows + j] = sum;
        }
    for (int i = 0; i < batch; i++)
        for (int j = 0; j < rows; j++) {
            last[j] = x[i * rows + j];
            for (int k = 0; k < j; k++)
                last[j] = last[j] / 2 + last[k];
            y[i * rows + j] += last[j];
        }
#pragma endscop
}

#define N 37
#define M 41

static float a[N * M], b[N * M], c[N];
static cell in[N * M];

static void fill(void)
{
    for (int k = 0; k < N * M; k++) {
        a[k] = k * 31 % 101 - 40;
        b[k] = k % 7;
        in[k].value = k * 17 % 23 - 9;
        in[k].weight = k % 13;
    }
    memset(c, 0, sizeof c);
}

static void show(const char *name, int more)
{
    double sum = more;
    for (int k = 0; k < N * M; k++)
        sum += a[k] * (1 + k % 7) + b[k] * (1 + k % 5);
    for (int k = 0; k < N; k++)
        sum += c[k] * (1 + k % 3);
    printf("%s %.17g\n", name, sum);
    fill();
}

int main(void)
{
    int n = N + none, m = M + none;
    fill();
    based(n, m, a, c);
    show("based", 0);
    scratch(n, m, a, b);
    show("scratch", 0);
    taps(n, m, a, b);
    show("taps", 0);
    show("hidden", hidden(n, m, (const float (*)[m])a, (float (*)[m])b));
    names(n, m, in, b);
    show("names", 0);
    show("behind", behind(n, m, a, b));
    show("own", own(n, m, (const float (*)[m])a, (float (*)[m])b, c));
    struct sizes sixteen = {2, 16, 20};
    none_outside(2 + none, 15, &sixteen, a, (float (*)[16][20])b);
    none_outside(none, 2147483647, NULL, a, (float (*)[16][20])b);
    show("none_outside", 0);
    for (int batch = 1; batch <= N; batch += 4) {
        struct sizes s = {batch + none, N / batch, M};
        few(&s, a, b);
        show("few", batch);
        carried(s.batch, s.rows, s.columns, a, b);
        show("carried", batch);
    }
    return 0;
}
