/* Sizes that are elements of arrays, or what pointers point at: shapes of tensors, and Fortran by way of
 * a translator, which passes all arguments by address and sets a bound in front of each loop. */
#include "data.h"
#include <math.h>

typedef int integer;
typedef double doublereal;

struct tensor {
    int n_d;
    int d[4];
    float *x;
};

/* Channels first to channels last. */
void channels_last(int d[4], const float *x, float *y)
{
    int i, j, k, l;
#pragma scop
    for (i = 0; i < d[0]; ++i)
        for (j = 0; j < d[1]; ++j)
            for (k = 0; k < d[2]; ++k) {
                int ik = (i * d[2] + k) * d[3], ijk = ((i * d[1] + j) * d[2] + k) * d[3];
                for (l = 0; l < d[3]; ++l)
                    y[(ik + l) * d[1] + j] = x[ijk + l];
            }
#pragma endscop
}

/* The sum of each row of a matrix in a tensor. */
void row_sums(const struct tensor *t, float *sums)
{
#pragma scop
    for (int i = 0; i < t->d[0]; i++) {
        float sum = 0;
        for (int j = 0; j < t->d[1]; j++)
            sum += t->x[i * t->d[1] + j];
        sums[i] = sum;
    }
#pragma endscop
}

/* What the sizes say changes on the way: they are data. */
void grow(int *d, int *y)
{
#pragma scop
    for (int i = 0; i < d[0]; i++) {
        y[i] += i;
        d[1] += y[i] & 1;
    }
#pragma endscop
}

/* The pointer may be that of the sizes. */
void double_all(const int *n, int *y)
{
#pragma scop
    for (int i = 0; i < *n; i++)
        y[i] *= 2;
#pragma endscop
}

/* Columns times factors, then the norm of each column, Fortran's storage and subscripts. */
int scale_(integer *m, integer *n, doublereal *a, integer *lda, doublereal *v, doublereal *norms)
{
    integer a_dim1, a_offset, i__1, i__2;
    integer i__, j;
    doublereal sum;

    a_dim1 = *lda;
    a_offset = 1 + a_dim1 * 1;
    a -= a_offset;
    --v;
    --norms;
#pragma scop
    i__1 = *n;
    for (j = 1; j <= i__1; ++j) {
        i__2 = *m;
        for (i__ = 1; i__ <= i__2; ++i__) {
            a[i__ + j * a_dim1] = a[i__ + j * a_dim1] * v[j];
        }
    }
    i__1 = *n;
    for (j = 1; j <= i__1; ++j) {
        sum = 0.;
        i__2 = *m;
        for (i__ = 1; i__ <= i__2; ++i__) {
            sum += a[i__ + j * a_dim1] * a[i__ + j * a_dim1];
        }
        norms[j] = sqrt(sum);
    }
#pragma endscop
    return 0;
}

/* How many windows of a picture's planes there are: the sizes of the result are read only where there
 * are planes. */
void windows(const struct tensor *in, struct tensor *out, int *place, int size)
{
    size_t o = 0;
#pragma scop
    for (int c = 0; c < in->d[0]; ++c) {
        const float *plane = in->x + (size_t)c * in->d[1] * in->d[2];
        for (int oy = 0; oy < out->d[1]; ++oy)
            for (int ox = 0; ox < out->d[2]; ++ox) {
                float best = -3.402823e38f;
                int where = -1;
                for (int ky = 0; ky < size; ++ky) {
                    int y = oy * size - 1 + ky;
                    if (y < 0 || y >= in->d[1])
                        continue;
                    for (int kx = 0; kx < size; ++kx) {
                        int x = ox * size - 1 + kx;
                        if (x < 0 || x >= in->d[2])
                            continue;
                        float val = plane[y * in->d[2] + x];
                        if (val > best) {
                            best = val;
                            where = y * in->d[2] + x;
                        }
                    }
                }
                out->x[o] = best;
                place[o] = where;
                o++;
            }
    }
#pragma endscop
}

int main(void)
{
    int sizes[3] = {0, 5, 19};
    for (int t = 0; t < 3; t++) {
        int n = sizes[t], shape[4] = {2, n, n / 2 + 1, 3};
        size_t all = (size_t)2 * (n + 1) * (n + 2) * 3;
        float *x = data_floats(all), *y = data_floats(all);
        channels_last(shape, x, y);
        data_show("channels last", n, y, all * sizeof *y);

        struct tensor in = {3, {2, n, n + 1, 0}, x}, out = {3, {2, n / 3 + 1, n / 3 + 1, 0}, y};
        float *sums = data_floats(n + 2);
        row_sums(&in, sums);
        data_show("row sums", n, sums, (n + 2) * sizeof *sums);
        row_sums(&in, x + 1);
        data_show("row sums in place", n, x, all * sizeof *x);

        int *d = data_ints(n + 4, 3);
        d[0] = n;
        grow(d, d + 2);
        data_show("grow", n, d, (n + 2) * sizeof *d);
        d[0] = n;
        double_all(d, d + 1);
        data_show("double", n, d, (n + 2) * sizeof *d);
        d[0] = n > 4 ? 2 : 0;
        double_all(d, d);
        data_show("double itself", n, d, (n + 2) * sizeof *d);

        integer m = n, columns = n / 2, lead = n + 3;
        size_t cells = (size_t)(lead + 1) * (columns + 2);
        doublereal *a = data_doubles(cells), *v = data_doubles(columns + 1), *norms = data_doubles(columns + 1);
        scale_(&m, &columns, a, &lead, v, norms);
        data_show("scale", n, a, cells * sizeof *a);
        data_show("norms", n, norms, (columns + 1) * sizeof *norms);
        scale_(&m, &columns, a, &lead, a, norms);
        data_show("scale by itself", n, a, cells * sizeof *a);

        int *place = data_ints(all, 2);
        windows(&in, &out, place, 3);
        data_show("windows", n, y, all * sizeof *y);
        data_show("places", n, place, all * sizeof *place);
        in.d[0] = 0;
        windows(&in, NULL, NULL, 3);
        free(x), free(y), free(sums), free(d), free(a), free(v), free(norms), free(place);
    }
    return 0;
}
