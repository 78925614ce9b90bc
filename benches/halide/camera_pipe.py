"""Camera pipeline, as examples/pipelines/camera_pipe.c defines it."""

from types import SimpleNamespace

import halide as hl
from build import Array, Scalar

SIZES = {"R": 1968, "C": 2592, "colour_temp": 3700.0, "contrast": 50.0, "gamma": 2.0}
SIGNATURE = [
    Scalar("int", "R"),
    Scalar("int", "C"),
    Scalar("float", "colour_temp"),
    Scalar("float", "contrast"),
    Scalar("float", "gamma"),
    Array("unsigned char", "processed", ["3", "R - 48", "C - 64"], written=True),
    Array("short", "img", ["R", "C"]),
    Array("float", "matrix_3200", ["3", "4"]),
    Array("float", "matrix_7000", ["3", "4"]),
]
TOLERANCE = 0


def define():
    x, y, c, v = hl.Var("x"), hl.Var("y"), hl.Var("c"), hl.Var("v")
    img = hl.ImageParam(hl.Int(16), 2, "img")
    matrix_3200 = hl.ImageParam(hl.Float(32), 2, "matrix_3200")
    matrix_7000 = hl.ImageParam(hl.Float(32), 2, "matrix_7000")
    colour_temp = hl.Param(hl.Float(32), "colour_temp")
    contrast = hl.Param(hl.Float(32), "contrast")
    gamma = hl.Param(hl.Float(32), "gamma")

    def stage(name, value):
        func = hl.Func(name)
        func[x, y] = value
        return func

    def mean(a, b):
        return hl.halving_add(a, b)

    # A value beyond its four neighbours of the same kind becomes the nearest of them.
    around = [img[x + 12, y + 6], img[x + 12, y + 10], img[x + 10, y + 8], img[x + 14, y + 8]]
    least = hl.min(hl.min(around[0], around[1]), hl.min(around[2], around[3]))
    most = hl.max(hl.max(around[0], around[1]), hl.max(around[2], around[3]))
    denoised = stage("denoised", hl.max(least, hl.min(most, img[x + 12, y + 8])))

    # The four kinds of sites, as pictures of half the size.
    deinterleaved = hl.Func("deinterleaved")
    deinterleaved[x, y, c] = hl.mux(c, [
        denoised[2 * x, 2 * y],
        denoised[2 * x + 1, 2 * y],
        denoised[2 * x, 2 * y + 1],
        denoised[2 * x + 1, 2 * y + 1],
    ])

    # What was measured, at (column, row) from a place that all of the following share.
    def g_gr(dx=0, dy=0):
        return deinterleaved[x + 2 + dx, y + 2 + dy, 0]

    def r_r(dx=0, dy=0):
        return deinterleaved[x + 2 + dx, y + 2 + dy, 1]

    def b_b(dx=0, dy=0):
        return deinterleaved[x + 2 + dx, y + 2 + dy, 2]

    def g_gb(dx=0, dy=0):
        return deinterleaved[x + 2 + dx, y + 2 + dy, 3]

    def closer(pair, other):
        """The mean of that pair whose values differ less, the second one in doubt."""
        return hl.select(hl.absd(*pair) < hl.absd(*other), mean(*pair), mean(*other))

    green_r = stage("g_r", closer((g_gr(1), g_gr()), (g_gb(0, -1), g_gb())))
    green_b = stage("g_b", closer((g_gb(-1), g_gb()), (g_gr(0, 1), g_gr())))

    def g_r(dx=0, dy=0):
        return green_r[x + dx, y + dy]

    def g_b(dx=0, dy=0):
        return green_b[x + dx, y + dy]

    def corrected_mean(here, green, colour, one, other):
        """The mean of two neighbours, plus what the same mean misses of green."""
        return here - mean(green(*one), green(*other)) + mean(colour(*one), colour(*other))

    r_gr = stage("r_gr", corrected_mean(g_gr(), g_r, r_r, (0, 0), (-1, 0)))
    b_gr = stage("b_gr", corrected_mean(g_gr(), g_b, b_b, (0, 0), (0, -1)))
    r_gb = stage("r_gb", corrected_mean(g_gb(), g_r, r_r, (0, 0), (0, 1)))
    b_gb = stage("b_gb", corrected_mean(g_gb(), g_b, b_b, (0, 0), (1, 0)))

    def diagonal(here, green, colour, one, other):
        return hl.select(
            hl.absd(colour(*one[0]), colour(*one[1])) < hl.absd(colour(*other[0]), colour(*other[1])),
            corrected_mean(here, green, colour, *one),
            corrected_mean(here, green, colour, *other),
        )

    r_b = stage("r_b", diagonal(g_b(), g_r, r_r, ((0, 0), (-1, 1)), ((-1, 0), (0, 1))))
    b_r = stage("b_r", diagonal(g_r(), g_b, b_b, ((0, 0), (1, -1)), ((1, 0), (0, -1))))

    measured = {
        name: stage(name, deinterleaved[x + 2, y + 2, kind])
        for kind, name in enumerate(["g_gr", "r_r", "b_b", "g_gb"])
    }

    def interleaved(name, a, b, below_a, below_b):
        column, row = x // 2, y // 2
        upper = hl.select(x % 2 == 0, a[column, row], b[column, row])
        lower = hl.select(x % 2 == 0, below_a[column, row], below_b[column, row])
        return stage(name, hl.select(y % 2 == 0, upper, lower))

    planes = [
        interleaved("red", r_gr, measured["r_r"], r_b, r_gb),
        interleaved("green", measured["g_gr"], green_r, green_b, measured["g_gb"]),
        interleaved("blue", b_gr, b_r, measured["b_b"], b_gb),
    ]

    matrix = hl.Func("matrix")
    alpha = (1 / colour_temp - hl.f32(0.0003125)) / hl.f32(-0.000169642857143)
    blended = matrix_3200[x, y] * alpha + matrix_7000[x, y] * (1 - alpha)
    matrix[x, y] = hl.i32(blended * 256)

    # The quotient is rounded down here and to zero in C; below zero the curve is flat.
    corrected = hl.Func("corrected")
    total = matrix[3, 2 - c]
    for at, plane in enumerate(planes):
        total += matrix[at, 2 - c] * hl.i32(plane[x, y])
    corrected[x, y, c] = hl.i16(total / 256)

    curve = hl.Func("curve")
    bend = 2 - hl.pow(hl.f32(2), contrast / 100)
    light = hl.clamp(hl.f32(v) / 1024, hl.f32(0), hl.f32(1))
    g = hl.pow(light, 1 / gamma)
    a = 2 - 2 * bend
    z = hl.select(g > hl.f32(0.5), 1 - (a * (1 - g) * (1 - g) + bend * (1 - g)), a * g * g + bend * g)
    curve[v] = hl.u8(hl.clamp(z * 256, hl.f32(0), hl.f32(255)))

    output = hl.Func("processed")
    output[x, y, c] = curve[hl.i32(corrected[x, y, c])]
    return SimpleNamespace(
        img=img, matrix_3200=matrix_3200, matrix_7000=matrix_7000,
        colour_temp=colour_temp, contrast=contrast, gamma=gamma,
        x=x, y=y, c=c, v=v, denoised=denoised, deinterleaved=deinterleaved,
        green=[green_r, green_b], planes=planes,
        halves=[(half, planes[0]) for half in (r_gr, r_gb, r_b)]
        + [(half, planes[2]) for half in (b_gr, b_gb, b_r)],
        matrix=matrix, corrected=corrected, curve=curve, output=output,
    )


