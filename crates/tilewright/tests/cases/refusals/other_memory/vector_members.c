// Memory that is more, or less, than its declaration says.
struct s { float v __attribute__((vector_size(16))); int k; } t[99];
void f(int n, float a[restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) { t[i].v = t[i].v + 1; }
#pragma endscop
}
// refused: TW0209
