// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The end of a step: deaths, births, references to the dead.

#include <algorithm>
#include <cstring>

#include "agents/store.h"
#include "juxta/core/try.h"
#include "juxta/order/radix_sort.h"

namespace juxta::agents_detail {
namespace {

/// Closes the gaps of the dead in one column, row order kept. Where few died, runs of survivors move as
/// wholes; where many did, runs are short, nobody can foretell where they end, and values move one by one.
///
///   order   0 1 3 4 7 | 2 5 6       kept = 5
void close_gaps_by_runs(std::byte* data, std::size_t bytes, std::span<const std::uint32_t> order,
                        std::size_t from, std::size_t kept) noexcept {
  for (std::size_t row = from; row < kept;) {
    std::size_t end = row + 1;
    while (end < kept && order[end] == order[end - 1] + 1) {
      ++end;
    }
    std::memmove(data + row * bytes, data + order[row] * bytes, (end - row) * bytes);
    row = end;
  }
}

template <std::size_t bytes>
void close_gaps_one_by_one(std::byte* data, std::span<const std::uint32_t> order, std::size_t from,
                           std::size_t kept) noexcept {
  for (std::size_t row = from; row < kept; ++row) {
    std::byte value[bytes];  // a row may stay where it is
    std::memcpy(value, data + order[row] * bytes, bytes);
    std::memcpy(data + row * bytes, value, bytes);
  }
}

void close_gaps(ColumnData& column, std::span<const std::uint32_t> order, std::size_t from,
                std::size_t kept) noexcept {
  constexpr std::size_t kShortRun = 24;
  const bool long_runs = (order.size() - kept) * kShortRun < order.size() - from;
  std::byte* const data = column.data.data();
  if (column.bytes == 1 && !long_runs) {
    close_gaps_one_by_one<1>(data, order, from, kept);
  } else if (column.bytes == 4 && !long_runs) {
    close_gaps_one_by_one<4>(data, order, from, kept);
  } else if (column.bytes == 8 && !long_runs) {
    close_gaps_one_by_one<8>(data, order, from, kept);
  } else {
    close_gaps_by_runs(data, column.bytes, order, from, kept);
  }
}

}  // namespace

Result<std::size_t> PopulationStore::bury() {
  const Workspace::Scope scope(scratch);
  std::size_t noted = 0;
  for_each_changes([&](const Changes& from) { noted += from.noted_->died.size(); });
  std::span<std::uint32_t> slots = scratch.take<std::uint32_t>(noted);
  auto end = slots.begin();
  for_each_changes([&](Changes& from) {
    end = std::copy(from.noted_->died.begin(), from.noted_->died.end(), end);
    from.noted_->died.clear();
  });
  if (distribution) {
    JUXTA_TRY_LET(const auto all, all_of_all<std::uint32_t>(distribution->ranks, slots));
    slots = scratch.take<std::uint32_t>(all.size());
    std::copy(all.begin(), all.end(), slots.begin());
  }
  if (slots.empty()) {
    return 0;
  }
  static_cast<void>(sort_keys(slots, {.workspace = &scratch}));
  slots = {slots.begin(), std::unique(slots.begin(), slots.end())};
  close_rows_of(slots);
  // By slots, so that the Ids of those who are born next do not show where the dead stood. The lowest slot
  // comes first.
  for (std::size_t i = slots.size(); i > 0; --i) {
    static_cast<void>(ids.remove({slots[i - 1], ids.state().generations[slots[i - 1]]}));
  }
  ++changed;
  ++members;
  return slots.size();
}

void PopulationStore::close_rows_of(std::span<const std::uint32_t> dying) {
  const Workspace::Scope scope(scratch);
  const std::size_t count = size();
  const auto dead = scratch.take<std::uint8_t>(count);
  std::fill(dead.begin(), dead.end(), std::uint8_t{0});
  const auto links = ids.state().links;
  std::size_t died = 0;
  for (const std::uint32_t slot : dying) {
    if (links[slot] != IdTable::kNone) {  // else its row is on another rank
      dead[links[slot]] = 1;
      ++died;
    }
  }
  if (died == 0) {
    return;
  }
  // The survivors in their order, then the dead.
  const auto order = scratch.take<std::uint32_t>(count);
  const auto gone = scratch.take<std::uint32_t>(died + 1);
  std::size_t survivor = 0, buried = 0;
  for (std::size_t row = 0; row < count; ++row) {  // both are written, one counts: no branch to foretell
    order[survivor] = gone[buried] = static_cast<std::uint32_t>(row);
    survivor += dead[row] == 0;
    buried += dead[row] != 0;
  }
  std::copy_n(gone.begin(), died, order.begin() + static_cast<std::ptrdiff_t>(survivor));
  const auto first_gap =
      static_cast<std::size_t>(std::find(dead.begin(), dead.end(), std::uint8_t{1}) - dead.begin());
  for (ColumnData& column : columns) {
    close_gaps(column, order, first_gap, count - died);
  }
  static_cast<void>(ids.reorder(order));  // a permutation: it cannot be refused
  if (distribution) {
    distribution->close_rows_of(order.first(count - died));
  }
}

Result<std::uint32_t> PopulationStore::append_born(std::size_t born) {
  if (!distribution) {
    return append(born);
  }
  // Those that no call of for_each() noted, then call by call: on all ranks, before the next call's.
  std::vector<std::uint64_t> counts(1 + calls.size());
  const auto born_in = [&](const Changes& noted) { return noted.noted_->born.size() / newborn.size(); };
  counts[0] = born_in(changes);
  for (std::size_t i = 0, call = 0; i < ranges_used; ++i) {
    while (call < calls.size() && calls[call] <= i) {
      ++call;
    }
    counts[call] += born_in(*ranges[i]);
  }
  return append_over_ranks(*this, counts);
}

Result<std::size_t> PopulationStore::bear() {
  std::size_t bytes = 0;
  for_each_changes([&](const Changes& from) { bytes += from.noted_->born.size(); });
  const std::size_t born = bytes / newborn.size();
  const std::size_t before = distribution ? distribution->next_number : 0;
  Result<std::uint32_t> first = append_born(born);
  std::size_t row = first.value_or(0);
  for_each_changes([&](Changes& from) {
    for (std::size_t at = 0; first && at < from.noted_->born.size(); at += newborn.size(), ++row) {
      for (ColumnData& column : columns) {
        std::memcpy(column.data.data() + row * column.bytes, from.noted_->born.data() + at + column.at,
                    column.bytes);
      }
    }
    from.noted_->born.clear();
  });
  ranges_used = 0;
  calls.clear();
  for (ColumnData& column : columns) {
    column.unchecked = column.unchecked || (born > 0 && column.kind == ColumnKind::kReference);
  }
  return first.map([&](std::uint32_t) { return distribution ? distribution->next_number - before : born; });
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

}  // namespace juxta::agents_detail
