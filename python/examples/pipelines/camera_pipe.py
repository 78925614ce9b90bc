"""From a camera's raw sites to colours, as examples/pipelines/camera_pipe.c."""

import tilewright as tw


def difference(a, b):
    return tw.select(a > b, a - b, b - a).cast("int16")


def mean(a, b):
    return (a + b) / 2


def pipeline() -> tw.Pipeline:
    p = tw.Pipeline("camera_pipe")
    R, C = p.parameters("R", "C")
    p.assume((R >= 50) & (C >= 66))
    temperature, contrast, gamma = (
        p.scalar(name, "float32") for name in ("colour_temp", "contrast", "gamma")
    )
    c, i, j, v = p.variables("c", "i", "j", "v")
    img = p.image("img", "int16", R, C)
    warm = p.image("matrix_3200", "float32", 3, 4)
    cold = p.image("matrix_7000", "float32", 3, 4)
    # Blocks of two by two sites that become pixels of the result.
    h, w = R // 2 - 24, C // 2 - 32

    def function(name, value, *domain):
        f = p.function(name, "int16", *domain)
        f.define(*value if isinstance(value, list) else [value])
        return f

    # Hot sites: no value outside of its neighbours' of the same colour.
    up, down, left, right = (
        img(i + di, j + dj) for di, dj in ((6, 12), (10, 12), (8, 10), (8, 14))
    )
    least = tw.minimum(tw.minimum(up, down), tw.minimum(left, right))
    most = tw.maximum(tw.maximum(up, down), tw.maximum(left, right))
    site = tw.maximum(least, tw.minimum(most, img(i + 8, j + 12)))
    denoised = function("denoised", site, (i, 2 * h + 8), (j, 2 * w + 8))

    # One plane for each place in a block: green, red, blue, green.
    blocks = (i, h + 4), (j, w + 4)
    places = enumerate([(0, 0), (0, 1), (1, 0), (1, 1)])
    kinds = [tw.case(c == k, denoised(2 * i + di, 2 * j + dj)) for k, (di, dj) in places]
    planes = function("deinterleaved", kinds, (c, 4), *blocks)
    g_gr, r_r, b_b, g_gb = (
        function(name, planes(k, i, j), *blocks)
        for k, name in enumerate(["g_gr", "r_r", "b_b", "g_gb"])
    )

    def at(f, di, dj):
        return f(i + di, j + dj)

    # Green where red or blue was measured: along the direction that changes less.
    def green(name, beside, above):
        value = tw.select(difference(*beside) < difference(*above), mean(*beside), mean(*above))
        return function(name, value, (i, h + 2), (j, w + 2))

    g_r = green("g_r", [at(g_gr, 1, 2), at(g_gr, 1, 1)], [at(g_gb, 0, 1), at(g_gb, 1, 1)])
    g_b = green("g_b", [at(g_gb, 1, 0), at(g_gb, 1, 1)], [at(g_gr, 2, 1), at(g_gr, 1, 1)])

    # Red and blue at green sites: green there, and what two neighbours lack of it.
    def at_green(name, own, measured, sites, known, known_sites):
        colour = mean(*(at(measured, *site) for site in sites))
        missed = mean(*(at(known, *site) for site in known_sites))
        return function(name, at(own, 2, 2) - missed + colour, (i, h), (j, w))

    r_gr = at_green("r_gr", g_gr, r_r, [(2, 2), (2, 1)], g_r, [(1, 1), (1, 0)])
    b_gr = at_green("b_gr", g_gr, b_b, [(2, 2), (1, 2)], g_b, [(1, 1), (0, 1)])
    r_gb = at_green("r_gb", g_gb, r_r, [(2, 2), (3, 2)], g_r, [(1, 1), (2, 1)])
    b_gb = at_green("b_gb", g_gb, b_b, [(2, 2), (2, 3)], g_b, [(1, 1), (1, 2)])

    # Red at blue sites and the other way round: along the diagonal that changes less, each as two
    # measured sites and green beside them.
    def diagonal(name, own, one, other):
        nearer = difference(*one[:2]) < difference(*other[:2])
        values = [own - mean(*d[2:]) + mean(*d[:2]) for d in (one, other)]
        return function(name, tw.select(nearer, *values), (i, h), (j, w))

    r_b = diagonal(
        "r_b",
        at(g_b, 1, 1),
        [at(r_r, 2, 2), at(r_r, 3, 1), at(g_r, 1, 1), at(g_r, 2, 0)],
        [at(r_r, 2, 1), at(r_r, 3, 2), at(g_r, 1, 0), at(g_r, 2, 1)],
    )
    b_r = diagonal(
        "b_r",
        at(g_r, 1, 1),
        [at(b_b, 2, 2), at(b_b, 1, 3), at(g_b, 1, 1), at(g_b, 0, 2)],
        [at(b_b, 2, 3), at(b_b, 1, 2), at(g_b, 1, 2), at(g_b, 0, 1)],
    )

    # Pixels of two planes by turns, first along rows, then rows of both.
    def rows(name, even, a, odd, b):
        cases = [
            tw.case(j % 2 == 0, even(i + a, j // 2 + a)),
            tw.case(j % 2 == 1, odd(i + b, j // 2 + b)),
        ]
        return function(name, cases, (i, h), (j, 2 * w))

    both = {
        "red": (rows("redX1", r_gr, 0, r_r, 2), rows("redX2", r_b, 0, r_gb, 0)),
        "green": (rows("greenX1", g_gr, 2, g_r, 1), rows("greenX2", g_b, 1, g_gb, 2)),
        "blue": (rows("blueX1", b_gr, 0, b_r, 0), rows("blueX2", b_b, 2, b_gb, 0)),
    }

    def plane(name):
        even, odd = both[name]
        cases = [tw.case(i % 2 == 0, even(i // 2, j)), tw.case(i % 2 == 1, odd(i // 2, j))]
        return function(name, cases, (i, 2 * h), (j, 2 * w))(i, j)

    red, green, blue = (plane(name) for name in both)

    # Colours of the lamp become colours of the screen.
    matrix = p.function("matrix", "int32", (i, 3), (j, 4))
    alpha = (1.0 / temperature - 0.0003125) / -0.000169642857143
    mixed = warm(i, j) * alpha + cold(i, j) * (1 - alpha)
    matrix.define((mixed * 256.0).cast("int32"))
    m = [matrix(2 - c, k) for k in range(4)]
    value = (m[3] + m[0] * red + m[1] * green + m[2] * blue) / 256
    corrected = function("corrected", value, (c, 3), (i, 2 * h), (j, 2 * w))

    # Brightness by a table with one entry for each value of 16 bits.
    curve = p.function("curve", "uint8", (v, 65536))
    g = ((v - 32768) / 1024.0).clamp(0.0, 1.0) ** (1.0 / gamma)
    b = 2.0 - 2.0 ** (contrast / 100.0)
    a = 2.0 - 2.0 * b
    above = 1.0 - (a * (1.0 - g) * (1.0 - g) + b * (1.0 - g))
    z = tw.select(g > 0.5, above, a * g * g + b * g)
    curve.define((z * 256.0).clamp(0.0, 255.0))
    processed = p.output("processed", "uint8", (c, 3), (i, R - 48), (j, C - 64))
    bin = corrected(c, i, j).cast("int32") + 32768
    processed.define(tw.case((i < 2 * h) & (j < 2 * w), curve(bin)))
    return p
