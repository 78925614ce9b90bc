"""What the pipelines on pyramids share."""

import halide as hl


def framed(name, variables, value, rows, columns, inner_funcs=None):
    """A Func that is `value` where the first two variables, column and row, are in the ranges
    (first, count), and zero elsewhere. What computes `value` is added to `inner_funcs`, by
    name."""
    inner = hl.Func(name + "_inner")
    inner[tuple(variables)] = value
    if inner_funcs is not None:
        inner_funcs[name] = inner
    ranges = [hl.Range(*columns), hl.Range(*rows)]
    ranges += [hl.Range(hl.Expr(), hl.Expr())] * (len(variables) - 2)
    outer = hl.Func(name)
    outer[tuple(variables)] = hl.BoundaryConditions.constant_exterior(inner, 0.0, ranges)[
        tuple(variables)
    ]
    return outer
