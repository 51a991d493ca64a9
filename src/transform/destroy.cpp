// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Nodes go: alone, or with all below them.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/prefetch.h"
#include "juxta/core/try.h"
#include "juxta/transform/hierarchy.h"
#include "transform/ask_rows.h"
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
  tile.clear(Rare::kSpecial, r);
  --store.nodes;
  store.debt += kDebtOfHole;
  if (--tile.nodes == 0) {
    store.free_tile(row / kTileRows);
  }
}

/// From the leaves up, so that nobody is ever without a parent. `rows` is scratch.
void remove_tree(HierarchyStore& store, Row top, std::vector<Row>& rows) {
  rows.assign(1, top);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row row = rows[i];
    for_each_child_row(store, row, [&](Row child) { rows.push_back(child); });
  }
  store.expect_free_slots(rows.size());
  for (std::size_t i = rows.size(); i-- > 0;) {
    remove(store, rows[i]);
  }
}

/// Trees that are asked for at once, and the most nodes of them: four lines of each wait in the cache.
constexpr std::size_t kTreesAhead = 16, kNodesAhead = 512;

/// Nodes of these trees are scattered, and one leads to the next. Level by level of all trees, the misses of
/// one tree do not wait for those of another.
void ask_for_trees(const HierarchyStore& store, std::span<const Id> ids, std::vector<Row>& rows) {
  for (const Id id : ids) {
    core_detail::prefetch_line(&store.slots[id.slot]);
  }
  rows.clear();
  const auto add = [&](Row row) {
    if (rows.size() == kNodesAhead) {
      return;
    }
    const Tile& tile = store.tile_of(row);
    core_detail::prefetch_line(&tile.slot[row % kTileRows]);
    core_detail::prefetch_line(&tile.parent[row % kTileRows]);
    prefetch_children(tile, row % kTileRows);
    rows.push_back(row);
  };
  for (const Id id : ids) {
    if (store.alive(id)) {
      add(store.slots[id.slot].row);
    }
  }
  for (std::size_t i = 0; i < rows.size() && rows.size() < kNodesAhead; ++i) {
    for_each_child_row(store, rows[i], add);
  }
  for (const Row row : rows) {
    core_detail::prefetch_line(&store.slots[store.tile_of(row).slot[row % kTileRows]]);
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
  std::vector<transform_detail::Row> rows;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (bulk && children == Children::kDestroy && i % transform_detail::kTreesAhead == 0) {
      const std::size_t count = std::min(transform_detail::kTreesAhead, ids.size() - i);
      transform_detail::ask_for_trees(store, ids.subspan(i, count), rows);
    }
    if (store.alive(ids[i])) {
      const transform_detail::Row row = store.slots[ids[i].slot].row;
      children == Children::kDestroy ? transform_detail::remove_tree(store, row, rows)
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
