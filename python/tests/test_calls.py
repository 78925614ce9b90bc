"""The package, with what numpy computes to compare with. Run by `python -m unittest`."""

import pathlib
import tempfile
import threading
import timeit
import unittest

import numpy
import tilewright as tw


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


def harris():
    """examples/pipelines/harris.c"""
    p = tw.Pipeline("harris")
    R, C = p.parameters("R", "C")
    i, j = p.variables("i", "j")
    img = p.image("img", "float32", R + 2, C + 2)
    inner = i.within(1, R) & j.within(1, C)
    sums = i.within(2, R - 1) & j.within(2, C - 1)

    def stage(name, where, value, new=p.function):
        f = new(name, "float32", (i, R + 2), (j, C + 2))
        f.define(tw.case(where, value))
        return f

    a, b = 0.0833333333333, 0.166666666667
    Iy = stage("Iy", inner, img.stencil([[-a, 0, a], [-b, 0, b], [-a, 0, a]], i, j))
    Ix = stage(
        "Ix",
        inner,
        img(i - 1, j - 1) * -a + img(i + 1, j - 1) * a + img(i - 1, j) * -b
        + img(i + 1, j) * b + img(i - 1, j + 1) * -a + img(i + 1, j + 1) * a,
    )
    Iyy = stage("Iyy", inner, Iy(i, j) * Iy(i, j))
    Ixy = stage("Ixy", inner, Ix(i, j) * Iy(i, j))
    Ixx = stage("Ixx", inner, Ix(i, j) * Ix(i, j))
    ones = [[1, 1, 1]] * 3
    Syy = stage("Syy", sums, Iyy.stencil(ones, i, j))
    Sxy = stage("Sxy", sums, Ixy.stencil(ones, i, j))
    Sxx = stage("Sxx", sums, Ixx.stencil(ones, i, j))
    trace = stage("trace", sums, Sxx(i, j) + Syy(i, j))
    det = stage("det", sums, Sxx(i, j) * Syy(i, j) - Sxy(i, j) * Sxy(i, j))
    t = trace(i, j)
    stage("harris", sums, det(i, j) - 0.04 * t * t, p.output)
    return p


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

    def refused(self, message, **arguments):
        with self.assertRaises(tw.PipelineError) as raised:
            self.kernel(**arguments)
        self.assertEqual(str(raised.exception).splitlines()[0], message)

    def test_mistakes(self):
        img = self.img
        self.refused(
            "img has cells of float64, not float32: pass img.astype(numpy.float32)",
            img=img.astype("float64"),
        )
        self.refused("img has 2 dimensions, not 1", img=img[0].copy())
        self.refused(
            "img is not contiguous: its rows have to be behind each other, as "
            "numpy.ascontiguousarray makes them",
            img=img.T,
        )
        self.refused("there is no argument picture; there are blury, img, R, C", picture=img)
        self.refused("img has to be a numpy array of float32", img=3)
        self.refused("the parameter R has no value")
        out = numpy.zeros((64, 99), "float32")
        self.refused("blury has to be 64 x 100 (R x C), not 64 x 99", img=img, blury=out)
        out = numpy.zeros((64, 100), "float32")
        out.flags.writeable = False
        self.refused("blury is read-only and cannot be written", img=img, blury=out)
        memory = numpy.zeros(66 * 102 + 10, "float32")
        self.refused(
            "the output blury shares memory with img",
            img=memory[: 66 * 102].reshape(66, 102),
            blury=memory[: 64 * 100].reshape(64, 100),
        )

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

    def test_calls_are_cheap(self):
        img = numpy.ones((4, 4), "float32")
        out = numpy.zeros((2, 2), "float32")
        calls = timeit.repeat(lambda: self.kernel(img=img, blury=out), number=200, repeat=5)
        print(f"a call takes {min(calls) / 200 * 1e6:.1f} µs, with OpenMP's threads")

    def test_what_was_decided(self):
        self.assertIn("group 1: right tiles", self.kernel.explain())
        self.assertTrue(self.kernel.view()._repr_svg_().startswith("<svg"))
        with tempfile.TemporaryDirectory() as directory:
            plan = pathlib.Path(directory) / "blur.toml"
            self.kernel.save_plan(plan)
            again = blur().compile(exact=True, plan=plan)
        self.assertEqual(again.c_text, self.kernel.c_text)


class Building(unittest.TestCase):
    def test_mistakes(self):
        p = tw.Pipeline("edge")
        R = p.parameter("R")
        x = p.variable("x")
        img = p.image("img", numpy.float32, R + 2)
        f = p.output("f", numpy.dtype("float32"), (x, 1, R))
        f.define(img(x - 2))
        with self.assertRaises(tw.PipelineError) as raised:
            p.compile()
        message = "f reads img at x - 2, which is -1 for x = 1; its subscript is from 0 to R + 1"
        self.assertEqual(str(raised.exception), message)
        with self.assertRaisesRegex(TypeError, "join conditions by &"):
            1 <= x <= R
        with self.assertRaisesRegex(tw.PipelineError, "complex64 is no type of cells"):
            p.image("z", numpy.complex64, R)
        with self.assertRaisesRegex(TypeError, "str is no number"):
            x + "1"

    def test_harris_is_near_to_numpy_s(self):
        kernel = harris().compile(exact=True)
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
