// One function each from many trades, as they are written in C++.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

using Matrix4 = std::array<std::array<double, 4>, 4>;

// Graphics: products of small matrices.
void multiply(const Matrix4 &a, const Matrix4 &b, Matrix4 &c)
{
#pragma scop
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            c[i][j] = 0.0;
            for (int k = 0; k < 4; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
#pragma endscop
}

// Linear algebra: a product of matrices in vectors.
class Product {
    std::vector<float> a_, b_, c_;
    std::size_t n_;

public:
    explicit Product(std::size_t n) : a_(n * n), b_(n * n), c_(n * n), n_(n)
    {
        for (std::size_t i = 0; i < n * n; ++i) {
            a_[i] = static_cast<float>(i % 7) - 3.0f;
            b_[i] = static_cast<float>(i % 5) * 0.5f;
        }
    }
    void run();
    float operator[](std::size_t i) const { return c_[i]; }
};

void Product::run()
{
#pragma scop
    for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t j = 0; j < n_; ++j) {
            float sum{};
            for (std::size_t k = 0; k < n_; ++k)
                sum += a_[i * n_ + k] * b_[k * n_ + j];
            c_[i * n_ + j] = sum;
        }
#pragma endscop
}

// Signals: a filter with a state that is carried on.
struct Filter {
    double b0, a1, state;
    void process(std::vector<double> &samples)
    {
        auto y = state;
#pragma scop
        for (double &x : samples) {
            y = b0 * x - a1 * y;
            x = y;
        }
#pragma endscop
        state = y;
    }
};

// Text: how many letters have to be changed.
int distance(const std::string &from, const std::string &to)
{
    const int n = static_cast<int>(from.size()), m = static_cast<int>(to.size());
    std::vector<int> d((n + 1) * (m + 1));
    const char *const s = from.data();
    const char *const t = to.data();
    int *const cell = d.data();
#pragma scop
    for (int i = 0; i <= n; i++)
        cell[i * (m + 1)] = i;
    for (int j = 0; j <= m; j++)
        cell[j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            const int cost = s[i - 1] == t[j - 1] ? 0 : 1;
            cell[i * (m + 1) + j] =
                std::min(std::min(cell[(i - 1) * (m + 1) + j] + 1, cell[i * (m + 1) + j - 1] + 1),
                         cell[(i - 1) * (m + 1) + j - 1] + cost);
        }
#pragma endscop
    return d.back();
}

// Statistics: the largest and the smallest, with what they begin with.
void extent(const std::vector<float> &v, float &low, float &high)
{
    low = std::numeric_limits<float>::max();
    high = std::numeric_limits<float>::lowest();
#pragma scop
    for (std::size_t i = 0; i < v.size(); i++) {
        low = std::min(low, v[i]);
        high = std::max(high, v[i]);
    }
#pragma endscop
}

// Cellular automata: bytes as truth values.
void life(const bool *now, bool *next, int width, int height)
{
#pragma scop
    for (int y = 1; y < height - 1; ++y)
        for (int x = 1; x < width - 1; ++x) {
            int count = 0;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    if (dx != 0 or dy != 0)
                        count += now[(y + dy) * width + x + dx] ? 1 : 0;
            next[y * width + x] = count == 3 || (count == 2 && now[y * width + x]);
        }
#pragma endscop
}

// Physics: forces between bodies, as a structure of arrays.
struct Bodies {
    std::vector<double> x, y, fx, fy, mass;
};

void forces(Bodies &bodies, const double softening)
{
    const auto n = static_cast<int>(bodies.x.size());
#pragma scop
    for (int i = 0; i < n; ++i) {
        double fx = 0, fy = 0;
        for (int j = 0; j < n; ++j) {
            const auto dx = bodies.x[j] - bodies.x[i];
            const auto dy = bodies.y[j] - bodies.y[i];
            const auto r = std::sqrt(dx * dx + dy * dy + softening);
            const auto f = bodies.mass[j] / (r * r * r);
            fx += f * dx;
            fy += f * dy;
        }
        bodies.fx[i] = fx * bodies.mass[i];
        bodies.fy[i] = fy * bodies.mass[i];
    }
#pragma endscop
}

