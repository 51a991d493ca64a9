// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// nearest_100k/<way>: 2k points ask 100k uniform boxes that rest for the nearest one within 1.5, where nearly
// every point finds one. boxcast_100k/<way>: 2k boxes, a tenth as large, go 10 of their way, a fifth of the
// world, and ask for the first box that they touch. One iteration is one query. classic_one, classic_buckets:
// FindObjects with the box around all that the query can reach, as "Find Objects 1" derives these questions.
// brute: every box is looked at. The library's rays are in rays.cpp; its casts belong to shapes
// (bench/shape).
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/layer/best_setting.h"
#include "bench/layer/frames.h"
#include "bench/layer/oracle.h"
#include "bench/layer/rows.h"
#include "bench/support/once.h"
#include "bench/support/settings.h"
#include "classics/layer/collision_layer.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/nearest.h"

namespace juxta::bench {
namespace {

using classics::CollisionLayer;
using Point3 = Vec3;

constexpr std::size_t kBoxes = 100'000, kQueries = 2'000;
constexpr std::uint64_t kSeed = 1, kPointSeed = 5, kWaySeed = 6;
constexpr float kReach = 1.5F, kWay = 10, kNever = std::numeric_limits<float>::infinity();

// Asks with query i; the body that answers.
using Ask = std::function<std::uint32_t(std::size_t query)>;

struct ReachWork {
  ReachWork() {
    const scenes::BoxWorld world = make_boxes(scenes::BoxSet::kUniform, box_count(kBoxes), kSeed);
    boxes = world.boxes;
    movers = make_query_boxes(world, box_count(kQueries), kPointSeed);
    for (Aabb3& mover : movers) {
      for (int axis = 0; axis < 3; ++axis) {
        mover.hi[axis] = mover.lo[axis] + 0.1F * (mover.hi[axis] - mover.lo[axis]);
      }
    }
    for (const Ray3& ray : make_query_rays(world, movers.size(), kWaySeed)) {
      ways.push_back({ray.direction[0], ray.direction[1], ray.direction[2]});
    }
  }
  [[nodiscard]] Point3 point(std::size_t i) const {
    return {movers[i].lo[0], movers[i].lo[1], movers[i].lo[2]};
  }

  std::vector<Aabb3> boxes, movers;
  std::vector<Point3> ways;
};
using Shared = std::shared_ptr<Once<ReachWork>>;

std::unique_ptr<CollisionLayer> classic_layer(const ReachWork& work, std::uint32_t cells) {
  classics::LayerCells made{work.boxes.front(), cells, cells};
  for (const Aabb3& box : work.boxes) {
    for (int axis = 0; axis < 3; ++axis) {
      made.world.lo[axis] = std::min(made.world.lo[axis], box.lo[axis]);
      made.world.hi[axis] = std::max(made.world.hi[axis], box.hi[axis]);
    }
  }
  auto layer = std::make_unique<CollisionLayer>(made);
  Workspace workspace;
  layer->build(work.boxes, workspace, classics::Ask::kPairsAndObjects);
  return layer;
}

using MakeAsk = std::function<Ask(const ReachWork& work)>;
using MakeClassic = std::function<Ask(const ReachWork& work, std::uint32_t cells)>;

MakeAsk at_best(const MakeClassic& make) {
  return [make](const ReachWork& work) {
    const auto trial = [&](std::uint32_t cells) -> std::function<void()> {
      return [&work, ask = make(work, cells)] {
        for (std::size_t i = 0; i < work.movers.size(); i += 20) {
          benchmark::DoNotOptimize(ask(i));
        }
      };
    };
    return make(work, best_setting(cells_to_try(work.boxes.size()), trial));
  };
}

// The same body as by brute force for each query, or nothing is timed.
void check(const Ask& ask, const Ask& brute, const ReachWork& work, const std::string& row) {
  const std::size_t checked = std::min<std::size_t>(work.movers.size(), 500);
  for (std::size_t i = 0; i < checked; ++i) {
    if (ask(i) != brute(i)) {
      give_up(row + " answers query " + std::to_string(i) + " wrongly; nothing was timed.");
    }
  }
}

void add_row(const std::string& row, const Shared& shared, const MakeAsk& make, const MakeAsk& brute) {
  auto asker = std::make_shared<Once<Ask>>([=] {
    auto made = std::make_unique<Ask>(make(**shared));
    check(*made, brute(**shared), **shared, row);
    return made;
  });
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
    const Ask& ask = **asker;
    const std::size_t queries = (*shared)->movers.size();
    std::size_t found = 0;
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(queries))) {
      found = 0;
      for (std::size_t i = 0; i < queries; ++i) {
        found += ask(i) != kNoBody ? 1U : 0U;
      }
    }
    state.counters["boxes"] = static_cast<double>((*shared)->boxes.size());
    state.counters["queries"] = static_cast<double>(queries);
    state.counters["hit"] = static_cast<double>(found);
  });
}

