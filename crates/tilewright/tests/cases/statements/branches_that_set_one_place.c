// Both sides of a choice are converted to the element's type, unless they are elements of it.
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
    for (int i = 0; i < n; i++) { CASE }
#pragma endscop
}

// case: if (d[i]) a[i] = 1; else a[i] = 2;
// model lines:
//   a[i] = d[i] ? (float)1 : (float)2

// case: if (d[i]) a[i] = b[i]; else a[i] = d[i];
// model lines:
//   a[i] = d[i] ? b[i] : (float)d[i]

// case: if (d[i]) a[i] = d[0]; else a[i] = b[0];
// model lines:
//   a[i] = d[i] ? (float)d[0] : b[0]

// case: if (d[i]) c[i] = d[0]; else c[i] = c[0];
// model lines:
//   c[i] = d[i] ? (byte)d[0] : c[0]

// case: if (d[i]) a[i] = 1; else b[i] = 2;
// model lines:
//   if d[i]
//   a[i] = 1
//   else
//   b[i] = 2

// case: if (d[i]) a[i] = 1; else a[0] = 2;
// model lines:
//   if d[i]
//   a[i] = 1
//   else
//   a[0] = 2

// case: if (d[i]) a[i] = 1;
// model lines:
//   if d[i]
//   a[i] = 1

// case: if (d[i]) ; else a[i] = 1;
// model lines:
//   if d[i]
//   else
//   a[i] = 1

// case: if (d[i]) { a[i] = 1; b[i] = 2; } else a[i] = 3;
// model lines:
//   if d[i]
//   a[i] = 1
//   b[i] = 2
//   else
//   a[i] = 3

// case: if (d[i]) { } else { } a[i] = 1;
// model lines:
//   a[i] = 1

// case: if (d[i]) { if (d[0]) a[i] = 1; else a[i] = 2; } else a[i] = 3;
// model lines:
//   a[i] = d[i] ? (float)(d[0] ? (float)1 : (float)2) : (float)3
