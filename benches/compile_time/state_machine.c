#include "numbers.h"
int tokens(const char *text, int *restrict kinds, int n)
{
    int state = 0, count = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        char ch = text[i];
        int next = state;
        if (state == 0) {
            if (ch >= '0' && ch <= '9') next = 1;
            else if (ch >= 'a' && ch <= 'z') next = 2;
            else if (ch == '"') next = 3;
        } else if (state == 1) {
            if (ch == '.') next = 4;
            else if (ch < '0' || ch > '9') next = 0;
        } else if (state == 2) {
            if ((ch < 'a' || ch > 'z') && ch != '_') next = 0;
        } else if (state == 3) {
            if (ch == '"') next = 0;
        } else if (ch < '0' || ch > '9') next = 0;
        if (next != state && next == 0) count++;
        state = next;
        kinds[i] = state * 16 + count % 16;
    }
#pragma endscop
    return count;
}
int main(void)
{
    const char *t = "let x = 12.5 + \"abc\" ; y_z 77 1.2.3 'q' \"u";
    int k[64], n = (int)strlen(t);
    printf("%d\n", tokens(t, k, n));
    show("kinds", k, n * sizeof *k);
}
