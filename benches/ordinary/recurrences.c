/* Recurrences: each element needs the one before it, along arrays, rows and columns. */

void prefix_sums(int n, const int x[restrict n], long s[restrict n])
{
#pragma scop
    s[0] = x[0];
    for (int i = 1; i < n; i++)
        s[i] = s[i - 1] + x[i];
#pragma endscop
}

void running_total(int n, const float x[restrict n], float total[restrict n])
{
    float acc = 0.0f;
#pragma scop
    for (int i = 0; i < n; i++) {
        acc += x[i];
        total[i] = acc;
    }
#pragma endscop
}

void exponential_smoothing(int n, double alpha, const double x[restrict n], double y[restrict n])
{
#pragma scop
    y[0] = x[0];
    for (int i = 1; i < n; i++)
        y[i] = alpha * x[i] + (1.0 - alpha) * y[i - 1];
#pragma endscop
}

void second_order_filter(int n, double b0, double b1, double b2, double a1, double a2,
                         const double x[restrict n], double y[restrict n])
{
#pragma scop
    for (int i = 2; i < n; i++)
        y[i] = b0 * x[i] + b1 * x[i - 1] + b2 * x[i - 2] - a1 * y[i - 1] - a2 * y[i - 2];
#pragma endscop
}

void smooth_rows(int h, int w, float keep, const float img[restrict h][w], float out[restrict h][w])
{
#pragma scop
    for (int i = 0; i < h; i++) {
        out[i][0] = img[i][0];
        for (int j = 1; j < w; j++)
            out[i][j] = img[i][j] + keep * (out[i][j - 1] - img[i][j]);
    }
#pragma endscop
}

void smooth_columns(int h, int w, double keep, const double img[restrict h][w], double out[restrict h][w])
{
#pragma scop
    for (int j = 0; j < w; j++)
        out[0][j] = img[0][j];
    for (int i = 1; i < h; i++)
        for (int j = 0; j < w; j++)
            out[i][j] = keep * out[i - 1][j] + (1.0 - keep) * img[i][j];
#pragma endscop
}

void integral_picture(int h, int w, const unsigned char img[restrict h][w], unsigned int sum[restrict h + 1][w + 1])
{
#pragma scop
    for (int j = 0; j <= w; j++)
        sum[0][j] = 0;
    for (int i = 0; i < h; i++) {
        sum[i + 1][0] = 0;
        for (int j = 0; j < w; j++)
            sum[i + 1][j + 1] = sum[i + 1][j] + sum[i][j + 1] - sum[i][j] + img[i][j];
    }
#pragma endscop
}

void add_long_numbers(int n, const unsigned int a[restrict n], const unsigned int b[restrict n],
                      unsigned int c[restrict n])
{
    unsigned long carry = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned long t = (unsigned long)a[i] + b[i] + carry;
        c[i] = (unsigned int)t;
        carry = t >> 32;
    }
#pragma endscop
}

void running_peak(int n, const double *restrict x, double *restrict peak)
{
    double top = x[0];
#pragma scop
    for (int i = 0; i < n; i++) {
        if (x[i] > top)
            top = x[i];
        peak[i] = top;
    }
#pragma endscop
}

void discounted_rewards(int n, double discount, const double reward[restrict n], double value[restrict n])
{
#pragma scop
    value[n - 1] = reward[n - 1];
    for (int i = n - 2; i >= 0; i--)
        value[i] = reward[i] + discount * value[i + 1];
#pragma endscop
}

void damped_spring(int n, double dt, double k, double damp, const double force[restrict n],
                   double pos[restrict n], double vel[restrict n])
{
#pragma scop
    pos[0] = 0.0;
    vel[0] = 0.0;
    for (int i = 1; i < n; i++) {
        vel[i] = vel[i - 1] + dt * (force[i] - k * pos[i - 1] - damp * vel[i - 1]);
        pos[i] = pos[i - 1] + dt * vel[i];
    }
#pragma endscop
}
