// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// vtk_writer FOLDER: writes snapshots, an index of them, and what is in them as CSV, for readers that are not
// ours (vtk_reader_test.py).
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "files/vtk_clouds.h"
#include "juxta/files/output_file.h"
#include "juxta/files/vtk_cells.h"
#include "juxta/study/snapshot.h"

namespace {

template <class T>
void append_values(std::string& line, const std::vector<T>& values, std::size_t row, std::size_t components) {
  for (std::size_t c = 0; c < components; ++c) {
    line += fmt::format(",{}", values[row * components + c]);
  }
}

std::string csv_of(const juxta::test::Cloud& cloud, bool flat) {
  std::string out = "x,y,z,speed of x,velocity:0,velocity:1,velocity:2,energy,charge,colour,id,kind\n";
  for (std::size_t i = 0; i < cloud.x.size(); ++i) {
    out += fmt::format("{},{},{}", cloud.x[i], cloud.y[i], flat ? 0 : cloud.z[i]);
    append_values(out, cloud.x, i, 1);
    append_values(out, cloud.velocity, i, 3);
    append_values(out, cloud.energy, i, 1);
    append_values(out, cloud.charge, i, 1);
    append_values(out, cloud.colour, i, 1);
    append_values(out, cloud.id, i, 1);
    append_values(out, cloud.kind, i, 1);
    out += '\n';
  }
  return out;
}

/// Explosions that come and go: a series of two populations, of which one is nobody all the time.
bool write_series(const std::filesystem::path& folder) {
  auto series = juxta::SnapshotSeries::open(folder.string());
  auto simulation = juxta::Simulation::build({.dimensions = 3}, 3);
  auto blasts = simulation->add_population("blasts");
  bool good = series && blasts && simulation->add_population("nobody") &&
              (*blasts)->add_columns({"vx", "vy", "vz", "radius"});
  for (const std::size_t count : {0U, 3U, 0U, 0U, 2U, 0U}) {
    good = good && (count == 0 || (*blasts)->insert(count)) && series->add(*simulation);
    for (std::uint32_t row = 0; good && row < count; ++row) {
      (*blasts)->changes().kill(row);
    }
    good = good && simulation->end_step();
  }
  return good;
}

/// Cells whose values are their numbers: in space, and in the plane.
bool write_cells(const std::filesystem::path& folder) {
  std::vector<float> numbers(24);
  std::vector<std::uint8_t> kinds(24);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<float>(i) + 0.5F;
    kinds[i] = static_cast<std::uint8_t>(i * 9);
  }
  std::vector<juxta::XdmfStep> steps;
  bool good = true;
  for (const auto& cells : {std::array<std::uint32_t, 3>{4, 3, 2}, {8, 3, 1}}) {
    juxta::CellImage grid;
    grid.cells = cells;
    grid.lo = {-1, 2, 0.25};
    grid.cell_size = {0.5, 0.125, 2};
    grid.fields = {{"number", std::span<const float>(numbers)},
                   {"kind", std::span<const std::uint8_t>(kinds)}};
    grid.time = static_cast<double>(cells[0]);
    const std::string name = fmt::format("cells {}.vtkhdf", cells[0]);
    good = good && juxta::write_vtkhdf((folder / name).string(), grid);
    steps.push_back(juxta::xdmf_step(grid, name));
  }
  return good && juxta::write_xdmf((folder / "cells.xdmf").string(), steps);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    return 2;
  }
  const std::filesystem::path folder = arguments[1];
  std::vector<juxta::XdmfStep> steps;
  struct Case {
    std::uint32_t points;
    bool flat;
    double time;
  };
  // One point, the planar case, and more points than are copied at a time.
  for (const Case& c : {Case{1, false, 0}, Case{300, true, 0.1}, Case{70'001, false, 2.5}}) {
    const juxta::test::Cloud cloud(c.points, c.flat, c.time);
    const std::string name = fmt::format("cloud & {}", c.points);
    if (!juxta::write_vtkhdf((folder / (name + ".vtkhdf")).string(), cloud.points()) ||
        !juxta::write_file((folder / (name + ".csv")).string(), csv_of(cloud, c.flat))) {
      return 1;
    }
    steps.push_back(juxta::xdmf_step(cloud.points(), name + ".vtkhdf"));
  }
  const juxta::test::Cloud nobody(0, false, 7);
  return juxta::write_vtkhdf((folder / "empty.vtkhdf").string(), nobody.points()) &&
                 juxta::write_xdmf((folder / "clouds.xdmf").string(), steps) && write_cells(folder) &&
                 write_series(folder / "series")
             ? 0
             : 1;
}
