// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A block tree: all points along a curve, cut into blocks of 32, with 16-ary nodes above.
//
//   tall: 16 strips of x, a Hilbert curve inside each strip as if it were square. Blocks come out 16 times as
//   tall as wide, so a border along y crosses few of them; the flat tree is the same with x and y exchanged.
//
//      | | | | |        code = strip (4 bits) | Hilbert(x inside the strip, y) (28 bits)
//      | | | | |        nodes: level 0 has the bounds of 16 blocks, level 1 those of 16 level-0 nodes, ...
//                       tops:  the 32 lowest of the 512 points below each level-0 node
//
// Equal codes keep rank order (stable sort), so the tree is a function of the points alone.

#include <algorithm>
#include <array>
#include <bit>

#include "juxta/order/curves.h"
#include "juxta/order/radix_sort.h"
#include "ranked/ranked_file.h"
#include "ranked/sort_positions.h"
#include "ranked/store.h"

namespace juxta::ranked_detail {
namespace {

constexpr std::uint32_t kStripBits = 4;

/// Fewer strips for few points: no strip should be narrower than a block.
std::uint32_t strip_bits(std::size_t leaves) noexcept {
  return std::min(kStripBits, static_cast<std::uint32_t>(std::bit_width(leaves)) / 2);
}

struct Bounds {
  std::uint16_t lx = 0xFFFF, ly = 0xFFFF, hx = 0, hy = 0;
  std::uint32_t first = kNoPoint;
};

void set_child(Node& node, std::size_t child, const Bounds& b) noexcept {
  node.lx[child] = b.lx;
  node.ly[child] = b.ly;
  node.hx[child] = b.hx;
  node.hy[child] = b.hy;
  node.first[child] = b.first;
}

Bounds bounds_of(const Node& node) noexcept {
  Bounds b;
  for (std::size_t c = 0; c < kFanout; ++c) {
    b.lx = std::min(b.lx, node.lx[c]);
    b.ly = std::min(b.ly, node.ly[c]);
    b.hx = std::max(b.hx, node.hx[c]);
    b.hy = std::max(b.hy, node.hy[c]);
    b.first = std::min(b.first, node.first[c]);
  }
  return b;
}

/// Copies the points of one leaf and returns their bounds. Places without a point are out of every answer by
/// name.
Bounds fill_leaf(Block& leaf, std::span<const std::uint32_t> positions, std::span<const std::uint16_t> qx,
                 std::span<const std::uint16_t> qy) noexcept {
  Bounds b;
  for (std::size_t i = 0; i < kBlockSize; ++i) {
    const bool used = i < positions.size();
    const std::uint32_t position = used ? positions[i] : kNoPoint;
    const std::uint16_t x = used ? qx[position] : 0, y = used ? qy[position] : 0;
    leaf.x[i] = x;
    leaf.y[i] = y;
    leaf.name[i] = position;
    if (used) {
      b.lx = std::min(b.lx, x);
      b.ly = std::min(b.ly, y);
      b.hx = std::max(b.hx, x);
      b.hy = std::max(b.hy, y);
      b.first = std::min(b.first, position);
    }
  }
  return b;
}

/// The lowest of the points of one node, ascending. With ranks spread evenly an eighth of them is enough to
/// sort.
void fill_top(Block& top, std::span<const std::uint32_t> positions, std::span<const std::uint16_t> qx,
              std::span<const std::uint16_t> qy) noexcept {
  std::array<std::uint32_t, kBlockSize * kFanout> low;
  const std::size_t used = std::min(kBlockSize, positions.size()), bound = qx.size() / 8;
  std::size_t count = 0;
  for (const std::uint32_t position : positions) {
    low[count] = position;
    count += position < bound;
  }
  if (count < used) {
    count =
        static_cast<std::size_t>(std::copy(positions.begin(), positions.end(), low.begin()) - low.begin());
  }
#ifndef JUXTA_SMALL_CODE
  std::nth_element(low.begin(), low.begin() + static_cast<std::ptrdiff_t>(used - 1),
                   low.begin() + static_cast<std::ptrdiff_t>(count));
  count = used;
#endif
  sort_words(std::span(low).first(count));
  fill_leaf(top, std::span<const std::uint32_t>(low).first(used), qx, qy);
}

/// How much of the variance of the positions a quantum explains: Pearson's r squared over some points.
template <class PositionOf>
double correlation(std::span<const std::uint16_t> quanta, std::size_t count,
                   PositionOf position_of) noexcept {
  double n = 0, p1 = 0, q1 = 0, pp = 0, qq = 0, pq = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t position = position_of(i);
    const double p = position, q = quanta[position];
    n += 1;
    p1 += p;
    q1 += q;
    pp += p * p;
    qq += q * q;
    pq += p * q;
  }
  const double covariance = n * pq - p1 * q1, variances = (n * pp - p1 * p1) * (n * qq - q1 * q1);
  return variances > 0 ? covariance * covariance / variances : 0;
}

template <class PositionOf>
Gradient gradient_of(std::span<const std::uint16_t> qx, std::span<const std::uint16_t> qy, std::size_t count,
                     PositionOf position_of) noexcept {
  constexpr double kStrong = 0.5;  // of the variance explained
  const double x = correlation(qx, count, position_of), y = correlation(qy, count, position_of);
  return std::max(x, y) < kStrong ? Gradient::kNone : x >= y ? Gradient::kX : Gradient::kY;
}

/// Points below one level-1 node. Where their ranks follow an axis, they are cut into slabs along it: a
/// query's border then crosses one or two of 16 nodes, and of 16 blocks, where it would cross 4 of each.
constexpr std::size_t kGroup = kBlockSize * kFanout * kFanout;

void sort_by_gradient(std::span<std::uint32_t> group, std::span<const std::uint16_t> qx,
                      std::span<const std::uint16_t> qy) {
  const std::size_t samples = std::min<std::size_t>(group.size(), 512), step = group.size() / samples;
  const Gradient gradient = gradient_of(qx, qy, samples, [&](std::size_t i) { return group[i * step]; });
  if (gradient != Gradient::kNone) {
    const auto quanta = gradient == Gradient::kX ? qx : qy;
    std::sort(group.begin(), group.end(), [&](std::uint32_t a, std::uint32_t b) {
      return quanta[a] != quanta[b] ? quanta[a] < quanta[b] : a < b;
    });
  }
}

/// Positions 0 .. n - 1 along the curve.
std::span<std::uint32_t> curve_order(std::span<const std::uint16_t> across,
                                     std::span<const std::uint16_t> along, std::uint32_t strip,
                                     const BuildContext& context) {
  const std::size_t size = across.size();
  const auto order = context.workspace.take<std::uint32_t>(size);
  const auto codes = context.workspace.take<std::uint32_t>(size);
  const auto local = context.workspace.take<std::uint16_t>(size);
  context.executor.parallel_for(size, kPointsOfTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      local[p] = static_cast<std::uint16_t>(across[p] << strip);
    }
    (void)hilbert2_codes(local.subspan(first, last - first), along.subspan(first, last - first),
                         codes.subspan(first, last - first));
    for (std::size_t p = first; p < last; ++p) {
      const std::uint32_t s = std::uint32_t{across[p]} >> (16 - strip);
      codes[p] = static_cast<std::uint32_t>(((std::uint64_t{s} << 32) | codes[p]) >> strip);
      order[p] = static_cast<std::uint32_t>(p);
    }
  });
  (void)sort_pairs(codes, order,
                   {.executor = &context.executor,
                    .workspace = &context.workspace});  // fails on sizes that build() has refused
  return order;
}

}  // namespace

