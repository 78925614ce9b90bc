/* Macros of GNU C: each argument is evaluated once. */
#include "data.h"

#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); (void)(&a_ == &b_); a_ > b_ ? a_ : b_; })
#define MIN(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ < b_ ? a_ : b_; })
#define CLAMP(x, lo, hi) MIN(MAX(x, lo), hi)
#define SWAP(a, b) do { __typeof__(a) t_ = (a); (a) = (b); (b) = t_; } while (0)
#define SQUARE(x) ({ __typeof__(x) x_ = (x); x_ * x_; })

static int brightest(const uint8_t *row, int n)
{
    int found = 0;
    for (int i = 0; i < n; i++)
        found = MAX(found, (int)row[i]);
    return found;
}

static void sharpen(int w, int h, const uint8_t *restrict in, uint8_t *restrict out)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int up = in[MAX(y - 1, 0) * w + x], down = in[MIN(y + 1, h - 1) * w + x];
            int v = 3 * in[y * w + x] - up - down;
            out[y * w + x] = (uint8_t)CLAMP(v, 0, 255);
        }
#pragma endscop
}

static void reversed(int n, int *restrict v, int *restrict marks)
{
#pragma scop
    for (int i = 0, j = n - 1; i < j; i++, j--)
        SWAP(v[i], v[j]);
    for (int i = 0; i < n; i++)
        v[i] = (marks[i]++, v[i] > 40 && SQUARE(v[i]) < 5000 ? MIN(v[i], marks[i]) : -v[i]);
#pragma endscop
}

static double energy(int n, const double *restrict p, double *restrict q)
{
    double sum = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        q[i] += ({ double s = 0; for (int k = 0; k < 4; k++) s += p[i] * k; s; });
        if (({ double d = q[i] - p[i]; d * d; }) > 0.5)
            q[i] = p[i];
        sum += SQUARE(q[i] - p[i]);
    }
#pragma endscop
    return sum;
}

/* An operand in front of the braces, read before or after them, under a condition on data. */
static void bits(int n, const int *restrict v, int *restrict b)
{
#pragma scop
    for (int i = 0; i < n - 1; i++)
        if ((b[i] & 3) == 0)
            b[i + 1] += b[i] * ({ int r = 0, s = v[i]; for (int k = 0; k < 4; k++) r += s >> k; r; }) % 50;
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        uint8_t *in = data_bytes(n * n), *out = data_bytes(n * n);
        sharpen(n, n, in, out);
        data_show("sharpen", brightest(out, n * n), out, n * n);
        int *v = data_ints(n, 100), *marks = data_ints(n, 60);
        reversed(n, v, marks);
        data_show("reversed", n, v, n * sizeof *v);
        data_show("marks", n, marks, n * sizeof *marks);
        bits(n, v, marks);
        data_show("bits", n, marks, n * sizeof *marks);
        double *p = data_doubles(n), *q = data_doubles(n);
        double e = energy(n, p, q);
        data_show("energy", n, q, n * sizeof *q);
        data_show("sum", n, &e, sizeof e);
    }
}
