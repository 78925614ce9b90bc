"""One pipeline of python/examples for the bench of entrances:

    cargo bench --bench entrances -- --other "Python=python python/bench/entrance.py"

Started with the pipeline's name and its arguments (`harris R=4256 C=2832`); makes one call for each
line that it reads, and answers each with the call's milliseconds."""

import importlib
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests"))

import c_programs


# As the benches have it: elapsed time, or for one thread on a busy machine the processor's.
CLOCK = (
    time.process_time if os.environ.get("TILEWRIGHT_CLOCK") == "processor" else time.perf_counter
)


def milliseconds(run, arguments):
    """How long one call takes."""
    begin = CLOCK()
    run(**arguments)
    return (CLOCK() - begin) * 1e3


def prepare(name, scalars):
    """A pipeline's kernel, and the data of its C program with these sizes and numbers."""
    kernel = importlib.import_module(f"pipelines.{name}").pipeline().compile()
    return kernel, {**scalars, **c_programs.Program(name).arrays(**scalars)}


def main():
    name, *given = sys.argv[1:]
    pairs = (argument.split("=") for argument in given)
    scalars = {key: float(value) if "." in value else int(value) for key, value in pairs}
    kernel, arguments = prepare(name, {**c_programs.ARGUMENTS[name], **scalars})
    for _ in sys.stdin:
        print(milliseconds(kernel, arguments), flush=True)


if __name__ == "__main__":
    main()
