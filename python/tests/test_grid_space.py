# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""GridSpace, against lists of who is where, loops over all cells, and the random numbers written down in Python."""

import itertools
import threading
import time

import numpy as np
import pytest

import juxta

M32, M64 = 2**32 - 1, 2**64 - 1
SHAPES = {2: (9, 7), 3: (5, 4, 3)}  # cells along x, y, z


def philox(key, number):
    """Four words of Philox4x32-10 for a key (seed, step, purpose) and a number of 64 bits."""
    seed, step, purpose = key
    c = [number & M32, number >> 32, step, purpose]
    k = [seed & M32, seed >> 32]
    for _ in range(10):
        a, b = c[0] * 0xD2511F53, c[2] * 0xCD9E8D57
        c = [(b >> 32) ^ c[1] ^ k[0], b & M32, (a >> 32) ^ c[3] ^ k[1], a & M32]
        k = [(k[0] + 0x9E3779B9) & M32, (k[1] + 0xBB67AE85) & M32]
    return c


def order_of(key, rows):
    """Rows by ascending words of SplitMix64."""
    low, high = philox(key, 0)[:2]
    words = []
    for row in range(rows):
        z = (low + (high << 32) + (row + 1) * 0x9E3779B97F4A7C15) & M64
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & M64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & M64
        words.append(z ^ (z >> 31))
    return np.argsort(np.array(words, np.uint64))


class Plain:
    """The same as lists."""

    def __init__(self, cells, edges, kinds, radius, near):
        self.shape, self.edges, self.kinds, self.radius, self.near = cells, edges, kinds, radius, near
        self.inside = [[] for _ in range(int(np.prod(cells)))]
        self.cell, self.kind = {}, {}

    def place(self, cell):
        return np.unravel_index(cell, self.shape[::-1])[::-1]  # x, y, z

    def offsets(self, a, b):
        for x, y, count, edge in zip(self.place(a), self.place(b), self.shape, self.edges):
            away = abs(int(x) - int(y))
            yield min(away, count - away) if edge == "periodic" else away

    def is_near(self, a, b, radius=None, near=None):
        away = list(self.offsets(a, b))
        total = max(away) if (near or self.near) == "moore" else sum(away)
        return total <= (self.radius if radius is None else radius)

    def agents_near(self, cell, **given):
        others = (c for c in range(len(self.inside)) if c != cell and self.is_near(cell, c, **given))
        return list(itertools.chain.from_iterable(self.inside[c] for c in others))

    def enter(self, row, cell, kind=0):
        self.cell[row], self.kind[row] = cell, kind
        self.inside[cell].insert(0, row)

    def leave(self, row):
        self.inside[self.cell.pop(row)].remove(row)

    def count_near(self, cell, kind):
        near = (self.kind[row] for row, c in self.cell.items() if self.is_near(cell, c))
        return sum(k == kind for k in near) if self.kinds else 0

    def alike(self, row):
        return self.count_near(self.cell[row], self.kind[row]) - 1 if self.kinds and row in self.cell else 0

    def unlike(self, row):
        if not self.kinds or row not in self.cell:
            return 0
        return sum(self.count_near(self.cell[row], kind) for kind in range(self.kinds) if kind != self.kind[row])

    def free_cell(self, key, number):
        for i in range(256):
            for word in philox(key, (i << 32) + number):
                cell = word * len(self.inside) >> 32
                if not self.inside[cell]:
                    return cell
        free = [cell for cell, rows in enumerate(self.inside) if not rows]
        return free[philox(key, (256 << 32) + number)[0] * len(free) >> 32]


def expect_same(space, plain, rows):
    every = np.arange(rows + 3)
    cells = np.arange(len(plain.inside) + 2)
    inside = [*plain.inside, [], []]
    assert len(space) == len(plain.cell) and space.free_count == sum(not rows for rows in plain.inside)
    assert space.cell_of(every).tolist() == [plain.cell.get(row, -1) for row in every]
    want = [plain.kind[row] if plain.kinds and row in plain.cell else 0 for row in every]
    assert space.kind_of(every).tolist() == want
    assert space.alike(every).tolist() == [plain.alike(row) for row in every]
    assert space.unlike(every).tolist() == [plain.unlike(row) for row in every]
    assert space.count_in(cells).tolist() == [len(rows) for rows in inside]
    for kind in range(plain.kinds + 1):
        want = [plain.count_near(cell, kind) for cell in cells[:-2]] + [0, 0]
        assert space.count_near(cells, kind).tolist() == (want if kind < plain.kinds else [0] * len(cells))
    for cell in cells[:-2]:
        assert space.agents_in(cell).tolist() == plain.inside[cell]
        assert sorted(space.agents_near(cell)) == sorted(plain.agents_near(cell))


