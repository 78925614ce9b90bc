// What a name in C is called in the model: isl's words and statements' names are no names there.
void f(int CASE, float *restrict A) {
#pragma scop
    for (int i = 0; i < CASE; i++) { A[i] = 1; }
    for (int k = 0; k < 3; k++) A[k] = 1;
#pragma endscop
}

// case: size
// model lines:
//   param size = int size

// case: S
// model lines:
//   param S = int S

// case: S0
// model lines:
//   param S0_ = int S0

// case: S12
// model lines:
//   param S12_ = int S12

// case: S1x
// model lines:
//   param S1x = int S1x

// case: Sx
// model lines:
//   param Sx = int Sx

// case: T0
// model lines:
//   param T0 = int T0

// case: mod
// model lines:
//   param mod_ = int mod

// case: and
// model lines:
//   param and_ = int and

// case: andy
// model lines:
//   param andy = int andy

// case: _1
// model lines:
//   param _1 = int _1
