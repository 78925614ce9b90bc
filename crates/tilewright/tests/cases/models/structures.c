// Structures.
struct point { float x, y; int w; };
struct grid { int n; float *restrict cells; struct point origin; float sum; };
void f(struct grid *restrict g, struct point *restrict P, struct point last) {
#pragma scop
  for (int i = 0; i < g->n; i++) {
    g->cells[i] = P[i].x * g->origin.x + last.y;
    (P + i)->y += P[i].w;
  }
  g->sum = g->cells[0];
#pragma endscop
}
// model:
//   region 0 of f
//     param g_n = int g->n
//     context [g_n] -> {  :  }
//     array P_x: float P[?].x, parameter, live-in, live-out
//     array g_cells: float g->cells[?], parameter, live-in, live-out
//     array P_y: float P[?].y, parameter, live-in, live-out
//     array P_w: int P[?].w, parameter, live-in, live-out
//     array g_sum: float g->sum, parameter, live-in, live-out
//     statement [g_n] -> { S0[i] : 0 <= i < g_n }
//       g_cells[i] = (P_x[i] * g->origin.x) + last.y
//       read 0 [g_n] -> { S0[i] -> P_x[i] }
//       write 1 [g_n] -> { S0[i] -> g_cells[i] }
//     statement [g_n] -> { S1[i] : 0 <= i < g_n }
//       P_y[i] = P_y[i] + P_w[i]
//       read 0 [g_n] -> { S1[i] -> P_y[i] }
//       read 1 [g_n] -> { S1[i] -> P_w[i] }
//       write 2 [g_n] -> { S1[i] -> P_y[i] }
//     statement [g_n] -> { S2[] }
//       g_sum = g_cells[0]
//       read 0 [g_n] -> { S2[] -> g_cells[0] }
//       write 1 [g_n] -> { S2[] -> g_sum[] }
//     schedule
//       sequence
//         filter S0, S1
//           band i
//             sequence
//               filter S0
//               filter S1
//         filter S2
// warned: nothing