Gradient find_gradient(std::span<const std::uint16_t> qx, std::span<const std::uint16_t> qy) noexcept {
  const std::size_t samples = std::min<std::size_t>(qx.size(), 4096), step = qx.size() / samples;
  return gradient_of(qx, qy, samples, [&](std::size_t i) { return static_cast<std::uint32_t>(i * step); });
}

// As many levels as it takes to come to one root.
TreeView plan_tree(std::size_t points) noexcept {
  TreeView view;
  view.leaf_count = static_cast<std::uint32_t>((points + kBlockSize - 1) / kBlockSize);
  std::uint32_t children = view.leaf_count, begin = 0;
  do {
    view.level_begin[view.levels++] = begin;
    children = (children + std::uint32_t{kFanout} - 1) / std::uint32_t{kFanout};
    begin += children;
  } while (children > 1);
  return view;
}

TreeView build_tree(TreeStore& store, std::span<const std::uint16_t> qx, std::span<const std::uint16_t> qy,
                    bool tall, const BuildContext& context) {
  const TreeView plan = plan_tree(qx.size());
  store.leaves.resize_discard(plan.leaf_count);
  store.tops.resize_discard(tree_top_count(plan));
  store.nodes.resize_discard(tree_node_count(plan));
  return fill_tree({store.leaves.data(), store.tops.data(), store.nodes.data()}, qx, qy,
                   tall ? BlockShape::kTall : BlockShape::kFlat, context);
}

TreeView fill_tree(const TreeArrays& arrays, std::span<const std::uint16_t> qx,
                   std::span<const std::uint16_t> qy, BlockShape shape, const BuildContext& context) {
  const Workspace::Scope scope(context.workspace);
  const std::size_t size = qx.size();
  TreeView view = plan_tree(size);
  const std::uint32_t strip = shape == BlockShape::kSquare ? 0 : strip_bits(view.leaf_count);
  const bool flat = shape == BlockShape::kFlat;
  const auto order = curve_order(flat ? qy : qx, flat ? qx : qy, strip, context);

  context.executor.parallel_for((size + kGroup - 1) / kGroup, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t g = first; g < last; ++g) {
      sort_by_gradient(order.subspan(g * kGroup, std::min(kGroup, size - g * kGroup)), qx, qy);
    }
  });
  const std::size_t bottom = tree_top_count(view);
  Node* const nodes = arrays.nodes;
  context.executor.parallel_for(bottom, 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t n = first; n < last; ++n) {
      const std::size_t node_begin = n * kFanout * kBlockSize;
      fill_top(arrays.tops[n], order.subspan(node_begin, std::min(kFanout * kBlockSize, size - node_begin)),
               qx, qy);
      for (std::size_t c = 0; c < kFanout; ++c) {
        const std::size_t leaf = n * kFanout + c, begin = leaf * kBlockSize;
        set_child(nodes[n], c,
                  begin < size ? fill_leaf(arrays.leaves[leaf],
                                           order.subspan(begin, std::min(kBlockSize, size - begin)), qx, qy)
                               : Bounds{});
      }
    }
  });
  std::size_t below = bottom;
  for (std::size_t l = 1; l < view.levels; ++l) {
    const std::size_t count = (below + kFanout - 1) / kFanout;
    for (std::size_t n = 0; n < count; ++n) {
      for (std::size_t c = 0; c < kFanout; ++c) {
        const std::size_t child = n * kFanout + c;
        set_child(nodes[view.level_begin[l] + n], c,
                  child < below ? bounds_of(nodes[view.level_begin[l - 1] + child]) : Bounds{});
      }
    }
    below = count;
  }
  view.leaves = arrays.leaves;
  view.tops = arrays.tops;
  view.nodes = nodes;
  return view;
}

}  // namespace juxta::ranked_detail
