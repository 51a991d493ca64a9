// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the flat arrays of RankedPoints, as every kernel sees them: built or mapped.
//
//   axis    value -> quantum (u16):  65,536 knots at quantiles, searched 16 at a time
//   lists   per cell of a dyadic grid with half-cell steps: its lowest-ranked points, in rank order
//   trees   all points in blocks of 32 along a curve, 16-ary nodes above; one of tall, one of flat blocks
//   levels  all points by rank in runs that double in length, each in the order of a grid's cells
//   categories  per category bit a tree and lists of its points; beside the tall tree, who has which bit
//   values  per column of numbers its quantiles, quanta beside the tall tree, and all points in its order
//   best    the most important points in rank order, with categories and quanta beside them
//
//   position = place in rank order (u32): the answer's order
//   index    = place in the input: the answer itself
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "juxta/ranked/column.h"
#include "ranked/block.h"
#include "ranked/values_view.h"

namespace juxta::ranked_detail {

// ---- Axis
// -----------------------------------------------------------------------------------------------------

inline constexpr std::size_t kMaxLevels = 4;
/// Where the knots of each search level begin: 16, then 256, 4,096, 65,536 of them.
inline constexpr std::array<std::size_t, kMaxLevels> kLevelBegin = {0, 16, 272, 4368};
[[nodiscard]] constexpr std::size_t quanta_of(std::uint32_t levels) noexcept {
  return std::size_t{1} << (4 * levels);
}

/// Equalises one axis. Quantum q holds the points with knot[q] <= value < knot[q + 1]; the last search level
/// holds all knots, each level above every 16th of the one below.
struct AxisView {
  const void* knots = nullptr;  // T[kLevelBegin[levels - 1] + quanta + 1]; the one behind the end is infinite
  // u8[quanta]: how much of the quantum its points fill, in 256ths of the way to the next knot, rounded up;
  // 0: all have the value of the knot; 255: unknown. It makes edges in gaps and on repeated values exact, and
  // is small enough to stay in cache, which the largest value of each quantum would not.
  const std::uint8_t* filled = nullptr;
  // u64[quanta]: which 64ths of the way to the next knot hold points. Asked only when a range lies in one or
  // two quanta: data in clumps has most of its axis empty, and most empty rectangles end here.
  const std::uint64_t* occupied = nullptr;
  // u16[quanta]: a value that repeats fills one quantum and leaves the next ones empty; the last of these.
  const std::uint16_t* run_end = nullptr;
  std::uint32_t levels = 1;

  template <class T>
  [[nodiscard]] const T* level(std::size_t l) const noexcept {
    return static_cast<const T*>(knots) + kLevelBegin[l];
  }
  /// No point of quantum q has a larger value. The same arithmetic builds and asks; NaN (an overflow) proves
  /// nothing.
  template <class T>
  [[nodiscard]] T highest_in(std::size_t q) const noexcept {
    const T* knot = level<T>(levels - 1) + q;
    return filled[q] == 0 ? knot[0] : highest_in(knot, filled[q]);
  }
  template <class T>
  [[nodiscard]] static T highest_in(const T* knot, std::uint32_t share) noexcept {
    return share == 255 ? std::numeric_limits<T>::infinity()
                        : knot[0] + (knot[1] - knot[0]) * static_cast<T>(share) * static_cast<T>(1.0 / 256);
  }
  /// The 64th that a value of quantum q lies in. Never falls while the value rises, whatever the rounding.
  template <class T>
  [[nodiscard]] static std::uint32_t slot_of(const T* knot, T value) noexcept {
    const T slot = (value - knot[0]) / (knot[1] - knot[0]) * static_cast<T>(64);
    return slot < static_cast<T>(63) ? static_cast<std::uint32_t>(slot) : 63;
  }
  /// Quanta are stored in the upper bits of u16, so that cells mean the same at any number of levels.
  [[nodiscard]] std::uint32_t shift() const noexcept { return 16 - 4 * levels; }
};

// ---- Lists
// ----------------------------------------------------------------------------------------------------

/// The grid of lists: cells are 2^(16-i) x 2^(16-j) quanta, at every half cell, for i + j <= depth.
///
///   half steps   0   1   2   3          cell c covers half steps c and c + 1:
///   cell 0      |-------|               2^(i+1) - 1 cells per axis,
///   cell 1          |-------|           and every range of at most half a cell
///   cell 2              |-------|       lies inside one of them
struct ListView {
  static constexpr std::size_t kMaxDepth = 15;

