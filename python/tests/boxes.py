# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Boxes for tests, and which of them overlap, the slow way."""

import numpy as np


def random_boxes(n, dims, seed, size=0.1):
    rng = np.random.default_rng(seed)
    lo = rng.random((n, dims), dtype=np.float32)
    return np.stack([lo, lo + rng.random((n, dims), dtype=np.float32) * np.float32(size)], axis=1)


def overlap(a, b):
    """A matrix: does box i of a overlap box j of b?"""
    return ((a[:, None, 0] <= b[None, :, 1]) & (b[None, :, 0] <= a[:, None, 1])).all(axis=2)


def as_set(pairs):
    return set(map(tuple, np.asarray(pairs).T.tolist()))
