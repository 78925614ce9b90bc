//! PolyBench's programs that did not fit the paper's Table 1.

use super::{Kernel, SCHEDULED};

/// All of them, with the mappings that isl's scheduler finds, but for `3mm`, where it finds four
/// dimensions of which no two tiles in a row are full.
pub(in crate::reuse::tests) const MORE: &[Kernel] = &[
    Kernel {
        name: "adi",
        parameters: "int T, int n, double X[restrict n][n], double A[restrict n][n],
                     double B[restrict n][n]",
        body: "for (int t = 0; t < T; t++) {
                   for (int i1 = 0; i1 < n; i1++)
                       for (int i2 = 1; i2 < n; i2++) {
                           X[i1][i2] = X[i1][i2] - X[i1][i2 - 1] * A[i1][i2] / B[i1][i2 - 1];
                           B[i1][i2] = B[i1][i2] - A[i1][i2] * A[i1][i2] / B[i1][i2 - 1];
                       }
                   for (int i1 = 0; i1 < n; i1++)
                       X[i1][n - 1] = X[i1][n - 1] / B[i1][n - 1];
                   for (int i1 = 0; i1 < n; i1++)
                       for (int i2 = 0; i2 < n - 2; i2++)
                           X[i1][n - i2 - 2] = (X[i1][n - 2 - i2] - X[i1][n - 2 - i2 - 1]
                                                * A[i1][n - i2 - 3]) / B[i1][n - 3 - i2];
                   for (int i1 = 1; i1 < n; i1++)
                       for (int i2 = 0; i2 < n; i2++) {
                           X[i1][i2] = X[i1][i2] - X[i1 - 1][i2] * A[i1][i2] / B[i1 - 1][i2];
                           B[i1][i2] = B[i1][i2] - A[i1][i2] * A[i1][i2] / B[i1 - 1][i2];
                       }
                   for (int i2 = 0; i2 < n; i2++)
                       X[n - 1][i2] = X[n - 1][i2] / B[n - 1][i2];
                   for (int i1 = 0; i1 < n - 2; i1++)
                       for (int i2 = 0; i2 < n; i2++)
                           X[n - 2 - i1][i2] = (X[n - 2 - i1][i2] - X[n - i1 - 3][i2]
                                                * A[n - 3 - i1][i2]) / B[n - 2 - i1][i2];
               }",
        mapping: SCHEDULED,
        band: (0, 0),
    },
    Kernel {
        name: "fdtd-apml",
        parameters: "int cz, int cxm, int cym, double mui, double ch,
                     double Ax[restrict cz + 1][cym + 1], double Ry[restrict cz + 1][cym + 1],
                     double clf[restrict cz + 1][cym + 1], double tmp[restrict cz + 1][cym + 1],
                     double Bza[restrict cz + 1][cym + 1][cxm + 1],
                     double Ex[restrict cz + 1][cym + 1][cxm + 1],
                     double Ey[restrict cz + 1][cym + 1][cxm + 1],
                     double Hz[restrict cz + 1][cym + 1][cxm + 1], double czm[restrict cz + 1],
                     double czp[restrict cz + 1], double cxmh[restrict cxm + 1],
                     double cxph[restrict cxm + 1], double cymh[restrict cym + 1],
                     double cyph[restrict cym + 1]",
        body: "for (int iz = 0; iz < cz; iz++)
                   for (int iy = 0; iy < cym; iy++) {
                       for (int ix = 0; ix < cxm; ix++) {
                           clf[iz][iy] = Ex[iz][iy][ix] - Ex[iz][iy + 1][ix] + Ey[iz][iy][ix + 1]
                                         - Ey[iz][iy][ix];
                           tmp[iz][iy] = (cymh[iy] / cyph[iy]) * Bza[iz][iy][ix]
                                         - (ch / cyph[iy]) * clf[iz][iy];
                           Hz[iz][iy][ix] = (cxmh[ix] / cxph[ix]) * Hz[iz][iy][ix]
                                            + (mui * czp[iz] / cxph[ix]) * tmp[iz][iy]
                                            - (mui * czm[iz] / cxph[ix]) * Bza[iz][iy][ix];
                           Bza[iz][iy][ix] = tmp[iz][iy];
                       }
                       clf[iz][iy] = Ex[iz][iy][cxm] - Ex[iz][iy + 1][cxm] + Ry[iz][iy]
                                     - Ey[iz][iy][cxm];
                       tmp[iz][iy] = (cymh[iy] / cyph[iy]) * Bza[iz][iy][cxm]
                                     - (ch / cyph[iy]) * clf[iz][iy];
                       Hz[iz][iy][cxm] = (cxmh[cxm] / cxph[cxm]) * Hz[iz][iy][cxm]
                                         + (mui * czp[iz] / cxph[cxm]) * tmp[iz][iy]
                                         - (mui * czm[iz] / cxph[cxm]) * Bza[iz][iy][cxm];
                       Bza[iz][iy][cxm] = tmp[iz][iy];
                   }",
        mapping: SCHEDULED,
        band: (0, 0),
    },
    Kernel {
        name: "gramschmidt",
        parameters: "int ni, int nj, double A[restrict ni][nj], double R[restrict nj][nj],
                     double Q[restrict ni][nj], double nrm[restrict nj]",
        body: "for (int k = 0; k < nj; k++) {
                   nrm[k] = 0;
                   for (int i = 0; i < ni; i++)
                       nrm[k] += A[i][k] * A[i][k];
                   R[k][k] = sqrt(nrm[k]);
                   for (int i = 0; i < ni; i++)
                       Q[i][k] = A[i][k] / R[k][k];
                   for (int j = k + 1; j < nj; j++) {
                       R[k][j] = 0;
                       for (int i = 0; i < ni; i++)
                           R[k][j] += Q[i][k] * A[i][j];
                       for (int i = 0; i < ni; i++)
                           A[i][j] = A[i][j] - Q[i][k] * R[k][j];
                   }
               }",
        mapping: SCHEDULED,
        band: (0, 0),
    },
    Kernel {
        name: "2mm",
        parameters: "int ni, int nj, int nk, int nl, double alpha, double beta,
                     double tmp[restrict ni][nj], double A[restrict ni][nk],
                     double B[restrict nk][nj], double C[restrict nj][nl],
                     double D[restrict ni][nl]",
        body: "for (int i = 0; i < ni; i++)
                   for (int j = 0; j < nj; j++) {
                       tmp[i][j] = 0;
                       for (int k = 0; k < nk; k++)
                           tmp[i][j] += alpha * A[i][k] * B[k][j];
                   }
               for (int i = 0; i < ni; i++)
                   for (int j = 0; j < nl; j++) {
                       D[i][j] *= beta;
                       for (int k = 0; k < nj; k++)
                           D[i][j] += tmp[i][k] * C[k][j];
                   }",
        mapping: SCHEDULED,
        band: (0, 0),
    },
    Kernel {
        name: "3mm",
        parameters: "int ni, int nj, int nk, int nl, int nm, double E[restrict ni][nj],
                     double A[restrict ni][nk], double B[restrict nk][nj],
                     double F[restrict nj][nl], double C[restrict nj][nm],
                     double D[restrict nm][nl], double G[restrict ni][nl]",
        body: "for (int i = 0; i < ni; i++)
                   for (int j = 0; j < nj; j++) {
                       E[i][j] = 0;
                       for (int k = 0; k < nk; k++)
                           E[i][j] += A[i][k] * B[k][j];
                   }
               for (int i = 0; i < nj; i++)
                   for (int j = 0; j < nl; j++) {
                       F[i][j] = 0;
                       for (int k = 0; k < nm; k++)
                           F[i][j] += C[i][k] * D[k][j];
                   }
               for (int i = 0; i < ni; i++)
                   for (int j = 0; j < nl; j++) {
                       G[i][j] = 0;
                       for (int k = 0; k < nj; k++)
                           G[i][j] += E[i][k] * F[k][j];
                   }",
        mapping: "{ S0[i, j] -> [1, i, j, 0, 0, 0]; S1[i, j, k] -> [1, i, j, k, 0, 1];
                    S2[i, j] -> [0, i, j, 0, 0, 0]; S3[i, j, k] -> [0, i, j, k, 0, 1];
                    S4[i, j] -> [1, i, 0, nk + j, 1, 0]; S5[i, j, k] -> [1, i, k, nk + j, 1, 1] }",
        band: (1, 3),
    },
    Kernel {
        name: "correlation",
        parameters: "int m, int n, double fn, double eps, double data[restrict n][m],
                     double mean[restrict m], double stddev[restrict m],
                     double symmat[restrict m][m]",
        body: "for (int j = 0; j < m; j++) {
                   mean[j] = 0;
                   for (int i = 0; i < n; i++)
                       mean[j] += data[i][j];
                   mean[j] /= fn;
               }
               for (int j = 0; j < m; j++) {
                   stddev[j] = 0;
                   for (int i = 0; i < n; i++)
                       stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
                   stddev[j] /= fn;
                   stddev[j] = sqrt(stddev[j]);
                   stddev[j] = stddev[j] <= eps ? 1.0 : stddev[j];
               }
               for (int i = 0; i < n; i++)
                   for (int j = 0; j < m; j++) {
                       data[i][j] -= mean[j];
                       data[i][j] /= sqrt(fn) * stddev[j];
                   }
               for (int j1 = 0; j1 < m - 1; j1++) {
                   symmat[j1][j1] = 1.0;
                   for (int j2 = j1 + 1; j2 < m; j2++) {
                       symmat[j1][j2] = 0;
                       for (int i = 0; i < n; i++)
                           symmat[j1][j2] += data[i][j1] * data[i][j2];
                       symmat[j2][j1] = symmat[j1][j2];
                   }
               }
               symmat[m - 1][m - 1] = 1.0;",
        mapping: SCHEDULED,
        band: (0, 0),
    },
    Kernel {
        name: "covariance",
        parameters: "int m, int n, double fn, double data[restrict n][m], double mean[restrict m],
                     double symmat[restrict m][m]",
        body: "for (int j = 0; j < m; j++) {
                   mean[j] = 0;
                   for (int i = 0; i < n; i++)
                       mean[j] += data[i][j];
                   mean[j] /= fn;
               }
               for (int i = 0; i < n; i++)
                   for (int j = 0; j < m; j++)
                       data[i][j] -= mean[j];
               for (int j1 = 0; j1 < m; j1++)
                   for (int j2 = j1; j2 < m; j2++) {
                       symmat[j1][j2] = 0;
                       for (int i = 0; i < n; i++)
                           symmat[j1][j2] += data[i][j1] * data[i][j2];
                       symmat[j2][j1] = symmat[j1][j2];
                   }",
        mapping: SCHEDULED,
        band: (0, 0),
    },
    Kernel {
        name: "bicg",
        parameters: "int nx, int ny, double A[restrict nx][ny], double r[restrict nx],
                     double s[restrict ny], double p[restrict ny], double q[restrict nx]",
        body: "for (int i = 0; i < ny; i++)
                   s[i] = 0;
               for (int i = 0; i < nx; i++) {
                   q[i] = 0;
                   for (int j = 0; j < ny; j++) {
                       s[j] = s[j] + r[i] * A[i][j];
                       q[i] = q[i] + A[i][j] * p[j];
                   }
               }",
        mapping: SCHEDULED,
        band: (0, 0),
    },
    Kernel {
        name: "gemver",
        parameters: "int n, double alpha, double beta, double A[restrict n][n],
                     double u1[restrict n], double v1[restrict n], double u2[restrict n],
                     double v2[restrict n], double w[restrict n], double x[restrict n],
                     double y[restrict n], double z[restrict n]",
        body: "for (int i = 0; i < n; i++)
                   for (int j = 0; j < n; j++)
                       A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
               for (int i = 0; i < n; i++)
                   for (int j = 0; j < n; j++)
                       x[i] = x[i] + beta * A[j][i] * y[j];
               for (int i = 0; i < n; i++)
                   x[i] = x[i] + z[i];
               for (int i = 0; i < n; i++)
                   for (int j = 0; j < n; j++)
                       w[i] = w[i] + alpha * A[i][j] * x[j];",
        mapping: SCHEDULED,
        band: (0, 0),
    },
    Kernel {
        name: "gesummv",
        parameters: "int n, double alpha, double beta, double A[restrict n][n],
                     double B[restrict n][n], double tmp[restrict n], double x[restrict n],
                     double y[restrict n]",
        body: "for (int i = 0; i < n; i++) {
                   tmp[i] = 0;
                   y[i] = 0;
                   for (int j = 0; j < n; j++) {
                       tmp[i] = A[i][j] * x[j] + tmp[i];
                       y[i] = B[i][j] * x[j] + y[i];
                   }
                   y[i] = alpha * tmp[i] + beta * y[i];
               }",
        mapping: SCHEDULED,
        band: (0, 0),
    },
    Kernel {
        name: "durbin",
        parameters: "int n, double y[restrict n][n], double sum[restrict n][n],
                     double alpha[restrict n], double beta[restrict n], double r[restrict n],
                     double out[restrict n]",
        body: "y[0][0] = r[0];
               beta[0] = 1;
               alpha[0] = r[0];
               for (int k = 1; k < n; k++) {
                   beta[k] = beta[k - 1] - alpha[k - 1] * alpha[k - 1] * beta[k - 1];
                   sum[0][k] = r[k];
                   for (int i = 0; i <= k - 1; i++)
                       sum[i + 1][k] = sum[i][k] + r[k - i - 1] * y[i][k - 1];
                   alpha[k] = 0 - sum[k][k] * beta[k];
                   for (int i = 0; i <= k - 1; i++)
                       y[i][k] = y[i][k - 1] + alpha[k] * y[k - i - 1][k - 1];
                   y[k][k] = alpha[k];
               }
               for (int i = 0; i < n; i++)
                   out[i] = y[i][n - 1];",
        mapping: SCHEDULED,
        band: (0, 0),
    },
    Kernel {
        name: "ludcmp",
        parameters: "int n, double A[restrict n + 1][n + 1], double w[restrict n + 1][n + 1],
                     double x[restrict n + 1], double y[restrict n + 1], double b[restrict n + 1],
                     double v[restrict n + 1]",
        body: "for (int i = 0; i < n; i++) {
                   for (int j = i + 1; j <= n; j++) {
                       w[i][j] = A[j][i];
                       for (int k = 0; k < i; k++)
                           w[i][j] = w[i][j] - A[j][k] * A[k][i];
                       A[j][i] = w[i][j] / A[i][i];
                   }
                   for (int j = i + 1; j <= n; j++) {
                       w[j][i + 1] = A[i + 1][j];
                       for (int k = 0; k <= i; k++)
                           w[j][i + 1] = w[j][i + 1] - A[i + 1][k] * A[k][j];
                       A[i + 1][j] = w[j][i + 1];
                   }
               }",
        mapping: SCHEDULED,
        band: (0, 0),
    },
    Kernel {
        name: "cholesky",
        parameters: "int n, double x[restrict n][n][n], double A[restrict n][n],
                     double p[restrict n], double d[restrict n][n]",
        body: "for (int i = 0; i < n; i++) {
                   d[i][0] = A[i][i];
                   for (int j = 0; j <= i - 1; j++)
                       d[i][j + 1] = d[i][j] - A[i][j] * A[i][j];
                   p[i] = 1.0 / sqrt(d[i][i]);
                   for (int j = i + 1; j < n; j++) {
                       x[i][j][0] = A[i][j];
                       for (int k = 0; k <= i - 1; k++)
                           x[i][j][k + 1] = x[i][j][k] - A[j][k] * A[i][k];
                       A[j][i] = x[i][j][i] * p[i];
                   }
               }",
        mapping: SCHEDULED,
        band: (0, 0),
    },
    Kernel {
        name: "symm",
        parameters: "int n, double alpha, double beta, double C[restrict n][n],
                     double A[restrict n][n], double B[restrict n][n], double acc[restrict n][n]",
        body: "for (int i = 0; i < n; i++)
                   for (int j = 0; j < n; j++) {
                       acc[i][j] = 0;
                       for (int k = 0; k < j - 1; k++) {
                           C[k][j] += alpha * A[k][i] * B[i][j];
                           acc[i][j] += B[k][j] * A[k][i];
                       }
                       C[i][j] = beta * C[i][j] + alpha * A[i][i] * B[i][j] + alpha * acc[i][j];
                   }",
        mapping: SCHEDULED,
        band: (0, 0),
    },
];
