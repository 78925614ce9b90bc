// What an assignment to a part of a complex number reads and writes is the whole number.
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

// case: d[i] = __real__ z[i] - __imag__ z[i];
// model lines:
//   d[i] = __real__(z[i]) - __imag__(z[i])

// case: __real__ z[i] = d[i];
// model lines:
//   z[i] = __builtin_complex((double)d[i], __imag__(z[i]))

// case: __imag__ w[i] *= k[i];
// model lines:
//   w[i] = __builtin_complex(__real__(w[i]), (float)(__imag__(w[i]) * k[i]))

// case: __real__ d[i] = 1;
// refused: an assignment to a part of this

// case: (__real__ z[i])++;
// refused: `++` or `--` of a part of a complex number

// case: d[!__imag__ z[i]] = ~__real__ k[i];
// model lines:
//   d[!__imag__(z[i])] = ~__real__(k[i])

// The words in a text or in a name are nobody's operators.
// case: const char *s = "__real__ z"; int __real__x = k[i]; k[i] = __real__x + 1;
// refused: a string inside the region

// case: int __real__x = k[i]; k[i] = __real__x + 1;
// model lines:
//   int __real__x = k[i]
//   k[i] = __real__x + 1
