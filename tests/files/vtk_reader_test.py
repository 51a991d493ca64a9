# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Reads what write_vtkhdf() and write_xdmf() wrote with readers that are not ours: VTK's own reader compares points
and fields with the values that the writer put down as CSV, and h5dump resolves every reference of the index.
Exit 77 when neither is installed."""
import argparse
import csv
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

try:
    from vtkmodules.vtkCommonCore import vtkVersion
    from vtkmodules.vtkIOHDF import vtkHDFReader
except ImportError:
    vtkHDFReader = None

VTK_VERTEX = 1
TYPES = {"speed of x": "float", "velocity": "float", "energy": "double", "charge": "int", "colour": "unsigned int",
         "id": "long", "kind": "unsigned char"}
XDMF_TYPES = {"Float 4": "H5T_IEEE_F32LE", "Float 8": "H5T_IEEE_F64LE", "Int 4": "H5T_STD_I32LE",
              "UInt 4": "H5T_STD_U32LE", "Int 8": "H5T_STD_I64LE", "UChar 1": "H5T_STD_U8LE"}
failures = []


def expect(good, what):
    if not good:
        failures.append(what)
        print("WRONG:", what)


def as_float(text):
    """The float whose shortest text this is, as Python's double."""
    return struct.unpack("<f", struct.pack("<f", float(text)))[0]


def read_with_vtk(path):
    reader = vtkHDFReader()
    expect(reader.CanReadFile(str(path)) == 1, f"{path.name}: VTK knows the format")
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def expected_columns(path):
    """{name: flat list of numbers} of the CSV beside a snapshot; x, y and z under 'points'."""
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    columns = {"points": [as_float(value) for row in rows for value in row[:3]]}
    for name, vtk_type in TYPES.items():
        at = [i for i, title in enumerate(header) if title.split(":")[0] == name]
        number = {"float": as_float, "double": float}.get(vtk_type, int)
        columns[name] = [number(row[i]) for row in rows for i in at]
    return columns, len(rows)


def flat(array):
    return [value for i in range(array.GetNumberOfTuples()) for value in array.GetTuple(i)]


def integers(array):
    return [int(array.GetVariantValue(i).ToTypeInt64()) for i in range(array.GetNumberOfValues())]


