// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the header of a file of hierarchies says, and whether it can be so.
#include <cstring>

#include "juxta/core/try.h"
#include "transform/hierarchy_file.h"
#include "transform/tile_file.h"

namespace juxta::transform_detail {

HierarchyFileLayout::HierarchyFileLayout(const HierarchyFileHeader& header) noexcept {
  const auto of = [](std::uint64_t count, std::uint64_t each) { return count * each; };
  bytes[kHierarchyTiles] = of(header.tiles, sizeof(TileRecord));
  bytes[kHierarchyHistory] =
      (header.flags & kFileHistory) != 0 ? of(header.tiles, sizeof(TileHistory)) : std::uint64_t{0};
  bytes[kHierarchyFreeTiles] = of(header.free_tiles, sizeof(std::uint32_t));
  bytes[kHierarchyDirty] = of(header.dirty, sizeof(std::uint32_t));
  bytes[kHierarchySlots] = of(header.slots, sizeof(Slot));
  bytes[kHierarchyLinks] = of(header.links, sizeof(LinkRecord));
  bytes[kHierarchyKept] = of(header.kept, sizeof(KeptRecord));
  bytes[kHierarchyDestroyed] = of(header.destroyed, sizeof(DestroyedRecord));
  bytes[kHierarchyVacant] = of(header.vacant, sizeof(VacantRecord));
  place();
}

namespace {

/// Depths beyond the number of links that are believed: memory that a forged header may ask for.
constexpr std::uint32_t kSpareDepths = std::uint32_t{1} << 20;

bool makes_sense(const HierarchyFileHeader& header) noexcept {
  constexpr std::uint64_t kMostTiles = kNoRow / kTileRows;
  const std::uint64_t numbers = std::uint64_t{header.tiles} + header.free_tiles;
  const auto is_tile = [&](std::uint32_t number) { return number == kNoRow || number < numbers; };
  constexpr std::uint64_t kMost = std::uint64_t{1} << 48;  // so that their bytes can be counted
  const bool keeps_destroyed = (header.flags & kFileDestroyed) != 0;
  return header.flags <= (kFileHistory | kFileDestroyed | kFileRows) && header.generation % 2 == 0 &&
         (keeps_destroyed || (header.destroyed == 0 && header.forgotten == 0)) && header.destroyed < kMost &&
         header.vacant < kMost && header.forgotten <= header.version && numbers <= kMostTiles &&
         header.dirty <= header.tiles && header.slots < kNoRow && header.links >= 1 &&
         header.links < kNoRow - kSpareDepths && header.depths <= header.links + kSpareDepths &&
         is_tile(header.open) && is_tile(header.filled) &&
         (header.open != header.filled || header.open == kNoRow) && header.cursor <= numbers;
}

bool may_hold_all(std::span<const std::byte> file, const HierarchyFileHeader& header) noexcept {
  using core_detail::may_hold;
  return may_hold(file, header.tiles, sizeof(TileRecord)) &&
         may_hold(file, header.free_tiles, sizeof(std::uint32_t)) &&
         may_hold(file, header.slots, sizeof(Slot)) && may_hold(file, header.links, sizeof(LinkRecord)) &&
         may_hold(file, header.kept, sizeof(KeptRecord)) &&
         may_hold(file, header.destroyed, sizeof(DestroyedRecord)) &&
         may_hold(file, header.vacant, sizeof(VacantRecord));
}

}  // namespace

Result<HierarchyFileHeader> read_header(std::span<const std::byte> file) {
  JUXTA_TRY(kHierarchyFormat.check_head(file));
  HierarchyFileHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  if (!makes_sense(header)) {
    return kHierarchyFormat.corrupt("the counts in the header make no sense",
                                    offsetof(HierarchyFileHeader, flags));
  }
  if (!may_hold_all(file, header)) {
    return kHierarchyFormat.corrupt("the file has fewer bytes than the counts in its header ask for",
                                    offsetof(HierarchyFileHeader, tiles));
  }
  return header;
}

}  // namespace juxta::transform_detail
