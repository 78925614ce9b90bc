"""What calling from Python costs: a call of a tiny kernel beside a loop of calls in C, and the
seven pipelines beside what the command makes of the same pipelines in C.

    python python/bench/overhead.py target/release/tilewright [--threads 2] [--calls 15] [NAME…]

Times are of calls by turns, on the same data, medians and minima."""

import argparse
import ctypes
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import timeit

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests"))

import c_programs
import entrance
import test_calls

CFLAGS = "-O3 -march=native -fopenmp"
# As on the book's page of the seven pipelines.
SIZES = {
    "harris": {"R": 4256, "C": 2832},
    "unsharp_mask": {"R": 4256, "C": 2832},
    "bilateral_grid": {"R": 2616, "C": 1592},
    "camera_pipe": {"R": 1968, "C": 2592},
    "interpolate": {"R": 2560, "C": 1536},
    "pyramid_blending": {"R": 2108, "C": 2108},
    "local_laplacian": {"R": 2560, "C": 1536},
}
LOOP = """
#include <time.h>
double loop(long calls, int R, int C, void *out, void *in)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (long call = 0; call < calls; call++)
        blur(R, C, out, in);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) * 1e-9) / calls;
}
"""


def set_threads(count):
    ctypes.CDLL("libgomp.so.1").omp_set_num_threads(count)


def overhead(calls=300, turns=60):
    """Seconds of a call of blur on 4 x 4 pixels: from Python, and in C."""
    kernel = test_calls.blur().compile()
    img, out = numpy.ones((4, 4), "float32"), numpy.zeros((2, 2), "float32")
    with tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory) / "blur.c"
        file.write_text(kernel.c_text + LOOP)
        loop = c_programs.Program("blur", file, CFLAGS).library.loop
    loop.restype = ctypes.c_double
    addresses = [ctypes.c_void_p(array.ctypes.data) for array in (out, img)]
    pairs = []
    for _ in range(turns):
        python = timeit.timeit(lambda: kernel(img=img, blury=out), number=calls) / calls
        pairs.append((python, loop(ctypes.c_long(calls), 2, 2, *addresses)))
    return [min(column) for column in zip(*pairs)]


def both(name, command, calls):
    """Milliseconds of calls from Python and of the same kernel from C."""
    kernel, arguments = entrance.prepare(name, {**c_programs.ARGUMENTS[name], **SIZES[name]})
    with tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory) / f"{name}.c"
        subprocess.run([command, "compile", c_programs.path(name), "-o", file], check=True)
        program = c_programs.Program(name, file, CFLAGS)
    times = [], []
    for _ in range(calls + 1):
        for column, run in zip(times, (kernel, program)):
            column.append(entrance.milliseconds(run, arguments))
    # The first calls find memory that nobody touched.
    return [column[1:] for column in times]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("command", help="the command tilewright")
    parser.add_argument("names", nargs="*", metavar="NAME", help="pipelines; default: all")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--calls", type=int, default=15)
    options = parser.parse_intermixed_args()
    set_threads(1)
    python, c = overhead()
    print(f"one call, blur of 4 x 4 pixels on one thread: {python * 1e6:.1f} µs from Python, "
          f"{c * 1e6:.2f} µs in C, {(python - c) * 1e6:.1f} µs more")
    set_threads(options.threads)
    threads = "one thread" if options.threads == 1 else f"{options.threads} threads"
    print(f"\n| pipeline, {threads} | Python, ms | C, ms | Python / C |\n|---|---|---|---|")
    for name in options.names or SIZES:
        columns = both(name, options.command, options.calls)
        medians = [statistics.median(column) for column in columns]
        minima = [min(column) for column in columns]
        print(f"| {name} | {medians[0]:.2f} ({minima[0]:.2f}) | {medians[1]:.2f} "
              f"({minima[1]:.2f}) | {medians[0] / medians[1]:.2f} ({minima[0] / minima[1]:.2f}) |",
              flush=True)


if __name__ == "__main__":
    main()
