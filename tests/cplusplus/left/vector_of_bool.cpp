// `v` holds something else than numbers
#include <vector>

void f(std::vector<bool> &v, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        v[i] = true;
#pragma endscop
}
