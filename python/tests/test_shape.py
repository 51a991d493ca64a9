# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Shape: one shape, and two."""

import gc

import numpy as np
import pytest

import juxta

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float32)
CUBE_TRIANGLES = [
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
]  # fmt: skip


def half_turn():
    return juxta.transforms([10, 0, 0], [0, 0, 1, 0])  # about z


class TestTransforms:
    def test_layout(self):
        one = juxta.transforms([1, 2, 3], scale=2)
        assert one.shape == () and one.dtype == juxta.WORLD and one["scale"] == 2
        assert one["rotation"].tolist() == [0, 0, 0, 1] and one["stretch"].tolist() == [1, 1, 1]
        many = juxta.transforms(np.arange(6).reshape(2, 3), context=[7, 8])
        assert many.shape == (2,) and many["context"].tolist() == [7, 8]
        assert juxta.WORLD.itemsize == 48 and juxta.LOCAL.itemsize == 32

    def test_wrong_shapes(self):
        with pytest.raises(ValueError, match=r"position has shape \(2,\)"):
            juxta.transforms([1, 2])
        with pytest.raises(ValueError, match="position has 2, scale has 3"):
            juxta.transforms(np.zeros((2, 3)), scale=[1, 2, 3])

    @pytest.mark.parametrize(
        "at",
        [
            [10, 0, 0],
            np.array([10.0, 0, 0]),
            [10, 0, 0, 0, 0, 0, 1],
            juxta.transforms([10, 0, 0]),
            juxta.transforms([[10, 0, 0]])[0],
            juxta.local_transforms([10, 0, 0]),
        ],
    )
    def test_places_in_many_forms(self, at):
        assert juxta.Shape.sphere(1).bounds(at).tolist() == [[9, -1, -1], [11, 1, 1]]

    def test_wrong_places(self):
        ball = juxta.Shape.sphere(1)
        with pytest.raises(ValueError, match=r"at has shape \(4, 4\)"):
            ball.bounds(np.eye(4))
        with pytest.raises(ValueError, match="Give one"):
            ball.overlaps(ball, at=np.zeros((2, 3)))
        with pytest.raises(juxta.errors.InvalidArgument):
            ball.bounds(juxta.transforms([0, 0, 0], scale=0))
        with pytest.raises(TypeError):
            ball.bounds("here")


