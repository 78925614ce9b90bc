"""Whatever is wrong with a pipeline or a call is an error that says what, and nothing runs."""

import unittest

import numpy
import tilewright as tw


class Mistakes(unittest.TestCase):
    def refused(self, message, action, error=tw.PipelineError):
        with self.assertRaises(error) as raised:
            action()
        self.assertEqual(str(raised.exception).splitlines()[0], message)

    def setUp(self):
        self.p = tw.Pipeline("p")
        self.R = self.p.parameter("R")
        self.x = self.p.variable("x")
        self.img = self.p.image("img", "float32", self.R)

    def output(self, name="out", count=None):
        return self.p.output(name, "float32", (self.x, self.R if count is None else count))


class Pipelines(Mistakes):
    def test_out_of_bounds(self):
        self.p.output("out", "float32", (self.x, 1, self.R)).define(self.img(self.x - 2))
        self.refused(
            "out reads img at x - 2, which is -1 for x = 1; its subscript is from 0 to R - 1",
            self.p.compile,
        )

    def test_too_few_subscripts(self):
        self.output().define(self.img())
        self.refused("out reads img with 0 subscripts; it has 1 dimensions", self.p.check)

    def test_cycle(self):
        f = self.p.function("f", "float32", (self.x, self.R))
        out = self.output()
        f.define(out(self.x))
        out.define(f(self.x) + self.img(self.x))
        self.refused("functions read each other in a cycle: f reads out reads f", self.p.check)

    def test_unused(self):
        f = self.p.function("f", "float32", (self.x, self.R))
        f.define(self.img(self.x))
        self.output().define(self.img(self.x))
        self.refused("the function f is not used by any output", self.p.check)

    def test_not_defined(self):
        self.output()
        self.refused("out has no definition", self.p.check)

    def test_defined_twice(self):
        out = self.output()
        out.define(self.img(self.x))
        out.define(0)
        self.refused("out is defined twice", self.p.check)

    def test_division_by_zero_in_an_extent(self):
        self.output(count=self.R // 0).define(self.img(0))
        self.refused("division by zero in the domain of out: R / 0 - 1", self.p.compile)

    def test_division_by_a_size_in_an_extent(self):
        self.output(count=100 // self.R).define(self.img(0))
        self.refused(
            "the domain of out divides by R, which is not a positive number: 100 / R - 1",
            self.p.compile,
        )

    def test_other_pipeline(self):
        q = tw.Pipeline("q")
        other = q.image("img", "float32", q.parameter("S"))
        self.output().define(other(self.x))
        self.refused("out reads what belongs to another pipeline", self.p.check)

    def test_values_of_an_image(self):
        self.refused(
            "img is an image: its values are given by calls", lambda: self.img.define(0)
        )

    def test_intervals(self):
        form = (
            "an interval is (variable, lower, upper), both ends included, or (variable, count)"
        )
        for interval in (self.R, (self.R, 3), (self.x,), (self.x, 0, 1, 2), 5):
            action = lambda: self.p.function("f", "float32", interval)
            self.refused(form, action, TypeError)

    def test_truth(self):
        self.refused(
            "an expression has no truth value while the pipeline is built; use "
            "select(condition, a, b)",
            lambda: tw.minimum(1, 2) if self.img(0) else 0,
            TypeError,
        )
        with self.assertRaisesRegex(TypeError, "join conditions by &"):
            1 <= self.x <= self.R

    def test_values(self):
        for value, name in (("1", "str"), (None, "NoneType"), (numpy.ones(3), "ndarray")):
            with self.assertRaisesRegex(TypeError, f"{name} is no number and no expression"):
                self.img(self.x) * value
            with self.assertRaisesRegex(TypeError, f"{name} is no number and no expression"):
                value * self.img(self.x)
        self.refused(
            "True and False are no numbers here", lambda: self.img(self.x) + True, TypeError
        )
        self.refused(
            "a power has no modulus here; use %", lambda: pow(self.x, 2, 3), TypeError
        )
        self.refused(f"{2**70} does not fit into 64 bits", lambda: self.x + 2**70)

    def test_types(self):
        for dtype in (numpy.complex64, "float16", bool):
            with self.assertRaisesRegex(tw.PipelineError, "is no type of cells; there are int8"):
                self.p.image("z", dtype, self.R)
        for dtype in ("uint8", numpy.uint8, numpy.dtype("uint8")):
            self.p.image("z", dtype, self.R)

    def test_options(self):
        self.output().define(self.img(self.x))
        self.refused(
            "a tile cannot have 0 cells in a dimension", lambda: self.p.compile(tile_sizes=[0])
        )
        self.refused("there is no parameter Q", lambda: self.p.compile(sizes={"Q": 3}))
        self.refused(
            "the plan no-such-file cannot be used: no such file or directory",
            lambda: self.p.compile(plan="no-such-file"),
        )
        with self.assertRaisesRegex(tw.PipelineError, "pipeline p: the C compiler .* failed"):
            self.p.compile(cflags="-O0 --no-such-flag")


class Calls(Mistakes):
    @classmethod
    def setUpClass(cls):
        p = tw.Pipeline("p")
        R, C = p.parameters("R", "C")
        x, y = p.variables("x", "y")
        img = p.image("img", "float32", R, C)
        a = p.scalar("a", "float32")
        p.output("sum", "float32", (x, R), (y, C)).define(img(x, y) + a)
        p.output("product", "float32", (x, R), (y, C)).define(img(x, y) * a)
        cls.kernel = p.reference(cflags="-O0 -fopenmp")

    def setUp(self):
        self.image = numpy.arange(12, dtype="float32").reshape(3, 4)

    def call_refused(self, message, **arguments):
        self.refused(message, lambda: self.kernel(**{"img": self.image, "a": 2, **arguments}))

    def test_good(self):
        plus, times = self.kernel(img=self.image, a=2)
        numpy.testing.assert_array_equal(plus, self.image + 2)
        numpy.testing.assert_array_equal(times, self.image * 2)
        # One row or column: whatever numpy says of its stride.
        for part in (self.image[:1], self.image.T[:1].copy().T):
            plus, _ = self.kernel(img=part, a=1)
            numpy.testing.assert_array_equal(plus, part + 1)

    def test_types(self):
        self.call_refused(
            "img has cells of float64, not float32: pass img.astype(numpy.float32)",
            img=self.image.astype("float64"),
        )
        self.call_refused(
            "img has cells of numpy's type >f4, not float32", img=self.image.astype(">f4")
        )
        for other in ([[1.0]], None, "img", 3.0):
            self.call_refused("img has to be a numpy array of float32", img=other)

        class Picture:
            """As Pillow's: a copy of its memory for numpy."""

            __array_interface__ = {"shape": (3, 4), "typestr": "<f4", "data": bytes(48)}

        self.call_refused("img has to be a numpy array: pass numpy.asarray(img)", img=Picture())
        self.call_refused("a has to be a number", a="two")
        self.call_refused("R has to be an integer", R=3.5)
        self.call_refused("R has to be from 1 to 2147483647", R=2**70)
        self.call_refused("R has to be from 1 to 2147483647, not 1099511627776", R=2**40)
        self.call_refused("R has to be from 1 to 2147483647, not -1", R=-1)

    def test_shapes(self):
        self.call_refused("img has 2 dimensions, not 3", img=self.image[None])
        self.call_refused("img has to be 3 x 5 (R x C), not 3 x 4", C=5)
        self.call_refused(
            "sum has to be 3 x 4 (R x C), not 4 x 3", sum=numpy.zeros((4, 3), "float32")
        )
        self.call_refused(
            "img of 0 x 4 would make R 0, which has to be from 1 to 2147483647",
            img=self.image[:0],
        )
        self.call_refused(
            "img of 3 x 0 would make C 0, which has to be from 1 to 2147483647",
            img=self.image[:, :0],
        )
        self.call_refused("img has 2 dimensions, not 0", img=numpy.float32(3))
        self.call_refused(
            "sum has to be 3 x 4 (R x C), not 0 x 4", sum=numpy.zeros((0, 4), "float32")
        )
        everywhere = numpy.broadcast_to(numpy.float32(1), (3, 4))
        rows = "its rows have to be behind each other, as numpy.ascontiguousarray makes them"
        self.call_refused(f"img is not contiguous: {rows}", img=everywhere)

    def test_memory(self):
        rows = "its rows have to be behind each other, as numpy.ascontiguousarray makes them"
        for part in (self.image[::2], self.image[:, ::2], self.image.T, self.image[::-1]):
            self.call_refused(f"img is not contiguous: {rows}", img=part)
        out = numpy.zeros((4, 3), "float32").T
        rows = rows.replace("ascontiguousarray", "zeros")
        self.call_refused(f"sum is not contiguous: {rows}", sum=out)
        out = numpy.zeros((3, 4), "float32", order="F")
        self.call_refused(f"sum is not contiguous: {rows}", sum=out)
        out = numpy.zeros((3, 4), "float32")
        out.flags.writeable = False
        self.call_refused("sum is read-only and cannot be written", sum=out)
        shifted = numpy.zeros(49, "uint8")[1:].view("float32").reshape(3, 4)
        self.call_refused("img is not aligned: pass a copy", img=shifted)
        self.image.flags.writeable = False
        self.kernel(img=self.image, a=2)

    def test_overlap(self):
        out = numpy.zeros((3, 4), "float32")
        self.call_refused("the output sum shares memory with product", sum=out, product=out)
        self.call_refused("the output sum shares memory with img", sum=self.image)
        memory = numpy.zeros(20, "float32")
        first, second = memory[:12].reshape(3, 4), memory[8:].reshape(3, 4)
        self.call_refused("the output product shares memory with img", img=first, product=second)

    def test_names(self):
        self.call_refused(
            "there is no argument picture; there are sum, product, img, R, C, a",
            picture=self.image,
        )
        self.refused("the parameter a has no value", lambda: self.kernel(img=self.image))
        self.refused("the parameter R has no value", lambda: self.kernel(a=1))
        self.refused("img is not given", lambda: self.kernel(a=1, R=3, C=4))
        with self.assertRaises(TypeError):
            self.kernel(self.image)


if __name__ == "__main__":
    unittest.main()
