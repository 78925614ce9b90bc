// What overlapped tiles of pipelines know, and those over time of iterated stencils do not, is refused
// there.
void heat(int steps, int n, float A[restrict 2][n][n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[(t + 1) % 2][i][j] = 0.25f * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j]
                    + A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
#pragma endscop
}
// compile: --shape scalene --fuse max --certify never
// refused: TW0507 for an iterated stencil
// compile: --shape right --fuse max --certify never
// refused: TW0507 for an iterated stencil
// compile: --shape scalene --inline pointwise --certify never
// refused: TW0507 for an iterated stencil
// compile: --shape right --inline pointwise --certify never
// refused: TW0507 for an iterated stencil
// compile: --shape scalene --overlap-tolerance 0.1 --certify never
// refused: TW0507 for an iterated stencil
// compile: --shape right --overlap-tolerance 0.1 --certify never
// refused: TW0507 for an iterated stencil
// compile: --shape scalene --point-loops apart --certify never
// refused: TW0507 for an iterated stencil
// compile: --shape right --point-loops apart --certify never
// refused: TW0507 for an iterated stencil
// compile: --shape scalene --group-limit 1 --certify never
// refused: TW0507 for an iterated stencil
// compile: --shape right --group-limit 1 --certify never
// refused: TW0507 for an iterated stencil
// compile: --shape scalene --cost xeon --certify never
// refused: TW0507 for an iterated stencil
// compile: --shape right --cost xeon --certify never
// refused: TW0507 for an iterated stencil
// compile: --shape scalene --separate --certify never
// refused: TW0507 for an iterated stencil
// compile: --shape right --separate --certify never
// refused: TW0507 for an iterated stencil
// compile: --shape scalene --fuse max --target opencl --certify never
// refused: TW0507
// compile: --shape scalene --inline pointwise --target opencl --certify never
// refused: TW0507
// compile: --shape scalene --overlap-tolerance 0.1 --target opencl --certify never
// refused: TW0507
// compile: --shape scalene --point-loops apart --target opencl --certify never
// refused: TW0507
// compile: --shape scalene --group-limit 1 --target opencl --certify never
// refused: TW0507
// compile: --shape scalene --cost xeon --target opencl --certify never
// refused: TW0507
// compile: --shape scalene --overlap 1 --certify never
// refused: TW0507
