// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Slabs: all points in the order of one axis, where ranks depend on the place.
//
//   16 x 16 parts of the space      mean place in rank order per part
//   | 3 | 8 | ... | 97 |            even: half of all, give or take 29 % / sqrt(points of the part)
//   | 2 | 9 | ... | 95 |            else ranks follow x, y, a distance, or the density of towns
//
// Cost: a sum and a counting sort per axis, about 40 ns a point.

#include <algorithm>
#include <array>
#include <cmath>

#include "ranked/store.h"

namespace juxta::ranked_detail {

bool ranks_depend_on_place(std::span<const std::uint16_t> qx, std::span<const std::uint16_t> qy) noexcept {
  constexpr std::size_t kFew = 1 << 16, kBits = 4, kParts = std::size_t{1} << 2 * kBits;
  constexpr double kMuch = 0.05;  // of all ranks
  if (qx.size() < kFew) {
    return false;  // trees of so few are in the cache
  }
  std::array<std::uint64_t, kParts> sum{}, count{};
  for (std::size_t p = 0; p < qx.size(); ++p) {
    const auto part = static_cast<std::size_t>(qx[p] >> (16 - kBits) << kBits | qy[p] >> (16 - kBits));
    sum[part] += p;
    ++count[part];
  }
  const auto points = static_cast<double>(qx.size());
  double variance = 0;
  for (std::size_t part = 0; part < kParts; ++part) {
    const auto here = static_cast<double>(count[part]);
    const double away = count[part] == 0 ? 0 : static_cast<double>(sum[part]) / here / points - 0.5;
    variance += here / points * away * away;
  }
  return std::sqrt(variance) > kMuch;
}

SlabView build_slabs(SlabStore& store, const AxisView& axis, std::span<const std::uint16_t> along,
                     std::span<const std::uint16_t> across, const BuildContext& context) {
  const Workspace::Scope scope(context.workspace);
  const std::size_t points = along.size(), quanta = quanta_of(axis.levels);
  const std::size_t places = (points + kBlockSize - 1) / kBlockSize * kBlockSize;
  const std::uint32_t shift = axis.shift();
  store.begin.resize_discard(quanta + 1);
  store.name.resize_discard(places);
  store.across.resize_discard(places);
  std::uint32_t* const begin = store.begin.data();
  std::fill(begin, begin + quanta + 1, 0U);
  for (const std::uint16_t q : along) {
    ++begin[(q >> shift) + 1];
  }
  for (std::size_t q = 1; q <= quanta; ++q) {
    begin[q] += begin[q - 1];
  }
  const auto next = context.workspace.take<std::uint32_t>(quanta);
  std::copy_n(begin, quanta, next.data());
  for (std::size_t p = 0; p < points; ++p) {
    store.name[next[along[p] >> shift]++] = static_cast<std::uint32_t>(p);
  }
  context.executor.parallel_for(points, kPointsOfTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t place = first; place < last; ++place) {
      store.across[place] = across[store.name[place]];
    }
  });
  std::fill(store.name.data() + points, store.name.data() + places, kNoPoint);
  std::fill(store.across.data() + points, store.across.data() + places, std::uint16_t{0});
  return {store.across.data(), store.name.data(), begin};
}

}  // namespace juxta::ranked_detail
