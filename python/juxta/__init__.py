# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Juxta: questions about what is near what, answered as NumPy arrays.

>>> import numpy as np, juxta
>>> points = juxta.RankedPoints([1.0, 2.0, 9.0], [1.0, 2.0, 9.0], [5, 3, 1])
>>> points.top([[0, 0], [3, 3]], k=2)
array([1, 0])

``docs/python.md`` is the guide.
"""

from juxta import errors, models, sector, view
from juxta._compile import compile_rules
from juxta._core import (
    NO_BODY,
    NO_ID,
    Bodies,
    Field,
    Flock,
    GridSpace,
    Hierarchy,
    Layer,
    LiveRankedPoints,
    PairTracker,
    Population,
    PointTree,
    Prefab,
    RankedLabels,
    RankedPoints,
    RankedSnapshot,
    Region,
    Rule,
    Shape,
    Simulation,
    __version__,
    active_isa,
    count_neighbors,
    default_threads,
    interpolate,
    match_contacts,
    neighbors,
    set_default_threads,
    to_matrices,
    usable_threads,
    world_boxes,
)
from juxta._kdtree import KDTree
from juxta._transforms import LOCAL, WORLD, Inherit, local_transforms, transforms
from juxta.errors import Error

__all__ = [
    "LOCAL",
    "NO_BODY",
    "NO_ID",
    "WORLD",
    "Bodies",
    "Error",
    "Field",
    "Flock",
    "GridSpace",
    "Hierarchy",
    "Inherit",
    "KDTree",
    "Layer",
    "LiveRankedPoints",
    "PairTracker",
    "Population",
    "PointTree",
    "Prefab",
    "RankedLabels",
    "RankedPoints",
    "RankedSnapshot",
    "Region",
    "Rule",
    "Shape",
    "Simulation",
    "__version__",
    "active_isa",
    "compile_rules",
    "count_neighbors",
    "default_threads",
    "errors",
    "interpolate",
    "local_transforms",
    "match_contacts",
    "models",
    "neighbors",
    "sector",
    "set_default_threads",
    "to_matrices",
    "transforms",
    "usable_threads",
    "view",
    "world_boxes",
]

for _class in (
    Bodies, Flock, Hierarchy, KDTree, Layer, LiveRankedPoints, PairTracker, PointTree, Population, Prefab, RankedLabels,
    RankedPoints, RankedSnapshot, Region, Rule, Shape, Simulation,
):  # fmt: skip
    _class.__module__ = "juxta"  # where users find them
del _class
