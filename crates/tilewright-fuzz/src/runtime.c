/* Calls the original and the result of each check on equal memory and compares every byte.
   Each check runs in a process of its own; one line says what came of it. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fcntl.h>
#include "runtime.h"

#ifdef __SANITIZE_ADDRESS__
enum { GUARD = 0 };
#else
enum { GUARD = 256 };
#endif

static uint64_t state;

static uint64_t next(void)
{
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static const int bytes_of[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 16};

static void put(char *at, int type, long value, int quarter)
{
    switch (type) {
    case 0: *(int8_t *)at = value; break;
    case 1: *(uint8_t *)at = value; break;
    case 2: *(int16_t *)at = value; break;
    case 3: *(uint16_t *)at = value; break;
    case 4: *(int32_t *)at = value; break;
    case 5: *(uint32_t *)at = value; break;
    case 6: *(int64_t *)at = value; break;
    case 7: *(uint64_t *)at = value; break;
    case 8: *(float *)at = value + 0.25f * quarter; break;
    case 9: *(double *)at = value + 0.25 * quarter; break;
    case 10: *(long double *)at = value + 0.25L * quarter + 0.1L; break;
    }
}

static double shown(const char *at, int type)
{
    switch (type) {
    case 0: return *(int8_t *)at;
    case 1: return *(uint8_t *)at;
    case 2: return *(int16_t *)at;
    case 3: return *(uint16_t *)at;
    case 4: return *(int32_t *)at;
    case 5: return *(uint32_t *)at;
    case 6: return *(int64_t *)at;
    case 7: return *(uint64_t *)at;
    case 8: return *(float *)at;
    case 10: return *(long double *)at;
    default: return *(double *)at;
    }
}

static int by_value(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

/* Guarded memory for every array of one run. */
static char **memory(const struct fuzz_check *c, int run)
{
    char **all = malloc(c->arrays * sizeof *all);
    /* The same wherever the check stands, another one for other numbers. */
    state = 42;
    for (int k = 0; k < c->count; k++) state = (state ^ (uint64_t)c->numbers[run * c->count + k]) * 0x9e3779b97f4a7c15u;
    for (int k = 0; k < c->arrays; k++) {
        long count = c->counts[run * c->arrays + k];
        int type = c->types[k], size = bytes_of[type];
        char *block = malloc(count * size + 2 * GUARD);
        memset(block, 0xa5, count * size + 2 * GUARD);
        all[k] = block + GUARD;
        long low = c->lows[k], high = c->highs[run * c->arrays + k];
        long width = high < low ? 1 : high - low + 1;
        long *values = malloc((count + 1) * sizeof *values);
        for (long e = 0; e < count; e++) values[e] = low + (long)(next() % (uint64_t)width);
        if (c->sorted[k]) qsort(values, count, sizeof *values, by_value);
        for (long e = 0; e < count; e++) put(all[k] + e * size, type, values[e], low == high ? 0 : next() % 4);
        free(values);
    }
    return all;
}

/* 1: a value differs, or memory that was not to be touched; 2: nothing but signs of zeros. What
   differs first of the first kind is said, else of the second. */
static int differs(const struct fuzz_check *c, int run, char **a, char **b)
{
    int zeros = 0, array = 0;
    long element = 0;
    for (int k = 0; k < c->arrays; k++) {
        long count = c->counts[run * c->arrays + k];
        int type = c->types[k], size = bytes_of[type];
        for (long e = 0; e < count; e++) {
            const char *x = a[k] + e * size, *y = b[k] + e * size;
            if (!memcmp(x, y, size)) continue;
            /* Nobody says what is in the bytes that a long double does not use. */
            if (type == 10 && !memcmp(x, y, 10)) continue;
            if (type == 10 && *(long double *)x != *(long double *)y && shown(x, type) == shown(y, type)) {
                printf("%d %d differs run %d memory %d element %ld: %.21Lg became %.21Lg\n", c->program, c->version, run, k, e,
                       *(long double *)x, *(long double *)y);
                return 1;
            }
            double one = shown(x, type), two = shown(y, type);
            if (type >= 8 && one != one && two != two) continue;
            if (type >= 8 && one == two) {
                if (!zeros) array = k, element = e;
                zeros = 1;
                continue;
            }
            printf("%d %d differs run %d memory %d element %ld: %.17g became %.17g\n", c->program, c->version, run, k, e, one, two);
            return 1;
        }
        for (long e = 0; e < GUARD; e++)
            if (a[k][e - GUARD] != b[k][e - GUARD] || a[k][count * size + e] != b[k][count * size + e]) {
                printf("%d %d differs run %d memory %d outside of its %ld elements\n", c->program, c->version, run, k, count);
                return 1;
            }
    }
    if (zeros) {
        const char *x = a[array] + element * bytes_of[c->types[array]], *y = b[array] + element * bytes_of[c->types[array]];
        printf("%d %d zeros run %d memory %d element %ld: %g became %g\n", c->program, c->version, run, array, element,
               shown(x, c->types[array]), shown(y, c->types[array]));
        return 2;
    }
    return 0;
}

static void release(const struct fuzz_check *c, char **all)
{
    for (int k = 0; k < c->arrays; k++) free(all[k] - GUARD);
    free(all);
}

static int check(const struct fuzz_check *c, volatile int *progress)
{
    for (int run = 0; run < c->runs; run++) {
        progress[0] = run;
        char **a = memory(c, run), **b = memory(c, run);
        progress[1] = 0;
        c->original(c->numbers + run * c->count, (void **)a);
        progress[1] = 1;
        c->result(c->numbers + run * c->count, (void **)b);
        progress[1] = 2;
        if (differs(c, run, a, b)) return 3;
        release(c, a);
        release(c, b);
    }
    printf("%d %d same %d\n", c->program, c->version, c->runs);
    return 0;
}

int main(int argc, char **argv)
{
    volatile int *progress = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int k = 0; k < fuzz_check_count; k++) {
        const struct fuzz_check *c = &fuzz_checks[k];
        fflush(stdout);
        progress[0] = progress[1] = 0;
        int words[2];
        if (pipe(words)) return 4;
        pid_t child = fork();
        if (!child) {
            dup2(words[1], 2);
            close(words[0]);
            struct rlimit limit = {20, 25};
            setrlimit(RLIMIT_CPU, &limit);
            struct rlimit core = {0, 0};
            setrlimit(RLIMIT_CORE, &core);
            alarm(900);
            int status = check(c, progress);
            fflush(stdout);
            _exit(status);
        }
        close(words[1]);
        char said[8192];
        size_t length = 0;
        for (;;) {
            char rest[4096];
            ssize_t got = length < sizeof said - 1 ? read(words[0], said + length, sizeof said - 1 - length) : read(words[0], rest, sizeof rest);
            if (got <= 0) break;
            if (length < sizeof said - 1) length += got;
        }
        said[length] = 0;
        close(words[0]);
        int status;
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3)) continue;
        const char *phase = progress[1] == 0 ? "original" : progress[1] == 1 ? "result" : "comparison";
        char *line = strstr(said, "runtime error");
        if (!line) line = strstr(said, "AddressSanitizer: ");
        if (line) line[strcspn(line, "\n")] = 0;
        printf("%d %d crash run %d in the %s: %s %d %s\n", c->program, c->version, progress[0], phase, WIFSIGNALED(status) ? "signal" : "status",
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), line ? line : "");
    }
    printf("done\n");
    return 0;
}
