// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "ranked/ranked_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "juxta/core/try.h"
#include "ranked/cursor.h"

namespace juxta::ranked_detail {
namespace {

/// Reads one file; every check names the section that failed. Without FileCheck::kWhole it looks only at
/// what could lead a query out of the file and the zeros behind it, or keep it from ending: knots, lengths of
/// lists, and where quanta of numbers begin. 1.3 MB of 487 at 10 million points. Names of points, nodes and
/// cells may then be anything.
class Reader {
 public:
  Reader(std::span<const std::byte> file, const FileHeader& header, const FileLayout& layout,
         FileCheck check) noexcept
      : file_(file),
        header_(header),
        layout_(layout),
        points_(header.points),
        whole_(check == FileCheck::kWhole) {}

  Result<RankedView> read() const {
    RankedView view;
    view.size = points_;
    view.is_double = header_.scalar_bytes == sizeof(double);
    std::memcpy(view.bounds, header_.bounds, sizeof view.bounds);
    view.x_axis = axis(kXKnots);
    view.y_axis = axis(kYKnots);
    view.index_of = header_.has_order != 0 ? at<std::uint32_t>(kIndexOf) : nullptr;
    view.set_coordinates(at<std::byte>(kCoordinates), header_.scalar_bytes);
    view.gradient = static_cast<Gradient>(header_.gradient);
    if (header_.rank_type != 0) {
      view.ranks = at<std::byte>(kRanks);
      view.rank_type = type_of(header_.rank_type);
    }
    view.grid = {at<std::uint32_t>(kGrid), grid_bits(points_)};
    view.lists = plan_lists(points_);
    view.lists.lengths = at<ListView::Length>(kListLengths);
    view.lists.blocks = at<Block>(kListBlocks);
    view.tall = tree(kTallNodes);
    view.flat = tree(kFlatNodes);
    view.levels = plan_levels(points_);
    view.levels.cells = at<std::uint32_t>(kLevelCells);
    view.levels.blocks = at<Block>(kLevelBlocks);
    const bool axes = view.is_double
                          ? axis_is_sound<double>(view.x_axis, 0) && axis_is_sound<double>(view.y_axis, 1)
                          : axis_is_sound<float>(view.x_axis, 0) && axis_is_sound<float>(view.y_axis, 1);
    if (!axes) {
      return kRankedFormat.corrupt("the quantiles are not in order", layout_.begin[kXKnots]);
    }
    if (view.index_of != nullptr && !all_below(view.index_of, points_)) {
      return kRankedFormat.corrupt("the rank order names points that do not exist", layout_.begin[kIndexOf]);
    }
    if (!lists_are_sound(view.lists)) {
      return kRankedFormat.corrupt("a list names points that do not exist", layout_.begin[kListBlocks]);
    }
    if (!tree_is_sound(view.tall, points_) || !tree_is_sound(view.flat, points_)) {
      return kRankedFormat.corrupt("a tree names points that do not exist", layout_.begin[kTallNodes]);
    }
    if (!levels_are_sound(view.levels)) {
      return kRankedFormat.corrupt("a level names points that it does not have", layout_.begin[kLevelCells]);
    }
    return view;
  }

  /// The set of each category, of so many points.
  Result<CategoriesView> read_categories(const RankedView& view, std::span<const std::uint32_t> counts,
                                         Array<RankedView>& subsets) const {
    CategoriesView categories;
    categories.used = header_.categories;
    subsets.resize_discard(counts.size());
    for (std::size_t bit = 0; bit < counts.size(); ++bit) {
      const CategoryPlace place = place_of(counts.first(bit));
      TreeView tree = plan_tree(counts[bit]);
      tree.nodes = at<Node>(kCategoryNodes) + place.nodes;
      tree.tops = at<Block>(kCategoryTops) + place.tops;
      tree.leaves = at<Block>(kCategoryLeaves) + place.leaves;
      ListView lists = plan_category_lists(counts[bit]);
      lists.lengths = at<ListView::Length>(kCategoryListLengths) + place.lengths;
      lists.blocks = at<Block>(kCategoryListBlocks) + place.blocks;
      if (!lists_are_sound(lists) || !tree_is_sound(tree, counts[bit])) {
        return kRankedFormat.corrupt("a category names points that do not exist",
                                     layout_.begin[kCategoryNodes]);
      }
      subsets[bit] = subset_view(view, counts[bit], tree, lists);
    }
    categories.subsets = subsets.data();
    categories.leaf_bits = at<std::uint32_t>(kLeafBits);
    categories.top_bits = at<std::uint32_t>(kTopBits);
    categories.node_masks = at<std::uint64_t>(kNodeMasks);
    return categories;
  }