// The squared distance of a point to a box, as juxta/layer/nearest.h defines it.
float distance2(const Point3& point, const Aabb3& box) {
  float sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const float apart = std::max(std::max(box.lo[axis] - point[axis], point[axis] - box.hi[axis]), 0.0F);
    sum += apart * apart;
  }
  return sum;
}

Ask brute_nearest(const ReachWork& work) {
  return [&work](std::size_t i) {
    std::uint32_t best = kNoBody;
    float best2 = kReach * kReach;
    for (std::uint32_t body = 0; body < work.boxes.size(); ++body) {
      const float d2 = distance2(work.point(i), work.boxes[body]);
      if (d2 < best2 || (d2 == best2 && best == kNoBody)) {
        best = body;
        best2 = d2;
      }
    }
    return best;
  };
}

// When a box that moves first touches another, as raycast.h defines it for a point; infinity: never.
float touches(const Aabb3& mover, const Point3& way, const Aabb3& box) {
  float enter = 0, leave = kWay;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const float inverse = 1 / way[axis];
    if (!std::isfinite(inverse)) {
      if (mover.hi[axis] < box.lo[axis] || box.hi[axis] < mover.lo[axis]) {
        return kNever;
      }
      continue;
    }
    const float a = (box.lo[axis] - mover.hi[axis]) * inverse;
    const float b = (box.hi[axis] - mover.lo[axis]) * inverse;
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
  return enter <= leave ? enter : kNever;
}

Ask brute_boxcast(const ReachWork& work) {
  return [&work](std::size_t i) {
    RayHit best;
    for (std::uint32_t body = 0; body < work.boxes.size(); ++body) {
      const float t = touches(work.movers[i], work.ways[i], work.boxes[body]);
      if (t < best.t) {
        best = {body, t};
      }
    }
    return best.body;
  };
}

Ask juxta_nearest(const ReachWork& work) {
  auto built = Layer::build(work.boxes, {.quality = OrderQuality::kTight});
  if (!built) {
    give_up(built.error().message);
  }
  return [&work, layer = std::make_shared<Layer>(std::move(*built))](std::size_t i) {
    return nearest(*layer, work.point(i), kReach).body;
  };
}

Ask classic_nearest(const ReachWork& work, std::uint32_t cells) {
  return [&work, layer = std::shared_ptr<CollisionLayer>(classic_layer(work, cells))](std::size_t i) {
    return layer->nearest(work.point(i), kReach).body;
  };
}

Ask classic_boxcast(const ReachWork& work, std::uint32_t cells) {
  return [&work, layer = std::shared_ptr<CollisionLayer>(classic_layer(work, cells))](std::size_t i) {
    return layer->boxcast_closest(work.movers[i], work.ways[i], kWay).body;
  };
}

MakeAsk in_one(const MakeClassic& make) {
  return [make](const ReachWork& work) { return make(work, 1); };
}

}  // namespace

void register_reach() {
  const auto shared = std::make_shared<Once<ReachWork>>([] { return std::make_unique<ReachWork>(); });
  add_row("nearest_100k/juxta", shared, juxta_nearest, brute_nearest);
  add_row("nearest_100k/classic_one", shared, in_one(classic_nearest), brute_nearest);
  add_row("nearest_100k/classic_buckets", shared, at_best(classic_nearest), brute_nearest);
  add_row("nearest_100k/brute", shared, brute_nearest, brute_nearest);
  add_row("boxcast_100k/classic_one", shared, in_one(classic_boxcast), brute_boxcast);
  add_row("boxcast_100k/classic_buckets", shared, at_best(classic_boxcast), brute_boxcast);
  add_row("boxcast_100k/brute", shared, brute_boxcast, brute_boxcast);
}

}  // namespace juxta::bench
