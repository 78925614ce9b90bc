// What a loop names is given to the function that it stands in, or is declared there.
struct pair { int left, right; };
struct row { int length; float values[4]; };
void f(int n, int m, const float a[restrict n][m], float b[restrict n][m], struct pair s, struct row r, struct row *to)
{
    float local[8] = {1, 2, 3, 4, 5, 6, 7, 8};
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i][j] > 0) {
                CASE
            }
#pragma endscop
    to->length = r.length;
    to->values[0] = local[0];
}

// case: b[i][j] = a[i][j] * 2;
// compile:
// code contains: tw_share_f_0_0(const int tw_first, const int tw_end, int n, int m, const float a[restrict n][m], float b[restrict n][m])

// case: b[i][j] = a[i][j] + local[j & 7];
// compile:
// code contains: , float b[restrict n][m], float *local)

// case: b[i][j] = a[i][j] + s.left;
// compile:
// code contains: int n, int m, struct pair s, const float a

// case: b[i][j] = a[i][j] + to->length;
// compile:
// code contains: , struct row *to)

// What is given as a copy, or as a pointer, is not what was asked for.
// case: b[i][j] = a[i][j] + r.values[j & 3];
// compile:
// code lacks: tw_share

// case: b[i][j] = a[i][j] + sizeof local;
// compile:
// code lacks: tw_share

// case: b[i][j] = a[i][j] + sizeof(float[4]);
// compile:
// code contains: tw_share_f_0_0

// It is declared once for all calls.
// case: static const float w[2] = {1, 2}; b[i][j] = a[i][j] * w[j & 1];
// compile:
// code lacks: tw_share

// The last value of a variable is read behind the loops: they stay as they were.
// case: r.length = a[i][j]; b[i][j] = r.length;
// compile:
// code lacks: tw_share
