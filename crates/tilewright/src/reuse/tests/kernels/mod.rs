//! The programs of the paper's Table 1, with its mappings, and what is found about them.

mod further;

use crate::analysis::region::Region;
use crate::reuse::folding::Folding;
use crate::reuse::{Accesses, LiveOut, Mapping, Memory, Overlap, Precision, Tiling, Transfers};
use crate::scop::ArrayId;
use crate::scop::testing::region;
pub(super) use further::MORE;
use isl::Set;

/// One program.
pub(in crate::reuse::tests) struct Kernel {
    pub name: &'static str,
    pub parameters: &'static str,
    pub body: &'static str,
    /// θ as in the table, or [`SCHEDULED`]; `S0`, `S1`, … in the order of the text.
    pub mapping: &'static str,
    /// Loops around all tiles, and tiled dimensions.
    pub band: (usize, usize),
}

impl Kernel {
    pub fn region(&self) -> Region {
        region(self.parameters, self.body)
    }

    /// Tiles and transfers in strips of some dimensions.
    pub fn found(&self, strip: usize, live_out: LiveOut) -> Found {
        let region = self.region();
        let mapping = match self.mapping {
            SCHEDULED => Mapping::scheduled(&region, None),
            text => Mapping::parse(&region, text, Some(self.band)),
        };
        let mapping = mapping.unwrap();
        let tiling = Tiling::new(&region.scop, mapping, strip, None).unwrap();
        let accesses = Accesses::of(&region, &tiling.mapping).unwrap();
        let transfers = Transfers::of(&region, &tiling, &accesses, live_out).unwrap();
        Found {
            region,
            tiling,
            accesses,
            transfers,
        }
    }
}

/// A mapping that isl's scheduler is to find.
pub(super) const SCHEDULED: &str = "";

/// The program with this name.
pub(super) fn kernel(name: &str) -> &'static Kernel {
    let mut all = KERNELS.iter().chain(MORE);
    all.find(|k| k.name == name).unwrap()
}

/// A program with what its tiles move.
pub(super) struct Found {
    pub region: Region,
    pub tiling: Tiling,
    pub accesses: Accesses,
    pub transfers: Transfers,
}

impl Found {
    pub fn memory(&self, overlap: Overlap, precision: Precision, context: &Set) -> Memory {
        self.folding(overlap, precision, context).whole().unwrap()
    }

    pub fn folding<'a>(
        &'a self,
        overlap: Overlap,
        precision: Precision,
        context: &'a Set,
    ) -> Folding<'a> {
        Folding {
            tiling: &self.tiling,
            accesses: &self.accesses,
            transfers: &self.transfers,
            overlap,
            precision,
            context,
        }
    }

    pub fn array(&self, name: &str) -> ArrayId {
        self.region.scop.array_named(name).unwrap()
    }

    pub fn context(&self) -> Set {
        self.tiling.context(&self.region.scop).unwrap()
    }

    /// Values of parameters and of the tile sizes.
    pub fn values<'a>(&'a self, params: &[(&'a str, i64)], sizes: &[i64]) -> Vec<(&'a str, i64)> {
        let sizes = self
            .tiling
            .sizes
            .iter()
            .map(String::as_str)
            .zip(sizes.iter().copied());
        params.iter().copied().chain(sizes).collect()
    }
}

