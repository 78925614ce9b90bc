// Regions in templates that are used with one type, and calls of function templates.
#include <cstddef>
#include <cstdio>
#include <vector>

namespace util {
template <class T> static T clip(const T &x, T low, T high)
{
    return x < low ? low : (x > high ? high : x);
}
} // namespace util

template <class T, class U> inline T mix(T a, T b, U t) { return T(a + (b - a) * t); }

template <typename T, int N> void convolve(T *out, const T *in, const T (&weights)[N], int n)
{
#pragma scop
    for (int i = 0; i < n - N + 1; i++) {
        T sum = T(0);
        for (int k = 0; k < N; k++)
            sum += weights[k] * in[i + k];
        out[i] = sum;
    }
#pragma endscop
}

template <class T> class Matrix {
public:
    Matrix(std::size_t r, std::size_t c) : rows(r), columns(c), data(r * c) {}

    void transpose_into(Matrix &other) const
    {
#pragma scop
        for (std::size_t i = 0; i < rows; i++)
            for (std::size_t j = 0; j < columns; j++)
                other.data[j * other.columns + i] = data[i * columns + j];
#pragma endscop
    }

    std::size_t rows, columns;
    std::vector<T> data;
};

void fade(unsigned char *out, const unsigned char *a, const unsigned char *b, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = util::clip(mix(int(a[i]), int(b[i]), 0.25f), i, 200);
#pragma endscop
}

int main()
{
    float weights[3] = {1, 2, 1}, in[40], out[38];
    for (int i = 0; i < 40; i++)
        in[i] = i * i % 17;
    convolve(out, in, weights, 40);
    for (float x : out)
        std::printf("%a\n", x);
    Matrix<double> a(5, 7), b(7, 5);
    for (int i = 0; i < 35; i++)
        a.data[i] = i * 0.25;
    a.transpose_into(b);
    for (double x : b.data)
        std::printf("%a\n", x);
    unsigned char p[50], q[50], r[50];
    for (int i = 0; i < 50; i++) {
        p[i] = i * 7;
        q[i] = 255 - i;
    }
    fade(r, p, q, 50);
    fade(r, p, q, 0);
    for (int x : r)
        std::printf("%d\n", x);
}
