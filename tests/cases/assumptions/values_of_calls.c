// Where a subscript is what a function of the file gives back, the elements that are compared with other memory
// are those that its values lead to.
typedef signed char q8;
static inline q8 narrow(int v) { return v < -100 ? -100 : v > 100 ? 100 : v; }
static inline q8 any(int v) { v = v * 3; return v; }
static inline int limited(int v)
{
    if (v < 0)
        return 0;
    else if (v > 255)
        return 255;
    return v;
}
static inline int unlimited(int v)
{
    if (v < 0)
        return 0;
    return v;
}
static inline int changed(int v)
{
    v += 7;
    return v > 9 ? 9 : v;
}
void f(int n, const int *in, const float *table, float *out)
{
#pragma scop
    for (int i = 0; i < n; i++)
        CASE
#pragma endscop
}

// case: out[i] = table[narrow(in[i]) + 100];
// compile:
// code contains: (__UINTPTR_TYPE__)table + 201 * sizeof *table <= (__UINTPTR_TYPE__)out

// case: out[i] = table[any(in[i]) + 128];
// compile:
// code contains: (__UINTPTR_TYPE__)table + 256 * sizeof *table <= (__UINTPTR_TYPE__)out

// case: out[i] = table[limited(in[i]) / 16];
// compile:
// code contains: (__UINTPTR_TYPE__)table + 16 * sizeof *table <= (__UINTPTR_TYPE__)out

// case: out[i] = table[unlimited(in[i])];
// compile:
// warned: TW0206

// case: out[i] = table[changed(in[i])];
// compile:
// warned: TW0206
