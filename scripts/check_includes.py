#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Checks that every #include points the way the house is built, and that each module keeps its private names apart.

  core <- math <- order <- layer, ranked, points, grid, transform;  layer <- shape;  grid <- agents;  math <- files;  modules <- cluster
  agents, files <- study <- program
  customers (tool, scenes, examples, ...) see public headers, scenes and their own folder
  each outside component appears only where COMPONENTS says
  a kernel that calls hn::Compress includes core/simd/compress-inl.h
  private names of module M live in juxta::M_detail: two modules may not define one name twice

Usage: check_includes.py [ROOT]            prints every offence as file:line: reason, exit 1 when there are any
       check_includes.py --self-test       plants forbidden includes in a scratch tree and expects each to be found
"""
import pathlib
import re
import sys
import tempfile

BELOW_ORDER = {"core", "math", "order"}
MODULES = {
    "core": {"core"},
    "math": {"core", "math"},
    "order": BELOW_ORDER,
    "layer": BELOW_ORDER | {"layer"},
    "ranked": BELOW_ORDER | {"ranked"},
    "points": BELOW_ORDER | {"points"},
    "agents": BELOW_ORDER | {"grid", "agents"},
    "grid": BELOW_ORDER | {"grid"},
    "transform": BELOW_ORDER | {"transform"},
    "shape": BELOW_ORDER | {"layer", "shape"},
    "files": {"core", "math", "files"},
    "study": BELOW_ORDER | {"grid", "agents", "files", "study"},
}
MODULES["c"] = set(MODULES) - {"files", "study"} | {"c"}
MODULES["cluster"] = set(MODULES) - {"c"} | {"cluster"}
MODULES["view"] = set(MODULES) - {"c", "cluster"} | {"view"}
MODULES["program"] = MODULES["study"] | {"program"}

COMPRESS = '#include "core/simd/compress-inl.h"'

# Folders that are customers of the library, and the other top folders they may include from.
CUSTOMERS = {
    "scenes": set(),
    "models": {"scenes"},
    "sector": {"scenes", "models"},
    "tool": {"scenes", "models", "sector"},
    "viewer": {"scenes", "sector", "models", "tool"},
    "python": {"scenes", "models", "sector"},
    "examples": {"scenes"},
    "classics": set(),
}

# (component, pattern of the include, pattern of the files that may have it). First match counts.
COMPONENTS = [
    ("Highway", r"hwy/", r"(src|models)/.*_kernel\.cpp|src/.*-inl\.h|src/core/simd/.*|classics/.*"),
    ("oneTBB", r"(oneapi/)?tbb/", r"src/core/executor\.cpp"),
    ("Random123", r"Random123/", r"src/core/philox\.h"),
    ("tl::expected", r"tl/expected\.hpp", r".*"),
    ("tinygltf", r"tiny_gltf\.h", r"src/files/.*"),
    ("HDF5", r"hdf5\.h|H5.*", r"src/files/.*"),
    ("CLI11", r"CLI/", r"(tool|viewer|sector|src/program)/.*"),
    ("fmt", r"fmt/", r"(tool|viewer|sector|src/files|src/study|src/program)/.*"),
    ("nlohmann-json", r"nlohmann/", r"(tool|viewer|sector|src/files|src/view|src/program)/.*"),
    ("toml++", r"toml\+\+/", r"(tool|viewer|sector|src/files|src/study)/.*"),
    ("libpng", r"png\.h", r"src/files/.*"),
    ("giflib", r"gif_lib\.h", r"src/files/gif\.cpp"),
    ("Boost.Random", r"boost/random/.*", r"src/study/sobol\.cpp"),
    ("Boost.Beast", r"boost/", r"src/view/beast_.*"),
    ("MPI", r"mpi\.h", r"src/cluster/.*|tool/mpi_.*"),
    ("pybind11", r"pybind11/", r"python/.*"),
    ("SIMD intrinsics (use Highway)", r".*intrin\.h|arm_neon\.h", r"classics/.*"),
    ("an operating-system header", r".*\.h|sys/.*|windows\.h", r"src/core/(os_([a-z_]+\.cpp|(posix|windows)\.h)|simd/cpu_targets\.cpp)|src/program/terminal_windows\.cpp"),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
PRIVATE_NAMESPACE = re.compile(r"^namespace (?:juxta::)?((?:\w+_)?detail)\b[\w:]* {")
TARGET_INCLUDE = re.compile(r'^\s*#\s*define\s+HWY_TARGET_INCLUDE\s+"([^"]+)"')


def owner(path):
    """The folder a file belongs to: ("public"|"private", module) or ("customer", folder); None: not checked."""
    parts = path.parts
    if parts[:2] == ("include", "juxta"):
        return ("public", parts[2] if len(parts) > 3 else "core")
    if parts[0] == "src":
        return ("private", parts[1])
    if parts[0] in CUSTOMERS and parts[:2] != ("python", "bench"):
        return ("customer", parts[0])
    return None  # tests, fuzz and bench may look everywhere


def locate(root, path, name):
    """Where a quoted include stands in this tree, or None. The search order of the compiler's flags."""
    for base in (root / path.parent, root / "include", root / "src", root):
        candidate = (base / name).resolve()
        if candidate.is_file() and candidate.is_relative_to(root):
            return candidate.relative_to(root)
    return None


