// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "classics/agents/tay_forms.h"
#include "classics/agents/tay_structures.h"

namespace juxta::classics {
namespace {

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
/// while the leaf stays within the wanted size; else the leaf becomes two. As published, but boxes grow on
/// the way down, not on a second way back up.
template <class Agent, class Part>
class TayBoxes {
 public:
  static constexpr bool kEachSeer = false;
  using Around = std::vector<std::uint32_t>;  ///< A stack.

  void clear(const TayPlan& plan) {
    nodes_.clear();
    root_ = kNone;
    part_size_ = plan.part_size;
    radius_ = plan.radius;
  }
  std::uint32_t part_of(const Agent& agent) {
    if (root_ == kNone) {
      return root_ = add_node(TayBounds::of_one(agent));
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
    const std::uint32_t leaf = add_node(TayBounds::of_one(agent)), branch = add_node(together);
    nodes_[branch].children = {at, leaf};
    (parent == kNone ? root_ : nodes_[parent].children[side]) = branch;
    return leaf;
  }
  [[nodiscard]] Part& part(std::uint32_t at) noexcept { return nodes_[at].part; }
  /// Depth first.
  template <class F>
  void in_order(const F& f) const {
    std::vector<std::uint32_t> stack;
    if (root_ != kNone) {
      stack.push_back(root_);
    }
    while (!stack.empty()) {
      const std::uint32_t at = stack.back();
      stack.pop_back();
      if (nodes_[at].is_leaf()) {
        f(at);
      } else {
        stack.push_back(nodes_[at].children[1]);
        stack.push_back(nodes_[at].children[0]);
      }
    }
  }
  template <class F>
  void as_made(const F& f) const {
    for (std::uint32_t at = 0; at < nodes_.size(); ++at) {
      f(at);
    }
  }
  void start(Around& /*stack*/) const {}
  template <class F>
  void around(std::uint32_t seers, const Agent& /*seer*/, Around& stack, const F& f) const {
    const TayBounds box = nodes_[seers].box.wider_by(radius_);
    stack.assign(1, root_);
    while (!stack.empty()) {
      const Node& node = nodes_[stack.back()];
      stack.pop_back();
      if (!box.touches(node.box)) {
        continue;
      }
      if (node.is_leaf()) {
        f(node.part);
      } else {
        stack.push_back(node.children[1]);
        stack.push_back(node.children[0]);
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Node {
    TayBounds box;
    std::array<std::uint32_t, 2> children{kNone, kNone};
    Part part;

    [[nodiscard]] bool is_leaf() const noexcept { return children[0] == kNone; }
  };

  std::uint32_t add_node(const TayBounds& box) {
    Node node;
    node.box = box;
    nodes_.push_back(node);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  [[nodiscard]] bool fits(const TayBounds& box) const noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (box.hi[axis] - box.lo[axis] > part_size_) {
        return false;
      }
    }
    return true;
  }

  std::vector<Node> nodes_;
  std::uint32_t root_ = kNone;
  float part_size_ = 0, radius_ = 0;
};

}  // namespace

std::unique_ptr<TayWorld> make_tay_boxes(const TayTest& test, bool stay) {
  return test.boxes ? make_tay_form<TayBoxes, TayBox>(test, stay)
                    : make_tay_form<TayBoxes, TayPoint>(test, stay);
}

}  // namespace juxta::classics
