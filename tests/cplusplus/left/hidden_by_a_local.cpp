// a call of `count`, which uses names that may mean something else here
static int counter = 0;
static int count(int x)
{
    counter += x;
    return counter;
}

int f(int *x, int n)
{
    int counter = 7;
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = count(x[i]) * 2;
#pragma endscop
    return counter;
}
