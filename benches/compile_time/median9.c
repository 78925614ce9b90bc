#include "numbers.h"
void median(uint8_t *restrict out, const uint8_t *restrict in, int w, int h)
{
#pragma scop
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            uint8_t p0 = in[(y - 1) * w + x - 1];
            uint8_t p1 = in[(y - 1) * w + x];
            uint8_t p2 = in[(y - 1) * w + x + 1];
            uint8_t p3 = in[(y) * w + x - 1];
            uint8_t p4 = in[(y) * w + x];
            uint8_t p5 = in[(y) * w + x + 1];
            uint8_t p6 = in[(y + 1) * w + x - 1];
            uint8_t p7 = in[(y + 1) * w + x];
            uint8_t p8 = in[(y + 1) * w + x + 1];
            if (p1 > p2) { uint8_t t = p1; p1 = p2; p2 = t; }
            if (p4 > p5) { uint8_t t = p4; p4 = p5; p5 = t; }
            if (p7 > p8) { uint8_t t = p7; p7 = p8; p8 = t; }
            if (p0 > p1) { uint8_t t = p0; p0 = p1; p1 = t; }
            if (p3 > p4) { uint8_t t = p3; p3 = p4; p4 = t; }
            if (p6 > p7) { uint8_t t = p6; p6 = p7; p7 = t; }
            if (p1 > p2) { uint8_t t = p1; p1 = p2; p2 = t; }
            if (p4 > p5) { uint8_t t = p4; p4 = p5; p5 = t; }
            if (p7 > p8) { uint8_t t = p7; p7 = p8; p8 = t; }
            if (p0 > p3) { uint8_t t = p0; p0 = p3; p3 = t; }
            if (p5 > p8) { uint8_t t = p5; p5 = p8; p8 = t; }
            if (p4 > p7) { uint8_t t = p4; p4 = p7; p7 = t; }
            if (p3 > p6) { uint8_t t = p3; p3 = p6; p6 = t; }
            if (p1 > p4) { uint8_t t = p1; p1 = p4; p4 = t; }
            if (p2 > p5) { uint8_t t = p2; p2 = p5; p5 = t; }
            if (p4 > p7) { uint8_t t = p4; p4 = p7; p7 = t; }
            if (p4 > p2) { uint8_t t = p4; p4 = p2; p2 = t; }
            if (p6 > p4) { uint8_t t = p6; p6 = p4; p4 = t; }
            if (p4 > p2) { uint8_t t = p4; p4 = p2; p2 = t; }
            out[y * w + x] = p4;
        }
#pragma endscop
}
int main(void)
{
    static uint8_t o[130], i[130];
    fill(i, sizeof i);
    median(o, i, 13, 10);
    show("o", o, sizeof o);
}
