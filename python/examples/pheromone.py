# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Ants that lay a scent and climb it, as a picture of the paths that they make.

    python3 pheromone.py pheromone.png

Each ant smells what is ahead, to the left and to the right, and turns to the strongest. The scent spreads and fades.
"""

import argparse

import matplotlib
import numpy as np

import juxta

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

SIDE, STEPS, AHEAD, TURN = 200.0, 300, 6.0, np.radians(40)


def towards(angle):
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("picture", help="PNG to write")
    parser.add_argument("--size", type=int, default=8000, help="ants")
    settings = parser.parse_args()

    rng = np.random.default_rng(1)
    scent = juxta.Field(0, SIDE, (400, 400), edges="periodic")
    ants = rng.random((settings.size, 2)) * SIDE
    heading = rng.random(settings.size) * 2 * np.pi
    for _ in range(STEPS):
        smell = np.stack([scent.sample(ants + AHEAD * towards(heading + turn)) for turn in (0, TURN, -TURN)])
        heading += np.array([0, TURN, -TURN])[smell.argmax(axis=0)] + rng.normal(size=settings.size) * 0.1
        ants = (ants + towards(heading)) % SIDE
        scent.deposit(ants, 1.0)
        scent.diffuse(0.1, decay=0.05, steps=2)

    figure, axes = plt.subplots(figsize=(6, 6))
    axes.imshow(scent.values, origin="lower", extent=(0, SIDE, 0, SIDE), cmap="magma", vmax=np.percentile(scent.values, 99))
    axes.set_title(f"the scent of {settings.size} ants after {STEPS} steps")
    figure.savefig(settings.picture, dpi=120)
    where_ants_are = scent.sample(ants).mean() / scent.values.mean()
    print(f"{settings.picture}: the scent is {where_ants_are:.1f} times as strong where ants are as it is on average")


if __name__ == "__main__":
    main()
