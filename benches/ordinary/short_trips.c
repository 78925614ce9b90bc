/* Short inner loops: two, three, four or eight constant iterations inside of a long loop. */
#include <math.h>

void rotate_vectors(int n, const double m[restrict 3][3], const double v[restrict n][3], double out[restrict n][3])
{
#pragma scop
    for (int p = 0; p < n; p++)
        for (int i = 0; i < 3; i++) {
            out[p][i] = 0.0;
            for (int j = 0; j < 3; j++)
                out[p][i] += m[i][j] * v[p][j];
        }
#pragma endscop
}

void transform_points(int n, const float m[restrict 4][4], const float p[restrict n][4], float q[restrict n][4])
{
    int i, r, c;
#pragma scop
    for (i = 0; i < n; i++) {
        for (r = 0; r < 4; r++) {
            float s = 0.0f;
            for (c = 0; c < 4; c++)
                s += m[r][c] * p[i][c];
            q[i][r] = s;
        }
    }
#pragma endscop
}

void channel_gain(int h, int w, const float gain[restrict 3], const float img[restrict h][w][3],
                  float out[restrict h][w][3])
{
#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            for (int c = 0; c < 3; c++)
                out[i][j][c] = img[i][j][c] * gain[c];
#pragma endscop
}

void four_point_average(int n, const double x[restrict n][4], double out[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double s = 0.0;
        for (int k = 0; k < 4; k++)
            s += x[i][k];
        out[i] = s / 4.0;
    }
#pragma endscop
}

void small_polynomial(int n, const double c[restrict 5], const double x[restrict n], double y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double v = c[4];
        for (int k = 3; k >= 0; k--)
            v = v * x[i] + c[k];
        y[i] = v;
    }
#pragma endscop
}

void stereo_mix(int n, const float mix[restrict 2][2], const float in[restrict n][2], float out[restrict n][2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 2; c++)
            out[i][c] = mix[c][0] * in[i][0] + mix[c][1] * in[i][1];
#pragma endscop
}

void octet_totals(int n, const int *restrict x, int *restrict total)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int k = 0; k < 8; k++)
            s += x[8 * i + k];
        total[i] = s;
    }
#pragma endscop
}

void eight_tap_filter(int n, const float taps[restrict 8], const float x[restrict n + 7], float y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = 0.0f;
        for (int k = 0; k < 8; k++)
            y[i] += taps[k] * x[i + k];
    }
#pragma endscop
}

void unit_quaternions(int n, const double q[restrict n][4], double u[restrict n][4])
{
    double len;
#pragma scop
    for (int i = 0; i < n; i++) {
        len = 1e-12;
        for (int k = 0; k < 4; k++)
            len += q[i][k] * q[i][k];
        len = sqrt(len);
        for (int k = 0; k < 4; k++)
            u[i][k] = q[i][k] / len;
    }
#pragma endscop
}

void symmetric_strain(int n, const double g[restrict n][3][3], double s[restrict n][3][3])
{
#pragma scop
    for (int p = 0; p < n; p++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                s[p][i][j] = 0.5 * (g[p][i][j] + g[p][j][i]);
#pragma endscop
}

void nearest_centre(int n, const float centre[restrict 4][2], const float p[restrict n][2], int label[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float best = 1e30f;
        int which = 0;
        for (int k = 0; k < 4; k++) {
            float dx = p[i][0] - centre[k][0];
            float dy = p[i][1] - centre[k][1];
            float d = dx * dx + dy * dy;
            if (d < best) {
                best = d;
                which = k;
            }
        }
        label[i] = which;
    }
#pragma endscop
}
