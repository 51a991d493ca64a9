// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// bench_rank_traffic: what a flock sends from rank to rank, counted and by a model, and what the model says
// of many ranks.
//   bench_rank_traffic [BOIDS]     boids a rank, 50,000 unless given
//
// Ranks are threads of this process, so that any number of them can be counted. docs/scaling.md explains the
// model:
//
//   edge                of the part of the world where boids are, in heights of a row (Flock::scatter() fills
//                       nine tenths)
//   rows of a rank      in the plane a strip, which sees a row on each side, and needs two of a large flock;
//   in
//                       space a beam of edge / blocks by edge * blocks / ranks rows (agents/flock_cuts.h),
//                       which sees those around it
//   ghosts of a rank    boids of the rows that it needs
//   bytes               ghosts * 8 D, positions and pulls; of a large flock in the plane ghosts * 20
#include <juxta/agents/flock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "agents/flock_cuts.h"
#include "agents/flock_ranks.h"
#include "support/thread_ranks.h"

namespace juxta::bench {
namespace {

constexpr int kSteps = 20;

/// Counts what goes through it.
class CountedRanks final : public Ranks {
 public:
  explicit CountedRanks(Ranks& below) : below_(below) {}
  [[nodiscard]] std::uint32_t rank() const noexcept override { return below_.rank(); }
  [[nodiscard]] std::uint32_t size() const noexcept override { return below_.size(); }
  [[nodiscard]] Result<void> all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    ++collectives;
    return below_.all_gather(mine, all);
  }
  [[nodiscard]] Result<void> swap(std::span<const std::uint64_t> to, std::span<std::uint64_t> from) override {
    ++collectives;
    return below_.swap(to, from);
  }
  [[nodiscard]] Result<void> start(std::span<const RankSend> sends,
                                   std::span<const RankReceive> receives) override {
    for (const RankReceive& receive : receives) {
      bytes += receive.bytes.size();
      ++messages;
    }
    return below_.start(sends, receives);
  }
  void poke() noexcept override { below_.poke(); }
  [[nodiscard]] Result<void> finish() override { return below_.finish(); }

  std::size_t bytes = 0, messages = 0, collectives = 0;

