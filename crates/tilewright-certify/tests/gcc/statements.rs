//! Statements, functions and names.

use super::{Program, table};

const PROGRAMS: &[Program] = &[
    (
        "loops in loops",
        "",
        "int s = 0; for (int i = 0; i < 6; i++) { for (int j = 0; j < 6; j++) { if (j == i) continue; if (j > 4) break; s = s * 3 + j; while (1) { if (s > 1000) { s -= 997; continue; } break; } } o[i] = s; } o[10] = s;",
    ),
    (
        "empty parts of loops",
        "",
        "int i = 0; for (;;) { if (i++ > 5) break; } o[0] = i; for (; i > 0;) i -= 2; o[1] = i; int j, k; for (j = 3, k = 9; j < k; j++, k--) ; o[2] = j * 10 + k; do ; while (--k > 0); o[3] = k; while (k++ < 3) ; o[4] = k;",
    ),
    (
        "do and continue",
        "",
        "int i = 0, s = 0; do { i++; if (i & 1) continue; s += i; if (s > 30) break; } while (i < 20); o[0] = i; o[1] = s; int w = 0; while (w < 9) { w++; if (w % 3) continue; s += w; } o[2] = s;",
    ),
    (
        "switches",
        "",
        "for (int i = -2; i < 10; i++) { long v = 0; switch (i) { default: v = -7; case -1: v += 100; break; case 0: case 2: v = 5; break; case 1: { v = 6; break; } case 4 ... 6: v = i; if (i == 5) break; v += 50; break; case 7: for (int j = 0; j < 3; j++) { if (j == 1) continue; v += j; if (j == 2) break; } } o[i + 2] = v; } switch (7u) { case 7: o[20] = 1; } switch ((char)200) { case -56: o[21] = 1; break; default: o[21] = 2; } switch (5000000000l) { case 5000000000l: o[22] = 3; break; case 705032704: o[22] = 4; } unsigned u = 4294967295u; switch (u) { case -1: o[23] = 1; break; default: o[23] = 2; } switch (3) o[24] = 9; switch (2) { o[25] = 3; case 1 + 1: o[25] += 4; }",
    ),
    (
        "switches in switches",
        "",
        "for (int i = 0; i < 9; i++) { int v = 1; switch (i / 3) { case 0: switch (i % 3) { case 0: v = 10; break; default: v = 20; } v++; break; case 1: switch (i % 3) { case 1: v = 7; } default: v *= 2; } o[i] = v; } int n = 0; for (int i = 0; i < 5; i++) { switch (i) { case 2: continue; case 3: break; default: n += i; } n *= 2; } o[10] = n;",
    ),
    (
        "jumps",
        "",
        "int i = 0, j = 0; outer: for (; i < 4; i++) { for (j = 0; j < 4; j++) { o[8] += i * j; if (i * j == 4) goto done; if (j == 3 && i == 1) { i += 1; goto outer; } } } done: o[0] = i * 10 + j; if (o[1]++ < 3) goto outer; o[2] = o[1]; { goto in; o[3] = 5; in: o[3] += 1; } goto end; o[4] = 1; end: ;",
    ),
    (
        "else of ifs",
        "",
        "for (int i = 0; i < 8; i++) { long v; if (i < 3) if (i == 1) v = 1; else v = 2; else if (i == 5) v = 3; else if (i > 6) { v = 4; } else v = 5; o[i] = v; } if (0) o[10] = 1; if (1) o[11] = 1; if (0) ; else o[12] = 2; if (1 && 0) o[13] = 1; else o[13] = 3; if (!(1 || 0)) o[14] = 7;",
    ),
    (
        "side effects in conditions",
        "",
        "int i = 0, k = 0; if (i++ && k++) o[0] = 1; o[1] = i; o[2] = k; if (i++ || k++) o[3] = 1; o[4] = i; o[5] = k; o[6] = (i-- > 1 && --i == 0) ? i : -1; int t = (i = 5, i + 1); o[7] = t + i; o[8] = i > 3 ? (k = 4) : (k = 5); o[9] = k; o[10] = !i++ + i; k = i == 6 || (i = 9); o[11] = k + i; k = i != 6 || (i = 9); o[12] = k + i;",
    ),
    (
        "functions with many parameters",
        "static long mix(char a, unsigned char b, short c, unsigned short d, int e, unsigned g, long h, unsigned long i, float j, double k) { return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * g + 13 * h + 17 * i + (long)(19 * j) + (long)(23 * k); } static void nothing(void) {} static void set(long *p, long v) { *p = v; } static int early(int n) { if (n < 0) return -1; for (int i = 0; i < n; i++) if (i * i > n) return i; return 0; } static void leave(int n, long *p) { if (n) return; *p = 77; }",
        "o[0] = mix(-1, 200, -300, 40000, -5, 6, -7, 8, 1.5f, 2.25); o[1] = mix(300, 300, 70000, 70000, 4294967299l, -1, 2.9, 3.9f, 4, 5); nothing(); set(&o[2], mix(1, 1, 1, 1, 1, 1, 1, 1, 1, 1)); set(o + 3, early(10) * 100 + early(-3) * 10 + early(1)); leave(1, &o[4]); leave(0, &o[5]); o[6] = early(early(50)) + early(early(early(30)));",
    ),
    (
        "functions that call each other",
        "static int odd(int n); static int even(int n) { return n == 0 ? 1 : odd(n - 1); } static int odd(int n) { return n == 0 ? 0 : even(n - 1); } static unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; } static int ack(int m, int n) { if (!m) return n + 1; if (!n) return ack(m - 1, 1); return ack(m - 1, ack(m, n - 1)); } static double power(double x, int n) { return n ? x * power(x, n - 1) : 1; } static int local(int n) { int a[4] = {n, n + 1}; int t = n > 0 ? local(n - 1) : 5; return a[0] + 10 * a[1] + a[2] + t; }",
        "o[0] = even(10); o[1] = odd(7); o[2] = gcd(84, 36); o[3] = ack(2, 3); d[0] = power(1.1, 9); o[4] = local(4);",
    ),
    (
        "constants that are computed",
        "static const int T[] = {1 && 1, 1 && 0, 0 && 1, 0 && 0, 1 || 1, 1 || 0, 0 || 1, 0 || 0, 2 && 3, 2 || 0, 0 || 2, 1 && 2 && 0, 0 || 0 || 5, 1 ? 2 : 3, 0 ? 2 : 3, 0 ? 1 : 0 ? 2 : 4, !5, !0, ~5, -5, +5, 7 / 2, -7 / 2, -7 % 3, 1 << 4, -16 >> 2, 6 & 3, 6 | 3, 6 ^ 3, 3 < 4, 3 > 4, 3 <= 3, 3 >= 4, 3 == 3, 3 != 3, (char)300, (unsigned char)300, sizeof(int) * 2, 1 == 1.0, (int)2.9, 3 > 2 ? 10 : 20, -1 < 0u, 'a' + 1}; enum { A = 3 && 0, B = 3 || 0, C = A ? 5 : 6, D, E = 1 << 3, F = -D };",
        "for (int i = 0; i < (int)(sizeof T / sizeof T[0]); i++) o[i] = T[i]; int x[1 + (2 > 1 && 3 > 2)], y[(0 || 1) + 2]; o[43] = sizeof x + 100 * sizeof y; o[44] = A * 100000 + B * 10000 + C * 1000 + D * 100 + E * 10 + F; switch (2) { case 1 && 0: o[45] = 1; break; case (1 || 0) + 1: o[45] = 2; break; }",
    ),
    (
        "functions that are declared before and behind",
        "static int one(int, double); static int one(int a, double b) { return a + (int)b; } static int one(); static int one(int a, double b); static double two(double); static int zero(void) { return 4; } static int zero(); static double two(double x) { return x * 2.5; }",
        "o[0] = one(3.9, 4); o[1] = one('a', 2.9); d[0] = two(3); o[2] = zero();",
    ),
    (
        "structures of no and many parameters",
        "struct V { long x, y; }; static struct V none(void) { struct V v = {3, 4}; return v; } static struct V many(int a, long b, struct V c, char d, double e) { return (struct V){a + b * 10 + c.x * 100, d * 1000 + (long)e + c.y}; } static struct V deep(int n) { struct V v = none(); if (n) v = many(n, 2, deep(n - 1), 1, 2.5); return v; } static long twice(long a, long b) { return a * 7 + b; }",
        "o[0] = none().x * 10 + none().y; struct V v = many(1, 2, none(), 5, 6.5); o[1] = v.x; o[2] = v.y; o[3] = many(1, 2, many(3, 4, none(), 1, 1), 1, none().x).x; o[4] = deep(3).x; o[5] = deep(3).y; o[6] = twice(twice(1, 2), twice(3, none().y)) + twice(none().x, none().y); struct V w[2] = {none(), many(1, 1, v, 1, 1)}; o[7] = w[0].x + w[1].y;",
    ),
    (
        "structures by value",
        "struct V { double x, y; }; struct W { struct V v[2]; int k; }; static struct V add(struct V a, struct V b) { a.x += b.x; a.y += b.y; return a; } static struct W make(int k) { struct W w = { .k = k }; w.v[1] = (struct V){ k, k * 2.5 }; return w; } static struct V second(struct W w) { w.k = 0; return w.v[1]; } static struct V pick(int c, struct V a, struct V b) { if (c) return a; return b; }",
        "struct V a = {1, 2}, b = {10, 20}, c = add(a, b); d[0] = c.x; d[1] = c.y; d[2] = a.x; struct W w = make(3); d[3] = w.v[1].y; o[0] = w.k; d[4] = second(make(4)).y; d[5] = add(add(a, b), second(w)).x; d[6] = make(7).v[1].x; d[7] = pick(1, a, b).x + pick(0, a, b).y; o[1] = w.k; struct V t[3] = { a, b, add(a, a) }; d[8] = t[2].y + t[1].x; struct V *p = &t[1]; *p = a; d[9] = t[1].y; p[1] = add(*p, p[-1]); d[10] = t[2].x; struct W x, y; x = y = make(9); o[2] = x.k + y.k;",
    ),
    (
        "scopes",
        "static int x = 100; static int g(int x) { x++; { int x = 7; x++; } return x; } enum { K = 3 };",
        "o[0] = g(5); int y = x; { int x = y + 1; o[1] = x; typedef int T; T t = 4; o[2] = t; } o[3] = x; for (int x = 0; x < 2; x++) { int x = 50; o[4] += x; } { enum { K = 9 }; o[5] = K; } o[6] = K; struct S { int a; } s = {1}; { struct S { char a, b; } s = {1, 2}; o[7] = sizeof s; } o[8] = sizeof(struct S); int i = 3; { int i = 4; { int i = 5; o[9] = i; } o[10] = i; } o[11] = i;",
    ),
    (
        "static variables",
        "static int count(void) { static int n; static const int step = 3; n += step; return n; } static int *cell(int i) { static int t[4] = {1, 2, 3}; return &t[i]; }",
        "count(); count(); o[0] = count(); *cell(3) = 9; *cell(0) += 5; o[1] = *cell(3) + *cell(0) * 10; for (int i = 0; i < 3; i++) { static int k = 10; k *= 2; o[2 + i] = k; }",
    ),
    (
        "statement expressions and types of expressions",
        "",
        "int a = ({ int t = 4; t * t; }); o[0] = a; o[1] = ({ long s = 0; for (int i = 0; i < 5; i++) s += i; s; }) + 1; __typeof__(a) b = 7; o[2] = b; __typeof__(int[3]) c; o[3] = sizeof c; o[4] = ({ a; }); double x = ({ double m = 1.5, n = 2.5; m > n ? m : n; }); d[0] = x; ({ o[5] = 3; }); o[6] = _Generic(a, long: 1, int: 2); o[7] = _Generic(x, float: 1, default: 5); o[8] = _Generic((char)1, signed char: 4, char: 4, default: 6); __typeof__(o[0]) w = 5; o[9] = sizeof(w);",
    ),
    (
        "enumerations",
        "enum color { RED, GREEN = 5, BLUE, NONE = -1 }; typedef enum { P = 1 << 3, Q } flags; enum big { HUGE_ONE = 0x100000000 };",
        "enum color c = BLUE; o[0] = c; c = NONE; o[1] = c; o[2] = c < 0; o[3] = NONE < 0; flags f = Q; o[4] = f; o[5] = sizeof c; o[6] = (f - 10 < 0); o[7] = RED; o[8] = HUGE_ONE; enum color t[2] = { GREEN, NONE }; o[9] = t[1] + t[0]; o[10] = (long)t[1]; enum flagged { L } l = L; o[11] = l - 1 < 0; o[12] = sizeof(enum big); int k = NONE; o[13] = k == t[1]; struct { enum color c; enum flagged f; } s = { NONE, L }; o[14] = s.c < s.f; o[15] = s.f - 1 > 0; enum wide { W = -1, X = 0x80000000 }; o[16] = sizeof(enum wide); enum wide w = W; o[17] = w; { enum color { ONE = 1 }; enum color c = ONE; o[18] = c - 2 > 0; } enum later; ",
    ),
    (
        "macros",
        "#define EMPTY\n#define ONE 1\n#define TWO ONE + ONE\n#define ADD(a, b) ((a) + (b))\n#define TWICE(x) ADD(x, x)\n#define CALL(f, x) f(x)\n#define STR \"a,b)\"\n#define NOTHING() 5\nstatic const int self = 3;\n#define self self + 1\n#define LONG_ONE(a, \\\n                 b) \\\n    ((a) * (b))\n#define CH ','\n",
        "o[0] = ONE; o[1] = TWO * 3; o[2] = ADD(1, (2, 3)); o[3] = TWICE(TWICE(2)); o[4] = CALL(TWICE, 4); o[5] = sizeof STR; o[6] = NOTHING(); o[7] = LONG_ONE(3, 4); int ADD = 8; o[8] = ADD; o[9] = ADD( ADD , ADD(1,2) ); o[18] = self; o[10] = ADD(1 - 2\n, 3 == 3) EMPTY;\n#undef ONE\n#define ONE 11\no[11] = TWO; o[12] = CH + ADD(',', ')'); o[13] = ADD (1, 2); o[14] = 0xEADD + 1; o[15] = 1.5e+1 + 0x1p-1 * 2; o[16] = ADD(1 /* , */, 2 // )\n);",
    ),
    (
        "comments and lines",
        "/* a \" in a comment */ // and 'another\n",
        "o[0] = 1; /* o[0] = 2; */ o[1] = 3; // o[1] = 4; /*\no[2] = '/' + '\"'; const char *s = \"/* no */ // no\"; o[3] = s[1] + s[10]; o[4] = 8 /* */ / /**/ 2; /* over\n lines o[5] = 9;\n*/ o[6] = 7; const char *t = \"q\\\"//\\\\\"; o[7] = t[1] + t[2] + t[4]; o[8] = '\\'' + '\\\\'; /***/ o[9] = 1; /*/ o[9] = 2; */",
    ),
    (
        "attributes",
        "__attribute__((noinline)) static int g(int a) { return a + 1; } static inline __attribute__((always_inline, deprecated(\"a \\\") ( b\"))) int h(int a) { return a * 2; } struct __attribute__((aligned(8))) S { int a; } ; typedef int V __attribute__((may_alias));",
        "o[0] = g(3) + h(4); int k __attribute__((unused)) = 5; o[1] = k; V v = 6; o[2] = v; struct S s = {7}; o[3] = s.a; int __attribute__ ((unused)) m = 8; o[4] = m; _Static_assert(1, \"\"); o[5] = __builtin_expect(k == 5, 1);",
    ),
];

#[test]
fn statements_and_functions() {
    table(PROGRAMS);
}
