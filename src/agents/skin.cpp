// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/skin.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "agents/store.h"

namespace juxta::agents_detail {
namespace {

/// The square of the way that the furthest of some rows went; in double, where it neither overflows nor
/// vanishes.
double furthest(const PopulationStore& store, const Skin& skin, std::size_t first,
                std::size_t last) noexcept {
  std::array<double, 3> period{};
  std::array<const float*, 3> from{}, to{};
  const std::uint32_t dimensions = store.world.dimensions;
  for (std::uint32_t a = 0; a < dimensions; ++a) {
    const bool periodic = store.world.edges[a] == Edge::kPeriodic;
    period[a] = periodic ? static_cast<double>(store.world.hi[a] - store.world.lo[a])
                         : std::numeric_limits<double>::infinity();
    from[a] = skin.position[a].data();
    to[a] = store.position(a);
  }
  double most = 0;
  for (std::size_t i = first; i < last; ++i) {
    double way = 0;
    for (std::uint32_t a = 0; a < dimensions; ++a) {
      const double d = std::abs(static_cast<double>(to[a][i]) - from[a][i]);
      const double nearest = std::min(d, std::abs(period[a] - d));
      way += nearest * nearest;
    }
    most = std::max(most, way);
  }
  return most;
}

bool same_extents(const PopulationStore& store, const Skin& skin, std::size_t first,
                  std::size_t last) noexcept {
  bool same = true;
  for (std::uint32_t a = 0; a < store.world.dimensions && store.extents != Column<float>::kNone; ++a) {
    const float* const now = store.columns[store.extents + a].as<float>();
    same = same && std::equal(now + first, now + last, skin.extents[a].data() + first);
  }
  return same;
}

}  // namespace

void Skin::keep(const PopulationStore& store, const SortOptions& options) {
  kept = options.skin > 0;
  directory = kept;
  radius = options.radius;
  arrangement = options.arrangement;
  members = store.members;
  for (std::uint32_t a = 0; a < store.world.dimensions && kept; ++a) {
    position[a].resize_discard(store.size());
    std::copy_n(store.position(a), store.size(), position[a].begin());
    if (store.extents != Column<float>::kNone) {
      extents[a].resize_discard(store.size());
      std::copy_n(store.columns[store.extents + a].as<float>(), store.size(), extents[a].begin());
    }
  }
}

float Skin::moved(PopulationStore& store, const SortOptions& options, const Executor& executor) const {
  if (!kept || !(options.skin > 0) || members != store.members || radius != options.radius ||
      arrangement != options.arrangement) {
    return -1;
  }
  std::atomic<bool> same = true;
  const Workspace::Scope scope(store.scratch);
  const std::span<double> ways = store.scratch.take<double>((store.size() + kManyRows - 1) / kManyRows);
  executor.parallel_for(store.size(), kManyRows, [&](std::size_t first, std::size_t last) {
    ways[first / kManyRows] = furthest(store, *this, first, last);
    if (!same_extents(store, *this, first, last)) {
      same.store(false, std::memory_order_relaxed);
    }
  });
  const double way = std::sqrt(
      std::accumulate(ways.begin(), ways.end(), 0.0, [](double a, double b) { return std::max(a, b); }));
  if (!same.load(std::memory_order_relaxed) || way > options.skin / 2) {
    return -1;
  }
  // Not below it in float either.
  return std::nextafter(static_cast<float>(way), std::numeric_limits<float>::infinity());
}

Places Skin::places(const PopulationStore& store) const noexcept {
  Places places;
  places.count = store.size();
  for (std::uint32_t a = 0; a < store.world.dimensions; ++a) {
    places.position[a] = position[a].data();
    places.extents[a] = store.extents != Column<float>::kNone ? extents[a].data() : nullptr;
  }
  return places;
}

std::size_t Skin::memory_bytes() const noexcept {
  std::size_t bytes = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    bytes += position[a].memory_bytes() + extents[a].memory_bytes();
  }
  return bytes;
}

}  // namespace juxta::agents_detail
