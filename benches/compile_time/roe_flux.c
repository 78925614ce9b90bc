/* Fluxes through the faces of cells in a row, with many temporaries. */
#include "numbers.h"
void flux(int n, const double *restrict r, const double *restrict u, const double *restrict p, double *restrict a, double *restrict b, double *restrict c)
{
#pragma scop
    for (int i = 1; i < n; i++) {
        double rl = r[i - 1], rr = r[i], ul = u[i - 1], ur = u[i], pl = p[i - 1], pr = p[i];
        double wl = sqrt(rl), wr = sqrt(rr), w = wl + wr;
        double hl = (pl * 2.5 + 0.5 * rl * ul * ul + pl) / rl;
        double hr = (pr * 2.5 + 0.5 * rr * ur * ur + pr) / rr;
        double ua = (wl * ul + wr * ur) / w, ha = (wl * hl + wr * hr) / w;
        double ca = sqrt(fabs(0.4 * (ha - 0.5 * ua * ua)));
        double l1 = fabs(ua - ca), l2 = fabs(ua), l3 = fabs(ua + ca);
        double dr = rr - rl, du = ur - ul, dp = pr - pl;
        double a1 = (dp - rl * ca * du) / (2 * ca * ca), a2 = dr - dp / (ca * ca), a3 = (dp + rl * ca * du) / (2 * ca * ca);
        if (l1 < 0.1) l1 = 0.5 * (l1 * l1 / 0.1 + 0.1);
        if (l3 < 0.1) l3 = 0.5 * (l3 * l3 / 0.1 + 0.1);
        a[i] = 0.5 * (rl * ul + rr * ur - l1 * a1 - l2 * a2 - l3 * a3);
        b[i] = 0.5 * (rl * ul * ul + pl + rr * ur * ur + pr - l1 * a1 * (ua - ca) - l2 * a2 * ua - l3 * a3 * (ua + ca));
        c[i] = 0.5 * (rl * ul * hl + rr * ur * hr - l1 * a1 * (ha - ua * ca) - l2 * a2 * 0.5 * ua * ua - l3 * a3 * (ha + ua * ca));
    }
#pragma endscop
}
static double m[6][40];
int main(void)
{
    fill_doubles(&m[0][0], 240);
    flux(40, m[0], m[1], m[2], m[3], m[4], m[5]);
    show("m", m, sizeof m);
}
