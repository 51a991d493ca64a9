# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Field, against diffusion and interpolation written down in NumPy; its arrays stay true whatever happens to it."""

import gc
import gc
import threading

import numpy as np
import pytest

import juxta

SHAPES = {2: (11, 7), 3: (6, 5, 4)}  # cells along x, y, z


def random_field(dimensions=2, edges="wall", components=1, seed=1):
    field = juxta.Field(0, SHAPES[dimensions], SHAPES[dimensions], components=components, edges=edges)  # cells of size 1
    rng = np.random.default_rng(seed)
    for c in range(components):
        field[c] = rng.random(field[c].shape)
    return field


def padded(values, edges):
    """With the cells beyond the edges."""
    values = values.astype(np.float64)
    for axis, edge in enumerate(reversed(edges)):
        width = [(1, 1) if a == axis else (0, 0) for a in range(values.ndim)]
        mode = {"wall": "edge", "periodic": "wrap", "open": "constant"}[edge]
        values = np.pad(values, width, mode=mode)
    return values


def expected_step(values, edges, amount, decay):
    beyond = padded(values, edges)
    inside = (slice(1, -1),) * values.ndim
    flows = np.zeros(values.shape)
    for axis in range(values.ndim):
        for shift in (-1, 1):
            flows += np.roll(beyond, shift, axis)[inside] - beyond[inside]
    return (values + amount * flows) * (1 - decay)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("edges", ["wall", "periodic", "open", "mixed"])
@pytest.mark.parametrize("dimensions", [2, 3])
def test_diffusion(dimensions, edges, threads):
    edges = ("periodic", "wall", "open")[:dimensions] if edges == "mixed" else (edges,) * dimensions
    field = random_field(dimensions, edges, components=2)
    want = [field[0].copy(), field[1].copy()]
    field.diffuse(0.15, decay=0.01, steps=3, threads=threads)
    field.diffuse(0.1, component=1, threads=threads)
    for _ in range(3):
        want = [expected_step(values, edges, 0.15, 0.01) for values in want]
    want[1] = expected_step(want[1], edges, 0.1, 0)
    for c in (0, 1):
        assert np.allclose(field[c], want[c], atol=1e-5)
        assert field.total(c, threads=threads) == pytest.approx(field[c].sum(dtype=np.float64))


def test_closed_worlds_keep_their_total():
    field = random_field(edges="periodic")
    before = field.total()
    field.diffuse(0.2, steps=500)
    assert field.total() == pytest.approx(before, rel=1e-6) and np.ptp(field.values) < 0.01


@pytest.mark.parametrize("dimensions", [2, 3])
def test_points(dimensions):
    """Linear sampling of a plane is exact between centres, its slope is the plane's, and amounts are kept."""
    field = random_field(dimensions)
    grid = np.indices(field.values.shape)[::-1]  # cells along x first
    slope = np.array([2.0, -1.0, 0.5])[:dimensions]
    field.values = sum(s * (g + 0.5) for s, g in zip(slope, grid))
    rng = np.random.default_rng(2)
    points = 1.5 + rng.random((500, dimensions)) * (np.array(SHAPES[dimensions]) - 3)
    got = field.sample(points, threads=2)
    assert got.dtype == np.float32 and np.allclose(got, points @ slope, atol=1e-4)
    assert np.allclose(field.gradient(points), slope, atol=1e-4) and field.gradient(points).shape == points.shape
    cells = tuple(np.floor(points).astype(int).T[::-1])
    assert np.array_equal(field.sample(points, method="nearest"), field.values[cells])
    assert field.sample(points[3]) == pytest.approx(got[3]) and isinstance(field.sample(points[3]), float)
    assert field.gradient(points[3]).shape == (dimensions,)
    columns = tuple(np.float32(points.T))
    assert field.sample(columns).tobytes() == got.tobytes(), "a tuple has the coordinates along each axis"
    assert field.sample(tuple(points.T)).tobytes() == got.tobytes()
    for amounts, due in ((3, 1500), (np.arange(500.0), np.arange(500).sum())):
        for method in ("linear", "nearest"):
            field.fill(0)
            field.deposit(points, amounts, method=method)
            assert field.total() == pytest.approx(due, rel=1e-5)
    want = np.zeros(field.values.shape)
    np.add.at(want, cells, np.arange(500.0))
    assert np.allclose(field.values, want, rtol=1e-5)


def test_two_points_in_a_list_are_rows():
    field = random_field()
    both = [[1.0, 2.0], [5.5, 6.0]]
    assert np.array_equal(field.sample(both), field.sample(np.array(both)))
    assert np.array_equal(field.sample(tuple(both)), field.sample(np.array(both))), "no arrays: rows too"
    assert not np.array_equal(field.sample(tuple(np.array(both))), field.sample(both)), "arrays: columns"


