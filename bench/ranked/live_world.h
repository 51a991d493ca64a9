// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the rows live_* share: points that were moved, and questions about live ones.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "bench/ranked/official_rows.h"
#include "juxta/ranked/live_points.h"

namespace juxta::bench {

inline constexpr std::size_t kResults = 20;

inline juxta::Id first_id(std::uint32_t i) {
  return {i, 1};
}

/// The points of a world, some of them moved to places of others.
class Moved {
 public:
  Moved(const scenes::ContestWorld& world, std::size_t moves) : x(world.x), y(world.y), rank(world.rank) {
    std::mt19937 random(1);
    std::vector<bool> seen(x.size());
    for (std::size_t i = 0; i < moves; ++i) {
      const auto which = static_cast<std::uint32_t>(random() % x.size());
      if (!seen[which]) {
        seen[which] = true;
        moved.push_back(which);
      }
    }
    for (const std::uint32_t i : moved) {
      const std::size_t to = random() % x.size();
      to_x.push_back(world.x[to] + static_cast<float>(random() % 1000) * 1e-3F);
      to_y.push_back(world.y[to]);
      x[i] = to_x.back();
      y[i] = to_y.back();
      ids.push_back(first_id(i));
    }
  }

  std::vector<float> x, y;  // after the moves
  std::vector<std::int32_t> rank;
  std::vector<std::uint32_t> moved;
  std::vector<juxta::Id> ids;
  std::vector<float> to_x, to_y;
};

inline LiveRankedPoints make_live(const scenes::ContestWorld& world, bool merges) {
  return LiveRankedPoints::build({world.x, world.y, world.rank}, {.merge_in_background = merges}).value();
}

/// Slots, which are the input indices: no point was inserted.
inline std::size_t ask_slots(const LiveRankedPoints& live, const RectD& rect, Id* out) {
  std::array<juxta::Id, kResults> ids;
  const std::size_t written = live.snapshot().top(rect, kResults, ids).written;
  std::ranges::transform(std::span(ids).first(written), out, &juxta::Id::slot);
  return written;
}

template <class Work>
double nanoseconds(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

/// live_day/*
void register_live_day();

}  // namespace juxta::bench
