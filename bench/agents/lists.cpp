// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// lists_{2d,3d}_{walls,periodic}_K: the neighbours of all agents, written out list behind list, with some K
// neighbours each; all move between two lists. The time is from positions to lists, sort() included.
// lists_..._seed2: the same with other agents.
#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "bench/agents/list_makers.h"
#include "bench/agents/rows.h"
#include "bench/support/must.h"
#include "bench/support/settings.h"
#include "benchmark/benchmark.h"
#include "juxta/agents/neighbour_lists.h"
#include "juxta/agents/simulation.h"
#include "juxta/core/workspace.h"

namespace juxta::bench {
namespace {

constexpr std::array<const char*, 3> kPositions{"x", "y", "z"}, kVelocities{"vx", "vy", "vz"};

class JuxtaLists final : public ListMaker {
 public:
  void set(const Start& start) override {
    start_ = start;
    const Edge edge = start.periodic ? Edge::kPeriodic : Edge::kWall;
    const auto size = static_cast<std::size_t>(start.dimensions);
    Juxta fresh;
    fresh.simulation =
        std::make_unique<Simulation>(must(Simulation::build({.dimensions = start.dimensions,
                                                             .edges = {edge, edge, edge},
                                                             .lo = {start.lo, start.lo, start.lo},
                                                             .hi = {start.hi, start.hi, start.hi}},
                                                            1)));
    fresh.agents = must(fresh.simulation->add_population("agents"));
    must(fresh.agents->add_columns({"vx", "vy", "vz"}));
    fresh.number = must(fresh.agents->add_column<std::uint32_t>("number"));
    must(fresh.agents->insert(start.size));
    for (std::size_t a = 0; a < size; ++a) {
      std::copy_n(start.position[a], start.size, column(*fresh.agents, kPositions[a]).begin());
      std::copy_n(start.velocity[a], start.size, column(*fresh.agents, kVelocities[a]).begin());
    }
    std::uint32_t next = 0;
    for (std::uint32_t& number : fresh.agents->write(fresh.number)) {
      number = next++;
    }
    juxta_ = std::move(fresh);
    offsets_.resize(start.size + 1);
  }
  void move() override {
    for (std::uint32_t a = 0; a < start_.dimensions; ++a) {
      const auto p = column(*juxta_.agents, kPositions[a]), v = column(*juxta_.agents, kVelocities[a]);
      for (std::size_t i = 0; i < p.size(); ++i) {
        move_along(start_, p[i], v[i]);
      }
    }
  }
  void list() override {
    Population& agents = *juxta_.agents;
    must(agents.sort({.radius = start_.radius}));
    const auto find = [&] {
      return must(neighbour_lists(agents, agents, start_.radius, offsets_, {.rows = rows_}, {},
                                  {.workspace = &workspace_}));
    };
    if (const QueryResult result = find(); result.found > rows_.size()) {
      rows_.resize(result.found + result.found / 8);
      find();
    }
  }
  [[nodiscard]] WrittenLists written() const override {
    const auto number = juxta_.agents->read(juxta_.number);
    return {offsets_, rows_, {}, {number.begin(), number.end()}};
  }

 private:
  struct Juxta {
    std::unique_ptr<Simulation> simulation;
    Population* agents = nullptr;
    Column<std::uint32_t> number{};
  };
  static std::span<float> column(Population& agents, const char* name) {
    return agents.write(must(agents.find_column<float>(name)));
  }

  Start start_;
  Juxta juxta_;
  Workspace workspace_;
  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint32_t> rows_;
};

/// The same number for the same neighbours in any order: a sum over all pairs, of numbers that look random.
std::uint64_t digest(const WrittenLists& lists) {
  const auto mixed = [](std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
  };
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 1 < lists.offsets.size(); ++i) {
    const std::uint64_t seer = lists.number[lists.seer.empty() ? i : lists.seer[i]];
    for (std::uint64_t k = lists.offsets[i]; k < lists.offsets[i + 1]; ++k) {
      sum += mixed((seer << 32) + lists.number[lists.rows[k]] + 1);
    }
  }
  return sum;
}

using MakeLists = std::unique_ptr<ListMaker>(std::uint32_t dimensions);

/// Agents, and what each contender found in the first three steps.
struct ListScene {
  Crowd crowd;
  std::array<std::uint64_t, 3> digests{};
  std::array<std::size_t, 3> found{};

  ListScene(std::uint32_t dimensions, bool periodic, std::size_t count, int neighbours, std::uint64_t seed)
      : crowd(scenes::make_even(count, dimensions, neighbours, seed), Model::kHeadings) {
    crowd.start.periodic = periodic;
  }
};
struct CheckedLists {
  CheckedLists(MakeLists* make, ListScene& scene, const std::string& row)
      : maker(make(scene.crowd.start.dimensions)) {
    maker->set(scene.crowd.start);
    for (std::size_t step = 0; step < scene.digests.size(); ++step) {
      maker->list();
      const WrittenLists lists = maker->written();
      const std::uint64_t found = digest(lists);
      if (scene.digests[step] == 0) {
        scene.digests[step] = found;
        scene.found[step] = lists.offsets.back();
      }
      if (scene.digests[step] != found || scene.found[step] != lists.offsets.back()) {
        give_up(row + ": other neighbours than those of the first contender, in step " +
                std::to_string(step));
      }
      maker->move();
    }
  }
  std::unique_ptr<ListMaker> maker;
};

void add(const std::string& workload, std::uint32_t dimensions, bool periodic, std::size_t nominal,
         int neighbours, std::uint64_t seed) {
  const auto scene = std::make_shared<Once<ListScene>>([=] {
    return std::make_unique<ListScene>(dimensions, periodic, agent_count(nominal), neighbours, seed);
  });
  const auto add_row = [&](const char* name, MakeLists* make) {
    const std::string row = workload + "/" + name;
    const auto lists = std::make_shared<Once<CheckedLists>>(
        [=] { return std::make_unique<CheckedLists>(make, **scene, row); });
    benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
      ListMaker& maker = *(*lists)->maker;
      for (auto _ : state) {
        maker.move();
        state.SetIterationTime(seconds(Clock::kProcessor, [&] { maker.list(); }));
      }
      state.counters["agents"] = static_cast<double>((*scene)->crowd.start.size);
      state.counters["neighbours"] =
          static_cast<double>((*scene)->found[0]) / static_cast<double>((*scene)->crowd.start.size);
    })->UseManualTime();
  };
  add_row("juxta",
          [](std::uint32_t) -> std::unique_ptr<ListMaker> { return std::make_unique<JuxtaLists>(); });
  add_row("plain_grid", make_grid_lists);
  add_row("plain_grid_branchless", make_branchless_grid_lists);
#ifdef JUXTA_BENCH_NANOFLANN
  if (!periodic) {
    add_row("nanoflann", make_nanoflann_lists);
  }
#endif
}

}  // namespace

void register_lists() {
  for (const std::uint64_t seed : {kSeed, kSeed + 1}) {
    for (const std::uint32_t dimensions : {2U, 3U}) {
      for (const bool periodic : {false, true}) {
        add("lists_" + std::to_string(dimensions) + (periodic ? "d_periodic_30_1M" : "d_walls_30_1M") +
                (seed == kSeed ? "" : "_seed2"),
            dimensions, periodic, 1'000'000, 30, seed);
      }
    }
  }
}

}  // namespace juxta::bench
