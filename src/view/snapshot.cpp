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

/// 127ths as bytes x, y, z, 0; zeros for what does not move. One store a thing and no branch, so that the
/// compiler makes vectors of it: a third of the time of bytes one by one.
std::uint32_t packed(float x, float y, float z) {
  const float length2 = x * x + y * y + z * z;
  const bool moves = length2 > 0 && length2 <= 1e30F;
  const float scale = 127 / std::sqrt(moves ? length2 : 1.0F), factor = moves ? scale : 0.0F;
  const auto byte = [&](float part) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(moves ? part * factor : 0.0F)) & 255U;
  };
  return byte(x) | byte(y) << 8 | byte(z) << 16;
}

void copy_heading(const std::array<std::span<const float>, 3>& from, std::size_t count,
                  std::vector<std::uint32_t>& to, const Executor& executor) {
  const bool solid = !from[2].empty();
  if (from[0].size() < count || from[1].size() < count || (solid && from[2].size() < count)) {
    to.clear();
    return;
  }
  to.resize(count);
  executor.parallel_for(count, kGrain, [&](std::size_t first, std::size_t last) {
    const float *const x = from[0].data(), *const y = from[1].data(), *const z = from[2].data();
    std::uint32_t* const out = to.data();
    if (solid) {
      for (std::size_t i = first; i < last; ++i) {
        out[i] = packed(x[i], y[i], z[i]);
      }
    } else {
      for (std::size_t i = first; i < last; ++i) {
        out[i] = packed(x[i], y[i], 0);
      }
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
