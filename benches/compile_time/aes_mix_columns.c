#include "numbers.h"
static uint8_t xtime(uint8_t v) { return (uint8_t)(v << 1 ^ ((v >> 7) * 0x1b)); }
void sub_shift_mix(uint8_t s[16], const uint8_t box[256], const uint8_t key[176])
{
    uint8_t t[16];
#pragma scop
    for (int r = 1; r < 10; r++) {
        for (int i = 0; i < 16; i++)
            t[i] = box[s[i]];
        for (int c = 0; c < 4; c++)
            for (int row = 0; row < 4; row++)
                s[4 * c + row] = t[(4 * (c + row) + row) % 16];
        for (int c = 0; c < 4; c++) {
            uint8_t a0 = s[4 * c], a1 = s[4 * c + 1], a2 = s[4 * c + 2], a3 = s[4 * c + 3];
            uint8_t all = a0 ^ a1 ^ a2 ^ a3;
            s[4 * c] ^= all ^ xtime(a0 ^ a1);
            s[4 * c + 1] ^= all ^ xtime(a1 ^ a2);
            s[4 * c + 2] ^= all ^ xtime(a2 ^ a3);
            s[4 * c + 3] ^= all ^ xtime(a3 ^ a0);
        }
        for (int i = 0; i < 16; i++)
            s[i] ^= key[16 * r + i];
    }
#pragma endscop
}
int main(void)
{
    uint8_t s[16], box[256], key[176];
    fill(s, sizeof s); fill(box, sizeof box); fill(key, sizeof key);
    sub_shift_mix(s, box, key);
    show("aes", s, sizeof s);
}
