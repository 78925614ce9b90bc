// What a part of a region looks up of index arrays in each iteration of a loop around it is looked up
// once where nothing in the region stores integers in memory, jumps into it, or calls what may.
static double half(const double *x, int i) { return x[i] / 2; }
static void next(int *column) { column[0] = 1; }
void unknown(void);
void f(int n, const int *first, int *column, double *x, double *y, int most, int *count)
{
    int it, at = 0;
#pragma scop
    for (it = 0; it < most; it++) {
        if (x[0] > 1e6)
            break;
        for (int i = 0; i < n; i++) {
            double s = 0;
            for (int k = first[i]; k < first[i + 1]; k++)
                s += x[column[k]];
            y[i] = s;
        }
        CASE
    }
#pragma endscop
    count[0] = at;
}
// case: x[0] += half(y, 3); at = it;
// compile: --shape none
// code contains: if (!tw_looked_of_

// An index array that the program moves on.
// case: x[0] += 1; column++;
// compile: --shape none
// code lacks: tw_looked

// case: column[first[n] - 1] += 1;
// compile: --shape none
// code lacks: tw_looked

// case: next(column);
// compile: --shape none
// code lacks: tw_looked

// case: unknown();
// compile: --shape none
// code lacks: tw_looked

// case: count[it] = it;
// compile: --shape none
// code lacks: tw_looked

// case: x[0] += 1; if (x[1] > 2) { again: x[1] -= 1; if (x[1] > 2) goto again; }
// compile: --shape none
// code lacks: tw_looked

// Threads of the program's would share what is kept.
// case: x[0] += 1; _Pragma("omp parallel for") for (int q = 0; q < 3; q++) x[q] += y[q];
// compile: --shape none
// code lacks: tw_looked
