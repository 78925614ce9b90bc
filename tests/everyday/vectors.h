/* Small functions as headers have them. */
#ifndef VECTORS_H
#define VECTORS_H
#include <stdint.h>
#include <math.h>
static const float weights[3] = {0.25f, 0.5f, 0.25f};
extern int factor;
static int counter;
enum mode { FAST, SLOW = 3 };
typedef struct { float x, y, z; } v3;
static inline v3 add3(v3 a, v3 b) { v3 r = {a.x + b.x, a.y + b.y, a.z + b.z}; return r; }
static inline v3 scale3(v3 a, float s) { a.x *= s; a.y *= s; a.z *= s; return a; }
static inline float dot3(const v3 *a, const v3 *b) { return a->x * b->x + a->y * b->y + a->z * b->z; }
static inline int times(int x) { return x * factor; }
static inline float weighted(const float *p) { float s = 0; for (int k = 0; k < 3; k++) s += weights[k] * p[k]; return s; }
static inline uint8_t sat(int v) { if (v < 0) return 0; if (v > 255) return 255; return v; }
static inline int pick(int i, int n) { switch (i % 3) { case 0: return i; case 1: return n - 1 - i; default: return 0; } }
static inline void swap_ints(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static inline int mirror(int i, int n) { if (i < 0) i = -i; if (i >= n) i = 2 * n - 2 - i; return i; }
static inline int tick(void) { return counter++; }
static inline double norm(int n, const double *v) { double s = 0; for (int i = 0; i < n; i++) s += v[i] * v[i]; return sqrt(s); }
static inline int min(int a, int b) { return a < b ? a : b; }
extern inline __attribute__((gnu_inline, always_inline)) int tripled(int x) { return 3 * x; }
#define IDX(i, j) ((i) * W + (j))
#endif
