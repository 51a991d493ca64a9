// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "transform/reparent.h"
#include "transform/ask_rows.h"

#include <optional>
#include <vector>

#include "core/prefetch.h"
#include "juxta/core/try.h"
#include "transform/links.h"
#include "transform/new_nodes.h"
#include "transform/propagation.h"
#include "transform/tidy.h"

namespace juxta {
namespace transform_detail {
namespace {

bool has_children(const HierarchyStore& store, Row row) {
  const Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  bool any = tile.has_links().test(r);
  tile.for_each_follower(r, [&](std::uint32_t) { any = true; });
  return any;
}

/// Few enough children to list them.
bool has_few_children(const HierarchyStore& store, Row row) {
  constexpr std::uint32_t kFew = 64;
  const Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  std::uint32_t count = tile.child_rows(r);
  for (std::uint32_t at = tile.has_links().test(r) ? tile.first_link[r] : 0; at != 0 && count <= kFew;
       at = store.links[at].next) {
    count += store.links[at].span;
  }
  return count <= kFew;
}

/// Lists what is below a node, one node of it at a time, as long as no node of it has many children.
class Below {
 public:
  explicit Below(Row node) : rows_{node} {}
  /// Lists the children of the next one; true when `wanted` is among them.
  bool step(const HierarchyStore& store, Row wanted) {
    const Row row = rows_[next_];
    hopeless_ = !has_few_children(store, row);
    bool found = false;
    if (!hopeless_) {
      ++next_;
      for_each_child_row(store, row, [&](Row child) {
        rows_.push_back(child);
        found = found || child == wanted;
      });
    }
    return found;
  }
  [[nodiscard]] bool all_listed() const noexcept { return next_ == rows_.size(); }
  [[nodiscard]] bool hopeless() const noexcept { return hopeless_; }

 private:
  std::vector<Row> rows_;
  std::size_t next_ = 0;
  bool hopeless_ = false;
};

/// `row` is `node` or below it. O(depth of row), or O(nodes below `node`) where that is less: after some
/// steps upwards it looks downwards by turns.
bool is_below(const HierarchyStore& store, Row row, Row node) {
  constexpr std::size_t kUpwards = 64;
  if (row == node) {
    return true;
  }
  if (!has_children(store, node)) {
    return false;
  }
  Row at = row;
  for (std::size_t steps = 0; steps < kUpwards && at != kNoRow && at != node; ++steps) {
    at = store.parent_of(at);
  }
  for (Below below(node); at != kNoRow && at != node;) {
    if (!below.hopeless()) {
      if (below.step(store, row)) {
        return true;
      }
      if (below.all_listed()) {
        return false;
      }
    }
    for (std::size_t steps = 0; steps < 4 && at != kNoRow && at != node; ++steps) {
      at = store.parent_of(at);
    }
  }
  return at == node;
}

/// A row as it was before it got another parent.
struct Undo {
  Row row;
  Row parent;
  std::uint32_t place;  // Tile::parent
  bool linked, pending, written;
  LocalTransform local;
  std::optional<HotWorld> kept;
};

Undo remember(const HierarchyStore& store, Row row) {
  const Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  return {row,
          store.parent_of(row),
          tile.parent[r],
          tile.linked.test(r),
          tile.pending.test(r),
          tile.written.test(r),
          tile.local_at(r),
          store.kept_of(tile, r)};
}

void restore(HierarchyStore& store, const Undo& undo) {
  Tile& tile = store.tile_of(undo.row);
  const std::uint32_t r = undo.row % kTileRows;
  if (tile.linked.test(r)) {
    unlink(store, undo.row);
  }
  if (undo.linked) {
    link(store, undo.row, undo.parent);
  } else {
    tile.parent[r] = undo.place;
  }
  stale_depths_below(store, undo.row);
  store.known.forget();
  tile.put_local(r, undo.local);
  store.put_kept(tile, r, undo.kept);
  tile.pending.put(r, undo.pending);
  tile.written.put(r, undo.written);
}

/// Asks for what the change of one node's parent touches; first for its name, later for its row.
class Ahead {
 public:
  Ahead(const HierarchyStore& store, std::span<const Id> ids, std::span<const Id> parents)
      : store_(store), ids_(ids), parents_(parents) {}

  void at(std::size_t i) const noexcept {
    if (i + kSteps / 2 < ids_.size()) {
      ask_for_links(store_.slots[ids_[i + kSteps / 2].slot].row);
      if (const Id parent = parents_[i + kSteps / 2]; parent != Id{}) {
        ask_for_links(store_.slots[parent.slot].row);
      }
    }
    if (i + 2 * kSteps < ids_.size()) {
      core_detail::prefetch_line(&store_.slots[ids_[i + 2 * kSteps].slot]);
      if (const Id parent = parents_[i + 2 * kSteps]; parent != Id{}) {
        core_detail::prefetch_line(&store_.slots[parent.slot]);
      }
    }
    if (i + kSteps < ids_.size()) {
      ask(store_.slots[ids_[i + kSteps].slot].row);
      if (const Id parent = parents_[i + kSteps]; parent != Id{}) {
        ask(store_.slots[parent.slot].row);
      }
    }
  }