def test_values_are_the_grid_x_last():
    field = juxta.Field([0, 10], [40, 16], (4, 3), components=2)
    assert field.values.shape == (3, 4) and field.values.dtype == np.float32 and not field.values.any()
    assert field.cells == (4, 3) and len(field) == 2 and field.dimensions == 2
    field.values[2, 1] = 5  # y = 2, x = 1
    assert field.sample([15, 15], method="nearest") == 5 and field[1].sum() == 0
    field[1] += 2
    field.values += 1
    assert (field[-1] == 2).all() and field.values[2, 1] == 6 and field.values[0, 0] == 1
    field[1] = [1, 2, 3, 4]
    assert np.array_equal(field[1], np.tile([1, 2, 3, 4], (3, 1)))
    solid = juxta.Field(0, 1, (4, 3, 2))
    assert solid.values.shape == (2, 3, 4) and solid.values.flags.c_contiguous and solid.values.flags.writeable
    assert not solid.values.flags.owndata, "no copy"


@pytest.mark.parametrize("steps", [1, 2, 3, 8, 9, 17, 30])
@pytest.mark.parametrize("dimensions", [2, 3])
def test_arrays_stay_true_after_steps(dimensions, steps):
    """diffuse() writes to another array: those that Python holds show the new values all the same, with the same bits."""
    held, free = (random_field(dimensions, "open", components=2, seed=3) for _ in range(2))
    views = [held[0], held[1][1:, ::2], held.values]
    place = [view.__array_interface__["data"][0] for view in views]
    for component in (None, 1, None):
        for field in (held, free):
            field.diffuse(0.1, decay=0.05, steps=steps, component=component)
        assert held.state_hash == free.state_hash, "an array that is held changes no bit"
        assert np.array_equal(views[0], free[0]) and np.array_equal(views[1], free[1][1:, ::2])
        assert np.array_equal(views[2], held.values)
    assert place == [view.__array_interface__["data"][0] for view in views]
    views[0][...] = 7
    assert (held.values == 7).all(), "what is written to it is in the field"
    del views, field
    gc.collect()
    held.diffuse(0.1)
    assert (held.values[1:-1, 1:-1] == held.values[1, 1]).all() or dimensions == 3


def test_arrays_stay_true_when_steps_are_cancelled():
    field = juxta.Field(0, 1, (1000, 1000), edges="wall")
    field.values[:, ::3] = 9
    view, start = field.values, field.values.copy()
    with pytest.raises(juxta.errors.Cancelled, match=r"after [1-9]\d* of 20000 steps"):
        field.diffuse(0.2, steps=20_000, progress=lambda _, done, total: done == 0)
    assert np.array_equal(view, field.values) and not np.array_equal(view, start), "some of the steps are done"


def test_arrays_keep_the_field_alive():
    view = random_field(seed=5).values[2:]
    gc.collect()
    rows = view.copy()
    junk = [random_field(seed=s) for s in range(20)]  # other memory is taken
    assert np.array_equal(view, rows) and np.array_equal(view, random_field(seed=5).values[2:]) and junk


def test_special_values_are_refused():
    field = random_field()
    before = field.state_hash
    with pytest.raises(juxta.errors.InvalidArgument) as outside:
        field.deposit([[1, 1], [1, 99]], 1)
    assert outside.value.index == 1
    for call in (field.sample, field.gradient, lambda points: field.deposit(points, 1)):
        with pytest.raises(juxta.errors.NotFinite) as bad:
            call([[1, 1], [2, 2], [np.nan, 1]])
        assert bad.value.index == 2
    with pytest.raises(juxta.errors.NotFinite):
        field.deposit([[1, 1]], [np.inf])
    assert field.state_hash == before
    field.values[3, 4] = np.nan
    with pytest.raises(juxta.errors.NotFinite) as cell:
        field.diffuse(0.1)
    assert cell.value.index == 3 * 11 + 4 and np.isnan(field.values[3, 4])


@pytest.mark.parametrize(
    "call,error,sentence",
    [
        (lambda f: f.diffuse(0.3), juxta.errors.InvalidArgument, "amount"),
        (lambda f: f.diffuse(0.1, decay=2), juxta.errors.InvalidArgument, "decay"),
        (lambda f: f.diffuse(0.1, component=1), juxta.errors.InvalidArgument, "component 1"),
        (lambda f: f.diffuse(0.1, component=2**32 - 1), juxta.errors.InvalidArgument, "component"),
        (lambda f: f.diffuse(0.1, steps=-1), ValueError, "steps is -1"),
        (lambda f: f.diffuse(0.1, steps=2**40), ValueError, "steps is"),
        (lambda f: f.total(-1), ValueError, "component is -1"),
        (lambda f: f.fill(1, 3), juxta.errors.InvalidArgument, "component 3"),
        (lambda f: f[1], IndexError, "component 1"),
        (lambda f: f.__setitem__(0, np.zeros((2, 2))), ValueError, "broadcast"),
        (lambda f: f.sample(np.zeros((3, 3))), ValueError, r"points has shape \(3, 3\)"),
        (lambda f: f.sample((np.zeros(3), np.zeros(2))), ValueError, r"y has shape \(2,\)"),
        (lambda f: f.sample([[1, 1]], method="cubic"), ValueError, "method is 'cubic'"),
        (lambda f: f.sample([[1, 1]], threads=2000), ValueError, "threads is 2000"),
        (lambda f: f.deposit([[1, 1]], [1, 2]), ValueError, r"amounts has shape \(2,\)"),
        (lambda f: juxta.Field(0, 1, (4,)), ValueError, "cells has shape"),
        (lambda f: juxta.Field(0, 1, (4, 0)), juxta.errors.InvalidArgument, "Axis y"),
        (lambda f: juxta.Field(0, 1, (4, 2.5)), TypeError, "cells"),
        (lambda f: juxta.Field(0, 1, (2**24, 2**24)), juxta.errors.TooLarge, "cells"),
        (lambda f: juxta.Field(1, 1, (4, 4)), juxta.errors.InvalidArgument, "hi must be above lo"),
        (lambda f: juxta.Field(0, np.inf, (4, 4)), juxta.errors.NotFinite, "Axis x"),
        (lambda f: juxta.Field(0, 1, (4, 4), edges="round"), ValueError, "edges is 'round'"),
        (lambda f: juxta.Field(0, 1, (4, 4), components=65), juxta.errors.InvalidArgument, "components"),
        (lambda f: juxta.Field.__new__(juxta.Field).values, ValueError, "not initialised"),
    ],
)
def test_wrong_arguments(call, error, sentence):
    with pytest.raises(error, match=sentence):
        call(random_field())


