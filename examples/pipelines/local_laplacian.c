/* Local Laplacian filter: changes detail and contrast of a picture without halos at its edges.
 *
 * The picture is remapped eight times, each time around another brightness: what is close to it
 * is moved away from it by alpha, what is far is scaled by beta. Each remapped picture is taken
 * apart into a Laplacian pyramid of eight levels. The pyramid of the result takes every
 * coefficient from the remapped picture whose brightness is the picture's own at that place and
 * scale, or rather from between the two nearest ones. In 68 stages:
 *
 *   remapLUT               the curve, tabulated in steps of 1 / 256 of the distance between two
 *                          levels of brightness
 *   img                    gray values, 0 to 1
 *   Dx_, D_inGPyramid_Ll   Gaussian pyramid of img: level l - 1 smoothed with 1 3 3 1 at half as
 *                          many rows, then at half as many columns; l = 1 .. 7
 *   gPyramid_L0            img remapped around k / 7, k = 0 .. 7
 *   Dx_, D_gPyramid_Ll     the Gaussian pyramids of these
 *   Ux_lPyramid_Ll         their level l + 1 brought up to twice as many rows, each from the two
 *                          nearest, the nearer one weighing 3 / 4; l = 6 .. 0
 *   U_lPyramid_Ll          level l minus the same at twice as many columns: Laplacian pyramids
 *   outLPyramid_Ll         the result's Laplacian pyramid, picked from them; l = 7 .. 0
 *   Ux_, outGPyramid_Ll    and the picture of which it is one: level l + 1 brought up, plus
 *                          outLPyramid_Ll; l = 6 .. 0, at l = 0 called result_ref_gray
 *   laplacian              result_ref_gray in the colours of the picture
 *
 * The picture has three channel planes, blue, green, red, of R x C pixels with a border of two,
 * the result has none. Level l has R / 2^l x C / 2^l pixels, rounded down, and the same border.
 * Its pixel (i, j) lies between pixels 2i - 2 and 2i - 1 of the level below, in both directions.
 * The last two rows and columns of each level are zero like its border, so that the result is
 * black in its last two rows and columns.
 */
#include <math.h>
#include <stdlib.h>

/* A smooth picture with some noise. */
void local_laplacian_init(int R, int C, float alpha, float beta,
                          unsigned short laplacian[restrict 3][R][C],
                          unsigned short img_colour[restrict 3][R + 4][C + 4])
{
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < R; i++)
            for (int j = 0; j < C; j++)
                laplacian[c][i][j] = 0;

    for (int c = 0; c < 3; c++)
        for (int i = 0; i < R + 4; i++)
            for (int j = 0; j < C + 4; j++) {
                unsigned noise = (unsigned)(3 * i + c) * 2654435761u + (unsigned)j * 2246822519u;
                noise ^= noise >> 15;
                noise *= 3266489917u;
                noise ^= noise >> 13;
                img_colour[c][i][j] = (i * 53 + j * 37 + c * 9999) % 56000 + noise % 9000;
            }
}

