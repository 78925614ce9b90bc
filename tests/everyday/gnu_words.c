/* Words that gcc and clang take beyond C11. */
#include "data.h"

#define MAX(a, b) ({ __auto_type a_ = (a); __auto_type b_ = (b); a_ > b_ ? a_ : b_; })
#define unlikely(x) __builtin_expect(!!(x), 0)

_Static_assert(sizeof(int) == 4);

[[noreturn]] static void fail(int code)
{
    exit(code);
}

[[gnu::const]] static int bounded(int x, [[maybe_unused]] int least)
{
    return x > 255 ? 255 : x;
}

static void blend(int n, uint8_t *restrict out, const uint8_t *__restrict__ in, int)
{
    _Static_assert(sizeof *out == 1);
    int weights[4] = {};
    weights[1] = 0b101;
#pragma scop
    for (register int i = 0; i < n; i++) {
        if (unlikely(n > 100000))
            fail(3);
        [[maybe_unused]] __auto_type p = &in[i];
        _Alignas(8) int sum = MAX(*p, out[i]) + weights[i & 3];
        out[i] = bounded(sum, 0) ?: 7;
        switch (i % 3) {
        case 0:
            int half = out[i] / 2;
            out[i] += half;
            break;
        default:
            out[i] ^= (uint8_t)(_Alignof(int) + __builtin_popcount(i));
            break;
        }
    }
#pragma endscop
    goto done;
done:
}

int main(void)
{
    DATA_EACH(n) {
        uint8_t *in = data_bytes(n), *out = data_bytes(n);
        blend(n, out, in, 3);
        data_show("blend", n, out, n);
    }
}
