# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""A flock, as an animated GIF.

    python3 flock.py flock.gif

Boids start at random and find each other. The colour of a boid is the direction in which it flies.
"""

import argparse
import colorsys

import numpy as np
from PIL import Image

import juxta

PIXELS, FRAMES, STEPS_A_FRAME = 480, 90, 4


def palette():
    """Colour 0 is the background; 1 to 255 go around the circle."""
    colours = [(16, 18, 24)]
    colours += [tuple(int(255 * c) for c in colorsys.hsv_to_rgb(i / 255, 0.6, 1.0)) for i in range(255)]
    return np.array(colours, np.uint8).ravel().tolist()


def frame(flock, half_size, colours):
    """A square of two pixels for each boid."""
    pixels = np.zeros((PIXELS, PIXELS), np.uint8)
    at, velocity = flock.positions, flock.velocities
    column, row = ((at.T / half_size + 1) / 2 * (PIXELS - 1)).astype(int)
    angle = np.arctan2(velocity[:, 1], velocity[:, 0])
    colour = 1 + ((angle / (2 * np.pi)) % 1 * 254).astype(np.uint8)
    for dx in (0, 1):
        for dy in (0, 1):
            pixels[np.minimum(PIXELS - 1, PIXELS - 1 - row + dy), np.minimum(PIXELS - 1, column + dx)] = colour
    image = Image.fromarray(pixels, "P")
    image.putpalette(colours)
    return image


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("picture", help="GIF to write")
    parser.add_argument("--size", type=int, default=6000, help="boids")
    settings = parser.parse_args()

    half_size = 10.5 * (settings.size / 6000) ** 0.5  # the same density for any number
    flock = juxta.Flock(half_size=half_size)
    flock.scatter(settings.size, seed=1)
    colours, frames = palette(), []
    for _ in range(FRAMES):
        frames.append(frame(flock, half_size, colours))
        flock.step(STEPS_A_FRAME)
    frames[0].save(settings.picture, save_all=True, append_images=frames[1:], duration=50, loop=0)

    heading = flock.velocities / np.linalg.norm(flock.velocities, axis=1, keepdims=True)
    print(f"{settings.picture}: {len(flock)} boids after {flock.steps} steps, order {np.linalg.norm(heading.mean(0)):.2f}")


if __name__ == "__main__":
    main()
