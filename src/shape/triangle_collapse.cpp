// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// From two children a node to eight: the child of the largest area is replaced by its own two, until there
// are eight (Wald, Benthin, Boulos, "Getting rid of packets", RT 2008).
#include <algorithm>
#include <cstddef>
#include <limits>

#include "shape/triangle_tree.h"

namespace juxta::detail {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

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

Children children_of(const Array<BinaryNode>& binary, std::uint32_t parent) {
  Children out;
  if (binary[parent].leaf()) {  // the root of a small tree
    out.binary[out.count++] = parent;
    return out;
  }
  out.binary[out.count++] = binary[parent].left;
  out.binary[out.count++] = binary[parent].right;
  while (out.count < kTreeLanes) {
    std::uint32_t largest = out.count;
    double most = -1;
    for (std::uint32_t i = 0; i < out.count; ++i) {
      const BinaryNode& node = binary[out.binary[i]];
      if (!node.leaf() && area(node.bounds) > most) {
        most = area(node.bounds);
        largest = i;
      }
    }
    if (largest == out.count) {
      break;
    }
    const BinaryNode& opened = binary[out.binary[largest]];
    out.binary[largest] = opened.left;
    out.binary[out.count++] = opened.right;
  }
  return out;
}

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

void write_leaf(const TriangleTree& tree, std::span<const TriangleRef> refs, TriangleLeaf& leaf) {
  for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
    const std::uint32_t number = refs[lane < refs.size() ? lane : 0].number;
    leaf.number[lane] = number;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::array<float, 3>& v = tree.vertices[tree.triangles[number][corner]];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        leaf.corner[corner][axis][lane] = v[axis];
      }
    }
  }
}

class Collapser {
 public:
  Collapser(const Array<BinaryNode>& binary, std::span<const TriangleRef> refs, TriangleTree& tree)
      : binary_(binary), refs_(refs), tree_(tree) {}

  void run() {
    struct Open {
      std::uint32_t node, binary;
    };
    Open open[kMostWaiting];
    std::uint32_t size = 0;
    open[size++] = {add_node(), 0};
    while (size != 0) {
      const Open at = open[--size];
      const Children children = children_of(binary_, at.binary);
      for (std::uint32_t i = kTreeLanes; i-- > 0;) {
        write_side(at.node, i, children);
      }
      write_orders(binary_, children, tree_.nodes[at.node]);
      for (std::uint32_t i = 0; i < children.count; ++i) {
        const BinaryNode& child = binary_[children.binary[i]];
        if (child.leaf()) {
          tree_.nodes[at.node].child[i] = add_leaf(child);
        } else {
          const std::uint32_t node = add_node();
          tree_.nodes[at.node].child[i] = node;
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
    const std::size_t index = tree_.leaves.size();
    tree_.leaves.resize(index + 1);
    write_leaf(tree_, refs_.subspan(from.first, from.count), tree_.leaves[index]);
    return ChildWord::leaf(static_cast<std::uint32_t>(index), from.count);
  }
  void write_side(std::uint32_t index, std::uint32_t lane, const Children& children) {
    TriangleNode& node = tree_.nodes[index];
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
};

}  // namespace

void collapse_binary_tree(const Array<BinaryNode>& binary, std::span<const TriangleRef> refs,
                          TriangleTree& tree) {
  Collapser(binary, refs, tree).run();
}

}  // namespace juxta::detail
