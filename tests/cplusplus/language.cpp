// What kernels use of C++, a function for each: the names say what.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <utility>
#include <vector>

namespace config {
constexpr std::size_t LENGTH = 64;
const float GAIN = 1.5f;
enum Channel { RED, GREEN = 2, BLUE };
static const int WEIGHTS[3] = {1, 2, 1};
} // namespace config

namespace math {
inline float square(float x) { return x * x; }
inline float axpy(float a, const float &x, float y) { return a * x + y; }
} // namespace math

typedef double real;

// A reference to what is summed up, and one to what is counted.
void sum_positive(const float *x, std::size_t n, float &sum, int &count)
{
#pragma scop
    for (std::size_t i = 0; i < n; ++i) {
        if (x[i] > 0.0f and not(x[i] > 100.0f)) {
            sum += x[i];
            ++count;
        }
    }
#pragma endscop
}

// auto for scalars, constants of a namespace, a function of another.
void gains(float *__restrict out, const float *__restrict in)
{
#pragma scop
    for (auto i = std::size_t(0); i < config::LENGTH; i++) {
        const auto v = in[i] * config::GAIN;
        out[i] = math::axpy(0.5f, math::square(v), in[i]);
    }
#pragma endscop
}

// Enumerators as subscripts, a reference to an element, bytes and their overflow.
void swap_channels(std::uint8_t *pixels, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        std::uint8_t &red = pixels[4 * i + config::RED];
        std::uint8_t &blue = pixels[4 * i + config::BLUE];
        std::swap(red, blue);
        pixels[4 * i + config::GREEN] += 200;
    }
#pragma endscop
}

// A vector for both, and its length in the region.
void prefix(std::vector<int> &v)
{
#pragma scop
    for (std::size_t i = 1; i < v.size(); i++)
        v[i] += v[i - 1];
#pragma endscop
}

// for over elements, by reference and by value.
real norm(std::vector<real> &v)
{
    real total = 0;
    real top = std::numeric_limits<real>::lowest();
#pragma scop
    for (const auto &x : v)
        top = std::max(top, std::abs(x));
    for (real &x : v)
        x /= top;
    for (real x : v)
        total += x * x;
#pragma endscop
    return std::sqrt(total) + top;
}

// std::array, and an array of the file.
void smooth(std::array<int, 32> &a, std::array<int, 32> &b)
{
#pragma scop
    for (int i = 1; i < 31; i++) {
        int s = 0;
        for (int k = 0; k < 3; k++)
            s += config::WEIGHTS[k] * a[i + k - 1];
        b[i] = s >> 2;
    }
#pragma endscop
}

// Declarations in conditions, braces, functional casts, bool.
int classify(const int *x, signed char *out, int n)
{
    int negative{0};
#pragma scop
    for (int i{0}; i < n; i++) {
        bool odd{false};
        if (int r = x[i] % 3; r != 0)
            odd = true;
        if (const int q = x[i] / 100)
            out[i] = (signed char)(q);
        else
            out[i] = static_cast<signed char>(odd ? 'a' : 'b');
        negative += int(x[i] < 0);
    }
#pragma endscop
    return negative;
}

// A matrix as a pointer to rows, from a static array of a function.
double trace()
{
    static double m[20][20];
    double t = 0;
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 20; j++)
            m[i][j] = i * 0.5 - j;
#pragma scop
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < 20; i++)
            for (int j = 0; j < 20; j++)
                m[i][j] += m[i][k] * 0.01;
    for (int i = 0; i < 20; i++)
        t += m[i][i];
#pragma endscop
    return t;
}

extern "C" void threshold(float *x, int n, float limit)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = std::min(x[i], limit) + std::fmax(x[i], 0.0f) + std::floor(x[i]) + std::pow(x[i], 2.0f);
#pragma endscop
}

int main()
{
    std::vector<float> x(64), y(64);
    for (std::size_t i = 0; i < x.size(); i++)
        x[i] = float(int(i * 37 % 64) - 20) * 4.25f;
    float sum = 1;
    int count = 2;
    sum_positive(x.data(), x.size(), sum, count);
    std::printf("%a %d\n", sum, count);
    gains(y.data(), x.data());
    threshold(x.data(), int(x.size()), 7.5f);
    for (std::size_t i = 0; i < y.size(); i++)
        std::printf("%a %a\n", x[i], y[i]);
    std::vector<std::uint8_t> p(4 * 33 + 1);
    for (std::size_t i = 0; i < p.size(); i++)
        p[i] = std::uint8_t(i * 91);
    swap_channels(p.data(), 33);
    for (auto b : p)
        std::printf("%d ", b);
    std::vector<int> v(41);
    for (std::size_t i = 0; i < v.size(); i++)
        v[i] = int(i) * 17 - 200;
    prefix(v);
    for (int i : v)
        std::printf("%d ", i);
    std::vector<int> none;
    prefix(none);
    std::vector<real> r(29);
    for (std::size_t i = 0; i < r.size(); i++)
        r[i] = std::sin(double(i));
    std::printf("\n%a\n", norm(r));
    std::array<int, 32> a{}, b{};
    for (int i = 0; i < 32; i++)
        a[i] = i * i - 300;
    smooth(a, b);
    for (int i : b)
        std::printf("%d ", i);
    std::vector<signed char> c(v.size());
    std::printf("\n%d\n", classify(v.data(), c.data(), int(c.size())));
    for (int i : c)
        std::printf("%d ", i);
    std::printf("\n%a\n", trace());
}
