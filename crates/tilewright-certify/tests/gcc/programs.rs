//! Programs that were first: a bit of everything.

use super::Program;

pub(crate) const PROGRAMS: &[Program] = &[
    (
        "promotion",
        "",
        "unsigned char a = 200, b = 100; o[0] = a + b; o[1] = (unsigned char)(a + b); o[2] = (signed char)a; short s = 40000; o[3] = s; o[4] = -a; o[5] = ~a;",
    ),
    (
        "unsigned wrap",
        "",
        "unsigned u = 4294967290u; o[0] = u + 10; o[1] = u * u; o[2] = 3u - 5u; o[3] = -u; o[4] = (u + 10) % 3; o[5] = (unsigned long)u + 10; o[6] = u >> 3; o[7] = u << 5;",
    ),
    (
        "mixed comparison",
        "",
        "int i = -1; unsigned u = 1; long l = -1; o[0] = i < u; o[1] = l < u; o[2] = i < 1ul; o[3] = (i - 5 < 3u); o[4] = 5u > -7; o[5] = sizeof(int) > -1; o[6] = (short)-1 == 65535; o[7] = (unsigned short)-1 == 65535;",
    ),
    (
        "division",
        "",
        "int a = -7, b = 2; o[0] = a / b; o[1] = a % b; o[2] = 7 / -2; o[3] = 7 % -2; o[4] = -7l / 2; o[5] = 4294967289u / 2; o[6] = -8 >> 1; o[7] = (a + 100) / 3;",
    ),
    (
        "narrow conversions",
        "",
        "long l = 0x123456789abcdef0; o[0] = (int)l; o[1] = (unsigned)l; o[2] = (short)l; o[3] = (unsigned char)l; int i = l; o[4] = i; unsigned long z = -1; o[5] = (long)z; o[6] = (_Bool)l; o[7] = (_Bool)0.25; o[8] = (char)0xff;",
    ),
    (
        "floats to integers",
        "",
        "double x = -3.99; float y = 16777217.0f; o[0] = (int)x; o[1] = (long)y; o[2] = (unsigned char)255.9; d[0] = (float)0.1; d[1] = 0.1f + 0.2f; d[2] = 0.1 + 0.2; d[3] = 1 / 3; d[4] = 1 / 3.0f; d[5] = 16777217; d[6] = (float)16777217; d[7] = (unsigned)-1;",
    ),
    (
        "float arithmetic",
        "",
        "float a = 1e10f, b = 1.0f; d[0] = a + b - a; d[1] = (double)a + b - a; d[2] = a * a; float c = a * a / a; d[3] = c; d[4] = -0.0; d[5] = 1e308 * 10; d[6] = 7.0 / 3; d[7] = 2.0f / 3; d[8] = 1e-40f;",
    ),
    (
        "compound assignment",
        "",
        "unsigned char a = 250; a += 10; o[0] = a; a -= 20; o[1] = a; a *= 3; o[2] = a; int i = 7; i /= 2; o[3] = i; i <<= 3; o[4] = i; i |= 5; o[5] = i; i ^= 0xff; o[6] = i; i += 2.7; o[7] = i; i %= 7; o[8] = i; short s = 1; s <<= 14; s += s; o[9] = s;",
    ),
    (
        "increments",
        "",
        "int i = 3; o[0] = i++; o[1] = ++i; o[2] = i--; o[3] = --i; unsigned char c = 255; o[4] = c++; o[5] = c; double x = 1.5; d[0] = x++; d[1] = x; int a[3] = {1, 2, 3}, *p = a; o[6] = *p++; o[7] = *++p; o[8] = p - a; o[9] = (*p)--; o[10] = a[2];",
    ),
    (
        "loops",
        "",
        "int s = 0; for (int i = 0; i < 10; i++) { if (i == 3) continue; if (i == 8) break; s += i; } o[0] = s; int k = 5; while (k --> 0) s += k; o[1] = s; do s++; while (s < 100); o[2] = s; for (unsigned j = 10; j-- > 0;) s -= j; o[3] = s; for (int i = 9; i >= 0; i -= 2) s += i * i; o[4] = s;",
    ),
    (
        "switch",
        "",
        "for (int i = 0; i < 8; i++) { long v = 0; switch (i) { case 0: v = 1; break; case 1: v = 2; case 2: v += 3; break; case 4 ... 5: v = 9; break; default: v = -1; } o[i] = v; } switch (3) { case 1: o[9] = 1; }",
    ),
    (
        "goto",
        "",
        "int i = 0; again: o[i] = i * i; if (++i < 10) goto again; if (i > 5) goto out; o[0] = 77; out: o[11] = i;",
    ),
    (
        "short circuit",
        "",
        "int i = 0; int a = 0 && ++i; int b = 1 || ++i; int c = 1 && ++i; int e = !i; o[0] = i; o[1] = a; o[2] = b; o[3] = c; o[4] = e; o[5] = !!17; o[6] = (i || 0) + (i && 5); if (!(a || c) == 0) o[7] = 4; else o[7] = 5; o[8] = 0.0 || 0.5;",
    ),
    (
        "conditional",
        "",
        "int i = 5; unsigned u = 3; o[0] = i > 3 ? -1 : u; d[0] = i < 3 ? 1 : 2.5; d[1] = i > 3 ? 1 : 2.5; o[1] = i ? i > 4 ? 10 : 20 : 30; char *p = i ? 0 : (char *)o; o[2] = p == 0; o[3] = (i, 8, i + 1);",
    ),
    (
        "arrays",
        "",
        "int a[3][4]; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) a[i][j] = 10 * i + j; int (*p)[4] = a + 1; o[0] = p[1][2]; o[1] = *(*(a + 2) + 3); int *q = &a[1][1]; o[2] = q[2]; o[3] = q[-1]; o[4] = sizeof a; o[5] = sizeof a[0]; o[6] = &a[2][0] - &a[0][3]; o[7] = 2[a[1]];",
    ),
    (
        "variable arrays",
        "",
        "int n = 3, m = 5; double a[n][m]; o[0] = sizeof a; o[1] = sizeof a[0]; n = 9; for (int i = 0; i < 3; i++) for (int j = 0; j < m; j++) a[i][j] = i * 0.5 + j; double (*r)[m] = a; d[0] = r[2][4]; d[1] = (*(r + 1))[3]; o[2] = sizeof *r; m = 2; o[3] = sizeof(int[m]);",
    ),
    (
        "structures",
        "typedef struct { char c; int i; double x; short s[3]; } S; struct P { int x, y; }; static struct P swap(struct P p) { struct P r = {p.y, p.x}; return r; } struct N { struct P a, b; };",
        "S s = {1, 2, 3.5, {4, 5, 6}}; S t = s; t.s[1] += 10; o[0] = s.s[1]; o[1] = t.s[1]; o[2] = sizeof(S); S *p = &t; p->i = 40; o[3] = t.i; struct P q = swap((struct P){1, 2}); o[4] = q.x; o[5] = q.y; o[6] = swap(q).y; struct N n = {.b = {7, 8}, .a.x = 0}; o[7] = n.b.y; o[8] = n.a.y; d[0] = p->x; t = (S){.x = 2.25}; d[1] = t.x; o[9] = t.c;",
    ),
    (
        "unions",
        "union U { float f; unsigned u; unsigned char b[4]; };",
        "union U u; u.f = 1.5f; o[0] = u.u; o[1] = u.b[3]; u.u = 0x40490fdb; d[0] = u.f; o[2] = sizeof u;",
    ),
    (
        "initialisers",
        "static const int T[] = {3, 1, 4, 1, 5, [8] = 9, 2}; static int G[2][3] = {1, 2, 3, 4}; enum E { A, B = 5, C };",
        "o[0] = sizeof T / sizeof T[0]; o[1] = T[8]; o[2] = T[9]; o[3] = T[6]; o[4] = G[1][0]; o[5] = G[1][2]; o[6] = C; char s[] = \"ab\\n\"; o[7] = sizeof s; o[8] = s[2]; int l[5] = {[1] = 7, 8}; o[9] = l[2] + l[0]; const char *p = \"xyz\"; o[10] = p[1]; o[11] = 'a' + '\\0' + '\\x10'; enum E e = B; o[12] = e;",
    ),
    (
        "statics",
        "static int next(void) { static int n = 10; return n++; } int counter = 3;",
        "o[0] = next() ; o[1] = next(); counter += 4; o[2] = counter; { static int k; k += 2; o[3] = k; }",
    ),
    (
        "recursion",
        "static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } static void fill(int n, long a[n]) { if (n == 0) return; a[n - 1] = n; fill(n - 1, a); }",
        "o[0] = fib(15); fill(8, o + 1);",
    ),
    (
        "memory",
        "#include <string.h>\n#include <stdlib.h>\n",
        "int *p = malloc(10 * sizeof *p); for (int i = 0; i < 10; i++) p[i] = i * i; int q[10]; memcpy(q, p, sizeof q); o[0] = q[9]; memset(q, -1, 8); o[1] = q[1]; o[2] = q[2]; free(p); double *z = calloc(4, sizeof(double)); d[0] = z[3]; free(z); unsigned char *b = (unsigned char *)q; o[3] = b[8]; memmove(q + 1, q, 12); o[4] = q[3];",
    ),
    (
        "mathematics",
        "#include <math.h>\n#include <stdlib.h>\n",
        "d[0] = sqrt(2.0); d[1] = fabs(-1.5); d[2] = floor(-1.5); d[3] = ceil(1.2f); d[4] = fmax(1, 2.5); d[5] = fminf(1.25f, 3); d[6] = sqrtf(3.0f); d[7] = fma(2, 3, 4); o[0] = abs(-5); o[1] = labs(-7l); d[8] = trunc(-2.7); d[9] = copysign(3, -0.0); d[10] = round(2.5); d[11] = rint(2.5);",
    ),
    (
        "literals",
        "",
        "o[0] = 0x7fffffff; o[1] = 0xffffffff; o[2] = 4294967295; o[3] = 2147483648; o[4] = 017; o[5] = 0b101; o[6] = 10u - 11 > 0; o[7] = 0xffffffff + 1; o[8] = 1ul << 40; d[0] = 0x1.8p3; d[1] = .5e1; d[2] = 1e-3f; o[9] = -2147483648 < 0; o[10] = sizeof 1l + sizeof 'a' + sizeof 1.0f;",
    ),
    (
        "bits",
        "",
        "unsigned x = 0xdeadbeef; int n = 0; while (x) { n += x & 1; x >>= 1; } o[0] = n; unsigned long h = 14695981039346656037ul; for (int i = 0; i < 5; i++) h = (h ^ i) * 1099511628211ul; o[1] = h; int k = -1; o[2] = (unsigned)k >> 28; o[3] = k >> 28; o[4] = 5 & ~1; o[5] = 6 ^ 3 | 8; o[6] = 1 << 3 + 1;",
    ),
    (
        "macros",
        "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define SQ(x) ((x) * (x))\n#define N 4\n",
        "o[0] = MIN(3, SQ(2)); o[1] = SQ(N + 1); o[2] = MIN(MIN(N, 7), MIN(2, 9));",
    ),
    (
        "statement expressions",
        "",
        "o[0] = ({ int a = 3; a *= 2; a + 1; }); __typeof__(o[0]) t = 5; o[1] = t + sizeof t; o[2] = _Generic(1.0, int: 1, double: 2, default: 3);",
    ),
    (
        "pointers",
        "",
        "int a[4] = {1, 2, 3, 4}; int *p = a, **q = &p; *q += 2; o[0] = *p; (*q)[1] = 9; o[1] = a[3]; o[2] = p > a; o[3] = p == &a[2]; o[4] = p != 0; char *c = (char *)a; o[5] = *(int *)(c + 4); int x = 5, *r = &x; *r = 6; o[6] = x; void *v = a; o[7] = ((int *)v)[1]; unsigned long u = (unsigned long)(c + 3) - (unsigned long)c; o[8] = u;",
    ),
    (
        "histogram",
        "",
        "unsigned char img[16]; for (int i = 0; i < 16; i++) img[i] = i * 37; unsigned h[4] = {0}; for (unsigned i = 0; i < 16; i++) h[(i * 2654435761u) >> 30] += img[i]; for (int i = 0; i < 4; i++) o[i] = h[i]; for (unsigned i = 16; i-- > 0;) o[4] = o[4] * 3 + img[i]; o[5] = img[(7 - 1) & 3];",
    ),
    (
        "shadowing",
        "",
        "int x = 1; { int x = 2; x++; o[0] = x; for (int x = 10; x < 11; x++) o[1] = x; } o[2] = x; typedef short T; { typedef long T; o[3] = sizeof(T); } o[4] = sizeof(T);",
    ),
];
