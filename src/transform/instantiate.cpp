// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Many instances of one tree, as many to a block as fit:
//
//   prefab, breadth first     a | b c | d e f
//   three instances           a a a | b c b c b c | d e f d e f d e f | end
//
// so that the rows of one instance are one run in each level, and so are the roots of all of them. Eight and
// more stand side by side in tiles of lanes (tile.h). Where trees of this shape went, instances take their
// places first (vacancies.h).

#include <algorithm>
#include <string>
#include <vector>

#include "juxta/core/try.h"
#include "juxta/transform/hierarchy.h"
#include "transform/access.h"
#include "transform/ask_rows.h"
#include "transform/lane_rows.h"
#include "transform/layout.h"
#include "transform/links.h"
#include "transform/new_nodes.h"
#include "transform/tidy.h"

namespace juxta {
namespace transform_detail {
namespace {

class Instances {
 public:
  Instances(HierarchyStore& store, const Prefab& prefab, std::span<const LocalTransform> roots,
            std::span<Id> ids, std::span<const std::int32_t> contexts)
      : store_(store),
        prefab_(prefab),
        roots_(roots),
        ids_(ids),
        contexts_(contexts),
        all_(ids.size() != roots.size()),
        all_contexts_(contexts.size() != roots.size()),
        vacant_(vacancies(store, prefab)),
        looks_(roots.size() + kMostMisses) {}

  /// Instances first, first + 1, ...: as many as there are vacancies, or as fit into one tile. Their roots.
  [[nodiscard]] std::span<const Row> place(std::size_t first) {
    tops_.clear();
    while (!vacant_.empty() && tops_.empty() && looks_ > 0) {
      fill(first);
    }
    if (tops_.empty()) {
      const std::uint32_t count = append(first);
      for (std::uint32_t i = 0; i < count; ++i) {
        tops_.push_back(begin_ + i);
      }
    }
    return tops_;
  }

 private:
  static constexpr std::size_t kMostMisses = 64;

  [[nodiscard]] static std::pmr::vector<Row>& vacancies(HierarchyStore& store, const Prefab& prefab) {
    const std::span<const std::uint32_t> children = Access::first_child(prefab);
    ShapeKey shape;
    for (std::size_t b = 0; b < prefab.size(); ++b) {
      shape.add(children[b + 1] - children[b]);
    }
    return store.vacancies.of(shape);
  }

  /// Takes as many places as there are, in the order of memory.
  void fill(std::size_t first) {
    const std::size_t most = std::min({vacant_.size(), roots_.size() - first, looks_});
    const auto count = static_cast<std::ptrdiff_t>(most);
    looks_ -= most;
    places_.assign(vacant_.end() - count, vacant_.end());
    vacant_.erase(vacant_.end() - count, vacant_.end());
    std::sort(places_.begin(), places_.end());
    for (std::size_t i = 0; i < places_.size(); ++i) {
      ask_ahead(i);
      if (const auto rows = vacant_rows_.find(store_, places_[i], Access::first_child(prefab_));
          !rows.empty()) {
        fill(places_[i], rows, first + tops_.size());
        tops_.push_back(places_[i]);
      }
    }
  }
  /// For the places that come next, in tiles of lanes: their rows are known without a look.
  void ask_ahead(std::size_t i) const noexcept {
    constexpr std::size_t kAhead = 2;
    if (i + 2 * kAhead < places_.size()) {
      ask_for(places_[i + 2 * kAhead], [](const Tile& tile, std::uint32_t row) {
        prefetch_children(tile, row);
        for (const RowMask* mask : {&tile.live, &tile.linked, &tile.pending, &tile.written}) {
          core_detail::prefetch_line(&mask->words[row / 64]);
        }
        core_detail::prefetch_line(&tile.changes[row / 64]);
        core_detail::prefetch_line(&tile.parent[row]);
      });
    }
    if (i + kAhead < places_.size()) {
      ask_for(places_[i + kAhead], [this](const Tile& tile, std::uint32_t row) { ask_for_rows(tile, row); });
    }
  }
  template <class Ask>
  void ask_for(Row top, Ask&& ask) const noexcept {
    const Tile* tile = top / kTileRows < store_.tiles.size() ? store_.tiles[top / kTileRows] : nullptr;
    if (tile != nullptr && tile->lanes) {
      ask(*tile, top % kTileRows);
    }
  }
  void ask_for_rows(const Tile& tile, std::uint32_t root) const noexcept {
    ask_for_local(tile, root);
    core_detail::prefetch_line(&tile.row_versions[tile.place_of_version(root)]);
    for (std::uint32_t b = 0, row = root; b < prefab_.size() && row < kTileRows; ++b, row += kGroupRows) {
      core_detail::prefetch_line(&tile.slot[row]);
      core_detail::prefetch_line(&tile.flags[row]);
      ask_for_own_or_shared(tile, row);
    }
  }
  /// One instance.
  void fill(Row top, std::span<const std::uint32_t> rows, std::size_t instance) {
    begin_ = top;
    Tile& tile = store_.tile_of(top);
    for (std::uint32_t b = 0; b < prefab_.size(); ++b) {
      put<put_node_again>(tile, rows[b], instance, b);
    }
    tile.lanes ? renew_lane(tile, rows[0]) : renew_rows(tile, rows);
    tile.nodes += static_cast<std::uint32_t>(prefab_.size());
    store_.debt -= std::min(store_.debt, kDebtOfHole * prefab_.size());
    link_roots(tile, rows[0], 1);
  }
  static void renew_lane(Tile& tile, std::uint32_t root) {
    const LaneRows lane = LaneRows::below(tile, root);
    lane.for_each_word([&](std::uint32_t w, std::uint64_t bits) { renew_marks(tile, w, bits); });
    std::fill_n(&tile.row_version(root), lane.count(), 0U);  // they stand together
  }
  void renew_rows(Tile& tile, std::span<const std::uint32_t> rows) const {
    const std::span<const std::uint32_t> children = Access::first_child(prefab_);
    for (std::uint32_t b = 0; b < rows.size(); ++b) {
      const std::uint32_t row = rows[b];
      renew_marks(tile, row / 64, std::uint64_t{1} << row % 64);
      tile.row_version(row) = 0;
      const std::uint32_t parent = row | (tile.stretched().test(row) ? kParentStretched : 0);
      std::fill_n(tile.parent.data() + tile.first_child[row], children[b + 1] - children[b], parent);
    }
  }

