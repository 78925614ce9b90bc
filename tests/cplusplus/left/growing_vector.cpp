// a call of the member function `push_back`
#include <vector>

void f(std::vector<float> &v, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        v.push_back(i);
#pragma endscop
}
