/* Integers of every kind: conversions, and unsigned values that wrap around, as bounds, conditions,
 * subscripts and values; arguments for which both sides of what the compiler may assume are met.
 */
#include "data.h"

static void addmod(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                   unsigned *restrict h)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        b[i] = a[(i + 4294967290u) % 3];
#pragma endscop
}

static void call_addmod(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    addmod(n, n, n, n, 1, a, b, h);
    data_show("addmod.a", n, a, 4 * (2 * n + 4));
    data_show("addmod.b", n, b, 4 * (2 * n + 4));
    data_show("addmod.h", n, h, 512);
}

static void bigpar(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                   unsigned *restrict h)
{
#pragma scop
    for (unsigned i = 0; i < u * 2; i++)
        b[i] = 7;
#pragma endscop
}

static void call_bigpar(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    bigpar(n, n, n, 2147483648u + n / 2, 1, a, b, h);
    data_show("bigpar.a", n, a, 4 * (2 * n + 4));
    data_show("bigpar.b", n, b, 4 * (2 * n + 4));
    data_show("bigpar.h", n, h, 512);
}

static void boundscheck(unsigned n, int m, long lg, unsigned u, int q, int *restrict a,
                        int *restrict b, unsigned *restrict h)
{
#pragma scop
    for (int i = 0; i < m; i++)
        if ((unsigned)(i + q) < (unsigned)m)
            b[i] = a[i + q];
#pragma endscop
}

static void call_boundscheck(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    boundscheck(n, n, n, n, -2, a, b, h);
    boundscheck(n, n, n, n, 2, a, b, h);
    boundscheck(n, n, n, n, 0, a, b, h);
    data_show("boundscheck.a", n, a, 4 * (2 * n + 4));
    data_show("boundscheck.b", n, b, 4 * (2 * n + 4));
    data_show("boundscheck.h", n, h, 512);
}

static void castu(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                  unsigned *restrict h)
{
#pragma scop
    for (int i = 0; i < m; i++)
        if (i > (int)u)
            b[i] = 1;
#pragma endscop
}

static void call_castu(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    castu(n, n, n, 4294967290u, 1, a, b, h);
    castu(n, n, n, 3, 1, a, b, h);
    data_show("castu.a", n, a, 4 * (2 * n + 4));
    data_show("castu.b", n, b, 4 * (2 * n + 4));
    data_show("castu.h", n, h, 512);
}

static void cmpmix(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                   unsigned *restrict h)
{
#pragma scop
    for (int i = -3; i < m; i++)
        if (i < u)
            b[i + 3] = 1;
#pragma endscop
}

static void call_cmpmix(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    cmpmix(n, n, n, 2, 1, a, b, h);
    data_show("cmpmix.a", n, a, 4 * (2 * n + 4));
    data_show("cmpmix.b", n, b, 4 * (2 * n + 4));
    data_show("cmpmix.h", n, h, 512);
}

static void diff(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                 unsigned *restrict h)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++)
            if (i - j < 3u)
                b[i] += a[j];
#pragma endscop
}

static void call_diff(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    diff(n, n, n, n, 1, a, b, h);
    data_show("diff.a", n, a, 4 * (2 * n + 4));
    data_show("diff.b", n, b, 4 * (2 * n + 4));
    data_show("diff.h", n, h, 512);
}

static void eqlong(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                   unsigned *restrict h)
{
#pragma scop
    for (int i = 0; i < m; i++)
        if (i == (int)lg)
            b[i] = 1;
#pragma endscop
}

static void call_eqlong(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    eqlong(n, n, 4294967298L, 1, 1, a, b, h);
    data_show("eqlong.a", n, a, 4 * (2 * n + 4));
    data_show("eqlong.b", n, b, 4 * (2 * n + 4));
    data_show("eqlong.h", n, h, 512);
}

static void forlong(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                    unsigned *restrict h)
{
#pragma scop
    for (int i = lg; i < m; i++)
        b[i] += 1;
#pragma endscop
}

static void call_forlong(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    forlong(n, n, 4294967296L + 1, 1, 1, a, b, h);
    forlong(n, n, 2, 1, 1, a, b, h);
    data_show("forlong.a", n, a, 4 * (2 * n + 4));
    data_show("forlong.b", n, b, 4 * (2 * n + 4));
    data_show("forlong.h", n, h, 512);
}

static void hangs(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                  unsigned *restrict h)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        if (((i * 40503u) & 65535) >> 10 == 3)
            b[i] = 1;
#pragma endscop
}

static void call_hangs(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    hangs(n, n, n, n, 1, a, b, h);
    data_show("hangs.a", n, a, 4 * (2 * n + 4));
    data_show("hangs.b", n, b, 4 * (2 * n + 4));
    data_show("hangs.h", n, h, 512);
}

