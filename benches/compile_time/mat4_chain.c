#include "numbers.h"
void chain(float r[4][4], float a[4][4], float b[4][4], float c[4][4])
{
    float t[4][4];
#pragma scop
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            t[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j] + a[i][3] * b[3][j];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            r[i][j] = t[i][0] * c[0][j] + t[i][1] * c[1][j] + t[i][2] * c[2][j] + t[i][3] * c[3][j];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) {
            float s = r[i][j];
            r[i][j] = r[j][i];
            r[j][i] = s;
        }
#pragma endscop
}
int main(void)
{
    float r[4][4], a[4][4], b[4][4], c[4][4];
    fill_floats(&a[0][0], 16); fill_floats(&b[0][0], 16); fill_floats(&c[0][0], 16);
    chain(r, a, b, c);
    show("chain", r, sizeof r);
}
