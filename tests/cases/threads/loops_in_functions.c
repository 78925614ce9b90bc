// Threads execute the loops as they were written, each in a function that is given what they name.
#define AT(a, i, j) (a)[(i) * width + (j)]

typedef struct { int width, height; const float *data; } picture;

static const float limit = 4.0f;

/* What stands above a function stays above it. */
void edges(const picture *in, float *out, float scale)
{
    float tmp[3];
    float sum, *row;
    int i, j, width = in->width;
#pragma scop
    for (i = 1; i <= in->height - 2; ++i) {
        row = out + i * width;
        for (j = 1; j < width - 1; j++) {
            if (i == j)
                continue;
            sum = 0;
            for (int k = 0; k < 3; k++)
                tmp[k] = AT(in->data, i + k - 1, j) * scale;
            for (int k = 0; k < 3; k++)
                sum += tmp[k] * tmp[2 - k];
            if (sum < limit)
                row[j] = sum;
        }
    }
#pragma endscop
}
// compile:
// code contains: static __attribute__((__noinline__)) void tw_share_edges_0_0(const int tw_first, const int tw_end, float scale, int width, const picture *in, float *out)
// code lines:
//   {
//   float tmp[3];
//   float sum;
//   float *row;
//   int i;
//   int j;
//   for (i = tw_first; i < tw_end; ++i) {
// code contains: const long tw_length = (long)(in->height - 2) + 1 - tw_first;
// code contains: tw_share_edges_0_0((int)(tw_first + tw_count * tw_part / tw_threads), (int)(tw_first + tw_count * (tw_part + 1) / tw_threads), scale, width, in, out);
// code contains: tmp[k] = AT(in->data, i + k - 1, j) * scale;
