// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One world transform, from its root path alone.
//
//   root . . clean | written . . . . . node
//                    <------- path ------>
//
// Above the topmost written node stored worlds are up to date; from it on each is computed from the one
// above, as propagate() would.
//
// The path is walked upwards and computed downwards. It is kept on the stack, 512 nodes at a time: a longer
// one is walked again for each piece, so that no depth needs memory.

#include <algorithm>
#include <array>

#include "transform/follow.h"
#include "transform/links.h"
#include "transform/propagation.h"

namespace juxta::transform_detail {
namespace {

constexpr std::size_t kPiece = 512;

Qvvs step(const HierarchyStore& store, const Qvvs& parent, Row row) noexcept {
  const Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  if (tile.is_root(r)) {
    const HotWorld world = root_world(tile.local[r]);
    return {world.rotation, world.position, tile.cold[r].context, tile.cold[r].stretch, world.scale};
  }
  if (tile.special.test(r)) {
    return follow(parent, tile.local[r], tile.world_of(r), static_cast<Inherit>(tile.flags[r]),
                  tile.written.test(r))
        .world;
  }
  return mul(parent, tile.local[r], tile.cold[r].stretch, tile.cold[r].context);
}

/// Writes what becomes of a row with flags.
void follow_from(const Qvvs& parent, Tile& tile, std::uint32_t row) noexcept {
  const auto flags = static_cast<Inherit>(tile.flags[row]);
  const Followed followed =
      follow(parent, tile.local[row], tile.world_of(row), flags, tile.written.test(row));
  tile.world[row] = {followed.world.rotation, followed.world.position, followed.world.scale};
  tile.local[row] = followed.local;
  tile.cold[row].context = followed.world.context;
  if (followed.world.stretch != tile.cold[row].stretch) {
    put_stretch(tile, row, followed.world.stretch);
  }
}

/// How many nodes the path from the topmost written node down to `row` has; 0 when none is written. `above`
/// is the row above that path.
std::size_t length_of_path(const HierarchyStore& store, Row row, Row& above) noexcept {
  std::size_t length = 0, steps = 0;
  for (Row at = row; at != kNoRow; at = store.parent_of(at)) {
    ++steps;
    if (store.tile_of(at).pending.test(at % kTileRows)) {
      length = steps;
      above = store.parent_of(at);
    }
  }
  return length;
}

/// Nothing on the root path was written.
bool is_current(const HierarchyStore& store, Row row) noexcept {
  Row above = kNoRow;
  return store.dirty.empty() || length_of_path(store, row, above) == 0;
}

}  // namespace

Qvvs exact_world(const HierarchyStore& store, Row row) {
  Row above = kNoRow;
  const std::size_t length = store.dirty.empty() ? 0 : length_of_path(store, row, above);
  if (length == 0) {
    return store.tile_of(row).world_of(row % kTileRows);
  }
  Qvvs world = above == kNoRow ? Qvvs{} : store.tile_of(above).world_of(above % kTileRows);
  std::array<Row, kPiece> piece;
  for (std::size_t done = 0; done < length;) {
    const std::size_t count = std::min(length - done, kPiece);
    Row at = row;
    for (std::size_t i = length - done; i-- > 0; at = store.parent_of(at)) {
      if (i < count) {
        piece[i] = at;
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      world = step(store, world, piece[i]);
    }
    done += count;
  }
  return world;
}

Qvvs exact_parent_world(const HierarchyStore& store, Row row) {
  const Row parent = store.parent_of(row);
  return parent == kNoRow ? Qvvs{} : exact_world(store, parent);
}

LocalTransform exact_local(const HierarchyStore& store, Row row) {
  const Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  if (!tile.special.test(r) || tile.is_root(r) || is_current(store, row)) {
    return tile.local[r];
  }
  return follow(exact_parent_world(store, row), tile.local[r], tile.world_of(r),
                static_cast<Inherit>(tile.flags[r]), tile.written.test(r))
      .local;
}

void settle(HierarchyStore& store, Row row) {
  Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  if (is_current(store, row)) {
    return;
  }
  if (tile.special.test(r) && !tile.is_root(r)) {
    follow_from(exact_parent_world(store, row), tile, r);
  } else {
    const Qvvs world = exact_world(store, row);
    tile.world[r] = {world.rotation, world.position, world.scale};
  }
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
    return {root_world(tile.local[row]), tile.cold[row].stretch};
  }
  return {tile.world[row], tile.cold[row].stretch};
}

void put_stretch(Tile& tile, std::uint32_t row, Vec3 stretch) noexcept {
  const bool stretched = stretch != Vec3{1, 1, 1};
  tile.cold[row].stretch = stretch;
  tile.stretched.put(row, stretched);
  RowMask::for_each_word(
      tile.first_child[row], tile.first_child[row + 1], [&](std::uint32_t w, std::uint64_t bits) {
        for_each_bit(tile.followers(w) & bits, w * 64, [&](std::uint32_t child) {
          tile.parent[child] = (tile.parent[child] & kParentRow) | (stretched ? kParentStretched : 0);
        });
      });
}

void follow_row(const HierarchyStore& store, Tile& tile, std::uint32_t row) {
  if (tile.is_root(row)) {
    tile.world[row] = root_world(tile.local[row]);
    return;
  }
  if (!tile.linked.test(row)) {
    follow_from(tile.world_of(tile.parent[row] & kParentRow), tile, row);
    return;
  }
  const std::uint32_t at = tile.parent[row];
  const Frame frame = frame_of(store, at);
  const Row up = store.links[at].parent_row;
  const std::int32_t context = store.tile_of(up).cold[up % kTileRows].context;
  follow_from({frame.world.rotation, frame.world.position, context, frame.stretch, frame.world.scale}, tile,
              row);
}

}  // namespace juxta::transform_detail
