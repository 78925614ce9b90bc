// found: an index that is moved in several steps, with what it is made of between them
// seed: 0:0
// options: --fuse max --tile-sizes 4 --fork-operations 0
// memory: i32:-99..99 i32:-99..99
// run: 7 5 | 35 35 | 99 99
// run: 1 1 | 1 1 | 99 99
// run: 12 3 | 36 36 | 99 99
struct image { int w, h; int *data; };
static int pixel(const struct image *m, int x, int y)
{
    if (x < 0) x = 0;
    if (x >= m->w) x = m->w - 1;
    y = y < 0 ? -y : y;
    if (y > m->h - 1)
        y = 2 * m->h - 2 - y;
    if (y < 0)
        y = 0;
    return m->data[y * m->w + x];
}
static void blur(const struct image *from, struct image *to)
{
#pragma scop
    for (int y = 0; y < from->h; y++)
        for (int x = 0; x < from->w; x++) {
            int sum = 0, last = from->w - 1;
            for (int k = -2; k <= 2; k++) {
                sum += pixel(from, x + k, y - k);
                int at;
                if (x + k < 0)
                    at = last;
                else if (x + k > last) {
                    at = 0;
                } else {
                    at = x;
                    at += k;
                }
                sum += from->data[y * from->w + at];
                last = last > 0 ? last - (k & 1) : last;
            }
            to->data[y * to->w + x] = sum;
        }
#pragma endscop
}
void entry(const long *s, void **p)
{
    struct image from = {s[0], s[1], p[0]}, to = {s[0], s[1], p[1]};
    blur(&from, &to);
}