  /// The best points, and the columns of numbers. Whatever quanta are, only the places of a run lead
  /// anywhere.
  Result<void> read_runs(RankedView& view) const {
    if (header_.categories != 0 || header_.value_columns() != 0) {
      view.best = blocks_at(kBest);
      const std::uint32_t count = best_points(points_);
      for (std::uint32_t p = 0; whole_ && p < (count + kBlockSize - 1) / kBlockSize * kBlockSize; ++p) {
        if (view.best.blocks[p / kBlockSize].name[p % kBlockSize] != (p < count ? p : kNoPoint)) {
          return kRankedFormat.corrupt("the best points are not in order", layout_.begin[kBest]);
        }
      }
    }
    ValuesView& values = view.values;
    values.count = header_.value_columns();
    values.quanta = value_quanta(points_);
    for (std::size_t i = 0; i < values.count; ++i) {
      JUXTA_TRY_LET(values.column[i], read_values(i, values.quanta));
    }
    return {};
  }

 private:
  template <class T>
  const T* at(Section section) const noexcept {
    return reinterpret_cast<const T*>(file_.data() + layout_.begin[section]);
  }

  AxisView axis(Section knots) const noexcept {
    AxisView view;
    view.levels = axis_levels(points_);
    view.knots = at<std::byte>(knots);
    view.filled = at<std::uint8_t>(static_cast<Section>(knots + 1));
    view.occupied = at<std::uint64_t>(static_cast<Section>(knots + 2));
    view.run_end = at<std::uint16_t>(static_cast<Section>(knots + 3));
    return view;
  }

  FilteredBlocks blocks_at(Section first) const noexcept {
    const auto next = [&](std::size_t i) { return static_cast<Section>(first + i); };
    return {at<Block>(first),
            {at<std::uint16_t>(next(1)), at<std::uint16_t>(next(2))},
            at<std::uint32_t>(next(3))};
  }

  Result<ValueView> read_values(std::size_t i, std::uint32_t quanta) const {
    ValueView column;
    column.type = type_of(header_.value_types[i]);
    column.numbers = at<std::byte>(section_of(i, kNumbers));
    column.knots = at<std::uint64_t>(section_of(i, kKnots));
    column.highest = at<std::uint64_t>(section_of(i, kHighest));
    column.begin = at<std::uint32_t>(section_of(i, kBegin));
    column.leaf_quanta = at<std::uint16_t>(section_of(i, kLeafQuanta));
    column.top_quanta = at<std::uint16_t>(section_of(i, kTopQuanta));
    column.bounds = at<ValueBounds>(section_of(i, kBounds));
    column.run = blocks_at(section_of(i, kRun));
    if (!std::is_sorted(column.begin, column.begin + quanta + 1) || column.begin[quanta] != points_) {
      return kRankedFormat.corrupt("the quantiles of a column of values make no sense",
                                   layout_.begin[section_of(i, kBegin)]);
    }
    if (!leaves_are_sound(column.run.blocks, points_, plan_tree(points_).leaf_count)) {
      return kRankedFormat.corrupt("a column of values names points that do not exist",
                                   layout_.begin[section_of(i, kRun)]);
    }
    return column;
  }

  TreeView tree(Section nodes) const noexcept {
    TreeView view = plan_tree(points_);
    view.nodes = at<Node>(nodes);
    view.tops = at<Block>(static_cast<Section>(nodes + 1));
    view.leaves = at<Block>(static_cast<Section>(nodes + 2));
    return view;
  }

