// A parameter and the variable of a loop have one name.
void f(int j, float *restrict A) {
#pragma scop
    for (int i = 0; i < j; i++) { A[i] = 1; }
    for (int j = 0; j < 3; j++) A[j] = 1;
#pragma endscop
}
// model lines:
//   param j_2 = int j
