#include <stdio.h>
#include <stdlib.h>

/* Sums of neighbouring cells, which run side by side in strips of 64. */
enum { CHANNELS = 6, SIDE = 140 };
static float in[CHANNELS][SIDE + 8][SIDE + 8], w[CHANNELS][8][8], bias[CHANNELS];
static float out[CHANNELS][SIDE][SIDE];

static void triangle(int n, int m, const float in[restrict n][SIDE + 8][SIDE + 8],
    const float w[restrict n][8][8], const float bias[restrict n], float out[restrict n][SIDE][SIDE])
{
#pragma scop
    for (int o = 0; o < n; o++)
        for (int y = 0; y < m; y++)
            for (int x = y; x < m; x++) {
                float s = 0;
                for (int c = 0; c < n; c++)
                    for (int i = 0; i < 3; i++)
                        for (int j = 0; j < 3; j++)
                            s += in[c][y + i][x + j] * w[o][i][j];
                out[o][y][x] = s;
            }
#pragma endscop
}

static void border(int n, int m, const float in[restrict n][SIDE + 8][SIDE + 8],
    const float w[restrict n][8][8], const float bias[restrict n], float out[restrict n][SIDE][SIDE])
{
#pragma scop
    for (int o = 0; o < n; o++)
        for (int y = 1; y < m - 1; y++)
            for (int x = 1; x < m - 1; x++) {
                float s = 0;
                for (int c = 0; c < n; c++)
                    for (int i = 0; i < 3; i++)
                        for (int j = 0; j < 3; j++)
                            s += in[c][y + i - 1][x + j - 1] * w[o][i][j];
                out[o][y][x] = s;
            }
#pragma endscop
}

static void down(int n, int m, const float in[restrict n][SIDE + 8][SIDE + 8],
    const float w[restrict n][8][8], const float bias[restrict n], float out[restrict n][SIDE][SIDE])
{
#pragma scop
    for (int o = 0; o < n; o++)
        for (int y = 0; y < m; y++)
            for (int x = m - 1; x >= 0; x--) {
                float s = 0;
                for (int c = 0; c < n; c++)
                    for (int i = 0; i < 3; i++)
                        for (int j = 0; j < 3; j++)
                            s += in[c][y + i][x + j] * w[o][i][j];
                out[o][y][x] = s;
            }
#pragma endscop
}

static void step(int n, int m, const float in[restrict n][SIDE + 8][SIDE + 8],
    const float w[restrict n][8][8], const float bias[restrict n], float out[restrict n][SIDE][SIDE])
{
#pragma scop
    for (int o = 0; o < n; o++)
        for (int y = 0; y < m; y++)
            for (int x = 0; x < m; x += 3) {
                float s = 0;
                for (int c = 0; c < n; c++)
                    for (int i = 0; i < 3; i++)
                        for (int j = 0; j < 3; j++)
                            s += in[c][y + i][x + j] * w[o][i][j];
                out[o][y][x] = s;
            }
#pragma endscop
}

static void two(int n, int m, const float in[restrict n][SIDE + 8][SIDE + 8],
    const float w[restrict n][8][8], const float bias[restrict n], float out[restrict n][SIDE][SIDE])
{
#pragma scop
    for (int o = 0; o < n; o++)
        for (int y = 0; y < m; y++)
            for (int x = 0; x < m; x++) {
                float s = 0, t = 1;
                for (int c = 0; c < n; c++)
                    for (int i = 0; i < 3; i++)
                        for (int j = 0; j < 3; j++)
                            { s += in[c][y + i][x + j] * w[o][i][j]; t += in[c][y + i][x + j]; }
                out[o][y][x] = s / t;
            }
#pragma endscop
}

static void conditions(int n, int m, const float in[restrict n][SIDE + 8][SIDE + 8],
    const float w[restrict n][8][8], const float bias[restrict n], float out[restrict n][SIDE][SIDE])
{
#pragma scop
    for (int o = 0; o < n; o++)
        for (int y = 0; y < m; y++)
            for (int x = 0; x < m; x++) {
                float s = bias[o];
                for (int c = 0; c < n; c++)
                    for (int i = 0; i < 3; i++)
                        for (int j = 0; j < 3; j++)
                            if (w[o][i][j] > 0.5f) s += in[c][y + i][x + j] * w[o][i][j];
                if (s < 4) s = 4; out[o][y][x] = s;
            }
#pragma endscop
}

static void chains(int n, int m, const float in[restrict n][SIDE + 8][SIDE + 8],
    const float w[restrict n][8][8], const float bias[restrict n], float out[restrict n][SIDE][SIDE])
{
#pragma scop
    for (int o = 0; o < n; o++)
        for (int y = 0; y < m; y++)
            for (int x = 0; x < m; x++) {
                float s = bias[o];
                for (int c = 0; c < n; c++)
                    for (int i = 0; i < 3; i++)
                        for (int j = 0; j < 3; j++)
                            s += in[c][y + i][x + j] * w[o][i][j];
                float t = 0; for (int c = 0; c < n; c++) for (int i = 0; i < 4; i++) t += s * in[c][i][x]; out[o][y][x] = t;
            }
#pragma endscop
}

