# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Juxta: questions about what is near what, answered as NumPy arrays.

>>> import numpy as np, juxta
>>> points = juxta.RankedPoints([1.0, 2.0, 9.0], [1.0, 2.0, 9.0], [5, 3, 1])
>>> points.top([[0, 0], [3, 3]], k=2)
array([1, 0])

``docs/python.md`` is the guide.
"""

from juxta import errors
from juxta._core import (
    NO_BODY,
    Bodies,
    Layer,
    PairTracker,
    RankedPoints,
    Shape,
    __version__,
    active_isa,
    default_threads,
    set_default_threads,
    usable_threads,
)
from juxta._transforms import LOCAL, WORLD, local_transforms, transforms
from juxta.errors import Error

__all__ = [
    "LOCAL",
    "NO_BODY",
    "WORLD",
    "Bodies",
    "Error",
    "Layer",
    "PairTracker",
    "RankedPoints",
    "Shape",
    "__version__",
    "active_isa",
    "default_threads",
    "errors",
    "local_transforms",
    "set_default_threads",
    "transforms",
    "usable_threads",
]
