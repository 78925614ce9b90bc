/* Numbers that become text in memory, and text that becomes numbers. */
#include "data.h"

void named(int n, char (*restrict names)[12], const int *restrict id, int *restrict length)
{
#pragma scop
    for (int i = 0; i < n; i++)
        length[i] = sprintf(names[i], "%c%03d", 'a' + i % 26, id[i]);
    for (int i = 0; i < n; i++)
        length[i] += id[i] * 2;
#pragma endscop
}

void rows(int n, int m, double (*restrict a)[m], char line[restrict], size_t room, FILE *to)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++)
            sum += a[i][j];
        snprintf(line, room, i % 2 ? "row %d: %.4f" : "<%d> %8.2e", i, sum);
        fprintf(to, "%s;\n", line);
    }
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
            a[i][j] += a[i][j - 1];
#pragma endscop
}

int numbers(int n, char (*restrict texts)[16], int *restrict whole, double *restrict part,
            char (*restrict units)[4])
{
    int found = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        found += sscanf(texts[i], "%d.%lf %3[a-z]", &whole[i], &part[i], units[i]);
    for (int i = 0; i < n; i++)
        part[i] = part[i] * 0.5 + whole[i];
#pragma endscop
    return found;
}

int main(void)
{
    for (int n = 1; n < 40; n += 12) {
        int m = n / 2 + 1;
        int *id = data_ints(n, 1000), *length = data_ints(n, 5), *whole = data_ints(n, 9);
        char (*names)[12] = calloc(n, 12), (*texts)[16] = calloc(n, 16), (*units)[4] = calloc(n, 4);
        double (*a)[m] = (double (*)[m])data_doubles(n * m), *part = data_doubles(n);
        char line[24] = "";
        named(n, names, id, length);
        rows(n, m, a, line, sizeof line, stdout);
        for (int i = 0; i < n; i++)
            sprintf(texts[i], i % 3 ? "%d.%d cm" : "%d", id[i], i);
        printf("%d\n", numbers(n, texts, whole, part, units));
        data_show("names", n, names, n * 12);
        data_show("length", n, length, n * sizeof *length);
        data_show("a", n, a, n * m * sizeof **a);
        data_show("line", n, line, sizeof line);
        data_show("whole", n, whole, n * sizeof *whole);
        data_show("part", n, part, n * sizeof *part);
        data_show("units", n, units, n * 4);
        free(id); free(length); free(whole); free(names); free(texts); free(units); free(a); free(part);
    }
    return 0;
}
