// `p` is of a type that C does not have
struct Vector {
    float x, y;
};
inline Vector operator+(Vector a, Vector b) { return {a.x - b.x, a.y - b.y}; }

void f(Vector *p, const Vector *q, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[i] = p[i] + q[i];
#pragma endscop
}
