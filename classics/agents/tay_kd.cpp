// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "classics/agents/tay_store.h"
#include "classics/agents/tay_structures.h"

namespace juxta::classics {
namespace {

/// A k-d tree from the root down. A partition is cut in half across the axis where it is longest, no further
/// than the wanted size; an agent that a cut would split stays in the partition above.
template <class Agent>
class TayKd final : public TayStore<Agent> {
 public:
  using TayStore<Agent>::TayStore;

  void sort() override {
    plant();
    for (Agent& agent : agents_) {
      Node& node = nodes_[find_part(agent)];
      agent.place = {static_cast<std::uint32_t>(&node - nodes_.data()), node.count++};
    }
    // Along the tree, so that what is near stands near.
    std::uint32_t first = 0;
    stack_.assign(1, 0);
    while (!stack_.empty()) {
      Node& node = nodes_[stack_.back()];
      stack_.pop_back();
      node.first = first;
      first += node.count;
      push_children(node);
    }
    this->copy_to_places([&](std::uint32_t part) { return nodes_[part].first; });
  }

  void see() override {
    for (const Node& node : nodes_) {
      if (node.count > 0) {
        see_around(node);
      }
    }
  }

 private:
  using TayStore<Agent>::agents_, TayStore<Agent>::test_, TayStore<Agent>::passes_;
  static constexpr std::uint32_t kNone = 0;  ///< The root is nobody's child.
  static constexpr std::size_t kNoAxis = 3;

  struct Node {
    TayBounds box;
    std::array<std::uint8_t, 3> depth{};  ///< Cuts across each axis above.
    std::size_t axis = kNoAxis;           ///< That it is cut across.
    float cut = 0;
    std::array<std::uint32_t, 2> children{kNone, kNone};
    std::uint32_t first = 0, count = 0;
  };

  void plant() {
    nodes_.clear();
    const TayBounds box = TayBounds::of(agents_);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      max_depth_[axis] = 0;
      for (float extent = (box.hi[axis] - box.lo[axis]) / 2; extent >= this->part_size(); extent /= 2) {
        ++max_depth_[axis];
      }
    }
    add_node(box, {});
  }
  std::uint32_t add_node(const TayBounds& box, const std::array<std::uint8_t, 3>& depth) {
    Node node;
    node.box = box;
    node.depth = depth;
    float longest = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float extent = box.hi[axis] - box.lo[axis];
      if (depth[axis] < max_depth_[axis] && extent > longest) {
        longest = extent;
        node.axis = axis;
        node.cut = box.lo[axis] + extent / 2;
      }
    }
    nodes_.push_back(node);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  std::uint32_t find_part(const Agent& agent) {
    std::uint32_t at = 0;
    for (;;) {
      const Node& node = nodes_[at];
      if (node.axis == kNoAxis) {
        return at;
      }
      const bool below = agent.hi()[node.axis] <= node.cut;
      if (!below && agent.lo()[node.axis] <= node.cut) {
        return at;
      }
      const std::size_t side = below ? 0 : 1;
      if (node.children[side] == kNone) {
        TayBounds half = node.box;
        (below ? half.hi : half.lo)[node.axis] = node.cut;
        std::array<std::uint8_t, 3> depth = node.depth;
        ++depth[node.axis];
        const std::uint32_t child = add_node(half, depth);
        nodes_[at].children[side] = child;
      }
      at = nodes_[at].children[side];
    }
  }
  void push_children(const Node& node) {
    for (const std::uint32_t child : {node.children[1], node.children[0]}) {
      if (child != kNone) {
        stack_.push_back(child);
      }
    }
  }
  void see_around(const Node& seers) {
    const TayBounds box = seers.box.wider_by(test_.radius);
    stack_.assign(1, 0);
    while (!stack_.empty()) {
      const Node& node = nodes_[stack_.back()];
      stack_.pop_back();
      if (!box.touches(node.box)) {
        continue;
      }
      if (node.count > 0) {
        tay_pair(this->slice(seers.first, seers.count), this->slice(node.first, node.count), test_.radius,
                 passes_.see);
      }
      push_children(node);
    }
  }

  std::vector<Node> nodes_;
  std::array<std::uint8_t, 3> max_depth_{};
  std::vector<std::uint32_t> stack_;
};

}  // namespace

std::unique_ptr<TayWorld> make_tay_kd(const TayTest& test) {
  if (test.boxes) {
    return std::make_unique<TayKd<TayBox>>(test);
  }
  return std::make_unique<TayKd<TayPoint>>(test);
}

}  // namespace juxta::classics