def test_save_and_load(tmp_path):
    field = random_field(3, ["wall", "periodic", "open"], components=3)
    field.save(tmp_path / "field")
    again = juxta.Field.load(tmp_path / "field")
    assert again.state_hash == field.state_hash and len(again) == 3 and again.edges == ("wall", "periodic", "open")
    assert np.array_equal(again.lo, [0, 0, 0]) and np.array_equal(again.hi, SHAPES[3])
    assert np.array_equal(again.cell_size, [1, 1, 1]) and "6 x 5 x 4 cells, 3 components" in repr(again)
    for one in (field, again):
        one.diffuse(0.1, steps=5)
    assert again.state_hash == field.state_hash
    flat = random_field(2, "wall")
    flat.save(tmp_path / "flat")
    assert juxta.Field.load(tmp_path / "flat").state_hash == flat.state_hash and flat.edges == ("wall", "wall")
    with pytest.raises(juxta.errors.IoError):
        juxta.Field.load(tmp_path / "none")
    (tmp_path / "field").write_bytes((tmp_path / "field").read_bytes()[:-1])
    with pytest.raises(juxta.errors.CorruptFile):
        juxta.Field.load(tmp_path / "field")


def test_steps_release_the_gil_and_refuse_a_second_change():
    field = juxta.Field(0, 1, (1500, 1500), edges="wall")
    field.values[700:800, 700:800] = 1
    inside, refused = threading.Event(), []

    def listen(*_):
        inside.set()

    worker = threading.Thread(target=lambda: field.diffuse(0.2, steps=400, progress=listen))
    worker.start()
    inside.wait()
    while worker.is_alive():
        try:
            field.fill(1)
        except RuntimeError as error:
            refused.append(str(error))
            break
    worker.join()
    assert refused and "using this object" in refused[0]
    assert field.total() == pytest.approx(10_000, rel=1e-6)


def test_an_empty_list_of_points():
    field = random_field()
    assert field.sample(np.zeros((0, 2))).shape == (0,) and field.gradient(np.zeros((0, 2))).shape == (0, 2)
    before = field.state_hash
    field.deposit(np.zeros((0, 2)), 1)
    field.diffuse(0.1, steps=0)
    assert field.state_hash == before and field.memory_bytes >= 4 * 77


def test_fields_of_a_simulation(tmp_path):
    world = juxta.Simulation([0, 0], [11, 7], dimensions=2, edges="wall", seed=3)
    scent = world.add_field("scent", (11, 7), components=2)
    alone = juxta.Field([0, 0], [11, 7], (11, 7), components=2, edges="wall")
    assert world.field("scent") is scent and world.field_names == ["scent"]
    points = np.random.default_rng(4).random((50, 2)) * [11, 7]
    for field in (scent, alone):
        view = field.values
        field.deposit(points, 2.0)
        field.diffuse(0.2, steps=3)
        assert np.array_equal(view, field.values)
    assert scent.state_hash == alone.state_hash
    world.end_step()
    world.save(tmp_path / "world.jxs")
    again = juxta.Simulation.load(tmp_path / "world.jxs")
    assert again.field("scent").state_hash == alone.state_hash and again.step == 1
    with pytest.raises(juxta.errors.NotFound, match="no field 'smell'"):
        world.field("smell")
    for name in ("", "scent"):
        with pytest.raises(juxta.errors.InvalidArgument):
            world.add_field(name, (3, 3))
    with pytest.raises(ValueError, match="along each axis"):
        world.add_field("deep", (3, 3, 3))
    with pytest.raises(juxta.errors.Error):
        juxta.Simulation(dimensions=2).add_field("endless", (3, 3))  # a field needs ends
    view = scent[1]
    del world, scent, field
    gc.collect()
    view += 1  # keeps the field and its simulation
    assert view.sum() == 77
