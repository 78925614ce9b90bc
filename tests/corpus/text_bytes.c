/* Texts: words, letters, hexadecimal digits, spaces, lines. */
#include "data.h"
#include <ctype.h>

int count_words(const char *s)
{
    int words = 0, in_word = 0;
#pragma scop
    for (; *s; s++) {
        if (*s == ' ' || *s == '\n' || *s == '\t') {
            in_word = 0;
        } else if (!in_word) {
            in_word = 1;
            words++;
        }
    }
#pragma endscop
    return words;
}

void rotate_letters(char *s, int len, int by)
{
#pragma scop
    for (int i = 0; i < len; i++) {
        char c = s[i];
        if (c >= 'a' && c <= 'z')
            s[i] = (char)('a' + (c - 'a' + by) % 26);
        else if (c >= 'A' && c <= 'Z')
            s[i] = (char)('A' + (c - 'A' + by) % 26);
    }
#pragma endscop
}

void to_hex(const unsigned char *in, char *out, size_t n)
{
    const char *digits = "0123456789abcdef";
#pragma scop
    for (size_t i = 0; i < n; ++i) {
        out[2 * i] = digits[in[i] >> 4];
        out[2 * i + 1] = digits[in[i] & 15];
    }
#pragma endscop
    out[2 * n] = 0;
}

/* Joins runs of spaces in place. Returns the new length. */
size_t squeeze_spaces(char *s, size_t len)
{
    size_t w = 0;
#pragma scop
    for (size_t r = 0; r < len; r++) {
        if (isspace((unsigned char)s[r])) {
            if (w == 0 || s[w - 1] == ' ')
                continue;
            s[w++] = ' ';
        } else {
            s[w++] = s[r];
        }
    }
    while (w > 0 && s[w - 1] == ' ')
        w--;
#pragma endscop
    return w;
}

/* Letters of each kind, and how many lines the text fills at a width. */
int letter_table(const char *text, int len, int counts[26], int width)
{
    int lines = 0, column = 0;
    for (int i = 0; i < 26; i++)
        counts[i] = 0;
#pragma scop
    for (int i = 0; i < len; i++) {
        if (isalpha((unsigned char)text[i]))
            counts[tolower((unsigned char)text[i]) - 'a']++;
        if (text[i] == '\n' || ++column == width) {
            lines++;
            column = 0;
        }
    }
#pragma endscop
    return column ? lines + 1 : lines;
}

/* Where the needle is first, or -1. */
int find_text(const char *hay, int n, const char *needle, int m)
{
    int found = -1;
#pragma scop
    for (int i = 0; i + m <= n; i++) {
        int j = 0;
        while (j < m && hay[i + j] == needle[j])
            j++;
        if (j == m) {
            found = i;
            break;
        }
    }
#pragma endscop
    return found;
}

int main(void)
{
    static const char letters[] = "abc D e\n";
    DATA_EACH(n) {
        char *s = data_bytes(n), hex[256];
        to_hex((unsigned char *)s, hex, n);
        data_show("hex", n, hex, 2 * n + 1);
        for (int i = 0; i < n; i++)
            s[i] = letters[s[i] & 7];
        s[n] = 0;
        int counts[26];
        int lines = letter_table(s, n, counts, 10);
        data_show("letters", lines, counts, sizeof counts);
        printf("words %d found %d\n", count_words(s), find_text(s, n, "ab", 2));
        rotate_letters(s, n, 13);
        data_show("rotate", n, s, n);
        size_t len = squeeze_spaces(s, n);
        data_show("squeeze", (int)len, s, len);
    }
}
