// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A layer beside a plain list of the bodies that it should hold: each change is made to both.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "juxta/layer/layer.h"
#include "layer/reference.h"
#include "layer/store.h"

namespace juxta::test {

template <int D>
struct Model {
  std::vector<Aabb<D>> boxes;
  std::vector<Filter> filters;
  std::vector<std::uint8_t> alive;
  std::vector<Id> ids;    // of the living
  std::vector<Id> stale;  // removed ones

  [[nodiscard]] layer_detail::ReferenceBodies<D> view() const { return {boxes, filters, alive}; }
  [[nodiscard]] std::size_t living() const {
    return static_cast<std::size_t>(std::count_if(alive.begin(), alive.end(), [](auto a) { return a != 0; }));
  }

  void build(std::vector<Aabb<D>> all, std::vector<Filter> all_filters) {
    boxes = std::move(all);
    filters = all_filters.empty() ? std::vector<Filter>(boxes.size()) : std::move(all_filters);
    alive.assign(boxes.size(), 1);
    ids.assign(boxes.size(), Id{});
    stale.clear();
  }
  void insert(Id id, const Aabb<D>& box, Filter filter) {
    if (id.slot >= boxes.size()) {
      boxes.resize(id.slot + 1);
      filters.resize(id.slot + 1);
      alive.resize(id.slot + 1);
      ids.resize(id.slot + 1);
    }
    boxes[id.slot] = box;
    filters[id.slot] = filter;
    alive[id.slot] = 1;
    ids[id.slot] = id;
  }
  void remove(Id id) {
    alive[id.slot] = 0;
    stale.push_back(id);
  }
  /// A living body's number, the first from `from` on, round the end.
  [[nodiscard]] std::optional<std::uint32_t> living_from(std::size_t from) const {
    for (std::size_t i = 0; i < alive.size(); ++i) {
      if (const std::size_t at = (from + i) % alive.size(); alive[at] != 0) {
        return static_cast<std::uint32_t>(at);
      }
    }
    return std::nullopt;
  }
};

/// What differs between the layer's own account of its bodies and the model's; empty: nothing.
template <int D>
std::string compare_bodies(const BasicLayer<D>& layer, const Model<D>& model) {
  if (layer.size() != model.living() || layer.capacity() != model.boxes.size()) {
    return "size " + std::to_string(layer.size()) + " of " + std::to_string(model.living()) + ", capacity " +
           std::to_string(layer.capacity()) + " of " + std::to_string(model.boxes.size());
  }
  if (layer.stats().bodies != model.living()) {
    return "stats().bodies";
  }
  for (std::uint32_t i = 0; i < model.boxes.size(); ++i) {
    const std::string body = " of body " + std::to_string(i);
    const Id id = layer.id_of(i);
    const auto box = layer.box_of(i);
    const auto filter = layer.filter_of(i);
    if (model.alive[i] == 0) {
      if (layer.alive(id) || box || filter) {
        return "death" + body;
      }
      if (box.error().code != ErrorCode::kNotFound || filter.error().code != ErrorCode::kNotFound) {
        return "error" + body;
      }
      continue;
    }
    if (!layer.alive(id) || id.slot != i || (model.ids[i] != Id{} && model.ids[i] != id)) {
      return "Id" + body;
    }
    if (!box || !(*box == model.boxes[i])) {
      return "box" + body;
    }
    if (!filter || !(*filter == model.filters[i])) {
      return "filter" + body;
    }
  }
  for (const Id id : model.stale) {
    if (layer.alive(id)) {
      return "a removed Id lives, slot " + std::to_string(id.slot);
    }
  }
  return {};
}

/// The bodies in the order of their lanes.
template <int D>
std::vector<std::uint32_t> order_of(const BasicLayer<D>& layer) {
  std::vector<std::uint32_t> order;
  for (std::size_t lane = 0; lane < layer_detail::Access::store(layer).lane_end; ++lane) {
    if (layer_detail::Access::store(layer).body_of[lane] != kNoBody) {
      order.push_back(layer_detail::Access::store(layer).body_of[lane]);
    }
  }
  return order;
}

}  // namespace juxta::test
