// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// The flock as fields beside the flock by its rules: the tables of docs/decisions/0017-field-flock.md.
//   bench_agents_field error   what boids are told, against what the rules tell them
//   bench_agents_field order   what becomes of the flock in 600 steps
//   bench_agents_field pairs   how far from each other boids stand
//   bench_agents_field time    processor time of a step; contenders take turns, each one's best round counts
//   bench_agents_field large   the same for fifty times as many
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/agents/field_exact.h"
#include "bench/agents/field_flock.h"
#include "bench/support/settings.h"
#include "classics/agents/boids.h"
#include "classics/agents/cell_list.h"
#include "juxta/agents/flock.h"
#include "scenes/flocks.h"

namespace juxta::bench {
namespace {

using classics::Boid;
using Sums = FieldBoids::Sums;

constexpr std::size_t kNominal = 20'000;
constexpr std::uint32_t kMostNodes = 8;  // Where steps are made: finer grids take too long.

struct Kind {
  std::string name;
  FieldOptions options;
};

std::vector<Kind> kinds() {
  const auto kind = [](std::uint32_t nodes, FieldAvoid avoid, bool same_spread = true) {
    return Kind{std::string(avoid == FieldAvoid::kPairs ? "field + pairs, " : "field, ") +
                    std::to_string(nodes) + (same_spread ? "" : ", true disc"),
                {nodes, avoid, same_spread}};
  };
  return {kind(2, FieldAvoid::kField),       kind(3, FieldAvoid::kField), kind(4, FieldAvoid::kField),
          kind(6, FieldAvoid::kField),       kind(8, FieldAvoid::kField), kind(16, FieldAvoid::kField),
          kind(2, FieldAvoid::kPairs),       kind(4, FieldAvoid::kPairs), kind(8, FieldAvoid::kPairs),
          kind(4, FieldAvoid::kField, false)};
}

struct Change {
  double x = 0, y = 0;
  [[nodiscard]] double length() const { return std::hypot(x, y); }
};
Change operator-(const Change& a, const Change& b) {
  return {a.x - b.x, a.y - b.y};
}

Change avoidance(const Sums& sums, const FlockRules& rules) {
  return {double{rules.avoid} * sums.away_x, double{rules.avoid} * sums.away_y};
}

/// What the rules add to a velocity before it is clamped; without `avoid`, aligning and cohering alone.
Change steering(const Boid& boid, const Sums& sums, const FlockRules& rules, bool avoid) {
  const Change away = avoid ? avoidance(sums, rules) : Change{};
  if (sums.count < 0.5F) {
    return away;
  }
  const auto along = [&](double v, double sum_v, double sum_d, double a) {
    const double pulled = v + double{rules.cohere} * sum_d / sums.count + a;
    return pulled + double{rules.align} * (sum_v / sums.count - pulled) - v;
  };
  return {along(boid.vx, sums.sum_vx, sums.sum_dx, away.x), along(boid.vy, sums.sum_vy, sums.sum_dy, away.y)};
}

/// |got - wanted| / |wanted| of many, and all of them taken together.
struct Misses {
  std::vector<double> each;
  double miss2 = 0, wanted2 = 0;
  void add(const Change& got, const Change& wanted) {
    const double miss = (got - wanted).length(), length = wanted.length();
    if (length > 0) {
      each.push_back(miss / length);
    }
    miss2 += miss * miss;
    wanted2 += length * length;
  }
  [[nodiscard]] double mean() const {
    double sum = 0;
    for (const double miss : each) {
      sum += miss;
    }
    return sum / static_cast<double>(each.size());
  }
  [[nodiscard]] double quantile(double q) {
    const auto at = each.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(each.size() - 1));
    std::nth_element(each.begin(), at, each.end());
    return *at;
  }
  [[nodiscard]] double together() const { return std::sqrt(miss2 / wanted2); }
};

void print_errors(const std::string& state, const Boids& boids) {
  const FlockRules rules;
  const Exact exact = look_around(boids);
  double neighbours = 0;
  for (const Sums& sums : exact.sums) {
    neighbours += double{sums.count} / static_cast<double>(boids.size());
  }
  std::printf("%s: %.1f neighbours, error of the steering\n", state.c_str(), neighbours);
  std::printf(
      "| form, nodes per radius | mean | median | p99 | rms | align, cohere rms | avoid rms | count bias | "
      "count rms |\n|---|---|---|---|---|---|---|---|---|\n");
  for (const Kind& kind : kinds()) {
    FieldBoids field(scenes::flock_half_size(boids.size()), rules, kind.options);
    field.set(boids);
    std::vector<Sums> got(boids.size());
    field.look(got);
    Misses all, far, near;
    double bias = 0, miss2 = 0;
    for (std::size_t i = 0; i < boids.size(); ++i) {
      const Sums& wanted = exact.sums[i];
      all.add(steering(boids[i], got[i], rules, true), steering(boids[i], wanted, rules, true));
      far.add(steering(boids[i], got[i], rules, false), steering(boids[i], wanted, rules, false));
      near.add(avoidance(got[i], rules), avoidance(wanted, rules));
      const double miss = double{got[i].count} - double{wanted.count};
      bias += miss / static_cast<double>(boids.size());
      miss2 += miss * miss / static_cast<double>(boids.size());
    }
    std::printf("| %s | %.3f | %.3f | %.2f | %.3f | %.3f | %.3f | %+.2f | %.2f |\n", kind.name.c_str(),
                all.mean(), all.quantile(0.5), all.quantile(0.99), all.together(), far.together(),
                near.together(), bias, std::sqrt(miss2));
  }
}

/// Polarisation of all, polarisation among neighbours, how many there are, and how many on the same spot.
void print_order(const classics::BoidsClassic& flock, std::size_t count) {
  Boids boids(count);
  flock.get(boids);
  const Exact exact = look_around(boids);
  Change heading;
  double together = 0, neighbours = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double speed = std::hypot(double{boids[i].vx}, double{boids[i].vy});
    heading.x += boids[i].vx / speed;
    heading.y += boids[i].vy / speed;
    together += exact.together[i];
    neighbours += double{exact.sums[i].count};
  }
  const auto n = static_cast<double>(count);
  std::printf(" %.2f, %.3f, %.0f, %.1f |", heading.length() / n, together / n, neighbours / n,
              exact.on_the_spot);
}

