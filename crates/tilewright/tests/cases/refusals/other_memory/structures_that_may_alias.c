// Memory that is more, or less, than its declaration says.
struct __attribute__((__may_alias__)) s { int k; }; struct s t[99];
void f(int n, float a[restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) { t[i].k = a[i]; }
#pragma endscop
}
// refused: TW0209
