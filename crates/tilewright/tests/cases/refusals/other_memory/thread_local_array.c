// Memory that is more, or less, than its declaration says.
static _Thread_local float t[99];
void f(int n, float a[restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) { t[i] = i; }
#pragma endscop
}
// refused: TW0209
