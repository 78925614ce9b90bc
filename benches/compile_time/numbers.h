/* What the programs of this folder share: numbers to begin with, and a sum of what comes out. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline uint32_t next_word(void)
{
    static uint32_t state = 12345;
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static inline void fill(void *to, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)to)[i] = (unsigned char)next_word();
}

static inline void fill_doubles(double *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = 0.5 + next_word() / 16777216.0;
}

static inline void fill_floats(float *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = 0.5f + next_word() / 16777216.0f;
}

static inline void show(const char *name, const void *what, size_t bytes)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ ((const unsigned char *)what)[i]) * 1099511628211u;
    printf("%s %016llx\n", name, (unsigned long long)sum);
}
