// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A k-d tree's order: the boxes of a run are split at the median of their centres along the longest axis, and
// so on inside both halves, down to runs of 16. Splits fall on multiples of the largest block of a level (16,
// 256,
// ...) that fits, so that the implicit tree above the blocks has the splits as its nodes.
#include <algorithm>

#include "order/block_order.h"
#include "order/block_tree.h"

namespace juxta::order_detail {
namespace {

constexpr std::size_t kTask = 4096;  // a run this short is one task

template <int D>
struct Centre {
  float at[D];
  std::uint32_t box;
};

template <int D>
int longest_axis(std::span<const Centre<D>> run) {
  float lo[D], hi[D];
  std::copy_n(run.front().at, D, lo);
  std::copy_n(run.front().at, D, hi);
  for (const Centre<D>& centre : run) {
    for (int axis = 0; axis < D; ++axis) {
      lo[axis] = std::min(lo[axis], centre.at[axis]);
      hi[axis] = std::max(hi[axis], centre.at[axis]);
    }
  }
  int longest = 0;
  for (int axis = 1; axis < D; ++axis) {
    longest = hi[axis] - lo[axis] > hi[longest] - lo[longest] ? axis : longest;
  }
  return longest;
}

// Where a run of more than 16 is split: about the middle, whole nodes of the level below on the left.
std::size_t split_of(std::size_t n) {
  std::size_t node = kBlockLanes;
  while (node * kBlockLanes < n) {
    node *= kBlockLanes;
  }
  const std::size_t nodes = (n + node - 1) / node;
  return nodes / 2 * node;
}

template <int D>
std::size_t split(std::span<Centre<D>> run) {
  const std::size_t middle = split_of(run.size());
  const int axis = longest_axis<D>(run);
  std::nth_element(run.begin(), run.begin() + static_cast<std::ptrdiff_t>(middle), run.end(),
                   [axis](const Centre<D>& a, const Centre<D>& b) {
                     return a.at[axis] < b.at[axis] || (a.at[axis] == b.at[axis] && a.box < b.box);
                   });
  return middle;
}

// Which boxes a run of 16 holds does not depend on how nth_element works; their order might.
template <int D>
void split_all(std::span<Centre<D>> run) {
  while (run.size() > kBlockLanes) {
    const std::size_t middle = split(run);
    split_all(run.first(middle));
    run = run.subspan(middle);
  }
  std::sort(run.begin(), run.end(), [](const Centre<D>& a, const Centre<D>& b) { return a.box < b.box; });
}

}  // namespace

template <int D>
void split_at_medians(std::span<const Aabb<D>> boxes, std::span<std::uint32_t> order, Workspace& workspace,
                      const Executor& executor) {
  const Workspace::Scope scope(workspace);
  const std::size_t n = order.size();
  const std::span<Centre<D>> centres = workspace.take<Centre<D>>(n);
  executor.parallel_for(n, kTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Aabb<D>& box = boxes[order[i]];
      for (int axis = 0; axis < D; ++axis) {
        const float at = box.lo[axis] * 0.25F + box.hi[axis] * 0.25F;
        centres[i].at[axis] = at == at ? at : 0;  // a NaN, written meanwhile, has no place among numbers
      }
      centres[i].box = order[i];
    }
  });
  // Runs side by side, generation by generation, until each is a task of its own.
  std::span<std::size_t> ends = workspace.take<std::size_t>(n / kBlockLanes + 2);
  std::span<std::size_t> next = workspace.take<std::size_t>(n / kBlockLanes + 2);
  std::size_t runs = 1;
  ends[0] = n;
  const auto run = [&](std::size_t i) {
    const std::size_t first = i == 0 ? 0 : ends[i - 1];
    return centres.subspan(first, ends[i] - first);
  };
  for (bool any = n > kTask; any;) {
    executor.parallel_for(runs, 1, [&](std::size_t i, std::size_t last) {
      for (; i < last; ++i) {
        const std::size_t first = i == 0 ? 0 : ends[i - 1];
        next[2 * i] = ends[i] - first > kTask ? first + split<D>(run(i)) : ends[i];
        next[2 * i + 1] = ends[i];
      }
    });
    const auto last = std::unique(next.begin(), next.begin() + static_cast<std::ptrdiff_t>(2 * runs));
    const auto count = static_cast<std::size_t>(last - next.begin());
    any = count > runs;
    runs = count;
    std::swap(ends, next);
  }
  executor.parallel_for(runs, 1, [&](std::size_t i, std::size_t last) {
    for (; i < last; ++i) {
      split_all<D>(run(i));
    }
  });
  for (std::size_t i = 0; i < n; ++i) {
    order[i] = centres[i].box;
  }
}

template void split_at_medians(std::span<const Aabb2>, std::span<std::uint32_t>, Workspace&, const Executor&);
template void split_at_medians(std::span<const Aabb3>, std::span<std::uint32_t>, Workspace&, const Executor&);

}  // namespace juxta::order_detail