static void hash(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                 unsigned *restrict h)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        h[(i * 2654435761u) >> 26] += b[i];
#pragma endscop
}

static void call_hash(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    hash(n, n, n, n, 1, a, b, h);
    data_show("hash.a", n, a, 4 * (2 * n + 4));
    data_show("hash.b", n, b, 4 * (2 * n + 4));
    data_show("hash.h", n, h, 512);
}

static void hash2(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                  unsigned *restrict h)
{
#pragma scop
    for (unsigned i = 0; i < n; i++) {
        unsigned x = i * 2654435761u;
        if (x % 5 == 2)
            b[i] = 1;
    }
#pragma endscop
}

static void call_hash2(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    hash2(n, n, n, n, 1, a, b, h);
    data_show("hash2.a", n, a, 4 * (2 * n + 4));
    data_show("hash2.b", n, b, 4 * (2 * n + 4));
    data_show("hash2.h", n, h, 512);
}

static void intfromlong(unsigned n, int m, long lg, unsigned u, int q, int *restrict a,
                        int *restrict b, unsigned *restrict h)
{
    int kk = lg;
#pragma scop
    for (int i = 0; i < m; i++)
        if (i > kk)
            b[i] = 1;
#pragma endscop
}

static void call_intfromlong(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    intfromlong(n, n, 4294967297L, 1, 1, a, b, h);
    intfromlong(n, n, -4294967293L, 1, 1, a, b, h);
    data_show("intfromlong.a", n, a, 4 * (2 * n + 4));
    data_show("intfromlong.b", n, b, 4 * (2 * n + 4));
    data_show("intfromlong.h", n, h, 512);
}

static void leq(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                unsigned *restrict h)
{
#pragma scop
    for (unsigned i = 0; i <= n; i++)
        b[i] = i;
#pragma endscop
}

static void call_leq(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    leq(n, n, n, n, 1, a, b, h);
    data_show("leq.a", n, a, 4 * (2 * n + 4));
    data_show("leq.b", n, b, 4 * (2 * n + 4));
    data_show("leq.h", n, h, 512);
}

static void mask(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                 unsigned *restrict h)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        b[i] = a[(i - 1) & 3];
#pragma endscop
}

static void call_mask(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    mask(n, n, n, n, 1, a, b, h);
    data_show("mask.a", n, a, 4 * (2 * n + 4));
    data_show("mask.b", n, b, 4 * (2 * n + 4));
    data_show("mask.h", n, h, 512);
}

static void mulcond(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                    unsigned *restrict h)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        if (i * 0x10000000u > 5u)
            b[i] = 1;
#pragma endscop
}

static void call_mulcond(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    mulcond(n, n, n, n, 1, a, b, h);
    data_show("mulcond.a", n, a, 4 * (2 * n + 4));
    data_show("mulcond.b", n, b, 4 * (2 * n + 4));
    data_show("mulcond.h", n, h, 512);
}

static void narrowidx(unsigned n, int m, long lg, unsigned u, int q, int *restrict a,
                      int *restrict b, unsigned *restrict h)
{
#pragma scop
    for (int i = 0; i < m; i++) {
        b[i] = a[(unsigned char)(i * 3)];
        h[(signed char)i & 63] += 1;
    }
#pragma endscop
}

static void call_narrowidx(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    if (n < 60)
        narrowidx(n, n, n, n, 1, data_ints(300, 9), b, h);
    data_show("narrowidx.a", n, a, 4 * (2 * n + 4));
    data_show("narrowidx.b", n, b, 4 * (2 * n + 4));
    data_show("narrowidx.h", n, h, 512);
}

static void neg5(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                 unsigned *restrict h)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        if (5u > -7)
            b[i] = 1;
        else
            b[i] = 2;
#pragma endscop
}

static void call_neg5(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    neg5(n, n, n, n, 1, a, b, h);
    data_show("neg5.a", n, a, 4 * (2 * n + 4));
    data_show("neg5.b", n, b, 4 * (2 * n + 4));
    data_show("neg5.h", n, h, 512);
}

static void negbound(unsigned n, int m, long lg, unsigned u, int q, int *restrict a,
                     int *restrict b, unsigned *restrict h)
{
#pragma scop
    for (int k = 0; k < m; k++)
        for (unsigned j = 0; j < a[k] % 3; j++)
            b[k] += j;
#pragma endscop
}

static void call_negbound(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    negbound(n, n, n, n, 1, a, b, h);
    data_show("negbound.a", n, a, 4 * (2 * n + 4));
    data_show("negbound.b", n, b, 4 * (2 * n + 4));
    data_show("negbound.h", n, h, 512);
}

static void nm1(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                unsigned *restrict h)
{
#pragma scop
    for (unsigned i = 0; i < n - 1; i++)
        b[i] = a[i + 1];
#pragma endscop
}

