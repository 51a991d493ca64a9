# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""A world of your own in a browser: sparks that fall and bounce.

    python3 view_own_world.py              prints the address and opens the page; Ctrl-C ends it
    python3 view_own_world.py --steps 60   no page: takes 60 steps, asks which sparks lie low, and ends

examples/view_own_world.cpp is the same in C++.
"""

import argparse

import numpy as np

import juxta

TIME = 1 / 60


class Sparks:
    bounds = (0, 0), (1, 1)
    parameters = {"gravity": (1.0, 0.0, 5.0, False, "how fast they fall")}

    def __init__(self, count):
        self.count = count
        self.restart(1, gravity=1.0)

    def restart(self, seed, gravity):
        rng = np.random.default_rng(seed)
        self.at = np.full((2, self.count), 0.5, np.float32)
        self.velocity = rng.uniform(-0.5, 0.5, (2, self.count)).astype(np.float32)
        self.gravity = gravity

    def set(self, name, value):
        self.gravity = value

    def things(self):
        columns = {"speed down": -self.velocity[1]}
        return {"sparks": {"x": self.at[0], "y": self.at[1], "columns": columns, "colour": "speed down"}}

    def reports(self):
        return {"mean height": self.at[1].mean()}

    def step(self):
        self.velocity[1] -= self.gravity * TIME
        self.at += self.velocity * TIME
        outside = (self.at < 0) | (self.at > 1)
        self.at = np.clip(self.at, 0, 1)
        self.velocity[outside] *= -0.9


def ask(sparks, steps):
    """What another program or a notebook may do while the page is open."""
    with juxta.view.Server(port=0, paused=True) as server:
        server.start(sparks)
        viewer = juxta.view.connect(server.url)
        viewer.step(steps)
        low = viewer.select([0, 0], [1, 0.1])
        speed = np.abs(low["sparks"]["speed down"])
        print(f"{server.url}: {low.found} of {sparks.count} sparks lie low, the fastest at {speed.max(initial=0):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=2000, help="sparks")
    parser.add_argument("--steps", type=int, help="take so many steps and end")
    parser.add_argument("--port", type=int, default=8080)
    settings = parser.parse_args()
    if settings.steps is None:
        juxta.view.show(Sparks(settings.size), port=settings.port)
    else:
        ask(Sparks(settings.size), settings.steps)


if __name__ == "__main__":
    main()
