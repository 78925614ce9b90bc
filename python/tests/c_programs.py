"""The C files of examples/pipelines, built by the system's C compiler and called by ctypes. Whoever
imports this can also import `pipelines`, the same in Python."""

import ctypes
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python" / "examples"))
TYPES = {
    "float": numpy.float32,
    "short": numpy.int16,
    "unsigned char": numpy.uint8,
    "unsigned short": numpy.uint16,
}
# What the examples' functions are called with: sizes that no size of tiles divides.
ARGUMENTS = {
    "harris": {"R": 93, "C": 141},
    "unsharp_mask": {"R": 77, "C": 101, "threshold": 0.01, "weight": 3.0},
    "bilateral_grid": {"R": 117, "C": 149},
    "camera_pipe": {"R": 77, "C": 91, "colour_temp": 3700.0, "contrast": 50.0, "gamma": 2.0},
    "interpolate": {"R": 77, "C": 83},
    "pyramid_blending": {"R": 107, "C": 101},
    "local_laplacian": {"R": 70, "C": 75, "alpha": 0.2, "beta": 0.7},
}


def path(name):
    return ROOT / "examples" / "pipelines" / f"{name}.c"


class Program:
    """One function of a C file, and its `_init`, where there is one."""

    def __init__(self, name, file=None, cflags="-O1"):
        self.name = name
        source = pathlib.Path(file or path(name))
        text = source.read_text()
        head = re.search(rf"^void {name}\(([^)]*)\)", text, re.MULTILINE).group(1)
        # Names with their C types; arrays also with the extents between brackets.
        self.arguments = []
        for argument in head.split(","):
            ctype, name, extents = re.fullmatch(
                r"(?:const )?(unsigned \w+|\w+) (\w+)((?:\[[^]]*\])*)", " ".join(argument.split())
            ).groups()
            extents = re.findall(r"\[(?:restrict )?([^]]*)\]", extents)
            self.arguments.append((ctype, name, [e.replace("/", "//") for e in extents]))
        with tempfile.TemporaryDirectory() as directory:
            built = pathlib.Path(directory) / "program.so"
            command = [os.environ.get("CC", "cc"), *cflags.split(), "-fopenmp", "-shared", "-fPIC"]
            subprocess.run([*command, "-o", built, source, "-lm"], check=True)
            self.library = ctypes.CDLL(str(built))

    def arrays(self, **scalars):
        """Arrays for all array arguments: fractions between 0 and 1 as bits of whatever type,
        or what `_init` makes of them."""
        made = {}
        for ctype, name, extents in self.arguments:
            if extents:
                shape = [eval(extent, {}, scalars) for extent in extents]
                dtype = numpy.dtype(TYPES[ctype])
                cells = numpy.prod(shape, dtype=int)
                noise = (numpy.arange(cells) * 7919 + 13) % 1009
                if dtype.kind == "f":
                    made[name] = (noise / dtype.type(1009)).astype(dtype).reshape(shape)
                else:
                    made[name] = (noise % 200).astype(dtype).reshape(shape)
        init = getattr(self.library, f"{self.name}_init", None)
        if init is not None:
            self._call(init, {**scalars, **made})
        return made

    def __call__(self, **arguments):
        self._call(getattr(self.library, self.name), arguments)

    def _call(self, function, arguments):
        passed = []
        for ctype, name, extents in self.arguments:
            value = arguments[name]
            if extents:
                passed.append(ctypes.c_void_p(value.ctypes.data))
            else:
                passed.append({"int": ctypes.c_int, "float": ctypes.c_float}[ctype](value))
        function.restype = None
        function(*passed)
