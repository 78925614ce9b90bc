// Memory that is more, or less, than its declaration says.
typedef int __attribute__((__may_alias__)) any; any *t;
void f(int n, float a[restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) { t[i] = a[i]; }
#pragma endscop
}
// refused: TW0209
