// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/view_population.h"

#include <array>
#include <string_view>

namespace juxta::tool {
namespace {

/// None: no numbers.
std::optional<ViewColumn> column_of(const Population& population, std::uint32_t c) {
  switch (population.kind_of(c)) {
    case ColumnKind::kFloat:
    case ColumnKind::kResult:
      return population.read(Column<float>{c});
    case ColumnKind::kDouble:
      return population.read(Column<double>{c});
    case ColumnKind::kInt:
      return population.read(Column<std::int32_t>{c});
    case ColumnKind::kUnsigned:
      return population.read(Column<std::uint32_t>{c});
    case ColumnKind::kByte:
      return population.read(Column<std::uint8_t>{c});
    default:
      return {};
  }
}

}  // namespace

std::vector<std::string> viewed_columns(const Population& population) {
  std::vector<std::string> names;
  for (std::uint32_t c = population.world().dimensions; c < population.column_count(); ++c) {
    if (column_of(population, c)) {
      names.emplace_back(population.column_name(c));
    }
  }
  return names;
}

ViewThings viewed_things(const Population& population) {
  ViewThings things;
  const std::uint32_t dimensions = population.world().dimensions;
  things.x = population.read(population.position(0));
  things.y = population.read(population.position(1));
  if (dimensions == 3) {
    things.z = population.read(population.position(2));
  }
  for (std::uint32_t c = dimensions; c < population.column_count(); ++c) {
    if (auto column = column_of(population, c)) {
      things.columns.push_back(*column);
    }
  }
  constexpr std::array<std::string_view, 3> kNames = {"vx", "vy", "vz"};
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    if (const auto column = population.find_column<float>(kNames[axis])) {
      things.heading[axis] = population.read(*column);
    }
  }
  return things;
}

std::uint64_t number_of(Id id) noexcept {
  return std::uint64_t{id.generation} << 32 | id.slot;
}

std::optional<std::size_t> row_of_number(const Population& population, std::uint64_t number) {
  const auto row =
      population.row_of({static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32)});
  return row ? std::optional<std::size_t>(*row) : std::nullopt;
}

}  // namespace juxta::tool
