// Memory that is more, or less, than its declaration says.
extern _Thread_local float t;
void f(int n, float a[restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) { a[i] = t; }
#pragma endscop
}
// refused: TW0209