static void call_nm1(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    if (n)
        nm1(n, n, n, n, 1, a, b, h);
    data_show("nm1.a", n, a, 4 * (2 * n + 4));
    data_show("nm1.b", n, b, 4 * (2 * n + 4));
    data_show("nm1.h", n, h, 512);
}

static int paramconv_g(unsigned char x) { return x > 100; }
static void paramconv(unsigned n, int m, long lg, unsigned u, int q, int *restrict a,
                      int *restrict b, unsigned *restrict h)
{
#pragma scop
    for (int i = 0; i < m; i++)
        if (paramconv_g(i * 100))
            b[i] = 1;
#pragma endscop
}

static void call_paramconv(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    paramconv(n, n, n, n, 1, a, b, h);
    data_show("paramconv.a", n, a, 4 * (2 * n + 4));
    data_show("paramconv.b", n, b, 4 * (2 * n + 4));
    data_show("paramconv.h", n, h, 512);
}

static unsigned char retconv_g(int x) { return x * 7; }
static void retconv(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                    unsigned *restrict h)
{
#pragma scop
    for (int i = 0; i < m; i++)
        b[i] = a[retconv_g(i)];
#pragma endscop
}

static void call_retconv(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    retconv(n, n, n, n, 1, data_ints(300, 9), b, h);
    data_show("retconv.a", n, a, 4 * (2 * n + 4));
    data_show("retconv.b", n, b, 4 * (2 * n + 4));
    data_show("retconv.h", n, h, 512);
}

static void revu(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                 unsigned *restrict h)
{
#pragma scop
    for (unsigned i = n; i > 0; i -= 2)
        b[i - 1] = a[i];
#pragma endscop
}

static void call_revu(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    if (n % 2 == 0)
        revu(n, n, n, n, 1, a, b, h);
    data_show("revu.a", n, a, 4 * (2 * n + 4));
    data_show("revu.b", n, b, 4 * (2 * n + 4));
    data_show("revu.h", n, h, 512);
}

static void shlshr(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                   unsigned *restrict h)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        b[i] = a[(i << 28) >> 28];
#pragma endscop
}

static void call_shlshr(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    shlshr(n, n, n, n, 1, a, b, h);
    data_show("shlshr.a", n, a, 4 * (2 * n + 4));
    data_show("shlshr.b", n, b, 4 * (2 * n + 4));
    data_show("shlshr.h", n, h, 512);
}

static void shortconv(unsigned n, int m, long lg, unsigned u, int q, int *restrict a,
                      int *restrict b, unsigned *restrict h)
{
#pragma scop
    for (int i = 0; i < m; i++)
        if ((short)(i * 3000) > 0)
            b[i] = 1;
#pragma endscop
}

static void call_shortconv(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    shortconv(n, n, n, n, 1, a, b, h);
    data_show("shortconv.a", n, a, 4 * (2 * n + 4));
    data_show("shortconv.b", n, b, 4 * (2 * n + 4));
    data_show("shortconv.h", n, h, 512);
}

static void size_gap(unsigned n, int m, long lg, unsigned u, int q, int *restrict a,
                     int *restrict b, unsigned *restrict h)
{
#pragma scop
    for (size_t i = 0; i + 1 < (size_t)m; i++)
        b[i] = a[i + 1];
#pragma endscop
}

static void call_size_gap(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    size_gap(n, n, n, n, 1, a, b, h);
    data_show("size_gap.a", n, a, 4 * (2 * n + 4));
    data_show("size_gap.b", n, b, 4 * (2 * n + 4));
    data_show("size_gap.h", n, h, 512);
}

static void sizem1(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                   unsigned *restrict h)
{
#pragma scop
    for (size_t i = 0; i < n; i++)
        if (i > -1)
            b[i] = 1;
        else
            a[i] = 2;
#pragma endscop
}

static void call_sizem1(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    sizem1(n, n, n, n, 1, a, b, h);
    data_show("sizem1.a", n, a, 4 * (2 * n + 4));
    data_show("sizem1.b", n, b, 4 * (2 * n + 4));
    data_show("sizem1.h", n, h, 512);
}

static void tern(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                 unsigned *restrict h)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        b[i] = a[i > 0 ? i - 1 : 0];
#pragma endscop
}

static void call_tern(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    tern(n, n, n, n, 1, a, b, h);
    data_show("tern.a", n, a, 4 * (2 * n + 4));
    data_show("tern.b", n, b, 4 * (2 * n + 4));
    data_show("tern.h", n, h, 512);
}

static void u8temp(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                   unsigned *restrict h)
{
#pragma scop
    for (int i = 0; i < m; i++) {
        unsigned char t = i * 50;
        b[i] = t;
        if (t > 100)
            b[i] += 1;
    }
#pragma endscop
}