  /// One list: how many points it has, and whether these are all points of the cell.
  struct Length {
    std::uint32_t points : 31;
    std::uint32_t complete : 1;
  };

  const Block* blocks = nullptr;
  const Length* lengths = nullptr;
  std::int32_t depth = -1;         // -1: no lists
  std::uint32_t first_length = 0;  // of the one list of depth 0
  std::uint32_t base_length = 0;   // halved at every depth, down to kLeast
  std::uint32_t list_total = 0, block_total = 0;

  [[nodiscard]] static constexpr std::size_t cells(std::size_t i) noexcept {
    return (std::size_t{2} << i) - 1;
  }
  static constexpr std::uint32_t kLeast = 256;
  /// Points per list at depth d = i + j.
  [[nodiscard]] constexpr std::uint32_t capacity(std::size_t d) const noexcept {
    return d == 0 ? first_length : std::max(base_length >> d, kLeast);
  }
  /// First list, and first block, of every (i, j).
  std::array<std::array<std::uint32_t, kMaxDepth + 1>, kMaxDepth + 1> list_begin{}, block_begin{};

  [[nodiscard]] std::size_t blocks_per_list(std::size_t d) const noexcept { return capacity(d) / kBlockSize; }
};

// ---- Trees
// ----------------------------------------------------------------------------------------------------

struct TreeView {
  static constexpr std::size_t kMaxLevels = 8;
  const Block* leaves = nullptr;
  const Node* nodes = nullptr;  // level 0 (parents of leaves) first
  const Block* tops = nullptr;  // per level-0 node: the 32 lowest of its 512 points, ascending
  std::array<std::uint32_t, kMaxLevels> level_begin{};
  std::uint32_t levels = 0;  // 0: no points
  std::uint32_t leaf_count = 0;
};

[[nodiscard]] inline std::size_t tree_top_count(const TreeView& tree) noexcept {
  return (tree.leaf_count + kFanout - 1) / kFanout;
}
/// Nodes of all levels: the root stands last and alone.
[[nodiscard]] inline std::size_t tree_node_count(const TreeView& tree) noexcept {
  return tree.levels == 0 ? 0 : tree.level_begin[tree.levels - 1] + std::size_t{1};
}

// ---- Levels
// ---------------------------------------------------------------------------------------------------

/// All points by position in levels that double in size. Inside a level they stand in the order of the cells
/// of a grid, row by row, and inside a cell in the order of the tall tree:
///
///   positions  0 .... 4,096 .... 8,192 ........ 16,384 ................ n
///              level 0 | level 1 | level 2       | level 3
///
///   The points of level l are at the places [first(l), first(l + 1)), which are their positions too, in
///   another order; so a rectangle is one run of places per row of cells. Place p is lane p % 32 of block
///   p / 32, whose `name` is the position.
struct LevelsView {
  static constexpr std::size_t kMaxLevels = 24;
  static constexpr std::size_t kFirstSize = 4096;

  struct Level {
    std::uint32_t first = 0, last = 0;  // positions, and places
    std::uint32_t cell_begin = 0;       // in `cells`
    std::uint32_t x_bits = 0, y_bits = 0;
    [[nodiscard]] std::size_t cell_count() const noexcept { return std::size_t{1} << (x_bits + y_bits); }
    [[nodiscard]] std::size_t cell_of(std::size_t x, std::size_t y) const noexcept {
      return (y >> (16 - y_bits) << x_bits) + (x >> (16 - x_bits));
    }
  };

  /// The level that a position is in.
  [[nodiscard]] static constexpr std::size_t level_of(std::uint32_t position) noexcept {
    return static_cast<std::size_t>(std::bit_width(position / kFirstSize));
  }

