/* Camera pipeline: from the raw values of a colour sensor to a picture, with
 * the stages of PolyMage's benchmark of this name.
 *
 * Every site of the sensor measures one colour, in blocks of two by two sites:
 *
 *     green  red
 *     blue   green
 *
 * so that each of the four kinds of site makes a grid of half the height and
 * half the width. A stage x_y holds the colour x at the sites that measure y:
 * r red, g green, b blue, gr green in a row with red, gb green in one with blue.
 *
 *   denoised         a value above or below all four neighbours of its own
 *                    kind is replaced by the nearest of them
 *   deinterleaved    the four grids
 *   g_gr r_r b_b g_gb   what was measured: the grids by name
 *   g_r, g_b         green at the other sites: the mean of two neighbours, beside
 *                    each other or above each other, whichever differ less
 *   r_gr r_gb b_gr b_gb   red and blue at green sites: the mean of two
 *                    neighbours, plus what the same mean misses of green there
 *   r_b, b_r         likewise along one of the two diagonals
 *   redX1 redX2 greenX1 greenX2 blueX1 blueX2   the grids interleaved to rows
 *                    with red and rows with blue
 *   red green blue   those rows interleaved to whole planes
 *   matrix           from sensor colours to those of the picture, for light of
 *                    colour_temp kelvin, between two known ones; times 256
 *   corrected        the matrix applied; planes blue, green, red
 *   curve            a table of brightness for each possible value: gamma
 *                    correction, then an S curve for contrast
 *   processed        the table applied
 *
 * The raw picture has R x C values of 10 bits, R >= 50 and C >= 66. The result
 * begins at row 12 and column 16 and is 48 rows and 64 columns smaller. Where R
 * or C is odd, the last row or column of the result is left as it was.
 */
#include <math.h>
#include <stdlib.h>

static short smaller(short a, short b)
{
    return a < b ? a : b;
}

static short larger(short a, short b)
{
    return a > b ? a : b;
}

static short difference(short a, short b)
{
    return a > b ? a - b : b - a;
}

/* The brightness for a value x, where 1 is the greatest of the sensor; b and
 * 2 - 2 b are the coefficients of the two parabolas that make the S curve. */
static unsigned char brightness(float x, float gamma, float b)
{
    float clamped = x > 1.0f ? 1.0f : x < 0.0f ? 0.0f : x;
    float g = powf(clamped, 1.0f / gamma);
    float a = 2.0f - 2.0f * b;
    float z = g > 0.5f ? 1.0f - (a * (1.0f - g) * (1.0f - g) + b * (1.0f - g))
                       : a * g * g + b * g;
    float level = z * 256.0f;

    return level > 255.0f ? 255.0f : level < 0.0f ? 0.0f : level;
}

void camera_pipe_init(int R, int C, float colour_temp, float contrast, float gamma,
                      unsigned char processed[restrict 3][R - 48][C - 64],
                      short img[restrict R][C],
                      float matrix_3200[restrict 3][4],
                      float matrix_7000[restrict 3][4])
{
    const float warm[3][4] = {{1.7f, -0.3f, -0.4f, -42.0f},
                              {-0.4f, 1.1f, 1.6f, -37.0f},
                              {-0.2f, -1.9f, 7.0f, -27.0f}};
    const float cold[3][4] = {{2.3f, -0.4f, 0.2f, -39.0f},
                              {-0.4f, 1.6f, -0.2f, -25.0f},
                              {-0.1f, -0.7f, 2.3f, -20.0f}};
    unsigned noise = 1;

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            matrix_3200[i][j] = warm[i][j];
            matrix_7000[i][j] = cold[i][j];
        }

    /* Rings that grow denser outwards, less red and blue than green, noise,
     * and now and then a defect site that is always white. */
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++) {
            float y = (float) (2 * i - R) / R;
            float x = (float) (2 * j - C) / C;
            float light = 420.0f + 380.0f * cosf(90.0f * (x * x + y * y));
            float share = i % 2 == j % 2 ? 1.0f : i % 2 == 0 ? 0.7f : 0.5f;

            noise = noise * 1664525u + 1013904223u;
            img[i][j] = (noise >> 8) % 997 == 0
                            ? 1023
                            : (short) (light * share) + (short) ((noise >> 24) % 32);
        }

    for (int c = 0; c < 3; c++)
        for (int i = 0; i < R - 48; i++)
            for (int j = 0; j < C - 64; j++)
                processed[c][i][j] = 0;
}