  bool all_below(const std::uint32_t* names, std::size_t count) const noexcept {
    return !whole_ || count == 0 || highest_of(names, count) < points_;
  }

  /// Without a branch for each, so that compilers take several at once.
  static std::uint32_t highest_of(const std::uint32_t* names, std::size_t count) noexcept {
    std::uint32_t highest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      highest = std::max(highest, names[i]);
    }
    return highest;
  }

  /// The search of QuantumOf() stays inside its arrays when the levels agree, ascend and begin at the lower
  /// bound.
  template <class T>
  bool axis_is_sound(const AxisView& view, std::size_t bound) const noexcept {
    const T* finest = view.level<T>(view.levels - 1);
    const double low = header_.bounds[bound], high = header_.bounds[bound + 2];
    if (!(std::isfinite(low) && std::isfinite(high) && low <= high) ||
        static_cast<double>(finest[0]) != low || static_cast<double>(static_cast<T>(high)) != high) {
      return false;
    }
    const std::size_t quanta = quanta_of(view.levels);
    for (std::size_t q = 1; q <= quanta; ++q) {
      if (!(finest[q - 1] <= finest[q])) {
        return false;
      }
    }
    for (std::uint32_t l = 0; l + 1 < view.levels; ++l) {
      const std::size_t step = quanta / quanta_of(l + 1);
      for (std::size_t i = 0; i < quanta_of(l + 1); ++i) {
        if (view.level<T>(l)[i] != finest[i * step]) {
          return false;
        }
      }
    }
    return true;
  }

