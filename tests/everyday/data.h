/* Data for the functions of this folder, and a hash of what they leave behind. Each file is a
 * function as programmers write it, and a main function that calls it on several sizes and prints
 * one line for each.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t data_state = 88172645463325252u;

static inline uint64_t data_next(void)
{
    data_state ^= data_state << 13;
    data_state ^= data_state >> 7;
    data_state ^= data_state << 17;
    return data_state;
}

/* `bytes` random bytes in memory of their own. */
static inline void *data_bytes(size_t bytes)
{
    unsigned char *p = malloc(bytes + 1);
    for (size_t k = 0; k < bytes; k++)
        p[k] = (unsigned char)(data_next() >> 24);
    return p;
}

/* Integers from 0 to below `limit`. */
static inline int *data_ints(size_t count, int limit)
{
    int *p = malloc((count + 1) * sizeof *p);
    for (size_t k = 0; k < count; k++)
        p[k] = limit > 0 ? (int)(data_next() % (unsigned)limit) : 0;
    return p;
}

/* Numbers between -1 and 1. */
static inline float *data_floats(size_t count)
{
    float *p = malloc((count + 1) * sizeof *p);
    for (size_t k = 0; k < count; k++)
        p[k] = (float)((double)(int64_t)data_next() / 9.3e18);
    return p;
}

static inline double *data_doubles(size_t count)
{
    double *p = malloc((count + 1) * sizeof *p);
    for (size_t k = 0; k < count; k++)
        p[k] = (double)(int64_t)data_next() / 9.3e18;
    return p;
}

/* Prints the hash of some memory. */
static inline void data_show(const char *what, int size, const void *memory, size_t bytes)
{
    const unsigned char *p = memory;
    uint64_t hash = 14695981039346656037u;
    for (size_t k = 0; k < bytes; k++)
        hash = (hash ^ p[k]) * 1099511628211u;
    printf("%s %d %016llx\n", what, size, (unsigned long long)hash);
}

static const int data_sizes[] = {0, 1, 2, 3, 5, 8, 17, 33, 64, 100};
#define DATA_EACH(n)                                                                              \
    for (size_t data_k = 0; data_k < sizeof data_sizes / sizeof *data_sizes; data_k++)            \
        for (int n = data_sizes[data_k], data_once = 1; data_once; data_once = 0)