 private:
  Ranks& below_;
};

/// The most of any rank, a step.
struct Traffic {
  double bytes = 0, messages = 0, collectives = 0;
};

FlockOptions world_of(std::uint32_t dimensions, std::size_t boids) {
  FlockOptions options;
  options.dimensions = dimensions;
  options.periodic = true;                                   // every rank has two sides
  const double share = static_cast<double>(boids) / 20'000;  // 24 neighbours, as juxta flock has them
  options.half_size = static_cast<float>(dimensions == 3 ? 3.13 * std::cbrt(share) : 10.5 * std::sqrt(share));
  return options;
}

Traffic count(std::uint32_t dimensions, std::size_t boids, std::uint32_t size) {
  Traffic most;
  std::mutex mutex;
  const FlockOptions options = world_of(dimensions, boids * size);
  test::run_ranks(size, [&](Ranks& below) {
    CountedRanks ranks(below);
    Flock flock = Flock::build(options).value();
    if (!flock.scatter(ranks.rank() == 0 ? boids * size : 0, 1) || !flock.distribute(ranks) ||
        !flock.step()) {
      std::abort();
    }
    ranks.bytes = ranks.messages = ranks.collectives = 0;
    for (int i = 0; i < kSteps; ++i) {
      if (!flock.step()) {
        std::abort();
      }
    }
    const std::lock_guard lock(mutex);
    most.bytes = std::max(most.bytes, static_cast<double>(ranks.bytes) / kSteps);
    most.messages = std::max(most.messages, static_cast<double>(ranks.messages) / kSteps);
    most.collectives = std::max(most.collectives, static_cast<double>(ranks.collectives) / kSteps);
  });
  return most;
}

/// In heights of a row.
double edge_of(std::uint32_t dimensions, std::size_t boids, std::uint32_t size) {
  const FlockOptions options = world_of(dimensions, boids * size);
  return 0.9 * 2 * double{options.half_size} / std::sqrt(double{options.rules.see_radius2});
}

std::uint32_t blocks_of(double edge, std::uint32_t size) {
  return agents_detail::blocks_of_layers(static_cast<std::uint32_t>(edge), static_cast<std::uint32_t>(edge),
                                         size);
}

/// Steps by rows (flock_rows_ranks.cpp).
bool goes_by_rows(std::uint32_t dimensions, std::size_t boids, std::uint32_t size) {
  return dimensions == 2 && boids >= agents_detail::kManyBoids &&
         edge_of(dimensions, boids, size) / size >= agents_detail::kFewestRows;
}

double predicted_ghosts(std::uint32_t dimensions, std::size_t boids, std::uint32_t size) {
  const double edge = edge_of(dimensions, boids, size), all = static_cast<double>(boids * size);
  if (dimensions == 2) {
    return (goes_by_rows(dimensions, boids, size) ? 4 : 2) * all / edge;
  }
  const std::uint32_t blocks = blocks_of(edge, size);
  const double thick = edge / blocks, wide = edge * blocks / size;
  return (blocks == 1 ? 2 * edge : 2 * (thick + wide) + 4) * all / (edge * edge);
}

double bytes_of_ghost(std::uint32_t dimensions, std::size_t boids, std::uint32_t size) {
  return goes_by_rows(dimensions, boids, size) ? 20 : 8 * dimensions;
}

/// The share of a step that a rank spends on its own boids. `beside`: what comes from others is carried while
/// boids move that see none of them.
double predicted_efficiency(std::uint32_t dimensions, std::size_t boids, std::uint32_t size, bool beside) {
  // Of a boid: bench_over_ranks, one thread. Of a ghost: to pack and unpack it, and its way through the
  // network; by rows they are sorted, too.
  const bool by_rows = goes_by_rows(dimensions, boids, size);
  const double boid_ns = by_rows           ? 21
                         : dimensions == 2 ? 30
                                           : 80,
               pack_ns = by_rows ? 10 : 5, bytes_a_ns = 1, message_ns = 2000;
  const double neighbours = dimensions == 3 && blocks_of(edge_of(dimensions, boids, size), size) > 1 ? 8 : 2;
  const double own = static_cast<double>(boids) * boid_ns, ghosts = predicted_ghosts(dimensions, boids, size);
  const double inner = std::max(own - ghosts * boid_ns, 0.0);  // as many see some as are seen
  const double carry = ghosts * bytes_of_ghost(dimensions, boids, size) / bytes_a_ns;
  // A collective of one number takes as many rounds as the number of ranks has bits.
  const double collective_ns = message_ns * std::ceil(std::log2(size));
  return own / (own + ghosts * pack_ns + (beside ? std::max(carry - inner, 0.0) : carry) +
                (by_rows ? 1 : 3) * neighbours * message_ns + 2 * collective_ns);
}

void predict() {
  std::printf("\nby the model, with 1 GB/s and 2 us a message for each rank\n%3s %8s %11s %13s %11s %11s\n",
              "", "ranks", "boids each", "ghosts / own", "efficiency", "beside");
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const std::size_t boids : {std::size_t{1'000'000}, std::size_t{10'000'000}}) {
      for (const std::uint32_t size : {10U, 100U, 1000U}) {
        std::printf("%u D %8u %11zu %13.3f %9.0f %% %9.0f %%\n", dimensions, size, boids,
                    predicted_ghosts(dimensions, boids, size) / static_cast<double>(boids),
                    100 * predicted_efficiency(dimensions, boids, size, false),
                    100 * predicted_efficiency(dimensions, boids, size, true));
      }
    }
  }
}

void report(std::size_t boids) {
  std::printf("%zu boids a rank\n%3s %6s %12s %12s %6s %9s %12s\n", boids, "", "ranks", "KB a step",
              "by model", "ratio", "messages", "collectives");
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const std::uint32_t size : {2U, 4U, 8U, 16U, 64U}) {
      const Traffic traffic = count(dimensions, boids, size);
      const double model =
          predicted_ghosts(dimensions, boids, size) * bytes_of_ghost(dimensions, boids, size);
      std::printf("%u D %6u %12.1f %12.1f %6.2f %9.1f %12.1f\n", dimensions, size, traffic.bytes / 1e3,
                  model / 1e3, traffic.bytes / model, traffic.messages, traffic.collectives);
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace juxta::bench

int main(int argc, char** argv) {
  juxta::bench::report(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 50'000);
  juxta::bench::predict();
  return 0;
}