def both(dimensions, edges, holds, kinds=2, radius=1, near="moore"):
    edges = ("periodic", "wall", "open")[:dimensions] if edges == "mixed" else (edges,) * dimensions
    space = juxta.GridSpace(
        SHAPES[dimensions], edges=edges, holds=holds, kinds=kinds, radius=radius, near=near
    )  # fmt: skip
    return space, Plain(SHAPES[dimensions], edges, kinds, radius, near)


CASES = [
    pytest.param(2, "wall", "one", 2, 1, "moore", id="plane"),
    pytest.param(2, "periodic", "one", 3, 2, "von_neumann", id="torus"),
    pytest.param(2, "mixed", "many", 2, 2, "moore", id="crowds"),
    pytest.param(3, "mixed", "one", 2, 1, "moore", id="space"),
    pytest.param(3, "wall", "many", 0, 1, "moore", id="without_kinds"),
]


@pytest.mark.parametrize("dimensions,edges,holds,kinds,radius,near", CASES)
def test_changes(dimensions, edges, holds, kinds, radius, near):
    space, plain = both(dimensions, edges, holds, kinds, radius, near)
    rng = np.random.default_rng(2)
    cells = len(plain.inside)
    for step in range(120):
        row, cell, kind = int(rng.integers(40)), int(rng.integers(cells)), int(rng.integers(max(kinds, 1)))
        key = (2**63 + 5, step, 7)
        if row not in plain.cell:
            if holds == "one" and plain.inside[cell]:
                with pytest.raises(juxta.errors.InvalidArgument) as error:
                    space.insert(row, cell, kind)
                assert error.value.index == row
            else:
                space.insert(row, cell, kind)
                plain.enter(row, cell, kind)
        elif step % 3 == 0:
            space.remove(row)
            plain.leave(row)
        elif step % 3 == 1:
            want = plain.free_cell(key, row)
            assert space.free_cell(key, row) == want
            assert space.move_to_free(row, key) == want
            plain.leave(row)
            plain.enter(row, want, plain.kind[row])
        elif holds == "many" or not plain.inside[cell]:
            space.move(row, cell)
            plain.leave(row)
            plain.enter(row, cell, plain.kind[row])
        if step % 30 == 29:
            expect_same(space, plain, 40)
    assert len(space) > 10


@pytest.mark.parametrize("dtype", [np.float32, np.float64, "strided"])
@pytest.mark.parametrize("dimensions,edges,holds,kinds,radius,near", CASES)
def test_rebuild(dimensions, edges, holds, kinds, radius, near, dtype):
    space, plain = both(dimensions, edges, holds, kinds, radius, near)
    rng = np.random.default_rng(3)
    count = len(plain.inside) * 2 // 3
    cells = rng.permutation(len(plain.inside))[:count]
    if holds == "many":
        cells = rng.integers(len(plain.inside), size=count)
    at = [np.asarray(axis) + rng.random(count).astype(np.float32) * 0.9 for axis in plain.place(cells)]
    at = [np.repeat(a.astype(np.float32), 2)[::2] if dtype == "strided" else a.astype(dtype) for a in at]
    of = rng.integers(max(kinds, 1), size=count)
    for given in (of, of.astype(np.uint8), list(of)):
        space.rebuild(*at, kinds=given if kinds else None)
    for row in reversed(range(count)):
        plain.enter(row, int(cells[row]), int(of[row]))
    expect_same(space, plain, count)
    space.rebuild(*([[]] * dimensions), kinds=np.zeros(0, int) if kinds else None)
    assert len(space) == 0 and space.cell_of(0) == -1


