#include "numbers.h"
void fft16(double re[16], double im[16], const double wr[8], const double wi[8])
{
#pragma scop
    for (int b = 0; b < 16; b += 16)
        for (int j = 0; j < 8; j++) {
            double ur = re[b + j], ui = im[b + j], vr = re[b + j + 8], vi = im[b + j + 8];
            double dr = ur - vr, di = ui - vi;
            re[b + j] = ur + vr;
            im[b + j] = ui + vi;
            re[b + j + 8] = dr * wr[1 * j] - di * wi[1 * j];
            im[b + j + 8] = dr * wi[1 * j] + di * wr[1 * j];
        }
    for (int b = 0; b < 16; b += 8)
        for (int j = 0; j < 4; j++) {
            double ur = re[b + j], ui = im[b + j], vr = re[b + j + 4], vi = im[b + j + 4];
            double dr = ur - vr, di = ui - vi;
            re[b + j] = ur + vr;
            im[b + j] = ui + vi;
            re[b + j + 4] = dr * wr[2 * j] - di * wi[2 * j];
            im[b + j + 4] = dr * wi[2 * j] + di * wr[2 * j];
        }
    for (int b = 0; b < 16; b += 4)
        for (int j = 0; j < 2; j++) {
            double ur = re[b + j], ui = im[b + j], vr = re[b + j + 2], vi = im[b + j + 2];
            double dr = ur - vr, di = ui - vi;
            re[b + j] = ur + vr;
            im[b + j] = ui + vi;
            re[b + j + 2] = dr * wr[4 * j] - di * wi[4 * j];
            im[b + j + 2] = dr * wi[4 * j] + di * wr[4 * j];
        }
    for (int b = 0; b < 16; b += 2)
        for (int j = 0; j < 1; j++) {
            double ur = re[b + j], ui = im[b + j], vr = re[b + j + 1], vi = im[b + j + 1];
            double dr = ur - vr, di = ui - vi;
            re[b + j] = ur + vr;
            im[b + j] = ui + vi;
            re[b + j + 1] = dr * wr[8 * j] - di * wi[8 * j];
            im[b + j + 1] = dr * wi[8 * j] + di * wr[8 * j];
        }
#pragma endscop
}
int main(void)
{
    double r[16], i[16], wr[8], wi[8];
    fill_doubles(r, 16); fill_doubles(i, 16); fill_doubles(wr, 8); fill_doubles(wi, 8);
    fft16(r, i, wr, wi);
    show("re", r, sizeof r);
    show("im", i, sizeof i);
}
