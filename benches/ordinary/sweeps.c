/* Sweeps over grids with long bodies: zones, fluxes, particles, residuals, gradients. */
#include <math.h>

void zone_update(int n, double dt, const double rho[restrict n], const double u[restrict n + 1],
                 const double p[restrict n + 1], const double q[restrict n + 1], const double e[restrict n],
                 const double mass[restrict n], double rho_new[restrict n], double u_new[restrict n],
                 double e_new[restrict n], double sound[restrict n], double work[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double du = u[i + 1] - u[i];
        double dp = p[i + 1] - p[i] + q[i + 1] - q[i];
        double m = fabs(mass[i]) + 0.1;
        double r = fabs(rho[i]) + 0.05;
        double stretch = 1.0 + dt * du * r;
        double pm = 0.5 * (p[i + 1] + p[i]);
        double qm = 0.5 * (q[i + 1] + q[i]);
        rho_new[i] = r / (stretch * stretch + 0.01);
        u_new[i] = u[i] - dt * dp / m;
        work[i] = (pm + qm) * du;
        e_new[i] = e[i] - dt * work[i] / m;
        sound[i] = sqrt(1.4 * fabs(pm) / r);
    }
#pragma endscop
}

void gas_flux(int n, const double d[restrict n + 1], const double m[restrict n + 1], const double e[restrict n + 1],
              double fd[restrict n], double fm[restrict n], double fe[restrict n], double speed[restrict n])
{
    double dl, dr, ul, ur, pl, pr, s;
#pragma scop
    for (int i = 0; i < n; i++) {
        dl = fabs(d[i]) + 0.1;
        dr = fabs(d[i + 1]) + 0.1;
        ul = m[i] / dl;
        ur = m[i + 1] / dr;
        pl = 0.4 * (e[i] - 0.5 * m[i] * ul);
        pr = 0.4 * (e[i + 1] - 0.5 * m[i + 1] * ur);
        s = fabs(ul) > fabs(ur) ? fabs(ul) : fabs(ur);
        s = s + sqrt(1.4 * (fabs(pl) + fabs(pr)) / (dl + dr));
        speed[i] = s;
        fd[i] = 0.5 * (m[i] + m[i + 1]) - 0.5 * s * (dr - dl);
        fm[i] = 0.5 * (m[i] * ul + pl + m[i + 1] * ur + pr) - 0.5 * s * (m[i + 1] - m[i]);
        fe[i] = 0.5 * (ul * (e[i] + pl) + ur * (e[i + 1] + pr)) - 0.5 * s * (e[i + 1] - e[i]);
    }
#pragma endscop
}

void push_particles(int n, float dt, float bx, float by, float bz, const float pos[restrict 3][n],
                    const float vel[restrict 3][n], const float field[restrict 3][n], float pos_new[restrict 3][n],
                    float vel_new[restrict 3][n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float vx = vel[0][i] + 0.5f * dt * field[0][i];
        float vy = vel[1][i] + 0.5f * dt * field[1][i];
        float vz = vel[2][i] + 0.5f * dt * field[2][i];
        float wx = vx + dt * (vy * bz - vz * by);
        float wy = vy + dt * (vz * bx - vx * bz);
        float wz = vz + dt * (vx * by - vy * bx);
        vel_new[0][i] = wx + 0.5f * dt * field[0][i];
        vel_new[1][i] = wy + 0.5f * dt * field[1][i];
        vel_new[2][i] = wz + 0.5f * dt * field[2][i];
        pos_new[0][i] = pos[0][i] + dt * vel_new[0][i];
        pos_new[1][i] = pos[1][i] + dt * vel_new[1][i];
        pos_new[2][i] = pos[2][i] + dt * vel_new[2][i];
    }
#pragma endscop
}

void box_laplacian(int nx, int ny, int nz, double scale, const double u[restrict nz][ny][nx],
                   double out[restrict nz][ny][nx])
{
#pragma scop
    for (int k = 1; k < nz - 1; k++)
        for (int j = 1; j < ny - 1; j++)
            for (int i = 1; i < nx - 1; i++)
                out[k][j][i] = scale * (u[k - 1][j][i] + u[k + 1][j][i] + u[k][j - 1][i] + u[k][j + 1][i]
                                        + u[k][j][i - 1] + u[k][j][i + 1] - 6.0 * u[k][j][i]);
#pragma endscop
}

