// arguments: 5 double:27 double:27
// choices: vectorise
void kernel(int n, double a[restrict 3 * n + 12], double d[restrict 3 * n + 12])
{
#pragma scop
  for (int i = 0; i < 4; i++)
    for (int j = 0; j <= i; j++)
      d[3] = 0.5 * d[3] + a[i + j];
#pragma endscop
}
