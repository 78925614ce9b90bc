#include "numbers.h"
#define H 4
void strassen(double a[2 * H][2 * H], double b[2 * H][2 * H], double c[2 * H][2 * H])
{
    double s[10][H][H], p[7][H][H];
#pragma scop
    for (int i = 0; i < H; i++)
        for (int j = 0; j < H; j++) {
            s[0][i][j] = b[i][j + H] - b[i + H][j + H];
            s[1][i][j] = a[i][j] + a[i][j + H];
            s[2][i][j] = a[i + H][j] + a[i + H][j + H];
            s[3][i][j] = b[i + H][j] - b[i][j];
            s[4][i][j] = a[i][j] + a[i + H][j + H];
            s[5][i][j] = b[i][j] + b[i + H][j + H];
            s[6][i][j] = a[i][j + H] - a[i + H][j + H];
            s[7][i][j] = b[i + H][j] + b[i + H][j + H];
            s[8][i][j] = a[i][j] - a[i + H][j];
            s[9][i][j] = b[i][j] + b[i][j + H];
            for (int q = 0; q < 7; q++) p[q][i][j] = 0;
        }
    for (int i = 0; i < H; i++)
        for (int j = 0; j < H; j++)
            for (int k = 0; k < H; k++) {
                p[0][i][j] += a[i][k] * s[0][k][j];
                p[1][i][j] += s[1][i][k] * b[k + H][j + H];
                p[2][i][j] += s[2][i][k] * b[k][j];
                p[3][i][j] += a[i + H][k + H] * s[3][k][j];
                p[4][i][j] += s[4][i][k] * s[5][k][j];
                p[5][i][j] += s[6][i][k] * s[7][k][j];
                p[6][i][j] += s[8][i][k] * s[9][k][j];
            }
    for (int i = 0; i < H; i++)
        for (int j = 0; j < H; j++) {
            c[i][j] = p[4][i][j] + p[3][i][j] - p[1][i][j] + p[5][i][j];
            c[i][j + H] = p[0][i][j] + p[1][i][j];
            c[i + H][j] = p[2][i][j] + p[3][i][j];
            c[i + H][j + H] = p[4][i][j] + p[0][i][j] - p[2][i][j] - p[6][i][j];
        }
#pragma endscop
}
static double a[2 * H][2 * H], b[2 * H][2 * H], c[2 * H][2 * H];
int main(void)
{
    fill_doubles(&a[0][0], 64); fill_doubles(&b[0][0], 64);
    strassen(a, b, c);
    show("c", c, sizeof c);
}
