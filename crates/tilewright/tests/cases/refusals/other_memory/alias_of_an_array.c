// Memory that is more, or less, than its declaration says.
float b[99]; extern float t[99] __attribute__((alias("b")));
void f(int n, float a[restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) { b[i] = t[i]; }
#pragma endscop
}
// refused: TW0209
