/* Points, polygons and boxes. */
#include "data.h"
#include <math.h>

typedef struct Point {
    double x, y;
} Point;

typedef struct Box {
    Point min, max;
} Box;

double polygon_area(const Point *p, int n)
{
    double twice = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        int j = (i + 1) % n;
        twice += p[i].x * p[j].y - p[j].x * p[i].y;
    }
#pragma endscop
    return fabs(twice) / 2;
}

int point_in_polygon(const Point *p, int n, double x, double y)
{
    int inside = 0;
#pragma scop
    for (int i = 0, j = n - 1; i < n; j = i++) {
        if ((p[i].y > y) != (p[j].y > y)
            && x < (p[j].x - p[i].x) * (y - p[i].y) / (p[j].y - p[i].y) + p[i].x)
            inside = !inside;
    }
#pragma endscop
    return inside;
}

Box bounding_box(const Point *p, int n)
{
    Box b = {{1e30, 1e30}, {-1e30, -1e30}};
#pragma scop
    for (int i = 0; i < n; i++) {
        if (p[i].x < b.min.x) b.min.x = p[i].x;
        if (p[i].y < b.min.y) b.min.y = p[i].y;
        if (p[i].x > b.max.x) b.max.x = p[i].x;
        if (p[i].y > b.max.y) b.max.y = p[i].y;
    }
#pragma endscop
    return b;
}

/* Turns a cloud of points around its centre, and scales it. */
void rotate_points(Point *p, int n, double angle, double scale)
{
    double c = cos(angle) * scale, s = sin(angle) * scale;
    double cx = 0, cy = 0;
    if (n == 0)
        return;
#pragma scop
    for (int i = 0; i < n; i++) {
        cx += p[i].x;
        cy += p[i].y;
    }
    cx /= n;
    cy /= n;
    for (int i = 0; i < n; i++) {
        double dx = p[i].x - cx, dy = p[i].y - cy;
        p[i].x = cx + c * dx - s * dy;
        p[i].y = cy + s * dx + c * dy;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        Point *p = (Point *)data_doubles(2 * n);
        Box b = bounding_box(p, n);
        printf("area %.9g inside %d box %.6g %.6g %.6g %.6g\n", polygon_area(p, n),
               point_in_polygon(p, n, 0.1, 0.05), b.min.x, b.min.y, b.max.x, b.max.y);
        rotate_points(p, n, 0.3, 1.1);
        data_show("rotate", n, p, n * sizeof *p);
    }
}
