// each thread has its own `mine`
thread_local float mine = 3;

void f(float *x, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = mine;
#pragma endscop
}
