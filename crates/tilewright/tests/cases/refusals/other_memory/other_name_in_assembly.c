// Memory that is more, or less, than its declaration says.
extern float t[99] __asm__("b");
void f(int n, float a[restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) { a[i] = t[i]; }
#pragma endscop
}
// refused: TW0209