def manual(p):
    """Strips of rows in parallel, down which everything slides two rows at a time: denoised sites,
    the four kinds apart, green at the other sites. Red and blue are made for two rows where they
    are put into place, and the channels of a pixel one after the other."""
    lanes = hl.get_host_target().natural_vector_size(hl.Int(16))
    yo, yi, yii = hl.Var("yo"), hl.Var("yi"), hl.Var("yii")
    p.matrix.compute_root()
    p.curve.compute_root().vectorize(p.v, lanes).parallel(p.v, 64)
    output = p.output.bound(p.c, 0, 3)
    output.align_bounds(p.x, 2).align_bounds(p.y, 2)
    output.split(p.y, yo, yi, 64).split(yi, yi, yii, 2).reorder(p.c, yii, p.x, yi, yo)
    output.parallel(yo).vectorize(p.x, 2 * lanes).unroll(yii).unroll(p.c)
    p.denoised.store_at(output, yo).compute_at(output, yi).vectorize(p.x, lanes)
    p.deinterleaved.store_at(output, yo).compute_at(output, yi)
    p.deinterleaved.reorder(p.c, p.x, p.y).bound(p.c, 0, 4).unroll(p.c).vectorize(p.x, lanes)
    for func in p.green:
        func.store_at(output, yo).compute_at(output, yi).vectorize(p.x, lanes)
    for plane in p.planes:
        plane.compute_at(output, yi).align_bounds(p.x, 2).align_bounds(p.y, 2)
        plane.unroll(p.y, 2).reorder(p.y, p.x).vectorize(p.x, 2 * lanes)
    for func, plane in p.halves:
        func.compute_at(plane, p.x).vectorize(p.x, lanes)