class TestKinds:
    def test_what_they_are(self):
        heights = np.zeros((3, 4), np.float32)
        shapes = {
            "sphere": juxta.Shape.sphere(1),
            "capsule": juxta.Shape.capsule([0, 0, 0], [0, 2, 0], 0.5),
            "box": juxta.Shape.box([1, 2, 3]),
            "triangle": juxta.Shape.triangle([0, 0, 0], [1, 0, 0], [0, 1, 0]),
            "hull": juxta.Shape.hull(CUBE),
            "mesh": juxta.Shape.mesh(CUBE, CUBE_TRIANGLES),
            "height_field": juxta.Shape.height_field(heights, 0.5),
        }
        shapes["compound"] = juxta.Shape.compound(list(shapes.values()), np.zeros((7, 3)))
        for kind, shape in shapes.items():
            assert shape.kind == kind and kind in repr(shape)
            assert shape.convex == (kind in {"sphere", "capsule", "box", "triangle", "hull"})
        assert shapes["mesh"].closed and shapes["mesh"].triangles().shape == (12, 3, 3)
        assert np.array_equal(shapes["height_field"].heights, heights)
        assert sorted(map(tuple, shapes["hull"].vertices)) == sorted(map(tuple, CUBE))
        assert shapes["hull"].faces.shape == (6, 4)
        with pytest.raises(ValueError, match="this shape is a sphere, not a mesh"):
            shapes["sphere"].triangles()

    def test_no_class_call(self):
        with pytest.raises(TypeError):
            juxta.Shape()

    def test_views_are_read_only_and_keep_the_shape(self):
        view = juxta.Shape.hull(np.random.default_rng(1).normal(size=(1000, 3))).vertices
        before = view.copy()
        gc.collect()
        juxta.Shape.hull(np.random.default_rng(2).normal(size=(1000, 3)))
        assert not view.flags.writeable and np.array_equal(view, before)
        with pytest.raises(ValueError):
            view[0] = 0

    def test_compounds_keep_their_parts(self):
        parts = [juxta.Shape.hull(CUBE + 3 * i) for i in range(5)]
        both = juxta.Shape.compound(parts, np.zeros((5, 3)))
        del parts
        gc.collect()
        assert both.bounds().tolist() == [[0, 0, 0], [13, 13, 13]]

    def test_refused(self):
        with pytest.raises(juxta.errors.InvalidArgument):
            juxta.Shape.sphere(-1)
        with pytest.raises(juxta.errors.NotFinite):
            juxta.Shape.sphere(np.nan)
        with pytest.raises(juxta.errors.InvalidArgument) as caught:
            juxta.Shape.mesh(CUBE, [[0, 1, 2], [0, 1, 8]])
        assert caught.value.index == 1
        with pytest.raises(ValueError, match="triangles has shape"):
            juxta.Shape.mesh(CUBE, [0, 1, 2])
        with pytest.raises(TypeError, match="triangles holds float64"):
            juxta.Shape.mesh(CUBE, [[0.0, 1.0, 2.0]])
        with pytest.raises(juxta.errors.NotFinite):
            juxta.Shape.hull([[0, 0, np.inf]])
        with pytest.raises(ValueError):
            juxta.Shape.hull(np.empty((0, 3)))
        with pytest.raises(ValueError, match="quaternion"):
            juxta.Shape.box([1, 1, 1], rotation=[0, 0, 1])
        with pytest.raises(TypeError, match="shapes holds 3"):
            juxta.Shape.compound([juxta.Shape.sphere(1), 3])
        inner = juxta.Shape.compound([juxta.Shape.sphere(1)])
        with pytest.raises(juxta.errors.InvalidArgument):
            juxta.Shape.compound([inner])


