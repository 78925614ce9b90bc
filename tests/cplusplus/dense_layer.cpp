// A dense layer on vectors.
#include <cmath>
#include <cstdio>
#include <vector>

using real = float;

static inline real relu(real x) { return x > real(0) ? x : real{0}; }

void layer(const std::vector<real> &weights, const std::vector<real> &bias,
           const std::vector<real> &input, std::vector<real> &output)
{
    const auto rows = output.size();
    const auto columns = input.size();
#pragma scop
    for (std::size_t r = 0; r < rows; r++) {
        real sum = bias[r];
        for (std::size_t c = 0; c < columns; c++)
            sum += weights[r * columns + c] * input[c];
        output[r] = relu(sum);
    }
#pragma endscop
}

template <class T> static void curve(std::vector<T> &v)
{
    for (T &x : v)
        x = x * T(0.5) + T(0.25);
}

// Names that are one for both types.
void activate(std::vector<float> &v, std::vector<double> &w)
{
#pragma scop
    for (std::size_t i = 0; i < v.size(); i++)
        v[i] = std::tanh(v[i]) + std::ldexp(v[i], 2);
    for (std::size_t i = 0; i < w.size(); i++)
        w[i] = std::tanh(w[i]) + std::tgamma(w[i] * w[i] + 1) + std::logb(w[i] * w[i] + 1);
#pragma endscop
}

int main()
{
    std::vector<real> w(19 * 31), b(19), x(31), y(19);
    for (std::size_t i = 0; i < w.size(); i++)
        w[i] = std::sin(static_cast<real>(i));
    for (std::size_t i = 0; i < x.size(); i++)
        x[i] = 1.0f / (1 + i);
    for (std::size_t i = 0; i < b.size(); i++)
        b[i] = 0.25f * (int(i) - 9);
    layer(w, b, x, y);
    for (real v : y)
        std::printf("%a\n", v);
    std::vector<double> z(y.begin(), y.end());
    curve(y);
    curve(z);
    activate(y, z);
    for (std::size_t i = 0; i < y.size(); i++)
        std::printf("%a %a\n", y[i], z[i]);
}