  const Block* blocks = nullptr;
  const std::uint32_t* cells = nullptr;  // per level: the first place of each cell, row by row, and the end
  std::uint32_t levels = 0;
  std::uint32_t cell_total = 0;  // elements of `cells`
  std::array<Level, kMaxLevels> level{};
};

// ---- Grid
// -----------------------------------------------------------------------------------------------------

/// sums[j * (side + 1) + i]: how many points lie in the cells below i and below j, of side x side cells.
struct GridView {
  const std::uint32_t* sums = nullptr;
  std::uint32_t bits = 0;  // side = 2^bits

  [[nodiscard]] std::size_t side() const noexcept { return std::size_t{1} << bits; }
  /// Points in the cells [lx, hx) x [ly, hy).
  [[nodiscard]] std::size_t count(std::size_t lx, std::size_t ly, std::size_t hx,
                                  std::size_t hy) const noexcept {
    const std::size_t row = side() + 1;
    return std::size_t{sums[hy * row + hx]} - sums[hy * row + lx] - sums[ly * row + hx] + sums[ly * row + lx];
  }
};

// ---- Categories
// ----------------------------------------------------------------------------------------------------

struct RankedView;

/// Who is in which category. Bits that no point has are left out: "bit" here counts those that are used, from
/// the lowest on.
///
///   one bit asked      the set of its points: a tall tree and lists of their own
///   several bits       the tall tree of all points, with these beside it:
///
///     leaf i           leaf_bits[i * count + bit]   which of its 32 points have the bit
///     top block i      top_bits[i * count + bit]
///     child c of       node_masks[node * 16 + c]    which bits some point below it has
///     a node
struct CategoriesView {
  static constexpr std::size_t kMost = 64;
  std::uint64_t used = 0;  // the caller's bits
  const RankedView* subsets = nullptr;
  const std::uint32_t* leaf_bits = nullptr;
  const std::uint32_t* top_bits = nullptr;
  const std::uint64_t* node_masks = nullptr;

  [[nodiscard]] std::size_t count() const noexcept { return static_cast<std::size_t>(std::popcount(used)); }
};

// ---- All
// ------------------------------------------------------------------------------------------------------

/// Along which axis ranks rise or fall. Chooses between ways to the same answer.
enum class Gradient : std::uint32_t { kNone, kX, kY };

struct RankedView {
  std::size_t size = 0;
  // Of the points of one category: how many points there are in all. Its names are positions in the whole,
  // its axes and its grid are those of the whole; it has no levels, and the flat tree is the tall one. Else
  // 0.
  std::size_t whole_size = 0;
  double grid_share = 1;  // of the points that the grid counts: how many are in this set
  bool is_double = false;
  AxisView x_axis, y_axis;
  double bounds[4] = {1, 1, 0, 0};          // lx, ly, hx, hy
  const std::uint32_t* index_of = nullptr;  // position -> input index; null: they are the same
  const std::byte* xs = nullptr;            // by input index
  const std::byte* ys = nullptr;
  std::size_t x_stride = 0, y_stride = 0;
  const std::byte* ranks = nullptr;  // by input index, if they were kept
  ScalarType rank_type = ScalarType::kInt32;
  GridView grid;
  ListView lists;
  TreeView tall, flat;
  LevelsView levels;
  CategoriesView categories;
  ValuesView values;
  FilteredBlocks best;  // the first best_points() positions, where there are categories or values
  Gradient gradient = Gradient::kNone;

  [[nodiscard]] bool is_subset() const noexcept { return whole_size != 0; }
  /// Positions are below it.
  [[nodiscard]] std::size_t positions() const noexcept { return is_subset() ? whole_size : size; }

  /// Coordinates in our own layout: x and y of a point side by side.
  void set_coordinates(const std::byte* first, std::size_t scalar_bytes) noexcept {
    xs = first;
    ys = first + scalar_bytes;
    x_stride = y_stride = 2 * scalar_bytes;
  }
  [[nodiscard]] std::uint32_t index(std::uint32_t position) const noexcept {
    return index_of == nullptr ? position : index_of[position];
  }
};

}  // namespace juxta::ranked_detail
