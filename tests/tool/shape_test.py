#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Runs juxta ray, juxta distance and juxta render as a user does, and compares with brute force.

Usage: shape_test.py JUXTA
"""
import itertools
import json
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import unittest

from pictures import read_png

JUXTA = ""


def juxta(*arguments, stdin=None):
    return subprocess.run([JUXTA, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=120)


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def along(a, way, t):
    return [x + y * t for x, y in zip(a, way)]


def ray_meets(triangle, origin, way):
    """t where the line meets the triangle, or None (Moeller, Trumbore)."""
    u, v = sub(triangle[1], triangle[0]), sub(triangle[2], triangle[0])
    p = cross(way, v)
    det = dot(u, p)
    if det == 0:
        return None
    s = sub(origin, triangle[0])
    q = cross(s, u)
    a, b, t = dot(s, p) / det, dot(way, q) / det, dot(v, q) / det
    return t if a >= 0 and b >= 0 and a + b <= 1 and t >= 0 else None


def point_to_triangle(p, triangle):
    """The distance, by the foot of the perpendicular or else the three edges."""
    a, b, c = triangle
    n = cross(sub(b, a), sub(c, a))
    nn = dot(n, n)
    best = min(point_to_edge(p, a, b), point_to_edge(p, b, c), point_to_edge(p, c, a))
    if nn > 0:
        s, t = dot(cross(sub(p, a), sub(c, a)), n) / nn, dot(cross(sub(b, a), sub(p, a)), n) / nn
        if s >= 0 and t >= 0 and s + t <= 1:
            best = min(best, abs(dot(n, sub(p, a))) / math.sqrt(nn))
    return best


def point_to_edge(p, a, b):
    way = sub(b, a)
    length = dot(way, way)
    t = min(max(dot(sub(p, a), way) / length, 0), 1) if length > 0 else 0
    return math.dist(p, along(a, way, t))


def edges_apart(a, b, c, d):
    """Two segments: the perpendicular of both, or from an end to the other."""
    u, v, w = sub(b, a), sub(d, c), sub(c, a)
    best = min(point_to_edge(a, c, d), point_to_edge(b, c, d), point_to_edge(c, a, b), point_to_edge(d, a, b))
    det = dot(u, u) * dot(v, v) - dot(u, v) ** 2
    if det > 1e-12:
        s = (dot(w, u) * dot(v, v) - dot(w, v) * dot(u, v)) / det
        t = (dot(w, u) * dot(u, v) - dot(w, v) * dot(u, u)) / det
        if 0 <= s <= 1 and 0 <= t <= 1:
            best = min(best, math.dist(along(a, u, s), along(c, v, t)))
    return best


def triangles_apart(first, second):
    edges = [(t[i], t[(i + 1) % 3]) for t in (first, second) for i in range(3)]
    return min([point_to_triangle(p, second) for p in first] + [point_to_triangle(p, first) for p in second] +
               [edges_apart(*e, *g) for e in edges[:3] for g in edges[3:]])


def ball(middle, radius, rings=8, sectors=12):
    """A closed mesh; coordinates are multiples of 1/64, exact in float."""
    exact = lambda x: round(x * 64) / 64
    vertices = [along(middle, [0, 1, 0], radius)]
    for ring in range(1, rings):
        for sector in range(sectors):
            a, b = math.pi * ring / rings, 2 * math.pi * sector / sectors
            way = [math.sin(a) * math.cos(b), math.cos(a), math.sin(a) * math.sin(b)]
            vertices.append([exact(x) for x in along(middle, way, radius)])
    vertices.append(along(middle, [0, -1, 0], radius))
    at = lambda ring, sector: 1 + (ring - 1) * sectors + sector % sectors
    faces = []
    for s in range(sectors):
        faces.append((0, at(1, s + 1), at(1, s)))
        faces.append((len(vertices) - 1, at(rings - 1, s), at(rings - 1, s + 1)))
        for ring in range(1, rings - 1):
            faces.append((at(ring, s), at(ring, s + 1), at(ring + 1, s)))
            faces.append((at(ring, s + 1), at(ring + 1, s + 1), at(ring + 1, s)))
    return vertices, faces


def glb(vertices, faces):
    """The mesh, at half its size below a node that is twice as large: exact in floats."""
    packed = b"".join(struct.pack("<3f", *(x / 2 for x in v)) for v in vertices)
    numbers = [i for face in faces for i in face]
    text = json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"children": [1], "scale": [2, 2, 2]}, {"mesh": 0}],
        "meshes": [{"name": "ball", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1},
                                                   {"attributes": {"POSITION": 0}, "mode": 0}]}],
        "buffers": [{"byteLength": len(packed) + 2 * len(numbers)}],
        "bufferViews": [{"buffer": 0, "byteLength": len(packed)},
                        {"buffer": 0, "byteOffset": len(packed), "byteLength": 2 * len(numbers)}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(vertices), "type": "VEC3"},
                      {"bufferView": 1, "componentType": 5123, "count": len(numbers), "type": "SCALAR"}]}).encode()
    text += b" " * (-len(text) % 4)
    packed += struct.pack(f"<{len(numbers)}H", *numbers)
    packed += bytes(-len(packed) % 4)
    return (struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(packed)) + struct.pack("<I4s", len(text), b"JSON") +
            text + struct.pack("<I4s", len(packed), b"BIN\0") + packed)


def timeless(text):
    """An answer without what differs from run to run, and from file to file."""
    told = json.loads(text) if text.startswith("{") else text
    return {k: v for k, v in told.items() if "seconds" not in k and k not in ("file", "files")} if isinstance(told, dict) else told


class ShapeTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.vertices, self.faces = ball([0, 0, 0], 2)
        self.ball = self.write("ball.obj", self.vertices, self.faces)

    def tearDown(self):
        self.scratch.cleanup()

    def write(self, name, vertices, faces):
        path = self.folder / name
        path.write_text("".join(f"v {v[0]} {v[1]} {v[2]}\n" for v in vertices) +
                        "".join(f"f {f[0] + 1} {f[1] + 1} {f[2] + 1}\n" for f in faces), encoding="utf-8")
        return path

    def triangles(self):
        return [[self.vertices[i] for i in face] for face in self.faces]

    def done(self, *arguments, stdin=None):
        result = juxta(*arguments, stdin=stdin)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def refused(self, *arguments, code=2, words=()):
        result = juxta(*arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_rays_against_all_triangles(self):
        numbers = random.Random(5)
        hits = 0
        for _ in range(40):
            origin = [numbers.randrange(-256, 256) / 64 for _ in range(3)]
            end = [numbers.randrange(-256, 256) / 64 for _ in range(3)]
            way = sub(end, origin)
            times = [(t, i) for i, triangle in enumerate(self.triangles())
                     if (t := ray_meets(triangle, origin, way)) is not None]
            for beyond, limit in (([], 1), (["--beyond"], math.inf)):
                told = json.loads(self.done("ray", self.ball, "--from", ",".join(map(str, origin)), "--to",
                                            ",".join(map(str, end)), "--json", *beyond))
                within = [t for t in times if t[0] <= limit]
                self.assertEqual(told["hit"], bool(within))
                if within:
                    hits += 1
                    t, triangle = min(within)
                    self.assertAlmostEqual(told["t"], t, delta=1e-5)
                    self.assertEqual(told["triangle"], triangle)
                    self.assertLess(math.dist(told["point"], along(origin, way, t)), 1e-5)
                    corners = self.triangles()[triangle]
                    normal = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]))
                    turned = -1 if dot(normal, way) > 0 else 1
                    for got, want in zip(told["normal"], normal):
                        self.assertAlmostEqual(got, turned * want / math.hypot(*normal), delta=1e-5)
        self.assertGreater(hits, 20)

    def test_ray_in_words(self):
        text = self.done("ray", self.ball, "--from", "-5,0.25,0.125", "--to", "5", "0.25", "0.125")
        self.assertEqual([line.split()[0] for line in text.splitlines()], ["triangle", "t", "point", "normal"])
        self.assertEqual(self.done("ray", self.ball, "--from", "-5,9,0", "--to", "5,9,0"), "nothing is hit\n")
        with open(self.ball, encoding="utf-8") as mesh:
            self.assertEqual(self.done("ray", "-", "--from", "-5,0.25,0.125", "--to", "5,0.25,0.125",
                                       stdin=mesh.read()), text)

    def test_distance_against_all_pairs(self):
        other_vertices, other_faces = ball([0, 0, 0], 1, 4, 6)
        other = self.write("other.obj", other_vertices, other_faces)
        for shift in ([4, 0.5, -1], [2.75, 1.5, 1.25], [0.25, 0, 0.125]):
            moved = [[along(other_vertices[i], shift, 1) for i in face] for face in other_faces]
            want = min(triangles_apart(a, b) for a, b in itertools.product(self.triangles(), moved))
            told = json.loads(self.done("distance", self.ball, other, "--shift", ",".join(map(str, shift)), "--json"))
            self.assertAlmostEqual(told["distance"], want, delta=1e-5)
            self.assertAlmostEqual(math.dist(told["on_first"], told["on_second"]), want, delta=1e-5)
            self.assertLess(point_to_triangle(told["on_first"], self.triangles()[told["first_triangle"]]), 1e-5)
            self.assertLess(point_to_triangle(told["on_second"], moved[told["second_triangle"]]), 1e-5)
            self.assertEqual(told["triangles"], [len(self.faces), len(other_faces)])
        text = self.done("distance", self.ball, other, "--shift", "2.5,0,0")
        self.assertIn("they meet", text)
        self.assertIn("distance  0", text)

    def test_gltf_says_what_obj_says(self):
        """The same ball as .glb, as .gltf with a buffer beside it, and without a name to tell it by."""
        whole = glb(self.vertices, self.faces)
        size = struct.unpack("<I", whole[12:16])[0]
        described = json.loads(whole[20:20 + size])
        described["buffers"][0]["uri"] = "ball.bin"
        for name, data in (("ball.glb", whole), ("ball.gltf", json.dumps(described).encode()),
                           ("ball.bin", whole[28 + size:]), ("ball", whole)):
            (self.folder / name).write_bytes(data)
        other = self.write("other.obj", *ball([3.5, 1, 0.25], 1, 4, 6))
        asked = {
            "ray": lambda mesh: ["ray", mesh, "--from", "-5,0.25,0.125", "--to", "5,0.25,0.125", "--json"],
            "distance": lambda mesh: ["distance", other, mesh, "--json"],
            "pairs": lambda mesh: ["pairs", mesh, "--sorted", "--out", "-"],
            "query": lambda mesh: ["query", mesh, "--box", "0,0,0,1,2,2"],
        }
        for name in ("ball.glb", "ball.gltf", "ball"):
            mesh = self.folder / name
            for what, arguments in asked.items():
                run = juxta(*arguments(mesh))
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertIn("skipped 1 primitive without triangles, from mesh 0 'ball', primitive 1 on", run.stderr)
                want = juxta(*arguments(self.ball))
                self.assertEqual(timeless(run.stdout), timeless(want.stdout), f"{what} {name}")
                self.assertGreater(len(want.stdout), 20)
            self.done("render", mesh, self.folder / "gltf.png", "--size", "60x40")
            self.done("render", self.ball, self.folder / "obj.png", "--size", "60x40")
            self.assertEqual((self.folder / "gltf.png").read_bytes(), (self.folder / "obj.png").read_bytes())
        broken = self.folder / "broken.glb"
        broken.write_bytes(whole[:-4])
        self.refused("ray", broken, "--from", "1,2,3", "--to", "0,0,0", code=1, words=["broken.glb", "truncated"])
        (self.folder / "ball.bin").unlink()
        self.refused("render", self.folder / "ball.gltf", self.folder / "x.png", code=1, words=["ball.bin"])
        scene = self.folder / "empty.gltf"
        scene.write_text('{"asset":{"version":"2.0"},"nodes":[{}]}', encoding="utf-8")
        self.refused("render", scene, self.folder / "x.png", words=["no triangle"])

    def test_saved_meshes(self):
        """A saved mesh answers as the OBJ that it is of, and says the same of itself."""
        obj, saved = self.folder / "rock.obj", self.folder / "rock.jxm"
        for rock in (obj, saved):
            self.done("generate", "mesh", "--triangles", "1500", "--seed", "3", "--out", rock)
        self.assertTrue(saved.read_bytes().startswith(b"JUXTAME\n"))
        for question in (lambda mesh: ["ray", mesh, "--from", "5,0.25,0.125", "--to", "0,0,0", "--json"],
                         lambda mesh: ["distance", mesh, self.ball, "--shift", "4,1,2", "--json"],
                         lambda mesh: ["distance", self.ball, mesh, "--shift", "4,1,2", "--json"]):
            want = timeless(self.done(*question(obj)))
            self.assertEqual(timeless(self.done(*question(saved))), want)
            self.assertGreater(len(want), 3)
        told = []
        for mesh in (obj, saved):
            text = self.done("render", mesh, self.folder / f"{mesh.name}.png", "--size", "60x40", "--json")
            told.append({key: value for key, value in json.loads(text).items() if "second" not in key})
        self.assertEqual(told[0], told[1])
        self.assertEqual((self.folder / "rock.obj.png").read_bytes(), (self.folder / "rock.jxm.png").read_bytes())
        # Told by content, not by name.
        renamed = self.folder / "rock.obj2"
        renamed.write_bytes(saved.read_bytes())
        self.assertIn("triangle", self.done("ray", renamed, "--from", "5,0,0", "--to", "0,0,0"))
        good = saved.read_bytes()
        saved.write_bytes(good[:5000] + bytes([good[5000] ^ 1]) + good[5001:])
        self.refused("ray", saved, "--from", "5,0,0", "--to", "0,0,0", code=1, words=["rock.jxm"])
        saved.write_bytes(good)
        self.refused("render", saved, saved, words=["rock.jxm"])
        self.assertEqual(saved.read_bytes(), good)
        with saved.open("rb") as file:
            run = subprocess.run([JUXTA, "ray", "-", "--from", "5,0,0", "--to", "0,0,0"], stdin=file,
                                 capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 2)
        self.assertIn("give the name", run.stderr)

    def test_picture_against_rays(self):
        """Every 7th pixel, whether it shows the mesh, by the same camera in doubles."""
        out = self.folder / "ball.png"
        eye = [3.0, 2.0, 6.0]
        told = json.loads(self.done("render", self.ball, out, "--size", "60x40", "--eye", "3,2,6", "--at", "0,0,0",
                                    "--shade", "normal", "--json"))
        width, height, rows = read_png(out)
        self.assertEqual((width, height, told["rays"], told["triangles"], told["closed"]),
                         (60, 40, 2400, len(self.faces), True))
        self.assertEqual(sum(pixel != (255, 255, 255) for row in rows for pixel in row), told["hits"])
        unit = lambda v: [x / math.hypot(*v) for x in v]
        forward = unit([-x for x in eye])
        right = unit(cross(forward, [0, 1, 0]))
        up = cross(right, forward)
        tan, shown = math.tan(math.radians(20)), 0
        for i in range(0, width * height, 7):
            x, y = i % width, i // width
            way = along(along(forward, right, tan * 1.5 * ((2 * x + 1) / width - 1)), up, tan * (1 - (2 * y + 1) / height))
            meets = [(t, k) for k, triangle in enumerate(self.triangles())
                     if (t := ray_meets(triangle, eye, way)) is not None]
            pixel = rows[y][x]
            self.assertEqual(pixel != (255, 255, 255), bool(meets), f"pixel {x}, {y}")
            if meets:
                shown += 1
                corners = self.triangles()[min(meets)[1]]
                normal = unit(cross(sub(corners[1], corners[0]), sub(corners[2], corners[0])))
                turned = -1 if dot(normal, way) > 0 else 1
                for got, want in zip(pixel, normal):
                    self.assertAlmostEqual(got, (turned * want + 1) * 127.5, delta=1)
        self.assertGreater(shown, 50)

    def test_pictures_do_not_depend_on_threads(self):
        pictures = []
        for threads in (1, 2, 3):
            out = self.folder / f"{threads}.png"
            text = self.done("render", self.ball, out, "--size", "97x83", "--threads", threads)
            self.assertIn("rays per second", text)
            pictures.append(out.read_bytes())
        self.assertEqual(pictures[0], pictures[1])
        self.assertEqual(pictures[0], pictures[2])
        width, height, rows = read_png(self.folder / "1.png")
        # The whole mesh is seen: nothing of it at the edges, much of it inside.
        edge = rows[0] + rows[-1] + [row[0] for row in rows] + [row[-1] for row in rows]
        self.assertEqual(set(edge), {(255, 255, 255)})
        self.assertGreater(sum(p != (255, 255, 255) for row in rows for p in row), width * height // 8)
        depth = self.folder / "depth.png"
        self.done("render", self.ball, depth, "--size", "97x83", "--shade", "depth")
        self.assertNotEqual(depth.read_bytes(), pictures[0])
        self.done("render", self.ball, depth, "--eye", "0,9,0", "--at", "0,0,0", "--size", "8x8")  # straight down

    def test_generated_rock(self):
        rock = self.folder / "rock.obj"
        self.assertEqual(self.done("generate", "mesh", "--triangles", "1500", "--seed", "3", "--out", rock), "")
        self.assertEqual(rock.read_text(encoding="utf-8"),
                         self.done("generate", "mesh", "--triangles", "1500", "--seed", "3"))
        self.assertNotEqual(rock.read_text(encoding="utf-8"),
                            self.done("generate", "mesh", "--triangles", "1500", "--seed", "4"))
        text = self.done("render", rock, self.folder / "rock.png", "--size", "60x40")
        self.assertIn("1,568 triangles, closed", text)  # 8 * 14^2
        self.refused("generate", "mesh", "--triangles", "0", words=["--triangles"])
        self.refused("generate", "mesh", "--out", self.folder / "none" / "rock.obj", code=1, words=["none"])

    def test_refusals(self):
        ball_file = self.ball
        self.refused("ray", ball_file, "--from", "1,2", "--to", "1,2,3", words=["--from", "x,y,z"])
        self.refused("ray", ball_file, "--from", "1,2,inf", "--to", "1,2,3", words=["--from"])
        self.refused("ray", ball_file, "--from", "1,2,3", "--to", "1,2,3", words=["same point"])
        self.refused("ray", ball_file, "--from", "1,2,3", words=["--to"])
        self.refused("ray", self.folder / "none.obj", "--from", "1,2,3", "--to", "0,0,0", code=1, words=["none.obj"])
        broken = self.folder / "broken.obj"
        broken.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", encoding="utf-8")
        self.refused("distance", ball_file, broken, code=1, words=["broken.obj:4"])
        table = self.folder / "boxes.csv"
        table.write_text("minx,miny\n1,2\n", encoding="utf-8")
        self.refused("distance", table, ball_file, words=["OBJ"])
        self.refused("distance", "-", "-", words=["standard input"])
        self.refused("render", ball_file, self.folder / "x.png", "--size", "12", words=["--size", "640x480"])
        self.refused("render", ball_file, self.folder / "x.png", "--size", "0x9", words=["--size"])
        self.refused("render", ball_file, self.folder / "x.png", "--eye", "0,0,0", "--at", "0,0,0", words=["--eye"])
        self.refused("render", ball_file, self.folder / "no" / "x.png", code=1, words=["x.png"])
        self.refused("render", ball_file, self.folder / "x.png", "--shade", "pink", words=["--shade"])
        self.assertFalse((self.folder / "x.png").exists())
        empty = self.folder / "empty.obj"
        empty.write_text("v 0 0 0\n", encoding="utf-8")
        self.refused("render", empty, self.folder / "x.png", words=["no triangle"])


if __name__ == "__main__":
    JUXTA = sys.argv.pop(1)
    unittest.main()
