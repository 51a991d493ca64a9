// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// New nodes: one, or whole trees of them in their final order.

#include <algorithm>
#include <string>
#include <vector>

#include "core/prefetch.h"
#include "juxta/core/try.h"
#include "juxta/transform/hierarchy.h"
#include "transform/cut.h"
#include "transform/layout.h"
#include "transform/links.h"
#include "transform/new_nodes.h"
#include "transform/propagation.h"
#include "transform/tags.h"
#include "transform/tidy.h"

namespace juxta {
namespace transform_detail {

tl::unexpected<Error> refuse(ErrorCode code, std::string_view list, std::string_view what,
                             std::uint64_t index) {
  std::string message(list);
  message += ": node ";
  message += std::to_string(index);
  message += ": ";
  message += what;
  return fail(code, std::move(message), index);
}

Result<LocalTransform> checked(const NodeDescription& node, std::string_view list, std::uint64_t index) {
  Result<LocalTransform> local = checked(node.local, Id{}, index);
  if (!local) {
    const std::string& message = local.error().message;
    return refuse(local.error().code, list, message.substr(message.rfind(": ") + 2), index);
  }
  if (!is_finite(node.stretch)) {
    return refuse(ErrorCode::kNotFinite, list, "its stretch holds NaN or an infinity", index);
  }
  if (node.parent != NodeDescription::kRoot && node.parent >= index) {
    return refuse(ErrorCode::kInvalidArgument, list, "its parent does not stand before it in the list",
                  index);
  }
  return local;
}

namespace {

/// Its name, and its flags.
Id name_node(HierarchyStore& store, Tile& tile, Row row, Inherit inherit) {
  const std::uint32_t r = row % kTileRows;
  const Id id = store.new_slot(row);
  tile.slot[r] = id.slot;
  tile.flags[r] = static_cast<std::uint16_t>(inherit);
  if (without_tags(inherit) != Inherit::kNormal) {
    tile.set(Rare::kSpecial, r);
  }
  ++store.nodes;
  return id;
}

/// The row has no such marks yet.
void put_cold(Tile& tile, std::uint32_t row, const NodeOptions& options) {
  tile.cold[row] = {options.stretch, options.context};
  if (options.stretch != Vec3{1, 1, 1}) {
    tile.set(Rare::kStretched, row);
  }
  if (options.context != 0) {
    tile.set(Rare::kContexts, row);
  }
}

/// A new row, the last of its tile, follows there from its parent if the parent stands in the same tile, and
/// no row below the parent has children: breadth first, and down a rope, that is so. False: it has to be
/// linked.
bool join(HierarchyStore& store, Row row, Row parent) {
  if (parent / kTileRows != row / kTileRows) {
    return false;
  }
  Tile& tile = store.tile_of(row);
  const std::uint32_t up = parent % kTileRows, r = row % kTileRows;
  if (tile.open_parents > up + 1) {
    return false;
  }
  if (tile.open_parents < up + 1) {  // the children of the one before end here
    std::fill(&tile.first_child[tile.open_parents], &tile.first_child[up + 1], static_cast<std::uint16_t>(r));
    tile.open_parents = up + 1;
  }
  tile.parent[r] = up | (tile.stretched().test(up) ? kParentStretched : 0);
  return true;
}

}  // namespace

Id put_node(HierarchyStore& store, Tile& tile, Row row, const LocalTransform& local,
            const NodeOptions& options) {
  const std::uint32_t r = row % kTileRows;
  tile.put_local(r, local);
  put_cold(tile, r, options);
  tile.row_version(r) = 0;
  tile.written.set(r);
  return name_node(store, tile, row, options.inherit);
}

Id put_node_again(HierarchyStore& store, Tile& tile, Row row, const LocalTransform& local,
                  const NodeOptions& options) {
  const std::uint32_t r = row % kTileRows;
  if (!tile.lanes || !tile.lane_tree.holds(r / kGroupRows, local)) {
    tile.put_local(r, local);
    if (tile.lanes) {
      tile.lane_tree.forget(r / 64, std::uint64_t{1} << r % 64);
    }
  }
  const bool plain = options.stretch == Vec3{1, 1, 1} && options.context == 0;
  if (!plain || tile.ever(Rare::kStretched) || tile.ever(Rare::kContexts)) {
    tile.clear(Rare::kStretched, r);
    tile.clear(Rare::kContexts, r);
    put_cold(tile, r, options);
  }
  return name_node(store, tile, row, options.inherit);
}

void renew_marks(Tile& tile, std::uint32_t word, std::uint64_t rows) noexcept {
  tile.live.words[word] |= rows;
  tile.written.words[word] |= rows;
  tile.changes[word].mask &= ~rows;
}

void place_trees(HierarchyStore& store, std::span<const NodeDescription> nodes, std::span<Id> ids, Row parent,
                 bool as_kept) {
  const Forest forest = cut_trees(nodes, room_left(store), store.side_by_side);
  const auto ask_for = [&](std::uint32_t i) {  // they may come in any order
    core_detail::prefetch_line(&nodes[i]);
    core_detail::prefetch_line(&nodes[i].inherit);
    core_detail::prefetch_line(&ids[i]);
  };
  const auto put = [&](std::span<const std::uint32_t> sources, Tile& tile, Row row) {
    constexpr std::size_t kNodesAhead = 12;
    for (std::size_t k = 0; k < sources.size(); ++k, ++row) {
      if (k + kNodesAhead < sources.size()) {
        ask_for(sources[k + kNodesAhead]);
      }
      const NodeDescription& node = nodes[sources[k]];
      ids[sources[k]] =
          put_node(store, tile, row, as_kept ? node.local : *checked(node, "insert", sources[k]),
                   {node.stretch, node.context, as_kept ? node.inherit : without_tags(node.inherit)});
    }
  };
  const auto hang = [&](const Forest::Tree& tree, Row row) {
    const bool root = tree.parent == Forest::kNone;
    link(store, row, root ? parent : store.slots[ids[tree.parent].slot].row);
    store.mark(row);
  };
  place(store, forest, {put, hang});
}

}  // namespace transform_detail

using transform_detail::Row;

Result<Id> Hierarchy::insert(const LocalTransform& local, Id parent, const NodeOptions& options) {
  transform_detail::HierarchyStore& store = *store_;
  Result<LocalTransform> kept =
      transform_detail::checked({.local = local, .stretch = options.stretch}, "insert", 0);
  if (!kept) {
    kept.error().index = Error::kNowhere;
    return tl::unexpected(kept.error());
  }
  Row parent_row = transform_detail::kNoRow;
  if (parent != Id{}) {
    JUXTA_TRY_LET(const auto found, row_of(store, parent));
    parent_row = found;
  }
  if (!store.has_slots(1)) {
    return fail(ErrorCode::kTooLarge, "insert: 2^32 - 2 nodes are there already; remove some");
  }
  if (store.open == transform_detail::kNoRow ||
      store.tiles[store.open]->used == transform_detail::kTileRows) {
    store.open = store.new_tile();
  }
  transform_detail::Tile& tile = *store.tiles[store.open];
  const std::uint32_t r = tile.used++;
  const Row row = store.open * transform_detail::kTileRows + r;
  tile.first_child[r] = tile.first_child[r + 1] = transform_detail::kTileRows;
  tile.live.set(r);
  ++tile.nodes;
  NodeOptions known = options;
  known.inherit = transform_detail::without_tags(options.inherit);
  const Id id = put_node(store, tile, row, *kept, known);
  if (!transform_detail::join(store, row, parent_row)) {
    link(store, row, parent_row);
    store.debt += parent_row == transform_detail::kNoRow ? 0 : transform_detail::kDebtOfLink;
  }
  store.mark_new(row);
  transform_detail::tidy(store, 1);
  return id;
}

Result<void> Hierarchy::insert(std::span<const NodeDescription> nodes, std::span<Id> ids) {
  transform_detail::HierarchyStore& store = *store_;
  if (ids.size() != nodes.size()) {
    return fail(ErrorCode::kInvalidArgument, "insert: ids is not as long as nodes");
  }
  if (!store.has_slots(nodes.size())) {
    return fail(ErrorCode::kTooLarge, "insert: there would be more than 2^32 - 2 nodes");
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    JUXTA_TRY(transform_detail::checked(nodes[i], "insert", i));
  }
  place_trees(store, nodes, ids, transform_detail::kNoRow, false);
  return {};
}

}  // namespace juxta
