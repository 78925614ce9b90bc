/* Members and functions by short names, as files included for one implementation define them. */
#include <limits.h>
#define width (im->width)
#define rows im->height
#define PIXEL(x, y) px[(y) * width + (x)]
#define px (im->px)
#define n (cfg.n + extra)
#define extra 0
#define c0 1000
#define c1(x) ((x) - 1)
#define i0 7
#define tw_t 12
#define tw_min(a, b) ((a) - (b))
#define omp nothing
#define parallel serial
#define twice(x) (twice(x) + 1)
#define stdout stdout
