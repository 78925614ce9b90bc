// Pointers without restrict.
struct grid { float *cells; int n; };
static float *buffer;
static float factor;
void f(int n, int m, float *a, const float *b, float (*c)[n], struct grid *g, int *count, char *text) {
#pragma scop
  for (int i = 1; i < n - 1; i++) a[i] = b[i + 1] + c[i][0] * factor;
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) g->cells[i * m + j] = buffer[i];
  for (int i = 0; i < g->n; i++) count[2 * i] = i;
  for (int i = 0; i < n; i++) text[i] = ' ';
#pragma endscop
}
// model:
//   region 0 of f
//     param n = int n
//     param m = int m
//     param g_n = int g->n
//     context [n, m, g_n] -> {  : n >= 0 }
//     check b (rows from [n, m, g_n] -> { [(2)] : n >= 3 } to before [n, m, g_n] -> { [(n)] : n >= 3 }) and a (rows from [n, m, g_n] -> { [(1)] : n >= 3 } to before [n, m, g_n] -> { [(-1 + n)] : n >= 3 }) are apart
//     check c (rows from [n, m, g_n] -> { [(1)] : n >= 3 } to before [n, m, g_n] -> { [(-1 + n)] : n >= 3 }) and a (rows from [n, m, g_n] -> { [(1)] : n >= 3 } to before [n, m, g_n] -> { [(-1 + n)] : n >= 3 }) are apart
//     check a (rows from [n, m, g_n] -> { [(1)] : n >= 3 } to before [n, m, g_n] -> { [(-1 + n)] : n >= 3 }) and buffer (rows from [n, m, g_n] -> { [(0)] : n > 0 and m > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 and m > 0 }) are apart
//     check b (rows from [n, m, g_n] -> { [(2)] : n >= 3 } to before [n, m, g_n] -> { [(n)] : n >= 3 }) and g->cells (rows of m from [n, m, g_n] -> { [(0)] : n > 0 and m > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 and m > 0 }) are apart
//     check c (rows from [n, m, g_n] -> { [(1)] : n >= 3 } to before [n, m, g_n] -> { [(-1 + n)] : n >= 3 }) and g->cells (rows of m from [n, m, g_n] -> { [(0)] : n > 0 and m > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 and m > 0 }) are apart
//     check a (rows from [n, m, g_n] -> { [(1)] : n >= 3 } to before [n, m, g_n] -> { [(-1 + n)] : n >= 3 }) and g->cells (rows of m from [n, m, g_n] -> { [(0)] : n > 0 and m > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 and m > 0 }) are apart
//     check buffer (rows from [n, m, g_n] -> { [(0)] : n > 0 and m > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 and m > 0 }) and g->cells (rows of m from [n, m, g_n] -> { [(0)] : n > 0 and m > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 and m > 0 }) are apart
//     check b (rows from [n, m, g_n] -> { [(2)] : n >= 3 } to before [n, m, g_n] -> { [(n)] : n >= 3 }) and text (rows from [n, m, g_n] -> { [(0)] : n > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 }) are apart
//     check c (rows from [n, m, g_n] -> { [(1)] : n >= 3 } to before [n, m, g_n] -> { [(-1 + n)] : n >= 3 }) and text (rows from [n, m, g_n] -> { [(0)] : n > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 }) are apart
//     check a (rows from [n, m, g_n] -> { [(1)] : n >= 3 } to before [n, m, g_n] -> { [(-1 + n)] : n >= 3 }) and text (rows from [n, m, g_n] -> { [(0)] : n > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 }) are apart
//     check buffer (rows from [n, m, g_n] -> { [(0)] : n > 0 and m > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 and m > 0 }) and text (rows from [n, m, g_n] -> { [(0)] : n > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 }) are apart
//     check g->cells (rows of m from [n, m, g_n] -> { [(0)] : n > 0 and m > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 and m > 0 }) and text (rows from [n, m, g_n] -> { [(0)] : n > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 }) are apart
//     check count (rows from [n, m, g_n] -> { [(0)] : n >= 0 and g_n > 0 } to before [n, m, g_n] -> { [(-1 + 2g_n)] : n >= 0 and g_n > 0 }) and text (rows from [n, m, g_n] -> { [(0)] : n > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 }) are apart
//     check a (rows from [n, m, g_n] -> { [(1)] : n >= 3 } to before [n, m, g_n] -> { [(-1 + n)] : n >= 3 }) and factor are apart
//     check g->cells (rows of m from [n, m, g_n] -> { [(0)] : n > 0 and m > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 and m > 0 }) and factor are apart
//     check text (rows from [n, m, g_n] -> { [(0)] : n > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 }) and factor are apart
//     check count (rows from [n, m, g_n] -> { [(0)] : n >= 0 and g_n > 0 } to before [n, m, g_n] -> { [(-1 + 2g_n)] : n >= 0 and g_n > 0 }) and g->n are apart
//     check text (rows from [n, m, g_n] -> { [(0)] : n > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 }) and g->n are apart
//     check text (rows from [n, m, g_n] -> { [(0)] : n > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 }) and buffer are apart
//     check text (rows from [n, m, g_n] -> { [(0)] : n > 0 } to before [n, m, g_n] -> { [(n)] : n > 0 }) and g->cells are apart
//     array b: float b[?], parameter, live-in, live-out
//     array c: float c[?][n], parameter, live-in, live-out
//     array a: float a[?], parameter, live-in, live-out
//     array buffer: float buffer[?], global, live-in, live-out
//     array g_cells: float g->cells[?][m], strides (m, 1), parameter, live-in, live-out
//     array count: int count[?], parameter, live-in, live-out
//     array text: char text[?], parameter, live-in, live-out
//     statement [n, m, g_n] -> { S0[i] : 0 < i <= -2 + n }
//       a[i] = b[i + 1] + (c[i][0] * factor)
//       read 0 [n, m, g_n] -> { S0[i] -> b[1 + i] }
//       read 1 [n, m, g_n] -> { S0[i] -> c[i, 0] }
//       write 2 [n, m, g_n] -> { S0[i] -> a[i] }
//     statement [n, m, g_n] -> { S1[i, j] : 0 <= i < n and 0 <= j < m }
//       g_cells[i][j] = buffer[i]
//       read 0 [n, m, g_n] -> { S1[i, j] -> buffer[i] }
//       write 1 [n, m, g_n] -> { S1[i, j] -> g_cells[i, j] }
//     statement [n, m, g_n] -> { S2[i] : 0 <= i < g_n }
//       count[2 * i] = i
//       write 0 [n, m, g_n] -> { S2[i] -> count[2i] }
//     statement [n, m, g_n] -> { S3[i] : 0 <= i < n }
//       text[i] = ' '
//       write 0 [n, m, g_n] -> { S3[i] -> text[i] }
//     schedule
//       sequence
//         filter S0
//           band i
//         filter S1
//           band i
//             band j
//         filter S2
//           band i
//         filter S3
//           band i
// warned: nothing
