/* Many small loops as they stand in programs: bytes, temporaries, odd borders, conversions. */
#include "data.h"
#include <math.h>
#include <stdbool.h>

static void abs_diff(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = abs(a[i] - d[i]) + (a[i] > d[i] ? a[i] - d[i] : d[i] - a[i]);
#pragma endscop
}

static void argmin(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    int k = 0;
    for (int i = 1; i < n; i++)
        if (a[i] < a[k])
            k = i;
    d[0] = k;
    b[0] = a[k];
#pragma endscop
}

static void bits(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int v = a[i], k = 0;
        for (int j = 0; j < 8; j++)
            k += (v >> j) & 1;
        b[i] = k;
    }
#pragma endscop
}

static void bool_temp(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        bool p = a[i] & 4;
        _Bool q = a[i];
        b[i] = p + q * 2;
        d[i] = !p || q;
    }
#pragma endscop
}

static void cast_trunc(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] = (unsigned char)(a[i] * 5) + (short)(a[i] * 900);
        d[i] = (int)(unsigned)(a[i] - 50) >> 3;
    }
#pragma endscop
}

static void char_lit(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        char c = '0' + a[i] % 10;
        b[i] = c;
        d[i] = c - '0';
    }
#pragma endscop
}

static void char_sign(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        char c = (char)(a[i] * 3);
        signed char s = c;
        unsigned char u = c;
        b[i] = c + s + u;
        d[i] = c < 0;
    }
#pragma endscop
}

static void cond_expr_idx(int n, int a[restrict n + 2], int b[restrict n + 2],
                          int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i > 2 ? i - 3 : 0] + a[i + 2 < n ? i + 2 : n];
#pragma endscop
}

static void const_fold(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    const int K = 5;
    const int K2 = K * K;
    for (int i = 0; i < n; i++)
        b[i] = a[i] * K2 + i / K;
#pragma endscop
}

static void div_neg(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = (i - 7) / 3 + (i - 7) % 3 + (-i) / 2;
#pragma endscop
}

static void down_count(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = n - 1; i >= 0; i--) {
        b[i] = b[i + 1] + a[i];
        d[n - 1 - i] = b[i];
    }
#pragma endscop
}

enum enum_state_st { STATE_A, STATE_B = 5, STATE_C };
static void enum_state(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        enum enum_state_st s = a[i] < 30 ? STATE_A : a[i] < 60 ? STATE_B : STATE_C;
        b[i] = s == STATE_B ? d[i] : s;
    }
#pragma endscop
}

static void float_temp(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float t = a[i] * 0.1;
        double u = t * 3.7;
        b[i] = (int)(u * u);
        d[i] = (int)(t + 0.5f);
    }
#pragma endscop
}

static int func_call_mix(int x, int y)
{
    int t = x * 3;
    if (y > 50)
        t += y;
    else
        t -= y;
    return t;
}
static void func_call(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = func_call_mix(a[i], d[i]);
#pragma endscop
}

int global_count_g;
static void global_count(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > 50)
            global_count_g++;
        b[i] = global_count_g;
    }
    d[0] = global_count_g;
#pragma endscop
}

static void hist_two(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int k = 0; k < 10; k++)
        d[k] = 0;
    for (int i = 0; i < n; i++) {
        d[a[i] / 10]++;
        b[i] = d[a[i] / 10];
    }
#pragma endscop
}

static void idx_div(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[(i + 1) / 2] + a[i / 3 * 2 % (n + 1)];
#pragma endscop
}

static void local_array(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int w[3];
        w[0] = a[i];
        w[1] = d[i];
        w[2] = w[0] > w[1] ? w[0] : w[1];
        b[i] = w[2] + w[i % 3];
    }
#pragma endscop
}

static void long_idx(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    long m = n;
    for (long i = m - 1; i >= 0; i--)
        b[i] = a[i] - (int)i;
#pragma endscop
}

static void longs(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        long t = (long)a[i] * 100000000L;
        b[i] = (int)(t >> 20);
        d[i] = (int)(t % 1000003);
    }
#pragma endscop
}

#define macro_MIN(a, b) ((a) < (b) ? (a) : (b))
#define macro_CL(v, l, h) (macro_MIN((v) < (l) ? (l) : (v), h))
static void macro(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = macro_CL(a[i] - 50, 0, 20);
#pragma endscop
}

static void maxfold(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    int m = a[0];
    for (int i = 1; i < n; i++)
        m = a[i] > m ? a[i] : m;
    for (int i = 0; i < n; i++)
        b[i] = m - a[i];
#pragma endscop
}

static void mixed_float(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float x = a[i] / 3;
        float y = a[i] / 3.0f;
        b[i] = (int)(x * 10) + (int)(y * 10);
    }
