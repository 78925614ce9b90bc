// Why a bound is not one that the model has.
void f(int n, int m, float x, float a[restrict n], const int idx[restrict n]) {
#pragma scop
    for (int j = 0; CASE; j++) a[j] = 1;
#pragma endscop
}

// case: j < idx[0] && j * m < n
// refused: `idx[0]` is read from memory, its value is data

// case: j < *idx && j * m < n
// refused: `*idx` is read from memory, its value is data

// case: j + (int)x < n
// refused: `x` is a floating-point value

// case: j + (int)sizeof(int) < n
// refused: `sizeof` is not evaluated here

// case: j + (int)2.5 < n
// refused: this is not an integer constant

// case: j + (float)j < n
// refused: this is a floating-point value
