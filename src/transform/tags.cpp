// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Tags of nodes, and those that nodes have from above. Nothing is stored for the latter: a tag that a hull
// gets would have to be written to all of its parts, and again when they get another parent. To walk up costs
// little more than to look.
#include "transform/tags.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "transform/store.h"

namespace juxta {

using transform_detail::HierarchyStore;
using transform_detail::kNoRow;
using transform_detail::kTileRows;
using transform_detail::Row;
using transform_detail::Tile;

namespace {

constexpr std::uint8_t kNotKnown = 1U << kTagBits;  // in place of tags

std::uint8_t own_tags(const HierarchyStore& store, Row row) noexcept {
  return transform_detail::tags_of(store.tile_of(row).flags[row % kTileRows]);
}

/// Finds tags by slot, tile by tile: most parents stand in the same tile, before their children.
class InheritedTags {
 public:
  InheritedTags(const HierarchyStore& store, std::span<std::uint8_t> out) : store_(store), out_(out) {}

  void find_all(std::uint32_t number) {
    const Tile& tile = *store_.tiles[number];
    std::array<std::uint8_t, kTileRows>
        all;  // NOLINT(cppcoreguidelines-pro-type-member-init): by row, as found
    for (std::uint32_t w = 0; w < transform_detail::kTileWords; ++w) {
      transform_detail::for_each_bit(tile.live.words[w], w * 64, [&](std::uint32_t r) {
        std::uint8_t above = 0;
        if (!tile.linked.test(r)) {
          above = all[tile.parent_row(r)];
        } else if (tile.parent[r] != 0) {
          above = find(store_.links[tile.parent[r]].parent_row);
        }
        all[r] = static_cast<std::uint8_t>(transform_detail::tags_of(tile.flags[r]) | above);
        out_[tile.slot[r]] = all[r];
      });
    }
  }

 private:
  /// Up to the first node whose tags are known, and down again: each node once, whatever the links.
  std::uint8_t find(Row row) {
    for (Row at = row; at != kNoRow && tags(at) == kNotKnown; at = store_.parent_of(at)) {
      path_.push_back(at);
    }
    for (; !path_.empty(); path_.pop_back()) {
      const Row at = path_.back(), parent = store_.parent_of(at);
      tags(at) = static_cast<std::uint8_t>(own_tags(store_, at) | (parent == kNoRow ? 0 : tags(parent)));
    }
    return tags(row);
  }
  [[nodiscard]] std::uint8_t& tags(Row row) { return out_[store_.tile_of(row).slot[row % kTileRows]]; }

  const HierarchyStore& store_;
  std::span<std::uint8_t> out_;
  std::vector<Row> path_;
};

}  // namespace

Result<void> Hierarchy::set_tags(Id id, std::uint8_t tags) {
  return row_of(*store_, id).and_then([&](Row row) -> Result<void> {
    if (tags >= kNotKnown) {
      return transform_detail::fail_at(ErrorCode::kInvalidArgument, id,
                                       "tags are bits 0 to 6: give a number below 128");
    }
    std::uint16_t& flags = store_->tile_of(row).flags[row % kTileRows];
    flags = transform_detail::with_tags(flags, tags);
    store_->mark(row);
    return {};
  });
}

Result<std::uint8_t> Hierarchy::tags(Id id) const {
  return row_of(*store_, id).map([&](Row row) { return own_tags(*store_, row); });
}

Result<std::uint8_t> Hierarchy::inherited_tags(Id id) const {
  return row_of(*store_, id).map([&](Row row) {
    std::uint8_t all = 0;
    for (Row at = row; at != kNoRow; at = store_->parent_of(at)) {
      all |= own_tags(*store_, at);
    }
    return all;
  });
}

Result<void> Hierarchy::inherited_tags(std::span<std::uint8_t> out) const {
  const HierarchyStore& store = *store_;
  if (out.size() < slot_count()) {
    return fail(ErrorCode::kInvalidArgument, "inherited_tags: out has " + std::to_string(out.size()) +
                                                 " places for " + std::to_string(slot_count()) +
                                                 " slots: give it slot_count() of them");
  }
  const std::span<std::uint8_t> slots = out.first(slot_count());
  std::ranges::fill(slots, kNotKnown);
  InheritedTags tags(store, slots);
  for (std::uint32_t number = 0; number < store.tiles.size(); ++number) {
    if (store.tiles[number] != nullptr) {
      tags.find_all(number);
    }
  }
  std::ranges::replace(slots, kNotKnown, std::uint8_t{0});  // no node
  return {};
}

}  // namespace juxta
