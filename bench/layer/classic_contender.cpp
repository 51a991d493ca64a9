// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <vector>

#include "bench/layer/contenders.h"
#include "classics/layer/collision_layer.h"

namespace juxta::bench {
namespace {

using classics::Ask;
using classics::CollisionLayer;
using classics::LayerCells;
using classics::Sweep;

// A user of the original names the world's bounds once: here those of the first frame.
LayerCells cells_over(std::span<const Aabb3> boxes, std::uint32_t cells) {
  LayerCells made{boxes.empty() ? Aabb3{} : boxes[0], cells, cells};
  for (const Aabb3& box : boxes) {
    for (int axis = 0; axis < 3; ++axis) {
      made.world.lo[axis] = std::min(made.world.lo[axis], box.lo[axis]);
      made.world.hi[axis] = std::max(made.world.hi[axis], box.hi[axis]);
    }
  }
  return made;
}

class ClassicPairs final : public PairFinder {
 public:
  ClassicPairs(std::uint32_t cells, Sweep sweep) : cells_(cells), sweep_(sweep) {}

  std::size_t pairs(std::span<const Aabb3> boxes, std::span<Pair> out) override {
    begin(boxes);
    first_.build(boxes, workspace_);
    return first_.find_pairs(workspace_, out, sweep_);
  }
  std::size_t cross(std::span<const Aabb3> a, std::span<const Aabb3> b, std::span<Pair> out) override {
    begin(a);
    first_.build(a, workspace_);
    second_.build(b, workspace_);
    return first_.find_pairs(second_, workspace_, out);
  }
  [[nodiscard]] std::size_t memory_bytes() const override {
    return first_.memory_bytes() + second_.memory_bytes();
  }

 private:
  void begin(std::span<const Aabb3> boxes) {
    if (!begun_) {
      const LayerCells cells = cells_over(boxes, cells_);
      first_ = CollisionLayer(cells);
      second_ = CollisionLayer(cells);
      begun_ = true;
    }
  }

  std::uint32_t cells_;
  Sweep sweep_;
  bool begun_ = false;
  CollisionLayer first_, second_;
  Workspace workspace_;
};

// A layer that rests, with trees for single questions.
class ClassicBoxes final : public BoxAsker, public RayAsker {
 public:
  ClassicBoxes(std::span<const Aabb3> boxes, std::uint32_t cells, bool early = false)
      : early_(early), layer_(cells_over(boxes, cells)) {
    Workspace workspace;
    layer_.build(boxes, workspace, Ask::kPairsAndObjects);
  }
  std::uint32_t any(const Aabb3& query) override {
    const bool hit = early_ ? layer_.any_object_early(query) : layer_.any_object(query);
    return hit ? kSomeBody : kNoBody;
  }
  std::size_t all(const Aabb3& query, std::span<std::uint32_t> out) override {
    return layer_.find_objects(query, out);
  }
  RayHit closest(const Ray3& ray) override { return layer_.raycast_closest(ray); }

 private:
  bool early_;
  CollisionLayer layer_;
};

// The questions become a layer of their own, and then it is pairs of two layers.
class ClassicBatch final : public BatchAsker {
 public:
  ClassicBatch(std::span<const Aabb3> boxes, std::uint32_t cells)
      : layer_(cells_over(boxes, cells)), queries_(cells_over(boxes, cells)) {
    layer_.build(boxes, workspace_);
  }
  void any(std::span<const Aabb3> queries, std::span<std::uint32_t> out) override {
    queries_.build(queries, workspace_);
    hit_.assign(queries.size(), 0);
    queries_.flag_pairs(layer_, workspace_, hit_);
    std::transform(hit_.begin(), hit_.end(), out.begin(),
                   [](std::uint8_t hit) { return hit != 0 ? kSomeBody : kNoBody; });
  }
  std::size_t all(std::span<const Aabb3> queries, std::span<Pair> out) override {
    queries_.build(queries, workspace_);
    return queries_.find_pairs(layer_, workspace_, out);
  }

 private:
  CollisionLayer layer_, queries_;
  std::vector<std::uint8_t> hit_;
  Workspace workspace_;
};

}  // namespace

std::unique_ptr<PairFinder> make_classic_pairs(std::uint32_t cells) {
  return std::make_unique<ClassicPairs>(cells, Sweep::kOneAxis);
}

std::unique_ptr<PairFinder> make_classic_dual_axis() {
  return std::make_unique<ClassicPairs>(1, Sweep::kTwoAxes);
}

std::unique_ptr<BoxAsker> make_classic_boxes(std::span<const Aabb3> boxes, std::uint32_t cells) {
  return std::make_unique<ClassicBoxes>(boxes, cells);
}

std::unique_ptr<BoxAsker> make_classic_early_boxes(std::span<const Aabb3> boxes, std::uint32_t cells) {
  return std::make_unique<ClassicBoxes>(boxes, cells, true);
}

std::unique_ptr<BatchAsker> make_classic_batch(std::span<const Aabb3> boxes, std::uint32_t cells) {
  return std::make_unique<ClassicBatch>(boxes, cells);
}

std::unique_ptr<RayAsker> make_classic_rays(std::span<const Aabb3> boxes, std::uint32_t cells) {
  return std::make_unique<ClassicBoxes>(boxes, cells);
}

}  // namespace juxta::bench
