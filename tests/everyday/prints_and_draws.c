/* Loops that print as they go, and loops that draw random numbers. */
#include "data.h"
#include <inttypes.h>
#include <math.h>

struct reading { char label[12]; short channel; float value; };

static double unit(void) { return rand() / (double)RAND_MAX; }

static int between(int low, int high)
{
    int span = high - low + 1;
    return low + rand() % span;
}

static void say(const char *what, int which, double value)
{
    printf("%s %d: %.4f\n", what, which, value);
}

static void print_row(const float *row, int n)
{
    for (int x = 0; x < n; x++)
        printf(x ? " %.2f" : "%.2f", row[x]);
    putchar('\n');
}

void scatter(float *x, float *y, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = (float)(2 * unit() - 1);
        y[i] = 0.5f * x[i] + (float)unit();
    }
    for (int i = 0; i < n; i++)
        y[i] = y[i] * y[i];
#pragma endscop
}

void shuffle(int *deck, int n)
{
#pragma scop
    for (int i = n - 1; i > 0; i--) {
        int j = rand() % (i + 1);
        int kept = deck[i];
        deck[i] = deck[j];
        deck[j] = kept;
    }
#pragma endscop
}

void roll(int *faces, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int face = between(0, 5);
        faces[face]++;
        if (rand() % 4 == 0)
            faces[face] += 10;
    }
#pragma endscop
}

void lengths(double *sums, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int many = rand() % 5;
        double sum = 0;
        for (int j = 0; j < many; j++)
            sum += j * 0.5 + i;
        sums[i] = sum;
        while (rand() % 3)
            sums[i] += 1;
    }
#pragma endscop
}

void relax(int n, float *a, float *b)
{
#pragma scop
    for (int t = 0; t < 4; t++) {
        double change = 0;
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                b[y * n + x] = 0.25f * (a[(y - 1) * n + x] + a[(y + 1) * n + x] + a[y * n + x - 1] + a[y * n + x + 1]);
                change += fabs(b[y * n + x] - a[y * n + x]);
            }
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++)
                a[y * n + x] = b[y * n + x];
        if (t % 2 == 1)
            say("sweep", t, change);
    }
#pragma endscop
}

void report(FILE *to, const char *restrict title, int n, float *m, double *means)
{
#pragma scop
    fprintf(to, "%s\n", title);
    for (int y = 0; y < n; y++) {
        double sum = 0;
        for (int x = 0; x < n; x++)
            sum += m[y * n + x];
        means[y] = sum / n;
        fprintf(to, "%*d%c %s %.3g\n", 4, y, means[y] < 0 ? '-' : '+', y % 2 ? "odd" : "even", means[y]);
    }
    for (int y = 0; y < n; y++)
        print_row(m + y * n, n);
#pragma endscop
}

void list(struct reading *r, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        r[i].value = r[i].value * 2 + i;
        printf("%s|%hd|%g|%" PRId64 "|%zu\n", r[i].label, r[i].channel, r[i].value, (int64_t)i << 33, sizeof(struct reading));
    }
#pragma endscop
}

void picture(FILE *to, const uint8_t *p, int h, int w)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++)
            fputc(' ' + p[y * w + x] % 90, to);
        fputs("\n", to);
    }
#pragma endscop
}

double back_and_forth(FILE *f, int n)
{
    double sum = 0;
    float block[8];
    char line[24];
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 8; k++)
            block[k] = i * 0.25f - k;
        fwrite(block, sizeof(float), 8, f);
    }
    rewind(f);
    for (int i = 0; i < n; i++) {
        fread(block, sizeof(float), 8, f);
        for (int k = 0; k < 8; k++)
            sum += block[k] * (k + 1);
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 20; k++)
            line[k] = 'a' + (i + k) % 26;
        line[20] = 0;
        puts(line);
        fputs(&line[i % 20], stdout);
    }
#pragma endscop
    return sum;
}

int main(void)
{
    srand(17);
    for (int n = 1; n < 40; n = n * 3 + 1) {
        float *x = data_floats((size_t)n * n), *y = data_floats((size_t)n * n);
        int *deck = data_ints(n, 100), faces[6] = {0};
        double *means = data_doubles(n);
        uint8_t *p = data_bytes((size_t)n * n);
        struct reading *r = calloc(n, sizeof *r);
        for (int i = 0; i < n; i++) {
            snprintf(r[i].label, sizeof r[i].label, "r%d", i);
            r[i].channel = (short)(i * 1000);
        }
        scatter(x, y, n);
        shuffle(deck, n);
        roll(faces, 5 * n);
        lengths(means, n);
        data_show("sums", n, means, n * sizeof *means);
        relax(n, x, y);
        report(stdout, "means", n, x, means);
        list(r, n);
        picture(stdout, p, n, n);
        FILE *f = tmpfile();
        printf("\n%.6f\n", back_and_forth(f, n));
        fclose(f);
        printf("%d\n", rand());
        data_show("x", n, x, (size_t)n * n * sizeof *x);
        data_show("y", n, y, (size_t)n * n * sizeof *y);
        data_show("deck", n, deck, n * sizeof *deck);
        data_show("faces", n, faces, sizeof faces);
        free(x); free(y); free(deck); free(means); free(p); free(r);
    }
    return 0;
}
