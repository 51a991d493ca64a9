// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One world transform, from its root path alone.
//
//   root . . clean | written . . . . . node
//                    <------- path ------>
//
// Above the topmost written node stored worlds are up to date; from it on each is computed from the one
// above, as propagate() would.
//
// The path is walked upwards and computed downwards. The rows of 1024 nodes fit on the stack. Of a longer
// path the first walk leaves marks at even distances, from which each piece is walked once more, from the top
// piece down: two walks for a million nodes, without memory.

#include <algorithm>
#include <array>

#include "core/prefetch.h"
#include "transform/ask_rows.h"
#include "transform/follow.h"
#include "transform/links.h"
#include "transform/propagation.h"

namespace juxta::transform_detail {
namespace {

constexpr std::size_t kPiece = 1024;

Qvvs step(const HierarchyStore& store, const Qvvs& parent, Row row) noexcept {
  const Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  if (tile.is_root(r)) {
    const HotWorld world = root_world(tile.local_at(r));
    return {world.rotation, world.position, tile.cold[r].context, tile.cold[r].stretch, world.scale};
  }
  if (tile.special().test(r)) {
    return follow(parent, tile.local_at(r), store.kept_world(tile, r), static_cast<Inherit>(tile.flags[r]),
                  tile.written.test(r))
        .world;
  }
  bool overflowed = false;
  return place_below(parent, tile.local_at(r), tile.cold[r].stretch, tile.cold[r].context, overflowed);
}

/// Writes what becomes of a row with flags. False: where it should be is not finite.
bool follow_from(const HierarchyStore& store, const Qvvs& parent, Tile& tile, std::uint32_t row) noexcept {
  const auto flags = static_cast<Inherit>(tile.flags[row]);
  const Followed followed =
      follow(parent, tile.local_at(row), store.kept_world(tile, row), flags, tile.written.test(row));
  tile.put_world(row, {followed.world.rotation, followed.world.position, followed.world.scale});
  tile.put_local(row, followed.local);
  tile.put_context(row, followed.world.context);
  if (followed.world.stretch != tile.cold[row].stretch) {
    put_stretch(tile, row, followed.world.stretch);
  }
  return !followed.overflowed;
}

/// The path from the topmost written node down to a row.
struct Path {
  explicit Path(const HierarchyStore& store, Row row) {
    std::size_t steps = 0;
    for (Row at = row; at != kNoRow; at = store.parent_of(at), ++steps) {
      if (steps == kPiece * stride) {  // every second mark is enough
        for (std::size_t i = 1; i < kPiece / 2; ++i) {
          marks[i] = marks[2 * i];
        }
        stride *= 2;
      }
      if (steps % stride == 0) {
        marks[steps / stride] = at;
      }
      const Tile& tile = store.tile_of(at);
      if (store.known.any()) {
        if (const Qvvs* known = store.known.find(tile.slot[at % kTileRows]); known != nullptr) {
          length = steps;
          above = *known;
          is_known = true;
          return;
        }
      }
      if (tile.pending.test(at % kTileRows)) {
        length = steps + 1;
        top = at;
      }
    }
    if (const Row parent = length == 0 ? kNoRow : store.parent_of(top); parent != kNoRow) {
      above = store.tile_of(parent).world_of(parent % kTileRows);
    }
  }