static void bounds(int n, int m, const float in[restrict n][SIDE + 8][SIDE + 8],
    const float w[restrict n][8][8], const float bias[restrict n], float out[restrict n][SIDE][SIDE])
{
#pragma scop
    for (int o = 0; o < n; o++)
        for (int y = 0; y < m; y++)
            for (int x = 0; x < m; x++) {
                float s = bias[o];
                for (int c = 0; c < x && c < n; c++) for (int i = 0; i < 5; i++) s += in[c][y + i][x] * w[o][i][0];
                out[o][y][x] = s;
            }
#pragma endscop
}

static void array(int n, int m, const float in[restrict n][SIDE + 8][SIDE + 8],
    const float w[restrict n][8][8], const float bias[restrict n], float out[restrict n][SIDE][SIDE])
{
#pragma scop
    for (int o = 0; o < n; o++)
        for (int y = 0; y < m; y++)
            for (int x = 0; x < m; x++) {
                out[o][y][x] = 0;
                for (int c = 0; c < n; c++)
                    for (int i = 0; i < 3; i++)
                        for (int j = 0; j < 3; j++)
                            out[o][y][x] += in[c][y + i][x + j] * w[o][i][j];
            }
#pragma endscop
}

static void outermost(int n, int m, const float in[restrict n][SIDE + 8][SIDE + 8],
    const float w[restrict n][8][8], const float bias[restrict n], float out[restrict n][SIDE][SIDE])
{
#pragma scop
    for (int x = 0; x < m; x++) {
        double s = 0;
        for (int c = 0; c < n; c++) for (int i = 0; i < 7; i++) s += in[c][i][x] * w[c][i][2];
        out[0][0][x] = s;
    }
#pragma endscop
}

static void carried(int n, int m, const float in[restrict n][SIDE + 8][SIDE + 8],
    const float w[restrict n][8][8], const float bias[restrict n], float out[restrict n][SIDE][SIDE])
{
#pragma scop
    for (int x = 1; x < m; x++) {
        double s = 0;
        for (int c = 0; c < n; c++) for (int i = 0; i < 7; i++) s += in[c][i][x] * w[c][i][2] + out[0][0][x - 1] * 0.001f;
        out[0][0][x] = s;
    }
#pragma endscop
}

static void greatest(int n, int m, const float in[restrict n][SIDE + 8][SIDE + 8],
    const float w[restrict n][8][8], const float bias[restrict n], float out[restrict n][SIDE][SIDE])
{
#pragma scop
    for (int o = 0; o < n; o++)
        for (int y = 0; y < m; y++)
            for (int x = 0; x < m; x++) {
                float s = -1e30f;
                for (int c = 0; c < n; c++)
                    for (int i = 0; i < 3; i++)
                        for (int j = 0; j < 3; j++)
                            s = in[c][y + i][x + j] > s ? in[c][y + i][x + j] : s;
                out[o][y][x] = s;
            }
#pragma endscop
}

static void twice(int n, int m, const float in[restrict n][SIDE + 8][SIDE + 8],
    const float w[restrict n][8][8], const float bias[restrict n], float out[restrict n][SIDE][SIDE])
{
#pragma scop
    for (int y = 0; y < m; y++)
        for (int x = 0; x < m; x++) {
            float s = bias[0];
            for (int c = 0; c < n; c++)
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        s += in[c][y + i][x + j] * w[c][i][j];
            out[0][y][x] = s;
        }
    for (int y = 0; y < m; y++)
        for (int x = 0; x < m; x++) {
            float t = bias[0];
            for (int c = 0; c < n; c++)
                for (int j = 0; j < 3; j++)
                    for (int i = 0; i < 4; i++)
                        t += in[c][y + i][x + j] * w[c][i][j];
            out[0][x][y] = t;
        }
#pragma endscop
}

typedef void function(int, int, const float (*)[SIDE + 8][SIDE + 8], const float (*)[8][8],
    const float *, float (*)[SIDE][SIDE]);

int main(void)
{
    static function *const all[] = { triangle, border, down, step, two, conditions,
        chains, bounds, array, outermost, carried, greatest, twice };
    static const int sizes[] = { 0, 1, 2, 63, 64, 65, 127, 128, 129, 140 };
    unsigned seed = 1;
    for (int k = 0; k < (int)(sizeof in / sizeof(float)); k++)
        ((float *)in)[k] = (seed = seed * 1103515245u + 12345u) >> 24;
    for (int k = 0; k < (int)(sizeof w / sizeof(float)); k++)
        ((float *)w)[k] = (float)((seed = seed * 1103515245u + 12345u) >> 16 & 1023) / 512;
    for (int k = 0; k < CHANNELS; k++)
        bias[k] = (float)k / 3;
    for (int f = 0; f < (int)(sizeof all / sizeof all[0]); f++)
        for (int s = 0; s < (int)(sizeof sizes / sizeof sizes[0]); s++)
            for (int n = 1; n <= CHANNELS; n += s > 5 ? 5 : 2) {
                for (int k = 0; k < (int)(sizeof out / sizeof(float)); k++)
                    ((float *)out)[k] = 1;
                all[f](n, sizes[s], in, w, bias, out);
                double sum = 0;
                for (int k = 0; k < (int)(sizeof out / sizeof(float)); k++)
                    sum = sum * 0.999 + ((float *)out)[k];
                printf("%d %d %d %a\n", f, sizes[s], n, sum);
            }
}
