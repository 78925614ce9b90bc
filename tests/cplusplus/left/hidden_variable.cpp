// a call of `ns::count`, which uses names that may mean something else here
static int counter = 100;
namespace ns {
static int counter = 0;
static int count(int x)
{
    counter += x;
    return counter;
}
} // namespace ns

int f(int *x, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = ns::count(x[i]) + counter;
#pragma endscop
    return ns::counter;
}
