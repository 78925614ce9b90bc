// Where one of two arrays is crossed whichever loop is innermost, cells are written one after the
// other, in tiles as many rows as one cache holds at any distance.
void transposed(int n, int m, const double a[restrict n][m], double b[restrict m][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) b[j][i] = a[i][j];
#pragma endscop
}

// Read row by row already: the writes stay in their order.
void gathered(int n, int m, const float a[restrict m][n], float b[restrict n][m]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) b[i][j] = 3 * a[j][i];
#pragma endscop
}
// compile:
// code contains: /* b: parallelogram tiles of 16 x 16 */
// code lines:
//   for (long c3 = 16 * c0; c3 <= c3_last; c3++) {
//   b[c2][c3] = a[c3][c2];
// code lines:
//   for (long c3 = 16 * c1; c3 <= c3_last; c3++) {
//   b[c2][c3] = 3 * a[c3][c2];
// warned: nothing
