"""Builds the pipelines in Halide, compares them with the C examples, times them.

    python benches/halide/run.py --help
"""

import argparse
import ctypes
import importlib
import os
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np

sys.dont_write_bytecode = True
import build

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples" / "pipelines"

PIPELINES = [
    "harris",
    "unsharp_mask",
    "camera_pipe",
    "bilateral_grid",
    "interpolate",
    "local_laplacian",
    "pyramid_blending",
]

NUMPY = {
    "float": np.float32,
    "short": np.int16,
    "unsigned short": np.uint16,
    "unsigned char": np.uint8,
}

CTYPES = {"int": ctypes.c_int, "float": ctypes.c_float}


def original(name, examples, directory):
    """The C example, without contraction of products and sums."""
    library = directory / f"original_{name}.so"
    command = ["cc", "-O3", "-march=native", "-ffp-contract=off", "-fopenmp", "-fPIC", "-shared"]
    command += [str(examples / f"{name}.c"), "-lm", "-o", str(library)]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(library))


def data(module, library, name, sizes):
    """Arguments of the C function: arrays filled by its init function or at random."""
    random = np.random.default_rng(1)
    arguments, arrays = [], {}
    for one in module.SIGNATURE:
        if isinstance(one, build.Scalar):
            arguments.append(CTYPES[one.ctype](sizes[one.name]))
            continue
        shape = [build.value(extent, sizes) for extent in one.extents]
        kind = NUMPY[one.ctype]
        if one.written:
            array = np.zeros(shape, kind)
        elif kind == np.float32:
            array = random.random(shape, np.float32)
        else:
            array = random.integers(0, 256, shape).astype(kind)
        arrays[one.name] = array
        arguments.append(array.ctypes.data_as(ctypes.c_void_p))
    if hasattr(library, f"{name}_init"):
        getattr(library, f"{name}_init")(*arguments)
    return arguments, arrays


def compare(module, expected, got):
    """A sentence, and whether no more elements than the module says differ by more than it says."""
    if expected.dtype == np.float32:
        finite = np.isfinite(expected)
        if not np.array_equal(finite, np.isfinite(got)):
            return "other elements are infinite or not a number", False
        expected, got = np.where(finite, expected, 0), np.where(finite, got, 0)
    apart = np.abs(expected.astype(np.float64) - got)
    most, top = apart.max(), np.abs(expected).max()
    beyond = np.count_nonzero(apart > module.TOLERANCE) / apart.size
    text = f"largest difference {most:.3g}, largest value {top:.3g}"
    if expected.dtype == np.float32:
        text += f" ({most / np.spacing(np.float32(top)):.1f} of its ulp)"
    text += f", {beyond:.4%} differ by more than {module.TOLERANCE}"
    return text, beyond <= getattr(module, "JUMPS", 0)


def keep_freed_memory():
    """Lets the process keep what Halide's buffers are freed to, as the peers bench does: page
    faults are not what is timed."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt:
        trim_threshold, mmap_max, arena_max = -1, -4, -8
        mallopt(mmap_max, 0)
        mallopt(trim_threshold, -1)
        mallopt(arena_max, 1)


def call(library, name, arguments):
    begin = time.perf_counter()
    getattr(library, name)(*arguments)
    return (time.perf_counter() - begin) * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pipelines", nargs="*", metavar="PIPELINE", help=", ".join(PIPELINES))
    parser.add_argument("--schedules", default=",".join(build.SCHEDULES), help="default: all")
    parser.add_argument("--out", default="out/halide", help="where libraries go")
    parser.add_argument("--examples", type=pathlib.Path, default=EXAMPLES, help="the C files")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=11, help="0: no times")
    parser.add_argument("--param", "-p", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--no-build", action="store_true", help="libraries are there already")
    parser.add_argument("--no-check", action="store_true")
    parser.add_argument("--text", action="store_true", help="keep the loops that Halide made")
    options = parser.parse_args()

    keep_freed_memory()
    os.environ["HL_NUM_THREADS"] = str(options.threads)
    os.environ["OMP_NUM_THREADS"] = str(options.threads)
    directory = pathlib.Path(options.out).resolve()
    directory.mkdir(parents=True, exist_ok=True)

    peers, failed = [], False
    for name in options.pipelines or PIPELINES:
        if not (HERE / f"{name}.py").exists():
            print(f"{name}: not written yet")
            continue
        module = importlib.import_module(name)
        sizes = dict(module.SIZES)
        for text in options.param:
            key, _, number = text.partition("=")
            if key in sizes:
                sizes[key] = type(sizes[key])(number)
        libraries = {}
        for schedule in options.schedules.split(","):
            path = directory / f"halide_{name}_{schedule}.so"
            if not options.no_build:
                begin = time.perf_counter()
                try:
                    build.build(name, module, schedule, directory, options.threads, options.text)
                except Exception as error:  # an autoscheduler's failure is a finding
                    print(f"{name} {schedule}: not built: {error}")
                    failed = True
                    continue
                print(f"{name} {schedule}: built in {time.perf_counter() - begin:.1f} s", flush=True)
            if path.exists():
                libraries[schedule] = ctypes.CDLL(str(path))
                peers.append(f"--peer {name}={path}:{name}:Halide-{schedule}")
        if not (options.examples / f"{name}.c").exists():
            print(f"{name}: no example to compare with")
            continue
        if options.no_check and options.runs == 0:
            continue
        reference = original(name, options.examples, directory)
        arguments, arrays = data(module, reference, name, sizes)
        written = next(one.name for one in module.SIGNATURE if getattr(one, "written", False))
        before = arrays[written].copy()
        call(reference, name, arguments)
        expected = arrays[written].copy()
        for schedule, library in libraries.items():
            arrays[written][...] = before
            call(library, name, arguments)
            text, fits = compare(module, expected, arrays[written])
            if not options.no_check:
                verdict = "equal up to rounding" if fits else "DIFFERENT"
                print(f"{name} {schedule}: {verdict}: {text}", flush=True)
                failed |= not fits
        times = {schedule: [] for schedule in libraries}
        for run in range(options.runs):
            for schedule, library in libraries.items():
                call(library, name, arguments)
                times[schedule].append(call(library, name, arguments))
        for schedule, all_times in times.items():
            if all_times:
                median, least = statistics.median(all_times), min(all_times)
                print(f"{name} {schedule}: median {median:.2f} ms, minimum {least:.2f} ms", flush=True)
    (directory / "peers.txt").write_text("\n".join(peers) + "\n")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
