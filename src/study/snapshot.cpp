// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/path.h"
#include "juxta/core/monitor.h"
#include "juxta/core/random.h"
#include "juxta/core/try.h"

namespace juxta {
namespace {

/// False: values of no type that a field can have.
bool add_field(const Population& population, std::uint32_t column, std::vector<PointField>& fields) {
  PointField field{std::string(population.column_name(column)), {}, 1};
  switch (population.kind_of(column)) {
    case ColumnKind::kFloat:
    case ColumnKind::kResult:
      field.values = population.read(Column<float>{column});
      break;
    case ColumnKind::kDouble:
      field.values = population.read(Column<double>{column});
      break;
    case ColumnKind::kInt:
      field.values = population.read(Column<std::int32_t>{column});
      break;
    case ColumnKind::kUnsigned:
      field.values = population.read(Column<std::uint32_t>{column});
      break;
    case ColumnKind::kByte:
      field.values = population.read(Column<std::uint8_t>{column});
      break;
    default:
      return false;
  }
  fields.push_back(std::move(field));
  return true;
}

bool has_field(const std::vector<PointField>& fields, std::string_view name) {
  return std::ranges::find(fields, name, &PointField::name) != fields.end();
}

/// x y z x y z ..., with z = 0 in two dimensions. False: the population has no such columns.
bool velocities(const Population& population, std::vector<float>& together) {
  const std::uint32_t dimensions = population.world().dimensions;
  constexpr std::array<std::string_view, 3> kNames = {"vx", "vy", "vz"};
  together.assign(population.size() * 3, 0);
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    const auto column = population.find_column<float>(kNames[axis]);
    if (!column) {
      return false;
    }
    const auto values = population.read(*column);
    for (std::size_t row = 0; row < values.size(); ++row) {
      together[row * 3 + axis] = values[row];
    }
  }
  return true;
}

/// The names of files may hold little; two populations or fields must not share one.
std::string file_stem(std::string_view name, std::size_t number) {
  std::string stem(name);
  const auto odd = [](char c) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return !plain && c != '-' && c != '_';
  };
  if (std::ranges::any_of(stem, odd)) {
    std::ranges::replace_if(stem, odd, '_');
    stem += fmt::format("~{}", number);  // no plain name has this sign
  }
  return stem;
}

}  // namespace

PointCloud snapshot_of(const Population& population, SnapshotScratch& scratch) {
  PointCloud points;
  points.x = population.read(population.position(0));
  points.y = population.read(population.position(1));
  const std::uint32_t dimensions = population.world().dimensions;
  if (dimensions == 3) {
    points.z = population.read(population.position(2));
  }
  for (std::uint32_t c = dimensions; c < population.column_count(); ++c) {
    (void)add_field(population, c, points.fields);  // the others are left out
  }
  scratch.floats.resize(1);
  if (velocities(population, scratch.floats[0]) && !has_field(points.fields, "velocity")) {
    points.fields.push_back({"velocity", std::span<const float>(scratch.floats[0]), 3});
  }
  scratch.ids.resize(1);
  scratch.ids[0].resize(population.size());
  for (std::uint32_t row = 0; row < population.size(); ++row) {
    scratch.ids[0][row] = static_cast<std::int64_t>(random_id(population.id_of(row)));
  }
  if (!has_field(points.fields, "id")) {
    points.fields.push_back({"id", std::span<const std::int64_t>(scratch.ids[0]), 1});
  }
  return points;
}

CellImage snapshot_of(const Field& field, std::string_view name) {
  const FieldOptions& options = field.options();
  CellImage grid;
  grid.cells = options.cells;
  for (std::uint32_t axis = 0; axis < options.world.dimensions; ++axis) {
    const auto lo = static_cast<double>(options.world.lo[axis]);
    grid.lo[axis] = lo;
    grid.cell_size[axis] = (static_cast<double>(options.world.hi[axis]) - lo) / options.cells[axis];
  }
  for (std::uint32_t c = 0; c < options.components; ++c) {
    std::string one = options.components == 1 ? std::string(name) : fmt::format("{}_{}", name, c);
    std::ranges::replace_if(
        one,
        [](char ch) {
          return static_cast<unsigned char>(ch) <= ' ' ||
                 std::string_view("/:|.\x7f").find(ch) != std::string_view::npos;
        },
        '_');
    grid.fields.push_back({one, field.values(c), 1});
  }
  return grid;
}

