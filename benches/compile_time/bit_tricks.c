#include "numbers.h"
void tricks(uint32_t *restrict out, const uint32_t *restrict in, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        uint32_t v = in[i];
        uint32_t c = v - (v >> 1 & 0x55555555u);
        c = (c & 0x33333333u) + (c >> 2 & 0x33333333u);
        c = (c + (c >> 4) & 0x0f0f0f0fu) * 0x01010101u >> 24;
        uint32_t r = v;
        r = (r >> 1 & 0x55555555u) | (r & 0x55555555u) << 1;
        r = (r >> 2 & 0x33333333u) | (r & 0x33333333u) << 2;
        r = (r >> 4 & 0x0f0f0f0fu) | (r & 0x0f0f0f0fu) << 4;
        r = (r >> 8 & 0x00ff00ffu) | (r & 0x00ff00ffu) << 8;
        r = r >> 16 | r << 16;
        uint32_t p = v;
        p |= p >> 1; p |= p >> 2; p |= p >> 4; p |= p >> 8; p |= p >> 16;
        p++;
        uint32_t m = 0;
        for (int b = 0; b < 16; b++)
            m |= (v & 1u << b) << b | (v >> 16 & 1u << b) << (b + 1);
        out[4 * i] = c;
        out[4 * i + 1] = r;
        out[4 * i + 2] = p;
        out[4 * i + 3] = m;
    }
#pragma endscop
}
int main(void)
{
    uint32_t o[80], in[20];
    fill(in, sizeof in);
    tricks(o, in, 20);
    show("o", o, sizeof o);
}
