# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""The build backend of pyproject.toml: that of setuptools, which also asks for pybind11 where there is none.

NumPy 2 needs pybind11 2.12. Where a build is isolated, that is what it gets. Where it is not, the pybind11 that is there
is taken if it suits the NumPy that is there: Debian 12 has 2.10 and NumPy 1.24.
"""

from setuptools.build_meta import *  # noqa: F403  (the hooks that stay as they are)
from setuptools.build_meta import get_requires_for_build_wheel as _requires

PYBIND11 = "pybind11>=2.12"


def _version(name):
    """(major, minor) of an installed module; None: it is not there."""
    try:
        module = __import__(name)
    except ImportError:
        return None
    return tuple(int(part) for part in module.__version__.split(".")[:2])


def missing(pybind11, numpy):
    """What a build must install, given the versions that are there."""
    if pybind11 is None or pybind11 < (2, 10):
        return [PYBIND11]
    if numpy is not None and numpy >= (2, 0) and pybind11 < (2, 12):
        return [PYBIND11]
    return []


def get_requires_for_build_wheel(config_settings=None):
    return _requires(config_settings) + missing(_version("pybind11"), _version("numpy"))


get_requires_for_build_editable = get_requires_for_build_wheel
