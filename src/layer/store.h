// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a layer owns, and what its kernels read.
//
//   lane       0 .. 15 | 16 .. 31 | ...  sorted_end ... tail_end ... lane_end | spare, empty
//   body_of    which body lies in a lane (kNoBody: a hole)         (+ category, mask when filtered)
//   lane_of    where a body lies (kNoBody: dead)
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "juxta/core/array.h"
#include "juxta/core/id_table.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/pair.h"
#include "order/block_tree.h"

namespace juxta::layer_detail {

/// What a query reads: a layer, or some of its bodies in the same order.
template <int D>
struct LayerView {
  const BlockTree<D>* tree = nullptr;
  const std::uint32_t* body_of = nullptr;   // per lane
  const std::uint32_t* category = nullptr;  // per lane; null: nothing is filtered
  const std::uint32_t* mask = nullptr;
};

template <int D>
struct LayerStore {
  explicit LayerStore(std::pmr::memory_resource* resource)
      : memory(resource),
        blocks(resource),
        body_of(resource),
        lane_of(resource),
        category(resource),
        mask(resource),
        ids(resource),
        scratch(resource) {}

  std::pmr::memory_resource* memory;
  Array<BoxBlock<D>> blocks;      // all levels of the tree
  BlockTree<D> tree;              // over `blocks`; level 0 has room for body_of.size() lanes
  Array<std::uint32_t> body_of;   // per lane, spare ones included
  Array<std::uint32_t> lane_of;   // per body, dead ones included; its size is the layer's capacity()
  Array<std::uint32_t> category;  // per lane; empty unless filtered
  Array<std::uint32_t> mask;
  bool filtered = false;
  std::uint32_t bodies = 0;      // alive
  std::uint32_t sorted_end = 0;  // lanes below lie along the curve
  std::uint32_t tail_end = 0;    // lanes from sorted_end to here lie along a curve of their own
  std::uint32_t lane_end = 0;    // lanes from here on are empty
  std::uint32_t strays = 0;      // bodies that joined or moved far since the last sort
  std::uint64_t sorts = 0;
  double edges_at_sort = 0;  // sum of the edges of the blocks below sorted_end after the last sort
  double edges = 0;          // the same now
  bool has_ids = false;      // `ids` is filled by the first single-body call: bodies are its slots
  IdTable ids;               // only its slots are used; rows mean nothing here
  Workspace scratch;         // for sorting again

  [[nodiscard]] LayerView<D> view() const noexcept {
    return {&tree, body_of.data(), filtered ? category.data() : nullptr, filtered ? mask.data() : nullptr};
  }
};

/// What the library and its tests see of a layer.
struct Access {
  template <int D>
  [[nodiscard]] static const LayerStore<D>& store(const BasicLayer<D>& layer) noexcept {
    return *layer.store_;
  }
};

template <int D>
[[nodiscard]] LayerView<D> view_of(const BasicLayer<D>& layer) noexcept {
  return Access::store(layer).view();
}

}  // namespace juxta::layer_detail
