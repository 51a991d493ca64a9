// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// spawn_frame/<way>, spawn_large/<way>: one frame of the spawn scenario. Everything has moved; build all
// layers, and tell which spawn points are safe. spawn_orbits/<way>: the same with spawn points where the
// sample of the article has them. small_layer/<way>: 10k queries to a layer of 1k boxes that have moved.
//
// Rows of spawn_frame and spawn_orbits that follow "Find Objects 1", all with the same cells:
//   classic_objects_printed     pairs, then objects: trees and walks as printed, slip of the maxima included
//   classic_objects_corrected   the same without that slip
//   classic_objects_skip        spawn points in an animation do not ask
//   classic_objects_loop        and the loop with checkpoints takes the place of the recursion
//   classic_pairs_objects       not printed: tree in one pass, loop over a stack of nodes
//   classic_objects_unordered   spawn points ask as they are numbered, not in the order of their layer
//   classic_objects_early       and a query ends at its first hit, which the article thinks worth 1.2 at most
// And that follow "Find Pairs 4" and "5": classic_pairs_avx, _two_axes: classic_pairs_buckets with the other
// sweeps; _unfiltered: without the filter of part 5; _6x6, _6x6_unfiltered: with the cells of the sample.
//
// `classic_joined` and `juxta` are the fastest known with either: one layer of all things beside
// that of the spawn points, pairs of what is left. Every way must give the same flags, in three frames that
// are compared before anything is timed.
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/layer/best_setting.h"
#include "bench/layer/frames.h"
#include "bench/layer/oracle.h"
#include "bench/layer/rows.h"
#include "bench/layer/spawn_classic.h"
#include "bench/layer/spawn_juxta.h"
#include "bench/layer/spawn_ways.h"
#include "bench/support/once.h"
#include "scenes/spawn.h"

namespace juxta::bench {
namespace {

constexpr std::uint64_t kSeed = 1;

Digest digest_flags(std::span<const std::uint8_t> flags) {
  Digest digest;
  for (std::uint32_t i = 0; i < flags.size(); ++i) {
    if (flags[i] != 0) {
      digest.add(i, 0);
    }
  }
  return digest;
}

std::vector<Aabb3> joined(const scenes::SpawnWorld& world) {
  std::vector<Aabb3> boxes;
  for (const std::span<const Aabb3> other : others_of(world)) {
    boxes.insert(boxes.end(), other.begin(), other.end());
  }
  return boxes;
}

// What the rows of one workload share. A contest of spawn points, or (small_layer) the same world where the
// spawn points only ask.
struct SpawnWork {
  explicit SpawnWork(const scenes::SpawnForm& form) : start(make_spawn(form, kSeed)) {}
  scenes::SpawnWorld start;
  Expected expected;  // of the flags
};
using SharedWork = std::shared_ptr<Once<SpawnWork>>;

using Frame = std::function<void(const scenes::SpawnWorld& world, std::span<std::uint8_t> flags)>;

// The right flags by comparing everything with everything.
void brute_safe(const scenes::SpawnWorld& world, std::span<std::uint8_t> safe) {
  const std::vector<Aabb3>& spawners = world.spawners.boxes;
  const std::vector<std::uint32_t> same = brute_counts(spawners, spawners),
                                   other = brute_counts(spawners, joined(world));
  for (std::size_t i = 0; i < safe.size(); ++i) {
    safe[i] = world.busy[i] == 0 && same[i] == 1 && other[i] == 0 ? 1 : 0;  // each touches itself
  }
}

void brute_hit(const scenes::SpawnWorld& world, std::span<std::uint8_t> hit) {
  const std::vector<std::uint32_t> counts = brute_counts(world.spawners.boxes, joined(world));
  std::transform(counts.begin(), counts.end(), hit.begin(),
                 [](std::uint32_t count) { return static_cast<std::uint8_t>(count != 0 ? 1 : 0); });
}

// One way on one workload, in a world of its own.
struct Contest {
  Frame frame;
  scenes::SpawnWorld world;
  std::vector<std::uint8_t> flags;
  Digest last;

