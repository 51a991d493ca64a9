// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Boxes that ask the tree of triangles: in doubles, and the same steps for a node as for a triangle's box, so
// that a node never seems farther than what it holds.
#include <algorithm>
#include <limits>

#include "shape/triangle_tree.h"
#include "shape/triangles.h"

namespace juxta::shape_detail {
namespace {

struct Interval {
  double lo[3], hi[3];
};

Interval interval_of(const Aabb3& box) noexcept {
  Interval out;
  for (int axis = 0; axis < 3; ++axis) {
    out.lo[axis] = static_cast<double>(box.lo[axis]);
    out.hi[axis] = static_cast<double>(box.hi[axis]);
  }
  return out;
}

// Eight boxes: those of a node's children, or of a leaf's triangles.
struct EightBoxes {
  float lo[3][kTreeLanes], hi[3][kTreeLanes];

  EightBoxes(const TriangleBlock* blocks, std::uint32_t count) noexcept {
    for (int axis = 0; axis < 3; ++axis) {
      for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
        const TriangleBlock& block = blocks[lane < count ? lane / kBlockLanes : 0];
        const std::uint32_t i = lane % kBlockLanes;
        const float a = block.corner[0][axis][i], b = block.corner[1][axis][i], c = block.corner[2][axis][i];
        lo[axis][lane] = std::min(std::min(a, b), c);
        hi[axis][lane] = std::max(std::max(a, b), c);
      }
    }
  }
};

// Squared gaps. An empty lane is infinitely far.
void gaps2(const Interval& box, const float (*lo)[kTreeLanes], const float (*hi)[kTreeLanes],
           double* out) noexcept {
  for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
    out[lane] = 0;
  }
  for (int axis = 0; axis < 3; ++axis) {
    for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
      const double before = static_cast<double>(lo[axis][lane]) - box.hi[axis];
      const double after = box.lo[axis] - static_cast<double>(hi[axis][lane]);
      const double gap = std::max(std::max(before, after), 0.0);
      out[lane] += gap * gap;
    }
  }
}

struct Sweep {
  Interval box;
  double way[3];  // floats: their reciprocals are finite

  // When the moving box enters eight boxes; infinity: never.
  void operator()(const float (*lo)[kTreeLanes], const float (*hi)[kTreeLanes], double* out) const noexcept {
    double leave[kTreeLanes];
    for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
      out[lane] = 0;
      leave[lane] = std::numeric_limits<double>::infinity();
    }
    for (int axis = 0; axis < 3; ++axis) {
      const double speed = way[axis];
      if (speed == 0) {
        for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
          const bool beside = static_cast<double>(lo[axis][lane]) > box.hi[axis] ||
                              static_cast<double>(hi[axis][lane]) < box.lo[axis];
          leave[lane] = beside ? -1 : leave[lane];
        }
        continue;
      }
      const float* first = speed > 0 ? lo[axis] : hi[axis];
      const float* last = speed > 0 ? hi[axis] : lo[axis];
      const double front = speed > 0 ? box.hi[axis] : box.lo[axis];
      const double back = speed > 0 ? box.lo[axis] : box.hi[axis], pace = 1 / speed;
      for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
        out[lane] = std::max(out[lane], (static_cast<double>(first[lane]) - front) * pace);
        leave[lane] = std::min(leave[lane], (static_cast<double>(last[lane]) - back) * pace);
      }
    }
    for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
      out[lane] = out[lane] <= leave[lane] ? out[lane] : std::numeric_limits<double>::infinity();
    }
  }
};

// How far eight boxes reach against a half space's way.
void begins(const HalfSpace& half, const float (*lo)[kTreeLanes], const float (*hi)[kTreeLanes],
            double* out) noexcept {
  for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
    out[lane] = 0;
  }
  for (int axis = 0; axis < 3; ++axis) {
    const double way = half.way[axis];
    const float* side = way > 0 ? lo[axis] : hi[axis];
    for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
      out[lane] += way * static_cast<double>(side[lane]);
    }
  }
}

bool hides(const HalfSpace& half, const TriangleNode& node, std::uint32_t lane) noexcept {
  double begin = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double way = half.way[axis];
    begin += way * static_cast<double>(node.side[way > 0 ? axis : axis + 3][lane]);
  }
  return begin > half.most;
}

bool hides(const HalfSpace& half, const TriangleBlock& block, std::uint32_t lane) noexcept {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& corner : block.corner) {
    least = std::min(least, half.way[0] * static_cast<double>(corner[0][lane]) +
                                half.way[1] * static_cast<double>(corner[1][lane]) +
                                half.way[2] * static_cast<double>(corner[2][lane]));
  }
  return least > half.most;
}