void camera_pipe(int R, int C, float colour_temp, float contrast, float gamma,
                 unsigned char processed[restrict 3][R - 48][C - 64],
                 const short img[restrict R][C],
                 const float matrix_3200[restrict 3][4],
                 const float matrix_7000[restrict 3][4])
{
    /* Blocks of two by two sites that become pixels of the result. */
    const int H = R / 2 - 24;
    const int W = C / 2 - 32;

    short (*restrict denoised)[2 * W + 8] = malloc(sizeof(short[2 * H + 8][2 * W + 8]));
    short (*restrict deinterleaved)[H + 4][W + 4] = malloc(sizeof(short[4][H + 4][W + 4]));
    short (*restrict g_gr)[W + 4] = malloc(sizeof(short[H + 4][W + 4]));
    short (*restrict r_r)[W + 4] = malloc(sizeof(short[H + 4][W + 4]));
    short (*restrict b_b)[W + 4] = malloc(sizeof(short[H + 4][W + 4]));
    short (*restrict g_gb)[W + 4] = malloc(sizeof(short[H + 4][W + 4]));
    short (*restrict g_r)[W + 2] = malloc(sizeof(short[H + 2][W + 2]));
    short (*restrict g_b)[W + 2] = malloc(sizeof(short[H + 2][W + 2]));
    short (*restrict r_gr)[W] = malloc(sizeof(short[H][W]));
    short (*restrict b_gr)[W] = malloc(sizeof(short[H][W]));
    short (*restrict r_gb)[W] = malloc(sizeof(short[H][W]));
    short (*restrict b_gb)[W] = malloc(sizeof(short[H][W]));
    short (*restrict r_b)[W] = malloc(sizeof(short[H][W]));
    short (*restrict b_r)[W] = malloc(sizeof(short[H][W]));
    short (*restrict redX1)[2 * W] = malloc(sizeof(short[H][2 * W]));
    short (*restrict redX2)[2 * W] = malloc(sizeof(short[H][2 * W]));
    short (*restrict greenX1)[2 * W] = malloc(sizeof(short[H][2 * W]));
    short (*restrict greenX2)[2 * W] = malloc(sizeof(short[H][2 * W]));
    short (*restrict blueX1)[2 * W] = malloc(sizeof(short[H][2 * W]));
    short (*restrict blueX2)[2 * W] = malloc(sizeof(short[H][2 * W]));
    short (*restrict red)[2 * W] = malloc(sizeof(short[2 * H][2 * W]));
    short (*restrict green)[2 * W] = malloc(sizeof(short[2 * H][2 * W]));
    short (*restrict blue)[2 * W] = malloc(sizeof(short[2 * H][2 * W]));
    short (*restrict corrected)[2 * H][2 * W] = malloc(sizeof(short[3][2 * H][2 * W]));
    int (*restrict matrix)[4] = malloc(sizeof(int[3][4]));
    unsigned char *restrict curve = malloc(65536);

    const float alpha = (1.0f / colour_temp - 0.0003125f) / -0.000169642857143f;
    const float slope = 2.0f - powf(2.0f, contrast / 100.0f);

#pragma scop
    #pragma omp parallel for
    for (int i = 0; i < 2 * H + 8; i++)
        for (int j = 0; j < 2 * W + 8; j++)
            denoised[i][j] = larger(smaller(smaller(img[i + 6][j + 12], img[i + 10][j + 12]),
                                            smaller(img[i + 8][j + 10], img[i + 8][j + 14])),
                                    smaller(larger(larger(img[i + 6][j + 12], img[i + 10][j + 12]),
                                                   larger(img[i + 8][j + 10], img[i + 8][j + 14])),
                                            img[i + 8][j + 12]));

    #pragma omp parallel for
    for (int i = 0; i < H + 4; i++)
        for (int j = 0; j < W + 4; j++) {
            deinterleaved[0][i][j] = denoised[2 * i][2 * j];
            deinterleaved[1][i][j] = denoised[2 * i][2 * j + 1];
            deinterleaved[2][i][j] = denoised[2 * i + 1][2 * j];
            deinterleaved[3][i][j] = denoised[2 * i + 1][2 * j + 1];
        }

    #pragma omp parallel for
    for (int i = 0; i < H + 4; i++)
        for (int j = 0; j < W + 4; j++)
            g_gr[i][j] = deinterleaved[0][i][j];

    #pragma omp parallel for
    for (int i = 0; i < H + 4; i++)
        for (int j = 0; j < W + 4; j++)
            r_r[i][j] = deinterleaved[1][i][j];

    #pragma omp parallel for
    for (int i = 0; i < H + 4; i++)
        for (int j = 0; j < W + 4; j++)
            b_b[i][j] = deinterleaved[2][i][j];

    #pragma omp parallel for
    for (int i = 0; i < H + 4; i++)
        for (int j = 0; j < W + 4; j++)
            g_gb[i][j] = deinterleaved[3][i][j];

    #pragma omp parallel for
    for (int i = 0; i < H + 2; i++)
        for (int j = 0; j < W + 2; j++)
            g_r[i][j] = difference(g_gr[i + 1][j + 2], g_gr[i + 1][j + 1])
                                < difference(g_gb[i][j + 1], g_gb[i + 1][j + 1])
                            ? (g_gr[i + 1][j + 2] + g_gr[i + 1][j + 1]) / 2
                            : (g_gb[i][j + 1] + g_gb[i + 1][j + 1]) / 2;

    #pragma omp parallel for
    for (int i = 0; i < H + 2; i++)
        for (int j = 0; j < W + 2; j++)
            g_b[i][j] = difference(g_gb[i + 1][j], g_gb[i + 1][j + 1])
                                < difference(g_gr[i + 2][j + 1], g_gr[i + 1][j + 1])
                            ? (g_gb[i + 1][j] + g_gb[i + 1][j + 1]) / 2
                            : (g_gr[i + 2][j + 1] + g_gr[i + 1][j + 1]) / 2;

    #pragma omp parallel for
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            r_gr[i][j] = g_gr[i + 2][j + 2]
                       - (g_r[i + 1][j + 1] + g_r[i + 1][j]) / 2
                       + (r_r[i + 2][j + 2] + r_r[i + 2][j + 1]) / 2;

    #pragma omp parallel for
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            b_gr[i][j] = g_gr[i + 2][j + 2]
                       - (g_b[i + 1][j + 1] + g_b[i][j + 1]) / 2
                       + (b_b[i + 2][j + 2] + b_b[i + 1][j + 2]) / 2;

    #pragma omp parallel for
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            r_gb[i][j] = g_gb[i + 2][j + 2]
                       - (g_r[i + 1][j + 1] + g_r[i + 2][j + 1]) / 2
                       + (r_r[i + 2][j + 2] + r_r[i + 3][j + 2]) / 2;

    #pragma omp parallel for
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            b_gb[i][j] = g_gb[i + 2][j + 2]
                       - (g_b[i + 1][j + 1] + g_b[i + 1][j + 2]) / 2
                       + (b_b[i + 2][j + 2] + b_b[i + 2][j + 3]) / 2;

    #pragma omp parallel for
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            r_b[i][j] = difference(r_r[i + 2][j + 2], r_r[i + 3][j + 1])
                                < difference(r_r[i + 2][j + 1], r_r[i + 3][j + 2])
                            ? g_b[i + 1][j + 1]
                                  - (g_r[i + 1][j + 1] + g_r[i + 2][j]) / 2
                                  + (r_r[i + 2][j + 2] + r_r[i + 3][j + 1]) / 2
                            : g_b[i + 1][j + 1]
                                  - (g_r[i + 1][j] + g_r[i + 2][j + 1]) / 2
                                  + (r_r[i + 2][j + 1] + r_r[i + 3][j + 2]) / 2;

    #pragma omp parallel for
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            b_r[i][j] = difference(b_b[i + 2][j + 2], b_b[i + 1][j + 3])
                                < difference(b_b[i + 2][j + 3], b_b[i + 1][j + 2])
                            ? g_r[i + 1][j + 1]
                                  - (g_b[i + 1][j + 1] + g_b[i][j + 2]) / 2
                                  + (b_b[i + 2][j + 2] + b_b[i + 1][j + 3]) / 2
                            : g_r[i + 1][j + 1]
                                  - (g_b[i + 1][j + 2] + g_b[i][j + 1]) / 2
                                  + (b_b[i + 2][j + 3] + b_b[i + 1][j + 2]) / 2;

    #pragma omp parallel for
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
            redX1[i][2 * j] = r_gr[i][j];
            redX1[i][2 * j + 1] = r_r[i + 2][j + 2];
        }

    #pragma omp parallel for
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
            redX2[i][2 * j] = r_b[i][j];
            redX2[i][2 * j + 1] = r_gb[i][j];
        }

    #pragma omp parallel for
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
            greenX1[i][2 * j] = g_gr[i + 2][j + 2];
            greenX1[i][2 * j + 1] = g_r[i + 1][j + 1];
        }

    #pragma omp parallel for
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
            greenX2[i][2 * j] = g_b[i + 1][j + 1];
            greenX2[i][2 * j + 1] = g_gb[i + 2][j + 2];
        }

    #pragma omp parallel for
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
            blueX1[i][2 * j] = b_gr[i][j];
            blueX1[i][2 * j + 1] = b_r[i][j];
        }

    #pragma omp parallel for
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
            blueX2[i][2 * j] = b_b[i + 2][j + 2];
            blueX2[i][2 * j + 1] = b_gb[i][j];
        }

    #pragma omp parallel for
    for (int i = 0; i < H; i++)
        for (int j = 0; j < 2 * W; j++) {
            red[2 * i][j] = redX1[i][j];
            red[2 * i + 1][j] = redX2[i][j];
        }

    #pragma omp parallel for
    for (int i = 0; i < H; i++)
        for (int j = 0; j < 2 * W; j++) {
            green[2 * i][j] = greenX1[i][j];
            green[2 * i + 1][j] = greenX2[i][j];
        }

    #pragma omp parallel for
    for (int i = 0; i < H; i++)
        for (int j = 0; j < 2 * W; j++) {
            blue[2 * i][j] = blueX1[i][j];
            blue[2 * i + 1][j] = blueX2[i][j];
        }

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            matrix[i][j] = (int) ((matrix_3200[i][j] * alpha + matrix_7000[i][j] * (1 - alpha))
                                  * 256.0f);

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 2 * H; i++)
            for (int j = 0; j < 2 * W; j++)
                corrected[c][i][j] = (matrix[2 - c][3]
                                      + matrix[2 - c][0] * red[i][j]
                                      + matrix[2 - c][1] * green[i][j]
                                      + matrix[2 - c][2] * blue[i][j]) / 256;

    #pragma omp parallel for
    for (int v = -32768; v < 32768; v++)
        curve[v + 32768] = brightness(v / 1024.0f, gamma, slope);

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 2 * H; i++)
            for (int j = 0; j < 2 * W; j++)
                processed[c][i][j] = curve[corrected[c][i][j] + 32768];
#pragma endscop

    free(curve);
    free(matrix);
    free(corrected);
    free(blue);
    free(green);
    free(red);
    free(blueX2);
    free(blueX1);
    free(greenX2);
    free(greenX1);
    free(redX2);
    free(redX1);
    free(b_r);
    free(r_b);
    free(b_gb);
    free(r_gb);
    free(b_gr);
    free(r_gr);
    free(g_b);
    free(g_r);
    free(g_gb);
    free(b_b);
    free(r_r);
    free(g_gr);
    free(deinterleaved);
    free(denoised);
}
