// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// The fastest plain program that we know for whole frames of trees that never change: one loop that writes,
// propagates and reads sixteen nodes at a time, on numbers in columns. Nodes are sorted once:
//
//   group = some trees, 4,096 nodes or more, that stay in the second cache while the loop goes through them
//   level after level, and in a level all first children, then all second ones, ...:
//     trees of one shape have their parents side by side, so that a block of sixteen loads them at once
//   block = sixteen nodes of a level; what their parents are to them is known since the build
//
//   column   | local qx .. scale | world qx .. scale | stretch x y z |     19 floats a node
//
// Nothing can be created, destroyed or reparented, and nothing is known about single nodes.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "bench/transform/contenders.h"
#include "bench/transform/lane_frame-inl.h"
#include "juxta/core/array.h"

namespace juxta::bench {
namespace {

class StaticLanes final : public WholeWorld {
 public:
  void build(const Forest& forest) override {
    const std::vector<NodeDescription>& nodes = forest.trees.nodes;
    children_of(nodes);
    place_.resize(nodes.size());
    std::vector<std::uint32_t> roots;
    std::size_t inside = 0;
    for (const std::uint32_t root : forest.trees.roots) {
      const std::size_t size = below_[root];
      const bool other = !roots.empty() && size != below_[roots.back()];
      if (roots.size() >= kTrees && (inside >= kNodes || (other && roots.size() >= 4 * kTrees))) {
        add_group(nodes, roots);
        inside = 0;
        roots.clear();
      }
      roots.push_back(root);
      inside += size;
    }
    add_group(nodes, roots);
    fill(nodes);
    sum_frame({});
  }

