# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Which boxes overlap which, and how large their clusters are.

    python3 overlapping_boxes.py boxes.png

A layer finds all pairs of boxes that overlap. SciPy's connected components make clusters of the pairs, and matplotlib
draws every box in the colour of its cluster.
"""

import argparse

import matplotlib

matplotlib.use("Agg")  # a file, no window
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

import juxta


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("picture", help="PNG or SVG to write")
    parser.add_argument("--size", type=int, default=2000, help="boxes")
    settings = parser.parse_args()
    n = settings.size

    rng = np.random.default_rng(3)
    lo = rng.random((n, 2), dtype=np.float32)
    size = rng.random((n, 2), dtype=np.float32) * np.float32(1.3 / n**0.5)
    boxes = np.stack([lo, lo + size], axis=1)  # (n, 2, 2): lo and hi corner of each

    layer = juxta.Layer(boxes)
    a, b = layer.find_pairs()

    graph = coo_matrix((np.ones(len(a), bool), (a, b)), shape=(n, n))
    clusters, of_box = connected_components(graph, directed=False)
    members = np.bincount(of_box)

    figure, axes = plt.subplots(figsize=(7, 7), layout="constrained")
    corners = np.stack([boxes[:, [0, 1, 1, 0], 0], boxes[:, [0, 0, 1, 1], 1]], axis=2)
    colours = np.where(members[of_box] > 1, members[of_box], np.nan)
    drawn = PolyCollection(corners, array=colours, cmap="plasma", edgecolors="0.4", linewidths=0.3, alpha=0.7)
    axes.add_collection(drawn)
    middle = boxes.mean(axis=1)
    axes.plot(*np.stack([middle[a], middle[b], np.full_like(middle[a], np.nan)], axis=1).reshape(-1, 2).T,
              color="black", linewidth=0.4)  # fmt: skip
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xticks=[], yticks=[])
    axes.set_title(f"{n} boxes, {len(a)} overlapping pairs, {(members > 1).sum()} clusters")
    figure.colorbar(drawn, label="boxes in the cluster", shrink=0.7)
    figure.savefig(settings.picture, dpi=130)
    print(f"{settings.picture}: {len(a)} pairs, the largest cluster has {members.max()} of {n} boxes")


if __name__ == "__main__":
    main()
