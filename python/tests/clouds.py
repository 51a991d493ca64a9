# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Points of every kind for tests, in [0, 1) on every axis."""

import numpy as np

KINDS = ["uniform", "clustered", "lattice", "line", "plane", "equal", "scales"]


def cloud(kind, n, dims, seed=1):
    rng = np.random.default_rng(seed)
    points = rng.random((n, dims))
    if kind == "clustered":
        centres = rng.random((max(n // 50, 1), dims))
        points = centres[rng.integers(0, len(centres), n)] * 0.98 + 0.02 * points
    elif kind == "lattice":  # many equal distances, and equal points
        points = rng.integers(0, 8, (n, dims)) / 8
    elif kind == "line":
        points = np.repeat(points[:, :1], dims, axis=1)
    elif kind == "plane":
        points[:, -1] = 0.25
    elif kind == "equal":
        points[:] = 0.3
    elif kind == "scales":
        points *= 2.0 ** -rng.integers(0, 40, (n, 1))
    return points
