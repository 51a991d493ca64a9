// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a search for pairs cut into tasks, as a function of the layers alone.
//
// Territories are the nodes of one level of the tree, few enough (256) to look at all pairs of them:
//
//   level 2 of 100k bodies   | T0 | T1 | ... | T24 |      a task: the pairs within T, or between T and U
//
// Natural order: for T ascending, the pairs within T, then those between T and each U > T that it overlaps.
#pragma once

#include <cstdint>
#include <span>

#include "juxta/core/workspace.h"
#include "layer/pair_kernel.h"
#include "layer/store.h"

namespace juxta::layer_detail {

inline constexpr std::uint32_t kMostTerritories = 256;

/// The lowest level with few enough nodes; those are the territories.
template <int D>
[[nodiscard]] std::uint32_t territory_level(const BlockTree<D>& tree) noexcept {
  std::uint32_t level = 1;
  while (tree.blocks[level] > kMostTerritories) {
    ++level;
  }
  return level;
}

/// A pair of territories to be searched: of one layer (first == second: within), or of two.
struct TerritoryPair {
  std::uint32_t first, second;
};

/// The pairs of territories that overlap, in natural order. From the workspace.
template <int D>
[[nodiscard]] std::span<const TerritoryPair> territory_pairs(const LayerView<D>& view, Workspace& workspace);
template <int D>
[[nodiscard]] std::span<const TerritoryPair> territory_pairs(const LayerView<D>& a, const LayerView<D>& b,
                                                             Workspace& workspace);

/// Where runs of one first territory begin, and the end: run g is pairs[begins[g]] ... pairs[begins[g + 1] -
/// 1].
[[nodiscard]] std::span<std::uint32_t> task_groups(std::span<const TerritoryPair> pairs,
                                                   Workspace& workspace);

/// The same pairs, regrouped into phases that hold each territory at most once: phase c is
/// pairs[begins[c]] ... pairs[begins[c + 1] - 1].
struct Phases {
  std::span<const TerritoryPair> pairs;
  std::span<const std::uint32_t> begins;
};
/// Colours pairs greedily, in their order: the lowest colour that neither territory has yet. At most 2 d - 1
/// colours for d pairs at a territory. `sides`: 1 when both name territories of one layer, 2 when of two.
[[nodiscard]] Phases colour_pairs(std::span<const TerritoryPair> pairs, int sides, Workspace& workspace);

}  // namespace juxta::layer_detail
