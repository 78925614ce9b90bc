#!/usr/bin/env python3
"""Builds SciPy's or MKL's product of a sparse matrix and a vector as a peer of the bench `spmv`.

    python3 -m venv sparse && sparse/bin/pip install scipy mkl
    sparse/bin/python benches/spmv_peer.py scipy scipy.so
    sparse/bin/python benches/spmv_peer.py mkl mkl.so
    sparse/bin/python benches/spmv_peer.py mkl-optimised mkl-optimised.so
    cargo bench --bench spmv -- --peer csr=$PWD/scipy.so:spmv_csr:SciPy --peer csr=$PWD/mkl.so:spmv_csr:MKL

The library has a function with the signature of examples/dynamic/spmv-csr.c. SciPy's calls the
function that `A @ x` calls, in a Python interpreter inside the process, and writes to y directly.
MKL's calls `mkl_sparse_d_mv` with a handle that the first call makes; `mkl-optimised` lets MKL
inspect the matrix then (`mkl_sparse_optimize`), which is not timed, as the matrix stays the same.
"""

import os
import subprocess
import sys
import sysconfig
import tempfile

SIGNATURE = """void spmv_csr(int n, int m, int nnz, int shape, int *row, int *col, double *val,
              double *x, double *y)"""

# One row of memory is seen as an array without a copy.
PYTHON = """
import site
site.addsitedir({packages!r})
import ctypes
import numpy
from scipy.sparse._sparsetools import csr_matvec

def seen(address, length, kind):
    return numpy.frombuffer((kind * length).from_address(address), dtype=kind)

known = {{}}

def product(n, m, nnz, row, col, val, x, y):
    key = (n, m, nnz, row, col, val, x, y)
    if key not in known:
        known[key] = (
            seen(row, n + 1, ctypes.c_int), seen(col, nnz, ctypes.c_int),
            seen(val, nnz, ctypes.c_double), seen(x, m, ctypes.c_double),
            seen(y, n, ctypes.c_double))
    arrays = known[key]
    arrays[-1].fill(0.0)
    csr_matvec(n, m, *arrays)
"""

SCIPY = """
#include <Python.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static PyObject *product;

static void start(void)
{{
    /* NumPy's libraries look for Python's functions among all that are loaded. */
    dlopen("{python}", RTLD_NOW | RTLD_GLOBAL);
    Py_InitializeEx(0);
    if (PyRun_SimpleString({text}) == 0)
        product = PyObject_GetAttrString(PyImport_AddModule("__main__"), "product");
    if (!product) {{
        fprintf(stderr, "SciPy cannot be loaded\\n");
        exit(1);
    }}
}}

{signature}
{{
    (void)shape;
    if (!product)
        start();
    PyObject *done = PyObject_CallFunction(product, "iiiKKKKK", n, m, nnz,
        (unsigned long long)row, (unsigned long long)col, (unsigned long long)val,
        (unsigned long long)x, (unsigned long long)y);
    if (!done) {{
        PyErr_Print();
        exit(1);
    }}
    Py_DECREF(done);
}}
"""

# The declarations are those of MKL's interface for sparse matrices, 32-bit integers.
MKL = """
#include <stdio.h>
#include <stdlib.h>

struct matrix_descr {{ int type, mode, diag; }};
enum {{ BASE_ZERO = 0, NOT_TRANSPOSED = 10, GENERAL = 20, LOWER = 40, NON_UNIT = 50 }};
int mkl_sparse_d_create_csr(void **, int, int, int, int *, int *, int *, double *);
int mkl_sparse_set_mv_hint(void *, int, struct matrix_descr, int);
int mkl_sparse_optimize(void *);
int mkl_sparse_d_mv(int, double, void *, struct matrix_descr, const double *, double, double *);

static void must(int status)
{{
    if (status != 0) {{
        fprintf(stderr, "MKL fails with status %d\\n", status);
        exit(1);
    }}
}}

{signature}
{{
    static void *handle;
    static int *known;
    static const struct matrix_descr general = {{ GENERAL, LOWER, NON_UNIT }};
    (void)nnz, (void)shape;
    if (known != row) {{
        must(mkl_sparse_d_create_csr(&handle, BASE_ZERO, n, m, row, row + 1, col, val));
        if ({optimise}) {{
            must(mkl_sparse_set_mv_hint(handle, NOT_TRANSPOSED, general, 1000));
            must(mkl_sparse_optimize(handle));
        }}
        known = row;
    }}
    must(mkl_sparse_d_mv(NOT_TRANSPOSED, 1.0, handle, general, x, 0.0, y));
}}
"""


def quoted(text):
    """A text as a literal of C."""
    lines = text.replace("\\", "\\\\").replace('"', '\\"').split("\n")
    return "\n".join(f'"{line}\\n"' for line in lines)


def scipy():
    """The text of SciPy's peer, and the flags to build it."""
    place = sysconfig.get_config_var("LIBDIR")
    version = sysconfig.get_config_var("LDVERSION")
    library = os.path.join(place, sysconfig.get_config_var("INSTSONAME"))
    if not os.path.exists(library):
        raise SystemExit(f"error: this Python has no shared library {library}")
    python = PYTHON.format(packages=sysconfig.get_path("purelib"))
    text = SCIPY.format(python=library, text=quoted(python), signature=SIGNATURE)
    include = sysconfig.get_path("include")
    return text, [f"-I{include}", f"-L{place}", f"-Wl,-rpath,{place}", f"-lpython{version}", "-ldl"]


def mkl(optimise):
    """The text of MKL's peer, and the flags to build it."""
    place = os.path.join(sys.prefix, "lib")
    found = [name for name in os.listdir(place) if name.startswith("libmkl_rt.so")]
    if not found:
        raise SystemExit(f"error: no libmkl_rt.so in {place}: install the package mkl")
    text = MKL.format(signature=SIGNATURE, optimise=int(optimise))
    return text, [f"-L{place}", f"-Wl,-rpath,{place}", f"-l:{sorted(found)[-1]}"]


def main():
    """Writes the library."""
    peers = {"scipy": scipy, "mkl": lambda: mkl(False), "mkl-optimised": lambda: mkl(True)}
    if len(sys.argv) != 3 or sys.argv[1] not in peers:
        raise SystemExit(f"usage: spmv_peer.py {'|'.join(peers)} LIBRARY.so")
    text, flags = peers[sys.argv[1]]()
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "peer.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        command = [os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-o", sys.argv[2]]
        subprocess.run([*command, source, *flags], check=True)


if __name__ == "__main__":
    main()
