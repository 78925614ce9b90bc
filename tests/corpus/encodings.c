/* Runs, differences, packed bits and printable bytes. */
#include "data.h"

/* Returns the number of bytes written: pairs of a count and a byte. */
size_t run_length(const uint8_t *in, size_t n, uint8_t *out)
{
    size_t o = 0;
    size_t i = 0;
#pragma scop
    while (i < n) {
        uint8_t v = in[i];
        size_t run = 1;
        while (i + run < n && in[i + run] == v && run < 255)
            run++;
        out[o++] = (uint8_t)run;
        out[o++] = v;
        i += run;
    }
#pragma endscop
    return o;
}

void delta_zigzag(const int32_t *in, uint32_t *out, int n)
{
    int32_t prev = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        int32_t d = in[i] - prev;
        prev = in[i];
        out[i] = ((uint32_t)d << 1) ^ (d < 0 ? 0xffffffffu : 0u);
    }
#pragma endscop
}

size_t put_varints(const uint32_t *v, int n, uint8_t *out)
{
    uint8_t *p = out;
#pragma scop
    for (int i = 0; i < n; i++) {
        uint32_t x = v[i];
        while (x >= 0x80) {
            *p++ = (uint8_t)(x | 0x80);
            x >>= 7;
        }
        *p++ = (uint8_t)x;
    }
#pragma endscop
    return (size_t)(p - out);
}

void pack_bits(const uint16_t *v, int n, int width, uint8_t *out)
{
    uint32_t acc = 0;
    int filled = 0, o = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        acc |= (uint32_t)(v[i] & ((1u << width) - 1)) << filled;
        filled += width;
        while (filled >= 8) {
            out[o++] = acc & 0xff;
            acc >>= 8;
            filled -= 8;
        }
    }
    if (filled > 0)
        out[o] = (uint8_t)acc;
#pragma endscop
}

void base64_encode(const uint8_t *in, int n, char *out)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
#pragma scop
    for (int i = 0; i < n; i += 3) {
        uint32_t w = (uint32_t)in[i] << 16;
        if (i + 1 < n)
            w |= (uint32_t)in[i + 1] << 8;
        if (i + 2 < n)
            w |= in[i + 2];
        *out++ = letters[w >> 18];
        *out++ = letters[(w >> 12) & 63];
        *out++ = i + 1 < n ? letters[(w >> 6) & 63] : '=';
        *out++ = i + 2 < n ? letters[w & 63] : '=';
    }
#pragma endscop
    *out = '\0';
}

int main(void)
{
    DATA_EACH(n) {
        uint8_t *in = data_bytes(n), *out = data_bytes(8 * n + 8);
        char text[256] = "";
        base64_encode(in, n, text);
        data_show("base64", n, text, strlen(text));
        for (int i = 0; i < n; i++)
            in[i] = in[i] < 180;
        size_t bytes = run_length(in, n, out);
        data_show("runs", (int)bytes, out, bytes);
        int *v = data_ints(n, 100000);
        uint32_t *z = data_bytes(4 * n);
        delta_zigzag(v, z, n);
        data_show("delta", n, z, 4 * n);
        bytes = put_varints(z, n, out);
        data_show("varint", (int)bytes, out, bytes);
        memset(out, 0, 8 * n + 8);
        pack_bits(data_bytes(2 * n), n, n % 12 + 1, out);
        data_show("pack", n, out, 8 * n + 8);
    }
}