// Depth first, the child of the least measure first; `measure` fills eight, `limit` is tested against it
// after `bound` (a square, where measures are squares).
template <class Measure, class Bound>
void nearest_first(const TriangleTree& tree, double limit, FunctionRef<double(std::uint32_t)> visitor,
                   const HalfSpace& hidden, const Measure& measure, const Bound& bound) noexcept {
  struct Waiting {
    double measure;
    std::uint32_t parent, lane;  // the node that holds its box
  };
  Waiting stack[kMostWaiting];
  std::uint32_t size = 0;
  double at[kTreeLanes], begin[kTreeLanes];
  const auto within = [&](double m) {
    return limit >= 0 && m <= bound(limit) && m < std::numeric_limits<double>::infinity();
  };
  const auto expand = [&](std::uint32_t parent) {
    const TriangleNode& node = tree.nodes[parent];
    measure(node.side, node.side + 3, at);
    begins(hidden, node.side, node.side + 3, begin);
    const std::uint32_t first = size;
    for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
      const bool used = node.side[0][lane] <= node.side[3][lane];
      if (used && within(at[lane]) && !(begin[lane] > hidden.most)) {
        // Sorted in, the least on top; equal ones: the lower lane.
        std::uint32_t place = size++;
        for (; place > first && stack[place - 1].measure <= at[lane]; --place) {
          stack[place] = stack[place - 1];
        }
        stack[place] = {at[lane], parent, lane};
      }
    }
  };
  const auto visit = [&](const TriangleBlock* blocks, std::uint32_t count) {
    const EightBoxes boxes(blocks, count);
    measure(boxes.lo, boxes.hi, at);
    for (std::uint32_t lane = 0; lane < count; ++lane) {
      const TriangleBlock& block = blocks[lane / kBlockLanes];
      if (within(at[lane]) && !hides(hidden, block, lane % kBlockLanes)) {
        limit = visitor(block.number[lane % kBlockLanes]);
      }
    }
  };
  if (!tree.nodes.empty()) {
    expand(0);
  }
  while (size != 0) {
    const Waiting top = stack[--size];
    const TriangleNode& node = tree.nodes[top.parent];
    if (!within(top.measure) || hides(hidden, node, top.lane)) {
      continue;  // what has been found since it was put here is nearer
    }
    const std::uint32_t child = node.child[top.lane];
    if (ChildWord::is_leaf(child)) {
      visit(&tree.blocks[ChildWord::index(child)], ChildWord::count(child));
    } else {
      expand(child);
    }
  }
}

}  // namespace

void Triangles::visit(const Aabb3& box, FunctionRef<bool(std::uint32_t)> visitor) const noexcept {
  const TriangleTree& tree = *tree_;
  std::uint32_t stack[kMostWaiting], size = 0;
  if (!tree.nodes.empty()) {
    stack[size++] = 0;
  }
  const auto overlaps = [&box](const float(*lo)[kTreeLanes], const float(*hi)[kTreeLanes]) {
    std::uint32_t bits = 0;
    for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
      bool yes = lo[0][lane] <= hi[0][lane];  // an infinite box overlaps no empty lane
      for (int axis = 0; axis < 3; ++axis) {
        const float least = box.lo[axis], most = box.hi[axis];
        yes = yes & (lo[axis][lane] <= most) & (least <= hi[axis][lane]);
      }
      bits |= (yes ? 1U : 0U) << lane;
    }
    return bits;
  };
  while (size != 0) {
    const std::uint32_t at = stack[--size];
    if (ChildWord::is_leaf(at)) {
      const TriangleBlock* blocks = &tree.blocks[ChildWord::index(at)];
      const EightBoxes boxes(blocks, ChildWord::count(at));
      const std::uint32_t bits = overlaps(boxes.lo, boxes.hi);
      for (std::uint32_t lane = 0; lane < ChildWord::count(at); ++lane) {
        if ((bits >> lane & 1) != 0 && !visitor(blocks[lane / kBlockLanes].number[lane % kBlockLanes])) {
          return;
        }
      }
      continue;
    }
    const TriangleNode& node = tree.nodes[at];
    const std::uint32_t bits = overlaps(node.side, node.side + 3);
    for (std::uint32_t lane = kTreeLanes; lane-- > 0;) {
      if ((bits >> lane & 1) != 0) {
        stack[size++] = node.child[lane];
      }
    }
  }
}

void Triangles::visit_near(const Aabb3& box, double limit, FunctionRef<double(std::uint32_t)> visitor,
                           const HalfSpace& hidden) const noexcept {
  const Interval from = interval_of(box);
  const auto measure = [&](const float(*lo)[kTreeLanes], const float(*hi)[kTreeLanes], double* out) {
    gaps2(from, lo, hi, out);
  };
  nearest_first(*tree_, limit, visitor, hidden, measure, [](double l) { return l * l; });
}

void Triangles::visit_swept(const Aabb3& box, const Vec3& way, double limit,
                            FunctionRef<double(std::uint32_t)> visitor,
                            const HalfSpace& hidden) const noexcept {
  const Sweep sweep{interval_of(box),
                    {static_cast<double>(way.x), static_cast<double>(way.y), static_cast<double>(way.z)}};
  nearest_first(*tree_, limit, visitor, hidden, sweep, [](double l) { return l; });
}

}  // namespace juxta::shape_detail
