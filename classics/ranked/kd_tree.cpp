// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "classics/ranked/kd_tree.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "classics/ranked/hit_mask.h"
#include "classics/ranked/rank_heap.h"
#include "classics/ranked/rank_order.h"

namespace juxta::classics {

// Positions [first, last) of `order` become the node `at`.
struct KdTree::Builder {
  KdTree& tree;
  const std::vector<float>&x, &y;     // in rank order
  std::vector<std::uint32_t>& order;  // positions, moved about until each leaf's are together
  std::size_t block;

  void build(std::uint32_t at, std::uint32_t first, std::uint32_t last) {
    const auto begin = order.begin() + first, end = order.begin() + last;
    Node node{{x[*begin], y[*begin], x[*begin], y[*begin]}, *begin, first, last, 0};
    std::for_each(begin, end, [&](std::uint32_t i) {
      node.box = {std::min(node.box.lx, x[i]), std::min(node.box.ly, y[i]), std::max(node.box.hx, x[i]),
                  std::max(node.box.hy, y[i])};
      node.best = std::min(node.best, i);
    });
    if (last - first <= block) {
      std::sort(begin, end);
      tree.nodes_[at] = node;
      return;
    }
    const std::vector<float>& axis = node.box.hx - node.box.lx > node.box.hy - node.box.ly ? x : y;
    const std::uint32_t middle = first + (last - first) / 2;
    std::nth_element(begin, order.begin() + middle, end,
                     [&](std::uint32_t a, std::uint32_t b) { return axis[a] < axis[b]; });
    node.child = static_cast<std::uint32_t>(tree.nodes_.size());
    tree.nodes_[at] = node;
    tree.nodes_.resize(tree.nodes_.size() + 2);
    build(node.child, first, middle);
    build(node.child + 1, middle, last);
  }
};

KdTree::KdTree(const RankedColumns& points, std::size_t block) : input_(rank_order(points.rank)) {
  const std::size_t n = input_.size();
  if (n == 0) {
    return;
  }
  std::vector<float> x(n), y(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = points.x[input_[i]];
    y[i] = points.y[input_[i]];
  }
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  nodes_.resize(1);
  Builder{*this, x, y, order, std::max<std::size_t>(block, 1)}.build(0, 0, static_cast<std::uint32_t>(n));
  x_.resize_discard(n);
  y_.resize_discard(n);
  position_.resize_discard(n);
  for (std::size_t i = 0; i < n; ++i) {
    x_[i] = x[order[i]];
    y_[i] = y[order[i]];
    position_[i] = order[i];
  }
}

void KdTree::scan(const Node& leaf, const RectF& rect, RankHeap& heap) const {
  const FloatTag d;
  const auto lx = hn::Set(d, rect.lx), ly = hn::Set(d, rect.ly);
  const auto hx = hn::Set(d, rect.hx), hy = hn::Set(d, rect.hy);
  for (std::size_t i = leaf.first; i < leaf.last; i += lanes()) {
    const auto x = hn::LoadU(d, x_.data() + i), y = hn::LoadU(d, y_.data() + i);
    auto hit = hn::And(hn::And(hn::Ge(x, lx), hn::Le(x, hx)), hn::And(hn::Ge(y, ly), hn::Le(y, hy)));
    if (leaf.last - i < lanes()) {
      hit = hn::And(hit, hn::FirstN(d, leaf.last - i));
    }
    for (std::uint32_t bits = bits_of(hit); bits != 0; bits &= bits - 1) {
      const std::uint32_t position = position_[i + static_cast<std::size_t>(std::countr_zero(bits))];
      if (position >= heap.limit()) {
        return;  // the rest of the leaf ranks behind
      }
      heap.insert(position);
    }
  }
}

void KdTree::visit(std::uint32_t at, const RectF& rect, RankHeap& heap) const {
  const Node& node = nodes_[at];
  if (node.best >= heap.limit() || node.box.lx > rect.hx || node.box.hx < rect.lx || node.box.ly > rect.hy ||
      node.box.hy < rect.ly) {
    return;
  }
  if (node.child == 0) {
    scan(node, rect, heap);
    return;
  }
  const std::uint32_t lower = nodes_[node.child].best < nodes_[node.child + 1].best ? 0 : 1;
  visit(node.child + lower, rect, heap);
  visit(node.child + (1 - lower), rect, heap);
}

std::size_t KdTree::top_ids(const RectF& rect, std::size_t k, std::uint32_t* out) const {
  k = std::min(k, input_.size());
  if (k == 0 || rect.empty()) {
    return 0;
  }
  RankHeap heap(out, k);
  visit(0, rect, heap);
  heap.sort();
  std::transform(out, out + heap.size(), out, [&](std::uint32_t position) { return input_[position]; });
  return heap.size();
}

std::size_t KdTree::memory_bytes() const noexcept {
  return nodes_.size() * sizeof(Node) + x_.memory_bytes() + y_.memory_bytes() + position_.memory_bytes() +
         input_.size() * sizeof(std::uint32_t);
}

}  // namespace juxta::classics
