# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Configures a project that includes Juxta by FetchContent, and installs it without having built Juxta: its own file
is installed, and nothing of Juxta. With JUXTA_INSTALL=ON the rules are there."""
import argparse
import pathlib
import shutil
import subprocess
import sys

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C CXX)
include(FetchContent)
FetchContent_Declare(juxta SOURCE_DIR "{source}")
FetchContent_MakeAvailable(juxta)
add_library(thing INTERFACE)
target_link_libraries(thing INTERFACE juxta::juxta)
install(FILES CMakeLists.txt DESTINATION share/user)
"""


def run(command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"FAILED ({done.returncode}): {' '.join(map(str, command))}\n{done.stdout}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("source", "work"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    for name in ("cmake", "cxx", "tbb"):
        parser.add_argument(f"--{name}", required=True)
    a = parser.parse_args()

    shutil.rmtree(a.work, ignore_errors=True)
    project, build, prefix = (a.work / name for name in ("project", "build", "prefix"))
    project.mkdir(parents=True)
    (project / "CMakeLists.txt").write_text(PROJECT.format(source=a.source.resolve()))
    configure = [a.cmake, "-S", project, "-B", build, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={a.cxx}",
                 "-DCMAKE_BUILD_TYPE=Release", f"-DJUXTA_TBB={a.tbb}"]
    run(configure)
    run([a.cmake, "--install", build, "--prefix", prefix])
    installed = sorted(str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file())
    if installed != ["share/user/CMakeLists.txt"]:
        sys.exit(f"installed: {installed}")
    rules = [build / "_deps/juxta-build/cmake_install.cmake", *(build / "_deps/juxta-build").glob("juxta-config.cmake")]
    if len(rules) != 1 or "juxta-config" in rules[0].read_text():
        sys.exit("Juxta has install rules, though another project includes it")
    run([*configure, "-DJUXTA_INSTALL=ON"])
    if "juxta-config" not in rules[0].read_text():
        sys.exit("JUXTA_INSTALL=ON adds no install rules")
    print("a project that includes Juxta installs its own files")


if __name__ == "__main__":
    main()