  std::size_t length = 0;  // nodes that are to be computed
  Row top = kNoRow;        // the topmost written one; none: nothing is written, or `above` is known
  Qvvs above;              // the world transform of the node above them
  bool is_known = false;
  [[nodiscard]] bool nothing_written() const noexcept { return length == 0 && !is_known; }
  std::size_t stride = 1;
  std::array<Row, kPiece> marks;  // marks[i] stands i * stride nodes above the row
};

/// Computes the `count` nodes up from `row`, the uppermost first; `world` is that of the parent of that one.
void compute(const HierarchyStore& store, Row row, std::size_t count, Qvvs& world) {
  if (count <= kPiece) {
    std::array<Row, kPiece> rows;
    for (std::size_t i = count; i-- > 0; row = store.parent_of(row)) {
      rows[i] = row;
      // The walk waits for parents alone; what the way down reads may come in the meantime.
      const Tile& tile = store.tile_of(row);
      ask_for_local(tile, row % kTileRows);
      core_detail::prefetch_line(&tile.cold[row % kTileRows]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      world = step(store, world, rows[i]);
    }
    return;
  }
  std::array<Row, kPiece> marks;
  const std::size_t stride = (count + kPiece - 1) / kPiece;
  for (std::size_t i = 0; i < count; ++i, row = store.parent_of(row)) {
    if (i % stride == 0) {
      marks[i / stride] = row;
    }
  }
  for (std::size_t end = count; end > 0;) {
    const std::size_t begin = (end - 1) / stride * stride;
    compute(store, marks[begin / stride], end - begin, world);
    end = begin;
  }
}

/// Nothing on the root path was written.
bool is_current(const HierarchyStore& store, Row row) noexcept {
  if (store.dirty.empty()) {
    return true;
  }
  for (Row at = row; at != kNoRow; at = store.parent_of(at)) {
    if (store.tile_of(at).pending.test(at % kTileRows)) {
      return false;
    }
  }
  return true;
}

}  // namespace

Qvvs exact_world(const HierarchyStore& store, Row row) {
  if (store.dirty.empty()) {
    return store.tile_of(row).world_of(row % kTileRows);
  }
  const Path path(store, row);
  if (path.nothing_written()) {
    return store.tile_of(row).world_of(row % kTileRows);
  }
  Qvvs world = path.above;
  for (std::size_t end = path.length; end > 0;) {
    const std::size_t begin = (end - 1) / path.stride * path.stride;
    compute(store, path.marks[begin / path.stride], end - begin, world);
    end = begin;
  }
  return world;
}

void know(HierarchyStore& store, Row row, const Qvvs& parent) {
  store.known.put(store.tile_of(row).slot[row % kTileRows], step(store, parent, row));
}

Qvvs exact_parent_world(const HierarchyStore& store, Row row) {
  const Row parent = store.parent_of(row);
  return parent == kNoRow ? Qvvs{} : exact_world(store, parent);
}

LocalTransform exact_local(const HierarchyStore& store, Row row) {
  const Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  if (!tile.special().test(r) || tile.is_root(r) || is_current(store, row)) {
    return tile.local_at(r);
  }
  return follow(exact_parent_world(store, row), tile.local_at(r), store.kept_world(tile, r),
                static_cast<Inherit>(tile.flags[r]), tile.written.test(r))
      .local;
}

void keep_from_now(HierarchyStore& store, Row row) {
  Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  if (is_current(store, row)) {
    return;
  }
  const Qvvs world = exact_world(store, row);
  tile.put_local(r, exact_local(store, row));
  tile.put_context(r, world.context);
  if (world.stretch != tile.cold[r].stretch) {
    put_stretch(tile, r, world.stretch);
  }
  tile.show();
  store.kept[tile.slot[r]] = {world.rotation, world.position, world.scale};
  tile.written.clear(r);
}

Frame frame_of(const HierarchyStore& store, std::uint32_t at) {
  if (at == 0) {
    return {};
  }
  const Link& link = store.links[at];
  if (link.framed == store.version) {
    return link.frame;
  }
  const Tile& tile = store.tile_of(link.parent_row);
  const std::uint32_t row = link.parent_row % kTileRows;
  if (link.depth == 0) {  // a root: its own world transform may be computed at this moment by another task
    return {root_world(tile.local_at(row)), tile.cold[row].stretch};
  }
  return {tile.world_at(row), tile.cold[row].stretch};
}

void put_stretch(Tile& tile, std::uint32_t row, Vec3 stretch) noexcept {
  const bool stretched = stretch != Vec3{1, 1, 1};
  tile.cold[row].stretch = stretch;
  tile.show();
  tile.put(Rare::kStretched, row, stretched);
  if (tile.lanes) {
    return;
  }
  tile.for_each_follower(row, [&](std::uint32_t child) {
    tile.parent[child] = (tile.parent[child] & kParentRow) | (stretched ? kParentStretched : 0);
  });
}

bool follow_row(const HierarchyStore& store, Tile& tile, std::uint32_t row) {
  if (tile.is_root(row)) {
    tile.put_world(row, root_world(tile.local_at(row)));
    return true;
  }
  if (!tile.linked.test(row)) {
    return follow_from(store, tile.world_of(tile.parent_row(row)), tile, row);
  }
  const std::uint32_t at = tile.parent[row];
  const Frame frame = frame_of(store, at);
  const Row up = store.links[at].parent_row;
  const std::int32_t context = store.tile_of(up).cold[up % kTileRows].context;
  return follow_from(store,
                     {frame.world.rotation, frame.world.position, context, frame.stretch, frame.world.scale},
                     tile, row);
}

}  // namespace juxta::transform_detail
