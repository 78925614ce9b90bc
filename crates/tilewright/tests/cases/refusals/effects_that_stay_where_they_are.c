// Steps and copies that are no statements of their own, and would compute something else if they
// became such.
struct point { int x, y; };
union word { int i; float f; };
struct row { int n; int *cells; };
struct wide { int n; int cells[3]; };
static int twice(int x) { return 2 * x; }
void f(int n, int a[restrict n], int b[restrict n], struct point p[restrict n],
       struct point q[restrict n], union word u[restrict n], struct row r[restrict n],
       struct wide w[restrict n]) {
    int k = 0;
    struct point s = {0, 0};
#pragma scop
    for (int j = 0; j < n; j++) {
        CASE
    }
#pragma endscop
    a[0] = k + s.y;
}

// Not always.
// case: a[j] = j > 2 && k++;
// refused: TW0208 at 15:25 `k` is changed in the middle of an expression

// case: a[j] = (j > 2 ? k++ : 0) + 1;
// refused: TW0208 at 15:25 `k` is changed in the middle of an expression

// Read elsewhere.
// case: a[k++] = k;
// refused: TW0208 at 15:11 `k` is changed in the middle of an expression

// case: a[j] = a[k++] + a[k++];
// refused: TW0208 at 15:18 `k` is changed in the middle of an expression

// case: a[k] = k++;
// refused: TW0208 at 15:16 `k` is changed in the middle of an expression

// case: k = a[k++];
// refused: TW0208 at 15:15 `k` is changed in the middle of an expression

// case: a[b[k]++] = b[j];
// refused: TW0208 at 15:11 `b[k]` is changed in the middle of an expression

// case: k = b[k]++;
// refused: TW0208 at 15:13 `b[k]` is changed in the middle of an expression

// case: a[j] = (a[1] = 2) + a[0];
// refused: TW0208 at 15:16 `a[1]` is changed in the middle of an expression

// The called function might read it.
// case: a[j] = twice(b[k]++);
// refused: TW0208 at 15:22 `b[k]` is changed in the middle of an expression

// The second member would be looked for elsewhere.
// case: p[p[j].x] = q[j];
// refused: TW0209 at 15:21 values of type `struct point` are not supported in regions

// case: s = p[s.x];
// refused: TW0209 at 15:13 values of type `struct point` are not supported in regions

// case: p[p[j].y] = p[p[j].x];
// refused: TW0209 at 15:21 values of type `struct point` are not supported in regions

// case: p[k++] = q[k];
// refused: TW0209 at 15:18 values of type `struct point` are not supported in regions

// No numbers.
// case: u[j] = u[k];
// refused: TW0209 at 15:16 values of type `union word` are not supported in regions
