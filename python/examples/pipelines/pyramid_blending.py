"""Two pictures blended level by level, as examples/pipelines/pyramid_blending.c."""

import tilewright as tw

# Of each level, the first pixel with a value and how far the last one is from the end.
EDGES = [(31, 30), (15, 14), (7, 6), (3, 2)]


def pipeline() -> tw.Pipeline:
    p = tw.Pipeline("pyramid_blending")
    R, C = p.parameters("R", "C")
    c, i, j = p.variables("c", "i", "j")
    img1, img2 = (p.image(name, "float32", 3, R, C) for name in ("img1", "img2"))
    mask = p.image("mask", "float32", R, C)
    odd, even = j % 2 == 1, j % 2 == 0

    # Pictures have subscripts (c, i, j), the mask (i, j).
    COLOURS, GRAY = (c,), ()

    def size(whole, level):
        return whole // 2**level if level > 0 else whole

    def function(name, channel, row_level, column_level, row_edges, column_edges, *parts):
        """Values on a level, between its edges; `parts` are values, and where they are."""
        rows, columns = size(R, row_level), size(C, column_level)
        (top, bottom), (left, right) = row_edges, column_edges
        inside = i.within(top, rows - bottom) & j.within(left, columns - right)
        cases = [tw.case(inside & where[0] if where else inside, value) for value, *where in parts]
        f = p.function(name, "float32", *[(c, 3) for _ in channel], (i, rows), (j, columns))
        f.define(*cases)
        return f

    def smooth(at):
        return (at(-2) + 4 * at(-1) + 6 * at(0) + 4 * at(1) + at(2)) * 0.0625

    def down(name, channel, l, below):
        """Level `l` of a Gaussian pyramid, from the level below."""
        edges, before = (l, 2), (max(l - 1, 0), 2)
        value = smooth(lambda d: below(*channel, 2 * i + d, j))
        dx = function(f"Dx_{l}_{name}", channel, l, l - 1, edges, before, [value])
        value = smooth(lambda d: dx(*channel, i, 2 * j + d))
        return function(f"Dy_{l}_{name}", channel, l, l, edges, edges, [value])

    def between(at, x):
        """What is up at odd and at even places, from half as many."""
        at_odd = (4 * at((x - 1) / 2) + 4 * at((x + 1) / 2)) * 0.125
        at_even = (at(x / 2 - 1) + 6 * at(x / 2) + at(x / 2 + 1)) * 0.125
        return at_odd, at_even

    def up_rows(name, l, above):
        """The level above `l` at twice as many rows."""
        at_odd, at_even = between(lambda row: above(c, row, j), i)
        parts = [at_even, i % 2 == 0], [at_odd, i % 2 == 1]
        return function(name, COLOURS, l, l + 1, EDGES[l], EDGES[l + 1], *parts)

    def up_columns(rows, combine):
        """`combine` of what is up by rows and now by columns: at odd and at even ones."""
        at_odd, at_even = between(lambda column: rows(c, i, column), j)
        return [combine(at_odd), odd], [combine(at_even), even]

    pyramids = {"img1": [img1], "img2": [img2], "mask": [mask]}
    for l in (1, 2, 3):
        for name, levels in pyramids.items():
            levels.append(down(name, GRAY if name == "mask" else COLOURS, l, levels[-1]))

    def blended(l, first, second):
        """Two pictures on level `l`, mixed as the mask says."""
        weight = pyramids["mask"][l](i, j)
        value = first(c, i, j) * weight + second(c, i, j) * (1 - weight)
        return function(f"Res_{l}", COLOURS, l, l, EDGES[l], EDGES[l], [value])

    # Of both pictures, what a level has beyond the one above it, blended.
    blend = {3: blended(3, pyramids["img1"][3], pyramids["img2"][3])}
    for l in (2, 1, 0):
        beyond = []
        for name in ("img1", "img2"):
            own, above = pyramids[name][l], pyramids[name][l + 1]
            rows = up_rows(f"Ux_{l}_{name}", l, above)
            parts = up_columns(rows, lambda up: own(c, i, j) - up)
            beyond.append(function(f"Uy_{l}_{name}", COLOURS, l, l, EDGES[l], EDGES[l], *parts))
        blend[l] = blended(l, *beyond)

    above = blend[3]
    for l in (2, 1):
        rows = up_rows(f"Col_{l}_x", l, above)
        parts = up_columns(rows, lambda up: blend[l](c, i, j) + up)
        above = function(f"Col_{l}", COLOURS, l, l, EDGES[l], EDGES[l], *parts)
    rows = up_rows("blend_x", 0, above)
    parts = up_columns(rows, lambda up: blend[0](c, i, j) + up)
    result = p.output("blend", "float32", (c, 3), (i, 31, R - 30), (j, 31, C - 30))
    result.define(*(tw.case(where, value) for value, where in parts))
    return p
