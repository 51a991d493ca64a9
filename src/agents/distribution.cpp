// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/distribution.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "agents/store.h"
#include "juxta/core/try.h"

namespace juxta {

namespace agents_detail {

Result<void> check_whole(const PopulationStore& store, std::string_view what) {
  if (store.distribution) {
    return fail(ErrorCode::kInvalidArgument,
                std::string(what) + ": '" + store.name +
                    "' is on several ranks, where this cannot be asked: gather() the simulation first");
  }
  return {};
}

void CellRun::find(std::span<const std::uint32_t> rows, std::uint64_t* cells) const noexcept {
  const std::uint32_t* end = begins.begin();  // of the cell before it
  for (std::size_t i = 0; i < rows.size(); ++i) {
    constexpr std::uint32_t kFar = 64;  // rows that mostly follow each other: their cells do, too
    if (i == 0 || rows[i] - rows[i - 1] > kFar) {
      end = std::upper_bound(end, begins.end(), rows[i]);
    }
    while (*end <= rows[i]) {
      ++end;
    }
    cells[i] = first + static_cast<std::uint64_t>(end - begins.begin()) - 1;
  }
}

void Distribution::close_rows_of(std::span<const std::uint32_t> order) {
  const auto kept = static_cast<std::size_t>(
      std::lower_bound(order.begin(), order.end(), static_cast<std::uint32_t>(ordered)) - order.begin());
  for (std::size_t i = kept; i < order.size(); ++i) {
    numbers[i - kept] = numbers[order[i] - ordered];
  }
  numbers.resize(order.size() - kept);
  ordered = kept;
}

std::size_t Distribution::memory_bytes() const noexcept {
  std::size_t bytes = keys.memory_bytes() + run.begins.memory_bytes() + rows.memory_bytes() +
                      numbers.capacity() * sizeof(std::uint64_t) + counts.capacity() * sizeof(CellCount);
  for (const auto& halo : halos) {
    bytes += halo->memory_bytes();
  }
  return bytes;
}

Result<std::uint32_t> append_over_ranks(PopulationStore& store, std::span<const std::uint64_t> counts) {
  Distribution& distribution = *store.distribution;
  JUXTA_TRY_LET(const auto parts, all_gather(distribution.ranks, std::uint64_t{counts.size()}));
  if (std::count(parts.begin(), parts.end(), counts.size()) != static_cast<std::ptrdiff_t>(parts.size())) {
    return fail(ErrorCode::kInvalidArgument, "every rank must make the same calls of for_each() in a step");
  }
  JUXTA_TRY_LET(const auto all, all_of_all<std::uint64_t>(distribution.ranks, counts));
  const std::uint64_t total = std::accumulate(all.begin(), all.end(), std::uint64_t{0});
  if (total > kMostAgents - store.ids.state().generations.size()) {
    return fail(ErrorCode::kTooLarge, "a population has at most 2^32 - 2 agents: make another one");
  }
  const std::size_t before = store.size();
  const std::size_t mine = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  for (ColumnData& column : store.columns) {
    column.grow(before + mine);
    column.fill(before, before + mine + kArrayPadding);
  }
  for (std::size_t part = 0; part < counts.size(); ++part) {
    for (std::uint32_t rank = 0; rank < distribution.size(); ++rank) {
      for (std::uint64_t i = all[rank * counts.size() + part]; i > 0; --i) {
        if (rank == distribution.rank()) {
          JUXTA_TRY(store.ids.insert());
          distribution.numbers.push_back(distribution.next_number);
        } else {
          JUXTA_TRY(store.ids.insert_elsewhere());
        }
        ++distribution.next_number;
      }
    }
  }
  store.changed += total > 0;
  store.members += total > 0;
  return static_cast<std::uint32_t>(before);
}

}  // namespace agents_detail
}  // namespace juxta