def check_with_vtk(path, time):
    grid = read_with_vtk(path)
    want, count = expected_columns(path.with_suffix(".csv"))
    expect(grid.GetNumberOfPoints() == count, f"{path.name}: {grid.GetNumberOfPoints()} points")
    expect(grid.GetNumberOfCells() == count, f"{path.name}: {grid.GetNumberOfCells()} cells")
    for i in {0, count // 2, count - 1}:
        cell = grid.GetCell(i)
        expect(cell.GetCellType() == VTK_VERTEX and cell.GetPointId(0) == i, f"{path.name}: cell {i}")
    expect(flat(grid.GetPoints().GetData()) == want["points"], f"{path.name}: points")
    fields = grid.GetPointData()
    expect(fields.GetNumberOfArrays() == len(TYPES), f"{path.name}: {fields.GetNumberOfArrays()} fields")
    for name, vtk_type in TYPES.items():
        array = fields.GetArray(name)
        if array is None:
            expect(False, f"{path.name}: the field {name} is missing")
            continue
        expect(array.GetDataTypeAsString() == vtk_type, f"{path.name}: {name} is {array.GetDataTypeAsString()}")
        got = flat(array) if vtk_type in ("float", "double") else integers(array)
        expect(got == want[name], f"{path.name}: values of {name}")
    stamp = grid.GetFieldData().GetArray("TimeValue")
    expect(stamp is not None and stamp.GetTuple(0) == (time,), f"{path.name}: the time")


def check_empty_with_vtk(path):
    grid = read_with_vtk(path)
    expect(grid.GetNumberOfPoints() == 0 and grid.GetNumberOfCells() == 0, f"{path.name}: nobody")


def check_series(h5dump, folder, times):
    """Every population of a recording has an entry at each of these times, with all fields, and VTK's own reader
    finds as many points as the index says. Returns {population: [points, by time]}."""
    counts = {}
    for index in sorted(folder.glob("*.xdmf")):
        grids = ElementTree.parse(index).getroot().findall("Domain/Grid/Grid")
        expect([float(grid.find("Time").get("Value")) for grid in grids] == list(times), f"{index.name}: the times")
        counts[index.stem] = [int(grid.find("Topology").get("NumberOfElements")) for grid in grids]
        empty = next((grid for grid, count in zip(grids, counts[index.stem]) if count == 0), None)
        for item in empty.iterfind(".//DataItem") if empty is not None and h5dump else []:
            check_reference(h5dump, folder, item)
        fields = None
        for grid, count in zip(grids, counts[index.stem]) if vtkHDFReader else []:
            name = grid.find("Topology/DataItem").text.split(":")[0]
            read = read_with_vtk(folder / name)
            expect(read.GetNumberOfPoints() == count and read.GetNumberOfCells() == count, f"{name}: {count} points")
            data = read.GetPointData()
            found = {data.GetArrayName(i) for i in range(data.GetNumberOfArrays())}
            named = {attribute.get("Name") for attribute in grid.findall("Attribute")}
            expect(fields in (None, named), f"{name}: the fields {named} as before: {fields}")
            # VTK 9.1 gives a grid of no points no fields; that the file has them is h5dump's to say.
            expect(found == named if count else found <= named, f"{name}: the fields {found} are {named}")
            fields = named
            stamp = read.GetFieldData().GetArray("TimeValue")
            expect(stamp.GetTuple(0) == (float(grid.find("Time").get("Value")),), f"{name}: the time")
    return counts


def dump(h5dump, path, array, *options):
    done = subprocess.run([h5dump, *options, "-d", array, str(path)], capture_output=True, text=True, timeout=60)
    return done.stdout if done.returncode == 0 else ""


def check_reference(h5dump, folder, item):
    """A DataItem names a file beside the index and an array in it, of that type and extent."""
    name, array = item.text.split(":")
    shown = dump(h5dump, folder / name, array, "-H")
    extent = re.search(r"SIMPLE \{ \( ([\d, ]+) \)", shown)
    expect(extent is not None and extent[1].replace(",", "").split() == item.get("Dimensions").split(),
           f"{item.text}: extent {item.get('Dimensions')}")
    number = XDMF_TYPES[item.get("NumberType") + " " + item.get("Precision")]
    expect(re.search(r"DATATYPE\s+" + number, shown) is not None, f"{item.text}: {number}")


def check_index(h5dump, path):
    """All references of the index lead somewhere; returns {file: time}."""
    root = ElementTree.parse(path).getroot()
    series = root.find("Domain/Grid[@CollectionType='Temporal']")
    times = {}
    for grid in series.findall("Grid"):
        references = grid.findall(".//DataItem")
        expect(len(references) == 2 + len(TYPES), f"{path.name}: {len(references)} references")
        names = [attribute.get("Name") for attribute in grid.findall("Attribute")]
        expect(names == list(TYPES), f"{path.name}: the fields {names}")
        times[references[0].text.split(":")[0]] = float(grid.find("Time").get("Value"))
        for item in references if h5dump else []:
            check_reference(h5dump, path.parent, item)
    return times


def check_cells(h5dump, folder):
    """Grids of cells: VTK finds their places and values, and the index tells the same."""
    grids = ElementTree.parse(folder / "cells.xdmf").getroot().findall("Domain/Grid/Grid")
    expect(len(grids) == 2, f"cells.xdmf: {len(grids)} times")
    for grid, cells in zip(grids, ((4, 3, 2), (8, 3, 1))):
        name = f"cells {cells[0]}.vtkhdf"
        points = tuple(max(n, 2) for n in cells)  # one layer is there twice
        expect(grid.find("Topology").get("Dimensions") == " ".join(str(n) for n in reversed(points)), f"{name}: extent")
        origin, spacing = (item.text for item in grid.findall("Geometry/DataItem"))
        low = 1.25 if cells[2] > 1 else 0.25
        expect((origin, spacing) == (f"{low} 2.0625 -0.75", "2 0.125 0.5"), f"{name}: {origin} and {spacing} in the index")
        items = grid.findall("Attribute/DataItem")
        expect([item.text for item in items] == [f"{name}:/VTKHDF/PointData/{field}" for field in ("number", "kind")],
               f"{name}: references")
        for item in items if h5dump else []:
            check_reference(h5dump, folder, item)
        if vtkHDFReader is None:
            continue
        image = read_with_vtk(folder / name)
        expect(image.GetClassName() == "vtkImageData", f"{name}: a {image.GetClassName()}")
        expect(image.GetDimensions() == points, f"{name}: {image.GetDimensions()}")
        expect((image.GetOrigin(), image.GetSpacing()) == ((-0.75, 2.0625, low), (0.5, 0.125, 2)), f"{name}: places")
        data = image.GetPointData()
        layers = 1 if cells[2] > 1 else 2
        expect(flat(data.GetArray("number")) == [i + 0.5 for i in range(24)] * layers, f"{name}: numbers")
        expect(integers(data.GetArray("kind")) == [i * 9 for i in range(24)] * layers, f"{name}: kinds")
        expect(float(grid.find("Time").get("Value")) == cells[0], f"{name}: the time")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--writer", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    a = parser.parse_args()
    h5dump = shutil.which("h5dump")
    if vtkHDFReader is None and h5dump is None:
        print("skipped: neither VTK's Python module (python3-vtk9) nor h5dump (hdf5-tools) is installed")
        sys.exit(77)
    shutil.rmtree(a.work, ignore_errors=True)
    a.work.mkdir(parents=True)
    subprocess.run([a.writer, a.work], check=True, timeout=120)

    times = check_index(h5dump, a.work / "clouds.xdmf")
    expect(list(times.values()) == [0, 0.1, 2.5], f"the times {times}")
    if vtkHDFReader is not None:
        for name, time in times.items():
            check_with_vtk(a.work / name, time)
        check_empty_with_vtk(a.work / "empty.vtkhdf")
    check_cells(h5dump, a.work)
    counts = check_series(h5dump, a.work / "series", range(6))
    expect(counts == {"blasts": [0, 3, 0, 0, 2, 0], "nobody": [0] * 6}, f"a series of those who come and go: {counts}")
    print(f"VTK {vtkVersion.GetVTKVersion() if vtkHDFReader else 'not installed'}, h5dump {h5dump or 'not installed'}:"
          f" {len(times)} times, {len(failures)} wrong")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
