// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace juxta {

/// What a node keeps of its own world transform when its parent moves, instead of following. Combine with |.
/// A kept value rewrites the local transform, so that local and world agree. What is kept is what the last
/// propagate() left, unless the local transform was written since (created, set_local, set_position,
/// set_world, reparented): then that decides, once, and its outcome is kept from there on. Roots follow
/// nobody: on a root flags wait until it gets a parent. Source: InheritanceFlags of the Latios Framework.
enum class Inherit : std::uint16_t {
  kNormal = 0,       ///< Follows its parent in everything.
  kWorldX = 1 << 0,  ///< World position, axis by axis.
  kWorldY = 1 << 1,
  kWorldZ = 1 << 2,
  kWorldPosition = kWorldX | kWorldY | kWorldZ,
  kWorldForward = 1 << 3,  ///< World direction of the node's +z axis; the up axis follows as well as it can.
  kWorldUp =
      1 << 4,  ///< World direction of the node's +y axis; alone, forward (of the parent) has precedence.
  kStrictUp = 1 << 5,  ///< The up axis (kept or followed) has precedence over forward, not the reverse.
  kWorldRotation = kWorldForward | kWorldUp,  ///< Both: the world rotation as it is.
  kWorldScale = 1 << 6,
  kCopyParent = 1 << 7,  ///< The whole world transform is the parent's. Its stretch and context become the
                         ///< node's own; the other flags are ignored.
  /// set_world() writes this node's world transform and nothing else moves it; its local transform is
  /// ignored. (What a write group does in an entity system.)
  kUserWorld = 1 << 8,
};

[[nodiscard]] constexpr Inherit operator|(Inherit a, Inherit b) noexcept {
  return static_cast<Inherit>(static_cast<std::uint16_t>(a) | static_cast<std::uint16_t>(b));
}
[[nodiscard]] constexpr Inherit operator&(Inherit a, Inherit b) noexcept {
  return static_cast<Inherit>(static_cast<std::uint16_t>(a) & static_cast<std::uint16_t>(b));
}
/// All flags of `wanted` are set.
[[nodiscard]] constexpr bool keeps(Inherit flags, Inherit wanted) noexcept {
  return (flags & wanted) == wanted;
}

}  // namespace juxta
