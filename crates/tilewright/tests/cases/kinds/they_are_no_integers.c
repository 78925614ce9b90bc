// Complex and wide numbers are no integers.
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

// case: d[x[i]] = 1;
// refused: `x[i]` is a floating-point number, and a subscript has to be

// case: k[i] = z[i] % 2;
// refused: `z[i]` is a floating-point number, and `%` takes

// case: k[i] = 1 << h[i];
// refused: `h[i]` is a floating-point number, and `<<` takes

// case: z[i] = ~z[i];
// refused: `z[i]` is a floating-point number, and `~` takes

// case: z[i] = 2i;
// refused: imaginary constant

// case: int _Complex t = 1; k[i] = t;
// refused: values of type `_Complex`

// case: _Complex _Float16 t = 1; k[i] = t;
// refused: values of type `_Complex`
