"""Harris corners, as examples/pipelines/harris.c defines them."""

from types import SimpleNamespace

import halide as hl
from build import Array, Scalar

SIZES = {"R": 4256, "C": 2832}
SIGNATURE = [
    Scalar("int", "R"),
    Scalar("int", "C"),
    Array("float", "harris", ["R + 2", "C + 2"], written=True,
          region=[("2", "R - 2"), ("2", "C - 2")]),
    Array("float", "img", ["R + 2", "C + 2"]),
]
TOLERANCE = 1e-7


def define():
    x, y = hl.Var("x"), hl.Var("y")
    img = hl.ImageParam(hl.Float(32), 2, "img")

    def stage(name, value):
        func = hl.Func(name)
        func[x, y] = value
        return func

    def weighted(offsets):
        return sum(hl.f32(weight) * img[x + dx, y + dy] for dy, dx, weight in offsets)

    side, middle = 0.0833333333333, 0.166666666667
    iy = stage("iy", weighted([(dy, dx, dx * w) for dy, w in ((-1, side), (0, middle), (1, side))
                               for dx in (-1, 1)]))
    ix = stage("ix", weighted([(dy, dx, dy * w) for dx, w in ((-1, side), (0, middle), (1, side))
                               for dy in (-1, 1)]))
    products = {
        "yy": stage("iyy", iy[x, y] * iy[x, y]),
        "xy": stage("ixy", ix[x, y] * iy[x, y]),
        "xx": stage("ixx", ix[x, y] * ix[x, y]),
    }
    sums = {
        name: stage("s" + name, sum(product[x + dx, y + dy] for dy in (-1, 0, 1) for dx in (-1, 0, 1)))
        for name, product in products.items()
    }
    sxx, sxy, syy = (sums[name][x, y] for name in ("xx", "xy", "yy"))
    trace = stage("trace", sxx + syy)
    det = stage("det", sxx * syy - sxy * sxy)
    output = stage("harris", det[x, y] - hl.f32(0.04) * trace[x, y] * trace[x, y])
    return SimpleNamespace(img=img, ix=ix, iy=iy, output=output, x=x, y=y)


def manual(p):
    """Strips of rows in parallel; the two derivatives slide down a strip in small folded buffers,
    two rows at a time, and everything behind them is computed where it is used."""
    yo, yi, yii = hl.Var("yo"), hl.Var("yi"), hl.Var("yii")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    p.output.split(p.y, yo, yi, 32).split(yi, yi, yii, 2).reorder(yii, p.x, yi, yo)
    p.output.parallel(yo).vectorize(p.x, lanes).unroll(yii)
    for func in (p.ix, p.iy):
        func.store_at(p.output, yo).compute_at(p.output, yi).vectorize(p.x, lanes)
    p.ix.compute_with(p.iy, p.x)
