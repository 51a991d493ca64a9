# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Reads random glTF meshes, and real ones where they are present, three ways: with read_gltf_mesh(), with VTK's own
reader, and by the writer below, which knows in doubles where every corner must be and which way round.
Without VTK (python3-vtk9) the writer alone is asked."""
import argparse
import base64
import itertools
import json
import math
import pathlib
import random
import shutil
import struct
import subprocess
import sys

try:
    from vtkmodules.vtkCommonDataModel import vtkPolyData
    from vtkmodules.vtkFiltersCore import vtkTriangleFilter
    from vtkmodules.vtkIOGeometry import vtkGLTFReader
except ImportError:
    vtkGLTFReader = None

LIST, STRIP, FAN = 4, 5, 6
WIDTHS = {5121: "B", 5123: "H", 5125: "I"}
failures = []


def expect(good, what):
    if not good:
        failures.append(what)
        print("WRONG:", what)


def as_float(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def product(a, b):
    """Of two 4 x 4 matrices, lists of rows."""
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def placed(m, p):
    return [sum(m[i][k] * p[k] for k in range(3)) + m[i][3] for i in range(3)]


def determinant(m):
    return sum(m[0][i] * (m[1][(i + 1) % 3] * m[2][(i + 2) % 3] - m[1][(i + 2) % 3] * m[2][(i + 1) % 3])
               for i in range(3))


def turn_by(q):
    """The columns are the turned axes: q v conjugate(q), written out by Hamilton's rules."""
    def times(a, b):
        return [a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]]
    back = [-q[0], -q[1], -q[2], q[3]]
    columns = [times(times(q, axis + [0]), back) for axis in ([1, 0, 0], [0, 1, 0], [0, 0, 1])]
    return [[columns[j][i] for j in range(3)] for i in range(3)]


def corners_of(mode, indices):
    """Triangles as glTF 2.0, 3.7.2.1 has them."""
    if mode == LIST:
        return [indices[i:i + 3] for i in range(0, len(indices), 3)]
    if mode == STRIP:
        return [(indices[i], indices[i + 1 + i % 2], indices[i + 2 - i % 2]) for i in range(len(indices) - 2)]
    return [(indices[i + 1], indices[i + 2], indices[0]) for i in range(len(indices) - 2)]


