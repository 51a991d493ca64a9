// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// bench_over_ranks: the same steps on one rank, on all ranks, and on as many threads of one rank, taking
// turns.
//   mpirun -n 2 bench_over_ranks [NAME...]     names of workloads; none: all
//
//   alone     rank 0 has everything, one thread
//   threads   rank 0 has everything, as many threads as there are ranks
//   ranks     everything is distributed, one thread a rank
//   small     each rank has a world of 1/ranks the size, all at once: what ranks would do if they saw nobody
//   else
//
// Ranks that have nothing to do sleep. The columns of a row are medians of several rounds; states at the end
// must agree.
#include <juxta/agents/flock.h>
#include <juxta/cluster/mpi_ranks.h>
#include <juxta/study/model.h>
#include <juxta/study/parameters.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "juxta/core/executor.h"
#include "models/models.h"

namespace juxta::bench {
namespace {

constexpr int kRounds = 5;

template <class T>
T must(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "bench_over_ranks: %s\n", result.error().message.c_str());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if constexpr (!std::is_void_v<T>) {
    return std::move(*result);
  }
}

/// Until all ranks are here, without keeping a core.
void meet() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int met = 0; met == 0;) {
    MPI_Test(&request, &met, MPI_STATUS_IGNORE);
    if (met == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }
}

/// Something that steps; `distributed` says over what.
class World {
 public:
  virtual ~World() = default;
  virtual void step(const Context& context) = 0;
  /// All coordinates, on rank 0.
  virtual std::vector<float> state() = 0;
};

class FlockWorld final : public World {
 public:
  FlockWorld(std::uint32_t dimensions, std::size_t boids, Ranks* ranks, bool here) : ranks_(ranks) {
    FlockOptions options;
    options.dimensions = dimensions;
    const double share = static_cast<double>(boids) / 20'000;  // 24 neighbours, as juxta flock has them
    options.half_size =
        static_cast<float>(dimensions == 3 ? 3.13 * std::cbrt(share) : 10.5 * std::sqrt(share));
    flock_.emplace(must(Flock::build(options)));
    must(flock_->scatter(here ? boids : 0, 1));
    if (ranks != nullptr) {
      must(flock_->distribute(*ranks));
    }
  }
  void step(const Context& context) override { must(flock_->step(context)); }
  std::vector<float> state() override {
    std::optional<Flock> whole;
    if (ranks_ != nullptr) {
      whole.emplace(must(flock_->gather()));
    }
    const Flock& of = whole ? *whole : *flock_;
    std::vector<float> all;
    for (std::uint32_t a = 0; a < of.options().dimensions; ++a) {
      all.insert(all.end(), of.position(a).begin(), of.position(a).end());
    }
    return all;
  }

 private:
  std::optional<Flock> flock_;
  Ranks* ranks_;
};

class ModelWorld final : public World {
 public:
  using Settings = std::vector<std::pair<const char*, double>>;
  ModelWorld(const char* name, const Settings& settings, Ranks* ranks, bool here)
      : info_(must(find_model(models::published(), name))),
        parameters_(must(parameters_of(*info_))),
        ranks_(ranks) {
    for (const auto& [key, value] : settings) {
      must(parameters_.set(key, value));
    }
    simulation_.emplace(here ? must(info_->begin(parameters_, 1)) : must(Simulation::build({})));
    if (ranks != nullptr) {
      must(simulation_->distribute(*ranks));
    }
    if (here || ranks != nullptr) {
      model_ = must(info_->open(parameters_, *simulation_));
    }
  }
  void step(const Context& context) override { must(model_->step(context)); }
  std::vector<float> state() override {
    std::optional<Simulation> whole;
    if (ranks_ != nullptr) {
      whole.emplace(must(simulation_->gather()));
    }
    Simulation& of = whole ? *whole : *simulation_;
    std::vector<float> all;
    for (std::size_t p = 0; p < of.population_count(); ++p) {
      const Population& population = of.population(p);
      for (std::uint32_t a = 0; a < of.world().dimensions; ++a) {
        const auto column = population.read(population.position(a));
        all.insert(all.end(), column.begin(), column.end());
      }
    }
    return all;
  }

 private:
  const ModelInfo* info_;
  Parameters parameters_;
  Ranks* ranks_;
  std::optional<Simulation> simulation_;
  Owned<Model> model_;
};

