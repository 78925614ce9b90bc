/* Mixing blocks in the manner of ciphers. Not for secrets. */
#include "data.h"

void tea_encrypt(uint32_t *blocks, size_t block_count, const uint32_t key[4])
{
#pragma scop
    for (size_t i = 0; i < block_count; i++) {
        uint32_t a = blocks[2 * i], b = blocks[2 * i + 1];
        uint32_t sum = 0;
        for (int round = 0; round < 32; round++) {
            a += (((b << 4) ^ (b >> 5)) + b) ^ (sum + key[sum & 3]);
            sum += 0x9e3779b9u;
            b += (((a << 4) ^ (a >> 5)) + a) ^ (sum + key[(sum >> 11) & 3]);
        }
        blocks[2 * i] = a;
        blocks[2 * i + 1] = b;
    }
#pragma endscop
}

struct stream {
    uint8_t s[256];
    uint8_t i, j;
};

void stream_key(struct stream *st, const uint8_t *key, int key_len)
{
    uint8_t j = 0;
#pragma scop
    for (int i = 0; i < 256; i++)
        st->s[i] = (uint8_t)i;
    for (int i = 0; i < 256; i++) {
        j = (uint8_t)(j + st->s[i] + key[i % key_len]);
        uint8_t t = st->s[i];
        st->s[i] = st->s[j];
        st->s[j] = t;
    }
#pragma endscop
    st->i = st->j = 0;
}

void stream_crypt(struct stream *st, uint8_t *buf, size_t len)
{
#pragma scop
    while (len-- > 0) {
        st->i++;
        st->j += st->s[st->i];
        uint8_t a = st->s[st->i], b = st->s[st->j];
        st->s[st->i] = b;
        st->s[st->j] = a;
        *buf++ ^= st->s[(uint8_t)(a + b)];
    }
#pragma endscop
}

#define ROT(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define QUARTER(a, b, c, d)                                                                       \
    do {                                                                                          \
        a += b; d ^= a; d = ROT(d, 16);                                                           \
        c += d; b ^= c; b = ROT(b, 12);                                                           \
        a += b; d ^= a; d = ROT(d, 8);                                                            \
        c += d; b ^= c; b = ROT(b, 7);                                                            \
    } while (0)

void mix_state(uint32_t out[16], const uint32_t in[16], int rounds)
{
    uint32_t x[16];
#pragma scop
    for (int i = 0; i < 16; i++)
        x[i] = in[i];
    for (int r = 0; r < rounds; r += 2) {
        QUARTER(x[0], x[4], x[8], x[12]);
        QUARTER(x[1], x[5], x[9], x[13]);
        QUARTER(x[2], x[6], x[10], x[14]);
        QUARTER(x[3], x[7], x[11], x[15]);
        QUARTER(x[0], x[5], x[10], x[15]);
        QUARTER(x[1], x[6], x[11], x[12]);
        QUARTER(x[2], x[7], x[8], x[13]);
        QUARTER(x[3], x[4], x[9], x[14]);
    }
    for (int i = 0; i < 16; i++)
        out[i] = x[i] + in[i];
#pragma endscop
}

int main(void)
{
    static const uint32_t key[4] = {1, 22, 333, 4444};
    DATA_EACH(n) {
        uint32_t *blocks = data_bytes(8 * n);
        tea_encrypt(blocks, n, key);
        data_show("tea", n, blocks, 8 * n);
        struct stream st;
        uint8_t *buf = data_bytes(n);
        stream_key(&st, (const uint8_t *)"everyday", 8);
        stream_crypt(&st, buf, n);
        data_show("stream", n, buf, n);
        uint32_t state[16];
        for (int i = 0; i < 16; i++)
            state[i] = (uint32_t)data_next();
        mix_state(state, state, n);
        data_show("mix", n, state, sizeof state);
    }
}
