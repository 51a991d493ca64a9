// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "layer/territories.h"

#include <algorithm>
#include <array>
#include <bit>

namespace juxta::layer_detail {
namespace {

template <int D>
Aabb<D> bounds_of(const BoxBlock<D>& block) {
  Aabb<D> bounds = block.box(0);
  for (std::uint32_t lane = 1; lane < kBlockLanes; ++lane) {
    const Aabb<D> box = block.box(lane);
    for (int axis = 0; axis < D; ++axis) {
      bounds.lo[axis] = std::min(bounds.lo[axis], box.lo[axis]);
      bounds.hi[axis] = std::max(bounds.hi[axis], box.hi[axis]);
    }
  }
  return bounds;
}

template <int D>
std::span<Aabb<D>> territory_bounds(const BlockTree<D>& tree, Workspace& workspace) {
  const std::uint32_t level = territory_level(tree);
  const std::span<Aabb<D>> bounds = workspace.take<Aabb<D>>(tree.blocks[level]);
  for (std::uint32_t t = 0; t < bounds.size(); ++t) {
    bounds[t] = bounds_of(tree.level[level][t]);
  }
  return bounds;
}

// The colours that a territory has already: at most one per other territory and side.
using Colours = std::array<std::uint64_t, 2 * kMostTerritories / 64 + 1>;

std::uint32_t lowest_free(const Colours& a, const Colours& b) {
  for (std::uint32_t word = 0;; ++word) {
    if (const std::uint64_t free = ~(a[word] | b[word]); free != 0) {
      return word * 64 + static_cast<std::uint32_t>(std::countr_zero(free));
    }
  }
}

}  // namespace

template <int D>
std::span<const TerritoryPair> territory_pairs(const LayerView<D>& view, Workspace& workspace) {
  if (view.tree->levels == 0) {
    return {};
  }
  const std::span<const Aabb<D>> bounds = territory_bounds(*view.tree, workspace);
  const std::size_t n = bounds.size();
  const std::span<TerritoryPair> pairs = workspace.take<TerritoryPair>(n * (n + 1) / 2);
  std::size_t count = 0;
  for (std::uint32_t t = 0; t < n; ++t) {
    pairs[count++] = {t, t};
    for (std::uint32_t u = t + 1; u < n; ++u) {
      if (bounds[t].overlaps(bounds[u])) {
        pairs[count++] = {t, u};
      }
    }
  }
  return pairs.first(count);
}

template <int D>
std::span<const TerritoryPair> territory_pairs(const LayerView<D>& a, const LayerView<D>& b,
                                               Workspace& workspace) {
  if (a.tree->levels == 0 || b.tree->levels == 0) {
    return {};
  }
  const std::span<const Aabb<D>> of_a = territory_bounds(*a.tree, workspace);
  const std::span<const Aabb<D>> of_b = territory_bounds(*b.tree, workspace);
  const std::span<TerritoryPair> pairs = workspace.take<TerritoryPair>(of_a.size() * of_b.size());
  std::size_t count = 0;
  for (std::uint32_t t = 0; t < of_a.size(); ++t) {
    for (std::uint32_t u = 0; u < of_b.size(); ++u) {
      if (of_a[t].overlaps(of_b[u])) {
        pairs[count++] = {t, u};
      }
    }
  }
  return pairs.first(count);
}

std::span<std::uint32_t> task_groups(std::span<const TerritoryPair> pairs, Workspace& workspace) {
  const std::span<std::uint32_t> begins = workspace.take<std::uint32_t>(pairs.size() + 1);
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    if (i == 0 || pairs[i].first != pairs[i - 1].first) {
      begins[count++] = i;
    }
  }
  begins[count] = static_cast<std::uint32_t>(pairs.size());
  return begins.first(count + 1);
}

Phases colour_pairs(std::span<const TerritoryPair> pairs, int sides, Workspace& workspace) {
  const std::size_t n = pairs.size();
  const std::span<std::uint32_t> colour = workspace.take<std::uint32_t>(n);
  const std::span<Colours> taken = workspace.take<Colours>(std::size_t{kMostTerritories} * 2);
  std::fill(taken.begin(), taken.end(), Colours{});
  std::uint32_t colours = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Colours& first = taken[pairs[i].first];
    Colours& second = taken[pairs[i].second + (sides == 2 ? kMostTerritories : 0)];
    const std::uint32_t c = lowest_free(first, second);
    first[c / 64] |= std::uint64_t{1} << c % 64;
    second[c / 64] |= std::uint64_t{1} << c % 64;
    colour[i] = c;
    colours = std::max(colours, c + 1);
  }
  const std::span<std::uint32_t> begins = workspace.take<std::uint32_t>(colours + std::size_t{1});
  std::fill(begins.begin(), begins.end(), 0U);
  for (const std::uint32_t c : colour) {
    ++begins[c + 1];
  }
  for (std::uint32_t c = 0; c < colours; ++c) {
    begins[c + 1] += begins[c];
  }
  const std::span<TerritoryPair> grouped = workspace.take<TerritoryPair>(n);
  const std::span<std::uint32_t> next = workspace.take<std::uint32_t>(colours);
  std::copy_n(begins.begin(), colours, next.begin());
  for (std::size_t i = 0; i < n; ++i) {
    grouped[next[colour[i]]++] = pairs[i];
  }
  return {grouped, begins};
}

template std::span<const TerritoryPair> territory_pairs(const LayerView<2>&, Workspace&);
template std::span<const TerritoryPair> territory_pairs(const LayerView<3>&, Workspace&);
template std::span<const TerritoryPair> territory_pairs(const LayerView<2>&, const LayerView<2>&, Workspace&);
template std::span<const TerritoryPair> territory_pairs(const LayerView<3>&, const LayerView<3>&, Workspace&);

}  // namespace juxta::layer_detail
