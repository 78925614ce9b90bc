"""Holes of a picture filled from coarser levels, as examples/pipelines/interpolate.c."""

import tilewright as tw

LEVELS = 9


def pipeline() -> tw.Pipeline:
    p = tw.Pipeline("interpolate")
    R, C = p.parameters("R", "C")
    c, i, j = p.variables("c", "i", "j")
    # The last channel says how much a pixel counts.
    img = p.image("img", "float32", 4, R + 2, C + 2)

    def size(whole, level):
        return whole // 2**level if level > 0 else whole

    def rimmed(name, row_level, column_level, value):
        """A function with a rim of zeros."""
        rows, columns = size(R, row_level), size(C, column_level)
        f = p.function(name, "float32", (c, 4), (i, rows + 2), (j, columns + 2))
        f.define(tw.case(i.within(1, rows) & j.within(1, columns), value), tw.otherwise(0))
        return f

    def half(at):
        return (at(2) + 2 * at(1) + at(0)) * 0.25

    first = p.function("downsampled_L0", "float32", (c, 4), (i, R + 2), (j, C + 2))
    first.define(img(c, i, j) * img(3, i, j))
    down = [first]
    for l in range(1, LEVELS + 1):
        below = down[-1]
        value = half(lambda d: below(c, 2 * i - d, j))
        dx = rimmed(f"Dx_{l}_downsampled", l, l - 1, value)
        value = half(lambda d: dx(c, i, 2 * j - d))
        down.append(rimmed(f"D_{l}_downsampled", l, l, value))

    above = down[LEVELS]
    for l in reversed(range(LEVELS)):
        value = (above(c, (i + 1) // 2, j) + above(c, (i + 2) // 2, j)) / 2
        ux = rimmed(f"Ux_interpolated_L{l}", l, l + 1, value)
        up = (ux(c, i, (j + 1) // 2) + ux(c, i, (j + 2) // 2)) / 2
        value = down[l](c, i, j) + (1 - down[l](3, i, j)) * up
        above = rimmed(f"interpolated_L{l}", l, l, value)

    result = p.output("interpolate", "float32", (c, 3), (i, R), (j, C))
    result.define(above(c, i + 1, j + 1) / above(3, i + 1, j + 1))
    return p
