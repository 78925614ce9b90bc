/* Hashes and check sums of bytes. */
#include "data.h"

uint32_t hash_bytes(const void *data, size_t len)
{
    const unsigned char *p = data;
    uint32_t h = 2166136261u;
#pragma scop
    while (len--) {
        h ^= *p++;
        h *= 16777619u;
    }
#pragma endscop
    return h;
}

#define ROTL32(x, r) (((x) << (r)) | ((x) >> (32 - (r))))

uint32_t mix_hash(const uint8_t *key, int len, uint32_t seed)
{
    uint32_t h = seed;
    int blocks = len / 4;
#pragma scop
    for (int i = 0; i < blocks; i++) {
        uint32_t k = (uint32_t)key[4 * i] | (uint32_t)key[4 * i + 1] << 8
                   | (uint32_t)key[4 * i + 2] << 16 | (uint32_t)key[4 * i + 3] << 24;
        k *= 0xcc9e2d51u;
        k = ROTL32(k, 15);
        k *= 0x1b873593u;
        h ^= k;
        h = ROTL32(h, 13);
        h = h * 5 + 0xe6546b64u;
    }
    for (int i = blocks * 4; i < len; i++)
        h = (h ^ key[i]) * 0x85ebca6bu;
#pragma endscop
    h ^= h >> 16;
    return h;
}

uint32_t adler(const uint8_t *buf, size_t len)
{
    uint32_t a = 1, b = 0;
#pragma scop
    for (size_t i = 0; i < len; i++) {
        a += buf[i];
        if (a >= 65521)
            a -= 65521;
        b += a;
        if (b >= 65521)
            b -= 65521;
    }
#pragma endscop
    return b << 16 | a;
}

/* Open addressing with linear probing; empty slots hold 0. Returns the number of keys kept. */
int insert_keys(uint32_t *table, unsigned mask, const uint32_t *keys, int n)
{
    int kept = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        uint32_t k = keys[i];
        unsigned slot = (k * 2654435761u >> 7) & mask;
        while (table[slot] != 0 && table[slot] != k)
            slot = (slot + 1) & mask;
        if (table[slot] == 0) {
            table[slot] = k;
            kept++;
        }
    }
#pragma endscop
    return kept;
}

int main(void)
{
    DATA_EACH(n) {
        uint8_t *p = data_bytes(n);
        printf("%08x %08x %08x\n", (unsigned)hash_bytes(p, n), (unsigned)mix_hash(p, n, 7),
               (unsigned)adler(p, n));
        uint32_t table[256] = {0}, *keys = (uint32_t *)data_ints(n, 60);
        int kept = insert_keys(table, 255, keys, n);
        data_show("keys", kept, table, sizeof table);
    }
}
