// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// density_{2d,3d}_{walls,periodic}_K: neighbour sums, sorted anew in each step, with 1 to 100 neighbours an
// agent: sort() and see() against a plain grid. The time is that of a look; movement is not counted.
// crowded_*: the same with nine of ten agents in a hundredth of the space.
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "bench/agents/all_pairs.h"
#include "bench/agents/rows.h"
#include "bench/support/settings.h"
#include "benchmark/benchmark.h"

namespace juxta::bench {
namespace {

/// A few hundred agents against all others: the number exactly, sums to 1e-5.
void check_headings(const Start& all, const State& state, const std::string& row) {
  const float period = all.periodic ? all.hi - all.lo : std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < all.size; i += all.size / 200 + 1) {
    float seen = 0;
    std::array<double, 3> sums{}, sizes{};
    for (std::size_t j = 0; j < all.size; ++j) {
      float distance2 = 0;
      for (std::uint32_t a = 0; a < all.dimensions; ++a) {
        float d = state.position[a][j] - state.position[a][i];
        d = d > period / 2 ? d - period : d < -period / 2 ? d + period : d;
        distance2 += d * d;
      }
      if (distance2 <= all.radius * all.radius && j != i) {
        seen += 1;
        for (std::uint32_t a = 0; a < all.dimensions; ++a) {
          sums[a] += double{state.velocity[a][j]};
          sizes[a] += std::abs(double{state.velocity[a][j]});
        }
      }
    }
    bool right = state.seen[i] == seen;
    for (std::uint32_t a = 0; a < all.dimensions; ++a) {
      right = right && std::abs(double{state.sums[a][i]} - sums[a]) <= 1e-5 * sizes[a];
    }
    if (!right) {
      give_up(row + ": agent " + std::to_string(i) + " sees " + std::to_string(state.seen[i]) + ", not " +
              std::to_string(seen) + ", or sums them up wrongly.");
    }
  }
}

struct Checked {
  Checked(const Contender& contender, const Start& start, const std::string& row) : world(contender.make()) {
    if (world == nullptr) {
      return;
    }
    State state;
    world->set(start);
    for (int step = 0; step < 3; ++step) {
      world->look();
      world->read(state);
      check_headings(start, state, row);
      world->act();
    }
  }
  std::unique_ptr<World> world;
};

void run_looks(benchmark::State& state, World& world, const Start& start, const Pace& pace) {
  for (auto _ : state) {
    world.set(start);
    double took = 0;
    for (std::size_t step = 0; step < pace.warm + pace.timed; ++step) {
      const double look = seconds(Clock::kWall, [&] { world.look(); });
      took += step < pace.warm ? 0 : look;
      world.act();
    }
    state.SetIterationTime(took / static_cast<double>(pace.timed));
  }
  state.counters["agents"] = static_cast<double>(start.size);
}

/// The one of its kind that a row used last: fifty worlds at once would not fit into memory.
template <class T>
class LastUsed {
 public:
  template <class Make>
  T& get(const std::string& name, const Make& make) {
    if (name != name_) {
      kept_.reset();
      kept_ = make();
      name_ = name;
    }
    return *kept_;
  }

 private:
  std::string name_;
  std::unique_ptr<T> kept_;
};
LastUsed<Crowd> last_crowd;
LastUsed<Checked> last_world;

using MakeCrowd = std::function<std::unique_ptr<Crowd>()>;

void add(const std::string& workload, const MakeCrowd& make_crowd, const Pace& pace) {
  for (const Contender& contender :
       {passes("juxta", Model::kHeadings, 1, pace), Contender{"plain_grid", make_plain_grid, pace}}) {
    const std::string row = workload + "/" + std::string(contender.name);
    benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
      const Start& start = last_crowd.get(workload, make_crowd).start;
      World* const world =
          last_world.get(row, [&] { return std::make_unique<Checked>(contender, start, row); }).world.get();
      if (world == nullptr) {
        for (auto _ : state) {
          state.SetIterationTime(1);
        }
        state.counters["missing"] = 1;
        state.SetLabel(consumer_trouble());
        return;
      }
      run_looks(state, *world, start, pace);
    })->UseManualTime();
  }
}

}  // namespace

void register_density() {
  for (const std::size_t nominal : {std::size_t{100'000}, std::size_t{1'000'000}}) {
    const Pace pace{2, nominal > 100'000 ? std::size_t{2} : std::size_t{5}};
    for (const std::uint32_t dimensions : {2U, 3U}) {
      for (const bool periodic : {false, true}) {
        for (const int neighbours : {1, 4, 8, 16, 32, 100}) {
          const MakeCrowd crowd = [=] {
            auto made = std::make_unique<Crowd>(
                scenes::make_even(agent_count(nominal), dimensions, neighbours, kSeed), Model::kHeadings);
            made->start.periodic = periodic;
            return made;
          };
          add("density_" + std::to_string(dimensions) + (periodic ? "d_periodic_" : "d_walls_") +
                  std::to_string(neighbours) + (nominal > 100'000 ? "_1M" : ""),
              crowd, pace);
        }
      }
    }
  }
}

void register_crowded() {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const bool periodic : {false, true}) {
      for (const int neighbours : {4, 16, 32}) {
        const MakeCrowd crowd = [=] {
          auto made = std::make_unique<Crowd>(
              scenes::make_crowded(agent_count(100'000), dimensions, neighbours, kSeed), Model::kHeadings);
          made->start.periodic = periodic;
          return made;
        };
        add("crowded_" + std::to_string(dimensions) + (periodic ? "d_periodic_" : "d_walls_") +
                std::to_string(neighbours),
            crowd, {2, 5});
      }
    }
  }
}

}  // namespace juxta::bench
