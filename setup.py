# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Builds the compiled part of the Python module with CMake. What the package is stands in pyproject.toml."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


def version():
    header = (ROOT / "include/juxta/version.h").read_text(encoding="utf-8")
    return re.search(r'JUXTA_VERSION_STRING "([^"]+)"', header)[1]


class CMakeBuild(build_ext):
    """Configures and builds the target juxta_python alone, in a build tree below setuptools' own."""

    def build_extension(self, extension):
        place = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve().parent
        tree = pathlib.Path(self.build_temp).resolve() / "cmake"
        tree.mkdir(parents=True, exist_ok=True)
        options = [
            "-DCMAKE_BUILD_TYPE=Release",
            f"-DPython_EXECUTABLE={sys.executable}",
            f"-DJUXTA_PYTHON_OUTPUT={place}",
            "-DJUXTA_BUILD_PYTHON=ON",
            # juxta.models and juxta.sector need HDF5, PNG and more: a build without them has the rest, and says so.
            "-DJUXTA_OPTIONAL_STUDY=ON",
            "-DJUXTA_WERROR=OFF",
            "-DJUXTA_INSTALL=OFF",
            "-DBUILD_SHARED_LIBS=OFF",
            # From nothing, a build takes a third less time like this; ccache does not keep it.
            f"-DJUXTA_PRECOMPILE={'OFF' if shutil.which('ccache') else 'ON'}",
        ]
        options += [f"-DJUXTA_BUILD_{part}=OFF" for part in ("TESTS", "EXAMPLES", "TOOL", "CONTEST")]
        if "CMAKE_GENERATOR" not in os.environ and shutil.which("ninja"):
            options.append("-GNinja")
        options += shlex.split(os.environ.get("CMAKE_ARGS", ""))
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(self.parallel or os.cpu_count() or 1)
        subprocess.run(["cmake", "-S", ROOT, "-B", tree, *options], check=True)
        subprocess.run(["cmake", "--build", tree, "--target", "juxta_python", "--parallel", jobs], check=True)


setup(version=version(), ext_modules=[Extension("juxta._core", sources=[])], cmdclass={"build_ext": CMakeBuild})
