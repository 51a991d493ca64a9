// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "classics/agents/tay_forms.h"
#include "classics/agents/tay_structures.h"

namespace juxta::classics {
namespace {

/// A k-d tree from the root down. A partition is cut in half across the axis where it is longest, no further
/// than the wanted size; an agent that a cut would split stays in the partition above. As published; an agent
/// on a cut goes below it, where the printed code puts it above.
template <class Agent, class Part>
class TayKd {
 public:
  static constexpr bool kEachSeer = false;
  using Around = std::vector<std::uint32_t>;  ///< A stack.

  void clear(const TayPlan& plan) {
    nodes_.clear();
    radius_ = plan.radius;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      max_depth_[axis] = 0;
      const float whole = plan.bounds.hi[axis] - plan.bounds.lo[axis];
      for (float extent = whole / 2; extent >= plan.part_size; extent /= 2) {
        ++max_depth_[axis];
      }
    }
    add_node(plan.bounds, {});
  }
  std::uint32_t part_of(const Agent& agent) {
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
  [[nodiscard]] Part& part(std::uint32_t at) noexcept { return nodes_[at].part; }
  /// Depth first.
  template <class F>
  void in_order(const F& f) const {
    std::vector<std::uint32_t> stack{0};
    while (!stack.empty()) {
      const std::uint32_t at = stack.back();
      stack.pop_back();
      f(at);
      push_children(nodes_[at], stack);
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
    stack.assign(1, 0);
    while (!stack.empty()) {
      const Node& node = nodes_[stack.back()];
      stack.pop_back();
      if (!box.touches(node.box)) {
        continue;
      }
      if (!node.part.empty()) {
        f(node.part);
      }
      push_children(node, stack);
    }
  }

 private:
  static constexpr std::uint32_t kNone = 0;  ///< The root is nobody's child.
  static constexpr std::size_t kNoAxis = 3;

  struct Node {
    TayBounds box;
    std::array<std::uint8_t, 3> depth{};  ///< Cuts across each axis above.
    std::size_t axis = kNoAxis;           ///< That it is cut across.
    float cut = 0;
    std::array<std::uint32_t, 2> children{kNone, kNone};
    Part part;
  };

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
  void push_children(const Node& node, std::vector<std::uint32_t>& stack) const {
    for (const std::uint32_t child : {node.children[1], node.children[0]}) {
      if (child != kNone) {
        stack.push_back(child);
      }
    }
  }

  std::vector<Node> nodes_;
  std::array<std::uint8_t, 3> max_depth_{};
  float radius_ = 0;
};

}  // namespace

std::unique_ptr<TayWorld> make_tay_kd(const TayTest& test, bool stay) {
  return test.boxes ? make_tay_form<TayKd, TayBox>(test, stay) : make_tay_form<TayKd, TayPoint>(test, stay);
}

}  // namespace juxta::classics
