// Heat on a grid, as a member function.
#include <cstdio>
#include <utility>
#include <vector>

class Heat {
public:
    Heat(int n, double alpha) : n_(n), alpha_(alpha), now_(n * n), next_(n * n)
    {
        for (int i = 0; i < n * n; i++)
            now_[i] = (i * 7919) % 101;
    }

    void step()
    {
        double *now = now_.data();
        double *next = next_.data();
#pragma scop
        for (int i = 1; i < n_ - 1; i++)
            for (int j = 1; j < n_ - 1; j++)
                next[i * n_ + j] = now[i * n_ + j]
                    + alpha_ * (now[(i - 1) * n_ + j] + now[(i + 1) * n_ + j] + now[i * n_ + j - 1]
                                + now[i * n_ + j + 1] - 4.0 * now[i * n_ + j]);
#pragma endscop
        std::swap(now_, next_);
    }

    void print() const
    {
        for (double v : now_)
            std::printf("%a\n", v);
    }

private:
    int n_;
    double alpha_;
    std::vector<double> now_, next_;
};

int main()
{
    Heat heat(33, 0.2);
    for (int t = 0; t < 5; t++)
        heat.step();
    heat.print();
}
