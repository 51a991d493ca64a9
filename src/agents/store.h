// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a population owns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "agents/directory.h"
#include "juxta/agents/changes.h"
#include "juxta/agents/column.h"
#include "juxta/agents/world.h"
#include "juxta/core/array.h"
#include "juxta/core/id_table.h"
#include "juxta/core/workspace.h"

namespace juxta::detail {

/// One value per row, of `bytes` each. `data` always has room for kArrayPadding rows more, so that passes need
/// no tail code; `spare` is where sort() puts the next order, then the two are swapped.
struct ColumnData {
  std::string name;
  ColumnKind kind = ColumnKind::kOther;
  std::size_t bytes = 0;
  std::vector<std::byte> initial;
  std::string target;  // kReference: the population whose agents it names
  Array<std::byte> data, spare;

  template <class T>
  [[nodiscard]] T* as() noexcept {
    return reinterpret_cast<T*>(data.data());
  }
  template <class T>
  [[nodiscard]] const T* as() const noexcept {
    return reinterpret_cast<const T*>(data.data());
  }
};

struct PopulationStore {
  PopulationStore(std::string population_name, const World& where, std::pmr::memory_resource* resource);

  std::string name;
  World world;
  std::pmr::memory_resource* memory;
  std::vector<ColumnData> columns;  // the first `world.dimensions` are x, y, z
  std::uint32_t extents = Column<float>::kNone;  // the first of as many columns with half edges
  IdTable ids;

  /// Positions (and extents) were written, or agents came or went: raised by all that does so.
  std::uint64_t changed = 1;
  /// `changed` as sort() left it.
  std::uint64_t sorted_at = 0;
  Directory directory;  // of the rows as sort() left them
  Workspace scratch;

  Changes changes;
  std::vector<std::unique_ptr<Changes>> ranges;  // of for_each(), in the order of rows
  std::size_t ranges_used = 0;

  [[nodiscard]] std::size_t size() const noexcept { return ids.size(); }
  [[nodiscard]] const float* position(std::uint32_t axis) const noexcept { return columns[axis].as<float>(); }
};

}  // namespace juxta::detail
