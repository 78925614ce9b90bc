"""The new user's path: the README's program, as it stands there, run on a PNG. And the programs
of the book's chapter."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy
from PIL import Image

import c_programs


def programs(file):
    text = (c_programs.ROOT / file).read_text()
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def run(program, place):
    (place / "program.py").write_text(program)
    command = [sys.executable, "program.py"]
    return subprocess.run(command, cwd=place, capture_output=True, text=True)


class Readme(unittest.TestCase):
    def test_book(self):
        first, *others = programs("docs/src/language.md")
        with tempfile.TemporaryDirectory() as directory:
            done = run("\n".join([first, *others]), pathlib.Path(directory))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("\ngroup 1: ", done.stdout)
        self.assertIn("1 of ", done.stdout)
        self.assertIn("default plan: ", done.stdout)

    def test_blur(self):
        (program,) = programs("README.md")
        lines = [line for line in program.splitlines() if line]
        self.assertLess(len(lines), 15)
        # Bright and dark blocks with noise: what blurring changes everywhere.
        noise = numpy.random.default_rng(4).integers(0, 56, (301, 402), "uint8")
        blocks = numpy.kron(numpy.indices((31, 41)).sum(0) % 2, numpy.ones((10, 10)))
        picture = noise + (blocks[:301, :402] * 200).astype("uint8")
        with tempfile.TemporaryDirectory() as directory:
            place = pathlib.Path(directory)
            Image.fromarray(picture).save(place / "photo.png")
            done = run(program, place)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            blurred = numpy.asarray(Image.open(place / "blurred.png")).astype(int)
        self.assertRegex(done.stdout, r"(?m)^group 1: right tiles of \d+ x \d+")
        self.assertRegex(done.stdout, r"(?m)^  blurx: .* cells in a tile")
        big = picture.astype("float64")
        rows = (big[:-2] + big[1:-1] + big[2:]) / 3
        wanted = (rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]) / 3
        self.assertEqual(blurred.shape, wanted.shape)
        # Rounded down from floats: from sums of floats next to a whole number.
        self.assertLess(numpy.abs(blurred - (wanted - 0.5)).max(), 0.5 + 1e-3)
        self.assertGreater(numpy.abs(blurred - big[1:-1, 1:-1]).mean(), 10)


if __name__ == "__main__":
    unittest.main()