/// A world with a share of the agents, on rank 0 or over ranks.
struct Workload {
  const char* name;
  int steps;  // of a round
  std::function<std::unique_ptr<World>(double share, Ranks* ranks, bool here)> make;
};

std::vector<Workload> workloads(double scale) {
  const auto flock = [scale](std::uint32_t dimensions) {
    return [=](double share, Ranks* ranks, bool here) -> std::unique_ptr<World> {
      return std::make_unique<FlockWorld>(dimensions, static_cast<std::size_t>(1e6 * scale * share), ranks,
                                          here);
    };
  };
  const auto birds = [scale](double share, Ranks* ranks, bool here) -> std::unique_ptr<World> {
    const double count = std::floor(1e6 * scale * share);
    return std::make_unique<ModelWorld>(
        "flock_3d",
        ModelWorld::Settings{{"birds", count}, {"start", 966 * std::cbrt(count / 1e6)}, {"home", 1e6}}, ranks,
        here);
  };
  const auto dam = [scale](double share, Ranks* ranks, bool here) -> std::unique_ptr<World> {
    const double across = std::round(48 * std::cbrt(scale * share));
    return std::make_unique<ModelWorld>(
        "dam_break",
        ModelWorld::Settings{{"dimensions", 3}, {"across", across}, {"depth", across}, {"smoothing", 1.3}},
        ranks, here);
  };
  return {
      {"flock_1M", 4, flock(2)}, {"flock_1M_3d", 3, flock(3)}, {"birds_1M", 2, birds}, {"dam_3d", 2, dam}};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void measure(const Workload& load, MpiRanks& ranks) {
  const bool here = ranks.rank() == 0;
  const auto threads = must(TbbExecutor::build(ranks.size()));
  const auto alone = load.make(1, nullptr, here), many = load.make(1, nullptr, here),
             small = load.make(1.0 / ranks.size(), nullptr, true), over = load.make(1, &ranks, here);
  std::vector<double> times[4];
  const auto time = [&](World& world, std::size_t which, bool all, const Executor* executor) {
    meet();
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < load.steps && (all || here); ++i) {
      world.step({.executor = executor});
    }
    if (all) {
      MPI_Barrier(MPI_COMM_WORLD);
    }
    times[which].push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() /
                           load.steps);
  };
  for (int round = 0; round <= kRounds; ++round) {
    time(*alone, 0, false, nullptr);
    time(*many, 1, false, &threads);
    time(*over, 2, true, nullptr);
    time(*small, 3, true, nullptr);
    if (round == 0) {  // memory is found, orders are made
      for (auto& of : times) {
        of.clear();
      }
    }
  }
  const std::vector<float> gathered = over->state();
  if (!here) {
    return;
  }
  const double ms[4] = {1e3 * median(times[0]), 1e3 * median(times[1]), 1e3 * median(times[2]),
                        1e3 * median(times[3])};
  std::vector<double> ratios;
  for (std::size_t i = 0; i < times[0].size(); ++i) {
    ratios.push_back(times[0][i] / times[2][i]);
  }
  std::printf("%-12s %8.2f %8.2f %8.2f %8.2f   %5.2fx %5.2fx %6.1f %%   %s\n", load.name, ms[0], ms[1], ms[2],
              ms[3], median(ratios), ms[0] / ms[1], 100 * (1 - ms[3] / ms[2]),
              gathered == alone->state() && gathered == many->state() ? "same state" : "OTHER STATE");
  std::fflush(stdout);
}

}  // namespace
}  // namespace juxta::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    auto ranks = juxta::bench::must(juxta::MpiRanks::build(MPI_COMM_WORLD));
    const char* const scale = std::getenv("JUXTA_BENCH_SCALE");
    if (ranks->rank() == 0) {
      std::printf("%-12s %8s %8s %8s %8s   %6s %6s %8s   %u ranks, ms a step\n", "", "alone", "threads",
                  "ranks", "small", "ranks", "threads", "beside", ranks->size());
    }
    for (const auto& load : juxta::bench::workloads(scale != nullptr ? std::atof(scale) : 1)) {
      if (argc < 2 || std::find(argv + 1, argv + argc, std::string_view(load.name)) != argv + argc) {
        juxta::bench::measure(load, *ranks);
      }
    }
  }
  MPI_Finalize();
  return 0;
}
