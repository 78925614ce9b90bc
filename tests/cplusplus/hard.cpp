// What looks like C and means something else, or what is easily read wrongly: names that may be one,
// copies of restricted pointers, characters, overflow, loops around regions.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>
using namespace std;

void derived(float *__restrict p, int n)
{
    float *r = p + 1;
#pragma scop
    for (int i = 0; i < n; i++)
        r[i] = p[i] + 1.0f;
#pragma endscop
}

void known(int n)
{
    int count = n;
    int *where = &count;
    int data[8] = {0};
#pragma scop
    for (int i = 0; i < 8; i++) {
        data[i] = count;
        where[0] += i;
    }
#pragma endscop
    for (int i = 0; i < 8; i++)
        printf("%d ", data[i]);
    printf("%d\n", count);
}

void element(vector<int> &v)
{
    int &first = v[0];
#pragma scop
    for (size_t i = 0; i < v.size(); i++)
        first += v[i];
#pragma endscop
}

int carried(const int *x, int n)
{
    int best = 0, last = 0;
    for (int t = 0; t < 3; t++) {
#pragma scop
        for (int i = 0; i < n; i++) {
            best = max(best, x[i] - last);
            last = x[i];
        }
#pragma endscop
    }
    return best;
}

void characters(char *s, unsigned char *u, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        s[i] = char(s[i] + 'z');
        u[i] = uint8_t(u[i] - '\xff' + 1'000 + 0b101);
        if (s[i] < 0)
            s[i] = -s[i];
        u[i] += sizeof('a') + sizeof(s[i] + 'a');
    }
#pragma endscop
}

void values(float *y, const float *x, int n)
{
#pragma scop
    for (int i = 0; i < n - 1; i++) {
        const auto &d = x[i + 1] - x[i];
        const float &e = x[i];
        y[i] = d * abs(e) + sqrt(e * e) + abs(i - 9) + fabs(d);
    }
#pragma endscop
}

void wraps(unsigned *u, long long *l, int n)
{
#pragma scop
    for (unsigned i = 0; i < unsigned(n); ++i) {
        u[i] = u[i] * 2654435761u + i;
        l[i] = static_cast<long long>(u[i]) * (u[i] & 0xffff) - (l[i] >> 3);
    }
#pragma endscop
}

namespace {
int calls = 0;
static inline int bump(int x)
{
    ++calls;
    return x + calls;
}
static int between(int a, int b, int t)
{
    int d = b - a;
    return a + ((d * t) >> 8);
}
static void put(int &to, int v) { to = v; }
} // namespace

void bumps(int *x, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = bump(x[i]);
#pragma endscop
    printf("%d\n", calls);
}

void betweens(int *x, const int *y, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        put(x[i], between(x[i], y[i], 77));
#pragma endscop
}

// The name of an outer variable is declared again inside.
int shadows(const int *x, int n)
{
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        int t = x[i];
        {
            int n = t * 2, s = n + i;
            t += s;
        }
        s += t;
    }
#pragma endscop
    return s;
}

int main()
{
    int a[20] = {0}, b[21];
    for (int i = 0; i < 21; i++)
        b[i] = i * i - 50;
    float f[33], g[33] = {0};
    for (int i = 0; i < 33; i++)
        f[i] = i * 0.5f - 3;
    derived(f, 32);
    derived(f, -1);
    for (float v : f)
        printf("%a\n", v);
    known(5);
    vector<int> v{5, -2, 3, 100};
    element(v);
    for (int x : v)
        printf("%d\n", x);
    printf("%d\n", carried(b, 21));
    char s[30];
    unsigned char u[30];
    for (int i = 0; i < 30; i++) {
        s[i] = char(i * 9);
        u[i] = i * 17;
    }
    characters(s, u, 30);
    for (int i = 0; i < 30; i++)
        printf("%d %d\n", s[i], u[i]);
    values(g, f, 33);
    for (float x : g)
        printf("%a\n", x);
    unsigned w[9];
    long long l[9];
    for (int i = 0; i < 9; i++) {
        w[i] = i * 1234567u;
        l[i] = -i;
    }
    wraps(w, l, 9);
    for (int i = 0; i < 9; i++)
        printf("%u %lld\n", w[i], l[i]);
    bumps(a, 20);
    betweens(a, b, 20);
    betweens(a, b, 0);
    for (int x : a)
        printf("%d\n", x);
    printf("%d\n", shadows(b, 21));
}
