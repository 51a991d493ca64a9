// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What of a mesh's file is checked. After it, the tree is one that a build might have made: all nodes hang
// together below the first, each triangle is in one leaf, and each box is that of what is below it. A search
// therefore ends, reads nothing outside, and answers as a loop over the triangles does.
#include "shape/mesh_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "juxta/core/try.h"

namespace juxta::shape_detail {
namespace {

constexpr std::uint64_t kMostFileTriangles = std::uint64_t{1} << 28, kMostFileVertices = 0xFFFF'FFFE;

struct LaneBox {
  float lo[3] = {kInf, kInf, kInf}, hi[3] = {-kInf, -kInf, -kInf};

  void add(const float* at) noexcept {
    for (int axis = 0; axis < 3; ++axis) {
      lo[axis] = std::min(lo[axis], at[axis]);
      hi[axis] = std::max(hi[axis], at[axis]);
    }
  }
  [[nodiscard]] bool is_lane(const TriangleNode& node, std::uint32_t lane) const noexcept {
    bool same = true;
    for (int axis = 0; axis < 3; ++axis) {
      same = same && node.side[axis][lane] == lo[axis] && node.side[axis + 3][lane] == hi[axis];
    }
    return same;
  }
};

LaneBox lane_box_of(const TriangleNode& node) noexcept {
  LaneBox box;
  for (int axis = 0; axis < 3; ++axis) {
    for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
      box.lo[axis] = std::min(box.lo[axis], node.side[axis][lane]);
      box.hi[axis] = std::max(box.hi[axis], node.side[axis + 3][lane]);
    }
  }
  return box;
}

bool mesh_makes_sense(const MeshFileHeader& header) noexcept {
  return header.vertices <= kMostFileVertices && header.triangles <= kMostFileTriangles &&
         header.blocks <= header.triangles && header.nodes <= header.blocks &&
         (header.triangles == 0) == (header.nodes == 0) && header.closed <= 1 && header.unused == 0 &&
         (header.blocks == 0) == (header.triangles == 0);
}

template <class T>
std::span<const T> mesh_section(std::span<const std::byte> file, const MeshFileLayout& layout,
                                MeshSection which) {
  return {reinterpret_cast<const T*>(file.data() + layout.begin[which]),
          static_cast<std::size_t>(layout.bytes[which] / sizeof(T))};
}

class TreeCheck {
 public:
  explicit TreeCheck(const TriangleTree& tree)
      : tree_(tree), levels_(tree.nodes.size()), seen_(tree.triangles.size()) {}

  [[nodiscard]] bool numbers_are_sound() const noexcept {
    const auto vertices = tree_.vertices.size();
    return std::ranges::all_of(tree_.vertices.span(), [](const Vec3& v) { return is_finite(v); }) &&
           std::ranges::all_of(tree_.triangles.span(), [&](const auto& t) {
             return std::max({t[0], t[1], t[2]}) < vertices;
           });
  }

