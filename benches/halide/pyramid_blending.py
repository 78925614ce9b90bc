"""Pyramid blending, as examples/pipelines/pyramid_blending.c defines it."""

from types import SimpleNamespace

import halide as hl
from build import Array, Scalar

LEVELS = 4
SIZES = {"R": 2108, "C": 2108}
SIGNATURE = [
    Scalar("int", "R"),
    Scalar("int", "C"),
    Array("float", "blend", ["3", "R - 60", "C - 60"], written=True),
    Array("float", "img1", ["3", "R", "C"]),
    Array("float", "img2", ["3", "R", "C"]),
    Array("float", "mask", ["R", "C"]),
]
TOLERANCE = 2e-6
ADAMS2019 = {"beam_size": "1"}


def define():
    x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
    img1 = hl.ImageParam(hl.Float(32), 3, "img1")
    img2 = hl.ImageParam(hl.Float(32), 3, "img2")
    mask = hl.ImageParam(hl.Float(32), 2, "mask")
    halves, doubles = {}, {}

    def stage(name, variables, value):
        func = hl.Func(name)
        func[variables] = value
        return func

    def halve(f, name, *rest):
        def taps(at):
            return (at(-2) + 4 * at(-1) + 6 * at(0) + 4 * at(1) + at(2)) * hl.f32(0.0625)

        half = stage("dx_" + name, (x, y, *rest), taps(lambda d: f[(x, 2 * y + d, *rest)]))
        whole = stage("dy_" + name, (x, y, *rest), taps(lambda d: half[(2 * x + d, y, *rest)]))
        halves[whole.name()] = half
        return whole

    def double(f, name):
        def taps(position, at):
            odd = 4 * at((position - 1) // 2) + 4 * at((position + 1) // 2)
            even = at(position // 2 - 1) + 6 * at(position // 2) + at(position // 2 + 1)
            return hl.select(position % 2 == 1, odd, even) * hl.f32(0.125)

        half = stage("ux_" + name, (x, y, c), taps(y, lambda row: f[x, row, c]))
        return half, stage("uy_" + name, (x, y, c), taps(x, lambda column: half[column, y, c]))

    first, second, weight = {0: img1}, {0: img2}, {0: mask}
    for level in range(1, LEVELS):
        first[level] = halve(first[level - 1], f"{level}_img1", c)
        second[level] = halve(second[level - 1], f"{level}_img2", c)
        weight[level] = halve(weight[level - 1], f"{level}_mask")

    result = {}
    for level in reversed(range(LEVELS)):
        pictures, doubles[level] = [], []
        for name, pyramid in (("img1", first), ("img2", second)):
            value = pyramid[level][x, y, c]
            if level < LEVELS - 1:
                half, upper = double(pyramid[level + 1], f"{level}_{name}")
                doubles[level].append(half)
                value -= upper[x, y, c]
            pictures.append(value)
        share = weight[level][x, y]
        value = pictures[0] * share + pictures[1] * (1 - share)
        if level < LEVELS - 1:
            half, upper = double(result[level + 1], f"{level}_col")
            doubles[level].append(half)
            value += upper[x, y, c]
        result[level] = stage(f"col_{level}", (x, y, c), value)

    output = stage("blend", (x, y, c), result[0][x + 31, y + 31, c])
    down = [[first[level], second[level], weight[level]] for level in range(1, LEVELS)]
    return SimpleNamespace(
        img1=img1, img2=img2, mask=mask, x=x, y=y, c=c,
        down=down, halves=halves, doubles=doubles, result=result, output=output,
    )


def manual(p):
    """Every level whole, in parallel strips, rows halved or doubled where they are used; the
    details of the pictures never reach memory."""
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    yo, yi = hl.Var("yo"), hl.Var("yi")
    for level in p.down:
        for func in level:
            func.compute_root().split(p.y, yo, yi, 16).parallel(yo).vectorize(p.x, lanes)
            if func.dimensions() == 3:
                func.reorder(p.x, yi, p.c, yo)
            p.halves[func.name()].compute_at(func, yi).vectorize(p.x, lanes)
    for level in range(LEVELS - 1):
        func = p.result[level] if level else p.output
        func.compute_root() if level else func
        func.split(p.y, yo, yi, 16).reorder(p.x, yi, p.c, yo).parallel(yo).vectorize(p.x, lanes)
        for half in p.doubles[level]:
            half.compute_at(func, yi).vectorize(p.x, lanes)
    p.result[LEVELS - 1].compute_root().vectorize(p.x, lanes)
