"""The search for the fastest plan, from Python: its result, its news, and how it is broken off."""

import os
import pathlib
import signal
import tempfile
import threading
import time
import unittest

import numpy
import tilewright as tw

import test_calls


class Tune(unittest.TestCase):
    def setUp(self):
        self.pipeline = test_calls.blur()
        self.image = numpy.random.default_rng(5).random((66, 102), "float32")

    def search(self, **options):
        options = {"runs": 1, "cflags": "-O0 -fopenmp", **options}
        return self.pipeline.tune({"img": self.image}, **options)

    def test_result(self):
        news = []
        # No time for more than the plan that the planner chooses.
        tuned = self.search(seconds=0, progress=news.append)
        self.assertEqual(tuned.candidate, "default plan")
        self.assertEqual(tuned.tried[0], 1)
        self.assertGreater(tuned.ms, 0)
        self.assertIn("default plan", str(tuned))
        self.assertEqual([(step.done, step.finals) for step in news], [(1, False), (1, True)])
        self.assertEqual(news[0].best[0], "default plan")
        self.assertIn("1 of ", str(news[0]))
        kernel = self.pipeline.compile(plan=tuned, exact=True, cflags="-O0 -fopenmp")
        numpy.testing.assert_array_equal(kernel(img=self.image), test_calls.blurred(self.image))
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory) / "plan.toml"
            tuned.save_plan(file)
            again = self.pipeline.compile(plan=file, exact=True, cflags="-O0 -fopenmp")
        self.assertEqual(again.c_text, kernel.c_text)

    def test_progress_that_raises(self):
        def stop(news):
            if news.done == 2:
                raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough"):
            self.search(progress=stop)

    def test_interrupt(self):
        def interrupt():
            time.sleep(0.5)
            os.kill(os.getpid(), signal.SIGINT)

        # Where the tests run in the background of a shell, Python leaves interrupts alone.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        thread = threading.Thread(target=interrupt)
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            thread.start()
            self.search(seconds=600)
        thread.join()
        self.assertLess(time.monotonic() - begin, 60)

    def test_mistakes(self):
        def refused(message, arguments, **options):
            with self.assertRaises(tw.PipelineError) as raised:
                self.pipeline.tune(arguments, **options)
            self.assertEqual(str(raised.exception).splitlines()[0], message)

        output = numpy.zeros((64, 100), "float32")
        message = "blury is an output: a search makes memory for it itself"
        refused(message, {"img": self.image, "blury": output})
        refused("there is no argument image; there are blury, img, R, C", {"image": self.image})
        refused("the parameter R has no value", {})
        refused("a search cannot take -1 seconds", {"img": self.image}, seconds=-1)


if __name__ == "__main__":
    unittest.main()
