/* Structures with pointers in them, and pointers that are only copied, compared and set. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { float *data; int w, h, c; } image;
typedef struct layer { int type; int n, outputs; float *output, *delta; struct layer *next; char name[8]; float *cost; void (*fwd)(struct layer); } layer;
typedef struct { int n; layer *layers; float *input; } network;
typedef struct { int rows, cols; float **vals; } matrix;
typedef struct { matrix X, y; int shallow; } data;

struct item { int key; const char *name; double *cell; };
float total(network *netp)
{
   network net = *netp;
   float sum = 0;
   int count = 0;
#pragma scop
   for (int i = 0; i < net.n; ++i) {
      if (net.layers[i].cost) {
         sum += net.layers[i].cost[0];
         ++count;
      }
   }
#pragma endscop
   return sum / count;
}
int sizes(network *net)
{
   int t = 0;
#pragma scop
   for (int i = 0; i < net->n; i++) {
      layer l = net->layers[i];
      if (l.type != 3) t += l.outputs * l.n;
   }
#pragma endscop
   return t;
}
void rows(float **p, float *base, int n, int m)
{
   float *q = base;
#pragma scop
   for (int i = 0; i < n; i++) {
      p[i] = q;
      q += m;
   }
#pragma endscop
}
void shift(float **out, float **in, int n, int left)
{
#pragma scop
   for (int i = 0; i < n; i++) out[i] = in[i] + left;
#pragma endscop
}
void swap_rows(float **a, int n)
{
#pragma scop
   for (int i = 0; i < n / 2; i++) {
      float *t = a[i];
      a[i] = a[n - 1 - i];
      a[n - 1 - i] = t;
   }
#pragma endscop
}
void swap_images(image *im, int n)
{
#pragma scop
   for (int i = 0; i + 1 < n; i += 2) {
      image t = im[i];
      im[i] = im[i + 1];
      im[i + 1] = t;
   }
#pragma endscop
}
int nulls(char **names, int n)
{
   int k = 0;
#pragma scop
   for (int i = 0; i < n; i++) if (!names[i]) k++;
#pragma endscop
   return k;
}
int equal(char **a, char **b, int n)
{
   int k = 0;
#pragma scop
   for (int i = 0; i < n; i++) { if (a[i] == b[i] && a[i] != NULL) k += i; else if (a[i] < b[i]) k ^= 1; }
#pragma endscop
   return k;
}
char *last(char **names, int *len, int n)
{
   char *best = NULL;
   int m = -1;
#pragma scop
   for (int i = 0; i < n; i++) {
      if (len[i] > m) { m = len[i]; best = names[i]; }
   }
#pragma endscop
   return best;
}
void set_images(image *im, float *buf, int n, int w, int h)
{
#pragma scop
   for (int i = 0; i < n; i++) {
      im[i].w = w; im[i].h = h; im[i].c = 1;
      im[i].data = buf + i * w * h;
   }
#pragma endscop
}
static float *fill(float **p, int n)
{
   float *q = malloc(n * sizeof(float));
   float *spare = malloc(n * sizeof(float));
#pragma scop
   for (int i = 0; i < n; i++) q[i] = i * 3;
   for (int i = 0; i < n; i++) p[i] = q + (n - 1 - i);
   for (int i = 0; i < n; i++) spare[i] = q[i];
#pragma endscop
   free(spare);
   return q;
}
static void sort(struct item *v, int n)
{
#pragma scop
   for (int i = 1; i < n; i++)
      for (int j = 0; j < n - i; j++)
         if (v[j].key > v[j + 1].key) {
            struct item t = v[j];
            v[j] = v[j + 1];
            v[j + 1] = t;
         }
#pragma endscop
}
static const char *best(const struct item *v, int n, double limit)
{
   const char *found = "none";
   const struct item *at = NULL;
#pragma scop
   for (int i = 0; i < n; i++) {
      struct item it = v[i];
      if (it.cell != NULL && *it.cell < limit) { found = it.name; at = v + i; limit = *it.cell; }
   }
#pragma endscop
   printf("%d ", at ? at->key : -1);
   return found;
}
static int count(const struct item *v, int n)
{
   int k = 0;
#pragma scop
   for (int i = 0; i < n; i++) {
      const struct item it = v[i];
      k += it.cell == NULL ? 0 : it.key;
      if (i > 0 && it.cell == v[i - 1].cell) k++;
   }
#pragma endscop
   return k;
}
static double chain(struct item *v, double *out, int n)
{
   double s = 0;
#pragma scop
   for (int i = 0; i < n; i++) {
      struct item it = v[i];
      v[i].key = it.key + 1;
      out[i] = it.key;
      s += it.key;
   }
#pragma endscop
   return s;
}
struct head { int n; int row[20]; int *starts[20]; };
/* The addresses of elements, behind a pointer and in the file. */
static int table[40];
static void starts(struct head *h, int n)
{
#pragma scop
   for (int i = 0; i < n; i++) h->starts[i] = i % 2 ? &h->row[i] : NULL;
   for (int i = 0; i < n; i++) if (h->starts[i] == NULL) h->starts[i] = &table[2 * i];
#pragma endscop
}
/* A copy of a structure that is set elsewhere, while its members are read. */
static int widest(layer *all, int n)
{
   layer most = all[0];
#pragma scop
   for (int i = 1; i < n; i++) {
      layer l = all[i];
      if (l.outputs > most.outputs) { most.outputs = l.outputs; most.n = l.n; }
   }
#pragma endscop
   return most.outputs * 100 + most.n;
}
int main(void)
{
   enum { N = 24, M = 10 };
   static float buf[N * M], out[N][M], cost[N]; static layer ls[N]; network net = { N, ls, buf };
   char *names[N], *other[N]; static char text[N][4]; int len[N];
   for (int i = 0; i < N * M; i++) buf[i] = i % 19;
   for (int i = 0; i < N; i++) {
      cost[i] = i * 1.5f; memset(&ls[i], 0, sizeof ls[i]); ls[i].type = i % 5; ls[i].n = i; ls[i].outputs = i % M; ls[i].output = out[i];
      ls[i].cost = i % 3 ? &cost[i] : NULL; names[i] = i % 4 ? text[i] : NULL; other[i] = i % 2 ? text[i] : text[0]; len[i] = (i * 7) % 11;
   }
   printf("%.6g %d %d\n", total(&net), sizes(&net), widest(ls, N));
   float *ra[N], *rb[N];
   rows(ra, buf, N, M); shift(rb, ra, N, 3); swap_rows(ra, N);
   long t = 0; for (int i = 0; i < N; i++) t += (ra[i] - buf) * i + (rb[i] - buf) * 3 * i; printf("%ld\n", t);
   shift(ra + 1, ra, N - 1, 2); t = 0; for (int i = 0; i < N; i++) t += (ra[i] - buf) * i; printf("%ld\n", t);
   image im[N]; set_images(im, buf, N, 2, 5); swap_images(im, N);
   t = 0; for (int i = 0; i < N; i++) t += (im[i].data - buf) * i + im[i].w + im[i].h; printf("%ld\n", t);
   printf("%d %d ", nulls(names, N), equal(names, other, N)); char *b = last(names, len, N); printf("%d\n", b ? (int)((b - text[0]) / 4) : -1);
   float *p[N], *q = fill(p, N); double s = 0; for (int i = 0; i < N; i++) s += *p[i] * (i + 1); printf("%g\n", s); free(q);
   double cells[N], o[N]; struct item v[N]; char keys[N][3];
   for (int i = 0; i < N; i++) { keys[i][0] = 'a' + i; keys[i][1] = 0; cells[i] = (i * 7) % 11; v[i] = (struct item){ (i * 5) % 13, keys[i], i % 4 ? &cells[i] : NULL }; }
   sort(v, N); for (int i = 0; i < N; i++) printf("%d%s ", v[i].key, v[i].name); printf("\n");
   printf("%s\n", best(v, N, 100)); printf("%s\n", best(v, N, -1)); printf("%d\n", count(v, N)); printf("%g ", chain(v, o, N));
   s = 0; for (int i = 0; i < N; i++) s += o[i] * i + v[i].key; printf("%g\n", s);
   static struct head h; starts(&h, 20); t = 0; for (int i = 0; i < 20; i++) t += i % 2 ? h.starts[i] - h.row : (h.starts[i] - table) * 100; printf("%ld\n", t);
   return 0;
}