  /// Parents first, so that no path comes back. Each node has one parent, and each block one leaf.
  bool nodes_are_sound() {
    std::uint64_t nodes = tree_.nodes.empty() ? 0 : 1, blocks = 0, triangles = 0;
    std::fill(levels_.begin(), levels_.end(), std::uint8_t{0});
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
      const TriangleNode& node = tree_.nodes[i];
      for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
        const std::uint32_t child = node.child[lane];
        if (child == 0) {
          if (!LaneBox{}.is_lane(node, lane)) {
            return false;
          }
        } else if (ChildWord::is_leaf(child)) {
          if (!leaf_is_sound(child, node, lane)) {
            return false;
          }
          blocks += (ChildWord::count(child) + kBlockLanes - 1) / kBlockLanes;
          triangles += ChildWord::count(child);
        } else {
          if (child <= i || child >= tree_.nodes.size() || levels_[child] != 0 ||
              levels_[i] + 1U >= kMostBinaryLevels || !lane_box_of(tree_.nodes[child]).is_lane(node, lane)) {
            return false;
          }
          levels_[child] = static_cast<std::uint8_t>(levels_[i] + 1);
          ++nodes;
        }
      }
      if (!orders_are_sound(node)) {
        return false;
      }
    }
    // As many as there are, and no triangle twice: all of them, once.
    return nodes == tree_.nodes.size() && blocks == tree_.blocks.size() &&
           triangles == tree_.triangles.size();
  }

  [[nodiscard]] bool bounds_are_sound() const noexcept {
    const LaneBox box = tree_.nodes.empty() ? LaneBox{} : lane_box_of(tree_.nodes[0]);
    bool same = true;
    for (int axis = 0; axis < 3; ++axis) {
      same = same && tree_.bounds.lo[axis] == box.lo[axis] && tree_.bounds.hi[axis] == box.hi[axis];
    }
    return same;
  }

 private:
  bool leaf_is_sound(std::uint32_t child, const TriangleNode& node, std::uint32_t lane) {
    const std::uint32_t count = ChildWord::count(child);
    const std::size_t first = ChildWord::index(child), blocks = (count + kBlockLanes - 1) / kBlockLanes;
    if (first + blocks > tree_.blocks.size()) {
      return false;
    }
    LaneBox box;
    for (std::uint32_t i = 0; i < blocks * kBlockLanes; ++i) {
      const TriangleBlock& block = tree_.blocks[first + i / kBlockLanes];
      const std::uint32_t at = i % kBlockLanes, number = block.number[at];
      if (i >= count ? number != block.number[0] : number >= seen_.size() || seen_[number] != 0) {
        return false;
      }
      seen_[number] = 1;
      for (std::size_t corner = 0; corner < 3; ++corner) {
        const Vec3& v = tree_.vertices[tree_.triangles[number][corner]];
        for (std::size_t axis = 0; axis < 3; ++axis) {
          if (block.corner[corner][axis][at] != v[axis]) {
            return false;
          }
        }
        box.add(v.begin());
      }
    }
    return box.is_lane(node, lane);
  }

  /// Every lane once, for each octant.
  static bool orders_are_sound(const TriangleNode& node) noexcept {
    return std::ranges::all_of(node.order, [](std::uint32_t order) {
      std::uint32_t lanes = 0;
      for (std::uint32_t i = 0; i < kTreeLanes; ++i) {
        lanes |= 1U << (order >> 3 * i & (kTreeLanes - 1));
      }
      return lanes == (1U << kTreeLanes) - 1 && order >> 3 * kTreeLanes == 0;
    });
  }

  const TriangleTree& tree_;
  std::vector<std::uint8_t> levels_;  // of nodes that have a parent: how deep
  std::vector<std::uint8_t> seen_;    // triangles
};

}  // namespace

MeshFileLayout::MeshFileLayout(const MeshFileHeader& header) noexcept {
  bytes[kMeshNodes] = header.nodes * sizeof(TriangleNode);
  bytes[kMeshBlocks] = header.blocks * sizeof(TriangleBlock);
  bytes[kMeshVertices] = header.vertices * sizeof(Vec3);
  bytes[kMeshTriangles] = header.triangles * 3 * sizeof(std::uint32_t);
  place();
}

Result<void> view_mesh(std::span<const std::byte> file, TriangleTree& tree, bool& closed) {
  JUXTA_TRY(kMeshFormat.check_head(file));
  MeshFileHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  if (!mesh_makes_sense(header)) {
    return kMeshFormat.corrupt("the numbers in the header contradict each other",
                               offsetof(MeshFileHeader, vertices));
  }
  using core_detail::may_hold;
  if (!may_hold(file, header.nodes, sizeof(TriangleNode)) ||
      !may_hold(file, header.blocks, sizeof(TriangleBlock)) ||
      !may_hold(file, header.vertices, sizeof(Vec3)) ||
      !may_hold(file, header.triangles, 3 * sizeof(std::uint32_t))) {
    return kMeshFormat.corrupt("the file has fewer bytes than the counts in its header ask for",
                               offsetof(MeshFileHeader, vertices));
  }
  const MeshFileLayout layout(header);
  JUXTA_TRY(kMeshFormat.check_whole(file, layout.total));
  tree.nodes.look_at(mesh_section<TriangleNode>(file, layout, kMeshNodes));
  tree.blocks.look_at(mesh_section<TriangleBlock>(file, layout, kMeshBlocks));
  tree.vertices.look_at(mesh_section<Vec3>(file, layout, kMeshVertices));
  tree.triangles.look_at(mesh_section<std::array<std::uint32_t, 3>>(file, layout, kMeshTriangles));
  for (int axis = 0; axis < 3; ++axis) {
    tree.bounds.lo[axis] = header.bounds[axis];
    tree.bounds.hi[axis] = header.bounds[axis + 3];
  }
  closed = header.closed != 0;
  TreeCheck check(tree);
  if (!check.numbers_are_sound()) {
    return kMeshFormat.corrupt("a vertex is not finite, or a triangle names one that is not there",
                               layout.begin[kMeshVertices]);
  }
  if (!check.nodes_are_sound()) {
    return kMeshFormat.corrupt("the tree does not hold each triangle once, in its box",
                               layout.begin[kMeshNodes]);
  }
  if (!check.bounds_are_sound()) {
    return kMeshFormat.corrupt("the bounds in the header are not those of the tree",
                               offsetof(MeshFileHeader, bounds));
  }
  return {};
}

}  // namespace juxta::shape_detail
