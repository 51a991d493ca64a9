# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Arguments for random calls: what a name suggests most of the time, anything else otherwise."""

import os

import numpy as np

import juxta

DTYPES = ["f4", "f8", ">f4", ">f8", "f2", "g", "i1", "i2", "i4", "i8", "u1", "u4", "u8", ">u4", "?", "c8", "U3", "S2", "O", "M8[s]"]
NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-40, 3e38, 1e300, -1e300, np.inf, -np.inf, np.nan]


class Arguments:
    """Draws arguments from a seeded generator; `pool` holds the objects that calls have made."""

    def __init__(self, seed, pool, folder):
        self.rng = np.random.default_rng(seed)
        self.pool = pool
        self.folder = folder

    def chance(self, probability):
        return self.rng.random() < probability

    def one_of(self, choices):
        return choices[self.rng.integers(len(choices))]

    def count(self):
        return int(self.one_of([0, 1, 2, 3, 7, 16, 17, 40, 120]))

    # --- arrays ---

    def values(self, shape):
        scale = self.one_of([1.0, 10.0, 1000.0])
        array = self.rng.random(shape) * scale
        if array.size and self.chance(0.06):
            array.flat[self.rng.integers(array.size)] = self.one_of(NUMBERS)
        return array

    def laid_out(self, array):
        """The same numbers in another place: strided, reversed, unaligned, read-only, as lists."""
        array = np.asarray(array)
        way = self.rng.integers(12)
        if way == 0:
            return np.asfortranarray(array)
        if way == 1 and array.ndim:
            return np.repeat(array, 2, axis=0)[::2]
        if way == 2 and array.ndim:
            return array[::-1].copy()[::-1]
        if way == 3 and array.dtype.kind in "fiu" and array.size:
            return np.frombuffer(b"." + array.tobytes(), np.uint8)[1:].view(array.dtype).reshape(array.shape)
        if way == 4:
            array = array.copy()
            array.flags.writeable = False
            return array
        if way == 5:
            return array.tolist()
        if way == 6 and array.dtype.kind in "fiu":
            return memoryview(array) if array.flags.c_contiguous and array.dtype.isnative else array
        return array

    def array(self, shape, dtypes=("f4", "f4", "f8")):
        with np.errstate(all="ignore"):
            return self.laid_out(self.values(shape).astype(self.one_of(dtypes)))

    def integers(self, shape, low, high):
        numbers = self.rng.integers(low, max(high, low + 1), shape)
        dtype = self.one_of(["i8", "i4", "u4", "u8"] if low >= 0 else ["i8", "i4"])
        return self.laid_out(np.asarray(numbers).astype(dtype))

    def boxes(self):
        dims, n = self.one_of([2, 3]), self.count()
        lo = self.values((n, dims))
        boxes = np.stack([lo, lo + self.rng.random((n, dims))], axis=1)
        if self.chance(0.05):
            boxes = boxes[:, ::-1]
        way = self.rng.integers(6)
        with np.errstate(all="ignore"):
            boxes = boxes.astype(self.one_of(["f4", "f4", "f8"]))
        if way == 0:
            return self.laid_out(boxes.reshape(n, 2 * dims))
        if way == 1:
            return (self.laid_out(boxes[:, 0]), self.laid_out(boxes[:, 1]))
        if way == 2 and n:
            return self.laid_out(boxes[0])
        if way == 3 and n:
            return tuple(map(tuple, boxes[0].tolist()))
        return self.laid_out(boxes)

    def points(self):
        dims = self.one_of([2, 3, 3])
        return self.array((dims,) if self.chance(0.3) else (self.count(), dims))

    def transforms(self):
        shape = () if self.chance(0.3) else (self.count(),)
        way = self.rng.integers(5)
        if way == 0:
            return None
        if way == 1:
            return self.array((*shape, 3))
        rotation = self.rng.normal(size=(*shape, 4))
        rotation /= np.linalg.norm(rotation, axis=-1, keepdims=True) + 1e-9
        if way == 2:
            return np.concatenate([self.values((*shape, 3)), rotation], axis=-1)
        make = juxta.transforms if self.chance(0.5) else juxta.local_transforms
        with np.errstate(all="ignore"):
            made = make(self.values((*shape, 3)), rotation, scale=self.values(shape) + 0.1)
        return made[::2] if shape and self.chance(0.2) else made

    # --- others ---

    def anything(self):
        """What no call expects."""
        way = self.rng.integers(9)
        if way < 4:
            shape = tuple(self.rng.integers(0, 5, self.rng.integers(0, 5)))
            with np.errstate(all="ignore"):
                return self.laid_out((self.rng.random(shape) * 9).astype(self.one_of(DTYPES)))
        if way == 4:
            return self.one_of([None, True, "text", b"bytes", object(), {}, {1, 2}, 3 + 4j, print, juxta, float])
        if way == 5:
            return self.one_of([[[1, 2], [3]], [], [[]], (), ((),), ([1, 2], [3, 4], [5, 6]), [None], ["a"], [[1j]]])
        if way == 6:
            return self.one_of([-1, 2**31, 2**32 - 1, 2**32, 2**63, 2**64, -(2**63), 10**40, *NUMBERS])
        if way == 7:
            return self.object()
        return np.ma.masked_array([1.0, 2.0], [True, False]) if self.chance(0.5) else np.matrix([[1.0, 2.0]])

    def object(self, kind=None):
        found = [one for one in list(self.pool) if kind is None or isinstance(one, kind)]
        return self.one_of(found) if found else None

    def ids(self):
        owner = self.object((juxta.Hierarchy, juxta.Layer, juxta.Population))
        try:
            if isinstance(owner, juxta.Hierarchy):
                known = owner.ids()
            elif isinstance(owner, juxta.Population):
                known = owner.ids
            else:
                known = owner.ids(np.arange(min(owner.capacity, 200)))
        except (RuntimeError, ValueError, AttributeError):
            known = np.arange(3, dtype=np.uint64)
        if len(known) == 0 or self.chance(0.1):
            return self.integers(self.count(), 0, 2**40)
        chosen = known[self.rng.permutation(len(known))[: self.count()]]
        return int(chosen[0]) if len(chosen) and self.chance(0.4) else self.laid_out(chosen)

    def shapes(self):
        one = self.object(juxta.Shape)
        return one if self.chance(0.5) else [self.object(juxta.Shape) for _ in range(self.count())]

    def column(self):
        return self.one_of(["x", "y", "z", "vx", "vy", "vz", "age", "friend", "count", "ex", "nobody", ""])

    def path(self):
        names = os.listdir(self.folder)
        if names and self.chance(0.7):
            return os.path.join(self.folder, self.one_of(sorted(names)))
        return os.path.join(self.folder, f"{self.rng.integers(12)}.bin")

    def named(self, owner, name):
        """An argument of this name, of a call of this class."""
        if name in ("count", "steps"):  # anything could be billions of agents, or a step without end
            return self.one_of([0, 1, 3, 17, -1, 2**40 if name == "count" else 2, "text", 1.5])
        if (owner, name) == ("GridSpace", "rows"):  # the same
            return self.one_of([0, 3, -1, True, "text", 1.5, self.integers(3, 0, 12), self.integers(3, 0, 12)])
        if self.chance(0.07):
            return self.anything()
        makers = {
            "boxes": self.boxes,
            "rects": self.boxes,
            "x": lambda: self.array((20,)) if self.chance(0.9) else self.array((self.count(),)),
            "y": lambda: self.array((20,)),
            "rank": lambda: self.array((20,), ("f4", "f8", "i4", "i8", "u1")),
            "k": lambda: self.one_of([0, 1, 5, 1000, 2**62]),
            "most": lambda: self.one_of([0, 1, 5, 1000, 2**62]),
            "ids": self.ids,
            "id": self.ids,
            "parent": lambda: None if self.chance(0.4) else self.ids(),
            "parents": lambda: np.arange(-1, max(self.count(), 1) - 1),
            "bodies": lambda: self.integers(self.count(), 0, 60),
            "pairs": lambda: self.integers((2, self.count()), 0, 50),
            "planes": lambda: self.array((self.count() % 7, self.one_of([3, 4]))),
            "max_distance": lambda: self.one_of([0.0, 1.0, np.inf, np.nan, -1.0]),
            "margin": lambda: self.one_of([0.0, 0.1, -1.0, np.nan, np.inf]),
            "max": lambda: self.one_of([np.inf, 1.0, 0.0, -1.0, np.nan]),
            "radius": lambda: self.one_of([0, 1, 2, -1] if owner == "GridSpace" else [0.0, 0.5, 2.0, -1.0, np.nan]),
            "half": lambda: self.array((3,)) if owner == "Shape" else bool(self.chance(0.3)),
            "r": lambda: self.one_of([None, 0.1, 0.5, 0.0, np.nan, np.inf, self.array((self.count(),))]),
            "quantities": lambda: self.one_of(["ij", "ijdD", "", "jD", "x", 3]),
            "queries": lambda: None if self.chance(0.4) else self.points(),
            "box": lambda: self.one_of([None, (1, 1), (1, 2, 3), ((0, 0, 0), (1, 1, 1)), (1, 0, 1), self.array((3,))]),
            "periodic": lambda: self.one_of([None, True, False, (1, 0), (1, 0, 1), (0, 2, 1)]),
            "way": lambda: self.array((3,) if self.chance(0.5) else (self.count(), 3)),
            "rotation": lambda: self.one_of([(0, 0, 0, 1), (1, 0, 0, 0), (0.6, 0, 0.8, 0), (1, 1, 1, 1)]),
            "heights": lambda: self.array((self.count() % 9, self.count() % 9)),
            "vertices": lambda: self.array((self.count(), 3)),
            "triangles": lambda: self.integers((self.count(), 3), 0, self.one_of([3, 7, 40])),
            "at": self.transforms,
            "other_at": self.transforms,
            "still_at": self.transforms,
            "local": self.transforms,
            "world": self.transforms,
            "roots": self.transforms,
            "transforms": self.transforms,
            "shape": self.shapes,
            "shapes": self.shapes,
            "still": lambda: self.object(juxta.Shape),
            "prefab": lambda: self.object(juxta.Prefab),
            "other": lambda: self.object(juxta.Shape if owner == "Shape" else juxta.Layer),
            "skip": lambda: self.one_of([None, 0, -1, self.integers(self.count(), -1, 60)]),
            "only": lambda: self.rng.random(self.count()) < 0.5,
            "only_other": lambda: self.rng.random(self.count()) < 0.5,
            "category": lambda: self.one_of([None, 0, 1, 2**32 - 1, self.integers(self.count(), 0, 9)]),
            "mask": lambda: self.one_of([None, 0, 1, 2**32 - 1, self.integers(self.count(), 0, 9)]),
            "dtype": lambda: self.one_of([None, "intp", "uint32", np.uint32, "i4", "nothing"]),
            "threads": lambda: self.one_of([None, 0, 1, 2, 3]),
            "progress": lambda: self.one_of([None, True, False, lambda *_: None, lambda *_: False]),
            "quality": lambda: self.one_of(["fast", "tight", "other"]),
            "children": lambda: self.one_of(["destroy", "to_ancestor", ""]),
            "keep": lambda: self.one_of(["world", "local", ""]),
            "layout": lambda: self.one_of(["3x4", "4x4", ""]),
            "path": self.path,
            "attachment": lambda: self.one_of([b"", b"abc", bytearray(100), "text", np.zeros(9)]),
            "visitor": lambda: self.one_of([lambda _: None, lambda _: False, print and (lambda _: 1 / 0)]),
            "batch": lambda: self.one_of([0, 1, 100]),
            "stretch": lambda: self.array((3,)),
            "context": lambda: self.one_of([0, -5, 2**31, self.integers(self.count(), -9, 9)]),
            "inherit": lambda: self.one_of([0, 7, 511, 512, self.integers(self.count(), 0, 512)]),
            "version": lambda: int(self.rng.integers(0, 9)),
            "name": lambda: self.column() if owner == "Population" else self.one_of(["sheep", "wolves", ""]),
            "of": self.column,
            "into": self.column,
            "radii": self.column,
            "among": self.column,
            "values": lambda: self.one_of([1, 0.5, np.nan]) if self.chance(0.5) else self.array((20,), ("f4", "i4")),
            "initial": lambda: self.one_of([0, 1, -1, 0.5, 300, np.nan]),
            "target": lambda: self.object(juxta.Population),
            "seen": lambda: self.object(juxta.Population),
            "rows": lambda: self.rng.random(20) < 0.1 if self.chance(0.3) else self.integers(3, 0, 12),
            "reduction": lambda: self.one_of(["count", "sum", "mean", "min", "max", ""]),
            "metric": lambda: self.one_of(["ball", "box", ""]),
            "arrangement": lambda: self.one_of(["auto", "rows", "morton", "hilbert", "hashed", "tree", ""]),
            "edges": lambda: self.one_of(["open", "wall", "periodic", "", ("wall", "periodic", "open")]),
            "dimensions": lambda: self.one_of([2, 3, 3, 4]),
            "velocity": lambda: self.one_of([["vx", "vy", "vz"], ["x", "y"], ["vx"], ["vx", "x", "nobody"]]),
            "seed": lambda: int(self.rng.integers(0, 9)),
            "lo": lambda: self.one_of([0.0, -1.0, (0, 0), (0, 0, 0), np.nan]),
            "hi": lambda: self.one_of([10.0, 1.0, (9, 9), (9, 9, 9), 0.0]),
            "cells": lambda: self.one_of([0, 5, self.integers(3, 0, 12), (4, 3), (20, 1), (3, 4, 5), (2, 2, 2), (4,), (4, 0), (2**24, 2**24)]),
            "components": lambda: self.one_of([1, 2, 3, 65]),
            "component": lambda: self.one_of([0, 0, 1, 2, -1, 2**32 - 1]),
            "amounts": lambda: 0.5 if self.chance(0.5) else self.array((self.count(),)),
            "method": lambda: self.one_of(["linear", "nearest", ""]),
            "positions": lambda: self.array((20, self.one_of([2, 3]))),
            "velocities": lambda: self.array((20, self.one_of([2, 3]))),
            "point": lambda: self.array((self.one_of([2, 3]),)),
            "t": lambda: self.one_of([0.0, 0.5, 1.0, np.nan]),
            "population": lambda: self.object(juxta.Population),
            "parameters": lambda: self.one_of([None, {}, {"gain": 3}, {"gain": np.nan}, {"loss": 1}, {1: 2}, {"gain": "x"}]),
            "text": lambda: self.one_of(["", "int a", "\0", "#error no"]),
            "holds": lambda: self.one_of(["one", "many", ""]),
            "kinds": lambda: self.one_of([0, 1, 2, 65, self.integers(20, 0, 2), self.integers(3, 0, 3)]),
            "near": lambda: self.one_of(["moore", "von_neumann", ""]),
            "enough": lambda: self.one_of([0, 2, 9, 2**40]),
            "kind": lambda: self.one_of([0, 1, 300]),
            "key": lambda: self.one_of([7, (1, 2, 3), (1, 2), 2**64]),
            "order_key": lambda: self.one_of([7, (1, 2, 3), (1, 2), 2**64]),
            "draw_key": lambda: self.one_of([8, (1, 2, 4), (1, 2, 2**32)]),
            "cell": lambda: self.one_of([0, 7, -1, 40]) if owner == "GridSpace" else self.one_of([1.0, 0.1, 0.0, np.nan]),
        }  # fmt: skip
        for number in ("half_size", "see_radius", "avoid_radius", "see_radius2", "avoid_radius2", "min_speed", "max_speed",
                       "time_step", "wall_distance", "wall", "avoid", "align", "cohere", "skin", "amount", "decay", "value"):  # fmt: skip
            makers[number] = lambda: self.one_of([0.0, 0.1, 0.5, 3.0, -1.0, np.nan, np.inf])
        for flag in ("sorted", "copy", "history", "nearest_image"):
            makers[flag] = lambda: bool(self.chance(0.5))
        return makers.get(name, self.points)()
