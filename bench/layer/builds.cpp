// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// build_100k: the structures that single questions ask, built over 100k boxes in the memory of the last
// build. juxta: the order of frames; juxta_tight: the one of the query rows. embree: the quality of the query
// rows; embree_low: that of frames.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/layer/contenders.h"
#include "bench/layer/frames.h"
#include "bench/layer/rows.h"
#include "bench/support/once.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kBoxes = 100'000, kQueries = 1'000;
constexpr std::uint64_t kSeed = 1, kQuerySeed = 3;

struct BuildWork {
  BuildWork()
      : start(make_boxes(scenes::BoxSet::kUniform, box_count(kBoxes), kSeed)),
        queries(make_query_boxes(start, box_count(kQueries), kQuerySeed)) {}

  scenes::BoxWorld start;
  std::vector<Aabb3> queries;
  Expected expected;  // of all that the queries touch, in the first frames
};
using Shared = std::shared_ptr<Once<BuildWork>>;
using Make = std::function<std::unique_ptr<BoxBuilder>(std::span<const Aabb3> boxes)>;

// One contender, in a world of its own: all boxes move between two builds, so that none is built twice.
struct Contest {
  Contest(const BuildWork& work, const Make& make) : world(work.start), builder(make(world.boxes)) {}

  void check(BuildWork& work, const std::string& row) {
    std::vector<std::uint32_t> bodies(world.boxes.size());
    for (std::size_t frame = 0; frame < kCheckedFrames; ++frame) {
      if (frame != 0) {
        scenes::advance(world);
        builder->build(world.boxes);
      }
      if (!work.expected.knows(frame)) {
        work.expected.set(frame, brute_cross(work.queries, world.boxes), "brute force");
      }
      last = Digest();
      for (std::uint32_t i = 0; i < work.queries.size(); ++i) {
        const std::size_t found = builder->all(work.queries[i], bodies);
        for (std::size_t j = 0; j < found; ++j) {
          last.add(i, bodies[j]);
        }
      }
      work.expected.check(frame, last, row);
    }
  }

  scenes::BoxWorld world;
  std::unique_ptr<BoxBuilder> builder;
  Digest last;
};

}  // namespace

void register_builds() {
  const auto shared = std::make_shared<Once<BuildWork>>([] { return std::make_unique<BuildWork>(); });
  const auto add = [&shared](const std::string& contender, const Make& make) {
    const std::string row = "build_100k/" + contender;
    auto contest = std::make_shared<Once<Contest>>([shared, make, row] {
      auto made = std::make_unique<Contest>(**shared, make);
      made->check(**shared, row);
      return made;
    });
    add_frames(row, [contest](benchmark::State& state) {
      Contest& c = **contest;
      time_frames(
          state, [&] { scenes::advance(c.world); }, [&] { c.builder->build(c.world.boxes); });
      state.counters["boxes"] = static_cast<double>(c.world.boxes.size());
      state.counters["checksum"] = checksum(c.last);
    });
  };
  using Boxes = std::span<const Aabb3>;
  add("juxta", [](Boxes boxes) { return make_juxta_boxes(boxes, OrderQuality::kFast); });
  add("juxta_tight", [](Boxes boxes) { return make_juxta_boxes(boxes, OrderQuality::kTight); });
#ifdef JUXTA_BENCH_EMBREE
  add("embree", [](Boxes boxes) { return make_embree_boxes(boxes); });
  add("embree_low", [](Boxes boxes) { return make_embree_boxes(boxes, true); });
#endif
#ifdef JUXTA_BENCH_BOOST
  add("boost", [](Boxes boxes) { return make_boost_boxes(boxes); });
#endif
}

}  // namespace juxta::bench
