// Sums through references: two of them may be the same variable.
#include <cmath>
#include <cstdio>

void moments(const double *x, int n, double &mean, double &spread)
{
    double sum = 0.0;
    double squares = 0.0;
#pragma scop
    for (int i = 0; i < n; i++) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    mean = sum / n;
    spread = std::sqrt(std::abs(squares / n - mean * mean));
#pragma endscop
}

void both(const double *x, int n, double &low, double &high)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        low = x[i] < low ? x[i] : low;
        high += low;
    }
#pragma endscop
}

int main()
{
    double x[100];
    for (int i = 0; i < 100; i++)
        x[i] = std::cos(i * 0.37) * i;
    double a, b;
    moments(x, 100, a, b);
    std::printf("%a %a\n", a, b);
    moments(x, 100, a, a);
    std::printf("%a\n", a);
    a = b = 3;
    both(x, 100, a, b);
    std::printf("%a %a\n", a, b);
    both(x, 100, a, a);
    std::printf("%a\n", a);
}
