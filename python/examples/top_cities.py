# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""The largest cities of each part of a map, at every zoom.

    python3 top_cities.py cities.png
    python3 top_cities.py cities.png --csv my_cities.csv      (columns: name, longitude, latitude, population)

A map shows a few names at a time: the most important places inside its frame. RankedPoints answers that in less than a
microsecond among millions. The picture is one map in three zooms: each frame is asked for its ten largest cities.
"""

import argparse
import csv

import matplotlib

matplotlib.use("Agg")  # a file, no window
import matplotlib.pyplot as plt
import numpy as np

import juxta


def made_up_cities(n, seed=1):
    """Cities around a few hundred centres, with populations that follow Zipf's law."""
    rng = np.random.default_rng(seed)
    centres = np.stack([rng.uniform(-170, 170, 200), rng.normal(20, 22, 200).clip(-60, 70)], axis=1)
    at = centres[rng.integers(0, len(centres), n)] + rng.normal(scale=4, size=(n, 2))
    population = (3e7 / np.arange(1, n + 1)).astype(np.int64)
    rng.shuffle(population)
    syllables = np.array(["ba", "den", "ford", "ka", "lo", "mar", "na", "ri", "sa", "ton", "vil", "wick"])
    names = ["".join(syllables[row]).title() for row in rng.integers(0, len(syllables), (n, 3))]
    return names, at[:, 0], at[:, 1], population


def cities_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = [np.array([float(row[name]) for row in rows]) for name in ("longitude", "latitude", "population")]
    return [row["name"] for row in rows], *columns


def draw(axes, frame, names, x, y, population, cities, k):
    """One frame: all its cities as dots, the k largest with their names."""
    inside = cities.top(frame, len(cities))
    largest = cities.top(frame, k)
    axes.scatter(x[inside], y[inside], s=0.3, color="0.75", linewidths=0)
    axes.scatter(x[largest], y[largest], s=12, color="tab:red", zorder=3)
    for city in largest:
        axes.annotate(
            f"{names[city]} {population[city]:,.0f}",
            (x[city], y[city]), xytext=(3, 3), textcoords="offset points", fontsize=6, clip_on=True,
        )  # fmt: skip
    (lx, ly), (hx, hy) = frame
    axes.set(xlim=(lx, hx), ylim=(ly, hy), aspect="equal")
    axes.set_title(f"{len(largest)} of {cities.count(frame):,} cities", fontsize=8)
    axes.tick_params(labelsize=6)
    return largest


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("picture", help="PNG or SVG to write")
    parser.add_argument("--csv", help="cities of yours")
    parser.add_argument("--size", type=int, default=200_000, help="made-up cities")
    settings = parser.parse_args()
    names, x, y, population = cities_of(settings.csv) if settings.csv else made_up_cities(settings.size)

    # The lower the rank, the more important: so the rank is minus the population.
    cities = juxta.RankedPoints(x, y, -population)

    (lx, ly), (hx, hy) = cities.bounds
    middle = cities.top(cities.bounds, 1)[0]
    figure, all_axes = plt.subplots(1, 3, figsize=(14, 3), layout="constrained")
    for axes, zoom in zip(all_axes, (1, 6, 40)):
        half = np.array([max(hx - lx, 2 * (hy - ly)), max((hx - lx) / 2, hy - ly)]) / (2 * zoom)
        at = np.array([(lx + hx) / 2, (ly + hy) / 2]) if zoom == 1 else np.array([x[middle], y[middle]])
        draw(axes, [at - half, at + half], names, x, y, population, cities, 10)
    figure.savefig(settings.picture, dpi=130)
    print(f"{settings.picture}: {len(cities):,} cities, the largest is {names[middle]}")


if __name__ == "__main__":
    main()
