// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The ten-line user: the two best points of three inside a square. Exit 0 when the answer is right.
#include <juxta/ranked/ranked_points.h>

#include <array>
#include <vector>

int main() {
  const std::vector<float> xs{1, 2, 9}, ys{1, 2, 9};
  const std::vector<std::int32_t> ranks{5, 3, 1};
  const auto points = juxta::RankedPoints::build(xs, ys, ranks);
  std::array<std::uint32_t, 2> best{};
  return points && points->top({0, 0, 3, 3}, 2, best).written == 2 && best[0] == 1 && best[1] == 0 ? 0 : 1;
}
