// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "order/block_tree.h"

#include <algorithm>

#include "juxta/order/block_order.h"
#include "order/block_fit_kernel.h"

namespace juxta {
namespace {

constexpr std::size_t kGrain = 512;      // blocks a task
constexpr std::size_t kSumGrain = 4096;  // blocks a partial sum

}  // namespace

BlockTreePlan plan_block_tree(std::size_t items) noexcept {
  BlockTreePlan plan;
  for (std::size_t n = items; n > 0 && (n > 1 || plan.levels < 2);) {
    n = (n + kBlockLanes - 1) / kBlockLanes;
    plan.blocks[plan.levels++] = static_cast<std::uint32_t>(n);
    plan.total += n;
  }
  return plan;
}

template <int D>
void fill_tree(BlockTree<D>& tree, std::span<const Aabb<D>> boxes, std::span<const std::uint32_t> order,
               const Executor* executor) {
  if (tree.levels == 0) {
    return;
  }
  const Executor& runner = executor_or_serial(executor);
  // A task fills whole parents at once, while their children are in the cache.
  runner.parallel_for(tree.blocks[0], kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last; at += kBlockLanes) {
      const auto from = static_cast<std::uint32_t>(at);
      const auto to = static_cast<std::uint32_t>(std::min(at + kBlockLanes, last));
      order_detail::fill_blocks(tree.level[0], boxes.data(), order.data(), order.size(), from, to);
      if (tree.levels > 1) {
        order_detail::fit_parents(tree.level[0], tree.blocks[0], tree.level[1], from / kBlockLanes,
                                  from / kBlockLanes + 1);
      }
    }
  });
  if (tree.levels > 2) {
    BlockTree<D> upper;
    upper.levels = tree.levels - 1;
    for (std::uint32_t level = 0; level < upper.levels; ++level) {
      upper.level[level] = tree.level[level + 1];
      upper.blocks[level] = tree.blocks[level + 1];
    }
    fit_levels(upper, executor);
  }
}

template <int D>
void fit_levels(BlockTree<D>& tree, const Executor* executor) {
  const Executor& runner = executor_or_serial(executor);
  for (std::uint32_t level = 1; level < tree.levels; ++level) {
    runner.parallel_for(tree.blocks[level], kGrain / kBlockLanes, [&](std::size_t first, std::size_t last) {
      order_detail::fit_parents(tree.level[level - 1], tree.blocks[level - 1], tree.level[level],
                                static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last));
    });
  }
}

template <int D>
double sum_of_block_edges(const BlockTree<D>& tree, std::uint32_t lanes, const Executor* executor) {
  if (tree.levels < 2) {
    return 0;
  }
  constexpr std::size_t kMostParts = (std::size_t{1} << 24) / kSumGrain;
  const std::size_t n = std::min<std::size_t>(tree.blocks[1], lanes / (kBlockLanes * kBlockLanes));
  std::array<double, kMostParts> parts{};
  executor_or_serial(executor).parallel_for(n, kSumGrain, [&](std::size_t first, std::size_t last) {
    parts[first / kSumGrain] = order_detail::edge_sum(tree.level[1], static_cast<std::uint32_t>(first),
                                                      static_cast<std::uint32_t>(last));
  });
  double sum = 0;
  for (const double part : parts) {
    sum += part;
  }
  return sum;
}

template <int D>
void refit_path(BlockTree<D>& tree, std::uint32_t lane) {
  order_detail::fit_path(tree, lane);
}

template JUXTA_API void fill_tree(BlockTree<2>&, std::span<const Aabb2>, std::span<const std::uint32_t>,
                                  const Executor*);
template JUXTA_API void fill_tree(BlockTree<3>&, std::span<const Aabb3>, std::span<const std::uint32_t>,
                                  const Executor*);
template JUXTA_API void fit_levels(BlockTree<2>&, const Executor*);
template JUXTA_API void fit_levels(BlockTree<3>&, const Executor*);
template JUXTA_API double sum_of_block_edges(const BlockTree<2>&, std::uint32_t, const Executor*);
template JUXTA_API double sum_of_block_edges(const BlockTree<3>&, std::uint32_t, const Executor*);
template JUXTA_API void refit_path(BlockTree<2>&, std::uint32_t);
template JUXTA_API void refit_path(BlockTree<3>&, std::uint32_t);

}  // namespace juxta
