#!/usr/bin/env python3
"""Builds Devito's code for a heat equation as a peer of the bench `stencils`.

    python3 -m venv devito && devito/bin/pip install devito
    OMP_NUM_THREADS=2 devito/bin/python benches/devito_peer.py heat-2d heat-2d.so
    cargo bench --bench stencils -- heat-2d --peer heat-2d=$PWD/heat-2d.so:heat_2d:devito

Devito (https://www.devitoproject.org) gets the equation in its own language and generates C with
its default optimisations, with OpenMP. A function with the signature of the example calls it on
the example's array, rims included. Devito keeps two steps in one array: heat-3d, whose two steps
are two arrays, is copied into such an array before and out of it behind, which is timed with it.
Devito factors the sums differently, so that the last bits of results differ.
"""

import os
import re
import subprocess
import sys
import tempfile

os.environ.setdefault("DEVITO_LOGGING", "ERROR")

import numpy as np
from devito import Eq, Grid, Operator, TimeFunction

# Dimensions of space, and the factor of each second difference, as in examples/stencils.
HEAT = {"heat-1d": (1, 0.25), "heat-2d": (2, 0.125), "heat-3d": (3, 0.125)}

# Points of a block in each dimension that Devito blocks: its default before its autotuner runs.
BLOCK = 8


def operator(dimensions, factor):
    """Devito's operator for u += factor * sum of second differences, in double precision."""
    grid = Grid(shape=(64,) * dimensions, dtype=np.float64)
    u = TimeFunction(name="u", grid=grid, time_order=1, space_order=2)
    sum_of = u
    for d in grid.dimensions:
        sum_of = sum_of + factor * (u.subs(d, d - d.spacing) - 2 * u + u.subs(d, d + d.spacing))
    return Operator([Eq(u.forward, sum_of)], opt=("advanced", {"openmp": True}))


def argument(name, block):
    """The value of one of the generated function's parameters."""
    if name == "u_vec":
        return "&u"
    if name == "timers":
        return "&timers"
    if name == "nthreads":
        return "omp_get_max_threads()"
    if name.startswith("time_"):
        return {"time_M": "steps - 1", "time_m": "0"}[name]
    # Generated subscripts are x + HALO: the example's inner points 1 to n - 2.
    if re.fullmatch(r"[xyz]_M", name):
        return "n - 2 - HALO"
    if re.fullmatch(r"[xyz]_m", name):
        return "1 - HALO"
    if re.fullmatch(r"[xyz]\d+_blk\d+_size", name):
        return str(block)
    raise SystemExit(f"error: Devito's function has a parameter `{name}`, which is not known here")


def wrapper(stencil, dimensions, text, block):
    """A function with the example's signature that calls the generated one."""
    found = re.search(r"\bint Kernel\((.*?)\)\s*\{", text, re.S)
    if not found:
        raise SystemExit("error: Devito generated no function `Kernel`")
    names = [part.split()[-1].lstrip("*") for part in found.group(1).split(",")]
    arguments = ", ".join(argument(name, block) for name in names)
    # The point itself is the middle one of those that are read.
    reads = sorted({int(k) for k in re.findall(r"u\[t0\]\[x \+ (\d+)\]", text)})
    if not reads:
        raise SystemExit("error: Devito's function does not read `u[t0][x + …]`")
    halo = reads[len(reads) // 2]
    size = ", ".join(["2"] + ["n"] * dimensions)
    cells = " * ".join(["(size_t)n"] * dimensions)
    function = stencil.replace("-", "_")
    call = f"""
static void run(int steps, int n, double *data)
{{
    int size[] = {{{size}}};
    struct dataobj u = {{0}};
    struct profiler timers = {{0}};
    u.data = data;
    u.size = size;
    /* It makes numbers below the normal ones 0, which others must not inherit. */
    unsigned state = _mm_getcsr();
    Kernel({arguments});
    _mm_setcsr(state);
}}
"""
    if stencil == "heat-3d":
        body = f"""
void {function}(int tsteps, int n, double *A, double *B)
{{
    static double *both;
    static size_t room;
    size_t cells = {cells};
    if (room < 2 * cells) {{
        free(both);
        room = 2 * cells;
        both = aligned_alloc(64, (room * sizeof *both + 63) / 64 * 64);
    }}
    memcpy(both, A, cells * sizeof *both);
    memcpy(both + cells, B, cells * sizeof *both);
    run(2 * tsteps, n, both);
    memcpy(A, both, cells * sizeof *both);
    memcpy(B, both + cells, cells * sizeof *both);
}}
"""
    else:
        body = f"""
void {function}(int tsteps, int n, double *A)
{{
    run(tsteps, n, A);
}}
"""
    head = f"#include <omp.h>\n#include <string.h>\n#define HALO {halo}\n"
    return head + text + call + body


def main():
    """Writes the library."""
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in HEAT:
        raise SystemExit(f"usage: devito_peer.py {'|'.join(HEAT)} LIBRARY.so [BLOCK]")
    stencil, library = sys.argv[1:3]
    block = int(sys.argv[3]) if len(sys.argv) == 4 else BLOCK
    dimensions, factor = HEAT[stencil]
    text = wrapper(stencil, dimensions, str(operator(dimensions, factor).ccode), block)
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "devito.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        flags = os.environ.get("CFLAGS", "-O3 -march=native").split()
        command = [os.environ.get("CC", "cc"), *flags, "-std=gnu11", "-fopenmp", "-shared", "-fPIC"]
        subprocess.run([*command, "-o", library, source, "-lm"], check=True)


if __name__ == "__main__":
    main()
