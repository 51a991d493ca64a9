// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// What docs/articles.md and docs/decisions/0023-positions-of-few-bits.md tell of the boids beside their rows:
//   how many groups of four seers the published kernel can load
//   how many of its meetings are in vain for all four
//   what positions of few bits cost, and how far the boids go astray
// JUXTA_BENCH_POINTS: other than 20,000 boids.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/support/settings.h"
#include "classics/agents/boids.h"
#include "classics/agents/boids_blocks.h"
#include "classics/agents/boids_compact.h"
#include "classics/agents/boids_published.h"
#include "scenes/flocks.h"

namespace juxta::bench {
namespace {

using classics::Boid;
using Boids = std::vector<Boid>;

Boids start_of(std::size_t count) {
  const scenes::FlockScene scene = scenes::make_flock(count, scenes::flock_half_size(count), 1);
  Boids boids(count);
  for (std::size_t i = 0; i < count; ++i) {
    boids[i] = {scene.position[0][i], scene.position[1][i], scene.velocity[0][i], scene.velocity[1][i]};
  }
  return boids;
}

void advance(classics::BoidsClassic& flock, std::size_t steps) {
  for (std::size_t step = 0; step < steps; ++step) {
    flock.step();
  }
}

Boids after(classics::BoidsClassic&& flock, const Boids& before, std::size_t steps) {
  flock.set(before);
  advance(flock, steps);
  Boids boids(before.size());
  flock.get(boids);
  return boids;
}

void print_groups(const Boids& start) {
  std::printf("## Groups of four seers of the published kernel, %zu boids\n", start.size());
  std::printf("| steps | loaded | gathered | fewer than four | loaded of all |\n|---|---|---|---|---|\n");
  classics::SseBlockBoids flock(scenes::flock_half_size(start.size()));
  flock.set(start);
  classics::SseBlockBoids::Groups last;
  std::size_t done = 0;
  for (const std::size_t steps : {1U, 2U, 10U, 100U, 300U}) {
    advance(flock, steps - done);
    const classics::SseBlockBoids::Groups now = flock.groups();
    const auto loaded = static_cast<double>(now.loaded - last.loaded);
    const auto gathered = static_cast<double>(now.gathered - last.gathered);
    const auto fewer = static_cast<double>(now.fewer - last.fewer);
    const auto in_steps = static_cast<double>(steps - done);
    std::printf("| %zu to %zu | %.0f | %.0f | %.0f | %.1f %% |\n", done + 1, steps, loaded / in_steps,
                gathered / in_steps, fewer / in_steps, 100 * loaded / (loaded + gathered + fewer));
    last = now;
    done = steps;
  }
}

/// What meetings of four seers of a cell with one neighbour come to.
struct Meetings {
  std::uint64_t all = 0, in_vain = 0, near = 0;
};

// The cells that any of the four reaches.
classics::CellRange around_four(const classics::BoidsGrid& grid, std::span<const Boid> four) {
  classics::CellRange all = grid.around(four[0]);
  for (const Boid& boid : four) {
    const classics::CellRange range = grid.around(boid);
    all = {std::min(all.low_x, range.low_x), std::max(all.high_x, range.high_x),
           std::min(all.low_y, range.low_y), std::max(all.high_y, range.high_y)};
  }
  return all;
}

Meetings meetings_of(const Boids& boids) {
  const FlockRules rules;
  const classics::BoidsGrid grid(scenes::flock_half_size(boids.size()), rules, {});
  classics::BlockCells<28> cells;
  cells.fill(grid, boids.size(), [&](std::size_t i) -> const Boid& { return boids[i]; });
  std::vector<std::vector<Boid>> of_cell(std::size_t{grid.cells} * grid.cells);
  for (std::size_t cell = 0; cell < of_cell.size(); ++cell) {
    for (std::uint32_t at = cells.first(cell); at != cells.kNone; at = cells[at].next) {
      for (std::uint32_t slot = 0; slot < cells[at].size; ++slot) {
        of_cell[cell].push_back(boids[cells[at].boids[slot]]);
      }
    }
  }
  Meetings meetings;
  const auto meet = [&](std::span<const Boid> four, const Boid& other) {
    std::uint64_t near = 0;
    for (const Boid& boid : four) {
      const float dx = other.x - boid.x, dy = other.y - boid.y;
      near += dx * dx + dy * dy < rules.see_radius2 ? 1 : 0;
    }
    ++meetings.all;
    meetings.in_vain += near == 0 ? 1 : 0;
    meetings.near += near;
  };
  for (const std::vector<Boid>& seers : of_cell) {
    for (std::size_t first = 0; first < seers.size(); first += 4) {
      const auto four = std::span(seers).subspan(first, std::min<std::size_t>(4, seers.size() - first));
      const classics::CellRange range = around_four(grid, four);
      for (std::uint32_t y = range.low_y; y <= range.high_y; ++y) {
        for (std::uint32_t x = range.low_x; x <= range.high_x; ++x) {
          for (const Boid& other : of_cell[std::size_t{y} * grid.cells + x]) {
            meet(four, other);
          }
        }
      }
    }
  }
  return meetings;
}

void print_meetings(const std::string& state, const Boids& boids) {
  const Meetings meetings = meetings_of(boids);
  const auto all = static_cast<double>(meetings.all);
  std::printf("%s: %.1f meetings of four a boid, %.1f %% in vain for all four, %.1f %% of lanes near\n",
              state.c_str(), all / static_cast<double>(boids.size()),
              100 * static_cast<double>(meetings.in_vain) / all,
              25 * static_cast<double>(meetings.near) / all);
}

// One step of `kind` against one of the rules, both from `before`.
template <class Kind>
void print_error(const char* name, const std::string& state, const Boids& before) {
  const float half_size = scenes::flock_half_size(before.size());
  const Boids right = after(classics::SseBoids(half_size), before, 1);
  const Boids got = after(Kind(half_size), before, 1);
  double error2 = 0, change2 = 0, most = 0;
  std::size_t off = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double error =
        std::hypot(double{got[i].vx} - double{right[i].vx}, double{got[i].vy} - double{right[i].vy});
    const double change =
        std::hypot(double{right[i].vx} - double{before[i].vx}, double{right[i].vy} - double{before[i].vy});
    error2 += error * error;
    change2 += change * change;
    most = std::max(most, error);
    off += error > 1e-4 ? 1 : 0;
  }
  std::printf("| %s | %s | %.2f %% | %.5f | %.4f |\n", state.c_str(), name,
              100 * static_cast<double>(off) / static_cast<double>(before.size()),
              std::sqrt(error2 / std::max(change2, 1e-30)), most);
}

void print_errors(const std::string& state, const Boids& before) {
  print_error<classics::CompactBoids<std::uint16_t>>("16 bits", state, before);
  print_error<classics::CompactBoids<std::uint8_t>>("8 bits", state, before);
}

struct Racer {
  std::string name;
  std::unique_ptr<classics::BoidsClassic> flock;
  double best = std::numeric_limits<double>::max();
};

// Contenders take turns; each one's best round counts.
void print_times(const std::string& state, const Boids& boids, std::size_t rounds, std::size_t timed) {
  const float half_size = scenes::flock_half_size(boids.size());
  using classics::SseRuns;
  using Fine = classics::CompactBoids<std::uint16_t>;
  std::array<Racer, 7> racers{{
      {"sse", std::make_unique<classics::SseBoids>(half_size)},
      {"sse, 16 bits", std::make_unique<Fine>(half_size)},
      {"sse, 8 bits", std::make_unique<classics::CompactBoids<std::uint8_t>>(half_size)},
      {"sse, whole rows", std::make_unique<classics::SseBoids>(half_size, FlockRules{},
                                                               classics::BoidsGridOptions{}, SseRuns::kRow)},
      {"sse, whole rows, 16 bits", std::make_unique<Fine>(half_size, FlockRules{}, SseRuns::kRow)},
      {"sse_published", std::make_unique<classics::SseBlockBoids>(half_size)},
      {"scalar_ordered", std::make_unique<classics::OrderedBoids>(half_size)},
  }};
  for (std::size_t round = 0; round < rounds; ++round) {
    for (Racer& racer : racers) {
      racer.flock->set(boids);
      advance(*racer.flock, 2);
      const std::clock_t begin = std::clock();
      advance(*racer.flock, timed);
      const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      racer.best = std::min(racer.best, took / static_cast<double>(timed));
    }
  }
  for (const Racer& racer : racers) {
    std::printf("| %s | %s | %.3f | %.1f | %.2f |\n", state.c_str(), racer.name.c_str(), racer.best * 1e3,
                racer.best * 1e9 / static_cast<double>(boids.size()),
                racer.best / std::max(racers[0].best, 1e-9));
  }
}

void run() {
  const std::size_t small = number_setting("JUXTA_BENCH_POINTS", 20'000);
  const std::size_t large = std::min<std::size_t>(small * 50, 1'000'000);
  const Boids start = start_of(small);
  const Boids flocked = after(classics::RowBoids(scenes::flock_half_size(small)), start, 300);
  print_groups(start);
  std::printf("\n## Meetings\n");
  print_meetings("start", start);
  print_meetings("300 steps later", flocked);
  std::printf("\n## Errors of positions of few bits\n");
  std::printf("| state | stored | boids off by more than 1e-4 | rms of the change of velocity | most |\n");
  std::printf("|---|---|---|---|---|\n");
  print_errors("start", start);
  print_errors("300 steps later", flocked);
  std::printf("\n## Times, one thread\n");
  std::printf("| state | form | ms a step | ns a boid | times sse |\n|---|---|---|---|---|\n");
  print_times("start", start, 12, 8);
  print_times("300 steps later", flocked, 12, 8);
  print_times("start of " + std::to_string(large), start_of(large), 3, 2);
}

}  // namespace
}  // namespace juxta::bench

int main() {
  juxta::bench::run();
  return 0;
}
