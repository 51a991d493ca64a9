// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: 1024 rows of nodes, column by column.
//
//   a block: some whole trees, breadth first      r0 r1 r2 | c c c c c c | g g g g g | end
//   first_child[row]                               the row where its children begin; those of rows [a, b) are
//                                                  the rows [first_child[a], first_child[b])
//   `end`, a row without a node, closes the last range and keeps runs of rows from reaching into the next
//   block
//
// A row that is `linked` has its parent elsewhere: it is a root, or was created under or moved to another
// parent. It may stand inside a child range (of its former parent); ranges therefore leave out rows that are
// linked, and rows whose node is gone. Everything in a tile flows from lower rows to higher ones.
//
// A tile of lanes holds trees of one shape by eights instead, node by node:
//
//   a block: eight trees      r0 .. r7 | a0 .. a7 | b0 .. b7 | ...      a group is eight rows, one of each
//   tree first_group, last_group   the groups of a group's children: those of row 8 * g + lane are the rows
//                             8 * c + lane of the groups c in [first_group(g), last_group(g))
//
// so that a lane's parent stands in the same lane of an earlier group, and a register holds a number of
// eight. Sixteen rows of such a tile are rows like all others, or *turned*: a number at a time. Whoever
// computes all of them leaves them turned, without a shuffle. One row among them would then be four cache
// lines instead of one: where few nodes move, they become rows, and where many do, they are turned again.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "juxta/math/qvvs.h"
#include "transform/lane_tree.h"
#include "transform/row_mask.h"

namespace juxta::transform_detail {

/// A row of the whole hierarchy: tile * kTileRows + row of the tile.
using Row = std::uint32_t;
inline constexpr Row kNoRow = ~Row{0};

/// Rotation, position and scale of a world transform: what children need of it.
using HotWorld = LocalTransform;

/// The rest of a world transform.
struct Cold {
  Vec3 stretch{1, 1, 1};
  std::int32_t context = 0;
};

/// What rows take from a parent in another tile.
struct Frame {
  HotWorld world;
  Vec3 stretch{1, 1, 1};
};

/// In Tile::parent of a row that is not linked, but in tiles of lanes, whose groups say it: the row of its
/// parent in the tile, and whether that is stretched.
inline constexpr std::uint32_t kParentRow = kTileRows - 1;
inline constexpr std::uint32_t kParentStretched = std::uint32_t{1} << 31;

/// Which of 64 rows changed last, and when. Rows outside `mask` have theirs in Tile::row_version(), none of
/// which is above `before`: where all rows change again and again, no row's own version is ever written.
struct Change {
  std::uint64_t mask = 0;
  std::uint32_t version = 0;
  std::uint32_t before = 0;
};

/// World transforms of the last two steps; allocated beside a tile when history is kept.
struct TileHistory {
  std::array<std::array<Qvvs, kTileRows>, 2> steps;
};

/// The transforms of a group, turned: sixteen bytes of each row come from two cache lines.
struct alignas(64) GroupTransforms {
  float qx[kGroupRows], qy[kGroupRows], qz[kGroupRows], qw[kGroupRows];
  float x[kGroupRows], y[kGroupRows], z[kGroupRows], scale[kGroupRows];

  [[nodiscard]] LocalTransform get(std::uint32_t lane) const noexcept {
    return {{qx[lane], qy[lane], qz[lane], qw[lane]}, {x[lane], y[lane], z[lane]}, scale[lane]};
  }
  void put(std::uint32_t lane, const LocalTransform& t) noexcept {
    put_rotation(lane, t.rotation);
    put_place(lane, t.position, t.scale);
  }
  void put_rotation(std::uint32_t lane, Quat q) noexcept {
    qx[lane] = q.x;
    qy[lane] = q.y;
    qz[lane] = q.z;
    qw[lane] = q.w;
  }
  void put_place(std::uint32_t lane, Vec3 position, float size) noexcept {
    x[lane] = position.x;
    y[lane] = position.y;
    z[lane] = position.z;
    scale[lane] = size;
  }
};

/// Local or world transforms of a tile. Tile::local_turned and world_turned say what stands where.
class TransformColumn {
 public:
  TransformColumn() noexcept {}  // NOLINT(modernize-use-equals-default): a new tile costs what is used of it
  [[nodiscard]] LocalTransform* rows() noexcept { return rows_; }
  [[nodiscard]] const LocalTransform* rows() const noexcept { return rows_; }
  [[nodiscard]] GroupTransforms& group(std::uint32_t g) noexcept { return groups_[g]; }
  [[nodiscard]] const GroupTransforms& group(std::uint32_t g) const noexcept { return groups_[g]; }

