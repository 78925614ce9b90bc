/* Finite-difference time domain method for Maxwell's equations on a plane: the
 * electric field (ex, ey) and the magnetic field hz across the plane lie on
 * staggered grids, and each is advanced from the curl of the other. fict[t] is
 * the source: it sets ey along the first row at time t.
 */
void fdtd_2d(int tmax, int nx, int ny,
             double ex[restrict nx][ny], double ey[restrict nx][ny],
             double hz[restrict nx][ny], double fict[restrict tmax])
{
#pragma scop
    for (int t = 0; t < tmax; t++) {
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
    }
#pragma endscop
}
