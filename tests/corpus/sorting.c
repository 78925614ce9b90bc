/* Sorting and searching as they stand in many programs. */
#include "data.h"

struct record {
    int key;
    char name[12];
};

#define SWAP(type, a, b) do { type t_ = (a); (a) = (b); (b) = t_; } while (0)

void shell_sort(int *v, int n)
{
#pragma scop
    for (int gap = n / 2; gap > 0; gap /= 2) {
        for (int i = gap; i < n; i++) {
            int t = v[i], j;
            for (j = i; j >= gap && v[j - gap] > t; j -= gap)
                v[j] = v[j - gap];
            v[j] = t;
        }
    }
#pragma endscop
}

void selection_sort(struct record *r, size_t n)
{
#pragma scop
    for (size_t i = 0; i + 1 < n; i++) {
        size_t min = i;
        for (size_t j = i + 1; j < n; j++)
            if (r[j].key < r[min].key)
                min = j;
        if (min != i)
            SWAP(struct record, r[i], r[min]);
    }
#pragma endscop
}

void radix_pass(const uint32_t *in, uint32_t *out, size_t n, int shift)
{
    size_t count[256] = {0};
#pragma scop
    for (size_t i = 0; i < n; i++)
        count[(in[i] >> shift) & 255]++;
    size_t sum = 0;
    for (int b = 0; b < 256; b++) {
        size_t c = count[b];
        count[b] = sum;
        sum += c;
    }
    for (size_t i = 0; i < n; i++)
        out[count[(in[i] >> shift) & 255]++] = in[i];
#pragma endscop
}

/* For each query, where it would be inserted. */
void lower_bounds(const int *sorted, int n, const int *queries, int *places, int m)
{
#pragma scop
    for (int q = 0; q < m; q++) {
        int lo = 0, hi = n;
        while (lo < hi) {
            int mid = lo + (hi - lo) / 2;
            if (sorted[mid] < queries[q])
                lo = mid + 1;
            else
                hi = mid;
        }
        places[q] = lo;
    }
#pragma endscop
}

void heapify(int *heap, int n)
{
#pragma scop
    for (int start = n / 2 - 1; start >= 0; start--) {
        int root = start;
        while (2 * root + 1 < n) {
            int child = 2 * root + 1;
            if (child + 1 < n && heap[child] < heap[child + 1])
                child++;
            if (heap[root] >= heap[child])
                break;
            SWAP(int, heap[root], heap[child]);
            root = child;
        }
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int *v = data_ints(n, 100), *q = data_ints(n, 110), *places = data_ints(n, 1);
        heapify(v, n);
        data_show("heap", n, v, n * sizeof *v);
        shell_sort(v, n);
        data_show("shell", n, v, n * sizeof *v);
        lower_bounds(v, n, q, places, n);
        data_show("bounds", n, places, n * sizeof *places);
        uint32_t *a = data_bytes(4 * n), *b = data_bytes(4 * n);
        radix_pass(a, b, n, 8);
        data_show("radix", n, b, 4 * n);
        struct record *r = data_bytes(n * sizeof *r);
        selection_sort(r, n);
        data_show("selection", n, r, n * sizeof *r);
    }
}
