// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A layer and a plain list of bodies, changed and asked at random. Shared with fuzz/layer: what differs comes
// back as words, and none are good.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "layer/compare_batches.h"
#include "layer/compare_pairs.h"
#include "layer/compare_queries.h"
#include "layer/model.h"
#include "layer/narrow.h"
#include "layer/worlds.h"

namespace juxta::test {

template <int D, class Draw>
class History {
 public:
  History(Draw& draw, World kind) : draw_(draw), kind_(kind) {}

  BasicLayer<D> layer;
  Model<D> model;

  /// One change; the size wanders up to about `most`.
  std::string change(std::uint32_t most) {
    if (draw_.below(2500) == 0) {
      return rebuild(draw_.below(most));
    }
    if (draw_.below(500) == 0) {
      return refit();
    }
    growing_ = draw_.below(200) == 0 ? !growing_ : growing_;
    const bool shrink = model.living() > most || (growing_ == (draw_.below(3) == 0));
    switch (draw_.below(16)) {
      case 0:
        return insert_many(draw_.below(40));
      case 1:
        return set_filter();
      case 2:
      case 3:
      case 4:
        return move(true);
      case 5:
      case 6:
      case 7:
        return move(false);
      default:
        return shrink ? remove() : insert();
    }
  }

  std::string rebuild(std::uint32_t count) {
    auto boxes = make_world<D>(draw_, kind_, count);
    auto filters = draw_.below(2) == 0 ? std::vector<Filter>() : draw_filters(draw_, count);
    if (!layer.rebuild(boxes, {.filters = filters})) {
      return "rebuild";
    }
    model.build(std::move(boxes), std::move(filters));
    return {};
  }

  std::string refit() {
    std::vector<Aabb<D>> boxes = model.boxes;
    for (Aabb<D>& one : boxes) {
      one = draw_.below(3) == 0 ? one : box();
    }
    if (!layer.refit(boxes)) {
      return "refit";
    }
    model.boxes = std::move(boxes);
    return {};
  }

  std::string refuse() {
    const Aabb<D> good = box();
    Aabb<D> bad = good;
    const auto axis = draw_.below(D);
    bad.lo[axis] = one_of(draw_, {kNan, kInf, -kInf});
    if (layer.insert(bad)) {
      return "insert took what is no box";
    }
    for (const Id id : {Id{}, Id{draw_.below(64), 2 * draw_.below(4)}}) {  // even: never alive
      if (layer.alive(id) || layer.move(id, good) || layer.remove(id) || layer.set_filter(id, {})) {
        return "an Id that never lived was taken";
      }
    }
    if (const auto id = some_body(); id && layer.move(*id, bad)) {
      return "move took what is no box";
    }
    std::vector<Aabb<D>> wrong(model.boxes.size() + 1);
    return layer.refit(wrong) ? "refit took another length" : std::string();
  }

  std::string ask() {
    const Narrowing narrow(draw_, draw_filter(draw_), layer.capacity());
    const QueryOptions options = narrow.options();
    const auto planes = draw_planes<D>(draw_, boxes());
    std::string words = compare_box(layer, model.view(), draw_question_box<D>(draw_, boxes()), options);
    words += compare_ray(layer, model.view(), draw_ray<D>(draw_, boxes()), options);
    words +=
        compare_nearest(layer, model.view(), draw_point<D>(draw_, boxes()), draw_distance(draw_), options);
    words += compare_frustum(layer, model.view(), std::span<const Plane<D>>(planes), options);
    return words;
  }

  std::string ask_pairs() {
    std::string words = compare_bodies(layer, model);
    FindPairsOptions options;
    words +=
        compare_pairs(PairSearch<D>(layer, nullptr, options), layer_detail::pairs_reference(model.view()));
    const auto only = draw_bytes(draw_, model.boxes.size(), 1 + draw_.below(4));
    options.only = only;
    words += compare_pairs(PairSearch<D>(layer, nullptr, options),
                           layer_detail::pairs_reference(model.view(), only));
    return words;
  }

  std::string ask_batches(std::size_t questions) {
    std::vector<Aabb<D>> some_boxes;
    std::vector<Ray<D>> rays;
    std::vector<Vec<D>> points;
    std::vector<std::vector<Plane<D>>> frustums(draw_.below(4));
    for (std::size_t i = 0; i < questions; ++i) {
      some_boxes.push_back(draw_question_box<D>(draw_, boxes()));
      rays.push_back(draw_ray<D>(draw_, boxes()));
      points.push_back(draw_point<D>(draw_, boxes()));
    }
    for (auto& planes : frustums) {
      planes = draw_planes<D>(draw_, boxes());
    }
    Narrowing narrow(draw_, draw_filter(draw_), layer.capacity());
    const BatchOptions options = narrow.batch(questions);
    std::string words = compare_box_batch(layer, std::span<const Aabb<D>>(some_boxes), options);
    words += compare_ray_batch(layer, std::span<const Ray<D>>(rays), options);
    words += compare_nearest_batch(layer, std::span<const Vec<D>>(points), draw_distance(draw_), options);
    return words + compare_frustum_batch(layer, frustums, narrow.batch(frustums.size()));
  }

 private:
  [[nodiscard]] std::span<const Aabb<D>> boxes() const { return model.boxes; }
  Aabb<D> box() { return draw_box<D>(draw_, kind_, 12); }
  std::optional<Id> some_body() {
    const auto body = model.living_from(draw_.below(1U << 20));
    return body ? std::optional(layer.id_of(*body)) : std::nullopt;
  }

  std::string insert() {
    const Aabb<D> added = box();
    const Filter filter = draw_filter(draw_);
    const auto id = layer.insert(added, filter);
    if (!id) {
      return "insert";
    }
    model.insert(*id, added, filter);
    return {};
  }
  std::string insert_many(std::size_t count) {
    std::vector<Aabb<D>> added(count);
    std::vector<Filter> filters(draw_.below(2) * count);
    std::vector<Id> ids(count);
    for (Aabb<D>& one : added) {
      one = box();
    }
    for (Filter& one : filters) {
      one = draw_filter(draw_);
    }
    if (!layer.insert(added, ids, filters)) {
      return "insert of many";
    }
    for (std::size_t i = 0; i < count; ++i) {
      model.insert(ids[i], added[i], filters.empty() ? Filter{} : filters[i]);
    }
    return {};
  }
  std::string move(bool near) {
    const auto id = some_body();
    if (!id) {
      return {};
    }
    Aabb<D> to = near ? model.boxes[id->slot] : box();
    if (near) {
      const auto axis = draw_.below(D);
      to.hi[axis] = std::nextafter(to.hi[axis], kMax);
      to.lo[axis] = one_of(draw_, {to.lo[axis], to.hi[axis]});
    }
    if (!layer.move(*id, to)) {
      return "move";
    }
    model.boxes[id->slot] = to;
    return {};
  }
  std::string remove() {
    const auto id = some_body();
    if (!id) {
      return {};
    }
    if (!layer.remove(*id)) {
      return "remove";
    }
    model.remove(*id);
    const auto twice = layer.remove(*id);
    return !twice && twice.error().code == ErrorCode::kNotFound ? std::string() : "removed twice";
  }
  std::string set_filter() {
    const auto id = some_body();
    if (!id) {
      return {};
    }
    const Filter filter = draw_filter(draw_);
    if (!layer.set_filter(*id, filter)) {
      return "set_filter";
    }
    model.filters[id->slot] = filter;
    return {};
  }

  Draw& draw_;
  World kind_;
  bool growing_ = true;
};

}  // namespace juxta::test
