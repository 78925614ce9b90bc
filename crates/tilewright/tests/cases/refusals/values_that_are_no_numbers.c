// Values that are no numbers.
void f(int n, int a[restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) a[i] = CASE;
#pragma endscop
}

// case: "ab" != 0
// refused: TW0208

// case: (long)"ab"
// refused: TW0208

// case: "ab"[0]
// refused: TW0208

// case: *"ab"
// refused: TW0208

// case: !"ab"
// refused: TW0208

// case: L"ab" == 0
// refused: TW0208
