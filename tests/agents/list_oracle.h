// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Neighbours of agents as lists of plain vectors, from all pairs. Shared with fuzz/agents.
#pragma once

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "agents/oracle.h"
#include "agents/pass_check.h"
#include "juxta/agents/neighbour_lists.h"

namespace juxta::test {

struct ListBook {
  std::vector<std::uint64_t> offsets{0};  // or empty
  std::vector<std::uint32_t> rows;
  std::vector<RowPair> pairs;              // or empty
  std::vector<float> distance2, distance;  // or empty
  std::vector<float> displacement;         // or empty
};

inline ListBook list_by_hand(const Population& seers_of, const Population& seen_of, float radius,
                             const NeighbourListOptions& options) {
  ListBook book;
  const bool same = &seers_of == &seen_of;
  const Crowd seers = crowd_of(seers_of, options.radii.index != Column<float>::kNone),
              seen = crowd_of(seen_of, false);
  const World& world = seers_of.world();
  for (std::uint32_t a = 0; a < seers.size(); ++a) {
    const auto note = [&](std::size_t row, const Sight& sight) {
      if (options.half && row < a) {
        return;
      }
      const auto b = static_cast<std::uint32_t>(row);
      book.rows.push_back(b);
      book.pairs.push_back({a, b});
      book.distance2.push_back(sight.distance2);
      book.distance.push_back(std::sqrt(sight.distance2));
      for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
        book.displacement.push_back(sight.d[axis]);
      }
    };
    for_each_seen(world, options.metric, seers, a, seen, same, radius, note);
    book.offsets.push_back(book.rows.size());
  }
  return book;
}

/// Which of two books' columns differ, by a bit; a column that one of them lacks is not compared.
inline std::string difference(const ListBook& a, const ListBook& b) {
  const auto differ = [](const auto& x, const auto& y) {
    return !x.empty() && !y.empty() &&
           (x.size() != y.size() || std::memcmp(x.data(), y.data(), x.size() * sizeof(x[0])) != 0);
  };
  std::string which;
  which += a.rows == b.rows ? "" : "rows ";
  which += differ(a.offsets, b.offsets) ? "offsets " : "";
  which += differ(a.pairs, b.pairs) ? "pairs " : "";
  which += differ(a.distance2, b.distance2) ? "distance2 " : "";
  which += differ(a.distance, b.distance) ? "distance " : "";
  which += differ(a.displacement, b.displacement) ? "displacement " : "";
  return which;
}

}  // namespace juxta::test
