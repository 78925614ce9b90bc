"""From a pipeline in Halide to a shared library with the C signature of the example.

A pipeline is a module with

    SIZES       values of the scalars, by name: for estimates, checks and times
    SIGNATURE   the C parameters in order, Scalar and Array
    define()    the computation: an object whose `output` is the Func for the one array that is
                written, and whose other attributes the schedule wants. The names of its Params and
                ImageParams are those of the C parameters
    manual(p)   schedules what define() gave
    ADAMS2019   options for that autoscheduler, where the defaults take too long (optional)
    TOLERANCE   the largest difference from the C function that is rounding; 0 for integers
    JUMPS       the share of elements that may differ by more, where a rounding error decides
                between two values that are far apart (optional)

Dimensions are in C's order here, outermost first; Halide has the innermost first.
"""

import dataclasses
import os
import pathlib
import subprocess

import halide as hl

SCHEDULES = ("manual", "mullapudi2016", "adams2019")

# The names that Halide knows its autoschedulers by, their plugins being named in lower case.
AUTOSCHEDULERS = {"mullapudi2016": "Mullapudi2016", "adams2019": "Adams2019"}

TYPES = {
    "float": ("halide_type_float", 32),
    "short": ("halide_type_int", 16),
    "unsigned short": ("halide_type_uint", 16),
    "unsigned char": ("halide_type_uint", 8),
}


@dataclasses.dataclass
class Scalar:
    ctype: str
    name: str


@dataclasses.dataclass
class Array:
    """`region` is the part that Halide is to compute, (first, count) for each dimension, where the
    function leaves the rest as it was."""

    ctype: str
    name: str
    extents: list
    written: bool = False
    region: list = None

    def ranges(self):
        return self.region or [("0", extent) for extent in self.extents]


def value(text, sizes):
    """The value of an extent, which is a sum of scalars and numbers."""
    return int(eval(str(text), {}, dict(sizes)))


def declaration(name, signature):
    """The C function's head."""
    parameters = []
    for one in signature:
        if isinstance(one, Scalar):
            parameters.append(f"{one.ctype} {one.name}")
        else:
            const = "" if one.written else "const "
            parameters.append(f"{const}{one.ctype} *{one.name}")
    return f"void {name}({', '.join(parameters)})"


def wrapper(name, function, signature, passed):
    """C text: the example's function, which makes Halide's buffers and calls Halide's function."""
    lines = [
        "#include <stdlib.h>",
        "#include <HalideRuntime.h>",
        f'#include "{function}.h"',
        "",
        declaration(name, signature),
        "{",
    ]
    for one in signature:
        if isinstance(one, Scalar) or one.name not in passed:
            continue
        stride, dimensions, offset = "1", [], []
        for extent, (first, count) in reversed(list(zip(one.extents, one.ranges()))):
            dimensions.append(f"{{{first}, {count}, {stride}, 0}}")
            offset.append(f"({first}) * (long)({stride})")
            stride = f"({extent}) * {stride}"
        code, bits = TYPES[one.ctype]
        buffer = f"{one.name}_buffer"
        lines += [
            f"    halide_dimension_t {one.name}_shape[] = {{{', '.join(dimensions)}}};",
            f"    halide_buffer_t {buffer} = {{0}};",
            f"    {buffer}.host = (uint8_t *)({one.name} + {' + '.join(offset)});",
            f"    {buffer}.type = (struct halide_type_t){{{code}, {bits}, 1}};",
            f"    {buffer}.dimensions = {len(dimensions)};",
            f"    {buffer}.dim = {one.name}_shape;",
        ]
    kinds = {one.name: one for one in signature}
    values = [n if isinstance(kinds[n], Scalar) else f"&{n}_buffer" for n in passed]
    lines += [
        f"    if ({function}({', '.join(values)}))",
        "        abort();",
        "}",
        "",
    ]
    return "\n".join(lines)


def estimate(pipeline, module):
    """Tells the autoschedulers about sizes."""
    arrays = {one.name: one for one in module.SIGNATURE if isinstance(one, Array)}
    for attribute in vars(pipeline).values():
        if isinstance(attribute, hl.ImageParam):
            ranges = arrays[attribute.name()].ranges()
            for at, (first, count) in enumerate(reversed(ranges)):
                attribute.dim(at).set_estimate(0, value(count, module.SIZES))
        elif isinstance(attribute, hl.Param):
            attribute.set_estimate(module.SIZES[attribute.name()])
    written = next(one for one in arrays.values() if one.written)
    ranges = [
        hl.Range(value(first, module.SIZES), value(count, module.SIZES))
        for first, count in reversed(written.ranges())
    ]
    pipeline.output.set_estimates(ranges)


def build(name, module, schedule, directory, threads, text=False):
    """Builds `halide_NAME_SCHEDULE.so` in a directory and returns its path."""
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    function = f"halide_{name}_{schedule}"
    base = directory / function
    target = hl.get_host_target()
    pipeline = module.define()
    whole = hl.Pipeline(pipeline.output)
    if schedule == "manual":
        module.manual(pipeline)
    else:
        plugins = pathlib.Path(hl.install_dir()) / "lib64"
        hl.load_plugin(str(plugins / f"libautoschedule_{schedule}.so"))
        estimate(pipeline, module)
        options = {"parallelism": str(threads)}
        if schedule == "adams2019":
            options.update(getattr(module, "ADAMS2019", {}))
        parameters = hl.AutoschedulerParams(AUTOSCHEDULERS[schedule], options)
        found = whole.apply_autoscheduler(target, parameters)
        base.with_suffix(".schedule.h").write_text(found.schedule_source)

    # Halide wants the arguments it uses, in any order; the output comes last.
    arguments = whole.infer_arguments()
    passed = [argument.name for argument in arguments]
    passed += [one.name for one in module.SIGNATURE if isinstance(one, Array) and one.written]
    outputs = {
        hl.OutputFileType.object: str(base) + ".o",
        hl.OutputFileType.c_header: str(base) + ".h",
    }
    if text:
        outputs[hl.OutputFileType.conceptual_stmt] = str(base) + ".stmt"
    whole.compile_to(outputs, arguments, function, target)

    (directory / f"{function}.c").write_text(wrapper(name, function, module.SIGNATURE, passed))
    library = base.with_suffix(".so")
    include = os.path.join(hl.install_dir(), "include")
    command = ["cc", "-O2", "-fPIC", "-shared", f"-I{include}", f"-I{directory}"]
    command += [f"{base}.c", f"{base}.o", "-lpthread", "-ldl", "-lm", "-o", str(library)]
    subprocess.run(command, check=True)
    return library
