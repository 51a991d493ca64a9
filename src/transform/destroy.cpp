// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Nodes go: alone, or with all below them.

#include <vector>

#include "juxta/core/try.h"
#include "juxta/transform/hierarchy.h"
#include "transform/links.h"
#include "transform/new_nodes.h"
#include "transform/propagation.h"
#include "transform/reparent.h"
#include "transform/tidy.h"

namespace juxta {
namespace transform_detail {
namespace {

/// The node of a row without children goes.
void remove(HierarchyStore& store, Row row) {
  Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  if (tile.linked.test(r)) {
    unlink(store, row);
  }
  store.put_kept(tile, r, std::nullopt);
  store.known.forget();
  store.note_destroyed(tile.slot[r]);
  store.free_slot(tile.slot[r]);
  tile.live.clear(r);
  tile.pending.clear(r);
  tile.special.clear(r);
  --store.nodes;
  store.debt += kDebtOfHole;
  if (--tile.nodes == 0) {
    store.free_tile(row / kTileRows);
  }
}

/// From the leaves up, so that nobody is ever without a parent.
void remove_tree(HierarchyStore& store, Row top) {
  std::vector<Row> rows{top};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row row = rows[i];
    for_each_child_row(store, row, [&](Row child) { rows.push_back(child); });
  }
  for (std::size_t i = rows.size(); i-- > 0;) {
    remove(store, rows[i]);
  }
}

void hand_over(HierarchyStore& store, Row row) {
  const Row parent = store.parent_of(row);
  std::vector<Row> children;
  for_each_child_row(store, row, [&](Row child) { children.push_back(child); });
  for (const Row child : children) {
    move_under(store, child, parent, Keep::kWorld);
  }
  remove(store, row);
}

}  // namespace
}  // namespace transform_detail

namespace {

/// `bulk`: errors say which one it was.
Result<void> destroy_all(transform_detail::HierarchyStore& store, std::span<const Id> ids, Children children,
                         bool bulk) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    JUXTA_TRY(row_of(store, ids[i], bulk ? i : Error::kNowhere));
  }
  const std::size_t nodes = store.nodes;
  for (const Id id : ids) {
    if (store.alive(id)) {
      const transform_detail::Row row = store.slots[id.slot].row;
      children == Children::kDestroy ? transform_detail::remove_tree(store, row)
                                     : transform_detail::hand_over(store, row);
    }
  }
  tidy(store, nodes - store.nodes);
  return {};
}

}  // namespace

Result<void> Hierarchy::remove(Id id, Children children) {
  return destroy_all(*store_, std::span(&id, 1), children, false);
}

Result<void> Hierarchy::remove(std::span<const Id> ids, Children children) {
  return destroy_all(*store_, ids, children, true);
}

}  // namespace juxta
