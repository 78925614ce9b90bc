"""Local Laplacian filter, as examples/pipelines/local_laplacian.c defines it."""

from types import SimpleNamespace

import halide as hl
from build import Array, Scalar
from pyramid import framed

LEVELS = 8
TONES = 8
SIZES = {"R": 2560, "C": 1536, "alpha": 1.0, "beta": 1.0}
SIGNATURE = [
    Scalar("int", "R"),
    Scalar("int", "C"),
    Scalar("float", "alpha"),
    Scalar("float", "beta"),
    Array("unsigned short", "laplacian", ["3", "R", "C"], written=True),
    Array("unsigned short", "img_colour", ["3", "R + 4", "C + 4"]),
]
# The last step cuts a float off to an integer: a rounding error is a difference of one.
TOLERANCE = 1
# The curve is a table: at a step of it a rounding error decides between two entries.
JUMPS = 2e-4
ADAMS2019 = {"beam_size": "1"}


def define():
    x, y, k, c, v = hl.Var("x"), hl.Var("y"), hl.Var("k"), hl.Var("c"), hl.Var("v")
    picture = hl.ImageParam(hl.UInt(16), 3, "img_colour")
    alpha, beta = hl.Param(hl.Float(32), "alpha"), hl.Param(hl.Float(32), "beta")
    rows, columns = hl.Param(hl.Int(32), "R"), hl.Param(hl.Int(32), "C")

    inner = {}

    def frame(name, variables, value, down, right):
        # Zero outside, and in the last two rows and columns.
        ranges = (2, rows // 2**down - 2), (2, columns // 2**right - 2)
        return framed(name, variables, value, *ranges, inner)

    def halve(f, name, level, *rest):
        """A level from the finer one, by rows and then by columns."""
        v = (x, y, *rest)
        value = f[(x, 2 * y - 3, *rest)] + 3 * f[(x, 2 * y - 2, *rest)]
        value = (value + 3 * f[(x, 2 * y - 1, *rest)] + f[(x, 2 * y, *rest)]) * hl.f32(0.125)
        half = frame(f"dx_{name}_l{level}", v, value, level, level - 1)
        value = half[(2 * x - 3, y, *rest)] + 3 * half[(2 * x - 2, y, *rest)]
        value = (value + 3 * half[(2 * x - 1, y, *rest)] + half[(2 * x, y, *rest)]) * hl.f32(0.125)
        return half, frame(f"d_{name}_l{level}", v, value, level, level)

    def double(f, name, level, *rest):
        """A level from the coarser one, by rows and then by columns."""
        v = (x, y, *rest)
        far = y // 2 + 2 * (y % 2)
        value = hl.f32(0.25) * f[(x, far, *rest)] + hl.f32(0.75) * f[(x, y // 2 + 1, *rest)]
        half = frame(f"ux_{name}_l{level}", v, value, level, level + 1)
        far = x // 2 + 2 * (x % 2)
        value = hl.f32(0.25) * half[(far, y, *rest)] + hl.f32(0.75) * half[(x // 2 + 1, y, *rest)]
        return half, value

    grey = hl.Func("img")
    red, green, blue = (hl.f32(picture[x, y, channel]) for channel in (2, 1, 0))
    grey[x, y] = (hl.f32(0.299) * red + hl.f32(0.587) * green + hl.f32(0.114) * blue) / 65535
    coarse, coarse_half = {0: grey}, {}
    for level in range(1, LEVELS):
        coarse_half[level], coarse[level] = halve(coarse[level - 1], "in", level)

    remap = hl.Func("remap")
    fx = hl.f32(v) / 256
    remap[v] = alpha * fx * hl.exp(-fx * fx / 2)

    tone = hl.f32(k) * hl.f32(1 / (TONES - 1))
    index = hl.clamp(hl.i32(grey[x, y] * ((TONES - 1) * 256.0)), 0, (TONES - 1) * 256)
    toned, toned_half = {0: hl.Func("g_l0")}, {}
    toned[0][x, y, k] = beta * (grey[x, y] - tone) + tone + remap[index - 256 * k]
    for level in range(1, LEVELS):
        toned_half[level], toned[level] = halve(toned[level - 1], "g", level, k)

    detail = {LEVELS - 1: toned[LEVELS - 1]}
    for level in range(LEVELS - 1):
        _, upper = double(toned[level + 1], "g", level, k)
        value = toned[level][x, y, k] - upper
        detail[level] = frame(f"u_g_l{level}", (x, y, k), value, level, level)

    mixed = {}
    for level in range(LEVELS):
        place = coarse[level][x, y] * (TONES - 1)
        low = hl.clamp(hl.i32(place), 0, TONES - 2)
        weight = place - hl.f32(low)
        mixed[level] = hl.Func(f"outl_l{level}")
        mixed[level][x, y] = (1 - weight) * detail[level][x, y, low] \
            + weight * detail[level][x, y, low + 1]

    result, result_half = {LEVELS - 1: mixed[LEVELS - 1]}, {}
    for level in reversed(range(LEVELS - 1)):
        result_half[level], upper = double(result[level + 1], "out", level)
        value = mixed[level][x, y] + upper
        result[level] = frame(f"outg_l{level}", (x, y), value, level, level)

    output = hl.Func("laplacian")
    eps = hl.f32(0.01)
    ratio = hl.f32(picture[x + 2, y + 2, c]) / 65535 + eps
    value = result[0][x + 2, y + 2] * ratio / (grey[x + 2, y + 2] + eps)
    output[x, y, c] = hl.u16(hl.clamp(value, hl.f32(0), hl.f32(1)) * 65535)
    return SimpleNamespace(
        img_colour=picture, alpha=alpha, beta=beta, rows=rows, columns=columns,
        x=x, y=y, k=k, c=c, v=v, inner=inner, grey=grey, remap=remap,
        coarse=coarse, coarse_half=coarse_half, toned=toned, toned_half=toned_half,
        result=result, result_half=result_half, output=output,
    )


def manual(p):
    """The pyramids whole, in parallel strips while they are large. The finest level of the toned
    pyramid is made a few rows at a time for the next one, and once more, for the two tones that
    count at a pixel, where the result is put together; so are all the details."""
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    x, y, k, c = p.x, p.y, p.k, p.c
    yo, yi = hl.Var("yo"), hl.Var("yi")
    p.remap.compute_root().vectorize(p.v, lanes)
    p.grey.compute_root().parallel(y, 16).vectorize(x, lanes)
    for level in range(1, LEVELS):
        large = level <= 4
        coarse = p.coarse[level].compute_root().split(y, yo, yi, 8).vectorize(x, lanes)
        p.coarse_half[level].compute_at(coarse, yi).vectorize(x, lanes)
        toned = p.toned[level].compute_root().split(y, yo, yi, 16).reorder(x, yi, k, yo)
        toned.vectorize(x, lanes)
        p.toned_half[level].compute_at(toned, yi).vectorize(x, lanes)
        if level == 1:
            finest = p.toned[0].in_(p.inner["dx_g_l1"])
            finest.store_at(toned, k).compute_at(toned, yi).vectorize(x, lanes)
        if level < LEVELS - 1:
            result = p.result[level].compute_root().split(y, yo, yi, 8).vectorize(x, lanes)
            p.result_half[level].compute_at(result, yi).vectorize(x, lanes)
        else:
            result = p.result[level].compute_root().split(y, yo, yi, 8).vectorize(x, lanes)
        if large:
            for func in (coarse, toned, result):
                func.parallel(yo)
    output = p.output.bound(c, 0, 3).split(y, yo, yi, 32).reorder(x, c, yi, yo)
    output.parallel(yo).unroll(c).vectorize(x, lanes)
    p.result[0].compute_at(output, yi).vectorize(x, lanes)
    p.result_half[0].compute_at(output, yi).vectorize(x, lanes)