Result<SnapshotSeries> SnapshotSeries::open(std::string_view name) {
  const std::filesystem::path folder = path_of(name);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder, error)) {
    return fail(ErrorCode::kIo, fmt::format("cannot make the folder '{}': {}", utf8_of(folder),
                                            error ? error.message() : "it is a file"));
  }
  SnapshotSeries series;
  series.folder_ = std::string(name);
  return series;
}

/// What an earlier part of the same run left behind: times before this one whose files are still there. The
/// index then names these alone, and not what another run wrote here.
Result<std::vector<XdmfStep>> SnapshotSeries::earlier(const std::string& stem, double time) const {
  using Steps = std::vector<XdmfStep>;
  const auto index = path_of(folder_) / (stem + ".xdmf");
  std::error_code error;
  if (!std::filesystem::exists(index, error)) {
    return Steps{};
  }
  if (time == 0) {
    std::filesystem::remove(index, error);  // one that stays is replaced
    return Steps{};
  }
  return read_xdmf(utf8_of(index)).and_then([&](Steps steps) -> Result<Steps> {
    const auto gone = std::erase_if(steps, [&](const XdmfStep& step) {
      return !(step.time < time) || !std::filesystem::exists(path_of(folder_) / step.file, error);
    });
    if (steps.empty()) {
      std::filesystem::remove(index, error);
    } else if (gone != 0) {
      return write_xdmf(utf8_of(index), steps).map([&] { return std::move(steps); });
    }
    return steps;
  });
}

Result<void> SnapshotSeries::put(const std::string& stem, std::uint32_t number, double time,
                                 FunctionRef<Result<XdmfStep>(const std::string&)> write) {
  auto series = std::ranges::find(series_, stem, &decltype(series_)::value_type::first);
  if (series == series_.end()) {
    JUXTA_TRY_LET(auto before, earlier(stem, time));
    series = series_.insert(series_.end(), {stem, std::move(before)});
  }
  std::vector<XdmfStep> steps = series->second;
  std::erase_if(steps, [&](const XdmfStep& step) { return step.time == time; });
  JUXTA_TRY_LET(XdmfStep written, write(fmt::format("{}_{:06}.vtkhdf", stem, number)));
  steps.insert(std::ranges::upper_bound(steps, time, {}, &XdmfStep::time), std::move(written));
  JUXTA_TRY(write_xdmf(utf8_of(path_of(folder_) / path_of(stem + ".xdmf")), steps));
  series->second = std::move(steps);
  return {};
}

Result<void> SnapshotSeries::add(const Simulation& simulation) {
  SnapshotScratch scratch;
  const std::uint32_t number = simulation.step();
  const double time = number;
  const auto write = [&](const auto& snapshot, const std::string& file) {
    return write_vtkhdf(utf8_of(path_of(folder_) / path_of(file)), snapshot).map([&] {
      return xdmf_step(snapshot, file);
    });
  };
  for (std::size_t i = 0; i < simulation.population_count(); ++i) {
    const Population& population = simulation.population(i);
    // An empty population is written too: a reader shows the last entry before a time that has none.
    PointCloud points = snapshot_of(population, scratch);
    points.time = time;
    JUXTA_TRY(put(file_stem(population.name(), i), number, time,
                  [&](const std::string& file) { return write(points, file); }));
  }
  for (std::size_t i = 0; i < simulation.field_count(); ++i) {
    CellImage grid = snapshot_of(simulation.field(i), simulation.field_name(i));
    grid.time = time;
    JUXTA_TRY(put(file_stem(simulation.field_name(i), simulation.population_count() + i), number, time,
                  [&](const std::string& file) { return write(grid, file); }));
  }
  return {};
}

}  // namespace juxta
