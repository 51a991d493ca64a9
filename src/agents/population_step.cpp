// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The end of a step: deaths, births, references to the dead.

#include <algorithm>
#include <cstring>

#include "agents/store.h"
#include "juxta/order/radix_sort.h"

namespace juxta::detail {
namespace {

/// Closes the gaps of the dead in one column, row order kept. Runs of survivors move as wholes.
///
///   order   0 1 3 4 7 | 2 5 6       kept = 5
void close_gaps(ColumnData& column, std::span<const std::uint32_t> order, std::size_t from,
                std::size_t kept) noexcept {
  std::byte* const data = column.data.data();
  for (std::size_t row = from; row < kept;) {
    std::size_t end = row + 1;
    while (end < kept && order[end] == order[end - 1] + 1) {
      ++end;
    }
    std::memmove(data + row * column.bytes, data + order[row] * column.bytes, (end - row) * column.bytes);
    row = end;
  }
}

}  // namespace

std::size_t PopulationStore::bury() {
  std::size_t noted = 0;
  for_each_changes([&](const Changes& from) { noted += from.died_.size(); });
  if (noted == 0) {
    return 0;
  }
  const Workspace::Scope scope(scratch);
  const std::size_t count = size();
  const auto dead = scratch.take<std::uint8_t>(count);
  std::fill(dead.begin(), dead.end(), std::uint8_t{0});
  const auto links = ids.state().links;
  for_each_changes([&](Changes& from) {
    for (const std::uint32_t slot : from.died_) {
      dead[links[slot]] = 1;
    }
    from.died_.clear();
  });
  // The survivors in their order, then the dead.
  const auto order = scratch.take<std::uint32_t>(count);
  const auto died = static_cast<std::size_t>(std::count(dead.begin(), dead.end(), std::uint8_t{1}));
  std::size_t survivor = 0, buried = count - died;
  for (std::size_t row = 0; row < count; ++row) {
    order[dead[row] != 0 ? buried++ : survivor++] = static_cast<std::uint32_t>(row);
  }
  const auto first_gap =
      static_cast<std::size_t>(std::find(dead.begin(), dead.end(), std::uint8_t{1}) - dead.begin());
  for (ColumnData& column : columns) {
    close_gaps(column, order, first_gap, count - died);
  }
  static_cast<void>(ids.reorder(order));  // a permutation: it cannot be refused
  // By slots, so that the Ids of those who are born next do not show where the dead stood. The lowest slot
  // comes first.
  const auto slots = scratch.take<std::uint32_t>(died);
  for (std::size_t i = 0; i < died; ++i) {
    slots[i] = ids.id_of(static_cast<std::uint32_t>(count - died + i)).slot;
  }
  static_cast<void>(sort_keys(slots, scratch));
  for (std::size_t i = died; i > 0; --i) {
    static_cast<void>(ids.destroy({slots[i - 1], ids.state().generations[slots[i - 1]]}));
  }
  ++changed;
  ++members;
  return died;
}

Result<std::size_t> PopulationStore::bear() {
  std::size_t bytes = 0;
  for_each_changes([&](const Changes& from) { bytes += from.born_.size(); });
  const std::size_t born = bytes / newborn.size();
  Result<std::uint32_t> first = append(born);
  std::size_t row = first.value_or(0);
  for_each_changes([&](Changes& from) {
    for (std::size_t at = 0; first && at < from.born_.size(); at += newborn.size(), ++row) {
      for (ColumnData& column : columns) {
        std::memcpy(column.data.data() + row * column.bytes, from.born_.data() + at + column.at,
                    column.bytes);
      }
    }
    from.born_.clear();
  });
  ranges_used = 0;
  for (ColumnData& column : columns) {
    column.unchecked = column.unchecked || (born > 0 && column.kind == ColumnKind::kReference);
  }
  return first.map([&](std::uint32_t) { return born; });
}

std::size_t PopulationStore::forget(std::size_t column, const IdTable& targets) noexcept {
  const std::span<Id> references(columns[column].as<Id>(), size());
  std::size_t nulled = 0;
  for (Id& reference : references) {
    if (reference != Id{} && !targets.alive(reference)) {
      reference = Id{};
      ++nulled;
    }
  }
  columns[column].unchecked = false;
  return nulled;
}

}  // namespace juxta::detail
