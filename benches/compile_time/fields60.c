/* Fifteen fields, four passes over the cells of each. */
#include "numbers.h"
#define N 32
#define M 24
static double q0[N][M], q1[N][M], q2[N][M], q3[N][M], q4[N][M], q5[N][M], q6[N][M], q7[N][M], q8[N][M], q9[N][M], q10[N][M], q11[N][M], q12[N][M], q13[N][M], q14[N][M];
static double f0[N][M], f1[N][M], f2[N][M], f3[N][M], f4[N][M], f5[N][M], f6[N][M], f7[N][M], f8[N][M], f9[N][M], f10[N][M], f11[N][M], f12[N][M], f13[N][M], f14[N][M];
static double g0[N][M], g1[N][M], g2[N][M], g3[N][M], g4[N][M], g5[N][M], g6[N][M], g7[N][M], g8[N][M], g9[N][M], g10[N][M], g11[N][M], g12[N][M], g13[N][M], g14[N][M];
void sweep(double dt)
{
#pragma scop
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < M - 1; j++) {
            f0[i][j] = 0.5 * (q0[i][j] + q0[i + 1][j]) * q1[i][j];
            f1[i][j] = 0.5 * (q1[i][j] + q1[i + 1][j]) * q2[i][j];
            f2[i][j] = 0.5 * (q2[i][j] + q2[i + 1][j]) * q3[i][j];
            f3[i][j] = 0.5 * (q3[i][j] + q3[i + 1][j]) * q4[i][j];
            f4[i][j] = 0.5 * (q4[i][j] + q4[i + 1][j]) * q5[i][j];
            f5[i][j] = 0.5 * (q5[i][j] + q5[i + 1][j]) * q6[i][j];
            f6[i][j] = 0.5 * (q6[i][j] + q6[i + 1][j]) * q7[i][j];
            f7[i][j] = 0.5 * (q7[i][j] + q7[i + 1][j]) * q8[i][j];
            f8[i][j] = 0.5 * (q8[i][j] + q8[i + 1][j]) * q9[i][j];
            f9[i][j] = 0.5 * (q9[i][j] + q9[i + 1][j]) * q10[i][j];
            f10[i][j] = 0.5 * (q10[i][j] + q10[i + 1][j]) * q11[i][j];
            f11[i][j] = 0.5 * (q11[i][j] + q11[i + 1][j]) * q12[i][j];
            f12[i][j] = 0.5 * (q12[i][j] + q12[i + 1][j]) * q13[i][j];
            f13[i][j] = 0.5 * (q13[i][j] + q13[i + 1][j]) * q14[i][j];
            f14[i][j] = 0.5 * (q14[i][j] + q14[i + 1][j]) * q0[i][j];
        }
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < M - 1; j++) {
            g0[i][j] = 0.5 * (q0[i][j] + q0[i][j + 1]) * q2[i][j];
            g1[i][j] = 0.5 * (q1[i][j] + q1[i][j + 1]) * q3[i][j];
            g2[i][j] = 0.5 * (q2[i][j] + q2[i][j + 1]) * q4[i][j];
            g3[i][j] = 0.5 * (q3[i][j] + q3[i][j + 1]) * q5[i][j];
            g4[i][j] = 0.5 * (q4[i][j] + q4[i][j + 1]) * q6[i][j];
            g5[i][j] = 0.5 * (q5[i][j] + q5[i][j + 1]) * q7[i][j];
            g6[i][j] = 0.5 * (q6[i][j] + q6[i][j + 1]) * q8[i][j];
            g7[i][j] = 0.5 * (q7[i][j] + q7[i][j + 1]) * q9[i][j];
            g8[i][j] = 0.5 * (q8[i][j] + q8[i][j + 1]) * q10[i][j];
            g9[i][j] = 0.5 * (q9[i][j] + q9[i][j + 1]) * q11[i][j];
            g10[i][j] = 0.5 * (q10[i][j] + q10[i][j + 1]) * q12[i][j];
            g11[i][j] = 0.5 * (q11[i][j] + q11[i][j + 1]) * q13[i][j];
            g12[i][j] = 0.5 * (q12[i][j] + q12[i][j + 1]) * q14[i][j];
            g13[i][j] = 0.5 * (q13[i][j] + q13[i][j + 1]) * q0[i][j];
            g14[i][j] = 0.5 * (q14[i][j] + q14[i][j + 1]) * q1[i][j];
        }
    for (int i = 2; i < N - 1; i++)
        for (int j = 2; j < M - 1; j++) {
            q0[i][j] -= dt * (f0[i][j] - f0[i - 1][j] + g0[i][j] - g0[i][j - 1]);
            q1[i][j] -= dt * (f1[i][j] - f1[i - 1][j] + g1[i][j] - g1[i][j - 1]);
            q2[i][j] -= dt * (f2[i][j] - f2[i - 1][j] + g2[i][j] - g2[i][j - 1]);
            q3[i][j] -= dt * (f3[i][j] - f3[i - 1][j] + g3[i][j] - g3[i][j - 1]);
            q4[i][j] -= dt * (f4[i][j] - f4[i - 1][j] + g4[i][j] - g4[i][j - 1]);
            q5[i][j] -= dt * (f5[i][j] - f5[i - 1][j] + g5[i][j] - g5[i][j - 1]);
            q6[i][j] -= dt * (f6[i][j] - f6[i - 1][j] + g6[i][j] - g6[i][j - 1]);
            q7[i][j] -= dt * (f7[i][j] - f7[i - 1][j] + g7[i][j] - g7[i][j - 1]);
            q8[i][j] -= dt * (f8[i][j] - f8[i - 1][j] + g8[i][j] - g8[i][j - 1]);
            q9[i][j] -= dt * (f9[i][j] - f9[i - 1][j] + g9[i][j] - g9[i][j - 1]);
            q10[i][j] -= dt * (f10[i][j] - f10[i - 1][j] + g10[i][j] - g10[i][j - 1]);
            q11[i][j] -= dt * (f11[i][j] - f11[i - 1][j] + g11[i][j] - g11[i][j - 1]);
            q12[i][j] -= dt * (f12[i][j] - f12[i - 1][j] + g12[i][j] - g12[i][j - 1]);
            q13[i][j] -= dt * (f13[i][j] - f13[i - 1][j] + g13[i][j] - g13[i][j - 1]);
            q14[i][j] -= dt * (f14[i][j] - f14[i - 1][j] + g14[i][j] - g14[i][j - 1]);
        }
    for (int j = 0; j < M; j++) {
        q0[0][j] = q0[1][j];
        q1[0][j] = q1[1][j];
        q2[0][j] = q2[1][j];
        q3[0][j] = q3[1][j];
        q4[0][j] = q4[1][j];
        q5[0][j] = q5[1][j];
        q6[0][j] = q6[1][j];
        q7[0][j] = q7[1][j];
        q8[0][j] = q8[1][j];
        q9[0][j] = q9[1][j];
        q10[0][j] = q10[1][j];
        q11[0][j] = q11[1][j];
        q12[0][j] = q12[1][j];
        q13[0][j] = q13[1][j];
        q14[0][j] = q14[1][j];
    }