static void call_u8temp(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    u8temp(n, n, n, n, 1, a, b, h);
    data_show("u8temp.a", n, a, 4 * (2 * n + 4));
    data_show("u8temp.b", n, b, 4 * (2 * n + 4));
    data_show("u8temp.h", n, h, 512);
}

static void uchar(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                  unsigned *restrict h)
{
#pragma scop
    for (unsigned char i = 0; i < m; i++)
        b[i] = a[i] + i;
#pragma endscop
}

static void call_uchar(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    uchar(n, n, n, n, 1, a, b, h);
    data_show("uchar.a", n, a, 4 * (2 * n + 4));
    data_show("uchar.b", n, b, 4 * (2 * n + 4));
    data_show("uchar.h", n, h, 512);
}

static void udiv(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                 unsigned *restrict h)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        b[i] = a[(i - 2) / 2147483648u];
#pragma endscop
}

static void call_udiv(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    udiv(n, n, n, n, 1, a, b, h);
    data_show("udiv.a", n, a, 4 * (2 * n + 4));
    data_show("udiv.b", n, b, 4 * (2 * n + 4));
    data_show("udiv.h", n, h, 512);
}

static void ull216(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                   unsigned *restrict h)
{
#pragma scop
    for (unsigned i = 0; i < n; i++) {
        b[i] = (int)((unsigned long long)-216 >> 3) + (int)i;
        if (u)
            a[i] = (unsigned char)(-216 + (int)i);
    }
#pragma endscop
}

static void call_ull216(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    ull216(n, n, n, n, 1, a, b, h);
    data_show("ull216.a", n, a, 4 * (2 * n + 4));
    data_show("ull216.b", n, b, 4 * (2 * n + 4));
    data_show("ull216.h", n, h, 512);
}

static void unsigned_of_long(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                  unsigned *restrict h)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        if (i == (unsigned)lg)
            b[i] = 1;
#pragma endscop
}

static void call_ulong(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    unsigned_of_long(n, n, 4294967298L, 1, 1, a, b, h);
    unsigned_of_long(n, n, -1L, 1, 1, a, b, h);
    data_show("unsigned_of_long.a", n, a, 4 * (2 * n + 4));
    data_show("unsigned_of_long.b", n, b, 4 * (2 * n + 4));
    data_show("unsigned_of_long.h", n, h, 512);
}

static void uneg(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                 unsigned *restrict h)
{
#pragma scop
    for (unsigned i = 0; i < n; i++) {
        if (-i > 5u)
            b[i] = 1;
        if (~i < 3u)
            a[i] = 2;
    }
#pragma endscop
}

static void call_uneg(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    uneg(n, n, n, n, 1, a, b, h);
    data_show("uneg.a", n, a, 4 * (2 * n + 4));
    data_show("uneg.b", n, b, 4 * (2 * n + 4));
    data_show("uneg.h", n, h, 512);
}

static void zun(unsigned n, int m, long lg, unsigned u, int q, int *restrict a, int *restrict b,
                unsigned *restrict h)
{
#pragma scop
    for (unsigned i = 0; i < n; i++) {
        unsigned z = i + q - 1;
        if (z < u)
            b[i] = 3;
    }
#pragma endscop
}

static void call_zun(int n)
{
    int *a = data_ints(2 * n + 4, 100), *b = data_ints(2 * n + 4, 100);
    unsigned *h = calloc(128, 4);
    zun(n, n, n, n, -2, a, b, h);
    zun(n, n, n, n, 0, a, b, h);
    zun(n, n, n, n, 2, a, b, h);
    data_show("zun.a", n, a, 4 * (2 * n + 4));
    data_show("zun.b", n, b, 4 * (2 * n + 4));
    data_show("zun.h", n, h, 512);
}

int main(void)
{
    DATA_EACH(n)
    {
        call_addmod(n);
        call_bigpar(n);
        call_boundscheck(n);
        call_castu(n);
        call_cmpmix(n);
        call_diff(n);
        call_eqlong(n);
        call_forlong(n);
        call_hangs(n);
        call_hash(n);
        call_hash2(n);
        call_intfromlong(n);
        call_leq(n);
        call_mask(n);
        call_mulcond(n);
        call_narrowidx(n);
        call_neg5(n);
        call_negbound(n);
        call_nm1(n);
        call_paramconv(n);
        call_retconv(n);
        call_revu(n);
        call_shlshr(n);
        call_shortconv(n);
        call_size_gap(n);
        call_sizem1(n);
        call_tern(n);
        call_u8temp(n);
        call_uchar(n);
        call_udiv(n);
        call_ull216(n);
        call_ulong(n);
        call_uneg(n);
        call_zun(n);
    }
}
