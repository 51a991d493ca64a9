// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The pairs of some boxes against a plain scan over all boxes.
#include <algorithm>

#include "tool/console.h"
#include "tool/pairs.h"

namespace juxta::tool {

PairsCheck check_pairs(const PairsReport& report, PairSource pairs) {
  constexpr std::size_t kMost = 1000, kLeast = 20, kComparisons = 300'000'000;  // a second or two
  const bool two = report.inputs.size() == 2;
  const std::vector<Aabb3>& first = report.inputs.front()->table.boxes;
  const std::vector<Aabb3>& second = report.inputs.back()->table.boxes;
  const std::size_t some = std::clamp(kComparisons / std::max<std::size_t>(second.size(), 1), kLeast, kMost);
  const std::size_t step = first.size() / some + 1;  // every step-th box is looked at
  std::vector<std::vector<std::uint32_t>> found(first.size() / step + 1);
  const auto add = [&](std::uint32_t body, std::uint32_t other) {
    if (body % step == 0) {
      found[body / step].push_back(other);
    }
  };
  pairs([&](std::span<const Pair> batch) {
    for (const Pair& pair : batch) {
      add(pair.a, pair.b);
      if (!two) {
        add(pair.b, pair.a);
      }
    }
    return !interrupted();
  });
  PairsCheck check;
  std::vector<std::uint32_t> expected;
  for (std::size_t body = 0; body < first.size(); body += step, ++check.boxes) {
    expected.clear();
    for (std::uint32_t other = 0; other < second.size(); ++other) {
      if ((two || other != body) && first[body].overlaps(second[other])) {
        expected.push_back(other);
      }
    }
    std::sort(found[body / step].begin(), found[body / step].end());
    check.wrong += found[body / step] != expected ? 1 : 0;
  }
  return check;
}

}  // namespace juxta::tool