// Finance: a tree of prices.
double option(std::vector<double> value, double up, double down, double discount)
{
    const int steps = static_cast<int>(value.size()) - 1;
#pragma scop
    for (int t = steps; t > 0; t--)
        for (int i = 0; i < t; i++)
            value[i] = discount * (up * value[i + 1] + down * value[i]);
#pragma endscop
    return value[0];
}

// Sorting: exchanges.
void sort(std::vector<std::int16_t> &v)
{
    const int n = static_cast<int>(v.size());
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n - 1 - i; j++)
            if (v[j] > v[j + 1])
                std::swap(v[j], v[j + 1]);
#pragma endscop
}

// Cryptography: words that are rotated.
static constexpr std::uint32_t rotate(std::uint32_t x, int by) { return (x << by) | (x >> (32 - by)); }

void mix(std::array<std::uint32_t, 16> &block, int rounds)
{
#pragma scop
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < 12; i++) {
            block[i] += block[i + 4];
            block[i + 1] ^= rotate(block[i], 7);
            block[i + 2] = rotate(block[i + 2] + block[i + 1], 13);
        }
#pragma endscop
}

// Sparse matrices: compressed rows.
void product(const std::vector<int> &rows, const std::vector<int> &columns,
             const std::vector<float> &values, const float *__restrict x, float *__restrict y)
{
    const int n = static_cast<int>(rows.size()) - 1;
#pragma scop
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = rows[i]; k < rows[i + 1]; k++)
            sum += values[k] * x[columns[k]];
        y[i] = sum;
    }
#pragma endscop
}

int main()
{
    Matrix4 a{}, b{}, c{};
    for (int i = 0; i < 16; i++) {
        a[i / 4][i % 4] = i * 0.5;
        b[i % 4][i / 4] = 3.0 - i;
    }
    multiply(a, b, c);
    multiply(c, a, c);
    for (int i = 0; i < 16; i++)
        std::printf("%a\n", c[i / 4][i % 4]);
    Product p(11);
    p.run();
    for (std::size_t i = 0; i < 121; i++)
        std::printf("%a\n", p[i]);
    std::vector<double> samples(40, 1.0);
    Filter filter{0.3, -0.6, 0.1};
    filter.process(samples);
    std::printf("%a %a\n", samples.back(), filter.state);
    std::printf("%d %d\n", distance("tiling wright", "tile writing"), distance("", "abc"));
    std::vector<float> v{3, -1, 4, 1.5f};
    float low, high;
    extent(v, low, high);
    std::printf("%a %a\n", low, high);
    extent({}, low, low);
    std::printf("%a\n", low);
    bool now[12 * 9] = {}, next[12 * 9] = {};
    for (int i = 0; i < 12 * 9; i++)
        now[i] = i % 3 == 0 || i % 7 == 2;
    life(now, next, 12, 9);
    for (bool cell : next)
        std::printf("%d", cell);
    Bodies bodies;
    for (int i = 0; i < 13; i++) {
        bodies.x.push_back(i * 0.7);
        bodies.y.push_back(i * i % 5);
        bodies.mass.push_back(1 + i % 3);
    }
    bodies.fx.resize(13);
    bodies.fy.resize(13);
    forces(bodies, 0.01);
    for (int i = 0; i < 13; i++)
        std::printf("\n%a %a", bodies.fx[i], bodies.fy[i]);
    std::vector<double> payoff(30);
    for (int i = 0; i < 30; i++)
        payoff[i] = std::max(0.0, i * 3.0 - 40);
    std::printf("\n%a\n", option(payoff, 0.55, 0.45, 0.99));
    std::vector<std::int16_t> numbers;
    for (int i = 0; i < 25; i++)
        numbers.push_back(static_cast<std::int16_t>(i * 7919));
    sort(numbers);
    for (int x : numbers)
        std::printf("%d ", x);
    std::array<std::uint32_t, 16> block{};
    for (std::uint32_t i = 0; i < 16; i++)
        block[i] = i * 0x9e3779b9u;
    mix(block, 5);
    for (auto word : block)
        std::printf("%08x ", word);
    const std::vector<int> rows{0, 2, 2, 5}, columns{0, 2, 1, 2, 0};
    const std::vector<float> values{1, 2, 3, 4, 5};
    const float x[3] = {1, 10, 100};
    float y[3];
    product(rows, columns, values, x, y);
    std::printf("\n%a %a %a\n", y[0], y[1], y[2]);
}
