// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "classics/agents/tay_store.h"
#include "classics/agents/tay_structures.h"

namespace juxta::classics {
namespace {

template <class Agent>
TayBounds bounds_of(const Agent& agent) {
  return {to_array(agent.lo()), to_array(agent.hi())};
}

// Of the box around both, less that of `box`.
template <class Agent>
float growth(const TayBounds& box, const Agent& agent) {
  float volume = 1, together = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    volume *= box.hi[axis] - box.lo[axis];
    together *= std::max(box.hi[axis], agent.hi()[axis]) - std::min(box.lo[axis], agent.lo()[axis]);
  }
  return together - volume;
}

/// A binary tree of boxes. Each agent goes down to the leaf whose boxes on the way grow least, and joins it
/// while the leaf stays within the wanted size; else the leaf becomes two.
template <class Agent>
class TayBoxes final : public TayStore<Agent> {
 public:
  using TayStore<Agent>::TayStore;

  void sort() override {
    nodes_.clear();
    root_ = kNone;
    for (Agent& agent : agents_) {
      const std::uint32_t leaf = insert(agent);
      agent.place = {leaf, nodes_[leaf].count++};
    }
    std::uint32_t first = 0;
    leaves_.clear();
    stack_.clear();
    push(root_);
    while (!stack_.empty()) {
      const std::uint32_t at = stack_.back();
      Node& node = nodes_[at];
      stack_.pop_back();
      if (node.is_leaf()) {
        leaves_.push_back(at);
        node.first = first;
        first += node.count;
      } else {
        push(node.children[1]);
        push(node.children[0]);
      }
    }
    this->copy_to_places([&](std::uint32_t part) { return nodes_[part].first; });
  }

  void see() override {
    for (const std::uint32_t leaf : leaves_) {
      see_around(nodes_[leaf]);
    }
  }

 private:
  using TayStore<Agent>::agents_, TayStore<Agent>::test_, TayStore<Agent>::passes_;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Node {
    TayBounds box;
    std::array<std::uint32_t, 2> children{kNone, kNone};
    std::uint32_t first = 0, count = 0;

    [[nodiscard]] bool is_leaf() const noexcept { return children[0] == kNone; }
  };

  std::uint32_t add_node(const TayBounds& box) {
    Node node;
    node.box = box;
    nodes_.push_back(node);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  void push(std::uint32_t node) {
    if (node != kNone) {
      stack_.push_back(node);
    }
  }
  // The leaf that the agent joins.
  std::uint32_t insert(const Agent& agent) {
    if (root_ == kNone) {
      return root_ = add_node(bounds_of(agent));
    }
    std::uint32_t at = root_, parent = kNone;
    std::size_t side = 0;
    while (!nodes_[at].is_leaf()) {
      Node& node = nodes_[at];
      node.box.add(agent);
      parent = at;
      side =
          growth(nodes_[node.children[0]].box, agent) < growth(nodes_[node.children[1]].box, agent) ? 0 : 1;
      at = node.children[side];
    }
    TayBounds together = nodes_[at].box;
    together.add(agent);
    if (fits(together)) {
      nodes_[at].box = together;
      return at;
    }
    const std::uint32_t leaf = add_node(bounds_of(agent)), branch = add_node(together);
    nodes_[branch].children = {at, leaf};
    (parent == kNone ? root_ : nodes_[parent].children[side]) = branch;
    return leaf;
  }
  [[nodiscard]] bool fits(const TayBounds& box) const noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (box.hi[axis] - box.lo[axis] > this->part_size()) {
        return false;
      }
    }
    return true;
  }
  void see_around(const Node& seers) {
    const TayBounds box = seers.box.wider_by(test_.radius);
    stack_.assign(1, root_);
    while (!stack_.empty()) {
      const Node& node = nodes_[stack_.back()];
      stack_.pop_back();
      if (!box.touches(node.box)) {
        continue;
      }
      if (node.is_leaf()) {
        tay_pair(this->slice(seers.first, seers.count), this->slice(node.first, node.count), test_.radius,
                 passes_.see);
      } else {
        stack_.push_back(node.children[1]);
        stack_.push_back(node.children[0]);
      }
    }
  }

  std::vector<Node> nodes_;
  std::uint32_t root_ = kNone;
  std::vector<std::uint32_t> leaves_, stack_;
};

}  // namespace

std::unique_ptr<TayWorld> make_tay_boxes(const TayTest& test) {
  if (test.boxes) {
    return std::make_unique<TayBoxes<TayBox>>(test);
  }
  return std::make_unique<TayBoxes<TayPoint>>(test);
}

}  // namespace juxta::classics
