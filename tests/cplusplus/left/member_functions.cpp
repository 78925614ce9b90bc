// a call of a member function
struct Point {
    float x, y;
    float length() const { return x * x + y * y; }
};

float f(const Point *p, int n)
{
    float s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += p[i].length();
#pragma endscop
    return s;
}
