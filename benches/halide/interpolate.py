"""Multiscale interpolation, as examples/pipelines/interpolate.c defines it."""

from types import SimpleNamespace

import halide as hl
from build import Array, Scalar
from pyramid import framed

LEVELS = 10
SIZES = {"R": 2560, "C": 1536}
SIGNATURE = [
    Scalar("int", "R"),
    Scalar("int", "C"),
    Array("float", "interpolate", ["3", "R", "C"], written=True),
    Array("float", "img", ["4", "R + 2", "C + 2"]),
]
TOLERANCE = 2e-6
ADAMS2019 = {"beam_size": "1"}


def define():
    x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
    img = hl.ImageParam(hl.Float(32), 3, "img")
    rows, columns = hl.Param(hl.Int(32), "R"), hl.Param(hl.Int(32), "C")

    def frame(name, value, down, right):
        return framed(name, (x, y, c), value, (1, rows // 2**down), (1, columns // 2**right))

    down = {0: hl.Func("downsampled_l0")}
    down[0][x, y, c] = img[x, y, c] * img[x, y, 3]
    halved = {}
    for level in range(1, LEVELS):
        f = down[level - 1]
        value = (f[x, 2 * y - 2, c] + 2 * f[x, 2 * y - 1, c] + f[x, 2 * y, c]) * hl.f32(0.25)
        halved[level] = f = frame(f"dx_{level}", value, level, level - 1)
        value = (f[2 * x - 2, y, c] + 2 * f[2 * x - 1, y, c] + f[2 * x, y, c]) * hl.f32(0.25)
        down[level] = frame(f"d_{level}", value, level, level)

    up, filled = {}, {LEVELS - 1: down[LEVELS - 1]}
    for level in reversed(range(LEVELS - 1)):
        f = filled[level + 1]
        value = (f[x, (y + 1) // 2, c] + f[x, (y + 2) // 2, c]) / 2
        up[level] = f = frame(f"ux_{level}", value, level, level + 1)
        value = (f[(x + 1) // 2, y, c] + f[(x + 2) // 2, y, c]) / 2
        d = down[level]
        value = d[x, y, c] + (1 - d[x, y, 3]) * value
        filled[level] = frame(f"interpolated_l{level}", value, level, level)

    output = hl.Func("interpolate")
    output[x, y, c] = filled[0][x + 1, y + 1, c] / filled[0][x + 1, y + 1, 3]
    return SimpleNamespace(
        img=img, rows=rows, columns=columns, x=x, y=y, c=c,
        down=down, halved=halved, up=up, filled=filled, output=output,
    )


def manual(p):
    """Every level whole, in parallel strips while it is large, rows halved or doubled where they
    are used; the finest level never reaches memory."""
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    yo, yi = hl.Var("yo"), hl.Var("yi")

    def strips(func, helper, level, width):
        func.compute_root().split(p.y, yo, yi, 16).reorder(p.x, yi, p.c, yo).vectorize(p.x, width)
        if level <= 5:
            func.parallel(yo)
        helper.compute_at(func, yi).vectorize(p.x, lanes)

    for level in range(1, LEVELS):
        strips(p.down[level], p.halved[level], level, lanes)
    for level in range(1, LEVELS - 1):
        strips(p.filled[level], p.up[level], level, 2 * lanes)
    output = p.output.bound(p.c, 0, 3).split(p.y, yo, yi, 16).reorder(p.c, p.x, yi, yo)
    output.unroll(p.c).vectorize(p.x, 2 * lanes).parallel(yo)
    p.up[0].compute_at(output, yi).vectorize(p.x, lanes)
