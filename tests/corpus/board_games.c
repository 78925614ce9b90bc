/* Boards of games: sliding tiles, four in a row, counting mines, filling areas. */
#include "data.h"
#include <stdbool.h>

#define N 4

/* Slides and joins the tiles to the left. Returns the score. */
int slide_left(int board[N][N])
{
    int score = 0;
#pragma scop
    for (int r = 0; r < N; r++) {
        int to = 0, last = 0;
        for (int c = 0; c < N; c++) {
            int v = board[r][c];
            if (v == 0)
                continue;
            board[r][c] = 0;
            if (v == last) {
                board[r][to - 1] = 2 * v;
                score += 2 * v;
                last = 0;
            } else {
                board[r][to++] = v;
                last = v;
            }
        }
    }
#pragma endscop
    return score;
}

#define ROWS 6
#define COLS 7

/* Returns the player with four in a row, or 0. */
int find_winner(const signed char board[ROWS][COLS])
{
    static const int step[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    int winner = 0;
#pragma scop
    for (int r = 0; r < ROWS && !winner; r++) {
        for (int c = 0; c < COLS && !winner; c++) {
            if (!board[r][c])
                continue;
            for (int d = 0; d < 4; d++) {
                int k = 1;
                while (k < 4) {
                    int rr = r + k * step[d][0], cc = c + k * step[d][1];
                    if (rr < 0 || rr >= ROWS || cc < 0 || cc >= COLS)
                        break;
                    if (board[rr][cc] != board[r][c])
                        break;
                    k++;
                }
                if (k == 4)
                    winner = board[r][c];
            }
        }
    }
#pragma endscop
    return winner;
}

struct cell {
    bool mine;
    bool open;
    uint8_t near;
};

void count_mines(struct cell *field, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            field[y * w + x].near = 0;
            if (field[y * w + x].mine)
                continue;
            for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < h; j++)
                for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < w; i++)
                    if (field[j * w + i].mine)
                        field[y * w + x].near++;
        }
    }
#pragma endscop
}

/* Opens the cells around a cell without mines near, with a stack of places. */
int open_area(struct cell *field, int w, int h, int x, int y, int *stack)
{
    int top = 0, opened = 0;
    stack[top++] = y * w + x;
#pragma scop
    while (top > 0) {
        int at = stack[--top];
        int cx = at % w, cy = at / w;
        if (field[at].open || field[at].mine)
            continue;
        field[at].open = true;
        opened++;
        if (field[at].near)
            continue;
        if (cx > 0) stack[top++] = at - 1;
        if (cx < w - 1) stack[top++] = at + 1;
        if (cy > 0) stack[top++] = at - w;
        if (cy < h - 1) stack[top++] = at + w;
    }
#pragma endscop
    return opened;
}

int main(void)
{
    DATA_EACH(n) {
        int board[N][N];
        for (int i = 0; i < N * N; i++)
            board[i / N][i % N] = (int)(data_next() % 3) * 2;
        int score = slide_left(board);
        data_show("slide", score, board, sizeof board);
        signed char four[ROWS][COLS];
        for (int i = 0; i < ROWS * COLS; i++)
            four[i / COLS][i % COLS] = (signed char)(data_next() % 3);
        printf("winner %d\n", find_winner((const signed char (*)[COLS])four));
        int w = n / 2 + 1, h = n / 2 + 1;
        struct cell *field = calloc(w * h, sizeof *field);
        for (int i = 0; i < w * h; i++)
            field[i].mine = data_next() % 12 == 0;
        count_mines(field, w, h);
        int opened = open_area(field, w, h, w / 2, h / 2, data_ints(4 * w * h + 4, 2));
        data_show("mines", opened, field, w * h * sizeof *field);
    }
}
