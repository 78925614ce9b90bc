"""An edge-preserving filter by way of a coarse grid, as examples/pipelines/bilateral_grid.c."""

import tilewright as tw


def pipeline() -> tw.Pipeline:
    p = tw.Pipeline("bilateral_grid")
    R, C = p.parameters("R", "C")
    p.assume((R >= 57) & (C >= 57))
    c, i, j, z, y, x = p.variables("c", "i", "j", "z", "y", "x")
    img = p.image("input", "float32", R, C, values=(0.0, 1.0))
    # Cells of the grid in each direction.
    h, w = (R - 1) // 8 - 1, (C - 1) // 8 - 1

    # Plane 0 sums brightness, plane 1 counts pixels.
    grid = p.function("grid", "float32", (c, 2), (i, h), (j, w), (z, 15))
    pixel = img(y, x)
    bin = 2 + (pixel * 10 + 0.5).cast("int32")
    square = [(i, h), (j, w), (y, 8 * i + 4, 8 * i + 12), (x, 8 * j + 4, 8 * j + 12)]
    grid.accumulate(0, square, tw.add_to(pixel, 0, i, j, bin), tw.add_to(1, 1, i, j, bin))

    def smooth(at):
        return at(0) + 4 * at(1) + 6 * at(2) + 4 * at(3) + at(4)

    blurz = p.function("blurz", "float32", (c, 2), (i, h), (j, w), (z, 11))
    blurz.define(smooth(lambda d: grid(c, i, j, z + d)))
    blurx = p.function("blurx", "float32", (c, 2), (i, h - 4), (j, w), (z, 11))
    blurx.define(smooth(lambda d: blurz(c, i + d, j, z)))
    blury = p.function("blury", "float32", (c, 2), (i, h - 4), (j, w - 4), (z, 11))
    blury.define(smooth(lambda d: blurx(c, i, j + d, z)))

    level = img(i + 24, j + 24) * 10
    low = level.cast("int32")
    high = tw.minimum(low + 1, 10)
    ty, tx = (i % 8).cast("float32") / 8, (j % 8).cast("float32") / 8

    def between(z):
        def column(dj):
            above, below = (blury(c, i // 8 + di, j // 8 + dj, z) for di in (0, 1))
            return tw.lerp(above, below, ty)

        return tw.lerp(column(0), column(1), tx)

    interpolated = p.function("interpolated", "float32", (c, 2), (i, R - 56), (j, C - 56))
    interpolated.define(tw.lerp(between(low), between(high), level - low))
    filtered = p.output("filtered", "float32", (i, R - 56), (j, C - 56))
    total, count = interpolated(0, i, j), interpolated(1, i, j)
    filtered.define(tw.select(count > 0, total / count, img(i + 24, j + 24)))
    return p