#pragma endscop
}

static void mod_index(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i % 5] += a[(i * 3) % 7 % n];
#pragma endscop
}

static void narrow_compound(int n, int a[restrict n + 2], int b[restrict n + 2],
                            int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        uint8_t x = a[i];
        x += 200;
        x *= 3;
        b[i] = x;
        int16_t y = a[i] * 700;
        y -= 30000;
        d[i] = y;
    }
#pragma endscop
}

static void ne_cond(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i != n; i++)
        b[i] = a[i] ^ d[i];
#pragma endscop
}

static void neg_step(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = n; i > 0; i -= 2)
        b[i] = a[i - 1] * 2;
#pragma endscop
}

static void nested_data_if(int n, int a[restrict n + 2], int b[restrict n + 2],
                           int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > 20) {
            if (b[i] > 30)
                d[i] = 1;
            else
                d[i] = 2;
            if (a[i] > 60)
                b[i] = d[i];
        } else {
            d[i] = 3;
        }
    }
#pragma endscop
}

static void nested_tern(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] < 10 ? 0 : a[i] < 40 ? d[i] : a[i] < 70 ? (b[i] > 50 ? 1 : 2) : 3;
#pragma endscop
}

static void prefix_incl(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1];
    for (int i = 0; i < n; i++)
        b[i] = a[n - 1] - a[i];
#pragma endscop
}

static void reverse(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n / 2; i++) {
        int t = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = t;
    }
#pragma endscop
}

static void rotate(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    int t = a[0];
    for (int i = 0; i < n - 1; i++)
        a[i] = a[i + 1];
    a[n > 0 ? n - 1 : 0] = t;
#pragma endscop
}

static void round_half(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] = (int)lrintf(a[i] * 0.37f);
        d[i] = (int)floor(a[i] * -0.37) + (int)ceilf(a[i] * 0.1f);
    }
#pragma endscop
}

static void scalar_live(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
    int last = -1, best = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        last = a[i];
        if (last > best)
            best = last;
        b[i] = best;
    }
    d[0] = last + best;
#pragma endscop
}

static void shift_neg(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int t = a[i] - 50;
        b[i] = t >> 2;
        d[i] = t / 4 + t % 3;
    }
#pragma endscop
}

static void short_circuit(int n, int a[restrict n + 2], int b[restrict n + 2],
                          int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (i > 0 && a[i - 1] > 50)
            b[i] = a[i - 1];
        else if (i < n - 1 || a[i] > 3)
            b[i] = a[i + 1];
    }
#pragma endscop
}

static void size_t_loop(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (size_t i = 0; i + 1 < (size_t)n; i++)
        b[i] = a[i + 1] - a[i];
#pragma endscop
}

static void sizeof_idx(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] + (int)sizeof(a[0]) * (int)sizeof(long);
#pragma endscop
}

static const int static_table_T[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static void static_table(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = static_table_T[a[i] & 7] + static_table_T[i % 8];
#pragma endscop
}

static void stride3(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 1; i < n; i += 3) {
        b[i] = a[i];
        d[i + 1] = a[i - 1];
    }
#pragma endscop
}

struct struct_local_p {
    int x, y;
};
static void struct_local(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        struct struct_local_p q;
        q.x = a[i];
        q.y = d[i];
        b[i] = q.x * q.y - q.x;
    }
#pragma endscop
}

static void swap_scalars(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
    int x = 1, y = 2;
#pragma scop
    for (int i = 0; i < n; i++) {
        int t = x;
        x = y;
        y = t + a[i] % 3;
        b[i] = x;
    }
    d[0] = x;
    d[1] = y;
#pragma endscop
}

static void temp_across(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    int carry = 0;
    for (int i = 0; i < n; i++) {
        int s = a[i] + d[i] + carry;
        carry = s / 100;
        b[i] = s % 100;
    }
    d[0] = carry;
#pragma endscop
}

static void ternary_guard(int n, int a[restrict n + 2], int b[restrict n + 2],
                          int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i] % 7 != 0 ? 1000 / (a[i] % 7) : d[i];
#pragma endscop
}

static void triangular(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            b[j] += a[i] * (j - i);
#pragma endscop
}

static void two_accum(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    int s = 0;
    unsigned p = 1;
    for (int i = 0; i < n; i++) {
        s += a[i];
        p *= (unsigned)a[i] | 1u;
        b[i] = s;
    }
    d[0] = s;
    d[1] = (int)(p & 0xffff);
#pragma endscop
}

