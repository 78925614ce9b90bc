/* Tables looked up at what a function gives back, and small arrays of the function's own, beside plain
 * pointers. */
#include "data.h"

static inline signed char saturated(int v) { return v < -128 ? -128 : v > 127 ? 127 : v; }

static inline int limited(int v)
{
    if (v < 0)
        return 0;
    if (v > 255)
        return 255;
    return v;
}

/* Sums of windows, through a curve. */
void curve(int n, const int *in, const signed char *table, signed char *out)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int acc = 0;
        for (int k = 0; k < 5; k++)
            acc += in[i + k] * (k - 1);
        signed char v = table[saturated(acc >> 1) + 128];
        if (v > 100)
            v = 100;
        out[i] = v;
    }
#pragma endscop
}

void tone(int n, const short *in, const unsigned char *table, unsigned char *out)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = (table[limited(in[i])] + table[limited(in[i] * 2)]) / 2;
#pragma endscop
}

struct mesh {
    int elements;
    const double (*at)[2];
    const int (*corners)[3];
};

/* Gathered, with weights in an array of the function. */
void middles(const struct mesh *m, double *out)
{
    double weights[3][2];
    static double last[2];
#pragma scop
    for (int a = 0; a < 3; a++)
        for (int d = 0; d < 2; d++)
            weights[a][d] = 0.25 * (a + 1) + d;
    last[0] = last[1] = 0;
    for (int e = 0; e < m->elements; e++) {
        const int *c = m->corners[e];
        for (int d = 0; d < 2; d++) {
            double sum = 0;
            for (int a = 0; a < 3; a++)
                sum += weights[a][d] * m->at[c[a]][d];
            out[2 * e + d] = sum;
        }
        last[e & 1] = out[2 * e];
    }
    out[0] += last[0] + last[1];
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int *in = data_ints(n + 5, 40);
        short *shorts = malloc(2 * n + 2);
        unsigned char *memory = malloc(512 + n);
        for (int i = 0; i < n; i++)
            shorts[i] = in[i] * 37 % 700 - 200;
        for (int i = 0; i < n + 5; i++)
            in[i] = in[i] * 31 % 300;
        /* The table in front of the result, right in front, and where it is written. */
        int places[] = {256, 255, 100, 0};
        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < 512 + n; i++)
                memory[i] = i * 7 + k;
            curve(n, in, (signed char *)memory, (signed char *)memory + places[k]);
            data_show("curve", n, memory, 512 + n);
            tone(n, shorts, memory, memory + places[k]);
            data_show("tone", n, memory, 512 + n);
        }
        double(*at)[2] = malloc(16 * (n + 1));
        int(*corners)[3] = malloc(12 * (n + 1));
        double *out = data_doubles(2 * n + 2);
        for (int i = 0; i <= n; i++) {
            at[i][0] = i * 0.5, at[i][1] = 3 - i;
            for (int a = 0; a < 3; a++)
                corners[i][a] = (i * 5 + a * 3) % (n + 1);
        }
        struct mesh m = {n, at, corners};
        middles(&m, out);
        data_show("middles", n, out, 8 * (2 * n + 2));
    }
}
