// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/transform/contenders.h"
#include "bench/transform/oracle.h"
#include "benchmark/benchmark.h"

namespace juxta::bench {

/// What moves in a frame. kSome: a hundredth of the roots, others each time (64 choices in turn); kFirst: the
/// first root alone.
enum class Movers : std::uint8_t { kAll, kSome, kFirst, kNone };

/// A contender with the world of a workload, checked before anything is timed; shared by the rows of that
/// workload.
class Running {
 public:
  Running(const MakeContender& make, Forest& forest, const std::string& row)
      : forest_(forest),
        world_(make()),
        some_(scenes::choose_movers(forest.trees.roots.size(), kChoices, 7)) {
    world_->build(forest);
    check_frames(*world_, forest, std::span(some_).first(2), row);
  }

  void frame(Movers movers) {
    switch (movers) {
      case Movers::kAll:
        world_->move_all();
        break;
      case Movers::kSome:
        world_->move(some_[next_++ % kChoices]);
        break;
      case Movers::kFirst:
        world_->move(kFirstRoot);
        break;
      case Movers::kNone:
        break;
    }
    world_->propagate();
  }
  [[nodiscard]] std::size_t nodes() const { return world_->nodes(); }
  [[nodiscard]] std::size_t moving_roots(Movers movers) const {
    const std::size_t counts[] = {forest_.trees.roots.size(), some_.front().size(), 1, 0};
    return counts[static_cast<std::size_t>(movers)];
  }

 private:
  static constexpr std::size_t kChoices = 64;
  static constexpr std::uint32_t kFirstRoot[1] = {0};

  Forest& forest_;
  std::unique_ptr<Contender> world_;
  std::vector<std::vector<std::uint32_t>> some_;
  std::size_t next_ = 0;
};

using SharedRunning = std::shared_ptr<Once<Running>>;

[[nodiscard]] inline SharedRunning share_running(const MakeContender& make, const SharedForest& forest,
                                                 const std::string& row) {
  return std::make_shared<Once<Running>>([=] { return std::make_unique<Running>(make, **forest, row); });
}

/// A row whose iterations are frames. Nothing is prepared between them, so that all of it is timed.
inline void add_frames(const std::string& row, const SharedRunning& running, Movers movers) {
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
    Running& world = **running;
    for (auto _ : state) {
      world.frame(movers);
    }
    state.counters["nodes"] = static_cast<double>(world.nodes());
    state.counters["moved"] = static_cast<double>(world.moving_roots(movers));
  });
}

}  // namespace juxta::bench
