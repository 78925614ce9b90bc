/* Time loops with buffers, in the words of ten people. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define H 24
#define W 40
typedef struct { int rows, cols; int *now, *then; } board_t;
typedef struct { uint8_t *front, *back; size_t len; } screen_t;
static void exchange(uint8_t **p, uint8_t **q) { uint8_t *const keep = *p; *p = *q; *q = keep; }
/* 1: life with wrapped borders and members */
void life(board_t *b, int generations)
{
#pragma scop
    for (int g = 0; g < generations; g++) {
        for (int y = 0; y < b->rows; y++)
            for (int x = 0; x < b->cols; x++) {
                int count = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++)
                        if (dy || dx)
                            count += b->now[(y + dy + b->rows) % b->rows * b->cols + (x + dx + b->cols) % b->cols];
                b->then[y * b->cols + x] = count == 3 || (count == 2 && b->now[y * b->cols + x]);
            }
        int *t = b->now;
        b->now = b->then;
        b->then = t;
    }
#pragma endscop
}
/* 2: blur of bytes, a helper, size_t */
void blur(screen_t *s, unsigned passes)
{
#pragma scop
    while (passes--) {
        s->back[0] = s->front[0];
        s->back[s->len - 1] = s->front[s->len - 1];
        for (size_t i = 1; i + 1 < s->len; i++)
            s->back[i] = (s->front[i - 1] + 2 * s->front[i] + s->front[i + 1] + 2) >> 2;
        exchange(&s->front, &s->back);
    }
#pragma endscop
}
/* 3: three buffers by an array of pointers */
void leapfrog(double *u[3], int n, int steps, double c)
{
#pragma scop
    for (int t = 0; t < steps; ++t) {
        for (int i = 1; i < n - 1; ++i)
            u[2][i] = 2.0 * u[1][i] - u[0][i] + c * (u[1][i + 1] - 2.0 * u[1][i] + u[1][i - 1]);
        double *tmp = u[0];
        u[0] = u[1];
        u[1] = u[2];
        u[2] = tmp;
    }
#pragma endscop
}
/* 4: a heat plate, static buffers, relaxed until it stays */
static double plate[2][H][W];
int settle(double eps, int most)
{
    int it = 0, cur = 0;
    double diff;
#pragma scop
    do {
        diff = 0.0;
        for (int y = 1; y < H - 1; y++)
            for (int x = 1; x < W - 1; x++) {
                plate[1 - cur][y][x] = 0.25 * (plate[cur][y - 1][x] + plate[cur][y + 1][x] + plate[cur][y][x - 1] + plate[cur][y][x + 1]);
                diff = fmax(diff, fabs(plate[1 - cur][y][x] - plate[cur][y][x]));
            }
        cur = 1 - cur;
    } while (diff > eps && ++it < most);
#pragma endscop
    return it * 2 + cur;
}
/* 5: pointers to rows of a fixed length, swap in front, count down */
double down(double (*p)[W], double (*q)[W], int steps)
{
    double (*t)[W];
#pragma scop
    for (int k = steps; k > 0; k--) {
        t = p; p = q; q = t;
        for (int y = 1; y < H; y++)
            for (int x = 0; x < W; x++)
                p[y][x] = q[y - 1][x] * 0.5 + k;
    }
#pragma endscop
    return p[3][4] - q[5][6];
}
/* 6: prefix by doubling: the distance doubles with the exchange */
int *scan(int *in, int *out, int n)
{
#pragma scop
    for (int d = 1; d < n; d *= 2) {
        for (int i = 0; i < n; i++)
            out[i] = i >= d ? in[i] + in[i - d] : in[i];
        int *swap = in;
        in = out;
        out = swap;
    }
#pragma endscop
    return in;
}
/* 7: unsigned bytes near overflow, global pointers, early way out */
static uint8_t *src, *dst;
static int cells;
int automaton(int steps, uint8_t stop)
{
    int t;
#pragma scop
    for (t = 0; t < steps; t++) {
        for (int i = 0; i < cells; i++)
            dst[i] = src[i] * 3 + src[i ? i - 1 : cells - 1] + 251;
        uint8_t *x = src;
        src = dst;
        dst = x;
        if (src[0] == stop)
            break;
    }
#pragma endscop
    return t;
}
/* 8: two phases, and what is left is added */
long phases(long *a, long *b, long *sum, int n, int first, int second)
{
#pragma scop
    for (int t = 0; t < first; t++) {
        for (int i = 1; i < n; i++)
            b[i] = a[i - 1] - a[i];
        long *x = a; a = b; b = x;
    }
    for (int t = 0; t < second; t++) {
        for (int i = 0; i < n - 1; i++)
            b[i] = a[i + 1] + 1;
        long *x = a; a = b; b = x;
    }
    for (int i = 0; i < n; i++)
        sum[i] += a[i] * 2 - b[i];
#pragma endscop
    return a[n / 2];
}
/* 9: parity in a helper's arguments */
static void copy_row(short *to, const short *from, int n, int by)
{
    for (int i = 0; i < n; i++)
        to[i] = from[(i + by) % n] - by;
}
void rotate(short *a, short *b, int n, int steps)
{
#pragma scop
    for (int t = 1; t <= steps; t++)
        copy_row(t % 2 == 0 ? a : b, t % 2 == 0 ? b : a, n, t);
#pragma endscop
}
/* 10: do while, odd border, a pointer between */
float *wave(float *cur, float *next, const float *k, int n, int steps)
{
    int s = 0;
#pragma scop
    do {
        const float *w = k + 1;
        float *left = cur;
        for (int i = 2; i < n - 2; i++)
            next[i] = w[-1] * left[i - 2] + w[0] * left[i] + w[1] * left[i + 2];
        cur = next;
        next = left;
        s++;
    } while (s < steps);
#pragma endscop
    return cur;
}
static unsigned hash(const void *p, size_t n) { const uint8_t *q = p; unsigned h = 17; while (n--) h = h * 31 + *q++; return h; }
int main(void)
{
    blur(NULL, 0);
    life(NULL, 0);
    for (int k = 0; k < 6; k++) {
        int steps = (int[]){0, 1, 2, 5, 6, -2}[k];
        static int ba[H * W], bb[H * W];
        for (int i = 0; i < H * W; i++) ba[i] = i * 7 % 3 == 0, bb[i] = 5;
        board_t board = { H, W, ba, bb }; life(&board, steps); printf("life %d %u %u\n", board.now == ba, hash(ba, sizeof ba), hash(bb, sizeof bb));
        board.then = board.now; life(&board, steps); printf("%u\n", hash(ba, sizeof ba));
        struct { uint8_t before[32]; screen_t s; uint8_t behind[300]; } m; static uint8_t px[300];
        for (int i = 0; i < 300; i++) px[i] = i * 91, m.behind[i] = i;
        m.s = (screen_t){ px, m.behind, 299 }; blur(&m.s, steps < 0 ? 0 : steps); printf("blur %d %u %u\n", m.s.front == px, hash(px, 300), hash(m.behind, 300));
        m.s.len = 2; blur(&m.s, 3); m.s.len = 1; blur(&m.s, 3); printf("%d\n", m.s.front == px);
        static double u[3][90]; for (int i = 0; i < 270; i++) u[i / 90][i % 90] = i % 11;
        double *v[3] = { u[0], u[1], u[2] }; leapfrog(v, 90, steps, 0.3); printf("leap %d%d %u\n", v[0] == u[0], v[1] == u[0], hash(u, sizeof u));
        leapfrog(v, 0, steps, 0.3); leapfrog(v, 2, steps, 0.3); printf("%d%d\n", v[0] == u[0], v[1] == u[0]);
        for (int i = 0; i < 2 * H * W; i++) plate[i / (H * W)][i / W % H][i % W] = i % 13;
        printf("settle %d %u\n", settle(0.5, steps * 9), hash(plate, sizeof plate));
        printf("down %.17g %.17g\n", down(plate[0], plate[1], steps), down(plate[1], plate[1], steps));
        static int x[77], y[77]; for (int i = 0; i < 77; i++) x[i] = i - 40, y[i] = 9;
        int *z = scan(x, y, steps < 0 ? 77 : steps * 12); printf("scan %d %u %u\n", z == x, hash(x, sizeof x), hash(y, sizeof y));
        static uint8_t c1[70], c2[70]; for (int i = 0; i < 70; i++) c1[i] = i * 5, c2[i] = 0;
        src = c1; dst = c2; cells = 70; int t = automaton(steps * 4, 33); printf("auto %d %d %u %u\n", t, src == c1, hash(c1, 70), hash(c2, 70));
        cells = 0; t = automaton(steps, 0); printf("%d %d\n", t, src == c1);
        static long l1[50], l2[50], l3[50]; for (int i = 0; i < 50; i++) l1[i] = i * i, l2[i] = -i, l3[i] = 1;
        long l = phases(l1, l2, l3, 50, steps, 3 - steps); printf("phases %ld %u\n", l, hash(l3, sizeof l3));
        static short s1[45], s2[45]; for (int i = 0; i < 45; i++) s1[i] = i * 700, s2[i] = i;
        rotate(s1, s2, 45, steps); rotate(s1, s1, 45, steps); printf("rotate %u %u\n", hash(s1, sizeof s1), hash(s2, sizeof s2));
        static float w1[200], w2[200]; for (int i = 0; i < 200; i++) w1[i] = i % 9, w2[i] = i % 4;
        float *e = wave(w1, w2, (float[]){0.25f, 0.5f, 0.25f}, 200, steps); printf("wave %d %u %u\n", e == w1, hash(w1, sizeof w1), hash(w2, sizeof w2));
        e = wave(w1, w1 + 3, w2, 190, steps); printf("%d %u\n", e == w1, hash(w1, sizeof w1));
    }
}
