// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "view/snapshot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace juxta::view_detail {
namespace {

constexpr std::size_t kGrain = 16'384;  // things a task

template <class T>
void copy_column(std::span<const T> from, std::size_t count, std::vector<float>& to,
                 const Executor& executor) {
  to.resize(std::min(from.size(), count));
  executor.parallel_for(to.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      to[i] = static_cast<float>(from[i]);
    }
  });
}

/// A direction in 127ths; zeros for what does not move.
void copy_heading(const std::array<std::span<const float>, 3>& from, std::size_t count,
                  std::vector<std::int8_t>& to, const Executor& executor) {
  if (from[0].size() < count || from[1].size() < count || (!from[2].empty() && from[2].size() < count)) {
    to.clear();
    return;
  }
  to.resize(4 * count);
  executor.parallel_for(count, kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const float x = from[0][i], y = from[1][i], z = from[2].empty() ? 0.0F : from[2][i];
      const float length = std::sqrt(x * x + y * y + z * z);
      const float scale = length > 0 && length <= 1e30F ? 127 / length : 0.0F;
      to[4 * i] = static_cast<std::int8_t>(x * scale);
      to[4 * i + 1] = static_cast<std::int8_t>(y * scale);
      to[4 * i + 2] = static_cast<std::int8_t>(z * scale);
      to[4 * i + 3] = 0;
    }
  });
}

void copy_group(const ViewThings& things, const ViewGroup& group, const std::vector<bool>& wanted,
                const Executor& executor, SnapshotGroup& into) {
  const std::size_t count = std::min(things.x.size(), things.y.size());
  copy_column(things.x, count, into.x, executor);
  copy_column(things.y, count, into.y, executor);
  copy_column(things.z, count, into.z, executor);
  copy_column(things.sizes, count, into.sizes, executor);
  into.size = group.size;
  if (group.heading) {
    copy_heading(things.heading, count, into.heading, executor);
  }
  into.columns.resize(group.columns.size());
  for (std::size_t c = 0; c < into.columns.size(); ++c) {
    if (c < wanted.size() && wanted[c] && c < things.columns.size()) {
      std::visit([&](auto from) { copy_column(from, count, into.columns[c], executor); }, things.columns[c]);
    } else {
      into.columns[c].clear();
    }
  }
}

}  // namespace

void copy_state(const ViewedWorld& world, const ViewInfo& info, const Colours& colours,
                const Executor& executor, Snapshot& into) {
  into.step = world.steps();
  into.groups.resize(info.groups.size());
  static const std::vector<bool> kNone;
  for (std::size_t g = 0; g < info.groups.size(); ++g) {
    copy_group(world.things(g), info.groups[g], g < colours.size() ? colours[g] : kNone, executor,
               into.groups[g]);
  }
}

}  // namespace juxta::view_detail
