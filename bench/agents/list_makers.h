// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Contenders that write the neighbours of all agents into memory, list behind list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "bench/agents/consumer/world.h"

namespace juxta::bench {

/// What a contender wrote. Agents are named by where it keeps them now: `number` says which agent of Start
/// that is.
struct WrittenLists {
  std::vector<std::uint64_t> offsets;  // of list i
  std::vector<std::uint32_t> rows;     // may be longer than what is written
  std::vector<std::uint32_t> seer;     // of list i; empty: i
  std::vector<std::uint32_t> number;
};

class ListMaker {
 public:
  virtual ~ListMaker() = default;
  virtual void set(const Start& start) = 0;
  /// Everybody moves by its velocity, and is turned back or brought back at the edges. Not timed.
  virtual void move() = 0;
  /// From positions to lists: this is timed.
  virtual void list() = 0;
  [[nodiscard]] virtual WrittenLists written() const = 0;
};

/// One axis of one agent, the same bits for all contenders.
inline void move_along(const Start& start, float& p, float& v) noexcept {
  p += v;
  if (start.periodic) {
    p = p >= start.hi ? p - (start.hi - start.lo) : p < start.lo ? p + (start.hi - start.lo) : p;
    p = p >= start.hi ? start.lo : p;
    return;
  }
  v = p < start.lo || p > start.hi ? -v : v;
  p = p < start.lo ? start.lo : p > start.hi ? start.hi : p;
}

/// A counting-sort cell grid in plain C++, at whichever of five cell sizes is the fastest for what it is
/// first given. Agents move in memory with the sort.
[[nodiscard]] std::unique_ptr<ListMaker> make_grid_lists(std::uint32_t dimensions);
/// The same without a branch for each pair.
[[nodiscard]] std::unique_ptr<ListMaker> make_branchless_grid_lists(std::uint32_t dimensions);
/// nanoflann's k-d tree without periodic edges, asked in the order of its leaves.
[[nodiscard]] std::unique_ptr<ListMaker> make_nanoflann_lists(std::uint32_t dimensions);

}  // namespace juxta::bench
