// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "juxta/agents/vector_column.h"
#include "juxta/core/error.h"
#include "sector/world.h"

namespace juxta::sector {

/// Calls body(i) for each i below `count`, on the world's executor: bodies write to what is theirs alone.
template <class Body>
void for_each_index(const World& world, std::size_t count, const Body& body) {
  executor_or_serial(world.executor).parallel_for(count, 512, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      body(i);
    }
  });
}

/// Two halves that write to nothing that the other reads: at once, so that one fills the gaps of the other.
template <class A, class B>
void side_by_side(const World& world, const A& a, const B& b) {
  executor_or_serial(world.executor).parallel_for(2, 1, [&](std::size_t half, std::size_t /*end*/) {
    if (half == 0) {
      a();
    } else {
      b();
    }
  });
}

/// Reads many nodes at once, on all threads: `read` is Hierarchy::world or Hierarchy::local. The Ids are
/// alive.
template <class T>
[[nodiscard]] std::vector<T> read_nodes(const World& world, std::span<const Id> ids,
                                        Result<void> (Hierarchy::*read)(std::span<const Id>, std::span<T>)
                                            const) {
  std::vector<T> out(ids.size());
  executor_or_serial(world.executor).parallel_for(ids.size(), 512, [&](std::size_t first, std::size_t last) {
    const std::size_t count = last - first;
    static_cast<void>(
        (world.hierarchy.*read)(ids.subspan(first, count), std::span<T>(out).subspan(first, count)));
  });
  return out;
}

/// The box around a ball.
[[nodiscard]] inline Aabb3 ball_box(Vec3 at, float radius) noexcept {
  return {{at.x - radius, at.y - radius, at.z - radius}, {at.x + radius, at.y + radius, at.z + radius}};
}

/// The rows for which the predicate holds, ascending. Each range notes its own, at its own place; then they
/// close up.
template <class Predicate>
[[nodiscard]] std::vector<std::uint32_t> rows_where(const World& world, std::size_t count,
                                                    const Predicate& predicate) {
  constexpr std::size_t kRange = 1024;
  std::vector<std::size_t> found((count + kRange - 1) / kRange);
  std::vector<std::uint32_t> rows(count);
  executor_or_serial(world.executor).parallel_for(count, kRange, [&](std::size_t first, std::size_t last) {
    std::size_t at = first;
    for (std::size_t row = first; row < last; ++row) {
      if (predicate(row)) {
        rows[at++] = static_cast<std::uint32_t>(row);
      }
    }
    found[first / kRange] = at - first;
  });
  std::size_t at = 0;
  for (std::size_t range = 0; range < found.size(); ++range) {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(range * kRange);
    std::copy_n(first, found[range], rows.begin() + static_cast<std::ptrdiff_t>(at));
    at += found[range];
  }
  rows.resize(at);
  return rows;
}

/// Those of `rows` whose places in it fulfil the predicate, in the same order.
template <class Predicate>
[[nodiscard]] std::vector<std::uint32_t> those_of(const World& world, std::span<const std::uint32_t> rows,
                                                  const Predicate& predicate) {
  std::vector<std::uint32_t> kept = rows_where(world, rows.size(), predicate);
  for_each_index(world, kept.size(), [&](std::size_t i) { kept[i] = rows[kept[i]]; });
  return kept;
}

/// Ships take turns at what they do every few ticks: a quarter of them each time.
inline constexpr std::uint32_t kTurns = 4;
/// The ships whose turn it is.
[[nodiscard]] inline std::vector<std::uint32_t> find_turns(const World& world) {
  const auto turn = world.ships.all->read(world.ships.turn);
  const std::uint32_t now = world.tick() % kTurns;
  return rows_where(world, turn.size(), [&](std::size_t row) { return turn[row] == now; });
}

}  // namespace juxta::sector
