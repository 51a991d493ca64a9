// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the flat file of RankedPoints. docs/formats/ranked_points.md describes it for other readers.
//
//   4,096 B header | sections in the order of Section | the caller's attachment | sums of 64 KiB each
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/chunked_file.h"
#include "juxta/core/array.h"
#include "juxta/core/error.h"
#include "juxta/ranked/ranked_points.h"
#include "ranked/ranked_view.h"

namespace juxta::ranked_detail {

inline constexpr std::array<char, 8> kFileMagic = {'J', 'U', 'X', 'T', 'A', 'R', 'P', '\n'};
inline constexpr std::uint32_t kFileVersion = 5;

struct FileHeader {
  std::array<char, 8> magic;
  std::uint32_t version, byte_order;
  std::uint64_t points;
  std::uint32_t scalar_bytes;  // of a coordinate: 4 or 8
  std::uint32_t has_order;     // 1: ranks did not ascend, index_of is present
  std::uint32_t gradient;      // Gradient
  std::uint32_t rank_type;     // 0: ranks are not kept; else 1 + ScalarType
  double bounds[4];
  std::uint64_t checksum;  // of the header, this field taken as 0, and of the sums
  std::uint64_t attachment_bytes;
  std::uint64_t categories;                              // the bits that some point has
  std::uint32_t category_points[CategoriesView::kMost];  // of each of these bits, from the lowest on
  std::uint32_t value_types[kMostValues];                // 0: there is no such column; else 1 + ScalarType

  [[nodiscard]] std::uint32_t value_columns() const noexcept {
    return value_types[0] == 0 ? 0 : value_types[1] == 0 ? 1 : 2;
  }
};

inline constexpr core_detail::ChunkedFormat kRankedFormat = {{kFileMagic, kFileVersion,
                                                              offsetof(FileHeader, checksum), "ranked points",
                                                              "build and save the points again"}};

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
  kCategoryNodes,
  kCategoryTops,
  kCategoryLeaves,
  kCategoryListLengths,
  kCategoryListBlocks,
  kNodeMasks,
  kTopBits,
  kLeafBits,
  kRanks,
  kBest,  // where there are categories or values; the sections of FilteredBlocks
  kBestQuanta,
  kBestQuantaOfSecond,
  kBestBits,
  kValues,  // of each column these, in the order of ValueSection
  kSections = kValues + 11 * kMostValues
};
enum ValueSection : std::size_t {
  kNumbers,
  kKnots,
  kHighest,
  kBegin,
  kLeafQuanta,
  kTopQuanta,
  kBounds,
  kRun,  // the sections of FilteredBlocks
  kRunQuanta,
  kRunQuantaOfSecond,
  kRunBits,
  kValueSections
};
static_assert(kSections == kValues + kValueSections * kMostValues);
[[nodiscard]] constexpr Section section_of(std::size_t column, ValueSection section) noexcept {
  return static_cast<Section>(kValues + column * kValueSections + section);
}

/// Of a header's field that is not 0.
[[nodiscard]] constexpr ScalarType type_of(std::uint32_t field) noexcept {
  return static_cast<ScalarType>(field - 1);
}

/// Where everything stands in a file of so many points, of which so many are in each category.
struct FileLayout : core_detail::FlatSections<kSections> {
  explicit FileLayout(const FileHeader& header) noexcept;

 private:
  void add_runs(const FileHeader& header, std::size_t categories) noexcept;
  void add_blocks(std::size_t section, std::size_t points, const FileHeader& header) noexcept;
};

/// What a mapped file holds. `view` has no categories yet: their sets are to be kept by its owner.
struct FileContents {
  RankedView view;
  CategoriesView categories;
  Array<RankedView> subsets;
  std::span<const std::byte> attachment;
  std::unique_ptr<core_detail::FileChunks> chunks;  // of FileCheck::kAsRead; else null
};

/// What a search may read behind a mapped file whose names were not checked: the coordinates of any u32.
/// More than there is where addresses have 32 bits.
inline constexpr std::size_t kReachOfNames = sizeof(std::size_t) > 4
                                                 ? static_cast<std::size_t>((std::uint64_t{1} << 32) * 2 *
                                                                            sizeof(double))
                                                 : SIZE_MAX;

/// The contents of a mapped file, after everything that a query relies on has been checked; or only what
/// leads a search to places, and not the names of points, for a file with kReachOfNames zeros behind it.
/// Errors: kCorruptFile.
[[nodiscard]] Result<FileContents> view_file(std::span<const std::byte> file, FileCheck check);

/// How many search levels an axis of so many points has, and the shape of a tree and a grid: pure functions,
/// so that builder and reader agree.
[[nodiscard]] std::uint32_t axis_levels(std::size_t points) noexcept;
[[nodiscard]] TreeView plan_tree(std::size_t points) noexcept;
[[nodiscard]] std::uint32_t grid_bits(std::size_t points) noexcept;
[[nodiscard]] ListView plan_lists(std::size_t points) noexcept;
[[nodiscard]] LevelsView plan_levels(std::size_t points) noexcept;

/// The lists of a category with so many points: cells of all shapes down to the depth at which they would
/// take more than a byte a point. Depth -1: none, because the tree is one node.
[[nodiscard]] ListView plan_category_lists(std::size_t points) noexcept;
/// Where the arrays of a category begin, behind those of the categories before it.
struct CategoryPlace {
  std::size_t leaves = 0, tops = 0, nodes = 0, lengths = 0, blocks = 0;
};
/// Behind categories of so many points each.
[[nodiscard]] CategoryPlace place_of(std::span<const std::uint32_t> counts) noexcept;
/// The points of one category as a set.
[[nodiscard]] RankedView subset_view(const RankedView& whole, std::size_t points, const TreeView& tree,
                                     const ListView& lists) noexcept;
/// The bits of `mask` that are in `used`, moved together: the i-th of them becomes bit i.
[[nodiscard]] std::uint64_t compact_bits(std::uint64_t mask, std::uint64_t used) noexcept;

}  // namespace juxta::ranked_detail