 private:
  union {
    LocalTransform rows_[kTileRows];
    GroupTransforms groups_[kTileGroups];
  };
};
static_assert(sizeof(TransformColumn) == kTileRows * sizeof(LocalTransform));

/// Which sixteens of rows are turned: bit i for the rows 16 i to 16 i + 15. Only the task that has the tile
/// changes any. Others may ask for those of rows that stay as they are, and get the word at any moment.
class Turned {
 public:
  [[nodiscard]] std::uint64_t bits() const noexcept {
    return std::atomic_ref(bits_).load(std::memory_order_relaxed);
  }
  void put(std::uint64_t bits) noexcept { std::atomic_ref(bits_).store(bits, std::memory_order_relaxed); }

 private:
  mutable std::uint64_t bits_ = 0;  // atomic_ref takes no constants before C++26
};
inline constexpr std::uint32_t kTurnedRows = 16;
static_assert(kTileRows / kTurnedRows == 64);

/// Values without a constructor's touch: a new tile costs the memory that is used, not all of it.
template <class T>
class RawColumn {
 public:
  RawColumn() noexcept {}  // NOLINT(modernize-use-equals-default): rows_ stays as it is
  [[nodiscard]] T& operator[](std::size_t row) noexcept { return rows_[row]; }
  [[nodiscard]] const T& operator[](std::size_t row) const noexcept { return rows_[row]; }
  [[nodiscard]] T* data() noexcept { return rows_; }
  [[nodiscard]] const T* data() const noexcept { return rows_; }

 private:
  union {
    T rows_[kTileRows];
  };
};

/// What few rows are; in most tiles, none is.
enum class Rare : std::uint8_t {
  kDeferred,   // linked, and its parent's world is known only after an earlier round
  kSpecial,    // has inheritance flags
  kStretched,  // its own stretch is not 1
  kContexts,   // its context is not 0
  kHasLinks,   // children are linked to it
};
inline constexpr std::size_t kRareMasks = 5;
inline constexpr RowMask kNoRows{};

struct alignas(64) Tile {
  std::uint32_t used = 0;     // rows below are in blocks
  std::uint32_t nodes = 0;    // alive
  std::uint32_t hung = 0;     // of them, linked to a parent
  std::uint32_t version = 0;  // of the last change in the tile
  /// Of HierarchyStore::open: the rows below have their child ranges; that of the last of them is still open.
  std::uint32_t open_parents = 0;
  bool dirty = false;          // stands in HierarchyStore::dirty
  bool lanes = false;          // a tile of lanes
  std::uint8_t step = 0;       // which of TileHistory::steps is the previous one
  std::uint8_t steps_due = 0;  // steps until both of them equal the world
  std::uint8_t in_use = 0;     // bit of each Rare: its mask may have bits, and is to be read
  Turned local_turned, world_turned;
  TileHistory* history = nullptr;
  /// By row: the first link of the children that are linked to it, where has_links says that there is one.
  /// Few tiles have any: see HierarchyStore::need_first_links().
  std::uint32_t* first_link = nullptr;

  alignas(64) RowMask live;  // holds a node
  RowMask linked;            // Tile::parent is a link (0: a root)
  RowMask pending;           // written since the last propagation
  RowMask
      written;  // its local transform was: that decides, whatever the flags keep (new nodes and special ones)
  std::array<Change, kTileWords> changes;
  std::array<RowMask, kRareMasks> rare;  // see mask_of()

  alignas(64) TransformColumn world;
  TransformColumn local;
  RawColumn<Cold> cold;
  std::array<std::uint32_t, kTileRows> parent;  // a link when linked; see kParentStretched and parent_row()
  std::array<std::uint32_t, kTileRows> slot;    // of the node's Id
  std::array<std::uint32_t, kTileRows> row_versions;  // see Change and row_version()
  std::array<std::uint16_t, kTileRows> flags;         // Inherit, and tags
  union {
    std::array<std::uint16_t, kTileRows + 1> first_child;  // by row
    LaneTree lane_tree;                                    // in a tile of lanes
  };

