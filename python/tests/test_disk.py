"""What is on disk: places with odd names, what several processes build at once, and what happens
where nothing can be written or no C compiler is found."""

import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

import numpy
import tilewright as tw

import test_calls

# What each of several processes does.
PROGRAM = """
import numpy, test_calls
img = numpy.random.default_rng(7).random((34, 52), "float32")
kernel = test_calls.blur().compile(exact=True, cflags="-O0 -fopenmp")
numpy.testing.assert_array_equal(kernel(img=img), test_calls.blurred(img))
print(*kernel.warnings)
"""


class Disk(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="mit Leerzeichen und ü ")
        self.addCleanup(directory.cleanup)
        self.place = pathlib.Path(directory.name)
        self.img = numpy.random.default_rng(7).random((34, 52), "float32")

    def environment(self, **variables):
        patched = mock.patch.dict(os.environ, {name: str(v) for name, v in variables.items()})
        patched.start()
        self.addCleanup(patched.stop)

    def compile(self):
        return test_calls.blur().compile(exact=True, cflags="-O0 -fopenmp")

    def check(self, kernel):
        numpy.testing.assert_array_equal(kernel(img=self.img), test_calls.blurred(self.img))

    def cached(self, cache):
        return sorted(file.suffix for file in cache.iterdir())

    def test_odd_names(self):
        cache, temporary = self.place / "cache 日本", self.place / "tmp 'quoted'"
        temporary.mkdir()
        self.environment(TILEWRIGHT_CACHE=cache, TMPDIR=temporary)
        kernel = self.compile()
        self.assertEqual(kernel.warnings, [])
        self.check(kernel)
        self.assertEqual(self.cached(cache), [".so"])
        self.assertEqual(list(temporary.iterdir()), [])
        plan, picture = self.place / "plan ä.toml", self.place / "tiles ö.svg"
        kernel.save_plan(plan)
        kernel.view().save(picture)
        again = test_calls.blur().compile(exact=True, plan=plan, cflags="-O0 -fopenmp")
        self.assertEqual(again.c_text, kernel.c_text)
        self.assertIn("<svg", picture.read_text())
        # What is searched is kept in a file, too.
        log = self.place / "log é.jsonl"
        options = {"runs": 1, "seconds": 0, "cflags": "-O0 -fopenmp", "log": log}
        tuned = test_calls.blur().tune({"img": self.img}, **options)
        self.assertEqual(tuned.candidate, "default plan")
        self.assertGreater(len(log.read_text().splitlines()), 1)

    def test_processes(self):
        """Three processes that find nothing keep one library; whoever comes later takes it."""
        cache = self.place / "cache"
        environment = {**os.environ, "TILEWRIGHT_CACHE": str(cache)}
        folder = pathlib.Path(__file__).parent
        start = lambda: subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        def ended(process):
            said, _ = process.communicate()
            self.assertEqual((process.returncode, said.strip()), (0, ""))

        for process in [start() for _ in range(3)]:
            ended(process)
        kept = self.cached(cache)
        self.assertEqual(set(kept), {".so"})
        ended(start())
        self.assertEqual(self.cached(cache), kept)

    def test_threads(self):
        """The same pipeline compiled and called by several threads."""
        self.environment(TILEWRIGHT_CACHE=self.place / "cache")
        pipeline, found, barrier = test_calls.blur(), [], threading.Barrier(3)

        def work():
            barrier.wait()
            kernel = pipeline.compile(exact=True, cflags="-O0 -fopenmp")
            found.append([kernel(img=self.img) for _ in range(20)])

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 3)
        for result in sum(found, []):
            numpy.testing.assert_array_equal(result, test_calls.blurred(self.img))

    def test_nowhere_to_write(self):
        file = self.place / "file"
        file.write_text("")
        self.environment(TILEWRIGHT_CACHE=file / "cache")
        kernel = self.compile()
        self.check(kernel)
        (warning,) = kernel.warnings
        self.assertIn("nothing is kept for later calls: the cache ", warning)
        self.assertIn("name another directory in TILEWRIGHT_CACHE", warning)
        self.environment(TMPDIR=file / "tmp")
        with self.assertRaisesRegex(tw.PipelineError, "pipeline blur: .* cannot be written|cannot "):
            self.compile()
        for action in (kernel.save_plan, test_calls.blur().save_plan):
            with self.assertRaisesRegex(tw.PipelineError, "the plan cannot be written to .*file/p"):
                action(file / "p.toml")
        with self.assertRaises(OSError):
            kernel.view().save(file / "p.svg")

    def test_no_compiler(self):
        self.environment(TILEWRIGHT_CACHE="none", PATH=self.place)
        with mock.patch.dict(os.environ):
            os.environ.pop("CC", None)
            with self.assertRaises(tw.PipelineError) as raised:
                self.compile()
            message, help = str(raised.exception).splitlines()
            self.assertEqual(
                message,
                "pipeline blur: cannot start the C compiler `cc`: no such file or directory",
            )
            self.assertIn("install gcc or clang", help)
            # What is decided needs none.
            self.assertIn("group 1: right tiles", test_calls.blur().explain())
            self.assertIn("<svg", test_calls.blur().view().svg)


if __name__ == "__main__":
    unittest.main()
