#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Runs juxta scene as a user does, and compares world transforms with matrices multiplied in double precision.

Usage: scene_test.py JUXTA [FOLDER]       FOLDER: real glTF files, where they are present
"""
import base64
import csv
import io
import json
import math
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

JUXTA = ""
FOLDER = None


def juxta(*arguments, stdin=None):
    return subprocess.run([JUXTA, "scene", *map(str, arguments)], input=stdin, capture_output=True, timeout=120)


def times(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def rotation_matrix(q):
    x, y, z, w = (c / math.sqrt(sum(c * c for c in q)) for c in q)
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def matrix_of(place):
    turn, scale = rotation_matrix(place["rotation"]), place["scale"]
    return [[turn[r][c] * scale[c] for c in range(3)] + [place["translation"][r]] for r in range(3)] + [[0, 0, 0, 1]]


def slerp(a, b, t):
    a, b = ([c / math.sqrt(sum(k * k for k in q)) for c in q] for q in (a, b))  # real files round their keys
    cosine = sum(p * q for p, q in zip(a, b))
    sign, angle = math.copysign(1, cosine), math.acos(min(abs(cosine), 1))
    if angle < 1e-7:
        return b
    return [(math.sin((1 - t) * angle) * p + sign * math.sin(t * angle) * q) / math.sin(angle) for p, q in zip(a, b)]


class Oracle:
    """Reads a glTF file as its specification says, slowly."""

    def __init__(self, path):
        data = path.read_bytes()
        self.chunk = b""
        if data[:4] == b"glTF":
            length = struct.unpack_from("<I", data, 12)[0]
            self.chunk, data = data[20 + length + 8:], data[20:20 + length]
        self.json = json.loads(data)
        self.nodes = self.json["nodes"]

    def numbers(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        buffer = self.json["buffers"][view["buffer"]]
        data = base64.b64decode(buffer["uri"].split(",")[1]) if "uri" in buffer else self.chunk
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
        assert accessor["componentType"] == 5126
        start, stride = view.get("byteOffset", 0) + accessor.get("byteOffset", 0), view.get("byteStride", 4 * width)
        return [struct.unpack_from(f"<{width}f", data, start + i * stride) for i in range(accessor["count"])]

    def places(self, animation=None, time=0):
        standard = {"translation": (0, 0, 0), "rotation": (0, 0, 0, 1), "scale": (1, 1, 1)}
        places = [{**standard, **{k: node[k] for k in standard if k in node}} for node in self.nodes]
        for channel in self.json["animations"][animation]["channels"] if animation is not None else []:
            sampler = self.json["animations"][animation]["samplers"][channel["sampler"]]
            keys, values = [k[0] for k in self.numbers(sampler["input"])], self.numbers(sampler["output"])
            assert sampler.get("interpolation", "LINEAR") == "LINEAR"
            after = next((i for i, key in enumerate(keys) if key > time), len(keys))
            if after in (0, len(keys)):
                value = values[min(after, len(keys) - 1)]
            else:
                t = (time - keys[after - 1]) / (keys[after] - keys[after - 1])
                a, b = values[after - 1], values[after]
                turn = channel["target"]["path"] == "rotation"
                value = slerp(a, b, t) if turn else [p + (q - p) * t for p, q in zip(a, b)]
            places[channel["target"]["node"]][channel["target"]["path"]] = value
        return places

    def worlds(self, animation=None, time=0):
        local = [matrix_of(place) for place in self.places(animation, time)]
        world, parents = [None] * len(local), self.parents()

        def get(node):
            if world[node] is None:
                world[node] = local[node] if parents[node] is None else times(get(parents[node]), local[node])
            return world[node]

        return [get(node) for node in range(len(local))]

    def parents(self):
        parents = [None] * len(self.nodes)
        for i, node in enumerate(self.nodes):
            for child in node.get("children", []):
                parents[child] = i
        return parents


def random_scene(count, seed):
    """A forest with names, in no order, that an animation turns, moves and scales."""
    draws = random.Random(seed)
    shuffled = draws.sample(range(count), count)
    nodes = [{} for _ in range(count)]
    for place, i in enumerate(shuffled):
        nodes[i] = {"name": f'Node {i}, "{i}"', "translation": [draws.uniform(-1, 1) for _ in range(3)]}
        q = [draws.gauss(0, 1) for _ in range(4)]
        nodes[i]["rotation"] = [c / math.sqrt(sum(p * p for p in q)) for c in q]
        nodes[i]["scale"] = [draws.choice([.5, 1, 1.25])] * 3
        if place > 2:
            nodes[shuffled[draws.randrange(place)]].setdefault("children", []).append(i)
    data, accessors, views, channels, samplers = b"", [], [], [], []

    def add(numbers, kind):
        nonlocal data
        raw = struct.pack(f"<{len(numbers)}f", *numbers)
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(raw)})
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[kind]
        accessors.append({"bufferView": len(views) - 1, "componentType": 5126, "count": len(numbers) // width, "type": kind})
        data += raw
        return len(accessors) - 1

    keys = add([.5, 1, 2], "SCALAR")
    for i in draws.sample(range(count), count // 2):
        path, width = draws.choice([("translation", 3), ("rotation", 4), ("scale", 3)])
        values = [draws.uniform(.5, 1) for _ in range(3 * width)]
        if path == "rotation":
            values = [c / math.sqrt(sum(v * v for v in values[k - k % 4:k - k % 4 + 4])) for k, c in enumerate(values)]
        elif path == "scale":
            values = [values[k - k % 3] for k in range(9)]
        samplers.append({"input": keys, "output": add(values, "VEC4" if width == 4 else "VEC3")})
        channels.append({"sampler": len(samplers) - 1, "target": {"node": i, "path": path}})
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return {"asset": {"version": "2.0"}, "nodes": nodes, "accessors": accessors, "bufferViews": views,
            "buffers": [{"byteLength": len(data), "uri": uri}],
            "animations": [{"name": "still", "channels": [], "samplers": []},
                           {"name": "dance", "channels": channels, "samplers": samplers}]}


class SceneTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def write(self, scene, name="s.gltf"):
        (self.folder / name).write_text(json.dumps(scene), encoding="utf-8")
        return self.folder / name

    def done(self, *arguments, stdin=None):
        done = juxta(*arguments, stdin=stdin)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, b"")
        return done.stdout.decode()

    def refused(self, code, *arguments):
        done = juxta(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, b"")
        text = done.stderr.decode()
        self.assertTrue(text.startswith("juxta: "), text)
        self.assertEqual(text.count("\n"), 1, text)
        return text

    def compare(self, path, *arguments, animation=None, time=0):
        oracle = Oracle(path)
        wanted, parents = oracle.worlds(animation, time), oracle.parents()
        rows = list(csv.reader(io.StringIO(self.done(path, "--csv", "-", *arguments))))[1:]
        told = json.loads(self.done(path, "--json", "-", *arguments))
        self.assertEqual(len(rows), len(wanted))
        size = max(1, max(abs(w[r][3]) for w in wanted for r in range(3)))
        for i, (row, node, want) in enumerate(zip(rows, told["nodes"], wanted)):
            got = [[float(number) for number in row[3 + 4 * r:7 + 4 * r]] for r in range(3)]
            self.assertEqual(node["matrix"], [[struct.unpack("f", struct.pack("f", n))[0] for n in r] for r in got])
            for r in range(3):
                for c in range(4):
                    tolerance = 2e-5 * size if c == 3 else 2e-5  # floats, down a dozen levels
                    self.assertAlmostEqual(got[r][c], want[r][c], delta=tolerance, msg=f"node {i}, row {r}, column {c}")
            self.assertEqual((row[0], row[1]), (str(i), oracle.nodes[i].get("name", "")))
            self.assertEqual(row[2], "" if parents[i] is None else str(parents[i]))
            self.assertEqual((node["node"], node["name"], node["parent"]), (i, row[1], parents[i]))
            self.assertEqual(node["position"], [r[3] for r in node["matrix"]])
        return told

    def test_world_transforms_equal_multiplied_matrices(self):
        path = self.write(random_scene(120, 1))
        self.assertIsNone(self.compare(path)["animation"])
        for time in (0, .5, .7, 1.9, 7):
            told = self.compare(path, "--animation", "dance", "--time", time, animation=1, time=time)
            self.assertEqual((told["animation"], told["animations"][1]["seconds"]), (1, 2))
        self.compare(path, "--animation", 1, "--time", 1.25, animation=1, time=1.25)
        one = self.done(path, "--json", "-", "--animation", 1, "--time", 1, "--threads", 1)
        self.assertEqual(one, self.done(path, "--json", "-", "--animation", 1, "--time", 1, "--threads", 3))
        self.assertEqual(self.done(path, "--csv", "-"), self.done("-", "--csv", "-", stdin=path.read_bytes()))

    def test_the_tree_is_printed_by_depth(self):
        scene = {"asset": {"version": "2.0"}, "nodes": [
            {"name": "hand", "translation": [0, 1, 0]}, {"name": "body", "scale": [2, 2, 2], "children": [3, 2]},
            {"name": "tail\u001b[2J"}, {"name": "arm", "translation": [1, 0, 0], "scale": [1, 3, 1], "children": [0]}, {}]}
        text = self.done(self.write(scene))
        lines = text.splitlines()
        self.assertIn("5 nodes, 2 roots, 3 levels deep", lines[0])
        self.assertIn("node 3 'arm'", lines[1])
        self.assertTrue(lines[1].startswith("  note: "))
        names = [re.match(r" *\S+( 4)?", line).group() for line in lines[3:]]
        self.assertEqual(names, ["body", "  arm", "    hand", "  tail?[2J", "node 4"])
        numbers = [list(map(float, line[len(name):].replace("stretch", "").split())) for name, line in zip(names, lines[3:])]
        self.assertEqual(numbers[1], [2, 0, 0, 0, 0, 0, 1, 2, 1, 3, 1])
        self.assertEqual(numbers[2], [2, 6, 0, 0, 0, 0, 1, 2], "the stretch moves the hand, and does not scale it")

    def test_a_deep_chain_is_told_in_linear_space(self):
        nodes = [{"children": [i + 1], "translation": [1, 0, 0]} for i in range(99999)] + [{"translation": [1, 0, 0]}]
        text = self.done(self.write({"asset": {"version": "2.0"}, "nodes": nodes}))
        self.assertLess(len(text), 30_000_000)
        self.assertIn("(99999) node 99999", text)
        self.assertEqual(float(text.splitlines()[-1].split()[3]), 100000)

    def test_instances_are_timed(self):
        path = self.write(random_scene(40, 2))
        for arguments, animated in ((["--animation", "dance", "--time", 1], 20), ([], 0)):
            out = self.folder / "t.json"
            text = self.done(path, "--instances", 1234, "--threads", 2, "--json", out, *arguments)
            self.assertIn("1,234 instances", text)
            told = json.loads(out.read_text(encoding="utf-8"))["times"]
            self.assertEqual((told["nodes"], told["prefab"], told["threads"]), (1234 * 41, True, 2))
            frames = {frame["what"]: frame for frame in told["frames"]}
            self.assertEqual(list(frames), ["all", "one_percent", "none"] + ["animated"] * (animated > 0))
            self.assertEqual((frames["all"]["moved"], frames["all"]["computed"]), (1234, 1234 * 41))
            self.assertEqual((frames["one_percent"]["moved"], frames["one_percent"]["computed"]), (13, 13 * 41))
            self.assertEqual((frames["none"]["moved"], frames["none"]["computed"]), (0, 0))
            self.assertLess(frames["none"]["seconds"], frames["all"]["seconds"])
            if animated:
                self.assertEqual(frames["animated"]["moved"], 1234 * animated)
                self.assertLess(frames["animated"]["computed"], 1234 * 41)
            self.assertTrue(all(frame["frames"] >= 3 for frame in told["frames"]))
        large = self.write(random_scene(1500, 3), "large.gltf")
        self.done(large, "--instances", 3, "--json", self.folder / "l.json")
        told = json.loads((self.folder / "l.json").read_text(encoding="utf-8"))["times"]
        self.assertEqual((told["prefab"], told["nodes"], told["frames"][0]["computed"]), (False, 4503, 4503))

    def test_pictures(self):
        path, svg = self.write(random_scene(60, 4)), self.folder / "p.svg"
        for view, word in (("front", "y up"), ("side", "z to the right"), ("top", "from above")):
            self.done(path, "--svg", svg, "--view", view, "--animation", "dance", "--time", 1)
            root = xml.etree.ElementTree.parse(svg).getroot()
            text = "".join(root.itertext())
            self.assertIn("60 nodes, animation dance at 1 s", text)
            self.assertIn(word, text)
            self.assertIn('Node ', text)
            self.assertGreaterEqual(len(list(root.iter("{http://www.w3.org/2000/svg}path"))), 57)
        self.done(self.write({"asset": {"version": "2.0"}}, "empty.gltf"), "--svg", svg)
        self.assertIn("0 nodes", "".join(xml.etree.ElementTree.parse(svg).getroot().itertext()))

    def test_mistakes_are_one_sentence(self):
        good, bad = self.write(random_scene(9, 5)), self.folder / "bad.gltf"

        def broken(nodes):
            self.write({"asset": {"version": "2.0"}, "nodes": nodes}, "bad.gltf")
            return self.refused(1, bad)

        self.assertIn("bad.gltf: node 1 'b': a cycle", broken([{}, {"name": "b", "children": [2]}, {"children": [1]}]))
        self.assertIn("two parents, node 0 and node 1", broken([{"children": [2]}, {"children": [2]}, {}]))
        self.assertIn("node 0: child 8 is not there", broken([{"children": [8]}]))
        self.assertIn("node 0: 'rotation' has length 0", broken([{"rotation": [0, 0, 0, 0]}]))
        self.assertIn("node 0: 'scale' is 0", broken([{"scale": [0, 1, 1]}]))
        bad.write_text('{"asset":{"version":"2.0"},\n"nodes":[{},{"translation":[1,2,NaN]}]}')
        self.assertIn("bad.gltf:2: node 1: the JSON is broken", self.refused(1, bad))
        bad.write_bytes(b"glTF\x02\0\0\0\xff\0\0\0\x04\0\0\0JSON{}  ")
        self.assertIn("bad.gltf: byte 8: ", self.refused(1, bad))
        self.assertIn("none.gltf", self.refused(1, self.folder / "none.gltf"))
        self.assertIn("0 still, 1 dance", self.refused(2, good, "--animation", "walk"))
        self.assertIn("0 still, 1 dance", self.refused(2, good, "--animation", "2"))
        none = self.write({"asset": {"version": "2.0"}, "nodes": [{}]}, "none_animated.gltf")
        self.assertIn("no animation", self.refused(2, none, "--time", 1))
        self.refused(2, good, "--time", "-1")
        self.refused(2, good, "--time", "nan")
        self.refused(2, good, "--instances", 0)
        self.refused(2, good, "--view", "below")
        self.refused(2, good, "--csv", "-", "--json", "-")
        self.assertIn("more than 4294967294", self.refused(1, good, "--instances", 999999999))
        self.refused(1, good, "--csv", self.folder)
        self.refused(1, good, "--svg", self.folder)
        self.assertIn("Usage:", self.done("--help"))

    def test_real_files(self):
        files = sorted(FOLDER.glob("*.gl*")) if FOLDER else []
        if not files:
            self.skipTest(f"no glTF files in {FOLDER}")
        for path in files:
            self.compare(path)
            for animation in range(len(Oracle(path).json.get("animations", []))):
                for time in (0, .31, .7, 100):
                    self.compare(path, "--animation", animation, "--time", time, animation=animation, time=time)
            self.assertIn("instances", self.done(path, "--instances", 100, "--time", 1))


if __name__ == "__main__":
    JUXTA = sys.argv.pop(1)
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        FOLDER = pathlib.Path(sys.argv.pop(1))
    unittest.main(verbosity=1)
