// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// pairs_<world>, bipartite_100k_25k: one frame. All boxes have moved; take that in, and write all pairs.
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/layer/best_setting.h"
#include "bench/layer/contenders.h"
#include "bench/layer/frames.h"
#include "bench/layer/rows.h"
#include "bench/support/once.h"

namespace juxta::bench {
namespace {

using scenes::BoxSet;
using Finder = std::unique_ptr<PairFinder>;
using MakeFinder = std::function<Finder(FrameWork& work)>;

constexpr std::uint64_t kSeed = 1, kSecondSeed = 2;

std::size_t run(PairFinder& finder, const Movers& movers, std::span<Pair> out) {
  return movers.second ? finder.cross(movers.first.boxes, movers.second->boxes, out)
                       : finder.pairs(movers.first.boxes, out);
}

Digest brute(const Movers& movers) {
  return movers.second ? brute_cross(movers.first.boxes, movers.second->boxes)
                       : brute_self(movers.first.boxes);
}

// One contender on one workload: it has a world of its own, so that each runs on from its own last frame.
struct Contest {
  Finder finder;
  Movers movers;
  Digest last;

  void check(FrameWork& work, const std::string& row) {
    for (std::size_t frame = 0; frame < kCheckedFrames; ++frame) {
      if (frame != 0) {
        movers.advance();
      }
      if (!work.expected.knows(frame) && movers.boxes() <= kBruteBoxes) {
        work.expected.set(frame, brute(movers), "brute force");
      }
      std::size_t found = run(*finder, movers, work.out);
      if (work.grow(found)) {
        found = run(*finder, movers, work.out);
      }
      const auto pairs = std::span<const Pair>(work.out).first(found);
      last = movers.second ? digest_cross(pairs) : digest_self(pairs);
      work.expected.check(frame, last, row);
    }
  }
};

void add_row(const std::string& row, const std::shared_ptr<Once<FrameWork>>& shared, const MakeFinder& make) {
  auto contest = std::make_shared<Once<Contest>>([=] {
    FrameWork& work = **shared;
    auto made = std::make_unique<Contest>(Contest{make(work), work.start, {}});
    made->check(work, row);
    return made;
  });
  add_frames(row, [=](benchmark::State& state) {
    FrameWork& work = **shared;
    Contest& c = **contest;
    std::size_t found = 0;
    time_frames(
        state, [&] { c.movers.advance(); }, [&] { found = run(*c.finder, c.movers, work.out); });
    if (found > work.out.size()) {
      give_up(row + " found more pairs than there was room for.");
    }
    state.counters["boxes"] = static_cast<double>(c.movers.boxes());
    state.counters["pairs"] = static_cast<double>(c.last.count);
    state.counters["checksum"] = checksum(c.last);
    if (const std::size_t bytes = c.finder->memory_bytes(); bytes != 0) {
      state.counters["bytes"] = static_cast<double>(bytes);
    }
  });
}

// A contender with a knob, at its best setting for this very workload.
Finder at_best(FrameWork& work, const std::vector<std::uint32_t>& settings,
               const std::function<Finder(std::uint32_t)>& make) {
  return make(best_setting(settings, [&](std::uint32_t setting) -> std::function<void()> {
    auto finder = std::shared_ptr<PairFinder>(make(setting));
    return [finder, &work] { (void)run(*finder, work.start, work.out); };
  }));
}

struct Extra {
  bool one = true;    // classic_one would take minutes at 1M: it compares a sixtieth of all boxes with each
  bool dual = false;  // classic_dual_axis: tried and measured in one workload (docs/decisions/0012)
};

void add_workload(const std::string& name, const std::function<Movers()>& make, Extra extra = {}) {
  const auto shared =
      std::make_shared<Once<FrameWork>>([make] { return std::make_unique<FrameWork>(make()); });
  const auto add = [&](const char* contender, const MakeFinder& finder) {
    add_row(name + "/" + contender, shared, finder);
  };
  add("juxta", [](FrameWork&) { return make_juxta_pairs(false); });
  add("juxta_refit", [](FrameWork&) { return make_juxta_pairs(true); });
  if (extra.one) {
    add("classic_one", [](FrameWork&) { return make_classic_pairs(1); });
  }
  add("classic_buckets",
      [](FrameWork& work) { return at_best(work, cells_to_try(work.start.boxes()), make_classic_pairs); });
  if (extra.dual) {
    add("classic_dual_axis", [](FrameWork&) { return make_classic_dual_axis(); });
  }
#ifdef JUXTA_BENCH_EMBREE
  add("embree", [](FrameWork&) { return make_embree_pairs(); });
#endif
#ifdef JUXTA_BENCH_WITH_CGAL
  add("cgal",
      [](FrameWork& work) { return at_best(work, cutoffs_to_try(work.start.boxes()), make_cgal_pairs); });
#endif
#ifdef JUXTA_BENCH_BOOST
  add("boost", [](FrameWork&) { return make_boost_pairs(); });
#endif
#ifdef JUXTA_BENCH_BULLET
  add("bullet", [](FrameWork&) { return make_bullet_pairs(); });
#endif
}

void add_self(const std::string& name, BoxSet set, std::size_t count, Extra extra = {}) {
  add_workload(
      name,
      [set, count] {
        return Movers{make_boxes(set, box_count(count), kSeed), {}};
      },
      extra);
}

// Few boxes in the same space as many.
Movers bipartite() {
  Movers movers{make_boxes(BoxSet::kUniform, box_count(100'000), kSeed),
                make_boxes(BoxSet::kUniform, box_count(100'000) / 4, kSecondSeed)};
  const float wider = movers.first.side / movers.second->side;
  for (Aabb3& box : movers.second->boxes) {
    for (int axis = 0; axis < 3; ++axis) {
      const float edge = box.hi[axis] - box.lo[axis];
      box.lo[axis] *= wider;
      box.hi[axis] = box.lo[axis] + edge;
    }
  }
  movers.second->side = movers.first.side;
  return movers;
}

}  // namespace

void register_pairs() {
  add_self("pairs_uniform_10k", BoxSet::kUniform, 10'000);
  add_self("pairs_uniform_100k", BoxSet::kUniform, 100'000, {.dual = true});
  add_self("pairs_uniform_1M", BoxSet::kUniform, 1'000'000, {.one = false});
  add_self("pairs_clustered_100k", BoxSet::kClustered, 100'000);
  add_self("pairs_mixed_100k", BoxSet::kMixed, 100'000);
  add_self("pairs_flat_x_25k", BoxSet::kFlatX, 25'000);
  add_self("pairs_identical_4k", BoxSet::kIdentical, 4'000);
  add_workload("bipartite_100k_25k", bipartite);
}

}  // namespace juxta::bench
