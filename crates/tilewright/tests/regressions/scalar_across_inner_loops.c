// arguments: 9 double:81 double:9
// choices: shape=None vectorise
void kernel(int n, double a[restrict n][n], double norm[restrict n])
{
  double s;
#pragma scop
  for (int k = 0; k < n; k++) {
    s = 0.0;
    for (int i = 0; i < n; i++)
      s += a[i][k] * a[i][k];
    norm[k] = s;
    for (int i = 0; i < n; i++)
      a[i][k] = a[i][k] / (s + 1.0);
  }
#pragma endscop
}
