// Pointers and types.
struct point { float x; int w; float v[3]; };
union both { int i; float f; };
void f(int n, struct point *restrict p, float **rows, float *restrict q, union both u,
       struct point s, _Complex int *restrict wide, float *restrict a) {
#pragma scop
  for (int i = 0; i < n; i++) {
    rows[i][0] = 1;
    p[i].v[1] = 2;
    p[i].x = p->x;
    u.f = 1;
    s = p[i];
    wide[i] = 1;
    q++;
    float *r = a;
    static int calls;
    a[i] = a;
  }
#pragma endscop
}
// refused:
//   error TW0208: `p` is used with subscripts and `p->x` without
//     --> 10:14 `p->x` one way
//      -  10:5 `p[i].x` the other way
//     help: write `p[0].x` instead of `p->x`
//   error TW0208: `f` shares its memory with other fields of a union
//     --> 11:5 `u.f` 
//      -  4:74 `union both u` declared here
//     help: use a structure
//   error TW0209: values of type `_Complex` are not supported in regions
//     --> 13:5 `wide[i]` 
//      -  5:24 `_Complex int *restrict wide` declared here
//     help: use `float`, `double` or an integer type
//   error TW0207: `calls` is static and declared inside the region
//     --> 16:16 `calls` keeps its value from one iteration to the next
//     help: declare it before the region
//   error TW0208: `a` is a pointer here, not a number
//     --> 17:12 `a` 
//      -  5:53 `float *restrict a` declared here
//     help: regions compute with scalars and array elements; move pointer handling out of the region
