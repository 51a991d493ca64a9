// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the tree over triangles, eight children a node, up to eight triangles a leaf.
//
//   node   | lo.x of 8 | lo.y | lo.z | hi.x | hi.y | hi.z | child of 8 | order of 8 |      256 bytes
//   block  | a.x of 4 | a.y | a.z | b.x ... | c.z | number of 4 |                         160 bytes
//
//   child      31: a leaf   30 ... 28: its triangles - 1   27 ... 0: index of the node, or of its first block
//   order[o]   for rays whose directions have the signs of octant o (bit i: axis i is negative): the lanes,
//              farthest centre first, three bits each
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory_resource>
#include <span>

#include "juxta/core/array.h"
#include "juxta/core/executor.h"
#include "juxta/math/aabb.h"

namespace juxta::shape_detail {

inline constexpr float kInf = std::numeric_limits<float>::infinity();

inline constexpr std::uint32_t kTreeLanes = 8;

struct alignas(64) TriangleNode {
  float side[6][kTreeLanes];  // an empty lane has lo = infinity, hi = -infinity
  std::uint32_t child[kTreeLanes];
  std::uint32_t order[8];
};

inline constexpr std::uint32_t kBlockLanes = 4;

/// Half a leaf, or a whole one: two of three leaves have no more than four triangles.
struct alignas(32) TriangleBlock {
  float corner[3][3][kBlockLanes];    // [corner][axis]; lanes without a triangle repeat the first one
  std::uint32_t number[kBlockLanes];  // of the input
};

struct ChildWord {
  static constexpr std::uint32_t kLeaf = 1U << 31, kIndex = (1U << 28) - 1;
  static constexpr bool is_leaf(std::uint32_t word) noexcept { return (word & kLeaf) != 0; }
  static constexpr std::uint32_t index(std::uint32_t word) noexcept { return word & kIndex; }
  static constexpr std::uint32_t count(std::uint32_t word) noexcept { return (word >> 28 & 7) + 1; }
  static constexpr std::uint32_t leaf(std::uint32_t index, std::uint32_t count) noexcept {
    return kLeaf | (count - 1) << 28 | index;
  }
};

/// No path of the tree is longer, and so no search keeps more than this many nodes waiting.
inline constexpr std::uint32_t kMostBinaryLevels = 80;
inline constexpr std::uint32_t kMostWaiting = kMostBinaryLevels * (kTreeLanes - 1) + kTreeLanes;

struct TriangleTree {
  explicit TriangleTree(std::pmr::memory_resource* resource)
      : nodes(resource), blocks(resource), vertices(resource), triangles(resource) {}

  Array<TriangleNode> nodes;  // the first is the root; none: there is no triangle
  Array<TriangleBlock> blocks;
  Array<Vec3> vertices;
  Array<std::array<std::uint32_t, 3>> triangles;
  Aabb3 bounds{};
};

/// What the builder sorts: the box of a triangle. Four lanes make a register; lo's last holds the number, in
/// a form that is slow in no arithmetic (no denormal).
struct alignas(32) TriangleRef {
  float lo[4], hi[4];

  static constexpr std::uint32_t kNormal = 1U << 30, kNumber = (1U << 28) - 1;
  static float lane_of(std::uint32_t number) noexcept { return std::bit_cast<float>(number | kNormal); }
  [[nodiscard]] std::uint32_t number() const noexcept {
    return std::bit_cast<std::uint32_t>(lo[3]) & kNumber;
  }
};

/// A node of the tree as it is first built: two children, or the refs [first, first + count).
struct BinaryNode {
  Aabb3 bounds;
  std::uint32_t first, count;
  std::uint32_t left, right;  // both 0: a leaf

  [[nodiscard]] bool leaf() const noexcept { return left == 0; }
};

/// Sorts refs into a tree of leaves of at most kTreeLanes; the root is nodes[0]. Binned surface area
/// heuristic (Wald 2007). The same for any executor.
void build_binary_tree(std::span<TriangleRef> refs, Array<BinaryNode>& nodes, const Executor& executor,
                       std::pmr::memory_resource* resource);

/// Fills tree.nodes and tree.blocks from a binary tree over tree.vertices and tree.triangles.
void collapse_binary_tree(const Array<BinaryNode>& binary, std::span<const TriangleRef> refs,
                          TriangleTree& tree, std::pmr::memory_resource* resource);

}  // namespace juxta::shape_detail
