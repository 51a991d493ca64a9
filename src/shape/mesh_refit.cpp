// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// New places for the vertices of a tree: corners, then boxes from the bottom up. What is in which leaf stays.
//
//   1  blocks   corners again, from the vertices          side by side
//   2  nodes    the boxes of their leaves                 side by side
//   3  nodes    the boxes of their nodes, and the orders  from the last to the first: parents come first
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/prefetch.h"
#include "shape/triangle_tree.h"

namespace juxta::shape_detail {
namespace {

constexpr std::size_t kRefitBlocksOfTask = 2048, kRefitNodesOfTask = 512;

// Blocks whose triangles, and whose vertices, are on their way through the caches.
constexpr std::size_t kTrianglesAhead = 8, kVerticesAhead = 4;

void refit_block(TriangleTree& tree, std::size_t index) noexcept {
  if (index + kTrianglesAhead < tree.blocks.size()) {
    for (std::uint32_t lane = 0; lane < kBlockLanes; ++lane) {
      core_detail::prefetch_line(&tree.triangles[tree.blocks[index + kTrianglesAhead].number[lane]]);
      for (const std::uint32_t vertex : tree.triangles[tree.blocks[index + kVerticesAhead].number[lane]]) {
        core_detail::prefetch_line(&tree.vertices[vertex]);
      }
    }
  }
  TriangleBlock& block = tree.blocks.own()[index];
  for (std::uint32_t lane = 0; lane < kBlockLanes; ++lane) {
    const std::array<std::uint32_t, 3>& corners = tree.triangles[block.number[lane]];
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const Vec3& v = tree.vertices[corners[corner]];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        block.corner[corner][axis][lane] = v[axis];
      }
    }
  }
}

float least_lane(const float* lanes, std::uint32_t count) noexcept {
  float least = lanes[0];
  for (std::uint32_t i = 1; i < count; ++i) {
    least = lanes[i] < least ? lanes[i] : least;
  }
  return least;
}
float most_lane(const float* lanes, std::uint32_t count) noexcept {
  float most = lanes[0];
  for (std::uint32_t i = 1; i < count; ++i) {
    most = lanes[i] > most ? lanes[i] : most;
  }
  return most;
}

// Lanes without a triangle repeat one.
void refit_leaf(const TriangleTree& tree, std::uint32_t child, TriangleNode& node,
                std::uint32_t lane) noexcept {
  const TriangleBlock* const first = &tree.blocks[ChildWord::index(child)];
  const std::uint32_t blocks = (ChildWord::count(child) + kBlockLanes - 1) / kBlockLanes;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    float lo[kBlockLanes], hi[kBlockLanes];
    for (std::uint32_t i = 0; i < kBlockLanes; ++i) {
      lo[i] = kInf;
      hi[i] = -kInf;
    }
    for (std::uint32_t block = 0; block < blocks; ++block) {
      for (const auto& corner : first[block].corner) {
        for (std::uint32_t i = 0; i < kBlockLanes; ++i) {
          lo[i] = corner[axis][i] < lo[i] ? corner[axis][i] : lo[i];
          hi[i] = corner[axis][i] > hi[i] ? corner[axis][i] : hi[i];
        }
      }
    }
    node.side[axis][lane] = least_lane(lo, kBlockLanes);
    node.side[axis + 3][lane] = most_lane(hi, kBlockLanes);
  }
}

// The root has no parent: child 0 is an empty lane.
constexpr bool is_node(std::uint32_t child) noexcept {
  return child != 0 && !ChildWord::is_leaf(child);
}

}  // namespace

void refit_tree(TriangleTree& tree, const Executor& executor) noexcept {
  executor.parallel_for(tree.blocks.size(), kRefitBlocksOfTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      refit_block(tree, i);
    }
  });
  executor.parallel_for(tree.nodes.size(), kRefitNodesOfTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      TriangleNode& node = tree.nodes.own()[i];
      for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
        if (ChildWord::is_leaf(node.child[lane])) {
          refit_leaf(tree, node.child[lane], node, lane);
        }
      }
    }
  });
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    TriangleNode& node = tree.nodes.own()[i];
    for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
      if (is_node(node.child[lane])) {
        const TriangleNode& below = tree.nodes[node.child[lane]];
        for (std::size_t axis = 0; axis < 3; ++axis) {
          node.side[axis][lane] = least_lane(below.side[axis], kTreeLanes);
          node.side[axis + 3][lane] = most_lane(below.side[axis + 3], kTreeLanes);
        }
      }
    }
    write_orders(node);
  }
  if (!tree.nodes.empty()) {
    const TriangleNode& root = tree.nodes[0];
    for (int axis = 0; axis < 3; ++axis) {
      tree.bounds.lo[axis] = least_lane(root.side[axis], kTreeLanes);
      tree.bounds.hi[axis] = most_lane(root.side[axis + 3], kTreeLanes);
    }
  }
}

void write_orders(TriangleNode& node) noexcept {
  // One row a lane, one column an octant: all octants are sorted by the same exchanges. A key is a float as
  // an integer that orders alike, with the lane in its last bits. Eighths, so that no sum overflows.
  constexpr std::int32_t kLane = kTreeLanes - 1, kMost = 0x7FFF'FFFF;
  alignas(32) std::int32_t key[kTreeLanes][8];
  for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
    const bool used = node.side[0][lane] <= node.side[3][lane];
    alignas(32) float at[8] = {};
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const float center = node.side[axis][lane] * 0.125F + node.side[axis + 3][lane] * 0.125F;
      for (std::uint32_t octant = 0; octant < 8; ++octant) {
        at[octant] += (octant >> axis & 1) != 0 ? -center : center;
      }
    }
    for (std::uint32_t octant = 0; octant < 8; ++octant) {
      const auto bits = std::bit_cast<std::int32_t>(at[octant]);
      const std::int32_t ordered = bits ^ (bits >> 31 & kMost);
      key[lane][octant] = ((used ? ordered : kMost) & ~kLane) | static_cast<std::int32_t>(lane);
    }
  }
  // Batcher's network for eight.
  static constexpr std::uint8_t kPairs[19][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6},
                                                 {5, 7}, {1, 2}, {5, 6}, {0, 4}, {1, 5}, {2, 6}, {3, 7},
                                                 {2, 4}, {3, 5}, {1, 2}, {3, 4}, {5, 6}};
  for (const auto& [a, b] : kPairs) {
    for (std::uint32_t octant = 0; octant < 8; ++octant) {
      const std::int32_t x = key[a][octant], y = key[b][octant];
      key[a][octant] = x < y ? x : y;
      key[b][octant] = x < y ? y : x;
    }
  }
  for (std::uint32_t octant = 0; octant < 8; ++octant) {
    std::uint32_t order = 0;
    for (std::uint32_t i = 0; i < kTreeLanes; ++i) {
      order |= static_cast<std::uint32_t>(key[i][octant] & kLane) << (3 * (kTreeLanes - 1 - i));
    }
    node.order[octant] = order;
  }
}

}  // namespace juxta::shape_detail