  PositionSum sum_frame(const Turn& by) override {
    SumReader reader;
    frame(by, reader);
    return reader.sum.total();
  }
  void matrix_frame(const Turn& by, std::span<Matrix34> out) override {
    MatrixReader matrices{out.data()};
    frame(by, matrices);
  }
  [[nodiscard]] std::size_t matrix_count() const override { return padded_; }
  [[nodiscard]] std::uint32_t matrix_of(std::uint32_t node) const override {
    return groups_[place_[node].group].first + place_[node].at;
  }
  [[nodiscard]] Qvvs world(std::uint32_t node) const override {
    const Group& group = groups_[place_[node].group];
    const auto column = [&](std::size_t k) {
      return columns_[group.base + k * group.stride + place_[node].at];
    };
    return {{column(8), column(9), column(10), column(11)},
            {column(12), column(13), column(14)},
            0,
            {column(16), column(17), column(18)},
            column(15)};
  }
  [[nodiscard]] std::size_t nodes() const override { return place_.size(); }
  [[nodiscard]] std::size_t bytes() const override {
    return columns_.memory_bytes() + blocks_.size() * sizeof(Block) + mixed_.size() * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::size_t kTrees = 64, kNodes = 4096, kColumns = 19;
  static constexpr std::uint32_t kRoot = NodeDescription::kRoot;

  enum class Parents : std::uint8_t { kNone, kInRow, kOne, kMixed };
  struct Block {
    std::uint32_t parent = 0;  // place in the group of the first one; kMixed: where in mixed_ they are
    Parents parents = Parents::kNone;
    std::uint8_t nodes = 0;  // at the end of a level less than 16
  };
  struct Group {
    std::size_t base = 0, stride = 0;                      // of its columns
    std::uint32_t first = 0, first_block = 0, blocks = 0;  // `first`: nodes of groups before it, with padding
  };
  struct Place {
    std::uint32_t group = 0, at = 0;
  };

  template <class Reader>
  void frame(const Turn& by, Reader& reader) {
    for (const Group& group : groups_) {
      float* const local = columns_.data() + group.base;
      float* const world = local + 8 * group.stride;
      for (std::uint32_t b = 0; b < group.blocks; ++b) {
        const Block& block = blocks_[group.first_block + b];
        const std::size_t at = std::size_t{b} * 16;
        const Lanes16 local_now = turned(local + at, group.stride, by);
        Lanes16 now;
        if (block.parents == Parents::kNone) {
          now = local_now;
          renormalize(now);
        } else {
          now = below(parents_of(block, world, group.stride), local_now);
        }
        store_all(now, world + at, group.stride);
        reader.read(now, world + at + 8 * group.stride, group.stride, group.first + at, block.nodes);
      }
    }
  }

  [[nodiscard]] ParentLanes parents_of(const Block& block, const float* world, std::size_t stride) const {
    switch (block.parents) {
      case Parents::kInRow:
        return parents_in_row(world + block.parent, stride);
      case Parents::kOne:
        return one_parent(world + block.parent, stride);
      default:
        return mixed_parents(world, stride, &mixed_[block.parent]);
    }
  }

  // Of each node its children, and how many nodes there are at and below it.
  void children_of(const std::vector<NodeDescription>& nodes) {
    begin_.assign(nodes.size() + 1, 0);
    below_.assign(nodes.size(), 1);
    for (std::size_t i = nodes.size(); i-- > 0;) {
      if (nodes[i].parent != kRoot) {
        ++begin_[nodes[i].parent];
        below_[nodes[i].parent] += below_[i];
      }
    }
    std::uint32_t sum = 0;
    for (std::uint32_t& count : begin_) {
      count = (sum += count);
    }
    children_.resize(sum);
    for (std::size_t i = nodes.size(); i-- > 0;) {
      if (nodes[i].parent != kRoot) {
        children_[--begin_[nodes[i].parent]] = static_cast<std::uint32_t>(i);
      }
    }
  }

  void add_group(const std::vector<NodeDescription>& nodes, const std::vector<std::uint32_t>& roots) {
    const auto number = static_cast<std::uint32_t>(groups_.size());
    const auto first_block = static_cast<std::uint32_t>(blocks_.size());
    std::vector<std::uint32_t> level = roots, next, with_more;
    std::uint32_t at = 0;
    while (!level.empty()) {
      for (std::size_t i = 0; i < level.size(); ++i) {
        place_[level[i]] = {number, at + static_cast<std::uint32_t>(i)};
      }
      add_blocks(nodes, level);
      at += static_cast<std::uint32_t>((level.size() + 15) / 16 * 16);
      next.clear();
      for (std::uint32_t rank = 0; !level.empty(); ++rank) {
        std::erase_if(level, [&](std::uint32_t node) { return begin_[node] + rank >= begin_[node + 1]; });
        for (const std::uint32_t node : level) {
          next.push_back(children_[begin_[node] + rank]);
        }
      }
      level.swap(next);
    }
    const std::size_t stride = at / 16 % 2 == 1 ? at : at + 16;  // columns do not fight for sets of the cache
    groups_.push_back({floats_, stride, static_cast<std::uint32_t>(padded_), first_block, at / 16});
    floats_ += stride * kColumns + 16;
    padded_ += at;
  }

  void add_blocks(const std::vector<NodeDescription>& nodes, const std::vector<std::uint32_t>& level) {
    for (std::size_t first = 0; first < level.size(); first += 16) {
      const std::size_t count = std::min<std::size_t>(16, level.size() - first);
      std::uint32_t parents[16] = {};
      bool in_row = true, one = true;
      for (std::size_t i = 0; i < count && nodes[level[first]].parent != kRoot; ++i) {
        parents[i] = place_[nodes[level[first + i]].parent].at;
        in_row = in_row && parents[i] == parents[0] + i;
        one = one && parents[i] == parents[0];
      }
      Block block{parents[0], Parents::kNone, static_cast<std::uint8_t>(count)};
      if (nodes[level[first]].parent != kRoot) {
        block.parents = in_row ? Parents::kInRow : one ? Parents::kOne : Parents::kMixed;
      }
      if (block.parents == Parents::kMixed) {
        block.parent = static_cast<std::uint32_t>(mixed_.size());
        mixed_.insert(mixed_.end(), parents, parents + 16);
      }
      blocks_.push_back(block);
    }
  }

  void fill(const std::vector<NodeDescription>& nodes) {
    columns_.resize_discard(floats_);
    std::fill(columns_.begin(), columns_.end(), 0.0F);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const NodeDescription& node = nodes[i];
      const Group& group = groups_[place_[i].group];
      const float numbers[kColumns] = {node.local.rotation.x,
                                       node.local.rotation.y,
                                       node.local.rotation.z,
                                       node.local.rotation.w,
                                       node.local.position.x,
                                       node.local.position.y,
                                       node.local.position.z,
                                       node.local.scale,
                                       0,
                                       0,
                                       0,
                                       1,
                                       0,
                                       0,
                                       0,
                                       1,
                                       node.stretch.x,
                                       node.stretch.y,
                                       node.stretch.z};
      for (std::size_t k = 0; k < kColumns; ++k) {
        columns_[group.base + k * group.stride + place_[i].at] = numbers[k];
      }
    }
  }

  Array<float> columns_;
  std::vector<Group> groups_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> mixed_;
  std::vector<Place> place_;
  std::vector<std::uint32_t> begin_, children_, below_;
  std::size_t floats_ = 0, padded_ = 0;
};

}  // namespace

std::unique_ptr<WholeWorld> make_static_lanes() {
  return std::make_unique<StaticLanes>();
}

}  // namespace juxta::bench
