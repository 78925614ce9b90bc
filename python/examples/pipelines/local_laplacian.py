"""Local contrast by Laplacian pyramids of remapped pictures, as
examples/pipelines/local_laplacian.c."""

import tilewright as tw

LEVELS = 8


def pipeline() -> tw.Pipeline:
    p = tw.Pipeline("local_laplacian")
    R, C = p.parameters("R", "C")
    alpha, beta = p.scalar("alpha", "float32"), p.scalar("beta", "float32")
    c, k, i, j, v = p.variables("c", "k", "i", "j", "r")
    img_colour = p.image("img_colour", "uint16", 3, R + 4, C + 4)

    # Every picture here is one, with subscripts (), or one of eight, with subscripts (k,).
    ONE, EIGHT = (), (k,)

    def size(l):
        """Pixels of level `l` in each direction, without the border."""
        return (R // 2**l, C // 2**l) if l > 0 else (R, C)

    def function(name, which, rows, columns, *parts):
        """A picture with a border of zeros; `parts` are values, and where they are."""
        inside = i.within(2, rows - 1) & j.within(2, columns - 1)
        cases = [tw.case(inside & where[0] if where else inside, value) for value, *where in parts]
        domain = [(i, rows + 4), (j, columns + 4)]
        f = p.function(name, "float32", *[(k, 8) for _ in which], *domain)
        f.define(*cases, tw.case(~inside, 0))
        return f

    def smooth(at):
        return (at(3) + 3 * at(2) + 3 * at(1) + at(0)) * 0.125

    def pyramid(name, which, base):
        """The Gaussian pyramid over a picture."""
        levels = [base]
        for l in range(1, LEVELS):
            (rows, columns), (_, before) = size(l), size(l - 1)
            below = levels[-1]
            value = smooth(lambda d: below(*which, 2 * i - d, j))
            dx = function(f"Dx_{name}_L{l}", which, rows, before, [value])
            value = smooth(lambda d: dx(*which, i, 2 * j - d))
            levels.append(function(f"D_{name}_L{l}", which, rows, columns, [value]))
        return levels

    def with_above(ux, name, which, l, above, combine):
        """`combine` of the level above `l`, at twice as many pixels in both directions."""
        (rows, columns), (_, narrow) = size(l), size(l + 1)
        far, near = above(*which, i // 2 + i % 2 * 2, j), above(*which, i // 2 + 1, j)
        tall = function(ux, which, rows, narrow, [0.25 * far + 0.75 * near])

        def value(d):
            far, near = tall(*which, i, j // 2 + d), tall(*which, i, j // 2 + 1)
            return combine(0.25 * far + 0.75 * near)

        even, odd = [value(0), j % 2 == 0], [value(2), j % 2 == 1]
        return function(name, which, rows, columns, even, odd)

    lut = p.function("remapLUT", "float32", (v, 0, 3584))
    x = (v - 1792) / 256.0
    lut.define(alpha * x * tw.exp(-x * x / 2))
    img = p.function("img", "float32", (i, R + 4), (j, C + 4))
    red, green, blue = (img_colour(channel, i, j) for channel in (2, 1, 0))
    img.define((0.299 * red + 0.587 * green + 0.114 * blue) / 65535)
    gray = img(i, j)
    remapped = p.function("gPyramid_L0", "float32", (k, 8), (i, R + 4), (j, C + 4))
    bin = (gray * 1792).cast("int32").clamp(0, 1792) - 256 * k + 1792
    centre = k * 0.142857142857
    remapped.define(beta * (gray - centre) + centre + lut(bin))

    gauss = pyramid("inGPyramid", ONE, img)
    own = pyramid("gPyramid", EIGHT, remapped)

    # Of each remapped picture, what every level has beyond the one above it.
    laplace = {LEVELS - 1: own[LEVELS - 1]}
    for l in reversed(range(LEVELS - 1)):
        names = f"Ux_lPyramid_L{l}", f"U_lPyramid_L{l}"
        laplace[l] = with_above(*names, EIGHT, l, own[l + 1], lambda up: own[l](k, i, j) - up)

    # Of the two remapped pictures whose brightness is next to the pixel's.
    picked = {}
    for l in reversed(range(LEVELS)):
        rows, columns = size(l)
        level = gauss[l](i, j) * 7
        below = level.cast("int32").clamp(0, 6)
        upper = level - below
        f = p.function(f"outLPyramid_L{l}", "float32", (i, rows + 4), (j, columns + 4))
        f.define((1 - upper) * laplace[l](below, i, j) + upper * laplace[l](below + 1, i, j))
        picked[l] = f

    above = picked[LEVELS - 1]
    for l in reversed(range(LEVELS - 1)):
        name = f"outGPyramid_L{l}" if l > 0 else "result_ref_gray"
        above = with_above("Ux_" + name, name, ONE, l, above, lambda up: picked[l](i, j) + up)

    result = p.output("laplacian", "uint16", (c, 3), (i, R), (j, C))
    colour = img_colour(c, i + 2, j + 2) / 65535.0 + 0.01
    value = above(i + 2, j + 2) * colour / (img(i + 2, j + 2) + 0.01)
    result.define(value.clamp(0, 1) * 65535)
    return p
