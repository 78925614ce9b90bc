// arguments: 5 float:5 float:10
// choices: shape=Scalene
void kernel(int n0, const float in[restrict n0], float s0[restrict 2 * n0])
{
#pragma scop
  for (int i = 2; i < 2 * n0 - 1 - 1; i++)
    s0[i] = 0.1f * in[i / 2 + 0];
  if (2 * n0 - 1 > 1 + 2) {
    s0[1] = in[1 / 2 + 0];
  }
  if (2 * n0 - 1 > 1 + 2) {
    s0[2 * n0 - 1 - 1] = in[(2 * n0 - 1 - 1) / 2 + 0];
  }
  if (2 * n0 - 1 <= 1 + 2) {
  for (int i = 1; i < 2 * n0 - 1; i++)
    s0[i] = in[i / 2 + 0];
  }
#pragma endscop
}
