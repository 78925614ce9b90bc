/* Pointers in structures, to rows and of the file that the loops look at first: where they are null
   nothing is added to them in front of the region either. */
#include <stddef.h>
#include <stdio.h>

struct layer { int n; const float *bias; float *out; };
struct net { struct layer first, last; const float *scale; };

static void of_a_parameter(int n, const float *bias, const float *in, float *out)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = in[i] + (bias ? bias[i] : 0.0f);
#pragma endscop
}

static void rows(int n, int m, const float (*bias)[m], float *out)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            out[i * m + j] = i + (bias ? bias[i][j] : 0.0f);
#pragma endscop
}

static void of_a_member(const struct layer *l, const float *in, float *out)
{
#pragma scop
    for (int i = 0; i < l->n; i++)
        out[i] = in[i] + (l->bias ? l->bias[i] : 0.0f);
#pragma endscop
}

static void of_an_inner_one(const struct net *w, const float *in, float *out)
{
#pragma scop
    for (int i = 1; i < w->last.n; i++)
        out[i] = in[i] + (w->last.bias ? w->last.bias[i - 1] : 0.0f)
               + (w->scale ? w->scale[i + 1] : 2.0f);
#pragma endscop
}

static const float *file;

static void of_the_file(int n, const float *in, float *out)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = in[i] + (file != NULL ? file[i] : 0.0f);
#pragma endscop
}

static void written(const struct layer *l, const float *in, int m)
{
#pragma scop
    for (int i = 0; i < l->n; i++)
        if (i < m && l->out)
            l->out[i] = in[i];
#pragma endscop
}

static void shifted(int n, const int *from, int *to, int k)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (from) to[i + k] = from[i - k];
#pragma endscop
}

static void clear(int *n, int *a)
{
#pragma scop
    for (int i = 0; i < *n; i++)
        a[i] = i * 2;
#pragma endscop
}

static float a[3000], b[3000], s[3000];
static int u[100], v[100];

static void show(const char *what)
{
    double sum = 0;
    for (int i = 0; i < 3000; i++) sum = sum * 0.9 + b[i];
    printf("%s %.9g\n", what, sum);
}

int main(void)
{
    struct layer l = {3000, NULL, NULL};
    struct net w = {{7, a, b}, {2999, NULL, NULL}, NULL};
    for (int i = 0; i < 3000; i++) a[i] = i, s[i] = i * 3 % 17;
    for (int i = 0; i < 100; i++) u[i] = i * 7 % 31;
    for (int there = 0; there < 2; there++) {
        const float *bias = there ? s : NULL;
        of_a_parameter(3000, bias, a, b); show("parameter");
        rows(30, 100, (const float (*)[100])bias, b); show("rows");
        l.bias = bias; of_a_member(&l, a, b); show("member");
        w.last.bias = w.scale = bias; of_an_inner_one(&w, a, b); show("inner");
        file = bias; of_the_file(3000, a, b); show("file");
        l.out = there ? b : NULL; written(&l, s, 2000); show("written");
    }
    of_a_member(&l, s, s); written(&l, b, 100); show("the same");
    shifted(100, NULL, NULL, -5); shifted(90, u, v, 0); shifted(0, NULL, NULL, 7);
    clear(&(int){-5}, 0); clear(&(int){0}, 0);
    for (int i = 0; i < 100; i++) printf("%d ", v[i]);
    puts("");
    return 0;
}
