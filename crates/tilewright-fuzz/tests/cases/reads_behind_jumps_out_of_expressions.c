// found: jumps and conditions in statement expressions, and what asm writes, were not seen behind regions and around parts
// seed: 0:0
// options: --fuse max --fork-operations 0
// memory: i32:-9..9 i32:0..0
// run: 12 3 | 12 9 | 9 0
// run: 3 2 | 12 9 | 9 0
// run: 20 6 | 21 9 | 9 0
static int calls;
static int answer(int t) { calls += t + 1; if (calls > 9999) answer(t - 1); return t == 2 ? -1 : t; }
#define TRY(e) ({ int r_ = (e); if (r_ < 0) goto fail; r_; })
static void kernel(int n, int steps, int *restrict a, int *restrict out)
{
    int last = 1, seen = 2, got = 0, off = 0;
    __asm__ volatile("addl $1, %0" : "+r"(off));
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            last = i * 2 + t;
            a[i] += last;
        }
        for (int i = 0; i + off < n; i++)
            a[i + off] = a[i] ^ t;
        got += TRY(answer(t));
        last = 0;
    }
    for (int i = 0; i < n; i++)
        seen = a[i] & 7;
#pragma endscop
    got += ({ if (a[0] > 1000) seen = 0; 1; });
    out[0] = got;
    out[1] = seen;
    return;
fail:
    out[2] = last;
    out[3] = got;
}
void entry(const long *s, void **p)
{
    calls = 0;
    kernel(s[0], s[1], p[0], p[1]);
}
