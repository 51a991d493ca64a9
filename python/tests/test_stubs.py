# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""The type stub says what the compiled module has: every name, every parameter, every default. Docstrings too."""

import ast
import inspect
import pathlib
import re
import subprocess
import sys
import textwrap

import pytest

import juxta
from juxta import _core

SPECIAL = {"__init__", "__len__", "__getitem__", "__setitem__"}
PACKAGE = pathlib.Path(__file__).parents[1] / "juxta"
STUB = ast.parse((PACKAGE / "_core.pyi").read_text())


def split(text):
    """The parts of "a: int, b: Tuple[int, int] = (1, 2)" between its outer commas."""
    parts, depth, part = [], 0, ""
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += letter
    return [part for part in [*parts, part.strip()] if part]


def compiled_signature(function):
    """[(name, keyword only, default)] from the first line of the docstring that pybind11 writes."""
    line = (function.__doc__ or "").splitlines()[0]
    found = re.fullmatch(r"\w+\((.*)\) -> .*", line)
    assert found, line
    keyword_only, parameters = False, []
    for part in split(found[1]):
        if part.startswith("*"):  # "*": the rest by keyword only; "**kwargs": columns by name
            keyword_only = True
            continue
        name, _, rest = part.partition(":")
        default = rest.partition("=")[2].strip() or None
        parameters.append((name.strip(), keyword_only, default))
    return parameters


