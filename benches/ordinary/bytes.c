/* Pictures of bytes and shorts: blending, saturation, small filters, colour conversion, morphology. */
#include <stdlib.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

typedef unsigned char byte;

void blend_pictures(int h, int w, int alpha, const unsigned char a[restrict h][w],
                    const unsigned char b[restrict h][w], unsigned char out[restrict h][w])
{
#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            out[i][j] = (a[i][j] * alpha + b[i][j] * (255 - alpha) + 127) / 255;
#pragma endscop
}

void to_gray(int n, const unsigned char rgb[restrict n][3], unsigned char gray[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        gray[i] = (77 * rgb[i][0] + 150 * rgb[i][1] + 29 * rgb[i][2]) >> 8;
#pragma endscop
}

void brighten(int n, int delta, const unsigned char in[restrict n], unsigned char out[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int v = in[i] + delta;
        if (v > 255)
            v = 255;
        if (v < 0)
            v = 0;
        out[i] = (unsigned char)v;
    }
#pragma endscop
}

void box_blur(int h, int w, const unsigned char in[restrict h][w], unsigned char out[restrict h][w])
{
#pragma scop
    for (int i = 1; i < h - 1; i++)
        for (int j = 1; j < w - 1; j++) {
            int s = 0;
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++)
                    s += in[i + di][j + dj];
            out[i][j] = s / 9;
        }
#pragma endscop
}

void sobel_edges(int h, int w, const byte in[restrict h][w], byte out[restrict h][w])
{
    int gx, gy;
#pragma scop
    for (int i = 1; i < h - 1; i++)
        for (int j = 1; j < w - 1; j++) {
            gx = in[i - 1][j + 1] + 2 * in[i][j + 1] + in[i + 1][j + 1]
                - in[i - 1][j - 1] - 2 * in[i][j - 1] - in[i + 1][j - 1];
            gy = in[i + 1][j - 1] + 2 * in[i + 1][j] + in[i + 1][j + 1]
                - in[i - 1][j - 1] - 2 * in[i - 1][j] - in[i - 1][j + 1];
            out[i][j] = MIN(abs(gx) + abs(gy), 255);
        }
#pragma endscop
}

void picture_difference(int n, const unsigned char *restrict a, const unsigned char *restrict b,
                        unsigned char *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        d[i] = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
#pragma endscop
}

void black_or_white(int h, int w, int level, const unsigned char in[restrict h][w], unsigned char out[restrict h][w])
{
#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            out[i][j] = in[i][j] >= level ? 255 : 0;
#pragma endscop
}

void rgb_to_yuv(int h, int w, const byte rgb[restrict h][w][3], byte y[restrict h][w], byte u[restrict h][w],
                byte v[restrict h][w])
{
#pragma scop
    for (int i = 0; i < h; i++) {
        for (int j = 0; j < w; j++) {
            int r = rgb[i][j][0], g = rgb[i][j][1], b = rgb[i][j][2];
            y[i][j] = (66 * r + 129 * g + 25 * b + 4224) >> 8;
            u[i][j] = (112 * b - 38 * r - 74 * g + 32896) >> 8;
            v[i][j] = (112 * r - 94 * g - 18 * b + 32896) >> 8;
        }
    }
#pragma endscop
}

void dilate_square(int h, int w, const byte in[restrict h][w], byte out[restrict h][w])
{
#pragma scop
    for (int i = 1; i < h - 1; i++)
        for (int j = 1; j < w - 1; j++) {
            byte m = 0;
            for (int k = i - 1; k <= i + 1; k++)
                for (int l = j - 1; l <= j + 1; l++)
                    m = MAX(m, in[k][l]);
            out[i][j] = m;
        }
#pragma endscop
}

void erode_cross(int h, int w, const byte in[restrict h][w], byte out[restrict h][w])
{
#pragma scop
    for (int i = 1; i < h - 1; i++)
        for (int j = 1; j < w - 1; j++) {
            byte m = in[i][j];
            m = MIN(m, in[i - 1][j]);
            m = MIN(m, in[i + 1][j]);
            m = MIN(m, in[i][j - 1]);
            m = MIN(m, in[i][j + 1]);
            out[i][j] = m;
        }
#pragma endscop
}

void stretch_contrast(int n, int low, int gain, const short in[restrict n], short out[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int v = (in[i] - low) * gain / 64;
        out[i] = v < 0 ? 0 : (v > 4095 ? 4095 : v);
    }
#pragma endscop
}
