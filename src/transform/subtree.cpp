// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A node and all below it: visited, or copied.
#include <vector>

#include "juxta/core/try.h"
#include "juxta/transform/hierarchy.h"
#include "transform/links.h"
#include "transform/new_nodes.h"
#include "transform/propagation.h"
#include "transform/tidy.h"
#include "transform/write_rows.h"

namespace juxta {

using transform_detail::HierarchyStore;
using transform_detail::kNoRow;
using transform_detail::kTileRows;
using transform_detail::Row;
using transform_detail::Tile;

namespace {

/// A row and all below it, breadth first.
std::vector<Row> rows_from(const HierarchyStore& store, Row top) {
  std::vector<Row> rows{top};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row row = rows[i];
    for_each_child_row(store, row, [&](Row child) { rows.push_back(child); });
  }
  return rows;
}

/// What a new node must be to become what a node is now.
NodeDescription description_of(const HierarchyStore& store, Row row) {
  const Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  NodeDescription node{.local = tile.local_at(r),
                       .stretch = tile.cold[r].stretch,
                       .context = tile.cold[r].context,
                       .inherit = static_cast<Inherit>(tile.flags[r])};
  if (!tile.special().test(r)) {
    return node;
  }
  const Qvvs world = transform_detail::exact_world(store, row);
  node.local = transform_detail::exact_local(store, row);
  node.stretch = world.stretch;  // of a kCopyParent node, what its parent's are now
  node.context = world.context;
  if (transform_detail::user_writes(tile, r)) {  // a local transform that is ignored says nothing
    const LocalTransform there = inverse_mul(transform_detail::exact_parent_world(store, row), world);
    node.local = is_finite(there) && there.scale > 0 ? there : node.local;
  }
  return node;
}

/// A subtree as a list, breadth first.
std::vector<NodeDescription> describe(const HierarchyStore& store, std::span<const Row> rows) {
  std::vector<NodeDescription> nodes;
  nodes.reserve(rows.size());
  std::uint32_t parent = 0;
  for (const Row row : rows) {
    nodes.push_back(description_of(store, row));
    if (nodes.size() > 1) {
      const Row above = store.parent_of(row);
      while (rows[parent] != above) {  // children stand in the order of their parents
        ++parent;
      }
      nodes.back().parent = parent;
    }
  }
  return nodes;
}

}  // namespace

Result<Id> Hierarchy::root_of(Id id) const {
  return row_of(*store_, id).map([&](Row row) {
    for (Row above = row; above != kNoRow; above = store_->parent_of(row)) {
      row = above;
    }
    return store_->id_at(row);
  });
}

Result<void> Hierarchy::for_each_below(Id id, FunctionRef<void(Id)> visit) const {
  return row_of(*store_, id).map([&](Row row) {
    const std::vector<Row> rows = rows_from(*store_, row);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      visit(store_->id_at(rows[i]));
    }
  });
}

Result<Id> Hierarchy::copy(Id id, Id parent, FunctionRef<void(Id, Id)> visit) {
  HierarchyStore& store = *store_;
  JUXTA_TRY_LET(const Row top, row_of(store, id));
  Row above = kNoRow;
  if (parent != Id{}) {
    JUXTA_TRY_LET(above, row_of(store, parent));
  }
  const std::vector<Row> rows = rows_from(store, top);
  if (!store.has_slots(rows.size())) {
    return fail(ErrorCode::kTooLarge, "copy: there would be more than 2^32 - 2 nodes");
  }
  std::vector<Id> sources, copies(rows.size());
  if (visit) {
    sources.reserve(rows.size());
    for (const Row row : rows) {
      sources.push_back(store.id_at(row));
    }
  }
  place_trees(store, describe(store, rows), copies, above, true);
  if (above != kNoRow) {
    store.debt += transform_detail::kDebtOfLink;
  }
  tidy(store, 1);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    visit(sources[i], copies[i]);
  }
  return copies[0];
}

}  // namespace juxta
