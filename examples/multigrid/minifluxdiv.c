/* Fluxes through the faces of a box's cells and their differences: the core of a finite volume
 * method for flow, without the rest.
 *
 * A box has N x N x N cells and two more around them on every side. A cell holds the averages of
 * five components: density, the velocities along x, y and z, energy. In 4 stages:
 *
 *   flux_x   through the faces between cells that are neighbours along x: each component on the
 *            face times the velocity across it, both interpolated from four cells in a row to
 *            fourth order. Face x of a row lies before cell x.
 *   flux_y   the same along y
 *   flux_z   the same along z
 *   new      the old value less ratio times what the six fluxes take out of a cell; ratio is the
 *            time step over the width of a cell
 *
 * MiniFluxDiv, after which it is made, has ten stages in PolyMage (values on the faces, fluxes
 * and differences for three directions, and their sum); here what is computed of one point only
 * is part of the stage that reads it.
 */
#include <stdlib.h>

/* The value on the face between the middle two of four cells, from the averages of the cells. */
#define FACE(before2, before1, after1, after2) \
    (7.0 / 12 * (before1 + after1) - 1.0 / 12 * (before2 + after2))

#define FACE_X(c) FACE(old[c][z + 2][y + 2][x], old[c][z + 2][y + 2][x + 1], \
                       old[c][z + 2][y + 2][x + 2], old[c][z + 2][y + 2][x + 3])
#define FACE_Y(c) FACE(old[c][z + 2][y][x + 2], old[c][z + 2][y + 1][x + 2], \
                       old[c][z + 2][y + 2][x + 2], old[c][z + 2][y + 3][x + 2])
#define FACE_Z(c) FACE(old[c][z][y + 2][x + 2], old[c][z + 1][y + 2][x + 2], \
                       old[c][z + 2][y + 2][x + 2], old[c][z + 3][y + 2][x + 2])

void minifluxdiv(int N, double ratio,
                 double new[restrict 5][N][N][N],
                 const double old[restrict 5][N + 4][N + 4][N + 4])
{
    double (*restrict flux_x)[N][N][N + 1] = malloc(sizeof(double[5][N][N][N + 1]));
    double (*restrict flux_y)[N][N + 1][N] = malloc(sizeof(double[5][N][N + 1][N]));
    double (*restrict flux_z)[N + 1][N][N] = malloc(sizeof(double[5][N + 1][N][N]));

#pragma scop
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 5; c++)
        for (int z = 0; z < N; z++)
            for (int y = 0; y < N; y++)
                for (int x = 0; x <= N; x++)
                    flux_x[c][z][y][x] = FACE_X(c) * FACE_X(1);

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 5; c++)
        for (int z = 0; z < N; z++)
            for (int y = 0; y <= N; y++)
                for (int x = 0; x < N; x++)
                    flux_y[c][z][y][x] = FACE_Y(c) * FACE_Y(2);

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 5; c++)
        for (int z = 0; z <= N; z++)
            for (int y = 0; y < N; y++)
                for (int x = 0; x < N; x++)
                    flux_z[c][z][y][x] = FACE_Z(c) * FACE_Z(3);

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 5; c++)
        for (int z = 0; z < N; z++)
            for (int y = 0; y < N; y++)
                for (int x = 0; x < N; x++)
                    new[c][z][y][x]
                        = old[c][z + 2][y + 2][x + 2]
                          - ratio * (flux_x[c][z][y][x + 1] - flux_x[c][z][y][x]
                                     + flux_y[c][z][y + 1][x] - flux_y[c][z][y][x]
                                     + flux_z[c][z + 1][y][x] - flux_z[c][z][y][x]);
#pragma endscop

    free(flux_z);
    free(flux_y);
    free(flux_x);
}
