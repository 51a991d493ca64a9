// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// From two children a node to eight, at the least expected cost of a ray (surface area heuristic), by dynamic
// programming from the bottom up: what do the triangles below a binary node cost as at most 1, 2, ... 8
// children of some node above?
//
//   cost[1]   a leaf of them all, or a node with cost[8]' below it
//   cost[j]'  the best of cost[k] of the left half + cost[j - k] of the right one
//   cost[j]   cost[j]', or cost[j - 1] when more children do not pay
//
// Source: Ylitie, Karras, Laine, "Efficient incoherent ray traversal on GPUs through compressed wide BVHs"
// (HPG 2017), section 3.
#include <algorithm>
#include <cstddef>
#include <limits>

#include "shape/triangle_tree.h"

namespace juxta::shape_detail {
namespace {

// Of a leaf and of each triangle in it, in visits of a node.
constexpr double kLeafCost = 0.8, kTriangleCost = 0.08;

double area(const Aabb3& box) noexcept {
  const double x = static_cast<double>(box.hi[0]) - static_cast<double>(box.lo[0]);
  const double y = static_cast<double>(box.hi[1]) - static_cast<double>(box.lo[1]);
  const double z = static_cast<double>(box.hi[2]) - static_cast<double>(box.lo[2]);
  return x * y + y * z + z * x;
}

struct Children {
  std::uint32_t binary[kTreeLanes];
  std::uint32_t count = 0;
};

// Of one binary node.
struct Plan {
  float cost[kTreeLanes + 1];  // as at most j children; [0] is unused
  std::uint8_t
      share[kTreeLanes + 1];  // of j children: the left half's; 0: as for j - 1. [1]: not 0 for a leaf
  std::uint8_t opened;        // of the eight of a node: the left half's
};

class Planner {
 public:
  Planner(const Array<BinaryNode>& binary, std::pmr::memory_resource* resource)
      : binary_(binary), plans_(resource), whole_(area(binary[0].bounds)) {
    plans_.resize_discard(binary.size());
    Array<std::uint32_t> order(resource);  // parents first
    order.resize(1);
    order[0] = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const BinaryNode& node = binary[order[i]];
      if (!node.leaf()) {
        const std::size_t size = order.size();
        order.resize(size + 2);
        order[size] = node.left;
        order[size + 1] = node.right;
      }
    }
    for (std::size_t i = order.size(); i-- > 0;) {
      plan(order[i]);
    }
  }

  [[nodiscard]] bool leaf(std::uint32_t node) const noexcept { return plans_[node].share[1] != 0; }

  [[nodiscard]] Children children_of(std::uint32_t parent) const noexcept {
    Children out;
    if (leaf(parent)) {  // the root of a small tree
      out.binary[out.count++] = parent;
      return out;
    }
    const std::uint32_t left = plans_[parent].opened;
    gather(binary_[parent].left, left, out);
    gather(binary_[parent].right, kTreeLanes - left, out);
    return out;
  }

 private:
  // The binary nodes that stand for `node` among at most `most` children. No more than eight deep.
  void gather(std::uint32_t node, std::uint32_t most, Children& out) const noexcept {
    while (most > 1 && plans_[node].share[most] == 0) {
      --most;
    }
    if (most == 1) {
      out.binary[out.count++] = node;
      return;
    }
    const std::uint32_t left = plans_[node].share[most];
    gather(binary_[node].left, left, out);
    gather(binary_[node].right, most - left, out);
  }

  void plan(std::uint32_t index) noexcept {
    const BinaryNode& node = binary_[index];
    Plan& own = plans_[index];
    const double part = whole_ > 0 ? area(node.bounds) / whole_ : 1;
    const float leaf_cost =
        node.count <= kTreeLanes
            ? static_cast<float>(part * (kLeafCost + kTriangleCost * static_cast<double>(node.count)))
            : kInf;
    if (node.leaf()) {
      std::fill_n(own.cost, kTreeLanes + 1, leaf_cost);
      std::fill_n(own.share, kTreeLanes + 1, std::uint8_t{0});
      own.share[1] = 1;
      return;
    }
    const Plan& left = plans_[node.left];
    const Plan& right = plans_[node.right];
    float opened[kTreeLanes + 1];
    for (std::uint32_t j = 2; j <= kTreeLanes; ++j) {
      opened[j] = kInf;
      own.share[j] = 1;
      for (std::uint32_t k = 1; k < j; ++k) {
        const float cost = left.cost[k] + right.cost[j - k];
        if (cost < opened[j]) {
          opened[j] = cost;
          own.share[j] = static_cast<std::uint8_t>(k);
        }
      }
    }
    own.opened = own.share[kTreeLanes];
    const float node_cost = static_cast<float>(part) + opened[kTreeLanes];
    own.share[1] = leaf_cost <= node_cost ? 1 : 0;
    own.cost[1] = std::min(leaf_cost, node_cost);
    for (std::uint32_t j = 2; j <= kTreeLanes; ++j) {
      own.cost[j] = opened[j];
      if (!(opened[j] < own.cost[j - 1])) {
        own.cost[j] = own.cost[j - 1];
        own.share[j] = 0;
      }
    }
  }

