// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Transforms, flags and trees at random. `Draw` has below(bound): the seeded generator, or a fuzzer's bytes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "juxta/transform/prefab.h"

namespace juxta::test {

template <class Draw>
float draw_number(Draw& draw, float size) {
  return (static_cast<float>(draw.below(1U << 16)) * 0x1p-15F - 1) * size;
}

template <class Draw>
Vec3 draw_vector(Draw& draw, float size) {
  const float x = draw_number(draw, size), y = draw_number(draw, size);
  return {x, y, draw_number(draw, size)};
}

/// Of length 1, or far from it; quarter turns too, whose axes coincide.
template <class Draw>
Quat draw_rotation(Draw& draw) {
  switch (draw.below(8)) {
    case 0:
      return {};
    case 1:
      return std::array{Quat{1, 0, 0, 1}, Quat{0, -1, 0, 1}, Quat{0, 0, 2, 2},
                        Quat{0, 1, 0, 0}}[draw.below(4)];
    default: {
      const Vec3 axis = draw_vector(draw, 1);
      const Quat q{axis.x, axis.y, axis.z, draw_number(draw, 1)};
      return length_squared(q) < 0.01F ? Quat{} : (draw.below(8) == 0 ? q : normalized(q));
    }
  }
}

/// `scales`: other scales than 1, which only trees of moderate depth can bear.
template <class Draw>
LocalTransform draw_local(Draw& draw, bool scales) {
  constexpr std::array<float, 5> kScales{1.25F, 0.5F, 2, 0.75F, 1.5F};
  const Quat rotation = draw_rotation(draw);
  const Vec3 position = draw_vector(draw, 10);
  return {rotation, position, scales && draw.below(3) == 0 ? kScales[draw.below(5)] : 1.0F};
}

template <class Draw>
Vec3 draw_stretch(Draw& draw) {
  switch (draw.below(12)) {
    case 0:
      return {2, 1, 0.5F};
    case 1:
      return {1, 1.5F, 1};
    case 2:
      return {-1, 1, 1};
    case 3:
      return {0, 1, 1};
    default:
      return {1, 1, 1};
  }
}

/// Which flags a history may use. A mixed rotation (one axis kept, one followed) has no bits of its own.
enum class Flags : std::uint8_t { kNone, kExact, kMixed };

template <class Draw>
Inherit draw_inherit(Draw& draw, Flags flags) {
  constexpr std::array kExact{Inherit::kWorldX,        Inherit::kWorldY,     Inherit::kWorldZ,
                              Inherit::kWorldPosition, Inherit::kWorldScale, Inherit::kWorldRotation,
                              Inherit::kCopyParent,    Inherit::kUserWorld};
  constexpr std::array kMixed{Inherit::kWorldForward, Inherit::kWorldUp, Inherit::kStrictUp};
  Inherit inherit = Inherit::kNormal;
  if (flags == Flags::kNone || draw.below(4) != 0) {
    return inherit;
  }
  for (std::uint32_t i = 1 + draw.below(2); i > 0; --i) {
    inherit = inherit | kExact[draw.below(kExact.size())];
  }
  if (flags == Flags::kMixed && draw.below(2) == 0) {
    inherit = kMixed[draw.below(3)];
    if (draw.below(2) == 0) {
      inherit = inherit | kMixed[draw.below(3)];
    }
    if (draw.below(3) == 0) {
      inherit = inherit | Inherit::kWorldY;
    }
  }
  return inherit;
}

/// How parents are chosen in a tree of n nodes.
enum class Tree : std::uint8_t {
  kChain,   // each below the one before
  kStar,    // all below the first
  kRoots,   // nobody
  kRandom,  // any node before, sometimes none
  kNines,   // one root, its children, nine children of each
};
inline constexpr std::array kTrees{Tree::kChain, Tree::kStar, Tree::kRoots, Tree::kRandom, Tree::kNines};

template <class Draw>
std::uint32_t draw_parent(Draw& draw, Tree tree, std::uint32_t i, std::uint32_t count) {
  if (i == 0) {
    return NodeDescription::kRoot;
  }
  switch (tree) {
    case Tree::kChain:
      return i - 1;
    case Tree::kStar:
      return 0;
    case Tree::kRoots:
      return NodeDescription::kRoot;
    case Tree::kRandom:
      return draw.below(10) == 0 ? NodeDescription::kRoot : draw.below(i);
    default: {
      const std::uint32_t children = (count + 8) / 10;
      return i <= children ? 0 : 1 + (i - children - 1) / 9;
    }
  }
}

/// Nodes in an order that insert() takes. `one_root`: what a prefab may be.
template <class Draw>
std::vector<NodeDescription> draw_tree(Draw& draw, Tree tree, std::uint32_t count, Flags flags,
                                       bool one_root) {
  std::vector<NodeDescription> nodes(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    NodeDescription& node = nodes[i];
    node.local = draw_local(draw, tree != Tree::kChain || count < 50);
    node.parent = draw_parent(draw, tree, i, count);
    if (one_root && i > 0 && node.parent == NodeDescription::kRoot) {
      node.parent = 0;
    }
    node.stretch = draw_stretch(draw);
    node.context = static_cast<std::int32_t>(draw.below(1000));
    node.inherit = draw_inherit(draw, flags);
  }
  return nodes;
}

}  // namespace juxta::test
