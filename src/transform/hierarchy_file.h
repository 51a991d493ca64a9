// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the flat file of a hierarchy. docs/formats/hierarchy.md describes it for other readers.
//
//   4,096 B header | sections in the order of HierarchySection
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/flat_file.h"
#include "juxta/core/error.h"
#include "transform/store.h"

namespace juxta::transform_detail {

struct HierarchyFileHeader {
  std::array<char, 8> magic;
  std::uint32_t format, byte_order;
  std::uint32_t flags;         // kFileHistory, kFileDestroyed, kFileRows
  std::uint32_t tiles;         // in use
  std::uint32_t free_tiles;    // numbers given out before and free now
  std::uint32_t slots;         // names ever given out
  std::uint32_t links;         // link 0 and free ones included
  std::uint32_t depths;        // more than any link's
  std::uint32_t dirty;         // tiles that wait for propagate()
  std::uint32_t version;       // Hierarchy::version()
  std::uint32_t open, filled;  // tiles, or kNoRow
  std::uint32_t cursor;
  std::uint32_t first_free_slot, first_free_link;
  std::uint32_t kept;  // HierarchyStore::kept
  std::uint64_t debt;
  std::uint64_t checksum;   // of the whole file, this field taken as 0
  std::uint64_t moved;      // HierarchyStore::moved
  std::uint64_t destroyed;  // HierarchyStore::destroyed
  std::uint32_t forgotten;
  std::uint32_t generation;  // HierarchyStore::first_generation - 1
  std::uint64_t vacant;      // records of HierarchyStore::vacancies
};
static_assert(sizeof(HierarchyFileHeader) == 120);

/// A link in the file. What its rows, its depth and its neighbours say besides follows from the tiles.
struct LinkRecord {
  std::uint32_t parent_row;  // kNoRow: a free link
  std::uint32_t first, span;
  std::uint32_t next;
  std::uint32_t depth;
  std::uint32_t zero;
};
static_assert(sizeof(LinkRecord) == 24);

/// What a node with flags keeps, where it is not its world transform in the tile.
struct KeptRecord {
  HotWorld world;
  std::uint32_t slot;
  std::uint32_t zero;
};
static_assert(sizeof(KeptRecord) == 40);

/// A node that was destroyed.
struct DestroyedRecord {
  std::uint32_t slot, generation;
  std::uint32_t version;
  std::uint32_t zero;
};
static_assert(sizeof(DestroyedRecord) == 16);

/// A shape whose places are noted (row: kNoRow), then its places.
struct VacantRecord {
  std::uint64_t shape;
  std::uint32_t row;
  std::uint32_t zero;
};
static_assert(sizeof(VacantRecord) == 16);

inline constexpr std::uint32_t kFileHistory = 1, kFileDestroyed = 2, kFileRows = 4;  // no side_by_side
inline constexpr core_detail::FlatFormat kHierarchyFormat = {{'J', 'U', 'X', 'T', 'A', 'T', 'H', '\n'},
                                                             2,
                                                             offsetof(HierarchyFileHeader, checksum),
                                                             "a hierarchy",
                                                             "build and save the hierarchy again"};

enum HierarchySection : std::size_t {
  kHierarchyTiles,      // TileRecord per tile in use, by ascending number
  kHierarchyHistory,    // TileHistory per tile in use, with kFileHistory
  kHierarchyFreeTiles,  // u32 numbers, the next to be used last
  kHierarchyDirty,      // u32 numbers
  kHierarchySlots,      // Slot
  kHierarchyLinks,      // LinkRecord
  kHierarchyKept,       // KeptRecord by ascending slot
  kHierarchyDestroyed,  // DestroyedRecord in the order of destruction, with kFileDestroyed
  kHierarchyVacant,     // VacantRecord by ascending shapes, places that are taken first last
  kHierarchySections
};

/// Where everything stands in the file of such a header.
struct HierarchyFileLayout : core_detail::FlatSections<kHierarchySections> {
  explicit HierarchyFileLayout(const HierarchyFileHeader& header) noexcept;
};

/// A header whose counts fit each other and the file. Errors: kCorruptFile.
[[nodiscard]] Result<HierarchyFileHeader> read_header(std::span<const std::byte> file);

/// Fills a fresh store, made with the options that the header says, after everything that a query or a
/// change relies on has been checked: the file may come from anyone. Errors: kCorruptFile; then the store may
/// be destroyed only.
[[nodiscard]] Result<void> read_hierarchy(std::span<const std::byte> file, HierarchyStore& store);
/// The part of it that takes what nodes keep, when names are there: living nodes that wait for propagate(),
/// each once. False: they are not.
[[nodiscard]] bool take_kept(std::span<const KeptRecord> records, HierarchyStore& store);
/// The part of it that takes destroyed nodes, when names are there: dead names, each generation once and
/// after those before it, by ascending versions that are not forgotten, up to the next one. False: they are
/// not.
[[nodiscard]] bool take_destroyed(std::span<const DestroyedRecord> records, const HierarchyFileHeader& header,
                                  HierarchyStore& store);
/// The part of it that takes vacancies, when tiles are there. What they say is looked at when a tree comes
/// (VacantRows). False: shapes do not ascend, or a row is in no tile.
[[nodiscard]] bool take_vacant(std::span<const VacantRecord> records, HierarchyStore& store);
/// How the hierarchy of a file keeps its nodes. Errors: kCorruptFile.
[[nodiscard]] Result<HierarchyOptions> options_of(std::span<const std::byte> file);

}  // namespace juxta::transform_detail
