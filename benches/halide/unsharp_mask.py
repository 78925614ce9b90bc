"""Unsharp mask, as examples/pipelines/unsharp_mask.c defines it."""

from types import SimpleNamespace

import halide as hl
from build import Array, Scalar

SIZES = {"R": 4256, "C": 2832, "threshold": 0.01, "weight": 3.0}
SIGNATURE = [
    Scalar("int", "R"),
    Scalar("int", "C"),
    Scalar("float", "threshold"),
    Scalar("float", "weight"),
    Array("float", "mask", ["3", "R", "C"], written=True),
    Array("float", "img", ["3", "R + 4", "C + 4"]),
]
TOLERANCE = 2e-6
# At the threshold a rounding error decides between the pixel and the sharpened one.
JUMPS = 1e-5

BINOMIAL = (0.0625, 0.25, 0.375, 0.25, 0.0625)


def define():
    x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
    img = hl.ImageParam(hl.Float(32), 3, "img")
    threshold = hl.Param(hl.Float(32), "threshold")
    weight = hl.Param(hl.Float(32), "weight")
    blurx, blury, sharpen = hl.Func("blurx"), hl.Func("blury"), hl.Func("sharpen")
    output = hl.Func("mask")

    taps = [hl.f32(tap) for tap in BINOMIAL]
    blurx[x, y, c] = sum(img[x, y + at, c] * tap for at, tap in enumerate(taps))
    blury[x, y, c] = sum(blurx[x + at, y, c] * tap for at, tap in enumerate(taps))
    pixel = img[x + 2, y + 2, c]
    sharpen[x, y, c] = pixel * (1 + weight) + blury[x, y, c] * -weight
    output[x, y, c] = hl.select(
        hl.abs(pixel - blury[x, y, c]) < threshold, pixel, sharpen[x, y, c]
    )
    return SimpleNamespace(
        img=img, threshold=threshold, weight=weight,
        blurx=blurx, blury=blury, output=output, x=x, y=y, c=c,
    )


def manual(p):
    """Strips of rows of all channels in parallel; a row of the vertical blur at a time."""
    yo, yi, strip = hl.Var("yo"), hl.Var("yi"), hl.Var("strip")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    p.output.split(p.y, yo, yi, 32).reorder(p.x, yi, yo, p.c).fuse(yo, p.c, strip)
    p.output.parallel(strip).vectorize(p.x, lanes)
    p.blurx.compute_at(p.output, yi).vectorize(p.x, lanes)
