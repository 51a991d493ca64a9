# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""At which density of trees does a fire cross the forest?

    python3 swept_model.py fires.png

The model is that of Netlogo's library: trees stand in cells at random, one edge burns, and a fire goes from tree to tree.
A sweep runs it for many densities and sizes of the forest, each with several seeds. The curves get steeper the larger
the forest is, and cross near 0.593, where a path through a random grid appears.
"""

import argparse

import matplotlib

matplotlib.use("Agg")  # a file, no window
import matplotlib.pyplot as plt
import numpy as np

import juxta


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("picture", help="PNG or SVG to write")
    parser.add_argument("--size", type=int, default=400, help="cells along an edge of the largest forest")
    parser.add_argument("--seeds", type=int, default=20, help="runs of each combination")
    settings = parser.parse_args()

    sizes = [settings.size // 4, settings.size // 2, settings.size]
    densities = np.linspace(0.4, 0.8, 33)
    swept = juxta.models.sweep(
        "forest_fire", {"size": sizes, "density": densities},
        seeds=settings.seeds, steps=4 * settings.size, threads=0, progress=True,
    )  # fmt: skip
    means = swept.means()
    burnt = means["burnt"] / (means["burnt"] + means["green"] + means["burning"])

    figure = plt.figure(figsize=(10, 6), layout="constrained")
    panels = figure.add_gridspec(2, 3, height_ratios=[3, 2])
    curves = figure.add_subplot(panels[0, :])
    for size in sizes:
        these = means["size"] == size
        curves.plot(means["density"][these], burnt[these], marker=".", label=f"{size} x {size} cells")
    curves.axvline(0.5927, color="0.6", linewidth=0.8)
    curves.set(xlabel="density of trees", ylabel="part of the trees that burns", ylim=(0, 1))
    curves.legend()
    for column, density in enumerate((0.55, 0.6, 0.65)):
        run = juxta.models.run("forest_fire", set={"size": sizes[0], "density": density}, steps=4 * sizes[0])
        axes = figure.add_subplot(panels[1, column])
        axes.imshow(run.draw(400))
        axes.set(xticks=[], yticks=[], title=f"density {density}")
    figure.savefig(settings.picture, dpi=130)
    steepest = densities[np.argmax(np.diff(burnt[means["size"] == sizes[-1]]))]
    print(f"{settings.picture}: {len(swept.table)} runs, the steepest rise is at a density of {steepest:.4f}")


if __name__ == "__main__":
    main()
