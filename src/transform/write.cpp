// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What users write into nodes. Bulk calls check everything first, so that they do all or nothing.

#include <optional>
#include <vector>

#include "juxta/core/try.h"
#include "juxta/transform/hierarchy.h"
#include "transform/propagation.h"
#include "transform/store.h"
#include "transform/tags.h"
#include "transform/write_rows.h"

namespace juxta {

using transform_detail::HierarchyStore;
using transform_detail::kTileRows;
using transform_detail::Row;
using transform_detail::Tile;
using transform_detail::user_writes;

namespace {

Result<void> same_length(std::size_t ids, std::size_t others, const char* message) {
  return ids == others ? Result<void>() : fail(ErrorCode::kInvalidArgument, message);
}

}  // namespace

Result<void> Hierarchy::set_local(Id id, const LocalTransform& local) {
  const Result<Row> row = row_of(*store_, id);
  if (!row) {
    return tl::unexpected(row.error());
  }
  return transform_detail::checked(local, id).map([&](const LocalTransform& kept) {
    store_->tile_of(*row).put_local(*row % kTileRows, kept);
    transform_detail::mark_written(*store_, *row);
  });
}

namespace {

/// A world transform without numbers that Hierarchy refuses; its rotation has length 1.
Result<Qvvs> checked_world(const Qvvs& world, Id id, std::uint64_t index) {
  if (!is_finite(world.stretch)) {
    return transform_detail::fail_at(ErrorCode::kNotFinite, id, "its stretch holds NaN or an infinity",
                                     index);
  }
  return transform_detail::checked({world.rotation, world.position, world.scale}, id, index)
      .map([&](const LocalTransform& kept) {
        return Qvvs{kept.rotation, kept.position, world.context, world.stretch, kept.scale};
      });
}

/// Puts a node there, as seen from where its parent is by now.
Result<void> write_world(HierarchyStore& store, Row row, const Qvvs& world, Id id, std::uint64_t index) {
  Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  if (user_writes(tile, r)) {
    tile.put_world(r, {world.rotation, world.position, world.scale});
    tile.written.clear(r);
    store.kept.erase(tile.slot[r]);
  } else {
    const LocalTransform local = inverse_mul(transform_detail::exact_parent_world(store, row), world);
    if (!is_finite(local) || !(local.scale > 0)) {
      return transform_detail::fail_at(ErrorCode::kNotFinite, id,
                                       "no finite local transform leads there from its parent", index);
    }
    tile.put_local(r, local);
    tile.written.set(r);
  }
  tile.put_context(r, world.context);
  transform_detail::put_stretch(tile, r, world.stretch);  // and shows all of it
  store.mark(row);
  return {};
}

/// A row as it was before its world transform was written.
struct Before {
  Row row;
  LocalTransform local;
  transform_detail::HotWorld world;
  transform_detail::Cold cold;
  bool pending, written;
  std::optional<transform_detail::HotWorld> kept;
};

Before remember(const HierarchyStore& store, Row row) {
  const Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  return {row,
          tile.local_at(r),
          tile.world_at(r),
          tile.cold[r],
          tile.pending.test(r),
          tile.written.test(r),
          store.kept_of(tile, r)};
}

void restore(HierarchyStore& store, const Before& before) {
  Tile& tile = store.tile_of(before.row);
  const std::uint32_t r = before.row % kTileRows;
  tile.put_local(r, before.local);
  tile.put_world(r, before.world);
  tile.put_context(r, before.cold.context);
  transform_detail::put_stretch(tile, r, before.cold.stretch);
  tile.pending.put(r, before.pending);
  tile.written.put(r, before.written);
  store.put_kept(tile, r, before.kept);
}

}  // namespace

namespace {

/// One after the other, since a node's parent may stand before it in the list; after an error, back again.
/// `bulk`: errors say which one it was.
Result<void> set_worlds(HierarchyStore& store, std::span<const Id> ids, std::span<const Qvvs> worlds,
                        bool bulk) {
  const auto number = [&](std::size_t i) { return bulk ? i : Error::kNowhere; };
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (const Result<Row> row = row_of(store, ids[i], number(i)); !row) {
      return tl::unexpected(row.error());
    }
    if (const Result<Qvvs> fine = checked_world(worlds[i], ids[i], number(i)); !fine) {
      return tl::unexpected(fine.error());
    }
  }
  std::vector<Before> undo;
  undo.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Row row = store.slots[ids[i].slot].row;
    undo.push_back(remember(store, row));
    if (Result<void> done = write_world(store, row, *checked_world(worlds[i], ids[i], i), ids[i], number(i));
        !done) {
      for (std::size_t j = undo.size(); j-- > 0;) {
        restore(store, undo[j]);
      }
      return done;
    }
  }
  return {};
}

}  // namespace

Result<void> Hierarchy::set_world(Id id, const Qvvs& world) {
  return set_worlds(*store_, std::span(&id, 1), std::span(&world, 1), false);
}

Result<void> Hierarchy::set_world(std::span<const Id> ids, std::span<const Qvvs> worlds) {
  if (Result<void> fine = same_length(ids.size(), worlds.size(), "set_world: worlds is not as long as ids");
      !fine) {
    return fine;
  }
  return set_worlds(*store_, ids, worlds, true);
}

Result<void> Hierarchy::set_stretch(Id id, Vec3 stretch) {
  const Result<Row> row = row_of(*store_, id);
  if (!row) {
    return tl::unexpected(row.error());
  }
  if (!is_finite(stretch)) {
    return transform_detail::fail_at(ErrorCode::kNotFinite, id, "its stretch holds NaN or an infinity");
  }
  transform_detail::put_stretch(store_->tile_of(*row), *row % kTileRows, stretch);
  store_->mark(*row);
  return {};
}

Result<void> Hierarchy::set_context(Id id, std::int32_t context) {
  return row_of(*store_, id).map([&](Row row) {
    Tile& tile = store_->tile_of(row);
    tile.put_context(row % kTileRows, context);
    tile.show();
    store_->mark(row);
  });
}

Result<void> Hierarchy::set_inherit(Id id, Inherit inherit) {
  return row_of(*store_, id).map([&](Row row) {
    Tile& tile = store_->tile_of(row);
    const std::uint32_t r = row % kTileRows;
    transform_detail::keep_from_now(*store_, row);
    const Inherit known = transform_detail::without_tags(inherit);
    tile.flags[r] = transform_detail::with_tags(static_cast<std::uint16_t>(known),
                                                transform_detail::tags_of(tile.flags[r]));
    tile.put(transform_detail::Rare::kSpecial, r, known != Inherit::kNormal);
    store_->mark(row);
  });
}

}  // namespace juxta
