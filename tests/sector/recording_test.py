# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Plays a skirmish and opens its recording with readers that are not ours: VTK's own reader holds the ships against
the tool's report and against Newton, h5dump resolves every reference of the indexes. Exit 77 when neither is there."""
import argparse
import collections
import json
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "files"))
import vtk_reader_test as reader  # noqa: E402
from vtk_reader_test import expect, flat  # noqa: E402

TICKS, EVERY, TICK = 12, 3, 1 / 60


def triples(array):
    return [array.GetTuple(i) for i in range(array.GetNumberOfTuples())]


class Ships:
    """One time of the recording."""

    def __init__(self, path):
        self.name = path.name
        grid = reader.read_with_vtk(path)
        fields = grid.GetPointData()
        self.at = triples(grid.GetPoints().GetData())
        self.velocity = triples(fields.GetArray("velocity"))
        self.faction, self.health = (flat(fields.GetArray(name)) for name in ("faction", "health"))
        self.ids = reader.integers(fields.GetArray("id"))
        self.time = grid.GetFieldData().GetArray("TimeValue").GetTuple(0)[0]
        each = {len(column) for column in (self.at, self.velocity, self.faction, self.health, self.ids)}
        expect(len(each) == 1, f"{self.name}: a value for every ship")
        parts = zip(*(flat(fields.GetArray(name)) for name in ("vx", "vy", "vz")))
        expect(list(parts) == self.velocity, f"{self.name}: velocity is vx, vy, vz")
        expect(all(value > 0 for value in self.health), f"{self.name}: who is recorded lives")


def check_ships(folder, report):
    paths = sorted(folder.glob("ships_*.vtkhdf"))
    expect([path.name for path in paths] == [f"ships_{t:06}.vtkhdf" for t in range(0, TICKS + 1, EVERY)],
           f"a file every {EVERY} ticks: {paths}")
    times = [Ships(path) for path in paths]
    expect([ships.time for ships in times] == list(range(0, TICKS + 1, EVERY)), "the times")
    for faction, count in collections.Counter(times[-1].faction).items():
        expect(report["living"][f"ships {faction:.0f}"] == count, f"faction {faction}: {count} ships")
    expect(len(set(times[-1].faction)) >= 2, "factions")
    for before, after in zip(times, times[1:]):
        check_ways(before, after)


def check_ways(before, after):
    """Nobody jumps: the way between two times is about the mean velocity times the time."""
    was = dict(zip(before.ids, zip(before.at, before.velocity)))
    stayed = near = 0
    for number, at, velocity in zip(after.ids, after.at, after.velocity):
        if number in was:
            stayed += 1
            place, speed = was[number]
            off = [b - a - (u + v) / 2 * EVERY * TICK for a, b, u, v in zip(place, at, speed, velocity)]
            near += sum(x * x for x in off) < .5 ** 2
    expect(stayed > len(after.ids) / 2, f"{after.name}: {stayed} of {len(after.ids)} were there before")
    expect(near > .95 * stayed, f"{after.name}: {near} of {stayed} are where their velocity leads")


def check_indexes(h5dump, folder):
    indexes = sorted(path.stem for path in folder.glob("*.xdmf"))
    expect("ships" in indexes and "bullets" in indexes and len(indexes) >= 3, f"the indexes {indexes}")
    for index in indexes:
        grids = ElementTree.parse(folder / f"{index}.xdmf").getroot().findall(".//Grid/Grid")
        expect(len(grids) > 0, f"{index}: times")
        references = [item for grid in grids for item in grid.findall(".//DataItem")]
        for item in references:
            expect((folder / item.text.split(":")[0]).is_file(), f"{index}: {item.text}")
        last = grids[-1]
        for item in last.findall(".//DataItem") if h5dump else []:
            reader.check_reference(h5dump, folder, item)
        if index == "ships":
            names = {attribute.get("Name") for attribute in last.findall("Attribute")}
            expect({"velocity", "faction", "health"} <= names, f"ships: the fields {sorted(names)}")


def check_every_step(h5dump, folder):
    """What does not live at a tick has an entry of nobody there: no ghosts."""
    counts = reader.check_series(h5dump, folder, range(0, TICKS + 1, EVERY))
    expect({"ships", "bullets", "explosions", "wrecks"} <= set(counts), f"the populations {sorted(counts)}")
    for brief in ("bullets", "explosions", "wrecks"):
        expect(counts.get(brief, [1])[0] == 0, f"no {brief} at the start: {counts.get(brief)}")
    expect(counts["bullets"][-1] > 0, "bullets at the end")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    a = parser.parse_args()
    h5dump = shutil.which("h5dump")
    if reader.vtkHDFReader is None and h5dump is None:
        print("skipped: neither VTK's Python module (python3-vtk9) nor h5dump (hdf5-tools) is installed")
        sys.exit(77)
    shutil.rmtree(a.work, ignore_errors=True)
    told = subprocess.run([a.tool, "sector", "skirmish", "--ticks", str(TICKS), "--record", "every", str(EVERY), "--out",
                           a.work, "--headless", "--json"], check=True, timeout=120, stdout=subprocess.PIPE)
    check_indexes(h5dump, a.work / "recording")
    check_every_step(h5dump, a.work / "recording")
    if reader.vtkHDFReader is not None:
        check_ships(a.work / "recording", json.loads(told.stdout))
    print(f"VTK {'not ' if reader.vtkHDFReader is None else ''}installed, h5dump {h5dump or 'not installed'}: "
          f"{len(reader.failures)} wrong")
    sys.exit(1 if reader.failures else 0)


if __name__ == "__main__":
    main()