class Writer:
    """A random file, and what it shows."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.bytes = b""
        self.file = {"asset": {"version": "2.0"}, "accessors": [], "bufferViews": []}
        self.shapes = [self.mesh() for _ in range(self.draw.randint(1, 3))]
        self.file["meshes"] = [{"primitives": [primitive for primitive, _ in mesh]} for mesh in self.shapes]
        self.triangles = []
        self.nodes()

    def accessor(self, packed, count, component, kind, stride=0):
        self.bytes += b"\0" * (-len(self.bytes) % 4)
        view = {"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(packed)}
        if stride:
            view["byteStride"] = stride
        self.bytes += packed
        self.file["bufferViews"].append(view)
        self.file["accessors"].append({"bufferView": len(self.file["bufferViews"]) - 1, "componentType": component,
                                       "count": count, "type": kind})
        return len(self.file["accessors"]) - 1

    def mesh(self):
        """Primitives and their triangles."""
        return [self.primitive() for _ in range(self.draw.randint(1, 2))]

    def primitive(self):
        mode = self.draw.choice([LIST, STRIP, FAN])
        count = 3 * self.draw.randint(1, 4)
        points = [[as_float(self.draw.uniform(-5, 5)) for _ in range(3)] for _ in range(count)]
        gap = self.draw.choice([0, 4, 8])
        positions = self.accessor(b"".join(struct.pack("<3f", *p) + b"\xff" * gap for p in points), count, 5126, "VEC3",
                                  12 + gap if gap else 0)
        self.file["accessors"][positions]["min"] = [min(p[i] for p in points) for i in range(3)]
        self.file["accessors"][positions]["max"] = [max(p[i] for p in points) for i in range(3)]
        primitive = {"attributes": {"POSITION": positions}, "mode": mode}
        indices = list(range(count))
        if self.draw.random() < 0.7:
            component = self.draw.choice(sorted(WIDTHS))
            indices = [self.draw.randrange(count) for _ in range(3 * self.draw.randint(1, 5))]
            primitive["indices"] = self.accessor(struct.pack(f"<{len(indices)}{WIDTHS[component]}", *indices),
                                                 len(indices), component, "SCALAR")
        return primitive, [[points[i] for i in t] for t in corners_of(mode, indices)]

    def place(self, node):
        """Fills a node; returns its matrix."""
        d = self.draw
        shift = [d.uniform(-9, 9) for _ in range(3)]
        if d.random() < 0.3:
            m = [[d.uniform(-2, 2) for _ in range(3)] + [shift[i]] for i in range(3)] + [[0, 0, 0, 1]]
            node["matrix"] = [m[i][j] for j in range(4) for i in range(4)]
            return m
        q = [d.gauss(0, 1) for _ in range(4)]
        q = [x / math.hypot(*q) for x in q]
        scale = [d.choice([-1, 1, 1]) * d.uniform(0.5, 2) for _ in range(3)]
        node.update(translation=shift, rotation=q, scale=scale)
        turn = turn_by(q)
        return [[turn[i][j] * scale[j] for j in range(3)] + [shift[i]] for i in range(3)] + [[0, 0, 0, 1]]

    def nodes(self):
        """A tree: node i hangs below an earlier one, or is a root."""
        count = self.draw.randint(1, 8)
        nodes, worlds, roots = [{} for _ in range(count)], [], []
        for i, node in enumerate(nodes):
            world = self.place(node)
            above = self.draw.randrange(-1, i) if i else -1
            if above >= 0:
                nodes[above].setdefault("children", []).append(i)
                world = product(worlds[above], world)
            else:
                roots.append(i)
            worlds.append(world)
            if self.draw.random() < 0.7:
                node["mesh"] = self.draw.randrange(len(self.shapes))
        self.file.update(nodes=nodes, scenes=[{"nodes": roots}], scene=0)
        def visit(i):
            m = worlds[i]
            for _, triangles in self.shapes[nodes[i]["mesh"]] if "mesh" in nodes[i] else []:
                for t in triangles:
                    a, b, c = (placed(m, p) for p in t)
                    self.triangles.append((a, c, b) if determinant(m) < 0 else (a, b, c))
            for child in nodes[i].get("children", []):
                visit(child)
        for root in roots:
            visit(root)

    def save(self, folder, name):
        """As text with the bytes inside, as text with a file beside it, or as GLB."""
        kind = self.draw.randrange(3)
        buffer = {"byteLength": len(self.bytes)}
        self.file["buffers"] = [buffer]
        if kind == 0:
            buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(self.bytes).decode()
        if kind == 1:
            buffer["uri"] = name + ".bin"
            (folder / buffer["uri"]).write_bytes(self.bytes)
        text = json.dumps(self.file).encode()
        if kind != 2:
            path = folder / (name + ".gltf")
            path.write_bytes(text)
            return path
        text += b" " * (-len(text) % 4)
        chunk = self.bytes + b"\0" * (-len(self.bytes) % 4)
        path = folder / (name + ".glb")
        path.write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(chunk)) +
                         struct.pack("<I4s", len(text), b"JSON") + text +
                         struct.pack("<I4s", len(chunk), b"BIN\0") + chunk)
        return path


def dumped(program, path):
    done = subprocess.run([program, path], capture_output=True, text=True, timeout=60)
    expect(done.returncode == 0, f"{path.name}: {done.stderr.strip()}")
    rows = [list(map(float, line.split())) for line in done.stdout.splitlines()]
    return [(row[0:3], row[3:6], row[6:9]) for row in rows]


def near(a, b, within):
    return all(abs(x - y) <= within for p, q in zip(a, b) for x, y in zip(p, q))


def read_with_vtk(path, place):
    """With `place`, VTK takes nodes and joints into account."""
    reader = vtkGLTFReader()
    reader.SetFileName(str(path))
    reader.SetApplyDeformationsToGeometry(place)
    reader.Update()
    triangles, waiting = [], [reader.GetOutputDataObject(0)]
    while waiting:
        block = waiting.pop()
        if isinstance(block, vtkPolyData):
            cut = vtkTriangleFilter()
            cut.SetInputData(block)
            cut.PassLinesOff()
            cut.PassVertsOff()
            cut.Update()
            data = cut.GetOutput()
            for i in range(data.GetNumberOfCells()):
                points = data.GetCell(i).GetPoints()
                triangles.append(tuple(points.GetPoint(k) for k in range(3)))
        elif block is not None:
            waiting += [block.GetBlock(i) for i in range(block.GetNumberOfBlocks())]
    return triangles


def check_with_vtk(path, got, within, place):
    """The same triangles, in any order and either way round: VTK does not turn those that a mirror shows."""
    left = read_with_vtk(path, place)
    expect(len(left) == len(got), f"{path.name}: {len(got)} triangles, VTK has {len(left)}")
    for triangle in got:
        found = next((i for i, other in enumerate(left)
                      if any(near(triangle, turned, within) for turned in itertools.permutations(other))), None)
        if found is None:
            expect(False, f"{path.name}: VTK has no triangle {triangle}")
            return
        left.pop(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dump", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--scenes", type=pathlib.Path, required=True)
    parser.add_argument("--files", type=int, default=60)
    a = parser.parse_args()
    shutil.rmtree(a.work, ignore_errors=True)
    a.work.mkdir(parents=True)

    triangles = 0
    for seed in range(a.files):
        writer = Writer(seed)
        path = writer.save(a.work, f"random{seed}")
        got = dumped(a.dump, path)
        triangles += len(got)
        size = max((abs(x) for t in writer.triangles for p in t for x in p), default=1)
        expect(len(got) == len(writer.triangles), f"{path.name}: {len(got)} of {len(writer.triangles)} triangles")
        for i, (ours, want) in enumerate(zip(got, writer.triangles)):
            expect(near(ours, want, 1e-6 * size), f"{path.name}: triangle {i} is {ours}, not {want}")
        if vtkGLTFReader is not None and got:
            check_with_vtk(path, got, 1e-5 * size, True)
    expect(triangles > 10 * a.files, f"only {triangles} triangles")

    real = sorted([*a.scenes.glob("*.glb"), *a.scenes.glob("*.gltf")])
    for path in real:
        got = dumped(a.dump, path)
        expect(len(got) > 0, f"{path.name}: no triangle")
        if vtkGLTFReader is not None:  # both have skins, and are read as stored
            check_with_vtk(path, got, 1e-5 * max(abs(x) for t in got for p in t for x in p), False)
    print(f"{a.files} random files with {triangles} triangles, {len(real)} real ones; "
          f"VTK {'asked, too' if vtkGLTFReader else 'not installed'}: {len(failures)} wrong")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
