/* Gathers and scatters: elements reached through an array of indices. */

static unsigned int roll(unsigned int *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static double unit(unsigned int *state)
{
    return roll(state) / 16777216.0 + 0.01;
}

static void shuffle(int n, int p[])
{
    unsigned int s = 12345u;
    for (int i = 0; i < n; i++)
        p[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = (int)(roll(&s) % (unsigned int)(i + 1));
        int t = p[i];
        p[i] = p[j];
        p[j] = t;
    }
}

void gather(int n, int m, int idx[restrict n], double a[restrict m], double out[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = a[idx[i]];
#pragma endscop
}

void gather_init(int n, int m, int idx[restrict n], double a[restrict m], double out[restrict n])
{
    unsigned int s = 1u;
    for (int i = 0; i < m; i++)
        a[i] = unit(&s);
    for (int i = 0; i < n; i++) {
        idx[i] = (int)(roll(&s) % (unsigned int)m);
        out[i] = 0.0;
    }
}

void scatter_distinct(int n, int place[restrict n], double x[restrict n], double out[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[place[i]] = 2.0 * x[i] + 1.0;
#pragma endscop
}

void scatter_distinct_init(int n, int place[restrict n], double x[restrict n], double out[restrict n])
{
    unsigned int s = 2u;
    shuffle(n, place);
    for (int i = 0; i < n; i++) {
        x[i] = unit(&s);
        out[i] = 0.0;
    }
}

void lookup_bytes(int n, const unsigned char table[restrict 256], const unsigned char in[restrict n],
                  unsigned char out[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = table[in[i]];
#pragma endscop
}

void weighted_gather_sum(int n, int m, int idx[restrict n], float weight[restrict n], float a[restrict m],
                         float r[restrict 1])
{
    float s = 0.0f;
#pragma scop
    for (int i = 0; i < n; i++)
        s += weight[i] * a[idx[i]];
    r[0] = s;
#pragma endscop
}

void weighted_gather_sum_init(int n, int m, int idx[restrict n], float weight[restrict n], float a[restrict m],
                              float r[restrict 1])
{
    unsigned int s = 3u;
    for (int i = 0; i < m; i++)
        a[i] = (float)unit(&s);
    for (int i = 0; i < n; i++) {
        idx[i] = (int)(roll(&s) % (unsigned int)m);
        weight[i] = (float)unit(&s);
    }
    r[0] = 0.0f;
}

void byte_histogram(int n, const unsigned char in[restrict n], int count[restrict 256])
{
#pragma scop
    for (int b = 0; b < 256; b++)
        count[b] = 0;
    for (int i = 0; i < n; i++)
        count[in[i]]++;
#pragma endscop
}

void permute_rows(int h, int w, int order[restrict h], float in[restrict h][w], float out[restrict h][w])
{
#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            out[i][j] = in[order[i]][j];
#pragma endscop
}

void permute_rows_init(int h, int w, int order[restrict h], float in[restrict h][w], float out[restrict h][w])
{
    unsigned int s = 4u;
    shuffle(h, order);
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            in[i][j] = (float)unit(&s);
            out[i][j] = 0.0f;
        }
}

void sparse_rows(int n, int each, int start[restrict n + 1], int col[restrict n * each],
                 double val[restrict n * each], double x[restrict n], double y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double s = 0.0;
        for (int k = start[i]; k < start[i + 1]; k++)
            s += val[k] * x[col[k]];
        y[i] = s;
    }
#pragma endscop
}

void sparse_rows_init(int n, int each, int start[restrict n + 1], int col[restrict n * each],
                      double val[restrict n * each], double x[restrict n], double y[restrict n])
{
    unsigned int s = 5u;
    start[0] = 0;
    for (int i = 0; i < n; i++) {
        int most = (i + 1) * each;
        start[i + 1] = most - (int)(roll(&s) % (unsigned int)(each / 2 + 1));
        x[i] = unit(&s);
        y[i] = 0.0;
    }
    for (int k = 0; k < n * each; k++) {
        int c = k / each + (int)(roll(&s) % 64u) - 32;
        col[k] = c < 0 ? 0 : (c >= n ? n - 1 : c);
        val[k] = unit(&s);
    }
}

void edge_flux(int edges, int nodes, int from[restrict edges], int to[restrict edges], double length[restrict edges],
               double u[restrict nodes], double flux[restrict edges])
{
    int e;
#pragma scop
    for (e = 0; e < edges; e++)
        flux[e] = (u[to[e]] - u[from[e]]) * length[e];
#pragma endscop
}

void edge_flux_init(int edges, int nodes, int from[restrict edges], int to[restrict edges],
                    double length[restrict edges], double u[restrict nodes], double flux[restrict edges])
{
    unsigned int s = 6u;
    for (int i = 0; i < nodes; i++)
        u[i] = unit(&s);
    for (int e = 0; e < edges; e++) {
        from[e] = (int)((long)e * nodes / edges);
        to[e] = (from[e] + 1 + (int)(roll(&s) % 50u)) % nodes;
        length[e] = unit(&s);
        flux[e] = 0.0;
    }
}

void interpolate_table(int n, int m, int cell[restrict n], float frac[restrict n], float table[restrict m],
                       float out[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int k = cell[i];
        out[i] = table[k] + frac[i] * (table[k + 1] - table[k]);
    }
#pragma endscop
}

void interpolate_table_init(int n, int m, int cell[restrict n], float frac[restrict n], float table[restrict m],
                            float out[restrict n])
{
    unsigned int s = 7u;
    for (int k = 0; k < m; k++)
        table[k] = (float)unit(&s);
    for (int i = 0; i < n; i++) {
        cell[i] = (int)(roll(&s) % (unsigned int)(m - 1));
        frac[i] = (float)unit(&s);
        out[i] = 0.0f;
    }
}

void scatter_weights(int n, int m, int *restrict bin, double *restrict weight, double *restrict total)
{
#pragma scop
    for (int k = 0; k < m; k++)
        total[k] = 0.0;
    for (int i = 0; i < n; i++)
        total[bin[i]] += weight[i];
#pragma endscop
}

void scatter_weights_init(int n, int m, int *restrict bin, double *restrict weight, double *restrict total)
{
    unsigned int s = 8u;
    for (int k = 0; k < m; k++)
        total[k] = 0.0;
    for (int i = 0; i < n; i++) {
        bin[i] = (int)(roll(&s) % (unsigned int)m);
        weight[i] = unit(&s);
    }
}

void paint_palette(int h, int w, const unsigned char palette[restrict 256][3], const unsigned char index[restrict h][w],
                   unsigned char rgb[restrict h][w][3])
{
#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            rgb[i][j][0] = palette[index[i][j]][0];
            rgb[i][j][1] = palette[index[i][j]][1];
            rgb[i][j][2] = palette[index[i][j]][2];
        }
#pragma endscop
}
