// Sizes that are divided by others are strides as they are.
void f(float *restrict out, int w, int h, int c, int step) {
  int oh = h / step, ow = (w - 1) / step + 1;
#pragma scop
  for (int y = 0; y < oh; y++)
    for (int x = 0; x < ow; x++)
      for (int k = 0; k < c; k++) out[(y * ow + x) * c + k] = x;
#pragma endscop
}
// model:
//   region 0 of f
//     param h = int h
//     param step = int step
//     param oh = int oh
//     param w = int w
//     param ow = int ow
//     param c = int c
//     context [h, step, oh, w, ow, c] -> {  :  }
//     array out: float out[?][ow][c], strides (ow * c, c, 1), parameter, live-in, live-out
//     statement [h, step, oh, w, ow, c] -> { S0[y, x, k] : 0 <= y < oh and 0 <= x < ow and 0 <= k < c }
//       out[y][x][k] = x
//       write 0 [h, step, oh, w, ow, c] -> { S0[y, x, k] -> out[y, x, k] }
//     schedule
//       band y
//         band x
//           band k
// warned: nothing
