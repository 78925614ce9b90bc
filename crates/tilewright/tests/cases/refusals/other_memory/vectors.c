// Memory that is more, or less, than its declaration says.
typedef float v4 __attribute__((vector_size(16))); v4 t[99];
void f(int n, float a[restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) { t[i] = t[i] + 1; }
#pragma endscop
}
// refused: TW0209
