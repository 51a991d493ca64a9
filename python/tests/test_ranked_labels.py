# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""RankedLabels against every pair of boxes."""

import gc

import numpy as np
import pytest

import juxta


def expected_zooms(x, y, rank, width, height, units, zooms):
    appears = np.full(len(x), 255, np.uint8)
    for zoom in zooms:
        for i in np.argsort(rank, kind="stable"):
            shown = np.flatnonzero(appears <= zoom)
            if appears[i] == 255 and not (
                (np.abs(x[shown] - x[i]) < (width[shown] + width[i]) / 2 * units * 0.5**zoom)
                & (np.abs(y[shown] - y[i]) < (height[shown] + height[i]) / 2 * units * 0.5**zoom)
            ).any():
                appears[i] = zoom
    return appears


@pytest.mark.parametrize("coordinates", [np.float32, np.float64])
@pytest.mark.parametrize("n", [0, 1, 300])
@pytest.mark.parametrize("own_sizes", [False, True])
def test_against_every_pair(coordinates, n, own_sizes):
    rng = np.random.default_rng(n)
    x, y = (rng.random((2, n)) * 1000).astype(coordinates)
    rank = rng.integers(0, 50, n)
    width, height = (rng.integers(10, 90, (2, n)) if own_sizes else (80, 20))
    labels = juxta.RankedLabels(x, y, rank, width=width, height=height, units_per_pixel=4, first_zoom=1, last_zoom=5)
    want = expected_zooms(
        x.astype(float), y.astype(float), rank, np.broadcast_to(width, n), np.broadcast_to(height, n), 4, range(1, 6)
    )
    assert np.array_equal(labels.appears_at_zoom, want) and labels.appears_at_zoom.dtype == np.uint8
    assert len(labels) == n and labels.shown == (want != 255).sum() and labels.memory_bytes > 0
    inside = (x >= 200) & (x <= 700) & (y >= 100) & (y <= 900)
    for zoom in [0, 1, 2.9, 5, 50]:
        found = np.flatnonzero(inside & (want <= zoom) & (zoom >= 1))
        found = found[np.argsort(rank[found], kind="stable")]
        assert np.array_equal(labels.top([200, 100, 700, 900], zoom), found)
        assert np.array_equal(labels.top([[200, 100], [700, 900]], zoom, 3), found[:3])
        assert labels.top([200, 100, 700, 900], zoom, k=2, dtype="uint32").dtype == np.uint32


def test_more_than_a_screen():
    x = np.arange(2000.0)
    labels = juxta.RankedLabels(x, x, -x, width=1, height=1)
    assert np.array_equal(labels.top([0, 0, 1e9, 1e9], 20), np.arange(1999, -1, -1))


def test_zooms_are_a_view_that_keeps_its_owner():
    zooms = juxta.RankedLabels([1.0, 1.0], [2.0, 2.0], [5, 3]).appears_at_zoom
    gc.collect()
    assert zooms.tolist() == [255, 0]
    with pytest.raises(ValueError):
        zooms[0] = 1


def test_refusals():
    x = [0.0, 1.0]
    for arguments in [
        {"width": 0}, {"height": -1}, {"width": [1.0, np.nan]}, {"units_per_pixel": 0}, {"last_zoom": 31},
        {"first_zoom": 3, "last_zoom": 2}, {"first_zoom": 2**40},
    ]:  # fmt: skip
        with pytest.raises(juxta.errors.InvalidArgument):
            juxta.RankedLabels(x, x, x, **arguments)
    with pytest.raises(ValueError):
        juxta.RankedLabels(x, x, x, width=[1.0, 2.0, 3.0])
    with pytest.raises(juxta.errors.NotFinite):
        juxta.RankedLabels([0.0, np.inf], x, x)
    labels = juxta.RankedLabels(x, x, x)
    with pytest.raises(ValueError):
        labels.top(np.zeros((2, 4)), 1)
    with pytest.raises(ValueError):
        juxta.RankedLabels.__new__(juxta.RankedLabels).top([0, 0, 1, 1], 1)
