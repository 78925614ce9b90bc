// Complex numbers, `long double`, `__float128` and `_Float16` in statements.
typedef struct __float128 __float128; typedef double _Complex cpx;
struct bin { cpx z; long double l; _Float16 h[2]; };
double cabs(cpx); static cpx twice(cpx z) { return z + z; }
void f(int n, cpx z[restrict n], float _Complex w[restrict n], long double x[restrict n],
       _Float16 h[restrict n], __float128 q[restrict n], double d[restrict n], int k[restrict n],
       struct bin *restrict b, cpx c, long double l, _Float16 g, long double _Complex *restrict y) {
#pragma scop
    for (int i = 0; i < n; i++) { CASE }
#pragma endscop
}

// case: z[i] = z[i] * c + 1.0i;
// model lines:
//   z[i] = (z[i] * c) + 1.0i

// case: z[i] += d[i] * (__extension__ 1.0iF);
// model lines:
//   z[i] = z[i] + (d[i] * 1.0iF)

// case: w[i] = __builtin_complex(1.0f, -2.0f) - w[i];
// model lines:
//   w[i] = __builtin_complex(1.0f, -2.0f) - w[i]

// case: d[i] = cabs(z[i]);
// model lines:
//   d[i] = cabs(z[i])

// case: z[i] = twice(z[i]);
// model lines:
//   z[i] = twice(z[i])

// case: cpx t = z[i] / 2; z[i] = t * t;
// model lines:
//   cpx t = z[i] / 2
//   z[i] = t * t

// case: x[i] = x[i] / 3 + 1.0L / 3;
// model lines:
//   x[i] = (x[i] / 3) + (1.0L / 3)

// case: long double s = d[i]; s += l; d[i] = s;
// model lines:
//   long double s = d[i]
//   s = s + l
//   d[i] = s

// case: h[i] = (_Float16)(d[i] * g) + h[i];
// model lines:
//   h[i] = (_Float16)(d[i] * g) + h[i]

// case: q[i] = (__float128)d[i] * q[i];
// model lines:
//   q[i] = (__float128)d[i] * q[i]

// case: k[i] = z[i] == c && x[i] < l;
// model lines:
//   k[i] = (z[i] == c) && (x[i] < l)

// case: k[i] = sizeof(long double) + sizeof z[i] + sizeof *y;
// model lines:
//   k[i] = (16ul + 16ul) + 32ul
