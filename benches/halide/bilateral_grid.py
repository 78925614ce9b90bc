"""Bilateral filter on a grid, as examples/pipelines/bilateral_grid.c defines it."""

from types import SimpleNamespace

import halide as hl
from build import Array, Scalar

SIZES = {"R": 2616, "C": 1592}
SIGNATURE = [
    Scalar("int", "R"),
    Scalar("int", "C"),
    Array("float", "filtered", ["R - 56", "C - 56"], written=True),
    Array("float", "input", ["R", "C"]),
]
TOLERANCE = 2e-6
# A pixel on the border of two bins counts in either.
JUMPS = 1e-5


def define():
    x, y, z, c = hl.Var("x"), hl.Var("y"), hl.Var("z"), hl.Var("c")
    picture = hl.ImageParam(hl.Float(32), 2, "input")

    grid = hl.Func("grid")
    r = hl.RDom([hl.Range(4, 9), hl.Range(4, 9)], "r")
    grid[x, y, z, c] = hl.f32(0)
    pixel = picture[8 * x + r.x, 8 * y + r.y]
    into = 2 + hl.clamp(hl.i32(pixel * 10 + hl.f32(0.5)), 0, 10)
    grid[x, y, into, c] += hl.select(c == 0, pixel, hl.f32(1))

    def smoothed(name, value):
        func = hl.Func(name)
        func[x, y, z, c] = value(0) + 4 * value(1) + 6 * value(2) + 4 * value(3) + value(4)
        return func

    blurz = smoothed("blurz", lambda at: grid[x, y, z + at, c])
    blurx = smoothed("blurx", lambda at: blurz[x, y + at, z, c])
    blury = smoothed("blury", lambda at: blurx[x + at, y, z, c])

    here = picture[x + 24, y + 24]
    place = here * 10
    low = hl.clamp(hl.i32(place), 0, 10)
    high = hl.min(low + 1, 10)
    row, column = hl.f32(y % 8) / 8, hl.f32(x % 8) / 8

    def between(a, b, weight):
        return a + weight * (b - a)

    def level(z):
        def down(column):
            return between(blury[column, y // 8, z, c], blury[column, y // 8 + 1, z, c], row)

        return between(down(x // 8), down(x // 8 + 1), column)

    interpolated = hl.Func("interpolated")
    interpolated[x, y, c] = between(level(low), level(high), place - hl.f32(low))
    output = hl.Func("filtered")
    total, count = interpolated[x, y, 0], interpolated[x, y, 1]
    output[x, y] = hl.select(count > 0, total / count, here)
    return SimpleNamespace(
        input=picture, x=x, y=y, z=z, c=c, r=r,
        grid=grid, blurz=blurz, blurx=blurx, blury=blury, output=output,
    )


def manual(p):
    """The bins are innermost in memory, one vector of them per cell and plane. A row of cells is
    counted where it is smoothed along the bins, one pixel of every cell after the other, so that
    no addition waits for the one before it."""
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    x, y, z, c = p.x, p.y, p.z, p.c
    for func in (p.grid, p.blurz, p.blurx, p.blury):
        func.reorder_storage(z, c, x, y)
    p.blurz.compute_root().reorder(z, c, x, y).vectorize(z, lanes).unroll(c).parallel(y)
    p.grid.compute_at(p.blurz, y).reorder(z, c, x, y).vectorize(z, lanes)
    p.grid.update().reorder(c, x, p.r.x, p.r.y, y).unroll(c)
    p.blury.compute_root().reorder(z, c, x, y).vectorize(z, lanes).unroll(c).parallel(y, 4)
    p.blurx.compute_at(p.blury, y).reorder(z, c, x, y).vectorize(z, lanes).unroll(c)
    p.output.parallel(y, 8).vectorize(x, lanes)