class TestQuestions:
    def test_rays(self):
        ball = juxta.Shape.sphere(1)
        hit = ball.raycast([-5, 0, 0], [1, 0, 0])
        assert hit.body == 0 and hit.t == 4 and hit.point.tolist() == [-1, 0, 0] and hit.normal.tolist() == [-1, 0, 0]
        assert ball.raycast([-5, 2, 0], [1, 0, 0]).body == -1
        assert ball.raycast([-5, 0, 0], [1, 0, 0], max=3.9).body == -1
        moved = ball.raycast([-5, 0, 0], [1, 0, 0], at=half_turn())
        assert moved.t == 14

    def test_many_rays_are_those_alone(self):
        rng = np.random.default_rng(3)
        mesh = juxta.Shape.mesh(CUBE, CUBE_TRIANGLES)
        origin = rng.normal(size=(200, 3)).astype(np.float32) * 3
        way = rng.random((200, 3)).astype(np.float32) - origin
        for threads in [1, 2]:
            hits = mesh.raycast(origin, way, threads=threads)
            assert (hits.body == 0).all() and hits.triangle.max() < 12 and (hits.part == -1).all()
            for i in range(200):
                one = mesh.raycast(origin[i], way[i])
                assert (one.t, one.triangle) == (hits.t[i], hits.triangle[i])
                assert np.array_equal(one.point, hits.point[i]) and np.array_equal(one.normal, hits.normal[i])

    def test_every_surface_on_a_ray(self):
        # 20 sheets at z = 0, -1, ...: more hits than the buffer of the first call holds.
        z = -np.arange(20, dtype=np.float32)
        corners = np.array([[-1, -1, 0], [3, -1, 0], [-1, 3, 0]], np.float32)
        sheets = (corners[None] + np.stack([0 * z, 0 * z, z], axis=1)[:, None]).reshape(-1, 3)
        mesh = juxta.Shape.mesh(sheets, np.arange(60).reshape(20, 3))
        hits = mesh.raycast_every((0, 0, 2), (0, 0, -1))
        assert np.array_equal(hits.triangle, np.arange(20)) and np.allclose(hits.t, 2 - z)
        assert (hits.body == 0).all() and (hits.part == -1).all() and np.allclose(hits.normal, [0, 0, 1])
        assert np.array_equal(mesh.raycast_every((0, 0, 2), (0, 0, -1), max=5.5).triangle, np.arange(4))
        origin = np.random.default_rng(6).uniform(-2, 2, (100, 3)).astype(np.float32) + np.float32([0, 0, 4])
        way = np.array([0.1, 0.05, -1], np.float32)
        for threads in [1, 2]:
            many = mesh.raycast_every(origin, way, at=(0.5, 0, 0), threads=threads, dtype="uint32")
            assert many.triangle.dtype == np.uint32 and many.offsets.shape == (101,)
            first = mesh.raycast(origin, way, at=(0.5, 0, 0))
            for i in range(100):
                row = slice(many.offsets[i], many.offsets[i + 1])
                t = (origin[i, 2] - z) / 1
                x, y = origin[i, 0] - 0.5 + 0.1 * t, origin[i, 1] + 0.05 * t
                inside = (x > -1) & (y > -1) & (x + y < 2)
                assert np.array_equal(many.triangle[row], np.flatnonzero(inside))
                assert np.allclose(many.t[row], t[inside], rtol=1e-5)
                assert first.t[i] == (many.t[row][0] if inside.any() else np.inf)
        ball = juxta.Shape.compound([juxta.Shape.sphere(1)] * 2, [(0, 0, 0), (0, 0, -3)])
        two = ball.raycast_every((0, 0, 5), (0, 0, -1))
        assert two.part.tolist() == [0, 1] and two.t == pytest.approx([4, 7])

    def test_closest_and_overlaps(self):
        a, b = juxta.Shape.sphere(1), juxta.Shape.box([1, 1, 1])
        near = a.closest(b, other_at=[5, 0, 0])
        assert near.distance == pytest.approx(3) and near.on_a.tolist() == pytest.approx([1, 0, 0])
        assert near.normal.tolist() == pytest.approx([1, 0, 0]) and near.part_a.tolist() == [-1, -1]
        assert np.isinf(a.closest(b, other_at=[5, 0, 0], max_distance=2).distance)
        assert a.closest(a, other_at=[1.5, 0, 0]).distance == pytest.approx(-0.5)
        assert a.overlaps(b, other_at=[2, 0, 0]) and not a.overlaps(b, other_at=[2.01, 0, 0])

    def test_contains(self):
        rng = np.random.default_rng(4)
        points = rng.random((5000, 3)) * 2 - 0.5
        inside = ((points > 0) & (points < 1)).all(axis=1)
        for shape in [juxta.Shape.hull(CUBE), juxta.Shape.mesh(CUBE, CUBE_TRIANGLES)]:
            for threads in [1, 2]:
                got = shape.contains(points, threads=threads)
                assert got.dtype == bool and np.array_equal(got, inside)
        assert juxta.Shape.sphere(1).contains([0, 0, 0.5]) is True

    def test_cast_and_contact(self):
        ball, floor = juxta.Shape.sphere(1), juxta.Shape.box([9, 1, 9])
        hit = ball.cast([0, -10, 0], floor, at=[0, 6, 0])
        assert hit.body == 0 and hit.t == pytest.approx(0.4, abs=1e-4) and hit.normal.tolist() == pytest.approx([0, 1, 0])
        assert ball.cast([0, 10, 0], floor, at=[0, 6, 0]).body == -1
        box = juxta.Shape.box([1, 1, 1])
        touch = box.contact(floor, at=[0, 2, 0], margin=0.1)
        assert touch.points.shape == (4, 3) and touch.distances == pytest.approx(np.zeros(4), abs=1e-5)
        mesh = juxta.Shape.mesh(CUBE, CUBE_TRIANGLES)
        with pytest.raises(ValueError, match="not convex"):
            mesh.cast([1, 0, 0], ball)
        with pytest.raises(ValueError, match="other is not convex"):
            ball.contact(mesh)

    @pytest.mark.parametrize("margin", [-1e-30, -1.0, float("-inf"), float("nan")])
    def test_no_margin_finds_nothing(self, margin):
        ball, floor = juxta.Shape.sphere(1), juxta.Shape.box([9, 1, 9])
        assert len(ball.contact(floor, at=[0, 1, 0]).points) == 1
        assert len(ball.contact(floor, at=[0, 1, 0], margin=margin).points) == 0
        assert len(ball.contacts(floor, at=[0, 1, 0], margin=margin).points) == 0

    def test_contacts_of_any_kinds(self):
        box, floor = juxta.Shape.box([1, 1, 1]), juxta.Shape.box([9, 1, 9])
        touch = box.contact(floor, at=[0, 2, 0], margin=0.1)
        one = box.contacts(floor, at=[0, 2, 0], margin=0.1)
        assert one.count.tolist() == [4] and np.array_equal(one.normal, [touch.normal])
        assert np.array_equal(one.points[0], touch.points) and np.array_equal(one.features[0], touch.features)
        assert len(set(touch.features)) == 4 and touch.features.dtype == np.uint32
        assert one.part_a.tolist() == one.part_b.tolist() == [[-1, -1]]
        corner = juxta.Shape.compound([floor, juxta.Shape.box([1, 9, 9])], [(0, 0, 0), (-2, 0, 0)])
        two = box.contacts(corner, at=[0, 1.99, 0], margin=0.02)
        assert two.part_b.tolist() == [[0, -1], [1, -1]] and two.count.tolist() == [4, 4]
        assert two.normal == pytest.approx(np.array([[0, -1, 0], [-1, 0, 0]]), abs=1e-5)
        assert box.contacts(corner, at=[0, 1.99, 0], margin=0.02, dtype="uint32").part_b.dtype == np.uint32
        assert box.contacts(floor, at=[0, 5, 0]).points.shape == (0, 4, 3)

    def test_mass_and_bounds(self):
        mass = juxta.Shape.box([1, 2, 3]).mass([1, 0, 0])
        assert mass.volume == pytest.approx(48) and mass.center.tolist() == [1, 0, 0]
        assert np.diag(mass.inertia) == pytest.approx([48 / 3 * (4 + 9), 48 / 3 * (1 + 9), 48 / 3 * (1 + 4)])
        boxes = juxta.Shape.sphere(1).bounds(np.array([[0, 0, 0], [5, 0, 0]]))
        assert boxes.tolist() == [[[-1, -1, -1], [1, 1, 1]], [[4, -1, -1], [6, 1, 1]]]


