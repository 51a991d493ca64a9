// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/transform/hierarchy.h"

#include "transform/links.h"
#include "transform/store.h"

namespace juxta {

using transform_detail::Row;
using transform_detail::Tile;

Hierarchy::Hierarchy(const HierarchyOptions& options, std::pmr::memory_resource* resource)
    : store_(make_owned<transform_detail::HierarchyStore>(options, resource)) {}
Hierarchy::Hierarchy(Hierarchy&&) noexcept = default;
Hierarchy& Hierarchy::operator=(Hierarchy&&) noexcept = default;
Hierarchy::~Hierarchy() = default;

bool Hierarchy::alive(Id id) const noexcept {
  return store_->alive(id);
}
std::size_t Hierarchy::size() const noexcept {
  return store_->nodes;
}
std::uint64_t Hierarchy::version() const noexcept {
  return store_->version;
}

Result<Id> Hierarchy::parent(Id id) const {
  return row_of(*store_, id).map([&](Row row) {
    const Row parent = store_->parent_of(row);
    return parent == transform_detail::kNoRow ? Id{} : store_->id_at(parent);
  });
}

Result<void> Hierarchy::for_each_child(Id id, FunctionRef<void(Id)> visit) const {
  return row_of(*store_, id).map([&](Row row) {
    transform_detail::for_each_child_row(*store_, row, [&](Row child) { visit(store_->id_at(child)); });
  });
}

void Hierarchy::for_each(FunctionRef<void(Id)> visit) const {
  for (const Tile* tile : store_->tiles) {
    for (std::uint32_t w = 0; tile != nullptr && w < transform_detail::kTileWords; ++w) {
      transform_detail::for_each_bit(tile->live.words[w], w * 64, [&](std::uint32_t row) {
        const std::uint32_t slot = tile->slot[row];
        visit({slot, store_->slots[slot].generation});
      });
    }
  }
}

Result<std::uint64_t> Hierarchy::changed_at(Id id) const {
  return row_of(*store_, id).map([&](Row row) -> std::uint64_t {
    return store_->tile_of(row).version_of(row % transform_detail::kTileRows);
  });
}

std::size_t Hierarchy::slot_count() const noexcept {
  return store_->slots.size();
}

HierarchyStats Hierarchy::stats() const noexcept {
  return {.nodes = store_->nodes,
          .roots = store_->roots,
          .tiles = store_->tiles_in_use(),
          .links = store_->linked_nodes,
          .memory_bytes = store_->memory_bytes()};
}

}  // namespace juxta