  void check(SpawnWork& work, const Frame& brute, const std::string& row) {
    flags.resize(world.spawners.boxes.size());
    for (std::size_t i = 0; i < kCheckedFrames; ++i) {
      if (i != 0) {
        scenes::advance(world);
      }
      if (!work.expected.knows(i) && flags.size() <= kBruteBoxes) {
        brute(world, flags);
        work.expected.set(i, digest_flags(flags), "brute force");
      }
      frame(world, flags);
      last = digest_flags(flags);
      work.expected.check(i, last, row);
    }
  }
};

void add_row(const std::string& row, const SharedWork& shared, const Frame& brute,
             const std::function<Frame(SpawnWork&)>& make) {
  auto contest = std::make_shared<Once<Contest>>([=] {
    SpawnWork& work = **shared;
    auto made = std::make_unique<Contest>(Contest{make(work), work.start, {}, {}});
    made->check(work, brute, row);
    return made;
  });
  add_frames(row, [=](benchmark::State& state) {
    Contest& c = **contest;
    time_frames(
        state, [&] { scenes::advance(c.world); }, [&] { c.frame(c.world, c.flags); });
    state.counters["boxes"] = static_cast<double>(c.flags.size() + joined(c.world).size());
    state.counters["queries"] = static_cast<double>(c.flags.size());
    state.counters["flagged"] = static_cast<double>(c.last.count);  // safe ones; in small_layer: hit ones
    state.counters["checksum"] = checksum(c.last);
  });
}

Frame frame_of(std::unique_ptr<SpawnWay> made) {
  return [way = std::shared_ptr<SpawnWay>(std::move(made))](
             const scenes::SpawnWorld& world, std::span<std::uint8_t> safe) { way->frame(world, safe); };
}

// Joining the things (24 KB) is part of the frame for every way alike.
Frame frame_of(std::unique_ptr<SmallLayerWay> made) {
  return [way = std::shared_ptr<SmallLayerWay>(std::move(made))](const scenes::SpawnWorld& world,
                                                                 std::span<std::uint8_t> hit) {
    way->frame(joined(world), world.spawners.boxes, hit);
  };
}

// The number of buckets that serves a classic way best on this very workload.
template <class Make>
std::uint32_t best_cells(SpawnWork& work, const Make& make) {
  std::vector<std::uint8_t> flags(work.start.spawners.boxes.size());
  const auto trial = [&](std::uint32_t cells) -> std::function<void()> {
    return [&work, &flags, frame = frame_of(make(cells))] { frame(work.start, flags); };
  };
  return best_setting(cells_to_try(flags.size()), trial);
}

template <class Make>
Frame with_best_cells(SpawnWork& work, const Make& make) {
  return frame_of(make(best_cells(work, make)));
}

// Step by step through "Find Objects 1". The number of cells is tried once, so that two rows differ in one
// thing.
void add_steps(const std::string& name, const SharedWork& shared) {
  const auto cells = std::make_shared<std::optional<std::uint32_t>>();
  const auto add = [&](const char* way, const ObjectsAsked& asked) {
    add_row(name + "/" + way, shared, brute_safe, [cells, asked](SpawnWork& work) {
      if (!*cells) {
        *cells = best_cells(work, [](std::uint32_t tried) { return make_classic_objects({}, tried); });
      }
      return frame_of(make_classic_objects(asked, **cells));
    });
  };
  using classics::TreeBuild;
  using classics::TreeWalk;
  ObjectsAsked asked{TreeWalk::kRecursive, TreeBuild::kPublishedZeros, true, false, false};
  add("classic_objects_printed", asked);
  asked.tree = TreeBuild::kTwoRecursions;
  add("classic_objects_corrected", asked);
  asked.skip_busy = true;
  add("classic_objects_skip", asked);
  asked.walk = TreeWalk::kCheckpoints;
  add("classic_objects_loop", asked);
  add("classic_pairs_objects", {});
  asked = {};
  asked.layer_order = false;
  add("classic_objects_unordered", asked);
  asked = {};
  asked.early = true;
  add("classic_objects_early", asked);
}

// The sweeps of "Find Pairs 4" and "5".
void add_sweeps(const std::string& name, const SharedWork& shared) {
  using classics::Sweep;
  const auto add = [&](const char* way, Sweep sweep) {
    add_row(name + "/" + way, shared, brute_safe, [sweep](SpawnWork& work) {
      return with_best_cells(
          work, [sweep](std::uint32_t tried) { return make_classic_swept(sweep, ClassicCells{tried}); });
    });
  };
  add("classic_pairs_avx", Sweep::kPaired);
  add("classic_pairs_two_axes", Sweep::kTwoAxes);
  add("classic_pairs_unfiltered", Sweep::kUnfiltered);
  add_row(name + "/classic_pairs_6x6", shared, brute_safe,
          [](SpawnWork&) { return frame_of(make_classic_swept(Sweep::kOneAxis, kSampleCells)); });
  add_row(name + "/classic_pairs_6x6_unfiltered", shared, brute_safe,
          [](SpawnWork&) { return frame_of(make_classic_swept(Sweep::kUnfiltered, kSampleCells)); });
}

void add_ways(const std::string& name, const SharedWork& shared) {
  const auto add = [&](const char* way, const std::function<Frame(SpawnWork&)>& make) {
    add_row(name + "/" + way, shared, brute_safe, make);
  };
  const auto classic = [](SpawnRest rest, SpawnLayers layers) {
    return [=](SpawnWork& work) {
      return with_best_cells(work,
                             [=](std::uint32_t cells) { return make_classic_spawn(rest, layers, cells); });
    };
  };
  const auto ours = [](SpawnRest rest, SpawnLayers layers, bool refit) {
    return [=](SpawnWork&) { return frame_of(make_juxta_spawn(rest, layers, refit)); };
  };
  using enum SpawnRest;
  using enum SpawnLayers;
  add("classic_pairs_one", [](SpawnWork&) { return frame_of(make_classic_spawn(kPairs, kPerType, 1)); });
  add("classic_pairs_buckets", classic(kPairs, kPerType));
  add("classic_pairs_filtered", classic(kFiltered, kPerType));
  add("classic_joined", classic(kFiltered, kJoined));
  add("juxta_pairs", ours(kPairs, kPerType, false));
  add("juxta_pairs_objects", ours(kObjects, kPerType, false));
  add("juxta_pairs_filtered", ours(kFiltered, kPerType, false));
  add("juxta", ours(kFiltered, kJoined, true));
}

void add_small(const std::string& name, const SharedWork& shared) {
  const auto add = [&](const char* way, const std::function<Frame(SpawnWork&)>& make) {
    add_row(name + "/" + way, shared, brute_hit, make);
  };
  const auto classic = [](SmallLayerAsk ask) {
    return [ask](SpawnWork& work) {
      return with_best_cells(work, [ask](std::uint32_t cells) { return make_classic_small(ask, cells); });
    };
  };
  add("classic_objects", classic(SmallLayerAsk::kSingle));
  add("classic_pairs", classic(SmallLayerAsk::kPairs));
  add("juxta_single", [](SpawnWork&) { return frame_of(make_juxta_small(SmallLayerAsk::kSingle)); });
  add("juxta_batch", [](SpawnWork&) { return frame_of(make_juxta_small(SmallLayerAsk::kBatch)); });
  add("juxta", [](SpawnWork&) { return frame_of(make_juxta_small(SmallLayerAsk::kPairs)); });
}

// JUXTA_BENCH_POINTS makes a ball of about that many spawn points at the same density.
SharedWork share(scenes::SpawnForm form) {
  return std::make_shared<Once<SpawnWork>>([form] {
    const double part = static_cast<double>(box_count(form.spawners)) / static_cast<double>(form.spawners);
    return std::make_unique<SpawnWork>(part < 1 ? scaled(form, part) : form);
  });
}

}  // namespace

void register_spawn() {
  const SharedWork frame = share(scenes::kSpawnSmall), large = share(scenes::kSpawnLarge),
                   orbits = share(scenes::kSpawnOrbits);
  add_ways("spawn_frame", frame);
  add_steps("spawn_frame", frame);
  add_sweeps("spawn_frame", frame);
  add_ways("spawn_large", large);
  add_row("spawn_large/classic_pairs_objects", large, brute_safe, [](SpawnWork& work) {
    return with_best_cells(work, [](std::uint32_t cells) { return make_classic_objects({}, cells); });
  });
  add_ways("spawn_orbits", orbits);
  add_steps("spawn_orbits", orbits);
  add_sweeps("spawn_orbits", orbits);
  // 10,000 spawn points against 1,000 things of all types.
  constexpr scenes::SpawnForm kSmallLayer{10'000, 480, 400, 100, 20, 20.0F, 535.0F};
  add_small("small_layer", share(kSmallLayer));
}

}  // namespace juxta::bench
