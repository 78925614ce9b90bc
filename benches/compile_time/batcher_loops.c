#include "numbers.h"
void bitonic(int a[32])
{
#pragma scop
    for (int k = 1; k <= 5; k++)
        for (int j = k - 1; j >= 0; j--)
            for (int i = 0; i < 32; i++) {
                int other = i ^ (1 << j);
                if (other > i) {
                    int up = (i >> k & 1) == 0;
                    if (up ? a[i] > a[other] : a[i] < a[other]) {
                        int t = a[i];
                        a[i] = a[other];
                        a[other] = t;
                    }
                }
            }
#pragma endscop
}
int main(void)
{
    int a[32];
    for (int i = 0; i < 32; i++) a[i] = next_word() % 1000;
    bitonic(a);
    show("a", a, sizeof a);
}
