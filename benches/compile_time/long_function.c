/* A long function with calls between its loops, as programs are before they are taken apart. */
#include "numbers.h"
static double a[64], b[64], c[64], d[64];
static volatile int seen;
extern int puts(const char *);
void all(int n, int flags)
{
#pragma scop
    for (int i = 0; i < n; i++) { a[i] = b[i] * 1 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.001 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 1) seen = 0;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 2 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.002 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 2) seen = 1;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 3 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.003 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 3) seen = 2;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 4 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.004 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 4) seen = 3;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 5 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.005 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 5) seen = 4;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 6 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.006 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 6) seen = 5;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 7 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.007 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 7) seen = 6;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 8 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.008 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 8) seen = 7;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 9 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.009 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 1) seen = 8;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 10 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.010 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 2) seen = 9;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 11 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.011 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 3) seen = 10;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 12 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.012 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 4) seen = 11;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 13 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.013 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 5) seen = 12;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 14 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.014 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 6) seen = 13;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 15 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.015 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 7) seen = 14;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 16 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.016 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 8) seen = 15;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 17 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.017 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 1) seen = 16;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 18 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.018 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 2) seen = 17;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 19 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.019 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 3) seen = 18;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 20 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.020 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 4) seen = 19;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 21 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.021 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 5) seen = 20;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 22 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.022 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 6) seen = 21;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 23 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.023 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 7) seen = 22;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 24 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.024 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 8) seen = 23;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 25 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.025 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 1) seen = 24;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 26 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.026 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 2) seen = 25;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 27 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.027 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 3) seen = 26;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 28 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.028 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 4) seen = 27;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 29 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.029 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 5) seen = 28;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 30 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.030 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 6) seen = 29;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 31 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.031 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 7) seen = 30;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 32 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.032 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 8) seen = 31;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 33 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.033 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 1) seen = 32;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 34 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.034 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 2) seen = 33;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 35 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.035 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 3) seen = 34;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 36 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.036 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 4) seen = 35;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 37 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.037 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 5) seen = 36;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 38 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.038 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 6) seen = 37;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 39 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.039 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 7) seen = 38;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 40 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.040 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 8) seen = 39;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 41 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.041 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 1) seen = 40;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 42 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.042 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 2) seen = 41;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 43 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.043 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 3) seen = 42;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 44 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.044 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 4) seen = 43;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 45 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.045 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 5) seen = 44;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 46 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.046 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 6) seen = 45;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 47 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.047 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 7) seen = 46;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 48 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.048 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 8) seen = 47;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 49 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.049 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 1) seen = 48;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 50 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.050 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 2) seen = 49;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 51 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.051 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 3) seen = 50;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 52 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.052 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 4) seen = 51;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 53 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.053 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 5) seen = 52;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 54 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.054 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 6) seen = 53;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 55 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.055 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 7) seen = 54;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 56 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.056 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 8) seen = 55;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 57 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.057 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 1) seen = 56;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 58 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.058 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 2) seen = 57;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 59 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.059 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 3) seen = 58;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 60 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.060 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 4) seen = 59;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 61 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.061 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 5) seen = 60;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 62 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.062 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 6) seen = 61;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 63 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.063 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 7) seen = 62;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 64 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.064 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 8) seen = 63;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 65 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.065 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 1) seen = 64;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 66 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.066 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 2) seen = 65;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 67 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.067 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 3) seen = 66;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 68 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.068 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 4) seen = 67;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 69 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.069 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 5) seen = 68;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 70 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.070 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 6) seen = 69;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 71 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.071 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 7) seen = 70;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 72 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.072 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 8) seen = 71;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 73 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.073 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 1) seen = 72;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 74 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.074 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 2) seen = 73;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 75 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.075 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 3) seen = 74;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 76 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.076 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 4) seen = 75;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 77 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.077 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 5) seen = 76;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 78 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.078 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 6) seen = 77;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 79 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.079 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 7) seen = 78;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 80 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.080 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 8) seen = 79;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 81 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.081 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 1) seen = 80;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 82 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.082 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 2) seen = 81;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 83 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.083 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 3) seen = 82;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 84 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.084 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 4) seen = 83;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 85 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.085 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 5) seen = 84;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 86 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.086 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 6) seen = 85;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 87 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.087 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 7) seen = 86;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 88 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.088 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 8) seen = 87;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 89 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.089 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 1) seen = 88;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 90 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.090 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 2) seen = 89;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 91 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.091 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 3) seen = 90;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 92 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.092 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 4) seen = 91;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 93 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.093 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 5) seen = 92;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 94 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.094 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 6) seen = 93;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 95 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.095 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 7) seen = 94;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 96 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.096 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 8) seen = 95;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 97 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.097 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 1) seen = 96;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 98 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.098 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 2) seen = 97;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 99 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.099 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 3) seen = 98;
    for (int i = 0; i < n; i++) { a[i] = b[i] * 100 + c[i]; b[i] = a[i] - d[i]; c[i] += 0.100 * b[i]; }
    for (int i = 1; i < n; i++) d[i] = 0.5 * (a[i - 1] + a[i]);
    d[0] = a[0];
    if (flags & 4) seen = 99;
#pragma endscop
}
int main(void)
{
    fill_doubles(b, 64);
    all(64, 3);
    show("d", d, sizeof d);
}
