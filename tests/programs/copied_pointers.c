#include <stdio.h>
#include <stdlib.h>

/* Memory that the function allocates, and what `restrict` pointers lead to, by copies of the pointers. */
struct list {
    int *cells;
};

static int *kept;

static __attribute__((noinline)) void keep(int *cells)
{
    kept = cells;
}

static int allocated(int n)
{
    int *own = malloc((n + 1) * sizeof(int)), *copy = own;
    own[0] = 3;
#pragma scop
    for (int i = 0; i < n; i++)
        own[i + 1] = copy[i] * 5 % 97 + i;
#pragma endscop
    int last = own[n];
    free(own);
    return last;
}

static int stored(int n, struct list *list)
{
    int *own = malloc((n + 1) * sizeof(int));
    own[0] = 3;
    list->cells = own;
#pragma scop
    for (int i = 0; i < n; i++)
        own[i + 1] = list->cells[i] * 5 % 97 + i;
#pragma endscop
    int last = own[n];
    free(own);
    return last;
}

static int called(int n)
{
    int *own = malloc((n + 1) * sizeof(int));
    own[0] = 3;
    keep(own);
#pragma scop
    for (int i = 0; i < n; i++)
        own[i + 1] = kept[i] * 5 % 97 + i;
#pragma endscop
    int last = own[n];
    free(own);
    return last;
}

static int alone(int n, int *restrict own)
{
    int *copy = own + 1;
    own[0] = 3;
#pragma scop
    for (int i = 0; i < n; i++)
        copy[i] = own[i] * 5 % 97 + i;
#pragma endscop
    return own[n];
}

int main(void)
{
    static int cells[2001];
    struct list list;
    printf("%d %d %d %d\n", allocated(2000), stored(2000, &list), called(2000), alone(2000, cells));
    return 0;
}
