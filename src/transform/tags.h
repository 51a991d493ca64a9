// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the bits of Tile::flags that Inherit leaves are the user's tags.
#pragma once

#include <cstdint>

#include "juxta/transform/hierarchy.h"

namespace juxta::transform_detail {

inline constexpr int kTagShift = 9;
inline constexpr std::uint16_t kInheritBits = (1U << kTagShift) - 1;
static_assert(static_cast<std::uint16_t>(Inherit::kUserWorld) == (kInheritBits + 1) / 2);
static_assert(kTagShift + kTagBits == 16);

[[nodiscard]] constexpr std::uint8_t tags_of(std::uint16_t flags) noexcept {
  return static_cast<std::uint8_t>(flags >> kTagShift);
}
[[nodiscard]] constexpr std::uint16_t with_tags(std::uint16_t flags, std::uint8_t tags) noexcept {
  return static_cast<std::uint16_t>((flags & kInheritBits) | (unsigned{tags} << kTagShift));
}
/// What users give may hold bits that mean nothing.
[[nodiscard]] constexpr Inherit without_tags(Inherit inherit) noexcept {
  return static_cast<Inherit>(static_cast<std::uint16_t>(inherit) & kInheritBits);
}

}  // namespace juxta::transform_detail
