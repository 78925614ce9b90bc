// What threads have for themselves is lost behind the loop.
void f(int n, float *restrict a) {
    float t[4] = {1, 2, 3, 4};
#pragma scop
#pragma omp parallel for private(t)
    for (int i = 0; i < n; i++) { t[1] = i; a[i] = t[1]; }
#pragma endscop
    a[0] = t[2];
}
// refused: TW0207
