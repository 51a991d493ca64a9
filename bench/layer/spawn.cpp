// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// spawn_frame/<way>, spawn_large/<way>: one frame of the spawn scenario. Everything has moved; build all
// layers, and tell which spawn points are safe. small_layer/<way>: 10k queries to a layer of 1k boxes that
// have moved. `classic_joined` and `juxta` are the fastest known with either: one layer of all things beside
// that of the spawn points, pairs of what is left. Every way must give the same flags, in three frames that
// are compared before anything is timed.
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
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

// Makes a classic way with the number of buckets that serves it best on this very workload.
template <class Make>
Frame with_best_cells(SpawnWork& work, const Make& make) {
  std::vector<std::uint8_t> flags(work.start.spawners.boxes.size());
  const auto trial = [&](std::uint32_t cells) -> std::function<void()> {
    return [&work, &flags, frame = frame_of(make(cells))] { frame(work.start, flags); };
  };
  return frame_of(make(best_setting(cells_to_try(flags.size()), trial)));
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
  add("classic_pairs_objects", classic(kObjects, kPerType));
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
  add_ways("spawn_frame", share(scenes::kSpawnSmall));
  add_ways("spawn_large", share(scenes::kSpawnLarge));
  // 10,000 spawn points against 1,000 things of all types.
  constexpr scenes::SpawnForm kSmallLayer{10'000, 480, 400, 100, 20, 20.0F, 535.0F};
  add_small("small_layer", share(kSmallLayer));
}

}  // namespace juxta::bench