void print_orders(std::size_t count) {
  std::printf(
      "polarisation of all, among neighbours; neighbours, those on the same spot\n| form | 0 | 50 | 100 | "
      "200 | 300 | 600 |\n"
      "|---|---|---|---|---|---|---|\n");
  const float half_size = scenes::flock_half_size(count);
  const Boids boids = field_start(count);
  const auto row = [&](const std::string& name, classics::BoidsClassic& flock, const Boids& from) {
    flock.set(from);
    std::printf("| %s |", name.c_str());
    std::size_t done = 0;
    for (const std::size_t step : {0U, 50U, 100U, 200U, 300U, 600U}) {
      advance(flock, step - done);
      done = step;
      print_order(flock, count);
    }
    std::printf("\n");
  };
  ExactBoids exact(half_size);
  row("the rules", exact, boids);
  // How much chance there is in all this.
  row("the rules, another start", exact, field_start(count, 2));
  row("the rules, a third start", exact, field_start(count, 3));
  for (const Kind& kind : kinds()) {
    if (kind.options.nodes_per_radius <= kMostNodes) {
      FieldBoids field(half_size, {}, kind.options);
      row(kind.name, field, boids);
    }
  }
}

/// Neighbours a unit of area at d/A, A the radius to avoid.
void print_pairs(std::size_t count) {
  constexpr std::size_t kRings = 12;
  constexpr double kPi = 3.14159265358979323846;
  std::printf("neighbours per unit of area at d/A, A the radius to avoid\n| step |");
  for (std::size_t ring = 0; ring < kRings; ++ring) {
    std::printf(" %.1f..%.1f |", static_cast<double>(ring) / 10, static_cast<double>(ring + 1) / 10);
  }
  std::printf("\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  const double avoid2 = double{FlockRules{}.avoid_radius2};
  Boids boids = field_start(count);
  ExactBoids flock(scenes::flock_half_size(count));
  flock.set(boids);
  for (std::size_t step = 0; step <= 300; step += 100) {
    flock.get(boids);
    classics::CellList<2> list;
    build(list, boids);
    std::array<double, kRings> pairs{};
    for (std::uint32_t row = 0; row < list.size(); ++row) {
      list.for_each_neighbour(row, [&](std::uint32_t, const std::array<float, 2>&, float distance2) {
        const auto ring = static_cast<std::size_t>(10 * std::sqrt(double{distance2} / avoid2));
        pairs[std::min(ring, kRings - 1)] += ring < kRings ? 1 : 0;
      });
    }
    std::printf("| %zu |", step);
    for (std::size_t ring = 0; ring < kRings; ++ring) {
      const double area = kPi * avoid2 * static_cast<double>(2 * ring + 1) / 100;
      std::printf(" %.0f |", pairs[ring] / static_cast<double>(count) / area);
    }
    std::printf("\n");
    advance(flock, 100);
  }
}

struct Racer {
  std::string name;
  std::unique_ptr<classics::BoidsClassic> flock;
  double best = std::numeric_limits<double>::max();
};

/// Rounds of two steps to warm up and `timed` that count.
void print_times(const std::string& state, const Boids& boids, std::size_t rounds, std::size_t timed) {
  const float half_size = scenes::flock_half_size(boids.size());
  std::vector<Racer> racers;
  racers.push_back({"juxta::Flock", std::make_unique<ExactBoids>(half_size)});
  racers.push_back({"sse", std::make_unique<classics::SseBoids>(half_size)});
  for (const Kind& kind : kinds()) {
    if (kind.options.nodes_per_radius <= kMostNodes && kind.options.same_spread) {
      racers.push_back({kind.name, std::make_unique<FieldBoids>(half_size, FlockRules{}, kind.options)});
    }
  }
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
  std::printf(
      "%s, one thread\n| form, nodes per radius | ms a step | ns a boid | times juxta::Flock | MiB "
      "|\n|---|---|---|---|---|\n",
      state.c_str());
  for (const Racer& racer : racers) {
    const auto* field = dynamic_cast<const FieldBoids*>(racer.flock.get());
    std::printf("| %s | %.3f | %.1f | %.2f | %s |\n", racer.name.c_str(), racer.best * 1e3,
                racer.best * 1e9 / static_cast<double>(boids.size()), racer.best / racers[0].best,
                field == nullptr ? "" : std::to_string(field->memory_bytes() >> 20).c_str());
  }
}

int run(std::string_view part) {
  const std::size_t small = number_setting("JUXTA_BENCH_POINTS", kNominal);
  const std::size_t large = std::min<std::size_t>(small * 50, 1'000'000);
  if (part == "error") {
    print_errors("start", field_start(small));
    print_errors("after 300 steps", field_flocked(small));
  } else if (part == "order") {
    print_orders(small);
  } else if (part == "pairs") {
    print_pairs(small);
  } else if (part == "time") {
    print_times("start of " + std::to_string(small), field_start(small), 12, 8);
    print_times(std::to_string(small) + " after 300 steps", field_flocked(small), 12, 8);
  } else if (part == "large") {
    print_times("start of " + std::to_string(large), field_start(large), 3, 2);
  } else {
    std::fprintf(stderr, "Usage: bench_agents_field error|order|pairs|time|large\n");
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace juxta::bench

int main(int argc, char** argv) {
  return juxta::bench::run(argc == 2 ? argv[1] : "");
}