  bool lists_are_sound(const ListView& lists) const noexcept {
    for (std::uint32_t d = 0; static_cast<std::int32_t>(d) <= lists.depth; ++d) {
      for (std::uint32_t i = 0; i <= d; ++i) {
        const std::size_t count = ListView::cells(i) * ListView::cells(d - i),
                          blocks = lists.blocks_per_list(d);
        for (std::size_t c = 0; c < count; ++c) {
          const std::size_t points = lists.lengths[lists.list_begin[i][d - i] + c].points;
          const Block* block = lists.blocks + lists.block_begin[i][d - i] + c * blocks;
          if (points > blocks * kBlockSize || !blocks_are_sound(block, points)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  bool blocks_are_sound(const Block* blocks, std::size_t points) const noexcept {
    bool sound = true;
    for (std::size_t first = 0; whole_ && first < points; first += kBlockSize) {
      sound &= all_below(blocks[first / kBlockSize].name, std::min(kBlockSize, points - first));
    }
    return sound;
  }

  /// The blocks of `points` points; the places that are left over name none.
  bool leaves_are_sound(const Block* leaves, std::size_t points, std::size_t count) const noexcept {
    bool sound = blocks_are_sound(leaves, points);
    for (std::size_t i = points; whole_ && i < count * kBlockSize; ++i) {
      sound &= leaves[i / kBlockSize].name[i % kBlockSize] == kNoPoint;
    }
    return sound;
  }

  /// A tree of `points` points, whose names are places in the rank order of all.
  bool tree_is_sound(const TreeView& tree, std::size_t points) const noexcept {
    if (!whole_) {
      return true;
    }
    if (!leaves_are_sound(tree.leaves, points, tree.leaf_count)) {
      return false;
    }
    for (std::size_t n = 0; n < tree_top_count(tree); ++n) {
      for (const std::uint32_t name : tree.tops[n].name) {
        if (name >= points_ && name != kNoPoint) {
          return false;
        }
      }
    }
    // A child exists exactly when its lowest position is one of a point.
    bool sound = true;
    std::size_t below = tree.leaf_count;
    for (std::uint32_t l = 0; l < tree.levels; ++l) {
      const Node* const nodes = tree.nodes + tree.level_begin[l];
      for (std::size_t n = 0; n < below / kFanout; ++n) {
        sound &= highest_of(nodes[n].first, kFanout) < points_;
      }
      if (const std::size_t rest = below % kFanout; rest != 0) {
        const std::span<const std::uint32_t> first = nodes[below / kFanout].first;
        sound &= highest_of(first.data(), rest) < points_;
        sound &=
            std::ranges::all_of(first.subspan(rest), [](std::uint32_t name) { return name == kNoPoint; });
      }
      below = (below + kFanout - 1) / kFanout;
    }
    return sound;
  }

  /// Each level's cells cover its places, and its names are its own positions.
  bool levels_are_sound(const LevelsView& levels) const noexcept {
    for (std::uint32_t l = 0; whole_ && l < levels.levels; ++l) {
      const LevelsView::Level& level = levels.level[l];
      const std::uint32_t* const cells = levels.cells + level.cell_begin;
      const std::size_t count = level.cell_count();
      bool sound = cells[0] == level.first && cells[count] == level.last;
      for (std::size_t c = 0; c < count; ++c) {
        sound &= cells[c] <= cells[c + 1];
      }
      for (std::size_t place = level.first; place < level.last; ++place) {
        const std::uint32_t name = levels.blocks[place / kBlockSize].name[place % kBlockSize];
        sound &= level.first <= name && name < level.last;
      }
      if (!sound) {
        return false;
      }
    }
    return true;
  }

  std::span<const std::byte> file_;
  const FileHeader& header_;
  const FileLayout& layout_;
  std::size_t points_;
  bool whole_;
};

}  // namespace

Result<FileContents> view_file(std::span<const std::byte> file, FileCheck check) {
  JUXTA_TRY(kRankedFormat.check_head(file));
  FileHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  if (header.points > 0xFFFFFFFE || (header.scalar_bytes != 4 && header.scalar_bytes != 8) ||
      header.has_order > 1 || header.gradient > 2 || header.rank_type > 4 || header.value_types[0] > 4 ||
      header.value_types[1] > 4 || (header.value_types[0] == 0 && header.value_types[1] != 0) ||
      header.attachment_bytes > file.size()) {
    return kRankedFormat.corrupt("the counts in the header make no sense", offsetof(FileHeader, points));
  }
  const auto counts = std::span<const std::uint32_t>(header.category_points)
                          .first(static_cast<std::size_t>(std::popcount(header.categories)));
  if (std::ranges::any_of(counts, [&](std::uint32_t n) { return n == 0 || n > header.points; })) {
    return kRankedFormat.corrupt("a category has no points, or more than there are",
                                 offsetof(FileHeader, category_points));
  }
  // A category has two coordinates of 16 bits and a name for each of its points.
  const std::uint64_t members = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  if (!core_detail::may_hold(file, header.points, std::uint64_t{2} * header.scalar_bytes) ||
      !core_detail::may_hold(file, members, 2 * sizeof(std::uint16_t) + sizeof(std::uint32_t))) {
    return kRankedFormat.corrupt("the file has fewer bytes than the counts in its header ask for",
                                 offsetof(FileHeader, points));
  }
  const FileLayout layout(header);
  const std::uint64_t arrays_end = header.points == 0 ? core_detail::kHeaderBytes : layout.total;
  const auto bytes = static_cast<std::size_t>(header.attachment_bytes);
  const std::uint64_t body_end = arrays_end + core_detail::padded_to_section(bytes);
  JUXTA_TRY(kRankedFormat.check_sums(file, body_end));
  FileContents contents;
  contents.chunks =
      std::make_unique<core_detail::FileChunks>(kRankedFormat, file, static_cast<std::size_t>(body_end));
  if (check == FileCheck::kWhole) {
    JUXTA_TRY(contents.chunks->check_all());
    contents.chunks = nullptr;
  }
  contents.attachment = file.subspan(static_cast<std::size_t>(arrays_end), bytes);
  if (header.points != 0) {
    const Reader reader(file, header, layout, check);
    JUXTA_TRY_LET(contents.view, reader.read());
    JUXTA_TRY_LET(contents.categories, reader.read_categories(contents.view, counts, contents.subsets));
    JUXTA_TRY(reader.read_runs(contents.view));
  }
  return contents;
}

}  // namespace juxta::ranked_detail
