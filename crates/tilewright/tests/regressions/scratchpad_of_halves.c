// arguments: 6 float:6 float:3
// choices: shape=Scalene tile-sizes=2
void kernel(int n0, const float in[restrict n0], float s3[restrict n0 / 2])
{
  float (*restrict s0) = malloc(sizeof(float[n0]));
  float (*restrict s1) = malloc(sizeof(float[n0 / 2]));
  float (*restrict s2) = malloc(sizeof(float[n0 / 2]));
#pragma scop
  for (int i = 0; i < n0 - 0 - 0; i++)
    s0[i] = 0.1f * in[i + 0];
  for (int i = 2; i < n0 / 2 - 1 - 1; i++)
    s1[i] = 0.1f * s0[2 * i + 0];
  if (n0 / 2 - 1 > 1 + 2) {
    s1[1] = s0[2 * (1) + 0];
  }
  if (n0 / 2 - 1 > 1 + 2) {
    s1[(n0 / 2 - 1 - 1)] = s0[2 * ((n0 / 2 - 1 - 1)) + 0];
  }
  if (n0 / 2 - 1 <= 1 + 2) {
  for (int i = 1; i < n0 / 2 - 1; i++)
    s1[i] = s0[2 * i + 0];
  }
  for (int i = 1; i < n0 / 2 - 1 - 0; i++)
    s2[i] = 0.1f * s1[i + 0];
  for (int i = 1; i < n0 / 2 - 1 - 0; i++)
    s3[i] = 0.1f * s1[i + 0];
#pragma endscop
  free(s0);
  free(s1);
  free(s2);
}
