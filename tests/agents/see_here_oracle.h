// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The oracle of see_here_test.cpp, in a file of its own: that test's flags let the compiler fuse additions
// into multiplications, here too.
#pragma once

#include <cstddef>
#include <limits>

#include "agents/oracle.h"

namespace juxta::test {

/// Whom an agent is nearest to.
struct NearestSeen {
  float distance2 = std::numeric_limits<float>::infinity();  // infinite: it has no neighbours
  std::size_t row = 0;
};

/// Of agent `row` of `all` to the others within `radius`.
[[nodiscard]] NearestSeen nearest_seen(const World& world, const Crowd& all, std::size_t row, float radius);

}  // namespace juxta::test