#pragma endscop
}
int main(void)
{
    fill_doubles(&q0[0][0], N * M);
    fill_doubles(&q1[0][0], N * M);
    fill_doubles(&q2[0][0], N * M);
    fill_doubles(&q3[0][0], N * M);
    fill_doubles(&q4[0][0], N * M);
    fill_doubles(&q5[0][0], N * M);
    fill_doubles(&q6[0][0], N * M);
    fill_doubles(&q7[0][0], N * M);
    fill_doubles(&q8[0][0], N * M);
    fill_doubles(&q9[0][0], N * M);
    fill_doubles(&q10[0][0], N * M);
    fill_doubles(&q11[0][0], N * M);
    fill_doubles(&q12[0][0], N * M);
    fill_doubles(&q13[0][0], N * M);
    fill_doubles(&q14[0][0], N * M);
    sweep(0.01);
    show("q0", q0, sizeof q0);
    show("q1", q1, sizeof q1);
    show("q2", q2, sizeof q2);
    show("q3", q3, sizeof q3);
    show("q4", q4, sizeof q4);
    show("q5", q5, sizeof q5);
    show("q6", q6, sizeof q6);
    show("q7", q7, sizeof q7);
    show("q8", q8, sizeof q8);
    show("q9", q9, sizeof q9);
    show("q10", q10, sizeof q10);
    show("q11", q11, sizeof q11);
    show("q12", q12, sizeof q12);
    show("q13", q13, sizeof q13);
    show("q14", q14, sizeof q14);
}
