/* Labels inside of expressions and alone under conditions, behind loops whose variables are read there. */
#include <stdio.h>
__attribute__((noinline)) static int in_a_result(int n, int *restrict a, int t)
{
    int i;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] += t;
#pragma endscop
    return ({ goto w; w: t; }) + i;
}
__attribute__((noinline)) static int in_a_condition(int n, int *restrict a, int t)
{
    int i;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] += t;
#pragma endscop
    if (({ if (t > 3) goto w; t = 0; w: t; }) + i > 5)
        return 7;
    return 8;
}
__attribute__((noinline)) static int in_heads(int n, int *restrict a, int t)
{
    int i, s = 0;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] += t;
#pragma endscop
    for (int k = ({ if (t > 3) goto w; t = 0; w: t; }) + i; k < 9; k++)
        s += k;
    while (({ if (t > 5) goto v; t = 0; v: t--; }) > i)
        s++;
    return s;
}
__attribute__((noinline)) static int label_alone(int n, int *restrict a, int c)
{
    int i;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] += c;
#pragma endscop
    goto w;
    if (c)
    w:
        return i;
    return 7;
}
__attribute__((noinline)) static int label_in_parts(int n, int *restrict a, int c)
{
    int i, r = 0;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] += c;
#pragma endscop
    goto w;
    if (c > 2) {
        if (c + 1)
        w:
            r = i;
        else
            r = 2;
    }
    while (c-- > 0)
    v:
        if (r++ == 9)
            goto v;
    return r;
}
#define TAIL { i = 0; w: c = i; }
__attribute__((noinline)) static int label_of_a_macro(int n, int *restrict a, int c)
{
    int i;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] += c;
#pragma endscop
    goto w;
    TAIL
    return c;
}
int main(void)
{
    int a[20] = {0};
    for (int t = 0; t < 8; t++)
        printf("%d %d %d %d %d %d\n", in_a_result(t, a, t), in_a_condition(t, a, t),
               in_heads(t + 1, a, t), label_alone(t, a, t),
               label_in_parts(t, a, t), label_of_a_macro(t, a, t));
    for (int i = 0; i < 20; i++)
        printf("%d\n", a[i]);
    return 0;
}
