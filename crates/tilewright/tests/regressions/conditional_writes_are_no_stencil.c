// arguments: 14 float:14 float:14 float:28
// choices: shape=Scalene tile-sizes=7,1,5 inline=3
void kernel(int n0, const float in[restrict n0], float s3[restrict n0], float s5[restrict 2 * n0])
{
  float (*restrict s0) = malloc(sizeof(float[n0]));
  float (*restrict s1) = malloc(sizeof(float[n0]));
  float (*restrict s2) = malloc(sizeof(float[n0]));
  float (*restrict s4) = malloc(sizeof(float[n0]));
#pragma scop
  for (int i = n0 - 2 - 1 - 0; i >= 2; i--)
    if (i % 2 == 0) s0[i] = 0.1f * in[i - 1] + 0.5f * in[i + 2] + 0.2f * in[i - 2] + 0.1f * in[i - 2]; else s0[i] = in[i - 1];
  for (int i = n0 - 3 - 1 - 0; i >= 3; i--)
    { s1[i] = 0.5f * s0[i + 1] + 0.3f * s0[i + 1]; if (s0[i + 1] > 0.5) s1[i] = s0[i + 1]; }
  for (int i = 4; i < n0 - 4 - 0; i++)
    s2[i] = 0.4f * s1[i - 1] + 0.5f * in[i - 1] + 0.4f * in[i + 1];
  for (int i = n0 - 1 - 1 - 0; i >= 1; i--)
    s3[i] = 0.2f * in[i - 1] + 0.5f * in[i - 1] + 0.3f * in[i - 1];
  for (int i = 4; i < n0 - 4 - 0; i++)
    s4[i] = 0.1f * s3[i + 2] + 0.2f * s0[i + 2] + 0.4f * s0[i - 2];
  for (int i = 9; i < 2 * n0 - 9 - 0; i++)
    if (i > 8) s5[i] = 0.3f * s0[i / 2 + 0] + 0.2f * s1[i / 2 + 1] + 0.5f * s0[i / 2 + 1] + 0.3f * in[i / 2 - 1]; else s5[i] = s0[i / 2 + 0];
#pragma endscop
  free(s0);
  free(s1);
  free(s2);
  free(s4);
}
