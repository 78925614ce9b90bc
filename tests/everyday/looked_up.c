/* Subscripts that are data: tables, permutations, ends of edges, clamped and limited places; results
 * lie beside what is read, or in it. */
#include "data.h"

void embed(int n, int dim, float *out, const float *table, const int *token)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < dim; j++)
            out[i * dim + j] = table[token[i] * dim + j];
#pragma endscop
}

void embed_unsigned(unsigned n, unsigned dim, float *out, const float *table, const unsigned *token)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < dim; j++)
            out[i * dim + j] += table[(token[i] & 15) * dim + j];
#pragma endscop
}

void permute(size_t n, int64_t *out, const int64_t *in, const size_t *order)
{
#pragma scop
    for (size_t i = 0; i < n; i++)
        out[i] = in[order[i]] + 1;
#pragma endscop
}

/* Two ends each, behind one another. */
void stretch(int edges, float *length, const float *at, const int *ends)
{
#pragma scop
    for (int e = 0; e < edges; e++)
        length[e] = at[3 * ends[2 * e] + 1] - at[3 * ends[2 * e + 1] + 1];
#pragma endscop
}

struct link {
    int from, to;
};

void differences(int n, int *out, const int *in, const struct link *links)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = in[links[i].from] - in[links[i].to];
#pragma endscop
}

void backwards(int n, int base, int *out, const int *in, const short *back)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = in[base - back[i]] * 2;
#pragma endscop
}

void clamped(int n, int m, int *out, const int *in, const int *moved)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int k = i + moved[i];
        if (k < 0)
            k = 0;
        else if (k >= m)
            k = m - 1;
        out[i] = in[k];
    }
#pragma endscop
}

void inside_only(int n, int m, float *out, const float *in, const int *place)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int k = place[i];
        out[i] = k >= 0 && k < m ? in[k] : -1;
    }
#pragma endscop
}

void hashed(int n, int buckets, float *out, const float *in, const uint32_t *hash)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = in[hash[i] % (unsigned)buckets];
#pragma endscop
}

void around(int n, int m, float *out, const float *in, const int *place)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = in[((place[i] % m) + m) % m];
#pragma endscop
}

/* What a condition leaves out is not read: some of it is far away. */
void some(int n, float *out, const float *in, const int *place, const unsigned char *wanted)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (wanted[i])
            out[i] = in[place[i]];
        else
            out[i] = 0;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        size_t count = 20 * n + 80;
        float *f = data_floats(count);
        int64_t *l = data_bytes(count * sizeof *l);
        int *in = data_ints(count, 1000), *token = data_ints(2 * n, 16);
        size_t *order = malloc((n + 1) * sizeof *order);
        short *back = malloc((n + 1) * sizeof *back);
        struct link *links = malloc((n + 1) * sizeof *links);
        int *far_away = data_ints(n, 400);
        unsigned char *wanted = data_bytes(n);
        for (int i = 0; i < n; i++) {
            order[i] = data_next() % (unsigned)n;
            back[i] = (short)(data_next() % 41) - 20;
            links[i].from = (int)(data_next() % 16), links[i].to = (int)(data_next() % 12);
            far_away[i] -= 200;
            l[i] &= 0xffffff;
        }
        for (size_t k = 0; k < count; k++)
            l[k] &= 0xffffff;
        for (int less = 0; less < 3; less++) {
            embed(n, 4, f + 64 - less, f, token);
            embed_unsigned(n, 4, f + 64 - less, f, (const unsigned *)far_away);
            permute(n, l + (n > less ? n - less : n), l, order);
            stretch(n, f + 47 - less, f, token);
            differences(n, in + 16 - less, in, links);
            backwards(n, 20, in + 41 - less, in, back);
            clamped(n, 30, in + 30 - less, in, far_away);
            inside_only(n, 30, f + 30 - less, f, far_away);
            hashed(n, 30, f + 30 - less, f, (const uint32_t *)far_away);
            around(n, 30, f + 30 - less, f, far_away);
            around(n, -30, f + 60 - less, f + 60, token);
            for (int i = 0; i < n; i++)
                if (!wanted[i % n] || !(wanted[i] &= 1))
                    far_away[i] = 1 << 30;
                else
                    far_away[i] &= 15;
            some(n, f + 16 - less, f, far_away, wanted);
            for (int i = 0; i < n; i++)
                far_away[i] = (int)(data_next() % 400) - 200;
            data_show("floats", n, f, count * sizeof *f);
            data_show("longs", n, l, count * sizeof *l);
            data_show("ints", n, in, count * sizeof *in);
        }
        free(f), free(l), free(in), free(token), free(order), free(back), free(links);
        free(far_away), free(wanted);
    }
}
