"""Unsharp masking of a picture with three channels, as examples/pipelines/unsharp_mask.c."""

import tilewright as tw


def pipeline() -> tw.Pipeline:
    p = tw.Pipeline("unsharp_mask")
    R, C = p.parameters("R", "C")
    threshold = p.scalar("threshold", "float32")
    weight = p.scalar("weight", "float32")
    c, i, j = p.variables("c", "i", "j")
    img = p.image("img", "float32", 3, R + 4, C + 4)
    result = (c, 3), (i, R), (j, C)
    w = [0.0625, 0.25, 0.375, 0.25, 0.0625]

    blurx = p.function("blurx", "float32", (c, 3), (i, R), (j, C + 4))
    blurx.define(img.stencil([[x] for x in w], c, i + 2, j))
    blury = p.function("blury", "float32", *result)
    blury.define(blurx.stencil([w], c, i, j + 2))
    pixel, blurred = img(c, i + 2, j + 2), blury(c, i, j)
    sharpen = p.function("sharpen", "float32", *result)
    sharpen.define(pixel * (1 + weight) + blurred * -weight)
    mask = p.output("mask", "float32", *result)
    mask.define(tw.select(abs(pixel - blurred) < threshold, pixel, sharpen(c, i, j)))
    return p