static void two_regions_temp(int n, int a[restrict n + 2], int b[restrict n + 2],
                             int d[restrict n + 2])
{
#pragma scop
    int t = a[0];
    for (int i = 0; i < n; i++) {
        t = t * 2 + a[i];
        t &= 1023;
    }
    b[0] = t;
    for (int i = 0; i < n; i++)
        d[i] = t + i;
#pragma endscop
}

static void two_temps_cond(int n, int a[restrict n + 2], int b[restrict n + 2],
                           int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int t;
        if (a[i] > 50)
            t = b[i];
        else
            t = d[i];
        int u = t;
        if (u > 70)
            u = 70;
        b[i] = u + t;
    }
#pragma endscop
}

static void u64hash(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        uint64_t h = (uint64_t)a[i];
        h ^= h << 13;
        h *= 0x9e3779b97f4a7c15ull;
        h ^= h >> 29;
        b[i] = (int)(h >> 40);
    }
#pragma endscop
}

static void uneven(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    for (int i = 0; i < n / 2; i++) {
        b[i] = a[2 * i];
        b[n / 2 + i] = a[2 * i + 1];
    }
    if (n & 1)
        b[n - 1] = a[n - 1];
#pragma endscop
}

static void unsigned_cmp(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    unsigned m = 50;
    for (int i = 0; i < n; i++)
        b[i] = (a[i] - 60 < m) + 2 * (i - 3 < m);
#pragma endscop
}

static void unsigned_n(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    unsigned m = n;
    for (unsigned i = 0; i < m - 1; i++)
        b[i] = a[i] + 1;
#pragma endscop
}

static void while_loop(int n, int a[restrict n + 2], int b[restrict n + 2], int d[restrict n + 2])
{
#pragma scop
    int i = 0;
    while (i < n) {
        b[i] = a[i];
        i++;
    }
    d[0] = i;
#pragma endscop
}

static const struct {
    const char *name;
    void (*function)(int, int *, int *, int *);
    int least;
} all[] = {
    {"abs_diff", abs_diff, 0},
    {"argmin", argmin, 0},
    {"bits", bits, 0},
    {"bool_temp", bool_temp, 0},
    {"cast_trunc", cast_trunc, 0},
    {"char_lit", char_lit, 0},
    {"char_sign", char_sign, 0},
    {"cond_expr_idx", cond_expr_idx, 0},
    {"const_fold", const_fold, 0},
    {"div_neg", div_neg, 0},
    {"down_count", down_count, 0},
    {"enum_state", enum_state, 0},
    {"float_temp", float_temp, 0},
    {"func_call", func_call, 0},
    {"global_count", global_count, 0},
    {"hist_two", hist_two, 10},
    {"idx_div", idx_div, 0},
    {"local_array", local_array, 0},
    {"long_idx", long_idx, 0},
    {"longs", longs, 0},
    {"macro", macro, 0},
    {"maxfold", maxfold, 0},
    {"mixed_float", mixed_float, 0},
    {"mod_index", mod_index, 1},
    {"narrow_compound", narrow_compound, 0},
    {"ne_cond", ne_cond, 0},
    {"neg_step", neg_step, 0},
    {"nested_data_if", nested_data_if, 0},
    {"nested_tern", nested_tern, 0},
    {"prefix_incl", prefix_incl, 0},
    {"reverse", reverse, 0},
    {"rotate", rotate, 0},
    {"round_half", round_half, 0},
    {"scalar_live", scalar_live, 0},
    {"shift_neg", shift_neg, 0},
    {"short_circuit", short_circuit, 0},
    {"size_t_loop", size_t_loop, 0},
    {"sizeof_idx", sizeof_idx, 0},
    {"static_table", static_table, 0},
    {"stride3", stride3, 0},
    {"struct_local", struct_local, 0},
    {"swap_scalars", swap_scalars, 0},
    {"temp_across", temp_across, 0},
    {"ternary_guard", ternary_guard, 0},
    {"triangular", triangular, 0},
    {"two_accum", two_accum, 0},
    {"two_regions_temp", two_regions_temp, 0},
    {"two_temps_cond", two_temps_cond, 0},
    {"u64hash", u64hash, 0},
    {"uneven", uneven, 0},
    {"unsigned_cmp", unsigned_cmp, 0},
    {"unsigned_n", unsigned_n, 1},
    {"while_loop", while_loop, 0},
};

int main(void)
{
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        DATA_EACH(n)
        {
            if (n < all[k].least)
                continue;
            int *a = data_ints(n + 2, 100), *b = data_ints(n + 2, 100), *d = data_ints(n + 2, 100);
            all[k].function(n, a, b, d);
            data_show(all[k].name, n, a, 4 * (n + 2));
            data_show("b", n, b, 4 * (n + 2));
            data_show("d", n, d, 4 * (n + 2));
        }
}