pub(super) const KERNELS: &[Kernel] = &[
    Kernel {
        name: "jacobi-1d-imper",
        parameters: "int M, int N, double A[restrict N], double B[restrict N]",
        body: "for (int t = 0; t < M; t++) {
                   for (int i = 1; i < N - 1; i++)
                       B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
                   for (int j = 1; j < N - 1; j++)
                       A[j] = B[j];
               }",
        mapping: "{ S0[t, i] -> [t, 2t + i, 0]; S1[t, j] -> [t, 2t + j + 1, 1] }",
        band: (0, 2),
    },
    Kernel {
        name: "jacobi-2d-imper",
        parameters: "int M, int N, double A[restrict N][N], double B[restrict N][N]",
        body: "for (int t = 0; t < M; t++) {
                   for (int i = 1; i < N - 1; i++)
                       for (int j = 1; j < N - 1; j++)
                           B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1]
                                            + A[i + 1][j] + A[i - 1][j]);
                   for (int i = 1; i < N - 1; i++)
                       for (int j = 1; j < N - 1; j++)
                           A[i][j] = B[i][j];
               }",
        mapping: "{ S0[t, i, j] -> [t, 2t + i, 2t + i + j, 0];
                    S1[t, i, j] -> [t, 2t + i + 1, 2t + i + j + 1, 1] }",
        band: (0, 3),
    },
    Kernel {
        name: "fdtd-2d",
        parameters: "int T, int nx, int ny, double ex[restrict nx][ny],
                     double ey[restrict nx][ny], double hz[restrict nx][ny],
                     double fict[restrict T]",
        body: "for (int t = 0; t < T; t++) {
                   for (int j = 0; j < ny; j++)
                       ey[0][j] = fict[t];
                   for (int i = 1; i < nx; i++)
                       for (int j = 0; j < ny; j++)
                           ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
                   for (int i = 0; i < nx; i++)
                       for (int j = 1; j < ny; j++)
                           ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
                   for (int i = 0; i < nx - 1; i++)
                       for (int j = 0; j < ny - 1; j++)
                           hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j]
                                                        + ey[i + 1][j] - ey[i][j]);
               }",
        mapping: "{ S0[t, j] -> [t, t, t + j, 0]; S1[t, i, j] -> [t, t + i, t + i + j, 1];
                    S2[t, i, j] -> [t, t + i, t + i + j, 3];
                    S3[t, i, j] -> [t, t + i + 1, t + i + j + 1, 2] }",
        band: (0, 3),
    },
    Kernel {
        name: "seidel-2d",
        parameters: "int T, int N, double A[restrict N][N]",
        body: "for (int t = 0; t < T; t++)
                   for (int i = 1; i < N - 1; i++)
                       for (int j = 1; j < N - 1; j++)
                           A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1]
                                      + A[i][j - 1] + A[i][j] + A[i][j + 1]
                                      + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0;",
        mapping: "{ S0[t, i, j] -> [t, t + i, 2t + i + j] }",
        band: (0, 3),
    },
    Kernel {
        name: "floyd-warshall",
        parameters: "int n, double path[restrict n][n]",
        body: "for (int k = 0; k < n; k++)
                   for (int i = 0; i < n; i++)
                       for (int j = 0; j < n; j++)
                           path[i][j] = path[i][j] < path[i][k] + path[k][j]
                                            ? path[i][j] : path[i][k] + path[k][j];",
        mapping: "{ S0[k, i, j] -> [k, i, j] }",
        band: (1, 2),
    },
    Kernel {
        name: "reg-detect",
        parameters: "int niter, int maxgrid, int len, int sum_tang[restrict maxgrid][maxgrid],
                     int mean[restrict maxgrid][maxgrid], int path[restrict maxgrid][maxgrid],
                     int diff[restrict maxgrid][maxgrid][len],
                     int sum_diff[restrict maxgrid][maxgrid][len]",
        body: "for (int t = 0; t < niter; t++) {
                   for (int j = 0; j < maxgrid; j++)
                       for (int i = j; i < maxgrid; i++)
                           for (int cnt = 0; cnt < len; cnt++)
                               diff[j][i][cnt] = sum_tang[j][i];
                   for (int j = 0; j < maxgrid; j++)
                       for (int i = j; i < maxgrid; i++) {
                           sum_diff[j][i][0] = diff[j][i][0];
                           for (int cnt = 1; cnt < len; cnt++)
                               sum_diff[j][i][cnt] = sum_diff[j][i][cnt - 1] + diff[j][i][cnt];
                           mean[j][i] = sum_diff[j][i][len - 1];
                       }
                   for (int i = 0; i < maxgrid; i++)
                       path[0][i] = mean[0][i];
                   for (int j = 1; j < maxgrid; j++)
                       for (int i = j; i < maxgrid; i++)
                           path[j][i] = path[j - 1][i - 1] + mean[j][i];
               }",
        mapping: "{ S0[t, j, i, cnt] -> [t, j - i, t + i, t + cnt, 2];
                    S1[t, j, i] -> [t, j - i, t + i, t, 4];
                    S2[t, j, i, cnt] -> [t, j - i, t + i, t + cnt, 3];
                    S3[t, j, i] -> [t, j - i, t + i, len + t, 0];
                    S4[t, i] -> [t, -i, t + i, len + t, 5];
                    S5[t, j, i] -> [t, j - i, t + i, len + t, 1] }",
        band: (0, 4),
    },
    Kernel {
        name: "dynprog",
        parameters: "int T, int len, int c[restrict len][len], int W[restrict len][len],
                     int sum_c[restrict len][len][len], int out[restrict 1]",
        body: "for (int iter = 0; iter < T; iter++) {
                   for (int i = 0; i < len; i++)
                       for (int j = 0; j < len; j++)
                           c[i][j] = 0;
                   for (int i = 0; i < len - 1; i++)
                       for (int j = i + 1; j < len; j++) {
                           sum_c[i][j][i] = 0;
                           for (int k = i + 1; k < j; k++)
                               sum_c[i][j][k] = sum_c[i][j][k - 1] + c[i][k] + c[k][j];
                           c[i][j] = sum_c[i][j][j - 1] + W[i][j];
                       }
                   out[0] += c[0][len - 1];
               }",
        mapping: "{ S0[iter, i, j] -> [iter, i, 0, j, 4]; S1[iter, i, j] -> [iter, i, 0, j, 3];
                    S2[iter, i, j, k] -> [iter, k, j, i + j, 1];
                    S3[iter, i, j] -> [iter, j, j, i + j, 2];
                    S4[iter] -> [iter, len, len, len, 0] }",
        band: (1, 3),
    },
    Kernel {
        name: "lu",
        parameters: "int n, double A[restrict n][n]",
        body: "for (int k = 0; k < n; k++) {
                   for (int j = k + 1; j < n; j++)
                       A[k][j] = A[k][j] / A[k][k];
                   for (int i = k + 1; i < n; i++)
                       for (int j = k + 1; j < n; j++)
                           A[i][j] = A[i][j] - A[i][k] * A[k][j];
               }",
        mapping: "{ S0[k, j] -> [k, k, j, 1]; S1[k, i, j] -> [k, i, j, 0] }",
        band: (0, 3),
    },
    Kernel {
        name: "atax",
        parameters: "int nx, int ny, double A[restrict nx][ny], double x[restrict ny],
                     double y[restrict ny], double tmp[restrict nx]",
        body: "for (int i = 0; i < ny; i++)
                   y[i] = 0;
               for (int i = 0; i < nx; i++) {
                   tmp[i] = 0;
                   for (int j = 0; j < ny; j++)
                       tmp[i] = tmp[i] + A[i][j] * x[j];
                   for (int j = 0; j < ny; j++)
                       y[j] = y[j] + A[i][j] * tmp[i];
               }",
        mapping: "{ S0[i] -> [0, i, 2]; S1[i] -> [i, 0, 0]; S2[i, j] -> [i, j, 1];
                    S3[i, j] -> [i, ny + j, 3] }",
        band: (0, 2),
    },
    Kernel {
        name: "doitgen",
        parameters: "int nr, int nq, int np, double A[restrict nr][nq][np],
                     double sum[restrict nr][nq][np], double C4[restrict np][np]",
        body: "for (int r = 0; r < nr; r++)
                   for (int q = 0; q < nq; q++) {
                       for (int p = 0; p < np; p++) {
                           sum[r][q][p] = 0;
                           for (int s = 0; s < np; s++)
                               sum[r][q][p] = sum[r][q][p] + A[r][q][s] * C4[s][p];
                       }
                       for (int p = 0; p < np; p++)
                           A[r][q][p] = sum[r][q][p];
                   }",
        mapping: "{ S0[r, q, p] -> [r, q, p, 0, 0]; S1[r, q, p, s] -> [r, q, p + s, s, 1];
                    S2[r, q, p] -> [r, q, p + np, np, 2] }",
        band: (0, 4),
    },
    Kernel {
        name: "gemm",
        parameters: "int ni, int nj, int nk, double alpha, double beta,
                     double C[restrict ni][nj], double A[restrict ni][nk],
                     double B[restrict nk][nj]",
        body: "for (int i = 0; i < ni; i++)
                   for (int j = 0; j < nj; j++) {
                       C[i][j] *= beta;
                       for (int k = 0; k < nk; k++)
                           C[i][j] += alpha * A[i][k] * B[k][j];
                   }",
        mapping: "{ S0[i, j] -> [i, j, 0, 0]; S1[i, j, k] -> [i, j, k, 1] }",
        band: (0, 3),
    },
    Kernel {
        name: "mvt",
        parameters: "int n, double x1[restrict n], double x2[restrict n], double y_1[restrict n],
                     double y_2[restrict n], double A[restrict n][n]",
        body: "for (int i = 0; i < n; i++)
                   for (int j = 0; j < n; j++)
                       x1[i] = x1[i] + A[i][j] * y_1[j];
               for (int i = 0; i < n; i++)
                   for (int j = 0; j < n; j++)
                       x2[i] = x2[i] + A[j][i] * y_2[j];",
        mapping: "{ S0[i, j] -> [1, i, j]; S1[i, j] -> [0, i, j] }",
        band: (1, 2),
    },
    Kernel {
        name: "syr2k",
        parameters: "int ni, int nj, double alpha, double beta, double C[restrict ni][ni],
                     double A[restrict ni][nj], double B[restrict ni][nj]",
        body: "for (int i = 0; i < ni; i++)
                   for (int j = 0; j < ni; j++)
                       C[i][j] *= beta;
               for (int i = 0; i < ni; i++)
                   for (int j = 0; j < ni; j++)
                       for (int k = 0; k < nj; k++) {
                           C[i][j] += alpha * A[i][k] * B[j][k];
                           C[i][j] += alpha * B[i][k] * A[j][k];
                       }",
        mapping: "{ S0[i, j] -> [i, j, 0, 0]; S1[i, j, k] -> [i, j, k, 1];
                    S2[i, j, k] -> [i, j, k, 2] }",
        band: (0, 3),
    },
    Kernel {
        name: "syrk",
        parameters: "int ni, int nj, double alpha, double beta, double C[restrict ni][ni],
                     double A[restrict ni][nj]",
        body: "for (int i = 0; i < ni; i++)
                   for (int j = 0; j < ni; j++)
                       C[i][j] *= beta;
               for (int i = 0; i < ni; i++)
                   for (int j = 0; j < ni; j++)
                       for (int k = 0; k < nj; k++)
                           C[i][j] += alpha * A[i][k] * A[j][k];",
        mapping: "{ S0[i, j] -> [i, j, 0, 0]; S1[i, j, k] -> [i, j, k, 1] }",
        band: (0, 3),
    },
    Kernel {
        name: "trisolv",
        parameters: "int n, double x[restrict n], double A[restrict n][n], double c[restrict n]",
        body: "for (int i = 0; i < n; i++) {
                   x[i] = c[i];
                   for (int j = 0; j < i; j++)
                       x[i] = x[i] - A[i][j] * x[j];
                   x[i] = x[i] / A[i][i];
               }",
        mapping: "{ S0[i] -> [0, i, 0]; S1[i, j] -> [j, i, 1]; S2[i] -> [i, i, 2] }",
        band: (0, 2),
    },
    Kernel {
        name: "trmm",
        parameters: "int ni, double alpha, double A[restrict ni][ni], double B[restrict ni][ni]",
        body: "for (int i = 1; i < ni; i++)
                   for (int j = 0; j < ni; j++)
                       for (int k = 0; k < i; k++)
                           B[i][j] += alpha * A[i][k] * B[j][k];",
        mapping: "{ S0[i, j, k] -> [i, j + k, j] }",
        band: (1, 2),
    },
];
