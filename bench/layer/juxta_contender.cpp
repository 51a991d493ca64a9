// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/layer/contenders.h"
#include "bench/support/settings.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/query.h"

namespace juxta::bench {
namespace {

void must(const Result<void>& done) {
  if (!done) {
    give_up(done.error().message);
  }
}

class JuxtaPairs final : public PairFinder {
 public:
  explicit JuxtaPairs(bool refit) : refit_(refit) {}

  std::size_t pairs(std::span<const Aabb3> boxes, std::span<Pair> out) override {
    take_in(first_, boxes);
    return find_pairs(first_, out, {}, {.workspace = &workspace_})->found;
  }
  std::size_t cross(std::span<const Aabb3> a, std::span<const Aabb3> b, std::span<Pair> out) override {
    take_in(first_, a);
    take_in(second_, b);
    return find_pairs(first_, second_, out, {}, {.workspace = &workspace_})->found;
  }
  [[nodiscard]] std::size_t memory_bytes() const override {
    return first_.stats().memory_bytes + second_.stats().memory_bytes;
  }

 private:
  void take_in(Layer& layer, std::span<const Aabb3> boxes) {
    if (refit_ && layer.capacity() == boxes.size()) {
      must(layer.refit(boxes, {.workspace = &workspace_}));
    } else {
      must(layer.rebuild(boxes, {}, {.workspace = &workspace_}));
    }
  }

  bool refit_;
  Layer first_, second_;
  Workspace workspace_;
};

Layer built(std::span<const Aabb3> boxes, OrderQuality quality) {
  auto layer = Layer::build(boxes, {.quality = quality});
  if (!layer) {
    give_up(layer.error().message);
  }
  return std::move(*layer);
}

class JuxtaBoxes final : public BoxBuilder {
 public:
  JuxtaBoxes(std::span<const Aabb3> boxes, OrderQuality quality)
      : quality_(quality), layer_(built(boxes, quality)) {}
  void build(std::span<const Aabb3> boxes) override {
    must(layer_.rebuild(boxes, {.quality = quality_}, {.workspace = &workspace_}));
  }
  std::uint32_t any(const Aabb3& query) override { return find_any(layer_, query); }
  std::size_t all(const Aabb3& query, std::span<std::uint32_t> out) override {
    return find_all(layer_, query, out).found;
  }

 private:
  OrderQuality quality_;
  Layer layer_;
  Workspace workspace_;
};

class JuxtaBatch final : public BatchAsker {
 public:
  JuxtaBatch(std::span<const Aabb3> boxes, OrderQuality quality) : layer_(built(boxes, quality)) {}
  void any(std::span<const Aabb3> queries, std::span<std::uint32_t> out) override {
    if (const auto done = find_any(layer_, queries, out, {}, {.workspace = &workspace_}); !done) {
      give_up(done.error().message);
    }
  }
  std::size_t all(std::span<const Aabb3> queries, std::span<Pair> out) override {
    return find_all(layer_, queries, out, {}, {.workspace = &workspace_})->found;
  }

 private:
  Layer layer_;
  Workspace workspace_;
};

class JuxtaRays final : public RayAsker {
 public:
  JuxtaRays(std::span<const Aabb3> boxes, OrderQuality quality) : layer_(built(boxes, quality)) {}
  RayHit closest(const Ray3& ray) override { return raycast_closest(layer_, ray); }

 private:
  Layer layer_;
};

}  // namespace

std::unique_ptr<PairFinder> make_juxta_pairs(bool refit) {
  return std::make_unique<JuxtaPairs>(refit);
}

std::unique_ptr<BoxBuilder> make_juxta_boxes(std::span<const Aabb3> boxes, OrderQuality quality) {
  return std::make_unique<JuxtaBoxes>(boxes, quality);
}

std::unique_ptr<BatchAsker> make_juxta_batch(std::span<const Aabb3> boxes, OrderQuality quality) {
  return std::make_unique<JuxtaBatch>(boxes, quality);
}

std::unique_ptr<RayAsker> make_juxta_rays(std::span<const Aabb3> boxes, OrderQuality quality) {
  return std::make_unique<JuxtaRays>(boxes, quality);
}

}  // namespace juxta::bench