class TestMesh:
    """Buffers, qualities, new places, files."""

    def rays(self):
        rng = np.random.default_rng(5)
        origin = rng.uniform(-3, 3, (200, 3)).astype(np.float32)
        return origin, rng.uniform(-0.9, 0.9, (200, 3)).astype(np.float32) - origin

    def same(self, a, b):
        for x, y in zip(a.raycast(*self.rays()), b.raycast(*self.rays())):
            np.testing.assert_array_equal(x, y)

    def test_buffers_and_qualities(self):
        right = juxta.Shape.mesh(CUBE, CUBE_TRIANGLES)
        rows = np.zeros(8, dtype=[("color", "u4"), ("position", "f4", 3), ("uv", "f4", 2)])
        rows["position"] = CUBE
        for triangles in [np.asarray(CUBE_TRIANGLES, dtype=t) for t in ("u2", "u4", "i4", "i8")]:
            for quality in ("default", "fast", "best"):
                self.same(right, juxta.Shape.mesh(rows["position"], triangles, quality=quality))
        with pytest.raises(ValueError, match="quality is 'finest'. Give one of 'default', 'fast', 'best'"):
            juxta.Shape.mesh(CUBE, CUBE_TRIANGLES, quality="finest")

    @pytest.mark.parametrize("kind", ["mesh", "height_field"])
    def test_adjoin(self, kind):
        def tile():
            if kind == "height_field":
                return juxta.Shape.height_field(np.zeros((5, 5)))
            side = np.arange(5, dtype=np.float32)
            grid = np.stack([np.tile(side, 5), np.zeros(25, np.float32), np.repeat(side, 5)], axis=1)
            first = (np.arange(4)[:, None] * 5 + np.arange(4)).ravel()
            cut = [(first, first + 6, first + 1), (first, first + 5, first + 6)]
            return juxta.Shape.mesh(grid, np.concatenate([np.stack(c, axis=1) for c in cut]))

        left, right, ball = tile(), tile(), juxta.Shape.sphere(0.5)
        there = dict(other_at=[4, 0, 0])

        def sideways():
            found = ball.contacts(left, at=[4.1, 0.49, 2.3], margin=0.01)
            return bool(np.any(np.abs(found.normal[:, 1]) < 0.9999))

        assert sideways()
        assert left.adjoin(right, **there) == 4
        assert not sideways()
        left.forget_adjoined()
        assert sideways()
        assert left.adjoin(left, **there) == 4
        assert left.adjoin(right, other_at=[4.1, 0, 0]) == 0
        assert left.adjoin(right, other_at=[4.1, 0, 0], within=0.2) == 4
        with pytest.raises(ValueError, match="not a mesh or height field"):
            ball.adjoin(left)
        with pytest.raises(juxta.errors.InvalidArgument):
            left.adjoin(ball)

    def test_refit(self):
        moved = np.asarray(CUBE, dtype=np.float32) * 1.5 + 0.25
        mesh = juxta.Shape.mesh(CUBE, CUBE_TRIANGLES)
        mesh.refit(moved)
        self.same(mesh, juxta.Shape.mesh(moved, CUBE_TRIANGLES))
        assert mesh.closed
        with pytest.raises(juxta.errors.NotFinite) as wild:
            mesh.refit(np.where(np.arange(24).reshape(8, 3) == 10, np.nan, moved))
        assert wild.value.index == 3
        with pytest.raises(juxta.errors.InvalidArgument):
            mesh.refit(moved[:7])
        with pytest.raises(ValueError, match="this shape is a sphere, not a mesh"):
            juxta.Shape.sphere(1).refit(moved)
        self.same(mesh, juxta.Shape.mesh(moved, CUBE_TRIANGLES))

    def test_save_and_open(self, tmp_path):
        mesh = juxta.Shape.mesh(CUBE, CUBE_TRIANGLES, quality="fast")
        path = tmp_path / "cube.jxm"
        mesh.save(path)
        opened = juxta.Shape.open_mesh(path)
        self.same(mesh, opened)
        assert opened.closed and opened.kind == "mesh"
        opened.refit(np.asarray(CUBE) * 2)
        self.same(juxta.Shape.open_mesh(str(path)), mesh)
        content = bytearray(path.read_bytes())
        content[5000] ^= 1
        (tmp_path / "damaged.jxm").write_bytes(content)
        with pytest.raises(juxta.errors.CorruptFile, match="checksum"):
            juxta.Shape.open_mesh(tmp_path / "damaged.jxm")
        with pytest.raises(OSError):
            juxta.Shape.open_mesh(tmp_path / "none.jxm")
        with pytest.raises(ValueError, match="not a mesh"):
            juxta.Shape.sphere(1).save(path)
