/* A box that ends at the borders: what is outside is skipped. */
#include "data.h"

void box_blur(const unsigned char *src, unsigned char *dst, int width, int height, int r)
{
#pragma scop
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int sum = 0, count = 0;
            for (int dy = -r; dy <= r; dy++) {
                int yy = y + dy;
                if (yy < 0 || yy >= height)
                    continue;
                for (int dx = -r; dx <= r; dx++) {
                    int xx = x + dx;
                    if (xx < 0 || xx >= width)
                        continue;
                    sum += src[yy * width + xx];
                    count++;
                }
            }
            dst[y * width + x] = sum / count;
        }
    }
#pragma endscop
}

void shortest(int *d, int n)
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            if (d[i * n + k] >= 900)
                continue;
            for (int j = 0; j < n; j++) {
                int through = d[i * n + k] + d[k * n + j];
                if (through < d[i * n + j])
                    d[i * n + j] = through;
                else
                    continue;
                if (d[i * n + j] < 0) {
                    d[i * n + j] = 0;
                    continue;
                }
                d[i * n + j] += 1;
            }
        }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        if (n > 40)
            continue;
        unsigned char *src = data_bytes(n * (n + 1)), *dst = data_bytes(n * (n + 1));
        box_blur(src, dst, n, n + 1, n % 4);
        data_show("box_blur", n, dst, n * (n + 1));
        int *d = data_ints(n * n, 1000);
        shortest(d, n);
        data_show("shortest", n, d, n * n * sizeof *d);
    }
}