/* x, but at least low and at most high. */
static int clamp(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

static float clampf(float x, float low, float high)
{
    return x > low ? (x < high ? x : high) : low;
}

/* The level of brightness, 0 to 6, that is next to or below a gray value. */
static int below(float gray)
{
    return clamp((int)(gray * 7), 0, 6);
}

/* What a gray value needs of two neighbouring levels, linearly. */
static float between(float gray, float lower, float upper)
{
    return (1 - (gray * 7 - below(gray))) * lower + (gray * 7 - below(gray)) * upper;
}

void local_laplacian(int R, int C, float alpha, float beta,
                     unsigned short laplacian[restrict 3][R][C],
                     const unsigned short img_colour[restrict 3][R + 4][C + 4])
{
    float *restrict remapLUT = malloc(sizeof(float[3585]));
    float (*restrict img)[C + 4] = malloc(sizeof(float[R + 4][C + 4]));
    float (*restrict gPyramid_L0)[R + 4][C + 4] = malloc(sizeof(float[8][R + 4][C + 4]));
    float (*restrict Dx_inGPyramid_L1)[C + 4]
        = malloc(sizeof(float[R / 2 + 4][C + 4]));
    float (*restrict D_inGPyramid_L1)[C / 2 + 4]
        = malloc(sizeof(float[R / 2 + 4][C / 2 + 4]));
    float (*restrict Dx_inGPyramid_L2)[C / 2 + 4]
        = malloc(sizeof(float[R / 4 + 4][C / 2 + 4]));
    float (*restrict D_inGPyramid_L2)[C / 4 + 4]
        = malloc(sizeof(float[R / 4 + 4][C / 4 + 4]));
    float (*restrict Dx_inGPyramid_L3)[C / 4 + 4]
        = malloc(sizeof(float[R / 8 + 4][C / 4 + 4]));
    float (*restrict D_inGPyramid_L3)[C / 8 + 4]
        = malloc(sizeof(float[R / 8 + 4][C / 8 + 4]));
    float (*restrict Dx_inGPyramid_L4)[C / 8 + 4]
        = malloc(sizeof(float[R / 16 + 4][C / 8 + 4]));
    float (*restrict D_inGPyramid_L4)[C / 16 + 4]
        = malloc(sizeof(float[R / 16 + 4][C / 16 + 4]));
    float (*restrict Dx_inGPyramid_L5)[C / 16 + 4]
        = malloc(sizeof(float[R / 32 + 4][C / 16 + 4]));
    float (*restrict D_inGPyramid_L5)[C / 32 + 4]
        = malloc(sizeof(float[R / 32 + 4][C / 32 + 4]));
    float (*restrict Dx_inGPyramid_L6)[C / 32 + 4]
        = malloc(sizeof(float[R / 64 + 4][C / 32 + 4]));
    float (*restrict D_inGPyramid_L6)[C / 64 + 4]
        = malloc(sizeof(float[R / 64 + 4][C / 64 + 4]));
    float (*restrict Dx_inGPyramid_L7)[C / 64 + 4]
        = malloc(sizeof(float[R / 128 + 4][C / 64 + 4]));
    float (*restrict D_inGPyramid_L7)[C / 128 + 4]
        = malloc(sizeof(float[R / 128 + 4][C / 128 + 4]));
    float (*restrict Dx_gPyramid_L1)[R / 2 + 4][C + 4]
        = malloc(sizeof(float[8][R / 2 + 4][C + 4]));
    float (*restrict D_gPyramid_L1)[R / 2 + 4][C / 2 + 4]
        = malloc(sizeof(float[8][R / 2 + 4][C / 2 + 4]));
    float (*restrict Dx_gPyramid_L2)[R / 4 + 4][C / 2 + 4]
        = malloc(sizeof(float[8][R / 4 + 4][C / 2 + 4]));
    float (*restrict D_gPyramid_L2)[R / 4 + 4][C / 4 + 4]
        = malloc(sizeof(float[8][R / 4 + 4][C / 4 + 4]));
    float (*restrict Dx_gPyramid_L3)[R / 8 + 4][C / 4 + 4]
        = malloc(sizeof(float[8][R / 8 + 4][C / 4 + 4]));
    float (*restrict D_gPyramid_L3)[R / 8 + 4][C / 8 + 4]
        = malloc(sizeof(float[8][R / 8 + 4][C / 8 + 4]));
    float (*restrict Dx_gPyramid_L4)[R / 16 + 4][C / 8 + 4]
        = malloc(sizeof(float[8][R / 16 + 4][C / 8 + 4]));
    float (*restrict D_gPyramid_L4)[R / 16 + 4][C / 16 + 4]
        = malloc(sizeof(float[8][R / 16 + 4][C / 16 + 4]));
    float (*restrict Dx_gPyramid_L5)[R / 32 + 4][C / 16 + 4]
        = malloc(sizeof(float[8][R / 32 + 4][C / 16 + 4]));
    float (*restrict D_gPyramid_L5)[R / 32 + 4][C / 32 + 4]
        = malloc(sizeof(float[8][R / 32 + 4][C / 32 + 4]));
    float (*restrict Dx_gPyramid_L6)[R / 64 + 4][C / 32 + 4]
        = malloc(sizeof(float[8][R / 64 + 4][C / 32 + 4]));
    float (*restrict D_gPyramid_L6)[R / 64 + 4][C / 64 + 4]
        = malloc(sizeof(float[8][R / 64 + 4][C / 64 + 4]));
    float (*restrict Dx_gPyramid_L7)[R / 128 + 4][C / 64 + 4]
        = malloc(sizeof(float[8][R / 128 + 4][C / 64 + 4]));
    float (*restrict D_gPyramid_L7)[R / 128 + 4][C / 128 + 4]
        = malloc(sizeof(float[8][R / 128 + 4][C / 128 + 4]));
    float (*restrict Ux_lPyramid_L6)[R / 64 + 4][C / 128 + 4]
        = malloc(sizeof(float[8][R / 64 + 4][C / 128 + 4]));
    float (*restrict U_lPyramid_L6)[R / 64 + 4][C / 64 + 4]
        = malloc(sizeof(float[8][R / 64 + 4][C / 64 + 4]));
    float (*restrict Ux_lPyramid_L5)[R / 32 + 4][C / 64 + 4]
        = malloc(sizeof(float[8][R / 32 + 4][C / 64 + 4]));
    float (*restrict U_lPyramid_L5)[R / 32 + 4][C / 32 + 4]
        = malloc(sizeof(float[8][R / 32 + 4][C / 32 + 4]));
    float (*restrict Ux_lPyramid_L4)[R / 16 + 4][C / 32 + 4]
        = malloc(sizeof(float[8][R / 16 + 4][C / 32 + 4]));
    float (*restrict U_lPyramid_L4)[R / 16 + 4][C / 16 + 4]
        = malloc(sizeof(float[8][R / 16 + 4][C / 16 + 4]));
    float (*restrict Ux_lPyramid_L3)[R / 8 + 4][C / 16 + 4]
        = malloc(sizeof(float[8][R / 8 + 4][C / 16 + 4]));
    float (*restrict U_lPyramid_L3)[R / 8 + 4][C / 8 + 4]
        = malloc(sizeof(float[8][R / 8 + 4][C / 8 + 4]));
    float (*restrict Ux_lPyramid_L2)[R / 4 + 4][C / 8 + 4]
        = malloc(sizeof(float[8][R / 4 + 4][C / 8 + 4]));
    float (*restrict U_lPyramid_L2)[R / 4 + 4][C / 4 + 4]
        = malloc(sizeof(float[8][R / 4 + 4][C / 4 + 4]));
    float (*restrict Ux_lPyramid_L1)[R / 2 + 4][C / 4 + 4]
        = malloc(sizeof(float[8][R / 2 + 4][C / 4 + 4]));
    float (*restrict U_lPyramid_L1)[R / 2 + 4][C / 2 + 4]
        = malloc(sizeof(float[8][R / 2 + 4][C / 2 + 4]));
    float (*restrict Ux_lPyramid_L0)[R + 4][C / 2 + 4]
        = malloc(sizeof(float[8][R + 4][C / 2 + 4]));
    float (*restrict U_lPyramid_L0)[R + 4][C + 4]
        = malloc(sizeof(float[8][R + 4][C + 4]));
    float (*restrict outLPyramid_L7)[C / 128 + 4]
        = malloc(sizeof(float[R / 128 + 4][C / 128 + 4]));
    float (*restrict outLPyramid_L6)[C / 64 + 4]
        = malloc(sizeof(float[R / 64 + 4][C / 64 + 4]));
    float (*restrict outLPyramid_L5)[C / 32 + 4]
        = malloc(sizeof(float[R / 32 + 4][C / 32 + 4]));
    float (*restrict outLPyramid_L4)[C / 16 + 4]
        = malloc(sizeof(float[R / 16 + 4][C / 16 + 4]));
    float (*restrict outLPyramid_L3)[C / 8 + 4]
        = malloc(sizeof(float[R / 8 + 4][C / 8 + 4]));
    float (*restrict outLPyramid_L2)[C / 4 + 4]
        = malloc(sizeof(float[R / 4 + 4][C / 4 + 4]));
    float (*restrict outLPyramid_L1)[C / 2 + 4]
        = malloc(sizeof(float[R / 2 + 4][C / 2 + 4]));
    float (*restrict outLPyramid_L0)[C + 4]
        = malloc(sizeof(float[R + 4][C + 4]));
    float (*restrict Ux_outGPyramid_L6)[C / 128 + 4]
        = malloc(sizeof(float[R / 64 + 4][C / 128 + 4]));
    float (*restrict outGPyramid_L6)[C / 64 + 4]
        = malloc(sizeof(float[R / 64 + 4][C / 64 + 4]));
    float (*restrict Ux_outGPyramid_L5)[C / 64 + 4]
        = malloc(sizeof(float[R / 32 + 4][C / 64 + 4]));
    float (*restrict outGPyramid_L5)[C / 32 + 4]
        = malloc(sizeof(float[R / 32 + 4][C / 32 + 4]));
    float (*restrict Ux_outGPyramid_L4)[C / 32 + 4]
        = malloc(sizeof(float[R / 16 + 4][C / 32 + 4]));
    float (*restrict outGPyramid_L4)[C / 16 + 4]
        = malloc(sizeof(float[R / 16 + 4][C / 16 + 4]));
    float (*restrict Ux_outGPyramid_L3)[C / 16 + 4]
        = malloc(sizeof(float[R / 8 + 4][C / 16 + 4]));
    float (*restrict outGPyramid_L3)[C / 8 + 4]
        = malloc(sizeof(float[R / 8 + 4][C / 8 + 4]));
    float (*restrict Ux_outGPyramid_L2)[C / 8 + 4]
        = malloc(sizeof(float[R / 4 + 4][C / 8 + 4]));
    float (*restrict outGPyramid_L2)[C / 4 + 4]
        = malloc(sizeof(float[R / 4 + 4][C / 4 + 4]));
    float (*restrict Ux_outGPyramid_L1)[C / 4 + 4]
        = malloc(sizeof(float[R / 2 + 4][C / 4 + 4]));
    float (*restrict outGPyramid_L1)[C / 2 + 4]
        = malloc(sizeof(float[R / 2 + 4][C / 2 + 4]));
    float (*restrict Ux_result_ref_gray)[C / 2 + 4]
        = malloc(sizeof(float[R + 4][C / 2 + 4]));
    float (*restrict result_ref_gray)[C + 4]
        = malloc(sizeof(float[R + 4][C + 4]));

#pragma scop
    for (int r = 0; r <= 3584; r++)
        remapLUT[r] = alpha * ((r - 1792) / 256.0f)
                    * expf(-((r - 1792) / 256.0f) * ((r - 1792) / 256.0f) / 2);

    #pragma omp parallel for
    for (int i = 0; i < R + 4; i++)
        for (int j = 0; j < C + 4; j++)
            img[i][j] = (0.299f * img_colour[2][i][j]
                         + 0.587f * img_colour[1][i][j]
                         + 0.114f * img_colour[0][i][j]) / 65535;

    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R + 4; i++)
            for (int j = 0; j < C + 4; j++)
                gPyramid_L0[k][i][j]
                    = beta * (img[i][j] - k * 0.142857142857f) + k * 0.142857142857f
                    + remapLUT[clamp((int)(img[i][j] * 1792), 0, 1792) - 256 * k + 1792];

    /* Gaussian pyramid of the picture, level 1. */
    #pragma omp parallel for
    for (int i = 0; i < R / 2 + 4; i++)
        if (i >= 2 && i < R / 2) {
            for (int j = 0; j < 2; j++)
                Dx_inGPyramid_L1[i][j] = 0;
            for (int j = 2; j < C; j++)
                Dx_inGPyramid_L1[i][j]
                    = (img[2 * i - 3][j] + 3 * img[2 * i - 2][j]
                       + 3 * img[2 * i - 1][j] + img[2 * i][j]) * 0.125f;
            for (int j = C; j < C + 4; j++)
                Dx_inGPyramid_L1[i][j] = 0;
        } else {
            for (int j = 0; j < C + 4; j++)
                Dx_inGPyramid_L1[i][j] = 0;
        }

    #pragma omp parallel for
    for (int i = 0; i < R / 2 + 4; i++)
        if (i >= 2 && i < R / 2) {
            for (int j = 0; j < 2; j++)
                D_inGPyramid_L1[i][j] = 0;
            for (int j = 2; j < C / 2; j++)
                D_inGPyramid_L1[i][j]
                    = (Dx_inGPyramid_L1[i][2 * j - 3] + 3 * Dx_inGPyramid_L1[i][2 * j - 2]
                       + 3 * Dx_inGPyramid_L1[i][2 * j - 1] + Dx_inGPyramid_L1[i][2 * j]) * 0.125f;
            for (int j = C / 2; j < C / 2 + 4; j++)
                D_inGPyramid_L1[i][j] = 0;
        } else {
            for (int j = 0; j < C / 2 + 4; j++)
                D_inGPyramid_L1[i][j] = 0;
        }

    /* Gaussian pyramid of the picture, level 2. */
    #pragma omp parallel for
    for (int i = 0; i < R / 4 + 4; i++)
        if (i >= 2 && i < R / 4) {
            for (int j = 0; j < 2; j++)
                Dx_inGPyramid_L2[i][j] = 0;
            for (int j = 2; j < C / 2; j++)
                Dx_inGPyramid_L2[i][j]
                    = (D_inGPyramid_L1[2 * i - 3][j] + 3 * D_inGPyramid_L1[2 * i - 2][j]
                       + 3 * D_inGPyramid_L1[2 * i - 1][j] + D_inGPyramid_L1[2 * i][j]) * 0.125f;
            for (int j = C / 2; j < C / 2 + 4; j++)
                Dx_inGPyramid_L2[i][j] = 0;
        } else {
            for (int j = 0; j < C / 2 + 4; j++)
                Dx_inGPyramid_L2[i][j] = 0;
        }

    #pragma omp parallel for
    for (int i = 0; i < R / 4 + 4; i++)
        if (i >= 2 && i < R / 4) {
            for (int j = 0; j < 2; j++)
                D_inGPyramid_L2[i][j] = 0;
            for (int j = 2; j < C / 4; j++)
                D_inGPyramid_L2[i][j]
                    = (Dx_inGPyramid_L2[i][2 * j - 3] + 3 * Dx_inGPyramid_L2[i][2 * j - 2]
                       + 3 * Dx_inGPyramid_L2[i][2 * j - 1] + Dx_inGPyramid_L2[i][2 * j]) * 0.125f;
            for (int j = C / 4; j < C / 4 + 4; j++)
                D_inGPyramid_L2[i][j] = 0;
        } else {
            for (int j = 0; j < C / 4 + 4; j++)
                D_inGPyramid_L2[i][j] = 0;
        }

    /* Gaussian pyramid of the picture, level 3. */
    #pragma omp parallel for
    for (int i = 0; i < R / 8 + 4; i++)
        if (i >= 2 && i < R / 8) {
            for (int j = 0; j < 2; j++)
                Dx_inGPyramid_L3[i][j] = 0;
            for (int j = 2; j < C / 4; j++)
                Dx_inGPyramid_L3[i][j]
                    = (D_inGPyramid_L2[2 * i - 3][j] + 3 * D_inGPyramid_L2[2 * i - 2][j]
                       + 3 * D_inGPyramid_L2[2 * i - 1][j] + D_inGPyramid_L2[2 * i][j]) * 0.125f;
            for (int j = C / 4; j < C / 4 + 4; j++)
                Dx_inGPyramid_L3[i][j] = 0;
        } else {
            for (int j = 0; j < C / 4 + 4; j++)
                Dx_inGPyramid_L3[i][j] = 0;
        }

    #pragma omp parallel for
    for (int i = 0; i < R / 8 + 4; i++)
        if (i >= 2 && i < R / 8) {
            for (int j = 0; j < 2; j++)
                D_inGPyramid_L3[i][j] = 0;
            for (int j = 2; j < C / 8; j++)
                D_inGPyramid_L3[i][j]
                    = (Dx_inGPyramid_L3[i][2 * j - 3] + 3 * Dx_inGPyramid_L3[i][2 * j - 2]
                       + 3 * Dx_inGPyramid_L3[i][2 * j - 1] + Dx_inGPyramid_L3[i][2 * j]) * 0.125f;
            for (int j = C / 8; j < C / 8 + 4; j++)
                D_inGPyramid_L3[i][j] = 0;
        } else {
            for (int j = 0; j < C / 8 + 4; j++)
                D_inGPyramid_L3[i][j] = 0;
        }

    /* Gaussian pyramid of the picture, level 4. */
    #pragma omp parallel for
    for (int i = 0; i < R / 16 + 4; i++)
        if (i >= 2 && i < R / 16) {
            for (int j = 0; j < 2; j++)
                Dx_inGPyramid_L4[i][j] = 0;
            for (int j = 2; j < C / 8; j++)
                Dx_inGPyramid_L4[i][j]
                    = (D_inGPyramid_L3[2 * i - 3][j] + 3 * D_inGPyramid_L3[2 * i - 2][j]
                       + 3 * D_inGPyramid_L3[2 * i - 1][j] + D_inGPyramid_L3[2 * i][j]) * 0.125f;
            for (int j = C / 8; j < C / 8 + 4; j++)
                Dx_inGPyramid_L4[i][j] = 0;
        } else {
            for (int j = 0; j < C / 8 + 4; j++)
                Dx_inGPyramid_L4[i][j] = 0;
        }

    #pragma omp parallel for
    for (int i = 0; i < R / 16 + 4; i++)
        if (i >= 2 && i < R / 16) {
            for (int j = 0; j < 2; j++)
                D_inGPyramid_L4[i][j] = 0;
            for (int j = 2; j < C / 16; j++)
                D_inGPyramid_L4[i][j]
                    = (Dx_inGPyramid_L4[i][2 * j - 3] + 3 * Dx_inGPyramid_L4[i][2 * j - 2]
                       + 3 * Dx_inGPyramid_L4[i][2 * j - 1] + Dx_inGPyramid_L4[i][2 * j]) * 0.125f;
            for (int j = C / 16; j < C / 16 + 4; j++)
                D_inGPyramid_L4[i][j] = 0;
        } else {
            for (int j = 0; j < C / 16 + 4; j++)
                D_inGPyramid_L4[i][j] = 0;
        }

    /* Gaussian pyramid of the picture, level 5. */
    #pragma omp parallel for
    for (int i = 0; i < R / 32 + 4; i++)
        if (i >= 2 && i < R / 32) {
            for (int j = 0; j < 2; j++)
                Dx_inGPyramid_L5[i][j] = 0;
            for (int j = 2; j < C / 16; j++)
                Dx_inGPyramid_L5[i][j]
                    = (D_inGPyramid_L4[2 * i - 3][j] + 3 * D_inGPyramid_L4[2 * i - 2][j]
                       + 3 * D_inGPyramid_L4[2 * i - 1][j] + D_inGPyramid_L4[2 * i][j]) * 0.125f;
            for (int j = C / 16; j < C / 16 + 4; j++)
                Dx_inGPyramid_L5[i][j] = 0;
        } else {
            for (int j = 0; j < C / 16 + 4; j++)
                Dx_inGPyramid_L5[i][j] = 0;
        }

    #pragma omp parallel for
    for (int i = 0; i < R / 32 + 4; i++)
        if (i >= 2 && i < R / 32) {
            for (int j = 0; j < 2; j++)
                D_inGPyramid_L5[i][j] = 0;
            for (int j = 2; j < C / 32; j++)
                D_inGPyramid_L5[i][j]
                    = (Dx_inGPyramid_L5[i][2 * j - 3] + 3 * Dx_inGPyramid_L5[i][2 * j - 2]
                       + 3 * Dx_inGPyramid_L5[i][2 * j - 1] + Dx_inGPyramid_L5[i][2 * j]) * 0.125f;
            for (int j = C / 32; j < C / 32 + 4; j++)
                D_inGPyramid_L5[i][j] = 0;
        } else {
            for (int j = 0; j < C / 32 + 4; j++)
                D_inGPyramid_L5[i][j] = 0;
        }

    /* Gaussian pyramid of the picture, level 6. */
    #pragma omp parallel for
    for (int i = 0; i < R / 64 + 4; i++)
        if (i >= 2 && i < R / 64) {
            for (int j = 0; j < 2; j++)
                Dx_inGPyramid_L6[i][j] = 0;
            for (int j = 2; j < C / 32; j++)
                Dx_inGPyramid_L6[i][j]
                    = (D_inGPyramid_L5[2 * i - 3][j] + 3 * D_inGPyramid_L5[2 * i - 2][j]
                       + 3 * D_inGPyramid_L5[2 * i - 1][j] + D_inGPyramid_L5[2 * i][j]) * 0.125f;
            for (int j = C / 32; j < C / 32 + 4; j++)
                Dx_inGPyramid_L6[i][j] = 0;
        } else {
            for (int j = 0; j < C / 32 + 4; j++)
                Dx_inGPyramid_L6[i][j] = 0;
        }

    #pragma omp parallel for
    for (int i = 0; i < R / 64 + 4; i++)
        if (i >= 2 && i < R / 64) {
            for (int j = 0; j < 2; j++)
                D_inGPyramid_L6[i][j] = 0;
            for (int j = 2; j < C / 64; j++)
                D_inGPyramid_L6[i][j]
                    = (Dx_inGPyramid_L6[i][2 * j - 3] + 3 * Dx_inGPyramid_L6[i][2 * j - 2]
                       + 3 * Dx_inGPyramid_L6[i][2 * j - 1] + Dx_inGPyramid_L6[i][2 * j]) * 0.125f;
            for (int j = C / 64; j < C / 64 + 4; j++)
                D_inGPyramid_L6[i][j] = 0;
        } else {
            for (int j = 0; j < C / 64 + 4; j++)
                D_inGPyramid_L6[i][j] = 0;
        }

    /* Gaussian pyramid of the picture, level 7. */
    #pragma omp parallel for
    for (int i = 0; i < R / 128 + 4; i++)
        if (i >= 2 && i < R / 128) {
            for (int j = 0; j < 2; j++)
                Dx_inGPyramid_L7[i][j] = 0;
            for (int j = 2; j < C / 64; j++)
                Dx_inGPyramid_L7[i][j]
                    = (D_inGPyramid_L6[2 * i - 3][j] + 3 * D_inGPyramid_L6[2 * i - 2][j]
                       + 3 * D_inGPyramid_L6[2 * i - 1][j] + D_inGPyramid_L6[2 * i][j]) * 0.125f;
            for (int j = C / 64; j < C / 64 + 4; j++)
                Dx_inGPyramid_L7[i][j] = 0;
        } else {
            for (int j = 0; j < C / 64 + 4; j++)
                Dx_inGPyramid_L7[i][j] = 0;
        }

    #pragma omp parallel for
    for (int i = 0; i < R / 128 + 4; i++)
        if (i >= 2 && i < R / 128) {
            for (int j = 0; j < 2; j++)
                D_inGPyramid_L7[i][j] = 0;
            for (int j = 2; j < C / 128; j++)
                D_inGPyramid_L7[i][j]
                    = (Dx_inGPyramid_L7[i][2 * j - 3] + 3 * Dx_inGPyramid_L7[i][2 * j - 2]
                       + 3 * Dx_inGPyramid_L7[i][2 * j - 1] + Dx_inGPyramid_L7[i][2 * j]) * 0.125f;
            for (int j = C / 128; j < C / 128 + 4; j++)
                D_inGPyramid_L7[i][j] = 0;
        } else {
            for (int j = 0; j < C / 128 + 4; j++)
                D_inGPyramid_L7[i][j] = 0;
        }

    /* Gaussian pyramids of the remapped pictures, level 1. */
    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 2 + 4; i++)
            if (i >= 2 && i < R / 2) {
                for (int j = 0; j < 2; j++)
                    Dx_gPyramid_L1[k][i][j] = 0;
                for (int j = 2; j < C; j++)
                    Dx_gPyramid_L1[k][i][j]
                        = (gPyramid_L0[k][2 * i - 3][j] + 3 * gPyramid_L0[k][2 * i - 2][j]
                           + 3 * gPyramid_L0[k][2 * i - 1][j]
                           + gPyramid_L0[k][2 * i][j]) * 0.125f;
                for (int j = C; j < C + 4; j++)
                    Dx_gPyramid_L1[k][i][j] = 0;
            } else {
                for (int j = 0; j < C + 4; j++)
                    Dx_gPyramid_L1[k][i][j] = 0;
            }

    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 2 + 4; i++)
            if (i >= 2 && i < R / 2) {
                for (int j = 0; j < 2; j++)
                    D_gPyramid_L1[k][i][j] = 0;
                for (int j = 2; j < C / 2; j++)
                    D_gPyramid_L1[k][i][j]
                        = (Dx_gPyramid_L1[k][i][2 * j - 3] + 3 * Dx_gPyramid_L1[k][i][2 * j - 2]
                           + 3 * Dx_gPyramid_L1[k][i][2 * j - 1]
                           + Dx_gPyramid_L1[k][i][2 * j]) * 0.125f;
                for (int j = C / 2; j < C / 2 + 4; j++)
                    D_gPyramid_L1[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 2 + 4; j++)
                    D_gPyramid_L1[k][i][j] = 0;
            }

    /* Gaussian pyramids of the remapped pictures, level 2. */
    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 4 + 4; i++)
            if (i >= 2 && i < R / 4) {
                for (int j = 0; j < 2; j++)
                    Dx_gPyramid_L2[k][i][j] = 0;
                for (int j = 2; j < C / 2; j++)
                    Dx_gPyramid_L2[k][i][j]
                        = (D_gPyramid_L1[k][2 * i - 3][j] + 3 * D_gPyramid_L1[k][2 * i - 2][j]
                           + 3 * D_gPyramid_L1[k][2 * i - 1][j]
                           + D_gPyramid_L1[k][2 * i][j]) * 0.125f;
                for (int j = C / 2; j < C / 2 + 4; j++)
                    Dx_gPyramid_L2[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 2 + 4; j++)
                    Dx_gPyramid_L2[k][i][j] = 0;
            }

    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 4 + 4; i++)
            if (i >= 2 && i < R / 4) {
                for (int j = 0; j < 2; j++)
                    D_gPyramid_L2[k][i][j] = 0;
                for (int j = 2; j < C / 4; j++)
                    D_gPyramid_L2[k][i][j]
                        = (Dx_gPyramid_L2[k][i][2 * j - 3] + 3 * Dx_gPyramid_L2[k][i][2 * j - 2]
                           + 3 * Dx_gPyramid_L2[k][i][2 * j - 1]
                           + Dx_gPyramid_L2[k][i][2 * j]) * 0.125f;
                for (int j = C / 4; j < C / 4 + 4; j++)
                    D_gPyramid_L2[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 4 + 4; j++)
                    D_gPyramid_L2[k][i][j] = 0;
            }

    /* Gaussian pyramids of the remapped pictures, level 3. */
    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 8 + 4; i++)
            if (i >= 2 && i < R / 8) {
                for (int j = 0; j < 2; j++)
                    Dx_gPyramid_L3[k][i][j] = 0;
                for (int j = 2; j < C / 4; j++)
                    Dx_gPyramid_L3[k][i][j]
                        = (D_gPyramid_L2[k][2 * i - 3][j] + 3 * D_gPyramid_L2[k][2 * i - 2][j]
                           + 3 * D_gPyramid_L2[k][2 * i - 1][j]
                           + D_gPyramid_L2[k][2 * i][j]) * 0.125f;
                for (int j = C / 4; j < C / 4 + 4; j++)
                    Dx_gPyramid_L3[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 4 + 4; j++)
                    Dx_gPyramid_L3[k][i][j] = 0;
            }

    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 8 + 4; i++)
            if (i >= 2 && i < R / 8) {
                for (int j = 0; j < 2; j++)
                    D_gPyramid_L3[k][i][j] = 0;
                for (int j = 2; j < C / 8; j++)
                    D_gPyramid_L3[k][i][j]
                        = (Dx_gPyramid_L3[k][i][2 * j - 3] + 3 * Dx_gPyramid_L3[k][i][2 * j - 2]
                           + 3 * Dx_gPyramid_L3[k][i][2 * j - 1]
                           + Dx_gPyramid_L3[k][i][2 * j]) * 0.125f;
                for (int j = C / 8; j < C / 8 + 4; j++)
                    D_gPyramid_L3[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 8 + 4; j++)
                    D_gPyramid_L3[k][i][j] = 0;
            }

    /* Gaussian pyramids of the remapped pictures, level 4. */
    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 16 + 4; i++)
            if (i >= 2 && i < R / 16) {
                for (int j = 0; j < 2; j++)
                    Dx_gPyramid_L4[k][i][j] = 0;
                for (int j = 2; j < C / 8; j++)
                    Dx_gPyramid_L4[k][i][j]
                        = (D_gPyramid_L3[k][2 * i - 3][j] + 3 * D_gPyramid_L3[k][2 * i - 2][j]
                           + 3 * D_gPyramid_L3[k][2 * i - 1][j]
                           + D_gPyramid_L3[k][2 * i][j]) * 0.125f;
                for (int j = C / 8; j < C / 8 + 4; j++)
                    Dx_gPyramid_L4[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 8 + 4; j++)
                    Dx_gPyramid_L4[k][i][j] = 0;
            }

    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 16 + 4; i++)
            if (i >= 2 && i < R / 16) {
                for (int j = 0; j < 2; j++)
                    D_gPyramid_L4[k][i][j] = 0;
                for (int j = 2; j < C / 16; j++)
                    D_gPyramid_L4[k][i][j]
                        = (Dx_gPyramid_L4[k][i][2 * j - 3] + 3 * Dx_gPyramid_L4[k][i][2 * j - 2]
                           + 3 * Dx_gPyramid_L4[k][i][2 * j - 1]
                           + Dx_gPyramid_L4[k][i][2 * j]) * 0.125f;
                for (int j = C / 16; j < C / 16 + 4; j++)
                    D_gPyramid_L4[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 16 + 4; j++)
                    D_gPyramid_L4[k][i][j] = 0;
            }

    /* Gaussian pyramids of the remapped pictures, level 5. */
    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 32 + 4; i++)
            if (i >= 2 && i < R / 32) {
                for (int j = 0; j < 2; j++)
                    Dx_gPyramid_L5[k][i][j] = 0;
                for (int j = 2; j < C / 16; j++)
                    Dx_gPyramid_L5[k][i][j]
                        = (D_gPyramid_L4[k][2 * i - 3][j] + 3 * D_gPyramid_L4[k][2 * i - 2][j]
                           + 3 * D_gPyramid_L4[k][2 * i - 1][j]
                           + D_gPyramid_L4[k][2 * i][j]) * 0.125f;
                for (int j = C / 16; j < C / 16 + 4; j++)
                    Dx_gPyramid_L5[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 16 + 4; j++)
                    Dx_gPyramid_L5[k][i][j] = 0;
            }

    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 32 + 4; i++)
            if (i >= 2 && i < R / 32) {
                for (int j = 0; j < 2; j++)
                    D_gPyramid_L5[k][i][j] = 0;
                for (int j = 2; j < C / 32; j++)
                    D_gPyramid_L5[k][i][j]
                        = (Dx_gPyramid_L5[k][i][2 * j - 3] + 3 * Dx_gPyramid_L5[k][i][2 * j - 2]
                           + 3 * Dx_gPyramid_L5[k][i][2 * j - 1]
                           + Dx_gPyramid_L5[k][i][2 * j]) * 0.125f;
                for (int j = C / 32; j < C / 32 + 4; j++)
                    D_gPyramid_L5[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 32 + 4; j++)
                    D_gPyramid_L5[k][i][j] = 0;
            }

    /* Gaussian pyramids of the remapped pictures, level 6. */
    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 64 + 4; i++)
            if (i >= 2 && i < R / 64) {
                for (int j = 0; j < 2; j++)
                    Dx_gPyramid_L6[k][i][j] = 0;
                for (int j = 2; j < C / 32; j++)
                    Dx_gPyramid_L6[k][i][j]
                        = (D_gPyramid_L5[k][2 * i - 3][j] + 3 * D_gPyramid_L5[k][2 * i - 2][j]
                           + 3 * D_gPyramid_L5[k][2 * i - 1][j]
                           + D_gPyramid_L5[k][2 * i][j]) * 0.125f;
                for (int j = C / 32; j < C / 32 + 4; j++)
                    Dx_gPyramid_L6[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 32 + 4; j++)
                    Dx_gPyramid_L6[k][i][j] = 0;
            }

    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 64 + 4; i++)
            if (i >= 2 && i < R / 64) {
                for (int j = 0; j < 2; j++)
                    D_gPyramid_L6[k][i][j] = 0;
                for (int j = 2; j < C / 64; j++)
                    D_gPyramid_L6[k][i][j]
                        = (Dx_gPyramid_L6[k][i][2 * j - 3] + 3 * Dx_gPyramid_L6[k][i][2 * j - 2]
                           + 3 * Dx_gPyramid_L6[k][i][2 * j - 1]
                           + Dx_gPyramid_L6[k][i][2 * j]) * 0.125f;
                for (int j = C / 64; j < C / 64 + 4; j++)
                    D_gPyramid_L6[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 64 + 4; j++)
                    D_gPyramid_L6[k][i][j] = 0;
            }

    /* Gaussian pyramids of the remapped pictures, level 7. */
    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 128 + 4; i++)
            if (i >= 2 && i < R / 128) {
                for (int j = 0; j < 2; j++)
                    Dx_gPyramid_L7[k][i][j] = 0;
                for (int j = 2; j < C / 64; j++)
                    Dx_gPyramid_L7[k][i][j]
                        = (D_gPyramid_L6[k][2 * i - 3][j] + 3 * D_gPyramid_L6[k][2 * i - 2][j]
                           + 3 * D_gPyramid_L6[k][2 * i - 1][j]
                           + D_gPyramid_L6[k][2 * i][j]) * 0.125f;
                for (int j = C / 64; j < C / 64 + 4; j++)
                    Dx_gPyramid_L7[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 64 + 4; j++)
                    Dx_gPyramid_L7[k][i][j] = 0;
            }

    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 128 + 4; i++)
            if (i >= 2 && i < R / 128) {
                for (int j = 0; j < 2; j++)
                    D_gPyramid_L7[k][i][j] = 0;
                for (int j = 2; j < C / 128; j++)
                    D_gPyramid_L7[k][i][j]
                        = (Dx_gPyramid_L7[k][i][2 * j - 3] + 3 * Dx_gPyramid_L7[k][i][2 * j - 2]
                           + 3 * Dx_gPyramid_L7[k][i][2 * j - 1]
                           + Dx_gPyramid_L7[k][i][2 * j]) * 0.125f;
                for (int j = C / 128; j < C / 128 + 4; j++)
                    D_gPyramid_L7[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 128 + 4; j++)
                    D_gPyramid_L7[k][i][j] = 0;
            }

    /* Laplacian pyramids of the remapped pictures, level 6. */
    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 64 + 4; i++)
            if (i >= 2 && i < R / 64) {
                for (int j = 0; j < 2; j++)
                    Ux_lPyramid_L6[k][i][j] = 0;
                for (int j = 2; j < C / 128; j++)
                    Ux_lPyramid_L6[k][i][j]
                        = 0.25f * D_gPyramid_L7[k][i / 2 + i % 2 * 2][j]
                        + 0.75f * D_gPyramid_L7[k][i / 2 + 1][j];
                for (int j = C / 128; j < C / 128 + 4; j++)
                    Ux_lPyramid_L6[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 128 + 4; j++)
                    Ux_lPyramid_L6[k][i][j] = 0;
            }

    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 64 + 4; i++)
            if (i >= 2 && i < R / 64) {
                for (int j = 0; j < 2; j++)
                    U_lPyramid_L6[k][i][j] = 0;
                for (int j = 2; j < C / 64; j += 2)
                    U_lPyramid_L6[k][i][j]
                        = D_gPyramid_L6[k][i][j]
                        - (0.25f * Ux_lPyramid_L6[k][i][j / 2]
                           + 0.75f * Ux_lPyramid_L6[k][i][j / 2 + 1]);
                for (int j = 3; j < C / 64; j += 2)
                    U_lPyramid_L6[k][i][j]
                        = D_gPyramid_L6[k][i][j]
                        - (0.25f * Ux_lPyramid_L6[k][i][j / 2 + 2]
                           + 0.75f * Ux_lPyramid_L6[k][i][j / 2 + 1]);
                for (int j = C / 64; j < C / 64 + 4; j++)
                    U_lPyramid_L6[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 64 + 4; j++)
                    U_lPyramid_L6[k][i][j] = 0;
            }

    /* Laplacian pyramids of the remapped pictures, level 5. */
    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 32 + 4; i++)
            if (i >= 2 && i < R / 32) {
                for (int j = 0; j < 2; j++)
                    Ux_lPyramid_L5[k][i][j] = 0;
                for (int j = 2; j < C / 64; j++)
                    Ux_lPyramid_L5[k][i][j]
                        = 0.25f * D_gPyramid_L6[k][i / 2 + i % 2 * 2][j]
                        + 0.75f * D_gPyramid_L6[k][i / 2 + 1][j];
                for (int j = C / 64; j < C / 64 + 4; j++)
                    Ux_lPyramid_L5[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 64 + 4; j++)
                    Ux_lPyramid_L5[k][i][j] = 0;
            }

    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 32 + 4; i++)
            if (i >= 2 && i < R / 32) {
                for (int j = 0; j < 2; j++)
                    U_lPyramid_L5[k][i][j] = 0;
                for (int j = 2; j < C / 32; j += 2)
                    U_lPyramid_L5[k][i][j]
                        = D_gPyramid_L5[k][i][j]
                        - (0.25f * Ux_lPyramid_L5[k][i][j / 2]
                           + 0.75f * Ux_lPyramid_L5[k][i][j / 2 + 1]);
                for (int j = 3; j < C / 32; j += 2)
                    U_lPyramid_L5[k][i][j]
                        = D_gPyramid_L5[k][i][j]
                        - (0.25f * Ux_lPyramid_L5[k][i][j / 2 + 2]
                           + 0.75f * Ux_lPyramid_L5[k][i][j / 2 + 1]);
                for (int j = C / 32; j < C / 32 + 4; j++)
                    U_lPyramid_L5[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 32 + 4; j++)
                    U_lPyramid_L5[k][i][j] = 0;
            }

    /* Laplacian pyramids of the remapped pictures, level 4. */
    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 16 + 4; i++)
            if (i >= 2 && i < R / 16) {
                for (int j = 0; j < 2; j++)
                    Ux_lPyramid_L4[k][i][j] = 0;
                for (int j = 2; j < C / 32; j++)
                    Ux_lPyramid_L4[k][i][j]
                        = 0.25f * D_gPyramid_L5[k][i / 2 + i % 2 * 2][j]
                        + 0.75f * D_gPyramid_L5[k][i / 2 + 1][j];
                for (int j = C / 32; j < C / 32 + 4; j++)
                    Ux_lPyramid_L4[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 32 + 4; j++)
                    Ux_lPyramid_L4[k][i][j] = 0;
            }

    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 16 + 4; i++)
            if (i >= 2 && i < R / 16) {
                for (int j = 0; j < 2; j++)
                    U_lPyramid_L4[k][i][j] = 0;
                for (int j = 2; j < C / 16; j += 2)
                    U_lPyramid_L4[k][i][j]
                        = D_gPyramid_L4[k][i][j]
                        - (0.25f * Ux_lPyramid_L4[k][i][j / 2]
                           + 0.75f * Ux_lPyramid_L4[k][i][j / 2 + 1]);
                for (int j = 3; j < C / 16; j += 2)
                    U_lPyramid_L4[k][i][j]
                        = D_gPyramid_L4[k][i][j]
                        - (0.25f * Ux_lPyramid_L4[k][i][j / 2 + 2]
                           + 0.75f * Ux_lPyramid_L4[k][i][j / 2 + 1]);
                for (int j = C / 16; j < C / 16 + 4; j++)
                    U_lPyramid_L4[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 16 + 4; j++)
                    U_lPyramid_L4[k][i][j] = 0;
            }

    /* Laplacian pyramids of the remapped pictures, level 3. */
    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 8 + 4; i++)
            if (i >= 2 && i < R / 8) {
                for (int j = 0; j < 2; j++)
                    Ux_lPyramid_L3[k][i][j] = 0;
                for (int j = 2; j < C / 16; j++)
                    Ux_lPyramid_L3[k][i][j]
                        = 0.25f * D_gPyramid_L4[k][i / 2 + i % 2 * 2][j]
                        + 0.75f * D_gPyramid_L4[k][i / 2 + 1][j];
                for (int j = C / 16; j < C / 16 + 4; j++)
                    Ux_lPyramid_L3[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 16 + 4; j++)
                    Ux_lPyramid_L3[k][i][j] = 0;
            }

    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 8 + 4; i++)
            if (i >= 2 && i < R / 8) {
                for (int j = 0; j < 2; j++)
                    U_lPyramid_L3[k][i][j] = 0;
                for (int j = 2; j < C / 8; j += 2)
                    U_lPyramid_L3[k][i][j]
                        = D_gPyramid_L3[k][i][j]
                        - (0.25f * Ux_lPyramid_L3[k][i][j / 2]
                           + 0.75f * Ux_lPyramid_L3[k][i][j / 2 + 1]);
                for (int j = 3; j < C / 8; j += 2)
                    U_lPyramid_L3[k][i][j]
                        = D_gPyramid_L3[k][i][j]
                        - (0.25f * Ux_lPyramid_L3[k][i][j / 2 + 2]
                           + 0.75f * Ux_lPyramid_L3[k][i][j / 2 + 1]);
                for (int j = C / 8; j < C / 8 + 4; j++)
                    U_lPyramid_L3[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 8 + 4; j++)
                    U_lPyramid_L3[k][i][j] = 0;
            }

    /* Laplacian pyramids of the remapped pictures, level 2. */
    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 4 + 4; i++)
            if (i >= 2 && i < R / 4) {
                for (int j = 0; j < 2; j++)
                    Ux_lPyramid_L2[k][i][j] = 0;
                for (int j = 2; j < C / 8; j++)
                    Ux_lPyramid_L2[k][i][j]
                        = 0.25f * D_gPyramid_L3[k][i / 2 + i % 2 * 2][j]
                        + 0.75f * D_gPyramid_L3[k][i / 2 + 1][j];
                for (int j = C / 8; j < C / 8 + 4; j++)
                    Ux_lPyramid_L2[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 8 + 4; j++)
                    Ux_lPyramid_L2[k][i][j] = 0;
            }

    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 4 + 4; i++)
            if (i >= 2 && i < R / 4) {
                for (int j = 0; j < 2; j++)
                    U_lPyramid_L2[k][i][j] = 0;
                for (int j = 2; j < C / 4; j += 2)
                    U_lPyramid_L2[k][i][j]
                        = D_gPyramid_L2[k][i][j]
                        - (0.25f * Ux_lPyramid_L2[k][i][j / 2]
                           + 0.75f * Ux_lPyramid_L2[k][i][j / 2 + 1]);
                for (int j = 3; j < C / 4; j += 2)
                    U_lPyramid_L2[k][i][j]
                        = D_gPyramid_L2[k][i][j]
                        - (0.25f * Ux_lPyramid_L2[k][i][j / 2 + 2]
                           + 0.75f * Ux_lPyramid_L2[k][i][j / 2 + 1]);
                for (int j = C / 4; j < C / 4 + 4; j++)
                    U_lPyramid_L2[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 4 + 4; j++)
                    U_lPyramid_L2[k][i][j] = 0;
            }

    /* Laplacian pyramids of the remapped pictures, level 1. */
    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 2 + 4; i++)
            if (i >= 2 && i < R / 2) {
                for (int j = 0; j < 2; j++)
                    Ux_lPyramid_L1[k][i][j] = 0;
                for (int j = 2; j < C / 4; j++)
                    Ux_lPyramid_L1[k][i][j]
                        = 0.25f * D_gPyramid_L2[k][i / 2 + i % 2 * 2][j]
                        + 0.75f * D_gPyramid_L2[k][i / 2 + 1][j];
                for (int j = C / 4; j < C / 4 + 4; j++)
                    Ux_lPyramid_L1[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 4 + 4; j++)
                    Ux_lPyramid_L1[k][i][j] = 0;
            }

    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R / 2 + 4; i++)
            if (i >= 2 && i < R / 2) {
                for (int j = 0; j < 2; j++)
                    U_lPyramid_L1[k][i][j] = 0;
                for (int j = 2; j < C / 2; j += 2)
                    U_lPyramid_L1[k][i][j]
                        = D_gPyramid_L1[k][i][j]
                        - (0.25f * Ux_lPyramid_L1[k][i][j / 2]
                           + 0.75f * Ux_lPyramid_L1[k][i][j / 2 + 1]);
                for (int j = 3; j < C / 2; j += 2)
                    U_lPyramid_L1[k][i][j]
                        = D_gPyramid_L1[k][i][j]
                        - (0.25f * Ux_lPyramid_L1[k][i][j / 2 + 2]
                           + 0.75f * Ux_lPyramid_L1[k][i][j / 2 + 1]);
                for (int j = C / 2; j < C / 2 + 4; j++)
                    U_lPyramid_L1[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 2 + 4; j++)
                    U_lPyramid_L1[k][i][j] = 0;
            }

    /* Laplacian pyramids of the remapped pictures, level 0. */
    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R + 4; i++)
            if (i >= 2 && i < R) {
                for (int j = 0; j < 2; j++)
                    Ux_lPyramid_L0[k][i][j] = 0;
                for (int j = 2; j < C / 2; j++)
                    Ux_lPyramid_L0[k][i][j]
                        = 0.25f * D_gPyramid_L1[k][i / 2 + i % 2 * 2][j]
                        + 0.75f * D_gPyramid_L1[k][i / 2 + 1][j];
                for (int j = C / 2; j < C / 2 + 4; j++)
                    Ux_lPyramid_L0[k][i][j] = 0;
            } else {
                for (int j = 0; j < C / 2 + 4; j++)
                    Ux_lPyramid_L0[k][i][j] = 0;
            }

    #pragma omp parallel for collapse(2)
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R + 4; i++)
            if (i >= 2 && i < R) {
                for (int j = 0; j < 2; j++)
                    U_lPyramid_L0[k][i][j] = 0;
                for (int j = 2; j < C; j += 2)
                    U_lPyramid_L0[k][i][j]
                        = gPyramid_L0[k][i][j]
                        - (0.25f * Ux_lPyramid_L0[k][i][j / 2]
                           + 0.75f * Ux_lPyramid_L0[k][i][j / 2 + 1]);
                for (int j = 3; j < C; j += 2)
                    U_lPyramid_L0[k][i][j]
                        = gPyramid_L0[k][i][j]
                        - (0.25f * Ux_lPyramid_L0[k][i][j / 2 + 2]
                           + 0.75f * Ux_lPyramid_L0[k][i][j / 2 + 1]);
                for (int j = C; j < C + 4; j++)
                    U_lPyramid_L0[k][i][j] = 0;
            } else {
                for (int j = 0; j < C + 4; j++)
                    U_lPyramid_L0[k][i][j] = 0;
            }

    /* Laplacian pyramid of the result: between the two levels of brightness next to the
       picture's own at that place. */
    #pragma omp parallel for
    for (int i = 0; i < R / 128 + 4; i++)
        for (int j = 0; j < C / 128 + 4; j++)
            outLPyramid_L7[i][j]
                = between(D_inGPyramid_L7[i][j],
                          D_gPyramid_L7[below(D_inGPyramid_L7[i][j])][i][j],
                          D_gPyramid_L7[below(D_inGPyramid_L7[i][j]) + 1][i][j]);

    #pragma omp parallel for
    for (int i = 0; i < R / 64 + 4; i++)
        for (int j = 0; j < C / 64 + 4; j++)
            outLPyramid_L6[i][j]
                = between(D_inGPyramid_L6[i][j],
                          U_lPyramid_L6[below(D_inGPyramid_L6[i][j])][i][j],
                          U_lPyramid_L6[below(D_inGPyramid_L6[i][j]) + 1][i][j]);

    #pragma omp parallel for
    for (int i = 0; i < R / 32 + 4; i++)
        for (int j = 0; j < C / 32 + 4; j++)
            outLPyramid_L5[i][j]
                = between(D_inGPyramid_L5[i][j],
                          U_lPyramid_L5[below(D_inGPyramid_L5[i][j])][i][j],
                          U_lPyramid_L5[below(D_inGPyramid_L5[i][j]) + 1][i][j]);

    #pragma omp parallel for
    for (int i = 0; i < R / 16 + 4; i++)
        for (int j = 0; j < C / 16 + 4; j++)
            outLPyramid_L4[i][j]
                = between(D_inGPyramid_L4[i][j],
                          U_lPyramid_L4[below(D_inGPyramid_L4[i][j])][i][j],
                          U_lPyramid_L4[below(D_inGPyramid_L4[i][j]) + 1][i][j]);

    #pragma omp parallel for
    for (int i = 0; i < R / 8 + 4; i++)
        for (int j = 0; j < C / 8 + 4; j++)
            outLPyramid_L3[i][j]
                = between(D_inGPyramid_L3[i][j],
                          U_lPyramid_L3[below(D_inGPyramid_L3[i][j])][i][j],
                          U_lPyramid_L3[below(D_inGPyramid_L3[i][j]) + 1][i][j]);

    #pragma omp parallel for
    for (int i = 0; i < R / 4 + 4; i++)
        for (int j = 0; j < C / 4 + 4; j++)
            outLPyramid_L2[i][j]
                = between(D_inGPyramid_L2[i][j],
                          U_lPyramid_L2[below(D_inGPyramid_L2[i][j])][i][j],
                          U_lPyramid_L2[below(D_inGPyramid_L2[i][j]) + 1][i][j]);

    #pragma omp parallel for
    for (int i = 0; i < R / 2 + 4; i++)
        for (int j = 0; j < C / 2 + 4; j++)
            outLPyramid_L1[i][j]
                = between(D_inGPyramid_L1[i][j],
                          U_lPyramid_L1[below(D_inGPyramid_L1[i][j])][i][j],
                          U_lPyramid_L1[below(D_inGPyramid_L1[i][j]) + 1][i][j]);

    #pragma omp parallel for
    for (int i = 0; i < R + 4; i++)
        for (int j = 0; j < C + 4; j++)
            outLPyramid_L0[i][j]
                = between(img[i][j],
                          U_lPyramid_L0[below(img[i][j])][i][j],
                          U_lPyramid_L0[below(img[i][j]) + 1][i][j]);

    /* The result, level 6. */
    #pragma omp parallel for
    for (int i = 0; i < R / 64 + 4; i++)
        if (i >= 2 && i < R / 64) {
            for (int j = 0; j < 2; j++)
                Ux_outGPyramid_L6[i][j] = 0;
            for (int j = 2; j < C / 128; j++)
                Ux_outGPyramid_L6[i][j]
                    = 0.25f * outLPyramid_L7[i / 2 + i % 2 * 2][j]
                    + 0.75f * outLPyramid_L7[i / 2 + 1][j];
            for (int j = C / 128; j < C / 128 + 4; j++)
                Ux_outGPyramid_L6[i][j] = 0;
        } else {
            for (int j = 0; j < C / 128 + 4; j++)
                Ux_outGPyramid_L6[i][j] = 0;
        }

    #pragma omp parallel for
    for (int i = 0; i < R / 64 + 4; i++)
        if (i >= 2 && i < R / 64) {
            for (int j = 0; j < 2; j++)
                outGPyramid_L6[i][j] = 0;
            for (int j = 2; j < C / 64; j += 2)
                outGPyramid_L6[i][j]
                    = outLPyramid_L6[i][j]
                    + (0.25f * Ux_outGPyramid_L6[i][j / 2]
                       + 0.75f * Ux_outGPyramid_L6[i][j / 2 + 1]);
            for (int j = 3; j < C / 64; j += 2)
                outGPyramid_L6[i][j]
                    = outLPyramid_L6[i][j]
                    + (0.25f * Ux_outGPyramid_L6[i][j / 2 + 2]
                       + 0.75f * Ux_outGPyramid_L6[i][j / 2 + 1]);
            for (int j = C / 64; j < C / 64 + 4; j++)
                outGPyramid_L6[i][j] = 0;
        } else {
            for (int j = 0; j < C / 64 + 4; j++)
                outGPyramid_L6[i][j] = 0;
        }

    /* The result, level 5. */
    #pragma omp parallel for
    for (int i = 0; i < R / 32 + 4; i++)
        if (i >= 2 && i < R / 32) {
            for (int j = 0; j < 2; j++)
                Ux_outGPyramid_L5[i][j] = 0;
            for (int j = 2; j < C / 64; j++)
                Ux_outGPyramid_L5[i][j]
                    = 0.25f * outGPyramid_L6[i / 2 + i % 2 * 2][j]
                    + 0.75f * outGPyramid_L6[i / 2 + 1][j];
            for (int j = C / 64; j < C / 64 + 4; j++)
                Ux_outGPyramid_L5[i][j] = 0;
        } else {
            for (int j = 0; j < C / 64 + 4; j++)
                Ux_outGPyramid_L5[i][j] = 0;
        }

    #pragma omp parallel for
    for (int i = 0; i < R / 32 + 4; i++)
        if (i >= 2 && i < R / 32) {
            for (int j = 0; j < 2; j++)
                outGPyramid_L5[i][j] = 0;
            for (int j = 2; j < C / 32; j += 2)
                outGPyramid_L5[i][j]
                    = outLPyramid_L5[i][j]
                    + (0.25f * Ux_outGPyramid_L5[i][j / 2]
                       + 0.75f * Ux_outGPyramid_L5[i][j / 2 + 1]);
            for (int j = 3; j < C / 32; j += 2)
                outGPyramid_L5[i][j]
                    = outLPyramid_L5[i][j]
                    + (0.25f * Ux_outGPyramid_L5[i][j / 2 + 2]
                       + 0.75f * Ux_outGPyramid_L5[i][j / 2 + 1]);
            for (int j = C / 32; j < C / 32 + 4; j++)
                outGPyramid_L5[i][j] = 0;
        } else {
            for (int j = 0; j < C / 32 + 4; j++)
                outGPyramid_L5[i][j] = 0;
        }

    /* The result, level 4. */
    #pragma omp parallel for
    for (int i = 0; i < R / 16 + 4; i++)
        if (i >= 2 && i < R / 16) {
            for (int j = 0; j < 2; j++)
                Ux_outGPyramid_L4[i][j] = 0;
            for (int j = 2; j < C / 32; j++)
                Ux_outGPyramid_L4[i][j]
                    = 0.25f * outGPyramid_L5[i / 2 + i % 2 * 2][j]
                    + 0.75f * outGPyramid_L5[i / 2 + 1][j];
            for (int j = C / 32; j < C / 32 + 4; j++)
                Ux_outGPyramid_L4[i][j] = 0;
        } else {
            for (int j = 0; j < C / 32 + 4; j++)
                Ux_outGPyramid_L4[i][j] = 0;
        }

    #pragma omp parallel for
    for (int i = 0; i < R / 16 + 4; i++)
        if (i >= 2 && i < R / 16) {
            for (int j = 0; j < 2; j++)
                outGPyramid_L4[i][j] = 0;
            for (int j = 2; j < C / 16; j += 2)
                outGPyramid_L4[i][j]
                    = outLPyramid_L4[i][j]
                    + (0.25f * Ux_outGPyramid_L4[i][j / 2]
                       + 0.75f * Ux_outGPyramid_L4[i][j / 2 + 1]);
            for (int j = 3; j < C / 16; j += 2)
                outGPyramid_L4[i][j]
                    = outLPyramid_L4[i][j]
                    + (0.25f * Ux_outGPyramid_L4[i][j / 2 + 2]
                       + 0.75f * Ux_outGPyramid_L4[i][j / 2 + 1]);
            for (int j = C / 16; j < C / 16 + 4; j++)
                outGPyramid_L4[i][j] = 0;
        } else {
            for (int j = 0; j < C / 16 + 4; j++)
                outGPyramid_L4[i][j] = 0;
        }

    /* The result, level 3. */
    #pragma omp parallel for
    for (int i = 0; i < R / 8 + 4; i++)
        if (i >= 2 && i < R / 8) {
            for (int j = 0; j < 2; j++)
                Ux_outGPyramid_L3[i][j] = 0;
            for (int j = 2; j < C / 16; j++)
                Ux_outGPyramid_L3[i][j]
                    = 0.25f * outGPyramid_L4[i / 2 + i % 2 * 2][j]
                    + 0.75f * outGPyramid_L4[i / 2 + 1][j];
            for (int j = C / 16; j < C / 16 + 4; j++)
                Ux_outGPyramid_L3[i][j] = 0;
        } else {
            for (int j = 0; j < C / 16 + 4; j++)
                Ux_outGPyramid_L3[i][j] = 0;
        }

    #pragma omp parallel for
    for (int i = 0; i < R / 8 + 4; i++)
        if (i >= 2 && i < R / 8) {
            for (int j = 0; j < 2; j++)
                outGPyramid_L3[i][j] = 0;
            for (int j = 2; j < C / 8; j += 2)
                outGPyramid_L3[i][j]
                    = outLPyramid_L3[i][j]
                    + (0.25f * Ux_outGPyramid_L3[i][j / 2]
                       + 0.75f * Ux_outGPyramid_L3[i][j / 2 + 1]);
            for (int j = 3; j < C / 8; j += 2)
                outGPyramid_L3[i][j]
                    = outLPyramid_L3[i][j]
                    + (0.25f * Ux_outGPyramid_L3[i][j / 2 + 2]
                       + 0.75f * Ux_outGPyramid_L3[i][j / 2 + 1]);
            for (int j = C / 8; j < C / 8 + 4; j++)
                outGPyramid_L3[i][j] = 0;
        } else {
            for (int j = 0; j < C / 8 + 4; j++)
                outGPyramid_L3[i][j] = 0;
        }

    /* The result, level 2. */
    #pragma omp parallel for
    for (int i = 0; i < R / 4 + 4; i++)
        if (i >= 2 && i < R / 4) {
            for (int j = 0; j < 2; j++)
                Ux_outGPyramid_L2[i][j] = 0;
            for (int j = 2; j < C / 8; j++)
                Ux_outGPyramid_L2[i][j]
                    = 0.25f * outGPyramid_L3[i / 2 + i % 2 * 2][j]
                    + 0.75f * outGPyramid_L3[i / 2 + 1][j];
            for (int j = C / 8; j < C / 8 + 4; j++)
                Ux_outGPyramid_L2[i][j] = 0;
        } else {
            for (int j = 0; j < C / 8 + 4; j++)
                Ux_outGPyramid_L2[i][j] = 0;
        }

    #pragma omp parallel for
    for (int i = 0; i < R / 4 + 4; i++)
        if (i >= 2 && i < R / 4) {
            for (int j = 0; j < 2; j++)
                outGPyramid_L2[i][j] = 0;
            for (int j = 2; j < C / 4; j += 2)
                outGPyramid_L2[i][j]
                    = outLPyramid_L2[i][j]
                    + (0.25f * Ux_outGPyramid_L2[i][j / 2]
                       + 0.75f * Ux_outGPyramid_L2[i][j / 2 + 1]);
            for (int j = 3; j < C / 4; j += 2)
                outGPyramid_L2[i][j]
                    = outLPyramid_L2[i][j]
                    + (0.25f * Ux_outGPyramid_L2[i][j / 2 + 2]
                       + 0.75f * Ux_outGPyramid_L2[i][j / 2 + 1]);
            for (int j = C / 4; j < C / 4 + 4; j++)
                outGPyramid_L2[i][j] = 0;
        } else {
            for (int j = 0; j < C / 4 + 4; j++)
                outGPyramid_L2[i][j] = 0;
        }

    /* The result, level 1. */
    #pragma omp parallel for
    for (int i = 0; i < R / 2 + 4; i++)
        if (i >= 2 && i < R / 2) {
            for (int j = 0; j < 2; j++)
                Ux_outGPyramid_L1[i][j] = 0;
            for (int j = 2; j < C / 4; j++)
                Ux_outGPyramid_L1[i][j]
                    = 0.25f * outGPyramid_L2[i / 2 + i % 2 * 2][j]
                    + 0.75f * outGPyramid_L2[i / 2 + 1][j];
            for (int j = C / 4; j < C / 4 + 4; j++)
                Ux_outGPyramid_L1[i][j] = 0;
        } else {
            for (int j = 0; j < C / 4 + 4; j++)
                Ux_outGPyramid_L1[i][j] = 0;
        }

    #pragma omp parallel for
    for (int i = 0; i < R / 2 + 4; i++)
        if (i >= 2 && i < R / 2) {
            for (int j = 0; j < 2; j++)
                outGPyramid_L1[i][j] = 0;
            for (int j = 2; j < C / 2; j += 2)
                outGPyramid_L1[i][j]
                    = outLPyramid_L1[i][j]
                    + (0.25f * Ux_outGPyramid_L1[i][j / 2]
                       + 0.75f * Ux_outGPyramid_L1[i][j / 2 + 1]);
            for (int j = 3; j < C / 2; j += 2)
                outGPyramid_L1[i][j]
                    = outLPyramid_L1[i][j]
                    + (0.25f * Ux_outGPyramid_L1[i][j / 2 + 2]
                       + 0.75f * Ux_outGPyramid_L1[i][j / 2 + 1]);
            for (int j = C / 2; j < C / 2 + 4; j++)
                outGPyramid_L1[i][j] = 0;
        } else {
            for (int j = 0; j < C / 2 + 4; j++)
                outGPyramid_L1[i][j] = 0;
        }

    /* The result, level 0. */
    #pragma omp parallel for
    for (int i = 0; i < R + 4; i++)
        if (i >= 2 && i < R) {
            for (int j = 0; j < 2; j++)
                Ux_result_ref_gray[i][j] = 0;
            for (int j = 2; j < C / 2; j++)
                Ux_result_ref_gray[i][j]
                    = 0.25f * outGPyramid_L1[i / 2 + i % 2 * 2][j]
                    + 0.75f * outGPyramid_L1[i / 2 + 1][j];
            for (int j = C / 2; j < C / 2 + 4; j++)
                Ux_result_ref_gray[i][j] = 0;
        } else {
            for (int j = 0; j < C / 2 + 4; j++)
                Ux_result_ref_gray[i][j] = 0;
        }

    #pragma omp parallel for
    for (int i = 0; i < R + 4; i++)
        if (i >= 2 && i < R) {
            for (int j = 0; j < 2; j++)
                result_ref_gray[i][j] = 0;
            for (int j = 2; j < C; j += 2)
                result_ref_gray[i][j]
                    = outLPyramid_L0[i][j]
                    + (0.25f * Ux_result_ref_gray[i][j / 2]
                       + 0.75f * Ux_result_ref_gray[i][j / 2 + 1]);
            for (int j = 3; j < C; j += 2)
                result_ref_gray[i][j]
                    = outLPyramid_L0[i][j]
                    + (0.25f * Ux_result_ref_gray[i][j / 2 + 2]
                       + 0.75f * Ux_result_ref_gray[i][j / 2 + 1]);
            for (int j = C; j < C + 4; j++)
                result_ref_gray[i][j] = 0;
        } else {
            for (int j = 0; j < C + 4; j++)
                result_ref_gray[i][j] = 0;
        }

    /* In colour: every channel by the ratio of the new gray value to the old one, with 0.01 added
       where it is divided, lest dark pixels become noise. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < R; i++)
            for (int j = 0; j < C; j++)
                laplacian[c][i][j]
                    = clampf(result_ref_gray[i + 2][j + 2]
                             * (img_colour[c][i + 2][j + 2] / 65535.0f + 0.01f)
                             / (img[i + 2][j + 2] + 0.01f), 0, 1) * 65535;
#pragma endscop

    free(result_ref_gray);
    free(Ux_result_ref_gray);
    free(outGPyramid_L1);
    free(Ux_outGPyramid_L1);
    free(outGPyramid_L2);
    free(Ux_outGPyramid_L2);
    free(outGPyramid_L3);
    free(Ux_outGPyramid_L3);
    free(outGPyramid_L4);
    free(Ux_outGPyramid_L4);
    free(outGPyramid_L5);
    free(Ux_outGPyramid_L5);
    free(outGPyramid_L6);
    free(Ux_outGPyramid_L6);
    free(outLPyramid_L0);
    free(outLPyramid_L1);
    free(outLPyramid_L2);
    free(outLPyramid_L3);
    free(outLPyramid_L4);
    free(outLPyramid_L5);
    free(outLPyramid_L6);
    free(outLPyramid_L7);
    free(U_lPyramid_L0);
    free(Ux_lPyramid_L0);
    free(U_lPyramid_L1);
    free(Ux_lPyramid_L1);
    free(U_lPyramid_L2);
    free(Ux_lPyramid_L2);
    free(U_lPyramid_L3);
    free(Ux_lPyramid_L3);
    free(U_lPyramid_L4);
    free(Ux_lPyramid_L4);
    free(U_lPyramid_L5);
    free(Ux_lPyramid_L5);
    free(U_lPyramid_L6);
    free(Ux_lPyramid_L6);
    free(D_gPyramid_L7);
    free(Dx_gPyramid_L7);
    free(D_gPyramid_L6);
    free(Dx_gPyramid_L6);
    free(D_gPyramid_L5);
    free(Dx_gPyramid_L5);
    free(D_gPyramid_L4);
    free(Dx_gPyramid_L4);
    free(D_gPyramid_L3);
    free(Dx_gPyramid_L3);
    free(D_gPyramid_L2);
    free(Dx_gPyramid_L2);
    free(D_gPyramid_L1);
    free(Dx_gPyramid_L1);
    free(D_inGPyramid_L7);
    free(Dx_inGPyramid_L7);
    free(D_inGPyramid_L6);
    free(Dx_inGPyramid_L6);
    free(D_inGPyramid_L5);
    free(Dx_inGPyramid_L5);
    free(D_inGPyramid_L4);
    free(Dx_inGPyramid_L4);
    free(D_inGPyramid_L3);
    free(Dx_inGPyramid_L3);
    free(D_inGPyramid_L2);
    free(Dx_inGPyramid_L2);
    free(D_inGPyramid_L1);
    free(Dx_inGPyramid_L1);
    free(gPyramid_L0);
    free(img);
    free(remapLUT);
}
