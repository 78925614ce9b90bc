/* The end of a classifier and one head of attention. */
#include "data.h"
#include <math.h>

/* Returns the mean loss; the gradients take the place of the logits. */
double cross_entropy(float *logits, const int *labels, int rows, int classes)
{
    double loss = 0;
#pragma scop
    for (int r = 0; r < rows; r++) {
        float *z = &logits[r * classes];
        float top = z[0];
        for (int c = 1; c < classes; c++)
            if (z[c] > top)
                top = z[c];
        float sum = 0;
        for (int c = 0; c < classes; c++) {
            z[c] = expf(z[c] - top);
            sum += z[c];
        }
        for (int c = 0; c < classes; c++)
            z[c] /= sum;
        loss -= log(z[labels[r]] + 1e-9);
        z[labels[r]] -= 1;
        for (int c = 0; c < classes; c++)
            z[c] /= (float)rows;
    }
#pragma endscop
    return rows ? loss / rows : 0;
}

void attention_head(const float *q, const float *k, const float *v, float *out, float *scores,
                    int seq, int dim)
{
    float scale = 1.0f / sqrtf((float)dim);
#pragma scop
    for (int i = 0; i < seq; i++) {
        float max = -1e30f;
        for (int j = 0; j <= i; j++) {
            float dot = 0;
            for (int d = 0; d < dim; d++)
                dot += q[i * dim + d] * k[j * dim + d];
            scores[j] = dot * scale;
            if (scores[j] > max)
                max = scores[j];
        }
        float total = 0;
        for (int j = 0; j <= i; j++) {
            scores[j] = expf(scores[j] - max);
            total += scores[j];
        }
        for (int d = 0; d < dim; d++) {
            float acc = 0;
            for (int j = 0; j <= i; j++)
                acc += scores[j] / total * v[j * dim + d];
            out[i * dim + d] = acc;
        }
    }
#pragma endscop
}

/* How often the largest logit is the label's. */
int count_correct(const float *logits, const int *labels, int rows, int classes)
{
    int correct = 0;
#pragma scop
    for (int r = 0; r < rows; r++) {
        int best = 0;
        for (int c = 1; c < classes; c++)
            if (logits[r * classes + c] > logits[r * classes + best])
                best = c;
        correct += best == labels[r];
    }
#pragma endscop
    return correct;
}

int main(void)
{
    DATA_EACH(n) {
        int dim = 6;
        float *q = data_floats(n * dim), *k = data_floats(n * dim), *v = data_floats(n * dim);
        float *out = data_floats(n * dim), *scores = data_floats(n);
        int *labels = data_ints(n, dim);
        attention_head(q, k, v, out, scores, n, dim);
        data_show("attention", n, out, n * dim * sizeof *out);
        int right = count_correct(out, labels, n, dim);
        double loss = cross_entropy(out, labels, n, dim);
        printf("right %d loss %.9g\n", right, loss);
        data_show("gradient", n, out, n * dim * sizeof *out);
    }
}
