/* A library of vector functions, each with a region. */
#include "numbers.h"
void add_double(double *restrict o, const double *restrict a, const double *restrict b, double s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + b[i];
#pragma endscop
}
void sub_double(double *restrict o, const double *restrict a, const double *restrict b, double s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] - b[i];
#pragma endscop
}
void mul_double(double *restrict o, const double *restrict a, const double *restrict b, double s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * b[i];
#pragma endscop
}
void axpy_double(double *restrict o, const double *restrict a, const double *restrict b, double s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = s * a[i] + b[i];
#pragma endscop
}
void mix_double(double *restrict o, const double *restrict a, const double *restrict b, double s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + s * (b[i] - a[i]);
#pragma endscop
}
void max_double(double *restrict o, const double *restrict a, const double *restrict b, double s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] > b[i] ? a[i] : b[i];
#pragma endscop
}
void min_double(double *restrict o, const double *restrict a, const double *restrict b, double s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < b[i] ? a[i] : b[i];
#pragma endscop
}
void left_double(double *restrict o, const double *restrict a, const double *restrict b, double s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = i > 0 ? a[i - 1] + b[i] : b[i];
#pragma endscop
}
void rev_double(double *restrict o, const double *restrict a, const double *restrict b, double s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[n - 1 - i] * b[i];
#pragma endscop
}
void div_double(double *restrict o, const double *restrict a, const double *restrict b, double s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = b[i] != 0 ? a[i] / b[i] : 0;
#pragma endscop
}
void sq_double(double *restrict o, const double *restrict a, const double *restrict b, double s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * a[i] + b[i] * b[i];
#pragma endscop
}
void clip_double(double *restrict o, const double *restrict a, const double *restrict b, double s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < -s ? -s : a[i] > s ? s : a[i];
#pragma endscop
}
void step_double(double *restrict o, const double *restrict a, const double *restrict b, double s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < s ? 0 : 1;
#pragma endscop
}
void add_float(float *restrict o, const float *restrict a, const float *restrict b, float s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + b[i];
#pragma endscop
}
void sub_float(float *restrict o, const float *restrict a, const float *restrict b, float s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] - b[i];
#pragma endscop
}
void mul_float(float *restrict o, const float *restrict a, const float *restrict b, float s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * b[i];
#pragma endscop
}
void axpy_float(float *restrict o, const float *restrict a, const float *restrict b, float s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = s * a[i] + b[i];
#pragma endscop
}
void mix_float(float *restrict o, const float *restrict a, const float *restrict b, float s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + s * (b[i] - a[i]);
#pragma endscop
}
void max_float(float *restrict o, const float *restrict a, const float *restrict b, float s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] > b[i] ? a[i] : b[i];
#pragma endscop
}
void min_float(float *restrict o, const float *restrict a, const float *restrict b, float s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < b[i] ? a[i] : b[i];
#pragma endscop
}
void left_float(float *restrict o, const float *restrict a, const float *restrict b, float s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = i > 0 ? a[i - 1] + b[i] : b[i];
#pragma endscop
}
void rev_float(float *restrict o, const float *restrict a, const float *restrict b, float s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[n - 1 - i] * b[i];
#pragma endscop
}
void div_float(float *restrict o, const float *restrict a, const float *restrict b, float s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = b[i] != 0 ? a[i] / b[i] : 0;
#pragma endscop
}
void sq_float(float *restrict o, const float *restrict a, const float *restrict b, float s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * a[i] + b[i] * b[i];
#pragma endscop
}
void clip_float(float *restrict o, const float *restrict a, const float *restrict b, float s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < -s ? -s : a[i] > s ? s : a[i];
#pragma endscop
}
void step_float(float *restrict o, const float *restrict a, const float *restrict b, float s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < s ? 0 : 1;
#pragma endscop
}
void add_int(int *restrict o, const int *restrict a, const int *restrict b, int s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + b[i];
#pragma endscop
}
void sub_int(int *restrict o, const int *restrict a, const int *restrict b, int s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] - b[i];
#pragma endscop
}
void mul_int(int *restrict o, const int *restrict a, const int *restrict b, int s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * b[i];
#pragma endscop
}
void axpy_int(int *restrict o, const int *restrict a, const int *restrict b, int s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = s * a[i] + b[i];
#pragma endscop
}
void mix_int(int *restrict o, const int *restrict a, const int *restrict b, int s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + s * (b[i] - a[i]);
#pragma endscop
}
void max_int(int *restrict o, const int *restrict a, const int *restrict b, int s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] > b[i] ? a[i] : b[i];
#pragma endscop
}
void min_int(int *restrict o, const int *restrict a, const int *restrict b, int s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < b[i] ? a[i] : b[i];
#pragma endscop
}
void left_int(int *restrict o, const int *restrict a, const int *restrict b, int s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = i > 0 ? a[i - 1] + b[i] : b[i];
#pragma endscop
}
void rev_int(int *restrict o, const int *restrict a, const int *restrict b, int s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[n - 1 - i] * b[i];
#pragma endscop
}
void div_int(int *restrict o, const int *restrict a, const int *restrict b, int s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = b[i] != 0 ? a[i] / b[i] : 0;
#pragma endscop
}
void sq_int(int *restrict o, const int *restrict a, const int *restrict b, int s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * a[i] + b[i] * b[i];
#pragma endscop
}
void clip_int(int *restrict o, const int *restrict a, const int *restrict b, int s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < -s ? -s : a[i] > s ? s : a[i];
#pragma endscop
}
void step_int(int *restrict o, const int *restrict a, const int *restrict b, int s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < s ? 0 : 1;
#pragma endscop
}
void add_short(short *restrict o, const short *restrict a, const short *restrict b, short s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + b[i];
#pragma endscop
}
void sub_short(short *restrict o, const short *restrict a, const short *restrict b, short s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] - b[i];
#pragma endscop
}
void mul_short(short *restrict o, const short *restrict a, const short *restrict b, short s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * b[i];
#pragma endscop
}
void axpy_short(short *restrict o, const short *restrict a, const short *restrict b, short s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = s * a[i] + b[i];
#pragma endscop
}
void mix_short(short *restrict o, const short *restrict a, const short *restrict b, short s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + s * (b[i] - a[i]);
#pragma endscop
}
void max_short(short *restrict o, const short *restrict a, const short *restrict b, short s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] > b[i] ? a[i] : b[i];
#pragma endscop
}
void min_short(short *restrict o, const short *restrict a, const short *restrict b, short s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < b[i] ? a[i] : b[i];
#pragma endscop
}
void left_short(short *restrict o, const short *restrict a, const short *restrict b, short s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = i > 0 ? a[i - 1] + b[i] : b[i];
#pragma endscop
}
void rev_short(short *restrict o, const short *restrict a, const short *restrict b, short s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[n - 1 - i] * b[i];
#pragma endscop
}
void div_short(short *restrict o, const short *restrict a, const short *restrict b, short s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = b[i] != 0 ? a[i] / b[i] : 0;
#pragma endscop
}
void sq_short(short *restrict o, const short *restrict a, const short *restrict b, short s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * a[i] + b[i] * b[i];
#pragma endscop
}
void clip_short(short *restrict o, const short *restrict a, const short *restrict b, short s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < -s ? -s : a[i] > s ? s : a[i];
#pragma endscop
}
void step_short(short *restrict o, const short *restrict a, const short *restrict b, short s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < s ? 0 : 1;
#pragma endscop
}
void add_unsigned_char(unsigned char *restrict o, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + b[i];
#pragma endscop
}
void sub_unsigned_char(unsigned char *restrict o, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] - b[i];
#pragma endscop
}
void mul_unsigned_char(unsigned char *restrict o, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * b[i];
#pragma endscop
}
void axpy_unsigned_char(unsigned char *restrict o, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = s * a[i] + b[i];
#pragma endscop
}
void mix_unsigned_char(unsigned char *restrict o, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + s * (b[i] - a[i]);
#pragma endscop
}
void max_unsigned_char(unsigned char *restrict o, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] > b[i] ? a[i] : b[i];
#pragma endscop
}
void min_unsigned_char(unsigned char *restrict o, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < b[i] ? a[i] : b[i];
#pragma endscop
}
void left_unsigned_char(unsigned char *restrict o, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = i > 0 ? a[i - 1] + b[i] : b[i];
#pragma endscop
}
void rev_unsigned_char(unsigned char *restrict o, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[n - 1 - i] * b[i];
#pragma endscop
}
void div_unsigned_char(unsigned char *restrict o, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = b[i] != 0 ? a[i] / b[i] : 0;
#pragma endscop
}
void sq_unsigned_char(unsigned char *restrict o, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * a[i] + b[i] * b[i];
#pragma endscop
}
void clip_unsigned_char(unsigned char *restrict o, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < -s ? -s : a[i] > s ? s : a[i];
#pragma endscop
}
void step_unsigned_char(unsigned char *restrict o, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < s ? 0 : 1;
#pragma endscop
}
void add_long(long *restrict o, const long *restrict a, const long *restrict b, long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + b[i];
#pragma endscop
}
void sub_long(long *restrict o, const long *restrict a, const long *restrict b, long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] - b[i];
#pragma endscop
}
void mul_long(long *restrict o, const long *restrict a, const long *restrict b, long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * b[i];
#pragma endscop
}
void axpy_long(long *restrict o, const long *restrict a, const long *restrict b, long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = s * a[i] + b[i];
#pragma endscop
}
void mix_long(long *restrict o, const long *restrict a, const long *restrict b, long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + s * (b[i] - a[i]);
#pragma endscop
}
void max_long(long *restrict o, const long *restrict a, const long *restrict b, long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] > b[i] ? a[i] : b[i];
#pragma endscop
}
void min_long(long *restrict o, const long *restrict a, const long *restrict b, long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < b[i] ? a[i] : b[i];
#pragma endscop
}
void left_long(long *restrict o, const long *restrict a, const long *restrict b, long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = i > 0 ? a[i - 1] + b[i] : b[i];
#pragma endscop
}
void rev_long(long *restrict o, const long *restrict a, const long *restrict b, long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[n - 1 - i] * b[i];
#pragma endscop
}
void div_long(long *restrict o, const long *restrict a, const long *restrict b, long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = b[i] != 0 ? a[i] / b[i] : 0;
#pragma endscop
}
void sq_long(long *restrict o, const long *restrict a, const long *restrict b, long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * a[i] + b[i] * b[i];
#pragma endscop
}
void clip_long(long *restrict o, const long *restrict a, const long *restrict b, long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < -s ? -s : a[i] > s ? s : a[i];
#pragma endscop
}
void step_long(long *restrict o, const long *restrict a, const long *restrict b, long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < s ? 0 : 1;
#pragma endscop
}
void add_unsigned(unsigned *restrict o, const unsigned *restrict a, const unsigned *restrict b, unsigned s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + b[i];
#pragma endscop
}
void sub_unsigned(unsigned *restrict o, const unsigned *restrict a, const unsigned *restrict b, unsigned s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] - b[i];
#pragma endscop
}
void mul_unsigned(unsigned *restrict o, const unsigned *restrict a, const unsigned *restrict b, unsigned s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * b[i];
#pragma endscop
}
void axpy_unsigned(unsigned *restrict o, const unsigned *restrict a, const unsigned *restrict b, unsigned s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = s * a[i] + b[i];
#pragma endscop
}
void mix_unsigned(unsigned *restrict o, const unsigned *restrict a, const unsigned *restrict b, unsigned s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + s * (b[i] - a[i]);
#pragma endscop
}
void max_unsigned(unsigned *restrict o, const unsigned *restrict a, const unsigned *restrict b, unsigned s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] > b[i] ? a[i] : b[i];
#pragma endscop
}
void min_unsigned(unsigned *restrict o, const unsigned *restrict a, const unsigned *restrict b, unsigned s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < b[i] ? a[i] : b[i];
#pragma endscop
}
void left_unsigned(unsigned *restrict o, const unsigned *restrict a, const unsigned *restrict b, unsigned s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = i > 0 ? a[i - 1] + b[i] : b[i];
#pragma endscop
}
void rev_unsigned(unsigned *restrict o, const unsigned *restrict a, const unsigned *restrict b, unsigned s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[n - 1 - i] * b[i];
#pragma endscop
}
void div_unsigned(unsigned *restrict o, const unsigned *restrict a, const unsigned *restrict b, unsigned s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = b[i] != 0 ? a[i] / b[i] : 0;
#pragma endscop
}
void sq_unsigned(unsigned *restrict o, const unsigned *restrict a, const unsigned *restrict b, unsigned s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * a[i] + b[i] * b[i];
#pragma endscop
}
void clip_unsigned(unsigned *restrict o, const unsigned *restrict a, const unsigned *restrict b, unsigned s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < -s ? -s : a[i] > s ? s : a[i];
#pragma endscop
}
void step_unsigned(unsigned *restrict o, const unsigned *restrict a, const unsigned *restrict b, unsigned s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < s ? 0 : 1;
#pragma endscop
}
void add_uint16_t(uint16_t *restrict o, const uint16_t *restrict a, const uint16_t *restrict b, uint16_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + b[i];
#pragma endscop
}
void sub_uint16_t(uint16_t *restrict o, const uint16_t *restrict a, const uint16_t *restrict b, uint16_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] - b[i];
#pragma endscop
}
void mul_uint16_t(uint16_t *restrict o, const uint16_t *restrict a, const uint16_t *restrict b, uint16_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * b[i];
#pragma endscop
}
void axpy_uint16_t(uint16_t *restrict o, const uint16_t *restrict a, const uint16_t *restrict b, uint16_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = s * a[i] + b[i];
#pragma endscop
}
void mix_uint16_t(uint16_t *restrict o, const uint16_t *restrict a, const uint16_t *restrict b, uint16_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + s * (b[i] - a[i]);
#pragma endscop
}
void max_uint16_t(uint16_t *restrict o, const uint16_t *restrict a, const uint16_t *restrict b, uint16_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] > b[i] ? a[i] : b[i];
#pragma endscop
}
void min_uint16_t(uint16_t *restrict o, const uint16_t *restrict a, const uint16_t *restrict b, uint16_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < b[i] ? a[i] : b[i];
#pragma endscop
}
void left_uint16_t(uint16_t *restrict o, const uint16_t *restrict a, const uint16_t *restrict b, uint16_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = i > 0 ? a[i - 1] + b[i] : b[i];
#pragma endscop
}
void rev_uint16_t(uint16_t *restrict o, const uint16_t *restrict a, const uint16_t *restrict b, uint16_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[n - 1 - i] * b[i];
#pragma endscop
}
void div_uint16_t(uint16_t *restrict o, const uint16_t *restrict a, const uint16_t *restrict b, uint16_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = b[i] != 0 ? a[i] / b[i] : 0;
#pragma endscop
}
void sq_uint16_t(uint16_t *restrict o, const uint16_t *restrict a, const uint16_t *restrict b, uint16_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * a[i] + b[i] * b[i];
#pragma endscop
}
void clip_uint16_t(uint16_t *restrict o, const uint16_t *restrict a, const uint16_t *restrict b, uint16_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < -s ? -s : a[i] > s ? s : a[i];
#pragma endscop
}
void step_uint16_t(uint16_t *restrict o, const uint16_t *restrict a, const uint16_t *restrict b, uint16_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < s ? 0 : 1;
#pragma endscop
}
void add_int8_t(int8_t *restrict o, const int8_t *restrict a, const int8_t *restrict b, int8_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + b[i];
#pragma endscop
}
void sub_int8_t(int8_t *restrict o, const int8_t *restrict a, const int8_t *restrict b, int8_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] - b[i];
#pragma endscop
}
void mul_int8_t(int8_t *restrict o, const int8_t *restrict a, const int8_t *restrict b, int8_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * b[i];
#pragma endscop
}
void axpy_int8_t(int8_t *restrict o, const int8_t *restrict a, const int8_t *restrict b, int8_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = s * a[i] + b[i];
#pragma endscop
}
void mix_int8_t(int8_t *restrict o, const int8_t *restrict a, const int8_t *restrict b, int8_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + s * (b[i] - a[i]);
#pragma endscop
}
void max_int8_t(int8_t *restrict o, const int8_t *restrict a, const int8_t *restrict b, int8_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] > b[i] ? a[i] : b[i];
#pragma endscop
}
void min_int8_t(int8_t *restrict o, const int8_t *restrict a, const int8_t *restrict b, int8_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < b[i] ? a[i] : b[i];
#pragma endscop
}
void left_int8_t(int8_t *restrict o, const int8_t *restrict a, const int8_t *restrict b, int8_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = i > 0 ? a[i - 1] + b[i] : b[i];
#pragma endscop
}
void rev_int8_t(int8_t *restrict o, const int8_t *restrict a, const int8_t *restrict b, int8_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[n - 1 - i] * b[i];
#pragma endscop
}
void div_int8_t(int8_t *restrict o, const int8_t *restrict a, const int8_t *restrict b, int8_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = b[i] != 0 ? a[i] / b[i] : 0;
#pragma endscop
}
void sq_int8_t(int8_t *restrict o, const int8_t *restrict a, const int8_t *restrict b, int8_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * a[i] + b[i] * b[i];
#pragma endscop
}
void clip_int8_t(int8_t *restrict o, const int8_t *restrict a, const int8_t *restrict b, int8_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < -s ? -s : a[i] > s ? s : a[i];
#pragma endscop
}
void step_int8_t(int8_t *restrict o, const int8_t *restrict a, const int8_t *restrict b, int8_t s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < s ? 0 : 1;
#pragma endscop
}
void add_long_long(long long *restrict o, const long long *restrict a, const long long *restrict b, long long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + b[i];
#pragma endscop
}
void sub_long_long(long long *restrict o, const long long *restrict a, const long long *restrict b, long long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] - b[i];
#pragma endscop
}
void mul_long_long(long long *restrict o, const long long *restrict a, const long long *restrict b, long long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * b[i];
#pragma endscop
}
void axpy_long_long(long long *restrict o, const long long *restrict a, const long long *restrict b, long long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = s * a[i] + b[i];
#pragma endscop
}
void mix_long_long(long long *restrict o, const long long *restrict a, const long long *restrict b, long long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] + s * (b[i] - a[i]);
#pragma endscop
}
void max_long_long(long long *restrict o, const long long *restrict a, const long long *restrict b, long long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] > b[i] ? a[i] : b[i];
#pragma endscop
}
void min_long_long(long long *restrict o, const long long *restrict a, const long long *restrict b, long long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < b[i] ? a[i] : b[i];
#pragma endscop
}
void left_long_long(long long *restrict o, const long long *restrict a, const long long *restrict b, long long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = i > 0 ? a[i - 1] + b[i] : b[i];
#pragma endscop
}
void rev_long_long(long long *restrict o, const long long *restrict a, const long long *restrict b, long long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[n - 1 - i] * b[i];
#pragma endscop
}
void div_long_long(long long *restrict o, const long long *restrict a, const long long *restrict b, long long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = b[i] != 0 ? a[i] / b[i] : 0;
#pragma endscop
}
void sq_long_long(long long *restrict o, const long long *restrict a, const long long *restrict b, long long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] * a[i] + b[i] * b[i];
#pragma endscop
}
void clip_long_long(long long *restrict o, const long long *restrict a, const long long *restrict b, long long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < -s ? -s : a[i] > s ? s : a[i];
#pragma endscop
}
void step_long_long(long long *restrict o, const long long *restrict a, const long long *restrict b, long long s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = a[i] < s ? 0 : 1;
#pragma endscop
}
int main(void)
{
    double o[9], a[9], b[9];
    fill_doubles(a, 9);
    fill_doubles(b, 9);
    mix_double(o, a, b, 0.5, 9);
    show("o", o, sizeof o);
}