def stub_signature(node):
    arguments = node.args
    plain = [(a.arg, False) for a in arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + arguments.defaults
    plain += [(a.arg, True) for a in arguments.kwonlyargs]
    defaults += arguments.kw_defaults
    return [(name, only, ast.unparse(d) if d is not None else None) for (name, only), d in zip(plain, defaults)]


def same_default(stub, compiled):
    if stub is None or compiled is None:
        return stub is compiled
    return stub == "..." or ast.literal_eval(stub) == ast.literal_eval(compiled)


def stub_functions():
    for node in STUB.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node, getattr(_core, node.name)
        elif isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    yield f"{node.name}.{member.name}", member, inspect.getattr_static(
                        getattr(_core, node.name), member.name
                    )


def stub_setters():
    """Class.name.setter of the properties that can be written."""
    for node in STUB.body:
        for member in node.body if isinstance(node, ast.ClassDef) else ():
            yield from (f"{node.name}.{ast.unparse(d)}" for d in member.decorator_list if ast.unparse(d).endswith(".setter"))


def compiled_names():
    names = set()
    for name, value in vars(_core).items():
        if name.startswith("__") and name != "__version__":
            continue
        names.add(name)
        if inspect.isclass(value):
            # "__init__" of classes that cannot be called is object's own.
            names |= {f"{name}.{m}" for m in vars(value) if not m.startswith("_") or m in SPECIAL}
    return names


def stub_names():
    names = {node.target.id for node in STUB.body if isinstance(node, ast.AnnAssign)}
    names |= {node.name for node in STUB.body if isinstance(node, ast.ClassDef)}
    return names | {name for name, _, _ in stub_functions()}


def test_every_name_is_in_the_stub():
    assert compiled_names() - stub_names() <= {"Population.__init__", "RankedSnapshot.__init__",
                                                  "Region.__init__", "Rule.__init__", "Shape.__init__"}
    assert stub_names() - compiled_names() == set()


def test_every_public_name_is_in_the_package():
    assert set(juxta.__all__) >= {n for n in stub_names() if "." not in n and n != "__version__"}
    source = ast.parse((PACKAGE / "__init__.py").read_text())
    imported = {a.asname or a.name for node in source.body if isinstance(node, ast.ImportFrom) for a in node.names}
    assert set(juxta.__all__) <= imported


@pytest.mark.parametrize("name,node,member", list(stub_functions()), ids=lambda v: v if isinstance(v, str) else "")
def test_signatures_match(name, node, member):
    if isinstance(member, property):
        assert [ast.unparse(d) for d in node.decorator_list] in (["property"], [f"{node.name}.setter"]) and member.__doc__
        assert (member.fset is not None) == any(f"{name}.setter" == setter for setter in stub_setters())
        return
    static = isinstance(member, staticmethod)
    assert static == any(ast.unparse(d) == "staticmethod" for d in node.decorator_list)
    compiled = compiled_signature(member.__func__ if static else member)
    stub = stub_signature(node)
    assert [(n, only) for n, only, _ in stub] == [(n, only) for n, only, _ in compiled]
    for (parameter, _, in_stub), (_, _, in_module) in zip(stub, compiled):
        assert same_default(in_stub, in_module), parameter


@pytest.mark.parametrize("name,node,member", list(stub_functions()), ids=lambda v: v if isinstance(v, str) else "")
def test_docstrings_name_every_parameter(name, node, member):
    if name.endswith("__len__"):
        return
    text = member.__func__.__doc__ if isinstance(member, staticmethod) else member.__doc__
    if isinstance(member, property):
        assert re.match(r"(int|bool|str|bytes|list of|tuple of|dict of|\(.*\) array)", text), text
        return
    described = text.split("\n", 1)[1]
    if "Parameters are those of the class" in described:
        return
    for parameter, _, _ in stub_signature(node):
        if parameter != "self":
            assert re.search(rf"^(\w+, )*{parameter}(, \w+)* : ", described, re.M), parameter
    if not ast.unparse(node.returns) == "None":
        assert "Returns\n-------" in described


def test_python_files_are_typed():
    mypy = subprocess.run([sys.executable, "-m", "mypy", "--version"], capture_output=True)
    if mypy.returncode != 0:
        pytest.skip("mypy is not installed (scripts/install_packages python)")
    use = textwrap.dedent(
        """
        import numpy as np
        import juxta

        layer = juxta.Layer(np.zeros((1, 2, 3)), threads=0, progress=True)
        a, b = layer.find_pairs(dtype="uint32")
        hit = layer.raycast((0, 0, 0), (1, 0, 0))
        print(hit.body, hit.t, layer.stats().bodies + 1)
        bodies = juxta.Bodies([juxta.Shape.sphere(1)], at=juxta.transforms([0, 0, 0]))
        print(bodies.nearest(juxta.Shape.box([1, 1, 1])).distance, juxta.Error("x").index)
        run = juxta.models.run("schelling", set={"radius": 2}, agents_every=5, progress=True)
        print(run.agents[5]["agents"]["x"] + 1, run.table["step"], run.step + 1, run.draw(100).shape)
        print(juxta.models.sweep("schelling", {"radius": [1, 2]}, seeds=3).means()["radius"])
        print(juxta.sector.run("skirmish", ticks=5).advance(3, threads=2).ships[8]["x"])
        with juxta.view.Server(port=0) as server:
            server.start({"points": {"x": [1.0], "y": [2.0]}}, step=lambda: None)
            print(server.client.select([0, 0], [1, 1])["points"]["x"], server.client.entity("points", 0).row["id"])
        print(juxta.view.connect("http://127.0.0.1:8080/").history()["step"])
        """
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--cache-dir=/dev/null"]
    found = subprocess.run(
        [*command, "-c", use],
        capture_output=True, text=True, cwd=PACKAGE.parent,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout
    wrong = subprocess.run(
        [*command, "-c", "import juxta\njuxta.Layer([]).find_pairs(sorted='no', colour=1)"],
        capture_output=True, text=True, cwd=PACKAGE.parent,
    )  # fmt: skip
    assert wrong.returncode == 1 and "colour" in wrong.stdout


@pytest.mark.parametrize("name,reason", [("_study", "built without models"), ("_view", "built without the viewer")])
def test_the_stubs_of_the_other_extensions(name, reason):
    """juxta._study and juxta._view, which modules of Python call, have the names and arguments of their stubs."""
    module = pytest.importorskip(f"juxta.{name}", reason=reason)
    stub = {}
    for node in ast.parse((PACKAGE / f"{name}.pyi").read_text()).body:
        members = [(f"{node.name}.", m) for m in node.body] if isinstance(node, ast.ClassDef) else [("", node)]
        stub.update({f"{prefix}{m.name}": m for prefix, m in members if isinstance(m, ast.FunctionDef)})
    compiled = {}
    for key, value in vars(module).items():
        if inspect.isclass(value):
            compiled.update({f"{key}.{m}": f for m, f in vars(value).items() if not m.startswith("_") or m == "__init__"})
        elif not key.startswith("__"):
            compiled[key] = value
    assert stub.keys() == compiled.keys()
    for key, function in compiled.items():
        function = function.__func__ if isinstance(function, staticmethod) else function
        plain = [parameter for parameter, _, _ in compiled_signature(function)]
        assert [parameter for parameter, _, _ in stub_signature(stub[key])] == plain, key
