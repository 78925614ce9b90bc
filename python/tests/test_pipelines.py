"""The seven pipelines of python/examples: the same bits as C, and the same plans as from C.

Pyramids take a minute to plan without optimisation, so they are compared as written unless
TILEWRIGHT_TEST_ALL is set. Plans are compared with those of the command in TILEWRIGHT_COMMAND."""

import importlib
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy

import c_programs

PYRAMIDS = {"interpolate", "pyramid_blending", "local_laplacian"}
EVERYTHING = "TILEWRIGHT_TEST_ALL" in os.environ
# Builds are for comparing, and quick.
QUICK = "-O1 -fopenmp"


class Pipelines(unittest.TestCase):
    def compare(self, name):
        pipeline = importlib.import_module(f"pipelines.{name}").pipeline()
        scalars = c_programs.ARGUMENTS[name]
        program = c_programs.Program(name, cflags="-O1 -ffp-contract=off")
        arrays = program.arrays(**scalars)
        from_python = {name: array.copy() for name, array in arrays.items()}
        program(**scalars, **arrays)
        planned = name not in PYRAMIDS or EVERYTHING
        compile = pipeline.compile if planned else pipeline.reference
        kernel = compile(exact=True, cflags=QUICK)
        self.assertEqual(kernel.warnings, [])
        kernel(**scalars, **from_python)
        for argument, array in arrays.items():
            numpy.testing.assert_array_equal(
                from_python[argument].view(f"u{array.itemsize}"),
                array.view(f"u{array.itemsize}"),
                err_msg=f"{argument} differs from C",
            )
        if planned:
            self.same_plan(name, kernel)

    def same_plan(self, name, kernel):
        command = os.environ.get("TILEWRIGHT_COMMAND")
        if command is None:
            self.skipTest("the bits are C's; TILEWRIGHT_COMMAND is not set to compare plans")
        with tempfile.TemporaryDirectory() as directory:
            ours, from_c = (pathlib.Path(directory) / file for file in ("ours.toml", "c.toml"))
            kernel.save_plan(ours)
            made = subprocess.run(
                [command, "compile", c_programs.path(name), "-o", from_c, "--emit", "plan"],
                capture_output=True,
                text=True,
            )
            self.assertEqual(made.returncode, 0, made.stderr)
            self.assertEqual(ours.read_text(), from_c.read_text())

    def test_harris(self):
        self.compare("harris")

    def test_unsharp_mask(self):
        self.compare("unsharp_mask")

    def test_bilateral_grid(self):
        self.compare("bilateral_grid")

    def test_camera_pipe(self):
        self.compare("camera_pipe")

    def test_interpolate(self):
        self.compare("interpolate")

    def test_pyramid_blending(self):
        self.compare("pyramid_blending")

    def test_local_laplacian(self):
        self.compare("local_laplacian")


if __name__ == "__main__":
    unittest.main()
