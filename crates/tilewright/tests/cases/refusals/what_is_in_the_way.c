// Messages name what the program has, at the place that is meant, and advise what was not done yet.
struct image { int w, h; float *data; };
static void set(struct image *m, int x, float v) { m->data[x] = v; }

void decimated(const float *in, float *restrict out, int n, int factor) {
  int o = 0;
#pragma scop
  for (int i = 0; i < n; i += factor) {
    float s = 0;
    for (int k = 0; k < factor && i + k < n; k++) s += in[i + k];
    out[o++] = s / factor;
  }
#pragma endscop
}
// refused: TW0203 at 10:35 this moves by `factor` from turn to turn, which is no number
// messages lack: i_2

void rows(int *const *rows, const int *len, int n, int v) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < len[i]; j++) rows[i][j] = v;
#pragma endscop
}
// refused: TW0206 not where data does, as in `row[i][j]` with `j < length[i]`

void copied(const struct image *in, struct image *out, int n, const int *at) {
  float *restrict data = out->data;
#pragma scop
  for (int i = 0; i < n; i++) set(out, at[at[i]], in->data[i]);
#pragma endscop
}
// refused: `data` is a copy of the pointer with `restrict`: use it in place of `out->data`
// messages lack: copy the pointer before the region

void ends(int n, double *restrict a, int *restrict left) {
#pragma scop
  for (int k = 0; k < n; k++) {
    if (a[k] == 0) {
      left[0] = k;
      break;
    }
    for (int i = k + 1; i < n; i++) {
      if (a[i] > a[k]) return;
      a[i] /= a[k];
    }
  }
#pragma endscop
}
// refused: if (!left) { … }`, and return behind the region