def own_offence(kind, folder, target):
    """Why a file of (kind, folder) may not include the tree's own file `target`; None when it may."""
    found = owner(target)
    if found is None:
        return f"{target} is for tests and benchmarks alone"
    target_kind, target_folder = found
    if kind == "customer":
        if target_kind == "public" or target_folder == folder or target_folder in CUSTOMERS[folder]:
            return None
        if folder == "tool" and target.parts[:2] == ("src", "program"):
            return None  # the command is made of what programs of modellers are made of
        if folder == "models" and target.as_posix() == "src/core/simd/dispatch.h":
            return None  # a kernel of its own, which must follow force_isa() as the library's do
        return f"{folder} sees public headers only, not {target}"
    if target_kind == "customer":
        return f"the library does not know its customer {target_folder}"
    if kind == "public" and target_kind == "private":
        return f"a public header may not include the private {target}"
    if folder not in MODULES:
        return f"unknown module {folder}: add it to scripts/check_includes.py"
    if target_folder not in MODULES[folder]:
        return f"module {folder} may not include module {target_folder}"
    return None


def outside_offence(kind, path, name):
    """Why `path` may not include the outside header `name`; None when it may."""
    if re.fullmatch(r"[a-z_0-9]+", name):
        return None  # the standard library
    if path.as_posix().startswith("include/juxta/c/") and name in ("stdbool.h", "stddef.h", "stdint.h"):
        return None  # C's own
    for component, pattern, allowed in COMPONENTS:
        if re.fullmatch(pattern + (".*" if pattern.endswith("/") else ""), name):
            if kind == "public" and component != "tl::expected":
                return f"a public header includes std and tl/expected only, not {component}"
            return None if re.fullmatch(allowed, path.as_posix()) else f"{component} <{name}> does not belong here"
    return f"<{name}> is no component of this project"


def check_file(root, path):
    offences = []
    kind, folder = owner(path)
    text = (root / path).read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        reason = None
        if "hn::Compress" in line and COMPRESS not in text:  # Highway 1.0's own is slow in builds by gcc
            reason = f"Compress() without {COMPRESS}"
        elif match := TARGET_INCLUDE.match(line):
            if match[1] != path.as_posix():
                reason = f"HWY_TARGET_INCLUDE names {match[1]}, not this file"
        elif match := PRIVATE_NAMESPACE.match(line):
            if kind != "customer" and match[1] != f"{folder}_detail":
                reason = f"private names of {folder} belong in {folder}_detail, not in {match[1]}"
        elif match := INCLUDE.match(line):
            name = match[1] or match[2]
            target = locate(root, path, name)
            reason = own_offence(kind, folder, target) if target else outside_offence(kind, path, name)
        if reason:
            offences.append(f"{path.as_posix()}:{number}: {reason}")
    return offences


def check_tree(root):
    root = root.resolve()
    offences, checked = [], 0
    for top in ["include", "src", *CUSTOMERS]:
        for file in sorted((root / top).rglob("*")):
            if file.suffix in {".h", ".cpp"} and owner(file.relative_to(root)):
                checked += 1
                offences += check_file(root, file.relative_to(root))
    return offences, checked


