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

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory_resource>
#include <span>

#include "juxta/core/array.h"
#include "juxta/core/context.h"
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

/// An Array, or a part of a mapped file: that one is only read.
template <class T>
class TreeArray {
 public:
  explicit TreeArray(std::pmr::memory_resource* resource) noexcept : own_(resource) {}

  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data_, size_}; }
  /// Of its own memory, what a mapped file holds is left out.
  [[nodiscard]] std::size_t memory_bytes() const noexcept { return own_.memory_bytes(); }

  /// For writers: its own memory, empty while a file is looked at.
  [[nodiscard]] std::span<T> own() noexcept { return own_.span(); }
  [[nodiscard]] T* begin() noexcept { return own_.begin(); }
  void resize_discard(std::size_t size) {
    own_.resize_discard(size);
    take_own();
  }
  void resize(std::size_t size) {
    own_.resize(size);
    take_own();
  }
  void reserve(std::size_t capacity) {
    own_.reserve(capacity);
    take_own();
  }

  /// Looks at a file from now on.
  void look_at(std::span<const T> file) noexcept {
    data_ = file.data();
    size_ = file.size();
  }
  /// Copies what it looks at.
  void copy_file() {
    const std::span<const T> file(data_, size_);
    if (file.data() != own_.data()) {
      own_.resize_discard(file.size());
      std::copy(file.begin(), file.end(), own_.begin());
      take_own();
    }
  }

 private:
  void take_own() noexcept {
    data_ = own_.data();
    size_ = own_.size();
  }

  const T* data_ = nullptr;
  std::size_t size_ = 0;
  Array<T> own_;
};

struct TriangleTree {
  explicit TriangleTree(std::pmr::memory_resource* resource)
      : nodes(resource), blocks(resource), vertices(resource), triangles(resource) {}

  TreeArray<TriangleNode> nodes;  // the first is the root; none: there is no triangle. Parents first
  TreeArray<TriangleBlock> blocks;
  TreeArray<Vec3> vertices;
  TreeArray<std::array<std::uint32_t, 3>> triangles;
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

/// Moves subtrees to where rays are expected to save more. The same for any executor.
void improve_binary_tree(std::span<TriangleRef> refs, Array<BinaryNode>& nodes, const Executor& executor,
                         std::pmr::memory_resource* resource);

/// Fills tree.nodes and tree.blocks from a binary tree over tree.vertices and tree.triangles.
void collapse_binary_tree(const Array<BinaryNode>& binary, std::span<const TriangleRef> refs,
                          TriangleTree& tree, std::pmr::memory_resource* resource);

/// Fills tree.nodes, tree.blocks and tree.bounds from tree.vertices and tree.triangles, at least one, all
/// finite: along a curve, in a tenth of the time, for rays that then take longer. The same for any executor.
void build_fast_tree(TriangleTree& tree, const Context& context, std::pmr::memory_resource* resource);

/// The boxes of all nodes, and the bounds, after tree.vertices have changed.
void refit_tree(TriangleTree& tree, const Executor& executor) noexcept;

/// Eight lanes of a node whose sides are known: for each octant of directions from far to near. Lanes that
/// are as near, to 21 bits, in their own order.
void write_orders(TriangleNode& node) noexcept;

}  // namespace juxta::shape_detail
