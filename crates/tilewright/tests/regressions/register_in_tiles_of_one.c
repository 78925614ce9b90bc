// arguments: 4 float:4 float:4
// choices: fuse=Max tile-sizes=1
void kernel(int n0, const float in[restrict n0], float s3[restrict n0])
{
  float (*restrict s0) = malloc(sizeof(float[n0]));
  float (*restrict s1) = malloc(sizeof(float[n0]));
  float (*restrict s2) = malloc(sizeof(float[n0]));
#pragma scop
  for (int i = 0; i < n0 - 0 - 0; i++)
    s0[i] = 0.1f * in[i + 0];
  for (int i = 0; i < n0 - 0 - 0; i++)
    s1[i] = 0.1f * in[i + 0];
  for (int i = 0; i < n0 - 0 - 0; i++)
    s2[i] = 0.1f * in[i + 0];
  for (int i = 0; i < n0 - 0 - 0; i++)
    s3[i] = 0.1f * s0[i + 0];
#pragma endscop
  free(s0);
  free(s1);
  free(s2);
}