@pytest.mark.parametrize("dimensions,edges,holds,kinds,radius,near", [case for case in CASES if case.values[3]])
def test_those_who_have_too_few_of_their_kind_move(dimensions, edges, holds, kinds, radius, near):
    space, plain = both(dimensions, edges, holds, kinds, radius, near)
    rng = np.random.default_rng(4)
    for row, cell in enumerate(rng.permutation(len(plain.inside))[:45]):
        space.insert(row, int(cell), row % kinds)
        plain.enter(row, int(cell), row % kinds)
    total = 0
    for step in range(4):
        enough, order, draws, moved = 4 + 3 * step, (9, step, 1), (9, step, 2), []
        for row in order_of(order, 45):
            if plain.alike(row) < enough:
                to = plain.free_cell(draws, int(row))
                plain.leave(row)
                plain.enter(row, to, plain.kind[row])
                moved.append(row)
        rows = space.move_below(enough, order, draws)
        assert rows.tolist() == moved and rows.dtype == np.intp
        expect_same(space, plain, 45)
        total += len(moved)
    assert total > 20


def test_many_at_once_are_one_after_the_other():
    one, many = (juxta.GridSpace((6, 6), kinds=2) for _ in range(2))
    rows = np.array([4, 2, 9, 0])
    for row, cell, kind in zip(rows, (3, 7, 35, 0), (0, 1, 1, 0)):
        one.insert(int(row), cell, kind)
    many.insert(rows, [3, 7, 35, 0], [0, 1, 1, 0])
    assert many.cell_of(rows).tolist() == [3, 7, 35, 0] == one.cell_of(rows).tolist()
    assert many.kind_of(rows.astype(np.uint32)).tolist() == [0, 1, 1, 0]
    drawn = many.move_to_free(rows, (1, 2, 3))
    assert drawn.tolist() == [one.move_to_free(int(row), (1, 2, 3)) for row in rows]
    assert np.array_equal(many.cell_of(rows), drawn)
    assert many.free_cell(5, [0, 1]).tolist() == [many.free_cell((5, 0, 0)), many.free_cell(5, 1)]
    free = [cell for cell in range(36) if not many.count_in(cell)][:4]
    many.move(rows, free)
    assert many.cell_of(rows).tolist() == free
    with pytest.raises(juxta.errors.InvalidArgument) as error:
        many.remove([2, 4, 2, 9])
    assert error.value.index == 2 and many.cell_of(rows).tolist() == [-1, -1, free[2], free[3]]


def test_nearest_free():
    space, plain = both(2, "mixed", "one")
    rng = np.random.default_rng(5)
    space.insert(np.arange(55), rng.permutation(63)[:55])
    full = space.count_in(np.arange(63)) > 0
    found = space.nearest_free(np.arange(63))
    for cell, to in enumerate(found):
        away = [max(plain.offsets(cell, other)) for other in range(63)]
        assert not full[to] and away[to] == min(a for other, a in enumerate(away) if not full[other])
    with pytest.raises(juxta.errors.InvalidArgument) as error:
        space.nearest_free([0, 63])
    assert error.value.index == 63


def test_agents_near_with_another_radius():
    space, plain = both(3, "mixed", "many")
    rng = np.random.default_rng(6)
    cells = rng.integers(60, size=50)
    space.insert(np.arange(50), cells)
    for row, cell in enumerate(cells):
        plain.enter(row, int(cell))
    for cell, radius, near in itertools.product(range(60), (0, 1, 2), ("moore", "von_neumann")):
        want = plain.agents_near(cell, radius=radius, near=near)
        assert sorted(space.agents_near(cell, radius=radius, near=near)) == sorted(want)
    assert space.agents_near(60).size == space.agents_in(-1).size == 0


def test_what_it_tells():
    edges = ("wall", "periodic", "open")
    space = juxta.GridSpace((4, 3, 2), edges=edges, holds="many", kinds=3, radius=2, near="von_neumann")
    told = (space.cells, space.dimensions, space.edges, space.holds, space.kinds, space.radius, space.near)
    assert told == ((4, 3, 2), 3, edges, "many", 3, 2, "von_neumann")
    assert len(space) == 0 and space.free_count == 24 and space.memory_bytes > 0
    assert repr(space) == "<juxta.GridSpace of 4 x 3 x 2 cells, 0 agents>"
    assert juxta.GridSpace((4, 3)).cells == (4, 3) == juxta.GridSpace((4, 3, 1)).cells


