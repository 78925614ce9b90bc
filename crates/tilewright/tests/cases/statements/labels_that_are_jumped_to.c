// A `goto` from elsewhere gives labels a meaning.
int abs(int); void *malloc(unsigned long); int visible; typedef unsigned char byte;
struct p { float x; int y[2]; };
struct last { int n; int row[9]; }; struct front { int row[9]; int n; };
struct outer { int k; struct last in; }; struct other { struct last in; int k; };
struct nested { int k; struct front in; };

void f(int n, float a[restrict n], float b[restrict n], int d[restrict n], byte c[restrict n],
       struct last *restrict pl, struct front *restrict pf, struct outer *restrict po,
       struct other *restrict pt, struct nested *restrict pn, struct last v) {
    int count; static int kept; float real;
#pragma scop
    for (int i = 0; i < n; i++) { label: a[i] = 1; }
#pragma endscop
    if (visible-- > 0) goto label;
}
// refused: label
