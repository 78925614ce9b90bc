#include <stdio.h>

static int memory[64];

/* Rows without cells: whatever the height, nothing is touched. */
static void mirror(int h, int w, int (*a)[w])
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = w - 1; x >= 0; x -= 3)
            a[y][x] = a[y][x] * 2 + y;
#pragma endscop
}

static void border(int h, int w, int (*restrict a)[w], int (*restrict b)[w])
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int left = x > 0 ? x - 1 : w - 1;
            b[y][x] = a[y][left] + a[h - 1 - y][w - 1 - x];
        }
#pragma endscop
}

/* A temporary row that may have no cells. */
static int last_of_row(int n)
{
    int sum = 0;
    int row[n];
#pragma scop
    for (int i = n - 1; i >= 0; i -= 2)
        row[i] = i + memory[i];
    for (int i = n - 1; i >= 0; i -= 2)
        sum += row[i];
#pragma endscop
    return sum;
}

int main(void)
{
    for (int i = 0; i < 64; i++)
        memory[i] = i * 5 % 23;
    for (int h = 0; h < 4; h++)
        for (int w = 0; w < 6; w++) {
            mirror(h, w, (int (*)[w])(memory + 8));
            border(h, w, (int (*)[w])(memory + 8), (int (*)[w])(memory + 34));
            printf("%d ", last_of_row(h * w));
        }
    for (int i = 0; i < 64; i++)
        printf("%d ", memory[i]);
    puts("");
}
