/* Copies and moved pointers where what is written is part of what they come from. */
#include <stdio.h>
#include <stdlib.h>
struct item { int key; const char *name; int w; };
static void over(struct item *v, int *p, int *o, int n)
{
#pragma scop
   for (int i = 0; i < n; i++) {
      struct item it = v[i];
      p[i] = 100 + i;
      o[i] = it.key * 3 + it.w;
   }
#pragma endscop
}
struct net { int n; struct item *items; float *buf; };
static void over2(struct net *s, int *p, int n)
{
#pragma scop
   for (int i = 0; i < n; i++) {
      struct item it = s->items[i];
      p[2 * i] = it.key;
      p[2 * i + 1] = it.w;
   }
#pragma endscop
}
static void ptrs(struct item **a, struct item **b, int n)
{
#pragma scop
   for (int i = 0; i < n; i++) { struct item *t = a[i]; a[i] = b[i]; b[i] = t; }
#pragma endscop
}
static int wraps(int *v)
{
   unsigned i = 1u << 30; int k = 0;
#pragma scop
   while (i != 0) { v[k] = i >> 30; k += 2; i += 1u << 30; }
#pragma endscop
   return k;
}
static char *moved(char *d, char **e, int n)
{
#pragma scop
   for (int i = 0; i < n; i++) if (d[0] != 'x') { *e = d + i; d++; }
#pragma endscop
   return d;
}
static char *gp;
static char *fileptr(const char *s, char *o)
{
   gp = o;
#pragma scop
   while (*s) { if (*s != ' ') { *gp = *s; gp++; } s++; }
#pragma endscop
   return gp;
}
static long own(char *s)
{
   char **q = &s;
#pragma scop
   while (*s == ' ') { s++; *q = s + 1; }
#pragma endscop
   return (long)(s - *q);
}
static char *own2(char *s)
{
   char *t = s; char **q = &t;
#pragma scop
   for (int i = 0; i < 3; i++) { t++; *t = 'q'; q[0] = s + 2 * i; }
#pragma endscop
   return t;
}
int main(void)
{
   struct item v[20]; int o[20], w[20];
   for (int k = 0; k < 4; k++) {
      for (int i = 0; i < 20; i++) { v[i] = (struct item){ i * 3, "a", 7 - i }; o[i] = w[i] = 0; }
      over(v, k == 0 ? w : k == 1 ? &v[3].key : k == 2 ? &v[5].w : o, o, 12);
      unsigned long t = 0; for (int i = 0; i < 20; i++) t = t * 31ul + o[i] + v[i].key * 5 + v[i].w + w[i]; printf("%lu\n", t % 1000007);
   }
   struct net s = { 10, v, 0 };
   over2(&s, w, 10); over2(&s, &v[2].key, 3); over2(&s, &s.n, 0);
   unsigned long t = 0; for (int i = 0; i < 20; i++) t = t * 31ul + w[i] + v[i].key * 5 + v[i].w; printf("%lu\n", t % 1000007);
   struct item *a[20], *b[20]; for (int i = 0; i < 20; i++) { a[i] = v + i; b[i] = v + 19 - i; }
   ptrs(a, b, 20); ptrs(a, a + 3, 15); ptrs(a, a, 20); t = 0; for (int i = 0; i < 20; i++) t = t * 31ul + (a[i] - v) + 3 * (b[i] - v); printf("%lu\n", t % 1000007);
   int k = wraps(w); printf("%d %d %d\n", k, w[0], w[2]);
   char d[40] = "abcdefgxhij", *e = 0; char *r = moved(d, &e, 9); printf("%d %d\n", (int)(r - d), (int)(e - d));
   char *alias = d; r = moved(d, (char **)(void *)&alias, 3); printf("%d %d\n", (int)(r - d), (int)(alias - d));
   printf("%d\n", (int)(fileptr("a b c", d) - d)); char sp[] = "   z"; printf("%ld ", own(sp)); printf("%d %s\n", (int)(own2(d) - d), d);
   return 0;
}