void box_residual(int nx, int ny, int nz, double c0, double c1, double c2, const double u[restrict nz][ny][nx],
                  const double f[restrict nz][ny][nx], double r[restrict nz][ny][nx])
{
    int i, j, k;
#pragma scop
    for (k = 1; k < nz - 1; k++) {
        for (j = 1; j < ny - 1; j++) {
            for (i = 1; i < nx - 1; i++) {
                double faces = u[k - 1][j][i] + u[k + 1][j][i];
                faces += u[k][j - 1][i] + u[k][j + 1][i];
                faces += u[k][j][i - 1] + u[k][j][i + 1];
                double edges = u[k - 1][j - 1][i] + u[k - 1][j + 1][i];
                edges += u[k + 1][j - 1][i] + u[k + 1][j + 1][i];
                edges += u[k - 1][j][i - 1] + u[k - 1][j][i + 1];
                edges += u[k + 1][j][i - 1] + u[k + 1][j][i + 1];
                edges += u[k][j - 1][i - 1] + u[k][j - 1][i + 1];
                edges += u[k][j + 1][i - 1] + u[k][j + 1][i + 1];
                r[k][j][i] = f[k][j][i] - c0 * u[k][j][i] - c1 * faces - c2 * edges;
            }
        }
    }
#pragma endscop
}

void box_gradient(int nx, int ny, int nz, float half, const float s[restrict nz][ny][nx],
                  float gx[restrict nz][ny][nx], float gy[restrict nz][ny][nx], float gz[restrict nz][ny][nx])
{
#pragma scop
    for (int k = 1; k < nz - 1; k++)
        for (int j = 1; j < ny - 1; j++)
            for (int i = 1; i < nx - 1; i++) {
                gx[k][j][i] = half * (s[k][j][i + 1] - s[k][j][i - 1]);
                gy[k][j][i] = half * (s[k][j + 1][i] - s[k][j - 1][i]);
                gz[k][j][i] = half * (s[k + 1][j][i] - s[k - 1][j][i]);
            }
#pragma endscop
}

void face_divergence(int nx, int ny, int nz, const double u[restrict nz][ny][nx + 1],
                     const double v[restrict nz][ny + 1][nx], const double w[restrict nz + 1][ny][nx],
                     double div[restrict nz][ny][nx])
{
#pragma scop
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++)
                div[k][j][i] = u[k][j][i + 1] - u[k][j][i] + v[k][j + 1][i] - v[k][j][i]
                    + w[k + 1][j][i] - w[k][j][i];
#pragma endscop
}

void shallow_step(int h, int w, double dt, const double z[restrict h][w], const double u[restrict h][w],
                  const double v[restrict h][w], double zn[restrict h][w], double un[restrict h][w],
                  double vn[restrict h][w])
{
#pragma scop
    for (int i = 1; i < h - 1; i++)
        for (int j = 1; j < w - 1; j++) {
            double zx = 0.5 * (z[i][j + 1] - z[i][j - 1]);
            double zy = 0.5 * (z[i + 1][j] - z[i - 1][j]);
            double ux = 0.5 * (u[i][j + 1] - u[i][j - 1]);
            double uy = 0.5 * (u[i + 1][j] - u[i - 1][j]);
            double vx = 0.5 * (v[i][j + 1] - v[i][j - 1]);
            double vy = 0.5 * (v[i + 1][j] - v[i - 1][j]);
            zn[i][j] = z[i][j] - dt * (u[i][j] * zx + v[i][j] * zy + (1.0 + z[i][j]) * (ux + vy));
            un[i][j] = u[i][j] - dt * (u[i][j] * ux + v[i][j] * uy + 9.81 * zx);
            vn[i][j] = v[i][j] - dt * (u[i][j] * vx + v[i][j] * vy + 9.81 * zy);
        }
#pragma endscop
}

void upwind_transport(int h, int w, float dt, const float *restrict c, const float *restrict u,
                      const float *restrict v, float *restrict next)
{
#pragma scop
    for (int i = 1; i < h - 1; i++)
        for (int j = 1; j < w - 1; j++) {
            float dx, dy;
            if (u[i * w + j] > 0.0f)
                dx = c[i * w + j] - c[i * w + j - 1];
            else
                dx = c[i * w + j + 1] - c[i * w + j];
            if (v[i * w + j] > 0.0f)
                dy = c[i * w + j] - c[(i - 1) * w + j];
            else
                dy = c[(i + 1) * w + j] - c[i * w + j];
            next[i * w + j] = c[i * w + j] - dt * (u[i * w + j] * dx + v[i * w + j] * dy);
        }
#pragma endscop
}

void varied_conduction(int h, int w, double dt, const double t[restrict h][w], const double k[restrict h][w],
                       const double source[restrict h][w], double flow[restrict h][w], double next[restrict h][w])
{
#pragma scop
    for (int i = 1; i <= h - 2; i++)
        for (int j = 1; j <= w - 2; j++) {
            double north = 0.5 * (k[i - 1][j] + k[i][j]) * (t[i - 1][j] - t[i][j]);
            double south = 0.5 * (k[i + 1][j] + k[i][j]) * (t[i + 1][j] - t[i][j]);
            double west = 0.5 * (k[i][j - 1] + k[i][j]) * (t[i][j - 1] - t[i][j]);
            double east = 0.5 * (k[i][j + 1] + k[i][j]) * (t[i][j + 1] - t[i][j]);
            double sum = north + south;
            sum += west + east;
            flow[i][j] = sum;
            next[i][j] = t[i][j] + dt * (sum + source[i][j]);
        }
#pragma endscop
}
