// arguments: 4 27 16 7 double:3024 double:3024
// choices: fuse=No tile-sizes=4,6,8 vectorise
void kernel(int steps, int n0, int n1, int n2, double A[restrict n0][n1][n2], double B[restrict n0][n1][n2])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 2; i < n0 - 2; i++)
      for (int j = 2; j < n1 - 2; j++)
        for (int k = 2; k < n2 - 2; k++)
          B[i][j][k] = 0.1 * A[i + 2][j - 2][k + 0] + 0.2 * A[i + 2][j + 2][k + 2] + 0.3 * A[i - 1][j + 1][k + 2];
    for (int i = 2; i < n0 - 2; i++)
      for (int j = 2; j < n1 - 2; j++)
        for (int k = 2; k < n2 - 2; k++)
          A[i][j][k] = B[i][j][k];
  }
#pragma endscop
}