# What the self-test plants: file, its text, and a word of the expected reason (None: allowed).
CASES = [
    ("include/juxta/core/a.h", "#include <vector>\n#include <tl/expected.hpp>", None),
    ("include/juxta/ranked/b.h", '#include "juxta/core/a.h"', None),
    ("include/juxta/ranked/c.h", "#include <hwy/highway.h>", "std and tl/expected only"),
    ("include/juxta/ranked/d.h", "#include <unistd.h>", "std and tl/expected only"),
    ("include/juxta/c/e.h", "#include <stddef.h>", None),
    ("include/juxta/c/f.h", "#include <unistd.h>", "std and tl/expected only"),
    ("include/juxta/core/e.h", '#include "juxta/ranked/b.h"', "module core may not include module ranked"),
    ("include/juxta/core/f.h", '#include "core/private.h"', "private"),
    ("src/core/private.h", "#include <cstddef>", None),
    ("src/order/sort.cpp", '#include "core/private.h"', None),
    ("src/layer/l.h", "#include <span>", None),
    ("src/ranked/sibling.cpp", '#include "layer/l.h"', "module ranked may not include module layer"),
    ("src/files/up.cpp", '#include "order/sort.cpp"', "module files may not include module order"),
    ("src/ranked/list_kernel.cpp", '#include "hwy/highway.h"', None),
    ("src/ranked/list.cpp", '  #  include "hwy/highway.h"', "Highway"),
    ("src/ranked/slow_kernel.cpp", '#include "hwy/highway.h"\nhn::Compress(v, m);', "Compress"),
    ("src/ranked/wrong_kernel.cpp", '#define HWY_TARGET_INCLUDE "src/ranked/list_kernel.cpp"', "not this file"),
    ("src/ranked/threads.cpp", "#include <tbb/parallel_for.h>", "oneTBB"),
    ("src/ranked/files.cpp", "#include <sys/mman.h>", "operating-system"),
    ("src/ranked/windows.cpp", "#include <windows.h>", "operating-system"),
    ("src/ranked/avx.cpp", "#include <immintrin.h>", "Highway"),
    ("src/ranked/json.cpp", "#include <nlohmann/json.hpp>", "nlohmann"),
    ("src/ranked/boost.cpp", "#include <boost/geometry.hpp>", "Beast"),
    ("src/core/os_posix.cpp", "#include <sys/mman.h>\n#include <unistd.h>", None),
    ("src/program/terminal_windows.cpp", "#include <windows.h>", None),
    ("scenes/world.h", '#include "juxta/core/a.h"', None),
    ("src/ranked/customer.cpp", '#include "scenes/world.h"', "does not know its customer"),
    ("tool/top.cpp", '#include "scenes/world.h"\n#include <CLI/CLI.hpp>', None),
    ("tool/peek.cpp", '#include "core/private.h"', "public headers only"),
    ("examples/peek.cpp", '#include "src/core/private.h"', "public headers only"),
    ("src/layer/own.h", "namespace juxta::layer_detail {\n}", None),
    ("src/layer/own_kernel.cpp", "namespace juxta::layer_detail::HWY_NAMESPACE {\n}", None),
    ("src/layer/shared.h", "namespace juxta::detail {\n}", "belong in layer_detail"),
    ("include/juxta/order/other.h", "namespace layer_detail {\n}", "belong in order_detail"),
    ("tool/unknown.cpp", "#include <some/library.hpp>", "no component"),
]


def self_test():
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch).resolve()
        for name, text, _ in CASES:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text + "\n")
        offences, _ = check_tree(root)
        for name, _, expected in CASES:
            reasons = [o for o in offences if o.startswith(name + ":")]
            good = not reasons if expected is None else any(expected in reason for reason in reasons)
            if not good:
                failures += 1
                print(f"self-test: {name}: expected {expected!r}, got {reasons}")
    print(f"self-test: {len(CASES)} planted files, {failures} judged wrongly")
    return failures


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).parent.parent
    offences, checked = check_tree(root)
    print("\n".join(offences + [f"{checked} files checked, {len(offences)} offences"]))
    if checked == 0:
        print("nothing to check: is this the root of the tree?")
    return 1 if offences or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
