// What is no sum of the loop's own, or is none at all, stays sequential.
void f(int n, int key[restrict n], int a[restrict n], int b[restrict n], double x[restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        CASE
    }
#pragma endscop
}

// The old value is used otherwise.
// case: b[i] = a[key[i]]; a[key[i]] += 1;
// compile: --reductions privatise --reassociate
// code lacks: atomic
// code lacks: _parts
// compile: --reductions atomic --reassociate
// code lacks: atomic
// code lacks: _parts

// The value that is added is the array's own.
// case: a[key[i]] += a[i];
// compile: --reductions privatise --reassociate
// code lacks: atomic
// code lacks: _parts
// compile: --reductions atomic --reassociate
// code lacks: atomic
// code lacks: _parts

// Rounded each time.
// case: a[key[i]] += x[i];
// compile: --reductions privatise --reassociate
// code lacks: atomic
// code lacks: _parts
// compile: --reductions atomic --reassociate
// code lacks: atomic
// code lacks: _parts

// The place is the array's.
// case: a[a[key[i]]] += 1;
// compile: --reductions privatise --reassociate
// code lacks: atomic
// code lacks: _parts
// compile: --reductions atomic --reassociate
// code lacks: atomic
// code lacks: _parts

// No sum.
// case: a[key[i]] = 3 - a[key[i]];
// compile: --reductions privatise --reassociate
// code lacks: atomic
// code lacks: _parts
// compile: --reductions atomic --reassociate
// code lacks: atomic
// code lacks: _parts

// case: a[key[i]] = a[key[i]] * 2 + 1;
// compile: --reductions privatise --reassociate
// code lacks: atomic
// code lacks: _parts
// compile: --reductions atomic --reassociate
// code lacks: atomic
// code lacks: _parts
