// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Where each section of a file of ranked points stands, by what its header says.

#include <bit>

#include "ranked/cursor.h"
#include "ranked/ranked_file.h"

namespace juxta::ranked_detail {

FileLayout::FileLayout(const FileHeader& header) noexcept {
  const std::size_t points = header.points, scalar_bytes = header.scalar_bytes;
  const std::uint32_t levels = axis_levels(points);
  const std::size_t quanta = quanta_of(levels), knots = kLevelBegin[levels - 1] + quanta + 1;
  const std::size_t side = (std::size_t{1} << grid_bits(points)) + 1;
  const TreeView tree = plan_tree(points);
  const ListView lists = plan_lists(points);
  bytes[kXKnots] = bytes[kYKnots] = knots * scalar_bytes;
  bytes[kXFilled] = bytes[kYFilled] = quanta;
  bytes[kXOccupied] = bytes[kYOccupied] = quanta * sizeof(std::uint64_t);
  bytes[kXRunEnd] = bytes[kYRunEnd] = quanta * sizeof(std::uint16_t);
  bytes[kIndexOf] = header.has_order != 0 ? points * sizeof(std::uint32_t) : 0;
  bytes[kCoordinates] = 2 * points * scalar_bytes;
  bytes[kGrid] = side * side * sizeof(std::uint32_t);
  bytes[kListLengths] = lists.list_total * sizeof(ListView::Length);
  bytes[kListBlocks] = lists.block_total * sizeof(Block);
  bytes[kTallNodes] = bytes[kFlatNodes] = tree_node_count(tree) * sizeof(Node);
  bytes[kTallTops] = bytes[kFlatTops] = tree_top_count(tree) * sizeof(Block);
  bytes[kTallLeaves] = bytes[kFlatLeaves] = tree.leaf_count * sizeof(Block);
  bytes[kLevelCells] = plan_levels(points).cell_total * sizeof(std::uint32_t);
  bytes[kLevelBlocks] = tree.leaf_count * sizeof(Block);
  const auto categories = static_cast<std::size_t>(std::popcount(header.categories));
  const CategoryPlace end =
      place_of(std::span<const std::uint32_t>(header.category_points).first(categories));
  bytes[kCategoryNodes] = end.nodes * sizeof(Node);
  bytes[kCategoryTops] = end.tops * sizeof(Block);
  bytes[kCategoryLeaves] = end.leaves * sizeof(Block);
  bytes[kCategoryListLengths] = end.lengths * sizeof(ListView::Length);
  bytes[kCategoryListBlocks] = end.blocks * sizeof(Block);
  bytes[kNodeMasks] = categories == 0 ? 0 : tree_node_count(tree) * kFanout * sizeof(std::uint64_t);
  bytes[kTopBits] = tree_top_count(tree) * categories * sizeof(std::uint32_t);
  bytes[kLeafBits] = tree.leaf_count * categories * sizeof(std::uint32_t);
  bytes[kRanks] = header.rank_type == 0 ? 0 : points * bytes_of(type_of(header.rank_type));
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
    std::size_t* const own = bytes.data() + section_of(i, kNumbers);
    own[kNumbers] = points * bytes_of(type_of(header.value_types[i]));
    own[kKnots] = own[kHighest] = quanta * sizeof(std::uint64_t);
    own[kBegin] = (quanta + 1) * sizeof(std::uint32_t);
    own[kLeafQuanta] = tree.leaf_count * kBlockSize * sizeof(std::uint16_t);
    own[kTopQuanta] = tree_top_count(tree) * kBlockSize * sizeof(std::uint16_t);
    own[kBounds] = tree_node_count(tree) * sizeof(ValueBounds);
    add_blocks(section_of(i, kRun), points, header);
  }
}

/// The four sections of FilteredBlocks.
void FileLayout::add_blocks(std::size_t section, std::size_t points, const FileHeader& header) noexcept {
  const std::size_t blocks = (points + kBlockSize - 1) / kBlockSize;
  bytes[section] = blocks * sizeof(Block);
  for (std::size_t i = 0; i < header.value_columns(); ++i) {
    bytes[section + 1 + i] = blocks * kBlockSize * sizeof(std::uint16_t);
  }
  bytes[section + 3] =
      blocks * static_cast<std::size_t>(std::popcount(header.categories)) * sizeof(std::uint32_t);
}

}  // namespace juxta::ranked_detail
