// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: how the groups of a tile of lanes hang together, and which of them have one local transform.
//
// Instances of a prefab differ in their roots. Below, all of them stand where the prefab says: the eight
// local transforms of a group are one, as long as nobody writes any of them.
//
//   local    group 3  | a a a a a a a a |   alike[3] -> shared | a |    32 bytes are read for 256, and most
//            group 4  | b b b b b b b b |   alike[4] --------> | b |    groups of a tile share them, too
//            group 5  | c c d c c c c c |   alike[5] = kNotAlike
//
// The eight local transforms are kept beside, so whoever reads one finds it where it always stands. Rows with
// flags do not count: sweeps drop what they compute of them from here. Dead rows do not count, either, but
// get what the others have: the next node there is most often the same.
//
// A group with marked rows (Tile::pending) is unknown. It is looked at by the second sweep after that: where
// systems write all of it frame by frame, it is hardly ever looked at.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "juxta/math/qvvs.h"
#include "transform/row_mask.h"

namespace juxta::transform_detail {

/// Trees that stand side by side in a tile of lanes, and the rows of a group.
inline constexpr std::uint32_t kGroupRows = 8;
inline constexpr std::uint32_t kTileGroups = kTileRows / kGroupRows;

/// LaneTree::alike of a group: what is known of its local transforms. From kAlike on: where in
/// LaneTree::shared the one stands that all of its rows have, dead ones as well, but for those with flags.
inline constexpr std::uint8_t kWritten = 0;   // nothing, since the last sweep
inline constexpr std::uint8_t kSettled = 1;   // nothing, and they were swept since
inline constexpr std::uint8_t kNotAlike = 2;  // they are not alike, or there is no place for another one
inline constexpr std::uint8_t kAlike = 3;

struct LaneTree {
  using Bits = std::array<std::uint32_t, 8>;  // 0 and -0 differ
  /// As many as fit, with the padding of a tile, where the child ranges of 1024 rows stand in others.
  static constexpr std::uint32_t kShared = 38;

  std::array<std::uint16_t, std::size_t{2} * kTileGroups> children;  // of each group: first, last
  std::array<std::uint16_t, kTileGroups> above;  // the group that it follows from; see block_end()
  std::array<std::uint8_t, kTileGroups> alike;
  std::array<std::array<float, 8>, kShared> shared;  // LocalTransform: rotation, position, scale

  /// The first group of a block, that of the roots, follows from none. It says where the block ends, which is
  /// above its own number, as no parent's is.
  [[nodiscard]] bool begins_block(std::uint32_t group) const noexcept { return above[group] > group; }
  [[nodiscard]] std::uint32_t block_end(std::uint32_t first) const noexcept { return above[first]; }
  void put_block(std::uint32_t first, std::uint32_t last) noexcept {
    above[first] = static_cast<std::uint16_t>(last);
  }
  /// Groups of which `rows` are in word `w` of a mask are unknown.
  void forget(std::uint32_t w, std::uint64_t rows) noexcept {
    constexpr std::uint64_t kLow = 0x7F7F7F7F7F7F7F7F;
    const std::uint64_t touched =
        ((((rows & kLow) + kLow) | rows) & ~kLow) >> 7;  // 1 in each byte with a bit
    std::uint64_t known;
    std::memcpy(&known, &alike[std::size_t{w} * 8], sizeof known);
    known &= ~(touched * 0xFF);
    std::memcpy(&alike[std::size_t{w} * 8], &known, sizeof known);
  }
  /// All eight rows of a group hold this local transform, but for those that have flags.
  [[nodiscard]] bool holds(std::uint32_t group, const LocalTransform& local) const noexcept {
    return alike[group] >= kAlike &&
           std::bit_cast<Bits>(shared[alike[group] - kAlike]) == std::bit_cast<Bits>(local);
  }
  /// Notes that the rows of a group have this local transform. `live`: of the tile. A place that only groups
  /// without nodes use is free for another one, and nothing is known of them then.
  void share(std::uint32_t group, const LocalTransform& local, const RowMask& live) noexcept;
};
static_assert(std::endian::native == std::endian::little, "forget() takes the bytes of a word for groups");

inline void LaneTree::share(std::uint32_t group, const LocalTransform& local, const RowMask& live) noexcept {
  const auto value = std::bit_cast<std::array<float, 8>>(local);
  std::uint64_t used = 0;
  for (std::uint32_t g = 0; g < kTileGroups; ++g) {
    const bool has_nodes = (live.words[g / 8] >> g % 8 * kGroupRows & 0xFF) != 0;
    used |= alike[g] >= kAlike && has_nodes ? std::uint64_t{1} << (alike[g] - kAlike) : 0;
  }
  auto place = static_cast<std::uint32_t>(std::countr_one(used));
  for_each_bit(used, 0, [&](std::uint32_t at) {
    place = std::bit_cast<Bits>(shared[at]) == std::bit_cast<Bits>(value) ? at : place;
  });
  if (place >= kShared) {
    alike[group] = kNotAlike;
    return;
  }
  for (std::uint8_t& other : alike) {
    other = other == kAlike + place && (used >> place & 1) == 0 ? kWritten : other;
  }
  shared[place] = value;
  alike[group] = static_cast<std::uint8_t>(kAlike + place);
}

}  // namespace juxta::transform_detail
