"""The stubs say what the module has: names, and names of arguments. Everything has a docstring."""

import ast
import importlib.resources
import inspect
import unittest

import tilewright


def stubs():
    text = (importlib.resources.files(tilewright) / "__init__.pyi").read_text()
    return [node for node in ast.parse(text).body if hasattr(node, "name")]


def name_of(member):
    if isinstance(member, ast.AnnAssign):
        return member.target.id
    return getattr(member, "name", None)


def arguments(function):
    """Names of a stub's arguments, with their stars."""
    args = function.args
    names = [arg.arg for arg in args.posonlyargs + args.args]
    if args.vararg:
        names.append("*" + args.vararg.arg)
    names += [arg.arg for arg in args.kwonlyargs]
    if args.kwarg:
        names.append("**" + args.kwarg.arg)
    return names


def arguments_of(function):
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    parameters = inspect.signature(function).parameters.values()
    return [stars.get(parameter.kind, "") + parameter.name for parameter in parameters]


# What every class has, or what Python makes of other methods of the class.
GENERAL = {"__doc__", "__new__", "__module__", "__repr__", "__str__", "__hash__", "__weakref__"}


class Stubs(unittest.TestCase):
    def test_names(self):
        self.assertEqual({stub.name for stub in stubs()}, set(tilewright.__all__))

    def test_members(self):
        for stub in stubs():
            if isinstance(stub, ast.ClassDef) and stub.name != "PipelineError":
                there = set(vars(getattr(tilewright, stub.name))) - GENERAL
                listed = {name_of(member) for member in stub.body} - GENERAL - {None}
                # Classes in Rust have `a + b` from both sides or from none.
                there = {m for m in there if m in listed or "__" + m[3:] not in listed}
                self.assertEqual(listed, there, stub.name)

    def test_arguments(self):
        compared = 0
        for stub in stubs():
            there = getattr(tilewright, stub.name)
            members = stub.body if isinstance(stub, ast.ClassDef) else [stub]
            for member in members:
                plain = isinstance(member, ast.FunctionDef) and not member.decorator_list
                if not plain or member.name.startswith("__"):
                    continue
                function = there if member is stub else getattr(there, member.name)
                self.assertEqual(arguments(member), arguments_of(function), member.name)
                compared += 1
        self.assertGreater(compared, 30)

    def test_docstrings(self):
        missing = []
        for name in tilewright.__all__:
            thing = getattr(tilewright, name)
            members = vars(thing).items() if inspect.isclass(thing) else []
            for member, value in [("", thing), *members]:
                if not member.startswith("_") and not inspect.getdoc(value):
                    missing.append(f"{name}.{member}")
        self.assertEqual(missing, [])

    def test_typed(self):
        self.assertTrue((importlib.resources.files(tilewright) / "py.typed").is_file())


if __name__ == "__main__":
    unittest.main()
