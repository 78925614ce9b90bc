"""The package, with what numpy computes to compare with. Run by `python -m unittest`."""

import pathlib
import tempfile
import threading
import unittest
import xml.etree.ElementTree

import numpy
import tilewright as tw

import c_programs
from pipelines import harris


def blur():
    p = tw.Pipeline("blur")
    R, C = p.parameters("R", "C")
    x, y = p.variables("x", "y")
    img = p.image("img", "float32", R + 2, C + 2)
    blurx = p.function("blurx", "float32", (x, R), (y, C + 2))
    blurx.define((img(x, y) + img(x + 1, y) + img(x + 2, y)) / 3)
    blury = p.output("blury", "float32", (x, R), (y, C))
    blury.define((blurx(x, y) + blurx(x, y + 1) + blurx(x, y + 2)) / 3)
    return p


def blurred(img):
    three = numpy.float32(3)
    down = (img[:-2] + img[1:-1] + img[2:]) / three
    return (down[:, :-2] + down[:, 1:-1] + down[:, 2:]) / three


class Blur(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kernel = blur().compile(exact=True)
        cls.img = numpy.random.default_rng(1).random((66, 102), "float32")

    def test_values(self):
        numpy.testing.assert_array_equal(self.kernel(img=self.img), blurred(self.img))

    def test_memory_of_the_caller(self):
        out = numpy.full((64, 100), -1, "float32")
        self.assertIs(self.kernel(img=self.img, blury=out), out)
        numpy.testing.assert_array_equal(out, blurred(self.img))

    def test_others_run_meanwhile(self):
        img = numpy.ones((4002, 4002), "float32")
        ticks, done = [], threading.Event()

        def run():
            for _ in range(5):
                self.kernel(img=img)
            done.set()

        thread = threading.Thread(target=run)
        thread.start()
        while not done.wait(0.001):
            ticks.append(1)
        thread.join()
        # A kernel that kept the interpreter would let the other thread run between calls only.
        self.assertGreater(len(ticks), 10)

    def test_what_was_decided(self):
        self.assertIn("group 1: right tiles", self.kernel.explain())
        with tempfile.TemporaryDirectory() as directory:
            plan = pathlib.Path(directory) / "blur.toml"
            self.kernel.save_plan(plan)
            again = blur().compile(exact=True, plan=plan)
        self.assertEqual(again.c_text, self.kernel.c_text)
        tiled = blur().compile(exact=True, tile_sizes=[8, 24])
        self.assertIn("tiles of 8 x 24", tiled.explain())
        numpy.testing.assert_array_equal(tiled(img=self.img), blurred(self.img))

    def test_picture(self):
        # What a notebook asks an object for.
        for picture in (self.kernel.view(), blur().view()):
            svg = xml.etree.ElementTree.fromstring(picture._repr_svg_())
            self.assertEqual(svg.tag, "{http://www.w3.org/2000/svg}svg")
            words = " ".join(text for text in svg.itertext())
            self.assertIn("blurx", words)
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory) / "tiles.svg"
            picture.save(file)
            self.assertEqual(file.read_text(), picture.svg)

    def test_reference(self):
        reference = blur().reference(exact=True)
        self.assertIn("void blur(", reference.reference_text)
        self.assertEqual(reference.c_text, reference.reference_text)
        numpy.testing.assert_array_equal(reference(img=self.img), blurred(self.img))


class Values(unittest.TestCase):
    def test_harris_is_near_to_numpy_s(self):
        kernel = harris.pipeline().compile(exact=True)
        img = numpy.random.default_rng(2).random((62, 91), "float32")
        out = kernel(img=img)
        ix, iy = (numpy.zeros((62, 91)) for _ in range(2))
        a, b = 1 / 12, 1 / 6
        big = img.astype("float64")
        for d, w in ((-1, a), (0, b), (1, a)):
            iy[1:-1, 1:-1] += w * (big[1 + d : 61 + d, 2:] - big[1 + d : 61 + d, :-2])
            ix[1:-1, 1:-1] += w * (big[2:, 1 + d : 90 + d] - big[:-2, 1 + d : 90 + d])

        def summed(f):
            parts = [f[2 + d : 60 + d, 2 + e : 89 + e] for d in (-1, 0, 1) for e in (-1, 0, 1)]
            return sum(parts)

        sxx, sxy, syy = summed(ix * ix), summed(ix * iy), summed(iy * iy)
        wanted = numpy.zeros((62, 91))
        wanted[2:60, 2:89] = sxx * syy - sxy * sxy - 0.04 * (sxx + syy) ** 2
        numpy.testing.assert_allclose(out, wanted, rtol=1e-4, atol=1e-5)
        self.assertEqual(numpy.count_nonzero(out[:2]), 0)

    def test_histogram(self):
        p = tw.Pipeline("histogram")
        R, C = p.parameters("R", "C")
        x, y, bin = p.variables("x", "y", "bin")
        img = p.image("img", "uint8", R, C)
        counts = p.output("counts", "int32", (bin, 256))
        counts.accumulate(0, [(x, R), (y, C)], tw.add_to(1, img(x, y)))
        img = numpy.random.default_rng(3).integers(0, 256, (40, 50), "uint8")
        wanted = numpy.bincount(img.ravel(), minlength=256)
        numpy.testing.assert_array_equal(p.compile()(img=img), wanted)


if __name__ == "__main__":
    unittest.main()
