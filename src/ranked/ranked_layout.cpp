// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Where each section of a file of ranked points stands, by what its header says.

#include <bit>

#include "ranked/cursor.h"
#include "ranked/ranked_file.h"

namespace juxta::ranked_detail {

namespace {

/// In 64 bits: WebAssembly's std::size_t has 32.
constexpr std::uint64_t bytes_in(std::uint64_t count, std::uint64_t each) noexcept {
  return count * each;
}

}  // namespace

FileLayout::FileLayout(const FileHeader& header) noexcept {
  const std::size_t points = header.points;
  const std::uint64_t scalar_bytes = header.scalar_bytes, all = points;
  const std::uint32_t levels = axis_levels(points);
  const std::size_t quanta = quanta_of(levels), knots = kLevelBegin[levels - 1] + quanta + 1;
  const std::size_t side = (std::size_t{1} << grid_bits(points)) + 1;
  const TreeView tree = plan_tree(points);
  const ListView lists = plan_lists(points);
  bytes[kXKnots] = bytes[kYKnots] = knots * scalar_bytes;
  bytes[kXFilled] = bytes[kYFilled] = quanta;
  bytes[kXOccupied] = bytes[kYOccupied] = bytes_in(quanta, sizeof(std::uint64_t));
  bytes[kXRunEnd] = bytes[kYRunEnd] = bytes_in(quanta, sizeof(std::uint16_t));
  bytes[kIndexOf] = header.has_order != 0 ? bytes_in(points, sizeof(std::uint32_t)) : 0;
  bytes[kCoordinates] = 2 * all * scalar_bytes;
  bytes[kGrid] = bytes_in(side * side, sizeof(std::uint32_t));
  bytes[kListLengths] = bytes_in(lists.list_total, sizeof(ListView::Length));
  bytes[kListBlocks] = bytes_in(lists.block_total, sizeof(Block));
  bytes[kTallNodes] = bytes[kFlatNodes] = bytes_in(tree_node_count(tree), sizeof(Node));
  bytes[kTallTops] = bytes[kFlatTops] = bytes_in(tree_top_count(tree), sizeof(Block));
  bytes[kTallLeaves] = bytes[kFlatLeaves] = bytes_in(tree.leaf_count, sizeof(Block));
  bytes[kLevelCells] = bytes_in(plan_levels(points).cell_total, sizeof(std::uint32_t));
  bytes[kLevelBlocks] = bytes_in(tree.leaf_count, sizeof(Block));
  const auto categories = static_cast<std::size_t>(std::popcount(header.categories));
  const CategoryPlace end =
      place_of(std::span<const std::uint32_t>(header.category_points).first(categories));
  bytes[kCategoryNodes] = bytes_in(end.nodes, sizeof(Node));
  bytes[kCategoryTops] = bytes_in(end.tops, sizeof(Block));
  bytes[kCategoryLeaves] = bytes_in(end.leaves, sizeof(Block));
  bytes[kCategoryListLengths] = bytes_in(end.lengths, sizeof(ListView::Length));
  bytes[kCategoryListBlocks] = bytes_in(end.blocks, sizeof(Block));
  bytes[kNodeMasks] = categories == 0 ? 0 : bytes_in(tree_node_count(tree), kFanout * sizeof(std::uint64_t));
  bytes[kTopBits] = bytes_in(tree_top_count(tree), categories * sizeof(std::uint32_t));
  bytes[kLeafBits] = bytes_in(tree.leaf_count, categories * sizeof(std::uint32_t));
  bytes[kRanks] = header.rank_type == 0 ? 0 : bytes_in(points, bytes_of(type_of(header.rank_type)));
  add_runs(header, categories);
  place();
}

void FileLayout::add_runs(const FileHeader& header, std::size_t categories) noexcept {
  const std::size_t points = header.points, quanta = value_quanta(points);
  const TreeView tree = plan_tree(points);
  if (categories != 0 || header.value_columns() != 0) {
    add_blocks(kBest, best_points(points), header);
  }
  for (std::size_t i = 0; i < header.value_columns(); ++i) {
    std::uint64_t* const own = bytes.data() + section_of(i, kNumbers);
    own[kNumbers] = bytes_in(points, bytes_of(type_of(header.value_types[i])));
    own[kKnots] = own[kHighest] = bytes_in(quanta, sizeof(std::uint64_t));
    own[kBegin] = bytes_in(quanta + 1, sizeof(std::uint32_t));
    own[kLeafQuanta] = bytes_in(tree.leaf_count, kBlockSize * sizeof(std::uint16_t));
    own[kTopQuanta] = bytes_in(tree_top_count(tree), kBlockSize * sizeof(std::uint16_t));
    own[kBounds] = bytes_in(tree_node_count(tree), sizeof(ValueBounds));
    add_blocks(section_of(i, kRun), points, header);
  }
}

/// The four sections of FilteredBlocks.
void FileLayout::add_blocks(std::size_t section, std::size_t points, const FileHeader& header) noexcept {
  const std::size_t blocks = (points + kBlockSize - 1) / kBlockSize;
  bytes[section] = bytes_in(blocks, sizeof(Block));
  for (std::size_t i = 0; i < header.value_columns(); ++i) {
    bytes[section + 1 + i] = bytes_in(blocks, kBlockSize * sizeof(std::uint16_t));
  }
  bytes[section + 3] =
      bytes_in(blocks, static_cast<std::size_t>(std::popcount(header.categories)) * sizeof(std::uint32_t));
}

}  // namespace juxta::ranked_detail
