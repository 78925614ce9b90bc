/* Natural numbers of many digits, the lowest first. */
#include "data.h"

uint32_t big_add(uint32_t *sum, const uint32_t *a, const uint32_t *b, int n)
{
    uint64_t carry = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        uint64_t t = (uint64_t)a[i] + b[i] + carry;
        sum[i] = (uint32_t)t;
        carry = t >> 32;
    }
#pragma endscop
    return (uint32_t)carry;
}

void big_multiply(const uint32_t *a, int n, const uint32_t *b, int m, uint32_t *product)
{
    memset(product, 0, (n + m) * sizeof *product);
#pragma scop
    for (int i = 0; i < n; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < m; j++) {
            uint64_t t = (uint64_t)a[i] * b[j] + product[i + j] + carry;
            product[i + j] = (uint32_t)t;
            carry = t >> 32;
        }
        product[i + m] = (uint32_t)carry;
    }
#pragma endscop
}

/* Writes the decimal digits backwards; the number is used up. Returns how many. */
int big_to_decimal(uint32_t *a, int n, char *digits)
{
    int count = 0;
    while (n > 0 && a[n - 1] == 0)
        n--;
#pragma scop
    while (n > 0) {
        uint64_t rem = 0;
        for (int i = n - 1; i >= 0; i--) {
            uint64_t cur = rem << 32 | a[i];
            a[i] = (uint32_t)(cur / 10);
            rem = cur % 10;
        }
        digits[count++] = (char)('0' + rem);
        while (n > 0 && a[n - 1] == 0)
            n--;
    }
#pragma endscop
    return count;
}

void big_shift_left(uint32_t *a, int n, unsigned bits)
{
    int words = (int)(bits / 32);
    unsigned part = bits % 32;
#pragma scop
    for (int i = n - 1; i >= 0; i--) {
        uint32_t v = 0;
        if (i - words >= 0)
            v = a[i - words] << part;
        if (part && i - words - 1 >= 0)
            v |= a[i - words - 1] >> (32 - part);
        a[i] = v;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(m) {
        int n = m > 33 ? 33 : m;
        uint32_t *a = data_bytes(4 * n), *b = data_bytes(4 * n), *p = data_bytes(8 * n);
        uint32_t carry = big_add(a, a, b, n);
        data_show("add", (int)carry, a, 4 * n);
        big_multiply(a, n, b, n, p);
        data_show("multiply", n, p, 8 * n);
        big_shift_left(p, 2 * n, (unsigned)(n * 7 % 100));
        data_show("shift", n, p, 8 * n);
        char *digits = data_bytes(20 * n + 2);
        int count = big_to_decimal(a, n, digits);
        data_show("decimal", count, digits, count);
    }
}
