/* ASCII letters to upper case, and how many lines there are. */
#include "data.h"

int upper(char *text, int n)
{
    int lines = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        char c = text[i];
        if (c >= 'a' && c <= 'z')
            text[i] = (char)(c - 'a' + 'A');
        if (c == '\n')
            lines++;
    }
#pragma endscop
    return lines;
}

int main(void)
{
    DATA_EACH(n) {
        char *text = data_bytes(10 * n);
        int lines = upper(text, 10 * n);
        data_show("upper", lines, text, 10 * n);
    }
}
