// Variables that are declared in a region: names, first values, and what may not be declared there.
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

// case: float t = b[i]; a[i] = t;
// model lines:
//   float t = b[i]
//   a[i] = t

// case: float t; t = b[i]; a[i] = t + t;
// model lines:
//   float t
//   t = b[i]
//   a[i] = t + t

// case: float t = b[i]; t *= 2; a[i] = t;
// model lines:
//   float t = b[i]
//   t = t * 2
//   a[i] = t

// case: float t = 1; { float t = 2; a[i] = t; } b[i] = t;
// model lines:
//   float t = 1
//   float t_2 = 2
//   a[i] = t_2
//   b[i] = t

// case: float t = 1; { float t = 2; { float t = 3; a[i] = t; } b[i] = t; } d[i] = t;
// model lines:
//   float t = 1
//   float t_2 = 2
//   float t_3 = 3
//   a[i] = t_3
//   b[i] = t_2
//   d[i] = t

// case: float visible = b[i]; a[i] = visible;
// model lines:
//   float visible_2 = b[i]
//   a[i] = visible_2

// case: float n = b[i]; a[i] = n;
// model lines:
//   float n_2 = b[i]
//   a[i] = n_2

// case: float x = b[i]; { float i = x; a[0] = i; }
// model lines:
//   float x = b[i]
//   float i_2 = x
//   a[0] = i_2

// case: float t[2]; t[0] = b[i]; t[1] = 2; { float t = 3; a[i] = t; } b[i] = t[0];
// model lines:
//   float t_2 = 3
//   a[i] = t_2

// case: int t[3] = {n, 2}; d[i] = t[0];
// model lines:
//   t[i][0] = n
//   t[i][1] = 2
//   t[i][2] = 0

// case: int t[] = {n, 2}; d[i] = t[0];
// model lines:
//   t[i][0] = n
//   t[i][1] = 2

// case: int t[2][2] = {{n}, {2, 3}}; d[i] = t[0][0];
// model lines:
//   t[i][0][0] = n
//   t[i][0][1] = 0
//   t[i][1][0] = 2
//   t[i][1][1] = 3

// case: struct p t = {1, {2}}; d[i] = t.y[0];
// model lines:
//   t_x[i] = 1
//   t_y[i][0] = 2
//   t_y[i][1] = 0

// case: int t[1] = {{n}}; d[i] = t[0];
// model lines:
//   t[i][0] = n

// case: int t[64] = {n}; d[i] = t[0];
// model lines:
//   statement [n] -> { S1[i, at] : 0 <= i < n and 0 < at <= 63 }
//   t[i][at] = 0

// case: int t[4096] = {0, n, [4095] = 3}; d[i] = t[0];
// model lines:
//   statement [n] -> { S2[i, at] : 0 <= i < n and 2 <= at <= 4094 }
//   t[i][at] = 0
//   write 0 [n] -> { S2[i, at] -> t[i, at] }
//   statement [n] -> { S3[i] : 0 <= i < n }
//   t[i][4095] = 3

// case: int t[8][8] = {0}; d[i] = t[i & 7][0];
// model lines:
//   t[at][at_2] = 0

// case: struct p t[32] = {{1}}; d[i] = t[0].x;
// model lines:
//   statement [n] -> { S3[i, at] : 0 <= i < n and 0 < at <= 31 }
//   t_x[i][at] = 0

// case: int t[2][2] = {0, n, 2, 3}; d[i] = t[0][1];
// refused: arrays and structures cannot be assigned

// case: int t[65] = {n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n}; d[i] = t[0];
// refused: a long list of initial values inside a region

// case: int t[n]; t[0] = 1; d[i] = t[0];
// model lines:
//   t[i][0] = 1

// case: int t[2] = d; d[i] = t[0];
// refused: arrays and structures cannot be assigned

// case: int t[1] = {{3, 4}}; d[i] = t[0];
// refused: a list as the value of a scalar

// case: static int t; d[i] = t;
// refused: `t` is static and declared inside the region

// case: int *t = d; d[i] = t[0];
// model lines:
//   d[i] = d[0]

// case: int *t = n > 2 ? d : d + 1; d[i] = t[0];
// refused: the pointer `t` is not followed to an array

// case: int _Complex t = 1; a[i] = t;
// refused: values of type `_Complex` are not supported
