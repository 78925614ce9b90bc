//! Objects: arrays, structures, unions, strings, initial values, pointers, sizes.

use super::{Program, table};

const PROGRAMS: &[Program] = &[
    (
        "initial values of arrays",
        "",
        "int a[5] = {1, 2}; o[0] = a[1] * 10 + a[4]; int b[] = {1, 2, 3, [7] = 4, 5}; o[1] = sizeof b; o[2] = b[8] * 10 + b[7] + b[3]; int c[2][3] = {1, 2, 3, 4}; o[3] = c[1][0] * 10 + c[1][1]; int e[2][3] = {{1}, {2, 3}}; o[4] = e[0][1] * 100 + e[1][0] * 10 + e[1][1]; int g[][2] = {1, 2, 3, 4, 5}; o[5] = sizeof g; o[6] = g[2][0] * 10 + g[2][1]; int h[3][2] = {[1] = {7, 8}, {9}}; o[7] = h[0][0] + h[1][1] * 10 + h[2][0] * 100 + h[2][1]; int k[2][2][2] = {{{1, 2}, {3}}, 4, 5, 6}; o[8] = k[0][1][0] * 1000 + k[1][0][0] * 100 + k[1][0][1] * 10 + k[1][1][0]; int m[3] = {[1] = 5, [0] = 6}; o[9] = m[0] * 10 + m[1] + m[2]; int n[4] = {[2] = 1, 2, [0] = 3, 4}; o[10] = n[0] * 1000 + n[1] * 100 + n[2] * 10 + n[3]; int q[2][3] = {[1][2] = 5, [0] = {[1] = 4}}; o[11] = q[1][2] * 10 + q[0][1]; long r = {5}; o[12] = r; int z[3] = {0}; o[13] = z[2]; short t[4] = {1, 2, 3, 4}, u[4] = {t[3], t[2]}; o[14] = u[0] * 10 + u[1];",
    ),
    (
        "initial values of structures",
        "struct P { int x, y; }; struct Q { char c; struct P p[2]; struct { int a, b; } in; double z; union { int i; float f; } u; };",
        "struct P a = {1}; o[0] = a.x * 10 + a.y; struct P b = {.y = 4, .x = 3}; o[1] = b.x * 10 + b.y; struct Q q = {1, {{2, 3}, {4}}, {5, 6}, 7.5, {8}}; o[2] = q.p[1].x * 100 + q.p[1].y * 10 + q.in.b; d[0] = q.z; o[3] = q.u.i; struct Q r = {1, 2, 3, 4, 5, 6, 7, 8.5, 9}; o[4] = r.p[0].x * 1000 + r.p[1].y * 100 + r.in.a * 10 + r.in.b; d[1] = r.z; o[5] = r.u.i; struct Q s = {.in.b = 3, .p[1].y = 4, .z = 1.5}; o[6] = s.in.b * 10 + s.p[1].y + s.c + s.in.a; d[2] = s.z; struct Q t = {.p = {[1] = {.y = 6}}, {1, 2}, .u.f = 1.5f}; o[7] = t.p[1].y * 10 + t.in.b; d[3] = t.u.f; struct Q v = {1, a, b, 7, 8, 9}; o[8] = v.p[0].x * 1000 + v.p[1].y * 100 + v.in.a * 10 + v.in.b; d[4] = v.z; struct P w[3] = {a, {5, 6}, 7, 8}; o[9] = w[0].x * 1000 + w[1].y * 100 + w[2].x * 10 + w[2].y; struct P x[] = {1, 2, 3}; o[10] = sizeof x; o[11] = x[1].y; struct Q copy = q; copy.p[0].x = 99; o[12] = q.p[0].x * 100 + copy.p[0].x;",
    ),
    (
        "initial values of statics",
        "struct P { int x; short y[3]; }; static const struct P T[] = {{1, {2, 3}}, [2] = {.y = {[1] = 5}}, {7}}; static int M[2][3] = {[1] = {4, 5}}; static double D[3] = {1, 2.5f, -3}; static unsigned char B[4] = {255, 256 + 1, -1}; static float F = 1 / 3.0; static long L = (1 << 4) | 3, N = -5, C = 3 > 2 ? 10 : 20, A = 1 && 0 || 1; static char S[] = \"hey\", U[8] = \"ab\", V[3] = {'x', 'y'}, W[2][4] = {\"ab\", \"cd\"}; static unsigned Z = sizeof(struct P), Y = ~0u >> 28; static _Bool G = 7; int tentative; int tentative; int more[]; int more[3] = {1, 2, 3}; static int E = 'a' + 1, H = -'b', I = !5 + 1, J = +3;",
        "o[0] = sizeof T; o[1] = T[0].y[1] * 100 + T[2].y[1] * 10 + T[3].x + T[1].x; o[2] = M[1][1] * 10 + M[0][2]; d[0] = D[0]; d[1] = D[1]; d[2] = D[2]; o[3] = B[0]; o[4] = B[1]; o[5] = B[2]; o[6] = B[3]; d[3] = F; o[7] = L; o[8] = N; o[9] = C; o[10] = A; o[11] = sizeof S; o[12] = S[2]; o[13] = U[1] + U[7]; o[14] = V[1] + V[2]; o[15] = W[1][0]; o[16] = W[0][2]; o[17] = Z; o[18] = Y; o[19] = G; o[20] = more[2]; o[22] = E; o[23] = H; o[24] = I; o[25] = J;",
    ),
    (
        "addresses in statics",
        "static int G[5] = {1, 2, 3, 4, 5}; static int *P = G, *Q = &G[3], *R = &G[0], *N = 0, *O = (int *)0; static const char *S = \"word\", *T[3] = {\"one\", \"two\"}; struct L { int v; struct L *next; }; static struct L last = {3, 0}, middle = {2, &last}, first = {1, &middle}; static double X; static double *PX = &X; static int M[2][3] = {{1, 2, 3}, {4, 5, 6}}; static int (*ROW)[3] = M; static int *K = (int *)G; struct B { char c; int *p; }; static struct B b[2] = {{'a', &G[1]}, {'b', G}};",
        "o[0] = P[1]; o[1] = *Q; o[2] = R[4]; o[3] = N == 0; o[4] = S[3]; o[5] = T[1][2]; o[6] = T[2] == 0; o[7] = first.next->next->v; o[8] = last.next == 0; *PX = 1.5; d[0] = X; o[9] = ROW[1][2]; o[10] = K[2]; o[11] = *b[0].p * 10 + b[1].p[4]; o[12] = Q - P; Q[1] = 50; o[13] = G[4]; o[14] = b[1].c; o[15] = O == P; for (struct L *p = &first; p; p = p->next) o[16] = o[16] * 10 + p->v;",
    ),
    (
        "strings",
        "",
        "const char *s = \"a\\tb\\n\\\\\\\"\\'\\x41\\101\\0z\\a\\b\\f\\v\\r\\?\\7\"; for (int i = 0; i < 19; i++) o[i] = s[i]; o[20] = sizeof \"abc\" \"de\"; const char t[] = \"xy\" \"z\"; o[21] = sizeof t; o[22] = t[2]; o[23] = \"hello\"[1]; o[24] = *(\"abc\" + 2); char u[10] = \"abc\"; o[25] = u[3] + u[9]; u[0] = 'z'; o[26] = u[0]; o[27] = '\\x7f' + '\\377' + '\\0'; o[28] = sizeof(\"\"); char v[2] = \"ab\"; o[29] = v[1]; unsigned char w[] = {\"hi\"}; o[30] = sizeof w + w[1]; char x[] = {\"hi\"}; o[31] = x[0]; o[32] = '\\t' + '\\n' * 2 + '\\r' * 3 + '\\a' * 4 + '\\b' * 5 + '\\f' * 6 + '\\v' * 7 + '\\\\' + '\\'' + '\"'; o[33] = '\\12' + '\\1'; o[34] = sizeof \"\\x41g\"; o[35] = \"\\1234\"[1];",
    ),
    (
        "strings behind pointers",
        "static const char *G[] = {\"only\"}, *H[2][2] = {{\"a1\"}, \"b2\", \"c3\"}; struct S { const char *s; char t[4]; }; static struct S K = {\"kk\", \"xyz\"}, L[2] = {\"l0\", \"m0\", {\"l1\", {'n'}}};",
        "const char *p[1] = {\"ab\"}; o[0] = p[0][1]; const char *q[2][1] = {\"cd\", \"ef\"}; o[1] = q[1][0][0]; struct S r = {\"gh\", \"ij\"}; o[2] = r.s[1] * 1000 + r.t[1] + r.t[3]; o[3] = G[0][3]; o[4] = H[0][0][1] * 10000 + H[1][0][1] * 100 + H[1][1][0]; o[5] = H[0][1] == 0; o[6] = K.s[1] + K.t[2]; o[7] = L[0].s[0] * 1000 + L[0].t[0]; o[8] = L[1].s[1] * 1000 + L[1].t[0] + L[1].t[1]; char u[2][3] = {\"vw\", {\"x\"}}; o[9] = u[0][1] * 1000 + u[1][0] + u[1][1]; int v[2] = {\"yz\"[0], *\"w\"}; o[10] = v[0] * 1000 + v[1]; const char *w = {\"only\"}; o[11] = w[2]; char x = {'q'}; o[12] = x; unsigned char y[3] = \"ABC\"; o[13] = y[2]; signed char z[] = \"\\xff\"; o[14] = z[0] + sizeof z;",
    ),
    (
        "types of conditions",
        "struct S { int k; };",
        "int x = 1; int *p = &x; void *v = p; const char c = 2; float g = 1; struct S s = {3}, t = {4};\n#define T(e) _Generic((e), int: 1, unsigned: 2, long: 3, unsigned long: 4, float: 5, double: 6, int *: 7, void *: 8, default: 9)\no[0] = T(x ? p : v); o[1] = T(x ? v : p); o[2] = T(x ? p : 0); o[3] = T(x ? 0 : p); o[4] = T(x ? (void *)0 : p); o[5] = T(x ? p : (void *)0); o[6] = T(x ? v : 0); o[7] = T(x ? c : x); o[8] = T(x ? c : 1u); o[9] = T(x ? 1l : 1u); o[10] = T(x ? g : x); o[11] = T(x ? 1.0 : g); o[12] = T(x ? 1ul : -1l); o[13] = (x ? s : t).k * 10 + (x > 1 ? s : t).k; o[14] = sizeof(*(x ? v : p)); o[15] = x ? (x > 0 ? 5 : 6) : 7; o[16] = (x ? -1 : 0u) > 0; d[0] = x ? 1 : 2.5; d[1] = x > 5 ? 1 : 2.5f; o[17] = (x > 5 ? 1.5 : -1) < 0; o[18] = *(x ? p : (int *)v); o[19] = T(x ? x : (short)1); x ? (void)(o[20] = 1) : (void)(o[20] = 2); o[21] = (0 ? 1 / 0 : 4); o[22] = T(+c) * 1000 + T(-g) * 100 + T(!g) * 10 + T(~c);",
    ),
    (
        "arrays that are declared before",
        "extern int later[]; extern short rows[][2]; static int first(int k) { return later[k] + rows[k][1]; } int between = 5; int later[3]; short rows[4][2]; extern int later[3]; int after[]; int after[2];",
        "later[1] = 7; rows[1][1] = 3; rows[3][1] = 9; later[2] = 2; o[0] = first(1); o[1] = between; o[2] = sizeof later + sizeof rows; between = 6; o[3] = between + later[1]; after[0] = 3; after[1] = 4; o[4] = after[1] + after[0] + sizeof after; o[5] = later[2]; later[1] = 0; rows[1][1] = 0; rows[3][1] = 0; later[2] = 0; between = 5; after[1] = 0;",
    ),
    (
        "pointers to pointers and rows",
        "",
        "int a[3][4]; for (int i = 0; i < 12; i++) a[i / 4][i % 4] = i; int (*r)[4] = a; o[0] = r[2][1]; o[1] = (*r)[3]; o[2] = *r[1]; o[3] = **(r + 2); r++; o[4] = r[0][0]; int *p[3] = {a[2], a[0], a[1]}; o[5] = p[0][1] * 10 + p[2][3]; int **q = p; o[6] = *q[1]; q++; o[7] = (*q)[2]; o[8] = q - p; o[9] = &a[1] - &a[0]; o[10] = &a[2][3] - &a[0][1]; o[11] = (char *)&a[1] - (char *)a; o[12] = *(&a[0][0] + 7); int (*whole)[3][4] = &a; o[13] = (*whole)[1][2]; o[14] = 1[a][2]; o[15] = *&a[1][1]; int *s = &a[0][0]; *s++ = 40; *++s = 50; o[16] = a[0][0] + a[0][2]; o[17] = *s--; o[18] = *s; s += 5; s -= 2; o[19] = *s; o[20] = s[-1]; o[21] = s > &a[0][0]; o[22] = s <= p[0]; o[23] = !s; o[24] = s && 1; int i = 2; o[25] = i[s]; o[26] = (i + s)[1]; o[27] = *(2 + s);",
    ),
    (
        "pointers that choose",
        "static int *pick(int c, int *a, int *b) { return c ? a : b; }",
        "int x = 1, y = 2; int *p = &x; *pick(1, &x, &y) = 5; *pick(0, &x, &y) = 6; o[0] = x * 10 + y; p = x > y ? &x : &y; *p += 1; o[1] = y; int *n = 0; o[2] = n == 0; o[3] = (n ? *n : 9); p = n ? n : p; o[4] = *p; void *v = p; o[5] = *(int *)v; o[6] = v == p; const int *c = 1 ? p : 0; o[7] = *c; c = 0 ? 0 : &x; o[8] = *c; o[9] = (x > 100 ? v : p) == v; o[10] = (1 ? 0 : p) == 0; unsigned long u = (unsigned long)p; o[11] = (int *)u == p; o[12] = u % 4; if (p) o[13] = 1; if (!n) o[14] = 1; if (p && !n) o[15] = 1; while (n) ; o[16] = p != n; int **pp = &p; **pp = 70; *pp = &x; o[17] = *p + y;",
    ),
    (
        "unions and representations",
        "union U { double d; unsigned long u; float f[2]; unsigned char b[8]; struct { int lo, hi; } s; };",
        "union U u = {1.5}; o[0] = u.u; o[1] = u.b[7]; o[2] = u.s.hi; u.f[0] = 2.5f; o[3] = u.s.lo; u.s.lo = -1; o[4] = u.b[3]; union U v = {.u = 0x3ff8000000000000}; d[0] = v.d; union U w = {.b = {1, 2, 3}}; o[5] = w.u; o[6] = sizeof(union U); union U t[2] = {{.f = {1, 2}}, {.s = {3}}}; o[7] = t[0].s.hi; o[8] = t[1].u; double x = -0.0; o[9] = *(long *)&x; float f = 1; o[10] = *(int *)&f; unsigned char *b = (unsigned char *)&o[10]; o[11] = b[3] * 256 + b[2]; short s[4] = {1, 2, 3, 4}; o[12] = *(long *)s; int k = 0x01020304; o[13] = *(char *)&k; o[14] = ((short *)&k)[1]; union { int i; union { short s; char c; }; struct { char a, b; }; } m; m.i = 0x11223344; o[15] = m.s; o[16] = m.b;",
    ),
    (
        "sizes and layouts",
        "struct A { char a; short b; char c; int d; char e; }; struct B { char a; struct { double x; char y; } in; char z; }; struct C { char a[3]; short b[2]; union { char c; long l; } u; }; struct D { struct A a[2]; char c; }; typedef struct { float x; } F; struct E { char c; char flex[]; }; typedef long T[3];",
        "o[0] = sizeof(struct A); o[1] = sizeof(struct B); o[2] = sizeof(struct C); o[3] = sizeof(struct D); o[4] = sizeof(F); o[5] = sizeof(struct E); o[6] = _Alignof(struct B); o[7] = _Alignof(char) + _Alignof(short) * 2 + _Alignof(int) * 3 + _Alignof(double) * 5 + _Alignof(int *) * 7; o[8] = __builtin_offsetof(struct A, d); o[9] = __builtin_offsetof(struct B, in.y); o[10] = __builtin_offsetof(struct C, u); o[11] = sizeof(T); o[12] = sizeof(int *) + sizeof(int (*)[4]) + sizeof(int *[4]); struct A a; o[13] = sizeof a.b + sizeof(a.d); o[14] = (char *)&a.e - (char *)&a; o[15] = sizeof 1 + sizeof 1l + sizeof 1.0 + sizeof 1.0f + sizeof 'a' + sizeof(char) + sizeof(_Bool); o[16] = sizeof(int[3][4]); int i = 0; o[17] = sizeof(i++); o[18] = i; o[19] = sizeof(struct A[3]); o[20] = sizeof \"abc\" + sizeof(a = a); o[21] = _Alignof(struct C) + _Alignof(int[5]); o[22] = sizeof(unsigned char) + sizeof(long long) + sizeof(unsigned long int) + sizeof(short int) + sizeof(long unsigned) + sizeof(signed);",
    ),
    (
        "arrays of variable size",
        "static long sum(int n, int m, int a[n][m]) { long s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s = s * 3 + a[i][j]; return s; } static int last(int n, int a[static n]) { return a[n - 1]; } static int rows(int n, int (*a)[n], int k) { return a[k][n - 1]; }",
        "int n = 3, m = 4; int a[n][m]; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = i * 7 + j; o[0] = sum(n, m, a); o[1] = sum(2, 6, (int (*)[6])a); o[2] = last(4, a[1]); o[3] = rows(4, a, 2); int (*p)[m] = a + 1; o[4] = p[1][2]; m = 9; o[5] = sizeof *p; o[6] = sizeof a; o[7] = p - a; for (int k = 1; k < 5; k++) { int t[k * 2]; t[2 * k - 1] = k; o[8] += t[2 * k - 1] + sizeof t; } typedef int R[n]; n = 100; R r; o[9] = sizeof r; o[10] = sizeof(char[n][2]); p++; o[11] = (*p)[0]; p = &a[0]; o[12] = p[2][3] + *(*(p + 1) + 2); double b[n], *e = &b[n - 1]; *e = 2.5; d[0] = b[99]; o[13] = e - b;",
    ),
    (
        "compound literals",
        "struct P { int x, y; }; static int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }",
        "o[0] = sum((int[]){1, 2, 3}, 3); o[1] = sum((int[4]){[2] = 5}, 4); struct P p = (struct P){.y = 3}; o[2] = p.x * 10 + p.y; o[3] = ((struct P){4, 5}).y; int *q = (int[]){7, 8}; q[0]++; o[4] = q[0] * 10 + q[1]; o[5] = sizeof((short[]){1, 2, 3}); o[6] = ((int[]){9, 8, 7})[1]; struct P *r = &(struct P){1, 2}; r->x += 10; o[7] = r->x + r->y; o[8] = (int){3}; p = (struct P){r->y, r->x}; o[9] = p.x * 100 + p.y;",
    ),
    (
        "members through pointers",
        "struct N { int v; struct N *l, *r; }; static int total(const struct N *n) { return n ? n->v + total(n->l) + 2 * total(n->r) : 0; } struct O { struct { struct { int k[3]; } b; } a; struct { int x; struct { int y; }; }; };",
        "struct N t[5] = {{1, &t[1], &t[2]}, {2}, {3, 0, &t[3]}, {4, &t[4]}, {5}}; o[0] = total(t); t[0].l->v = 20; (*t[0].r).r->l->v++; o[1] = total(&t[0]); struct N *p = t; p->r->v *= 2; p++; o[2] = p->v; p[1].v += 1; o[3] = t[2].v; struct O o1 = {0}, *q = &o1; q->a.b.k[2] = 5; (&o1)->x = 6; q->y = 7; o[4] = o1.a.b.k[2] + o1.x * 10 + o1.y * 100; struct O *w[2] = {q, &o1}; w[1]->a.b.k[0] = 9; o[5] = q->a.b.k[0]; int *k = q->a.b.k + 1; *k = 3; o[6] = o1.a.b.k[1]; o[7] = sizeof q->a + sizeof(*q); *q = (struct O){{.b = {{1}}}}; o[8] = o1.y + o1.x + o1.a.b.k[0];",
    ),
    (
        "numbers as they are written",
        "",
        "o[0] = 0; o[1] = 00; o[2] = 0x0; o[3] = 1000000000000; o[4] = 0xffffffffffffffff; o[5] = 4294967296u; o[6] = 0777; o[7] = 0B11 + 0b100; o[8] = 1L + 2l + 3LL + 4u + 5UL + 6lu + 7ull; d[0] = 1.; d[1] = .5; d[2] = 1e3; d[3] = 1E-3; d[4] = 1.5e+2f; d[5] = 0x1p4; d[6] = 0x.8p1; d[7] = 0xA.8P-1; d[8] = 3.4028235e38f; d[9] = 0.1f; d[10] = 16777217.0f; d[11] = 123456789.123456789; d[12] = 0x1.fffffep127f; d[13] = 5e-324; o[9] = sizeof(2147483648) + sizeof(0x80000000) + sizeof(0xffffffffff) + sizeof(1u) + sizeof(1ul); o[10] = 2147483647 + 1u; o[11] = -2147483648; o[12] = -1 > 0x80000000; o[13] = 0x80000000 > 0; o[14] = 037777777777 > 0; o[15] = 'a'; d[14] = 0x1.8p0f; d[15] = 1e10; o[16] = -9223372036854775807 - 1;",
    ),
];

#[test]
fn objects_and_literals() {
    table(PROGRAMS);
}
