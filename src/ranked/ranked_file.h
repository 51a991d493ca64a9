// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the flat file of RankedPoints. docs/formats/ranked_points.md describes it for other readers.
//
//   4,096 B header | sections in the order of Section | the caller's attachment
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/flat_file.h"
#include "juxta/core/error.h"
#include "ranked/ranked_view.h"

namespace juxta::ranked_detail {

inline constexpr std::array<char, 8> kFileMagic = {'J', 'U', 'X', 'T', 'A', 'R', 'P', '\n'};
inline constexpr std::uint32_t kFileVersion = 2;

struct FileHeader {
  std::array<char, 8> magic;
  std::uint32_t version, byte_order;
  std::uint64_t points;
  std::uint32_t scalar_bytes;  // of a coordinate: 4 or 8
  std::uint32_t has_order;     // 1: ranks did not ascend, index_of is present
  std::uint32_t gradient;      // Gradient
  std::uint32_t unused;        // 0
  double bounds[4];
  std::uint64_t checksum;  // of the whole file, this field taken as 0
  std::uint64_t attachment_bytes;
};

inline constexpr core_detail::FlatFormat kRankedFormat = {kFileMagic, kFileVersion,
                                                          offsetof(FileHeader, checksum), "ranked points",
                                                          "build and save the points again"};

enum Section : std::size_t {
  kXKnots,
  kXFilled,
  kXOccupied,
  kXRunEnd,
  kYKnots,
  kYFilled,
  kYOccupied,
  kYRunEnd,
  kIndexOf,
  kCoordinates,
  kGrid,
  kListLengths,
  kListBlocks,
  kTallNodes,
  kTallTops,
  kTallLeaves,
  kFlatNodes,
  kFlatTops,
  kFlatLeaves,
  kLevelCells,
  kLevelBlocks,
  kSections
};

/// Where everything stands in a file of so many points.
struct FileLayout : core_detail::FlatSections<kSections> {
  FileLayout(std::size_t points, std::size_t scalar_bytes, bool has_order) noexcept;
};

/// What a mapped file holds.
struct FileContents {
  RankedView view;
  std::span<const std::byte> attachment;
};

/// The contents of a mapped file, after everything that a query relies on has been checked. Errors:
/// kCorruptFile.
[[nodiscard]] Result<FileContents> view_file(std::span<const std::byte> file);

/// How many search levels an axis of so many points has, and the shape of a tree and a grid: pure functions,
/// so that builder and reader agree.
[[nodiscard]] std::uint32_t axis_levels(std::size_t points) noexcept;
[[nodiscard]] TreeView plan_tree(std::size_t points) noexcept;
[[nodiscard]] std::uint32_t grid_bits(std::size_t points) noexcept;
[[nodiscard]] ListView plan_lists(std::size_t points) noexcept;
[[nodiscard]] LevelsView plan_levels(std::size_t points) noexcept;

}  // namespace juxta::ranked_detail
