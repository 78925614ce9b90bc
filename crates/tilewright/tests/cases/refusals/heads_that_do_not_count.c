// Heads that do not count, or not as they are written.
void f(int n, int a[restrict n], unsigned char c) {
    int i = 0, k = 0;
    unsigned u;
#pragma scop
    CASE
#pragma endscop
}

// The body has a say.
// case: while (n--) { a[n] = 1; if (a[0] > 2) n--; }
// refused: TW0208 at 6:12 `n` is changed in the middle of an expression

// case: for (i = n; i-- > 0;) { a[i] = 1; i -= a[i]; }
// refused: TW0202

// case: while (n--) { if (a[n] == 3) break; a[n] = 1; }
// refused: TW0208

// All numbers are at least zero.
// case: for (u = n; u-- >= 0;) a[u] = 1;
// refused: TW0202

// Two ends at once, of which one is data.
// case: for (i = 0, k = a[0]; i < k; i++, k--) a[i] = 1;
// refused: TW0202

// case: for (i = 0, k = 0; i < k; i += 2, k += 3) a[i] = 1;
// refused: TW0202

// Narrow numbers wrap around.
// case: while (--c) a[c] = 1;
// refused: TW0208 at 6:12 `c` is changed in the middle of an expression
