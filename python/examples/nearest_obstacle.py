# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""How far the nearest obstacle is, everywhere in a slice of a world: a mesh among simpler shapes.

    python3 nearest_obstacle.py obstacles.png

Each pixel asks which body is nearest to its point. Arrows point away from it: that is where a robot would steer. Lines
of sight from one point are drawn to where they end.
"""

import argparse

import matplotlib

matplotlib.use("Agg")  # a file, no window
import matplotlib.pyplot as plt
import numpy as np

import juxta


def rock(detail, seed=1):
    """A closed mesh: a sphere of rings and spokes with bumps."""
    rng = np.random.default_rng(seed)
    theta = np.linspace(0, np.pi, detail + 1)[1:-1]
    phi = np.linspace(0, 2 * np.pi, 2 * detail, endpoint=False)
    ring, spoke = np.meshgrid(theta, phi, indexing="ij")
    way = np.stack([np.sin(ring) * np.cos(spoke), np.cos(ring), np.sin(ring) * np.sin(spoke)], axis=-1)
    bumps = rng.normal(size=(12, 3))
    radius = 1 + 0.12 * np.sin(3 * (way @ bumps.T) + rng.uniform(0, 6, 12)).sum(axis=-1) / 2
    vertices = np.concatenate([(way * radius[..., None]).reshape(-1, 3), [[0, 1, 0], [0, -1, 0]]])
    rows, columns = way.shape[:2]
    at = np.arange(rows * columns).reshape(rows, columns)
    right = np.roll(at, -1, axis=1)
    squares = [
        np.stack([at[:-1], right[:-1], at[1:]], axis=-1),
        np.stack([right[:-1], right[1:], at[1:]], axis=-1),
    ]
    top, bottom = rows * columns, rows * columns + 1
    caps = [
        np.stack([np.full(columns, top), right[0], at[0]], axis=-1),
        np.stack([np.full(columns, bottom), at[-1], right[-1]], axis=-1),
    ]
    return vertices.astype(np.float32), np.concatenate([part.reshape(-1, 3) for part in squares + caps])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("picture", help="PNG or SVG to write")
    parser.add_argument("--size", type=int, default=400, help="pixels along an edge")
    settings = parser.parse_args()
    size = settings.size

    mesh = juxta.Shape.mesh(*rock(60))
    shapes = [mesh, juxta.Shape.box([0.8, 1, 0.4]), juxta.Shape.capsule([-0.7, 0, 0], [0.7, 0, 0], 0.25), mesh]
    places = juxta.transforms(
        position=[[-1.4, 0, 0.8], [1.6, 0, 1.6], [1.2, 0, -0.6], [0.6, 0, -2.2]],
        rotation=[[0, 0, 0, 1], [0, 0.3, 0, 0.954], [0, -0.38, 0, 0.925], [0, 1, 0, 0]],
        scale=[1, 1, 1, 0.6],
    )
    world = juxta.Bodies(shapes, places)

    # One question a pixel: a point is a sphere of radius 0.
    edge = np.linspace(-3, 3, size, dtype=np.float32)
    x, z = np.meshgrid(edge, edge)
    pixels = np.stack([x.ravel(), np.zeros(size * size, np.float32), z.ravel()], axis=1)
    point = juxta.Shape.sphere(0)
    nearest = world.nearest(point, pixels, threads=0)

    eye = np.array([0.2, 0, 0.5], np.float32)
    angle = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    ways = np.stack([np.cos(angle), np.zeros(120), np.sin(angle)], axis=1)
    seen = world.raycast(eye, ways, 4.0)
    ends = eye + np.minimum(seen.t, 4.0)[:, None] * ways

    figure, axes = plt.subplots(figsize=(7.4, 6), layout="constrained")
    distance = nearest.distance.reshape(size, size)
    inside = mesh.contains(pixels, at=places[0]) | mesh.contains(pixels, at=places[3])
    distance = np.where(inside.reshape(size, size), -distance, distance)  # a mesh is a surface
    drawn = axes.contourf(x, z, distance, levels=np.arange(-1, 3, 0.2), cmap="viridis")
    axes.contour(x, z, distance, levels=[0], colors="white", linewidths=1.5)
    step = max(1, size // 20)
    arrows = (slice(step // 2, None, step),) * 2
    away = -nearest.normal.reshape(size, size, 3)[arrows]
    free = distance[arrows] > 0.1
    axes.quiver(x[arrows][free], z[arrows][free], away[..., 0][free], away[..., 2][free], color="white", alpha=0.6)
    for end in ends:
        axes.plot([eye[0], end[0]], [eye[2], end[2]], color="orange", linewidth=0.5)
    axes.plot(eye[0], eye[2], "o", color="orange")
    axes.set(aspect="equal", xlim=(-3, 3), ylim=(-3, 3), xlabel="x", ylabel="z", title="Distance to the nearest obstacle")
    figure.colorbar(drawn, label="distance")
    figure.savefig(settings.picture, dpi=130)
    print(f"{settings.picture}: {size * size:,} points, {(seen.body >= 0).sum()} of 120 lines of sight end at a body")


if __name__ == "__main__":
    main()