  const Array<BinaryNode>& binary_;
  Array<Plan> plans_;
  double whole_;
};

// For each octant of directions the lanes from far to near.
void write_orders(const Array<BinaryNode>& binary, const Children& children, TriangleNode& node) {
  for (std::uint32_t octant = 0; octant < 8; ++octant) {
    double key[kTreeLanes];
    std::uint32_t lanes[kTreeLanes];
    for (std::uint32_t i = 0; i < kTreeLanes; ++i) {
      key[i] = std::numeric_limits<double>::infinity();
      lanes[i] = i;
      if (i < children.count) {
        const Aabb3& box = binary[children.binary[i]].bounds;
        key[i] = 0;
        for (std::uint32_t axis = 0; axis < 3; ++axis) {
          const double at = static_cast<double>(box.lo[axis]) + static_cast<double>(box.hi[axis]);
          key[i] += (octant >> axis & 1) != 0 ? -at : at;
        }
      }
    }
    for (std::uint32_t i = 1; i < kTreeLanes; ++i) {  // insertion: equal ones stay in order
      for (std::uint32_t j = i; j > 0 && key[lanes[j]] < key[lanes[j - 1]]; --j) {
        std::swap(lanes[j], lanes[j - 1]);
      }
    }
    node.order[octant] = 0;
    for (std::uint32_t i = 0; i < kTreeLanes; ++i) {
      node.order[octant] |= lanes[i] << (3 * (kTreeLanes - 1 - i));
    }
  }
}

void write_block(const TriangleTree& tree, std::span<const TriangleRef> refs, TriangleBlock& block) {
  for (std::uint32_t lane = 0; lane < kBlockLanes; ++lane) {
    const std::uint32_t number = refs[lane < refs.size() ? lane : 0].number();
    block.number[lane] = number;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const Vec3& v = tree.vertices[tree.triangles[number][corner]];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        block.corner[corner][axis][lane] = v[axis];
      }
    }
  }
}

class Collapser {
 public:
  Collapser(const Array<BinaryNode>& binary, std::span<const TriangleRef> refs, TriangleTree& tree,
            std::pmr::memory_resource* resource)
      : binary_(binary), refs_(refs), tree_(tree), planner_(binary, resource) {}

  void run() {
    struct Open {
      std::uint32_t node, binary;
    };
    Open open[kMostWaiting];
    std::uint32_t size = 0;
    open[size++] = {add_node(), 0};
    while (size != 0) {
      const Open at = open[--size];
      const Children children = planner_.children_of(at.binary);
      for (std::uint32_t i = kTreeLanes; i-- > 0;) {
        write_side(at.node, i, children);
      }
      write_orders(binary_, children, tree_.nodes.own()[at.node]);
      for (std::uint32_t i = 0; i < children.count; ++i) {
        const BinaryNode& child = binary_[children.binary[i]];
        if (planner_.leaf(children.binary[i])) {
          tree_.nodes.own()[at.node].child[i] = add_leaf(child);
        } else {
          const std::uint32_t node = add_node();
          tree_.nodes.own()[at.node].child[i] = node;
          open[size++] = {node, children.binary[i]};
        }
      }
    }
  }

 private:
  std::uint32_t add_node() {
    const std::size_t index = tree_.nodes.size();
    tree_.nodes.resize(index + 1);
    return static_cast<std::uint32_t>(index);
  }
  std::uint32_t add_leaf(const BinaryNode& from) {
    const std::size_t index = tree_.blocks.size(), count = (from.count + kBlockLanes - 1) / kBlockLanes;
    tree_.blocks.resize(index + count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t first = i * kBlockLanes;
      write_block(tree_, refs_.subspan(from.first + first, std::min(from.count - first, kBlockLanes)),
                  tree_.blocks.own()[index + i]);
    }
    return ChildWord::leaf(static_cast<std::uint32_t>(index), from.count);
  }
  void write_side(std::uint32_t index, std::uint32_t lane, const Children& children) {
    TriangleNode& node = tree_.nodes.own()[index];
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      node.side[axis][lane] = lane < children.count ? binary_[children.binary[lane]].bounds.lo[axis] : kInf;
      node.side[axis + 3][lane] =
          lane < children.count ? binary_[children.binary[lane]].bounds.hi[axis] : -kInf;
    }
    node.child[lane] = 0;
  }

  const Array<BinaryNode>& binary_;
  std::span<const TriangleRef> refs_;
  TriangleTree& tree_;
  Planner planner_;
};

}  // namespace

void collapse_binary_tree(const Array<BinaryNode>& binary, std::span<const TriangleRef> refs,
                          TriangleTree& tree, std::pmr::memory_resource* resource) {
  Collapser(binary, refs, tree, resource).run();
}

}  // namespace juxta::shape_detail