  /// The rows that are `what`. Where that was never so of any, nothing is read but `in_use`.
  [[nodiscard]] const RowMask& mask_of(Rare what) const noexcept {
    return ever(what) ? rare[static_cast<std::size_t>(what)] : kNoRows;
  }
  [[nodiscard]] bool ever(Rare what) const noexcept {
    return (in_use >> static_cast<unsigned>(what) & 1) != 0;
  }
  [[nodiscard]] bool has_any(Rare what) const noexcept {
    const RowMask& mask = mask_of(what);
    return &mask != &kNoRows && mask.any();
  }
  [[nodiscard]] const RowMask& deferred() const noexcept { return mask_of(Rare::kDeferred); }
  [[nodiscard]] const RowMask& special() const noexcept { return mask_of(Rare::kSpecial); }
  [[nodiscard]] const RowMask& stretched() const noexcept { return mask_of(Rare::kStretched); }
  [[nodiscard]] const RowMask& contexts() const noexcept { return mask_of(Rare::kContexts); }
  [[nodiscard]] const RowMask& has_links() const noexcept { return mask_of(Rare::kHasLinks); }
  void set(Rare what, std::uint32_t row) noexcept {
    in_use |= static_cast<std::uint8_t>(1U << static_cast<unsigned>(what));
    rare[static_cast<std::size_t>(what)].set(row);
  }
  void clear(Rare what, std::uint32_t row) noexcept { clear(what, row / 64, std::uint64_t{1} << row % 64); }
  /// The rows of `bits` in a word.
  void clear(Rare what, std::uint32_t word, std::uint64_t bits) noexcept {
    if (mask_of(what).words[word] != 0) {
      rare[static_cast<std::size_t>(what)].words[word] &= ~bits;
    }
  }
  void put(Rare what, std::uint32_t row, bool value) noexcept { value ? set(what, row) : clear(what, row); }
  /// Rows of a word lose their nodes.
  void vacate(std::uint32_t word, std::uint64_t rows) noexcept {
    if (const std::uint64_t differ = rows & (pending.words[word] | special().words[word]); differ != 0) {
      pending.words[word] &= ~rows;
      clear(Rare::kSpecial, word, rows);
      if (lanes) {
        lane_tree.forget(word, differ);  // what they hold need not be what the others have
      }
    }
    live.words[word] &= ~rows;
  }

