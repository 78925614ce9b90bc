/* What a machine can do at most, for comparison: the bandwidth of main memory by
 * a triad a = b + s c over arrays of N elements each, and the rate of vector
 * multiply-adds on registers. Prints bytes and floating-point operations per
 * second with the threads that OMP_NUM_THREADS says, the best of REPEATS each.
 *
 * N, REPEATS and VECTOR_BYTES (of a vector register) are macros.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

typedef double vector __attribute__((vector_size(VECTOR_BYTES)));

/* Enough independent additions for two units with a latency of four cycles, and
 * few enough for 16 registers. */
#define CHAINS 12
#define ROUNDS 1000000L

static double triad(double *restrict a, const double *restrict b,
                    const double *restrict c)
{
    double begin = omp_get_wtime();
#pragma omp parallel for schedule(static)
    for (long i = 0; i < N; i++)
        a[i] = b[i] + 3.0 * c[i];
    return omp_get_wtime() - begin;
}

static double sink;

static double multiply_adds(void)
{
    double begin = omp_get_wtime();
#pragma omp parallel
    {
        vector x[CHAINS], total = {0}, factor = {0}, term = {0};
        for (int k = 0; k < CHAINS; k++)
            x[k] = total + (double)k;
        factor += 0.5;
        term += 1.0;
        for (long round = 0; round < ROUNDS; round++) {
#pragma GCC unroll 12
            for (int k = 0; k < CHAINS; k++)
                x[k] = x[k] * factor + term;
        }
        for (int k = 0; k < CHAINS; k++)
            total += x[k];
#pragma omp critical
        sink += total[0];
    }
    return omp_get_wtime() - begin;
}

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b),
           *c = malloc(N * sizeof *c);
    if (!a || !b || !c)
        return 1;
    int threads = 1;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < N; i++) {
        a[i] = 0;
        b[i] = 1;
        c[i] = 2;
        if (i == 0)
            threads = omp_get_num_threads();
    }
    double bandwidth = 0, rate = 0;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double bytes = 3.0 * sizeof *a * N / triad(a, b, c);
        double operations = 2.0 * VECTOR_BYTES / sizeof(double) * CHAINS * ROUNDS
                            * threads / multiply_adds();
        bandwidth = bytes > bandwidth ? bytes : bandwidth;
        rate = operations > rate ? operations : rate;
    }
    printf("%.6e %.6e\n", bandwidth, rate);
    return !(a[N - 1] == 7 && sink > 0);
}