 private:
  static constexpr std::size_t kSteps = 8;

  void ask(Row row) const noexcept {
    const Tile& tile = store_.tile_of(row);
    const std::uint32_t r = row % kTileRows;
    core_detail::prefetch_line(&tile.linked.words[r / 64]);
    core_detail::prefetch_line(&tile.rare[static_cast<std::size_t>(Rare::kHasLinks)].words[r / 64]);
    core_detail::prefetch_line(&tile.live.words[r / 64]);
    core_detail::prefetch_line(&tile.pending.words[r / 64]);
    core_detail::prefetch_line(&tile.parent[r]);
    prefetch_children(tile, r);
    if (tile.first_link != nullptr) {
      core_detail::prefetch_line(&tile.first_link[r]);
    }
    ask_for_local(tile, r);
  }

  void ask_for_links(Row row) const noexcept {
    const Tile& tile = store_.tile_of(row);
    const std::uint32_t r = row % kTileRows;
    if (tile.linked.test(r)) {
      prefetch_link(store_, tile.parent[r]);
    }
    if (tile.has_links().test(r)) {
      prefetch_link(store_, tile.first_link[r]);
    }
  }

  const HierarchyStore& store_;
  std::span<const Id> ids_, parents_;
};

}  // namespace

void move_under(HierarchyStore& store, Row row, Row parent, Keep keep) {
  Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  const bool user_writes =
      tile.special().test(r) && keeps(static_cast<Inherit>(tile.flags[r]), Inherit::kUserWorld);
  LocalTransform local = exact_local(store, row);
  Qvvs above;
  if (keep == Keep::kWorld) {
    above = parent == kNoRow ? Qvvs{} : exact_world(store, parent);
    const LocalTransform there = inverse_mul(above, exact_world(store, row));
    local = is_finite(there) && there.scale > 0 ? there : local;
  }
  if (user_writes && tile.is_root(r)) {  // a root until now: from here on only its user moves it
    keep_from_now(store, row);
  }
  tile.put_local(r, local);
  const bool has_below = has_children(store, row);
  if (store.parent_of(row) != parent) {
    if (tile.linked.test(r)) {
      unlink(store, row);
    }
    link(store, row, parent);
    if (has_below) {
      stale_depths_below(store, row);
    }
    store.debt += parent == kNoRow ? 0 : kDebtOfLink;
  }
  tile.written.put(r, tile.written.test(r) || !user_writes);
  if (keep == Keep::kLocal || has_below) {
    store.mark(row);
  } else {
    store.mark_new(row);
  }
  if (parent == kNoRow) {  // a root is where its local transform puts it, and that is known from its row
    store.known.forget(tile.slot[r]);
  } else if (keep == Keep::kWorld) {
    know(store, row, above);
  }
}

}  // namespace transform_detail

namespace {

using transform_detail::HierarchyStore;
using transform_detail::Row;

/// One after the other; after an error, back again. `bulk`: errors say which one it was.
Result<void> reparent_all(HierarchyStore& store, std::span<const Id> ids, std::span<const Id> parents,
                          Keep keep, bool bulk) {
  const auto number = [&](std::size_t i) { return bulk ? i : Error::kNowhere; };
  for (std::size_t i = 0; i < ids.size(); ++i) {
    JUXTA_TRY(row_of(store, ids[i], number(i)));
    if (parents[i] != Id{}) {
      JUXTA_TRY(row_of(store, parents[i], number(i)));
    }
  }
  std::vector<transform_detail::Undo> undo;
  undo.reserve(ids.size());
  const transform_detail::Ahead ahead(store, ids, parents);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ahead.at(i);
    const Row row = store.slots[ids[i].slot].row;
    const Row parent = parents[i] == Id{} ? transform_detail::kNoRow : store.slots[parents[i].slot].row;
    if (parent != transform_detail::kNoRow && transform_detail::is_below(store, parent, row)) {
      for (std::size_t j = undo.size(); j-- > 0;) {
        restore(store, undo[j]);
      }
      return transform_detail::fail_at(ErrorCode::kInvalidArgument, ids[i],
                                       "its new parent is the node itself or below it: a cycle", number(i));
    }
    undo.push_back(transform_detail::remember(store, row));
    move_under(store, row, parent, keep);
  }
  tidy(store, ids.size());
  return {};
}

}  // namespace

Result<void> Hierarchy::reparent(Id id, Id parent, Keep keep) {
  return reparent_all(*store_, std::span(&id, 1), std::span(&parent, 1), keep, false);
}

Result<void> Hierarchy::reparent(std::span<const Id> ids, std::span<const Id> parents, Keep keep) {
  if (ids.size() != parents.size()) {
    return fail(ErrorCode::kInvalidArgument, "reparent: parents is not as long as ids");
  }
  return reparent_all(*store_, ids, parents, keep, true);
}

}  // namespace juxta
