/* Loops that do one thing each: what the time model's rates are measured with.
 *
 *     kernels SECONDS KIND [BYTES [CELLS]]
 *
 * prints nanoseconds of one unit, the least of many samples. All threads of OpenMP are at work
 * at once, each on BYTES of its own, and a sample is the time of the processor that the slowest
 * one took: other programs take some of the processors, and that is not counted. What is counted
 * of them is what they take of the caches and of the way to memory.
 *
 *     copy      a byte of BYTES / 2 that are read, scaled and stored to as many others
 *     rows      a cell of a three-point stencil over BYTES / 8 cells of 4 bytes and as many
 *               results: in one row, and in rows of about CELLS cells whose ends the compiler
 *               does not know; both by turns, as their difference matters
 *     region    the start and the end of a parallel loop with one iteration per thread
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_max_threads() 1
#define omp_get_thread_num() 0
#endif

enum { LEAST_SAMPLES = 7, LINE = 64 };

/* Bytes that one sample moves at least. */
static const double SAMPLE = 16e6;

/* Nanoseconds that all samples together take at least. */
static double all_samples;

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

__attribute__((noinline)) static void scale(long n, float *restrict out, const float *restrict in,
                                            float factor)
{
    for (long i = 0; i < n; i++)
        out[i] = in[i] * factor;
    __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void stencil(long rows, const long *restrict ends,
                                              float *restrict out, const float *restrict in,
                                              float factor)
{
    for (long row = 0; row < rows; row++)
        for (long i = ends[row]; i < ends[row + 1]; i++)
            out[i] = (in[i - 1] + in[i] + in[i + 1]) * factor;
    __asm__ volatile("" ::: "memory");
}

/* One thread's arrays. */
struct own {
    float *in, *out;
    long cells, rows, *ends;
};

/* Cells are split into rows of `length` cells, by turns up to a quarter more and less, so that
 * what is left of a row behind its last vector differs. `length` 0: one row. */
static int make(struct own *own, long bytes, long length)
{
    enum { RIM = 16 };
    own->cells = bytes / (2 * (long)sizeof(float));
    size_t size = ((size_t)own->cells + 2 * RIM) * sizeof(float);
    long most = length ? own->cells / (length - length / 4) + 2 : 2;
    own->in = malloc(size);
    own->out = malloc(size);
    own->ends = malloc((size_t)most * sizeof(long));
    if (!own->in || !own->out || !own->ends)
        return 0;
    for (size_t i = 0; i < size / sizeof(float); i++)
        own->in[i] = own->out[i] = 1;
    own->rows = 0;
    own->ends[0] = RIM;
    unsigned state = 1;
    while (own->ends[own->rows] < RIM + own->cells) {
        state = state * 1664525u + 1013904223u;
        long step = own->cells;
        if (length)
            step = length - length / 4 + (long)(state >> 16) % (length / 2 + 1);
        long end = own->ends[own->rows] + step;
        own->ends[++own->rows] = end < RIM + own->cells ? end : RIM + own->cells;
    }
    return 1;
}

/* What a pass over a thread's arrays does. */
enum pass { COPY, ONE_ROW, ROWS, PASSES };

static void pass(const struct own *own, enum pass what)
{
    const long whole[2] = { own->ends[0], own->ends[own->rows] };
    if (what == COPY)
        scale(own->cells, own->out, own->in, 0.5f);
    else if (what == ONE_ROW)
        stencil(1, whole, own->out, own->in, 0.25f);
    else
        stencil(own->rows, own->ends, own->out, own->in, 0.25f);
}

/* Nanoseconds per cell of those passes for which `least` is not negative, by turns; nonzero if
 * there is no memory. */
static int cells(long bytes, long length, double least[PASSES])
{
    int threads = omp_get_max_threads(), failed = 0;
    struct own *all = calloc((size_t)threads, sizeof *all);
    if (!all)
        return 1;
#pragma omp parallel num_threads(threads)
    if (!make(&all[omp_get_thread_num()], bytes, length)) {
#pragma omp atomic write
        failed = 1;
    }
    if (failed)
        return 1;
    long passes = 1 + (long)(SAMPLE / (double)bytes);
    double begin = now(CLOCK_MONOTONIC);
    for (int sample = 0; sample < LEAST_SAMPLES || now(CLOCK_MONOTONIC) - begin < all_samples;
         sample++)
        for (enum pass what = 0; what < PASSES; what++) {
            double slowest = 0;
            if (least[what] < 0)
                continue;
#pragma omp parallel num_threads(threads)
            {
                double start = now(CLOCK_THREAD_CPUTIME_ID);
                for (long p = 0; p < passes; p++)
                    pass(&all[omp_get_thread_num()], what);
                double took = now(CLOCK_THREAD_CPUTIME_ID) - start;
#pragma omp critical
                slowest = took > slowest ? took : slowest;
            }
            slowest /= (double)passes * (double)all[0].cells;
            least[what] = slowest < least[what] ? slowest : least[what];
        }
    return 0;
}

/* Nanoseconds of a parallel loop. */
static double region(void)
{
    int threads = omp_get_max_threads();
    long *count = calloc((size_t)threads * LINE, sizeof *count);
    if (!count)
        return -1;
    double least = 1e30, begin = now(CLOCK_MONOTONIC);
    for (int sample = 0; sample < LEAST_SAMPLES || now(CLOCK_MONOTONIC) - begin < all_samples;
         sample++) {
        double start = now(CLOCK_MONOTONIC);
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int t = 0; t < threads; t++)
            count[t * LINE]++;
        double took = now(CLOCK_MONOTONIC) - start;
        least = took < least ? took : least;
    }
    return least;
}

int main(int argc, char **argv)
{
    all_samples = argc > 1 ? 1e9 * atof(argv[1]) : 0;
    const char *kind = argc > 2 ? argv[2] : "";
    long bytes = argc > 3 ? atol(argv[3]) : 0, length = argc > 4 ? atol(argv[4]) : 0;
    double least[PASSES] = { -1, -1, -1 };
    if (!strcmp(kind, "copy") && bytes > 0) {
        least[COPY] = 1e30;
        if (cells(bytes, 0, least))
            return 1;
        printf("%.9g\n", least[COPY] / sizeof(float));
    } else if (!strcmp(kind, "rows") && bytes > 0 && length >= 4) {
        least[ONE_ROW] = least[ROWS] = 1e30;
        if (cells(bytes, length, least))
            return 1;
        printf("%.9g %.9g\n", least[ONE_ROW], least[ROWS]);
    } else if (!strcmp(kind, "region")) {
        printf("%.9g\n", region());
    } else {
        return 1;
    }
    return 0;
}
