#include "numbers.h"
#define SWAP(i, j) if (a[8 * k + i] > a[8 * k + j]) { int t = a[8 * k + i]; a[8 * k + i] = a[8 * k + j]; a[8 * k + j] = t; }
void sort8(int *a, int n)
{
#pragma scop
    for (int k = 0; k < n; k++) {
        SWAP(0, 1)
        SWAP(2, 3)
        SWAP(4, 5)
        SWAP(6, 7)
        SWAP(0, 2)
        SWAP(1, 3)
        SWAP(4, 6)
        SWAP(5, 7)
        SWAP(1, 2)
        SWAP(5, 6)
        SWAP(0, 4)
        SWAP(3, 7)
        SWAP(1, 5)
        SWAP(2, 6)
        SWAP(1, 4)
        SWAP(3, 6)
        SWAP(2, 4)
        SWAP(3, 5)
        SWAP(3, 4)
    }
#pragma endscop
}
int main(void)
{
    int a[8 * 11];
    for (int i = 0; i < 88; i++) a[i] = next_word() % 1000;
    sort8(a, 11);
    show("a", a, sizeof a);
}
