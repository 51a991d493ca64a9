#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Checks that public headers are cheap to include: compiles each one alone and reads what it includes.

Usage: check_headers.py [ROOT]              no header includes a heavy standard header that it may not
       check_headers.py --times [ROOT]      also prints seconds (user time, best of 3 to 15) and preprocessed lines
       check_headers.py --strict [ROOT]     the same, and fails when a header is above its budget
       check_headers.py --targets [ROOT]    parses every header with clang for aarch64, mingw and wasm32, and the C headers
                                           as C99 there and, each alone, with gcc
       check_headers.py --self-test         plants a heavy include and expects it to be found

  headers of math/, juxta.h, c/    0.05 s
  all others                       0.45 s, on a machine that compiles string, span and tl::expected together in 0.37 s;
                                   seconds are scaled by what these take here and now
  interaction.h, detail/           no limit: interactions are compiled once per instruction set anyway
"""
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

BUDGETS = [(re.compile(r"juxta\.h|juxta/c/"), 0.05), (re.compile(r"juxta/math/"), 0.05), (re.compile(r"juxta/"), 0.45)]
NO_LIMIT = re.compile(r"juxta/agents/(detail/|interaction|lanes|see\.h|act\.h)")
HEAVY = {"memory", "vector", "functional", "filesystem", "iostream", "sstream", "fstream", "algorithm", "cmath", "map",
         "unordered_map", "ranges", "regex", "thread", "mutex"}
# Headers that may include a heavy one, and which.
ALLOWED_FILE = pathlib.Path("scripts/heavy_includes.txt")
INCLUDE = re.compile(r"^\s*#\s*include\s*<([^>]+)>", re.M)
TARGETS = ["aarch64-linux-gnu", "x86_64-w64-mingw32", "wasm32-wasi"]


def headers_of(root):
    return sorted(p.relative_to(root / "include").as_posix() for p in (root / "include").rglob("*.h"))


def allowed_in(root):
    """{header: {standard headers}} from lines "juxta/files/mesh.h: vector"."""
    allowed = {}
    path = root / ALLOWED_FILE
    for line in path.read_text().splitlines() if path.exists() else []:
        if line and not line.startswith("#"):
            header, _, names = line.partition(":")
            allowed[header.strip()] = set(names.split())
    return allowed


def heavy_includes(root):
    allowed, offences = allowed_in(root), []
    for header in headers_of(root):
        found = set(INCLUDE.findall((root / "include" / header).read_text())) & HEAVY
        if NO_LIMIT.match(header):
            continue
        for name in sorted(found - allowed.get(header, set())):
            offences.append(f"include/{header}: includes <{name}>, which is slow to compile")
        for name in sorted(allowed.get(header, set()) - found):
            offences.append(f"{ALLOWED_FILE}: {header} no longer includes <{name}>: remove it from the list")
    return offences


def user_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


REFERENCE, REFERENCE_SECONDS = "#include <string>\n#include <span>\n#include <tl/expected.hpp>\n", 0.37


def scaled_seconds(command, reference, budget):
    """Seconds of the machine of the budgets. Machines change their speed from second to second: the reference is
    compiled between any two runs, the fastest of each counts, and a doubtful header gets more runs."""
    best, best_reference = float("inf"), float("inf")
    for runs in range(1, 16):
        best_reference = min(best_reference, user_seconds(reference))
        best = min(best, user_seconds(command))
        seconds = REFERENCE_SECONDS * best / best_reference
        if runs >= 3 and (budget is None or seconds <= budget):
            break
    return seconds


def measure(root, cxx="g++"):
    """[(header, seconds of the machine of the budgets, lines, budget or None)]"""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        alone, common = pathlib.Path(folder) / "alone.cpp", pathlib.Path(folder) / "common.cpp"
        common.write_text(REFERENCE)
        base = [cxx, "-std=c++20", f"-I{root}/include", str(alone)]
        for header in headers_of(root):
            budget = None if NO_LIMIT.match(header) else next(b for pattern, b in BUDGETS if pattern.match(header))
            alone.write_text(f'#include "{header}"\n')
            seconds = scaled_seconds([*base, "-fsyntax-only"], [cxx, "-std=c++20", str(common), "-fsyntax-only"], budget)
            lines = subprocess.run([*base, "-E"], check=True, capture_output=True).stdout.count(b"\n")
            rows.append((header, seconds, lines, budget))
    return rows


def print_times(rows):
    over = []
    print(f"{'seconds':>8} {'lines':>7}  header")
    for header, seconds, lines, budget in sorted(rows, key=lambda row: -row[1]):
        mark = ""
        if budget is not None and seconds > budget:
            mark = f"  above {budget} s"
            over.append(header)
        print(f"{seconds:8.2f} {lines:7}  {header}{mark}")
    print(f"{len(rows)} headers, {len(over)} above their budget")
    return over


# Where Debian's packages (scripts/install_packages cross) put the standard headers of a target.
FOLDERS = {
    "aarch64-linux-gnu": ["/usr/aarch64-linux-gnu/include/c++/12", "/usr/aarch64-linux-gnu/include/c++/12/aarch64-linux-gnu",
                          "/usr/aarch64-linux-gnu/include"],
    "x86_64-w64-mingw32": ["/usr/lib/gcc/x86_64-w64-mingw32/12-posix/include/c++",
                           "/usr/lib/gcc/x86_64-w64-mingw32/12-posix/include/c++/x86_64-w64-mingw32",
                           "/usr/x86_64-w64-mingw32/include"],
    "wasm32-wasi": ["/usr/lib/llvm-19/include/wasm32-wasi/c++/v1",
                    "/usr/include/wasm32-wasi"],
}
OWN_DEPENDENCIES = ("tl", "Random123", "hwy")  # headers that are the same for every target


def errors_of(what, command, text):
    """Offences of one compiler run that reads `text`."""
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    errors = [line for line in done.stderr.splitlines() if " error: " in line or "fatal error" in line]
    if done.returncode != 0 and not errors:
        errors = [f"{command[0]} failed: {done.stderr[:200]}"]
    return [f"{what}: {line}" for line in errors[:20]]


C99 = ["-x", "c", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]


def c_headers_of(root):
    return [header for header in headers_of(root) if re.match(r"juxta\.h|juxta/c/", header)]


def parse_c_with_gcc(root):
    """Each C header alone and twice, so that a missing include or guard shows."""
    if shutil.which("gcc") is None:
        return []
    return [offence for header in c_headers_of(root)
            for offence in errors_of(f"gcc, {header}", ["gcc", *C99, "-", f"-I{root}/include"], f'#include "{header}"\n' * 2 + "extern int unit;\n")]


def parse_for_targets(root):
    """Parses all headers together for each target whose standard headers are here. Returns offences and what was skipped."""
    clang = next((c for c in ("clang++-19", "clang++-16", "clang++-14", "clang++") if shutil.which(c)), None)
    if clang is None:
        return [], list(TARGETS)
    offences, skipped = [], []
    everything = "".join(f'#include "{header}"\n' for header in headers_of(root))
    in_c = "".join(f'#include "{header}"\n' for header in c_headers_of(root)) + "extern int unit;\n"
    built_in = subprocess.run([clang, "-print-resource-dir"], capture_output=True, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as own:
        for name in OWN_DEPENDENCIES:
            if pathlib.Path("/usr/include", name).exists():
                pathlib.Path(own, name).symlink_to(pathlib.Path("/usr/include", name))
        for target in TARGETS:
            if not all(pathlib.Path(folder).is_dir() for folder in FOLDERS[target]):
                skipped.append(target)
                continue
            c_folders = [f"{built_in}/include", FOLDERS[target][-1]]
            common = [clang, f"--target={target}", "-nostdinc", f"-I{root}/include"]
            folders = [*FOLDERS[target][:-1], *c_folders, own]
            offences += errors_of(target, [*common, "-std=c++20", "-fsyntax-only", "-nostdinc++", "-x", "c++", "-",
                                           *(word for folder in folders for word in ("-isystem", folder))], everything)
            for shared in ([], ["-DJUXTA_SHARED"]):
                offences += errors_of(f"{target} in C99", [*common, *shared, *C99, "-", *(word for folder in c_folders for word in ("-isystem", folder))], in_c)
    return offences, skipped


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "include/juxta/layer").mkdir(parents=True)
        (root / "include/juxta/layer/heavy.h").write_text("#include <vector>\n#include <span>\n")
        offences = heavy_includes(root)
        if len(offences) != 1 or "<vector>" not in offences[0]:
            sys.exit(f"self-test: expected one offence, found {offences}")
        (root / "include/juxta/c").mkdir()
        (root / "include/juxta/c/good.h").write_text("typedef struct juxta_a { int b; } juxta_a;\n".join(["#ifndef G\n#define G\n", "#endif\n"]))
        if found := parse_c_with_gcc(root):
            sys.exit(f"self-test: nothing is wrong with a C header, but {found}")
        for text in ("class A;\n", "typedef size_t juxta_size;\n", "typedef struct juxta_a { int b; } juxta_a;\n"):
            (root / "include/juxta/c/good.h").write_text(text)
            if not parse_c_with_gcc(root):
                sys.exit(f"self-test: a C header is not C99 and passes: {text}")
        (root / "include/juxta/c/good.h").unlink()
        rows = measure(root)
        if len(rows) != 1 or rows[0][2] < 1000:
            sys.exit(f"self-test: expected one measured header, found {rows}")
    print("self-test passed")


def main():
    words = [word for word in sys.argv[1:] if word.startswith("--")]
    paths = [word for word in sys.argv[1:] if not word.startswith("--")]
    root = pathlib.Path(paths[0] if paths else pathlib.Path(__file__).parent.parent).resolve()
    if "--self-test" in words:
        return self_test()
    offences = heavy_includes(root)
    if "--targets" in words:
        offences, skipped = parse_for_targets(root)
        offences += parse_c_with_gcc(root)
        for target in skipped:
            print(f"skipped {target}: no clang, or no standard headers for it")
        if len(skipped) == len(TARGETS) and not offences:
            sys.exit(77)  # ctest: skipped
    elif "--times" in words or "--strict" in words:
        over = print_times(measure(root))
        if "--strict" in words:
            offences += [f"include/{header}: above its budget" for header in over]
    print("\n".join(offences))
    print(f"{len(headers_of(root))} headers, {len(offences)} offences")
    sys.exit(1 if offences else 0)


if __name__ == "__main__":
    main()
