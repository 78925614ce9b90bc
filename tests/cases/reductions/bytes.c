// Devices have no atomic updates of bytes; processors have.
void f(int n, int key[restrict n], unsigned char count[restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        count[key[i]] += 1;
#pragma endscop
}
// compile: --target opencl
// warned: `count` are of type unsigned char
// code lacks: atomic_add
// compile: --reductions atomic
// code contains: omp atomic