def test_mistakes_have_a_reason():
    for wrong in (
        {"cells": (4,)}, {"cells": 4}, {"cells": (4, 0)}, {"cells": (2**16, 2**16)}, {"edges": "round"},
        {"edges": ("wall",)}, {"holds": "two"}, {"kinds": 65}, {"kinds": 2**40}, {"kinds": -1}, {"radius": -1},
        {"near": "square"},
    ):  # fmt: skip
        with pytest.raises((ValueError, OverflowError)):
            juxta.GridSpace(**{"cells": (4, 4), **wrong})
    space = juxta.GridSpace((4, 4), kinds=2)
    space.insert([0, 1], [0, 1], [0, 1])
    for key in ((1, 2), (1, 2, 3, 4), -1, 2**64, (1, 2**32, 0), [1, 2, 3], (1, 2, -1)):
        with pytest.raises(ValueError):
            space.free_cell(key)
    with pytest.raises(TypeError):
        space.free_cell(0.5)
    with pytest.raises(ValueError, match="one for each of the 2 rows"):
        space.move([0, 1], [2, 3, 4])
    with pytest.raises(ValueError):
        space.move(0, [2])
    with pytest.raises(ValueError):
        space.cell_of([[0]])
    for wrong in (0.5, np.array([True, False])):
        with pytest.raises(TypeError):
            space.cell_of(wrong)
    with pytest.raises(juxta.errors.InvalidArgument, match="kind 256"):
        space.insert(5, 5, 256)  # 0 in a byte
    assert space.cell_of([0, 1, 5]).tolist() == [0, 1, -1] and space.count_near(0, 256) == 0
    for x, y, kinds, index in (
        ([0, 4], [0, 0], [0, 0], 1), ([0, 1], [0, np.nan], [0, 0], 1), ([2, 2], [2, 2], [0, 0], 1),
        ([0, 1], [0, 1], [2, 0], 0), ([0, 1], [0, 1], [0, 256], 1), ([0, 1], [0], [0, 1], None),
        ([0, 1], [0, 1], None, None),
    ):  # fmt: skip
        space.rebuild([0], [0], kinds=[0])
        with pytest.raises(juxta.errors.InvalidArgument) as error:
            space.rebuild(x, y, kinds=kinds)
        assert error.value.index == index and len(space) == (kinds == [0, 256])
    for wrong in ({"x": 1.0}, {"kinds": 1}, {"kinds": np.zeros((2, 1), np.uint8)}):
        with pytest.raises(ValueError):
            space.rebuild(**{"x": [0, 1], "y": [0, 1], "kinds": [0, 1], **wrong})
    full = juxta.GridSpace((1, 1), kinds=1)
    full.insert(0, 0)
    for call in (lambda: full.free_cell(1), lambda: full.move_to_free(0, 1), lambda: full.move_below(1, 1, 2)):
        with pytest.raises(juxta.errors.NotFound):
            call()
    with pytest.raises(juxta.errors.InvalidArgument):
        juxta.GridSpace((2, 2)).move_below(1, 1, 2)
    with pytest.raises(ValueError):
        len(juxta.GridSpace.__new__(juxta.GridSpace))


def test_threads_read_at_once():
    space = juxta.GridSpace((64, 64), kinds=2)
    rows = np.arange(2000)
    space.insert(rows, rows * 2, rows % 2)
    want, answers = space.alike(rows), []
    threads = [threading.Thread(target=lambda: answers.extend(space.alike(rows) for _ in range(50))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 200 and all(np.array_equal(answer, want) for answer in answers)


def test_a_change_meanwhile_is_refused():
    space = juxta.GridSpace((1000, 1000), holds="many")
    x, y = np.random.default_rng(7).random((2, 300_000)).astype(np.float32) * 1000
    refused, over = [], time.monotonic() + 60

    def change():
        while not refused and time.monotonic() < over:
            try:
                space.rebuild(x, y)
            except RuntimeError:
                pass  # the other thread was reading

    worker = threading.Thread(target=change)
    worker.start()
    while not refused and worker.is_alive():
        try:
            space.cell_of(0)
        except RuntimeError as error:
            refused.append(str(error))
    worker.join()
    assert refused and "changing this object" in refused[0]
