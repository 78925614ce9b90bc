// arguments: 14 7 6 float:588 float:63 float:588
// choices: tile-sizes=7,5 inline=9,2 vectorise jam=3
void kernel(int n0, int n1, int n2, const float in[restrict n0][n1][n2], float s1[restrict n0 / 2][n1 / 2][n2 / 2], float s4[restrict n0][n1][n2])
{
  float (*restrict s0)[n1][n2] = malloc(sizeof(float[n0][n1][n2]));
  float (*restrict s2)[n1][n2] = malloc(sizeof(float[n0][n1][n2]));
  float (*restrict s3)[n1][n2] = malloc(sizeof(float[n0][n1][n2]));
#pragma scop
  for (int i = n0 - 2 - 1 - 0; i >= 2; i--)
    for (int j = 2; j < n1 - 2 - 0; j++)
      for (int k = 2; k < n2 - 2 - 0; k++)
        if (i + j + k > 14) s0[i][j][k] = 0.1f * in[i + 1][j - 1][k - 2] + 0.4f * in[i + 0][j + 0][k + 2] + 0.2f * in[i + 2][j + 1][k - 1] + 0.4f * in[i + 1][j - 1][k - 1]; else s0[i][j][k] = in[i + 1][j - 1][k - 2];
  for (int i = 3; i < n0 / 2 - 3 - 0; i++)
    for (int j = 3; j < n1 / 2 - 3 - 0; j++)
      for (int k = 3; k < n2 / 2 - 3 - 0; k++)
        s1[i][j][k] = 0.1f * in[2 * i - 2][2 * j - 1][2 * k - 2] + 0.1f * in[2 * i - 2][2 * j + 2][2 * k + 1] + 0.2f * in[2 * i + 2][2 * j + 0][2 * k + 1];
  for (int i = n0 - 11 - 1 - 0; i >= 11; i--)
    for (int j = 11; j < n1 - 11 - 0; j++)
      for (int k = 11; k < n2 - 11 - 0; k++)
        if (i + j + k > 7) s2[i][j][k] = 0.3f * in[i - 1][j - 2][k + 1] + 0.5f * s1[i / 2 + 2][j / 2 + 1][k / 2 - 1] + 0.2f * s1[i / 2 + 0][j / 2 + 2][k / 2 + 2] + 0.2f * s0[i + 0][j - 1][k + 0]; else s2[i][j][k] = in[i - 1][j - 2][k + 1];
  for (int i = 3; i < n0 - 3 - 0; i++)
    for (int j = 3; j < n1 - 3 - 0; j++)
      for (int k = 3; k < n2 - 3 - 0; k++)
        s3[i][j][k] = 0.5f * s0[i - 1][j + 0][k - 1];
  for (int i = n0 - 4 - 1 - 0; i >= 4; i--)
    for (int j = 4; j < n1 - 4 - 0; j++)
      for (int k = 4; k < n2 - 4 - 0; k++)
        s4[i][j][k] = 0.1f * in[i - 2][j + 0][k + 2] + 0.5f * s0[i + 0][j + 1][k + 2];
#pragma endscop
  free(s0);
  free(s2);
  free(s3);
}
