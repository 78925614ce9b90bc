/* Pointers that move by what data says, or to an end that is another pointer, and are read behind. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const char *skip2(const char *s)
{
#pragma scop
   while (*s == ' ') ++s;
#pragma endscop
   return s;
}
static int fields(char *line)
{
    int count = 0;
    int done = 0;
    char *c;
#pragma scop
    for(c = line; !done; ++c){
        done = (*c == '\0');
        if(*c == ',' || done) ++count;
    }
#pragma endscop
   return count;
}
static float *compact(float *o, const float *v, int n)
{
#pragma scop
   for (int i = 0; i < n; i++) if (v[i] > 0) *o++ = v[i];
#pragma endscop
   return o;
}
static unsigned char *segs(unsigned char *p, const unsigned char *seg, int s, int n)
{
#pragma scop
   for (; s < n; ++s) {
      p += seg[s];
      if (seg[s] < 255) break;
   }
#pragma endscop
   return p;
}
static unsigned char *segs2(unsigned char *p, const unsigned char *seg, int n)
{
#pragma scop
   for (int s = 0; s < n; ++s) p += seg[s];
#pragma endscop
   return p;
}
static int option(char *s)
{
    size_t i;
    size_t len = strlen(s);
    char *val = 0;
#pragma scop
    for(i = 0; i < len; ++i){
        if(s[i] == '='){
            s[i] = '\0';
            val = s+i+1;
            break;
        }
    }
#pragma endscop
    if(i == len-1) return 0;
    return val ? val - s : -1;
}
static void strides(float *out, const float *f, const float *end, int stride)
{
#pragma scop
   do {
      *out = *f;
      f += stride;
   } while (++out != end);
#pragma endscop
}
static void bothstep(float *v, int n2, float *C)
{
#pragma scop
   for (float *p = v + n2 - 4; p >= v; p -= 4, C += 4) *p = *C;
#pragma endscop
}
static int *positives(int *out, const int *v, int n, int **first)
{
   *first = out;
#pragma scop
   for (int i = 0; i < n; i++) { if (v[i] <= 0) continue; *out = v[i]; ++out; }
#pragma endscop
   return out;
}
static void idct(unsigned char *out, int out_stride, short data[64])
{
   int i, val[64], *v = val;
   unsigned char *o;
   short *d = data;
#pragma scop
   for (i = 0; i < 8; ++i, ++d, ++v) {
      v[0] = d[0] + d[8]; v[8] = d[0] - d[8];
      for (int k = 2; k < 8; k++) v[8 * k] = d[8 * k] * k;
   }
#pragma endscop
#pragma scop
   for (i = 0, v = val, o = out; i < 8; ++i, v += 8, o += out_stride) {
      int t = v[0] + v[1];
      o[0] = t >> 3; o[7] = v[7]; o[3] = v[3] - t;
   }
#pragma endscop
}
static long number(char *token)
{
   char *end;
   long h = strtol(token, &token, 10);
#pragma scop
   while (*token == ' ') ++token;
#pragma endscop
   long w = strtol(token, &end, 10);
   return h * 1000 + w;
}
static void f(int n, float *e, int i_off, float a2)
{
   float *z = e + i_off;
   float *base = z - 16 * n;
#pragma scop
   while (z > base) {
      float k00 = z[-0] - z[-8];
      z[-0] = z[-0] + z[-8];
      z[-8] = k00 * a2;
      z -= 16;
   }
#pragma endscop
}
static void g(float *buf2, float *buffer, float *A, int n2)
{
   float *d,*e, *AA, *e_stop;
   d = &buf2[n2-2];
   AA = A;
   e = &buffer[0];
   e_stop = &buffer[n2];
#pragma scop
      while (e != e_stop) {
         d[1] = (e[0] * AA[0] - e[2]*AA[1]);
         d[0] = (e[0] * AA[1] + e[2]*AA[0]);
         d -= 2;
         AA += 2;
         e += 4;
      }
#pragma endscop
      e = &buffer[n2-3];
#pragma scop
      while (d >= buf2) {
         d[1] = (-e[2] * AA[0] - -e[0]*AA[1]);
         d[0] = (-e[2] * AA[1] + -e[0]*AA[0]);
         d -= 2;
         AA += 2;
         e -= 4;
      }
#pragma endscop
}
static void h(float *v, int n2, float *C)
{
   float *d = v, *e = v + n2 - 4;
#pragma scop
   while (d < e) {
      float a = d[0] - e[2];
      d[0] = a * C[0] + e[1];
      e[2] = a * C[1];
      C += 4;
      d += 4;
      e -= 4;
   }
#pragma endscop
}
/* What a size was when the pointer moved by it. */
static float *resized(float *v, int n, int *left)
{
#pragma scop
   for (int i = 0; i < n; i++) *v++ += i;
   n = n / 2 - 1;
   for (int i = 0; i < n; i++) v[i] -= 1;
#pragma endscop
   *left = n;
   return v;
}
/* Names that mean other pointers in other blocks. */
static void blocks(float *v, int n)
{
   {
      float *d = v, *e = v + n;
#pragma scop
      while (d != e) *d++ += 1;
#pragma endscop
   }
   {
      float *e = v, *d = v + n - 1;
#pragma scop
      while (d >= e) { *d = *d * 2 + 1; d -= 1; }
#pragma endscop
   }
}
int main(void)
{
   char a[] = "   ab,c d,,e"; char o[] = "key=value", none[] = "key";
   printf("%d %d\n", (int)(skip2(a) - a), fields(a));
   float v[50], w[200]; unsigned char g_[50], q[12000];
   for (int i = 0; i < 50; i++) { v[i] = (i * 7) % 13 - 6; g_[i] = i == 30 ? 12 : 255; }
   memset(w, 0, sizeof w);
   printf("%d ", (int)(compact(w, v, 50) - w)); printf("%d\n", (int)(compact(w + 100, w, 60) - w));
   printf("%d ", (int)(compact(w, w, 60) - w)); double s = 0; for (int i = 0; i < 200; i++) s += w[i] * (i + 1); printf("%g\n", s);
   printf("%d %d %d\n", (int)(segs(q, g_, 0, 50) - q), (int)(segs(q, g_, 31, 31) - q), (int)(segs2(q, g_, 40) - q));
   printf("%d ", option(o)); printf("%d %s\n", option(none), o);
   strides(w, v, w + 10, 3); strides(w + 20, w, w + 30, 2); bothstep(w + 100, 40, v); bothstep(w + 60, 0, v); blocks(w, 150); blocks(w, 0);
   s = 0; for (int i = 0; i < 200; i++) s += w[i] * (i + 1); printf("%g\n", s);
   int k[20], l[20], *first; for (int i = 0; i < 20; i++) k[i] = (i * 5) % 7 - 3;
   int *end = positives(l, k, 20, &first); printf("%d %d %d\n", (int)(end - l), l[0], l[1]);
   end = positives(k, k, 20, &first); printf("%d %d\n", (int)(end - k), k[3]);
   static unsigned char p[200]; short d[64]; for (int i = 0; i < 64; i++) d[i] = i * 5 % 17;
   idct(p, 11, d); long t = 0; for (int i = 0; i < 200; i++) t += p[i] * (i + 1L);
   char size[] = "12    345"; printf("%ld %ld\n", t, number(size));
   static float x[1000], y[1000], z[3000];
   for (int i = 0; i < 1000; i++) { x[i] = i % 17; y[i] = i % 13; z[i] = i % 11; }
   f(20, x, 500, 0.5f); f(0, x, 500, 0.5f); g(x, y, z, 400); g(y, y + 500, z, 200); h(x, 300, z); h(z, 100, z + 20);
   int left; printf("%d ", (int)(resized(x, 20, &left) - x)); printf("%d ", left); printf("%d\n", (int)(resized(x, -3, &left) - x));
   s = 0; for (int i = 0; i < 1000; i++) s += x[i] * (i + 1) + y[i] - z[i] * i; printf("%.9g\n", s);
   return 0;
}
