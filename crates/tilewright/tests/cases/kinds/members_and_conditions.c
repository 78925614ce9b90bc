// Complex numbers and wide ones as members, and in conditions.
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

// case: b[i].z = b[i].l * b[i].h[1];
// model lines:
//   b_z[i] = b_l[i] * b_h[i][1]

// case: if (cabs(z[i]) > 2) z[i] = 0;
// model lines:
//   if cabs(z[i]) > 2
//   z[i] = 0

// case: x[i] = x[i] < 0 ? -x[i] : x[i];
// model lines:
//   x[i] = (x[i] < 0) ? -x[i] : x[i]
