/* Similar strings: alignment with gaps, the longest common substring, and a palindrome. */
#include "data.h"

#define MAX_LEN 128
#define MATCH 2
#define MISMATCH (-1)
#define GAP (-2)

static int max3(int a, int b, int c)
{
    int m = a;
    if (b > m) m = b;
    if (c > m) m = c;
    return m;
}

int align_global(const char *a, int n, const char *b, int m, int score[MAX_LEN][MAX_LEN])
{
#pragma scop
    for (int i = 0; i <= n; i++)
        score[i][0] = i * GAP;
    for (int j = 0; j <= m; j++)
        score[0][j] = j * GAP;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            score[i][j] = max3(score[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? MATCH : MISMATCH),
                               score[i - 1][j] + GAP,
                               score[i][j - 1] + GAP);
#pragma endscop
    return score[n][m];
}

/* Two rows only, that change places. Returns where the substring ends in a. */
int common_substring(const char *a, int n, const char *b, int m, int *length)
{
    int rows[2][MAX_LEN];
    int best = 0, end = 0;
    memset(rows, 0, sizeof rows);
#pragma scop
    for (int i = 1; i <= n; i++) {
        int *cur = rows[i & 1], *prev = rows[(i - 1) & 1];
        for (int j = 1; j <= m; j++) {
            if (a[i - 1] == b[j - 1]) {
                cur[j] = prev[j - 1] + 1;
                if (cur[j] > best) {
                    best = cur[j];
                    end = i;
                }
            } else {
                cur[j] = 0;
            }
        }
    }
#pragma endscop
    *length = best;
    return end;
}

int longest_palindrome(const char *s, int n, int *start)
{
    int best = n > 0;
    *start = 0;
#pragma scop
    for (int c = 0; c < n; c++) {
        for (int odd = 0; odd < 2; odd++) {
            int lo = c - (odd ? 0 : 1), hi = odd ? c : c;
            while (lo >= 0 && hi < n && s[lo] == s[hi]) {
                if (hi - lo + 1 > best) {
                    best = hi - lo + 1;
                    *start = lo;
                }
                lo--;
                hi++;
            }
        }
    }
#pragma endscop
    return best;
}

int main(void)
{
    static int score[MAX_LEN][MAX_LEN];
    DATA_EACH(n) {
        int m = n * 2 / 3 + 1, length, start;
        char *a = data_bytes(n), *b = data_bytes(m);
        for (int i = 0; i < n; i++)
            a[i] = (char)('a' + (a[i] & 1));
        for (int i = 0; i < m; i++)
            b[i] = (char)('a' + (b[i] & 1));
        int s = align_global(a, n, b, m, score);
        data_show("align", s, score, sizeof score);
        int end = common_substring(a, n, b, m, &length);
        int pal = longest_palindrome(a, n, &start);
        printf("common %d %d palindrome %d %d\n", end, length, pal, start);
    }
}
