// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace juxta::bench {

/// What a node of a field counts of a node that is (dx, dy) nodes away, when it sums over a disc.
struct FieldDisc {
  struct Line {
    int dy, reach;  ///< Columns to each side in which the disc covers anything.
  };
  std::vector<Line> lines;
  int reach = 0;                           ///< Columns and rows to each side.
  std::vector<float> weights;              ///< Row by row, (2 reach + 1)^2.
  float same = 0, beside = 0, across = 0;  ///< Of the node itself, of one next to it, of one across.

  [[nodiscard]] float at(int dx, int dy) const {
    return weights[static_cast<std::size_t>((dy + reach) * (2 * reach + 1) + dx + reach)];
  }
};

/// A disc of `radius` nodes, > 0: each node by how much of the square around it is inside. With `same_spread`
/// a smaller disc, such that it has the spread of the true one when boids are dealt out to nodes and read
/// back from them by bilinear weights, which blurs. Cost: below 1 ms a node of radius.
[[nodiscard]] FieldDisc make_field_disc(float radius, bool same_spread);

}  // namespace juxta::bench
