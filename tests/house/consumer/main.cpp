// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The ten-line users: the two best points of three inside a square; boxes that touch, and what a ray enters
// first. Exit 0 when the answers are right.
#include <juxta/core/workspace.h>
#include <juxta/layer/find_pairs.h>
#include <juxta/layer/raycast.h>
#include <juxta/ranked/ranked_points.h>

#include <array>
#include <vector>

namespace {

bool ranked_is_right() {
  const std::vector<float> xs{1, 2, 9}, ys{1, 2, 9};
  const std::vector<std::int32_t> ranks{5, 3, 1};
  const auto points = juxta::RankedPoints::build(xs, ys, ranks);
  std::array<std::uint32_t, 2> best{};
  return points && points->top({0, 0, 3, 3}, 2, best).written == 2 && best[0] == 1 && best[1] == 0;
}

bool layer_is_right() {
  const std::vector<juxta::Aabb3> boxes{
      {{0, 0, 0}, {1, 1, 1}}, {{1, 0, 0}, {2, 1, 1}}, {{5, 0, 0}, {6, 1, 1}}};
  auto layer = juxta::Layer::build(boxes);
  juxta::Workspace workspace;
  std::array<juxta::Pair, 4> pairs{};
  const auto ray = juxta::segment({9, 0.5F, 0.5F}, {0, 0.5F, 0.5F});
  return layer && juxta::find_pairs(*layer, pairs, {}, {.workspace = &workspace})->found == 1 &&
         pairs[0] == juxta::Pair{0, 1} && juxta::raycast_closest(*layer, ray).body == 2 &&
         layer->insert({{0, 0, 0}, {9, 9, 9}});
}

}  // namespace

int main() {
  return ranked_is_right() && layer_is_right() ? 0 : 1;
}
