"""Image pipelines written as stages, grouped, tiled and run fast.

    import numpy, tilewright as tw

    p = tw.Pipeline("blur")
    R, C = p.parameters("R", "C")
    x, y = p.variables("x", "y")
    img = p.image("img", "float32", R + 2, C + 2)
    blurx = p.function("blurx", "float32", (x, R), (y, C + 2))
    blurx.define((img(x, y) + img(x + 1, y) + img(x + 2, y)) / 3)
    blury = p.output("blury", "float32", (x, R), (y, C))
    blury.define((blurx(x, y) + blurx(x, y + 1) + blurx(x, y + 2)) / 3)
    kernel = p.compile()
    blurred = kernel(img=numpy.ones((66, 102), "float32"))

What is wrong with a pipeline or with the arguments of a call is a PipelineError.
"""

from ._tilewright import (
    Case,
    Condition,
    Expr,
    Kernel,
    Picture,
    Pipeline,
    PipelineError,
    Progress,
    Source,
    Tuned,
    Update,
    __version__,
    add_to,
    case,
    ceil,
    cos,
    exp,
    floor,
    lerp,
    log,
    max_to,
    maximum,
    min_to,
    minimum,
    otherwise,
    select,
    sin,
    sqrt,
    tan,
)

__all__ = [name for name in dir() if not name.startswith("_")]
