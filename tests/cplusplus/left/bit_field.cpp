// `flags.n` has no address
struct Flags {
    int n : 5;
};

void f(const Flags &flags, int *x)
{
#pragma scop
    for (int i = 0; i < flags.n; i++)
        x[i] = flags.n;
#pragma endscop
}
