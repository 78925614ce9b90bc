// Without an array's extent or an assumption the static bound is the type's: the interchange would run
// over milliards of empty iterations, and is not made without inspection.
void f(int n, int *restrict length, double *restrict s) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < length[i]; j++)
            s[j] = s[j] * 0.5 + i;
#pragma endscop
}
// compile: --inspect none --shape parallelogram --fuse max --tile-sizes 0
// warned: no static bound is known
// code contains: loops as written
// code lacks: 21474836
