// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a population owns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/directory.h"
#include "agents/distribution.h"
#include "agents/skin.h"
#include "juxta/agents/changes.h"
#include "juxta/agents/column.h"
#include "juxta/agents/population.h"
#include "juxta/agents/world.h"
#include "juxta/core/array.h"
#include "juxta/core/id_table.h"
#include "juxta/core/workspace.h"

namespace juxta::agents_detail {

/// Of a population.
inline constexpr std::size_t kMostAgents = 0xFFFF'FFFE;

/// One value per row, of `bytes` each. `data` always has room for kArrayPadding rows more, so that passes
/// need no tail code; `spare` is where sort() puts the next order, then the two are swapped.
struct ColumnData {
  std::string name;
  ColumnKind kind = ColumnKind::kOther;
  std::size_t bytes = 0;
  std::vector<std::byte> initial;
  std::string target;  // kReference: the population whose agents it names
  /// kReference: values were written since end_step() last looked for dead ones among them.
  bool unchecked = false;
  std::size_t at = 0;  // of its value in the bytes of a newborn
  Array<std::byte> data, spare;

  /// Room for so many rows and the padding; what stood in `data` stays.
  void grow(std::size_t rows) { data.resize(core_detail::padded_bytes(rows, bytes)); }
  void grow_spare(std::size_t rows) { spare.resize_discard(core_detail::padded_bytes(rows, bytes)); }
  /// Rows [first, last) get the initial value.
  void fill(std::size_t first, std::size_t last) noexcept;

  template <class T>
  [[nodiscard]] T* as() noexcept {
    return reinterpret_cast<T*>(data.data());
  }
  template <class T>
  [[nodiscard]] const T* as() const noexcept {
    return reinterpret_cast<const T*>(data.data());
  }
};

/// What one Changes noted.
struct NotedChanges {
  std::vector<std::byte> born;      // one value of every column, agent after agent
  std::vector<std::uint32_t> died;  // slots of Ids: rows may move before the step ends
};

struct PopulationStore {
  PopulationStore(std::string population_name, const World& where, std::pmr::memory_resource* resource);
  PopulationStore(const PopulationStore&) = delete;
  PopulationStore& operator=(const PopulationStore&) = delete;

  [[nodiscard]] static PopulationStore& of(Population& population) noexcept { return *population.store_; }
  [[nodiscard]] static const PopulationStore& of(const Population& population) noexcept {
    return *population.store_;
  }

  std::string name;
  World world;
  std::pmr::memory_resource* memory;
  std::vector<ColumnData> columns;               // the first `world.dimensions` are x, y, z
  std::uint32_t extents = Column<float>::kNone;  // the first of as many columns with half edges
  std::vector<std::byte> newborn;                // one initial value of every column
  IdTable ids;
  std::shared_ptr<const int> family;  // one object for all populations of a simulation

  /// Positions (and extents) were written, or agents came or went: raised by all that does so.
  std::uint64_t changed = 1;
  /// Agents came or went, or got extents: raised beside `changed`.
  std::uint64_t members = 1;
  /// `changed` as sort() left it.
  std::uint64_t sorted_at = 0;
  Directory directory;  // of the rows as sort() left them
  Skin skin;
  Workspace scratch;

  Changes changes;
  std::vector<std::unique_ptr<Changes>> ranges;  // of for_each(), in the order of rows
  std::size_t ranges_used = 0;
  std::vector<std::size_t> calls;  // of for_each(): the first range of each
  /// Null: all agents are here.
  std::unique_ptr<Distribution> distribution;

  [[nodiscard]] std::size_t size() const noexcept { return ids.size(); }
  [[nodiscard]] const float* position(std::uint32_t axis) const noexcept { return columns[axis].as<float>(); }
  /// Null when there is none.
  [[nodiscard]] const ColumnData* find(std::string_view column) const noexcept;
  /// A column that is a position or an extent: who writes it raises `changed`.
  [[nodiscard]] bool is_place(std::size_t column) const noexcept {
    return column < world.dimensions || column - extents < world.dimensions;
  }

  /// A new column with its initial value in every row, and in what is to be born. Its name is not taken.
  ColumnData& add(std::string_view column, ColumnKind kind, std::size_t size, const void* first_value);
  /// Whoever reads a whole sixteen meets nobody behind the last row.
  void pad() noexcept;
  /// So many more rows with initial values and Ids. Errors: kTooLarge; then nothing was added.
  [[nodiscard]] Result<std::uint32_t> append(std::size_t count);
  /// As many more Changes behind the ranges in use, empty.
  void begin_ranges(std::size_t count);
  /// Slots of those whose death is noted.
  [[nodiscard]] static std::span<const std::uint32_t> dying(const Changes& noted) noexcept {
    return noted.noted_->died;
  }
  /// Calls body(changes) for all that may hold births and deaths, in the order in which they count.
  template <class Body>
  void for_each_changes(Body&& body) {
    body(changes);
    for (std::size_t i = 0; i < ranges_used; ++i) {
      body(*ranges[i]);
    }
  }

  // What end_step() does, in this order.
  [[nodiscard]] Result<std::size_t> bury();  // how many died
  [[nodiscard]] Result<std::size_t> bear();  // how many were born
  /// The rows of Ids that die become the last ones.
  void close_rows_of(std::span<const std::uint32_t> dying);
  /// Rows for so many newborns that are noted here.
  [[nodiscard]] Result<std::uint32_t> append_born(std::size_t born);
  [[nodiscard]] std::size_t forget(std::size_t column, const IdTable& targets) noexcept;  // references nulled
};

}  // namespace juxta::agents_detail
