/* Pointers to structures of bytes that are ordered, and lie no whole number of them apart; and walks to
   another pointer that are left or go on before their end. */
#include <stdio.h>
#include <string.h>
struct px { unsigned char r, g, b; };
struct q4 { unsigned char a[4]; };
__attribute__((noinline)) static void to_end(struct px *p, const struct px *end, int v)
{
#pragma scop
    while (p < end) { p->r = v; p->b += v; p++; }
#pragma endscop
}
__attribute__((noinline)) static void with_end(struct px *p, const struct px *end, int v)
{
#pragma scop
    while (p <= end) { p->r = v; p->b += v; p++; }
#pragma endscop
}
__attribute__((noinline)) static void back(struct px *p, const struct px *beg, int v)
{
#pragma scop
    while (p > beg) { p--; p->r = v; p->b += v; }
#pragma endscop
}
__attribute__((noinline)) static void back_with_begin(struct q4 *p, const struct q4 *beg, int v)
{
#pragma scop
    for (; p >= beg; p--) { p->a[1] = v; p->a[2] += v; }
#pragma endscop
}
__attribute__((noinline)) static void by_two(struct q4 *p, const struct q4 *end, int v)
{
#pragma scop
    for (; p < end; p += 2) { p->a[1] = v; p->a[2] += v; }
#pragma endscop
}
__attribute__((noinline)) static int left(const unsigned char *p, const unsigned char *end, int *h, int lim)
{
    int q = 0; const unsigned char *s = p;
#pragma scop
    while (p < end) { p++; if (q == lim) break; h[q] += 3; q++; }
#pragma endscop
    return (int)(p - s) * 100 + q;
}
__attribute__((noinline)) static int goes_on(const unsigned char *p, const unsigned char *end, int *h, int lim)
{
    int q = 0; const unsigned char *s = p;
#pragma scop
    while (p < end) { p++; if (h[q] > lim) continue; h[q] += 3; q++; }
#pragma endscop
    return (int)(p - s) * 100 + q;
}
__attribute__((noinline)) static int numbers(int p, int end, int *h, int lim)
{
    int q = 0; int s = p;
#pragma scop
    while (p < end) { p++; if (q == lim) break; h[q] += 3; q++; }
#pragma endscop
    return (int)(p - s) * 100 + q;
}
int main(void)
{
    unsigned char b[200];
    for (int len = -5; len < 30; len++) {
        memset(b, 1, sizeof b);
        unsigned char *m = b + 90;
        to_end((struct px *)m, (struct px *)(m + len), 3);
        with_end((struct px *)(m + 1), (struct px *)(m + len), 5);
        back((struct px *)(m + len), (struct px *)m, 6);
        back_with_begin((struct q4 *)(m + len), (struct q4 *)m, 7);
        by_two((struct q4 *)m, (struct q4 *)(m + len), 9);
        unsigned s = 0;
        for (int i = 0; i < 200; i++)
            s = s * 31 + b[i];
        printf("%d %u\n", len, s);
    }
    int h[50];
    for (int lim = -1; lim < 12; lim++) {
        for (int i = 0; i < 50; i++)
            h[i] = i % 7;
        printf("%d ", left(b, b + 9, h, lim));
        printf("%d ", goes_on(b, b + 30, h, lim));
        printf("%d ", numbers(3, 12, h, lim));
        unsigned s = 0;
        for (int i = 0; i < 50; i++)
            s = s * 3 + h[i];
        printf("%u\n", s);
    }
    return 0;
}
