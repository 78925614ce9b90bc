"""The new user's path: the README's program, as it stands there, run on a PNG."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy
from PIL import Image

import c_programs


class Readme(unittest.TestCase):
    def test_blur(self):
        text = (c_programs.ROOT / "README.md").read_text()
        (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        lines = [line for line in program.splitlines() if line]
        self.assertLess(len(lines), 15)
        # Bright and dark blocks with noise: what blurring changes everywhere.
        noise = numpy.random.default_rng(4).integers(0, 56, (301, 402), "uint8")
        blocks = numpy.kron(numpy.indices((31, 41)).sum(0) % 2, numpy.ones((10, 10)))
        picture = noise + (blocks[:301, :402] * 200).astype("uint8")
        with tempfile.TemporaryDirectory() as directory:
            place = pathlib.Path(directory)
            (place / "blur.py").write_text(program)
            Image.fromarray(picture).save(place / "photo.png")
            run = subprocess.run(
                [sys.executable, "blur.py"], cwd=place, capture_output=True, text=True
            )
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            blurred = numpy.asarray(Image.open(place / "blurred.png")).astype(int)
        self.assertRegex(run.stdout, r"(?m)^group 1: right tiles of \d+ x \d+")
        self.assertRegex(run.stdout, r"(?m)^  blurx: .* cells in a tile")
        big = picture.astype("float64")
        rows = (big[:-2] + big[1:-1] + big[2:]) / 3
        wanted = (rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]) / 3
        self.assertEqual(blurred.shape, wanted.shape)
        # Rounded down from floats: from sums of floats next to a whole number.
        self.assertLess(numpy.abs(blurred - (wanted - 0.5)).max(), 0.5 + 1e-3)
        self.assertGreater(numpy.abs(blurred - big[1:-1, 1:-1]).mean(), 10)


if __name__ == "__main__":
    unittest.main()
