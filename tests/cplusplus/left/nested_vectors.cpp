// `m` holds something else than numbers
#include <vector>

void f(std::vector<std::vector<float>> &m, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            m[i][j] = 1;
#pragma endscop
}
