"""Harris corners, as examples/pipelines/harris.c."""

import tilewright as tw


def pipeline() -> tw.Pipeline:
    p = tw.Pipeline("harris")
    R, C = p.parameters("R", "C")
    i, j = p.variables("i", "j")
    img = p.image("img", "float32", R + 2, C + 2)
    inner = i.within(1, R) & j.within(1, C)
    sums = i.within(2, R - 1) & j.within(2, C - 1)

    def stage(name, where, value, new=p.function):
        f = new(name, "float32", (i, R + 2), (j, C + 2))
        f.define(tw.case(where, value))
        return f

    a, b = 0.0833333333333, 0.166666666667
    Iy = stage("Iy", inner, img.stencil([[-a, 0, a], [-b, 0, b], [-a, 0, a]], i, j))
    # Column by column, as the C file adds them up.
    left = img(i - 1, j - 1) * -a + img(i + 1, j - 1) * a
    middle = left + img(i - 1, j) * -b + img(i + 1, j) * b
    Ix = stage("Ix", inner, middle + img(i - 1, j + 1) * -a + img(i + 1, j + 1) * a)
    Iyy = stage("Iyy", inner, Iy(i, j) * Iy(i, j))
    Ixy = stage("Ixy", inner, Ix(i, j) * Iy(i, j))
    Ixx = stage("Ixx", inner, Ix(i, j) * Ix(i, j))
    ones = [[1, 1, 1]] * 3
    Syy = stage("Syy", sums, Iyy.stencil(ones, i, j))(i, j)
    Sxy = stage("Sxy", sums, Ixy.stencil(ones, i, j))(i, j)
    Sxx = stage("Sxx", sums, Ixx.stencil(ones, i, j))(i, j)
    trace = stage("trace", sums, Sxx + Syy)(i, j)
    det = stage("det", sums, Sxx * Syy - Sxy * Sxy)(i, j)
    stage("harris", sums, det - 0.04 * trace * trace, p.output)
    return p