  /// Something that readers see at once was written (a stretch, a context, the world transform of a row whose
  /// user writes it): the next two steps are to note it.
  void show() noexcept { steps_due = history != nullptr ? std::uint8_t{2} : steps_due; }
  [[nodiscard]] bool is_root(std::uint32_t row) const noexcept {
    return linked.test(row) && parent[row] == 0;
  }
  [[nodiscard]] Vec3 stretch_of(std::uint32_t row) const noexcept {
    return stretched().test(row) ? cold[row].stretch : Vec3{1, 1, 1};
  }
  void put_context(std::uint32_t row, std::int32_t context) noexcept {
    cold[row].context = context;
    put(Rare::kContexts, row, context != 0);
  }
  [[nodiscard]] static bool has_turned(std::uint64_t turned, std::uint32_t row) noexcept {
    return (turned >> row / kTurnedRows & 1) != 0;
  }
  [[nodiscard]] LocalTransform local_at(std::uint32_t row) const noexcept {
    return at(local, local_turned.bits(), row);
  }
  [[nodiscard]] HotWorld world_at(std::uint32_t row) const noexcept {
    return at(world, world_turned.bits(), row);
  }
  void put_local(std::uint32_t row, const LocalTransform& value) noexcept {
    put(local, local_turned.bits(), row, value);
  }
  void put_world(std::uint32_t row, const HotWorld& value) noexcept {
    put(world, world_turned.bits(), row, value);
  }
  void put_position(std::uint32_t row, Vec3 position) noexcept {
    if (has_turned(local_turned.bits(), row)) {
      GroupTransforms& group = local.group(row / kGroupRows);
      group.put_place(row % kGroupRows, position, group.scale[row % kGroupRows]);
    } else {
      local.rows()[row].position = position;
    }
  }
  [[nodiscard]] Qvvs world_of(std::uint32_t row) const noexcept {
    const HotWorld hot = world_at(row);
    return {hot.rotation, hot.position, cold[row].context, cold[row].stretch, hot.scale};
  }
  [[nodiscard]] std::uint32_t version_of(std::uint32_t row) const noexcept {
    const Change& change = changes[row / 64];
    return (change.mask >> row % 64 & 1) != 0 ? change.version : row_version(row);
  }
  [[nodiscard]] std::uint32_t& row_version(std::uint32_t row) noexcept {
    return row_versions[place_of_version(row)];
  }
  [[nodiscard]] std::uint32_t row_version(std::uint32_t row) const noexcept {
    return row_versions[place_of_version(row)];
  }
  /// Those of one tree stand together, lane by lane: where a tree moves alone, they are a line or two.
  [[nodiscard]] std::uint32_t place_of_version(std::uint32_t row) const noexcept {
    return lanes ? row % kGroupRows * kTileGroups + row / kGroupRows : row;
  }
  /// The rows [first, last) of the tile that follow in it from these parents: alive, not linked.
  [[nodiscard]] std::uint64_t followers(std::uint32_t word) const noexcept {
    return live.words[word] & ~linked.words[word];
  }
  /// Of a tile without rows.
  void become_lanes() noexcept {
    lanes = true;
    local_turned.put(~std::uint64_t{0});
    world_turned.put(~std::uint64_t{0});
    ::new (&lane_tree) LaneTree;
    lane_tree.alike.fill(kWritten);
  }
  /// Nothing is known of the groups of written rows (LaneTree::alike).
  void forget_written(MaskWords words = {}) noexcept {
    for (std::uint32_t w = words.first; w < words.last && lanes; ++w) {
      if (pending.words[w] != 0) {
        lane_tree.forget(w, pending.words[w]);
      }
    }
  }
  /// The parent of a row that is not linked.
  [[nodiscard]] std::uint32_t parent_row(std::uint32_t row) const noexcept {
    return lanes ? group_above(row / kGroupRows) * kGroupRows + row % kGroupRows : parent[row] & kParentRow;
  }
  /// In a tile of lanes: the children of a group are the groups [first_group(), last_group()).
  [[nodiscard]] std::uint32_t first_group(std::uint32_t group) const noexcept {
    return lane_tree.children[std::size_t{2} * group];
  }
  [[nodiscard]] std::uint32_t last_group(std::uint32_t group) const noexcept {
    return lane_tree.children[2 * group + 1];
  }
  /// The group that the rows of a group follow from, if any do.
  [[nodiscard]] std::uint32_t group_above(std::uint32_t group) const noexcept {
    return lane_tree.above[group];
  }
  void put_groups(std::uint32_t group, std::uint32_t first, std::uint32_t last) noexcept {
    lane_tree.children[std::size_t{2} * group] = static_cast<std::uint16_t>(first);
    lane_tree.children[2 * group + 1] = static_cast<std::uint16_t>(last);
    std::fill_n(lane_tree.above.data() + first, last - first, static_cast<std::uint16_t>(group));
  }
  /// Bit i: row 8 * group + i.
  [[nodiscard]] static std::uint32_t lanes_of(const RowMask& mask, std::uint32_t group) noexcept {
    return static_cast<std::uint32_t>(mask.words[group / 8] >> group % 8 * kGroupRows) & 0xFF;
  }
  /// Calls `body(row)` for each child of a row that follows from it in the tile; the body may take it away.
  template <class Body>
  void for_each_follower(std::uint32_t row, Body&& body) const {
    if (lanes) {
      const std::uint32_t lane = row % kGroupRows, group = row / kGroupRows;
      for (std::uint32_t g = first_group(group), end = last_group(group); g < end; ++g) {
        const std::uint32_t child = g * kGroupRows + lane;
        if ((followers(child / 64) >> child % 64 & 1) != 0) {
          body(child);
        }
      }
    } else {
      RowMask::for_each_word(
          first_child[row], first_child[row + 1],
          [&](std::uint32_t w, std::uint64_t bits) { for_each_bit(followers(w) & bits, w * 64, body); });
    }
  }
  /// Rows of its child range: so many children it has at most.
  [[nodiscard]] std::uint32_t child_rows(std::uint32_t row) const noexcept {
    const std::uint32_t group = row / kGroupRows;
    return lanes ? last_group(group) - first_group(group)
                 : static_cast<std::uint32_t>(first_child[row + 1] - first_child[row]);
  }

 private:
  [[nodiscard]] static LocalTransform at(const TransformColumn& column, std::uint64_t turned,
                                         std::uint32_t row) noexcept {
    return has_turned(turned, row) ? column.group(row / kGroupRows).get(row % kGroupRows)
                                   : column.rows()[row];
  }
  static void put(TransformColumn& column, std::uint64_t turned, std::uint32_t row,
                  const LocalTransform& value) noexcept {
    if (has_turned(turned, row)) {
      column.group(row / kGroupRows).put(row % kGroupRows, value);
    } else {
      column.rows()[row] = value;
    }
  }
};

/// So many tiles fill one huge page, which must be asked for as a whole to become one.
inline constexpr std::size_t kSlabTiles = 21;
/// So few come one by one: a huge page that is hardly used would be much beside them, and the processor's
/// table of addresses (TLB) holds the small pages of so few.
inline constexpr std::size_t kFewTiles = 100;
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;
static_assert(sizeof(Tile) * kSlabTiles <= kHugePage);

}  // namespace juxta::transform_detail