  /// Where nothing stood before; how many.
  std::uint32_t append(std::size_t first) {
    const auto size = static_cast<std::uint32_t>(prefab_.size());
    if (store_.side_by_side && roots_.size() - first >= kGroupRows && fits_lanes(size)) {
      place_lanes(first, size);
      return kGroupRows;
    }
    const std::uint32_t room = room_left(store_) < size ? kTileRows : room_left(store_);
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(room / size, roots_.size() - first));
    begin_ = begin_block(store_, count * size);
    Tile& tile = store_.tile_of(begin_);
    const std::uint32_t base = begin_ % kTileRows;
    const std::span<const std::uint32_t> levels = Access::levels(prefab_);
    for (std::size_t level = 0; level + 1 < levels.size(); ++level) {
      std::uint32_t row = base + count * levels[level];
      for (std::uint32_t i = 0; i < count; ++i) {
        for (std::uint32_t b = levels[level]; b < levels[level + 1]; ++b, ++row) {
          put(tile, row, first + i, b);
          put_children(tile, row, base, count, i, b, level);
        }
      }
    }
    end_block(tile, base, count * size);
    link_roots(tile, base, count);
    return count;
  }
  /// Eight of them, side by side.
  void place_lanes(std::size_t first, std::uint32_t size) {
    begin_ = begin_lane_block(store_, size);
    Tile& tile = store_.tile_of(begin_);
    const std::uint32_t base = begin_ % kTileRows, group = base / kGroupRows;
    const std::span<const std::uint32_t> children = Access::first_child(prefab_);
    for (std::uint32_t b = 0; b < size; ++b) {
      tile.put_groups(group + b, group + children[b], group + children[b + 1]);
      for (std::uint32_t lane = 0; lane < kGroupRows; ++lane) {
        const std::uint32_t row = base + b * kGroupRows + lane;
        put(tile, row, first + lane, b);
      }
    }
    tile.lane_tree.put_block(group, group + size);
    end_lane_block(store_, begin_, size);
    link_roots(tile, base, kGroupRows);
  }
  /// They are roots, and everything is to be propagated from them.
  void link_roots(Tile& tile, std::uint32_t base, std::uint32_t count) {
    tile.linked.set_range(base, base + count);
    tile.pending.set_range(base, base + count);
    std::fill_n(&tile.parent[base], count, 0U);
    store_.mark_tile(begin_ / kTileRows);
    store_.roots += count;
  }
  /// Everything but its parent and its children. `b` is its place breadth first.
  template <auto kPut = put_node>
  void put(Tile& tile, std::uint32_t row, std::size_t instance, std::uint32_t b) {
    const std::uint32_t j = Access::order(prefab_)[b];
    const NodeDescription& node = prefab_.nodes()[j];
    const Id id = kPut(store_, tile, begin_ / kTileRows * kTileRows + row,
                       b == 0 ? *checked(roots_[instance], Id{}) : node.local,
                       {node.stretch, context_of(instance, j), node.inherit});
    if (all_) {
      ids_[instance * prefab_.size() + j] = id;
    } else if (b == 0) {
      ids_[instance] = id;
    }
  }
  [[nodiscard]] std::int32_t context_of(std::size_t instance, std::uint32_t j) const noexcept {
    if (contexts_.empty() || (!all_contexts_ && j != 0)) {
      return prefab_.nodes()[j].context;
    }
    return contexts_[all_contexts_ ? instance * prefab_.size() + j : instance];
  }
  void put_children(Tile& tile, std::uint32_t row, std::uint32_t base, std::uint32_t count,
                    std::uint32_t instance, std::uint32_t b, std::size_t level) {
    const std::span<const std::uint32_t> levels = Access::levels(prefab_);
    const std::uint32_t begin = levels[level + 1];
    const std::uint32_t width = level + 2 < levels.size() ? levels[level + 2] - begin : 0;
    const std::uint32_t at = base + count * begin + instance * width;
    const std::uint32_t first = at + Access::first_child(prefab_)[b] - begin,
                        last = at + Access::first_child(prefab_)[b + 1] - begin;
    tile.first_child[row] = static_cast<std::uint16_t>(first);
    const std::uint32_t parent = row | (tile.stretched().test(row) ? kParentStretched : 0);
    std::fill_n(tile.parent.data() + first, last - first, parent);
  }

