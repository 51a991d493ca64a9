// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "juxta/core/try.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/layer.h"
#include "scenes/boxes.h"
#include "viewer/wasm/scenes.h"
#include "viewer/wasm/stopwatch.h"

namespace juxta::page {
namespace {

constexpr double kMostBoxes = 50'000;

class BoxesWorld final : public ViewedWorld {
 public:
  explicit BoxesWorld(std::uint64_t seed) : seed_(seed) {}

  /// Everything anew. Errors: of Layer.
  Result<void> begin(std::size_t count) {
    boxes_ = scenes::make_boxes(scenes::BoxSet::kClustered, count, seed_);
    steps_ = 0;
    JUXTA_TRY(layer_.rebuild(boxes_.boxes));
    return look();
  }

  ViewInfo info() const override {
    ViewInfo info;
    info.title = "moving boxes";
    info.dimensions = 3;
    info.hi = {boxes_.side, boxes_.side, boxes_.side};
    info.groups = {{.name = "boxes", .columns = {"overlaps"}, .colour = "overlaps"}};
    info.parameters = {
        {{"boxes", static_cast<double>(boxes_.boxes.size()), 1, kMostBoxes, true, "how many there are"},
         false}};
    info.stages = {"move the layer", "find pairs"};
    info.reports = {"pairs"};
    info.overlays = {{"boxes", ViewOverlay::Kind::kBoxes, "all boxes, as the layer has them", true},
                     {"pairs", ViewOverlay::Kind::kLines, "between the middles of boxes that overlap", true},
                     {"blocks", ViewOverlay::Kind::kBoxes,
                      "around up to 16 boxes each: the lowest level of the layer's tree"}};
    return info;
  }
  ViewThings things(std::size_t /*group*/) const override {
    ViewThings things;
    things.x = x_;
    things.y = y_;
    things.z = z_;
    things.columns.emplace_back(std::span<const std::uint32_t>(overlaps_));
    return things;
  }
  std::uint64_t steps() const override { return steps_; }
  Result<void> step() override {
    scenes::advance(boxes_);
    ++steps_;
    const Stopwatch watch;
    JUXTA_TRY(layer_.refit(boxes_.boxes));
    refit_ms_ = watch.milliseconds();
    return look();
  }
  std::vector<double> stage_ms() const override { return {refit_ms_, pairs_ms_}; }
  std::vector<double> reports() const override { return {static_cast<double>(pairs_.size())}; }

  void overlay(std::size_t index, ViewParts& parts) const override {
    if (index == 0) {
      for (const Aabb3& box : boxes_.boxes) {
        parts.insert(box.lo, box.hi);
      }
    } else if (index == 1) {
      for (const Pair& pair : pairs_) {
        parts.insert(middle(pair.a), middle(pair.b));
      }
    } else {
      std::vector<Aabb3> blocks(layer_.stats().blocks);
      blocks.resize(std::min(layer_.block_boxes(blocks), blocks.size()));
      for (const Aabb3& box : blocks) {
        parts.insert(box.lo, box.hi);
      }
    }
  }

  Result<void> restart(std::optional<std::uint64_t> seed,
                       std::span<const std::pair<std::string, double>> parameters) override {
    std::size_t count = boxes_.boxes.size();
    for (const auto& [name, value] : parameters) {
      if (name != "boxes" || !(value >= 1 && value <= kMostBoxes)) {
        return fail(ErrorCode::kInvalidArgument, name + ": give boxes, from 1 to 50000");
      }
      count = static_cast<std::size_t>(value);
    }
    seed_ = seed.value_or(seed_);
    return begin(count);
  }

 private:
  [[nodiscard]] Vec3 middle(std::uint32_t body) const { return {x_[body], y_[body], z_[body]}; }

  /// Which boxes overlap now, and where their middles are.
  Result<void> look() {
    const std::size_t count = boxes_.boxes.size();
    const Stopwatch watch;
    pairs_.resize(pairs_.capacity());
    JUXTA_TRY_LET(QueryResult found, find_pairs(layer_, pairs_));
    if (found.found > pairs_.size()) {
      pairs_.resize(found.found + found.found / 4);
      JUXTA_TRY_LET(found, find_pairs(layer_, pairs_));
    }
    pairs_.resize(found.found);
    pairs_ms_ = watch.milliseconds();
    overlaps_.assign(count, 0);
    for (const Pair& pair : pairs_) {
      ++overlaps_[pair.a];
      ++overlaps_[pair.b];
    }
    x_.resize(count);
    y_.resize(count);
    z_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3 at = (boxes_.boxes[i].lo + boxes_.boxes[i].hi) * 0.5F;
      x_[i] = at.x;
      y_[i] = at.y;
      z_[i] = at.z;
    }
    return {};
  }

  scenes::BoxWorld boxes_;
  Layer layer_;
  std::uint64_t seed_;
  std::uint64_t steps_ = 0;
  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> overlaps_;  // by box
  std::vector<float> x_, y_, z_;
  double refit_ms_ = 0, pairs_ms_ = 0;
};

}  // namespace

Result<std::unique_ptr<ViewedWorld>> make_boxes_world(std::size_t count, std::uint64_t seed) {
  auto world = std::make_unique<BoxesWorld>(seed);
  JUXTA_TRY(world->begin(count));
  return world;
}

}  // namespace juxta::page