  HierarchyStore& store_;
  const Prefab& prefab_;
  std::span<const LocalTransform> roots_;
  std::span<Id> ids_;
  std::span<const std::int32_t> contexts_;
  bool all_, all_contexts_;  // one for each node, not for each root
  std::pmr::vector<Row>& vacant_;
  std::size_t looks_;  // at places that may be taken: no call walks a long list of those
  std::vector<Row> places_, tops_;
  VacantRows vacant_rows_;
  Row begin_ = kNoRow;
};

Result<void> check_instances(const HierarchyStore& store, const Prefab& prefab,
                             std::span<const LocalTransform> roots, std::span<const Id> ids,
                             std::span<const Id> parents, std::span<const std::int32_t> contexts) {
  if (ids.size() != roots.size() && ids.size() != roots.size() * prefab.size()) {
    return fail(ErrorCode::kInvalidArgument, "instantiate: ids has room for " + std::to_string(ids.size()) +
                                                 " names; give one for each of the " +
                                                 std::to_string(roots.size()) +
                                                 " roots, or one for each of their nodes");
  }
  if (!parents.empty() && parents.size() != roots.size()) {
    return fail(ErrorCode::kInvalidArgument, "instantiate: parents is not as long as roots");
  }
  if (!contexts.empty() && contexts.size() != roots.size() &&
      contexts.size() != roots.size() * prefab.size()) {
    return fail(ErrorCode::kInvalidArgument, "instantiate: there are " + std::to_string(contexts.size()) +
                                                 " contexts; give none, one for each of the " +
                                                 std::to_string(roots.size()) +
                                                 " roots, or one for each of their nodes");
  }
  if (!store.has_slots(roots.size() * prefab.size())) {
    return fail(ErrorCode::kTooLarge, "instantiate: there would be more than 2^32 - 2 nodes");
  }
  for (std::size_t i = 0; i < roots.size(); ++i) {
    JUXTA_TRY(checked(NodeDescription{.local = roots[i]}, "instantiate", i));
  }
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (parents[i] != Id{}) {
      JUXTA_TRY(row_of(store, parents[i], i));
    }
  }
  return {};
}

}  // namespace
}  // namespace transform_detail

Result<void> Hierarchy::instantiate(const Prefab& prefab, std::span<const LocalTransform> roots,
                                    std::span<Id> ids, std::span<const Id> parents,
                                    std::span<const std::int32_t> contexts) {
  transform_detail::HierarchyStore& store = *store_;
  JUXTA_TRY(transform_detail::check_instances(store, prefab, roots, ids, parents, contexts));
  transform_detail::Instances instances(store, prefab, roots, ids, contexts);
  for (std::size_t first = 0; first < roots.size();) {
    const std::span<const transform_detail::Row> tops = instances.place(first);
    for (std::size_t i = 0; i < tops.size() && !parents.empty(); ++i) {
      if (parents[first + i] != Id{}) {
        const transform_detail::Row row = tops[i];
        transform_detail::unlink(store, row);
        transform_detail::link(store, row, store.slots[parents[first + i].slot].row);
        store.debt += transform_detail::kDebtOfLink;
      }
    }
    first += tops.size();
  }
  tidy(store, parents.size());
  return {};
}

}  // namespace juxta
